"""How Datasette is set up on our instances, and what it says about each table."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from digestlog.resources import datasette_metadata
from digestlog.serve.realms import ADMIN_DATABASE, OWN_DATABASE
from digestlog.store.gates import GATES, VIEWS

SETTINGS = {
    "allow_download": False,
    "allow_csv_stream": True,
    "default_allow_sql": True,
    "suggest_facets": False,
    "allow_facet": True,
    "num_sql_threads": 2,
    "sql_time_limit_ms": 2_000,
    "facet_time_limit_ms": 300,
    "max_returned_rows": 1_000,
    "default_page_size": 50,
    "max_csv_mb": 100,
    "truncate_cells_html": 300,
    "trace_debug": False,
    "template_debug": False,
    "cache_size_kb": 0,
}


def for_admins() -> dict[str, Any]:
    """What is said of the whole file."""
    return deepcopy(_metadata())


def for_a_user(cut: tuple[str, ...]) -> dict[str, Any]:
    """What is said of a user's copy; `cut` are the tables that are not there whole."""
    whole = for_admins()
    tables = whole.pop("databases")[ADMIN_DATABASE]["tables"]
    own = {gate.table: _without(tables[gate.table], gate.hidden) for gate in GATES}
    own |= {view: tables[view] for view in VIEWS}
    for table in cut:
        own[table]["description"] += " Only the newest are shown here."
    return whole | {"databases": {OWN_DATABASE: {"title": "What is yours", "tables": own}}}


def _without(table: dict[str, Any], hidden: tuple[str, ...]) -> dict[str, Any]:
    columns = {name: words for name, words in table["columns"].items() if name not in hidden}
    facets = [name for name in table.get("facets", []) if name not in ("user_id", *hidden)]
    return table | {"columns": columns, "facets": facets}


@cache
def _metadata() -> dict[str, Any]:
    import yaml  # type: ignore[import-untyped]

    read: dict[str, Any] = yaml.safe_load(datasette_metadata())
    return read
