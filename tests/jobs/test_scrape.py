"""Reading articles: what becomes of each, when it is tried again, and what a run never does."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from scan_fakes import Desk, Page, ScanFetcher, item, no_answer, page, rss, to
from scrape_pages import SENTENCES, story

from digestlog.core.extract import Extracted
from digestlog.core.model import Fetched
from digestlog.core.refusals import is_refusal
from digestlog.errors import FetchError, LockedFile, ParseError
from digestlog.jobs import scrape as job
from digestlog.jobs.parsing import Parser
from digestlog.jobs.scrape import (
    ArticleParser,
    Options,
    Scrape,
    ScrapeResult,
    read_article,
    scrape,
    scrape_these,
)
from digestlog.store import scrapes
from digestlog.store.scrapes import EMPTY, FAILED, GONE, OK, ToScrape

FEED = "https://one.example/feed"
URL = "https://e.org/bridge"


@dataclass
class Reading(Desk):
    """A desk whose sources were scanned."""

    seen: list[ScrapeResult] = field(default_factory=list)

    def shows(self, *urls: str, **source: Any) -> None:
        """Let the only feed show these articles, and scan it."""
        feed = rss(*(item(url, f"Title {n}") for n, url in enumerate(urls)))
        self.follow(FEED, feed, **source)
        self.scan()

    def scrape(self, **options: Any) -> Scrape:
        """One run."""
        self.seen = []
        with self.open() as db:
            return scrape(db, self.web, Options(**options), self.seen.append)

    def only(self, **options: Any) -> ScrapeResult:
        """What became of the only article of a run."""
        (result,) = self.scrape(**options).results
        return result

    def attempt(self) -> tuple[str, int, datetime | None, str | None]:
        """The only article's state."""
        row = self.row("scrape_state")
        again = row["next_attempt_at"]
        next_at = datetime.fromisoformat(again) if again else None
        return row["status"], row["attempts"], next_at, row["last_error"]


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Reading:
    """An empty file."""
    return Reading(db_path, now)


@pytest.fixture
def bridge(desk: Reading) -> Reading:
    """A file with one article, which nobody answers for yet."""
    desk.shows(URL)
    return desk


# --- one article ------------------------------------------------------------------------------


def test_an_article_is_read(bridge: Reading) -> None:
    bridge.web.answers[URL] = story()
    result = bridge.only()
    text = "\n".join(SENTENCES)
    assert result == ScrapeResult(
        article_uuid=bridge.row("extracted_article_urls")["article_uuid"],
        article_url_final=URL,
        outcome=OK,
        http_status=200,
        title="Bridge opens",
        chars=len(text),
        new_version=True,
        reached_url=URL,
    )
    assert bridge.seen == [result]
    row = bridge.row("scraped_articles")
    assert (row["content_text"], row["author"], row["title"]) == (text, "Anna Berg", "Bridge opens")
    assert bridge.attempt() == ("ok", 1, None, None)
    ledger = bridge.row("extracted_article_urls")
    assert (ledger["article_title"], ledger["published_utc_iso"]) == ("Title 0", "2026-02-12T14:03:12+00:00")


def test_an_article_is_read_once(bridge: Reading) -> None:
    bridge.web.answers[URL] = story()
    bridge.scrape()
    assert bridge.scrape().results == []
    assert bridge.web.times(URL) == 0


def test_robots_are_obeyed(bridge: Reading) -> None:
    bridge.web.answers[URL] = story()
    bridge.web.closed.add(URL)
    result = bridge.only()
    assert (result.outcome, result.error) == (
        FAILED,
        f"{URL} is closed to programs by the site's robots.txt",
    )
    (asked,) = bridge.web.asked
    assert (asked.obey_robots, asked.allow_private) == (True, False)


def test_a_private_network_where_the_source_may(desk: Reading) -> None:
    desk.shows(URL, allow_private=True)
    desk.scrape()
    assert all(asked.allow_private for asked in desk.web.asked)


