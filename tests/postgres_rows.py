"""A file whose every table is filled with hostile values, and whether a Postgres database holds the same."""

from __future__ import annotations

import json
import math
import sqlite3
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
from store.rows import ARTICLE, ROWS, put, uuid
from store.test_schema_columns import ALONG, COLUMNS, FREE, REFERENCES, TEXT_VALUES, values_of

from digestlog.core import canonical
from digestlog.core.moments import to_iso
from digestlog.store.db import Database
from digestlog.store.postgres_schema import tables

MEGABYTE = "😀 \\ 'quoted' \t\r\n" * 60_000
HOSTILE = [
    r"\N",
    r"\.",
    "\\",
    r"a\tb\nc\\N",
    "a\tb\nc\rd\r\ne",
    "\n",
    "\t\t",
    "'; DROP TABLE users; --",
    "\"double\" 'single' `back` $$dollar$$ $a$",
    "".join(map(chr, range(1, 32))) + "\x7f\x80\x9f",
    "😀 👩‍👩‍👧 \U0010ffff \ufffe \ufeff \u202e \u0301e",
    "NULL",
    "%s %d %(name)s :name ${x} {x}",
    "\\x00 \\u0000 \\000",
    "-- comment\n/* and */ this",
    " leading and trailing ",
]
HOSTILE_JSON: list[Any] = [[text] for text in [*HOSTILE, "\ufffd", ""] if text] + [
    [{"a": [1, -1.5, 1e300, 12345678901234567890, None, True, {"": []}]}],
    [{"\\": '"', "\t": "\n"}],
]
FLOATS = [
    0.1,
    1 / 3,
    5e-324,
    1.7976931348623157e308,
    -0.0,
    1.1106834159472644e247,
    math.pi,
    math.inf,
    -math.inf,
]

# As they are after first use; the good row of the same key would meet them.
_MADE_WITH_THE_FILE = {
    "clock",
    "article_documents",
    "url_identity",
    "plan_definitions",
    "source_numbers",
    # Of the file alone.
    "push_targets",
    "change_log",
}
# Other good rows refer to them.
_FIXED = {("policy_lists", "name")}


def fill_with_hostile_rows(db: Database) -> None:
    """At least one row in every table; every text that may be anything is as bad as it can be."""
    with db.transaction() as connection:
        for number, table in enumerate(table for table in ROWS if table not in _MADE_WITH_THE_FILE):
            put(connection, table, _hostile(table, number))
        _more_texts(connection)
        _more_numbers(connection)


def _hostile(table: str, number: int) -> dict[str, Any]:
    free = [
        column
        for column in COLUMNS
        if column[0] == table
        and values_of(column) is TEXT_VALUES
        and column not in REFERENCES
        and column not in ALONG
        and column not in FREE
        and column[1] in ROWS[table]
        and column not in _FIXED
        and column[1] not in ("canonical_url", "article_url_final", "article_url_original")
    ]
    return {name: HOSTILE[(number + place) % len(HOSTILE)] for place, (_, name) in enumerate(free)}


def _more_texts(connection: sqlite3.Connection) -> None:
    for number, text in enumerate([*HOSTILE, MEGABYTE]):
        put(connection, "scraped_articles", scrape_id=uuid(1000 + number), content_text=text,
            content_sha256=f"{number:064x}", title=text[:10_000])  # fmt: skip
        put(connection, "url_change_events", id=uuid(1100 + number), before=text, after="")
        put(connection, "article_history", id=uuid(1200 + number), url_hash=f"{number:064x}", url=text)
        put(connection, "synthesis_candidates", url=text + "\\")
        put(connection, "url_resolutions", article_url_original=text + "x" * 70_000)
        put(connection, "url_contents", content_sha256=f"{number:064x}", content=text.encode())
    for number, value in enumerate(HOSTILE_JSON):
        put(connection, "categories", id=uuid(1300 + number), name=f"n{number}", keywords=json.dumps(value))
        put(connection, "synthesis_items", id=uuid(1400 + number), position=number + 1,
            other_links=json.dumps(value, ensure_ascii=False))  # fmt: skip
    put(connection, "url_contents", content_sha256="f" * 64, content=bytes(range(256)) * 4)
    put(connection, "url_contents", content_sha256="e" * 64, content=b"")


