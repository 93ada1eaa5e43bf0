"""The command on a real database."""

from __future__ import annotations

import json

import pytest
from cli.conftest import Terminal
from postgres_server import Server

from digestlog.store.db import Database, open_database


@pytest.fixture
def terminal(db: Database) -> Terminal:
    """Commands on a new file."""
    return Terminal(db.path, db.now)


def test_load_changes_and_a_full_comparison(terminal: Terminal, server: Server, empty_database: str) -> None:
    env = {"DIGESTLOG_POSTGRES": server.url(empty_database)}
    first = terminal("push", env=env)
    assert first.stdout.endswith(f"/{empty_database}: 7 rows loaded, 0 deleted\n")
    assert first.stderr.endswith(" s\n")
    terminal("sources", "add", "d.example/feed", "--method", "RSS", "--name", "Delta")
    second = json.loads(terminal("push", "--json", env=env).stdout)
    assert (second["mode"], second["alone"], second["sent"], second["deleted"]) == ("changes", True, 2, 0)
    third = terminal("push", "--full", server.url(empty_database), root=["-q"])
    assert third.stdout.endswith(": 8 rows compared, 0 deleted\n")
    assert third.stderr == ""


def test_a_second_file_says_that_it_is_merged(
    terminal: Terminal, server: Server, empty_database: str, db: Database
) -> None:
    url = server.url(empty_database)
    terminal("push", url)
    other = Terminal(db.path.with_name("other.db"), db.now)
    open_database(other.path, now=db.now).close()
    assert other("push", url).stderr.endswith("; merged with what other files brought\n")
