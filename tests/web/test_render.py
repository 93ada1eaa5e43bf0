"""Pictures of pages: bounded, never an error, and nothing reached past the guard."""

from __future__ import annotations

import asyncio
import importlib
import struct
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from web.browsers import why_none
from web.loopback import Site, answer

from digestlog.core.looks import Shot
from digestlog.web import render
from digestlog.web.render import Browser, installed

HTML = "text/html; charset=utf-8"
NAME = "shop.example"
URL = f"http://{NAME}/lamp"


real = pytest.mark.skipif(why_none() is not None, reason=f"NO PICTURE IS TESTED: {why_none()}")


def page(body: str) -> bytes:
    return answer(200, f"<!doctype html><title>Lamp</title><body>{body}".encode(), Content_Type=HTML)


def with_browser(answers: dict[str, Any], body: Callable[[Browser, Site], Awaitable[None]]) -> Site:
    """Run a test's body with a browser of its own, to whom a site is known by its name."""
    site = Site(answers)

    async def run() -> None:
        async with site, Browser(pins={NAME: ("127.0.0.1", site.port)}) as browser:
            await body(browser, site)

    asyncio.run(run())
    return site


class Studio:
    """One browser and one site for many tests: starting a browser takes a second or two."""

    def __init__(self, runner: asyncio.Runner, browser: Browser, site: Site) -> None:
        self._runner, self._browser, self.site = runner, browser, site

    def shoot(self, answers: dict[str, Any], url: str = URL, **options: Any) -> Shot:
        """One picture; what else was taken before is forgotten."""
        self.site.answers, self.site.seen = answers, []
        return self._runner.run(self._browser.shoot(url.replace("PORT", str(self.site.port)), **options))

    def several(self, answers: dict[str, Any], count: int) -> list[Shot]:
        """Pictures of one page at the same time."""
        self.site.answers = answers

        async def gathered() -> list[Shot]:
            return await asyncio.gather(*(self._browser.shoot(URL) for _ in range(count)))

        return self._runner.run(gathered())

    @property
    def asked(self) -> list[str]:
        """What was asked of the site."""
        return [seen.target for seen in self.site.seen]


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    site = Site({})
    with asyncio.Runner() as runner:
        runner.run(site.__aenter__())
        browser = Browser(pins={NAME: ("127.0.0.1", site.port)})
        yield Studio(runner, browser, site)
        runner.run(browser.__aexit__(None, None, None))
        runner.run(site.__aexit__(None, None, None))


def size(image: bytes | None) -> tuple[int, int]:
    """Width and height of a JPEG."""
    assert image is not None and image[:2] == b"\xff\xd8"
    at = 2
    while image[at + 1] not in (0xC0, 0xC2):
        at += 2 + int.from_bytes(image[at + 2 : at + 4])
    height, width = struct.unpack(">HH", image[at + 5 : at + 9])
    return width, height


@real
def test_a_picture_of_a_page(studio: Studio) -> None:
    found = studio.shoot({"/lamp": page("<h1>Lamp</h1><div style='height:2000px'>")})
    assert found.note is None
    width, height = size(found.image)
    assert width == 1280 and 2000 < height < 2200
    assert studio.asked == ["/lamp"]


@real
def test_one_browser_takes_many_pictures(studio: Studio) -> None:
    shots = studio.several({"/lamp": page("<h1>Lamp</h1>")}, 4)
    assert {found.note for found in shots} == {None}
    assert len({found.image for found in shots}) == 1, "the same page, the same picture"


@real
def test_what_belongs_to_the_page_is_loaded(studio: Studio) -> None:
    style = answer(200, b"body { background: #c00; height: 1500px }", Content_Type="text/css")
    found = studio.shoot({"/lamp": page("<link rel=stylesheet href=/look.css>"), "/look.css": style})
    assert size(found.image)[1] >= 1500
    assert studio.asked == ["/lamp", "/look.css"]


_REACHING = """
<img src="http://127.0.0.1:PORT/secret-image">
<iframe src="http://127.0.0.1:PORT/secret-frame"></iframe>
<iframe src="file:///etc/passwd"></iframe>
<script>
  fetch("http://127.0.0.1:PORT/secret-fetch", {mode: "no-cors"});
  navigator.sendBeacon("http://127.0.0.1:PORT/secret-beacon", "x");
  fetch("http://shop.example/post", {method: "POST", body: "x"});
  new WebSocket("ws://127.0.0.1:PORT/secret-socket");
  new EventSource("http://localhost:PORT/secret-events");
</script><h1>Lamp</h1>"""


