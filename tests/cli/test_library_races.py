"""`digestlog library add` from several processes at once, and killed in the middle."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Terminal, environment

from digestlog.store.db import open_database

PROCESSES, EACH = 10, 5


def start(path: Path, user: str, *words: str) -> subprocess.Popen[bytes]:
    """The program as a process of its own, waiting for its standard input."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "digestlog", "--db", str(path), "--user", user, "library",
         "add", "--json", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    )  # fmt: skip


def rows(terminal: Terminal, sql: str) -> list[dict[str, Any]]:
    with open_database(terminal.path, now=terminal.now) as db:
        return [dict(row) for row in db.rows(sql)]


@pytest.mark.parametrize("cap", [10, 7])
def test_fifty_concurrent_adds_end_at_exactly_the_cap(digestlog: Terminal, cap: int) -> None:
    digestlog("users", "add", "anna")
    digestlog("plans", "set", "free", "--max-urls", str(cap))
    running = [start(digestlog.path, "anna", "--no-preflight", "-") for _ in range(PROCESSES)]
    for number, process in enumerate(running):  # all are up by now, or soon
        assert process.stdin is not None
        lines = "".join(f"https://s{number}.example/{n}\n" for n in range(EACH))
        process.stdin.write(lines.encode())
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    answers = [process.communicate(timeout=120) for process in running]
    results = [one for out, _ in answers for one in json.loads(out)["results"] if not one["leftover"]]
    assert Counter(one["status"] for one in results) == {
        "approved_created_global": cap,
        "blocked": PROCESSES * EACH - cap,
    }
    assert {process.returncode for process in running} <= {0, 1}
    active = rows(digestlog, "SELECT * FROM user_url_library WHERE is_active = 1")
    assert len(active) == len(rows(digestlog, "SELECT * FROM urls")) == cap
    decided = rows(digestlog, "SELECT submission_id FROM url_policy_decisions")
    assert len(decided) == len({row["submission_id"] for row in decided}) == PROCESSES * EACH
    assert rows(digestlog, "SELECT * FROM url_submissions WHERE status = 'pending'") == []


def test_one_page_from_many_processes_is_one_page(digestlog: Terminal) -> None:
    names = [f"user{n}" for n in range(6)]
    for name in names:
        digestlog("users", "add", name)
    running = [start(digestlog.path, name, "--no-preflight", "-") for name in names]
    for process in running:
        assert process.stdin is not None
        process.stdin.write(b"https://shop.example/prices\n")
    answers = [process.communicate(timeout=120) for process in running]
    statuses = Counter(one["status"] for out, _ in answers for one in json.loads(out)["results"])
    assert statuses == {"approved_created_global": 1, "approved_linked_existing": 5}
    assert len(rows(digestlog, "SELECT * FROM urls")) == 1
    assert len(rows(digestlog, "SELECT * FROM user_url_library")) == 6


def test_killed_in_the_midst_of_a_look(digestlog: Terminal) -> None:
    """The server says nothing, and the process is killed while it waits for an answer."""
    digestlog("library", "list")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/page"
        process = start(digestlog.path, "owner", "--allow-private", "--frequency", "weekly", url)
        visitor, _ = server.accept()
        process.kill()
        process.communicate()
        visitor.close()
    (left,) = rows(digestlog, "SELECT * FROM url_submissions")
    assert (left["status"], left["submitted_url"]) == ("pending", url)
    result = digestlog("library", "add", "--no-preflight", "https://shop.example/")
    assert "1 page from an earlier run finished as well" in result.stderr
    pages = {page["canonical_url"]: page for page in digestlog.json("library", "list")}
    assert (pages[url]["check_frequency"], pages[url]["allow_private"]) == ("weekly", True)
