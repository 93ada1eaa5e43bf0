"""The ledger's latest as a feed."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO

import feedparser
import pytest

from digestlog.core.render.ledger_atom import Entry, ledger_atom

NOW = datetime(2026, 2, 13, tzinfo=UTC)
ENTRY = Entry(
    "A_0123456789abcdef",
    "A story",
    "https://example.com/story",
    "Example",
    "2026-02-12T14:03:12+00:00",
    "2026-02-11T00:00:00+00:00",
)


def changed(**values: str | None) -> Entry:
    from dataclasses import replace

    return replace(ENTRY, **values)  # type: ignore[arg-type]


def read(*entries: Entry) -> feedparser.FeedParserDict:
    feed = feedparser.parse(BytesIO(ledger_atom(entries, NOW).encode()))
    assert not feed.bozo
    return feed


def test_an_article_is_an_entry() -> None:
    feed = read(ENTRY)
    (entry,) = feed.entries
    assert (entry.title, entry.link, entry.author) == ("A story", "https://example.com/story", "Example")
    assert (entry.updated, entry.published) == (ENTRY.detected_at, ENTRY.published_at)
    assert feed.feed.updated == ENTRY.detected_at


def test_ids_never_change() -> None:
    first, second = read(ENTRY), read(changed(title="Another"), ENTRY)
    assert first.feed.id == second.feed.id
    assert first.entries[0].id == second.entries[0].id == second.entries[1].id
    assert read(changed(article_uuid="A_0000000000000000")).entries[0].id != first.entries[0].id


def test_an_empty_ledger_is_a_feed() -> None:
    feed = read()
    assert (feed.entries, feed.feed.updated) == ([], "2026-02-13T00:00:00+00:00")


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", "a & b", 'say "hi"', "]]>", "😀"])
def test_what_the_web_says_is_text(title: str) -> None:
    text = ledger_atom([changed(title=title)], NOW)
    assert "<script" not in text
    assert read(changed(title=title)).entries[0].title_detail.value.replace("&lt;", "<")


def test_what_is_not_there_is_left_out() -> None:
    (entry,) = read(changed(title=None, published_at=None, source="")).entries
    assert entry.title == ENTRY.url
    assert "published" not in entry and "author" not in entry


def test_an_address_that_no_browser_may_follow_is_no_link() -> None:
    assert "<link" not in ledger_atom([changed(url="javascript:alert(1)")], NOW)


def test_control_characters_are_left_out() -> None:
    assert read(changed(title="a\x00\x1b[31mb")).entries[0].title == "a[31mb"
