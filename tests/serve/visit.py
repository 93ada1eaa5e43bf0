"""A served file with a socket, and a real browser that visits it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from digestlog.serve import server
from digestlog.serve.server import Options, Server
from digestlog.store import access
from digestlog.store.db import open_database

Result = TypeVar("Result")
_PATIENCE_S = 30


class Served:
    """The real server over a file, in a thread of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.base = ""

    @contextmanager
    def running(self) -> Iterator[Served]:
        """Serve, until the block ends."""
        started: list[Any] = []
        ready = threading.Event()

        class Stoppable(server._Uvicorn):
            def __init__(self, *options: Any) -> None:
                super().__init__(*options)
                started.append(self)

        before, server._Uvicorn = server._Uvicorn, Stoppable  # type: ignore[misc]
        served = Server(Options(self.path, "127.0.0.1", 0, (), False, None))
        self.base = served.base
        thread = threading.Thread(target=served.run, args=(ready.set,))
        thread.start()
        try:
            assert ready.wait(_PATIENCE_S)
            yield self
        finally:
            server._Uvicorn = before  # type: ignore[misc]
            for one in started:
                one.should_exit = True
            thread.join(_PATIENCE_S)

    def link(self, user_id: str) -> str:
        """A link that signs a user in once."""
        with open_database(self.path, now=datetime.now(UTC)) as db:
            return f"{self.base}/sign-in?token={access.give_link(db, user_id)}"

    def change(self, sql: str, *values: object) -> None:
        """Write to the file, as another program would."""
        with open_database(self.path, now=datetime.now(UTC)) as db, db.transaction() as connection:
            connection.execute(sql, values)


class Chromium:
    """One browser for all tests of a process. It lives in a thread: playwright keeps a loop running there."""

    def __init__(self, path: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="browser")
        self._playwright, self._browser = self.call(lambda: _start(path))

    def call(self, work: Callable[[], Result]) -> Result:
        """What `work` gives, done in the browser's thread."""
        return self._thread.submit(work).result(_PATIENCE_S * 2)

    @contextmanager
    def tab(self, base: str, **options: Any) -> Iterator[Tab]:
        """A browser of somebody's own; at the end, nothing may have gone wrong in it."""
        context = self.call(lambda: self._browser.new_context(**options))
        try:
            tab = Tab(self, context, base)
            yield tab
            tab.must_be_clean()
        finally:
            self.call(context.close)

    def close(self) -> None:
        """End it."""
        self.call(self._browser.close)
        self.call(self._playwright.stop)
        self._thread.shutdown()


def _start(path: str) -> tuple[Any, Any]:
    from playwright.sync_api import sync_playwright

    started = sync_playwright().start()
    return started, started.chromium.launch(executable_path=path, chromium_sandbox=False)


class Tab:
    """What a person does and sees. Remembers every request and everything that the console says."""

    def __init__(self, chromium: Chromium, context: Any, base: str) -> None:
        self._chromium, self._context, self.base = chromium, context, base
        self.requests: list[str] = []
        self.said: list[str] = []
        self.page = self.do(context.new_page)
        self.do(self._listen)

    def _listen(self) -> None:
        self._context.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))

    def do(self, work: Callable[[], Result]) -> Result:
        """Anything, in the browser's thread."""
        return self._chromium.call(work)

    def must_be_clean(self) -> None:
        """No word of the console, no request to anybody else."""
        assert self.said == []
        assert [url for url in self.requests if not url.startswith(f"{self.base}/")] == []

    def come_in(self, link: str) -> None:
        """Use a link."""
        self.open(link)
        self.press("Sign in as")
        assert self.at == "/"

    def open(self, path: str) -> int:
        """Go there; the status of the answer."""
        address = path if path.startswith("http") else f"{self.base}{path}"
        response = self.do(lambda: self.page.goto(address))
        return int(response.status)

    @property
    def at(self) -> str:
        """Where the person is."""
        return str(self.do(lambda: self.page.url)).removeprefix(self.base)

    def press(self, name: str) -> None:
        """A button, by the beginning of its name; the first of several."""
        self.do(lambda: self.page.get_by_role("button", name=name).first.click())

    def follow(self, name: str) -> None:
        """A link in the page's main part."""
        self.do(lambda: self.page.locator("main").get_by_role("link", name=name).first.click())

    def write(self, label: str, text: str) -> None:
        """Into a field."""
        self.do(lambda: self.page.get_by_label(label).first.fill(text))

    def choose(self, label: str, value: str) -> None:
        """From a list."""
        self.do(lambda: self.page.get_by_label(label).first.select_option(value))

    def text(self, selector: str = "main") -> str:
        """What can be read."""
        return str(self.do(lambda: self.page.locator(selector).first.inner_text()))

    def count(self, selector: str) -> int:
        """How many there are."""
        return int(self.do(lambda: self.page.locator(selector).count()))

    def js(self, expression: str) -> Any:
        """What the page itself says."""
        return self.do(lambda: self.page.evaluate(expression))

    def key(self, name: str) -> None:
        """Press a key."""
        self.do(lambda: self.page.keyboard.press(name))
