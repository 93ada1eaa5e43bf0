"""The lane for everything that is not plain: old formats, odd encodings, broken XML."""

from __future__ import annotations

import io
import re
from typing import Any

from lxml import etree

from digestlog.core.feeds.entry import MAX_ENTRIES, Entry, Feed, absolute, assemble, base_of, drop_long_bases
from digestlog.core.feeds.identity import begins_with_junk, feed_document, identity_of, parse_document
from digestlog.core.feeds.tree import Tree
from digestlog.core.text import clean, clean_html

_LANE = "feedparser"
# Its time is linear but long; beyond this size the tree has to do alone.
_FEEDPARSER_BYTES = 1_000_000
# feedparser joins the base of every element to the one above: a chain of them takes quadratic time.
_BASE = re.compile(rb"(?<![\w.?&;/-])base(?=\s*=)", re.I)
_HIDDEN_BASE = "base\u200b".encode()


def read_tolerant(text: str, url: str) -> Feed | None:
    """The feed that can be saved from the text, or None."""
    document = feed_document(text)
    root, wrong = parse_document(document) if document else (None, None)
    identity = identity_of(root) if root is not None else None
    if document is None or root is None or identity is None:
        return None
    drop_long_bases(root)
    tree = Tree(root, identity.kind, url)
    items, parsed = tree.items(), _parsed(document, base_of(root, url))
    # feedparser finds entries in what no XML parser can hold together, but blends dates, types
    # and ids; the tree keeps them apart, as long as it has lost no entry and swallowed none.
    whole = len(items) >= len(parsed) and (not parsed or _flat(items))
    total = len(items) if whole else len(parsed)
    entries = (
        (tree.entry(item) for item in items[:MAX_ENTRIES])
        if whole
        else (_entry(found, identity.kind, url) for found in parsed[:MAX_ENTRIES])
    )
    return assemble(
        identity,
        entries,
        lane=_LANE,
        total=total,
        language=tree.language(),
        min_interval_s=tree.min_interval_s(),
        problem=wrong or ("text before the document" if begins_with_junk(text) else None),
    )


def _flat(items: list[etree._Element]) -> bool:
    """Whether no entry lies inside another, as happens where an end tag is missing."""
    inside = set(items)
    return not any(above in inside for item in items for above in item.iterancestors())


def _parsed(document: bytes, url: str) -> list[dict[str, Any]]:
    """feedparser's entries; none where it fails or would take too long."""
    if len(document) > _FEEDPARSER_BYTES:
        return []
    import feedparser  # type: ignore[import-untyped]

    headers = {"content-location": url, "content-type": "application/xml; charset=utf-8"}
    try:
        # From a stream only: given bytes or text, feedparser opens a file or an address of that name.
        result = feedparser.parse(
            io.BytesIO(_BASE.sub(_HIDDEN_BASE, document)),
            response_headers=headers,
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except Exception:  # whatever it trips over, the tree remains
        return []
    return list(result.entries)


def _entry(found: dict[str, Any], kind: str, url: str) -> Entry | None:
    # Through dict: feedparser's own look-up gives other keys' values, with a warning.
    address = absolute(dict.get(found, "link"), url)
    if address is None:
        return None
    published, published_from = dict.get(found, "published"), "published" if kind == "atom" else "pubDate"
    updated, updated_from = dict.get(found, "updated"), "updated"
    if kind != "atom" and not published:
        published, published_from, updated = updated, "dc:date", None
    return Entry(
        dict.get(found, "id") or None,
        address,
        _title(found, kind),
        published or None,
        published_from if published else None,
        updated or None,
        updated_from if updated else None,
    )


def _title(found: dict[str, Any], kind: str) -> str | None:
    detail = dict.get(found, "title_detail") or {}
    literal = kind == "atom" and detail.get("type") == "text/plain"
    title = dict.get(found, "title")
    return clean(title) if literal else clean_html(title)
