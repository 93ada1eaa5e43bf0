"""`digestlog library add`: from an address to a watched page, in the six steps of the library's contract.

1 record (pending, kept at once)
2 identity -> canonical_url
3 evaluate (rules) -> look (preflight, parallel) -> a decision, always written down
4 blocked | needs_review | go on
5 the page, once for all: approved_linked_existing | approved_created_global
6 the user's place in front of it

Steps 3 to 6 of an address are written in one transaction, in the order in which they were asked for. What
a killed run left pending is finished by the next one, with the wishes that were stored with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from digestlog.core import canonical, checkable, library, preflight
from digestlog.core.library import BLOCKED, CREATED, LINKED, Identity, Wish
from digestlog.core.model import Fetched
from digestlog.core.policy import ALLOW, BLOCK, Decision
from digestlog.core.snapshot import read_page
from digestlog.errors import DigestlogError, LibraryError, UrlCapExceeded
from digestlog.jobs.collect import Getter
from digestlog.jobs.parsing import Parser
from digestlog.store import library as store
from digestlog.store import submissions, users
from digestlog.store.db import Database
from digestlog.store.submissions import Submission

_AT_ONCE = 16

Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]
Evaluate = Callable[[str], Decision]


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of one address. `leftover`: it was asked for in an earlier run; `unheeded`: a page that
    others watch is checked as before, whatever was wished."""

    submission_id: str
    submitted_url: str
    canonical_url: str | None
    status: str
    decision: str
    reason_code: str | None
    pattern: str | None
    reason: str
    url_id: str | None = None
    leftover: bool = False
    unheeded: bool = False

    @property
    def watched(self) -> bool:
        """True if the user watches the page now by this submission."""
        return self.status in (LINKED, CREATED)

    @property
    def unseen(self) -> bool:
        """True if the page is watched although it could not be looked at yet."""
        return self.watched and self.reason.startswith(library.NOT_YET)

    @property
    def error(self) -> LibraryError | None:
        """Why the user does not get what was asked for; watching it already is no such reason."""
        if self.status != BLOCKED or self.reason_code == library.DUPLICATE:
            return None
        message = f"{library.brief(self.submitted_url)} is not watched: {self.reason}"
        if self.pattern == library.CAP:
            return UrlCapExceeded(message, library.CAP_HINT)
        if self.pattern == library.PRIVATE:
            return LibraryError(message, "if this is your own network, an admin may say --allow-private")
        return LibraryError(message, f"reason code: {self.reason_code}")


Report = Callable[[Submitted], None]


def submit(
    db: Database,
    fetchers: Fetchers,
    evaluate: Evaluate,
    user_id: str,
    urls: Sequence[str],
    wish: Wish,
    report: Report | None = None,
) -> list[Submitted]:
    """Take every address through all steps, then what earlier runs left; one never stops the others."""
    if wish.allow_private and not users.is_admin(db, user_id):
        raise LibraryError("only an admin may watch pages in a private network", "leave out --allow-private")
    recorded = submissions.record(db, user_id, [library.storable(url) for url in urls], wish)
    return asyncio.run(_Run(db, evaluate, user_id, report).all(fetchers, recorded))


def approve(db: Database, admin_id: str, submission: Submission) -> Submitted:
    """Steps 5 and 6 for a submission that waited; UrlCapExceeded, and it waits on, if the plan is full."""
    page = library.identity(submission.submitted_url)
    assert page is not None  # noqa: S101 - what has no identity is blocked and never waits
    decision = Decision(ALLOW, None, page.hostname, None, f"approved by {users.name_of(db, admin_id)}")
    with db.transaction() as connection:
        _refuse_decided(db, submission)
        placed = submissions.place(db, connection, submission.user_id, page, _allowed(db, submission))
        submissions.decide(db, connection, submission.id, decision, admin_id)
        submissions.settle(connection, submission.id, placed.status, page.canonical_url, placed.url_id)
    return _submitted(submissions.get(db, submission.id))


def block(db: Database, admin_id: str, submission: Submission, reason_code: str, words: str) -> Submitted:
    """Refuse a submission that waited."""
    hostname = (submission.evidence or {}).get("hostname") or ""
    with db.transaction() as connection:
        _refuse_decided(db, submission)
        decision = Decision(BLOCK, reason_code, hostname, None, words)
        submissions.decide(db, connection, submission.id, decision, admin_id)
        submissions.settle(connection, submission.id, BLOCKED, submission.canonical_url)
    return _submitted(submissions.get(db, submission.id))


def _refuse_decided(db: Database, submission: Submission) -> None:
    """Inside the transaction: another admin may have been faster."""
    if submissions.get(db, submission.id).status != library.NEEDS_REVIEW:
        raise LibraryError(f"{submission.id} was decided meanwhile", "see: digestlog review list")


