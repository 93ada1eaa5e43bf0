"""Categories as a person types them, and the starter set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.digest import Category
from digestlog.core.own_categories import MAX_NAME, Changes, category, changed, key, keywords_of
from digestlog.core.starter_set import STARTER, starter
from digestlog.errors import ConfigError

TOWN = Category("Town", "What happens here", ("harbour", "Quay", "city council"))


# --- a new one --------------------------------------------------------------------------------


def test_a_category_is_cleaned() -> None:
    made = category("  The \n Town\u200b ", " What\thappens ", [" harbour ,quay", "", "city  council"])
    assert made == Category("The Town", "What happens", ("harbour", "quay", "city council"))


def test_a_name_is_enough() -> None:
    assert category("Town") == category("Town", "", ["", " , "]) == Category("Town", None, ())


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\n\t"])
def test_a_category_needs_a_name(name: str) -> None:
    with pytest.raises(ConfigError, match="a category needs a name"):
        category(name)


def test_a_name_has_an_end() -> None:
    assert category("x" * MAX_NAME).name == "x" * MAX_NAME
    with pytest.raises(ConfigError, match="is too long for a name") as caught:
        category("x" * (MAX_NAME + 1))
    assert len(caught.value.message) < 60


# --- keywords ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], ()),
        (["a, b"], ("a", "b")),
        (["a", "b,a"], ("a", "b")),
        (["Quay, QUAY, quay"], ("Quay",)),
        (["city  council", "City Council"], ("city council",)),
        (["Straße", "STRASSE"], ("Straße",)),
        ([",,", " "], ()),
    ],
)
def test_each_keyword_once(texts: list[str], expected: tuple[str, ...]) -> None:
    assert keywords_of(texts) == expected


@given(st.lists(st.text(max_size=20), max_size=5))
def test_keywords_of_keywords_are_the_same(texts: list[str]) -> None:
    once = keywords_of(texts)
    assert keywords_of(once) == once
    assert len({key(word) for word in once}) == len(once)


# --- changes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (Changes(), TOWN),
        (Changes(name=" City "), Category("City", TOWN.description, TOWN.keywords)),
        (Changes(description=""), Category("Town", None, TOWN.keywords)),
        (Changes(description=" New "), Category("Town", "New", TOWN.keywords)),
        (Changes(keywords=("port, bridge",)), Category("Town", TOWN.description, ("port", "bridge"))),
        (Changes(keywords=("",)), Category("Town", TOWN.description, ())),
        (
            Changes(add_keywords=("port", "QUAY")),
            Category("Town", TOWN.description, (*TOWN.keywords, "port")),
        ),
        (
            Changes(drop_keywords=("quay, City council", "unknown")),
            Category("Town", TOWN.description, ("harbour",)),
        ),
        (
            Changes(drop_keywords=("quay",), add_keywords=("quay",)),
            Category("Town", TOWN.description, ("harbour", "city council", "quay")),
        ),
        (
            Changes(keywords=("a, b",), add_keywords=("c",), drop_keywords=("A",)),
            Category("Town", TOWN.description, ("b", "c")),
        ),
    ],
)
def test_a_change(changes: Changes, expected: Category) -> None:
    assert changed(TOWN, changes) == expected


@pytest.mark.parametrize("name", ["", " ", "x" * 81])
def test_a_change_leaves_a_name(name: str) -> None:
    with pytest.raises(ConfigError):
        changed(TOWN, Changes(name=name))


# --- the starter set --------------------------------------------------------------------------


def test_the_names_of_the_starter_set() -> None:
    assert [one.name for one in STARTER] == [
        "World",
        "Politics",
        "Business",
        "Technology",
        "Science",
        "Health",
        "Environment",
        "Culture",
        "Sport",
        "Local life",
    ]
    assert [one.name for one in starter("fr")] == [
        "Monde",
        "Politique",
        "Économie",
        "Technologies",
        "Sciences",
        "Santé",
        "Environnement",
        "Culture",
        "Sport",
        "Vie locale",
    ]
    assert starter("en") == STARTER


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_starter_is_one_that_a_person_could_have_typed(language: str) -> None:
    for one in starter(language):
        assert category(one.name, one.description, one.keywords) == one
        assert one.description and len(one.keywords) >= 50


def test_the_keywords_are_the_same_in_both_languages() -> None:
    for english, french in zip(STARTER, starter("fr"), strict=True):
        assert set(english.keywords) == set(french.keywords) and english.keywords != french.keywords
        assert english.description != french.description


def test_no_keyword_speaks_for_two_categories() -> None:
    seen: dict[str, str] = {}
    for one in STARTER:
        for word in one.keywords:
            assert seen.setdefault(key(word), one.name) == one.name, word


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Politics", {"election", "parliament", "scrutin", "premier ministre"}),
        ("Sport", {"football", "olympic games", "championnat", "entraîneur"}),
        ("Health", {"hospital", "vaccine", "hôpital", "maladie"}),
    ],
)
def test_words_of_both_languages(name: str, words: set[str]) -> None:
    (one,) = [one for one in STARTER if one.name == name]
    assert words <= set(one.keywords)


@pytest.mark.parametrize("word", ["but", "mars", "coup", "stage", "court", "application", "pain", "chat"])
def test_no_keyword_is_a_common_word_of_the_other_language(word: str) -> None:
    assert not [one.name for one in STARTER if word in one.keywords]
