"""What changed, for one user: the order, the filters, the words, and the gate that is there twice."""

from __future__ import annotations

from typing import Any

import pytest
from library_rows import (
    AFTER,
    BEFORE,
    CHAIR,
    ELSE,
    FREE,
    LAMP,
    OTHER,
    PAID,
    SHOP,
    event,
    gated,
    page,
    users,
    watch,
)
from store.rows import put, uuid

from digestlog.core.canonical import url_id
from digestlog.core.change_rows import ChangeRow
from digestlog.store import changes
from digestlog.store.db import Database

NEWEST = "2026-02-13T08:30:00+00:00"


@pytest.fixture
def library(db: Database) -> Database:
    """A paying user with three pages of two brands and four changes."""
    with db.transaction() as connection:
        users(connection)
        put(connection, "brand_library_brands", id=SHOP, name="Shop", domain="shop.example")
        put(connection, "brand_library_brands", id=ELSE, name="Else", domain="other.example")
        for number, (url, brand) in enumerate(((LAMP, SHOP), (CHAIR, SHOP), (OTHER, ELSE))):
            page(connection, url, brand)
            watch(connection, number, PAID, url)
        event(connection, 1, LAMP, BEFORE)
        event(connection, 2, CHAIR, AFTER, state="provisional")
        event(connection, 3, OTHER, AFTER, state="volatile")
        event(connection, 4, OTHER, NEWEST, kind="text_changed")
    return db


def numbers(found: list[ChangeRow]) -> list[int]:
    return [int(change.id[-4:], 16) - 2000 for change in found]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [4, 2, 1]),
        ({"include_volatile": True}, [4, 3, 2, 1]),
        ({"since": AFTER}, [4, 2]),
        ({"since": NEWEST}, [4]),
        ({"gating_since": AFTER}, [4, 2]),
        ({"url_id": url_id(CHAIR)}, [2]),
        ({"brand_id": SHOP}, [2, 1]),
        ({"brand_id": ELSE, "include_volatile": True}, [4, 3]),
        ({"brand_id": SHOP, "url_id": url_id(OTHER)}, []),
        ({"limit": 2}, [4, 2]),
        ({"limit": 0}, []),
    ],
)
def test_which_changes(library: Database, wanted: dict[str, Any], expected: list[int]) -> None:
    assert numbers(changes.list_changes(library, PAID, **wanted)) == expected
    assert changes.list_changes(library, FREE, **wanted) == []


def test_all_that_is_told_of_one(library: Database) -> None:
    (found,) = changes.list_changes(library, PAID, url_id=url_id(LAMP))
    assert found.as_object() == {
        "id": uuid(2001),
        "url_id": url_id(LAMP),
        "url": LAMP,
        "canonical_url": LAMP,
        "brand_id": SHOP,
        "brand": "Shop",
        "detected_at": BEFORE,
        "updated_at": BEFORE,
        "kind": "price",
        "state": "real",
        "magnitude": 0.1,
        "before": "9 EUR",
        "after": "8 EUR",
        "diff": [["-", "9"], ["+", "8"]],
        "summary": "summary 1",
    }


def test_the_address_is_the_one_that_was_submitted(library: Database) -> None:
    with library.transaction() as connection:
        connection.execute("UPDATE urls SET url = ? WHERE id = ?", (LAMP + "?utm_source=x", url_id(LAMP)))
    (found,) = changes.list_changes(library, PAID, url_id=url_id(LAMP))
    assert (found.url, found.canonical_url) == (LAMP + "?utm_source=x", LAMP)


def test_a_models_summary_goes_before_our_own(library: Database) -> None:
    with library.transaction() as connection:
        for number, method, at in ((1, "a model", BEFORE), (2, "a model", AFTER), (3, "extractive", NEWEST)):
            row = {"id": uuid(4000 + number), "event_id": uuid(2001), "summary": f"by {number}"}
            put(connection, "url_change_summaries", row, method=method, created_at=at)
    assert changes.list_changes(library, PAID, url_id=url_id(LAMP))[0].summary == "by 2"


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({"before": None, "after": None}, {"price changed"}),
        ({"before": "nine", "after": "eight"}, {"nine", "eight"}),
    ],
)
def test_a_change_without_a_summary_still_has_words(
    library: Database, values: dict[str, Any], parts: set[str]
) -> None:
    with library.transaction() as connection:
        event(connection, 9, CHAIR, NEWEST, summary=None, diff="[]", **values)
    (found, *_) = changes.list_changes(library, PAID, url_id=url_id(CHAIR))
    assert all(part in found.summary for part in parts)


