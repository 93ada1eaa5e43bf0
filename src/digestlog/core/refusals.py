"""The words for what a rule forbids to read, so that a stored reason can be told from a failure."""

from __future__ import annotations

CLOSED = "is closed to programs by the site's robots.txt"
PRIVATE = "leads to a private address"
LOGIN = "it leads to a login or consent page"
# What a site answers to whoever has not signed in or paid.
WALLS = {401: "wants a login (401)", 402: "wants to be paid first (402)", 407: "wants a login (407)"}

_ALL = (CLOSED, PRIVATE, LOGIN, *WALLS.values())


def is_refusal(reason: str | None) -> bool:
    """True if a page was left unread because a rule forbids it: robots.txt, the address guard, a login."""
    return reason is not None and any(words in reason for words in _ALL)
