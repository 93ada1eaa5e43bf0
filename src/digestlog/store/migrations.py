"""Numbered steps from an older file to the current schema.

STEPS[n] turns version n into n + 1. A step is a function of the connection; it may use
sqlite-utils' table transforms, but never `executescript`, which commits. All steps of one
opening share one transaction, each is followed by a foreign-key check, and a backup of the
old file is left beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

from digestlog.errors import SchemaVersionError, StorageError

SCHEMA_VERSION = 1

Step = Callable[[sqlite3.Connection], None]
STEPS: Mapping[int, Step] = {}


def migrate(
    connection: sqlite3.Connection,
    path: Path,
    *,
    steps: Mapping[int, Step] = STEPS,
    target: int = SCHEMA_VERSION,
) -> Path | None:
    """Bring the file to `target`; the path of the backup, or None if there was nothing to do."""
    if _version(connection) == target:
        return None
    backup = None
    # A transform drops and remakes tables; with foreign keys on that would delete what refers to them.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN IMMEDIATE")
        version = _version(connection)
        _require_way(path, version, steps, target)
        if version < target:  # otherwise another program was faster
            backup = _backup_beside(path, version)
            _climb(connection, path, version, steps, target)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        if backup is not None:  # of a file that is as it was
            backup.unlink(missing_ok=True)
        raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return backup


def refuse_newer(path: Path, version: int, known: int = SCHEMA_VERSION) -> None:
    """Raise SchemaVersionError if the file's version is above the one that is known here."""
    if version > known:
        raise SchemaVersionError(
            f"{path} was made by a newer digestlog (file version {version}, this one knows {known})",
            "upgrade: pip install -U digestlog",
        )


def _require_way(path: Path, version: int, steps: Mapping[int, Step], target: int) -> None:
    refuse_newer(path, version, target)
    for number in range(version, target):
        if number not in steps:
            raise SchemaVersionError(
                f"{path} has version {version}, from which there is no way to {target}",
                "open it once with the digestlog that came after the one that made it",
            )


def _climb(
    connection: sqlite3.Connection, path: Path, version: int, steps: Mapping[int, Step], target: int
) -> None:
    for number in range(version, target):
        steps[number](connection)
        _check_foreign_keys(connection, path, number + 1)
        connection.execute(f"PRAGMA user_version = {number + 1}")


def _backup_beside(path: Path, version: int) -> Path:
    """A copy of the file as it was before; whole, or not under its name."""
    backup = _free_name(path, version)
    partial = backup.with_name(backup.name + ".partial")
    try:
        try:
            _copy(path, partial)
            return partial.replace(backup)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{backup} cannot be written: {error.strerror}",
            "an older file is brought up to date only after a backup beside it",
        ) from error


def _free_name(path: Path, version: int) -> Path:
    """A name that nothing has yet: an earlier backup is never written over."""
    backup = path.with_name(f"{path.name}.v{version}.bak")
    number = count(2)
    while backup.exists():
        backup = path.with_name(f"{path.name}.v{version}.{next(number)}.bak")
    return backup


def _copy(path: Path, partial: Path) -> None:
    """Copy through a reader of its own, which sees the file without what is not committed."""
    partial.unlink(missing_ok=True)
    source = sqlite3.connect(path)
    target = sqlite3.connect(partial)
    try:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    finally:
        target.close()
        source.close()


def _check_foreign_keys(connection: sqlite3.Connection, path: Path, version: int) -> None:
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise SchemaVersionError(
            f"{path} could not be brought to version {version}: "
            f"a row of {broken[0]} refers to nothing in {broken[2]}",
            "the file is as it was; the digestlog that made it can look into it: digestlog doctor",
        )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
