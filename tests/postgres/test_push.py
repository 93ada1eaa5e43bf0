"""Push: the database holds what the file holds, after every push and whatever was in between."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from conftest import NOW
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from merge_files import Rows, files, make_template, write
from postgres_rows import assert_same, fill_with_hostile_rows
from postgres_server import Server
from store.rows import put, uuid
from store.test_merge import FINAL, feed, rows, show, watch

from digestlog.errors import ConfigError, NotADigestlogFile, PushError, SchemaVersionError
from digestlog.jobs.push import Pushed, push
from digestlog.store import change_log, library, sources, users
from digestlog.store.db import Database, open_database
from digestlog.store.merge import merge
from digestlog.store.postgres_schema import load_script, tables


@pytest.fixture
def url(server: Server, empty_database: str) -> str:
    """The address of a database with nothing in it."""
    return server.url(empty_database)


def same(db: Database, url: str) -> None:
    with psycopg.connect(url) as connection:
        assert_same(db, connection)


def brief(done: Pushed) -> tuple[str, bool, int, int]:
    return done.mode, done.alone, done.sent, done.deleted


# --- one file ---------------------------------------------------------------------------------


def test_every_table_with_hostile_rows(db: Database, url: str) -> None:
    fill_with_hostile_rows(db)
    assert push(db, url).mode == "load"
    same(db, url)
    assert brief(push(db, url)) == ("changes", True, 0, 0)


def test_tables_that_are_there_and_empty_are_loaded(db: Database, server: Server, database: str) -> None:
    fill_with_hostile_rows(db)
    assert brief(push(db, server.url(database)))[:2] == ("load", True)
    same(db, server.url(database))


def test_what_changed_is_sent_and_nothing_else(db: Database, url: str) -> None:
    fill_with_hostile_rows(db)
    push(db, url)
    for change in CHANGES:
        with db.transaction() as connection:
            connection.execute(change)
        done = push(db, url)
        assert (done.mode, done.alone) == ("changes", True), change
        assert done.sent + done.deleted > 0, change
        same(db, url)
    assert len(rows(db, "change_log")) == 1


CHANGES = (
    "UPDATE sources_master_list SET source_name = 'new', updated_at = '2026-03-01T00:00:00+00:00'",
    "UPDATE url_change_events SET state = 'volatile'",
    "DELETE FROM article_history",
    "DELETE FROM synthesis_items",
    "UPDATE user_url_library SET history_start_at = '2026-03-01T00:00:00+00:00'",
    "UPDATE users SET name = name || '!', password_hash = 'p'",
    "DELETE FROM policy_lists",
    "DELETE FROM users WHERE role = 'user'",
    "INSERT INTO users (id, name) VALUES ('00000000-0000-4000-8000-00000000abcd', 'zoe')",
)


def test_a_row_that_went_and_came_back(db: Database, url: str) -> None:
    watch(db, "anna", "https://shop.example/lamp")
    push(db, url)
    users.remove(db, "anna")
    watch(db, "anna", "https://shop.example/desk")
    push(db, url)
    same(db, url)


def test_a_file_that_took_in_another(db: Database, url: str, tmp_path: Path, now: datetime) -> None:
    show(db, feed(db, "one"), FINAL)
    show(db, feed(db, "two"), "https://e.org/b", "Title")
    push(db, url)
    with open_database(tmp_path / "other.db", now=now - timedelta(days=1), frozen=True) as other:
        page = sources.insert(other, NewPage("https://one.example/feed")).source
        show(other, page, "http://e.org/a/")
        show(other, feed(other, "two"), "https://e.org/b")
    merge(db, tmp_path / "other.db")
    assert push(db, url).mode == "changes"
    same(db, url)


def NewPage(url: str) -> Any:
    from digestlog.core.model import NewSource

    return NewSource(url, "page", "Direct")


def test_a_full_push_mends_what_somebody_changed_there(db: Database, url: str) -> None:
    fill_with_hostile_rows(db)
    push(db, url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE public.settings SET language = 'fr'")
        connection.execute("DELETE FROM public.synthesis_items")
    push(db, url)
    with pytest.raises(AssertionError):
        same(db, url)
    assert push(db, url, full=True).mode == "full"
    same(db, url)


def test_rows_that_were_made_there_stay(db: Database, url: str) -> None:
    user = watch(db, "anna", "https://shop.example/lamp")
    push(db, url)
    with psycopg.connect(url) as connection:
        connection.execute(
            "INSERT INTO public.url_submissions (user_id, submitted_url) VALUES (%s, 'x.example')", [user]
        )
    watch(db, "anna", "https://shop.example/desk")
    push(db, url)
    push(db, url, full=True)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM public.url_submissions").fetchone() == (1,)


def test_a_row_there_that_is_in_the_way_is_merged(db: Database, url: str) -> None:
    user = watch(db, "anna", "https://shop.example/lamp")
    with db.transaction() as connection:
        page = library.get_or_create_global_url_by_canonical(
            db, connection, "https://shop.example/desk", url="https://shop.example/desk", wish=Wish()
        )
    push(db, url)
    with psycopg.connect(url) as there:
        there.execute(
            "INSERT INTO public.user_url_library (user_id, url_id) VALUES (%s, %s)", [user, page.url_id]
        )
    with db.transaction() as connection:
        library.link(db, connection, user, page.url_id)
    done = push(db, url)
    assert (done.mode, done.alone) == ("full", False)
    with psycopg.connect(url) as there:
        assert there.execute("SELECT count(*) FROM public.user_url_library").fetchone() == (2,)


def Wish() -> Any:
    from digestlog.core.library import Wish as Asked

    return Asked()


def test_the_rules_hold_again_after_a_push(db: Database, url: str) -> None:
    fill_with_hostile_rows(db)
    push(db, url)
    with (
        psycopg.connect(url) as connection,
        pytest.raises(psycopg.errors.IntegrityError, match="never change"),
    ):
        connection.execute("UPDATE public.extracted_article_urls SET created_at = now()")


def test_supabase_is_recognised(db: Database, url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE SCHEMA auth")
        connection.execute(
            "CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS 'SELECT NULL::uuid'"
        )
    push(db, url)
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT prosrc LIKE '%auth.uid()%' FROM pg_proc WHERE oid = 'digestlog.claimed()'::regprocedure"
        ).fetchone()
    assert found == (True,)


# --- copies, lost databases, several targets --------------------------------------------------


def test_a_copy_of_the_file_is_noticed(db: Database, url: str, tmp_path: Path, now: datetime) -> None:
    feed(db, "one")
    push(db, url)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        db.connection.backup(copy)
    feed(db, "two")
    push(db, url)
    with open_database(tmp_path / "copy.db", now=now, frozen=True) as copied:
        feed(copied, "three")
        assert brief(push(copied, url))[:2] == ("full", False)
        feed(copied, "four")
        assert brief(push(copied, url))[:2] == ("changes", False)
    assert brief(push(db, url))[:2] == ("changes", False)
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM public.sources_master_list").fetchone()
    assert found == (4,)


def test_a_database_that_was_made_anew_is_loaded_again(
    db: Database, server: Server, empty_database: str
) -> None:
    feed(db)
    push(db, server.url(empty_database))
    server.drop(empty_database)
    with server.connect("postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {empty_database}")
    assert push(db, server.url(empty_database)).mode == "load"
    same(db, server.url(empty_database))
    assert len(change_log.targets(db)) == 1


def test_changes_are_kept_until_every_database_has_them(db: Database, server: Server, url: str) -> None:
    second = server.create()
    feed(db, "one")
    push(db, url)
    push(db, server.url(second))
    feed(db, "two")
    push(db, url)
    (waits,) = [one for one in change_log.targets(db) if one.waiting]
    assert (waits.place.rpartition("/")[2], waits.waiting) == (second, 2)
    assert push(db, server.url(second)).sent == 2
    assert len(rows(db, "change_log")) == 1
    (gone,) = [one for one in change_log.targets(db) if one.target_id == waits.target_id]
    assert change_log.forget(db, gone.target_id) == gone
    feed(db, "three")
    push(db, url)
    same(db, url)
    server.drop(second)


def test_nothing_is_written_down_without_a_database(db: Database, url: str) -> None:
    feed(db, "one")
    assert rows(db, "change_log") == []
    push(db, url)
    feed(db, "two")
    assert [row["table_name"] for row in rows(db, "change_log")] == ["source_numbers", "sources_master_list"]
    change_log.forget(db, change_log.targets(db)[0].place)
    feed(db, "three")
    assert len(rows(db, "change_log")) == 1
    with pytest.raises(ConfigError, match="not one database"):
        change_log.forget(db, "elsewhere")


# --- what is refused --------------------------------------------------------------------------


def test_another_programs_database(db: Database, server: Server, url: str, empty_database: str) -> None:
    with server.connect(empty_database) as connection:
        connection.execute("CREATE TABLE public.customers (id int)")
    with pytest.raises(NotADigestlogFile, match="customers"):
        push(db, url)
    assert change_log.targets(db) == []


def test_a_newer_database(db: Database, server: Server, database: str) -> None:
    with server.connect(database) as connection:
        connection.execute("UPDATE digestlog.about SET schema_version = 99")
    with pytest.raises(SchemaVersionError, match="newer"):
        push(db, server.url(database))


def test_an_older_database_is_brought_up_to_date(
    db: Database, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from digestlog.store import postgres_target

    with server.connect(database) as connection:
        with pytest.raises(SchemaVersionError, match="no way"):
            postgres_target.migrate(connection, 1, target=2)
        steps = {1: "CREATE TABLE public.newer (id int)"}
        postgres_target.migrate(connection, 1, steps=steps, target=2)
        found = connection.execute("SELECT schema_version, to_regclass('public.newer') FROM digestlog.about")
        assert found.fetchone() == (2, "newer")


def test_other_url_rules(db: Database, server: Server, url: str) -> None:
    push(db, url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE public.url_identity SET canon_version = 99")
    with pytest.raises(ConfigError, match="URL rules 99"):
        push(db, url)


def test_only_the_owner_may_push(db: Database, server: Server, database: str) -> None:
    with server.connect(database, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS mallory")
        connection.execute("CREATE ROLE mallory LOGIN IN ROLE service_role")
    with pytest.raises(PushError, match="does not let|only the owner"):
        push(db, server.url(database, "mallory"))
    with server.connect(database, autocommit=True) as connection:
        connection.execute("DROP ROLE mallory")


def test_a_login_with_rights_is_no_owner(db: Database, server: Server, database: str) -> None:
    from digestlog.store import postgres_target

    with server.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE worker_{database} LOGIN IN ROLE service_role")
    with server.connect(database, f"worker_{database}") as connection:
        with pytest.raises(PushError, match="only the owner"):
            postgres_target.as_owner(connection)
    with server.connect(database, autocommit=True) as connection:
        connection.execute(f"DROP ROLE worker_{database}")


def test_another_file_is_faster(
    db: Database, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database was empty when it was looked at, and is not once its turn has come."""
    from digestlog.store import postgres_target

    feed(db)
    version, asked = postgres_target.version, []

    def late(connection: psycopg.Connection[Any]) -> int:
        asked.append(1)
        return 0 if len(asked) == 1 else version(connection)

    monkeypatch.setattr(postgres_target, "version", late)
    assert push(db, server.url(database)).mode == "load"
    same(db, server.url(database))
    assert len(change_log.targets(db)) == 1


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:s3cr3t%2Fp%40ss@127.0.0.1:1/x",
        "postgresql://anna:s3cr3t%2Fp%40ss@127.0.0.1:s3cr3t/x",
        "postgresql://anna:s3cr3t%2Fp%40ss@[::1/x",
        "postgresql://anna:p@s3cr3t@127.0.0.1:1/x",
        "postgresql://anna:1/s3cr3t@127.0.0.1/x",
        "host=127.0.0.1 port=1 password='s3cr3t/p@ss' dbname=x",
        "host=127.0.0.1 password=s3cr3t/p@ss port",
        "s3cr3t/p@ss",
    ],
)
def test_no_error_holds_a_password(db: Database, url: str) -> None:
    with pytest.raises((PushError, ConfigError)) as raised:
        push(db, url)
    said = f"{raised.value.message} {raised.value.hint}"
    assert "s3cr3t" not in said
    assert raised.value.__cause__ is None


