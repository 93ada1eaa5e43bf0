"""A digest before it is stored: what goes in, what stays out, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from digestlog.errors import ClassifierError


@dataclass(frozen=True, slots=True)
class Category:
    """What a user wants a digest to tell of."""

    name: str
    description: str | None = None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """An article with its text, ready for a digest; article_uuid None: found by web search."""

    article_uuid: str | None
    url: str
    url_hash: str
    title: str | None
    text: str
    source: str
    published_at: datetime | None = None
    # Every address at which it was met: as found, and where that led.
    addresses: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Label:
    """Where a piece belongs; category None: it fits none. `words` decided, strongest first."""

    url: str
    category: str | None
    score: float
    words: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of a web search."""

    url: str
    title: str | None = None
    snippet: str | None = None
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """The same story elsewhere."""

    url: str
    title: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Item:
    """One story of a digest."""

    category: str
    position: int
    article_uuid: str | None
    url: str
    title: str | None
    summary: str | None
    source: str | None
    score: float | None
    why: str
    other_links: tuple[Link, ...] = ()
    published_utc_iso: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate of a digest and what became of it: taken, or the reason why not."""

    url: str
    article_uuid: str | None
    outcome: str
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """A whole digest. `providers` says who did what; `notes` what went wrong with them, in words.

    `addresses` has, for an address that it shows, the others at which the same article was met.
    """

    id: str
    user: str
    title: str
    created_at: str
    items: tuple[Item, ...]
    providers: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    addresses: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Incomplete(ClassifierError):
    """A classifier could not do all of its work; `labels` is what it did."""

    def __init__(self, message: str, hint: str | None = None, *, labels: tuple[Label, ...]) -> None:
        super().__init__(message, hint)
        self.labels = labels


class Classifier(Protocol):
    """Puts pieces into categories; ClassifierError if it cannot, Incomplete if only some."""

    name: str

    async def classify(
        self, categories: tuple[Category, ...], pieces: tuple[Piece, ...], corpus: tuple[Piece, ...]
    ) -> list[Label]:
        """One label for each piece, in their order."""


class Summariser(Protocol):
    """Makes a short text of a long one; ClassifierError if it cannot."""

    name: str

    async def summarize(self, piece: Piece, *, max_chars: int) -> str:
        """The summary."""


class Search(Protocol):
    """Searches the web; ClassifierError if it cannot."""

    name: str

    async def search(self, query: str, *, limit: int) -> list[Hit]:
        """At most so many answers, best first."""
