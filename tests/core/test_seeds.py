from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.categories import Category
from digestlog.core.seeds import Seeds
from digestlog.core.words import Words

POLITICS = Category("Politics", "Elections and laws", ("vote", "prime minister", "economy"))
SPORT = Category("Sport", None, ("match", "world cup", "prime time", "vote of confidence"))


def tilts(text: str, *categories: Category, texts: int = 50) -> dict[str, list[float]]:
    """The factors of the words of a text that stands alone among many others."""
    words = Words()
    seeds = Seeds(categories, words)
    counts = dict.fromkeys(seeds.read(text), 1)
    return {words.form(word): row for word, row in seeds.tilts(counts, texts, len(categories)).items()}


def favourite(row: list[float]) -> int | None:
    return row.index(max(row)) if max(row) > min(row) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the weather", {}),
        ("a vote", {"vote": 0}),
        ("the match", {"match": 1}),
        ("The World Cup", {"world cup": 1}),
        ("the cup of the world", {}),
        ("prime minister", {"prime minister": 0}),
        ("in prime time", {"prime time": 1}),
        ("a vote of confidence", {"vote": 0, "vote of confidence": 1}),
        ("sporting", {"sporting": 1}),
        ("sportsmanlikeness", {}),
        ("politically", {"politically": 0}),
        ("economic", {"economic": 0}),
        ("voters", {}),
        ("election", {"election": 0}),
    ],
)
def test_what_a_definition_says_about_words(text: str, expected: dict[str, int]) -> None:
    assert {word: favourite(row) for word, row in tilts(text, POLITICS, SPORT).items()} == expected


@pytest.mark.parametrize(
    ("keyword", "text", "expected"),
    [
        ("税", "増税法案", ["増税", "税法"]),
        ("世界杯", "在世界杯上", ["世界 界杯"]),
        ("выборы", "о выборах", ["выборах"]),
        ("élection", "ELECTIONS", ["election"]),
    ],
)
def test_keywords_of_any_script(keyword: str, text: str, expected: list[str]) -> None:
    assert list(tilts(text, Category("-", None, (keyword,)))) == expected


def test_a_keyword_says_more_than_a_description_and_that_more_than_an_ending() -> None:
    (keyword,) = tilts("vote", POLITICS)["vote"]
    (described,) = tilts("election", POLITICS)["election"]
    (related,) = tilts("economic", POLITICS)["economic"]
    assert keyword > related > described > 1


def test_a_word_that_two_categories_claim_says_less_for_each() -> None:
    other = Category("Other", None, ("vote",))
    shared = tilts("vote", POLITICS, other)["vote"]
    assert shared[0] == shared[1] < tilts("vote", POLITICS)["vote"][0]


def test_a_common_word_says_less_but_a_keyword_never_nothing() -> None:
    words = Words()
    seeds = Seeds([POLITICS], words)
    (vote,) = words.read("vote")
    rare, common = (seeds.tilts({vote: count}, 1000, 1)[vote][0] for count in (2, 1000))
    assert rare > common > 1


def test_only_names_and_keywords_are_keywords() -> None:
    words = Words()
    seeds = Seeds([POLITICS], words)
    assert [seeds.is_keyword(word) for word in words.read("vote politics elections weather")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_category_without_words_says_nothing() -> None:
    assert tilts("anything at all", Category("?!", "", ("", "7", "-"))) == {}
    assert tilts("anything at all") == {}


def test_a_word_is_read_once() -> None:
    words = Words()
    seeds = Seeds([SPORT], words)
    assert len(seeds.read("cup cup world cup world cup")) == 3


@given(st.lists(st.text(max_size=12), max_size=6), st.text(max_size=40))
def test_factors_are_bounded_and_never_below_one(keywords: list[str], text: str) -> None:
    for row in tilts(text, Category("a", text, tuple(keywords)), POLITICS).values():
        assert all(1 <= factor <= 30 for factor in row)
