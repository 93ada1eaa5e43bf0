"""Lists of sources: OPML, or plain text with one address on each line."""

from __future__ import annotations

from dataclasses import dataclass

from digestlog.core.opml import MAX_BYTES, MAX_OUTLINES, Outline, looks_like_opml, read_opml
from digestlog.core.text import clean, decode
from digestlog.errors import ParseError


@dataclass(frozen=True, slots=True)
class SourceList:
    """What a list names: outlines that say what they are, bare addresses, and what was left out."""

    outlines: tuple[Outline, ...] = ()
    addresses: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


def read_list(body: bytes) -> SourceList:
    """The entries of an OPML file or of a plain list; ParseError if it is neither or too large."""
    if len(body) <= MAX_BYTES and not looks_like_opml(body) and not _is_markup(body):
        return SourceList(addresses=_lines(body))
    opml = read_opml(body)
    return SourceList(outlines=opml.outlines, skipped=opml.skipped)


def _is_markup(body: bytes) -> bool:
    return decode(body[:64]).lstrip("\ufeff \t\r\n").startswith("<")


def _lines(body: bytes) -> tuple[str, ...]:
    """The first word of each line, each once; a # begins a comment, and tags may follow an address."""
    if b"\0" in body[:4096] and "\0" in decode(body[:4096]):
        raise ParseError("This is neither OPML nor a list of addresses.", "Write one address on each line.")
    words: dict[str, None] = {}
    for line in decode(body).splitlines():
        word = (clean(line) or "#").split(" ", 1)[0]
        if not word.startswith(("#", '"')):
            words[word] = None
    if len(words) > MAX_OUTLINES:
        raise ParseError(f"This list has more than {MAX_OUTLINES:,} entries.", "Split it into several files.")
    return tuple(words)
