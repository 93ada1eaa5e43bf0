from __future__ import annotations

from store.rows import BRAND, PAGE, URL, USER, put, uuid

from digestlog.store import access, feed_names
from digestlog.store.db import Database


def test_names_of_what_is_watched(db: Database) -> None:
    for table in ("users", "brand_library_brands", "urls", "user_url_library"):
        put(db.connection, table)
    assert feed_names.brand(db, USER, BRAND) == "Shop"
    assert feed_names.page(db, USER, URL) == PAGE
    assert feed_names.brands(db, USER, 9) == [(BRAND, "Shop")]
    assert feed_names.pages(db, USER, 9) == [(URL, PAGE)]


def test_what_is_watched_no_more_has_no_name(db: Database) -> None:
    for table in ("users", "brand_library_brands", "urls"):
        put(db.connection, table)
    put(db.connection, "user_url_library", is_active=0)
    for user in (USER, uuid(999)):
        assert feed_names.brand(db, user, BRAND) is None
        assert feed_names.page(db, user, URL) is None
        assert feed_names.brands(db, user, 9) == [] == feed_names.pages(db, user, 9)


def test_how_many_addresses_are_good(db: Database) -> None:
    put(db.connection, "users")
    assert feed_names.given(db, USER) == 0
    access.give_feed(db, USER)
    access.give_feed(db, USER)
    access.give_link(db, USER)
    assert feed_names.given(db, USER) == 2
    db.connection.execute("UPDATE users SET session_epoch = 7 WHERE id = ?", (USER,))
    assert feed_names.given(db, USER) == 0
