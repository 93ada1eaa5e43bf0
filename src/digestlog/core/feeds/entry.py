"""What every lane gives for a feed, and the rules that must not differ between lanes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urljoin

import ada_url
from lxml import etree

from digestlog.core.dates import parse_date
from digestlog.core.feeds.identity import FeedIdentity
from digestlog.core.text import clean

MAX_ENTRIES = 10_000
# WordPress writes 38 with three digits.
AMPERSAND = re.compile(r"&(?:amp|#0{0,5}38|#[xX]0{0,5}26);")
XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

Link = TypeVar("Link")

_WEB = ("https://", "http://")
# What nearly every address looks like; the others are for a real parser to judge.
_PLAIN = re.compile(r"https?://(?:[a-wyz][a-z\d-]*\.)+[a-wyz][a-z]*/[\w./?&=%~#-]*\Z", re.A)
_ALTERNATE = ("alternate", "", "http://www.iana.org/assignments/relation/alternate")
_ENCLOSURE = ("enclosure", "http://www.iana.org/assignments/relation/enclosure")
_HTML = ("text/html", "application/xhtml+xml")
_BASE_CHARS = 2048
_WEEK_S = 7 * 24 * 3600
_PERIODS_S = {"hourly": 3600, "daily": 86_400, "weekly": _WEEK_S, "monthly": 2_592_000, "yearly": 31_536_000}
_NUMBER_DIGITS = 9
_LANGUAGE_CHARS = 35


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as its feed wrote it; texts cleaned, dates raw."""

    entry_id: str | None
    url: str
    title: str | None
    published_raw: str | None
    published_from: str | None
    updated_raw: str | None
    updated_from: str | None


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed's bytes hold: whose it is, its entries, and what was wrong with it."""

    identity: FeedIdentity
    entries: tuple[Entry, ...]
    lane: str
    language: str | None
    min_interval_s: int | None
    unlinked: int
    problem: str | None


def assemble(
    identity: FeedIdentity,
    found: Iterable[Entry | None],
    *,
    lane: str,
    total: int,
    language: str | None = None,
    min_interval_s: int | None = None,
    problem: str | None = None,
) -> Feed:
    """The feed of the found entries, None for each without a link, out of `total` in the document."""
    read = list(found)
    entries = tuple(entry for entry in read if entry is not None)
    if problem:
        problem = f"not well-formed: {problem[:200]}, {len(read)} entries read"
    if total > len(read):
        problem = f"{total} entries, only the first {len(read)} read"
    return Feed(identity, entries, lane, language, min_interval_s, len(read) - len(entries), problem)


def absolute(address: str | None, base: str) -> str | None:
    """The address as written, or joined to its base if it is relative; None unless it leads to the web."""
    address = (address or "").strip()
    if not address:
        return None
    if not address[:8].lower().startswith(_WEB):
        address = joined(base, address)
        if not address.lower().startswith(_WEB):
            return None
    return address if _PLAIN.match(address) or ada_url.check_url(address) else None


def linked(address: str | None, base: str) -> str | None:
    """The web address that markup writes; an ampersand escaped once more than XML asks for is one."""
    if address and "&" in address:
        address = AMPERSAND.sub("&", address)
    return absolute(address, base)


def web_id(identifier: str | None) -> str | None:
    """The address that a markup's identifier is, if it is one by itself."""
    return linked(identifier, "")


def joined(base: str, address: str) -> str:
    """The address seen from its base; an address that cannot be read stays as it is."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def drop_long_bases(root: etree._Element) -> None:
    """Takes away each xml:base beyond reason: every link below it would cost its length."""
    for element in root.iter("*"):
        if len(element.get(XML_BASE, "")) > _BASE_CHARS:
            del element.attrib[XML_BASE]


def base_of(element: etree._Element, url: str) -> str:
    """The address that the element's relative links start from, by every xml:base above it."""
    written = [element.get(XML_BASE), *(above.get(XML_BASE) for above in element.iterancestors())]
    for base in reversed(written):
        if base and len(base) + len(url) <= _BASE_CHARS:
            url = absolute(base, url) or url
    return url


def alternates(links: Iterable[tuple[str | None, str | None, Link]]) -> list[Link]:
    """Those of the links, each behind its rel and type, that a person would open; HTML before other types."""
    html: list[Link] = []
    other: list[Link] = []
    for rel, kind, link in links:
        if rel is None or rel in _ALTERNATE or rel.strip().lower() in _ALTERNATE:
            (html if kind is not None and _is_html(kind) else other).append(link)
    return html + other


def enclosures(links: Iterable[tuple[str | None, Link]]) -> list[Link]:
    """Those of the links, each behind its rel, that lead to an entry's sound, film or other file."""
    return [link for rel, link in links if rel is not None and rel.strip().lower() in _ENCLOSURE]


def first_date(found: Sequence[tuple[str, str]], language: str | None) -> tuple[str, str] | tuple[None, None]:
    """The first date, each before its element's name, that can be understood, else the first at all."""
    if not found:
        return None, None
    # Where there is nothing to choose from, understanding is left to whoever needs the time.
    if len(found) == 1 or len({raw for raw, _ in found}) == 1:
        return found[0]
    return next((date for date in found if parse_date(date[0], language)), found[0])


def _is_html(kind: str) -> bool:
    return kind in _HTML or kind.partition(";")[0].strip().lower() in _HTML


def min_interval(ttl: str | None, period: str | None, frequency: str | None) -> int | None:
    """Seconds that a feed asks to be left alone: its ttl in minutes, else its period over its frequency."""
    minutes = _number(ttl)
    if minutes is not None:
        return min(minutes * 60, _WEEK_S)
    period, times = clean(period), _number(frequency)
    period_s = _PERIODS_S.get((period or "daily").lower())
    if period_s is None or (period is None and times is None):
        return None
    return min(period_s // (times or 1), _WEEK_S)


def language_of(*written: str | None) -> str | None:
    """The first of the languages that says anything."""
    return next((found[:_LANGUAGE_CHARS] for value in written if (found := clean(value))), None)


def _number(written: str | None) -> int | None:
    digits = (written or "").strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _NUMBER_DIGITS else None
