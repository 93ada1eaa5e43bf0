"""The schema loads into an empty database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from postgres_server import Server, rows

from digestlog.store import migrations
from digestlog.store.postgres_schema import load_script


def test_psql_loads_it_without_a_word(server: Server, empty_database: str, tmp_path: Path) -> None:
    file = tmp_path / "schema.sql"
    file.write_text(load_script())
    done = server.psql(empty_database, "-1", "-f", str(file), text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_it_says_which_version_it_is(owner: psycopg.Connection[Any]) -> None:
    assert rows(owner, "SELECT schema_version FROM digestlog.about") == [(migrations.SCHEMA_VERSION,)]
