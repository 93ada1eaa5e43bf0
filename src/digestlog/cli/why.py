"""`digestlog why`: the whole story of one address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option
from digestlog.store import users

if TYPE_CHECKING:
    from digestlog.jobs.why import Story

_REASONS = {"not_looked_at_yet": "it waits to be looked at", "outside_window": "it was older than the window"}
_LANES = {
    "fast": "read in the fast lane",
    "feedparser": "read by feedparser",
    "json": "read as JSON Feed",
}


@click.command()
@click.argument("url", type=TEXT)
@json_option
@pass_app
def why(app: App, url: str, as_json: bool) -> None:
    """Tell the whole story of one address, from what is stored.

    Which sources showed it and when, what was done to the address, why it is in the ledger or is not,
    and in which digests it was. URL may also be an article's id.

    Example:

    \b
      digestlog why "https://example.org/a?utm_source=rss"
    """
    from digestlog.jobs.why import why as tell

    with app.open() as db:
        story = tell(db, url, users.current(db, app.user))
    if as_json:
        emit_json(asdict(story))
        return
    for line in _lines(story):
        click.echo(line)


def _lines(story: Story) -> Iterable[str]:
    article = story.article
    yield click.style(story.final if article is None else article["article_url_final"], bold=True)
    if article is None:
        yield from _absent(story)
    else:
        yield from _present(story, article)
    for left in story.left_out:
        yield _left_out(left)


def _absent(story: Story) -> Iterable[str]:
    yield f"  is not in the ledger; its id would be {story.article_uuid}"
    yield from _address(story)
    if story.digests:
        yield "\nDigests, which read it without a scan"
        yield from map(_digest, story.digests)
    elif not story.left_out:
        yield "  no source has shown it"
    yield from _history(story)


def _present(story: Story, article: dict[str, Any]) -> Iterable[str]:
    if article["article_title"]:
        yield f"  {article['article_title']}"
    yield f"  is in the ledger as {story.article_uuid} since {article['article_detected_utc_iso']}"
    yield f"  published {article['published_utc_iso'] or 'at a time that no source tells'}"
    yield "\nFound by"
    for mention in story.mentions:
        yield from _mention(mention)
    yield "\nIts addresses"
    for known in story.resolutions:
        yield from _resolution(known)
    yield f"  notes: {article['url_notes'] or 'nothing had to be done'}"
    yield "\nDigests"
    yield from [_digest(digest) for digest in story.digests] or ["  in none yet"]
    yield from _history(story)


def _history(story: Story) -> Iterable[str]:
    if story.history:
        yield "\nYour history"
    for shown in story.history:
        yield f"  {shown['created_at']}  shown as {shown['url']}"


def _mention(mention: dict[str, Any]) -> Iterable[str]:
    yield f"  {mention['source_uuid']}  {mention['source_name']}, first seen {mention['first_seen_at']}"
    yield f"    as {mention['article_url_original']}"
    how = _LANES.get(mention["found_by"], f"found by its {mention['found_by']}")
    if mention["date_from"]:
        yield f"    {how}; the date from {mention['date_from']}: {mention['published_raw']}"
    else:
        raw = f" (it says {mention['published_raw']!r})" if mention["published_raw"] else ""
        yield f"    {how}; without a date that can be understood{raw}"


def _resolution(known: dict[str, Any]) -> Iterable[str]:
    yield f"  {known['article_url_original']}"
    for hop in known["hops"]:
        yield f"    {hop['status']} -> {hop['url']}"
    if known["status"] == "unresolved":
        yield f"    not resolved yet ({known['last_error']}), next try {known['next_attempt_at']}"
    elif known["status"] == "failed":
        yield f"    kept as it is: {known['last_error']}"
    elif not known["hops"]:
        yield "    no redirect"


def _address(story: Story) -> Iterable[str]:
    if story.notes:
        dropped = f" ({', '.join(story.dropped)})" if story.dropped else ""
        yield f"  what would be done to it: {', '.join(story.notes)}{dropped}"


def _left_out(left: dict[str, Any]) -> str:
    reason = _REASONS.get(left["reason"], left["reason"].replace("_", " "))
    dated = f" (published {left['published_utc_iso']})" if left["published_utc_iso"] else ""
    shown = f"{left['source_uuid']}  {left['source_name']} shows it"
    return f"  {shown}, but {reason}{dated}; read {left['read_at']}"


def _digest(digest: dict[str, Any]) -> str:
    detail = f": {digest['detail']}" if digest["detail"] else ""
    return f"  {digest['created_at']}  {digest['user']}: {digest['outcome'].replace('_', ' ')}{detail}"
