"""Cells of a CSV file: text stays text, and every text comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.csv_cells import cell, guarded


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (-5, "-5"),
        (0.1, "0.1"),
        ("plain", "plain"),
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("＝1", "'＝1"),
        ("'quoted'", "''quoted'"),
        ("a=b", "a=b"),
        ([{"é": 1}], '[{"é": 1}]'),
    ],
)
def test_a_cell(value: object, shown: str) -> None:
    assert cell(value) == shown


@pytest.mark.parametrize("text", ["=1", "'a", "\t", "plain"])
def test_raw_texts_stay_as_they_are(text: str) -> None:
    assert cell(text, raw=True) == text


@given(st.text())
def test_taking_one_apostrophe_away_gives_the_text_back(text: str) -> None:
    shown = guarded(text)
    assert shown.removeprefix("'") == text
    assert not shown.startswith(tuple("=+-@\t\r\n＝＋－＠"))
