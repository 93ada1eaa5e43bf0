"""The file's side of a push: which databases it goes to, and which rows they do not have yet."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from digestlog.errors import ConfigError
from digestlog.store.db import Database, storage_errors
from digestlog.store.postgres_schema import tables


@dataclass(frozen=True, slots=True)
class Target:
    """A database to which the file was pushed, and how many changes wait for it."""

    target_id: str
    file_id: str
    place: str
    token: str | None
    next_token: str | None
    pushed_seq: int
    pushed_at: str | None
    waiting: int


def targets(db: Database) -> list[Target]:
    """Every database to which the file was pushed, in the order in which they came."""
    rows = db.rows(
        """SELECT target_id, file_id, place, token, next_token, pushed_seq, pushed_at, (
            SELECT count(DISTINCT table_name || row_key) FROM change_log WHERE seq > pushed_seq) AS waiting
        FROM push_targets ORDER BY created_at, target_id"""
    )
    return [Target(**dict(row)) for row in rows]


def begin(db: Database, target_id: str, place: str, *, seen: str | None = None, anew: bool = False) -> Target:
    """Say that a push to a database begins. From the first one on, every change is written down.

    `seen`: the push of this file that the database names as its last. It is ours if it is the last that
    ended here, or one that began and was killed before that could be written down. If it is neither, a copy
    of this file was pushed, or this is an older copy: from now on it is a file of its own.
    `anew`: the database is empty; what was in that place before is not there any more.
    """
    named = {"target_id": target_id, "place": place, "now": db.now_iso}
    with db.transaction() as connection:
        if anew:
            connection.execute("DELETE FROM push_targets WHERE place = :place", named)
        connection.execute(
            """INSERT INTO push_targets (target_id, file_id, place, created_at, updated_at)
            VALUES (:target_id, :file_id, :place, :now, :now) ON CONFLICT DO NOTHING""",
            {**named, "file_id": str(uuid.uuid4())},
        )
        connection.execute(
            """UPDATE push_targets SET file_id = :file_id, token = NULL, next_token = NULL
            WHERE target_id = :target_id AND :seen IS NOT token AND :seen IS NOT next_token""",
            {**named, "seen": seen, "file_id": str(uuid.uuid4())},
        )
        connection.execute(
            """UPDATE push_targets SET next_token = :token, place = :place,
                token = CASE WHEN :seen IN (token, next_token) THEN :seen END
            WHERE target_id = :target_id""",
            {**named, "seen": seen, "token": str(uuid.uuid4())},
        )
    return next(one for one in targets(db) if one.target_id == target_id)


def end(db: Database, target: Target, seq: int) -> None:
    """Say that a push has ended, and forget the changes that every database has."""
    with db.transaction() as connection:
        connection.execute(
            """UPDATE push_targets SET token = next_token, pushed_seq = :seq, pushed_at = :now
            WHERE target_id = :target_id""",
            {"seq": seq, "target_id": target.target_id, "now": db.now_iso},
        )
        # Not the last one: its number would be given again.
        connection.execute("DELETE FROM change_log WHERE seq < (SELECT min(pushed_seq) FROM push_targets)")


def forget(db: Database, text: str) -> Target:
    """Write down no more changes for a database that will not be pushed to again."""
    found = [one for one in targets(db) if text in (one.target_id, one.place)]
    if len(found) != 1:
        known = ", ".join(one.target_id for one in targets(db)) or "none"
        raise ConfigError(f"{text} is not one database that this file was pushed to", f"known: {known}")
    with db.transaction() as connection:
        connection.execute(
            "DELETE FROM push_targets WHERE target_id = :target_id", {"target_id": found[0].target_id}
        )
        connection.execute(
            """DELETE FROM change_log WHERE seq < coalesce((SELECT min(pushed_seq) FROM push_targets),
                (SELECT max(seq) FROM change_log))"""
        )
    return found[0]


@contextmanager
def moment_of(db: Database) -> Iterator[int]:
    """Hold one moment of the file for reading: the number of its last change."""
    with storage_errors(db.path):
        db.connection.execute("BEGIN")
    try:
        yield int(db.rows("SELECT coalesce(max(seq), 0) AS seq FROM change_log")[0]["seq"])
    finally:
        db.connection.rollback()


# --- which rows are to be sent ------------------------------------------------------------


def primary_key(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns of a table's primary key, in its order."""
    found = [row for row in connection.execute(f"PRAGMA table_info({table})") if row["pk"]]
    return tuple(row["name"] for row in sorted(found, key=lambda row: int(row["pk"])))


