"""`digestlog export`: the file's rows for Postgres, spreadsheets, programs and feed readers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, note, plural
from digestlog.errors import ConfigError
from digestlog.store import users
from digestlog.store.db import Database


@click.group()
def export() -> None:
    """Write out what the file holds, for other programs.

    Example:

    \b
      digestlog export postgres -o digestlog.sql
    """


def _output(what: str = "FILE") -> Callable[[Any], Any]:
    """`-o` and `--overwrite` on a command that writes."""

    def add(command: Any) -> Any:
        for option in (
            click.option("--overwrite", is_flag=True, help="Replace what exists."),
            click.option(
                "-o",
                "--output",
                "file",
                metavar=what,
                type=click.Path(path_type=Path, allow_dash=True),
                default=Path("-"),
                help="Where to write.  [default: standard output]",
            ),
        ):
            command = option(command)
        return command

    return add


@export.command()
@_output()
@click.option("--schema-only", is_flag=True, help="Tables, triggers and policies without a row.")
@click.option("--data-only", is_flag=True, help="Rows only, for a database that has the schema and no rows.")
@click.option("--inserts", is_flag=True, help="INSERT statements, for tools that cannot COPY; slower.")
@click.option("--supabase", is_flag=True, help="For Supabase: its auth.uid() tells who asks.")
@pass_app
def postgres(
    app: App,
    /,
    file: Path,
    overwrite: bool,
    schema_only: bool,
    data_only: bool,
    inserts: bool,
    supabase: bool,
) -> None:
    """Write SQL that makes a Postgres database: schema, rows, row-level security.

    Load it into an empty database of Postgres 15 or newer with psql; it is one transaction. The file holds
    everything, also of other users: only an admin may write it. See docs/postgres.md.

    Example:

    \b
      digestlog export postgres -o digestlog.sql
      createdb news && psql -X -v ON_ERROR_STOP=1 -d news -f digestlog.sql
    """
    from digestlog.jobs.export import PostgresOptions, export_postgres

    if schema_only and data_only:
        raise click.UsageError("--schema-only and --data-only leave nothing; give one of them")
    options = PostgresOptions(not data_only, not schema_only, inserts, supabase)
    with app.open() as db, _target(app, file, overwrite) as out, Progress(quiet=app.quiet) as progress:
        users.require_admin(db, app.user)
        done = export_postgres(db, out, options, _shown(progress))
    _say(app, file, done)


@export.command("json")
@_output()
@pass_app
def json_(app: App, file: Path, overwrite: bool) -> None:
    """Write one JSON document with all tables.

    An admin gets every row; another user (--user) own rows and what the library shows that user. Bytes are
    base64.

    Example:

    \b
      digestlog export json -o digestlog.json
    """
    from digestlog.core.moments import to_iso
    from digestlog.jobs.export import export_json
    from digestlog.store.migrations import SCHEMA_VERSION

    with app.open() as db, _target(app, file, overwrite) as out, Progress(quiet=app.quiet) as progress:
        user_id, name = _reader(db, app)
        about = {"schema_version": SCHEMA_VERSION, "exported_at": to_iso(app.now), "user": name}
        done = export_json(db, out, user_id, about, _shown(progress))
    _say(app, file, done)


@export.command("csv")
@click.argument("table", required=False, type=TEXT)
@_output("PLACE")
@click.option("--raw", is_flag=True, help="Leave texts as they are, for programs that are no spreadsheets.")
@pass_app
def csv_(app: App, table: str | None, file: Path, overwrite: bool, raw: bool) -> None:
    """Write one TABLE as CSV, or all into the folder PLACE.

    A text that a spreadsheet would take for a formula (it begins with = + - @) gets an apostrophe in front,
    and so does one that begins with an apostrophe: take one away at the front to have the text back. What
    is not there is an empty cell; bytes are base64. Users see what `export json` gives them.

    Example:

    \b
      digestlog export csv extracted_article_urls > ledger.csv
      digestlog export csv -o tables/
    """
    if table is None and str(file) == "-":
        raise click.UsageError("name a TABLE, or a folder for all of them: -o FOLDER")
    with app.open() as db, Progress(quiet=app.quiet) as progress:
        user_id, _ = _reader(db, app)
        if table is None:
            from digestlog.jobs.export import export_csv_folder

            _require_free(file, overwrite)
            with _writable(file):
                file.mkdir(parents=True, exist_ok=True)
                done = export_csv_folder(db, file, user_id, raw=raw, tell=_shown(progress))
        else:
            from digestlog.jobs.export import export_csv

            with _target(app, file, overwrite) as out:
                done = export_csv(db, out, user_id, table, raw=raw, tell=_shown(progress))
    _say(app, file, done)


@export.command()
@_output()
@pass_app
def opml(app: App, file: Path, overwrite: bool) -> None:
    """Write what is followed as OPML, for any feed reader.

    Example:

    \b
      digestlog export opml -o subscriptions.opml
    """
    from digestlog.core.opml import write_opml
    from digestlog.jobs.follow import outlines_of
    from digestlog.store import sources

    with app.open() as db:
        found = sources.list_all(db)
    with _target(app, file, overwrite) as out:
        out.write(write_opml(outlines_of(found), "digestlog", app.now))
    if str(file) != "-" and not app.quiet:
        note(f"{file}: {plural(len(found), 'source')}")


@export.command()
@_output()
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="At most.")
@pass_app
def atom(app: App, file: Path, overwrite: bool, limit: int) -> None:
    """Write the latest of the ledger as an Atom feed.

    Example:

    \b
      digestlog export atom --limit 50 -o latest.atom
    """
    from digestlog.core.render.ledger_atom import Entry, ledger_atom
    from digestlog.store.articles import Filter, list_articles

    with app.open() as db:
        found = list_articles(db, Filter(limit=limit))
    entries = [
        Entry(
            a.article_uuid,
            a.article_title,
            a.article_url_final,
            a.source_name,
            a.article_detected_utc_iso,
            a.published_utc_iso,
        )
        for a in found
    ]
    with _target(app, file, overwrite) as out:
        out.write(ledger_atom(entries, app.now).encode())
    if str(file) != "-" and not app.quiet:
        note(f"{file}: {plural(len(found), 'article')}")


def _reader(db: Database, app: App) -> tuple[str | None, str]:
    """Whose rows: None for an admin, who reads all; and the name."""
    user_id = users.current(db, app.user)
    return (None if users.is_admin(db, user_id) else user_id), users.name_of(db, user_id)


def _shown(progress: Progress) -> Callable[[str, int, int], None]:
    """Tells of the rows, each few thousand of them."""
    shown = ("", -1)

    def tell(table: str, done: int, total: int) -> None:
        nonlocal shown
        if (table, done // 5_000) != shown:
            shown = (table, done // 5_000)
            progress.show(f"{table}: {done:,} rows" + (f" of {total:,}" if total else ""))

    return tell


def _say(app: App, file: Path, rows: int) -> None:
    if str(file) != "-" and not app.quiet:
        note(f"{file}: {plural(rows, 'row')}")


@contextmanager
def _target(app: App, file: Path, overwrite: bool) -> Iterator[BinaryIO]:
    """Standard output, or a file that is there whole or not at all."""
    if str(file) == "-":
        yield sys.stdout.buffer
        return
    from digestlog.store.backup import is_part_of

    if is_part_of(file, app.path()):
        raise ConfigError(f"{file} is digestlog's own file", "choose another name")
    _require_free(file, overwrite)
    partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
    with _writable(file):
        try:
            with partial.open("wb") as out:
                yield out
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)


def _require_free(file: Path, overwrite: bool) -> None:
    if file.is_file() and not overwrite or file.is_dir() and any(file.iterdir()) and not overwrite:
        raise ConfigError(f"{file} exists already", "choose another name, or say --overwrite")


@contextmanager
def _writable(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}", "choose another name") from error
