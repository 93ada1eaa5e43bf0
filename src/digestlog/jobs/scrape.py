"""`digestlog scrape`: what the articles of the ledger say.

due -> get (parallel, robots) -> extract (other processes) -> record

Each article's text and state are written in one transaction, as soon as they are there: a run that is
killed loses nothing of what it has read. Only fetching and extracting are parallel; one thread writes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import TypeVar

from digestlog.core import ledger, pages, schedule
from digestlog.core.extract import Extracted, extract
from digestlog.core.model import Fetched
from digestlog.core.moments import to_iso
from digestlog.core.refusals import WALLS
from digestlog.core.text import clean
from digestlog.errors import FetchError, ParseError
from digestlog.jobs import crew
from digestlog.jobs.collect import Getter
from digestlog.jobs.parsing import Parser
from digestlog.store import scrapes
from digestlog.store.db import Database
from digestlog.store.scrapes import EMPTY, FAILED, GONE, OK, PENDING, ScrapeState, ToScrape

JOBS = 32
MAX_ATTEMPTS = 6
# The tries are spread over almost two days: the pauses begin where those of a source are after three.
_PATIENCE = 3
_EMPTY_AGAIN = timedelta(days=1)
# One page that wants a week of quiet must not silence its whole site for a week.
_LONGEST_PAUSE = timedelta(hours=6)
_NOT_ASKED_AGAIN = timedelta(hours=1)
_OUTCOMES = (OK, EMPTY, FAILED, GONE)

T = TypeVar("T")
Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asked of one run; `since` is a stored time."""

    limit: int | None = None
    since: str | None = None
    rescrape: bool = False
    jobs: int = JOBS


@dataclass(frozen=True, slots=True)
class Reading:
    """What one visit to an article's page gave, or why it gave nothing.

    `url` is the address that was reached in the end. Not `asked`: nothing was sent to the page.
    """

    outcome: str
    found: Extracted | None = None
    http_status: int | None = None
    error: str | None = None
    retry_after_s: int | None = None
    url: str | None = None
    asked: bool = True


@dataclass(frozen=True, slots=True)
class ScrapeResult:
    """What became of one article."""

    article_uuid: str
    article_url_final: str
    outcome: str
    http_status: int | None = None
    title: str | None = None
    chars: int = 0
    new_version: bool = False
    attempts: int = 1
    next_attempt_at: str | None = None
    error: str | None = None
    reached_url: str | None = None


Report = Callable[[ScrapeResult], None]


@dataclass(slots=True)
class Scrape:
    """What a whole run read."""

    results: list[ScrapeResult] = field(default_factory=list)
    requests: int = 0
    seconds: float = 0.0

    def totals(self) -> dict[str, int]:
        """How many articles, by what became of them."""
        outcomes = Counter(result.outcome for result in self.results)
        return {
            "articles": len(self.results),
            **{outcome: outcomes[outcome] for outcome in _OUTCOMES},
            "new_versions": sum(result.new_version for result in self.results),
        }


class ArticleParser(Parser):
    """Reads articles in a thread or another process, whatever their size: each takes tens of milliseconds."""

    async def page(self, body: bytes, read: Callable[..., T], *args: object) -> T:
        """What `read(body, *args)` makes of a page; ParseError if reading it fails."""
        return await self._elsewhere(body, read, *args)


def chosen(db: Database, options: Options) -> list[ToScrape]:
    """The articles that a run with these options reads."""
    return scrapes.due(db, since=options.since, limit=options.limit, rescrape=options.rescrape)


def scrape(
    db: Database,
    fetchers: Fetchers,
    options: Options,
    report: Report,
    todo: Sequence[ToScrape] | None = None,
) -> Scrape:
    """Read the articles and store what they say; each result is reported once it is stored."""
    started = monotonic()
    done = asyncio.run(_scrape(db, fetchers, options, report, chosen(db, options) if todo is None else todo))
    done.seconds = monotonic() - started
    return done


async def _scrape(
    db: Database, fetchers: Fetchers, options: Options, report: Report, todo: Sequence[ToScrape]
) -> Scrape:
    with ArticleParser() as parser:
        async with fetchers() as getter:
            results = await scrape_these(db, getter, parser, todo, report, jobs=options.jobs)
            return Scrape(results, getter.requests)


async def scrape_these(
    db: Database,
    getter: Getter,
    parser: Parser,
    articles: Sequence[ToScrape],
    report: Report | None = None,
    *,
    jobs: int = JOBS,
) -> list[ScrapeResult]:
    """Read these articles, each address once, and store what they say; results in the order they came."""
    once = {article.article_url_final: article for article in articles}
    todo = schedule.spread(once.values(), lambda article: article.article_url_final)
    results: list[ScrapeResult] = []
    taken = {article.article_url_final for article in todo}

    async def read(article: ToScrape) -> None:
        result = _write(db, article, await _visit(getter, parser, article, taken))
        results.append(result)
        if report is not None:
            report(result)

    await crew.each(todo, read, jobs=jobs)
    return results


