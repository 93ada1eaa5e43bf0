from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.words import MAX_WORDS, Words, folded, is_unspaced


def forms(text: str) -> list[str]:
    words = Words()
    return [words.form(number) for number in words.read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("... — !?", []),
        ("The cat's 2 hats, 1999", ["the", "cat", "hats"]),
        ("G20 and 5G", ["g20", "and", "5g"]),
        ("L'Élection présidentielle", ["election", "presidentielle"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ﬁlm", ["film"]),
        ("выборы в Думу", ["выборы", "думу"]),
        ("चुनाव की", ["चुनाव", "की"]),
        ("هٰذا كِتَاب", ["هذا", "كتاب"]),
        ("世界杯", ["世界", "界杯"]),
        ("税", ["税"]),
        ("選挙とAIの話", ["選挙", "挙と", "ai", "の話"]),
        ("선거 결과는", ["선거", "결과", "과는"]),
        ("ผล", ["ผล"]),
    ],
)
def test_words_of_any_script(text: str, expected: list[str]) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("elections", "election"),
        ("parties", "party"),
        ("ties", "ties"),
        ("class", "class"),
        ("virus", "viru"),
        ("bus", "bus"),
        ("gas", "gas"),
        ("x" * 100, "x" * 40),
    ],
)
def test_folded(word: str, expected: str) -> None:
    assert folded(word) == expected


def test_forms_of_a_word_have_one_number_and_the_shortest_is_shown() -> None:
    words = Words()
    first, second, third = words.read("elections Élection ELECTION")
    assert first == second == third
    assert words.shown(first) == "election"


def test_a_word_is_shown_as_it_is_written_even_where_folding_cuts_it() -> None:
    words = Words()
    (virus,) = words.read("virus")
    assert (words.form(virus), words.shown(virus)) == ("viru", "virus")


def test_a_phrase_is_a_word_of_its_own() -> None:
    words = Words()
    parts = words.read("世界杯")
    phrase = words.phrase(parts, "世界杯")
    assert phrase not in parts
    assert (words.form(phrase), words.shown(phrase)) == ("世界 界杯", "世界杯")
    assert words.phrase(parts, "世界杯") == phrase


@pytest.mark.parametrize(("word", "expected"), [("税", True), ("abc", False), ("한국", True), ("да", False)])
def test_is_unspaced(word: str, expected: bool) -> None:
    assert is_unspaced(word) is expected


@given(st.text())
def test_any_text_gives_bounded_numbers_that_have_a_form(text: str) -> None:
    words = Words()
    numbers = words.read(text)
    assert len(numbers) <= MAX_WORDS
    assert all(words.form(number) and words.shown(number) for number in numbers)


@given(st.text())
def test_reading_twice_gives_the_same_numbers(text: str) -> None:
    words = Words()
    assert words.read(text) == words.read(text)


@given(st.text(alphabet="abcdeé XYZ.,", max_size=60))
def test_case_never_matters(text: str) -> None:
    assert forms(text) == forms(text.upper())


@pytest.mark.parametrize("piece", ["a ", "1", "世", "\u0301\u0316", "\ufdfa", "a\u200d", "_", "क्"])
def test_a_huge_text_costs_no_more_than_its_beginning(piece: str) -> None:
    start = time.process_time()
    assert len(Words().read(piece * 500_000)) <= MAX_WORDS
    assert time.process_time() - start < 2
