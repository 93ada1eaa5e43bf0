"""From an older file to the current schema: all of the way or none of it, and a backup beside it."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest
import sqlite_utils
from store.rows import fill

from digestlog import errors
from digestlog.resources import schema_sql
from digestlog.store import db as db_module
from digestlog.store import health, migrations
from digestlog.store.creation import schema_statements
from digestlog.store.db import APPLICATION_ID, open_database
from digestlog.store.migrations import SCHEMA_VERSION, STEPS, Step, migrate

OLD, NEW = SCHEMA_VERSION, SCHEMA_VERSION + 2
OLD_SCHEMAS = Path(__file__).parents[1] / "data"

# --- a schema of tomorrow ---------------------------------------------------------------------

_SETTINGS = schema_sql().partition("CREATE TABLE settings (")[2].partition("\n) STRICT;")[0]
_GREETING = "greeting TEXT CHECK (greeting <> '') DEFAULT 'hello'"
_NEW_SETTINGS = f"{_SETTINGS},\n    -- What a digest begins with.\n    {_GREETING}"
_ROLES = "CHECK (role IN ('admin', 'user'))"
_NEW_ROLES = "CHECK (role IN ('admin', 'user', 'guest'))"
_LINKS = """
CREATE TABLE links (
    id INTEGER PRIMARY KEY, -- of its own
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_links_user ON links (user_id);
CREATE VIEW own_links AS SELECT id FROM links;
"""
TOMORROW = schema_sql().replace(_SETTINGS, _NEW_SETTINGS).replace(_ROLES, _NEW_ROLES) + _LINKS


def add_greeting_and_links(connection: sqlite3.Connection) -> None:
    connection.execute(f"ALTER TABLE settings ADD COLUMN {_GREETING}")
    for statement in schema_statements(_LINKS):
        connection.execute(statement)


def let_in_guests(connection: sqlite3.Connection) -> None:
    """A CHECK cannot be altered: the table is made anew, and what hangs on it."""
    statements = list(schema_statements(TOMORROW))
    (table,) = [s for s in statements if "CREATE TABLE users (" in s]
    triggers = [s for s in statements if re.search(r"CREATE TRIGGER (users_touched|logged_users_)", s)]
    connection.execute("PRAGMA legacy_alter_table = ON")
    connection.execute(table.replace("CREATE TABLE users (", "CREATE TABLE users_new ("))
    connection.execute("INSERT INTO users_new SELECT * FROM users")
    connection.execute("DROP TABLE users")
    connection.execute("ALTER TABLE users_new RENAME TO users")
    connection.execute("PRAGMA legacy_alter_table = OFF")
    for trigger in triggers:
        connection.execute(trigger)


GOOD: dict[int, Step] = {OLD: add_greeting_and_links, OLD + 1: let_in_guests}


# --- files ------------------------------------------------------------------------------------


def make_old(path: Path, schema: str, version: int, *, mode: str = "wal") -> None:
    """A file as a digestlog of that version left it, with a row in every table."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.executescript(f"BEGIN; {schema}")
    fill(connection)
    connection.execute("COMMIT")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.close()


@pytest.fixture(params=["wal", "delete"])
def old(request: pytest.FixtureRequest, db_path: Path) -> Path:
    """A file of the current schema, which is an old one where tomorrow's is wanted."""
    make_old(db_path, schema_sql(), OLD, mode=request.param)
    return db_path


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    try:
        yield connection
    finally:
        connection.close()


def content(path: Path) -> list[str]:
    """Every statement that it takes to make the file again, and its version."""
    with connected(path) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        return [f"version {version}", *connection.iterdump()]


def schema_of(path: Path) -> dict[str, str]:
    with connected(path) as connection:
        return health._objects(connection)


def beside(path: Path) -> list[str]:
    return sorted(p.name for p in path.parent.iterdir() if p.name != path.name)


def climb(path: Path, steps: Mapping[int, Step], target: int = NEW) -> Path | None:
    with connected(path) as connection:
        backup = migrate(connection, path, steps=steps, target=target)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        return backup


@contextmanager
def tomorrow(steps: Mapping[int, Step] = GOOD) -> Iterator[None]:
    """Let the program be the one that knows tomorrow's schema."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (db_module, health):
            patch.setattr(module, "schema_sql", lambda: TOMORROW)
        patch.setattr(migrations, "SCHEMA_VERSION", NEW)
        patch.setattr(health, "SCHEMA_VERSION", NEW)
        for name, value in (("steps", steps), ("target", NEW)):
            patch.setitem(migrate.__kwdefaults__, name, value)
        patch.setattr(migrations.refuse_newer, "__defaults__", (NEW,))
        yield


# --- the real steps ---------------------------------------------------------------------------


def test_there_is_a_step_from_every_version() -> None:
    assert sorted(STEPS) == list(range(1, SCHEMA_VERSION))


def test_the_schema_of_every_older_version_is_kept() -> None:
    kept = sorted(path.name for path in OLD_SCHEMAS.glob("schema-v*.sql"))
    assert kept == sorted(f"schema-v{version}.sql" for version in STEPS)


@pytest.mark.parametrize("version", [*STEPS, SCHEMA_VERSION])
def test_a_migrated_file_equals_a_fresh_one(db_path: Path, now: datetime, version: int) -> None:
    """The current version is the shortest way: no step at all."""
    kept = OLD_SCHEMAS / f"schema-v{version}.sql"
    text = schema_sql() if version == SCHEMA_VERSION else kept.read_text(encoding="utf-8")
    make_old(db_path, text, version)
    with open_database(db_path, now=now) as db:
        assert all(check.ok for check in health.checks(db))
    assert schema_of(db_path) == health.fresh_schema()


# --- all of the way ---------------------------------------------------------------------------


def test_tomorrows_file_equals_a_fresh_one(old: Path, now: datetime) -> None:
    before = content(old)
    with tomorrow():
        with open_database(old, now=now) as db:
            assert [check for check in health.checks(db) if not check.ok] == []
            assert db.rows("PRAGMA user_version")[0][0] == NEW
            assert db.rows("SELECT greeting FROM settings")[0]["greeting"] == "hello"
            with db.transaction() as connection:
                connection.execute("UPDATE users SET role = 'guest'")
        assert schema_of(old) == health.fresh_schema()
    assert beside(old) == [f"{old.name}.v{OLD}.bak"]
    assert content(old.with_name(f"{old.name}.v{OLD}.bak")) == before


def test_without_the_step_the_equality_would_fail(old: Path, now: datetime) -> None:
    with tomorrow({OLD: add_greeting_and_links, OLD + 1: lambda _connection: None}):
        with open_database(old, now=now) as db:
            assert health.schema(db).problems == ("table users differs",)


def test_no_row_is_lost_where_a_table_is_made_anew(old: Path) -> None:
    """Dropping a table with foreign keys on would take everything with it that refers to it."""
    with connected(old) as connection:
        tables = [t for (t,) in connection.execute("SELECT name FROM pragma_table_list WHERE type = 'table'")]
        before = {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone() for t in tables}
    climb(old, GOOD)
    with connected(old) as connection:
        after = {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone() for t in tables}
    ours = {t for t in tables if not t.startswith("sqlite_")}
    assert {t: after[t] for t in ours} == {t: before[t] for t in ours}
    assert before["user_url_library"] == (1,)


def test_steps_run_in_order_each_with_its_version(old: Path) -> None:
    seen: list[tuple[int, int, bool]] = []

    def step(number: int) -> Step:
        def run(connection: sqlite3.Connection) -> None:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            seen.append((number, version, connection.in_transaction))

        return run

    climb(old, {n: step(n) for n in (OLD + 1, OLD - 1, OLD, OLD + 2)})
    assert seen == [(OLD, OLD, True), (OLD + 1, OLD + 1, True)]


def test_a_current_file_has_nothing_to_do(old: Path) -> None:
    before = content(old)
    assert climb(old, {OLD: pytest.fail}, target=OLD) is None
    assert content(old) == before
    assert beside(old) == []


def test_a_transform_of_sqlite_utils_is_part_of_the_transaction(old: Path) -> None:
    def transform(connection: sqlite3.Connection) -> None:
        sqlite_utils.Database(connection).table("users").transform(rename={"session_epoch": "epoch"})
        assert connection.in_transaction

    before = content(old)
    with pytest.raises(ValueError, match="stop"):
        climb(old, {OLD: transform, OLD + 1: raising(ValueError("stop"))})
    assert content(old) == before
    climb(old, {OLD: transform}, target=OLD + 1)
    with connected(old) as connection:
        assert connection.execute("SELECT epoch FROM users").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM user_url_library").fetchone() == (1,)


# --- the backup -------------------------------------------------------------------------------


def test_what_only_the_log_holds_is_in_the_backup(db_path: Path) -> None:
    make_old(db_path, schema_sql(), OLD)
    with connected(db_path) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE users SET name = 'only in the log'")
        assert b"only in the log" not in db_path.read_bytes()
        backup = migrate(writer, db_path, steps=GOOD, target=NEW)
    assert backup == db_path.with_name(f"{db_path.name}.v{OLD}.bak")
    assert b"only in the log" in backup.read_bytes()


def test_an_earlier_backup_is_never_written_over(old: Path) -> None:
    name = f"{old.name}.v{OLD}"
    for end in (".bak", ".2.bak"):
        old.with_name(name + end).write_bytes(b"precious")
    backup = climb(old, GOOD)
    assert backup == old.with_name(f"{name}.3.bak")
    assert [old.with_name(name + end).read_bytes() for end in (".bak", ".2.bak")] == [b"precious"] * 2
    assert beside(old) == [f"{name}.2.bak", f"{name}.3.bak", f"{name}.bak"]


def test_what_a_killed_program_left_is_replaced(old: Path) -> None:
    old.with_name(f"{old.name}.v{OLD}.bak.partial").write_bytes(b"half a backup" * 1000)
    climb(old, GOOD)
    assert beside(old) == [f"{old.name}.v{OLD}.bak"]


def test_without_a_backup_there_is_no_migration(old: Path, now: datetime) -> None:
    before = content(old)
    old.with_name(f"{old.name}.v{OLD}.bak.partial").mkdir()
    with tomorrow(), pytest.raises(errors.StorageError, match="cannot be written") as caught:
        open_database(old, now=now)
    assert caught.value.hint
    assert content(old) == before


def test_a_disk_without_room_for_the_backup(old: Path, now: datetime) -> None:
    before = content(old)
    real = sqlite3.connect

    def limited(target: str | Path, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(target, **options)  # type: ignore[call-overload]
        if str(target).endswith(".partial"):
            connection.execute("PRAGMA max_page_count = 5")
        return connection

    with tomorrow(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", limited)
        with pytest.raises(errors.DiskFull):
            open_database(old, now=now)
    assert content(old) == before
    assert beside(old) == []


# --- none of it -------------------------------------------------------------------------------


def raising(error: BaseException) -> Step:
    def step(_connection: sqlite3.Connection) -> None:
        raise error

    return step


def breaking(sql: str) -> Step:
    def step(connection: sqlite3.Connection) -> None:
        connection.execute(sql)

    return step


BAD: dict[str, tuple[Step, type[BaseException]]] = {
    "a mistake": (raising(ValueError("stop")), ValueError),
    "an interruption": (raising(KeyboardInterrupt()), KeyboardInterrupt),
    "wrong SQL": (breaking("ALTER TABLE no_such_table ADD COLUMN x"), sqlite3.OperationalError),
    "a refused value": (breaking("UPDATE users SET role = 'king'"), sqlite3.IntegrityError),
    "a lost row": (breaking("DELETE FROM users"), errors.SchemaVersionError),
    "a lost table": (breaking("DROP TABLE users"), Exception),
}


@pytest.mark.parametrize("at", [OLD, OLD + 1])
@pytest.mark.parametrize("name", BAD)
def test_a_step_that_fails_leaves_the_file_as_it_was(old: Path, name: str, at: int) -> None:
    step, kind = BAD[name]
    before, schema = content(old), schema_of(old)
    with connected(old) as connection:
        with pytest.raises(kind):
            migrate(connection, old, steps=GOOD | {at: step}, target=NEW)
        assert not connection.in_transaction
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert beside(old) == []
    assert (content(old), schema_of(old)) == (before, schema)
    climb(old, GOOD)
    assert content(old)[0] == f"version {NEW}"


def test_without_a_log_not_a_byte_changes(db_path: Path) -> None:
    make_old(db_path, schema_sql(), OLD, mode="delete")
    before = db_path.read_bytes()
    with pytest.raises(ValueError, match="stop"):
        climb(db_path, GOOD | {OLD + 1: raising(ValueError("stop"))})
    assert db_path.read_bytes() == before


@pytest.mark.parametrize(("at", "version"), [(OLD, OLD + 1), (OLD + 1, OLD + 2)])
def test_references_are_checked_after_each_step(old: Path, at: int, version: int) -> None:
    """Not only at the end: a later step must not cover up what an earlier one lost."""
    steps = GOOD | {at: breaking("DELETE FROM brand_library_brands WHERE id IN (SELECT brand_id FROM urls)")}
    with sqlite3.connect(old) as connection:
        connection.execute("DELETE FROM brand_domains")
    connection.close()
    if at == OLD:
        steps[OLD + 1] = breaking("UPDATE urls SET brand_id = NULL")
    with pytest.raises(errors.SchemaVersionError) as caught:
        climb(old, steps)
    lost = "a row of urls refers to nothing in brand_library_brands"
    assert f"to version {version}: {lost}" in caught.value.message
    assert caught.value.hint


def test_a_failure_is_told_by_the_one_who_opens(old: Path, now: datetime) -> None:
    before = content(old)
    with tomorrow(GOOD | {OLD + 1: breaking("DELETE FROM users")}):
        with pytest.raises(errors.SchemaVersionError, match="could not be brought to version"):
            open_database(old, now=now)
    assert content(old) == before
    with open_database(old, now=now) as db:
        assert all(check.ok for check in health.checks(db))


@pytest.mark.parametrize("steps", [{}, {OLD: pytest.fail}, {OLD + 1: pytest.fail}, {OLD - 1: pytest.fail}])
def test_a_version_from_which_there_is_no_way(old: Path, steps: dict[int, Step]) -> None:
    """It is said before anything is done."""
    before = content(old)
    with pytest.raises(errors.SchemaVersionError, match=f"has version {OLD}, .* no way to {NEW}") as caught:
        climb(old, steps)
    assert caught.value.hint
    assert beside(old) == []
    assert content(old) == before


def test_a_newer_version_is_not_taken_down(old: Path) -> None:
    before = content(old)
    with pytest.raises(errors.SchemaVersionError, match="newer digestlog"):
        climb(old, {}, target=OLD - 1)
    assert beside(old) == []
    assert content(old) == before


KILLED = """
import os, sqlite3, sys
from pathlib import Path
from digestlog.store.migrations import migrate
def step(connection):
    connection.execute("DELETE FROM summaries")
    connection.execute("ALTER TABLE settings ADD COLUMN greeting TEXT")
    os._exit(9)
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
version = int(sys.argv[2])
migrate(connection, Path(sys.argv[1]), steps={version: step}, target=version + 1)
"""


def test_a_program_that_is_killed_leaves_the_file_as_it_was(old: Path) -> None:
    before = content(old)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(old), str(OLD)], check=False)
    assert killed.returncode == 9
    assert content(old) == before
    assert climb(old, GOOD) == old.with_name(f"{old.name}.v{OLD}.2.bak")


# --- others -----------------------------------------------------------------------------------


def test_a_file_that_another_writes_to_is_left_alone(old: Path, now: datetime) -> None:
    before = content(old)
    with tomorrow(), connected(old) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.LockedFile):
            open_database(old, now=now, busy_timeout_s=0)
        other.execute("ROLLBACK")
    assert content(old) == before
    assert [name for name in beside(old) if name.endswith((".bak", ".partial"))] == []


def racing(first: Callable[[], object], patch: pytest.MonkeyPatch) -> None:
    """Let `first` happen between the look at the version and the lock."""
    real = migrations._version

    def version(connection: sqlite3.Connection) -> int:
        seen = real(connection)
        patch.setattr(migrations, "_version", real)
        first()
        return seen

    patch.setattr(migrations, "_version", version)


def test_another_program_that_was_faster(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    racing(lambda: climb(old, GOOD), monkeypatch)
    assert climb(old, dict.fromkeys(GOOD, pytest.fail)) is None
    assert beside(old) == [f"{old.name}.v{OLD}.bak"]
    assert content(old)[0] == f"version {NEW}"


def test_another_program_that_knows_more_and_was_faster(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    racing(lambda: climb(old, GOOD), monkeypatch)
    with pytest.raises(errors.SchemaVersionError, match="newer digestlog"):
        climb(old, GOOD, target=OLD + 1)
    assert content(old)[0] == f"version {NEW}"


def test_a_reader_sees_the_old_file_until_the_end(old: Path) -> None:
    with connected(old) as reader:

        def look(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE users SET name = 'new'")
            assert reader.execute("SELECT name FROM users").fetchone() == ("anna",)
            assert reader.execute("PRAGMA user_version").fetchone() == (OLD,)

        climb(old, {OLD: look}, target=OLD + 1)
        assert reader.execute("SELECT name FROM users").fetchone() == ("new",)


OPENER = """
import sqlite3, sys
from pathlib import Path
from digestlog.store.migrations import migrate
path, version = Path(sys.argv[1]), int(sys.argv[2])
connection = sqlite3.connect(path, isolation_level=None, timeout=30)
def step(connection):
    connection.execute("UPDATE users SET session_epoch = session_epoch + 1")
print("ready", flush=True)
sys.stdin.readline()
backup = migrate(connection, path, steps={version: step}, target=version + 1)
print(backup.name if backup else None, connection.execute("SELECT session_epoch FROM users").fetchone()[0])
connection.close()
"""


def test_of_several_programs_at_once_one_migrates(old: Path) -> None:
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, os.fspath(old), str(OLD)],
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
    answers = sorted(program.communicate(timeout=60) for program in programs)
    assert answers == [("None 1\n", ""), ("None 1\n", ""), (f"{old.name}.v{OLD}.bak 1\n", "")]
    assert beside(old) == [f"{old.name}.v{OLD}.bak"]
