"""The layers: imports point down only, and a planted breach of each contract is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

# What is planted where, and the contract that it breaks.
BREACHES = {
    "core stores": ("core/text.py", "import sqlite3", "core decides"),
    "core fetches": ("core/text.py", "import socket", "core decides"),
    "core talks": ("core/text.py", "import click", "core decides"),
    "core speaks HTTP": ("core/text.py", "import http.client", "core decides"),
    "errors store": ("errors.py", "import sqlite3", "core decides"),
    "resources fetch": ("resources.py", "import httpx", "core decides"),
    "store speaks HTTP": ("store/users.py", "import http.client", "The network only in web"),
    "jobs speak TLS": ("jobs/follow.py", "import ssl", "The network only in web"),
    "jobs click": ("jobs/follow.py", "import click", "Only the command line talks"),
    "store clicks": ("store/users.py", "import click", "Only the command line talks"),
    "scan calls follow": ("jobs/scan.py", "import digestlog.jobs.follow", "Jobs never call each other"),
    "digest calls scan": ("jobs/digest.py", "import digestlog.jobs.scan", "Jobs never call each other"),
    "core waits": ("core/text.py", "import asyncio", "core decides"),
    "core knows the store": ("core/text.py", "import digestlog.store.db", "Imports point down only"),
    "web meets store": ("web/guard.py", "import digestlog.store.db", "Imports point down only"),
    "store meets web": ("store/users.py", "import digestlog.web.guard", "Imports point down only"),
    "jobs talk": ("jobs/follow.py", "import digestlog.cli.output", "Imports point down only"),
    "errors know core": ("errors.py", "import digestlog.core.model", "Imports point down only"),
    "cli has SQL": ("cli/url.py", "import sqlite3", "SQL only in store"),
    "web has SQL": ("web/guard.py", "import sqlite_utils", "SQL only in store"),
    "store fetches": ("store/users.py", "import httpx", "The network only in web"),
    "cli fetches": ("cli/url.py", "import socket", "The network only in web"),
    "jobs fetch, hidden in a function": (
        "jobs/follow.py",
        "def _hidden() -> None:\n    import httpx",
        "The network only in web",
    ),
}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources and of the contracts."""
    home = tmp_path_factory.mktemp("layers")
    shutil.copytree(ROOT / "src", home / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", home)
    return home


def lint(home: Path) -> subprocess.CompletedProcess[str]:
    """What import-linter says of the sources below `home`."""
    env = {**os.environ, "PYTHONPATH": str(home / "src"), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-c", _LINT, "--no-cache"],
        cwd=home,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )


def broken(report: str) -> set[str]:
    return {line.strip().removesuffix(" BROKEN") for line in report.splitlines() if line.endswith(" BROKEN")}


def test_the_tree_keeps_every_contract() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
    assert broken(done.stdout) == set()


@pytest.mark.parametrize("name", BREACHES)
def test_a_planted_breach_is_found(copied: Path, name: str) -> None:
    place, statement, contract = BREACHES[name]
    file = copied / "src" / "digestlog" / place
    before = file.read_text(encoding="utf-8")
    file.write_text(f"{before}\n\n{statement}\n", encoding="utf-8")
    try:
        done = lint(copied)
    finally:
        file.write_text(before, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(line.startswith(contract) for line in broken(done.stdout)), done.stdout
