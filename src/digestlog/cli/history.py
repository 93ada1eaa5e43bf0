"""`digestlog history`: what a user was already shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

import click

from digestlog.cli.app import App, pass_app
from digestlog.cli.output import complain, emit_json, json_option, note, table
from digestlog.core import canonical
from digestlog.core.filling import hashes
from digestlog.core.moments import from_iso, to_iso
from digestlog.errors import ConfigError, UrlError
from digestlog.store import articles, digests, settings, users
from digestlog.store import history as store
from digestlog.store.db import Database


@click.group()
def history() -> None:
    """See and change what you were already shown.

    A digest leaves out every article in the history. How long it reaches back is the setting
    `article_history_days`; 0 turns it off. An address counts with all its spellings, and where the ledger
    knows where it leads, as the article that it leads to.

    Example:

    \b
      digestlog history check https://example.org/story
    """


@dataclass(frozen=True, slots=True)
class _Asked:
    """An address that a person gave: what it leads to, its hash, and all hashes it may be stored under."""

    input: str
    url: str
    url_hash: str
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Failure:
    """What a person asked for in vain."""

    input: str
    error: str
    hint: str


_WHOLE = "write it whole, like https://example.org/story"


@history.command("list")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most.")
@json_option
@pass_app
def list_(app: App, limit: int, as_json: bool) -> None:
    """List what you were shown, the latest first.

    Example:

    \b
      digestlog history list --limit 10
    """
    with app.open() as db:
        user = users.current(db, app.user)
        found, total = store.list_shown(db, user, limit), store.count(db, user)
    if as_json:
        emit_json([asdict(shown) for shown in found])
        return
    if found:
        table(("shown", "address"), [(shown.created_at, shown.url) for shown in found])
    if not app.quiet and len(found) < total:
        note(f"{len(found):,} of {total:,}; for more: --limit")
    elif not app.quiet and not found:
        note("The history is empty.")


@history.command()
@click.argument("addresses", nargs=-1, metavar="URL...", required=True)
@json_option
@pass_app
def check(app: App, addresses: tuple[str, ...], as_json: bool) -> None:
    """Tell whether you were shown addresses, and until when they stay out of digests.

    With - as an address, lines are read from standard input. Exit status 1 if an address is none.

    Example:

    \b
      digestlog history check https://example.org/story
    """
    with app.open() as db:
        user = users.current(db, app.user)
        asked, failed = _read(db, user, addresses)
        found = store.find(db, user, [key for one in asked for key in one.hashes])
        days = settings.get(db, user).article_history_days
    results = [_answer(app, one, found, days) for one in asked]
    if as_json:
        emit_json([*results, *map(asdict, failed)])
    else:
        for result in results:
            click.echo(f"{result['url']}: {_in_words(result)}")
    _finish(failed)


@history.command()
@click.argument("addresses", nargs=-1, metavar="URL...", required=True)
@json_option
@pass_app
def add(app: App, addresses: tuple[str, ...], as_json: bool) -> None:
    """Keep addresses out of digests, as if you had been shown them now.

    With - as an address, lines are read from standard input. What is in the history already keeps its
    time. Exit status 1 if an address is none; the others are added.

    Examples:

    \b
      digestlog history add https://example.org/story
      digestlog history add - < read.txt
    """
    with app.open() as db:
        user = users.current(db, app.user)
        asked, failed = _read(db, user, addresses)
        with db.transaction() as connection:
            known = store.check_urls_exist(db, user, [one.url_hash for one in asked])
            added = store.insert_urls(db, connection, user, [(one.url, one.url_hash) for one in asked])
        off = not settings.get(db, user).article_history_days
    if as_json:
        emit_json({"added": added, "results": [*_outcomes(asked, known), *map(asdict, failed)]})
    else:
        click.echo(f"{added:,} added, {len(asked) - added:,} known already")
    if off and not app.quiet:
        note("The history is off: see digestlog settings show")
    _finish(failed)


@history.command()
@click.argument("addresses", nargs=-1, metavar="URL...")
@click.option("--all", "everything", is_flag=True, help="Forget all that you were shown.")
@json_option
@pass_app
def remove(app: App, addresses: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Let addresses come back into digests.

    With - as an address, lines are read from standard input. Exit status 1 if an address is not in the
    history; the others are removed.

    Example:

    \b
      digestlog history remove https://example.org/story
    """
    if everything == bool(addresses):
        raise click.UsageError("say which addresses, or --all")
    with app.open() as db:
        user = users.current(db, app.user)
        asked, failed = _read(db, user, addresses)
        with db.transaction() as connection:
            if everything:
                removed = store.clear(connection, user)
            else:
                gone = store.remove_urls(connection, user, [key for one in asked for key in one.hashes])
                removed = len(gone)
                failed += [
                    _Failure(one.input, f"{one.url} is not in the history", "see: digestlog history list")
                    for one in asked
                    if gone.isdisjoint(one.hashes)
                ]
    if as_json:
        emit_json({"removed": removed, "failed": [asdict(one) for one in failed]})
    else:
        click.echo(f"{removed:,} removed")
    _finish(failed)


