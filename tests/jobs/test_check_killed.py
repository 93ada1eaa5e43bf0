"""A check that is killed again and again, or has company, ends like one that nobody disturbed."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from check_fakes import SAILS, watch
from scan.program import Program, finish, orphans
from scan.story import NOW
from scan.web import Answer, Request, Web

from digestlog.store.db import open_database

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127/8")

PAGES = 120
HOSTS = 40
KILLS = 20
# A run that has nothing left to ask may end before its time; so many runs are enough in any case.
MAX_RUNS = 80
TABLES = (
    "urls",
    "url_observations",
    "url_contents",
    "url_check_state",
    "url_change_events",
    "url_change_summaries",
    "url_render_artifacts",
)


def page(number: int, revision: int) -> Answer:
    """A page: every third changes its price, every fifth only its bytes, and one in ten fails."""
    price = f"{20 + number}.{'50' if revision and number % 3 == 0 else '00'}"
    lines = "".join(f"<p>{line} Page {number}.</p>" for line in SAILS)
    token = f"{number}-{revision}" if number % 5 == 0 else ""
    body = (
        f"<!doctype html><html><head><title>Page {number}</title><meta name=csrf content='{token}'></head>"
        f"<body><main><h1>Thing {number}</h1>{lines}<p>Price: <b itemprop=price>{price}</b> EUR</p></main>"
        "</body></html>"
    )
    status = 500 if revision and number % 10 == 7 else 200
    etag = f'"{number} {price}"' if number % 2 and not token and number % 10 != 7 else None
    return Answer(status, body.encode(), {"Content-Type": "text/html; charset=utf-8"}, etag=etag)


class Street:
    """A web with pages that can change all at once."""

    def __init__(self) -> None:
        self.web = Web()
        self.hosts = [f"127.0.{n}.7" for n in range(1, HOSTS + 1)]
        self.web.hosts(self.hosts)
        self.urls = [f"{self.web.at(self.hosts[n % HOSTS])}/{n}" for n in range(PAGES)]
        self.turn(0)

    def turn(self, revision: int) -> None:
        """Let time pass."""
        self.web.answers |= {url: page(number, revision) for number, url in enumerate(self.urls)}


class Shooter:
    """Kills a process a moment after it asked for so many pages."""

    def __init__(self, web: Web, chance: Random) -> None:
        self._web, self._chance = web, chance

    def aim(self, process: subprocess.Popen[bytes]) -> None:
        """Take aim at the process; what it asks for pulls the trigger."""
        self._process = process
        self._left = self._chance.randint(1, 12)
        self._delay_s = self._chance.choice((0.0, 0.0, 0.002, 0.005, 0.01, 0.02, 0.05))
        self._web.watch = self._watch

    def _watch(self, request: Request) -> None:
        self._left -= 1
        if self._left <= 0:
            self._web.watch = None
            self._web.loop.call_later(self._delay_s, self._process.kill)


@pytest.fixture
def street() -> Iterator[Street]:
    street = Street()
    with street.web:
        yield street


@pytest.fixture
def known(street: Street, tmp_path: Path) -> Path:
    """A file in which every page was looked at once; the web has changed since, and all are due again."""
    path = tmp_path / "known.db"
    with open_database(path, now=NOW, frozen=True) as db:
        for url in street.urls:
            watch(db, url, allow_private=1)
    assert Program(path).json("library", "check")["baselines"] == PAGES
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE urls SET next_check_at = NULL")
        connection.commit()
    street.turn(1)
    return path


def copied(path: Path, name: str) -> Program:
    return Program(Path(shutil.copy(path, path.with_name(f"{name}.db"))))


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row that a check writes, without what is large."""
    with closing(sqlite3.connect(path)) as db:
        return {table: db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in TABLES}


def test_twenty_kills_change_nothing(street: Street, known: Path) -> None:
    calm, hunted = copied(known, "calm"), copied(known, "hunted")
    undisturbed = calm.json("library", "check")
    assert undisturbed["changed"] >= PAGES // 4 and undisturbed["failed"] == PAGES // 10
    shooter, kills = Shooter(street.web, Random(20)), 0
    for _ in range(MAX_RUNS):
        process = hunted.begin("library", "check", "--json", "--jobs", "3")
        shooter.aim(process)
        finish(process)
        assert process.returncode in (0, -signal.SIGKILL)
        kills += process.returncode == -signal.SIGKILL
        assert orphans(process.pid) == []
        if kills == KILLS:
            break
    street.web.watch = None
    assert kills == KILLS
    left = hunted.json("library", "check")["pages"]
    assert 0 < left < PAGES, "something was done by the runs that were killed, and something was left"
    expected, found = dump(calm.path), dump(hunted.path)
    for table in TABLES:
        assert found[table] == expected[table], table
    assert len(found["url_observations"]) == 2 * PAGES
    assert hunted.json("doctor")["ok"] is True


def test_two_checks_at_the_same_time(street: Street, known: Path) -> None:
    alone, shared = copied(known, "alone"), copied(known, "shared")
    alone.json("library", "check")
    # A check of the whole library is refused beside another; one that names its pages is not.
    named = [word for url in street.urls for word in ("--url", url)]
    both = [shared.begin("library", "check", "--json", "--jobs", "8", *words) for words in ((), named)]
    for process in both:
        shared.end(process)
    expected, found = dump(alone.path), dump(shared.path)
    for table in ("url_contents", "url_change_events", "url_change_summaries", "url_render_artifacts"):
        assert found[table] == expected[table], table
    assert len({row[1] for row in found["url_observations"]}) == PAGES
    assert len(found["url_observations"]) >= 2 * PAGES
    assert shared.json("doctor")["ok"] is True
