"""`digestlog library check`: one look at each watched page that is due, for all who watch it.

due -> get (parallel, conditional, robots) -> examine (other processes) -> words, picture -> record

Each look is written in one transaction with all that follows from it, as soon as it is there: a run that is
killed loses nothing of what it wrote, and the next one goes on. Only looking is parallel; one thread writes.
A look that was compared with what is not the last look any more, because another run was faster, is dropped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import monotonic
from typing import Protocol

from digestlog.core import schedule
from digestlog.core.changes import VOLATILE
from digestlog.core.checkable import Verdict
from digestlog.core.digest import Piece, Summariser
from digestlog.core.looks import (
    CHALLENGE,
    EMPTY,
    FAILED,
    NOT_MODIFIED,
    OK,
    Read,
    Shot,
    Told,
    examine,
    outcome_of,
    stood,
)
from digestlog.core.model import Fetched
from digestlog.core.sources import host_of
from digestlog.core.text import clean
from digestlog.errors import ClassifierError, FetchError, ParseError
from digestlog.jobs import crew
from digestlog.jobs.collect import Getter
from digestlog.jobs.parsing import Parser
from digestlog.jobs.scrape import ArticleParser, Fetchers
from digestlog.store import observations
from digestlog.store.db import Database
from digestlog.store.observations import Look, Recorded, State, ToCheck

JOBS = 32
# A look that another run overtook is tried again; after so many times others have looked often enough.
_TRIES = 3
_SUMMARY_CHARS = 200
_OUTCOMES = (OK, NOT_MODIFIED, EMPTY, CHALLENGE, FAILED)


class Camera(Protocol):
    """Takes pictures of pages; whatever goes wrong is in the result."""

    async def shoot(self, url: str, *, allow_private: bool = False) -> Shot:
        """A picture of the page."""


Cameras = Callable[[], AbstractAsyncContextManager[Camera]]


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asked of one run; `user_id`: only the pages of that user."""

    everything: bool = False
    limit: int | None = None
    only: tuple[str, ...] | None = None
    user_id: str | None = None
    jobs: int = JOBS
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Helpers:
    """What may help: a model that words changes, a camera that takes pictures."""

    summariser: Summariser | None = None
    cameras: Cameras | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One change that a look found."""

    event_id: str
    kind: str
    state: str
    magnitude: float
    summary: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one look."""

    url_id: str
    url: str
    outcome: str
    http_status: int | None
    is_baseline: bool
    changes: tuple[Found, ...]
    observation_id: str
    next_check_at: str
    error: str | None = None


Report = Callable[[CheckResult], None]


@dataclass(slots=True)
class Checked:
    """What a whole run saw; `notes` says what it could not do, in words."""

    results: list[CheckResult] = field(default_factory=list)
    requests: int = 0
    seconds: float = 0.0
    overtaken: int = 0
    notes: list[str] = field(default_factory=list)

    def totals(self) -> dict[str, int]:
        """How many pages by what came of them, and how many changes by their state."""
        outcomes = Counter(result.outcome for result in self.results)
        states = Counter(found.state for result in self.results for found in result.changes)
        return {
            "pages": len(self.results),
            **{outcome: outcomes[outcome] for outcome in _OUTCOMES},
            "baselines": sum(result.is_baseline for result in self.results),
            "changed": sum(is_changed(result) for result in self.results),
            **{state: states[state] for state in ("real", "provisional", "volatile")},
            "overtaken": self.overtaken,
        }


def is_changed(result: CheckResult) -> bool:
    """True if something happened that a reader would want to know."""
    return any(found.state != VOLATILE for found in result.changes)


def chosen(db: Database, options: Options) -> list[ToCheck]:
    """The pages that a run with these options looks at."""
    return observations.due(
        db,
        everything=options.everything,
        limit=options.limit,
        only=options.only,
        user_id=options.user_id,
    )


def check(
    db: Database,
    fetchers: Fetchers,
    options: Options,
    report: Report,
    todo: Sequence[ToCheck] | None = None,
    helpers: Helpers | None = None,
) -> Checked:
    """Look at the pages and store what came of it; each result is reported once it is stored."""
    started = monotonic()
    pages = chosen(db, options) if todo is None else todo
    done = asyncio.run(_check(db, fetchers, options, report, pages, helpers or Helpers()))
    done.seconds = monotonic() - started
    return done


async def _check(
    db: Database,
    fetchers: Fetchers,
    options: Options,
    report: Report,
    todo: Sequence[ToCheck],
    helpers: Helpers,
) -> Checked:
    camera = helpers.cameras() if helpers.cameras and todo else nullcontext(None)
    with ArticleParser() as parser:
        async with fetchers() as getter, camera as lens:
            looking = _Looking(db, getter, parser, options, report, helpers.summariser, lens)
            await crew.each(schedule.spread(todo, lambda page: page.url), looking.look, jobs=options.jobs)
            looking.done.requests = getter.requests
            return looking.done


