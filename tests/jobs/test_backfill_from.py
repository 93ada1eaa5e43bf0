"""Another tracker's file: read without a trace, whatever is in it, and the same however often."""

from __future__ import annotations

import sqlite3
import uuid as uuids
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from store.rows import CHANGE, CHECK, HASH, PAGE, THEN, TRACKED, USER, put, uuid

from digestlog.core.v1 import MAX_BLOB
from digestlog.errors import ConfigError
from digestlog.jobs.backfill import Imported, backfill, take_in
from digestlog.store.db import Database, open_database
from digestlog.store.users import current

V1_TABLES = ("tracked_urls", "url_checks", "url_changes", "summaries", "url_renders")
LOOSE = """
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tracked_urls (id INTEGER PRIMARY KEY, user_id, url, is_active, created_at);
CREATE TABLE url_checks (id INTEGER PRIMARY KEY, tracked_url_id, checked_at, status_code, content_hash,
    error);
CREATE TABLE url_changes (id INTEGER PRIMARY KEY, tracked_url_id, check_id, detected_at, before, after);
CREATE TABLE summaries (id INTEGER PRIMARY KEY, change_id, summary, created_at);
CREATE TABLE url_renders (id INTEGER PRIMARY KEY, tracked_url_id, check_id, content, created_at);
"""
USUAL = """
INSERT INTO users VALUES (1, 'anna'), (2, 'bert');
INSERT INTO tracked_urls VALUES (1, 1, 'https://shop.example/lamp?utm_source=x', 1, 1770000000),
    (2, 2, 'https://shop.example/lamp', 'true', '2026-02-01 10:00:00');
INSERT INTO url_checks VALUES (1, 1, '2026-02-12T14:03:12Z', 200, 'd41d8cd98f00b204e9800998ecf8427e', ''),
    (2, '2', 1770904993, '503', NULL, 'busy');
INSERT INTO url_changes VALUES (1, 1, 1, '2026-02-12 14:03:12', '9', 8);
INSERT INTO summaries VALUES (1, 1, 'Less', NULL);
INSERT INTO url_renders VALUES (1, 1, 1, 'page', '2026-02-12'), (2, 2, 99, x'00ff', NULL);
"""


def silent(what: str, rows: int) -> None:
    """Nobody watches."""


@pytest.fixture
def foreign(tmp_path: Path) -> Callable[..., Path]:
    """Makes a file with a script."""

    def make(*scripts: str, name: str = "old.db") -> Path:
        path = tmp_path / name
        with closing(sqlite3.connect(path)) as connection:
            for script in scripts:
                connection.executescript(script)
        return path

    return make


def take(db: Database, path: Path, **options: Any) -> Imported:
    return take_in(db, path, current(db, None), silent, **options)


def rows(db: Database, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.rows(sql)]


def v1_rows(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(rows(db, f"SELECT * FROM {table}"), key=repr) for table in V1_TABLES}


# --- a usual file ---------------------------------------------------------------------------------


def test_all_tables_come_in(db: Database, foreign: Callable[..., Path]) -> None:
    done = take(db, foreign(LOOSE, USUAL))
    assert done.read == done.added == dict(zip(V1_TABLES, (2, 2, 1, 1, 2), strict=True))
    assert (done.users_made, done.left_out) == (["anna", "bert"], {})
    pages = """SELECT users.name, url, canonical_url, is_active, tracked_urls.created_at
        FROM tracked_urls JOIN users ON users.id = user_id ORDER BY 1"""
    assert rows(db, pages) == [
        ("anna", "https://shop.example/lamp?utm_source=x", None, 1, "2026-02-02T02:40:00+00:00"),
        ("bert", "https://shop.example/lamp", None, 1, "2026-02-01T10:00:00+00:00"),
    ]
    checks = "SELECT checked_at, status_code, content_hash, error, created_at FROM url_checks ORDER BY 1"
    assert rows(db, checks) == [
        (THEN, 200, None, None, THEN),
        ("2026-02-12T14:03:13+00:00", 503, None, "busy", "2026-02-12T14:03:13+00:00"),
    ]
    changed = """SELECT detected_at, "before", "after", url_checks.checked_at FROM url_changes
        JOIN url_checks ON url_checks.id = check_id"""
    assert rows(db, changed) == [(THEN, "9", "8", THEN)]
    assert rows(db, "SELECT summary, created_at FROM summaries") == [("Less", db.now_iso)]
    renders = "SELECT content, check_id IS NULL, created_at FROM url_renders ORDER BY content DESC"
    assert rows(db, renders) == [(b"page", 0, "2026-02-12T00:00:00+00:00"), (b"\x00\xff", 1, db.now_iso)]