JUDGED: list[tuple[Page | Exception, str, str | None]] = [
    (story(), OK, None),
    (Page(story().body, "text/html", 203), OK, None),
    (Page(b"", status=404), GONE, "is not there any more (404)"),
    (Page(b"", status=410), GONE, "is not there any more (410)"),
    (Page(story().body, "text/html", 403), FAILED, "answered 403"),
    (Page(b"", status=500), FAILED, "answered 500"),
    (Page(b"", status=999), FAILED, "answered 999"),
    (Page(b"", status=304), FAILED, "answered 304"),
    (no_answer(URL), FAILED, f"{URL} did not answer"),
    (FetchError("a\nb\u202e", url=URL), FAILED, "a b"),
    (page("", "<div id=app></div>"), EMPTY, "has no article text"),
    (Page(b"%PDF-1.7 \0", "application/pdf"), EMPTY, "is not a web page but application/pdf"),
    (Page(b"\x89PNG\0\0", "text/html; charset=utf-8"), EMPTY, "is not a web page"),
    (Page(b"\x89PNG\0\0", None), EMPTY, "is not a web page"),
    (Page(b"{}", "x" * 100), EMPTY, f"is not a web page but {'x' * 60}"),
    (Page(b"", "text/html"), EMPTY, "is not a web page"),
]


@pytest.mark.parametrize(("answer", "outcome", "error"), JUDGED, ids=range(len(JUDGED)))
def test_what_an_answer_is(
    bridge: Reading, answer: Page | Exception, outcome: str, error: str | None
) -> None:
    bridge.web.answers[URL] = answer
    result = bridge.only()
    assert (result.outcome, result.error) == (outcome, error)
    status, _, _, last_error = bridge.attempt()
    assert (status, last_error) == (outcome, error)
    assert len(bridge.rows("scraped_articles")) == (outcome == OK)


@pytest.mark.parametrize(
    ("location", "outcome", "error"),
    [
        ("https://e.org/", FAILED, "it leads to the front page of a site"),
        ("https://e.org/login?next=x", FAILED, "it leads to a login or consent page"),
        ("https://e.org/bridge-opens", OK, None),
    ],
)
def test_where_an_article_leads(bridge: Reading, location: str, outcome: str, error: str | None) -> None:
    bridge.web.answers |= {URL: to(location, 302), location: story()}
    result = bridge.only()
    assert (result.outcome, result.error, result.article_url_final) == (outcome, error, URL)


def test_reading_that_ends_its_process(bridge: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*args: Any) -> Extracted:
        raise ParseError("reading it ended the process that read it")

    bridge.web.answers[URL] = story()
    monkeypatch.setattr(ArticleParser, "page", broken)
    result = bridge.only()
    assert (result.outcome, result.http_status) == (FAILED, 200)
    assert result.error == "reading it ended the process that read it"


def test_the_page_of_nobodys_article(bridge: Reading) -> None:
    """What a web search finds is read without being stored."""

    async def read() -> job.Reading:
        with ArticleParser() as parser:
            async with bridge.web() as getter:
                return await read_article(getter, parser, URL, allow_private=True)

    bridge.web.answers[URL] = story()
    found = asyncio.run(read()).found
    assert found is not None and found.text == "\n".join(SENTENCES)
    assert bridge.rows("scrape_state") == []


# --- the address that its source showed ------------------------------------------------------

ORIGINAL = f"{URL}?utm_source=feed"


def test_an_article_that_is_only_at_the_address_as_shown(desk: Reading) -> None:
    desk.shows(ORIGINAL)
    desk.web.answers[ORIGINAL] = story()
    assert desk.only().outcome == OK
    assert [asked.url for asked in desk.web.asked] == [URL, ORIGINAL]


@pytest.mark.parametrize("answer", [Page(status=404), Page(status=500), page("", "")])
def test_an_article_that_is_at_neither(desk: Reading, answer: Page) -> None:
    desk.shows(ORIGINAL)
    desk.web.answers[ORIGINAL] = answer
    assert desk.only().error == "is not there any more (404)"
    assert len(desk.web.asked) == 2


def test_the_address_as_shown_is_left_alone_while_the_final_one_answers(desk: Reading) -> None:
    desk.shows(ORIGINAL)
    desk.web.answers[URL] = Page(status=500)
    desk.scrape()
    assert desk.web.times(ORIGINAL) == 0


# --- again ------------------------------------------------------------------------------------


def test_a_failure_is_tried_again_less_and_less_often_and_then_given_up(bridge: Reading) -> None:
    bridge.web.answers[URL] = no_answer(URL)
    pauses = []
    for attempt in range(1, 7):
        result = bridge.only()
        assert (result.attempts, bridge.attempt()[1]) == (attempt, attempt)
        if result.next_attempt_at:
            pauses.append((datetime.fromisoformat(result.next_attempt_at) - bridge.now) / timedelta(hours=1))
            bridge.now = datetime.fromisoformat(result.next_attempt_at) - timedelta(seconds=1)
            assert bridge.scrape().results == []
            bridge.later(seconds=1)
    assert [1.3, 2.6, 5.3, 10.6, 20] == pytest.approx(pauses, rel=0.25)
    assert bridge.attempt() == ("failed", 6, None, f"{URL} did not answer")
    assert bridge.later(days=999).scrape().results == []


