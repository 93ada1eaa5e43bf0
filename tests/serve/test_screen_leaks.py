"""No screen and no feed tells a user of what is not theirs, whatever id is put into its address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from serve.house import PAGE, House
from serve.marked import ANNA, MARK, OPEN, Marked
from serve.test_leaks import leaks
from store.rows import ROWS

from digestlog.serve.pages import Route
from digestlog.serve.screens import ROUTES
from digestlog.store import access
from digestlog.store.db import Database

_PLACE = re.compile(r"\(\?P<\w+>[^)]*\)")
_QUERIES = (
    "",
    f"?q={MARK}",
    f"?q={OPEN}",
    f"?url=https://example.com/{MARK}",
    "?source=W_RSS_1&state=trouble",
)
ASKED = [route for route in ROUTES if route.method == "GET"]


def words_of(db: Database) -> list[str]:
    """Every text in the file that an address may name."""
    found = {"latest", "W_RSS_1", "W_RSS_2", "changes", "discoveries-by-source"}
    for table in ROWS:
        names = [row["name"] for row in db.rows(f"PRAGMA table_info({table})")]
        keys = [name for name in names if name == "id" or name.endswith(("_id", "_uuid"))]
        for row in db.rows(f"SELECT * FROM {table}"):
            found |= {str(row[key]) for key in keys if row[key]}
    return sorted(word for word in found if re.fullmatch(r"[A-Za-z0-9._~-]+", word))


def paths(route: Route, names: list[str]) -> Iterator[str]:
    """The addresses of a route, with every name in each of its places."""
    written = route.pattern.pattern.removesuffix(r"\Z")
    places = len(_PLACE.findall(written))
    for chosen in product(names, repeat=places):
        left = iter(chosen)
        yield re.sub(r"\\(.)", r"\1", _PLACE.sub(lambda _, left=left: next(left), written))


def test_a_route_with_a_place_gets_every_name() -> None:
    route = Route.get("/digests/{digest}/why", lambda page: page.render(""))
    assert list(paths(route, ["a", "b.c"])) == ["/digests/a/why", "/digests/b.c/why"]


@pytest.mark.parametrize("route", ASKED, ids=lambda route: route.pattern.pattern)
def test_nothing_leaks(route: Route, marked: Marked, marked_house: House) -> None:
    with marked_house.file() as db:
        names = words_of(db)
        token = access.give_feed(db, ANNA)
    free = marked_house.signed_in(ANNA)
    feed = f"&token={token}" if route.access == "feed" else ""
    found = {}
    asked = list(paths(route, names))
    queries = _QUERIES if len(asked) == 1 else ("",)
    answered = set()
    for path, query in product(asked, queries):
        address = f"{path}{query}{feed}" if query or not feed else f"{path}?{feed[1:]}"
        answer = free.get(address, headers=PAGE)
        answered.add(answer.status_code)
        told = leaks(answer, marked, address)
        if told:
            found[address] = told
    assert not found and 500 not in answered
    # It was really asked: something of hers was there, or an admin's page was refused.
    assert answered & {200, 303, 403} or route.access == "admin"


def test_what_is_hers_is_there(marked: Marked, marked_house: House) -> None:
    free = marked_house.signed_in(ANNA)
    for path in ("/", "/ledger", "/digests", "/sources"):
        assert OPEN in free.page(path).text, path
