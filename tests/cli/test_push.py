"""`digestlog push` as a person has it, without a database that answers; tests/postgres has real ones."""

from __future__ import annotations

import sys

import pytest
from cli.conftest import Terminal

from digestlog.store import change_log
from digestlog.store.db import open_database

TARGET = "00000000-0000-4000-8000-000000000031"


@pytest.fixture
def pushed(three: Terminal) -> Terminal:
    """A file that follows a database, with a change that waits for it."""
    with open_database(three.path, now=three.now, frozen=True) as db:
        target = change_log.begin(db, TARGET, "db.example:5432/digestlog")
        change_log.end(db, target, 0)
    three("sources", "add", "d.example/feed", "--method", "RSS", "--name", "Delta")
    return three


def test_which_database(digestlog: Terminal) -> None:
    result = digestlog("push", code=1)
    assert result.stderr.splitlines()[0] == "Error: which database?"


def test_an_address_that_is_none(digestlog: Terminal) -> None:
    result = digestlog("push", "s3cr3t", code=1)
    assert result.stderr.splitlines()[0] == "Error: this is not the address of a Postgres database"
    assert "s3cr3t" not in result.output


def test_the_address_may_come_from_the_environment(digestlog: Terminal) -> None:
    result = digestlog("push", code=1, env={"DIGESTLOG_POSTGRES": "postgresql://anna:s3cr3t@127.0.0.1:1/x"})
    assert result.stderr.startswith("Error: the database cannot be reached: ")
    assert len(result.stderr.splitlines()) == 2
    assert "s3cr3t" not in result.output


def test_without_psycopg(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    result = digestlog("push", "postgresql://db.example/x", code=1)
    assert result.stderr.splitlines()[1] == "Hint: install it: pip install 'digestlog[postgres]'"


def test_the_state_of_things(digestlog: Terminal, pushed: Terminal) -> None:
    lines = pushed("push", "--status").stdout.splitlines()
    assert lines[0].split() == "DATABASE LAST PUSH CHANGES WAITING ID".split()
    assert lines[1].split() == ["db.example:5432/digestlog", "2026-02-13T09:02:10+00:00", "2", TARGET]
    (found,) = pushed.json("push", "--status")
    assert found == {
        "place": "db.example:5432/digestlog",
        "target_id": TARGET,
        "pushed_at": "2026-02-13T09:02:10+00:00",
        "pushed_seq": 0,
        "waiting": 2,
    }


def test_a_file_that_was_never_pushed(digestlog: Terminal) -> None:
    result = digestlog("push", "--status")
    assert (result.stdout, result.stderr) == ("", "This file was not pushed to any database yet.\n")
    assert digestlog("push", "--status", root=["-q"]).stderr == ""


def test_a_database_is_forgotten(pushed: Terminal) -> None:
    result = pushed("push", "--forget", "db.example:5432/digestlog")
    assert result.stdout == "db.example:5432/digestlog: no changes are kept for it any more\n"
    assert pushed.json("push", "--status") == []
    assert "known: none" in pushed("push", "--forget", "db.example:5432/digestlog", code=1).stderr
