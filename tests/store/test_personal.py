"""A user's copy holds exactly what document 002's rules allow: told here a second time, in Python."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.rows import BRAND, ROWS, USER, put, uuid

from digestlog.errors import StorageError
from digestlog.store import personal
from digestlog.store.db import Database, open_database
from digestlog.store.gates import GATES, TABLES, VIEWS
from digestlog.store.personal import Copy, Gone, Limits, TooMuch, Watch

USERS = (uuid(501), uuid(502))
PAGES = tuple(uuid(511 + n) for n in range(3))
BRANDS = (uuid(521), uuid(522))
TIMES = tuple(f"2026-02-{day}T00:00:00+00:00" for day in (10, 11, 12, 13))
DAYS = tuple(at[:10] for at in TIMES)

Rows = set[tuple[Any, ...]]


def nothing(_: object) -> None:
    """No preparation."""


def rows_of(copy: Copy, sql: str) -> list[tuple[Any, ...]]:
    return copy.run(lambda connection: [tuple(row) for row in connection.execute(sql)], nothing)


def ids(copy: Copy, table: str, column: str = "id") -> set[Any]:
    return {value for (value,) in rows_of(copy, f"SELECT {column} FROM {table}")}


@pytest.fixture
def filled(db: Database) -> Database:
    """One good row in every table; all that belongs to a user is anna's, and her history is whole."""
    there = {"clock", "article_documents", "url_identity", "file_owner", "plan_definitions", "source_numbers"}
    for table in ROWS:
        if table not in there:
            put(db.connection, table)
    db.connection.execute("UPDATE user_url_library SET history_start_at = NULL")
    db.connection.execute("DELETE FROM subscriptions WHERE user_id <> ?", (USER,))
    return db


@pytest.fixture
def annas(filled: Database) -> Iterator[Copy]:
    with closing(Copy(filled.path, USER)) as copy:
        yield copy


def test_a_copy_has_the_tables_of_the_gates_and_no_other(annas: Copy) -> None:
    found = rows_of(annas, "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view')")
    assert sorted(found) == sorted(
        [("table", table) for table in TABLES] + [("view", view) for view in VIEWS]
    )
    assert annas.cut == ()


def test_what_is_ones_own_is_there_and_the_same(filled: Database, annas: Copy) -> None:
    hidden = {gate.table: gate.hidden for gate in GATES}
    for table in sorted(TABLES - {"plan_definitions", "users"}):
        columns = [row[1] for row in filled.connection.execute(f"PRAGMA table_info({table})")]
        names = ", ".join(f'"{name}"' for name in columns if name not in hidden[table])
        sql = f"SELECT {names} FROM {table}"
        assert rows_of(annas, sql) == [tuple(row) for row in filled.rows(sql)] != [], table
    assert len(rows_of(annas, "SELECT * FROM plan_definitions")) == 2
    assert rows_of(annas, "SELECT id, name FROM users") == [(USER, "anna")]
    assert rows_of(annas, "SELECT id, name FROM brands") == [(BRAND, "Shop")]


def test_secrets_and_who_decided_are_no_columns(annas: Copy) -> None:
    for table, column in (
        ("users", "password_hash"),
        ("users", "session_epoch"),
        ("url_policy_decisions", "decided_by"),
    ):
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            rows_of(annas, f"SELECT {column} FROM {table}")


def test_somebody_else_gets_nothing_of_it(filled: Database) -> None:
    put(filled.connection, "users", id=uuid(60), name="bob")
    with closing(Copy(filled.path, uuid(60))) as copy:
        counts = {table: len(rows_of(copy, f"SELECT 1 FROM {table}")) for table in TABLES}
    assert {table for table, count in counts.items() if count} == {
        "users",
        "plan_definitions",
        "trend_definitions",
        "trend_points",
    }
    with closing(Copy(filled.path, "nobody")) as copy:
        assert rows_of(copy, "SELECT * FROM users") == []