def collect(db: Database, since: int | None, *, whole: bool) -> None:
    """Gather the keys of the rows to be sent: those changed after `since`, or all.

    `whole`: with all that they refer to and all that is judged together with them.
    """
    connection = db.connection
    with storage_errors(db.path):
        connection.execute("DROP TABLE IF EXISTS temp.sent_keys")
        connection.execute(
            """CREATE TEMP TABLE sent_keys (table_name, row_key, PRIMARY KEY (table_name, row_key))
            WITHOUT ROWID"""
        )
        if since is not None:
            connection.execute(
                """INSERT OR IGNORE INTO temp.sent_keys
                SELECT table_name, row_key FROM change_log WHERE seq > :since""",
                {"since": since},
            )
            if whole:
                _complete(connection)
        else:
            for table in tables():
                key = ", ".join(primary_key(connection, table))
                connection.execute(
                    f"INSERT INTO temp.sent_keys SELECT '{table}', json_array({key}) FROM {table}"  # noqa: S608
                )


def gathered(db: Database) -> dict[str, int]:
    """How many keys were gathered, by table."""
    rows = db.rows("SELECT table_name, count(*) AS keys FROM temp.sent_keys GROUP BY 1")
    return {row["table_name"]: row["keys"] for row in rows}


def joined(connection: sqlite3.Connection, table: str) -> str:
    """SQL that joins the gathered keys of a table with its rows."""
    keys = primary_key(connection, table)
    same = " AND ".join(f"t.{name} = json_extract(k.row_key, '$[{at}]')" for at, name in enumerate(keys))
    return f"ON k.table_name = '{table}' AND {same}"


def gone(db: Database, table: str) -> list[tuple[str, ...]]:
    """The gathered keys of a table that have no row any more: it was deleted."""
    keys = primary_key(db.connection, table)
    names = ", ".join(f"json_extract(k.row_key, '$[{at}]')" for at in range(len(keys)))
    rows = db.rows(
        f"""SELECT {names} FROM temp.sent_keys AS k LEFT JOIN {table} AS t {joined(db.connection, table)}
        WHERE k.table_name = '{table}' AND t.{keys[0]} IS NULL"""  # noqa: S608
    )
    return [tuple(row) for row in rows]


def _complete(connection: sqlite3.Connection) -> None:
    for table in reversed(list(tables())):
        if table == "extracted_article_urls":
            _add(connection, "article_completions", table, "c.article_uuid = t.article_uuid")
        if table == "policy_lists":
            _add(connection, "policy_domains", table, "c.list_name = t.name")
        for key in connection.execute(f"PRAGMA foreign_key_list({table})").fetchall():
            _add(connection, key["table"], table, f'c."{key["to"]}" = t."{key["from"]}"')


def _add(connection: sqlite3.Connection, wanted: str, table: str, condition: str) -> None:
    """Gather the rows of `wanted` that belong to the gathered ones of `table`."""
    names = ", ".join(f"c.{name}" for name in primary_key(connection, wanted))
    connection.execute(
        f"""INSERT OR IGNORE INTO temp.sent_keys SELECT '{wanted}', json_array({names})
        FROM temp.sent_keys AS k JOIN {table} AS t {joined(connection, table)}
        JOIN {wanted} AS c ON {condition}"""  # noqa: S608
    )
