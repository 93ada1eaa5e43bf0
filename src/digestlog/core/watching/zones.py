"""Which part of a page a line belongs to: what it is about, what is around it, what is no part of it.

A heading such as "Related" or "Weather" is a prior only. Inside the main part it needs the structure's
consent: cards that are nothing but links, after the text; a small box on a page about something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from digestlog.core.html_tree import Element
from digestlog.core.watching import vocabulary
from digestlog.core.watching.line import EDGE, MAIN, NOISE, TEXT, Line

_EDGE_TAGS = frozenset({"nav", "aside", "footer", "header"})
_EDGE_ROLES = frozenset({"banner", "navigation", "complementary", "contentinfo", "search", "marquee"})
_UNSEEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_MAX_WIDGET = 600
# Names of boxes that hold readings, or now and then something else.
_READINGS = frozenset({"ticker", "clock", "countdown"})

# What a heading or a name says of the lines below it.
CHOSEN, WIDGET = 1, 2


@dataclass(slots=True)
class Section:
    """Lines under a heading, or in a box with a name, that says what they are."""

    what: int
    label: str
    named: bool = False
    lines: list[int] = field(default_factory=list)


def is_hidden(element: Element) -> bool:
    """Whether nobody sees the element."""
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    if style and _UNSEEN_STYLE.search(style):
        return True
    return element.tag == "dialog" and element.get("open") is None


def zone_of(element: Element, tag: str, path: str) -> int:
    """The zone that an element gives to its lines by its tag or role; `path` is of the block around it."""
    role = element.get("role")
    if role in ("dialog", "alertdialog") or tag == "dialog":
        return NOISE
    if element.get("aria-roledescription") == "carousel":
        return NOISE
    if role in _EDGE_ROLES or tag in ("nav", "aside", "marquee"):
        return EDGE
    if tag in _EDGE_TAGS and "/main" not in path and "/article" not in path:
        return EDGE
    return MAIN


def outside_of_main(lines: list[Line], parts: Sequence[tuple[int, int]]) -> None:
    """Where a page says what its main part is, and that is much of it, the rest is edge."""
    within = sum(len(line.text) for first, end in parts for line in lines[first:end])
    if not within or within * 4 < sum(len(line.text) for line in lines):
        return
    inside = {at for first, end in parts for at in range(first, end)}
    for at, line in enumerate(lines):
        if at in inside or line.zone != MAIN or line.kind != TEXT:
            continue
        if not vocabulary.is_vital(line.text):
            lines[at] = replace(line, zone=EDGE)


def judge_sections(
    lines: list[Line], sections: Sequence[Section], linked: dict[int, int], about: str
) -> None:
    """Mark as noise what says so and where the structure agrees; `about` is the page's title and heading."""
    held = {at for section in sections for at in section.lines}
    rest = [at for at, line in enumerate(lines) if at not in held and line.zone == MAIN]
    for section in sections:
        items = section.lines if section.named else section.lines[1:]
        if not items or not _agrees(section, items, lines, rest, linked, about):
            continue
        for at in section.lines:
            if not section.named or _is_of_widget(section.label, lines[at]):
                lines[at] = replace(lines[at], zone=NOISE)


def _is_of_widget(name: str, line: Line) -> bool:
    """Whether a box's name tells enough of a line in it: a ticker may bring news, a state is a state."""
    if name in _READINGS and line.zone == MAIN:
        return _is_reading(line.text)
    return not vocabulary.is_vital(line.text)


def _is_reading(text: str) -> bool:
    """Whether a text is more of numbers than of words, or says how far something rose or fell."""
    digits = sum(map(str.isdigit, text))
    return digits * 4 >= len(text) or vocabulary.GAUGE.search(text[:80]) is not None or "%" in text


def _agrees(
    section: Section, items: list[int], lines: list[Line], rest: list[int], linked: dict[int, int], about: str
) -> bool:
    size = sum(len(lines[at].text) for at in items)
    at_edge = all(lines[at].zone != MAIN for at in items)
    if section.what == WIDGET:
        if size > _MAX_WIDGET or vocabulary.is_about(section.label, about):
            return False
        if at_edge or section.named:
            return at_edge or size * 3 <= sum(len(lines[at].text) for at in rest)
        # Inside the main part words alone are not enough: nearly all of it must be readings.
        return sum(not _is_reading(lines[at].text) for at in items) <= 1 < len(items)
    if at_edge:
        return True
    around = sum(len(lines[at].text) for at in rest)
    links = sum(min(linked.get(at, 0), len(lines[at].text)) for at in items)
    above = sum(len(lines[at].text) for at in rest if at < items[0])
    if size * 2 > around or above * 2 < around:
        return False
    if vocabulary.KINDRED.match(section.label):
        return links * 10 >= size * 9 and _is_after_article(items, lines, rest)
    return links * 3 >= size or all("/blockquote" in lines[at].path for at in items)


def _is_after_article(items: list[int], lines: list[Line], rest: list[int]) -> bool:
    """Whether most of the page is in an article and the items are behind it."""
    told = sum(len(lines[at].text) for at in rest if "/article" in lines[at].path)
    return told * 2 > sum(len(lines[at].text) for at in rest) and not any(
        "/article" in lines[at].path for at in items
    )