def test_a_failure_that_asks_for_time_gets_it(bridge: Reading) -> None:
    bridge.web.answers[URL] = Page(status=503, retry_after_s=10_800)
    assert bridge.only().next_attempt_at == "2026-02-13T12:02:10+00:00"
    bridge.later(days=2).web.answers[URL] = no_answer(URL, retry_after_s=14_400)
    assert bridge.only().next_attempt_at == "2026-02-15T13:02:10+00:00"


def test_but_hours_and_not_days(bridge: Reading) -> None:
    bridge.web.answers[URL] = Page(status=503, retry_after_s=604_800)
    assert bridge.only().next_attempt_at == "2026-02-13T15:02:10+00:00"


def not_asked(wait: int | None) -> FetchError:
    return FetchError(f"{URL} was not asked", url=URL, temporary=True, retry_after_s=wait, asked=False)


@pytest.mark.parametrize(("wait", "hour"), [(1800, "09:32"), (604_800, "15:02"), (None, "10:02")])
def test_an_article_that_was_not_asked_keeps_its_tries(bridge: Reading, wait: int | None, hour: str) -> None:
    bridge.web.answers[URL] = not_asked(wait)
    result = bridge.only()
    assert (result.outcome, result.attempts, result.error) == (FAILED, 0, f"{URL} was not asked")
    assert bridge.attempt()[:2] == ("pending", 0)
    assert result.next_attempt_at == f"2026-02-13T{hour}:10+00:00"
    assert bridge.scrape().results == []
    bridge.later(hours=6).web.answers[URL] = no_answer(URL)
    assert bridge.only().attempts == 1
    bridge.later(hours=6).web.answers[URL] = not_asked(wait)
    assert bridge.only().attempts == 1
    assert bridge.attempt()[0] == "failed"


def test_an_article_that_was_read_stays_read_when_it_is_not_asked(bridge: Reading) -> None:
    bridge.web.answers[URL] = story()
    bridge.scrape()
    bridge.later(hours=1).web.answers[URL] = not_asked(60)
    assert bridge.only(rescrape=True).next_attempt_at is None
    assert bridge.attempt() == ("ok", 1, None, f"{URL} was not asked")


@pytest.mark.parametrize(
    ("answer", "words"),
    [(Page(status=401), "wants a login (401)"), (Page(status=402), "wants to be paid first (402)")],
)
def test_a_wall_says_so(bridge: Reading, answer: Page, words: str) -> None:
    bridge.web.answers[URL] = answer
    assert bridge.only().error == words
    assert is_refusal(words)


def test_a_failure_that_mends(bridge: Reading) -> None:
    bridge.web.answers[URL] = no_answer(URL)
    bridge.scrape()
    bridge.later(days=1).web.answers[URL] = story()
    assert bridge.only().outcome == OK
    assert bridge.attempt() == ("ok", 2, None, None)


def test_an_empty_page_is_looked_at_once_more(bridge: Reading) -> None:
    bridge.web.answers[URL] = page("", "")
    assert bridge.only().next_attempt_at == "2026-02-14T09:02:10+00:00"
    assert bridge.later(hours=23).scrape().results == []
    assert bridge.later(hours=1).only().next_attempt_at is None
    assert bridge.attempt() == ("empty", 2, None, "has no article text")
    assert bridge.later(days=999).scrape().results == []


def test_a_page_that_is_empty_and_fails_by_turns_comes_to_an_end(bridge: Reading) -> None:
    for attempt in range(6):
        bridge.web.answers[URL] = page("", "") if attempt % 2 else no_answer(URL)
        assert len(bridge.scrape().results) == 1
        bridge.later(days=2)
    assert bridge.attempt() == ("empty", 6, None, "has no article text")


def test_what_is_gone_is_left_alone(bridge: Reading) -> None:
    bridge.web.answers[URL] = Page(status=410)
    bridge.scrape()
    assert bridge.later(days=999).scrape().results == []


# --- rescrape ---------------------------------------------------------------------------------


@pytest.fixture
def read(bridge: Reading) -> Reading:
    """The article was read a day ago."""
    bridge.web.answers[URL] = story()
    bridge.scrape()
    bridge.later(days=1)
    return bridge


def test_the_same_content_again(read: Reading) -> None:
    before = [
        read.rows(table) for table in ("scraped_articles", "extracted_article_urls", "article_documents")
    ]
    result = read.only(rescrape=True)
    assert (result.outcome, result.new_version) == (OK, False)
    tables = ("scraped_articles", "extracted_article_urls", "article_documents")
    assert [read.rows(table) for table in tables] == before


