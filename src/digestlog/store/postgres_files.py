"""What a Postgres database knows of the files that are pushed to it: who they are, and how far each is."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from digestlog.errors import ConfigError
from digestlog.store.change_log import Target
from digestlog.store.postgres_schema import tables

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

_LOCK = 0x64676C67  # "dglg"


@dataclass(frozen=True, slots=True)
class How:
    """How a push goes: load into empty tables, every row (full), or what changed since."""

    mode: str
    alone: bool
    since: int | None
    joins: bool = False


def new_id() -> str:
    """An id for a database that is made now."""
    return str(uuid.uuid4())


def alone_in(connection: Connection) -> None:
    """Wait until no other push is at work there, inside the caller's transaction."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def name_target(connection: Connection, target_id: str) -> None:
    """Give a database that was just made the id under which the file knows it already."""
    connection.execute("UPDATE digestlog.push_target SET target_id = %s", [target_id])


def last_push(connection: Connection, file_id: str) -> str | None:
    """The push of a file that the database took last."""
    row = connection.execute(
        "SELECT token FROM digestlog.push_files WHERE file_id = %s", [file_id]
    ).fetchone()
    return None if row is None else str(row[0])


def how(connection: Connection, target: Target, *, full: bool, merge: bool) -> How:
    """What a push of this file has to do there now."""
    _refuse_other_rules(connection)
    rows = connection.execute("SELECT file_id::text, token::text, seq, into_empty FROM digestlog.push_files")
    files = {file_id: (token, seq, into_empty) for file_id, token, seq, into_empty in rows}
    mine = files.get(target.file_id)
    if mine is None and not files and not _has_rows(connection):
        return How("load", alone=True, since=None)
    alone = mine is not None and len(files) == 1 and mine[2] and not merge
    joins = mine is None and len(files) == 1
    # Another token: a copy of this file was pushed, or this is an older copy. Then nothing is certain.
    if mine is None or full or mine[0] != target.token:
        return How("full", alone, None, joins)
    return How("changes", alone, mine[1])


def write_down(connection: Connection, target: Target, seq: int, now_iso: str, how: How) -> None:
    """How far the file is, in the same transaction as its rows."""
    connection.execute(
        """INSERT INTO digestlog.push_files AS f (file_id, token, seq, into_empty, pushed_at)
        VALUES (%(file)s, %(token)s, %(seq)s, %(into_empty)s, %(now)s)
        ON CONFLICT (file_id) DO UPDATE SET token = excluded.token, seq = excluded.seq,
            pushed_at = excluded.pushed_at""",
        {
            "file": target.file_id,
            "token": target.next_token,
            "seq": seq,
            "into_empty": how.mode == "load",
            "now": now_iso,
        },
    )


def in_the_way() -> tuple[type[Exception], ...]:
    """What Postgres raises where a row there has what a row of the file should have."""
    import psycopg

    return (psycopg.errors.UniqueViolation,)


def _has_rows(connection: Connection) -> bool:
    found = " OR ".join(f"EXISTS (SELECT FROM public.{table})" for table in tables())
    row = connection.execute(f"SELECT {found}".encode()).fetchone()
    return bool(row and row[0])


def _refuse_other_rules(connection: Connection) -> None:
    """Identities of other URL rules do not belong beside ours: a wrong merge cannot be undone."""
    from digestlog.core.canonical import CANON_VERSION, rules_version

    row = connection.execute("SELECT canon_version, rules_version FROM public.url_identity").fetchone()
    if row is not None and tuple(row) != (CANON_VERSION, rules_version()):
        raise ConfigError(
            f"the database holds identities of URL rules {row[0]}.{row[1]}, "
            f"this digestlog has {CANON_VERSION}.{rules_version()}",
            "push with the digestlog that made it",
        )
