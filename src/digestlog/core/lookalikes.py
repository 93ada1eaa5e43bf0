"""Hosts that only look like what they seem to be: letters of several alphabets in one name."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import ada_url

# Letters of other alphabets that read as Latin ones in most typefaces.
_SEEM_LATIN = frozenset("аеорсухіјѕԁһӏԛԝѵαονρυικյսօոցհ")
# Alphabets whose letters pass for Latin ones. Chinese, Japanese and Korean names often carry Latin letters.
_ALIKE = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_PREFIX = "xn--"


@lru_cache(maxsize=4096)
def is_lookalike(host: str) -> bool:
    """True if a label mixes Latin with an alphabet that resembles it, or is spelt wholly in such letters."""
    if _PREFIX not in host:
        return False
    labels = [_decoded(label) for label in host.split(".")]
    latin_ending = labels[-1].isascii()
    return any(_mixes(label) or (latin_ending and _poses(label)) for label in labels[:-1])


def _decoded(label: str) -> str:
    return ada_url.idna_to_unicode(label.encode()) if label.startswith(_PREFIX) else label


def _mixes(label: str) -> bool:
    """True if Latin letters and letters of a similar alphabet stand in the same label."""
    alphabets = {unicodedata.name(sign, "?").split(" ")[0] for sign in label if sign.isalpha()}
    return "LATIN" in alphabets and not alphabets.isdisjoint(_ALIKE)


def _poses(label: str) -> bool:
    """True if a name in another alphabet uses only letters that a reader takes for Latin ones."""
    letters = [sign for sign in label if sign.isalpha()]
    return bool(letters) and not label.isascii() and all(sign in _SEEM_LATIN for sign in letters)
