"""Talks: the command line, one file for each group of commands.

The root group loads a command's file only when that command runs, so that `--help` and
the quick commands start as fast as Python can.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import click

from digestlog import __version__
from digestlog.cli.app import TEXT, App, Pins
from digestlog.cli.lazy import LazyGroup
from digestlog.core.moments import parse_moment
from digestlog.errors import DigestlogError, StorageError

# The name of each command, where it is, and its line in `digestlog --help`.
COMMANDS = {
    "scan": (
        "digestlog.cli.scan:scan",
        "Visit the sources and record what was published since the last look.",
    ),
    "scrape": ("digestlog.cli.scrape:scrape", "Read the articles of the ledger and store what they say."),
    "digest": (
        "digestlog.cli.digests:digest",
        "Make a digest of what is new, or look at those that were made.",
    ),
    "run": ("digestlog.cli.run:run", "Do all that is due, one run at a time."),
    "schedule": ("digestlog.cli.schedule:schedule", "Run digestlog by itself every day."),
    "sources": ("digestlog.cli.sources:sources", "Follow feeds and pages."),
    "categories": ("digestlog.cli.categories:categories", "Choose what your digests tell of."),
    "settings": ("digestlog.cli.settings:settings", "Say how your digests should be."),
    "history": ("digestlog.cli.history:history", "See and change what you were already shown."),
    "library": ("digestlog.cli.library:library", "Watch pages and see what really changed."),
    "review": ("digestlog.cli.review:review", "Decide on pages that wait for an admin."),
    "policy": ("digestlog.cli.policy:policy", "Say what may be watched."),
    "brands": ("digestlog.cli.brands:brands", "See whose pages are watched."),
    "trends": ("digestlog.cli.trends:trends", "See how much changes, day by day."),
    "users": ("digestlog.cli.users:users", "Say who uses the file."),
    "plans": ("digestlog.cli.plans:plans", "Say what each plan allows."),
    "v1": ("digestlog.cli.v1:v1", "Take over what the older tracker wrote."),
    "articles": ("digestlog.cli.articles:articles", "Read the ledger."),
    "why": ("digestlog.cli.why:why", "Tell the whole story of one address, from what is stored."),
    "url": ("digestlog.cli.url:url", "Show what an address is to digestlog."),
    "serve": ("digestlog.cli.serve:serve", "Look at everything in a browser."),
    "init": ("digestlog.cli.file:init", "Make the file, if it is not there yet."),
    "doctor": ("digestlog.cli.file:doctor", "Check that the file is sound."),
    "backup": ("digestlog.cli.file:backup", "Copy the whole file while it is in use."),
    "export": ("digestlog.cli.export:export", "Write out what the file holds, for other programs."),
    "merge": ("digestlog.cli.merge:merge", "Take in the files of other machines."),
    "push": ("digestlog.cli.push:push", "Bring a Postgres database up to date."),
    "demo": ("digestlog.cli.demo:demo", "Try everything on a small web inside the program."),
}


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> datetime | None:
    """The aware time that a person typed."""
    try:
        return parse_moment(value) if value else None
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a time; write it like 2026-02-12T14:03:12+00:00"
        ) from None


def _let_any_text_through() -> None:
    """A title that the terminal's encoding lacks is shown escaped; it never stops a command."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


class Root(LazyGroup):
    """The root group, where every error that digestlog raises on purpose becomes one line."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line; exit 1 on an error that a person can act on."""
        _let_any_text_through()
        try:
            return super().main(*args, **kwargs)
        except DigestlogError as error:
            _give_up(error)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EIO):
                raise
            sys.stdout = Path(os.devnull).open("w")  # what is left in it would fail again at the end
            _give_up(StorageError(f"the output cannot be written: {error.strerror}", "is the disk full?"))


def _give_up(error: DigestlogError) -> NoReturn:
    from digestlog.cli.output import complain

    complain(error)
    sys.exit(1)


@click.group(
    cls=Root,
    commands_at=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start here:  digestlog demo",
)
@click.option(
    "--db",
    # An unreadable file is the store's to tell: exit status 1, not a wrong command line.
    type=click.Path(path_type=Path, readable=False),
    envvar="DIGESTLOG_DB",
    help="The file to work on.  [env: DIGESTLOG_DB; default: digestlog.db in your data folder]",
)
@click.option(
    "--user",
    type=TEXT,
    metavar="NAME",
    envvar="DIGESTLOG_USER",
    help="Whose digests and library.  [env: DIGESTLOG_USER; default: the owner]",
)
@click.option(
    "--now",
    metavar="TIME",
    callback=_moment,
    envvar="DIGESTLOG_NOW",
    help="The time that the whole command takes for now, to replay a day.  [env: DIGESTLOG_NOW]",
)
@click.option("-v", "--verbose", is_flag=True, help="Say more.")
@click.option("-q", "--quiet", is_flag=True, help="Say only results and errors.")
@click.version_option(__version__, prog_name="digestlog")
@click.pass_context
def cli(
    ctx: click.Context, db: Path | None, user: str | None, now: datetime | None, verbose: bool, quiet: bool
) -> None:
    """The local-first ledger of what the web told you.

    Everything is kept in one SQLite file. Every command makes the file on first use.

    Example:

    \b
      digestlog sources add example.org
    """
    pins: Pins | None = ctx.obj
    ctx.obj = App.begin(db=db, user=user, now=now, verbosity=verbose - quiet, pins=pins)


def main(args: Sequence[str] | None = None, *, pins: Pins | None = None) -> None:
    """Run the command line; `pins` name the hosts of a web that this program serves itself."""
    cli.main(args=None if args is None else list(args), prog_name="digestlog", obj=pins)
