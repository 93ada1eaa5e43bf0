"""The walls hold with the newest alpha of Datasette too: the same tests, in a process that has that one.

It is put into a folder of its own once, beside the packages that the tests run with.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from platformdirs import user_cache_path

NEWEST = "1.0a41"
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SUITES = ("test_leaks.py", "test_by_hand.py", "test_instances.py", "test_gatekeeper.py", "test_headers.py")


def test_the_walls_hold_with_the_newest_alpha() -> None:
    folder = _installed()
    paths = os.pathsep.join([str(folder), str(ROOT / "src")])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "--no-cov", "-p", "no:cacheprovider", "-n", "0"),
            # It would close instances that later tests still need.
            *("-o", "datasette_autoclose=false"),
            *(str(HERE / suite) for suite in SUITES),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "DIGESTLOG_EXPECTED_DATASETTE": NEWEST},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-20_000:]
    assert " passed" in done.stdout


def test_this_is_the_datasette_that_was_meant() -> None:
    import datasette

    expected = os.environ.get("DIGESTLOG_EXPECTED_DATASETTE")
    assert expected in (None, datasette.__version__)


def _installed() -> Path:
    """The folder that has it; skipped only where it cannot be had, and never in continuous tests."""
    folder = user_cache_path("digestlog-tests") / f"datasette-{NEWEST}-{sys.implementation.cache_tag}"
    if (folder / "complete").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", str(folder)]
    done = subprocess.run([*pip, f"datasette=={NEWEST}"], capture_output=True, text=True)
    if done.returncode:
        assert not os.environ.get("CI"), done.stderr
        pytest.skip(f"Datasette {NEWEST} cannot be installed here: {done.stderr.strip()[-300:]}")
    (folder / "complete").touch()
    return folder