def test_other_content_is_another_version(read: Reading) -> None:
    read.web.answers[URL] = story(
        *SENTENCES, "Lorries stay banned until a second test of the bridge in spring."
    )
    done = read.scrape(rescrape=True)
    assert done.totals()["new_versions"] == 1
    assert [
        row["scraped_at"][:10] for row in sorted(read.rows("scraped_articles"), key=lambda r: r["scraped_at"])
    ] == [
        "2026-02-13",
        "2026-02-14",
    ]


@pytest.mark.parametrize("answer", [no_answer(URL), Page(status=500), page("", "")])
def test_a_text_that_is_there_stays(read: Reading, answer: Page | Exception) -> None:
    read.web.answers[URL] = answer
    result = read.only(rescrape=True)
    assert result.outcome in (FAILED, EMPTY) and result.next_attempt_at is None
    assert read.attempt() == ("ok", 1, None, result.error)
    assert len(read.rows("scraped_articles")) == 1
    read.web.answers[URL] = story()
    read.scrape(rescrape=True)
    assert read.attempt() == ("ok", 1, None, None)


def test_a_text_that_is_gone_stays_too(read: Reading) -> None:
    read.web.answers[URL] = Page(status=404)
    read.scrape(rescrape=True)
    assert read.attempt() == ("gone", 1, None, "is not there any more (404)")
    assert len(read.rows("scraped_articles")) == 1


def test_what_was_given_up_or_gone_is_visited_too(bridge: Reading) -> None:
    bridge.web.answers[URL] = Page(status=404)
    bridge.scrape()
    bridge.web.answers[URL] = story()
    assert bridge.only(rescrape=True).outcome == OK


# --- many -------------------------------------------------------------------------------------


def many(count: int, host: str = "e.org") -> list[str]:
    return [f"https://{host}/{n}" for n in range(count)]


def test_one_that_fails_stops_no_other(desk: Reading) -> None:
    urls = many(4)
    desk.shows(*urls)
    answers: list[Page | Exception] = [no_answer(urls[0]), story(), page("", ""), Page(status=404)]
    desk.web.answers |= dict(zip(urls, answers, strict=True))
    done = desk.scrape(jobs=1)
    assert done.totals() == {"articles": 4, "ok": 1, "empty": 1, "failed": 1, "gone": 1, "new_versions": 1}
    assert desk.seen == done.results
    assert done.requests == 4 and done.seconds > 0


def test_more_than_one_reader_at_a_time(desk: Reading) -> None:
    """Beyond the first few, articles are read in processes of their own."""
    urls = many(14)
    desk.shows(*urls)
    desk.web.answers |= {url: story(SENTENCES[0], f"{SENTENCES[1]} {url}") for url in urls}
    assert desk.scrape().totals()["new_versions"] == 14
    assert all(row["article_uuid"] for row in desk.rows("scraped_articles"))
    assert len({row["content_sha256"] for row in desk.rows("scraped_articles")}) == 14


def test_a_limit_and_a_time(desk: Reading) -> None:
    desk.shows(*many(3))
    assert len(desk.scrape(limit=2).results) == 2
    assert desk.scrape(since="2026-02-14T00:00:00+00:00").results == []
    assert len(desk.scrape(since="2026-02-13T00:00:00+00:00").results) == 1


def test_nothing_to_do(desk: Reading) -> None:
    assert desk.scrape().totals() == {
        "articles": 0,
        "ok": 0,
        "empty": 0,
        "failed": 0,
        "gone": 0,
        "new_versions": 0,
    }


def test_hosts_take_turns(desk: Reading) -> None:
    desk.shows(*many(3, "a.example"), *many(2, "b.example"), *many(1, "c.example"))
    desk.scrape(jobs=1)
    hosts = [asked.url.split("/")[2][0] for asked in desk.web.asked]
    assert sorted(hosts[:3]) == ["a", "b", "c"]
    assert (sorted(hosts[3:5]), hosts[5:]) == (["a", "b"], ["a"])


def test_an_address_is_fetched_once_however_often_it_is_wanted(bridge: Reading) -> None:
    async def twice() -> list[ScrapeResult]:
        with bridge.open() as db, ArticleParser() as parser:
            async with bridge.web() as getter:
                return await scrape_these(db, getter, parser, scrapes.due(db) * 3)

    bridge.web.answers[URL] = story()
    assert [result.outcome for result in asyncio.run(twice())] == [OK]
    assert bridge.web.times(URL) == 1


