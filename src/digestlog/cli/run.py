"""`digestlog run`: everything that is to be done by itself, one run at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import complain, emit_json, json_option, note, plural
from digestlog.core.moments import from_iso
from digestlog.errors import DigestlogError

if TYPE_CHECKING:
    from digestlog.core.digest import Digest
    from digestlog.store.db import Database

# Does one step, tells of it unless JSON is wanted, and gives its JSON.
Step = Callable[[App, "Database", bool], dict[str, object]]

# A digest a day, also when today's run is a little earlier than yesterday's; a morning without a network
# should not cost the day's.
_PAUSE = timedelta(hours=20)
_PAUSE_AFTER_NOTHING = timedelta(hours=1)


@click.command()
@json_option
@click.pass_context
@pass_app
def run(app: App, ctx: click.Context, as_json: bool) -> None:
    """Do all that is due, one run at a time.

    Scans the sources that are due, reads the new articles, makes a digest if the last one is older than
    20 hours (one hour, if nothing was in it), looks at the watched pages that are due, and counts the trends
    anew. A schedule (digestlog schedule install) does the same by itself; while one run is at work on a file,
    another does not start. A step that fails does not stop the others.

    Exit status 0 when every step ran, even if some sources failed; 1 when a step could not run, or when
    another run is at work.

    Example:

    \b
      digestlog run
    """
    from digestlog.store.lock import exclusive

    # Opened first: no lock is left beside a file that is not ours.
    with app.open() as db, exclusive(db.path, now=app.now):
        done = [_attempt(name, step, app, db, as_json) for name, step in STEPS]
    if as_json:
        emit_json({"steps": done})
    if not all(step["ok"] for step in done):
        ctx.exit(1)


def _attempt(name: str, step: Step, app: App, db: Database, as_json: bool) -> dict[str, object]:
    """What came of a step, well or not."""
    try:
        result = step(app, db, as_json)
    except DigestlogError as error:
        complain(DigestlogError(f"{name}: {error.message}", error.hint))
        return {"name": name, "ok": False, "error": error.message, "hint": error.hint, "result": None}
    return {"name": name, "ok": True, "error": None, "hint": None, "result": result}


def _scan(app: App, db: Database, as_json: bool) -> dict[str, object]:
    from digestlog.cli.scan import as_dict, run_scan

    done = run_scan(
        app,
        db,
        as_json=as_json,
        window=timedelta(hours=24),
        everything=False,
        dry_run=False,
        shard=(1, 1),
        jobs=32,
    )
    return as_dict(done)


def _scrape(app: App, db: Database, as_json: bool) -> dict[str, object]:
    from digestlog.cli.scrape import as_dict, run_scrape

    return as_dict(run_scrape(app, db, as_json=as_json, limit=None, since=None, rescrape=False, jobs=32))


def _digest(app: App, db: Database, as_json: bool) -> dict[str, object]:
    from digestlog.cli.digest_make import run_digest, user_of

    user = user_of(db, app)
    skipped = "no active sources" if not user.sources else _too_soon(db, user.id)
    if skipped:
        if not as_json and not app.quiet:
            note(f"No digest: {skipped}.")
        return {"skipped": skipped}
    digest = run_digest(app, db, user, as_json=as_json).digest
    if not as_json:
        _tell(app, digest)
    return {"digest_id": digest.id, "items": len(digest.items), "notes": list(digest.notes)}


def _too_soon(db: Database, user_id: str) -> str | None:
    """Why no digest is due yet, if none is."""
    from digestlog.store import digests

    last = next(iter(digests.list_digests(db, user_id)), None)
    if last is None or from_iso(last.created_at) < db.now - (_PAUSE if last.items else _PAUSE_AFTER_NOTHING):
        return None
    return f"the last one was made at {last.created_at}"


def _tell(app: App, digest: Digest) -> None:
    if digest.items:
        articles = plural(len(digest.items), "article")
        click.echo(f"A digest with {articles}; to read it: digestlog digest show {digest.id[:8]}")
    elif not app.quiet:
        note("Nothing new for a digest.")


def _library(app: App, db: Database, as_json: bool) -> dict[str, object]:
    from digestlog.cli.library_check import as_dict, run_check
    from digestlog.store import trends

    done = run_check(app, db, as_json=as_json)
    return {**as_dict(done), "trends": [asdict(trend) for trend in trends.refresh(db)]}


# In the order in which they are done.
STEPS: tuple[tuple[str, Step], ...] = (
    ("scan", _scan),
    ("scrape", _scrape),
    ("digest", _digest),
    ("library", _library),
)
