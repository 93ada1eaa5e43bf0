"""`digestlog init`, `doctor` and `backup`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from cli.conftest import Terminal, program

from digestlog.store import health


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


@pytest.fixture
def filled(digestlog: Terminal) -> Terminal:
    """Commands on a file with one source."""
    digestlog("sources", "add", "e.org", "--method", "RSS")
    return digestlog


def damage(path: Path) -> None:
    """Leave a row behind that no command would."""
    with raw(path) as connection:
        connection.execute("DROP INDEX idx_source_fetch_state_next")
        connection.execute("CREATE TABLE stray (x)")


# --- init -------------------------------------------------------------------------------------


def test_init_makes_the_file_once(digestlog: Terminal) -> None:
    assert digestlog("init").stdout == f"{digestlog.path}: made\n"
    assert digestlog("init").stdout == f"{digestlog.path}: is there already\n"


def test_init_takes_an_empty_file_as_new(digestlog: Terminal) -> None:
    digestlog.path.touch()
    assert digestlog("init").stdout == f"{digestlog.path}: made\n"


def test_init_in_a_process_of_its_own(tmp_path: Path) -> None:
    done = program("init", env={"DIGESTLOG_DB": "mine.db"}, cwd=tmp_path, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "mine.db: made\n", "")
    assert (tmp_path / "mine.db").is_file()


# --- doctor -----------------------------------------------------------------------------------


def test_a_sound_file(filled: Terminal) -> None:
    result = filled("doctor")
    lines = result.stdout.splitlines()
    assert result.stderr == ""
    assert len(lines) >= 7
    assert all(line.startswith("ok       ") for line in lines)


def test_a_sound_file_as_json(filled: Terminal) -> None:
    found = filled.json("doctor")
    assert set(found) == {"ok", "checks"}
    assert found["ok"] is True
    assert {"versions", "schema", "integrity"} <= {check["name"] for check in found["checks"]}
    for check in found["checks"]:
        assert set(check) == {"name", "looked_at", "ok", "problems"}
        assert (check["ok"], check["problems"]) == (True, [])


def test_the_doctor_changes_nothing(filled: Terminal) -> None:
    before = filled.path.read_bytes()
    filled("doctor")
    assert filled.path.read_bytes() == before


def test_a_file_with_problems(filled: Terminal) -> None:
    damage(filled.path)
    result = filled("doctor", code=1)
    lines = result.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("problem  schema"))
    assert lines[at + 1 : at + 3] == [
        "         index idx_source_fetch_state_next is missing",
        "         table stray is not part of digestlog",
    ]
    assert sum(line.startswith("ok ") for line in lines) >= 6
    error, hint = result.stderr.splitlines()
    assert error == f"Error: {filled.path} has problems: schema"
    assert hint.startswith("Hint: restore a backup")


def test_a_file_with_problems_as_json(filled: Terminal) -> None:
    damage(filled.path)
    found = filled.json("doctor", code=1)
    assert found["ok"] is False
    (broken,) = [check for check in found["checks"] if not check["ok"]]
    assert broken["name"] == "schema"
    assert len(broken["problems"]) == 2


def test_each_check_is_shown(filled: Terminal) -> None:
    from digestlog.store.db import open_database

    with open_database(filled.path, now=filled.now) as db:
        names = [check.name for check in health.checks(db)]
    assert [line[9:].partition(":")[0] for line in filled("doctor").stdout.splitlines()] == names


# --- backup -----------------------------------------------------------------------------------


def test_a_backup_is_one_sound_file(filled: Terminal, tmp_path: Path) -> None:
    target = tmp_path / "copy" / "backup.db"
    target.parent.mkdir()
    result = filled("backup", str(target))
    assert result.stdout == f"{target}\n"
    assert result.stderr == f"{target.stat().st_size:,} bytes, checked\n"
    assert list(target.parent.iterdir()) == [target]
    copy = Terminal(target, filled.now)
    assert copy.followed() == filled.followed() == [("W_RSS_1", "https://e.org/")]
    assert copy.json("doctor")["ok"] is True


def test_a_quiet_backup(filled: Terminal, tmp_path: Path) -> None:
    result = filled("backup", str(tmp_path / "b.db"), root=["-q"])
    assert (result.stdout, result.stderr) == (f"{tmp_path / 'b.db'}\n", "")


def test_a_backup_replaces_nothing_unasked(filled: Terminal, tmp_path: Path) -> None:
    target = tmp_path / "b.db"
    target.write_text("precious")
    result = filled("backup", str(target), code=1)
    assert result.stderr == (
        f"Error: {target} exists already\nHint: choose another name, or say --overwrite\n"
    )
    assert target.read_text() == "precious"
    filled("backup", "--overwrite", str(target))
    assert target.read_bytes().startswith(b"SQLite format 3\0")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (".", "is a folder"),
        ("no/such/folder.db", "does not exist"),
        ("digestlog.db", "belongs to the file itself"),
    ],
)
def test_where_no_backup_can_be(filled: Terminal, tmp_path: Path, name: str, said: str) -> None:
    before = sorted(tmp_path.iterdir())
    result = filled("backup", str(tmp_path / name), code=1)
    assert said in result.stderr.splitlines()[0]
    assert result.stdout == ""
    assert sorted(tmp_path.iterdir()) == before


def test_the_file_is_not_its_own_backup(filled: Terminal) -> None:
    before = filled.path.read_bytes()
    result = filled("backup", "--overwrite", str(filled.path), code=1)
    assert "belongs to the file itself" in result.stderr
    assert filled.path.read_bytes() == before
