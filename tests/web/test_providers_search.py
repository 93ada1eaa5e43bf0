"""Web search: SearXNG and feeds, on the loopback address."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from provider_fakes import Memory
from web.loopback import Handler, Site, answer, endless, moved, packed, raw, silent

from digestlog.core.digest import Hit, Search
from digestlog.errors import ClassifierError
from digestlog.web.exchange import Bounds
from digestlog.web.providers import providers_from_env
from digestlog.web.search import FeedSearch, SearxngSearch

RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Search</title>
<item><title>Ebb</title><link>https://a.example/ebb</link></item>
<item><title>Flow</title><link>/flow</link></item></channel></rss>"""
FOUND = json.dumps(
    {"results": [{"url": "https://a.example/ebb", "title": "Ebb", "content": "Low."}]}
).encode()

Body = Callable[[Site, Search], Awaitable[None]]


def searching(kind: str, says: bytes | Handler, body: Body, path: str = "/search") -> Site:
    """Run a test's body with a site and the search that asks it."""
    site = Site({path: says})

    async def both() -> None:
        async with site:
            url = site.url().rstrip("/")
            value = f"searxng:{url}" if kind == "searxng" else f"{url}/search?n={{count}}&q={{query}}"
            providers = providers_from_env({"DIGESTLOG_SEARCH_URL": value}, Memory())
            assert providers.search is not None
            assert (providers.classifier, providers.summariser) == (None, None)
            await body(site, providers.search)

    asyncio.run(both())
    return site


def failure(kind: str, says: bytes | Handler) -> str:
    caught: list[str] = []

    async def body(site: Site, search: Search) -> None:
        with pytest.raises(ClassifierError) as error:
            await search.search("tides", limit=3)
        caught.append(error.value.message)

    searching(kind, says, body)
    assert "\n" not in caught[0]
    return caught[0]


def test_searxng() -> None:
    async def body(site: Site, search: Search) -> None:
        assert search.name == f"SearXNG at 127.0.0.1:{site.port}"
        assert await search.search("spring tides & moons", limit=3) == [
            Hit("https://a.example/ebb", "Ebb", "Low.")
        ]

    site = searching("searxng", answer(200, FOUND), body)
    assert site.targets == ["GET /search?q=spring%20tides%20%26%20moons&format=json"]
    assert site.seen[0].headers["accept"] == "application/json"


def test_a_feed() -> None:
    async def body(site: Site, search: Search) -> None:
        assert search.name == f"search at 127.0.0.1:{site.port}"
        assert await search.search("été", limit=3) == [
            Hit("https://a.example/ebb", "Ebb"),
            Hit(site.url("/flow"), "Flow"),
        ]
        assert len(await search.search("été", limit=1)) == 1

    site = searching("feed", packed(RSS), body)
    assert site.targets == ["GET /search?n=3&q=%C3%A9t%C3%A9", "GET /search?n=1&q=%C3%A9t%C3%A9"]


@pytest.mark.parametrize("kind", ["searxng", "feed"])
@pytest.mark.parametrize(
    ("says", "words"),
    [
        (answer(403, b"format json is off"), "does not allow this (403)"),
        (answer(429), "is asked too often, or the quota is used up (429)"),
        (answer(502), "has an error of its own (502)"),
        (moved("http://127.0.0.1:9/elsewhere"), "has moved"),
        (raw(), "hung up without an answer"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"), "was cut off"),
    ],
    ids=range(6),
)
def test_refusals(kind: str, says: bytes | Handler, words: str) -> None:
    assert failure(kind, says).endswith(words)


def test_other_answers() -> None:
    page = answer(200, b"<!doctype html><title>Are you human?</title>")
    assert failure("searxng", page) == "the search answered something that is not JSON"
    assert failure("feed", page) == "the search answered something that is not a feed"
    assert failure("searxng", answer(200, b"{}")) == "the search gave no list of results"


def test_an_answer_that_never_ends() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    says = endless(head, b"10000\r\n" + b" " * 0x10000 + b"\r\n")
    assert failure("feed", says).endswith(" is larger than 15,000,000 bytes")


@pytest.mark.parametrize("make", [SearxngSearch, FeedSearch])
def test_a_search_that_hangs(make: type[SearxngSearch] | type[FeedSearch]) -> None:
    async def both() -> None:
        async with Site({"/": silent()}) as site:
            search = make(site.url("/"), Bounds(total_s=0.5))
            with pytest.raises(ClassifierError, match=r"took longer than 0.5 s$"):
                await search.search("tides", limit=3)

    asyncio.run(both())


def test_one_failure_does_not_end_the_search() -> None:
    async def body(site: Site, search: Search) -> None:
        with pytest.raises(ClassifierError):
            await search.search("tides", limit=3)
        site.answers["/search"] = answer(200, RSS)
        assert len(await search.search("tides", limit=3)) == 2

    searching("feed", answer(500), body)
