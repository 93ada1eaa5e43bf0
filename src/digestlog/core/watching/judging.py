"""Whether a difference is a change or the restlessness of its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from digestlog.core.watching.line import (
    AVAILABILITY,
    EDGE,
    LINK,
    LINKED,
    NOISE,
    PRICE,
    ROW,
    TEXT,
    TITLE,
    Line,
)
from digestlog.core.watching.memory import (
    BACK,
    STANDING,
    UNTOLD,
    WINDOW,
    YOUNG,
    Edited,
    Memory,
    Place,
    key_of,
)
from digestlog.core.watching.pairing import Difference, alike
from digestlog.core.word_diff import matching, tokens

REAL, PROVISIONAL, VOLATILE = "real", "provisional", "volatile"

# Whose words have a standing of their own.
_WORDED = frozenset({TEXT, TITLE, ROW})
# What machines are told of an offer is never decoration.
_TRUSTED = frozenset({PRICE, AVAILABILITY})
# Below this, a line that went after standing long was not one of those that rotate.
_RARE = 0.02
_VERY_RARE = 0.002
_NEVER = 0.0001
# Words that a line and its successor share at least, to be the same line edited.
_SAME_LINE = 0.5
_STILL_SAME = 0.3
_EDIT = 0.7
_RESTLESS, _RECENT = 2, 4
_FEW = 2


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference with its state, and for how many looks what went had stood."""

    difference: Difference
    state: str
    stood: int
    # Of an edited line: which of its words were kept, for the next memory.
    edited: Edited | None = None


