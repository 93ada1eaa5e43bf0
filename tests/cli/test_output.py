"""Tables, fields and JSON on stdout; notes, errors and progress on stderr."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.cli import output
from digestlog.cli.output import Progress, complain, emit_json, fields, note, plural, table
from digestlog.errors import ConfigError

Captured = pytest.CaptureFixture[str]


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def forty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every terminal of these tests is narrow."""
    monkeypatch.setenv("COLUMNS", "40")


@contextmanager
def screen() -> Iterator[Screen]:
    """Both streams as one terminal."""
    with redirect_stdout(Screen()) as shown, redirect_stderr(shown):
        yield shown


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 sources"), (1, "1 source"), (2, "2 sources"), (1234, "1,234 sources")]
)
def test_plural(count: int, words: str) -> None:
    assert plural(count, "source") == words


def test_table(capsys: Captured) -> None:
    table(("id", "name", "on"), [("W_RSS_1", None, True), ("W_RSS_10", "x" * 50, False)])
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines() == [
        f"ID        NAME{' ' * 46}  ON",
        f"W_RSS_1   {' ' * 50}  yes",
        f"W_RSS_10  {'x' * 50}  no",
    ]


def test_a_table_that_is_no_result(capsys: Captured) -> None:
    table(("id",), [("W_RSS_1",)], err=True)
    assert capsys.readouterr() == ("", "ID\nW_RSS_1\n")


def test_a_table_without_rows(capsys: Captured) -> None:
    table(("id", "name"), [])
    assert capsys.readouterr().out == "ID  NAME\n"


def test_a_table_fits_the_terminal() -> None:
    with screen() as shown:
        table(("id", "name", "address"), [("W_1", "n" * 30, "a" * 60), ("W_2", "short", "b")])
    lines = shown.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()
    assert len(lines) == 3
    assert all(len(line) <= 40 for line in lines)
    assert lines[1].count("…") == 2


def test_a_table_is_never_cut_to_nothing() -> None:
    with screen() as shown:
        table([str(n) for n in range(6)], [["x" * 20] * 6])
    assert shown.getvalue().splitlines()[1].split() == ["x" * 11 + "…"] * 6


def test_fields_leave_out_what_is_not_there(capsys: Captured) -> None:
    fields([("id", "W_1"), ("nothing", None), ("private", False), ("failures", 0)])
    assert capsys.readouterr().out.splitlines() == ["id        W_1", "private   no", "failures  0"]


def test_no_fields(capsys: Captured) -> None:
    fields([("nothing", None)])
    assert capsys.readouterr().out == ""


def test_json_for_people(capsys: Captured) -> None:
    emit_json({"name": "Café ☕"})
    assert capsys.readouterr().out == '{\n  "name": "Café ☕"\n}\n'


@pytest.mark.parametrize(
    ("encoding", "value"), [("cp1252", "☕"), ("utf-8", "\udcff"), ("ascii", "é"), ("utf-16", "\ud800")]
)
def test_json_that_the_terminal_cannot_show(encoding: str, value: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    with redirect_stdout(stream):
        emit_json([value])
    written = stream.buffer.getvalue()  # type: ignore[attr-defined]
    assert json.loads(written.decode(encoding)) == [value]


def test_notes_go_to_stderr(capsys: Captured) -> None:
    note("a remark")
    assert capsys.readouterr() == ("", "a remark\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConfigError("bad", "do this"), "Error: bad\nHint: do this\n"),
        (ConfigError("bad"), "Error: bad\n"),
        (ConfigError("two\nlines", "and\r\nmore"), "Error: two lines\nHint: and more\n"),
    ],
)
def test_complaints(capsys: Captured, error: ConfigError, said: str) -> None:
    complain(error)
    assert capsys.readouterr() == ("", said)


def test_complaints_have_colour_on_a_terminal() -> None:
    with screen() as shown:
        complain(ConfigError("bad", "do this"))
    assert shown.getvalue() == "\x1b[31mError:\x1b[0m bad\n\x1b[33mHint:\x1b[0m do this\n"


# --- progress ---------------------------------------------------------------------------------


def test_progress_is_one_line_that_goes_away() -> None:
    with screen() as shown, Progress() as progress:
        progress.show("looking")
        progress.show("x" * 100)
    assert shown.getvalue() == f"\r\x1b[Klooking\r\x1b[K{'x' * 38}…\r\x1b[K"


def test_quiet_progress_says_nothing() -> None:
    with screen() as shown, Progress(quiet=True) as progress:
        progress.show("looking")
    assert shown.getvalue() == ""


def test_progress_says_nothing_where_nobody_looks(capsys: Captured) -> None:
    with Progress() as progress:
        progress.show("looking")
    assert capsys.readouterr() == ("", "")


def test_progress_goes_away_on_an_error() -> None:
    with screen() as shown, pytest.raises(ZeroDivisionError), Progress() as progress:
        progress.show("looking")
        raise ZeroDivisionError
    assert shown.getvalue().endswith("\r\x1b[K")


@given(st.lists(st.integers(0, 200), min_size=1, max_size=8), st.integers(1, 200))
def test_columns_fit_or_are_as_narrow_as_they_get(widths: list[int], room: int) -> None:
    fitted = output._fitted(widths, room)
    assert all(new <= old for new, old in zip(fitted, widths, strict=True))
    assert all(new >= min(old, 12) for new, old in zip(fitted, widths, strict=True))
    assert sum(fitted) + 2 * (len(fitted) - 1) <= room or max(fitted) <= 12
