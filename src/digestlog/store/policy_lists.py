"""Imported lists of domains: a new copy takes the place of the old one all at once.

The names are gathered in a table of this connection alone, which locks nobody out. Only then is the file
written, in one transaction, and only where the new copy differs: a list that is fetched anew every day
costs what changed. Whoever is killed before the end leaves the old list whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from digestlog.core.policy import EXCEPT
from digestlog.core.text import clean
from digestlog.errors import ConfigError, ParseError
from digestlog.store.db import Database, storage_errors

MAX_NAME = 80
_BATCH = 50_000
_GATHERING_KIB = 65_536


@dataclass(frozen=True, slots=True)
class Meaning:
    """What it means to be on a list."""

    name: str
    decision: str
    reason_code: str | None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """What an import made of a list: how many names and exceptions it has now, what came and went."""

    domains: int
    exceptions: int
    added: int
    removed: int


def replace(
    db: Database,
    meaning: Meaning,
    names: Iterable[tuple[str, bool]],
    report: Callable[[int], None] = lambda count: None,
) -> Replaced:
    """Write the list, in place of the one with its name; ParseError if it has no names, and all stays."""
    _check(meaning.name)
    with storage_errors(db.path), _gathered(db.connection, names, report) as (domains, exceptions):
        if not domains:
            raise ParseError("nothing in it is the name of a domain", "is it a list of domains at all?")
        with db.transaction() as connection:
            _announce(db, connection, meaning, domains)
            removed = _drop_gone(connection, meaning.name)
            added = _insert_new(db, connection, meaning.name)
    return Replaced(domains, exceptions, added, removed)


def _check(name: str) -> None:
    if clean(name) != name or len(name) > MAX_NAME:
        raise ConfigError(
            f"{name[:40]!r} cannot be the name of a list",
            f"plain words without space around, up to {MAX_NAME} letters",
        )


@contextmanager
def _gathered(
    connection: sqlite3.Connection, names: Iterable[tuple[str, bool]], report: Callable[[int], None]
) -> Iterator[tuple[int, int]]:
    """The table `incoming` with each name once, and how many names and exceptions there are."""
    connection.execute(f"PRAGMA temp.cache_size = -{_GATHERING_KIB}")
    connection.execute(
        """CREATE TEMP TABLE incoming (domain TEXT PRIMARY KEY, subdomains INTEGER NOT NULL)
        STRICT, WITHOUT ROWID"""
    )
    try:
        _gather(connection, iter(names), report)
        (exceptions,) = connection.execute(
            "SELECT count(*) FROM incoming WHERE domain >= :mark AND domain < :next",
            {"mark": EXCEPT, "next": chr(ord(EXCEPT) + 1)},
        ).fetchone()
        (total,) = connection.execute("SELECT count(*) FROM incoming").fetchone()
        yield total - exceptions, exceptions
    finally:
        connection.execute("DROP TABLE incoming")


def _gather(
    connection: sqlite3.Connection, names: Iterator[tuple[str, bool]], report: Callable[[int], None]
) -> None:
    """Fill the table in sorted batches; a name that stands for all below it does so whoever repeats it."""
    count = 0
    connection.execute("BEGIN")
    try:
        while batch := sorted(islice(names, _BATCH)):
            connection.executemany(
                """INSERT INTO incoming (domain, subdomains) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET subdomains = max(subdomains, excluded.subdomains)""",
                batch,
            )
            count += len(batch)
            report(count)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _announce(db: Database, connection: sqlite3.Connection, meaning: Meaning, domains: int) -> None:
    connection.execute(
        """INSERT INTO policy_lists (name, decision, reason_code, words, domains, created_at, updated_at)
        VALUES (:name, :decision, :reason_code, :words, :domains, :now, :now)
        ON CONFLICT (name) DO UPDATE SET decision = excluded.decision, reason_code = excluded.reason_code,
            words = excluded.words, domains = excluded.domains, updated_at = excluded.updated_at""",
        {
            "name": meaning.name,
            "decision": meaning.decision,
            "reason_code": meaning.reason_code,
            "words": meaning.words,
            "domains": domains,
            "now": db.now_iso,
        },
    )


def _drop_gone(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(
        """DELETE FROM policy_domains WHERE list_name = :name AND NOT EXISTS (
            SELECT 1 FROM incoming WHERE incoming.domain = policy_domains.domain)""",
        {"name": name},
    ).rowcount


def _insert_new(db: Database, connection: sqlite3.Connection, name: str) -> int:
    """Write what the list did not have, in the order of the index; how many names that is."""
    connection.execute(
        """UPDATE policy_domains SET subdomains = incoming.subdomains FROM incoming
        WHERE list_name = :name AND policy_domains.domain = incoming.domain
            AND policy_domains.subdomains <> incoming.subdomains""",
        {"name": name},
    )
    return connection.execute(
        """INSERT INTO policy_domains (list_name, domain, subdomains, created_at)
        SELECT :name, domain, subdomains, :now FROM incoming WHERE NOT EXISTS (
            SELECT 1 FROM policy_domains AS known
            WHERE known.list_name = :name AND known.domain = incoming.domain)
        ORDER BY domain""",
        {"name": name, "now": db.now_iso},
    ).rowcount
