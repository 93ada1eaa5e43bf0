"""How often somebody may try to sign in: a few times at once, then slowly."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

MOST_KEPT = 10_000


class Throttle:
    """Counts failures by key. A key has `burst` tries, and gets one back every `pause_s` seconds."""

    def __init__(self, burst: int, pause_s: float, clock: Callable[[], float] = monotonic) -> None:
        self._burst = burst
        self._pause_s = pause_s
        self._clock = clock
        # When the key would be without any failure again.
        self._clear_at: OrderedDict[str, float] = OrderedDict()

    def wait_s(self, key: str) -> int:
        """After how many seconds the key may try; 0: now."""
        ahead = self._clear_at.get(key, 0.0) - self._clock() - (self._burst - 1) * self._pause_s
        return max(0, -int(-ahead // 1))

    def failed(self, key: str) -> None:
        """Count a failure."""
        now = self._clock()
        self._clear_at[key] = max(self._clear_at.pop(key, now), now) + self._pause_s
        while len(self._clear_at) > MOST_KEPT:
            self._clear_at.popitem(last=False)

    def succeeded(self, key: str) -> None:
        """Forget its failures."""
        self._clear_at.pop(key, None)
