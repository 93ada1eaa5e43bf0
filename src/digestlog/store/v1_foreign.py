"""Another tracker's SQLite file: read only, never trusted.

The file is opened so that nothing is written, not even a journal beside it. Only plain tables are read: a
view or a virtual table runs what its author wrote. Names of columns differ between trackers, so each of
ours is looked for under several.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from digestlog.core.v1 import MAX_BLOB, Value
from digestlog.errors import ConfigError

_MAGIC = b"SQLite format 3\x00"
# A little more than what is kept of a value; anything larger is not read at all.
_LONGEST = MAX_BLOB + 1_000_000

# Our name of a column, and the names under which other trackers have it.
COLUMNS: dict[str, dict[str, tuple[str, ...]]] = {
    "users": {"id": ("id", "user_id", "uuid"), "name": ("name", "username", "login", "email")},
    "tracked_urls": {
        "id": ("id", "uuid"),
        "user_id": ("user_id", "owner_id", "user"),
        "url": ("url", "tracked_url", "address", "link"),
        "canonical_url": ("canonical_url", "normalized_url"),
        "is_active": ("is_active", "active", "enabled"),
        "created_at": ("created_at", "created", "added_at"),
    },
    "url_checks": {
        "id": ("id", "uuid"),
        "tracked_url_id": ("tracked_url_id", "url_id"),
        "checked_at": ("checked_at", "created_at", "timestamp"),
        "status_code": ("status_code", "http_status", "status"),
        "content_hash": ("content_hash", "content_sha256", "hash", "sha256"),
        "error": ("error", "error_message"),
        "created_at": ("created_at", "checked_at", "timestamp"),
    },
    "url_changes": {
        "id": ("id", "uuid"),
        "tracked_url_id": ("tracked_url_id", "url_id"),
        "check_id": ("check_id", "url_check_id"),
        "detected_at": ("detected_at", "changed_at", "created_at", "timestamp"),
        "before": ("before", "old_text", "old_content", "previous"),
        "after": ("after", "new_text", "new_content", "current"),
        "created_at": ("created_at", "detected_at", "changed_at", "timestamp"),
    },
    "summaries": {
        "id": ("id", "uuid"),
        "change_id": ("change_id", "url_change_id"),
        "summary": ("summary", "summary_text", "text", "content"),
        "created_at": ("created_at", "created", "timestamp"),
    },
    "url_renders": {
        "id": ("id", "uuid"),
        "tracked_url_id": ("tracked_url_id", "url_id"),
        "check_id": ("check_id", "url_check_id"),
        "content": ("content", "html", "render", "data"),
        "created_at": ("created_at", "rendered_at", "timestamp"),
    },
}

Row = dict[str, Value]


class ForeignFile:
    """The tables of another tracker's file that can be read, each with its columns."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.tables = self._found()

    def rows(self, table: str) -> Iterator[Row]:
        """Every row of a table under our names; None for a column that is not there. None if no table."""
        columns = self.tables.get(table)
        if columns is None:
            return
        names = ", ".join(f"{_quoted(theirs)} AS {_quoted(ours)}" for ours, theirs in columns.items())
        blank: Row = dict.fromkeys(COLUMNS[table])
        with self._in_words():
            for row in self._connection.execute(f"SELECT {names} FROM {_quoted(table)}"):  # noqa: S608
                yield {**blank, **dict(zip(columns, row, strict=True))}

    def _found(self) -> dict[str, dict[str, str]]:
        with self._in_words():
            plain = {
                name
                for name, sql in self._connection.execute(
                    "SELECT lower(name), sql FROM sqlite_schema WHERE type = 'table'"
                )
                if isinstance(name, str) and not str(sql).lstrip().upper().startswith("CREATE VIRTUAL")
            }
            return {table: self._columns(table) for table in COLUMNS if table in plain}

    def _columns(self, table: str) -> dict[str, str]:
        """Ours to theirs, as far as there are any; columns that are computed are not theirs to give."""
        there = {
            str(row[1]).lower(): str(row[1])
            for row in self._connection.execute(f"PRAGMA table_info({_quoted(table)})")
        }
        found = {ours: next((n for n in names if n in there), None) for ours, names in COLUMNS[table].items()}
        return {ours: there[theirs] for ours, theirs in found.items() if theirs}

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise ConfigError(
                f"{self._path} cannot be read: {' '.join(str(error).split())[:200]}",
                "what was taken over so far stays; ask its own program to check the file",
            ) from error


@contextmanager
def opened(path: Path, own: Path) -> Iterator[ForeignFile]:
    """The file at `path`, which is not digestlog's `own`; ConfigError if there is nothing to take over."""
    _refuse(path, own)
    connection = _connect(path)
    try:
        foreign = ForeignFile(connection, path)
        if "url" not in foreign.tables.get("tracked_urls", {}):
            raise ConfigError(
                f"{path} has no table tracked_urls with addresses in it", "is it the older tracker's file?"
            )
        yield foreign
    finally:
        connection.close()


def _refuse(path: Path, own: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
        same = path.samefile(own)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", "name another file") from error
    if same:
        raise ConfigError(f"{path} is digestlog's own file", "leave out --from to bring over what is in it")
    if magic != _MAGIC:
        raise ConfigError(f"{path} is no SQLite file", "name another file")


def _connect(path: Path) -> sqlite3.Connection:
    # With a log beside it the file is not whole by itself; without one nothing is made beside it.
    mode = "ro" if Path(f"{path}-wal").exists() else "ro&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise ConfigError(f"{path} cannot be opened: {error}", "name another file") from error
    connection.text_factory = _text
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    # None of these reads the file; what is wrong with it shows with the first query.
    for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def parted(rows: Iterator[Row], size: int) -> Iterator[Sequence[Row]]:
    """The rows in parts of at most `size`, and of not much more than one large value."""
    part: list[Row] = []
    held = 0
    for row in rows:
        part.append(row)
        held += sum(len(value) for value in row.values() if isinstance(value, (str, bytes)))
        if len(part) >= size or held > MAX_BLOB:
            yield part
            part, held = [], 0
    if part:
        yield part
