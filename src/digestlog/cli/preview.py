"""`digestlog sources preview`: what a scan would find, and why."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note, plural, table
from digestlog.cli.scan import window as window_of

if TYPE_CHECKING:
    from digestlog.jobs.preview import Preview


@click.command()
@click.argument("address", type=TEXT, metavar="ADDRESS|SOURCE")
@click.option("--method", type=click.Choice(["RSS", "Direct"], case_sensitive=False), help="Take it as this.")
@click.option("--link-selector", type=TEXT, metavar="CSS", help="Try this selector for the links.")
@click.option("--date-selector", type=TEXT, metavar="CSS", help="Try this selector for the dates.")
@click.option(
    "--window", default="24h", show_default=True, callback=window_of, help="How far back: 48h, all."
)
@click.option("--allow-private", is_flag=True, help="It is on your own network.")
@json_option
@pass_app
def preview(
    app: App,
    /,
    address: str,
    method: str | None,
    window: timedelta | None,
    allow_private: bool,
    as_json: bool,
    **selectors: str | None,
) -> None:
    """Show what a scan would find at an address, and why. Writes nothing.

    For a page without a feed it also shows which links are no articles.

    Example:

    \b
      digestlog sources preview example.org/news --link-selector "h2 a"
    """
    from digestlog.jobs.discover import Wish
    from digestlog.jobs.preview import preview as look

    wish = Wish(address, method=method, allow_private=allow_private)
    with app.open() as db, Progress(quiet=app.quiet or as_json) as progress:
        progress.show(f"looking at {address}")
        found = look(db, app.fetcher, wish, window=window, **selectors)
    if as_json:
        emit_json(_as_json(found))
    else:
        _print(app, found)
    if found.visit.outcome in ("failed", "gone"):
        raise click.exceptions.Exit(1)


def _as_json(found: Preview) -> dict[str, Any]:
    return {
        "source_url": found.source.source_url,
        "url_scraping_method": found.source.url_scraping_method,
        "outcome": found.visit.outcome,
        "lane": found.visit.lane,
        "error": found.visit.error,
        "articles": [_dated(asdict(candidate)) for candidate in found.within],
        "left_out": [_dated(asdict(left)) for left in found.left_out],
        "rejected": [{"url": url, "reason": reason} for url, reason in found.visit.rejected],
    }


def _dated(values: dict[str, Any]) -> dict[str, Any]:
    moment = values["published_at"]
    return {**values, "published_at": moment.isoformat() if moment else None}


def _print(app: App, found: Preview) -> None:
    source, seen = found.source, found.visit
    click.echo(f"{source.source_url}  ({source.url_scraping_method}, {seen.lane or seen.outcome})")
    if seen.error:
        note(seen.error)
    rows = [
        (c.published_at.isoformat() if c.published_at else "undated", c.date_from, c.found_by, c.title, c.url)
        for c in found.within
    ]
    if rows:
        table(("published", "date from", "found by", "title", "address"), rows)
    if app.quiet:
        return
    note(f"{plural(len(rows), 'article')} within the window, {len(found.left_out):,} older")
    for url, reason in found.visit.rejected if app.verbose else ():
        note(f"  not an article ({reason}): {url}")
    if found.visit.rejected and not app.verbose:
        note(f"{plural(len(found.visit.rejected), 'link')} left aside; -v shows them")
