"""`digestlog push`: a Postgres database that follows the file."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note, plural, table
from digestlog.core.text import clean
from digestlog.errors import ConfigError

if TYPE_CHECKING:
    from digestlog.jobs.push import Pushed
    from digestlog.store.change_log import Target


@click.command()
@click.argument("url", metavar="[URL]", required=False, type=TEXT, envvar="DIGESTLOG_POSTGRES")
@click.option("--full", is_flag=True, help="Compare every row, not only what changed.")
@click.option("--status", is_flag=True, help="Only say where the file was pushed to and what waits.")
@click.option(
    "--forget", metavar="DATABASE", type=TEXT, help="Keep no more changes for a database (see --status)."
)
@json_option
@pass_app
def push(app: App, url: str | None, full: bool, status: bool, forget: str | None, as_json: bool) -> None:
    """Bring a Postgres database up to date.

    The first push makes the tables in an empty database, with their rules, and loads every row. Each one
    after it sends only what changed. A push that is stopped at any moment has done all or nothing; the next
    one goes on. Several files can be pushed into one database and become one record, as with
    `digestlog merge`.

    URL is postgresql://user@host/database, or words such as service=news. What stands on the command line
    can be seen by others on this machine: put a password into ~/.pgpass or a service file, or the whole URL
    into DIGESTLOG_POSTGRES. The user must own the tables. Needs: pip install 'digestlog[postgres]'.

    Examples:

    \b
      digestlog push postgresql://anna@db.example/digestlog
      DIGESTLOG_POSTGRES=service=news digestlog push
      digestlog push --status
    """
    if status or forget is not None:
        _look_after(app, forget, as_json=as_json)
        return
    if not url:
        raise ConfigError(
            "which database?",
            "name it: digestlog push postgresql://user@host/database, or DIGESTLOG_POSTGRES",
        )
    from digestlog.jobs.push import push as job

    with app.open() as db, Progress(quiet=app.quiet or as_json) as progress:
        done = job(db, url, lambda name, rows: progress.show(f"{name}: {rows:,} rows"), full=full)
    if as_json:
        emit_json(asdict(done) | {"seconds": round(done.seconds, 3)})
    else:
        _print(app, done)


def _print(app: App, done: Pushed) -> None:
    what = {"load": "loaded", "full": "compared", "changes": "sent"}[done.mode]
    click.echo(f"{clean(done.place)}: {plural(done.sent, 'row')} {what}, {done.deleted:,} deleted")
    if not app.quiet:
        note(f"{done.seconds:.1f} s" + ("" if done.alone else "; merged with what other files brought"))


def _look_after(app: App, forget: str | None, *, as_json: bool) -> None:
    from digestlog.store import change_log

    with app.open() as db:
        gone = None if forget is None else change_log.forget(db, forget)
        found = change_log.targets(db)
    if as_json:
        emit_json([_as_dict(one) for one in found])
        return
    if gone is not None:
        click.echo(f"{clean(gone.place)}: no changes are kept for it any more")
    elif found:
        rows = [(clean(one.place), one.pushed_at or "never", one.waiting, one.target_id) for one in found]
        table(("database", "last push", "changes waiting", "id"), rows)
    elif not app.quiet:
        note("This file was not pushed to any database yet.")


def _as_dict(target: Target) -> dict[str, object]:
    return {
        name: getattr(target, name) for name in ("place", "target_id", "pushed_at", "pushed_seq", "waiting")
    }
