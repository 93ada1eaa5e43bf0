"""`digestlog review`: what waits for an admin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import complain, emit_json, json_option, note, table
from digestlog.core.library import brief
from digestlog.core.policy import REASONS
from digestlog.core.text import clean
from digestlog.errors import LibraryError
from digestlog.store import submissions, users

if TYPE_CHECKING:
    from digestlog.jobs.submit import Submitted
    from digestlog.store.db import Database
    from digestlog.store.submissions import Submission


@click.group()
def review() -> None:
    """Decide on pages that wait for an admin.

    Example:

    \b
      digestlog review list
      digestlog review approve 1f0c2a9b
    """


@review.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the pages that wait, the oldest first.

    Example:

    \b
      digestlog review list
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        found = submissions.waiting(db)
    if as_json:
        emit_json([asdict(one) for one in found])
    elif found:
        rows = [
            (one.id[:8], one.created_at, one.user, one.canonical_url, one.reason_code, _reason(one))
            for one in found
        ]
        table(("id", "asked", "by", "page", "reason", "why"), rows)
    elif not app.quiet:
        note("Nothing waits.")


def _reason(one: Submission) -> str | None:
    return clean((one.evidence or {}).get("reason"))


@review.command()
@click.argument("ids", nargs=-1, metavar="ID...", required=True, type=TEXT)
@json_option
@pass_app
def approve(app: App, ids: tuple[str, ...], as_json: bool) -> None:
    """Let pages be watched by those who asked.

    ID is a submission's id or its beginning. Exit status 1 if one could not be approved; it waits on.

    Example:

    \b
      digestlog review approve 1f0c2a9b
    """
    from digestlog.jobs import submit

    _each(app, ids, as_json, submit.approve)


@review.command()
@click.argument("ids", nargs=-1, metavar="ID...", required=True, type=TEXT)
@click.option("--reason", type=click.Choice(tuple(REASONS)), required=True, help="The reason code.")
@click.option("--words", type=TEXT, help="Why, in your words.")
@json_option
@pass_app
def block(app: App, ids: tuple[str, ...], reason: str, words: str | None, as_json: bool) -> None:
    """Refuse pages.

    Example:

    \b
      digestlog review block 1f0c2a9b --reason spam_or_low_quality
    """
    from digestlog.jobs import submit

    said = (clean(words) or REASONS[reason])[:500]
    _each(app, ids, as_json, lambda db, admin, one: submit.block(db, admin, one, reason, said))


def _each(
    app: App,
    ids: tuple[str, ...],
    as_json: bool,
    decide: Callable[[Database, str, Submission], Submitted],
) -> None:
    """Decide on each; all are looked up first, so that a wrong id changes nothing."""
    results: list[dict[str, object]] = []
    failed = False
    with app.open() as db:
        admin = users.require_admin(db, app.user)
        for one in [submissions.find_waiting(db, text) for text in ids]:
            try:
                done = decide(db, admin, one)
            except LibraryError as error:
                failed = True
                complain(
                    LibraryError(
                        f"{brief(one.canonical_url or '')} for {one.user}: {error.message}", error.hint
                    )
                )
                results.append({"submission_id": one.id, "status": one.status, "error": error.message})
                continue
            results.append({**asdict(done), "error": None})
            if not as_json:
                click.echo(f"{brief(done.canonical_url or '')} for {one.user}: {done.status}")
    if as_json:
        emit_json(results)
    if failed:
        raise click.exceptions.Exit(1)
