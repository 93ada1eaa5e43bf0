"""Feeds for readers that cannot sign in: the address holds a token that opens feeds and nothing else."""

from __future__ import annotations

from digestlog.core.render import render
from digestlog.core.render.labels import labels
from digestlog.errors import ConfigError
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.store import digests, settings

_ATOM = "application/atom+xml; charset=utf-8"


def latest_digest(page: Page) -> Response:
    """The user's latest digest."""
    try:
        digest = digests.get(page.db, page.visitor.id, digests.LATEST)
    except ConfigError:
        raise Refused(404, "There is no digest yet.") from None
    words = labels(settings.get(page.db, page.visitor.id).language)
    return Response(200, render(digest, "atom", words).encode(), _ATOM)


ROUTES = (Route.get("/feeds/digest.atom", latest_digest, access="feed"),)
