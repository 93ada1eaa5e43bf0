"""Who works with the file."""

from __future__ import annotations

import pytest
from store.rows import USER, fill, put, uuid

from digestlog.errors import ConfigError, LibraryError, RuleBroken
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
    """Who was made with the file: no other admin, whenever that one is said to have come."""
    with db.transaction() as connection:
        put(connection, "users", created_at="2020-01-01T00:00:00+00:00")
        for at, created in enumerate((LATER, "2020-01-01T00:00:00+00:00", db.now_iso), start=2):
            put(connection, "users", id=uuid(at), name=f"adm{at}", role="admin", created_at=created)
    assert users.current(db, None) == owner(db)
    assert users.current(db, "anna") == USER


def test_a_file_without_an_owner(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM file_owner")
    with pytest.raises(ConfigError, match="no owner") as caught:
        users.current(db, None)
    assert caught.value.hint


def test_the_name_of_a_user(db: Database) -> None:
    with db.transaction() as connection:
        put(connection, "users")
    assert (users.name_of(db, owner(db)), users.name_of(db, USER)) == ("owner", "anna")


# --- who may decide, who comes and goes --------------------------------------------------


def test_who_is_an_admin(db: Database) -> None:
    anna, berta = users.add(db, "anna"), users.add(db, "berta", role="admin")
    assert [users.is_admin(db, one) for one in (owner(db), anna.id, berta.id, uuid(9))] == [
        True,
        False,
        True,
        False,
    ]


def test_an_admin_is_required(db: Database) -> None:
    users.add(db, "anna")
    assert users.require_admin(db, None) == users.require_admin(db, "owner") == owner(db)
    with pytest.raises(LibraryError, match="anna is no admin") as caught:
        users.require_admin(db, "anna")
    assert caught.value.hint
    with pytest.raises(ConfigError, match="no user called bob"):
        users.require_admin(db, "bob")


def test_a_new_user_has_the_id_that_every_machine_gives(db: Database) -> None:
    anna = users.add(db, "anna")
    assert anna.id == users.user_id_of("anna")
    assert owner(db) == users.user_id_of("owner")
    assert (anna.role, anna.plan, anna.max_tracked_urls, anna.full_history) == ("user", "free", 10, False)
    assert (anna.pages, anna.waiting, anna.onboarding_step) == (0, 0, "first_page")


def test_a_name_is_there_once(db: Database) -> None:
    users.add(db, "anna", plan="paid")
    with pytest.raises(ConfigError, match="a user called anna already"):
        users.add(db, "anna", role="admin")
    assert [(user.name, user.role, user.plan) for user in users.list_all(db)] == [
        ("anna", "user", "paid"),
        ("owner", "admin", "paid"),
    ]


@pytest.mark.parametrize("name", ["", " anna", "an\nna", "\x1b[1m", "a" * 101, "an  na"])
def test_what_cannot_be_a_name(db: Database, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be a name"):
        users.add(db, name)
    assert len(users.list_all(db)) == 1


def test_a_user_goes_with_all_that_is_theirs_alone(db: Database) -> None:
    """Every table that tells of a user: what is shared stays, what is theirs goes."""
    with db.transaction() as connection:
        connection.execute("DELETE FROM source_numbers")
        connection.execute("DELETE FROM plan_definitions WHERE plan = 'free'")
        connection.execute("DELETE FROM url_identity")
        connection.execute("DELETE FROM file_owner")
        fill(connection)
        connection.execute("UPDATE file_owner SET user_id = ?", (users.user_id_of("owner"),))
    users.remove(db, "anna")
    tables = [row["name"] for row in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [row["name"] for row in db.rows(f"PRAGMA table_info({table})")]
        if "user_id" in columns:
            assert not db.rows(f"SELECT 1 FROM {table} WHERE user_id = :id", {"id": USER}), table
    assert len(db.rows("SELECT * FROM urls")) == 1


def test_the_owner_stays(db: Database) -> None:
    users.add(db, "anna")
    users.add(db, "berta", role="admin")
    with pytest.raises(LibraryError, match="owner is the owner of the file and cannot be removed") as caught:
        users.remove(db, "owner")
    assert caught.value.hint
    users.remove(db, "berta")
    assert [user.name for user in users.list_all(db)] == ["anna", "owner"]


def test_the_file_itself_keeps_its_owner(db: Database) -> None:
    """Also from whoever works on the file without digestlog's commands."""
    with pytest.raises(RuleBroken), db.transaction() as connection:
        connection.execute("DELETE FROM users")
    with pytest.raises(RuleBroken), db.transaction() as connection:
        connection.execute("INSERT INTO file_owner (id, user_id) SELECT 2, id FROM users")
    assert users.current(db, None) == owner(db)


def test_removing_nobody(db: Database) -> None:
    with pytest.raises(ConfigError, match="no user called bob"):
        users.remove(db, "bob")
