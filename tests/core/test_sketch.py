"""Shingle sketches: stable, storable, alike where texts are alike."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.sketch import BANDS, MAX_CHARS, ROWS, bands, readable, shingles, sketch, words
from digestlog.demo.town import TOWN

BRIDGE = TOWN[0].text
LOWEST = 196144931756392910
FIRST_BANDS = (766880630366980688, 925736824040380352)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... --- !", []),
        ("The Sallow bridge", ["the", "sallow", "bridge"]),
        ("don't", ["don", "t"]),
        ("4,000 at 05:52, 2-1", ["4,000", "at", "05:52", "2-1"]),
        ("snake_case", ["snake", "case"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
        ("天", ["天"]),
        ("天黑", ["天黑"]),
        ("天黑了 ok", ["天黑", "黑了", "ok"]),
        ("カメラ", ["カメ", "メラ"]),
        ("한국어", ["한국", "국어"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("e\u0301te\u0301", ["été"]),
        ("Москва", ["москва"]),
        ("مدينة الزهراء", ["مدينة", "الزهراء"]),
        ("a" * 100, ["a" * 64, "a" * 36]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_what_stands_far_down_is_not_read() -> None:
    assert readable("a" * (MAX_CHARS + 5)) == "a" * MAX_CHARS
    assert sketch("a b " * MAX_CHARS) == sketch("a b " * (2 * MAX_CHARS))


def test_the_sketch_is_the_same_on_every_machine() -> None:
    # A stored sketch must stay comparable: changing these is a change of the file's format.
    assert min(sketch("The bridge is stuck open")) == LOWEST
    assert bands(sketch("The bridge is stuck open"))[:2] == FIRST_BANDS
    assert bands(list(sketch(BRIDGE))) == bands(sketch(BRIDGE))


@pytest.mark.parametrize("text", ["", " ", "?!"])
def test_a_text_without_words_has_no_sketch(text: str) -> None:
    assert sketch(text) == ()
    assert bands(()) == ()


@pytest.mark.parametrize("text", ["a", "a b", "a b c", BRIDGE, "天"])
def test_every_other_text_has_a_sketch_of_one_size(text: str) -> None:
    assert len(sketch(text)) == BANDS * ROWS
    assert len(bands(sketch(text))) == BANDS


@given(st.text())
def test_values_fit_an_integer_column(text: str) -> None:
    found = sketch(text)
    assert found == sketch(text)
    assert all(0 <= value < 2**63 for value in (*found, *bands(found)))


def test_the_order_of_words_counts() -> None:
    assert shingles(["a", "b", "c"]) != shingles(["c", "b", "a"])
    assert shingles(["a"]) != shingles(["a", "a"])
    assert len(shingles(["a", "b", "c", "d"])) == 2


def changed(share: float, seed: int) -> str:
    """The bridge story with a share of its words replaced."""
    chance = random.Random(seed)
    return " ".join(f"new{at}" if chance.random() < share else word for at, word in enumerate(BRIDGE.split()))


@pytest.mark.parametrize(("share", "least"), [(0.0, 20), (0.02, 20), (0.08, 17)])
def test_near_copies_share_a_band(share: float, least: int) -> None:
    own = set(bands(sketch(BRIDGE)))
    assert sum(not own.isdisjoint(bands(sketch(changed(share, seed)))) for seed in range(20)) >= least


def test_other_texts_share_none() -> None:
    found = [band for one in TOWN for band in bands(sketch(one.text))]
    assert len(set(found)) == len(found)


def test_the_share_of_equal_values_follows_the_share_of_equal_shingles() -> None:
    whole = shingles(words(BRIDGE))
    for share in (0.02, 0.05, 0.1, 0.2):
        other = changed(share, 1)
        part = shingles(words(other))
        true = len(whole & part) / len(whole | part)
        equal = sum(a == b for a, b in zip(sketch(BRIDGE), sketch(other), strict=True)) / (BANDS * ROWS)
        assert abs(true - equal) < 0.2
