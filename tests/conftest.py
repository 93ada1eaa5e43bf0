from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import browser
import pytest

from digestlog.store.db import Database, open_database

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    """The time that a test's command takes for now."""
    return NOW


@pytest.fixture
def db_path(tmp_path: Path) -> Path:
    """Where `db` lies."""
    return tmp_path / "digestlog.db"


@pytest.fixture
def db(db_path: Path, now: datetime) -> Iterator[Database]:
    """A new file, open, with its clock stopped."""
    with open_database(db_path, now=now, frozen=True) as database:
        yield database


@pytest.fixture
def real_browser() -> Iterator[str]:
    """The path of a browser, which the program finds too; without one, the test is skipped, but not in CI."""
    with browser.named() as path:
        yield path
