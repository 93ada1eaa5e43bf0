from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from serve.house import House
from serve.marked import Marked, marked_file


@pytest.fixture(scope="session")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Marked:
    """The marked file; tests do not write to it, but for sessions."""
    return marked_file(tmp_path_factory.mktemp("zqxforbidden-folder"))


@pytest.fixture(scope="session")
def marked_house(marked: Marked) -> Iterator[House]:
    """The marked file, served."""
    house = House(marked.path)
    yield house
    house.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Marked:
    """A marked file that a test may write to."""
    return marked_file(tmp_path)


@pytest.fixture
def house(fresh: Marked) -> Iterator[House]:
    """It, served."""
    house = House(fresh.path)
    yield house
    house.close()
