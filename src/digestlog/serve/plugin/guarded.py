"""Our file in a Datasette that somebody started by hand: Datasette's own root may look, nobody else.

A file is ours if it carries our application_id. Other files in the same Datasette are left alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from digestlog.store.db import APPLICATION_ID

_HEADER_BYTES = 100
_ALL_FILES = "_memory"  # with --crossdb, one database that reaches into all files

_DENIED = """
    SELECT value AS parent, NULL AS child, 0 AS allow, 'a digestlog file' AS reason
    FROM json_each(:digestlog_guarded)
    UNION ALL
    SELECT database_name, table_name, 0, 'a digestlog file' FROM catalog_tables
    WHERE database_name IN (SELECT value FROM json_each(:digestlog_guarded))
    UNION ALL
    SELECT database_name, view_name, 0, 'a digestlog file' FROM catalog_views
    WHERE database_name IN (SELECT value FROM json_each(:digestlog_guarded))
    UNION ALL
    SELECT database_name, name, 0, 'a digestlog file' FROM queries
    WHERE database_name IN (SELECT value FROM json_each(:digestlog_guarded))
"""


def is_ours(datasette: Any, database: str | None) -> bool:
    """True if the database is a digestlog file, or reaches into one."""
    if database == _ALL_FILES and datasette.crossdb:
        return any(is_our_file(datasette, name) for name in datasette.databases)
    return is_our_file(datasette, database)


def is_our_file(datasette: Any, database: str | None) -> bool:
    """True if the database is a digestlog file itself."""
    db = datasette.databases.get(database)
    return db is not None and db.path is not None and _bears_our_id(Path(db.path))


def names(datasette: Any) -> list[str]:
    """The databases that are digestlog files, or reach into one."""
    return [name for name in datasette.databases if is_ours(datasette, name)]


def verdict(datasette: Any, actor: dict[str, Any] | None, action: str, database: str | None) -> bool | None:
    """Datasette 0.65: False where it is forbidden; None where we have no say."""
    if database is None:
        forbidden = action == "view-instance" and _nothing_else(datasette)
    else:
        forbidden = is_ours(datasette, database)
    return (
        False
        if forbidden and (action == "view-database-download" or not _is_root(datasette, actor))
        else None
    )


def denials(datasette: Any, actor: dict[str, Any] | None, action: str, sql: Any) -> Any:
    """Datasette 1.0: what is forbidden, down to each table, where no other rule can go deeper."""
    ours = names(datasette)
    if not ours or (_is_root(datasette, actor) and action != "view-database-download"):
        return None
    known = datasette.actions.get(action)
    if known is not None and known.resource_class is None:
        if action == "view-instance" and _nothing_else(datasette):
            return sql.deny(reason="a digestlog file")
        return None
    return sql(sql=_DENIED, params={"digestlog_guarded": json.dumps(ours)})


def _is_root(datasette: Any, actor: dict[str, Any] | None) -> bool:
    return actor is not None and actor.get("id") == "root" and getattr(datasette, "root_enabled", True)


def _nothing_else(datasette: Any) -> bool:
    """True if all files of this Datasette are ours."""
    files = [name for name, db in datasette.databases.items() if db.path is not None]
    return bool(files) and all(is_ours(datasette, name) for name in files)


def _bears_our_id(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError:
        return True  # it cannot be told, so nobody gets in
    return int.from_bytes(header[68:72]) == APPLICATION_ID
