"""A file that another program holds: who was told, trends and the older tracker's rows wait, and say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from library_rows import PAID, gated
from store.rows import put

from digestlog.errors import LockedFile
from digestlog.store import changes, trends, v1, v1_steps
from digestlog.store.db import Database, open_database
from digestlog.store.v1_import import Import

WRITES: dict[str, Callable[[Database], object]] = {
    "changes.mark_told": lambda db: changes.mark_told(
        db, PAID, [change.id for change in changes.untold(db, PAID)]
    ),
    "trends.refresh": trends.refresh,
    "trends.switch": lambda db: trends.switch(db, "changes", on=False),
    "v1.restore": v1.restore,
    "v1.work_out_canonical": lambda db: v1.work_out_canonical(db, "", 10),
    "v1.add_pages": lambda db: v1.add_pages(db, "", 10),
    "v1.add_library": lambda db: v1.add_library(db, PAID, 10, 0),
    "v1_steps.bring_over": lambda db: v1_steps.bring_over(db, v1_steps.STEPS[0], []),
    "v1_import.take": lambda db: Import(db, PAID).take("summaries", []),
}


@pytest.fixture
def shop(db: Database) -> Database:
    """A page that changed, and another that the older tracker knows."""
    gated(db)
    with db.transaction() as connection:
        put(connection, "tracked_urls", user_id=PAID, url="https://new.example/", canonical_url=None)
    return db


@pytest.fixture
def impatient(shop: Database, now: datetime) -> Iterator[Database]:
    """The same file, for one who does not wait; another program is writing."""
    with open_database(shop.path, now=now, frozen=True, busy_timeout_s=0) as other, shop.transaction():
        yield other


@pytest.mark.parametrize("name", WRITES)
def test_a_locked_file(impatient: Database, name: str) -> None:
    with pytest.raises(LockedFile):
        WRITES[name](impatient)


@pytest.mark.parametrize("name", WRITES)
def test_the_same_once_it_is_free(shop: Database, name: str) -> None:
    """So that the test above fails for no other reason: nothing is raised now."""
    Import(shop, PAID).begin()
    WRITES[name](shop)


def test_reading_goes_on_while_another_writes(impatient: Database) -> None:
    assert len(changes.list_changes(impatient, PAID)) == len(changes.untold(impatient, PAID)) == 2
    assert trends.series(impatient, PAID, trends.require("changes"), ("2026-02-10", "2026-02-13"))
    assert v1_steps.counts(impatient)[0].rows == 1
