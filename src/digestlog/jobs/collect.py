"""One visit to a source: from its address to candidates. Shared by scan and digest.

visit RSS:     get (conditional) -> 304 | same bytes | read_feed | moved: the feed that its site names now
visit Direct:  get (robots, conditional) -> selectors | feed that the page declares | news sitemap | listing

A failure is a value: the visit says what went wrong, and the scan goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Protocol

from digestlog.core import pages
from digestlog.core.dates import parse_date
from digestlog.core.feeds import Entry, Feed
from digestlog.core.ledger import EVER, Candidate
from digestlog.core.listing import Found, read_listing
from digestlog.core.model import RSS, Fetched, Resolved, Source
from digestlog.core.sitemaps import NEWS_SITEMAP_PATHS, Sitemap, read_sitemap, robots_sitemaps, says_news
from digestlog.core.sources import host_of, source_url
from digestlog.core.text import clean
from digestlog.errors import AddressRefused, ConfigError, DigestlogError, FetchError, ParseError
from digestlog.jobs.parsing import Parser

OK, NOT_MODIFIED, UNCHANGED, FAILED, GONE = "ok", "not_modified", "unchanged", "failed", "gone"

_DECLARED_TRIED = 3
# Requests beyond the first sitemap that a site names: further ones, or those of an index.
_SITEMAPS_TRIED = 3
# A feed that was missing less often than this may be back at the next visit.
_FAILURES_BEFORE_MOVE = 2


class Getter(Protocol):
    """What fetches: web.fetch.Fetcher, or a fake in a test."""

    @property
    def requests(self) -> int:
        """How many requests were sent so far."""

    async def get(
        self,
        url: str,
        *,
        allow_private: bool = False,
        etag: str | None = None,
        last_modified: str | None = None,
        obey_robots: bool = False,
        stop_at: Callable[[str], bool] | None = None,
    ) -> Fetched:
        """What the address answers; RedirectRefused before an address is asked for that `stop_at` names."""

    async def resolve(self, url: str, *, allow_private: bool = False) -> Resolved:
        """Where the address leads."""

    async def robots_txt(self, url: str, *, allow_private: bool = False) -> str:
        """The robots.txt of the address's site; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the last visit left behind."""

    etag: str | None = None
    last_modified: str | None = None
    body_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """What one visit found, or why it found nothing."""

    outcome: str
    candidates: tuple[Candidate, ...] = ()
    http_status: int | None = None
    lane: str | None = None
    remembered: Remembered = Remembered()
    moved_to: str | None = None
    min_interval_s: int | None = None
    max_age_s: int | None = None
    retry_after_s: int | None = None
    # Something a person should know: why it failed, or what was odd about it.
    error: str | None = None
    # Links of a page that are no articles, and why: for a preview.
    rejected: tuple[tuple[str, str], ...] = ()


async def visit(getter: Getter, parser: Parser, source: Source, known: Remembered) -> Visit:
    """Visit a source once; whatever goes wrong on the way is in the result."""
    try:
        page = await getter.get(
            source.source_url,
            allow_private=source.allow_private,
            etag=known.etag,
            last_modified=known.last_modified,
            obey_robots=source.url_scraping_method != RSS,
        )
        found = await _judge(_Round(getter, parser, source), page, known)
    except AddressRefused as error:
        allow = f"; your own network? digestlog sources edit {source.source_uuid} --allow-private"
        found = Visit(FAILED, error=error.message + (allow if error.hint else ""))
    except FetchError as error:
        found = Visit(FAILED, error=error.message, retry_after_s=error.retry_after_s)
    except DigestlogError as error:
        found = Visit(FAILED, error=error.message)
    return replace(found, error=clean(found.error))


@dataclass(frozen=True, slots=True)
class _Round:
    """One visit under way."""

    getter: Getter
    parser: Parser
    source: Source

    async def get(self, url: str, *, obey_robots: bool = False) -> Fetched | None:
        """A good answer, or None: a side path that fails is just not taken."""
        private = self.source.allow_private
        try:
            page = await self.getter.get(url, allow_private=private, obey_robots=obey_robots)
        except FetchError:
            return None
        return page if page.status == 200 else None


async def _judge(this: _Round, page: Fetched, known: Remembered) -> Visit:
    if page.status == 304:
        return replace(_met(this, page, NOT_MODIFIED), remembered=known)
    if page.status == 410:
        return Visit(GONE, http_status=410, error="is gone for good (410)")
    if page.status != 200:
        return await _refused(this, page)
    met = _met(this, page, UNCHANGED)
    if met.remembered.body_sha256 == known.body_sha256:
        return met
    return await (_feed(this, page) if this.source.url_scraping_method == RSS else _page(this, page))


