"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

from typing import Any

from digestlog.core.feeds.entry import MAX_ENTRIES, Entry, Feed, absolute, assemble, language_of, web_id
from digestlog.core.feeds.identity import json_identity, json_value
from digestlog.core.text import clean_html


def read_json(text: str, url: str, content_type: str | None) -> Feed | None:
    """The JSON Feed that the text is, or None."""
    value = json_value(text)
    identity = json_identity(value, content_type)
    if value is None or identity is None:
        return None
    items = value.get("items")
    items = items if isinstance(items, list) else []
    return assemble(
        identity,
        (_entry(item, url) for item in items[:MAX_ENTRIES]),
        lane="json",
        total=len(items),
        language=language_of(_text(value.get("language"))),
    )


def _entry(item: Any, url: str) -> Entry | None:
    if not isinstance(item, dict):
        return None
    entry_id = _text(item.get("id"), numbers=True)
    addresses = (absolute(_text(item.get(name)), url) for name in ("url", "external_url"))
    address = next((found for found in addresses if found), None) or web_id(entry_id)
    if address is None:
        return None
    published = _text(item.get("date_published"), numbers=True)
    updated = _text(item.get("date_modified"), numbers=True)
    return Entry(
        entry_id,
        address,
        clean_html(_text(item.get("title"))),
        published,
        "date_published" if published else None,
        updated,
        "date_modified" if updated else None,
    )


def _text(value: Any, *, numbers: bool = False) -> str | None:
    """The string that stands there; ids and times are sometimes written as numbers."""
    if numbers and isinstance(value, int | float) and not isinstance(value, bool):
        value = repr(value)
    # JSON can write half a surrogate pair, which no file can hold.
    return value.encode("utf-8", "replace").decode().strip() or None if isinstance(value, str) else None
