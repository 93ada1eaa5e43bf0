"""Reading the ledger: lists, filters, search that follows every change, and one article's facts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.rows import SYNTHESIS, put, uuid

from digestlog.core.canonical import article_uuid
from digestlog.core.ledger import OUTSIDE, RESOLVED, Candidate, LeftOut, NewArticle, Resolution, identified
from digestlog.core.model import Hop, NewSource, Source
from digestlog.store import appearances, articles, ledger, scans, sources
from digestlog.store.articles import Article, Filter
from digestlog.store.db import Database, open_database
from digestlog.store.scans import FetchState, SourceResult

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"
ALL = Filter()


@pytest.fixture
def feeds(db: Database) -> list[Source]:
    """Two sources."""
    return [
        sources.insert(db, NewSource(f"https://{n}.example/feed", n, "RSS")).source for n in ("one", "two")
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
    to: str | None = None,
) -> str:
    """The id of an article that a source shows."""
    resolution = Resolution(RESOLVED, to, (Hop(301, to),) if to else (), 200)
    found = identified(Candidate(f"https://e.org/{name}", title, at, None, None, "fast"), resolution)
    assert isinstance(found, NewArticle)
    with db.transaction() as connection:
        ledger.record(db, connection, source, [found], [])
    return found.address.article_uuid


def titles(found: list[Article]) -> list[str | None]:
    return [one.article_title for one in found]


def found_by(db: Database, *words: str) -> list[str | None]:
    return titles(articles.search(db, words, ALL))


def digested(db: Database, article: str, user: str, number: int = 1, outcome: str = "taken") -> None:
    """Put the article into a digest of the user."""
    with db.transaction() as connection:
        put(connection, "syntheses", id=uuid(70 + number), user_id=user)
        put(
            connection,
            "synthesis_items",
            id=uuid(80 + number),
            synthesis_id=uuid(70 + number),
            article_uuid=article,
        )
        put(
            connection,
            "synthesis_candidates",
            synthesis_id=uuid(70 + number),
            article_uuid=article,
            outcome=outcome,
            detail=None,
        )


def owner(db: Database) -> str:
    (row,) = db.rows("SELECT id FROM users WHERE name = 'owner'")
    return str(row["id"])


# --- lists ------------------------------------------------------------------------------------


def test_one_article(db: Database, feeds: list[Source], now: datetime) -> None:
    show(db, feeds[0], "a?utm_source=x", "Title", now)
    show(db, feeds[1], "a")
    assert articles.list_articles(db, ALL) == [
        Article(
            article_uuid=article_uuid("https://e.org/a"),
            article_title="Title",
            article_url_final="https://e.org/a",
            article_url_original="https://e.org/a?utm_source=x",
            published_utc_iso=NOW_ISO,
            article_detected_utc_iso=NOW_ISO,
            source_uuid="W_RSS_1",
            source_name="one",
            mentions=2,
        )
    ]


def test_the_newest_first(db: Database, later: Database, feeds: list[Source], now: datetime) -> None:
    show(db, feeds[0], "a", "early", now)
    show(db, feeds[0], "b", "undated")
    show(later, feeds[0], "c", "old", now - timedelta(days=9))
    show(later, feeds[0], "d", "young", now)
    assert titles(articles.list_articles(later, ALL)) == ["young", "old", "early", "undated"]
    assert titles(articles.list_articles(later, Filter(limit=2))) == ["young", "old"]


@pytest.mark.parametrize(
    ("since", "expected"), [(None, ["b", "a"]), (NOW_ISO, ["b", "a"]), (LATER_ISO, ["b"]), ("2027", [])]
)
def test_since(
    db: Database, later: Database, feeds: list[Source], since: str | None, expected: list[str]
) -> None:
    show(db, feeds[0], "a", "a")
    show(later, feeds[0], "b", "b")
    assert titles(articles.list_articles(later, Filter(since=since))) == expected


def test_by_every_source_that_mentioned_it(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "both")
    show(db, feeds[1], "a")
    show(db, feeds[0], "b", "first only")
    assert titles(articles.list_articles(db, Filter(source_uuid="W_RSS_2"))) == ["both"]
    assert len(articles.list_articles(db, Filter(source_uuid="W_RSS_1"))) == 2
    assert articles.list_articles(db, Filter(source_uuid="W_RSS_9")) == []


def test_unread_is_what_was_in_no_digest_of_this_user(db: Database, feeds: list[Source]) -> None:
    read = show(db, feeds[0], "a", "read")
    show(db, feeds[0], "b", "unread")
    digested(db, read, owner(db))
    with db.transaction() as connection:
        put(connection, "users", id=uuid(60), name="bea")
    assert titles(articles.list_articles(db, Filter(unread_by=owner(db)))) == ["unread"]
    assert len(articles.list_articles(db, Filter(unread_by=uuid(60)))) == 2


def test_filters_narrow_a_search_too(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "bridge one")
    show(db, feeds[1], "b", "bridge two")
    assert titles(articles.search(db, ["bridge"], Filter(source_uuid="W_RSS_2"))) == ["bridge two"]
    assert len(articles.search(db, ["bridge"], Filter(limit=1))) == 1
    assert articles.search(db, ["bridge"], Filter(since="2027")) == []


# --- search -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "hit"),
    [
        (["swing"], True),
        (["SWING", "bridge"], True),
        (["bridge", "swing"], True),
        (["swing bridge"], True),
        (["bridge swing"], False),
        (["swing", "tower"], False),
        (["brücke"], True),
        (["brucke"], True),
        (["swin"], False),
    ],
)
def test_words_are_found(db: Database, feeds: list[Source], words: list[str], hit: bool) -> None:
    show(db, feeds[0], "a", "The swing bridge, eine Brücke")
    assert bool(found_by(db, *words)) is hit


def test_the_words_stand_out(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "The swing bridge")
    (found,) = articles.search(db, ["bridge"], ALL)
    assert (found.highlight, found.article_title) == ("The swing [bridge]", "The swing bridge")
    assert found.snippet is None


def test_the_best_comes_first(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "A very long story that mentions a bridge among a great many other things")
    show(db, feeds[0], "b", "Bridge, bridge")
    assert found_by(db, "bridge")[0] == "Bridge, bridge"


@pytest.mark.parametrize(
    "word",
    [
        "*",
        '"',
        '""',
        "'",
        "\0",
        "",
        " ",
        "(",
        ")",
        "title:bridge",
        "bridge*",
        "NEAR(a b)",
        "AND",
        "OR",
        "NOT",
        "a AND (",
        '" OR "1',
        "^bridge",
        "-bridge",
        "{title}: x",
        "; DROP TABLE article_search",
        "x" * 1_000_000,
        "bridge " * 50_000,
        "\U0010ffff",
    ],
    ids=lambda word: repr(word[:12]),
)
def test_hostile_words_are_only_words(db: Database, feeds: list[Source], word: str) -> None:
    show(db, feeds[0], "a", "Tower")
    assert found_by(db, word) == []
    assert found_by(db, "tower") == ["Tower"]


def test_very_many_words(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "Tower")
    assert found_by(db, *["tower"] * 2000) == ["Tower"]
    assert found_by(db, *["tower"] * 2000, "bridge") == []


def test_a_sign_among_words_does_not_matter(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "Bread & butter")
    assert found_by(db, "bread", "&", "butter") == ["Bread & butter"]


def test_no_words_find_nothing(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "Tower")
    assert found_by(db) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=4))
def test_any_words_can_be_asked_for(db: Database, feeds: list[Source], words: list[str]) -> None:
    show(db, feeds[0], "a", "Tower")
    assert found_by(db, *words) in ([], ["Tower"])


# --- the search follows the ledger ------------------------------------------------------------


def test_the_search_follows_a_title_that_is_filled(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a")
    assert found_by(db, "tower") == []
    show(db, feeds[1], "a", "Tower")
    assert found_by(db, "tower") == ["Tower"]
    show(db, feeds[0], "a", "Bridge")
    assert (found_by(db, "tower"), found_by(db, "bridge")) == (["Tower"], [])


def test_the_search_forgets_what_is_deleted(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "a", "Tower")
    show(db, feeds[0], "b", "Tower bridge")
    with db.transaction() as connection:
        connection.execute(
            "DELETE FROM extracted_article_urls WHERE article_uuid = :id",
            {"id": article_uuid("https://e.org/a")},
        )
    assert found_by(db, "tower") == ["Tower bridge"]
    db.connection.execute("INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)")


# --- one article ------------------------------------------------------------------------------


def test_the_whole_row(db: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a", "Title")
    found = articles.get(db, article)
    assert found is not None
    assert (found["article_title"], found["article_url_final"]) == ("Title", "https://e.org/a")
    assert articles.get(db, "A_0000000000000000") is None


def test_an_article_is_found_by_any_of_its_addresses(db: Database, feeds: list[Source]) -> None:
    moved = show(db, feeds[0], "x", to="https://e.org/b")
    plain = show(db, feeds[0], "a")
    assert articles.find(db, ["https://e.org/x"], []) == moved
    assert articles.find(db, ["https://e.org/?"], [plain]) == plain
    assert articles.find(db, ["https://e.org/?"], ["A_0000000000000000"]) is None
    assert articles.find(db, [], []) is None


def test_the_address_as_written_comes_before_what_it_means(db: Database, feeds: list[Source]) -> None:
    plain = show(db, feeds[0], "a")
    moved = show(db, feeds[0], "a?utm_source=x", to="https://e.org/b")
    spellings = ["https://e.org/a?utm_source=x", "https://e.org/a"]
    assert articles.find(db, spellings, [plain]) == moved
    assert articles.find(db, spellings[::-1], [plain]) == plain
    assert articles.find(db, [], [moved, plain]) == moved
    assert articles.find(db, [], [plain, moved]) == plain


def test_mentions_first_come_first(db: Database, later: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[1], "a")
    show(later, feeds[0], "a#x")
    assert [(m["source_name"], m["first_seen_at"]) for m in articles.mentions(later, article)] == [
        ("two", NOW_ISO),
        ("one", LATER_ISO),
    ]


def test_resolutions_with_their_redirects(db: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "x", to="https://e.org/a")
    show(db, feeds[0], "a")
    found = articles.resolutions(db, article)
    assert [(r["article_url_original"], r["hops"]) for r in found] == [
        ("https://e.org/a", []),
        ("https://e.org/x", [{"status": 301, "url": "https://e.org/a"}]),
    ]


def test_digests_that_had_it(db: Database, feeds: list[Source]) -> None:
    article = show(db, feeds[0], "a")
    assert appearances.candidates(db, article, [], "nowhere.example") == []
    digested(db, article, owner(db), outcome="over_quota")
    (found,) = appearances.candidates(db, article, [], "nowhere.example")
    assert (found["user"], found["outcome"], found["detail"]) == ("owner", "over_quota", None)
    assert found["synthesis_id"] == uuid(71) != SYNTHESIS


def test_what_the_last_readings_left_out(db: Database, feeds: list[Source], now: datetime) -> None:
    left = [
        LeftOut("https://E.org/old", OUTSIDE, now - timedelta(days=9)),
        LeftOut("https://other.example/old", OUTSIDE),
        LeftOut("https://e.org/odd", "no_identity: invalid"),
    ]
    run_id = scans.begin(db, sources=1, window_s=1)
    result = SourceResult("W_RSS_2", "two", "https://two.example/feed", "ok")
    state = FetchState(None, None, None, None, None, None, 0, None, True)
    with db.transaction() as connection:
        scans.record(db, connection, run_id, result, state, left)
    assert articles.left_out(db, "e.ORG") == [
        {
            "source_uuid": "W_RSS_2",
            "source_name": "two",
            "read_at": NOW_ISO,
            "url": "https://E.org/old",
            "reason": "outside_window",
            "published_utc_iso": "2026-02-04T09:02:10+00:00",
        },
        {
            "source_uuid": "W_RSS_2",
            "source_name": "two",
            "read_at": NOW_ISO,
            "url": "https://e.org/odd",
            "reason": "no_identity: invalid",
            "published_utc_iso": None,
        },
    ]
    assert articles.left_out(db, "nowhere.example") == []


def test_final_addresses_by_id(db: Database, feeds: list[Source]) -> None:
    straight = show(db, feeds[0], "one")
    moved = show(db, feeds[1], "short", to="https://e.org/long")
    show(db, feeds[0], "not-asked-for")
    asked = [straight, moved, moved, article_uuid("https://e.org/nowhere")]
    assert articles.finals(db, asked) == {straight: "https://e.org/one", moved: "https://e.org/long"}
    assert articles.finals(db, []) == {}
