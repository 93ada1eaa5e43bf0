"""Reading the ledger: lists, search, and all that is known of one address."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from digestlog.store.db import Database

_COLUMNS = """a.article_uuid, a.article_title, a.article_url_final, a.article_url_original,
    a.published_utc_iso, a.article_detected_utc_iso, a.source_uuid, s.source_name,
    (SELECT count(*) FROM article_source_mentions AS m WHERE m.article_uuid = a.article_uuid) AS mentions"""
_FROM = " FROM extracted_article_urls AS a JOIN sources_master_list AS s ON s.source_uuid = a.source_uuid"


@dataclass(frozen=True, slots=True)
class Article:
    """One row of the ledger, with the name of the source that was first to show it."""

    article_uuid: str
    article_title: str | None
    article_url_final: str
    article_url_original: str
    published_utc_iso: str | None
    article_detected_utc_iso: str
    source_uuid: str
    source_name: str
    mentions: int
    # Of a search: the title with the words marked, and the part of the text where they are.
    highlight: str | None = None
    snippet: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which articles are wanted."""

    since: str | None = None
    source_uuid: str | None = None
    unread_by: str | None = None
    limit: int = 50


def list_articles(db: Database, wanted: Filter) -> list[Article]:
    """The newest articles, by when they were detected, then by when they were published."""
    rows = db.rows(
        f"SELECT {_COLUMNS}{_FROM}"  # noqa: S608 - constants
        + " WHERE "
        + _WANTED
        + """ ORDER BY a.article_detected_utc_iso DESC, a.published_utc_iso DESC, a.article_uuid
        LIMIT :limit""",
        _params(wanted),
    )
    return [Article(**dict(row)) for row in rows]


def search(db: Database, words: Sequence[str], wanted: Filter) -> list[Article]:
    """The articles that hold all the words in title or text, best first; words are words, not a query."""
    rows = db.rows(
        # The best are chosen first: to cut a snippet out of every text that matches would take long.
        """WITH best AS MATERIALIZED (
            SELECT d.docid, d.article_uuid, bm25(article_search, 5.0, 1.0) AS score
            FROM article_search
            JOIN article_documents AS d ON d.docid = article_search.rowid
            JOIN extracted_article_urls AS a ON a.article_uuid = d.article_uuid
            WHERE article_search MATCH :match AND """  # noqa: S608 - constants
        + _WANTED
        + """ ORDER BY score, a.article_detected_utc_iso DESC, a.article_uuid LIMIT :limit)
        SELECT """
        + _COLUMNS
        + """, highlight(article_search, 0, '[', ']') AS highlight,
            replace(snippet(article_search, 1, '[', ']', '…', 24), char(10), ' ') AS snippet
        FROM best
        CROSS JOIN article_search
        JOIN extracted_article_urls AS a ON a.article_uuid = best.article_uuid
        JOIN sources_master_list AS s ON s.source_uuid = a.source_uuid
        WHERE article_search MATCH :match AND article_search.rowid = best.docid
        ORDER BY best.score, a.article_detected_utc_iso DESC, a.article_uuid""",
        {"match": " ".join(map(_quoted, words)) or '""', **_params(wanted)},
    )
    return [Article(**dict(row)) for row in rows]


_WANTED = """(:since IS NULL OR a.article_detected_utc_iso >= :since)
    AND (:source_uuid IS NULL OR EXISTS (SELECT 1 FROM article_source_mentions AS m
        WHERE m.article_uuid = a.article_uuid AND m.source_uuid = :source_uuid))
    AND (:unread_by IS NULL OR NOT EXISTS (SELECT 1 FROM synthesis_items AS i
        JOIN syntheses AS y ON y.id = i.synthesis_id
        WHERE i.article_uuid = a.article_uuid AND y.user_id = :unread_by))"""


def get(db: Database, article_uuid: str) -> dict[str, Any] | None:
    """The whole row of an article."""
    row = db.row("SELECT * FROM extracted_article_urls WHERE article_uuid = :id", {"id": article_uuid})
    return None if row is None else dict(row)


