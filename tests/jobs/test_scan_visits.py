"""How a scan treats its sources: unchanged, moved, gone, failing, and when it comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from scan_fakes import XML, Asked, Desk, Page, item, no_answer, page, rss, to

from digestlog.core.moments import from_iso
from digestlog.jobs.scan import Options, chosen

FEED, OTHER, NEW = "https://one.example/feed", "https://two.example/feed", "https://one.example/new"
A = "https://e.org/a"
HOUR = timedelta(hours=1)


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Desk:
    return Desk(db_path, now)


def due(desk: Desk) -> list[str]:
    with desk.open() as db:
        return [one.source.source_uuid for one in chosen(db, Options())]


def wait(desk: Desk) -> timedelta | None:
    """How long until the only source's next visit."""
    following = desk.state()["next_scan_at"]
    return None if following is None else from_iso(following) - desk.now


# --- unchanged --------------------------------------------------------------------------------

TAGGED = rss(item(A), etag='"1"', last_modified="Thu, 12 Feb 2026 14:03:12 GMT")


def test_an_unchanged_source_is_only_asked(desk: Desk) -> None:
    desk.follow(FEED, TAGGED)
    desk.scan()
    assert desk.web.asked[0] == Asked("GET", FEED)
    result = desk.later(hours=1).one()
    assert (result.outcome, result.http_status, result.entries) == ("not_modified", 304, 0)
    assert desk.web.asked == [Asked("GET", FEED, '"1"', "Thu, 12 Feb 2026 14:03:12 GMT")]
    assert desk.state()["last_success_at"] == "2026-02-13T10:02:10+00:00"


def test_the_same_bytes_are_not_parsed_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.scan()
    monkeypatch.setattr("digestlog.jobs.parsing.read_sure", lambda *args: pytest.fail("it was parsed"))
    assert desk.later(hours=1).one().outcome == "unchanged"


def test_validators_are_not_used_when_the_window_looks_further_back(desk: Desk) -> None:
    shown = [
        item("https://e.org/old", None, desk.ago(days=3)),
        item("https://e.org/older", None, desk.ago(days=300)),
    ]
    desk.follow(FEED, rss(*shown, etag='"1"'))
    assert desk.one().new == 0
    assert desk.later(hours=1).one().outcome == "not_modified"
    result = desk.one(window=timedelta(days=7))
    assert (result.outcome, result.new) == ("ok", 1)
    assert desk.web.asked[0].etag is None
    # The wider look counts from now on, and its answer for every narrower one.
    assert desk.one(window=timedelta(days=7)).outcome == "not_modified"
    assert desk.one().outcome == "not_modified"
    assert desk.one(window=timedelta(days=7)).outcome == "not_modified"
    result = desk.one(window=None)
    assert (result.outcome, result.new) == ("ok", 1)
    assert desk.one(window=None).outcome == "not_modified"


def test_the_next_day_the_validators_still_count(desk: Desk) -> None:
    desk.follow(FEED, TAGGED)
    desk.scan()
    for days in (1, 1, 7):
        assert desk.later(days=days).one().outcome == "not_modified"


def test_other_selectors_or_another_address_are_read_anew(desk: Desk) -> None:
    from digestlog.store import sources

    source = desk.follow(FEED, TAGGED)
    desk.scan()
    with desk.open() as db:
        sources.update(db, source, {"source_url": OTHER})
    desk.web.answers[OTHER] = replace(TAGGED, body=rss(item("https://e.org/b")).body)
    assert desk.one().new == 1


def test_a_failure_keeps_the_validators(desk: Desk) -> None:
    desk.follow(FEED, TAGGED)
    desk.scan()
    kept = desk.state()
    desk.web.answers[FEED] = Page(status=500)
    desk.later(hours=1).scan()
    for name in ("etag", "last_modified", "body_sha256", "read_since", "last_success_at", "min_interval_s"):
        assert desk.state()[name] == kept[name]
    desk.web.answers[FEED] = TAGGED
    assert desk.later(hours=1).one().outcome == "not_modified"


# --- moved ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 308])
def test_a_permanent_move_is_followed_and_told(desk: Desk, status: int) -> None:
    source = desk.follow(FEED, to(NEW, status))
    desk.web.answers[NEW] = rss(item(A), etag='"1"')
    result = desk.one()
    assert (result.outcome, result.moved_to, result.source_url, result.error) == ("ok", NEW, NEW, None)
    assert desk.source(source).source_url == NEW
    assert desk.row("extracted_article_urls")["source_url"] == NEW
    assert desk.row("scan_source_results")["moved_to"] == NEW
    again = desk.later(hours=1).one()
    assert (again.outcome, again.moved_to) == ("not_modified", None)
    assert [asked.url for asked in desk.web.asked] == [NEW]


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_passing_redirect_moves_nothing(desk: Desk, status: int) -> None:
    source = desk.follow(FEED, to(NEW, status))
    desk.web.answers[NEW] = rss(item(A))
    assert desk.one().moved_to is None
    assert desk.source(source).source_url == FEED


def test_a_move_to_what_another_source_has(desk: Desk) -> None:
    source, other = desk.follow(FEED, to(OTHER)), desk.follow(OTHER, rss(item(A)))
    by_id = {result.source_uuid: result for result in desk.scan().results}
    assert by_id[source].outcome == "ok"
    assert by_id[source].error == f"has moved to {OTHER}, which {other} follows already"
    assert desk.source(source).source_url == FEED
    assert desk.finals() == [A]


