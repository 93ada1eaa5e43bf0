"""Redirects without an answer, or with a wrong one: no article is lost, becomes two or swallows others."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from scan_fakes import Desk, Page, item, no_answer, rss, to

from digestlog.core.canonical import article_uuid, ledger_url
from digestlog.core.ledger import RESOLVED, Resolution
from digestlog.core.model import Hop, Resolved
from digestlog.errors import AddressRefused, FetchError
from digestlog.store.resolutions import Unresolved, settle

FEED, OTHER = "https://one.example/feed", "https://two.example/feed"
SHORT, FINAL = "https://t.example/x", "https://e.org/a"


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Desk:
    return Desk(db_path, now)


LOST: list[Page | FetchError] = [
    no_answer(SHORT),
    Page(status=500),
    Page(status=503),
    Page(status=429),
    Page(status=999),
]


@pytest.mark.parametrize("answer", LOST, ids=str)
def test_an_article_without_an_answer_is_recorded_now_and_moved_later(
    desk: Desk, answer: Page | FetchError
) -> None:
    desk.follow(FEED, rss(item(SHORT, "Title", desk.ago(hours=1))))
    desk.web.answers[SHORT] = answer
    assert desk.one().new == 1
    first = desk.row("extracted_article_urls")
    assert (first["article_url_final"], first["url_notes"]) == (SHORT, None)
    assert desk.row("url_resolutions")["status"] == "unresolved"
    desk.follow(OTHER, rss(item(SHORT)))
    desk.later(minutes=1).scan()
    desk.web.answers[SHORT] = to(FINAL)
    done = desk.later(days=1).scan()
    assert done.settled == 1
    assert desk.row("extracted_article_urls") == first | {
        "article_uuid": article_uuid(FINAL),
        "article_url_final": FINAL,
        "url_original_to_final_match": 0,
        "url_notes": "resolved_redirects",
        "updated_at": "2026-02-14T09:03:10+00:00",
    }
    mentions = [(row["article_uuid"], row["source_uuid"]) for row in desk.rows("article_source_mentions")]
    assert mentions == [(article_uuid(FINAL), "W_RSS_1"), (article_uuid(FINAL), "W_RSS_2")]


def test_a_moved_article_is_known_from_then_on(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    desk.web.answers[SHORT] = to(FINAL)
    desk.later(hours=1).scan()
    before = desk.ledger()
    desk.web.answers[FEED] = rss(item(SHORT), item(FINAL))
    desk.later(hours=1).scan()
    assert desk.ledger()["extracted_article_urls"] == before["extracted_article_urls"]
    assert desk.ledger()["article_source_mentions"] == before["article_source_mentions"]
    assert desk.web.times(SHORT) == 0


def test_the_target_is_in_the_ledger_already(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT, "Title")))
    desk.follow(OTHER, rss(item(FINAL)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    assert desk.finals() == [FINAL, SHORT]
    desk.web.answers[SHORT] = to(FINAL)
    desk.later(hours=1).scan()
    row = desk.row("extracted_article_urls")
    assert (row["article_url_final"], row["source_uuid"], row["article_title"]) == (FINAL, "W_RSS_2", "Title")
    assert len(desk.rows("article_source_mentions")) == 2
    assert {r["article_uuid"] for r in desk.rows("url_resolutions")} == {article_uuid(FINAL)}


def test_it_settles_while_its_source_fails(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    desk.web.answers |= {SHORT: to(FINAL), FEED: Page(status=500)}
    desk.later(hours=1).scan()
    assert desk.finals() == [FINAL]


def test_several_addresses_settle_in_one_scan(desk: Desk) -> None:
    shown = [f"https://t.example/{n}" for n in range(5)] + [SHORT, SHORT + "#two", SHORT + "?utm_a=1"]
    desk.follow(FEED, rss(*map(item, shown)))
    desk.web.answers |= {url: no_answer(url) for url in shown}
    desk.scan()
    assert len(desk.finals()) == 6
    desk.web.answers |= {url: to(FINAL) for url in shown}
    assert desk.later(hours=1).scan().settled == 8
    assert desk.finals() == [FINAL]
    assert len(desk.rows("article_source_mentions")) == 1


def test_a_host_that_still_gives_no_answer_is_asked_once_a_scan(desk: Desk) -> None:
    shown = [f"https://t.example/{n}" for n in range(5)] + ["https://other.example/x"]
    desk.follow(FEED, rss(*map(item, shown)))
    desk.web.answers |= {url: no_answer(url) for url in shown}
    desk.scan()
    asked = []
    for _ in range(5):
        desk.later(hours=1).scan()
        asked.append({ask.url for ask in desk.web.asked if ask.method == "HEAD"} - {shown[-1]})
    # Each gets its turn: those that were asked least often come first.
    assert asked == [{url} for url in shown[:5]]
    desk.web.answers |= {url: Page() for url in shown}
    assert desk.later(days=1).scan().settled == 6


def test_an_article_that_moves_while_its_source_is_read(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    desk.follow(OTHER, rss(item(SHORT, "Title"), item("https://e.org/b")))
    resolve = desk.web.resolve

    async def meanwhile(url: str, **options: bool) -> Resolved:
        if url == "https://e.org/b":  # another program scans the same file
            with desk.open() as db:
                waiting = Unresolved(SHORT, article_uuid(SHORT), 2, False)
                there = Resolution(RESOLVED, FINAL, (Hop(301, FINAL),), 200)
                settle(db, waiting, ledger_url(SHORT, FINAL), there)
        return await resolve(url, **options)

    desk.web.resolve = meanwhile  # type: ignore[method-assign]
    desk.later(minutes=1).scan()
    rows = {row["article_url_final"]: row for row in desk.rows("extracted_article_urls")}
    assert rows.keys() == {FINAL, "https://e.org/b"}
    assert rows[FINAL]["article_title"] == "Title"
    mentions = {(row["article_uuid"], row["source_uuid"]) for row in desk.rows("article_source_mentions")}
    assert {(article_uuid(FINAL), "W_RSS_1"), (article_uuid(FINAL), "W_RSS_2")} <= mentions


def test_an_address_that_never_answers_stands_as_it_is(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    before = desk.row("extracted_article_urls")
    asked = []
    for _ in range(12):
        desk.later(days=2).scan()
        asked.append(desk.web.times(SHORT))
        assert desk.row("extracted_article_urls") == before
    assert asked == [1] * 7 + [0] * 5
    kept = desk.row("url_resolutions")
    assert (kept["status"], kept["attempts"]) == ("failed", 8)
    assert kept["last_error"] == "https://t.example/x did not answer"


@pytest.mark.parametrize(
    ("ends_at", "words"),
    [
        ("https://e.org/login?next=x", "it leads to a login or consent page"),
        ("https://consent.e.org/x", "it leads to a login or consent page"),
        ("https://e.org/", "it leads to the front page of a site"),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_walls_keep_the_originals_apart(desk: Desk, ends_at: str, words: str, late: bool) -> None:
    urls = ["https://e.org/one", "https://e.org/two"]
    desk.follow(FEED, rss(*map(item, urls)))
    if late:
        desk.web.answers |= {url: no_answer(url) for url in urls}
        desk.scan()
    desk.web.answers |= {url: to(ends_at, 302) for url in urls}
    desk.later(hours=1).scan()
    assert desk.finals() == urls
    for row in desk.rows("url_resolutions"):
        assert (row["status"], row["last_error"], row["resolved_url"]) == ("failed", words, None)
        assert json.loads(row["hops"]) == [{"status": 302, "url": ends_at}]


@pytest.mark.parametrize(
    "error",
    [
        FetchError("it redirects in a circle", url=SHORT),
        AddressRefused("it leads into a private network", url=SHORT),
    ],
)
def test_what_will_never_resolve_is_not_asked_again(desk: Desk, error: FetchError) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = error
    desk.scan()
    assert desk.finals() == [SHORT]
    kept = desk.row("url_resolutions")
    assert (kept["status"], kept["last_error"]) == ("failed", error.message)
    desk.later(days=1).scan()
    assert desk.web.times(SHORT) == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_redirect_to_what_is_not_there_keeps_the_originals_apart(desk: Desk, status: int) -> None:
    desk.follow(FEED, rss(item(SHORT), item(SHORT + "2")))
    desk.web.answers |= {SHORT: to(FINAL), SHORT + "2": to(FINAL), FINAL: Page(status=status)}
    desk.scan()
    assert desk.finals() == [SHORT, SHORT + "2"]
    assert {row["last_error"] for row in desk.rows("url_resolutions")} == {
        f"it leads to a page that answers {status}"
    }


@pytest.mark.parametrize("status", [200, 401, 403])
def test_where_a_redirect_ends_is_where_the_article_is_readable_or_not(desk: Desk, status: int) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers |= {SHORT: to(FINAL), FINAL: Page(status=status)}
    desk.scan()
    assert desk.finals() == [FINAL]
    assert desk.row("url_resolutions")["http_status"] == status


def test_a_redirect_to_an_address_without_identity(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = to("https://e.org/" + "a" * 3000)
    desk.scan()
    assert desk.finals() == [SHORT]
    kept = desk.row("url_resolutions")
    assert (kept["status"], kept["last_error"]) == (
        "failed",
        "it leads to an address without identity (too_long)",
    )


def test_an_address_that_newer_rules_refuse_is_left_as_it_is(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    with desk.open() as db, db.transaction() as connection:
        connection.execute("UPDATE url_resolutions SET article_url_original = 'https://{{host}}/'")
    before = desk.ledger()
    desk.web.answers[FEED] = rss()
    desk.later(hours=1).scan()
    assert desk.ledger() == before


def test_a_private_network_only_for_the_source_that_may(desk: Desk) -> None:
    desk.follow(FEED, rss(item("https://t1.example/x")), allow_private=True)
    desk.follow(OTHER, rss(item("https://t2.example/x")))
    desk.web.answers |= {f"https://t{n}.example/x": no_answer("x") for n in (1, 2)}
    for _ in range(2):
        desk.scan()
        allowed = {asked.url: asked.allow_private for asked in desk.web.asked if asked.method == "HEAD"}
        assert allowed == {"https://t1.example/x": True, "https://t2.example/x": False}
        desk.later(hours=1)


def test_a_host_that_asks_for_time_gets_it(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = Page(status=503, retry_after_s=7200)
    desk.scan()
    assert desk.row("url_resolutions")["next_attempt_at"] == "2026-02-13T11:02:10+00:00"
    desk.later(hours=1).scan()
    assert desk.web.times(SHORT) == 0
    desk.later(hours=1).scan()
    assert desk.web.times(SHORT) == 1


def test_the_sources_come_before_the_addresses_that_gave_no_answer(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    desk.later(hours=3).scan()
    assert [asked.url for asked in desk.web.asked] == [FEED, SHORT]
