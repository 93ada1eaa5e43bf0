"""What a person types into a search box, as a question to the index of words.

Words are all to be found; "words in quotation marks" together; a word that ends with * begins so; what has a
minus before it must not be there. Nothing that is typed is ever read as the index's own language.
"""

from __future__ import annotations

import re

_MOST_WORDS = 20
_LONGEST = 100
_PART = re.compile(r'(-?)(?:["“”«]([^"“”»]*)["“”»]?|([^\s"“”«]+))')


def question(text: str) -> str | None:
    """The question; None if there is no word to look for."""
    wanted: list[str] = []
    unwanted: list[str] = []
    for minus, together, word in _PART.findall(text)[:_MOST_WORDS]:
        found = _phrase(together or word)
        if found:
            (unwanted if minus else wanted).append(found)
    if not wanted:
        return None
    asked = " AND ".join(wanted)
    return f"({asked}) NOT ({' OR '.join(unwanted)})" if unwanted else asked


def _phrase(words: str) -> str | None:
    """The words as a phrase of the index; None if there is nothing in them that it could know."""
    if not any(character.isalnum() for character in words):
        return None
    # Quotation marks inside are signs like any other; the index knows letters and digits only.
    plain = words[:_LONGEST].replace("\0", " ").replace('"', " ")
    return f'"{plain.rstrip("*")}"{"*" if plain.endswith("*") else ""}'
