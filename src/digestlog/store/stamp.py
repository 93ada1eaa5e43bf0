"""Whose file it is, asked without taking part in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from digestlog.store.db import read_only_uri, storage_errors


def application_id(path: Path) -> int:
    """The application_id of a database file; StorageError if it is none or cannot be read.

    Through SQLite: whoever opens and closes the file ends all locks that the process has on it.
    """
    uri = f"{read_only_uri(path)}&immutable=1"
    with storage_errors(path), closing(sqlite3.connect(uri, uri=True)) as file:
        (found,) = file.execute("PRAGMA application_id").fetchone()
        return int(found)
