"""`digestlog scan`: what was published since the last look.

due -> visit (parallel) -> sift by the window -> known? -> resolve (parallel) -> identify -> record

Each source's articles, its result and what its next visit needs are written in one transaction, as
soon as they are there. Only fetching is parallel; one thread writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from time import monotonic

from digestlog.core import ledger, schedule
from digestlog.core.article_page import read_article_page
from digestlog.core.ledger import Candidate, LeftOut, NewArticle, Resolution
from digestlog.core.model import DIRECT, Fetched
from digestlog.core.moments import from_iso, to_iso
from digestlog.errors import FetchError, IdentityCollision, ParseError
from digestlog.jobs.collect import FAILED, GONE, NOT_MODIFIED, OK, UNCHANGED, Getter, Remembered, Visit, visit
from digestlog.jobs.parsing import Parser
from digestlog.store import ledger as store
from digestlog.store import resolutions, scans, sources
from digestlog.store.db import Database
from digestlog.store.resolutions import Unresolved
from digestlog.store.scans import Due, FetchState, SourceResult

JOBS = 32
# So many undated articles of a page without a feed are looked at themselves, in one visit.
_PAGES_LOOKED_AT = 50
_COUNTED = ("entries", "new", "known", "outside_window", "undated")

Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]
Report = Callable[[SourceResult], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asked of one scan; `window` None: everything that the sources still show."""

    window: timedelta | None = ledger.WINDOW
    everything: bool = False
    only: tuple[str, ...] = ()
    shard: tuple[int, int] = (1, 1)
    jobs: int = JOBS
    dry_run: bool = False


@dataclass(slots=True)
class Scan:
    """What a whole run found."""

    run_id: str | None
    results: list[SourceResult] = field(default_factory=list)
    settled: int = 0
    requests: int = 0
    seconds: float = 0.0

    def totals(self) -> dict[str, int]:
        """The sums over all sources."""
        sums = {name: sum(getattr(r, name) for r in self.results) for name in _COUNTED}
        outcomes = [result.outcome for result in self.results]
        failed = sum(outcomes.count(outcome) for outcome in (FAILED, GONE))
        not_modified = sum(outcomes.count(outcome) for outcome in (NOT_MODIFIED, UNCHANGED))
        return {
            "sources": len(outcomes),
            "ok": len(outcomes) - failed - not_modified,
            "failed": failed,
            "not_modified": not_modified,
            **sums,
            "requests": self.requests,
        }


def chosen(db: Database, options: Options) -> list[Due]:
    """The sources that a scan with these options visits."""
    found = scans.due(db, everything=options.everything or bool(options.only))
    if options.only:
        found = [due for due in found if due.source.source_uuid in options.only]
    return [due for due in found if schedule.in_shard(due.source.source_uuid, *options.shard)]


def scan(db: Database, fetcher: Fetchers, options: Options, todo: Sequence[Due], report: Report) -> Scan:
    """Visit the sources and record what is new; each result is reported once it is stored."""
    window_s = None if options.window is None else int(options.window.total_seconds())
    run_id = None if options.dry_run else scans.begin(db, sources=len(todo), window_s=window_s)
    done = Scan(run_id)
    started = monotonic()
    asyncio.run(_scan(db, fetcher, options, todo, report, done))
    done.seconds = monotonic() - started
    if run_id is not None:
        totals = done.totals()
        del totals["sources"], totals["ok"]
        scans.finish(db, run_id, {**totals, "duration_ms": int(done.seconds * 1000)})
    return done


async def _scan(
    db: Database, fetcher: Fetchers, options: Options, todo: Sequence[Due], report: Report, done: Scan
) -> None:
    with Parser() as parser:
        async with fetcher() as getter:
            run = _Run(db, getter, parser, options, done.run_id)
            unanswered = [] if options.dry_run else resolutions.unresolved(db)
            waiting = iter(todo)

            async def work(queue: Iterator[Due]) -> None:
                for due in queue:  # shared by all workers: each takes the next
                    result = await run.source(due)
                    done.results.append(result)
                    report(result)

            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(options.jobs, len(todo))):
                        group.create_task(work(waiting))
            except ExceptionGroup as failed:
                raise failed.exceptions[0] from None  # the file itself: all of them say the same
            # Last, so that an address that hangs or wants to be left alone holds up no source.
            done.settled = await run.settle(unanswered)
            done.requests = getter.requests


