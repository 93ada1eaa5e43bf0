"""Sources: how each does; for admins also adding, pausing and lists from other readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from digestlog.core.lists import read_list
from digestlog.core.render.labels import labels
from digestlog.core.render.plain import line
from digestlog.errors import ParseError
from digestlog.jobs.discover import Getter, Wish
from digestlog.jobs.follow import Followed, follow, wishes_of
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens import charts
from digestlog.serve.screens.ledger import pieces
from digestlog.serve.screens.uploads import file_of
from digestlog.store import browse, source_health
from digestlog.store import sources as store
from digestlog.web.fetch import Fetcher

_PAGE = 50
_SPARK = (120.0, 28.0)
_MOST_BYTES = 2_000_000
_MOST_ENTRIES = 2_000
# An address in a list that does not say what it is has to be looked at, which takes time.
_MOST_UNSEEN = 20
_ADDRESS = re.compile(r"https?://(?:[^\s/?#@]*@)?([^\s/?#]+)[^\s]*", re.IGNORECASE)
_STATES = (source_health.TROUBLE, source_health.PAUSED, source_health.WELL)


def fetcher() -> AbstractAsyncContextManager[Getter]:
    """What looks at an address that somebody adds."""
    return Fetcher()


def reasons(page: Page) -> Callable[[str | None], str]:
    """Why something failed, in the visitor's language; addresses, which may hold a key, are for admins."""
    translated = labels(page.words.language).reason

    def said(text: str | None) -> str:
        words = translated(text or "")
        return line(words if page.visitor.is_admin else _ADDRESS.sub(r"\1", words))

    return said


def sources(page: Page) -> Response:
    """The followed sources, those in trouble first."""
    return _list(page)


def source(page: Page) -> Response:
    """One source: its health, its last scans, its newest articles."""
    found = source_health.one(page.db, page.visitor, page.parts["source"])
    if found is None:
        raise Refused(404, "There is no such source.")
    wanted = browse.Wanted(source_uuid=found.source.source_uuid, limit=10)
    return page.render(
        "source.html",
        one=found,
        chart=charts.bars(found.days, found.found, 600.0, 90.0),
        visits=source_health.visits(page.db, found.source.source_uuid),
        articles=browse.newest(page.db, page.visitor, wanted).articles,
        reason=reasons(page),
        pieces=pieces,
        line=line,
    )


def add(page: Page) -> Response:
    """Follow what an address leads to, and tell what came of it."""
    address = page.request.form.get("address", "").strip()[:2000]
    if not address:
        return Response.redirect("/sources")
    (result,) = follow(page.db, [Wish(address)], fetcher)
    if result.added is None:
        return _list(page, 422, results=[result])
    return Response.redirect(f"/sources/{result.added.source.source_uuid}")


def upload(page: Page) -> Response:
    """Follow every source of a list that another reader has written."""
    body = file_of(page.request, "list")
    try:
        entries = read_list(body)
    except ParseError as error:
        return _list(page, 422, problem=error.message)
    if len(entries.outlines) + len(entries.addresses) > _MOST_ENTRIES:
        raise Refused(413, f"This list has more than {_MOST_ENTRIES:,} entries.")
    if len(entries.addresses) > _MOST_UNSEEN:
        raise Refused(413, f"A plain list may have {_MOST_UNSEEN} addresses here; OPML may have more.")
    results = follow(page.db, wishes_of(entries), fetcher)
    return _list(page, results=results, skipped=entries.skipped)


def pause(page: Page) -> Response:
    """Leave a source out of scans."""
    found = _followed(page)
    reason = line(page.request.form.get("reason", "")[:200]) or None
    store.pause(page.db, found, reason)
    return Response.redirect(f"/sources/{found}")


def resume(page: Page) -> Response:
    """Take a source back into scans, due at once."""
    found = _followed(page)
    store.resume(page.db, found)
    return Response.redirect(f"/sources/{found}")


def _followed(page: Page) -> str:
    found = source_health.one(page.db, page.visitor, page.parts["source"])
    if found is None:
        raise Refused(404, "There is no such source.")
    return found.source.source_uuid


def _list(
    page: Page,
    status: int = 200,
    *,
    results: Sequence[Followed] = (),
    skipped: Sequence[str] = (),
    problem: str | None = None,
) -> Response:
    state = page.request.query.get("state")
    found = source_health.listed(
        page.db,
        page.visitor,
        state=state if state in _STATES else None,
        after=page.request.query.get("after"),
        limit=_PAGE + 1,
    )
    return page.render(
        "sources.html",
        status,
        found=[(one, charts.bars(one.days, one.found, *_SPARK)) for one in found[:_PAGE]],
        following=found[_PAGE - 1].source.source_uuid if len(found) > _PAGE else None,
        counts=source_health.counts(page.db, page.visitor),
        state=state if state in _STATES else "",
        states=_STATES,
        results=[result for result in results if result.added is None],
        added=[result.added for result in results if result.added is not None],
        came=bool(results) or bool(skipped),
        skipped=skipped,
        problem=problem,
        reason=reasons(page),
        line=line,
    )


ROUTES = (
    Route.get("/sources", sources),
    Route.post("/sources", add, access="admin"),
    Route.post("/sources/list", upload, access="admin", most_bytes=_MOST_BYTES),
    Route.get("/sources/{source}", source),
    Route.post("/sources/{source}/pause", pause, access="admin"),
    Route.post("/sources/{source}/resume", resume, access="admin"),
)
