"""A digest as Markdown that also reads well as it stands, in a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from digestlog.core.digest import Digest, Item, Link
from digestlog.core.render.labels import Labels
from digestlog.core.render.plain import (
    by_category,
    facts,
    heading,
    line,
    link,
    makers,
    origin,
    paragraphs,
    title_of,
)

# An underscore inside a word means nothing, so names like snake_case stay readable.
_INLINE = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|(?<=\s)#(?=#*$)")
_NUMBER = re.compile(r"\d{1,9}[.)]")
# What would begin a heading, a list or a rule if it stood first on its line.
_BEGINNINGS = ("#", "+", "-", "=")
_IN_ADDRESS = re.compile(r"\\|&(?=#?\w+;)")


def to_markdown(digest: Digest, labels: Labels, *, width: int | None = None) -> str:
    """The digest as Markdown; with a width, long texts are broken into lines that fit it."""
    return "\n".join(_lines(digest, labels, width)) + "\n"


def escape(text: str) -> str:
    """A text on one line as Markdown that shows exactly this text."""
    escaped = _INLINE.sub(lambda found: "\\" + found[0], text)
    number = _NUMBER.match(escaped)
    if number:
        return f"{escaped[: number.end() - 1]}\\{escaped[number.end() - 1 :]}"
    return f"\\{escaped}" if escaped.startswith(_BEGINNINGS) else escaped


def _lines(digest: Digest, labels: Labels, width: int | None) -> Iterator[str]:
    yield f"# {escape(heading(digest, labels))}"
    yield ""
    yield from _text(facts(digest, labels), width)
    if not digest.items:
        yield from ("", labels.nothing)
    for category, items in by_category(digest):
        yield from ("", f"## {escape(line(category))}")
        for number, item in enumerate(items, 1):
            yield ""
            yield from _item(f"{number}. ", item, labels, width)
    yield from _end(digest, labels, width)


def _item(mark: str, item: Item, labels: Labels, width: int | None) -> Iterator[str]:
    indent = " " * len(mark)
    yield f"{mark}**{anchor(title_of(item, labels), item.url)}**"
    inner = _body(item, labels, width and width - len(indent))
    yield from (indent + text if text else "" for text in inner)


def _body(item: Item, labels: Labels, width: int | None) -> Iterator[str]:
    yield ""
    yield from _text(origin(item, labels), width)
    for paragraph in paragraphs(item.summary):
        yield ""
        yield from _text(paragraph, width)
    yield ""
    yield from _text(f"{labels.why}{labels.colon}{line(item.why)}", width)
    if item.other_links:
        yield from ("", f"{labels.also}{labels.colon.rstrip()}", "")
        yield from map(_other, item.other_links)


def _other(other: Link) -> str:
    source = line(other.source)
    named = line(other.title) or source or line(other.url)
    behind = f" ({escape(source)})" if source and source != named else ""
    return f"- {anchor(named, other.url)}{behind}"


def _end(digest: Digest, labels: Labels, width: int | None) -> Iterator[str]:
    if digest.notes:
        yield from ("", f"## {labels.notes}", "")
        for note in digest.notes:
            yield f"- {escape(line(note))}"
    made = makers(digest, labels)
    if made:
        yield from ("", "---", "")
        yield from _text(made, width)


def _text(text: str, width: int | None) -> Iterator[str]:
    """A paragraph; escaped after it was broken, since what a line begins with decides."""
    broken = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) if width else [text]
    yield from map(escape, broken)


def anchor(text: str, url: str) -> str:
    """A link; the bare words where the address is none to follow."""
    address = link(url)
    if address is None:
        return escape(text)
    target = _IN_ADDRESS.sub(lambda found: "\\" + found[0], address)
    # Between < and > parentheses mean nothing.
    return f"[{escape(text)}]({f'<{target}>' if '(' in target or ')' in target else target})"
