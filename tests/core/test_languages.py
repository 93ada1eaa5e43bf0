from __future__ import annotations

import pytest

from digestlog.core.languages import language_groups
from digestlog.core.words import Words

ENGLISH = "The minister said that the vote of the parliament was lost"
FRENCH = "Le ministre est dans une situation difficile et les députés sont partis"
GERMAN = "Der Minister ist nicht mit dem Ergebnis und den Folgen zufrieden"


def groups(*texts: str) -> dict[str, str]:
    words = Words()
    items = [words.read(text) for text in texts]
    known = dict.fromkeys(word for item in items for word in item)
    return {words.form(word): group for word, group in language_groups(items, words, known).items()}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("vote", "en"),
        ("parliament", "en"),
        ("depute", "fr"),
        ("situation", "fr"),
        ("ergebni", "de"),
        ("folgen", "de"),
    ],
)
def test_a_word_has_the_language_of_its_texts(word: str, expected: str) -> None:
    assert groups(ENGLISH, FRENCH, GERMAN)[word] == expected


def test_a_word_of_several_languages_goes_where_it_is_oftener() -> None:
    assert groups(ENGLISH, GERMAN, GERMAN + " x")["minister"] == "de"
    assert groups(ENGLISH, ENGLISH + " x", GERMAN)["minister"] == "en"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("выборы", {"CYRILLIC"}),
        ("انتخابات", {"ARABIC"}),
        ("选举", {"CJK"}),
        ("선거", {"HANGUL"}),
        ("Αθήνα", {"GREEK"}),
        ("5g", {"DIGIT"}),
        ("zzyzx", {"LATIN"}),
        ("", set()),
    ],
)
def test_other_scripts_need_no_list(text: str, expected: set[str]) -> None:
    assert set(groups(text).values()) == expected


def test_only_known_words_are_grouped() -> None:
    words = Words()
    item = words.read(ENGLISH)
    assert list(language_groups([item], words, item[:2])) == item[:2]


def test_text_order_does_not_matter() -> None:
    assert groups(ENGLISH, FRENCH, GERMAN) == groups(GERMAN, FRENCH, ENGLISH)
