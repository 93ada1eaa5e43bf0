"""Which Datasette instances are ours, and for whom; the plugin asks here.

Light on purpose: every Datasette that has digestlog installed beside it imports this.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

ADMIN_DATABASE, OWN_DATABASE = "digestlog", "my"

_FOR_ADMINS = frozenset({"view-instance", "view-database", "view-table", "execute-sql"})
_FOR_USERS = frozenset({"view-database", "view-table", "execute-sql"})


@dataclass(frozen=True, slots=True)
class Realm:
    """One instance: its database, and whose requests it answers."""

    database: str
    # None: any admin's.
    user_id: str | None
    # Stands in the actor that the gatekeeper gives; nobody else can make such an actor.
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)

    def actor(self, user_id: str, name: str) -> dict[str, str]:
        """Who asks, in the form that Datasette knows."""
        return {"id": user_id, "name": name, "key": self.key}

    def allows(self, actor: dict[str, Any] | None, action: str, database: str | None) -> bool:
        """May this be done here? Whatever is not named is not allowed."""
        if actor is None or actor.get("key") != self.key:
            return False
        if self.user_id is not None and actor.get("id") != self.user_id:
            return False
        if action not in (_FOR_ADMINS if self.user_id is None else _FOR_USERS):
            return False
        return action == "view-instance" or database == self.database


_realms: WeakKeyDictionary[Any, Realm] = WeakKeyDictionary()


def claim(datasette: Any, realm: Realm) -> None:
    """Make an instance ours."""
    _realms[datasette] = realm


def realm_of(datasette: Any) -> Realm | None:
    """Whose instance it is; None: not one of ours."""
    return _realms.get(datasette)
