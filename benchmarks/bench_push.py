# ruff: noqa: S603, S608 - the names are the schema's, the programs are ours
"""What a push costs: the first load of a large file, a push with nothing to do, a push after 1,000 changes.

Run from the top of the checkout, with the test requirements installed:
    PYTHONPATH=src:tests:benchmarks python benchmarks/bench_push.py [ROWS] [VERSION]
CPU seconds are those of digestlog and of every process of the server. Figures: docs/push.md.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from bench_postgres import Cost, build, measured, told
from postgres_server import Server, shared_server

from digestlog.resources import schema_sql
from digestlog.store.creation import schema_statements
from digestlog.store.postgres_schema import tables

CHANGES = 1_000


def with_triggers(path: Path) -> None:
    """Put back what `build` took away for speed, but for the search index, which it left empty."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in schema_statements(schema_sql()):
            if "CREATE TRIGGER" in statement and "TRIGGER article_search" not in statement:
                connection.execute(statement)


def push(server: Server, database: str, db: Path, *words: str) -> Cost:
    """digestlog push."""
    command = [sys.executable, "-m", "digestlog", "--db", str(db), "-q", "push", *words]
    return measured(server, command, {**os.environ, "DIGESTLOG_POSTGRES": server.url(database)})


def change(path: Path, start: int) -> None:
    """A thousand changes as a day brings them: new rows, filled titles, other states, some that go."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        more = f"SELECT n + 1 FROM c WHERE n < {start} + 299"
        count = f"WITH RECURSIVE c(n) AS (SELECT {start} UNION ALL {more})"
        uuid, url = "printf('A_ff%014x', n)", "printf('https://new.example/%d', n)"
        connection.execute("BEGIN")
        connection.execute(
            f"""{count} INSERT INTO extracted_article_urls (article_uuid, source_uuid,
                url_scraping_method, source_url, article_url_original, article_url_final,
                url_original_to_final_match,
                article_detected_utc_iso)
            SELECT {uuid}, 'W_RSS_1', 'RSS', 'https://news.example/feed', {url}, {url}, 1,
                '2026-02-13T00:00:00+00:00' FROM c"""
        )
        connection.execute(
            f"""{count} INSERT INTO url_resolutions (article_url_original, article_uuid, status)
            SELECT {url}, {uuid}, 'resolved' FROM c"""
        )
        for table, verb in (
            ("extracted_article_urls", "UPDATE {} SET article_title = article_title || '!'"),
            ("url_resolutions", "UPDATE {} SET attempts = attempts + 1"),
            ("scraped_articles", "DELETE FROM {}"),
        ):
            some = {"extracted_article_urls": 200, "url_resolutions": 100, "scraped_articles": 100}[table]
            connection.execute(
                f"{verb.format(table)} WHERE rowid IN (SELECT rowid FROM {table} LIMIT {some} OFFSET {start})"
            )
        connection.execute("COMMIT")


def main() -> None:
    """Measure and print."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_900_000
    version = int(sys.argv[2]) if len(sys.argv) > 2 else 18
    with tempfile.TemporaryDirectory() as place, shared_server(version, Path(place)) as server:
        folder = Path(place)
        folder.chmod(0o755)
        db = folder / "bench.db"
        build(db, rows)
        with_triggers(db)
        with closing(sqlite3.connect(db)) as connection:
            held = sum(connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables())
        print(f"{held:,} rows, {db.stat().st_size / 1e6:,.0f} MB in SQLite, Postgres {version}")
        print(f"{'':<58} {'CPU s':>8} {'wall s':>8} {'peak MB':>8}")
        database = server.create()
        full = told("first push", push(server, database, db))
        told("push with nothing to do", push(server, database, db))
        for turn in range(3):
            change(db, 1_000 * (turn + 1))
            some = told(f"push after {CHANGES:,} changes", push(server, database, db))
        print(f"the first push costs {full / some:.0f} times as much")
        told("push --full", push(server, database, db, "--full"))


if __name__ == "__main__":
    main()
