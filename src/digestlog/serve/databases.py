"""Datasette's databases, as ours: one on the file for admins, one on a copy for everybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from contextvars import copy_context
from typing import Any

from datasette.database import Database

from digestlog.store.personal import Copy, Gone

Work = Callable[[Any], Any]


class ReadOnlyError(Exception):
    """Datasette was asked to write."""


class _Ended(BaseException):
    """A thread was asked to end."""


class InternalDatabase(Database):  # type: ignore[misc]
    """What 0.65 keeps its notes in, with a thread for writing that can be ended; its own runs for ever."""

    def end(self) -> None:
        """End the thread, after what is still to be written."""
        if self._write_queue is not None:
            self._write_queue.put(self)

    @staticmethod
    def fn(connection: Any) -> None:
        """What the thread finds in its queue last."""
        if connection is not None:
            connection.close()
        raise _Ended

    def _execute_writes(self) -> None:
        try:
            super()._execute_writes()
        except _Ended:
            return


class _ReadOnly(Database):  # type: ignore[misc]  # Datasette has no types
    """A database that Datasette cannot write to, by any of its ways."""

    async def execute_write_fn(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse."""
        raise ReadOnlyError("nothing is written here")

    _execute_write_fn = _send_to_write_thread = execute_write_fn


class FileDatabase(_ReadOnly):
    """The whole file, for reading."""

    def connect(self, write: bool = False) -> Any:
        """A connection for reading."""
        if write:
            raise ReadOnlyError("nothing is written here")
        return super().connect()


class OwnDatabase(_ReadOnly):
    """One user's copy, with connections of its own: Datasette keeps them by name, and all these are `my`."""

    def __init__(self, ds: Any, copy: Copy) -> None:
        super().__init__(ds, is_memory=True)
        self.copy = copy

    def connect(self, write: bool = False) -> Any:
        """A connection for reading."""
        if write:
            raise ReadOnlyError("nothing is written here")
        return self.copy.connect()

    async def execute_fn(self, fn: Work) -> Any:
        """What `fn` makes of a connection to the copy as it is now."""
        return await self._in_thread(lambda: self._read(fn))

    _execute_fn = execute_fn

    async def execute_isolated_fn(self, fn: Work) -> Any:
        """What `fn` makes of a connection that nobody uses after it."""

        def work() -> Any:
            with closing(self.copy.connect()) as connection:
                return fn(connection)

        return await self._in_thread(work)

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.ds.executor, copy_context().run, work)

    def _read(self, fn: Work) -> Any:
        while True:
            copy = self.copy
            try:
                return copy.run(fn, lambda connection: self.ds._prepare_connection(connection, self.name))
            except Gone:
                if copy is self.copy:
                    raise
