"""Which watched pages are due, and what is written down of each look."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from check_fakes import LAMP, watch
from store.rows import put, uuid

from digestlog.core.changes import Change
from digestlog.core.looks import NOT_MODIFIED, OK, Known, Read, Told, pack
from digestlog.core.moments import from_iso
from digestlog.core.snapshot import EXTRACTOR
from digestlog.errors import LockedFile
from digestlog.store import observations, users
from digestlog.store.db import Database, open_database
from digestlog.store.events import event_id
from digestlog.store.observations import Look, State, ToCheck, due, known, next_due, observation_id, record

NOW_ISO = "2026-02-13T09:02:10+00:00"
DAY = timedelta(days=1)
SHA, OTHER = "a" * 64, "b" * 64
CHANGE = Change(
    "price", "real", 0.25, "49.00 EUR", "44.50 EUR", (("-", "49.00"), ("+", "44.50"), ("=", " EUR"))
)
FIRST = Read(SHA, b"packed", '{"looks":1}', "Lamp", "The lamp.", b"body", is_baseline=True)
NEXT = replace(FIRST, content_sha256=OTHER, content=b"other", memory='{"looks":2}', is_baseline=False)


def look(read: Read | None = FIRST, outcome: str = OK, **more: Any) -> Look:
    """A look at a page that is there."""
    answer = {"http_status": 200, "body_bytes": 9, "body_sha256": SHA, "body_url": LAMP, "etag": '"1"'}
    return Look(outcome, read=read, **{**answer, **more})


def failure(error: str = "the server answered 500", **more: Any) -> Look:
    """A look at a page that is not there."""
    return Look("failed", 500, error, **more)


def told(*changes: Change, summary: str = "Price 49.00 → 44.50 EUR") -> Read:
    """What a look found."""
    return replace(NEXT, told=tuple(Told(change, summary) for change in changes), diff="<p>diff</p>")


@pytest.fixture
def page(db: Database) -> ToCheck:
    """A watched page that nobody has looked at."""
    watch(db, LAMP)
    return due(db)[0]


@pytest.fixture
def later(db: Database, now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + DAY, frozen=True) as database:
        yield database


def state_of(db: Database, page: ToCheck) -> State:
    found = observations.state(db, due(db, everything=True, only=[page.url_id])[0])
    assert found is not None
    return found


def write(db: Database, page: ToCheck, seen: Look) -> observations.Recorded:
    """Record a look from the state as it is."""
    done = record(db, page, state_of(db, page), seen)
    assert done is not None
    return done


def rows(db: Database, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY created_at, rowid")]


def row(db: Database, table: str) -> dict[str, Any]:
    (found,) = rows(db, table)
    return found


# --- which ------------------------------------------------------------------------------------


def test_a_page_that_was_never_looked_at_is_due(db: Database) -> None:
    made = watch(db, LAMP, allow_private=1, min_interval_s=900, max_interval_s=7200, check_frequency="weekly")
    assert due(db) == [ToCheck(made, LAMP, True, "weekly", 900, 7200, None, None)]


@pytest.mark.parametrize(("hours", "is_due"), [(-1, True), (0, True), (1, False)])
def test_whose_time_has_come(db: Database, now: datetime, hours: int, is_due: bool) -> None:
    watch(db, LAMP, next_check_at=(now + timedelta(hours=hours)).isoformat())
    assert len(due(db)) == is_due
    assert len(due(db, everything=True)) == 1


def test_a_page_that_nobody_watches_is_not_looked_at(db: Database) -> None:
    watch(db, LAMP, is_active=0)
    assert due(db) == due(db, everything=True) == []


def test_a_page_of_several_users_is_due_once(db: Database) -> None:
    anna = users.add(db, "anna").id
    made = watch(db, LAMP)
    watch(db, LAMP, user_id=anna)
    other = watch(db, "https://shop.example/rope", user_id=anna)
    assert sorted(page.url_id for page in due(db)) == sorted([made, other])
    assert [page.url_id for page in due(db, user_id=users.current(db, None))] == [made]


def test_the_longest_overdue_first(db: Database, now: datetime) -> None:
    ids = [
        watch(
            db,
            f"https://shop.example/{n}",
            next_check_at=(now - timedelta(hours=n)).isoformat() if n else None,
        )
        for n in range(4)
    ]
    assert [page.url_id for page in due(db)] == [ids[0], ids[3], ids[2], ids[1]]
    assert [page.url_id for page in due(db, limit=2)] == [ids[0], ids[3]]
    assert [page.url_id for page in due(db, only=[ids[1]])] == [ids[1]]
    assert due(db, only=[]) == []


def test_when_the_next_is_due(db: Database, now: datetime) -> None:
    assert next_due(db) is None
    watch(db, LAMP, next_check_at=(now + DAY).isoformat())
    watch(db, "https://shop.example/rope", next_check_at=(now + 2 * DAY).isoformat())
    assert next_due(db) == (now + DAY).isoformat()
    assert next_due(db, uuid(77)) is None
    watch(db, "https://shop.example/new")
    assert next_due(db) is None


# --- a look at a page that is there -----------------------------------------------------------


def test_the_first_look(db: Database, page: ToCheck) -> None:
    done = write(db, page, look(last_modified="yesterday", body_charset="utf-8"))
    assert row(db, "url_observations") == {
        "id": observation_id(page.url_id, NOW_ISO, 0),
        "url_id": page.url_id,
        "checked_at": NOW_ISO,
        "checked_day": "2026-02-13",
        "http_status": 200,
        "content_sha256": SHA,
        "outcome": "ok",
        "error": None,
        "body_bytes": 9,
        "extractor": EXTRACTOR,
        "origin": "check",
        "created_at": NOW_ISO,
    }
    assert done.observation_id == observation_id(page.url_id, NOW_ISO, 0) and done.event_ids == ()
    state = row(db, "url_check_state")
    assert state == {
        "url_id": page.url_id,
        "etag": '"1"',
        "last_modified": "yesterday",
        "body_sha256": SHA,
        "body": b"body",
        "body_url": LAMP,
        "body_charset": "utf-8",
        "extractor": EXTRACTOR,
        "content_sha256": SHA,
        "observation_id": done.observation_id,
        "memory": '{"looks":1}',
        "interval_s": 86_400,
        "consecutive_failures": 0,
        "last_error": None,
        "created_at": NOW_ISO,
        "updated_at": NOW_ISO,
    }
    assert row(db, "url_contents")["content"] == b"packed"
    assert rows(db, "url_change_events") == []
    (text,) = rows(db, "url_render_artifacts")
    assert (text["kind"], text["content"], text["observation_id"]) == (
        "text",
        b"The lamp.",
        done.observation_id,
    )
    url = row(db, "urls")
    assert (url["last_checked_at"], url["next_check_at"]) == (NOW_ISO, done.next_check_at)
    assert 18 <= (from_iso(done.next_check_at) - db.now).total_seconds() / 3600 <= 20


def test_a_look_that_finds_a_change(db: Database, later: Database, page: ToCheck) -> None:
    write(db, page, look())
    done = write(later, page, look(told(CHANGE), screenshot=b"JPEG"))
    (event,) = rows(db, "url_change_events")
    assert event == {
        "id": event_id(done.observation_id, "price", "real"),
        "url_id": page.url_id,
        "observation_id": done.observation_id,
        "detected_at": later.now_iso,
        "kind": "price",
        "state": "real",
        "magnitude": 0.25,
        "before": "49.00 EUR",
        "after": "44.50 EUR",
        "diff": '[["-", "49.00"], ["+", "44.50"], ["=", " EUR"]]',
        "created_at": later.now_iso,
        "updated_at": later.now_iso,
    }
    assert done.event_ids == (event["id"],)
    summary = row(db, "url_change_summaries")
    assert (summary["event_id"], summary["summary"], summary["method"]) == (
        event["id"],
        "Price 49.00 → 44.50 EUR",
        "extractive",
    )
    kinds = [artifact["kind"] for artifact in rows(db, "url_render_artifacts")]
    assert kinds == ["text", "diff_html", "screenshot"], "the same text is not kept twice"
    state = row(db, "url_check_state")
    assert (state["interval_s"], state["content_sha256"], state["created_at"]) == (43_200, OTHER, NOW_ISO)
    assert {content["content_sha256"] for content in rows(db, "url_contents")} == {SHA, OTHER}


def test_noise_is_an_event_but_no_reason_to_hurry(db: Database, later: Database, page: ToCheck) -> None:
    write(db, page, look())
    write(later, page, look(replace(told(replace(CHANGE, state="volatile")), text="Another text.")))
    assert [event["state"] for event in rows(db, "url_change_events")] == ["volatile"]
    assert row(db, "url_check_state")["interval_s"] == 86_400
    assert [a["kind"] for a in rows(db, "url_render_artifacts")] == ["text", "diff_html"]
    assert rows(db, "url_render_artifacts")[0]["content"] == b"The lamp."


def test_the_text_is_kept_anew_where_it_changed(db: Database, later: Database, page: ToCheck) -> None:
    write(db, page, look())
    write(later, page, look(replace(told(replace(CHANGE, state="provisional")), text="Another text.")))
    texts = [a["content"] for a in rows(db, "url_render_artifacts") if a["kind"] == "text"]
    assert texts == [b"The lamp.", b"Another text."]


def test_a_look_that_finds_the_page_as_it_was(db: Database, later: Database, page: ToCheck) -> None:
    write(db, page, look(etag='"1"', last_modified="yesterday"))
    same = Read(SHA, None, '{"looks":2}')
    done = write(later, page, Look(NOT_MODIFIED, 304, read=same, last_modified="today"))
    state = row(db, "url_check_state")
    assert (state["etag"], state["last_modified"]) == ('"1"', "today")
    assert (state["body"], state["body_sha256"], state["body_url"]) == (b"body", SHA, LAMP)
    assert (state["memory"], state["observation_id"]) == ('{"looks":2}', done.observation_id)
    seen = rows(db, "url_observations")[1]
    assert (seen["outcome"], seen["content_sha256"], seen["extractor"]) == ("not_modified", SHA, None)
    assert len(rows(db, "url_render_artifacts")) == 1


def test_a_page_that_is_too_large_is_not_kept(db: Database, page: ToCheck) -> None:
    write(db, page, look(replace(FIRST, body=None), body_charset="utf-8"))
    state = row(db, "url_check_state")
    assert (state["body"], state["body_url"], state["body_charset"]) == (None, None, None)
    assert state["body_sha256"] == SHA
    assert not state_of(db, page).has_body


def test_looks_of_one_second_have_ids_of_their_own(db: Database, page: ToCheck) -> None:
    done = [write(db, page, look()).observation_id for _ in range(3)]
    assert done == [observation_id(page.url_id, NOW_ISO, n) for n in range(3)]
    assert len(set(done)) == 3


def test_a_content_is_kept_once_for_all_pages(db: Database, page: ToCheck) -> None:
    watch(db, "https://mirror.example/lamp")
    for one in due(db):
        write(db, one, look())
    assert len(rows(db, "url_contents")) == 1
    assert len(rows(db, "url_check_state")) == 2


def test_what_no_file_can_hold_is_left_out(db: Database, page: ToCheck) -> None:
    write(db, page, look())
    odd = Change("text_changed", "real", 7.5, "a\0b", "c\ud800d", (("+", "\0x\ud800"),))
    write(db, page, look(told(odd, summary="\0")))
    event = row(db, "url_change_events")
    assert (event["before"], event["after"], event["magnitude"]) == ("ab", "c?d", 1.0)
    assert json.loads(event["diff"]) == [["+", "x?"]]
    assert row(db, "url_change_summaries")["summary"] == "text changed"


def test_an_odd_status_is_left_out(db: Database, page: ToCheck) -> None:
    write(db, page, failure(retry_after_s=None))
    write(db, page, Look("failed", 999, "the server answered 999"))
    assert [one["http_status"] for one in rows(db, "url_observations")] == [500, None]


# --- a look at a page that is not there -------------------------------------------------------


def test_a_failure_leaves_what_was_known(db: Database, later: Database, page: ToCheck) -> None:
    write(db, page, look())
    before = row(db, "url_check_state")
    done = write(later, page, failure())
    after = row(db, "url_check_state")
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"consecutive_failures", "last_error", "updated_at"}
    assert (after["consecutive_failures"], after["last_error"]) == (1, "the server answered 500")
    seen = rows(db, "url_observations")[1]
    assert (seen["outcome"], seen["content_sha256"], seen["extractor"]) == ("failed", None, None)
    assert rows(db, "url_change_events") == []
    assert 10 <= (from_iso(done.next_check_at) - later.now).total_seconds() / 60 <= 12


def test_failures_in_a_row(db: Database, page: ToCheck) -> None:
    waits = [from_iso(write(db, page, failure()).next_check_at) - db.now for _ in range(4)]
    assert waits[3] > 6 * waits[0]
    assert row(db, "url_check_state")["consecutive_failures"] == 4
    write(db, page, look())
    state = row(db, "url_check_state")
    assert (state["consecutive_failures"], state["last_error"]) == (0, None)


def test_a_page_that_failed_from_the_first_look(db: Database, page: ToCheck) -> None:
    done = write(db, page, failure(retry_after_s=7200))
    assert from_iso(done.next_check_at) - db.now == timedelta(hours=2)
    assert state_of(db, page) == State(consecutive_failures=1)


def test_back_after_a_failure_and_as_it_was(db: Database, later: Database, page: ToCheck) -> None:
    write(db, page, look())
    write(db, page, failure())
    write(later, page, Look(NOT_MODIFIED, 304, read=Read(SHA, None, '{"looks":2}')))
    state = row(db, "url_check_state")
    assert (state["consecutive_failures"], state["last_error"]) == (0, None)


# --- two runs at once -------------------------------------------------------------------------


def test_a_comparison_with_what_is_not_the_last_look_is_refused(db: Database, page: ToCheck) -> None:
    state = state_of(db, page)
    assert record(db, page, state, look()) is not None
    before = {table: rows(db, table) for table in ("url_observations", "url_check_state", "urls")}
    assert record(db, page, state, look(told(CHANGE))) is None
    assert before == {table: rows(db, table) for table in before}
    assert rows(db, "url_change_events") == []


@pytest.mark.parametrize(
    "column", ["content_sha256 = :other", "extractor = 99", "body_sha256 = :other", "memory = '{}'"]
)
def test_all_that_a_comparison_rests_on_counts(db: Database, page: ToCheck, column: str) -> None:
    write(db, page, look())
    state = state_of(db, page)
    with db.transaction() as connection:
        put(connection, "url_contents", content_sha256=OTHER)
        connection.execute(f"UPDATE url_check_state SET {column}", {"other": OTHER})
    assert record(db, page, state, look(NEXT)) is None


def test_a_failure_of_another_run_does_not_spoil_a_comparison(db: Database, page: ToCheck) -> None:
    write(db, page, look())
    state = state_of(db, page)
    write(db, page, failure())
    assert record(db, page, state, look(told(CHANGE))) is not None
    assert row(db, "url_check_state")["consecutive_failures"] == 0


def test_a_failure_is_written_down_whatever_others_saw(db: Database, page: ToCheck) -> None:
    state = state_of(db, page)
    write(db, page, look())
    assert record(db, page, state, failure()) is not None
    assert row(db, "url_check_state")["content_sha256"] == SHA


def test_a_page_that_another_run_has_looked_at(db: Database, page: ToCheck) -> None:
    assert observations.state(db, page) == State()
    write(db, page, failure())
    assert observations.state(db, page) is None


def test_a_page_that_is_gone_from_the_library(db: Database, page: ToCheck) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM user_url_library")
        connection.execute("DELETE FROM urls")
    assert observations.state(db, page) is None


def test_all_or_nothing(db: Database, page: ToCheck) -> None:
    twice = (CHANGE, CHANGE)  # the second has the id of the first
    with pytest.raises(Exception, match="UNIQUE"):
        record(db, page, State(), look(told(*twice)))
    tables = (
        "url_observations",
        "url_check_state",
        "url_contents",
        "url_change_events",
        "url_render_artifacts",
    )
    assert {table: rows(db, table) for table in tables} == {table: [] for table in tables}
    assert row(db, "urls")["last_checked_at"] is None


def test_a_locked_file(db: Database, page: ToCheck, now: datetime) -> None:
    with (
        open_database(db.path, now=now, busy_timeout_s=0.01) as other,
        db.transaction(),
        pytest.raises(LockedFile),
    ):
        record(other, page, State(), look())


# --- what the next look is compared with ------------------------------------------------------


def test_nothing_is_known_of_a_new_page(db: Database, page: ToCheck) -> None:
    assert known(db, page, State()) == Known()


def test_the_last_look(db: Database, page: ToCheck) -> None:
    write(db, page, look())
    assert known(db, page, state_of(db, page)) == Known(SHA, b"packed", '{"looks":1}', EXTRACTOR)


@pytest.mark.parametrize(("body_url", "url"), [("https://elsewhere.example/", None), (None, LAMP)])
def test_a_page_that_another_extractor_read(
    db: Database, page: ToCheck, body_url: str | None, url: str | None
) -> None:
    write(db, page, look(replace(FIRST, body=pack(b"<p>")), body_charset="latin-1", body_url=body_url))
    with db.transaction() as connection:
        connection.execute("UPDATE url_check_state SET extractor = 99")
    state = state_of(db, page)
    assert state.is_outdated
    found = known(db, page, state)
    assert (found.extractor, found.body_url, found.body_charset) == (99, body_url or url, "latin-1")
    assert zlib.decompress(found.body or b"") == b"<p>"


def test_a_page_that_another_extractor_read_and_nobody_kept(db: Database, page: ToCheck) -> None:
    write(db, page, look(replace(FIRST, body=None)))
    with db.transaction() as connection:
        connection.execute("UPDATE url_check_state SET extractor = 99")
    assert known(db, page, state_of(db, page)).body is None
