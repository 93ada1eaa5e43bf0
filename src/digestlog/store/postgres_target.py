"""A Postgres database to push to: reached, recognised, made or brought up to date; errors in words.

Nothing that is said here holds a password: the address is shown as host and database only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from digestlog.errors import ConfigError, DigestlogError, NotADigestlogFile, PushError, SchemaVersionError
from digestlog.resources import postgres_sql
from digestlog.store.migrations import SCHEMA_VERSION

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

# STEPS[n] is the SQL that turns a database of version n into n + 1; as in store/migrations.py.
STEPS: Mapping[int, str] = {}

_URL = re.compile(r"postgres(?:ql)?://|[a-z_]+\s*=")
_WHERE = "write it like postgresql://user@host/database"
# Ours, or somebody's: anything in the public schema that no extension brought.
_FOREIGN = """SELECT c.relname FROM pg_class AS c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY 1 LIMIT 1"""


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """A connection to the database, each statement on its own until a transaction is begun."""
    psycopg = _psycopg()
    if not _URL.match(url):
        raise ConfigError("this is not the address of a Postgres database", _WHERE)
    with said_in_words(url):
        _refuse_unreadable(psycopg, url)
        with psycopg.connect(
            url, autocommit=True, connect_timeout=20, application_name="digestlog", client_encoding="utf8"
        ) as connection:
            yield connection


def _refuse_unreadable(psycopg: Any, url: str) -> None:
    """Refuse what libpq would split in the wrong place: what it says of it may quote the password."""
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        parts = {"port": "unreadable"}
    numbers = str(parts.get("port", "")).replace(",", "")
    names = f"{parts.get('host', '')}{parts.get('dbname', '')}"
    if (numbers and not numbers.isdecimal()) or "@" in names:
        raise ConfigError(
            "the address of the database cannot be read",
            f"{_WHERE}; in a password, write / as %2F, @ as %40, : as %3A",
        )


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise ConfigError(
            "to push to Postgres, psycopg is needed", "install it: pip install 'digestlog[postgres]'"
        ) from error
    return psycopg


@contextmanager
def said_in_words(url: str) -> Iterator[None]:
    """Turn what Postgres says into one line without a password; our own errors stay as they are."""
    psycopg = _psycopg()
    try:
        yield
    except DigestlogError:
        raise
    except psycopg.errors.InsufficientPrivilege as error:
        raise PushError(
            f"the database does not let this user do that: {_line(error, url)}",
            "push as the owner of the tables, or as one who may make them",
        ) from None
    except psycopg.OperationalError as error:
        raise PushError(
            f"the database cannot be reached: {_line(error, url)}",
            "check the address and the password; a password can stand in ~/.pgpass",
        ) from None
    except psycopg.Error as error:
        raise PushError(
            f"the database did not take it: {_line(error, url)}", "nothing was changed there; push again"
        ) from None


def _line(error: BaseException, url: str) -> str:
    """What the server says, in one line, without the secrets of the address."""
    text = " ".join(str(error).split())
    for secret in _secrets(url):
        text = text.replace(secret, "***")
    return text


def _secrets(url: str) -> list[str]:
    found = re.findall(
        r"://[^/@]*?:([^@]*)@|\b(?:password|passfile|sslpassword)\s*=\s*('[^']*'|[^\s&]+)", url
    )
    raw = {part.strip("'") for pair in found for part in pair if part.strip("'")}
    return sorted({url, *raw, *(unquote(part) for part in raw)}, key=len, reverse=True)


def place(connection: Connection) -> str:
    """Where the database is, without user and password."""
    info = connection.info
    return f"{info.host or 'localhost'}:{info.port}/{info.dbname}"


def version(connection: Connection) -> int:
    """The version of the schema there; 0: the database is empty. Refuses what is foreign or newer."""
    if _one(connection, "SELECT to_regclass('digestlog.about')") is None:
        foreign = _one(connection, _FOREIGN)
        if foreign is not None or _one(connection, "SELECT to_regnamespace('digestlog')") is not None:
            raise NotADigestlogFile(
                f"{place(connection)} holds another program's tables ({foreign or 'the schema digestlog'})",
                "push into a database of its own: createdb digestlog",
            )
        return 0
    found = int(_one(connection, "SELECT schema_version FROM digestlog.about"))
    if found > SCHEMA_VERSION:
        raise SchemaVersionError(
            f"{place(connection)} was made by a newer digestlog (version {found}, this one knows "
            f"{SCHEMA_VERSION})",
            "upgrade: pip install -U digestlog",
        )
    return found


def migrate(
    connection: Connection, found: int, *, steps: Mapping[int, str] = STEPS, target: int = SCHEMA_VERSION
) -> None:
    """Bring an older database to `target`, inside the caller's transaction."""
    for number in range(found, target):
        if number not in steps:
            raise SchemaVersionError(
                f"{place(connection)} has version {found}, from which there is no way to {target}",
                "make a new database and push everything there",
            )
        connection.execute(steps[number].encode())
    if found < target:
        connection.execute("UPDATE digestlog.about SET schema_version = %s", [target])


def prepare(connection: Connection) -> str:
    """Make what a push needs beside the tables, and the id of the database."""
    connection.execute(postgres_sql("push").encode())
    return str(_one(connection, "SELECT target_id FROM digestlog.push_target"))


def as_owner(connection: Connection) -> None:
    """Write rows that a file has judged already: triggers let pass what the owner of the tables replays."""
    connection.execute("SET LOCAL digestlog.replay = 'on'")
    connection.execute("SET LOCAL timezone = 'UTC'")
    connection.execute("SET CONSTRAINTS ALL DEFERRED")
    if not _one(connection, "SELECT digestlog.replaying()"):
        raise PushError(
            f"only the owner of the tables can push to {place(connection)}",
            "log in as the user who made them",
        )


def _one(connection: Connection, sql: str) -> Any:
    row = connection.execute(sql.encode()).fetchone()
    return None if row is None else row[0]