def test_whatever_else_the_database_says_is_one_line_without_the_password() -> None:
    from digestlog.store.postgres_target import said_in_words

    url = "postgresql://anna:s3cr3t%21@db.example/x"
    with pytest.raises(PushError) as raised, said_in_words(url):
        raise psycopg.DataError(f"bad value\nin {url} with s3cr3t! or s3cr3t%21")
    assert raised.value.message == "the database did not take it: bad value in *** with *** or ***"


# --- several files ----------------------------------------------------------------------------


@pytest.fixture
def machines(tmp_path: Path, now: datetime) -> Iterator[list[Database]]:
    """Three files, each a day later than the one before."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(open_database(tmp_path / f"{n}.db", now=now + timedelta(days=n), frozen=True))
            for n in range(3)
        ]


def overlap(machines: list[Database]) -> None:
    """The same things seen by several machines, each in its own way."""
    first, second, third = machines
    for db, names in ((first, ["one", "two"]), (second, ["two", "three", "one"]), (third, ["four", "one"])):
        for name in names:
            show(db, feed(db, name), f"https://e.org/{name}")
        show(db, feed(db, "one"), FINAL, None if db is first else db.path.stem)
    watch(first, "anna", "https://shop.example/lamp")
    watch(second, "anna", "https://shop.example/lamp", "https://shop.example/desk")
    for db in (second, third):
        with db.transaction() as connection:
            put(connection, "policy_lists", created_at=db.now_iso, updated_at=db.now_iso)
            put(connection, "policy_domains", domain=f"{db.path.stem}.example", created_at=db.now_iso)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_files_in_one_database_become_what_merge_makes(
    machines: list[Database], url: str, order: tuple[int, ...], tmp_path: Path, now: datetime
) -> None:
    overlap(machines)
    for at in order:
        push(machines[at], url)
    for at in order:
        assert push(machines[at], url).sent == 0
    with open_database(tmp_path / "all.db", now=now - timedelta(days=9), frozen=True) as together:
        for db in machines:
            merge(together, db.path)
        assert there(url) == here(together)


_LEFT_OUT = {"source_numbers", "trend_points", "url_identity"}


def here(db: Database) -> dict[str, list[str]]:
    """All rows as text, with sources by their address."""
    numbers = {row["source_uuid"]: row["source_url"] for row in rows(db, "sources_master_list")}
    found = {}
    for table, columns in tables().items():
        if table not in _LEFT_OUT:
            names = [column.name for column in columns]
            picked = db.rows(f"SELECT {', '.join(chr(34) + n + chr(34) for n in names)} FROM {table}")
            kinds = [column.kind for column in columns]
            found[table] = sorted(
                repr([_text(numbers.get(v, v), k) for v, k in zip(row, kinds, strict=True)]) for row in picked
            )
    return found


def there(url: str) -> dict[str, list[str]]:
    with psycopg.connect(url) as connection:
        connection.execute("SET timezone = 'UTC'")
        numbers = dict(connection.execute("SELECT source_uuid, source_url FROM public.sources_master_list"))
        found = {}
        for table, columns in tables().items():
            if table not in _LEFT_OUT:
                names = ", ".join(f'"{column.name}"' for column in columns)
                kinds = [column.kind for column in columns]
                picked = connection.execute(f"SELECT {names} FROM public.{table}").fetchall()
                found[table] = sorted(
                    repr(
                        [
                            _text(numbers.get(v, v) if isinstance(v, str) else v, k)
                            for v, k in zip(row, kinds, strict=True)
                        ]
                    )
                    for row in picked
                )
        return found


def _text(value: Any, kind: str) -> str:
    import json

    if value is None:
        return "NULL"
    if isinstance(value, datetime):
        return value.isoformat()
    if kind == "jsonb":
        return json.dumps(json.loads(value) if isinstance(value, str) else value, sort_keys=True)
    if kind == "boolean":
        return str(bool(value))
    return str(value)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=st.lists(files(plain=True), min_size=2, max_size=3))
def test_any_files_in_one_database_become_what_merge_makes(drawn: list[Rows], server: Server) -> None:
    name = server.create()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        template = make_template(home / "template.db")
        opened = [
            stack.enter_context(open_database(write(home / f"{at}.db", rows, template), now=NOW, frozen=True))
            for at, rows in enumerate(drawn)
        ]
        for db in opened:
            push(db, server.url(name))
        for db in opened[1:]:
            merge(opened[0], db.path)
        assert there(server.url(name)) == here(opened[0])
    server.drop(name)


def test_later_changes_of_several_files(
    machines: list[Database], url: str, tmp_path: Path, now: datetime
) -> None:
    overlap(machines)
    for db in machines:
        push(db, url)
    first, second, _ = machines
    show(second, feed(second, "five"), "https://e.org/five", "Five")
    show(first, feed(first, "six"), "https://e.org/five")
    show(first, feed(first, "one"), FINAL, "Late")
    for db in machines:
        done = push(db, url)
        assert (done.mode, done.alone) == ("changes", False)
    with open_database(tmp_path / "all.db", now=now - timedelta(days=9), frozen=True) as together:
        for db in machines:
            merge(together, db.path)
        assert there(url) == here(together)


def test_a_row_whose_parent_another_file_deleted(machines: list[Database], url: str) -> None:
    first, second, _ = machines
    for db in (first, second):
        watch(db, "anna", "https://shop.example/lamp")
        push(db, url)
    users.remove(first, "anna")
    push(first, url)
    watch(second, "anna", "https://shop.example/desk")
    push(second, url)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM public.user_url_library").fetchone() == (1,)


def test_a_database_that_an_export_filled(
    db: Database, server: Server, empty_database: str, tmp_path: Path, now: datetime
) -> None:
    feed(db)
    with server.connect(empty_database) as connection:
        connection.execute(load_script())
        connection.execute("INSERT INTO public.users (id, name) VALUES (%s, 'zoe')", [uuid(7)])
    done = push(db, server.url(empty_database))
    assert (done.mode, done.alone) == ("full", False)
    with server.connect(empty_database) as connection:
        names = connection.execute("SELECT name FROM public.users ORDER BY 1").fetchall()
        assert names == [("owner",), ("zoe",)]
