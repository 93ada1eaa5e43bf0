"""`digestlog run`."""

from __future__ import annotations

from typing import Any

import pytest
from cli.conftest import Terminal

from digestlog.cli import COMMANDS
from digestlog.cli import run as run_module
from digestlog.cli.app import App
from digestlog.errors import FetchError, StorageError
from digestlog.store.db import Database
from digestlog.store.lock import exclusive


@pytest.fixture(autouse=True)
def _run_is_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "run", ("digestlog.cli.run:run", "Scan now, with one run at a time."))


def steps(monkeypatch: pytest.MonkeyPatch, **outcomes: Exception | dict[str, object]) -> list[str]:
    """Let a run do these steps; the names of those that were done, as they are."""
    done: list[str] = []

    def step(name: str, outcome: Exception | dict[str, object]) -> run_module.Step:
        def do(app: App, db: Database, as_json: bool) -> dict[str, object]:
            done.append(name)
            assert db.row("SELECT count(*) AS users FROM users")
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        return do

    monkeypatch.setattr(run_module, "STEPS", tuple((n, step(n, o)) for n, o in outcomes.items()))
    return done


FAILURE = StorageError("no space left", "free some")


def test_a_run_scans_what_is_due(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    (step,) = in_town.json("run")["steps"]
    assert (step["name"], step["ok"], step["error"], step["hint"]) == ("scan", True, None, None)
    assert (step["result"]["sources"], step["result"]["failed"]) == (1, 0)
    assert step["result"]["new"] > 0
    (step,) = in_town.json("run")["steps"]
    assert (step["ok"], step["result"]["new"]) == (True, 0)


def test_a_run_tells_what_it_found(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    result = in_town("run")
    assert " from 1 source: " in result.stdout
    assert "1 read, 0 unchanged, 0 failed" in result.stderr


def test_a_run_with_nothing_to_do(digestlog: Terminal) -> None:
    result = digestlog("run")
    assert result.stdout == ""
    assert result.stderr.startswith("No active sources. Add one:")


def test_a_quiet_run_with_nothing_to_do_is_silent(digestlog: Terminal) -> None:
    result = digestlog("run", root=["-q"])
    assert (result.stdout, result.stderr) == ("", "")


def test_json_with_nothing_to_do(digestlog: Terminal) -> None:
    result = digestlog("run", "--json")
    assert result.stderr == ""
    (step,) = digestlog.json("run")["steps"]
    assert set(step) == {"name", "ok", "error", "hint", "result"}
    assert (step["ok"], step["result"]["sources"]) == (True, 0)


def test_the_steps_go_in_order(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    done = steps(monkeypatch, scan={"new": 1}, scrape={}, digest={})
    assert [s["name"] for s in digestlog.json("run")["steps"]] == ["scan", "scrape", "digest"] == done


def test_a_step_that_fails_does_not_stop_the_others(
    digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = steps(monkeypatch, scan=FAILURE, scrape={}, digest=FetchError("gone", url="https://e.org"))
    result = digestlog("run", code=1)
    assert done == ["scan", "scrape", "digest"]
    assert result.stdout == ""
    assert result.stderr == "Error: scan: no space left\nHint: free some\nError: digest: gone\n"


def test_json_of_a_step_that_fails(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    steps(monkeypatch, scan=FAILURE, scrape={"done": 3})
    found: Any = digestlog.json("run", code=1)
    assert found == {
        "steps": [
            {"name": "scan", "ok": False, "error": "no space left", "hint": "free some", "result": None},
            {"name": "scrape", "ok": True, "error": None, "hint": None, "result": {"done": 3}},
        ]
    }


def test_a_bug_keeps_its_traceback_and_frees_the_file(
    digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        steps(patch, scan=ZeroDivisionError())
        with pytest.raises(ZeroDivisionError):
            digestlog("run")
    digestlog("run")


def test_two_runs_never_overlap(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    done = steps(monkeypatch, scan={})
    with exclusive(digestlog.path, now=digestlog.now):
        for words in (["run"], ["run", "--json"]):
            result = digestlog(*words, code=1)
            error, hint = result.stderr.splitlines()
            assert error.startswith(f"Error: another digestlog run is at work on {digestlog.path} (process ")
            assert hint == "Hint: wait until it is done, then try again"
            assert result.stdout == ""
    assert done == []
    digestlog("run")
    assert done == ["scan"]


def test_the_file_is_held_while_the_steps_are_done(
    digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another(app: App, db: Database, as_json: bool) -> dict[str, object]:
        digestlog("run", code=1)
        return {}

    monkeypatch.setattr(run_module, "STEPS", (("scan", another),))
    digestlog("run")


def test_other_commands_may_be_used_meanwhile(digestlog: Terminal) -> None:
    with exclusive(digestlog.path, now=digestlog.now):
        digestlog("sources", "list")


def test_nothing_is_left_beside_a_file_that_is_not_ours(digestlog: Terminal) -> None:
    digestlog.path.write_text("precious")
    assert "is not a digestlog file" in digestlog("run", code=1).stderr
    assert [path.name for path in digestlog.path.parent.iterdir()] == [digestlog.path.name]


def test_a_folder_that_is_not_there(digestlog: Terminal) -> None:
    result = Terminal(digestlog.path.parent / "no" / "x.db", digestlog.now)("run", code=1)
    assert "does not exist" in result.stderr
