"""Two texts as the words that were kept, taken out and put in."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

Diff = tuple[tuple[str, str], ...]

MAX_TOKENS = 4_000
# Between the first and the last difference; a longer middle is one replacement.
MAX_MIDDLE = 300

# Signs of scripts without spaces are words of their own.
_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:[.,:'’/-][^\W{_UNSPACED}]+)*|[^\w\s]")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:[.,:'’/-][^\W{_UNSPACED}]+)*")
_SPACED = re.compile(r"\s*\S+")


def tokens(text: str) -> list[str]:
    """The words and signs of a text, at most `MAX_TOKENS`."""
    return _TOKEN.findall(text[: MAX_TOKENS * 8])[:MAX_TOKENS]


def words(text: str) -> list[str]:
    """The words of a text without signs, at most `MAX_TOKENS`."""
    return _WORD.findall(text[: MAX_TOKENS * 8])[:MAX_TOKENS]


def matching(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """How one list becomes the other, as of `SequenceMatcher.get_opcodes`, in bounded time."""
    start = 0
    shortest = min(len(old), len(new))
    while start < shortest and old[start] == new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    ops = [("equal", 0, start, 0, start)] if start else []
    ops += _middle(old[start : len(old) - end], new[start : len(new) - end], start)
    if end:
        ops.append(("equal", len(old) - end, len(old), len(new) - end, len(new)))
    return ops


def _middle(old: list[str], new: list[str], at: int) -> list[tuple[str, int, int, int, int]]:
    if not old and not new:
        return []
    if not old or not new or len(old) > MAX_MIDDLE or len(new) > MAX_MIDDLE:
        tag = "replace" if old and new else "delete" if old else "insert"
        return [(tag, at, at + len(old), at, at + len(new))]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(tag, at + a, at + b, at + c, at + d) for tag, a, b, c, d in found]


def word_diff(before: str, after: str, context: int = 12) -> Diff:
    """The differing words with some words around them; '…' stands for what is left out."""
    old, new = _spaced(before), _spaced(after)
    out: list[tuple[str, str]] = []
    ops = matching([token.strip() for token in old], [token.strip() for token in new])
    for index, (tag, a, b, c, d) in enumerate(ops):
        if tag == "equal":
            out.append(("=", _shortened(old[a:b], index > 0, index < len(ops) - 1, context)))
            continue
        out += [(op, "".join(part)) for op, part in (("-", old[a:b]), ("+", new[c:d])) if part]
    return tuple(out)


def _spaced(text: str) -> list[str]:
    return _SPACED.findall(text[: MAX_TOKENS * 8])[:MAX_TOKENS]


def _shortened(kept: list[str], follows: bool, leads: bool, context: int) -> str:
    """Kept words near a difference: the end before one, the beginning after one."""
    if len(kept) <= 2 * context:
        return "".join(kept)
    head = "".join(kept[:context]) if follows else ""
    tail = "".join(kept[-context:]) if leads else ""
    return f"{head} …{tail}"
