"""`digestlog brands`: whose pages are watched."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal

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