def test_and_then_come_over(db: Database, foreign: Callable[..., Path]) -> None:
    take(db, foreign(LOOSE, USUAL))
    done = backfill(db, silent)
    assert done.added == {
        "urls": 1,
        "user_url_library": 2,
        "url_observations": 1,
        "url_change_events": 1,
        "url_change_summaries": 1,
        "url_render_artifacts": 2,
    }
    # First created wins.
    assert rows(db, "SELECT canonical_url, url FROM urls") == [(PAGE, PAGE)]
    starts = "SELECT DISTINCT history_start_at FROM user_url_library"
    assert rows(db, starts) == [(db.now_iso,)]


def test_users_who_are_made_are_free_and_plain(db: Database, foreign: Callable[..., Path]) -> None:
    take(db, foreign(LOOSE, USUAL))
    made = """SELECT users.name, role, plan FROM users JOIN user_plans ON user_id = users.id
        WHERE role = 'user' ORDER BY 1"""
    assert rows(db, made) == [("anna", "user", "free"), ("bert", "user", "free")]


def test_users_are_matched_by_name(db: Database, foreign: Callable[..., Path]) -> None:
    with db.transaction() as connection:
        put(connection, "users", name="bert")
    done = take(db, foreign(LOOSE, USUAL))
    assert done.users_made == ["anna"]
    assert rows(db, "SELECT count(*) FROM tracked_urls WHERE user_id = '" + USER + "'") == [(1,)]


@pytest.mark.parametrize("batch", [1, 2, 5_000])
def test_twice_is_the_same_as_once(db: Database, foreign: Callable[..., Path], batch: int) -> None:
    path = foreign(LOOSE, USUAL)
    take(db, path, batch=batch)
    backfill(db, silent)
    before = v1_rows(db)
    again = take(db, path, batch=batch)
    assert set(again.added.values()) == {0} and again.users_made == []
    assert {table: len(found) for table, found in v1_rows(db).items()} == {
        table: len(found) for table, found in before.items()
    }
    assert set(backfill(db, silent).added.values()) == {0}


def test_two_files_that_say_the_same_are_one(db: Database, foreign: Callable[..., Path]) -> None:
    """Ids that are no UUIDs are made of what the rows say, not of the file's own numbers."""
    take(db, foreign(LOOSE, USUAL))
    before = v1_rows(db)
    numbered = """UPDATE tracked_urls SET id = id + 70; UPDATE url_checks SET id = id + 80,
        tracked_url_id = tracked_url_id + 70; UPDATE url_changes SET id = id + 90, check_id = check_id + 80,
        tracked_url_id = tracked_url_id + 70; UPDATE summaries SET id = 5, change_id = change_id + 90;
        UPDATE url_renders SET id = id + 5, check_id = check_id + 80, tracked_url_id = tracked_url_id + 70;"""
    take(db, foreign(LOOSE, USUAL, numbered, name="other.db"))
    assert v1_rows(db) == before


def test_a_file_of_two_machines_gives_the_same_ids(
    db: Database, foreign: Callable[..., Path], tmp_path: Path, now: datetime
) -> None:
    path = foreign(LOOSE, USUAL)
    take(db, path)
    with open_database(tmp_path / "second.db", now=now, frozen=True) as second:
        take(second, path)
        assert v1_rows(second) == v1_rows(db)


# --- another digestlog's file: UUIDs stay ------------------------------------------------------------


@pytest.fixture
def twin(tmp_path: Path, now: datetime) -> Iterator[Path]:
    """A digestlog file with one row in each of the older tracker's tables."""
    with (
        open_database(tmp_path / "twin.db", now=now, frozen=True) as other,
        other.transaction() as connection,
    ):
        put(connection, "users")
        for table in V1_TABLES:
            put(connection, table, created_at=THEN)
    yield tmp_path / "twin.db"


def test_uuids_stay_what_they_are(db: Database, twin: Path) -> None:
    done = take(db, twin)
    assert set(done.added.values()) == {1}
    ids = [rows(db, f"SELECT id FROM {table}")[0][0] for table in V1_TABLES]
    assert ids == [TRACKED, CHECK, CHANGE, uuid(28), uuid(29)]
    assert rows(db, "SELECT content_hash FROM url_checks") == [(HASH,)]


def test_a_uuid_that_means_another_row_here_gives_way(db: Database, twin: Path) -> None:
    """A file cannot hang its checks under a page of ours by taking the page's id."""
    with db.transaction() as connection:
        put(connection, "users", id=uuid(77), name="me")
        put(connection, "tracked_urls", user_id=uuid(77), url="https://mine.example/", canonical_url=None)
        put(connection, "url_checks", error="mine")
    done = take(db, twin)
    assert set(done.added.values()) == {1}
    theirs = """SELECT url FROM tracked_urls JOIN url_checks ON tracked_url_id = tracked_urls.id
        WHERE url_checks.error IS NULL"""
    assert rows(db, theirs) == [(PAGE,)]
    assert rows(db, f"SELECT url FROM tracked_urls WHERE id = '{TRACKED}'") == [("https://mine.example/",)]
    assert rows(db, f"SELECT error FROM url_checks WHERE id = '{CHECK}'") == [("mine",)]
    assert set(take(db, twin).added.values()) == {0}


