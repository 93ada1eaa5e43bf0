"""Which articles are to be read, and what is written down of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from store.rows import put

from digestlog.core.canonical import article_uuid, ledger_url
from digestlog.core.extract import Extracted
from digestlog.core.ledger import RESOLVED, UNRESOLVED, Candidate, NewArticle, Resolution, identified
from digestlog.core.model import Hop, NewSource, Source
from digestlog.errors import LockedFile
from digestlog.store import articles, ledger, resolutions, scrapes, sources, users
from digestlog.store.db import Database, open_database
from digestlog.store.scrapes import EMPTY, FAILED, GONE, OK, PENDING, ScrapeState, ToScrape

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"
TEXT = "The swing bridge opened on Thursday."
FOUND = Extracted("Bridge", "Anna Berg", "en", datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC), TEXT)
READ = ScrapeState(OK, 1)


@pytest.fixture
def feeds(db: Database) -> list[Source]:
    """Two sources; the second may lead into a private network."""
    return [
        sources.insert(db, NewSource("https://one.example/feed", "one", "RSS")).source,
        sources.insert(db, NewSource("https://two.example/feed", "two", "RSS", allow_private=True)).source,
    ]


@pytest.fixture
def later(db: Database, feeds: list[Source], now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def show(
    db: Database,
    source: Source,
    name: str,
    title: str | None = None,
    at: datetime | None = None,
    answer: Resolution | None = None,
) -> str:
    """The id of an article that a source shows."""
    candidate = Candidate(f"https://e.org/{name}", title, at, None, None, "fast")
    found = identified(candidate, answer or Resolution(RESOLVED, http_status=200))
    assert isinstance(found, NewArticle)
    with db.transaction() as connection:
        ledger.record(db, connection, source, [found], [])
    return found.address.article_uuid


def names(found: list[ToScrape]) -> list[str]:
    return [one.article_url_final.rpartition("/")[2] for one in found]


def state(db: Database, article: str, status: str, next_attempt_at: datetime | None = None) -> None:
    scrapes.record(db, article, ScrapeState(status, 1, next_attempt_at), None, None)


def rows(db: Database, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY 1")]


# --- which ------------------------------------------------------------------------------------


def test_what_was_never_tried_is_due(db: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a?utm_source=x")
    assert scrapes.due(db) == [
        ToScrape(article, "https://e.org/a", "https://e.org/a?utm_source=x", PENDING, 0, False)
    ]


def test_the_newest_first(db: Database, later: Database, feeds: list[Source], now: datetime) -> None:
    show(db, feeds[0], "undated")
    show(db, feeds[0], "old", at=now - timedelta(days=2))
    show(db, feeds[0], "new", at=now)
    show(later, feeds[0], "next-day", at=now - timedelta(days=9))
    assert names(scrapes.due(later)) == ["next-day", "new", "old", "undated"]
    assert names(scrapes.due(later, limit=2)) == ["next-day", "new"]
    assert names(scrapes.due(later, since=LATER_ISO)) == ["next-day"]


@pytest.mark.parametrize(
    ("status", "hours", "due"),
    [
        (PENDING, None, True),
        (PENDING, -1, True),
        (PENDING, 1, False),
        (FAILED, -1, True),
        (FAILED, 0, True),
        (FAILED, 1, False),
        (FAILED, None, False),
        (EMPTY, -1, True),
        (EMPTY, 1, False),
        (EMPTY, None, False),
        (GONE, None, False),
        (OK, None, False),
        (OK, -1, False),
    ],
)
def test_whose_time_has_come(
    db: Database, feeds: list[Source], now: datetime, status: str, hours: int | None, due: bool
) -> None:
    article = show(db, feeds[0], "a")
    state(db, article, status, None if hours is None else now + timedelta(hours=hours))
    assert names(scrapes.due(db)) == (["a"] if due else [])
    (again,) = scrapes.due(db, rescrape=True)
    assert (again.status, again.attempts) == (status, 1)


def test_only_some(db: Database, feeds: list[Source]) -> None:
    wanted = [show(db, feeds[0], name) for name in ("a", "b", "c")][:2]
    state(db, wanted[0], OK)
    assert names(scrapes.due(db, only=wanted)) == ["b"]
    assert scrapes.due(db, only=[]) == []
    assert scrapes.due(db, only=["A_0000000000000000"]) == []
    assert sorted(names(scrapes.due(db, only=wanted, rescrape=True))) == ["a", "b"]


def test_a_private_network_if_any_source_that_shows_it_may(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a")
    show(db, feeds[0], "b")
    show(db, feeds[1], "b")
    assert {one.article_url_final[-1]: one.allow_private for one in scrapes.due(db)} == {
        "a": False,
        "b": True,
    }


# --- writing ----------------------------------------------------------------------------------


def test_a_first_version(db: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a")
    assert scrapes.record(db, article, READ, FOUND, 200)
    digest = sha256(TEXT.encode()).hexdigest()
    (row,) = rows(db, "scraped_articles")
    assert row == {
        "scrape_id": scrapes.scrape_id(article, digest),
        "article_uuid": article,
        "scraped_at": NOW_ISO,
        "http_status": 200,
        "title": "Bridge",
        "author": "Anna Berg",
        "language": "en",
        "published_utc_iso": "2026-02-12T14:03:12+00:00",
        "content_text": TEXT,
        "content_sha256": digest,
        "created_at": NOW_ISO,
    }
    (row,) = rows(db, "scrape_state")
    assert row == {
        "article_uuid": article,
        "status": "ok",
        "attempts": 1,
        "next_attempt_at": None,
        "last_error": None,
        "created_at": NOW_ISO,
        "updated_at": NOW_ISO,
    }


def test_the_same_content_is_one_version(db: Database, later: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a")
    scrapes.record(db, article, READ, FOUND, 200)
    before = rows(db, "scraped_articles")
    assert not scrapes.record(later, article, READ, replace(FOUND, title="Another", author=None), 203)
    assert rows(later, "scraped_articles") == before
    (row,) = rows(later, "scrape_state")
    assert (row["created_at"], row["updated_at"]) == (NOW_ISO, LATER_ISO)


def test_a_text_that_changes_and_changes_back(db: Database, later: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a")
    scrapes.record(db, article, READ, FOUND, 200)
    changed = replace(FOUND, text="The ferry sank.")
    assert scrapes.record(later, article, READ, changed, 200)
    assert scrapes.current(later, [article])[article].content_text == "The ferry sank."
    assert not scrapes.record(later, article, READ, FOUND, 200)
    assert scrapes.current(later, [article])[article].content_text == TEXT
    assert len(rows(later, "scraped_articles")) == 2
    assert [one.article_uuid for one in articles.search(later, ["thursday"], articles.Filter())] == [article]
    assert articles.search(later, ["ferry"], articles.Filter()) == []


def test_a_day_that_is_played_again_counts_too(db: Database, later: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a")
    scrapes.record(later, article, READ, FOUND, 200)
    scrapes.record(db, article, READ, replace(FOUND, text="Said the day before."), 200)
    assert scrapes.current(db, [article])[article].content_text == "Said the day before."


@pytest.mark.parametrize("found", [None, replace(FOUND, text=None)])
def test_nothing_to_read_leaves_nothing_but_the_state(
    db: Database, feeds: list[Source], now: datetime, found: Extracted | None
) -> None:
    article = show(db, feeds[0], "a")
    waiting = ScrapeState(FAILED, 2, now + timedelta(hours=1), "did not answer")
    assert not scrapes.record(db, article, waiting, found, 503)
    assert rows(db, "scraped_articles") == []
    assert rows(db, "extracted_article_urls")[0]["article_title"] is None
    (row,) = rows(db, "scrape_state")
    assert (row["status"], row["attempts"], row["last_error"]) == ("failed", 2, "did not answer")
    assert row["next_attempt_at"] == "2026-02-13T10:02:10+00:00"


def test_a_strange_status_is_not_stored(db: Database, feeds: list[Source]) -> None:
    scrapes.record(db, show(db, feeds[0], "a"), READ, FOUND, 999)
    assert rows(db, "scraped_articles")[0]["http_status"] is None


@pytest.mark.parametrize(
    ("title", "dated", "filled"),
    [
        (None, False, {"article_title": "Bridge", "published_utc_iso": "2026-02-12T14:03:12+00:00"}),
        ("Own", False, {"published_utc_iso": "2026-02-12T14:03:12+00:00"}),
        (None, True, {"article_title": "Bridge"}),
        ("Own", True, {}),
    ],
)
def test_what_the_ledger_lacks_is_filled_and_nothing_else(
    db: Database,
    later: Database,
    feeds: list[Source],
    now: datetime,
    title: str | None,
    dated: bool,
    filled: dict[str, str],
) -> None:
    article = show(db, feeds[0], "a", title, now if dated else None)
    (before,) = rows(db, "extracted_article_urls")
    scrapes.record(later, article, READ, FOUND, 200)
    (after,) = rows(later, "extracted_article_urls")
    assert after == before | filled | {"updated_at": LATER_ISO if filled else NOW_ISO}


def test_what_the_page_lacks_fills_nothing(db: Database, later: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a")
    before = rows(db, "extracted_article_urls")
    scrapes.record(later, article, READ, Extracted(text=TEXT), 200)
    assert rows(later, "extracted_article_urls") == before


def test_an_article_that_is_not_there_any_more(db: Database) -> None:
    assert not scrapes.record(db, "A_0000000000000000", READ, FOUND, 200)
    assert rows(db, "scrape_state") == rows(db, "scraped_articles") == []


def test_a_file_that_is_locked(db: Database, feeds: list[Source], now: datetime) -> None:
    article = show(db, feeds[0], "a")
    with open_database(db.path, now=now, busy_timeout_s=0) as other, db.transaction():
        with pytest.raises(LockedFile):
            scrapes.record(other, article, READ, FOUND, 200)
    assert rows(db, "scrape_state") == []


# --- texts ------------------------------------------------------------------------------------


def test_the_texts_of_many_at_once(db: Database, feeds: list[Source]) -> None:
    read, unread = show(db, feeds[0], "a"), show(db, feeds[0], "b")
    scrapes.record(db, read, READ, FOUND, 200)
    found = scrapes.current(db, [read, unread, "A_0000000000000000"])
    assert list(found) == [read]
    assert (found[read].title, found[read].author, found[read].language) == ("Bridge", "Anna Berg", "en")
    assert (found[read].scraped_at, found[read].published_utc_iso) == (NOW_ISO, "2026-02-12T14:03:12+00:00")
    assert scrapes.current(db, []) == {}


def test_the_latest_texts_of_a_user(db: Database, later: Database, feeds: list[Source]) -> None:
    owner = users.current(db, None)
    one, two = show(db, feeds[0], "one"), show(db, feeds[1], "two")
    show(db, feeds[0], "unread")
    scrapes.record(db, one, READ, FOUND, 200)
    scrapes.record(later, two, READ, FOUND, 200)
    scrapes.record(later, two, READ, replace(FOUND, text="Another text."), 200)
    assert [(v.article_uuid, v.content_text) for v in scrapes.latest(db, owner, 9)] == [
        (two, "Another text."),
        (one, TEXT),
    ]
    assert [version.article_uuid for version in scrapes.latest(db, owner, 1)] == [two]
    with db.transaction() as connection:
        put(connection, "user_sources", user_id=owner, source_uuid=feeds[0].source_uuid)
    assert [version.article_uuid for version in scrapes.latest(db, owner, 9)] == [one]


def test_the_id_of_a_version_depends_on_nothing_but_article_and_content() -> None:
    assert scrapes.scrape_id("A_1", "0") == scrapes.scrape_id("A_1", "0")
    assert len({scrapes.scrape_id(article, digest) for article in ("A_1", "A_2") for digest in "01"}) == 4


# --- articles that move -----------------------------------------------------------------------

LOST = Resolution(UNRESOLVED, error="did not answer")
FINAL = "https://e.org/final"


def settle(db: Database) -> str:
    (waiting,) = resolutions.unresolved(db)
    answer = Resolution(RESOLVED, FINAL, (Hop(301, FINAL),), 200)
    return resolutions.settle(db, waiting, ledger_url(waiting.article_url_original, FINAL), answer)


def test_the_text_moves_with_its_article(db: Database, later: Database, feeds: list[Source]) -> None:
    old = show(db, feeds[0], "short", "Short", answer=LOST)
    scrapes.record(db, old, READ, FOUND, 200)
    moved = settle(later)
    assert moved == article_uuid(FINAL)
    assert scrapes.current(later, [old, moved])[moved].content_text == TEXT
    assert scrapes.due(later) == []
    (found,) = articles.search(later, ["thursday", "short"], articles.Filter())
    assert found.article_uuid == moved
    later.connection.execute(
        "INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)"
    )


def test_a_text_that_was_read_at_both_addresses(db: Database, later: Database, feeds: list[Source]) -> None:
    old, kept = show(db, feeds[0], "short", answer=LOST), show(db, feeds[0], "final")
    for article in (old, kept):
        scrapes.record(db, article, READ, FOUND, 200)
    assert settle(later) == kept
    (row,) = rows(later, "scraped_articles")
    assert row["article_uuid"] == kept
    later.connection.execute(
        "INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)"
    )


def test_a_version_whose_id_has_moved_is_not_stored_twice(
    db: Database, later: Database, feeds: list[Source]
) -> None:
    old = show(db, feeds[0], "short", answer=LOST)
    scrapes.record(db, old, READ, FOUND, 200)
    moved = settle(later)
    with later.transaction() as connection:
        connection.execute("DELETE FROM url_resolutions")
    assert show(later, feeds[0], "short", answer=LOST) == old
    assert not scrapes.record(later, old, READ, FOUND, 200)
    assert list(scrapes.current(later, [old, moved])) == [moved]


@pytest.mark.parametrize("status", [FAILED, EMPTY, GONE])
def test_a_failure_does_not_move(db: Database, later: Database, feeds: list[Source], status: str) -> None:
    state(db, show(db, feeds[0], "short", answer=LOST), status)
    settle(later)
    assert rows(later, "scrape_state") == []
    assert names(scrapes.due(later)) == ["final"]
