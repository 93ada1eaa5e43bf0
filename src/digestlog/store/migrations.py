"""Numbered steps from an older file to the current schema.

STEPS[n] turns version n into n + 1. A step is a function of the connection; it may use
sqlite-utils' table transforms. All steps of one opening share one transaction, each is
followed by a foreign-key check, and a backup of the old file is left beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from digestlog.errors import SchemaVersionError

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
    # A transform drops and remakes tables; with foreign keys on that would delete what refers to them.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN IMMEDIATE")
        backup = _climb(connection, path, steps, target)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return backup


def _climb(connection: sqlite3.Connection, path: Path, steps: Mapping[int, Step], target: int) -> Path | None:
    version = _version(connection)
    if version == target:  # another program was faster
        return None
    backup = _backup_beside(path, version)
    for number in range(version, target):
        if number not in steps:
            raise SchemaVersionError(f"{path} has version {number}, from which there is no way to {target}")
        steps[number](connection)
        _check_foreign_keys(connection, path, number + 1)
        connection.execute(f"PRAGMA user_version = {number + 1}")
    return backup


def _backup_beside(path: Path, version: int) -> Path:
    """A copy of the file as it was before, through a reader of its own; whole, or not under its name."""
    backup = path.with_name(f"{path.name}.v{version}.bak")
    partial = backup.with_name(backup.name + ".partial")
    partial.unlink(missing_ok=True)
    source = sqlite3.connect(path)
    target = sqlite3.connect(partial)
    try:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    finally:
        target.close()
        source.close()
    return partial.replace(backup)


def _check_foreign_keys(connection: sqlite3.Connection, path: Path, version: int) -> None:
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise SchemaVersionError(
            f"{path} could not be brought to version {version}: "
            f"a row of {broken[0]} refers to nothing in {broken[2]}",
            "the file is as it was; run: digestlog doctor",
        )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
