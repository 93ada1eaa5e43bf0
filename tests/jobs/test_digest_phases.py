"""The order of the steps, the single retry, and the web search: what is asked for and what never is."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from digest_fakes import FEED, SPORT, TOWN, ByWord, Kiosk, Web, links, reasons, sentences, shown
from scan_fakes import no_answer, to
from scrape_pages import story

from digestlog.core.canonical import url_hash
from digestlog.jobs import digest as job
from digestlog.jobs.parsing import Parser
from digestlog.store import digests, history, sources, users

B = "https://b.example"


@pytest.fixture
def kiosk(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Kiosk:
    """An empty file with two categories of two places: four places, thirty requests a round."""
    monkeypatch.setattr(job, "ArticleParser", Parser)
    return Kiosk(db_path, now)


def remember(kiosk: Kiosk, *urls: str) -> None:
    """Let the owner have been shown these."""
    with kiosk.open() as db, db.transaction() as connection:
        history.insert_urls(db, connection, users.current(db, None), [(url, url_hash(url)) for url in urls])


def trace(kiosk: Kiosk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every step of the coming digests, as it begins."""
    steps: list[str] = []

    def watch(owner: Any, name: str, step: str) -> None:
        real = getattr(owner, name)

        def watched(*args: Any, **options: Any) -> Any:
            steps.append("visit" if step == "read" and args[0].endswith("/feed") else step)
            return real(*args, **options)

        monkeypatch.setattr(owner, name, watched)

    watch(history, "cleanup_old", "clean up")
    watch(history, "check_urls_exist", "history")
    watch(history, "insert_urls", "remember")
    watch(digests, "save", "save")
    watch(kiosk.web, "get", "read")
    watch(kiosk.classifier, "classify", "classify")
    watch(kiosk.summariser, "summarize", "summarise")
    watch(kiosk.search, "search", "search")
    watch(job.filling, "is_homepage", "front pages")
    watch(job.filling, "dedup_by_url", "dedup")
    return steps


# --- order ----------------------------------------------------------------------------------------


def test_the_steps_in_their_order(kiosk: Kiosk, monkeypatch: pytest.MonkeyPatch) -> None:
    towns = kiosk.articles(34)
    kiosk.shows(*towns)
    remember(kiosk, *towns[:29])
    kiosk.search = Web(kiosk.article("found", "sport", B))
    steps = trace(kiosk, monkeypatch)
    kiosk.digest()
    assert [step for step, _ in groupby(steps)] == [
        *("clean up", "visit", "read", "history"),
        *("visit", "read", "history", "classify"),
        *("search", "front pages", "dedup", "history", "read", "classify"),
        *("summarise", "save", "remember"),
    ]


def test_what_is_too_old_is_forgotten_before_anything_else(kiosk: Kiosk) -> None:
    url = kiosk.article("one")
    kiosk.shows(url)
    remember(kiosk, url, f"{B}/other")
    kiosk.later(days=90)
    assert shown(kiosk.digest()) == []
    kiosk.later(seconds=1)
    assert shown(kiosk.digest()) == [url]
    assert kiosk.remembered() == [url]


def test_progress_is_told(kiosk: Kiosk) -> None:
    kiosk.shows(*kiosk.articles(1))
    kiosk.digest()
    assert kiosk.said == [
        *("visiting 1 sources", "reading 1 articles", "too few so far: once more"),
        *("visiting 1 sources", "reading 0 articles", "classifying 1 articles"),
    ]


# --- one retry ------------------------------------------------------------------------------------


def test_enough_at_once(kiosk: Kiosk) -> None:
    kiosk.shows(*kiosk.articles(4))
    kiosk.digest()
    assert (kiosk.web.times(FEED), len(kiosk.read())) == (1, 4)


