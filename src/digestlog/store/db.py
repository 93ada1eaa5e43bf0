"""The file: open, create, migrate, refuse; and translate every SQLite error into words.

A file that is not ours, or not of our time, is recognised from its first 100 bytes and
never opened, so it stays byte for byte as it was.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from digestlog.core.moments import to_iso
from digestlog.errors import (
    CorruptFile,
    DiskFull,
    LockedFile,
    MissingDirectory,
    NotADigestlogFile,
    ReadOnlyFile,
    RuleBroken,
    SchemaVersionError,
    StorageError,
)
from digestlog.resources import schema_sql
from digestlog.store import creation, migrations

if TYPE_CHECKING:
    import sqlite_utils

APPLICATION_ID = 0x64676C67  # "dglg"
OLDEST_SQLITE = (3, 37, 0)  # STRICT tables
BUSY_TIMEOUT_S = 5.0

_HEADER_SIZE = 100
_MAGIC = b"SQLite format 3\x00"
# A young file is checked whole each time it is opened, in a few milliseconds; `doctor` checks any.
_CHECKED_WHOLE_BYTES = 2_000_000

_SAID = 200  # a CHECK is quoted whole, and some are long
# What a value can break. A wrong type or a wrong statement is a mistake of the program, and stays one.
_RULES = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT_CHECK,
        sqlite3.SQLITE_CONSTRAINT_UNIQUE,
        sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
        sqlite3.SQLITE_CONSTRAINT_NOTNULL,
        sqlite3.SQLITE_CONSTRAINT_TRIGGER,
    }
)

Params = Mapping[str, Any]


class Database:
    """One open digestlog file, with the time that the command takes for now."""

    def __init__(self, connection: sqlite3.Connection, path: Path, now: datetime, *, frozen: bool) -> None:
        self.connection = connection
        self.path = path
        self.now = now
        self.now_iso = to_iso(now)
        self._frozen = frozen
        self._ready = False

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def rows(self, sql: str, params: Params | None = None) -> list[sqlite3.Row]:
        """All rows of a query."""
        with storage_errors(self.path):
            return self.connection.execute(sql, params or {}).fetchall()

    def row(self, sql: str, params: Params | None = None) -> sqlite3.Row | None:
        """The first row of a query, if any."""
        with storage_errors(self.path):
            found: sqlite3.Row | None = self.connection.execute(sql, params or {}).fetchone()
            return found

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One write transaction: all of the block or nothing of it."""
        with storage_errors(self.path):
            self._make_ready()
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                self._set_clock()
                yield self.connection
                self._clear_clock()
                self.connection.execute("COMMIT")
            except BaseException:
                # Does nothing where SQLite has rolled back by itself, as it may on a full disk.
                self.connection.rollback()
                raise

    @property
    def utils(self) -> sqlite_utils.Database:
        """The same connection, as sqlite-utils sees it."""
        import sqlite_utils  # slow to import, and most commands do without

        return sqlite_utils.Database(self.connection, execute_plugins=False)

    def _make_ready(self) -> None:
        """Before the first write: reading alone leaves every byte of the file as it is."""
        if self._ready:
            return
        refuse_other_rules(self.connection, self.path)
        if self.connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            _quick_check(self.connection, self.path)
            self.connection.execute("PRAGMA journal_mode = WAL")
        self._ready = True

    def _set_clock(self) -> None:
        if self._frozen:
            self.connection.execute(
                "INSERT INTO clock (id, now_utc_iso, created_at) VALUES (1, :now, :now)",
                {"now": self.now_iso},
            )

    def _clear_clock(self) -> None:
        if self._frozen:
            self.connection.execute("DELETE FROM clock")


