"""One host at a time gets only so much: few requests at once, a distance between them, quiet if it asks."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from digestlog.errors import FetchError
from digestlog.web.address import Address, shown

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]

# A pause up to this long is waited for; for a longer one the caller has better things to do.
PATIENCE_S = 5.0
# One page may ask for a week; that is no reason to leave its whole site alone for so long.
LONGEST_PAUSE_S = 6 * 3600.0


class Gate:
    """Lets requests through in their order, host by host; a busy host never holds up another."""

    def __init__(self, per_host: int, delay_s: float, clock: Clock, sleep: Sleep) -> None:
        self._per_host = per_host
        self._delay_s = delay_s
        self._clock = clock
        self._sleep = sleep
        self._doors: dict[str, _Door] = {}

    @asynccontextmanager
    async def turn(self, address: Address) -> AsyncIterator[None]:
        """Hold one of the host's places; FetchError if it wants to be left alone for longer."""
        door = self._door(address.host)
        async with door.places:
            self._check(door, address)
            now = self._clock()
            start = max(now, door.next_start, door.paused_until)
            door.next_start = start + self._delay_s
            if start > now:
                await self._sleep(start - now)
                self._check(door, address)
            yield

    def pause(self, host: str, seconds: float) -> None:
        """Leave the host alone for so long from now, some hours at most."""
        door = self._door(host)
        door.paused_until = max(door.paused_until, self._clock() + min(seconds, LONGEST_PAUSE_S))

    def _door(self, host: str) -> _Door:
        name = host.removesuffix(".")
        door = self._doors.get(name)
        if door is None:
            door = self._doors[name] = _Door(self._per_host)
        return door

    def _check(self, door: _Door, address: Address) -> None:
        left = door.paused_until - self._clock()
        if left > PATIENCE_S:
            seconds = math.ceil(left)
            raise FetchError(
                f"{shown(address.url)} was not asked: {address.host} wants to be left alone for {seconds} s",
                url=address.url,
                temporary=True,
                retry_after_s=seconds,
                asked=False,
            )


class _Door:
    """What is known of one host."""

    __slots__ = ("next_start", "paused_until", "places")

    def __init__(self, places: int) -> None:
        self.places = asyncio.Semaphore(places)
        self.next_start = -math.inf
        self.paused_until = -math.inf
