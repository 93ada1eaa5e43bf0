"""What holds for every table: found by looking at the schema, so that a new table is looked at too."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from store.rows import ROWS, THEN, put, uuid

LATER = "2026-02-13T09:02:10+00:00"
MUCH_LATER = "2026-03-01T00:00:00+00:00"

# Rows that are written once. The clock's row lives inside one transaction.
NEVER_CHANGED = {
    "file_owner",
    "access_tokens",
    "provider_answers",
    "clock",
    "change_log",
    "article_completions",
    "article_source_mentions",
    "scraped_articles",
    "scan_source_results",
    "user_sources",
    "article_history",
    "syntheses",
    "synthesis_items",
    "synthesis_candidates",
    "url_policy_decisions",
    "url_observations",
    "url_contents",
    "url_change_summaries",
    "url_render_artifacts",
    "told_events",
    "policy_domains",
    "url_checks",
    "url_changes",
    "summaries",
    "url_renders",
}

# Names that exports, dashboards and people depend on.
FIXED = """
sources_master_list source_uuid source_name source_url url_scraping_method is_active created_at updated_at
source_fetch_state source_uuid etag last_modified body_sha256 last_scanned_at last_success_at next_scan_at \
consecutive_failures last_error
article_source_mentions article_uuid source_uuid article_url_original first_seen_at
scraped_articles scrape_id article_uuid scraped_at http_status title author language published_utc_iso \
content_text content_sha256
scrape_state article_uuid status attempts next_attempt_at last_error
scan_runs entries new known outside_window undated outcome error
scan_source_results entries new known outside_window undated outcome error
users id name role created_at
settings user_id article_history_days source_diversity_window max_items_per_category language
categories id user_id name description keywords position
user_sources user_id source_uuid
article_history id user_id url_hash url created_at
synthesis_items category position article_uuid url title summary source score why
urls id canonical_url url brand_id check_frequency next_check_at last_checked_at
url_submissions id user_id submitted_url canonical_url status matched_url_id
url_policy_decisions id submission_id decision reason_code evidence
user_url_library id user_id url_id is_active history_start_at
url_observations id url_id checked_at checked_day http_status content_sha256 outcome
url_change_events id url_id observation_id detected_at kind state magnitude before after diff
url_change_summaries id event_id summary method
url_render_artifacts id url_id observation_id kind content
brand_library_brands id name domain
brands id name domain
plan_definitions plan max_tracked_urls full_history
subscriptions user_id plan status
onboarding_state user_id step completed_at
trend_definitions id name metric scope is_active
trend_points trend_id day value
"""


def tables(connection: sqlite3.Connection) -> list[str]:
    """Every table of ours; those of the search index are SQLite's own business."""
    rows = connection.execute(
        """SELECT name FROM pragma_table_list
        WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"""
    )
    return [name for (name,) in rows]


def columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def indexed(connection: sqlite3.Connection, table: str) -> list[list[str]]:
    """The columns of each index of the table and of its primary key, in order; partial ones left out."""
    info = connection.execute(f"PRAGMA table_info({table})").fetchall()
    key = [row[1] for row in sorted(info, key=lambda row: row[5]) if row[5]]
    whole = [row[1] for row in connection.execute(f"PRAGMA index_list({table})") if not row[4]]
    return [key, *([row[2] for row in connection.execute(f"PRAGMA index_info({name})")] for name in whole)]


def foreign_keys(connection: sqlite3.Connection) -> list[tuple[str, str, str, str]]:
    """Child table, its column, parent table and what a deletion does; every key here has one column."""
    return [
        (table, row[3], row[2], row[6])
        for table in tables(connection)
        for row in connection.execute(f"PRAGMA foreign_key_list({table})")
    ]


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", FIXED.strip().splitlines(), ids=lambda line: line.split()[0])
def test_the_fixed_names_are_there(bare: sqlite3.Connection, line: str) -> None:
    table, *names = line.split()
    assert [name for name in names if name not in columns(bare, table)] == []


@pytest.mark.parametrize("table", ROWS)
def test_every_table_says_when_a_row_was_made(bare: sqlite3.Connection, table: str) -> None:
    """And fills it in by itself, in the stored form."""
    bare.execute("PRAGMA foreign_keys = OFF")
    put(bare, table)
    (made,) = bare.execute(f"SELECT created_at FROM {table}").fetchone()
    (now,) = bare.execute("SELECT strftime('%Y-%m-%dT%H:%M', 'now', '-1 minute')").fetchone()
    assert made[:16] >= now
    assert made.endswith("+00:00")


def test_no_table_is_left_out(bare: sqlite3.Connection) -> None:
    assert set(tables(bare)) == set(ROWS)
    assert [table for table in tables(bare) if "created_at" not in columns(bare, table)] == []


# --- updated_at -------------------------------------------------------------------------------


def changing(connection: sqlite3.Connection) -> set[str]:
    return {table for table in tables(connection) if "updated_at" in columns(connection, table)}


