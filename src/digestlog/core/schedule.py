"""When to visit a source again, and in which order many are visited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypeVar

from digestlog.core.sources import host_of

T = TypeVar("T")

_FIRST_RETRY = timedelta(minutes=10)
_LONGEST_RETRY = timedelta(hours=20)
_LONGEST_RETRY_AFTER = timedelta(days=7)
# One article's page that asks for a week is no reason to leave its article unresolved for so long.
_LONGEST_PAUSE = timedelta(hours=6)
# Under a day: whoever scans once a day, a little earlier or later, visits every source every time.
_LONGEST_FLOOR = timedelta(hours=20)
_SHORTEST_FLOOR = timedelta(minutes=1)
_JITTER = 0.2

# An address that does not resolve is asked again by the next scan, then less and less often.
_FIRST_RESOLVE = timedelta(hours=1)
MAX_RESOLVE_ATTEMPTS = 8


def after_success(now: datetime, *wishes_s: int | None) -> datetime | None:
    """The earliest next visit that the source asks for in any of its ways; None: whenever you like."""
    floor = timedelta(seconds=max((wish for wish in wishes_s if wish), default=0))
    return now + min(floor, _LONGEST_FLOOR) if floor >= _SHORTEST_FLOOR else None


def after_failure(now: datetime, failures: int, key: str, retry_after_s: int | None = None) -> datetime:
    """The next try after so many failures in a row: doubling, jittered by `key`, never given up."""
    wait = _FIRST_RETRY * 2 ** min(failures - 1, 20)
    wait = min(wait * (1 + _JITTER * share(f"{key} {now.isoformat()}")), _LONGEST_RETRY)
    asked = min(timedelta(seconds=retry_after_s or 0), _LONGEST_RETRY_AFTER)
    return now + timedelta(seconds=int(max(wait, asked).total_seconds()))


def next_resolution(now: datetime, attempts: int, retry_after_s: int | None = None) -> datetime | None:
    """When to ask again where an address leads; None when it has been asked often enough."""
    if attempts >= MAX_RESOLVE_ATTEMPTS:
        return None
    wait = timedelta(0) if attempts == 1 else _FIRST_RESOLVE * 2 ** (attempts - 2)
    asked = min(timedelta(seconds=retry_after_s or 0), _LONGEST_PAUSE)
    return now + max(wait, asked)


def in_shard(source_uuid: str, index: int, count: int) -> bool:
    """Whether a source belongs to share `index` (from 1) of `count`, by its id, which never changes."""
    return int.from_bytes(sha256(source_uuid.encode()).digest()[:8]) % count == index - 1


def share(text: str) -> float:
    """A number from 0 to 1 that depends on nothing but the text."""
    return int.from_bytes(sha256(text.encode()).digest()[:4]) / 0xFFFFFFFF


def spread(items: Iterable[T], url_of: Callable[[T], str]) -> list[T]:
    """The items in rounds, one of each host in each: a host that waits its turn holds up no other."""
    seen: Counter[str] = Counter()
    rounds: list[tuple[int, T]] = []
    for item in items:
        host = host_of(url_of(item))
        rounds.append((seen[host], item))
        seen[host] += 1
    return [item for _, item in sorted(rounds, key=lambda pair: pair[0])]
