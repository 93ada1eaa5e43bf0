"""What the library's commands tell: the same keys everywhere, nothing from before the gate, short lines."""

from __future__ import annotations

import json

import pytest
from cli.conftest import Terminal
from store.rows import put

from digestlog.core.canonical import url_id
from digestlog.store.db import open_database

URL = "https://shop.example/prices"
ANNA = ("--user", "anna")


@pytest.fixture
def shop(digestlog: Terminal) -> Terminal:
    """Anna is on the free plan."""
    digestlog("users", "add", "anna")
    return digestlog


def test_comments_and_blank_lines_are_no_addresses(shop: Terminal) -> None:
    lines = f"# my pages\n\n  {URL}\n   # https://other.example/\n"
    assert shop.json("library", "add", "--no-preflight", "-", input=lines)["watched"] == 1
    assert len(shop.json("library", "submissions")) == 1


def test_a_wish_has_the_same_keys_everywhere(shop: Terminal) -> None:
    shop("policy", "add", "host", "odd.example", "--decision", "review", "--reason", "unknown")
    shop("library", "add", "--no-preflight", "https://odd.example/", root=ANNA)
    (mine,) = shop.json("library", "submissions", root=ANNA)
    (waiting,) = shop.json("review", "list")
    assert mine == waiting
    assert sorted(mine["wish"]) == [
        "allow_private", "check_frequency", "max_interval_s", "min_interval_s", "preflight"
    ]  # fmt: skip


def test_no_next_check_that_is_reckoned_from_a_look_before_the_gate(shop: Terminal) -> None:
    shop("library", "add", "--no-preflight", URL, root=ANNA)
    shop("library", "add", "--no-preflight", URL)
    with open_database(shop.path, now=shop.now, frozen=True) as db, db.transaction() as connection:
        connection.execute("UPDATE urls SET next_check_at = '2026-02-13T20:00:00+00:00'")
        put(connection, "url_observations", url_id=url_id(URL), checked_at="2026-02-12T20:00:00+00:00")
    for words in (("library", "list"), ("library", "show", URL), ("brands", "show", "shop.example")):
        assert "20:00:00" not in json.dumps(shop.json(*words, root=ANNA)), words
        assert "2026-02-13T20:00:00" in json.dumps(shop.json(*words)), words
    assert "told after the first check that you see" in shop("library", "show", URL, root=ANNA).stdout


def test_a_long_address_is_cut(shop: Terminal) -> None:
    long = f"{URL}/{'x' * 1_500}"
    assert len(shop("library", "add", "--no-preflight", long).stdout) < 300
    assert len(shop("library", "remove", long).stdout) < 300


def test_one_page_is_one_page(shop: Terminal) -> None:
    assert shop("plans", "set", "free", "--max-urls", "1").stdout.startswith("free: 1 page, ")
    assert shop("plans", "set", "free", "--max-urls", "2").stdout.startswith("free: 2 pages, ")


def test_plans_and_users_for_a_program(shop: Terminal) -> None:
    assert shop.json("plans", "assign", "anna", "paid") == {
        "user": "anna", "plan": "paid", "pages": 0, "max_tracked_urls": None
    }  # fmt: skip
    assert shop.json("users", "remove", "anna") == {"removed": "anna"}
