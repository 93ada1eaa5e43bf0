"""What a scan of an address would find, and why; nothing is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import timedelta

from digestlog.core import ledger
from digestlog.core.ledger import Candidate, LeftOut
from digestlog.core.model import NewSource, Source
from digestlog.core.moments import to_iso
from digestlog.jobs.collect import Getter, Remembered, Visit, visit
from digestlog.jobs.discover import Wish, discover, unseen
from digestlog.jobs.parsing import Parser
from digestlog.store import sources
from digestlog.store.db import Database

Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]


@dataclass(frozen=True, slots=True)
class Preview:
    """A visit, parted by the window."""

    source: Source
    visit: Visit
    within: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]


def preview(
    db: Database,
    fetcher: Fetchers,
    wish: Wish,
    *,
    window: timedelta | None,
    link_selector: str | None = None,
    date_selector: str | None = None,
) -> Preview:
    """Visit a source, or an address that is not followed yet, as its first scan would."""
    known = sources.known_as(db, wish.address)
    return asyncio.run(_preview(db, fetcher, wish, known, window, link_selector, date_selector))


async def _preview(
    db: Database,
    fetcher: Fetchers,
    wish: Wish,
    known: Source | None,
    window: timedelta | None,
    link_selector: str | None,
    date_selector: str | None,
) -> Preview:
    with Parser() as parser:
        async with fetcher() as getter:
            source = known or _not_followed(await _found(getter, wish), to_iso(db.now))
            source = replace(
                source,
                link_selector=link_selector or source.link_selector,
                date_selector=date_selector or source.date_selector,
            )
            found = await visit(getter, parser, source, Remembered())
    sifted = ledger.sift(found.candidates, ledger.window_start(db.now, window, None))
    return Preview(source, found, sifted.within, tuple(map(ledger.too_old, sifted.outside)))


async def _found(getter: Getter, wish: Wish) -> NewSource:
    return unseen(wish) if wish.method else (await discover(getter, wish)).source


def _not_followed(wish: NewSource, now_iso: str) -> Source:
    return Source(
        source_uuid="",
        source_name=wish.source_name,
        source_url=wish.source_url,
        url_scraping_method=wish.url_scraping_method,
        is_active=True,
        paused_reason=None,
        removed_at=None,
        site_url=wish.site_url,
        folder=None,
        allow_private=wish.allow_private,
        link_selector=None,
        date_selector=None,
        created_at=now_iso,
        updated_at=now_iso,
        last_scanned_at=None,
        last_success_at=None,
        next_scan_at=None,
        consecutive_failures=0,
        last_error=None,
    )
