"""`digestlog plans`: what each plan allows, and who has which."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option, note, plural, table
from digestlog.store import plans as store
from digestlog.store import users

_LARGEST = 2**31


@click.group()
def plans() -> None:
    """Say what each plan allows.

    A plan says how many pages a user may watch, and whether the whole history of a page is shown or only
    what happens after it was added.

    Example:

    \b
      digestlog plans set free --max-urls 25
      digestlog plans assign anna paid
    """


@plans.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the plans.

    Example:

    \b
      digestlog plans list
    """
    with app.open() as db:
        found = store.list_all(db)
    if as_json:
        emit_json([asdict(plan) for plan in found])
        return
    rows = [
        (p.plan, "no limit" if p.max_tracked_urls is None else p.max_tracked_urls, p.full_history, p.users)
        for p in found
    ]
    table(("plan", "pages", "whole history", "users"), rows)


def _max_urls(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    """A number, or `none` for no limit; None: not said."""
    if value is None or value.strip().lower() == "none":
        return value and "none"
    if not value.strip().isascii() or not value.strip().isdigit() or int(value) > _LARGEST:
        raise click.BadParameter(f"{value!r} is no number of pages; write it like 25, or none for no limit")
    return int(value)


@plans.command("set")
@click.argument("plan", type=TEXT)
@click.option("--max-urls", metavar="N|none", callback=_max_urls, help="How many pages; none: no limit.")
@click.option("--full-history/--no-full-history", default=None, help="Is the whole history shown?")
@json_option
@pass_app
def set_(app: App, plan: str, max_urls: int | str | None, full_history: bool | None, as_json: bool) -> None:
    """Change what a plan allows, or make a new one. For admins.

    Users who have more pages than a smaller limit keep them, but can add none. From when a page shows its
    history is set as it is added, and stays.

    Example:

    \b
      digestlog plans set free --max-urls 25
    """
    changes: dict[str, Any] = {}
    if max_urls is not None:
        changes["max_tracked_urls"] = None if max_urls == "none" else max_urls
    if full_history is not None:
        changes["full_history"] = full_history
    if not changes:
        raise click.UsageError("say what to change: --max-urls, --full-history or --no-full-history")
    with app.open() as db:
        users.require_admin(db, app.user)
        changed = store.change(db, plan, changes)
    if as_json:
        emit_json(asdict(changed))
        return
    pages = "no limit" if changed.max_tracked_urls is None else plural(changed.max_tracked_urls, "page")
    click.echo(
        f"{plan}: {pages}, {'the whole history' if changed.full_history else 'history from adding on'}"
    )


@plans.command()
@click.argument("user", type=TEXT)
@click.argument("plan", type=TEXT)
@json_option
@pass_app
def assign(app: App, user: str, plan: str, as_json: bool) -> None:
    """Put a user on a plan. For admins.

    Pages that the user watches already show their history from the same time as before; to open it:
    digestlog library unlock-history.

    Example:

    \b
      digestlog plans assign anna paid
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        user_id = users.require(db, user)
        wanted = store.require(db, plan)
        store.assign(db, user_id, plan)
        room = users.get(db, user_id)
    if as_json:
        emit_json(
            {"user": user, "plan": plan, "pages": room.pages, "max_tracked_urls": wanted.max_tracked_urls}
        )
    else:
        click.echo(f"{user}: {plan} plan")
    if not app.quiet and wanted.max_tracked_urls is not None and room.pages > wanted.max_tracked_urls:
        pages = plural(room.pages, "page")
        note(f"{user} watches {pages} and can add none: the plan has {wanted.max_tracked_urls:,}")
