"""A digest as an Atom 1.0 feed: one entry an item, under ids that never change."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from digestlog.core.digest import Digest, Item
from digestlog.core.digest_ids import item_id
from digestlog.core.moments import from_iso, to_iso
from digestlog.core.render.labels import Labels
from digestlog.core.render.plain import heading, line, link, makers, paragraphs, title_of
from digestlog.core.text import xml_legal


def to_atom(digest: Digest, labels: Labels) -> str:
    """The digest as a feed that any reader takes."""
    return "\n".join(_feed(digest, labels)) + "\n"


def _feed(digest: Digest, labels: Labels) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{labels.language}">'
    yield f"  <id>urn:uuid:{digest.id}</id>"
    yield f"  <title>{_safe(heading(digest, labels))}</title>"
    made = makers(digest, labels)
    if made:
        yield f"  <subtitle>{_safe(made)}</subtitle>"
    yield f"  <updated>{digest.created_at}</updated>"
    yield f"  <author><name>{_safe(digest.user)}</name></author>"
    yield "  <generator>digestlog</generator>"
    for item in digest.items:
        yield from _entry(digest, item, labels)
    yield "</feed>"


def _entry(digest: Digest, item: Item, labels: Labels) -> Iterator[str]:
    yield "  <entry>"
    yield f"    <id>urn:uuid:{item_id(digest.id, item.category, item.position)}</id>"
    yield f"    <title>{_safe(title_of(item, labels))}</title>"
    yield from _links(item)
    yield f"    <updated>{digest.created_at}</updated>"
    if item.published_utc_iso:
        yield f"    <published>{to_iso(from_iso(item.published_utc_iso))}</published>"
    if line(item.source):
        yield f"    <author><name>{_safe(item.source)}</name></author>"
    yield f'    <category term="{_safe(item.category)}"/>'
    if line(item.summary):
        yield f"    <summary>{_safe(item.summary)}</summary>"
    # Escaped twice: once as HTML, and that HTML once more as text of the feed.
    yield f'    <content type="html">{escape("".join(_content(item, labels)))}</content>'
    yield "  </entry>"


def _links(item: Item) -> Iterator[str]:
    address = link(item.url)
    if address:
        yield f'    <link rel="alternate" href="{escape(address)}"/>'
    for other in item.other_links:
        elsewhere = link(other.url)
        if elsewhere:
            titled = _safe(other.title or other.source)
            yield f'    <link rel="related" href="{escape(elsewhere)}" title="{titled}"/>'


def _content(item: Item, labels: Labels) -> Iterator[str]:
    """The entry as a reader shows it: the summary, the reason, the other links."""
    for paragraph in paragraphs(item.summary):
        yield f"<p>{_safe(paragraph)}</p>"
    yield f"<p><em>{labels.why}{labels.colon}{_safe(item.why)}</em></p>"
    linked = [(other, link(other.url)) for other in item.other_links]
    if linked:
        yield f"<p>{labels.also}{labels.colon.rstrip()}</p><ul>"
        for other, address in linked:
            named = _safe(other.title or other.source or other.url)
            yield f'<li><a href="{escape(address)}">{named}</a></li>' if address else f"<li>{named}</li>"
        yield "</ul>"


def _safe(text: str | None) -> str:
    return escape(xml_legal(line(text)))
