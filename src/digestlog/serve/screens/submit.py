"""Submit: ask for a page to be watched, and see what was decided."""

from __future__ import annotations

import os
import threading
from urllib.parse import quote

from digestlog.core.library import FREQUENCIES, NOT_YET, Wish
from digestlog.jobs import submit as job
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.store import library, policy, submissions
from digestlog.web.fetch import Fetcher

SHOWN = 20
# Each waits for another site; what else is asked for must not wait behind them.
_places = threading.BoundedSemaphore(2)


def fetcher() -> Fetcher:
    """What looks at a page before it is watched."""
    return Fetcher(contact=os.environ.get("DIGESTLOG_CONTACT"))


def show(page: Page) -> Response:
    """The form, what became of the latest submission, and the earlier ones."""
    user = page.visitor.id
    done = page.request.query.get("done")
    return page.render(
        "submit.html",
        frequencies=FREQUENCIES,
        not_yet=NOT_YET,
        done=submissions.find_mine(page.db, user, done) if done else None,
        mine=submissions.list_mine(page.db, user, limit=SHOWN),
        room=library.check_url_cap_entitlement(page.db, user),
        problem=page.words("submit.no_address") if "empty" in page.request.query else "",
    )


def send(page: Page) -> Response:
    """Take one address through all steps; the decision is on the page that follows."""
    address = page.request.form.get("address", "").strip()
    if not address:
        return Response.redirect("/submit?empty=1")
    wanted = page.request.form.get("frequency")
    wish = Wish(check_frequency=wanted if wanted in FREQUENCIES else None)
    if not _places.acquire(blocking=False):
        raise Refused(503, page.words("submit.busy"), headers={"retry-after": "10"})
    try:
        done = job.submit(
            page.db, fetcher, lambda url: policy.evaluate(page.db, url), page.visitor.id, [address], wish
        )
    finally:
        _places.release()
    return Response.redirect(f"/submit?done={quote(done[0].submission_id)}")


ROUTES = (Route.get("/submit", show), Route.post("/submit", send))
