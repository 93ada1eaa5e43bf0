"""Any list of entries as an Atom 1.0 feed; texts are escaped here, and nothing gets in as markup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from digestlog.core.render.plain import line
from digestlog.core.text import xml_legal


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `html` is markup that is safe already; `links` are rel, address and title."""

    id: str
    title: str
    updated: str
    html: str
    links: tuple[tuple[str, str, str | None], ...] = ()
    published: str | None = None
    author: str | None = None
    categories: tuple[str, ...] = ()
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed whose id never changes."""

    id: str
    title: str
    updated: str
    author: str
    language: str
    entries: tuple[Entry, ...]
    subtitle: str | None = None


def to_xml(feed: Feed) -> str:
    """The feed as a document that any reader takes."""
    return "\n".join(_feed(feed)) + "\n"


def safe(text: str | None) -> str:
    """The text on one line as it may stand in XML and in HTML."""
    return escape(xml_legal(line(text)))


def _feed(feed: Feed) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{feed.language}">'
    yield f"  <id>urn:uuid:{feed.id}</id>"
    yield f"  <title>{safe(feed.title)}</title>"
    if feed.subtitle:
        yield f"  <subtitle>{safe(feed.subtitle)}</subtitle>"
    yield f"  <updated>{feed.updated}</updated>"
    yield f"  <author><name>{safe(feed.author)}</name></author>"
    yield "  <generator>digestlog</generator>"
    for entry in feed.entries:
        yield from _entry(entry)
    yield "</feed>"


def _entry(entry: Entry) -> Iterator[str]:
    yield "  <entry>"
    yield f"    <id>urn:uuid:{entry.id}</id>"
    yield f"    <title>{safe(entry.title)}</title>"
    for rel, address, title in entry.links:
        titled = "" if title is None else f' title="{safe(title)}"'
        yield f'    <link rel="{rel}" href="{escape(address)}"{titled}/>'
    yield f"    <updated>{entry.updated}</updated>"
    if entry.published:
        yield f"    <published>{entry.published}</published>"
    if line(entry.author):
        yield f"    <author><name>{safe(entry.author)}</name></author>"
    for category in entry.categories:
        yield f'    <category term="{safe(category)}"/>'
    if line(entry.summary):
        yield f"    <summary>{safe(entry.summary)}</summary>"
    # Escaped once more, as text of the feed.
    yield f'    <content type="html">{escape(entry.html)}</content>'
    yield "  </entry>"
