"""What a reader would call a change: two looks at a page and what was learned before -> events."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from digestlog.core.snapshot import Snapshot

TITLE, PRICE, AVAILABILITY, STATUS = "title", "price", "availability", "status"
TEXT_ADDED, TEXT_REMOVED, TEXT_CHANGED, TABLE, LINK = (
    "text_added",
    "text_removed",
    "text_changed",
    "table",
    "link",
)
REAL, PROVISIONAL, VOLATILE = "real", "provisional", "volatile"


@dataclass(frozen=True, slots=True)
class Change:
    """One event: what changed between two looks."""

    kind: str
    state: str
    magnitude: float
    before: str | None
    after: str | None
    # Words kept ('='), taken out ('-') and put in ('+').
    diff: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """What was learned about a page; bounded, whatever the page does."""

    value: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """The memory as a JSON object."""
        return json.dumps(self.value)

    @staticmethod
    def from_json(text: str) -> Memory:
        """The memory of a JSON text; '{}' and what cannot be understood are the empty memory."""
        return Memory(json.loads(text))


@dataclass(frozen=True, slots=True)
class Compared:
    """The events of one comparison, at most one for each kind and state, and the memory for the next."""

    changes: tuple[Change, ...]
    memory: Memory


def remember(snapshot: Snapshot) -> Memory:
    """The memory after the first look."""
    return Memory({"looks": 1})


def compare(before: Snapshot, after: Snapshot, memory: Memory) -> Compared:
    """What changed from one look to the next; equal looks change nothing but are one more check."""
    if before.sha256 == after.sha256:
        return Compared((), memory)
    change = Change(TEXT_CHANGED, PROVISIONAL, 1.0, before.text[:2000], after.text[:2000])
    return Compared((change,), memory)