def test_a_diff_that_another_program_wrote_does_no_harm(library: Database) -> None:
    diff = '[["+", "good"], "x", ["+"], ["?", "x"], ["-", 3], [["+"], "x"], ["=", "too"], null, {}]'
    with library.transaction() as connection:
        event(connection, 9, CHAIR, NEWEST, diff=diff)
    (found, *_) = changes.list_changes(library, PAID, url_id=url_id(CHAIR))
    assert found.diff == (("+", "good"), ("=", "too"))


def test_a_page_without_a_brand(library: Database) -> None:
    with library.transaction() as connection:
        connection.execute("UPDATE urls SET brand_id = NULL WHERE id = ?", (url_id(LAMP),))
    (found,) = changes.list_changes(library, PAID, url_id=url_id(LAMP))
    assert (found.brand_id, found.brand) == (None, None)


# --- the gate ---------------------------------------------------------------------------------


def test_nothing_from_before_history_start_at_even_after_an_upgrade(db: Database) -> None:
    old, new = gated(db)
    seen = [change.id for change in changes.list_changes(db, FREE)]
    assert seen == [new]
    assert [change.id for change in changes.list_changes(db, PAID)] == [new, old]
    with db.transaction() as connection:
        put(connection, "subscriptions", user_id=FREE, plan="paid")
    assert [change.id for change in changes.list_changes(db, FREE, include_volatile=True)] == [new]
    assert [change.id for change in changes.untold(db, FREE)] == [new]


def test_the_query_holds_the_gate_where_the_view_does_not(db: Database) -> None:
    """Defence in depth: a view that somebody replaced by one without the condition shows nothing more."""
    old, new = gated(db)
    with db.transaction() as connection:
        connection.execute("DROP VIEW visible_change_events")
        connection.execute(
            """CREATE VIEW visible_change_events AS SELECT user_url_library.user_id, url_change_events.*
            FROM user_url_library JOIN url_change_events USING (url_id) WHERE is_active = 1"""
        )
    rows = db.rows("SELECT id FROM visible_change_events WHERE user_id = :id", {"id": FREE})
    assert {row["id"] for row in rows} == {old, new}
    assert [change.id for change in changes.list_changes(db, FREE)] == [new]
    assert [change.id for change in changes.untold(db, FREE)] == [new]


def test_a_page_that_is_watched_no_more_says_nothing(db: Database) -> None:
    gated(db)
    with db.transaction() as connection:
        connection.execute("UPDATE user_url_library SET is_active = 0")
    assert changes.list_changes(db, PAID) == changes.untold(db, PAID) == []


# --- who was told -----------------------------------------------------------------------------


def test_only_real_changes_are_told_and_each_once(library: Database) -> None:
    assert numbers(changes.untold(library, PAID)) == [4, 1]
    changes.mark_told(library, PAID, [uuid(2001)])
    assert numbers(changes.untold(library, PAID)) == [4]
    changes.mark_told(library, PAID, [uuid(2001), uuid(2004), uuid(9999)])
    assert changes.untold(library, PAID) == []
    rows = library.rows("SELECT user_id, event_id, created_at FROM told_events ORDER BY event_id")
    assert [tuple(row) for row in rows] == [
        (PAID, uuid(2001), library.now_iso),
        (PAID, uuid(2004), library.now_iso),
    ]


def test_each_user_is_told_apart(db: Database) -> None:
    old, new = gated(db)
    changes.mark_told(db, FREE, [new])
    assert [change.id for change in changes.untold(db, PAID)] == [new, old]
    assert changes.untold(db, FREE) == []
