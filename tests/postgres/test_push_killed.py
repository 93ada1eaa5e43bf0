"""A push that is killed has done all or nothing, and the next one ends with both sides equal."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from cli.conftest import environment
from postgres_rows import assert_same
from postgres_server import Server
from store.test_merge import feed, show

from digestlog.core.model import Source
from digestlog.jobs.push import push
from digestlog.store import change_log
from digestlog.store.db import Database
from digestlog.store.history import insert_urls
from digestlog.store.users import user_id_of

KILLS = 20
ARTICLES = 300


def change(db: Database, source: Source, round_: int, articles: int) -> None:
    """Rows that come, change and go."""
    for number in range(articles):
        show(db, source, f"https://e.org/{round_}/{number}", f"Title {number}")
    owner = user_id_of("owner")
    with db.transaction() as connection:
        connection.execute("DELETE FROM article_history")
        insert_urls(db, connection, owner, [(f"https://e.org/{round_}", f"{round_:064x}")])
        connection.execute("UPDATE sources_master_list SET source_name = :name", {"name": f"Name {round_}"})


def start(db: Database, url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "digestlog", "--db", str(db.path), "push", "--json"],
        env=environment({"DIGESTLOG_POSTGRES": url}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def whole_push(db: Database, url: str) -> float:
    """How long a push of the program takes that nobody kills."""
    began = monotonic()
    process = start(db, url)
    said, complaint = process.communicate(timeout=60)
    assert process.returncode == 0, complaint
    assert url.encode() not in said + complaint
    return monotonic() - began


@pytest.mark.parametrize("seed", [7])
def test_killed_at_twenty_moments(db: Database, server: Server, empty_database: str, seed: int) -> None:
    dice = random.Random(seed)
    url = server.url(empty_database)
    source = feed(db)
    change(db, source, 0, ARTICLES)
    killed = 0
    # The first load is killed too, until one gets through; then changes are.
    length = 1.0
    for round_ in range(1, KILLS + 1):
        process = start(db, url)
        try:
            process.wait(timeout=dice.uniform(0.2, length))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate(timeout=60)
        if round_ == KILLS // 4:
            length = whole_push(db, url)
            same(db, url)
        change(db, source, round_, 5)
    assert killed > 0
    push(db, url)
    same(db, url)
    assert [one.waiting for one in change_log.targets(db)] == [0]


def same(db: Database, url: str) -> None:
    with psycopg.connect(url) as connection:
        assert_same(db, connection)


@pytest.mark.parametrize("where", ["before", "after"])
def test_killed_beside_the_commit(
    db: Database, server: Server, empty_database: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """The two moments that count: the rows are there and nobody knows; nobody knows that it began."""
    url = server.url(empty_database)
    source = feed(db)
    push(db, url)
    change(db, source, 1, 3)
    with monkeypatch.context() as patch:
        name = "end" if where == "after" else "collect"
        patch.setattr(change_log, name, _die)
        with pytest.raises(KeyboardInterrupt):
            push(db, url)
    change(db, source, 2, 3)
    done = push(db, url)
    assert done.mode == "changes"
    same(db, url)


def _die(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_load_that_is_killed_leaves_nothing(
    db: Database, server: Server, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from digestlog.store import postgres_files

    url = server.url(empty_database)
    feed(db)
    with monkeypatch.context() as patch:
        patch.setattr(postgres_files, "name_target", _die)
        with pytest.raises(KeyboardInterrupt):
            push(db, url)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regnamespace('digestlog')").fetchone() == (None,)
    assert push(db, url).mode == "load"
    assert len(change_log.targets(db)) == 1
    same(db, url)


def test_the_password_is_not_in_the_process_list(db: Database, server: Server, empty_database: str) -> None:
    process = start(db, server.url(empty_database))
    words = Path(f"/proc/{process.pid}/cmdline")
    if words.exists():
        assert empty_database.encode() not in words.read_bytes()
    process.communicate(timeout=60)
    assert process.returncode == 0
