"""The program itself in processes of its own, on a web that is served from here."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from scan.story import NOW
from scan.town import DIRECT, RSS, Source

TIMEOUT_S = 180
ENDING_S = 5
_STEERING = ("DIGESTLOG_", "COVERAGE_", "COV_CORE_")


def environment() -> dict[str, str]:
    """The test's environment less what would steer, measure or divert the program."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_STEERING) and not name.lower().endswith("_proxy")
    }


class Program:
    """Runs commands on one file; `start` is what comes before them."""

    def __init__(self, path: Path, start: Sequence[str] = ("-m", "digestlog")) -> None:
        self.path = path
        self._start = start

    def begin(self, *words: str) -> subprocess.Popen[bytes]:
        """A command under way, with a session of its own."""
        return subprocess.Popen(
            [
                sys.executable,
                "-W",
                "error",
                *self._start,
                "--db",
                self.path,
                "--now",
                NOW.isoformat(),
                *words,
            ],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def __call__(self, *words: str) -> bytes:
        """What a command prints, which must end well and say nothing else."""
        return self.end(self.begin(*words))

    def end(self, process: subprocess.Popen[bytes]) -> bytes:
        """What a command that was begun prints in the end."""
        out, err = finish(process)
        assert process.returncode == 0, err.decode()
        return out

    def json(self, *words: str) -> Any:
        """What a command prints with --json."""
        return json.loads(self(*words, "--json"))

    def follow(self, sources: Sequence[Source], *options: str) -> None:
        """Import the sources: the feeds as OPML, the pages as a list."""
        feeds, pages = self.path.with_suffix(".opml"), self.path.with_suffix(".txt")
        feeds.write_text(opml([source for source in sources if source.method == RSS]))
        pages.write_text("\n".join(source.url for source in sources if source.method == DIRECT))
        for file, method in ((feeds, RSS), (pages, DIRECT)):
            self("--quiet", "sources", "import", str(file), "--method", method, *options)


def opml(sources: Sequence[Source]) -> str:
    """The sources as another reader would write them down."""
    outlines = "".join(
        f"<outline type='rss' text='A source' xmlUrl={quoteattr(source.url)}"
        + (f" htmlUrl={quoteattr(source.site_url)}" if source.site_url else "")
        + "/>"
        for source in sources
    )
    return f"<opml version='2.0'><head/><body>{outlines}</body></opml>"


def finish(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Wait until a command and everything that it started is gone, which all hold its output open."""
    try:
        return process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def orphans(leader: int) -> list[int]:
    """The processes of a session that outlive it; those that are just ending get a little time."""
    for pid in session(leader):
        with suppress(ProcessLookupError):
            process = os.pidfd_open(pid)
            select.select([process], [], [], ENDING_S)
            os.close(process)
    return session(leader)


def session(leader: int) -> list[int]:
    """The processes that live in a session, as far as they are not just waiting to be buried."""
    living = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = stat.read_text().partition(" (")
        except (FileNotFoundError, ProcessLookupError):
            continue
        state, _, _, its_session = rest.rpartition(") ")[2].split(" ")[:4]
        if int(its_session) == leader and state not in "ZX":
            living.append(int(pid))
    return living