def test_too_few_is_one_retry_and_nothing_is_read_twice(kiosk: Kiosk) -> None:
    """Thirty are looked at, 28 of them known: thirty others are, and again too few. That is all."""
    urls = kiosk.articles(70)
    kiosk.shows(*urls)
    remember(kiosk, *urls[:28], *urls[30:60])
    made = kiosk.digest()
    assert kiosk.web.times(FEED) == 2
    assert kiosk.read() == sorted(urls[:60])
    assert shown(made) == urls[28:30]
    assert set(reasons(made)) == set(urls)
    assert [url for url in urls if reasons(made)[url] == "over_budget"] == urls[60:]


def test_what_could_not_be_read_is_not_asked_for_again(kiosk: Kiosk) -> None:
    bad = [f"https://a.example/bad-{at}" for at in range(40)]
    kiosk.web.answers |= {url: no_answer(url) for url in bad[:6]}
    good = kiosk.articles(2)
    kiosk.shows(*bad, *good)
    made = kiosk.digest()
    assert kiosk.read() == sorted(bad + good)
    assert shown(made) == good


def test_both_rounds_are_classified_together(kiosk: Kiosk) -> None:
    urls = kiosk.articles(40)
    kiosk.shows(*urls)
    remember(kiosk, *urls[:28])
    kiosk.digest()
    assert isinstance(kiosk.classifier, ByWord)
    assert (kiosk.web.times(FEED), kiosk.classifier.asked) == (2, [urls[28:]])


def test_what_was_shown_before_is_never_classified(kiosk: Kiosk) -> None:
    urls = kiosk.articles(2)
    kiosk.shows(*urls)
    remember(kiosk, *urls)
    made = kiosk.digest()
    assert isinstance(kiosk.classifier, ByWord)
    assert (kiosk.classifier.asked, set(reasons(made).values())) == ([], {"history"})


# --- sites that were heard lately -----------------------------------------------------------------


def test_a_site_that_was_heard_lately_waits(kiosk: Kiosk) -> None:
    """Not the history: it is about sites, not addresses, and works without a history too."""
    kiosk.settings = replace(kiosk.settings, source_diversity_window=1, article_history_days=0)
    ours, theirs = kiosk.article("one"), kiosk.article("two", "sport", "https://www.b.example")
    kiosk.shows(ours)
    assert shown(kiosk.digest()) == [ours]
    other = kiosk.shows(theirs, feed=f"{B}/feed")
    made = kiosk.later(hours=1).digest()
    assert (other, reasons(made)) == ("W_RSS_2", {ours: "diversity", theirs: "taken"})
    (waits,) = (one for one in made.candidates if one.url == ours)
    assert waits.detail == "a.example was in one of the last 1 digests"
    assert reasons(kiosk.later(hours=1).digest()) == {ours: "taken", theirs: "diversity"}


def test_the_history_speaks_first(kiosk: Kiosk) -> None:
    kiosk.settings = replace(kiosk.settings, source_diversity_window=3)
    old, new = kiosk.articles(2)
    kiosk.shows(old)
    kiosk.digest()
    kiosk.web.answers[FEED] = kiosk.front_page(new, old)
    assert reasons(kiosk.later(hours=1).digest()) == {old: "history", new: "diversity"}


def test_the_web_search_waits_too(kiosk: Kiosk) -> None:
    kiosk.settings = replace(kiosk.settings, source_diversity_window=1)
    kiosk.shows(kiosk.article("one", site=B))
    kiosk.digest()
    kiosk.search = Web(kiosk.article("two", "sport", B), kiosk.article("three", "sport", "https://c.example"))
    found = reasons(kiosk.later(hours=1).digest())
    assert (found[f"{B}/two"], found["https://c.example/three"]) == ("diversity", "taken")


# --- web search -----------------------------------------------------------------------------------