def open_database(
    path: Path,
    *,
    now: datetime,
    frozen: bool = False,
    owner: str = "owner",
    busy_timeout_s: float = BUSY_TIMEOUT_S,
    any_thread: bool = False,
    again: bool = False,
) -> Database:
    """The file at `path`, made if it is not there, migrated if it is old; otherwise a StorageError.

    `frozen`: `now` was given by the person and holds for triggers too. `any_thread`: whoever holds it may
    hand it on from thread to thread. `again`: this process has it open already (see `_read_header`).
    """
    _require_sqlite()
    if not again and exists(path):
        _inspect(path, busy_timeout_s)
    fresh = not (path.exists() or path.is_symlink())
    with storage_errors(path):
        connection = _connect(path, busy_timeout_s, any_thread)
        try:
            if _version(connection) == 0:
                _create(connection, path, to_iso(now), owner)
                connection.execute("PRAGMA journal_mode = WAL")
            migrations.migrate(connection, path)
        except BaseException as error:
            connection.close()
            if fresh and not _is_busy(error):
                _forget_empty(path)
            raise
    return Database(connection, path, now, frozen=frozen)


def exists(path: Path) -> bool:
    """True if there is a file with something in it; a clear error if there can be none."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise MissingDirectory(
                f"the folder {path.parent} does not exist", f"make it first: mkdir -p {path.parent}"
            ) from None
        return False
    except NotADirectoryError:
        raise MissingDirectory(f"{path.parent} is not a folder") from None
    except PermissionError:
        raise ReadOnlyFile(f"{path} cannot be read: permission denied") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be used: {error.strerror}", "name another file") from error


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite says about the file into words; programming errors stay as they are."""
    try:
        yield
    except sqlite3.Error as error:
        translated = _translate(error, path)
        if translated is None:
            raise
        raise translated from error


def _translate(error: sqlite3.Error, path: Path) -> StorageError | None:
    code = _code(error) & 0xFF
    if _is_busy(error):
        return LockedFile(f"{path} is locked by another program", "wait until it is done, then try again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ReadOnlyFile(
            f"{path} cannot be written: it is read-only", "check the permissions of the file and its folder"
        )
    if code == sqlite3.SQLITE_FULL:
        return DiskFull(
            f"no space left to write {path}", "free some space; nothing already recorded was lost"
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return CorruptFile(
            f"{path} is damaged: {error}",
            "restore a backup, or rescue what is readable: sqlite3 FILE .recover",
        )
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return StorageError(
            f"{path} cannot be opened or read: {error}", "check the path, the permissions and the disk"
        )
    if _code(error) in _RULES:
        # The cause keeps all that SQLite said, for whoever knows the rule better.
        said = " ".join(str(error).split())[:_SAID]
        return RuleBroken(f"{path} refuses this: {said}", "nothing was written; please report this line")
    return None


def _code(error: BaseException) -> int:
    return int(getattr(error, "sqlite_errorcode", 0))


def _is_busy(error: BaseException) -> bool:
    """True if another program is in the way; PROTOCOL is how SQLite says so of a busy write-ahead log."""
    return _code(error) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)


def _require_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise StorageError(
            f"SQLite {needed} or newer is needed; this Python has {sqlite3.sqlite_version}",
            "use a newer Python",
        )


