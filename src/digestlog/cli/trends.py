"""`digestlog trends`: how much changes and how much is found, day by day."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option, note, plural, table
from digestlog.core.render.plain import line
from digestlog.core.trends import Definition, Series, days_a_mark, fits, last_days, sparkline
from digestlog.store import trends as store
from digestlog.store import users

if TYPE_CHECKING:
    from digestlog.store.db import Database

_SHOWN = 10


@click.group()
def trends() -> None:
    """See how much changes, day by day.

    And how much is found: articles of the ledger, items of digests, refused submissions. Days are days of
    UTC. The numbers are counted by refresh, which every run does by itself.

    Examples:

    \b
      digestlog trends refresh
      digestlog trends show changes-by-brand --days 14
    """


@trends.command()
@click.option("--all", "everything", is_flag=True, help="Count all days anew, not only the last ones.")
@json_option
@pass_app
def refresh(app: App, everything: bool, as_json: bool) -> None:
    """Count what is new: the days since a week before the last count.

    With --all every day is counted anew, as is needed after pages were given to other brands by hand or old
    digests were deleted.

    Example:

    \b
      digestlog trends refresh --all
    """
    with app.open() as db:
        done = store.refresh(db, store.BEGINNING if everything else None)
    if as_json:
        emit_json([asdict(one) for one in done])
        return
    rows = [(one.name, one.since, one.written, one.removed) for one in done]
    if rows:
        table(("trend", "since", "written", "removed"), rows)
    elif not app.quiet:
        note("Every trend is switched off.")


@trends.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the trends, and whether they are counted.

    Example:

    \b
      digestlog trends list
    """
    with app.open() as db:
        found = store.list_trends(db)
    if as_json:
        emit_json([asdict(trend) for trend in found])
        return
    rows = [(t.name, t.metric, t.scope, t.is_active, t.first_day, t.last_day) for t in found]
    table(("trend", "metric", "by", "counted", "first day", "last day"), rows)


@trends.command()
@click.argument("name", required=False, type=TEXT)
@click.option(
    "--days", type=click.IntRange(1, 3_660), default=30, show_default=True, help="So many, up to today."
)
@json_option
@pass_app
def show(app: App, name: str | None, days: int, as_json: bool) -> None:
    """Show one trend or all: a mark for each day, the total, the day with the least and with the most.

    An admin sees the whole file. Others see what changed on the pages that they watch, as far back as they
    may look, the categories of their own digests and the reasons of their own submissions.

    Example:

    \b
      digestlog trends show changes-by-brand --days 14
    """
    wanted = store.require(name) if name else None
    with app.open() as db:
        user = users.current(db, app.user)
        found = _counted(db, user, wanted, last_days(app.now.date(), days))
    if as_json:
        emit_json([_as_object(definition, series) for definition, series in found])
        return
    for place, (definition, series) in enumerate(found):
        if place:
            click.echo()
        _print(app, definition, series)
    if not found and not app.quiet:
        off = f"{wanted.name} is" if wanted else "every trend is"
        note(f"Nothing to show: {off} switched off. To switch it on: digestlog trends enable NAME")


@trends.command()
@click.argument("name", type=TEXT)
@pass_app
def enable(app: App, name: str) -> None:
    """Count and show a trend again; an admin's to decide, for all.

    Example:

    \b
      digestlog trends enable discoveries-by-source
    """
    _switch(app, name, on=True)


@trends.command()
@click.argument("name", type=TEXT)
@pass_app
def disable(app: App, name: str) -> None:
    """Count and show a trend no more; an admin's to decide, for all.

    Example:

    \b
      digestlog trends disable discoveries-by-source
    """
    _switch(app, name, on=False)


def _switch(app: App, name: str, *, on: bool) -> None:
    with app.open() as db:
        users.require_admin(db, app.user)
        store.switch(db, name, on=on)
    click.echo(f"{name} is {'on' if on else 'off'}")


def _counted(
    db: Database, user_id: str, wanted: Definition | None, days: tuple[str, ...]
) -> list[tuple[Definition, list[Series]]]:
    """The trends that are switched on, or the one of them that was asked for, as the user may see them."""
    active = [store.require(trend.name) for trend in store.list_trends(db) if trend.is_active]
    return [(one, store.series(db, user_id, one, days)) for one in active if wanted in (None, one)]


def _as_object(definition: Definition, found: list[Series]) -> dict[str, Any]:
    series = [
        {
            "series": one.series,
            "label": one.label,
            "total": one.total,
            "min": one.least,
            "max": one.most,
            "points": [{"day": day, "value": value} for day, value in zip(one.days, one.values, strict=True)],
        }
        for one in found
    ]
    return {"id": definition.id, **asdict(definition), "series": series}


def _print(app: App, definition: Definition, found: list[Series]) -> None:
    click.echo(click.style(definition.name, bold=True))
    if not found:
        click.echo("  nothing in these days")
        return
    plain = not fits(sys.stdout.encoding)
    rows = [
        (
            line(one.label),
            sparkline(one.values, plain=plain),
            _number(one.total),
            _number(one.least),
            _number(one.most),
        )
        for one in found[:_SHOWN]
    ]
    table((definition.scope, "day by day", "total", "min", "max"), rows)
    if len(found) > _SHOWN:
        click.echo(f"and {len(found) - _SHOWN:,} more: --json has all")
    each = days_a_mark(len(found[0].days))
    if each > 1 and not app.quiet:
        note(f"Each mark stands for {plural(each, 'day')}.")


def _number(value: float) -> str:
    """A count; `g` alone would write a million as 1e+06."""
    return f"{value:,.0f}"
