"""Stand-ins for what a test must not reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urljoin

from digestlog.core.model import Fetched, Hop

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """What one address answers; with a location, a redirect that is followed."""

    body: bytes = b""
    content_type: str | None = HTML
    status: int = 200
    location: str | None = None
    charset: str | None = None


_MISSING = Answer(b"not here", status=404)


class FakeFetcher:
    """Answers by host and path, or by whole address where the scheme matters; anything else is a 404.

    An exception among the answers is raised. `requests` counts what was asked for, redirects
    included; `private` holds the addresses that were asked for with `allow_private`.
    """

    def __init__(self, answers: Mapping[str, Answer | bytes | Exception]) -> None:
        self.answers = answers
        self.requests: Counter[str] = Counter()
        self.private: set[str] = set()
        self.is_open = False

    def __call__(self) -> FakeFetcher:
        return self

    async def __aenter__(self) -> FakeFetcher:
        self.is_open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_open = False

    async def get(self, url: str, *, allow_private: bool = False) -> Fetched:
        """The answer at the end of the redirects."""
        assert self.is_open, "the fetcher is used outside its context"
        if allow_private:
            self.private.add(url)
        hops: list[Hop] = []
        answer = self._answer(url)
        while answer.location is not None:
            hops.append(Hop(answer.status, urljoin(hops[-1].url if hops else url, answer.location)))
            answer = self._answer(hops[-1].url)
        return Fetched(
            requested_url=url,
            url=hops[-1].url if hops else url,
            status=answer.status,
            content_type=answer.content_type,
            charset=answer.charset,
            body=answer.body,
            hops=tuple(hops),
        )

    def _answer(self, url: str) -> Answer:
        self.requests[url] += 1
        found = self.answers.get(url) or self.answers.get(url.partition("://")[2]) or _MISSING
        if isinstance(found, Exception):
            raise found
        return Answer(found) if isinstance(found, bytes) else found
