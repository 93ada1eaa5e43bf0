"""Every column of every table: what its CHECK lets in, and what it keeps out."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.rows import HASH, ROWS, THEN, URL, put, undone, uuid

from digestlog.core.moments import from_iso, to_iso
from digestlog.resources import schema_sql

Column = tuple[str, str]

TOKENS: dict[Column, str] = {
    ("users", "role"): "admin user",
    ("access_tokens", "kind"): "link session feed",
    ("subscriptions", "status"): "active past_due canceled",
    ("settings", "language"): "en fr",
    ("source_numbers", "url_scraping_method"): "RSS Direct",
    ("sources_master_list", "url_scraping_method"): "RSS Direct",
    ("extracted_article_urls", "url_scraping_method"): "RSS Direct",
    ("scrape_state", "status"): "pending ok empty failed gone",
    ("url_resolutions", "status"): "resolved unresolved failed",
    ("scan_runs", "outcome"): "running ok failed",
    ("scan_source_results", "outcome"): "ok not_modified unchanged failed gone",
    ("synthesis_candidates", "outcome"): (
        "taken history diversity duplicate empty over_quota policy unclassified homepage"
    ),
    ("urls", "check_frequency"): "hourly daily weekly monthly",
    ("url_submissions", "status"): (
        "pending blocked needs_review approved_linked_existing approved_created_global"
    ),
    ("url_policy_decisions", "decision"): "allow block review",
    ("url_policy_decisions", "reason_code"): (
        "adult_content hate_or_extremism malware_or_phishing spam_or_low_quality illegal_or_regulated "
        "auth_wall_or_uncheckable duplicate unknown"
    ),
    ("article_completions", "field"): "article_title published_utc_iso",
    ("policy_rules", "kind"): "host domain tld path url query",
    **{(table, "decision"): "allow block review" for table in ("policy_rules", "policy_lists")},
    **{
        (table, "reason_code"): (
            "adult_content hate_or_extremism malware_or_phishing spam_or_low_quality illegal_or_regulated "
            "auth_wall_or_uncheckable duplicate unknown"
        )
        for table in ("policy_rules", "policy_lists")
    },
    ("url_observations", "outcome"): "ok not_modified empty challenge failed",
    ("url_observations", "origin"): "check v1",
    ("url_change_events", "kind"): (
        "title price availability text_added text_removed text_changed table link status"
    ),
    ("url_change_events", "state"): "real provisional volatile",
    ("url_render_artifacts", "kind"): "text diff_html screenshot v1",
    ("trend_definitions", "metric"): "changes discoveries",
    ("trend_definitions", "scope"): "all brand category source reason",
}

NO_LIMIT = 2**63 - 1
RANGES: dict[Column, tuple[int, int]] = {
    ("clock", "id"): (1, 1),
    ("url_identity", "id"): (1, 1),
    ("url_identity", "canon_version"): (1, NO_LIMIT),
    ("url_identity", "rules_version"): (1, NO_LIMIT),
    ("users", "session_epoch"): (0, NO_LIMIT),
    ("file_owner", "id"): (1, 1),
    ("push_targets", "pushed_seq"): (0, NO_LIMIT),
    ("access_tokens", "session_epoch"): (0, NO_LIMIT),
    ("plan_definitions", "max_tracked_urls"): (0, NO_LIMIT),
    ("settings", "article_history_days"): (0, 365),
    ("settings", "source_diversity_window"): (0, 100),
    ("settings", "max_items_per_category"): (1, 100),
    ("source_numbers", "last_number"): (0, NO_LIMIT),
    ("source_fetch_state", "consecutive_failures"): (0, NO_LIMIT),
    ("source_fetch_state", "min_interval_s"): (0, NO_LIMIT),
    ("scrape_state", "attempts"): (0, NO_LIMIT),
    ("url_resolutions", "attempts"): (1, NO_LIMIT),
    ("categories", "position"): (0, NO_LIMIT),
    ("synthesis_items", "position"): (0, NO_LIMIT),
    ("url_checks", "status_code"): (100, 599),
    ("urls", "min_interval_s"): (60, NO_LIMIT),
    ("urls", "max_interval_s"): (60, NO_LIMIT),
    ("url_observations", "body_bytes"): (0, NO_LIMIT),
    ("url_observations", "extractor"): (1, NO_LIMIT),
    ("url_check_state", "extractor"): (1, NO_LIMIT),
    ("url_check_state", "interval_s"): (60, NO_LIMIT),
    ("url_check_state", "consecutive_failures"): (0, NO_LIMIT),
    ("policy_lists", "domains"): (0, NO_LIMIT),
    **{
        (t, "http_status"): (100, 599)
        for t in ("scraped_articles", "scan_source_results", "url_observations", "url_resolutions")
    },
    **{
        (table, name): (0, NO_LIMIT)
        for table in ("scan_runs", "scan_source_results")
        for name in ("entries", "new", "known", "outside_window", "undated", "duration_ms")
    },
    **{
        ("scan_runs", name): (0, NO_LIMIT)
        for name in ("sources", "window_s", "failed", "not_modified", "requests")
    },
}

JSON: dict[Column, str] = {
    ("categories", "keywords"): "[]",
    ("change_log", "row_key"): "[]",
    ("syntheses", "providers"): "{}",
    ("synthesis_items", "other_links"): "[]",
    ("url_resolutions", "hops"): "[]",
    ("source_left_out", "left_out"): "[]",
    ("url_policy_decisions", "evidence"): '{"hostname": null, "pattern": "x", "reason": 1}',
    ("url_change_events", "diff"): "[]",
    ("provider_answers", "answer"): "{}",
    ("url_check_state", "memory"): "{}",
    ("url_submissions", "options"): "{}",
}
BOOLEANS = {"is_active", "allow_private", "full_history", "url_original_to_final_match", "subdomains"}
HASHES = {"body_sha256", "content_sha256", "content_hash", "url_hash", "question_sha256", "token_sha256"}
DAYS = {"day", "checked_day"}
UUIDS = {"id", "scrape_id", "run_id", "target_id", "file_id", "token", "next_token"}
MAY_BE_EMPTY = {"before", "after"}
FREE = {
    ("synthesis_items", "score"),
    ("trend_points", "value"),
    ("article_documents", "docid"),
    ("change_log", "seq"),
}

# What has to change with a column, so that only its own CHECK can object.
ALONG: dict[Column, Callable[[Any], dict[str, Any]]] = {
    # An id names the way in which a source is followed.
    ("sources_master_list", "source_uuid"): lambda value: {
        "url_scraping_method": "Direct" if "DIRECT" in str(value) else "RSS"
    },
    ("sources_master_list", "url_scraping_method"): lambda value: {
        "source_uuid": "W_DIRECT_1" if value == "Direct" else "W_RSS_1"
    },
    ("url_observations", "checked_at"): lambda at: {"checked_day": str(at)[:10]},
    ("url_observations", "checked_day"): lambda day: (
        {"checked_at": f"{day}T00:00:00+00:00"} if day in DAY_VALUES[0] else {}
    ),
    ("extracted_article_urls", "article_url_original"): lambda _: {"url_original_to_final_match": 0},
    ("extracted_article_urls", "article_url_final"): lambda _: {"url_original_to_final_match": 0},
    ("extracted_article_urls", "url_original_to_final_match"): lambda match: (
        {} if match == 1 else {"article_url_original": "https://example.com/story?utm_source=x"}
    ),
    ("url_submissions", "status"): lambda status: (
        {"matched_url_id": URL if str(status).startswith("approved_") else None}
    ),
    ("url_resolutions", "status"): lambda status: {
        "next_attempt_at": THEN if status == "unresolved" else None
    },
    ("url_resolutions", "next_attempt_at"): lambda at: {"status": "unresolved" if at else "resolved"},
    ("access_tokens", "expires_at"): lambda at: {} if at else {"kind": "feed"},
    ("url_submissions", "matched_url_id"): lambda url_id: {} if url_id else {"status": "pending"},
    **{
        (table, "reason_code"): lambda code: {} if code else {"decision": "allow"}
        for table in ("policy_rules", "policy_lists")
    },
}

TIMES = (
    [THEN, "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00", "2024-02-29T00:00:00+00:00"],
    [
        "",
        "2026-02-12",
        "2026-02-12T14:03:12Z",
        "2026-02-12T14:03:12",
        "2026-02-12 14:03:12+00:00",
        "2026-02-12T14:03:12+01:00",
        "2026-02-12T14:03:12-00:00",
        "2026-02-12T14:03:12.5+00:00",
        "2026-02-30T14:03:12+00:00",
        "2025-02-29T00:00:00+00:00",
        "2026-13-01T00:00:00+00:00",
        "2026-02-12T24:00:00+00:00",
        "2026-02-12T23:59:60+00:00",
        "0000-01-01T00:00:00+00:00",
        "-001-01-01T00:00:00+00:00",
        " " + THEN,
        THEN + " ",
        THEN + "\0",
        THEN.replace("2", "٢"),
        "1770905000",
        "2461084.5",
        1770905000,
        THEN.encode(),
    ],
)
DAY_VALUES = (
    ["2026-02-12", "0001-01-01", "9999-12-31", "2024-02-29"],
    ["", "2026-2-12", "2026-02-30", "0000-01-01", "20260212", "2026-02-12T00:00:00+00:00", "2026-02-12\0", 5],
)
UUID_VALUES = (
    [uuid(1), "ffffffff-ffff-ffff-ffff-ffffffffffff", "00000000-0000-0000-0000-000000000000"],
    [
        "",
        uuid(1)[:-1],
        uuid(1) + "0",
        uuid(1).replace("-", ""),
        uuid(1).replace("8", "A"),
        uuid(1).replace("8", "g"),
        "{" + uuid(1) + "}",
        "0-000000-0000-4000-8000-000000000001",
        "000000000-000-4000-8000-000000000001",
        uuid(1) + "\0",
        uuid(1) + "\0x",
        uuid(1)[:-1] + "\0",
        uuid(1)[:-1] + "٢",
        7,
        bytes(36),
    ],
)
HASH_VALUES = (
    [HASH, "0" * 64, "f" * 64],
    [
        "",
        HASH[:-1],
        HASH + "0",
        HASH.upper(),
        "g" * 64,
        HASH[:-1] + "\0",
        HASH + "\0",
        HASH[:63] + "٢",
        bytes(32),
    ],
)
BOOLEAN_VALUES = ([0, 1, True, False], [2, -1, "yes", "true", 0.5, b"\1"])
TEXT_VALUES = (["a", " ", "ü 😀", "x" * 10_000, "'; DROP TABLE users"], ["", "a\0b", "\0", b"a"])
EMPTY_TEXT_VALUES = (["", "a", " "], ["a\0b", "\0", b"a"])
JSON_VALUES = {
    "[]": (
        ["[]", '["a", {"b": [1, null]}]', r'["\\u0000 \\\\u0000 \u0001"]'],
        ["", "{}", "null", "1", '"a"', "[", "[1,]", "['a']", "[]\0", r'["\u0000"]'],
    ),
    "{}": (["{}", '{"a": [1]}'], ["", "[]", "null", "{", "{a: 1}", '{"a": 1,}', "{}\0", b"{}"]),
}
EVIDENCE_VALUES = (
    [JSON["url_policy_decisions", "evidence"], '{"hostname": "", "pattern": null, "reason": [], "more": 1}'],
    ["", "[]", "{}", "null", "x", '{"hostname": "a", "pattern": "b"}', '{"hostname": "a", "reason": "b"}'],
)
SOURCE_IDS = (
    ["W_RSS_1", "W_DIRECT_1", "W_RSS_10", "W_DIRECT_987654321"],
    [
        "",
        "W_RSS_",
        "W_RSS_0",
        "W_RSS_01",
        "W_RSS_1x",
        "W_rss_1",
        "W_ATOM_1",
        "W_RSS_-1",
        "W_RSS_1\0",
        " W_RSS_1",
    ],
)
ARTICLE_IDS = (
    ["A_0123456789abcdef", "A_" + "0" * 16],
    ["", "A_", "A_0123456789abcde", "A_0123456789abcdef0", "A_0123456789ABCDEF", "B_0123456789abcdef",
     "a_0123456789abcdef", "A-0123456789abcdef", "A_0123456789abcde\0", "A_0123456789abcdef\0",
     "A_0123456789abcdeg"],
)  # fmt: skip
SHARES = ([0, 1, 0.5, 1e-9], [-0.1, 1.0001, math.inf, -math.inf, math.nan, "much"])


def columns() -> list[Column]:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(schema_sql())
        found = connection.execute(
            """SELECT t.name, c.name FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY t.name, c.cid"""
        ).fetchall()
    connection.close()
    return found


def references() -> set[Column]:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(schema_sql())
        found = connection.execute(
            """SELECT t.name, f."from" FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS f"""
        ).fetchall()
    connection.close()
    return set(found)


COLUMNS = columns()
REFERENCES = references()


def values_of(column: Column) -> tuple[list[Any], list[Any]]:
    """What a column must accept and what it must refuse; known by its name, as the reading guide says."""
    table, name = column
    if column in TOKENS:
        tokens = TOKENS[column].split()
        return tokens, ["", "other", tokens[0].swapcase(), tokens[0] + " ", tokens[0] + "\0", 1]
    if column in RANGES:
        low, high = RANGES[column]
        return [low, high], [low - 1, *([high + 1] if high < NO_LIMIT else []), "many", 0.5]
    if column in JSON:
        return JSON_VALUES.get(JSON[column], EVIDENCE_VALUES)
    if name.endswith(("_at", "_since", "_utc_iso")):
        return TIMES
    for names, values in (
        (DAYS, DAY_VALUES),
        (BOOLEANS, BOOLEAN_VALUES),
        (HASHES, HASH_VALUES),
        (UUIDS, UUID_VALUES),
        (MAY_BE_EMPTY, EMPTY_TEXT_VALUES),
        ({"source_uuid"}, SOURCE_IDS),
        ({"article_uuid"}, ARTICLE_IDS),
        ({"magnitude"}, SHARES),
        ({"content", "body"}, ([b"", b"\0"], ["text", 1])),
    ):
        if name in names:
            return values
    return TEXT_VALUES


def accepts(connection: sqlite3.Connection, column: Column, value: Any) -> bool:
    """Is the good row, with this value, let in? What objects must be the column itself."""
    table, name = column
    with undone(connection):
        try:
            put(connection, table, ALONG.get(column, lambda _: {})(value), {name: value})
        except sqlite3.IntegrityError as error:
            assert name in str(error) or name == "id" and "datatype" in str(error), error
            return False
    return True


# --- the table of kinds -----------------------------------------------------------------------


def test_every_table_has_a_good_row_with_every_column() -> None:
    own = {"created_at", "updated_at"}
    assert {t: set(row) for t, row in ROWS.items()} == {
        table: {c for t, c in COLUMNS if t == table} - own for table in {t for t, _ in COLUMNS}
    }


def test_every_rule_belongs_to_a_column() -> None:
    known = set(COLUMNS)
    assert {*TOKENS, *RANGES, *JSON, *FREE, *ALONG} <= known
    assert BOOLEANS | HASHES | DAYS | UUIDS | MAY_BE_EMPTY <= {name for _, name in known}


def test_every_number_has_a_rule() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(schema_sql())
        numbers = {
            (table, row[1])
            for table in {t for t, _ in COLUMNS}
            for row in connection.execute(f"PRAGMA table_info({table})")
            if row[2] in ("INTEGER", "REAL") and row[1] not in BOOLEANS
        }
    connection.close()
    assert numbers == {*RANGES, *FREE, ("url_change_events", "magnitude")}


# --- each column ------------------------------------------------------------------------------


@pytest.mark.parametrize("column", [c for c in COLUMNS if c not in REFERENCES | FREE], ids=".".join)
def test_a_column_lets_in_what_it_should_and_nothing_else(
    unbound: sqlite3.Connection, column: Column
) -> None:
    good, bad = values_of(column)
    assert [value for value in good if not accepts(unbound, column, value)] == []
    assert [value for value in bad if accepts(unbound, column, value)] == []


def test_now_is_not_a_time(unbound: sqlite3.Connection) -> None:
    """SQLite would put the present moment in its place."""
    with pytest.raises(sqlite3.Error):
        accepts(unbound, ("clock", "now_utc_iso"), "now")


@pytest.mark.parametrize("column", COLUMNS, ids=".".join)
def test_null_is_let_in_where_the_schema_says_so(unbound: sqlite3.Connection, column: Column) -> None:
    table, name = column
    (row,) = [r for r in unbound.execute(f"PRAGMA table_info({table})") if r[1] == name]
    number_by_itself = row[2] == "INTEGER" and row[5]
    assert accepts(unbound, column, None) == (number_by_itself or not row[3])


def test_the_nullable_columns_of_the_ledger(unbound: sqlite3.Connection) -> None:
    info = unbound.execute("PRAGMA table_info(extracted_article_urls)").fetchall()
    assert [(row[1], row[2], bool(row[3])) for row in info] == [
        ("article_uuid", "TEXT", True),
        ("source_uuid", "TEXT", True),
        ("url_scraping_method", "TEXT", True),
        ("source_url", "TEXT", True),
        ("article_title", "TEXT", False),
        ("article_url_original", "TEXT", True),
        ("article_url_final", "TEXT", True),
        ("url_original_to_final_match", "INTEGER", True),
        ("url_notes", "TEXT", False),
        ("published_utc_iso", "TEXT", False),
        ("article_detected_utc_iso", "TEXT", True),
        ("created_at", "TEXT", True),
        ("updated_at", "TEXT", True),
    ]


# --- any text ---------------------------------------------------------------------------------


def is_stored_time(text: str) -> bool:
    try:
        return to_iso(from_iso(text)) == text
    except (ValueError, OverflowError):
        return False


NEARLY_TIMES = st.from_regex(r"\A[0-9]{4}-[0-3][0-9]-[0-3][0-9][T ][0-2][0-9]:[0-6][0-9]:[0-6][0-9]\+00:00\Z")


@given(st.text() | NEARLY_TIMES)
def test_a_time_is_let_in_exactly_if_python_would_write_it_so(unbound: sqlite3.Connection, text: str) -> None:
    if text.casefold() != "now":
        assert accepts(unbound, ("clock", "now_utc_iso"), text) == is_stored_time(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_time_that_python_writes_is_let_in(unbound: sqlite3.Connection, moment: datetime) -> None:
    assert accepts(unbound, ("clock", "now_utc_iso"), to_iso(moment))


@given(st.text(max_size=40) | st.from_regex(r"\A[0-9a-gA-]{8}(-[0-9a-g-]{4}){3}-[0-9a-f٢]{12}\Z"))
def test_a_uuid_is_let_in_exactly_in_its_one_form(unbound: sqlite3.Connection, text: str) -> None:
    form = re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)
    assert accepts(unbound, ("users", "id"), text) == bool(form)
