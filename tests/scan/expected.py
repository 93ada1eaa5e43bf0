"""The ledger as it must be, and as it is."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from scan.story import Story, iso

LEDGER_TABLES = ("extracted_article_urls", "article_source_mentions", "url_resolutions", "article_documents")


class Row(NamedTuple):
    """One article of the ledger."""

    article_uuid: str
    source_url: str
    method: str
    title: str | None
    original: str
    final: str
    matches: int
    notes: str | None
    published: str | None


class Mention(NamedTuple):
    """One article at one source."""

    article_uuid: str
    source_url: str
    original: str


def article_uuid(final: str) -> str:
    """The id that the contract gives to an address."""
    return "A_" + sha256(final.encode()).hexdigest()[:16]


@dataclass
class Expected:
    """What the sources tell, article by article.

    Which of several sources is first to show an article is left to chance: each article has one row
    for each of them, and the ledger must hold exactly one of these.
    """

    rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    mentions: dict[tuple[str, str], Mention] = field(default_factory=dict)
    entries: int = 0
    outside_window: int = 0
    within: int = 0

    def tell(self, source_url: str, method: str, story: Story) -> None:
        """One more entry of a source."""
        self.entries += 1
        if story.date.is_old:
            self.outside_window += 1
            return
        self.within += 1
        link = story.link
        uuid = article_uuid(link.final)
        if (uuid, source_url) in self.mentions:
            return
        self.mentions[uuid, source_url] = Mention(uuid, source_url, link.original)
        self.rows[uuid].append(
            Row(
                uuid,
                source_url,
                method,
                story.title.text,
                link.original,
                link.final,
                int(link.original == link.final),
                ",".join(link.notes) or None,
                iso(story.date.moment) if story.date.moment else None,
            )
        )

    def alternatives(self) -> dict[str, list[Row]]:
        """By article, the rows that may stand in the ledger: what one source lacks, another fills in."""
        return {uuid: _completed(rows) for uuid, rows in self.rows.items()}


def _completed(rows: list[Row]) -> list[Row]:
    title = next((row.title for row in rows if row.title), None)
    published = next((row.published for row in rows if row.published), None)
    return [row._replace(title=row.title or title, published=row.published or published) for row in rows]


@dataclass(frozen=True)
class Ledger:
    """What a file holds."""

    rows: dict[str, Row]
    mentions: dict[tuple[str, str], Mention]


def read(path: Path) -> Ledger:
    """The ledger of a file."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            """SELECT article_uuid, source_url, url_scraping_method, article_title, article_url_original,
                article_url_final, url_original_to_final_match, url_notes, published_utc_iso
            FROM extracted_article_urls"""
        ).fetchall()
        mentions = db.execute(
            """SELECT m.article_uuid, s.source_url, m.article_url_original
            FROM article_source_mentions AS m JOIN sources_master_list AS s USING (source_uuid)"""
        ).fetchall()
    return Ledger(
        {row[0]: Row(*row) for row in rows}, {(uuid, url): Mention(uuid, url, o) for uuid, url, o in mentions}
    )


def differences(expected: Expected, ledger: Ledger) -> list[str]:
    """Every way in which the ledger is not as expected, one line each."""
    wanted = expected.alternatives()
    wrong = [f"missing: {rows[0]}" for uuid, rows in wanted.items() if uuid not in ledger.rows]
    wrong += [f"too much: {row}" for uuid, row in ledger.rows.items() if uuid not in wanted]
    wrong += [
        f"otherwise: {row}\n  expected: {wanted[uuid]}"
        for uuid, row in ledger.rows.items()
        if uuid in wanted and row not in wanted[uuid]
    ]
    lost = expected.mentions.items() - ledger.mentions.items()
    more = ledger.mentions.items() - expected.mentions.items()
    wrong += [f"mention missing: {mention}" for _, mention in lost]
    return wrong + [f"mention too much: {mention}" for _, mention in more]


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every column of every row of the ledger's tables."""
    with closing(sqlite3.connect(path)) as db:
        return {
            table: sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
            for table in LEDGER_TABLES
        }
