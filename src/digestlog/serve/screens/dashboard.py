"""Dashboard: the pages that the user watches, each with its latest change."""

from __future__ import annotations

from urllib.parse import urlencode

from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens.pieces import after, cut, library_page
from digestlog.store import library, watched


def dashboard(page: Page) -> Response:
    """The user's pages, the newest change first."""
    user = page.visitor.id
    found = watched.pages(page.db, user, after=after(page), limit=watched.PIECE + 1)
    shown, older = cut(found)
    return library_page(
        page,
        "dashboard.html",
        pages=shown,
        older=older,
        room=library.check_url_cap_entitlement(page.db, user),
        # An admin's database has everybody's.
        own_rows=urlencode({"user_id": user}),
    )


ROUTES = (Route.get("/dashboard", dashboard),)
