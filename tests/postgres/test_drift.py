"""schema.sql and the Postgres schema are one: regenerated text, introspection, and probed values."""

from __future__ import annotations

import importlib.util
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

import psycopg
import pytest
from postgres_rows import exact_json
from postgres_server import Server, rows
from store import test_schema_columns as sqlite_side
from store.rows import ROWS

from digestlog.core.moments import to_iso
from digestlog.resources import postgres_sql, schema_sql
from digestlog.store.postgres_schema import before_rows, tables

ROOT = Path(__file__).parents[2]
NEW_TABLE = """
CREATE TABLE secrets_of_tomorrow (
    user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
    until_at TEXT CHECK (until_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', until_at, '+0 days') AND until_at >= '0001'),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001')
) STRICT;
CREATE INDEX idx_secrets_until ON secrets_of_tomorrow (until_at) WHERE told = 0;
"""  # noqa: E501 - as schema.sql has it


# --- the text ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("postgres_schema", ROOT / "scripts" / "postgres_schema.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["postgres_schema"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_committed_file_is_what_schema_sql_makes() -> None:
    script = str(ROOT / "scripts" / "postgres_schema.py")
    done = subprocess.run([sys.executable, script, "--check"])
    assert done.returncode == 0, "run: python scripts/postgres_schema.py"


def test_a_new_table_is_taken_and_closed_without_a_hand(generator: ModuleType) -> None:
    made = generator.generated(schema_sql() + NEW_TABLE)
    assert "    user_id uuid NOT NULL,\n    told boolean NOT NULL DEFAULT false,\n" in made
    assert "    until_at timestamptz(0) CHECK (until_at BETWEEN" in made
    assert "ADD CONSTRAINT secrets_of_tomorrow_pkey PRIMARY KEY (user_id);" in made
    assert "(until_at) WHERE told = FALSE;" in made
    assert "REFERENCES public.users (id) ON DELETE CASCADE DEFERRABLE;" in made
    assert "ALTER TABLE public.secrets_of_tomorrow ENABLE ROW LEVEL SECURITY;" in made
    assert "CREATE TRIGGER secrets_of_tomorrow_touched" in made
    assert undecided(generator.read_tables(schema_sql() + NEW_TABLE)) == {"secrets_of_tomorrow"}


@pytest.mark.parametrize(
    "column", ["a TEXT GENERATED ALWAYS AS (b)", "a TEXT CHECK (a GLOB '[!a](b)')", "a TEXT COLLATE NOCASE"]
)
def test_what_it_does_not_understand_it_refuses(generator: ModuleType, column: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        generator.generated(f"CREATE TABLE t (b TEXT, {column}) STRICT;")


def undecided(names: Any) -> set[str]:
    """The tables of which postgres_access.sql says neither who may read them nor that they are closed."""
    access = postgres_sql("access")
    granted = re.findall(r"^GRANT [^;]*?ON public\.(\w+) TO authenticated;", access, re.M)
    closed = re.findall(r"^-- closed: (\w+): \w", access, re.M)
    assert not set(granted) & set(closed)
    return set(names) - set(granted) - set(closed)


def test_somebody_decided_who_may_read_each_table() -> None:
    assert undecided(tables()) == set(), "decide in src/digestlog/store/postgres_access.sql"


def test_the_sqlite_only_tables_have_reasons(generator: ModuleType) -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(schema_sql())
        found = connection.execute(
            """SELECT name FROM pragma_table_list
            WHERE type IN ('table', 'virtual') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"""
        ).fetchall()
    connection.close()
    assert {name for (name,) in found} - set(tables()) == set(generator.LEFT_OUT)
    assert all(generator.LEFT_OUT.values())


# --- introspection ----------------------------------------------------------------------------


@pytest.fixture
def bare() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema_sql())
    yield connection
    connection.close()


