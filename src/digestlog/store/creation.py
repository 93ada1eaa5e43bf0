"""What a new file is made of: the statements of the schema, and the first rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator


def schema_statements(sql: str) -> Iterator[str]:
    """The statements of a script, one by one, so that they can share a transaction."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        yield pending


def first_rows(connection: sqlite3.Connection, now_iso: str, owner: str) -> None:
    """The identity rules, the plans and the owner."""
    import uuid

    from digestlog.core.canonical import CANON_VERSION, rules_version

    times = {"now": now_iso}
    connection.execute(
        """INSERT INTO url_identity (id, canon_version, rules_version, created_at, updated_at)
        VALUES (1, :canon, :rules, :now, :now)""",
        {"canon": CANON_VERSION, "rules": rules_version(), **times},
    )
    connection.execute(
        """INSERT INTO plan_definitions (plan, max_tracked_urls, full_history, created_at, updated_at)
        VALUES ('free', 10, 0, :now, :now), ('paid', NULL, 1, :now, :now)""",
        times,
    )
    connection.execute(
        """INSERT INTO source_numbers (url_scraping_method, created_at, updated_at)
        VALUES ('RSS', :now, :now), ('Direct', :now, :now)""",
        times,
    )
    owner_row = {"id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"digestlog:user:{owner}")), "name": owner, **times}
    connection.execute(
        "INSERT INTO users (id, name, role, created_at, updated_at) VALUES (:id, :name, 'admin', :now, :now)",
        owner_row,
    )
    connection.execute("INSERT INTO file_owner (id, user_id, created_at) VALUES (1, :id, :now)", owner_row)
    connection.execute(
        "INSERT INTO subscriptions (user_id, plan, created_at, updated_at) VALUES (:id, 'paid', :now, :now)",
        owner_row,
    )
