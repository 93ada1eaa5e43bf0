"""How the sources do, as one visitor may see it: state, next scan, what they found of late."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from digestlog.core.model import Source
from digestlog.core.moments import to_iso
from digestlog.core.trends import last_days, without_gaps
from digestlog.store.access import Visitor
from digestlog.store.browse import VISIBLE
from digestlog.store.db import Database
from digestlog.store.sources import SELECT, source_of

DAYS = 30
TROUBLE, PAUSED, WELL = "trouble", "paused", "well"
# What comes first: what needs a hand, then what is switched off, then what does its work.
_STATE = """CASE WHEN s.is_active = 0 THEN 'paused'
    WHEN coalesce(f.consecutive_failures, 0) > 0 THEN 'trouble' ELSE 'well' END"""
_RANK = f"CASE {_STATE} WHEN 'trouble' THEN 0 WHEN 'paused' THEN 1 ELSE 2 END"
_FOLLOWED = f"s.removed_at IS NULL AND {VISIBLE}"


@dataclass(frozen=True, slots=True)
class Health:
    """A source with what it found on each of the last days."""

    source: Source
    state: str
    days: tuple[str, ...]
    found: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Visit:
    """What one scan found at a source."""

    created_at: str
    outcome: str
    http_status: int | None
    entries: int
    new: int
    known: int
    duration_ms: int
    error: str | None


def listed(
    db: Database, visitor: Visitor, *, state: str | None = None, after: str | None = None, limit: int = 50
) -> list[Health]:
    """The followed sources, those in trouble first, then by name; `after` is the id of the last one shown."""
    rows = db.rows(
        f"""{SELECT.replace("SELECT ", f"SELECT {_RANK} AS rank, ", 1)}
        WHERE {_FOLLOWED} AND (:state IS NULL OR {_STATE} = :state)
            AND (:rank IS NULL OR ({_RANK}, lower(s.source_name), s.source_uuid) > (:rank, :name, :after))
        ORDER BY rank, lower(s.source_name), s.source_uuid LIMIT :limit""",
        {**_params(visitor), "state": state, "limit": limit, **_place(db, after)},
    )
    return _with_days(db, [dict(row) for row in rows])


def one(db: Database, visitor: Visitor, source_uuid: str) -> Health | None:
    """A followed source, if the visitor may know of it."""
    rows = db.rows(
        f"{SELECT} WHERE {_FOLLOWED} AND s.source_uuid = :id", {**_params(visitor), "id": source_uuid}
    )
    found = _with_days(db, [dict(row) for row in rows])
    return found[0] if found else None


def visits(db: Database, source_uuid: str, limit: int = 20) -> list[Visit]:
    """The latest scans of a source, the newest first."""
    rows = db.rows(
        """SELECT created_at, outcome, http_status, entries, new, known, duration_ms, error
        FROM scan_source_results WHERE source_uuid = :id ORDER BY created_at DESC, run_id LIMIT :limit""",
        {"id": source_uuid, "limit": limit},
    )
    return [Visit(**dict(row)) for row in rows]


def counts(db: Database, visitor: Visitor) -> dict[str, int]:
    """How many followed sources are in each state."""
    rows = db.rows(
        f"""SELECT {_STATE} AS state, count(*) AS number FROM sources_master_list AS s
        LEFT JOIN source_fetch_state AS f ON f.source_uuid = s.source_uuid
        WHERE {_FOLLOWED} GROUP BY 1""",  # noqa: S608
        _params(visitor),
    )
    return {TROUBLE: 0, PAUSED: 0, WELL: 0} | {row["state"]: row["number"] for row in rows}


def names(db: Database, visitor: Visitor, limit: int) -> list[tuple[str, str]]:
    """Ids and names of the sources that the visitor may know of, by name."""
    rows = db.rows(
        f"""SELECT s.source_uuid, s.source_name FROM sources_master_list AS s WHERE {_FOLLOWED}
        ORDER BY lower(s.source_name), s.source_uuid LIMIT :limit""",  # noqa: S608
        {**_params(visitor), "limit": limit},
    )
    return [(row["source_uuid"], row["source_name"]) for row in rows]


def _params(visitor: Visitor) -> dict[str, Any]:
    return {"admin": visitor.is_admin, "user_id": visitor.id}


def _place(db: Database, after: str | None) -> dict[str, Any]:
    """Where a list goes on; from the beginning if there is no such source."""
    row = db.row(
        f"""SELECT {_RANK} AS rank, lower(s.source_name) AS name FROM sources_master_list AS s
        LEFT JOIN source_fetch_state AS f ON f.source_uuid = s.source_uuid
        WHERE s.source_uuid = :after""",  # noqa: S608
        {"after": after},
    )
    return {"rank": row and row["rank"], "name": row and row["name"], "after": after}


def _with_days(db: Database, rows: Sequence[dict[str, Any]]) -> list[Health]:
    """The sources of these rows with the number of articles that each was first to find, day by day."""
    days = last_days(db.now.date(), DAYS)
    counted = db.rows(
        """SELECT a.source_uuid, substr(a.article_detected_utc_iso, 1, 10) AS day, count(*) AS number
        FROM json_each(:ids) AS wanted
        CROSS JOIN extracted_article_urls AS a INDEXED BY idx_extracted_article_urls_source
            ON a.source_uuid = wanted.value AND a.article_detected_utc_iso >= :since
        GROUP BY 1, 2""",
        {
            "ids": json.dumps([row["source_uuid"] for row in rows]),
            "since": to_iso(db.now - timedelta(days=DAYS)),
        },
    )
    points: dict[str, dict[str, float]] = {}
    for row in counted:
        points.setdefault(row["source_uuid"], {})[row["day"]] = float(row["number"])
    return [_health(row, days, points.get(row["source_uuid"], {})) for row in rows]


def _health(row: dict[str, Any], days: tuple[str, ...], points: dict[str, float]) -> Health:
    source = source_of({name: value for name, value in row.items() if name != "rank"})
    state = PAUSED if not source.is_active else TROUBLE if source.consecutive_failures else WELL
    return Health(source, state, days, without_gaps(points, days))
