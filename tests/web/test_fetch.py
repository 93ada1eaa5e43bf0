"""What a fetch brings back, how it follows redirects, and what it tells the server."""

from __future__ import annotations

import asyncio

import pytest
from web.loopback import FEED, Handler, Seen, Site, answer, moved, packed, quick, raw, visit

from digestlog import __version__
from digestlog.core.model import Hop
from digestlog.errors import AddressRefused, FetchError, RedirectRefused
from digestlog.web.fetch import Fetcher, Limits


def test_what_a_fetch_brings_back() -> None:
    fields = {
        "Content_Type": "text/xml; charset=UTF-8",
        "ETag": '"v1"',
        "Last_Modified": "Fri, 13 Feb 2026 09:02:10 GMT",
        "Cache_Control": "max-age=600",
        "Retry_After": "5",
    }

    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/feed"), allow_private=True)
        assert (got.requested_url, got.url, got.status) == (site.url("/feed"), site.url("/feed"), 200)
        assert (got.content_type, got.charset, got.body) == (fields["Content_Type"], "utf-8", FEED)
        assert (got.etag, got.last_modified) == (fields["ETag"], fields["Last_Modified"])
        assert (got.max_age_s, got.retry_after_s, got.hops) == (600, 5, ())
        assert got.permanent_url == site.url("/feed")
        assert 0 < got.elapsed_s < 30
        assert fetcher.requests == 1

    visit({"/feed": answer(200, FEED, **fields)}, body)


def test_what_a_bare_answer_leaves_open() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/"), allow_private=True)
        assert (got.content_type, got.charset, got.etag, got.last_modified) == (None, None, None, None)
        assert (got.max_age_s, got.retry_after_s) == (None, None)

    visit({"/": answer(200, b"x")}, body)


@pytest.mark.parametrize("status", [200, 204, 300, 304, 404, 410, 429, 500, 503])
def test_every_status_is_an_answer(status: int) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/"), allow_private=True)
        assert (got.status, got.body) == (status, b"" if status in (204, 304) else b"words")

    bare = status in (204, 304)
    visit(
        {
            "/": raw(b"HTTP/1.1 304 x\r\nContent-Encoding: gzip\r\n\r\n")
            if status == 304
            else answer(status, b"" if bare else b"words")
        },
        body,
    )


def test_packed_bodies_are_unpacked() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/"), allow_private=True)).body == FEED

    site = visit({"/": packed(FEED)}, body)
    assert site.seen[0].headers["accept-encoding"] == "gzip, deflate, br, zstd"


def test_chunks_and_bodies_up_to_the_end_of_the_connection() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for path in ("/chunks", "/end"):
            assert (await fetcher.get(site.url(path), allow_private=True)).body == b"hello"

    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
    visit({"/chunks": chunks, "/end": raw(b"HTTP/1.0 200 OK\r\n\r\n", b"hel", b"lo")}, body)


@pytest.mark.parametrize(
    ("contact", "agent"),
    [
        (None, ""),
        ("  ", ""),
        ("me@tides.example", " (+me@tides.example)"),
        ("https://tides.example/\r\nX: (y)", " (+https://tides.example/X: y)"),
        ("Jürgen", " (+Jrgen)"),
    ],
)
def test_says_who_asks(contact: str | None, agent: str) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        await fetcher.get(site.url("/"), allow_private=True)

    sent = visit({}, body, contact=contact).seen[0].headers
    assert sent["user-agent"] == f"digestlog/{__version__}{agent}"
    assert "application/atom+xml" in sent["accept"]
    assert sent.keys() == {"host", "user-agent", "accept", "accept-encoding"}


def test_asks_only_for_what_has_changed() -> None:
    async def unchanged(writer: asyncio.StreamWriter, seen: Seen) -> None:
        assert seen.headers["if-none-match"] == 'W/"1"'
        assert seen.headers["if-modified-since"] == "Fri, 13 Feb 2026 09:02:10 GMT"
        writer.write(b'HTTP/1.1 304 Not Modified\r\nETag: W/"2"\r\n\r\n')

    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(
            site.url("/"), allow_private=True, etag='W/"1"', last_modified="Fri, 13 Feb 2026 09:02:10 GMT"
        )
        assert (got.status, got.body, got.etag) == (304, b"", 'W/"2"')

    visit({"/": unchanged}, body)


def test_validators_stay_with_their_host_and_must_be_harmless() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        to = f"http://localhost:{site.port}/b"
        site.answers["/a"] = moved(to)
        await fetcher.get(site.url("/a"), allow_private=True, etag='"1"', last_modified="x\r\nevil: y")

    first, second = visit({}, body).seen
    assert first.headers["if-none-match"] == '"1"'
    assert "if-modified-since" not in first.headers
    assert "if-none-match" not in second.headers


def test_the_target_is_sent_as_written() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        await fetcher.get(site.url("/%7Ea%2fb|c[1]?q=[x]|y&z=%20#part"), allow_private=True)

    assert visit({}, body).targets == ["GET /%7Ea%2fb|c[1]?q=[x]|y&z=%20"]


