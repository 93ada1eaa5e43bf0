"""What the headers of an answer say: text, charset, validators, and how long to wait."""

from __future__ import annotations

import re
from collections.abc import Iterable

WEEK_S = 7 * 24 * 3600
_VALIDATOR_CHARS = 1000
_CHARSET = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})", re.I | re.ASCII)
_MAX_AGE = re.compile(r"max-age\s{0,9}=\s{0,9}\"?([0-9]{1,12})", re.I)


class Headers:
    """Header fields by their lower-case names."""

    def __init__(self, fields: Iterable[tuple[bytes, bytes]]) -> None:
        self._fields: dict[bytes, list[bytes]] = {}
        for name, value in fields:
            self._fields.setdefault(name.lower(), []).append(value)

    def first(self, name: bytes) -> str | None:
        """The first field of that name, read as UTF-8 where it is and as Latin-1 where not."""
        values = self._fields.get(name)
        if not values:
            return None
        try:
            return values[0].decode().strip()
        except UnicodeDecodeError:
            return values[0].decode("latin-1").strip()

    def joined(self, name: bytes) -> str:
        """All fields of that name as one list; empty if there is none."""
        return b",".join(self._fields.get(name, ())).decode("latin-1")

    def number(self, name: bytes) -> int | None:
        """The first field of that name if it is a plain number."""
        value = self.first(name) or ""
        return int(value) if len(value) <= 18 and value.isascii() and value.isdigit() else None


def charset(content_type: str | None) -> str | None:
    """The charset that a content type names, in lower case."""
    found = _CHARSET.search((content_type or "")[:1000])
    return found[1].lower() if found else None


def validator(value: str | None) -> str | None:
    """An ETag or date that can be stored and sent back unharmed, else None."""
    if not value or len(value) > _VALIDATOR_CHARS or not value.isascii() or not value.isprintable():
        return None
    return value


def max_age_s(headers: Headers) -> int | None:
    """For how many seconds the answer stays good, a week at most; None if it need not be kept at all."""
    rules = headers.joined(b"cache-control").lower()[:2000]
    if "no-cache" in rules or "no-store" in rules:
        return None
    found = _MAX_AGE.search(rules.replace("s-maxage", ""))
    return min(int(found[1]), WEEK_S) or None if found else None


def retry_after_s(headers: Headers, now: float) -> int | None:
    """How many seconds the server wants to be left alone, a week at most.

    A date counts from the server's own clock where it tells it, else from `now`.
    """
    seconds = headers.number(b"retry-after")
    if seconds is None:
        until = _moment(headers.first(b"retry-after"))
        if until is None:
            return None
        since = _moment(headers.first(b"date"))
        seconds = int(until - (now if since is None else since))
    return max(0, min(seconds, WEEK_S))


def _moment(value: str | None) -> float | None:
    """The epoch seconds of an HTTP date."""
    from email.utils import mktime_tz, parsedate_tz

    try:
        parts = parsedate_tz((value or "")[:100])
        return None if parts is None else float(mktime_tz(parts))
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
