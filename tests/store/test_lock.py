"""One run at a time on one file, whatever becomes of the runs."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digestlog.errors import LockedFile, MissingDirectory, ReadOnlyFile, StorageError
from digestlog.store import lock as lock_module
from digestlog.store.lock import exclusive

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)
HOLD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from digestlog.store.lock import exclusive
with exclusive(Path(sys.argv[1]), now=datetime(2026, 2, 13, 7, 0, tzinfo=UTC)):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def lock_path(db_path: Path) -> Path:
    """Where the lock of `db_path` lies."""
    return db_path.with_name("digestlog.db.lock")


def holder(path: Path) -> subprocess.Popen[str]:
    """Another process that holds the file until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str], *, kill: bool = False) -> None:
    if kill:
        process.kill()
    process.communicate()


def refusal(path: Path) -> LockedFile:
    with pytest.raises(LockedFile) as caught, exclusive(path, now=NOW):
        pytest.fail("two runs at once")
    return caught.value


# --- one at a time ----------------------------------------------------------------------------


def test_while_it_is_held_it_says_by_whom(db_path: Path, lock_path: Path) -> None:
    with exclusive(db_path, now=NOW):
        assert lock_path.read_bytes() == f"{os.getpid()} 2026-02-13T09:02:10+00:00\n".encode()
    assert lock_path.read_bytes() == b""


def test_the_file_itself_is_neither_made_nor_touched(db_path: Path) -> None:
    with exclusive(db_path, now=NOW):
        assert not db_path.exists()


def test_one_run_after_another(db_path: Path) -> None:
    for _ in range(3):
        with exclusive(db_path, now=NOW):
            pass


def test_a_second_run_in_the_same_process(db_path: Path) -> None:
    with exclusive(db_path, now=NOW):
        error = refusal(db_path)
        assert error.message == (
            f"another digestlog run is at work on {db_path} "
            f"(process {os.getpid()}, since 2026-02-13T09:02:10+00:00)"
        )
        assert error.hint == "wait until it is done, then try again"
        refusal(db_path)  # the refusal has not set it free
    with exclusive(db_path, now=NOW):
        pass


