"""A served file inside the test's own process: browsers that ask it, without a socket."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from digestlog.serve.desk import Desk
from digestlog.serve.gatekeeper import Gatekeeper
from digestlog.serve.hosts import Hosts
from digestlog.serve.instances import Instances
from digestlog.serve.server import require_plugin
from digestlog.serve.sessions import Cookies
from digestlog.serve.sign_in import SignIn
from digestlog.serve.throttle import Throttle
from digestlog.store import access
from digestlog.store.db import Database, open_database

PORT = 8001
BASE = f"http://127.0.0.1:{PORT}"
PAGE = {"accept": "text/html"}
_PROOF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


class House:
    """A gatekeeper over a file, and the loop that it runs in."""

    def __init__(self, path: Path, **options: Any) -> None:
        require_plugin()
        self.path = path
        self.clock = Clock()
        self._runner = asyncio.Runner()
        self._runner.run(self._build(options))

    async def _build(self, options: dict[str, Any]) -> None:
        self.hosts = Hosts.of(PORT, options.pop("allowed", ()), https=options.pop("https", False))
        self.desk = Desk(self.path, options.pop("now", None))
        routes = {"routes": options.pop("routes")} if "routes" in options else {}
        self.instances = Instances(self.desk, clock=self.clock, **options)
        sign_in = SignIn(
            self.desk,
            Cookies(self.hosts),
            by_name=Throttle(5, 60, self.clock),
            by_place=Throttle(8, 10, self.clock),
        )
        self.gatekeeper = Gatekeeper(
            self.desk, self.hosts, instances=self.instances, sign_in=sign_in, **routes
        )

    def run(self, work: Any) -> Any:
        """The result of a coroutine."""
        return self._runner.run(work)

    def browser(self, **options: Any) -> Browser:
        """Somebody who is not signed in."""
        return Browser(self, **options)

    def signed_in(self, user_id: str) -> Browser:
        """Somebody who came in by a link."""
        browser = self.browser()
        browser.come_in(self.link(user_id))
        return browser

    def link(self, user_id: str) -> str:
        """The token of a new link."""
        with self.file() as db:
            return access.give_link(db, user_id)

    @contextmanager
    def file(self) -> Iterator[Database]:
        """The file, as another program would open it."""
        with open_database(self.path, now=datetime.now(UTC)) as db:
            yield db

    def close(self) -> None:
        self.gatekeeper.close()
        self._runner.close()


class Browser:
    """Keeps cookies, and asks; redirects are not followed."""

    def __init__(self, house: House, base: str = BASE, **options: Any) -> None:
        self.house = house
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=house.gatekeeper, client=("192.0.2.1", 5)),
            base_url=base,
            **options,
        )

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer to one request, with the path exactly as given."""
        raw, _, query = path.partition("?")
        url = httpx.URL(str(self.client.base_url)).copy_with(raw_path=path.encode())
        assert url.raw_path == path.encode(), (raw, query)
        response: httpx.Response = self.house.run(self.client.request(method, url, **options))
        return response

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("GET", path, **options)

    def page(self, path: str) -> httpx.Response:
        """What a person sees."""
        return self.get(path, headers=PAGE)

    def post(self, path: str, data: dict[str, str], **options: Any) -> httpx.Response:
        return self.ask("POST", path, data=data, **options)

    def proof(self, path: str) -> str:
        """The proof that the form of a page holds."""
        match = _PROOF.search(self.page(path).text)
        assert match
        return match[1]

    def come_in(self, token: str, **more: str) -> httpx.Response:
        """Use a link as a person does."""
        csrf = self.proof(f"/sign-in?token={token}")
        answer = self.post("/sign-in", {"token": token, "csrf": csrf, **more})
        assert answer.status_code == 303, answer.text
        return answer

    def raw(
        self, change: Callable[[dict[str, Any]], None], *messages: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """What comes back for a scope that no HTTP library would send."""
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [(b"host", f"127.0.0.1:{PORT}".encode()), (b"cookie", self._cookies())],
            "client": ("192.0.2.1", 5),
            "server": ("127.0.0.1", PORT),
        }
        change(scope)
        waiting = list(messages) or [{"type": "http.request", "body": b"", "more_body": False}]
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return waiting.pop(0) if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        self.house.run(self.house.gatekeeper(scope, receive, send))
        return sent

    def _cookies(self) -> bytes:
        return "; ".join(f"{name}={value}" for name, value in self.client.cookies.items()).encode()
