"""The ledger as one visitor may read it: pages of it, and search, each as cheap at a million articles.

An admin reads all of it. Anybody else reads what the sources of their digests have shown: those that they
have chosen, or every active one where they chose none.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from digestlog.store.access import Visitor
from digestlog.store.db import Database

# Marks around what a search has found: characters that no text has a use for.
FOUND, END = "\ue000", "\ue001"

# Which sources `s` a visitor reads.
VISIBLE = """(:admin OR s.removed_at IS NULL AND (
    EXISTS (SELECT 1 FROM user_sources AS c WHERE c.user_id = :user_id AND c.source_uuid = s.source_uuid)
    OR s.is_active = 1 AND NOT EXISTS (SELECT 1 FROM user_sources AS c WHERE c.user_id = :user_id)))"""

# So many sources are read one by one, each from its newest article on; of more, most articles are wanted.
_FEW = 200
# A search that finds more is not sorted by how well it fits, and looks at so many in one go.
_SORTED = 2_000
_LOOKED_AT = 3_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which articles are wanted. `day` is 2026-02-12; `after` is where the page before ended."""

    source_uuid: str | None = None
    method: str | None = None
    day: str | None = None
    after: str | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Mention:
    """A source that has shown an article."""

    source_uuid: str
    source_name: str
    first_seen_at: str


@dataclass(frozen=True, slots=True)
class Read:
    """An article with the sources that the visitor may know of, the first to show it first."""

    article_uuid: str
    article_title: str | None
    article_url_final: str
    published_utc_iso: str | None
    article_detected_utc_iso: str
    mentions: tuple[Mention, ...] = ()
    # Of a search, with FOUND and END around each word: the title, and where the words are in the text.
    highlight: str | None = None
    snippet: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A page of articles; `after` is where the next one begins, None at the end.

    `by_date`: a search that found too much to be sorted by how well it fits.
    """

    articles: list[Read]
    after: str | None = None
    by_date: bool = True


@dataclass(frozen=True, slots=True)
class _Key:
    """An article's place in the list."""

    at: str
    tie: Any
    article_uuid: str
    highlight: str | None = None
    snippet: str | None = None


def newest(db: Database, visitor: Visitor, wanted: Wanted) -> Found:
    """The articles by when they were found, the newest first."""
    sources = _sources(db, visitor, wanted)
    if len(sources) <= _FEW:
        keys = _of_few(db, sources, wanted)
    else:
        keys = _of_many(db, visitor, wanted)
    shown = keys[: wanted.limit]
    more = f"{shown[-1].at}~{shown[-1].tie}" if len(keys) > wanted.limit else None
    return Found(_read(db, visitor, shown), more)


def search(db: Database, visitor: Visitor, question: str, wanted: Wanted) -> Found:
    """What answers a question to the index of words: best first, or newest first where it is too much."""
    params = {**_params(visitor, wanted), "match": question}
    (many,) = db.rows(
        """SELECT count(*) FROM
            (SELECT 1 FROM article_search WHERE article_search MATCH :match LIMIT :most)""",
        {"match": question, "most": _SORTED + 1},
    )[0]
    if many > _SORTED:
        return _newest_found(db, visitor, wanted, params)
    start = min(_number(wanted.after, 0), _SORTED)
    params |= {"start": start}
    ids = db.rows(
        f"""SELECT d.docid FROM article_search
        JOIN article_documents AS d ON d.docid = article_search.rowid
        JOIN extracted_article_urls AS a ON a.article_uuid = d.article_uuid
        WHERE article_search MATCH :match AND {_PASSES}
        ORDER BY bm25(article_search, 5.0, 1.0), d.docid DESC LIMIT :most OFFSET :start""",  # noqa: S608
        params,
    )
    shown = [row["docid"] for row in ids[: wanted.limit]]
    more = str(start + wanted.limit) if len(ids) > wanted.limit else None
    return Found(_read(db, visitor, _marked(db, question, shown)), more, by_date=False)


def one(db: Database, visitor: Visitor, article_uuid: str) -> Read | None:
    """An article, if the visitor may read it."""
    found = _read(db, visitor, [_Key("", 0, article_uuid)])
    return found[0] if found else None


def count_since(db: Database, visitor: Visitor, since: str) -> int:
    """How many articles were found since then that the visitor may read."""
    rows = db.rows(
        f"""SELECT count(*) FROM extracted_article_urls AS a
        WHERE a.article_detected_utc_iso >= :since AND {_PASSES}""",  # noqa: S608
        {**_params(visitor, Wanted()), "since": since},
    )
    return int(rows[0][0])


