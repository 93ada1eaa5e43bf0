"""`digestlog run`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from cli.conftest import Terminal
from store.rows import put

from digestlog.cli import run as run_module
from digestlog.cli.app import App
from digestlog.errors import FetchError, StorageError
from digestlog.store.db import Database, open_database
from digestlog.store.lock import exclusive


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


SHOP = "http://alder-chandlery.example/storm-lantern"
FAILURE = StorageError("no space left", "free some")


def later(terminal: Terminal, **span: int) -> Terminal:
    """The same file some time later."""
    return Terminal(terminal.path, terminal.now + timedelta(**span), terminal.web)


def results(terminal: Terminal, **options: Any) -> dict[str, Any]:
    """What each step of a run gave, by its name."""
    steps = terminal.json("run", **options)["steps"]
    assert all((step["ok"], step["error"], step["hint"]) == (True, None, None) for step in steps)
    return {step["name"]: step["result"] for step in steps}


def test_a_run_scans_reads_and_makes_a_digest(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    found = results(in_town)
    assert list(found) == ["scan", "scrape", "digest", "library"]
    assert (found["scan"]["sources"], found["scan"]["failed"]) == (1, 0)
    assert found["scan"]["new"] == found["scrape"]["articles"] == found["scrape"]["ok"] > 0
    assert set(found["digest"]) == {"digest_id", "items", "notes"}
    (made,) = in_town.json("digest", "list")
    assert (made["id"], made["items"]) == (found["digest"]["digest_id"], found["digest"]["items"])
    assert made["items"] > 0 and found["digest"]["notes"] == []


def test_a_run_looks_at_the_watched_pages_and_counts_the_trends(in_town: Terminal) -> None:
    assert in_town.web is not None
    in_town("library", "add", SHOP)
    first = results(in_town)["library"]
    assert (first["pages"], first["baselines"], first["changed"]) == (1, 1, 0)
    in_town.web.turn(1)
    try:
        second = results(later(in_town, days=1))["library"]
    finally:
        in_town.web.turn(0)
    assert (second["pages"], second["changed"]) == (1, 1)
    assert any("44.50" in change["summary"] for change in second["results"][0]["changes"])
    changes = {trend["name"]: trend["written"] for trend in second["trends"]}
    assert changes and all(isinstance(written, int) for written in changes.values())
    assert later(in_town, days=1).json("trends", "show", "changes")


def test_a_second_run_finds_nothing_to_do(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    results(in_town)
    found = results(in_town)
    assert (found["scan"]["new"], found["scrape"]["articles"]) == (0, 0)
    assert found["digest"] == {"skipped": f"the last one was made at {in_town.now.isoformat()}"}
    assert len(in_town.json("digest", "list")) == 1


def test_a_digest_is_made_once_in_twenty_hours(in_town: Terminal) -> None:
    in_town("settings", "set", "max_items_per_category", "1")
    in_town("sources", "add", "http://harbour-times.example/")
    first = results(in_town)["digest"]["digest_id"]
    assert "skipped" in results(later(in_town, hours=20))["digest"]
    second = results(later(in_town, hours=20, seconds=1))["digest"]["digest_id"]
    assert [one["id"] for one in in_town.json("digest", "list")] == [second, first]


def test_an_empty_digest_is_tried_again_after_an_hour(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    in_town("categories", "add", "Chess", "--keyword", "gambit, rook")
    assert results(in_town)["digest"]["items"] == 0
    assert "skipped" in results(later(in_town, hours=1))["digest"]
    assert results(later(in_town, hours=1, seconds=1))["digest"]["items"] == 0


def test_the_digest_is_the_users_own(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    results(in_town)
    with open_database(in_town.path, now=in_town.now) as db, db.transaction() as connection:
        put(connection, "users", created_at="2030-01-01T00:00:00+00:00")
    made = results(in_town, root=["--user", "anna"])["digest"]["digest_id"]
    assert [one["id"] for one in in_town.json("digest", "list", root=["--user", "anna"])] == [made]


def test_a_run_tells_what_it_found(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    result = in_town("run")
    scanned, read, digest = result.stdout.splitlines()
    assert " from 1 source: " in scanned and " read of " in read
    assert digest.startswith("A digest with ")
    assert "1 read, 0 unchanged, 0 failed" in result.stderr
    command = digest.partition("digestlog ")[2].split()
    assert in_town(*command).stdout.startswith("# Digest of ")
    again = in_town("run")
    assert again.stderr.splitlines()[-2] == f"No digest: the last one was made at {in_town.now.isoformat()}."


def test_a_run_tells_that_there_is_nothing_new(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    in_town("categories", "add", "Chess", "--keyword", "gambit, rook")
    assert in_town("run").stderr.splitlines()[-2] == "Nothing new for a digest."
    quiet = later(in_town, hours=2)("run", root=["-q"])
    assert (len(quiet.stdout.splitlines()), quiet.stderr) == (1, ""), "what the scan found, and no more"


def test_a_run_with_nothing_to_do(digestlog: Terminal) -> None:
    result = digestlog("run")
    assert result.stdout == ""
    scan, scrape, digest, library = result.stderr.splitlines()
    assert scan.startswith("No active sources. Add one:")
    assert scrape.startswith("No article waits to be read.")
    assert digest == "No digest: no active sources."
    assert library == "No page is watched. Watch one: digestlog library add https://example.org/prices"


def test_a_quiet_run_with_nothing_to_do_is_silent(digestlog: Terminal) -> None:
    result = digestlog("run", root=["-q"])
    assert (result.stdout, result.stderr) == ("", "")


def test_json_with_nothing_to_do(digestlog: Terminal) -> None:
    result = digestlog("run", "--json")
    assert result.stderr == ""
    found = digestlog.json("run")["steps"]
    assert {frozenset(step) for step in found} == {frozenset({"name", "ok", "error", "hint", "result"})}
    assert found[0]["result"]["sources"] == 0
    assert found[2]["result"] == {"skipped": "no active sources"}
    assert digestlog.json("digest", "list") == []


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
