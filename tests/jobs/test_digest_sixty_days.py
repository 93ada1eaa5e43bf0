"""Sixty digests of front pages on which articles stay for weeks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from digest_fakes import FEED, Kiosk, shown
from scan_fakes import item, rss

from digestlog.core.canonical import url_hash
from digestlog.core.settings import Settings
from digestlog.jobs import digest as job
from digestlog.jobs.parsing import Parser

DAYS, PER_DAY, STAY = 60, 2, 35
OTHER = "https://b.example/feed"


def front_page(kiosk: Kiosk, day: int, site: str) -> None:
    """The articles of the last weeks, newest first, each link with that day's mark."""
    born = [(then, at) for then in range(day, max(day - STAY, -1), -1) for at in range(PER_DAY)]
    entries = []
    for then, at in born:
        name = f"{site[8]}-{then}-{at}"
        if then == day:
            kiosk.article(name, ("town", "sport")[at], site)
        link = f"{site}/{name}?utm_campaign=day{day}"
        kiosk.web.answers[link] = kiosk.web.answers[f"{site}/{name}"]
        entries.append(item(link, name, kiosk.ago(days=day - then)))
    kiosk.web.answers[f"{site}/feed"] = rss(*entries)


def sixty_days(kiosk: Kiosk) -> dict[str, list[int]]:
    """The days on which each article was shown, by its identity."""
    days: dict[str, list[int]] = defaultdict(list)
    for feed in (FEED, OTHER):
        kiosk.follow(feed)
    for day in range(DAYS):
        for site in ("https://a.example", "https://b.example"):
            front_page(kiosk, day, site)
        kiosk.scan()
        made = kiosk.digest()
        for one in made.digest.items:
            assert not one.other_links
        keys = [url_hash(url) for url in shown(made)]
        assert len(set(keys)) == len(keys)
        for key in keys:
            days[key].append(day)
        kiosk.later(days=1)
    return days


@pytest.fixture
def kiosk(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Kiosk:
    """An empty file; pages are read at once, not in other processes."""
    monkeypatch.setattr(job, "ArticleParser", Parser)
    return Kiosk(db_path, now, settings=Settings(max_items_per_category=6))


def gaps(days: dict[str, list[int]]) -> list[int]:
    return [b - a for found in days.values() for a, b in zip(found, found[1:], strict=False)]


@pytest.mark.parametrize("ttl", [7, 90])
def test_nothing_twice_within_the_time(kiosk: Kiosk, ttl: int) -> None:
    kiosk.settings = replace(kiosk.settings, article_history_days=ttl)
    days = sixty_days(kiosk)
    assert len(days) == DAYS * PER_DAY * 2, "some article was never shown"
    assert all(gap > ttl for gap in gaps(days))
    if ttl < STAY:
        assert min(gaps(days)) == ttl + 1, "an article comes back as soon as it may"
    else:
        assert gaps(days) == []


def test_without_a_history_the_same_comes_every_day(kiosk: Kiosk) -> None:
    kiosk.settings = replace(kiosk.settings, article_history_days=0)
    assert min(gaps(sixty_days(kiosk))) == 1
    assert kiosk.rows("article_history") == []
