"""Watched pages: each once for everybody, and who watches which.

What a user sees is read through the visible_* views, which hold the gate; the queries take
`gating_since` besides.
"""

from __future__ import annotations

import re
import sqlite3
import uuid
from dataclasses import dataclass
from typing import Any

from digestlog.core import canonical
from digestlog.core.library import CAP_HINT, Entitlement, Wish, identity
from digestlog.errors import LibraryError, UrlCapExceeded
from digestlog.store.db import Database

CAP_REACHED = "url cap reached"  # what the trigger check_library_url_cap says
LIMIT = 20


@dataclass(frozen=True, slots=True)
class Page:
    """A page that a user watches, with what may be seen of its checks and changes."""

    url_id: str
    canonical_url: str
    url: str
    brand_id: str | None
    brand: str | None
    check_frequency: str
    min_interval_s: int | None
    max_interval_s: int | None
    allow_private: bool
    added_at: str
    history_start_at: str | None
    last_checked_at: str | None
    next_check_at: str | None
    last_outcome: str | None
    changes: int
    last_change_at: str | None
    last_summary: str | None


@dataclass(frozen=True, slots=True)
class GlobalUrl:
    """A page as everybody shares it; `created` if it was not there before."""

    url_id: str
    canonical_url: str
    url: str
    allow_private: bool
    created: bool


@dataclass(frozen=True, slots=True)
class UpdateInstance:
    """One change of a page, as a user may see it."""

    id: str
    url_id: str
    observation_id: str | None
    detected_at: str
    kind: str
    state: str
    magnitude: float
    summary: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """One check of a page, as a user may see it."""

    id: str
    checked_at: str
    outcome: str
    http_status: int | None
    error: str | None
    body_bytes: int | None


# --- global pages ------------------------------------------------------------------------


def get_or_create_global_url_by_canonical(
    db: Database,
    connection: sqlite3.Connection,
    canonical_url: str,
    *,
    url: str,
    wish: Wish,
    brand_id: str | None = None,
) -> GlobalUrl:
    """The one row of a canonical address, made if it is not there, inside the caller's transaction."""
    made = connection.execute(
        """INSERT INTO urls (id, canonical_url, url, brand_id, allow_private, check_frequency,
            min_interval_s, max_interval_s, created_at, updated_at)
        VALUES (:id, :canonical_url, :url, :brand_id, :allow_private, :check_frequency,
            :min_interval_s, :max_interval_s, :now, :now)
        ON CONFLICT DO NOTHING""",
        {
            "id": canonical.url_id(canonical_url),
            "canonical_url": canonical_url,
            "url": url,
            "brand_id": brand_id,
            "allow_private": wish.allow_private,
            "check_frequency": wish.check_frequency or "daily",
            "min_interval_s": wish.min_interval_s,
            "max_interval_s": wish.max_interval_s,
            "now": db.now_iso,
        },
    )
    row = connection.execute(
        "SELECT id, url, allow_private FROM urls WHERE canonical_url = :name", {"name": canonical_url}
    ).fetchone()
    return GlobalUrl(row["id"], canonical_url, row["url"], bool(row["allow_private"]), bool(made.rowcount))


def rewish(connection: sqlite3.Connection, url_id: str, wish: Wish) -> None:
    """How a page is checked from now on, as far as the wish says; it is due at once."""
    connection.execute(
        """UPDATE urls SET check_frequency = coalesce(:check_frequency, check_frequency),
            min_interval_s = coalesce(:min_interval_s, min_interval_s),
            max_interval_s = coalesce(:max_interval_s, max_interval_s),
            allow_private = max(allow_private, :allow_private), next_check_at = NULL
        WHERE id = :url_id""",
        {
            "url_id": url_id,
            "check_frequency": wish.check_frequency,
            "min_interval_s": wish.min_interval_s,
            "max_interval_s": wish.max_interval_s,
            "allow_private": wish.allow_private,
        },
    )


def others(db: Database, user_id: str, url_id: str) -> int:
    """How many other users watch the page."""
    row = db.rows(
        """SELECT count(*) AS others FROM user_url_library
        WHERE url_id = :url_id AND user_id <> :user_id AND is_active = 1""",
        {"url_id": url_id, "user_id": user_id},
    )[0]
    return int(row["others"])


# --- membership --------------------------------------------------------------------------


def check_url_cap_entitlement(db: Database, user_id: str) -> Entitlement:
    """How many pages the user watches and may watch; the trigger has the last word."""
    row = db.rows(
        """SELECT plan, max_tracked_urls, (
            SELECT count(*) FROM user_url_library AS mine
            WHERE mine.user_id = user_plans.user_id AND mine.is_active = 1
        ) AS used
        FROM user_plans WHERE user_id = :user_id""",
        {"user_id": user_id},
    )[0]
    return Entitlement(row["plan"], row["used"], row["max_tracked_urls"])


