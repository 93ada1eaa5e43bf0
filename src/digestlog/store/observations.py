"""Looks at watched pages: which are due, and what came of each, all of it in one transaction."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from digestlog.core import recheck
from digestlog.core.looks import NOT_MODIFIED, Known, Read
from digestlog.core.moments import to_iso
from digestlog.core.recheck import Pace
from digestlog.core.snapshot import EXTRACTOR
from digestlog.store import artifacts, contents, events
from digestlog.store.db import Database
from digestlog.store.events import storable
from digestlog.store.scans import real_status


@dataclass(frozen=True, slots=True)
class ToCheck:
    """A page to look at, as it was when the looks were planned."""

    url_id: str
    url: str
    allow_private: bool = False
    check_frequency: str = "daily"
    min_interval_s: int | None = None
    max_interval_s: int | None = None
    last_checked_at: str | None = None
    next_check_at: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What the looks before left behind; without a content the page was never read."""

    etag: str | None = None
    last_modified: str | None = None
    body_sha256: str | None = None
    has_body: bool = False
    extractor: int | None = None
    content_sha256: str | None = None
    memory: str = "{}"
    interval_s: int | None = None
    consecutive_failures: int = 0

    @property
    def is_outdated(self) -> bool:
        """True if another extractor read the page."""
        return self.content_sha256 is not None and self.extractor != EXTRACTOR

    @property
    def base(self) -> tuple[object, ...]:
        """All that a comparison rests on."""
        return self.content_sha256, self.extractor, self.body_sha256, self.memory


@dataclass(frozen=True, slots=True)
class Look:
    """One look: the outcome, the answer's facts, and what was read where the page itself was there."""

    outcome: str
    http_status: int | None = None
    error: str | None = None
    read: Read | None = None
    body_bytes: int | None = None
    body_sha256: str | None = None
    body_url: str | None = None
    body_charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    max_age_s: int | None = None
    retry_after_s: int | None = None
    screenshot: bytes | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was written down."""

    observation_id: str
    next_check_at: str
    event_ids: tuple[str, ...] = ()


def due(
    db: Database,
    *,
    everything: bool = False,
    limit: int | None = None,
    only: Sequence[str] | None = None,
    user_id: str | None = None,
) -> list[ToCheck]:
    """The watched pages whose time has come, the longest overdue first, each once for all who watch it.

    `everything`: whether their time has come or not; `only` of these ids; `user_id`: only that user's.
    """
    rows = db.rows(
        """SELECT u.id AS url_id, u.url, u.allow_private, u.check_frequency, u.min_interval_s,
            u.max_interval_s, u.last_checked_at, u.next_check_at
        FROM urls AS u
        WHERE EXISTS (SELECT 1 FROM user_url_library AS m WHERE m.url_id = u.id AND m.is_active = 1
                AND (:user_id IS NULL OR m.user_id = :user_id))
            AND (:only IS NULL OR u.id IN (SELECT value FROM json_each(:only)))
            AND (:everything OR u.next_check_at IS NULL OR u.next_check_at <= :now)
        ORDER BY u.next_check_at, u.last_checked_at, u.id
        LIMIT :limit""",
        {
            "user_id": user_id,
            "only": None if only is None else json.dumps(only),
            "everything": everything,
            "now": db.now_iso,
            "limit": -1 if limit is None else limit,
        },
    )
    return [ToCheck(**{**dict(row), "allow_private": bool(row["allow_private"])}) for row in rows]


def next_due(db: Database, user_id: str | None = None) -> str | None:
    """When the next watched page is due; None: none is watched, or one is due at once."""
    row = db.rows(
        """SELECT min(coalesce(u.next_check_at, '')) AS next FROM urls AS u
        JOIN user_url_library AS m ON m.url_id = u.id AND m.is_active = 1
            AND (:user_id IS NULL OR m.user_id = :user_id)""",
        {"user_id": user_id},
    )[0]
    return row["next"] or None


def state(db: Database, page: ToCheck) -> State | None:
    """What is known of a page; None: another run has looked at it since the looks were planned."""
    row = db.row(
        "SELECT last_checked_at, next_check_at FROM urls WHERE id = :id",
        {"id": page.url_id},
    )
    if row is None or tuple(row) != (page.last_checked_at, page.next_check_at):
        return None
    return _state(db.row(_STATE, {"id": page.url_id}))


def known(db: Database, page: ToCheck, state: State) -> Known:
    """The last look itself, to compare the next one with; its body only where it has to be read anew."""
    if state.content_sha256 is None:
        return Known()
    content = contents.get(db, state.content_sha256)
    if not (state.is_outdated and state.has_body):
        return Known(state.content_sha256, content, state.memory, state.extractor)
    row = db.rows(
        "SELECT body, body_url, body_charset FROM url_check_state WHERE url_id = :id", {"id": page.url_id}
    )[0]
    return Known(
        state.content_sha256,
        content,
        state.memory,
        state.extractor,
        row["body"],
        row["body_url"] or page.url,
        row["body_charset"],
    )


def record(db: Database, page: ToCheck, state: State, look: Look) -> Recorded | None:
    """Write down a look and all that follows from it, in one transaction.

    None, and nothing is written, if the page was read by another run since `state`: what the look was
    compared with is not the last look any more.
    """
    with db.transaction() as connection:
        now_state = _state(connection.execute(_STATE, {"id": page.url_id}).fetchone())
        if look.read is not None and now_state.base != state.base:
            return None
        observation_id = _observe(db, connection, page, look)
        if look.read is None:
            next_at = _fail(db, connection, page, now_state, look)
            event_ids: tuple[str, ...] = ()
        else:
            next_at = _succeed(db, connection, page, now_state, look, look.read, observation_id)
            event_ids = events.insert(db, connection, page.url_id, observation_id, look.read.told)
            _render(db, connection, page.url_id, observation_id, look, look.read)
        _plan(db, connection, page.url_id, next_at)
        return Recorded(observation_id, next_at, event_ids)


def observation_id(url_id: str, checked_at: str, counter: int) -> str:
    """The id of a look; the counter tells apart those of one second."""
    name = f"digestlog:observation:{url_id}:{checked_at}:{counter}"
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


_STATE = """SELECT etag, last_modified, body_sha256, body IS NOT NULL AS has_body, extractor, content_sha256,
    memory, interval_s, consecutive_failures
