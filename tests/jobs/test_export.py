"""Writing out: the order of a file for Postgres, JSON and CSV that are read back."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from store.rows import ROWS, THEN, USER, put, uuid

from digestlog.jobs import export
from digestlog.store import export as store
from digestlog.store.db import Database
from digestlog.store.postgres_schema import tables

_THERE = {"clock", "article_documents", "url_identity", "plan_definitions", "source_numbers"}


@pytest.fixture
def filled(db: Database) -> Database:
    """A good row in every table."""
    with db.transaction() as connection:
        for table in ROWS:
            if table not in _THERE:
                put(connection, table)
        connection.execute("UPDATE user_url_library SET history_start_at = ?", (THEN,))
    return db


def silent(table: str, done: int, total: int) -> None:
    """Nobody listens."""


def postgres(db: Database, **options: bool) -> str:
    out = io.BytesIO()
    export.export_postgres(db, out, export.PostgresOptions(**options), silent)
    return out.getvalue().decode()


# --- postgres ---------------------------------------------------------------------------------


def test_the_order_is_tables_rows_keys_triggers_policies(filled: Database) -> None:
    text = postgres(filled)
    marks = ["BEGIN;", "CREATE TABLE public.users", "COPY public.users", "COPY public.url_renders",
             "ADD CONSTRAINT users_pkey", "CREATE TRIGGER check_library_url_cap",
             "ENABLE ROW LEVEL SECURITY", "CREATE POLICY own", "COMMIT;"]  # fmt: skip
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    assert text.count("BEGIN;\n") == text.count("COMMIT;\n") == 1


def test_every_table_is_written_once(filled: Database) -> None:
    assert re.findall(r"^COPY public\.(\w+) ", postgres(filled), re.M) == list(tables())


@pytest.mark.parametrize(
    ("options", "has", "lacks"),
    [
        ({"data": False}, "CREATE TABLE", "COPY public"),
        ({"schema": False}, "SET LOCAL digestlog.replay = 'on';", "CREATE TABLE"),
        ({"schema": False}, "COPY public", "FREEZE"),
        ({"inserts": True}, "INSERT INTO public.users", "COPY public"),
        ({"supabase": True}, "SELECT auth.uid()", "no such text"),
        ({}, "WITH (FREEZE)", "auth.uid()"),
    ],
)
def test_options(filled: Database, options: dict[str, bool], has: str, lacks: str) -> None:
    text = postgres(filled, **options)
    assert has in text
    assert lacks not in text


def test_it_tells_how_far_it_is(filled: Database) -> None:
    said: list[tuple[str, int, int]] = []
    done = export.export_postgres(
        filled, io.BytesIO(), export.PostgresOptions(), lambda *heard: said.append(heard)
    )
    assert said[-1] == ("url_renders", done, done)
    assert {table for table, _, _ in said} == set(tables())
    assert done == store.counts(filled, list(tables()))


def test_a_schema_has_no_rows(filled: Database) -> None:
    assert export.export_postgres(filled, io.BytesIO(), export.PostgresOptions(data=False), silent) == 0


def test_the_file_is_free_again_after_a_failure(filled: Database) -> None:
    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        export.export_postgres(filled, Full(), export.PostgresOptions(), silent)
    with filled.transaction() as connection:
        put(connection, "users", id=uuid(99), name="bob")


# --- json -------------------------------------------------------------------------------------


def as_json(db: Database, user_id: str | None) -> Any:
    out = io.BytesIO()
    done = export.export_json(db, out, user_id, {"user": "anna"}, silent)
    found = json.loads(out.getvalue())
    assert done == sum(map(len, found["tables"].values()))
    return found


@pytest.mark.parametrize("user_id", [None, USER])
def test_the_document_holds_what_the_user_may_read(filled: Database, user_id: str | None) -> None:
    found = as_json(filled, user_id)
    assert found["about"] == {"user": "anna"}
    assert found["tables"] == {
        table: list(store.records(filled, part, user_id)) for table, part in store.parts(user_id).items()
    }


def test_half_a_surrogate_pair_is_escaped(filled: Database) -> None:
    with filled.transaction() as connection:
        connection.execute("UPDATE categories SET keywords = ?", (r'["\ud800", "é"]',))
    assert as_json(filled, None)["tables"]["categories"][0]["keywords"] == ["\ud800", "é"]


# --- csv --------------------------------------------------------------------------------------


def as_csv(db: Database, table: str, user_id: str | None = None, **options: bool) -> list[dict[str, str]]:
    out = io.BytesIO()
    done = export.export_csv(db, out, user_id, table, raw=options.get("raw", False), tell=silent)
    found = list(csv.DictReader(io.StringIO(out.getvalue().decode(), newline="")))
    assert len(found) == done
    return found


def test_a_table_as_csv(filled: Database) -> None:
    (row,) = as_csv(filled, "sources_master_list")
    assert list(row) == [column.name for column in tables()["sources_master_list"]]
    assert (row["source_name"], row["is_active"], row["removed_at"]) == ("Example", "false", "")


@pytest.mark.parametrize("raw", [False, True])
def test_a_formula_stays_text(filled: Database, raw: bool) -> None:
    text = '=cmd|"/C calc"!A0,\n\r"quoted"'
    with filled.transaction() as connection:
        connection.execute("UPDATE extracted_article_urls SET article_title = ?", (text,))
    (row,) = as_csv(filled, "extracted_article_urls", raw=raw)
    assert row["article_title"] == ("" if raw else "'") + text


def test_long_tables_are_handed_on_in_pieces(filled: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_BUFFERED_CHARS", 100)
    with filled.transaction() as connection:
        for number in range(5):
            put(connection, "article_history", id=uuid(200 + number), url_hash=f"{number:064x}")
    assert len(as_csv(filled, "article_history", USER)) == 6


def test_a_folder_of_tables(filled: Database, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    done = export.export_csv_folder(filled, folder, USER, raw=False, tell=silent)
    assert {path.stem for path in folder.iterdir()} == set(store.USER_ROWS)
    texts = [io.StringIO(path.read_bytes().decode(), newline="") for path in folder.iterdir()]
    rows = [row for text in texts for row in csv.reader(text)]
    assert len(rows) == done + len(store.USER_ROWS)
