"""`digestlog library check` and `prune`, as a person has them and as a program does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from check_fakes import LAMP, WatchDesk, shop, story, watch
from cli.conftest import Terminal
from scan_fakes import no_answer
from web.browsers import why_none

from digestlog.cli import library_check
from digestlog.cli.app import App
from digestlog.cli.output import Progress
from digestlog.core.looks import Shot
from digestlog.store import users

NEWS = "https://e.org/news"


@pytest.fixture
def desk(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> WatchDesk:
    """The file of the commands, with nothing watched yet, and a web for both."""
    desk = WatchDesk(digestlog.path, digestlog.now)
    monkeypatch.setattr(App, "fetcher", lambda app: desk.web())
    return desk


@pytest.fixture
def known(desk: WatchDesk, digestlog: Terminal) -> Terminal:
    """Commands on a file with a lamp that was looked at for eight days."""
    desk.watch(LAMP, shop())
    for _ in range(8):
        desk.check(everything=True)
        desk.later(days=1)
    digestlog.now = desk.now
    return digestlog


def test_the_first_look(desk: WatchDesk, digestlog: Terminal) -> None:
    desk.watch(LAMP, shop())
    result = digestlog("library", "check")
    assert result.stdout == "1 page looked at: 0 changed, 0 as before, 1 for the first time, 0 failed\n"
    assert result.stderr.startswith("1 request in ")


def test_a_change_is_told_in_words(desk: WatchDesk, known: Terminal) -> None:
    desk.web.answers[LAMP] = shop("44.50")
    lines = known("library", "check").stdout.splitlines()
    assert lines[0] == "1 page looked at: 1 changed, 0 as before, 0 for the first time, 0 failed"
    assert lines[1:3] == ["", LAMP]
    assert any("49.00" in line and "44.50" in line for line in lines[3:])


def test_an_early_change_is_told_with_doubt(desk: WatchDesk, digestlog: Terminal) -> None:
    desk.watch(LAMP, shop())
    digestlog("library", "check")
    desk.web.answers[LAMP] = shop("44.50")
    assert "(perhaps)" in digestlog("library", "check", "--all").stdout


def test_nothing_is_due(desk: WatchDesk, digestlog: Terminal) -> None:
    desk.watch(LAMP, shop())
    digestlog("library", "check")
    result = digestlog("library", "check")
    assert result.stdout == ""
    assert result.stderr.startswith("No page is due before 2026-02-14T0")
    assert digestlog("library", "check", root=["-q"]).stderr == ""


def test_nothing_is_watched(desk: WatchDesk, digestlog: Terminal) -> None:
    said = "No page is watched. Watch one: digestlog library add https://example.org/prices\n"
    assert digestlog("library", "check").stderr == said


def test_pages_that_cannot_be_read(desk: WatchDesk, digestlog: Terminal) -> None:
    desk.watch(LAMP, no_answer(f"{LAMP}\x1b[31m"))
    result = digestlog("library", "check")
    assert result.stdout.endswith("0 for the first time, 1 failed\n")
    assert "Not read:" in result.stderr and "did not answer" in result.stderr
    assert "\x1b" not in result.stderr


def test_many_pages_that_cannot_be_read(desk: WatchDesk, digestlog: Terminal) -> None:
    for number in range(23):
        desk.watch(f"https://e.org/{number}")
    assert digestlog("library", "check").stderr.endswith("\nand 3 more\n")


def test_the_json_of_a_run(desk: WatchDesk, known: Terminal) -> None:
    desk.web.answers[LAMP] = shop("44.50")
    desk.watch(NEWS, story("News."))
    desk.watch("https://e.org/gone")
    told = known.json("library", "check")
    results = {result["url"]: result for result in told.pop("results")}
    assert told.pop("seconds") >= 0
    assert told.pop("real") == len(results[LAMP]["changes"])
    assert told == {
        "pages": 3,
        "ok": 2,
        "not_modified": 0,
        "empty": 0,
        "challenge": 0,
        "failed": 1,
        "baselines": 1,
        "changed": 1,
        "provisional": 0,
        "volatile": 0,
        "overtaken": 0,
        "requests": 3,
        "notes": [],
    }
    (first, *_) = results[LAMP]["changes"]
    assert set(first) == {"event_id", "kind", "state", "magnitude", "summary"}
    assert set(results[NEWS]) == {
        "url_id",
        "url",
        "outcome",
        "http_status",
        "is_baseline",
        "changes",
        "observation_id",
        "next_check_at",
        "error",
    }
    assert known("library", "check", "--json", "--all").stderr == ""


def test_options(desk: WatchDesk, digestlog: Terminal) -> None:
    for number in range(3):
        desk.watch(f"https://e.org/{number}", story(f"Page {number}."))
    assert digestlog.json("library", "check", "--limit", "2", "--jobs", "1")["pages"] == 2
    assert digestlog.json("library", "check")["pages"] == 1
    assert digestlog.json("library", "check", "--all")["pages"] == 3
    one = digestlog.json("library", "check", "--url", "https://e.org/1")
    assert [result["url"] for result in one["results"]] == ["https://e.org/1"]
    two = digestlog.json("library", "check", "--url", "https://e.org/1", "--url", "https://e.org/2")
    assert two["pages"] == 2


@pytest.mark.parametrize("options", [["--limit", "0"], ["--jobs", "0"], ["--jobs", "501"], ["--nope"]])
def test_wrong_options(digestlog: Terminal, options: list[str]) -> None:
    digestlog("library", "check", *options, code=2)


def test_a_page_that_nobody_knows(desk: WatchDesk, digestlog: Terminal) -> None:
    result = digestlog("library", "check", "--url", LAMP, code=1)
    assert result.stderr.startswith("Error: ") and LAMP in result.stderr


def test_a_page_that_nobody_watches_any_more(desk: WatchDesk, digestlog: Terminal) -> None:
    desk.watch(LAMP, shop(), is_active=0)
    result = digestlog("library", "check", "--url", LAMP, code=1)
    assert result.stderr.startswith("Error: nobody watches this page any more")
    assert desk.web.asked == []


def test_a_user_checks_and_sees_only_their_own(desk: WatchDesk, digestlog: Terminal) -> None:
    desk.watch(LAMP, shop())
    with desk.open() as db:
        watch(db, NEWS, user_id=users.add(db, "anna").id)
    desk.web.answers[NEWS] = story("News.")
    anna = ["--user", "anna"]
    told = digestlog.json("library", "check", root=anna)
    assert [result["url"] for result in told["results"]] == [NEWS]
    assert digestlog("library", "check", "--url", LAMP, root=anna, code=1).stdout == ""
    assert "No page is due before" in digestlog("library", "check", root=anna).stderr
    assert [result["url"] for result in digestlog.json("library", "check")["results"]] == [LAMP]


def test_another_run_was_faster(
    desk: WatchDesk, digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.watch(LAMP, shop())
    monkeypatch.setattr("digestlog.store.observations.state", lambda db, page: None)
    said = "Another run has just looked at the pages that were due.\n"
    assert digestlog("library", "check").stderr == said
    assert digestlog.json("library", "check")["overtaken"] == 1


def test_verbose_tells_of_every_page(desk: WatchDesk, known: Terminal) -> None:
    desk.watch(NEWS, story("News."))
    desk.watch("https://e.org/gone")
    said = known("library", "check", root=["-v"]).stderr
    assert f"not_modified  {LAMP}: as it was" in said
    assert f"ok  {NEWS}: first look" in said
    assert "failed  https://e.org/gone: " in said
    desk.web.answers[LAMP] = shop("44.50")
    assert "44.50" in known("library", "check", "--all", root=["-v"]).stderr


def test_the_progress_line(desk: WatchDesk, known: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr(Progress, "show", lambda self, text: lines.append(text))
    desk.watch("https://e.org/gone")
    desk.web.answers[LAMP] = shop("44.50")
    known("library", "check")
    assert len(lines) == 2
    assert lines[-1].startswith("2/2 pages, 1 changed, 1 failed")


def test_the_words_are_in_the_owners_language(
    desk: WatchDesk, known: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    known("settings", "set", "language", "fr")
    spoken: list[str] = []

    def summarise(change: object, language: str = "en") -> str:
        spoken.append(language)
        return "Prix"

    monkeypatch.setattr("digestlog.core.looks.summarise", summarise)
    desk.web.answers[LAMP] = shop("44.50")
    known("library", "check")
    assert set(spoken) == {"fr"}


# --- a model, a camera ------------------------------------------------------------------------


@pytest.fixture
def model() -> Iterator[tuple[dict[str, str], list[str]]]:
    """A model on this machine that words everything in the same way: how to reach it, what it was asked."""
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            words = json.dumps({"summary": "The lamp costs less now.", "quotes": ["44.50"]})
            choice = {"index": 0, "finish_reason": "stop", "message": {"content": words}}
            body = json.dumps({"id": "1", "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        yield {"DIGESTLOG_LLM_URL": url, "DIGESTLOG_LLM_MODEL": "small"}, asked
        server.shutdown()


def test_a_model_words_the_changes(
    desk: WatchDesk, known: Terminal, model: tuple[dict[str, str], list[str]]
) -> None:
    env, asked = model
    desk.web.answers[LAMP] = shop("44.50")
    assert "  The lamp costs less now.\n" in known("library", "check", env=env).stdout
    (summary, *_) = desk.rows("url_change_summaries")
    assert summary["summary"] == "The lamp costs less now."
    assert summary["method"].startswith("small at 127.0.0.1:")
    assert len(asked) == len(desk.rows("url_change_events"))


def test_a_model_that_cannot_leaves_the_extract(
    desk: WatchDesk, known: Terminal, model: tuple[dict[str, str], list[str]]
) -> None:
    env, _ = model
    desk.web.answers[LAMP] = shop("43.70")
    result = known("library", "check", env=env)
    assert "43.70" in result.stdout
    assert "could not word a change: the model quoted words that the article does not have" in result.stderr
    assert {row["method"] for row in desk.rows("url_change_summaries")} == {"extractive"}


class Studio:
    """A browser that was never started."""

    def __init__(self, **options: object) -> None:
        self.options = options

    async def __aenter__(self) -> Studio:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def shoot(self, url: str, *, allow_private: bool = False) -> Shot:
        """A picture of the first page, and of no other."""
        return Shot(b"JPEG") if url == LAMP else Shot(note=f"{url} is\x1b[31m too shy")


def test_screenshots(desk: WatchDesk, digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digestlog.web.render.Browser", Studio)
    desk.watch(LAMP, shop())
    desk.watch(NEWS, story("News."))
    result = digestlog("library", "check", "--screenshots")
    assert f"no picture: {NEWS} is[31m too shy" in result.stderr
    kinds = [row["kind"] for row in desk.rows("url_render_artifacts")]
    assert sorted(kinds) == ["screenshot", "text", "text"]


def test_no_screenshots_unless_asked_for(
    desk: WatchDesk, digestlog: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(**options: object) -> Studio:
        raise AssertionError("a browser was started")

    monkeypatch.setattr("digestlog.web.render.Browser", never)
    desk.watch(LAMP, shop())
    digestlog("library", "check")


@pytest.mark.skipif(why_none() is not None, reason=f"NO PICTURE IS TESTED: {why_none()}")
def test_a_real_picture(in_town: Terminal) -> None:
    in_town("library", "add", "http://alder-chandlery.example/storm-lantern")
    told = in_town.json("library", "check", "--screenshots")
    assert (told["baselines"], told["notes"]) == (1, [])
    rows = WatchDesk(in_town.path, in_town.now).rows("url_render_artifacts")
    (picture,) = (row["content"] for row in rows if row["kind"] == "screenshot")
    assert picture.startswith(b"\xff\xd8") and len(picture) > 5_000


# --- room -------------------------------------------------------------------------------------


@pytest.fixture
def old(desk: WatchDesk, digestlog: Terminal) -> Iterator[Terminal]:
    """Commands a year after a page had two texts."""
    desk.watch(LAMP, story("First."))
    desk.check()
    desk.later(days=1).web.answers[LAMP] = story("Second, and another price: 12.00 EUR.")
    desk.check(everything=True)
    digestlog.now = digestlog.now + timedelta(days=400)
    yield digestlog


def test_prune(desk: WatchDesk, old: Terminal) -> None:
    before = desk.rows("url_render_artifacts")
    dry = old("library", "prune", "--dry-run")
    assert dry.stdout.startswith("1 rendering and 1 text would be dropped: room for ")
    assert dry.stderr == "" and desk.rows("url_render_artifacts") == before
    done = old("library", "prune")
    assert done.stdout.startswith("1 rendering and 1 text dropped: room for ")
    assert done.stdout.partition(" kB")[0][-1].isdigit()
    assert done.stderr == "The file keeps its size and fills the room again.\n"
    assert len(desk.rows("url_render_artifacts")) == len(before) - 1
    assert old("library", "prune").stdout.startswith("0 renderings and 0 texts dropped: room for 0.0 kB;")
    assert len(desk.rows("url_observations")) == 2 and desk.events()


def test_the_json_of_prune(old: Terminal) -> None:
    told = old.json("library", "prune", "--dry-run")
    assert (told["artifacts"], told["contents"], told["dry_run"]) == (1, 1, True)
    assert told["freed_bytes"] == told["artifact_bytes"] + told["content_bytes"] > 0
    assert old.json("library", "prune", "--keep-days", "500")["artifacts"] == 0
    assert old.json("library", "prune", "--keep-days", "500", "--max-mb", "0")["artifacts"] == 1


def test_sizes_are_readable() -> None:
    assert library_check._size(12_345) == "12.3 kB"
    assert library_check._size(12_345_678) == "12.3 MB"


def test_only_an_admin_prunes(desk: WatchDesk, old: Terminal) -> None:
    with desk.open() as db:
        users.add(db, "anna")
    before = desk.rows("url_render_artifacts")
    result = old("library", "prune", root=["--user", "anna"], code=1)
    assert result.stderr.startswith("Error: anna is no admin")
    assert desk.rows("url_render_artifacts") == before


@pytest.mark.parametrize("command", ["check", "prune"])
def test_help_has_an_example(digestlog: Terminal, command: str) -> None:
    assert f"digestlog library {command}" in digestlog("library", command, "--help").stdout
