"""A user's own copy of what they may see: a database in memory without any other row.

What is not in it cannot leak, whatever SQL somebody writes. The copy is made in one read of the file, through
`store/gates.py`; afterwards no connection to it knows of the file, can write, or can attach anything.
"""

from __future__ import annotations

import queue
import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from digestlog.errors import StorageError
from digestlog.store.confined import Confined, confine
from digestlog.store.db import BUSY_TIMEOUT_S, read_only_uri, storage_errors
from digestlog.store.gates import GATES, TABLES, VIEWS, Gate

MOST_ROWS = 100_000
MOST_BYTES = 256 * 2**20
# A rendering that is larger than this is left out.
MOST_BYTES_A_ROW = 4 * 2**20

_PAGE_BYTES = 4096
_IDLE_CONNECTIONS = 4
_INDEX = re.compile(r"CREATE (UNIQUE )?INDEX (\w+) ON ", re.IGNORECASE)
_VIEW = re.compile(r"CREATE VIEW (\w+) AS ", re.IGNORECASE)

Result = TypeVar("Result")


class TooMuch(StorageError):
    """A user may see more than fits into a copy."""


class Gone(StorageError):
    """The copy was given up; there is a newer one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a copy may become."""

    rows: int = MOST_ROWS
    bytes: int = MOST_BYTES
    row_bytes: int = MOST_BYTES_A_ROW


class Copy:
    """One user's rows as they were at one moment; open until the last reader is done after `close`."""

    def __init__(self, path: Path, user_id: str, limits: Limits | None = None) -> None:
        self._address = f"file:/{secrets.token_hex(32)}?vfs=memdb"
        self._lock = threading.Lock()
        self._closed = False
        self._users = 0
        self._idle: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        # The database in memory lives as long as a connection to it does.
        self._keeper = sqlite3.connect(self._address, uri=True, check_same_thread=False)
        try:
            self.cut = _fill(path, self._address, user_id, limits or Limits())
            (pages,) = self._keeper.execute("PRAGMA page_count").fetchone()
            self.bytes = int(pages) * _PAGE_BYTES
        except BaseException:
            self._keeper.close()
            raise

    def connect(self) -> sqlite3.Connection:
        """A new connection that can read this copy and do nothing else."""
        connection = sqlite3.connect(
            f"{self._address}&mode=ro", uri=True, check_same_thread=False, factory=Confined
        )
        confine(connection)
        return connection

    def run(self, work: Callable[[sqlite3.Connection], Result], prepare: Callable[[Any], None]) -> Result:
        """What `work` makes of a connection; `prepare` sees each connection once, before its first use."""
        with self._borrowed(prepare) as connection:
            return work(connection)

    def close(self) -> None:
        """Forget the rows, now or when the last reader is done."""
        with self._lock:
            self._closed = True
        self._end_if_unused()

    @contextmanager
    def _borrowed(self, prepare: Callable[[Any], None]) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._closed:
                raise Gone("this copy was given up")
            self._users += 1
        try:
            connection = self._idle_or_new(prepare)
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            with self._lock:
                self._users -= 1
            self._end_if_unused()

    def _idle_or_new(self, prepare: Callable[[Any], None]) -> sqlite3.Connection:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            connection = self.connect()
            prepare(connection)
            confine(connection)  # again, should something have loosened it
            return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._idle.qsize() < _IDLE_CONNECTIONS:
            self._idle.put(connection)
        else:
            connection.close()

    def _end_if_unused(self) -> None:
        with self._lock:
            if not self._closed or self._users:
                return
        while True:
            try:
                self._idle.get_nowait().close()
            except queue.Empty:
                break
        self._keeper.close()


