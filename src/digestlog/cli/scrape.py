"""`digestlog scrape`: reading the articles."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.articles import since_iso
from digestlog.cli.output import Progress, emit_json, json_option, note, plural, table

if TYPE_CHECKING:
    from digestlog.jobs.scrape import Options, Scrape, ScrapeResult
    from digestlog.store.db import Database

_SHOWN = 20


@click.command()
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many, the newest.")
@click.option("--since", metavar="TIME", help="Only those detected since: 2026-02-12, 24h, 7d.")
@click.option("--rescrape", is_flag=True, help="Also those that were read, given up or gone before.")
@click.option("--jobs", type=click.IntRange(1, 500), default=32, show_default=True, help="Visits at a time.")
@json_option
@pass_app
def scrape(app: App, /, as_json: bool, **wanted: Any) -> None:
    """Read the articles of the ledger and store what they say.

    Visits the articles that were not read yet, the newest first, and those whose next try has come. A page
    without a text is looked at once more a day later; one that fails, up to six times, less and less often.
    A text is stored again only where it has changed.

    Exit status 0 when the articles were visited, even if some failed; 1 when they could not be.

    Examples:

    \b
      digestlog scrape
      digestlog scrape --since 7d --limit 100
      digestlog scrape --rescrape --since 24h --json
    """
    with app.open() as db:
        done = run_scrape(app, db, as_json=as_json, **wanted)
    if as_json:
        emit_json(as_dict(done))


def run_scrape(app: App, db: Database, *, as_json: bool = False, **wanted: Any) -> Scrape:
    """Scrape with what the command line asked for, tell of it, and give the whole result."""
    from digestlog.jobs.scrape import Options, chosen
    from digestlog.jobs.scrape import scrape as job

    options = Options(**{**wanted, "since": since_iso(app, wanted.get("since"))})
    todo = chosen(db, options)
    with Progress(quiet=app.quiet or as_json) as progress:
        watcher = _Watcher(progress, len(todo), verbose=app.verbose)
        done = job(db, app.fetcher, options, watcher.see, todo)
    if not as_json:
        _summary(app, done, options)
    return done


def as_dict(done: Scrape) -> dict[str, object]:
    """The JSON of a run."""
    return {
        **done.totals(),
        "seconds": round(done.seconds, 3),
        "results": [asdict(result) for result in done.results],
    }


class _Watcher:
    """Keeps the progress line up to date."""

    def __init__(self, progress: Progress, total: int, *, verbose: bool) -> None:
        self._progress = progress
        self._verbose = verbose
        self._total = total
        self._done = self._ok = self._failed = 0

    def see(self, result: ScrapeResult) -> None:
        """Count one more article."""
        self._done += 1
        self._ok += result.outcome == "ok"
        self._failed += result.outcome == "failed"
        if self._verbose:
            self._progress.clear()
            note(_line(result))
        counts = f"{self._done:,}/{self._total:,} articles, {self._ok:,} read, {self._failed:,} failed"
        self._progress.show(f"{counts}  {result.article_url_final}")


def _line(result: ScrapeResult) -> str:
    what = f"{result.chars:,} characters" if result.outcome == "ok" else result.error
    return f"{result.outcome}  {result.article_url_final}: {what}"


def _summary(app: App, done: Scrape, options: Options) -> None:
    totals = done.totals()
    if not totals["articles"]:
        if not app.quiet:
            note(_nothing_to_do(options))
        return
    click.echo(
        f"{plural(totals['ok'], 'article')} read of {totals['articles']:,}, "
        f"{plural(totals['new_versions'], 'new text')}: "
        f"{totals['empty']:,} empty, {totals['failed']:,} failed, {totals['gone']:,} gone"
    )
    if not app.quiet:
        note(f"{plural(done.requests, 'request')} in {done.seconds:.1f} s")
        _attention(done)


def _nothing_to_do(options: Options) -> str:
    if options.rescrape:
        return "No articles. To find some: digestlog scan"
    return "No article waits to be read. To read them all again: digestlog scrape --rescrape"


def _attention(done: Scrape) -> None:
    """The articles that could not be read, each with its reason and its next try."""
    missed = [result for result in done.results if result.outcome != "ok"]
    if not missed:
        return
    note("\nNot read:")
    rows = [(r.article_url_final, r.outcome, r.error, r.next_attempt_at or "none") for r in missed[:_SHOWN]]
    table(("address", "outcome", "reason", "next try"), rows, err=True)
    if len(missed) > _SHOWN:
        note(f"and {len(missed) - _SHOWN:,} more")
