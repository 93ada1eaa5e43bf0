"""`digestlog init`, `doctor` and `backup`: the file itself."""

from __future__ import annotations

from pathlib import Path

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note
from digestlog.core.model import Check
from digestlog.errors import StorageError


@click.command()
@pass_app
def init(app: App) -> None:
    """Make the file, if it is not there yet.

    Any other command does this too on first use; this one says where the file is.

    Example:

    \b
      digestlog --db news.db init
    """
    from digestlog.store.db import exists

    path = app.path()
    made = not exists(path)
    with app.open():
        click.echo(f"{path}: {'made' if made else 'is there already'}")


@click.command()
@json_option
@pass_app
def doctor(app: App, as_json: bool) -> None:
    """Check that the file is sound.

    Looks at the versions, the schema, every reference, every identity (recomputed) and every page
    of the file. Changes nothing. Exit status 1 if something is wrong.

    Example:

    \b
      digestlog doctor
    """
    from digestlog.store import health

    found = []
    with app.open() as db, Progress(quiet=app.quiet) as progress:
        progress.show("checking the file…")
        for check in health.checks(db):
            found.append(check)
            progress.clear()
            if not as_json:
                _print_check(check)
            progress.show("checking on…")
    broken = [check for check in found if not check.ok]
    if as_json:
        emit_json(
            {
                "ok": not broken,
                "checks": [
                    {"name": c.name, "looked_at": c.looked_at, "ok": c.ok, "problems": list(c.problems)}
                    for c in found
                ],
            }
        )
    if broken:
        names = ", ".join(check.name for check in broken)
        raise StorageError(
            f"{app.path()} has problems: {names}", "restore a backup, or ask for help with this list"
        )


def _print_check(check: Check) -> None:
    mark = click.style("ok     ", fg="green") if check.ok else click.style("problem", fg="red")
    click.echo(f"{mark}  {check.name}: {check.looked_at}")
    for problem in check.problems:
        click.echo(f"         {problem}")


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--overwrite", is_flag=True, help="Replace TARGET if it exists.")
@pass_app
def backup(app: App, target: Path, overwrite: bool) -> None:
    """Copy the whole file while it is in use.

    The copy is one file, TARGET, checked page by page before it gets its name; a backup that fails
    leaves nothing behind.

    Example:

    \b
      digestlog backup ~/digestlog-backup.db
    """
    from digestlog.store.backup import backup as copy

    with app.open() as db, Progress(quiet=app.quiet) as progress:
        size = copy(
            db,
            target,
            overwrite=overwrite,
            progress=lambda done, total: progress.show(f"copied {done:,} of {total:,} pages"),
        )
    click.echo(str(target))
    if not app.quiet:
        note(f"{size:,} bytes, checked")