def test_a_failing_source_does_not_move(desk: Desk) -> None:
    source = desk.follow(FEED, to(NEW))
    desk.web.answers[NEW] = Page(status=500)
    assert desk.one().moved_to is None
    assert desk.source(source).source_url == FEED


def named(*hrefs: str) -> Page:
    return page("".join(f'<link rel="alternate" type="{XML}" href="{href}">' for href in hrefs))


@pytest.mark.parametrize(
    ("answer", "failures"), [(Page(status=404), 2), (named("/new"), 0)], ids=["404", "a page"]
)
def test_a_lost_feed_is_found_again_on_its_site(desk: Desk, answer: Page, failures: int) -> None:
    source = desk.follow(FEED, replace(answer, etag='"old"'), site_url="https://one.example/")
    desk.web.answers |= {"https://one.example/": named("/new"), NEW: rss(item(A), etag='"new"')}
    for _ in range(failures):
        assert desk.one().outcome == "failed"
        desk.later(days=1)
    result = desk.one()
    assert (result.outcome, result.moved_to, result.new) == ("ok", NEW, 1)
    assert desk.source(source).source_url == NEW
    assert (desk.state()["etag"], desk.state()["body_sha256"]) == (None, None)
    assert desk.later(hours=1).one().outcome == "ok"
    assert desk.later(hours=1).one().outcome == "not_modified"


def test_gone_for_good_pauses(desk: Desk) -> None:
    source = desk.follow(FEED, Page(status=410))
    desk.follow(OTHER, rss())
    done = desk.scan()
    assert done.totals()["failed"] == 1
    assert {result.outcome for result in done.results} == {"ok", "gone"}
    paused = desk.source(source)
    assert (paused.is_active, paused.paused_reason) == (False, "gone for good (410)")
    assert paused.last_error == "is gone for good (410)"
    assert [result.source_uuid for result in desk.later(days=9).scan().results] == ["W_RSS_2"]


# --- failing ----------------------------------------------------------------------------------


def test_a_failing_source_is_left_alone_longer_and_longer(desk: Desk) -> None:
    desk.follow(FEED, Page(status=500))
    waits = []
    for failures in range(1, 12):
        desk.scan()
        assert desk.state()["consecutive_failures"] == failures
        waits.append(wait(desk) or timedelta())
        desk.later(days=1)
    for failures, waited in enumerate(waits):
        base = timedelta(minutes=10 * 2**failures)
        assert min(base, 20 * HOUR) <= waited <= min(base * 1.2, 20 * HOUR)
    assert len({waited / 2**failures for failures, waited in enumerate(waits[:7])}) > 1
    assert waits[-1] == 20 * HOUR


def test_a_source_comes_back_when_its_time_has_come(desk: Desk) -> None:
    source = desk.follow(FEED, Page(status=500))
    desk.scan()
    assert due(desk) == []
    assert due(desk.later(minutes=12)) == [source]
    desk.web.answers[FEED] = rss()
    desk.scan()
    state = desk.state()
    assert (state["consecutive_failures"], state["last_error"], state["next_scan_at"]) == (0, None, None)


@pytest.mark.parametrize(
    "answer",
    [Page(status=429, retry_after_s=7200), Page(status=503, retry_after_s=7200), no_answer(FEED, 7200)],
)
def test_retry_after_is_honoured(desk: Desk, answer: Page | Exception) -> None:
    desk.follow(FEED, answer)
    result = desk.one()
    assert wait(desk) == 2 * HOUR
    assert result.next_scan_at == "2026-02-13T11:02:10+00:00"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Page(status=403), "answered 403: refuses to be read"),
        (no_answer(FEED), f"{FEED} did not answer"),
        (page(), "is a web page, not a feed"),
        (Page(b"\1"), "is not a feed: This is not a feed."),
    ],
)
def test_why_a_source_failed(desk: Desk, answer: Page | Exception, words: str) -> None:
    source = desk.follow(FEED, answer)
    assert desk.one().error == words
    assert desk.source(source).last_error == words
    assert desk.row("scan_source_results")["error"] == words
    desk.web.answers[FEED] = rss()
    desk.later(hours=1).scan()
    assert desk.source(source).last_error is None


# --- left alone -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "max_age_s", "expected"),
    [
        ("", None, None),
        ("", 30, None),
        ("", 1800, HOUR / 2),
        ("<ttl>60</ttl>", None, HOUR),
        ("<ttl>60</ttl>", 7200, 2 * HOUR),
        ("<ttl>180</ttl>", 7200, 3 * HOUR),
        ("<ttl>10080</ttl>", None, 20 * HOUR),
        ("", 31_536_000, 20 * HOUR),
    ],
)
def test_what_a_source_asks_for(
    desk: Desk, head: str, max_age_s: int | None, expected: timedelta | None
) -> None:
    desk.follow(FEED, rss(head=head, max_age_s=max_age_s))
    desk.scan()
    assert wait(desk) == expected
    # Whoever scans once a day finds every source due.
    assert due(desk.later(hours=23)) == ["W_RSS_1"]


def test_a_feed_s_wish_is_remembered_while_it_does_not_change(desk: Desk) -> None:
    desk.follow(FEED, rss(head="<ttl>60</ttl>", etag='"1"'))
    desk.scan()
    for _ in range(2):
        assert desk.later(hours=2).one().outcome == "not_modified"
        assert wait(desk) == HOUR


def test_a_named_source_is_visited_before_its_time(desk: Desk) -> None:
    desk.follow(FEED, rss(head="<ttl>60</ttl>"))
    desk.scan()
    assert desk.scan(everything=False).results == []
    assert len(desk.scan(everything=False, only=("W_RSS_1",)).results) == 1
