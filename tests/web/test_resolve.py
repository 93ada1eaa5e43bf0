"""Resolving: HEAD where it is welcome, GET without its body where it is not."""

from __future__ import annotations

import asyncio

import pytest
from web.loopback import Handler, Seen, Site, answer, endless, moved, quick, raw, silent, visit

from digestlog.core.model import Hop
from digestlog.errors import FetchError
from digestlog.web.fetch import Fetcher


def unless_head(refusal: bytes | Handler, otherwise: bytes | Handler) -> Handler:
    """Answers HEAD in one way and all else in another."""

    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        found = refusal if seen.method == "HEAD" else otherwise
        if callable(found):
            await found(writer, seen)
        else:
            writer.write(found)

    return send


def test_head_only() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.resolve(site.url("/a"), allow_private=True)
        assert (got.requested_url, got.url, got.status) == (site.url("/a"), site.url("/b"), 200)
        assert got.hops == (Hop(301, site.url("/b")),)
        assert got.redirected

    site = visit({"/a": moved("/b", 301), "/b": answer(200, b"a page")}, body)
    assert site.targets == ["HEAD /a", "HEAD /b"]
    assert site.connections == 1


def test_an_address_that_stays_is_given_back_as_written() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        odd = site.url("/A b?x=é").replace("http", "HTTP")
        got = await fetcher.resolve(odd, allow_private=True)
        assert (got.url, got.redirected) == (odd, False)

    visit({"/A%20b": answer(200)}, body)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 500, 501])
def test_a_refused_head_is_asked_again_by_get(status: int) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for _ in range(2):
            got = await fetcher.resolve(site.url("/a"), allow_private=True)
            assert (got.url, got.status) == (site.url("/b"), 200)

    answers: dict[str, bytes | Handler] = {
        "/a": unless_head(answer(status, b"", Connection="close"), moved("/b")),
        "/b": answer(200),
    }
    site = visit(answers, body)
    # The second time this host is known to refuse HEAD.
    assert site.targets == ["HEAD /a", "GET /a", "GET /b", "GET /a", "GET /b"]


@pytest.mark.parametrize("broken", [raw(), raw(b"rubbish\r\n\r\n"), raw(b"HTTP/1.1 200"), silent()])
def test_a_head_that_breaks_is_asked_again_by_get(broken: Handler) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.resolve(site.url("/a"), allow_private=True)).status == 200

    site = visit({"/a": unless_head(broken, answer(200, b"page"))}, body, read_s=0.2)
    assert site.targets == ["HEAD /a", "GET /a"]


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_host_is_not_asked_twice(status: int) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.resolve(site.url("/a"), allow_private=True)).status == status

    assert visit({"/a": answer(status)}, body).targets == ["HEAD /a"]


def test_how_long_a_busy_host_wants_to_be_left_alone_is_told() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        found = await fetcher.resolve(site.url("/a"), allow_private=True)
        assert (found.status, found.retry_after_s) == (503, 7200)

    visit({"/a": answer(503, Retry_After="7200")}, body)


def test_a_page_that_is_not_there_is_asked_twice_each_time() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for _ in range(2):
            assert (await fetcher.resolve(site.url("/a"), allow_private=True)).status == 404

    assert visit({}, body).targets == ["HEAD /a", "GET /a"] * 2


def test_no_body_is_read() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.resolve(site.url("/a"), allow_private=True)
        assert (got.status, got.redirected) == (200, False)

    big = endless(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", b"x" * 65_536)
    visit({"/a": unless_head(answer(405, b"", Connection="close"), big)}, body)


@pytest.mark.parametrize(
    "start", [b"Content-Length: 100\r\n\r\nonly this", b"Transfer-Encoding: chunked\r\n\r\n5\r\n"]
)
def test_a_redirect_with_half_a_body_is_followed(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digestlog.web.connections._DRAIN_S", 0.05)

    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/a"), allow_private=True)).url == site.url("/b")

    visit({"/a": silent(b"HTTP/1.1 302 x\r\nLocation: /b\r\n" + start)}, body)


@pytest.mark.parametrize(("size", "connections"), [(10, 1), (400_000, 2)])
def test_a_short_body_of_unknown_length_keeps_its_connection(size: int, connections: int) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/a"), allow_private=True)).url == site.url("/b")

    chunk = b"%x\r\n%s\r\n" % (size, b"x" * size)
    redirect = (
        b"HTTP/1.1 302 x\r\nLocation: /b\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 2 + b"0\r\n\r\n"
    )
    assert visit({"/a": redirect}, body).connections == connections


def test_head_answered_with_a_body_does_not_spoil_the_next_answer() -> None:
    async def body() -> None:
        async with (
            Site({"/a": answer(200, b"hello"), "/b": moved("/a")}, wordy=True) as site,
            quick() as fetcher,
        ):
            for path in ("/a", "/b", "/a"):
                got = await fetcher.resolve(site.url(path), allow_private=True)
                assert (got.url, got.status) == (site.url("/a"), 200)

    asyncio.run(body())


def test_what_cannot_be_reached_is_not_asked_by_get() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        with pytest.raises(FetchError, match="nothing answers there") as caught:
            await fetcher.resolve("http://127.0.0.1:1/", allow_private=True)
        assert caught.value.temporary
        assert fetcher.requests == 1

    visit({}, body)