class Watch:
    """Tells whether the file was written to since the last look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection = _open_file(path)

    def version(self) -> int:
        """A number that is another one after every commit of another connection."""
        with self._lock, storage_errors(self._path):
            (number,) = self._connection.execute("PRAGMA data_version").fetchone()
            return int(number)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _open_file(path: Path) -> sqlite3.Connection:
    with storage_errors(path):
        return sqlite3.connect(
            read_only_uri(path),
            uri=True,
            timeout=BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
        )


def _fill(path: Path, address: str, user_id: str, limits: Limits) -> tuple[str, ...]:
    """Copy what the user may see; the names of the tables that do not fit whole."""
    with closing(_open_file(path)) as connection, storage_errors(path):
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("ATTACH :address AS copy", {"address": address})
        connection.execute(f"PRAGMA copy.max_page_count = {limits.bytes // _PAGE_BYTES}")
        connection.execute("PRAGMA copy.journal_mode = OFF")
        connection.execute("BEGIN")
        try:
            cut = tuple(gate.table for gate in GATES if not _pass(connection, gate, user_id, limits))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise TooMuch("there is too much to show at once", "ask an admin for an export") from error
            raise
        for view in VIEWS:
            connection.execute(_view_sql(connection, view))
        connection.execute("COMMIT")
        return cut


def _pass(connection: sqlite3.Connection, gate: Gate, user_id: str, limits: Limits) -> bool:
    """Copy one table; False if not all of it fits: then the newest rows are there."""
    columns = _columns(connection, gate)
    connection.execute(_table_sql(connection, gate, columns))
    names = ", ".join(f'"{column[1]}"' for column in columns)
    size = " + ".join(f'coalesce(length("{column[1]}"), 0)' for column in columns)
    rows = f'FROM main."{gate.source}" AS "{gate.table}" WHERE ({gate.where})'
    params = {"user_id": user_id, "rows": limits.rows, "row_bytes": limits.row_bytes}
    (found,) = connection.execute(
        f"SELECT count(*) FROM (SELECT 1 {rows} LIMIT :rows + 1)",  # noqa: S608
        params,
    ).fetchone()
    order = f'ORDER BY "{gate.newest}" DESC' if found > limits.rows else ""
    done = connection.execute(
        f"""INSERT INTO copy."{gate.table}" ({names})
        SELECT {names} {rows} AND {size} <= :row_bytes {order} LIMIT :rows""",  # noqa: S608
        params,
    )
    for sql in _indexes(connection, gate, {column[1] for column in columns}):
        connection.execute(sql)
    return bool(done.rowcount == found)


def _columns(connection: sqlite3.Connection, gate: Gate) -> list[tuple[Any, ...]]:
    """What `PRAGMA table_info` says of the columns that may be seen."""
    rows = connection.execute(f'PRAGMA main.table_info("{gate.table}")').fetchall()
    return [row for row in rows if row[1] not in gate.hidden]


def _table_sql(connection: sqlite3.Connection, gate: Gate, columns: list[tuple[Any, ...]]) -> str:
    """The table without its checks: the rows have passed them already."""
    parts = [f'"{name}" {type_}{" NOT NULL" if needed else ""}' for _, name, type_, needed, _, _ in columns]
    key = [f'"{row[1]}"' for row in sorted(columns, key=lambda row: int(row[5])) if row[5]]
    parts.append(f"PRIMARY KEY ({', '.join(key)})")
    seen = {row[1] for row in columns}
    for row in connection.execute(f'PRAGMA main.foreign_key_list("{gate.table}")').fetchall():
        if row[2] in TABLES and row[3] in seen:
            parts.append(f'FOREIGN KEY ("{row[3]}") REFERENCES "{row[2]}" ("{row[4]}")')
    return f'CREATE TABLE copy."{gate.table}" ({", ".join(parts)}) STRICT'


def _indexes(connection: sqlite3.Connection, gate: Gate, seen: set[str]) -> Iterator[str]:
    rows = connection.execute(
        """SELECT name, sql FROM main.sqlite_master
        WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = :table""",
        {"table": gate.table},
    ).fetchall()
    for name, sql in rows:
        keys = {row[2] for row in connection.execute(f'PRAGMA main.index_info("{name}")')}
        if keys <= seen:
            yield _INDEX.sub(r"CREATE \1INDEX copy.\2 ON ", sql, count=1)


def _view_sql(connection: sqlite3.Connection, view: str) -> str:
    (sql,) = connection.execute(
        "SELECT sql FROM main.sqlite_master WHERE type = 'view' AND name = :name", {"name": view}
    ).fetchone()
    return _VIEW.sub(r"CREATE VIEW copy.\1 AS ", sql, count=1)
