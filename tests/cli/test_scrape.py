"""`digestlog scrape`: reading the articles as a person has it done, and as a program does."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from cli.conftest import Terminal, program
from scan_fakes import Desk, Page, ScanFetcher, item, page, rss
from scrape_pages import story

from digestlog.cli.app import App
from digestlog.demo.web import DemoWeb
from digestlog.store import scrapes

NAMES = ("bridge", "tower", "ferry")


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> ScanFetcher:
    """A web with one article, one empty page and nothing else."""
    fetcher = ScanFetcher({"https://e.org/bridge": story(), "https://e.org/tower": page("", "")})
    monkeypatch.setattr(App, "fetcher", lambda app: fetcher())
    return fetcher


@pytest.fixture
def ledger(digestlog: Terminal, web: ScanFetcher) -> Terminal:
    """Commands on a file with three articles, none of them read."""
    desk = Desk(digestlog.path, digestlog.now)
    desk.follow("https://one.example/feed", rss(*(item(f"https://e.org/{name}") for name in NAMES)))
    desk.scan()
    return digestlog


def test_a_run(ledger: Terminal) -> None:
    result = ledger("scrape")
    assert result.stdout == "1 article read of 3, 1 new text: 1 empty, 0 failed, 1 gone\n"
    lines = result.stderr.splitlines()
    assert lines[0].startswith("3 requests in ") and lines[2] == "Not read:"
    assert lines[3].split() == ["ADDRESS", "OUTCOME", "REASON", "NEXT", "TRY"]
    assert sorted(re.split(r"\s{2,}", line) for line in lines[4:]) == [
        ["https://e.org/ferry", "gone", "is not there any more (404)", "none"],
        ["https://e.org/tower", "empty", "has no article text", "2026-02-14T09:02:10+00:00"],
    ]


def test_a_run_without_a_miss(ledger: Terminal, web: ScanFetcher) -> None:
    web.answers |= {f"https://e.org/{name}": story() for name in NAMES}
    result = ledger("scrape")
    assert result.stdout == "3 articles read of 3, 3 new texts: 0 empty, 0 failed, 0 gone\n"
    assert len(result.stderr.splitlines()) == 1


def test_the_texts_can_be_searched_then(ledger: Terminal) -> None:
    assert ledger.json("articles", "search", "harbour") == []
    ledger("scrape")
    (found,) = ledger.json("articles", "search", "harbour", "opens")
    assert found["highlight"] == "Bridge [opens]"
    assert "over the old [harbour] opened" in found["snippet"]


def test_the_json_of_a_run(ledger: Terminal) -> None:
    told = ledger.json("scrape")
    results = {one.pop("article_url_final").rpartition("/")[2]: one for one in told.pop("results")}
    assert told.pop("seconds") >= 0
    assert told == {"articles": 3, "ok": 1, "empty": 1, "failed": 0, "gone": 1, "new_versions": 1}
    assert {name: one.pop("article_uuid")[:2] for name, one in results.items()} == dict.fromkeys(NAMES, "A_")
    assert results["bridge"] == {
        "outcome": "ok",
        "http_status": 200,
        "title": "Bridge opens",
        "chars": results["bridge"]["chars"],
        "new_version": True,
        "attempts": 1,
        "next_attempt_at": None,
        "error": None,
        "reached_url": "https://e.org/bridge",
    }
    assert results["tower"]["next_attempt_at"] == "2026-02-14T09:02:10+00:00"
    assert results["ferry"]["error"] == "is not there any more (404)"


def test_json_is_all_that_is_said(ledger: Terminal) -> None:
    assert ledger("scrape", "--json").stderr == ""


def test_a_second_run(ledger: Terminal, web: ScanFetcher) -> None:
    ledger("scrape")
    result = ledger("scrape")
    assert result.stdout == ""
    assert result.stderr.startswith("No article waits to be read. To read them all again: ")
    assert ledger("scrape", root=["-q"]).stderr == ""
    assert ledger.json("scrape")["articles"] == 0


def test_rescrape(ledger: Terminal) -> None:
    ledger("scrape")
    told = ledger.json("scrape", "--rescrape")
    assert (told["articles"], told["ok"], told["new_versions"]) == (3, 1, 0)


def test_an_empty_ledger(digestlog: Terminal, web: ScanFetcher) -> None:
    assert digestlog("scrape", "--rescrape").stderr == "No articles. To find some: digestlog scan\n"


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--limit", "2"], 2),
        (["--limit", "99"], 3),
        (["--since", "1h"], 3),
        (["--since", "2026-02-14"], 0),
        (["--jobs", "1"], 3),
    ],
)
def test_options(ledger: Terminal, options: list[str], count: int) -> None:
    assert ledger.json("scrape", *options)["articles"] == count


@pytest.mark.parametrize(
    "options", [["--limit", "0"], ["--since", "soon"], ["--jobs", "0"], ["--limit", "x"], ["extra"]]
)
def test_what_is_no_option(ledger: Terminal, options: list[str]) -> None:
    ledger("scrape", *options, code=2)


def test_quiet_and_verbose(ledger: Terminal) -> None:
    assert ledger("scrape", root=["-q"]).stderr == ""
    lines = ledger("scrape", "--rescrape", root=["-v"]).stderr.splitlines()
    assert "gone  https://e.org/ferry: is not there any more (404)" in lines
    (read,) = (line for line in lines if line.startswith("ok  https://e.org/bridge: "))
    assert read.endswith(" characters")


def test_progress_on_a_terminal(ledger: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "digestlog.cli.output.Progress.__init__", lambda self, quiet: setattr(self, "shown", True)
    )
    shown = ledger("scrape").stderr
    assert "3/3 articles, 1 read, 0 failed" in shown


def test_only_so_many_misses_are_shown(digestlog: Terminal, web: ScanFetcher) -> None:
    desk = Desk(digestlog.path, digestlog.now)
    desk.follow("https://one.example/feed", rss(*(item(f"https://e.org/{n}") for n in range(23))))
    desk.scan()
    lines = digestlog("scrape").stderr.splitlines()
    assert lines[-1] == "and 3 more" and len(lines) == 4 + 20 + 1


def test_a_failure_says_when_it_is_tried_again(ledger: Terminal, web: ScanFetcher) -> None:
    web.answers["https://e.org/ferry"] = Page(status=503)
    result = ledger("scrape")
    assert "0 gone" in result.stdout and "1 failed" in result.stdout
    (line,) = (line for line in result.stderr.splitlines() if "e.org/ferry" in line)
    assert "answered 503" in line and line.split()[-1].startswith("2026-02-13T10:")


def test_in_town(in_town: Terminal, town: DemoWeb) -> None:
    """Over real connections, from the demo web's front pages to the words of its articles."""
    for host in sorted(town.hosts):
        in_town.bare("--db", str(in_town.path), "--now", in_town.now.isoformat(), "sources", "add", host)
    in_town("scan", "--window", "all")
    told = in_town.json("scrape", "--limit", "12")
    assert told["articles"] == 12
    assert told["ok"] == told["new_versions"] > 0
    titled = next(one for one in told["results"] if one["outcome"] == "ok")
    with Desk(in_town.path, in_town.now).open() as db:
        text = scrapes.current(db, [titled["article_uuid"]])[titled["article_uuid"]].content_text
    longest = max(re.findall(r"[a-zA-Z]+", text), key=len)
    assert titled["article_uuid"] in {a["article_uuid"] for a in in_town.json("articles", "search", longest)}


def test_help() -> None:
    shown = program("articles", "search", "--help").stdout.decode()
    assert "in their title or text" in shown


def test_the_command_is_documented_in_its_help(ledger: Terminal) -> None:
    shown = ledger("scrape", "--help").stdout
    assert "Examples:" in shown and "digestlog scrape --since 7d --limit 100" in shown


def test_a_file_that_is_none(tmp_path: Path, digestlog: Terminal) -> None:
    wrong = tmp_path / "text.db"
    wrong.write_text("not a database" * 50)
    result = digestlog.bare("--db", str(wrong), "scrape")
    assert result.exit_code == 1 and result.stderr.startswith("Error: ")


def test_a_day_later_the_empty_page_is_looked_at_again(ledger: Terminal) -> None:
    ledger("scrape")
    later = Terminal(ledger.path, ledger.now + timedelta(days=1))
    told = json.loads(later("scrape", "--json").stdout)
    assert [one["article_url_final"] for one in told["results"]] == ["https://e.org/tower"]
