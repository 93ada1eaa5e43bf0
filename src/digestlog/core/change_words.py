"""A change in one line of words, without a model."""

from __future__ import annotations

from digestlog.core.changes import Change


def summarise(change: Change, language: str = "en") -> str:
    """One bounded line that names what changed."""
    return f"{change.kind}: {change.before} → {change.after}"[:300]