def snapshot(path: Path, target: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
    """A copy of another digestlog file as it is at one moment; the file itself is not written."""
    _inspect(path, busy_timeout_s)
    before = _traces(path)
    _copy(path, target, before, busy_timeout_s)
    after = _traces(path)
    if after != before:  # it was copied without a lock while another program wrote
        _copy(path, target, after | {"changing"}, busy_timeout_s)


def _copy(path: Path, target: Path, traces: frozenset[object], busy_timeout_s: float) -> None:
    with storage_errors(path):
        source = sqlite3.connect(_uri(path, _mode(traces)), uri=True, timeout=busy_timeout_s)
        copy = sqlite3.connect(target)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()
            source.close()


def _inspect(path: Path, busy_timeout_s: float) -> None:
    """Refuse what is not ours, newer or damaged, without changing it or leaving anything beside it."""
    before = _traces(path)
    try:
        _refuse_foreign(path)
        _look(path, before, busy_timeout_s)
    except StorageError:
        after = _traces(path)
        if after == before:
            raise
        # Another program wrote while we looked without a lock: look again, with one.
        _refuse_foreign(path)
        _look(path, after | {"changing"}, busy_timeout_s)


def _traces(path: Path) -> frozenset[object]:
    """What changes when another program writes: the file's size and time, the journals beside it."""
    stat = path.stat()
    journals = {end for end in ("-wal", "-journal") if Path(f"{path}{end}").exists()}
    return frozenset({("size", stat.st_size), ("time", stat.st_mtime_ns), *journals})


def _refuse_foreign(path: Path) -> None:
    header = _read_header(path)
    if not header.startswith(_MAGIC) or len(header) < _HEADER_SIZE:
        raise NotADigestlogFile(f"{path} is not a digestlog file", "name another file with --db")
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise NotADigestlogFile(f"{path} is another program's database", "name another file with --db")
    migrations.refuse_newer(path, int.from_bytes(header[60:64]))


def _look(path: Path, traces: frozenset[object], busy_timeout_s: float) -> None:
    """Refuse what is newer or damaged, as SQLite sees it."""
    with storage_errors(path):
        connection = sqlite3.connect(_uri(path, _mode(traces)), uri=True, timeout=busy_timeout_s)
        try:
            migrations.refuse_newer(path, _version(connection))
            if path.stat().st_size <= _CHECKED_WHOLE_BYTES:
                _quick_check(connection, path)
            _refuse_unversioned(connection, path)
        finally:
            connection.close()


def _mode(traces: frozenset[object]) -> str:
    """How to open a file that is only read."""
    if "-journal" in traces:
        return "rw"  # a killed program's half-done write is undone first
    if "-wal" in traces or "changing" in traces:
        return "ro"
    return "ro&immutable=1"  # nobody writes, and no log is made beside the file


def _read_header(path: Path) -> bytes:
    # Closing it ends all locks that this process has on the file: another program would take itself for the
    # last one, and throw away the log that we go on writing to. So never while a connection is open.
    try:
        with path.open("rb") as file:
            return file.read(_HEADER_SIZE)
    except IsADirectoryError:
        raise NotADigestlogFile(
            f"{path} is a folder", f"name a file in it: --db {path}/digestlog.db"
        ) from None
    except PermissionError:
        raise ReadOnlyFile(f"{path} cannot be read: permission denied") from None


def _refuse_unversioned(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that bears our name and holds tables, but was never finished or was tampered with."""
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if objects and _version(connection) == 0:
        raise SchemaVersionError(f"{path} does not say which version it has", "restore a backup")


def refuse_other_rules(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse to write identities next to those of other URL rules: a wrong merge cannot be undone."""
    from digestlog.core.canonical import CANON_VERSION, rules_version  # slow to import, for writers only

    row = connection.execute("SELECT canon_version, rules_version FROM url_identity").fetchone()
    stored = None if row is None else (row[0], row[1])
    if stored != (CANON_VERSION, rules_version()):
        made_with = "no URL rules" if stored is None else f"URL rules {stored[0]}.{stored[1]}"
        raise SchemaVersionError(
            f"{path} holds identities of {made_with}, this digestlog has {CANON_VERSION}.{rules_version()}",
            "it can be read, but not written; use the digestlog that wrote it",
        )


def _quick_check(connection: sqlite3.Connection, path: Path) -> None:
    (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        raise CorruptFile(f"{path} is damaged: {' '.join(answer.split())}", "restore a backup")


def read_only_uri(path: Path) -> str:
    """The file for SQLite, for reading only."""
    return _uri(path, "ro")


def _uri(path: Path, mode: str) -> str:
    """The file for SQLite; with an empty host, so that a path that starts with // is none."""
    name = quote(os.fsencode(path))
    return f"file:{'//' if name.startswith('/') else ''}{name}?mode={mode}"


def _connect(path: Path, busy_timeout_s: float, any_thread: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(
        _uri(path, "rwc"),
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,
        check_same_thread=not any_thread,
    )
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _create(connection: sqlite3.Connection, path: Path, now_iso: str, owner: str) -> None:
    """Make the schema and its first rows in one transaction, unless another program just did.

    The journal is still a rollback journal, so that the stamp stands in the file itself.
    """
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if _version(connection) == 0:
            for statement in creation.schema_statements(schema_sql()):
                connection.execute(statement)
            creation.first_rows(connection, now_iso, owner)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {migrations.SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _forget_empty(path: Path) -> None:
    """Take away a file that was made but never filled."""
    if path.exists() and path.stat().st_size == 0:
        path.unlink()
