"""Following what a person asks for.

discover each (parallel) -> insert (one writer) -> report, as each is done
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from digestlog.core import sources
from digestlog.core.lists import SourceList
from digestlog.core.model import DIRECT, RSS, Added, NewSource, Source
from digestlog.core.opml import Outline
from digestlog.core.text import clean
from digestlog.errors import ConfigError, DigestlogError
from digestlog.jobs.discover import Discovery, Getter, Wish, discover, unseen
from digestlog.store import sources as store
from digestlog.store.db import Database

_AT_ONCE = 8


Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of one wish: added, or the error that stood in the way."""

    address: str
    added: Added | None = None
    discovery: Discovery | None = None
    error: DigestlogError | None = None
    # Of a source that is followed already: the options of `sources edit` that would do what was wished.
    unheeded: tuple[str, ...] = ()


Report = Callable[[Followed], None]


def follow(
    db: Database, wishes: Sequence[Wish], fetcher: Fetchers, report: Report | None = None
) -> list[Followed]:
    """Add every wish that leads to a source; one that does not never stops the others."""
    wishes = [replace(wish, name=clean(wish.name), folder=clean(wish.folder)) for wish in wishes]
    if all(wish.method for wish in wishes):  # nothing to find out, so no network
        return [_reported(_follow_unseen(db, wish), report) for wish in wishes]
    return asyncio.run(_follow(db, wishes, fetcher, report))


def wishes_of(
    entries: SourceList, *, method: str | None = None, folder: str | None = None, allow_private: bool = False
) -> list[Wish]:
    """The wishes of a list: its outlines as they stand in it, its bare addresses to be looked at."""
    outlines = [
        Wish(
            outline.url,
            outline.title,
            method or (RSS if outline.is_feed else DIRECT),
            "/".join(filter(None, (folder, outline.folder))) or None,
            allow_private,
            outline.site_url,
        )
        for outline in entries.outlines
    ]
    return outlines + [Wish(a, None, method, folder, allow_private) for a in entries.addresses]


def outlines_of(followed: Iterable[Source]) -> list[Outline]:
    """The sources as another reader's list would name them."""
    return [
        Outline(s.source_url, s.source_name, s.site_url, s.folder, s.url_scraping_method == RSS)
        for s in followed
    ]


async def _follow(
    db: Database, wishes: Sequence[Wish], fetcher: Fetchers, report: Report | None
) -> list[Followed]:
    """Look at all addresses at once, but add in the order asked for, so that the ids follow it."""
    gate = asyncio.Semaphore(_AT_ONCE)
    async with fetcher() as getter:
        looks = [asyncio.ensure_future(_discover_one(getter, wish, gate)) for wish in wishes]
        try:
            return [
                _reported(_add(db, wish, await look), report)
                for wish, look in zip(wishes, looks, strict=True)
            ]
        finally:
            for look in looks:
                look.cancel()


async def _discover_one(
    getter: Getter, wish: Wish, gate: asyncio.Semaphore
) -> Discovery | DigestlogError | None:
    if wish.method is not None:
        return None
    async with gate:
        try:
            return await discover(getter, wish)
        except DigestlogError as error:
            return error


def _add(db: Database, wish: Wish, found: Discovery | DigestlogError | None) -> Followed:
    if found is None:
        return _follow_unseen(db, wish)
    if isinstance(found, DigestlogError):
        return Followed(wish.address, error=found)
    added = _insert(db, found.source)
    return Followed(wish.address, added, found, unheeded=_unheeded(wish, added))


def _follow_unseen(db: Database, wish: Wish) -> Followed:
    try:
        added = _insert(db, unseen(wish))
        return Followed(wish.address, added, unheeded=_unheeded(wish, added))
    except ConfigError as error:
        return Followed(wish.address, error=error)


def _unheeded(wish: Wish, added: Added) -> tuple[str, ...]:
    """What was wished of a source that is followed already, and is otherwise there."""
    if added.outcome != "known":
        return ()
    source = added.source
    options = []
    if wish.name and wish.name != source.source_name:
        options += ["--name", wish.name]
    if wish.folder and wish.folder != source.folder:
        options += ["--folder", wish.folder]
    if wish.allow_private and not source.allow_private:
        options.append("--allow-private")
    return tuple(options)


def _insert(db: Database, source: NewSource) -> Added:
    return store.insert(db, source, sources.same_addresses(source.source_url))


def _reported(result: Followed, report: Report | None) -> Followed:
    if report is not None:
        report(result)
    return result
