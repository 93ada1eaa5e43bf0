"""When to look at a watched page again.

The pause begins at what `check_frequency` says. A change halves it, down to an eighth; each quiet look makes
it half as long again, up to what it was at first. `max_interval_s` moves that upper end, `min_interval_s`
and ten minutes are the lower end of everything. docs/checks.md has the rule with examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from digestlog.core import schedule

FREQUENCIES = {"hourly": 3_600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000}
SHORTEST_S = 600

_MOST_OFTEN = 8
# Due a little before the pause is over: whoever runs once a day, a little earlier or later, finds every page
# due every time.
_EARLY_SHARE, _EARLY_S = 6, 4 * 3_600
# And not all at the same moment.
_JITTER_SHARE, _JITTER_S = 12, 2 * 3_600


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a page is to be looked at; interval_s: the pause that its own changes have led to so far."""

    frequency: str
    min_interval_s: int | None = None
    max_interval_s: int | None = None
    interval_s: int | None = None

    @property
    def usual_s(self) -> int:
        """The pause of its frequency."""
        return FREQUENCIES[self.frequency]

    @property
    def least_s(self) -> int:
        """No pause is shorter, whatever happens."""
        return max(SHORTEST_S, self.min_interval_s or 0)

    @property
    def bounds_s(self) -> tuple[int, int]:
        """Between which pauses its own changes may move it."""
        longest = max(self.max_interval_s or self.usual_s, self.least_s)
        shortest = max(self.usual_s // _MOST_OFTEN, self.least_s)
        return min(shortest, longest), longest


def interval_after(pace: Pace, *, changed: bool) -> int:
    """The pause after a look that found a change, or none."""
    shortest, longest = pace.bounds_s
    now_s = _within(pace.interval_s or pace.usual_s, shortest, longest)
    return _within(now_s // 2 if changed else now_s * 3 // 2, shortest, longest)


def first_interval(pace: Pace) -> int:
    """The pause after the first look, which has nothing to compare with."""
    return _within(pace.usual_s, *pace.bounds_s)


def next_check(
    now: datetime, url_id: str, pace: Pace, interval_s: int, max_age_s: int | None = None
) -> datetime:
    """When a pause is over: a little early, jittered by the page's id, not before its server's max-age."""
    early_s = min(interval_s // _EARLY_SHARE, _EARLY_S)
    jitter_s = int(schedule.share(url_id) * min(interval_s // _JITTER_SHARE, _JITTER_S))
    asked_s = min(max_age_s or 0, pace.bounds_s[1])
    return now + timedelta(seconds=max(interval_s - early_s - jitter_s, pace.least_s, asked_s))


def after_failure(
    now: datetime, url_id: str, pace: Pace, failures: int, retry_after_s: int | None = None
) -> datetime:
    """The next try after so many failures in a row: doubling from ten minutes, or when the server says."""
    again = schedule.after_failure(now, failures, url_id, retry_after_s)
    return max(again, now + timedelta(seconds=pace.min_interval_s or 0))


def _within(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))
