"""What the articles say: every version of their texts, and how far reading them has come."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from digestlog.core.moments import to_iso
from digestlog.store.db import Database
from digestlog.store.scans import real_status

if TYPE_CHECKING:
    from digestlog.core.extract import Extracted

PENDING, OK, EMPTY, FAILED, GONE = "pending", "ok", "empty", "failed", "gone"


@dataclass(frozen=True, slots=True)
class ToScrape:
    """An article to read, and what came of it so far."""

    article_uuid: str
    article_url_final: str
    article_url_original: str
    status: str = PENDING
    attempts: int = 0
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class ScrapeState:
    """How far reading an article has come; next_attempt_at None: it is not tried again by itself."""

    status: str
    attempts: int
    next_attempt_at: datetime | None = None
    last_error: str | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """The text that an article had when it was last read."""

    article_uuid: str
    scrape_id: str
    scraped_at: str
    title: str | None
    author: str | None
    language: str | None
    published_utc_iso: str | None
    content_text: str


def due(
    db: Database,
    *,
    since: str | None = None,
    limit: int | None = None,
    only: Sequence[str] | None = None,
    rescrape: bool = False,
) -> list[ToScrape]:
    """The articles to read now, the newest first: never tried, or their next try has come.

    `only` of these ids; `rescrape`: whatever came of them so far.
    """
    rows = db.rows(
        """SELECT a.article_uuid, a.article_url_final, a.article_url_original,
            coalesce(t.status, 'pending') AS status, coalesce(t.attempts, 0) AS attempts,
            EXISTS (SELECT 1 FROM article_source_mentions AS m
                JOIN sources_master_list AS s ON s.source_uuid = m.source_uuid
                WHERE m.article_uuid = a.article_uuid AND s.allow_private) AS allow_private
        FROM extracted_article_urls AS a
        LEFT JOIN scrape_state AS t ON t.article_uuid = a.article_uuid
        WHERE (:since IS NULL OR a.article_detected_utc_iso >= :since)
            AND (:only IS NULL OR a.article_uuid IN (SELECT value FROM json_each(:only)))
            AND (:rescrape OR t.article_uuid IS NULL
                OR t.status = 'pending' AND t.next_attempt_at IS NULL
                OR t.status IN ('pending', 'empty', 'failed') AND t.next_attempt_at <= :now)
        ORDER BY a.article_detected_utc_iso DESC, a.published_utc_iso DESC, a.article_uuid
        LIMIT :limit""",
        {
            "since": since,
            "only": None if only is None else json.dumps(only),
            "rescrape": rescrape,
            "now": db.now_iso,
            "limit": -1 if limit is None else limit,
        },
    )
    return [ToScrape(**{**dict(row), "allow_private": bool(row["allow_private"])}) for row in rows]


def record(
    db: Database, article_uuid: str, state: ScrapeState, found: Extracted | None, http_status: int | None
) -> bool:
    """Write down what came of reading an article, in one transaction; True if its content is new.

    `found` None: there was nothing to read. An article that is not in the ledger any more is left alone.
    """
    with db.transaction() as connection:
        if not _is_there(connection, article_uuid):
            return False
        _write_state(db, connection, article_uuid, state)
        if found is None or found.text is None:
            return False
        _complete(connection, article_uuid, found)
        return _keep(db, connection, article_uuid, found, found.text, http_status)


def current(db: Database, article_uuids: Sequence[str]) -> dict[str, Version]:
    """The texts of those articles that have one, by id; one statement for any number."""
    rows = db.rows(
        """SELECT d.article_uuid, s.scrape_id, s.scraped_at, s.title, s.author, s.language,
            s.published_utc_iso, s.content_text
        FROM json_each(:ids) AS wanted
        JOIN article_documents AS d ON d.article_uuid = wanted.value
        JOIN scraped_articles AS s ON s.scrape_id = d.scrape_id""",
        {"ids": json.dumps(article_uuids)},
    )
    return {row["article_uuid"]: Version(**dict(row)) for row in rows}


def with_text(db: Database, article_uuids: Sequence[str]) -> set[str]:
    """Those of the articles that have a text; one statement for any number."""
    rows = db.rows(
        """SELECT d.article_uuid FROM json_each(:ids) AS wanted
        JOIN article_documents AS d ON d.article_uuid = wanted.value
        JOIN scraped_articles AS s ON s.scrape_id = d.scrape_id""",
        {"ids": json.dumps(article_uuids)},
    )
    return {row["article_uuid"] for row in rows}


def states(db: Database, article_uuids: Sequence[str]) -> dict[str, tuple[str, str | None]]:
    """How far reading these articles has come, and what went wrong last; by id."""
    rows = db.rows(
        """SELECT article_uuid, status, last_error FROM scrape_state
        WHERE article_uuid IN (SELECT value FROM json_each(:ids))""",
        {"ids": json.dumps(article_uuids)},
    )
    return {row["article_uuid"]: (row["status"], row["last_error"]) for row in rows}


def latest(db: Database, user_id: str, limit: int) -> list[Version]:
    """The texts that were read last from a user's sources: those chosen, or all where none was."""
    rows = db.rows(
        """SELECT d.article_uuid, s.scrape_id, s.scraped_at, s.title, s.author, s.language,
            s.published_utc_iso, s.content_text
        FROM article_documents AS d JOIN scraped_articles AS s ON s.scrape_id = d.scrape_id
        WHERE NOT EXISTS (SELECT 1 FROM user_sources WHERE user_id = :user_id)
            OR EXISTS (SELECT 1 FROM article_source_mentions AS m
                JOIN user_sources AS u ON u.source_uuid = m.source_uuid
                WHERE m.article_uuid = d.article_uuid AND u.user_id = :user_id)
        ORDER BY s.scraped_at DESC, d.article_uuid LIMIT :limit""",
        {"user_id": user_id, "limit": limit},
    )
    return [Version(**dict(row)) for row in rows]


