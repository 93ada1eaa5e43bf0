"""Many hands on one list."""

from __future__ import annotations

import asyncio

import pytest

from digestlog.errors import LockedFile
from digestlog.jobs import crew


@pytest.mark.parametrize("jobs", [1, 3, 100])
def test_each_is_done_once(jobs: int) -> None:
    done: list[int] = []

    async def do(number: int) -> None:
        await asyncio.sleep(0)
        done.append(number)

    asyncio.run(crew.each(range(20), do, jobs=jobs))
    assert sorted(done) == list(range(20))


def test_so_many_at_a_time() -> None:
    busy, most = 0, 0

    async def do(number: int) -> None:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1

    asyncio.run(crew.each(range(20), do, jobs=4))
    assert most == 4


def test_nothing_to_do() -> None:
    async def do(number: int) -> None:
        raise AssertionError("there was something to do")

    asyncio.run(crew.each([], do, jobs=4))


def test_an_error_ends_it_and_comes_out_as_it_is() -> None:
    begun: list[int] = []

    async def do(number: int) -> None:
        begun.append(number)
        await asyncio.sleep(0)
        raise LockedFile(f"locked at {number}")

    with pytest.raises(LockedFile, match="locked at 0"):
        asyncio.run(crew.each(range(20), do, jobs=2))
    assert begun == [0, 1]
