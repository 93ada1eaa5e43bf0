"""What users may do and see in Postgres, and that every table, view and function is guarded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from postgres_server import Server, rows
from postgres_world import ALICE, APPROVED, SHARED, START, acting

# --- what users may do ------------------------------------------------------------------------

MAY_READ: dict[str, tuple[str, str, list[tuple[Any, ...]]]] = {
    "own name": ("alice", "SELECT name, role FROM users", [("alice", "user")]),
    "own plan": ("alice", "SELECT plan, full_history FROM user_plans", [("free", False)]),
    "the plans": ("alice", "SELECT count(*) FROM plan_definitions", [(2,)]),
    "own subscription": ("bob", "SELECT plan FROM subscriptions", [("paid",)]),
    "own settings": ("alice", "SELECT count(*) FROM settings", [(1,)]),
    "own categories": ("alice", "SELECT count(*) FROM categories", [(1,)]),
    "own history": ("alice", "SELECT count(*) FROM article_history", [(1,)]),
    "own digests": ("alice", "SELECT title FROM syntheses", [("alice's digest",)]),
    "items of own digests": ("alice", "SELECT count(*) FROM synthesis_items", [(1,)]),
    "own library": ("alice", "SELECT is_active FROM user_url_library ORDER BY 1", [(False,), (True,)]),
    "watched pages": ("alice", "SELECT canonical_url FROM urls", [("https://shop.example/shared",)]),
    "both pages of Bob": ("bob", "SELECT count(*) FROM urls", [(2,)]),
    "brands of watched pages": ("alice", "SELECT name FROM brands", [("shop",)]),
    "new events": ("alice", "SELECT count(*) FROM url_change_events", [(1,)]),
    "all events": ("bob", "SELECT count(*) FROM url_change_events", [(4,)]),
    "new looks": ("alice", "SELECT count(*) FROM url_observations", [(1,)]),
    "all looks": ("bob", "SELECT count(*) FROM visible_observations", [(4,)]),
    "new summaries": ("alice", "SELECT count(*) FROM visible_change_summaries", [(1,)]),
    "all summaries": ("bob", "SELECT count(*) FROM url_change_summaries", [(4,)]),
    "new renderings": ("alice", "SELECT count(*) FROM url_render_artifacts", [(2,)]),
    "all renderings": ("bob", "SELECT count(*) FROM visible_render_artifacts", [(8,)]),
    "own submissions": ("alice", "SELECT count(*) FROM url_submissions", [(3,)]),
    "decisions on them": ("mallory", "SELECT decision FROM url_policy_decisions", [("block",)]),
    "active trends": ("alice", "SELECT name FROM trend_definitions", [("t1",)]),
    "their points": ("alice", "SELECT count(*) FROM trend_points", [(1,)]),
    "a login that is Bob": ("reader", "SELECT count(*) FROM url_change_events", [(4,)]),
    "the service, all pages": ("service", "SELECT count(*) FROM urls", [(5,)]),
    "the service, V1": ("service", "SELECT count(*) FROM url_checks", [(1,)]),
}  # fmt: skip


@pytest.mark.parametrize("name", MAY_READ)
def test_users_read_what_is_theirs(server: Server, shared_world: str, name: str) -> None:
    actor, sql, expected = MAY_READ[name]
    with acting(server, shared_world, actor) as connection:
        assert rows(connection, sql) == expected


def test_a_user_adds_turns_off_turns_on_and_removes_a_page(server: Server, world: str) -> None:
    add = "INSERT INTO user_url_library (user_id, url_id) VALUES (%s, %s) RETURNING history_start_at"
    with acting(server, world, "alice") as alice:
        ((start,),) = rows(alice, add, [ALICE, APPROVED])
        assert start is not None
        assert rows(alice, "SELECT 1 FROM urls WHERE id = %s", [APPROVED]) == [(1,)]
        alice.execute("UPDATE user_url_library SET is_active = false WHERE url_id = %s", [APPROVED])
        assert rows(alice, "SELECT 1 FROM urls WHERE id = %s", [APPROVED]) == []
        alice.execute("UPDATE user_url_library SET is_active = true WHERE url_id = %s", [APPROVED])
        assert rows(alice, "SELECT 1 FROM urls WHERE id = %s", [APPROVED]) == [(1,)]
        alice.execute("DELETE FROM user_url_library WHERE url_id = %s", [APPROVED])
        assert rows(alice, "SELECT 1 FROM urls WHERE id = %s", [APPROVED]) == []


def test_a_user_submits_an_address(server: Server, world: str) -> None:
    with acting(server, world, "alice") as alice:
        alice.execute(
            "INSERT INTO url_submissions (user_id, submitted_url) VALUES (%s, 'https://new.example/')",
            [ALICE],
        )
        found = rows(
            alice, "SELECT status, matched_url_id FROM url_submissions ORDER BY created_at DESC LIMIT 1"
        )
    assert found == [("pending", None)]


def test_a_user_goes_on_with_the_own_onboarding(server: Server, world: str) -> None:
    with acting(server, world, "alice") as alice:
        assert alice.execute("UPDATE onboarding_state SET step = 'second'").rowcount == 1


def test_what_is_removed_and_added_again_starts_again(server: Server, world: str) -> None:
    with acting(server, world, "alice") as alice:
        alice.execute("UPDATE user_url_library SET is_active = false WHERE url_id = %s", [SHARED])
        alice.execute("UPDATE user_url_library SET is_active = true WHERE url_id = %s", [SHARED])
        assert rows(alice, "SELECT 1 FROM url_change_events") == []
        ((start,),) = rows(alice, "SELECT history_start_at FROM user_url_library WHERE url_id = %s", [SHARED])
    assert start.isoformat() > START


def test_a_patient_transaction_gains_no_history(server: Server, world: str) -> None:
    """now() would be when the transaction began."""
    with acting(server, world, "alice") as alice:
        with alice.transaction():
            ((began,),) = rows(alice, "SELECT now()")
            alice.execute("SELECT pg_sleep(1.1)")
            ((start,),) = rows(
                alice,
                "INSERT INTO user_url_library (user_id, url_id) VALUES (%s, %s) RETURNING history_start_at",
                [ALICE, APPROVED],
            )
    assert start > began


def test_an_upgrade_leaves_the_start_and_an_admin_resets_it(server: Server, world: str) -> None:
    with acting(server, world, "service") as service, acting(server, world, "alice") as alice:
        service.execute("UPDATE subscriptions SET plan = 'paid' WHERE user_id = %s", [ALICE])
        assert rows(alice, "SELECT count(*) FROM url_change_events") == [(1,)]
        service.execute(
            "UPDATE user_url_library SET history_start_at = NULL WHERE user_id = %s AND url_id = %s",
            [ALICE, SHARED],
        )
        assert rows(alice, "SELECT count(*) FROM url_change_events") == [(2,)]


def test_every_table_is_guarded(server: Server, shared_world: str) -> None:
    with server.connect(shared_world) as connection:
        open_tables = rows(
            connection,
            """SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relrowsecurity
            AND relnamespace = 'public'::regnamespace""",
        )
        truncating = rows(
            connection,
            """SELECT grantee, table_name FROM information_schema.role_table_grants
            WHERE table_schema IN ('public', 'digestlog')
            AND grantee IN ('anon', 'authenticated', 'service_role', 'PUBLIC')
            AND privilege_type IN ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN')""",
        )
        views = rows(
            connection,
            """SELECT relname FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
            AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)""",
        )
        loose = rows(
            connection,
            """SELECT proname FROM pg_proc WHERE pronamespace = 'digestlog'::regnamespace
            AND (proconfig IS NULL OR NOT 'search_path=""' = ANY (proconfig))""",
        )
    assert (open_tables, truncating, views, loose) == ([], [], [], [])


def test_the_policies_are_worked_out_once_for_a_query(server: Server, shared_world: str) -> None:
    with acting(server, shared_world, "alice") as alice:
        alice.execute("SET enable_seqscan = off")
        ((plan,),) = rows(alice, "EXPLAIN (FORMAT json) SELECT * FROM url_change_events")
    text = json.dumps(plan)
    assert "InitPlan" in text
    assert "idx_url_change_events_url" in text
