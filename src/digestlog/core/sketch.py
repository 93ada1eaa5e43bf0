"""Shingle sketches: small integers of a text that let an index find its near copies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

BANDS = 20
ROWS = 3
SHINGLE_WORDS = 3
# What follows is not read: a text this long is no article, and its time must stay bounded.
MAX_CHARS = 100_000

# Scripts that put no space between words, and Hangul, whose endings stick to its words.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them; without these, Indic words would fall to pieces.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff"
_NUMBER = r"\d{1,30}(?:[.,:'’–-]\d{1,30}){0,6}"
_LETTER = rf"[^\W\d_{_UNSPACED}]"
_WORD = rf"{_LETTER}{{1,64}}(?:[{_MARKS}]{{1,8}}{_LETTER}{{0,64}}){{0,16}}"
# Pieces are bounded, since what is remembered of each is.
TOKEN = re.compile(rf"{_NUMBER}|[{_UNSPACED}]{{1,64}}|{_WORD}")
_RUN = re.compile(rf"[{_UNSPACED}]")

# Hashes have 60 bits: positive in SQLite's signed integers and two digits in Python's own.
_MASK = (1 << 60) - 1
# Stands in for the missing neighbours in a text with fewer words than a shingle.
_NOTHING = 0


def sketch(text: str) -> tuple[int, ...]:
    """A fixed number of integers, alike where texts are alike; none for a text without words."""
    return sketch_of(shingles(words(text)))


def sketch_of(hashes: Iterable[int]) -> tuple[int, ...]:
    """The sketch of a text by its shingles."""
    lowest = _lowest(hashes)
    if not lowest:
        return ()
    values: list[int] = []
    kept = min(lowest.items())[1]
    # A part that no shingle fell into takes what its right neighbour has, so that short texts compare.
    for part in reversed(range(BANDS * ROWS)):
        kept = lowest.get(part, kept)
        values.append(kept)
    return tuple(reversed(values))


def bands(sketch: Sequence[int]) -> tuple[int, ...]:
    """The keys under which a sketch is found: near copies share at least one."""
    rows = (sketch[at : at + ROWS] for at in range(0, len(sketch), ROWS))
    return tuple(_digest(f"{at}:{','.join(map(str, values))}") for at, values in enumerate(rows))


def words(text: str) -> list[str]:
    """The text's words in lower case; pairs of characters where a script puts no spaces."""
    return spaced(TOKEN.findall(readable(text).lower()))


def readable(text: str) -> str:
    """As much of the text as is read, with one form for each character."""
    text = text[:MAX_CHARS]
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def spaced(tokens: Iterable[str]) -> list[str]:
    """The tokens, with every run of an unspaced script cut into overlapping pairs."""
    found: list[str] = []
    for token in tokens:
        if token.isascii() or len(token) < 3 or not _RUN.match(token):
            found.append(token)
        else:
            found += (one + two for one, two in pairwise(token))
    return found


def shingles(words: Sequence[str]) -> set[int]:
    """Hashes of every three words in a row, the same on every machine."""
    hashes = [_hash(word) for word in words]
    if hashes:
        hashes += [_NOTHING] * (SHINGLE_WORDS - len(hashes))
    # Sums of random numbers are as random as these, and cost a third of another hash.
    return {(a + 3 * b + 5 * c) & _MASK for a, b, c in zip(hashes, hashes[1:], hashes[2:], strict=False)}


def _lowest(hashes: Iterable[int]) -> dict[int, int]:
    """The lowest hash of each part; one pass instead of one hash function for each value."""
    return {value % (BANDS * ROWS): value for value in sorted(hashes, reverse=True)}


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()) & _MASK


_hash = lru_cache(maxsize=1 << 16)(_digest)
