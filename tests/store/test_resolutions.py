"""Addresses without an answer: the article is there at once, and one row once the answer comes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.rows import HASH, SYNTHESIS, THEN, put, uuid

from digestlog.core.canonical import article_uuid, ledger_url
from digestlog.core.ledger import FAILED, RESOLVED, UNRESOLVED, Candidate, NewArticle, Resolution, identified
from digestlog.core.model import Hop, NewSource, Source
from digestlog.store import articles, ledger, resolutions, sources
from digestlog.store.db import Database, open_database

NOW_ISO = "2026-02-13T09:02:10+00:00"
NEXT_DAY_ISO = "2026-02-14T09:02:10+00:00"
SHORT, FINAL = "https://t.example/x", "https://e.org/a"
LOST = Resolution(UNRESOLVED, error="t.example did not answer")
HERE = Resolution(RESOLVED, http_status=200)


def leads_to(url: str, status: int = 301) -> Resolution:
    return Resolution(RESOLVED, url, (Hop(status, url),), 200)


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


def show(db: Database, source: Source, url: str, answer: Resolution = LOST, title: str | None = None) -> str:
    """The id of the article that a source's visit made of an address."""
    found = identified(Candidate(url, title, None, None, None, "fast"), answer)
    assert isinstance(found, NewArticle)
    with db.transaction() as connection:
        ledger.record(db, connection, source, [found], [])
    (row,) = db.rows(
        "SELECT article_uuid FROM url_resolutions WHERE article_url_original = :url", {"url": url}
    )
    return str(row["article_uuid"])


def settle(db: Database, answers: dict[str, Resolution]) -> None:
    """Ask again for what is due, all at once, as a scan does."""
    for waiting in resolutions.unresolved(db):
        answer = answers.get(waiting.article_url_original, LOST)
        resolutions.settle(db, waiting, ledger_url(waiting.article_url_original, answer.url), answer)


def rows(db: Database, table: str = "extracted_article_urls") -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY 1, 2")]


def row(db: Database, table: str = "extracted_article_urls") -> dict[str, Any]:
    (found,) = rows(db, table)
    return found


# --- who is asked again -----------------------------------------------------------------------


def test_what_is_due(db: Database, later: Database, feeds: list[Source]) -> None:
    old = show(db, feeds[0], SHORT)
    show(db, feeds[0], "https://e.org/b", HERE)
    assert resolutions.unresolved(db) == [resolutions.Unresolved(SHORT, old, 1, False)]
    settle(db, {})
    assert resolutions.unresolved(db) == []
    assert resolutions.unresolved(later) == [resolutions.Unresolved(SHORT, old, 2, False)]


def test_a_private_network_only_where_the_source_that_shows_it_may(db: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], "https://t.example/1")
    show(db, feeds[1], "https://t.example/2")
    show(db, feeds[0], "https://t.example/3?utm_a=1")
    show(db, feeds[1], "https://t.example/3?utm_a=2")
    allowed = {one.article_url_original[18:]: one.allow_private for one in resolutions.unresolved(db)}
    assert allowed == {"1": False, "2": True, "3?utm_a=1": False, "3?utm_a=2": True}


def test_every_spelling_of_one_source_is_asked_for(db: Database, feeds: list[Source]) -> None:
    for spelling in (SHORT, SHORT + "#1", SHORT + "?utm_a=1"):
        show(db, feeds[0], spelling)
    assert len(rows(db, "article_source_mentions")) == 1
    assert [one.article_url_original for one in resolutions.unresolved(db)] == [
        SHORT,
        SHORT + "#1",
        SHORT + "?utm_a=1",
    ]


# --- the answer comes -------------------------------------------------------------------------


