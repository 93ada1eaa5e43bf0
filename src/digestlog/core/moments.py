"""Times: aware UTC inside, one fixed-width text outside."""

from __future__ import annotations

from datetime import UTC, datetime, time


def to_iso(moment: datetime) -> str:
    """The stored form of an aware time: `2026-02-12T14:03:12+00:00`."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def from_iso(text: str) -> datetime:
    """The aware time of a stored form."""
    return datetime.fromisoformat(text)


def parse_moment(text: str) -> datetime:
    """A time that a person typed, in UTC to the second; ValueError if it is none.

    A date alone is its first second; a time without an offset is UTC.
    """
    moment = datetime.fromisoformat(text.strip())
    if moment.tzinfo is None:
        moment = datetime.combine(moment.date(), moment.time() or time.min, UTC)
    try:
        moment = moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"out of range: {text}") from error
    return moment.replace(microsecond=0)
