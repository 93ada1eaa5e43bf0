"""What changed, for one user: every query goes through the views that hold the gate.

The gate is applied twice. The views leave out pages that the user does not watch and events from before
`history_start_at`; the queries here compare with `history_start_at` once more, and with `gating_since`
where a caller knows a later limit.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from digestlog.core.change_rows import KINDS, ChangeRow
from digestlog.store.db import Database, Params

__all__ = ["ChangeRow", "list_changes", "mark_told", "untold"]

# Which events, without their texts, so that sorting a long history is cheap; the gate once more.
_WANTED = """SELECT e.id FROM visible_change_events AS e
JOIN visible_urls AS u ON u.user_id = e.user_id AND u.id = e.url_id
WHERE e.user_id = :user_id AND (u.history_start_at IS NULL OR e.detected_at >= u.history_start_at)"""
_ORDER = "ORDER BY e.detected_at DESC, u.canonical_url, e.kind, e.id"
# A summary that a model or the older tracker wrote goes before the one that digestlog makes itself.
_TOLD = """SELECT e.id, e.url_id, u.url, u.canonical_url, u.brand_id, b.name AS brand, e.detected_at,
    e.updated_at, e.kind, e.state, e.magnitude, e."before", e."after", e.diff,
    (SELECT s.summary FROM visible_change_summaries AS s
        WHERE s.event_id = e.id AND s.user_id = e.user_id
        ORDER BY s.method = 'extractive', s.created_at DESC, s.id LIMIT 1) AS summary
FROM ({}) AS wanted
CROSS JOIN visible_change_events AS e ON e.id = wanted.id AND e.user_id = :user_id
JOIN visible_urls AS u ON u.user_id = e.user_id AND u.id = e.url_id
LEFT JOIN brands AS b ON b.id = u.brand_id"""
# What may be asked for; only the conditions that are, so that each can use its index.
_FILTERS = {
    "since": "e.detected_at >= :since",
    "gating_since": "e.detected_at >= :gating_since",
    "url_id": "e.url_id = :url_id",
    "brand_id": "u.brand_id = :brand_id",
}


def list_changes(
    db: Database,
    user_id: str,
    *,
    since: str | None = None,
    include_volatile: bool = False,
    url_id: str | None = None,
    brand_id: str | None = None,
    limit: int | None = None,
    gating_since: str | None = None,
) -> list[ChangeRow]:
    """What changed on the pages that the user watches, the newest first, as far back as they may look."""
    given = {"since": since, "gating_since": gating_since, "url_id": url_id, "brand_id": brand_id}
    conditions = [_FILTERS[name] for name, value in given.items() if value is not None]
    if not include_volatile:
        conditions.append("e.state <> 'volatile'")
    return _told(db, conditions, {**given, "user_id": user_id, "limit": -1 if limit is None else limit})


def untold(db: Database, user_id: str) -> list[ChangeRow]:
    """The real changes that no notification has told the user of, the newest first."""
    new = "NOT EXISTS (SELECT 1 FROM told_events AS t WHERE t.user_id = e.user_id AND t.event_id = e.id)"
    return _told(db, ["e.state = 'real'", new], {"user_id": user_id, "limit": -1})


def _told(db: Database, conditions: Sequence[str], params: Params) -> list[ChangeRow]:
    wanted = " AND ".join([_WANTED, *conditions])
    sql = f"{_TOLD.format(f'{wanted} {_ORDER} LIMIT :limit')} {_ORDER}"
    return [_change(row) for row in db.rows(sql, params)]


def mark_told(db: Database, user_id: str, event_ids: Iterable[str]) -> None:
    """Remember in one transaction that the user was told of these; an event that is gone needs no mark."""
    with db.transaction() as connection:
        connection.execute(
            """INSERT INTO told_events (user_id, event_id, created_at)
            SELECT :user_id, e.id, :now FROM json_each(:ids) AS wanted
            JOIN url_change_events AS e ON e.id = wanted.value
            WHERE true ON CONFLICT DO NOTHING""",
            {"user_id": user_id, "now": db.now_iso, "ids": json.dumps(list(event_ids))},
        )


def _change(row: sqlite3.Row) -> ChangeRow:
    values: dict[str, Any] = dict(row)
    values["diff"] = _parts(json.loads(values["diff"]))
    return ChangeRow(**{**values, "summary": values["summary"] or _in_words(values)})


def _in_words(values: dict[str, Any]) -> str:
    """A change that nobody has summarised, as the older tracker may leave them."""
    if values["before"] is None and values["after"] is None:
        return KINDS[values["kind"]]
    from digestlog.core.change_words import summarise  # with all that reads pages, and rarely needed
    from digestlog.core.changes import Change

    names = ("kind", "state", "magnitude", "before", "after", "diff")
    return summarise(Change(**{name: values[name] for name in names})) or KINDS[values["kind"]]


def _parts(diff: list[Any]) -> tuple[tuple[str, str], ...]:
    """The words of a diff; the file may have been written by another program, so what is none is left out."""
    return tuple(
        (part[0], part[1])
        for part in diff
        if isinstance(part, list)
        and len(part) == 2
        and part[0] in ("=", "-", "+")
        and isinstance(part[1], str)
    )
