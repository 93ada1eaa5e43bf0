"""What becomes of changes that were told before their page was known: real after all, or noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from digestlog.core.changes import AVAILABILITY, LINK, PRICE, REAL, STATUS, TABLE, TITLE, VOLATILE, Memory
from digestlog.core.snapshot import EDGE, NOISE, ROW, TEXT, Line, Snapshot
from digestlog.core.watching.gist import gist
from digestlog.core.watching.memory import WINDOW, YOUNG, key_of
from digestlog.core.watching.naming import MAX_SIDE
from digestlog.core.watching.tables import BAR
from digestlog.core.watching.vocabulary import MONEY
from digestlog.core.word_diff import words

# What machines are told of an offer is never decoration.
_TRUSTED = (PRICE, AVAILABILITY)
# In which lines a change of a kind is looked for; all others in the text and in facts.
_LINES = {TITLE: (TITLE,), LINK: (LINK,), TABLE: (ROW,)}
_OTHERS = (TEXT, PRICE, AVAILABILITY, STATUS)
# A place is restless that changed in so many of the last comparisons; the change itself is one of them.
_RESTLESS, _RECENT = 2, 4


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A provisional change as it was told; `was`: the page before it, where that is still kept."""

    kind: str
    before: str | None
    after: str | None
    was: Snapshot | None = None


def is_learned(memory: Memory) -> bool:
    """True if a page was compared often enough to know it: its next change would not be provisional."""
    return memory.looks - 1 >= YOUNG


def settle(changes: Iterable[Doubtful], now: Snapshot, memory: Memory) -> list[str]:
    """The state of each change at last: real if what it told holds now and its place is calm, else volatile.

    One difference that holds is enough: an early event may have noise beside what is real.
    """
    page = _Page(now)
    return [REAL if _holds(change, page, memory) else VOLATILE for change in changes]


def _holds(change: Doubtful, page: _Page, memory: Memory) -> bool:
    if change.after:
        standing = (line for told in _lines(change.after) for line in page.find(change.kind, told))
        return any(not _is_restless(line, memory) for line in standing)
    before = _Page(change.was or Snapshot())
    gone = [told for told in _lines(change.before or "") if not page.find(change.kind, told)]
    return any(_was_calm(before.find(change.kind, told), memory) for told in gone)


def _was_calm(lines: list[Line], memory: Memory) -> bool:
    """Whether nothing speaks against the place that a line went from; it may not be known any more."""
    return not any(_is_restless(line, memory) for line in lines)


def _is_restless(line: Line, memory: Memory) -> bool:
    if line.kind in _TRUSTED:
        return False
    edited = memory.edited.get(key_of(line))
    record = edited.record if edited else memory.known(line.place)
    reach = WINDOW if line.zone == EDGE or record.returns else _RECENT
    return line.zone == NOISE or record.recent(reach) >= _RESTLESS


def _lines(side: str) -> list[str]:
    return [told for told in side.split("\n") if told]


@dataclass(slots=True)
class _Page:
    """A page, to be asked whether it says what an event told."""

    snapshot: Snapshot
    _said: dict[str, list[Line]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in self.snapshot.lines:
            for words_of_it in {line.text, line.gist, *_cells(line)}:
                self._said.setdefault(words_of_it, []).append(line)

    def find(self, kind: str, told: str) -> list[Line]:
        """The lines that say what an event of this kind told."""
        kinds = _LINES.get(kind, _OTHERS)
        ways = {told, gist(told), BAR.join(map(gist, told.split(BAR)))}
        found = [line for way in ways for line in self._said.get(way, ()) if line.kind in kinds]
        if not found and kind == PRICE:
            return self._priced(told)
        if not found and len(told) >= MAX_SIDE:
            return [line for line in self.snapshot.lines if line.kind in kinds and line.text.startswith(told)]
        return found

    def _priced(self, told: str) -> list[Line]:
        """Lines with the same amounts and mostly the same words: what else they say may have changed."""
        amounts, said = set(MONEY.findall(told)), set(words(told))
        return [
            line
            for line in self.snapshot.lines
            if line.kind == TEXT
            and amounts
            and amounts <= set(MONEY.findall(line.text))
            and len(said & set(words(line.text))) * 2 > len(said)
        ]


def _cells(line: Line) -> Iterator[str]:
    """The cells of a row as events tell of them: row, column, value."""
    if line.kind != ROW:
        return
    yield f"Row: {line.text}"
    cells, names = line.text.split(BAR), line.label.split(BAR)
    names = names if len(names) == len(cells) else [""] * len(cells)
    for at, (cell, name) in enumerate(zip(cells, names, strict=True)):
        named = ", ".join(filter(None, (cells[0] if at else "", name))) or "Cell"
        yield f"{named}: {cell}"