def _more_numbers(connection: sqlite3.Connection) -> None:
    for number, value in enumerate(FLOATS):
        put(connection, "trend_points", series=f"s{number}", value=value)
        put(
            connection,
            "synthesis_items",
            id=uuid(1500 + number),
            position=number + 1,
            category="f",
            score=value,
        )
    for number, day in enumerate(("0001-01-01", "9999-12-31", "2024-02-29")):
        put(connection, "trend_points", day=day, series=HOSTILE[4])
        put(connection, "syntheses", id=uuid(1600 + number), created_at=f"{day}T23:59:59+00:00", title=None)
    put(connection, "plan_definitions", plan="huge", max_tracked_urls=2**63 - 1, full_history=1)
    article = ARTICLE + "/2"
    put(
        connection,
        "extracted_article_urls",
        article_uuid=canonical.article_uuid(article),
        article_url_final=article,
        article_url_original=article + "?" + "y" * 60_000,
        url_original_to_final_match=0,
        article_title=MEGABYTE,
    )


# --- the same rows ----------------------------------------------------------------------------


def sqlite_rows(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table, as Python would have them from Postgres."""
    columns = tables()[table]
    names = ", ".join(f'"{column.name}"' for column in columns)
    found = connection.execute(f"SELECT {names} FROM {table}").fetchall()
    return sorted(
        (tuple(_expected(c.kind, v) for c, v in zip(columns, row, strict=True)) for row in found), key=repr
    )


def _expected(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "jsonb":
        return _canonical_json(json.loads(value, parse_float=Decimal, parse_int=Decimal))
    if kind == "boolean":
        return bool(value)
    if kind == "double precision":
        return repr(float(value))
    return value


def postgres_rows(connection: psycopg.Connection[Any], table: str) -> list[tuple[Any, ...]]:
    """The rows of a table of Postgres."""
    names = ", ".join(f'"{column.name}"' for column in tables()[table])
    found = connection.execute(f"SELECT {names} FROM public.{table}").fetchall()
    kinds = [column.kind for column in tables()[table]]
    return sorted((tuple(map(_plain, kinds, row)) for row in found), key=repr)


_TYPES: dict[str, type] = {
    "text": str,
    "uuid": UUID,
    "bigint": int,
    "boolean": bool,
    "bytea": bytes,
    "timestamptz": datetime,
    "date": date,
    "double precision": float,
}


def _plain(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "jsonb":
        return _canonical_json(value)
    assert type(value) is _TYPES[kind], (kind, value)
    if isinstance(value, datetime):
        return to_iso(value.astimezone(UTC))
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)
    return str(value) if isinstance(value, UUID) else value


def _canonical_json(value: Any) -> Any:
    """Numbers by their value, objects without an order."""
    if isinstance(value, dict):
        return {key: _canonical_json(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_canonical_json(one) for one in value]
    if isinstance(value, Decimal):
        return ("number", value.normalize())
    return value


def exact_json(connection: psycopg.Connection[Any]) -> None:
    """Let this connection read numbers in JSON without rounding."""
    from psycopg.types.json import set_json_loads

    set_json_loads(lambda text: json.loads(text, parse_float=Decimal, parse_int=Decimal), connection)


def assert_same(db: Database, connection: psycopg.Connection[Any]) -> None:
    """Every row of every table is the same on both sides, value by value and type by type."""
    exact_json(connection)
    connection.execute("SET timezone = 'UTC'")
    for table in tables():
        mine, theirs = sqlite_rows(db.connection, table), postgres_rows(connection, table)
        assert len(mine) == len(theirs), table
        for one, other in zip(mine, theirs, strict=True):
            assert one == other, table
