"""Trends: what is counted day by day, and how a row of numbers looks in a terminal."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

CHANGES, DISCOVERIES = "changes", "discoveries"
NONE = "none"

_BLOCKS, _NO_BLOCK = "▁▂▃▄▅▆▇█", "·"
_PLAIN, _NO_PLAIN = ":-=+*%#@", "."


@dataclass(frozen=True, slots=True)
class Definition:
    """One trend: what is counted, and by what the count is split."""

    name: str
    metric: str
    scope: str

    @property
    def id(self) -> str:
        """The same in every file, so that two merge."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:trend:{self.name}"))


DEFINITIONS = (
    Definition("changes", CHANGES, "all"),
    Definition("changes-by-brand", CHANGES, "brand"),
    Definition("discoveries", DISCOVERIES, "all"),
    Definition("discoveries-by-category", DISCOVERIES, "category"),
    Definition("discoveries-by-source", DISCOVERIES, "source"),
    Definition("discoveries-by-reason", DISCOVERIES, "reason"),
)


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one brand, category, source or reason: one a day, without a gap."""

    series: str
    label: str
    days: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def total(self) -> float:
        """All values together."""
        return sum(self.values)

    @property
    def least(self) -> float:
        """The value of the day with the least."""
        return min(self.values)

    @property
    def most(self) -> float:
        """The value of the day with the most."""
        return max(self.values)


def last_days(today: date, count: int) -> tuple[str, ...]:
    """So many days up to today, the oldest first; the calendar's first day ends it."""
    count = min(count, today.toordinal())
    return tuple((today - timedelta(days=back)).isoformat() for back in reversed(range(count)))


def without_gaps(points: Mapping[str, float], days: Sequence[str]) -> tuple[float, ...]:
    """A value for each day; a day without a point is a day on which nothing happened."""
    return tuple(points.get(day, 0.0) for day in days)


def sparkline(values: Sequence[float], *, width: int = 60, plain: bool = False) -> str:
    """One character a day, or for several where there are more days than room; highest is the most."""
    marks, nothing = (_PLAIN, _NO_PLAIN) if plain else (_BLOCKS, _NO_BLOCK)
    shown = _packed(values, width)
    most = max(shown, default=0)
    # Rounded up: one change on the quietest day is more than none.
    return "".join(marks[ceil(value / most * len(marks)) - 1] if value > 0 else nothing for value in shown)


def days_a_mark(days: int, width: int = 60) -> int:
    """For how many days a character of the sparkline stands."""
    return max(1, -(-days // width))


def fits(encoding: str | None) -> bool:
    """True if an output in this encoding can show the blocks."""
    try:
        (_BLOCKS + _NO_BLOCK).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _packed(values: Sequence[float], width: int) -> list[float]:
    """Neighbouring days added up until all fit; the last mark always ends today."""
    each = days_a_mark(len(values), width)
    ends = range(len(values), 0, -each)
    return [sum(values[max(0, end - each) : end]) for end in reversed(ends)]
