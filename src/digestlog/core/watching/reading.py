"""Bytes to a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from digestlog.core.html_tree import read_tree, text_runs
from digestlog.core.watching.line import Line

if TYPE_CHECKING:
    from digestlog.core.snapshot import Snapshot


def read(body: bytes, url: str, charset: str | None) -> Snapshot:
    """The snapshot of a page."""
    from digestlog.core.snapshot import Snapshot

    root = read_tree(body, charset)
    return Snapshot(lines=tuple(Line(run, run, "", "") for run in text_runs(root)))
