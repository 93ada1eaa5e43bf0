"""A backup: whole and checked, or nothing; and never in the way of others."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from permissions import unprivileged

from digestlog import errors
from digestlog.core.model import NewSource
from digestlog.store import backup as backup_module
from digestlog.store import health, sources
from digestlog.store.backup import backup
from digestlog.store.db import Database, open_database


@pytest.fixture
def full(db: Database) -> Database:
    """A file of a few hundred pages."""
    with db.transaction() as connection:
        for number in range(1, 301):
            connection.execute(
                """INSERT INTO sources_master_list
                    (source_uuid, source_name, source_url, url_scraping_method, folder)
                VALUES (:id, :id, 'https://example.com/' || :id, 'RSS', hex(zeroblob(1500)))""",
                {"id": f"W_RSS_{number}"},
            )
    return db


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "safe"
    folder.mkdir()
    return folder / "copy.db"


@contextmanager
def writer(db: Database) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(db.path, isolation_level=None, timeout=0)
    try:
        yield connection
    finally:
        connection.close()


def content(connection: sqlite3.Connection) -> list[str]:
    return list(connection.iterdump())


def beside(path: Path) -> dict[str, bytes]:
    """The files in the folder, less the readers' marks of an open database."""
    files = (p for p in path.parent.iterdir() if p.is_file() and not p.name.endswith("-shm"))
    return {p.name: p.read_bytes() for p in files}


def failed(db: Database, target: Path, kind: type[errors.DigestlogError], **options: bool) -> str:
    """The words with which a backup fails; its folder and the file itself stay as they were."""
    before = beside(target)
    rows = content(db.connection)
    with pytest.raises(errors.DigestlogError) as caught:
        backup(db, target, **options)
    assert type(caught.value) is kind
    assert caught.value.hint
    assert len(caught.value.message.splitlines()) == 1
    assert beside(target) == before
    assert content(db.connection) == rows
    assert not db.connection.in_transaction
    return caught.value.message


# --- made -------------------------------------------------------------------------------------


def test_a_backup_is_one_file_with_everything_in_it(full: Database, target: Path, now: datetime) -> None:
    size = backup(full, target)
    assert [p.name for p in target.parent.iterdir()] == [target.name]
    assert target.stat().st_size == size > 300 * 1500
    with sqlite3.connect(target) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert content(copy) == content(full.connection)
    copy.close()
    with open_database(target, now=now) as db:
        assert all(check.ok for check in health.checks(db))


def test_what_only_the_log_holds_is_in_the_backup(full: Database, target: Path) -> None:
    full.connection.execute("PRAGMA wal_autocheckpoint = 0")
    sources.insert(full, NewSource("https://late.example/feed", "Late", "Direct"))
    assert b"late.example" not in full.path.read_bytes()
    backup(full, target)
    assert b"late.example" in target.read_bytes()


def test_the_file_can_be_used_afterwards(full: Database, target: Path) -> None:
    backup(full, target)
    assert sources.pause(full, "W_RSS_1", "later").paused_reason == "later"


def test_an_old_backup_is_replaced_only_if_that_is_wanted(full: Database, target: Path) -> None:
    target.write_bytes(b"the last one")
    assert "exists already" in failed(full, target, errors.ConfigError)
    backup(full, target, overwrite=True)
    assert target.read_bytes().startswith(b"SQLite format 3")
    assert "exists already" in failed(full, target, errors.ConfigError)


def test_an_empty_file_is_no_backup_to_keep(full: Database, target: Path) -> None:
    target.touch()
    assert backup(full, target) == target.stat().st_size


