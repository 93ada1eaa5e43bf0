"""Fetching one address: bounded in time, size, redirects and in where it may lead.

get:      address -> turn at the host -> request -> redirect? next address : read the body
resolve:  the same with HEAD, or GET where HEAD is refused; no body is read
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Self

from digestlog import __version__
from digestlog.core.model import Fetched, Hop, Resolved
from digestlog.errors import FetchError, RedirectRefused
from digestlog.web import headers
from digestlog.web.address import Address, parse, shown
from digestlog.web.bodies import Bodies, Reader, cut_off
from digestlog.web.connections import Answer, Connections
from digestlog.web.failures import BrokenAnswer, Silence, in_words
from digestlog.web.guard import Guard, Pins
from digestlog.web.politeness import Clock, Gate, Sleep
from digestlog.web.proxies import Proxies
from digestlog.web.robots import MAX_BYTES as ROBOTS_BYTES
from digestlog.web.robots import MAX_HOPS as ROBOTS_HOPS
from digestlog.web.robots import Robots
from digestlog.web.wire import Fields

_ACCEPT = (
    b"application/atom+xml,application/rss+xml,application/feed+json,"
    b"application/xml;q=0.9,text/html;q=0.9,*/*;q=0.5"
)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WAITS = frozenset({429, 503})


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one fetch may take, and how much one host is asked.

    The headers of an answer are bounded by wire.MAX_HEAD.
    """

    max_body: int = 15_000_000
    max_hops: int = 10
    total_s: float = 60.0
    connect_s: float = 10.0
    read_s: float = 20.0
    per_host: int = 2
    host_delay_s: float = 0.25
    # Over all hosts: a feed may link to thousands, and a process may open only so many connections.
    at_once: int = 100


