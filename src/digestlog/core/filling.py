"""How a digest is filled: what goes in, what stays out, and the reason for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import TypeVar
from urllib.parse import urlsplit

from digestlog.core.canonical import ledger_url, url_hash, without_userinfo
from digestlog.core.digest import Candidate, Category, Hit, Item, Label, Link, Piece
from digestlog.core.moments import to_iso
from digestlog.core.render.labels import ENGLISH, Labels
from digestlog.errors import UrlError

T = TypeVar("T")

TAKEN = "taken"
HISTORY = "history"
DIVERSITY = "diversity"
DUPLICATE = "duplicate"
EMPTY = "empty"
OVER_QUOTA = "over_quota"
UNCLASSIFIED = "unclassified"
HOMEPAGE = "homepage"
POLICY = "policy"
FAILED = "failed"
OUTSIDE_WINDOW = "outside_window"
OVER_BUDGET = "over_budget"
NO_IDENTITY = "no_identity"

# So many articles are asked for at each place in the digest: some are empty, known or fit nowhere.
_ASKED_PER_PLACE = 3
# A small digest looks around too.
_ASKED_AT_LEAST = 30
_HOME_FILE = re.compile(r"/(?:index|home|default)\.[a-z]{2,5}", re.I)
# Sites without readable addresses have all their articles at the front page: /?p=123.
_NUMBERED = re.compile(r"(?:^|&)(?:p|id|page_id|post|article|story)=\d+(?:&|$)", re.I)


@dataclass(slots=True)
class Ledger:
    """What became of every candidate of one digest; the first word about an address counts."""

    outcomes: dict[str, Candidate] = field(default_factory=dict)

    def leave(self, url: str, article_uuid: str | None, outcome: str, detail: str | None = None) -> None:
        """Write down why a candidate stays out."""
        # As found, an address may hold what the file does not take: a password, a NUL.
        url = without_userinfo(url).replace("\0", "%00")
        self.outcomes.setdefault(url, Candidate(url, article_uuid, outcome, detail))

    def take(self, piece: Piece, detail: str) -> None:
        """Write down that a candidate went in."""
        self.outcomes[piece.url] = Candidate(piece.url, piece.article_uuid, TAKEN, detail)


def places(categories: Sequence[Category], max_items: int) -> int:
    """How many stories a full digest has."""
    return len(categories) * max_items


def budget(categories: Sequence[Category], max_items: int) -> int:
    """How many articles one round may ask the web for; what is stored already costs nothing."""
    wanted = places(categories, max_items)
    return max(_ASKED_PER_PLACE * wanted, _ASKED_AT_LEAST) if wanted else 0


def by_turns(sources: Iterable[Sequence[T]]) -> Iterator[T]:
    """One of each source, then the next of each: a loud source does not drown the others."""
    nothing = object()
    for one in chain.from_iterable(zip_longest(*sources, fillvalue=nothing)):
        if one is not nothing:
            yield one  # type: ignore[misc]


def is_homepage(url: str) -> bool:
    """True if an address is a site's front page, or the front page of one language."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if not path or _HOME_FILE.fullmatch(path):
        return not _NUMBERED.search(parts.query)
    return bool(re.fullmatch(r"/[a-z]{2}(?:-[a-z]{2})?", path, re.I))


def dedup_by_url(hits: Iterable[Hit], key: Mapping[str, str]) -> list[Hit]:
    """The hits, each address once; `key` gives an address its identity."""
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(key[hit.url], hit)
    return list(first.values())


