"""A word diff, cut to what a person reads: changed words, and a few of those around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from digestlog.core.change_rows import ChangeRow
from digestlog.core.render.plain import line

_AROUND = 12
_MOST_CHARS = 4_000
_CUT = "…"

Part = tuple[str, str]


def shown_diff(change: ChangeRow) -> list[Part]:
    """The words taken out (-), put in (+) and kept (=), each part on one line and never empty.

    Where no diff is stored, as for the older tracker's changes, all of before and after.
    """
    parts = change.diff or _whole(change)
    cleaned = [(op, text) for op, text in ((op, line(text)) for op, text in parts) if text]
    return list(_bounded(_near(cleaned)))


def _whole(change: ChangeRow) -> tuple[Part, ...]:
    return tuple((op, text) for op, text in (("-", change.before), ("+", change.after)) if text)


def _near(parts: list[Part]) -> Iterator[Part]:
    """Of what was kept, only the words beside a change."""
    last = len(parts) - 1
    for place, (op, text) in enumerate(parts):
        yield (
            (op, text) if op != "=" else (op, _beside(text, before=place > 0 or not last, after=place < last))
        )


def _beside(text: str, *, before: bool, after: bool) -> str:
    """The first words where a change stands before them, the last where one follows."""
    words = text.split()
    if len(words) <= _AROUND * (before + after):
        return text
    head = words[:_AROUND] if before else []
    tail = words[-_AROUND:] if after else []
    return " ".join([*head, _CUT, *tail])


def _bounded(parts: Iterable[Part]) -> Iterator[Part]:
    room = _MOST_CHARS
    for op, text in parts:
        if len(text) > room:
            yield op, text[:room] + _CUT
            return
        yield op, text
        room -= len(text)
