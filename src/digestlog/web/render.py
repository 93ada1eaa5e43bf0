"""Pictures of pages, where a browser is installed. Whatever goes wrong is a note, never an error.

The browser itself reaches nothing: its only way out is a proxy that is not there. Every request of a page is
answered from here, by the same fetcher that reads pages, so that the address guard stands before all of them.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from digestlog.core.looks import Shot
from digestlog.core.text import clean
from digestlog.errors import FetchError
from digestlog.web.address import parse, shown
from digestlog.web.fetch import Fetcher, Limits
from digestlog.web.guard import Pins

VARIABLE = "DIGESTLOG_BROWSER"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")

MAX_IMAGE = 5_000_000
_WIDTH, _HEIGHT, _MAX_HEIGHT = 1280, 900, 6000
_QUALITY = 70
_TOTAL_S, _SETTLE_MS, _START_S, _CLOSE_S = 30.0, 3_000, 30.0, 5.0
_REQUESTS, _BYTES = 150, 25_000_000
_AT_ONCE = 2
# Neither is there anything behind it, nor may anything go past it, be it to this machine or over UDP.
_NO_WAY_OUT = {"server": "http://127.0.0.1:1", "bypass": "<-loopback>"}
_ARGUMENTS = ("--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-background-networking")
_LIMITS = Limits(max_body=5_000_000, total_s=15.0, per_host=6, host_delay_s=0.0, at_once=12)


class Browser:
    """Takes pictures of pages; use it as an async context. The browser is started by the first picture."""

    def __init__(self, *, pins: Pins | None = None, contact: str | None = None) -> None:
        self._fetcher = Fetcher(pins=pins, limits=_LIMITS, contact=contact)
        self._starting = asyncio.Lock()
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._playwright: Any = None
        self._browser: Any = None
        self._refusal: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._browser is not None:
            await _closed(self._browser.close())
        if self._playwright is not None:
            await _closed(self._playwright.stop())
        await self._fetcher.__aexit__(kind, error, trace)

    async def shoot(self, url: str, *, allow_private: bool = False) -> Shot:
        """A picture of the page as JPEG, or why there is none."""
        try:
            parse(url)
        except FetchError as error:  # the browser would show its own pages, and files
            return Shot(note=error.message)
        await self._start()
        if self._refusal is not None:
            return Shot(note=self._refusal)
        try:
            async with self._places, asyncio.timeout(_TOTAL_S):
                image = await self._picture(url, allow_private)
        except TimeoutError:
            return Shot(note=f"{shown(url)} took longer than {_TOTAL_S:g} s in the browser")
        # Playwright's own errors have no base class but this; a page may crash its browser in any way.
        except Exception as error:
            return Shot(note=f"{shown(url)} could not be shown: {_first_line(error)}")
        if len(image) > MAX_IMAGE:
            return Shot(note=f"the picture of {shown(url)} is larger than {MAX_IMAGE // 1_000_000} MB")
        return Shot(image)

    async def _start(self) -> None:
        """Start the browser, unless it runs, or is known not to."""
        async with self._starting:
            if self._refusal is not None or (self._browser is not None and self._browser.is_connected()):
                return
            try:
                async with asyncio.timeout(_START_S):
                    await self._launch()
            except ModuleNotFoundError:
                self._refusal = "playwright is not installed (pip install 'digestlog[render]')"
            except Exception as error:  # a missing, old or broken browser says so in its own ways
                self._refusal = f"no browser could be started: {_first_line(error)}"

    async def _launch(self) -> None:
        if self._playwright is None:
            self._playwright = (
                await importlib.import_module("playwright.async_api").async_playwright().start()
            )
        self._browser = await self._playwright.chromium.launch(
            executable_path=installed(),
            args=list(_ARGUMENTS),
            proxy=_NO_WAY_OUT,
            # The superuser has none to give.
            chromium_sandbox=getattr(os, "geteuid", lambda: 1)() != 0,
        )

    async def _picture(self, url: str, allow_private: bool) -> bytes:
        context = await self._browser.new_context(
            viewport={"width": _WIDTH, "height": _HEIGHT},
            service_workers="block",
            accept_downloads=False,
            color_scheme="light",
            reduced_motion="reduce",
        )
        try:
            visit = _Visit(self._fetcher, allow_private)
            await context.route("**/*", visit.answer)
            page = await context.new_page()
            await page.goto(url, wait_until="load", timeout=_TOTAL_S * 1000)
            with suppress(Exception):  # a page that never comes to rest is shown as it is
                await page.wait_for_load_state("networkidle", timeout=_SETTLE_MS)
            height = await page.evaluate("document.documentElement.scrollHeight")
            clip = {"x": 0, "y": 0, "width": _WIDTH, "height": _bounded(height)}
            image: bytes = await page.screenshot(
                type="jpeg", quality=_QUALITY, full_page=True, clip=clip, animations="disabled", caret="hide"
            )
            return image
        finally:
            await _closed(context.close())


@dataclass  # no slots: playwright writes on whatever has its callbacks
class _Visit:
    """One page in the browser: answers its requests, as long as these stay within bounds."""

    fetcher: Fetcher
    allow_private: bool
    requests: int = 0
    size: int = 0

    async def answer(self, route: Any) -> None:
        """Answer one request of the page."""
        self.requests += 1
        request = route.request
        with suppress(Exception):  # the page may be gone by now
            if request.method != "GET" or self.requests > _REQUESTS or self.size > _BYTES:
                await route.abort("blockedbyclient")
                return
            try:
                found = await self.fetcher.get(request.url, allow_private=self.allow_private)
            except FetchError:
                await route.abort("failed")
                return
            self.size += len(found.body)
            # Without cookies nothing is private: other sites' fonts and scripts may be used as they are.
            fields = {"access-control-allow-origin": "*", "content-type": found.content_type or ""}
            await route.fulfill(status=found.status, headers=fields, body=found.body)


def installed() -> str | None:
    """The browser that this machine has, or that was named; None: playwright's own, if there is one."""
    named = os.environ.get(VARIABLE)
    return named or next((path for path in map(shutil.which, BROWSERS) if path), None)


async def _closed(closing: Any) -> None:
    """Close, but not for ever: a browser that hangs ends with the program."""
    with suppress(Exception):
        async with asyncio.timeout(_CLOSE_S):
            await closing


def _bounded(height: object) -> int:
    """A page says how high it is, and may say anything."""
    return max(1, min(int(height), _MAX_HEIGHT)) if isinstance(height, int | float) else _HEIGHT


def _first_line(error: Exception) -> str:
    return (clean(str(error).strip().partition("\n")[0]) or type(error).__name__)[:200]
