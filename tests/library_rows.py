"""A library for tests of what users are told: pages with brands, who watches them, what changed when."""

from __future__ import annotations

import sqlite3
from typing import Any

from store.rows import put, uuid

from digestlog.core.canonical import url_id
from digestlog.store.db import Database

FREE, PAID = uuid(31), uuid(32)
LAMP, CHAIR, OTHER = "https://shop.example/lamp", "https://shop.example/chair", "https://other.example/"
SHOP, ELSE = uuid(41), uuid(42)
BEFORE = "2026-02-10T08:00:00+00:00"
AFTER = "2026-02-13T08:00:00+00:00"


def users(connection: sqlite3.Connection) -> None:
    """A free and a paying user beside the owner."""
    put(connection, "users", id=FREE, name="free")
    put(connection, "users", id=PAID, name="paid")
    put(connection, "subscriptions", user_id=PAID, plan="paid")


def page(connection: sqlite3.Connection, url: str, brand_id: str | None) -> str:
    """A page of the library."""
    put(connection, "urls", id=url_id(url), canonical_url=url, url=url, brand_id=brand_id)
    return url_id(url)


def watch(connection: sqlite3.Connection, number: int, user_id: str, url: str) -> None:
    """Let a user watch a page."""
    put(connection, "user_url_library", id=uuid(1000 + number), user_id=user_id, url_id=url_id(url))


def event(connection: sqlite3.Connection, number: int, url: str, at: str, **values: Any) -> str:
    """A change of a page with its summary, unless that is None."""
    summary = values.pop("summary", f"summary {number}")
    row = {"id": uuid(2000 + number), "url_id": url_id(url), "observation_id": None, "detected_at": at}
    put(connection, "url_change_events", row, {"created_at": at, "updated_at": at}, values)
    if summary is not None:
        put(connection, "url_change_summaries", id=uuid(3000 + number), event_id=row["id"], summary=summary)
    return uuid(2000 + number)


def gated(db: Database) -> list[str]:
    """Both users watch the lamp since now; it changed once before that and once after. The two events."""
    with db.transaction() as connection:
        users(connection)
        put(connection, "brand_library_brands", id=SHOP, name="Shop", domain="shop.example")
        put(connection, "brand_domains", domain="shop.example", brand_id=SHOP)
        page(connection, LAMP, SHOP)
        watch(connection, 1, FREE, LAMP)
        watch(connection, 2, PAID, LAMP)
        return [event(connection, 1, LAMP, BEFORE), event(connection, 2, LAMP, "2026-02-13T10:00:00+00:00")]
