"""A small ledger with readers: an admin, anna who chose two sources, and ben who chose none."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from store.rows import put, uuid

from digestlog.core import canonical
from digestlog.store.access import Visitor

ANNA = Visitor(uuid(901), "anna", "user")
BEN = Visitor(uuid(902), "ben", "user")

HARBOUR, TIDEPOOL, COUNCIL, ENDED = "W_RSS_1", "W_RSS_2", "W_DIRECT_1", "W_RSS_3"
_NAMES = {HARBOUR: "Harbour Times", TIDEPOOL: "Tidepool Review", COUNCIL: "Council", ENDED: "Retired Mariner"}


def owner(connection: sqlite3.Connection) -> Visitor:
    """The admin."""
    row = connection.execute("SELECT id, name, role FROM users WHERE role = 'admin'").fetchone()
    return Visitor(*row)


def people_and_sources(connection: sqlite3.Connection) -> None:
    """Two sources that are read, one that is paused, one that was removed."""
    for person in (ANNA, BEN):
        put(connection, "users", id=person.id, name=person.name)
    for source, name in _NAMES.items():
        method = "Direct" if source == COUNCIL else "RSS"
        address = f"https://{name.replace(' ', '-').lower()}.example/feed"
        put(
            connection,
            "sources_master_list",
            source_uuid=source,
            url_scraping_method=method,
            source_name=name,
            source_url=address,
            is_active=source in (HARBOUR, TIDEPOOL),
            paused_reason="too loud" if source == COUNCIL else None,
            removed_at="2026-02-01T00:00:00+00:00" if source == ENDED else None,
        )
    connection.execute("UPDATE source_numbers SET last_number = 9")
    for source in (HARBOUR, COUNCIL):
        put(connection, "user_sources", user_id=ANNA.id, source_uuid=source)


def article(
    connection: sqlite3.Connection,
    name: str,
    at: str,
    sources: Sequence[str] = (HARBOUR,),
    title: str | None = "A story",
    text: str | None = None,
) -> str:
    """An article that these sources have shown, the first at `at` and each other a minute later."""
    url = f"https://news.example/{name}"
    key = canonical.article_uuid(url)
    first = sources[0]
    put(
        connection,
        "extracted_article_urls",
        article_uuid=key,
        source_uuid=first,
        url_scraping_method="Direct" if first == COUNCIL else "RSS",
        article_title=title,
        article_url_original=url,
        article_url_final=url,
        article_detected_utc_iso=at,
    )
    for number, source in enumerate(sources):
        seen = f"{at[:14]}{int(at[14:16]) + number:02d}{at[16:]}"
        put(
            connection,
            "article_source_mentions",
            article_uuid=key,
            source_uuid=source,
            article_url_original=url if source == first else f"{url}?from={source}",
            first_seen_at=seen,
        )
    if text is not None:
        put(
            connection,
            "scraped_articles",
            scrape_id=uuid(int(key[2:10], 16)),
            article_uuid=key,
            content_text=text,
            content_sha256=(key[2:] * 4),
        )
    return key