def test_the_article_moves_to_its_final_identity(db: Database, later: Database, feeds: list[Source]) -> None:
    old = show(db, feeds[0], SHORT, title="Title")
    before = row(db)
    show(db, feeds[1], SHORT + "#two")
    settle(later, {SHORT: leads_to(FINAL + "?utm_source=t"), SHORT + "#two": leads_to(FINAL)})
    assert row(later) == before | {
        "article_uuid": article_uuid(FINAL),
        "article_url_final": FINAL,
        "url_notes": "resolved_redirects,removed_tracking_params",
        "url_original_to_final_match": 0,
        "updated_at": NEXT_DAY_ISO,
    }
    assert [
        (one["article_uuid"], one["source_uuid"], one["article_url_original"], one["first_seen_at"])
        for one in rows(later, "article_source_mentions")
    ] == [
        (article_uuid(FINAL), "W_RSS_1", SHORT, NOW_ISO),
        (article_uuid(FINAL), "W_RSS_2", SHORT + "#two", NOW_ISO),
    ]
    assert articles.get(later, old) is None
    kept = rows(later, "url_resolutions")[0]
    assert (kept["status"], kept["attempts"], kept["next_attempt_at"]) == ("resolved", 2, None)
    assert kept["hops"] == '[{"status": 301, "url": "https://e.org/a?utm_source=t"}]'
    assert kept["last_error"] is None
    assert later.rows("PRAGMA foreign_key_check") == []


def test_an_address_that_did_not_redirect_stays(db: Database, later: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], SHORT)
    before = row(db)
    settle(later, {SHORT: HERE})
    assert row(later) == before
    assert row(later, "url_resolutions")["status"] == "resolved"


@pytest.mark.parametrize("redirect", ["https://e.org/a/", "http://e.org/a/", "http://e.org/a"])
def test_a_redirect_to_its_own_twin(
    db: Database, later: Database, feeds: list[Source], redirect: str
) -> None:
    show(db, feeds[0], "https://e.org/a")
    settle(later, {"https://e.org/a": leads_to(redirect)})
    found = row(later)
    assert (found["article_url_final"], found["url_notes"]) == (redirect, "resolved_redirects")
    assert (found["article_uuid"], found["created_at"]) == (article_uuid(redirect), NOW_ISO)


def test_a_redirect_to_what_the_address_means_anyway(
    db: Database, later: Database, feeds: list[Source]
) -> None:
    show(db, feeds[0], FINAL + "?utm_source=x")
    assert row(db)["url_notes"] == "removed_tracking_params"
    settle(later, {FINAL + "?utm_source=x": leads_to(FINAL)})
    assert (row(later)["article_url_final"], row(later)["url_notes"]) == (FINAL, "resolved_redirects")


def test_the_article_is_in_the_ledger_already(db: Database, later: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], SHORT, title="Title")
    kept = show(later, feeds[1], FINAL, HERE)
    before = row_of(later, kept)
    assert before["article_title"] is None
    settle(later, {SHORT: leads_to(FINAL)})
    assert row(later) == before | {"article_title": "Title"}
    assert [one["source_uuid"] for one in rows(later, "article_source_mentions")] == ["W_RSS_1", "W_RSS_2"]
    assert {one["article_uuid"] for one in rows(later, "url_resolutions")} == {kept}


def row_of(db: Database, article: str) -> dict[str, Any]:
    found = articles.get(db, article)
    assert found is not None
    return found


def test_the_article_is_there_as_a_twin(db: Database, later: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], SHORT)
    show(db, feeds[1], "https://e.org/a/", HERE)
    settle(later, {SHORT: leads_to("http://e.org/a")})
    assert row(later)["article_url_final"] == "https://e.org/a/"


def test_what_refers_to_the_article_moves_with_it(db: Database, later: Database, feeds: list[Source]) -> None:
    old = show(db, feeds[0], SHORT)
    (owner,) = db.rows("SELECT id FROM users")
    with db.transaction() as connection:
        put(connection, "scraped_articles", article_uuid=old)
        put(connection, "scrape_state", article_uuid=old)
        put(connection, "syntheses", user_id=owner["id"])
        put(connection, "synthesis_items", article_uuid=old)
        put(connection, "synthesis_candidates", article_uuid=old)
    settle(later, {SHORT: leads_to(FINAL)})
    tables = ("scraped_articles", "scrape_state", "synthesis_items", "synthesis_candidates")
    assert {row(later, table)["article_uuid"] for table in tables} == {article_uuid(FINAL)}
    assert row(later, "synthesis_items")["synthesis_id"] == SYNTHESIS