def kind_of(bare: sqlite3.Connection, table: str, name: str) -> str:
    """The Postgres type by the rule, worked out without the generator."""
    for _, _, target, column, to, *_ in bare.execute(f"PRAGMA foreign_key_list({table})"):
        if column == name:
            return kind_of(bare, target, to)
    values = sqlite_side.values_of((table, name))
    (declared,) = [row[2] for row in bare.execute(f"PRAGMA table_info({table})") if row[1] == name]
    if (table, name) in sqlite_side.JSON:
        return "jsonb"
    for known, kind in (
        (sqlite_side.TIMES, "timestamp(0) with time zone"),
        (sqlite_side.DAY_VALUES, "date"),
        (sqlite_side.BOOLEAN_VALUES, "boolean"),
    ):
        if values is known:
            return kind
    if declared == "TEXT" and values is sqlite_side.UUID_VALUES:
        return "uuid"
    return {"TEXT": "text", "INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea"}[declared]


def test_tables_columns_types_and_nulls_agree(
    bare: sqlite3.Connection, owner: psycopg.Connection[Any]
) -> None:
    found = rows(
        owner,
        """SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, o.collname
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
        LEFT JOIN pg_collation AS o ON o.oid = a.attcollation
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname, a.attnum""",
    )
    wanted = [
        (
            table,
            row[1],
            kind := kind_of(bare, table, row[1]),
            bool(row[3] or row[5]),
            "C" if kind == "text" else None,
        )
        for table in sorted(tables())
        for row in bare.execute(f"PRAGMA table_info({table})")
    ]
    assert found == wanted


def named(table: str, part: str) -> str:
    """The column that a part of an index is about."""
    (name,) = [c.name for c in tables()[table] if re.search(rf"(?<!\w){c.name}(?!\w)", part)] or [part]
    return name


def postgres_indexes(owner: psycopg.Connection[Any]) -> set[tuple[Any, ...]]:
    found = rows(
        owner,
        """SELECT t.relname, x.relname, i.indisunique, i.indpred IS NOT NULL,
            ARRAY(SELECT pg_get_indexdef(i.indexrelid, k, true) FROM generate_series(1, i.indnkeyatts) AS k)
        FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS x ON x.oid = i.indexrelid
        WHERE t.relnamespace = 'public'::regnamespace""",
    )
    made = set()
    for table, name, unique, partial, parts in found:
        columns = tuple(named(table, part) for part in parts)
        made.add((table, "key" if name.endswith(("_pkey", "_key")) else name, unique, partial, columns))
    return made


def test_keys_and_indexes_agree(bare: sqlite3.Connection, owner: psycopg.Connection[Any]) -> None:
    wanted = set()
    for table in tables():
        info = bare.execute(f"PRAGMA table_info({table})").fetchall()
        primary = tuple(row[1] for row in sorted(info, key=lambda row: row[5]) if row[5])
        wanted.add((table, "key", True, False, primary))
        for _, name, unique, origin, partial in bare.execute(f"PRAGMA index_list({table})"):
            columns = tuple(row[2] for row in bare.execute(f"PRAGMA index_info({name})"))
            if origin != "pk":
                wanted.add((table, "key" if origin == "u" else name, bool(unique), bool(partial), columns))
    assert postgres_indexes(owner) == wanted


def test_references_agree(bare: sqlite3.Connection, owner: psycopg.Connection[Any]) -> None:
    words = {"a": "NO ACTION", "c": "CASCADE", "n": "SET NULL", "r": "RESTRICT", "d": "SET DEFAULT"}
    found = rows(
        owner,
        """SELECT conrelid::regclass::text, a.attname, confrelid::regclass::text, b.attname, confdeltype::text
        FROM pg_constraint JOIN pg_attribute AS a ON a.attrelid = conrelid AND a.attnum = conkey[1]
        JOIN pg_attribute AS b ON b.attrelid = confrelid AND b.attnum = confkey[1]
        WHERE contype = 'f' AND connamespace = 'public'::regnamespace""",
    )
    wanted = {
        (table, row[3], row[2], row[4], row[6])
        for table in tables()
        for row in bare.execute(f"PRAGMA foreign_key_list({table})")
    }
    assert {(*row[:4], words[row[4]]) for row in found} == wanted


