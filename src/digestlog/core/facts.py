"""What tells one report from another: its names, its numbers, and what stands around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from digestlog.core.date_words import MONTHS, WEEKDAYS, fold
from digestlog.core.sketch import TOKEN, readable, spaced

# Enough of a word that its endings do not matter: Москва and Москве, Wahl and Wahlen.
STEM_CHARS = 5
# Shorter words are mostly articles, prepositions and the like, in any language with spaces.
MIN_CONTENT_CHARS = 4
# A report says what happened, where and to whom in its first paragraphs.
LEAD_WORDS = 70
# More values than these in one place make it a list.
MAX_IN_PLACE = 8

_NUMBER, _NAME, _DAY = "#", "@", "%"
_ENDS = frozenset('.!?…:\n"“”«»„')
_MARKS = _ENDS | frozenset(",;()")
_PIECE = re.compile(rf"{TOKEN.pattern}|[{''.join(sorted(_MARKS))}]")
_SPACED_THOUSANDS = re.compile(r"\d(?<![\d.,]\d)\d{0,2}(?:[ \u00a0\u202f]\d{3}){1,4}(?!\d)")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'’]\d{3})+")
_NOT_DIGIT = re.compile(r"\D")
_CALENDAR = WEEKDAYS.union(*MONTHS.values())

Places = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and numbers, what fills the place between two words, and the words that carry meaning."""

    names: frozenset[str]
    numbers: frozenset[str]
    slots: Places
    counts: Places
    said: frozenset[str]
    lead: frozenset[str]

    def __len__(self) -> int:
        return len(self.names) + len(self.numbers)


def read_facts(title: str | None, text: str) -> Facts:
    """The names, numbers and telling words of an article."""
    pieces = _pieces(text)
    lead = {value for _, value in pieces[:LEAD_WORDS]}.union(value for _, value in _pieces(title or ""))
    slots, counts = _places(pieces)
    return Facts(
        frozenset(value for kind, value in pieces if kind == _NAME),
        frozenset(value for kind, value in pieces if kind == _NUMBER),
        slots,
        counts,
        frozenset(filter(_carries, lead.union(value for _, value in pieces))),
        frozenset(filter(_carries, lead)),
    )


def number(piece: str) -> str:
    """One form of a number, however its thousands and decimals are written."""
    if _THOUSANDS.fullmatch(piece):
        piece = _NOT_DIGIT.sub("", piece)
    return piece.replace(",", ".").lstrip("0") or "0"


def _places(pieces: list[tuple[str, str]]) -> tuple[Places, Places]:
    """What stands between which two words, and which number before or after which word."""
    slots: Places = {}
    counts: Places = {}
    kinds = ["", *(kind for kind, _ in pieces), ""]
    for at, (kind, value) in enumerate(pieces):
        if kind in (_NUMBER, _NAME):
            before, after = kinds[at], kinds[at + 2]
            _put(slots, f"{before} {kind} {after}", value)
            if kind == _NUMBER:
                _put(counts, f"{before} #", value)
                _put(counts, f"# {after}", value)
    return slots, counts


def _put(places: Places, place: str, value: str) -> None:
    values = places.get(place, ())
    if len(values) < MAX_IN_PLACE:
        places[place] = (*values, value)


def _pieces(text: str) -> list[tuple[str, str]]:
    """Every word as its kind (number, name, day, or the word itself) and its value."""
    found: list[tuple[str, str]] = []
    starts, name = True, ""
    for piece in _PIECE.findall(_SPACED_THOUSANDS.sub(_joined, readable(text))):
        capital = piece[0].isupper()
        if name and not capital:
            found.append((_NAME, name))
            name = ""
        if piece in _MARKS:
            starts = starts or piece in _ENDS
            continue
        if not capital:
            found += _plain(piece)
        elif (stem := _stem(piece)) is None:
            found.append((_DAY, ""))
        elif starts and not name:
            # A sentence begins with a capital whatever the word is.
            found.append((stem, stem))
        else:
            # The last word of Ines Castellan or of the River Sallow is the one that others repeat.
            name = stem
        starts = False
    return [*found, (_NAME, name)] if name else found


@lru_cache(maxsize=1 << 15)
def _plain(piece: str) -> tuple[tuple[str, str], ...]:
    if piece[0].isdigit():
        return ((_NUMBER, number(piece)),)
    return tuple((word[:STEM_CHARS], word[:STEM_CHARS]) for word in spaced((piece,)))


def _joined(found: re.Match[str]) -> str:
    return _NOT_DIGIT.sub("", found[0])


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str | None:
    """The beginning of a capitalised word, None for a weekday or a month."""
    folded = fold(word)
    return None if folded in _CALENDAR else folded[:STEM_CHARS]


def _carries(value: str) -> bool:
    return len(value) >= MIN_CONTENT_CHARS or not value.isascii() or value[:1].isdigit()
