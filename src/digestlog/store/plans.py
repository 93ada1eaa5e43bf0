"""Plans: what each allows, and who has which."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from digestlog.core.text import clean
from digestlog.errors import ConfigError
from digestlog.store.db import Database

MAX_NAME = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """What a plan allows, and how many users have it; max_tracked_urls None: no limit."""

    plan: str
    max_tracked_urls: int | None
    full_history: bool
    users: int


def list_all(db: Database) -> list[Plan]:
    """All plans, the smallest first."""
    order = "ORDER BY max_tracked_urls IS NULL, max_tracked_urls, plan"
    return [_plan(row) for row in db.rows(f"{_PLANS} {order}")]


def require(db: Database, name: str) -> Plan:
    """The plan with this name; ConfigError if there is none."""
    row = db.row(f"{_PLANS} WHERE plan = :name", {"name": name})
    if row is None:
        known = ", ".join(plan.plan for plan in list_all(db))
        raise ConfigError(f"there is no plan called {(clean(name) or '')[:100]}", f"known here: {known}")
    return _plan(row)


def change(db: Database, name: str, changes: dict[str, Any]) -> Plan:
    """Make a plan or change what it allows: max_tracked_urls, full_history."""
    if clean(name) != name or len(name) > MAX_NAME:
        raise ConfigError(f"{name[:40]!r} cannot be a plan's name", f"up to {MAX_NAME} letters")
    with db.transaction() as connection:
        connection.execute(
            """INSERT INTO plan_definitions (plan, max_tracked_urls, full_history, created_at, updated_at)
            VALUES (:plan, NULL, 0, :now, :now) ON CONFLICT DO NOTHING""",
            {"plan": name, "now": db.now_iso},
        )
        for column in ("max_tracked_urls", "full_history"):
            if column in changes:
                connection.execute(
                    f"UPDATE plan_definitions SET {column} = :value WHERE plan = :plan",  # noqa: S608
                    {"plan": name, "value": changes[column]},
                )
    return require(db, name)


def assign(db: Database, user_id: str, plan: str) -> None:
    """Put a user on a plan from now on; from when pages show their history stays as it is."""
    with db.transaction() as connection:
        connection.execute(
            """INSERT INTO subscriptions (user_id, plan, status, created_at, updated_at)
            VALUES (:user_id, :plan, 'active', :now, :now)
            ON CONFLICT (user_id) DO UPDATE SET plan = excluded.plan, status = 'active'""",
            {"user_id": user_id, "plan": plan, "now": db.now_iso},
        )


_PLANS = """
SELECT plan, max_tracked_urls, full_history,
    (SELECT count(*) FROM user_plans WHERE user_plans.plan = plan_definitions.plan) AS users
FROM plan_definitions"""


def _plan(row: sqlite3.Row) -> Plan:
    return Plan(**{**dict(row), "full_history": bool(row["full_history"])})
