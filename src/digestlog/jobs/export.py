"""Writing out what the file holds, row by row, in one moment of the file.

postgres: tables -> rows -> keys and indexes -> triggers -> guards and policies, one transaction
csv, json: the tables that the user may read
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from digestlog import __version__
from digestlog.core.csv_cells import cell
from digestlog.store import export as store
from digestlog.store import postgres_copy
from digestlog.store.db import Database
from digestlog.store.migrations import SCHEMA_VERSION
from digestlog.store.postgres_schema import after_rows, before_rows, tables

# Which table is written, how many rows are done, and of how many.
Tell = Callable[[str, int, int], None]

_BUFFERED_CHARS = 1 << 20
_OPENING = """\
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
BEGIN;
SET LOCAL timezone = 'UTC';
SET LOCAL statement_timeout = 0;
SET LOCAL lock_timeout = 0;
"""


@dataclass(frozen=True, slots=True)
class PostgresOptions:
    """What a file for Postgres should hold."""

    schema: bool = True
    data: bool = True
    inserts: bool = False
    supabase: bool = False


class _Counter:
    """Adds up rows and passes the sum on."""

    def __init__(self, total: int, tell: Tell) -> None:
        self.total, self.done, self.table, self._tell = total, 0, "", tell

    def __call__(self, rows: int) -> None:
        self.done += rows
        self._tell(self.table, self.done, self.total)

    def begin(self, table: str) -> None:
        """The rows that follow are of this table."""
        self.table = table
        self(0)


def export_postgres(db: Database, out: BinaryIO, options: PostgresOptions, tell: Tell) -> int:
    """Write SQL that psql loads into an empty database in one transaction; the number of rows."""
    postgres_copy.prepare(db.connection)
    with store.one_moment(db):
        counter = _Counter(store.counts(db, list(tables())) if options.data else 0, tell)
        for piece in _sql(db, options, counter):
            out.write(piece)
    return counter.done


def _sql(db: Database, options: PostgresOptions, counter: _Counter) -> Iterator[bytes]:
    yield f"-- digestlog {__version__}, schema {SCHEMA_VERSION}, {db.now_iso}\n".encode()
    yield b"-- Load into an empty database: psql -X -v ON_ERROR_STOP=1 -d DATABASE -f THIS_FILE\n\n"
    yield _OPENING.encode()
    if options.schema:
        yield _part("tables", before_rows())
    if options.data:
        yield from _rows(db, options, counter)
    if options.schema:
        # Sorting for the indexes: more memory than the usual 64 MB, for this transaction.
        yield b"SET LOCAL maintenance_work_mem = '256MB';\n"
        for name, sql in after_rows(supabase=options.supabase):
            yield _part(name, sql)
    yield b"COMMIT;\n"


def _part(name: str, sql: str) -> bytes:
    return f"\n-- {name}\n\n{sql}\n".encode()


def _rows(db: Database, options: PostgresOptions, counter: _Counter) -> Iterator[bytes]:
    if not options.schema:
        # The target has its triggers already; these rows have passed those of the file.
        yield b"SET LOCAL digestlog.replay = 'on';\n\n"
    for table in tables():
        counter.begin(table)
        if options.inserts:
            yield from postgres_copy.insert_block(db, table, counter)
        else:
            # Frozen rows need no later visit; only a table of this same transaction may have them.
            yield from postgres_copy.copy_block(db, table, counter, freeze=options.schema)


def export_json(db: Database, out: BinaryIO, user_id: str | None, about: dict[str, Any], tell: Tell) -> int:
    """Write one JSON document with every table that the user may read; the number of rows."""
    with store.one_moment(db):
        found = store.parts(user_id)
        counter = _Counter(0, tell)
        out.write(f'{{"about": {json.dumps(about)},\n"tables": {{'.encode())
        for number, wanted in enumerate(found.values()):
            counter.begin(wanted.table)
            out.write(f'{"," if number else ""}\n"{wanted.table}": ['.encode())
            _json_rows(out, store.records(db, wanted, user_id), counter)
            out.write(b"]")
        out.write(b"\n}}\n")
    return counter.done


def _json_rows(out: BinaryIO, rows: Iterator[dict[str, Any]], counter: _Counter) -> None:
    for number, row in enumerate(rows):
        # Half a surrogate pair can stand in stored JSON; in a file of its own it must be escaped.
        text = json.dumps(row, ensure_ascii=False)
        safe = text if _is_text(text) else json.dumps(row)
        out.write((("," if number else "") + "\n" + safe).encode())
        counter(1)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def export_csv(db: Database, out: BinaryIO, user_id: str | None, table: str, *, raw: bool, tell: Tell) -> int:
    """Write one table as CSV with a line of names; the number of rows."""
    wanted = store.part(user_id, table)
    with store.one_moment(db):
        return _csv(db, out, wanted, user_id, raw, tell)


def export_csv_folder(db: Database, folder: Path, user_id: str | None, *, raw: bool, tell: Tell) -> int:
    """Write every table that the user may read as its own file, all of one moment; the number of rows."""
    done = 0
    with store.one_moment(db):
        for wanted in store.parts(user_id).values():
            with (folder / f"{wanted.table}.csv").open("wb") as out:
                done += _csv(db, out, wanted, user_id, raw, tell)
    return done


def _csv(db: Database, out: BinaryIO, wanted: store.Part, user_id: str | None, raw: bool, tell: Tell) -> int:
    counter = _Counter(0, tell)
    counter.begin(wanted.table)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in wanted.columns])
    for row in store.records(db, wanted, user_id):
        writer.writerow([cell(value, raw=raw) for value in row.values()])
        counter(1)
        if text.tell() >= _BUFFERED_CHARS:
            _drain(text, out)
    _drain(text, out)
    return counter.done


def _drain(text: io.StringIO, out: BinaryIO) -> None:
    out.write(text.getvalue().encode("utf-8", "backslashreplace"))
    text.seek(0)
    text.truncate()
