"""Settings as they are stored: checked by the program and, against any other, by the file itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from store.rows import USER, put

from digestlog.core.settings import SETTINGS, Settings
from digestlog.errors import ConfigError, LockedFile
from digestlog.store import settings, users
from digestlog.store.db import Database, open_database

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"


@pytest.fixture
def owner(db: Database) -> str:
    return users.current(db, None)


@pytest.fixture
def later(db: Database, now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def rows(db: Database) -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows("SELECT * FROM settings ORDER BY user_id")]


def test_a_user_who_set_nothing_has_the_defaults_and_no_row(db: Database, owner: str) -> None:
    assert settings.get(db, owner) == Settings()
    assert rows(db) == []


def test_the_files_own_defaults_are_the_same(db: Database, owner: str) -> None:
    with db.transaction() as connection:
        connection.execute("INSERT INTO settings (user_id) VALUES (:owner)", {"owner": owner})
    assert settings.get(db, owner) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("article_history_days", 0, Settings(article_history_days=0)),
        ("article_history_days", 365, Settings(article_history_days=365)),
        ("source_diversity_window", 100, Settings(source_diversity_window=100)),
        ("max-items-per-category", 1, Settings(max_items_per_category=1)),
        ("language", "fr", Settings(language="fr")),
    ],
)
def test_a_change(db: Database, owner: str, name: str, value: Any, expected: Settings) -> None:
    assert settings.change(db, owner, name, value) == expected
    assert settings.get(db, owner) == expected


def test_a_change_leaves_the_others(db: Database, owner: str) -> None:
    for one, value in zip(SETTINGS, (30, 2, 7, "fr"), strict=True):
        settings.change(db, owner, one.name, value)
    assert settings.get(db, owner) == Settings(30, 2, 7, "fr")


def test_each_user_has_their_own(db: Database, owner: str) -> None:
    with db.transaction() as connection:
        put(connection, "users")
    settings.change(db, owner, "article_history_days", 30)
    settings.change(db, USER, "language", "fr")
    assert settings.get(db, owner) == Settings(article_history_days=30)
    assert settings.get(db, USER) == Settings(language="fr")


def test_times(db: Database, later: Database, owner: str) -> None:
    settings.change(db, owner, "article_history_days", 30)
    settings.change(later, owner, "article_history_days", 30)
    (row,) = rows(db)
    assert (row["created_at"], row["updated_at"]) == (NOW_ISO, NOW_ISO)
    settings.change(later, owner, "article_history_days", 31)
    (row,) = rows(db)
    assert (row["created_at"], row["updated_at"]) == (NOW_ISO, LATER_ISO)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("article_history_days", 366),
        ("article_history_days", -1),
        ("article_history_days", True),
        ("article_history_days", "30"),
        ("source_diversity_window", 101),
        ("max_items_per_category", 0),
        ("language", "de"),
        ("user_id", 1),
        ("article_history_days = 1 --", 1),
    ],
)
def test_what_the_program_refuses(db: Database, owner: str, name: str, value: Any) -> None:
    settings.change(db, owner, "article_history_days", 30)
    before = rows(db)
    with pytest.raises(ConfigError):
        settings.change(db, owner, name, value)
    assert rows(db) == before
    assert not db.connection.in_transaction


@pytest.mark.parametrize("one", SETTINGS, ids=lambda one: one.name)
def test_what_the_file_refuses_whoever_writes(db: Database, owner: str, one: Any) -> None:
    """The file's ranges are those of the program, to the last number."""
    settings.change(db, owner, one.name, one.default)
    numbers = isinstance(one.allowed, range)
    good = (one.allowed[0], one.allowed[-1]) if numbers else one.allowed
    bad = (one.allowed[0] - 1, one.allowed[-1] + 1, "many", None, 1.5) if numbers else ("", "de", "EN", None)
    sql = f"UPDATE settings SET {one.name} = ?"
    for value in good:
        db.connection.execute(sql, (value,))
        assert getattr(settings.get(db, owner), one.name) == value
    before = rows(db)
    for value in bad:
        with pytest.raises(sqlite3.IntegrityError):
            db.connection.execute(sql, (value,))
    assert rows(db) == before


def test_the_settings_go_with_their_user(db: Database) -> None:
    with db.transaction() as connection:
        put(connection, "users")
    settings.change(db, USER, "language", "fr")
    with db.transaction() as connection:
        connection.execute("DELETE FROM users WHERE id = :id", {"id": USER})
    assert rows(db) == []


def test_a_locked_file_says_so(db: Database, owner: str, now: datetime) -> None:
    with open_database(db.path, now=now, busy_timeout_s=0.01) as other, db.transaction():
        with pytest.raises(LockedFile):
            settings.change(other, owner, "language", "fr")
        assert settings.get(other, owner) == Settings()


def test_language_is_none_until_something_is_set(db: Database, owner: str) -> None:
    assert settings.language(db, owner) is None
    settings.change(db, owner, "language", "fr")
    assert settings.language(db, owner) == "fr"
