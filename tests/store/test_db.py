"""The file: made, opened again, refused; nothing half-done and nothing touched that is not ours."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pytest
from permissions import unprivileged

from digestlog import errors
from digestlog.core.canonical import CANON_VERSION, rules_version
from digestlog.core.model import NewSource
from digestlog.resources import schema_sql
from digestlog.store import backup, health, migrations, sources, users
from digestlog.store import db as db_module
from digestlog.store.creation import schema_statements
from digestlog.store.db import (
    APPLICATION_ID,
    Database,
    exists,
    open_database,
    storage_errors,
)

NOW_ISO = "2026-02-13T09:02:10+00:00"
FEED = NewSource("https://example.com/feed", "Example", "RSS")


@pytest.fixture
def made(db_path: Path, now: datetime) -> Path:
    """A file with one source in it, closed."""
    with open_database(db_path, now=now, frozen=True) as db:
        sources.insert(db, FEED)
    return db_path


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        yield connection
    finally:
        connection.close()


def footprint(path: Path) -> dict[str, str]:
    """The hash of the file and of everything beside it."""
    return {p.name: sha256(p.read_bytes()).hexdigest() for p in path.parent.iterdir() if p.is_file()}


def refused(
    path: Path, kind: type[errors.StorageError], now: datetime, **options: float
) -> errors.StorageError:
    """The error with which `path` is refused; its folder stays as it was."""
    before = footprint(path)
    with pytest.raises(errors.StorageError) as caught:
        open_database(path, now=now, busy_timeout_s=options.get("busy_timeout_s", 0))
    assert type(caught.value) is kind
    assert len(caught.value.message.splitlines()) == 1
    assert footprint(path) == before
    return caught.value


# --- making -----------------------------------------------------------------------------------


def test_a_new_file_is_stamped_and_in_wal(db: Database) -> None:
    assert db.path.read_bytes()[68:72] == b"dglg"
    assert db.rows("PRAGMA application_id")[0][0] == APPLICATION_ID
    assert db.rows("PRAGMA user_version")[0][0] == migrations.SCHEMA_VERSION
    assert db.rows("PRAGMA journal_mode")[0][0] == "wal"
    assert db.rows("PRAGMA foreign_keys")[0][0] == 1


def test_the_stamp_stands_in_the_file_itself_before_any_checkpoint(db: Database) -> None:
    header = db.path.read_bytes()[:100]
    assert int.from_bytes(header[60:64]) == migrations.SCHEMA_VERSION


def test_every_table_is_strict(db: Database) -> None:
    tables = db.rows("SELECT name, strict FROM pragma_table_list WHERE type = 'table'")
    ours = [t for t in tables if not t["name"].startswith("sqlite_")]
    assert len(ours) > 30
    assert [t["name"] for t in ours if not t["strict"]] == []


def test_the_first_rows(db: Database) -> None:
    (owner,) = db.rows("SELECT users.*, plan, status FROM users JOIN subscriptions ON user_id = users.id")
    assert (owner["name"], owner["role"], owner["plan"], owner["status"]) == (
        "owner",
        "admin",
        "paid",
        "active",
    )
    assert owner["created_at"] == owner["updated_at"] == NOW_ISO
    plans = db.rows("SELECT plan, max_tracked_urls, full_history FROM plan_definitions ORDER BY plan")
    assert [tuple(p) for p in plans] == [("free", 10, 0), ("paid", None, 1)]
    (identity,) = db.rows("SELECT canon_version, rules_version FROM url_identity")
    assert tuple(identity) == (CANON_VERSION, rules_version())
    numbers = db.rows("SELECT url_scraping_method, last_number FROM source_numbers ORDER BY 1")
    assert [tuple(n) for n in numbers] == [("Direct", 0), ("RSS", 0)]


def test_the_owner_has_the_same_id_on_every_machine(tmp_path: Path, now: datetime) -> None:
    ids = []
    for name in ("one.db", "two.db"):
        with open_database(tmp_path / name, now=now, owner="anna") as db:
            ids.append(users.require(db, "anna"))
    assert ids[0] == ids[1]


def test_opening_again_changes_nothing(made: Path, now: datetime) -> None:
    before = footprint(made)
    with open_database(made, now=now) as db:
        assert [s.source_uuid for s in sources.list_all(db)] == ["W_RSS_1"]
    assert footprint(made) == before


def test_an_empty_file_is_taken_as_new(db_path: Path, now: datetime) -> None:
    db_path.touch()
    with open_database(db_path, now=now) as db:
        assert users.require(db, "owner")


@pytest.mark.parametrize("name", ["a b?mode=ro#x%41.db", "ü😀.db", "-x.db", "'\".db"])
def test_odd_file_names(tmp_path: Path, now: datetime, name: str) -> None:
    open_database(tmp_path / name, now=now).close()
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_a_name_that_is_not_utf8(tmp_path: Path, now: datetime) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.db"))
    open_database(path, now=now).close()
    assert path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a network path there")
def test_a_path_that_starts_with_two_slashes(db_path: Path, now: datetime) -> None:
    open_database(Path("/" + str(db_path)), now=now).close()
    assert db_path.exists()


def test_a_relative_path(tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_database(Path("here.db"), now=now).close()
    assert (tmp_path / "here.db").exists()


OPENER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from digestlog.store.db import open_database
print("ready", flush=True)
sys.stdin.readline()
with open_database(Path(sys.argv[1]), now=datetime(2026, 2, 13, tzinfo=UTC)) as db:
    print(len(db.rows("SELECT * FROM users")), db.row("PRAGMA journal_mode")[0])
"""


