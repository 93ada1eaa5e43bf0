"""Another digestlog file into this one: the same record, whichever of the two takes the other.

The other file is copied before it is looked at closely, so it is never written, whoever uses it meanwhile
and however old it is. One transaction does it all or nothing of it. docs/merge.md has the rules.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from digestlog.errors import ConfigError
from digestlog.store import trends
from digestlog.store.backup import is_part_of
from digestlog.store.db import Database, exists, open_database, refuse_other_rules, snapshot, storage_errors
from digestlog.store.merge_articles import join_overlaps, overlaps
from digestlog.store.merge_identities import (
    number_sources,
    one_id_a_version,
    one_look_a_day,
    own_ids,
    refuse_other_ids,
)
from digestlog.store.merge_tables import Counts, merge_tables, rules_aside, total

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class OverCap:
    """A user who watches more pages after a merge than the plan allows."""

    name: str
    plan: str
    pages: int
    max_tracked_urls: int


@dataclass(frozen=True, slots=True)
class Merged:
    """What a file brought: rows by table, articles that were one, and whose plan is exceeded now."""

    path: Path
    tables: dict[str, dict[str, int]]
    joined_articles: int
    over_cap: tuple[OverCap, ...]

    def sum(self, what: str) -> int:
        """How many rows were `added`, `changed` or `kept`."""
        return sum(found[what] for found in self.tables.values())


class _NotForGood(Exception):
    """Takes back what a dry run did."""


def merge(db: Database, path: Path, *, dry_run: bool = False, say: Say = lambda text: None) -> Merged:
    """Merge the file at `path` into the open one, in one transaction; `dry_run`: say what would be."""
    refuse_itself(db, path)
    found: list[Merged] = []
    say(f"copying {path}")
    with _attached(db, path) as connection:
        try:
            with db.transaction():
                # References may lead nowhere while ids change; the end of the transaction checks them all.
                connection.execute("PRAGMA defer_foreign_keys = ON")
                say(f"merging {path}")
                found.append(_merge(connection, path))
                if dry_run:
                    raise _NotForGood
        except _NotForGood:
            pass
    return found[0]


def count_anew(db: Database) -> None:
    """Count the trends of a file that has some, from the beginning."""
    if db.row("SELECT 1 FROM trend_definitions") is not None:
        trends.refresh(db, trends.BEGINNING)


def refuse_itself(db: Database, path: Path) -> None:
    """ConfigError if there is no such file, or if it is the open one."""
    if not exists(path):
        raise ConfigError(f"{path} is not there", "name the file of another machine, or a copy of it")
    if is_part_of(path, db.path):
        raise ConfigError(f"{path} is the file itself", "name the file of another machine")


@contextmanager
def _attached(db: Database, path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the other file as `other`, without triggers, and an empty one for what moves as `moved`."""
    with TemporaryDirectory(prefix="digestlog-merge-") as folder, storage_errors(path):
        copy = Path(folder) / "other.db"
        snapshot(path, copy)
        _prepare(copy, path, db)
        connection = db.connection
        connection.execute("ATTACH :name AS other", {"name": str(copy)})
        connection.execute("ATTACH ':memory:' AS moved")
        try:
            # Nothing of it is kept: a lost copy is no loss.
            connection.execute("PRAGMA other.journal_mode = MEMORY")
            connection.execute("PRAGMA other.synchronous = OFF")
            yield connection
        finally:
            connection.execute("DETACH moved")
            connection.execute("DETACH other")


def _prepare(copy: Path, path: Path, db: Database) -> None:
    """Bring the copy to the current version and take out its triggers: it is only read from here on."""
    with open_database(copy, now=db.now) as other:
        refuse_other_rules(other.connection, path)
        names = [row["name"] for row in other.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        with other.transaction() as connection:
            for name in names:
                connection.execute(f'DROP TRIGGER "{name}"')
        other.connection.execute("PRAGMA journal_mode = DELETE")


def _merge(connection: sqlite3.Connection, path: Path) -> Merged:
    refuse_other_ids(connection)
    with rules_aside(connection, "article_search_version"):
        number_sources(connection)
        one_look_a_day(connection)
        own_ids(connection)
        one_id_a_version(connection, "other")
    found = overlaps(connection)
    with rules_aside(connection):
        counts = total([merge_tables(connection, "other"), *join_overlaps(connection, found)])
        _forget_counted(connection, counts)
    return Merged(
        path,
        {
            table: {what: rows[what] for what in ("added", "changed", "kept")}
            for table, rows in counts.items()
        },
        len(found.twins) + len(found.answered),
        _over_cap(connection),
    )


def _forget_counted(connection: sqlite3.Connection, counts: Counts) -> None:
    """Points of trends were counted in each file alone: where anything came in, they are counted anew."""
    if any(rows["added"] or rows["changed"] for rows in counts.values()):
        connection.execute("DELETE FROM main.trend_points")


def _over_cap(connection: sqlite3.Connection) -> tuple[OverCap, ...]:
    rows = connection.execute(
        """SELECT users.name, plan, count(*) AS pages, max_tracked_urls
        FROM main.user_url_library AS mine JOIN main.user_plans USING (user_id)
        JOIN main.users ON users.id = mine.user_id
        WHERE mine.is_active = 1 GROUP BY mine.user_id HAVING count(*) > max_tracked_urls ORDER BY name"""
    )
    return tuple(OverCap(**dict(row)) for row in rows.fetchall())