def test_keys_references_and_indexes_come_along(annas: Copy) -> None:
    def look(connection: sqlite3.Connection) -> None:
        keys = [row[1] for row in connection.execute("PRAGMA table_info(trend_points)") if row[5]]
        assert sorted(keys) == ["day", "series", "trend_id"]
        targets = {(row[3], row[2]) for row in connection.execute("PRAGMA foreign_key_list(synthesis_items)")}
        assert targets == {("synthesis_id", "syntheses")}  # the ledger is not here
        indexes = {row[1] for row in connection.execute("PRAGMA index_list(url_observations)")}
        assert {"idx_url_observations_url", "idx_url_observations_v1_day"} <= indexes
        hidden = {row[1] for row in connection.execute("PRAGMA index_list(url_policy_decisions)")}
        assert "idx_url_policy_decisions_decided_by" not in hidden

    annas.run(look, nothing)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO users SELECT * FROM users",
        "ATTACH '{path}' AS file",
        "ATTACH 'file:{path}?mode=ro' AS file",
        "CREATE TEMP TABLE t (a)",
        "PRAGMA query_only = 0; DELETE FROM users",
    ],
)
def test_a_copy_can_be_read_and_nothing_else(filled: Database, annas: Copy, sql: str) -> None:
    with pytest.raises(sqlite3.Error):
        annas.run(lambda connection: connection.executescript(sql.format(path=filled.path)), nothing)
    assert len(rows_of(annas, "SELECT * FROM users")) == 1


def test_what_a_preparation_loosens_is_tightened_again(annas: Copy) -> None:
    def loosen(connection: Any) -> None:
        connection.set_authorizer(None)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 10)

    with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
        annas.run(lambda connection: connection.execute("ATTACH ':memory:' AS x"), loosen)


def test_a_copy_is_of_one_moment(filled: Database, annas: Copy) -> None:
    filled.connection.execute("UPDATE users SET name = 'eve' WHERE name = 'anna'")
    assert rows_of(annas, "SELECT name FROM users") == [("anna",)]


