"""What kind of change a difference is, and the events that a reader is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from digestlog.core.watching import vocabulary
from digestlog.core.watching.line import AVAILABILITY, LINK, PRICE, ROW, STATUS, TEXT, TITLE, Line
from digestlog.core.watching.pairing import Difference, alike
from digestlog.core.watching.tables import BAR
from digestlog.core.word_diff import matching, tokens, word_diff, words

TEXT_ADDED, TEXT_REMOVED, TEXT_CHANGED, TABLE = "text_added", "text_removed", "text_changed", "table"
_KIND_OF = {TITLE: TITLE, PRICE: PRICE, AVAILABILITY: AVAILABILITY, STATUS: STATUS, ROW: TABLE, LINK: LINK}
_FLOORS = {TITLE: 0.2, PRICE: 0.3, AVAILABILITY: 0.3, STATUS: 0.2, TABLE: 0.02, LINK: 0.02}

MAX_LINES = 40
MAX_SIDE = 4_000
MAX_DIFF = 200


@dataclass(slots=True)
class Told:
    """One event in the making."""

    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    diff: list[tuple[str, str]] = field(default_factory=list)
    touched: int = 0

    def add(self, old: str | None, new: str | None, touched: int) -> None:
        """One more difference; beyond the bounds only its size counts."""
        self.touched += touched
        if len(self.before) + len(self.after) >= MAX_LINES or len(self.diff) >= MAX_DIFF:
            return
        if self.diff:
            self.diff.append(("=", "\n"))
        if old is not None and new is not None:
            self.diff += word_diff(old, new)
        else:
            self.diff.append(("-", old) if old is not None else ("+", new or ""))
        self.before += [old] if old is not None else []
        self.after += [new] if new is not None else []


def kind_of(difference: Difference) -> str:
    """The kind of change that a difference is."""
    line = difference.line
    if line.kind != TEXT:
        return _KIND_OF[line.kind]
    if difference.old is None or difference.new is None:
        return _kind_alone(line, TEXT_ADDED if difference.old is None else TEXT_REMOVED)
    return _kind_of_pair(difference.old, difference.new)


def _kind_alone(line: Line, otherwise: str) -> str:
    if len(line.text) <= 60 and vocabulary.is_vital(line.text):
        if vocabulary.STOCK.search(line.text):
            return AVAILABILITY
        if vocabulary.STATE.search(line.text):
            return STATUS
    return otherwise


def _kind_of_pair(old: Line, new: Line) -> str:
    if _is_price(old.gist, new.gist):
        return PRICE
    length = max(len(old.text), len(new.text))
    if length <= 120 and _states(vocabulary.STOCK, old, new):
        return AVAILABILITY
    if length <= 100 and _states(vocabulary.STATE, old, new):
        return STATUS
    return TEXT_CHANGED


def _states(pattern: vocabulary.Pattern, old: Line, new: Line) -> bool:
    """Whether both lines speak of it in other words, or one does and says little else."""
    one, two = (pattern.findall(line.gist.lower()) for line in (old, new))
    if one and two:
        return one != two
    return bool(one or two) and vocabulary.is_vital((old if one else new).text)


def _is_price(old: str, new: str) -> bool:
    one, two = vocabulary.MONEY.findall(old), vocabulary.MONEY.findall(new)
    if not one or not two or one == two:
        return False
    rest_old, rest_new = (Counter(words(vocabulary.MONEY.sub(" ", text))) for text in (old, new))
    longer = max(rest_old.total(), rest_new.total())
    return not longer or (rest_old & rest_new).total() * 10 >= longer * 6


def _changed(old: str, new: str) -> tuple[str, str]:
    """The words that went and those that came."""
    one, two = tokens(old), tokens(new)
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in matching(one, two):
        if tag != "equal":
            gone += one[a:b]
            come += two[c:d]
    return " ".join(gone), " ".join(come)


def touched(difference: Difference) -> int:
    """How many words the difference touches."""
    old, new = difference.old, difference.new
    if old is None or new is None:
        return len(words(difference.line.text))
    gone, come = _changed(old.gist, new.gist)
    return max(1, len(words(gone)), len(words(come)))


def tell(told: Told, difference: Difference) -> None:
    """Add a difference to its event, in words that name the cell, the link or the component."""
    old, new = difference.old, difference.new
    size = touched(difference)
    if old is not None and new is not None and old.kind == ROW:
        for name, was, now in _cells(old, new):
            told.add(f"{name}: {was}", f"{name}: {now}", size)
        return
    texts = [None if line is None else line.text for line in (old, new)]
    told.add(texts[0], texts[1], size)


def _cells(old: Line, new: Line) -> Iterable[tuple[str, str, str]]:
    """Row and column, old and new value of the cells that differ."""
    one, two = old.text.split(BAR), new.text.split(BAR)
    gists = zip(old.gist.split(BAR), new.gist.split(BAR), strict=False)
    if len(one) != len(two):
        return [("Row", old.text, new.text)]
    names = new.label.split(BAR)
    names = names if len(names) == len(two) else [""] * len(two)
    rows = enumerate(zip(one, two, names, gists, strict=False))
    differing = [(at, was, now, name) for at, (was, now, name, (before, after)) in rows if before != after]
    return [
        (", ".join(filter(None, (two[0] if at else "", name))) or "Cell", was, now)
        for at, was, now, name in differing
    ]


def magnitude(kind: str, told: Told, total: int) -> float:
    """The share of the page's words that an event touches, from its kind's floor to 1."""
    share = told.touched / total if total else 1.0
    return round(min(1.0, max(share, _FLOORS.get(kind, 0.0))), 4)


def without_echoes(differences: Sequence[Difference]) -> list[Difference]:
    """Differences less those that only repeat the title's or a better witness's in other lines."""
    titles = [d for d in differences if d.line.kind == TITLE and d.old and d.new]
    kept = [d for d in differences if not any(_echoes(d, title) for title in titles)]
    heads = [d for d in titles if d.line.place == "h1"]
    return [d for d in kept if not (heads and d.line.place == "title")]


def _echoes(difference: Difference, title: Difference) -> bool:
    """Whether a short line says the old title before and the new one after."""
    old, new, was, now = difference.old, difference.new, title.old, title.new
    if difference.line.kind not in (TEXT, LINK) or not (old and new and was and now):
        return False
    return was.gist in old.gist and now.gist in new.gist and alike(old, was) > 0.4


def preferred(differences: Sequence[Difference]) -> list[Difference]:
    """Of one event's differences the facts, where there are any: the lines say the same again."""
    facts = [d for d in differences if d.line.kind in (PRICE, AVAILABILITY)]
    return facts or list(differences)