def test_what_both_have_is_kept_once(db: Database, later: Database, feeds: list[Source]) -> None:
    old, kept = show(db, feeds[0], SHORT), show(db, feeds[0], FINAL, HERE)
    with db.transaction() as connection:
        for number, article in enumerate((old, kept)):
            put(connection, "scraped_articles", scrape_id=uuid(90 + number), article_uuid=article)
        put(connection, "scraped_articles", scrape_id=uuid(92), article_uuid=old, content_sha256=HASH[::-1])
        put(connection, "scrape_state", article_uuid=old, status="failed")
        put(connection, "scrape_state", article_uuid=kept, status="ok")
    settle(later, {SHORT: leads_to(FINAL)})
    assert [one["scrape_id"] for one in rows(later, "scraped_articles")] == [uuid(91), uuid(92)]
    assert {one["article_uuid"] for one in rows(later, "scraped_articles")} == {kept}
    assert row(later, "scrape_state")["status"] == "ok"


def test_the_search_follows(db: Database, later: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], SHORT, title="Swing bridge")
    settle(later, {SHORT: leads_to(FINAL)})
    (found,) = articles.search(later, ["bridge"], articles.Filter())
    assert found.article_uuid == article_uuid(FINAL)


# --- several spellings ------------------------------------------------------------------------


def test_spellings_without_an_answer_go_where_the_answered_one_goes(
    db: Database, later: Database, feeds: list[Source]
) -> None:
    show(db, feeds[0], SHORT)
    show(db, feeds[1], SHORT + "#two")
    settle(later, {SHORT: leads_to(FINAL)})
    assert row(later)["article_url_final"] == FINAL
    states = [(one["status"], one["article_uuid"]) for one in rows(later, "url_resolutions")]
    assert states == [("resolved", article_uuid(FINAL)), ("unresolved", article_uuid(FINAL))]
    assert len(rows(later, "article_source_mentions")) == 2


def test_a_spelling_that_leads_elsewhere_after_all(
    db: Database, later: Database, feeds: list[Source], now: datetime
) -> None:
    show(db, feeds[0], SHORT)
    show(db, feeds[1], SHORT + "#two")
    settle(later, {SHORT: leads_to(FINAL)})
    with open_database(db.path, now=now + timedelta(days=2), frozen=True) as third:
        settle(third, {SHORT + "#two": leads_to("https://e.org/b")})
        assert sorted(one["article_url_final"] for one in rows(third)) == [FINAL, "https://e.org/b"]
        homes = {one["article_url_original"]: one["article_uuid"] for one in rows(third, "url_resolutions")}
    assert homes == {SHORT: article_uuid(FINAL), SHORT + "#two": article_uuid("https://e.org/b")}


def test_an_address_that_is_certain_stays_when_another_spelling_leaves(
    db: Database, later: Database, feeds: list[Source]
) -> None:
    kept = show(db, feeds[0], FINAL, HERE)
    assert show(db, feeds[1], FINAL + "?utm_source=x") == kept
    before = row(db)
    settle(later, {FINAL + "?utm_source=x": leads_to("https://e.org/b")})
    assert row_of(later, kept) == before
    assert row_of(later, article_uuid("https://e.org/b"))["created_at"] == NOW_ISO
    assert "W_RSS_2" in {m["source_uuid"] for m in articles.mentions(later, article_uuid("https://e.org/b"))}


@pytest.mark.parametrize("answer", [leads_to("https://e.org/a/"), leads_to(FINAL), HERE])
def test_a_certain_article_is_not_changed_by_a_twin(
    db: Database, later: Database, feeds: list[Source], answer: Resolution
) -> None:
    show(db, feeds[0], FINAL, HERE)
    show(db, feeds[1], "http://e.org/a")
    before = row(db)
    settle(later, {"http://e.org/a": answer})
    assert row(later) == before


# --- the answer does not come -----------------------------------------------------------------


def test_after_enough_tries_the_original_stands(db: Database, feeds: list[Source], now: datetime) -> None:
    show(db, feeds[0], SHORT)
    before = row(db)
    tried = []
    for day in range(12):
        with open_database(db.path, now=now + timedelta(days=2 * day), frozen=True) as database:
            settle(database, {})
            kept = row(database, "url_resolutions")
            tried.append((kept["status"], kept["attempts"]))
            assert row(database) == before
    assert tried[:8] == [("unresolved", n) for n in range(2, 8)] + [("failed", 8)] * 2
    assert tried[-1] == ("failed", 8)
    assert (kept["next_attempt_at"], kept["last_error"]) == (None, "t.example did not answer")


