"""Text to sentences, each an exact part of it, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from digestlog.core.date_words import MONTHS, fold

Span = tuple[int, int]

# A run of marks that may end a sentence, and the quotes and brackets that close behind it. French
# puts a space before its closing guillemet; a German opening one has none behind it.
_STOP = re.compile(
    r"[.!?…؟۔।॥።։။។]{1,20}(?:[\"'”’»«)\]]{1,4}|[ \u00a0\u202f]»(?=\s|$))?(?=\s|$)"
    r"|[。！？｡]{1,20}[」』”’）】〉》\"]{0,4}",
)
_EAST_QUOTES = re.compile(r"[「『]|[」』]")
_WORD_START = re.compile(r"[\s(\[\"'“‘«„]")
# How far back the word before a full stop is looked for; no abbreviation is longer.
_WORD_CHARS = 24
# An East Asian quotation that never closes must not swallow the rest of the text.
MAX_QUOTED = 400

# What stands before a name or a number, so that the sentence goes on whatever follows.
_ABBREVIATIONS = frozenset(
    fold(word)
    for word in (
        "mr mrs ms dr prof rev hon st sgt capt lt col gen adm cmdr maj sen rep gov supt messrs mx vs cf "
        "approx ca hr fr frl bzw evtl ggf inkl exkl zzgl sog vgl bspw aufl hrsg geb verh str dipl ing "
        "mme mlle av boul env sr sra srta dña ud uds avda dott sig sigg avv "
        "tzn tzw np dyr inż hab ul gł mgr им ул пр пер руб млн млрд тыс см проф акад обл"
    ).split()
)
# Words of their own in some language; before a digit they are abbreviations.
_BEFORE_DIGITS = frozenset("no nos nr num pag p pp vol fig art sec ch abs tel стр рис".split())
# What German puts before an ordinal: am 25. Spieltag, im 19. Jahrhundert.
_BEFORE_ORDINALS = frozenset("am im der die das dem den des zum zur vom beim ab bis seit".split())
_MONTH_NAMES = frozenset().union(*MONTHS.values())
_NEXT_WORD = re.compile(r"\s*([^\W\d_]{1,24})")


def sentences(text: str) -> list[str]:
    """The text's sentences in order, exactly as they stand there, without the space around them."""
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[Span]:
    """Where each sentence begins and ends; a line break always ends one."""
    found: list[Span] = []
    at = 0
    for line in text.splitlines(keepends=True):
        found += ((at + start, at + end) for start, end in _line_spans(line))
        at += len(line)
    return found


def _line_spans(line: str) -> Iterator[Span]:
    start = 0
    for end in (*_ends(line), len(line)):
        piece = line[start:end]
        if bare := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            yield first, first + len(bare)
        start = end


def _ends(line: str) -> Iterator[int]:
    """Where the line's sentences end, its last one left out."""
    start = read = depth = opened = 0
    for stop in _STOP.finditer(line):
        for quote in _EAST_QUOTES.finditer(line, read, stop.end()):
            depth = depth + 1 if quote[0] in "「『" else max(0, depth - 1)
            opened = quote.start() if depth == 1 and quote[0] in "「『" else opened
        read = stop.end()
        quoted = depth > 0 and read - opened < MAX_QUOTED
        if not quoted and _ends_here(line, start, stop):
            yield read
            start, depth = read, 0


def _ends_here(line: str, start: int, stop: re.Match[str]) -> bool:
    if stop[0][0] in "。！？｡":
        # 「はい。」と答えた: what follows a closed quotation in the same line belongs to it.
        return stop[0][-1] in "。！？｡" or line[stop.end() : stop.end() + 1] in "「『“"
    follows = line[stop.end() : stop.end() + 40].lstrip(" \t\u00a0\u202f\"'“‘«„»([—–-")[:1]
    if follows.islower():
        return False
    return stop[0][0] != "." or stop[0].startswith("..") or not _abbreviated(line, start, stop)


def _abbreviated(line: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the full stop belongs to the word before it: Mr. z. B. J. 3. Mai, or the 1. of a list."""
    before = line[max(start, stop.start() - _WORD_CHARS) : stop.start()]
    word = _WORD_START.split(before)[-1]
    if word.isdigit():
        return before.strip() == word or _ordinal(line, before.removesuffix(word), word, stop.end())
    if len(word) == 1:
        return word.isalpha() and (word.isupper() or word.islower())
    if fold(word) in _BEFORE_DIGITS:
        return line[stop.end() : stop.end() + 2].strip().isdigit()
    return fold(word) in _ABBREVIATIONS or _dotted(word)


def _ordinal(line: str, before: str, digits: str, end: int) -> bool:
    follows = _NEXT_WORD.match(line, end)
    if len(digits) > 2 or follows is None:
        return False
    return not _BEFORE_ORDINALS.isdisjoint(before.lower().split()[-1:]) or fold(follows[1]) in _MONTH_NAMES


def _dotted(word: str) -> bool:
    """U.S, e.g, т.е: single letters with full stops between them."""
    letters = word.split(".")
    return len(letters) > 1 and all(len(letter) <= 2 and letter.isalpha() for letter in letters)
