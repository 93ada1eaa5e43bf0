"""One run at a time on one file.

The lock is the operating system's, on `NAME.lock` beside the file, so that a killed program frees it.
What stands in that file is a courtesy to whoever finds it locked; it locks nothing.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from digestlog.core.moments import to_iso
from digestlog.errors import LockedFile, ReadOnlyFile, StorageError
from digestlog.store.db import exists

_HELD_BY_ANOTHER = (errno.EAGAIN, errno.EACCES)  # EACCES: so says Windows
_HOLDER = re.compile(rb"([0-9]{1,10}) ([0-9T:+-]{25})\n")
# Windows lets nobody read what is locked: lock a byte far behind the words.
_FAR_BYTE = 1 << 20


@contextmanager
def exclusive(path: Path, *, now: datetime) -> Iterator[None]:
    """Hold the file at `path` for one run; LockedFile at once if another run holds it."""
    exists(path)  # a folder that is not there has a better sentence than a lock in it
    # Two names of one file share the lock.
    lock = path.resolve()
    lock = lock.with_name(f"{lock.name}.lock")
    descriptor = _opened(lock)
    try:
        _take(descriptor, path, lock)
        _sign(descriptor, f"{os.getpid()} {to_iso(now)}\n".encode())
        try:
            yield
        finally:
            # The empty file stays: taking it away could pull it from under a run that just opened it.
            _sign(descriptor, b"")
            # Closing would not do while a program that this run started still has the open file.
            _lock(descriptor, free=True)
    finally:
        os.close(descriptor)


def _opened(lock: Path) -> int:
    try:
        # Never through a link: what it leads to would be emptied.
        return os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except PermissionError as error:
        raise ReadOnlyFile(
            f"{lock} cannot be written: permission denied", "check the permissions of the file and its folder"
        ) from error
    except OSError as error:
        raise StorageError(
            f"{lock} cannot be made: {error.strerror}", "digestlog keeps a small file there while it runs"
        ) from error


def _take(descriptor: int, path: Path, lock: Path) -> None:
    try:
        _lock(descriptor)
    except OSError as error:
        if error.errno in _HELD_BY_ANOTHER:
            message = f"another digestlog run is at work on {path}{_holder(descriptor)}"
            raise LockedFile(message, "wait until it is done, then try again") from error
        raise StorageError(
            f"{lock} cannot be locked: {error.strerror}", "keep the file on a disk of this machine"
        ) from error


def _lock(descriptor: int, *, free: bool = False) -> None:
    """Lock the open file or set it free, or raise OSError; the end of the process sets it free too."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, _FAR_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK if free else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN if free else fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(descriptor: int) -> str:
    """Who holds the lock, where that can be read."""
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        found = _HOLDER.fullmatch(os.read(descriptor, 100))
    except OSError:
        return ""
    return f" (process {found[1].decode()}, since {found[2].decode()})" if found else ""


def _sign(descriptor: int, words: bytes) -> None:
    """Say who holds the lock; a full disk is no reason not to run."""
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, words)
