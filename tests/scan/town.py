"""A whole web of sources, and the ledger that a scan of it must leave behind, by construction.

plan the stories -> let some be told by several sources -> put each source on its host -> what is expected
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from scan import story as stories_of
from scan.expected import Expected
from scan.feeds import WRITERS, Writer
from scan.pages import LISTINGS, Listing
from scan.story import Date, Link, Place, Story, Title
from scan.web import Answer, Answers, Web, moved, page

RSS, DIRECT = "RSS", "Direct"


@dataclass
class Source:
    """A source as it is imported, what it tells, and what becomes of it."""

    url: str
    method: str
    stories: list[Story] = field(default_factory=list)
    # Where it is after the scan.
    kept_url: str = ""
    site_url: str | None = None
    is_gone: bool = False
    # Its body is another at each visit.
    is_volatile: bool = False
    # Its stories stand elsewhere than at its address, so nothing there tells whether they are new.
    is_elsewhere: bool = False

    def __post_init__(self) -> None:
        self.kept_url = self.kept_url or self.url


@dataclass
class Town:
    """The sources of a web, and what a scan must make of them."""

    web: Web
    sources: list[Source] = field(default_factory=list)

    def expected(self) -> Expected:
        """The ledger after one scan."""
        ledger = Expected()
        for source in self.sources:
            for story in source.stories:
                ledger.tell(source.kept_url, source.method, story)
        return ledger


def build(web: Web, number: int) -> Town:
    """A web of so many sources; every fourth is a page."""
    town = Town(web)
    feeds: list[_Feed] = []
    told = count()
    for index in range(number):
        host = f"127.1.{index // 200}.{index % 200 + 1}"
        web.hosts([host])
        if index % 4 == 3:
            _add_page(town, web.at(host), index)
        else:
            place = _place(web, host, index)
            feeds.append(_Feed(place, index, [_story(place, index, next(told)) for _ in range(3)]))
    _tell_twice(feeds)
    _share(web, feeds)
    for feed in feeds:
        _add_feed(town, feed)
    return town


@dataclass
class _Feed:
    place: Place
    index: int
    stories: list[Story]


def _place(web: Web, host: str, index: int) -> Place:
    short = host.replace("127.1.", "127.2.")
    web.hosts([short])
    return Place(web.at(host), web.at(short), f"http://localhost:{web.port}")


def _story(place: Place, index: int, number: int) -> Story:
    slug = f"story-{index}-{number}"
    make = stories_of.LINKS[number % len(stories_of.LINKS)]
    if number % 151 == 7:  # few, because all of them are one host's
        make = stories_of.capital_host
    return Story(make(place, slug), stories_of.title(number, f"Story {number}"), stories_of.date(number))


def _tell_twice(feeds: Sequence[_Feed]) -> None:
    """Let some feeds name one article by two addresses: the first is the one that counts."""
    for feed in feeds[::5]:
        once = stories_of.plain(feed.place, f"twice-{feed.index}")
        twin = replace(once, original=once.original + ("/" if feed.index % 2 else "?utm_source=again"))
        answers = {**once.answers, twin.original.partition("?")[0]: page()}
        title, date = Title("Told twice", "Told twice"), stories_of.date(0)
        feed.stories += [Story(replace(once, answers=answers), title, date), Story(twin, title, date)]


def _share(web: Web, feeds: Sequence[_Feed]) -> None:
    """Let groups of three feeds tell the same story, each in its own words and by its own address."""
    for number, group in enumerate(zip(feeds[0::8], feeds[3::8], feeds[6::8], strict=False)):
        host = f"127.3.{number // 200}.{number % 200 + 1}"
        web.hosts([host])
        links = _ways(web.at(host), number)
        full = (Title(f"Shared {number}", f"Shared {number}"), stories_of.date(number % 3))
        for place, (feed, link) in enumerate(zip(group, links, strict=True)):
            bare = number % 3 == 1 and place == 1
            title, date = (Title(None, None), Date(None, None)) if bare else full
            feed.stories.append(Story(link, title, date))


def _ways(site: str, number: int) -> list[Link]:
    """Three addresses of one article; in every third group they are the same."""
    final = f"{site}/shared-{number}"
    one = Link(final, final, (), {final: page()})
    if number % 3 == 0:
        return [one] * 3
    short = f"{site}/s{number}"
    return [
        one,
        Link(f"{final}?utm_source=two#x", final, (stories_of.TRACKING, stories_of.FRAGMENT), {}),
        Link(short, final, (stories_of.REDIRECTS,), {short: moved(final, 301)}),
    ]


# --- how a feed is served ----------------------------------------------------------------


@dataclass(frozen=True)
class _Served:
    source: Source
    answers: Answers


_Server = Callable[[str, Answer, Sequence[Story]], _Served]


def _add_feed(town: Town, feed: _Feed) -> None:
    write: Writer = WRITERS[feed.index % len(WRITERS)]
    serve = _SERVERS[feed.index // 4 % len(_SERVERS)]
    body, kind = write(f"{feed.place.site}/feed", feed.stories)
    served = serve(feed.place.site, Answer(200, body, {"Content-Type": kind}), feed.stories)
    for story in feed.stories:
        town.web.answers.update(story.link.answers)
    town.web.answers.update(served.answers)
    town.sources.append(served.source)


def _with_etag(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    url = f"{site}/feed"
    return _Served(Source(url, RSS, list(stories)), {url: replace(feed, etag='"v1"')})


def _with_date(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    url = f"{site}/feed?format=xml"
    served = replace(feed, last_modified="Fri, 13 Feb 2026 09:00:00 GMT")
    return _Served(Source(url, RSS, list(stories)), {url: served})


def _without_either(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    url = f"{site}/feed"
    return _Served(Source(url, RSS, list(stories)), {url: feed})


def _packed(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    url = f"{site}/feed"
    headers = {**feed.headers, "Content-Encoding": "gzip"}
    return _Served(Source(url, RSS, list(stories)), {url: Answer(200, gzip.compress(feed.body), headers)})


def _volatile(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    """Another body at each visit, with the same stories."""
    url, visits = f"{site}/feed", count(1)
    wide = b"\n\0" if feed.body[:1] in b"\xff\xfe" else b"\n\n"

    def served() -> Answer:
        return replace(feed, body=feed.body + wide * next(visits))

    return _Served(Source(url, RSS, list(stories), is_volatile=True), {url: served})


def _moved(*statuses: int, kept: int) -> _Server:
    """A feed behind redirects; the source follows the first `kept` of them for good."""

    def serve(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
        urls = [f"{site}/old-{n}" for n in range(len(statuses))] + [f"{site}/feed"]
        answers: Answers = {
            url: moved(following, status)
            for url, following, status in zip(urls, urls[1:], statuses, strict=False)
        }
        source = Source(urls[0], RSS, list(stories), kept_url=urls[kept])
        return _Served(source, {**answers, urls[-1]: replace(feed, etag='W/"moved"')})

    return serve


def _named_in_its_place(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    """A page where the feed was, which names the feed."""
    there = page('<title>Moved</title><link rel="alternate" type="application/atom+xml" href="feeds/new">')
    source = Source(f"{site}/feed", RSS, list(stories), f"{site}/feeds/new", is_elsewhere=True)
    return _Served(source, {f"{site}/feed": there, f"{site}/feeds/new": feed})


def _gone(site: str, feed: Answer, stories: Sequence[Story]) -> _Served:
    url = f"{site}/feed"
    return _Served(Source(url, RSS, is_gone=True), {url: Answer(410, b"Gone")})


_SERVERS: Sequence[_Server] = (
    _with_etag,
    _moved(301, kept=1),
    _without_either,
    _with_date,
    _volatile,
    _gone,
    _moved(302, kept=0),
    _packed,
    _moved(308, 301, 302, kept=2),
    _named_in_its_place,
    _with_etag,
    _moved(302, 301, kept=0),
)


def _add_page(town: Town, site: str, index: int) -> None:
    listing: Listing = LISTINGS[index // 4 % len(LISTINGS)](site, str(index))
    town.web.answers.update(listing.answers)
    town.sources.append(Source(f"{site}/", DIRECT, list(listing.stories), is_elsewhere=listing.is_elsewhere))
