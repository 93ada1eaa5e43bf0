"""What has to agree before the rows of two files can be told to be the same: numbers and ids."""

from __future__ import annotations

import sqlite3

from digestlog.errors import IdentityCollision
from digestlog.store.merge_rules import Merger
from digestlog.store.merge_tables import columns_of, rekey, rule_of
from digestlog.store.scrapes import scrape_id
from digestlog.store.sources import next_uuid

# By what a person knows a row whose id is made of it.
_NAMED = {
    "users": ("id", "name"),
    "brand_library_brands": ("id", "domain"),
    "urls": ("id", "canonical_url"),
    "trend_definitions": ("id", "name"),
    "extracted_article_urls": ("article_uuid", "article_url_final"),
}
# Numbers that no file reaches, on the way from one number to another.
_ON_THE_WAY = 10**15


def refuse_other_ids(connection: sqlite3.Connection) -> None:
    """IdentityCollision where the files give one thing two ids, or two things one id."""
    for table, (id_, name) in _NAMED.items():
        for same, different in ((id_, name), (name, id_)):
            found = connection.execute(
                f"""SELECT m.{name} AS here, o.{name} AS there FROM other.{table} AS o
                JOIN main.{table} AS m ON m.{same} = o.{same}
                WHERE m.{different} <> o.{different} LIMIT 1"""  # noqa: S608
            ).fetchone()
            if found is not None:
                raise IdentityCollision(
                    f"the two files disagree about the id of {found['here']} and {found['there']} in {table}",
                    "nothing was merged; ids are made of names and addresses, so one was changed by hand",
                )


def number_sources(connection: sqlite3.Connection) -> None:
    """Give the other file's sources the numbers of this file: by address, or the next one that is free."""
    rows = connection.execute(
        """SELECT o.source_uuid AS old, o.url_scraping_method AS method, m.source_uuid AS known,
            m.url_scraping_method AS known_method
        FROM other.sources_master_list AS o LEFT JOIN main.sources_master_list AS m USING (source_url)
        ORDER BY o.created_at, o.source_url"""
    ).fetchall()
    # Through numbers that nobody has: a file's second source may be the other's first.
    away, home = [], []
    for at, row in enumerate(rows, start=_ON_THE_WAY):
        old, new = row["old"], row["known"]
        if new is None:
            new = next_uuid(connection, row["method"])
        elif row["known_method"] != row["method"]:
            old, new = _one_method(connection, row)
        if old != new:
            passing = f"{new.rpartition('_')[0]}_{at}"
            away.append((old, passing))
            home.append((passing, new))
    for pairs in (away, home):
        rekey(connection, "other", "sources_master_list", "source_uuid", pairs)


def _one_method(connection: sqlite3.Connection, row: sqlite3.Row) -> tuple[str, str]:
    """A source that is a feed in one file and a page in the other: as it was last, under a fitting id.

    Its id in the other file and the one that it is to have.
    """
    merger = Merger(rule_of("sources_master_list"), columns_of(connection, "sources_master_list"))
    group, columns = list(merger.groups())[-1]
    (won,) = connection.execute(
        f"""SELECT {merger.wins(group, columns, ("o", "other"), ("m", "main"))}
        FROM main.sources_master_list AS m, other.sources_master_list AS o
        WHERE m.source_uuid = :known AND o.source_uuid = :old""",  # noqa: S608
        {"known": row["known"], "old": row["old"]},
    ).fetchone()
    if won:
        new = next_uuid(connection, row["method"])
        _become(connection, columns, ("main", row["known"]), ("other", row["old"]), new)
        return row["old"], new
    passing = f"W_{row['known_method'].upper()}_{_ON_THE_WAY * 2 + int(row['known'].rpartition('_')[2])}"
    _become(connection, columns, ("other", row["old"]), ("main", row["known"]), passing)
    return passing, row["known"]


