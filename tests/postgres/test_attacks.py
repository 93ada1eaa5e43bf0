"""What hostile clients try, and that nothing leaks: anon, a free user, another user, plain logins."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from postgres_server import Server, rows
from postgres_world import (
    ALICE,
    APPROVED,
    BOB,
    BOBS,
    MALLORY,
    NOBODYS,
    SHARED,
    START,
    TURNED_OFF,
    acting,
)
from store.rows import uuid

from digestlog.store.postgres_schema import tables

# Nobody but the service may even ask.
CLOSED = [
    "url_identity", "source_numbers", "sources_master_list", "source_fetch_state", "extracted_article_urls",
    "article_source_mentions", "url_resolutions", "source_left_out", "scraped_articles", "scrape_state",
    "scan_runs", "scan_source_results", "provider_answers", "policy_rules", "policy_lists", "policy_domains",
    "url_contents", "url_check_state", "tracked_urls", "url_checks", "url_changes", "summaries",
    "url_renders",
]  # fmt: skip
VIEWS = ["user_plans", "brands", "visible_urls", "visible_observations", "visible_change_events",
         "visible_change_summaries", "visible_render_artifacts"]  # fmt: skip


def add(user: str, page: str) -> str:
    return f"INSERT INTO user_url_library (user_id, url_id) VALUES ('{user}', '{page}')"


def submit(user: str, more: str = "", values: str = "") -> str:
    return f"INSERT INTO url_submissions (user_id, submitted_url{more}) VALUES ('{user}', 'x'{values})"


def claims(subject: str) -> str:
    return f"""SET request.jwt.claims = '{{"sub": "{subject}"}}';"""


FOREVER = "'2020-01-01T00:00:00+00:00'"

# name: (who, what). The server must refuse each of these.
REFUSED: dict[str, tuple[str, str]] = {
    # anon
    **{f"anon reads {table}": ("anon", f"SELECT * FROM {table}") for table in [*tables(), *VIEWS]},
    "anon submits": ("anon", submit(ALICE)),
    "anon empties": ("anon", "TRUNCATE user_url_library"),
    "anon asks who it is": ("anon", "SELECT digestlog.uid()"),
    # tables that tell of others
    **{f"a user reads {table}": ("alice", f"SELECT * FROM {table}") for table in CLOSED},
    "a user reads V1's view": ("alice", "SELECT * FROM v1_check_observations"),
    "a user reads passwords": ("alice", "SELECT password_hash FROM users"),
    "a user reads sessions": ("alice", "SELECT session_epoch FROM users"),
    "a user reads a whole row of users": ("alice", "SELECT * FROM users"),
    "a user sees which admin decided": ("alice", "SELECT decided_by FROM url_policy_decisions"),
    # emptying, which row-level security does not see
    **{f"a user truncates {table}": ("alice", f"TRUNCATE {table} CASCADE") for table in (
        "user_url_library", "url_submissions", "urls", "url_change_events", "article_history", "users")},
    # the start of the history
    "a user sets the start on insert": (
        "alice",
        f"""INSERT INTO user_url_library (user_id, url_id, history_start_at)
        VALUES ('{ALICE}', '{APPROVED}', NULL)""",
    ),
    "a user sets the start": ("alice", "UPDATE user_url_library SET history_start_at = NULL"),
    "a user sets it to long ago": ("alice", f"UPDATE user_url_library SET history_start_at = {FOREVER}"),
    "a user sets it in a conflict": (
        "alice",
        f"""INSERT INTO user_url_library (user_id, url_id) VALUES ('{ALICE}', '{SHARED}')
        ON CONFLICT (user_id, url_id) DO UPDATE SET history_start_at = NULL""",
    ),
    "a user dates the row back": ("alice", f"UPDATE user_url_library SET created_at = {FOREVER}"),
    # pages that were never approved for this user
    "a user adds another's page": (
        "alice", add(ALICE, BOBS)),
    "a user adds nobody's page": (
        "alice", add(ALICE, NOBODYS)),
    "a user asks by a key whether a page exists": (
        "alice", add(ALICE, uuid(0xFFFF))),
    "a blocked user adds a page": (
        "mallory", add(MALLORY, SHARED)),
    "a user turns a row to another page": ("alice", f"UPDATE user_url_library SET url_id = '{BOBS}'"),
    "a user adds for another": (
        "alice", add(BOB, APPROVED)),
    "a user gives a row away": ("alice", f"UPDATE user_url_library SET user_id = '{BOB}'"),
    "a user chooses the id of a row": (
        "alice",
        f"INSERT INTO user_url_library (id, user_id, url_id) VALUES ('{uuid(9)}', '{ALICE}', '{APPROVED}')",
    ),
    # plan
    "a user pays with a word": ("alice", "UPDATE subscriptions SET plan = 'paid'"),
    "a user inserts a plan": (
        "mallory", f"INSERT INTO subscriptions (user_id, plan) VALUES ('{MALLORY}', 'paid')"),
    "a user ends the own plan": ("alice", "DELETE FROM subscriptions"),
    "a user widens the plan": ("alice", "UPDATE plan_definitions SET max_tracked_urls = NULL"),
    "a user becomes an admin": ("alice", "UPDATE users SET role = 'admin'"),
    "a user makes a user": ("alice", f"INSERT INTO users (id, name) VALUES ('{uuid(9)}', 'x')"),
    # submissions
    "a user approves on insert": (
        "alice",
        submit(ALICE, ", status, matched_url_id", f", 'approved_linked_existing', '{BOBS}'"),
    ),
    "a user approves": (
        "alice",
        f"UPDATE url_submissions SET status = 'approved_linked_existing', matched_url_id = '{BOBS}'",
    ),
    "a user asks for a private network": (
        "alice",
        submit(ALICE, ", options", """, '{"allow_private": true}'"""),
    ),
    "a user names the canonical form": (
        "alice", submit(ALICE, ", canonical_url", ", 'y'")),
    "a user submits for another": (
        "alice", submit(BOB)),
    "a user submits a book": (
        "alice",
        f"INSERT INTO url_submissions (user_id, submitted_url) VALUES ('{ALICE}', repeat('x', 5000))",
    ),
    "a user takes a submission back": ("alice", "DELETE FROM url_submissions"),
    "a user decides": (
        "alice",
        f"""INSERT INTO url_policy_decisions (id, submission_id, decision, evidence)
        VALUES ('{uuid(9)}', '{uuid(0x3100)}', 'allow', '{{}}')""",
    ),
    # global tables
    **{
        f"a user writes {table}": ("alice", f"UPDATE {table} SET created_at = created_at")
        for table in ("urls", "url_observations", "url_change_events", "url_change_summaries",
                      "url_render_artifacts", "brand_library_brands", "trend_definitions", "trend_points",
                      "settings", "categories", "article_history", "syntheses", "told_events")
    },
    **{
        f"a user deletes {table}": ("alice", f"DELETE FROM {table}")
        for table in ("urls", "url_change_events", "users", "article_history", "onboarding_state")
    },
    "a user writes through a view": ("alice", "UPDATE brands SET name = 'x'"),
    "a user writes V1, which writes the library": (
        "alice",
        f"INSERT INTO url_checks (id, tracked_url_id, checked_at) VALUES ('{uuid(9)}', '{uuid(4)}', now())",
    ),
    "a user locks the pages": ("alice", "SELECT 1 FROM urls FOR UPDATE"),
    "a user onboards another": (
        "alice",
        f"INSERT INTO onboarding_state (user_id, step) VALUES ('{BOB}', 'x') ON CONFLICT DO NOTHING",
    ),
    # the machinery
    "a user reads the gateways": ("alice", "SELECT * FROM digestlog.gateways"),
    "a user becomes a gateway": ("alice", "INSERT INTO digestlog.gateways VALUES ('x')"),
    "a user reads who is who": ("alice", "SELECT * FROM digestlog.identities"),
    "a user becomes another": (
        "alice", f"INSERT INTO digestlog.identities VALUES ('jwt', '{ALICE}', '{BOB}')"),
    "a user takes turns": ("alice", "DELETE FROM digestlog.library_turns"),
    "a user calls a trigger": ("alice", "SELECT digestlog.set_library_history_gating()"),
    "a user turns the policies off": ("alice", "ALTER TABLE urls DISABLE ROW LEVEL SECURITY"),
    "a user turns the triggers off": ("alice", "SET session_replication_role = replica"),
    "a user drops a policy": ("alice", "DROP POLICY watched ON urls"),
    "a user reads with policies off": ("alice", "SET row_security = off; SELECT * FROM urls"),
    "a user makes a table": ("alice", "CREATE TABLE public.mine (id int)"),
    "a user makes a function": (
        "alice", "CREATE FUNCTION public.now() RETURNS date LANGUAGE sql AS 'SELECT NULL::date'"),
    "a user hangs a trigger on a table": (
        "alice", "CREATE TRIGGER t BEFORE INSERT ON user_url_library EXECUTE FUNCTION digestlog.touch()"),
    "a user copies a table out": ("alice", "COPY scraped_articles TO STDOUT"),
    "a user runs a program": ("alice", "COPY (SELECT 1) TO PROGRAM 'true'"),
    # plain logins
    "a login becomes the service": ("stranger", "SET ROLE service_role"),
    "a login becomes the owner": ("stranger", "SET SESSION AUTHORIZATION postgres"),
    "a login submits in a claimed name": (
        "stranger",
        f"""SET request.jwt.claims = '{{"sub": "{ALICE}"}}';
        INSERT INTO url_submissions (user_id, submitted_url) VALUES ('{ALICE}', 'x')""",
    ),
    "a login that is Bob adds for Alice": (
        "reader", add(ALICE, APPROVED)),
    "the service empties": ("service", "TRUNCATE urls CASCADE"),
    "the service moves the first sight": (
        "service", f"UPDATE extracted_article_urls SET article_detected_utc_iso = {FOREVER}"),
    "the service rewrites what was read": ("service", "UPDATE scraped_articles SET content_text = 'x'"),
    "the service claims to replay": (
        "service",
        f"""SET digestlog.replay = 'on';
        UPDATE extracted_article_urls SET article_detected_utc_iso = {FOREVER}""",
    ),
}  # fmt: skip

# name: (who, what). These are understood, and give or change nothing.
NOTHING: dict[str, tuple[str, str]] = {
    **{
        f"a user reads another's {table}": ("alice", f"SELECT 1 FROM {table} WHERE user_id = '{BOB}'")
        for table in (
            "subscriptions", "onboarding_state", "settings", "categories", "user_sources", "article_history",
            "syntheses", "told_events", "url_submissions", "user_url_library", "visible_urls", "user_plans",
            "visible_observations", "visible_change_events", "visible_change_summaries",
            "visible_render_artifacts",
        )
    },
    "a user reads other users": ("alice", f"SELECT id FROM users WHERE id <> '{ALICE}'"),
    "a user reads others' pages": ("alice", f"SELECT 1 FROM urls WHERE id <> '{SHARED}'"),
    "a page that was turned off": ("alice", f"SELECT 1 FROM urls WHERE id = '{TURNED_OFF}'"),
    "events of a page that was turned off": (
        "alice", f"SELECT 1 FROM url_change_events WHERE url_id = '{TURNED_OFF}'"),
    "others' brands": ("alice", "SELECT 1 FROM brands WHERE name = 'bob'"),
    "others' domains": ("alice", "SELECT 1 FROM brand_domains WHERE domain = 'bob.example'"),
    "old events": ("alice", f"SELECT 1 FROM url_change_events WHERE detected_at < '{START}'"),
    "old looks": ("alice", f"SELECT 1 FROM url_observations WHERE checked_at < '{START}'"),
    "old summaries": ("alice", "SELECT 1 FROM url_change_summaries WHERE summary LIKE '%2026-01%'"),
    "an old rendering": ("alice", f"SELECT 1 FROM url_render_artifacts WHERE created_at < '{START}'"),
    "a rendering that was stored late of an old look": (
        "alice", f"SELECT 1 FROM url_render_artifacts WHERE id = '{uuid(0x2300)}'"),
    "old events through a view": (
        "alice", f"SELECT 1 FROM visible_change_events WHERE detected_at < '{START}'"),
    "a leaky condition": (
        "alice",
        f"""SELECT 1 FROM url_change_events
        WHERE url_id = '{BOBS}' OR 1 / (CASE WHEN url_id = '{BOBS}' THEN 0 END) = 1""",
    ),
    "a join around the policy": (
        "alice",
        f"""SELECT 1 FROM url_change_summaries AS s JOIN url_change_events AS e ON e.id = s.event_id
        WHERE e.url_id = '{BOBS}'""",
    ),
    "others' digests": (
        "alice", f"SELECT 1 FROM synthesis_items WHERE synthesis_id <> '{uuid(0x12A1)}'"),
    "others' candidates": (
        "alice", f"SELECT 1 FROM synthesis_candidates WHERE synthesis_id <> '{uuid(0x12A1)}'"),
    "others' decisions": (
        "alice", f"SELECT 1 FROM url_policy_decisions WHERE submission_id = '{uuid(0x3103)}'"),
    "inactive trends": ("alice", "SELECT 1 FROM trend_definitions WHERE NOT is_active"),
    "points of inactive trends": ("alice", f"SELECT 1 FROM trend_points WHERE trend_id = '{uuid(0xD1)}'"),
    "turning off another's page": (
        "alice", f"UPDATE user_url_library SET is_active = false WHERE user_id = '{BOB}'"),
    "removing another's page": ("alice", f"DELETE FROM user_url_library WHERE user_id = '{BOB}'"),
    "finishing another's onboarding": (
        "alice", f"UPDATE onboarding_state SET step = 'x' WHERE user_id = '{BOB}'"),
    "statistics of others' rows": (
        "alice", "SELECT 1 FROM pg_stats WHERE tablename IN ('urls', 'users', 'url_submissions')"),
    "a newcomer sees no page": ("mallory", "SELECT 1 FROM urls"),
    "a newcomer sees no event": ("mallory", "SELECT 1 FROM url_change_events"),
    "a newcomer sees no brand": ("mallory", "SELECT 1 FROM brand_library_brands"),
    # plain logins: what they claim is not believed
    "a login without a user": ("stranger", "SELECT 1 FROM user_url_library"),
    "a login claims a name": (
        "stranger", f"SET request.jwt.claims = '{{\"sub\": \"{ALICE}\"}}'; SELECT 1 FROM user_url_library"),
    "a login claims it the older way": (
        "stranger", f"SET request.jwt.claim.sub = '{ALICE}'; SELECT 1 FROM user_url_library"),
    "a login claims the service's role": (
        "stranger", "SET request.jwt.claims = '{\"role\": \"service_role\"}'; SELECT 1 FROM urls"),
    "a login claims after SET ROLE": (
        "stranger",
        f"SET ROLE authenticated; SET request.jwt.claims = '{{\"sub\": \"{BOB}\"}}'; SELECT 1 FROM urls",
    ),
    "a login that is Bob claims to be Alice": (
        "reader",
        f"{claims(ALICE)} SELECT 1 FROM user_url_library WHERE user_id = '{ALICE}'",
    ),
    "a token without a subject": (
        "alice", "SET request.jwt.claims = '{\"role\": \"authenticated\"}'; SELECT 1 FROM urls"),
    "a token whose subject is no id": (
        "alice", "SET request.jwt.claims = '{\"sub\": \"alice'' OR true\"}'; SELECT 1 FROM urls"),
    "a token of somebody unknown": (
        "alice", f"SET request.jwt.claims = '{{\"sub\": \"{uuid(0xFFFF)}\"}}'; SELECT 1 FROM urls"),
    "no token at all": ("alice", "RESET request.jwt.claims; SELECT 1 FROM urls"),
}  # fmt: skip

_DENIED = (
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.IntegrityConstraintViolation,
)


def attempt(connection: psycopg.Connection[Any], sql: str) -> int:
    """Run the statements; how many rows the last one gave or changed."""
    cursor = connection.execute(sql)
    while cursor.nextset():
        pass
    return cursor.rowcount


def test_there_are_attacks_enough() -> None:
    assert len(REFUSED) + len(NOTHING) > 150


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(server: Server, shared_world: str, name: str) -> None:
    actor, sql = REFUSED[name]
    with acting(server, shared_world, actor) as connection, pytest.raises(_DENIED):
        with connection.transaction(force_rollback=True):
            attempt(connection, sql)


@pytest.mark.parametrize("name", NOTHING)
def test_it_gives_nothing(server: Server, shared_world: str, name: str) -> None:
    actor, sql = NOTHING[name]
    with acting(server, shared_world, actor) as connection:
        with connection.transaction(force_rollback=True):
            assert attempt(connection, sql) == 0


def fingerprint(server: Server, database: str) -> dict[str, str]:
    """Every table, row by row, as its owner sees it."""
    with server.connect(database) as connection:
        names = [f"public.{t}" for t in tables()] + ["digestlog.gateways", "digestlog.identities"]
        return {
            name: rows(connection, f"SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {name} AS t")[
                0
            ][0]
            for name in names
        }


def test_after_all_of_them_nothing_has_changed(server: Server, world: str) -> None:
    before = fingerprint(server, world)
    for actor, sql in [*REFUSED.values(), *NOTHING.values()]:
        with acting(server, world, actor) as connection:
            try:
                attempt(connection, sql)
            except psycopg.Error:
                pass
    assert fingerprint(server, world) == before
