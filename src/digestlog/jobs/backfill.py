"""Bringing over what the older tracker wrote, in the order of its migration.

    0  work out canonical addresses
    1  tracked_urls -> urls                (one row an address; first created wins)
    2  tracked_urls -> user_url_library    (history gating by plan, the plan's limit)
    3  url_checks   -> url_observations    (one a page and day)
    4  url_changes  -> url_change_events
    5  summaries    -> url_change_summaries
    6  url_renders  -> url_render_artifacts

Every batch is one transaction and every statement leaves alone what is there, so that a backfill which was
killed goes on where it stopped, and a second one does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from digestlog.store import trends, v1, v1_foreign, v1_steps
from digestlog.store.db import Database
from digestlog.store.v1_import import Import

BATCH = 5_000
# Brands are looked up page by page.
PAGES = 1_000
_IMPORTED = ("tracked_urls", "url_checks", "url_changes", "summaries", "url_renders")

# Is told what is being done and how many rows of it came so far.
Report = Callable[[str, int], None]


@dataclass
class Enabled:
    """What was done to be ready: objects made, addresses worked out, those that have no identity."""

    restored: list[str] = field(default_factory=list)
    worked_out: int = 0
    without_identity: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass
class Backfilled:
    """How many rows came over by each step, and the pages that no plan had room for."""

    enabled: Enabled
    added: dict[str, int] = field(default_factory=dict)
    over_cap: list[v1.Left] = field(default_factory=list)


@dataclass
class Imported:
    """What came out of another file: rows read, rows new here, users made, rows left out by reason."""

    read: dict[str, int]
    added: dict[str, int]
    users_made: list[str]
    left_out: dict[str, int]


def enable(db: Database, report: Report, *, shown: int = 20) -> Enabled:
    """Make sure that tables and triggers are there and every tracked address has its canonical form."""
    done = Enabled(restored=v1.restore(db))
    after: str | None = ""
    while after is not None:
        after, worked_out = v1.work_out_canonical(db, after, BATCH)
        done.worked_out += worked_out
        report("addresses", done.worked_out)
    done.without_identity, done.examples = v1.without_identity(db, shown)
    return done


def backfill(db: Database, report: Report, *, batch: int = BATCH) -> Backfilled:
    """Bring over everything that has not come yet; trends are counted anew where changes came."""
    done = Backfilled(enable(db, report))
    done.added["urls"] = _pages(db, report, min(batch, PAGES))
    done.added["user_url_library"] = _library(db, report, done, batch)
    for step in v1_steps.STEPS:
        done.added[step.target] = _rows(db, report, step, batch)
    if done.added["url_change_events"]:
        trends.refresh(db, trends.BEGINNING)
    return done


def take_in(db: Database, path: Path, default_user: str, report: Report, *, batch: int = BATCH) -> Imported:
    """Read another tracker's file into the older tracker's tables of this one."""
    v1.restore(db)
    taking = Import(db, default_user)
    with v1_foreign.opened(path, db.path) as foreign:
        taking.begin()
        for part in v1_foreign.parted(foreign.rows("users"), batch):
            taking.take_names(part)
        for table in _IMPORTED:
            for part in v1_foreign.parted(foreign.rows(table), batch):
                taking.take(table, part)
                report(f"{table} of {path.name}", taking.read[table])
    read = {table: taking.read[table] for table in _IMPORTED}
    added = {table: taking.added[table] for table in _IMPORTED}
    return Imported(read, added, taking.users_made, dict(sorted(taking.left_out.items())))


def _pages(db: Database, report: Report, batch: int) -> int:
    total, after = 0, ""
    while True:
        last, added = v1.add_pages(db, after, batch)
        total += added
        report("urls", total)
        if last is None:
            return total
        after = last


def _library(db: Database, report: Report, done: Backfilled, batch: int) -> int:
    total = 0
    for user_id in v1.users_who_tracked(db):
        skip, looked = 0, batch
        while looked == batch:
            added, left, looked = v1.add_library(db, user_id, batch, skip)
            skip += len(left)
            total += added
            done.over_cap += left
            report("user_url_library", total)
    return total


def _rows(db: Database, report: Report, step: v1_steps.Step, batch: int) -> int:
    total = 0
    for url_ids in v1_steps.batches(db, step, batch):
        total += v1_steps.bring_over(db, step, url_ids)
        report(step.target, total)
    return total
