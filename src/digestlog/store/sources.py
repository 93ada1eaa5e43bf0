"""Sources: what a person follows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from digestlog.core.model import Added, NewSource, Source
from digestlog.errors import ConfigError
from digestlog.store.db import Database

SELECT = """
SELECT s.source_uuid, s.source_name, s.source_url, s.url_scraping_method, s.is_active, s.paused_reason,
    s.removed_at, s.site_url, s.folder, s.allow_private, s.link_selector, s.date_selector,
    s.created_at, s.updated_at, f.last_scanned_at, f.last_success_at, f.next_scan_at,
    coalesce(f.consecutive_failures, 0) AS consecutive_failures, f.last_error
FROM sources_master_list AS s
LEFT JOIN source_fetch_state AS f ON f.source_uuid = s.source_uuid
"""
# By method, then by number: W_RSS_2 before W_RSS_10.
ORDER = " ORDER BY s.url_scraping_method DESC, length(s.source_uuid), s.source_uuid"
# With another value of these, a body that has not changed may still hold other articles.
_READ_ANEW = {"source_url", "url_scraping_method", "link_selector", "date_selector"}


def list_all(db: Database, *, method: str | None = None, active: bool | None = None) -> list[Source]:
    """The sources that were not removed, in the order of their numbers."""
    rows = db.rows(
        SELECT
        + """ WHERE s.removed_at IS NULL
            AND (:method IS NULL OR s.url_scraping_method = :method)
            AND (:active IS NULL OR s.is_active = :active)"""
        + ORDER,
        {"method": method, "active": active},
    )
    return [source_of(dict(row)) for row in rows]


def of_user(db: Database, user_id: str) -> list[Source]:
    """The active sources of a user's digests: those chosen, or all where none was."""
    chosen = """ WHERE s.is_active = 1 AND (
        s.source_uuid IN (SELECT source_uuid FROM user_sources WHERE user_id = :user_id)
        OR NOT EXISTS (SELECT 1 FROM user_sources WHERE user_id = :user_id))"""
    rows = db.rows(SELECT + chosen + ORDER, {"user_id": user_id})
    return [source_of(dict(row)) for row in rows]


def get(db: Database, source_uuid: str) -> Source | None:
    """The source with this id, also if it was removed."""
    row = db.row(SELECT + " WHERE s.source_uuid = :source_uuid", {"source_uuid": source_uuid})
    return None if row is None else source_of(dict(row))


def by_url(db: Database, urls: Iterable[str]) -> Source | None:
    """The source with one of these addresses, also if it was removed."""
    for url in urls:
        row = db.row(SELECT + " WHERE s.source_url = :url", {"url": url})
        if row is not None:
            return source_of(dict(row))
    return None


def find(db: Database, text: str, *, removed: bool = False) -> Source:
    """The source that a person means by an id, an address or a name; ConfigError if it is not one."""
    rows = db.rows(
        SELECT
        + """ WHERE upper(s.source_uuid) = upper(:text)
            OR rtrim(s.source_url, '/') = rtrim(:text, '/')
            OR s.source_name = :text COLLATE NOCASE"""
        + ORDER,
        {"text": text.strip()},
    )
    found = [source_of(dict(row)) for row in rows]
    # An id is always one: a feed that calls itself W_RSS_1 must not stand in its way.
    found = [source for source in found if source.source_uuid == text.strip().upper()] or found
    followed = [source for source in found if source.removed_at is None]
    if len(followed) > 1:
        ids = ", ".join(source.source_uuid for source in followed)
        raise ConfigError(f"{text} is the name of several sources", f"say which: {ids}")
    if followed or (removed and found):
        return (followed or found)[0]
    if found:
        raise _removed(found[0])
    raise ConfigError(f"there is no source {text}", "see: digestlog sources list")


def known_as(db: Database, text: str) -> Source | None:
    """The followed source that a person means, or None if nothing is followed under that word."""
    try:
        return find(db, text)
    except ConfigError:
        return None


def insert(db: Database, wish: NewSource, same: Iterable[str] = ()) -> Added:
    """Follow a source. One that is known under its address, or one of `same`, is not added twice."""
    with db.transaction() as connection:
        known = by_url(db, (wish.source_url, *same))
        if known is None:
            source_uuid = next_uuid(connection, wish.url_scraping_method)
            connection.execute(
                """INSERT INTO sources_master_list (source_uuid, source_name, source_url, url_scraping_method,
                    site_url, folder, allow_private, created_at, updated_at)
                VALUES (:source_uuid, :source_name, :source_url, :url_scraping_method,
                    :site_url, :folder, :allow_private, :now, :now)""",
                {"source_uuid": source_uuid, "now": db.now_iso, **_columns(wish)},
            )
            outcome = "new"
        elif known.removed_at is not None:
            source_uuid, outcome = known.source_uuid, "back"
            connection.execute(
                """UPDATE sources_master_list SET removed_at = NULL, paused_reason = NULL, is_active = 1,
                    source_name = :source_name, site_url = :site_url, folder = :folder,
                    allow_private = :allow_private
                WHERE source_uuid = :source_uuid""",
                {"source_uuid": source_uuid, **_columns(wish)},
            )
            _forget_visit(connection, source_uuid)
        else:
            source_uuid, outcome = known.source_uuid, "known"
        return Added(_must_get(db, source_uuid), outcome)


