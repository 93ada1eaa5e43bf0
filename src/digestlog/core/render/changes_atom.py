"""Changes as an Atom feed: of all pages of a user, of one page, or of one brand."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

from digestlog.core.change_rows import ChangeRow
from digestlog.core.render.atom_feed import Entry, Feed, safe, to_xml
from digestlog.core.render.changes_diff import shown_diff
from digestlog.core.render.changes_labels import ChangeLabels
from digestlog.core.render.plain import line, link

_TAGS = {"-": "del", "+": "ins"}


def feed_id(user_id: str, of: str | None = None) -> str:
    """The id of a user's feed; `of`: of the page or brand with this id."""
    return str(uuid.uuid5(uuid.UUID(user_id), f"digestlog:changes:{of or 'all'}"))


def changes_to_atom(
    changes: Sequence[ChangeRow],
    labels: ChangeLabels,
    *,
    user_id: str,
    user: str,
    now_iso: str,
    of: str | None = None,
    named: str | None = None,
) -> str:
    """The feed; `of` and `named`: the id and the name of the one page or brand that it is of."""
    return to_xml(
        Feed(
            id=feed_id(user_id, of),
            title=f"{labels.title}: {named}" if named else labels.title,
            # The newest entry says when the feed changed, so that the same changes make the same bytes.
            updated=max((change.updated_at for change in changes), default=now_iso),
            author=user,
            language=labels.language,
            entries=tuple(_entry(change, labels) for change in changes),
        )
    )


def _entry(change: ChangeRow, labels: ChangeLabels) -> Entry:
    address = link(change.url)
    categories = (change.kind, change.state, *([change.brand] if line(change.brand) else []))
    return Entry(
        id=change.id,
        title=f"{line(change.brand or change.url)}: {change.summary}",
        links=(("alternate", address, None),) if address else (),
        updated=change.updated_at,
        published=change.detected_at,
        author=change.brand,
        categories=tuple(str(one) for one in categories),
        summary=change.summary,
        html="".join(_content(change, labels)),
    )


def _content(change: ChangeRow, labels: ChangeLabels) -> Iterator[str]:
    yield f"<p>{safe(change.summary)}</p>"
    yield f"<p><em>{safe(labels.what(change.kind, change.state))}</em></p>"
    parts = [_part(op, text) for op, text in shown_diff(change)]
    if parts:
        yield f"<p>{' '.join(parts)}</p>"
    yield f"<p>{safe(change.url)}</p>"


def _part(op: str, text: str) -> str:
    tag = _TAGS.get(op)
    return f"<{tag}>{safe(text)}</{tag}>" if tag else safe(text)
