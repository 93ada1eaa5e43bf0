"""A quarter of all sources fails in every way there is: the others are complete, each failure has its words.

DIGESTLOG_BIG=1 makes it a thousand sources.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from scan.expected import differences, read
from scan.faults import FAULTS, Fault
from scan.program import Program, orphans, session
from scan.story import NOW
from scan.town import Source, Town, build
from scan.web import Web

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127/8")

REPEATED = 8 if os.environ.get("DIGESTLOG_BIG") == "1" else 1
FAILING = REPEATED * len(FAULTS)
MAX_MEMORY = 300 * 1024
IMPATIENT = Path(__file__).with_name("impatient.py")


@dataclass
class Memory:
    """How much memory a command and all its children take, in kilobytes, looked at again and again."""

    web: Web
    process: subprocess.Popen[bytes]
    peak: int = 0
    looks: int = 0
    # The most that each process ever had resident, which also knows of the moments between two looks.
    highest: dict[int, int] = field(default_factory=dict)

    def look(self) -> None:
        """Look now, and again in a moment; runs in the web's thread."""
        living = session(self.process.pid)
        self.peak = max(self.peak, sum(_kilobytes(pid, "smaps_rollup", "Pss:") for pid in living))
        self.highest |= {pid: high for pid in living if (high := _kilobytes(pid, "status", "VmHWM:"))}
        self.looks += 1
        if self.process.returncode is None:
            self.web.loop.call_later(0.05, self.look)


def _kilobytes(pid: int, file: str, name: str) -> int:
    """One of the figures that the system keeps of a process; 0 if that is gone."""
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(name))


@dataclass
class Failing:
    """A web of which a quarter fails, after a scan."""

    town: Town
    program: Program
    result: dict[str, Any]
    memory: Memory
    left: list[int]
    faults: dict[str, Fault]


def _spoil(town: Town, faults: dict[str, Fault]) -> dict[str, tuple[str, int]]:
    """Add the failing sources to a web; gives the pins of those with public names."""
    pins = {}
    for number in range(FAILING):
        fault = FAULTS[number % len(FAULTS)]
        host = f"127.4.{number // 200}.{number % 200 + 1}"
        site = town.web.at(host)
        if fault.is_public:
            name = f"{fault.name}-{number}.example"
            pins[name], site = (host, town.web.port), f"http://{name}"
        if not fault.is_down:
            town.web.hosts([host])
        url = f"{site}/feed" if fault.method == "RSS" else f"{site}/"
        faults[url] = fault
        town.web.answers.update(fault.answers(site, town.web.port))
    return pins


def _public(faults: dict[str, Fault], is_public: bool) -> list[Source]:
    return [Source(url, fault.method) for url, fault in faults.items() if fault.is_public == is_public]


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Failing]:
    web, faults = Web(), dict[str, Fault]()
    town = build(web, 3 * FAILING)
    pins = _spoil(town, faults)
    path = tmp_path_factory.mktemp("failing") / "digestlog.db"
    program = Program(path, (str(IMPATIENT), json.dumps(pins)))
    with web:
        program.follow([*_public(faults, False), *town.sources], "--allow-private")
        program.follow(_public(faults, True))
        process = program.begin("scan", "--json")
        memory = Memory(web, process)
        web.loop.call_soon_threadsafe(memory.look)
        result = json.loads(program.end(process))
        yield Failing(town, program, result, memory, orphans(process.pid), faults)


def test_a_quarter_fails_and_the_others_are_complete(failing: Failing) -> None:
    gone = sum(source.is_gone for source in failing.town.sources)
    assert failing.result["sources"] == 4 * FAILING
    assert failing.result["failed"] == FAILING + gone
    assert differences(failing.town.expected(), read(failing.program.path)) == []


def test_each_failure_has_its_words(failing: Failing) -> None:
    with closing(sqlite3.connect(failing.program.path)) as db:
        found = dict(
            db.execute(
                """SELECT source_url, last_error FROM source_fetch_state
                JOIN sources_master_list USING (source_uuid) WHERE last_error IS NOT NULL"""
            )
        )
    gone = {source.kept_url for source in failing.town.sources if source.is_gone}
    assert set(found) == set(failing.faults) | gone
    wrong = {
        (fault.name, found[url])
        for url, fault in failing.faults.items()
        if not found[url].partition("; your own network?")[0].endswith(fault.words)
    }
    assert wrong == set()
    told = {r["source_url"]: r["error"] for r in failing.result["results"]}
    assert {url: told[url] for url in found} == found


def test_failures_are_tried_again_later(failing: Failing) -> None:
    with closing(sqlite3.connect(failing.program.path)) as db:
        states = db.execute(
            """SELECT source_url, consecutive_failures, next_scan_at, is_active, last_success_at
            FROM source_fetch_state JOIN sources_master_list USING (source_uuid)"""
        ).fetchall()
    failed = {url: state for url, *state in states if url in failing.faults}
    assert {(count, active, success) for count, _, active, success in failed.values()} == {(1, 1, None)}
    assert all(again > NOW.isoformat() for _, again, _, _ in failed.values())
    busy = [state[1] for url, state in failed.items() if failing.faults[url].name == "busy"]
    assert set(busy) == {"2026-02-13T11:02:10+00:00"}


def test_nothing_private_was_asked(failing: Failing) -> None:
    asked = Counter(request.url.rpartition("/")[2] for request in failing.town.web.asked)
    assert asked["inside"] == 0
    assert asked["feed"] > 0


def test_memory_stays_small(failing: Failing) -> None:
    memory = failing.memory
    assert memory.looks > 20
    assert 10_000 < memory.peak < MAX_MEMORY
    assert max(memory.highest.values()) < MAX_MEMORY


def test_nothing_is_left_running(failing: Failing) -> None:
    assert failing.left == []


def test_the_file_is_sound(failing: Failing) -> None:
    assert failing.program.json("doctor")["ok"] is True
