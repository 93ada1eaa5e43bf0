"""What an export may hold, for an admin and for another user."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from store.rows import ROWS, THEN, USER, put, uuid

from digestlog.errors import ConfigError
from digestlog.store import export
from digestlog.store.db import Database, open_database
from digestlog.store.postgres_schema import tables

_THERE = {"clock", "article_documents", "url_identity", "plan_definitions", "source_numbers"}


@pytest.fixture
def filled(db: Database) -> Database:
    """A good row in every table, of one user."""
    with db.transaction() as connection:
        for table in ROWS:
            if table not in _THERE:
                put(connection, table)
        connection.execute("UPDATE user_url_library SET history_start_at = ?", (THEN,))
    return db


def all_rows(db: Database, user_id: str | None) -> dict[str, list[dict[str, Any]]]:
    return {table: list(export.records(db, part, user_id)) for table, part in export.parts(user_id).items()}


def test_an_admin_gets_every_table_and_no_secret(filled: Database) -> None:
    found = all_rows(filled, None)
    assert list(found) == list(tables())
    assert all(found.values())
    assert "password_hash" not in found["users"][0] and "session_epoch" not in found["users"][0]
    assert found["url_policy_decisions"][0]["decided_by"] == USER


def test_a_user_gets_own_rows_and_what_the_library_shows(filled: Database) -> None:
    found = all_rows(filled, USER)
    assert set(found) == set(export.USER_ROWS)
    assert all(found.values()), [table for table, rows in found.items() if not rows]
    assert found["users"] == [
        {"id": USER, "name": "anna", "role": "user", "created_at": found["users"][0]["created_at"],
         "updated_at": found["users"][0]["updated_at"]}
    ]  # fmt: skip
    assert "decided_by" not in found["url_policy_decisions"][0]


def test_another_user_gets_nothing_of_it(filled: Database) -> None:
    with filled.transaction() as connection:
        put(connection, "users", id=uuid(99), name="bob")
    found = {table: rows for table, rows in all_rows(filled, uuid(99)).items() if rows}
    assert set(found) == {"users", "plan_definitions", "trend_definitions", "trend_points"}


def test_what_is_older_than_the_start_is_left_out(filled: Database) -> None:
    with filled.transaction() as connection:
        connection.execute("UPDATE user_url_library SET history_start_at = '2026-02-13T00:00:00+00:00'")
    found = all_rows(filled, USER)
    for table in ("url_observations", "url_change_events", "url_change_summaries", "url_render_artifacts"):
        assert found[table] == [], table
    assert len(found["urls"]) == 1


def test_a_page_that_was_turned_off_is_left_out(filled: Database) -> None:
    with filled.transaction() as connection:
        connection.execute("UPDATE user_url_library SET is_active = 0")
    found = all_rows(filled, USER)
    assert (found["urls"], found["brand_library_brands"], found["brand_domains"]) == ([], [], [])


def test_values_are_what_they_stand_for(filled: Database) -> None:
    found = all_rows(filled, None)
    assert found["urls"][0]["allow_private"] is False
    assert found["url_change_events"][0]["diff"] == [["-", "9"], ["+", "8"]]
    assert found["url_contents"][0]["content"] == b64encode(b"8 EUR").decode()
    assert found["sources_master_list"][0]["removed_at"] is None


@pytest.mark.parametrize(("value", "shown"), [(0.5, 0.5), (float("inf"), "inf"), (float("-inf"), "-inf")])
def test_numbers_that_json_lacks_are_words(filled: Database, value: float, shown: object) -> None:
    with filled.transaction() as connection:
        connection.execute("UPDATE trend_points SET value = ?", (value,))
    assert all_rows(filled, None)["trend_points"][0]["value"] == shown


def test_one_table_by_name() -> None:
    assert export.part(USER, "urls").table == "urls"
    for user, table in ((USER, "sources_master_list"), (None, "clock"), (None, "no; DROP")):
        with pytest.raises(ConfigError, match="there is no table called"):
            export.part(user, table)


def test_it_is_one_moment_of_the_file(filled: Database) -> None:
    with open_database(filled.path, now=filled.now) as other, export.one_moment(filled):
        before = export.counts(filled, ["users"])
        with other.transaction() as connection:
            put(connection, "users", id=uuid(99), name="bob")
        assert export.counts(filled, ["users"]) == before
    assert export.counts(filled, ["users"]) == before + 1
