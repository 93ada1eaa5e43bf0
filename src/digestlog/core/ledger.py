"""What becomes of a candidate: in the window or not, and as which article."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from digestlog.core.canonical import LedgerUrl, canonicalize, ledger_url, without_userinfo
from digestlog.core.model import Fetched, Hop, Resolved
from digestlog.core.refusals import LOGIN
from digestlog.core.text import clean
from digestlog.errors import FetchError, UrlError

WINDOW = timedelta(hours=24)
# What a window without a beginning is written down as.
EVER = datetime(1, 1, 1, tzinfo=UTC)

RESOLVED = "resolved"
UNRESOLVED = "unresolved"
FAILED = "failed"

OUTSIDE = "outside_window"
LATER = "not_looked_at_yet"
NO_IDENTITY = "no_identity"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An article as a source shows it; `found_by` and `date_from` say how that was found out."""

    url: str
    title: str | None
    published_at: datetime | None
    published_raw: str | None
    date_from: str | None
    found_by: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate that does not go into the ledger, and why."""

    url: str
    reason: str
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Sifted:
    """The candidates of one visit, each address once: those within the window, and those before it."""

    within: tuple[Candidate, ...]
    outside: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where an original address leads, or why that is not known yet; not `asked`: nothing was sent to it."""

    status: str
    url: str | None = None
    hops: tuple[Hop, ...] = ()
    http_status: int | None = None
    error: str | None = None
    retry_after_s: int | None = None
    asked: bool = True


@dataclass(frozen=True, slots=True)
class NewArticle:
    """A candidate with its identity, ready for the ledger."""

    candidate: Candidate
    address: LedgerUrl
    resolution: Resolution


def window_start(now: datetime, window: timedelta | None, last_success: datetime | None) -> datetime | None:
    """From when on an article counts: the window, or the last success if that is longer ago; None: always."""
    if window is None:
        return None
    start = now - min(window, now - EVER)
    return start if last_success is None else min(start, last_success)


def covers(read_since: datetime | None, start: datetime | None) -> bool:
    """Whether a reading that looked back to `read_since` saw all that a scan from `start` on wants to see."""
    return read_since is not None and read_since <= (start or EVER)


def sift(candidates: Iterable[Candidate], start: datetime | None) -> Sifted:
    """Part the candidates by the window; undated ones stay, and so does everything in the future."""
    within: list[Candidate] = []
    outside: list[Candidate] = []
    for candidate in _each_once(candidates):
        (outside if is_before(candidate.published_at, start) else within).append(candidate)
    return Sifted(tuple(within), tuple(outside))


def is_before(published_at: datetime | None, start: datetime | None) -> bool:
    """Whether a date is known to lie before the window."""
    return start is not None and published_at is not None and published_at < start


def too_old(candidate: Candidate) -> LeftOut:
    """A candidate from before the window, as it is left out."""
    return LeftOut(candidate.url, OUTSIDE, candidate.published_at)


def _each_once(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """One candidate an address, completed by what later ones of the same address know."""
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        candidate = _storable(candidate)
        known = found.get(candidate.url)
        found[candidate.url] = candidate if known is None else _completed(known, candidate)
    return found.values()


def _storable(candidate: Candidate) -> Candidate:
    """The candidate as a file can hold it: without a password in its address, and without NUL."""
    url = without_userinfo(candidate.url).replace("\0", "%00")
    return replace(candidate, url=url, published_raw=clean(candidate.published_raw))


def _completed(first: Candidate, later: Candidate) -> Candidate:
    if first.title is None and later.title is not None:
        first = replace(first, title=later.title)
    if first.published_at is None and later.published_at is not None:
        first = replace(
            first,
            published_at=later.published_at,
            published_raw=later.published_raw,
            date_from=later.date_from,
        )
    return first


# Where a site sends readers whom it does not want to show the article: not where the article is.
_ERROR = re.compile(
    r"/(?:(?:page-?)?not[-_]?found|(?:access[-_]?)?denied|blocked|forbidden|unavailable|error|4[0-9]{2})"
    r"(?:\.[a-z]{2,5})?/?\Z",
    re.I,
)
# The last part of the path says so; in the midst of a path the same word may be a topic.
_WALL = re.compile(
    r"/(?:(?:wp-)?log[-_]?in|sign[-_]?(?:in|on|up)|(?:cookie-?)?consent|captcha|challenge|subscribe|paywall|sso"
    r"|oauth2?(?:/authorize)?)(?:\.[a-z]{2,5})?/?\Z",
    re.I,
)
_WALL_HOST = re.compile(r"(?:consent|login|signin|accounts|auth|sso)\.", re.I)
# A front page, also one language's.
_FRONT = re.compile(r"/(?:[a-z]{2}(?:[-_][a-z]{2})?|home|index\.[a-z]{2,5})?/?", re.I)


def wall(original: str, resolved: str) -> str | None:
    """Why the end of a redirect is not the article itself: a login, a consent page, the site's front page.

    Taking such a page for the article would make many articles one, which cannot be undone.
    """
    host, path, query = _place(resolved)
    old_host, old_path, old_query = _place(original)
    if (_WALL_HOST.match(host) and host != old_host) or (_WALL.search(path) and not _WALL.search(old_path)):
        return LOGIN
    if _ERROR.search(path) and not _ERROR.search(old_path):
        return "it leads to an error page"
    was_front = _FRONT.fullmatch(old_path) and not old_query
    if host and _FRONT.fullmatch(path) and not query and not was_front:
        return "it leads to the front page of a site"
    return None


def _place(url: str) -> tuple[str, str, str]:
    """Host, path and query of an address, in its canonical form if it has one."""
    try:
        url, _ = canonicalize(url)
    except UrlError:
        pass
    where, _, query = url.partition("://")[2].partition("?")
    host, _, path = where.partition("/")
    return host, "/" + path, query


def resolution_of(original: str, answer: Fetched | Resolved) -> Resolution:
    """What an answer says about where an address leads."""
    status, hops = answer.status, answer.hops
    if status >= 500 or status == 429:
        why = f"answered {status}"
        return Resolution(UNRESOLVED, None, hops, status, why, answer.retry_after_s)
    if not hops:
        return Resolution(RESOLVED, None, (), status)
    if status in (404, 410):
        # One error page for many articles would make them one.
        return Resolution(FAILED, None, hops, status, f"it leads to a page that answers {status}")
    if why_not := wall(original, answer.url):
        return Resolution(FAILED, None, hops, status, why_not)
    return Resolution(RESOLVED, answer.url, hops, status)


def unanswered(error: FetchError) -> Resolution:
    """An address that gave no answer: to be asked again where a later try may do better."""
    return Resolution(
        UNRESOLVED if error.temporary or not error.asked else FAILED,
        error=clean(error.message),
        retry_after_s=error.retry_after_s,
        asked=error.asked,
    )


def identified(candidate: Candidate, resolution: Resolution) -> NewArticle | LeftOut:
    """The article that a candidate is. Where the resolved address has no identity, the original's counts."""
    try:
        if resolution.url is not None:
            try:
                return NewArticle(candidate, ledger_url(candidate.url, resolution.url), resolution)
            except UrlError as error:
                why = f"it leads to an address without identity ({error.code})"
                resolution = Resolution(FAILED, None, resolution.hops, resolution.http_status, why)
        return NewArticle(candidate, ledger_url(candidate.url), resolution)
    except UrlError as error:
        return LeftOut(candidate.url, f"{NO_IDENTITY}: {error.code}", candidate.published_at)