def test_a_name_in_the_current_folder(full: Database, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(target.parent)
    backup(full, Path("copy.db"))
    assert target.exists()


# --- progress ---------------------------------------------------------------------------------


def test_progress_rises_to_the_whole(full: Database, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 50)
    seen: list[tuple[int, int]] = []
    size = backup(full, target, progress=lambda done, total: seen.append((done, total)))
    pages = full.rows("PRAGMA page_count")[0][0]
    assert len(seen) == -(-pages // 50)
    assert seen == sorted(seen)
    assert seen[-1] == (pages, pages)
    assert size == pages * full.rows("PRAGMA page_size")[0][0]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_backup_that_is_interrupted_leaves_nothing(
    full: Database, target: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 50)

    def stop(done: int, total: int) -> None:
        assert len(list(target.parent.iterdir())) > 0
        raise error

    with pytest.raises(error):
        backup(full, target, progress=stop)
    assert list(target.parent.iterdir()) == []
    assert not full.connection.in_transaction


# --- while others write -----------------------------------------------------------------------


def test_a_busy_writer_neither_waits_nor_makes_it_begin_again(
    full: Database, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is the file of the moment when it began."""
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 50)
    before = content(full.connection)
    steps: list[int] = []

    with writer(full) as other:

        def write(done: int, total: int) -> None:
            steps.append(done)
            assert len(steps) < 100, "the copy begins again after each write"
            other.execute("UPDATE sources_master_list SET source_name = ?", (f"name {len(steps)}",))

        backup(full, target, progress=write)
        assert len(steps) > 3
    with sqlite3.connect(target) as copy:
        assert content(copy) == before
    copy.close()
    assert {s.source_name for s in sources.list_all(full)} == {f"name {len(steps)}"}


def test_what_another_has_not_committed_is_not_in_it(full: Database, target: Path) -> None:
    with writer(full) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE sources_master_list SET source_name = 'unseen'")
        backup(full, target)
    assert b"unseen" not in target.read_bytes()


WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
print("ready", flush=True)
for number in range(200):
    connection.execute("UPDATE sources_master_list SET source_name = ?", (f"name {number}",))
connection.close()
"""


def test_another_program_writes_all_the_while(
    full: Database, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 10)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(full.path)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        for number in range(5):
            backup(full, target.with_name(f"{number}.db"))
        assert other.wait(timeout=60) == 0
    for number in range(5):
        with sqlite3.connect(target.with_name(f"{number}.db")) as copy:
            names = copy.execute("SELECT DISTINCT source_name LIKE 'name %' FROM sources_master_list")
            assert len(names.fetchall()) == 1
            count = copy.execute("SELECT count(DISTINCT source_name) FROM sources_master_list").fetchone()
            assert count in ((1,), (300,)), "a write was copied by half"
        copy.close()


def test_two_backups_to_one_place_do_not_mix(
    full: Database, target: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup_module, "_PAGES_A_STEP", 50)
    inner: list[int] = []

    def second(done: int, total: int) -> None:
        if not inner:
            monkeypatch.setattr(os, "getpid", lambda: 1)
            with open_database(full.path, now=now) as other:
                inner.append(backup(other, target))

    assert backup(full, target, progress=second) == inner[0]
    assert [p.name for p in target.parent.iterdir()] == [target.name]
    with open_database(target, now=now) as db:
        assert all(check.ok for check in health.checks(db))


# --- refused ----------------------------------------------------------------------------------


def test_the_file_itself_is_refused(full: Database) -> None:
    link = full.path.with_name("link.db")
    link.symlink_to(full.path)
    for path in (full.path, full.path.parent / "x" / ".." / full.path.name, link):
        (full.path.parent / "x").mkdir(exist_ok=True)
        assert "the file itself" in failed(full, path, errors.ConfigError)
        assert "the file itself" in failed(full, path, errors.ConfigError, overwrite=True)


def test_a_missing_folder_is_refused(full: Database, tmp_path: Path) -> None:
    with pytest.raises(errors.MissingDirectory, match="does not exist") as caught:
        backup(full, tmp_path / "no" / "copy.db")
    assert "mkdir" in str(caught.value.hint)
    with pytest.raises(errors.MissingDirectory, match="not a folder"):
        backup(full, full.path / "copy.db")


def test_a_folder_is_not_replaced(full: Database, target: Path) -> None:
    target.mkdir()
    assert "is a folder" in failed(full, target, errors.ConfigError, overwrite=True)
    assert target.is_dir()


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_the_journals_of_the_file_are_refused(full: Database, end: str) -> None:
    assert "the file itself" in failed(full, Path(f"{full.path}{end}"), errors.ConfigError, overwrite=True)


def test_a_name_that_the_system_cannot_have(full: Database, target: Path) -> None:
    failed(full, target.with_name("x" * 250), errors.StorageError)


def test_a_folder_without_write_permission(full: Database, target: Path) -> None:
    target.parent.chmod(0o500)
    with unprivileged(target.parent):
        failed(full, target, errors.StorageError)
    target.parent.chmod(0o700)


@pytest.mark.parametrize("old", [None, b"the last one"])
def test_a_full_disk_leaves_nothing_new(
    full: Database, target: Path, monkeypatch: pytest.MonkeyPatch, old: bytes | None
) -> None:
    if old:
        target.write_bytes(old)
    real = sqlite3.connect

    def limited(*args: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*args, **options)  # type: ignore[call-overload]
        connection.execute("PRAGMA max_page_count = 5")
        return connection

    monkeypatch.setattr(sqlite3, "connect", limited)
    assert "no space left" in failed(full, target, errors.DiskFull, overwrite=True)


def test_a_disk_that_is_full_at_the_very_end(
    full: Database, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(_self: Path, _target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        assert "No space left" in failed(full, target, errors.StorageError)


def test_a_damaged_copy_is_not_given_out(
    full: Database, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = backup_module._verify

    def damage_first(copy: sqlite3.Connection) -> None:
        copy.execute("PRAGMA writable_schema = ON")
        copy.execute("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'idx_urls_brand'")
        copy.execute("PRAGMA writable_schema = RESET")
        real(copy)

    monkeypatch.setattr(backup_module, "_verify", damage_first)
    assert "damaged" in failed(full, target, errors.CorruptFile)


def test_a_damaged_file_gives_no_backup(full: Database, target: Path, now: datetime) -> None:
    """Its pages can be copied, but the check of the copy finds them."""
    path = full.path
    root = full.rows("SELECT rootpage FROM sqlite_master WHERE name = 'sources_master_list'")[0][0]
    size = full.rows("PRAGMA page_size")[0][0]
    full.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    full.close()
    damaged = bytearray(path.read_bytes())
    damaged[(root - 1) * size : root * size] = b"\xa5" * size
    with open_database(path, now=now) as db:
        path.write_bytes(damaged)
        with pytest.raises(errors.CorruptFile, match="damaged"):
            backup(db, target)
    assert list(target.parent.iterdir()) == []
