"""A served file with the small ledger of store/shelf.py, for the tests of screens."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from serve.house import Browser, House
from store.shelf import owner, people_and_sources

from digestlog.store.access import Visitor
from digestlog.store.db import Database, open_database

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)
HOSTILE = '<script>alert("x")</script>'

Fill = Callable[[Database], None]


class Screens:
    """The house, who lives there, and the file."""

    def __init__(self, path: Path) -> None:
        with open_database(path, now=NOW, frozen=True) as db:
            people_and_sources(db.connection)
            self.owner: Visitor = owner(db.connection)
        # Sessions are of the clock's time, so it must be the same for all.
        self.house = House(path, now=NOW)

    def write(self, fill: Fill) -> None:
        """Change the file."""
        with open_database(self.house.path, now=NOW, frozen=True) as db:
            fill(db)

    def browser(self, visitor: Visitor) -> Browser:
        """Somebody who is signed in."""
        from digestlog.store import access

        browser = self.house.browser()
        with open_database(self.house.path, now=NOW, frozen=True) as db:
            link = access.give_link(db, visitor.id)
        browser.come_in(link)
        return browser

    def text(self, visitor: Visitor, path: str, status: int = 200) -> str:
        """A page as somebody sees it."""
        answer = self.browser(visitor).page(path)
        assert answer.status_code == status, answer.text
        return answer.text


def words(page: str) -> str:
    """What a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
