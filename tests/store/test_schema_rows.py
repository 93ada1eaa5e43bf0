"""Columns of a row that must agree, and rows of which there may be no second."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from store.rows import THEN, put, undone, uuid

# --- two columns that must agree --------------------------------------------------------------

OTHER = "https://example.com/story?utm_source=x"
AGREE: list[tuple[str, dict[str, Any], bool]] = [
    ("sources_master_list", {"removed_at": THEN, "is_active": 0}, True),
    ("sources_master_list", {"removed_at": THEN, "is_active": 1}, False),
    ("sources_master_list", {"removed_at": None, "is_active": 1}, True),
    ("extracted_article_urls", {"article_url_original": OTHER, "url_original_to_final_match": 0}, True),
    ("extracted_article_urls", {"article_url_original": OTHER, "url_original_to_final_match": 1}, False),
    ("extracted_article_urls", {"url_original_to_final_match": 0}, False),
    ("extracted_article_urls", {"url_notes": None}, True),
    (
        "extracted_article_urls",
        {"article_url_original": OTHER, "url_original_to_final_match": 0, "url_notes": None},
        False,
    ),
    ("url_resolutions", {"status": "unresolved", "next_attempt_at": None}, False),
    *[("url_resolutions", {"status": s}, False) for s in ("resolved", "failed")],
    *[("url_resolutions", {"status": s, "next_attempt_at": None}, True) for s in ("resolved", "failed")],
    ("url_submissions", {"status": "approved_linked_existing"}, True),
    ("url_submissions", {"status": "approved_linked_existing", "matched_url_id": None}, False),
    ("url_submissions", {"status": "approved_created_global", "matched_url_id": None}, False),
    *[("url_submissions", {"status": s}, False) for s in ("pending", "blocked", "needs_review")],
    *[
        ("url_submissions", {"status": s, "matched_url_id": None}, True)
        for s in ("pending", "blocked", "needs_review")
    ],
    ("url_policy_decisions", {"decision": "allow", "reason_code": None}, True),
    ("url_policy_decisions", {"decision": "block", "reason_code": None}, False),
    ("url_policy_decisions", {"decision": "review", "reason_code": None}, False),
    ("url_observations", {"checked_day": "2026-02-13"}, False),
]


@pytest.mark.parametrize(("table", "changes", "good"), AGREE)
def test_columns_that_must_agree(
    unbound: sqlite3.Connection, table: str, changes: dict[str, Any], good: bool
) -> None:
    with undone(unbound):
        if good:
            put(unbound, table, changes)
        else:
            with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
                put(unbound, table, changes)


# --- one row and no second --------------------------------------------------------------------

UNIQUE: list[tuple[str, dict[str, Any], bool]] = [
    ("users", {"id": uuid(90)}, False),
    ("users", {"id": uuid(90), "name": "Anna"}, True),
    ("sources_master_list", {"source_uuid": "W_RSS_2"}, False),
    ("sources_master_list", {"source_uuid": "W_RSS_2", "source_url": "https://example.com/other"}, True),
    ("extracted_article_urls", {"article_uuid": "A_" + "0" * 16}, False),
    ("article_source_mentions", {"first_seen_at": "2027-01-01T00:00:00+00:00"}, False),
    ("article_source_mentions", {"source_uuid": "W_RSS_2"}, True),
    ("scraped_articles", {"scrape_id": uuid(90)}, False),
    ("scraped_articles", {"scrape_id": uuid(90), "content_sha256": "0" * 64}, True),
    ("scan_source_results", {"outcome": "failed"}, False),
    ("categories", {"id": uuid(90)}, False),
    ("categories", {"id": uuid(90), "user_id": uuid(91)}, True),
    ("article_history", {"id": uuid(90)}, False),
    ("article_history", {"id": uuid(90), "user_id": uuid(91)}, True),
    ("synthesis_items", {"id": uuid(90)}, False),
    ("synthesis_items", {"id": uuid(90), "position": 1}, True),
    ("synthesis_candidates", {"outcome": "history"}, False),
    ("brand_library_brands", {"id": uuid(90)}, False),
    ("urls", {"id": uuid(90)}, False),
    ("user_url_library", {"id": uuid(90)}, False),
    ("user_url_library", {"id": uuid(90), "user_id": uuid(91)}, True),
    ("url_observations", {"id": uuid(90)}, True),
    ("trend_definitions", {"id": uuid(90)}, False),
    ("trend_points", {"value": 9.0}, False),
    ("trend_points", {"series": "Shop"}, True),
]


@pytest.mark.parametrize(("table", "changes", "good"), UNIQUE)
def test_a_second_row(unbound: sqlite3.Connection, table: str, changes: dict[str, Any], good: bool) -> None:
    with undone(unbound):
        put(unbound, table)
        if good:
            put(unbound, table, changes)
        else:
            with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
                put(unbound, table, changes)


def test_the_older_tracker_has_one_look_a_day(unbound: sqlite3.Connection) -> None:
    with undone(unbound):
        put(unbound, "url_observations", origin="v1")
        put(unbound, "url_observations", id=uuid(90), origin="check")
        put(unbound, "url_observations", id=uuid(91), origin="v1", url_id=uuid(92))
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            put(unbound, "url_observations", id=uuid(93), origin="v1")
