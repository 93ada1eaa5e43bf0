from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from store.rows import fill

from digestlog.resources import schema_sql
from digestlog.store import confined
from digestlog.store.confined import AnswerTooLarge, Confined, confine


@pytest.fixture
def reader() -> Iterator[sqlite3.Connection]:
    """A filled file in memory that can only be read from here on."""
    connection = sqlite3.connect(":memory:", factory=Confined, isolation_level=None)
    connection.executescript(schema_sql())
    fill(connection)
    confine(connection)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH ':memory:' AS other",
        "ATTACH 'file:/x?vfs=memdb' AS other",
        "DETACH main",
        "CREATE TABLE t (a)",
        "CREATE TEMP TABLE t (a)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT 1; END",
        "DROP TABLE users",
        "ALTER TABLE users RENAME TO u",
        "INSERT INTO users (id, name) VALUES ('x', 'y')",
        "UPDATE users SET role = 'admin'",
        "DELETE FROM users",
        "UPDATE sqlite_master SET sql = ''",
        "REINDEX",
        "ANALYZE",
        "VACUUM",
        "VACUUM INTO 'out.db'",
        "BEGIN IMMEDIATE",
        "SAVEPOINT s",
        "PRAGMA writable_schema = 1",
        "PRAGMA journal_mode",
        "PRAGMA user_version = 9",
        "PRAGMA temp_store_directory = '/'",
        "SELECT load_extension('x')",
        "SELECT LOAD_EXTENSION('x')",
        "SELECT fts3_tokenizer('x')",
        "INSERT INTO article_search (article_search) VALUES ('rebuild')",
        "SELECT zeroblob(100000000)",
        "SELECT 1 " + "+ 1 " * 300,
        "SELECT 1" + " UNION ALL SELECT 1" * 200,
        "SELECT '" + "x" * 200_000 + "'",
        "SELECT 'a' LIKE '" + "%a" * 1_000 + "'",
    ],
)
def test_nothing_but_reading(reader: sqlite3.Connection, sql: str) -> None:
    with pytest.raises(sqlite3.Error):
        reader.execute(sql).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM users",
        "SELECT count(*) FROM visible_urls",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5) SELECT * FROM n",
        "EXPLAIN QUERY PLAN SELECT * FROM users",
        "SELECT value FROM json_each('[1, 2]')",
        "SELECT name FROM pragma_table_info('users')",
        "SELECT * FROM pragma_table_list",
        "PRAGMA table_info(users)",
        "PRAGMA schema_version",
        "SELECT highlight(article_search, 0, '', '') FROM article_search WHERE article_search MATCH 'story'",
        "SELECT * FROM article_search",
        "SELECT row_number() OVER (ORDER BY name) FROM users",
    ],
)
def test_reading_goes_on(reader: sqlite3.Connection, sql: str) -> None:
    reader.execute(sql).fetchall()


def test_attaching_is_impossible_even_without_the_authorizer(reader: sqlite3.Connection) -> None:
    reader.set_authorizer(None)
    with pytest.raises(sqlite3.Error, match="too many attached databases - max 0"):
        reader.execute("ATTACH ':memory:' AS other")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT password_hash FROM users",
        "SELECT PassWord_Hash FROM USERS AS u",
        "SELECT (SELECT u.password_hash) FROM users AS u",
        "SELECT max(password_hash) FROM users",
        "SELECT token_sha256 FROM access_tokens",
        "SELECT file FROM pragma_database_list",
    ],
)
def test_secrets_read_as_nothing(reader: sqlite3.Connection, sql: str) -> None:
    assert {value for row in reader.execute(sql) for value in row} == {None}


def test_a_secret_cannot_be_asked_about(reader: sqlite3.Connection) -> None:
    for condition in ("password_hash = 'scrypt'", "password_hash LIKE '%'", "length(password_hash) > 0"):
        assert reader.execute(f"SELECT count(*) FROM users WHERE {condition}").fetchone() == (0,)


def test_an_answer_has_an_end(reader: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "MOST_ANSWER_BYTES", 1_000)
    many = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, zeroblob(10), 'abc' FROM n"
    )
    cursor = reader.cursor()
    with pytest.raises(AnswerTooLarge):
        cursor.execute(many).fetchall()
    with pytest.raises(AnswerTooLarge):
        cursor.execute(many).fetchmany(1_000)
    assert len(cursor.execute(many).fetchmany(3)) == 3
    assert len(cursor.execute(many).fetchmany()) == 1
    assert len(cursor.execute("SELECT 1 UNION ALL SELECT 2").fetchmany(5)) == 2