async def read_article(getter: Getter, parser: Parser, url: str, *, allow_private: bool = False) -> Reading:
    """Fetch a page and read its article; whatever goes wrong on the way is in the result."""
    try:
        page = await getter.get(url, allow_private=allow_private, obey_robots=True)
        return replace(await _judge(parser, url, page), url=page.url)
    except FetchError as error:
        words, wait = clean(error.message), error.retry_after_s
        return Reading(FAILED, error=words, retry_after_s=wait, asked=error.asked)
    except ParseError as error:
        return Reading(FAILED, http_status=page.status, error=clean(error.message))


async def _visit(getter: Getter, parser: Parser, article: ToScrape, taken: set[str]) -> Reading:
    """Read an article at its final address; where nothing is there, at the one that its source showed.

    A parameter that counts as tracking may be what its site finds the article by.
    """
    reading = await read_article(
        getter, parser, article.article_url_final, allow_private=article.allow_private
    )
    original = article.article_url_original
    if reading.outcome != GONE or original in taken:
        return reading
    taken.add(original)
    second = await read_article(getter, parser, original, allow_private=article.allow_private)
    return second if second.outcome == OK else reading


async def _judge(parser: Parser, url: str, page: Fetched) -> Reading:
    status = page.status
    if status in (404, 410):
        return Reading(GONE, http_status=status, error=f"is not there any more ({status})")
    if not 200 <= status < 300:
        return Reading(FAILED, None, status, WALLS.get(status, f"answered {status}"), page.retry_after_s)
    wall = ledger.wall(url, page.url) if page.hops else None
    if wall is not None:
        return Reading(FAILED, http_status=status, error=wall)
    if not pages.is_html(page.body, page.content_type):
        return Reading(EMPTY, http_status=status, error=f"is not a web page{_kind(page)}")
    found = await parser.page(page.body, extract, page.url, page.charset)
    if found.text is None:
        return Reading(EMPTY, http_status=status, error="has no article text")
    return Reading(OK, found, status)


def _kind(page: Fetched) -> str:
    label = clean((page.content_type or "").partition(";")[0])
    return f" but {label[:60]}" if label and label != "text/html" else ""


def _write(db: Database, article: ToScrape, reading: Reading) -> ScrapeResult:
    state = _state_after(db.now, article, reading)
    new = scrapes.record(db, article.article_uuid, state, reading.found, reading.http_status)
    found = reading.found or Extracted()
    return ScrapeResult(
        article_uuid=article.article_uuid,
        article_url_final=article.article_url_final,
        outcome=reading.outcome,
        http_status=reading.http_status,
        title=found.title,
        chars=len(found.text or ""),
        new_version=new,
        attempts=state.attempts,
        next_attempt_at=to_iso(state.next_attempt_at) if state.next_attempt_at else None,
        error=reading.error,
        reached_url=reading.url,
    )


def _state_after(now: datetime, article: ToScrape, reading: Reading) -> ScrapeState:
    """How far an article has come; one that has a text stays read, unless it is gone."""
    had_text = article.status == OK
    if not reading.asked:
        return _as_before(now, article, reading)
    attempts = 1 if had_text else article.attempts + 1
    if reading.outcome in (OK, GONE):
        return ScrapeState(reading.outcome, attempts, None, reading.error)
    if had_text:
        return ScrapeState(OK, article.attempts, None, reading.error)
    again = None
    if attempts < MAX_ATTEMPTS and reading.outcome == FAILED:
        wait = _bounded(reading.retry_after_s)
        again = schedule.after_failure(now, attempts + _PATIENCE, article.article_uuid, wait)
    elif attempts < MAX_ATTEMPTS and article.status != EMPTY:
        again = now + _EMPTY_AGAIN
    return ScrapeState(reading.outcome, attempts, again, reading.error)


def _as_before(now: datetime, article: ToScrape, reading: Reading) -> ScrapeState:
    """An article that was not asked has lost no try; it is only later that it is asked."""
    waits = article.status in (PENDING, EMPTY, FAILED) and article.attempts < MAX_ATTEMPTS
    pause = timedelta(seconds=_bounded(reading.retry_after_s) or _NOT_ASKED_AGAIN.total_seconds())
    return ScrapeState(article.status, article.attempts, now + pause if waits else None, reading.error)


def _bounded(retry_after_s: int | None) -> int | None:
    return retry_after_s and min(retry_after_s, int(_LONGEST_PAUSE.total_seconds()))
