"""`digestlog merge` as a person has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Terminal

from digestlog.store.merge import Merged, OverCap


@pytest.fixture
def laptop(three: Terminal, tmp_path: Path) -> Terminal:
    """Another machine, with one source that both have and one of its own."""
    other = Terminal(tmp_path / "laptop.db", three.now)
    other("sources", "add", "b.example/feed", "--method", "RSS", "--name", "Beta")
    other("sources", "add", "d.example/feed", "--method", "RSS", "--name", "Delta")
    return other


def test_a_file_is_taken_in(three: Terminal, laptop: Terminal) -> None:
    result = three("merge", str(laptop.path))
    assert result.stdout.splitlines() == [
        f"{laptop.path}: 1 row added, 0 changed",
        "TABLE                ADDED  CHANGED  OURS KEPT",
        "sources_master_list  1      0        0",
    ]
    assert three.followed()[2] == ("W_RSS_3", "https://d.example/feed")
    assert three("merge", str(laptop.path)).stdout == f"{laptop.path}: 0 rows added, 0 changed\n"


def test_a_dry_run_changes_nothing(three: Terminal, laptop: Terminal) -> None:
    before = three.followed()
    result = three("merge", "--dry-run", str(laptop.path), root=["-q"])
    assert result.stdout == f"{laptop.path}: 1 row would be added, 0 changed\n"
    assert three.followed() == before


def test_several_files_as_json(three: Terminal, laptop: Terminal, tmp_path: Path) -> None:
    desk = Terminal(tmp_path / "desk.db", three.now)
    desk("sources", "add", "e.example/feed", "--method", "RSS", "--name", "Echo")
    found = three.json("merge", str(laptop.path), str(desk.path))
    assert found["dry_run"] is False
    assert [(one["path"], one["added"], one["over_cap"]) for one in found["files"]] == [
        (str(laptop.path), 1, []),
        (str(desk.path), 1, []),
    ]
    assert found["files"][1]["tables"]["sources_master_list"] == {"added": 1, "changed": 0, "kept": 0}
    assert [source for source, _ in three.followed()] == [
        "W_RSS_1",
        "W_RSS_2",
        "W_RSS_3",
        "W_RSS_4",
        "W_DIRECT_1",
    ]


def test_nothing_is_merged_if_one_file_is_not_there(
    three: Terminal, laptop: Terminal, tmp_path: Path
) -> None:
    before = three.followed()
    result = three("merge", str(laptop.path), str(tmp_path / "none.db"), code=1)
    assert result.stderr.splitlines()[0] == f"Error: {tmp_path / 'none.db'} is not there"
    assert three.followed() == before


def test_without_a_file(digestlog: Terminal) -> None:
    assert "Missing argument" in digestlog("merge", code=2).stderr


def test_what_a_person_should_know(capsys: pytest.CaptureFixture[str], three: Terminal) -> None:
    from digestlog.cli.app import App
    from digestlog.cli.merge import _print

    app = App(None, None, three.now, True, 0, None)
    over = OverCap("an\x1bna", "free", 12, 10)
    _print(app, Merged(Path("x.db"), {}, 2, (over,)), dry_run=False)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "2 articles had two addresses, one in each file"
    assert said[1].endswith("watches 12 pages now; the plan free allows 10")
    assert "\x1b" not in said[1]
