"""`v1`, as a person types it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli.conftest import Terminal
from store.rows import PAGE, put, uuid

from digestlog.store.db import open_database

TABLES = ("tracked_urls", "url_checks", "url_changes", "summaries", "url_renders")
ANNA = ["--user", "anna"]


@pytest.fixture
def tracked(digestlog: Terminal) -> Terminal:
    """Commands on a file where the older tracker wrote; the library knows nothing of it."""
    with open_database(digestlog.path, now=digestlog.now, frozen=True) as db, db.transaction() as connection:
        put(connection, "users", created_at=db.now_iso)
        put(connection, "tracked_urls", canonical_url=None)
        put(connection, "tracked_urls", id=uuid(90), url="mailto:\x1b[1manna", canonical_url=None)
        for table in TABLES[1:]:
            put(connection, table)
    return digestlog


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Another tracker's file with twelve pages of one user and one of nobody."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE users (id, name)")
        connection.execute("INSERT INTO users VALUES (1, 'otto')")
        connection.execute("CREATE TABLE tracked_urls (id, user_id, url, created_at)")
        pages = [(n, 1, f"https://p{n:02d}.example/", 1_770_000_000 + n) for n in range(12)]
        pages += [(99, None, None, None)]
        connection.executemany("INSERT INTO tracked_urls VALUES (?, ?, ?, ?)", pages)
    return path


def test_enable(tracked: Terminal) -> None:
    result = tracked("v1", "enable")
    assert result.stdout == ("tables and triggers: nothing was missing\ncanonical addresses worked out: 1\n")
    assert result.stderr == ("No web address, so these stay where they are (1):\n  mailto:[1manna\n")
    again = tracked.json("v1", "enable")
    assert again == {
        "restored": [],
        "worked_out": 0,
        "without_identity": 1,
        "examples": ["mailto:\x1b[1manna"],
    }
    assert tracked("v1", "enable", root=["-q"]).stderr == ""


def test_enable_says_what_it_made(tracked: Terminal) -> None:
    with open_database(tracked.path, now=tracked.now, frozen=True) as db, db.transaction() as connection:
        connection.execute("DROP TRIGGER sync_render_to_artifact")
    result = tracked("v1", "status")
    assert result.stdout == "not ready, these are missing: sync_render_to_artifact\n"
    assert result.stderr == "To make them: digestlog v1 enable\n"
    status = tracked.json("v1", "status")
    assert (status["ready"], status["missing_objects"]) == (False, ["sync_render_to_artifact"])
    assert tracked("v1", "enable").stdout.startswith("tables and triggers: sync_render_to_artifact\n")
    assert tracked.json("v1", "status")["ready"] is True


def test_status_before_and_after_a_backfill(tracked: Terminal) -> None:
    before = tracked("v1", "status")
    lines = [line.split() for line in before.stdout.splitlines()]
    assert lines[1] == ["tracked_urls", "2", "urls", "0", "2"]
    assert lines[3] == ["url_checks", "1", "url_observations", "0", "1"]
    assert before.stderr == "To bring them over: digestlog v1 backfill\n"
    done = tracked("v1", "backfill").stdout
    assert "url_change_events     1\n" in done
    after = tracked("v1", "status")
    assert after.stdout.splitlines()[3].split() == ["url_checks", "1", "url_observations", "1", "0"]
    assert after.stdout.endswith("without a web address, so never to come over: 1\n")
    status = tracked.json("v1", "status")
    assert [step["missing"] for step in status["steps"]] == [1, 1, 0, 0, 0, 0]


def test_status_of_a_file_without_the_older_tracker(digestlog: Terminal) -> None:
    result = digestlog("v1", "status")
    assert (result.stderr, len(result.stdout.splitlines())) == ("", 7)


def test_a_backfill_for_a_program(tracked: Terminal) -> None:
    done = tracked.json("v1", "backfill")
    assert done["imported"] is None and done["over_cap"] == []
    assert done["added"] == dict.fromkeys(done["added"], 1) and len(done["added"]) == 6
    assert set(tracked.json("v1", "backfill")["added"].values()) == {0}


def test_what_came_over_is_listed(tracked: Terminal) -> None:
    with open_database(tracked.path, now=tracked.now, frozen=True) as db, db.transaction() as connection:
        put(connection, "subscriptions", plan="paid")
    tracked("v1", "backfill")
    (change,) = tracked.json("library", "changes", root=ANNA)
    assert (change["url"], change["summary"], change["kind"]) == (PAGE, "Less", "text_changed")


def test_another_file(digestlog: Terminal, old: Path) -> None:
    shown = digestlog("v1", "backfill", "--from", str(old)).stdout
    lines = [line.split() for line in shown.splitlines()]
    assert ["tracked_urls", "13", "12"] in lines and ["user_url_library", "10"] in lines
    assert "users made, on the free plan: otto\n" in shown
    assert "left out, tracked_urls: without an address: 1\n" in shown
    assert "over the plan's limit, so not watched: 2\n  otto: https://p10.example/\n" in shown


def test_another_file_for_a_program(digestlog: Terminal, old: Path) -> None:
    done = digestlog.json("v1", "backfill", "--from", str(old))
    assert done["imported"]["users_made"] == ["otto"]
    assert done["over_cap"][0] == {"user": "otto", "url": "https://p10.example/"}
    assert "users made" not in digestlog("v1", "backfill", "--from", str(old)).stdout


def test_many_that_no_plan_has_room_for(digestlog: Terminal, old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection, connection:
        more = [(n, 1, f"https://q{n}.example/", 1_771_000_000 + n) for n in range(200, 230)]
        connection.executemany("INSERT INTO tracked_urls VALUES (?, ?, ?, ?)", more)
    shown = digestlog("v1", "backfill", "--from", str(old)).stdout
    assert "so not watched: 32\n" in shown and shown.endswith("  and 12 more: --json has all\n")


def test_a_file_that_is_none(digestlog: Terminal, tmp_path: Path) -> None:
    result = digestlog("v1", "backfill", "--from", str(tmp_path / "nothing.db"), code=1)
    assert "cannot be read" in result.stderr


@pytest.mark.parametrize("command", ["enable", "backfill", "status"])
def test_all_of_it_is_an_admins(tracked: Terminal, command: str) -> None:
    assert "is no admin" in tracked("v1", command, root=ANNA, code=1).stderr
