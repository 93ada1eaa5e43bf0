"""A web with every kind of source: the ledger is exactly what its stories say; a second look changes nothing.

DIGESTLOG_BIG=1 makes it a thousand sources.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from scan.expected import Ledger, differences, dump, read
from scan.program import Program
from scan.town import RSS, Source, Town, build
from scan.web import Web, moved

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127/8")

NUMBER = 1000 if os.environ.get("DIGESTLOG_BIG") == "1" else 200
JOBS = ("--jobs", "64")


@dataclass(frozen=True)
class Scanned:
    """A web after two scans: what they said, what they asked, and what the file held after each."""

    town: Town
    program: Program
    first: dict[str, Any]
    second: dict[str, Any]
    asked_first: list[str]
    asked_second: list[str]
    ledger: Ledger
    dump_first: dict[str, list[tuple[object, ...]]]
    dump_second: dict[str, list[tuple[object, ...]]]


def _crossing(town: Town) -> None:
    """Add a source that has moved to where another source is already."""
    other = next(source for source in town.sources if source.method == RSS and source.kept_url == source.url)
    old = f"{town.web.at('127.0.0.1')}/crossing"
    town.web.answers[old] = moved(other.url, 301)
    town.sources.append(Source(old, RSS, list(other.stories)))


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scanned]:
    web = Web()
    town = build(web, NUMBER)
    _crossing(town)
    program = Program(tmp_path_factory.mktemp("thousand") / "digestlog.db")
    with web:
        program.follow(town.sources, "--allow-private")
        assert web.asked == []
        first = program.json("scan", *JOBS)
        after_first, asked, ledger = len(web.asked), web.urls(), read(program.path)
        dumped = dump(program.path)
        second = program.json("scan", "--all", *JOBS)
        yield Scanned(
            town,
            program,
            first,
            second,
            asked,
            web.urls(after_first),
            ledger,
            dumped,
            dump(program.path),
        )


def test_the_web_has_all_kinds(scanned: Scanned) -> None:
    sources = scanned.town.sources
    assert len(sources) == NUMBER + 1
    assert {source.method for source in sources} == {"RSS", "Direct"}
    notes = {row.notes for rows in scanned.town.expected().rows.values() for row in rows}
    assert len(notes) > 10
    lanes = {result["lane"] for result in scanned.first["results"]}
    assert lanes >= {"fast", "json", "feedparser", "listing", "sitemap"}
    assert len([rows for rows in scanned.town.expected().rows.values() if len(rows) == 3]) >= NUMBER // 20


def test_the_ledger_is_exactly_as_expected(scanned: Scanned) -> None:
    assert differences(scanned.town.expected(), scanned.ledger) == []


def test_a_second_scan_changes_no_row(scanned: Scanned) -> None:
    assert scanned.dump_second == scanned.dump_first


def test_the_first_scan_counts_right(scanned: Scanned) -> None:
    first, expected = scanned.first, scanned.town.expected()
    gone = sum(source.is_gone for source in scanned.town.sources)
    assert (first["sources"], first["failed"]) == (NUMBER + 1, gone)
    assert (first["ok"], first["not_modified"]) == (NUMBER + 1 - gone, 0)
    assert (first["entries"], first["outside_window"]) == (expected.entries, expected.outside_window)
    assert first["new"] == len(expected.rows)
    assert first["new"] + first["known"] == expected.within
    assert first["requests"] == len(scanned.asked_first)


def test_the_second_scan_counts_right(scanned: Scanned) -> None:
    second = scanned.second
    still_there = [source for source in scanned.town.sources if not source.is_gone]
    assert (second["sources"], second["failed"], second["new"]) == (len(still_there), 0, 0)
    read_again = {r["source_url"] for r in second["results"] if r["outcome"] == "ok"}
    volatile = {source.kept_url for source in still_there if source.is_volatile}
    elsewhere = {source.kept_url for source in still_there if source.is_elsewhere}
    assert volatile <= read_again <= volatile | elsewhere
    assert second["not_modified"] == len(still_there) - len(read_again)
    assert second["requests"] == len(scanned.asked_second)


def test_what_is_known_costs_no_request(scanned: Scanned) -> None:
    stories = {story.link.original for source in scanned.town.sources for story in source.stories}
    assert stories.isdisjoint(scanned.asked_second)
    # Two for a page: itself and its site's robots.txt; redirects that are not for good come on top.
    assert len(scanned.asked_second) < 2 * len(scanned.town.sources)


def test_every_address_is_resolved_once(scanned: Scanned) -> None:
    sources = scanned.town.sources
    told = Counter(story.link.final for source in sources for story in source.stories)
    own = [s.link.original for source in sources for s in source.stories if told[s.link.final] == 1]
    heads = Counter(request.url for request in scanned.town.web.asked if request.method == "HEAD")
    assert sum(heads[url] for url in own) > NUMBER
    assert {url: heads[url] for url in own if heads[url] > 1} == {}


def test_sources_move_and_end(scanned: Scanned) -> None:
    with closing(sqlite3.connect(scanned.program.path)) as db:
        found = set(db.execute("SELECT source_url, is_active FROM sources_master_list"))
    assert found == {(source.kept_url, int(not source.is_gone)) for source in scanned.town.sources}


def test_moves_are_told(scanned: Scanned) -> None:
    told = {r["source_url"]: r["moved_to"] for r in scanned.first["results"] if r["moved_to"]}
    sources = [source for source in scanned.town.sources if source.kept_url != source.url]
    assert {source.kept_url for source in sources} <= set(told)
    assert all(told[source.kept_url] == source.kept_url for source in sources)
    crossing = next(r for r in scanned.first["results"] if r["source_url"].endswith("/crossing"))
    assert crossing["error"].endswith("follows already")


def test_the_file_is_sound(scanned: Scanned) -> None:
    assert scanned.program.json("doctor")["ok"] is True
