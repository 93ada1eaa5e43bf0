"""Steps 3 to 6 of the backfill: checks, changes, summaries, renders; and what has not come over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Step:
    """A step that one statement does for any number of pages."""

    number: int
    table: str
    target: str
    sql: str
    # How a row of the table leads to its tracked page.
    via: str = "JOIN tracked_urls AS t ON t.id = c.tracked_url_id"


_PAGES_OF = """JOIN tracked_urls AS t ON t.id = c.tracked_url_id
    JOIN urls AS u ON u.canonical_url = t.canonical_url
    WHERE u.id IN (SELECT value FROM json_each(:url_ids))"""
_LOOK = "(SELECT v.observation_id FROM v1_check_observations AS v WHERE v.check_id = c.check_id)"

STEPS = (
    Step(
        3,
        "url_checks",
        "url_observations",
        f"""INSERT INTO url_observations
            (id, url_id, checked_at, checked_day, http_status, content_sha256, outcome, error, origin,
            created_at)
        SELECT c.id, u.id, c.checked_at, substr(c.checked_at, 1, 10), c.status_code, c.content_hash,
            CASE WHEN c.error IS NULL AND coalesce(c.status_code, 200) < 400 THEN 'ok' ELSE 'failed' END,
            c.error, 'v1', c.created_at
        FROM url_checks AS c {_PAGES_OF}
        ORDER BY c.checked_at, c.created_at, c.id ON CONFLICT DO NOTHING""",  # noqa: S608 - constants
    ),
    Step(
        4,
        "url_changes",
        "url_change_events",
        f"""INSERT INTO url_change_events
            (id, url_id, observation_id, detected_at, kind, state, "before", "after", created_at, updated_at)
        SELECT c.id, u.id, {_LOOK}, c.detected_at, 'text_changed', 'real', c."before", c."after",
            c.created_at, c.created_at
        FROM url_changes AS c {_PAGES_OF} ON CONFLICT DO NOTHING""",  # noqa: S608 - constants
    ),
    Step(
        5,
        "summaries",
        "url_change_summaries",
        """INSERT INTO url_change_summaries (id, event_id, summary, method, created_at)
        SELECT c.id, e.id, c.summary, 'v1', c.created_at
        FROM summaries AS c JOIN url_change_events AS e ON e.id = c.change_id
        WHERE e.url_id IN (SELECT value FROM json_each(:url_ids)) ON CONFLICT DO NOTHING""",  # noqa: S608 - constants
        "JOIN url_changes AS x ON x.id = c.change_id JOIN tracked_urls AS t ON t.id = x.tracked_url_id",
    ),
    Step(
        6,
        "url_renders",
        "url_render_artifacts",
        f"""INSERT INTO url_render_artifacts (id, url_id, observation_id, kind, content, created_at)
        SELECT c.id, u.id, {_LOOK}, 'v1', c.content, c.created_at
        FROM url_renders AS c {_PAGES_OF} ON CONFLICT DO NOTHING""",  # noqa: S608 - constants
    ),
)


def batches(db: Database, step: Step, size: int) -> Iterator[list[str]]:
    """The pages that have rows of a step, so many together that their rows are about `size`."""
    rows = db.rows(
        f"""SELECT u.id, count(*) AS rows FROM {step.table} AS c {step.via}
        JOIN urls AS u ON u.canonical_url = t.canonical_url GROUP BY u.id ORDER BY u.id"""  # noqa: S608
    )
    batch: list[str] = []
    held = 0
    for row in rows:
        if batch and held + row["rows"] > size:
            yield batch
            batch, held = [], 0
        batch.append(row["id"])
        held += row["rows"]
    if batch:
        yield batch


def bring_over(db: Database, step: Step, url_ids: Sequence[str]) -> int:
    """Do a step for these pages, in one transaction; how many rows came over."""
    with db.transaction() as connection:
        return connection.execute(step.sql, {"url_ids": json.dumps(url_ids)}).rowcount


# --- status ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Count:
    """One way of rows: how many there are on both sides, and how many have not come over."""

    step: int
    table: str
    rows: int
    target: str
    target_rows: int
    missing: int


_MISSING = {
    1: "SELECT count(*) FROM tracked_urls AS t WHERE NOT EXISTS"
    " (SELECT 1 FROM urls WHERE urls.canonical_url = t.canonical_url)",
    2: "SELECT count(*) FROM tracked_urls AS t WHERE NOT EXISTS"
    " (SELECT 1 FROM urls AS u JOIN user_url_library AS mine ON mine.url_id = u.id"
    " WHERE u.canonical_url = t.canonical_url AND mine.user_id = t.user_id)",
    3: "SELECT count(*) FROM url_checks AS c WHERE NOT EXISTS"
    " (SELECT 1 FROM v1_check_observations AS v WHERE v.check_id = c.id)",
    4: "SELECT count(*) FROM url_changes AS c WHERE NOT EXISTS"
    " (SELECT 1 FROM url_change_events AS e WHERE e.id = c.id)",
    5: "SELECT count(*) FROM summaries AS c WHERE NOT EXISTS"
    " (SELECT 1 FROM url_change_summaries AS s WHERE s.id = c.id)",
    6: "SELECT count(*) FROM url_renders AS c WHERE NOT EXISTS"
    " (SELECT 1 FROM url_render_artifacts AS a WHERE a.id = c.id)",
}
# The library's rows that are the older tracker's, or that it shares.
_TARGETS = {
    1: "SELECT count(*) FROM urls",
    2: "SELECT count(*) FROM user_url_library",
    3: "SELECT count(*) FROM url_observations WHERE origin = 'v1'",
    4: "SELECT count(*) FROM url_change_events AS e JOIN url_changes AS c ON c.id = e.id",
    5: "SELECT count(*) FROM url_change_summaries WHERE method = 'v1'",
    6: "SELECT count(*) FROM url_render_artifacts WHERE kind = 'v1'",
}


def counts(db: Database) -> list[Count]:
    """Each step's rows on both sides, and what has not come over."""
    ways = [(1, "tracked_urls", "urls"), (2, "tracked_urls", "user_url_library")]
    ways += [(step.number, step.table, step.target) for step in STEPS]
    return [
        Count(
            number,
            table,
            _one(db, f"SELECT count(*) FROM {table}"),  # noqa: S608 - constants
            target,
            _one(db, _TARGETS[number]),
            _one(db, _MISSING[number]),
        )
        for number, table, target in ways
    ]


def _one(db: Database, sql: str) -> int:
    return int(db.rows(sql)[0][0])
