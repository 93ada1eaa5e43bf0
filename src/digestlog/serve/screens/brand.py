"""Brand: whose the pages are, which of them the user watches, what changed last."""

from __future__ import annotations

from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens.pieces import after, cut, library_page, not_there
from digestlog.store import watched


def brand(page: Page) -> Response:
    """A brand of which the user watches a page."""
    user, brand_id = page.visitor.id, page.parts["id"]
    found = watched.brand(page.db, user, brand_id)
    if found is None:
        raise not_there()
    first = watched.pages(page.db, user, brand_id=brand_id, limit=watched.PIECE + 1)
    here = after(page)
    piece = (
        watched.pages(page.db, user, brand_id=brand_id, after=here, limit=watched.PIECE + 1)
        if here
        else first
    )
    shown, older = cut(piece)
    return library_page(
        page,
        "brand.html",
        brand=found,
        pages=shown,
        older=older,
        latest=watched.latest(page.db, user, first),
        addresses={one.id: one.canonical_url for one in first},
    )


ROUTES = (Route.get("/brands/{id}", brand),)
