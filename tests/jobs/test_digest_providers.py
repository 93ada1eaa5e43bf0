"""Models and searches that do part of their work, none of it, or take for ever."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from digest_fakes import FEED, SPORT, TOWN, Broken, ByWord, Kiosk, Web, reasons, sentences, shown
from scan_fakes import item, rss
from scrape_pages import story

from digestlog.core.digest import Category, Hit, Incomplete, Label, Piece
from digestlog.core.settings import Settings
from digestlog.errors import ClassifierError
from digestlog.jobs import digest as job
from digestlog.jobs.parsing import Parser

B = "https://b.example"


@pytest.fixture
def kiosk(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Kiosk:
    """An empty file; pages are read at once, not in other processes."""
    monkeypatch.setattr(job, "ArticleParser", Parser)
    return Kiosk(db_path, now)


class Partly(ByWord):
    """Does the first of them, then gives up."""

    name = "model"

    def __init__(self, good: int = 1) -> None:
        super().__init__()
        self.good = good

    async def classify(
        self, categories: tuple[Category, ...], pieces: tuple[Piece, ...], corpus: tuple[Piece, ...]
    ) -> list[Label]:
        labels = await super().classify(categories, pieces[: self.good], corpus)
        labels = [replace(label, words=(("model's", 1.0),)) for label in labels]
        raise Incomplete("the model mixed up the articles", labels=tuple(labels))

    async def summarize(self, piece: Piece, *, max_chars: int) -> str:
        self.good -= 1
        if self.good < 0:
            raise ClassifierError("the model gave an empty summary")
        return "A model's summary."


# --- part of the work -----------------------------------------------------------------------------


def test_what_a_model_did_is_kept_and_the_rest_is_done_by_what_is_built_in(kiosk: Kiosk) -> None:
    kiosk.classifier, kiosk.settings = Partly(1), Settings(max_items_per_category=3)
    first, *others = kiosk.articles(3)
    kiosk.shows(first, *others)
    made = kiosk.digest()
    why = {one.url: one.why for one in made.digest.items}
    assert why == {first: "its words: model's", **dict.fromkeys(others, "its words: harbour")}
    assert made.digest.providers["classifier"] == "model (1), by word (2)"
    assert made.digest.notes == ("model could not classify 2 of 3 articles: the model mixed up the articles",)


def test_counts_go_over_both_phases(kiosk: Kiosk) -> None:
    kiosk.classifier, kiosk.categories = Partly(1), (TOWN, SPORT)
    kiosk.shows(*kiosk.articles(2))
    kiosk.search = Web(*kiosk.articles(2, "sport", B))
    made = kiosk.digest()
    assert made.digest.providers["classifier"] == "model (2), by word (2)"
    assert made.digest.notes[0].startswith("model could not classify 2 of 4 articles: ")


def test_summaries_of_two_hands(kiosk: Kiosk) -> None:
    kiosk.summariser = Partly(1)
    kiosk.shows(*kiosk.articles(2))
    made = kiosk.digest()
    assert made.digest.items[0].summary == "A model's summary."
    assert made.digest.providers["summaries"] == "model (1), lead (1)"
    assert made.digest.notes == (
        "model could not summarise 1 of 2 articles: the model gave an empty summary",
    )


def test_a_model_that_did_it_all_is_named_alone(kiosk: Kiosk) -> None:
    kiosk.summariser = Partly(9)
    kiosk.shows(*kiosk.articles(2))
    assert kiosk.digest().digest.providers == {"classifier": "by word", "summaries": "model"}


# --- searches -------------------------------------------------------------------------------------


class Hanging(Web):
    """Answers so many questions, then never again."""

    def __init__(self, answers: int, *urls: str) -> None:
        super().__init__(*urls)
        self.answers = answers

    async def search(self, query: str, *, limit: int) -> list[Hit]:
        found = await super().search(query, limit=limit)
        if len(self.queries) > self.answers:
            await asyncio.Event().wait()
        return found


def test_a_search_that_hangs_is_waited_for_once(kiosk: Kiosk) -> None:
    kiosk.categories = (TOWN, SPORT, Category("Stage"), Category("Science"))
    kiosk.search, kiosk.search_s = Hanging(1, kiosk.article("found", "sport", B)), 0.01
    made = kiosk.digest()
    assert kiosk.search.queries == ["Town harbour mayor bridge", "Sport"]
    assert shown(made) == [f"{B}/found"], "what was found before counts"
    assert made.digest.notes == (
        "web search failed: took longer than 0.01 s; not asked about: Stage, Science",
    )
    assert made.digest.providers["search"] == "web"


def test_a_search_that_fails_is_asked_once(kiosk: Kiosk) -> None:
    kiosk.search = Broken()
    made = kiosk.digest()
    assert (kiosk.search.calls, "search" in made.digest.providers) == (1, False)
    assert made.digest.notes == ("web search failed: failure 1; not asked about: Sport",)


def test_all_searches_have_one_time_together(kiosk: Kiosk, monkeypatch: pytest.MonkeyPatch) -> None:
    real, set_for = asyncio.timeout, list[float | None]()

    def counted(delay: float | None) -> asyncio.Timeout:
        set_for.append(delay)
        return real(delay)

    monkeypatch.setattr(asyncio, "timeout", counted)
    kiosk.search = Web()
    kiosk.digest()
    assert (len(kiosk.search.queries), set_for) == (2, [60.0])


# --- since ----------------------------------------------------------------------------------------


def dated(kiosk: Kiosk, url: str, word: str, at: datetime | None) -> None:
    """An article whose page says when it was published."""
    head = f"<meta property='article:published_time' content='{at.isoformat()}'>" if at else ""
    kiosk.web.answers[url] = story(*sentences(url, word), head=head)


def test_what_a_feed_does_not_date_its_page_may(kiosk: Kiosk) -> None:
    old, new, never = (f"https://a.example/{name}" for name in ("old", "new", "never"))
    dated(kiosk, old, "town", kiosk.ago(days=3))
    dated(kiosk, new, "town", kiosk.ago(hours=3))
    dated(kiosk, never, "sport", None)
    kiosk.follow(FEED, rss(*(item(url, url[-5:]) for url in (old, new, never))))
    made = kiosk.digest(since=timedelta(days=1))
    assert reasons(made) == {old: "outside_window", new: "taken", never: "taken"}
    (left,) = (one for one in made.candidates if one.url == old)
    assert left.detail == "published on 10 February 2026, before the time that was asked for"


def test_what_a_search_finds_is_asked_for_its_date_too(kiosk: Kiosk) -> None:
    old, new, undated, told = (f"{B}/{name}" for name in ("old", "new", "undated", "told"))
    dated(kiosk, old, "town", kiosk.ago(days=3))
    dated(kiosk, new, "town", kiosk.ago(hours=3))
    dated(kiosk, undated, "sport", None)
    dated(kiosk, told, "sport", None)

    class Dated(Web):
        async def search(self, query: str, *, limit: int) -> list[Hit]:
            hits = await super().search(query, limit=limit)
            return [*hits, Hit(told, "Told", published_at=kiosk.ago(days=2))]

    kiosk.search = Dated(old, new, undated)
    made = kiosk.digest(since=timedelta(days=1))
    assert reasons(made) == {
        old: "outside_window",
        new: "taken",
        undated: "taken",
        told: "outside_window",
    }
    assert told not in kiosk.read(), "its date was known before"


# --- sites that were heard lately -----------------------------------------------------------------


def test_a_site_that_waits_does_not_make_a_digest_too_small(kiosk: Kiosk) -> None:
    """Four articles are left after the history: enough, though the site has to wait."""
    kiosk.settings = replace(kiosk.settings, source_diversity_window=1)
    first, *others = kiosk.articles(5)
    kiosk.shows(first)
    kiosk.digest()
    kiosk.web.answers[FEED] = kiosk.front_page(*others)
    made = kiosk.later(hours=1).digest()
    assert set(reasons(made).values()) == {"diversity"}
    assert kiosk.web.times(FEED) == 1


def test_a_digest_in_which_nothing_was_is_none_of_the_latest(kiosk: Kiosk) -> None:
    kiosk.settings = replace(kiosk.settings, source_diversity_window=1)
    first, second = kiosk.articles(2)
    kiosk.shows(first)
    kiosk.digest()
    kiosk.web.answers[FEED] = kiosk.front_page()
    assert shown(kiosk.later(hours=1).digest()) == []
    kiosk.web.answers[FEED] = kiosk.front_page(second)
    assert reasons(kiosk.later(hours=1).digest()) == {second: "diversity"}
