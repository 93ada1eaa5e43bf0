"""Rows of the file into Postgres: copied whole, or staged, then written or merged.

Alone: the database has the rows of one file, and is made equal to it row by row. Merged: several files feed
it, and each row becomes what `merge` would make of it (merge_rules.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from digestlog.store import change_log
from digestlog.store.db import Database
from digestlog.store.merge_rules import RULES, Dialect, Merger
from digestlog.store.postgres_copy import column_list, copied, prepare
from digestlog.store.postgres_schema import after_rows, before_rows, tables

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

# Which table is written, and how many rows of it.
Tell = Callable[[str, int], None]

_OF_LIST = "FROM {db}.policy_domains AS d WHERE d.list_name = {r}.name"
POSTGRES = Dialect(
    home="public",
    never="'-infinity'::timestamptz",
    late="'infinity'::timestamptz",
    least="LEAST",
    # In the order of bytes, as SQLite has it: two files that merge and two that are pushed end alike.
    value="coalesce('+' || replace(({0})::text, ',', ', '), '-') COLLATE \"C\"",
    domains="(SELECT coalesce(string_agg(d.domain || ' ' || d.subdomains::text, ',' ORDER BY d.domain), '')"
    f" {_OF_LIST})",
)
# Counted, numbered or stamped by each file alone: of no use where several come together.
_OWN = {"trend_points", "source_numbers", "url_identity"}
_BESIDE = {"extracted_article_urls": "article_completions", "policy_lists": "policy_domains"}
# Too long for an index of their own: unique by their hash.
_HASHED = {("url_resolutions", "article_url_original"), ("synthesis_candidates", "url")}


def load(connection: Connection, db: Database, tell: Tell, *, make: bool) -> None:
    """All rows into empty tables; `make`: make the tables first, and their keys and rules after the rows."""
    prepare(db.connection)
    if make:
        connection.execute(before_rows().encode())
    for table in tables():
        _copy(connection, f"public.{table}", table, copied(db, table), tell)
    if make:
        for _, sql in after_rows(supabase=_is_supabase(connection)):
            connection.execute(sql.encode())


def _is_supabase(connection: Connection) -> bool:
    """True where Supabase says who asks."""
    row = connection.execute("SELECT to_regprocedure('auth.uid()') IS NOT NULL").fetchone()
    return bool(row and row[0])


def send(connection: Connection, db: Database, file_id: str, tell: Tell, *, alone: bool) -> dict[str, int]:
    """The gathered rows into a database that has some; deletes first. How many were sent and deleted."""
    prepare(db.connection)
    gathered = _gathered(db, alone=alone)
    deleted = sum(_stage_gone(connection, db, table) for table in gathered)
    sent = sum(_stage(connection, db, table, tell) for table in gathered)
    if not alone:
        keys = {table: change_log.primary_key(db.connection, table) for table in gathered}
        _number_sources(connection, file_id, gathered, keys)
    for table in reversed(gathered):
        _delete(connection, db, table)
    for table in gathered:
        if alone:
            _write(connection, db, table)
        else:
            _merge(connection, table)
    return {"sent": sent, "deleted": deleted}


def _gathered(db: Database, *, alone: bool) -> list[str]:
    """The tables of which rows are sent, and those that are judged together with them."""
    found = {table for table in change_log.gathered(db) if alone or table not in _OWN}
    found |= {beside for table, beside in _BESIDE.items() if table in found}
    return [table for table in tables() if table in found]


def join(connection: Connection) -> None:
    """A second file comes: what is here stays under its numbers, which were the first file's own."""
    connection.execute(
        """INSERT INTO digestlog.push_sources (file_id, source_uuid, target_uuid)
        SELECT f.file_id, s.source_uuid, s.source_uuid
        FROM digestlog.push_files AS f, public.sources_master_list AS s WHERE f.into_empty
        ON CONFLICT DO NOTHING"""
    )
    # They were counted in one file; of several nobody counts them here.
    connection.execute("DELETE FROM public.trend_points")


# --- staging ------------------------------------------------------------------------------


def _copy(
    connection: Connection, to: str, table: str, chunks: Iterator[tuple[int, bytes]], tell: Tell
) -> int:
    done = 0
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {to} ({column_list(table)}) FROM stdin".encode()) as copy,
    ):
        for rows, chunk in chunks:
            copy.write(chunk)
            done += rows
            tell(table, done)
    return done


