"""A small server on the loopback address whose answers are written down byte for byte."""

from __future__ import annotations

import asyncio
import gzip
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

from digestlog.web.fetch import Fetcher, Limits

Handler = Callable[[asyncio.StreamWriter, "Seen"], Awaitable[None]]
Body = Callable[["Site", Fetcher], Awaitable[None]]
FEED = b"<rss version='2.0'><channel><title>Tides</title></channel></rss>"


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    method: str
    target: str
    headers: dict[str, str]


def answer(status: int = 200, body: bytes = b"", **fields: str) -> bytes:
    """A whole answer; field names are written with underscores."""
    named = {"Content_Length": str(len(body)), **fields}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status} Words\r\n{head}\r\n".encode() + body


def moved(to: str, status: int = 302) -> bytes:
    """A redirect."""
    return answer(status, b"moved", Location=to)


def packed(body: bytes) -> bytes:
    """A body in gzip, in an answer."""
    return answer(200, gzip.compress(body), Content_Encoding="gzip")


@dataclass
class Site:
    """Answers by path while its context is open; remembers what it was asked."""

    answers: dict[str, bytes | Handler] = field(default_factory=dict)
    tls: ssl.SSLContext | None = None
    wordy: bool = False  # sends the body after HEAD too
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    async def __aenter__(self) -> Self:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        return [f"{seen.method} {seen.target}" for seen in self.seen]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        writer.close()
        self._tasks.discard(task)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ")
        pairs = (line.partition(": ")[::2] for line in head[1:] if line)
        seen = Seen(method, target, {name.lower(): value for name, value in pairs})
        self.seen.append(seen)
        found = self.answers.get(target.partition("?")[0], answer(404, b"nothing here"))
        if callable(found):
            await found(writer, seen)
            return False
        whole = found if method != "HEAD" or self.wordy else found.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        writer.write(whole)
        await writer.drain()
        return b"onnection: close" not in found


def raw(*parts: bytes) -> Handler:
    """Sends exactly these bytes, then hangs up."""

    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()

    return send


def endless(start: bytes, part: bytes) -> Handler:
    """Sends the start, then the part for ever."""

    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.write(start)
        while True:
            writer.write(part)
            await writer.drain()

    return send


def silent(start: bytes = b"") -> Handler:
    """Sends the start, then nothing, without hanging up."""

    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.write(start)
        await writer.drain()
        await asyncio.Event().wait()

    return send


def quick(**changes: object) -> Fetcher:
    """A fetcher that does not wait between requests and does not read the environment."""
    limits = {name: value for name, value in changes.items() if name in Limits.__slots__}
    rest = {name: value for name, value in changes.items() if name not in limits}
    return Fetcher(
        limits=Limits(**{"host_delay_s": 0, **limits}),  # type: ignore[arg-type]
        **{"proxies_from_env": False, **rest},  # type: ignore[arg-type]
    )


def visit(answers: dict[str, bytes | Handler], body: Body, **changes: object) -> Site:
    """Run a test's body with a site and a fetcher."""
    site = Site(answers)

    async def both() -> None:
        async with site, quick(**changes) as fetcher:
            await body(site, fetcher)

    asyncio.run(both())
    return site
