"""One article of the demo web, dated relative to the moment at which the web is built."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Literal

Dated = Literal["time", "date", "none"]


@dataclass(frozen=True)
class Story:
    """An article as its author filed it; `dated` says how exactly its site's feed or listing dates it."""

    host: str
    path: str
    title: str
    author: str
    section: str
    hours: float
    text: str
    dated: Dated = "time"
    lang: str = "en"

    @property
    def url(self) -> str:
        """The article's own address, undecorated."""
        return f"http://{self.host}{self.path}"

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The text's paragraphs, each on one line."""
        return tuple(" ".join(block.split()) for block in self.text.strip().split("\n\n"))

    def published_at(self, now: datetime) -> datetime:
        """When the article appeared; a date without a time is midnight of the day of `now`."""
        if self.dated == "date":
            return datetime.combine(now.date(), time(), now.tzinfo)
        return now.replace(microsecond=0) - timedelta(hours=self.hours)

    def stamp(self, now: datetime) -> str:
        """The time of publication in ISO 8601, as exact as it is known."""
        at = self.published_at(now)
        return at.date().isoformat() if self.dated == "date" else at.isoformat()
