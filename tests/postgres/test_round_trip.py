"""Export, load, compare: no difference, whatever the texts hold."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from postgres_rows import assert_same, fill_with_hostile_rows
from postgres_server import Server, rows

from digestlog.jobs.export import PostgresOptions, export_postgres
from digestlog.store.db import Database
from digestlog.store.postgres_schema import tables


@pytest.fixture
def hostile(db: Database) -> Database:
    """A file with hostile rows in every table."""
    fill_with_hostile_rows(db)
    return db


def exported(db: Database, **options: bool) -> bytes:
    out = io.BytesIO()
    export_postgres(db, out, PostgresOptions(**options), lambda *_: None)
    return out.getvalue()


def load(server: Server, database: str, script: bytes, folder: Path) -> None:
    """psql takes it without an error, a warning or a word."""
    file = folder / "export.sql"
    file.write_bytes(script)
    done = server.psql(database, "-f", str(file), text=True, errors="replace")
    assert (done.returncode, done.stdout, done.stderr[:2000]) == (0, "", "")


def test_the_file_has_a_row_in_every_table(hostile: Database) -> None:
    empty = [t for t in tables() if hostile.row(f"SELECT 1 FROM {t}") is None]
    assert empty == []


@pytest.mark.parametrize("inserts", [False, True], ids=["copy", "inserts"])
def test_a_whole_export_gives_the_same_rows(
    server: Server, empty_database: str, hostile: Database, tmp_path: Path, inserts: bool
) -> None:
    load(server, empty_database, exported(hostile, inserts=inserts), tmp_path)
    with server.connect(empty_database) as connection:
        assert_same(hostile, connection)


@pytest.mark.parametrize("inserts", [False, True], ids=["copy", "inserts"])
def test_schema_and_data_can_be_loaded_apart(
    server: Server, empty_database: str, hostile: Database, tmp_path: Path, inserts: bool
) -> None:
    load(server, empty_database, exported(hostile, data=False), tmp_path)
    with server.connect(empty_database) as connection:
        assert [t for t in tables() if rows(connection, f"SELECT 1 FROM public.{t} LIMIT 1")] == []
    load(server, empty_database, exported(hostile, schema=False, inserts=inserts), tmp_path)
    with server.connect(empty_database) as connection:
        assert_same(hostile, connection)
