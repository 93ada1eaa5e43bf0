"""`digestlog sources`: what a person follows."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, complain, emit_json, fields, json_option, note, plural, table
from digestlog.cli.preview import preview
from digestlog.core.model import METHODS, Source
from digestlog.errors import ConfigError
from digestlog.store import sources as store

if TYPE_CHECKING:
    from digestlog.jobs.follow import Followed

_METHOD = click.Choice(METHODS, case_sensitive=False)


@click.group()
def sources() -> None:
    """Follow feeds and pages.

    A SOURCE is named by its id (W_RSS_1), its address or its name.

    Example:

    \b
      digestlog sources add example.org
    """


sources.add_command(preview)


@sources.command()
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS...")
@click.option("--name", type=TEXT, help="What to call it.  [default: its own title]")
@click.option("--method", type=_METHOD, help="Add it unseen, as a feed (RSS) or as a page (Direct).")
@click.option("--folder", type=TEXT, help="Where it stands in an OPML file, such as News/Local.")
@click.option(
    "--allow-private", is_flag=True, help="It is on your own network; let it, and only it, lead there."
)
@json_option
@pass_app
def add(app: App, /, addresses: tuple[str, ...], as_json: bool, **wish: Any) -> None:
    """Follow a feed, or the feed of a site, or a page that has none.

    The address is looked at: a feed is taken as it is; a page leads to the feed that it declares or
    links, or that stands at a common place; a page without a feed is followed itself.

    Examples:

    \b
      digestlog sources add example.org
      digestlog sources add https://example.org/feed.xml --name "Example" --folder News
      digestlog sources add http://nas.local/changes.xml --allow-private
    """
    from digestlog.jobs.discover import Wish
    from digestlog.jobs.follow import follow

    if wish["name"] and len(addresses) > 1:
        raise click.UsageError("--name goes with one address")
    wishes = [Wish(address, **wish) for address in addresses]
    with app.open() as db, Progress(quiet=app.quiet) as progress:
        progress.show(
            f"looking at {addresses[0]}" if len(addresses) == 1 else f"looking at {len(addresses)} addresses"
        )
        say = _teller(app, as_json, progress)
        results = follow(db, wishes, app.fetcher, say)
    _finish(app, results, as_json)


@sources.command("list")
@click.option("--method", type=_METHOD, help="Only feeds (RSS) or only pages (Direct).")
@click.option("--active/--paused", default=None, help="Only those that are scanned, or only the others.")
@json_option
@pass_app
def list_(app: App, method: str | None, active: bool | None, as_json: bool) -> None:
    """List what is followed.

    Example:

    \b
      digestlog sources list --paused
    """
    with app.open() as db:
        found = store.list_all(db, method=method, active=active)
    if as_json:
        emit_json([asdict(source) for source in found])
    elif found:
        rows = [(s.source_uuid, s.source_name, s.source_url, _state(s), s.last_success_at) for s in found]
        table(("id", "name", "address", "state", "last success"), rows)
    elif not app.quiet:
        note("No sources yet. Add one: digestlog sources add example.org")


@sources.command()
@click.argument("source", type=TEXT)
@json_option
@pass_app
def show(app: App, source: str, as_json: bool) -> None:
    """Show one source.

    Example:

    \b
      digestlog sources show W_RSS_1
    """
    with app.open() as db:
        found = store.find(db, source, removed=True)
    if as_json:
        emit_json(asdict(found))
        return
    fields(
        [
            ("id", found.source_uuid),
            ("name", found.source_name),
            ("address", found.source_url),
            ("method", found.url_scraping_method),
            ("site", found.site_url),
            ("folder", found.folder),
            ("state", _state(found)),
            ("private network", "allowed" if found.allow_private else None),
            ("link selector", found.link_selector),
            ("date selector", found.date_selector),
            ("added", found.created_at),
            ("last scan", found.last_scanned_at),
            ("last success", found.last_success_at),
            ("next scan", found.next_scan_at or ("at the next scan" if found.is_active else None)),
            ("failures in a row", found.consecutive_failures or None),
            ("last error", found.last_error),
        ]
    )


@sources.command()
@click.argument("source", type=TEXT)
@click.option("--name", "source_name", type=TEXT, help="What to call it.")
@click.option("--url", "source_url", metavar="ADDRESS", help="Where it is now.")
@click.option("--site", "site_url", metavar="ADDRESS", help="The page for people.")
@click.option("--folder", type=TEXT, help="Where it stands in an OPML file; '' for none.")
@click.option("--allow-private/--no-allow-private", default=None, help="May it lead into your own network?")
@click.option(
    "--link-selector", type=TEXT, metavar="CSS", help="Which links of the page are articles; '' to find out."
)
@click.option(
    "--date-selector", type=TEXT, metavar="CSS", help="Where in an item its date stands; '' to find out."
)
@json_option
@pass_app
def edit(app: App, /, source: str, as_json: bool, **wanted: Any) -> None:
    """Change what is known of a source.

    Example:

    \b
      digestlog sources edit W_RSS_1 --name "The Harbour Times" --folder News
    """
    from digestlog.core.sources import source_changes

    changes = source_changes(wanted)
    if not changes:
        raise click.UsageError("say what to change, for example --name")
    with app.open() as db:
        found = store.find(db, source)
        _refuse_taken(db, found, changes.get("source_url"))
        found = store.update(db, found.source_uuid, changes)
    _print_source(found, as_json)


@sources.command()
@click.argument("source", type=TEXT, nargs=-1, required=True, metavar="SOURCE...")
@click.option("--reason", type=TEXT, help="Why, for your own memory.")
@pass_app
def pause(app: App, source: tuple[str, ...], reason: str | None) -> None:
    """Leave sources out of scans until they are resumed.

    Example:

    \b
      digestlog sources pause W_RSS_1 --reason "too loud"
    """
    _each(app, source, "paused", lambda db, found: store.pause(db, found.source_uuid, reason or None))


@sources.command()
@click.argument("source", type=TEXT, nargs=-1, required=True, metavar="SOURCE...")
@pass_app
def resume(app: App, source: tuple[str, ...]) -> None:
    """Take sources back into scans, due at once.

    Example:

    \b
      digestlog sources resume W_RSS_1
    """
    _each(app, source, "active", lambda db, found: store.resume(db, found.source_uuid))


@sources.command()
@click.argument("source", type=TEXT, nargs=-1, required=True, metavar="SOURCE...")
@pass_app
def remove(app: App, source: tuple[str, ...]) -> None:
    """Stop following sources. The articles that they found stay in the ledger.

    Adding a removed source again brings it back under its id.

    Example:

    \b
      digestlog sources remove W_RSS_1
    """
    _each(app, source, "removed", lambda db, found: store.remove(db, found.source_uuid))


@sources.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--method", type=_METHOD, help="Add all of them unseen, as feeds (RSS) or as pages (Direct).")
@click.option("--folder", type=TEXT, help="Put all of them into this folder.")
@click.option("--allow-private", is_flag=True, help="They are on your own network; let each lead there.")
@json_option
@pass_app
def import_(app: App, /, file: Any, as_json: bool, **wish: Any) -> None:
    """Follow everything in an OPML file or a plain list of addresses.

    FILE is - for standard input. Feeds of an OPML file are added as they stand there; the addresses of
    a list, one on each line, are looked at as by `sources add`. What is followed already is left alone.

    Examples:

    \b
      digestlog sources import subscriptions.opml
      digestlog sources import addresses.txt --method RSS
    """
    from digestlog.core.lists import read_list
    from digestlog.core.opml import MAX_BYTES
    from digestlog.jobs.follow import follow, wishes_of

    entries = read_list(file.read(MAX_BYTES + 1))
    with app.open() as db, Progress(quiet=app.quiet) as progress:
        progress.show(f"reading {len(entries.outlines) + len(entries.addresses):,} entries")
        say = _teller(app, as_json, progress, brief=True)
        results = follow(db, wishes_of(entries, **wish), app.fetcher, say)
    for line in entries.skipped:
        note(line)
    _finish(app, results, as_json, summary=True, skipped=entries.skipped)


@sources.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@pass_app
def export(app: App, file: Path) -> None:
    """Write what is followed as OPML, for any feed reader.

    FILE is - (the default) for standard output.

    Example:

    \b
      digestlog sources export subscriptions.opml
    """
    from digestlog.core.opml import write_opml
    from digestlog.jobs.follow import outlines_of
    from digestlog.store.backup import is_part_of

    with app.open() as db:
        found = store.list_all(db)
    body = write_opml(outlines_of(found), "digestlog", app.now)
    if str(file) == "-":
        sys.stdout.buffer.write(body)
        return
    try:
        if is_part_of(file, app.path()):
            raise ConfigError(f"{file} is digestlog's own file", "choose another name")
        file.write_bytes(body)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}", "choose another name") from error
    if not app.quiet:
        note(f"{file}: {plural(len(found), 'source')}")


def _each(app: App, names: tuple[str, ...], state: str, change: Callable[[Any, Source], object]) -> None:
    """Do the same to each source; all are looked up first, so that a wrong name changes nothing."""
    with app.open() as db:
        found = [store.find(db, name) for name in names]
        for source in found:
            change(db, source)
        for source in found:
            click.echo(f"{source.source_uuid}  {source.source_name}: {state}")


def _refuse_taken(db: Any, source: Source, url: str | None) -> None:
    """Refuse an address that would make two sources of one, as adding it would."""
    from digestlog.core.sources import same_addresses

    other = store.by_url(db, same_addresses(url)) if url else None
    if other is not None and other.source_uuid != source.source_uuid:
        raise ConfigError(
            f"another source already has the address {other.source_url}", f"it is {other.source_uuid}"
        )


def _state(source: Source) -> str:
    if source.removed_at:
        return "removed"
    if not source.is_active:
        return f"paused: {source.paused_reason}" if source.paused_reason else "paused"
    return f"failing ({source.consecutive_failures})" if source.consecutive_failures else "active"


def _print_source(source: Source, as_json: bool) -> None:
    if as_json:
        emit_json(asdict(source))
    else:
        click.echo(f"{source.source_uuid}  {source.source_name}  {source.source_url}")


def _teller(
    app: App, as_json: bool, progress: Progress, *, brief: bool = False
) -> Callable[[Followed], None]:
    """Says what became of each wish as soon as it is known."""
    done = 0

    def tell(result: Followed) -> None:
        nonlocal done
        done += 1
        progress.clear()
        if result.error is not None:
            complain(result.error)
        elif not as_json and (not brief or app.verbose):
            _tell_success(app, result)
        progress.show(f"{done:,} done")

    return tell


def _tell_success(app: App, result: Followed) -> None:
    added = result.added
    assert added is not None  # noqa: S101 - no error means added
    known = {"new": "", "back": " (followed again)", "known": " (followed already)"}[added.outcome]
    click.echo(f"{added.source.source_uuid}  {added.source.source_name}  {added.source.source_url}{known}")
    if result.unheeded:
        note(
            f"  to change it: digestlog sources edit {added.source.source_uuid} {shlex.join(result.unheeded)}"
        )
    if result.discovery is None or app.quiet:
        return
    if app.verbose:
        for step in result.discovery.tried:
            note(f"  tried {step.url}: {step.outcome}")
    for other in result.discovery.others[:5]:
        note(f"  also here: {other}")


def _finish(
    app: App, results: list[Followed], as_json: bool, *, summary: bool = False, skipped: tuple[str, ...] = ()
) -> None:
    """The JSON or the summary; exit status 1 if a wish came to nothing."""
    failed = [result for result in results if result.error is not None]
    count = {o: sum(1 for r in results if r.added and r.added.outcome == o) for o in ("new", "back", "known")}
    if as_json:
        emit_json(
            {
                **count,
                "failed": len(failed),
                "skipped": list(skipped),
                "results": [_as_json(r) for r in results],
            }
        )
    elif summary and not app.quiet:
        note(
            f"{plural(count['new'] + count['back'], 'source')} added, {count['known']:,} followed already, "
            f"{len(failed):,} failed, {len(skipped):,} left out"
        )
    if failed:
        raise click.exceptions.Exit(1)


def _as_json(result: Followed) -> dict[str, object]:
    if result.error is not None:
        return {"address": result.address, "error": result.error.message, "hint": result.error.hint}
    assert result.added is not None  # noqa: S101 - no error means added
    tried = [asdict(step) for step in result.discovery.tried] if result.discovery else []
    return {
        "address": result.address,
        "outcome": result.added.outcome,
        "source": asdict(result.added.source),
        "tried": tried,
        "others": list(result.discovery.others) if result.discovery else [],
    }
