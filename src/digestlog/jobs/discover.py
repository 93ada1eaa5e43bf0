"""From what a person types to a source.

address -> feed itself | feeds the page declares or links | common places | the page
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from digestlog.core import pages, sources
from digestlog.core.feeds import FeedIdentity, identify
from digestlog.core.model import DIRECT, RSS, Fetched, NewSource, Tried
from digestlog.errors import AddressRefused, ConfigError, FetchError, SourceError

_DECLARED_TRIED = 5


class Getter(Protocol):
    """What fetches: web.fetch.Fetcher, or a fake in a test."""

    async def get(self, url: str, *, allow_private: bool = False) -> Fetched:
        """What the address answers."""


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


def unseen(wish: Wish) -> NewSource:
    """The source that a wish with a method means, without looking; ConfigError if it is no address."""
    url = sources.addresses(wish.address)[0]
    return _wished(wish, url, wish.name or sources.host_of(url), wish.method or RSS)


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
