"""What is in the wheel, and that an editable install and the wheel find the same files."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from digestlog import resources

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (found,) = target.glob("*.whl")
    return found


def test_the_wheel_carries_the_top_level_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in ("schema.sql", "datasette-metadata.yml"):
            assert archive.read(f"digestlog/{name}") == (ROOT / name).read_bytes()


def test_the_wheel_carries_every_file_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "src/digestlog"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert {name.removeprefix("src/") for name in tracked} <= packed


def test_an_installed_package_reads_its_own_copies(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = "from digestlog import resources; print(resources.__file__); print(len(resources.schema_sql()))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    place, size = done.stdout.split()
    assert place.startswith(str(tmp_path))
    assert int(size) == len(resources.schema_sql())


def test_a_checkout_reads_the_top_level_files() -> None:
    assert resources.schema_sql() == (ROOT / "schema.sql").read_text(encoding="utf-8")
    assert resources.datasette_metadata() == (ROOT / "datasette-metadata.yml").read_text(encoding="utf-8")


def test_datasette_finds_the_plugin_in_the_wheel_and_guards_the_file(wheel: Path, tmp_path: Path) -> None:
    """As somebody has it who installs digestlog beside Datasette and starts Datasette by hand."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    file = tmp_path / "news.db"
    subprocess.run([sys.executable, "-m", "digestlog", "--db", str(file), "init"], env=env, check=True)
    base = [sys.executable, "-m", "datasette", str(file), "--get"]
    refused = subprocess.run([*base, "/news/users.json"], env=env, capture_output=True, text=True)
    assert refused.returncode == 1
    assert "owner" not in refused.stdout
    kept = subprocess.run(
        [sys.executable, "-c", "from datasette.plugins import pm; print(pm.has_plugin('digestlog'))"],
        env=env,
        capture_output=True,
        text=True,
    )
    assert kept.stdout == "True\n"
