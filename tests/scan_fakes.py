"""A web that a scan can visit without a network, and a desk to scan from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin

from digestlog.core.model import RSS, Fetched, Hop, NewSource, Resolved, Source
from digestlog.errors import FetchError, RedirectRefused
from digestlog.jobs.scan import Options, Scan, chosen, scan
from digestlog.store import sources
from digestlog.store.db import Database, open_database
from digestlog.store.scans import SourceResult

XML = "application/rss+xml"
HTML = "text/html; charset=utf-8"
LEDGER = ("extracted_article_urls", "article_source_mentions", "url_resolutions")


@dataclass(frozen=True)
class Page:
    """What one address answers; with a location, a redirect that is followed."""

    body: bytes = b""
    content_type: str | None = XML
    status: int = 200
    location: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    retry_after_s: int | None = None
    max_age_s: int | None = None


@dataclass(frozen=True)
class Asked:
    """One question: how, for what, and with what."""

    method: str
    url: str
    etag: str | None = None
    last_modified: str | None = None
    obey_robots: bool = False
    allow_private: bool = False


def page(head: str = "", body: str = "") -> Page:
    """A web page."""
    text = f"<!doctype html><html><head><title>A page</title>{head}</head><body>{body}</body></html>"
    return Page(text.encode(), HTML)


def to(location: str, status: int = 301) -> Page:
    """A redirect."""
    return Page(status=status, location=location)


def item(link: str, title: str | None = None, date: str | datetime | None = None) -> str:
    """One entry of an RSS feed."""
    raw = date.strftime("%a, %d %b %Y %H:%M:%S GMT") if isinstance(date, datetime) else date
    parts = [("title", title), ("link", link), ("pubDate", raw)]
    return "<item>" + "".join(f"<{name}>{escape(text)}</{name}>" for name, text in parts if text) + "</item>"


def rss(*items: str, head: str = "", **answer: Any) -> Page:
    """An RSS feed."""
    channel = f"<channel><title>A feed</title>{head}{''.join(items)}</channel>"
    return Page(f"<rss version='2.0'>{channel}</rss>".encode(), **answer)


def no_answer(url: str, retry_after_s: int | None = None) -> FetchError:
    """A time-out."""
    return FetchError(f"{url} did not answer", url=url, temporary=True, retry_after_s=retry_after_s)


class ScanFetcher:
    """Answers by address. An article that nobody wrote down is there; any other address is a 404.

    An exception among the answers is raised. `asked` has every question of a run in order; an address in
    `closed` refuses whoever obeys robots.txt.
    """

    def __init__(self, answers: Mapping[str, Page | Exception] | None = None) -> None:
        self.answers: dict[str, Page | Exception] = dict(answers or {})
        self.closed: set[str] = set()
        self.asked: list[Asked] = []
        self.is_open = False

    def __call__(self) -> ScanFetcher:
        self.asked.clear()
        return self

    async def __aenter__(self) -> ScanFetcher:
        self.is_open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_open = False

    @property
    def requests(self) -> int:
        """How many questions there were."""
        return len(self.asked)

    def times(self, url: str) -> int:
        """How often an address was asked for, in any way."""
        return Counter(asked.url for asked in self.asked)[url]

    async def get(
        self,
        url: str,
        *,
        allow_private: bool = False,
        etag: str | None = None,
        last_modified: str | None = None,
        obey_robots: bool = False,
        stop_at: Callable[[str], bool] | None = None,
    ) -> Fetched:
        """The answer at the end of the redirects; 304 to whoever has the page's validators."""
        self.asked.append(Asked("GET", url, etag, last_modified, obey_robots, allow_private))
        if obey_robots and url in self.closed:
            raise FetchError(f"{url} is closed to programs by the site's robots.txt", url=url)
        hops, found = self._end(url, Page(b"not here", HTML, 404), stop_at)
        same = (etag is not None and etag == found.etag) or (
            last_modified is not None and last_modified == found.last_modified
        )
        return Fetched(
            requested_url=url,
            url=hops[-1].url if hops else url,
            status=304 if same else found.status,
            content_type=found.content_type,
            charset=None,
            body=b"" if same else found.body,
            hops=hops,
            etag=found.etag,
            last_modified=found.last_modified,
            retry_after_s=found.retry_after_s,
            max_age_s=found.max_age_s,
        )

    async def resolve(self, url: str, *, allow_private: bool = False) -> Resolved:
        """Where the address leads."""
        self.asked.append(Asked("HEAD", url, allow_private=allow_private))
        hops, found = self._end(url, Page(b"", HTML))
        return Resolved(url, hops[-1].url if hops else url, found.status, hops, found.retry_after_s)

    async def robots_txt(self, url: str, *, allow_private: bool = False) -> str:
        """The text of the site's robots.txt; no question of its own, for the rules were read already."""
        found = self.answers.get(urljoin(url, "/robots.txt"))
        return found.body.decode() if isinstance(found, Page) and found.status == 200 else ""

    def _end(
        self, url: str, default: Page, stop_at: Callable[[str], bool] | None = None
    ) -> tuple[tuple[Hop, ...], Page]:
        assert self.is_open, "the fetcher is used outside its context"
        hops: list[Hop] = []
        while True:
            found = self.answers.get(hops[-1].url if hops else url, default)
            if isinstance(found, Exception):
                raise found
            if found.location is None:
                return tuple(hops), found
            hops.append(Hop(found.status, urljoin(hops[-1].url if hops else url, found.location)))
            if stop_at is not None and stop_at(hops[-1].url):
                raise RedirectRefused(f"{url} leads to {hops[-1].url}", url=url, reached=hops[-1].url)
            # A page that sends its readers once around and back to itself.
            if hops[-1].url == url:
                return tuple(hops), default