@dataclass(slots=True)
class _Looking:
    """One run at work."""

    db: Database
    getter: Getter
    parser: Parser
    options: Options
    report: Report
    summariser: Summariser | None
    camera: Camera | None
    done: Checked = field(default_factory=Checked)

    async def look(self, page: ToCheck) -> None:
        """Look at one page, write it down, report it; or leave it to the run that was faster."""
        for _ in range(_TRIES):
            state = observations.state(self.db, page)
            if state is None:
                break
            look = await self._adorned(page, await self._seen(page, state))
            recorded = observations.record(self.db, page, state, look)
            if recorded is not None:
                result = _result(page, look, recorded)
                self.done.results.append(result)
                self.report(result)
                return
        self.done.overtaken += 1

    async def _seen(self, page: ToCheck, state: State) -> Look:
        """What the page is now; whatever goes wrong on the way is in the look."""
        # Validators only where "as it was" says something: not where it must be read anew and was not kept.
        comparable = state.content_sha256 is not None and (state.has_body or not state.is_outdated)
        etag, last_modified = (state.etag, state.last_modified) if comparable else (None, None)
        try:
            answer = await self.getter.get(
                page.url,
                allow_private=page.allow_private,
                etag=etag,
                last_modified=last_modified,
                obey_robots=True,
            )
        except FetchError as error:
            return Look(FAILED, error=clean(error.message), retry_after_s=error.retry_after_s)
        body_sha256 = sha256(answer.body).hexdigest()
        is_there = 200 <= answer.status < 300
        said_so = answer.status == 304 and bool(etag or last_modified)
        if said_so or (comparable and is_there and body_sha256 == state.body_sha256):
            return self._unchanged(page, state, answer)
        if not is_there and answer.status < 400:
            return _failed(answer, Verdict(FAILED, f"the server answered {answer.status}"))
        return await self._examined(page, state, answer, body_sha256)

    def _unchanged(self, page: ToCheck, state: State, answer: Fetched) -> Look:
        read = stood(observations.known(self.db, page, state), page.url, self.options.language)
        size = None if answer.status == 304 else len(answer.body)
        return _look(NOT_MODIFIED, answer, read, body_bytes=size)

    async def _examined(self, page: ToCheck, state: State, answer: Fetched, body_sha256: str) -> Look:
        known = observations.known(self.db, page, state)
        bare = replace(answer, body=b"")
        try:
            found = await self.parser.page(answer.body, examine, bare, known, self.options.language)
        except ParseError as error:
            return _failed(answer, Verdict(FAILED, error.message))
        if isinstance(found, Verdict):
            return _failed(answer, found)
        look = _look(OK, answer, found, body_bytes=len(answer.body))
        return replace(
            look, body_sha256=body_sha256, body_url=clean(answer.url), body_charset=clean(answer.charset)
        )

    async def _adorned(self, page: ToCheck, look: Look) -> Look:
        """The look with a model's words and a picture, where these are wanted and can be had."""
        read = look.read
        if read is None or not (read.changed or read.is_baseline):
            return look
        if self.summariser is not None and read.changed:
            told = [await self._worded(self.summariser, page, read, one) for one in read.told]
            look = replace(look, read=replace(read, told=tuple(told)))
        if self.camera is not None:
            shot = await self.camera.shoot(look.body_url or page.url, allow_private=page.allow_private)
            self._note(f"no picture: {shot.note}" if shot.note else None)
            look = replace(look, screenshot=shot.image)
        return look

    async def _worded(self, model: Summariser, page: ToCheck, read: Read, told: Told) -> Told:
        """The change in a model's words; in the extract's, where it is noise or the model cannot."""
        change = told.change
        if change.state == VOLATILE:
            return told
        text = f"Before:\n{change.before or '(nothing)'}\n\nNow:\n{change.after or '(nothing)'}"
        piece = Piece(None, page.url, page.url_id, read.title, text, host_of(page.url))
        try:
            summary = await model.summarize(piece, max_chars=_SUMMARY_CHARS)
        except ClassifierError as error:
            self._note(f"{model.name} could not word a change: {error.message}")
            return told
        return replace(told, summary=clean(summary) or told.summary, method=model.name)

    def _note(self, words: str | None) -> None:
        """Say it once: forty pages may fail in the same way."""
        if words is not None and words not in self.done.notes:
            self.done.notes.append(words)


def _look(outcome: str, answer: Fetched, read: Read, *, body_bytes: int | None) -> Look:
    return Look(
        outcome,
        answer.status,
        read=read,
        body_bytes=body_bytes,
        etag=answer.etag,
        last_modified=answer.last_modified,
        max_age_s=answer.max_age_s,
    )


def _failed(answer: Fetched, verdict: Verdict) -> Look:
    error = clean(verdict.words) or "the page cannot be read"
    size = len(answer.body)
    return Look(
        outcome_of(verdict), answer.status, error, body_bytes=size, retry_after_s=answer.retry_after_s
    )


def _result(page: ToCheck, look: Look, recorded: Recorded) -> CheckResult:
    told = look.read.told if look.read else ()
    changes = (
        Found(event_id, one.change.kind, one.change.state, one.change.magnitude, one.summary)
        for event_id, one in zip(recorded.event_ids, told, strict=True)
    )
    return CheckResult(
        page.url_id,
        page.url,
        look.outcome,
        look.http_status,
        bool(look.read and look.read.is_baseline),
        tuple(changes),
        recorded.observation_id,
        recorded.next_check_at,
        look.error,
    )
