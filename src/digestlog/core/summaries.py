"""Extractive summaries: a text's lead and its most central sentences, word for word."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from digestlog.core.sentences import Span, spans
from digestlog.core.sketch import words

GAP = " … "
# What a long text is about is said well before this.
MAX_SENTENCES = 300
# Shorter pieces are bylines, captions and links; pairs of characters count as words in Chinese.
MIN_WORDS = 4
# A sentence that shares more than this with what was chosen adds nothing.
MAX_REPEATED = 0.6
# The title's words count as if the text used them this much oftener.
TITLE_WEIGHT = 3
WEIGHTLESS = 12
# Sentences further down lose: half of their score at this place.
HALF_AT = 20

_BREAK = re.compile(r"[\s,;:，、；：]+")
_MIN_STEM = 4


@dataclass(frozen=True, slots=True)
class _Sentence:
    at: int
    span: Span
    words: frozenset[str]
    whole: bool

    @property
    def size(self) -> int:
        return self.span[1] - self.span[0]


def summarize(text: str, *, title: str | None = None, max_chars: int = 400) -> str:
    """At most `max_chars` of the text's own sentences in their order, a gap where some are left out."""
    found = [_sentence(at, span, text) for at, span in enumerate(islice(spans(text), MAX_SENTENCES))]
    if not found:
        return ""
    heading = frozenset(_stems(title or ""))
    lead = _lead(found, heading)
    if lead.size > max_chars:
        return _cut(text[lead.span[0] : lead.span[1]], max_chars)
    return _joined(text, _chosen(found, lead, heading, max_chars))


def _sentence(at: int, span: Span, text: str) -> _Sentence:
    said = text[span[0] : span[1]]
    whole = not said[-1].isalnum() and len(words(said)) >= MIN_WORDS
    return _Sentence(at, span, frozenset(_stems(said)), whole)


def _stems(text: str) -> list[str]:
    """The words that carry meaning, without their endings."""
    return [word[:6] for word in words(text) if len(word) >= _MIN_STEM or not word.isascii()]


def _lead(found: Sequence[_Sentence], heading: frozenset[str]) -> _Sentence:
    """The first whole sentence that does not just repeat the title, or the first of all."""
    return next((one for one in found if one.whole and not one.words <= heading), found[0])


def _chosen(
    found: Sequence[_Sentence], lead: _Sentence, heading: frozenset[str], max_chars: int
) -> list[_Sentence]:
    """The lead, and as many of the best sentences as there is room for."""
    scores = _scores(found, heading)
    chosen, said, room = [lead], lead.words, max_chars - lead.size
    ranked = sorted(
        (one for one in found[lead.at + 1 :] if one.whole), key=lambda one: (-scores[one.at], one.at)
    )
    for one in ranked:
        cost = one.size + len(GAP)
        if cost <= room and len(one.words & said) <= MAX_REPEATED * len(one.words):
            chosen.append(one)
            said |= one.words
            room -= cost
    return sorted(chosen, key=lambda one: one.at)


def _scores(found: Sequence[_Sentence], heading: frozenset[str]) -> list[float]:
    """How much each sentence says of what the whole text speaks about."""
    used = Counter(word for one in found for word in one.words)
    weights = {word: (count - 1) * (TITLE_WEIGHT if word in heading else 1) for word, count in used.items()}
    # Words in most sentences are the language's, not the text's.
    common = max(4, len(found) // 2)
    return [
        _mean(weights[word] for word in one.words if used[word] <= common) * HALF_AT / (HALF_AT + one.at)
        for one in found
    ]


def _mean(values: Iterable[int]) -> float:
    """The mean with words of no weight added, so that a short sentence does not win by one word."""
    known = list(values)
    return sum(known) / (len(known) + WEIGHTLESS)


def _joined(text: str, chosen: Sequence[_Sentence]) -> str:
    """The sentences with the white space between them, or a gap where that is wide or a sentence."""
    parts = [list(chosen[0].span)]
    for before, one in zip(chosen, chosen[1:], strict=False):
        if one.at == before.at + 1 and one.span[0] - before.span[1] <= len(GAP):
            parts[-1][1] = one.span[1]
        else:
            parts.append(list(one.span))
    return GAP.join(text[start:end] for start, end in parts)


def _cut(sentence: str, max_chars: int) -> str:
    """The beginning of a sentence that is too long, up to a word's end where there is one."""
    end = max(1, max_chars)
    breaks = [found.start() for found in _BREAK.finditer(sentence, end // 2, end + 1)]
    if breaks:
        return sentence[: breaks[-1]].rstrip() or sentence[:end]
    while end > 1 and unicodedata.combining(sentence[end]):
        end -= 1
    return sentence[:end]