@dataclass
class Desk:
    """One file and its web, at a time that the test moves."""

    path: Path
    now: datetime
    web: ScanFetcher = field(default_factory=ScanFetcher)
    reported: list[SourceResult] = field(default_factory=list)

    def open(self) -> Database:
        """The file as a command has it now."""
        return open_database(self.path, now=self.now, frozen=True)

    def later(self, **span: float) -> Desk:
        """Let time pass."""
        self.now += timedelta(**span)
        return self

    def ago(self, **span: float) -> datetime:
        """A time before now."""
        return self.now - timedelta(**span)

    def follow(
        self, url: str, answer: Page | Exception | None = None, method: str = RSS, **columns: Any
    ) -> str:
        """The id of a new source, and what its address answers."""
        if answer is not None:
            self.web.answers[url] = answer
        wish = {name: columns.pop(name) for name in ("site_url", "allow_private") if name in columns}
        with self.open() as db:
            added = sources.insert(db, NewSource(url, f"Source {url}", method, **wish))
            if columns:
                sources.update(db, added.source.source_uuid, columns)
        return added.source.source_uuid

    def scan(self, **options: Any) -> Scan:
        """One scan, of everything unless the test wants otherwise."""
        wanted = Options(**{"everything": True, **options})
        self.reported = []
        with self.open() as db:
            return scan(db, self.web, wanted, chosen(db, wanted), self.reported.append)

    def one(self, **options: Any) -> SourceResult:
        """The result of the only source."""
        (result,) = self.scan(**options).results
        return result

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        with self.open() as db:
            return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY 1, 2")]

    def row(self, table: str) -> dict[str, Any]:
        """The only row of a table."""
        (found,) = self.rows(table)
        return found

    def ledger(self) -> dict[str, list[dict[str, Any]]]:
        """Everything that a second scan of the same content must leave as it is."""
        return {table: self.rows(table) for table in LEDGER}

    def finals(self) -> list[str]:
        """The final addresses in the ledger."""
        return sorted(row["article_url_final"] for row in self.rows("extracted_article_urls"))

    def source(self, source_uuid: str) -> Source:
        """A source as it is now."""
        with self.open() as db:
            found = sources.get(db, source_uuid)
        assert found is not None
        return found

    def state(self) -> dict[str, Any]:
        """What the only source's next visit knows."""
        return self.row("source_fetch_state")
