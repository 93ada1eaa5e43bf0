"""The update history of one page, as far back as the user may look."""

from __future__ import annotations

from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens.pieces import after, cut, library_page, not_there
from digestlog.store import watched


def history(page: Page) -> Response:
    """A page that the user watches, with its changes."""
    user = page.visitor.id
    found = watched.page(page.db, user, page.parts["id"])
    if found is None:
        raise not_there()
    volatile = page.request.query.get("all") == "1"
    changes = watched.updates(
        page.db,
        user,
        found.id,
        gating_since=found.history_start_at,
        volatile=volatile,
        after=after(page),
        limit=watched.PIECE + 1,
    )
    shown, older = cut(changes)
    if older and volatile:
        older["all"] = "1"
    return library_page(page, "page.html", page=found, updates=shown, older=older, volatile=volatile)


ROUTES = (Route.get("/pages/{id}", history),)
