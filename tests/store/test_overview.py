from __future__ import annotations

from conftest import NOW
from store.rows import USER, put, uuid

from digestlog.core.moments import to_iso
from digestlog.store import overview
from digestlog.store.access import Visitor
from digestlog.store.db import Database
from digestlog.store.overview import Overview

NOW_ISO = to_iso(NOW)


def test_a_user_sees_numbers_of_what_is_theirs(db: Database) -> None:
    connection = db.connection
    put(connection, "users")
    for number in (1, 2):
        put(
            connection,
            "urls",
            id=uuid(100 + number),
            canonical_url=f"https://x.example/{number}",
            brand_id=None,
        )
    put(connection, "user_url_library", url_id=uuid(101))
    connection.execute("UPDATE user_url_library SET history_start_at = '2026-02-13T00:00:00+00:00'")
    for number, (page, state, at) in enumerate(
        [
            (101, "real", NOW_ISO),
            (101, "real", "2026-02-12T23:00:00+00:00"),
            (101, "volatile", NOW_ISO),
            (102, "real", NOW_ISO),
        ]
    ):
        event = {"id": uuid(200 + number), "url_id": uuid(page), "state": state, "detected_at": at}
        put(connection, "url_change_events", event, observation_id=None)
    put(connection, "syntheses")
    assert overview.of(db, Visitor(USER, "anna", "user")) == Overview(1, 1, 1, None, None)


def test_an_admin_sees_the_ledger_too(db: Database) -> None:
    connection = db.connection
    for table in ("sources_master_list", "source_fetch_state", "extracted_article_urls"):
        put(connection, table)
    (owner,) = db.rows("SELECT id, name, role FROM users")
    assert overview.of(db, Visitor(**dict(owner))) == Overview(0, 0, 0, 1, 1)
