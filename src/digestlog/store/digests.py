"""Digests as they were made, each user's own."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from digestlog.core.digest import Candidate, Digest, Item, Link
from digestlog.core.digest_ids import item_id
from digestlog.core.filling import host
from digestlog.core.moments import from_iso, to_iso
from digestlog.core.text import xml_legal
from digestlog.errors import ConfigError
from digestlog.store.db import Database

# More than a year of daily digests: front pages hold far fewer articles than so many digests look at.
_LOOKED_IN = 400
LATEST = "latest"

# Names in `providers` that are no provider.
_NOTES, _CATEGORIES, _ADDRESSES = "notes", "categories", "addresses"


@dataclass(frozen=True, slots=True)
class Listed:
    """A digest in a list."""

    id: str
    title: str | None
    created_at: str
    items: int
    candidates: int


def save(
    db: Database,
    connection: sqlite3.Connection,
    digest: Digest,
    user_id: str,
    candidates: Sequence[Candidate],
) -> None:
    """Write a digest with its items and candidates, inside the caller's transaction."""
    connection.execute(
        """INSERT INTO syntheses (id, user_id, title, providers, created_at)
        VALUES (:id, :user_id, :title, :providers, :created_at)""",
        {
            "id": digest.id,
            "user_id": user_id,
            "title": _text(digest.title),
            "providers": _providers(digest),
            "created_at": digest.created_at,
        },
    )
    _save_items(connection, digest)
    _save_candidates(connection, digest, candidates)


def get(db: Database, user_id: str, wanted: str) -> Digest:
    """The user's digest with this id or beginning of an id, or the `latest`."""
    row = _find(db, user_id, wanted)
    providers = json.loads(row["providers"])
    notes, order = providers.pop(_NOTES, []), providers.pop(_CATEGORIES, [])
    addresses = providers.pop(_ADDRESSES, {})
    return Digest(
        id=row["id"],
        user=row["user"],
        title=row["title"] or "",
        created_at=row["created_at"],
        items=_items(db, row["id"], order),
        providers=providers,
        notes=tuple(notes),
        addresses={url: tuple(others) for url, others in addresses.items()},
    )


def list_digests(db: Database, user_id: str) -> list[Listed]:
    """The user's digests, the newest first; within one second, the one that was written later."""
    rows = db.rows(
        """SELECT s.id, s.title, s.created_at,
            (SELECT count(*) FROM synthesis_items WHERE synthesis_id = s.id) AS items,
            (SELECT count(*) FROM synthesis_candidates WHERE synthesis_id = s.id) AS candidates
        FROM syntheses AS s WHERE s.user_id = :user_id ORDER BY s.created_at DESC, s.rowid DESC""",
        {"user_id": user_id},
    )
    return [Listed(**dict(row)) for row in rows]


def delete(db: Database, user_id: str, wanted: str) -> str:
    """Forget a digest, and give its id; the history still knows what was shown."""
    with db.transaction() as connection:
        found = str(_find(db, user_id, wanted)["id"])
        connection.execute("DELETE FROM syntheses WHERE id = :id", {"id": found})
    return found


def candidates(db: Database, user_id: str, wanted: str) -> list[Candidate]:
    """Every candidate of the user's digest, by outcome and address."""
    rows = db.rows(
        """SELECT url, article_uuid, outcome, detail FROM synthesis_candidates
        WHERE synthesis_id = :id ORDER BY outcome, url""",
        {"id": _find(db, user_id, wanted)["id"]},
    )
    return [Candidate(**dict(row)) for row in rows]


def recent_hosts(db: Database, user_id: str, last: int) -> set[str]:
    """The sites of the items of the user's latest so many digests; one without items does not count."""
    rows = db.rows(
        """SELECT DISTINCT url FROM synthesis_items WHERE synthesis_id IN (
            SELECT s.id FROM syntheses AS s WHERE s.user_id = :user_id
                AND EXISTS (SELECT 1 FROM synthesis_items AS i WHERE i.synthesis_id = s.id)
            ORDER BY s.created_at DESC, s.rowid DESC LIMIT :last)""",
        {"user_id": user_id, "last": max(last, 0)},
    )
    return {host(row["url"]) for row in rows}


