"""A change in one line of words, without a model."""

from __future__ import annotations

import re

from digestlog.core.changes import (
    AVAILABILITY,
    LINK,
    PRICE,
    STATUS,
    TABLE,
    TEXT_ADDED,
    TEXT_CHANGED,
    TEXT_REMOVED,
    TITLE,
    Change,
)
from digestlog.core.text import clean
from digestlog.core.watching.vocabulary import MONEY

MAX_SUMMARY = 300
_MAX_SIDE = 120
_AROUND = 40

_WORDS = {
    "en": {
        TITLE: "Title",
        PRICE: "Price",
        AVAILABILITY: "Availability",
        STATUS: "Status",
        TABLE: "Table",
        LINK: "Link",
        TEXT_ADDED: "Added",
        TEXT_REMOVED: "Removed",
        TEXT_CHANGED: "Changed",
        "more": "and {} more",
    },
    "de": {
        TITLE: "Titel",
        PRICE: "Preis",
        AVAILABILITY: "Verfügbarkeit",
        STATUS: "Zustand",
        TABLE: "Tabelle",
        LINK: "Link",
        TEXT_ADDED: "Neu",
        TEXT_REMOVED: "Entfernt",
        TEXT_CHANGED: "Geändert",
        "more": "und {} weitere",
    },
    "fr": {
        TITLE: "Titre",
        PRICE: "Prix",
        AVAILABILITY: "Disponibilité",
        STATUS: "État",
        TABLE: "Tableau",
        LINK: "Lien",
        TEXT_ADDED: "Ajouté",
        TEXT_REMOVED: "Retiré",
        TEXT_CHANGED: "Modifié",
        "more": "et {} de plus",
        "mark": " : ",
    },
}
# Where a line falls into parts that say different things; a label ends with a colon.
_PARTS = re.compile(r"\s[·•|–—/]\s|(?<=[:;,.!])\s")
_AMOUNT = re.compile(r"[\d.,–]+(?: [A-Z]{3})?")
_MONEY = re.compile(r"^(?P<amount>[\d.,–]+) (?P<currency>[A-Z]{3})$")


def summarise(change: Change, language: str = "en") -> str:
    """One bounded line that names what changed, such as 'Price 49.00 → 44.50 EUR'."""
    words = _WORDS.get(language[:2].lower(), _WORDS["en"])
    said = _one_side(change) if change.before is None or change.after is None else _both_sides(change)
    more = _more(change)
    tail = f" ({words['more'].format(more)})" if more else ""
    mark = " " if change.kind == PRICE and _is_amount(said.partition(" → ")[0]) else words.get("mark", ": ")
    return _cut(f"{words[change.kind]}{mark}{said}", MAX_SUMMARY - len(tail)) + tail


def _first(side: str | None) -> str:
    return clean((side or "").partition("\n")[0]) or ""


def _more(change: Change) -> int:
    """How many differences there are besides the first."""
    return max((side or "").count("\n") for side in (change.before, change.after))


def _one_side(change: Change) -> str:
    return _first(change.after if change.before is None else change.before)


def _both_sides(change: Change) -> str:
    before, after = _first(change.before), _first(change.after)
    one, two = _MONEY.match(before), _MONEY.match(after)
    if one and two and one["currency"] == two["currency"]:
        return f"{one['amount']} → {after}"
    if change.kind == PRICE and (amounts := _amounts(before, after)):
        return amounts
    if change.kind in (AVAILABILITY, STATUS):
        return _told_parts(before, after)
    before, after = _near_difference(before, after)
    return f"{before} → {after}"


def _is_amount(text: str) -> bool:
    return MONEY.fullmatch(text) is not None or _AMOUNT.fullmatch(text) is not None


def _amounts(before: str, after: str) -> str | None:
    """The first amounts that differ, without the rest of their lines."""
    one, two = ([found[0].strip() for found in MONEY.finditer(side)] for side in (before, after))
    pairs = zip(one, two, strict=False)
    return next((f"{was} → {now}" for was, now in pairs if was != now), None)


def _told_parts(before: str, after: str) -> str:
    """The parts of both lines that differ, behind the label that they share."""
    one, two = _PARTS.split(before), _PARTS.split(after)
    was = [part for part in one if part not in two]
    now = [part for part in two if part not in one]
    if not was or not now:
        return " → ".join(_near_difference(before, after))
    label = f"{one[0]} " if one[0] == two[0] and one[0].endswith(":") else ""
    return f"{label}{_cut(', '.join(was), _MAX_SIDE)} → {_cut(', '.join(now), _MAX_SIDE)}"


def _near_difference(before: str, after: str) -> tuple[str, str]:
    """Both texts, if they are long only the words around the first difference."""
    if max(len(before), len(after)) <= _MAX_SIDE:
        return before, after
    same = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    start = before.rfind(" ", 0, max(0, same - _AROUND)) + 1
    lead = "…" if start else ""
    return lead + _cut(before[start:], _MAX_SIDE), lead + _cut(after[start:], _MAX_SIDE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
