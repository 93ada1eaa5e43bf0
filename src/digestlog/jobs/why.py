"""The whole story of one address, from stored facts only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from digestlog.core import canonical
from digestlog.errors import ConfigError, UrlError
from digestlog.store import articles
from digestlog.store.db import Database


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


def why(db: Database, text: str) -> Story:
    """The story of an address, or of an article's id; ConfigError if it can be neither."""
    url = _url_of(db, text.strip())
    try:
        address = canonical.ledger_url(url)
    except UrlError as error:
        raise ConfigError(f"{text[:100]} has no identity ({error.code})", "write it with https://") from error
    spellings = [url, address.original, address.final]
    ids = [canonical.article_uuid(twin) for twin in canonical.twins(address.final)]
    found = articles.find(db, spellings, ids)
    return Story(
        url=address.original,
        final=address.final,
        article_uuid=found or address.article_uuid,
        notes=address.notes,
        dropped=canonical.dropped_params(url),
        article=articles.get(db, found) if found else None,
        mentions=articles.mentions(db, found) if found else [],
        resolutions=articles.resolutions(db, found) if found else [],
        digests=articles.digests(db, found) if found else [],
        left_out=articles.left_out(db, spellings),
    )


def _url_of(db: Database, text: str) -> str:
    row = articles.get(db, text) if text.startswith("A_") else None
    return text if row is None else str(row["article_url_final"])
