"""Changes of watched pages as they are written down, each with the words for it."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Sequence

from digestlog.core.looks import Told
from digestlog.store.db import Database


def insert(
    db: Database, connection: sqlite3.Connection, url_id: str, observation_id: str, told: Sequence[Told]
) -> tuple[str, ...]:
    """Write down what a look found, each change with its words; their ids."""
    return tuple(_event(db, connection, url_id, observation_id, one) for one in told)


def _event(db: Database, connection: sqlite3.Connection, url_id: str, observation_id: str, told: Told) -> str:
    change = told.change
    made = event_id(observation_id, change.kind, change.state)
    values = {
        "id": made,
        "url_id": url_id,
        "observation_id": observation_id,
        "now": db.now_iso,
        "kind": change.kind,
        "state": change.state,
        "magnitude": min(max(change.magnitude, 0.0), 1.0),
        "before": storable(change.before),
        "after": storable(change.after),
        "diff": json.dumps([[op, storable(text)] for op, text in change.diff]),
        "summary_id": _uuid(f"digestlog:summary:{made}"),
        "summary": storable(told.summary) or change.kind.replace("_", " "),
        "method": told.method,
    }
    connection.execute(
        """INSERT INTO url_change_events (id, url_id, observation_id, detected_at, kind, state, magnitude,
            "before", "after", diff, created_at, updated_at)
        VALUES (:id, :url_id, :observation_id, :now, :kind, :state, :magnitude, :before, :after, :diff, :now,
            :now)""",
        values,
    )
    connection.execute(
        """INSERT INTO url_change_summaries (id, event_id, summary, method, created_at)
        VALUES (:summary_id, :id, :summary, :method, :now)""",
        values,
    )
    return made


def event_id(observation_id: str, kind: str, state: str) -> str:
    """The id of what a look found."""
    return _uuid(f"digestlog:event:{observation_id}:{kind}:{state}")


def storable(text: str | None) -> str | None:
    """The text as the file can hold it: no NUL, no half of a character."""
    if text is None:
        return None
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _uuid(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))
