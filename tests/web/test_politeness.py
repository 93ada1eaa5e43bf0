from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from digestlog.errors import FetchError
from digestlog.web.address import Address, parse
from digestlog.web.politeness import PATIENCE_S, Gate

A = parse("http://a.example/1")
B = parse("http://b.example/1")


class Time:
    """A clock that only moves when someone sleeps; every sleeper wakes in order."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)


def run(body: Callable[[Time], Awaitable[None]]) -> None:
    asyncio.run(body(Time()))  # type: ignore[arg-type]


def gate(time: Time, per_host: int = 2, delay_s: float = 0.25) -> Gate:
    return Gate(per_host, delay_s, time.clock, time.sleep)


def test_starts_keep_their_distance() -> None:
    async def body(time: Time) -> None:
        the_gate, starts = gate(time), []
        for _ in range(4):
            async with the_gate.turn(A):
                starts.append(time.now)
        assert starts == [100.0, 100.25, 100.5, 100.75]

    run(body)


def test_other_hosts_do_not_wait() -> None:
    async def body(time: Time) -> None:
        the_gate = gate(time)
        async with the_gate.turn(A), the_gate.turn(B):
            assert time.slept == []

    run(body)


def test_no_more_than_so_many_at_once_and_in_order() -> None:
    async def body(time: Time) -> None:
        the_gate, order, inside = gate(time, delay_s=0), [], 0

        async def visit(number: int) -> None:
            nonlocal inside
            async with the_gate.turn(A):
                inside += 1
                assert inside <= 2
                order.append(number)
                await asyncio.sleep(0)
                inside -= 1

        await asyncio.gather(*(visit(number) for number in range(10)))
        assert order == list(range(10))
        assert time.slept == []

    run(body)


def test_a_full_host_does_not_hold_up_another() -> None:
    async def body(time: Time) -> None:
        the_gate = gate(time, per_host=1)
        async with the_gate.turn(A):
            waiting = asyncio.create_task(enter(the_gate, A))
            await asyncio.wait_for(enter(the_gate, B), 5)
            assert not waiting.done()
        await waiting

    run(body)


async def enter(the_gate: Gate, address: Address) -> None:
    async with the_gate.turn(address):
        pass


def test_a_short_pause_is_waited_for() -> None:
    async def body(time: Time) -> None:
        the_gate = gate(time)
        the_gate.pause("a.example", PATIENCE_S)
        async with the_gate.turn(A):
            assert time.now == 100.0 + PATIENCE_S

    run(body)


def test_a_long_pause_is_an_error_that_says_when() -> None:
    async def body(time: Time) -> None:
        the_gate = gate(time)
        the_gate.pause("a.example.", 90.5)
        the_gate.pause("a.example", 7)  # does not shorten it
        with pytest.raises(FetchError, match="^http://a.example/1 .* left alone for 91 s$") as caught:
            await enter(the_gate, A)
        assert (caught.value.temporary, caught.value.retry_after_s) == (True, 91)
        await enter(the_gate, B)
        time.now += 90.5
        await enter(the_gate, A)

    run(body)


def test_one_page_does_not_close_its_host_for_days() -> None:
    async def body(time: Time) -> None:
        the_gate = gate(time)
        the_gate.pause("a.example", 7 * 86_400)
        with pytest.raises(FetchError) as caught:
            await enter(the_gate, parse("http://a.example/1"))
        assert (caught.value.retry_after_s, caught.value.asked) == (6 * 3600, False)

    run(body)


def test_a_pause_that_comes_while_waiting_counts() -> None:
    async def body(time: Time) -> None:
        the_gate = gate(time)
        await enter(the_gate, A)
        waiting = asyncio.create_task(enter(the_gate, A))
        await asyncio.sleep(0)
        the_gate.pause("a.example", 60)
        with pytest.raises(FetchError, match="left alone"):
            await waiting
        time.now += 60
        await enter(the_gate, A)  # the place was given back

    run(body)
