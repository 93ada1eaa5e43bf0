"""What the screens of the library show of it: pages with their latest change, a brand, a history, one change.

Every query goes through the visible_* views with the user's id. Lists are read in pieces by their key, and
no query counts: a page with a hundred thousand changes is as quick as one with ten.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from digestlog.store.changes import diff_parts
from digestlog.store.db import Database

PIECE = 50
# So many of the newest changes can only be on so many pages, those with the newest change of all.
LATEST = 12
_LOOKED_AT = 500

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Update:
    """A change in one line."""

    id: str
    url_id: str
    detected_at: str
    kind: str
    state: str
    magnitude: float
    summary: str | None

    @property
    def key(self) -> Key:
        """Where it stands in a history."""
        return self.detected_at, self.id


@dataclass(frozen=True, slots=True)
class Watched:
    """A page that the user watches, and its latest change that the user may see."""

    id: str
    canonical_url: str
    url: str
    brand_id: str | None
    brand: str | None
    check_frequency: str
    added_at: str
    history_start_at: str | None
    next_check_at: str | None
    last_checked_at: str | None
    last_outcome: str | None
    latest: Update | None

    @property
    def key(self) -> Key:
        """Where it stands in a list of pages."""
        return (self.latest.detected_at if self.latest else ""), self.id


@dataclass(frozen=True, slots=True)
class Brand:
    """Whose pages they are."""

    id: str
    name: str
    domain: str


@dataclass(frozen=True, slots=True)
class Observation:
    """The look that found a change."""

    id: str
    checked_at: str
    outcome: str
    http_status: int | None
    error: str | None
    body_bytes: int | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A change in words, and who wrote them."""

    summary: str
    method: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """A rendering of a look; what is in it is read by itself."""

    id: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Instance:
    """Everything about one change."""

    update: Update
    before: str | None
    after: str | None
    diff: tuple[tuple[str, str], ...]
    summaries: tuple[Summary, ...]
    observation: Observation | None
    renderings: tuple[Rendering, ...]


# The newest change first; pages that never changed come last. The index finds the latest of each page.
_PAGES = """
WITH mine AS MATERIALIZED (
    SELECT u.id, u.canonical_url, u.url, u.brand_id, u.check_frequency, u.history_start_at, u.next_check_at,
        (SELECT e.id FROM url_change_events AS e
            WHERE e.url_id = u.id AND e.state <> 'volatile'
                AND (u.history_start_at IS NULL OR e.detected_at >= u.history_start_at)
            ORDER BY e.detected_at DESC, e.id DESC LIMIT 1) AS latest_id
    FROM visible_urls AS u WHERE u.user_id = :user_id AND {which}
),
e AS MATERIALIZED (
    SELECT mine.*, events.detected_at, events.kind, events.state, events.magnitude
    FROM mine LEFT JOIN url_change_events AS events ON events.id = mine.latest_id
    WHERE :at IS NULL OR (coalesce(events.detected_at, ''), mine.id) < (:at, :id)
    ORDER BY coalesce(events.detected_at, '') DESC, mine.id DESC LIMIT :limit
)
SELECT e.*, brands.name AS brand, own.created_at AS added_at,
    (SELECT looks.checked_at FROM visible_observations AS looks
        WHERE looks.user_id = :user_id AND looks.url_id = e.id
        ORDER BY looks.checked_at DESC LIMIT 1) AS last_checked_at,
    (SELECT looks.outcome FROM visible_observations AS looks
        WHERE looks.user_id = :user_id AND looks.url_id = e.id
        ORDER BY looks.checked_at DESC LIMIT 1) AS last_outcome,
    {summary} AS summary
FROM e
JOIN user_url_library AS own ON own.user_id = :user_id AND own.url_id = e.id
LEFT JOIN brands ON brands.id = e.brand_id
ORDER BY coalesce(e.detected_at, '') DESC, e.id DESC"""
# The same order from the other end: of the newest changes of all pages, the latest of each of the user's.
# What has the time of the last one looked at is left out, since others of that time were not looked at.
_RECENT = """
WITH newest AS MATERIALIZED (
    SELECT id, url_id, detected_at, state FROM url_change_events
    WHERE detected_at <= coalesce(:at, '9999') ORDER BY detected_at DESC LIMIT :looked_at
)
SELECT e.url_id FROM newest AS e
JOIN visible_urls AS u ON u.user_id = :user_id AND u.id = e.url_id
WHERE e.state <> 'volatile' AND (u.history_start_at IS NULL OR e.detected_at >= u.history_start_at)
    AND e.detected_at > (SELECT min(detected_at) FROM newest)
    AND (:at IS NULL OR (e.detected_at, e.url_id) < (:at, :id))
    AND NOT EXISTS (SELECT 1 FROM url_change_events AS newer
        WHERE newer.url_id = e.url_id AND newer.detected_at >= e.detected_at AND newer.state <> 'volatile'
            AND (newer.detected_at, newer.id) > (e.detected_at, e.id))
ORDER BY e.detected_at DESC, e.url_id DESC LIMIT :limit"""
# A summary that a model or the older tracker wrote goes before the one that digestlog makes itself.
_SUMMARY = """(SELECT s.summary FROM url_change_summaries AS s WHERE s.event_id = {}
    ORDER BY s.method = 'extractive', s.created_at DESC, s.id LIMIT 1)"""
