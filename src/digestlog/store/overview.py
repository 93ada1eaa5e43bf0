"""A few numbers about what somebody may see, for the first screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from digestlog.core.moments import to_iso
from digestlog.store.access import Visitor
from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Overview:
    """What is there. The ledger is the owner's: None for everybody else."""

    pages: int
    changes_today: int
    digests: int
    articles_today: int | None
    sources_in_trouble: int | None


def of(db: Database, visitor: Visitor) -> Overview:
    """The numbers of the last 24 hours."""
    params = {"user_id": visitor.id, "since": to_iso(db.now - timedelta(hours=24))}
    (own,) = db.rows(
        """SELECT
            (SELECT count(*) FROM visible_urls WHERE user_id = :user_id) AS pages,
            (SELECT count(*) FROM visible_change_events
                WHERE user_id = :user_id AND detected_at >= :since AND state = 'real') AS changes_today,
            (SELECT count(*) FROM syntheses WHERE user_id = :user_id) AS digests""",
        params,
    )
    if not visitor.is_admin:
        return Overview(**dict(own), articles_today=None, sources_in_trouble=None)
    (ledger,) = db.rows(
        """SELECT
            (SELECT count(*) FROM extracted_article_urls WHERE article_detected_utc_iso >= :since)
                AS articles_today,
            (SELECT count(*) FROM source_fetch_state WHERE consecutive_failures > 0) AS sources_in_trouble""",
        params,
    )
    return Overview(**dict(own), **dict(ledger))
