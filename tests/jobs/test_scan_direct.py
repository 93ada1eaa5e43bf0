"""Pages without a feed: their articles' own pages are looked at, politely and only once."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from scan_fakes import Desk, Page, item, no_answer, page, rss, to

from digestlog.core.model import DIRECT
from digestlog.errors import FetchError, ParseError

HOME = "https://p.example/"


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Desk:
    return Desk(db_path, now)


def story(name: str) -> str:
    return f"https://p.example/stories/the-{name}-story-of-the-day"


def listing(*names: str) -> Page:
    cards = (f'<article><h2><a href="{story(n)}">The {n} story of the day</a></h2></article>' for n in names)
    return page(body="<main>" + "".join(cards) + "</main>")


def article(published: datetime | None, title: str = "Told by the page") -> Page:
    head = f'<meta property="og:title" content="{title}">'
    if published:
        head += f'<meta property="article:published_time" content="{published.isoformat()}">'
    return page(head, "<h1>A story</h1>")


def test_an_undated_article_is_dated_by_its_own_page(desk: Desk) -> None:
    desk.follow(HOME, listing("first"), DIRECT)
    desk.web.answers[story("first")] = article(desk.ago(hours=2))
    result = desk.one()
    assert (result.new, result.undated, result.lane) == (1, 0, "listing")
    row = desk.row("extracted_article_urls")
    assert row["published_utc_iso"] == "2026-02-13T07:02:10+00:00"
    assert (row["url_scraping_method"], row["article_title"]) == ("Direct", "The first story of the day")
    mention = desk.row("article_source_mentions")
    assert mention["date_from"] == "article page: meta"
    assert mention["published_raw"] == "2026-02-13T07:02:10+00:00"
    # One request told both the date and where the address leads.
    assert [asked.method for asked in desk.web.asked if asked.url == story("first")] == ["GET"]
    assert [asked.obey_robots for asked in desk.web.asked if asked.url == story("first")] == [True]


def test_the_page_gives_a_title_where_the_list_has_none(desk: Desk) -> None:
    desk.follow(
        HOME,
        page(body=f'<main><a class="x" href="{story("first")}"></a></main>'),
        DIRECT,
        link_selector="a.x",
    )
    desk.web.answers[story("first")] = article(desk.ago(hours=2), "Told by the page")
    desk.scan()
    assert desk.row("extracted_article_urls")["article_title"] == "Told by the page"


def test_an_old_article_is_left_out_and_not_fetched_again(desk: Desk) -> None:
    desk.follow(HOME, listing("old", "new"), DIRECT)
    desk.web.answers |= {story("old"): article(desk.ago(days=30)), story("new"): article(desk.ago(hours=1))}
    result = desk.one()
    assert (result.entries, result.new, result.outside_window, result.undated) == (2, 1, 1, 0)
    assert desk.finals() == [story("new")]
    for more in ("third", "fourth"):
        desk.later(hours=1)
        desk.web.answers |= {HOME: listing("old", "new", more), story(more): article(desk.now)}
        result = desk.one()
        assert desk.web.times(story("old")) == 0
        assert (result.new, result.known, result.outside_window, result.undated) == (1, 1, 1, 1)
    left = json.loads(desk.row("source_left_out")["left_out"])
    assert left == [[story("old"), "outside_window", "2026-01-14T09:02:10+00:00"]]


def test_a_wider_window_looks_again_and_keeps_the_date(desk: Desk) -> None:
    desk.follow(HOME, listing("old"), DIRECT)
    desk.web.answers[story("old")] = article(desk.ago(days=30))
    desk.scan()
    for window in (timedelta(days=60), None):
        desk.one(window=window)
        assert desk.row("extracted_article_urls")["published_utc_iso"] == "2026-01-14T09:02:10+00:00"


def test_an_article_that_tells_no_date_is_kept(desk: Desk) -> None:
    desk.follow(HOME, listing("first"), DIRECT)
    desk.web.answers[story("first")] = article(None)
    assert (desk.one().undated, desk.finals()) == (1, [story("first")])
    assert desk.row("article_source_mentions")["date_from"] is None


def test_an_article_page_that_moved(desk: Desk) -> None:
    desk.follow(HOME, listing("first"), DIRECT)
    desk.web.answers |= {story("first"): to(story("final")), story("final"): article(desk.ago(hours=1))}
    desk.scan()
    row = desk.row("extracted_article_urls")
    assert (row["article_url_final"], row["url_notes"]) == (story("final"), "resolved_redirects")
    assert row["published_utc_iso"] == "2026-02-13T08:02:10+00:00"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (no_answer("x"), "unresolved"),
        (Page(status=503), "unresolved"),
        (FetchError("it is larger than 15 MB", url="x"), "failed"),
        (Page(status=404), "resolved"),
    ],
)
def test_an_article_page_that_cannot_be_read_loses_nothing(
    desk: Desk, answer: Page | Exception, status: str
) -> None:
    desk.follow(HOME, listing("first"), DIRECT)
    desk.web.answers[story("first")] = answer
    assert desk.one().undated == 1
    assert desk.finals() == [story("first")]
    assert desk.row("url_resolutions")["status"] == status
    assert desk.web.times(story("first")) == 1


def test_an_article_page_closed_by_robots_is_recorded_but_not_read(desk: Desk) -> None:
    desk.follow(HOME, listing("first"), DIRECT)
    desk.web.closed.add(story("first"))
    desk.scan()
    assert desk.finals() == [story("first")]
    assert "closed to programs" in desk.row("url_resolutions")["last_error"]
    # Not by another way either.
    assert [asked.method for asked in desk.web.asked if asked.url == story("first")] == ["GET"]


def test_a_page_closed_by_robots_is_a_failure_in_words(desk: Desk) -> None:
    source = desk.follow(HOME, listing("first"), DIRECT)
    desk.web.closed.add(HOME)
    result = desk.one()
    assert (result.outcome, result.new) == ("failed", 0)
    assert desk.source(source).last_error == f"{HOME} is closed to programs by the site's robots.txt"


def test_dated_articles_are_not_looked_at(desk: Desk) -> None:
    dated = page(
        body="".join(
            f'<article><h2><a href="{story(name)}">The {name} story of the day</a></h2>'
            f'<time datetime="{desk.ago(hours=1).isoformat()}">today</time></article>'
            for name in ("first", "second")
        )
    )
    desk.follow(HOME, dated, DIRECT)
    desk.scan()
    assert [asked.method for asked in desk.web.asked if asked.url == story("first")] == ["HEAD"]


def test_entries_of_a_feed_are_never_looked_at(desk: Desk) -> None:
    desk.follow("https://p.example/feed", rss(item(story("first"))))
    desk.web.answers[story("first")] = article(desk.ago(days=30))
    assert desk.one().undated == 1
    assert [asked.method for asked in desk.web.asked] == ["GET", "HEAD"]


def test_of_a_long_list_some_wait_for_the_next_scan(desk: Desk) -> None:
    names = [f"{number}th" for number in range(60)]
    desk.follow(HOME, listing(*names), DIRECT)
    for looked_at, recorded in ((50, 50), (10, 60), (0, 60)):
        desk.scan()
        looks = [asked for asked in desk.web.asked if asked.method == "GET" and "/stories/" in asked.url]
        assert (len(looks), len(desk.finals())) == (looked_at, recorded)
        desk.later(hours=1)


def test_a_login_s_date_is_not_the_article_s(desk: Desk) -> None:
    desk.follow(HOME, listing("first"), DIRECT)
    login = "https://p.example/login?to=first"
    desk.web.answers |= {story("first"): to(login, 302), login: article(desk.ago(days=900), "Log in")}
    desk.scan()
    row = desk.row("extracted_article_urls")
    assert (row["article_url_final"], row["published_utc_iso"]) == (story("first"), None)
    assert row["article_title"] == "The first story of the day"


def test_a_declared_feed_is_read_anew_though_its_page_is_the_same(desk: Desk) -> None:
    feed = "https://p.example/feed"
    desk.follow(HOME, page(f'<link rel="alternate" type="application/rss+xml" href="{feed}">'), DIRECT)
    desk.web.answers[feed] = rss(item(story("first")))
    desk.scan()
    desk.web.answers[feed] = rss(item(story("first")), item(story("second")))
    result = desk.later(hours=1).one()
    assert (result.outcome, result.new) == ("ok", 1)
    assert desk.finals() == [story("first"), story("second")]


def test_an_address_without_identity_is_not_asked_for(desk: Desk) -> None:
    long = "https://p.example/stories/" + "a" * 2100
    desk.follow(
        HOME,
        page(body=f'<main><a class="x" href="{long}">A long address</a></main>'),
        DIRECT,
        link_selector="a.x",
    )
    for _ in range(2):
        assert desk.later(hours=1).one(window=None).new == 0
        assert desk.web.times(long) == 0
    assert json.loads(desk.row("source_left_out")["left_out"])[0][1] == "no_identity: too_long"


def test_an_article_page_that_kills_its_reader_leaves_the_article_undated(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(body: bytes, url: str, charset: str | None) -> None:
        raise ParseError("reading it ended the process that read it")

    monkeypatch.setattr("digestlog.jobs.scan.read_article_page", fails)
    desk.follow(HOME, listing("first"), DIRECT)
    desk.web.answers[story("first")] = article(desk.ago(hours=2))
    result = desk.one()
    assert (result.new, result.undated) == (1, 1)
    assert desk.row("extracted_article_urls")["published_utc_iso"] is None
