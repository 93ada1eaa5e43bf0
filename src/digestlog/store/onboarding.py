"""How far a user has come in getting to know the library: a first page, a first change, done."""

from __future__ import annotations

import sqlite3

from digestlog.store.db import Database

FIRST_PAGE, FIRST_CHANGE, DONE = "first_page", "first_change", "done"


def watches_a_page(db: Database, connection: sqlite3.Connection, user_id: str) -> None:
    """The first step is done, if it was not; in the caller's transaction."""
    connection.execute(
        """INSERT INTO onboarding_state (user_id, step, created_at, updated_at)
        VALUES (:user_id, :next, :now, :now)
        ON CONFLICT (user_id) DO UPDATE SET step = excluded.step WHERE step = :before""",
        {"user_id": user_id, "before": FIRST_PAGE, "next": FIRST_CHANGE, "now": db.now_iso},
    )


def saw_a_change(db: Database, user_id: str) -> None:
    """The last step is done, if it was the next one; otherwise nothing is written."""
    state = {"user_id": user_id, "before": FIRST_CHANGE, "next": DONE, "now": db.now_iso}
    if db.row("SELECT 1 FROM onboarding_state WHERE user_id = :user_id AND step = :before", state):
        with db.transaction() as connection:
            connection.execute(
                """UPDATE onboarding_state SET step = :next, completed_at = :now
                WHERE user_id = :user_id AND step = :before""",
                state,
            )
