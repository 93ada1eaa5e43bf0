"""The ledger: every article once and for ever, and who mentioned it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from digestlog.core.canonical import LedgerUrl, article_uuid, twins, without_userinfo
from digestlog.core.ledger import FAILED, UNRESOLVED, Candidate, NewArticle, Resolution
from digestlog.core.model import Source
from digestlog.core.moments import to_iso
from digestlog.core.schedule import next_resolution
from digestlog.core.text import json_text
from digestlog.errors import IdentityCollision
from digestlog.store.db import Database
from digestlog.store.scans import real_status


@dataclass(frozen=True, slots=True)
class Known:
    """An original address that the ledger knows, and what this source could still add to its article."""

    article_uuid: str
    has_title: bool
    has_date: bool
    mentioned: bool


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one source's visit did to the ledger."""

    new: tuple[LedgerUrl, ...]
    known: int


def known(db: Database, source_uuid: str, originals: Sequence[str]) -> dict[str, Known]:
    """Those of the originals that need no request any more; one statement for any number."""
    rows = db.rows(
        """SELECT r.article_url_original AS original, r.article_uuid,
            a.article_title IS NOT NULL AS has_title, a.published_utc_iso IS NOT NULL AS has_date,
            m.source_uuid IS NOT NULL AS mentioned
        FROM json_each(:originals) AS wanted
        JOIN url_resolutions AS r ON r.article_url_original = wanted.value
        JOIN extracted_article_urls AS a ON a.article_uuid = r.article_uuid
        LEFT JOIN article_source_mentions AS m
            ON m.article_uuid = r.article_uuid AND m.source_uuid = :source_uuid""",
        {"originals": json.dumps(originals), "source_uuid": source_uuid},
    )
    return {
        row["original"]: Known(
            row["article_uuid"], bool(row["has_title"]), bool(row["has_date"]), bool(row["mentioned"])
        )
        for row in rows
    }


def record(
    db: Database,
    connection: sqlite3.Connection,
    source: Source,
    articles: Sequence[NewArticle],
    seen: Sequence[Candidate],
) -> Recorded:
    """Insert what is new and complete what was seen before, inside the caller's transaction."""
    present = ids_present(connection, [article.address for article in articles])
    new: list[LedgerUrl] = []
    for article in articles:
        uuid = present.get(article.address.article_uuid)
        if uuid is None:
            uuid = _insert(db, connection, source, article)
            # A twin of it later in this very visit is the same article.
            present |= dict.fromkeys(variant_ids(article.address.final), uuid)
            new.append(article.address)
        else:
            _complete(connection, uuid, article.candidate)
        _mention(db, connection, uuid, source, article.candidate)
        _remember(db, connection, uuid, article)
    # Asked again here: meanwhile an article may have moved to its final identity.
    states = known(db, source.source_uuid, [candidate.url for candidate in seen]) if seen else {}
    for candidate in seen:
        if candidate.url in states:
            _see_again(db, connection, source, candidate, states[candidate.url])
    return Recorded(tuple(new), len(articles) - len(new) + len(seen))


def variant_ids(final: str) -> list[str]:
    """The ids under which an article with this final address may stand: its own, and its twins'."""
    return [article_uuid(variant) for variant in twins(final)]


def ids_present(connection: sqlite3.Connection, addresses: Sequence[LedgerUrl]) -> dict[str, str]:
    """The ids of those addresses that the ledger has, under their own form or a twin's: id -> stored id."""
    wanted: dict[str, str] = {}
    for address in addresses:
        _refuse_collision(
            address.article_uuid, address.final, wanted.setdefault(address.article_uuid, address.final)
        )
    variants = [
        {"id": uuid, "variant": article_uuid(variant), "url": variant}
        for uuid, final in wanted.items()
        for variant in twins(final)
    ]
    found: dict[str, str] = {}
    for row in connection.execute(
        """SELECT json_extract(wanted.value, '$.id') AS id, a.article_uuid, a.article_url_final,
            json_extract(wanted.value, '$.url') AS url
        FROM json_each(:variants) AS wanted
        JOIN extracted_article_urls AS a ON a.article_uuid = json_extract(wanted.value, '$.variant')""",
        {"variants": json.dumps(variants)},
    ):
        _refuse_collision(row["article_uuid"], row["url"], row["article_url_final"])
        found.setdefault(row["id"], row["article_uuid"])
    return found


