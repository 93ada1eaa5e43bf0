"""Users of the file: who they are, and who may decide for all."""

from __future__ import annotations

import sqlite3
import uuid
from dataclasses import dataclass

from digestlog.core.text import clean
from digestlog.errors import ConfigError, LibraryError
from digestlog.store.db import Database

ADMIN, USER = "admin", "user"
MAX_NAME = 100


@dataclass(frozen=True, slots=True)
class User:
    """A user with the plan that counts now, and how far getting to know the library has come."""

    id: str
    name: str
    role: str
    plan: str
    max_tracked_urls: int | None
    full_history: bool
    pages: int
    waiting: int
    onboarding_step: str
    onboarding_completed_at: str | None
    created_at: str


def require(db: Database, name: str) -> str:
    """The id of the user with this name."""
    row = db.row("SELECT id FROM users WHERE name = :name", {"name": name})
    if row is None:
        names = ", ".join(
            user["name"] for user in db.rows("SELECT name FROM users ORDER BY created_at, name")
        )
        raise ConfigError(f"there is no user called {name}", f"known here: {names}")
    return str(row["id"])


def name_of(db: Database, user_id: str) -> str:
    """The name of a user that there is."""
    return str(db.rows("SELECT name FROM users WHERE id = :id", {"id": user_id})[0]["name"])


def current(db: Database, name: str | None) -> str:
    """The id of the user with this name; without a name, of the owner."""
    if name is not None:
        return require(db, name)
    row = db.row("SELECT user_id FROM file_owner")
    if row is None:
        raise ConfigError("the file has no owner", "say who you are: --user NAME")
    return str(row["user_id"])


def is_admin(db: Database, user_id: str) -> bool:
    """True if the user may decide for all."""
    return db.row("SELECT 1 FROM users WHERE id = :id AND role = 'admin'", {"id": user_id}) is not None


def require_admin(db: Database, name: str | None) -> str:
    """The id of the user with this name, or of the owner; LibraryError if that is no admin."""
    user_id = current(db, name)
    if not is_admin(db, user_id):
        raise LibraryError(f"{name_of(db, user_id)} is no admin, and only an admin may do this", _ASK)
    return user_id


_ASK = "ask one: digestlog users list tells who they are"


def user_id_of(name: str) -> str:
    """The id of a user by name, the same on every machine."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:user:{name}"))


def add(db: Database, name: str, *, role: str = USER, plan: str = "free") -> User:
    """A new user on a plan; ConfigError if the name is taken or cannot be one."""
    if clean(name) != name or len(name) > MAX_NAME:
        raise ConfigError(
            f"{name[:40]!r} cannot be a name", f"plain words without space around, up to {MAX_NAME} letters"
        )
    params = {"id": user_id_of(name), "name": name, "role": role, "plan": plan, "now": db.now_iso}
    with db.transaction() as connection:
        added = connection.execute(
            """INSERT INTO users (id, name, role, created_at, updated_at)
            VALUES (:id, :name, :role, :now, :now) ON CONFLICT DO NOTHING""",
            params,
        )
        if not added.rowcount:
            raise ConfigError(f"there is a user called {name} already", "see: digestlog users list")
        connection.execute(
            """INSERT INTO subscriptions (user_id, plan, created_at, updated_at)
            VALUES (:id, :plan, :now, :now)""",
            params,
        )
    return get(db, params["id"])


def list_all(db: Database) -> list[User]:
    """All users, the first one first."""
    return [_user(row) for row in db.rows(f"{_USERS} ORDER BY users.created_at, users.name")]


def get(db: Database, user_id: str) -> User:
    """The user with this id, who is there."""
    return _user(db.rows(f"{_USERS} WHERE users.id = :id", {"id": user_id})[0])


def remove(db: Database, name: str) -> None:
    """Take a user and all that is theirs alone out of the file; never the owner, so an admin stays."""
    user_id = require(db, name)
    with db.transaction() as connection:
        removed = connection.execute(
            "DELETE FROM users WHERE id = :id AND id NOT IN (SELECT user_id FROM file_owner)", {"id": user_id}
        )
        if not removed.rowcount:
            raise LibraryError(
                f"{name} is the owner of the file and cannot be removed",
                "to see the others: digestlog users list",
            )


# Pages that are watched, submissions that wait for an admin.
_USERS = """
SELECT users.id, users.name, users.role, users.created_at,
    user_plans.plan, user_plans.max_tracked_urls, user_plans.full_history,
    (SELECT count(*) FROM user_url_library AS mine WHERE mine.user_id = users.id AND mine.is_active = 1)
        AS pages,
    (SELECT count(*) FROM url_submissions AS asked
        WHERE asked.user_id = users.id AND asked.status = 'needs_review') AS waiting,
    coalesce(onboarding_state.step, 'first_page') AS onboarding_step,
    onboarding_state.completed_at AS onboarding_completed_at
FROM users
JOIN user_plans ON user_plans.user_id = users.id
LEFT JOIN onboarding_state ON onboarding_state.user_id = users.id"""


def _user(row: sqlite3.Row) -> User:
    return User(**{**dict(row), "full_history": bool(row["full_history"])})
