"""Changes as one short message in plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from digestlog.core.change_rows import ChangeRow, by_brand
from digestlog.core.render.changes_labels import ChangeLabels
from digestlog.core.render.plain import line, link

_MOST = 50
_SUMMARY = 300


def message_title(changes: Sequence[ChangeRow], labels: ChangeLabels) -> str:
    """`digestlog: 3 changes on 2 pages`."""
    pages = labels.count(len({change.url_id for change in changes}), labels.pages)
    return f"digestlog: {labels.count(len(changes), labels.changes)} {labels.on} {pages}"


def message_body(changes: Sequence[ChangeRow], labels: ChangeLabels) -> str:
    """The newest of the changes under their brands, each with its page's address; how many more there are."""
    lines = list(_lines(changes[:_MOST], labels))
    if len(changes) > _MOST:
        lines.append(labels.more.format(len(changes) - _MOST))
    return "\n".join(lines)


def _lines(changes: Sequence[ChangeRow], labels: ChangeLabels) -> Iterator[str]:
    for brand, of in by_brand(changes):
        yield line(brand) or labels.no_brand
        for change in of:
            yield f"- {_cut(line(change.summary))}"
            yield f"  {link(change.url) or line(change.url)}"


def _cut(text: str) -> str:
    return text if len(text) <= _SUMMARY else text[: _SUMMARY - 1] + "…"
