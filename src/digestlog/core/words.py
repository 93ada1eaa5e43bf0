"""Text to numbered words, in any script."""

from __future__ import annotations

import re
import unicodedata

# What is read of one text: its beginning says what it is about, and a hostile one has no end.
MAX_WORDS = 400
_MAX_CHARACTERS = 8 * MAX_WORDS
_MAX_LETTERS = 40

# Scripts written without spaces, and Korean, whose words carry their particles: Thai, Lao,
# Burmese, Khmer, kana, Han, Hangul.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks inside words that Python does not count as letters: Indic vowels, joiners.
_MARKS = "\u0900-\u0963\u0966-\u0dff\u200c\u200d"

# Marks that the same word may have or lack: accents, Hebrew points, Arabic vowels.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]+"
)
_PLAIN = re.compile(r"\w+")
_SPECIAL = re.compile(f"[{_UNSPACED}{_MARKS}]")
_MIXED = re.compile(rf"[{_UNSPACED}]+|(?:[^\W{_UNSPACED}]|[{_MARKS}])+")
_ONE_UNSPACED = re.compile(f"[{_UNSPACED}]")

_NO_WORD = -1


class Words:
    """Numbers for words; forms that differ in case, accents or a plural s have the same number."""

    def __init__(self) -> None:
        self._numbers = _Numbers()

    def read(self, text: str) -> list[int]:
        """The words of a text's beginning in their order, at most `MAX_WORDS`."""
        numbers = self._numbers
        found = _pieces(text[:_MAX_CHARACTERS])[:MAX_WORDS]
        return [number for word in found if (number := numbers[word]) != _NO_WORD]

    def phrase(self, parts: list[int], shown: str) -> int:
        """The number of a phrase, which is a word of its own."""
        return self._numbers.of(" ".join(self.form(part) for part in parts), shown)

    def form(self, number: int) -> str:
        """The common form of a word, by which its others are recognised."""
        return self._numbers.forms[number]

    def shown(self, number: int) -> str:
        """The word for people: the shortest of its forms that were read."""
        return self._numbers.shown[number]


class _Numbers(dict[str, int]):
    """Every form that was read, with its number; a lookup adds what is missing."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[str] = []
        self.shown: list[str] = []
        self._by_form: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        self[word] = number = _NO_WORD if _says_nothing(word) else self.of(folded(word), word)
        return number

    def of(self, form: str, shown: str) -> int:
        number = self._by_form.setdefault(form, len(self.forms))
        if number == len(self.forms):
            self.forms.append(form)
            self.shown.append(shown[:_MAX_LETTERS])
        elif len(shown) < len(self.shown[number]):
            self.shown[number] = shown
        return number


def folded(word: str) -> str:
    """A word without its plural s; of other endings, learning from texts takes care."""
    word = word[:_MAX_LETTERS]
    if len(word) > 5 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word[-1] == "s" and word[-2] != "s":
        return word[:-1]
    return word


def is_unspaced(word: str) -> bool:
    """Whether a word is a piece of a text written without spaces."""
    return _ONE_UNSPACED.match(word) is not None


def _says_nothing(word: str) -> bool:
    return word.isnumeric() or (len(word) == 1 and not is_unspaced(word))


def _pieces(text: str) -> list[str]:
    """Words in lower case without accents; pairs of characters where words are not set apart."""
    if not text.isascii():
        # Back to composed characters, or Korean would fall apart into single sounds.
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
        if _SPECIAL.search(text):
            return [piece for run in _MIXED.findall(text.casefold()) for piece in _pairs(run)]
    return _PLAIN.findall(text.casefold())


def _pairs(run: str) -> list[str]:
    if len(run) < 3 or not is_unspaced(run):
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]
