"""CSV that stays text in a spreadsheet: a cell that would be run as a formula gets a ' in front.

The text comes in pieces and leaves in whole rows. Numbers such as -5 stay numbers.
"""

from __future__ import annotations

import re

# What makes a spreadsheet take a cell for a formula, and the wide forms that some turn into those.
_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-](?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
# A cell, quoted or not, and what ends it.
_CELL = re.compile(r'("[^"]*(?:""[^"]*)*(?:"|\Z)|[^",\r\n]*)([^,\r\n]*)(,|\r\n|\n|\r|\Z)')
_BOM = "\ufeff"


class FormulaGuard:
    """Takes CSV in pieces and gives it back with its formulas disarmed."""

    def __init__(self) -> None:
        self._held = ""
        self._begun = False

    def feed(self, text: str) -> str:
        """The rows that are whole after this piece."""
        self._held += text
        rows, self._held = _split(self._held)
        return self._disarmed(rows)

    def finish(self) -> str:
        """What is left at the end."""
        rows, self._held = self._held, ""
        return self._disarmed(rows)

    def _disarmed(self, rows: str) -> str:
        mark = ""
        if rows and not self._begun:
            self._begun = True
            if rows.startswith(_BOM):
                mark, rows = _BOM, rows[1:]
        return mark + _CELL.sub(_cell, rows)


def _split(text: str) -> tuple[str, str]:
    """The whole rows at the beginning, and the rest: a row ends at a line break outside quotes."""
    end = text.rfind("\n") + 1
    while end and text.count('"', 0, end) % 2:
        end = text.rfind("\n", 0, text.rfind('"', 0, end)) + 1
    return text[:end], text[end:]


def _cell(match: re.Match[str]) -> str:
    cell, rest, end = match.groups()
    quote = '"' if cell.startswith('"') else ""
    inside = cell[len(quote) :]
    formula = inside.lstrip(" ").startswith(_STARTS) and not _NUMBER.match(inside.removesuffix('"'))
    return quote + ("'" if formula else "") + inside + rest + end