_UPDATES = f"""
SELECT e.id, e.url_id, e.detected_at, e.kind, e.state, e.magnitude, {_SUMMARY.format("e.id")} AS summary
FROM visible_change_events AS e
WHERE e.user_id = :user_id AND e.url_id = :url_id AND (:volatile OR e.state <> 'volatile')
    AND (:gating_since IS NULL OR e.detected_at >= :gating_since)
    AND e.detected_at <= coalesce(:at, '9999') AND (:at IS NULL OR (e.detected_at, e.id) < (:at, :id))
ORDER BY e.detected_at DESC, e.id DESC LIMIT :limit"""  # noqa: S608 - fixed texts


def pages(
    db: Database,
    user_id: str,
    *,
    brand_id: str | None = None,
    after: Key | None = None,
    limit: int = PIECE,
) -> list[Watched]:
    """The pages that a user watches, all or a brand's, the newest change first; the piece after a key."""
    asked = {"brand_id": brand_id, "limit": limit, **_from(after)}
    if brand_id is not None:
        return _pages(db, user_id, "u.brand_id = :brand_id", asked)
    # Who watches thousands of pages mostly finds a piece of them among the newest changes of all.
    recent = db.rows(_RECENT, {**asked, "user_id": user_id, "looked_at": _LOOKED_AT})
    if len(recent) < limit:
        return _pages(db, user_id, "true", asked)
    asked["ids"] = json.dumps([row["url_id"] for row in recent])
    return _pages(db, user_id, "u.id IN (SELECT value FROM json_each(:ids))", asked)


def page(db: Database, user_id: str, url_id: str) -> Watched | None:
    """One page; None if the user does not watch it."""
    found = _pages(db, user_id, "u.id = :url_id", {"url_id": url_id, "limit": 1, **_from(None)})
    return found[0] if found else None


def brand(db: Database, user_id: str, brand_id: str) -> Brand | None:
    """A brand; None if the user watches no page of it."""
    row = db.row(
        """SELECT id, name, domain FROM brands WHERE id = :id AND EXISTS (
            SELECT 1 FROM visible_urls AS u WHERE u.user_id = :user_id AND u.brand_id = brands.id)""",
        {"id": brand_id, "user_id": user_id},
    )
    return Brand(**dict(row)) if row else None


def updates(
    db: Database,
    user_id: str,
    url_id: str,
    *,
    gating_since: str | None = None,
    volatile: bool = False,
    after: Key | None = None,
    limit: int = PIECE,
) -> list[Update]:
    """The changes of a page that the user may see, the newest first; the piece after a key."""
    rows = db.rows(
        _UPDATES,
        {
            "user_id": user_id,
            "url_id": url_id,
            "gating_since": gating_since,
            "volatile": volatile,
            "limit": limit,
            **_from(after),
        },
    )
    return [Update(**dict(row)) for row in rows]


