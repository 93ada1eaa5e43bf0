"""robots.txt: what a site asks programs not to read (RFC 9309)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from digestlog.core.model import Fetched
from digestlog.core.refusals import CLOSED
from digestlog.errors import AddressRefused, FetchError
from digestlog.web.address import Address, shown

NAME = "digestlog"
MAX_BYTES = 500_000
MAX_HOPS = 5
_AGENT_FIELDS = frozenset({"user-agent", "useragent", "user agent"})
_RULE_FIELDS = frozenset({"allow", "disallow", "crawl-delay"})

Read = Callable[[str, bool], Awaitable[Fetched]]


class _Rules(Protocol):
    def can_fetch(self, url: str, user_agent: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Known:
    """What one origin says: rules, none, or why they cannot be read; and the text they stand in."""

    rules: _Rules | FetchError | None
    text: str = ""


class Robots:
    """The rules of each origin, read once."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[tuple[str, bool], _Known] = {}
        self._locks: dict[tuple[str, bool], asyncio.Lock] = {}

    async def refusal(self, address: Address, *, allow_private: bool) -> FetchError | None:
        """Why the address must not be read, or None if it may be."""
        rules = (await self._of(address.origin, allow_private)).rules
        if rules is None:
            return None
        if isinstance(rules, FetchError):
            return FetchError(
                f"{shown(address.url)} was not asked: the site's robots.txt cannot be read now",
                rules.message,
                url=address.url,
                temporary=True,
                retry_after_s=rules.retry_after_s,
                # A site that is not there counts as asked, or its articles would be tried for ever.
                asked=rules.asked,
            )
        if rules.can_fetch(address.url, NAME):
            return None
        return FetchError(f"{shown(address.url)} {CLOSED}", url=address.url)

    async def text(self, address: Address, *, allow_private: bool) -> str:
        """The robots.txt of the address's origin as it was written; empty if there is none."""
        return (await self._of(address.origin, allow_private)).text

    async def _of(self, origin: str, allow_private: bool) -> _Known:
        key = (origin, allow_private)
        async with self._locks.setdefault(key, asyncio.Lock()):
            if key not in self._known:
                self._known[key] = await self._look(origin, allow_private)
            return self._known[key]

    async def _look(self, origin: str, allow_private: bool) -> _Known:
        url = f"{origin}/robots.txt"
        try:
            answer = await self._read(url, allow_private)
        except AddressRefused:
            return _Known(None)  # so will be the page, and that says why
        except FetchError as error:
            return _Known(error)
        if answer.status >= 500:
            words = f"{url} answered {answer.status}"
            return _Known(FetchError(words, url=url, retry_after_s=answer.retry_after_s))
        if not 200 <= answer.status < 300:
            return _Known(None)
        return _Known(parse(answer.body), _text(answer.body))


def parse(body: bytes) -> _Rules:
    """The rules in a robots.txt, however hostile."""
    from protego import Protego

    lines = (_line(line) for line in _text(body).splitlines())
    return Protego.parse("\n".join(line for line in lines if line))


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace").removeprefix("\ufeff")


def _line(line: str) -> str | None:
    """A line that matters, with every other program's name made the same.

    Protego copies each rule to every name of its group: ten thousand names with ten thousand
    rules would keep it busy for an hour.
    """
    field, _, value = line.partition("#")[0].partition(":")
    name = field.strip().lower()
    if name in _RULE_FIELDS:
        return f"{name}:{value}"
    if name not in _AGENT_FIELDS:
        return None
    agent = value.strip().lower()
    if agent != "*" and agent.partition("/")[0].strip(" *") != NAME:
        agent = "other"
    return f"user-agent: {NAME if agent.startswith(NAME) else agent}"
