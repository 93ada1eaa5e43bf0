"""Users of the file."""

from __future__ import annotations

from digestlog.errors import ConfigError
from digestlog.store.db import Database


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
    row = db.row("SELECT id FROM users WHERE role = 'admin' ORDER BY created_at, name LIMIT 1")
    if row is None:
        raise ConfigError("the file has no owner", "say who you are: --user NAME")
    return str(row["id"])
