"""What the first look at a page says: whether a program can read it at all."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address

from digestlog.core.checkable import CHALLENGE, LOGIN, OK, Verdict
from digestlog.core.library import NOT_YET, PRIVATE, UNCHECKABLE
from digestlog.core.policy import BLOCK, REVIEW, Decision
from digestlog.core.text import clean
from digestlog.errors import AddressRefused, DigestlogError, FetchError

# Of 4xx, those that say "not now".
_NOT_NOW = frozenset({408, 425, 429})


def is_inside(hostname: str) -> bool:
    """True if a host is in a private network by its name alone; of other names the first look tells."""
    host = hostname.strip("[]")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return not ip_address(host).is_global
    except ValueError:
        return False


def after_look(allowed: Decision, status: int, verdict: Verdict) -> Decision:
    """The decision once the page was looked at; `allowed` is what the rules said."""
    words = verdict.words or f"the server answered {status}"
    if status == 401 or (verdict.outcome == LOGIN and status != 403):
        return _unlike(allowed, BLOCK, "login", f"it asks for a login: {words}")
    if status != 403 and verdict.outcome != CHALLENGE and (status in _NOT_NOW or status >= 500):
        return replace(allowed, reason=f"{NOT_YET}: {words}")
    if status == 403 or verdict.outcome != OK:
        pattern = f"status {status}" if status >= 400 else verdict.outcome
        return _unlike(allowed, REVIEW, pattern, words)
    return allowed


def after_failure(allowed: Decision, error: DigestlogError) -> Decision:
    """The decision where the page could not be had; a network that fails now is no reason to refuse."""
    words = clean(error.message) or "it failed"
    if isinstance(error, AddressRefused):
        return _unlike(allowed, BLOCK, PRIVATE, words)
    if isinstance(error, FetchError) and error.temporary:
        return replace(allowed, reason=f"{NOT_YET}: {words}")
    return _unlike(allowed, REVIEW, "robots.txt" if "robots.txt" in words else "not readable", words)


def _unlike(allowed: Decision, decision: str, pattern: str, words: str) -> Decision:
    return Decision(decision, UNCHECKABLE, allowed.hostname, pattern, words)
