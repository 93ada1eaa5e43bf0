"""What the definitions of categories say about words, before any text is read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from digestlog.core.categories import Category
from digestlog.core.words import Words, is_unspaced

_KEYWORD = 1.0
_DESCRIPTION = 0.4
# An inflected form of a word counts for less than the word itself.
_RELATED = 0.5
_SHORTEST_STEM = 5
_LONGEST_ENDING = 4
_MAX_PHRASE = 6

# As if so many texts without any of the words had been read: one text says little about rarity.
_UNREAD = 100
_LEAST_RARITY = 1.0
_TRUST = 0.5
_MOST = 30.0

Shares = dict[int, float]


class Seeds:
    """The words and phrases of the categories, each with its weight in each category."""

    def __init__(self, categories: Sequence[Category], words: Words) -> None:
        self._words = words
        self._phrases: dict[tuple[int, ...], int] = {}
        self._lengths: dict[int, list[int]] = {}
        self._shares: dict[int, Shares] = {}
        for place, category in enumerate(categories):
            self._define(place, category)
        self._keywords = {word for word, shares in self._shares.items() if _KEYWORD in shares.values()}

    def read(self, text: str) -> tuple[int, ...]:
        """The different words of a text, and the phrases of the categories that stand in it."""
        found = self._words.read(text)
        if self._lengths.keys().isdisjoint(found):
            return tuple(dict.fromkeys(found))
        return tuple(dict.fromkeys((*found, *self._phrases_in(found))))

    def is_keyword(self, word: int) -> bool:
        """Whether a category names this word itself: then it counts however common it is."""
        return word in self._keywords

    def tilts(self, counts: Mapping[int, int], texts: int, classes: int) -> dict[int, list[float]]:
        """How many times likelier each class makes a word that its definition knows."""
        tilts = {}
        for word, shares in self._related(counts):
            rarity = math.log((texts + _UNREAD) / (counts[word] + 1))
            if word in self._keywords:
                rarity = max(rarity, _LEAST_RARITY)
            whole = sum(shares.values())
            tilts[word] = [
                min(_MOST, math.exp(_TRUST * rarity * share * share / whole))
                for share in (shares.get(place, 0.0) for place in range(classes))
            ]
        return tilts

    def _define(self, place: int, category: Category) -> None:
        for number in self._words.read(category.description or ""):
            self._claim(number, place, _DESCRIPTION)
        for keyword in (category.name, *category.keywords):
            parts = self._words.read(keyword)[:_MAX_PHRASE]
            if parts:
                self._claim(self._number(parts, keyword), place, _KEYWORD)

    def _claim(self, number: int, place: int, share: float) -> None:
        shares = self._shares.setdefault(number, {})
        shares[place] = max(share, shares.get(place, 0.0))

    def _number(self, parts: list[int], shown: str) -> int:
        if len(parts) == 1:
            return parts[0]
        lengths = self._lengths.setdefault(parts[0], [])
        if len(parts) not in lengths:
            lengths.append(len(parts))
        return self._phrases.setdefault(tuple(parts), self._words.phrase(parts, shown))

    def _phrases_in(self, found: list[int]) -> Iterator[int]:
        for at, word in enumerate(found):
            for length in self._lengths.get(word, ()):
                phrase = self._phrases.get(tuple(found[at : at + length]))
                if phrase is not None:
                    yield phrase

    def _related(self, words: Iterable[int]) -> Iterator[tuple[int, Shares]]:
        """Each word that a category knows, or knows another form of, with its shares."""
        stems = self._stems()
        for word in words:
            shares = self._shares.get(word) or self._by_stem(self._words.form(word), stems)
            if shares:
                yield word, shares

    def _stems(self) -> dict[str, Shares]:
        stems: dict[str, Shares] = {}
        for word, shares in self._shares.items():
            stem = _stem(self._words.form(word))
            known = stems.setdefault(stem, {}) if stem else {}
            for place, share in shares.items():
                known[place] = max(share * _RELATED, known.get(place, 0.0))
        return stems

    def _by_stem(self, form: str, stems: Mapping[str, Shares]) -> Shares | None:
        if is_unspaced(form):
            return stems.get(form[0]) or stems.get(form[-1])
        shortest = max(_SHORTEST_STEM, len(form) - _LONGEST_ENDING - 1)
        for length in range(len(form), shortest - 1, -1):
            if form[:length] in stems:
                return stems[form[:length]]
        return None


def _stem(form: str) -> str | None:
    """The part of a word that its other forms begin with; None if it is too short to say."""
    if is_unspaced(form):
        return form if len(form) == 1 else None
    if " " in form or len(form) < _SHORTEST_STEM:
        return None
    return form[: max(_SHORTEST_STEM, len(form) - 1)]