def test_one_uuid_for_two_rows_of_a_file(db: Database, foreign: Callable[..., Path]) -> None:
    same = f"""CREATE TABLE tracked_urls (id, url);
    INSERT INTO tracked_urls VALUES ('{TRACKED}', 'https://a.example/'), ('{TRACKED}', 'https://b.example/');
    CREATE TABLE url_checks (id, tracked_url_id, checked_at);
    INSERT INTO url_checks VALUES (1, '{TRACKED.upper()}', 1770904992);"""
    assert take(db, foreign(same)).added["tracked_urls"] == 2
    checked = "SELECT url FROM tracked_urls JOIN url_checks ON tracked_url_id = tracked_urls.id"
    assert rows(db, checked) == [("https://a.example/",)]


# --- files that are not as they should be ------------------------------------------------------------


def test_other_names_for_columns_and_ids_in_bytes(db: Database, foreign: Callable[..., Path]) -> None:
    blob = uuids.UUID(TRACKED).hex
    other = f"""CREATE TABLE Tracked_URLs ("ID" BLOB, Address TEXT, enabled TEXT, added_at TEXT);
    INSERT INTO tracked_urls VALUES (x'{blob}', '{PAGE}', 'no', '12 Feb 2026 14:03:12 GMT');
    CREATE TABLE url_checks (uuid TEXT, url_id BLOB, timestamp REAL, http_status TEXT, sha256 TEXT);
    INSERT INTO url_checks VALUES ('{CHECK}', x'{blob}', 1770904992.5, '200', '{HASH.upper()}');"""
    take(db, foreign(other))
    assert rows(db, "SELECT id, url, is_active, created_at FROM tracked_urls") == [(TRACKED, PAGE, 0, THEN)]
    assert rows(db, "SELECT id, checked_at, status_code, content_hash FROM url_checks") == [
        (CHECK, THEN, 200, HASH)
    ]


def test_pages_alone_are_enough_and_nobodys_are_the_default_users(
    db: Database, foreign: Callable[..., Path]
) -> None:
    done = take(db, foreign(f"CREATE TABLE tracked_urls (url); INSERT INTO tracked_urls VALUES ('{PAGE}');"))
    assert done.added == {
        "tracked_urls": 1,
        "url_checks": 0,
        "url_changes": 0,
        "summaries": 0,
        "url_renders": 0,
    }
    assert rows(db, "SELECT user_id, is_active, created_at FROM tracked_urls") == [
        (current(db, None), 1, db.now_iso)
    ]


def test_a_user_that_the_file_does_not_name(db: Database, foreign: Callable[..., Path]) -> None:
    nameless = f"""CREATE TABLE users (id, email);
    INSERT INTO users VALUES (1, NULL), (NULL, 'x'), (2, ' b\x1b@x.example ');
    CREATE TABLE tracked_urls (user_id, url);
    INSERT INTO tracked_urls VALUES (1, '{PAGE}'), (2, '{PAGE}'), (3, '{PAGE}'), (NULL, '{PAGE}');"""
    done = take(db, foreign(nameless))
    assert sorted(done.users_made) == ["b@x.example", "v1-user-1", "v1-user-3"]
    assert done.added["tracked_urls"] == 4


@pytest.mark.parametrize("batch", [1, 5_000])
def test_what_cannot_be_stored_is_left_out_and_counted(
    db: Database, foreign: Callable[..., Path], batch: int
) -> None:
    bad = f"""
    INSERT INTO tracked_urls VALUES (10, 1, NULL, 1, 1), (11, 1, x'', 1, 1), (12, 1, ' ', 1, 1);
    INSERT INTO url_checks VALUES (10, 1, 'never', 200, NULL, NULL), (11, 99, 1770904992, 200, NULL, NULL),
        (12, NULL, 1770904992, 200, NULL, NULL);
    INSERT INTO url_changes VALUES (10, 10, 1, 1770904992, 'a', 'b'), (11, 1, 1, NULL, 'a', 'b');
    INSERT INTO summaries VALUES (10, 10, 'lost', 1), (11, 1, '', 1);
    INSERT INTO url_renders VALUES (10, 1, 1, NULL, 1), (11, 10, 1, 'x', 1),
        (12, 1, 1, zeroblob({MAX_BLOB + 1}), 1);
    """
    done = take(db, foreign(LOOSE, USUAL, bad), batch=batch)
    assert done.left_out == {
        "summaries: of a change that is not there": 1,
        "summaries: without a text": 1,
        "tracked_urls: without an address": 3,
        "url_changes: of a page that is not there": 1,
        "url_changes: without a time": 1,
        "url_checks: of a page that is not there": 2,
        "url_checks: without a time": 1,
        "url_renders: empty or too large": 2,
        "url_renders: of a page that is not there": 1,
    }
    assert done.added == dict(zip(V1_TABLES, (2, 2, 1, 1, 2), strict=True))


