"""What is said on a connection: all the ways in which servers write an answer, and when it is kept."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme
from web.loopback import FEED, Handler, Seen, Site, answer, quick, raw, visit

from digestlog.errors import FetchError
from digestlog.web import wire
from digestlog.web.failures import HungUp, Stale
from digestlog.web.fetch import Fetcher

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize(
    "whole",
    [
        OK + b"\r\nto the end",
        b"HTTP/1.0 200 OK\r\n\r\nto the end",
        b"HTTP/1.1 200\r\nContent-Length: 10\r\n\r\nto the end",
        b"HTTP/1.1 200 OK\nContent-Length: 10\n\nto the end",
        CHUNKED + b"\r\n3\r\nto \r\n7\r\nthe end\r\n0\r\n\r\n",
        CHUNKED + b"\r\n3;name=value\r\nto \r\n007\r\nthe end\r\n0\r\nX-Sum: 1\r\nContent-Length: 3\r\n\r\n",
        CHUNKED + b"Content-Length: 3\r\n\r\na\r\nto the end\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 10\r\n\r\nto the end",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" * 3 + OK + b"\r\nto the end",
        OK + b"X-Odd: \xff\xfe\r\nX-Empty:\r\n\r\nto the end",
    ],
)
def test_every_way_to_write_an_answer(whole: bytes) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        got = await fetcher.get(site.url("/x"), allow_private=True)
        assert (got.status, got.body) == (200, b"to the end")

    visit({"/x": raw(*(whole[at : at + 7] for at in range(0, len(whole), 7)))}, body)


@pytest.mark.parametrize(
    ("whole", "connections"),
    [
        (answer(200, FEED), 1),
        (answer(200, FEED, Connection="keep-alive"), 1),
        (answer(204), 1),
        (answer(304), 1),
        (CHUNKED + b"\r\n1\r\nx\r\n0\r\n\r\n", 1),
        (answer(200, FEED) + b"more than was announced", 3),
        (answer(200, FEED) * 2, 3),
        (answer(200, FEED).replace(b"HTTP/1.1", b"HTTP/1.0"), 3),
    ],
)
def test_when_a_connection_is_kept(whole: bytes, connections: int) -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        for _ in range(3):
            await fetcher.get(site.url("/x"), allow_private=True)

    assert visit({"/x": whole}, body).connections == connections


@pytest.mark.parametrize(
    ("whole", "wordy", "connections"),
    [
        (answer(200, FEED), False, 1),
        (OK + b"\r\n", False, 1),
        (CHUNKED + b"\r\n", False, 1),
        (answer(200, FEED, Connection="close"), False, 3),
        (answer(200, FEED).replace(b"HTTP/1.1", b"HTTP/1.0"), False, 3),
        (answer(200, FEED), True, 3),  # a body after HEAD spoils the connection
    ],
)
def test_after_head_no_body_is_waited_for(whole: bytes, wordy: bool, connections: int) -> None:
    async def body() -> None:
        async with Site({"/x": whole}, wordy=wordy) as site, quick() as fetcher:
            for _ in range(3):
                resolved = await fetcher.resolve(site.url("/x"), allow_private=True)
                assert resolved.status == 200
            assert site.connections == connections
            assert set(site.targets) == {"HEAD /x"}

    asyncio.run(body())


def test_upgrades_are_not_followed() -> None:
    async def body(site: Site, fetcher: Fetcher) -> None:
        with pytest.raises(FetchError, match="/x (gave no proper answer|hung up without an answer)$"):
            await fetcher.get(site.url("/x"), allow_private=True)

    whole = b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello"
    visit({"/x": raw(whole)}, body)


def test_a_body_is_taken_only_as_fast_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_ENOUGH", 10_000)
    monkeypatch.setattr(wire, "_LITTLE", 5_000)
    paused: list[int] = []
    fill = wire.Connection.data_received

    def watched(self: wire.Connection, data: bytes) -> None:
        fill(self, data)
        paused.append(self._paused)

    monkeypatch.setattr(wire.Connection, "data_received", watched)
    large = b"x" * 3_000_000

    async def body(site: Site, fetcher: Fetcher) -> None:
        assert (await fetcher.get(site.url("/x"), allow_private=True)).body == large

    visit({"/x": answer(200, large)}, body)
    assert any(paused)


def test_what_nobody_asked_for_spoils_a_connection() -> None:
    async def early(writer: asyncio.StreamWriter, seen: Seen) -> None:
        writer.write(answer(200, FEED))
        await writer.drain()
        writer.write(b"by the way")
        await writer.drain()
        await asyncio.Event().wait()

    async def body(site: Site, fetcher: Fetcher) -> None:
        await fetcher.get(site.url("/x"), allow_private=True)
        kept = [one for known in fetcher._connections._sites.values() for one in known.idle]
        while not all(one._spoiled for one in kept):
            await asyncio.sleep(0)
        assert not any(one.can_be_kept for one in kept)
        assert (await fetcher.get(site.url("/y"), allow_private=True)).status == 404
        assert site.connections == 2

    visit({"/x": early}, body)


def test_a_connection_that_was_closed_says_so() -> None:
    async def body() -> None:
        async with Site({"/": answer(200, FEED)}) as site:
            loop = asyncio.get_running_loop()
            _, connection = await loop.create_connection(wire.Connection, "127.0.0.1", site.port)
            connection.close()
            with pytest.raises(HungUp):
                await connection.ask("GET", b"/", (), silence_s=1)
            _, kept = await loop.create_connection(wire.Connection, "127.0.0.1", site.port)
            await kept.ask("GET", b"/", ((b"host", b"x"),), silence_s=1)
            assert [piece async for piece in kept.pieces(silence_s=1)] == [FEED]
            kept.close()
            with pytest.raises(Stale):
                await kept.ask("GET", b"/", (), silence_s=1)

    asyncio.run(body())


# --- through a proxy ----------------------------------------------------------------------------


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """An authority that this test trusts."""
    made = trustme.CA()
    made.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    monkeypatch.setattr("digestlog.web.guard._lookup", lambda host: ["93.184.216.34"])
    return made


def server_side(authority: trustme.CA, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


def tunnel(port: int) -> Handler:
    """What a proxy does after CONNECT: pass bytes on, both ways, to a port of this machine."""

    async def serve(writer: asyncio.StreamWriter, seen: Seen) -> None:
        assert seen.method == "CONNECT"
        reader = writer.transport.get_protocol()._stream_reader  # type: ignore[attr-defined]
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while data := await source.read(4096):
                sink.write(data)
                await sink.drain()
            sink.close()

        try:
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer), return_exceptions=True)
        finally:
            far_writer.close()

    return serve


@pytest.mark.parametrize("secure_proxy", [False, True])
def test_https_goes_through_a_tunnel(
    secure_proxy: bool, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body() -> None:
        far = Site({"/feed": answer(200, FEED)}, server_side(authority, "tides.example"))
        tls = server_side(authority, "127.0.0.1") if secure_proxy else None
        async with far:
            async with Site({"tides.example:443": tunnel(far.port)}, tls) as near:
                scheme = "https" if secure_proxy else "http"
                monkeypatch.setenv("HTTPS_PROXY", f"{scheme}://me:word@127.0.0.1:{near.port}")
                async with quick(proxies_from_env=True) as fetcher:
                    for _ in range(2):
                        assert (await fetcher.get("https://tides.example/feed")).body == FEED
                assert len(near.seen) == 1  # the tunnel is kept
                assert near.seen[0].headers["proxy-authorization"].startswith("Basic ")
                assert all("proxy-authorization" not in seen.headers for seen in far.seen)

    asyncio.run(body())


def test_the_far_end_of_a_tunnel_is_verified(authority: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body() -> None:
        far = Site({"/feed": answer(200, FEED)}, server_side(authority, "other.example"))
        async with far:
            async with Site({"tides.example:443": tunnel(far.port)}) as near:
                monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{near.port}")
                async with quick(proxies_from_env=True) as fetcher:
                    with pytest.raises(FetchError, match="certificate cannot be trusted"):
                        await fetcher.get("https://tides.example/feed")
        assert far.seen == []

    asyncio.run(body())
