"""What a digest's user was shown already, whichever address it has now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain

from digestlog.core import filling
from digestlog.core.moments import from_iso
from digestlog.jobs.reading import Wanted, recognised
from digestlog.store import articles, history
from digestlog.store.db import Database


@dataclass(frozen=True, slots=True)
class Shown:
    """A user's history, as far back as `days` say; 0: no history is kept.

    In a dry run nothing was cleaned up before, so what is too old is left alone here.
    """

    db: Database
    user_id: str
    days: int
    dry_run: bool

    def among(self, keys: Mapping[str, set[str]]) -> set[str]:
        """Those addresses of which a key is in the history."""
        if not self.days:
            return set()
        asked = list(chain.from_iterable(keys.values()))
        if self.dry_run:
            shown = history.find(self.db, self.user_id, asked)
            since = timedelta(days=self.days)
            found = {key for key, one in shown.items() if self.db.now - from_iso(one.created_at) <= since}
        else:
            found = history.check_urls_exist(self.db, self.user_id, asked)
        return {url for url, those in keys.items() if not those.isdisjoint(found)}


def keys_of(db: Database, wanted: Sequence[Wanted]) -> dict[Wanted, set[str]]:
    """The identity of every address under which each candidate is known."""
    known = articles.addresses(db, [one.article_uuid for one in wanted if one.article_uuid])
    return {one: filling.hashes([one.url, *known.get(one.article_uuid or "", ())]) for one in wanted}


def keys_at(db: Database, url: str) -> set[str]:
    """The identity of an address, and of all others that the ledger knows its article by."""
    known = articles.addresses(db, list(recognised(db, [url]).values()))
    return filling.hashes([url, *chain.from_iterable(known.values())])
