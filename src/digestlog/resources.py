"""The files that travel with the package."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def _read(name: str) -> str:
    """The text of a top-level file: in the wheel it lies in the package, in a checkout two folders above."""
    inside = _PACKAGE / name
    path = inside if inside.exists() else _PACKAGE.parents[1] / name
    return path.read_text(encoding="utf-8")


def schema_sql() -> str:
    """The whole current SQLite schema."""
    return _read("schema.sql")


def datasette_metadata() -> str:
    """The YAML that tells Datasette about the tables."""
    return _read("datasette-metadata.yml")


def tracking_params() -> str:
    """The JSON that names the query parameters which are not part of a URL's identity."""
    return (_PACKAGE / "core" / "tracking-params.json").read_text(encoding="utf-8")


def policy_rules() -> str:
    """The JSON with the packaged rules of what may be watched."""
    return (_PACKAGE / "core" / "policy-rules.json").read_text(encoding="utf-8")


def postgres_sql(part: str) -> str:
    """A part of the Postgres schema: schema (made from schema.sql), rules, access, supabase."""
    return (_PACKAGE / "store" / f"postgres_{part}.sql").read_text(encoding="utf-8")
