"""One question to a service that the person has configured: bounded in time and size, never redirected.

The address guard does not apply: a model on this machine is what the person asked for.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from digestlog import __version__
from digestlog.errors import ClassifierError, FetchError
from digestlog.web.address import Address, parse, shown
from digestlog.web.bodies import Bodies, cut_off
from digestlog.web.connections import trusting
from digestlog.web.failures import HungUp, NoConnection, NotHttp, ProxyRefused, Silence, TooSlow, in_words
from digestlog.web.proxies import Proxies

if TYPE_CHECKING:
    import httpx

_REFUSALS = {
    401: "does not accept the key",
    402: "wants to be paid first",
    403: "does not allow this",
    404: "does not know the path or the model",
    413: "finds the question too long",
    429: "is asked too often, or the quota is used up",
}


class Unavailable(ClassifierError):
    """The service does not work at all: asking it something else would not help."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much one question may take."""

    max_body: int = 15_000_000
    connect_s: float = 10.0
    read_s: float = 20.0
    total_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Ask:
    """What is sent; the query and the headers may hold a key and are never shown."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes | None = field(default=None, repr=False)

    @property
    def named(self) -> str:
        """The address as errors name it: without its query, which may hold a key too."""
        return self.url.partition("?")[0]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whatever its status."""

    status: int
    content_type: str | None
    body: bytes


class Exchange:
    """Asks services; the proxies that the environment names are used, but never for this machine."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._context: ssl.SSLContext | None = None

    async def send(self, ask: Ask) -> Reply:
        """The answer; Unavailable, in words, if there is none."""
        with _unavailable():
            try:
                async with asyncio.timeout(self._bounds.total_s):
                    return await self._send(ask)
            except TimeoutError as error:
                message = f"{shown(ask.named)} took longer than {self._bounds.total_s:g} s"
                raise FetchError(message, url=ask.named) from error

    async def _send(self, ask: Ask) -> Reply:
        address = parse(ask.named)
        with in_words(ask.named):
            async with self._client(address) as client, _answer(client, ask) as answer:
                body = await self._body(ask.named, answer)
        return Reply(answer.status_code, answer.headers.get("content-type"), body)

    async def _body(self, url: str, answer: httpx.Response) -> bytes:
        if 300 <= answer.status_code < 400:
            return b""
        encoding = answer.headers.get("content-encoding", "")
        async with Bodies().reader() as reader, aclosing(_pieces(url, answer)) as pieces:
            return await reader.read(url, pieces, encoding, self._bounds.max_body)

    def _client(self, address: Address) -> httpx.AsyncClient:
        import httpx  # slow to import, and most commands do without

        bounds = self._bounds

        def tls() -> ssl.SSLContext:
            return self._tls(address)

        return httpx.AsyncClient(
            # Without a context httpx would read all certificates, also for what needs none.
            verify=tls() if address.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            proxy=_proxy(address, tls),
            timeout=httpx.Timeout(bounds.read_s, connect=bounds.connect_s),
            follow_redirects=False,
            trust_env=False,
        )

    def _tls(self, address: Address) -> ssl.SSLContext:
        if self._context is None:
            try:
                self._context = trusting()
            except OSError as error:
                message = f"{shown(address.url)} was not asked: the trusted certificates cannot be read"
                raise FetchError(message, "check SSL_CERT_FILE", url=address.url) from error
        return self._context


def refused(name: str, status: int) -> ClassifierError:
    """The error for an answer that is not a success: what its status means, never what the body says."""
    if 300 <= status < 400:
        return Unavailable(f"{name} has moved", "set the address to which it redirects")
    words = _REFUSALS.get(status) or ("has an error of its own" if status >= 500 else "refuses the question")
    # A question that is too long, or otherwise not to its taste, says nothing about the next one.
    kind = ClassifierError if status in (400, 413, 422) else Unavailable
    return kind(f"{name} {words} ({status})")


@contextmanager
def _unavailable() -> Iterator[None]:
    try:
        yield
    except FetchError as error:
        raise Unavailable(error.message, error.hint) from error


@asynccontextmanager
async def _answer(client: httpx.AsyncClient, ask: Ask) -> AsyncIterator[httpx.Response]:
    headers = {
        "user-agent": f"digestlog/{__version__}",
        "accept-encoding": "gzip, deflate",
        **ask.headers,
    }
    with _engine_errors():
        async with client.stream(ask.method, ask.url, headers=headers, content=ask.content) as answer:
            yield answer


@contextmanager
def _engine_errors() -> Iterator[None]:
    """Say what httpx raised in terms for which there are words already."""
    import httpx

    kinds: tuple[tuple[type[Exception], type[Exception]], ...] = (
        (httpx.ConnectTimeout, TooSlow),
        (httpx.PoolTimeout, TooSlow),
        (httpx.TimeoutException, Silence),
        (httpx.ProxyError, ProxyRefused),
        (httpx.ConnectError, NoConnection),
        (httpx.NetworkError, HungUp),
    )
    try:
        yield
    except httpx.TransportError as error:
        kind = next((ours for theirs, ours in kinds if isinstance(error, theirs)), None)
        raise (kind(str(error)) if kind else _misbehaved(str(error))) from error


def _misbehaved(said: str) -> Exception:
    """What a server did that is not HTTP; httpx tells it in sentences of its engine."""
    if "without sending a response" in said:
        return HungUp(said)
    not_http = "illegal status line" in said
    return NotHttp("answered something that is not HTTP" if not_http else "gave no proper answer", said)


async def _pieces(url: str, answer: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it comes, still packed; what breaks in its midst was cut off."""
    import httpx

    try:
        async for piece in answer.aiter_raw():
            yield piece
    except httpx.TimeoutException:
        raise
    except httpx.TransportError as error:
        raise cut_off(url) from error


def _proxy(address: Address, context: Callable[[], ssl.SSLContext]) -> httpx.Proxy | None:
    import httpx

    found = None if _is_here(address.host) else Proxies(from_env=True).proxy(address, context)
    if found is None:
        return None
    return httpx.Proxy(found.url, auth=found.auth, ssl_context=found.tls)


def _is_here(host: str) -> bool:
    """True for this machine, which no proxy can reach for us."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
