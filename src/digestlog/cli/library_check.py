"""`digestlog library check` and `prune`: looking at the watched pages, and making room."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note, plural, table
from digestlog.core.text import clean
from digestlog.errors import LibraryError

if TYPE_CHECKING:
    from digestlog.jobs.check import Checked, CheckResult, Helpers, Options
    from digestlog.store.db import Database

_SHOWN = 20
_JOBS = 32


@click.command()
@click.option("--all", "everything", is_flag=True, help="Look also at pages whose time has not come yet.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many, the longest overdue.")
@click.option(
    "--url", "urls", multiple=True, type=TEXT, metavar="URL", help="Only this page, due or not; repeatable."
)
@click.option(
    "--jobs", type=click.IntRange(1, 500), default=_JOBS, show_default=True, help="Looks at a time."
)
@click.option("--screenshots", is_flag=True, help="Keep a picture of pages that are new or have changed.")
@json_option
@pass_app
def check(
    app: App,
    everything: bool,
    limit: int | None,
    urls: tuple[str, ...],
    jobs: int,
    screenshots: bool,
    as_json: bool,
) -> None:
    """Look at the pages that are due.

    Each page is looked at once for all who watch it: at least as often as its frequency says, more often
    while it changes. A page that cannot be read is tried again, less and less often; that is never a change.
    An admin's check covers every watched page, another user's only their own. Pictures need a browser and
    digestlog[render].

    Exit status 0 when the pages were looked at, even if some failed; 1 when they could not be.

    Examples:

    \b
      digestlog library check
      digestlog library check --url https://example.org/prices
      digestlog library check --all --screenshots --json
    """
    with app.open() as db:
        done = run_check(
            app,
            db,
            as_json=as_json,
            everything=everything,
            limit=limit,
            urls=urls,
            jobs=jobs,
            screenshots=screenshots,
        )
    if as_json:
        emit_json(as_dict(done))


def run_check(
    app: App,
    db: Database,
    *,
    as_json: bool = False,
    everything: bool = False,
    limit: int | None = None,
    urls: tuple[str, ...] = (),
    jobs: int = _JOBS,
    screenshots: bool = False,
) -> Checked:
    """Check with what the command line asked for, tell of it, and give the whole result."""
    from digestlog.jobs.check import Options, chosen
    from digestlog.jobs.check import check as job

    user_id = _only_own(app, db)
    options = Options(
        everything=everything or bool(urls),
        limit=limit,
        only=_ids(db, urls, user_id),
        user_id=user_id,
        jobs=jobs,
        language=_language(db),
    )
    todo = chosen(db, options)
    if urls and not todo:
        raise LibraryError("nobody watches this page any more", f"to: digestlog library add {urls[0]}")
    with Progress(quiet=app.quiet or as_json) as progress:
        watcher = _Watcher(progress, len(todo), verbose=app.verbose)
        done = job(db, app.fetcher, options, watcher.see, todo, _helpers(app, db, screenshots))
    if not as_json:
        _summary(app, db, done, options)
    return done


def as_dict(done: Checked) -> dict[str, object]:
    """The JSON of a run."""
    return {
        **done.totals(),
        "requests": done.requests,
        "seconds": round(done.seconds, 3),
        "notes": done.notes,
        "results": [asdict(result) for result in done.results],
    }


def _only_own(app: App, db: Database) -> str | None:
    """Whose pages alone may be seen; None: everybody's, for an admin."""
    from digestlog.store import users

    user_id = users.current(db, app.user)
    return None if users.is_admin(db, user_id) else user_id


def _ids(db: Database, urls: tuple[str, ...], user_id: str | None) -> tuple[str, ...] | None:
    from digestlog.store import library

    return tuple(library.find(db, url, user_id=user_id)["id"] for url in urls) if urls else None


def _language(db: Database) -> str:
    """The words for a change are the same for all: they are in the owner's language."""
    from digestlog.store import settings, users

    return settings.get(db, users.current(db, None)).language


def _helpers(app: App, db: Database, screenshots: bool) -> Helpers:
    """The model that the environment names, as for digests, and the camera if it was asked for."""
    from digestlog.jobs.check import Helpers
    from digestlog.store.provider_cache import ProviderCache
    from digestlog.web.providers import providers_from_env
    from digestlog.web.render import Browser

    def browser() -> Browser:
        return Browser(pins=app.pins, contact=os.environ.get("DIGESTLOG_CONTACT"))

    model = providers_from_env(os.environ, ProviderCache(db)).summariser
    return Helpers(model, browser if screenshots else None)


