"""Which category an article belongs to, learned from the categories' definitions alone.

    definitions -> seeds        what each category says about words
    articles    -> sets of words, less those that are in too many or in one only
    both        -> bayes.learn  -> a label for each article, with the words that decided

Whatever fits none of the categories has no category.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from digestlog.core.bayes import Item, Model, learn
from digestlog.core.categories import Category, merged
from digestlog.core.languages import language_groups
from digestlog.core.seeds import Seeds
from digestlog.core.words import Words

__all__ = ["Category", "Label", "Text", "classify"]

_MAX_REASONS = 10
# A word of more texts than this is a stop word, in whatever language.
_STOP_SHARE = 0.2
_LEAST_STOP = 3
# The best of many unlikely categories is still a wrong one.
_LEAST_CHANCE = 0.35


@dataclass(frozen=True, slots=True)
class Text:
    """An article to classify or to learn from."""

    key: str
    title: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """The category of an article, None if it fits none; how sure that is, and which words decided.

    Words come strongest first; a positive weight speaks for the label, a negative one for its
    nearest rival.
    """

    key: str
    category: str | None
    score: float
    words: tuple[tuple[str, float], ...] = ()


def classify(
    categories: Sequence[Category], texts: Sequence[Text], corpus: Sequence[Text] = ()
) -> list[Label]:
    """A label for each text, in their order; `corpus` has further texts to learn from."""
    defined, words = merged(categories), Words()
    seeds = Seeds(defined, words)
    read = [seeds.read(f"{text.title or ''} \n {text.text}") for text in chain(texts, corpus)]
    # A text that stands there many times would otherwise teach many times.
    distinct = list(dict.fromkeys(read))
    counts = _not_stop_words(distinct, seeds)
    tilts = seeds.tilts(counts, len(distinct), len(defined))
    # A category of which no word is in any text could only take what fits nowhere.
    heard = [place for place in range(len(defined)) if any(row[place] > 1 for row in tilts.values())]
    if not heard:
        return [Label(text.key, None, 1.0) for text in texts]
    tilts = {word: [row[place] for place in heard] for word, row in tilts.items()}
    telling = {word for word, count in counts.items() if count > 1 or word in tilts}
    items = [[word for word in item if word in telling] for item in distinct]
    model = learn(items, tilts, language_groups(distinct, words, telling), len(heard))
    names = [defined[place].name for place in heard]
    return [_label(text.key, item, model, names, words) for text, item in zip(texts, read, strict=False)]


def _not_stop_words(items: Sequence[Item], seeds: Seeds) -> dict[int, int]:
    """The words that are not in too many items, with the number of items that have them."""
    counts = Counter(chain.from_iterable(items))
    most = max(_STOP_SHARE * len(items), _LEAST_STOP)
    return {word: count for word, count in counts.items() if count <= most or seeds.is_keyword(word)}


def _label(key: str, item: Item, model: Model, names: Sequence[str], words: Words) -> Label:
    chances = model.probabilities(item)
    *_, background = places = range(len(chances))
    best, rival = sorted(places, key=lambda place: -chances[place])[:2]
    surest = max(chances[:background])
    fits = best != background and surest >= _LEAST_CHANCE
    reasons = [reason for reason in model.reasons(item, best, rival) if round(reason[1], 3)]
    reasons.sort(key=lambda reason: (-abs(reason[1]), reason[0]))
    shown = tuple((words.shown(word), round(weight, 3)) for word, weight in reasons[:_MAX_REASONS])
    return Label(key, names[best] if fits else None, round(surest if fits else 1 - surest, 4), shown)
