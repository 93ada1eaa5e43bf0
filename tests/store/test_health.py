"""The doctor: well on a good file, and each check ill on the damage that it is there for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from store.rows import ARTICLE, ARTICLE_UUID, PAGE, fill, put, uuid

from digestlog import errors
from digestlog.core import canonical
from digestlog.core.model import Check
from digestlog.store import health
from digestlog.store.backup import backup
from digestlog.store.db import Database, open_database
from digestlog.store.migrations import SCHEMA_VERSION

NAMES = [
    "versions",
    "schema",
    "references",
    "article ids",
    "history keys",
    "library ids",
    "search",
    "integrity",
]


@pytest.fixture
def db(db: Database) -> Database:
    """A file in which every table has a row whose ids are right, and which lets itself be damaged."""
    db.connection.execute("PRAGMA foreign_keys = OFF")
    with db.transaction() as connection:
        for table in (
            "url_identity",
            "plan_definitions",
            "source_numbers",
            "subscriptions",
            "users",
            "file_owner",
        ):
            connection.execute(f"DELETE FROM {table}")
        fill(connection)
    return db


def ill(db: Database) -> dict[str, tuple[str, ...]]:
    """The problems of the checks that are not well."""
    return {check.name: check.problems for check in health.checks(db) if not check.ok}


# --- well -------------------------------------------------------------------------------------


def test_a_good_file_is_well(db: Database) -> None:
    found = list(health.checks(db))
    assert [check.name for check in found] == NAMES
    assert [check.problems for check in found] == [()] * len(NAMES)
    assert found[0].looked_at == f"file version {SCHEMA_VERSION}, URL rules 1.{canonical.rules_version()}"
    assert [check.looked_at for check in found[3:6]] == ["1 recomputed"] * 3


def test_a_new_file_is_well(db_path: Path, now: datetime) -> None:
    with open_database(db_path.with_name("new.db"), now=now) as db:
        assert ill(db) == {}
        assert [check.looked_at for check in health.checks(db)][3:6] == ["0 recomputed"] * 3


def test_the_checks_change_nothing(db: Database) -> None:
    before = db.path.read_bytes(), db.path.with_name(db.path.name + "-wal").read_bytes()
    list(health.checks(db))
    assert (db.path.read_bytes(), db.path.with_name(db.path.name + "-wal").read_bytes()) == before


def test_each_check_comes_as_soon_as_it_is_done(db: Database) -> None:
    first = next(iter(health.checks(db)))
    assert first.name == "versions"


# --- ill --------------------------------------------------------------------------------------

DAMAGE: list[tuple[str, str, str]] = [
    ("PRAGMA user_version = 77", "versions", "the file has version 77"),
    ("UPDATE url_identity SET canon_version = 9", "versions", "made with URL rules 9."),
    ("UPDATE url_identity SET rules_version = 99", "versions", "made with URL rules 1.99"),
    ("DELETE FROM url_identity", "versions", "does not say with which URL rules"),
    ("DROP INDEX idx_urls_brand", "schema", "index idx_urls_brand is missing"),
    ("DROP TRIGGER users_touched", "schema", "trigger users_touched is missing"),
    ("DROP VIEW brands", "schema", "view brands is missing"),
    ("DROP TABLE onboarding_state", "schema", "table onboarding_state is missing"),
    ("CREATE TABLE mine (x)", "schema", "table mine is not part of digestlog"),
    ("CREATE INDEX mine ON users (role)", "schema", "index mine is not part of digestlog"),
    ("ALTER TABLE users ADD COLUMN mine TEXT", "schema", "table users differs"),
    (
        "DROP VIEW brands; CREATE VIEW brands AS SELECT id, name, domain FROM brand_library_brands",
        "schema",
        "view brands differs",
    ),
    ("UPDATE urls SET brand_id = 'nothing'", "references", "a row of urls refers to nothing in brand_lib"),
    ("DELETE FROM syntheses", "references", "a row of synthesis_"),
    (
        "UPDATE extracted_article_urls SET article_url_final = article_url_final || '2',"
        " article_url_original = article_url_original || '2'",
        "article ids",
        f"{ARTICLE}2 has {ARTICLE_UUID}, should have {canonical.article_uuid(ARTICLE + '2')}",
    ),
    (
        "UPDATE article_history SET url_hash = replace(url_hash, '0', '1')",
        "history keys",
        f"should have {canonical.url_hash(ARTICLE)}",
    ),
    ("UPDATE article_history SET url = 'no address'", "history keys", "should have no identity (relative)"),
    (f"UPDATE urls SET canonical_url = '{PAGE}/2'", "library ids", f"{PAGE}/2 has "),
    ("UPDATE urls SET canonical_url = 'HTTPS://SHOP.example/lamp'", "library ids", "(not canonical)"),
    (
        "PRAGMA ignore_check_constraints = ON; UPDATE users SET role = 'king';"
        " PRAGMA ignore_check_constraints = OFF",
        "integrity",
        "CHECK constraint failed in users",
    ),
]


@pytest.mark.parametrize(("script", "name", "words"), DAMAGE)
def test_damage_is_found_by_its_check_and_by_no_other(
    db: Database, script: str, name: str, words: str
) -> None:
    db.connection.executescript(script)
    (check,) = [check for check in health.checks(db) if not check.ok]
    assert check.name == name
    assert words in check.problems[0]
    assert all(len(problem.splitlines()) == 1 for problem in check.problems)


NOT_CANONICAL = [
    "http://EXAMPLE.com/story",
    "https://example.com/story?utm_source=x",
    "https://example.com/story#part",
    "https://example.com:443/story",
    "https://example.com",
]


@pytest.mark.parametrize("url", NOT_CANONICAL)
def test_an_article_under_an_address_that_is_not_canonical(db: Database, url: str) -> None:
    """Its id may even be the hash of that address."""
    with db.transaction() as connection:
        connection.execute("DELETE FROM extracted_article_urls")
        put(
            connection,
            "extracted_article_urls",
            article_uuid=canonical.article_uuid(url),
            article_url_original=url,
            article_url_final=url,
        )
    check = health.article_ids(db)
    assert check.problems == (
        f"{url} has {canonical.article_uuid(url)}, should have no identity (not canonical)",
    )


def break_index(connection: sqlite3.Connection) -> None:
    """Let one index point to the pages of another."""
    connection.executescript(
        """PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET rootpage =
            (SELECT rootpage FROM sqlite_master WHERE name = 'idx_scan_runs_started')
        WHERE name = 'idx_subscriptions_plan';
        PRAGMA writable_schema = RESET;"""
    )


def test_an_index_that_lost_its_rows(db: Database) -> None:
    break_index(db.connection)
    assert list(ill(db)) == ["integrity"]


def fill_with_bad_ids(connection: sqlite3.Connection, count: int) -> None:
    for number in range(count):
        put(
            connection,
            "article_history",
            id=uuid(500 + number),
            url_hash=f"{number:064x}",
            url=f"https://example.com/{number}",
        )


@pytest.mark.parametrize(("count", "shown"), [(5, 5), (6, 6), (7, 6), (50, 6)])
def test_only_the_first_of_many_problems_are_told(db: Database, count: int, shown: int) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM article_history")
        fill_with_bad_ids(connection, count)
    check = health.history_keys(db)
    assert check.looked_at == f"{count} recomputed"
    assert len(check.problems) == shown
    assert ("and more" in check.problems) == (count > 5)


def test_many_broken_references_are_not_all_told(db: Database) -> None:
    with db.transaction() as connection:
        fill_with_bad_ids(connection, 20)
        connection.execute("UPDATE article_history SET user_id = 'nobody'")
    problems = health.foreign_keys(db).problems
    assert problems[0] == "a row of article_history refers to nothing in users"
    assert len(problems) == 6
    assert problems[-1] == "and more"


# --- what cannot be read ----------------------------------------------------------------------

UNREADABLE: dict[str, tuple[str, list[str]]] = {
    "DROP TABLE url_identity": ("no such table", ["versions", "schema"]),
    "DROP TABLE urls": ("no such table", ["schema", "references", "library ids"]),
    "ALTER TABLE article_history RENAME COLUMN url TO address": (
        "no such column",
        ["schema", "history keys"],
    ),
    "UPDATE article_history SET url = CAST(x'68ff' AS TEXT)": ("UTF-8", ["history keys"]),
}


@pytest.mark.parametrize("script", UNREADABLE)
def test_a_check_that_cannot_be_done_is_a_problem_and_the_others_go_on(db: Database, script: str) -> None:
    words, expected = UNREADABLE[script]
    db.connection.executescript("PRAGMA legacy_alter_table = ON;" + script)
    found = list(health.checks(db))
    assert len(found) == len(NAMES)
    unread = [check for check in found if check.looked_at == "could not be read"]
    assert unread
    assert all(words in check.problems[0] for check in unread)
    assert [check.name for check in found if not check.ok] == expected


def test_a_damaged_page_is_told_once_by_each_check_that_meets_it(
    db: Database, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = db.path
    size, root = (
        db.rows(sql)[0][0]
        for sql in (
            "PRAGMA page_size",
            "SELECT rootpage FROM sqlite_master WHERE name = 'extracted_article_urls'",
        )
    )
    db.close()
    damaged = bytearray(path.read_bytes())
    damaged[(root - 1) * size : root * size] = b"\xa5" * size
    with open_database(path, now=now) as again:
        path.write_bytes(damaged)
        found = {check.name: check for check in health.checks(again)}
    assert found["article ids"].looked_at == "could not be read"
    assert "damaged" in found["article ids"].problems[0]
    assert not found["integrity"].ok
    assert found["library ids"].ok


def test_a_file_that_is_locked_is_not_ill(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(_db: Database) -> Check:
        raise errors.LockedFile("locked")

    monkeypatch.setattr(health, "schema", locked)
    with pytest.raises(errors.LockedFile):
        list(health.checks(db))


# --- the spelling of the schema ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("CREATE TABLE t (a TEXT CHECK (a <> ''), b) STRICT", True),
        ('CREATE TABLE "t" ("a" TEXT CHECK(a<>\'\'),b)STRICT', True),
        ("CREATE TABLE t (\n  a TEXT -- a comment, with ' and \"\n  CHECK (a <> ''),\n  b\n) STRICT", True),
        ("CREATE TABLE t (a TEXT CHECK (a <> ' '), b) STRICT", False),
        ("CREATE TABLE t (a TEXT CHECK (a <> ''), b)", False),
        ("CREATE TABLE t (b, a TEXT CHECK (a <> '')) STRICT", False),
        ("CREATE TABLE t (ab TEXT CHECK (a <> ''), b) STRICT", False),
        ("CREATE TABLE t (a TEXT CHECK (a <> '--'), b) STRICT", False),
    ],
)
def test_a_schema_is_compared_without_its_spelling(other: str, same: bool) -> None:
    plain = health._plain("CREATE TABLE t (a TEXT CHECK (a <> ''), b) STRICT")
    assert (health._plain(other) == plain) is same


def test_spaces_in_a_literal_are_not_spelling() -> None:
    assert health._plain("SELECT 'a  b'") != health._plain("SELECT 'a b'")
    assert health._plain("SELECT 'it''s'") == health._plain("SELECT  'it''s'")


def test_the_fresh_schema_has_every_object(db: Database) -> None:
    rows = db.rows("SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'")
    assert set(health.fresh_schema()) == {row[0] for row in rows}
    assert all(health.fresh_schema().values())


Checker = Callable[[Database], Check]


@pytest.mark.parametrize(
    "check",
    [
        health.versions,
        health.schema,
        health.foreign_keys,
        health.article_ids,
        health.history_keys,
        health.library_ids,
        health.integrity,
    ],
)
def test_every_check_is_among_the_checks(db: Database, check: Checker) -> None:
    assert check(db) in list(health.checks(db))


# --- search -----------------------------------------------------------------------------------


def test_an_index_that_lost_a_word_is_ill(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute("DROP TRIGGER article_search_update")
        connection.execute("UPDATE extracted_article_urls SET article_title = 'Another title'")
    assert ill(db)["search"] == ("it does not agree with the ledger",)


def test_the_index_of_a_file_that_cannot_be_written_is_not_checked(db: Database) -> None:
    db.connection.execute("PRAGMA query_only = ON")
    found = {check.name: check for check in health.checks(db)}
    assert found["search"].ok
    assert "not checked" in found["search"].looked_at


def test_an_index_that_is_not_there_is_a_problem(db: Database) -> None:
    with db.transaction() as connection:
        connection.execute("DROP TABLE article_search")
    assert ill(db)["search"] == ("no such table: article_search",)


def test_looking_leaves_every_byte_as_it_is(db: Database, tmp_path: Path, now: datetime) -> None:
    copy = tmp_path / "copy.db"
    backup(db, copy)
    before = copy.read_bytes()
    with open_database(copy, now=now) as db:
        assert all(check.ok for check in health.checks(db))
    assert copy.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("copy")] == ["copy.db"]
