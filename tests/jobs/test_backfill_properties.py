"""Whatever the older tracker writes, and whenever a backfill runs in between: the same library in the end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import NOW
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.rows import THEN, USER, put, uuid

from digestlog.jobs.backfill import backfill
from digestlog.store import v1_steps
from digestlog.store.db import Database, open_database

PAID = uuid(60)
BACKFILL = "backfill"
V1_TABLES = ("tracked_urls", "url_checks", "url_changes", "summaries", "url_renders")
LIBRARY = ("url_render_artifacts", "url_change_summaries", "url_change_events", "url_observations")

# Pages of two users in two spellings each; checks, changes and renders by the number of their page.
PAGES = [("page", number, 0) for number in range(4)]
REST = st.tuples(
    st.sampled_from(("check", "change", "render", BACKFILL)), st.integers(0, 3), st.integers(0, 5)
)
WRITES = st.tuples(st.permutations(PAGES), st.lists(REST, max_size=25, unique=True))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Two files that every example starts anew."""
    folder = tmp_path_factory.mktemp("backfill")
    yield folder / "one.db", folder / "two.db"


def emptied(db: Database) -> Database:
    with db.transaction() as connection:
        for table in (*LIBRARY, *reversed(V1_TABLES), "user_url_library", "urls"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("DELETE FROM users WHERE role = 'user'")
        put(connection, "users", created_at=THEN)
        put(connection, "users", id=PAID, name="paula", created_at=THEN)
    return db


def write(connection: sqlite3.Connection, what: str, page: int, number: int) -> None:
    """What a worker of the older tracker does: its row, and of a change the summary too."""
    own = {"id": uuid(1_000 + 100 * page + number), "tracked_url_id": uuid(100 + page), "created_at": THEN}
    if what == "page":
        row = {"id": uuid(100 + page), "user_id": (USER, PAID)[page % 2], "created_at": THEN}
        put(
            connection,
            "tracked_urls",
            row,
            url=f"https://p{page // 2}.example/?ref={page}",
            canonical_url=None,
        )
    elif what == "check":
        at = f"2026-02-0{1 + number // 2}T0{number % 2}:0{page}:00+00:00"
        put(connection, "url_checks", own, checked_at=at)
    elif what == "change":
        put(connection, "url_changes", own, check_id=None)
        put(connection, "summaries", id=own["id"], change_id=own["id"], created_at=THEN)
    else:
        put(connection, "url_renders", own, check_id=None)


def play(db: Database, steps: Sequence[tuple[str, int, int]]) -> None:
    for what, page, number in steps:
        if what == BACKFILL:
            backfill(db, lambda *_: None, batch=1 + number)
        else:
            with db.transaction() as connection:
                write(connection, what, page, number)
    backfill(db, lambda *_: None)


def result(db: Database) -> dict[str, Any]:
    """The library's rows; of the looks only their pages and days, since any of a day's may be it."""
    tables = ("urls", "user_url_library", *LIBRARY[:3])
    found: dict[str, Any] = {
        table: sorted(map(tuple, db.rows(f"SELECT * FROM {table}")), key=repr) for table in tables
    }
    looks = [tuple(row) for row in db.rows("SELECT url_id, checked_day FROM url_observations ORDER BY 1, 2")]
    assert len(looks) == len(set(looks))
    return {**found, "looks": looks}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WRITES)
def test_backfills_in_between_change_nothing(
    files: tuple[Path, Path], drawn: tuple[list[tuple[str, int, int]], list[tuple[str, int, int]]]
) -> None:
    pages, rest = drawn
    at_once = [*PAGES, *sorted(step for step in rest if step[0] != BACKFILL)]
    one, two = (open_database(file, now=NOW, frozen=True) for file in files)
    with one, two:
        play(emptied(one), [*pages, *rest])
        play(emptied(two), at_once)
        assert result(one) == result(two)
        assert all(count.missing == 0 for count in v1_steps.counts(one))