def is_member(db: Database, user_id: str, url_id: str) -> bool:
    """True if the user watches the page."""
    return (
        db.row(
            """SELECT 1 FROM user_url_library
            WHERE user_id = :user_id AND url_id = :url_id AND is_active = 1""",
            {"user_id": user_id, "url_id": url_id},
        )
        is not None
    )


def link(db: Database, connection: sqlite3.Connection, user_id: str, url_id: str) -> None:
    """Let the user watch the page, inside the caller's transaction; UrlCapExceeded if the plan is full."""
    try:
        connection.execute(
            """INSERT INTO user_url_library (id, user_id, url_id, is_active, created_at, updated_at)
            VALUES (:id, :user_id, :url_id, 1, :now, :now)
            ON CONFLICT (user_id, url_id) DO UPDATE SET is_active = 1""",
            {
                "id": str(uuid.uuid5(uuid.UUID(user_id), url_id)),
                "user_id": user_id,
                "url_id": url_id,
                "now": db.now_iso,
            },
        )
    except sqlite3.IntegrityError as error:
        if str(error) != CAP_REACHED:
            raise
        raise UrlCapExceeded(check_url_cap_entitlement(db, user_id).words, CAP_HINT) from error


def unlink(db: Database, user_id: str, url_id: str) -> None:
    """Let the user watch the page no more; what was recorded of it stays."""
    with db.transaction() as connection:
        connection.execute(
            "UPDATE user_url_library SET is_active = 0 WHERE user_id = :user_id AND url_id = :url_id",
            {"user_id": user_id, "url_id": url_id},
        )


def unlock_history(db: Database, user_id: str, url_id: str | None = None) -> int:
    """Show a user the whole history of all watched pages or of one; how many were opened."""
    with db.transaction() as connection:
        return connection.execute(
            """UPDATE user_url_library SET history_start_at = NULL
            WHERE user_id = :user_id AND is_active = 1 AND history_start_at IS NOT NULL
                AND (:url_id IS NULL OR url_id = :url_id)""",
            {"user_id": user_id, "url_id": url_id},
        ).rowcount


# --- what a user sees --------------------------------------------------------------------


def pages(db: Database, user_id: str, *, brand_id: str | None = None) -> list[Page]:
    """The pages that a user watches, by brand and address."""
    return [
        _page(row)
        for row in db.rows(
            f"""{_PAGES} WHERE visible_urls.user_id = :user_id
                AND (:brand_id IS NULL OR visible_urls.brand_id = :brand_id)
            ORDER BY brand COLLATE NOCASE, canonical_url""",
            {"user_id": user_id, "brand_id": brand_id},
        )
    ]


def gates(db: Database, user_id: str) -> dict[str, str | None]:
    """From when the user sees the history of each watched page; None: from its beginning."""
    found = db.rows("SELECT id, history_start_at FROM visible_urls WHERE user_id = :id", {"id": user_id})
    return {row["id"]: row["history_start_at"] for row in found}


def page(db: Database, user_id: str, text: str) -> Page:
    """The page of the user that is meant; LibraryError if the user watches none like it."""
    url_id = find(db, text, user_id=user_id)["id"]
    return _page(
        db.rows(
            f"{_PAGES} WHERE visible_urls.user_id = :user_id AND visible_urls.id = :url_id",
            {"user_id": user_id, "url_id": url_id},
        )[0]
    )


def find(db: Database, text: str, *, user_id: str | None = None) -> sqlite3.Row:
    """The row of urls by id, beginning of an id, canonical or submitted address; else LibraryError.

    With a user, only among the pages that the user watches.
    """
    among = "visible_urls WHERE user_id = :user_id AND" if user_id else "urls WHERE"
    found = db.rows(
        f"""SELECT * FROM {among} (canonical_url = :canonical_url OR url = :text
            OR substr(id, 1, :length) = :beginning) LIMIT 2""",  # noqa: S608 - two fixed texts
        {"user_id": user_id, **_asked(text)},
    )
    if len(found) == 1:
        return found[0]
    shown = canonical.without_userinfo(text.strip())[:100]
    if found:
        raise LibraryError(f"{shown} may be one of several pages", "write more of its id")
    whose = "you watch no page like" if user_id else "no page is like"
    raise LibraryError(f"{whose} {shown}", "see: digestlog library list")


