"""What a user's feeds may be of: the brands and pages that they watch, by name."""

from __future__ import annotations

from digestlog.store.db import Database


def brand(db: Database, user_id: str, brand_id: str) -> str | None:
    """The name of a brand of which the user watches a page."""
    row = db.row(
        """SELECT b.name FROM brands AS b WHERE b.id = :id AND EXISTS (
            SELECT 1 FROM visible_urls AS u WHERE u.user_id = :user_id AND u.brand_id = b.id)""",
        {"id": brand_id, "user_id": user_id},
    )
    return None if row is None else str(row["name"])


def page(db: Database, user_id: str, url_id: str) -> str | None:
    """The address of a page that the user watches."""
    row = db.row(
        "SELECT canonical_url FROM visible_urls WHERE user_id = :user_id AND id = :id",
        {"id": url_id, "user_id": user_id},
    )
    return None if row is None else str(row["canonical_url"])


def brands(db: Database, user_id: str, limit: int) -> list[tuple[str, str]]:
    """Ids and names of the brands that the user watches pages of, by name."""
    rows = db.rows(
        """SELECT b.id, b.name FROM brands AS b
        WHERE b.id IN (SELECT brand_id FROM visible_urls WHERE user_id = :user_id)
        ORDER BY lower(b.name), b.id LIMIT :limit""",
        {"user_id": user_id, "limit": limit},
    )
    return [(row["id"], row["name"]) for row in rows]


def pages(db: Database, user_id: str, limit: int) -> list[tuple[str, str]]:
    """Ids and addresses of the pages that the user watches, by address."""
    rows = db.rows(
        """SELECT id, canonical_url FROM visible_urls WHERE user_id = :user_id
        ORDER BY canonical_url LIMIT :limit""",
        {"user_id": user_id, "limit": limit},
    )
    return [(row["id"], row["canonical_url"]) for row in rows]


def given(db: Database, user_id: str) -> int:
    """How many feed addresses of the user are good."""
    rows = db.rows(
        """SELECT count(*) FROM access_tokens AS t JOIN users AS u ON u.id = t.user_id
            AND u.session_epoch = t.session_epoch
        WHERE t.user_id = :user_id AND t.kind = 'feed'""",
        {"user_id": user_id},
    )
    return int(rows[0][0])
