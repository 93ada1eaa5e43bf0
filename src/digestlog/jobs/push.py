"""`digestlog push`: a Postgres database brought up to date.

reach -> recognise -> (make | migrate) -> say that it begins -> read what changed -> one transaction there:
deletes, rows, how far it is -> say that it has ended

How far the database is stands in the database itself, in the same transaction as the rows. So a push that is
killed at any moment has done all or nothing, and the next one goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from digestlog.store import change_log, postgres_files, postgres_push, postgres_target
from digestlog.store.change_log import Target
from digestlog.store.db import Database
from digestlog.store.postgres_files import How

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

Tell = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push did; `mode`: load (into an empty database), full (every row) or changes."""

    place: str
    target_id: str
    mode: str
    alone: bool
    sent: int
    deleted: int
    seconds: float


def push(db: Database, url: str, tell: Tell = lambda table, rows: None, *, full: bool = False) -> Pushed:
    """Bring the database at `url` up to date with the file."""
    started = monotonic()
    with postgres_target.connected(url) as connection:
        target, made = _load(db, connection, tell)
        if target is None or made is None:
            target = _begin(db, connection)
            made = _bring(db, connection, target, tell, full=full)
        how, seq, counts = made
        change_log.end(db, target, seq)
        return Pushed(
            target.place, target.target_id, how.mode, how.alone, **counts, seconds=monotonic() - started
        )


Made = tuple[How, int, dict[str, int]]


def _load(db: Database, connection: Connection, tell: Tell) -> tuple[Target, Made] | tuple[None, None]:
    """Make the tables of an empty database, with all rows; nothing if it is not empty."""
    if postgres_target.version(connection):
        return None, None
    target = change_log.begin(db, postgres_files.new_id(), postgres_target.place(connection), anew=True)
    with change_log.moment_of(db) as seq, connection.transaction():
        postgres_files.alone_in(connection)
        # Asked again: another file may have been faster.
        made = None if postgres_target.version(connection) else _load_all(db, connection, target, seq, tell)
    if made is None:
        change_log.forget(db, target.target_id)
        return None, None
    return target, made


def _load_all(db: Database, connection: Connection, target: Target, seq: int, tell: Tell) -> Made:
    counter = _Counter(tell)
    postgres_push.load(connection, db, counter, make=True)
    postgres_target.prepare(connection)
    postgres_files.name_target(connection, target.target_id)
    how = How("load", alone=True, since=None)
    postgres_files.write_down(connection, target, seq, db.now_iso, how)
    return how, seq, {"sent": counter.total, "deleted": 0}


def _begin(db: Database, connection: Connection) -> Target:
    """Bring the tables of a database up to date, and say here that a push to it begins."""
    with connection.transaction():
        postgres_files.alone_in(connection)
        postgres_target.migrate(connection, postgres_target.version(connection))
        target_id = postgres_target.prepare(connection)
    known = [one for one in change_log.targets(db) if one.target_id == target_id]
    seen = postgres_files.last_push(connection, known[0].file_id) if known else None
    return change_log.begin(db, target_id, postgres_target.place(connection), seen=seen)


def _bring(db: Database, connection: Connection, target: Target, tell: Tell, *, full: bool) -> Made:
    """Send what the database does not have; where rows there are in the way of ours, merge them."""
    try:
        return _send(db, connection, target, tell, full=full, merge=False)
    except postgres_files.in_the_way():
        return _send(db, connection, target, tell, full=True, merge=True)


def _send(
    db: Database, connection: Connection, target: Target, tell: Tell, *, full: bool, merge: bool
) -> Made:
    with change_log.moment_of(db) as seq, connection.transaction():
        postgres_files.alone_in(connection)
        postgres_target.as_owner(connection)
        how = postgres_files.how(connection, target, full=full, merge=merge)
        if how.mode == "load":
            counter = _Counter(tell)
            postgres_push.load(connection, db, counter, make=False)
            counts = {"sent": counter.total, "deleted": 0}
        else:
            if how.joins:
                postgres_push.join(connection)
            # Before the rows: the numbers of sources refer to it.
            postgres_files.write_down(connection, target, seq, db.now_iso, how)
            change_log.collect(db, how.since, whole=not how.alone)
            counts = postgres_push.send(connection, db, target.file_id, tell, alone=how.alone)
        postgres_files.write_down(connection, target, seq, db.now_iso, how)
    return how, seq, counts


class _Counter:
    """Adds up the rows of all tables and passes each on."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._rows: dict[str, int] = {}

    def __call__(self, table: str, rows: int) -> None:
        self._rows[table] = rows
        self._tell(table, rows)

    @property
    def total(self) -> int:
        """All rows so far."""
        return sum(self._rows.values())
