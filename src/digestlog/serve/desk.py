"""Where the file is worked on: a few threads, each with a connection of its own while it needs one."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from digestlog.store.db import Database, open_database

Result = TypeVar("Result")
_THREADS = 4


class Desk:
    """Runs work on the file away from the event loop."""

    def __init__(self, path: Path, now: datetime | None = None) -> None:
        self.path = path
        self._now = now
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="desk")
        self._idle: queue.SimpleQueue[Database] = queue.SimpleQueue()

    async def run(self, work: Callable[[Database], Result]) -> Result:
        """What `work` makes of the file; its `now` is the time of this call, or the one that was given."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, copy_context().run, self._work, work)

    def close(self) -> None:
        """Let go of the file."""
        self._threads.shutdown(wait=True)
        while True:
            try:
                self._idle.get_nowait().close()
            except queue.Empty:
                return

    def _work(self, work: Callable[[Database], Result]) -> Result:
        now = self._now or datetime.now(UTC).replace(microsecond=0)
        db = self._take(now)
        try:
            return work(Database(db.connection, self.path, now, frozen=self._now is not None))
        finally:
            self._idle.put(db)

    def _take(self, now: datetime) -> Database:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return open_database(self.path, now=now, any_thread=True)
