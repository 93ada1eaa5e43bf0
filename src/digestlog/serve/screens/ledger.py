"""Ledger: every article that a visitor may read, with search and filters, and why each is there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from digestlog.core.model import METHODS
from digestlog.core.render.labels import labels
from digestlog.core.render.plain import line
from digestlog.core.search_words import question
from digestlog.errors import ConfigError
from digestlog.jobs import why as stories
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.store import browse, source_health
from digestlog.store.browse import END, FOUND

_PAGE = 40
_SELECTABLE = 200
_LONGEST = 400
_ADDRESS = re.compile(r"https?://\S+\Z", re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])\Z")
_PIECE = re.compile(f"{FOUND}([^{END}]*){END}")


def ledger(page: Page) -> Response:
    """A page of the ledger, or what a search has found."""
    asked = _asked(page.request.query)
    if _ADDRESS.match(asked["q"]):
        return Response.redirect(f"/why?{urlencode({'url': asked['q']})}")
    wanted = browse.Wanted(
        asked["source"] or None,
        asked["method"] or None,
        asked["day"] or None,
        page.request.query.get("after"),
        _PAGE,
    )
    match = question(asked["q"])
    if match is None:
        found = browse.newest(page.db, page.visitor, wanted)
    else:
        found = browse.search(page.db, page.visitor, match, wanted)
    return page.render(
        "ledger.html",
        asked=asked,
        searched=match is not None,
        found=found,
        following=_address(asked, after=found.after) if found.after else None,
        first=_address(asked) if wanted.after else None,
        sources=source_health.names(page.db, page.visitor, _SELECTABLE + 1),
        selectable=_SELECTABLE,
        methods=METHODS,
        pieces=pieces,
        line=line,
    )


def article(page: Page) -> Response:
    """One article: what is known of it, and how it came here."""
    article_uuid = page.parts["article"]
    read = browse.one(page.db, page.visitor, article_uuid)
    if read is None:
        raise Refused(404, "There is no such article.")
    story = stories.why(page.db, article_uuid, page.visitor.id, left_out=False)
    return _told(page, story, read)


def address(page: Page) -> Response:
    """The story of an address that somebody asks about, be it in the ledger or not."""
    url = page.request.query.get("url", "")[:4000].strip()
    try:
        story = stories.why(page.db, url, page.visitor.id)
    except ConfigError as error:
        return page.render("why.html", 404, story=None, read=None, problem=error.message, line=line)
    read = browse.one(page.db, page.visitor, story.article_uuid)
    return _told(page, story, read)


def _told(page: Page, story: stories.Story, read: browse.Read | None) -> Response:
    """The story as far as it is the visitor's: their sources, their digests."""
    user = None if page.visitor.is_admin else page.visitor.name
    own = stories.narrowed(story, browse.source_ids(page.db, page.visitor), user, known=read is not None)
    outcomes = labels(page.words.language).outcomes
    return page.render("why.html", story=own, read=read, problem=None, line=line, outcomes=outcomes)


def pieces(text: str | None) -> list[tuple[bool, str]]:
    """A text in parts, each found by the search or not."""
    parts = _PIECE.split(text or "")
    return [(bool(place % 2), part) for place, part in enumerate(parts) if part]


def _asked(query: Mapping[str, str]) -> dict[str, str]:
    """The search and the filters as the address has them; what makes no sense is left out."""
    method, day = query.get("method", ""), query.get("day", "")
    return {
        "q": query.get("q", "").strip()[:_LONGEST],
        "source": query.get("source", "").strip()[:_LONGEST],
        "method": method if method in METHODS else "",
        "day": day if _DAY.match(day) else "",
    }


def _address(asked: Mapping[str, str], **more: str) -> str:
    return f"/ledger?{urlencode({name: value for name, value in {**asked, **more}.items() if value})}"


ROUTES = (
    Route.get("/ledger", ledger),
    Route.get("/ledger/{article}", article),
    Route.get("/why", address),
)
