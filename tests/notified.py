"""A service on the loopback address that takes notifications as JSON and keeps them."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass
class Notified:
    """Answers every message with `status` while its context is open."""

    status: int = 200
    taken: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def __enter__(self) -> Self:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.paths.append(self.path)
                if service.status < 400:
                    service.taken.append(json.loads(body))
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    def address(self, secret: str = "") -> str:
        """Where apprise reaches it; with a password, if one is given."""
        login = f"anna:{secret}@" if secret else ""
        return f"json://{login}127.0.0.1:{self._server.server_port}/{secret}"