FROM url_check_state WHERE url_id = :id"""


def _state(row: sqlite3.Row | None) -> State:
    return State() if row is None else State(**{**dict(row), "has_body": bool(row["has_body"])})


def _observe(db: Database, connection: sqlite3.Connection, page: ToCheck, look: Look) -> str:
    (counter,) = connection.execute(
        "SELECT count(*) FROM url_observations WHERE url_id = :id AND checked_at = :now",
        {"id": page.url_id, "now": db.now_iso},
    ).fetchone()
    made = observation_id(page.url_id, db.now_iso, counter)
    connection.execute(
        """INSERT INTO url_observations (id, url_id, checked_at, checked_day, http_status, content_sha256,
            outcome, error, body_bytes, extractor, created_at)
        VALUES (:id, :url_id, :now, substr(:now, 1, 10), :http_status, :content_sha256, :outcome, :error,
            :body_bytes, :extractor, :now)""",
        {
            "id": made,
            "url_id": page.url_id,
            "now": db.now_iso,
            "http_status": real_status(look.http_status),
            "content_sha256": look.read.content_sha256 if look.read else None,
            "outcome": look.outcome,
            "error": storable(look.error) or None,
            "body_bytes": look.body_bytes,
            "extractor": EXTRACTOR if look.read and look.outcome != NOT_MODIFIED else None,
        },
    )
    return made


def _fail(db: Database, connection: sqlite3.Connection, page: ToCheck, state: State, look: Look) -> str:
    """Count a failure; what was known of the page stays as it is."""
    failures = state.consecutive_failures + 1
    connection.execute(
        """INSERT INTO url_check_state (url_id, consecutive_failures, last_error, created_at, updated_at)
        VALUES (:id, :failures, :error, :now, :now)
        ON CONFLICT (url_id) DO UPDATE SET consecutive_failures = excluded.consecutive_failures,
            last_error = excluded.last_error, updated_at = excluded.updated_at""",
        {
            "id": page.url_id,
            "failures": failures,
            "error": storable(look.error) or None,
            "now": db.now_iso,
        },
    )
    pace = _pace(page, state)
    return to_iso(recheck.after_failure(db.now, page.url_id, pace, failures, look.retry_after_s))


def _succeed(
    db: Database,
    connection: sqlite3.Connection,
    page: ToCheck,
    state: State,
    look: Look,
    read: Read,
    observation_id: str,
) -> str:
    """Let the look be the last one; when the next is due."""
    if read.content is not None:
        contents.keep(db, connection, read.content_sha256, read.content)
    pace = _pace(page, state)
    is_first = state.content_sha256 is None
    interval_s = (
        recheck.first_interval(pace) if is_first else recheck.interval_after(pace, changed=read.changed)
    )
    values: dict[str, object] = {
        "url_id": page.url_id,
        "etag": look.etag,
        "last_modified": look.last_modified,
        "extractor": EXTRACTOR,
        "content_sha256": read.content_sha256,
        "observation_id": observation_id,
        "memory": read.memory,
        "interval_s": interval_s,
        "now": db.now_iso,
    }
    if look.outcome == NOT_MODIFIED:
        _stay(connection, values)
    else:
        _replace(connection, {**values, **_body_values(look, read)})
    return to_iso(recheck.next_check(db.now, page.url_id, pace, interval_s, look.max_age_s))


def _body_values(look: Look, read: Read) -> dict[str, object]:
    kept = read.body is not None
    return {
        "body_sha256": look.body_sha256,
        "body": read.body,
        "body_url": look.body_url if kept else None,
        "body_charset": look.body_charset if kept else None,
    }


def _stay(connection: sqlite3.Connection, values: dict[str, object]) -> None:
    """The page is as it was: its body stays; an answer of 304 need not repeat the validators."""
    connection.execute(
        """UPDATE url_check_state SET etag = coalesce(:etag, etag),
            last_modified = coalesce(:last_modified, last_modified), extractor = :extractor,
            content_sha256 = :content_sha256, observation_id = :observation_id, memory = :memory,
            interval_s = :interval_s, consecutive_failures = 0, last_error = NULL, updated_at = :now
        WHERE url_id = :url_id""",
        values,
    )


def _replace(connection: sqlite3.Connection, values: dict[str, object]) -> None:
    connection.execute(
        """INSERT OR REPLACE INTO url_check_state (url_id, etag, last_modified, body_sha256, body, body_url,
            body_charset, extractor, content_sha256, observation_id, memory, interval_s, created_at,
            updated_at)
        VALUES (:url_id, :etag, :last_modified, :body_sha256, :body, :body_url, :body_charset, :extractor,
            :content_sha256, :observation_id, :memory, :interval_s,
            coalesce((SELECT created_at FROM url_check_state WHERE url_id = :url_id), :now), :now)""",
        values,
    )


def _render(
    db: Database,
    connection: sqlite3.Connection,
    url_id: str,
    observation_id: str,
    look: Look,
    read: Read,
) -> None:
    """Keep what a person may want to look at: the text where it is new, the difference where there is one."""
    renderings = [
        (artifacts.TEXT, storable(read.text) if read.is_baseline or read.changed else None),
        (artifacts.DIFF_HTML, storable(read.diff)),
    ]
    for kind, text in renderings:
        if text is not None:
            artifacts.keep(db, connection, url_id, observation_id, kind, text.encode())
    if look.screenshot is not None:
        artifacts.keep(db, connection, url_id, observation_id, artifacts.SCREENSHOT, look.screenshot)


def _plan(db: Database, connection: sqlite3.Connection, url_id: str, next_at: str) -> None:
    connection.execute(
        "UPDATE urls SET last_checked_at = :now, next_check_at = :next_at WHERE id = :id",
        {"id": url_id, "now": db.now_iso, "next_at": next_at},
    )


def _pace(page: ToCheck, state: State) -> Pace:
    return Pace(page.check_frequency, page.min_interval_s, page.max_interval_s, state.interval_s)
