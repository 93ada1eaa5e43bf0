"""Trends: how much changed and how much was found, a number for each day.

The points are of the whole file. Who may see which series is decided when they are read, in `series`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from digestlog.core.trends import DEFINITIONS, Definition, Series, without_gaps
from digestlog.errors import ConfigError
from digestlog.store.db import Database

BEGINNING = "0001-01-01"
# What may still come in late: the last days are counted anew each time.
_DAYS_ANEW = 7

_EVENT = "SELECT substr(e.detected_at, 1, 10) AS day"
_ARTICLE = "SELECT substr(article_detected_utc_iso, 1, 10) AS day"
_ITEM = """SELECT substr(s.created_at, 1, 10) AS day, i.category AS series
    FROM syntheses AS s JOIN synthesis_items AS i ON i.synthesis_id = s.id WHERE s.created_at >= :since"""
# What the rules said first: an admin's later word is about the same submission.
_REASON = """SELECT substr(s.created_at, 1, 10) AS day, d.reason_code AS series
    FROM url_submissions AS s JOIN url_policy_decisions AS d ON d.rowid = (
        SELECT first.rowid FROM url_policy_decisions AS first WHERE first.submission_id = s.id
        ORDER BY first.created_at, first.rowid LIMIT 1)
    WHERE d.reason_code IS NOT NULL AND s.created_at >= :since"""
_CHANGED = "FROM url_change_events AS e"
_SINCE = "WHERE e.state <> 'volatile' AND e.detected_at >= :since"
_FOUND = "FROM extracted_article_urls WHERE article_detected_utc_iso >= :since"

# What a definition counts: rows with a day and a series, since :since.
_COUNTED = {
    "changes": f"{_EVENT}, 'all' AS series {_CHANGED} {_SINCE}",
    "changes-by-brand": f"{_EVENT}, coalesce(u.brand_id, 'none') AS series {_CHANGED}"
    f" JOIN urls AS u ON u.id = e.url_id {_SINCE}",
    "discoveries": f"{_ARTICLE}, 'all' AS series {_FOUND}",
    "discoveries-by-category": _ITEM,
    "discoveries-by-source": f"{_ARTICLE}, source_uuid AS series {_FOUND}",
    "discoveries-by-reason": _REASON,
}
# The same of what is one user's, where not all of it is everybody's: changes behind the gate.
_SEEN = """FROM visible_change_events AS e JOIN visible_urls AS u ON u.user_id = e.user_id AND u.id = e.url_id
    WHERE e.user_id = :user_id AND e.state <> 'volatile' AND e.detected_at >= :since
        AND (u.history_start_at IS NULL OR e.detected_at >= u.history_start_at)"""
_OWN = {
    "changes": f"{_EVENT}, 'all' AS series {_SEEN}",
    "changes-by-brand": f"{_EVENT}, coalesce(u.brand_id, 'none') AS series {_SEEN}",
    "discoveries-by-category": f"{_ITEM} AND s.user_id = :user_id",
    "discoveries-by-reason": f"{_REASON} AND s.user_id = :user_id",
}
_POINTS = "SELECT day, series, value FROM trend_points WHERE trend_id = :id AND day >= :since"


@dataclass(frozen=True, slots=True)
class Trend:
    """A trend as it stands in the file."""

    id: str
    name: str
    metric: str
    scope: str
    is_active: bool
    points: int
    first_day: str | None
    last_day: str | None


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did to one trend."""

    name: str
    since: str
    written: int
    removed: int


def refresh(db: Database, since_day: str | None = None, *, only: str | None = None) -> list[Refreshed]:
    """Count the active trends anew in one transaction: the last days, or from `since_day` on.

    Without `since_day`, from a week before the last point on, and from the beginning where there is none.
    Days and series that have nothing any more lose their points; what is unchanged is not written.
    """
    with db.transaction() as connection:
        _define(db, connection)
        wanted = [d for d in DEFINITIONS if only in (None, d.name) and _is_active(connection, d)]
        return [_count(db, connection, one, since_day) for one in wanted]


def list_trends(db: Database) -> list[Trend]:
    """Every trend, counted or not, in the order in which digestlog names them."""
    rows = db.rows(
        """SELECT t.id, t.name, t.metric, t.scope, t.is_active, count(p.day) AS points,
            min(p.day) AS first_day, max(p.day) AS last_day
        FROM trend_definitions AS t LEFT JOIN trend_points AS p ON p.trend_id = t.id GROUP BY t.id"""
    )
    found = {row["id"]: Trend(**{**dict(row), "is_active": bool(row["is_active"])}) for row in rows}
    new = (Trend(d.id, d.name, d.metric, d.scope, True, 0, None, None) for d in DEFINITIONS)
    return [found.get(trend.id, trend) for trend in new]


def switch(db: Database, name: str, *, on: bool) -> None:
    """Count and show a trend, or leave it; its points stay. One that is switched on is counted whole."""
    definition = require(name)
    with db.transaction() as connection:
        _define(db, connection)
        done = connection.execute(
            "UPDATE trend_definitions SET is_active = :on WHERE id = :id AND is_active IS NOT :on",
            {"on": on, "id": definition.id},
        )
        if on and done.rowcount:
            _count(db, connection, definition, BEGINNING)