class _Run:
    """One scan under way."""

    def __init__(
        self, db: Database, getter: Getter, parser: Parser, options: Options, run_id: str | None
    ) -> None:
        self._db = db
        self._getter = getter
        self._parser = parser
        self._options = options
        self._run_id = run_id
        # An address that several sources show is asked for once.
        self._asked: dict[tuple[str, bool], asyncio.Task[Resolution]] = {}
        # What a dry run would have inserted so far, under every id that it may be found by.
        self._planned: set[str] = set()

    async def source(self, due: Due) -> SourceResult:
        """Visit one source and write down what came of it."""
        started = monotonic()
        start = self._start(due)
        found = await visit(self._getter, self._parser, due.source, _remembered(due, start))
        reading = await self._read(due, found, start)
        elapsed_ms = int((monotonic() - started) * 1000)
        try:
            return self._write(due, found, reading, start, elapsed_ms)
        except IdentityCollision as error:
            failed = Visit(FAILED, http_status=found.http_status, error=error.message)
            return self._write(due, failed, _Reading(), start, elapsed_ms)

    async def settle(self, unanswered: Sequence[Unresolved]) -> int:
        """Ask again where the addresses lead that gave no answer so far; how many did now."""
        hosts: dict[str, list[Unresolved]] = {}
        for waiting in unanswered:
            hosts.setdefault(waiting.article_url_original.partition("://")[2].partition("/")[0], []).append(
                waiting
            )
        return sum(await asyncio.gather(*map(self._settle_host, hosts.values())))

    async def _settle_host(self, waiting: Sequence[Unresolved]) -> int:
        """Ask for the addresses of one host, until it gives no answer again: the rest would wait as long."""
        settled = 0
        for address in waiting:
            answer = await self._resolution(address.article_url_original, address.allow_private)
            article = ledger.identified(_bare(address.article_url_original), answer)
            if isinstance(article, NewArticle):
                resolutions.settle(self._db, address, article.address, article.resolution)
            if answer.status == ledger.UNRESOLVED:
                break
            settled += answer.status == ledger.RESOLVED
        return settled

    def _start(self, due: Due) -> datetime | None:
        last = due.source.last_success_at
        return ledger.window_start(self._db.now, self._options.window, from_iso(last) if last else None)

    async def _read(self, due: Due, found: Visit, start: datetime | None) -> _Reading:
        """Sift a visit's candidates, and find out where the unknown ones lead."""
        sifted = ledger.sift(found.candidates, start)
        shown = [*sifted.within, *sifted.outside]
        known = store.known(self._db, due.source.source_uuid, [c.url for c in shown])
        fresh = [candidate for candidate in sifted.within if candidate.url not in known]
        left_out = [ledger.too_old(candidate) for candidate in sifted.outside if candidate.url not in known]
        articles: list[NewArticle] = []
        for outcome in await self._identified(due, fresh, start):
            (left_out if isinstance(outcome, LeftOut) else articles).append(outcome)  # type: ignore[arg-type]
        seen = tuple(candidate for candidate in shown if candidate.url in known)
        return _Reading(tuple(articles), seen, tuple(left_out))

    async def _identified(
        self, due: Due, fresh: Sequence[Candidate], start: datetime | None
    ) -> list[NewArticle | LeftOut]:
        remembered: dict[str, LeftOut] = {}
        to_look_at: dict[str, None] = {}
        if due.source.url_scraping_method == DIRECT:
            remembered = scans.left_out(self._db, due.source.source_uuid)
            remembered = {
                url: left for url, left in remembered.items() if ledger.is_before(left.published_at, start)
            }
            to_look_at = {c.url: None for c in fresh if c.published_at is None and c.url not in remembered}
        looked_at = set(islice(to_look_at, _PAGES_LOOKED_AT))

        async def one(candidate: Candidate) -> NewArticle | LeftOut:
            bare = ledger.identified(candidate, Resolution(ledger.UNRESOLVED))
            if isinstance(bare, LeftOut):  # no request for what can have no identity
                return bare
            if candidate.published_at is None and candidate.url in remembered:
                return remembered[candidate.url]
            if candidate.url in looked_at:
                return await self._look_at(due, candidate, start)
            if candidate.url in to_look_at:
                return LeftOut(candidate.url, ledger.LATER)
            resolution = await self._resolution(candidate.url, due.source.allow_private)
            return ledger.identified(candidate, resolution)

        return list(await asyncio.gather(*map(one, fresh)))

    async def _look_at(self, due: Due, candidate: Candidate, start: datetime | None) -> NewArticle | LeftOut:
        """Learn an article's date, and where it leads, from its own page."""
        try:
            page = await self._getter.get(
                candidate.url, allow_private=due.source.allow_private, obey_robots=True
            )
        except FetchError as error:
            return ledger.identified(candidate, ledger.unanswered(error))
        resolution = ledger.resolution_of(candidate.url, page)
        if resolution.status == ledger.RESOLVED:  # a login's date is not the article's
            candidate = await self._dated(candidate, page)
        if ledger.is_before(candidate.published_at, start):
            return ledger.too_old(candidate)
        return ledger.identified(candidate, resolution)

    async def _dated(self, candidate: Candidate, page: Fetched) -> Candidate:
        """The candidate with the date, and if need be the title, of the article's own page."""
        if page.status != 200:
            return candidate
        try:
            found = await self._parser.page(page.body, read_article_page, page.url, page.charset)
        except ParseError:
            return candidate
        return replace(
            candidate,
            title=candidate.title or found.title,
            published_at=found.published_at,
            published_raw=found.published_raw,
            date_from=f"article page: {found.date_from}" if found.published_at else None,
        )

    async def _resolution(self, url: str, allow_private: bool) -> Resolution:
        key = (url, allow_private)
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(self._resolve(url, allow_private))
        return await self._asked[key]

    async def _resolve(self, url: str, allow_private: bool) -> Resolution:
        try:
            return ledger.resolution_of(url, await self._getter.resolve(url, allow_private=allow_private))
        except FetchError as error:
            return ledger.unanswered(error)

    def _write(
        self, due: Due, found: Visit, reading: _Reading, start: datetime | None, duration_ms: int
    ) -> SourceResult:
        """One transaction: the articles, the result, the state of the source."""
        state = _state_after(self._db.now, due, found, start, is_whole=reading.is_whole)
        try:
            with self._db.transaction() as connection:
                source, error = due.source, found.error
                if found.moved_to is not None:
                    other = sources.move(connection, source.source_uuid, found.moved_to)
                    if other is None:
                        source = replace(source, source_url=found.moved_to)
                    else:
                        error = f"has moved to {found.moved_to}, which {other} follows already"
                if found.outcome == GONE:
                    sources.retire(connection, source.source_uuid, "gone for good (410)")
                done = store.record(self._db, connection, source, reading.articles, reading.seen)
                new = [address for address in done.new if address.article_uuid not in self._planned]
                result = SourceResult(
                    source_uuid=source.source_uuid,
                    source_name=source.source_name,
                    source_url=source.source_url,
                    outcome=found.outcome,
                    http_status=found.http_status,
                    entries=len(found.candidates),
                    new=len(new),
                    known=done.known + len(done.new) - len(new),
                    outside_window=sum(1 for left in reading.left_out if left.reason == ledger.OUTSIDE),
                    undated=reading.undated,
                    duration_ms=duration_ms,
                    lane=found.lane,
                    moved_to=found.moved_to,
                    next_scan_at=to_iso(state.next_scan_at) if state.next_scan_at else None,
                    error=error,
                )
                if self._run_id is None:
                    self._planned.update(*(store.variant_ids(address.final) for address in new))
                    raise _DryRun
                left_out = reading.left_out if found.outcome == OK else None
                scans.record(self._db, connection, self._run_id, result, state, left_out)
        except _DryRun:
            pass
        return result