def latest(db: Database, user_id: str, found: Iterable[Watched], limit: int = LATEST) -> list[Update]:
    """The newest changes of pages that come in the order of `pages`."""
    told = [
        update
        for one in islice(found, limit)
        for update in updates(db, user_id, one.id, gating_since=one.history_start_at, limit=limit)
    ]
    return sorted(told, key=lambda update: update.key, reverse=True)[:limit]


def instance(db: Database, user_id: str, event_id: str) -> Instance | None:
    """One change with all that belongs to it; None if the user may not see it."""
    row = db.row(
        f"""SELECT e.id, e.url_id, e.observation_id, e.detected_at, e.kind, e.state, e.magnitude,
            e."before", e."after", e.diff, {_SUMMARY.format("e.id")} AS summary
        FROM visible_change_events AS e WHERE e.id = :id AND e.user_id = :user_id""",  # noqa: S608
        {"id": event_id, "user_id": user_id},
    )
    if row is None:
        return None
    asked = {"user_id": user_id, "event_id": event_id, "look_id": row["observation_id"]}
    return Instance(
        _update(row, row["id"], row["url_id"]),
        row["before"],
        row["after"],
        diff_parts(json.loads(row["diff"])),
        _summaries(db, asked),
        _observation(db, asked),
        _renderings(db, asked),
    )


def rendering(db: Database, user_id: str, rendering_id: str) -> tuple[str, bytes] | None:
    """The kind and the content of a rendering; None if the user may not see it."""
    row = db.row(
        "SELECT kind, content FROM visible_render_artifacts WHERE id = :id AND user_id = :user_id",
        {"id": rendering_id, "user_id": user_id},
    )
    return (row["kind"], row["content"]) if row else None


def _pages(db: Database, user_id: str, which: str, asked: dict[str, Any]) -> list[Watched]:
    sql = _PAGES.format(summary=_SUMMARY.format("e.latest_id"), which=which)
    return [_watched(row) for row in db.rows(sql, {**asked, "user_id": user_id})]


def _from(key: Key | None) -> dict[str, str | None]:
    at, then = key or (None, None)
    return {"at": at, "id": then}


def _watched(row: sqlite3.Row) -> Watched:
    changed = row["latest_id"] is not None
    own = ("id", "canonical_url", "url", "brand_id", "brand", "check_frequency", "added_at")
    seen = ("history_start_at", "next_check_at", "last_checked_at", "last_outcome")
    return Watched(
        **{name: row[name] for name in (*own, *seen)},
        latest=_update(row, row["latest_id"], row["id"]) if changed else None,
    )


def _update(row: sqlite3.Row, event_id: str, url_id: str) -> Update:
    said = (row[name] for name in ("detected_at", "kind", "state", "magnitude", "summary"))
    return Update(event_id, url_id, *said)


def _summaries(db: Database, asked: dict[str, Any]) -> tuple[Summary, ...]:
    rows = db.rows(
        """SELECT summary, method, created_at FROM visible_change_summaries
        WHERE event_id = :event_id AND user_id = :user_id
        ORDER BY method = 'extractive', created_at DESC, id LIMIT 10""",
        asked,
    )
    return tuple(Summary(**dict(row)) for row in rows)


def _observation(db: Database, asked: dict[str, Any]) -> Observation | None:
    row = db.row(
        """SELECT id, checked_at, outcome, http_status, error, body_bytes FROM visible_observations
        WHERE id = :look_id AND user_id = :user_id""",
        asked,
    )
    return Observation(**dict(row)) if row else None


def _renderings(db: Database, asked: dict[str, Any]) -> tuple[Rendering, ...]:
    rows = db.rows(
        """SELECT id, kind, length(content) AS size FROM visible_render_artifacts
        WHERE observation_id = :look_id AND user_id = :user_id ORDER BY kind, id LIMIT 10""",
        asked,
    )
    return tuple(Rendering(**dict(row)) for row in rows)
