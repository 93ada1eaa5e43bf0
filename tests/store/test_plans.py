"""Plans as they are stored."""

from __future__ import annotations

import pytest

from digestlog.errors import ConfigError
from digestlog.store import plans, users
from digestlog.store.db import Database


def test_the_first_plans(db: Database) -> None:
    free, paid = plans.list_all(db)
    assert (free.plan, free.max_tracked_urls, free.full_history, free.users) == ("free", 10, False, 0)
    assert (paid.plan, paid.max_tracked_urls, paid.full_history, paid.users) == ("paid", None, True, 1)


def test_a_plan_that_is_not_there(db: Database) -> None:
    with pytest.raises(ConfigError, match="no plan called gold") as caught:
        plans.require(db, "gold")
    assert caught.value.hint == "known here: free, paid"


def test_a_plan_is_changed_column_by_column(db: Database) -> None:
    assert plans.change(db, "free", {"max_tracked_urls": 25}).max_tracked_urls == 25
    changed = plans.change(db, "free", {"full_history": True})
    assert (changed.max_tracked_urls, changed.full_history) == (25, True)
    assert plans.change(db, "free", {"max_tracked_urls": None}).max_tracked_urls is None
    assert len(plans.list_all(db)) == 2


def test_a_new_plan(db: Database) -> None:
    made = plans.change(db, "team", {"max_tracked_urls": 100, "full_history": True})
    assert (made.plan, made.max_tracked_urls, made.full_history) == ("team", 100, True)
    assert [plan.plan for plan in plans.list_all(db)] == ["free", "team", "paid"]


@pytest.mark.parametrize("name", ["", " free", "a\nb", "x" * 51, "\x1b"])
def test_what_cannot_be_a_plans_name(db: Database, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be a plan's name"):
        plans.change(db, name, {"full_history": True})
    assert len(plans.list_all(db)) == 2


def test_a_user_is_put_on_a_plan(db: Database) -> None:
    anna = users.add(db, "anna").id
    plans.assign(db, anna, "paid")
    assert users.get(db, anna).plan == "paid"
    plans.assign(db, anna, "free")
    assert users.get(db, anna).plan == "free"
    assert len(db.rows("SELECT * FROM subscriptions")) == 2


def test_a_canceled_subscription_is_revived(db: Database) -> None:
    anna = users.add(db, "anna", plan="paid").id
    with db.transaction() as connection:
        connection.execute("UPDATE subscriptions SET status = 'canceled'")
    assert users.get(db, anna).plan == "free"
    plans.assign(db, anna, "paid")
    assert users.get(db, anna).plan == "paid"


def test_a_user_without_a_subscription_gets_one(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM subscriptions")
    owner = users.current(db, None)
    plans.assign(db, owner, "paid")
    assert users.get(db, owner).plan == "paid"
