"""Which words belong to one language: enough to keep languages from being taken for topics.

A category that happens to get most French texts must not get every text with French words. So
words are weighed among those of their own language only. Nothing here needs to be exact: texts
of a language that is not listed share a group with others like it.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from digestlog.core.words import Words

Item = Sequence[int]

_LATIN = "LATIN"
# Words that are frequent in one language and rare in the others, without accents.
_MARKERS = {
    "cs": "je na ze se jako byl podle ktery jsou bylo",
    "da": "og det er til af ikke har som blev efter",
    "de": "der und das nicht mit ist von den ein auf dem im fur sich",
    "en": "the of and to is that was with by from its has he are",
    "es": "el los las por una con del para como sus fue ha",
    "fi": "ja ei oli se joka myos mutta ovat kun sen",
    "fr": "le les des une est dans pour du au aux qui ses sur ont et",
    "hu": "az egy hogy nem meg volt es azt mint szerint",
    "id": "yang dan di untuk dengan ini itu dari pada tidak",
    "it": "il di che gli della per con sono alla nel dei ha piu",
    "nl": "het een van en dat niet zijn voor met op te aan",
    "pl": "nie sie jest do ze przez jak oraz po dla",
    "pt": "os uma em nao com dos foi mais ao pela na da",
    "ro": "si din cu pe ca este fost pentru sau care",
    "sv": "och att det som ar inte har till av ett den",
    "tr": "ve bir bu icin ile olarak daha cok gibi sonra",
}


def language_groups(items: Iterable[Item], words: Words, known: Iterable[int]) -> dict[int, str]:
    """The language or script of each known word, by the texts that it stands in."""
    markers = _markers(words)
    by_language: dict[str, list[Item]] = {}
    for item in items:
        by_language.setdefault(_language(item, markers), []).append(item)
    counts = {
        language: Counter(chain.from_iterable(by_language[language])) for language in sorted(by_language)
    }
    return {word: _group(word, words.form(word), counts) for word in known}


def _markers(words: Words) -> dict[int, list[str]]:
    markers: dict[int, list[str]] = {}
    for language, listed in _MARKERS.items():
        for number in words.read(listed):
            markers.setdefault(number, []).append(language)
    return markers


def _language(item: Item, markers: Mapping[int, Sequence[str]]) -> str:
    found = [language for word in item if word in markers for language in markers[word]]
    return max(sorted(set(found)), key=found.count, default=_LATIN)


def _group(word: int, form: str, counts: Mapping[str, Mapping[int, int]]) -> str:
    script = unicodedata.name(form[0], "").partition(" ")[0]
    if script != _LATIN:
        return script
    return max(counts, key=lambda language: counts[language][word])
