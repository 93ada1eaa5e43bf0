"""`digestlog brands`: whose pages are watched."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal

from digestlog.core.canonical import url_id
from digestlog.store.db import open_database

A, B, C = "https://www.a.example/1", "https://b.example/1", "https://me.github.io/"


@pytest.fixture
def shop(digestlog: Terminal) -> Terminal:
    """The owner watches pages of two brands, anna one of a third."""
    digestlog("users", "add", "anna")
    digestlog("library", "add", "--no-preflight", A, B)
    digestlog("library", "add", "--no-preflight", C, root=("--user", "anna"))
    return digestlog


def brands(terminal: Terminal, *words: str, user: str = "owner") -> dict[str, int]:
    found = terminal.json("brands", "list", *words, root=("--user", user))
    return {brand["name"]: brand["pages"] for brand in found}


def test_none_yet(digestlog: Terminal) -> None:
    assert "No brands yet" in digestlog("brands", "list").stderr


def test_the_list(shop: Terminal) -> None:
    lines = shop("brands", "list").stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["BRAND", "DOMAINS", "PAGES", "CHANGES", "LATEST"],
        ["a.example", "a.example", "1", "0"],
        ["b.example", "b.example", "1", "0"],
    ]
    assert brands(shop, user="anna") == {"me.github.io": 1}
    assert brands(shop, "--all") == {"a.example": 1, "b.example": 1, "me.github.io": 0}


def test_one_brand(shop: Terminal) -> None:
    shown = shop("brands", "show", "a.example").stdout
    assert "a.example" in shown and A in shown and "never" in shown
    found = shop.json("brands", "show", "a.example")
    assert [page["canonical_url"] for page in found["urls"]] == [A]


def test_a_brand_of_others_is_not_shown(shop: Terminal) -> None:
    assert "there is no brand a.example" in shop(
        "brands", "show", "a.example", root=("--user", "anna"), code=1
    ).stderr  # fmt: skip


def test_rename(shop: Terminal) -> None:
    assert shop("brands", "rename", "a.example", "The A").stdout == "a.example: now The A\n"
    assert brands(shop) == {"The A": 1, "b.example": 1}
    assert "The A" in shop("library", "show", A).stdout
    shop("brands", "rename", "nobody.example", "X", code=1)


def test_merge(shop: Terminal) -> None:
    result = shop("brands", "merge", "a.example", "b.example", "me.github.io", "b.example")
    assert result.stdout == "a.example: 2 brands and 2 pages moved here\n"
    assert brands(shop, user="anna") == {"a.example": 1}
    assert brands(shop) == {"a.example": 2}
    shop("library", "add", "--no-preflight", "https://b.example/2")
    assert brands(shop) == {"a.example": 3}
    found = shop.json("brands", "show", "b.example")
    assert found["domains"] == ["a.example", "b.example", "me.github.io"]


def test_merge_with_itself(shop: Terminal) -> None:
    result = shop("brands", "merge", "a.example", "b.example", "www.a.example", code=1)
    assert "there is no brand" in result.stderr
    assert "cannot be merged with itself" in shop("brands", "merge", "a.example", "A.EXAMPLE", code=1).stderr
    assert len(brands(shop)) == 2


def test_assign(shop: Terminal) -> None:
    assert shop("brands", "assign", "a.example", B, C).stdout == "a.example: 2 pages given\n"
    assert brands(shop) == {"a.example": 2}
    assert brands(shop, user="anna") == {"a.example": 1}
    shop("brands", "assign", "a.example", "https://nowhere.example/", code=1)


def test_a_domain_is_its_brands_whatever_others_are_called(shop: Terminal) -> None:
    refused = shop("brands", "rename", "a.example", "B.example", code=1)
    assert "B.example is another brand's domain" in refused.stderr
    with open_database(shop.path, now=shop.now, frozen=True) as db, db.transaction() as connection:
        connection.execute("UPDATE brand_library_brands SET name = 'b.example' WHERE domain = 'a.example'")
    assert shop.json("brands", "show", "b.example")["domain"] == "b.example"
    shop("brands", "rename", "b.example", "b.EXAMPLE")  # its own domain may be its name
    assert shop.json("brands", "show", "a.example")["domain"] == "a.example"


def test_for_a_program(shop: Terminal) -> None:
    a, b = (shop.json("brands", "show", name) for name in ("a.example", "b.example"))
    assert shop.json("brands", "rename", "a.example", "The A") == {
        "id": a["id"], "name": "The A", "before": "a.example"
    }  # fmt: skip
    assert shop.json("brands", "assign", "The A", C) == {
        "id": a["id"], "name": "The A", "url_ids": [url_id(C)]
    }  # fmt: skip
    assert shop.json("brands", "merge", "The A", "b.example") == {
        "id": a["id"], "name": "The A", "merged": [b["id"]], "pages": 1
    }  # fmt: skip