def test_of_many_at_once_one_runs(db_path: Path) -> None:
    ran, refused = [], []
    ready, over = threading.Barrier(8), threading.Barrier(8)

    def attempt(number: int) -> None:
        ready.wait()
        try:
            with exclusive(db_path, now=NOW):
                ran.append(number)
                over.wait()
        except LockedFile:
            refused.append(number)
            over.wait()

    threads = [threading.Thread(target=attempt, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(ran), len(refused)) == (1, 7)


def test_a_run_in_another_process(db_path: Path) -> None:
    process = holder(db_path)
    try:
        assert refusal(db_path).message == (
            f"another digestlog run is at work on {db_path} "
            f"(process {process.pid}, since 2026-02-13T07:00:00+00:00)"
        )
    finally:
        end(process)
    with exclusive(db_path, now=NOW):
        pass


def test_a_killed_run_is_no_longer_in_the_way(db_path: Path, lock_path: Path) -> None:
    process = holder(db_path)
    end(process, kill=True)
    assert lock_path.read_bytes().startswith(str(process.pid).encode())
    with exclusive(db_path, now=NOW):
        assert lock_path.read_bytes().startswith(str(os.getpid()).encode())


@pytest.mark.skipif(sys.platform == "win32", reason="handles differ")
def test_a_program_that_a_run_started_does_not_keep_the_lock(
    db_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = lock_module._opened

    def inheritable(lock: Path) -> int:
        descriptor = opened(lock)
        os.set_inheritable(descriptor, True)
        return descriptor

    monkeypatch.setattr(lock_module, "_opened", inheritable)
    with exclusive(db_path, now=NOW):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    try:
        with exclusive(db_path, now=NOW):
            assert child.poll() is None
    finally:
        child.communicate(b"\n")


def test_the_open_lock_is_handed_to_no_other_program(db_path: Path, lock_path: Path) -> None:
    descriptor = lock_module._opened(lock_path)
    try:
        assert not os.get_inheritable(descriptor)
    finally:
        os.close(descriptor)


def test_a_run_that_fails_frees_the_file(db_path: Path, lock_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), exclusive(db_path, now=NOW):
        raise ZeroDivisionError
    assert lock_path.read_bytes() == b""
    with exclusive(db_path, now=NOW):
        pass


def test_two_files_do_not_mind_each_other(tmp_path: Path) -> None:
    with exclusive(tmp_path / "a.db", now=NOW), exclusive(tmp_path / "b.db", now=NOW):
        pass


def test_two_names_of_one_file_share_the_lock(
    db_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db_path.touch()
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(db_path)
    monkeypatch.chdir(tmp_path)
    with exclusive(link, now=NOW):
        refusal(db_path)
        refusal(Path("digestlog.db"))
        assert str(link) in refusal(link).message
    assert sorted(p.name for p in tmp_path.rglob("*.lock")) == ["digestlog.db.lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_nobody_else_can_hold_it_up(db_path: Path, lock_path: Path) -> None:
    """Whoever may read a file may lock it."""
    with exclusive(db_path, now=NOW):
        assert lock_path.stat().st_mode & 0o777 == 0o600


# --- the words in it --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"12",
        b"12 yesterday\n",
        b"12 2026-02-13T07:00:00+00:00",
        b"-1 2026-02-13T07:00:00+00:00\n",
        b"12345678901 2026-02-13T07:00:00+00:00\n",
        b"12 2026-02-13T07:00:00+00:00\n\x1b[2J",
        b"\xff\xfe\0" * 1000,
    ],
)
def test_words_that_are_not_ours_are_not_repeated(db_path: Path, lock_path: Path, words: bytes) -> None:
    with exclusive(db_path, now=NOW):
        lock_path.write_bytes(words)
        assert refusal(db_path).message == f"another digestlog run is at work on {db_path}"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.binary(max_size=300))
def test_no_words_stop_a_run_or_get_past_one(db_path: Path, lock_path: Path, words: bytes) -> None:
    lock_path.write_bytes(words)
    with exclusive(db_path, now=NOW):
        lock_path.write_bytes(words)
        assert refusal(db_path).message.isprintable()
    assert lock_path.read_bytes() == b""


def failing(number: int) -> Any:
    def fail(*args: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_words_that_cannot_be_read(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with exclusive(db_path, now=NOW):
        monkeypatch.setattr(lock_module.os, "read", failing(errno.EIO))
        assert refusal(db_path).message == f"another digestlog run is at work on {db_path}"


def test_a_full_disk_is_no_reason_not_to_run(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_module.os, "write", failing(errno.ENOSPC))
    with exclusive(db_path, now=NOW):
        refusal(db_path)


# --- where there can be no lock ---------------------------------------------------------------


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(MissingDirectory, match="does not exist"),
        exclusive(tmp_path / "no" / "x.db", now=NOW),
    ):
        pytest.fail("locked nothing")
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_folder_that_is_not_there(db_path: Path, tmp_path: Path) -> None:
    db_path.symlink_to(tmp_path / "no" / "x.db")
    with pytest.raises(StorageError, match=r"x\.db\.lock cannot be made"), exclusive(db_path, now=NOW):
        pytest.fail("locked nothing")


def test_a_link_that_leads_to_itself(db_path: Path) -> None:
    db_path.symlink_to(db_path)
    with pytest.raises(StorageError, match="cannot be used"), exclusive(db_path, now=NOW):
        pytest.fail("locked nothing")


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links cannot be refused here")
def test_a_planted_link_does_not_empty_what_it_leads_to(db_path: Path, lock_path: Path) -> None:
    precious = db_path.with_name("precious")
    precious.write_text("mine")
    lock_path.symlink_to(precious)
    with pytest.raises(StorageError, match="cannot be made") as caught, exclusive(db_path, now=NOW):
        pytest.fail("locked through a link")
    assert "small file" in str(caught.value.hint)
    assert precious.read_text() == "mine"


def test_a_folder_in_the_lock_s_place(db_path: Path, lock_path: Path) -> None:
    lock_path.mkdir()
    with pytest.raises(StorageError, match="cannot be made|cannot be written"), exclusive(db_path, now=NOW):
        pytest.fail("locked a folder")


def test_no_permission(db_path: Path, lock_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(lock_module.os, "open", refuse)
    with pytest.raises(ReadOnlyFile) as caught, exclusive(db_path, now=NOW):
        pytest.fail("locked what cannot be opened")
    assert caught.value.message == f"{lock_path} cannot be written: permission denied"


@pytest.mark.skipif(sys.platform == "win32", reason="flock")
def test_a_disk_that_cannot_lock(db_path: Path, lock_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(fcntl, "flock", failing(errno.ENOLCK))
    with pytest.raises(StorageError) as caught, exclusive(db_path, now=NOW):
        pytest.fail("ran without a lock")
    assert type(caught.value) is StorageError
    assert caught.value.message == f"{lock_path} cannot be locked: {os.strerror(errno.ENOLCK)}"
    assert caught.value.hint == "keep the file on a disk of this machine"


# --- Windows ----------------------------------------------------------------------------------


class Windows:
    """`msvcrt`, as far as the lock needs it: a byte that one open file at a time can lock."""

    LK_UNLCK, LK_NBLCK = 0, 2

    def __init__(self) -> None:
        self.locked: list[tuple[int, int]] = []

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert count == 1
        place = descriptor, os.lseek(descriptor, 0, os.SEEK_CUR)
        if mode == self.LK_UNLCK:
            self.locked.remove(place)
        elif self.locked:
            raise OSError(errno.EACCES, "Permission denied")
        else:
            self.locked.append(place)


@pytest.mark.skipif(sys.platform == "win32", reason="the real one is tested above")
def test_on_windows_a_byte_behind_the_words_is_locked(
    db_path: Path, lock_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows = Windows()
    monkeypatch.setitem(sys.modules, "msvcrt", windows)  # type: ignore[arg-type]
    monkeypatch.setattr(lock_module, "sys", SimpleNamespace(platform="win32"))
    with exclusive(db_path, now=NOW):
        ((_, position),) = windows.locked
        assert position > len(lock_path.read_bytes()) > 0
        assert f"process {os.getpid()}" in refusal(db_path).message
    assert windows.locked == []
