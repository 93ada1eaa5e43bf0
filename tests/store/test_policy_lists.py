"""A list takes the place of the one with its name, whole or not at all."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digestlog.core.policy import ALLOW, BLOCK, REVIEW
from digestlog.errors import ConfigError, LockedFile, ParseError
from digestlog.store import policy, policy_lists
from digestlog.store.db import Database, open_database
from digestlog.store.policy_lists import MAX_NAME, Meaning, Replaced, replace

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"
BAD = Meaning("bad", BLOCK, "malware_or_phishing", "seen in the wild")


@pytest.fixture
def later(db: Database, now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def names(db: Database, name: str = "bad") -> dict[str, int]:
    rows = db.rows("SELECT domain, subdomains FROM policy_domains WHERE list_name = :name", {"name": name})
    return {row["domain"]: row["subdomains"] for row in rows}


def test_a_list_is_written_with_what_it_means(db: Database) -> None:
    done = replace(db, BAD, [("b.example", False), ("a.example", True), ("!x.a.example", True)])
    assert done == Replaced(domains=2, exceptions=1, added=3, removed=0)
    assert names(db) == {"a.example": 1, "b.example": 0, "!x.a.example": 1}
    assert policy.lists(db) == [
        policy.DomainList("bad", BLOCK, "malware_or_phishing", "seen in the wild", 2, NOW_ISO, NOW_ISO)
    ]
    assert {row["created_at"] for row in db.rows("SELECT created_at FROM policy_domains")} == {NOW_ISO}


def test_a_name_that_is_given_twice_is_there_once_and_means_the_most(db: Database) -> None:
    done = replace(db, BAD, [("a.example", False), ("a.example", True), ("a.example", False)])
    assert (done.domains, names(db)) == (1, {"a.example": 1})


def test_importing_again_replaces_the_list_and_writes_only_what_differs(
    db: Database, later: Database
) -> None:
    replace(db, BAD, [("a.example", True), ("b.example", True), ("c.example", True)])
    before = later.connection.total_changes
    done = replace(
        later,
        Meaning("bad", REVIEW, "unknown"),
        [("b.example", False), ("c.example", True), ("d.example", True)],
    )
    assert done == Replaced(domains=3, exceptions=0, added=1, removed=1)
    assert names(db) == {"b.example": 0, "c.example": 1, "d.example": 1}
    assert policy.lists(db) == [policy.DomainList("bad", REVIEW, "unknown", None, 3, NOW_ISO, LATER_ISO)]
    created = {row["domain"]: row["created_at"] for row in db.rows("SELECT * FROM policy_domains")}
    assert created == {"b.example": NOW_ISO, "c.example": NOW_ISO, "d.example": LATER_ISO}
    # Gathered: 3. In the file: the clock twice, the list, one name each gone, changed and new.
    assert later.connection.total_changes - before == 3 + 2 + 1 + 3


def test_lists_do_not_touch_each_other(db: Database) -> None:
    replace(db, BAD, [("a.example", True)])
    replace(db, Meaning("ours", ALLOW, None), [("a.example", True), ("b.example", True)])
    replace(db, BAD, [("c.example", True)])
    assert names(db, "ours") == {"a.example": 1, "b.example": 1}
    assert [(one.name, one.domains) for one in policy.lists(db)] == [("bad", 1), ("ours", 2)]


@pytest.mark.parametrize("entries", [[], [("!a.example", True)]])
def test_a_list_without_names_is_refused_and_the_old_one_stays(
    db: Database, entries: list[tuple[str, bool]]
) -> None:
    replace(db, BAD, [("a.example", True)])
    with pytest.raises(ParseError, match="nothing in it"):
        replace(db, BAD, entries)
    assert names(db) == {"a.example": 1}


@pytest.mark.parametrize("name", ["", " bad", "bad ", "two\nlines", "x" * (MAX_NAME + 1), "\x1bbad"])
def test_a_name_that_cannot_be_shown_is_refused(db: Database, name: str) -> None:
    with pytest.raises(ConfigError, match="name of a list"):
        replace(db, Meaning(name, BLOCK, "unknown"), [("a.example", True)])


def test_reading_that_fails_in_the_middle_leaves_the_old_list_and_the_connection_as_they_were(
    db: Database,
) -> None:
    replace(db, BAD, [("a.example", True)])

    def broken() -> Iterator[tuple[str, bool]]:
        yield from ((f"n{number}.example", True) for number in range(60_000))
        raise ParseError("cut off")

    with pytest.raises(ParseError, match="cut off"):
        replace(db, BAD, broken())
    assert names(db) == {"a.example": 1}
    assert replace(db, BAD, [("b.example", True)]).removed == 1


def test_a_locked_file_is_told_and_the_old_list_stays(db: Database, now: datetime) -> None:
    replace(db, BAD, [("a.example", True)])
    with (
        closing(sqlite3.connect(db.path, isolation_level=None)) as other,
        open_database(db.path, now=now, busy_timeout_s=0) as mine,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LockedFile):
            replace(mine, BAD, [("b.example", True)])
        other.execute("ROLLBACK")
        assert names(mine) == {"a.example": 1}
        assert replace(mine, BAD, [("b.example", True)]).added == 1


def test_others_may_write_while_a_list_is_read(db: Database, now: datetime) -> None:
    """Only the last step takes the file for itself."""
    with open_database(db.path, now=now, busy_timeout_s=0) as other:

        def slow() -> Iterator[tuple[str, bool]]:
            yield "a.example", True
            replace(other, Meaning("meanwhile", BLOCK, "unknown"), [("b.example", True)])
            yield "c.example", True

        replace(db, BAD, slow())
    assert [one.name for one in policy.lists(db)] == ["bad", "meanwhile"]


def test_progress_is_reported_batch_by_batch(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_lists, "_BATCH", 2)
    seen: list[int] = []
    replace(db, BAD, [(f"n{number}.example", True) for number in range(5)], seen.append)
    assert seen == [2, 4, 5]


_ENTRIES = st.lists(
    st.tuples(st.sampled_from(["a.example", "b.example", "!c.example", "d.example"]), st.booleans())
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(_ENTRIES.map(lambda entries: [("z.example", True), *entries]), min_size=1, max_size=4))
def test_however_often_it_is_replaced_a_list_is_what_was_imported_last(
    db: Database, imports: list[list[tuple[str, bool]]]
) -> None:
    for entries in imports:
        done = replace(db, BAD, entries)
    expected: dict[str, int] = {}
    for name, below in imports[-1]:
        expected[name] = max(expected.get(name, 0), int(below))
    assert names(db) == expected
    assert done.domains + done.exceptions == len(expected)
    assert policy.lists(db)[0].domains == done.domains


# --- killed -----------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from digestlog.store.db import open_database
from digestlog.store.policy_lists import Meaning, replace

path, moment, time, steps = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
db = open_database(path, now=datetime(2026, 2, 14, tzinfo=UTC))
seen, left = 0, steps

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def watch(sql):
    global seen
    seen += sql.lstrip().startswith(moment)
    if seen == time and not steps:
        die()

def step():
    global left
    left -= 1000 if seen == time else 0
    if left < 0:
        die()
    return 0

db.connection.set_trace_callback(watch)
db.connection.set_progress_handler(step, 1000)
replace(db, Meaning("bad", "review", "unknown"), [(f"new{number}.example", True) for number in range(20_000)])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(
    ("moment", "time", "steps"),
    [
        ("INSERT INTO incoming", 5_000, 0),
        ("COMMIT", 1, 0),  # the end of the gathering
        ("INSERT INTO policy_lists", 1, 0),
        ("DELETE FROM policy_domains", 1, 5_000),
        ("INSERT INTO policy_domains", 1, 5_000),
        ("INSERT INTO policy_domains", 1, 200_000),
        ("COMMIT", 2, 0),
    ],
)
def test_a_killed_import_leaves_the_old_list_whole(
    db: Database, now: datetime, moment: str, time: int, steps: int
) -> None:
    """Killed at the beginning of a statement, or so many steps of SQLite's machine later."""
    old = {f"old{number}.example": 1 for number in range(3_000)}
    replace(db, BAD, [(name, True) for name in old])
    db.close()
    script = [sys.executable, "-c", KILLED, str(db.path), moment, str(time), str(steps)]
    assert subprocess.run(script, check=False).returncode == -signal.SIGKILL
    with open_database(db.path, now=now) as after:
        (found,) = policy.lists(after)
        assert (found.decision, found.domains, found.updated_at) == (BLOCK, 3_000, NOW_ISO)
        assert names(after) == old
        assert after.rows("PRAGMA integrity_check")[0][0] == "ok"
        assert replace(after, BAD, [("a.example", True)]).removed == 3_000


def test_an_import_leaves_nothing_beside_the_file(db: Database) -> None:
    replace(db, BAD, [("a.example", True)])
    db.close()
    assert [path.name for path in db.path.parent.iterdir()] == [db.path.name]
