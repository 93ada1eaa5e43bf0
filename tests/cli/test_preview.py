"""`digestlog sources preview` on the demo's web."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from digestlog.cli import cli
from digestlog.demo.web import DemoWeb

Preview = Callable[..., Result]


@pytest.fixture
def preview(db_path: Path, now: datetime) -> Iterator[Preview]:
    with DemoWeb(now, slow_s=0) as web:
        pins = dict.fromkeys(web.hosts, web.address)

        def run(*words: str, before: tuple[str, ...] = ()) -> Result:
            start = ["--db", str(db_path), "--now", now.isoformat(), *before]
            return CliRunner().invoke(cli, [*start, "sources", "preview", *words], obj=pins)

        yield run


def test_a_page_without_a_feed_shows_its_articles_and_how_they_were_dated(preview: Preview) -> None:
    result = preview("port-alder-council.example/news")
    assert result.exit_code == 0, result.stderr
    first, head, *rows = result.stdout.splitlines()
    assert first == "http://port-alder-council.example/news  (Direct, listing)"
    assert head.split("  ")[0] == "PUBLISHED"
    assert len(rows) == 3
    assert all("time" in row and "article" in row for row in rows)
    assert "3 articles within the window, 1 older" in result.stderr
    assert "7 links left aside; -v shows them" in result.stderr


def test_verbose_names_the_links_that_are_no_articles(preview: Preview) -> None:
    result = preview("port-alder-council.example/news", before=("-v",))
    assert "  not an article (tag page): http://port-alder-council.example/tags/transport" in result.stderr


def test_quiet_shows_the_articles_alone(preview: Preview) -> None:
    result = preview("harbour-times.example", before=("-q",))
    assert len(result.stdout.splitlines()) == 7
    assert result.stderr == ""


def test_json(preview: Preview) -> None:
    result = preview("gull-street.example", "--window", "all", "--json")
    found = json.loads(result.stdout)
    assert (found["outcome"], found["lane"], found["url_scraping_method"]) == ("ok", "feedparser", "RSS")
    assert found["error"].startswith("not well-formed")
    assert {article["date_from"] for article in found["articles"]} == {"pubDate"}
    assert set(found["articles"][0]) == {
        "url", "title", "published_at", "published_raw", "date_from", "found_by",
    }  # fmt: skip
    assert found["left_out"] == found["rejected"] == []


def test_what_was_odd_is_said(preview: Preview) -> None:
    assert "not well-formed" in preview("gull-street.example").stderr


def test_what_is_older_and_undated_in_json(preview: Preview) -> None:
    undated = json.loads(preview("slow-lantern.example", "--json").stdout)["articles"]
    assert None in {article["published_at"] for article in undated}
    left_out = json.loads(preview("harbour-times.example", "--json").stdout)["left_out"]
    assert [left["reason"] for left in left_out] == ["outside_window"] * 2


def test_a_source_that_is_gone_ends_with_1(preview: Preview) -> None:
    result = preview("http://retired-mariner.example/feed.xml", "--method", "RSS")
    assert result.exit_code == 1
    assert "gone for good" in result.stderr


def test_a_bad_selector_is_one_line(preview: Preview) -> None:
    result = preview("port-alder-council.example/news", "--link-selector", "h2 >")
    assert result.exit_code == 1
    assert "not a CSS selector" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_guard_holds(preview: Preview) -> None:
    result = preview("http://127.0.0.1:1/")
    assert result.exit_code == 1
    assert "private address" in result.stderr
