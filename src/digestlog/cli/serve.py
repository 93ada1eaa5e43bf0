"""`digestlog serve`: look at everything in a browser."""

from __future__ import annotations

from contextlib import suppress

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import note
from digestlog.store import access, users

_LOOPBACK = "127.0.0.1"


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="The port; 0 takes any."
)
@click.option(
    "--host",
    type=TEXT,
    default=_LOOPBACK,
    show_default=True,
    help="The address to listen on; any other than this needs --allow-host.",
)
@click.option(
    "--allow-host",
    "allowed",
    type=TEXT,
    multiple=True,
    metavar="NAME",
    help="A name that people reach it by, such as news.example.org. May be given several times.",
)
@click.option("--https", is_flag=True, help="People reach it by https, through a proxy of yours.")
@click.option("--open", "open_browser", is_flag=True, help="Open it in a browser, ready to sign in.")
@click.option("--no-sign-in-link", is_flag=True, help="Print no link that signs you in.")
@pass_app
def serve(
    app: App,
    port: int,
    host: str,
    allowed: tuple[str, ...],
    https: bool,
    open_browser: bool,
    no_sign_in_link: bool,
) -> None:
    """Look at everything in a browser.

    It listens on this machine alone, and prints a link that signs you in once. Other users get theirs with
    `digestlog users link NAME`, and see what is theirs. docs/serve.md says what is safe and why.

    Examples:

    \b
      digestlog serve --open
      digestlog serve --host 0.0.0.0 --allow-host news.example.org --https
    """
    if host not in (_LOOPBACK, "::1", "localhost") and not allowed:
        raise click.UsageError("--host needs --allow-host NAME: the name that people reach it by")
    if https and not allowed:
        raise click.UsageError("--https needs --allow-host NAME: the name that people reach it by")
    if open_browser and no_sign_in_link:
        raise click.UsageError("--open needs the link: leave --no-sign-in-link out")
    from digestlog.serve.server import Options, Server

    with app.open() as db:
        user_id = users.current(db, app.user)
    server = Server(Options(app.path(), host, port, allowed, https, app.now if app.frozen else None))
    try:
        link = None if no_sign_in_link else _link(app, user_id, server.base)
    except BaseException:
        server.close()
        raise

    def ready() -> None:
        click.echo(link or server.base)
        if not app.quiet:
            note(
                "This link signs you in once, within 15 minutes. Stop with Ctrl-C."
                if link
                else "Stop with Ctrl-C."
            )
        if open_browser and link:
            click.launch(link)

    with suppress(KeyboardInterrupt):
        server.run(ready)
    note("Stopped.")


def _link(app: App, user_id: str, base: str) -> str:
    with app.open() as db:
        return f"{base}/sign-in?token={access.give_link(db, user_id)}"
