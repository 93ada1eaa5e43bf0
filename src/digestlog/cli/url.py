"""`digestlog url`: what an address is to digestlog."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from digestlog.cli.output import fields, json_option
from digestlog.core.canonical import PROFILES, article_uuid, canonicalize, url_hash, url_id
from digestlog.errors import UrlError

_WORDS = {
    "not_text": "contains characters that are no text",
    "empty": "is empty",
    "relative": "has no scheme; write it with https://",
    "unsupported_scheme": "is neither http nor https",
    "invalid": "is not a valid address",
    "too_long": "is too long",
}


@click.group()
def url() -> None:
    """Show what an address is to digestlog.

    Example:

    \b
      digestlog url canon "https://Example.org/a/?utm_source=rss#top"
    """


@url.command()
@click.argument("addresses", nargs=-1, required=True, metavar="URL...")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="ledger",
    show_default=True,
    help="Which form: of articles, of what was seen, or of watched pages.",
)
@click.option("--base", metavar="URL", help="The page on which relative addresses stand.")
@json_option
@click.pass_context
def canon(
    ctx: click.Context, addresses: tuple[str, ...], profile: str, base: str | None, as_json: bool
) -> None:
    """Print the canonical form of addresses, and the identity that comes of it.

    With - as an address, lines are read from standard input. Exit status 1 if any address has no
    identity.

    Example:

    \b
      digestlog url canon --json - < addresses.txt
    """
    failed = False
    for text in _inputs(addresses):
        found = identity(text, profile, base)
        failed = failed or "error" in found
        if as_json:
            click.echo(json.dumps(found))
        else:
            _print(found)
    ctx.exit(1 if failed else 0)


def identity(text: str, profile: str, base: str | None = None) -> dict[str, Any]:
    """The JSON of one address: its canonical form and its profile's id, or the error's code."""
    try:
        canonical, notes = canonicalize(text, profile, base)
    except UrlError as error:
        return {"input": text, "error": error.code}
    found: dict[str, Any] = {"input": text, "profile": profile, "url": canonical, "notes": list(notes)}
    return found | _ID_OF[profile](canonical)


_ID_OF = {
    "ledger": lambda canonical: {"article_uuid": article_uuid(canonical)},
    "history": lambda canonical: {"url_hash": url_hash(canonical)},
    "library": lambda canonical: {"url_id": url_id(canonical)},
}


def _inputs(addresses: Iterable[str]) -> Iterator[str]:
    for address in addresses:
        if address == "-":
            for line in sys.stdin.buffer:
                yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")
        else:
            yield address


def _print(found: dict[str, Any]) -> None:
    if "error" in found:
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in found["input"])
        click.echo(f"{shown or 'an empty text'}: {_WORDS[found['error']]} ({found['error']})", err=True)
        return
    click.echo(found["url"])
    ids = [(f"  {name}", found[name]) for name in ("article_uuid", "url_hash", "url_id") if name in found]
    fields([*ids, ("  notes", ", ".join(found["notes"]) or None)])