class Fetcher:
    """Fetches addresses; use it as an async context.

    Cookies are never kept. Private addresses are refused at every hop, unless the call
    says `allow_private`; such calls have connections of their own.
    """

    def __init__(
        self,
        *,
        pins: Pins | None = None,
        limits: Limits | None = None,
        contact: str | None = None,
        proxies_from_env: bool = True,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._limits = limits or Limits()
        self._fields = _fields(contact)
        self._guard = Guard(pins)
        self._gate = Gate(self._limits.per_host, self._limits.host_delay_s, clock, sleep)
        self._connections = Connections(
            self._guard,
            Proxies(from_env=proxies_from_env),
            per_host=self._limits.per_host,
            connect_s=self._limits.connect_s,
            read_s=self._limits.read_s,
        )
        self._places = asyncio.Semaphore(self._limits.at_once)
        self._bodies = Bodies()
        self._robots = Robots(self._robots_txt)
        self._refuse_head: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guard.close()
        await self._connections.aclose()

    @property
    def requests(self) -> int:
        """How many requests were really sent."""
        return self._connections.requests

    async def get(
        self,
        url: str,
        *,
        allow_private: bool = False,
        etag: str | None = None,
        last_modified: str | None = None,
        obey_robots: bool = False,
        stop_at: Callable[[str], bool] | None = None,
    ) -> Fetched:
        """What the address answers, whatever its status; FetchError if it gives no usable answer.

        Each address that a redirect points to is shown to `stop_at` before it is asked for; where that says
        True, RedirectRefused.
        """
        trip = _Trip(url, self._limits.max_hops, self._limits.total_s, allow_private)
        validators = _validators(etag, last_modified)
        asked = trip.here.host
        while True:
            if obey_robots:
                await self._heed_robots(trip.here, allow_private)
            # Validators belong to the host that gave them; another might take them for its own.
            fields = validators if trip.here.host == asked else ()
            fetched = await self._step(trip, fields, self._limits.max_body)
            if fetched is not None:
                return fetched
            if stop_at is not None and stop_at(trip.url):
                raise _unwanted(trip)

    async def resolve(self, url: str, *, allow_private: bool = False) -> Resolved:
        """Where the address leads; FetchError if that cannot be found out."""
        trip = _Trip(url, self._limits.max_hops, self._limits.total_s, allow_private)
        while True:
            seen = await self._look(trip)
            if seen.location is None:
                return Resolved(url, trip.url, seen.status, tuple(trip.hops), seen.retry_after_s)
            trip.follow(seen.status, seen.location)

    async def allowed(self, url: str, *, allow_private: bool = False) -> bool:
        """True if the site's robots.txt lets us read the address."""
        return await self._robots.refusal(parse(url), allow_private=allow_private) is None

    async def robots_txt(self, url: str, *, allow_private: bool = False) -> str:
        """The robots.txt of the address's site, asked for once at most; empty if there is none."""
        return await self._robots.text(parse(url), allow_private=allow_private)

    async def _heed_robots(self, address: Address, allow_private: bool) -> None:
        refusal = await self._robots.refusal(address, allow_private=allow_private)
        if refusal is not None:
            raise refusal

    async def _robots_txt(self, url: str, allow_private: bool) -> Fetched:
        trip = _Trip(url, ROBOTS_HOPS, self._limits.total_s, allow_private)
        while True:
            fetched = await self._step(trip, (), ROBOTS_BYTES, cut=True)
            if fetched is not None:
                return fetched

    async def _step(self, trip: _Trip, fields: Fields, limit: int, *, cut: bool = False) -> Fetched | None:
        """One request: the whole answer, or None after a redirect that is now to be followed."""
        async with self._bodies.reader() as reader:
            async with self._exchange("GET", trip, fields) as answer:
                location = _location(answer)
                if location is None:
                    body = await _body(reader, trip, answer, limit, cut)
                else:
                    await answer.drain()
            if location is None:
                return _fetched(trip, answer, body)
        trip.follow(answer.status, location)
        return None

    async def _look(self, trip: _Trip) -> _Glance:
        """What one address answers, by HEAD or, where that is refused, by GET."""
        host = trip.here.host
        if host not in self._refuse_head:
            try:
                seen = await self._peek("HEAD", trip)
            except BrokenAnswer:
                pass
            else:
                if seen.status < 400 or seen.status in _WAITS:
                    return seen
        seen = await self._peek("GET", trip)
        if seen.status < 400:
            self._refuse_head.add(host)
        return seen

    async def _peek(self, method: str, trip: _Trip) -> _Glance:
        async with self._exchange(method, trip) as answer:
            await answer.drain()
        return _Glance(answer.status, _location(answer), headers.retry_after_s(answer.headers, time.time()))

    @asynccontextmanager
    async def _exchange(self, method: str, trip: _Trip, fields: Fields = ()) -> AsyncIterator[Answer]:
        """One answer, at the host's turn, in the trip's time, with failures in words."""
        sent = (*self._fields, *fields)
        async with self._gate.turn(trip.here), self._places, trip.timed():
            with in_words(trip.requested_url):
                async with self._connections.answer(
                    method, trip.here, sent, allow_private=trip.allow_private
                ) as answer:
                    self._note_pause(trip.here.host, answer)
                    yield answer

    def _note_pause(self, host: str, answer: Answer) -> None:
        if answer.status in _WAITS:
            self._gate.pause(host, headers.retry_after_s(answer.headers, time.time()) or 0)


class _Glance(NamedTuple):
    """An answer without its body."""

    status: int
    location: str | None
    retry_after_s: int | None


class _Trip:
    """One address on its way through redirects: where it is, and what it has used up."""

    def __init__(self, url: str, max_hops: int, total_s: float, allow_private: bool) -> None:
        self.requested_url = url
        self.allow_private = allow_private
        self.here = parse(url)
        self.hops: list[Hop] = []
        self.elapsed_s = 0.0
        self._max_hops = max_hops
        self._total_s = total_s
        self._seen = {self.here.place}

    @property
    def url(self) -> str:
        """The last address; exactly as it was asked for if nothing redirected."""
        return self.hops[-1].url if self.hops else self.requested_url

    def follow(self, status: int, location: str) -> None:
        """Go where a redirect points; FetchError if it points nowhere, in a circle or too often on."""
        name = shown(self.requested_url)
        try:
            following = parse(location, self.here.url)
        except FetchError as error:
            message = f"{name} redirects to an address that cannot be followed: {shown(location)}"
            raise FetchError(message, url=self.requested_url) from error
        if following.place in self._seen:
            raise FetchError(f"{name} redirects in a circle", url=self.requested_url)
        if len(self.hops) >= self._max_hops:
            raise FetchError(f"{name} redirects more than {self._max_hops} times", url=self.requested_url)
        self.hops.append(Hop(status, following.url))
        self._seen.add(following.place)
        self.here = following

    @asynccontextmanager
    async def timed(self) -> AsyncIterator[None]:
        """Take what is done meanwhile from the trip's time, and stop it when that is used up."""
        start = time.monotonic()
        try:
            async with asyncio.timeout(self._total_s - self.elapsed_s):
                yield
        except TimeoutError as error:
            message = f"{shown(self.requested_url)} took longer than {self._total_s:g} s"
            raise FetchError(message, url=self.requested_url, temporary=True) from error
        finally:
            self.elapsed_s += time.monotonic() - start


def _unwanted(trip: _Trip) -> RedirectRefused:
    message = f"{shown(trip.requested_url)} leads to {shown(trip.url)}, which is known already"
    return RedirectRefused(message, url=trip.requested_url, reached=trip.url)


async def _body(reader: Reader, trip: _Trip, answer: Answer, limit: int, cut: bool) -> bytes:
    if answer.status == 304:
        await answer.drain()
        return b""
    encoding = answer.headers.joined(b"content-encoding")
    async with aclosing(_pieces(trip.requested_url, answer)) as pieces:
        return await reader.read(trip.requested_url, pieces, encoding, limit, cut=cut)


async def _pieces(url: str, answer: Answer) -> AsyncGenerator[bytes, None]:
    """The body's pieces; what breaks in their midst was cut off."""
    try:
        async for piece in answer.pieces():
            yield piece
    except Silence:
        raise
    except Exception as error:
        raise cut_off(url) from error


def _location(answer: Answer) -> str | None:
    """Where a redirect points; None for an answer that is none, or points nowhere."""
    return (answer.headers.first(b"location") or None) if answer.status in _REDIRECTS else None


def _fetched(trip: _Trip, answer: Answer, body: bytes) -> Fetched:
    content_type = answer.headers.first(b"content-type")
    return Fetched(
        requested_url=trip.requested_url,
        url=trip.url,
        status=answer.status,
        content_type=content_type,
        charset=headers.charset(content_type),
        body=body,
        hops=tuple(trip.hops),
        etag=headers.validator(answer.headers.first(b"etag")),
        last_modified=headers.validator(answer.headers.first(b"last-modified")),
        retry_after_s=headers.retry_after_s(answer.headers, time.time()),
        max_age_s=headers.max_age_s(answer.headers),
        elapsed_s=trip.elapsed_s,
    )


def _fields(contact: str | None) -> Fields:
    """The headers of every request: who asks, and what can be read."""
    agent = f"digestlog/{__version__}"
    words = " ".join(
        "".join(char for char in contact or "" if char.isprintable() and char not in "()").split()
    )
    if words:
        agent += f" (+{words})"
    return (
        (b"user-agent", agent.encode("ascii", "ignore")),
        (b"accept", _ACCEPT),
        (b"accept-encoding", b"gzip, deflate, br, zstd"),
    )


def _validators(etag: str | None, last_modified: str | None) -> Fields:
    """The headers of a question whether anything has changed."""
    pairs = ((b"if-none-match", etag), (b"if-modified-since", last_modified))
    return tuple((name, value.encode()) for name, text in pairs if (value := headers.validator(text)))
