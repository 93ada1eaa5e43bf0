"""From candidates of a digest to articles with a text.

stored text | scrape and store (articles of the ledger) | read (everything else, and in a dry run)
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from digestlog.core.canonical import ledger_url, url_hash
from digestlog.core.digest import Piece
from digestlog.core.filling import EMPTY, FAILED, NO_IDENTITY, POLICY
from digestlog.core.moments import from_iso
from digestlog.core.refusals import is_refusal
from digestlog.errors import UrlError
from digestlog.jobs.collect import Getter
from digestlog.jobs.parsing import Parser
from digestlog.jobs.scrape import ScrapeResult, read_article, scrape_these
from digestlog.store import articles, scrapes
from digestlog.store import ledger as ledger_store
from digestlog.store.db import Database

_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Wanted:
    """A candidate: its address as found, and what its source says of it."""

    url: str
    article_uuid: str | None
    title: str | None
    source: str
    published_at: datetime | None = None
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no text: an outcome and the error behind it; `earlier` if it is known from before."""

    outcome: str
    reason: str | None
    earlier: bool = False


# An article with a text, or why there is none; and the same with its candidate.
Found = Piece | Missing
Read = tuple[Wanted, Found]


def recognised(db: Database, urls: Sequence[str]) -> dict[str, str]:
    """The ids of those addresses that the ledger has, as a source wrote them or as they are in the end."""
    known = {url: found.article_uuid for url, found in ledger_store.known(db, "", urls).items()}
    others: dict[str, str] = {}
    for url in urls:
        with suppress(UrlError):
            others[url] = ledger_url(url).article_uuid
    there = articles.finals(db, list(others.values()))
    return {url: uuid for url, uuid in others.items() if uuid in there} | known


class Reader:
    """Reads candidates; what the ledger has is stored, so that no digest asks for it again.

    Without `keep` nothing is stored.
    """

    def __init__(self, db: Database, getter: Getter, parser: Parser, *, keep: bool = True) -> None:
        self._db = db
        self._getter = getter
        self._parser = parser
        self._keep = keep

    async def read_all(self, wanted: Sequence[Wanted]) -> list[Read]:
        """Every candidate with its article, in their order."""
        found = await self._known([one for one in wanted if one.article_uuid is not None])
        found |= await self._others({one: one for one in wanted if one.article_uuid is None})
        return [(one, found[one]) for one in wanted]

    def costs(self, wanted: Sequence[Wanted]) -> set[Wanted]:
        """Those for which something would be asked of the web now."""
        ids = [one.article_uuid for one in wanted if one.article_uuid is not None]
        stored = scrapes.with_text(self._db, ids)
        unread = scrapes.due(self._db, only=[uuid for uuid in ids if uuid not in stored])
        due = {article.article_uuid for article in unread}
        return {one for one in wanted if one.article_uuid is None or one.article_uuid in due}

    async def _known(self, wanted: Sequence[Wanted]) -> dict[Wanted, Found]:
        ids = [str(one.article_uuid) for one in wanted]
        texts = scrapes.current(self._db, ids)
        unread = scrapes.due(self._db, only=[uuid for uuid in ids if uuid not in texts])
        if not self._keep:
            due = {article.article_uuid: article for article in unread}
            pairs = [(one, due[uuid]) for one, uuid in zip(wanted, ids, strict=True) if uuid in due]
            read = await self._others({one: _at_its_end(one, article) for one, article in pairs})
            return self._stored(wanted, {}) | read
        results = await scrape_these(self._db, self._getter, self._parser, unread)
        return self._stored(wanted, {result.article_uuid: result for result in results})

    def _stored(self, wanted: Sequence[Wanted], read: Mapping[str, ScrapeResult]) -> dict[Wanted, Found]:
        """What the file has of these articles, or why it has nothing."""
        ids = [str(one.article_uuid) for one in wanted]
        texts, finals = scrapes.current(self._db, ids), articles.finals(self._db, ids)
        states = scrapes.states(self._db, [uuid for uuid in ids if uuid not in texts])
        return {
            one: _piece(one, finals[uuid], texts[uuid], read.get(uuid))
            if uuid in texts
            else _unread(read.get(uuid), states.get(uuid))
            for one, uuid in zip(wanted, ids, strict=True)
        }

    async def _others(self, wanted: Mapping[Wanted, Wanted]) -> dict[Wanted, Found]:
        """The articles of candidates, each read as what it is mapped to; nothing is stored."""
        gate = asyncio.Semaphore(_AT_ONCE)
        read = await asyncio.gather(*(self._other(one, gate) for one in wanted.values()))
        return dict(zip(wanted, read, strict=True))

    async def _other(self, one: Wanted, gate: asyncio.Semaphore) -> Found:
        try:
            final = ledger_url(one.url).final
        except UrlError as error:
            return Missing(NO_IDENTITY, error.code)
        async with gate:
            reading = await read_article(self._getter, self._parser, one.url, allow_private=one.allow_private)
        if reading.found is None or reading.found.text is None:
            return Missing(_outcome(reading.outcome, reading.error), reading.error)
        return Piece(
            article_uuid=one.article_uuid,
            url=final,
            url_hash=url_hash(final),
            title=one.title or reading.found.title,
            text=reading.found.text,
            source=one.source,
            published_at=one.published_at or reading.found.published_at,
            addresses=(one.url, reading.url or one.url),
        )


def _at_its_end(one: Wanted, article: scrapes.ToScrape) -> Wanted:
    return replace(one, url=article.article_url_final, allow_private=article.allow_private)


def _piece(one: Wanted, final: str, version: scrapes.Version, now: ScrapeResult | None) -> Piece:
    published = version.published_utc_iso
    return Piece(
        article_uuid=one.article_uuid,
        url=final,
        url_hash=url_hash(final),
        title=one.title or version.title,
        text=version.content_text,
        source=one.source,
        published_at=one.published_at or (from_iso(published) if published else None),
        addresses=(one.url, now.reached_url if now and now.reached_url else final),
    )


def _unread(now: ScrapeResult | None, before: tuple[str, str | None] | None) -> Missing:
    """Why an article of the ledger has no text: what was found out just now, or what is known of it."""
    if now is not None:
        return Missing(_outcome(now.outcome, now.error), now.error)
    status, error = before or (FAILED, None)
    return Missing(_outcome(status, error), error, earlier=True)


def _outcome(status: str, error: str | None) -> str:
    if is_refusal(error):
        return POLICY
    return EMPTY if status == scrapes.EMPTY else FAILED
