from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from store.rows import fill

from digestlog.resources import schema_sql


@pytest.fixture
def bare() -> Iterator[sqlite3.Connection]:
    """The schema in memory, without a row, foreign keys on."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.executescript(schema_sql())
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()


@pytest.fixture
def filled(bare: sqlite3.Connection) -> sqlite3.Connection:
    """The schema in memory with one good row in every table but the clock."""
    fill(bare)
    return bare


@pytest.fixture(scope="session")
def unbound() -> Iterator[sqlite3.Connection]:
    """The schema in memory for tests of single rows: references are not checked, nothing stays."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(schema_sql())
    yield connection
    connection.close()
