"""The lane for everything that is not plain: old formats, odd encodings, broken XML."""

from __future__ import annotations

import io
import re
from typing import Any

from lxml import etree

from digestlog.core.feeds.entry import (
    AMPERSAND,
    MAX_ENTRIES,
    Entry,
    Feed,
    assemble,
    base_of,
    drop_long_bases,
    enclosures,
    first_date,
    linked,
)
from digestlog.core.feeds.identity import begins_with_junk, feed_document, identity_of, parse_document
from digestlog.core.feeds.tree import Tree
from digestlog.core.text import clean, clean_html

_LANE = "feedparser"
# Its time is linear but long; beyond this size the tree has to do alone.
_FEEDPARSER_BYTES = 1_000_000
# feedparser joins the base of every element to the one above: a chain of them takes quadratic time.
_BASE = re.compile(rb"(?<![\w.?&;/-])base(?=\s*=)", re.I)
_HIDDEN_BASE = "base\u200b".encode()
# feedparser takes the semicolon of each reference in a link away, and so leaves &amp in it for good.
_AMPERSAND = re.compile(AMPERSAND.pattern.encode())
_SECTION = re.compile(rb"<!\[CDATA\[\s*+https?://[^\s<>\]]*+\]", re.I)


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
        else (_entry(found, tree) for found in parsed[:MAX_ENTRIES])
    )
    return assemble(
        identity,
        entries,
        lane=_LANE,
        total=total,
        language=tree.language,
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
            io.BytesIO(_SECTION.sub(_plain_section, _BASE.sub(_HIDDEN_BASE, document))),
            response_headers=headers,
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except Exception:  # whatever it trips over, the tree remains
        return []
    return list(result.entries)


def _plain_section(section: re.Match[bytes]) -> bytes:
    return _AMPERSAND.sub(b"&", section[0])


def _entry(found: dict[str, Any], tree: Tree) -> Entry | None:
    address = _address(found, tree.url)
    if address is None:
        return None
    published, updated = dict.get(found, "published"), dict.get(found, "updated") or None
    names = (
        [("published", published)] if tree.kind == "atom" else [("pubDate", published), ("dc:date", updated)]
    )
    published_raw, published_from = first_date([(raw, name) for name, raw in names if raw], tree.language)
    if published_from == "dc:date":
        updated = None
    return Entry(
        dict.get(found, "id") or None,
        address,
        _title(found, tree.kind),
        published_raw,
        published_from,
        updated,
        "updated" if updated else None,
    )


def _address(found: dict[str, Any], url: str) -> str | None:
    # Through dict: feedparser's own look-up gives other keys' values, with a warning.
    links = dict.get(found, "links") or []
    files = enclosures((dict.get(link, "rel"), dict.get(link, "href")) for link in links)
    addresses = (linked(address, url) for address in (dict.get(found, "link"), *files))
    return next((address for address in addresses if address), None)


def _title(found: dict[str, Any], kind: str) -> str | None:
    detail = dict.get(found, "title_detail") or {}
    literal = kind == "atom" and detail.get("type") == "text/plain"
    title = dict.get(found, "title")
    return clean(title) if literal else clean_html(title)
