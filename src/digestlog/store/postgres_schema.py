"""The Postgres schema: what is loaded, in which order, and what each column is there.

tables -> rows -> keys -> rules -> guards -> access [-> supabase]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from digestlog.resources import postgres_sql

_COLUMN = re.compile(r"    (?P<name>\"?[a-z_0-9]+\"?) (?P<kind>[a-z]+(?: precision)?)\b(?P<rest>.*)")
# Words of a list, or hexadecimal digits: nothing that would have to be escaped.
_SIMPLE = re.compile(r" IN \('|!~ '\[\^0-9a-f\]'")


@dataclass(frozen=True, slots=True)
class Column:
    """A column and its type in Postgres, without length and collation; simple: its text needs no escapes."""

    name: str
    kind: str
    not_null: bool
    simple: bool


@cache
def section(name: str) -> str:
    """One part of the generated schema: tables, keys or guards."""
    found = re.split(r"^-- == (\w+) ==\n", postgres_sql("schema"), flags=re.M)
    return dict(zip(found[1::2], found[2::2], strict=True))[name].strip() + "\n"


@cache
def tables() -> dict[str, tuple[Column, ...]]:
    """Every table that Postgres has, with its columns, in the order of schema.sql."""
    found = re.findall(r"^CREATE TABLE public\.(\w+) \(\n(.*?)^\);", section("tables"), re.M | re.S)
    return {name: tuple(_columns(body)) for name, body in found}


def _columns(body: str) -> list[Column]:
    return [_column(found) for line in body.splitlines() if (found := _COLUMN.match(line)) is not None]


def _column(found: re.Match[str]) -> Column:
    simple = _SIMPLE.search(found["rest"]) is not None
    return Column(found["name"].strip('"'), found["kind"], " NOT NULL" in found["rest"], simple)


def before_rows() -> str:
    """The tables, without keys, so that rows load fast."""
    return section("tables")


def after_rows(*, supabase: bool = False) -> list[tuple[str, str]]:
    """What follows the rows, each part with its name."""
    parts = [
        ("keys and indexes", section("keys")),
        ("functions, triggers and views", postgres_sql("rules")),
        ("guards", section("guards")),
        ("grants and policies", postgres_sql("access")),
    ]
    return [*parts, ("Supabase", postgres_sql("supabase"))] if supabase else parts


def load_script(*, supabase: bool = False) -> str:
    """The whole schema, without a row and without a transaction of its own."""
    return "\n".join([before_rows(), *(sql for _, sql in after_rows(supabase=supabase))])
