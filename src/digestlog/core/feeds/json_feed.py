"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from digestlog.core.feeds.entry import MAX_ENTRIES, Entry, Feed, absolute, assemble, language_of
from digestlog.core.feeds.identity import json_identity, json_value
from digestlog.core.text import clean_html

# JSON can write half a surrogate pair, which no file and no address can hold.
_HALF = re.compile("[\ud800-\udfff]")


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
    address = next(_addresses(item, url), None)
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


def _addresses(item: dict[str, Any], url: str) -> Iterator[str]:
    """The web addresses that the item gives, the best first; its attachments' only if there is no other."""
    files = item.get("attachments")
    files = files if isinstance(files, list) else []
    # An id or an attachment may just be a name: only a whole address counts.
    names = (item.get("id"), *(file.get("url") for file in files if isinstance(file, dict)))
    written = ((item.get("url"), url), (item.get("external_url"), url), *((name, "") for name in names))
    for value, base in written:
        if isinstance(value, str) and not _HALF.search(value) and (address := absolute(value, base)):
            yield address


def _text(value: Any, *, numbers: bool = False) -> str | None:
    """The string that stands there; ids and times are sometimes written as numbers."""
    if numbers and isinstance(value, int | float) and not isinstance(value, bool):
        value = repr(value)
    return value.encode("utf-8", "replace").decode().strip() or None if isinstance(value, str) else None