def looked_at(db: Database, user_id: str, names: Sequence[str]) -> dict[str, str]:
    """What became of these articles, by id or address, when a digest of the user last looked at them."""
    rows = db.rows(
        # With max() SQLite takes the other columns from the row that has it.
        """SELECT c.url, c.article_uuid, c.outcome, max(s.created_at)
        FROM synthesis_candidates AS c JOIN (SELECT id, created_at FROM syntheses
            WHERE user_id = :user_id ORDER BY created_at DESC, rowid DESC LIMIT :last) AS s
            ON s.id = c.synthesis_id
        WHERE (c.url IN (SELECT value FROM json_each(:names))
                OR c.article_uuid IN (SELECT value FROM json_each(:names)))
            AND c.outcome NOT IN ('over_budget', 'outside_window', 'no_identity', 'homepage')
        GROUP BY c.url ORDER BY max(s.created_at)""",
        {"user_id": user_id, "last": _LOOKED_IN, "names": json.dumps(names)},
    )
    return {name: row["outcome"] for row in rows for name in (row["url"], row["article_uuid"]) if name}


def waiting(db: Database, user_id: str, names: Sequence[str]) -> dict[str, str]:
    """Since when these articles, by id or address, were left for a later digest of the user."""
    rows = db.rows(
        """SELECT c.url, c.article_uuid, min(s.created_at) AS since
        FROM synthesis_candidates AS c JOIN (SELECT id, created_at FROM syntheses
            WHERE user_id = :user_id ORDER BY created_at DESC, rowid DESC LIMIT :last) AS s
            ON s.id = c.synthesis_id
        WHERE (c.url IN (SELECT value FROM json_each(:names))
                OR c.article_uuid IN (SELECT value FROM json_each(:names)))
            AND c.outcome = 'over_budget'
        GROUP BY c.url ORDER BY since DESC""",
        {"user_id": user_id, "last": _LOOKED_IN, "names": json.dumps(names)},
    )
    return {name: row["since"] for row in rows for name in (row["url"], row["article_uuid"]) if name}


def also_at(db: Database, user_id: str, urls: Sequence[str]) -> set[str]:
    """The other addresses of articles that the user's digests showed at these, or that lead to these."""
    rows = db.rows(
        """SELECT shown.key AS url, other.value AS other FROM syntheses AS s
        JOIN json_each(s.providers, '$.addresses') AS shown
        JOIN json_each(shown.value) AS other
        WHERE s.user_id = :user_id AND shown.key IN (SELECT asked.value FROM json_each(:urls) AS asked
            UNION SELECT up.key FROM json_each(s.providers, '$.addresses') AS up
                JOIN json_each(up.value) AS down
                WHERE down.value IN (SELECT asked.value FROM json_each(:urls) AS asked))""",
        {"user_id": user_id, "urls": json.dumps(urls)},
    )
    return {name for row in rows for name in row}


def _find(db: Database, user_id: str, wanted: str) -> sqlite3.Row:
    rows = db.rows(
        """SELECT s.id, s.title, s.providers, s.created_at, users.name AS user
        FROM syntheses AS s JOIN users ON users.id = s.user_id
        WHERE s.user_id = :user_id AND (:beginning IS NULL OR s.id GLOB :beginning)
        ORDER BY s.created_at DESC, s.rowid DESC LIMIT 2""",
        {"user_id": user_id, "beginning": _beginning(wanted)},
    )
    if not rows:
        raise _none(wanted)
    if len(rows) > 1 and wanted != LATEST:
        raise ConfigError(f"several digests begin with {wanted}", "give more of the id")
    return rows[0]


def _beginning(wanted: str) -> str | None:
    """What the id must look like; None where any will do."""
    if wanted == LATEST:
        return None
    if not re.fullmatch(r"[0-9a-f-]{1,36}", wanted.lower()):
        raise _none(wanted)
    return f"{wanted.lower()}*"


