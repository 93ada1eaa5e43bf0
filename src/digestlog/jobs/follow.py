"""From what a person types to a followed source.

discover:  address -> feed itself | feeds the page declares or links | common places | the page
follow:    discover each (parallel) -> insert (one writer) -> report, as each is done
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from digestlog.core import pages, sources
from digestlog.core.feeds import FeedIdentity, identify
from digestlog.core.lists import SourceList
from digestlog.core.model import DIRECT, RSS, Added, Fetched, NewSource, Source, Tried
from digestlog.core.opml import Outline
from digestlog.core.text import clean
from digestlog.errors import AddressRefused, ConfigError, DigestlogError, FetchError, SourceError
from digestlog.store import sources as store
from digestlog.store.db import Database

_DECLARED_TRIED = 5
_AT_ONCE = 8


class Getter(Protocol):
    """What fetches: web.fetch.Fetcher, or a fake in a test."""

    async def get(self, url: str, *, allow_private: bool = False) -> Fetched:
        """What the address answers."""


Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asked for; None means: find out."""

    address: str
    name: str | None = None
    method: str | None = None
    folder: str | None = None
    allow_private: bool = False
    site_url: str | None = None


@dataclass(frozen=True, slots=True)
class Discovery:
    """The source that was found, the way to it, and what else would have been possible."""

    source: NewSource
    tried: tuple[Tried, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of one wish: added, or the error that stood in the way."""

    address: str
    added: Added | None = None
    discovery: Discovery | None = None
    error: DigestlogError | None = None


Report = Callable[[Followed], None]


def follow(
    db: Database, wishes: Sequence[Wish], fetcher: Fetchers, report: Report | None = None
) -> list[Followed]:
    """Add every wish that leads to a source; one that does not never stops the others."""
    wishes = [replace(wish, name=clean(wish.name), folder=clean(wish.folder)) for wish in wishes]
    if all(wish.method for wish in wishes):  # nothing to find out, so no network
        return [_reported(_follow_unseen(db, wish), report) for wish in wishes]
    return asyncio.run(_follow(db, wishes, fetcher, report))


def wishes_of(
    entries: SourceList, *, method: str | None = None, folder: str | None = None, allow_private: bool = False
) -> list[Wish]:
    """The wishes of a list: its outlines as they stand in it, its bare addresses to be looked at."""
    outlines = [
        Wish(
            outline.url,
            outline.title,
            method or (RSS if outline.is_feed else DIRECT),
            "/".join(filter(None, (folder, outline.folder))) or None,
            allow_private,
            outline.site_url,
        )
        for outline in entries.outlines
    ]
    return outlines + [Wish(a, None, method, folder, allow_private) for a in entries.addresses]


def outlines_of(followed: Iterable[Source]) -> list[Outline]:
    """The sources as another reader's list would name them."""
    return [
        Outline(s.source_url, s.source_name, s.site_url, s.folder, s.url_scraping_method == RSS)
        for s in followed
    ]


async def discover(getter: Getter, wish: Wish) -> Discovery:
    """The source that an address leads to; SourceError with all that was tried if there is none."""
    tried: list[Tried] = []
    for url in sources.addresses(wish.address):
        found = await _look(getter, url, wish, tried)
        if found is not None:
            return found
    looked_at = "; ".join(f"{step.url} ({step.outcome})" for step in tried)
    raise SourceError(
        f"no feed or page found at {wish.address}",
        f"tried {looked_at}. To add it unseen: --method RSS or --method Direct",
        url=wish.address,
    )


async def _follow(
    db: Database, wishes: Sequence[Wish], fetcher: Fetchers, report: Report | None
) -> list[Followed]:
    """Look at all addresses at once, but add in the order asked for, so that the ids follow it."""
    gate = asyncio.Semaphore(_AT_ONCE)
    async with fetcher() as getter:
        looks = [asyncio.ensure_future(_discover_one(getter, wish, gate)) for wish in wishes]
        try:
            return [
                _reported(_add(db, wish, await look), report)
                for wish, look in zip(wishes, looks, strict=True)
            ]
        finally:
            for look in looks:
                look.cancel()


async def _discover_one(
    getter: Getter, wish: Wish, gate: asyncio.Semaphore
) -> Discovery | DigestlogError | None:
    if wish.method is not None:
        return None
    async with gate:
        try:
            return await discover(getter, wish)
        except DigestlogError as error:
            return error


def _add(db: Database, wish: Wish, found: Discovery | DigestlogError | None) -> Followed:
    if found is None:
        return _follow_unseen(db, wish)
    if isinstance(found, DigestlogError):
        return Followed(wish.address, error=found)
    return Followed(wish.address, _insert(db, found.source), found)


def _follow_unseen(db: Database, wish: Wish) -> Followed:
    try:
        url = sources.addresses(wish.address)[0]
    except DigestlogError as error:
        return Followed(wish.address, error=error)
    method = wish.method or RSS
    source = _wished(wish, url, wish.name or sources.host_of(url), method)
    return Followed(wish.address, _insert(db, source))


def _insert(db: Database, source: NewSource) -> Added:
    return store.insert(db, source, sources.same_addresses(source.source_url))


def _reported(result: Followed, report: Report | None) -> Followed:
    if report is not None:
        report(result)
    return result


async def _look(getter: Getter, url: str, wish: Wish, tried: list[Tried]) -> Discovery | None:
    """What stands at one address: a feed, or a page and what it leads to."""
    page = await _get(getter, url, wish, tried)
    if page is None:
        return None
    feed = identify(page.body, page.content_type)
    if feed is not None:
        return Discovery(_feed_source(wish, page, feed), tuple(tried))
    if not pages.is_html(page.body, page.content_type):
        tried.append(Tried(url, "is neither a feed nor a page"))
        return None
    return await _look_around(getter, page, wish, tried)


async def _look_around(getter: Getter, page: Fetched, wish: Wish, tried: list[Tried]) -> Discovery:
    """The feed of a page: declared, linked, or at a common place; otherwise the page itself."""
    links = pages.feed_links(page.body, page.url, page.charset)
    named = [link.url for link in links]
    for index, url in enumerate(named[:_DECLARED_TRIED]):
        source = await _feed_at(getter, url, wish, tried)
        if source is not None:
            return Discovery(source, tuple(tried), tuple(named[index + 1 :]))
    for url in sources.places(page.url, pages.COMMON_FEED_PATHS):
        source = await _feed_at(getter, url, wish, tried)
        if source is not None:
            return Discovery(source, tuple(tried))
    title = wish.name or pages.page_title(page.body, page.charset) or sources.host_of(page.url)
    url = sources.source_url(page.permanent_url)
    return Discovery(_wished(wish, url, title, DIRECT), tuple(tried))


async def _feed_at(getter: Getter, url: str, wish: Wish, tried: list[Tried]) -> NewSource | None:
    try:
        page = await _get(getter, url, wish, tried)
        if page is None:
            return None
        feed = identify(page.body, page.content_type)
        if feed is not None:
            return _feed_source(wish, page, feed)
        tried.append(Tried(url, "is not a feed"))
    except (AddressRefused, ConfigError) as error:
        # A page may name what it likes; the person asked for the page.
        tried.append(Tried(url, error.message))
    return None


async def _get(getter: Getter, url: str, wish: Wish, tried: list[Tried]) -> Fetched | None:
    """The answer, if it is a good one; an address that was refused is final, other failures are noted."""
    try:
        page = await getter.get(url, allow_private=wish.allow_private)
    except AddressRefused:
        raise
    except FetchError as error:
        tried.append(Tried(url, error.message.removeprefix(url).strip()))
        return None
    if page.status != 200:
        tried.append(Tried(url, "is gone for good" if page.status == 410 else f"answered {page.status}"))
        return None
    return page


def _feed_source(wish: Wish, page: Fetched, feed: FeedIdentity) -> NewSource:
    url = sources.source_url(page.permanent_url)
    site_url = sources.site_url(feed.site_url, page.url)
    return _wished(wish, url, wish.name or feed.title or sources.host_of(url), RSS, site_url)


def _wished(wish: Wish, url: str, name: str, method: str, site_url: str | None = None) -> NewSource:
    return NewSource(url, name, method, site_url or wish.site_url, wish.folder, wish.allow_private)