def test_every_table_whose_rows_change_says_when(bare: sqlite3.Connection) -> None:
    assert set(tables(bare)) - changing(bare) == NEVER_CHANGED


def touch(connection: sqlite3.Connection, table: str, sets: str = "created_at = created_at") -> str:
    connection.execute(f"UPDATE {table} SET {sets}")
    (updated_at,) = connection.execute(f"SELECT updated_at FROM {table}").fetchone()
    return str(updated_at)


def set_clock(connection: sqlite3.Connection, now: str) -> None:
    connection.execute("DELETE FROM clock")
    connection.execute("INSERT INTO clock (id, now_utc_iso) VALUES (1, ?)", (now,))


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("table", sorted(set(ROWS) - NEVER_CHANGED))
def test_a_trigger_keeps_updated_at(bare: sqlite3.Connection, table: str, recursive: bool) -> None:
    bare.execute("PRAGMA foreign_keys = OFF")
    bare.execute(f"PRAGMA recursive_triggers = {recursive}")
    set_clock(bare, THEN)
    put(bare, table, created_at=THEN, updated_at=THEN)
    set_clock(bare, LATER)
    assert touch(bare, table) == LATER
    assert touch(bare, table) == LATER
    assert touch(bare, table, f"updated_at = '{MUCH_LATER}'") == MUCH_LATER, "a writer may set it"
    bare.execute("DELETE FROM clock")
    (now,) = bare.execute("SELECT now_utc_iso FROM moment").fetchone()
    assert touch(bare, table) >= now


@pytest.mark.parametrize("table", sorted(set(ROWS) - NEVER_CHANGED))
def test_a_trigger_touches_the_changed_row_and_no_other(bare: sqlite3.Connection, table: str) -> None:
    """A second row would need other keys in every table, so its absence from the statement is shown."""
    (sql,) = bare.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?", (f"{table}_touched",)
    ).fetchone()
    info = bare.execute(f"PRAGMA table_info({table})").fetchall()
    condition = sql.rpartition("WHERE ")[2]
    assert all(f"{row[1]} IS NEW.{row[1]}" in condition for row in info if row[5])


def test_only_the_changed_row_is_touched(bare: sqlite3.Connection) -> None:
    for number in (1, 2):
        put(bare, "users", id=uuid(number), name=f"user {number}", created_at=THEN, updated_at=THEN)
    set_clock(bare, LATER)
    bare.execute("UPDATE users SET role = 'admin' WHERE id = ?", (uuid(2),))
    rows = bare.execute("SELECT name, updated_at FROM users ORDER BY name").fetchall()
    assert [tuple(row) for row in rows] == [("user 1", THEN), ("user 2", LATER)]


# --- references -------------------------------------------------------------------------------


def test_every_reference_can_be_followed_backwards_by_an_index(bare: sqlite3.Connection) -> None:
    keys = foreign_keys(bare)
    assert len(keys) > 40
    slow = [(t, c) for t, c, _, _ in keys if not any(names[:1] == [c] for names in indexed(bare, t))]
    assert slow == []


def test_a_reference_without_an_index_would_be_found(bare: sqlite3.Connection) -> None:
    bare.execute("DROP INDEX idx_urls_brand")
    assert not any(names[:1] == ["brand_id"] for names in indexed(bare, "urls"))


def test_every_reference_leads_to_a_key(bare: sqlite3.Connection) -> None:
    """And has the same name for one column on each side, which the other tests here rely on."""
    for table in tables(bare):
        for row in bare.execute(f"PRAGMA foreign_key_list({table})").fetchall():
            assert row[1] == 0, "a reference of several columns"
            assert indexed(bare, row[2])[0] == [row[4]]


REFERENCES = sorted(
    (table, column)
    for table, column in {
        ("access_tokens", "user_id"), ("file_owner", "user_id"),
        ("subscriptions", "user_id"), ("subscriptions", "plan"), ("onboarding_state", "user_id"),
        ("settings", "user_id"), ("source_fetch_state", "source_uuid"),
        ("extracted_article_urls", "source_uuid"), ("article_source_mentions", "article_uuid"),
        ("article_source_mentions", "source_uuid"), ("scraped_articles", "article_uuid"),
        ("scrape_state", "article_uuid"), ("url_resolutions", "article_uuid"),
        ("source_left_out", "source_uuid"), ("article_documents", "article_uuid"),
        ("article_documents", "scrape_id"), ("scan_source_results", "run_id"),
        ("scan_source_results", "source_uuid"), ("categories", "user_id"), ("user_sources", "user_id"),
        ("user_sources", "source_uuid"), ("article_history", "user_id"), ("syntheses", "user_id"),
        ("synthesis_items", "synthesis_id"), ("synthesis_items", "article_uuid"),
        ("synthesis_candidates", "synthesis_id"), ("synthesis_candidates", "article_uuid"),
        ("urls", "brand_id"), ("url_submissions", "user_id"), ("url_submissions", "matched_url_id"),
        ("url_policy_decisions", "submission_id"), ("url_policy_decisions", "decided_by"),
        ("user_url_library", "user_id"), ("user_url_library", "url_id"), ("url_observations", "url_id"),
        ("url_change_events", "url_id"), ("url_change_events", "observation_id"),
        ("url_change_summaries", "event_id"), ("url_render_artifacts", "url_id"),
        ("url_render_artifacts", "observation_id"), ("trend_points", "trend_id"),
        ("tracked_urls", "user_id"), ("url_checks", "tracked_url_id"), ("url_changes", "tracked_url_id"),
        ("url_changes", "check_id"), ("summaries", "change_id"), ("url_renders", "tracked_url_id"),
        ("url_renders", "check_id"), ("brand_domains", "brand_id"), ("policy_domains", "list_name"),
        ("url_check_state", "url_id"), ("url_check_state", "content_sha256"),
        ("url_check_state", "observation_id"), ("told_events", "user_id"), ("told_events", "event_id"),
        ("article_completions", "article_uuid"),
    }
)  # fmt: skip


