"""What a scan would find, without writing anything."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from scan_fakes import Desk, item, page, rss

from digestlog.core.model import DIRECT, RSS
from digestlog.errors import SourceError
from digestlog.jobs.discover import Wish
from digestlog.jobs.preview import Preview, preview

DAY = timedelta(hours=24)
FEED = "https://e.org/feed"


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Desk:
    return Desk(db_path, now)


def look(desk: Desk, address: str, window: timedelta | None = DAY, **options: Any) -> Preview:
    selectors = {name: options.pop(name) for name in ("link_selector", "date_selector") if name in options}
    with desk.open() as db:
        found = preview(db, desk.web, Wish(address, **options), window=window, **selectors)
        assert db.rows("SELECT * FROM extracted_article_urls") == []
        assert db.rows("SELECT * FROM scan_runs") == []
    return found


def two_stories(desk: Desk) -> Any:
    new = item("https://e.org/new", "New", desk.ago(hours=1))
    return rss(new, item("https://e.org/old", "Old", desk.ago(days=3)))


def test_a_followed_source_is_known_by_its_id(desk: Desk) -> None:
    desk.follow(FEED, two_stories(desk))
    found = look(desk, "W_RSS_1")
    assert [candidate.url for candidate in found.within] == ["https://e.org/new"]
    assert [left.url for left in found.left_out] == ["https://e.org/old"]
    assert (found.source.source_uuid, found.visit.lane) == ("W_RSS_1", "fast")


def test_an_address_that_is_not_followed_is_looked_at_first(desk: Desk) -> None:
    declared = f'<link rel="alternate" type="application/rss+xml" href="{FEED}">'
    desk.web.answers |= {"https://e.org/": page(declared), FEED: two_stories(desk)}
    found = look(desk, "e.org", window=None)
    assert found.source.source_url == FEED
    assert [candidate.title for candidate in found.within] == ["New", "Old"]
    with desk.open() as db:
        assert db.rows("SELECT * FROM sources_master_list") == []


def test_with_a_method_it_is_taken_at_its_word(desk: Desk) -> None:
    desk.web.answers[FEED] = two_stories(desk)
    found = look(desk, FEED, method=RSS)
    assert [asked.url for asked in desk.web.asked] == [FEED]
    assert len(found.within) == 1


def test_selectors_can_be_tried_before_they_are_stored(desk: Desk) -> None:
    story = "https://e.org/stories/a-long-walk-on-the-sea-wall"
    body = f'<main><p class="pick"><a href="{story}">A long walk</a></p><a href="/about">About</a></main>'
    desk.web.answers["https://e.org/news/"] = page(body=body)
    found = look(desk, "https://e.org/news/", method=DIRECT, link_selector=".pick a")
    assert [candidate.url for candidate in found.within] == [story]


def test_an_address_that_leads_nowhere_says_what_was_tried(desk: Desk) -> None:
    with pytest.raises(SourceError, match="no feed or page"):
        look(desk, "https://nowhere.example/x")
