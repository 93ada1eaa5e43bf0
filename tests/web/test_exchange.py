"""One question to a configured service: proxies, certificates, addresses."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import httpx
import pytest
import trustme
from web.loopback import Handler, Site, answer, raw, silent

from digestlog.errors import ClassifierError
from digestlog.web import exchange
from digestlog.web.exchange import Ask, Bounds, Exchange, Reply, Unavailable, refused


def ask(url: str, method: str = "GET") -> Reply:
    return asyncio.run(Exchange(Bounds()).send(Ask(method, url)))


def asked(answers: dict[str, bytes | Handler], path: str, *, proxy: pytest.MonkeyPatch | None = None) -> Site:
    """Ask a site, or whatever address, through the site as proxy."""
    site = Site(answers)

    async def both() -> None:
        async with site:
            if proxy:
                proxy.setenv("HTTP_PROXY", f"http://me:w%40rd@127.0.0.1:{site.port}")
            url = path if "://" in path else site.url(path)
            assert (await Exchange(Bounds()).send(Ask("GET", url))).body == b"yes"

    asyncio.run(both())
    return site


def test_what_is_asked_stays_out_of_sight() -> None:
    shown = repr(Ask("POST", "http://a.example/?key=sk-2", {"authorization": "Bearer sk-1"}, b"private"))
    assert "sk-" not in shown
    assert "private" not in shown


@pytest.mark.parametrize(
    "says", [raw(), silent(), raw(b"nonsense\r\n\r\n"), answer(200, b"x", Content_Encoding="x")]
)
def test_a_key_in_the_query_is_sent_and_not_shown(says: bytes | Handler) -> None:
    async def both() -> None:
        async with Site({"/search": says}) as site:
            with pytest.raises(Unavailable, match=f"^{site.url('/search')} ") as caught:
                await Exchange(Bounds(total_s=0.5)).send(Ask("GET", site.url("/search?q=x&key=sk-2")))
            assert "sk-2" not in f"{caught.value.message}{caught.value.hint}"
            assert site.targets == ["GET /search?q=x&key=sk-2"]

    asyncio.run(both())


def test_whatever_the_status() -> None:
    async def both() -> None:
        async with Site({"/": answer(500, b"no", Content_Type="text/plain")}) as site:
            assert await Exchange(Bounds()).send(Ask("GET", site.url())) == Reply(500, "text/plain", b"no")
            assert await Exchange(Bounds()).send(Ask("GET", site.url("/x"))) == Reply(
                404, None, b"nothing here"
            )

    asyncio.run(both())


def test_a_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    site = asked(
        {"http://model.example/v1": answer(200, b"yes")}, "http://model.example/v1", proxy=monkeypatch
    )
    assert site.seen[0].headers["proxy-authorization"] == "Basic bWU6d0ByZA=="


def test_a_proxy_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    async def both() -> None:
        async with Site({"http://model.example/": answer(200, b"yes")}) as site:
            monkeypatch.setenv("ALL_PROXY", site.url())
            assert (await Exchange(Bounds()).send(Ask("GET", "http://model.example/"))).body == b"yes"
            assert "proxy-authorization" not in site.seen[0].headers

    asyncio.run(both())


def test_this_machine_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert asked({"/v1": answer(200, b"yes")}, "/v1").targets == ["GET /v1"]


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("model.example", False),
        ("notlocalhost", False),
    ],
)
def test_this_machine(host: str, here: bool) -> None:
    assert exchange._is_here(host) is here


def test_a_proxy_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(Unavailable, match="was not asked: the proxy in the environment cannot be used$"):
        ask("http://model.example/")


@pytest.mark.parametrize("url", ["ftp://a.example/", "http://", "nonsense"])
def test_only_addresses_on_the_web(url: str) -> None:
    with pytest.raises(Unavailable):
        ask(url)


def test_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "own.pem"))

    async def both() -> None:
        async with Site({"/": answer(200, b"yes")}, tls=context) as site:
            url = f"https://localhost:{site.port}/"
            with pytest.raises(Unavailable, match="its certificate cannot be trusted"):
                await Exchange(Bounds()).send(Ask("GET", url))
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "own.pem"))
            trusting = Exchange(Bounds())
            for _ in range(2):
                assert (await trusting.send(Ask("GET", url))).body == b"yes"

    asyncio.run(both())


def test_certificates_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(Unavailable, match="the trusted certificates cannot be read$") as caught:
        ask("https://localhost:9/")
    assert caught.value.hint == "check SSL_CERT_FILE"


def test_an_error_without_a_cause_has_words_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*args: object, **kwargs: object) -> None:
        raise httpx.ConnectTimeout("")

    monkeypatch.setattr(httpx.AsyncClient, "stream", failing)
    with pytest.raises(Unavailable, match="^http://localhost:9/ did not accept a connection in time$"):
        ask("http://localhost:9/")


@pytest.mark.parametrize(
    ("status", "lasting"),
    [
        (301, True),
        (401, True),
        (404, True),
        (429, True),
        (500, True),
        (400, False),
        (413, False),
        (422, False),
    ],
)
def test_which_refusals_hold_for_every_question(status: int, lasting: bool) -> None:
    error = refused("small", status)
    assert isinstance(error, ClassifierError)
    assert isinstance(error, Unavailable) is lasting
