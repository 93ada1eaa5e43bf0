"""`digestlog digest`: making a digest, and looking at those that were made."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.digest_output import as_json_or, output_options, publish
from digestlog.cli.output import emit_json, json_option, note, plural, table
from digestlog.core.render import FORMATS, render
from digestlog.core.render.labels import labels
from digestlog.store import digests as store
from digestlog.store import settings, users

_ENDINGS = {".md": "md", ".markdown": "md", ".html": "html", ".htm": "html", ".json": "json"} | dict.fromkeys(
    (".atom", ".xml"), "atom"
)


def _span(ctx: click.Context, param: click.Parameter, value: str | None) -> timedelta | None:
    from digestlog.cli.scan import window

    return None if value is None else window(ctx, param, value)


@click.group(invoke_without_command=True)
@click.option(
    "--since", metavar="SPAN", callback=_span, help="Only what was published since: 24h, 7d.  [default: all]"
)
@click.option("--dry-run", is_flag=True, help="Make it and tell the reasons, but save nothing.")
@output_options
@click.pass_context
def digest(ctx: click.Context, /, **options: Any) -> None:
    """Make a digest of what is new, or look at those that were made.

    Example:

    \b
      digestlog digest
      digestlog digest show latest
    """
    if ctx.invoked_subcommand is None:
        import_module("digestlog.cli.digest_make").make(ctx.find_object(App), **options)


@digest.command()
@click.argument("wanted", metavar="[ID]", default=store.LATEST, type=TEXT)
@output_options
@pass_app
def show(app: App, /, wanted: str, format: str, as_json: bool, mail_to: tuple[str, ...]) -> None:
    """Show a digest: the latest, or the one whose id begins with ID.

    Example:

    \b
      digestlog digest show latest --format html > digest.html
    """
    with app.open() as db:
        user = users.current(db, app.user)
        found = store.get(db, user, wanted)
        words = labels(settings.get(db, user).language)
    publish(app, found, words, format=as_json_or(format, as_json), mail_to=mail_to)


@digest.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the digests, the newest first.

    Example:

    \b
      digestlog digest list
    """
    with app.open() as db:
        found = store.list_digests(db, users.current(db, app.user))
    if as_json:
        emit_json([asdict(one) for one in found])
    elif found:
        rows = [(one.id, one.created_at, one.title, one.items, one.candidates) for one in found]
        table(("id", "made", "title", "articles", "candidates"), rows)
    elif not app.quiet:
        note("No digests.")


@digest.command()
@click.argument("wanted", metavar="[ID]", default=store.LATEST, type=TEXT)
@click.option(
    "-o", "--output", "file", required=True, type=click.Path(path_type=Path), help="The file to write."
)
@click.option("--format", type=click.Choice(FORMATS), help="What to write.  [default: by the file's ending]")
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@pass_app
def export(app: App, wanted: str, file: Path, format: str | None, overwrite: bool) -> None:
    """Write a digest to a file: .md, .html, .json or .atom.

    Example:

    \b
      digestlog digest export latest -o digest.html
    """
    from digestlog.cli.digest_output import write_file

    chosen = format or _ENDINGS.get(file.suffix.lower())
    if chosen is None:
        raise click.UsageError(f"{file.name} does not tell the format; add --format {'|'.join(FORMATS)}")
    with app.open() as db:
        user = users.current(db, app.user)
        text = render(store.get(db, user, wanted), chosen, labels(settings.get(db, user).language))
    write_file(app, file, text, overwrite=overwrite)
    click.echo(str(file))


@digest.command()
@click.argument("wanted", metavar="ID", type=TEXT)
@json_option
@pass_app
def delete(app: App, wanted: str, as_json: bool) -> None:
    """Delete a digest; its articles still count as shown.

    Example:

    \b
      digestlog digest delete 3f2a
    """
    with app.open() as db:
        gone = store.delete(db, users.current(db, app.user), wanted)
    if as_json:
        emit_json({"deleted": gone})
    else:
        click.echo(gone)
    if not app.quiet:
        note("deleted; to see its articles again: digestlog history remove URL")


@digest.command()
@click.argument("wanted", metavar="[ID]", default=store.LATEST, type=TEXT)
@json_option
@pass_app
def why(app: App, wanted: str, as_json: bool) -> None:
    """Tell of every candidate why it was taken or left out.

    Example:

    \b
      digestlog digest why latest
    """
    from digestlog.core.render.candidates import by_outcome, reasons

    with app.open() as db:
        user = users.current(db, app.user)
        found = store.get(db, user, wanted)
        candidates = store.candidates(db, user, found.id)
        words = labels(settings.get(db, user).language)
    if as_json:
        counts = {name: len(group) for name, group in by_outcome(candidates, words).items()}
        listed = [asdict(candidate) for candidate in candidates]
        emit_json({"id": found.id, "created_at": found.created_at, "counts": counts, "candidates": listed})
        return
    for text in reasons(candidates, words):
        click.echo(text if text.startswith(" ") else click.style(text, bold=True))
    if not app.quiet:
        note(f"{found.id}: {plural(len(candidates), 'candidate')}")
