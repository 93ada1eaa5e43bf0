"""`users link`, `passwd`, `revoke` and `token`, as commands of their own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import click
import pytest
from cli.conftest import Terminal
from click.testing import CliRunner, Result

from digestlog.cli.access import link, passwd, revoke, token
from digestlog.cli.app import App
from digestlog.core import passwords
from digestlog.errors import ConfigError
from digestlog.store import access
from digestlog.store.access import FEED, LINK, SESSION
from digestlog.store.db import Database


@pytest.fixture
def run(db: Database) -> object:
    """Runs one of the commands on the file."""
    app = App(db.path, None, db.now, True, 0, None)

    def command(what: click.Command, *words: str, input: str | None = None, quiet: bool = False) -> Result:
        chosen = App(db.path, None, db.now, True, -1, None) if quiet else app
        return CliRunner().invoke(what, list(words), obj=chosen, input=input, catch_exceptions=False)

    return command


def test_a_link_is_printed_and_works(run: Terminal, db: Database) -> None:
    result = run(link, "owner", "--base", "https://news.example.org/")
    url = result.stdout.strip()
    assert url.startswith("https://news.example.org/sign-in?token=")
    assert "one use, within 15 minutes" in result.stderr
    assert access.visitor(db, LINK, url.partition("=")[2]) is not None
    assert run(link, "owner", quiet=True).stderr == ""


def test_a_link_for_programs_and_for_longer(run: Terminal, db: Database) -> None:
    import json

    given = json.loads(run(link, "owner", "--minutes", "60", "--json").stdout)
    assert given["user"] == "owner"
    assert given["minutes"] == 60
    assert given["url"].startswith("http://127.0.0.1:8001/sign-in?token=")
    later = Database(db.connection, db.path, db.now + timedelta(minutes=59), frozen=True)
    assert access.visitor(later, LINK, given["url"].partition("=")[2]) is not None


@pytest.mark.parametrize("command", [link, passwd, revoke, token])
def test_nobody_of_that_name(run: Terminal, command: click.Command) -> None:
    with pytest.raises(ConfigError, match="no user called nobody"):
        run(command, "nobody")


def test_a_password_is_asked_for_twice_and_not_shown(run: Terminal, db: Database) -> None:
    result = run(passwd, "owner", input="correct horse battery\ncorrect horse battery\n")
    assert "correct horse" not in result.output
    assert "owner has a new password." in result.stderr
    _, stored = access.stored_password(db, "owner")
    assert passwords.matches("correct horse battery", stored)
    assert "owner has no password now." in run(passwd, "owner", "--remove").stderr
    assert access.stored_password(db, "owner")[1] is None


def test_a_short_password_is_refused(run: Terminal) -> None:
    with pytest.raises(ConfigError, match="10 characters or more"):
        run(passwd, "owner", input="short\nshort\n")


def test_revoking_ends_all(run: Terminal, db: Database) -> None:
    (owner,) = db.rows("SELECT id FROM users")
    session = access.open_session_for(db, owner["id"])
    assert run(revoke, "owner").stdout == "1 ended\n"
    assert access.visitor(db, SESSION, session) is None
    assert '"ended": 0' in run(revoke, "owner", "--json").stdout


def test_a_feed_address_is_printed_and_revoked(run: Terminal, db: Database, tmp_path: Path) -> None:
    url = run(token, "owner").stdout.strip()
    assert url.startswith("http://127.0.0.1:8001/feeds/digest.atom?token=")
    assert access.visitor(db, FEED, url.partition("=")[2]) is not None
    assert run(token, "owner", "--revoke").stdout == "1 ended\n"
    assert access.visitor(db, FEED, url.partition("=")[2]) is None
    assert '"ended": 0' in run(token, "owner", "--revoke", "--json").stdout
    assert '"ended": null' in run(token, "owner", "--json").stdout
