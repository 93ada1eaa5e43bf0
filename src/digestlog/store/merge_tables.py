"""The rows of another file into this one, table by table, as the rules say.

Everything here runs inside the caller's transaction, on a connection to which the other file's copy is
attached. Names of tables and columns come from the schema, never from data.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from digestlog.store.merge_rules import RULES, Merger, Rule

Counts = dict[str, Counter[str]]

_MAIN = ("m", "main")
# What a merge does not set aside: the search index, the guard against collisions, the log of changes.
_AT_WORK = ("article_search_", "extracted_article_urls_no_collision", "logged_")


def merge_tables(connection: sqlite3.Connection, db: str) -> Counts:
    """Merge every table that the attached file `db` has; rows added, changed and kept, by table."""
    present = {
        name
        for (name,) in connection.execute(
            f"SELECT name FROM {db}.sqlite_master WHERE type = 'table'"  # noqa: S608
        )
    }
    done: Counts = {}
    for rule in RULES:
        if rule.table not in present:
            continue
        with _beside(connection, db, rule):
            done[rule.table] = _merge_rows(connection, db, rule)
    return done


@contextmanager
def rules_aside(connection: sqlite3.Connection, *also: str) -> Iterator[None]:
    """Without the triggers that guard single writes, for part of one transaction.

    They say what a program may do to its own file: never change when an article was first seen, take the
    time of the write for updated_at, gate what is added now. A merge brings what was written under these
    very rules elsewhere. The triggers come back as they were before the transaction ends; if it fails, it
    takes back their absence too. Nobody else ever sees the file without them.
    """
    found = connection.execute(
        "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' ORDER BY rowid"
    ).fetchall()
    aside = [row for row in found if row["name"] in also or not row["name"].startswith(_AT_WORK)]
    for row in aside:
        connection.execute(f'DROP TRIGGER main."{row["name"]}"')
    yield
    for row in aside:
        connection.execute(row["sql"])


def columns_of(connection: sqlite3.Connection, table: str, db: str = "main") -> tuple[str, ...]:
    """The names of a table's columns."""
    return tuple(row["name"] for row in connection.execute(f"PRAGMA {db}.table_info({table})"))


def rule_of(table: str) -> Rule:
    """The rule of a table."""
    return next(rule for rule in RULES if rule.table == table)


def rekey(
    connection: sqlite3.Connection, db: str, table: str, column: str, pairs: Iterable[tuple[str, str]]
) -> None:
    """Give rows another id, in the table itself and wherever the file refers to it."""
    places = [(table, column), *_references(connection, db, table, column)]
    for old, new in pairs:
        for place, name in places:
            connection.execute(
                f'UPDATE {db}."{place}" SET "{name}" = :new WHERE "{name}" = :old',  # noqa: S608
                {"old": old, "new": new},
            )


def _references(connection: sqlite3.Connection, db: str, table: str, column: str) -> list[tuple[str, str]]:
    tables = [
        name
        for (name,) in connection.execute(
            f"SELECT name FROM {db}.sqlite_master WHERE type = 'table'"  # noqa: S608
        )
    ]
    return [
        (name, key["from"])
        for name in tables
        for key in connection.execute(f"PRAGMA {db}.foreign_key_list({name})").fetchall()
        if key["table"] == table and key["to"] == column
    ]


def _merge_rows(connection: sqlite3.Connection, db: str, rule: Rule) -> Counter[str]:
    merger = Merger(rule, columns_of(connection, rule.table))
    other = ("o", db)
    (kept,) = connection.execute(
        f"""SELECT count(*) FROM {db}.{rule.table} AS o JOIN main.{rule.table} AS m
        ON {merger.same("m", "o")} WHERE {merger.any_wins(_MAIN, other)}"""  # noqa: S608
    ).fetchone()
    changed = connection.execute(
        f"""UPDATE main.{rule.table} AS m SET {", ".join(_assignments(merger, other))}
        FROM {db}.{rule.table} AS o
        WHERE {merger.same("m", "o")} AND {merger.any_wins(other, _MAIN)}"""  # noqa: S608
    ).rowcount
    added = _add(connection, db, merger) if rule.adds else 0
    return Counter(added=added, changed=changed, kept=kept)


def _assignments(merger: Merger, other: tuple[str, str]) -> Iterator[str]:
    for group, columns in merger.groups():
        wins = merger.wins(group, columns, other, _MAIN) if columns else ""
        for column in columns:
            yield f'"{column}" = CASE WHEN {wins} THEN o."{column}" ELSE m."{column}" END'


def _add(connection: sqlite3.Connection, db: str, merger: Merger) -> int:
    names = ", ".join(f'"{c}"' for c in merger.written())
    return connection.execute(
        f"""INSERT INTO main.{merger.rule.table} ({names}) SELECT {names} FROM {db}.{merger.rule.table} AS o
        WHERE NOT EXISTS (SELECT 1 FROM main.{merger.rule.table} AS m WHERE {merger.same("m", "o")})"""  # noqa: S608
    ).rowcount


# --- what is merged with something else ---------------------------------------------------


@contextmanager
def _beside(connection: sqlite3.Connection, db: str, rule: Rule) -> Iterator[None]:
    """What has to be looked at before a table is merged and written after it."""
    if rule.table == "extracted_article_urls":
        _plan_completions(connection, db)
        yield
        _write_completions(connection, db)
    elif rule.table == "policy_lists":
        _plan_lists(connection, db)
        yield
        _write_lists(connection, db)
    else:
        yield


def _plan_completions(connection: sqlite3.Connection, db: str) -> None:
    connection.execute("DROP TABLE IF EXISTS temp.planned_completions")
    found = " UNION ALL ".join(_merger(connection, "extracted_article_urls").completions(db))
    connection.execute(f"CREATE TEMP TABLE planned_completions AS {found}")


def _write_completions(connection: sqlite3.Connection, db: str) -> None:
    connection.execute(
        f"""DELETE FROM main.article_completions
        WHERE article_uuid IN (SELECT article_uuid FROM {db}.extracted_article_urls)
            AND (article_uuid, field, completed_at) NOT IN (
                SELECT article_uuid, field, completed_at FROM temp.planned_completions)"""  # noqa: S608
    )
    connection.execute(
        """INSERT INTO main.article_completions (article_uuid, field, completed_at, created_at)
        SELECT article_uuid, field, completed_at, completed_at FROM temp.planned_completions WHERE true
        ON CONFLICT DO NOTHING"""
    )


def _plan_lists(connection: sqlite3.Connection, db: str) -> None:
    """A list of domains is taken whole, or not at all."""
    connection.execute("DROP TABLE IF EXISTS temp.planned_lists")
    connection.execute(f"CREATE TEMP TABLE planned_lists AS {_merger(connection, 'policy_lists').lists(db)}")


def _merger(connection: sqlite3.Connection, table: str) -> Merger:
    return Merger(rule_of(table), columns_of(connection, table))


def _write_lists(connection: sqlite3.Connection, db: str) -> None:
    connection.execute(
        "DELETE FROM main.policy_domains WHERE list_name IN (SELECT name FROM temp.planned_lists)"
    )
    connection.execute(
        f"""INSERT INTO main.policy_domains SELECT * FROM {db}.policy_domains
        WHERE list_name IN (SELECT name FROM temp.planned_lists)"""  # noqa: S608
    )


def total(counts: Sequence[Counts]) -> Counts:
    """The sum of several counts."""
    sums: Counts = {}
    for one in counts:
        for table, found in one.items():
            sums.setdefault(table, Counter()).update(found)
    return sums