def reaching(port: int) -> bytes:
    return page(_REACHING.replace("PORT", str(port)))


@real
def test_a_page_reaches_nothing_past_the_guard(studio: Studio) -> None:
    assert size(studio.shoot({"/lamp": reaching(studio.site.port)}).image)[0] == 1280
    assert studio.asked == ["/lamp"]


@real
def test_where_private_addresses_are_allowed_pages_there_are_shown(studio: Studio) -> None:
    found = studio.shoot({"/lamp": page("Lamp")}, "http://127.0.0.1:PORT/lamp", allow_private=True)
    assert found.image and studio.asked == ["/lamp"]


@real
def test_a_private_address_is_not_shown(studio: Studio) -> None:
    found = studio.shoot({"/lamp": page("Lamp")}, "http://127.0.0.1:PORT/lamp")
    assert found.image is None and "could not be shown" in str(found.note)
    assert studio.asked == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:text/html,x", "chrome://version", "nonsense"])
def test_only_the_web_is_shown(studio: Studio, url: str) -> None:
    found = studio.shoot({}, url)
    assert found.image is None and found.note


@real
def test_a_page_that_never_ends_has_no_picture(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_TOTAL_S", 2.0)
    found = studio.shoot({"/lamp": page("<h1>Lamp</h1><script>for (;;) {}</script>")})
    assert found.image is None and found.note


@real
def test_a_page_without_an_end_is_cut(studio: Studio) -> None:
    assert size(studio.shoot({"/lamp": page("<div style='height:90000px'>")}).image) == (1280, 6000)


@real
def test_a_picture_that_is_too_large(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "MAX_IMAGE", 1000)
    found = studio.shoot({"/lamp": page("<h1>Lamp</h1>")})
    assert found == Shot(note=f"the picture of {URL} is larger than 0 MB")


@real
@pytest.mark.parametrize(("bound", "most", "loaded"), [("_REQUESTS", 3, 3), ("_BYTES", 1, 1)])
def test_a_page_that_asks_for_too_much(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, bound: str, most: int, loaded: int
) -> None:
    monkeypatch.setattr(render, bound, most)
    images = "".join(f"<img src=/{n}.png>" for n in range(20))
    found = studio.shoot({"/lamp": page(images), **{f"/{n}.png": answer(404) for n in range(20)}})
    assert found.image and len(studio.asked) == loaded


@real
def test_a_browser_that_ended_is_started_again() -> None:
    async def body(browser: Browser, site: Site) -> None:
        assert (await browser.shoot(URL)).image
        await browser._browser.close()
        assert (await browser.shoot(URL)).image

    with_browser({"/lamp": page("<h1>Lamp</h1>")}, body)


# --- no browser -------------------------------------------------------------------------------


def test_without_playwright_a_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", gone)

    async def body(browser: Browser, site: Site) -> None:
        note = "playwright is not installed (pip install 'digestlog[render]')"
        assert await browser.shoot(URL) == Shot(note=note)

    assert with_browser({}, body).seen == []


def test_a_browser_that_does_not_start_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    starts: list[int] = []

    async def broken(self: Browser) -> None:
        starts.append(1)
        raise RuntimeError("no such file\nand a long story")

    monkeypatch.setattr(Browser, "_launch", broken)

    async def body(browser: Browser, site: Site) -> None:
        for _ in range(3):
            found = await browser.shoot(URL)
            assert found == Shot(note="no browser could be started: no such file")

    with_browser({}, body)
    assert starts == [1]


@real
def test_a_program_that_is_no_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(render.VARIABLE, str(tmp_path / "nothing"))

    async def body(browser: Browser, site: Site) -> None:
        assert str((await browser.shoot(URL)).note).startswith("no browser could be started: ")

    with_browser({}, body)


def test_which_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(render.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed() is None
    chrome = tmp_path / "google-chrome"
    chrome.write_text("")
    chrome.chmod(0o755)
    assert installed() == str(chrome)
    monkeypatch.setenv(render.VARIABLE, "/opt/mine")
    assert installed() == "/opt/mine"


@pytest.mark.parametrize(
    ("height", "pixels"), [(100, 100), (0, 1), (10**9, 6000), (1.5, 1), ("x", 900), (None, 900)]
)
def test_a_page_may_say_any_height(height: object, pixels: int) -> None:
    assert render._bounded(height) == pixels
