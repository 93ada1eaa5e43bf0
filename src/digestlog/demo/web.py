"""Serves the demo web on the loopback address, each host by its name."""

import socket
import threading
from contextlib import suppress
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from digestlog.demo import markup
from digestlog.demo.sites import HOSTS, HTML, Page, build

_NOT_FOUND = Page(404, HTML, markup.notice("Not found", "The demo web has no such page."))


class DemoWeb:
    """The demo web, running while its context is open."""

    def __init__(self, now: datetime, *, slow_s: float = 1.0) -> None:
        self.hosts = HOSTS
        self.slow_s = slow_s
        self.closing = threading.Event()
        self._now = now
        self._pages = build(now)
        self._server: _Server | None = None
        self._count = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self.closing.clear()
        self._server = _Server(self)
        # The short poll only bounds how long leaving the context takes.
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        server, self._server = self._server, None
        if server is not None:
            server.stop()

    @property
    def address(self) -> tuple[str, int]:
        """Where the web listens; a RuntimeError while it does not."""
        if self._server is None:
            raise RuntimeError("the demo web is not running")
        return "127.0.0.1", self._server.server_port

    @property
    def requests(self) -> int:
        """How many requests have been answered or are being answered."""
        return self._count

    def turn(self, revision: int) -> None:
        """Let time pass: from now on the shop shows `revision` of its page."""
        self._pages = build(self._now, revision)

    def page(self, host: str, target: str) -> Page:
        """The page for a Host header and request target, counted as served; unknown ones are a 404."""
        with self._lock:
            self._count += 1
        name = host.partition(":")[0].lower()
        path = target.partition("#")[0].partition("?")[0]
        return self._pages.get((name, path), _NOT_FOUND)


class _Server(ThreadingHTTPServer):
    """A server that drops its open connections when stopped, idle ones included."""

    daemon_threads = True

    def __init__(self, web: DemoWeb) -> None:
        self.web = web
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def server_bind(self) -> None:
        # http.server would look up the address's name, which can wait for a name server.
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that hangs up is part of the show."""

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # the client may have hung up first
                    connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "digestlog-demo"
    sys_version = ""
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        web = self.server.web
        page = web.page(self.headers.get("Host", ""), self.path)
        if page.delay and web.closing.wait(web.slow_s):
            self.close_connection = True
        elif page.etag and self._has(page.etag):
            self._head(304, page)
        else:
            self._whole(page)

    do_HEAD = do_GET

    def _has(self, etag: str) -> bool:
        known = self.headers.get("If-None-Match", "").split(",")
        return any(tag.strip().removeprefix("W/") in (etag, "*") for tag in known)

    def _head(self, status: int, page: Page, **fields: str) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if page.etag:
            self.send_header("ETag", page.etag)
        if page.location:
            self.send_header("Location", page.location)
        self.end_headers()

    def _whole(self, page: Page) -> None:
        self._head(page.status, page, Content_Type=page.content_type, Content_Length=str(len(page.body)))
        if self.command != "HEAD":
            self.wfile.write(page.body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal for the person who runs the demo."""