def _met(this: _Round, page: Fetched, outcome: str) -> Visit:
    """A visit that met its source, with what the answer says about the next one."""
    return Visit(
        outcome,
        http_status=page.status,
        remembered=Remembered(page.etag, page.last_modified, sha256(page.body).hexdigest()),
        moved_to=_new_address(this, page),
        max_age_s=page.max_age_s,
    )


def _elsewhere(met: Visit) -> Visit:
    """A visit whose articles stand at another address: that this one is unchanged would tell nothing."""
    return replace(met, remembered=Remembered())


def _new_address(this: _Round, page: Fetched) -> str | None:
    """Where the source is to be found from now on, if that is another address that can be followed."""
    if page.permanent_url == this.source.source_url:
        return None
    try:
        moved = source_url(page.permanent_url)
    except ConfigError:
        return None
    return moved if moved != this.source.source_url else None


async def _refused(this: _Round, page: Fetched) -> Visit:
    """An answer that is no page: a feed that is not there any more may have moved on its site."""
    failed = Visit(
        FAILED,
        http_status=page.status,
        error=f"answered {page.status}{_meaning(page.status)}",
        retry_after_s=page.retry_after_s,
    )
    if page.status != 404 or this.source.url_scraping_method != RSS:
        return failed
    return await _moved(this, failed)


def _meaning(status: int) -> str:
    words = {
        401: "wants a login",
        403: "refuses to be read",
        404: "there is nothing at this address",
        429: "too many visits",
        500: "its server is in trouble",
        502: "its server is in trouble",
        503: "its server is overloaded or being repaired",
        504: "its server is in trouble",
    }
    return f": {words[status]}" if status in words else ""


# --- feeds -------------------------------------------------------------------------------


async def _feed(this: _Round, page: Fetched) -> Visit:
    try:
        feed = await this.parser.read(page.body, page.url, page.content_type)
    except ParseError as error:
        if pages.is_html(page.body, page.content_type):
            return await _moved(this, _not_a_feed(page, "is a web page, not a feed"), page)
        return _not_a_feed(page, f"is not a feed: {error.message}")
    return _read(_met(this, page, OK), feed)


def _read(met: Visit, feed: Feed) -> Visit:
    candidates = tuple(_from_entry(entry, feed) for entry in feed.entries)
    return replace(
        met,
        candidates=candidates,
        lane=feed.lane,
        min_interval_s=feed.min_interval_s,
        error=_oddities(feed),
    )


def _oddities(feed: Feed) -> str | None:
    unlinked = f"{feed.unlinked} entries without a link" if feed.unlinked else None
    return "; ".join(filter(None, (feed.problem, unlinked))) or None


def _not_a_feed(page: Fetched, why: str) -> Visit:
    return Visit(FAILED, http_status=page.status, error=why)


def _from_entry(entry: Entry, feed: Feed) -> Candidate:
    """The entry with its date: published before updated, and never a guess."""
    for raw, origin in (
        (entry.published_raw, entry.published_from),
        (entry.updated_raw, entry.updated_from),
    ):
        moment = parse_date(raw, feed.language)
        if moment is not None:
            return Candidate(entry.url, entry.title, moment, raw, origin, feed.lane)
    return Candidate(entry.url, entry.title, None, entry.published_raw, None, feed.lane)


async def _moved(this: _Round, failed: Visit, page: Fetched | None = None) -> Visit:
    """The feed that stands elsewhere now, if that is certain; else the failure, with what was found.

    The page is what stands at the feed's address; without one, there may just be nothing today.
    """
    named = await _named_feed(this, page) if page else None
    if named is None and this.source.site_url:
        site = await this.get(this.source.site_url)
        named = await _named_feed(this, site) if site else None
    if named is None:
        return failed
    found, is_same = named
    if is_same and (page or this.source.consecutive_failures >= _FAILURES_BEFORE_MOVE):
        return found
    return replace(failed, error=f"{failed.error}; its site names {found.moved_to}")


async def _named_feed(this: _Round, page: Fetched) -> tuple[Visit, bool] | None:
    """A feed that the page names, and whether it is the source's: by its title, or as the only one."""
    links = pages.feed_links(page.body, page.url, page.charset)
    main = [link for link in links if link.how == "declared" and not pages.is_comments(link)]
    first: Visit | None = None
    for link in [link for link in links if link.url != this.source.source_url][:_DECLARED_TRIED]:
        at = await _feed_at(this, link.url)
        found = _read(_elsewhere(_met(this, at[0], OK)), at[1]) if at else None
        if at is None or found is None or found.moved_to is None:
            continue
        if main == [link] or _is_called(at[1], this.source.source_name):
            return found, True
        first = first or found
    return (first, False) if first else None


