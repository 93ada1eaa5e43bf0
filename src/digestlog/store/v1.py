"""The older tracker's tables in this file, and the way of their rows into the library.

Steps 3 to 6 are in v1_steps. Each says the same as the trigger that mirrors new rows, and leaves alone what
came over by the other. Which of several rows counts never depends on the order in which they are stored:
of pages the one created first, of a day's checks the earliest.
"""

from __future__ import annotations

import re
import sqlite3
import uuid
from dataclasses import dataclass

from digestlog.core import canonical
from digestlog.core.library import identity
from digestlog.resources import schema_sql
from digestlog.store import brands, onboarding
from digestlog.store.creation import schema_statements
from digestlog.store.db import Database

TABLES = ("tracked_urls", "url_checks", "url_changes", "summaries", "url_renders")
TRIGGERS = (
    "sync_check_to_observation",
    "sync_change_to_event",
    "sync_summary_to_vnext",
    "sync_render_to_artifact",
)
# What a statement makes, and for an index, or a trigger of the log of changes, the table that it is of.
_MAKES = re.compile(
    r"^CREATE (?:UNIQUE )?(?:TABLE|VIEW|TRIGGER|INDEX) (\w+)(?:(?: AFTER \w+)? ON (\w+))?", re.M
)
_OBJECTS = (*TABLES, "v1_check_observations", *TRIGGERS, "tracked_urls_touched")


@dataclass(frozen=True, slots=True)
class Left:
    """A page that a user's plan has no room for."""

    user: str
    url: str


# --- enable ------------------------------------------------------------------------------


def restore(db: Database) -> list[str]:
    """Make what is missing of the tables, indexes, triggers and the view; their names."""
    with db.transaction() as connection:
        there = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master")}
        made = []
        for statement in schema_statements(schema_sql()):
            found = _MAKES.search(statement)
            if found and found[1] not in there and (found[1] in _OBJECTS or found[2] in TABLES):
                connection.execute(statement)
                made.append(found[1])
    return made


def work_out_canonical(db: Database, after: str, size: int) -> tuple[str | None, int]:
    """Give the next pages their canonical address, in one transaction; where to go on, and how many got one.

    An address of another form than the library's gets the library's. A text without identity stays as it is.
    """
    with db.transaction() as connection:
        rows = connection.execute(
            "SELECT id, url, canonical_url FROM tracked_urls WHERE id > :after ORDER BY id LIMIT :size",
            {"after": after, "size": size},
        ).fetchall()
        wanted = [(_canonical(row), row["canonical_url"], row["id"]) for row in rows]
        changed = [(new, row_id) for new, old, row_id in wanted if new != old]
        connection.executemany("UPDATE tracked_urls SET canonical_url = ? WHERE id = ?", changed)
    return (rows[-1]["id"] if rows else None), len(changed)


def _canonical(row: sqlite3.Row) -> str | None:
    found = identity(row["canonical_url"] or "") or identity(row["url"])
    return found.canonical_url if found else None


# --- steps 1 and 2 -----------------------------------------------------------------------


def add_pages(db: Database, after: str, size: int) -> tuple[str | None, int]:
    """Step 1, tracked_urls to urls: the next addresses, in one transaction; where to go on, how many came."""
    with db.transaction() as connection:
        rows = connection.execute(
            """SELECT next.canonical_url, first.url, first.created_at
            FROM (SELECT DISTINCT canonical_url FROM tracked_urls
                WHERE canonical_url > :after ORDER BY canonical_url LIMIT :size) AS next
            JOIN tracked_urls AS first ON first.id = (
                SELECT id FROM tracked_urls WHERE canonical_url = next.canonical_url
                ORDER BY created_at, id LIMIT 1)
            ORDER BY next.canonical_url""",
            {"after": after, "size": size},
        ).fetchall()
        added = sum(_add_page(db, connection, row) for row in rows)
    return (rows[-1]["canonical_url"] if rows else None), added


