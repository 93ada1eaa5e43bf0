"""The screens: pages of our own. A screen is a function from a Page to a Response, and a Route in ROUTES.

The function runs in a thread and may use `page.db` freely. What a user sees of the library goes through the
visible_* views with `page.visitor.id`; no id ever comes from the address or a form without that condition.
"""

from __future__ import annotations

from digestlog.serve.screens import feeds, today

ROUTES = (*today.ROUTES, *feeds.ROUTES)
