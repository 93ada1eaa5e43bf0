"""What every answer carries, so that a browser keeps to our rules too."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextvars import ContextVar

# The word that marks the scripts and styles of our own templates in the page that is being made.
_nonce: ContextVar[str] = ContextVar("csp_nonce", default="")

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{0}'; style-src 'self' 'nonce-{0}'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
_ALWAYS = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    # No other site learns where somebody comes from. With "no-referrer", browsers would also hide from
    # ourselves that a form came from our own page.
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), interest-cohort=()"),
    ("x-robots-tag", "noindex, nofollow"),
)
PRIVATE = "private, no-store"
FOR_AN_HOUR = "private, max-age=3600"
_OURS = frozenset(name for name, _ in _ALWAYS) | {"content-security-policy", "cache-control", "vary"}

Headers = list[tuple[bytes, bytes]]


def new_nonce() -> str:
    """The word for one page."""
    nonce = secrets.token_urlsafe(16)
    _nonce.set(nonce)
    return nonce


def current_nonce() -> str:
    """The word for the page that is being made; empty outside a request."""
    return _nonce.get()


def guarded(headers: Iterable[tuple[bytes, bytes]], nonce: str, *, https: bool, cache: str) -> Headers:
    """The headers of an answer with ours in place of any of the same name."""
    kept = [(name, value) for name, value in headers if name.decode("latin-1").lower() not in _OURS]
    kinds = [value for name, value in kept if name.lower() == b"content-type"]
    page = any(kind.startswith(b"text/html") for kind in kinds)
    ours = [
        *_ALWAYS,
        ("content-security-policy", _PAGE_POLICY.format(nonce) if page else _DATA_POLICY),
        ("cache-control", cache),
        ("vary", "Cookie"),
    ]
    if https:
        ours.append(("strict-transport-security", "max-age=31536000"))
    return [*kept, *((name.encode(), value.encode()) for name, value in ours)]
