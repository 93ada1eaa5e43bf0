"""A change as a user may see it: what every surface shows, and nothing that the gate holds back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

REAL, PROVISIONAL, VOLATILE = "real", "provisional", "volatile"

# What a kind of change is to a person.
KINDS = {
    "title": "title changed",
    "price": "price changed",
    "availability": "availability changed",
    "text_added": "text added",
    "text_removed": "text removed",
    "text_changed": "text changed",
    "table": "table changed",
    "link": "link changed",
    "status": "status changed",
}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change of one page, with its brand and its summary."""

    id: str
    url_id: str
    url: str
    canonical_url: str
    brand_id: str | None
    brand: str | None
    detected_at: str
    updated_at: str
    kind: str
    state: str
    magnitude: float
    before: str | None
    after: str | None
    diff: tuple[tuple[str, str], ...]
    summary: str

    def as_object(self) -> dict[str, Any]:
        """The names of docs/json-output.md."""
        return {**asdict(self), "diff": [list(part) for part in self.diff]}


def by_brand(changes: Iterable[ChangeRow]) -> list[tuple[str | None, list[ChangeRow]]]:
    """The changes under their brands' names, in the order of the names; those without one come last."""
    found: dict[tuple[str, str], list[ChangeRow]] = {}
    names: dict[tuple[str, str], str | None] = {}
    for change in changes:
        # Two brands may have the same name.
        key = ((change.brand or "").casefold(), change.brand_id or "")
        found.setdefault(key, []).append(change)
        names[key] = change.brand
    return [(names[key], found[key]) for key in sorted(found, key=lambda key: (not key[1], key))]
