"""Where an address appeared in digests, whether or not the ledger has its article."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from digestlog.store.db import Database


def same_article(db: Database, part: str, user_id: str | None = None) -> list[tuple[str, str]]:
    """Pairs of addresses that a digest met as one article, of which one holds this text in any case.

    With a user, by that user's digests only; so do the others here.
    """
    rows = db.rows(
        """SELECT shown.key AS url, other.value AS other FROM syntheses AS y
        JOIN json_each(y.providers, '$.addresses') AS shown
        JOIN json_each(shown.value) AS other
        WHERE (:user_id IS NULL OR y.user_id = :user_id)
            AND (instr(lower(shown.key), lower(:part)) OR instr(lower(other.value), lower(:part)))
        ORDER BY y.created_at, y.id, shown.key, other.key""",
        {"part": part, "user_id": user_id},
    )
    return [(row["url"], row["other"]) for row in rows]


def candidates(
    db: Database, article_uuid: str | None, urls: Sequence[str], part: str, user_id: str | None = None
) -> list[dict[str, Any]]:
    """What became in digests of an article, of these addresses, and of all that hold this text.

    The oldest digest first. An item that has no candidate of its own was taken.
    """
    rows = db.rows(
        """WITH had AS (
            SELECT synthesis_id, url, article_uuid, outcome, detail FROM synthesis_candidates
            UNION ALL
            SELECT i.synthesis_id, i.url, i.article_uuid, 'taken', i.category FROM synthesis_items AS i
            WHERE NOT EXISTS (SELECT 1 FROM synthesis_candidates AS c
                WHERE c.synthesis_id = i.synthesis_id AND c.url = i.url)
        )
        SELECT had.synthesis_id, y.created_at, u.name AS user, had.outcome, had.detail, had.url,
            had.article_uuid
        FROM had
        JOIN syntheses AS y ON y.id = had.synthesis_id
        JOIN users AS u ON u.id = y.user_id
        WHERE (:user_id IS NULL OR y.user_id = :user_id) AND (had.article_uuid = :article_uuid
            OR had.url IN (SELECT value FROM json_each(:urls)) OR instr(lower(had.url), lower(:part)))
        ORDER BY y.created_at, y.id, had.url""",
        {"article_uuid": article_uuid, "urls": json.dumps(list(urls)), "part": part, "user_id": user_id},
    )
    return [dict(row) for row in rows]
