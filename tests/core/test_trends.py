"""Trends: days without a gap, and rows of numbers as marks."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.trends import (
    DEFINITIONS,
    Series,
    days_a_mark,
    fits,
    last_days,
    sparkline,
    without_gaps,
)


def test_the_definitions_have_ids_of_their_names() -> None:
    assert len({one.id for one in DEFINITIONS}) == len({one.name for one in DEFINITIONS}) == 6
    assert DEFINITIONS[0].id == "c91f242f-a5c5-5735-bfb8-851e0cc7c9de"
    assert {(one.metric, one.scope) for one in DEFINITIONS} == {
        ("changes", "all"),
        ("changes", "brand"),
        ("discoveries", "all"),
        ("discoveries", "category"),
        ("discoveries", "source"),
        ("discoveries", "reason"),
    }


def test_days_up_to_today() -> None:
    assert last_days(date(2026, 3, 1), 3) == ("2026-02-27", "2026-02-28", "2026-03-01")
    assert last_days(date(1, 1, 2), 30) == ("0001-01-01", "0001-01-02")


def test_gaps_are_zeros() -> None:
    days = last_days(date(2026, 3, 2), 4)
    assert without_gaps({"2026-02-28": 2.0, "2026-03-02": 1.0, "2020-01-01": 9.0}, days) == (
        0.0,
        2.0,
        0.0,
        1.0,
    )


def test_totals() -> None:
    one = Series("a", "A", ("2026-03-01", "2026-03-02", "2026-03-03"), (3.0, 0.0, 4.0))
    assert (one.total, one.least, one.most) == (7.0, 0.0, 4.0)


@pytest.mark.parametrize(
    ("values", "marks", "plain"),
    [
        ([], "", ""),
        ([0, 0], "··", ".."),
        ([1], "█", "@"),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8], "·▁▂▃▄▅▆▇█", ".:-=+*%#@"),
        ([1, 1_000], "▁█", ":@"),
        ([5, 5, 0], "██·", "@@."),
    ],
)
def test_sparklines(values: list[float], marks: str, plain: str) -> None:
    assert sparkline(values) == marks
    assert sparkline(values, plain=True) == plain


def test_many_days_share_marks_and_the_last_ends_today() -> None:
    assert sparkline([1, 0, 0, 2, 2], width=3) == "▂·█"
    assert sparkline([8] * 120) == "█" * 60
    assert [days_a_mark(days) for days in (1, 60, 61, 365)] == [1, 1, 2, 7]


@given(st.lists(st.integers(0, 10**6), max_size=400), st.integers(1, 80))
def test_no_mark_hides_a_change(values: list[int], width: int) -> None:
    marks = sparkline(values, width=width)
    assert len(marks) <= width and ("█" in marks) == any(values)
    assert (set(marks) <= {"·"}) == (not any(values))
    if len(values) <= width:
        assert [mark == "·" for mark in marks] == [value == 0 for value in values]


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-8", True), ("ascii", False), ("latin-1", False), ("no such", False), (None, False)],
)
def test_where_blocks_can_be_shown(encoding: str | None, expected: bool) -> None:
    assert fits(encoding) is expected
