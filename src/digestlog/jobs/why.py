"""The whole story of one address, from stored facts only."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from digestlog.core import canonical, filling
from digestlog.errors import ConfigError, UrlError
from digestlog.store import appearances, articles, history, users
from digestlog.store.db import Database

_ID = re.compile("A_[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Story:
    """What is known of an address: its identity, and the article that it is, or why there is none."""

    url: str
    final: str
    article_uuid: str
    notes: tuple[str, ...]
    dropped: tuple[str, ...]
    article: dict[str, Any] | None
    mentions: list[dict[str, Any]]
    resolutions: list[dict[str, Any]]
    digests: list[dict[str, Any]]
    left_out: list[dict[str, Any]]
    history: list[dict[str, Any]]


def why(db: Database, text: str, user_id: str | None = None, *, left_out: bool = True) -> Story:
    """The story of an address, or of an article's id; ConfigError if it can be neither.

    The history is the user's (without one, the owner's), and so are the digests for who is no admin.
    `left_out`: also ask every source whether it has left the address out, which takes long with many.
    """
    user_id = user_id or users.current(db, None)
    url = _url_of(db, text.strip())
    try:
        address = canonical.ledger_url(url)
    except UrlError as error:
        raise ConfigError(f"{text[:100]} has no identity ({error.code})", _hint(db, url)) from error
    spellings, twins = [url, address.original, address.final], canonical.twins(address.final)
    ids = [canonical.article_uuid(twin) for twin in twins]
    found = articles.find(db, spellings, ids)
    known = articles.addresses(db, [found] if found else [])
    asked = _Asked(filling.host(address.final), found, {*spellings, *twins, *known.get(found or "", ())})
    digests, keys = _digests(db, asked, user_id)
    return Story(
        url=address.original,
        final=address.final,
        article_uuid=found or address.article_uuid,
        notes=address.notes,
        dropped=canonical.dropped_params(url),
        article=articles.get(db, found) if found else None,
        mentions=articles.mentions(db, found) if found else [],
        resolutions=articles.resolutions(db, found) if found else [],
        digests=digests,
        left_out=_left_out(db, address.final, ids) if left_out else [],
        history=[asdict(one) for one in history.find(db, user_id, keys).values()],
    )


def narrowed(story: Story, sources: Collection[str], user: str | None, *, known: bool) -> Story:
    """The story as somebody may hear it who knows of these sources, and of this user's digests.

    `user` None: of everybody's. `known` False: the article is not for them, so it is as if it were not there.
    """
    mentions = [one for one in story.mentions if known and one["source_uuid"] in sources]
    shown = {one["article_url_original"] for one in mentions}
    return replace(
        story,
        article_uuid=story.article_uuid if known else canonical.article_uuid(story.final),
        article=story.article if known else None,
        mentions=mentions,
        # A source is remembered with one address of an article; there may be others of the same source.
        resolutions=[
            one for one in story.resolutions if user is None or one["article_url_original"] in shown
        ],
        digests=[one for one in story.digests if user is None or one["user"] == user],
        left_out=[one for one in story.left_out if one["source_uuid"] in sources],
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for: the site without its www, the ledger's article, and the addresses it has."""

    host: str
    article_uuid: str | None
    urls: set[str]


def _digests(db: Database, asked: _Asked, user_id: str) -> tuple[list[dict[str, Any]], set[str]]:
    """The digests that had an article at any of its addresses, and the identities of all of these."""
    whose = None if users.is_admin(db, user_id) else user_id
    keys, urls = filling.hashes(asked.urls), set(asked.urls)
    for pair in appearances.same_article(db, asked.host, whose):
        if not keys.isdisjoint(filling.hashes(pair)):
            keys |= filling.hashes(pair)
            urls |= set(pair)
    had = appearances.candidates(db, asked.article_uuid, sorted(urls), asked.host, whose)
    return [_told(one) for one in had if _is_one(one, asked.article_uuid, keys)], keys


def _is_one(had: dict[str, Any], article_uuid: str | None, keys: set[str]) -> bool:
    by_id = had["article_uuid"] is not None and had["article_uuid"] == article_uuid
    return by_id or not keys.isdisjoint(filling.hashes([had["url"]]))


def _told(had: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in had.items() if name != "article_uuid"}


def _url_of(db: Database, text: str) -> str:
    if not _ID.fullmatch(text):
        return text
    row = articles.get(db, text)
    if row is None:
        raise ConfigError(f"there is no article {text}", "see: digestlog articles list")
    return str(row["article_url_final"])


def _hint(db: Database, url: str) -> str:
    """What to do about an address without identity: a source may show it all the same."""
    left = articles.left_out(db, url) if len(url) > len("https://") else []
    shown = [entry["source_uuid"] for entry in left if entry["url"] == url]
    return f"{', '.join(shown)} shows it, and leaves it out for that" if shown else "write it with https://"


def _left_out(db: Database, final: str, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The sources whose last reading had this address, however they spell it, and left it out."""
    host = final.split("/")[2]
    return [entry for entry in articles.left_out(db, host) if _id(entry["url"]) in ids]


def _id(url: str) -> str | None:
    try:
        return canonical.ledger_url(url).article_uuid
    except UrlError:
        return None
