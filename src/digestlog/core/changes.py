"""What a reader would call a change: two looks at a page and what was learned before -> events.

pairing   which lines went, which came, which became others
judging   real, provisional or volatile, by standing and place
naming    price, title, table ...; the words that tell of it
learning  the memory for the next look

docs/changes.md has the rules in plain words.
"""

from __future__ import annotations

from dataclasses import dataclass

from digestlog.core.snapshot import Snapshot
from digestlog.core.watching.blocks import toggling
from digestlog.core.watching.judging import PROVISIONAL, REAL, VOLATILE, Judge, Judged
from digestlog.core.watching.learning import confirmed, learned
from digestlog.core.watching.line import AVAILABILITY, LINK, PRICE, STATUS, TITLE
from digestlog.core.watching.memory import Memory, first_look
from digestlog.core.watching.naming import (
    MAX_SIDE,
    TABLE,
    TEXT_ADDED,
    TEXT_CHANGED,
    TEXT_REMOVED,
    Told,
    kind_of,
    magnitude,
    preferred,
    tell,
    without_echoes,
)
from digestlog.core.watching.pairing import Difference, differences

__all__ = [
    "AVAILABILITY",
    "KINDS",
    "LINK",
    "PRICE",
    "PROVISIONAL",
    "REAL",
    "STATUS",
    "TABLE",
    "TEXT_ADDED",
    "TEXT_CHANGED",
    "TEXT_REMOVED",
    "TITLE",
    "VOLATILE",
    "Change",
    "Compared",
    "Memory",
    "compare",
    "remember",
]

KINDS = (TITLE, PRICE, AVAILABILITY, STATUS, TABLE, LINK, TEXT_CHANGED, TEXT_ADDED, TEXT_REMOVED)
_STATES = (REAL, PROVISIONAL, VOLATILE)


@dataclass(frozen=True, slots=True)
class Change:
    """One event: what changed between two looks."""

    kind: str
    state: str
    magnitude: float
    before: str | None
    after: str | None
    # Words kept ('='), taken out ('-') and put in ('+').
    diff: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """The events of one comparison, at most one for each kind and state, and the memory for the next."""

    changes: tuple[Change, ...]
    memory: Memory


def remember(snapshot: Snapshot) -> Memory:
    """The memory after the first look."""
    return first_look(snapshot.lines)


def compare(before: Snapshot, after: Snapshot, memory: Memory) -> Compared:
    """What changed from one look to the next; equal looks change nothing but are one more check."""
    if not memory.looks:
        memory = remember(before)
    found = differences(before.lines, after.lines)
    moving = toggling(memory, before.lines, after.lines, found) if found else set()
    judge = Judge(memory, before.lines, after.lines, moving)
    judged = [judge.judged(one) for one in found]
    new = learned(memory, after.lines, judge, judged)
    late = [Judged(Difference(None, line), REAL, 0) for line in confirmed(new, after.lines)]
    total = max(_count(before), _count(after))
    return Compared(_events([*judged, *late], total), new)


def _count(snapshot: Snapshot) -> int:
    return sum(len(line.text.split()) for line in snapshot.lines)


def _events(judged: list[Judged], total: int) -> tuple[Change, ...]:
    """One event for each kind and state, the sure ones first."""
    groups: dict[tuple[str, str], list[Difference]] = {}
    for state in _STATES:
        for one in without_echoes([one.difference for one in judged if one.state == state]):
            groups.setdefault((state, kind_of(one)), []).append(one)
    order = sorted(groups, key=lambda key: (_STATES.index(key[0]), KINDS.index(key[1])))
    return tuple(_event(state, kind, groups[state, kind], total) for state, kind in order)


def _event(state: str, kind: str, found: list[Difference], total: int) -> Change:
    told = Told()
    for one in preferred(found):
        tell(told, one)
    before, after = ("\n".join(side)[:MAX_SIDE] or None for side in (told.before, told.after))
    return Change(kind, state, magnitude(kind, told, total), before, after, tuple(told.diff))
