from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from store.rows import USER, put

from digestlog.core import passwords
from digestlog.errors import ConfigError
from digestlog.store import access
from digestlog.store.access import FEED, LINK, SESSION, Visitor
from digestlog.store.db import Database, open_database

ANNA = Visitor(USER, "anna", "user")


@pytest.fixture
def anna(db: Database) -> Database:
    """A file with a user besides the owner."""
    put(db.connection, "users", password_hash=None)
    return db


def later(db: Database, **passed: float) -> Database:
    """The same file, some time later."""
    return Database(db.connection, db.path, db.now + timedelta(**passed), frozen=True)


def tokens(db: Database) -> int:
    return len(db.rows("SELECT 1 FROM access_tokens"))


def test_a_link_opens_one_session(anna: Database) -> None:
    link = access.give_link(anna, USER)
    assert access.visitor(anna, LINK, link) == ANNA
    session = access.open_session(anna, link)
    assert session is not None
    assert session != link
    assert access.visitor(anna, SESSION, session) == ANNA
    assert access.visitor(anna, LINK, link) is None
    assert access.open_session(anna, link) is None


def test_a_token_is_of_its_kind_only(anna: Database) -> None:
    made = {
        LINK: access.give_link(anna, USER),
        FEED: access.give_feed(anna, USER),
        SESSION: access.open_session_for(anna, USER),
    }
    for kind in made:
        assert [other for other, token in made.items() if access.visitor(anna, kind, token)] == [kind]
    assert access.open_session(anna, made[FEED]) is None
    assert access.open_session(anna, made[SESSION]) is None
    assert tokens(anna) == 3


def test_the_file_does_not_hold_the_token(anna: Database) -> None:
    token = access.give_link(anna, USER)
    stored = anna.rows("SELECT * FROM access_tokens")
    assert token not in str([tuple(row) for row in stored])
    assert len(token) >= 43
    assert access.visitor(anna, LINK, stored[0]["token_sha256"]) is None


@pytest.mark.parametrize("token", ["", "x", "\ud800", "x" * 100_000, "' OR 1=1 --"])
def test_what_is_no_token_is_nobody(anna: Database, token: str) -> None:
    access.give_link(anna, USER)
    assert [access.visitor(anna, kind, token) for kind in (LINK, SESSION, FEED)] == [None] * 3
    assert access.open_session(anna, token) is None


def test_links_and_sessions_end_by_themselves(anna: Database) -> None:
    link, session, feed = (
        access.give_link(anna, USER),
        access.open_session_for(anna, USER),
        access.give_feed(anna, USER),
    )
    assert access.visitor(later(anna, minutes=14, seconds=59), LINK, link) == ANNA
    assert access.visitor(later(anna, minutes=15), LINK, link) is None
    assert access.open_session(later(anna, minutes=15), link) is None
    assert access.visitor(later(anna, days=29), SESSION, session) == ANNA
    assert access.visitor(later(anna, days=30), SESSION, session) is None
    assert access.visitor(later(anna, days=10_000), FEED, feed) == ANNA


def test_a_link_may_last_longer(anna: Database) -> None:
    link = access.give_link(anna, USER, timedelta(days=2))
    assert access.visitor(later(anna, days=1), LINK, link) == ANNA


def test_what_has_had_its_time_is_swept_away(anna: Database) -> None:
    access.give_link(anna, USER)
    access.give_feed(anna, USER)
    access.open_session_for(later(anna, days=1), USER)
    assert [row["kind"] for row in anna.rows("SELECT kind FROM access_tokens ORDER BY kind")] == [
        FEED,
        SESSION,
    ]


def test_signing_out_ends_one_session(anna: Database) -> None:
    here, there = access.open_session_for(anna, USER), access.open_session_for(anna, USER)
    access.close_session(anna, here)
    assert access.visitor(anna, SESSION, here) is None
    assert access.visitor(anna, SESSION, there) == ANNA


def test_revoking_ends_everything_of_one_user(anna: Database) -> None:
    (owner,) = anna.rows("SELECT id FROM users WHERE role = 'admin'")
    mine = access.open_session_for(anna, owner["id"])
    made = [access.give_link(anna, USER), access.open_session_for(anna, USER), access.give_feed(anna, USER)]
    assert access.revoke(anna, USER) == 3
    for kind, token in zip((LINK, SESSION, FEED), made, strict=True):
        assert access.visitor(anna, kind, token) is None
    assert access.visitor(anna, SESSION, mine) is not None
    assert access.revoke(anna, USER) == 0


def test_raising_the_epoch_by_any_program_ends_everything(anna: Database) -> None:
    made = [access.give_link(anna, USER), access.open_session_for(anna, USER), access.give_feed(anna, USER)]
    with anna.transaction() as connection:
        connection.execute("UPDATE users SET session_epoch = session_epoch + 1")
    for kind, token in zip((LINK, SESSION, FEED), made, strict=True):
        assert access.visitor(anna, kind, token) is None
    assert access.open_session(anna, made[0]) is None


def test_feeds_are_revoked_alone(anna: Database) -> None:
    session, feed = access.open_session_for(anna, USER), access.give_feed(anna, USER)
    assert access.revoke_feeds(anna, USER) == 1
    assert access.visitor(anna, FEED, feed) is None
    assert access.visitor(anna, SESSION, session) == ANNA


def test_a_role_counts_from_the_moment_it_changes(anna: Database) -> None:
    session = access.open_session_for(anna, USER)
    with anna.transaction() as connection:
        connection.execute("UPDATE users SET role = 'admin' WHERE id = ?", (USER,))
    found = access.visitor(anna, SESSION, session)
    assert found is not None
    assert found.is_admin
    assert not ANNA.is_admin


def test_a_password_is_stored_and_ends_what_was_open(anna: Database) -> None:
    session = access.open_session_for(anna, USER)
    access.set_password(anna, USER, "correct horse battery")
    user_id, stored = access.stored_password(anna, "anna")
    assert user_id == USER
    assert passwords.matches("correct horse battery", stored)
    assert access.visitor(anna, SESSION, session) is None
    access.set_password(anna, USER, None)
    assert access.stored_password(anna, "anna") == (USER, None)
    assert access.stored_password(anna, "nobody") == (None, None)


def test_a_short_password_is_refused(anna: Database) -> None:
    session = access.open_session_for(anna, USER)
    with pytest.raises(ConfigError, match="10 characters"):
        access.set_password(anna, USER, "short")
    assert access.visitor(anna, SESSION, session) == ANNA


def test_two_programs_cannot_use_one_link(db_path: Path, anna: Database) -> None:
    link = access.give_link(anna, USER)
    with open_database(db_path, now=datetime(2026, 2, 13, 9, 3, tzinfo=UTC), frozen=True) as other:
        results = [access.open_session(anna, link), access.open_session(other, link)]
    assert [result is not None for result in results] == [True, False]
