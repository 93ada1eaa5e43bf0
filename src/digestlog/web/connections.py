"""Connections, kept open between requests: a few for each origin."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic

from digestlog.errors import FetchError
from digestlog.web.address import Address, shown
from digestlog.web.failures import NoConnection, ProxyRefused, Stale, WireError
from digestlog.web.guard import Guard
from digestlog.web.headers import Headers
from digestlog.web.proxies import Proxies, Proxy
from digestlog.web.wire import Connection, Fields

_KEPT_ORIGINS = 100
_KEPT_S = 30.0
_DRAINED = 16_384
_DRAIN_S = 1.0


class Answer:
    """A server's answer, its body still on the way."""

    def __init__(self, connection: Connection, read_s: float) -> None:
        self.status = connection.status
        self.headers = Headers(connection.fields)
        self._connection = connection
        self._read_s = read_s

    def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, still packed."""
        return self._connection.pieces(silence_s=self._read_s)

    async def drain(self) -> None:
        """Read what is left if it is little, so that the connection can be used again."""
        if self._connection.complete or (self.headers.number(b"content-length") or 0) > _DRAINED:
            return
        room = _DRAINED
        with suppress(TimeoutError, WireError):
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
        self._connect_s = connect_s
        self._read_s = read_s
        self._sites: dict[tuple[str, bool], _Site] = {}  # the longest unused first
        self._context: ssl.SSLContext | None = None

    @asynccontextmanager
    async def answer(
        self, method: str, address: Address, fields: Fields, *, allow_private: bool
    ) -> AsyncIterator[Answer]:
        """The answer to one request; what is left of it is dropped on leaving."""
        site = self._site(address, allow_private)
        if site.proxy is not None and not allow_private:
            # The proxy will look the name up itself: this much is all that can be done from here.
            await self._guard.addresses(address.host, address.port, allow_private=False)
        connection = await self._send(site, method, address, fields)
        try:
            yield Answer(connection, self._read_s)
        finally:
            self._let_go(site, connection)

    async def aclose(self) -> None:
        """Close all connections."""
        sites, self._sites = list(self._sites.values()), {}
        for site in sites:
            site.close()
        await asyncio.sleep(0)  # the loop takes leave of them at its next turn

    async def _send(self, site: _Site, method: str, address: Address, fields: Fields) -> Connection:
        """A connection with the head of the answer; one that the server has closed is replaced."""
        while True:
            self.requests += 1
            connection = site.kept() or await self._connect(site, address)
            try:
                target, more = site.form(address)
                head = ((b"host", address.authority), *fields, *more)
                await connection.ask(method, target, head, silence_s=self._read_s)
            except Stale:
                connection.close()
            except BaseException:
                connection.close()
                raise
            else:
                return connection

    async def _connect(self, site: _Site, address: Address) -> Connection:
        if site.proxy is not None:
            return await self._through(site.proxy, address)
        tls = self._tls(address) if address.scheme == "https" else None
        # Certificates are made out to names without the final dot.
        name = address.host.removesuffix(".") if tls else None
        return await self._dial(address.host, address.port, tls, name, allow_private=site.allow_private)

    async def _through(self, proxy: Proxy, address: Address) -> Connection:
        """A connection to a proxy, and for https a tunnel through it."""
        # A proxy may stand in a private network: the person has set it.
        name = proxy.host if proxy.tls else None
        connection = await self._dial(proxy.host, proxy.port, proxy.tls, name, allow_private=True)
        if address.scheme == "https":
            try:
                await self._tunnel(connection, proxy, address)
            except BaseException:
                connection.close()
                raise
        return connection

    async def _tunnel(self, connection: Connection, proxy: Proxy, address: Address) -> None:
        host = f"[{address.host}]" if ":" in address.host else address.host
        target = f"{host}:{address.port}".encode()
        await connection.ask("CONNECT", target, ((b"host", target), *proxy.fields), silence_s=self._connect_s)
        if not 200 <= connection.status < 300:
            raise ProxyRefused(str(connection.status))
        try:
            transport = await asyncio.get_running_loop().start_tls(
                connection.transport,
                connection,
                self._tls(address),
                server_hostname=address.host.removesuffix("."),
                ssl_handshake_timeout=self._connect_s,
            )
        except OSError as error:
            raise NoConnection("no way through the tunnel") from error
        if transport is None:
            raise NoConnection("the tunnel was closed")
        connection.begin_inside(transport)

    async def _dial(
        self, host: str, port: int, tls: ssl.SSLContext | None, name: str | None, *, allow_private: bool
    ) -> Connection:
        async def dial(address: str, at: int) -> Connection:
            _, connection = await asyncio.get_running_loop().create_connection(
                Connection, address, at, ssl=tls, server_hostname=name
            )
            return connection

        return await self._guard.connect(
            host, port, dial, allow_private=allow_private, timeout_s=self._connect_s
        )

    def _site(self, address: Address, allow_private: bool) -> _Site:
        key = (address.origin, allow_private)
        site = self._sites.pop(key, None)
        if site is None:
            pinned = self._guard.pinned(address.host, address.port)
            proxy = None if pinned else self._proxies.proxy(address, lambda: self._tls(address))
            site = _Site(allow_private, proxy)
        self._sites[key] = site
        return site

    def _tls(self, address: Address) -> ssl.SSLContext:
        """One context for all; it takes long to make, so only once an https address is met."""
        if self._context is None:
            try:
                self._context = trusting()
            except OSError as error:
                message = f"{shown(address.url)} was not asked: the trusted certificates cannot be read"
                raise FetchError(message, "check SSL_CERT_FILE", url=address.url, asked=False) from error
        return self._context

    def _let_go(self, site: _Site, connection: Connection) -> None:
        """Keep the connection if it can be used again; the longest unused origins make room."""
        if connection.can_be_kept and len(site.idle) < self._per_host:
            site.keep(connection)
        else:
            connection.close()
        while len(self._sites) > _KEPT_ORIGINS:
            self._sites.pop(next(iter(self._sites))).close()


def trusting() -> ssl.SSLContext:
    """A context that verifies: by the person's own list of authorities if set, else by certifi's."""
    import certifi

    return ssl.create_default_context(
        cafile=os.environ.get("SSL_CERT_FILE") or certifi.where(),
        capath=os.environ.get("SSL_CERT_DIR") or None,
    )


class _Site:
    """One origin: how it is reached, and its connections that nobody is using."""

    __slots__ = ("allow_private", "closed", "idle", "proxy")

    def __init__(self, allow_private: bool, proxy: Proxy | None) -> None:
        self.allow_private = allow_private
        self.proxy = proxy
        self.idle: list[Connection] = []
        self.closed = False

    def kept(self) -> Connection | None:
        """The connection that was used last, if one is still good."""
        while self.idle:
            connection = self.idle.pop()
            if connection.is_open and monotonic() - connection.idle_since < _KEPT_S:
                return connection
            connection.close()
        return None

    def keep(self, connection: Connection) -> None:
        """Put a connection aside for the next request."""
        if self.closed:
            connection.close()
            return
        connection.idle_since = monotonic()
        self.idle.append(connection)

    def form(self, address: Address) -> tuple[bytes, Fields]:
        """How the request names what it wants: to a proxy without a tunnel, by its whole address."""
        if self.proxy is None or address.scheme == "https":
            return address.target, ()
        host = f"[{address.host}]" if ":" in address.host else address.host
        return f"http://{host}:{address.port}".encode() + address.target, self.proxy.fields

    def close(self) -> None:
        """Close the connections that nobody is using; others are closed by those who use them."""
        self.closed = True
        while self.idle:
            self.idle.pop().close()
