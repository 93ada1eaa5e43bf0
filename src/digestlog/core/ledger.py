"""What becomes of a candidate: in the window or not, and as which article."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from digestlog.core.canonical import LedgerUrl, ledger_url, without_userinfo
from digestlog.core.model import Hop
from digestlog.errors import UrlError

WINDOW = timedelta(hours=24)
# What a window without a beginning is written down as.
EVER = datetime(1, 1, 1, tzinfo=UTC)

RESOLVED = "resolved"
UNRESOLVED = "unresolved"
FAILED = "failed"

OUTSIDE = "outside_window"
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
    """The candidates of one visit, each address once: those to look at, and those left out."""

    within: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def undated(self) -> int:
        """How many of those within have no date."""
        return sum(1 for candidate in self.within if candidate.published_at is None)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where an original address leads, or why that is not known yet."""

    status: str
    url: str | None = None
    hops: tuple[Hop, ...] = ()
    http_status: int | None = None
    error: str | None = None


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
    start = now - window
    return start if last_success is None else min(start, last_success)


def covers(read_since: datetime | None, start: datetime | None) -> bool:
    """Whether a reading that looked back to `read_since` saw all that a scan from `start` on wants to see."""
    return read_since is not None and read_since <= (start or EVER)


def sift(candidates: Iterable[Candidate], start: datetime | None) -> Sifted:
    """Part the candidates by the window; undated ones stay, and so does everything in the future."""
    within, left_out = [], []
    for candidate in _each_once(candidates):
        if start is not None and candidate.published_at is not None and candidate.published_at < start:
            left_out.append(LeftOut(candidate.url, OUTSIDE, candidate.published_at))
        else:
            within.append(candidate)
    return Sifted(tuple(within), tuple(left_out))


def _each_once(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """One candidate an address, completed by what later ones of the same address know."""
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        url = without_userinfo(candidate.url)
        known = found.get(url)
        found[url] = replace(candidate, url=url) if known is None else _completed(known, candidate)
    return found.values()


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
_WALL = re.compile(
    r"/(?:log-?in|sign-?in|sign-?up|consent|cookie-?consent|captcha|challenge|subscribe|paywall|sso)(?:[/.?]|\Z)",
    re.I,
)
_WALL_HOST = re.compile(r"(?:consent|login|signin|accounts|auth|sso)\.", re.I)


def wall(original: str, resolved: str) -> str | None:
    """Why the end of a redirect is not the article itself: a login, a consent page, the site's front page.

    Taking such a page for the article would make many articles one, which cannot be undone.
    """
    host, _, path = resolved.partition("://")[2].partition("/")
    old_host, _, old_path = original.partition("://")[2].partition("/")
    if _WALL_HOST.match(host) or _WALL.search("/" + path):
        return "it leads to a login or consent page" if not _WALL.search("/" + old_path) else None
    if not path.strip("/") and old_path.strip("/") and host.lower() == old_host.lower():
        return "it leads to the front page of its site"
    return None


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
