"""What became of every candidate of a digest, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from digestlog.core.digest import Candidate
from digestlog.core.render.labels import Labels
from digestlog.core.render.plain import line


def by_outcome(candidates: Iterable[Candidate], labels: Labels) -> dict[str, list[Candidate]]:
    """The candidates under their outcomes: what was taken first, then in the order of the words for them."""
    found: dict[str, list[Candidate]] = {name: [] for name in labels.outcomes}
    for candidate in candidates:
        found.setdefault(candidate.outcome, []).append(candidate)
    return {name: group for name, group in found.items() if group}


def reasons(candidates: Sequence[Candidate], labels: Labels) -> list[str]:
    """One heading with a count for each outcome, and below it each address with its reason."""
    lines: list[str] = []
    for outcome, group in by_outcome(candidates, labels).items():
        lines += [""] * bool(lines) + [f"{labels.outcome(outcome)} ({len(group)})"]
        for candidate in group:
            lines.append(f"  {line(candidate.url)}")
            if line(candidate.detail):
                lines.append(f"    {line(candidate.detail)}")
    return lines
