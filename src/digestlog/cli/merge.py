"""`digestlog merge`: files of several machines become one record."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import Progress, emit_json, json_option, note, plural, table
from digestlog.core.text import clean

if TYPE_CHECKING:
    from digestlog.store.merge import Merged


@click.command()
@click.argument(
    "others",
    metavar="OTHER.db...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, readable=False),
)
@click.option("--dry-run", is_flag=True, help="Say what would be merged, and change nothing.")
@json_option
@pass_app
def merge(app: App, others: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Take in the files of other machines.

    What only OTHER.db has is added. Of what both have, the earliest detection of an article counts, missing
    titles and dates are filled, mentions add up, and of settings the later one counts. It makes no difference
    which file takes in which, or in what order; only the numbers of sources are each file's own. OTHER.db is
    never written. To merge a file again does no harm. docs/merge.md has every rule.

    Examples:

    \b
      digestlog merge laptop.db desktop.db
      digestlog merge --dry-run laptop.db
    """
    from digestlog.jobs.merge import merge as job

    def tell(merged: Merged) -> None:
        progress.clear()
        if not as_json:
            _print(app, merged, dry_run=dry_run)

    with app.open() as db, Progress(quiet=app.quiet or as_json) as progress:
        done = job(db, others, tell, dry_run=dry_run, say=lambda text: progress.show(f"{clean(text)}…"))
    if as_json:
        emit_json({"dry_run": dry_run, "files": [_as_dict(merged) for merged in done]})


def _as_dict(merged: Merged) -> dict[str, object]:
    return {
        "path": str(merged.path),
        **{what: merged.sum(what) for what in ("added", "changed", "kept")},
        "joined_articles": merged.joined_articles,
        "tables": merged.tables,
        "over_cap": [asdict(user) for user in merged.over_cap],
    }


def _print(app: App, merged: Merged, *, dry_run: bool) -> None:
    would = "would be " if dry_run else ""
    added, changed = merged.sum("added"), merged.sum("changed")
    click.echo(f"{merged.path}: {plural(added, 'row')} {would}added, {changed:,} changed")
    if not app.quiet:
        rows = [(name, *found.values()) for name, found in merged.tables.items() if any(found.values())]
        if rows:
            table(("table", "added", "changed", "ours kept"), rows)
        if merged.joined_articles:
            note(f"{plural(merged.joined_articles, 'article')} had two addresses, one in each file")
    for user in merged.over_cap:
        note(
            f"{clean(user.name)} watches {plural(user.pages, 'page')} now; "
            f"the plan {clean(user.plan)} allows {user.max_tracked_urls:,}"
        )