def _none(wanted: str) -> ConfigError:
    if wanted == LATEST:
        return ConfigError("there is no digest yet", "make one: digestlog digest")
    return ConfigError(f"there is no digest {wanted}", "see: digestlog digest list")


def _items(db: Database, synthesis_id: str, order: list[str]) -> tuple[Item, ...]:
    rows = db.rows(
        """SELECT category, position, article_uuid, url, title, summary, source, score, why, other_links,
            published_utc_iso
        FROM synthesis_items WHERE synthesis_id = :id ORDER BY category, position""",
        {"id": synthesis_id},
    )
    places = {category: place for place, category in enumerate(order)}
    # Stable: categories that the order does not name come last, by name.
    return tuple(sorted(map(_item, rows), key=lambda item: places.get(item.category, len(places))))


def _item(row: sqlite3.Row) -> Item:
    values: dict[str, Any] = dict(row)
    links = json.loads(values.pop("other_links"))
    return Item(**values, other_links=tuple(Link(one["url"], one["title"], one["source"]) for one in links))


def _providers(digest: Digest) -> str:
    """Who made it, what went wrong, and the order of its categories, which names alone do not tell."""
    named = {
        **digest.providers,
        _NOTES: list(digest.notes),
        _CATEGORIES: list(dict.fromkeys(item.category for item in digest.items)),
        **({_ADDRESSES: digest.addresses} if digest.addresses else {}),
    }
    return _json(named)


def _save_items(connection: sqlite3.Connection, digest: Digest) -> None:
    connection.executemany(
        """INSERT INTO synthesis_items (id, synthesis_id, category, position, article_uuid, url, title,
            summary, source, score, why, other_links, published_utc_iso,
            created_at)
        VALUES (:id, :synthesis_id, :category, :position, :article_uuid, :url, :title, :summary,
            :source, :score, :why, :other_links, :published_utc_iso, :created_at)""",
        [_columns(digest, item) for item in digest.items],
    )


def _columns(digest: Digest, item: Item) -> dict[str, Any]:
    links = [{"url": other.url, "title": other.title, "source": other.source} for other in item.other_links]
    return {
        "id": item_id(digest.id, item.category, item.position),
        "synthesis_id": digest.id,
        "category": item.category,
        "position": item.position,
        "article_uuid": item.article_uuid,
        "url": item.url,
        "title": _text(item.title),
        "summary": _text(item.summary),
        "source": _text(item.source),
        "score": item.score,
        "why": _text(item.why),
        "other_links": _json(links),
        "published_utc_iso": to_iso(from_iso(item.published_utc_iso)) if item.published_utc_iso else None,
        "created_at": digest.created_at,
    }


def _save_candidates(connection: sqlite3.Connection, digest: Digest, candidates: Sequence[Candidate]) -> None:
    """The first word about an address stands, unless a later one says that it was taken."""
    connection.executemany(
        """INSERT INTO synthesis_candidates (synthesis_id, url, article_uuid, outcome, detail, created_at)
        VALUES (:synthesis_id, :url, :article_uuid, :outcome, :detail, :created_at)
        ON CONFLICT (synthesis_id, url) DO UPDATE SET article_uuid = excluded.article_uuid,
            outcome = excluded.outcome, detail = excluded.detail
        WHERE excluded.outcome = 'taken'""",
        [
            {
                "synthesis_id": digest.id,
                "url": candidate.url,
                "article_uuid": candidate.article_uuid,
                "outcome": candidate.outcome,
                "detail": _text(candidate.detail),
                "created_at": digest.created_at,
            }
            for candidate in candidates
        ],
    )


def _text(text: str | None) -> str | None:
    """The text as a column holds it: without what is no text, and NULL rather than empty."""
    return xml_legal(text or "") or None


def _json(value: object) -> str:
    return xml_legal(json.dumps(value, ensure_ascii=False))