def source_ids(db: Database, visitor: Visitor) -> set[str]:
    """The sources that the visitor may know of."""
    rows = db.rows(
        f"SELECT s.source_uuid FROM sources_master_list AS s WHERE {VISIBLE}",  # noqa: S608
        {"admin": visitor.is_admin, "user_id": visitor.id},
    )
    return {row["source_uuid"] for row in rows}


# What an article `a` must be, where articles are looked at one after the other.
_PASSES = f"""(:day IS NULL OR a.article_detected_utc_iso >= :day AND a.article_detected_utc_iso < :day_end)
    AND (:all OR EXISTS (SELECT 1 FROM article_source_mentions AS m
        JOIN sources_master_list AS s ON s.source_uuid = m.source_uuid
        WHERE m.article_uuid = a.article_uuid AND (:source_uuid IS NULL OR s.source_uuid = :source_uuid)
            AND (:method IS NULL OR s.url_scraping_method = :method) AND {VISIBLE}))"""  # noqa: S608


def _sources(db: Database, visitor: Visitor, wanted: Wanted) -> list[str]:
    """The sources that are read, but no more than are read one by one, and one."""
    rows = db.rows(
        f"""SELECT s.source_uuid FROM sources_master_list AS s WHERE {VISIBLE}
            AND (:source_uuid IS NULL OR s.source_uuid = :source_uuid)
            AND (:method IS NULL OR s.url_scraping_method = :method) LIMIT {_FEW + 1}""",  # noqa: S608
        _params(visitor, wanted),
    )
    return [row["source_uuid"] for row in rows]


def _of_few(db: Database, sources: Sequence[str], wanted: Wanted) -> list[_Key]:
    """The newest of each source, merged; an article that several have shown counts where it came first."""
    at, tie = _place(wanted)
    rows = db.rows(
        """WITH mine AS MATERIALIZED (SELECT value AS source_uuid FROM json_each(:sources))
        SELECT m.first_seen_at AS at, m.article_uuid FROM mine
        CROSS JOIN article_source_mentions AS m ON m.source_uuid = mine.source_uuid AND m.article_uuid IN (
            SELECT x.article_uuid FROM article_source_mentions AS x
            WHERE x.source_uuid = mine.source_uuid AND x.first_seen_at >= :from
                AND (x.first_seen_at, x.article_uuid) < (:at, :tie)
                AND NOT EXISTS (SELECT 1 FROM article_source_mentions AS y
                    WHERE y.article_uuid = x.article_uuid
                    AND (y.first_seen_at, y.source_uuid) < (x.first_seen_at, x.source_uuid)
                    AND y.source_uuid IN (SELECT source_uuid FROM mine))
            ORDER BY x.first_seen_at DESC, x.article_uuid DESC LIMIT :most)
        ORDER BY m.first_seen_at DESC, m.article_uuid DESC LIMIT :most""",
        {
            "sources": json.dumps(sources),
            "from": wanted.day or "",
            "at": at,
            "tie": tie or "",
            "most": wanted.limit + 1,
        },
    )
    return [_Key(row["at"], row["article_uuid"], row["article_uuid"]) for row in rows]


def _of_many(db: Database, visitor: Visitor, wanted: Wanted) -> list[_Key]:
    """All articles from the newest on, less those that are not wanted."""
    at, tie = _place(wanted)
    rows = db.rows(
        f"""SELECT a.article_detected_utc_iso AS at, a.rowid AS tie, a.article_uuid
        FROM extracted_article_urls AS a
        WHERE (a.article_detected_utc_iso, a.rowid) < (:at, :tie) AND {_PASSES}
        ORDER BY a.article_detected_utc_iso DESC, a.rowid DESC LIMIT :most""",  # noqa: S608
        {**_params(visitor, wanted), "at": at, "tie": _number(tie, 0)},
    )
    return [_Key(row["at"], row["tie"], row["article_uuid"]) for row in rows]


def _newest_found(db: Database, visitor: Visitor, wanted: Wanted, params: dict[str, Any]) -> Found:
    """The newest that a search finds. Where few of them are wanted, a page may be short and yet go on."""
    params |= {"last": _number(wanted.after, 2**62), "looked_at": _LOOKED_AT}
    looked = """SELECT rowid AS docid FROM article_search
        WHERE article_search MATCH :match AND rowid < :last ORDER BY rowid DESC LIMIT :looked_at"""
    rows = db.rows(
        f"""WITH looked AS MATERIALIZED ({looked})
        SELECT d.docid, (SELECT count(*) FROM looked) AS looked, (SELECT min(docid) FROM looked) AS least
        FROM looked
        CROSS JOIN article_documents AS d ON d.docid = looked.docid
        JOIN extracted_article_urls AS a ON a.article_uuid = d.article_uuid
        WHERE {_PASSES} ORDER BY d.docid DESC LIMIT :most""",  # noqa: S608
        params,
    )
    shown = [row["docid"] for row in rows[: wanted.limit]]
    more = str(shown[-1]) if len(rows) > wanted.limit else _further(db, rows, looked, params)
    return Found(_read(db, visitor, _marked(db, params["match"], shown)), more)