def scrape_id(article_uuid: str, content_sha256: str) -> str:
    """The id of a version: two machines that read the same give it the same one."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:scrape:{article_uuid}:{content_sha256}"))


def _is_there(connection: sqlite3.Connection, article_uuid: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM extracted_article_urls WHERE article_uuid = :id", {"id": article_uuid}
    )
    return found.fetchone() is not None


def _write_state(db: Database, connection: sqlite3.Connection, article_uuid: str, state: ScrapeState) -> None:
    connection.execute(
        """INSERT INTO scrape_state (article_uuid, status, attempts, next_attempt_at, last_error, created_at,
            updated_at)
        VALUES (:id, :status, :attempts, :next, :error, :now, :now)
        ON CONFLICT (article_uuid) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
            next_attempt_at = excluded.next_attempt_at, last_error = excluded.last_error,
            updated_at = excluded.updated_at""",
        {
            "id": article_uuid,
            "status": state.status,
            "attempts": state.attempts,
            "next": _iso(state.next_attempt_at),
            "error": state.last_error,
            "now": db.now_iso,
        },
    )


def _complete(connection: sqlite3.Connection, article_uuid: str, found: Extracted) -> None:
    """Fill a title or a date that the ledger lacks; nothing else of an article ever changes."""
    connection.execute(
        """UPDATE extracted_article_urls SET article_title = coalesce(article_title, :title),
            published_utc_iso = coalesce(published_utc_iso, :published)
        WHERE article_uuid = :id AND (article_title IS NULL AND :title IS NOT NULL
            OR published_utc_iso IS NULL AND :published IS NOT NULL)""",
        {"id": article_uuid, "title": found.title, "published": _iso(found.published_at)},
    )


def _keep(
    db: Database,
    connection: sqlite3.Connection,
    article_uuid: str,
    found: Extracted,
    text: str,
    http_status: int | None,
) -> bool:
    """Store the text if the article never had it before, and let it be the one that counts."""
    digest = sha256(text.encode()).hexdigest()
    done = connection.execute(
        # The id may be taken too: by a version that has moved with its article to a final address.
        """INSERT INTO scraped_articles (scrape_id, article_uuid, scraped_at, http_status, title, author,
            language, published_utc_iso, content_text, content_sha256, created_at)
        VALUES (:scrape_id, :id, :now, :http_status, :title, :author, :language, :published, :text, :digest,
            :now)
        ON CONFLICT DO NOTHING""",
        {
            "scrape_id": scrape_id(article_uuid, digest),
            "id": article_uuid,
            "now": db.now_iso,
            "http_status": real_status(http_status),
            "title": found.title,
            "author": found.author,
            "language": found.language,
            "published": _iso(found.published_at),
            "text": text,
            "digest": digest,
        },
    )
    _let_count(connection, article_uuid, digest)
    return done.rowcount == 1


def _let_count(connection: sqlite3.Connection, article_uuid: str, content_sha256: str) -> None:
    """A text that has come back to what it was before counts again, without another row."""
    connection.execute(
        """UPDATE article_documents SET scrape_id = version.scrape_id
        FROM scraped_articles AS version
        WHERE article_documents.article_uuid = :id AND version.article_uuid = :id
            AND version.content_sha256 = :digest AND article_documents.scrape_id IS NOT version.scrape_id""",
        {"id": article_uuid, "digest": content_sha256},
    )


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else to_iso(moment)
