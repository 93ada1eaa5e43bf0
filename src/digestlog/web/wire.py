"""One connection and what is said on it: HTTP/1.1, one request at a time.

asyncio moves the bytes and llhttp (httptools) reads them. What a server may send before its headers
end, and how much waits here to be read, is bounded; how long a request may take is the caller's business.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from typing import cast

import httptools

from digestlog.web.failures import HungUp, NotHttp, Silence, Stale

Fields = Iterable[tuple[bytes, bytes]]

MAX_HEAD = 100_000
_ENOUGH = 262_144
_LITTLE = 65_536
_BODYLESS = frozenset({204, 304})
_TOO_MUCH = "sent more headers than anyone needs"
_NO_HTTP = "answered something that is not HTTP"


class Connection(asyncio.Protocol):
    """A connection; `ask` sends a request and waits for the head of its answer, `pieces` gives the body."""

    def __init__(self) -> None:
        self.is_open = False
        self.answered = 0
        self.idle_since = 0.0
        self.status = 0
        self.fields: list[tuple[bytes, bytes]] = []
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._failure: Exception | None = None
        self._busy = self._complete = self._stays = self._spoiled = self._paused = False
        self._begin(bodyless=False)

    @property
    def transport(self) -> asyncio.Transport:
        """What moves the bytes."""
        assert self._transport is not None  # noqa: S101 - made with the connection
        return self._transport

    @property
    def can_be_kept(self) -> bool:
        """True if the answer was read to its end and another request may follow."""
        return self.is_open and self._complete and self._stays and not self._spoiled

    @property
    def complete(self) -> bool:
        """True if the whole answer is here."""
        return self._complete

    async def ask(self, method: str, target: bytes, fields: Fields, *, silence_s: float) -> None:
        """Send a request and wait for the head of the answer; Stale if a kept connection was closed."""
        self._begin(bodyless=method in ("HEAD", "CONNECT"))
        self._busy = True
        lines = [method.encode() + b" " + target + b" HTTP/1.1"]
        lines += [name + b": " + value for name, value in fields]
        self.transport.write(b"\r\n".join((*lines, b"", b"")))
        while not self._has_head:
            await self._news(silence_s)

    async def pieces(self, *, silence_s: float) -> AsyncIterator[bytes]:
        """The body as it comes, still packed."""
        while True:
            while self._pieces:
                piece = self._pieces.popleft()
                self._waiting -= len(piece)
                if self._paused and self._waiting < _LITTLE:
                    self._paused = False
                    self.transport.resume_reading()
                yield piece
            if self._complete:
                return
            await self._news(silence_s)

    def begin_inside(self, transport: asyncio.Transport) -> None:
        """Begin anew over another transport: the secure one inside a proxy's tunnel."""
        self._transport = transport
        self.answered = 0

    def close(self) -> None:
        """Close the connection, whatever is under way."""
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    # --- what asyncio calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember what moves the bytes."""
        self._transport = cast(asyncio.Transport, transport)
        self.is_open = True

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        if not self._busy or self._complete:
            self._spoiled = True  # nobody asked
            return
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(NotHttp(self._misbehaviour(), str(error)))
        else:
            if not self._has_head and self._received > MAX_HEAD:
                self._fail(NotHttp(_TOO_MUCH))
        if self._waiting > _ENOUGH and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """Say so to whoever waits: some answers end like this, for others it is too early."""
        self.is_open = False
        if self._has_head and not self._complete and exc is None and self._ends_with_connection():
            self._complete = True
        elif not self._complete:
            kind = Stale if self.answered and not self._received else HungUp
            self._failure = self._failure or _caused(kind("hung up"), exc)
        self._wake()

    # --- what llhttp calls ---

    def on_message_begin(self) -> None:
        """An answer begins; a second one was not asked for."""
        if self._complete:
            self._spoiled = True

    def on_status(self, status: bytes) -> None:
        """The first line was read."""
        self._has_status = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > MAX_HEAD:
            raise ValueError(_TOO_MUCH)
        if not self._has_head:  # a trailer says nothing that we ask for
            self.fields.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """The head is here; one of 1xx is only a foreword."""
        self.status = self._parser.get_status_code()
        if self.status < 200:
            return
        self._has_head = True
        if self._bodyless or self.status in _BODYLESS:
            self._finish()

    def on_body(self, body: bytes) -> None:
        """A part of the body; after HEAD there should be none."""
        if self._bodyless:
            self._spoiled = True
            return
        self._pieces.append(body)
        self._waiting += len(body)

    def on_message_complete(self) -> None:
        """The answer, or its foreword, has ended."""
        if self._has_head:
            self._finish()
            return
        self.fields.clear()
        self._head_bytes = self._received = 0

    # --- inside ---

    def _begin(self, *, bodyless: bool) -> None:
        self._parser = httptools.HttpResponseParser(self)
        # What browsers put up with: lines that end with LF alone, a length beside chunks.
        self._parser.set_dangerous_leniencies(
            lenient_chunked_length=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
            lenient_data_after_close=True,
        )
        self._bodyless = bodyless
        self._has_status = self._has_head = self._complete = False
        self._head_bytes = self._received = self._waiting = 0
        self._pieces: deque[bytes] = deque()
        self.fields = []

    def _finish(self) -> None:
        if self._complete:
            return  # one without a body has ended with its head
        self._complete = True
        self._stays = self._keeps_alive()
        self.answered += 1

    def _fail(self, error: Exception) -> None:
        if self._complete:
            self._spoiled = True
            return
        self._failure = self._failure or error
        self.close()

    def _misbehaviour(self) -> str:
        if max(self._head_bytes, self._received) > MAX_HEAD and not self._has_head:
            return _TOO_MUCH
        return "gave no proper answer" if self._has_status else _NO_HTTP

    def _named(self, name: bytes) -> bytes:
        return b",".join(value for key, value in self.fields if key == name).lower()

    def _ends_with_connection(self) -> bool:
        return not self._named(b"content-length") and b"chunked" not in self._named(b"transfer-encoding")

    def _keeps_alive(self) -> bool:
        if not self._bodyless and self.status not in _BODYLESS:
            return bool(self._parser.should_keep_alive())
        # llhttp does not know that no body follows, and would wait for the end of the connection.
        return self._parser.get_http_version() == "1.1" and b"close" not in self._named(b"connection")

    async def _news(self, silence_s: float) -> None:
        """Wait until something has happened; what went wrong before is raised now."""
        if self._failure is not None:
            raise self._failure
        if not self.is_open:
            raise Stale("closed before the request") if self.answered else HungUp("hung up")
        self._waiter = asyncio.get_running_loop().create_future()
        timer = asyncio.get_running_loop().call_later(silence_s, self._too_long)
        try:
            await self._waiter
        finally:
            timer.cancel()
            self._waiter = None

    def _too_long(self) -> None:
        self._fail(Silence("nothing came"))
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _caused(error: Exception, cause: Exception | None) -> Exception:
    error.__cause__ = cause
    return error
