"""Whether an answer is the page itself: neither an error, a challenge, a login nor an empty shell."""

from __future__ import annotations

from dataclasses import dataclass

from digestlog.core.model import Fetched
from digestlog.core.snapshot import Snapshot

OK, EMPTY, CHALLENGE, LOGIN, FAILED = "ok", "empty", "challenge", "login", "failed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is, and why in a person's words unless it is 'ok'."""

    outcome: str
    words: str | None = None


def judge(page: Fetched, snapshot: Snapshot | None) -> Verdict:
    """Whether the answer can be compared: 'ok', 'empty', 'challenge', 'login' or 'failed'."""
    if page.status >= 400:
        return Verdict(FAILED, f"the server answered {page.status}")
    if snapshot is None or not snapshot.text:
        return Verdict(EMPTY, "the page has no text")
    return Verdict(OK)
