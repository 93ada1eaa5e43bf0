"""`digestlog scan`: what a person sees, what a program reads, and what the options mean."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import click
import pytest
from cli.conftest import Terminal
from scan_fakes import Page, ScanFetcher, item, page, rss, to

from digestlog.cli.app import App
from digestlog.cli.output import Progress
from digestlog.cli.scan import shard, window

A, B = "https://e.org/a", "https://e.org/b"
NAMES = [
    "run_id",
    "sources",
    "ok",
    "failed",
    "not_modified",
    "entries",
    "new",
    "known",
    "outside_window",
    "undated",
    "requests",
    "seconds",
    "results",
]


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> ScanFetcher:
    """The web that every command of the test reaches."""
    fetcher = ScanFetcher()
    monkeypatch.setattr(App, "fetcher", lambda self: fetcher())
    return fetcher


@pytest.fixture
def feeds(three: Terminal, web: ScanFetcher) -> Terminal:
    """A good feed, a failing one and a page, ready to be scanned."""
    web.answers |= {
        "https://a.example/feed": rss(
            item(A, "First", "Fri, 13 Feb 2026 08:00:00 GMT"),
            item(B),
            item("https://e.org/old", "Old", "Sun, 01 Feb 2026 08:00:00 GMT"),
        ),
        "https://b.example/feed": Page(status=503, retry_after_s=7200),
        "https://c.example/": page(
            body='<article><h2><a href="/2026/02/13/a-story">A story of today</a></h2></article>'
        ),
    }
    return three


# --- JSON -------------------------------------------------------------------------------------


def test_the_json_of_a_scan(feeds: Terminal, web: ScanFetcher) -> None:
    result = feeds("scan", "--json")
    told = json.loads(result.stdout)
    assert list(told) == NAMES
    counts = {name: told[name] for name in NAMES[1:11]}
    assert counts == {
        "sources": 3,
        "ok": 2,
        "failed": 1,
        "not_modified": 0,
        "entries": 4,
        "new": 3,
        "known": 0,
        "outside_window": 1,
        "undated": 1,
        "requests": web.requests,
    }
    assert isinstance(told["seconds"], float)
    assert result.stderr == ""


def test_the_results_of_a_scan(feeds: Terminal) -> None:
    results = {one["source_uuid"]: one for one in feeds.json("scan")["results"]}
    assert results.keys() == {"W_RSS_1", "W_RSS_2", "W_DIRECT_1"}
    assert {**results["W_RSS_1"], "duration_ms": 0} == {
        "source_uuid": "W_RSS_1",
        "source_name": "Alpha",
        "source_url": "https://a.example/feed",
        "outcome": "ok",
        "http_status": 200,
        "entries": 3,
        "new": 2,
        "known": 0,
        "outside_window": 1,
        "undated": 1,
        "duration_ms": 0,
        "lane": "fast",
        "moved_to": None,
        "next_scan_at": None,
        "error": None,
    }
    failed = results["W_RSS_2"]
    assert failed["error"] == "answered 503: its server is overloaded or being repaired"
    assert failed["next_scan_at"] == "2026-02-13T11:02:10+00:00"


def test_a_second_scan_finds_nothing_new(feeds: Terminal) -> None:
    feeds("scan")
    told = feeds.json("scan", "--all")
    assert (told["new"], told["not_modified"], told["failed"]) == (0, 2, 1)


# --- a person's view --------------------------------------------------------------------------


def test_the_summary(feeds: Terminal) -> None:
    result = feeds("scan")
    assert result.stdout == "3 new articles from 3 sources: 0 known, 1 older, 1 undated\n"
    lines = result.stderr.splitlines()
    assert lines[0].startswith("2 read, 0 unchanged, 1 failed; ")
    assert lines[2] == "Need attention:"
    assert lines[3].split() == ["ID", "NAME", "REASON", "NEXT", "TRY"]
    assert lines[4].startswith("W_RSS_2  Beta  answered 503: its server is overloaded or being repaired")
    assert lines[4].endswith("2026-02-13T11:02:10+00:00")


def test_failing_sources_are_no_failure_of_the_scan(three: Terminal, web: ScanFetcher) -> None:
    assert three("scan").exit_code == 0
    assert three.json("scan", "--all")["failed"] == 3


def test_nothing_to_complain_about(digestlog: Terminal, web: ScanFetcher) -> None:
    digestlog("sources", "add", "a.example/feed", "--method", "RSS")
    web.answers["https://a.example/feed"] = rss(item(A))
    result = digestlog("scan")
    assert result.stdout.startswith("1 new article from 1 source: ")
    assert "attention" not in result.stderr


def test_what_is_odd_moved_or_gone_is_told(three: Terminal, web: ScanFetcher) -> None:
    web.answers |= {
        "https://a.example/feed": to("https://a.example/new"),
        "https://a.example/new": rss(item(A)),
        "https://b.example/feed": Page(status=410),
        "https://c.example/": page(body="<p>Soon.</p>"),
    }
    told = three("scan").stderr
    assert "W_RSS_1  Alpha has moved to https://a.example/new" in told
    gone, odd = (
        next(line for line in told.splitlines() if line.startswith(name)) for name in ("W_RSS_2", "W_DIR")
    )
    assert "  is gone for good (410)  " in gone and gone.endswith("  paused")
    assert "no articles found on the page" in odd and odd.endswith("the next scan")


def test_quiet_gives_only_the_result(feeds: Terminal) -> None:
    result = feeds("scan", root=["-q"])
    assert result.stdout.startswith("3 new articles")
    assert result.stderr == ""


def test_verbose_tells_of_each_source(feeds: Terminal) -> None:
    told = feeds("scan", root=["-v"]).stderr
    assert "W_RSS_1  Alpha: 2 new, 0 known, 1 older" in told
    assert "W_RSS_2  Beta: answered 503" in told
    assert "W_RSS_1  Alpha: unchanged" in feeds("scan", "--all", root=["-v"]).stderr


def test_a_terminal_shows_how_far_it_is(
    feeds: Terminal, web: ScanFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    class Shown(Progress):
        def __init__(self, *, quiet: bool = False) -> None:
            self.shown = not quiet

        def show(self, text: str) -> None:
            shown.append(text)

    monkeypatch.setattr("digestlog.cli.scan.Progress", Shown)
    web.answers["https://a.example/feed"] = to("https://moved.example/feed")
    web.answers["https://moved.example/feed"] = rss(item(A), item(B))
    feeds("scan", "--jobs", "1")
    assert shown[0] == "0/3 sources, 0 new, 0 failed  a.example, b.example, c.example…"
    assert shown[1] == "1/3 sources, 2 new, 0 failed  b.example, c.example…"
    assert shown[2] == "2/3 sources, 2 new, 1 failed  c.example…"
    assert shown[3] == "3/3 sources, 3 new, 1 failed"


def test_no_sources_at_all(digestlog: Terminal, web: ScanFetcher) -> None:
    result = digestlog("scan")
    assert result.stdout == ""
    assert result.stderr == "No active sources. Add one: digestlog sources add example.org\n"
    assert digestlog("scan", root=["-q"]).stderr == ""


def test_no_source_is_due(digestlog: Terminal, web: ScanFetcher) -> None:
    digestlog("sources", "add", "a.example/feed", "--method", "RSS")
    web.answers["https://a.example/feed"] = rss(head="<ttl>60</ttl>")
    digestlog("scan")
    told = digestlog("scan").stderr
    assert told.startswith("No source is due before 2026-02-13T10:02:10+00:00. ")
    assert "digestlog scan --all" in told
    assert digestlog.json("scan")["sources"] == 0


# --- options ----------------------------------------------------------------------------------


def test_only_the_named_sources(feeds: Terminal) -> None:
    assert [r["source_uuid"] for r in feeds.json("scan", "Alpha")["results"]] == ["W_RSS_1"]
    again = feeds.json("scan", "w_rss_1", "https://b.example/feed")["results"]
    assert {r["source_uuid"] for r in again} == {"W_RSS_1", "W_RSS_2"}


@pytest.mark.parametrize(
    ("name", "error", "hint"),
    [
        ("W_RSS_9", "there is no source W_RSS_9", "digestlog sources list"),
        ("Alpha", "Alpha is paused", "digestlog sources resume W_RSS_1"),
    ],
)
def test_a_source_that_cannot_be_scanned(feeds: Terminal, name: str, error: str, hint: str) -> None:
    feeds("sources", "pause", "Alpha")
    result = feeds("scan", name, code=1)
    assert error in result.stderr and hint in result.stderr
    assert result.stdout == ""


def test_a_wider_window(feeds: Terminal) -> None:
    assert feeds.json("scan", "Alpha", "--window", "24h")["new"] == 2
    assert feeds.json("scan", "Alpha", "--window", "13d")["new"] == 1
    assert feeds.json("scan", "Alpha", "--window", "all")["new"] == 0


def test_a_dry_run(feeds: Terminal) -> None:
    told = feeds.json("scan", "--dry-run")
    assert (told["run_id"], told["new"]) == (None, 3)
    assert feeds.json("articles", "list") == []
    assert feeds("scan", "--dry-run").stdout.startswith("A dry run: 3 new articles from 3 sources")
    assert feeds.json("scan")["new"] == 3


def test_shares(feeds: Terminal) -> None:
    shares = [feeds.json("scan", "--all", "--dry-run", "--shard", f"{n}/2")["results"] for n in (1, 2)]
    ids = [[one["source_uuid"] for one in share] for share in shares]
    assert sorted(ids[0] + ids[1]) == ["W_DIRECT_1", "W_RSS_1", "W_RSS_2"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("24h", timedelta(hours=24)),
        ("90m", timedelta(minutes=90)),
        ("7D", timedelta(days=7)),
        (" 2w ", timedelta(weeks=2)),
        ("99999w", timedelta(weeks=99_999)),
        ("all", None),
    ],
)
def test_windows(text: str, meant: timedelta | None) -> None:
    assert window(_context(), _param(), text) == meant


@pytest.mark.parametrize(
    "text", ["", "0h", "-1h", "1", "h", "1.5h", "1y", "٣h", "100000h", "24h;", "ALL of it"]
)
def test_what_is_no_window(digestlog: Terminal, web: ScanFetcher, text: str) -> None:
    assert "is no window; write it like 48h" in digestlog("scan", "--window", text, code=2).stderr


@pytest.mark.parametrize(("text", "meant"), [("1/1", (1, 1)), (" 2/3 ", (2, 3)), ("9999/9999", (9999, 9999))])
def test_shards(text: str, meant: tuple[int, int]) -> None:
    assert shard(_context(), _param(), text) == meant


@pytest.mark.parametrize(
    "text", ["", "0/3", "4/3", "1", "1/", "/2", "1/0", "-1/3", "1/2/3", "1/10000", "a/b"]
)
def test_what_is_no_share(digestlog: Terminal, web: ScanFetcher, text: str) -> None:
    assert "is no share; write it like 1/3" in digestlog("scan", "--shard", text, code=2).stderr


@pytest.mark.parametrize("jobs", ["0", "501", "many"])
def test_what_is_no_number_of_jobs(digestlog: Terminal, web: ScanFetcher, jobs: str) -> None:
    digestlog("scan", "--jobs", jobs, code=2)


def test_a_window_older_than_the_calendar(digestlog: Terminal, web: ScanFetcher) -> None:
    digestlog("sources", "add", "a.example/feed", "--method", "RSS")
    web.answers["https://a.example/feed"] = rss(item(A))
    old = [
        "--db",
        str(digestlog.path),
        "--now",
        "0100-01-01",
        "scan",
        "--all",
        "--window",
        "99999w",
        "--json",
    ]
    result = digestlog.bare(*old)
    assert result.exit_code == 0 and json.loads(result.stdout)["new"] == 1


def _context() -> Any:
    return click.Context(click.Command("scan"))


def _param() -> Any:
    return click.Option(["--x"])
