"""How a digest is filled, and the reason for each candidate."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import filling
from digestlog.core.canonical import url_hash
from digestlog.core.digest import Candidate, Category, Hit, Label, Link, Piece
from digestlog.core.filling import Ledger, Shelf

TOWN, SPORT = Category("Town"), Category("Sport")
AT = datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC)


def url(name: str) -> str:
    return f"https://e.org/{name}"


def pieces(*names: str) -> dict[str, Piece]:
    return {
        url(name): Piece(f"A_{name}", url(name), name, f"T {name}", "text", f"S {name}") for name in names
    }


def label(name: str, category: str | None = "Town", score: float = 0.5) -> Label:
    return Label(url(name), category, score, (("harbour", 2.0), ("goal", -1.0), ("quay", 1.0)))


def filled(labels: list[Label], *groups: str, max_items: int = 2) -> tuple[Shelf, Ledger]:
    """A shelf with these labels; a group is a word of one-letter names."""
    shelf, ledger = Shelf((TOWN, SPORT), max_items), Ledger()
    shelf.fill(labels, pieces(*"".join(groups)), [[url(name) for name in group] for group in groups], ledger)
    return shelf, ledger


def outcomes(ledger: Ledger) -> dict[str, str]:
    return {found[-1]: one.outcome for found, one in ledger.outcomes.items()}


# --- what became of each ------------------------------------------------------------------------


def test_the_first_word_about_an_address_counts() -> None:
    ledger = Ledger()
    ledger.leave(url("a"), "A_a", filling.EMPTY, "no text")
    ledger.leave(url("a"), "A_a", filling.HISTORY, "shown before")
    assert ledger.outcomes == {url("a"): Candidate(url("a"), "A_a", "empty", "no text")}


def test_but_taken_is_taken() -> None:
    ledger, (piece,) = Ledger(), pieces("a").values()
    ledger.leave(piece.url, None, filling.OVER_QUOTA)
    ledger.take(piece, "Town")
    ledger.leave(piece.url, None, filling.DUPLICATE)
    assert ledger.outcomes == {url("a"): Candidate(url("a"), "A_a", "taken", "Town")}


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ("https://me:secret@e.org/a", "https://e.org/a"),
        ("https://e.org/a\0b", "https://e.org/a%00b"),
        ("https://e.org/@me", "https://e.org/@me"),
    ],
)
def test_what_the_file_must_not_hold_is_not_written_down(found: str, kept: str) -> None:
    ledger = Ledger()
    ledger.leave(found, None, filling.EMPTY)
    assert [(key, one.url) for key, one in ledger.outcomes.items()] == [(kept, kept)]


# --- small decisions ----------------------------------------------------------------------------


def test_places_and_budget() -> None:
    assert filling.places((TOWN, SPORT), 5) == 10
    assert filling.budget((TOWN, SPORT), 5) == 30
    assert filling.places((), 5) == filling.budget((), 5) == 0


def test_a_small_digest_looks_around_too() -> None:
    assert filling.budget((TOWN,), 1) == 30
    assert filling.budget((TOWN, SPORT), 50) == 300


def test_what_a_search_is_asked() -> None:
    assert filling.query(Category("Town", "of no use", ("a", "b", "c", "d"))) == "Town a b c"


def test_addresses_without_identity_are_passed_over() -> None:
    assert filling.hashes([url("a"), "mailto:a@e.org", f"{url('a')}/?utm_source=x"]) == {url_hash(url("a"))}
    assert filling.written(f"{url('a')}?utm_source=x") == url("a")
    assert filling.written("mailto:a@e.org") == "mailto:a@e.org"


def test_sources_take_turns() -> None:
    assert list(filling.by_turns(["abc", "", "d", "ef"])) == ["a", "d", "e", "b", "f", "c"]
    assert list(filling.by_turns([])) == []
    assert list(filling.by_turns([[None, 0], [""]])) == [None, "", 0]


@given(st.lists(st.lists(st.integers())))
def test_turns_lose_nothing(sources: list[list[int]]) -> None:
    assert sorted(filling.by_turns(sources)) == sorted(sum(sources, []))


@pytest.mark.parametrize(
    "address",
    [
        "https://e.org",
        "https://e.org/",
        "https://e.org//",
        "https://e.org/?utm_source=x",
        "https://e.org/?page=2",
        "https://e.org/?p=about",
        "https://e.org/#top",
        "https://e.org/index.html",
        "https://e.org/INDEX.PHP?lang=en",
        "https://e.org/default.aspx",
        "https://e.org/home.htm/",
        "https://e.org/fr",
        "https://e.org/fr/",
        "https://e.org/en-GB/",
    ],
)
def test_front_pages(address: str) -> None:
    assert filling.is_homepage(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://e.org/a-story",
        "https://e.org/?p=123",
        "https://e.org/index.php?lang=en&id=7",
        "https://e.org/news/index.html",
        "https://e.org/index",
        "https://e.org/fra",
        "https://e.org/fr/a",
    ],
)
def test_articles_are_no_front_pages(address: str) -> None:
    assert not filling.is_homepage(address)


def test_each_address_once_the_first_of_each() -> None:
    hits = [Hit(url(name), name) for name in ("a", "b", "A", "c", "b")]
    key = {hit.url: hit.url.lower() for hit in hits}
    assert [hit.title for hit in filling.dedup_by_url(hits, key)] == ["a", "b", "c"]
    assert filling.dedup_by_url([], {}) == []


def test_the_site_of_an_address() -> None:
    assert filling.host("https://WWW.E.org:8080/a") == "e.org"
    assert filling.host("https://wwwe.org/a") == "wwwe.org"
    assert filling.host("nothing") == ""


# --- the shelf ----------------------------------------------------------------------------------


def test_the_best_come_first_and_the_rest_is_over_quota() -> None:
    labels = [label("a", score=0.1), label("b", score=0.3), label("c", score=0.2), label("d", "Sport")]
    shelf, ledger = filled(labels, "a", "b", "c", "d")
    items = shelf.items({url("b"): "A summary"})
    assert [(one.category, one.position, one.url[-1], one.summary) for one in items] == [
        ("Town", 0, "b", "A summary"),
        ("Town", 1, "c", None),
        ("Sport", 0, "d", None),
    ]
    assert outcomes(ledger) == {"b": "taken", "c": "taken", "d": "taken", "a": "over_quota"}
    assert ledger.outcomes[url("a")] == Candidate(url("a"), "A_a", "over_quota", "Town is full")


def test_what_fits_nowhere() -> None:
    shelf, ledger = filled([label("a", None, 0.9), label("b", None, 0.8)], "ab")
    assert shelf.items({}) == ()
    assert outcomes(ledger) == {"a": "unclassified", "b": "unclassified"}
    assert ledger.outcomes[url("b")] == Candidate(url("b"), "A_b", "unclassified", "fits no category")


def test_a_story_is_one_item_with_its_other_links() -> None:
    """The first of a group speaks for it; whichever fits a category says which."""
    shelf, ledger = filled([label("a", None, 0.99), label("b", "Sport", 0.2), label("c", "Town", 0.1)], "abc")
    (item,) = shelf.items({})
    assert (item.category, item.url, item.score) == ("Sport", url("a"), 0.2)
    assert item.other_links == (Link(url("b"), "T b", "S b"), Link(url("c"), "T c", "S c"))
    assert outcomes(ledger) == {"a": "taken", "b": "duplicate", "c": "duplicate"}
    assert ledger.outcomes[url("c")].detail == f"the same story as {url('a')}"


def test_all_of_a_story_that_finds_no_room() -> None:
    _, ledger = filled([label("a", score=0.9), label("b"), label("c")], "a", "bc", max_items=1)
    assert outcomes(ledger) == {"a": "taken", "b": "over_quota", "c": "over_quota"}


def test_to_be_sure_that_nothing_fits_is_no_merit() -> None:
    labels = [label("a", None, 0.99), label("b", "Town", 0.1), label("c", "Town", 0.2)]
    shelf, _ = filled(labels, "ab", "c")
    assert [one.url for one in shelf.items({})] == [url("c"), url("a")]


def test_room() -> None:
    shelf, ledger = filled([label("a"), label("b", "Sport")], "a", "b", max_items=2)
    assert (shelf.room("Town"), shelf.room("Sport"), shelf.is_full()) == (1, 1, False)
    shelf.fill([label("c")], pieces("c"), [[url("c")]], ledger)
    assert (shelf.room("Town"), shelf.is_full()) == (0, False)
    shelf.fill([label("d", "Sport")], pieces("d"), [[url("d")]], ledger)
    assert shelf.is_full()
    assert Shelf((), 5).is_full()


def test_a_story_that_has_its_place_already_gets_another_link() -> None:
    shelf, ledger = filled(
        [label("a"), label("b", "Sport"), label("c", score=0.4)], "a", "b", "c", max_items=2
    )
    shelf.fill(
        [label("x"), label("y")], pieces(*"abcxy"), [[url("x"), url("a"), url("c")], [url("y")]], ledger
    )
    links = {one.url[-1]: [link.url[-1] for link in one.other_links] for one in shelf.items({})}
    assert links == {"a": ["x"], "c": [], "b": []}
    assert [piece.url[-1] for piece in shelf.placed()] == ["a", "c", "b"]
    assert ledger.outcomes[url("x")] == Candidate(
        url("x"), "A_x", "duplicate", f"the same story as {url('a')}"
    )
    assert outcomes(ledger)["y"] == "over_quota"


def test_an_item_says_why_it_is_there() -> None:
    shelf, ledger = filled([label("a", score=0.123456)], "a")
    (item,) = shelf.items({})
    assert (item.why, item.score, item.published_utc_iso) == ("its words: harbour, quay", 0.1235, None)
    assert (item.article_uuid, item.title, item.source) == ("A_a", "T a", "S a")
    assert ledger.outcomes[url("a")].detail == "Town: its words: harbour, quay"


def test_an_item_without_words_and_with_a_date() -> None:
    shelf = Shelf((TOWN,), 1)
    piece = Piece(None, url("a"), "a", None, "text", "S", AT)
    shelf.fill(
        [Label(piece.url, "Town", 0.5, (("goal", -1.0),))], {piece.url: piece}, [[piece.url]], Ledger()
    )
    (item,) = shelf.items({})
    assert (item.why, item.published_utc_iso) == ("its text as a whole", "2026-02-12T14:03:12+00:00")
