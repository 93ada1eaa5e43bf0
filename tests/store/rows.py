"""One good row for every table of schema.sql, in an order in which they can be inserted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from digestlog.core import canonical

THEN = "2026-02-12T14:03:12+00:00"
PAGE = "https://shop.example/lamp"
ARTICLE = "https://example.com/story"

Row = dict[str, Any]


def uuid(number: int) -> str:
    """A UUID with a number that can be seen."""
    return f"00000000-0000-4000-8000-{number:012x}"


USER, OBSERVATION, EVENT, TRACKED, CHECK, CHANGE = (uuid(n) for n in range(1, 7))
SYNTHESIS, SUBMISSION, BRAND, TREND, RUN, CATEGORY = (uuid(n) for n in range(11, 17))
ARTICLE_UUID = canonical.article_uuid(ARTICLE)
URL = canonical.url_id(PAGE)
HASH = "0123456789abcdef" * 4

_OF_SOURCE = {"source_uuid": "W_RSS_1", "url_scraping_method": "RSS"}
_COUNTS = {"entries": 4, "new": 1, "known": 1, "outside_window": 1, "undated": 1, "duration_ms": 20}

ROWS: dict[str, Row] = {
    "clock": {"id": 1, "now_utc_iso": THEN},
    "url_identity": {
        "id": 1,
        "canon_version": canonical.CANON_VERSION,
        "rules_version": canonical.rules_version(),
    },
    "users": {"id": USER, "name": "anna", "role": "user", "password_hash": "scrypt", "session_epoch": 0},
    "file_owner": {"id": 1, "user_id": USER},
    "access_tokens": {
        "id": uuid(31),
        "user_id": USER,
        "kind": "session",
        "token_sha256": HASH,
        "session_epoch": 0,
        "expires_at": THEN,
    },
    "plan_definitions": {"plan": "free", "max_tracked_urls": 10, "full_history": 0},
    "subscriptions": {"user_id": USER, "plan": "free", "status": "active"},
    "onboarding_state": {"user_id": USER, "step": "first source", "completed_at": THEN},
    "settings": {
        "user_id": USER,
        "article_history_days": 90,
        "source_diversity_window": 0,
        "max_items_per_category": 5,
        "language": "en",
    },
    "source_numbers": {"url_scraping_method": "RSS", "last_number": 1},
    "sources_master_list": {
        **_OF_SOURCE,
        "source_name": "Example",
        "source_url": "https://example.com/feed",
        "is_active": 0,
        "paused_reason": "too loud",
        "removed_at": None,
        "site_url": "https://example.com/",
        "folder": "News/Local",
        "allow_private": 0,
        "link_selector": "h2 a",
        "date_selector": "time",
    },
    "source_fetch_state": {
        "source_uuid": "W_RSS_1",
        "etag": '"a"',
        "last_modified": "Thu, 12 Feb 2026 14:03:12 GMT",
        "body_sha256": HASH,
        "last_scanned_at": THEN,
        "last_success_at": THEN,
        "next_scan_at": THEN,
        "read_since": THEN,
        "min_interval_s": 3600,
        "consecutive_failures": 1,
        "last_error": "the server did not answer",
    },
    "extracted_article_urls": {
        **_OF_SOURCE,
        "article_uuid": ARTICLE_UUID,
        "source_url": "https://example.com/feed",
        "article_title": "A story",
        "article_url_original": ARTICLE,
        "article_url_final": ARTICLE,
        "url_original_to_final_match": 1,
        "url_notes": "none",
        "published_utc_iso": THEN,
        "article_detected_utc_iso": THEN,
    },
    "article_completions": {"article_uuid": ARTICLE_UUID, "field": "article_title", "completed_at": THEN},
    "article_source_mentions": {
        "article_uuid": ARTICLE_UUID,
        "source_uuid": "W_RSS_1",
        "article_url_original": ARTICLE,
        "first_seen_at": THEN,
        "found_by": "feed",
        "date_from": "pubDate",
        "published_raw": "Thu, 12 Feb 2026 14:03:12 GMT",
    },
    "url_resolutions": {
        "article_url_original": ARTICLE,
        "article_uuid": ARTICLE_UUID,
        "status": "unresolved",
        "resolved_url": ARTICLE,
        "hops": "[]",
        "http_status": 301,
        "attempts": 1,
        "next_attempt_at": THEN,
        "last_error": "no answer",
    },
    "source_left_out": {"source_uuid": "W_RSS_1", "left_out": "[]"},
    "scraped_articles": {
        "scrape_id": uuid(21),
        "article_uuid": ARTICLE_UUID,
        "scraped_at": THEN,
        "http_status": 200,
        "title": "A story",
        "author": "Anna",
        "language": "en",
        "published_utc_iso": THEN,
        "content_text": "Once upon a time.",
        "content_sha256": HASH,
    },
    "article_documents": {"docid": 1, "article_uuid": ARTICLE_UUID, "scrape_id": uuid(21)},
    "scrape_state": {
        "article_uuid": ARTICLE_UUID,
        "status": "ok",
        "attempts": 1,
        "next_attempt_at": THEN,
        "last_error": "empty page",
    },
    "scan_runs": {
        "run_id": RUN,
        "started_at": THEN,
        "finished_at": THEN,
        "sources": 1,
        "window_s": 86400,
        "failed": 0,
        "not_modified": 0,
        **_COUNTS,
        "requests": 3,
        "outcome": "ok",
        "error": "stopped",
    },
    "scan_source_results": {
        "run_id": RUN,
        "source_uuid": "W_RSS_1",
        "http_status": 200,
        **_COUNTS,
        "lane": "fast",
        "moved_to": "https://example.com/new-feed",
        "outcome": "ok",
        "error": "cut short",
    },
    "categories": {
        "id": CATEGORY,
        "user_id": USER,
        "name": "Town",
        "description": "What happens here",
        "keywords": '["harbour"]',
        "position": 0,
    },
    "user_sources": {"user_id": USER, "source_uuid": "W_RSS_1"},
    "article_history": {
        "id": uuid(22),
        "user_id": USER,
        "url_hash": canonical.url_hash(ARTICLE),
        "url": ARTICLE,
    },
    "syntheses": {"id": SYNTHESIS, "user_id": USER, "title": "Thursday", "providers": "{}"},
    "synthesis_items": {
        "id": uuid(23),
        "synthesis_id": SYNTHESIS,
        "category": "Town",
        "position": 0,
        "article_uuid": ARTICLE_UUID,
        "url": ARTICLE,
        "title": "A story",
        "summary": "Once.",
        "source": "Example",
        "score": 0.5,
        "why": "it names the harbour",
        "other_links": "[]",
        "published_utc_iso": THEN,
    },
    "synthesis_candidates": {
        "synthesis_id": SYNTHESIS,
        "url": ARTICLE,
        "article_uuid": ARTICLE_UUID,
        "outcome": "taken",
        "detail": "first",
    },
    "provider_answers": {"question_sha256": HASH, "model": "qwen3 at localhost", "answer": "{}"},
    "brand_library_brands": {"id": BRAND, "name": "Shop", "domain": "shop.example"},
    "brand_domains": {"domain": "shop.example", "brand_id": BRAND},
    "urls": {
        "id": URL,
        "canonical_url": PAGE,
        "url": PAGE,
        "brand_id": BRAND,
        "allow_private": 0,
        "check_frequency": "daily",
        "min_interval_s": 3600,
        "max_interval_s": 86400,
        "next_check_at": THEN,
        "last_checked_at": THEN,
    },
    "url_submissions": {
        "id": SUBMISSION,
        "user_id": USER,
        "submitted_url": PAGE,
        "canonical_url": PAGE,
        "status": "approved_created_global",
        "matched_url_id": URL,
        "options": "{}",
    },
    "url_policy_decisions": {
        "id": uuid(24),
        "submission_id": SUBMISSION,
        "decision": "allow",
        "reason_code": "unknown",
        "evidence": '{"hostname": "shop.example", "pattern": null, "reason": "nothing against it"}',
        "decided_by": USER,
    },
    "policy_rules": {
        "id": uuid(30),
        "kind": "domain",
        "pattern": "casino.example",
        "decision": "block",
        "reason_code": "illegal_or_regulated",
        "words": "a casino",
    },
    "policy_lists": {
        "name": "phishing",
        "decision": "block",
        "reason_code": "malware_or_phishing",
        "words": "on a list of phishing sites",
        "domains": 1,
    },
    "policy_domains": {"list_name": "phishing", "domain": "bank.example", "subdomains": 1},
    "user_url_library": {
        "id": uuid(25),
        "user_id": USER,
        "url_id": URL,
        "is_active": 1,
        "history_start_at": None,
    },
    "url_observations": {
        "id": OBSERVATION,
        "url_id": URL,
        "checked_at": THEN,
        "checked_day": THEN[:10],
        "http_status": 200,
        "content_sha256": HASH,
        "outcome": "ok",
        "error": "slow",
        "body_bytes": 5,
        "extractor": 1,
        "origin": "check",
    },
    "url_contents": {"content_sha256": HASH, "content": b"8 EUR"},
    "url_check_state": {
        "url_id": URL,
        "etag": '"a"',
        "last_modified": "Thu, 12 Feb 2026 14:03:12 GMT",
        "body_sha256": HASH,
        "body": b"8 EUR",
        "body_url": PAGE,
        "body_charset": "utf-8",
        "extractor": 1,
        "content_sha256": HASH,
        "observation_id": OBSERVATION,
        "memory": "{}",
        "interval_s": 3600,
        "consecutive_failures": 1,
        "last_error": "the server did not answer",
    },
    "url_change_events": {
        "id": EVENT,
        "url_id": URL,
        "observation_id": OBSERVATION,
        "detected_at": THEN,
        "kind": "price",
        "state": "real",
        "magnitude": 0.1,
        "before": "9 EUR",
        "after": "8 EUR",
        "diff": '[["-", "9"], ["+", "8"]]',
    },
    "url_change_summaries": {
        "id": uuid(26),
        "event_id": EVENT,
        "summary": "One euro less",
        "method": "extractive",
    },
    "url_render_artifacts": {
        "id": uuid(27),
        "url_id": URL,
        "observation_id": OBSERVATION,
        "kind": "text",
        "content": b"8 EUR",
        "content_sha256": HASH,
    },
    "told_events": {"user_id": USER, "event_id": EVENT},
    "trend_definitions": {
        "id": TREND,
        "name": "Changes",
        "metric": "changes",
        "scope": "all",
        "is_active": 1,
    },
    "trend_points": {"trend_id": TREND, "day": "2026-02-12", "series": "all", "value": 3.0},
    "push_targets": {
        "target_id": uuid(31),
        "file_id": uuid(32),
        "place": "db.example/digestlog",
        "token": uuid(33),
        "next_token": uuid(34),
        "pushed_seq": 1,
        "pushed_at": THEN,
    },
    "change_log": {"seq": 9, "table_name": "users", "row_key": '["a"]'},
    "tracked_urls": {"id": TRACKED, "user_id": USER, "url": PAGE, "canonical_url": PAGE, "is_active": 1},
    "url_checks": {
        "id": CHECK,
        "tracked_url_id": TRACKED,
        "checked_at": THEN,
        "status_code": 200,
        "content_hash": HASH,
        "error": None,
    },
    "url_changes": {
        "id": CHANGE,
        "tracked_url_id": TRACKED,
        "check_id": CHECK,
        "detected_at": THEN,
        "before": "9",
        "after": "8",
    },
    "summaries": {"id": uuid(28), "change_id": CHANGE, "summary": "Less"},
    "url_renders": {"id": uuid(29), "tracked_url_id": TRACKED, "check_id": CHECK, "content": b"8"},
}


def put(connection: sqlite3.Connection, table: str, *others: Mapping[str, Any], **changes: Any) -> None:
    """Insert the good row of a table, with some columns changed."""
    row = ROWS[table] | {k: v for other in others for k, v in other.items()} | changes
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
    connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(row.values()))


def fill(connection: sqlite3.Connection) -> None:
    """Insert every good row but the clock's, and the search index's, which comes by itself."""
    for table in ROWS:
        if table not in ("clock", "article_documents"):
            put(connection, table)


# A new file has rows of these, or fills them by itself.
MADE_WITH_THE_FILE = {
    "clock",
    "article_documents",
    "url_identity",
    "plan_definitions",
    "source_numbers",
    "file_owner",
    # Of the file alone.
    "push_targets",
    "change_log",
}


def fill_file(connection: sqlite3.Connection) -> None:
    """Insert a good row into every table of a new file; the library's user sees all of it."""
    for table in ROWS:
        if table not in MADE_WITH_THE_FILE:
            put(connection, table)
    connection.execute("UPDATE user_url_library SET history_start_at = ?", (THEN,))


@contextmanager
def undone(connection: sqlite3.Connection) -> Iterator[None]:
    """Take back what the block did."""
    connection.execute("SAVEPOINT before")
    try:
        yield
    finally:
        connection.execute("ROLLBACK TO before")
        connection.execute("RELEASE before")
