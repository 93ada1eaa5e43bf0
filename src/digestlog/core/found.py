"""What was found: one article candidate, and how findings of one address become one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from digestlog.core.canonical import canonicalize
from digestlog.core.dates import parse_date
from digestlog.core.text import clean
from digestlog.errors import UrlError

MAX_RAW_DATE = 100

_SCHEME_AND_WWW = re.compile(r"https?://(?:www\.)?")
# How near a statement is to the article: what a publisher wrote for machines comes first.
_TRUST = ("selector", "json-ld", "microdata", "state", "sitemap", "article", "heading", "list")
_DATE_TRUST = ("selector", "json-ld", "microdata", "sitemap", "time", "state", "text", "url")


@dataclass(frozen=True, slots=True)
class Found:
    """One article candidate; `found_by` and `date_from` name the evidence.

    A raw date without a time is one that could not be understood. `modified_at` is never the
    publication: a sitemap says only when a page last changed.
    """

    url: str
    title: str | None
    published_raw: str | None
    published_at: datetime | None
    date_from: str | None
    found_by: str
    modified_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Dated:
    """A date as written and as understood; `source` names where it stood."""

    raw: str
    at: datetime | None
    source: str


def read_date(raw: object, source: str, language: str | None = None) -> Dated | None:
    """The date that a text or number states, understood or not; None when it states nothing."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    text = clean(str(raw)[: MAX_RAW_DATE + 1])
    if text is None or len(text) > MAX_RAW_DATE:
        return None
    return Dated(text, parse_date(text, language), source)


def found_article(url: str, title: str | None, dated: Dated | None, found_by: str) -> Found:
    """A candidate with its date, if it has one."""
    if dated is None:
        return Found(url, title, None, None, None, found_by)
    return Found(url, title, dated.raw, dated.at, dated.source if dated.at else None, found_by)


def url_key(url: str) -> str:
    """What two spellings of one address on a page have in common."""
    try:
        canonical = canonicalize(url, "library")[0]
    except UrlError:
        canonical = url
    return _SCHEME_AND_WWW.sub("", canonical, count=1)


def merge(findings: Iterable[Found]) -> list[Found]:
    """Each address once, in the order of its first finding; the best-informed wins, pieces joined."""
    groups: dict[str, list[Found]] = {}
    for found in findings:
        groups.setdefault(url_key(found.url), []).append(found)
    return [_merged(group) for group in groups.values()]


def _merged(group: list[Found]) -> Found:
    best = min(group, key=lambda found: (-_pieces(found), _TRUST.index(found.found_by)))
    titled = best if best.title else next((found for found in group if found.title), best)
    dated = min(group, key=_date_rank)
    modified = max((found.modified_at for found in group if found.modified_at), default=None)
    return replace(
        best,
        title=titled.title,
        published_raw=dated.published_raw,
        published_at=dated.published_at,
        date_from=dated.date_from,
        modified_at=modified,
    )


def _pieces(found: Found) -> int:
    return (found.title is not None) + (found.published_at is not None)


def _date_rank(found: Found) -> tuple[int, bool]:
    rank = _DATE_TRUST.index(found.date_from) if found.date_from else len(_DATE_TRUST)
    return rank, found.published_raw is None
