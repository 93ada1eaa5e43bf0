"""`digestlog v1`: taking over what the older tracker wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note, table
from digestlog.core.render.plain import line
from digestlog.store import users, v1_steps
from digestlog.store import v1 as store

if TYPE_CHECKING:
    from digestlog.jobs.backfill import Backfilled, Enabled, Imported, Report

_SHOWN = 20


@click.group()
def v1() -> None:
    """Take over what the older tracker wrote.

    Programs that still write to tracked_urls, url_checks, url_changes, summaries and url_renders may go on:
    triggers mirror each row into the library. What was there before is brought over by the backfill.

    Example:

    \b
      digestlog v1 backfill --from old-tracker.db
    """


@v1.command()
@json_option
@pass_app
def enable(app: App, as_json: bool) -> None:
    """Make ready for programs that write to the older tracker's tables.

    Makes what is missing of the tables and triggers, and works out the canonical form of each tracked
    address. An admin's command.

    Example:

    \b
      digestlog v1 enable
    """
    from digestlog.jobs.backfill import enable as job

    with app.open() as db, _progress(app, as_json) as report:
        users.require_admin(db, app.user)
        done = job(db, report, shown=_SHOWN)
    if as_json:
        emit_json(asdict(done))
        return
    made = ", ".join(done.restored) or "nothing was missing"
    click.echo(f"tables and triggers: {made}")
    click.echo(f"canonical addresses worked out: {done.worked_out:,}")
    _no_identity(app, done)


@v1.command()
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path),
    help="Read this SQLite file of another tracker first; it is not changed.",
)
@json_option
@pass_app
def backfill(app: App, file: Path | None, as_json: bool) -> None:
    """Bring the older tracker's rows into the library: pages, who watches them, checks, changes.

    Does nothing twice, and goes on where it was stopped. Whose plan has no room for all pages keeps those
    that were tracked first; the others are told. With --from users are matched by name, and made on the
    free plan where they are missing. An admin's command.

    Examples:

    \b
      digestlog v1 backfill
      digestlog v1 backfill --from old-tracker.db
    """
    from digestlog.jobs.backfill import backfill as job
    from digestlog.jobs.backfill import take_in

    with app.open() as db, _progress(app, as_json) as report:
        admin = users.require_admin(db, app.user)
        imported = take_in(db, file, admin, report) if file else None
        done = job(db, report)
    if as_json:
        emit_json({"imported": imported and asdict(imported), **asdict(done)})
        return
    if imported:
        _print_imported(app, imported)
    _print_done(app, done)


@v1.command()
@json_option
@pass_app
def status(app: App, as_json: bool) -> None:
    """Count both sides, and what has not come over.

    A check counts as come over when the library has a look of that page and day. An admin's command.

    Example:

    \b
      digestlog v1 status
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        missing = store.missing_objects(db)
        counts = [] if missing else v1_steps.counts(db)
        total, examples = (0, []) if missing else store.without_identity(db, _SHOWN)
    if as_json:
        emit_json(
            {
                "ready": not missing,
                "missing_objects": missing,
                "steps": [asdict(one) for one in counts],
                "without_identity": total,
                "examples": examples,
            }
        )
        return
    if missing:
        click.echo(f"not ready, these are missing: {', '.join(missing)}")
        note("To make them: digestlog v1 enable")
        return
    rows = [(one.table, one.rows, one.target, one.target_rows, one.missing) for one in counts]
    table(("older tracker", "rows", "library", "rows", "not come over"), rows)
    if total:
        click.echo(f"without a web address, so never to come over: {total:,}")
    if not app.quiet and any(one.missing for one in counts):
        note("To bring them over: digestlog v1 backfill")


@contextmanager
def _progress(app: App, as_json: bool) -> Iterator[Report]:
    with Progress(quiet=app.quiet or as_json) as progress:
        yield lambda what, rows: progress.show(f"{what}: {rows:,}")


def _no_identity(app: App, done: Enabled) -> None:
    if done.without_identity and not app.quiet:
        note(f"No web address, so these stay where they are ({done.without_identity:,}):")
        for text in done.examples:
            note(f"  {line(text)[:200]}")


def _print_imported(app: App, imported: Imported) -> None:
    rows = [(name, read, imported.added[name]) for name, read in imported.read.items()]
    table(("read from the file", "rows", "new here"), rows)
    if imported.users_made:
        click.echo(f"users made, on the free plan: {', '.join(imported.users_made)}")
    for reason, count in imported.left_out.items():
        click.echo(f"left out, {reason}: {count:,}")
    click.echo()


def _print_done(app: App, done: Backfilled) -> None:
    table(("brought over into", "rows"), list(done.added.items()))
    if done.over_cap:
        click.echo(f"over the plan's limit, so not watched: {len(done.over_cap):,}")
        for left in done.over_cap[:_SHOWN]:
            click.echo(f"  {line(left.user)}: {line(left.url)[:200]}")
        if len(done.over_cap) > _SHOWN:
            click.echo(f"  and {len(done.over_cap) - _SHOWN:,} more: --json has all")
    _no_identity(app, done.enabled)
