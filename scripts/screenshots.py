"""Pictures of every screen, made from the demo: `python scripts/screenshots.py FOLDER`.

Runs the demo into a folder that is thrown away, serves it, signs in and takes a picture of each screen at the
width of a phone and of a desktop, light and dark. All go to FOLDER; the few that the documentation shows also
to docs/images. The demo's clock stands still, so the same screens give the same pictures.

Needs playwright, and Chromium or Chrome (or DIGESTLOG_BROWSER).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from digestlog.web.render import installed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page

IMAGES = Path(__file__).parents[1] / "docs" / "images"
NOW = "2026-05-04T08:30:00+00:00"
MOST_BYTES = 150_000
SIZES = {"phone": (380, 780), "desktop": (1280, 860)}


@dataclass(frozen=True)
class Screen:
    """A screen: where it is, or from where links with these beginnings lead to it."""

    name: str
    path: str
    links: tuple[str, ...] = ()


SCREENS = (
    Screen("today", "/"),
    Screen("digests", "/digests"),
    Screen("digest", "/digests/latest"),
    Screen("digest-why", "/digests/latest/why"),
    Screen("ledger", "/ledger"),
    Screen("search", "/ledger?q=swing+bridge"),
    Screen("why", "/ledger?q=library+hours", ("/ledger/A_",)),
    Screen("sources", "/sources"),
    Screen("source", "/sources", ("/sources/W_",)),
    Screen("trends", "/trends"),
    Screen("trend", "/trends/discoveries-by-source"),
    Screen("feeds", "/feeds"),
    Screen("dashboard", "/dashboard"),
    Screen("brand", "/dashboard", ("/brands/",)),
    Screen("page", "/dashboard", ("/pages/",)),
    Screen("change", "/", ("/changes/",)),
    Screen("submit", "/submit"),
    Screen("review", "/review"),
    Screen("settings", "/settings"),
)
# What the documentation shows.
SHOWN = (
    "today-desktop",
    "search-desktop",
    "digest-desktop",
    "sources-desktop-dark",
    "change-desktop",
    "today-phone",
)


def main(folder: Path) -> int:
    """Take all pictures; the number of screens that could not be shown."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as started:
        path = _demo(Path(home))
        browser = started.chromium.launch(executable_path=installed(), args=["--no-sandbox"])
        missing = set()
        with _served(path) as links:
            for size in SIZES:
                for dark in (False, True):
                    missing |= _pictures(browser, links, folder, size, dark=dark)
        browser.close()
    _publish(folder)
    for name in sorted(missing):
        sys.stderr.write(f"{name}: not shown\n")
    return len(missing)


def _demo(home: Path) -> Path:
    folder = home / "demo"
    _run("demo", str(folder))
    return folder / "digestlog.db"


def _run(*words: str) -> str:
    done = subprocess.run(_command(*words), capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "digestlog", "--now", NOW, *words]


@contextmanager
def _served(path: Path) -> Iterator[Iterator[str]]:
    """The file, served; each value is a new link that signs the owner in."""
    serve = _command("--db", str(path), "serve", "--port", "0")
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:  # noqa: S603
        assert server.stdout is not None  # noqa: S101
        base = server.stdout.readline().partition("/sign-in")[0]
        if not base:
            raise RuntimeError("the demo is not served")

        def links() -> Iterator[str]:
            while True:
                yield _run("--db", str(path), "users", "link", "owner", "--base", base).strip()

        try:
            yield links()
        finally:
            server.terminate()


def _pictures(browser: Browser, links: Iterator[str], folder: Path, size: str, *, dark: bool) -> set[str]:
    """Pictures of all screens in one size and colour; the names of those that are not there."""
    width, height = SIZES[size]
    link = next(links)
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", locale="en"
    )
    base = link.partition("/sign-in")[0]
    page.goto(link)
    page.click("main button[type=submit]")
    page.wait_for_url(f"{base}/")
    missing = set()
    for screen in SCREENS:
        if _go(page, base, screen):
            _take(page, folder / f"{screen.name}-{size}{'-dark' if dark else ''}.png")
        else:
            missing.add(screen.name)
    page.close()
    return missing


def _go(page: Page, base: str, screen: Screen) -> bool:
    answer = page.goto(base + screen.path)
    for beginning in screen.links:
        link = page.locator(f'main a[href^="{beginning}"]').first
        if not link.count():
            return False
        answer = page.goto(base + str(link.get_attribute("href")))
    return answer is not None and answer.ok


def _take(page: Page, path: Path) -> None:
    """A picture of what fits into the window; shorter where it would be too large a file."""
    size = page.viewport_size or {"width": 0, "height": 0}
    for height in range(size["height"], 200, -80):
        clip: FloatRect = {"x": 0, "y": 0, "width": size["width"], "height": height}
        page.screenshot(path=path, clip=clip)
        if path.stat().st_size <= MOST_BYTES:
            return


def _publish(folder: Path) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name in SHOWN:
        taken = folder / f"{name}.png"
        if taken.exists():
            (IMAGES / taken.name).write_bytes(taken.read_bytes())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/screenshots.py FOLDER")
    sys.exit(1 if main(Path(sys.argv[1])) else 0)