def test_the_references(bare: sqlite3.Connection) -> None:
    assert sorted((table, column) for table, column, _, _ in foreign_keys(bare)) == REFERENCES


@pytest.mark.parametrize(("table", "column"), REFERENCES)
def test_a_reference_to_nothing_is_refused(filled: sqlite3.Connection, table: str, column: str) -> None:
    filled.execute("DROP TRIGGER extracted_article_urls_first_seen_is_final")
    for nothing in ("W_RSS_99", uuid(99)):
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            filled.execute(f"UPDATE {table} SET {column} = ?", (nothing,))


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    return {t: connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables(connection)}


def test_with_a_user_goes_what_is_theirs_and_nothing_else(filled: sqlite3.Connection) -> None:
    filled.execute("DELETE FROM file_owner")
    before = counts(filled)
    filled.execute("DELETE FROM users")
    gone = {table for table, count in counts(filled).items() if count < before[table]}
    assert gone == {
        "users",
        "access_tokens",
        "subscriptions",
        "onboarding_state",
        "settings",
        "categories",
        "user_sources",
        "article_history",
        "syntheses",
        "synthesis_items",
        "synthesis_candidates",
        "url_submissions",
        "url_policy_decisions",
        "user_url_library",
        "told_events",
        "tracked_urls",
        "url_checks",
        "url_changes",
        "summaries",
        "url_renders",
    }


def test_a_decision_outlives_the_admin_who_made_it(filled: sqlite3.Connection) -> None:
    put(filled, "users", id=uuid(50), name="admin", role="admin")
    filled.execute("UPDATE url_policy_decisions SET decided_by = ?", (uuid(50),))
    filled.execute("DELETE FROM users WHERE name = 'admin'")
    assert filled.execute("SELECT decided_by FROM url_policy_decisions").fetchone()[0] is None


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM sources_master_list",
        "DELETE FROM extracted_article_urls",
        "DELETE FROM urls",
        "DELETE FROM brand_library_brands",
        "DELETE FROM plan_definitions",
        "DELETE FROM users",
    ],
)
def test_what_others_rely_on_cannot_be_deleted(filled: sqlite3.Connection, sql: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        filled.execute(sql)


# --- the plain views --------------------------------------------------------------------------


def test_brands_are_the_librarys(filled: sqlite3.Connection) -> None:
    table = filled.execute("SELECT id, name, domain, created_at, updated_at FROM brand_library_brands")
    assert filled.execute("SELECT * FROM brands").fetchall() == table.fetchall()


def test_the_moment_is_the_clocks_or_the_present(bare: sqlite3.Connection) -> None:
    (present,) = bare.execute("SELECT strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')").fetchone()
    assert bare.execute("SELECT now_utc_iso FROM moment").fetchone()[0] >= present
    set_clock(bare, THEN)
    assert bare.execute("SELECT now_utc_iso FROM moment").fetchone()[0] == THEN


PLANS: list[tuple[dict[str, Any] | None, str]] = [
    (None, "free"),
    ({"plan": "paid", "status": "active"}, "paid"),
    ({"plan": "paid", "status": "past_due"}, "free"),
    ({"plan": "paid", "status": "canceled"}, "free"),
    ({"plan": "free", "status": "active"}, "free"),
]


@pytest.mark.parametrize(("subscription", "plan"), PLANS)
def test_the_plan_that_counts(
    bare: sqlite3.Connection, subscription: dict[str, Any] | None, plan: str
) -> None:
    put(bare, "plan_definitions")
    put(bare, "plan_definitions", plan="paid", max_tracked_urls=None, full_history=1)
    put(bare, "users")
    if subscription:
        put(bare, "subscriptions", subscription)
    (row,) = bare.execute("SELECT plan, max_tracked_urls, full_history FROM user_plans").fetchall()
    assert tuple(row) == {"free": ("free", 10, 0), "paid": ("paid", None, 1)}[plan]
