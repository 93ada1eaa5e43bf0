from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from digestlog.errors import StorageError
from digestlog.store.db import APPLICATION_ID, Database
from digestlog.store.stamp import application_id


def test_our_own(db: Database) -> None:
    assert application_id(db.path) == APPLICATION_ID


def test_another_programs(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE a (b)")
    assert application_id(tmp_path / "other.db") == 0


def test_what_is_none(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 100)
    for name in ("text", "missing", "."):
        with pytest.raises(StorageError):
            application_id(tmp_path / name)
