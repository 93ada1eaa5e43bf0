"""Today: what is new, in one look."""

from __future__ import annotations

from datetime import timedelta

from digestlog.core.digest import Digest, Item
from digestlog.core.moments import to_iso
from digestlog.core.render.changes_labels import change_labels
from digestlog.core.render.labels import labels
from digestlog.core.render.plain import by_category, heading, line
from digestlog.errors import ConfigError
from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens.ledger import pieces
from digestlog.serve.screens.sources import reasons
from digestlog.store import browse, changes, digests, overview, source_health

_ARTICLES, _ITEMS, _CHANGES, _SOURCES = 8, 6, 6, 6
_CHANGED_WITHIN = timedelta(days=30)


def today(page: Page) -> Response:
    """The first screen."""
    db, visitor = page.db, page.visitor
    digest = _latest(page)
    words = labels(page.words.language)
    return page.render(
        "today.html",
        seen=overview.of(db, visitor),
        articles=browse.newest(db, visitor, browse.Wanted(limit=_ARTICLES)).articles,
        digest=digest,
        heading=heading(digest, words) if digest else "",
        items=_first_of_each(digest) if digest else [],
        changes=changes.list_changes(db, visitor.id, since=to_iso(db.now - _CHANGED_WITHIN), limit=_CHANGES),
        kind=change_labels(page.words.language).what,
        trouble=source_health.listed(db, visitor, state=source_health.TROUBLE, limit=_SOURCES),
        reason=reasons(page),
        pieces=pieces,
        line=line,
    )


def _latest(page: Page) -> Digest | None:
    try:
        return digests.get(page.db, page.visitor.id, digests.LATEST)
    except ConfigError:
        return None


def _first_of_each(digest: Digest) -> list[Item]:
    """The first story of each category, then the second of each, and so on, as far as there is room."""
    groups = [items for _, items in by_category(digest)]
    rounds = range(max(map(len, groups), default=0))
    return [items[place] for place in rounds for items in groups if place < len(items)][:_ITEMS]


ROUTES = (Route.get("/", today),)
