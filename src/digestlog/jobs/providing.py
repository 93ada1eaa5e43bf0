"""Classification, summaries and web search by whoever is chosen; where that fails, by what is built in.

Who did how much is counted, so that a digest can say so.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from digestlog.core.digest import Category, Classifier, Hit, Incomplete, Label, Piece, Search, Summariser
from digestlog.core.render.labels import Labels
from digestlog.errors import ClassifierError

_SUMMARY_CHARS = 400
_HITS_PER_CATEGORY = 10
# For all questions of one digest together: a search that hangs must not hold up the digest.
_SEARCH_S = 60.0

CLASSIFIER, SUMMARIES, SEARCH = "classifier", "summaries", "search"


@dataclass(frozen=True, slots=True)
class Providers:
    """Who does the work; each embedded one is there for when the other fails."""

    classifier: Classifier
    summariser: Summariser
    embedded_classifier: Classifier
    embedded_summariser: Summariser
    search: Search | None = None
    search_s: float = _SEARCH_S


@dataclass(slots=True)
class Work:
    """What the providers did for one digest, and what they failed at."""

    providers: Providers
    words: Labels
    _done: dict[str, Counter[str]] = field(default_factory=dict)
    _failed: dict[str, int] = field(default_factory=dict)
    _reasons: dict[str, str] = field(default_factory=dict)
    _not_searched: list[str] = field(default_factory=list)

    async def labels(
        self, categories: tuple[Category, ...], pieces: Sequence[Piece], corpus: tuple[Piece, ...]
    ) -> list[Label]:
        """One label for each piece, in their order."""
        chosen, embedded = self.providers.classifier, self.providers.embedded_classifier
        good: Sequence[Label]
        try:
            good = await chosen.classify(categories, tuple(pieces), corpus)
        except ClassifierError as error:
            good = error.labels if isinstance(error, Incomplete) else ()
            self._fail(CLASSIFIER, error.message, len(pieces) - len(good))
        found = {label.url: label for label in good}
        rest = tuple(piece for piece in pieces if piece.url not in found)
        if rest:
            found |= {label.url: label for label in await embedded.classify(categories, rest, corpus)}
        self._count(CLASSIFIER, chosen.name, len(good))
        self._count(CLASSIFIER, embedded.name, len(rest))
        return [found[piece.url] for piece in pieces]

    async def summary(self, piece: Piece) -> str:
        """The summary of a piece."""
        chosen, embedded = self.providers.summariser, self.providers.embedded_summariser
        try:
            summary = await chosen.summarize(piece, max_chars=_SUMMARY_CHARS)
            self._count(SUMMARIES, chosen.name, 1)
        except ClassifierError as error:
            self._fail(SUMMARIES, error.message, 1)
            summary = await embedded.summarize(piece, max_chars=_SUMMARY_CHARS)
            self._count(SUMMARIES, embedded.name, 1)
        return summary

    async def hits(self, search: Search, queries: Mapping[str, str]) -> list[Hit]:
        """What the web has for these categories: until the first failure, and all within one time."""
        found: list[Hit] = []
        self._not_searched = list(queries)
        try:
            async with asyncio.timeout(self.providers.search_s):
                for query in queries.values():
                    del self._not_searched[0]
                    found += await search.search(query, limit=_HITS_PER_CATEGORY)
                    self._count(SEARCH, search.name, 1)
        except ClassifierError as error:
            self._fail(SEARCH, error.message, 1)
        except TimeoutError:
            self._fail(SEARCH, f"took longer than {self.providers.search_s:g} s", 1)
        return found

    def used(self) -> dict[str, str]:
        """Who did what; where several shared a work, how much each did."""
        return {role: _shares(done) for role, done in self._done.items()}

    def notes(self) -> list[str]:
        """What failed, in words: one sentence for each kind of work."""
        said = {CLASSIFIER: "not_classified", SUMMARIES: "not_summarised", SEARCH: "search_failed"}
        return [self._note(role, said[role]) for role in self._failed]

    def _note(self, role: str, phrase: str) -> str:
        chosen = self.providers.classifier if role == CLASSIFIER else self.providers.summariser
        said = self.words.say(
            phrase,
            name=chosen.name,
            count=self._failed[role],
            total=sum(self._done.get(role, Counter()).values()),
            reason=self.words.reason(self._reasons[role]),
        )
        if role == SEARCH and self._not_searched:
            left = ", ".join(self._not_searched)
            return self.words.say("not_searched", words=said, categories=left)
        return said

    def _count(self, role: str, name: str, number: int) -> None:
        if number:
            self._done.setdefault(role, Counter())[name] += number

    def _fail(self, role: str, reason: str, number: int) -> None:
        """The first reason is told: forty articles may fail in forty ways."""
        self._reasons.setdefault(role, reason)
        self._failed[role] = self._failed.get(role, 0) + number


def _shares(done: Counter[str]) -> str:
    """`model`, or `model (12), embedded (3)`."""
    if len(done) == 1:
        return next(iter(done))
    return ", ".join(f"{name} ({number})" for name, number in done.items())
