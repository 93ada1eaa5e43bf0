"""Renderings of watched pages: their text, their differences, their looks; and how they make room."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from digestlog.core.moments import to_iso
from digestlog.store.db import Database

TEXT, DIFF_HTML, SCREENSHOT = "text", "diff_html", "screenshot"

_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was dropped, or would be, and what stays."""

    artifacts: int
    artifact_bytes: int
    contents: int
    content_bytes: int
    kept_bytes: int

    @property
    def freed_bytes(self) -> int:
        """How much room it makes."""
        return self.artifact_bytes + self.content_bytes


def keep(
    db: Database, connection: sqlite3.Connection, url_id: str, observation_id: str, kind: str, content: bytes
) -> bool:
    """Keep a rendering of a look, unless the latest of its kind is the same; True if it was kept."""
    digest = sha256(content).hexdigest()
    if _latest(connection, url_id, kind) == digest:
        return False
    connection.execute(
        """INSERT INTO url_render_artifacts (id, url_id, observation_id, kind, content, content_sha256,
            created_at)
        VALUES (:id, :url_id, :observation_id, :kind, :content, :digest, :now)
        ON CONFLICT DO NOTHING""",
        {
            "id": artifact_id(observation_id, kind),
            "url_id": url_id,
            "observation_id": observation_id,
            "kind": kind,
            "content": content,
            "digest": digest,
            "now": db.now_iso,
        },
    )
    return True


def artifact_id(observation_id: str, kind: str) -> str:
    """The id of a look's rendering of one kind."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:artifact:{observation_id}:{kind}"))


def prune(db: Database, *, keep_days: int, max_mb: int, dry_run: bool = False) -> Pruned:
    """Drop renderings that are too old, then the oldest until the rest fits; never the latest of its kind.

    A content goes when neither the state of a page nor a look of the kept days has it.
    """
    since = to_iso(db.now - timedelta(days=keep_days))
    with _tried(db, dry_run) as connection:
        count, size = _drop_artifacts(connection, since, max_mb * _MB)
        contents, content_size = _drop_contents(connection, since)
        kept = connection.execute(
            "SELECT coalesce(sum(length(content)), 0) AS size FROM url_render_artifacts"
        ).fetchone()["size"]
        return Pruned(count, size, contents, content_size, kept)


class _Undo(Exception):
    """Ends a transaction that was only a trial."""


@contextmanager
def _tried(db: Database, dry_run: bool) -> Iterator[sqlite3.Connection]:
    """A transaction that leaves everything as it was if it is a dry run."""
    try:
        with db.transaction() as connection:
            yield connection
            if dry_run:
                raise _Undo
    except _Undo:
        pass


def _latest(connection: sqlite3.Connection, url_id: str, kind: str) -> str | None:
    row = connection.execute(
        """SELECT content_sha256 FROM url_render_artifacts WHERE url_id = :url_id AND kind = :kind
        ORDER BY created_at DESC, rowid DESC LIMIT 1""",
        {"url_id": url_id, "kind": kind},
    ).fetchone()
    return row["content_sha256"] if row else None


def _drop_artifacts(connection: sqlite3.Connection, since: str, budget: int) -> tuple[int, int]:
    """Oldest first; `younger` is the size of the row and of all that came after it, the latest included."""
    gone = connection.execute(
        """WITH ranked AS (
            SELECT rowid AS row, created_at, length(content) AS size,
                row_number() OVER (PARTITION BY url_id, kind ORDER BY created_at DESC, rowid DESC) AS rank
            FROM url_render_artifacts),
        latest AS (SELECT coalesce(sum(size), 0) AS size FROM ranked WHERE rank = 1),
        older AS (
            SELECT row, created_at,
                sum(ranked.size) OVER (ORDER BY created_at DESC, row DESC) + latest.size AS younger
            FROM ranked JOIN latest WHERE rank > 1)
        DELETE FROM url_render_artifacts
        WHERE rowid IN (SELECT row FROM older WHERE created_at < :since OR younger > :budget)
        RETURNING length(content) AS size""",
        {"since": since, "budget": budget},
    ).fetchall()
    return len(gone), sum(row["size"] for row in gone)


def _drop_contents(connection: sqlite3.Connection, since: str) -> tuple[int, int]:
    gone = connection.execute(
        """DELETE FROM url_contents
        WHERE content_sha256 NOT IN (
                SELECT content_sha256 FROM url_check_state WHERE content_sha256 IS NOT NULL)
            AND content_sha256 NOT IN (
                SELECT content_sha256 FROM url_observations
                WHERE content_sha256 IS NOT NULL AND checked_at >= :since)
        RETURNING length(content) AS size""",
        {"since": since},
    ).fetchall()
    return len(gone), sum(row["size"] for row in gone)
