"""Keeps connections out of private networks.

The check stands where the connection is made: the name is resolved here, each address is
judged, and the connection goes to the very address that was judged. A name that resolves
to something else a moment later (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable, Mapping

import httpcore

from digestlog.errors import AddressRefused

Pins = Mapping[str, tuple[str, int]]

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """True if an IP address belongs to the public internet, also after unwrapping IPv4 inside IPv6."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if ip.is_site_local:
            return False
    return ip.is_global and not ip.is_multicast


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to public addresses only, unless told that this is a person's own network.

    `pins` name the hosts of a web that this program serves itself, with the one address
    and port where each is; nothing else on that address is reachable through them.
    """

    def __init__(self, *, allow_private: bool = False, pins: Pins | None = None) -> None:
        self._inner = httpcore.AnyIOBackend()
        self._allow_private = allow_private
        self._pins = pins or {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to one of the host's addresses that pass."""
        failure: Exception | None = None
        for address, its_port in await self._addresses(host, port):
            try:
                return await self._inner.connect_tcp(
                    address, its_port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")

    async def sleep(self, seconds: float) -> None:
        """Wait, for httpcore's retries."""
        await self._inner.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[tuple[str, int]]:
        pinned = self._pins.get(host)
        if pinned is not None and port == 80:
            return [pinned]
        found = await _resolve(host, port)
        if self._allow_private:
            return [(address, port) for address in found]
        public = [(address, port) for address in found if is_public(address)]
        if found and not public:
            raise AddressRefused(
                f"{host} is a private address ({found[0]})",
                "if this is your own network, say --allow-private",
                url=f"{host}:{port}",
            )
        return public


async def _resolve(host: str, port: int) -> list[str]:
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"the name {host} cannot be found") from error
    return list(dict.fromkeys(str(info[4][0]) for info in infos))
