"""A scan from its sources to the ledger: the window, once and for ever, and one failing source."""

from __future__ import annotations

import json
import multiprocessing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from scan_fakes import LEDGER, XML, Desk, Page, item, no_answer, page, rss, to

from digestlog.core.canonical import article_uuid
from digestlog.core.model import DIRECT
from digestlog.errors import FetchError, LockedFile
from digestlog.jobs import scan as job
from digestlog.jobs.scan import Options, chosen
from digestlog.store import ledger as store
from digestlog.store.db import open_database

FEED, OTHER = "https://one.example/feed", "https://two.example/feed"
A, B = "https://e.org/a", "https://e.org/b"


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Desk:
    return Desk(db_path, now)


def dump(desk: Desk) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table."""
    with desk.open() as db:
        names = [row["name"] for row in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in db.rows(f"SELECT * FROM {name}")] for name in names}


# --- the window -------------------------------------------------------------------------------


def aged(desk: Desk) -> Page:
    """A feed with an entry of every age."""
    ages = {"hour": 1, "day": 24, "week": 168, "year": 8766, "tomorrow": -24}
    dated = [item(f"https://e.org/{name}", name, desk.ago(hours=hours)) for name, hours in ages.items()]
    return rss(*dated, item("https://e.org/undated"), item("https://e.org/unclear", "unclear", "soon"))


def names(desk: Desk) -> set[str]:
    return {url.rpartition("/")[2] for url in desk.finals()}


YOUNG = {"hour", "day", "tomorrow", "undated", "unclear"}


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (timedelta(hours=24), YOUNG),
        (timedelta(hours=23), YOUNG - {"day"}),
        (timedelta(days=8), YOUNG | {"week"}),
        (None, YOUNG | {"week", "year"}),
    ],
)
def test_the_window(desk: Desk, window: timedelta | None, expected: set[str]) -> None:
    desk.follow(FEED, aged(desk))
    result = desk.one(window=window)
    assert names(desk) == expected
    assert (result.entries, result.new, result.outside_window) == (7, len(expected), 7 - len(expected))
    assert result.undated == 2
    run = desk.row("scan_runs")
    assert run["window_s"] == (None if window is None else window.total_seconds())


def test_dates_that_are_kept_as_they_are(desk: Desk) -> None:
    desk.follow(FEED, aged(desk))
    desk.scan()
    dates = {
        row["article_url_final"].rpartition("/")[2]: row["published_utc_iso"]
        for row in desk.rows("extracted_article_urls")
    }
    assert dates["tomorrow"] == "2026-02-14T09:02:10+00:00"
    assert dates["undated"] is dates["unclear"] is None
    raw = {row["published_raw"] for row in desk.rows("article_source_mentions") if row["date_from"] is None}
    assert raw == {None, "soon"}


def test_a_week_of_sleep_loses_nothing(desk: Desk) -> None:
    desk.follow(FEED, rss())
    desk.scan()
    desk.later(days=7)
    desk.web.answers[FEED] = rss(
        item("https://e.org/seven", None, desk.ago(days=7)),
        item("https://e.org/eight", None, desk.ago(days=8)),
    )
    desk.scan()
    assert names(desk) == {"seven"}


def test_a_week_of_failures_loses_nothing(desk: Desk) -> None:
    desk.follow(FEED, rss())
    desk.scan()
    desk.web.answers[FEED] = Page(status=500)
    for _ in range(7):
        desk.later(days=1).scan()
    desk.web.answers[FEED] = rss(item("https://e.org/six", None, desk.ago(days=6)))
    desk.scan()
    assert names(desk) == {"six"}


def test_a_source_under_repair_loses_nothing(desk: Desk) -> None:
    desk.follow(FEED, rss(item("https://e.org/zero", None, desk.ago(hours=1)), etag='"1"'))
    desk.scan()
    desk.web.answers[FEED] = rss(etag='"2"')
    for _ in range(4):
        assert desk.later(days=1).one().outcome == "ok"
    desk.web.answers[FEED] = rss(item("https://e.org/three", None, desk.ago(days=3)))
    desk.later(days=1).scan()
    assert names(desk) == {"zero", "three"}


def test_a_mention_from_before_the_window_still_counts(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.scan()
    desk.follow(OTHER, rss(item(A, "A title", desk.ago(days=3)), item(B, "Old", desk.ago(days=3))))
    result = desk.scan(only=("W_RSS_2",)).results[0]
    assert (result.new, result.known, result.outside_window) == (0, 1, 1)
    row = desk.row("extracted_article_urls")
    assert (row["article_title"], row["published_utc_iso"]) == ("A title", "2026-02-10T09:02:10+00:00")
    assert len(desk.rows("article_source_mentions")) == 2


# --- what is recorded -------------------------------------------------------------------------


def test_the_row_of_a_new_article(desk: Desk) -> None:
    original = "https://t.example/x"
    desk.follow(FEED, rss(item(original, "A <b>bold</b> title", desk.ago(hours=1))))
    desk.web.answers |= {original: to(A + "?utm_source=t", 302)}
    desk.scan()
    assert desk.row("extracted_article_urls") == {
        "article_uuid": article_uuid(A),
        "source_uuid": "W_RSS_1",
        "url_scraping_method": "RSS",
        "source_url": FEED,
        "article_title": "A bold title",
        "article_url_original": original,
        "article_url_final": A,
        "url_original_to_final_match": 0,
        "url_notes": "resolved_redirects,removed_tracking_params",
        "published_utc_iso": "2026-02-13T08:02:10+00:00",
        "article_detected_utc_iso": "2026-02-13T09:02:10+00:00",
        "created_at": "2026-02-13T09:02:10+00:00",
        "updated_at": "2026-02-13T09:02:10+00:00",
    }
    hops = json.loads(desk.row("url_resolutions")["hops"])
    assert hops == [{"status": 302, "url": A + "?utm_source=t"}]


def test_a_second_scan_changes_no_row(desk: Desk) -> None:
    desk.web.answers |= {"https://t.example/x": to(A), "https://e.org/news/lost": no_answer("lost")}
    shown = [
        item("https://t.example/x", "A", desk.ago(hours=1)),
        item(B),
        item(B, "B"),
        item("https://e.org/b/"),
    ]
    desk.follow(FEED, rss(*shown))
    desk.follow(OTHER, rss(item(A + "#x", "Other title", desk.ago(hours=3)), item("http://e.org/c")))
    desk.follow(
        "https://p.example/",
        page(body='<h2><a href="/2026/02/13/a-story-of-the-day">A story</a></h2>'),
        DIRECT,
    )
    first = desk.scan()
    before = desk.ledger()
    assert all(before[table] for table in LEDGER)
    for answer in list(desk.web.answers):
        # A new spelling of the same content, so that it is really read again.
        known = desk.web.answers[answer]
        if isinstance(known, Page) and known.body:
            desk.web.answers[answer] = replace(known, body=known.body + b" ")
    second = desk.later(hours=1).scan()
    assert desk.ledger() == before
    assert [result.outcome for result in second.results] == ["ok"] * 3
    assert (second.totals()["new"], second.totals()["known"]) == (
        0,
        first.totals()["new"] + first.totals()["known"],
    )


def test_known_originals_cost_no_request(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A), item("https://t.example/x")))
    desk.web.answers["https://t.example/x"] = to(B)
    desk.scan()
    desk.follow(OTHER, rss(item("https://t.example/x"), item(A)))
    desk.web.answers[FEED] = rss(item(A), item("https://t.example/x"), item("https://e.org/c"))
    desk.later(hours=1).scan()
    assert [asked.url for asked in desk.web.asked if asked.method == "HEAD"] == ["https://e.org/c"]


def test_the_same_article_from_several_feeds_is_one_row_with_mentions(desk: Desk) -> None:
    spellings = [A, A + "?utm_source=two", "https://t.example/three", "http://e.org/a/"]
    desk.web.answers["https://t.example/three"] = to(A + "#three")
    for number, url in enumerate(spellings):
        desk.follow(f"https://{number}.example/feed", rss(item(url)))
    totals = desk.scan(jobs=1).totals()
    assert (totals["new"], totals["known"]) == (1, 3)
    assert desk.finals() == [A]
    mentions = desk.rows("article_source_mentions")
    assert [row["article_url_original"] for row in mentions] == spellings


def test_an_address_that_two_sources_show_at_once_is_asked_for_once(desk: Desk) -> None:
    for number in range(5):
        desk.follow(f"https://{number}.example/feed", rss(item(A)))
    desk.scan(jobs=5)
    assert desk.web.times(A) == 1
    assert len(desk.rows("article_source_mentions")) == 5


def test_a_rediscovery_fills_what_was_missing_and_nothing_else(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.scan()
    before = desk.row("extracted_article_urls")
    desk.follow(OTHER, rss(item(A, "Late title", desk.ago(hours=2))))
    desk.later(hours=1).scan()
    assert desk.row("extracted_article_urls") == before | {
        "article_title": "Late title",
        "published_utc_iso": "2026-02-13T07:02:10+00:00",
        "updated_at": "2026-02-13T10:02:10+00:00",
    }
    desk.web.answers[OTHER] = rss(item(A, "Another title", desk.ago(hours=9)))
    before = desk.row("extracted_article_urls")
    desk.later(hours=1).scan()
    assert desk.row("extracted_article_urls") == before


def test_credentials_are_never_stored(desk: Desk) -> None:
    # Nor in redirects: what a chain holds is kept as it was, without a password.
    desk.web.answers["https://t.example/x"] = to("https://user:hunter2@e.org/b")
    desk.follow(
        FEED,
        rss(
            item("https://user:hunter2@e.org/a"),
            item("https://t.example/x"),
            item("https://user:hunter2@e.org/old", None, desk.ago(days=9)),
            item("https://user:hunter2@e.org/" + "a" * 2048),
        ),
    )
    desk.scan()
    assert desk.finals() == [A, B]
    assert "hunter2" not in repr(dump(desk))
    row = desk.rows("extracted_article_urls")
    assert {one["article_url_original"] for one in row} == {A, "https://t.example/x"}


def test_candidates_without_identity_are_left_out_with_a_reason(desk: Desk) -> None:
    long = "https://e.org/" + "a" * 2048
    source = desk.follow(FEED, rss(item(long), item(A), item("https://e.org/old", None, desk.ago(days=9))))
    result = desk.one()
    assert (result.entries, result.new, result.outside_window) == (3, 1, 1)
    assert desk.web.times(long) == 0
    left = json.loads(desk.row("source_left_out")["left_out"])
    assert left == [
        ["https://e.org/old", "outside_window", "2026-02-04T09:02:10+00:00"],
        [long, "no_identity: too_long", None],
    ]
    assert desk.row("source_left_out")["source_uuid"] == source


def test_what_a_file_cannot_hold_does_not_stop_a_scan(desk: Desk) -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "J",
        "items": [
            {"id": 1, "url": "https://e.org/a\0b", "title": "x\0\ud800y", "date_published": "\0soon\ud800"},
            {"id": 2, "url": "https://e.org/\ud800", "title": "\0"},
            {"id": 3, "url": B},
        ],
    }
    desk.follow(FEED, Page(json.dumps(feed).encode(), "application/feed+json"))
    assert desk.one().outcome == "ok"
    assert {"https://e.org/a%00b", B} <= set(desk.finals())


# --- results ----------------------------------------------------------------------------------


def test_a_run_and_its_results_are_stored(desk: Desk) -> None:
    desk.follow(
        FEED, rss(item(A, "A", desk.ago(hours=1)), item(B), item("https://e.org/old", None, desk.ago(days=9)))
    )
    desk.follow(OTHER, Page(status=500))
    desk.follow("https://three.example/feed", rss(etag='"1"'))
    desk.scan()
    desk.web.answers[OTHER] = rss(item(A))
    done = desk.later(hours=1).scan()
    assert done.totals() == {
        "sources": 3,
        "ok": 1,
        "failed": 0,
        "not_modified": 2,
        "entries": 1,
        "new": 0,
        "known": 1,
        "outside_window": 0,
        "undated": 1,
        "requests": 3,
    }
    runs = {run["run_id"]: run for run in desk.rows("scan_runs")}
    stored = runs[done.run_id]
    assert stored == stored | {
        "outcome": "ok",
        "finished_at": "2026-02-13T10:02:10+00:00",
        "sources": 3,
        "not_modified": 2,
        "known": 1,
        "requests": 3,
    }
    (first,) = (run for run_id, run in runs.items() if run_id != done.run_id)
    assert (first["failed"], first["new"], first["outside_window"]) == (1, 2, 1)
    results = [row for row in desk.rows("scan_source_results") if row["run_id"] == done.run_id]
    assert {row["source_uuid"]: row["outcome"] for row in results} == {
        "W_RSS_1": "unchanged",
        "W_RSS_2": "ok",
        "W_RSS_3": "not_modified",
    }


def test_each_result_is_stored_before_it_is_shown(desk: Desk) -> None:
    for number in range(3):
        desk.follow(f"https://{number}.example/feed", rss(item(f"https://e.org/{number}")))
    seen: list[int] = []
    with desk.open() as db:

        def look(result: object) -> None:
            with desk.open() as other:
                seen.append(len(other.rows("SELECT * FROM scan_source_results")))

        job.scan(db, desk.web, Options(jobs=1), chosen(db, Options()), look)
    assert seen == [1, 2, 3]


# --- one failing source -----------------------------------------------------------------------


def test_one_failing_source_never_stops_the_others(desk: Desk) -> None:
    bad: list[Page | Exception] = [
        Page(status=500),
        Page(status=999),
        no_answer("x"),
        FetchError("a strange\0 answer", url="x"),
        Page(b"\0\xff" * 100, "application/octet-stream"),
        Page(b"<rss><channel><item>", XML),
        Page(b"{", "application/json"),
        page(),
        to("https://u:p@e.org/"),
    ]
    for number, answer in enumerate(bad):
        desk.follow(f"https://bad{number}.example/feed", answer)
        desk.follow(f"https://good{number}.example/feed", rss(item(f"https://e.org/{number}")))
    done = desk.scan(jobs=3)
    assert len(desk.finals()) == len(bad)
    failed = [result for result in done.results if result.outcome == "failed"]
    assert len(failed) >= len(bad) - 1
    assert all(result.error and result.next_scan_at for result in failed)
    states = [row for row in desk.rows("source_fetch_state") if row["consecutive_failures"]]
    assert sorted(row["last_error"] for row in states) == sorted(str(result.error) for result in failed)


def test_a_collision_fails_its_source_and_nothing_is_overwritten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.scan()
    before = desk.ledger()
    real = article_uuid
    monkeypatch.setattr(store, "article_uuid", lambda url: real(A if url == B else url))
    desk.follow(OTHER, rss(item(B), item("https://e.org/c")))
    desk.follow("https://three.example/feed", rss(item("https://e.org/d")))
    by_id = {result.source_uuid: result for result in desk.later(hours=1).scan(jobs=1).results}
    assert by_id["W_RSS_2"].outcome == "failed"
    assert "have the same id" in str(by_id["W_RSS_2"].error)
    assert by_id["W_RSS_3"].new == 1
    assert [row for row in desk.rows("extracted_article_urls") if row["article_url_final"] == A] == before[
        "extracted_article_urls"
    ]


def test_a_file_that_cannot_be_written_is_one_clear_error(desk: Desk) -> None:
    for number in range(4):
        desk.follow(f"https://{number}.example/feed", rss(item(f"https://e.org/{number}")))
    with open_database(desk.path, now=desk.now, busy_timeout_s=0.01) as db, desk.open() as other:
        todo = chosen(db, Options())

        def lock(result: object) -> None:
            other.connection.execute("BEGIN IMMEDIATE")

        with pytest.raises(LockedFile):
            job.scan(db, desk.web, Options(jobs=2), todo, lock)
        other.connection.rollback()
    # What was committed before stays, and the run was never closed.
    assert len(desk.finals()) == 1
    assert desk.row("scan_runs")["outcome"] == "running"
    assert len(desk.scan().results) == 4
    assert len(desk.finals()) == 4


def test_many_slow_feeds_are_read_in_other_processes(desk: Desk) -> None:
    for number in range(12):
        feed = rss(item(f"https://e.org/{number}"))
        # Not well-formed, so not for the fast lane.
        broken = replace(feed, body=feed.body.replace(b"</channel>", b"<br></channel>"))
        desk.follow(f"https://{number}.example/feed", broken)
    done = desk.scan()
    assert {result.lane for result in done.results} == {"feedparser"}
    assert len(desk.finals()) == 12
    assert multiprocessing.active_children() == []


# --- which sources ----------------------------------------------------------------------------


def test_which_sources_are_chosen(desk: Desk) -> None:
    for number in range(1, 4):
        desk.follow(f"https://{number}.example/feed", rss(head="<ttl>60</ttl>"))
    desk.scan(only=("W_RSS_1",))

    def ids(**options: Any) -> list[str]:
        with desk.open() as db:
            return [due.source.source_uuid for due in chosen(db, Options(**options))]

    assert ids() == ["W_RSS_2", "W_RSS_3"]
    assert ids(everything=True) == ["W_RSS_1", "W_RSS_2", "W_RSS_3"]
    assert ids(only=("W_RSS_1",)) == ["W_RSS_1"]
    assert ids(only=("W_RSS_1", "W_RSS_3")) == ["W_RSS_1", "W_RSS_3"]
    desk.later(hours=1)
    assert ids() == ["W_RSS_1", "W_RSS_2", "W_RSS_3"]


def test_shares_split_the_work_without_rest_or_overlap(desk: Desk) -> None:
    for number in range(20):
        desk.follow(f"https://{number}.example/feed")
    with desk.open() as db:
        shares = [[d.source.source_uuid for d in chosen(db, Options(shard=(i, 3)))] for i in (1, 2, 3)]
        assert sorted(sum(shares, [])) == sorted(d.source.source_uuid for d in chosen(db, Options()))
    assert len(set(sum(shares, []))) == 20
    assert all(shares)


def test_a_scan_of_nothing(desk: Desk) -> None:
    done = desk.scan()
    assert (done.results, done.requests) == ([], 0)
    assert desk.row("scan_runs")["outcome"] == "ok"


# --- dry runs ---------------------------------------------------------------------------------


def test_a_dry_run_counts_right_and_writes_nothing(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A, "A", desk.ago(hours=1)), item("https://e.org/known")))
    desk.scan()
    desk.follow(FEED, rss(item(A), item(B), item("https://e.org/old", None, desk.ago(days=9))))
    desk.follow(OTHER, rss(item(B + "?utm_source=x"), item("https://e.org/c/")))
    desk.follow("https://three.example/feed", rss(item("http://e.org/c"), item(B)))
    desk.follow("https://gone.example/feed", Page(status=410))
    desk.follow("https://moved.example/feed", to("https://moved.example/new"))
    desk.web.answers["https://moved.example/new"] = rss(item("https://e.org/d"))
    before = dump(desk.later(hours=1))
    planned = desk.scan(jobs=1, dry_run=True)
    assert planned.run_id is None
    assert dump(desk) == before
    done = desk.scan(jobs=1)
    assert {k: v for k, v in planned.totals().items() if k != "requests"} == {
        k: v for k, v in done.totals().items() if k != "requests"
    }
    assert done.totals()["new"] == 3
    for was, now_is in zip(planned.results, done.results, strict=True):
        assert replace(was, duration_ms=0) == replace(now_is, duration_ms=0)


def test_a_dry_run_asks_for_nothing_that_waits(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.web.answers[A] = no_answer(A)
    desk.scan()
    desk.web.answers[A] = to(B)
    before = dump(desk.later(hours=1))
    desk.scan(dry_run=True)
    assert dump(desk) == before