def _become(
    connection: sqlite3.Connection,
    columns: tuple[str, ...],
    loser: tuple[str, str],
    winner: tuple[str, str],
    uuid: str,
) -> None:
    """Give the loser's source the winner's values and an id that fits them."""
    names = ", ".join(f'"{name}"' for name in columns)
    connection.execute(
        f"""UPDATE {loser[0]}.sources_master_list SET source_uuid = :uuid, ({names}) = (
            SELECT {names} FROM {winner[0]}.sources_master_list WHERE source_uuid = :winner)
        WHERE source_uuid = :loser""",  # noqa: S608
        {"uuid": uuid, "winner": winner[1], "loser": loser[1]},
    )
    rekey(connection, loser[0], "sources_master_list", "source_uuid", [(loser[1], uuid)])


def one_look_a_day(connection: sqlite3.Connection) -> None:
    """The older tracker keeps one look a page and day: of two files' looks, the first."""
    found = connection.execute(
        """SELECT m.id AS here, o.id AS there,
            (o.checked_at, o.id) < (m.checked_at, m.id) AS other_first
        FROM other.url_observations AS o JOIN main.url_observations AS m
            ON m.url_id = o.url_id AND m.checked_day = o.checked_day AND m.origin = 'v1'
        WHERE o.origin = 'v1' AND m.id <> o.id"""
    ).fetchall()
    columns = ", ".join(c for c in columns_of(connection, "url_observations") if c != "id")
    for row in found:
        ids = {"main": row["here"], "other": row["there"]}
        loser, winner = ("main", "other") if row["other_first"] else ("other", "main")
        connection.execute(
            f"""UPDATE {loser}.url_observations SET ({columns}) = (
                SELECT {columns} FROM {winner}.url_observations WHERE id = :winner) WHERE id = :loser""",  # noqa: S608
            {"winner": ids[winner], "loser": ids[loser]},
        )
        rekey(connection, loser, "url_observations", "id", [(ids[loser], ids[winner])])


def own_ids(connection: sqlite3.Connection) -> None:
    """A text that moved with its article has kept its id: where it stands in the way, it gets another.

    The one that has the id by right keeps it: the id is made of its article and its content.
    """
    found = connection.execute(
        """SELECT o.scrape_id, m.article_uuid AS here, m.content_sha256 AS here_sha256,
            o.article_uuid AS there, o.content_sha256 AS there_sha256
        FROM other.scraped_articles AS o JOIN main.scraped_articles AS m USING (scrape_id)
        WHERE m.article_uuid <> o.article_uuid OR m.content_sha256 <> o.content_sha256"""
    ).fetchall()
    for row in found:
        rows = (("main", row["here"], row["here_sha256"]), ("other", row["there"], row["there_sha256"]))
        file, article, digest = max(
            rows, key=lambda one: (scrape_id(one[1], one[2]) != row["scrape_id"], one[1], one[2])
        )
        # Larger than the ids that are given: it goes again where the two turn out to be one.
        _rename(connection, file, row["scrape_id"], "ffffffff" + scrape_id(article, digest)[8:])


def one_id_a_version(connection: sqlite3.Connection, db: str) -> None:
    """One text of one article under two ids: the smaller one stands for both."""
    found = connection.execute(
        f"""SELECT m.scrape_id AS here, o.scrape_id AS there
        FROM {db}.scraped_articles AS o JOIN main.scraped_articles AS m USING (article_uuid, content_sha256)
        WHERE m.scrape_id <> o.scrape_id"""  # noqa: S608
    ).fetchall()
    for row in found:
        if row["here"] > row["there"]:
            _rename(connection, "main", row["here"], row["there"])
        else:
            _rename(connection, db, row["there"], row["here"])


def _rename(connection: sqlite3.Connection, db: str, old: str, new: str) -> None:
    for table in ("scraped_articles", "article_documents"):
        connection.execute(
            f"UPDATE {db}.{table} SET scrape_id = :new WHERE scrape_id = :old",  # noqa: S608
            {"old": old, "new": new},
        )