def _refuse_collision(uuid: str, url: str, other: str) -> None:
    if url != other:
        raise IdentityCollision(
            f"{url} and {other} have the same id {uuid}",
            "nothing was overwritten; please report this pair of addresses",
        )


def _insert(db: Database, connection: sqlite3.Connection, source: Source, article: NewArticle) -> str:
    candidate, address = article.candidate, article.address
    connection.execute(
        """INSERT INTO extracted_article_urls (article_uuid, source_uuid, url_scraping_method, source_url,
            article_title, article_url_original, article_url_final, url_original_to_final_match, url_notes,
            published_utc_iso, article_detected_utc_iso, created_at, updated_at)
        VALUES (:article_uuid, :source_uuid, :method, :source_url, :title, :original, :final, :matches,
            :notes, :published, :now, :now, :now)""",
        {
            "article_uuid": address.article_uuid,
            "source_uuid": source.source_uuid,
            "method": source.url_scraping_method,
            "source_url": source.source_url,
            "title": candidate.title,
            "original": address.original,
            "final": address.final,
            "matches": address.matches,
            "notes": notes_of(address),
            "published": _iso(candidate.published_at),
            "now": db.now_iso,
        },
    )
    return address.article_uuid


def _complete(connection: sqlite3.Connection, uuid: str, candidate: Candidate) -> None:
    """Fill a title or a date that is missing; nothing else of an article ever changes."""
    connection.execute(
        """UPDATE extracted_article_urls SET article_title = coalesce(article_title, :title),
            published_utc_iso = coalesce(published_utc_iso, :published)
        WHERE article_uuid = :uuid AND (article_title IS NULL AND :title IS NOT NULL
            OR published_utc_iso IS NULL AND :published IS NOT NULL)""",
        {"uuid": uuid, "title": candidate.title, "published": _iso(candidate.published_at)},
    )


def _see_again(
    db: Database, connection: sqlite3.Connection, source: Source, candidate: Candidate, state: Known
) -> None:
    adds_title = candidate.title is not None and not state.has_title
    adds_date = candidate.published_at is not None and not state.has_date
    if adds_title or adds_date:
        _complete(connection, state.article_uuid, candidate)
    if not state.mentioned:
        _mention(db, connection, state.article_uuid, source, candidate)


def _mention(
    db: Database, connection: sqlite3.Connection, uuid: str, source: Source, candidate: Candidate
) -> None:
    connection.execute(
        """INSERT INTO article_source_mentions (article_uuid, source_uuid, article_url_original,
            first_seen_at, found_by, date_from, published_raw, created_at)
        VALUES (:uuid, :source_uuid, :original, :now, :found_by, :date_from, :published_raw, :now)
        ON CONFLICT DO NOTHING""",
        {
            "uuid": uuid,
            "source_uuid": source.source_uuid,
            "original": candidate.url,
            "found_by": candidate.found_by,
            "date_from": candidate.date_from,
            "published_raw": candidate.published_raw,
            "now": db.now_iso,
        },
    )


def _remember(db: Database, connection: sqlite3.Connection, uuid: str, article: NewArticle) -> None:
    connection.execute(
        """INSERT INTO url_resolutions (article_url_original, article_uuid, status, resolved_url, hops,
            http_status, attempts, next_attempt_at, last_error, created_at, updated_at)
        VALUES (:original, :uuid, :status, :resolved_url, :hops, :http_status, 1, :next, :error, :now, :now)
        ON CONFLICT DO NOTHING""",
        {
            "original": article.candidate.url,
            "uuid": uuid,
            "now": db.now_iso,
            **resolution_columns(db, article.resolution, 1),
        },
    )


def resolution_columns(db: Database, resolution: Resolution, attempts: int) -> dict[str, Any]:
    """The columns of a resolution; one that was tried often enough has failed."""
    waits = resolution.status == UNRESOLVED
    again = next_resolution(db.now, attempts, resolution.retry_after_s) if waits else None
    return {
        "status": FAILED if waits and again is None else resolution.status,
        "resolved_url": resolution.url and without_userinfo(resolution.url),
        "hops": json_text(
            [{"status": hop.status, "url": without_userinfo(hop.url)} for hop in resolution.hops]
        ),
        "http_status": real_status(resolution.http_status),
        "next": _iso(again),
        "error": resolution.error,
    }


def notes_of(address: LedgerUrl) -> str | None:
    """The notes as a column holds them."""
    return ",".join(address.notes) or None


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else to_iso(moment)
