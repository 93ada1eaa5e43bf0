# ruff: noqa: E501 - markup is not wrapped
"""Summaries without a model."""

from __future__ import annotations

import pytest

from digestlog.core.change_words import MAX_SUMMARY, summarise
from digestlog.core.changes import KINDS, Change


def _change(kind: str, before: str | None, after: str | None) -> Change:
    return Change(kind, "real", 0.1, before, after)


@pytest.mark.parametrize(
    ("kind", "before", "after", "words"),
    [
        ("price", "49.00 EUR", "44.50 EUR", "Price 49.00 → 44.50 EUR"),
        ("price", "49.00 EUR", "50.00 USD", "Price 49.00 EUR → 50.00 USD"),
        ("price", "€49.00 incl. VAT", "€44.50 incl. VAT", "Price: €49.00 incl. VAT → €44.50 incl. VAT"),
        ("price", None, "44.50 EUR", "Price: 44.50 EUR"),
        ("title", "Old", "New", "Title: Old → New"),
        ("availability", "In stock", "Out of stock", "Availability: In stock → Out of stock"),
        (
            "status",
            "API: Operational\nWeb: Up",
            "API: Down\nWeb: Down",
            "Status: API: Operational → API: Down (and 1 more)",
        ),
        ("text_added", None, "One\nTwo\nThree", "Added: One (and 2 more)"),
        ("text_removed", "Gone", None, "Removed: Gone"),
        ("text_changed", "a 1", "a 2", "Changed: a 1 → a 2"),
        ("table", "Team, Limit: 600", "Team, Limit: 500", "Table: Team, Limit: 600 → Team, Limit: 500"),
        ("link", "Get → e.com/1", "Get → e.com/2", "Link: Get → e.com/1 → Get → e.com/2"),
    ],
)
def test_each_kind_has_its_words(kind: str, before: str | None, after: str | None, words: str) -> None:
    assert summarise(_change(kind, before, after)) == words


def test_other_languages() -> None:
    change = _change("price", "49.00 EUR", "44.50 EUR")
    assert summarise(change, "de-AT") == "Preis 49.00 → 44.50 EUR"
    assert summarise(change, "xx") == "Price 49.00 → 44.50 EUR"


def test_of_long_texts_the_words_around_the_difference_are_shown() -> None:
    text = "word " * 60
    said = summarise(_change("text_changed", f"{text}within 30 days {text}", f"{text}within 14 days {text}"))
    assert "within 30 days" in said and "within 14 days" in said


def test_a_long_text_that_was_prolonged() -> None:
    text = "word " * 60
    assert summarise(_change("text_changed", text, f"{text}end")).startswith("Changed: word")


@pytest.mark.parametrize("kind", KINDS)
def test_a_summary_is_one_bounded_line_without_control_characters(kind: str) -> None:
    side = "x\x1b[31m" * 500 + "\n" + "y" * 900
    for change in (_change(kind, side, side[1:]), _change(kind, None, side), _change(kind, side, None)):
        said = summarise(change)
        assert 0 < len(said) <= MAX_SUMMARY
        assert said.isprintable()
