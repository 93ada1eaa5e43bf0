"""`digestlog articles`: reading the ledger."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, fields, json_option, note, table
from digestlog.core.ledger import EVER
from digestlog.core.model import Source
from digestlog.core.moments import parse_moment, to_iso
from digestlog.errors import ConfigError
from digestlog.store import articles as store
from digestlog.store import sources as source_store
from digestlog.store import users
from digestlog.store.db import Database


@click.group()
def articles() -> None:
    """Read the ledger.

    Example:

    \b
      digestlog articles list --since 2026-02-12
    """


def _filters(command: Any) -> Any:
    for option in (
        click.option(
            "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most."
        ),
        click.option("--unread", is_flag=True, help="Only those that were in no digest yet."),
        click.option("--source", type=TEXT, help="Only those that this source mentioned."),
        click.option("--since", metavar="TIME", help="Only those detected since: 2026-02-12, 24h, 7d."),
    ):
        command = option(command)
    return command


@articles.command("list")
@_filters
@json_option
@pass_app
def list_(app: App, /, as_json: bool, **wanted: Any) -> None:
    """List articles, the newest first.

    Example:

    \b
      digestlog articles list --since 24h --source W_RSS_1
    """
    with app.open() as db:
        found = store.list_articles(db, _filter(app, db, **wanted))
    _print(app, found, as_json)


@articles.command()
@click.argument("words", nargs=-1, required=True, type=TEXT)
@_filters
@json_option
@pass_app
def search(app: App, /, words: tuple[str, ...], as_json: bool, **wanted: Any) -> None:
    """Find the articles that hold all of WORDS in their title or text, the best first.

    Texts are there once they were read: digestlog scrape. A word in quotation marks may be several, which
    then must stand together.

    Example:

    \b
      digestlog articles search swing bridge
    """
    with app.open() as db:
        found = store.search(db, words, _filter(app, db, **wanted))
    if as_json or not found:
        _print(app, found, as_json)
    for article in [] if as_json else found:
        _print_found(article)


@articles.command()
@click.argument("article", type=TEXT)
@json_option
@pass_app
def show(app: App, article: str, as_json: bool) -> None:
    """Show one article, by its id or any address of it.

    Example:

    \b
      digestlog articles show A_b9d89a71b4edde0a
    """
    from digestlog.jobs.why import why

    with app.open() as db:
        story = why(db, article)
    if story.article is None:
        raise ConfigError(f"{article} is not in the ledger", f"see: digestlog why {article}")
    if as_json:
        emit_json({**story.article, "mentions": story.mentions})
        return
    fields(story.article.items())
    fields([("mentioned by", ", ".join(m["source_uuid"] for m in story.mentions))])


def _filter(
    app: App, db: Database, since: str | None, source: str | None, unread: bool, limit: int
) -> store.Filter:
    found: Source | None = source_store.find(db, source, removed=True) if source else None
    return store.Filter(
        since=since_iso(app, since),
        source_uuid=found.source_uuid if found else None,
        unread_by=users.current(db, app.user) if unread else None,
        limit=limit,
    )


def since_iso(app: App, text: str | None) -> str | None:
    """The stored form of `2026-02-12`, `24h` or `7d` ago."""
    from datetime import timedelta

    if text is None:
        return None
    span = re.fullmatch(r"([1-9][0-9]{0,4})([hdw])", text.strip().lower())
    if span is not None:
        unit = {"h": "hours", "d": "days", "w": "weeks"}[span[2]]
        return to_iso(app.now - min(timedelta(**{unit: int(span[1])}), app.now - EVER))
    try:
        return to_iso(parse_moment(text))
    except ValueError:
        raise click.BadParameter(f"{text!r} is no time; write it like 2026-02-12, 24h or 7d") from None


def _print(app: App, found: list[store.Article], as_json: bool) -> None:
    if as_json:
        emit_json([asdict(article) for article in found])
    elif found:
        rows = [
            (
                a.published_utc_iso or "undated",
                a.article_title,
                a.source_name,
                a.article_url_final,
            )
            for a in found
        ]
        table(("published", "title", "source", "address"), rows)
    elif not app.quiet:
        note("No articles.")


def _print_found(article: store.Article) -> None:
    """What a search found: the title, where the words are in the text, and where to read it."""
    title = article.highlight or article.article_title or "(no title)"
    click.echo(f"{click.style(title, bold=True)}  {article.source_name}")
    if article.snippet:
        click.echo(f"    {article.snippet}")
    click.echo(f"    {article.published_utc_iso or 'undated'}  {article.article_url_final}")