def test_a_wall_ends_the_asking(db: Database, later: Database, feeds: list[Source]) -> None:
    show(db, feeds[0], SHORT)
    before = row(db)
    wall = Resolution(FAILED, None, (Hop(302, "https://e.org/login"),), 200, "it leads to a login")
    settle(later, {SHORT: wall})
    assert row(later) == before
    kept = row(later, "url_resolutions")
    assert (kept["status"], kept["last_error"]) == ("failed", "it leads to a login")
    assert kept["hops"] == '[{"status": 302, "url": "https://e.org/login"}]'


def test_a_failed_spelling_of_a_moved_article_stays_with_it(
    db: Database, later: Database, feeds: list[Source]
) -> None:
    show(db, feeds[0], SHORT)
    show(db, feeds[0], SHORT + "#two")
    settle(later, {SHORT: leads_to(FINAL), SHORT + "#two": Resolution(FAILED, error="refused")})
    assert row(later)["article_url_final"] == FINAL
    assert {one["article_uuid"] for one in rows(later, "url_resolutions")} == {article_uuid(FINAL)}


# --- sooner or later, the same ----------------------------------------------------------------

ADDRESSES = [FINAL, FINAL + "/", "http://e.org/a", FINAL + "?utm_a=1", SHORT, SHORT + "#2", "https://e.org/b"]
# An address leads where its spelling says; the last ones do not lead anywhere else.
LEADS = st.fixed_dictionaries(
    {url: st.sampled_from([None, FINAL, "https://e.org/a/", "https://e.org/b?utm_b=1"]) for url in ADDRESSES}
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(ADDRESSES), min_size=1, max_size=4, unique=True), LEADS)
def test_every_original_ends_at_one_row_and_no_row_is_left_over(
    db: Database, later: Database, feeds: list[Source], shown: list[str], leads: dict[str, str | None]
) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM extracted_article_urls")
    answers = {url: leads_to(to) if to else HERE for url, to in leads.items()}
    for number, url in enumerate(shown):
        show(db, feeds[number % 2], url)
    settle(later, answers)
    ends = {url: ledger_url(url, leads[url]).final for url in shown}
    homes = {one["article_url_original"]: one for one in rows(later, "url_resolutions")}
    assert {one["status"] for one in homes.values()} == {"resolved"}
    # Twins are one article: compare without scheme and slash.
    finals = {one["article_uuid"]: bare(one["article_url_final"]) for one in rows(later)}
    assert {url: finals[homes[url]["article_uuid"]] for url in shown} == {u: bare(f) for u, f in ends.items()}
    assert sorted(finals.values()) == sorted({bare(final) for final in ends.values()})
    assert {one["created_at"] for one in rows(later)} == {NOW_ISO}
    mentioned = {one["article_uuid"] for one in rows(later, "article_source_mentions")}
    assert mentioned == set(finals)
    assert later.rows("PRAGMA foreign_key_check") == []


def bare(url: str) -> str:
    return url.partition("://")[2].rstrip("/")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.sampled_from(ADDRESSES), LEADS)
def test_an_answer_that_comes_late_makes_the_row_that_it_would_have_made_at_once(
    db: Database, later: Database, feeds: list[Source], url: str, leads: dict[str, str | None]
) -> None:
    answer = leads_to(to) if (to := leads[url]) else HERE
    made = []
    for first in (answer, LOST):
        with db.transaction() as connection:
            connection.execute("DELETE FROM extracted_article_urls")
        show(db, feeds[0], url, first, "Title")
        settle(later, {url: answer})
        made.append(row(later) | {"updated_at": THEN})
    assert made[0] == made[1]


def test_an_address_that_was_not_asked_has_lost_no_try(later: Database, feeds: list[Source]) -> None:
    show(later, feeds[0], SHORT)
    settle(later, {SHORT: Resolution(UNRESOLVED, error="was not asked", retry_after_s=60, asked=False)})
    found = row(later, "url_resolutions")
    assert (found["attempts"], found["status"], found["last_error"]) == (1, "unresolved", "was not asked")
    assert found["next_attempt_at"] == "2026-02-14T09:03:10+00:00"
