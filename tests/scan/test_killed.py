"""A scan that is killed again and again ends with the ledger of one that nobody disturbed."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from scan.expected import differences, dump, read
from scan.program import Program, finish, orphans
from scan.town import Town, build
from scan.web import Request, Web

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127/8")

SOURCES = 60
KILLS = 20
# A run that has nothing left to ask may end before its time; so many runs are enough in any case.
MAX_RUNS = 60


class Killer:
    """Kills a process a moment after it asked for so much that is new, or for so much in all."""

    def __init__(self, web: Web, chance: Random) -> None:
        self._web = web
        self._chance = chance
        self._seen: set[str] = set()

    def aim(self, process: subprocess.Popen[bytes]) -> None:
        """Take aim at the process; what it asks for pulls the trigger."""
        chance = self._chance
        self._process = process
        self._new_left, self._left = chance.randint(1, 40), chance.randint(10, 80)
        self._delay_s = chance.choice((0.0, 0.0, 0.005, 0.02, 0.05))
        self._web.watch = self._watch

    def _watch(self, request: Request) -> None:
        self._new_left -= request.url not in self._seen
        self._left -= 1
        self._seen.add(request.url)
        if self._new_left <= 0 or self._left <= 0:
            self._web.watch = None
            self._web.loop.call_later(self._delay_s, self._process.kill)


@pytest.fixture
def town() -> Town:
    return build(Web(), SOURCES)


def scanned(town: Town, path: Path) -> Program:
    """A file after a scan that nobody disturbed."""
    program = Program(path)
    program.follow(town.sources, "--allow-private")
    program.json("scan")
    return program


def killed(town: Town, path: Path, chance: Random) -> Program:
    """A file whose scan was killed, begun again, killed again, and at last left alone."""
    program = Program(path)
    program.follow(town.sources, "--allow-private")
    killer = Killer(town.web, chance)
    kills = 0
    for _ in range(MAX_RUNS):
        process = program.begin("scan", "--json")
        killer.aim(process)
        finish(process)
        kills += process.returncode == -signal.SIGKILL
        assert process.returncode in (0, -signal.SIGKILL)
        assert orphans(process.pid) == []
        if kills == KILLS:
            break
    town.web.watch = None
    assert kills == KILLS
    program.json("scan", "--all")
    return program


def test_twenty_kills_change_nothing(town: Town, tmp_path: Path) -> None:
    with town.web:
        calm = scanned(town, tmp_path / "calm.db")
        hunted = killed(town, tmp_path / "hunted.db", Random(20))
        assert differences(town.expected(), read(calm.path)) == []
        assert differences(town.expected(), read(hunted.path)) == []
        resolutions = dump(hunted.path)["url_resolutions"]
        assert resolutions == dump(calm.path)["url_resolutions"]
        assert len(resolutions) > 3 * SOURCES // 2
        assert _sources(hunted.path) == _sources(calm.path)
        assert hunted.json("doctor")["ok"] is True
        assert _interrupted(hunted.path) == KILLS


def _sources(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(
            """SELECT source_uuid, source_url, is_active, last_success_at, consecutive_failures, last_error
            FROM sources_master_list JOIN source_fetch_state USING (source_uuid) ORDER BY source_uuid"""
        ).fetchall()


def _interrupted(path: Path) -> int:
    """How many runs never said that they ended."""
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM scan_runs WHERE finished_at IS NULL").fetchone()[0])
