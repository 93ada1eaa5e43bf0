"""Today: what is new, in one look."""

from __future__ import annotations

from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.store import overview


def today(page: Page) -> Response:
    """The first screen."""
    return page.render("today.html", seen=overview.of(page.db, page.visitor))


ROUTES = (Route.get("/", today),)