def test_defaults_agree(bare: sqlite3.Connection, owner: psycopg.Connection[Any]) -> None:
    found = rows(
        owner,
        """SELECT c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef AS d
        JOIN pg_class AS c ON c.oid = d.adrelid
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.adnum
        WHERE c.relnamespace = 'public'::regnamespace""",
    )
    given = {(table, name): expression for table, name, expression in found}
    # Rows that users insert get an id of their own; in SQLite the program gives it.
    for table in ("user_url_library", "url_submissions"):
        assert given.pop((table, "id")) == "gen_random_uuid()"
    wanted = {
        (table, row[1]): row[4]
        for table in tables()
        for row in bare.execute(f"PRAGMA table_info({table})")
        if row[4] is not None
    }
    assert set(given) == set(wanted)
    for column, expression in wanted.items():
        (mine,) = bare.execute(f"SELECT {expression}").fetchone()
        ((theirs,),) = rows(owner, f"SELECT {given[column]}")
        if isinstance(theirs, datetime):
            now = datetime.fromisoformat(mine)
            assert abs((theirs - now).total_seconds()) < 60 and theirs.microsecond == 0
        else:
            assert theirs == (json.loads(mine) if column in sqlite_side.JSON else mine), column


def test_views_agree(bare: sqlite3.Connection, owner: psycopg.Connection[Any]) -> None:
    ours = {"moment", "article_texts"}  # the clock's and the search index's
    views = {name for (name,) in bare.execute("SELECT name FROM sqlite_master WHERE type = 'view'")} - ours
    found: dict[str, list[str]] = {}
    for view, column in rows(
        owner,
        """SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.views
        USING (table_schema, table_name)
        WHERE table_schema = 'public' ORDER BY table_name, ordinal_position""",
    ):
        found.setdefault(view, []).append(column)
    assert found == {view: [row[1] for row in bare.execute(f"PRAGMA table_info({view})")] for view in views}


