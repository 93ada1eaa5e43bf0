"""Connections that can read and do nothing else: no attaching, no writing, no extension, no flood.

The limits hold inside SQLite itself; the authorizer is a second wall that also hides secrets.
"""

from __future__ import annotations

import sqlite3
from typing import Any

MOST_ANSWER_BYTES = 64 * 2**20

# What a statement may be at most, so that none takes the server with it.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LENGTH: 32 * 2**20,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 500,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_READING = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)
# What Datasette asks to know the tables by, and what belongs to reading. None of them changes anything here.
_PRAGMAS = frozenset(
    """cache_size data_version database_list foreign_key_list function_list index_info index_list index_xinfo
    max_page_count module_list page_count page_size query_only recursive_triggers schema_version table_info
    table_list table_xinfo""".split()
)
_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})
# Read as NULL, also by admins: nobody needs them, and whoever has them can try passwords at leisure. Nor is
# it anybody's business where the file lies.
SECRETS = frozenset(
    {("users", "password_hash"), ("access_tokens", "token_sha256"), ("pragma_database_list", "file")}
)
# How SQLite takes in a table-valued function such as json_each. Nobody can write there.
_DECLARING = (sqlite3.SQLITE_UPDATE, "sqlite_master")


class AnswerTooLarge(sqlite3.OperationalError):
    """A statement gives more than a page can hold."""


class _Bounded(sqlite3.Cursor):
    """A cursor that counts what it gives."""

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Some rows, unless they are too much."""
        return self._counted(self.arraysize if size is None else size)

    def fetchall(self) -> list[Any]:
        """All rows, unless they are too much."""
        return self._counted(None)

    def _counted(self, most: int | None) -> list[Any]:
        rows: list[Any] = []
        left = MOST_ANSWER_BYTES
        while most is None or len(rows) < most:
            row = self.fetchone()
            if row is None:
                break
            left -= sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
            if left < 0:
                raise AnswerTooLarge("this is more than can be shown")
            rows.append(row)
        return rows


class Confined(sqlite3.Connection):
    """A connection whose cursors count what they give."""

    def cursor(self, factory: Any = _Bounded) -> Any:
        """A cursor."""
        return super().cursor(factory)


def confine(connection: sqlite3.Connection) -> None:
    """Take from a connection all that reading does not need."""
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    connection.set_authorizer(_authorize)


def _authorize(
    action: int, first: str | None, second: str | None, database: str | None, inner: str | None
) -> int:
    if action == sqlite3.SQLITE_READ and (first, second) in SECRETS:
        return sqlite3.SQLITE_IGNORE
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_DENY if (second or "").lower() in _FUNCTIONS else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if (first or "").lower() in _PRAGMAS else sqlite3.SQLITE_DENY
    allowed = action in _READING or (action, first) == _DECLARING
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
