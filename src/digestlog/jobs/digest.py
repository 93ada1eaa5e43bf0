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
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain

from digestlog.core import filling, stories
from digestlog.core.canonical import url_hash
from digestlog.core.digest import Candidate, Category, Digest, Hit, Piece
from digestlog.core.filling import Ledger, Shelf
from digestlog.core.model import Source
from digestlog.core.moments import from_iso, to_iso
from digestlog.core.render.labels import Labels, labels
from digestlog.core.settings import Settings
from digestlog.core.turns import in_order
from digestlog.errors import UrlError
from digestlog.jobs.collect import Getter, Remembered, visit
from digestlog.jobs.parsing import Parser
from digestlog.jobs.providing import Providers, Work
from digestlog.jobs.reading import Missing, Reader, Wanted, recognised
from digestlog.jobs.scrape import ArticleParser
from digestlog.store import articles, digests, history
from digestlog.store.db import Database

_AT_ONCE = 16

Fetchers = Callable[[], AbstractAsyncContextManager[Getter]]
Progress = Callable[[str], None]


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
    """Both or neither: the digest, and the memory of what it showed, at every address it was met at."""
    digest = made.digest
    urls = [url for item in digest.items for url in (item.url, *(link.url for link in item.other_links))]
    shown = [(one, url_hash(one)) for url in urls for one in (url, *digest.addresses.get(url, ()))]
    with db.transaction() as connection:
        digests.save(db, connection, digest, user.id, made.candidates)
        if user.settings.article_history_days:
            history.insert_urls(db, connection, user.id, shown)