def test_several_read_at_once(annas: Copy) -> None:
    gate = threading.Barrier(6, timeout=30)
    seen: list[int] = []

    def work(connection: sqlite3.Connection) -> None:
        gate.wait()
        seen.append(connection.execute("SELECT count(*) FROM users").fetchone()[0])

    threads = [threading.Thread(target=annas.run, args=(work, nothing)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 6


def test_connections_are_used_again_and_prepared_once(annas: Copy) -> None:
    prepared: list[object] = []
    for _ in range(3):
        annas.run(lambda connection: connection.execute("SELECT 1").fetchall(), prepared.append)
    assert len(prepared) == 1


def test_a_closed_copy_is_gone_when_the_last_reader_is_done(annas: Copy) -> None:
    def close_and_read(connection: sqlite3.Connection) -> int:
        annas.close()
        return int(connection.execute("SELECT count(*) FROM users").fetchone()[0])

    assert annas.run(close_and_read, nothing) == 1
    with pytest.raises(Gone):
        annas.run(nothing, nothing)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        annas._keeper.execute("SELECT 1")


def test_only_the_newest_rows_of_a_large_table(filled: Database) -> None:
    for number in range(5):
        put(
            filled.connection,
            "article_history",
            id=uuid(700 + number),
            url_hash=f"{number:064x}",
            created_at=f"2026-02-10T00:00:0{number}+00:00",
        )
    with closing(Copy(filled.path, USER, Limits(rows=3))) as copy:
        assert copy.cut == ("article_history",)
        times = sorted(value for (value,) in rows_of(copy, "SELECT created_at FROM article_history"))
        every = sorted(row["created_at"] for row in filled.rows("SELECT created_at FROM article_history"))
        assert times == every[-3:]


def test_a_row_that_is_too_large_is_left_out(filled: Database) -> None:
    put(filled.connection, "url_render_artifacts", id=uuid(701), content=bytes(5_000))
    with closing(Copy(filled.path, USER, Limits(row_bytes=1_000))) as copy:
        assert copy.cut == ("url_render_artifacts",)
        assert uuid(701) not in ids(copy, "url_render_artifacts")
        assert ids(copy, "url_render_artifacts")


def test_too_much_is_refused_in_words(filled: Database) -> None:
    put(filled.connection, "url_render_artifacts", id=uuid(701), content=bytes(3_000_000))
    with pytest.raises(TooMuch, match="too much"):
        Copy(filled.path, USER, Limits(bytes=1_000_000))


def test_other_errors_stay_what_they_are(filled: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal, "_table_sql", lambda *_: "CREATE nonsense")
    with pytest.raises(sqlite3.OperationalError, match="nonsense"):
        Copy(filled.path, USER)


def test_a_file_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        Copy(tmp_path / "none.db", USER)
    with pytest.raises(StorageError):
        Watch(tmp_path / "none.db")


def test_a_watch_tells_when_another_program_has_written(filled: Database) -> None:
    with closing(Watch(filled.path)) as watch:
        before = watch.version()
        assert watch.version() == before
        filled.rows("SELECT * FROM users")
        assert watch.version() == before
        filled.connection.execute("UPDATE users SET name = 'eve' WHERE name = 'anna'")
        assert watch.version() != before


# --- against the rules, told in Python --------------------------------------------------------

MEMBERSHIP = st.tuples(st.booleans(), st.sampled_from([None, *TIMES]))
SEEN = st.tuples(st.sampled_from(PAGES), st.sampled_from(TIMES))
WORLD = st.fixed_dictionaries(
    {
        "memberships": st.dictionaries(
            st.tuples(st.sampled_from(USERS), st.sampled_from(PAGES)), MEMBERSHIP, max_size=6
        ),
        "brands": st.tuples(*[st.sampled_from([None, *BRANDS])] * 3),
        "looks": st.lists(SEEN, max_size=5),
        "events": st.lists(SEEN, max_size=5),
        # A page, a time of storing, the number of a look or none.
        "renderings": st.lists(st.tuples(SEEN, st.none() | st.integers(0, 4)), max_size=5),
        "told": st.sets(st.tuples(st.sampled_from(USERS), st.integers(0, 4)), max_size=5),
        "submissions": st.lists(st.sampled_from(USERS), max_size=4),
        "digests": st.lists(st.sampled_from(USERS), max_size=4),
        "points": st.sets(
            st.tuples(
                st.sampled_from(["all", "brand", "category", "source", "reason"]),
                st.booleans(),
                st.sampled_from(BRANDS),
                st.sampled_from(DAYS),
            ),
            max_size=8,
        ),
    }
)


def number(kind: int, at: int) -> str:
    return uuid(1000 * kind + at)


def build(connection: sqlite3.Connection, world: dict[str, Any]) -> None:
    for at, user in enumerate(USERS):
        put(connection, "users", id=user, name=f"user{at}")
    for at, brand in enumerate(BRANDS):
        put(connection, "brand_library_brands", id=brand, domain=f"b{at}.example")
    for page, brand in zip(PAGES, world["brands"], strict=True):
        put(connection, "urls", id=page, canonical_url=f"https://x.example/{page}", brand_id=brand)
    for at, ((user, page), (active, start)) in enumerate(world["memberships"].items()):
        put(connection, "user_url_library", id=number(1, at), user_id=user, url_id=page, is_active=active)
        connection.execute(
            "UPDATE user_url_library SET history_start_at = ? WHERE id = ?", (start, number(1, at))
        )
    for at, (page, when) in enumerate(world["looks"]):
        times = {"checked_at": when, "checked_day": when[:10]}
        put(connection, "url_observations", times, id=number(2, at), url_id=page)
    for at, (page, when) in enumerate(world["events"]):
        put(
            connection,
            "url_change_events",
            id=number(3, at),
            url_id=page,
            detected_at=when,
            observation_id=None,
        )
        put(connection, "url_change_summaries", id=number(4, at), event_id=number(3, at))
    for at, ((page, when), look) in enumerate(world["renderings"]):
        seen = number(2, look) if look is not None and look < len(world["looks"]) else None
        row = {"id": number(5, at), "url_id": page, "created_at": when, "observation_id": seen}
        put(connection, "url_render_artifacts", row)
    for user, event in world["told"]:
        if event < len(world["events"]):
            put(connection, "told_events", user_id=user, event_id=number(3, event))
    for at, user in enumerate(world["submissions"]):
        row = {"id": number(6, at), "user_id": user, "status": "pending", "matched_url_id": None}
        put(connection, "url_submissions", row)
        put(
            connection, "url_policy_decisions", id=number(7, at), submission_id=number(6, at), decided_by=None
        )
    for at, user in enumerate(world["digests"]):
        put(connection, "syntheses", id=number(8, at), user_id=user)
        row = {"id": number(9, at), "synthesis_id": number(8, at), "article_uuid": None}
        put(connection, "synthesis_items", row)
        put(connection, "synthesis_candidates", synthesis_id=number(8, at), article_uuid=None)
    for scope, active, series, day in world["points"]:
        trend = f"{scope}-{active}"
        row = {"id": trend_id(scope, active), "name": trend, "scope": scope, "is_active": active}
        if not connection.execute("SELECT 1 FROM trend_definitions WHERE name = ?", (trend,)).fetchone():
            put(connection, "trend_definitions", row)
        put(connection, "trend_points", trend_id=row["id"], series=series, day=day)


def trend_id(scope: str, active: bool) -> str:
    return number(10, ["all", "brand", "category", "source", "reason"].index(scope) * 2 + active)


def allowed(world: dict[str, Any], user: str) -> dict[str, set[Any]]:
    """What the rules say, without any SQL."""
    mine = {page: start for (who, page), (on, start) in world["memberships"].items() if who == user and on}

    def passes(page: str, when: str) -> bool:
        return page in mine and (mine[page] is None or when >= mine[page])

    events = {number(3, at) for at, seen in enumerate(world["events"]) if passes(*seen)}
    looks = {number(2, at): when for at, (_, when) in enumerate(world["looks"])}
    renderings = set()
    for at, ((page, stored), look) in enumerate(world["renderings"]):
        seen = looks.get(number(2, look), stored) if look is not None else stored
        if passes(page, seen):
            renderings.add(number(5, at))
    brand_of = dict(zip(PAGES, world["brands"], strict=True))

    def point(scope: str, series: str, day: str) -> bool:
        watched = [start for page, start in mine.items() if brand_of[page] == series]
        return scope in ("all", "source") or (
            scope == "brand" and any(start is None or day > start[:10] for start in watched)
        )

    submissions = {at for at, who in enumerate(world["submissions"]) if who == user}
    digests = {at for at, who in enumerate(world["digests"]) if who == user}
    return {
        "users": {user},
        "urls": set(mine),
        "user_url_library": {
            number(1, at) for at, (who, _) in enumerate(world["memberships"]) if who == user
        },
        "brand_library_brands": {brand_of[page] for page in mine} - {None},
        "brands": {brand_of[page] for page in mine} - {None},
        "url_observations": {number(2, at) for at, seen in enumerate(world["looks"]) if passes(*seen)},
        "url_change_events": events,
        "url_change_summaries": {number(4, int(event[-12:], 16) - 3000) for event in events},
        "url_render_artifacts": renderings,
        "told_events": {number(3, at) for who, at in world["told"] if who == user} & events,
        "url_submissions": {number(6, at) for at in submissions},
        "url_policy_decisions": {number(7, at) for at in submissions},
        "syntheses": {number(8, at) for at in digests},
        "synthesis_items": {number(9, at) for at in digests},
        "synthesis_candidates": {number(8, at) for at in digests},
        "trend_definitions": {trend_id(scope, True) for scope, active, _, _ in world["points"] if active},
        "trend_points": {
            (trend_id(scope, True), series, day)
            for scope, active, series, day in world["points"]
            if active and point(scope, series, day)
        },
    }


KEYS = {"told_events": "event_id", "synthesis_candidates": "synthesis_id"}


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Database]]:
    """Gives one file again and again, each time without users and what is theirs."""
    from conftest import NOW

    path = tmp_path_factory.mktemp("personal") / "digestlog.db"
    with open_database(path, now=NOW) as db:

        def emptied() -> Database:
            db.connection.execute("DELETE FROM file_owner")
            for table in ("user_url_library", "url_submissions", "urls", "brand_library_brands", "users"):
                db.connection.execute(f"DELETE FROM {table}")
            db.connection.execute("DELETE FROM trend_definitions")
            return db

        yield emptied


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(world=WORLD)
def test_a_copy_holds_exactly_what_the_rules_allow(
    blank: Callable[[], Database], world: dict[str, Any]
) -> None:
    db = blank()
    build(db.connection, world)
    for user in USERS:
        with closing(Copy(db.path, user)) as copy:
            for table, expected in allowed(world, user).items():
                if table == "trend_points":
                    found: Rows = set(rows_of(copy, "SELECT trend_id, series, day FROM trend_points"))
                else:
                    found = ids(copy, table, KEYS.get(table, "id"))
                assert found == expected, table


def test_every_table_is_decided() -> None:
    """A new table is nobody's until somebody writes a gate, or names it here."""
    assert set(ROWS) - TABLES == {
        "clock", "url_identity", "file_owner", "access_tokens", "push_targets", "change_log",
        "article_completions", "source_numbers", "sources_master_list",
        "source_fetch_state",
        "extracted_article_urls", "article_source_mentions", "url_resolutions", "source_left_out",
        "scraped_articles", "article_documents", "scrape_state", "scan_runs", "scan_source_results",
        "provider_answers", "brand_domains", "policy_rules", "policy_lists", "policy_domains", "url_contents",
        "url_check_state", "tracked_urls", "url_checks", "url_changes", "summaries", "url_renders",
    }  # fmt: skip