def _further(db: Database, rows: Sequence[sqlite3.Row], looked: str, params: dict[str, Any]) -> str | None:
    """Where to look next after a page that is not full."""
    counted = f"SELECT count(*) AS looked, min(docid) AS least FROM ({looked})"  # noqa: S608
    row = rows[0] if rows else db.rows(counted, params)[0]
    return str(row["least"]) if row["looked"] == _LOOKED_AT else None


def _marked(db: Database, question: str, docids: Sequence[int]) -> list[_Key]:
    """These articles with what was found in them marked."""
    rows = db.rows(
        f"""SELECT wanted.key AS place, d.article_uuid,
            highlight(article_search, 0, '{FOUND}', '{END}') AS highlight,
            snippet(article_search, 1, '{FOUND}', '{END}', '…', 30) AS snippet
        FROM json_each(:docids) AS wanted
        CROSS JOIN article_search
        JOIN article_documents AS d ON d.docid = wanted.value
        WHERE article_search MATCH :match AND article_search.rowid = wanted.value
        ORDER BY wanted.key""",  # noqa: S608
        {"docids": json.dumps(docids), "match": question},
    )
    return [_Key("", 0, row["article_uuid"], row["highlight"], row["snippet"]) for row in rows]


def _read(db: Database, visitor: Visitor, keys: Sequence[_Key]) -> list[Read]:
    """The articles in the order of the keys, with the sources that the visitor may know of."""
    params = {
        "ids": json.dumps([key.article_uuid for key in keys]),
        "admin": visitor.is_admin,
        "user_id": visitor.id,
    }
    rows = db.rows(
        """SELECT a.article_uuid, a.article_title, a.article_url_final, a.published_utc_iso,
            a.article_detected_utc_iso
        FROM json_each(:ids) AS wanted JOIN extracted_article_urls AS a ON a.article_uuid = wanted.value""",
        params,
    )
    mentions: dict[str, list[Mention]] = {}
    for row in db.rows(
        f"""SELECT m.article_uuid, m.source_uuid, s.source_name, m.first_seen_at
        FROM json_each(:ids) AS wanted
        CROSS JOIN article_source_mentions AS m ON m.article_uuid = wanted.value
        JOIN sources_master_list AS s ON s.source_uuid = m.source_uuid
        WHERE {VISIBLE} ORDER BY m.first_seen_at, m.source_uuid""",  # noqa: S608
        params,
    ):
        mentions.setdefault(row["article_uuid"], []).append(
            Mention(row["source_uuid"], row["source_name"], row["first_seen_at"])
        )
    known = {row["article_uuid"]: dict(row) for row in rows}
    # Once more the rule: what no source of theirs has shown is not theirs, however its id came here.
    return [
        Read(
            **known[key.article_uuid],
            mentions=tuple(mentions[key.article_uuid]),
            highlight=key.highlight,
            snippet=key.snippet,
        )
        for key in keys
        if key.article_uuid in known and key.article_uuid in mentions
    ]


def _params(visitor: Visitor, wanted: Wanted) -> dict[str, Any]:
    return {
        "admin": visitor.is_admin,
        "user_id": visitor.id,
        "source_uuid": wanted.source_uuid,
        "method": wanted.method,
        "day": wanted.day,
        "day_end": _day_end(wanted.day),
        # An admin without a filter: nothing to ask for each article.
        "all": visitor.is_admin and wanted.source_uuid is None and wanted.method is None,
        "most": wanted.limit + 1,
    }


def _place(wanted: Wanted) -> tuple[str, str]:
    """Where to go on: before this time and, at the same time, before this article."""
    at, _, tie = (wanted.after or "").partition("~")
    end = _day_end(wanted.day) or "9999-99"
    return (at, tie) if at and tie and at < end else (end, "")


def _day_end(day: str | None) -> str | None:
    """A text that lies after every time of the day and before the next day."""
    return None if day is None else f"{day}~"


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and re.fullmatch("[0-9]{1,18}", text) else otherwise
