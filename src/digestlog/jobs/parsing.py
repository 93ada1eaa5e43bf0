"""Reads feeds and pages without holding up the scan.

Most feeds are read in under a millisecond, at once. The others take long enough to make the network
wait: the first few go to a thread, and when there are more, to processes of their own.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from multiprocessing import get_context, parent_process
from threading import Thread
from types import TracebackType
from typing import TypeVar

from digestlog.core.feeds import Feed, read_feed, read_sure
from digestlog.errors import ParseError

T = TypeVar("T")

_AT_ONCE_BYTES = 1_000_000
_PAGE_AT_ONCE_BYTES = 300_000
_IN_THREAD = 8
_PROCESSES = 2


class Parser:
    """Reads feeds and pages; use it as a context, which ends its processes."""

    def __init__(self, *, in_thread: int = _IN_THREAD) -> None:
        self._left_for_thread = in_thread
        self._pool: ProcessPoolExecutor | None = None
        self._one_large = asyncio.Lock()

    def __enter__(self) -> Parser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    async def read(self, body: bytes, url: str, content_type: str | None) -> Feed:
        """The feed; ParseError when it is none."""
        feed = read_sure(body, url, content_type) if len(body) <= _AT_ONCE_BYTES else None
        return feed if feed is not None else await self._elsewhere(body, read_feed, url, content_type)

    async def page(self, body: bytes, read: Callable[..., T], *args: object) -> T:
        """What `read(body, *args)` makes of a page or sitemap; ParseError if reading it fails."""
        if len(body) <= _PAGE_AT_ONCE_BYTES:
            return read(body, *args)
        return await self._elsewhere(body, read, *args)

    async def _elsewhere(self, body: bytes, read: Callable[..., T], *args: object) -> T:
        """The same, while the scan goes on. Large documents take turns: each needs many times its size."""
        async with self._one_large if len(body) > _AT_ONCE_BYTES else nullcontext():
            loop, executor = asyncio.get_running_loop(), self._executor()
            try:
                return await loop.run_in_executor(executor, read, body, *args)
            except BrokenProcessPool as error:
                # A document that kills its reader has failed; the others get new processes.
                if self._pool is executor:
                    self._pool = None
                raise ParseError("reading it ended the process that read it") from error

    def _executor(self) -> Executor | None:
        """Where to read: None is the loop's own thread pool."""
        if self._left_for_thread > 0:
            self._left_for_thread -= 1
            return None
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                min(_PROCESSES, os.cpu_count() or 1), get_context("spawn"), end_with_parent
            )
        return self._pool


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it is gone, however it went."""
    Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
