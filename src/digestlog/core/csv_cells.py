"""Cells of a CSV file that a spreadsheet may open: text stays text.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, which may fetch, send or run
something. What the web wrote must not become one. Such a text gets an apostrophe in front; so does one
that begins with an apostrophe, so that taking one away at the front gives back every text.
"""

from __future__ import annotations

import json
from typing import Any

# Also the full-width forms, and the white space after which some programs look on.
_RISKY = tuple("=+-@\t\r\n'＝＋－＠")


def cell(value: Any, *, raw: bool = False) -> str:
    """A value as a cell; `raw` leaves texts as they are, for programs that are no spreadsheets."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if raw else guarded(text)


def guarded(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet might read a formula."""
    return f"'{text}" if text.startswith(_RISKY) else text
