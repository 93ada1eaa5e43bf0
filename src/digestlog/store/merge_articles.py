"""Two rows that turn out to be one article once two files are put together.

Twins differ by scheme or trailing slash: the one that was seen first gives the address. An address that
one file could not resolve may be resolved in the other: then its article is the one that it leads to.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from digestlog.core.canonical import ledger_url
from digestlog.store.ledger import notes_of, variant_ids
from digestlog.store.merge_identities import one_id_a_version
from digestlog.store.merge_tables import Counts, columns_of, merge_tables, rules_aside

# What belongs to an article and goes with it, and the two tables that only refer to it.
_CHILDREN = (
    "article_completions",
    "article_source_mentions",
    "url_resolutions",
    "scraped_articles",
    "article_documents",
    "scrape_state",
)
_REFERRING = ("synthesis_items", "synthesis_candidates")
_DETECTED_FIRST = """SELECT a.article_uuid FROM main.extracted_article_urls AS a
    JOIN main.sources_master_list AS s USING (source_uuid)
    WHERE a.article_uuid IN (:one, :two)
    ORDER BY a.article_detected_utc_iso, a.created_at, s.source_url, a.article_uuid"""


@dataclass(frozen=True, slots=True)
class Answered:
    """An address that one file has no answer for, and where it leads according to the other."""

    original: str
    waiting: str
    settled: str
    resolved_url: str | None


@dataclass(frozen=True, slots=True)
class Overlaps:
    """What is to be looked at once the rows of both files are in one."""

    twins: list[tuple[str, str]]
    answered: list[Answered]


def overlaps(connection: sqlite3.Connection) -> Overlaps:
    """Find them, before the rows are put together."""
    return Overlaps(_twins(connection), _answered(connection))


def join_overlaps(connection: sqlite3.Connection, found: Overlaps) -> list[Counts]:
    """Make each of them one article; to be called once the rows of both files are in one."""
    for table in ("extracted_article_urls", *_CHILDREN):
        connection.execute(f"CREATE TABLE moved.{table} AS SELECT * FROM main.{table} WHERE 0")  # noqa: S608
    done: list[Counts] = []
    now_at: dict[str, str] = {}
    for one, two in found.twins:
        kept, gone = (
            row[0] for row in connection.execute(_DETECTED_FIRST, {"one": one, "two": two}).fetchall()
        )
        now_at[gone] = kept
        done.append(_join(connection, gone, kept))
    for case in found.answered:
        waiting = now_at.get(case.waiting, case.waiting)
        settled = now_at.get(case.settled, case.settled)
        if waiting != settled:
            done.append(_settle(connection, case, waiting, settled))
            now_at[waiting] = settled
    return done


def _twins(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Pairs of articles, one in this file only and one in the other only, that are twins."""
    rows = connection.execute(
        """SELECT article_uuid, article_url_final FROM other.extracted_article_urls
        WHERE article_uuid NOT IN (SELECT article_uuid FROM main.extracted_article_urls)
        ORDER BY article_uuid"""
    )
    pairs, taken = [], set()
    for there, final in rows.fetchall():
        for here in variant_ids(final)[1:]:
            if here not in taken and _only_here(connection, here):
                pairs.append((here, there))
                taken.add(here)
                break
    return pairs


def _only_here(connection: sqlite3.Connection, uuid: str) -> bool:
    found = connection.execute(
        """SELECT 1 FROM main.extracted_article_urls AS m WHERE m.article_uuid = :id
        AND NOT EXISTS (SELECT 1 FROM other.extracted_article_urls AS o WHERE o.article_uuid = :id)""",
        {"id": uuid},
    )
    return found.fetchone() is not None


def _answered(connection: sqlite3.Connection) -> list[Answered]:
    rows = connection.execute(
        """SELECT m.article_url_original AS original, m.status = 'resolved' AS here,
            m.article_uuid AS mine, o.article_uuid AS theirs,
            CASE WHEN m.status = 'resolved' THEN m.resolved_url ELSE o.resolved_url END AS resolved_url
        FROM other.url_resolutions AS o JOIN main.url_resolutions AS m USING (article_url_original)
        WHERE m.article_uuid <> o.article_uuid AND (m.status = 'resolved') <> (o.status = 'resolved')
        ORDER BY 1"""
    )
    return [
        Answered(
            row["original"],
            row["theirs"] if row["here"] else row["mine"],
            row["mine"] if row["here"] else row["theirs"],
            row["resolved_url"],
        )
        for row in rows.fetchall()
    ]


def _settle(connection: sqlite3.Connection, case: Answered, waiting: str, settled: str) -> Counts:
    certain = connection.execute(
        "SELECT 1 FROM main.url_resolutions WHERE article_uuid = :id AND status = 'resolved'", {"id": waiting}
    ).fetchone()
    if certain is None:
        # That it could not be read where it stood says nothing about its final address.
        connection.execute(
            "DELETE FROM main.scrape_state WHERE article_uuid = :id AND status <> 'ok'", {"id": waiting}
        )
        notes = notes_of(ledger_url(case.original, case.resolved_url))
        return _join(connection, waiting, settled, notes)
    # Another address leads to it: it stays, and who showed this one has mentioned both.
    _carry(connection, "article_source_mentions", waiting, settled)
    return _merge_moved(connection)


def _join(connection: sqlite3.Connection, gone: str, kept: str, notes: str | None = None) -> Counts:
    """Merge all that is of one article into another, and take its row away."""
    for table in ("extracted_article_urls", *_CHILDREN):
        _carry(connection, table, gone, kept)
    connection.execute(
        """UPDATE moved.extracted_article_urls AS g SET article_url_final = k.article_url_final,
            url_original_to_final_match = (g.article_url_original = k.article_url_final),
            url_notes = coalesce(:notes, url_notes, 'other_normalization')
        FROM (SELECT article_url_final FROM main.extracted_article_urls WHERE article_uuid = :kept) AS k""",
        {"kept": kept, "notes": notes},
    )
    for table in _REFERRING:
        connection.execute(
            f"UPDATE main.{table} SET article_uuid = :kept WHERE article_uuid = :gone",  # noqa: S608
            {"kept": kept, "gone": gone},
        )
    connection.execute("DELETE FROM main.extracted_article_urls WHERE article_uuid = :gone", {"gone": gone})
    return _merge_moved(connection)


def _carry(connection: sqlite3.Connection, table: str, gone: str, kept: str) -> None:
    names = columns_of(connection, table)
    values = ", ".join(":kept" if name == "article_uuid" else f'"{name}"' for name in names)
    connection.execute(
        f"INSERT INTO moved.{table} SELECT {values} FROM main.{table} WHERE article_uuid = :gone",  # noqa: S608
        {"kept": kept, "gone": gone},
    )


def _merge_moved(connection: sqlite3.Connection) -> Counts:
    with rules_aside(connection, "article_search_version"):
        one_id_a_version(connection, "moved")
    counts = merge_tables(connection, "moved")
    for table in ("extracted_article_urls", *_CHILDREN):
        connection.execute(f"DELETE FROM moved.{table}")  # noqa: S608
    return counts
