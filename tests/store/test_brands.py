"""Brands as they are stored."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from library_fakes import Shelf, changed
from store.rows import uuid

from digestlog.core import brands as core
from digestlog.core.canonical import url_id
from digestlog.errors import ConfigError, RuleBroken
from digestlog.store import brands
from digestlog.store.db import Database

A1, A2, B1 = "https://www.a.example/1", "https://shop.a.example/2", "https://b.example/1"


@pytest.fixture
def shelf(db_path: Path, now: datetime) -> Shelf:
    return Shelf(db_path, now)


@pytest.fixture
def anna(shelf: Shelf) -> str:
    """A user with two pages of one brand; the owner has one of another."""
    user = shelf.user("anna")
    shelf.add(user, A1, A2, preflight=False)
    shelf.add(shelf.owner, B1, preflight=False)
    return user


def brand_of(shelf: Shelf, url: str) -> str:
    return str({row["canonical_url"]: row["brand_id"] for row in shelf.rows("urls")}[url])


def test_a_domain_has_one_brand(db: Database) -> None:
    with db.transaction() as connection:
        first, second = (brands.for_url(db, connection, url) for url in (A1, A2))
    assert first == second == core.brand_id("a.example")
    (row,) = db.rows("SELECT * FROM brands")
    assert (row["name"], row["domain"]) == ("a.example", "a.example")
    (domain,) = db.rows("SELECT * FROM brand_domains")
    assert (domain["domain"], domain["brand_id"]) == ("a.example", first)


def test_a_brand_that_was_there_under_another_id(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute(
            "INSERT INTO brand_library_brands (id, name, domain) VALUES (:id, 'A', 'a.example')",
            {"id": uuid(7)},
        )
        assert brands.for_url(db, connection, A1) == uuid(7)


def test_a_page_that_has_a_brand_keeps_it(shelf: Shelf, anna: str) -> None:
    b = core.brand_id("b.example")
    with shelf.open() as db:
        brands.assign(db, b, [url_id(A1)])
    shelf.add(shelf.owner, A1, preflight=False)
    assert brand_of(shelf, A1) == b
    assert brand_of(shelf, A2) == core.brand_id("a.example")


def test_a_page_without_a_brand_gets_one_when_it_is_next_added(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db, db.transaction() as connection:
        connection.execute("UPDATE urls SET brand_id = NULL")
    shelf.add(shelf.owner, A1, preflight=False)
    assert brand_of(shelf, A1) == core.brand_id("a.example")


def test_brands_of_ones_own_pages(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db:
        (mine,) = brands.list_all(db, anna)
        assert (mine.name, mine.domains, mine.pages) == ("a.example", ("a.example",), 2)
        assert [brand.name for brand in brands.list_all(db, shelf.owner)] == ["b.example"]
        everything = brands.list_all(db, shelf.owner, everything=True)
        assert [(brand.name, brand.pages) for brand in everything] == [("a.example", 0), ("b.example", 1)]


def test_changes_of_a_brand_are_those_that_may_be_seen(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.owner, A1, preflight=False)
    with shelf.open() as db:
        changed(db, A1, "2026-02-01T00:00:00+00:00", 1)
        changed(db, A1, "2026-02-20T00:00:00+00:00", 2)
        changed(db, A1, "2026-02-21T00:00:00+00:00", 3, state="volatile")
        mine, theirs = brands.find(db, "a.example", anna), brands.find(db, "a.example", shelf.owner)
    assert (mine.changes, mine.last_change_at) == (1, "2026-02-20T00:00:00+00:00")
    assert (theirs.changes, theirs.pages) == (2, 1)


@pytest.mark.parametrize("text", ["a.example", "A.Example", " a.example ", core.brand_id("a.example")])
def test_a_brand_is_found(shelf: Shelf, anna: str, text: str) -> None:
    with shelf.open() as db:
        assert brands.find(db, text).domain == "a.example"
        assert brands.find(db, text, anna).domain == "a.example"
        with pytest.raises(ConfigError, match="there is no brand"):
            brands.find(db, text, shelf.owner)


def test_two_brands_of_one_name(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db:
        for domain in ("a.example", "b.example"):
            brands.rename(db, core.brand_id(domain), " The  Shop ")
        with pytest.raises(ConfigError, match="several brands are called the shop") as caught:
            brands.find(db, "the shop")
        assert caught.value.hint == "name it by its domain"
        assert brands.find(db, "b.example").name == "The Shop"


@pytest.mark.parametrize("name", ["", "  ", "\x00", "x" * 201])
def test_what_cannot_be_a_brands_name(shelf: Shelf, anna: str, name: str) -> None:
    with shelf.open() as db, pytest.raises(ConfigError, match="cannot be a name"):
        brands.rename(db, core.brand_id("a.example"), name)


def test_merge_moves_pages_and_domains(shelf: Shelf, anna: str) -> None:
    a, b = core.brand_id("a.example"), core.brand_id("b.example")
    with shelf.open() as db:
        assert brands.merge(db, b, [a]) == 2
        merged = brands.find(db, "a.example")
        assert (merged.id, merged.domains) == (b, ("a.example", "b.example"))
    assert [row["id"] for row in shelf.rows("brand_library_brands")] == [b]
    shelf.add(shelf.owner, "https://new.a.example/", preflight=False)
    assert {row["brand_id"] for row in shelf.rows("urls")} == {b}


def test_merge_is_all_or_nothing(shelf: Shelf, anna: str) -> None:
    before = shelf.rows("urls"), shelf.rows("brand_domains"), shelf.rows("brand_library_brands")
    a, b = core.brand_id("a.example"), core.brand_id("b.example")
    with shelf.open() as db, pytest.raises(RuleBroken):
        brands.merge(db, uuid(9), [a, b])  # into a brand that is not there
    assert (shelf.rows("urls"), shelf.rows("brand_domains"), shelf.rows("brand_library_brands")) == before
