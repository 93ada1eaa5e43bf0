"""A page's elements -> its lines, each with its place and zone.

One walk in page order. A frame is an open block element; a line ends where a block begins or ends.
"""

from __future__ import annotations

from dataclasses import replace

from digestlog.core.html_tree import Element
from digestlog.core.text import clean
from digestlog.core.watching import vocabulary
from digestlog.core.watching.frames import Frame, Seen, place_of
from digestlog.core.watching.gist import gist
from digestlog.core.watching.line import EDGE, LINK, LINKED, MAIN, NOISE, STATUS, TEXT, TITLE, Line
from digestlog.core.watching.readings import judge_readings
from digestlog.core.watching.tables import rows_of
from digestlog.core.watching.targets import target
from digestlog.core.watching.zones import (
    CHOSEN,
    WIDGET,
    Section,
    is_hidden,
    judge_sections,
    outside_of_main,
    zone_of,
)

MAX_LINES = 6_000
MAX_LINKS = 1_500
MAX_LINE = 20_000
MAX_TOTAL = 2_000_000

_SKIPPED = frozenset(
    "script style noscript template math head iframe object canvas video audio textarea datalist "
    "title desc defs symbol metadata".split()
)
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark meta q s samp small span "
    "strike strong sub sup time tt u var wbr link button input output".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BIG = frozenset({"body", "main", "html"})
_MAX_ADVERT, _MAX_CONSENT, _MAX_LETTER, _MAX_HEADING = 500, 4_000, 500, 90


