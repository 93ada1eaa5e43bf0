"""Provisional changes of a watched page, settled once the page is known."""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import dataclass

from digestlog.core import settling
from digestlog.core.changes import REAL, Memory
from digestlog.core.looks import Read
from digestlog.core.settling import Doubtful
from digestlog.core.snapshot import Snapshot
from digestlog.store import contents
from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Settled:
    """How many earlier changes turned out to be real, and how many noise."""

    confirmed: int = 0
    withdrawn: int = 0


def settle(
    db: Database, connection: sqlite3.Connection, url_id: str, observation_id: str, read: Read
) -> Settled:
    """Settle what earlier looks told with doubt, if this look makes the page known; each change once."""
    doubted = connection.execute(_DOUBTED, {"url_id": url_id, "observation_id": observation_id}).fetchall()
    if not doubted or not settling.is_learned(memory := Memory.from_json(read.memory)):
        return Settled()
    now = _snapshot(read.content or contents.get(db, read.content_sha256))
    changes = [Doubtful(row["kind"], row["before"], row["after"], _was(connection, row)) for row in doubted]
    states = settling.settle(changes, now, memory)
    connection.executemany(
        "UPDATE url_change_events SET state = :state WHERE id = :id",
        [{"state": state, "id": row["id"]} for row, state in zip(doubted, states, strict=True)],
    )
    confirmed = states.count(REAL)
    return Settled(confirmed, len(states) - confirmed)


# What this very look found has not been seen again yet.
_DOUBTED = """SELECT id, url_id, observation_id, kind, "before", "after" FROM url_change_events
WHERE url_id = :url_id AND state = 'provisional' AND observation_id IS NOT :observation_id
ORDER BY detected_at, id"""


def _was(connection: sqlite3.Connection, event: sqlite3.Row) -> Snapshot | None:
    """The page at the look before the one that found the change, unless its text was dropped since."""
    row = connection.execute(
        """SELECT c.content FROM url_observations AS found
        JOIN url_observations AS o ON o.url_id = found.url_id AND o.content_sha256 IS NOT NULL
            AND (o.checked_at, o.rowid) < (found.checked_at, found.rowid)
        LEFT JOIN url_contents AS c ON c.content_sha256 = o.content_sha256
        WHERE found.id = :observation_id
        ORDER BY o.checked_at DESC, o.rowid DESC LIMIT 1""",
        {"observation_id": event["observation_id"]},
    ).fetchone()
    return None if row is None or row["content"] is None else _snapshot(row["content"])


def _snapshot(content: bytes) -> Snapshot:
    return Snapshot.from_json(zlib.decompress(content).decode())
