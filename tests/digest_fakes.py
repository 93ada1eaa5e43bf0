"""A desk to make digests at: articles that anyone can tell apart, and providers that do as they are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from scan_fakes import Desk, item, rss
from scrape_pages import story

from digestlog.core.digest import Category, Classifier, Hit, Item, Label, Piece, Search, Summariser
from digestlog.core.settings import Settings
from digestlog.errors import ClassifierError
from digestlog.jobs.digest import Made, Options, User, make
from digestlog.jobs.providing import Providers
from digestlog.store import sources, users

FEED = "https://a.example/feed"
TOWN, SPORT = Category("Town", None, ("harbour", "mayor", "bridge", "tram")), Category("Sport")
_SYLLABLES = "ba ce di fo gu ha ki lo me nu pa ri so te vu wa xi yo za ple stro gri clo dra".split()


def sentences(name: str, word: str, count: int = 4) -> list[str]:
    """An article's text: the same for the same name, like no other one's, with `word` in it."""
    random = Random(name)

    def one() -> str:
        words = ["".join(random.choices(_SYLLABLES, k=3)) for _ in range(12)]
        return f"{' '.join(words).capitalize()} {word}."

    return [one() for _ in range(count)]


class ByWord:
    """Takes the first category whose name is in the text; what comes first fits best."""

    name = "by word"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    async def classify(
        self, categories: tuple[Category, ...], pieces: tuple[Piece, ...], corpus: tuple[Piece, ...]
    ) -> list[Label]:
        self.asked.append([piece.url for piece in pieces])
        return [self._label(categories, piece, 0.9 - at / 1000) for at, piece in enumerate(pieces)]

    def _label(self, categories: tuple[Category, ...], piece: Piece, score: float) -> Label:
        names = [one.name for one in categories if one.name.lower() in piece.text]
        return Label(piece.url, names[0] if names else None, score, (("harbour", 1.0),))


class Lead:
    """The first words."""

    name = "lead"

    async def summarize(self, piece: Piece, *, max_chars: int) -> str:
        return piece.text[: min(max_chars, 20)]


class Broken:
    """Fails at everything, each time in other words."""

    name = "model"

    def __init__(self) -> None:
        self.calls = 0

    def _fail(self) -> ClassifierError:
        self.calls += 1
        return ClassifierError(f"failure {self.calls}")

    async def classify(self, *_: object) -> list[Label]:
        raise self._fail()

    async def summarize(self, *_: object, **__: object) -> str:
        raise self._fail()

    async def search(self, *_: object, **__: object) -> list[Hit]:
        raise self._fail()


class Web:
    """A web search that finds the same for every question."""

    name = "web"

    def __init__(self, *urls: str) -> None:
        self.urls = urls
        self.queries: list[str] = []

    async def search(self, query: str, *, limit: int) -> list[Hit]:
        self.queries.append(query)
        return [Hit(url, f"Hit {at}") for at, url in enumerate(self.urls)][:limit]


@dataclass
class Kiosk(Desk):
    """A desk with categories, settings and providers."""

    settings: Settings = field(default_factory=lambda: Settings(max_items_per_category=2))
    categories: tuple[Category, ...] = (TOWN, SPORT)
    classifier: Classifier = field(default_factory=ByWord)
    summariser: Summariser = field(default_factory=Lead)
    search: Search | None = None
    search_s: float = 60.0
    said: list[str] = field(default_factory=list)

    def article(self, name: str, word: str = "town", site: str = "https://a.example") -> str:
        """The address of a new article."""
        url = f"{site}/{name}"
        self.web.answers[url] = story(*sentences(name, word), head="")
        return url

    def articles(self, count: int, word: str = "town", site: str = "https://a.example") -> list[str]:
        """The addresses of so many new articles."""
        return [self.article(f"{word}-{at}", word, site) for at in range(count)]

    def shows(self, *urls: str, feed: str = FEED, **source: Any) -> str:
        """The id of a new source that shows these articles, the newest first."""
        return self.follow(feed, self.front_page(*urls), **source)

    def front_page(self, *urls: str) -> Any:
        """A feed with these articles, the newest first."""
        return rss(*(item(url, f"About {url}", self.ago(hours=at)) for at, url in enumerate(urls)))

    def digest(self, name: str | None = None, **options: Any) -> Made:
        """One digest, of the owner unless the test wants otherwise."""
        with self.open() as db:
            user_id = users.current(db, name)
            whose = sources.of_user(db, user_id)
            user = User(user_id, name or "owner", self.settings, self.categories, tuple(whose))
            providers = Providers(
                self.classifier, self.summariser, ByWord(), Lead(), self.search, self.search_s
            )
            self.said = []
            return make(db, self.web, user, providers, Options(**options), self.said.append)

    def read(self) -> list[str]:
        """The articles that the last digest asked for, in the order of their addresses."""
        return sorted(one.url for one in self.web.asked if not one.url.endswith("/feed"))

    def remembered(self) -> list[str]:
        """The addresses in the history."""
        return sorted(row["url"] for row in self.rows("article_history"))


def shown(made: Made) -> list[str]:
    """The addresses of a digest's items."""
    return [one.url for one in made.digest.items]


def reasons(made: Made) -> Mapping[str, str]:
    """What became of each candidate."""
    found = {one.url: one.outcome for one in made.candidates}
    assert len(found) == len(made.candidates), "a candidate with two outcomes"
    return found


def links(one: Item) -> list[str]:
    """The addresses where the same story stands too."""
    return [link.url for link in one.other_links]
