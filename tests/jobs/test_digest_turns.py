"""Front pages full of what was shown before: whatever was not is looked at, sooner or later."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from digest_fakes import FEED, TOWN, Kiosk, reasons, shown
from scan_fakes import item, no_answer, rss

from digestlog.core import filling, turns
from digestlog.core.canonical import url_hash
from digestlog.core.settings import Settings
from digestlog.jobs import digest as job
from digestlog.jobs import scrape as scrape_job
from digestlog.jobs.parsing import Parser
from digestlog.store import history, users

ROUND = filling.budget((TOWN,), 1)


@pytest.fixture
def kiosk(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Kiosk:
    """An empty file with one category of one place: thirty requests a round."""
    for module in (job, scrape_job):
        monkeypatch.setattr(module, "ArticleParser", Parser)
    return Kiosk(db_path, now, categories=(TOWN,), settings=Settings(max_items_per_category=1))


def remember(kiosk: Kiosk, *urls: str) -> None:
    """Let the owner have been shown these."""
    with kiosk.open() as db, db.transaction() as connection:
        history.insert_urls(db, connection, users.current(db, None), [(url, url_hash(url)) for url in urls])


def days_until(kiosk: Kiosk, wanted: set[str], limit: int) -> int:
    """After how many digests, one a day, all of these were looked at."""
    looked_at: set[str] = set()
    for day in range(1, limit + 1):
        found = reasons(kiosk.digest())
        assert set(found.values()) <= {"taken", "history", "over_quota", "over_budget", "unclassified"}
        looked_at |= {url for url, outcome in found.items() if outcome != "over_budget"}
        if wanted <= looked_at:
            return day
        kiosk.later(days=1)
    raise AssertionError(f"{len(wanted - looked_at)} were never looked at")


@pytest.mark.parametrize("scanned", [False, True])
def test_no_digest_is_empty_while_something_was_never_shown(kiosk: Kiosk, scanned: bool) -> None:
    """Twenty articles, one a day: twenty days, and then nothing is left."""
    urls = kiosk.articles(20)
    kiosk.shows(*urls)
    if scanned:
        kiosk.scan()
    told = []
    for _ in urls:
        (one,) = shown(kiosk.digest())
        told.append(one)
        kiosk.later(days=1)
    assert sorted(told) == sorted(urls)
    assert shown(kiosk.digest()) == []


@pytest.mark.parametrize("scanned", [False, True])
def test_a_long_page_of_what_was_shown_hides_nothing(kiosk: Kiosk, scanned: bool) -> None:
    """Two hundred were shown; the one below them is found, though its page never changes."""
    old, hidden = kiosk.articles(200), kiosk.article("hidden")
    kiosk.shows(*old, hidden)
    if scanned:
        kiosk.scan()
    remember(kiosk, *old)
    assert days_until(kiosk, {hidden}, turns.bound(201, ROUND)) <= turns.bound(201, 2 * ROUND)
    assert hidden in kiosk.remembered()


def test_stored_texts_that_were_shown_use_nothing_up(kiosk: Kiosk) -> None:
    """All two hundred are stored: the one that is not is read the same day, for one request."""
    old, hidden = kiosk.articles(200), kiosk.article("hidden")
    kiosk.follow(FEED, rss(*(item(url, "Old", kiosk.now) for url in old)))
    kiosk.scan()
    with kiosk.open() as db:
        scrape_job.scrape(db, kiosk.web, scrape_job.Options(), lambda _: None)
    assert len(kiosk.rows("scraped_articles")) == 200
    remember(kiosk, *old)
    kiosk.web.answers[FEED] = kiosk.front_page(*old, hidden)
    made = kiosk.digest()
    assert (shown(made), kiosk.read()) == ([hidden], [hidden])
    assert [one.outcome for one in made.candidates].count("history") == 200


def test_the_last_of_many_sources_is_looked_at(kiosk: Kiosk) -> None:
    """Seventy sources with three articles each, the first of each shown before."""
    wanted: set[str] = set()
    for number in range(70):
        site = f"https://s{number:02}.example"
        first, *others = (kiosk.article(f"a{at}-{number}", site=site) for at in range(3))
        kiosk.shows(first, *others, feed=f"{site}/feed")
        remember(kiosk, first)
        wanted |= set(others)
    assert days_until(kiosk, wanted, turns.bound(210, ROUND)) <= turns.bound(210, ROUND)


def test_whoever_waits_is_not_pushed_aside_for_ever(kiosk: Kiosk) -> None:
    """Each day brings more than a digest can ask for; what was there at first is looked at all the same."""
    early = kiosk.articles(40, "town")
    entries = [item(url, "Early", kiosk.ago(days=1)) for url in early]
    kiosk.follow(FEED)
    looked_at: set[str] = set()
    fresh: list[int] = []
    days = turns.bound(40 + 5 * 40, ROUND)
    for day in range(days):
        new = [kiosk.article(f"day{day}-{at}", "town") for at in range(40)]
        entries = [item(url, "New", kiosk.now) for url in new] + entries
        kiosk.web.answers[FEED] = rss(*entries)
        found = {url for url, outcome in reasons(kiosk.digest()).items() if outcome != "over_budget"}
        looked_at |= found
        fresh.append(len(found & set(new)))
        kiosk.later(days=1)
        if looked_at >= set(early):
            break
    assert looked_at >= set(early), f"after {days} digests"
    assert min(fresh) >= ROUND // 2 - 1, "and the newest are not forgotten over it"


def test_what_was_left_for_later_says_so(kiosk: Kiosk) -> None:
    kiosk.shows(*kiosk.articles(ROUND + 1))
    made = kiosk.digest()
    (left,) = (one for one in made.candidates if one.outcome == "over_budget")
    assert left.detail == "not looked at this time; it comes sooner in the next digest"
    assert len(made.candidates) == ROUND + 1


def test_a_source_that_fails_the_second_time_loses_no_reason(
    kiosk: Kiosk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too few in the first round, and then the front page does not answer any more."""
    urls = kiosk.articles(ROUND + 5)
    kiosk.shows(*urls)
    remember(kiosk, *urls)
    real = kiosk.web.get

    async def once(url: str, **options: Any) -> Any:
        if url == FEED and kiosk.web.times(FEED):
            raise no_answer(url)
        return await real(url, **options)

    monkeypatch.setattr(kiosk.web, "get", once)
    found = list(reasons(kiosk.digest()).values())
    assert (found.count("history"), found.count("over_budget")) == (ROUND, 5)


def test_tracking_marks_do_not_make_it_new(kiosk: Kiosk) -> None:
    """Each day all links have another mark: what was looked at still stands in nobody's way."""
    urls, hidden = kiosk.articles(ROUND, "nothing"), kiosk.article("hidden")
    for day in range(2):
        marked = [f"{url}?utm_campaign={day}" for url in (*urls, hidden)]
        for url, link in zip((*urls, hidden), marked, strict=True):
            kiosk.web.answers[link] = kiosk.web.answers[url]
        kiosk.web.answers[FEED] = kiosk.front_page(*marked)
        if not day:
            kiosk.follow(FEED)
        made = kiosk.digest()
        kiosk.later(days=1)
    assert shown(made) == [hidden]
