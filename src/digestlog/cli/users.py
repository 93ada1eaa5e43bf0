"""`digestlog users`: who uses the file."""

from __future__ import annotations

from dataclasses import asdict

import click

from digestlog.cli import access
from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option, table
from digestlog.store import plans
from digestlog.store import users as store


@click.group()
def users() -> None:
    """Say who uses the file.

    The first user is the owner: an admin on the paid plan. A command works for the owner unless it is told
    otherwise: --user NAME.

    Example:

    \b
      digestlog users add anna
      digestlog --user anna library add https://example.org/prices
    """


@users.command()
@click.argument("name", type=TEXT)
@click.option(
    "--role",
    type=click.Choice((store.ADMIN, store.USER)),
    default=store.USER,
    show_default=True,
    help="May the user decide for all?",
)
@click.option("--plan", type=TEXT, default="free", show_default=True, help="See: digestlog plans list.")
@json_option
@pass_app
def add(app: App, name: str, role: str, plan: str, as_json: bool) -> None:
    """Add a user. For admins.

    Example:

    \b
      digestlog users add anna --plan paid
    """
    with app.open() as db:
        store.require_admin(db, app.user)
        plans.require(db, plan)
        added = store.add(db, name, role=role, plan=plan)
    if as_json:
        emit_json(asdict(added))
    else:
        click.echo(f"{added.name}: {added.role}, {added.plan} plan")


@users.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the users.

    With their plans, their pages and how far they are with the library. Who is no admin sees themselves.

    Example:

    \b
      digestlog users list
    """
    with app.open() as db:
        me = store.current(db, app.user)
        found = store.list_all(db) if store.is_admin(db, me) else [store.get(db, me)]
    if as_json:
        emit_json([asdict(user) for user in found])
        return
    rows = [
        (u.name, u.role, u.plan, _pages(u.pages, u.max_tracked_urls), u.waiting, u.onboarding_step)
        for u in found
    ]
    table(("name", "role", "plan", "pages", "waiting", "first steps"), rows)


def _pages(count: int, limit: int | None) -> str:
    return f"{count:,}" if limit is None else f"{count:,} of {limit:,}"


@users.command()
@click.argument("name", type=TEXT)
@pass_app
def remove(app: App, name: str) -> None:
    """Remove a user with settings, digests, history and library. For admins; the last one stays.

    Example:

    \b
      digestlog users remove anna
    """
    with app.open() as db:
        store.require_admin(db, app.user)
        store.remove(db, name)
    click.echo(f"{name}: removed")


for _command in (access.link, access.passwd, access.revoke, access.token):
    users.add_command(_command)
