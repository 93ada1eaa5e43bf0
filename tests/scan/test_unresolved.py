"""An address that leads nowhere today is kept; when it leads somewhere, there is one row, not two."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from scan.expected import Expected, differences, dump, read
from scan.faults import raw
from scan.feeds import rss_2
from scan.program import Program
from scan.story import NOW as FIRST_SEEN
from scan.story import REDIRECTS, Link, Story, Title, date, iso
from scan.town import RSS, Source
from scan.web import Answer, Answers, Web, moved, page

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers on all of 127/8")

BROKEN: Answers = {
    "error": Answer(500, b"oops"),
    "busy": Answer(503),
    "reset": raw(then_reset=True),
    "garbage": raw(b"what?\r\n\r\n"),
    "known": Answer(502),
}


@dataclass(frozen=True)
class Outage:
    """Two feeds: one names addresses that lead nowhere for now, the other has one of their articles."""

    web: Web
    sources: list[Source]

    def mend(self) -> None:
        """Let every address lead where it should."""
        for source in self.sources:
            for story in source.stories:
                self.web.answers |= story.link.answers

    def during(self) -> Expected:
        """The ledger as long as nothing is known: every address stands for itself."""
        ledger = Expected()
        for source in self.sources:
            for story in source.stories:
                original = story.link.original
                itself = replace(story.link, final=original, notes=())
                ledger.tell(source.url, RSS, replace(story, link=itself))
        return ledger

    def afterwards(self) -> Expected:
        """The ledger when everything has answered."""
        ledger = Expected()
        for source in self.sources:
            for story in source.stories:
                ledger.tell(source.url, RSS, story)
        return ledger


def _feed(web: Web, host: str, stories: list[Story]) -> Source:
    source = Source(f"{web.at(host)}/feed", RSS, stories)
    body, kind = rss_2(source.url, stories)
    web.answers[source.url] = Answer(200, body, {"Content-Type": kind})
    return source


@pytest.fixture
def outage() -> Iterator[Outage]:
    web = Web()
    hosts = {name: f"127.5.0.{number}" for number, name in enumerate(BROKEN, 1)}
    web.hosts([*hosts.values(), "127.5.1.1", "127.5.1.2"])
    stories = []
    for name, host in hosts.items():
        original, final = f"{web.at(host)}/{name}", f"{web.at(host)}/final/{name}"
        answers: Answers = {original: moved(final, 301), final: page()}
        stories.append(Story(Link(original, final, (REDIRECTS,), answers), Title(name, name), date(0)))
        web.answers[original] = BROKEN[name]
    known = stories[-1].link.final
    itself = Story(Link(known, known, (), {known: page()}), Title("known", "known"), date(0))
    web.answers[known] = page()
    with web:
        yield Outage(web, [_feed(web, "127.5.1.1", stories), _feed(web, "127.5.1.2", [itself])])


def test_what_cannot_be_resolved_is_kept_and_settled_later(outage: Outage, tmp_path: Path) -> None:
    program = Program(tmp_path / "digestlog.db")
    program.follow(outage.sources, "--allow-private")
    program("scan", "--json")
    assert differences(outage.during(), read(program.path)) == []
    assert _waiting(program.path) == len(BROKEN)
    outage.mend()
    program("scan", "--json")
    assert differences(outage.afterwards(), read(program.path)) == []
    assert _waiting(program.path) == 0
    settled = dump(program.path)
    program("scan", "--all", "--json")
    assert dump(program.path) == settled
    assert _first_seen(program.path) == {iso(FIRST_SEEN)}
    assert program.json("doctor")["ok"] is True


def _waiting(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        query = "SELECT count(*) FROM url_resolutions WHERE status = 'unresolved'"
        return int(db.execute(query).fetchone()[0])


def _first_seen(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as db:
        return {row[0] for row in db.execute("SELECT article_detected_utc_iso FROM extracted_article_urls")}
