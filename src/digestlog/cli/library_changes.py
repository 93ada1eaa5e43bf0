"""`digestlog library changes|report|feed|notify`: telling what changed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.articles import since_iso
from digestlog.cli.output import emit_json, json_option, note, plural
from digestlog.core.change_rows import ChangeRow, by_brand
from digestlog.core.render.changes_labels import ENGLISH, ChangeLabels, change_labels
from digestlog.core.render.plain import line
from digestlog.store import brands, library, settings, users
from digestlog.store import changes as store

if TYPE_CHECKING:
    from digestlog.jobs.notify import Notification
    from digestlog.store.db import Database

_SINCE = click.option("--since", metavar="TIME", help="Only those seen since: 2026-02-12, 24h, 7d.")
_ALL = click.option("--all", "everything", is_flag=True, help="Also what changes all the time (volatile).")
_FILE = click.option(
    "-o", "--output", "file", type=click.Path(path_type=Path), help="Write to this file, replacing it."
)


def _of(command: Any) -> Any:
    for option in (
        click.option("--brand", type=TEXT, metavar="NAME", help="Only those of this brand."),
        click.option("--url", type=TEXT, metavar="URL", help="Only those of this page."),
    ):
        command = option(command)
    return command


_LIMIT = click.option(
    "--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="At most."
)


@dataclass(frozen=True, slots=True)
class _Which:
    """The page or the brand that was asked for, and its name; nothing of it: all pages."""

    url_id: str | None = None
    brand_id: str | None = None
    named: str | None = None


@click.command()
@_SINCE
@_ALL
@_of
@_LIMIT
@json_option
@pass_app
def changes(
    app: App,
    since: str | None,
    everything: bool,
    url: str | None,
    brand: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List what changed.

    Brand by brand, the newest first, on the pages that you watch and as far back as you may look. A change in
    a place that changes all the time is volatile, and listed with --all only; provisional means that the
    page was not watched long enough to know.

    Examples:

    \b
      digestlog library changes --since 7d
      digestlog library changes --brand shop.example --json
    """
    with app.open() as db:
        user = users.current(db, app.user)
        which = _which(db, user, url, brand)
        found = store.list_changes(
            db,
            user,
            since=since_iso(app, since),
            include_volatile=everything,
            url_id=which.url_id,
            brand_id=which.brand_id,
            limit=limit + 1,
        )
    more, found = len(found) > limit, found[:limit]
    if as_json:
        emit_json([change.as_object() for change in found])
    else:
        _print(app, found)
    if more and not app.quiet:
        note(f"The newest {limit:,}; for more: --limit")


@click.command()
@_SINCE
@_ALL
@_of
@_FILE
@pass_app
def report(
    app: App, since: str | None, everything: bool, url: str | None, brand: str | None, file: Path | None
) -> None:
    """Write what changed as Markdown.

    Brand by brand and page by page, with the words that went and came.

    Example:

    \b
      digestlog library report --since 7d -o changes.md
    """
    from digestlog.core.render.changes_markdown import changes_to_markdown

    start = since_iso(app, since)
    with app.open() as db:
        user = users.current(db, app.user)
        which = _which(db, user, url, brand)
        found = store.list_changes(
            db,
            user,
            since=start,
            include_volatile=everything,
            url_id=which.url_id,
            brand_id=which.brand_id,
        )
        text = changes_to_markdown(
            found, _labels(db, user), user=users.name_of(db, user), now_iso=db.now_iso, since=start
        )
    _give(app, text, file)


@click.command()
@_of
@_LIMIT
@_FILE
@pass_app
def feed(app: App, url: str | None, brand: str | None, limit: int, file: Path | None) -> None:
    """Write what changed as an Atom feed.

    Of all your pages, of one, or of a brand. The same change has the same id in each of them.

    Example:

    \b
      digestlog library feed --brand shop.example -o shop.atom
    """
    from digestlog.core.render.changes_atom import changes_to_atom

    with app.open() as db:
        user = users.current(db, app.user)
        which = _which(db, user, url, brand)
        text = changes_to_atom(
            store.list_changes(db, user, url_id=which.url_id, brand_id=which.brand_id, limit=limit),
            _labels(db, user),
            user_id=user,
            user=users.name_of(db, user),
            now_iso=db.now_iso,
            of=which.url_id or which.brand_id,
            named=which.named,
        )
    _give(app, text, file)


@click.command()
@click.option(
    "--to",
    "addresses",
    multiple=True,
    type=TEXT,
    metavar="ADDRESS",
    help="Whom to tell, as apprise writes it; may be repeated.  [default: those in DIGESTLOG_NOTIFY]",
)
@click.option("--dry-run", is_flag=True, help="Show the message, but send nothing.")
@json_option
@pass_app
def notify(app: App, addresses: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Send word of changes that you were not told of.

    One message with all real changes, each of them once. Sends through apprise (pip install
    'digestlog[notify]') to mail, chats, telephones and more. Addresses may hold passwords: keep them in
    DIGESTLOG_NOTIFY, with spaces between them. Where a message is not taken, the next one tells of the same
    changes again.

    Example:

    \b
      digestlog library notify --to json://localhost:8080/changes
    """
    from digestlog.jobs.notify import notify as job
    from digestlog.jobs.notify import waiting
    from digestlog.web import notify as web

    with app.open() as db:
        user = users.current(db, app.user)
        if dry_run:
            message = waiting(db, user)
        else:
            to = web.addresses_from(addresses, os.environ.get(web.VARIABLE))
            message = job(db, user, lambda title, body: web.send(to, title, body))
    _tell(app, message, as_json=as_json, sent=not dry_run)


def _which(db: Database, user_id: str, url: str | None, brand: str | None) -> _Which:
    """What was asked for, of the pages that the user watches."""
    if url and brand:
        raise click.UsageError("--url and --brand do not go together")
    if url:
        page = library.find(db, url, user_id=user_id)
        return _Which(url_id=page["id"], named=page["url"])
    if brand:
        found = brands.find(db, brand, user_id)
        return _Which(brand_id=found.id, named=found.name)
    return _Which()


def _labels(db: Database, user_id: str) -> ChangeLabels:
    return change_labels(settings.get(db, user_id).language)


def _print(app: App, found: list[ChangeRow]) -> None:
    for place, (brand, of) in enumerate(by_brand(found)):
        if place:
            click.echo()
        click.echo(click.style(line(brand) or ENGLISH.no_brand, bold=True))
        for change in of:
            click.echo(f"  {change.detected_at}  {line(change.url)}")
            click.echo(f"    {ENGLISH.what(change.kind, change.state)}: {line(change.summary)}")
    if not found and not app.quiet:
        note("Nothing has changed.")


def _give(app: App, text: str, file: Path | None) -> None:
    if file is None:
        click.echo(text, nl=False)
        return
    from digestlog.cli.digest_output import write_file

    write_file(app, file, text, overwrite=True)
    click.echo(str(file))


def _tell(app: App, message: Notification | None, *, as_json: bool, sent: bool) -> None:
    if as_json:
        ids = [change.id for change in message.changes] if message else []
        told = {"title": message and message.title, "body": message and message.body}
        emit_json({"sent": sent and message is not None, "events": ids, **told})
    elif message is None:
        if not app.quiet:
            note("Nothing new to tell.")
    elif sent:
        click.echo(f"told of {plural(len(message.changes), 'change')}")
    else:
        click.echo(f"{message.title}\n\n{message.body}")