class Walk:
    """Reads one page; `seen` holds the result."""

    def __init__(self, base: str, title: str | None = None) -> None:
        self._title = title or ""
        self.seen = Seen(base)
        self._parts: list[str] = []
        self._anchors: list[tuple[str, Element]] = []
        self._advert_inline = False
        self._term: str | None = None
        self._frames = [Frame("html", "", "", MAIN, 0)]

    def page(self, root: Element) -> Seen:
        """The lines of the whole page."""
        self._block(root)
        self._flush()
        return self._finished()

    # --- elements ----------------------------------------------------------------------------

    def _element(self, element: Element) -> None:
        tag = str(element.tag)
        if _is_skipped(element):
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
            elif child.tag == "span":
                self._between(child)

    def _between(self, span: Element) -> None:
        """A space where two words stand in spans side by side: 'API', 'Operational'."""
        after = span.getnext()
        if after is None or after.tag != "span" or not self._parts or not after.text:
            return
        if self._parts[-1][-2:].isalnum() and len(self._parts[-1]) > 1 and after.text[:2].isalpha():
            self._parts.append(" " if len(after.text) > 1 else "")

    def _inline(self, element: Element, tag: str) -> None:
        if tag == "input":
            self._input(element)
            return
        at, first = len(self._parts), len(self.seen.lines)
        self._children(element)
        if tag == "time" or tag in ("img", "meta", "link"):
            return
        if tag == "a":
            self._anchor(element, self._card(first) or "".join(self._parts[at:]))
        said = "".join(self._parts[at:]).strip() if at < len(self._parts) else ""
        if not said or len(said) > 60:
            return
        if tag in ("button", "a") and vocabulary.ACCEPT.search(said):
            self._frames[-1].accept = True
        if tag == "button":
            self._parts.append(" ")
        elif vocabulary.ADVERT.fullmatch(said):
            self._advert_inline = True

    def _input(self, element: Element) -> None:
        what = (element.get("type") or "").lower()
        self._frames[-1].email |= what == "email"
        if what in ("submit", "button") and (value := element.get("value")):
            self._parts.append(f" {value[:100]} ")

    def _card(self, first: int) -> str:
        """The words of a link around whole blocks: its heading, or all that it says; '' for another link."""
        inside = self.seen.lines[first:]
        if not inside:
            return ""
        self.seen.linked |= {first + at: len(line.text) for at, line in enumerate(inside)}
        heads = [line.text for line in inside if line.path.rpartition("/")[2] in _HEADINGS]
        return heads[0] if heads else " ".join(line.text for line in inside[:8])

    def _anchor(self, element: Element, said: str) -> None:
        href, text, seen = element.get("href"), clean(said), self.seen
        if not href or not text or len(seen.links) >= MAX_LINKS or self._frames[-1].zone == NOISE:
            return
        written = target(seen.base, href)
        if not written:
            return
        label, frame, text = gist(text[:200]), self._frames[-1], text[:200]
        place = LINKED + place_of(frame.path, frame.names, frame.heading)
        seen.links.append(
            Line(f"{text} → {written}", f"{label} → {written}", place, frame.path, LINK, frame.zone, label)
        )
        at = len(seen.lines)
        if self._parts or not seen.lines:
            seen.linked[at] = seen.linked.get(at, 0) + len(text)
        seen.link_lines.append(at)

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

    def _frame(self, element: Element, tag: str) -> Frame:
        above = self._frames[-1]
        level = _HEADINGS.get(tag)
        if level and above.chosen and level <= above.chosen:
            above.chosen, above.section = 0, None
        zone = max(above.zone, zone_of(element, tag, above.path))
        path = above.path if tag in ("tbody", "html", "body") else f"{above.path}/{tag}"
        names = vocabulary.named(element.get("class")) or vocabulary.named(element.get("id"))
        frame = Frame(tag, path, f"{above.names}/{names}", zone, len(self.seen.lines), above.heading)
        frame.section = above.section or self._named(element)
        return frame

    def _named(self, element: Element) -> Section | None:
        """The section of a box whose name says that it is a widget."""
        name = vocabulary.widget_name(f"{element.get('class') or ''} {element.get('id') or ''}")
        return self._section(WIDGET, name, named=True) if name else None

    def _section(self, what: int, label: str, named: bool = False) -> Section:
        section = Section(what, label, named)
        self.seen.sections.append(section)
        return section

    def _close(self, frame: Frame, element: Element) -> None:
        """Give what the block was to its lines and to the block around it."""
        self._frames.pop()
        above, lines = self._frames[-1], self.seen.lines
        mine = len(lines) - frame.first
        if frame.tag == "main" or element.get("role") == "main":
            self.seen.main.append((frame.first, len(lines)))
        told = frame.advert or frame.consent or frame.letter
        size = sum(len(line.text) for line in lines[frame.first :]) if told else 0
        if frame.advert and mine and not self._marked_advert(frame, size, mine):
            above.advert = True
        if frame.consent and frame.accept and size <= _MAX_CONSENT and frame.tag not in _BIG:
            self._mark(frame.first)
        else:
            above.consent |= frame.consent
            above.accept |= frame.accept
        if frame.letter and frame.email and size <= _MAX_LETTER and frame.tag not in _BIG:
            self._mark(frame.first)
        else:
            above.letter |= frame.letter
            above.email |= frame.email
        # A heading alone in a wrapper stands above what follows the wrapper.
        if frame.headings and frame.headings == mine:
            above.heading, above.chosen = frame.heading, max(above.chosen, frame.chosen)
            above.headings += frame.headings
            above.section = frame.section if frame.chosen else above.section

    def _marked_advert(self, frame: Frame, size: int, mine: int) -> bool:
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
        if len(text) < 1_500:
            lowered = text.lower()
            frame.consent |= vocabulary.is_consent(lowered)
            frame.letter |= vocabulary.is_letter(lowered)
        level = _HEADINGS.get(frame.tag, 0)
        if level or (len(text) <= 60 and self._is_label(text, frame)):
            self._heading(text, level or 6)
        zone = NOISE if advert and not is_label else frame.zone
        self._add(text, frame, zone, level)

    def _is_label(self, text: str, frame: Frame) -> bool:
        """Whether a line that is no heading names what is below it."""
        if vocabulary.WIDGET.fullmatch(text):
            return True
        return frame.zone != MAIN and vocabulary.CHOSEN.fullmatch(text) is not None

    def _add(self, text: str, frame: Frame, zone: int, level: int) -> None:
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
        if frame.section is not None:
            frame.section.lines.append(len(self.seen.lines))
        self.seen.lines.append(Line(text, what, place, frame.path, kind, zone))

    def _status(self, text: str, frame: Frame) -> None:
        """A state alone on its line belongs to the line before it: 'API', 'Operational'."""
        found = vocabulary.STATE.search(text)
        before = self.seen.lines[-1] if self.seen.lines else None
        if (
            found is None
            or found[0] != text
            or before is None
            or len(before.text) > 60
            or before.kind != TEXT
            or self._is_link(text)
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
        widget = vocabulary.WIDGET.fullmatch(text)
        if level > 1 and (widget or vocabulary.CHOSEN.fullmatch(text)):
            frame.chosen = level
            frame.section = self._section(WIDGET if widget else CHOSEN, text)

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
            if not _is_skipped(child):
                at = len(self._parts)
                self._parts.append("" if tag in _INLINE else " ")
                self._cell(child)
                if tag == "a":
                    self._anchor(child, "".join(self._parts[at:]))
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
        """Every line in its zone; links share the zone of their lines."""
        seen = self.seen
        outside_of_main(seen.lines, seen.main)
        about = f"{self._title} {seen.h1 or ''}"
        judge_sections(seen.lines, seen.sections, seen.linked, about)
        judge_readings(seen.lines, about)
        for at, (link, line) in enumerate(zip(seen.links, seen.link_lines, strict=True)):
            if line < len(seen.lines) and seen.lines[line].zone != link.zone:
                seen.links[at] = replace(link, zone=seen.lines[line].zone)
        return seen


def _is_skipped(element: Element) -> bool:
    """Whether nothing of the element is read: no text, hidden, or a drawing without words."""
    tag = element.tag
    if tag in _SKIPPED or not isinstance(tag, str) or is_hidden(element):
        return True
    return tag == "svg" and next(element.iter("text"), None) is None
