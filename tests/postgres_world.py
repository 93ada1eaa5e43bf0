"""A database with several users in it, and the ways in which they reach it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from postgres_server import SUPERUSER, Server
from store.rows import ROWS, uuid

OLD, START, NEW = (f"2026-0{month}-01T12:00:00+00:00" for month in (1, 2, 3))

OWNER, ALICE, BOB, MALLORY = (uuid(n) for n in (0xA0, 0xA1, 0xA2, 0xA3))
# Alice, free, watches the shared page since START and has turned off another; Bob, paid, watches the
# shared page and one of his own. Mallory, free, watches nothing.
SHARED, TURNED_OFF, BOBS, NOBODYS, APPROVED = (uuid(n) for n in (0xB0, 0xB1, 0xB2, 0xB3, 0xB4))
PAGES = {
    SHARED: "https://shop.example/shared",
    TURNED_OFF: "https://shop.example/off",
    BOBS: "https://bob.example/secret-plans",
    NOBODYS: "https://nobody.example/",
    APPROVED: "https://shop.example/approved",
}
BRANDS = {"shop": uuid(0xC0), "bob": uuid(0xC1)}
FREE_PAGES = 3

GATEWAY, STRANGER, READER = "authenticator", "digestlog_test_stranger", "digestlog_test_reader"


def place(connection: psycopg.Connection[Any], table: str, **changes: Any) -> None:
    """Insert the good row of a table into Postgres, with some columns changed."""
    row = {**ROWS[table], **changes}
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join(["%s"] * len(row))
    values = [str(v) if isinstance(v, int | float) else v for v in row.values()]
    connection.execute(f"INSERT INTO public.{table} ({names}) VALUES ({marks})", values)


def make_roles(server: Server) -> None:
    """Logins as they are around a real database; roles belong to the whole server."""
    with server.locked("roles"), server.connect("postgres", autocommit=True) as connection:
        for name, rest in (
            ("anon", "NOLOGIN"),
            ("authenticated", "NOLOGIN"),
            ("service_role", "NOLOGIN"),
            (GATEWAY, "LOGIN NOINHERIT IN ROLE anon, authenticated, service_role"),
            (STRANGER, "LOGIN IN ROLE authenticated"),
            (READER, "LOGIN IN ROLE authenticated"),
        ):
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone() is None:
                connection.execute(f"CREATE ROLE {name} {rest}")


def populate(connection: psycopg.Connection[Any]) -> None:
    """The users, their pages, and what happened on them before and after START."""
    with connection.transaction():
        connection.execute("SET LOCAL digestlog.replay = 'on'")
        place(connection, "url_identity")
        place(connection, "plan_definitions", max_tracked_urls=FREE_PAGES)
        place(connection, "plan_definitions", plan="paid", max_tracked_urls=None, full_history=1)
        for user, name in ((OWNER, "owner"), (ALICE, "alice"), (BOB, "bob"), (MALLORY, "mallory")):
            _user(connection, user, name)
        _ledger(connection)
        for brand, id_ in BRANDS.items():
            place(connection, "brand_library_brands", id=id_, name=brand, domain=f"{brand}.example")
            place(connection, "brand_domains", domain=f"{brand}.example", brand_id=id_)
        for number, (page, url) in enumerate(PAGES.items()):
            brand = BRANDS["bob" if page in (BOBS, NOBODYS) else "shop"]
            place(connection, "urls", id=page, canonical_url=url, url=url, brand_id=brand)
            _past(connection, page, number * 16)
        _library(connection)
        for number, active in enumerate((1, 0)):
            place(
                connection, "trend_definitions", id=uuid(0xD0 + number), name=f"t{active}", is_active=active
            )
            place(connection, "trend_points", trend_id=uuid(0xD0 + number))
        place(connection, "policy_rules")
        place(connection, "policy_lists")
        place(connection, "policy_domains")
        _v1(connection)
        connection.execute(
            "INSERT INTO digestlog.identities (kind, subject, user_id) VALUES ('login', %s, %s)",
            [READER, BOB],
        )


def _user(connection: psycopg.Connection[Any], user: str, name: str) -> None:
    number = int(user[-2:], 16)
    place(connection, "users", id=user, name=name, role="admin" if user == OWNER else "user")
    place(connection, "subscriptions", user_id=user, plan="paid" if user in (OWNER, BOB) else "free")
    for table in ("onboarding_state", "settings"):
        place(connection, table, user_id=user)
    place(connection, "categories", id=uuid(0x1000 + number), user_id=user)
    place(connection, "article_history", id=uuid(0x1100 + number), user_id=user)
    place(connection, "syntheses", id=uuid(0x1200 + number), user_id=user, title=f"{name}'s digest")
    place(
        connection,
        "synthesis_items",
        id=uuid(0x1300 + number),
        synthesis_id=uuid(0x1200 + number),
        article_uuid=None,
    )
    place(connection, "synthesis_candidates", synthesis_id=uuid(0x1200 + number), article_uuid=None)


def _ledger(connection: psycopg.Connection[Any]) -> None:
    for table in ("source_numbers", "sources_master_list", "source_fetch_state", "extracted_article_urls",
                  "article_source_mentions", "url_resolutions", "source_left_out", "scraped_articles",
                  "scrape_state", "scan_runs", "scan_source_results", "provider_answers"):  # fmt: skip
        place(connection, table)
    for user in (ALICE, BOB):
        place(connection, "user_sources", user_id=user)


def _past(connection: psycopg.Connection[Any], page: str, offset: int) -> None:
    """A look, an event, its summary and a rendering, before START and after."""
    for number, at in enumerate((OLD, NEW)):
        n = offset + number
        look, event = uuid(0x2000 + n), uuid(0x2100 + n)
        place(connection, "url_observations", id=look, url_id=page, checked_at=at, checked_day=at[:10])
        place(connection, "url_change_events", id=event, url_id=page, observation_id=look, detected_at=at)
        place(connection, "url_change_summaries", id=uuid(0x2200 + n), event_id=event, summary=f"{page} {at}")
        # Stored late: by its own time it would be after every start.
        place(
            connection,
            "url_render_artifacts",
            id=uuid(0x2300 + n),
            url_id=page,
            observation_id=look,
            created_at=NEW,
        )
        place(
            connection,
            "url_render_artifacts",
            id=uuid(0x2400 + n),
            url_id=page,
            observation_id=None,
            created_at=at,
        )
    if offset == 0:
        place(connection, "url_contents")
        place(connection, "url_check_state", url_id=page, observation_id=uuid(0x2000))


def _library(connection: psycopg.Connection[Any]) -> None:
    for number, (user, page, active, start) in enumerate(
        (
            (ALICE, SHARED, 1, START),
            (ALICE, TURNED_OFF, 0, OLD),
            (BOB, SHARED, 1, None),
            (BOB, BOBS, 1, None),
            (OWNER, NOBODYS, 0, None),
        )
    ):
        place(connection, "user_url_library", id=uuid(0x3000 + number), user_id=user, url_id=page,
              is_active=active, history_start_at=start)  # fmt: skip
    for number, (user, page, status) in enumerate(
        (
            (ALICE, SHARED, "approved_linked_existing"),
            (ALICE, APPROVED, "approved_linked_existing"),
            (ALICE, TURNED_OFF, "approved_created_global"),
            (BOB, BOBS, "approved_created_global"),
            (MALLORY, None, "blocked"),
        )
    ):
        place(connection, "url_submissions", id=uuid(0x3100 + number), user_id=user, matched_url_id=page,
              status=status, submitted_url=f"https://submitted.example/{number}")  # fmt: skip
        decision = "block" if status == "blocked" else "allow"
        place(connection, "url_policy_decisions", id=uuid(0x3200 + number), decision=decision,
              submission_id=uuid(0x3100 + number), decided_by=OWNER)  # fmt: skip
    for user, event in ((ALICE, uuid(0x2101)), (BOB, uuid(0x2100))):
        place(connection, "told_events", user_id=user, event_id=event)


def _v1(connection: psycopg.Connection[Any]) -> None:
    place(connection, "tracked_urls", user_id=BOB, url=PAGES[BOBS], canonical_url=PAGES[BOBS])
    for table in ("url_checks", "url_changes", "summaries", "url_renders"):
        place(connection, table)


# --- who comes --------------------------------------------------------------------------------


@contextmanager
def acting(server: Server, database: str, actor: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection as this actor has it; each statement on its own unless a transaction is begun."""
    logins = {"service": GATEWAY, "anon": GATEWAY, "stranger": STRANGER, "reader": READER, "owner": SUPERUSER}
    with server.connect(database, logins.get(actor, GATEWAY), autocommit=True) as connection:
        if actor == "anon":
            claim(connection, "anon", None)
        elif actor == "service":
            claim(connection, "service_role", None)
        elif actor not in logins:
            claim(connection, "authenticated", {"alice": ALICE, "bob": BOB, "mallory": MALLORY}[actor])
        yield connection


def claim(connection: psycopg.Connection[Any], role: str, subject: str | None) -> None:
    """What PostgREST does at the start of a request, after it has checked the token."""
    claims = {"role": role} | ({"sub": subject} if subject else {})
    connection.execute("SELECT set_config('request.jwt.claims', %s, false)", [json.dumps(claims)])
    connection.execute(f"SET ROLE {role}")