@history.command()
@click.option(
    "--days",
    type=click.IntRange(1, 365),
    help="Older than this.  [default: the setting article_history_days]",
)
@json_option
@pass_app
def prune(app: App, days: int | None, as_json: bool) -> None:
    """Forget what you were shown so long ago that it may come back. Every digest does so by itself.

    Example:

    \b
      digestlog history prune
    """
    with app.open() as db:
        user = users.current(db, app.user)
        wanted = settings.get(db, user).article_history_days if days is None else days
        with db.transaction() as connection:
            removed = store.cleanup_old(db, connection, user, wanted)
    if as_json:
        emit_json({"removed": removed, "days": wanted})
    else:
        click.echo(f"{removed:,} removed")
    if not wanted and not app.quiet:
        note("The history is off, so nothing in it is too old. To prune it all the same: --days")


def _read(db: Database, user_id: str, addresses: Iterable[str]) -> tuple[list[_Asked], list[_Failure]]:
    """What a person asked for, and what of it is no address."""
    asked, failed = [], []
    for text in _inputs(addresses):
        try:
            asked.append(_asked(db, user_id, text))
        except UrlError as error:
            shown = text.encode("utf-8", "backslashreplace").decode()
            failed.append(_Failure(shown, f"{shown[:100]!r} has no identity ({error.code})", _WHOLE))
    return asked, failed


def _inputs(addresses: Iterable[str]) -> Iterator[str]:
    for address in addresses:
        if address != "-":
            yield address
            continue
        for line in sys.stdin.buffer:
            if text := line.decode("utf-8", "surrogateescape").strip():
                yield text


def _asked(db: Database, user_id: str, text: str) -> _Asked:
    """An address as the digest would ask for it: by the ledger's final one, where that is known."""
    address = canonical.ledger_url(text)
    ids = [canonical.article_uuid(twin) for twin in canonical.twins(address.final)]
    found = articles.find(db, [text, address.original, address.final], ids)
    article = articles.get(db, found) if found else None
    url = str(article["article_url_final"]) if article else address.final
    key = canonical.url_hash(url)
    # It may have been shown before the ledger knew where it leads, and at any address that leads to it.
    known = articles.addresses(db, [found]).get(found, set()) if found else set()
    also = digests.also_at(db, user_id, [text, address.final, url])
    others = hashes(sorted({address.final, *known, *also}))
    return _Asked(text, url, key, tuple(dict.fromkeys([key, *sorted(others)])))


def _answer(app: App, one: _Asked, found: dict[str, store.Shown], days: int) -> dict[str, Any]:
    shown = next((found[key] for key in one.hashes if key in found), None)
    until = from_iso(shown.created_at) + timedelta(days=days) if shown and days else None
    return {
        "input": one.input,
        "url": one.url,
        "url_hash": one.url_hash,
        "in_history": shown is not None,
        "shown_at": shown.created_at if shown else None,
        "stays_out_until": to_iso(until) if until and until >= app.now else None,
    }


def _in_words(answer: dict[str, Any]) -> str:
    if not answer["in_history"]:
        return "not in the history"
    until = answer["stays_out_until"]
    return f"shown {answer['shown_at']}, " + (f"stays out until {until}" if until else "may come back")


def _outcomes(asked: Iterable[_Asked], known: set[str]) -> Iterator[dict[str, Any]]:
    """What became of each address; the second of two spellings is known by the first."""
    seen = set(known)
    for one in asked:
        outcome = "known" if one.url_hash in seen else "new"
        seen.add(one.url_hash)
        yield {"input": one.input, "url": one.url, "url_hash": one.url_hash, "outcome": outcome}


def _finish(failed: Iterable[_Failure]) -> None:
    """Say what failed; exit status 1 if anything did."""
    for failure in failed:
        complain(ConfigError(failure.error, failure.hint))
    if failed:
        raise click.exceptions.Exit(1)
