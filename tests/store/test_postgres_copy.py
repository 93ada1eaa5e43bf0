"""Rows in Postgres' own text, without a Postgres."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.rows import put, uuid

from digestlog.errors import CorruptFile
from digestlog.store import postgres_copy
from digestlog.store.db import Database
from digestlog.store.postgres_schema import after_rows, load_script, section, tables


@pytest.fixture
def ready(db: Database) -> Database:
    """A file whose connection has the functions."""
    postgres_copy.prepare(db.connection)
    return db


def lines(db: Database, table: str) -> list[str]:
    """The rows of a table as COPY lines."""
    told: list[int] = []
    block = b"".join(postgres_copy.copy_block(db, table, told.append, freeze=False)).decode()
    head, *found = block.split("\n")
    assert head == f"COPY public.{table} ({postgres_copy.column_list(table)}) FROM stdin;"
    assert found[-3:] == ["\\.", "", ""]
    assert sum(told) == len(found) - 3
    return found[:-3]


def cells(db: Database, table: str) -> list[dict[str, str]]:
    names = [column.name for column in tables()[table]]
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines(db, table)]


def unescaped(cell: str) -> str | None:
    """What Postgres reads in a cell of COPY text."""
    if cell == "\\N":
        return None
    letters, found = iter(cell), []
    for letter in letters:
        if letter == "\\":
            letter = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}[next(letters)]
        found.append(letter)
    return "".join(found)


# --- COPY -------------------------------------------------------------------------------------


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back(one_row: Database, text: str) -> None:
    with one_row.transaction() as connection:
        connection.execute("UPDATE syntheses SET title = ?", (text,))
    (row,) = cells(one_row, "syntheses")
    assert unescaped(row["title"]) == text


@pytest.fixture(scope="module")
def one_row(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    from conftest import NOW

    from digestlog.store.db import open_database

    with open_database(tmp_path_factory.mktemp("copy") / "d.db", now=NOW, frozen=True) as db:
        postgres_copy.prepare(db.connection)
        with db.transaction() as connection:
            put(connection, "users")
            put(connection, "syntheses")
            put(connection, "trend_definitions")
            put(connection, "trend_points")
        yield db


@given(
    st.floats(allow_nan=False)
    | st.integers(0, 2**64 - 1).map(lambda n: struct.unpack("d", struct.pack("Q", n))[0])
)
def test_any_number_comes_back(one_row: Database, number: float) -> None:
    if math.isnan(number):
        return  # SQLite has none
    with one_row.transaction() as connection:
        connection.execute("UPDATE trend_points SET value = ?", (number,))
    (row,) = cells(one_row, "trend_points")
    assert float(row["value"]) == number


def test_each_kind_of_value(ready: Database) -> None:
    with ready.transaction() as connection:
        put(connection, "brand_library_brands")
        put(connection, "urls", last_checked_at=None)
        put(connection, "url_observations")
        put(connection, "url_contents", content=b"\0\\x")
        put(connection, "url_check_state", body=None, memory=r'{"a": "\\ \n"}')
    (url,), (state,) = cells(ready, "urls"), cells(ready, "url_check_state")
    assert (url["allow_private"], url["last_checked_at"], url["min_interval_s"]) == ("f", "\\N", "3600")
    assert state["body"] == "\\N"
    assert unescaped(state["memory"]) == r'{"a": "\\ \n"}'
    assert cells(ready, "url_contents")[0]["content"] == "\\\\x005C78"


@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        (r'["\ud83d\ude00"]', r'["\ud83d\ude00"]'),
        (r'["\ud83d"]', r'["\ufffd"]'),
        (r'["\uDE00\uD83D"]', r'["\ufffd\ufffd"]'),
        (r'["\ud83d\ud83d\ude00"]', r'["\ufffd\ud83d\ude00"]'),
        (r'["\\ud83d"]', r'["\\ud83d"]'),
        (r'["\\\ud83d"]', r'["\\\ufffd"]'),
        (r'["\ud7ff"]', r'["\ud7ff"]'),
    ],
)
def test_half_a_surrogate_pair_is_replaced(ready: Database, stored: str, sent: str) -> None:
    with ready.transaction() as connection:
        put(connection, "users")
        put(connection, "categories", keywords=stored)
    assert unescaped(cells(ready, "categories")[0]["keywords"]) == sent


def test_frozen_rows_are_asked_for(ready: Database) -> None:
    (head, *_) = postgres_copy.copy_block(ready, "users", lambda _: None, freeze=True)
    assert head.endswith(b"FROM stdin WITH (FREEZE);\n")


def test_long_rows_are_handed_on_one_by_one(ready: Database) -> None:
    """However long a table is, only so much of it is in memory."""
    text = "x" * (postgres_copy.CHUNK_CHARS // 2)
    with ready.transaction() as connection:
        put(connection, "users")
        for number in range(7):
            put(connection, "article_history", id=uuid(100 + number), url_hash=f"{number:064x}", url=text)
    told: list[int] = []
    list(postgres_copy.copy_block(ready, "article_history", told.append, freeze=False))
    assert told == [2, 2, 2, 1]


def test_a_text_that_is_no_text_is_named(ready: Database) -> None:
    with ready.transaction() as connection:
        connection.execute("UPDATE users SET name = CAST(x'ff61' AS TEXT)")
    with pytest.raises(CorruptFile, match="holds a text that is not UTF-8"):
        lines(ready, "users")


def test_other_errors_stay_what_they_are(db: Database) -> None:
    """Without its functions the expression is a mistake of the program."""
    import sqlite3

    with pytest.raises(sqlite3.OperationalError, match="no such function"):
        lines(db, "trend_points")


# --- INSERT -----------------------------------------------------------------------------------


def test_insert_statements(ready: Database) -> None:
    with ready.transaction() as connection:
        put(connection, "users", name="it's \\ %s", password_hash=None)
        put(connection, "url_contents", content=b"\1")
    told: list[int] = []
    (block,) = postgres_copy.insert_block(ready, "users", told.append)
    assert told == [2]
    head, _, second = block.decode().rstrip().split("\n")
    assert head == f"INSERT INTO public.users ({postgres_copy.column_list('users')}) VALUES"
    assert second.startswith(f"('{uuid(1)}', 'it''s \\ %s', 'user', NULL, 0, '2")
    assert second.endswith("');")
    (block,) = postgres_copy.insert_block(ready, "url_contents", told.append)
    assert b", '\\x01', " in block


def test_an_empty_table_has_no_insert(ready: Database) -> None:
    assert list(postgres_copy.insert_block(ready, "url_contents", lambda _: None)) == []


def test_many_rows_are_several_statements(ready: Database) -> None:
    with ready.transaction() as connection:
        put(connection, "users")
        for number in range(501):
            put(connection, "article_history", id=uuid(100 + number), url_hash=f"{number:064x}")
    told: list[int] = []
    assert len(list(postgres_copy.insert_block(ready, "article_history", told.append))) == 2
    assert told == [500, 1]


# --- the schema -------------------------------------------------------------------------------


def test_the_parts_follow_each_other() -> None:
    script = load_script()
    places = [script.index(sql) for _, sql in after_rows()]
    assert places == sorted(places)
    assert script.startswith(section("tables"))
    assert "auth.uid()" not in script
    assert "auth.uid()" in load_script(supabase=True)


def test_columns_are_known_by_their_kind() -> None:
    kinds = {column.name: column for column in tables()["url_change_events"]}
    assert {name: column.kind for name, column in kinds.items()} == {
        "id": "uuid",
        "url_id": "uuid",
        "observation_id": "uuid",
        "detected_at": "timestamptz",
        "kind": "text",
        "state": "text",
        "magnitude": "double precision",
        "before": "text",
        "after": "text",
        "diff": "jsonb",
        "created_at": "timestamptz",
        "updated_at": "timestamptz",
    }
    assert [name for name, column in kinds.items() if not column.not_null] == [
        "observation_id",
        "before",
        "after",
    ]
    assert [name for name, column in kinds.items() if column.simple] == ["kind", "state"]
