"""A web on the loopback network: every host is a 127.x.y.z of its own, all on one port."""

from __future__ import annotations

import asyncio
import resource
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

_LISTEN = 128
_SOCKETS = 8192
HEADER_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Request:
    """A request as it came in; `url` is the whole address that was asked for."""

    method: str
    url: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """What an address answers; a validator makes it answer 304 to whom knows it already."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    etag: str | None = None
    last_modified: str | None = None
    # To HEAD alone; None: the same as to GET.
    head_status: int | None = None

    def to(self, request: Request) -> bytes:
        """The bytes of the answer to one request."""
        asked = request.headers
        known = (self.etag and asked.get("if-none-match") == self.etag) or (
            self.last_modified and asked.get("if-modified-since") == self.last_modified
        )
        status = 304 if known else self.status
        if request.method == "HEAD" and self.head_status is not None:
            status = self.head_status
        body = b"" if status == 304 else self.body
        named = {"Content-Length": str(len(body)), **self.headers}
        named |= {"ETag": self.etag} if self.etag else {}
        named |= {"Last-Modified": self.last_modified} if self.last_modified else {}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        start = f"HTTP/1.1 {status} Words\r\n{head}\r\n".encode()
        return start if request.method == "HEAD" else start + body


# Answers by hand: it may write what it likes, and the connection is closed afterwards.
Handler = Callable[[asyncio.StreamWriter, Request], Awaitable[None]]
Answers = dict[str, "Answer | Handler | Callable[[], Answer]"]


def page(body: str = "<!doctype html><title>A story</title><p>Told.", **headers: str) -> Answer:
    """A web page."""
    return Answer(200, body.encode(), {"Content-Type": "text/html; charset=utf-8", **headers})


def moved(to: str, status: int = 302, head_status: int | None = None) -> Answer:
    """A redirect."""
    return Answer(status, b"", {"Location": to}, head_status=head_status)


class Web:
    """Answers by address, in a thread of its own, while its context is open; remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: Answers = {}
        self.asked: list[Request] = []
        # Called in the web's thread with each request, before it is answered.
        self.watch: Callable[[Request], None] | None = None
        self._sockets: dict[str, socket.socket] = {}
        self._connections: set[asyncio.Task[None]] = set()
        first = _listening("127.0.0.1", 0)
        self.port: int = first.getsockname()[1]
        self._sockets["127.0.0.1"] = first

    def at(self, host: str) -> str:
        """The beginning of every address on a host."""
        return f"http://{host}:{self.port}"

    def hosts(self, hosts: Iterable[str]) -> None:
        """Listen on further hosts; to be called before the context is entered."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < _SOCKETS <= hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (_SOCKETS, hard))
        for host in hosts:
            if host not in self._sockets:
                self._sockets[host] = _listening(host, self.port)

    def urls(self, start: int = 0) -> list[str]:
        """The addresses asked for since the `start`th request."""
        return [request.url for request in self.asked[start:]]

    def __enter__(self) -> Self:
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="web", daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def __exit__(self, *exc: object) -> None:
        self.loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self.loop.close()

    def _run(self, ready: threading.Event) -> None:
        self.loop.run_until_complete(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._stop = asyncio.Event()
        servers = [
            await asyncio.start_server(self._connection, sock=listening)
            for listening in self._sockets.values()
        ]
        ready.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._exchange(reader, writer):
                pass
        self._connections.discard(task)
        writer.transport.abort() if task.cancelling() else writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False when the connection is at its end."""
        request = _request(await reader.readuntil(HEADER_END))
        self.asked.append(request)
        if self.watch is not None:
            self.watch(request)
        found = self.answers.get(request.url, self.answers.get(request.url.partition("?")[0], Answer(404)))
        if isinstance(found, Answer):
            writer.write(found.to(request))
        elif asyncio.iscoroutinefunction(found):
            await found(writer, request)
            return False
        else:
            writer.write(found().to(request))  # type: ignore[call-arg, union-attr]
        await writer.drain()
        return True


def _request(head: bytes) -> Request:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return Request(method, f"http://{headers['host']}{target}", headers)


def _listening(host: str, port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    listening.listen(_LISTEN)
    return listening
