"""Runs of the scan, what each found at each source, and which sources are due."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from digestlog.core.ledger import LeftOut
from digestlog.core.model import Source
from digestlog.core.moments import from_iso, to_iso
from digestlog.core.text import json_text
from digestlog.store.db import Database
from digestlog.store.sources import ORDER, SELECT, source_of


@dataclass(frozen=True, slots=True)
class Due:
    """A source to visit, with what its last visit left behind."""

    source: Source
    etag: str | None
    last_modified: str | None
    body_sha256: str | None
    min_interval_s: int | None
    read_since: str | None


@dataclass(frozen=True, slots=True)
class SourceResult:
    """What one run found at one source."""

    source_uuid: str
    source_name: str
    source_url: str
    outcome: str
    http_status: int | None = None
    entries: int = 0
    new: int = 0
    known: int = 0
    outside_window: int = 0
    undated: int = 0
    duration_ms: int = 0
    lane: str | None = None
    moved_to: str | None = None
    next_scan_at: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class FetchState:
    """What the next visit needs to know."""

    etag: str | None
    last_modified: str | None
    body_sha256: str | None
    min_interval_s: int | None
    read_since: str | None
    next_scan_at: datetime | None
    consecutive_failures: int
    last_error: str | None
    succeeded: bool


def due(db: Database, *, everything: bool = False) -> list[Due]:
    """The active sources whose time has come, or all active ones, in the order of their numbers."""
    rows = db.rows(
        SELECT.replace(
            "SELECT ", "SELECT f.etag, f.last_modified, f.body_sha256, f.min_interval_s, f.read_since, ", 1
        )
        + """ WHERE s.is_active = 1
            AND (:everything OR f.next_scan_at IS NULL OR f.next_scan_at <= :now)"""
        + ORDER,
        {"everything": everything, "now": db.now_iso},
    )
    return [_due(dict(row)) for row in rows]


def _due(values: dict[str, Any]) -> Due:
    left = [
        values.pop(name) for name in ("etag", "last_modified", "body_sha256", "min_interval_s", "read_since")
    ]
    return Due(source_of(values), *left)


def begin(db: Database, *, sources: int, window_s: int | None) -> str:
    """A new run's id."""
    run_id = str(uuid.uuid4())
    with db.transaction() as connection:
        connection.execute(
            """INSERT INTO scan_runs (run_id, started_at, sources, window_s, created_at, updated_at)
            VALUES (:run_id, :now, :sources, :window_s, :now, :now)""",
            {"run_id": run_id, "now": db.now_iso, "sources": sources, "window_s": window_s},
        )
    return run_id


def record(
    db: Database,
    connection: sqlite3.Connection,
    run_id: str,
    result: SourceResult,
    state: FetchState,
    left_out: Iterable[LeftOut] | None,
) -> None:
    """Write a source's result and what its next visit needs, inside the caller's transaction.

    `left_out` None: the source was not read anew, and what it last left out still holds.
    """
    connection.execute(
        """INSERT INTO scan_source_results (run_id, source_uuid, http_status, entries, new, known,
            outside_window, undated, duration_ms, lane, moved_to, outcome, error, created_at)
        VALUES (:run_id, :source_uuid, :http_status, :entries, :new, :known, :outside_window, :undated,
            :duration_ms, :lane, :moved_to, :outcome, :error, :now)""",
        {"run_id": run_id, "now": db.now_iso, **_columns(result)},
    )
    _write_state(db, connection, result.source_uuid, state)
    if left_out is not None:
        _write_left_out(db, connection, result.source_uuid, left_out)


def finish(db: Database, run_id: str, totals: dict[str, int]) -> None:
    """Close a run with its sums; a run that ended has an outcome."""
    with db.transaction() as connection:
        connection.execute(
            """UPDATE scan_runs SET finished_at = :now, outcome = 'ok', failed = :failed,
                not_modified = :not_modified, entries = :entries, new = :new, known = :known,
                outside_window = :outside_window, undated = :undated, requests = :requests,
                duration_ms = :duration_ms
            WHERE run_id = :run_id""",
            {"run_id": run_id, "now": db.now_iso, **totals},
        )


def left_out(db: Database, source_uuid: str) -> dict[str, LeftOut]:
    """What the source's last reading left out, by address."""
    row = db.row(
        "SELECT left_out FROM source_left_out WHERE source_uuid = :source_uuid",
        {"source_uuid": source_uuid},
    )
    entries = json.loads(row["left_out"]) if row else []
    return {url: LeftOut(url, reason, from_iso(at) if at else None) for url, reason, at in entries}


def _write_state(db: Database, connection: sqlite3.Connection, source_uuid: str, state: FetchState) -> None:
    connection.execute(
        """INSERT INTO source_fetch_state (source_uuid, etag, last_modified, body_sha256, min_interval_s,
            read_since, last_scanned_at, last_success_at, next_scan_at, consecutive_failures, last_error,
            created_at, updated_at)
        VALUES (:source_uuid, :etag, :last_modified, :body_sha256, :min_interval_s, :read_since, :now,
            CASE WHEN :succeeded THEN :now END, :next, :failures, :error, :now, :now)
        ON CONFLICT (source_uuid) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
            body_sha256 = excluded.body_sha256, min_interval_s = excluded.min_interval_s,
            read_since = excluded.read_since, last_scanned_at = excluded.last_scanned_at,
            last_success_at = coalesce(excluded.last_success_at, last_success_at),
            next_scan_at = excluded.next_scan_at, consecutive_failures = excluded.consecutive_failures,
            last_error = excluded.last_error, updated_at = excluded.updated_at""",
        {
            "source_uuid": source_uuid,
            "etag": state.etag,
            "last_modified": state.last_modified,
            "body_sha256": state.body_sha256,
            "min_interval_s": state.min_interval_s,
            "read_since": state.read_since,
            "succeeded": state.succeeded,
            "next": to_iso(state.next_scan_at) if state.next_scan_at else None,
            "failures": state.consecutive_failures,
            "error": state.last_error,
            "now": db.now_iso,
        },
    )


def _write_left_out(
    db: Database, connection: sqlite3.Connection, source_uuid: str, entries: Iterable[LeftOut]
) -> None:
    listed = [[e.url, e.reason, to_iso(e.published_at) if e.published_at else None] for e in entries]
    connection.execute(
        """INSERT INTO source_left_out (source_uuid, left_out, created_at, updated_at)
        VALUES (:source_uuid, :left_out, :now, :now)
        ON CONFLICT (source_uuid) DO UPDATE SET left_out = excluded.left_out,
            updated_at = excluded.updated_at
        WHERE left_out IS NOT excluded.left_out""",
        {"source_uuid": source_uuid, "left_out": json_text(listed), "now": db.now_iso},
    )


_NOT_STORED = ("source_name", "source_url", "next_scan_at")


def _columns(result: SourceResult) -> dict[str, Any]:
    values = {name: getattr(result, name) for name in SourceResult.__slots__ if name not in _NOT_STORED}
    return {**values, "http_status": real_status(result.http_status)}


def real_status(status: int | None) -> int | None:
    """The status as a column holds it: some sites answer 999 to programs."""
    return status if status is not None and 100 <= status <= 599 else None
