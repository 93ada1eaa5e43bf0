r"""Patterns that people write for addresses, matched without ever going back.

`*` stands for any characters, also none; `{a,b}` for one of several texts; `\*` for a star. A pattern is
split into the texts between its stars once. Each of them is then looked for behind the one before it, from
left to right: the leftmost place leaves the most room for the rest, so no place has to be tried twice. The
work is at most the length of the address times that of the pattern, and both are bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from urllib.parse import unquote

from digestlog.errors import ConfigError

MAX_PATTERN = 500
MAX_ALTERNATIVES = 64

_STAR = object()
# Texts, stars, and groups of alternatives that are lists of the same.
_Part = object
_HELP = r"* stands for any characters, {a,b} for one of several; write \* for a star itself"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern ready to be matched: for each alternative, the texts between its stars."""

    alternatives: tuple[tuple[str, ...], ...]
    # What any text begins, ends and goes on with that fits; most texts are told from these alone.
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    inside: re.Pattern[str] | None

    def fits(self, text: str) -> bool:
        """True if the pattern covers all of a text that went through `folded`."""
        return (
            text.endswith(self.ends)
            and text.startswith(self.starts)
            and (self.inside is None or self.inside.search(text) is not None)
            and any(_covers(pieces, text) for pieces in self.alternatives)
        )

    @property
    def literals(self) -> int:
        """How many characters the pattern fixes at least: the more, the more specific it is."""
        return min(sum(map(len, pieces)) for pieces in self.alternatives)


def folded(text: str) -> str:
    """A text as patterns see it: percent-encoding undone, capitals and small letters alike."""
    return unquote(text).casefold() if "%" in text else text.casefold()


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Pattern:
    """The pattern ready to be matched; ConfigError if it is none, or one of too many alternatives."""
    if len(pattern) > MAX_PATTERN:
        raise ConfigError(f"the pattern {pattern[:40]}… is too long", f"at most {MAX_PATTERN} characters")
    groups = _groups(pattern)
    count = 1
    for group in groups:
        count *= len(group)
        if count > MAX_ALTERNATIVES:
            raise ConfigError(
                f"the pattern {pattern[:40]} has more than {MAX_ALTERNATIVES} alternatives",
                "write several rules",
            )
    found = tuple(_pieces(choice) for choice in product(*groups))
    starts, ends = {pieces[0] for pieces in found}, {pieces[-1] for pieces in found}
    return Pattern(found, tuple(starts), tuple(ends), _inside(found))


def _inside(alternatives: tuple[tuple[str, ...], ...]) -> re.Pattern[str] | None:
    """One of these stands in any text that fits: plain texts side by side, nothing that could repeat."""
    needles = {max(pieces[1:-1], key=len, default="") for pieces in alternatives}
    return None if "" in needles else re.compile("|".join(map(re.escape, sorted(needles))))


def _covers(pieces: tuple[str, ...], text: str) -> bool:
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return text == first
    at, end = len(first), len(text) - len(last)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in pieces[1:-1]:
        at = text.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


def _groups(pattern: str) -> list[list[list[_Part]]]:
    """The pattern as a row of groups, each with the alternatives it leaves open, often one."""
    groups: list[list[list[_Part]]] = [[[]]]
    inside = False
    signs = iter(pattern)
    for sign in signs:
        if sign == "\\":
            groups[-1][-1].append(next(signs, "\\"))
        elif sign == "*":
            groups[-1][-1].append(_STAR)
        elif sign in "{}":
            if inside == (sign == "{"):
                raise ConfigError(f"the braces of {pattern[:40]} do not match", _HELP)
            inside = not inside
            groups.append([[]])
        elif sign == "," and inside:
            groups[-1].append([])
        else:
            groups[-1][-1].append(sign)
    if inside:
        raise ConfigError(f"the braces of {pattern[:40]} do not match", _HELP)
    return groups


def _pieces(choice: tuple[list[_Part], ...]) -> tuple[str, ...]:
    """The texts between the stars of one alternative."""
    pieces = [""]
    for part in (part for parts in choice for part in parts):
        if part is _STAR:
            pieces.append("")
        else:
            pieces[-1] += str(part)
    # Two stars in a row are one.
    inner = [piece for piece in pieces[1:-1] if piece]
    return tuple(map(folded, pieces[:1] if len(pieces) == 1 else [pieces[0], *inner, pieces[-1]]))