class _DryRun(Exception):
    """Takes back what a dry run has written."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one visit means for the ledger."""

    articles: tuple[NewArticle, ...] = ()
    seen: tuple[Candidate, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def is_whole(self) -> bool:
        """False if some candidates are still to be looked at by the next scan."""
        return all(left.reason != ledger.LATER for left in self.left_out)

    @property
    def undated(self) -> int:
        """How many of those for the ledger have no date, also after a look at them."""
        shown = (*(article.candidate for article in self.articles), *self.seen)
        return sum(1 for candidate in shown if candidate.published_at is None)


def _remembered(due: Due, start: datetime | None) -> Remembered:
    """What the last visit left behind, unless it did not look as far back as this one wants to."""
    if not ledger.covers(from_iso(due.read_since) if due.read_since else None, start):
        return Remembered()
    return Remembered(due.etag, due.last_modified, due.body_sha256)


def _state_after(
    now: datetime, due: Due, found: Visit, start: datetime | None, *, is_whole: bool
) -> FetchState:
    """What the next visit needs to know after this one."""
    if found.outcome in (FAILED, GONE):
        failures = due.source.consecutive_failures + 1
        return FetchState(
            etag=due.etag,
            last_modified=due.last_modified,
            body_sha256=due.body_sha256,
            min_interval_s=due.min_interval_s,
            read_since=due.read_since,
            next_scan_at=schedule.after_failure(now, failures, due.source.source_uuid, found.retry_after_s),
            consecutive_failures=failures,
            last_error=found.error,
            succeeded=False,
        )
    read_anew = found.outcome == OK
    # A source that shows nothing any more may be under repair: what it shows tomorrow counts from its last
    # success on, and what it said today is no reason not to read it again.
    nothing = read_anew and not found.candidates and due.source.last_success_at is not None
    left = found.remembered if is_whole and not nothing else Remembered()
    min_interval_s = found.min_interval_s if read_anew else due.min_interval_s
    return FetchState(
        etag=left.etag,
        last_modified=left.last_modified,
        body_sha256=left.body_sha256,
        min_interval_s=min_interval_s,
        read_since=to_iso(start or ledger.EVER) if read_anew else due.read_since,
        next_scan_at=schedule.after_success(now, min_interval_s, found.max_age_s),
        consecutive_failures=0,
        last_error=None,
        succeeded=not nothing,
    )


def _bare(url: str) -> Candidate:
    return Candidate(url, None, None, None, None, "")
