"""First steps: one page, one change, done."""

from __future__ import annotations

import pytest

from digestlog.store import onboarding, users
from digestlog.store.db import Database


@pytest.fixture
def anna(db: Database) -> str:
    return users.add(db, "anna").id


def step(db: Database, user_id: str) -> tuple[str, str | None]:
    user = users.get(db, user_id)
    return user.onboarding_step, user.onboarding_completed_at


def watch(db: Database, user_id: str) -> None:
    with db.transaction() as connection:
        onboarding.watches_a_page(db, connection, user_id)


def test_the_steps_in_their_order(db: Database, anna: str) -> None:
    assert step(db, anna) == ("first_page", None)
    watch(db, anna)
    assert step(db, anna) == ("first_change", None)
    onboarding.saw_a_change(db, anna)
    assert step(db, anna) == ("done", db.now_iso)


def test_no_step_is_taken_back(db: Database, anna: str) -> None:
    for _ in range(2):
        watch(db, anna)
        onboarding.saw_a_change(db, anna)
    assert step(db, anna) == ("done", db.now_iso)


def test_a_change_before_any_page_is_no_step(db: Database, anna: str) -> None:
    onboarding.saw_a_change(db, anna)
    assert db.rows("SELECT * FROM onboarding_state") == []


def test_a_row_at_the_first_step_goes_on(db: Database, anna: str) -> None:
    with db.transaction() as connection:
        connection.execute(
            "INSERT INTO onboarding_state (user_id, step) VALUES (:id, 'first_page')", {"id": anna}
        )
    watch(db, anna)
    assert step(db, anna) == ("first_change", None)


def test_each_user_goes_their_own_way(db: Database, anna: str) -> None:
    watch(db, anna)
    assert step(db, users.current(db, None)) == ("first_page", None)
