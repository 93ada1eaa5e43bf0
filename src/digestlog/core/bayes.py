"""Naive Bayes that teaches itself: generic, knows nothing about texts or categories.

    tilts -> first guess -> ( count words by class -> weigh them -> guess anew ) x ROUNDS

The last class is the background: what fits no other. Before anything is counted, every class
expects words as often as all items together have them, the tilted ones more often. So a word
that says nothing weighs nothing, and an unknown one counts neither for nor against.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

ROUNDS = 6

Item = Sequence[int]
Tilts = Mapping[int, Sequence[float]]
# The classes that an item may belong to, with their probabilities.
Guess = list[tuple[int, float]]

# How far words are believed: they depend on each other, in long items more. While few are known
# the tilted ones decide alone, and those were chosen by someone.
_BELIEF = 0.2
_FIRST_BELIEF = 0.6
_FEW_WORDS = 1000
_LONG = 20
# How many words of its own a class needs before they outweigh what it expected.
_EXPECTED = 300.0
_EXPECTED_SHARE = 0.3
# As if there were so many more words: in few items the tilted ones would seem to be everything.
_UNKNOWN = 5000
_FIRST_DOUBT = 1.5
# Most of what the tilts do not reach belongs to a class all the same; rounds will tell.
_FIRST_BACKGROUND = 0.2
# Few items say little about how common the classes are; without knowing, doubt comes first.
_LEAST_SHARE = 0.02
_LEAST_MEMBERS = 10.0
_DOUBTED = 10.0
_NEGLIGIBLE = 0.05


@dataclass(frozen=True, slots=True)
class Model:
    """What was learned: the weight of each word in each class, and how common each class is."""

    weights: Mapping[int, Sequence[float]]
    priors: Sequence[float]
    belief: float

    def probabilities(self, item: Item) -> list[float]:
        """How likely each class is for this item; all background if no word of it is known."""
        rows = [self.weights[word] for word in item if word in self.weights]
        if not rows:
            return [0.0] * (len(self.priors) - 1) + [1.0]
        belief = self._belief(len(rows))
        sums = map(sum, zip(*rows, strict=True))
        return _shares([belief * each + prior for each, prior in zip(sums, self.priors, strict=True)])

    def reasons(self, item: Item, one: int, other: int) -> list[tuple[int, float]]:
        """The known words of the item and how much each speaks for one class against the other."""
        rows = [(word, self.weights[word]) for word in item if word in self.weights]
        belief = self._belief(len(rows))
        return [(word, belief * (row[one] - row[other])) for word, row in rows]

    def _belief(self, words: int) -> float:
        return self.belief if words < _LONG else self.belief * math.sqrt(_LONG / words)


def learn(items: Sequence[Item], tilts: Tilts, groups: Mapping[int, str], classes: int) -> Model:
    """The model after `ROUNDS` rounds.

    `tilts` has a factor for each class but the background. Each word is weighed among those of
    its group.
    """
    teacher = _Teacher(items, tilts, groups, classes)
    model = teacher.model(_first_guess(item, tilts, classes) for item in items)
    for _ in range(ROUNDS - 1):
        model = teacher.model([_likely(model.probabilities(item)) for item in items])
    return model


class _Teacher:
    """Counts guesses into models."""

    def __init__(self, items: Sequence[Item], tilts: Tilts, groups: Mapping[int, str], classes: int) -> None:
        self._items = items
        self._classes = classes + 1
        counts = Counter(chain.from_iterable(items))
        total = counts.total()
        self._belief = _BELIEF + _FIRST_BELIEF * _FEW_WORDS / (_FEW_WORDS + total)
        by_group: dict[str, list[int]] = {}
        for word in counts:
            by_group.setdefault(groups[word], []).append(word)
        self._groups = [
            _Group(words, counts, tilts, _EXPECTED / total + _EXPECTED_SHARE / self._classes, self._classes)
            for words in by_group.values()
        ]

    def model(self, guesses: Iterable[Guess]) -> Model:
        """What the guesses teach, one for each item."""
        counts = {word: [0.0] * self._classes for group in self._groups for word in group.words}
        members = [0.0] * self._classes
        for item, guess in zip(self._items, guesses, strict=True):
            for place, share in guess:
                members[place] += share
                for word in item:
                    counts[word][place] += share
        weights: dict[int, list[float]] = {}
        for group in self._groups:
            weights.update(group.weights(counts))
        return Model(weights, _priors(members), self._belief)


class _Group:
    """Words that are weighed among each other, and what every class expects of them."""

    def __init__(
        self, words: Sequence[int], counts: Mapping[int, int], tilts: Tilts, share: float, classes: int
    ) -> None:
        self.words = words
        total = sum(counts[word] for word in words)
        expected = share * total
        self._usual = {word: counts[word] / total for word in words}
        self._plain = [expected] * classes
        self._tilted = {
            word: [expected * factor for factor in (*tilts[word], 1.0)] for word in words if word in tilts
        }
        known = total / (total + _UNKNOWN)
        self._expected = [
            expected
            + known * sum(self._usual[word] * (row[place] - expected) for word, row in self._tilted.items())
            for place in range(classes)
        ]

    def weights(self, counts: Mapping[int, list[float]]) -> Iterator[tuple[int, list[float]]]:
        """Each word with the logarithm of how much oftener than usual each class has it."""
        log = math.log
        totals = map(sum, zip(*(counts[word] for word in self.words), strict=True))
        sizes = [log(total + own) for total, own in zip(totals, self._expected, strict=True)]
        for word in self.words:
            usual, expected = self._usual[word], self._tilted.get(word, self._plain)
            columns = zip(counts[word], expected, sizes, strict=True)
            yield word, [log(count / usual + own) - size for count, own, size in columns]


def _first_guess(item: Item, tilts: Tilts, classes: int) -> Guess:
    rows = [tilts[word] for word in item if word in tilts]
    if not rows:
        return [(classes, _FIRST_BACKGROUND)]
    sums = [sum(map(math.log, column)) for column in zip(*rows, strict=True)]
    guess = _likely(_shares([*sums, _FIRST_DOUBT]))
    return [(place, share * _FIRST_BACKGROUND if place == classes else share) for place, share in guess]


def _priors(members: list[float]) -> list[float]:
    floor = _LEAST_SHARE * sum(members) + _LEAST_MEMBERS
    raised = [each + floor for each in members]
    raised[-1] += _DOUBTED
    whole = sum(raised)
    return [math.log(each / whole) for each in raised]


def _shares(logs: Sequence[float]) -> list[float]:
    """Probabilities from their logarithms, which need not be complete."""
    most = max(logs)
    parts = [math.exp(each - most) for each in logs]
    whole = sum(parts)
    return [part / whole for part in parts]


def _likely(probabilities: Sequence[float]) -> Guess:
    return [(place, share) for place, share in enumerate(probabilities) if share > _NEGLIGIBLE]
