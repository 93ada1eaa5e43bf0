"""`users link`, `passwd`, `revoke` and `token`."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cli.conftest import Terminal

from digestlog.core import passwords
from digestlog.store import access
from digestlog.store.access import FEED, LINK, SESSION
from digestlog.store.db import Database


@pytest.fixture
def two(digestlog: Terminal) -> Terminal:
    """Commands on a file with a user besides the owner."""
    digestlog("users", "add", "anna")
    digestlog("users", "add", "bob")
    return digestlog


def test_a_link_is_printed_and_works(two: Terminal, db: Database) -> None:
    result = two("users", "link", "anna", "--base", "https://news.example.org/")
    url = result.stdout.strip()
    assert url.startswith("https://news.example.org/sign-in?token=")
    assert "one use, within 15 minutes" in result.stderr
    found = access.visitor(db, LINK, url.partition("=")[2])
    assert found is not None
    assert found.name == "anna"
    assert two("users", "link", "anna", root=["-q"]).stderr == ""


def test_a_link_for_programs_and_for_longer(two: Terminal, db: Database) -> None:
    given = two.json("users", "link", "owner", "--minutes", "60")
    assert given["user"] == "owner"
    assert given["minutes"] == 60
    assert given["url"].startswith("http://127.0.0.1:8001/sign-in?token=")
    later = Database(db.connection, db.path, db.now + timedelta(minutes=59), frozen=True)
    assert access.visitor(later, LINK, given["url"].partition("=")[2]) is not None


@pytest.mark.parametrize("command", ["link", "passwd", "revoke", "token"])
def test_nobody_of_that_name(two: Terminal, command: str) -> None:
    assert "no user called nobody" in two("users", command, "nobody", code=1).stderr


@pytest.mark.parametrize("command", ["link", "passwd", "revoke", "token"])
def test_admins_decide_for_all_and_users_for_themselves(two: Terminal, command: str) -> None:
    words = ("users", command, "anna", *(["--remove"] if command == "passwd" else []))
    two(*words)
    two(*words, root=["--user", "anna"])
    assert "only an admin" in two(*words, root=["--user", "bob"], code=1).stderr


def test_a_password_is_asked_for_twice_and_not_shown(two: Terminal, db: Database) -> None:
    result = two("users", "passwd", "anna", input="correct horse battery\ncorrect horse battery\n")
    assert "correct horse" not in result.output
    assert "anna has a new password." in result.stderr
    _, stored = access.stored_password(db, "anna")
    assert passwords.matches("correct horse battery", stored)
    assert "anna has no password now." in two("users", "passwd", "anna", "--remove").stderr
    assert access.stored_password(db, "anna")[1] is None
    assert two("users", "passwd", "anna", "--remove", root=["-q"]).stderr == ""


def test_a_short_password_is_refused(two: Terminal) -> None:
    result = two("users", "passwd", "anna", input="short\nshort\n", code=1)
    assert "10 characters or more" in result.stderr


def test_revoking_ends_all(two: Terminal, db: Database) -> None:
    (anna,) = db.rows("SELECT id FROM users WHERE name = 'anna'")
    session = access.open_session_for(db, anna["id"])
    assert two("users", "revoke", "anna").stdout == "1 ended\n"
    assert access.visitor(db, SESSION, session) is None
    assert two.json("users", "revoke", "anna") == {"user": "anna", "ended": 0}


def test_a_feed_address_is_printed_and_revoked(two: Terminal, db: Database) -> None:
    url = two("users", "token", "anna").stdout.strip()
    assert url.startswith("http://127.0.0.1:8001/feeds/digest.atom?token=")
    assert access.visitor(db, FEED, url.partition("=")[2]) is not None
    assert two("users", "token", "anna", "--revoke").stdout == "1 ended\n"
    assert access.visitor(db, FEED, url.partition("=")[2]) is None
    assert two.json("users", "token", "anna", "--revoke") == {"user": "anna", "url": None, "ended": 0}
    assert two.json("users", "token", "anna")["ended"] is None
