"""Kept, taken out, put in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.word_diff import MAX_MIDDLE, matching, tokens, word_diff, words


def test_only_the_changed_words_are_marked() -> None:
    assert word_diff("within 30 days after", "within 14 days after") == (
        ("=", "within"),
        ("-", " 30"),
        ("+", " 14"),
        ("=", " days after"),
    )


def test_additions_removals_and_equal_texts() -> None:
    assert word_diff("a b", "a b c") == (("=", "a b"), ("+", " c"))
    assert word_diff("a b c", "a b") == (("=", "a b"), ("-", " c"))
    assert word_diff("same", "same") == (("=", "same"),)
    assert word_diff("", "") == ()


def test_far_from_a_difference_words_are_left_out() -> None:
    text = " ".join(f"w{at}" for at in range(100))
    (_, head), _, _, (_, tail) = word_diff(f"{text} old {text}", f"{text} new {text}")
    assert head.startswith(" … w88") and tail.endswith("w11 …")
    middle = word_diff(f"old {text} old", f"new {text} new")[2][1]
    assert " … " in middle and middle.startswith(" w0")


def test_a_long_middle_is_one_replacement() -> None:
    one, two = (" ".join(f"{mark}{at}" for at in range(MAX_MIDDLE + 10)) for mark in "xy")
    assert [op for op, _ in word_diff(one, two)] == ["-", "+"]


def test_signs_of_scripts_without_spaces_are_words() -> None:
    assert words("在庫あり 12") == ["在", "庫", "あ", "り", "12"]
    assert tokens("€49.00, v2.3-rc") == ["€", "49.00", ",", "v2.3-rc"]


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_the_operations_lead_from_one_to_the_other(old: list[str], new: list[str]) -> None:
    built: list[str] = []
    at = 0
    for tag, a, b, c, d in matching(old, new):
        assert a == at
        at = b
        built += old[a:b] if tag == "equal" else new[c:d]
    assert (built, at) == (new, len(old))
