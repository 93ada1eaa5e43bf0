"""A few numbers about what somebody may see, for the first screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from digestlog.core.moments import to_iso
from digestlog.store import browse, source_health
from digestlog.store.access import Visitor
from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Overview:
    """What is there for somebody, and what is new of it."""

    pages: int
    changes_today: int
    digests: int
    articles_today: int
    sources_in_trouble: int


def of(db: Database, visitor: Visitor) -> Overview:
    """The numbers of the last 24 hours."""
    since = to_iso(db.now - timedelta(hours=24))
    (own,) = db.rows(
        """SELECT
            (SELECT count(*) FROM visible_urls WHERE user_id = :user_id) AS pages,
            (SELECT count(*) FROM visible_change_events
                WHERE user_id = :user_id AND detected_at >= :since AND state = 'real') AS changes_today,
            (SELECT count(*) FROM syntheses WHERE user_id = :user_id) AS digests""",
        {"user_id": visitor.id, "since": since},
    )
    return Overview(
        **dict(own),
        articles_today=browse.count_since(db, visitor, since),
        sources_in_trouble=source_health.counts(db, visitor)[source_health.TROUBLE],
    )