def find(db: Database, originals: Sequence[str], ids: Sequence[str]) -> str | None:
    """The article known under the first of these addresses as written, else under the first of these ids."""
    row = db.row(
        """SELECT r.article_uuid, 0 AS by_id, wanted.key AS place
        FROM json_each(:originals) AS wanted
        JOIN url_resolutions AS r ON r.article_url_original = wanted.value
        UNION ALL
        SELECT a.article_uuid, 1, wanted.key
        FROM json_each(:ids) AS wanted
        JOIN extracted_article_urls AS a ON a.article_uuid = wanted.value
        ORDER BY by_id, place LIMIT 1""",
        {"originals": json.dumps(originals), "ids": json.dumps(ids)},
    )
    return None if row is None else str(row["article_uuid"])


def finals(db: Database, article_uuids: Sequence[str]) -> dict[str, str]:
    """The final addresses of articles, by id; one statement for any number."""
    rows = db.rows(
        """SELECT article_uuid, article_url_final FROM extracted_article_urls
        WHERE article_uuid IN (SELECT value FROM json_each(:ids))""",
        {"ids": json.dumps(article_uuids)},
    )
    return {row["article_uuid"]: row["article_url_final"] for row in rows}


def addresses(db: Database, article_uuids: Sequence[str]) -> dict[str, set[str]]:
    """Every address under which articles are known, by id: final, as written, and on the way between."""
    rows = db.rows(
        """SELECT a.article_uuid, a.article_url_final, a.article_url_original, r.article_url_original,
            r.resolved_url
        FROM json_each(:ids) AS wanted
        JOIN extracted_article_urls AS a ON a.article_uuid = wanted.value
        LEFT JOIN url_resolutions AS r ON r.article_uuid = a.article_uuid""",
        {"ids": json.dumps(article_uuids)},
    )
    found: dict[str, set[str]] = {}
    for uuid, *known in rows:
        found.setdefault(uuid, set()).update(filter(None, known))
    return found


def mentions(db: Database, article_uuid: str) -> list[dict[str, Any]]:
    """Every source that referred to the article, first come first."""
    return _dicts(
        db,
        """SELECT m.*, s.source_name FROM article_source_mentions AS m
        JOIN sources_master_list AS s ON s.source_uuid = m.source_uuid
        WHERE m.article_uuid = :id ORDER BY m.first_seen_at, m.source_uuid""",
        article_uuid,
    )


def resolutions(db: Database, article_uuid: str) -> list[dict[str, Any]]:
    """Every address as written that is this article, with the redirects on its way."""
    found = _dicts(
        db,
        "SELECT * FROM url_resolutions WHERE article_uuid = :id ORDER BY created_at, article_url_original",
        article_uuid,
    )
    return [{**row, "hops": json.loads(row["hops"])} for row in found]


def digests(db: Database, article_uuid: str) -> list[dict[str, Any]]:
    """Every digest that had the article as a candidate, and what became of it there."""
    return _dicts(
        db,
        """SELECT y.id AS synthesis_id, y.created_at, u.name AS user, c.outcome, c.detail
        FROM synthesis_candidates AS c
        JOIN syntheses AS y ON y.id = c.synthesis_id
        JOIN users AS u ON u.id = y.user_id
        WHERE c.article_uuid = :id ORDER BY y.created_at, y.id""",
        article_uuid,
    )


def left_out(db: Database, part: str) -> list[dict[str, Any]]:
    """What the sources' last readings left out, and why, of all addresses that hold this text in any case."""
    rows = db.rows(
        """SELECT l.source_uuid, s.source_name, l.updated_at AS read_at,
            json_extract(entry.value, '$[0]') AS url, json_extract(entry.value, '$[1]') AS reason,
            json_extract(entry.value, '$[2]') AS published_utc_iso
        FROM source_left_out AS l
        JOIN sources_master_list AS s ON s.source_uuid = l.source_uuid
        JOIN json_each(l.left_out) AS entry
        WHERE instr(lower(json_extract(entry.value, '$[0]')), lower(:part))
        ORDER BY l.source_uuid, entry.key""",
        {"part": part},
    )
    return [dict(row) for row in rows]


def _dicts(db: Database, sql: str, article_uuid: str) -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows(sql, {"id": article_uuid})]


def _params(wanted: Filter) -> dict[str, Any]:
    return {name: getattr(wanted, name) for name in Filter.__slots__}


def _quoted(word: str) -> str:
    return '"' + word.replace("\0", "").replace('"', '""') + '"'
