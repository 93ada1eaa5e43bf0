"""Fetching one address: bounded in time, size, redirects and in where it may lead."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType

import httpcore
import httpx

from digestlog import __version__
from digestlog.core.model import Fetched, Hop
from digestlog.errors import AddressRefused, FetchError
from digestlog.web.guard import GuardedBackend, Pins

MAX_BODY = 15_000_000
MAX_HOPS = 10
TOTAL_S = 60.0
_TIMEOUT = httpx.Timeout(20.0, connect=10.0)
_HEADERS = {
    "user-agent": f"digestlog/{__version__}",
    "accept": "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,text/html;q=0.9,*/*;q=0.5",
    "accept-encoding": "gzip, deflate",
}


class Fetcher:
    """Fetches addresses; use it as an async context.

    Cookies are never kept. Private addresses are refused at every hop, unless the call
    says `allow_private`; such calls have connections of their own.
    """

    def __init__(
        self, *, pins: Pins | None = None, max_body: int = MAX_BODY, total_s: float = TOTAL_S
    ) -> None:
        self._guarded = _client(GuardedBackend(pins=pins))
        self._open = _client(GuardedBackend(pins=pins, allow_private=True))
        self._max_body = max_body
        self._total_s = total_s

    async def __aenter__(self) -> Fetcher:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._guarded.aclose()
        await self._open.aclose()

    async def get(self, url: str, *, allow_private: bool = False) -> Fetched:
        """What the address answers, whatever its status; FetchError if it gives no answer that can be used."""
        client = self._open if allow_private else self._guarded
        with _in_words(url, self._total_s):
            async with asyncio.timeout(self._total_s):
                return await self._get(client, url)

    async def _get(self, client: httpx.AsyncClient, url: str) -> Fetched:
        request = client.build_request("GET", url)
        hops: list[Hop] = []
        while True:
            async with _answer(client, request) as response:
                following = response.next_request
                if following is None:
                    return await self._fetched(url, response, tuple(hops))
                hops.append(Hop(response.status_code, str(following.url)))
            _check_hop(url, following, len(hops))
            request = following

    async def _fetched(self, url: str, response: httpx.Response, hops: tuple[Hop, ...]) -> Fetched:
        content_type = response.headers.get("content-type")
        return Fetched(
            requested_url=url,
            url=str(response.url),
            status=response.status_code,
            content_type=content_type,
            charset=response.charset_encoding,
            body=await self._body(url, response),
            hops=hops,
        )

    async def _body(self, url: str, response: httpx.Response) -> bytes:
        body = bytearray()
        inflate = _decoder(url, response.headers.get("content-encoding", ""))
        async for chunk in response.aiter_raw():
            body += inflate(chunk, self._max_body + 1 - len(body))
            if len(body) > self._max_body:
                raise FetchError(f"{url} is larger than {self._max_body:,} bytes", url=url)
        return bytes(body)


class _Inflate:
    """Decompresses piece by piece, never more than asked for: a bomb ends at the limit."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._inner = zlib.decompressobj(wbits=47)  # gzip or zlib, by its header
        self._started = False

    def __call__(self, chunk: bytes, room: int) -> bytes:
        try:
            return self._inner.decompress(chunk, room)
        except zlib.error as error:
            if self._started:
                raise FetchError(f"{self._url} sent damaged compressed data", url=self._url) from error
            self._inner = zlib.decompressobj(wbits=-15)  # some servers send deflate without its header
            return self._again(chunk, room)
        finally:
            self._started = True

    def _again(self, chunk: bytes, room: int) -> bytes:
        try:
            return self._inner.decompress(chunk, room)
        except zlib.error as error:
            raise FetchError(f"{self._url} sent damaged compressed data", url=self._url) from error


class _Plain:
    """Takes bytes as they are, never more than asked for."""

    def __call__(self, chunk: bytes, room: int) -> bytes:
        return chunk[:room]


def _decoder(url: str, encoding: str) -> _Inflate | _Plain:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return _Plain()
    if name in ("gzip", "x-gzip", "deflate"):
        return _Inflate(url)
    raise FetchError(f"{url} is compressed in a way that was not asked for ({name[:40]})", url=url)


def _client(backend: GuardedBackend) -> httpx.AsyncClient:
    context = httpx.create_ssl_context(trust_env=False)
    return httpx.AsyncClient(
        transport=_GuardedTransport(backend, context),
        headers=_HEADERS,
        timeout=_TIMEOUT,
        follow_redirects=False,
        trust_env=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


class _GuardedTransport(httpx.AsyncHTTPTransport):
    """httpx's own transport, with its connections made by the guard."""

    def __init__(self, backend: GuardedBackend, context: ssl.SSLContext) -> None:
        super().__init__(verify=context)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=100,
            max_keepalive_connections=100,
            keepalive_expiry=15.0,
            http1=True,
            http2=True,
            network_backend=backend,
        )


@asynccontextmanager
async def _answer(client: httpx.AsyncClient, request: httpx.Request) -> AsyncIterator[httpx.Response]:
    response = await client.send(request, stream=True)
    try:
        yield response
    finally:
        await response.aclose()


def _check_hop(url: str, following: httpx.Request, hops: int) -> None:
    if hops > MAX_HOPS:
        raise FetchError(f"{url} redirects more than {MAX_HOPS} times", url=url)
    if following.url.scheme not in ("http", "https"):
        raise FetchError(f"{url} redirects to {following.url.scheme}:, which is not followed", url=url)


@contextmanager
def _in_words(url: str, total_s: float) -> Iterator[None]:
    """Say what went wrong on the network as a person would."""
    try:
        yield
    except AddressRefused as error:
        raise AddressRefused(
            f"{url} leads to a private address: {error.message}", error.hint, url=url
        ) from error
    except FetchError:
        raise
    except TimeoutError as error:
        raise FetchError(f"{url} took longer than {total_s:g} s", url=url) from error
    except httpx.ConnectTimeout as error:
        raise FetchError(f"{url} did not accept a connection in time", url=url) from error
    except httpx.TimeoutException as error:
        raise FetchError(f"{url} stopped answering", url=url) from error
    except httpx.ConnectError as error:
        raise FetchError(f"{url} cannot be reached: {_reason(error)}", url=url) from error
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        raise FetchError(f"{url} gave no proper answer: {_reason(error)}", url=url) from error


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
