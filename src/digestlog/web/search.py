"""Web search by a service that the person has configured."""

from __future__ import annotations

from urllib.parse import urlsplit

from digestlog.core.digest import Hit
from digestlog.core.hits import feed_hits, searxng_hits, searxng_url, template_url
from digestlog.web.exchange import Ask, Bounds, Exchange, Reply, refused

_JSON = "application/json"
_FEED = "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5"


class SearxngSearch:
    """Asks a SearXNG for JSON."""

    def __init__(self, url: str, bounds: Bounds | None = None) -> None:
        self.name = f"SearXNG at {urlsplit(url).netloc}"
        self._url = url
        self._exchange = Exchange(bounds or Bounds())

    async def search(self, query: str, *, limit: int) -> list[Hit]:
        """At most so many answers, best first."""
        reply = await _get(self._exchange, self.name, searxng_url(self._url, query), _JSON)
        return searxng_hits(reply.body, limit)


class FeedSearch:
    """Asks any search that answers with a feed."""

    def __init__(self, template: str, bounds: Bounds | None = None) -> None:
        self.name = f"search at {urlsplit(template).netloc}"
        self._template = template
        self._exchange = Exchange(bounds or Bounds())

    async def search(self, query: str, *, limit: int) -> list[Hit]:
        """At most so many answers, best first."""
        url = template_url(self._template, query, limit)
        reply = await _get(self._exchange, self.name, url, _FEED)
        return feed_hits(reply.body, url, reply.content_type, limit)


async def _get(exchange: Exchange, name: str, url: str, accept: str) -> Reply:
    reply = await exchange.send(Ask("GET", url, {"accept": accept}))
    if reply.status != 200:
        raise refused(name, reply.status)
    return reply