def update(db: Database, source_uuid: str, changes: Mapping[str, Any]) -> Source:
    """Change columns of one source; an address that another source has is refused.

    Where it is to be read anew, nothing that the last visit left behind counts any more.
    """
    with db.transaction() as connection:
        known = _must_follow(db, source_uuid)
        anew = any(changes[name] != getattr(known, name) for name in _READ_ANEW & changes.keys())
        try:
            db.utils.table("sources_master_list").update(source_uuid, dict(changes))
        except sqlite3.IntegrityError as error:
            if "sources_master_list.source_url" not in str(error):
                raise
            raise ConfigError(f"another source already has the address {changes['source_url']}") from error
        if anew:
            _forget_visit(connection, source_uuid)
        return _must_get(db, source_uuid)


def pause(db: Database, source_uuid: str, reason: str | None) -> Source:
    """Leave a source out of scans until it is resumed."""
    return update(db, source_uuid, {"is_active": 0, "paused_reason": reason})


def resume(db: Database, source_uuid: str) -> Source:
    """Take a source back into scans, due at once and with its failures forgotten."""
    with db.transaction() as connection:
        _must_follow(db, source_uuid)
        connection.execute(
            """UPDATE sources_master_list SET is_active = 1, paused_reason = NULL
            WHERE source_uuid = :source_uuid""",
            {"source_uuid": source_uuid},
        )
        _make_due(connection, source_uuid)
        return _must_get(db, source_uuid)


def remove(db: Database, source_uuid: str) -> int:
    """Stop following a source; what it found stays. The number of articles that it was first to find."""
    with db.transaction() as connection:
        _must_follow(db, source_uuid)
        connection.execute(
            """UPDATE sources_master_list SET is_active = 0, removed_at = :now
            WHERE source_uuid = :source_uuid""",
            {"now": db.now_iso, "source_uuid": source_uuid},
        )
        (articles,) = connection.execute(
            "SELECT count(*) FROM extracted_article_urls WHERE source_uuid = :source_uuid",
            {"source_uuid": source_uuid},
        ).fetchone()
        return int(articles)


def move(connection: sqlite3.Connection, source_uuid: str, url: str) -> str | None:
    """Give a source its new address, inside the caller's transaction, or the id of the source that has it."""
    other = connection.execute(
        "SELECT source_uuid FROM sources_master_list WHERE source_url = :url", {"url": url}
    ).fetchone()
    if other is not None:
        return str(other[0])
    connection.execute(
        "UPDATE sources_master_list SET source_url = :url WHERE source_uuid = :source_uuid",
        {"url": url, "source_uuid": source_uuid},
    )
    return None


def retire(connection: sqlite3.Connection, source_uuid: str, reason: str) -> None:
    """Pause a source whose site says that it has ended, inside the caller's transaction."""
    connection.execute(
        """UPDATE sources_master_list SET is_active = 0, paused_reason = :reason
        WHERE source_uuid = :source_uuid""",
        {"reason": reason, "source_uuid": source_uuid},
    )


def next_uuid(connection: sqlite3.Connection, method: str) -> str:
    """The id of one more source of a method, inside the caller's transaction; it is never given again."""
    (number,) = connection.execute(
        """UPDATE source_numbers SET last_number = last_number + 1
        WHERE url_scraping_method = :method RETURNING last_number""",
        {"method": method},
    ).fetchone()
    return f"W_{method.upper()}_{number}"


def _forget_visit(connection: sqlite3.Connection, source_uuid: str) -> None:
    connection.execute(
        """UPDATE source_fetch_state SET etag = NULL, last_modified = NULL, body_sha256 = NULL,
            read_since = NULL, next_scan_at = NULL, consecutive_failures = 0
        WHERE source_uuid = :source_uuid""",
        {"source_uuid": source_uuid},
    )


def _make_due(connection: sqlite3.Connection, source_uuid: str) -> None:
    connection.execute(
        """UPDATE source_fetch_state SET next_scan_at = NULL, consecutive_failures = 0
        WHERE source_uuid = :source_uuid""",
        {"source_uuid": source_uuid},
    )


def _columns(wish: NewSource) -> dict[str, Any]:
    return {name: getattr(wish, name) for name in NewSource.__slots__}


def _must_get(db: Database, source_uuid: str) -> Source:
    source = get(db, source_uuid)
    if source is None:
        raise ConfigError(f"there is no source {source_uuid}", "use the id of a followed source")
    return source


def _must_follow(db: Database, source_uuid: str) -> Source:
    source = _must_get(db, source_uuid)
    if source.removed_at is not None:
        raise _removed(source)
    return source


def _removed(source: Source) -> ConfigError:
    return ConfigError(
        f"{source.source_name} was removed", f"to follow it again: digestlog sources add {source.source_url}"
    )


def source_of(values: dict[str, Any]) -> Source:
    """The source of a row that SELECT gave."""
    values["is_active"] = bool(values["is_active"])
    values["allow_private"] = bool(values["allow_private"])
    return Source(**values)
