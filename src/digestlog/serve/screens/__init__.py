"""The screens: pages of our own. A screen is a function from a Page to a Response, and a Route in ROUTES.

The function runs in a thread and may use `page.db` freely. What a user sees of the library goes through the
visible_* views with `page.visitor.id`; no id ever comes from the address or a form without that condition.
"""

from __future__ import annotations

from digestlog.serve.screens import (
    brand,
    change,
    dashboard,
    digests,
    feeds,
    history,
    ledger,
    review,
    settings,
    sources,
    submit,
    today,
    trends,
)

ROUTES = (
    *today.ROUTES,
    *digests.ROUTES,
    *ledger.ROUTES,
    *sources.ROUTES,
    *trends.ROUTES,
    *feeds.ROUTES,
    *dashboard.ROUTES,
    *brand.ROUTES,
    *history.ROUTES,
    *change.ROUTES,
    *submit.ROUTES,
    *review.ROUTES,
    *settings.ROUTES,
)
