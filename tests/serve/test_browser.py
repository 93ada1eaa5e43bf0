"""The screens in a real browser: what a person does works, the console is silent, nobody else is asked."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from library_fakes import PRICES, readable
from scan_fakes import ScanFetcher
from serve.marked import ANNA, MARK, MINE, Marked
from serve.visit import Chromium, Served, Tab
from store.rows import uuid

from digestlog.core.canonical import article_uuid
from digestlog.serve.screens import submit

PAGE, BRAND, EVENT = uuid(831), uuid(821), uuid(850)
DIGEST, ARTICLE = uuid(871), article_uuid(f"https://example.com/{MARK}")
SCREENS = (
    "/", "/dashboard", f"/brands/{BRAND}", f"/pages/{PAGE}", f"/changes/{EVENT}",
    f"/changes/{EVENT}?view=side", "/submit", "/settings", "/digests", f"/digests/{DIGEST}",
    f"/digests/{DIGEST}/why", "/ledger", "/sources", "/trends", "/feeds",
    "/ledger?q=zqxallowed", "/why?url=https://example.com/zqxallowed", "/sources/W_RSS_2",
    "/trends/discoveries-by-source",
)  # fmt: skip
ADMINS_SCREENS = (
    "/", "/ledger", f"/ledger/{ARTICLE}", "/why?url=https://example.com/", "/sources", "/sources/W_RSS_1",
    "/trends", "/review", "/feeds",
)  # fmt: skip
PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HOSTILE = (
    "<script>window.hit=1</script><img src=https://evil.example/x onerror=window.hit=1>"
    "<svg onload=window.hit=1><style>@import 'https://evil.example/y'</style>"
)


@pytest.fixture
def served(fresh: Marked) -> Iterator[Served]:
    """A marked file, served."""
    with Served(fresh.path).running() as served:
        yield served


class Visits:
    """Opens tabs for people."""

    def __init__(self, chromium: Chromium, served: Served, stack: ExitStack) -> None:
        self._chromium, self._served, self._stack = chromium, served, stack

    def nobody(self, **options: object) -> Tab:
        """Somebody who is not signed in."""
        return self._stack.enter_context(self._chromium.tab(self._served.base, **options))

    def of(self, user_id: str, **options: object) -> Tab:
        """Somebody who came in by a link."""
        tab = self.nobody(**options)
        tab.come_in(self._served.link(user_id))
        return tab


@pytest.fixture
def visit(chromium: Chromium, served: Served) -> Iterator[Visits]:
    """Tabs that are closed, and found clean, at the end of the test."""
    with ExitStack() as stack:
        yield Visits(chromium, served, stack)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> ScanFetcher:
    """The web that pages are looked at in."""
    fetcher = ScanFetcher({PRICES: readable()})
    monkeypatch.setattr(submit, "fetcher", lambda: fetcher)
    return fetcher


def test_a_link_signs_in_once(visit: Visits, served: Served) -> None:
    link = served.link(ANNA)
    tab = visit.nobody()
    tab.open("/dashboard")
    assert tab.at.startswith("/sign-in?next=")
    tab.come_in(link)
    assert tab.text(".who") == "zqxallowed-anna"
    tab.press("Sign out")
    assert tab.at == "/sign-in"
    assert tab.open(link) == 403
    assert "used already" in tab.text()
    assert [word for word in tab.said if "403" not in word] == []
    tab.said.clear()


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_fits_and_can_be_used_by_everybody(
    visit: Visits, fresh: Marked, width: int, scheme: str
) -> None:
    for user, screens in ((ANNA, SCREENS), (fresh.owner, ADMINS_SCREENS)):
        _look_at(
            visit.of(user, viewport={"width": width, "height": 800}, color_scheme=scheme), screens, width
        )


def _look_at(tab: Tab, screens: tuple[str, ...], width: int) -> None:
    for path in screens:
        assert tab.open(path) == 200, path
        assert tab.count("h1") == 1 and tab.count("main") == 1
        over = tab.js("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{path} is wider than {width}"
        unlabelled = "[...document.querySelectorAll('main input:not([type=hidden]), main select')]"
        assert tab.js(f"{unlabelled}.filter(one => !one.labels.length).length") == 0, path
        nameless = "[...document.querySelectorAll('table')].filter(one => !one.caption).length"
        assert tab.js(nameless) == 0, path


def test_the_keyboard_reaches_the_content_first(visit: Visits) -> None:
    tab = visit.of(ANNA)
    tab.open("/dashboard")
    tab.key("Tab")
    assert tab.js("document.activeElement.className") == "skip"
    tab.key("Enter")
    assert tab.at == "/dashboard#main"
    tab.key("Tab")
    assert tab.js("document.querySelector('main').contains(document.activeElement)")


def test_from_the_dashboard_to_the_words_of_a_change(visit: Visits, served: Served) -> None:
    diff = '[["=","costs "],["-","49"],["+","44"],["="," euro"]]'
    served.change("UPDATE url_change_events SET diff = ? WHERE id = ?", diff, EVENT)
    served.change("UPDATE url_render_artifacts SET kind = 'screenshot', content = ? WHERE id = ?", PNG, EVENT)
    tab = visit.of(ANNA)
    tab.open("/dashboard")
    tab.follow(MINE)
    assert tab.at == f"/pages/{PAGE}"
    assert "History from 12 February 2026" in tab.text(".gate")
    tab.follow("zqxallowed")
    assert tab.at == f"/brands/{BRAND}"
    tab.open(f"/changes/{EVENT}")
    assert (tab.text("del"), tab.text("ins")) == ("49", "44")
    assert tab.count(".sides") == 0
    assert "line-through" in tab.js("getComputedStyle(document.querySelector('del')).textDecoration")
    tab.follow("Side by side")
    assert (tab.text(".sides > :first-child .diff"), tab.text(".sides > :last-child .diff")) == (
        "costs 49 euro",
        "costs 44 euro",
    )
    tab.do(lambda: tab.page.locator(".picture").scroll_into_view_if_needed())
    tab.do(lambda: tab.page.wait_for_function("document.querySelector('.picture').naturalWidth === 1"))


@pytest.mark.usefixtures("web")
def test_a_page_is_added(visit: Visits) -> None:
    tab = visit.of(ANNA)
    tab.open("/submit")
    tab.write("Address of the page", PRICES)
    tab.choose("How often to check", "weekly")
    tab.press("Watch this page")
    assert tab.at.startswith("/submit?done=")
    assert "watched" in tab.text(".decision").lower() and PRICES in tab.text(".decision")
    tab.follow("See the page")
    assert PRICES in tab.text("h1") and "weekly" in tab.text()
    tab.open("/submit")
    tab.write("Address of the page", "javascript:alert(1)")
    tab.press("Watch this page")
    assert "refused" in tab.text(".decision").lower()
    assert tab.count("a[href^=javascript]") == 0


def test_an_admin_decides_what_waits(visit: Visits, served: Served, fresh: Marked) -> None:
    for number, word in ((961, "poker"), (962, "dice")):
        served.change(
            """INSERT INTO url_submissions (id, user_id, submitted_url, canonical_url, status)
            VALUES (?, ?, ?, ?, 'needs_review')""",
            uuid(number), ANNA, f"https://{word}.example/", f"https://{word}.example/",
        )  # fmt: skip
    tab = visit.of(fresh.owner)
    tab.open("/review")
    assert tab.count(".items li") == 2
    tab.press("Approve")
    assert "Approved." in tab.text() and tab.count(".items li") == 1
    tab.choose("Reason for blocking", "spam_or_low_quality")
    tab.write("In your words", "Only advertising")
    tab.press("Block")
    assert "Blocked." in tab.text() and "Nothing waits." in tab.text()
    anna = visit.of(ANNA)
    anna.open("/submit")
    assert "Only advertising" in anna.text("table") and "watched" in anna.text("table")
    assert "Review" not in anna.text("nav")


def test_settings_are_kept_within_their_range(visit: Visits) -> None:
    tab = visit.of(ANNA, locale="fr-FR")
    tab.open("/settings")
    tab.write("Article history (days)", "400")
    tab.press("Save")
    assert tab.at == "/settings", "the browser itself refuses"
    assert not tab.js("document.querySelector('#article_history_days').checkValidity()")
    tab.write("Article history (days)", "30")
    tab.choose("Language", "fr")
    tab.press("Save")
    assert "Enregistré." in tab.text() and "Tableau de bord" in tab.text("nav")
    assert tab.js("document.documentElement.lang") == "fr"
    assert tab.js("document.querySelector('#article_history_days').value") == "30"


def test_who_set_no_language_reads_the_browsers(visit: Visits, served: Served) -> None:
    served.change("DELETE FROM settings")
    tab = visit.of(ANNA, locale="fr-FR")
    tab.open("/dashboard")
    assert tab.text("h1") == "Tableau de bord"


def test_hostile_words_stay_words(visit: Visits, served: Served, fresh: Marked) -> None:
    served.change("UPDATE url_change_summaries SET summary = ?", HOSTILE)
    served.change("UPDATE url_change_events SET diff = json_array(json_array('+', ?))", HOSTILE)
    served.change("UPDATE brand_library_brands SET name = ? || id", HOSTILE)
    served.change("UPDATE url_render_artifacts SET content = CAST(? AS BLOB)", HOSTILE)
    served.change("UPDATE urls SET url = 'javascript:window.hit=1' WHERE id = ?", PAGE)
    served.change("UPDATE categories SET name = ? || id", HOSTILE[:60])
    served.change("UPDATE syntheses SET title = ?", HOSTILE)
    served.change("UPDATE synthesis_items SET title = ?, summary = ?, why = ?", *[HOSTILE] * 3)
    served.change("UPDATE sources_master_list SET source_name = ?", HOSTILE)
    served.change("UPDATE source_fetch_state SET last_error = ?, consecutive_failures = 3", HOSTILE)
    owner, tab = visit.of(fresh.owner), visit.of(ANNA)
    for one, screens in ((owner, ADMINS_SCREENS), (tab, SCREENS)):
        for path in screens:
            assert one.open(path) == 200
            assert one.js("window.hit") is None, path
            assert one.count("main script, [onload], [onerror], main style, a[href^='javascript']") == 0, path
    tab.open(f"/changes/{EVENT}")
    assert "<script>window.hit=1</script>" in tab.text("ins")
    tab.open(f"/pages/{PAGE}")
    assert "javascript:window.hit=1" in tab.text(".facts")
    tab.open(f"/renderings/{EVENT}")
    assert tab.js("document.contentType") == "text/plain" and tab.js("window.hit") is None


@pytest.mark.usefixtures("web")
def test_everything_works_without_script(visit: Visits) -> None:
    tab = visit.of(ANNA, java_script_enabled=False)
    tab.open("/submit")
    tab.write("Address of the page", PRICES)
    tab.press("Watch this page")
    assert "watched" in tab.text(".decision").lower()
    tab.open("/settings")
    tab.write("Articles per category (at most)", "9")
    tab.press("Save")
    assert "Saved." in tab.text()
    tab.open(f"/changes/{EVENT}")
    tab.follow("Side by side")
    assert tab.count(".sides") == 1


def test_from_a_search_to_why_an_article_is_there(visit: Visits) -> None:
    tab = visit.of(ANNA)
    tab.open("/ledger")
    tab.write("Search titles and texts", '"zqxallowed"')
    tab.press("Show")
    assert tab.at.startswith("/ledger?q=") and tab.text("mark") == "zqxallowed"
    tab.follow("Why")
    assert tab.at.startswith("/ledger/A_")
    assert "Found by" in tab.text() and "In no digest yet." in tab.text()
    tab.open("/ledger")
    tab.write("Search titles and texts", "zqxforbidden")
    tab.press("Show")
    assert "Nothing matches." in tab.text()
    tab.open("/digests")
    tab.follow("zqxallowed")
    tab.follow("Why these and not others")
    assert tab.at.endswith("/why") and "zqxallowed" in tab.text("table")


def test_an_admin_pauses_and_follows_sources(visit: Visits, fresh: Marked) -> None:
    tab = visit.of(fresh.owner)
    tab.open("/sources/W_RSS_2")
    tab.write("Pause it?", "too loud")
    tab.press("Pause")
    assert "too loud" in tab.text(".traits")
    tab.press("Resume")
    assert "Well" in tab.text(".traits")
    tab.open("/sources")
    opml = (
        b'<opml><body><outline type="rss" text="Brand new" xmlUrl="https://new.example/rss"/></body></opml>'
    )
    upload = {"name": "my.opml", "mimeType": "text/x-opml", "buffer": opml}
    tab.do(lambda: tab.page.get_by_label("List from another reader").set_input_files(upload))
    tab.press("Follow all of it")
    assert "1 source added" in tab.text("[role=status]")
    tab.open("/sources")
    tab.follow("Brand new")
    assert "https://new.example/rss" in tab.text()


def test_a_feeds_address_opens_the_feed(visit: Visits) -> None:
    tab = visit.of(ANNA)
    tab.open("/feeds")
    tab.press("Make an address")
    address = tab.text(".lines li:nth-child(3) code")
    reader = visit.nobody()
    assert "/feeds/ledger.atom?token=" in address
    body = reader.do(lambda: reader.page.request.get(address).text())
    assert "<title>zqxallowed</title>" in body and "zqxforbidden" not in body


def test_the_ledger_is_searched(visit: Visits, fresh: Marked) -> None:
    tab = visit.of(fresh.owner)
    tab.open("/ledger")
    tab.write("Search titles and texts", f'"{MARK} text"')
    tab.key("Enter")
    tab.do(lambda: tab.page.wait_for_url("**/ledger?q=*"))
    assert tab.count(f"main a[href^='/ledger/{ARTICLE}']")
    tab.write("Search titles and texts", "nosuchword")
    tab.key("Enter")
    tab.do(lambda: tab.page.wait_for_url("**/ledger?q=nosuchword*"))
    assert tab.count(f"main a[href^='/ledger/{ARTICLE}']") == 0
