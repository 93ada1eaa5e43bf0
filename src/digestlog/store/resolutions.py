"""Addresses that gave no answer yet, and what becomes of their articles once they do."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from digestlog.core.canonical import LedgerUrl
from digestlog.core.ledger import RESOLVED, Resolution
from digestlog.store.db import Database
from digestlog.store.ledger import ids_present, notes_of, resolution_columns


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An original address of which it is not known yet where it leads."""

    article_url_original: str
    article_uuid: str
    attempts: int
    allow_private: bool


def unresolved(db: Database) -> list[Unresolved]:
    """The addresses whose next try is due, with whether a source lets them lead into a private network."""
    rows = db.rows(
        """SELECT r.article_url_original, r.article_uuid, r.attempts,
            -- Two spellings that one source shows share one mention, which has the first of them.
            coalesce(max(CASE WHEN m.article_url_original = r.article_url_original THEN s.allow_private END),
                min(s.allow_private)) AS allow_private
        FROM url_resolutions AS r
        JOIN article_source_mentions AS m ON m.article_uuid = r.article_uuid
        JOIN sources_master_list AS s ON s.source_uuid = m.source_uuid
        WHERE r.status = 'unresolved' AND r.next_attempt_at <= :now
        GROUP BY r.article_url_original
        ORDER BY r.attempts, r.article_url_original""",
        {"now": db.now_iso},
    )
    return [
        Unresolved(
            row["article_url_original"], row["article_uuid"], row["attempts"], bool(row["allow_private"])
        )
        for row in rows
    ]


def settle(db: Database, waiting: Unresolved, address: LedgerUrl, resolution: Resolution) -> str:
    """Write down where an address leads after all; the id of the one article that it now is.

    The article moves to the identity of its final address, or becomes one with the article that is
    there already. When it was first seen does not change, and there are never two rows for it.
    """
    with db.transaction() as connection:
        # Not as it was when the question was asked: another spelling may have been answered since.
        old = _article_of(connection, waiting.article_url_original)
        certain = _is_certain(connection, old, waiting.article_url_original)
        uuid = old
        if resolution.status == RESOLVED:
            uuid = _home(db, connection, old, address, certain=certain)
        _update_resolution(db, connection, waiting, uuid, resolution)
        if uuid != old:
            (_copy_mentions if certain else _move)(connection, old, uuid)
        return uuid


def _home(
    db: Database, connection: sqlite3.Connection, old: str, address: LedgerUrl, *, certain: bool
) -> str:
    """Where the article of a resolved address stands from now on: there already, or as the old row's copy."""
    uuid = ids_present(connection, [address]).get(address.article_uuid)
    if uuid is None or (uuid == old != address.article_uuid and not certain):
        return _copy(db, connection, old, address)
    if uuid == old and not certain:
        _explain(connection, old, address)
    return uuid


def _update_resolution(
    db: Database, connection: sqlite3.Connection, waiting: Unresolved, uuid: str, resolution: Resolution
) -> None:
    attempts = waiting.attempts + resolution.asked  # who was not asked has lost no try
    connection.execute(
        """UPDATE url_resolutions SET article_uuid = :uuid, status = :status, resolved_url = :resolved_url,
            hops = :hops, http_status = :http_status, attempts = :attempts, next_attempt_at = :next,
            last_error = :error
        WHERE article_url_original = :original""",
        {
            "original": waiting.article_url_original,
            "uuid": uuid,
            "attempts": attempts,
            **resolution_columns(db, resolution, attempts),
        },
    )


