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
