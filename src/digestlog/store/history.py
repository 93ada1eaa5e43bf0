"""What each user was already shown. Every function is one statement, however many addresses it is given."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from digestlog.core.canonical import without_userinfo
from digestlog.core.ledger import EVER
from digestlog.core.moments import to_iso
from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Shown:
    """An address that a user was shown, and when."""

    url: str
    url_hash: str
    created_at: str


def check_urls_exist(db: Database, user_id: str, url_hashes: Sequence[str]) -> set[str]:
    """Those of the hashes that are in the user's history."""
    rows = db.rows(
        """SELECT url_hash FROM article_history
        WHERE user_id = :user_id AND url_hash IN (SELECT value FROM json_each(:hashes))""",
        {"user_id": user_id, "hashes": json.dumps(list(url_hashes))},
    )
    return {row["url_hash"] for row in rows}


def insert_urls(
    db: Database, connection: sqlite3.Connection, user_id: str, urls: Sequence[tuple[str, str]]
) -> int:
    """Remember addresses, each with its hash, inside the caller's transaction; how many were new.

    What is known already keeps the time at which it was first shown.
    """
    # SQLite's JSON ends a text at a NUL; an address has it encoded.
    listed = [[entry_id(user_id, key), key, without_userinfo(url).replace("\0", "%00")] for url, key in urls]
    return connection.execute(
        """INSERT INTO article_history (id, user_id, url_hash, url, created_at)
        SELECT json_extract(value, '$[0]'), :user_id, json_extract(value, '$[1]'),
            json_extract(value, '$[2]'), :now
        FROM json_each(:urls) WHERE true ORDER BY key
        ON CONFLICT DO NOTHING""",
        {"user_id": user_id, "urls": json.dumps(listed), "now": db.now_iso},
    ).rowcount


def cleanup_old(db: Database, connection: sqlite3.Connection, user_id: str, days: int) -> int:
    """Forget what is older than so many days, inside the caller's transaction; how many that were.

    What is exactly that old stays. 0 days mean that there is no history: nothing is touched.
    """
    if days <= 0:
        return 0
    return connection.execute(
        "DELETE FROM article_history WHERE user_id = :user_id AND created_at < :cutoff",
        {"user_id": user_id, "cutoff": to_iso(db.now - min(timedelta(days=days), db.now - EVER))},
    ).rowcount


def list_shown(db: Database, user_id: str, limit: int) -> list[Shown]:
    """The latest of what the user was shown."""
    rows = db.rows(
        """SELECT url, url_hash, created_at FROM article_history WHERE user_id = :user_id
        ORDER BY created_at DESC, url, url_hash LIMIT :limit""",
        {"user_id": user_id, "limit": limit},
    )
    return [Shown(**dict(row)) for row in rows]


def count(db: Database, user_id: str) -> int:
    """How many addresses the user's history has."""
    (row,) = db.rows(
        "SELECT count(*) AS number FROM article_history WHERE user_id = :user_id", {"user_id": user_id}
    )
    return int(row["number"])


def find(db: Database, user_id: str, url_hashes: Iterable[str]) -> dict[str, Shown]:
    """What the user's history says of these hashes, by hash."""
    rows = db.rows(
        """SELECT url, url_hash, created_at FROM article_history
        WHERE user_id = :user_id AND url_hash IN (SELECT value FROM json_each(:hashes))""",
        {"user_id": user_id, "hashes": json.dumps(list(url_hashes))},
    )
    return {row["url_hash"]: Shown(**dict(row)) for row in rows}


def remove_urls(connection: sqlite3.Connection, user_id: str, url_hashes: Iterable[str]) -> set[str]:
    """Forget these hashes, inside the caller's transaction; those that were there."""
    rows = connection.execute(
        """DELETE FROM article_history
        WHERE user_id = :user_id AND url_hash IN (SELECT value FROM json_each(:hashes))
        RETURNING url_hash""",
        {"user_id": user_id, "hashes": json.dumps(list(url_hashes))},
    ).fetchall()
    return {row["url_hash"] for row in rows}


def clear(connection: sqlite3.Connection, user_id: str) -> int:
    """Forget all that the user was shown, inside the caller's transaction; how many that were."""
    return connection.execute(
        "DELETE FROM article_history WHERE user_id = :user_id", {"user_id": user_id}
    ).rowcount


def entry_id(user_id: str, url_hash: str) -> str:
    """The id of an entry, the same on every machine, so that two files of one user merge."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:history:{user_id}:{url_hash}"))