def test_cookies_are_neither_kept_nor_sent() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for path in ("/a", "/b"):
            await fetcher.get(site.url(path), allow_private=True)

    redirect = answer(302, Location="/b", Set_Cookie="id=1; Path=/")
    site = visit({"/a": redirect, "/b": answer(200, b"", Set_Cookie="id=2")}, body)
    assert len(site.seen) == 3
    assert all("cookie" not in seen.headers for seen in site.seen)


def test_a_password_in_the_address_is_not_sent_nor_shown() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        await fetcher.get(f"http://me:word@127.0.0.1:{site.port}/", allow_private=True)
        with pytest.raises(FetchError) as caught:
            await fetcher.get(f"http://me:word@127.0.0.1:{site.port}/")
        assert "word" not in caught.value.message

    assert "authorization" not in visit({}, body).seen[0].headers


def test_redirects_are_followed_and_noted() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/a"), allow_private=True)
        assert got.hops == (
            Hop(301, site.url("/b/")),
            Hop(308, site.url("/b/c?x=[1]|2")),
            Hop(302, site.url("/d#part")),
            Hop(301, site.url("/e")),
        )
        assert (got.url, got.body) == (site.url("/e"), FEED)
        assert got.permanent_url == site.url("/b/c?x=[1]|2")

    answers: dict[str, bytes | Handler] = {
        "/a": moved("/b/", 301),
        "/b/": moved("c?x=[1]|2", 308),
        "/b/c": moved("../d#part", 302),
        "/d": moved("e", 301),
        "/e": answer(200, FEED),
    }
    site = visit(answers, body)
    assert site.targets == ["GET /a", "GET /b/", "GET /b/c?x=[1]|2", "GET /d", "GET /e"]
    assert site.connections == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_kinds_of_redirects(status: int) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/a"), allow_private=True)).hops == (Hop(status, site.url("/b")),)

    visit({"/a": moved("/b", status)}, body)


@pytest.mark.parametrize("fields", [{}, {"Location": ""}, {"Location": "  "}])
def test_a_redirect_to_nowhere_is_an_answer(fields: dict[str, str]) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/a"), allow_private=True)
        assert (got.status, got.body, got.hops) == (302, b"lost", ())
        resolved = await fetcher.resolve(site.url("/a"), allow_private=True)
        assert (resolved.status, resolved.redirected) == (302, False)

    visit({"/a": answer(302, b"lost", **fields)}, body)


def test_a_location_in_latin_letters_and_a_second_one() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for path in ("/utf8", "/latin1"):
            assert (await fetcher.get(site.url(path), allow_private=True)).url == site.url("/caf%C3%A9")

    start = b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: /caf"
    visit(
        {"/utf8": start + b"\xc3\xa9\r\nLocation: /other\r\n\r\n", "/latin1": start + b"\xe9\r\n\r\n"}, body
    )


@pytest.mark.parametrize(
    "location",
    ["http://", "http://a b/", "ftp://t.example/x", "javascript:alert(1)", "file:///etc/passwd", "//"],
)
def test_redirects_that_cannot_be_followed(location: str) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for way in (fetcher.get, fetcher.resolve):
            with pytest.raises(FetchError, match="redirects to an address that cannot be followed") as caught:
                await way(site.url("/a"), allow_private=True)
            assert caught.value.message.startswith(site.url("/a"))
            assert not caught.value.temporary

    visit({"/a": moved(location)}, body)


@pytest.mark.parametrize(
    "answers", [{"/a": moved("/a")}, {"/a": moved("#x")}, {"/a": moved("/b"), "/b": moved("/a")}]
)
def test_a_circle(answers: dict[str, bytes | Handler]) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for way in (fetcher.get, fetcher.resolve):
            with pytest.raises(FetchError, match="/a redirects in a circle$") as caught:
                await way(site.url("/a"), allow_private=True)
            assert not caught.value.temporary

    visit(answers, body)


@pytest.mark.parametrize(("hops", "followed"), [(10, True), (11, False)])
def test_ten_redirects_and_no_more(hops: int, followed: bool) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for way in (fetcher.get, fetcher.resolve):
            if followed:
                assert len((await way(site.url("/0"), allow_private=True)).hops) == 10
            else:
                with pytest.raises(FetchError, match="redirects more than 10 times"):
                    await way(site.url("/0"), allow_private=True)

    visit({f"/{n}": moved(f"/{n + 1}") for n in range(hops)}, body)


@pytest.mark.parametrize(
    "to",
    [
        "http://127.0.0.1:9/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://2130706433/",
        "http://localhost/",
    ],
)
def test_a_pinned_host_leads_nowhere_else(to: str) -> None:
    async def body(site: Site, _: Fetcher) -> None:
        site.answers["/own"] = moved(site.url("/"))
        async with quick(pins={"demo.example": ("127.0.0.1", site.port)}) as fetcher:
            assert (await fetcher.get("http://demo.example/ok")).body == FEED
            for path in ("/out", "/own"):
                for way in (fetcher.get, fetcher.resolve):
                    with pytest.raises(
                        AddressRefused, match=f"^http://demo.example{path} leads to a private"
                    ):
                        await way(f"http://demo.example{path}")

    visit({"/ok": answer(200, FEED), "/out": moved(to)}, body)


