"""Handing a request on to Datasette, and what comes back on to the browser.

Datasette is told what was asked and who asks; no cookie, no token, no body. Of its answer, headers that are
the gatekeeper's business are dropped, errors of its own become one sentence, and CSV is disarmed.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from digestlog.core.formulas import FormulaGuard
from digestlog.serve.messages import ASGI, Message, Receive, Request, Response, Scope, Send, local_path

_PASSED_ON = frozenset({"accept", "accept-language", "host", "user-agent"})
_DROPPED = frozenset(
    {b"set-cookie", b"content-length", b"transfer-encoding", b"content-encoding", b"server", b"date", b"etag"}
)
_CORS = b"access-control-"
# 0.65 gives CSV as plain text where it is only to be looked at.
_MAYBE_CSV = (b"text/csv", b"text/plain")


def datasette_scope(scope: Scope, request: Request, actor: dict[str, str]) -> dict[str, Any]:
    """What Datasette is told."""
    return {
        "type": "http",
        "asgi": scope["asgi"],
        "http_version": scope.get("http_version", "1.1"),
        "method": "GET",
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query_string,
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in _passed_on(request)],
        "client": None,
        "server": scope.get("server"),
        "actor": actor,
    }


async def forward(
    app: ASGI, scope: dict[str, Any], receive: Receive, send: Send, failed: Callable[[], Response]
) -> None:
    """Let Datasette answer; `failed` makes the answer where it cannot."""
    answer = _Answer(send, failed)
    try:
        await app(scope, _Nothing(receive), answer.take)
    except Exception:
        if answer.started:
            raise
        await failed().send(send)


def _passed_on(request: Request) -> list[tuple[str, str]]:
    return [(name, value) for name, value in request.headers if name in _PASSED_ON]


class _Nothing:
    """A body without a byte; then whatever the browser does, which is to wait or to leave."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._told = False

    async def __call__(self) -> Message:
        if not self._told:
            self._told = True
            return {"type": "http.request", "body": b"", "more_body": False}
        return await self._receive()


class _Answer:
    """Datasette's answer on its way out."""

    def __init__(self, send: Send, failed: Callable[[], Response]) -> None:
        self._send = send
        self._failed = failed
        self._replaced = False
        self._csv: _CsvOut | None = None
        self.started = False

    async def take(self, message: Message) -> None:
        """One message of it."""
        if message["type"] == "http.response.start":
            await self._start(message)
        elif message["type"] == "http.response.body" and not self._replaced:
            await self._body(message)

    async def _start(self, message: Message) -> None:
        self.started = True
        headers = list(message.get("headers", []))
        if message["status"] >= 500 or not _stays_here(headers):
            self._replaced = True
            await self._failed().send(self._send)
            return
        if any(name.lower() == b"content-type" and value.startswith(_MAYBE_CSV) for name, value in headers):
            self._csv = _CsvOut()
        kept = [(name, value) for name, value in headers if not _is_dropped(name.lower())]
        await self._send({**message, "headers": kept})

    async def _body(self, message: Message) -> None:
        body, more = message.get("body", b""), bool(message.get("more_body"))
        if self._csv is not None:
            body = self._csv.take(body, more)
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


class _CsvOut:
    """CSV without formulas."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._guard = FormulaGuard()

    def take(self, body: bytes, more: bool) -> bytes:
        text = self._guard.feed(self._decoder.decode(body, final=not more))
        return (text if more else text + self._guard.finish()).encode()


def _is_dropped(name: bytes) -> bool:
    return name in _DROPPED or name.startswith(_CORS)


def _stays_here(headers: list[tuple[bytes, bytes]]) -> bool:
    """False if the answer would send the browser to another site."""
    places = [value.decode("latin-1") for name, value in headers if name.lower() == b"location"]
    return all(local_path(place) is not None for place in places)
