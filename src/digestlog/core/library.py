"""What becomes of a page that somebody asks to watch: identity, wishes, routing, the plan's limit."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, fields
from typing import Any

import ada_url

from digestlog.core import canonical
from digestlog.core.moments import from_iso
from digestlog.core.policy import BLOCK, REVIEW, Decision
from digestlog.core.text import clean
from digestlog.errors import LibraryError, UrlCapExceeded, UrlError

PENDING, BLOCKED, NEEDS_REVIEW = "pending", "blocked", "needs_review"
LINKED, CREATED = "approved_linked_existing", "approved_created_global"
STATUSES = (PENDING, BLOCKED, NEEDS_REVIEW, LINKED, CREATED)
FREQUENCIES = ("hourly", "daily", "weekly", "monthly")
UNCHECKABLE, DUPLICATE, UNKNOWN = "auth_wall_or_uncheckable", "duplicate", "unknown"
# Longer texts are no address anyway; of those, the beginning tells enough.
MAX_SUBMITTED = 4_096

# As much of an address as a message needs.
_BRIEF = 200

_ROUTES = {BLOCK: BLOCKED, REVIEW: NEEDS_REVIEW}


@dataclass(frozen=True, slots=True)
class Wish:
    """How a page should be watched; None: as it is watched already, or as usual."""

    check_frequency: str | None = None
    min_interval_s: int | None = None
    max_interval_s: int | None = None
    allow_private: bool = False
    preflight: bool = True

    @property
    def about_pace(self) -> bool:
        """True if it says how often to check."""
        return (self.check_frequency, self.min_interval_s, self.max_interval_s) != (None, None, None)

    def to_json(self) -> str:
        """The stored form: what differs from the usual."""
        usual = asdict(Wish())
        return json.dumps({name: value for name, value in asdict(self).items() if value != usual[name]})

    @classmethod
    def from_json(cls, text: str) -> Wish:
        """The wish of a stored form; names that are not known here are left alone."""
        stored: dict[str, Any] = json.loads(text)
        return cls(**{field.name: stored[field.name] for field in fields(cls) if field.name in stored})


@dataclass(frozen=True, slots=True)
class Identity:
    """An address that can be watched: what it is called, what is fetched, and its host."""

    canonical_url: str
    url: str
    hostname: str


@dataclass(frozen=True, slots=True)
class Entitlement:
    """How many pages a plan allows, and how many are watched; limit None: no limit."""

    plan: str
    used: int
    limit: int | None

    @property
    def allowed(self) -> bool:
        """True if there is room for one more page."""
        return self.limit is None or self.used < self.limit

    @property
    def words(self) -> str:
        """Why there is no room."""
        pages = "page" if self.limit == 1 else "pages"
        return f"the {self.plan} plan's limit of {self.limit} watched {pages} is reached"


# --- what was typed ----------------------------------------------------------------------

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?![0-9]+(?:[/?#]|$))")
# A name with a dot in it, or an IPv4 address: what people type of an address that they read somewhere.
_BARE = re.compile(r"[^\s/?#:@]+\.[^\s/?#:@.]+\.?(?::[0-9]+)?(?:[/?#]|$)")
_BREAKS = re.compile("[\t\n\r]")
_CREDENTIALS = re.compile(r"[^\s/\\?#]+@")


def identity(text: str) -> Identity | None:
    """What a person means by a text; None if it has no URL identity. Without a scheme it is https."""
    try:
        return _identity(text)
    except UrlError:
        return None


def why_no_identity(text: str) -> str:
    """Why a text is no address, in words."""
    try:
        _identity(text)
    except UrlError as error:
        return _NO_IDENTITY[error.code]
    raise AssertionError(text)


_NO_IDENTITY = {
    "not_text": "it contains characters that are no text",
    "empty": "it is empty",
    "relative": "it is no whole address; write it with https://",
    "unsupported_scheme": "only http and https can be watched",
    "invalid": "it is no valid address",
    "too_long": "it is too long",
}


def storable(text: str) -> str:
    """The text as the audit log keeps it: without credentials or invisible characters, bounded."""
    page = identity(text)
    if page is None:  # in what is no address as a whole, one may stand
        return clean(_CREDENTIALS.sub("", text[:MAX_SUBMITTED])) or "(nothing)"
    kept = canonical.without_userinfo(text.strip())
    return kept if kept == clean(kept) else page.url


def brief(url: str) -> str:
    """An address as a message names it: not longer than a person reads."""
    return url if len(url) <= _BRIEF else f"{url[: _BRIEF - 1]}…"


def _identity(text: str) -> Identity:
    text = _BREAKS.sub("", text.strip())
    if not _SCHEME.match(text) and _BARE.match(text):
        text = f"https://{text}"
    name, _ = canonical.canonicalize(text, "library")
    url = canonical.without_userinfo(text)
    if not (url.isascii() and url.isprintable()) or " " in url:
        url = ada_url.normalize_url(url)  # the same address, in characters that can be stored and shown
    return Identity(name, url, str(ada_url.URL(name).hostname))


# --- decisions without a rule ------------------------------------------------------------

# What the evidence names as the pattern where no rule of the policy decided.
CAP, PRIVATE = "max_tracked_urls", "private address"
CAP_HINT = "stop watching another page: digestlog library remove URL; or ask for a larger plan"
YOURS_ALREADY = "you watch it already"
NOT_YET = "could not be looked at yet"


def without_identity(text: str) -> Decision:
    """The decision about a text that is no address."""
    return Decision(BLOCK, UNKNOWN, "", None, f"no address: {why_no_identity(text)}")


def duplicate(hostname: str) -> Decision:
    """The decision about a page that the user watches."""
    return Decision(BLOCK, DUPLICATE, hostname, None, YOURS_ALREADY)


def refused(hostname: str, error: LibraryError) -> Decision:
    """The decision where a rule of the library stands against it: the plan's limit, or whose page it is."""
    if isinstance(error, UrlCapExceeded):
        return Decision(BLOCK, UNKNOWN, hostname, CAP, error.message)
    return Decision(BLOCK, UNCHECKABLE, hostname, PRIVATE, error.message)


# --- routing and words -------------------------------------------------------------------


def routed(decision: str) -> str | None:
    """The status that a decision leads to; None: it may be watched, go on."""
    return _ROUTES.get(decision)


def gate_words(history_start_at: str | None) -> str:
    """From when a user sees a page's history."""
    if history_start_at is None:
        return "the whole history"
    day = from_iso(history_start_at)
    return f"history from {day.day} {_MONTHS[day.month - 1]} {day.year}; earlier changes need a paid plan"


# Not strftime: its names of months depend on where the program runs.
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