def _stage(connection: Connection, db: Database, table: str, tell: Tell) -> int:
    """The rows that are to be written, in a table of the same name that only this session sees."""
    connection.execute(f"CREATE TEMP TABLE {table} (LIKE public.{table}) ON COMMIT DROP".encode())
    where = f"temp.sent_keys AS k CROSS JOIN {table} AS t {change_log.joined(db.connection, table)}"
    done = _copy(connection, f"pg_temp.{table}", table, copied(db, table, where), tell)
    connection.execute(f"ANALYZE pg_temp.{table}".encode())
    return done


def _stage_gone(connection: Connection, db: Database, table: str) -> int:
    """The keys of rows that are to be deleted."""
    keys = change_log.primary_key(db.connection, table)
    names = ", ".join(keys)
    connection.execute(
        f"""CREATE TEMP TABLE gone_{table} ON COMMIT DROP AS SELECT {names} FROM public.{table}
        WHERE false""".encode()  # noqa: S608
    )
    gone = change_log.gone(db, table)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY pg_temp.gone_{table} ({names}) FROM stdin".encode()) as copy,
    ):
        for row in gone:
            copy.write_row(row)
    return len(gone)


def _same(table: str, keys: Sequence[str]) -> str:
    """The condition for two rows m and o to be the same row, as an index of the table can find it."""
    parts = []
    for name in keys:
        one = "sha256(replace({}.{}, '\\', '\\\\')::bytea)" if (table, name) in _HASHED else '{}."{}"'
        parts.append(f"{one.format('m', name)} = {one.format('o', name)}")
    return " AND ".join(parts)


# --- writing ------------------------------------------------------------------------------


def _delete(connection: Connection, db: Database, table: str) -> None:
    keys = change_log.primary_key(db.connection, table)
    connection.execute(
        f"DELETE FROM public.{table} AS m USING pg_temp.gone_{table} AS o WHERE {_same(table, keys)}".encode()  # noqa: S608
    )


def _write(connection: Connection, db: Database, table: str) -> None:
    """Make the rows there those of the file."""
    keys = change_log.primary_key(db.connection, table)
    names = [f'"{column.name}"' for column in tables()[table]]
    same = _same(table, keys)
    connection.execute(
        f"""UPDATE public.{table} AS m SET ({", ".join(names)}) = ROW({", ".join(f"o.{n}" for n in names)})
        FROM pg_temp.{table} AS o WHERE {same} AND m.* IS DISTINCT FROM o.*""".encode()  # noqa: S608
    )
    _add(connection, table, names, same)


def _add(connection: Connection, table: str, names: Sequence[str], same: str) -> None:
    connection.execute(
        f"""INSERT INTO public.{table} ({", ".join(names)})
        SELECT {", ".join(names)} FROM pg_temp.{table} AS o
        WHERE NOT EXISTS (SELECT FROM public.{table} AS m WHERE {same})""".encode()  # noqa: S608
    )


def _merge(connection: Connection, table: str) -> None:
    """Make the rows there what both sides' rows say together."""
    rule = next((rule for rule in RULES if rule.table == table), None)
    if rule is None:
        return  # written with what it belongs to
    merger = Merger(rule, tuple(column.name for column in tables()[table]), POSTGRES)
    plans = list(_plans(merger))
    for name, select in plans:
        connection.execute(f"CREATE TEMP TABLE {name} ON COMMIT DROP AS {select}".encode())
    other, home = ("o", "pg_temp"), ("m", "public")
    assignments = [
        f'"{name}" = CASE WHEN {merger.wins(group, columns, other, home)} THEN o."{name}" ELSE m."{name}" END'
        for group, columns in merger.groups()
        for name in columns
    ]
    same = _same(table, rule.key)
    connection.execute(
        f"""UPDATE public.{table} AS m SET {", ".join(assignments)} FROM pg_temp.{table} AS o
        WHERE {same} AND {merger.any_wins(other, home)}""".encode()  # noqa: S608
    )
    _add(connection, table, [f'"{name}"' for name in merger.written()], same)
    for name, _ in plans:
        for sql in _PLANNED[name]:
            connection.execute(sql.encode())


def _plans(merger: Merger) -> Iterator[tuple[str, str]]:
    """What has to be worked out before a table is merged and written after it: a name and the rows."""
    if merger.rule.table == "extracted_article_urls":
        yield "planned_completions", " UNION ALL ".join(merger.completions("pg_temp"))
    if merger.rule.table == "policy_lists":
        yield "planned_lists", merger.lists("pg_temp")


