"""Who may come in by a browser: `digestlog users link`, `passwd`, `revoke`, `token`."""

from __future__ import annotations

from datetime import timedelta

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option, note, plural
from digestlog.core.passwords import SHORTEST
from digestlog.store import access, users
from digestlog.store.db import Database

_base = click.option(
    "--base",
    type=TEXT,
    default="http://127.0.0.1:8001",
    show_default=True,
    metavar="URL",
    help="Where `digestlog serve` is reached.",
)


@click.command()
@click.argument("name", type=TEXT)
@click.option(
    "--minutes",
    type=click.IntRange(1, 7 * 24 * 60),
    default=15,
    show_default=True,
    help="For how long it is good.",
)
@_base
@json_option
@pass_app
def link(app: App, name: str, minutes: int, base: str, as_json: bool) -> None:
    """Print a link that signs a user in, once. For admins, and for oneself.

    Example:

    \b
      digestlog users link anna
    """
    with app.open() as db:
        token = access.give_link(db, _whose(app, db, name), timedelta(minutes=minutes))
    url = f"{base.rstrip('/')}/sign-in?token={token}"
    if as_json:
        emit_json({"user": name, "url": url, "minutes": minutes})
        return
    click.echo(url)
    if not app.quiet:
        note(f"Good for one use, within {plural(minutes, 'minute')}.")


@click.command()
@click.argument("name", type=TEXT)
@click.option("--remove", is_flag=True, help="Take the password away: only links sign the user in then.")
@pass_app
def passwd(app: App, name: str, remove: bool) -> None:
    """Give a user a password for the browser. For admins, and for oneself.

    You are asked for it. Whoever is signed in under this name no longer is, and the user's links and feed
    addresses end.

    Example:

    \b
      digestlog users passwd anna
    """
    with app.open() as db:
        user_id = _whose(app, db, name)
    password = None if remove else _ask()
    with app.open() as db:
        access.set_password(db, user_id, password)
    if not app.quiet:
        note(f"{name} has no password now." if remove else f"{name} has a new password.")


@click.command()
@click.argument("name", type=TEXT)
@json_option
@pass_app
def revoke(app: App, name: str, as_json: bool) -> None:
    """Sign a user out everywhere. For admins, and for oneself.

    All links and feed addresses of the user end too.

    Example:

    \b
      digestlog users revoke anna
    """
    with app.open() as db:
        ended = access.revoke(db, _whose(app, db, name))
    if as_json:
        emit_json({"user": name, "ended": ended})
    else:
        click.echo(f"{ended:,} ended")


@click.command()
@click.argument("name", type=TEXT)
@click.option("--revoke", "revoked", is_flag=True, help="End all feed addresses of the user.")
@_base
@json_option
@pass_app
def token(app: App, name: str, revoked: bool, base: str, as_json: bool) -> None:
    """Print the address of a user's feed for a feed reader. For admins, and for oneself.

    The address opens the feed and nothing else, until it is revoked.

    Examples:

    \b
      digestlog users token anna
      digestlog users token anna --revoke
    """
    with app.open() as db:
        user_id = _whose(app, db, name)
        ended = access.revoke_feeds(db, user_id) if revoked else None
        given = None if revoked else access.give_feed(db, user_id)
    url = f"{base.rstrip('/')}/feeds/digest.atom?token={given}" if given else None
    if as_json:
        emit_json({"user": name, "url": url, "ended": ended})
    else:
        click.echo(url or f"{ended or 0:,} ended")


def _whose(app: App, db: Database, name: str) -> str:
    """The id of the user; LibraryError unless an admin asks, or the user in person."""
    user_id = users.require(db, name)
    if users.current(db, app.user) != user_id:
        users.require_admin(db, app.user)
    return user_id


def _ask() -> str:
    return str(
        click.prompt(
            f"Password ({SHORTEST} characters or more)", hide_input=True, confirmation_prompt=True, err=True
        )
    )