def test_texts_that_are_none_do_no_harm(db: Database, foreign: Callable[..., Path]) -> None:
    odd = """INSERT INTO url_changes VALUES (20, 1, NULL, 1770904992, CAST(x'ff0041' AS TEXT), x'c3');
    UPDATE tracked_urls SET url = url || char(0) || 'x' WHERE id = 2;"""
    take(db, foreign(LOOSE, USUAL, odd))
    assert ("\ufffdA", "\ufffd") in rows(db, 'SELECT "before", "after" FROM url_changes')
    assert (PAGE + "x",) in rows(db, "SELECT url FROM tracked_urls")


def test_a_value_beyond_all_bounds_ends_the_reading_in_words(
    db: Database, foreign: Callable[..., Path]
) -> None:
    huge = f"INSERT INTO url_renders VALUES (9, 1, 1, zeroblob({MAX_BLOB + 2_000_000}), 1);"
    path = foreign(LOOSE, USUAL, huge)
    with pytest.raises(ConfigError, match="cannot be read: .*too big"):
        take(db, path, batch=1)
    # What was taken over before stays, and the file can be taken again once it is mended.
    assert rows(db, "SELECT count(*) FROM url_checks") == [(2,)]


def test_views_and_virtual_tables_are_not_read(db: Database, foreign: Callable[..., Path]) -> None:
    endless = """DROP TABLE url_checks; DROP TABLE url_renders;
    CREATE VIEW url_checks AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)
        SELECT x AS id, 1 AS tracked_url_id, 1770904992 AS checked_at FROM n;
    CREATE VIRTUAL TABLE url_renders USING fts5 (id, tracked_url_id, content);"""
    done = take(db, foreign(LOOSE, USUAL, endless))
    assert (done.read["url_checks"], done.read["url_renders"]) == (0, 0)
    assert done.added["tracked_urls"] == 2


def test_computed_columns_are_not_read(db: Database, foreign: Callable[..., Path]) -> None:
    computed = f"""CREATE TABLE tracked_urls (url, is_active AS (zeroblob(900000000)) VIRTUAL);
    INSERT INTO tracked_urls VALUES ('{PAGE}');"""
    assert take(db, foreign(computed)).added["tracked_urls"] == 1


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE x (y);",
        "CREATE TABLE tracked_urls (id);",
        "CREATE VIEW tracked_urls AS SELECT 1 AS url;",
    ],
)
def test_a_file_of_something_else(db: Database, foreign: Callable[..., Path], script: str) -> None:
    with pytest.raises(ConfigError, match="has no table tracked_urls with addresses"):
        take(db, foreign(script))


def test_files_that_are_none(db: Database, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    broken = tmp_path / "broken"
    broken.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5_000)
    for name, words in (
        ("text", "is no SQLite file"),
        ("nothing", "cannot be read"),
        (".", "cannot be read"),
        ("broken", "cannot be read: file is not a database"),
    ):
        with pytest.raises(ConfigError, match=words):
            take(db, tmp_path / name)


def test_digestlogs_own_file(db: Database) -> None:
    with pytest.raises(ConfigError, match="is digestlog's own file"):
        take(db, db.path)


def test_the_file_stays_byte_for_byte_and_alone(
    db: Database, foreign: Callable[..., Path], tmp_path: Path
) -> None:
    path = foreign("PRAGMA journal_mode = WAL;", LOOSE, USUAL, name="o#l?d %41.db")
    before, beside = sha256(path.read_bytes()).digest(), sorted(tmp_path.iterdir())
    path.chmod(0o400)
    take(db, path)
    assert sha256(path.read_bytes()).digest() == before and sorted(tmp_path.iterdir()) == beside


def test_what_stands_in_the_log_beside_the_file_is_read_too(
    db: Database, foreign: Callable[..., Path]
) -> None:
    path = foreign("PRAGMA journal_mode = WAL;", LOOSE)
    with closing(sqlite3.connect(path)) as writer:
        writer.executescript(USUAL)
        assert Path(f"{path}-wal").stat().st_size
        assert take(db, path).added["tracked_urls"] == 2


def test_a_file_that_cannot_be_opened(
    db: Database, foreign: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = foreign(LOOSE)

    def refuses(*args: object, **options: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("digestlog.store.v1_foreign.sqlite3.connect", refuses)
    with pytest.raises(ConfigError, match="cannot be opened: unable"):
        take(db, path)
