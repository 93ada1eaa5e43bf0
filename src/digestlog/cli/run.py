"""`digestlog run`: everything that is to be done by itself, one run at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import complain, emit_json, json_option
from digestlog.errors import DigestlogError

if TYPE_CHECKING:
    from digestlog.store.db import Database

# Does one step, tells of it unless JSON is wanted, and gives its JSON.
Step = Callable[[App, "Database", bool], dict[str, object]]


@click.command()
@json_option
@click.pass_context
@pass_app
def run(app: App, ctx: click.Context, as_json: bool) -> None:
    """Do all that is due, one run at a time.

    Scans the sources that are due. A schedule (digestlog schedule install) does the same by itself; while
    one run is at work on a file, another does not start. A step that fails does not stop the others.

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


# In the order in which they are done.
STEPS: tuple[tuple[str, Step], ...] = (("scan", _scan),)