def _add_page(db: Database, connection: sqlite3.Connection, row: sqlite3.Row) -> int:
    page = {"name": row["canonical_url"]}
    if connection.execute("SELECT 1 FROM urls WHERE canonical_url = :name", page).fetchone():
        return 0
    meant = identity(row["url"])
    values = {
        **page,
        "id": canonical.url_id(row["canonical_url"]),
        "url": meant.url if meant else row["canonical_url"],
        "brand_id": brands.for_url(db, connection, row["canonical_url"]),
        "created_at": row["created_at"],
        "now": db.now_iso,
    }
    return connection.execute(
        """INSERT INTO urls (id, canonical_url, url, brand_id, created_at, updated_at)
        VALUES (:id, :name, :url, :brand_id, :created_at, :now) ON CONFLICT DO NOTHING""",
        values,
    ).rowcount


def users_who_tracked(db: Database) -> list[str]:
    """The ids of the users of the older tracker."""
    return [row["user_id"] for row in db.rows("SELECT DISTINCT user_id FROM tracked_urls ORDER BY user_id")]


def add_library(db: Database, user_id: str, size: int, skip: int) -> tuple[int, list[Left], int]:
    """Step 2, tracked_urls to user_url_library: a user's next pages that are not there, oldest first.

    One transaction. The plan's limit holds: what it has no room for is left and told, `skip` passes over
    what was left before. How many came, what was left, how many were looked at.
    """
    with db.transaction() as connection:
        rows = connection.execute(
            """SELECT u.id, u.url, min(t.created_at) AS created_at, max(t.is_active) AS is_active
            FROM tracked_urls AS t JOIN urls AS u ON u.canonical_url = t.canonical_url
            WHERE t.user_id = :user_id AND NOT EXISTS (SELECT 1 FROM user_url_library AS mine
                WHERE mine.user_id = t.user_id AND mine.url_id = u.id)
            GROUP BY u.id ORDER BY 3, u.id LIMIT :size OFFSET :skip""",
            {"user_id": user_id, "size": size, "skip": skip},
        ).fetchall()
        name, room = _room(connection, user_id)
        left = []
        for row in rows:
            if row["is_active"] and room == 0:
                left.append(Left(name, row["url"]))
                continue
            _link(db, connection, user_id, row)
            if row["is_active"]:
                onboarding.watches_a_page(db, connection, user_id)
            room = room - row["is_active"] if room is not None else None
    return len(rows) - len(left), left, len(rows)


def _room(connection: sqlite3.Connection, user_id: str) -> tuple[str, int | None]:
    """A user's name, and for how many more pages the plan has room; None: for any number."""
    name, most, used = connection.execute(
        """SELECT users.name, max_tracked_urls, (SELECT count(*) FROM user_url_library AS mine
            WHERE mine.user_id = users.id AND mine.is_active = 1)
        FROM user_plans JOIN users ON users.id = user_plans.user_id WHERE user_id = :user_id""",
        {"user_id": user_id},
    ).fetchone()
    return name, None if most is None else max(0, most - used)


def _link(db: Database, connection: sqlite3.Connection, user_id: str, row: sqlite3.Row) -> None:
    """From when the user may look back is the trigger's to say, by the plan of now."""
    connection.execute(
        """INSERT INTO user_url_library (id, user_id, url_id, is_active, created_at, updated_at)
        VALUES (:id, :user_id, :url_id, :is_active, :created_at, :now) ON CONFLICT DO NOTHING""",
        {
            "id": str(uuid.uuid5(uuid.UUID(user_id), row["id"])),
            "user_id": user_id,
            "url_id": row["id"],
            "is_active": row["is_active"],
            "created_at": row["created_at"],
            "now": db.now_iso,
        },
    )


# --- what there is -----------------------------------------------------------------------


def missing_objects(db: Database) -> list[str]:
    """The tables, the view and the triggers that are not there."""
    there = {row["name"] for row in db.rows("SELECT name FROM sqlite_master")}
    return [name for name in _OBJECTS if name not in there]


def without_identity(db: Database, limit: int) -> tuple[int, list[str]]:
    """How many tracked addresses have no canonical form, and the first of them."""
    total = db.rows("SELECT count(*) FROM tracked_urls WHERE canonical_url IS NULL")[0][0]
    rows = db.rows(
        "SELECT url FROM tracked_urls WHERE canonical_url IS NULL ORDER BY url LIMIT :limit", {"limit": limit}
    )
    return total, [row["url"] for row in rows]
