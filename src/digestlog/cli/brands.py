"""`digestlog brands`: whose pages are watched."""

from __future__ import annotations

from dataclasses import asdict

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, fields, json_option, note, plural, table
from digestlog.core.text import clean
from digestlog.errors import ConfigError
from digestlog.store import brands as store
from digestlog.store import library, users


@click.group()
def brands() -> None:
    """See whose pages are watched.

    A page belongs to the brand of the domain that its owner registered: shop.example.co.uk to
    example.co.uk, anna.github.io to itself.

    Example:

    \b
      digestlog brands list
    """


@brands.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those of other users' pages. For admins.")
@json_option
@pass_app
def list_(app: App, everything: bool, as_json: bool) -> None:
    """List the brands of the pages that you watch.

    Example:

    \b
      digestlog brands list
    """
    with app.open() as db:
        user = users.require_admin(db, app.user) if everything else users.current(db, app.user)
        found = store.list_all(db, user, everything=everything)
    if as_json:
        emit_json([asdict(brand) for brand in found])
    elif found:
        rows = [(b.name, " ".join(b.domains), b.pages, b.changes, b.last_change_at) for b in found]
        table(("brand", "domains", "pages", "changes", "latest"), rows)
    elif not app.quiet:
        note("No brands yet: they come with the pages that you watch.")


@brands.command()
@click.argument("brand", type=TEXT)
@json_option
@pass_app
def show(app: App, brand: str, as_json: bool) -> None:
    """Show a brand and those of its pages that you watch.

    BRAND is its name, its id or one of its domains.

    Example:

    \b
      digestlog brands show example.org
    """
    with app.open() as db:
        user = users.current(db, app.user)
        found = store.find(db, brand, user)
        pages = library.pages(db, user, brand_id=found.id)
    if as_json:
        emit_json({**asdict(found), "urls": [asdict(page) for page in pages]})
        return
    fields((("brand", found.name), ("id", found.id), ("domains", " ".join(found.domains))))
    click.echo()
    rows = [(p.canonical_url, p.last_checked_at or "never", p.changes, clean(p.last_summary)) for p in pages]
    table(("page", "last check", "changes", "latest change"), rows)


@brands.command()
@click.argument("brand", type=TEXT)
@click.argument("name", type=TEXT)
@json_option
@pass_app
def rename(app: App, brand: str, name: str, as_json: bool) -> None:
    """Give a brand another name. For admins.

    Another brand's domain cannot be a name.

    Example:

    \b
      digestlog brands rename example.org "The Example"
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        found = store.find(db, brand)
        store.rename(db, found.id, name)
    if as_json:
        emit_json({"id": found.id, "name": clean(name), "before": found.name})
    else:
        click.echo(f"{brand}: now {name}")


@brands.command()
@click.argument("into", metavar="BRAND", type=TEXT)
@click.argument("others", metavar="OTHER...", nargs=-1, required=True, type=TEXT)
@json_option
@pass_app
def merge(app: App, into: str, others: tuple[str, ...], as_json: bool) -> None:
    """Make one brand of several: all pages and domains of OTHER become BRAND's. For admins.

    Example:

    \b
      digestlog brands merge example.org example.com example.net
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        kept = store.find(db, into)
        gone = {other.id: other for other in (store.find(db, text) for text in others)}
        if kept.id in gone:
            raise ConfigError(f"{kept.name} cannot be merged with itself", "name two brands")
        moved = store.merge(db, kept.id, list(gone))
    if as_json:
        emit_json({"id": kept.id, "name": kept.name, "merged": list(gone), "pages": moved})
    else:
        click.echo(f"{kept.name}: {plural(len(gone), 'brand')} and {plural(moved, 'page')} moved here")


@brands.command()
@click.argument("brand", type=TEXT)
@click.argument("pages", metavar="URL...", nargs=-1, required=True, type=TEXT)
@json_option
@pass_app
def assign(app: App, brand: str, pages: tuple[str, ...], as_json: bool) -> None:
    """Give pages to a brand by hand, whatever their domain. For admins.

    Example:

    \b
      digestlog brands assign example.org https://example.github.io/prices
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        found = store.find(db, brand)
        url_ids = [library.find(db, page)["id"] for page in pages]
        store.assign(db, found.id, url_ids)
    if as_json:
        emit_json({"id": found.id, "name": found.name, "url_ids": url_ids})
    else:
        click.echo(f"{found.name}: {plural(len(url_ids), 'page')} given")