def test_every_trigger_of_the_rules_has_its_twin(
    bare: sqlite3.Connection, owner: psycopg.Connection[Any]
) -> None:
    mine = {name for (name,) in bare.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    search = {n for n in mine if n.startswith(("article_search_", "article_documents_", "scraped_articles_"))}
    search |= {n for n in mine if n.startswith(("logged_", "push_targets_"))}  # what a push sends
    one_function = {"extracted_article_urls_no_collision"}  # within ..._first_insert_is_final
    found = {n for (n,) in rows(owner, "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")}
    assert found == mine - search - one_function | {"scraped_articles_content_is_final"}


# --- probes -----------------------------------------------------------------------------------

MORE_TIMES = ["now", "infinity", "-infinity", "epoch", "tomorrow", "10000-01-01T00:00:00+00:00",
              "0044-03-15 BC", "2026-02-12T14:03:12.999999+00:00", "294277-01-01", "allballs"]  # fmt: skip
MORE_JSON = [r'["\u0000"]', r'[{"a\u0000": 1}]', r'["\\u0000"]', r'["\ud83d\ude00"]', r'["\ud800"]',
             r'["\udc00\ud800"]', "[1e400]", '[{"a": 1, "a": 2}]', "[NaN]", "[Infinity]", "[0x10]", "[01]",
             "[" * 500 + "]" * 500, '["\t"]', '["\\x41"]', "\ufeff[]", '["\ufeff"]']  # fmt: skip
MORE_TEXTS = ["\ud800", "a\ud800b", "\\", "\\N", "\x7f", "\x01", "\ufffe", "é" * 5000]
MORE_UUIDS = ["{00000000-0000-4000-8000-000000000001}", "00000000-0000-4000-8000-00000000000G",
              "00000000-0000-4000-8000-00000000000１"]  # fmt: skip
# SQLite takes them, jsonb does not; an export writes U+FFFD for each half.
HALVES = {r'["\ud800"]', r'["\udc00\ud800"]'}


def probes(column: tuple[str, str], kind: str) -> list[Any]:
    good, bad = sqlite_side.values_of(column)
    more: dict[str, list[Any]] = {
        "timestamp(0) with time zone": MORE_TIMES[1:],
        "jsonb": MORE_JSON,
        "text": MORE_TEXTS,
        "uuid": MORE_UUIDS,
        "bigint": [2**63, -(2**63) - 1, "0x10", ""],
    }
    # Bytes have no form in which Postgres would take them for a text: they would be another value.
    return [v for v in [*good, *bad, *more.get(kind, [])] if kind == "bytea" or not isinstance(v, bytes)]


def sqlite_takes(unbound: sqlite3.Connection, column: tuple[str, str], value: Any) -> bool:
    try:
        return sqlite_side.accepts(unbound, column, value)
    except (UnicodeEncodeError, OverflowError, sqlite3.OperationalError):
        return False


def as_text(value: Any) -> Any:
    """How a value stands in a statement: bytes as such, all else in words."""
    if isinstance(value, bool):
        return str(int(value))
    return value if value is None or isinstance(value, bytes) else str(value)


def postgres_keeps(owner: psycopg.Connection[Any], column: tuple[str, str], value: Any) -> tuple[bool, Any]:
    """Does Postgres take the good row with this value, and what does it keep of it?"""
    table, name = column
    row = {**ROWS[table], **sqlite_side.ALONG.get(column, lambda _: {})(value), name: value}
    names, marks = ", ".join(f'"{n}"' for n in row), ", ".join(["%s"] * len(row))
    try:
        with owner.transaction(force_rollback=True):
            (kept,) = owner.execute(
                f'INSERT INTO public.{table} ({names}) VALUES ({marks}) RETURNING "{name}"',
                [as_text(v) for v in row.values()],
            ).fetchone() or (None,)
    except (psycopg.Error, UnicodeEncodeError):
        return False, None
    return True, kept


def in_sqlite(kept: Any) -> Any:
    """What Postgres keeps, as the file would hold it."""
    if isinstance(kept, datetime):
        return to_iso(kept.astimezone(UTC))
    if isinstance(kept, date):
        return kept.isoformat()
    if isinstance(kept, UUID):
        return str(kept)
    if isinstance(kept, list | dict):
        return json.dumps(kept, default=str)
    return int(kept) if isinstance(kept, bool) else kept


def same(kind: str, kept: Any, value: Any) -> bool:
    if kind == "jsonb":
        return bool(kept == json.loads(value, parse_float=Decimal, parse_int=Decimal))
    if kind == "double precision":
        return bool(kept == float(value))
    return bool(in_sqlite(kept) == value)


# One value, several ways to write it: Postgres reads them all and keeps the one value.
_OTHER_NOTATION = {"timestamp(0) with time zone", "date", "uuid", "boolean", "jsonb", "bytea", "bigint"}


def test_both_take_and_refuse_the_same_values(
    server: Server, empty_database: str, unbound: sqlite3.Connection
) -> None:
    checked = 0
    with server.connect(empty_database, autocommit=True) as owner:
        owner.execute("SET timezone = 'UTC'")
        exact_json(owner)
        owner.execute(before_rows())  # without keys: only the column itself can object
        for column in sqlite_side.COLUMNS:
            if column[0] not in tables() or column in sqlite_side.REFERENCES | sqlite_side.FREE:
                continue
            kind = kind_of(unbound, *column)
            for value in probes(column, kind):
                taken, (kept_it, kept) = (
                    sqlite_takes(unbound, column, value),
                    postgres_keeps(owner, column, value),
                )
                checked += 1
                if taken and value not in HALVES:
                    assert kept_it and same(kind, kept, value), (column, value, kept)
                elif kept_it:
                    assert kind in _OTHER_NOTATION, (column, value, kept)
                    assert sqlite_takes(unbound, column, in_sqlite(kept)), (column, value, kept)
    assert checked > 2000


@pytest.fixture(scope="session")
def unbound() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(schema_sql())
    yield connection
    connection.close()
