"""`digestlog library add|list|show|remove|submissions|unlock-history`: which pages are watched."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import Progress, complain, emit_json, fields, json_option, note, plural, table
from digestlog.core.library import FREQUENCIES, STATUSES, Wish, brief, gate_words
from digestlog.core.text import clean
from digestlog.errors import LockedFile, ReadOnlyFile
from digestlog.store import library as store
from digestlog.store import onboarding, users

if TYPE_CHECKING:
    from digestlog.jobs.submit import Submitted
    from digestlog.store.db import Database
    from digestlog.store.submissions import Submission

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_STATUS_WORDS = {
    "pending": "not decided yet",
    "blocked": "refused",
    "needs_review": "waits for an admin",
    "approved_linked_existing": "watched",
    "approved_created_global": "watched",
}


def _seconds(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """`30m`, `6h`, `2d`, `1w`, in seconds."""
    if value is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,4})([mhdw])", value.strip().lower())
    if found is None:
        raise click.BadParameter(f"{value!r} is no span of time; write it like 30m, 6h, 2d or 1w")
    return int(timedelta(**{_UNITS[found[2]]: int(found[1])}).total_seconds())


@click.command()
@click.argument("addresses", nargs=-1, metavar="URL...|-", required=True, type=TEXT)
@click.option("--frequency", type=click.Choice(FREQUENCIES), help="How often to check.  [default: daily]")
@click.option("--at-most-every", metavar="SPAN", callback=_seconds, help="Never more often: 30m, 6h, 2d.")
@click.option("--at-least-every", metavar="SPAN", callback=_seconds, help="Never less often: 6h, 2d, 1w.")
@click.option("--allow-private", is_flag=True, help="These may be in a private network. For admins.")
@click.option("--no-preflight", is_flag=True, help="Do not look at the pages before watching them.")
@json_option
@pass_app
def add(app: App, /, addresses: tuple[str, ...], as_json: bool, **wanted: Any) -> None:
    """Watch pages.

    Each address is judged by the rules (digestlog policy), then looked at once: what asks for a login is
    refused, what a program may not or cannot read waits for an admin (digestlog review). With - as an
    address, lines are read from standard input; blank ones and those that begin with # are passed over. What
    an earlier run left undecided is finished as well.

    A page that somebody watches already is checked as before; its only watcher, or an admin, may change how
    often by adding it again.

    Exit status 0 if every page is watched or waits for an admin; 1 if one was refused.

    Examples:

    \b
      digestlog library add https://example.org/prices
      digestlog library add --frequency hourly --at-most-every 30m https://example.org/status
      digestlog library add - < pages.txt
    """
    from digestlog.jobs.submit import submit
    from digestlog.store.policy import evaluate

    wish = _wish(**wanted)
    texts = list(_inputs(addresses))
    with app.open() as db, Progress(quiet=app.quiet or as_json) as progress:
        user = users.current(db, app.user)
        tell = _Teller(app, progress, len(texts), silent=as_json)
        progress.show(f"looking at {plural(len(texts), 'page')}")
        done = submit(db, app.fetcher, lambda url: evaluate(db, url), user, texts, wish, tell.see)
        gates = store.gates(db, user)
    if as_json:
        emit_json(_summary(done, gates))
    elif not app.quiet:
        _remarks(done, gates)
    if any(one.error for one in done if not one.leftover):
        raise click.exceptions.Exit(1)


def _wish(
    frequency: str | None,
    at_most_every: int | None,
    at_least_every: int | None,
    allow_private: bool,
    no_preflight: bool,
) -> Wish:
    if at_most_every and at_least_every and at_most_every > at_least_every:
        raise click.UsageError("--at-most-every is longer than --at-least-every")
    return Wish(frequency, at_most_every, at_least_every, allow_private, not no_preflight)


def _inputs(addresses: tuple[str, ...]) -> Iterator[str]:
    for address in addresses:
        if address != "-":
            yield address
            continue
        for line in sys.stdin.buffer:
            text = line.decode("utf-8", "replace").strip()
            if text and not text.startswith("#"):
                yield text


class _Teller:
    """Says what became of each address as soon as it is known."""

    def __init__(self, app: App, progress: Progress, total: int, *, silent: bool) -> None:
        self._progress, self._total, self._silent = progress, total, silent
        self._quiet = app.quiet
        self._done = 0

    def see(self, result: Submitted) -> None:
        """One more address."""
        self._done += 1
        self._progress.clear()
        if result.error is not None:
            complain(result.error)
        elif not self._silent:
            click.echo(f"{brief(result.canonical_url or '')}: {_words(result)}")
        self._progress.show(f"{self._done:,}/{self._total:,} pages")


def _words(result: Submitted) -> str:
    if result.reason_code == "duplicate":
        return result.reason
    if result.status == "needs_review":
        return f"waits for an admin: {result.reason}"
    return f"watched; {result.reason}" if result.unseen else "watched"


def _summary(done: list[Submitted], gates: dict[str, str | None]) -> dict[str, object]:
    known = sum(one.reason_code == "duplicate" for one in done)
    return {
        "watched": sum(one.watched for one in done),
        "known": known,
        "needs_review": sum(one.status == "needs_review" for one in done),
        "blocked": sum(one.status == "blocked" for one in done) - known,
        "results": [
            {
                **asdict(one),
                "unseen": one.unseen,
                "history_start_at": gates.get(one.url_id or ""),
                "error": one.error.message if one.error else None,
            }
            for one in done
        ],
    }


def _remarks(done: list[Submitted], gates: dict[str, str | None]) -> None:
    left = sum(one.leftover for one in done)
    if left:
        note(f"{plural(left, 'page')} from an earlier run finished as well")
    gated = next((gates[one.url_id] for one in done if one.url_id and gates.get(one.url_id)), None)
    if gated:
        note(gate_words(gated))
    for one in done:
        if one.unheeded:
            note(f"{brief(one.canonical_url or '')} is checked as often as before: others watch it too")


@click.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the pages that you watch.

    Example:

    \b
      digestlog library list
    """
    with app.open() as db:
        user = users.current(db, app.user)
        found, room = store.pages(db, user), store.check_url_cap_entitlement(db, user)
    if as_json:
        emit_json([asdict(page) for page in found])
        return
    if found:
        rows = [
            (p.url_id[:8], p.brand, p.canonical_url, p.last_checked_at or "never", p.changes, _brief(p))
            for p in found
        ]
        table(("id", "brand", "page", "last check", "changes", "latest change"), rows)
    if not app.quiet and room.limit is not None:
        note(f"{room.used:,} of {room.limit:,} pages of the {room.plan} plan")
    elif not app.quiet and not found:
        note("You watch no page. To start: digestlog library add https://example.org/")