def test_only_categories_with_room_are_searched_for(kiosk: Kiosk) -> None:
    kiosk.shows(*kiosk.articles(4))
    kiosk.search = Web(kiosk.article("found", "sport", B))
    made = kiosk.digest()
    assert kiosk.search.queries == ["Sport"]
    assert made.digest.items[2].url == f"{B}/found"
    assert (made.digest.items[2].title, made.digest.items[2].source) == ("Hit 0", "b.example")
    assert made.digest.providers["search"] == "web"
    assert f"{B}/found" in kiosk.remembered()


def test_a_query_has_the_first_keywords(kiosk: Kiosk) -> None:
    kiosk.search = Web()
    kiosk.digest()
    assert kiosk.search.queries == ["Town harbour mayor bridge", "Sport"]


def test_a_full_digest_needs_no_search(kiosk: Kiosk) -> None:
    kiosk.shows(*kiosk.articles(2), *kiosk.articles(2, "sport"))
    kiosk.search = Web(f"{B}/found")
    assert "search" not in kiosk.digest().digest.providers
    assert kiosk.search.queries == []


def test_what_a_search_finds_is_sifted_before_it_is_asked_for(kiosk: Kiosk) -> None:
    seen, old, new = kiosk.article("one"), kiosk.article("old", "sport", B), kiosk.article("new", "sport", B)
    kiosk.shows(seen)
    remember(kiosk, old)
    kiosk.search = Web(f"{B}/", f"{seen}?utm_source=s", f"{old}/", new, f"{new}?ref=s", "mailto:a@e.org", old)
    made = kiosk.digest()
    assert kiosk.read() == sorted([seen, new])
    assert reasons(made) == {
        seen: "taken",
        f"{B}/": "homepage",
        f"{old}/": "history",
        new: "taken",
        "mailto:e.org": "no_identity",
    }


def test_an_address_that_leads_to_something_known_is_not_asked_for(kiosk: Kiosk) -> None:
    """The ledger knows where a short address leads, and the history knows that place."""
    short, end = "https://s.example/1", kiosk.article("one", "sport")
    kiosk.web.answers[short] = to(end)
    source = kiosk.shows(short)
    kiosk.scan()
    remember(kiosk, end)
    with kiosk.open() as db:
        sources.update(db, source, {"is_active": False})
    kiosk.search = Web(short)
    made = kiosk.digest()
    assert (kiosk.web.requests, reasons(made)) == (0, {short: "history"})


def test_a_stored_text_that_a_search_finds_costs_no_request(kiosk: Kiosk) -> None:
    url = kiosk.article("one", "sport")
    kiosk.shows(url)
    kiosk.scan()
    kiosk.categories = (TOWN,)
    kiosk.digest()
    assert kiosk.read() == [url]
    kiosk.categories, kiosk.search = (SPORT,), Web(f"{url}?utm_source=s")
    kiosk.web.answers[FEED] = kiosk.front_page()
    made = kiosk.digest()
    assert (shown(made), kiosk.read()) == ([url], [])
    assert made.digest.items[0].article_uuid


def test_a_story_that_a_search_finds_again_is_no_second_item(kiosk: Kiosk) -> None:
    first, again, other = "https://a.example/bridge", f"{B}/bruecke", f"{B}/other"
    text = sentences("bridge", "town")
    kiosk.web.answers |= {first: story(*text, head=""), again: story(*text, head="")}
    kiosk.web.answers[other] = story(*sentences("other", "sport"), head="")
    kiosk.shows(first)
    kiosk.search = Web(again, other)
    made = kiosk.digest()
    assert {one.url: links(one) for one in made.digest.items} == {first: [again], other: []}
    assert reasons(made)[again] == "duplicate"
    assert kiosk.remembered() == sorted([first, again, other])


def test_a_search_that_finds_nothing_new(kiosk: Kiosk) -> None:
    url = kiosk.article("one")
    kiosk.shows(url)
    kiosk.search = Web(url)
    assert isinstance(kiosk.classifier, ByWord)
    kiosk.digest()
    assert (kiosk.classifier.asked, kiosk.read()) == ([[url]], [url])
