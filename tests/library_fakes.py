"""A library without a network: one file, its users, a web that the test writes, rules that it chooses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from scan_fakes import Page, ScanFetcher, page
from store.rows import put, uuid

from digestlog.core.canonical import canonicalize, url_id
from digestlog.core.library import Wish
from digestlog.core.policy import ALLOW, Decision
from digestlog.core.policy import address as parts
from digestlog.jobs.submit import Submitted, submit
from digestlog.store import plans, submissions, users
from digestlog.store.db import Database, open_database

PRICES = "https://shop.example/prices"
WORDS = "".join(
    f"<p>Paragraph {n}: the lamp with the green shade stands on the oak table in the reading room.</p>"
    for n in range(8)
)


def readable(words: str = WORDS) -> Page:
    """A page that a program can read."""
    return page(body=f"<h1>Prices</h1><main>{words}</main>")


class Rules:
    """Says what the test wants of a host, and yes to all others; remembers what it was asked."""

    def __init__(self, verdicts: Mapping[str, tuple[str, str]] | None = None) -> None:
        self.verdicts = dict(verdicts or {})
        self.asked: list[str] = []

    def __call__(self, url: str) -> Decision:
        self.asked.append(url)
        host = parts(url).host
        if host in self.verdicts:
            decision, reason_code = self.verdicts[host]
            return Decision(decision, reason_code, host, host, f"a test says {decision}")
        return Decision(ALLOW, None, host, None, "no rule speaks against it")


@dataclass
class Shelf:
    """One file with users, at a time that the test moves."""

    path: Path
    now: datetime
    web: ScanFetcher = field(default_factory=ScanFetcher)
    rules: Rules = field(default_factory=Rules)
    reported: list[Submitted] = field(default_factory=list)

    @contextmanager
    def open(self) -> Iterator[Database]:
        """The file as a command has it now."""
        with open_database(self.path, now=self.now, frozen=True) as db:
            yield db

    def later(self, **span: float) -> Shelf:
        """Let time pass."""
        self.now += timedelta(**span)
        return self

    def user(self, name: str = "anna", **columns: Any) -> str:
        """The id of a new user."""
        with self.open() as db:
            return users.add(db, name, **columns).id

    @property
    def owner(self) -> str:
        """The id of the owner."""
        with self.open() as db:
            return users.current(db, None)

    def plan(self, user_id: str, plan: str) -> None:
        """Put a user on a plan."""
        with self.open() as db:
            plans.assign(db, user_id, plan)

    def cap(self, pages: int | None, plan: str = "free") -> None:
        """Set how many pages a plan allows."""
        with self.open() as db:
            plans.change(db, plan, {"max_tracked_urls": pages})

    def add(self, user_id: str, *urls: str, **wish: Any) -> list[Submitted]:
        """Submit addresses; an address that the test has no page for is readable."""
        for url in urls:
            self.web.answers.setdefault(url, readable())
        self.reported = []
        with self.open() as db:
            return submit(db, self.web, self.rules, user_id, urls, Wish(**wish), self.reported.append)

    def one(self, user_id: str, url: str = PRICES, **wish: Any) -> Submitted:
        """What became of one address."""
        (result,) = self.add(user_id, url, **wish)
        return result

    def left_pending(self, user_id: str, *urls: str, **wish: Any) -> None:
        """What a run leaves that was killed after the first step."""
        with self.open() as db:
            submissions.record(db, user_id, urls, Wish(**wish))

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table, as they were inserted."""
        with self.open() as db:
            return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY rowid")]

    def row(self, table: str) -> dict[str, Any]:
        """The only row of a table."""
        (found,) = self.rows(table)
        return found


def changed(db: Database, url: str, at: str, number: int, state: str = "real") -> None:
    """A look at a page, with the event, the summary and the rendering that came of it."""
    page_id = url_id(canonicalize(url, "library")[0])
    look, event = uuid(1000 + number), uuid(2000 + number)
    with db.transaction() as connection:
        put(
            connection,
            "url_observations",
            id=look, url_id=page_id, checked_at=at, checked_day=at[:10], origin="check", created_at=at,
        )  # fmt: skip
        put(
            connection,
            "url_change_events",
            id=event, url_id=page_id, observation_id=look, detected_at=at, state=state, created_at=at,
        )  # fmt: skip
        put(
            connection,
            "url_change_summaries",
            id=uuid(3000 + number), event_id=event, summary=f"Change {number}", created_at=at,
        )  # fmt: skip
        put(
            connection,
            "url_render_artifacts",
            id=uuid(4000 + number), url_id=page_id, observation_id=look, created_at=at,
        )  # fmt: skip
