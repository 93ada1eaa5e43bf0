"""Tables and JSON on stdout; notes and progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, TextIO

import click

from digestlog.errors import DigestlogError

_NARROW = 12
_ELLIPSIS = "…"


def emit_json(value: object) -> None:
    """One JSON value on stdout, readable by people too where the terminal's encoding allows it."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    click.echo(text)


def note(text: str) -> None:
    """A remark that is no result."""
    click.echo(text, err=True)


def complain(error: DigestlogError) -> None:
    """An error in one line, and its hint in another, on stderr."""
    for word, colour, text in (("Error:", "red", error.message), ("Hint:", "yellow", error.hint)):
        if text:
            note(f"{click.style(word, fg=colour)} {' '.join(text.splitlines())}")


def plural(count: int, word: str) -> str:
    """`1 source`, `2 sources`."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], *, err: bool = False) -> None:
    """Aligned columns; on a terminal the widest are cut so that each row is one line."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headers, *cells, strict=True)]
    widths = _fitted(widths, _room(sys.stderr if err else sys.stdout))
    click.echo(click.style(_line(headers, widths).upper(), bold=True), err=err)
    for row in cells:
        click.echo(_line(row, widths), err=err)


def fields(pairs: Iterable[tuple[str, object]]) -> None:
    """Names and values of one thing, aligned; what is not there is left out."""
    shown = [(name, _cell(value)) for name, value in pairs if value is not None]
    width = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        click.echo(f"{name:<{width}}  {value}")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [_cut(text, width).ljust(width) for text, width in zip(cells, widths, strict=True)]
    return "  ".join(padded).rstrip()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + _ELLIPSIS


def _room(stream: TextIO) -> int | None:
    """The terminal's width; None where the output goes to a file or another program."""
    if not stream.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def _fitted(widths: list[int], room: int | None) -> list[int]:
    """The widths, the widest shortened until all fit side by side."""
    if room is None:
        return widths
    fitted = list(widths)
    while sum(fitted) + 2 * (len(fitted) - 1) > room and max(fitted) > _NARROW:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


class Progress:
    """One line on stderr that changes in place; silent unless stderr is a terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.shown = sys.stderr.isatty() and not quiet

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Replace the line."""
        if self.shown:
            import shutil

            room = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\x1b[K{_cut(text, room)}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def json_option(command: Any) -> Any:
    """`--json` on a command that programs read."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON (docs/json-output.md).")(command)
