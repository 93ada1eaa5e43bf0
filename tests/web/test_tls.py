"""Secure connections: verified."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

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
