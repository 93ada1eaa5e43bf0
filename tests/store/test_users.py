"""Who works with the file."""

from __future__ import annotations

import pytest
from store.rows import USER, put, uuid

from digestlog.errors import ConfigError
from digestlog.store import users
from digestlog.store.db import Database

LATER = "2030-01-01T00:00:00+00:00"


def owner(db: Database) -> str:
    return str(db.rows("SELECT id FROM users WHERE name = 'owner'")[0]["id"])


def test_a_user_is_known_by_name(db: Database) -> None:
    assert users.require(db, "owner") == owner(db)


@pytest.mark.parametrize("name", ["bob", "Owner", "", "owner "])
def test_a_user_who_is_not_there(db: Database, name: str) -> None:
    with db.transaction() as connection:
        put(connection, "users", created_at=LATER)
    for who in (users.require, users.current):
        with pytest.raises(ConfigError, match=f"there is no user called {name}") as caught:
            who(db, name)
        assert str(caught.value.hint).endswith("owner, anna")


def test_without_a_name_it_is_the_owner(db: Database) -> None:
    """The first admin: neither another admin nor a user who was there before."""
    with db.transaction() as connection:
        put(connection, "users", created_at="2020-01-01T00:00:00+00:00")
        put(connection, "users", id=uuid(2), name="admin", role="admin", created_at=LATER)
    assert users.current(db, None) == owner(db)
    assert users.current(db, "anna") == USER


def test_a_file_without_an_owner(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute("UPDATE users SET role = 'user'")
    with pytest.raises(ConfigError, match="no owner") as caught:
        users.current(db, None)
    assert caught.value.hint


def test_the_name_of_a_user(db: Database) -> None:
    with db.transaction() as connection:
        put(connection, "users")
    assert (users.name_of(db, owner(db)), users.name_of(db, USER)) == ("owner", "anna")
