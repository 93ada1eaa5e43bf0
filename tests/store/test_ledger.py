"""The ledger's rows: each article once, twins and collisions, rediscoveries that only complete."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digestlog.core.canonical import article_uuid
from digestlog.core.ledger import RESOLVED, UNRESOLVED, Candidate, NewArticle, Resolution, identified
from digestlog.core.model import Hop, NewSource, Source
from digestlog.errors import IdentityCollision, LockedFile
from digestlog.store import ledger, sources
from digestlog.store.db import Database, open_database

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"
THEN = datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC)
THEN_ISO = "2026-02-12T14:03:12+00:00"
STRAIGHT = Resolution(RESOLVED, http_status=200)
A = "https://e.org/a"


def candidate(url: str = A, title: str | None = None, at: datetime | None = None) -> Candidate:
    return Candidate(url, title, at, "Thu, 12 Feb 2026" if at else None, "pubDate" if at else None, "fast")


def article(
    url: str = A, title: str | None = None, at: datetime | None = None, to: str | None = None
) -> NewArticle:
    resolution = Resolution(RESOLVED, to, (Hop(301, to),), 200) if to else STRAIGHT
    found = identified(candidate(url, title, at), resolution)
    assert isinstance(found, NewArticle)
    return found


@pytest.fixture
def feeds(db: Database) -> list[Source]:
    """Three sources."""
    names = ("one", "two", "three")
    return [sources.insert(db, NewSource(f"https://{n}.example/feed", n, "RSS")).source for n in names]


@pytest.fixture
def later(db: Database, feeds: list[Source], now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def record(
    db: Database,
    source: Source,
    *articles: NewArticle,
    seen: tuple[Candidate, ...] = (),
) -> ledger.Recorded:
    with db.transaction() as connection:
        return ledger.record(db, connection, source, articles, seen)


def see(db: Database, source: Source, *candidates: Candidate) -> ledger.Recorded:
    """Record candidates whose originals are known."""
    return record(db, source, seen=candidates)


def rows(db: Database, table: str = "extracted_article_urls") -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY 1, 2")]


def row(db: Database, table: str = "extracted_article_urls") -> dict[str, Any]:
    (found,) = rows(db, table)
    return found


def everything(db: Database) -> list[list[dict[str, Any]]]:
    return [
        rows(db, name) for name in ("extracted_article_urls", "article_source_mentions", "url_resolutions")
    ]


# --- new articles -----------------------------------------------------------------------------


def test_a_new_article_with_all_that_is_known_of_it(db: Database, feeds: list[Source]) -> None:
    found = article("https://t.example/x", "Title", THEN, to="https://e.org/a?utm_source=t")
    done = record(db, feeds[0], found)
    assert done == ledger.Recorded((found.address,), 0)
    uuid = article_uuid(A)
    assert row(db) == {
        "article_uuid": uuid,
        "source_uuid": "W_RSS_1",
        "url_scraping_method": "RSS",
        "source_url": "https://one.example/feed",
        "article_title": "Title",
        "article_url_original": "https://t.example/x",
        "article_url_final": A,
        "url_original_to_final_match": 0,
        "url_notes": "resolved_redirects,removed_tracking_params",
        "published_utc_iso": THEN_ISO,
        "article_detected_utc_iso": NOW_ISO,
        "created_at": NOW_ISO,
        "updated_at": NOW_ISO,
    }
    assert row(db, "article_source_mentions") == {
        "article_uuid": uuid,
        "source_uuid": "W_RSS_1",
        "article_url_original": "https://t.example/x",
        "first_seen_at": NOW_ISO,
        "found_by": "fast",
        "date_from": "pubDate",
        "published_raw": "Thu, 12 Feb 2026",
        "created_at": NOW_ISO,
    }
    assert row(db, "url_resolutions") == {
        "article_url_original": "https://t.example/x",
        "article_uuid": uuid,
        "status": "resolved",
        "resolved_url": "https://e.org/a?utm_source=t",
        "hops": '[{"status": 301, "url": "https://e.org/a?utm_source=t"}]',
        "http_status": 200,
        "attempts": 1,
        "next_attempt_at": None,
        "last_error": None,
        "created_at": NOW_ISO,
        "updated_at": NOW_ISO,
    }


def test_what_is_not_known_is_null(db: Database, feeds: list[Source]) -> None:
    record(db, feeds[0], article())
    found = row(db)
    assert (found["article_title"], found["published_utc_iso"], found["url_notes"]) == (None, None, None)
    assert found["url_original_to_final_match"] == 1


def test_the_method_is_the_source_s(db: Database) -> None:
    source = sources.insert(db, NewSource("https://p.example/", "p", "Direct")).source
    record(db, source, article())
    assert row(db)["url_scraping_method"] == "Direct"


def test_a_status_that_is_none(db: Database, feeds: list[Source]) -> None:
    found = article()
    record(db, feeds[0], replace(found, resolution=replace(found.resolution, http_status=999)))
    assert row(db, "url_resolutions")["http_status"] is None


def test_an_article_without_an_answer_is_there_at_once(db: Database, feeds: list[Source]) -> None:
    waiting = Resolution(UNRESOLVED, error="t.example did not answer")
    found = identified(candidate("https://t.example/x"), waiting)
    assert isinstance(found, NewArticle)
    record(db, feeds[0], found)
    assert row(db)["article_url_final"] == "https://t.example/x"
    kept = row(db, "url_resolutions")
    assert (kept["status"], kept["attempts"], kept["next_attempt_at"]) == ("unresolved", 1, NOW_ISO)
    assert kept["last_error"] == "t.example did not answer"


# --- the same article again -------------------------------------------------------------------


def test_the_same_article_from_several_sources_is_one_row(db: Database, feeds: list[Source]) -> None:
    spellings = (A, A + "?utm_source=two", A + "#three")
    done = [record(db, feed, article(url)) for feed, url in zip(feeds, spellings, strict=True)]
    assert [(len(one.new), one.known) for one in done] == [(1, 0), (0, 1), (0, 1)]
    assert row(db)["source_uuid"] == "W_RSS_1"
    mentions = rows(db, "article_source_mentions")
    assert [(one["source_uuid"], one["article_url_original"]) for one in mentions] == [
        ("W_RSS_1", spellings[0]),
        ("W_RSS_2", spellings[1]),
        ("W_RSS_3", spellings[2]),
    ]
    assert {one["article_uuid"] for one in rows(db, "url_resolutions")} == {article_uuid(A)}


def test_two_addresses_of_one_visit_that_lead_to_one_article(db: Database, feeds: list[Source]) -> None:
    done = record(
        db, feeds[0], article("https://t.example/1", to=A), article("https://t.example/2", "Title", to=A)
    )
    assert (len(done.new), done.known) == (1, 1)
    assert row(db)["article_title"] == "Title"
    assert row(db, "article_source_mentions")["article_url_original"] == "https://t.example/1"
    assert len(rows(db, "url_resolutions")) == 2


@pytest.mark.parametrize("again", ["https://e.org/a/", "http://e.org/a", "http://e.org/a/"])
@pytest.mark.parametrize("together", [True, False])
def test_twins_are_the_same_article(db: Database, feeds: list[Source], again: str, together: bool) -> None:
    if together:
        done = record(db, feeds[0], article(A), article(again))
        assert (len(done.new), done.known) == (1, 1)
    else:
        record(db, feeds[0], article(A))
        assert record(db, feeds[1], article(again)).new == ()
    assert row(db)["article_url_final"] == A
    assert {one["article_uuid"] for one in rows(db, "url_resolutions")} == {article_uuid(A)}


@pytest.mark.parametrize(
    "other", [A + "?b=1", "https://www.e.org/a", "https://e.org/A", "https://e.org/a//b"]
)
def test_what_only_looks_like_a_twin(db: Database, feeds: list[Source], other: str) -> None:
    assert len(record(db, feeds[0], article(A), article(other)).new) == 2


def test_roots_differ_by_scheme_only(db: Database, feeds: list[Source]) -> None:
    assert len(record(db, feeds[0], article("https://e.org"), article("http://e.org/")).new) == 1


@pytest.mark.parametrize(
    ("first", "again", "kept"),
    [
        ((None, None), ("T", THEN), ("T", THEN_ISO)),
        ((None, THEN), ("T", None), ("T", THEN_ISO)),
        (("T", None), (None, THEN), ("T", THEN_ISO)),
        (("T", THEN), ("U", THEN - timedelta(days=9)), ("T", THEN_ISO)),
        (("T", None), ("U", None), ("T", None)),
        ((None, None), (None, None), (None, None)),
    ],
)
@pytest.mark.parametrize("known", [True, False], ids=["known original", "other original"])
def test_a_rediscovery_fills_only_what_is_missing(
    db: Database,
    later: Database,
    feeds: list[Source],
    first: tuple[str | None, datetime | None],
    again: tuple[str | None, datetime | None],
    kept: tuple[str | None, str | None],
    known: bool,
) -> None:
    record(db, feeds[0], article(A, *first))
    before = row(db)
    if known:
        done = see(later, feeds[1], candidate(A, *again))
    else:
        done = record(later, feeds[1], article(A + "#x", *again))
    assert (done.new, done.known) == ((), 1)
    after = row(later)
    assert (after["article_title"], after["published_utc_iso"]) == kept
    changed = {name for name in before if before[name] != after[name]}
    filled = {n for n in ("article_title", "published_utc_iso") if before[n] is None and after[n] is not None}
    assert changed == (filled | {"updated_at"} if filled else set())
    assert [one["first_seen_at"] for one in rows(later, "article_source_mentions")] == [NOW_ISO, LATER_ISO]


def test_the_same_visit_again_changes_nothing(db: Database, later: Database, feeds: list[Source]) -> None:
    visit = [article(A, "Title", THEN), article("https://t.example/x", to="https://e.org/b")]
    record(db, feeds[0], *visit)
    before = everything(db)
    see(later, feeds[0], *(one.candidate for one in visit))
    assert everything(later) == before
    record(later, feeds[0], *visit)
    assert everything(later) == before


def test_an_original_that_is_gone_meanwhile_is_passed_over(db: Database, feeds: list[Source]) -> None:
    assert see(db, feeds[0], candidate("https://e.org/gone", "Title")).new == ()
    assert everything(db) == [[], [], []]


# --- known originals --------------------------------------------------------------------------


def test_what_is_known_of_originals(db: Database, feeds: list[Source]) -> None:
    record(db, feeds[0], article(A, "Title"), article("https://e.org/b", at=THEN))
    asked = [A, "https://e.org/b", "https://e.org/c", "quote\"'\\"]
    assert ledger.known(db, "W_RSS_1", asked) == {
        A: ledger.Known(article_uuid(A), True, False, True),
        "https://e.org/b": ledger.Known(article_uuid("https://e.org/b"), False, True, True),
    }
    assert ledger.known(db, "W_RSS_2", [A])[A].mentioned is False
    assert ledger.known(db, "W_RSS_1", []) == {}


def test_only_the_exact_original_is_known(db: Database, feeds: list[Source]) -> None:
    record(db, feeds[0], article("https://t.example/x", to=A))
    assert set(ledger.known(db, "W_RSS_1", [A, "https://t.example/x", "https://t.example/X"])) == {
        "https://t.example/x"
    }


def test_any_number_of_originals_is_one_question(db: Database, feeds: list[Source]) -> None:
    asked: list[str] = []
    db.connection.set_trace_callback(asked.append)
    ledger.known(db, "W_RSS_1", [f"https://e.org/{n}" for n in range(5000)])
    db.connection.set_trace_callback(None)
    assert len(asked) == 1


# --- collisions -------------------------------------------------------------------------------


@pytest.mark.parametrize("together", [True, False])
def test_a_collision_is_refused_and_nothing_is_overwritten(
    db: Database, feeds: list[Source], monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    first, second = article(A), article("https://e.org/b")
    # Sixteen digits of SHA-256 will not collide for a test; so their function does.
    second = replace(second, address=replace(second.address, article_uuid=first.address.article_uuid))
    real = article_uuid
    monkeypatch.setattr(ledger, "article_uuid", lambda url: real(A if url.endswith("/b") else url))
    if not together:
        record(db, feeds[0], first)
    before = everything(db)
    with pytest.raises(IdentityCollision, match="https://e.org/b and https://e.org/a have the same id A_"):
        record(db, feeds[1], *((first, second) if together else (second,)))
    assert everything(db) == before


def test_a_locked_file_says_so(db: Database, feeds: list[Source], now: datetime) -> None:
    with (
        open_database(db.path, now=now, busy_timeout_s=0.01) as other,
        db.transaction(),
        pytest.raises(LockedFile),
    ):
        record(other, feeds[0], article(A))


# --- in any order -----------------------------------------------------------------------------

SHOWN = st.tuples(
    st.integers(0, 2),
    st.sampled_from(
        [
            "https://e.org/a",
            "https://e.org/a/",
            "http://e.org/a",
            "https://e.org/a?utm_x=1",
            "https://e.org/b",
        ]
    ),
    st.sampled_from([None, "Title"]),
    st.sampled_from([None, THEN]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.lists(SHOWN, min_size=1, max_size=8))
def test_however_often_and_by_whomever_it_is_shown(
    db: Database, feeds: list[Source], shown: list[tuple[int, str, str | None, datetime | None]]
) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM extracted_article_urls")
    for feed, url, title, at in shown:
        record(db, feeds[feed], article(url, title, at))
    names = {url.rstrip("/").partition("?")[0][-1] for _, url, _, _ in shown}
    found = {row["article_url_final"].rstrip("/")[-1]: row for row in rows(db)}
    assert found.keys() == names and len(rows(db)) == len(names)
    for name, one in found.items():
        of_it = [one for one in shown if one[1].rstrip("/").partition("?")[0][-1] == name]
        assert (one["article_title"] is not None) == any(title for _, _, title, _ in of_it)
        assert (one["published_utc_iso"] is not None) == any(at for _, _, _, at in of_it)
        mentions = {m["source_uuid"] for m in rows(db, "article_source_mentions")
                    if m["article_uuid"] == one["article_uuid"]}  # fmt: skip
        assert mentions == {feeds[feed].source_uuid for feed, _, _, _ in of_it}
    assert {one["article_url_original"] for one in rows(db, "url_resolutions")} == {
        url for _, url, _, _ in shown
    }
