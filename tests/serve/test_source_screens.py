"""The screens of sources: health for everybody who reads them, changes for admins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from serve.house import Browser
from serve.screen import Screens, words
from store.rows import put
from store.shelf import ANNA, BEN, COUNCIL, HARBOUR, TIDEPOOL, article

from digestlog.core.model import Fetched
from digestlog.errors import FetchError
from digestlog.serve.screens import sources as screen
from digestlog.store import sources
from digestlog.store.db import Database

AT = "2026-02-12T10:00:00+00:00"
FEED = b"<rss version='2.0'><channel><title>New Feed</title><item><link>https://e.org/a</link></item></channel></rss>"
OPML = """<opml version="2.0"><body><outline text="Näws"><outline type="rss" text="Ünder" xmlUrl="https://u.example/rss"/>
<outline type="rss" text="Known" xmlUrl="https://harbour-times.example/feed"/></outline></body></opml>"""


class Web:
    """One feed, and nothing else."""

    async def get(self, url: str, *, allow_private: bool = False) -> Fetched:
        if url != "https://new.example/feed":
            raise FetchError(f"{url} does not answer", url=url)
        return Fetched(url, url, 200, "application/rss+xml", None, FEED)


@pytest.fixture(autouse=True)
def web(monkeypatch: pytest.MonkeyPatch) -> None:
    @asynccontextmanager
    async def fetcher() -> AsyncIterator[Web]:
        yield Web()

    monkeypatch.setattr(screen, "fetcher", fetcher)


@pytest.fixture
def admin(screens: Screens) -> Browser:
    return screens.browser(screens.owner)


def fill(screens: Screens) -> None:
    def work(db: Database) -> None:
        article(db.connection, "a", AT, [HARBOUR], "Swing bridge")
        put(
            db.connection,
            "source_fetch_state",
            source_uuid=TIDEPOOL,
            consecutive_failures=3,
            next_scan_at="2026-02-14T10:00:00+00:00",
            last_error="the server did not answer",
        )
        put(db.connection, "scan_runs")
        put(db.connection, "scan_source_results", source_uuid=TIDEPOOL, outcome="failed", error="no route")

    screens.write(work)


def send(browser: Browser, path: str, data: dict[str, str], **files: tuple[str, bytes]) -> httpx.Response:
    proof = browser.proof("/sources")
    return browser.post(path, {"csrf": proof, **data}, **({"files": files} if files else {}))


def test_health_in_words_and_as_a_picture(screens: Screens) -> None:
    fill(screens)
    page = screens.text(BEN, "/sources")
    said = words(page)
    assert said.index("Tidepool Review") < said.index("Harbour Times")
    assert "the server did not answer" in said and "14 February 2026, 10:00" in said
    assert 'aria-label="1 article, most on 12 February 2026: 1"' in page
    assert "In trouble 1" in said and "Well 1" in said
    assert "Follow it" not in said


def test_by_state(screens: Screens) -> None:
    fill(screens)
    page = words(screens.text(BEN, "/sources?state=trouble"))
    assert "Tidepool" in page and "Harbour" not in page
    assert "No source is in this state." in screens.text(BEN, "/sources?state=paused")
    assert "Harbour" in screens.text(BEN, "/sources?state=nonsense")


def test_one_source(screens: Screens) -> None:
    fill(screens)
    page = screens.text(BEN, f"/sources/{HARBOUR}")
    assert "Swing bridge" in page and "https://example.com/" in page
    # The address of a feed may hold a key.
    assert "https://harbour-times.example/feed" not in page
    assert "https://harbour-times.example/feed" in screens.text(screens.owner, f"/sources/{HARBOUR}")
    troubled = words(screens.text(BEN, f"/sources/{TIDEPOOL}"))
    assert "failed: no route" in troubled and "3 failures in a row" in troubled


def test_an_address_in_an_error_is_for_admins(screens: Screens) -> None:
    error = "https://me:pass@feeds.example/private?key=123 does not answer"

    def work(db: Database) -> None:
        put(db.connection, "source_fetch_state", source_uuid=HARBOUR, last_error=error)

    screens.write(work)
    for path in ("/", "/sources", f"/sources/{HARBOUR}"):
        assert error in words(screens.text(screens.owner, path)), path
        bens = screens.text(BEN, path)
        assert "feeds.example does not answer" in bens and "key=123" not in bens and "pass" not in bens, path


def test_a_source_of_others_is_not_there(screens: Screens) -> None:
    for source in (TIDEPOOL, "W_RSS_3", "W_RSS_99", "list"):
        assert "There is no such source." in screens.text(ANNA, f"/sources/{source}", 404)


def test_pause_and_resume(screens: Screens, admin: Browser) -> None:
    done = send(admin, f"/sources/{HARBOUR}/pause", {"reason": "too\x07 loud"})
    assert (done.status_code, done.headers["location"]) == (303, f"/sources/{HARBOUR}")
    page = words(admin.page(f"/sources/{HARBOUR}").text)
    assert "Paused" in page and "too loud" in page
    send(admin, f"/sources/{HARBOUR}/resume", {})
    with screens.house.file() as db:
        found = sources.get(db, HARBOUR)
    assert found is not None and found.is_active and found.paused_reason is None


def test_nobody_else_changes_anything(screens: Screens) -> None:
    browser = screens.browser(BEN)
    proof = browser.proof("/")
    for path in (f"/sources/{HARBOUR}/pause", f"/sources/{COUNCIL}/resume", "/sources", "/sources/list"):
        data = {"csrf": proof, "address": "https://new.example/feed"}
        assert browser.post(path, data).status_code == 403, path
    with screens.house.file() as db:
        assert [(s.source_uuid, s.is_active) for s in sources.list_all(db)] == [
            (HARBOUR, True), (TIDEPOOL, True), (COUNCIL, False),
        ]  # fmt: skip


def test_without_its_proof_a_form_does_nothing(screens: Screens, admin: Browser) -> None:
    assert admin.post(f"/sources/{HARBOUR}/pause", {}).status_code == 403
    with screens.house.file() as db:
        found = sources.get(db, HARBOUR)
    assert found is not None and found.is_active


def test_follow_an_address(screens: Screens, admin: Browser) -> None:
    done = send(admin, "/sources", {"address": " https://new.example/feed "})
    assert done.status_code == 303
    assert "New Feed" in admin.page(done.headers["location"]).text
    assert send(admin, "/sources", {"address": "  "}).headers["location"] == "/sources"


def test_an_address_that_leads_nowhere_says_so(admin: Browser) -> None:
    answer = send(admin, "/sources", {"address": "https://<b>nowhere</b>.example/"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text and "<b>nowhere" not in answer.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_a_list_from_another_reader(screens: Screens, admin: Browser, encoding: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?>{OPML}'.encode(encoding)
    answer = send(admin, "/sources/list", {}, list=("my.opml", body))
    assert answer.status_code == 200
    said = words(answer.text)
    assert "1 source added, 1 followed already" in said and "Ünder" in said
    with screens.house.file() as db:
        found = sources.by_url(db, ["https://u.example/rss"])
    assert found is not None and (found.source_name, found.folder) == ("Ünder", "Näws")


def test_a_plain_list(admin: Browser) -> None:
    body = b"https://new.example/feed\nhttps://nowhere.example/\n"
    said = words(send(admin, "/sources/list", {}, list=("list.txt", body)).text)
    assert "1 source added" in said and "nowhere.example" in said


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (b"<opml><body>" + b'<outline xmlUrl="https://a.example/%d"/>' % 1, 200, "1 source added"),
        (b"<html><p>no list</p></html>", 422, 'role="alert"'),
        (b"", 200, "Sources"),
        ("\n".join(f"https://{n}.example/" for n in range(30)).encode(), 413, "may have 20 addresses"),
        (b"x" * 2_100_000, 413, "too large"),
    ],
)
def test_a_list_is_bounded(admin: Browser, body: bytes, status: int, told: str) -> None:
    answer = send(admin, "/sources/list", {}, list=("x.opml", body))
    assert answer.status_code == status
    assert told in answer.text


def test_an_opml_with_too_much_in_it(admin: Browser) -> None:
    many = "".join(f'<outline xmlUrl="https://a.example/{number}"/>' for number in range(2_001))
    body = f"<opml><body>{many}</body></opml>".encode()
    answer = send(admin, "/sources/list", {}, list=("x.opml", body))
    assert answer.status_code == 413 and "more than 2,000 entries" in answer.text


def test_a_form_without_a_file_adds_nothing(screens: Screens, admin: Browser) -> None:
    assert send(admin, "/sources/list", {"list": "x"}).status_code == 200
    assert send(admin, "/sources/list", {}, other=("x", b"https://new.example/feed")).status_code == 200
    with screens.house.file() as db:
        assert len(sources.list_all(db)) == 3


def test_many_sources_page_by_page(screens: Screens) -> None:
    def work(db: Database) -> None:
        for number in range(10, 80):
            row = {"source_uuid": f"W_RSS_{number}", "is_active": 1, "paused_reason": None}
            named = {"source_name": f"Source {number}.", "source_url": f"https://{number}.example/"}
            put(db.connection, "sources_master_list", row, named)

    screens.write(work)
    first = screens.text(BEN, "/sources")
    following = first.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    rest = screens.text(BEN, following)
    shown = [number for number in range(10, 80) if f"Source {number}.<" in first + rest]
    assert len(shown) == 70 and 'rel="next"' not in rest


def test_the_real_fetcher_is_guarded() -> None:
    from digestlog.web.fetch import Fetcher

    assert isinstance(_REAL(), Fetcher)


_REAL = screen.fetcher