def test_permission_for_a_private_network_holds_for_the_call_only() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        await fetcher.get(site.url("/"), allow_private=True)
        for way in (fetcher.get, fetcher.resolve):
            with pytest.raises(AddressRefused):  # though a connection is open
                await way(site.url("/"))

    assert len(visit({}, body).seen) == 1


@pytest.mark.parametrize(
    "url",
    ["", "tides", "http://", "ftp://t.example/", "http://[::1%25eth0]/", "\ud800", "http://t.example:x/"],
)
def test_what_is_no_address(url: str) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for way in (fetcher.get, fetcher.resolve, fetcher.allowed):
            with pytest.raises(FetchError) as caught:
                await way(url)
            assert not caught.value.temporary

    visit({}, body)


def test_connections_are_kept_and_shared() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for _ in range(5):
            await fetcher.get(site.url("/a"), allow_private=True)
            await fetcher.get(site.url("/b"), allow_private=True)
            await fetcher.resolve(site.url("/b"), allow_private=True)
        assert fetcher.requests == 20

    site = visit({"/a": moved("/b"), "/b": packed(FEED)}, body)
    assert site.connections == 1


def test_two_at_once_at_one_host() -> None:
    inside = most = 0

    async def slow(writer: asyncio.StreamWriter, seen: Seen) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        for _ in range(20):
            await asyncio.sleep(0)
        inside -= 1
        writer.write(answer(200, b"x", Connection="close"))

    async def body(site: Site, fetcher: Fetcher) -> None:
        await asyncio.gather(*(fetcher.get(site.url("/"), allow_private=True) for _ in range(8)))

    visit({"/": slow}, body)
    assert most == 2


def test_requests_keep_their_distance() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def body(site: Site, fetcher: Fetcher) -> None:
        await fetcher.get(site.url("/a"), allow_private=True)

    visit({"/a": moved("/b")}, body, host_delay_s=2.0, clock=lambda: 7.0, sleep=sleep)
    assert waits == [2.0]


@pytest.mark.parametrize("status", [429, 503])
def test_a_host_that_asks_for_it_is_left_alone(status: int) -> None:
    now = 50.0

    async def body(site: Site, fetcher: Fetcher) -> None:
        nonlocal now
        assert (await fetcher.get(site.url("/busy"), allow_private=True)).retry_after_s == 60
        for way in (fetcher.get, fetcher.resolve):
            with pytest.raises(FetchError, match="wants to be left alone for 60 s") as caught:
                await way(site.url("/other"), allow_private=True)
            assert (caught.value.temporary, caught.value.retry_after_s) == (True, 60)
        assert fetcher.requests == 1
        now += 60
        assert (await fetcher.get(site.url("/other"), allow_private=True)).status == 404

    visit({"/busy": answer(status, b"", Retry_After="60")}, body, clock=lambda: now)


def test_busy_without_a_time_is_no_pause() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for _ in range(2):
            assert (await fetcher.get(site.url("/busy"), allow_private=True)).status == 503

    visit({"/busy": answer(503)}, body)


def test_robots_are_obeyed_where_asked_also_behind_a_redirect() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/closed"), allow_private=True)).status == 404
        for path in ("/closed", "/to-closed"):
            with pytest.raises(FetchError, match=f"{site.url('/closed')} is closed to programs"):
                await fetcher.get(site.url(path), allow_private=True, obey_robots=True)
        assert (await fetcher.get(site.url("/open"), allow_private=True, obey_robots=True)).status == 404
        assert not await fetcher.allowed(site.url("/closed"), allow_private=True)
        assert await fetcher.allowed(site.url("/open"), allow_private=True)

    rules = answer(200, b"User-agent: *\nDisallow: /closed\n" + b"#" * 1_000_000)
    site = visit({"/robots.txt": moved("/r"), "/r": rules, "/to-closed": moved("/closed")}, body)
    assert site.targets == ["GET /closed", "GET /robots.txt", "GET /r", "GET /to-closed", "GET /open"]


def test_robots_in_a_private_network_do_not_hide_the_refusal() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        with pytest.raises(AddressRefused):
            await fetcher.get(site.url("/"), obey_robots=True)

    visit({}, body)


def test_default_limits() -> None:
    limits = Limits()
    assert (limits.max_body, limits.max_hops, limits.total_s) == (15_000_000, 10, 60.0)
    assert (limits.per_host, limits.host_delay_s) == (2, 0.25)


def test_a_redirect_to_what_the_caller_knows_is_not_followed() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        told: list[str] = []

        def known(url: str) -> bool:
            told.append(url)
            return url.endswith("/c")

        with pytest.raises(RedirectRefused) as refused:
            await fetcher.get(site.url("/a"), allow_private=True, stop_at=known)
        assert (refused.value.url, refused.value.reached) == (site.url("/a"), site.url("/c"))
        assert told == [site.url("/b"), site.url("/c")]
        assert site.targets == ["GET /a", "GET /b"]

    visit({"/a": moved("/b"), "/b": moved("/c"), "/c": answer(200, b"x")}, body)
