"""What the screens say, in English and French: one place for every label.

Each module here holds two plain dicts with the same keys. A screen asks `t("key")`, or `t("key", day=...)`
where the words have a place for a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digestlog.core.settings import LANGUAGES
from digestlog.serve.words import ledger, library, shared
from digestlog.serve.words.moments import day, moment

ENGLISH: Mapping[str, str] = {**shared.ENGLISH, **library.ENGLISH, **ledger.ENGLISH}
FRENCH: Mapping[str, str] = {**shared.FRENCH, **library.FRENCH, **ledger.FRENCH}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language."""

    language: str

    def __call__(self, key: str, /, **values: object) -> str:
        """The words of a key; `{name}` in them is replaced."""
        words = (FRENCH if self.language == "fr" else ENGLISH)[key]
        return words.format(**values) if values else words

    def count(self, number: int, key: str) -> str:
        """`1 page`, `2 pages`: the words of `key.one` or `key.many`."""
        one = number < 2 if self.language == "fr" else number == 1
        return f"{number} {self(f'{key}.one' if one else f'{key}.many')}"

    def day(self, iso: str) -> str:
        """A day as people write it: `3 May 2026`."""
        return day(iso, self.language)

    def moment(self, iso: str) -> str:
        """A time as people write it: `3 May 2026, 14:03`."""
        return moment(iso, self.language)

    def size(self, number: int) -> str:
        """A number of bytes: `744 B`, `5.5 kB`, `2.1 MB`; French counts in octets."""
        unit = "o" if self.language == "fr" else "B"
        if number < 1_000:
            return f"{number} {unit}"
        thousands, prefix = (number / 1_000, "k") if number < 1_000_000 else (number / 1_000_000, "M")
        shown = f"{thousands:.1f}"
        return f"{shown.replace('.', ',') if self.language == 'fr' else shown} {prefix}{unit}"


def chosen(setting: str | None, accept_language: str | None) -> str:
    """The language for a visitor: the one they have set, else the browser's first that we speak."""
    if setting in LANGUAGES:
        return setting
    for _, tag in sorted(_weighed(accept_language or ""), key=lambda pair: -pair[0]):
        if tag in LANGUAGES:
            return tag
    return LANGUAGES[0]


def _weighed(header: str) -> list[tuple[float, str]]:
    """The languages of an Accept-Language header with their weights, as far as it makes sense."""
    found = []
    for part in header[:500].split(","):
        tag, _, rest = part.strip().lower().partition(";")
        name, _, weight = rest.strip().partition("=")
        try:
            found.append((float(weight) if name.strip() == "q" else 1.0, tag.strip().partition("-")[0]))
        except ValueError:
            continue
    return [pair for pair in found if pair[0] > 0]
