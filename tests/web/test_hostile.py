"""Servers that mean harm or are out of order: each failure has its words, none costs much."""

from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc

import pytest
from web.loopback import FEED, Handler, Seen, Site, answer, endless, quick, raw, silent, visit

from digestlog.errors import FetchError
from digestlog.web import fetch
from digestlog.web.fetch import Fetcher

OK = b"HTTP/1.1 200 OK\r\n"


def failure(handler: bytes | Handler, **changes: object) -> FetchError:
    """The error that fetching from this server ends in."""
    caught: list[FetchError] = []

    async def body(site: Site, fetcher: Fetcher) -> None:
        with pytest.raises(FetchError) as error:
            await fetcher.get(site.url("/x"), allow_private=True)
        assert error.value.message.startswith(site.url("/x") + " ")
        assert error.value.message.isprintable()
        caught.append(error.value)
        assert (await fetcher.get(site.url("/well"), allow_private=True)).body == FEED

    visit({"/x": handler, "/well": answer(200, FEED)}, body, **changes)
    return caught[0]


@pytest.mark.parametrize(
    "handler",
    [
        raw(OK + b"Content-Length: 100\r\n\r\n", b"half"),
        raw(OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
        raw(OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
        raw(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
        raw(OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(FEED)[:-9]),
    ],
)
def test_cut_off(handler: Handler) -> None:
    error = failure(handler)
    assert error.message.endswith("/x was cut off")
    assert error.temporary


WORDS = (
    "/x gave no proper answer",
    "/x answered something that is not HTTP",
    "/x hung up without an answer",
)


@pytest.mark.parametrize(
    "handler",
    [
        raw(b"rubbish\r\n\r\n"),
        raw(b"\x16\x03\x01\x02"),
        raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        raw(b"HTTP/1.1 abc OK\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        raw(b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n"),
        raw(OK),
        raw(),
    ],
)
def test_no_proper_answer(handler: Handler) -> None:
    error = failure(handler)
    assert error.message.endswith(WORDS)
    assert error.temporary


def test_reset() -> None:
    async def reset(writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.transport.abort()

    assert failure(reset).temporary


@pytest.mark.parametrize("handler", [silent(), silent(OK), silent(OK + b"Content-Length: 9\r\n\r\nhalf")])
def test_silence(handler: Handler) -> None:
    error = failure(handler, read_s=0.1)
    assert error.message.endswith("/x stopped answering")
    assert error.temporary


@pytest.mark.parametrize(
    "handler",
    [
        endless(OK + b"\r\n", b"x" * 65_536),
        endless(OK + b"Content-Length: 1000000000\r\n\r\n", b"x" * 65_536),
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"ffff\r\n" + b"x" * 65_535 + b"\r\n"),
        answer(200, gzip.compress(b"\0" * 50_000_000), Content_Encoding="gzip"),
    ],
)
def test_too_large(handler: bytes | Handler) -> None:
    tracemalloc.start()
    try:
        error = failure(handler, max_body=2_000_000)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    assert error.message.endswith(
        ("/x is larger than 2,000,000 bytes", "/x unpacks to more than 2,000,000 bytes")
    )
    assert not error.temporary


@pytest.mark.parametrize(
    "handler",
    [
        raw(OK + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 1000) for n in range(10_000)) + b"\r\n"),
        endless(OK, b"X-Y: " + b"z" * 1000 + b"\r\n"),
        endless(OK + b"X-Y: ", b"z" * 10_000),
        endless(b"HTTP/1.1 200 ", b"z" * 10_000),
    ],
)
def test_headers_without_end(handler: Handler) -> None:
    tracemalloc.start()
    try:
        error = failure(handler)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    assert error.message.endswith("/x sent more headers than anyone needs")


def drip(start: bytes, part: bytes) -> Handler:
    """One small part after another, for ever."""

    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.write(start)
        while True:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)

    return send


