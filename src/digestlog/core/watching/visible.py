"""A page's elements -> its lines, each with its place and zone.

One walk in page order. A frame is an open block element; a line ends where a block begins or ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from digestlog.core.html_tree import Element
from digestlog.core.text import clean
from digestlog.core.watching import vocabulary
from digestlog.core.watching.gist import gist
from digestlog.core.watching.line import EDGE, LINK, LINKED, MAIN, NOISE, STATUS, TEXT, TITLE, Line
from digestlog.core.watching.tables import rows_of
from digestlog.core.watching.targets import target

MAX_LINES = 6_000
MAX_LINKS = 1_500
MAX_LINE = 20_000
MAX_TOTAL = 2_000_000

_SKIPPED = frozenset(
    "script style noscript template svg math head iframe object canvas video audio textarea datalist".split()
)
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark meta q s samp small span "
    "strike strong sub sup time tt u var wbr link button input output".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_EDGE_TAGS = frozenset({"nav", "aside", "footer", "header"})
_EDGE_ROLES = frozenset({"banner", "navigation", "complementary", "contentinfo", "search", "marquee"})
_UNSEEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_BIG = frozenset({"body", "main", "html"})
_MAX_ADVERT, _MAX_CONSENT, _MAX_HEADING = 500, 4_000, 90


@dataclass(slots=True)
class _Frame:
    """An open block: where its lines begin, what stands above them and what was met inside."""

    tag: str
    path: str
    names: str
    zone: int
    first: int
    heading: str = ""
    # The level of a heading above things chosen for the reader; 0: none.
    chosen: int = 0
    headings: int = 0
    advert: bool = False
    consent: bool = False
    accept: bool = False


@dataclass(slots=True)
class Seen:
    """What the walk gathers."""

    base: str
    lines: list[Line] = field(default_factory=list)
    links: list[Line] = field(default_factory=list)
    # For each link, the line that it stands in.
    link_lines: list[int] = field(default_factory=list)
    # States by component.
    states: list[Line] = field(default_factory=list)
    h1: str | None = None
    main: list[tuple[int, int]] = field(default_factory=list)
    chars: int = 0


def place_of(*parts: str) -> str:
    """A short name for a place."""
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=5).hexdigest()


class Walk:
    """Reads one page; `seen` holds the result."""

    def __init__(self, base: str) -> None:
        self.seen = Seen(base)
        self._parts: list[str] = []
        self._anchors: list[tuple[str, Element]] = []
        self._advert_inline = False
        self._term: str | None = None
        self._frames = [_Frame("html", "", "", MAIN, 0)]

    def page(self, root: Element) -> Seen:
        """The lines of the whole page."""
        self._block(root)
        self._flush()
        return self._finished()

    # --- elements ----------------------------------------------------------------------------

    def _element(self, element: Element) -> None:
        tag = element.tag
        if tag in _SKIPPED or not isinstance(tag, str) or _is_hidden(element):
            return
        if self.seen.chars > MAX_TOTAL or len(self.seen.lines) >= MAX_LINES:
            return
        if tag == "br":
            self._flush()
        elif tag in _INLINE:
            self._inline(element, tag)
        else:
            self._block(element)

    def _children(self, element: Element) -> None:
        if element.text:
            self._parts.append(element.text)
        for child in element:
            self._element(child)
            if child.tail:
                self._parts.append(child.tail)

    def _inline(self, element: Element, tag: str) -> None:
        if tag == "input":
            if (element.get("type") or "").lower() in ("submit", "button") and (
                value := element.get("value")
            ):
                self._parts.append(f" {value[:100]} ")
            return
        at = len(self._parts)
        self._children(element)
        if tag == "time" or tag in ("img", "meta", "link"):
            return
        if tag == "a":
            self._anchor(element, at)
        said = "".join(self._parts[at:]).strip() if at < len(self._parts) else ""
        if not said or len(said) > 60:
            return
        if tag in ("button", "a") and vocabulary.ACCEPT.search(said):
            self._frames[-1].accept = True
        if tag == "button":
            self._parts.append(" ")
        elif vocabulary.ADVERT.fullmatch(said):
            self._advert_inline = True

    def _anchor(self, element: Element, at: int) -> None:
        href = element.get("href")
        text = clean("".join(self._parts[at:]))
        if href and text and len(self.seen.links) < MAX_LINKS and self._frames[-1].zone != NOISE:
            written = target(self.seen.base, href)
            if written:
                label = gist(text[:200])
                frame = self._frames[-1]
                place = LINKED + place_of(frame.path, frame.names, frame.heading)
                line = Line(
                    f"{text[:200]} → {written}",
                    f"{label} → {written}",
                    place,
                    frame.path,
                    LINK,
                    frame.zone,
                    label,
                )
                self.seen.links.append(line)
                self.seen.link_lines.append(len(self.seen.lines))

    def _block(self, element: Element) -> None:
        tag = str(element.tag)
        self._flush()
        frame = self._frame(element, tag)
        self._frames.append(frame)
        rows = rows_of(element, self._cell_text) if tag == "table" else None
        if rows is not None:
            self._table(rows)
        elif tag == "dt":
            self._children(element)
            self._term = clean("".join(self._parts))
            self._parts.clear()
        else:
            self._children(element)
            self._flush()
        self._close(frame, element)

    def _frame(self, element: Element, tag: str) -> _Frame:
        above = self._frames[-1]
        level = _HEADINGS.get(tag)
        if level and above.chosen and level <= above.chosen:
            above.chosen = 0
        zone = max(above.zone, NOISE if above.chosen else MAIN, _zone_of(element, tag, above))
        path = above.path if tag in ("tbody", "html", "body") else f"{above.path}/{tag}"
        names = vocabulary.named(element.get("class")) or vocabulary.named(element.get("id"))
        return _Frame(tag, path, f"{above.names}/{names}", zone, len(self.seen.lines), above.heading)

    def _close(self, frame: _Frame, element: Element) -> None:
        """Give what the block was to its lines and to the block around it."""
        self._frames.pop()
        above, lines = self._frames[-1], self.seen.lines
        mine = len(lines) - frame.first
        if frame.tag == "main" or element.get("role") == "main":
            self.seen.main.append((frame.first, len(lines)))
        size = sum(len(line.text) for line in lines[frame.first :]) if frame.advert or frame.consent else 0
        if frame.advert and mine and not self._marked_advert(frame, size, mine):
            above.advert = True
        if frame.consent and frame.accept and size <= _MAX_CONSENT and frame.tag not in _BIG:
            self._mark(frame.first)
        else:
            above.consent |= frame.consent
            above.accept |= frame.accept
        # A heading alone in a wrapper stands above what follows the wrapper.
        if frame.headings and frame.headings == mine:
            above.heading, above.chosen = frame.heading, max(above.chosen, frame.chosen)
            above.headings += frame.headings

    def _marked_advert(self, frame: _Frame, size: int, mine: int) -> bool:
        """Whether the label's block was found and marked: the first that holds more than the label."""
        if mine == 1 and vocabulary.ADVERT.fullmatch(self.seen.lines[-1].text):
            self.seen.lines[-1] = replace(self.seen.lines[-1], zone=NOISE)
            return False
        if size <= _MAX_ADVERT and frame.tag not in _BIG:
            self._mark(frame.first)
        else:
            self._mark_after_label(frame.first)
        return True

    def _mark(self, first: int) -> None:
        lines = self.seen.lines
        for at in range(first, len(lines)):
            if lines[at].zone != NOISE:
                lines[at] = replace(lines[at], zone=NOISE)

    def _mark_after_label(self, first: int) -> None:
        lines = self.seen.lines
        for at in range(first, len(lines) - 1):
            if lines[at].zone == NOISE and vocabulary.ADVERT.fullmatch(lines[at].text):
                lines[at + 1] = replace(lines[at + 1], zone=NOISE)

    # --- lines -------------------------------------------------------------------------------

    def _flush(self) -> None:
        if not self._parts:
            return
        text = clean("".join(self._parts)[:MAX_LINE])
        self._parts.clear()
        advert, self._advert_inline = self._advert_inline, False
        if not text or len(self.seen.lines) >= MAX_LINES:
            return
        if self._term is not None:
            text, self._term = f"{self._term}: {text}", None
        self.seen.chars += len(text)
        frame = self._frames[-1]
        is_label = len(text) <= 60 and vocabulary.ADVERT.fullmatch(text) is not None
        frame.advert |= is_label or (advert and len(text) < _MAX_ADVERT)
        if len(text) < 1_500 and vocabulary.is_consent(text):
            frame.consent = True
        level = _HEADINGS.get(frame.tag, 0)
        if level or (len(text) <= 60 and frame.zone != MAIN and vocabulary.CHOSEN.fullmatch(text)):
            self._heading(text, level or 6)
        zone = NOISE if advert and not is_label else frame.zone
        self._add(text, frame, zone, level)

    def _add(self, text: str, frame: _Frame, zone: int, level: int) -> None:
        what = gist(text)
        kind = TEXT
        if level == 1 and self.seen.h1 is None and zone != NOISE:
            self.seen.h1, kind = text, TITLE
        heading = "" if level else frame.heading
        place = "h1" if kind == TITLE else place_of(frame.path, frame.names, heading)
        if zone == EDGE and vocabulary.is_vital(text):
            zone = MAIN
        if kind == TEXT and zone != NOISE and len(text) <= 40:
            self._status(text, frame)
        self.seen.lines.append(Line(text, what, place, frame.path, kind, zone))

    def _status(self, text: str, frame: _Frame) -> None:
        """A state alone on its line belongs to the line before it: 'API', 'Operational'."""
        found = vocabulary.STATE.search(text)
        before = self.seen.lines[-1] if self.seen.lines else None
        if (
            found is None
            or found[0] != text
            or before is None
            or len(before.text) > 60
            or before.kind != TEXT
        ):
            return
        if before.path.rpartition("/")[0] != frame.path.rpartition("/")[0]:
            return
        said = f"{before.gist}: {text}"
        self.seen.states.append(
            Line(said, said, place_of("status", before.gist), frame.path, STATUS, MAIN, before.text)
        )

    def _heading(self, text: str, level: int) -> None:
        """Let the heading stand above what follows it in the block around it."""
        frame = self._frames[-1]
        if len(text) > _MAX_HEADING or self._is_link(text):
            return
        frame.headings += 1
        frame.heading = gist(text)
        if vocabulary.CHOSEN.fullmatch(text) and level > 1:
            frame.chosen = level
            frame.zone = NOISE

    def _is_link(self, text: str) -> bool:
        """Whether the line is the text of the link in it: a card's title, not a section's."""
        seen = self.seen
        if not seen.link_lines or seen.link_lines[-1] != len(seen.lines):
            return False
        return seen.links[-1].text.startswith(f"{text[:200]} → ")

    # --- tables and zones ----------------------------------------------------------------------

    def _cell_text(self, element: Element) -> str:
        """The text of a cell, its links gathered."""
        held, self._parts = self._parts, []
        self._cell(element)
        text = clean("".join(self._parts)) or ""
        self._parts = held
        return text

    def _cell(self, element: Element) -> None:
        if element.text:
            self._parts.append(element.text)
        for child in element:
            tag = child.tag
            if tag not in _SKIPPED and isinstance(tag, str) and not _is_hidden(child):
                at = len(self._parts)
                self._parts.append("" if tag in _INLINE else " ")
                self._cell(child)
                if tag == "a":
                    self._anchor(child, at)
                if tag not in _INLINE:
                    self._parts.append(" ")
            if child.tail:
                self._parts.append(child.tail)

    def _table(self, rows: list[Line]) -> None:
        frame = self._frames[-1]
        place = place_of(frame.path, frame.names, frame.heading)
        for row in rows[: MAX_LINES - len(self.seen.lines)]:
            zone = MAIN if frame.zone == EDGE else frame.zone
            self.seen.chars += len(row.text)
            self.seen.lines.append(replace(row, place=place, path=frame.path, zone=zone))

    def _finished(self) -> Seen:
        """Links share the zone of their lines."""
        seen = self.seen
        self._zones()
        for at, (link, line) in enumerate(zip(seen.links, seen.link_lines, strict=True)):
            if line < len(seen.lines) and seen.lines[line].zone != link.zone:
                seen.links[at] = replace(link, zone=seen.lines[line].zone)
        return seen

    def _zones(self) -> None:
        """Where a page says what its main part is, and that is much of it, the rest is edge."""
        seen = self.seen
        within = sum(len(line.text) for first, end in seen.main for line in seen.lines[first:end])
        if within * 4 < seen.chars or not within:
            return
        inside = {at for first, end in seen.main for at in range(first, end)}
        for at, line in enumerate(seen.lines):
            if (
                at not in inside
                and line.zone == MAIN
                and line.kind == TEXT
                and not vocabulary.is_vital(line.text)
            ):
                seen.lines[at] = replace(line, zone=EDGE)


def _is_hidden(element: Element) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    if style and _UNSEEN_STYLE.search(style):
        return True
    return element.tag == "dialog" and element.get("open") is None


def _zone_of(element: Element, tag: str, above: _Frame) -> int:
    role = element.get("role")
    if (
        role in ("dialog", "alertdialog")
        or tag == "dialog"
        or element.get("aria-roledescription") == "carousel"
    ):
        return NOISE
    if role in _EDGE_ROLES or tag in ("nav", "aside", "marquee"):
        return EDGE
    if tag in _EDGE_TAGS and "/main" not in above.path and "/article" not in above.path:
        return EDGE
    return MAIN
