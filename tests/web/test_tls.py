"""Secure connections: verified, over HTTP/1.1 and HTTP/2."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import pytest
import trustme
from web.loopback import FEED, Site, answer, moved, quick

from digestlog.errors import FetchError
from digestlog.web.connections import Connections


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """An authority that this test trusts."""
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return authority


def server_side(authority: trustme.CA, *names: str, alpn: str = "http/1.1") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    context.set_alpn_protocols([alpn])
    return context


def test_a_trusted_site_and_one_context_for_all(trusted: trustme.CA) -> None:
    async def body() -> None:
        tls = server_side(trusted, "localhost", "127.0.0.1")
        async with Site({"/a": moved("/b"), "/b": answer(200, FEED)}, tls) as site, quick() as fetcher:
            for host in ("localhost", "127.0.0.1"):
                for _ in range(2):
                    got = await fetcher.get(f"https://{host}:{site.port}/a", allow_private=True)
                    assert (got.body, got.url) == (FEED, f"https://{host}:{site.port}/b")
            assert site.connections == 2

    asyncio.run(body())


def test_the_final_dot_is_not_part_of_the_certificate(
    trusted: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("digestlog.web.guard._lookup", lambda host: ["127.0.0.1"])

    async def body() -> None:
        async with (
            Site({"/": answer(200, FEED)}, server_side(trusted, "tides.example")) as site,
            quick() as fetcher,
        ):
            got = await fetcher.get(f"https://tides.example.:{site.port}/", allow_private=True)
            assert got.body == FEED

    asyncio.run(body())


@pytest.mark.parametrize(
    ("names", "trust", "words"),
    [
        (["other.example"], True, "its certificate cannot be trusted (Hostname mismatch"),
        (["localhost"], False, "its certificate cannot be trusted (unable to get local issuer certificate)"),
    ],
)
def test_an_untrusted_site(
    names: list[str], trust: bool, words: str, trusted: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not trust:
        monkeypatch.delenv("SSL_CERT_FILE")

    async def body() -> None:
        async with Site({}, server_side(trusted, *names)) as site, quick() as fetcher:
            with pytest.raises(FetchError) as caught:
                await fetcher.get(f"https://localhost:{site.port}/", allow_private=True)
            assert f"/ cannot be reached: {words}" in caught.value.message
            assert caught.value.temporary
            assert site.seen == []

    asyncio.run(body())


def test_no_tls_where_it_should_be() -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await reader.read(1)
        writer.close()

    async def body() -> None:
        server = await asyncio.start_server(plain, "127.0.0.1", 0)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, quick() as fetcher:
            with pytest.raises(
                FetchError, match="cannot be reached: no secure connection could be made$"
            ) as caught:
                await fetcher.get(url, allow_private=True)
            assert caught.value.temporary

    asyncio.run(body())


def test_certificates_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at/all.pem")

    async def body() -> None:
        async with quick() as fetcher:
            with pytest.raises(
                FetchError, match="^https://localhost/ was not asked: the trusted cert"
            ) as caught:
                await fetcher.get("https://localhost/", allow_private=True)
            assert caught.value.hint == "check SSL_CERT_FILE"

    asyncio.run(body())


def test_no_context_is_made_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_need(self: Connections, address: object) -> ssl.SSLContext:
        raise AssertionError("made a context")

    monkeypatch.setattr(Connections, "_tls", no_need)

    async def body() -> None:
        async with Site() as site, quick() as fetcher:
            await fetcher.get(site.url("/"), allow_private=True)

    asyncio.run(body())


class Http2(asyncio.Protocol):
    """A server that speaks HTTP/2 and knows four pages."""

    connections = 0

    def connection_made(self, transport: Any) -> None:
        type(self).connections += 1
        self.transport = transport
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.h2.initiate_connection()
        transport.write(self.h2.data_to_send())

    def data_received(self, data: bytes) -> None:
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                assert event.headers is not None
                fields = {bytes(name): bytes(value) for name, value in event.headers}
                self.reply(event.stream_id or 0, fields)
        self.transport.write(self.h2.data_to_send())

    def reply(self, stream: int, fields: dict[bytes, bytes]) -> None:
        assert b"cookie" not in fields
        path = fields[b":path"]
        if path == b"/reset":
            return self.h2.reset_stream(stream)
        if path == b"/odd":
            return self.send(stream, "abc", b"")
        if path == b"/half":
            self.h2.send_headers(stream, [(":status", "200"), ("content-length", "100")])
            self.h2.send_data(stream, b"half")
            return self.h2.reset_stream(stream)
        if path == b"/moved":
            return self.send(stream, "301", b"", ("location", "/feed"))
        if path == b"/large":
            return self.send(stream, "200", b"x" * 60_000)
        return self.send(stream, "200", FEED if fields[b":method"] == b"GET" else b"", ("etag", '"h2"'))

    def send(self, stream: int, status: str, body: bytes, *more: tuple[str, str]) -> None:
        self.h2.send_headers(stream, [(":status", status), *more], end_stream=not body)
        for at in range(0, len(body), 10_000):
            self.h2.send_data(stream, body[at : at + 10_000], end_stream=at + 10_000 >= len(body))


class Http2Site:
    """An HTTP/2 server while its context is open."""

    def __init__(self, authority: trustme.CA) -> None:
        self.tls = server_side(authority, "localhost", alpn="h2")
        self.protocol = type("Http2Here", (Http2,), {"connections": 0})

    async def __aenter__(self) -> Http2Site:
        loop = asyncio.get_running_loop()
        self.server = await loop.create_server(self.protocol, "127.0.0.1", 0, ssl=self.tls)
        self.base = f"https://localhost:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.server.close()
        await self.server.wait_closed()


def test_http2_shares_one_connection(trusted: trustme.CA) -> None:
    async def body() -> None:
        async with Http2Site(trusted) as site, quick() as fetcher:
            got = await fetcher.get(f"{site.base}/moved", allow_private=True)
            assert (got.body, got.etag, got.url) == (FEED, '"h2"', f"{site.base}/feed")
            resolved = await fetcher.resolve(f"{site.base}/moved", allow_private=True)
            assert (resolved.status, resolved.url) == (200, f"{site.base}/feed")
            again = await asyncio.gather(
                *(fetcher.get(f"{site.base}/feed", allow_private=True) for _ in range(6))
            )
            assert {one.body for one in again} == {FEED}
            assert site.protocol.connections == 1  # type: ignore[attr-defined]

    asyncio.run(body())


@pytest.mark.parametrize(
    ("path", "words"),
    [("/reset", "gave no proper answer"), ("/odd", "gave no proper answer"), ("/half", "was cut off")],
)
def test_http2_out_of_order(path: str, words: str, trusted: trustme.CA) -> None:
    async def body() -> None:
        async with Http2Site(trusted) as site, quick() as fetcher:
            with pytest.raises(FetchError, match=f"{path} {words}$") as caught:
                await fetcher.get(f"{site.base}{path}", allow_private=True)
            assert caught.value.temporary
            assert (await fetcher.get(f"{site.base}/feed", allow_private=True)).body == FEED

    asyncio.run(body())


def test_http2_body_that_is_not_read_to_its_end_takes_its_connection_along(trusted: trustme.CA) -> None:
    async def body() -> None:
        async with Http2Site(trusted) as site, quick(max_body=20_000) as fetcher:
            with pytest.raises(FetchError, match="larger than 20,000 bytes"):
                await fetcher.get(f"{site.base}/large", allow_private=True)
            assert (await fetcher.get(f"{site.base}/feed", allow_private=True)).body == FEED
            assert site.protocol.connections == 2  # type: ignore[attr-defined]
            both = (fetcher.get(f"{site.base}/large", allow_private=True) for _ in range(2))
            assert all(
                isinstance(one, FetchError) for one in await asyncio.gather(*both, return_exceptions=True)
            )
            assert fetcher._connections._sites == {}

    asyncio.run(body())
