"""The latest of the ledger as an Atom 1.0 feed: one entry an article, under ids that never change."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from digestlog.core.moments import from_iso, to_iso
from digestlog.core.render.plain import line, link
from digestlog.core.text import xml_legal


@dataclass(frozen=True, slots=True)
class Entry:
    """An article as a feed shows it."""

    article_uuid: str
    title: str | None
    url: str
    source: str
    detected_at: str
    published_at: str | None


def ledger_atom(entries: Sequence[Entry], now: datetime) -> str:
    """The articles as a feed that any reader takes, in the order given."""
    return "\n".join(_feed(entries, now)) + "\n"


def _feed(entries: Sequence[Entry], now: datetime) -> Iterator[str]:
    # The feed changes when the ledger does, not when it is written out.
    updated = max((entry.detected_at for entry in entries), default=to_iso(now))
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">'
    yield f"  <id>{_id('ledger')}</id>"
    yield "  <title>digestlog: the latest</title>"
    yield f"  <updated>{updated}</updated>"
    yield "  <author><name>digestlog</name></author>"
    yield "  <generator>digestlog</generator>"
    for entry in entries:
        yield from _entry(entry)
    yield "</feed>"


def _entry(entry: Entry) -> Iterator[str]:
    address = link(entry.url)
    yield "  <entry>"
    yield f"    <id>{_id(entry.article_uuid)}</id>"
    yield f"    <title>{_safe(entry.title) or _safe(entry.url)}</title>"
    if address:
        yield f'    <link rel="alternate" href="{escape(address)}"/>'
    yield f"    <updated>{entry.detected_at}</updated>"
    if entry.published_at:
        yield f"    <published>{to_iso(from_iso(entry.published_at))}</published>"
    if line(entry.source):
        yield f"    <author><name>{_safe(entry.source)}</name></author>"
    yield "  </entry>"


def _id(name: str) -> str:
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'digestlog:{name}')}"


def _safe(text: str | None) -> str:
    return escape(xml_legal(line(text)))
