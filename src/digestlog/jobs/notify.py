"""Telling a user what has really changed: once, and not before somebody has taken the message.

store/changes.untold -> core/render/changes_message -> web/notify.send -> store/changes.mark_told
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from digestlog.core.change_rows import ChangeRow
from digestlog.core.render.changes_labels import change_labels
from digestlog.core.render.changes_message import message_body, message_title
from digestlog.store import changes as store
from digestlog.store import settings
from digestlog.store.db import Database

# Takes a title and a body, or raises a DigestlogError.
Send = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Notification:
    """One message with all that the user was not told of yet."""

    title: str
    body: str
    changes: tuple[ChangeRow, ...]


def waiting(db: Database, user_id: str) -> Notification | None:
    """The message that is to be sent, if there is anything to tell."""
    changes = store.untold(db, user_id)
    if not changes:
        return None
    labels = change_labels(settings.get(db, user_id).language)
    return Notification(message_title(changes, labels), message_body(changes, labels), tuple(changes))


def notify(db: Database, user_id: str, send: Send) -> Notification | None:
    """Send what is waiting; the changes count as told once it was taken, all in one transaction.

    A failure of `send` leaves them for the next time. The file is not locked while the message is under
    way: two notifications at the same moment may tell the same twice, but nothing is ever left out.
    """
    message = waiting(db, user_id)
    if message is not None:
        send(message.title, message.body)
        store.mark_told(db, user_id, [change.id for change in message.changes])
    return message
