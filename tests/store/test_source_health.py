"""How the sources do, as one visitor may see it."""

from __future__ import annotations

import pytest
from store.rows import put
from store.shelf import ANNA, BEN, COUNCIL, ENDED, HARBOUR, TIDEPOOL, article, owner, people_and_sources

from digestlog.store import source_health
from digestlog.store.db import Database
from digestlog.store.source_health import PAUSED, TROUBLE, WELL


@pytest.fixture(autouse=True)
def shelf(db: Database) -> None:
    people_and_sources(db.connection)
    put(db.connection, "source_fetch_state", source_uuid=TIDEPOOL, consecutive_failures=3)


def ids(found: list[source_health.Health]) -> list[str]:
    return [one.source.source_uuid for one in found]


def test_those_in_trouble_come_first(db: Database) -> None:
    found = source_health.listed(db, owner(db.connection))
    assert ids(found) == [TIDEPOOL, COUNCIL, HARBOUR]
    assert [one.state for one in found] == [TROUBLE, PAUSED, WELL]


def test_each_sees_their_own(db: Database) -> None:
    assert ids(source_health.listed(db, ANNA)) == [COUNCIL, HARBOUR]
    assert ids(source_health.listed(db, BEN)) == [TIDEPOOL, HARBOUR]
    assert source_health.counts(db, ANNA) == {TROUBLE: 0, PAUSED: 1, WELL: 1}
    assert source_health.counts(db, owner(db.connection)) == {TROUBLE: 1, PAUSED: 1, WELL: 1}
    assert source_health.one(db, ANNA, TIDEPOOL) is None
    assert source_health.one(db, owner(db.connection), ENDED) is None
    assert source_health.names(db, BEN, 9) == [(HARBOUR, "Harbour Times"), (TIDEPOOL, "Tidepool Review")]
    assert len(source_health.names(db, BEN, 1)) == 1


def test_by_state(db: Database) -> None:
    admin = owner(db.connection)
    assert ids(source_health.listed(db, admin, state=PAUSED)) == [COUNCIL]
    assert ids(source_health.listed(db, admin, state=TROUBLE)) == [TIDEPOOL]
    assert ids(source_health.listed(db, admin, state=WELL)) == [HARBOUR]


def test_page_by_page(db: Database) -> None:
    admin = owner(db.connection)
    seen: list[str] = []
    while found := source_health.listed(db, admin, after=seen[-1] if seen else None, limit=1):
        seen += ids(found)
    assert seen == [TIDEPOOL, COUNCIL, HARBOUR]
    assert ids(source_health.listed(db, admin, after="W_RSS_99")) == seen


def test_what_was_found_day_by_day(db: Database) -> None:
    article(db.connection, "a", "2026-02-12T10:00:00+00:00")
    article(db.connection, "b", "2026-02-12T11:00:00+00:00")
    article(db.connection, "c", "2026-02-13T01:00:00+00:00")
    article(db.connection, "old", "2025-12-01T01:00:00+00:00")
    health = source_health.one(db, BEN, HARBOUR)
    assert health is not None
    assert health.days[-1] == "2026-02-13" and len(health.days) == source_health.DAYS
    assert health.found[-2:] == (2.0, 1.0) and sum(health.found) == 3


def test_the_latest_visits(db: Database) -> None:
    for number, at in enumerate(("2026-02-12T10:00:00+00:00", "2026-02-12T11:00:00+00:00")):
        run = f"00000000-0000-4000-8000-{number:012x}"
        put(db.connection, "scan_runs", run_id=run)
        put(db.connection, "scan_source_results", run_id=run, source_uuid=HARBOUR, created_at=at, new=number)
    assert [one.new for one in source_health.visits(db, HARBOUR)] == [1, 0]
    assert len(source_health.visits(db, HARBOUR, 1)) == 1
    assert source_health.visits(db, TIDEPOOL) == []
