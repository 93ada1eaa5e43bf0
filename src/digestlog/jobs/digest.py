"""`digestlog digest`: what is worth reading, and nothing twice.

cleanup
phase 1, the user's sources:
    visit -> scrape -> drop empty -> not in history -> too few? once more, less what was fetched -> classify
phase 2, web search, where it is set up and categories have room:
    search -> drop homepages -> dedup_by_url, seen_urls -> not in history -> scrape -> drop empty -> classify
save + insert into history, in one transaction
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain

from digestlog.core import filling, stories
from digestlog.core.canonical import url_hash
from digestlog.core.digest import (
    Candidate,
    Category,
    Classifier,
    Digest,
    Hit,
    Label,
    Piece,
    Search,
    Summariser,
)
from digestlog.core.filling import Ledger, Shelf
from digestlog.core.model import Source
from digestlog.core.moments import from_iso
from digestlog.core.settings import Settings
from digestlog.errors import ClassifierError, UrlError
from digestlog.jobs.collect import Getter, Remembered, visit
from digestlog.jobs.parsing import Parser
from digestlog.jobs.reading import Reader, Wanted, recognised
from digestlog.jobs.scrape import ArticleParser
from digestlog.store import articles, digests, history
from digestlog.store.db import Database

_SUMMARY_CHARS = 400
_HITS_PER_CATEGORY = 10
_AT_ONCE = 16

Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Providers:
    """Who does the work; each embedded one is there for when the other fails."""

    classifier: Classifier
    summariser: Summariser
    embedded_classifier: Classifier
    embedded_summariser: Summariser
    search: Search | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asked of one digest."""

    since: timedelta | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class User:
    """Whose digest it is, and how they want it."""

    id: str
    name: str
    settings: Settings
    categories: tuple[Category, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A digest and what became of every candidate."""

    digest: Digest
    candidates: tuple[Candidate, ...]


def make(
    db: Database, fetcher: Fetchers, user: User, providers: Providers, options: Options, progress: Progress
) -> Made:
    """Make a digest and, unless it is a dry run, save it and remember what was shown."""
    days = user.settings.article_history_days
    if days and not options.dry_run:
        with db.transaction() as connection:
            history.cleanup_old(db, connection, user.id, days)
    made = asyncio.run(_make(db, fetcher, user, providers, options, progress))
    if not options.dry_run:
        _save(db, user, made)
    return made


def _save(db: Database, user: User, made: Made) -> None:
    """Both or neither: the digest, and the memory of what it showed."""
    shown = [
        (url, url_hash(url))
        for item in made.digest.items
        for url in (item.url, *(link.url for link in item.other_links))
    ]
    with db.transaction() as connection:
        digests.save(db, connection, made.digest, user.id, made.candidates)
        if user.settings.article_history_days:
            history.insert_urls(db, connection, user.id, shown)


async def _make(
    db: Database, fetcher: Fetchers, user: User, providers: Providers, options: Options, progress: Progress
) -> Made:
    with ArticleParser() as parser:
        async with fetcher() as getter:
            making = _Making(db, getter, parser, user, providers, options, progress)
            await making.sources()
            await making.search()
            return await making.finish()


@dataclass(slots=True)
class _Making:
    """One digest under way."""

    db: Database
    getter: Getter
    parser: Parser
    user: User
    providers: Providers
    options: Options
    progress: Progress
    ledger: Ledger = field(default_factory=Ledger)
    notes: list[str] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    # Across both phases: an address that was a candidate once is none again.
    seen_urls: set[str] = field(default_factory=set)
    pieces: dict[str, Piece] = field(default_factory=dict)
    # An article shown before the ledger knew where its address leads is in the history as it was found.
    found_as: dict[str, str] = field(default_factory=dict)
    shelf: Shelf = field(init=False)
    reader: Reader = field(init=False)
    used: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.user.categories, self.user.settings.max_items_per_category)
        self.reader = Reader(self.db, self.getter, self.parser, keep=not self.options.dry_run)

    async def sources(self) -> None:
        """Phase 1: what the user's sources show, with one more round if that is too little."""
        found = await self._round()
        wanted = filling.places(self.user.categories, self.user.settings.max_items_per_category)
        if len(found) < wanted:
            self.progress("too few so far: once more")
            found += await self._round()
        await self._classify(found)

    async def search(self) -> None:
        """Phase 2: the web, for the categories that still have room."""
        if self.providers.search is None or self.shelf.is_full():
            return
        hits: list[Hit] = []
        for category in self.user.categories:
            if self.shelf.room(category.name) > 0:
                hits += await self._hits(self.providers.search, category)
        wanted = self._not_in_history(self._fresh_hits(hits))
        await self._classify(self._diverse(await self._read(wanted)))

    async def finish(self) -> Made:
        """The digest as it stands, with a summary for each story."""
        summaries: dict[str, str] = {}
        for piece in self.shelf.placed():
            summaries[piece.url] = await self._summary(piece)
        digest = Digest(
            id=str(uuid.uuid4()),
            user=self.user.name,
            title=f"Digest of {self.db.now_iso[:10]}",
            created_at=self.db.now_iso,
            items=self.shelf.items(summaries),
            providers=dict(self.used),
            notes=tuple(dict.fromkeys(self.notes)),
        )
        return Made(digest, tuple(self.ledger.outcomes.values()))

    async def _round(self) -> list[Piece]:
        """Visit the sources, read what was not read yet, and keep what is neither empty nor known."""
        self.progress(f"visiting {len(self.user.sources)} sources")
        gate = asyncio.Semaphore(_AT_ONCE)
        shown = await asyncio.gather(*(self._shown(source, gate) for source in self.user.sources))
        fresh = [wanted for wanted in filling.by_turns(shown) if _has_identity(wanted.url)]
        # What fitted nowhere before comes last, or it would take the place of what was never looked at.
        unfit = digests.unfit(self.db, self.user.id)
        fresh.sort(key=lambda wanted: wanted.article_uuid in unfit or wanted.url in unfit)
        budget = filling.budget(self.user.categories, self.user.settings.max_items_per_category)
        return self._diverse(self._unknown(await self._read(self._taken(fresh, budget))))

    async def _shown(self, source: Source, gate: asyncio.Semaphore) -> list[Wanted]:
        """What a source shows now, the newest first."""
        async with gate:
            found = await visit(self.getter, self.parser, source, Remembered())
        if found.outcome in ("failed", "gone"):
            self.notes.append(f"{source.source_name}: {found.error}")
        known = recognised(self.db, [c.url for c in found.candidates])
        wanted = [
            Wanted(
                url=c.url,
                article_uuid=known.get(c.url),
                title=c.title,
                source=source.source_name,
                published_at=c.published_at,
                allow_private=source.allow_private,
            )
            for c in found.candidates
            if self._is_recent(c.published_at)
        ]
        return sorted(wanted, key=lambda w: w.published_at or self.db.now, reverse=True)

    def _is_recent(self, published_at: datetime | None) -> bool:
        since = self.options.since
        return since is None or published_at is None or self.db.now - published_at <= since

    def _keys(self, wanted: Sequence[Wanted]) -> dict[str, set[str]]:
        """The identity of each address as found, and of the one that the ledger settled on."""
        finals = articles.finals(self.db, [one.article_uuid for one in wanted if one.article_uuid])
        return {
            one.url: {url_hash(one.url), url_hash(finals.get(one.article_uuid or "", one.url))}
            for one in wanted
        }

    def _taken(self, wanted: Sequence[Wanted], budget: int) -> list[Wanted]:
        """The first so many, each address once; from now on they are seen."""
        taken: list[Wanted] = []
        keys = self._keys(wanted)
        for one in wanted:
            if keys[one.url].isdisjoint(self.seen_urls) and len(taken) < budget:
                self.seen_urls |= keys[one.url]
                taken.append(one)
        return taken

    async def _read(self, wanted: Sequence[Wanted]) -> list[Piece]:
        """The articles with their texts; those without one are left out."""
        self.progress(f"reading {len(wanted)} articles")
        found = []
        for one, piece, reason in await self.reader.read_all(wanted):
            if piece is None:
                self.ledger.leave(one.url, one.article_uuid, filling.EMPTY, reason)
            else:
                self.pieces[piece.url] = piece
                self.found_as[piece.url] = url_hash(one.url)
                found.append(piece)
        return found

    def _unknown(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Those that this user was not shown within the time that the history reaches back."""
        if not self.user.settings.article_history_days:
            return list(pieces)
        keys = {piece.url: {piece.url_hash, self.found_as[piece.url]} for piece in pieces}
        known = self._shown_before(keys)
        for piece in pieces:
            if piece.url in known:
                self.ledger.leave(piece.url, piece.article_uuid, filling.HISTORY, "shown before")
        return [piece for piece in pieces if piece.url not in known]

    def _shown_before(self, keys: Mapping[str, set[str]]) -> set[str]:
        """Those addresses of which a key is in the history."""
        asked = list(chain.from_iterable(keys.values()))
        if self.options.dry_run:  # nothing was cleaned up: what is too old does not count
            days = timedelta(days=self.user.settings.article_history_days)
            shown = history.find(self.db, self.user.id, asked)
            found = {key for key, one in shown.items() if self.db.now - from_iso(one.created_at) <= days}
        else:
            found = history.check_urls_exist(self.db, self.user.id, asked)
        return {url for url, both in keys.items() if not both.isdisjoint(found)}

    def _diverse(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Those whose site was not in the latest digests, as many as the diversity window says."""
        window = self.user.settings.source_diversity_window
        heard = digests.recent_hosts(self.db, self.user.id, window) if window else set()
        for piece in pieces:
            if filling.host(piece.url) in heard:
                detail = f"{filling.host(piece.url)} was in one of the last {window} digests"
                self.ledger.leave(piece.url, piece.article_uuid, filling.DIVERSITY, detail)
        return [piece for piece in pieces if filling.host(piece.url) not in heard]

    async def _hits(self, search: Search, category: Category) -> list[Hit]:
        query = " ".join((category.name, *category.keywords[:3]))
        self.used["search"] = search.name
        try:
            return await search.search(query, limit=_HITS_PER_CATEGORY)
        except ClassifierError as error:
            self._failure("search", f"web search failed: {error.message}")
            return []

    def _fresh_hits(self, hits: Sequence[Hit]) -> list[Wanted]:
        """The hits that are articles with an identity and were no candidates before, each once."""
        hits = [hit for hit in hits if _has_identity(hit.url)]
        for hit in hits:
            if filling.is_homepage(hit.url):
                self.ledger.leave(hit.url, None, filling.HOMEPAGE, "a front page, not an article")
        hits = [hit for hit in hits if not filling.is_homepage(hit.url)]
        hits = filling.dedup_by_url(hits, {hit.url: url_hash(hit.url) for hit in hits})
        known = recognised(self.db, [hit.url for hit in hits])
        wanted = [Wanted(hit.url, known.get(hit.url), hit.title, filling.host(hit.url)) for hit in hits]
        return self._taken(wanted, len(wanted))

    def _not_in_history(self, wanted: Sequence[Wanted]) -> list[Wanted]:
        """Before anything is fetched: what this user was shown already costs no request."""
        if not self.user.settings.article_history_days:
            return list(wanted)
        known = self._shown_before(self._keys(wanted))
        for one in wanted:
            if one.url in known:
                self.ledger.leave(one.url, one.article_uuid, filling.HISTORY, "shown before")
        return [one for one in wanted if one.url not in known]

    async def _classify(self, pieces: Sequence[Piece]) -> None:
        """Put the stories on the shelf; where the chosen classifier fails, the embedded one does it."""
        if not pieces:
            return
        self.progress(f"classifying {len(pieces)} articles")
        told = [*self.shelf.placed(), *pieces]
        groups = stories.group([stories.Story(p.url, p.title, p.text, p.published_at) for p in told])
        labels = await self._labels(tuple(pieces))
        self.shelf.fill(labels, self.pieces, groups, self.ledger)

    async def _labels(self, pieces: tuple[Piece, ...]) -> list[Label]:
        corpus = tuple(self.pieces.values())
        chosen = self.providers.classifier
        try:
            labels = await chosen.classify(self.user.categories, pieces, corpus)
            self.used["classifier"] = chosen.name
        except ClassifierError as error:
            self._failure("classifier", f"{chosen.name} could not classify: {error.message}")
            embedded = self.providers.embedded_classifier
            labels = await embedded.classify(self.user.categories, pieces, corpus)
            self.used["classifier"] = embedded.name
        return labels

    async def _summary(self, piece: Piece) -> str:
        chosen = self.providers.summariser
        try:
            summary = await chosen.summarize(piece, max_chars=_SUMMARY_CHARS)
            self.used.setdefault("summaries", chosen.name)
        except ClassifierError as error:
            self._failure("summaries", f"{chosen.name} could not summarise: {error.message}")
            embedded = self.providers.embedded_summariser
            summary = await embedded.summarize(piece, max_chars=_SUMMARY_CHARS)
            self.used["summaries"] = embedded.name
        return summary

    def _failure(self, role: str, words: str) -> None:
        """Say it once: forty articles may fail in forty ways."""
        if role not in self.failed:
            self.failed.add(role)
            self.notes.append(words)


def _has_identity(url: str) -> bool:
    try:
        return bool(url_hash(url))
    except UrlError:
        return False
