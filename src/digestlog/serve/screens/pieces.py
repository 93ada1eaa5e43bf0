"""Long lists in pieces: where the next one begins stands in the address, as the key of the last row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from digestlog.core.render.changes_labels import change_labels
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page
from digestlog.store.watched import PIECE, Key

_AT = re.compile(r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\+00:00)?")
_ID = re.compile(r"[0-9a-f-]{36}")


class Keyed(Protocol):
    """A row that knows its place."""

    @property
    def key(self) -> Key:
        """The place."""


Row = TypeVar("Row", bound=Keyed)


def after(page: Page) -> Key | None:
    """The key that the address names; None: from the beginning."""
    at, then = page.request.query.get("at"), page.request.query.get("id")
    if at is None or then is None or not _AT.fullmatch(at) or not _ID.fullmatch(then):
        return None
    return at, then


def cut(found: Sequence[Row], size: int = PIECE) -> tuple[Sequence[Row], dict[str, str] | None]:
    """The rows of one piece, of which one more was asked for, and the fields that lead to the next."""
    if len(found) <= size:
        return found, None
    at, then = found[size - 1].key
    return found[:size], {"at": at, "id": then}


def library_page(page: Page, template: str, /, **values: Any) -> Response:
    """A screen of the library, with the names of kinds of changes in the visitor's language."""
    kinds = change_labels(page.words.language)
    return page.render(template, kinds=kinds, asked_after=after(page) is not None, **values)


def not_there() -> Refused:
    """For what is not there, and the same for what is not this visitor's."""
    return Refused(404, "There is no such page.")
