"""What an export may hold: all tables for an admin, for another user what the library's rules allow.

The rules are those of postgres_access.sql: own rows, pages with an active row in the library, and of
these nothing from before history_start_at.
"""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import Any

from digestlog.errors import ConfigError
from digestlog.store.db import Database, storage_errors
from digestlog.store.postgres_schema import Column, tables

# Nobody reads these from a list of values; a copy for Postgres holds them.
_SECRET = {("users", "password_hash"), ("users", "session_epoch")}
_NOT_FOR_USERS = {("url_policy_decisions", "decided_by")}

_OWN = "{table} WHERE user_id = :user_id"
_BRANDS = "(SELECT brand_id FROM visible_urls WHERE user_id = :user_id)"
# Each table that a user may read: where the rows come from.
USER_ROWS = {
    "users": "users WHERE id = :user_id",
    "plan_definitions": "plan_definitions",
    **{
        table: _OWN.format(table=table)
        for table in (
            "subscriptions",
            "onboarding_state",
            "settings",
            "categories",
            "user_sources",
            "article_history",
            "syntheses",
            "told_events",
            "url_submissions",
            "user_url_library",
        )
    },
    **{
        table: f"{table} WHERE synthesis_id IN (SELECT id FROM syntheses WHERE user_id = :user_id)"  # noqa: S608
        for table in ("synthesis_items", "synthesis_candidates")
    },
    "url_policy_decisions": """url_policy_decisions
        WHERE submission_id IN (SELECT id FROM url_submissions WHERE user_id = :user_id)""",
    "urls": "visible_urls WHERE user_id = :user_id",
    "brand_library_brands": f"brand_library_brands WHERE id IN {_BRANDS}",
    "brand_domains": f"brand_domains WHERE brand_id IN {_BRANDS}",
    "url_observations": "visible_observations WHERE user_id = :user_id",
    "url_change_events": "visible_change_events WHERE user_id = :user_id",
    "url_change_summaries": "visible_change_summaries WHERE user_id = :user_id",
    "url_render_artifacts": "visible_render_artifacts WHERE user_id = :user_id",
    "trend_definitions": "trend_definitions WHERE is_active = 1",
    "trend_points": "trend_points WHERE trend_id IN (SELECT id FROM trend_definitions WHERE is_active = 1)",
}

_READ: dict[str, Callable[[Any], Any]] = {
    "boolean": bool,
    "jsonb": json.loads,
    "bytea": lambda value: b64encode(value).decode(),
    # JSON has no word for them.
    "double precision": lambda value: value if isfinite(value) else str(value),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One table of an export: its columns and the query that reads them."""

    table: str
    columns: tuple[Column, ...]
    sql: str


@contextmanager
def one_moment(db: Database) -> Iterator[None]:
    """All that is read inside is of one moment, whoever writes meanwhile."""
    with storage_errors(db.path):
        db.connection.execute("BEGIN")
        try:
            db.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            yield
        finally:
            db.connection.rollback()


def counts(db: Database, wanted: list[str]) -> int:
    """How many rows these tables hold together."""
    # Names of the schema, not of a person.
    return sum(int(db.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]) for table in wanted)  # noqa: S608


def parts(user_id: str | None) -> dict[str, Part]:
    """The tables of an export; `user_id` is given for a user who is no admin."""
    found = {}
    for table, columns in tables().items():
        rows = table if user_id is None else USER_ROWS.get(table)
        if rows is not None:
            hidden = _SECRET if user_id is None else _SECRET | _NOT_FOR_USERS
            shown = tuple(column for column in columns if (table, column.name) not in hidden)
            names = ", ".join(f'"{column.name}"' for column in shown)
            found[table] = Part(table, shown, f"SELECT {names} FROM {rows}")  # noqa: S608 - as above
    return found


def part(user_id: str | None, table: str) -> Part:
    """One table of an export; ConfigError if there is none of this name for this user."""
    found = parts(user_id)
    if table not in found:
        raise ConfigError(f"there is no table called {table} to export", f"there are: {', '.join(found)}")
    return found[table]


def records(db: Database, wanted: Part, user_id: str | None) -> Iterator[dict[str, Any]]:
    """The rows of a table one by one; JSON and booleans as such, bytes in base64."""
    cursor: sqlite3.Cursor = db.connection.cursor()
    cursor.row_factory = None
    try:
        with storage_errors(db.path):
            for row in cursor.execute(wanted.sql, {"user_id": user_id}):
                yield {
                    column.name: value if value is None else _READ.get(column.kind, _as_it_is)(value)
                    for column, value in zip(wanted.columns, row, strict=True)
                }
    finally:
        cursor.close()


def _as_it_is(value: Any) -> Any:
    return value
