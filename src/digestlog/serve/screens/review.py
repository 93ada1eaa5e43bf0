"""Review queue: what waits for an admin."""

from __future__ import annotations

from digestlog.core.policy import REASONS
from digestlog.core.text import clean
from digestlog.errors import LibraryError
from digestlog.jobs import submit as job
from digestlog.serve.messages import Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens.pieces import not_there
from digestlog.store import submissions

SHOWN = 50
_MOST_WORDS = 500
_DONE = {"approved": "review.approved", "blocked": "review.blocked"}


def show(page: Page) -> Response:
    """The queue, the oldest first."""
    return _queue(page)


def _queue(page: Page, failed: LibraryError | None = None) -> Response:
    found = submissions.waiting(page.db, SHOWN + 1)
    done = _DONE.get(page.request.query.get("done", ""))
    return page.render(
        "review.html",
        409 if failed else 200,
        waiting=found[:SHOWN],
        more=SHOWN if len(found) > SHOWN else None,
        reasons=tuple(REASONS),
        done=page.words(done) if done else "",
        failed=page.words("review.failed", why=failed.message) if failed else "",
    )


def approve(page: Page) -> Response:
    """Let the page be watched by who asked; if the plan is full, it waits on."""
    try:
        one = submissions.find_waiting(page.db, page.parts["id"])
        job.approve(page.db, page.visitor.id, one)
    except LibraryError as error:
        return _queue(page, error)
    return Response.redirect("/review?done=approved")


def block(page: Page) -> Response:
    """Refuse the page, with a reason."""
    form = page.request.form
    reason = form.get("reason", "")
    if reason not in REASONS:
        raise not_there()
    words = (clean(form.get("words")) or REASONS[reason])[:_MOST_WORDS]
    try:
        one = submissions.find_waiting(page.db, page.parts["id"])
        job.block(page.db, page.visitor.id, one, reason, words)
    except LibraryError as error:
        return _queue(page, error)
    return Response.redirect("/review?done=blocked")


ROUTES = (
    Route.get("/review", show, access="admin"),
    Route.post("/review/{id}/approve", approve, access="admin"),
    Route.post("/review/{id}/block", block, access="admin"),
)
