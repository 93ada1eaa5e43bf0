"""Blocks that come and go: a box of several lines that was there before is known when it returns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from digestlog.core.watching import vocabulary
from digestlog.core.watching.line import NOISE, TEXT, Line
from digestlog.core.watching.memory import AGAIN, BACK, Memory, key_of
from digestlog.core.watching.pairing import Difference

_DIGITS = re.compile(r"\d+")


def shape_of(line: Line) -> str | None:
    """What a line with numbers is remembered by whatever the numbers are; None for a line without."""
    shape = _DIGITS.sub("0", line.gist)
    return key_of(replace(line, kind="shape", gist=shape)) if shape != line.gist else None


def toggling(
    memory: Memory, before: Sequence[Line], after: Sequence[Line], found: Iterable[Difference]
) -> set[int]:
    """The lines, by identity, of blocks that are known to come and go.

    A block has several lines and none that states a price, a stock or a state: an outage that
    returns is an outage.
    """
    went: set[int] = set()
    came: set[int] = set()
    for one in found:
        if one.old is None or one.new is None:
            (went if one.new is None else came).add(id(one.line))
    known: set[int] = set()
    if memory.gone:
        for lines, moved, is_back in ((after, came, False), (before, went, True)):
            for run in _runs(lines, moved):
                known |= _known(memory, run, is_back)
    return known


def _runs(lines: Sequence[Line], moved: set[int]) -> Iterable[list[Line]]:
    """Lines that moved together, one below the other."""
    run: list[Line] = []
    for line in lines:
        if id(line) in moved and line.kind == TEXT:
            run.append(line)
        elif line.zone != NOISE:
            yield run
            run = []
    yield run


def _known(memory: Memory, run: list[Line], is_back: bool) -> set[int]:
    if len(run) < 2 or any(vocabulary.is_vital(line.text) for line in run):
        return set()
    states = (AGAIN, BACK) if is_back else None
    known = {id(line) for line in run if _is_known(memory, line, states)}
    return known if len(known) * 2 >= len(run) else set()


def _is_known(memory: Memory, line: Line, states: tuple[int, ...] | None) -> bool:
    held = (memory.gone.get(key) for key in (key_of(line), shape_of(line)) if key)
    return any(one is not None and (states is None or one in states) for one in held)
