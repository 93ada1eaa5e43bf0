"""Connections, kept open between requests: one small pool for each origin.

A single large pool looks at all its connections for every request, which costs more than
the request itself once there are a hundred.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpcore

from digestlog.errors import FetchError
from digestlog.web.address import Address, shown
from digestlog.web.guard import Guard, GuardedBackend
from digestlog.web.headers import Headers
from digestlog.web.proxies import Proxies

Fields = Iterable[tuple[bytes, bytes]]

_KEPT_ORIGINS = 100
_KEPT_S = 30.0
_DRAINED = 16_384
_DRAIN_S = 1.0
_STALE = (httpcore.RemoteProtocolError, httpcore.ReadError, httpcore.WriteError)


class Answer:
    """A server's answer, its body still on the way."""

    def __init__(self, response: httpcore.Response) -> None:
        self.status = response.status
        self.headers = Headers(response.headers)
        self.done = False
        self._response = response

    @property
    def http2(self) -> bool:
        """True if it came over HTTP/2."""
        return self._response.extensions.get("http_version") == b"HTTP/2"

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, still packed."""
        async for piece in self._response.aiter_stream():
            yield piece
        self.done = True

    async def drain(self, *, bodyless: bool = False) -> None:
        """Read what is left if it is little, so that the connection can be used again."""
        length = 0 if bodyless or self.status in (204, 304) else self.headers.number(b"content-length")
        if length is not None and length > _DRAINED:
            return
        room = _DRAINED
        with suppress(TimeoutError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException):
            async with asyncio.timeout(_DRAIN_S):
                async for piece in self.pieces():
                    room -= len(piece)
                    if room < 0:
                        return


class Connections:
    """Sends requests over connections that the guard has made, and keeps these for later ones."""

    def __init__(
        self, guard: Guard, proxies: Proxies, *, per_host: int, connect_s: float, read_s: float
    ) -> None:
        self.requests = 0
        self._guard = guard
        self._proxies = proxies
        self._per_host = per_host
        self._extensions: dict[str, Any] = {
            "timeout": {"connect": connect_s, "read": read_s, "write": read_s, "pool": connect_s}
        }
        self._sites: dict[tuple[str, bool], _Site] = {}  # the longest unused first
        self._context: ssl.SSLContext | None = None

    @asynccontextmanager
    async def answer(
        self, method: str, address: Address, fields: Fields, *, allow_private: bool
    ) -> AsyncIterator[Answer]:
        """The answer to one request; it is closed on leaving, read or not."""
        site = self._site(address, allow_private)
        site.users += 1
        try:
            if site.proxied and not allow_private:
                # The proxy will look the name up itself: this much is all that can be done from here.
                await self._guard.addresses(address.host, address.port, allow_private=False)
            response = await self._send(site, self._request(method, address, fields))
            answer = Answer(response)
            try:
                yield answer
            finally:
                await response.aclose()
                if answer.http2 and not answer.done:
                    self._retire(site)  # httpcore would go on receiving the rest of the body
        finally:
            site.users -= 1
            await self._tidy(site)

    async def aclose(self) -> None:
        """Close all connections."""
        sites, self._sites = list(self._sites.values()), {}
        for site in sites:
            await site.pool.aclose()

    async def _send(self, site: _Site, request: httpcore.Request) -> httpcore.Response:
        task = asyncio.current_task()
        for _ in range(self._per_host):
            site.backend.connecting.discard(task)
            self.requests += 1
            try:
                return await site.pool.handle_async_request(request)
            except _STALE:
                if task in site.backend.connecting:
                    raise
                # A kept connection that the server has closed meanwhile: ask again on another.
            finally:
                site.backend.connecting.discard(task)
        self.requests += 1
        return await site.pool.handle_async_request(request)

    def _request(self, method: str, address: Address, fields: Fields) -> httpcore.Request:
        url = httpcore.URL(scheme=address.scheme, host=address.host, port=address.port, target=address.target)
        extensions = self._extensions
        if address.host.endswith("."):  # certificates are made out to names without the final dot
            extensions = {**extensions, "sni_hostname": address.host.removesuffix(".")}
        headers = [(b"host", address.authority), *fields]
        return httpcore.Request(method, url, headers=headers, extensions=extensions)

    def _site(self, address: Address, allow_private: bool) -> _Site:
        key = (address.origin, allow_private)
        site = self._sites.pop(key, None) or self._new_site(key, address, allow_private)
        self._sites[key] = site
        return site

    def _new_site(self, key: tuple[str, bool], address: Address, allow_private: bool) -> _Site:
        pinned = self._guard.pinned(address.host, address.port)
        proxy = None if pinned else self._proxies.proxy(address, lambda: self._tls(address))
        # A proxy may stand in a private network: the person has set it.
        backend = GuardedBackend(self._guard, allow_private=allow_private or proxy is not None)
        pool = httpcore.AsyncConnectionPool(
            ssl_context=self._tls(address) if address.scheme == "https" else None,
            proxy=proxy,
            max_connections=None,
            max_keepalive_connections=self._per_host,
            keepalive_expiry=_KEPT_S,
            http1=True,
            http2=True,
            network_backend=backend,
        )
        return _Site(key, pool, backend, proxied=proxy is not None)

    def _tls(self, address: Address) -> ssl.SSLContext:
        """One context for all; it takes long to make, so only once an https address is met."""
        if self._context is None:
            try:
                self._context = trusting()
            except OSError as error:
                message = f"{shown(address.url)} was not asked: the trusted certificates cannot be read"
                raise FetchError(message, "check SSL_CERT_FILE", url=address.url, asked=False) from error
        return self._context

    def _retire(self, site: _Site) -> None:
        if self._sites.get(site.key) is site:
            del self._sites[site.key]

    async def _tidy(self, site: _Site) -> None:
        """Close what is retired, and the longest unused where there are too many."""
        if not site.users and self._sites.get(site.key) is not site:
            await site.pool.aclose()
        surplus = len(self._sites) - _KEPT_ORIGINS
        if surplus <= 0:
            return
        unused = [other for other in self._sites.values() if not other.users]
        for other in unused[:surplus]:
            self._retire(other)
            await other.pool.aclose()


def trusting() -> ssl.SSLContext:
    """A context that verifies: by the person's own list of authorities if set, else by certifi's."""
    import certifi

    return ssl.create_default_context(
        cafile=os.environ.get("SSL_CERT_FILE") or certifi.where(),
        capath=os.environ.get("SSL_CERT_DIR") or None,
    )


class _Site:
    """One origin's connections, and how many requests are using them."""

    __slots__ = ("backend", "key", "pool", "proxied", "users")

    def __init__(
        self,
        key: tuple[str, bool],
        pool: httpcore.AsyncConnectionPool,
        backend: GuardedBackend,
        *,
        proxied: bool,
    ) -> None:
        self.key = key
        self.pool = pool
        self.backend = backend
        self.proxied = proxied
        self.users = 0
