"""A digest as an Atom 1.0 feed: one entry an item, under ids that never change."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from digestlog.core.digest import Digest, Item
from digestlog.core.digest_ids import item_id
from digestlog.core.moments import from_iso, to_iso
from digestlog.core.render.atom_feed import Entry, Feed, safe, to_xml
from digestlog.core.render.labels import Labels
from digestlog.core.render.plain import heading, link, makers, paragraphs, title_of


def to_atom(digest: Digest, labels: Labels) -> str:
    """The digest as a feed that any reader takes."""
    return to_xml(
        Feed(
            id=digest.id,
            title=heading(digest, labels),
            subtitle=makers(digest, labels),
            updated=digest.created_at,
            author=digest.user,
            language=labels.language,
            entries=tuple(_entry(digest, item, labels) for item in digest.items),
        )
    )


def _entry(digest: Digest, item: Item, labels: Labels) -> Entry:
    return Entry(
        id=item_id(digest.id, item.category, item.position),
        title=title_of(item, labels),
        links=tuple(_links(item)),
        updated=digest.created_at,
        published=to_iso(from_iso(item.published_utc_iso)) if item.published_utc_iso else None,
        author=item.source,
        categories=(item.category,),
        summary=item.summary,
        html="".join(_content(item, labels)),
    )


def _links(item: Item) -> Iterator[tuple[str, str, str | None]]:
    address = link(item.url)
    if address:
        yield "alternate", address, None
    for other in item.other_links:
        elsewhere = link(other.url)
        if elsewhere:
            yield "related", elsewhere, other.title or other.source or ""


def _content(item: Item, labels: Labels) -> Iterator[str]:
    """The entry as a reader shows it: the summary, the reason, the other links."""
    for paragraph in paragraphs(item.summary):
        yield f"<p>{safe(paragraph)}</p>"
    yield f"<p><em>{labels.why}{labels.colon}{safe(item.why)}</em></p>"
    linked = [(other, link(other.url)) for other in item.other_links]
    if linked:
        yield f"<p>{labels.also}{labels.colon.rstrip()}</p><ul>"
        for other, address in linked:
            named = safe(other.title or other.source or other.url)
            yield f'<li><a href="{escape(address)}">{named}</a></li>' if address else f"<li>{named}</li>"
        yield "</ul>"
