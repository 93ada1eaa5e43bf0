"""`digestlog scan`: the daily discovery."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note, plural, table

if TYPE_CHECKING:
    from digestlog.jobs.scan import Options, Scan
    from digestlog.store.db import Database
    from digestlog.store.scans import Due, SourceResult

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DAY = timedelta(hours=24)


def window(ctx: click.Context, param: click.Parameter, value: str) -> timedelta | None:
    """`24h`, `3d`, `90m`; `all` is None."""
    if value == "all":
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhdw])", value.strip().lower())
    if found is None:
        raise click.BadParameter(f"{value!r} is no window; write it like 48h, 7d or all")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def shard(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    """`2/3`: the second of three shares."""
    found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", value.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"{value!r} is no share; write it like 1/3, 2/3 or 3/3")
    return int(found[1]), int(found[2])


@click.command()
@click.argument("source", nargs=-1)
@click.option(
    "--window", default="24h", show_default=True, callback=window, help="How far back: 48h, 7d, all."
)
@click.option("--all", "everything", is_flag=True, help="Visit also the sources whose time has not come yet.")
@click.option("--dry-run", is_flag=True, help="Find out what is new, but write nothing.")
@click.option("--shard", default="1/1", callback=shard, metavar="I/N", help="Visit only the Ith of N shares.")
@click.option("--jobs", type=click.IntRange(1, 500), default=32, show_default=True, help="Visits at a time.")
@json_option
@pass_app
def scan(app: App, /, source: tuple[str, ...], as_json: bool, **wanted: Any) -> None:
    """Visit the sources and record what was published since the last look.

    Looks back 24 hours, or to a source's last success if that is longer ago. With SOURCE, only those are
    visited, whether their time has come or not. A second scan of the same content changes nothing.

    Exit status 0 when the scan ran, even if some sources failed; 1 when it could not run.

    Examples:

    \b
      digestlog scan
      digestlog scan W_RSS_1 --window all
      digestlog scan --dry-run --json
    """
    with app.open() as db:
        done = run_scan(app, db, source, as_json=as_json, **wanted)
    if as_json:
        emit_json(as_dict(done))


def run_scan(
    app: App, db: Database, names: tuple[str, ...] = (), *, as_json: bool = False, **wanted: Any
) -> Scan:
    """Scan with what the command line asked for, tell of it, and give the whole result."""
    from digestlog.jobs.scan import Options, chosen
    from digestlog.jobs.scan import scan as job

    options = Options(only=_ids(db, names), **wanted)
    todo = chosen(db, options)
    with Progress(quiet=app.quiet or as_json) as progress:
        watcher = _Watcher(progress, todo, app)
        done = job(db, app.fetcher, options, todo, watcher.see)
    if not as_json:
        _summary(app, db, done, options)
    return done


def as_dict(done: Scan) -> dict[str, object]:
    """The JSON of a scan."""
    return {
        "run_id": done.run_id,
        **done.totals(),
        "seconds": round(done.seconds, 3),
        "results": [asdict(result) for result in done.results],
    }


def _ids(db: Database, names: tuple[str, ...]) -> tuple[str, ...]:
    from digestlog.errors import ConfigError
    from digestlog.store import sources

    found = [sources.find(db, name) for name in names]
    for source in found:
        if not source.is_active:
            hint = f"to take it back: digestlog sources resume {source.source_uuid}"
            raise ConfigError(f"{source.source_name} is paused", hint)
    return tuple(source.source_uuid for source in found)


class _Watcher:
    """Keeps the progress line up to date."""

    def __init__(self, progress: Progress, todo: list[Due], app: App) -> None:
        self._progress = progress
        self._verbose = app.verbose
        # By the id, because a source may have moved to another host when it is done.
        self._hosts = {d.source.source_uuid: urlsplit(d.source.source_url).hostname for d in todo}
        self._waiting = Counter(self._hosts.values())
        self._total = len(todo)
        self._done = self._new = self._failed = 0
        self._show()

    def see(self, result: SourceResult) -> None:
        """Count one more source."""
        self._done += 1
        self._new += result.new
        self._failed += result.outcome in ("failed", "gone")
        self._waiting[self._hosts[result.source_uuid]] -= 1
        if self._verbose:
            self._progress.clear()
            note(_line(result))
        self._show()

    def _show(self) -> None:
        if not self._progress.shown:
            return
        hosts = list(islice((str(host) for host, left in self._waiting.items() if left > 0), 3))
        at = f"  {', '.join(hosts)}…" if hosts else ""
        counts = f"{self._done:,}/{self._total:,} sources, {self._new:,} new, {self._failed:,} failed"
        self._progress.show(f"{counts}{at}")


def _line(result: SourceResult) -> str:
    what = f"{result.new} new, {result.known} known, {result.outside_window} older"
    if result.outcome != "ok":
        what = result.error or result.outcome.replace("_", " ")
    return f"{result.source_uuid}  {result.source_name}: {what}"


def _summary(app: App, db: Database, done: Scan, options: Options) -> None:
    totals = done.totals()
    if not totals["sources"]:
        if not app.quiet:
            note(_nothing_to_do(db, options))
        return
    dry = "A dry run: " if options.dry_run else ""
    click.echo(
        f"{dry}{plural(totals['new'], 'new article')} from {plural(totals['sources'], 'source')}: "
        f"{totals['known']:,} known, {totals['outside_window']:,} older, {totals['undated']:,} undated"
    )
    if app.quiet:
        return
    note(
        f"{totals['ok']:,} read, {totals['not_modified']:,} unchanged, {totals['failed']:,} failed; "
        f"{plural(totals['requests'], 'request')} in {done.seconds:.1f} s"
    )
    for result in done.results:
        if result.moved_to:
            note(f"{result.source_uuid}  {result.source_name} has moved to {result.moved_to}")
    _attention(done)


def _nothing_to_do(db: Database, options: Options) -> str:
    from digestlog.store import sources

    followed = sources.list_all(db, active=True)
    if not followed:
        return "No active sources. Add one: digestlog sources add example.org"
    soonest = min((s.next_scan_at for s in followed if s.next_scan_at), default=None)
    return f"No source is due before {soonest or 'the next scan'}. To visit them anyway: digestlog scan --all"


def _attention(done: Scan) -> None:
    """The sources that need a person's eye, each with its reason and its next try."""
    failed = [result for result in done.results if result.outcome in ("failed", "gone")]
    odd = [result for result in done.results if result.outcome == "ok" and result.error]
    if not failed and not odd:
        return
    note("\nNeed attention:")
    rows = [(r.source_uuid, r.source_name, r.error, _next_try(r)) for r in [*failed, *odd]]
    table(("id", "name", "reason", "next try"), rows, err=True)


def _next_try(result: SourceResult) -> str:
    if result.outcome == "gone":
        return "paused"
    return result.next_scan_at or "the next scan"
