"""Tables as rows whose cells have names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from digestlog.core.html_tree import Element
from digestlog.core.watching.gist import gist
from digestlog.core.watching.line import ROW, Line

MAX_ROWS = 2_000
MAX_CELLS = 40
MAX_CELL = 300
# Between the cells of a row, in its text and its gist.
BAR = " | "


def rows_of(table: Element, text_of: Callable[[Element], str]) -> list[Line] | None:
    """The rows of a table of data; None for a table that only lays out a page."""
    if not _is_data(table):
        return None
    names: list[str] = []
    lines = []
    for at, (row, in_head) in enumerate(_rows(table)):
        cells = [cell for cell in row if cell.tag in ("td", "th")][:MAX_CELLS]
        texts = [text_of(cell)[:MAX_CELL] for cell in cells]
        if not any(texts):
            continue
        if not names and (in_head or (at == 0 and all(cell.tag == "th" for cell in cells))):
            names = texts
        text = BAR.join(texts)
        lines.append(Line(text, BAR.join(map(gist, texts)), "", "", ROW, label=BAR.join(names)))
    return lines


def _rows(table: Element) -> Iterator[tuple[Element, bool]]:
    groups = ((part, part.tag == "thead") for part in table if part.tag in ("thead", "tbody", "tfoot", "tr"))
    found = (
        pair
        for part, in_head in groups
        for pair in (
            [(part, False)] if part.tag == "tr" else [(row, in_head) for row in part if row.tag == "tr"]
        )
    )
    return islice(found, MAX_ROWS)


def _is_data(table: Element) -> bool:
    """Whether it has rows of several short cells and no table, form or long text in them."""
    if table.get("role") in ("presentation", "none"):
        return False
    if any(
        element is not table for element in islice(table.iter("table", "form", "nav", "article", "main"), 2)
    ):
        return False
    rows = [row for row, _ in _rows(table)]
    wide = sum(1 for row in rows if sum(1 for cell in row if cell.tag in ("td", "th")) > 1)
    if wide * 2 < len(rows) or wide < 2:
        return False
    cells = (cell for row in islice(rows, 50) for cell in islice(row, MAX_CELLS))
    return all(_length(cell) <= 2 * MAX_CELL for cell in cells)


def _length(cell: Element) -> int:
    return sum(len(text) for text in islice(cell.itertext(), 60))