class _Watcher:
    """Keeps the progress line up to date."""

    def __init__(self, progress: Progress, total: int, *, verbose: bool) -> None:
        self._progress = progress
        self._verbose = verbose
        self._total = total
        self._done = self._changed = self._failed = 0

    def see(self, result: CheckResult) -> None:
        """Count one more page."""
        from digestlog.jobs.check import is_changed

        self._done += 1
        self._changed += is_changed(result)
        self._failed += result.error is not None
        if self._verbose:
            self._progress.clear()
            note(f"{result.outcome}  {_safe(result.url)}: {_what(result)}")
        counts = f"{self._done:,}/{self._total:,} pages, {self._changed:,} changed, {self._failed:,} failed"
        self._progress.show(f"{counts}  {_safe(result.url)}")


def _what(result: CheckResult) -> str:
    if result.error:
        return _safe(result.error)
    if result.is_baseline:
        return "first look"
    return "; ".join(_safe(found.summary) for found in result.changes) or "as it was"


def _summary(app: App, db: Database, done: Checked, options: Options) -> None:
    totals = done.totals()
    if totals["pages"]:
        failed = totals["failed"] + totals["empty"] + totals["challenge"]
        unchanged = totals["pages"] - failed - totals["baselines"] - totals["changed"]
        click.echo(
            f"{plural(totals['pages'], 'page')} looked at: {totals['changed']:,} changed, "
            f"{unchanged:,} as before, {totals['baselines']:,} for the first time, {failed:,} failed"
        )
        _changes(done)
    elif not app.quiet:
        note(_nothing_to_do(db, done, options))
    if not app.quiet:
        if totals["pages"]:
            note(f"{plural(done.requests, 'request')} in {done.seconds:.1f} s")
        for words in done.notes:
            note(_safe(words))
        _attention(done)


def _changes(done: Checked) -> None:
    """What changed, for a person to read; what changes all the time is only counted."""
    for result in done.results:
        told = [found for found in result.changes if found.state != "volatile"]
        if told:
            click.echo(f"\n{_safe(result.url)}")
        for found in told:
            maybe = " (perhaps)" if found.state == "provisional" else ""
            click.echo(f"  {_safe(found.summary)}{maybe}")


def _nothing_to_do(db: Database, done: Checked, options: Options) -> str:
    from digestlog.store import observations

    if done.overtaken:
        return "Another run has just looked at the pages that were due."
    soonest = observations.next_due(db, options.user_id)
    if soonest is None:
        return "No page is watched. Watch one: digestlog library add https://example.org/prices"
    return f"No page is due before {soonest}. To look anyway: digestlog library check --all"


def _attention(done: Checked) -> None:
    """The pages that could not be read, each with its reason and its next try."""
    missed = [result for result in done.results if result.error]
    if not missed:
        return
    note("\nNot read:")
    rows = [(_safe(r.url), r.outcome, _safe(r.error), r.next_check_at) for r in missed[:_SHOWN]]
    table(("address", "outcome", "reason", "next try"), rows, err=True)
    if len(missed) > _SHOWN:
        note(f"and {len(missed) - _SHOWN:,} more")


def _safe(text: str | None) -> str:
    return clean(text) or ""


@click.command()
@click.option(
    "--keep-days",
    type=click.IntRange(0, 36_500),
    default=365,
    show_default=True,
    metavar="N",
    help="Drop what is older.",
)
@click.option(
    "--max-mb",
    type=click.IntRange(0, 1_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Then drop the oldest until the renderings take up no more.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be dropped, and drop nothing.")
@json_option
@pass_app
def prune(app: App, keep_days: int, max_mb: int, dry_run: bool, as_json: bool) -> None:
    """Make room: drop old renderings and texts.

    Drops renderings (texts, differences, pictures), the oldest first, but never the latest of its kind of a
    page; and texts that neither a page has now nor a look of the kept days had. Looks, changes and their
    summaries stay. For admins only.

    Examples:

    \b
      digestlog library prune --dry-run
      digestlog library prune --keep-days 90 --max-mb 200
    """
    from digestlog.store import artifacts, users

    with app.open() as db:
        users.require_admin(db, app.user)
        done = artifacts.prune(db, keep_days=keep_days, max_mb=max_mb, dry_run=dry_run)
    if as_json:
        emit_json({**asdict(done), "freed_bytes": done.freed_bytes, "dry_run": dry_run})
        return
    dropped = f"{plural(done.artifacts, 'rendering')} and {plural(done.contents, 'text')}"
    verb = "would be dropped: room for" if dry_run else "dropped: room for"
    click.echo(f"{dropped} {verb} {_size(done.freed_bytes)}; renderings take up {_size(done.kept_bytes)}")
    if not app.quiet and not dry_run and done.freed_bytes:
        note("The file keeps its size and fills the room again.")


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 100_000 else f"{count / 1_000:.1f} kB"
