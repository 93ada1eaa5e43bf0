"""One thing that a page says, and where it says it."""

from __future__ import annotations

from dataclasses import dataclass

# What a line is. The last five come from what a page tells machines, or stand for one fact.
TEXT, ROW, LINK = "text", "row", "link"
TITLE, PRICE, AVAILABILITY, STATUS = "title", "price", "availability", "status"
# Before the place of the text that a link stands in, for the place of the link.
LINKED = "a:"
KINDS = (TEXT, ROW, LINK, TITLE, PRICE, AVAILABILITY, STATUS)

# Where a line stands. MAIN: what the page is about. EDGE: around it, where promotion and navigation live.
# NOISE: what says of itself that it is no part of the page (advertisement, related items, consent).
MAIN, EDGE, NOISE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: `text` for readers, `gist` for comparing, `place` and `path` for learning."""

    text: str
    gist: str
    # Tags, words in names and the heading above; no position, no generated class.
    place: str
    # Tags alone.
    path: str
    kind: str = TEXT
    zone: int = MAIN
    # What the line is called: the row's table, the link's text, the product, the component.
    label: str = ""
