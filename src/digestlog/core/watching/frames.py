"""What a walk through a page holds: the open blocks, and what was gathered."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

from digestlog.core.watching.line import Line
from digestlog.core.watching.zones import Section


@dataclass(slots=True)
class Frame:
    """An open block: where its lines begin, what stands above them and what was met inside."""

    tag: str
    path: str
    names: str
    zone: int
    first: int
    heading: str = ""
    # The level of a heading that says what is below it, 0: none; and what is below it.
    chosen: int = 0
    section: Section | None = None
    headings: int = 0
    advert: bool = False
    consent: bool = False
    accept: bool = False
    # An offer of letters, and a field for the address.
    letter: bool = False
    email: bool = False


@dataclass(slots=True)
class Seen:
    """What the walk gathers."""

    base: str
    lines: list[Line] = field(default_factory=list)
    links: list[Line] = field(default_factory=list)
    # For each link, the line that it stands in.
    link_lines: list[int] = field(default_factory=list)
    # How much of a line is the text of links.
    linked: dict[int, int] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    # States by component.
    states: list[Line] = field(default_factory=list)
    h1: str | None = None
    main: list[tuple[int, int]] = field(default_factory=list)
    chars: int = 0


def place_of(*parts: str) -> str:
    """A short name for a place."""
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=5).hexdigest()
