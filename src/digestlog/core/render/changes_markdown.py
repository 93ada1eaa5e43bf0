"""Changes as a Markdown report: under their brands, each page with its changes and the words of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from digestlog.core.change_rows import ChangeRow, by_brand
from digestlog.core.render.changes_diff import shown_diff
from digestlog.core.render.changes_labels import ChangeLabels
from digestlog.core.render.labels import labels as digest_labels
from digestlog.core.render.markdown import anchor, escape
from digestlog.core.render.plain import joined, line

_MARKS = {"-": "~~", "+": "**"}


def changes_to_markdown(
    changes: Sequence[ChangeRow],
    labels: ChangeLabels,
    *,
    user: str,
    now_iso: str,
    since: str | None = None,
) -> str:
    """The report; nothing that a page says can become markup in it."""
    times = digest_labels(labels.language)
    span = f"{labels.since} {times.moment(since)}" if since else ""
    counted = labels.count(len(changes), labels.changes)
    facts = joined((f"{times.made_for} {line(user)}", times.moment(now_iso), counted, span))
    return "\n".join([f"# {labels.title}", "", escape(facts), *_brands(changes, labels)]) + "\n"


def _brands(changes: Sequence[ChangeRow], labels: ChangeLabels) -> Iterator[str]:
    if not changes:
        yield from ("", escape(labels.nothing))
    for brand, of in by_brand(changes):
        yield from ("", f"## {escape(line(brand) or labels.no_brand)}")
        for page in _pages(of):
            yield from ("", f"### {anchor(line(page[0].url), page[0].url)}")
            for change in page:
                yield from _change(change, labels)


def _pages(changes: Sequence[ChangeRow]) -> list[list[ChangeRow]]:
    """The changes of each page, in the order in which the pages come up."""
    found: dict[str, list[ChangeRow]] = {}
    for change in changes:
        found.setdefault(change.url_id, []).append(change)
    return list(found.values())


def _change(change: ChangeRow, labels: ChangeLabels) -> Iterator[str]:
    times = digest_labels(labels.language)
    yield ""
    what = escape(labels.what(change.kind, change.state))
    yield f"- **{escape(times.moment(change.detected_at))}** {what}"
    yield ""
    yield f"  {escape(line(change.summary))}"
    words = " ".join(_part(op, text) for op, text in shown_diff(change))
    if words:
        yield from ("", f"  > {words}")


def _part(op: str, text: str) -> str:
    """The words struck out, bold or plain; each part has a space beside it, so the marks always count."""
    mark = _MARKS.get(op, "")
    return f"{mark}{escape(text)}{mark}"
