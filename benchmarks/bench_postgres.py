# ruff: noqa: S603, S608 - the names are the schema's, the programs are ours
"""What it costs to bring 1,900,000 rows to Postgres: export and load, against \\copy of ready-made text.

Run from the top of the checkout, with the test requirements installed:
    PYTHONPATH=src:tests python benchmarks/bench_postgres.py [ROWS] [VERSION]
CPU seconds are those of all processes: digestlog, psql and every process of the server. The last
figures are in docs/postgres.md.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from postgres_server import Server, shared_server

from digestlog.store.db import open_database
from digestlog.store.postgres_schema import after_rows, before_rows, tables

NOW = datetime(2026, 2, 12, tzinfo=UTC)
TIME = "strftime('%Y-%m-%dT%H:%M:%S+00:00', 1735689600 + n * 60, 'unixepoch')"
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """CPU and wall-clock seconds, and the peak memory of the process that was started."""

    cpu_s: float
    wall_s: float
    peak_mb: float


# --- the file ---------------------------------------------------------------------------------


def build(path: Path, rows: int) -> None:
    """A ledger with so many rows: articles, mentions, resolutions, texts and results of scans."""
    articles = rows * 10 // 38
    with open_database(path, now=NOW) as db:
        connection = db.connection
        connection.execute("PRAGMA foreign_keys = OFF")
        # The search index is no part of the export; filling it would take most of the time.
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("BEGIN")
        for sql in _fillings(articles):
            connection.execute(sql)
        connection.execute("COMMIT")


def _fillings(articles: int) -> list[str]:
    count = f"WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {articles})"
    uuid = "printf('A_%016x', n * 2654435761)"
    url = "printf('https://news%d.example/2026/%d/a-headline-of-usual-length-%x', n % 2000, n, n * 40503)"
    title = "printf('A headline of the usual length, number %d: \"quoted\" and it''s done', n)"
    source = "'W_RSS_' || (1 + n % 2000)"
    text = "replace(printf('%.*c', 40, 'x'), 'x', 'Once upon a time there was a line.' || char(10))"
    uuid4 = "printf('00000000-0000-4000-8000-%012x', n)"
    return [
        """WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
        INSERT INTO sources_master_list (source_uuid, source_name, source_url, url_scraping_method)
        SELECT 'W_RSS_' || n, 'Source ' || n, 'https://news' || n || '.example/feed', 'RSS' FROM c""",
        f"""{count} INSERT INTO extracted_article_urls (article_uuid, source_uuid, url_scraping_method,
            source_url, article_title, article_url_original, article_url_final, url_original_to_final_match,
            url_notes, published_utc_iso, article_detected_utc_iso)
        SELECT {uuid}, {source}, 'RSS', 'https://news.example/feed', {title}, {url} || '?utm_source=rss',
            {url}, 0, 'tracking_removed', {TIME}, {TIME} FROM c""",
        f"""{count} INSERT INTO article_source_mentions (article_uuid, source_uuid, article_url_original,
            first_seen_at, found_by)
        SELECT {uuid}, {source}, {url} || '?utm_source=rss', {TIME}, 'feed' FROM c""",
        f"""{count} INSERT INTO url_resolutions (article_url_original, article_uuid, status, hops)
        SELECT {url} || '?utm_source=rss', {uuid}, 'resolved',
            '[{{"status": 301, "url": "https://e.example/"}}]' FROM c""",
        f"""{count} INSERT INTO scraped_articles (scrape_id, article_uuid, scraped_at, http_status, title,
            content_text, content_sha256)
        SELECT {uuid4}, {uuid}, {TIME}, 200, {title}, {text} || n, printf('%064x', n) FROM c
        WHERE n % 10 < 8""",
    ]


# --- measuring --------------------------------------------------------------------------------


def server_cpu(server: Server) -> float:
    """CPU seconds of the server until now: itself, those that ended, those that live."""
    postmaster = int((server.home / "pid").read_text())
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid, parent = int(stat.parent.name), int(fields[1])
        if pid == postmaster:
            total += sum(map(int, fields[11:15])) / _TICK
        elif parent == postmaster:
            total += sum(map(int, fields[11:13])) / _TICK
    return total


def measured(server: Server, command: list[str], env: dict[str, str]) -> Cost:
    """Run a command and add up what it, its children and the server spent."""
    before, began = server_cpu(server), time.perf_counter()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    time.sleep(0.5)  # the server's process for this client has to end before it is counted
    cpu = usage.ru_utime + usage.ru_stime + server_cpu(server) - before
    return Cost(cpu, wall, usage.ru_maxrss / 1024)


def export(server: Server, db: Path, out: Path, *words: str) -> Cost:
    """digestlog export postgres."""
    command = [
        sys.executable,
        "-m",
        "digestlog",
        "--db",
        str(db),
        "-q",
        "export",
        "postgres",
        "-o",
        str(out),
        *words,
    ]
    return measured(server, command, dict(os.environ))


def psql(server: Server, database: str, script: Path) -> Cost:
    """psql -f."""
    command = [str(server.programs / "bin" / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database]
    env = {**os.environ, "PGHOST": str(server.home / "run"), "PGUSER": "postgres"}
    return measured(server, [*command, "-f", str(script)], env)


def ready_made(exported: Path, folder: Path) -> list[str]:
    """Each COPY block of an export as a file of its own; the \\copy commands that load them."""
    commands = []
    with exported.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            head = re.match(r"COPY (public\.(\w+) \(.*\)) FROM stdin", line)
            if head is None:
                continue
            target = folder / f"{head[2]}.txt"
            with target.open("w", encoding="utf-8", newline="\n") as out:
                for row in lines:
                    if row == "\\.\n":
                        break
                    out.write(row)
            commands.append(f"\\copy {head[1]} FROM '{target}'\n")
    return commands


def in_new_database(server: Server, work: Callable[[str], Cost]) -> Cost:
    """What the work costs in an empty database."""
    database = server.create()
    try:
        return work(database)
    finally:
        server.drop(database)


def told(name: str, *costs: Cost) -> float:
    """Print a line of the table."""
    cpu, wall = sum(cost.cpu_s for cost in costs), sum(cost.wall_s for cost in costs)
    print(f"{name:<58} {cpu:8.1f} {wall:8.1f} {costs[0].peak_mb:8.0f}", flush=True)
    return cpu


def main() -> None:
    """Measure and print."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_900_000
    version = int(sys.argv[2]) if len(sys.argv) > 2 else 18
    with tempfile.TemporaryDirectory() as place, shared_server(version, Path(place)) as server:
        folder = Path(place)
        folder.chmod(0o755)
        db, dump, inserts = folder / "bench.db", folder / "dump.sql", folder / "inserts.sql"
        build(db, rows)
        with sqlite3.connect(db) as connection:
            held = sum(connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables())
        connection.close()
        print(f"{held:,} rows, {db.stat().st_size / 1e6:,.0f} MB in SQLite, Postgres {version}")
        print(f"{'':<58} {'CPU s':>8} {'wall s':>8} {'peak MB':>8}")
        exporting = export(server, db, dump)
        told(f"export, {dump.stat().st_size / 1e6:,.0f} MB", exporting)
        loading = in_new_database(server, lambda name: psql(server, name, dump))
        told("load", loading)
        copies = ready_made(dump, folder)
        schema = [before_rows(), "".join(copies), *(sql for _, sql in after_rows())]
        script = folder / "copy.sql"
        script.write_text("BEGIN;\n" + "\n".join(schema) + "COMMIT;\n")
        copied = in_new_database(server, lambda name: psql(server, name, script))
        ours, theirs = (
            told("export and load", exporting, loading),
            told("\\copy, then the same keys and rules", copied),
        )
        script.write_text("BEGIN;\n" + before_rows() + "".join(copies) + "COMMIT;\n")
        bare = told(
            "\\copy into bare tables", in_new_database(server, lambda name: psql(server, name, script))
        )
        print(f"export and load: {ours / theirs:.2f} times \\copy with keys, {ours / bare:.2f} without")
        writing = export(server, db, inserts, "--inserts")
        told(
            "export --inserts and load",
            writing,
            in_new_database(server, lambda name: psql(server, name, inserts)),
        )


if __name__ == "__main__":
    main()
