"""Feeds out: for a token, for its user's eyes, and nothing but feeds."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import feedparser
import pytest
from serve.screen import HOSTILE, NOW, Screens
from store.rows import BRAND, URL, put, uuid
from store.shelf import ANNA, BEN, HARBOUR, TIDEPOOL, article

from digestlog.core.moments import to_iso
from digestlog.store import access, settings
from digestlog.store.access import Visitor
from digestlog.store.db import Database, open_database

AT = "2026-02-12T10:00:00+00:00"


def token(screens: Screens, visitor: Visitor) -> str:
    with open_database(screens.house.path, now=NOW, frozen=True) as db:
        return access.give_feed(db, visitor.id)


def feed(screens: Screens, visitor: Visitor, path: str) -> Any:
    mark = "&" if "?" in path else "?"
    answer = screens.house.browser().get(f"{path}{mark}token={token(screens, visitor)}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    found = feedparser.parse(BytesIO(answer.content))
    assert not found.bozo and found.feed.id.startswith("urn:uuid:")
    return found


def watch(db: Database) -> None:
    """Ben watches a page that changed twice; his history begins between the two."""
    connection = db.connection
    put(connection, "brand_library_brands")
    put(connection, "urls")
    put(connection, "user_url_library", user_id=BEN.id)
    connection.execute("UPDATE user_url_library SET history_start_at = ?", (AT,))
    put(connection, "url_observations")
    for number, at, kind in ((1, AT, "price"), (2, "2026-02-01T00:00:00+00:00", "title")):
        put(connection, "url_change_events", id=uuid(70 + number), detected_at=at, kind=kind)
        told = {"id": uuid(80 + number), "event_id": uuid(70 + number)}
        put(connection, "url_change_summaries", told, summary=f"Change {number}")


def test_the_ledger_as_far_as_it_is_theirs(screens: Screens) -> None:
    def work(db: Database) -> None:
        article(db.connection, "a", AT, [HARBOUR], f"Bridge {HOSTILE}", "Long text about the pivot.")
        article(db.connection, "b", "2026-02-12T11:00:00+00:00", [TIDEPOOL], None)

    screens.write(work)
    bens = feed(screens, BEN, "/feeds/ledger.atom")
    assert [one.title for one in bens.entries][0] == "(no title)"
    assert [one.link for one in bens.entries] == ["https://news.example/b", "https://news.example/a"]
    assert bens.feed.updated == "2026-02-12T11:00:00+00:00"
    (own,) = feed(screens, ANNA, "/feeds/ledger.atom").entries
    assert own.author == "Harbour Times" and "<script" not in own.content[0].value
    assert len(feed(screens, BEN, f"/feeds/ledger.atom?source={TIDEPOOL}").entries) == 1
    assert len(feed(screens, BEN, "/feeds/ledger.atom?method=Direct").entries) == 0
    found = feed(screens, BEN, "/feeds/ledger.atom?q=pivot")
    assert len(found.entries) == 1 and found.feed.title == "Ledger: pivot"
    assert found.feed.id != bens.feed.id
    assert feed(screens, ANNA, f"/feeds/ledger.atom?source={TIDEPOOL}").entries == []


def test_an_empty_ledger_is_a_feed_too(screens: Screens) -> None:
    assert feed(screens, BEN, "/feeds/ledger.atom").feed.updated == to_iso(NOW)


@pytest.mark.parametrize(
    "path",
    ["/feeds/changes.atom", f"/feeds/brands/{BRAND}/changes.atom", f"/feeds/pages/{URL}/changes.atom"],
)
def test_changes_behind_the_gate(screens: Screens, path: str) -> None:
    screens.write(watch)
    (one,) = feed(screens, BEN, path).entries
    assert one.summary == "Change 1"
    if path != "/feeds/changes.atom":
        answer = screens.house.browser().get(f"{path}?token={token(screens, ANNA)}")
        assert answer.status_code == 404 and "Shop" not in answer.text
    else:
        assert feed(screens, ANNA, path).entries == []


def test_the_title_says_of_what_and_in_which_language(screens: Screens) -> None:
    screens.write(watch)
    screens.write(lambda db: settings.change(db, BEN.id, "language", "fr") and None)
    assert feed(screens, BEN, f"/feeds/brands/{BRAND}/changes.atom").feed.title == "Changements: Shop"


def test_the_latest_digest(screens: Screens) -> None:
    path = "/feeds/digest.atom"
    assert screens.house.browser().get(f"{path}?token={token(screens, BEN)}").status_code == 404
    screens.write(lambda db: put(db.connection, "syntheses", user_id=BEN.id))
    assert feed(screens, BEN, path).feed.title == "Thursday"


@pytest.mark.parametrize("path", ["/feeds/changes.atom", "/feeds/ledger.atom", "/feeds/digest.atom"])
def test_only_a_feeds_token_opens_a_feed(screens: Screens, path: str) -> None:
    browser = screens.browser(BEN)
    for query in ("", "?token=", "?token=x", f"?token={screens.house.link(BEN.id)}"):
        assert browser.get(path + query).status_code == 401
    ours = token(screens, BEN)
    assert screens.house.browser().get(f"/ledger?token={ours}").status_code == 401


def test_an_address_is_shown_once_and_can_be_ended(screens: Screens) -> None:
    screens.write(watch)
    browser = screens.browser(BEN)
    assert "token=" not in browser.page("/feeds").text
    shown = browser.post("/feeds", {"csrf": browser.proof("/feeds")}).text
    addresses = re.findall(r"<code>(http://127\.0\.0\.1:8001/feeds/[^<]+)</code>", shown)
    assert len(addresses) == 5
    paths = ["?".join(urlsplit(address)[2:4]) for address in addresses]
    reader = screens.house.browser()
    assert [reader.get(path).status_code for path in paths] == [404, 200, 200, 200, 200]
    assert "1 address is in use." in browser.page("/feeds").text
    browser.post("/feeds/end", {"csrf": browser.proof("/feeds")})
    assert [reader.get(path).status_code for path in paths] == [401] * 5
    assert "in use" not in browser.page("/feeds").text
