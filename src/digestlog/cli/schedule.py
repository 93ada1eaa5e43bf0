"""`digestlog schedule`: digestlog runs by itself."""

from __future__ import annotations

import sys
from typing import Any

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import note
from digestlog.core import timers
from digestlog.core.timers import KINDS, SYSTEMD, Timer

_WITH = click.option(
    "--with", "kind", type=click.Choice(KINDS), help="What runs it.  [default: what fits this machine]"
)


def _time(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """`06:30` in minutes after midnight."""
    found = None if value is None else timers.read_time(value)
    if value is not None and found is None:
        raise click.BadParameter(f"{value!r} is no time of day; write it like 06:30")
    return found


def _interval(ctx: click.Context, param: click.Parameter, value: str) -> int:
    """`6h` in minutes."""
    found = timers.read_interval(value)
    if found is None:
        raise click.BadParameter(
            f"{value!r} does not fit; take 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h or 1d"
        )
    return found


def _times(command: Any) -> Any:
    """`--with`, `--at` and `--every`."""
    at = click.option(
        "--at",
        "at_min",
        metavar="HH:MM",
        callback=_time,
        help="The time of day, in your time zone.  [default: 06:MM, a minute of the file's own]",
    )
    every = click.option(
        "--every", "every_min", default="1d", show_default=True, callback=_interval, help="How often: 1h, 1d."
    )
    return _WITH(at(every(command)))


@click.group()
def schedule() -> None:
    """Run digestlog by itself every day.

    Uses what the machine has: cron, systemd (a timer of your own, no root needed) or launchd. Each file
    has a schedule of its own, and nothing else is touched.

    Example:

    \b
      digestlog schedule install --at 06:30
    """


@schedule.command("print")
@_times
@pass_app
def print_(app: App, /, kind: str | None, **times: int | None) -> None:
    """Print what `install` would install.

    Examples:

    \b
      digestlog schedule print
      digestlog schedule print --with cron --every 6h
    """
    from digestlog.jobs import timers as job

    machine, timer = job.here(), _timer(app, **times)
    if machine.platform == "win32" and kind is None:
        note("digestlog does not install schedules on Windows yet. Type this:")
        click.echo(timers.schtasks_line(timer))
        return
    for place, content in job.texts(machine, timer, kind or job.usual(machine)):
        if not app.quiet:
            note(f"{place}:")
        click.echo(content, nl=False)


@schedule.command()
@_times
@pass_app
def install(app: App, /, kind: str | None, **times: int | None) -> None:
    """Let digestlog run by itself.

    Installs a schedule for the file, or brings it up to date. Done twice, it changes nothing.

    Examples:

    \b
      digestlog schedule install
      digestlog schedule install --at 22:15
      digestlog schedule install --with cron --every 1h
    """
    from digestlog.jobs import timers as job

    machine, timer = job.here(), _timer(app, **times)
    with app.open():  # a file that cannot be used is told of now, not every morning
        pass
    kind = kind or job.usual(machine)
    for step in job.install(machine, timer, kind):
        click.echo(f"{step.place}: {step.done}")
    if not app.quiet:
        note(f"{kind} runs digestlog {timer.when}.")
        if kind == SYSTEMD:
            note("While you are logged in, that is. To run always: loginctl enable-linger")


@schedule.command()
@_WITH
@pass_app
def remove(app: App, kind: str | None) -> None:
    """Take away what `install` installed for the file, and nothing else.

    The file itself stays.

    Example:

    \b
      digestlog schedule remove
    """
    from digestlog.jobs import timers as job

    steps = job.remove(job.here(), _timer(app), kind)
    for step in steps:
        click.echo(f"{step.place}: {step.done}")
    if not steps and not app.quiet:
        note("No schedule is installed for this file.")


def _timer(app: App, at_min: int | None = None, every_min: int | None = timers.DAY_MIN) -> Timer:
    db = str(app.path().absolute())
    return timers.timer(
        sys.executable, db, user=app.user, at_min=at_min, every_min=every_min or timers.DAY_MIN
    )
