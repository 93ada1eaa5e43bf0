"""A file that another program holds: every write of the library says so, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from library_fakes import PRICES, Shelf

from digestlog.core.canonical import url_id
from digestlog.core.library import Wish, identity
from digestlog.core.policy import Decision
from digestlog.errors import LockedFile
from digestlog.store import brands, library, onboarding, plans, submissions, users
from digestlog.store.db import Database, open_database

ALLOW = Decision("allow", None, "shop.example", None, "yes")


def finish(db: Database, user: str) -> None:
    (left,) = submissions.pending(db, user)
    submissions.finish(db, left, identity(left.submitted_url), ALLOW, Wish())


WRITES: dict[str, Callable[[Database, str], object]] = {
    "users.add": lambda db, user: users.add(db, "carl"),
    "users.remove": lambda db, user: users.remove(db, "anna"),
    "plans.change": lambda db, user: plans.change(db, "free", {"full_history": True}),
    "plans.assign": lambda db, user: plans.assign(db, user, "paid"),
    "submissions.record": lambda db, user: submissions.record(db, user, [PRICES], Wish()),
    "submissions.finish": finish,
    "library.unlink": lambda db, user: library.unlink(db, user, url_id(PRICES)),
    "library.unlock_history": lambda db, user: library.unlock_history(db, user),
    "onboarding.saw_a_change": lambda db, user: onboarding.saw_a_change(db, user),
    "brands.rename": lambda db, user: brands.rename(db, brands.find(db, "shop.example").id, "Shop"),
    "brands.merge": lambda db, user: brands.merge(db, brands.find(db, "shop.example").id, []),
    "brands.assign": lambda db, user: brands.assign(db, brands.find(db, "shop.example").id, [url_id(PRICES)]),
}


@pytest.fixture
def anna(db: Database, now: datetime) -> str:
    """A user with one watched page, and one that a killed run left."""
    shelf = Shelf(db.path, now)
    user = shelf.user("anna")
    shelf.add(user, PRICES, preflight=False)
    shelf.left_pending(user, "https://other.example/")
    return user


@pytest.fixture
def impatient(db: Database, anna: str, now: datetime) -> Iterator[Database]:
    """The same file, for one who does not wait; another program is writing."""
    with open_database(db.path, now=now, frozen=True, busy_timeout_s=0) as other, db.transaction():
        yield other


@pytest.mark.parametrize("name", WRITES)
def test_a_locked_file(impatient: Database, anna: str, name: str) -> None:
    with pytest.raises(LockedFile):
        WRITES[name](impatient, anna)


@pytest.mark.parametrize("name", WRITES)
def test_the_same_once_it_is_free(db: Database, anna: str, name: str) -> None:
    """So that the test above fails for no other reason: nothing is raised now."""
    WRITES[name](db, anna)


def test_reading_goes_on_while_another_writes(impatient: Database, anna: str) -> None:
    assert [page.canonical_url for page in library.pages(impatient, anna)] == [PRICES]
    assert library.check_url_cap_entitlement(impatient, anna).used == 1
    assert [brand.name for brand in brands.list_all(impatient, anna)] == ["shop.example"]
    assert [one.status for one in submissions.list_mine(impatient, anna)] == [
        "pending",
        "approved_created_global",
    ]
