"""Rows of another tracker's file, into the older tracker's tables of this one.

A UUID stays what it is, unless it means another row here; any other id is made anew of what the row says,
so that the same row has the same id whichever file it comes from, however often. Which of their ids became
which of ours is kept in a temporary table while the file is read.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from digestlog.core import v1
from digestlog.store import users
from digestlog.store.db import Database
from digestlog.store.v1_foreign import Row

# By what two rows with one id are the same row, and what an id is made of.
_SAME = {
    "tracked_urls": ("user_id", "url"),
    "url_checks": ("tracked_url_id",),
    "url_changes": ("tracked_url_id",),
    "summaries": ("change_id",),
    "url_renders": ("tracked_url_id",),
}
_CONTENT = {
    "tracked_urls": ("user_id", "url"),
    "url_checks": ("tracked_url_id", "checked_at", "status_code", "content_hash", "error"),
    "url_changes": ("tracked_url_id", "detected_at", "before", "after"),
    "summaries": ("change_id", "summary"),
    "url_renders": ("tracked_url_id", "check_id", "content"),
}


@dataclass
class Import:
    """One reading of one file: what came in, what was left out and why."""

    db: Database
    default_user: str
    users_made: list[str] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    _users: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def begin(self) -> None:
        """Make room for the ids."""
        self.db.connection.execute(
            """CREATE TEMP TABLE IF NOT EXISTS v1_ids (
                "table" TEXT NOT NULL, theirs TEXT NOT NULL, ours TEXT NOT NULL, PRIMARY KEY ("table", theirs)
            ) WITHOUT ROWID"""
        )
        self.db.connection.execute("DELETE FROM temp.v1_ids")

    def take_names(self, rows: Sequence[Row]) -> None:
        """Remember how the file calls its users."""
        for row in rows:
            key = v1.key_of(row["id"])
            if key is not None:
                self._names[key] = v1.name_of(row["name"], key)

    def take(self, table: str, rows: Sequence[Row]) -> None:
        """Write the rows of one part, in one transaction; those that cannot be stored are counted."""
        make_users = self._users_of(rows) if table == "tracked_urls" else None
        with self.db.transaction() as connection:
            known = _Known(connection, table, rows)
            made = [self._made(table, row, known, make_users) for row in rows]
            good = [values for values in made if values is not None]
            _choose_ids(connection, table, good)
            self.added[table] += _insert(connection, table, good)
            _remember(connection, table, good)
        self.read[table] += len(rows)

    def _users_of(self, rows: Sequence[Row]) -> Callable[[v1.Value], str]:
        """Whose a page is: by name, made as a free user if need be; nobody's is the default user's."""
        for key in (v1.key_of(row["user_id"]) for row in rows):
            if key is not None and key not in self._users:
                self._users[key] = self._user(key)
        return lambda value: self._users.get(v1.key_of(value) or "", self.default_user)

    def _user(self, key: str) -> str:
        name = self._names.get(key) or v1.name_of(None, key)
        row = self.db.row("SELECT id FROM users WHERE name = :name", {"name": name})
        if row is not None:
            return str(row["id"])
        self.users_made.append(name)
        return users.add(self.db, name).id

    def _made(
        self, table: str, row: Row, known: _Known, user_of: Callable[[v1.Value], str] | None
    ) -> dict[str, Any] | None:
        values = _READERS[table](row, known, user_of, self.db.now_iso)
        if isinstance(values, str):
            self.left_out[f"{table}: {values}"] += 1
            return None
        given = v1.uuid_of(row["id"])
        content = v1.derived(table, *(values[name] for name in _CONTENT[table]))
        return {**values, "id": given or content, "content_id": content, "theirs": v1.key_of(row["id"])}


class _Known:
    """Which rows of ours a part refers to."""

    def __init__(self, connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
        self._ours: dict[tuple[str, str], str] = {}
        for column, of in _REFERENCES.get(table, {}).items():
            keys = json.dumps([key for row in rows if (key := v1.key_of(row[column])) is not None])
            for theirs, ours in connection.execute(
                """SELECT theirs, ours FROM temp.v1_ids
                WHERE "table" = :of AND theirs IN (SELECT value FROM json_each(:keys))""",
                {"of": of, "keys": keys},
            ):
                self._ours[(of, theirs)] = ours

    def get(self, table: str, value: v1.Value) -> str | None:
        """Our id of a row of theirs, if it came in."""
        return self._ours.get((table, v1.key_of(value) or ""))


_REFERENCES = {
    "url_checks": {"tracked_url_id": "tracked_urls"},
    "url_changes": {"tracked_url_id": "tracked_urls", "check_id": "url_checks"},
    "summaries": {"change_id": "url_changes"},
    "url_renders": {"tracked_url_id": "tracked_urls", "check_id": "url_checks"},
}

# --- one reader a table: the columns of a row, or the word for why it is left out ------------

_NO_PAGE, _NO_TIME, _NO_ADDRESS = "of a page that is not there", "without a time", "without an address"


def _page(row: Row, known: _Known, user_of: Any, now: str) -> dict[str, Any] | str:
    url = v1.text_of(row["url"])
    if url is None or not url.strip():
        return _NO_ADDRESS
    created = v1.moment(row["created_at"]) or now
    return {
        "user_id": user_of(row["user_id"]),
        "url": url,
        # Worked out here by this program's own rules.
        "canonical_url": None,
        "is_active": v1.flag_of(row["is_active"]),
        "created_at": created,
        "updated_at": now,
    }


def _check(row: Row, known: _Known, user_of: Any, now: str) -> dict[str, Any] | str:
    page, at = known.get("tracked_urls", row["tracked_url_id"]), v1.moment(row["checked_at"])
    if page is None or at is None:
        return _NO_PAGE if page is None else _NO_TIME
    return {
        "tracked_url_id": page,
        "checked_at": at,
        "status_code": v1.status_of(row["status_code"]),
        "content_hash": v1.sha256_of(row["content_hash"]),
        "error": v1.text_of(row["error"]),
        "created_at": v1.moment(row["created_at"]) or at,
    }


def _change(row: Row, known: _Known, user_of: Any, now: str) -> dict[str, Any] | str:
    page, at = known.get("tracked_urls", row["tracked_url_id"]), v1.moment(row["detected_at"])
    if page is None or at is None:
        return _NO_PAGE if page is None else _NO_TIME
    return {
        "tracked_url_id": page,
        "check_id": known.get("url_checks", row["check_id"]),
        "detected_at": at,
        "before": v1.text_of(row["before"]),
        "after": v1.text_of(row["after"]),
        "created_at": v1.moment(row["created_at"]) or at,
    }


def _summary(row: Row, known: _Known, user_of: Any, now: str) -> dict[str, Any] | str:
    change, text = known.get("url_changes", row["change_id"]), v1.text_of(row["summary"])
    if change is None or text is None:
        return "of a change that is not there" if change is None else "without a text"
    return {"change_id": change, "summary": text, "created_at": v1.moment(row["created_at"]) or now}


def _render(row: Row, known: _Known, user_of: Any, now: str) -> dict[str, Any] | str:
    page, content = known.get("tracked_urls", row["tracked_url_id"]), v1.blob_of(row["content"])
    if page is None or content is None:
        return _NO_PAGE if page is None else "empty or too large"
    return {
        "tracked_url_id": page,
        "check_id": known.get("url_checks", row["check_id"]),
        "content": content,
        "created_at": v1.moment(row["created_at"]) or now,
    }


_READERS: dict[str, Callable[[Row, _Known, Any, str], dict[str, Any] | str]] = {
    "tracked_urls": _page,
    "url_checks": _check,
    "url_changes": _change,
    "summaries": _summary,
    "url_renders": _render,
}

# --- writing ---------------------------------------------------------------------------------


def _choose_ids(connection: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    """Where a UUID means another row here, or another row of this part, the id made of the content counts."""
    taken = {
        row["id"]: _same(table, row)
        for row in connection.execute(
            f"SELECT * FROM {table} WHERE id IN (SELECT value FROM json_each(:ids))",  # noqa: S608
            {"ids": json.dumps([row["id"] for row in rows])},
        )
    }
    for row in rows:
        if taken.setdefault(row["id"], _same(table, row)) != _same(table, row):
            row["id"] = row["content_id"]


def _same(table: str, row: Mapping[str, Any] | sqlite3.Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in _SAME[table])


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> int:
    """Write what is not there yet; how many that were."""
    if not rows:
        return 0
    names = [name for name in rows[0] if name not in ("content_id", "theirs")]
    columns, marks = ", ".join(f'"{name}"' for name in names), ", ".join(f":{name}" for name in names)
    return connection.executemany(
        f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING",  # noqa: S608
        rows,
    ).rowcount


def _remember(connection: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    connection.executemany(
        """INSERT INTO temp.v1_ids ("table", theirs, ours) VALUES (:table, :theirs, :id)
        ON CONFLICT DO NOTHING""",
        [{"table": table, "theirs": row["theirs"], "id": row["id"]} for row in rows if row["theirs"]],
    )
