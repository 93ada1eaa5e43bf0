"""What Datasette says about the tables: everything has a description, and names nothing that is not there."""

from __future__ import annotations

import sqlite3

import pytest
import yaml

from digestlog.resources import datasette_metadata, schema_sql
from digestlog.serve.settings import for_a_user, for_admins
from digestlog.store.gates import GATES, TABLES, VIEWS

METADATA = yaml.safe_load(datasette_metadata())["databases"]["digestlog"]["tables"]
# Too many rows for counting how often each value comes.
LARGE = ("extracted_article_urls", "scraped_articles", "article_history", "url_change_events",
         "url_observations",
         "synthesis_items", "synthesis_candidates", "article_source_mentions",
         "scan_source_results")  # fmt: skip


@pytest.fixture(scope="module")
def columns() -> dict[str, list[str]]:
    """The columns of every table and view."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema_sql())
    names = connection.execute(
        """SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite_%'"""
    ).fetchall()
    found = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for (name,) in names}
    connection.close()
    return found


def test_every_table_and_column_is_described(columns: dict[str, list[str]]) -> None:
    assert set(METADATA) == set(columns)
    for table, about in METADATA.items():
        assert about["title"], table
        assert about["description"].endswith("."), table
        assert list(about["columns"]) == columns[table], table
        assert all(words.endswith((".", "?")) for words in about["columns"].values()), table


def test_nothing_that_is_named_is_missing(columns: dict[str, list[str]]) -> None:
    for table, about in METADATA.items():
        named = [about.get(key) for key in ("sort", "sort_desc", "label_column")] + about.get("facets", [])
        assert {name for name in named if name} <= set(columns[table]), table


def test_large_tables_are_not_counted_through_at_every_look() -> None:
    assert [table for table in LARGE if METADATA[table].get("facets")] == []


def test_a_user_is_told_of_their_own_tables_only() -> None:
    own = for_a_user(("urls",))["databases"]
    assert set(own) == {"my"}
    assert set(own["my"]["tables"]) == TABLES | set(VIEWS)
    for gate in GATES:
        about = own["my"]["tables"][gate.table]
        assert not set(gate.hidden) & set(about["columns"])
        assert "user_id" not in about["facets"]
    assert own["my"]["tables"]["urls"]["description"].endswith("Only the newest are shown here.")
    assert "Only the newest" not in str(for_admins())
