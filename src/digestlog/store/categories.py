"""What each user's digests tell of: own categories, or the starter set for a user who has none.

Positions count from 1 without gaps; each change renumbers what it must and nothing else.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from digestlog.core.digest import Category
from digestlog.core.own_categories import Changes, changed, key
from digestlog.core.starter_set import starter
from digestlog.core.text import without_nul
from digestlog.errors import ConfigError
from digestlog.store import settings
from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Own:
    """A category that a user wrote, as it is stored."""

    id: str
    category: Category
    position: int
    created_at: str
    updated_at: str


def effective(db: Database, user_id: str) -> tuple[Category, ...]:
    """The categories of the user's digests, in their order."""
    return tuple(own.category for own in list_own(db, user_id)) or starter_of(db, user_id)


def starter_of(db: Database, user_id: str) -> tuple[Category, ...]:
    """The starter set in the user's language."""
    return starter(settings.get(db, user_id).language)


def list_own(db: Database, user_id: str) -> list[Own]:
    """The categories that the user wrote, in their order."""
    rows = db.rows(
        """SELECT id, name, description, keywords, position, created_at, updated_at FROM categories
        WHERE user_id = :user_id ORDER BY position, name""",
        {"user_id": user_id},
    )
    return [_own(row) for row in rows]


def add(db: Database, user_id: str, wanted: Category, position: int | None = None) -> Own:
    """Write a category at its place, or as the last; ConfigError if the user has one with its name."""
    with db.transaction() as connection:
        known = list_own(db, user_id)
        _refuse_taken(known, wanted.name)
        _insert(db, connection, user_id, [wanted], after=len(known))
        _arrange(connection, _placed(known, category_id(user_id, wanted.name), position))
        return _find(db, user_id, wanted.name)


def add_starter(db: Database, user_id: str) -> list[Own]:
    """Write the starter set behind the user's own categories, less those whose names they have."""
    with db.transaction() as connection:
        known = list_own(db, user_id)
        taken = {key(own.category.name) for own in known}
        missing = [one for one in starter_of(db, user_id) if key(one.name) not in taken]
        _arrange(connection, [own.id for own in known])
        _insert(db, connection, user_id, missing, after=len(known))
        names = {one.name for one in missing}
        return [own for own in list_own(db, user_id) if own.category.name in names]


def edit(db: Database, user_id: str, name: str, wanted: Changes, position: int | None = None) -> Own:
    """Change a category; ConfigError if there is none with this name, or another has its new one."""
    with db.transaction() as connection:
        found = _find(db, user_id, name)
        others = [own for own in list_own(db, user_id) if own.id != found.id]
        result = changed(found.category, wanted)
        _refuse_taken(others, result.name)
        if result != found.category:
            _update(connection, user_id, found, result)
        if position is not None:
            _arrange(connection, _placed(others, _find(db, user_id, result.name).id, position))
        return _find(db, user_id, result.name)


def remove(db: Database, user_id: str, names: Iterable[str]) -> list[Own]:
    """Delete categories, all or, if one of them is not there, none: then a ConfigError."""
    with db.transaction() as connection:
        found = {own.id: own for own in [_find(db, user_id, name) for name in names]}
        connection.execute(
            "DELETE FROM categories WHERE id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(list(found))},
        )
        _arrange(connection, [own.id for own in list_own(db, user_id)])
    return list(found.values())


def category_id(user_id: str, name: str) -> str:
    """The id of a category, the same on every machine; a new name gives a new id."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:category:{user_id}:{name}"))


def _insert(
    db: Database, connection: sqlite3.Connection, user_id: str, wanted: Sequence[Category], *, after: int
) -> None:
    connection.executemany(
        """INSERT INTO categories (id, user_id, name, description, keywords, position, created_at, updated_at)
        VALUES (:id, :user_id, :name, :description, :keywords, :position, :now, :now)""",
        [
            {**_columns(user_id, one), "user_id": user_id, "position": position, "now": db.now_iso}
            for position, one in enumerate(wanted, after + 1)
        ],
    )


def _update(connection: sqlite3.Connection, user_id: str, found: Own, result: Category) -> None:
    connection.execute(
        """UPDATE categories SET id = :id, name = :name, description = :description, keywords = :keywords
        WHERE id = :old_id""",
        {**_columns(user_id, result), "old_id": found.id},
    )


def _columns(user_id: str, wanted: Category) -> dict[str, str | None]:
    return {
        "id": category_id(user_id, wanted.name),
        "name": wanted.name,
        "description": wanted.description,
        "keywords": without_nul(json.dumps(wanted.keywords, ensure_ascii=False)),
    }


def _placed(others: Sequence[Own], category: str, position: int | None) -> list[str]:
    """The ids in their new order, with this one at its place, or as the last."""
    ids = [own.id for own in others]
    ids.insert(len(ids) if position is None else position - 1, category)
    return ids


def _arrange(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Number the categories in this order."""
    connection.execute(
        """UPDATE categories SET position = wanted.key + 1 FROM json_each(:ids) AS wanted
        WHERE categories.id = wanted.value AND categories.position <> wanted.key + 1""",
        {"ids": json.dumps(ids)},
    )


def _find(db: Database, user_id: str, name: str) -> Own:
    known = list_own(db, user_id)
    for own in known:
        if key(own.category.name) == key(name):
            return own
    if not known:
        raise ConfigError(
            "you use the starter set, which is not yours to change",
            "write it as your own first: digestlog categories starter",
        )
    names = ", ".join(own.category.name for own in known)
    raise ConfigError(f"there is no category called {name[:40]}", f"known here: {names}")


def _refuse_taken(known: Iterable[Own], name: str) -> None:
    for own in known:
        if key(own.category.name) == key(name):
            raise ConfigError(
                f"there is a category called {own.category.name} already",
                f'to change it: digestlog categories edit "{own.category.name}"',
            )


def _own(row: sqlite3.Row) -> Own:
    # Another program may have written what is no text into the list.
    keywords = tuple(word for word in json.loads(row["keywords"]) if isinstance(word, str))
    category = Category(row["name"], row["description"], keywords)
    return Own(row["id"], category, row["position"], row["created_at"], row["updated_at"])
