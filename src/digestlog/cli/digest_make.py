"""`digestlog digest`: making one."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from digestlog.cli.app import App
from digestlog.cli.digest_output import as_json_or, publish
from digestlog.cli.output import Progress, emit_json, note, plural
from digestlog.core.render.labels import labels
from digestlog.store import categories, settings, sources, users
from digestlog.store.lock import exclusive

if TYPE_CHECKING:
    from datetime import timedelta

    from digestlog.jobs.digest import Made, User
    from digestlog.jobs.providing import Providers
    from digestlog.store.db import Database


def make(
    app: App,
    *,
    since: timedelta | None,
    dry_run: bool,
    format: str,
    as_json: bool,
    mail_to: tuple[str, ...],
) -> None:
    """Make a digest, tell of it, and give it out."""
    _check_mail(mail_to, dry_run=dry_run)
    format = as_json_or(format, as_json)
    # Two at once would show the same articles, each before the other remembers them.
    with app.open() as db, nullcontext() if dry_run else exclusive(db.path, now=app.now):
        user = user_of(db, app)
        made = run_digest(app, db, user, since=since, dry_run=dry_run, as_json=format == "json")
    if dry_run and format == "json":
        candidates = [asdict(candidate) for candidate in made.candidates]
        emit_json({**asdict(made.digest), "candidates": candidates})
        return
    if made.digest.items or format == "json":
        publish(app, made.digest, labels(user.settings.language), format=format, mail_to=mail_to)
    else:
        note("Nothing new for a digest.")
    if format != "json":
        _tell(app, made, dry_run=dry_run, format=format)


def _check_mail(mail_to: tuple[str, ...], *, dry_run: bool) -> None:
    """Before anything is made: a digest that cannot be sent would count as shown all the same."""
    if not mail_to:
        return
    if dry_run:
        raise click.UsageError("a dry run sends no mail; leave out --mail-to or --dry-run")
    from digestlog.web import mail

    mail.server_from(os.environ.get(mail.VARIABLE))


def run_digest(
    app: App,
    db: Database,
    user: User,
    *,
    since: timedelta | None = None,
    dry_run: bool = False,
    as_json: bool = False,
) -> Made:
    """The digest of a user, saved unless it is a dry run."""
    from digestlog.jobs.digest import Options
    from digestlog.jobs.digest import make as job

    with Progress(quiet=app.quiet or as_json) as progress:
        providers = _providers(db, keep=not dry_run)
        return job(db, app.fetcher, user, providers, Options(since, dry_run), progress.show)


def user_of(db: Database, app: App) -> User:
    """Whose digest it is: the owner's, or that of the user who was named."""
    from digestlog.jobs.digest import User

    user_id = users.current(db, app.user)
    return User(
        id=user_id,
        name=users.name_of(db, user_id),
        settings=settings.get(db, user_id),
        categories=categories.effective(db, user_id),
        sources=tuple(sources.of_user(db, user_id)),
    )


def _providers(db: Database, *, keep: bool) -> Providers:
    """Those that the environment names, with the embedded ones behind them; `keep` what models answer."""
    from digestlog.core.embedded import EmbeddedClassifier, ExtractiveSummariser
    from digestlog.jobs.providing import Providers
    from digestlog.store.provider_cache import ProviderCache
    from digestlog.web.providers import providers_from_env

    chosen = providers_from_env(os.environ, ProviderCache(db, keep=keep))
    classifier, summariser = EmbeddedClassifier(), ExtractiveSummariser()
    return Providers(
        chosen.classifier or classifier,
        chosen.summariser or summariser,
        classifier,
        summariser,
        chosen.search,
    )


def _tell(app: App, made: Made, *, dry_run: bool, format: str) -> None:
    if not made.digest.items or format == "atom":  # the other formats say it themselves
        for line in made.digest.notes:
            note(line)
    if app.quiet:
        return
    outcomes = Counter(candidate.outcome for candidate in made.candidates)
    counts = [f"{count:,} {outcome.replace('_', ' ')}" for outcome, count in outcomes.most_common()]
    note(f"{plural(len(made.candidates), 'candidate')}: {', '.join(counts) or 'none'}")
    if dry_run:
        note("A dry run: nothing was saved.")
        for candidate in made.candidates:
            detail = f" ({candidate.detail})" if candidate.detail else ""
            note(f"  {candidate.outcome}: {candidate.url}{detail}")
