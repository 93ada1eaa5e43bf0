"""Runs and their results, what a visit leaves behind, and which sources are due."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.rows import HASH

from digestlog.core.ledger import LeftOut
from digestlog.core.model import NewSource
from digestlog.core.moments import to_iso
from digestlog.errors import LockedFile
from digestlog.store import scans, sources
from digestlog.store.db import Database, open_database
from digestlog.store.scans import Due, FetchState, SourceResult

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"
SINCE = "2026-02-12T09:02:10+00:00"
TOTALS = dict.fromkeys(
    ("failed", "not_modified", "entries", "new", "known", "outside_window", "undated", "requests"), 0
)

RESULT = SourceResult(
    source_uuid="W_RSS_1",
    source_name="one",
    source_url="https://one.example/feed",
    outcome="ok",
    http_status=200,
    entries=9,
    new=2,
    known=3,
    outside_window=4,
    undated=1,
    duration_ms=17,
    lane="fast",
    moved_to="https://one.example/new",
    next_scan_at=LATER_ISO,
    error="one entry without a link",
)
GOOD = FetchState('"1"', "Thu, 12 Feb 2026 14:03:12 GMT", HASH, 3600, SINCE, None, 0, None, True)
BAD = replace(
    GOOD,
    next_scan_at=datetime(2026, 2, 13, 9, 22, 10, tzinfo=UTC),
    consecutive_failures=1,
    last_error="answered 500",
    succeeded=False,
)


@pytest.fixture
def run_id(db: Database) -> str:
    """A run on a file with two feeds and a page."""
    for name, method in (("one", "RSS"), ("two", "RSS"), ("page", "Direct")):
        sources.insert(db, NewSource(f"https://{name}.example/feed", name, method))
    return scans.begin(db, sources=3, window_s=86_400)


@pytest.fixture
def later(run_id: str, db: Database, now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def record(
    db: Database,
    run_id: str,
    result: SourceResult = RESULT,
    state: FetchState = GOOD,
    left_out: list[LeftOut] | None = None,
) -> None:
    with db.transaction() as connection:
        scans.record(db, connection, run_id, result, state, left_out)


def row(db: Database, table: str) -> dict[str, Any]:
    (found,) = db.rows(f"SELECT * FROM {table}")
    return dict(found)


def due_ids(db: Database, *, everything: bool = False) -> list[str]:
    return [one.source.source_uuid for one in scans.due(db, everything=everything)]


# --- runs -------------------------------------------------------------------------------------


def test_a_run_begins(db: Database, run_id: str) -> None:
    found = row(db, "scan_runs")
    assert found == found | {
        "run_id": run_id,
        "started_at": NOW_ISO,
        "finished_at": None,
        "sources": 3,
        "window_s": 86_400,
        "outcome": "running",
        "created_at": NOW_ISO,
    }


def test_a_run_without_a_window(db: Database) -> None:
    scans.begin(db, sources=0, window_s=None)
    assert row(db, "scan_runs")["window_s"] is None


def test_each_run_has_its_own_id(db: Database) -> None:
    assert len({scans.begin(db, sources=0, window_s=1) for _ in range(5)}) == 5


def test_a_run_ends_with_its_sums(db: Database, later: Database, run_id: str) -> None:
    totals = {name: number for number, name in enumerate(TOTALS, 1)} | {"duration_ms": 1234}
    scans.finish(later, run_id, totals)
    found = row(later, "scan_runs")
    assert found == found | totals | {"finished_at": LATER_ISO, "outcome": "ok", "started_at": NOW_ISO}


def test_only_the_run_that_ended_is_closed(db: Database, run_id: str) -> None:
    other = scans.begin(db, sources=1, window_s=1)
    scans.finish(db, other, {**TOTALS, "duration_ms": 1})
    outcomes = {r["run_id"]: r["outcome"] for r in db.rows("SELECT * FROM scan_runs")}
    assert outcomes == {run_id: "running", other: "ok"}


# --- results ----------------------------------------------------------------------------------


def test_a_result_is_stored_as_it_is(db: Database, run_id: str) -> None:
    record(db, run_id)
    told = asdict(RESULT)
    for name in ("source_name", "source_url", "next_scan_at"):
        del told[name]  # they stand in other tables
    assert row(db, "scan_source_results") == {**told, "run_id": run_id, "created_at": NOW_ISO}


@pytest.mark.parametrize(
    ("status", "stored"), [(None, None), (100, 100), (599, 599), (99, None), (600, None), (999, None)]
)
def test_a_status_that_http_does_not_know(
    db: Database, run_id: str, status: int | None, stored: int | None
) -> None:
    record(db, run_id, replace(RESULT, http_status=status))
    assert row(db, "scan_source_results")["http_status"] == stored


def test_all_or_nothing(db: Database, run_id: str) -> None:
    with pytest.raises(RuntimeError), db.transaction() as connection:
        scans.record(db, connection, run_id, RESULT, GOOD, [])
        raise RuntimeError
    for table in ("scan_source_results", "source_fetch_state", "source_left_out"):
        assert db.rows(f"SELECT * FROM {table}") == []


def test_a_locked_file_says_so(db: Database, run_id: str, now: datetime) -> None:
    with open_database(db.path, now=now, busy_timeout_s=0.01) as other, db.transaction():
        with pytest.raises(LockedFile):
            scans.begin(other, sources=1, window_s=1)
        with pytest.raises(LockedFile):
            scans.finish(other, run_id, {**TOTALS, "duration_ms": 1})


# --- what the next visit needs ----------------------------------------------------------------


def test_the_state_after_a_success(db: Database, run_id: str) -> None:
    record(db, run_id)
    assert row(db, "source_fetch_state") == {
        "source_uuid": "W_RSS_1",
        "etag": '"1"',
        "last_modified": "Thu, 12 Feb 2026 14:03:12 GMT",
        "body_sha256": HASH,
        "last_scanned_at": NOW_ISO,
        "last_success_at": NOW_ISO,
        "next_scan_at": None,
        "read_since": SINCE,
        "min_interval_s": 3600,
        "consecutive_failures": 0,
        "last_error": None,
        "created_at": NOW_ISO,
        "updated_at": NOW_ISO,
    }


def test_the_state_after_a_first_failure(db: Database, run_id: str) -> None:
    record(db, run_id, state=BAD)
    found = row(db, "source_fetch_state")
    assert (found["last_scanned_at"], found["last_success_at"]) == (NOW_ISO, None)
    assert (found["next_scan_at"], found["last_error"]) == ("2026-02-13T09:22:10+00:00", "answered 500")


def test_a_failure_does_not_forget_the_last_success(db: Database, later: Database, run_id: str) -> None:
    record(db, run_id)
    record(later, scans.begin(later, sources=1, window_s=1), state=BAD)
    found = row(later, "source_fetch_state")
    assert (found["last_scanned_at"], found["last_success_at"]) == (LATER_ISO, NOW_ISO)
    assert (found["created_at"], found["updated_at"]) == (NOW_ISO, LATER_ISO)
    assert (found["etag"], found["consecutive_failures"]) == ('"1"', 1)


def test_a_success_forgets_the_failures(db: Database, later: Database, run_id: str) -> None:
    record(db, run_id, state=BAD)
    record(later, scans.begin(later, sources=1, window_s=1))
    found = row(later, "source_fetch_state")
    assert (found["consecutive_failures"], found["last_error"], found["next_scan_at"]) == (0, None, None)
    assert found["last_success_at"] == LATER_ISO


# --- due --------------------------------------------------------------------------------------


def test_a_source_that_was_never_visited_is_due(db: Database, run_id: str) -> None:
    assert due_ids(db) == ["W_RSS_1", "W_RSS_2", "W_DIRECT_1"]
    assert scans.due(db)[0] == Due(scans.due(db)[0].source, None, None, None, None, None)


def test_a_due_source_has_what_its_last_visit_left(db: Database, run_id: str) -> None:
    record(db, run_id)
    found = scans.due(db)[0]
    assert (found.etag, found.last_modified, found.body_sha256) == (GOOD.etag, GOOD.last_modified, HASH)
    assert (found.min_interval_s, found.read_since) == (3600, SINCE)
    assert found.source == sources.get(db, "W_RSS_1")


@pytest.mark.parametrize(("wait_s", "is_due"), [(-1, True), (0, True), (1, False), (86_400, False)])
def test_a_source_is_due_when_its_time_has_come(
    db: Database, run_id: str, now: datetime, wait_s: int, is_due: bool
) -> None:
    record(db, run_id, state=replace(GOOD, next_scan_at=now + timedelta(seconds=wait_s)))
    assert ("W_RSS_1" in due_ids(db)) is is_due
    assert "W_RSS_1" in due_ids(db, everything=True)


def test_paused_and_removed_sources_are_never_due(db: Database, run_id: str) -> None:
    sources.pause(db, "W_RSS_1", "loud")
    sources.remove(db, "W_RSS_2")
    assert due_ids(db) == due_ids(db, everything=True) == ["W_DIRECT_1"]


# --- what was left out ------------------------------------------------------------------------

OLD = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
LEFT = [
    LeftOut("https://e.org/old", "outside_window", OLD),
    LeftOut("https://e.org/\"'\\ü\ud800", "no_identity: not_text"),
]


def test_what_was_left_out_is_known_next_time(db: Database, run_id: str) -> None:
    assert scans.left_out(db, "W_RSS_1") == {}
    record(db, run_id, left_out=LEFT)
    assert scans.left_out(db, "W_RSS_1") == {left.url: left for left in LEFT}
    assert scans.left_out(db, "W_RSS_2") == {}


def test_a_reading_replaces_the_one_before(db: Database, later: Database, run_id: str) -> None:
    record(db, run_id, left_out=LEFT)
    record(later, scans.begin(later, sources=1, window_s=1), left_out=[])
    assert scans.left_out(later, "W_RSS_1") == {}
    assert row(later, "source_left_out")["updated_at"] == LATER_ISO


@pytest.mark.parametrize("again", [None, LEFT], ids=["not read anew", "the same"])
def test_nothing_changes_where_nothing_new_was_read(
    db: Database, later: Database, run_id: str, again: list[LeftOut] | None
) -> None:
    record(db, run_id, left_out=LEFT)
    before = row(db, "source_left_out")
    record(later, scans.begin(later, sources=1, window_s=1), left_out=again)
    assert row(later, "source_left_out") == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    st.lists(
        st.builds(
            LeftOut,
            # Nothing that is stored holds NUL.
            st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=30),
            st.sampled_from(["outside_window", "no_identity: invalid"]),
            st.none() | st.datetimes(timezones=st.just(UTC)).map(lambda at: at.replace(microsecond=0)),
        ),
        max_size=5,
        unique_by=lambda left: left.url,
    )
)
def test_any_text_can_be_left_out(db: Database, run_id: str, left: list[LeftOut]) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM scan_source_results")
    record(db, run_id, left_out=left)
    assert list(scans.left_out(db, "W_RSS_1").values()) == left
    assert all(left.published_at is None or to_iso(left.published_at) for left in left)


def test_nul_is_not_stored(db: Database, run_id: str) -> None:
    record(db, run_id, left_out=[LeftOut("https://e.org/a\0b", "outside_window", None)])
    assert list(scans.left_out(db, "W_RSS_1")) == ["https://e.org/ab"]