def test_an_address_that_another_article_has_is_not_asked_twice(bridge: Reading) -> None:
    """One article's address as shown may be where another one stands."""
    uuid = bridge.row("extracted_article_urls")["article_uuid"]
    todo = [ToScrape(uuid, URL, "https://e.org/b"), ToScrape("A_0000000000000000", "https://e.org/b", URL)]
    with bridge.open() as db:
        scrape(db, bridge.web, Options(), bridge.seen.append, todo)
    assert sorted(asked.url for asked in bridge.web.asked) == ["https://e.org/b", URL]
    assert [row["article_uuid"] for row in bridge.rows("scrape_state")] == [uuid]


# --- the run itself ---------------------------------------------------------------------------


class Stopped(ScanFetcher):
    """Runs something when an address is asked for."""

    def __init__(self, at: str, then: Callable[[], None]) -> None:
        super().__init__()
        self._at, self._then = at, then

    async def get(self, url: str, **options: Any) -> Fetched:
        """The answer, unless this is the one."""
        if url == self._at:
            self._then()
        return await super().get(url, **options)


def killed() -> None:
    raise KeyboardInterrupt


def test_a_run_that_is_killed_keeps_what_it_has_read(desk: Reading) -> None:
    urls = many(5)
    desk.shows(*urls)
    with desk.open() as db:
        last = scrapes.due(db)[-1].article_url_final
    desk.web = Stopped(last, killed)
    desk.web.answers |= {url: story() for url in urls}
    with pytest.raises(KeyboardInterrupt):
        desk.scrape(jobs=1)
    assert len(desk.rows("scraped_articles")) == len(desk.rows("scrape_state")) == 4
    desk.web = ScanFetcher(desk.web.answers)
    assert [result.article_url_final for result in desk.scrape().results] == [last]


# Ends its process at the third call of a function, the way a power cut does.
POWER_CUT = """
import os, sys
from datetime import datetime
from pathlib import Path
from scan_fakes import ScanFetcher
from scrape_pages import story
from digestlog.jobs.scrape import Options, scrape
from digestlog.store import scrapes
from digestlog.store.db import open_database

path, now, name, *urls = sys.argv[1:]
before, calls = getattr(scrapes, name), []
def ends(*args):
    calls.append(args)
    return os._exit(9) if len(calls) == 3 else before(*args)
setattr(scrapes, name, ends)
with open_database(Path(path), now=datetime.fromisoformat(now), frozen=True) as db:
    scrape(db, ScanFetcher({url: story() for url in urls}), Options(jobs=1), print)
"""


@pytest.mark.parametrize("name", ["record", "_is_there", "_write_state", "_complete", "_keep", "_let_count"])
def test_a_power_cut_loses_nothing_and_leaves_nothing_half_done(desk: Reading, name: str) -> None:
    urls = many(5)
    desk.shows(*urls)
    done = subprocess.run(
        [sys.executable, "-c", POWER_CUT, str(desk.path), desk.now.isoformat(), name, *urls],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
    )
    assert done.returncode == 9, done.stderr.decode()
    assert len(desk.rows("scraped_articles")) == len(desk.rows("scrape_state")) == 2
    desk.web.answers |= {url: story() for url in urls}
    assert desk.scrape().totals()["new_versions"] == 3
    with desk.open() as db:
        db.connection.execute(
            "INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)"
        )


def test_a_file_that_fails_ends_the_run(bridge: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*args: Any) -> bool:
        raise LockedFile("the file is locked")

    monkeypatch.setattr(scrapes, "record", locked)
    with pytest.raises(LockedFile, match="the file is locked"):
        bridge.scrape()


def test_an_article_that_moves_meanwhile_is_left_alone(bridge: Reading) -> None:
    def forget() -> None:
        with bridge.open() as db, db.transaction() as connection:
            connection.execute("DELETE FROM extracted_article_urls")

    bridge.web = Stopped(URL, forget)
    bridge.web.answers[URL] = story()
    result = bridge.only()
    assert (result.outcome, result.new_version) == (OK, False)
    assert bridge.rows("scraped_articles") == []


def test_articles_are_always_read_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a small one takes long enough to make the network wait."""
    asked: list[object] = []

    async def elsewhere(self: Parser, body: bytes, read: Callable[..., object], *args: object) -> object:
        asked.append(read)
        return read(body, *args)

    monkeypatch.setattr(Parser, "_elsewhere", elsewhere)
    with ArticleParser() as parser:
        assert asyncio.run(parser.page(b"x", lambda body, more: body + more, b"y")) == b"xy"
    assert len(asked) == 1
