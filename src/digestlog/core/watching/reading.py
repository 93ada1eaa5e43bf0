"""Bytes to a snapshot: title, visible lines, facts for machines, links."""

from __future__ import annotations

from digestlog.core.html_tree import Element, page_base, page_language, read_tree
from digestlog.core.text import clean
from digestlog.core.watching.gist import gist
from digestlog.core.watching.line import TITLE, Line
from digestlog.core.watching.offers import fact_lines
from digestlog.core.watching.state import state_lines
from digestlog.core.watching.visible import Walk

MAX_TITLE = 500

Read = tuple[str | None, str | None, str | None, tuple[Line, ...]]


def read(body: bytes, url: str, charset: str | None) -> Read:
    """Title, first heading, language and lines of a page."""
    root = read_tree(body, charset)
    title = _title(root)
    seen = Walk(page_base(root, url), title).page(root)
    lines = [*seen.lines]
    if title:
        lines.insert(0, Line(title, gist(title), "title", "", TITLE))
    lines += fact_lines(root)
    lines += state_lines(root, seen.chars)
    return title, seen.h1, page_language(root), (*lines, *seen.states, *seen.links)


def _title(root: Element) -> str | None:
    """The first <title> that is not inside a drawing."""
    for element in root.iter("title"):
        if all(parent.tag != "svg" for parent in element.iterancestors()):
            return clean("".join(element.itertext())[:MAX_TITLE])
    return None
