"""Brands: whose the watched pages are, and which domains belong together."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from digestlog.core import brands as core
from digestlog.core.text import clean
from digestlog.errors import ConfigError
from digestlog.store.db import Database

MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Brand:
    """A brand with its domains, and how many pages of it the asking user watches."""

    id: str
    name: str
    domain: str
    domains: tuple[str, ...]
    pages: int
    changes: int
    last_change_at: str | None


def for_url(db: Database, connection: sqlite3.Connection, url: str) -> str:
    """The id of the brand that an address belongs to, made if need be, in the caller's transaction."""
    return _for_domain(db, connection, core.registrable_domain(url))


def fill(db: Database, connection: sqlite3.Connection, url_id: str, url: str) -> None:
    """Give a page that has no brand the one of its domain, in the caller's transaction."""
    without = "SELECT 1 FROM urls WHERE id = :id AND brand_id IS NULL"
    if connection.execute(without, {"id": url_id}).fetchone():
        connection.execute(
            "UPDATE urls SET brand_id = :brand_id WHERE id = :id",
            {"id": url_id, "brand_id": for_url(db, connection, url)},
        )


def _for_domain(db: Database, connection: sqlite3.Connection, domain: str) -> str:
    known = connection.execute(
        "SELECT brand_id FROM brand_domains WHERE domain = :domain", {"domain": domain}
    ).fetchone()
    if known:
        return str(known["brand_id"])
    row = {
        "id": core.brand_id(domain),
        "domain": domain,
        "name": core.first_name(domain),
        "now": db.now_iso,
    }
    connection.execute(
        """INSERT INTO brand_library_brands (id, name, domain, created_at, updated_at)
        VALUES (:id, :name, :domain, :now, :now) ON CONFLICT DO NOTHING""",
        row,
    )
    # By its domain: the row may be there, written by hand or by another program, under another id.
    connection.execute(
        """INSERT INTO brand_domains (domain, brand_id, created_at, updated_at)
        SELECT domain, id, :now, :now FROM brand_library_brands WHERE domain = :domain""",
        row,
    )
    return str(
        connection.execute("SELECT brand_id FROM brand_domains WHERE domain = :domain", row).fetchone()[0]
    )


def list_all(db: Database, user_id: str, *, everything: bool = False) -> list[Brand]:
    """The brands of the pages that a user watches, by name; with `everything`, those of all users.

    Pages and changes are those that the user may see.
    """
    found = db.rows(
        f"{_BRANDS} WHERE (:everything OR {_MINE}) ORDER BY name COLLATE NOCASE, domain",
        {"user_id": user_id, "everything": everything},
    )
    return [_brand(row) for row in found]


def find(db: Database, text: str, user_id: str | None = None) -> Brand:
    """The brand by id, by domain or else by name; with a user, among those whose pages the user watches."""
    asked = {"user_id": user_id, "text": text.strip()}
    among = f"{_BRANDS} WHERE (:user_id IS NULL OR {_MINE})"
    # A domain is one brand's only; a name may be anything, another brand's domain too.
    exactly = f"""{among} AND (brands.id = :text
        OR brands.id = (SELECT brand_id FROM brand_domains WHERE domain = :text COLLATE NOCASE)) LIMIT 2"""  # noqa: S608
    by_name = f"{among} AND brands.name = :text COLLATE NOCASE LIMIT 2"
    found = db.rows(exactly, asked) or db.rows(by_name, asked)
    shown = clean(text[:100])
    if not found:
        raise ConfigError(f"there is no brand {shown}", "see: digestlog brands list")
    if len(found) > 1:
        raise ConfigError(f"several brands are called {shown}", "name it by its domain")
    return _brand(found[0])


def rename(db: Database, brand_id: str, name: str) -> None:
    """Give a brand a name that people know; another brand's domain is none."""
    name = clean(name) or ""
    if not name or len(name) > MAX_NAME:
        raise ConfigError("that cannot be a name", f"some words, up to {MAX_NAME} letters")
    wanted = {"id": brand_id, "name": name}
    with db.transaction() as connection:
        if connection.execute(
            "SELECT 1 FROM brand_domains WHERE domain = :name COLLATE NOCASE AND brand_id <> :id", wanted
        ).fetchone():
            raise ConfigError(f"{name} is another brand's domain", "another name, or: digestlog brands merge")
        connection.execute("UPDATE brand_library_brands SET name = :name WHERE id = :id", wanted)


def merge(db: Database, into: str, others: list[str]) -> int:
    """Make one brand of several: pages and domains move, all or nothing; how many pages moved."""
    moved = 0
    with db.transaction() as connection:
        for other in others:
            pair = {"into": into, "other": other}
            moved += connection.execute(
                "UPDATE urls SET brand_id = :into WHERE brand_id = :other", pair
            ).rowcount
            connection.execute("UPDATE brand_domains SET brand_id = :into WHERE brand_id = :other", pair)
            connection.execute("DELETE FROM brand_library_brands WHERE id = :other", pair)
    return moved


def assign(db: Database, brand_id: str, url_ids: list[str]) -> None:
    """Give pages to a brand by hand, whatever their domain."""
    with db.transaction() as connection:
        connection.executemany(
            "UPDATE urls SET brand_id = :brand_id WHERE id = :url_id",
            [{"brand_id": brand_id, "url_id": url_id} for url_id in url_ids],
        )


# Changes are counted once for all brands: for each by itself, every change would be read for every brand.
_BRANDS = """
WITH mine AS (
    SELECT brand_id, count(*) AS pages FROM visible_urls WHERE user_id = :user_id GROUP BY brand_id
),
changed AS (
    SELECT urls.brand_id, count(*) AS changes, max(events.detected_at) AS last_change_at
    FROM visible_change_events AS events
    JOIN urls ON urls.id = events.url_id
    WHERE events.user_id = :user_id AND events.state <> 'volatile'
    GROUP BY urls.brand_id
)
SELECT brands.id, brands.name, brands.domain,
    (SELECT group_concat(domain, ' ') FROM brand_domains WHERE brand_domains.brand_id = brands.id) AS domains,
    coalesce(mine.pages, 0) AS pages, coalesce(changed.changes, 0) AS changes, changed.last_change_at
FROM brands
LEFT JOIN mine ON mine.brand_id = brands.id
LEFT JOIN changed ON changed.brand_id = brands.id"""
_MINE = "mine.pages > 0"


def _brand(row: sqlite3.Row) -> Brand:
    return Brand(**{**dict(row), "domains": tuple(sorted((row["domains"] or "").split()))})