def _brief(page: store.Page) -> str | None:
    return clean(page.last_summary)


@click.command()
@click.argument("page", metavar="URL", type=TEXT)
@click.option("--limit", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many of each.")
@json_option
@pass_app
def show(app: App, page: str, limit: int, as_json: bool) -> None:
    """Show one page: its checks, its changes, who decided.

    URL is the page's address, its id or the beginning of its id.

    Example:

    \b
      digestlog library show https://example.org/prices
    """
    from digestlog.store import submissions

    with app.open() as db:
        user = users.current(db, app.user)
        found = store.page(db, user, page)
        since = found.history_start_at
        looks = store.list_url_observations(db, user, found.url_id, gating_since=since, limit=limit)
        changes = store.list_url_update_instances(db, user, found.url_id, gating_since=since, limit=limit)
        asked = submissions.latest_for(db, user, found.url_id)
        if changes:
            _first_change_seen(db, user)
    if as_json:
        emit_json(
            {
                **asdict(found),
                "gate": gate_words(since),
                "submission": asdict(asked) if asked else None,
                "checks": [asdict(look) for look in looks],
                "updates": [asdict(change) for change in changes],
            }
        )
        return
    _print_page(found, asked)
    if looks:
        click.echo()
        checks = [(x.checked_at, x.outcome, x.http_status, clean(x.error)) for x in looks]
        table(("checked", "outcome", "status", "error"), checks)
    if changes:
        click.echo()
        updates = [(c.detected_at, c.kind, c.state, clean(c.summary)) for c in changes]
        table(("changed", "kind", "state", "what"), updates)


def _first_change_seen(db: Database, user: str) -> None:
    """A file that cannot be written now is shown all the same."""
    with suppress(ReadOnlyFile, LockedFile):
        onboarding.saw_a_change(db, user)


def _print_page(page: store.Page, asked: Submission | None) -> None:
    fields(
        (
            ("page", page.canonical_url),
            ("fetched from", page.url if page.url != page.canonical_url else None),
            ("id", page.url_id),
            ("brand", page.brand),
            ("watched since", page.added_at),
            ("you see", gate_words(page.history_start_at)),
            ("checked", page.check_frequency),
            ("at most every", _span(page.min_interval_s)),
            ("at least every", _span(page.max_interval_s)),
            ("private network", "allowed" if page.allow_private else None),
            ("last check", page.last_checked_at or "never"),
            ("next check", page.next_check_at or _next_check(page)),
            ("changes", page.changes),
            ("decided", _decided(asked) if asked else None),
        )
    )


def _next_check(page: store.Page) -> str:
    """Where no time is told: it is due, or its last look was before the time from which the user sees."""
    gated = page.history_start_at is not None and page.last_checked_at is None
    return "told after the first check that you see" if gated else "at the next digestlog library check"


def _span(seconds: int | None) -> str | None:
    return None if seconds is None else str(timedelta(seconds=seconds))


def _decided(asked: Submission) -> str:
    who = f"by {asked.decided_by}" if asked.decided_by else "by the rules"
    return f"{asked.decision} {who}: {_reason(asked)}"


@click.command()
@click.argument("pages", nargs=-1, metavar="URL...", required=True, type=TEXT)
@json_option
@pass_app
def remove(app: App, pages: tuple[str, ...], as_json: bool) -> None:
    """Stop watching pages.

    What was recorded of a page stays. To watch it again, add it again.

    Example:

    \b
      digestlog library remove https://example.org/prices
    """
    with app.open() as db:
        user = users.current(db, app.user)
        found = [store.page(db, user, page) for page in pages]  # all first: a wrong one changes nothing
        for page in found:
            store.unlink(db, user, page.url_id)
    if as_json:
        emit_json({"removed": [page.canonical_url for page in found]})
        return
    for page in found:
        click.echo(f"{brief(page.canonical_url)}: watched no more")


@click.command()
@click.option("--status", type=click.Choice(STATUSES), help="Only those.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most.")
@json_option
@pass_app
def submissions(app: App, status: str | None, limit: int, as_json: bool) -> None:
    """List what you asked to watch.

    The latest first, with what became of it and why.

    Example:

    \b
      digestlog library submissions --status needs_review
    """
    from digestlog.store.submissions import list_mine

    with app.open() as db:
        found = list_mine(db, users.current(db, app.user), status=status, limit=limit)
    if as_json:
        emit_json([asdict(one) for one in found])
    elif found:
        rows = [
            (one.created_at, one.submitted_url, _STATUS_WORDS[one.status], one.reason_code, _reason(one))
            for one in found
        ]
        table(("asked", "address", "status", "reason", "why"), rows)
    elif not app.quiet:
        note("You asked to watch nothing yet.")


def _reason(one: Submission) -> str | None:
    return clean((one.evidence or {}).get("reason"))


@click.command("unlock-history")
@click.argument("user", metavar="USER", type=TEXT)
@click.argument("page", metavar="[URL]", required=False, type=TEXT)
@json_option
@pass_app
def unlock_history(app: App, user: str, page: str | None, as_json: bool) -> None:
    """Show a user the whole history.

    Of all pages that the user watches, or of one. For admins. A plan with the whole history opens it only
    for pages that are added from then on.

    Example:

    \b
      digestlog library unlock-history anna
    """
    with app.open() as db:
        users.require_admin(db, app.user)
        user_id = users.require(db, user)
        url_id = store.page(db, user_id, page).url_id if page else None
        unlocked = store.unlock_history(db, user_id, url_id)
    if as_json:
        emit_json({"user": user, "unlocked": unlocked})
    else:
        click.echo(f"{user} now sees the whole history of {plural(unlocked, 'more page')}")
