"""What a page carries for its own scripts and a reader sees once they ran (`__NEXT_DATA__` and alike)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from digestlog.core.html_tree import Element
from digestlog.core.page_state import states
from digestlog.core.text import clean_html
from digestlog.core.watching import vocabulary
from digestlog.core.watching.gist import gist
from digestlog.core.watching.line import AVAILABILITY, MAIN, NOISE, PRICE, STATUS, TEXT, Line

MAX_VALUES = 20_000
MAX_LINES = 1_500
MAX_DEPTH = 30
# A page with fewer visible characters is filled by its scripts: its state is its text.
SHELL_CHARS = 400

_PRICES = frozenset("price saleprice currentprice finalprice amount pricevalue listprice unitprice".split())
_STOCKS = frozenset("availability stockstatus instock isavailable soldout available stock".split())
_STATES = frozenset("status state".split())
_TEXTS = re.compile(
    r"(?:title|headline|name|label|heading|subtitle|description|summary|teaser|excerpt|body|text|content"
    r"|html|markdown|message|caption|question|answer|value|deadline|version|location|date|price\w*)$",
    re.I,
)
_NAMES = ("title", "name", "headline", "label")
_CHOSEN = re.compile(
    r"related|recommend|similar|popular|trending|most|also|suggest|sponsor|advert|promo|carousel|banner", re.I
)
_SIMPLE = re.compile(r"[^a-z]")
_MACHINE = re.compile(r"https?://|^[\w-]{16,}$|^\d{4}-\d\d-\d\dT|^[/#.]|^[0-9a-f-]{8,}$|[{};]")


def state_lines(root: Element, visible_chars: int) -> list[Line]:
    """Prices, availability and states; and for a page without text of its own, its texts."""
    found: dict[tuple[str, str], Line] = {}
    shell = visible_chars < SHELL_CHARS
    for value in states(root):
        for line in _lines(value, shell):
            if len(found) >= MAX_LINES:
                return list(found.values())
            found.setdefault((line.kind, line.gist), line)
    return list(found.values())


def _lines(value: Any, shell: bool) -> Iterator[Line]:
    """Every value that a reader might meet, with the keys that lead to it."""
    todo: list[tuple[Any, str, str, int]] = [(value, "", "", 0)]
    seen = 0
    while todo and seen < MAX_VALUES:
        one, path, name, depth = todo.pop()
        seen += 1
        if isinstance(one, dict):
            name = next((text for key in _NAMES if (text := _short(one.get(key)))), name)
            inner = [
                (held, f"{path}/{key}", name, depth + 1) for key, held in one.items() if isinstance(key, str)
            ]
        elif isinstance(one, list):
            inner = [(held, path, name, depth + 1) for held in one]
        else:
            yield from _line(one, path, name, shell)
            continue
        if depth < MAX_DEPTH:
            todo.extend(reversed(inner[:MAX_VALUES]))


def _line(value: Any, path: str, name: str, shell: bool) -> Iterator[Line]:
    key = _SIMPLE.sub("", path.rpartition("/")[2].lower())
    zone = NOISE if _CHOSEN.search(path) else MAIN
    said = _said(value)
    if said is None:
        return
    kind = _kind(key, said, value)
    if kind is not None and (kind != STATUS or shell):
        yield Line(said, f"{name}: {said}", f"state:{path}:{name}", path, kind, zone, name)
    elif shell and isinstance(value, str) and _TEXTS.search(path) and not _MACHINE.search(said):
        yield Line(said, gist(said), f"state:{path}", path, TEXT, zone)


def _kind(key: str, said: str, value: Any) -> str | None:
    if key in _PRICES and re.fullmatch(r"\D{0,4}\d[\d.,]*\D{0,4}", said):
        return PRICE
    if key in _STOCKS and (isinstance(value, bool) or vocabulary.STOCK.search(said.replace("_", " "))):
        return AVAILABILITY
    if key in _STATES and vocabulary.STATE.fullmatch(said.replace("_", " ")):
        return STATUS
    return None


def _said(value: Any) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:.2f}" if isinstance(value, float) else str(value)
    return clean_html(value[:5_000]) if isinstance(value, str) else None


def _short(value: Any) -> str | None:
    return clean_html(value[:100]) if isinstance(value, str) else None