@dataclass(slots=True)
class Judge:
    """Judges the differences of one comparison by what was learned before."""

    memory: Memory
    before: Sequence[Line]
    after: Sequence[Line]
    _groups: Counter[tuple[str, int]] = field(default_factory=Counter)
    _places: set[str] = field(default_factory=set)
    _growth: Counter[str] = field(default_factory=Counter)
    _survived: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        memory = self.memory
        for line in self.before:
            if line.zone != NOISE:
                since = memory.since.get(key_of(line), memory.looks)
                self._groups[line.place, since] += 1
                self._survived[line.place] += min(memory.looks - since, STANDING) if since > 1 else 0
                self._places.add(line.place)
                self._growth[line.place] -= 1
        for line in self.after:
            self._growth[line.place] += line.zone != NOISE

    @property
    def young(self) -> bool:
        """Whether too few comparisons were made to know the page."""
        return self.memory.looks - 1 < YOUNG

    @property
    def growth(self) -> Counter[str]:
        """By how many lines each place grew."""
        return self._growth

    def judged(self, difference: Difference) -> Judged:
        """The difference with its state."""
        old, new = difference.old, difference.new
        if old is None:
            return Judged(difference, self._came(difference.line), 0)
        if new is not None and old.kind in _WORDED:
            return self._became(difference, old, new)
        edited = self.memory.edited.get(key_of(old))
        stood = self.memory.stood(old) if edited is None else self._majority(edited)
        return Judged(difference, self._went(old, stood), stood)

    # --- one side only -----------------------------------------------------------------------

    def _went(self, line: Line, stood: int) -> str:
        if line.zone == NOISE:
            return VOLATILE
        if line.kind in _TRUSTED:
            return self._otherwise(line)
        if self._is_rare(line, stood):
            return REAL if stood >= STANDING else self._otherwise(line)
        return VOLATILE if self._is_restless(line) or self._returned(line) else self._otherwise(line)

    def _is_rare(self, line: Line, stood: int) -> bool:
        """Whether a line that rotates would hardly have stood so long, here."""
        # Lines that have stood together since the first look vouch for each other, also early.
        first = stood == self.memory.looks
        together = self._groups[line.place, 1] if first else 1
        if together <= self._record(line).firsts:
            together = 1
        if stood < STANDING and not (first and stood > 1 and together > _FEW):
            return False
        record = self._record(line)
        return record.chance(stood, max(1, together), self._survived[line.place]) < self._limit(line, record)

    def _came(self, line: Line) -> str:
        if line.zone == NOISE:
            return VOLATILE
        if line.kind in _TRUSTED:
            return self._otherwise(line)
        if line.zone == EDGE and line.place not in self._places:
            return VOLATILE
        if self._is_restless(line):
            return self._otherwise(line) if self._grew(line) else VOLATILE
        return VOLATILE if self._returned(line) else self._otherwise(line)

    def _grew(self, line: Line) -> bool:
        """Whether a place that rotates with a steady number of lines has got one more."""
        known = line.place in self._places and self.memory.looks > _FEW
        steady = known and line.zone != EDGE and not self.memory.known(line.place).resized
        return steady and self._growth[line.place] > 0

    def _otherwise(self, line: Line) -> str:
        """The state of what nothing speaks against."""
        if not self.young:
            return REAL
        return VOLATILE if line.zone == EDGE else PROVISIONAL

    # --- a line that became another ----------------------------------------------------------

    def _became(self, difference: Difference, old: Line, new: Line) -> Judged:
        memory = self.memory
        edited = memory.edited.get(key_of(old))
        one, two = tokens(old.gist), tokens(new.gist)
        since = memory.since.get(key_of(old), memory.looks)
        sinces = edited.sinces if edited and len(edited.sinces) == len(one) else [since] * len(one)
        ops = matching(one, two)
        lost = [
            memory.looks - sinces[at] + 1 for tag, a, b, _, _ in ops if tag != "equal" for at in range(a, b)
        ]
        stood = max(lost, default=0)
        likeness = alike(old, new)
        state = self._edit_state(old, edited, stood, likeness)
        same = likeness >= (_STILL_SAME if edited else _SAME_LINE)
        return Judged(
            difference, state, stood, _successor(edited, sinces, ops, memory.looks) if same else None
        )

    def _edit_state(self, old: Line, edited: Edited | None, stood: int, likeness: float) -> str:
        if old.zone == NOISE:
            return VOLATILE
        if edited is None:
            # Rotation brings other lines; it does not edit one that has been there all the time.
            if likeness >= _EDIT and stood == self.memory.looks and stood > 1 and old.zone != EDGE:
                return REAL if stood >= STANDING else self._otherwise(old)
            return self._went(old, stood)
        if stood >= STANDING and edited.record.chance(stood, 1) < _RARE:
            return REAL
        if edited.record.recent(_RECENT) >= _RESTLESS:
            return VOLATILE
        return VOLATILE if self._is_restless(old) else self._otherwise(old)

    # --- places ------------------------------------------------------------------------------

    def _majority(self, edited: Edited) -> int:
        """How long more than half of an edited line's words have stood."""
        sinces = sorted(edited.sinces) or [self.memory.looks]
        return self.memory.looks - sinces[len(sinces) // 2] + 1

    def _record(self, line: Line) -> Place:
        """What was learned of the line's place; of a place that is new itself, of places of its kind."""
        fine = self.memory.known(line.place)
        known = line.place in self._places and self.memory.looks - fine.born >= _RECENT
        return fine if known or fine.changed else self.memory.known("~" + line.path)

    def _is_restless(self, line: Line) -> bool:
        if line.kind == LINK and self._is_restless(
            replace(line, kind=TEXT, place=line.place.removeprefix(LINKED))
        ):
            return True
        record = self._record(line)
        if line.zone == EDGE:
            return record.recent(WINDOW) >= 1
        if record.recent(_RECENT) >= _RESTLESS:
            return True
        return record.returns > 0 and record.recent(WINDOW) >= _RESTLESS

    def _returned(self, line: Line) -> bool:
        """Whether the line was there before and went without being told: it comes and goes."""
        return line.kind in (TEXT, LINK) and self.memory.gone.get(key_of(line)) in (UNTOLD, BACK)

    def _limit(self, line: Line, record: Place) -> float:
        if self._returned(line):
            return _NEVER
        if line.zone == EDGE and record.changed:
            return _VERY_RARE
        return _RARE


def _successor(
    edited: Edited | None, sinces: list[int], ops: list[tuple[str, int, int, int, int]], looks: int
) -> Edited:
    """The edited line's memory: kept words keep their standing, new ones begin now."""
    kept: list[int] = []
    record = edited.record.shifted() if edited else Place()
    for tag, a, b, c, d in ops:
        if tag == "equal":
            kept += sinces[a:b]
            continue
        kept += [looks + 1] * (d - c)
        for at in range(a, b):
            if looks - sinces[at] + 1 < STANDING or edited:
                record.ended(looks - sinces[at] + 1)
    record.changed |= 1
    return Edited(kept, record)
