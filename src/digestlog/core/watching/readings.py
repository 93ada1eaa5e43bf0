"""Lines that a person knows for a gauge at first sight: tickers, polls, thermometers, sums to solve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from digestlog.core.watching import vocabulary
from digestlog.core.watching.line import EDGE, MAIN, NOISE, TEXT, Line

_MAX = 80
# A number and how far it rose or fell, with decimals: a discount has none.
_MOVED = re.compile(r"\d.{0,12}?[▲▼△▽↑↓+−–-]\s?\d+[.,]\d+\s?%")
_SHARE = re.compile(r"(?<![\d.,+−-])(\d{1,3})\s?%")
_SUM = re.compile(r"\b\d{1,2}\b\D{1,20}\b\d{1,2}\b\D{0,6}[?=]\s?$|\bcod(?:e|ice|igo)\b\D{0,10}[A-Z0-9]{4,8}$")


def judge_readings(lines: list[Line], about: str) -> None:
    """Mark as noise what is a reading by its own looks, on a page about something else."""
    for at in _found(lines, about):
        lines[at] = replace(lines[at], zone=NOISE)


def _found(lines: list[Line], about: str) -> Iterator[int]:
    total = sum(len(line.text) for line in lines)
    short = [at for at, line in enumerate(lines) if line.kind == TEXT and len(line.text) <= _MAX]
    for at in short:
        line = lines[at]
        at_edge = line.zone == EDGE and vocabulary.GAUGE.search(line.text)
        if at_edge or ("/form" in line.path and _SUM.search(line.text)) or _is_weather(line.text, about):
            yield at
    moved = [at for at in short if lines[at].zone == MAIN and "%" in lines[at].text]
    for run in _runs(moved):
        size = sum(len(lines[at].text) for at in run)
        if size * 4 <= total and (_is_ticker(lines, run) or _is_poll(lines, run)):
            yield from run


def _is_weather(text: str, about: str) -> bool:
    """Whether a line names the weather and says how warm it is."""
    if "°" not in text:
        return False
    named = vocabulary.WEATHER.search(text)
    return named is not None and not vocabulary.is_about(named[0], about)


def _runs(found: list[int]) -> Iterator[list[int]]:
    """Numbers one after the other."""
    for _, run in groupby(enumerate(found), key=lambda pair: pair[1] - pair[0]):
        yield [at for _, at in run]


def _is_ticker(lines: list[Line], run: list[int]) -> bool:
    moves = [len(_MOVED.findall(lines[at].text)) for at in run]
    return all(moves) and sum(moves) > 1


def _is_poll(lines: list[Line], run: list[int]) -> bool:
    """Whether shares make a whole, and a count of those who voted stands beside them."""
    shares = [int(found[1]) for at in run if (found := _SHARE.search(lines[at].text))]
    beside = lines[max(0, run[0] - 2) : run[0]] + lines[run[-1] + 1 : run[-1] + 3]
    voted = any("⟨count⟩" in line.gist for line in (*beside, *(lines[at] for at in run)))
    return len(shares) == len(run) > 1 and 99 <= sum(shares) <= 101 and voted
