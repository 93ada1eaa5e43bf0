"""Charts as inline SVG: shapes as numbers for a template, and the same in words for who cannot see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

# Lines at round numbers: no more than so many.
_MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """One day's bar."""

    x: float
    y: float
    width: float
    height: float
    day: str
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars in a box; `marks` are the numbers at its lines, evenly spaced from the top down to 0."""

    width: float
    height: float
    bars: tuple[Bar, ...]
    marks: tuple[int, ...]
    total: float
    most: Bar | None

    @property
    def lines(self) -> list[float]:
        """How far down each line is."""
        return [round(place * self.height / (len(self.marks) - 1), 2) for place in range(len(self.marks) - 1)]


def bars(
    days: Sequence[str], values: Sequence[float], width: float, height: float, *, top: float = 0
) -> Chart:
    """A bar for each day; `top`: the highest value of all charts that are to be compared."""
    step = _step(max(top, *values, 1))
    highest = ceil(max(top, *values, 1) / step) * step
    found = [
        _bar(place, day, value / highest * height, value, width / len(values), height)
        for place, (day, value) in enumerate(zip(days, values, strict=True))
    ]
    most = max(found, key=lambda bar: bar.value)
    marks = tuple(range(highest, -1, -step))
    return Chart(width, height, tuple(found), marks, sum(values), most if most.value > 0 else None)


def _bar(place: int, day: str, tall: float, value: float, wide: float, height: float) -> Bar:
    gap = min(wide * 0.25, 2.0)
    # One is more than none, also to the eye.
    tall = max(tall, 1.5) if value > 0 else 0.0
    x, y = place * wide + gap / 2, height - tall
    return Bar(round(x, 2), round(y, 2), round(wide - gap, 2), round(tall, 2), day, value)


def _step(highest: float) -> int:
    """The distance of the lines: 1, 2 or 5, with as many zeros as it takes."""
    power = 1
    while True:
        for one in (1, 2, 5):
            if highest / (one * power) <= _MOST_LINES:
                return one * power
        power *= 10
