"""Which lines went, which came, and which of them are the same line with other words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from digestlog.core.watching.line import LINK, NOISE, ROW, TEXT, Line
from digestlog.core.watching.tables import BAR
from digestlog.core.word_diff import words

# Pairs are looked for among so many lines of a place; more that change at once are told apart.
MAX_AT_PLACE = 60
MAX_WORDS = 400


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that went, one that came, or both where one became the other."""

    old: Line | None
    new: Line | None

    @property
    def line(self) -> Line:
        """The line by which its place is judged."""
        line = self.old or self.new
        assert line is not None  # noqa: S101 - one of both is always there
        return line


def differences(before: Sequence[Line], after: Sequence[Line]) -> list[Difference]:
    """What differs, in page order; lines that only moved do not."""
    gone, come = _difference(before, after)
    pairs: dict[int, int] = {}
    free_old, free_new = set(range(len(gone))), set(range(len(come)))
    for key, enough in _PASSES:
        _pair(gone, come, free_old, free_new, pairs, key, enough)
    found = [Difference(line, come[pairs[at]] if at in pairs else None) for at, line in enumerate(gone)]
    found += [Difference(None, come[at]) for at in sorted(free_new)]
    # A link is told of only if its text stays and leads elsewhere: else its text tells enough.
    return [one for one in found if one.line.kind != LINK or (one.old and one.new)]


def _difference(before: Sequence[Line], after: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Lines of one side only, as multisets; of equal lines those are taken whose place differs too."""
    old, new = Counter(map(_identity, before)), Counter(map(_identity, after))
    less, more = old - new, new - old
    return _taken(before, less, after), _taken(after, more, before)


def _taken(lines: Sequence[Line], counts: Counter[tuple[str, str]], other: Sequence[Line]) -> list[Line]:
    if not counts:
        return []
    there = Counter((line.place, _identity(line)) for line in other if _identity(line) in counts)
    moved: list[tuple[int, Line]] = []
    stayed: list[tuple[int, Line]] = []
    for at, line in enumerate(lines):
        if (what := _identity(line)) in counts:
            held = there[line.place, what] > 0
            there[line.place, what] -= held
            (stayed if held else moved).append((at, line))
    left, found = Counter(counts), []
    for at, line in moved + stayed:
        if left[_identity(line)] > 0:
            left[_identity(line)] -= 1
            found.append((at, line))
    return [line for _, line in sorted(found, key=lambda pair: pair[0])]


def _identity(line: Line) -> tuple[str, str]:
    return line.kind, line.gist


def alike(old: Line, new: Line) -> float:
    """How much of the longer line's words the two share."""
    return _share(_bag(old), _bag(new))


def _bag(line: Line) -> Counter[str]:
    return Counter(words(line.gist)[:MAX_WORDS])


def _share(one: Counter[str], two: Counter[str]) -> float:
    longer = max(one.total(), two.total())
    return (one & two).total() / longer if longer else 1.0


def _by_fact(line: Line) -> tuple[str, ...] | None:
    if line.kind == ROW:
        return (ROW, line.place, line.gist.partition(BAR)[0])
    if line.kind == LINK:
        return (LINK, line.place, line.label)
    return None if line.kind == TEXT else (line.kind, line.place)


def _by_kind(line: Line) -> tuple[str, ...] | None:
    return (line.kind, line.label if line.kind == LINK else line.path) if line.kind != TEXT else None


def _by_place(line: Line) -> tuple[str, ...] | None:
    return (TEXT, line.place, _side(line)) if line.kind == TEXT else None


def _by_path(line: Line) -> tuple[str, ...] | None:
    return (TEXT, line.path, _side(line)) if line.kind == TEXT else None


def _side(line: Line) -> str:
    """An advertisement never becomes a line of the page."""
    return "noise" if line.zone == NOISE else ""


_Key = Callable[[Line], tuple[str, ...] | None]
# Strict passes first; the last joins a lone line that went with a lone one that came.
_PASSES: tuple[tuple[_Key, float], ...] = (
    (_by_fact, 0.0),
    (_by_kind, 0.3),
    (_by_place, 0.5),
    (_by_path, 0.6),
    (_by_place, -1.0),
)
_LONE = -1.0


def _pair(
    gone: list[Line],
    come: list[Line],
    free_old: set[int],
    free_new: set[int],
    pairs: dict[int, int],
    key: _Key,
    enough: float,
) -> None:
    """Join what the key calls the same place, the most alike first."""
    groups: dict[tuple[str, ...], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, (lines, free) in enumerate(((gone, free_old), (come, free_new))):
        for at in sorted(free):
            if (name := key(lines[at])) is not None:
                groups[name][side].append(at)
    for olds, news in groups.values():
        for old, new in _matches(gone, come, olds, news, enough):
            pairs[old] = new
            free_old.discard(old)
            free_new.discard(new)


def _matches(
    gone: list[Line], come: list[Line], olds: list[int], news: list[int], enough: float
) -> list[tuple[int, int]]:
    if not olds or not news:
        return []
    if enough == _LONE:
        lone = len(olds) == len(news) == 1
        return [(olds[0], news[0])] if lone and _could_be(gone[olds[0]], come[news[0]]) else []
    olds, news = olds[:MAX_AT_PLACE], news[:MAX_AT_PLACE]
    bags, bags_new = {at: _bag(gone[at]) for at in olds}, {at: _bag(come[at]) for at in news}
    scored = sorted(
        ((_share(bags[old], bags_new[new]), -old, -new) for old in olds for new in news),
        key=lambda one: (-one[0], -one[1], -one[2]),
    )
    found, used_old, used_new = [], set(), set()
    for score, old, new in scored:
        if score >= enough and old not in used_old and new not in used_new:
            used_old.add(old)
            used_new.add(new)
            found.append((-old, -new))
    return found


def _could_be(old: Line, new: Line) -> bool:
    """Whether a lone line became another: both short, or some words in common."""
    return max(len(old.gist), len(new.gist)) <= 60 or alike(old, new) >= 0.2
