"""Many hands on one list: each takes the next, and what breaks one breaks off all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


async def each(todo: Sequence[T], do: Callable[[T], Awaitable[None]], *, jobs: int) -> None:
    """Do all of them, so many at a time; the first error ends it."""

    async def work(queue: Iterator[T]) -> None:
        for item in queue:  # shared by all workers: each takes the next
            await do(item)

    waiting = iter(todo)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(jobs, len(todo))):
                group.create_task(work(waiting))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None  # the file itself: all of them say the same