async def _make(
    db: Database, fetcher: Fetchers, user: User, providers: Providers, options: Options, progress: Progress
) -> Made:
    words = labels(user.settings.language)
    with ArticleParser() as parser:
        async with fetcher() as getter:
            work = Work(providers, words)
            making = _Making(db, getter, parser, user, work, options, progress, words)
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
    work: Work
    options: Options
    progress: Progress
    words: Labels
    ledger: Ledger = field(default_factory=Ledger)
    notes: list[str] = field(default_factory=list)
    # Across both phases: an address that was a candidate once is none again.
    seen_urls: set[str] = field(default_factory=set)
    pieces: dict[str, Piece] = field(default_factory=dict)
    # Of what was read, by the address that it is shown under: all its identities, and where it was met.
    keys: dict[str, set[str]] = field(default_factory=dict)
    met_at: dict[str, dict[str, str]] = field(default_factory=dict)
    # An identity, and the address that its article is shown under.
    owners: dict[str, str] = field(default_factory=dict)
    shelf: Shelf = field(init=False)
    reader: Reader = field(init=False)

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.user.categories, self.user.settings.max_items_per_category, self.words)
        self.reader = Reader(self.db, self.getter, self.parser, keep=not self.options.dry_run)

    async def sources(self) -> None:
        """Phase 1: what the user's sources show, with one more round if that is too little."""
        wanted = filling.places(self.user.categories, self.user.settings.max_items_per_category)
        if not wanted:
            return
        found, left = await self._round()
        if len(found) < wanted:
            self.progress("too few so far: once more")
            more, again = await self._round()
            found, left = found + more, left + again
        for one, keys in self._keys(left).items():
            if keys.isdisjoint(self.seen_urls):
                self._leave(one, filling.OVER_BUDGET, self.words.say("over_budget"))
        await self._classify(self._diverse(found))

    async def search(self) -> None:
        """Phase 2: the web, for the categories that still have room."""
        search = self.work.providers.search
        if search is None or self.shelf.is_full():
            return
        roomy = [one for one in self.user.categories if self.shelf.room(one.name) > 0]
        hits = await self.work.hits(search, {one.name: filling.query(one) for one in roomy})
        wanted = self._not_in_history(self._fresh_hits(hits))
        found = await self._read(wanted)
        moved = [piece for piece in found if self._elsewhere(piece.url)]
        if moved:  # where they lead is known only now
            shown = {piece.url for piece in moved} - {piece.url for piece in self._unknown(moved)}
            found = [piece for piece in found if piece.url not in shown]
        await self._classify(self._diverse(found))

    async def finish(self) -> Made:
        """The digest as it stands, with a summary for each story."""
        summaries = {piece.url: await self.work.summary(piece) for piece in self.shelf.placed()}
        items = self.shelf.items(summaries)
        shown = [url for item in items for url in (item.url, *(link.url for link in item.other_links))]
        digest = Digest(
            id=str(uuid.uuid4()),
            user=self.user.name,
            title=self.words.title(self.db.now_iso),
            created_at=self.db.now_iso,
            items=items,
            providers=self.work.used(),
            notes=tuple(dict.fromkeys([*self.notes, *self.work.notes()])),
            addresses={url: others for url in shown if (others := self._elsewhere(url))},
        )
        return Made(digest, tuple(self.ledger.outcomes.values()))

    # --- candidates ---------------------------------------------------------------------------

    async def _round(self) -> tuple[list[Piece], list[Wanted]]:
        """Visit the sources and read: what is neither empty nor known, and what was not looked at."""
        self.progress(f"visiting {len(self.user.sources)} sources")
        gate = asyncio.Semaphore(_AT_ONCE)
        shown = await asyncio.gather(*(self._shown(source, gate) for source in self.user.sources))
        newest = list(dict.fromkeys(filling.by_turns(shown)))
        budget = filling.budget(self.user.categories, self.user.settings.max_items_per_category)
        taken, left = self._taken(self._in_order(newest), budget)
        # Their order decides who is asked for, not who is liked best.
        taken.sort(key={one: at for at, one in enumerate(newest)}.__getitem__)
        return self._unknown(await self._read(taken)), left

    async def _shown(self, source: Source, gate: asyncio.Semaphore) -> list[Wanted]:
        """What a source shows now, the newest first."""
        async with gate:
            found = await visit(self.getter, self.parser, source, Remembered())
        if found.outcome in ("failed", "gone"):
            reason = self.words.reason(found.error or "")
            self.notes.append(self.words.say("source_failed", source=source.source_name, reason=reason))
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
        ]
        wanted = [one for one in wanted if self._has_identity(one) and self._is_recent(one, one.published_at)]
        return sorted(wanted, key=lambda w: w.published_at or self.db.now, reverse=True)

    def _in_order(self, wanted: Sequence[Wanted]) -> list[Wanted]:
        """As they are to be looked at: what earlier digests looked at stands in nobody's way."""
        names = {one: _names(one) for one in wanted}
        asked = sorted(set(chain.from_iterable(names.values())))
        looked_at = digests.looked_at(self.db, self.user.id, asked)
        waiting = digests.waiting(self.db, self.user.id, asked)
        return in_order(wanted, _of_each(names, looked_at), _of_each(names, waiting))

    def _taken(self, wanted: Sequence[Wanted], budget: int) -> tuple[list[Wanted], list[Wanted]]:
        """What is looked at now, each address once, and what is left when the budget is used up.

        Only what is asked of the web counts: a text that is stored costs nothing.
        """
        taken: list[Wanted] = []
        left: list[Wanted] = []
        keys, costs = self._keys(wanted), self.reader.costs(wanted)
        for one in wanted:
            if not keys[one].isdisjoint(self.seen_urls):
                continue
            if one in costs and budget <= 0:
                left.append(one)
                continue
            budget -= one in costs
            self.seen_urls |= keys[one]
            taken.append(one)
        # Another spelling of the same article may have been taken meanwhile.
        return taken, [one for one in left if keys[one].isdisjoint(self.seen_urls)]

    def _keys(self, wanted: Sequence[Wanted]) -> dict[Wanted, set[str]]:
        """The identity of every address under which each candidate is known."""
        known = articles.addresses(self.db, [one.article_uuid for one in wanted if one.article_uuid])
        return {one: filling.hashes([one.url, *known.get(one.article_uuid or "", ())]) for one in wanted}

    # --- texts --------------------------------------------------------------------------------

    async def _read(self, wanted: Sequence[Wanted]) -> list[Piece]:
        """The articles with their texts; those without one are left out, and what is too old."""
        self.progress(f"reading {len(wanted)} articles")
        found = []
        for one, piece in await self.reader.read_all(wanted):
            if isinstance(piece, Missing):
                self._leave(one, piece.outcome, self._why_missing(piece))
            elif self._is_recent(one, piece.published_at) and self._is_first(one, piece):
                found.append(piece)
        return found

    def _why_missing(self, missing: Missing) -> str:
        if missing.outcome == filling.NO_IDENTITY:
            return self.words.say("no_identity", code=missing.reason)
        if missing.reason is None:
            return self.words.say("unread")
        reason = self.words.reason(missing.reason)
        return self.words.say("unread_because", reason=reason) if missing.earlier else reason

    def _is_first(self, one: Wanted, piece: Piece) -> bool:
        """Take note of every address of an article; False if it was read already, at another one."""
        reached = recognised(self.db, list(piece.addresses)).values()
        known = articles.addresses(self.db, [*reached, *([one.article_uuid] if one.article_uuid else [])])
        met = {key: url for url in (*piece.addresses, one.url, piece.url) for key in filling.hashes([url])}
        keys = {*met, *filling.hashes(chain.from_iterable(known.values()))}
        owner = next((self.owners[key] for key in keys if key in self.owners), piece.url)
        self.seen_urls |= keys
        self.owners |= dict.fromkeys(keys, owner)
        self.keys[owner] = keys | self.keys.get(owner, set())
        self.met_at[owner] = met | self.met_at.get(owner, {})
        if owner == piece.url:
            self.pieces[piece.url] = piece
            return True
        self._leave(one, filling.DUPLICATE, self.words.say("same_article", url=owner))
        return False

    def _elsewhere(self, url: str) -> tuple[str, ...]:
        """The other addresses at which an article that is shown was met."""
        return tuple(address for key, address in self.met_at[url].items() if key != url_hash(url))

    # --- what stays out -----------------------------------------------------------------------
    def _unknown(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Those that this user was not shown within the time that the history reaches back."""
        if not self.user.settings.article_history_days:
            return list(pieces)
        known = self._shown_before({piece.url: self.keys[piece.url] for piece in pieces})
        for piece in pieces:
            if piece.url in known:
                self.ledger.leave(piece.url, piece.article_uuid, filling.HISTORY, self.words.say("history"))
        return [piece for piece in pieces if piece.url not in known]

    def _not_in_history(self, wanted: Sequence[Wanted]) -> list[Wanted]:
        """Before anything is fetched: what this user was shown already costs no request."""
        if not self.user.settings.article_history_days:
            return list(wanted)
        known = self._shown_before({one.url: keys for one, keys in self._keys(wanted).items()})
        for one in wanted:
            if one.url in known:
                self.ledger.leave(one.url, one.article_uuid, filling.HISTORY, self.words.say("history"))
        return [one for one in wanted if one.url not in known]

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
                detail = self.words.say("diversity", site=filling.host(piece.url), count=window)
                self.ledger.leave(piece.url, piece.article_uuid, filling.DIVERSITY, detail)
        return [piece for piece in pieces if filling.host(piece.url) not in heard]

    def _fresh_hits(self, hits: Sequence[Hit]) -> list[Wanted]:
        """The hits that are articles with an identity and were no candidates before, each once."""
        found = [Wanted(hit.url, None, hit.title, filling.host(hit.url), hit.published_at) for hit in hits]
        sound = {one.url for one in found if self._has_identity(one)}
        for url in sorted(sound):
            if filling.is_homepage(url):
                self.ledger.leave(url, None, filling.HOMEPAGE, self.words.say("homepage"))
        hits = [hit for hit in hits if hit.url in sound and not filling.is_homepage(hit.url)]
        hits = filling.dedup_by_url(hits, {hit.url: url_hash(hit.url) for hit in hits})
        known = recognised(self.db, [hit.url for hit in hits])
        kept = {hit.url for hit in hits}
        wanted = [replace(one, article_uuid=known.get(one.url)) for one in found if one.url in kept]
        wanted = [one for one in wanted if self._is_recent(one, one.published_at)]
        return self._taken(wanted, len(wanted))[0]

    def _is_recent(self, one: Wanted, published_at: datetime | None) -> bool:
        """True if it is not known to be older than what was asked for."""
        since = self.options.since
        if since is None or published_at is None or self.db.now - published_at <= since:
            return True
        day = self.words.day(to_iso(published_at))
        self._leave(one, filling.OUTSIDE_WINDOW, self.words.say("outside_window", day=day))
        return False

    def _has_identity(self, one: Wanted) -> bool:
        try:
            return bool(url_hash(one.url))
        except UrlError as error:
            self.ledger.leave(
                one.url, None, filling.NO_IDENTITY, self.words.say("no_identity", code=error.code)
            )
            return False

    def _leave(self, one: Wanted, outcome: str, detail: str) -> None:
        self.ledger.leave(filling.written(one.url), one.article_uuid, outcome, detail)

    # --- categories ---------------------------------------------------------------------------

    async def _classify(self, pieces: Sequence[Piece]) -> None:
        """Put the stories on the shelf."""
        if not pieces:
            return
        self.progress(f"classifying {len(pieces)} articles")
        told = [*self.shelf.placed(), *pieces]
        groups = stories.group([stories.Story(p.url, p.title, p.text, p.published_at) for p in told])
        found = await self.work.labels(self.user.categories, pieces, tuple(self.pieces.values()))
        self.shelf.fill(found, self.pieces, groups, self.ledger)


def _names(one: Wanted) -> list[str]:
    """What earlier digests may have called a candidate."""
    return [name for name in (one.article_uuid, filling.written(one.url), one.url) if name]


def _of_each(names: Mapping[Wanted, Sequence[str]], said: Mapping[str, str]) -> dict[Wanted, str]:
    """What is said of each candidate under the first of its names."""
    return {one: said[name] for one, called in names.items() for name in reversed(called) if name in said}
