"""What changed, for one user: every query goes through the views that hold the gate.

The gate is applied twice. The views leave out pages that the user does not watch and events from before
`history_start_at`; the queries here compare with `history_start_at` once more, and with `gating_since`
where a caller knows a later limit.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from digestlog.core import canonical
from digestlog.core.change_rows import KINDS, ChangeRow
from digestlog.errors import LibraryError, UrlError
from digestlog.store.db import Database

__all__ = ["ChangeRow", "Page", "find_brand", "find_page", "list_changes", "mark_told", "untold"]

# A summary that a model or the older tracker wrote goes before the one that digestlog makes itself.
_SELECT = """SELECT e.id, e.url_id, u.url, u.canonical_url, u.brand_id, b.name AS brand, e.detected_at,
    e.updated_at, e.kind, e.state, e.magnitude, e."before", e."after", e.diff,
    (SELECT s.summary FROM visible_change_summaries AS s
        WHERE s.event_id = e.id AND s.user_id = e.user_id
        ORDER BY s.method = 'extractive', s.created_at DESC, s.id LIMIT 1) AS summary
FROM visible_change_events AS e
JOIN visible_urls AS u ON u.user_id = e.user_id AND u.id = e.url_id
LEFT JOIN brands AS b ON b.id = u.brand_id
WHERE e.user_id = :user_id
    AND (u.history_start_at IS NULL OR e.detected_at >= u.history_start_at)"""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that the user watches."""

    id: str
    url: str
    canonical_url: str


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
    rows = db.rows(
        f"""{_SELECT}
            AND (:since IS NULL OR e.detected_at >= :since)
            AND (:gating_since IS NULL OR e.detected_at >= :gating_since)
            AND (:volatile OR e.state <> 'volatile')
            AND (:url_id IS NULL OR e.url_id = :url_id)
            AND (:brand_id IS NULL OR u.brand_id = :brand_id)
        ORDER BY e.detected_at DESC, u.canonical_url, e.kind, e.id LIMIT :limit""",  # noqa: S608
        {
            "user_id": user_id,
            "since": since,
            "gating_since": gating_since,
            "volatile": include_volatile,
            "url_id": url_id,
            "brand_id": brand_id,
            "limit": -1 if limit is None else limit,
        },
    )
    return [_change(row) for row in rows]


def untold(db: Database, user_id: str) -> list[ChangeRow]:
    """The real changes that no notification has told the user of, the newest first."""
    rows = db.rows(
        f"""{_SELECT} AND e.state = 'real'
            AND NOT EXISTS (SELECT 1 FROM told_events AS t WHERE t.user_id = e.user_id AND t.event_id = e.id)
        ORDER BY e.detected_at DESC, u.canonical_url, e.kind, e.id""",  # noqa: S608
        {"user_id": user_id},
    )
    return [_change(row) for row in rows]


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


def find_page(db: Database, user_id: str, text: str) -> Page:
    """The page that the user watches under this address, id or beginning of an id."""
    rows = db.rows(
        """SELECT id, url, canonical_url FROM visible_urls
        WHERE user_id = :user_id AND (url = :text OR canonical_url IN (:text, :canonical)
            OR :beginning IS NOT NULL AND id GLOB :beginning)
        ORDER BY canonical_url LIMIT 2""",
        {"user_id": user_id, "text": text, "canonical": _canonical(text), "beginning": _beginning(text)},
    )
    if not rows:
        raise LibraryError(f"you do not watch {text}", "see: digestlog library list")
    if len(rows) > 1:
        raise LibraryError(f"{text} could be several pages", "give more of the id")
    return Page(**dict(rows[0]))


def find_brand(db: Database, user_id: str, text: str) -> tuple[str, str]:
    """The id and name of a brand of which the user watches a page, by name, domain or id."""
    rows = db.rows(
        """SELECT DISTINCT b.id, b.name FROM visible_urls AS u JOIN brands AS b ON b.id = u.brand_id
        LEFT JOIN brand_domains AS d ON d.brand_id = b.id
        WHERE u.user_id = :user_id AND :text IN (lower(b.name), b.domain, d.domain, b.id)
        ORDER BY b.id""",
        {"user_id": user_id, "text": _lower(text)},
    )
    if not rows:
        raise LibraryError(f"you watch no page of {text}", "see: digestlog brands list")
    if len(rows) > 1:
        ids = ", ".join(row["id"] for row in rows)
        raise LibraryError(f"several brands are called {text}", f"give the id: {ids}")
    return rows[0]["id"], rows[0]["name"]


def _change(row: sqlite3.Row) -> ChangeRow:
    values: dict[str, Any] = dict(row)
    values["summary"] = values["summary"] or KINDS[values["kind"]]
    return ChangeRow(**{**values, "diff": _parts(json.loads(values["diff"]))})


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


def _canonical(text: str) -> str | None:
    try:
        return canonical.canonicalize(text, "library")[0]
    except UrlError:
        return None


def _beginning(text: str) -> str | None:
    """What the id must look like; None where the text is no beginning of one."""
    return f"{text.lower()}*" if re.fullmatch(r"[0-9a-f-]{4,36}", text.lower()) else None


def _lower(text: str) -> str:
    """As SQLite's own lower() writes it, which knows ASCII only."""
    return "".join(c.lower() if c.isascii() else c for c in text.strip())
