"""What the log of changes costs a scan: 30,000 new articles with their mentions and addresses.

    python benchmarks/bench_change_log.py

Without the triggers, with them while nothing is pushed, and with them while a database follows the file.
Figures: docs/push.md.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from digestlog.core.ledger import RESOLVED, Candidate, NewArticle, Resolution, identified
from digestlog.core.model import NewSource
from digestlog.store import change_log, ledger, sources
from digestlog.store.db import Database, open_database

ARTICLES, A_VISIT = 30_000, 50
NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)


def articles(count: int) -> list[NewArticle]:
    """Articles that are new."""
    here = Resolution(RESOLVED, http_status=200)
    made = []
    for number in range(count):
        url = f"https://site{number % 500}.example/2026/02/13/story-number-{number}"
        found = identified(Candidate(url, f"Story number {number}", NOW, "x", "pubDate", "fast"), here)
        if isinstance(found, NewArticle):
            made.append(found)
    return made


def seconds(db: Database, wanted: list[NewArticle]) -> float:
    """The processor time of recording them, some a transaction as a scan does."""
    source = sources.insert(db, NewSource("https://one.example/feed", "one", "RSS")).source
    began = process_time()
    for at in range(0, len(wanted), A_VISIT):
        with db.transaction() as connection:
            ledger.record(db, connection, source, wanted[at : at + A_VISIT], [])
    return process_time() - began


def bare(db: Database) -> None:
    """Take the triggers of the log away."""
    names = db.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'logged_*'")
    for row in names:
        db.connection.execute(f"DROP TRIGGER {row['name']}")


def followed(db: Database) -> None:
    """Let a database follow the file."""
    change_log.begin(db, "00000000-0000-4000-8000-000000000001", "db.example/digestlog")


def main() -> None:
    """Three ways, three times each; the best of each."""
    wanted = articles(ARTICLES)
    print(f"SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}, {len(wanted):,} articles")
    best: dict[str, float] = {}
    for turn in range(3):
        for name, before in (("no triggers", bare), ("not pushed", lambda db: None), ("pushed", followed)):
            with tempfile.TemporaryDirectory() as folder:
                with open_database(Path(folder) / f"{turn}.db", now=NOW) as db:
                    before(db)
                    best[name] = min(best.get(name, 1e9), seconds(db, wanted))
    for name, took in best.items():
        share = took / best["no triggers"] - 1
        print(f"{name:12} {took:6.2f} s  {took / len(wanted) * 1e6:6.1f} us an article  {share:+.1%}")


if __name__ == "__main__":
    main()
