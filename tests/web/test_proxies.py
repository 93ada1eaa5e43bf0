from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from web.loopback import FEED, Handler, Seen, Site, answer, quick

from digestlog.errors import AddressRefused, FetchError
from digestlog.web import guard
from digestlog.web.address import parse
from digestlog.web.fetch import Fetcher
from digestlog.web.proxies import Proxies, Proxy

PUBLIC = "93.184.216.34"


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, list[str]]]:
    """What the name server knows."""
    known = {"public.example": [PUBLIC], "inner.example": ["10.0.0.7"]}
    monkeypatch.setattr(guard, "_lookup", lambda host: known.get(host, []))
    yield known


def proxy(url: str, **environment: str) -> Proxy | None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return Proxies(from_env=True).proxy(parse(url), ssl.create_default_context)


@pytest.mark.parametrize(
    ("url", "environment", "expected"),
    [
        ("http://a.example/", {}, None),
        ("http://a.example/", {"HTTP_PROXY": "http://p.example:3128"}, "http://p.example:3128"),
        ("http://a.example/", {"http_proxy": "p.example:3128"}, "http://p.example:3128"),
        ("http://a.example/", {"HTTPS_PROXY": "http://p.example:1"}, None),
        ("https://a.example/", {"HTTPS_PROXY": "https://p.example:1/"}, "https://p.example:1"),
        ("https://a.example/", {"ALL_PROXY": "http://p.example:2"}, "http://p.example:2"),
        (
            "http://a.example/",
            {"ALL_PROXY": "http://p.example:2", "HTTP_PROXY": "http://q.example:3"},
            "http://q.example:3",
        ),
        ("http://a.example/", {"HTTP_PROXY": "http://p.example:1", "NO_PROXY": "a.example"}, None),
        ("http://b.a.example:81/", {"HTTP_PROXY": "http://p.example:1", "NO_PROXY": ".a.example:81"}, None),
        (
            "http://b.example/",
            {"HTTP_PROXY": "http://p.example:1", "NO_PROXY": "a.example"},
            "http://p.example:1",
        ),
        ("http://b.example/", {"HTTP_PROXY": "http://p.example:1", "NO_PROXY": "*"}, None),
        ("http://b.example/", {"NO_PROXY": "a.example"}, None),
    ],
)
def test_environment(url: str, environment: dict[str, str], expected: str | None) -> None:
    found = proxy(url, **environment)
    assert (found.url if found else None) == expected


def test_name_and_password() -> None:
    found = proxy("http://a.example/", HTTP_PROXY="http://me:w%40rd@p.example:3128")
    assert found is not None
    assert found.auth == ("me", "w@rd")


@pytest.mark.parametrize("value", ["socks5://p.example:1080", "http://", "ftp://p.example"])
def test_a_proxy_that_cannot_be_used_is_not_passed_by(value: str) -> None:
    with pytest.raises(FetchError, match="^http://a.example/ was not asked: the proxy") as caught:
        proxy("http://a.example/", HTTP_PROXY=value)
    assert "HTTP_PROXY" in (caught.value.hint or "")


def test_the_environment_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://p.example")
    assert Proxies(from_env=False).proxy(parse("http://a.example/"), ssl.create_default_context) is None


@asynccontextmanager
async def through(site: Site, patch: pytest.MonkeyPatch, **pins: tuple[str, int]) -> AsyncIterator[Fetcher]:
    """A fetcher whose requests go through a proxy in the private network."""
    async with site:
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            patch.setenv(name, f"http://me:word@127.0.0.1:{site.port}")
        async with quick(
            proxies_from_env=True, pins={f"{host}.example": at for host, at in pins.items()}
        ) as fetcher:
            yield fetcher


def test_public_names_go_through(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        site = Site({"http://public.example:80/feed": answer(200, FEED)})
        async with through(site, monkeypatch) as fetcher:
            got = await fetcher.get("http://public.example/feed")
            assert got.body == FEED
            assert got.url == "http://public.example/feed"
            assert site.seen[0].headers["host"] == "public.example"
            assert site.seen[0].headers["proxy-authorization"].startswith("Basic ")

    asyncio.run(body())


@pytest.mark.parametrize(
    "url", ["http://inner.example/", "http://127.0.0.1:9/", "https://[::1]/", "https://inner.example/"]
)
def test_private_names_are_not_handed_to_the_proxy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        site = Site()
        async with through(site, monkeypatch) as fetcher:
            with pytest.raises(AddressRefused, match="leads to a private address"):
                await fetcher.get(url)
            assert site.seen == []

    asyncio.run(body())


def test_a_redirect_does_not_lead_the_proxy_into_a_private_network(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        site = Site({"http://public.example:80/": answer(302, Location="http://inner.example/")})
        async with through(site, monkeypatch) as fetcher:
            with pytest.raises(AddressRefused):
                await fetcher.get("http://public.example/")
            assert len(site.seen) == 1

    asyncio.run(body())


def test_a_persons_own_network_may_be_behind_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        site = Site({"http://inner.example:80/": answer(200, b"inside")})
        async with through(site, monkeypatch) as fetcher:
            assert (await fetcher.get("http://inner.example/", allow_private=True)).body == b"inside"

    asyncio.run(body())


def test_pinned_hosts_need_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        proxy_site = Site()
        async with Site({"/": answer(200, b"demo")}) as demo:
            async with through(proxy_site, monkeypatch, demo=("127.0.0.1", demo.port)) as fetcher:
                assert (await fetcher.get("http://demo.example/")).body == b"demo"
                assert proxy_site.seen == []

    asyncio.run(body())


def refusing(status: bytes) -> Handler:
    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        assert seen.method == "CONNECT"
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")

    return send


@pytest.mark.parametrize("status", [b"403 Forbidden", b"407 Who are you"])
def test_a_proxy_that_refuses(status: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        site = Site({"public.example:443": refusing(status)})
        async with through(site, monkeypatch) as fetcher:
            with pytest.raises(
                FetchError, match=rf"refused by the proxy \({status[:3].decode()}\)$"
            ) as caught:
                await fetcher.get("https://public.example/")
            assert caught.value.temporary

    asyncio.run(body())
