"""A file with watched pages, and a web where they can be looked at without a network."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scan_fakes import HTML, Desk, Page
from store.rows import put, uuid

from digestlog.core.canonical import url_id
from digestlog.jobs.check import Checked, CheckResult, Helpers, Options, check
from digestlog.store import users
from digestlog.store.db import Database

LAMP = "https://shop.example/lamp"
SAILS = (
    "Burns lamp oil for eighteen hours and stays lit in a force nine wind.",
    "Made on Cable Street by the same four hands since the year of the great tide.",
    "Every lantern is tried for one night on the outer mole before it is sent.",
)


def shop(price: str = "49.00", stock: str = "In stock: 12 pieces", noise: str = "", **answer: Any) -> Page:
    """A page that sells a lamp."""
    paragraphs = "".join(f"<p>{line}</p>" for line in SAILS)
    body = (
        "<!doctype html><html lang=en><head><title>Storm lantern</title>"
        f'<meta name="csrf" content="{noise}"></head><body><main><h1>Storm lantern, brass</h1>{paragraphs}'
        f'<p class="price"><span itemprop="price" content="{price}">{price}</span> EUR</p>'
        f'<p class="stock">{stock}</p></main></body></html>'
    )
    return Page(body.encode(), HTML, **answer)


def story(text: str, title: str = "A page") -> Page:
    """A page with three paragraphs and one more."""
    lines = "".join(f"<p>{line}</p>" for line in (*SAILS, text))
    body = f"<body><main><h1>{title}</h1>{lines}</main></body>"
    return Page(f"<!doctype html><html><head><title>{title}</title></head>{body}</html>".encode(), HTML)


def watch(db: Database, url: str, *, user_id: str | None = None, is_active: int = 1, **columns: Any) -> str:
    """The id of a page that a user watches, by default the owner."""
    made = url_id(url)
    with db.transaction() as connection:
        if connection.execute("SELECT 1 FROM urls WHERE id = ?", [made]).fetchone() is None:
            fresh = {"brand_id": None, "next_check_at": None, "last_checked_at": None}
            limits = {"min_interval_s": None, "max_interval_s": None, "check_frequency": "daily"}
            put(
                connection,
                "urls",
                **{**fresh, **limits, "id": made, "canonical_url": url, "url": url, **columns},
            )
        (count,) = connection.execute("SELECT count(*) FROM user_url_library").fetchone()
        put(
            connection,
            "user_url_library",
            id=uuid(10_000 + count),
            user_id=user_id or users.current(db, None),
            url_id=made,
            is_active=is_active,
        )
    return made


@dataclass
class WatchDesk(Desk):
    """A desk with watched pages."""

    seen: list[CheckResult] = field(default_factory=list)

    def watch(self, url: str, answer: Page | Exception | None = None, **columns: Any) -> str:
        """The id of a page that the owner watches, and what its address answers."""
        if answer is not None:
            self.web.answers[url] = answer
        with self.open() as db:
            return watch(db, url, **columns)

    def check(self, helpers: Helpers | None = None, **options: Any) -> Checked:
        """One run over what is due."""
        self.seen = []
        with self.open() as db:
            return check(db, self.web, Options(**options), self.seen.append, helpers=helpers)

    def only(self, helpers: Helpers | None = None, **options: Any) -> CheckResult:
        """What came of the only page of a run."""
        (result,) = self.check(helpers, **options).results
        return result

    def state_row(self) -> dict[str, Any]:
        """What is known of the only page."""
        return self.row("url_check_state")

    def events(self) -> list[tuple[str, str, str]]:
        """All changes: page, kind, state."""
        return sorted((row["url_id"], row["kind"], row["state"]) for row in self.rows("url_change_events"))