def host(url: str) -> str:
    """The site of an address, as the diversity window counts it."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def query(category: Category) -> str:
    """What a web search is asked for a category."""
    return " ".join((category.name, *category.keywords[:3]))


def hashes(urls: Iterable[str]) -> set[str]:
    """The identities of those addresses that have one."""
    found = set()
    for url in urls:
        with suppress(UrlError):
            found.add(url_hash(url))
    return found


def written(url: str) -> str:
    """The address under which a candidate is written down: the same whatever trails behind it that day."""
    with suppress(UrlError):
        return ledger_url(url).final
    return url


@dataclass(frozen=True, slots=True)
class Shelf:
    """The stories found so far, by category."""

    categories: tuple[Category, ...]
    max_items: int
    words: Labels = ENGLISH
    stories: dict[str, list[tuple[Label, Piece, tuple[Piece, ...]]]] = field(default_factory=dict)

    def room(self, category: str) -> int:
        """How many more stories a category can take."""
        return self.max_items - len(self.stories.get(category, ()))

    def is_full(self) -> bool:
        """True if no category has room."""
        return all(self.room(category.name) <= 0 for category in self.categories)

    def placed(self) -> list[Piece]:
        """The articles that stand for the stories found so far."""
        return [piece for found in self.stories.values() for _, piece, _ in found]

    def fill(
        self,
        labels: Sequence[Label],
        pieces: Mapping[str, Piece],
        groups: Sequence[Sequence[str]],
        ledger: Ledger,
    ) -> None:
        """Put each story where it belongs, best first, as long as there is room.

        A group with an article that has its place already is that story told elsewhere.
        """
        by_url = {label.url: label for label in labels}
        told = {piece.url for piece in self.placed()}
        for urls in groups:
            if not told.isdisjoint(urls):
                first = next(url for url in urls if url in told)
                self._join(first, [pieces[url] for url in urls if url not in told], ledger)
        new = [[by_url[url] for url in urls] for urls in groups if told.isdisjoint(urls)]
        for found in sorted(new, key=lambda found: -max(map(_fit, found))):
            self._place(found, pieces, ledger)

    def items(self, summaries: Mapping[str, str]) -> tuple[Item, ...]:
        """The digest's items in the order of its categories."""
        return tuple(
            _item(category.name, position, story, summaries, self.words)
            for category in self.categories
            for position, story in enumerate(self.stories.get(category.name, ()))
        )

    def _place(self, labels: Sequence[Label], pieces: Mapping[str, Piece], ledger: Ledger) -> None:
        first, *others = labels
        best = max(labels, key=_fit)
        piece = pieces[first.url]
        if best.category is None:
            for label in labels:
                detail = self.words.say("unclassified")
                ledger.leave(label.url, pieces[label.url].article_uuid, UNCLASSIFIED, detail)
            return
        if self.room(best.category) <= 0:
            for label in labels:
                detail = self.words.say("over_quota", category=best.category)
                ledger.leave(label.url, pieces[label.url].article_uuid, OVER_QUOTA, detail)
            return
        twins = tuple(pieces[label.url] for label in others)
        self.stories.setdefault(best.category, []).append((best, piece, twins))
        ledger.take(piece, f"{best.category}{self.words.colon}{_because(best, self.words)}")
        self._leave_twins(twins, piece.url, ledger)

    def _join(self, url: str, twins: Sequence[Piece], ledger: Ledger) -> None:
        for found in self.stories.values():
            found[:] = [
                (label, piece, (*others, *twins) if piece.url == url else others)
                for label, piece, others in found
            ]
        self._leave_twins(twins, url, ledger)

    def _leave_twins(self, twins: Iterable[Piece], url: str, ledger: Ledger) -> None:
        for twin in twins:
            ledger.leave(twin.url, twin.article_uuid, DUPLICATE, self.words.say("same_story", url=url))


def _fit(label: Label) -> float:
    """How well a piece fits its category; to be sure that it fits none is no merit."""
    return label.score if label.category else -1.0


def _item(
    category: str,
    position: int,
    story: tuple[Label, Piece, tuple[Piece, ...]],
    summaries: Mapping[str, str],
    words: Labels,
) -> Item:
    label, piece, twins = story
    return Item(
        category=category,
        position=position,
        article_uuid=piece.article_uuid,
        url=piece.url,
        title=piece.title,
        summary=summaries.get(piece.url),
        source=piece.source,
        score=round(label.score, 4),
        why=_because(label, words),
        other_links=tuple(Link(twin.url, twin.title, twin.source) for twin in twins),
        published_utc_iso=to_iso(piece.published_at) if piece.published_at else None,
    )


def _because(label: Label, words: Labels) -> str:
    decided = [word for word, weight in label.words if weight > 0][:5]
    return words.say("its_words", words=", ".join(decided)) if decided else words.say("whole_text")