def _copy(db: Database, connection: sqlite3.Connection, old: str, address: LedgerUrl) -> str:
    """The old article's row again, under the identity of its final address."""
    connection.execute(
        """INSERT INTO extracted_article_urls (article_uuid, source_uuid, url_scraping_method, source_url,
            article_title, article_url_original, article_url_final, url_original_to_final_match, url_notes,
            published_utc_iso, article_detected_utc_iso, created_at, updated_at)
        SELECT :uuid, source_uuid, url_scraping_method, source_url, article_title, :original, :final,
            :matches, :notes, published_utc_iso, article_detected_utc_iso, created_at, :now
        FROM extracted_article_urls WHERE article_uuid = :old""",
        {
            "uuid": address.article_uuid,
            "original": address.original,
            "final": address.final,
            "matches": address.matches,
            "notes": notes_of(address),
            "old": old,
            "now": db.now_iso,
        },
    )
    connection.execute(
        """INSERT INTO article_completions (article_uuid, field, completed_at, created_at)
        SELECT :uuid, field, completed_at, created_at FROM article_completions WHERE article_uuid = :old""",
        {"uuid": address.article_uuid, "old": old},
    )
    return address.article_uuid


def _explain(connection: sqlite3.Connection, uuid: str, address: LedgerUrl) -> None:
    """Say of an article that stands where its redirect leads that there was one."""
    connection.execute(
        """UPDATE extracted_article_urls SET url_notes = :notes
        WHERE article_uuid = :uuid AND article_url_original = :original AND url_notes IS NOT :notes""",
        {"uuid": uuid, "original": address.original, "notes": notes_of(address)},
    )


def _article_of(connection: sqlite3.Connection, original: str) -> str:
    (uuid,) = connection.execute(
        "SELECT article_uuid FROM url_resolutions WHERE article_url_original = :original",
        {"original": original},
    ).fetchone()
    return str(uuid)


def _is_certain(connection: sqlite3.Connection, uuid: str, original: str) -> bool:
    """True if another original address is known to lead to this article."""
    found = connection.execute(
        """SELECT 1 FROM url_resolutions
        WHERE article_uuid = :uuid AND article_url_original <> :original AND status = 'resolved'""",
        {"uuid": uuid, "original": original},
    )
    return found.fetchone() is not None


def _copy_mentions(connection: sqlite3.Connection, old: str, uuid: str) -> None:
    connection.execute(
        """INSERT INTO article_source_mentions (article_uuid, source_uuid, article_url_original,
            first_seen_at, found_by, date_from, published_raw, created_at)
        SELECT :uuid, source_uuid, article_url_original, first_seen_at, found_by, date_from, published_raw,
            created_at
        FROM article_source_mentions WHERE article_uuid = :old
        ON CONFLICT DO NOTHING""",
        {"uuid": uuid, "old": old},
    )


def _move(connection: sqlite3.Connection, old: str, uuid: str) -> None:
    """Give everything that refers to the old article to the other one, and take the old row away.

    With it goes every other spelling of the address that has no answer of its own.
    """
    _copy_mentions(connection, old, uuid)
    # That it could not be read where it stood says nothing about its final address.
    connection.execute("DELETE FROM scrape_state WHERE article_uuid = :old AND status <> 'ok'", {"old": old})
    for table in (
        "url_resolutions",
        "scraped_articles",
        "scrape_state",
        "synthesis_items",
        "synthesis_candidates",
    ):
        connection.execute(
            f"UPDATE OR IGNORE {table} SET article_uuid = :uuid WHERE article_uuid = :old",  # noqa: S608
            {"uuid": uuid, "old": old},
        )
    connection.execute(
        """UPDATE extracted_article_urls AS kept SET
            article_title = coalesce(kept.article_title, gone.article_title),
            published_utc_iso = coalesce(kept.published_utc_iso, gone.published_utc_iso)
        FROM extracted_article_urls AS gone
        WHERE kept.article_uuid = :uuid AND gone.article_uuid = :old
            AND (kept.article_title IS NULL AND gone.article_title IS NOT NULL
                OR kept.published_utc_iso IS NULL AND gone.published_utc_iso IS NOT NULL)""",
        {"uuid": uuid, "old": old},
    )
    connection.execute("DELETE FROM extracted_article_urls WHERE article_uuid = :old", {"old": old})