@pytest.mark.parametrize(
    "handler",
    [
        silent(),
        silent(OK + b"X-Y:"),
        drip(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        drip(OK + b"\r\n", b"x"),
        drip(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
)
def test_the_total_time_bounds_all(handler: Handler) -> None:
    start = time.perf_counter()
    error = failure(handler, total_s=0.1)
    assert time.perf_counter() - start < 5
    assert error.message.endswith("/x took longer than 0.1 s")
    assert error.temporary


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


def test_the_total_time_spans_redirects(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Time()
    monkeypatch.setattr(fetch, "time", clock)

    async def slow(writer: asyncio.StreamWriter, seen: Seen) -> None:
        clock.now += 25
        writer.write(answer(302, b"", Location=f"/{int(seen.target[1:]) + 1}", Connection="close"))

    async def body(site: Site, fetcher: Fetcher) -> None:
        with pytest.raises(FetchError, match="/0 took longer than 60 s"):
            await fetcher.get(site.url("/0"), allow_private=True)
        assert len(site.seen) == 3

    visit({f"/{n}": slow for n in range(9)}, body)


def test_waiting_for_a_turn_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Time()
    monkeypatch.setattr(fetch, "time", clock)

    async def sleep(seconds: float) -> None:
        clock.now += seconds

    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/a"), allow_private=True)
        assert (got.elapsed_s, clock.now) == (0, 1100)

    visit(
        {"/a": answer(302, b"", Location="/b")}, body, host_delay_s=100.0, clock=clock.monotonic, sleep=sleep
    )


def test_a_caller_that_gives_up_is_not_told_a_story() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        task = asyncio.create_task(fetcher.get(site.url("/x"), allow_private=True))
        while not site.seen:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        for _ in range(3):  # its place at the host was given back
            assert (await fetcher.get(site.url("/well"), allow_private=True)).body == FEED

    visit({"/x": silent(), "/well": answer(200, FEED)}, body, per_host=1)


def test_an_unasked_encoding() -> None:
    error = failure(answer(200, b"x", Content_Encoding="lzma"))
    assert "compressed in a way that was not asked for (lzma)" in error.message


def test_a_kept_connection_that_the_server_closed_is_replaced() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for _ in range(4):
            assert (await fetcher.get(site.url("/a"), allow_private=True)).body == FEED

    # It says nothing of closing, and closes only once the next request is there.
    site = visit({"/a": once_per_connection(answer(200, FEED))}, body)
    assert site.connections == 4


def test_all_kept_connections_may_be_closed() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        both = (fetcher.get(site.url("/a"), allow_private=True) for _ in range(2))
        await asyncio.gather(*both)
        assert site.connections == 2
        assert (await fetcher.get(site.url("/a"), allow_private=True)).body == FEED
        assert (site.connections, fetcher.requests) == (3, 5)

    visit({"/a": once_per_connection(answer(200, FEED))}, body)


def once_per_connection(whole: bytes) -> Handler:
    async def send(writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.write(whole)
        await writer.drain()
        transport = writer.transport
        reader = transport.get_protocol()._stream_reader  # type: ignore[attr-defined]
        await reader.readuntil(b"\r\n\r\n")
        transport.abort()

    return send


def test_a_new_connection_that_fails_is_not_tried_again() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        with pytest.raises(FetchError):
            await fetcher.get(site.url("/x"), allow_private=True)
        assert fetcher.requests == 1

    visit({"/x": raw()}, body)


def test_only_so_many_origins_are_kept_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digestlog.web.connections._KEPT_ORIGINS", 3)

    async def body() -> None:
        async with Site({"/": answer(200, FEED)}) as site:
            pins = {f"h{n}.example": ("127.0.0.1", site.port) for n in range(8)}
            async with quick(pins=pins) as fetcher:
                await asyncio.gather(*(fetcher.get(f"http://{host}/") for host in pins))
                for host in pins:
                    await fetcher.get(f"http://{host}/")
                assert len(fetcher._connections._sites) == 3

    asyncio.run(body())


def test_many_failures_at_once_leave_the_others_whole() -> None:
    bad: dict[str, bytes | Handler] = {
        "/bomb": answer(200, gzip.compress(b"\0" * 20_000_000), Content_Encoding="gzip"),
        "/cut": raw(OK + b"Content-Length: 9\r\n\r\nx"),
        "/loop": answer(302, b"", Location="/loop"),
        "/in": answer(302, b"", Location="http://169.254.169.254/"),
        "/rubbish": raw(b"?"),
    }

    async def body() -> None:
        async with Site({**bad, "/well": answer(200, FEED)}) as site:
            pins = {f"h{n}.example": ("127.0.0.1", site.port) for n in range(60)}
            paths = [*bad, *["/well"] * 5]
            async with quick(pins=pins, max_body=1_000_000) as fetcher:
                urls = [f"http://{host}{paths[n % 10]}" for n, host in enumerate(pins)]
                got = await asyncio.gather(*(fetcher.get(url) for url in urls), return_exceptions=True)
        for url, outcome in zip(urls, got, strict=True):
            if url.endswith("/well"):
                assert not isinstance(outcome, BaseException)
                assert outcome.body == FEED
            else:
                assert isinstance(outcome, FetchError)
                assert outcome.message.startswith(url)

    asyncio.run(body())
