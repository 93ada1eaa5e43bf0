"""What row-level security shows a user is what the file itself would export for that user."""

from __future__ import annotations

import io
import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from postgres_server import Server
from postgres_world import claim, make_roles
from store.rows import put, uuid

from digestlog.core.canonical import url_id
from digestlog.core.moments import to_iso
from digestlog.jobs.export import PostgresOptions, export_postgres
from digestlog.store import export
from digestlog.store.db import Database
from digestlog.store.postgres_schema import tables

USERS = [uuid(0x100 + number) for number in range(5)]
PAGES = [f"https://page{number}.example/" for number in range(12)]
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def moment(chance: random.Random) -> str:
    return to_iso(EPOCH + timedelta(hours=chance.randrange(40)))


def fill(db: Database, chance: random.Random) -> None:
    """Users and pages at random: who watches what, since when, and what happened."""
    with db.transaction() as connection:
        for number, page in enumerate(PAGES):
            brand = uuid(0x200 + number // 2)
            if number % 2 == 0:
                put(connection, "brand_library_brands", id=brand, name=page, domain=page)
                put(connection, "brand_domains", domain=page, brand_id=brand)
            put(
                connection,
                "urls",
                id=url_id(page),
                canonical_url=page,
                url=page,
                brand_id=chance.choice([brand, None]),
            )
        for number, user in enumerate(USERS):
            put(connection, "users", id=user, name=f"user {number}")
            put(connection, "settings", user_id=user)
            put(connection, "syntheses", id=uuid(0x300 + number), user_id=user)
            put(
                connection,
                "synthesis_items",
                id=uuid(0x400 + number),
                synthesis_id=uuid(0x300 + number),
                article_uuid=None,
            )
            _library(connection, chance, user)
        for number in range(150):
            _happening(connection, chance, number)


def _library(connection: Any, chance: random.Random, user: str) -> None:
    for page in chance.sample(PAGES, 5):
        id_ = uuid(chance.getrandbits(48))
        put(connection, "user_url_library", id=id_, user_id=user, url_id=url_id(page), is_active=1)
        start = chance.choice([None, moment(chance)])
        connection.execute(
            "UPDATE user_url_library SET history_start_at = ?, is_active = ? WHERE id = ?",
            (start, int(chance.random() < 0.7), id_),
        )
        submission = uuid(chance.getrandbits(48))
        put(connection, "url_submissions", id=submission, user_id=user, matched_url_id=url_id(page))
        put(connection, "url_policy_decisions", id=uuid(chance.getrandbits(48)), submission_id=submission,
            decided_by=USERS[0])  # fmt: skip


def _happening(connection: Any, chance: random.Random, number: int) -> None:
    page, at = url_id(chance.choice(PAGES)), moment(chance)
    look, event = uuid(0x10000 + number), uuid(0x20000 + number)
    put(connection, "url_observations", id=look, url_id=page, checked_at=at, checked_day=at[:10])
    put(
        connection,
        "url_change_events",
        id=event,
        url_id=page,
        observation_id=look,
        detected_at=moment(chance),
    )
    put(connection, "url_change_summaries", id=uuid(0x30000 + number), event_id=event)
    put(connection, "url_render_artifacts", id=uuid(0x40000 + number), url_id=page,
        observation_id=chance.choice([look, None]), created_at=moment(chance))  # fmt: skip
    if number % 10 == 0:
        put(connection, "told_events", user_id=chance.choice(USERS), event_id=event)
        put(
            connection,
            "trend_definitions",
            id=uuid(0x50000 + number),
            name=f"t{number}",
            is_active=number % 20 == 0,
        )
        put(connection, "trend_points", trend_id=uuid(0x50000 + number), value=3.5)


def in_file(db: Database, user: str, table: str) -> list[str]:
    part = export.parts(user)[table]
    return sorted(json.dumps(row, sort_keys=True) for row in export.records(db, part, user))


def in_postgres(connection: psycopg.Connection[Any], table: str, part: export.Part) -> list[str]:
    """The rows as the user has them from SELECT, in the words of an export."""
    named = (f"encode({c.name}, 'base64') AS {c.name}" if c.kind == "bytea" else c.name for c in part.columns)
    shown = ", ".join(named)
    cursor = connection.execute(f"SELECT to_json(t)::text FROM (SELECT {shown} FROM {table}) AS t")
    return sorted(json.dumps(json.loads(row[0]), sort_keys=True) for row in cursor)


@pytest.mark.parametrize("seed", range(3))
def test_both_show_the_same_rows(server: Server, empty_database: str, db: Database, seed: int) -> None:
    make_roles(server)
    fill(db, random.Random(seed))
    out = io.BytesIO()
    export_postgres(db, out, PostgresOptions(inserts=True), lambda *_: None)
    with server.connect(empty_database, autocommit=True) as owner:
        owner.execute(out.getvalue())
    shown = 0
    for user in USERS:
        with server.connect(empty_database, "authenticator", autocommit=True) as connection:
            connection.execute("SET timezone = 'UTC'")
            claim(connection, "authenticated", user)
            for table in tables():
                if table not in export.parts(user):
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        connection.execute(f"SELECT 1 FROM {table}")
                    continue
                mine = in_file(db, user, table)
                assert in_postgres(connection, table, export.parts(user)[table]) == mine, (user, table)
                shown += len(mine)
    assert shown > 300