@pytest.mark.parametrize("attempt", range(3))
def test_processes_that_create_at_once_all_end_well(db_path: Path, attempt: int) -> None:
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, str(db_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("\n")
        program.stdin.flush()
    answers = [program.communicate(timeout=60) for program in programs]
    assert answers == [("1 wal\n", "")] * 3


def test_another_program_that_creates_first_wins(
    db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = db_module._create

    def late(*args: object) -> None:
        monkeypatch.setattr(db_module, "_create", real)
        open_database(db_path, now=now, owner="first").close()
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(db_module, "_create", late)
    with open_database(db_path, now=now, owner="second") as db:
        assert [row["name"] for row in db.rows("SELECT name FROM users")] == ["first"]


def test_a_creation_that_was_killed_is_begun_anew(db_path: Path, now: datetime, tmp_path: Path) -> None:
    """Half of the pages are in the file, and the journal that undoes them beside it."""
    aside = tmp_path / "aside"
    aside.mkdir()
    with raw(db_path) as connection:
        connection.execute("PRAGMA cache_size = 5")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {migrations.SCHEMA_VERSION}")
        connection.execute("CREATE TABLE filler (x)")
        for _ in range(100):
            connection.execute("INSERT INTO filler VALUES (zeroblob(3000))")
        # What a kill leaves: the pages so far, page 1 as the commit writes it first, the journal.
        page_1 = connection.execute("PRAGMA page_size").fetchone()[0]
        half = bytearray(db_path.read_bytes())
        journal = db_path.with_name(db_path.name + "-journal").read_bytes()
        connection.execute("COMMIT")
        half[:page_1] = db_path.read_bytes()[:page_1]
    target = aside / "digestlog.db"
    target.write_bytes(half)
    target.with_name("digestlog.db-journal").write_bytes(_with_count(journal))
    with open_database(target, now=now) as db:
        assert users.require(db, "owner")
        assert health.schema(db).ok


def _with_count(journal: bytes) -> bytes:
    """A journal whose header was synced: the magic, and as many records as the size says."""
    magic = bytes.fromhex("d9d505f920a163d7")
    return magic + b"\xff\xff\xff\xff" + journal[12:]


# --- refusing ---------------------------------------------------------------------------------


def test_a_newer_file_is_refused(made: Path, now: datetime) -> None:
    with raw(made) as connection:
        connection.execute("PRAGMA user_version = 99")
    error = refused(made, errors.SchemaVersionError, now)
    assert "99" in error.message
    assert error.hint is not None


def test_a_file_that_is_newer_only_in_its_log_is_refused(made: Path, now: datetime, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    with raw(made) as connection:
        connection.execute("PRAGMA user_version = 99")
        for end in ("", "-wal", "-shm"):
            shutil.copyfile(f"{made}{end}", aside / f"digestlog.db{end}")
    path = aside / "digestlog.db"
    assert int.from_bytes(path.read_bytes()[60:64]) == 1
    before = {name: h for name, h in footprint(path).items() if not name.endswith("-shm")}
    with pytest.raises(errors.SchemaVersionError, match="99"):
        open_database(path, now=now)
    assert {name: h for name, h in footprint(path).items() if not name.endswith("-shm")} == before


@pytest.mark.parametrize("application_id", [0, 0x0F055112])
@pytest.mark.parametrize(
    "script", ["CREATE TABLE mine (x); INSERT INTO mine VALUES (1)", "PRAGMA user_version = 1"]
)
@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_another_programs_database_is_refused(
    db_path: Path, now: datetime, application_id: int, script: str, mode: str
) -> None:
    with raw(db_path) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.executescript(f"PRAGMA application_id = {application_id}; {script}")
    assert "another program" in refused(db_path, errors.NotADigestlogFile, now).message


@pytest.mark.parametrize("content", [b"hello\n", b"SQLite format 3\x00", b"\x00" * 5000, b"<html>" * 1000])
def test_a_file_that_is_no_database_is_refused(db_path: Path, now: datetime, content: bytes) -> None:
    db_path.write_bytes(content)
    refused(db_path, errors.NotADigestlogFile, now)


def test_a_folder_is_refused(tmp_path: Path, now: datetime) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    error = refused(folder, errors.NotADigestlogFile, now)
    assert "folder" in error.message
    assert list(folder.iterdir()) == []


def test_a_file_of_ours_without_a_version_is_refused(made: Path, now: datetime) -> None:
    with raw(made) as connection:
        connection.execute("PRAGMA user_version = 0")
    refused(made, errors.SchemaVersionError, now)


def test_a_stamped_file_without_tables_is_filled(db_path: Path, now: datetime) -> None:
    with raw(db_path) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    with open_database(db_path, now=now) as db:
        assert users.require(db, "owner")


def test_garbage_in_the_middle_is_refused(made: Path, now: datetime) -> None:
    content = bytearray(made.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xa5" * 4096
    made.write_bytes(content)
    refused(made, errors.CorruptFile, now)


@pytest.mark.parametrize("keep", [0.5, 0.01, 0.99])
def test_a_truncated_file_is_refused(made: Path, now: datetime, keep: float) -> None:
    content = made.read_bytes()
    made.write_bytes(content[: int(len(content) * keep)])
    refused(made, errors.CorruptFile, now)


@pytest.mark.parametrize(
    ("span", "kind"),
    [
        ((16, 100), errors.NotADigestlogFile),
        ((16, 60), errors.CorruptFile),
        ((100, 4096), errors.CorruptFile),
        ((16, 18), errors.CorruptFile),
    ],
)
def test_a_garbled_first_page_is_refused(
    made: Path, now: datetime, span: tuple[int, int], kind: type[errors.StorageError]
) -> None:
    content = bytearray(made.read_bytes())
    content[slice(*span)] = b"\xa5" * (span[1] - span[0])
    made.write_bytes(content)
    refused(made, kind, now)


def test_a_large_file_is_not_read_whole(made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_module, "_CHECKED_WHOLE_BYTES", 10)
    monkeypatch.setattr(db_module, "_quick_check", pytest.fail)
    open_database(made, now=now).close()


def test_a_damage_that_quick_check_reports_in_many_lines_is_one_line(
    made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_module, "_version", lambda _connection: 1)
    connection = sqlite3.connect(":memory:")
    connection.close()

    class Answer:
        def execute(self, _sql: str) -> Answer:
            return self

        def fetchone(self) -> tuple[str]:
            return ("*** in database main ***\nPage 4: never used",)

    with pytest.raises(errors.CorruptFile) as caught:
        db_module._quick_check(Answer(), made)  # type: ignore[arg-type]
    assert caught.value.message.endswith("*** in database main *** Page 4: never used")


def test_a_file_that_changes_under_the_first_look_is_looked_at_again(
    made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program is writing: what looked damaged was half-written."""
    whole, looks = made.read_bytes(), []
    real = db_module._look

    def look(path: Path, traces: frozenset[object], busy_timeout_s: float) -> None:
        looks.append(traces)
        if len(looks) == 1:
            made.write_bytes(whole + b"")
            os.utime(made, ns=(1, 1))
            raise errors.CorruptFile("half-written")
        real(path, traces, busy_timeout_s)

    monkeypatch.setattr(db_module, "_look", look)
    open_database(made, now=now).close()
    assert "changing" in looks[1]


@pytest.mark.parametrize("mode", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_file_with_a_writer_in_wal_can_be_opened_and_read(made: Path, now: datetime, mode: str) -> None:
    with raw(made) as writer:
        writer.execute(f"BEGIN {mode}")
        with open_database(made, now=now, busy_timeout_s=0) as db:
            assert len(sources.list_all(db)) == 1


def test_a_file_held_exclusively_is_refused(made: Path, now: datetime) -> None:
    with raw(made) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        refused(made, errors.LockedFile, now)
    open_database(made, now=now).close()


def test_a_file_that_another_program_is_creating_is_left_to_it(db_path: Path, now: datetime) -> None:
    with raw(db_path) as creator:
        creator.execute("BEGIN EXCLUSIVE")
        with pytest.raises(errors.LockedFile):
            open_database(db_path, now=now, busy_timeout_s=0)
        assert db_path.exists()
        creator.execute("CREATE TABLE mine (x)")
        creator.execute("COMMIT")
    with raw(db_path) as again:
        assert again.execute("SELECT count(*) FROM mine").fetchone() == (0,)


def test_a_missing_folder(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / "no" / "digestlog.db"
    with pytest.raises(errors.MissingDirectory) as caught:
        open_database(path, now=now)
    assert caught.value.hint is not None
    assert "mkdir" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_parent_that_is_a_file(tmp_path: Path, now: datetime) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(errors.MissingDirectory, match="not a folder"):
        open_database(tmp_path / "file" / "digestlog.db", now=now)


def test_a_name_that_the_system_cannot_have(tmp_path: Path, now: datetime) -> None:
    with pytest.raises(errors.StorageError) as caught:
        open_database(tmp_path / ("x" * 5000), now=now)
    assert len(caught.value.message.splitlines()) == 1


def test_no_permission_to_look(db_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stat(_self: Path, **_options: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", stat)
        with pytest.raises(errors.ReadOnlyFile):
            exists(db_path)


def test_no_permission_to_read(made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Path, *_args: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        with pytest.raises(errors.ReadOnlyFile):
            open_database(made, now=now)


def test_a_folder_without_write_permission(tmp_path: Path, now: datetime) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with unprivileged(folder), pytest.raises(errors.StorageError):
        open_database(folder / "digestlog.db", now=now)
    assert list(folder.iterdir()) == []


def test_a_read_only_connection_reads_and_refuses_to_write(
    made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = db_module._uri
    monkeypatch.setattr(db_module, "_uri", lambda path, mode: real(path, mode.replace("rwc", "ro")))
    with open_database(made, now=now) as db:
        assert len(sources.list_all(db)) == 1
        with pytest.raises(errors.ReadOnlyFile):
            sources.pause(db, "W_RSS_1", None)


def test_a_connection_that_cannot_be_set_up_is_closed(
    made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_module, "_inspect", lambda *_args: None)
    made.write_bytes(b"garbage" * 1000)
    with pytest.raises(errors.CorruptFile):
        open_database(made, now=now)


def test_an_older_sqlite_is_refused(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_module, "OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(errors.StorageError, match=r"99\.0\.0"):
        open_database(db_path, now=now)
    assert not db_path.exists()


# --- a full disk ------------------------------------------------------------------------------


def test_a_full_disk_in_a_transaction_loses_nothing(db: Database) -> None:
    sources.insert(db, FEED)
    pages = db.rows("PRAGMA page_count")[0][0]
    db.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(errors.DiskFull) as caught, db.transaction() as connection:
        for number in range(1, 1000):
            connection.execute("UPDATE users SET password_hash = hex(zeroblob(:n))", {"n": number * 100})
    assert caught.value.hint is not None
    assert not db.connection.in_transaction
    assert [s.source_name for s in sources.list_all(db)] == ["Example"]
    assert db.rows("SELECT * FROM clock") == []
    db.connection.execute("PRAGMA max_page_count = 100000")
    assert sources.pause(db, "W_RSS_1", "later").paused_reason == "later"
    assert all(check.ok for check in health.checks(db))


def limit_pages(monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    real = db_module._connect

    def connect(path: Path, busy_timeout_s: float, any_thread: bool) -> sqlite3.Connection:
        connection = real(path, busy_timeout_s, any_thread)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(db_module, "_connect", connect)


@pytest.mark.parametrize("pages", [1, 5, 40])
def test_a_full_disk_while_creating_leaves_nothing(
    db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    with monkeypatch.context() as patch:
        limit_pages(patch, pages)
        with pytest.raises(errors.DiskFull):
            open_database(db_path, now=now)
    assert list(db_path.parent.iterdir()) == []
    open_database(db_path, now=now).close()


def test_an_empty_file_that_was_there_stays_when_the_disk_is_full(
    db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    db_path.touch()
    limit_pages(monkeypatch, 5)
    refused(db_path, errors.DiskFull, now)


def test_a_failure_after_creating_leaves_the_whole_file(
    db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "migrate", fail)
        with pytest.raises(KeyboardInterrupt):
            open_database(db_path, now=now)
    with open_database(db_path, now=now) as db:
        assert health.schema(db).ok


def test_an_interrupted_creation_leaves_nothing(
    db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("digestlog.store.creation.first_rows", fail)
    with pytest.raises(KeyboardInterrupt):
        open_database(db_path, now=now)
    assert list(db_path.parent.iterdir()) == []


# --- a locked file ----------------------------------------------------------------------------


def in_transaction(db: Database, write: Callable[[sqlite3.Connection], object]) -> None:
    with db.transaction() as connection:
        write(connection)


WRITES: dict[str, Callable[[Database], object]] = {
    "insert": lambda db: sources.insert(db, NewSource("https://other.example/", "Other", "Direct")),
    "update": lambda db: sources.update(db, "W_RSS_1", {"source_name": "New"}),
    "pause": lambda db: sources.pause(db, "W_RSS_1", "why"),
    "resume": lambda db: sources.resume(db, "W_RSS_1"),
    "remove": lambda db: sources.remove(db, "W_RSS_1"),
    "move": lambda db: in_transaction(db, lambda c: sources.move(c, "W_RSS_1", "https://new.example/")),
    "retire": lambda db: in_transaction(db, lambda c: sources.retire(c, "W_RSS_1", "it has ended")),
}
READS: dict[str, Callable[[Database], object]] = {
    "list_all": sources.list_all,
    "get": lambda db: sources.get(db, "W_RSS_1"),
    "by_url": lambda db: sources.by_url(db, [FEED.source_url]),
    "find": lambda db: sources.find(db, "Example"),
    "known_as": lambda db: sources.known_as(db, "Example"),
    "current": lambda db: users.current(db, None),
    "require": lambda db: users.require(db, "owner"),
    "checks": lambda db: list(health.checks(db)),
    "backup": lambda db: backup.backup(db, db.path.with_name("copy.db")),
}


@pytest.mark.parametrize("name", WRITES)
def test_every_write_to_a_locked_file_says_so_and_works_afterwards(
    made: Path, now: datetime, name: str
) -> None:
    with open_database(made, now=now, busy_timeout_s=0) as db, raw(made) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.LockedFile):
            WRITES[name](db)
        assert not db.connection.in_transaction
        other.execute("ROLLBACK")
        WRITES[name](db)


@pytest.mark.parametrize("name", READS)
def test_every_read_of_a_locked_file_works(made: Path, now: datetime, name: str) -> None:
    with open_database(made, now=now, busy_timeout_s=0) as db, raw(made) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE sources_master_list SET source_name = 'unseen'")
        assert READS[name](db)
        assert "unseen" not in repr(READS["list_all"](db))


# --- transactions -----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GeneratorExit, sqlite3.IntegrityError])
@pytest.mark.parametrize("frozen", [True, False])
def test_a_transaction_is_all_or_nothing(
    db_path: Path, now: datetime, error: type[BaseException], frozen: bool
) -> None:
    with open_database(db_path, now=now, frozen=frozen) as db:
        with pytest.raises(error), db.transaction() as connection:
            connection.execute("UPDATE users SET name = 'changed'")
            raise error("stop")
        assert not db.connection.in_transaction
        assert users.require(db, "owner")
        assert db.rows("SELECT * FROM clock") == []
        with db.transaction() as connection:
            connection.execute("UPDATE users SET name = 'changed'")
        assert users.require(db, "changed")
        assert db.rows("SELECT * FROM clock") == []


BROKEN = {
    "CHECK": "UPDATE users SET role = 'king'",
    "UNIQUE": "INSERT INTO sources_master_list (source_uuid, source_name, source_url, url_scraping_method) "
    "VALUES ('W_RSS_7', 'A', 'https://a.example', 'RSS'), ('W_RSS_8', 'B', 'https://a.example', 'RSS')",
    "users.id": "INSERT INTO users (id, name, role) SELECT id, 'other', role FROM users",
    "FOREIGN KEY": "INSERT INTO user_sources (user_id, source_uuid) SELECT id, 'W_RSS_9' FROM users",
    "NOT NULL": "UPDATE users SET name = NULL",
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_rule_of_the_file_that_is_broken_is_one_line(db: Database, rule: str) -> None:
    with pytest.raises(errors.RuleBroken, match=rule) as caught, db.transaction() as connection:
        connection.execute(BROKEN[rule])
    assert "\n" not in caught.value.message
    assert caught.value.message.startswith(f"{db.path} refuses this: ")
    assert isinstance(caught.value.__cause__, sqlite3.IntegrityError)
    assert not db.connection.in_transaction


def test_the_words_of_a_trigger_can_be_recognised(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute(
            "CREATE TEMP TRIGGER full AFTER UPDATE ON users BEGIN SELECT RAISE(ABORT, 'url cap reached'); END"
        )
    with pytest.raises(errors.RuleBroken, match="url cap reached"), db.transaction() as connection:
        connection.execute("UPDATE users SET name = 'x'")
    with pytest.raises(errors.UrlCapExceeded, match="used up"), db.transaction() as connection:
        try:
            connection.execute("UPDATE users SET name = 'x'")
        except sqlite3.IntegrityError as error:
            raise errors.UrlCapExceeded("used up") from error


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("UPDATE no_such_table SET a = 1", sqlite3.OperationalError),
        ("UPDATE settings SET article_history_days = 'many'", sqlite3.IntegrityError),
    ],
)
def test_mistakes_of_the_program_stay_what_they_are(db: Database, sql: str, kind: type[Exception]) -> None:
    with db.transaction() as connection:
        connection.execute("INSERT INTO settings (user_id) SELECT id FROM users")
    with pytest.raises(kind), db.transaction() as connection:
        connection.execute(sql)


def test_the_clock_is_set_only_inside_a_transaction_with_a_given_time(db_path: Path, now: datetime) -> None:
    for frozen, expected in ((True, [NOW_ISO]), (False, [])):
        with open_database(db_path, now=now, frozen=frozen) as db:
            with db.transaction():
                assert [row["now_utc_iso"] for row in db.rows("SELECT now_utc_iso FROM clock")] == expected
            assert db.rows("SELECT * FROM clock") == []


def test_the_clock_of_one_program_is_not_seen_by_another(db: Database) -> None:
    with db.transaction(), raw(db.path) as other:
        assert other.execute("SELECT count(*) FROM clock").fetchone() == (0,)
        (seen,) = other.execute("SELECT now_utc_iso FROM moment").fetchone()
        assert seen != NOW_ISO


def test_a_transaction_in_a_transaction_is_a_mistake(db: Database) -> None:
    with pytest.raises(sqlite3.OperationalError), db.transaction(), db.transaction():
        pytest.fail("not reached")
    assert not db.connection.in_transaction


def test_utils_shares_the_connection_and_its_transaction(db: Database) -> None:
    with pytest.raises(ValueError), db.transaction():
        db.utils["users"].update(users.require(db, "owner"), {"name": "changed"})
        assert db.utils.conn is db.connection
        assert users.require(db, "changed")
        raise ValueError
    assert users.require(db, "owner")


def test_a_killed_writer_loses_what_was_not_committed_and_nothing_else(made: Path, now: datetime) -> None:
    script = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from digestlog.store.db import open_database
db = open_database(Path(sys.argv[1]), now=datetime(2026, 2, 13, tzinfo=UTC), frozen=True)
with db.transaction() as c:
    c.execute("UPDATE sources_master_list SET source_name = 'committed'")
with db.transaction() as c:
    c.execute("UPDATE sources_master_list SET source_name = 'lost'")
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", script, str(made)], check=False).returncode == 9
    assert made.with_name(made.name + "-wal").exists()
    with open_database(made, now=now) as db:
        assert [s.source_name for s in sources.list_all(db)] == ["committed"]
        assert db.rows("SELECT * FROM clock") == []


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY, errors.LockedFile),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, errors.LockedFile),
        (sqlite3.SQLITE_LOCKED, errors.LockedFile),
        (sqlite3.SQLITE_PROTOCOL, errors.LockedFile),
        (sqlite3.SQLITE_READONLY_DBMOVED, errors.ReadOnlyFile),
        (sqlite3.SQLITE_PERM, errors.ReadOnlyFile),
        (sqlite3.SQLITE_FULL, errors.DiskFull),
        (sqlite3.SQLITE_CORRUPT_INDEX, errors.CorruptFile),
        (sqlite3.SQLITE_NOTADB, errors.CorruptFile),
        (sqlite3.SQLITE_CANTOPEN, errors.StorageError),
        (sqlite3.SQLITE_IOERR_READ, errors.StorageError),
    ],
)
def test_every_sqlite_error_about_the_file_has_words(
    db_path: Path, code: int, kind: type[errors.StorageError]
) -> None:
    cause = sqlite3.OperationalError("what SQLite says")
    cause.sqlite_errorcode = code
    with pytest.raises(errors.StorageError) as caught, storage_errors(db_path):
        raise cause
    assert type(caught.value) is kind
    assert caught.value.__cause__ is cause
    assert str(db_path) in caught.value.message
    assert caught.value.hint


def test_a_mistake_in_sql_stays_what_it_is(db: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        db.rows("SELECT * FROM no_such_table")


# --- the script -------------------------------------------------------------------------------


def test_statements_are_split_at_their_ends_only() -> None:
    trigger = "CREATE TRIGGER t AFTER UPDATE ON a\nBEGIN\n  UPDATE a SET x = ';';\n  SELECT 1;\nEND;\n"
    table = "-- a comment; with a semicolon;\nCREATE TABLE a (x TEXT DEFAULT ';');\n"
    assert list(schema_statements(table + trigger + "SELECT 2;")) == [table, trigger, "SELECT 2;"]


def test_a_last_statement_without_its_semicolon_is_not_lost() -> None:
    assert list(schema_statements("SELECT 1;\nSELECT 2\n")) == ["SELECT 1;\n", "SELECT 2\n"]
    assert list(schema_statements("SELECT 1;\n\n")) == ["SELECT 1;\n"]


def test_the_schema_splits_into_one_create_each() -> None:
    statements = list(schema_statements(schema_sql()))
    bare = ["\n".join(li for li in s.splitlines() if not li.startswith("--")).strip() for s in statements]
    assert all(b.startswith("CREATE ") for b in bare)
    with sqlite3.connect(":memory:") as connection:
        for statement in statements:
            connection.execute(statement)
        shadows = "SELECT name FROM pragma_table_list WHERE type = 'shadow'"
        (made,) = connection.execute(
            f"SELECT count(*) FROM sqlite_master WHERE sql IS NOT NULL AND name NOT IN ({shadows})"
        ).fetchone()
    connection.close()
    assert made == len(statements)


# --- URL rules --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE url_identity SET rules_version = 2", "URL rules 1.2"),
        ("UPDATE url_identity SET canon_version = 3", "URL rules 3.1"),
        ("DELETE FROM url_identity", "no URL rules"),
    ],
)
def test_identities_of_other_rules_are_read_but_not_added_to(
    made: Path, now: datetime, change: str, said: str
) -> None:
    with raw(made) as other:
        other.execute(change)
        other.commit()
    with open_database(made, now=now) as db:
        assert len(sources.list_all(db)) == 1
        with pytest.raises(errors.SchemaVersionError, match=said) as caught:
            sources.pause(db, "W_RSS_1", None)
        assert "not written" in str(caught.value.hint)
        assert sources.list_all(db)[0].is_active


def test_a_damaged_file_of_any_size_is_looked_at_before_the_first_write(
    made: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    with raw(made) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        (root,) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'categories'").fetchone()
        (size,) = other.execute("PRAGMA page_size").fetchone()
    damaged = bytearray(made.read_bytes())
    damaged[(root - 1) * size : root * size] = b"\xff" * size
    made.write_bytes(damaged)
    monkeypatch.setattr(db_module, "_CHECKED_WHOLE_BYTES", 0)
    with open_database(made, now=now) as db, pytest.raises(errors.CorruptFile):
        sources.pause(db, "W_RSS_1", None)
    assert made.read_bytes() == damaged