def _is_called(feed: Feed, name: str) -> bool:
    return (clean(feed.identity.title) or "").casefold() == (clean(name) or "").casefold()


async def _feed_at(this: _Round, url: str) -> tuple[Fetched, Feed] | None:
    page = await this.get(url)
    if page is None:
        return None
    try:
        return page, await this.parser.read(page.body, page.url, page.content_type)
    except ParseError:
        return None


# --- pages without a feed ----------------------------------------------------------------


async def _page(this: _Round, page: Fetched) -> Visit:
    """The cascade: the person's selectors, a feed after all, a news sitemap, the page's own lists."""
    source = this.source
    if not pages.is_html(page.body, page.content_type):
        return _not_a_feed(page, "is not a web page")
    met = _met(this, page, OK)
    if source.link_selector is None and source.date_selector is None:
        away, declared = _elsewhere(met), _declared(page)
        other = await _declared_feed(this, declared, away) or await _news_sitemap(this, page, away)
        if other is not None:
            return other
        # A feed that could not be read today may be there tomorrow, on a page that has not changed.
        met = away if declared else met
    read = partial(read_listing, link_selector=source.link_selector, date_selector=source.date_selector)
    listing = await this.parser.page(page.body, read, page.url, page.charset)
    nothing = None if listing.found else "no articles found on the page; see: digestlog sources preview"
    candidates = tuple(map(_from_found, listing.found))
    met = met if candidates else _elsewhere(met)
    return replace(met, candidates=candidates, lane="listing", error=nothing, rejected=listing.rejected)


def _from_found(found: Found) -> Candidate:
    return Candidate(
        found.url, found.title, found.published_at, found.published_raw, found.date_from, found.found_by
    )


def _declared(page: Fetched) -> list[pages.FeedLink]:
    return [link for link in pages.feed_links(page.body, page.url, page.charset) if link.how == "declared"]


async def _declared_feed(this: _Round, links: Sequence[pages.FeedLink], met: Visit) -> Visit | None:
    for link in links[:_DECLARED_TRIED]:
        found = await _feed_at(this, link.url)
        if found is not None and found[1].entries:
            return _read(met, found[1])
    return None


async def _news_sitemap(this: _Round, page: Fetched, met: Visit) -> Visit | None:
    """The site's news sitemap, named or at a usual place, as far as it speaks of this page's part."""
    robots = await this.getter.robots_txt(page.url, allow_private=this.source.allow_private)
    usual = [_origin(page.url) + path for path in NEWS_SITEMAP_PATHS]
    named = robots_sitemaps(robots, _origin(page.url) + "/robots.txt")
    found = await _news_at(this, named or usual, page.url, is_guess=not named)
    return replace(met, candidates=tuple(map(_from_found, found)), lane="sitemap") if found else None


async def _news_at(this: _Round, urls: Sequence[str], page_url: str, *, is_guess: bool) -> list[Found]:
    """The articles near the page in the first sitemap that has some, for a few requests at most."""
    left, has_news = _SITEMAPS_TRIED + (not is_guess), False
    for url in urls:
        # Where a sitemap for news can be read, the others are not for news.
        if left < 1 or (has_news and not says_news(url)):
            break
        # Nobody offered a place that is only guessed.
        whole = await _sitemap_at(this, url, obey_robots=is_guess)
        news = _news_children(whole, says_news(url))[: left - 1] if whole else []
        left -= 1 + len(news)
        parts = [whole if says_news(url) else None, *[await _sitemap_at(this, child) for child in news]]
        found = [found for part in parts if part and part.is_news for found in _near(part, page_url)]
        if found:
            return found
        has_news = has_news or (whole is not None and says_news(url))
    return []


def _news_children(index: Sitemap, is_for_news: bool) -> list[str]:
    """The further sitemaps of an index for news, or those of any other that say news; the newest first."""
    children = [child for child in index.children if is_for_news or says_news(child[0])]
    return [url for url, _ in sorted(children, key=lambda child: child[1] or EVER, reverse=True)]


async def _sitemap_at(this: _Round, url: str, *, obey_robots: bool = False) -> Sitemap | None:
    page = await this.get(url, obey_robots=obey_robots)
    try:
        return await this.parser.page(page.body, read_sitemap, page.url) if page else None
    except ParseError:
        return None


def _near(sitemap: Sitemap, page_url: str) -> list[Found]:
    part, host = _path(page_url).rstrip("/") + "/", host_of(page_url)
    return [one for one in sitemap.found if host_of(one.url) == host and _path(one.url).startswith(part)]


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


def _path(url: str) -> str:
    return "/" + url.split("/", 3)[3].partition("?")[0] if url.count("/") > 2 else "/"