def require(name: str) -> Definition:
    """The definition with this name."""
    for definition in DEFINITIONS:
        if definition.name == name:
            return definition
    raise ConfigError(f"there is no trend {name}", f"known: {', '.join(d.name for d in DEFINITIONS)}")


def series(db: Database, user_id: str, definition: Definition, days: Sequence[str]) -> list[Series]:
    """What the user may see of a trend, the largest first: one value a day, zeros where nothing happened.

    An admin sees the points, which are of the whole file. For anybody else changes, categories and reasons
    are counted now from what is theirs, behind the gate; the ledger is everybody's.
    """
    of = _points(db, user_id, definition)
    rows = db.rows(
        f"""SELECT p.series, p.day, p.value, coalesce(b.name, s.source_name, p.series) AS label
        FROM ({of}) AS p
        LEFT JOIN brands AS b ON :scope = 'brand' AND b.id = p.series
        LEFT JOIN sources_master_list AS s ON :scope = 'source' AND s.source_uuid = p.series
        WHERE p.day <= :to""",  # noqa: S608 - constants
        {
            "id": definition.id,
            "scope": definition.scope,
            "user_id": user_id,
            "since": days[0],
            "to": days[-1],
        },
    )
    points: dict[str, dict[str, float]] = {}
    labels: dict[str, str] = {}
    for row in rows:
        points.setdefault(row["series"], {})[row["day"]] = float(row["value"])
        labels[row["series"]] = row["label"]
    found = [Series(key, labels[key], tuple(days), without_gaps(at, days)) for key, at in points.items()]
    return sorted(found, key=lambda one: (-one.total, one.label, one.series))


def _points(db: Database, user_id: str, definition: Definition) -> str:
    """Where the points of a trend come from for this user."""
    own = _OWN.get(definition.name)
    plain = db.row("SELECT 1 FROM users WHERE id = :id AND role <> 'admin'", {"id": user_id})
    return f"SELECT day, series, count(*) AS value FROM ({own}) GROUP BY 1, 2" if own and plain else _POINTS  # noqa: S608


def _define(db: Database, connection: sqlite3.Connection) -> None:
    connection.executemany(
        """INSERT INTO trend_definitions (id, name, metric, scope, created_at, updated_at)
        VALUES (:id, :name, :metric, :scope, :now, :now) ON CONFLICT DO NOTHING""",
        [
            {"id": d.id, "name": d.name, "metric": d.metric, "scope": d.scope, "now": db.now_iso}
            for d in DEFINITIONS
        ],
    )


def _is_active(connection: sqlite3.Connection, definition: Definition) -> bool:
    (active,) = connection.execute(
        "SELECT is_active FROM trend_definitions WHERE id = :id", {"id": definition.id}
    ).fetchone()
    return bool(active)


def _count(
    db: Database, connection: sqlite3.Connection, definition: Definition, since_day: str | None
) -> Refreshed:
    since = since_day or _where_to_begin(db, connection, definition)
    params = {"id": definition.id, "since": since, "now": db.now_iso}
    counted = _COUNTED[definition.name]
    if since == BEGINNING:
        # All rows in the order in which they lie, rather than each by way of an index.
        counted = counted.replace("AND e.detected_at >=", "AND +e.detected_at >=")
    # The points that are there take part with nothing, so that one which is counted no more becomes 0.
    done = connection.execute(
        f"""INSERT INTO trend_points (trend_id, day, series, value, created_at, updated_at)
        SELECT :id, day, series, sum(one), :now, :now FROM (
            SELECT day, series, 1 AS one FROM ({counted})
            UNION ALL
            SELECT day, series, 0 FROM trend_points WHERE trend_id = :id AND day >= :since)
        GROUP BY series, day
        ON CONFLICT (trend_id, series, day) DO UPDATE SET value = excluded.value,
            updated_at = excluded.updated_at
        WHERE trend_points.value IS NOT excluded.value""",  # noqa: S608 - constants
        params,
    )
    gone = connection.execute(
        "DELETE FROM trend_points WHERE trend_id = :id AND day >= :since AND value = 0", params
    )
    return Refreshed(definition.name, since, done.rowcount - gone.rowcount, gone.rowcount)


def _where_to_begin(db: Database, connection: sqlite3.Connection, definition: Definition) -> str:
    """A week before the last point, or before today where that lies ahead; the beginning without one.

    A brand that was merged into another has left points that are the other's now: all are counted anew.
    """
    if definition.scope == "brand" and _has_lost_brands(connection, definition):
        return BEGINNING
    (day,) = connection.execute(
        """SELECT date(min(max(day), :today), :back) FROM trend_points WHERE trend_id = :id""",
        {"id": definition.id, "today": db.now_iso[:10], "back": f"-{_DAYS_ANEW} days"},
    ).fetchone()
    return max(day or BEGINNING, BEGINNING)


def _has_lost_brands(connection: sqlite3.Connection, definition: Definition) -> bool:
    found = connection.execute(
        """SELECT 1 FROM trend_points AS p WHERE p.trend_id = :id AND p.series <> 'none'
            AND NOT EXISTS (SELECT 1 FROM brand_library_brands AS b WHERE b.id = p.series) LIMIT 1""",
        {"id": definition.id},
    )
    return found.fetchone() is not None
