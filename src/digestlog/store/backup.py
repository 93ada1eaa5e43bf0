"""A copy of the whole file, taken while others read and write it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from digestlog.errors import ConfigError, CorruptFile, StorageError
from digestlog.store.db import Database, exists, storage_errors

_PAGES_A_STEP = 2_000

Progress = Callable[[int, int], None]


def backup(db: Database, target: Path, *, overwrite: bool = False, progress: Progress | None = None) -> int:
    """Write a verified copy of the file to `target`, all or nothing; its size in bytes."""
    if target.is_dir():
        raise ConfigError(f"{target} is a folder", "name a file in it")
    if is_part_of(target, db.path):
        raise ConfigError(f"{target} belongs to the file itself", "choose another name")
    if exists(target) and not overwrite:
        raise ConfigError(f"{target} exists already", "choose another name, or say --overwrite")
    # A name of this process: another backup to the same target must not rename a half-done copy.
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        try:
            with storage_errors(target):
                _copy(db, partial, progress)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        return target.stat().st_size
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror}", "choose another name") from error


def is_part_of(target: Path, path: Path) -> bool:
    """True for the file itself and for the journals that SQLite keeps beside it."""
    parts = [Path(f"{path}{end}") for end in ("", "-wal", "-shm", "-journal")]
    return any(target.resolve() == part.resolve() for part in parts) or (
        target.exists() and target.samefile(path)
    )


def _copy(db: Database, partial: Path, progress: Progress | None) -> None:
    partial.unlink(missing_ok=True)
    copy = sqlite3.connect(partial, isolation_level=None)
    try:
        with snapshot(db.connection):
            db.connection.backup(
                copy,
                pages=_PAGES_A_STEP,
                progress=lambda _status, left, total: progress(total - left, total) if progress else None,
            )
        # One file, without a write-ahead log beside it, readable from any medium.
        copy.execute("PRAGMA journal_mode = DELETE")
        _verify(copy)
    finally:
        copy.close()


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold one moment of the file: a write between two steps would make SQLite begin the copy anew."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield
    finally:
        connection.rollback()


def _verify(copy: sqlite3.Connection) -> None:
    (answer,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise CorruptFile(f"the copy is damaged: {' '.join(answer.split())}", "run: digestlog doctor")