def list_url_update_instances(
    db: Database, user_id: str, url_id: str, *, gating_since: str | None = None, limit: int = LIMIT
) -> list[UpdateInstance]:
    """The changes of a page that the user may see, the latest first; none from before `gating_since`."""
    return [
        UpdateInstance(**dict(row))
        for row in db.rows(
            """SELECT events.id, events.url_id, events.observation_id, events.detected_at, events.kind,
                events.state, events.magnitude, (
                    SELECT summary FROM visible_change_summaries AS summaries
                    WHERE summaries.event_id = events.id AND summaries.user_id = events.user_id
                    ORDER BY summaries.created_at DESC, summaries.id LIMIT 1
                ) AS summary
            FROM visible_change_events AS events
            WHERE events.user_id = :user_id AND events.url_id = :url_id AND events.state <> 'volatile'
                AND (:gating_since IS NULL OR events.detected_at >= :gating_since)
            ORDER BY events.detected_at DESC, events.kind LIMIT :limit""",
            {"user_id": user_id, "url_id": url_id, "gating_since": gating_since, "limit": limit},
        )
    ]


def list_url_observations(
    db: Database, user_id: str, url_id: str, *, gating_since: str | None = None, limit: int = LIMIT
) -> list[Look]:
    """The checks of a page that the user may see, the latest first; none from before `gating_since`."""
    return [
        Look(**dict(row))
        for row in db.rows(
            """SELECT id, checked_at, outcome, http_status, error, body_bytes FROM visible_observations
            WHERE user_id = :user_id AND url_id = :url_id
                AND (:gating_since IS NULL OR checked_at >= :gating_since)
            ORDER BY checked_at DESC, id LIMIT :limit""",
            {"user_id": user_id, "url_id": url_id, "gating_since": gating_since, "limit": limit},
        )
    ]


# The latest look and change come through the views: a look from before the gate is not shown by its time
# either, which urls.last_checked_at would do; nor by urls.next_check_at, which is reckoned from it.
_PAGES = """
SELECT visible_urls.id AS url_id, visible_urls.canonical_url, visible_urls.url, visible_urls.brand_id,
    brands.name AS brand, visible_urls.check_frequency, visible_urls.min_interval_s,
    visible_urls.max_interval_s, visible_urls.allow_private, visible_urls.history_start_at,
    CASE WHEN EXISTS (SELECT 1 FROM visible_observations AS looks
        WHERE looks.user_id = visible_urls.user_id AND looks.url_id = visible_urls.id)
        THEN visible_urls.next_check_at END AS next_check_at, mine.created_at AS added_at,
    (SELECT max(looks.checked_at) FROM visible_observations AS looks
        WHERE looks.user_id = visible_urls.user_id AND looks.url_id = visible_urls.id) AS last_checked_at,
    (SELECT looks.outcome FROM visible_observations AS looks
        WHERE looks.user_id = visible_urls.user_id AND looks.url_id = visible_urls.id
        ORDER BY looks.checked_at DESC, looks.id LIMIT 1) AS last_outcome,
    (SELECT count(*) FROM visible_change_events AS events
        WHERE events.user_id = visible_urls.user_id AND events.url_id = visible_urls.id
            AND events.state <> 'volatile') AS changes,
    (SELECT max(events.detected_at) FROM visible_change_events AS events
        WHERE events.user_id = visible_urls.user_id AND events.url_id = visible_urls.id
            AND events.state <> 'volatile') AS last_change_at,
    (SELECT summaries.summary FROM visible_change_summaries AS summaries
        JOIN visible_change_events AS events
            ON events.id = summaries.event_id AND events.user_id = summaries.user_id
        WHERE summaries.user_id = visible_urls.user_id AND summaries.url_id = visible_urls.id
            AND events.state <> 'volatile'
        ORDER BY events.detected_at DESC, summaries.created_at DESC, summaries.id LIMIT 1) AS last_summary
FROM visible_urls
JOIN user_url_library AS mine ON mine.user_id = visible_urls.user_id AND mine.url_id = visible_urls.id
LEFT JOIN brands ON brands.id = visible_urls.brand_id"""


def _page(row: sqlite3.Row) -> Page:
    return Page(**{**dict(row), "allow_private": bool(row["allow_private"])})


_ID_START = re.compile(r"[0-9a-f][0-9a-f-]{5,35}")


def _asked(text: str) -> dict[str, Any]:
    """The ways in which a person may have named a page; what it is not matches nothing."""
    asked = identity(text)
    beginning = text.strip().lower()
    return {
        "text": text.strip(),
        "canonical_url": asked.canonical_url if asked else None,
        "beginning": beginning if _ID_START.fullmatch(beginning) else None,
        "length": len(beginning),
    }
