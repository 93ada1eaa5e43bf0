"""The memory after one more comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from digestlog.core.watching.judging import REAL, VOLATILE, Judge, Judged
from digestlog.core.watching.line import NOISE, TEXT, Line
from digestlog.core.watching.memory import (
    BACK,
    MAX_EDITED,
    MAX_GONE,
    MAX_PLACES,
    MAX_SINCE,
    MAX_SINCES,
    STANDING,
    TOLD,
    UNTOLD,
    Edited,
    Memory,
    Place,
    key_of,
)

_VERY_RARE = 0.002

T = TypeVar("T")


def learned(memory: Memory, after: Sequence[Line], judge: Judge, judged: Iterable[Judged]) -> Memory:
    """What is known once the differences were judged."""
    now = memory.looks + 1
    keys = [key_of(line) for line in islice(after, MAX_SINCE)]
    there = set(keys)
    new = Memory(now, {key: memory.since.get(key, now) for key in keys})
    new.places = {
        name: shifted for name, place in memory.places.items() if _is_worth(shifted := place.shifted())
    }
    new.edited = {
        key: Edited(one.sinces, one.record.shifted()) for key, one in memory.edited.items() if key in there
    }
    new.gone = dict(memory.gone)
    new.doubted = {key: look for key, look in memory.doubted.items() if key in there}
    known = {line.place for line in judge.before}
    for one in judged:
        _learn(new, one, judge, known)
    return _bounded(new)


def _is_worth(place: Place) -> bool:
    return bool(place.changed or place.born)


def _learn(memory: Memory, one: Judged, judge: Judge, known: set[str]) -> None:
    old, new = one.difference.old, one.difference.new
    if new is not None and one.edited is not None and len(one.edited.sinces) <= MAX_SINCES:
        # The line itself is the place that changed.
        memory.edited[key_of(new)] = one.edited
        return
    # What says of itself that it is noise teaches nothing about the lines around it.
    if old is not None and old.zone != NOISE:
        _mark(memory, old, judge, known)
        _forget(memory, old, one)
    if new is not None and new.zone != NOISE:
        _mark(memory, new, judge, known)
        _welcome(memory, new, one)


def _mark(memory: Memory, line: Line, judge: Judge, known: set[str]) -> None:
    place = memory.place(line.place)
    if line.place not in known and not place.changed:
        place.born = memory.looks
    for record in (place, memory.place("~" + line.path)):
        record.changed |= 1
    if judge.growth[line.place]:
        place.resized |= 1


def _forget(memory: Memory, old: Line, one: Judged) -> None:
    told = one.state == REAL
    memory.gone.pop(key_of(old), None)
    # A line that was there for a short time only, told or not, is not news when it comes back.
    memory.gone[key_of(old)] = TOLD if told and one.stood >= STANDING else UNTOLD
    if not told or one.stood < STANDING:
        memory.place(old.place).ended(one.stood)
        # The memory is one look ahead of what went.
        memory.place(old.place).firsts += one.stood == memory.looks - 1
        memory.place("~" + old.path).ended(one.stood)


def _welcome(memory: Memory, new: Line, one: Judged) -> None:
    key = key_of(new)
    if memory.gone.pop(key, TOLD) == UNTOLD:
        memory.gone[key] = BACK
        memory.place(new.place).returns += 1
        memory.place("~" + new.path).returns += 1
    elif one.state == VOLATILE and new.kind == TEXT:
        memory.doubted[key] = memory.looks


def confirmed(memory: Memory, after: Sequence[Line]) -> list[Line]:
    """Newcomers that were doubted and have stood too long to be of those that come and go; told once."""
    if not memory.doubted:
        return []
    found = []
    for line in after:
        key = key_of(line)
        look = memory.doubted.get(key)
        stood = memory.looks - look + 1 if look is not None else 0
        if stood > STANDING and memory.known(line.place).chance(stood, 1) < _VERY_RARE:
            del memory.doubted[key]
            found.append(line)
    return found


def _bounded(memory: Memory) -> Memory:
    memory.places = _last(memory.places, MAX_PLACES)
    memory.edited = _last(memory.edited, MAX_EDITED)
    memory.gone = _last(memory.gone, MAX_GONE)
    memory.doubted = _last(memory.doubted, MAX_GONE)
    return memory


def _last(held: dict[str, T], most: int) -> dict[str, T]:
    return held if len(held) <= most else dict(islice(held.items(), len(held) - most, None))
