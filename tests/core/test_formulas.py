from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.formulas import FormulaGuard


def disarmed(text: str, *, size: int | None = None) -> str:
    guard = FormulaGuard()
    pieces = [text] if size is None else [text[at : at + size] for at in range(0, len(text), size)]
    return "".join(map(guard.feed, pieces)) + guard.finish()


def written(rows: list[list[str]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "  ="])
@pytest.mark.parametrize("rest", ["1+1", "cmd|' /C calc'!A0", 'HYPERLINK("http://x","y")', ""])
def test_what_a_spreadsheet_would_run_gets_a_mark(start: str, rest: str) -> None:
    assert read(disarmed(written([["a", start + rest, "b"]]))) == [["a", "'" + start + rest, "b"]]


@pytest.mark.parametrize("cell", ["", "a", "a=1", "5", "'=1", '"', '"=1"', "a\n=1", "a,=1", " a", "é"])
def test_other_cells_stay(cell: str) -> None:
    assert disarmed(written([[cell, cell], ["x", cell]])) == written([[cell, cell], ["x", cell]])


@pytest.mark.parametrize("number", ["-5", "+5", "-5.25", "-.5", "-5.", "-1e10", "+1.5E-3"])
def test_numbers_stay_numbers(number: str) -> None:
    assert disarmed(f"{number},x\r\nx,{number}\r\n") == f"{number},x\r\nx,{number}\r\n"


@pytest.mark.parametrize("almost", ["-5+cmd", "--5", "-", "-5 ", "-5\n", "-e5", "-1e", "-0x5", "-٥"])
def test_what_only_begins_like_a_number_does_not(almost: str) -> None:
    assert read(disarmed(written([[almost]]))) == [["'" + almost]]


def test_the_names_of_columns_are_cells_too() -> None:
    assert disarmed("=a,b\r\n1,2\r\n") == "'=a,b\r\n1,2\r\n"


def test_a_byte_order_mark_is_no_part_of_the_first_cell() -> None:
    assert disarmed("\ufeff=a,b\r\n") == "\ufeff'=a,b\r\n"
    assert disarmed("\ufeffa\r\n\ufeff=b\r\n") == "\ufeffa\r\n\ufeff=b\r\n"


def test_rows_leave_as_soon_as_they_are_whole() -> None:
    guard = FormulaGuard()
    assert guard.feed('a,"b\n') == ""
    assert guard.feed('c"\r\nd') == 'a,"b\nc"\r\n'
    assert guard.feed(',"=e') == ""
    assert guard.finish() == "d,\"'=e"


def test_nothing_is_nothing() -> None:
    assert disarmed("") == ""


CELLS = st.text(st.sampled_from("=+-@\t\r\n,\"a1. '＝"), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=4), st.integers(1, 9))
def test_any_rows_come_back_with_marks_and_nothing_else(rows: list[list[str]], size: int) -> None:
    """However the text is cut; and no cell can start a formula."""
    text = written(rows)
    assert disarmed(text, size=size) == disarmed(text)
    found = read(disarmed(text))
    assert len(found) == len(rows)
    for before, after in zip(rows, found, strict=True):
        for cell, kept in zip(before, after, strict=True):
            assert kept in (cell, "'" + cell)
            if kept == cell and cell.lstrip(" ").startswith(tuple("=+-@\t\r\n＝")):
                float(cell)