_PLANNED = {
    "planned_completions": (
        """DELETE FROM public.article_completions AS c USING pg_temp.extracted_article_urls AS o
        WHERE c.article_uuid = o.article_uuid AND NOT EXISTS (SELECT FROM pg_temp.planned_completions AS p
            WHERE (p.article_uuid, p.field, p.completed_at) = (c.article_uuid, c.field, c.completed_at))""",
        """INSERT INTO public.article_completions (article_uuid, field, completed_at, created_at)
        SELECT article_uuid, field, completed_at, completed_at FROM pg_temp.planned_completions
        ON CONFLICT DO NOTHING""",
    ),
    "planned_lists": (
        "DELETE FROM public.policy_domains WHERE list_name IN (SELECT name FROM pg_temp.planned_lists)",
        """INSERT INTO public.policy_domains SELECT * FROM pg_temp.policy_domains
        WHERE list_name IN (SELECT name FROM pg_temp.planned_lists)""",
    ),
}


# --- sources ------------------------------------------------------------------------------


def _number_sources(
    connection: Connection, file_id: str, gathered: Sequence[str], keys: Mapping[str, Sequence[str]]
) -> None:
    """Give the staged rows the numbers that their sources have here: by address, or new ones."""
    if "sources_master_list" in gathered:
        _map_known(connection, file_id)
        _map_new(connection, file_id)
        # A feed in one file and a page in another is here what it was first.
        connection.execute(
            """UPDATE pg_temp.sources_master_list AS o SET url_scraping_method = m.url_scraping_method
            FROM digestlog.push_sources AS n
            JOIN public.sources_master_list AS m ON m.source_uuid = n.target_uuid
            WHERE n.file_id = %s AND n.source_uuid = o.source_uuid""",
            [file_id],
        )
    for table in gathered:
        if any(column.name == "source_uuid" for column in tables()[table]):
            _renumber(connection, table, file_id)
            if "source_uuid" in keys[table]:
                _renumber(connection, f"gone_{table}", file_id)


def _renumber(connection: Connection, staged: str, file_id: str) -> None:
    connection.execute(
        f"""UPDATE pg_temp.{staged} AS o SET source_uuid = n.target_uuid FROM digestlog.push_sources AS n
        WHERE n.file_id = %s AND n.source_uuid = o.source_uuid""".encode(),  # noqa: S608
        [file_id],
    )


def _map_known(connection: Connection, file_id: str) -> None:
    connection.execute(
        """INSERT INTO digestlog.push_sources (file_id, source_uuid, target_uuid)
        SELECT %s, o.source_uuid, m.source_uuid
        FROM pg_temp.sources_master_list AS o JOIN public.sources_master_list AS m USING (source_url)
        ON CONFLICT DO NOTHING""",
        [file_id],
    )


def _map_new(connection: Connection, file_id: str) -> None:
    """A source that is new here gets the next number of its method."""
    connection.execute(
        """WITH numbers AS (
            SELECT method, greatest(
                coalesce((SELECT n.last_number FROM public.source_numbers AS n
                    WHERE n.url_scraping_method = method), 0),
                coalesce((SELECT max(substring(s.source_uuid FROM '[0-9]+$')::bigint)
                    FROM public.sources_master_list AS s WHERE s.url_scraping_method = method), 0)
            ) AS last FROM unnest(ARRAY['RSS', 'Direct']) AS method
        )
        INSERT INTO digestlog.push_sources (file_id, source_uuid, target_uuid)
        SELECT %(file)s, o.source_uuid, 'W_' || upper(o.url_scraping_method) || '_' || numbers.last
            + row_number() OVER (PARTITION BY o.url_scraping_method ORDER BY o.created_at, o.source_url)
        FROM pg_temp.sources_master_list AS o JOIN numbers ON numbers.method = o.url_scraping_method
        WHERE NOT EXISTS (SELECT FROM digestlog.push_sources AS n
            WHERE n.file_id = %(file)s AND n.source_uuid = o.source_uuid)""",
        {"file": file_id},
    )
    connection.execute(
        """UPDATE public.source_numbers AS n SET last_number = greatest(n.last_number, (
            SELECT max(substring(p.target_uuid FROM '[0-9]+$')::bigint) FROM digestlog.push_sources AS p
            WHERE p.target_uuid ~ ('^W_' || upper(n.url_scraping_method) || '_')))"""
    )
