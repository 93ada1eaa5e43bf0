"""Keeps connections out of private networks.

The check stands where the connection is made: the name is resolved here, each address is
judged, and the connection goes to the very address that was judged. A name that resolves
to something else a moment later (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from digestlog.errors import AddressRefused
from digestlog.web.failures import NoConnection, TooSlow

Pins = Mapping[str, tuple[str, int]]
Lookup = Callable[[str], Sequence[str]]
T = TypeVar("T")
# Connects to one IP address and port.
Dial = Callable[[str, int], Awaitable[T]]

_TTL_S = 60.0
_MAX_NAMES = 10_000
_LOOKUPS_AT_ONCE = 16
_TRIED = 4

# Written out instead of asking ipaddress.is_global, whose answer depends on the Python version.
_NOT_PUBLIC_4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, and a cloud's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # another cloud's metadata, in the midst of public addresses
        "169.254.0.0/16",  # link-local, and most clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",  # multicast, reserved, broadcast
    )
)
_UNICAST_6 = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # protocols, Teredo among them
        "2001:db8::/32",
        "3fff::/20",
    )
)
# IPv4 inside IPv6: the network, and how far right the four bytes stand.
_WRAPPED = (
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),  # NAT64: on some networks every IPv4 host looks like this
    (ipaddress.IPv6Network("2002::/16"), 80),  # 6to4
)


# Where clouds tell a machine its secrets: nobody's own network, so closed also where private ones are open.
_METADATA = frozenset(
    ipaddress.ip_address(address)
    for address in ("169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "fd00:ec2::254")
)


def is_metadata(address: str) -> bool:
    """True if an IP address is where a cloud keeps what it knows of its machines."""
    return _unwrapped(address) in _METADATA


def _unwrapped(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address; an IPv4 address inside an IPv6 one taken out of it."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        for network, shift in _WRAPPED:
            if ip in network:
                return ipaddress.IPv4Address((int(ip) >> shift) & 0xFFFFFFFF)
    return ip


def is_public(address: str) -> bool:
    """True if an IP address belongs to the public internet, also after unwrapping IPv4 inside IPv6."""
    ip = _unwrapped(address)
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in network for network in _NOT_PUBLIC_4)
    return ip in _UNICAST_6 and not any(ip in network for network in _NOT_PUBLIC_6)


class Guard:
    """Resolves names and passes the addresses that may be connected to.

    `pins` name the hosts of a web that this program serves itself, with the one address
    and port where each is; nothing else on that address is reachable through them.
    """

    def __init__(self, pins: Pins | None = None, lookup: Lookup | None = None) -> None:
        self._pins = pins or {}
        self._lookup = lookup or _lookup
        self._known: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._threads: ThreadPoolExecutor | None = None

    def pinned(self, host: str, port: int) -> tuple[str, int] | None:
        """Where a pinned host is, for its port 80 only."""
        return self._pins.get(host) if port == 80 else None

    async def addresses(self, host: str, port: int, *, allow_private: bool) -> list[tuple[str, int]]:
        """The host's addresses that pass; AddressRefused if it has none but private ones."""
        if host in self._pins:
            return [self._pin(host, port)]
        found = await self._resolve(host)
        passed = [(a, port) for a in found if (allow_private and not is_metadata(a)) or is_public(a)]
        if found and not passed:
            raise AddressRefused(
                f"{host} is a private address ({found[0]})",
                None if all(map(is_metadata, found)) else "if this is your own network, say --allow-private",
                url=f"{host}:{port}",
            )
        return passed

    async def connect(
        self, host: str, port: int, dial: Dial[T], *, allow_private: bool, timeout_s: float
    ) -> T:
        """A connection to the first of the host's addresses that pass and answer."""
        try:
            async with asyncio.timeout(timeout_s) as limit:
                addresses = await self.addresses(host, port, allow_private=allow_private)
                return await _first(dial, addresses[:_TRIED], limit.when() or 0.0)
        except TimeoutError as error:
            raise TooSlow("no connection in time") from error

    def _pin(self, host: str, port: int) -> tuple[str, int]:
        """A pinned host's one address; no name server is asked for another."""
        pinned = self.pinned(host, port)
        if pinned is None:
            raise NoConnection(f"the name {host} cannot be found")
        return pinned

    def close(self) -> None:
        """Let go of the threads that look up names."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def _resolve(self, host: str) -> tuple[str, ...]:
        if _is_ip(host):
            return (host,)
        until, addresses = self._known.get(host, (0.0, ()))
        if time.monotonic() < until:
            return addresses
        try:
            addresses = _by_turns(await self._in_thread(host))
        except (OSError, UnicodeError) as error:
            raise NoConnection("the name cannot be found") from error
        if len(self._known) >= _MAX_NAMES:
            self._known.clear()
        self._known[host] = (time.monotonic() + _TTL_S, addresses)
        return addresses

    async def _in_thread(self, host: str) -> Sequence[str]:
        if self._threads is None:
            # Not the event loop's own few threads: one slow name server would hold up all names.
            self._threads = ThreadPoolExecutor(_LOOKUPS_AT_ONCE, "names")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._lookup, host)


async def _first(dial: Dial[T], addresses: Sequence[tuple[str, int]], until: float) -> T:
    failure: Exception | None = None
    for index, (address, port) in enumerate(addresses):
        # Each address gets its share of the time that is left: a dead one must not use up all.
        left = until - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(left / (len(addresses) - index)):
                return await dial(address, port)
        except TimeoutError as error:
            failure = error
        except ssl.SSLError as error:
            raise NoConnection("not secure") from error  # another address would say the same
        except OSError as error:
            failure = error
    if isinstance(failure, TimeoutError):
        raise TooSlow("no connection in time") from failure
    raise NoConnection("no address answers" if addresses else "the name has no address") from failure


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _lookup(host: str) -> Sequence[str]:
    # As bytes, because Python's own IDNA would refuse names that others can look up.
    infos = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in infos]


def _by_turns(addresses: Sequence[str]) -> tuple[str, ...]:
    """Each address once, IPv6 and IPv4 by turns, so that one broken family costs one try."""
    found = list(dict.fromkeys(addresses))
    first = [address for address in found if (":" in address) == (":" in found[0])]
    second = [address for address in found if address not in first]
    mixed: list[str] = []
    for index in range(max(len(first), len(second))):
        mixed += first[index : index + 1] + second[index : index + 1]
    return tuple(mixed)
