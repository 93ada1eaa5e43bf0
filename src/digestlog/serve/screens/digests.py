"""Digests: the visitor's own, each with its items and what became of every candidate."""

from __future__ import annotations

from digestlog.core.digest import Digest
from digestlog.core.render.candidates import by_outcome
from digestlog.core.render.labels import labels
from digestlog.core.render.plain import by_category, heading, line, makers
from digestlog.errors import ConfigError
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.store import digests as store

_PAGE = 30


def digests(page: Page) -> Response:
    """The list, the newest first."""
    before = page.request.query.get("before")
    found = store.list_digests(page.db, page.visitor.id, before=before, limit=_PAGE + 1)
    return page.render(
        "digests.html",
        found=found[:_PAGE],
        following=found[_PAGE - 1].id if len(found) > _PAGE else None,
        first=before is not None,
        line=line,
    )


def digest(page: Page) -> Response:
    """One digest."""
    found = _get(page)
    words = labels(page.words.language)
    return page.render(
        "digest.html",
        digest=found,
        heading=heading(found, words),
        categories=by_category(found),
        makers=makers(found, words),
        reason=words.reason,
        line=line,
    )


def why(page: Page) -> Response:
    """What became of every candidate of a digest."""
    found = _get(page)
    words = labels(page.words.language)
    candidates = store.candidates(page.db, page.visitor.id, found.id)
    return page.render(
        "digest_why.html",
        digest=found,
        heading=heading(found, words),
        outcomes=[(words.outcome(name), group) for name, group in by_outcome(candidates, words).items()],
        total=len(candidates),
        line=line,
    )


def _get(page: Page) -> Digest:
    """The visitor's digest with the id of the address."""
    try:
        return store.get(page.db, page.visitor.id, page.parts["digest"])
    except ConfigError:
        raise Refused(404, "There is no such digest.") from None


ROUTES = (
    Route.get("/digests", digests),
    Route.get("/digests/{digest}", digest),
    Route.get("/digests/{digest}/why", why),
)
