"""The log of changes: every change of a pushed table is written down, as long as it is pushed."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest
from store.rows import ROWS, fill, put

from digestlog.store import change_log
from digestlog.store.db import Database
from digestlog.store.postgres_schema import tables

ORDER = [table for table in ROWS if table in tables()]


def logged(connection: sqlite3.Connection, table: str) -> list[list[Any]]:
    """The keys of a table that the log has, each once, and an empty log after that."""
    rows = connection.execute(
        "SELECT DISTINCT row_key FROM change_log WHERE table_name = ? ORDER BY seq", [table]
    ).fetchall()
    connection.execute("DELETE FROM change_log")
    return [json.loads(row["row_key"]) for row in rows]


def key_of(connection: sqlite3.Connection, table: str) -> list[Any]:
    names = ", ".join(change_log.primary_key(connection, table))
    (row,) = connection.execute(f"SELECT {names} FROM {table}").fetchall()
    return list(row)


@pytest.fixture
def full(bare: sqlite3.Connection) -> sqlite3.Connection:
    """One row in every table, none mirrored from another, and an empty log."""
    for (name,) in bare.execute("SELECT name FROM sqlite_master WHERE name GLOB 'sync_*'").fetchall():
        bare.execute(f"DROP TRIGGER {name}")
    fill(bare)
    bare.execute("DELETE FROM change_log")
    return bare


def test_every_table_of_postgres_is_watched(bare: sqlite3.Connection) -> None:
    found = {name for (name,) in bare.execute("SELECT name FROM sqlite_master WHERE name GLOB 'logged_*'")}
    assert found == {
        f"logged_{table}_{what}" for table in tables() for what in ("insert", "update", "delete")
    }


def test_every_insert_is_written_down(full: sqlite3.Connection) -> None:
    full.execute("PRAGMA foreign_keys = OFF")
    for table in reversed(ORDER):
        full.execute(f"DELETE FROM {table}")
    for table in ORDER:
        logged(full, table)
        put(full, table)
        assert logged(full, table) == [key_of(full, table)], table


@pytest.mark.parametrize("table", ORDER)
def test_a_change_is_written_down(full: sqlite3.Connection, table: str) -> None:
    column = "article_title" if table == "extracted_article_urls" else "created_at"
    full.execute(f"UPDATE {table} SET {column} = '2020-01-01T00:00:00+00:00'")
    assert logged(full, table) == [key_of(full, table)]


@pytest.mark.parametrize("table", ORDER)
def test_another_key_is_two_rows(full: sqlite3.Connection, table: str) -> None:
    """The one that is gone and the one that came."""
    if table == "extracted_article_urls":
        full.execute("DROP TRIGGER extracted_article_urls_first_seen_is_final")
    if table == "scraped_articles":
        full.execute("DROP TRIGGER scraped_articles_content_is_final")
    full.execute("PRAGMA foreign_keys = OFF")
    full.execute("PRAGMA ignore_check_constraints = ON")
    before = key_of(full, table)
    (name, *_) = change_log.primary_key(full, table)
    full.execute(f"UPDATE {table} SET {name} = :new", {"new": 7 if name == "id" and before == [1] else "new"})
    assert sorted(logged(full, table), key=str) == sorted([before, key_of(full, table)], key=str)


@pytest.mark.parametrize("table", ORDER)
def test_a_delete_is_written_down(full: sqlite3.Connection, table: str) -> None:
    full.execute("PRAGMA foreign_keys = OFF")
    key = key_of(full, table)
    full.execute(f"DELETE FROM {table}")
    assert key in logged(full, table)


def test_what_goes_with_a_row_is_written_down_too(full: sqlite3.Connection) -> None:
    full.execute("DELETE FROM url_policy_decisions")
    full.execute("DELETE FROM file_owner")
    full.execute("DELETE FROM users")
    found = {name for (name,) in full.execute("SELECT DISTINCT table_name FROM change_log")}
    assert {"users", "settings", "categories", "article_history", "syntheses", "synthesis_items"} <= found


def test_nothing_is_written_down_where_nothing_is_pushed(bare: sqlite3.Connection) -> None:
    bare.execute("PRAGMA foreign_keys = OFF")
    fill(bare)
    bare.execute("DELETE FROM push_targets")
    bare.execute("DELETE FROM change_log")
    for table in ORDER:
        bare.execute(f"DELETE FROM {table}")
    assert bare.execute("SELECT count(*) FROM change_log").fetchone()[0] == 0


# --- the numbers ------------------------------------------------------------------------------


def begun(db: Database, number: int = 1) -> change_log.Target:
    return change_log.begin(db, f"00000000-0000-4000-8000-{number:012}", f"db.example/{number}")


def changes(db: Database, count: int) -> None:
    for number in range(count):
        with db.transaction() as connection:
            connection.execute("UPDATE users SET session_epoch = :n", {"n": number})


def test_a_number_is_never_given_again(db: Database) -> None:
    target = begun(db)
    changes(db, 3)
    with change_log.moment_of(db) as seq:
        assert seq == 3
    change_log.end(db, target, 3)
    changes(db, 1)
    with change_log.moment_of(db) as seq:
        assert seq == 4
    change_log.forget(db, target.place)
    changes(db, 2)
    begun(db)
    changes(db, 1)
    with change_log.moment_of(db) as seq:
        assert seq == 5


def test_a_row_that_changed_often_is_sent_once(db: Database) -> None:
    begun(db)
    changes(db, 5)
    assert change_log.targets(db)[0].waiting == 1
    with change_log.moment_of(db):
        change_log.collect(db, 0, whole=False)
        assert change_log.gathered(db) == {"users": 1}
        change_log.collect(db, 5, whole=False)
        assert change_log.gathered(db) == {}
        change_log.collect(db, 0, whole=True)
        assert change_log.gathered(db) == {"users": 1}


@pytest.mark.parametrize("seen", ["token", "next_token", "other"])
def test_which_push_is_ours(db: Database, seen: str) -> None:
    change_log.end(db, begun(db), 0)
    before = begun(db)
    tokens = {"token": before.token, "next_token": before.next_token, "other": before.target_id}
    after = change_log.begin(db, before.target_id, "moved.example/1", seen=tokens[seen])
    assert (after.file_id == before.file_id) == (seen != "other")
    assert after.token == (None if seen == "other" else tokens[seen])
    assert after.next_token not in (before.token, before.next_token)
    assert after.place == "moved.example/1"