def _allowed(db: Database, submission: Submission) -> Wish:
    """The stored wish; of a user who is no admin any more, less what only an admin may wish."""
    wish = submission.wish
    private = wish.allow_private and users.is_admin(db, submission.user_id)
    return replace(wish, allow_private=private)


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: what all its addresses share."""

    db: Database
    evaluate: Evaluate
    user_id: str
    report: Report | None

    async def all(self, fetchers: Fetchers, recorded: list[Submission]) -> list[Submitted]:
        """What was asked for now, then what an earlier run left; results in that order."""
        with Parser() as parser:
            async with fetchers() as getter:
                done = await self._some(getter, parser, recorded, leftover=False)
                left = submissions.pending(self.db, self.user_id)
                return done + await self._some(getter, parser, left, leftover=True)

    async def _some(
        self, getter: Getter, parser: Parser, recorded: list[Submission], *, leftover: bool
    ) -> list[Submitted]:
        """Look at all pages at once, but write in order, so that the first ones asked for have the places."""
        gate = asyncio.Semaphore(_AT_ONCE)
        looks = [asyncio.ensure_future(self._rule(getter, parser, one, gate)) for one in recorded]
        done = []
        try:
            for one, look in zip(recorded, looks, strict=True):
                result = replace(self._write(one, await look), leftover=leftover)
                done.append(result)
                if self.report is not None:
                    self.report(result)
        finally:
            for look in looks:
                look.cancel()
        return done

    async def _rule(
        self, getter: Getter, parser: Parser, submission: Submission, gate: asyncio.Semaphore
    ) -> Decision:
        """Steps 2 and 3, without writing: by itself, by the rules, by the plan, by a first look."""
        async with gate:
            page = library.identity(submission.submitted_url)
            if page is None:
                return library.without_identity(submission.submitted_url)
            wish = _allowed(self.db, submission)
            decision = self._by_what_is_known(page, wish)
            if decision.decision != ALLOW or not wish.preflight:
                return decision
            return await self._look(getter, parser, page, decision, wish)

    def _by_what_is_known(self, page: Identity, wish: Wish) -> Decision:
        if store.is_member(self.db, self.user_id, canonical.url_id(page.canonical_url)):
            return library.duplicate(page.hostname)
        decision = self.evaluate(page.canonical_url)
        if decision.decision != ALLOW:
            return decision
        if preflight.is_inside(page.hostname) and not wish.allow_private:
            inside = LibraryError(f"{page.hostname} is a private address")
            return library.refused(page.hostname, inside)
        entitlement = store.check_url_cap_entitlement(self.db, self.user_id)
        if not entitlement.allowed:
            return library.refused(page.hostname, UrlCapExceeded(entitlement.words))
        return decision

    async def _look(
        self, getter: Getter, parser: Parser, page: Identity, allowed: Decision, wish: Wish
    ) -> Decision:
        """The preflight: can the page be read by a program at all, and does it lead where it may?

        Of the rules about where it leads and the look at what is there, the stricter has its way.
        """
        there: Decision | None = None
        try:
            found = await getter.get(page.url, allow_private=wish.allow_private, obey_robots=True)
            there = self._where_it_leads(found)
            if there is not None and there.decision == BLOCK:
                return there
            snapshot = await parser.page(found.body, read_page, found.url, found.charset)
        except DigestlogError as error:
            return there or preflight.after_failure(allowed, error)
        looked = preflight.after_look(allowed, found.status, checkable.judge(found, snapshot))
        return looked if there is None or looked.decision == BLOCK else there

    def _where_it_leads(self, found: Fetched) -> Decision | None:
        """What the rules say against the address that a redirect led to."""
        end = library.identity(found.url) if found.hops else None
        decision = self.evaluate(end.canonical_url) if end else None
        if end is None or decision is None or decision.decision == ALLOW:
            return None
        return replace(decision, reason=f"it leads to {end.hostname}: {decision.reason}")

    def _write(self, submission: Submission, decision: Decision) -> Submitted:
        page = library.identity(submission.submitted_url)
        wish = _allowed(self.db, submission)
        heeded = submissions.finish(self.db, submission, page, decision, wish)
        return replace(_submitted(submissions.get(self.db, submission.id)), unheeded=not heeded)


def _submitted(stored: Submission) -> Submitted:
    """A submission that was decided, as it is in the file."""
    evidence = stored.evidence or {}
    return Submitted(
        submission_id=stored.id,
        submitted_url=stored.submitted_url,
        canonical_url=stored.canonical_url,
        status=stored.status,
        decision=stored.decision or "",
        reason_code=stored.reason_code,
        pattern=evidence.get("pattern"),
        reason=evidence.get("reason") or "",
        url_id=stored.matched_url_id,
    )
