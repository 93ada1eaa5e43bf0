"""Rows in Postgres' own text, made inside SQLite: one expression a table, one text a row.

COPY text escapes the backslash, tab, newline and carriage return; NULL is \\N, bytes are \\x and
hexadecimal digits, booleans t and f. Numbers with a fraction have 17 digits, so none is lost.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from digestlog.errors import CorruptFile
from digestlog.store.db import Database, storage_errors
from digestlog.store.postgres_schema import Column, tables

# So much text is handed on at once; a single row may be longer.
CHUNK_CHARS = 1 << 20
_ROWS_AN_INSERT = 500

# Half of a surrogate pair has no place in jsonb; SQLite takes it in an escape. Pairs and escaped
# backslashes are passed over.
_HALVES = re.compile(
    r"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


def prepare(connection: sqlite3.Connection) -> None:
    """Give SQLite the functions that the expressions below call."""
    connection.create_function("float_text", 1, _float_text, deterministic=True)
    connection.create_function("json_whole", 1, _json_whole, deterministic=True)


def _float_text(value: float | None) -> str | None:
    """All 17 digits, correctly rounded, which SQLite's own printf is not for every number."""
    return None if value is None else format(value, ".17g")


def _json_whole(text: str) -> str:
    return _HALVES.sub(lambda found: found[1] or r"\ufffd", text)


def copy_line(table: str) -> str:
    """The SQL expression that makes of a row of `table` its line for COPY ... FROM stdin."""
    values = [_or(_copied(column), column, "\\N") for column in tables()[table]]
    return f"printf('{chr(9).join(['%s'] * len(values))}', {', '.join(values)})"


def insert_row(table: str) -> str:
    """The SQL expression that makes of a row of `table` its row of values for INSERT."""
    values = [_or(_quoted(column), column, "NULL") for column in tables()[table]]
    return f"printf('({', '.join(['%s'] * len(values))})', {', '.join(values)})"


def _or(value: str, column: Column, null: str) -> str:
    return value if column.not_null else f"coalesce({value}, '{null}')"


def column_list(table: str) -> str:
    """The columns of a table, in the order of the lines above."""
    return ", ".join(f'"{column.name}"' for column in tables()[table])


def _plain(column: Column) -> str:
    """The value as text, without any quoting; what it is in Postgres decides."""
    name = f'"{column.name}"'
    if column.kind == "boolean":
        return f"substr('ft', {name} + 1, 1)"
    if column.kind == "double precision":
        return f"float_text({name})"
    if column.kind == "jsonb":
        halves = f"instr({name}, '\\ud') OR instr({name}, '\\uD')"
        return f"CASE WHEN {halves} THEN json_whole({name}) ELSE {name} END"
    return name


def _copied(column: Column) -> str:
    name, plain = f'"{column.name}"', _plain(column)
    if column.kind == "bytea":
        return f"CASE WHEN {name} IS NOT NULL THEN '\\\\x' || hex({name}) END"
    if column.kind not in ("text", "jsonb") or column.simple:
        return plain
    found = " OR ".join(f"instr({name}, {one})" for one in ("'\\'", "char(10)", "char(9)", "char(13)"))
    escaped = f"replace({plain}, '\\', '\\\\')"
    for number, letter in ((9, "t"), (10, "n"), (13, "r")):
        escaped = f"replace({escaped}, char({number}), '\\{letter}')"
    return f"CASE WHEN {found} THEN {escaped} ELSE {name} END"


def _quoted(column: Column) -> str:
    name, plain = f'"{column.name}"', _plain(column)
    if column.kind == "bigint":
        return plain
    if column.kind == "bytea":
        return f"CASE WHEN {name} IS NOT NULL THEN '''\\x' || hex({name}) || '''' END"
    return f"CASE WHEN {name} IS NOT NULL THEN quote({plain}) END"


def copy_block(db: Database, table: str, told: Callable[[int], None], *, freeze: bool) -> Iterator[bytes]:
    """All rows of a table as a COPY block; `told` hears how many rows each chunk had."""
    how = " WITH (FREEZE)" if freeze else ""
    yield f"COPY public.{table} ({column_list(table)}) FROM stdin{how};\n".encode()
    for lines in _batches(db, f"SELECT {copy_line(table)} FROM {table}"):  # noqa: S608 - names of the schema
        told(len(lines))
        yield ("\n".join(lines) + "\n").encode()
    yield b"\\.\n\n"


def copied(db: Database, table: str, rows: str | None = None) -> Iterator[tuple[int, bytes]]:
    """Rows of a table as chunks of COPY text, each with the number of its rows; `rows`: where they come from.

    There the table is called t, and nothing else has its columns' names.
    """
    sql = f"SELECT {copy_line(table)} FROM {rows or table}"  # noqa: S608 - names of the schema
    for lines in _batches(db, sql):
        yield len(lines), ("\n".join(lines) + "\n").encode()


def insert_block(db: Database, table: str, told: Callable[[int], None]) -> Iterator[bytes]:
    """All rows of a table as INSERT statements; `told` hears how many rows each had."""
    head = f"INSERT INTO public.{table} ({column_list(table)}) VALUES\n"
    sql = f"SELECT {insert_row(table)} FROM {table}"  # noqa: S608 - names of the schema
    for rows in _batches(db, sql, _ROWS_AN_INSERT):
        told(len(rows))
        yield (head + ",\n".join(rows) + ";\n\n").encode()


def _batches(db: Database, sql: str, most: int = CHUNK_CHARS) -> Iterator[list[str]]:
    """The texts of a query in batches that are bounded in number and in length: memory stays flat."""
    batch: list[str] = []
    size = 0
    for text in _texts(db, sql):
        batch.append(text)
        size += len(text)
        if size >= CHUNK_CHARS or len(batch) == most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _texts(db: Database, sql: str) -> Iterator[str]:
    cursor: sqlite3.Cursor = db.connection.cursor()
    cursor.row_factory = None
    try:
        with storage_errors(db.path):
            found: Iterator[tuple[Any, ...]] = cursor.execute(sql)
            for (text,) in found:
                yield text
    except sqlite3.OperationalError as error:
        if "Could not decode" not in str(error):
            raise
        raise CorruptFile(
            f"{db.path} holds a text that is not UTF-8", "find it: digestlog doctor; or restore a backup"
        ) from error
    finally:
        cursor.close()
