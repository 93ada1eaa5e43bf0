"""One visit to a source: which way its articles are found, and what is remembered of it."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest
from scan_fakes import HTML, XML, Asked, Page, ScanFetcher, item, no_answer, page, rss, to

from digestlog.core.ledger import Candidate
from digestlog.core.model import DIRECT, RSS, Source
from digestlog.errors import AddressRefused, FetchError
from digestlog.jobs.collect import FAILED, GONE, NOT_MODIFIED, OK, UNCHANGED, Remembered, Visit, visit
from digestlog.jobs.parsing import Parser

FEED, SITE = "https://e.org/feed", "https://e.org/"
DAY = datetime(2026, 2, 12, tzinfo=UTC)
ONE = rss(item("https://e.org/a", "A", "Thu, 12 Feb 2026 00:00:00 GMT"))
SITEMAP = "https://e.org/news-sitemap.xml"


def source(url: str = FEED, method: str = RSS, **changes: Any) -> Source:
    nothing: dict[str, Any] = dict.fromkeys(
        (
            "paused_reason removed_at site_url folder link_selector date_selector "
            "last_scanned_at last_success_at next_scan_at last_error"
        ).split()
    )
    values = {
        **nothing,
        "source_uuid": "W_RSS_1",
        "source_name": "E",
        "source_url": url,
        "url_scraping_method": method,
        "is_active": True,
        "allow_private": False,
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": "2026-01-01T00:00:00+00:00",
        "consecutive_failures": 0,
    }
    return Source(**{**values, **changes})


def visited(web: ScanFetcher, of: Source | None = None, known: Remembered | None = None) -> Visit:
    async def go() -> Visit:
        with Parser() as parser:
            async with web as getter:
                return await visit(getter, parser, of or source(), known or Remembered())

    return asyncio.run(go())


def direct(url: str = "https://e.org/news/", **changes: Any) -> Source:
    return source(url, DIRECT, **changes)


def urls(found: Visit) -> list[str]:
    return [one.url for one in found.candidates]


def hashed(answer: Page) -> str:
    return sha256(answer.body).hexdigest()


# --- feeds ------------------------------------------------------------------------------------


def test_a_feed_is_read() -> None:
    answer = rss(
        item("https://e.org/a", "A", "Thu, 12 Feb 2026 00:00:00 GMT"),
        head="<ttl>60</ttl>",
        etag='"1"',
        last_modified="yesterday",
        max_age_s=300,
    )
    found = visited(ScanFetcher({FEED: answer}))
    dated = Candidate("https://e.org/a", "A", DAY, "Thu, 12 Feb 2026 00:00:00 GMT", "pubDate", "fast")
    assert found == Visit(
        OK,
        candidates=(dated,),
        http_status=200,
        lane="fast",
        remembered=Remembered('"1"', "yesterday", hashed(answer)),
        min_interval_s=3600,
        max_age_s=300,
    )


def test_a_feed_is_asked_without_robots_and_a_page_with() -> None:
    web = ScanFetcher({FEED: ONE, "https://e.org/news/": page()})
    visited(web)
    visited(web, direct(allow_private=True))
    assert web.asked[0] == Asked("GET", FEED)
    assert web.asked[1] == Asked("GET", "https://e.org/news/", obey_robots=True, allow_private=True)
    assert {asked.allow_private for asked in web.asked[1:]} == {True}


@pytest.mark.parametrize(
    ("published", "updated", "at", "raw", "origin"),
    [
        ("2026-02-12", "2026-02-13", DAY, "2026-02-12", "published"),
        (None, "2026-02-12", DAY, "2026-02-12", "updated"),
        ("soon", "2026-02-12", DAY, "2026-02-12", "updated"),
        ("soon", "later", None, "soon", None),
        ("soon", None, None, "soon", None),
        (None, None, None, None, None),
    ],
)
def test_published_before_updated_and_never_a_guess(
    published: str | None, updated: str | None, at: datetime | None, raw: str | None, origin: str | None
) -> None:
    dates = "".join(
        f"<{name}>{value}</{name}>"
        for name, value in (("published", published), ("updated", updated))
        if value
    )
    body = f"""<feed xmlns="http://www.w3.org/2005/Atom"><title>E</title><id>e</id>
        <entry><id>1</id><title>A</title><link href="https://e.org/a"/>{dates}</entry></feed>"""
    (found,) = visited(ScanFetcher({FEED: Page(body.encode())})).candidates
    assert (found.published_at, found.published_raw, found.date_from) == (at, raw, origin)


def test_what_is_odd_about_a_feed_is_told() -> None:
    web = ScanFetcher({FEED: rss(item("https://e.org/a"), item("mailto:x@e.org"), item(""))})
    found = visited(web)
    assert (found.outcome, found.error) == (OK, "2 entries without a link")


def test_broken_xml_still_gives_its_entries() -> None:
    found = visited(ScanFetcher({FEED: replace(ONE, body=ONE.body.replace(b"</channel>", b"<p></channel>"))}))
    assert (found.outcome, urls(found), found.lane) == (OK, ["https://e.org/a"], "feedparser")
    assert found.error is not None and found.error.startswith("not well-formed")


# --- unchanged --------------------------------------------------------------------------------

KNOWN = Remembered('"1"', "Thu, 12 Feb 2026 14:03:12 GMT", "0" * 64)


def test_validators_are_sent_and_kept_while_nothing_changes() -> None:
    web = ScanFetcher({FEED: rss(etag='"1"', max_age_s=60)})
    assert visited(web, known=KNOWN) == Visit(NOT_MODIFIED, http_status=304, remembered=KNOWN, max_age_s=60)
    assert (web.asked[0].etag, web.asked[0].last_modified) == (KNOWN.etag, KNOWN.last_modified)


@pytest.mark.parametrize("method", [RSS, DIRECT])
def test_the_same_bytes_are_not_read_again(method: str) -> None:
    # Bytes that no reader would take: were they read, the visit would fail.
    answer = Page(b"\0\1\2", "image/png", etag='"2"')
    known = replace(KNOWN, body_sha256=hashed(answer))
    found = visited(ScanFetcher({FEED: answer}), source(method=method), known)
    assert (found.outcome, found.candidates) == (UNCHANGED, ())
    assert found.remembered == Remembered('"2"', None, hashed(answer))


# --- moved, gone, refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hops", "moved"),
    [
        ([(301, "https://new.example/feed")], "https://new.example/feed"),
        ([(308, "/feed2")], "https://e.org/feed2"),
        ([(301, "/2"), (308, "/3")], "https://e.org/3"),
        ([(301, "/2"), (302, "/3")], "https://e.org/2"),
        ([(302, "/2"), (301, "/3")], None),
        ([(307, "/2")], None),
        ([(301, "/feed#top"), (301, "/feed3#top")], "https://e.org/feed3"),
        # Addresses that a file must not hold.
        ([(301, "https://u:p@e.org/feed2")], None),
        ([(301, "/" + "x" * 3000)], None),
    ],
)
def test_permanent_redirects_move_a_source(hops: list[tuple[int, str]], moved: str | None) -> None:
    web, url = ScanFetcher(), FEED
    for status, location in hops:
        web.answers[url] = to(location, status)
        url = location if "://" in location else "https://e.org" + location
    web.answers[url] = ONE
    found = visited(web)
    assert (found.outcome, found.moved_to, len(found.candidates)) == (OK, moved, 1)


def test_a_redirect_that_only_adds_a_fragment_moves_nothing() -> None:
    web = ScanFetcher({FEED: to(FEED + "#top"), FEED + "#top": ONE})
    assert visited(web).moved_to is None


@pytest.mark.parametrize("outcome", [NOT_MODIFIED, UNCHANGED])
def test_an_unchanged_source_can_move_too(outcome: str) -> None:
    web = ScanFetcher({FEED: to("/new"), "https://e.org/new": replace(ONE, etag='"1"')})
    known = KNOWN if outcome == NOT_MODIFIED else Remembered(body_sha256=hashed(ONE))
    found = visited(web, known=known)
    assert (found.outcome, found.moved_to) == (outcome, "https://e.org/new")


@pytest.mark.parametrize("method", [RSS, DIRECT])
def test_gone_for_good(method: str) -> None:
    web = ScanFetcher({FEED: Page(status=410), SITE: page()})
    found = visited(web, source(method=method, site_url=SITE))
    assert found == Visit(GONE, http_status=410, error="is gone for good (410)")
    assert web.requests == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "answered 401: wants a login"),
        (403, "answered 403: refuses to be read"),
        (404, "answered 404: there is nothing at this address"),
        (429, "answered 429: too many visits"),
        (500, "answered 500: its server is in trouble"),
        (503, "answered 503: its server is overloaded or being repaired"),
        (418, "answered 418"),
        (204, "answered 204"),
        (999, "answered 999"),
    ],
)
def test_an_answer_that_is_no_page_in_a_person_s_words(status: int, words: str) -> None:
    found = visited(ScanFetcher({FEED: Page(status=status, retry_after_s=120)}), known=KNOWN)
    assert found == Visit(FAILED, http_status=status, error=words, retry_after_s=120)


@pytest.mark.parametrize(
    ("error", "retry_after_s"),
    [
        (no_answer(FEED, 30), 30),
        (FetchError(f"{FEED} did not answer", url=FEED), None),
    ],
)
def test_no_answer_at_all(error: FetchError, retry_after_s: int | None) -> None:
    found = visited(ScanFetcher({FEED: error}))
    assert found == Visit(FAILED, error=f"{FEED} did not answer", retry_after_s=retry_after_s)


def test_a_refused_address_says_how_to_allow_it() -> None:
    secret = visited(ScanFetcher({FEED: AddressRefused(f"{FEED} is a cloud's secret", url=FEED)}))
    assert secret == Visit(FAILED, error=f"{FEED} is a cloud's secret")
    found = visited(ScanFetcher({FEED: AddressRefused(f"{FEED} is private", "allow it", url=FEED)}))
    allow = "your own network? digestlog sources edit W_RSS_1 --allow-private"
    assert found == Visit(FAILED, error=f"{FEED} is private; {allow}")


def test_robots_refuse_a_page_in_words() -> None:
    web = ScanFetcher({"https://e.org/news/": page()})
    web.closed.add("https://e.org/news/")
    found = visited(web, direct())
    assert found.outcome == FAILED
    assert found.error == "https://e.org/news/ is closed to programs by the site's robots.txt"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Page(b"\x89PNG\r\n", "image/png"), "is not a feed: This is not a feed."),
        (Page(b"", XML), "is not a feed: This is not a feed."),
        (page(body="Hello"), "is a web page, not a feed"),
    ],
)
def test_what_is_no_feed(answer: Page, words: str) -> None:
    assert visited(ScanFetcher({FEED: answer})) == Visit(FAILED, http_status=200, error=words)


def test_a_picture_is_no_page_without_a_feed() -> None:
    found = visited(ScanFetcher({"https://e.org/news/": Page(b"\x89PNG", "image/png")}), direct())
    assert (found.outcome, found.error) == (FAILED, "is not a web page")


# --- a feed that has moved on its site --------------------------------------------------------


def declares(*hrefs: str) -> Page:
    return page("".join(f'<link rel="alternate" type="{XML}" href="{href}">' for href in hrefs))


NEW = "https://e.org/new"
LOST = "answered 404: there is nothing at this address"


def lost(name: str = "E", failures: int = 2) -> Source:
    """A source that failed before: this is its third time, unless the test says otherwise."""
    return source(site_url=SITE, source_name=name, consecutive_failures=failures)


def test_a_lost_feed_is_found_again_by_its_site() -> None:
    web = ScanFetcher({SITE: declares("/new"), NEW: replace(ONE, etag='"9"')})
    found = visited(web, lost())
    assert (found.outcome, found.moved_to, urls(found)) == (OK, NEW, ["https://e.org/a"])
    assert web.times(FEED) == 1
    # The validators belong to another address than the one that was asked.
    assert found.remembered == Remembered()


@pytest.mark.parametrize(("failures", "moved"), [(0, None), (1, None), (2, NEW), (9, NEW)])
def test_a_feed_that_is_missing_for_once_is_not_given_up(failures: int, moved: str | None) -> None:
    web = ScanFetcher({SITE: declares("/new"), NEW: ONE})
    found = visited(web, lost("A feed", failures))
    assert (found.outcome, found.moved_to) == ((OK, NEW) if moved else (FAILED, None))
    assert found.error == (None if moved else f"{LOST}; its site names {NEW}")


@pytest.mark.parametrize(
    ("name", "hrefs", "moved"),
    [
        ("E", ["/all"], "https://e.org/all"),
        ("E", ["/all", "/comments/feed"], "https://e.org/all"),
        ("E", ["/all", "/new"], None),
        # The site still declares the lost one: that is not the other.
        ("E", ["/feed", "/all"], None),
        ("a  FEED", ["/all", "/new"], NEW),
        ("a feed", ["/feed", "/missing", "/all", "/new"], NEW),
        ("", ["/untitled", "/all"], None),
    ],
)
def test_another_feed_of_the_site_needs_evidence(name: str, hrefs: list[str], moved: str | None) -> None:
    other = replace(ONE, body=ONE.body.replace(b"A feed", b"All of it"))
    web = ScanFetcher({SITE: declares(*hrefs), NEW: ONE, "https://e.org/all": other})
    found = visited(web, lost(name))
    assert (found.outcome, found.moved_to) == ((OK, moved) if moved else (FAILED, None))
    assert found.error == (None if moved else f"{LOST}; its site names https://e.org/all")


def test_a_linked_feed_is_followed_by_its_title_only() -> None:
    web = ScanFetcher({SITE: page(body='<a href="/rss.xml">RSS</a>'), "https://e.org/rss.xml": ONE})
    assert visited(web, lost()).error == f"{LOST}; its site names https://e.org/rss.xml"
    assert visited(web, lost("A feed")).moved_to == "https://e.org/rss.xml"


@pytest.mark.parametrize("where", ["https://u:p@e.org/new", "/feed"])
def test_a_feed_that_cannot_be_followed_is_not_named(where: str) -> None:
    web = ScanFetcher({SITE: declares("/old"), "https://e.org/old": to(where)})
    web.answers |= {"https://u:p@e.org/new": ONE}
    assert visited(web, lost()).error == LOST


def test_a_page_where_the_feed_was_names_the_new_one_at_once() -> None:
    web = ScanFetcher(
        {FEED: declares("/old", "/comments"), "https://e.org/old": to("/new"), NEW: ONE, SITE: page()}
    )
    found = visited(web, lost(failures=0))
    assert (found.outcome, found.moved_to) == (OK, NEW)
    assert found.remembered == Remembered()
    assert web.times(SITE) == 0


def test_a_page_that_names_several_feeds_needs_a_title_too() -> None:
    other = replace(ONE, body=ONE.body.replace(b"A feed", b"All of it"))
    web = ScanFetcher({FEED: declares("/all", "/new"), NEW: ONE, "https://e.org/all": other})
    found = visited(web)
    words = "is a web page, not a feed; its site names https://e.org/all"
    assert found == Visit(FAILED, http_status=200, error=words)
    assert visited(web, source(source_name="A feed")).moved_to == NEW


def test_a_page_that_names_nothing_leaves_the_site_to_ask() -> None:
    web = ScanFetcher({FEED: page(), SITE: declares("/new"), "https://e.org/new": ONE})
    assert visited(web, source(site_url=SITE)).moved_to == "https://e.org/new"


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {SITE: page()},
        {SITE: Page(status=500)},
        {SITE: no_answer(SITE)},
        {SITE: declares("/feed")},
        {SITE: declares("/other"), "https://e.org/other": page()},
        {SITE: declares("/other"), "https://e.org/other": no_answer("https://e.org/other")},
    ],
)
def test_a_feed_that_stays_lost(answers: dict[str, Page | Exception]) -> None:
    found = visited(ScanFetcher(answers), lost())
    assert found.error == LOST
    assert visited(ScanFetcher({**answers, FEED: page()}), source(site_url=SITE)).outcome == FAILED


def test_not_every_link_of_a_page_is_tried() -> None:
    web = ScanFetcher({SITE: declares(*(f"/{n}" for n in range(50)))})
    visited(web, source(site_url=SITE))
    assert web.requests == 5


def test_a_lost_page_is_not_looked_for() -> None:
    web = ScanFetcher({SITE: declares("/new"), "https://e.org/new": ONE})
    assert visited(web, direct(site_url=SITE)).outcome == FAILED
    assert web.requests == 1


# --- pages without a feed ---------------------------------------------------------------------

LISTING = """<main><article><h2><a href="/news/2026/a-long-story-of-the-day">A long story of the day</a></h2>
    <time datetime="2026-02-12">12 February</time></article>
    <article><h2><a href="/news/2026/another-story-of-the-day">Another story of the day</a></h2>
    <time datetime="2026-02-11">11 February</time></article></main>"""
LISTED = [
    "https://e.org/news/2026/a-long-story-of-the-day",
    "https://e.org/news/2026/another-story-of-the-day",
]


def news(*names: str, day: str = "2026-02-12") -> Page:
    items = "".join(
        f"<url><loc>{name}</loc><n:news><n:publication_date>{day}</n:publication_date><n:title>T</n:title>"
        "</n:news></url>"
        for name in names
    )
    space = "http://www.google.com/schemas/sitemap-news/0.9"
    return Page(f'<urlset xmlns:n="{space}">{items}</urlset>'.encode(), "application/xml")


def robots(*sitemaps: str) -> Page:
    return Page("".join(f"Sitemap: {url}\n" for url in sitemaps).encode(), "text/plain")


def everywhere() -> ScanFetcher:
    """A page with all that the cascade knows."""
    listing = declares("/news/feed")
    body = listing.body.replace(b"<body>", b"<body>" + LISTING.encode())
    return ScanFetcher(
        {
            "https://e.org/news/": replace(listing, body=body, etag='"1"'),
            "https://e.org/news/feed": rss(item("https://e.org/news/by-feed")),
            "https://e.org/robots.txt": robots(SITEMAP),
            SITEMAP: news("https://e.org/news/by-sitemap"),
        }
    )


def test_the_cascade_in_its_order() -> None:
    web = everywhere()
    found = visited(web, direct(link_selector="article:last-of-type a"))
    assert (urls(found), found.lane) == (LISTED[1:], "listing")
    assert found.candidates[0].found_by == "selector"
    assert web.requests == 1
    found = visited(web, direct())
    assert (urls(found), found.lane) == (["https://e.org/news/by-feed"], "fast")
    del web.answers["https://e.org/news/feed"]
    found = visited(web, direct())
    assert (urls(found), found.lane) == (["https://e.org/news/by-sitemap"], "sitemap")
    assert found.candidates[0].date_from == "sitemap"
    del web.answers[SITEMAP]
    found = visited(web, direct())
    assert (urls(found), found.lane) == (LISTED, "listing")
    assert [one.published_at for one in found.candidates] == [DAY, datetime(2026, 2, 11, tzinfo=UTC)]


def test_a_date_selector_alone_means_the_page_too() -> None:
    found = visited(everywhere(), direct(date_selector="time"))
    assert (found.lane, urls(found)) == ("listing", LISTED)


def test_a_bad_selector_fails_in_words() -> None:
    found = visited(everywhere(), direct(link_selector="a["))
    assert found.outcome == FAILED
    assert found.error is not None and "not a CSS selector" in found.error


def test_what_stands_elsewhere_is_read_even_if_the_page_is_the_same() -> None:
    web = everywhere()
    assert visited(web, direct()).remembered == Remembered()  # a feed
    del web.answers["https://e.org/news/feed"]
    assert visited(web, direct()).remembered == Remembered()  # a sitemap
    del web.answers[SITEMAP]
    # The feed may only be ill today.
    assert visited(web, direct()).remembered == Remembered()
    listing = page(body=LISTING)
    web.answers["https://e.org/news/"] = listing
    assert visited(web, direct()).remembered == Remembered(body_sha256=hashed(listing))


def test_a_page_without_articles_says_so_every_time() -> None:
    web = ScanFetcher({"https://e.org/news/": page(body="<p>Soon.</p>")})
    first = visited(web, direct())
    assert (first.outcome, first.candidates, first.lane) == (OK, (), "listing")
    assert first.error is not None and first.error.startswith("no articles found on the page")
    assert visited(web, direct(), first.remembered) == first


@pytest.mark.parametrize("feed", [rss(), page(), Page(status=500), no_answer("x")])
def test_a_declared_feed_that_gives_nothing_is_passed_over(feed: Page | Exception) -> None:
    web = everywhere()
    web.answers["https://e.org/news/feed"] = feed
    assert visited(web, direct()).lane == "sitemap"


def test_a_linked_feed_is_not_a_declared_one() -> None:
    web = ScanFetcher(
        {
            "https://e.org/news/": page(body=LISTING + '<a href="/feed">RSS</a>'),
            FEED: rss(item("https://e.org/by-feed")),
        }
    )
    assert urls(visited(web, direct())) == LISTED


@pytest.mark.parametrize(
    ("listed", "page_url", "expected"),
    [
        (["https://e.org/news/a", "https://e.org/sport/b"], "https://e.org/news/", ["https://e.org/news/a"]),
        (
            ["https://e.org/news/a", "https://e.org/newsroom/b"],
            "https://e.org/news",
            ["https://e.org/news/a"],
        ),
        (["https://www.e.org/news/a"], "https://e.org/news/?page=1", ["https://www.e.org/news/a"]),
        (
            ["https://e.org/news/a", "https://e.org/b"],
            "https://e.org/",
            ["https://e.org/news/a", "https://e.org/b"],
        ),
        (["https://e.org/a"], "https://e.org", ["https://e.org/a"]),
        (["https://other.example/news/a"], "https://e.org/news/", []),
        (["https://e.org"], "https://e.org/news/", []),
    ],
)
def test_a_sitemap_speaks_only_for_the_page_s_part_of_the_site(
    listed: list[str], page_url: str, expected: list[str]
) -> None:
    web = ScanFetcher({page_url: page(), "https://e.org/robots.txt": robots(SITEMAP), SITEMAP: news(*listed)})
    assert urls(visited(web, direct(page_url))) == expected


def test_only_news_sitemaps_count() -> None:
    plain = Page(b"<urlset><url><loc>https://e.org/news/a</loc></url></urlset>", "application/xml")
    web = ScanFetcher(
        {
            "https://e.org/news/": page(),
            "https://e.org/robots.txt": robots("https://e.org/sitemap.xml", SITEMAP),
            "https://e.org/sitemap.xml": news("https://e.org/news/b"),
            SITEMAP: plain,
        }
    )
    assert visited(web, direct()).candidates == ()
    assert web.times("https://e.org/sitemap.xml") == 0
    web.answers[SITEMAP] = Page(b"<html>", HTML)
    assert visited(web, direct()).candidates == ()


def test_an_index_leads_to_its_newest_news() -> None:
    children = [("https://e.org/news-1.xml", "2026-02-10"), ("https://e.org/news-2.xml", None)] + [
        (f"https://e.org/news-{n}.xml", f"2026-02-{10 + n}") for n in (3, 4)
    ]
    index = "".join(
        f"<sitemap><loc>{url}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</sitemap>"
        for url, day in children
    )
    web = ScanFetcher(
        {
            "https://e.org/news/": page(),
            "https://e.org/robots.txt": robots(SITEMAP),
            SITEMAP: Page(f"<sitemapindex>{index}</sitemapindex>".encode(), "application/xml"),
            "https://e.org/news-4.xml": news("https://e.org/news/four"),
            "https://e.org/news-1.xml": news("https://e.org/news/one"),
            "https://e.org/news-2.xml": news("https://e.org/news/two"),
        }
    )
    assert urls(visited(web, direct())) == ["https://e.org/news/four", "https://e.org/news/one"]
    assert web.times("https://e.org/news-2.xml") == 0


# --- where news sitemaps are ------------------------------------------------------------------


def index(*children: str) -> Page:
    items = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in children)
    return Page(f"<sitemapindex>{items}</sitemapindex>".encode(), "application/xml")


def sitemaps(web: ScanFetcher) -> list[str]:
    """The paths that were asked for beside the page."""
    return [asked.url.removeprefix("https://e.org") for asked in web.asked[1:]]


def test_an_index_that_robots_txt_names_leads_to_its_news() -> None:
    news_map = news("https://e.org/news/a")
    web = ScanFetcher(
        {
            "https://e.org/news/": page(body=LISTING),
            "https://e.org/robots.txt": robots("https://e.org/sitemap.xml"),
            "https://e.org/sitemap.xml": index(
                "https://e.org/posts.xml", "https://e.org/sitemap-news.xml.gz"
            ),
            "https://e.org/sitemap-news.xml.gz": replace(news_map, body=gzip.compress(news_map.body)),
        }
    )
    found = visited(web, direct())
    assert (urls(found), found.lane) == (["https://e.org/news/a"], "sitemap")
    assert sitemaps(web) == ["/sitemap.xml", "/sitemap-news.xml.gz"]


def test_a_news_sitemap_at_a_usual_place() -> None:
    web = ScanFetcher({"https://e.org/news/": page(), SITEMAP: news("https://e.org/news/a")})
    assert urls(visited(web, direct())) == ["https://e.org/news/a"]
    assert web.asked[1] == Asked("GET", SITEMAP, obey_robots=True)
    web.closed.add(SITEMAP)
    assert visited(web, direct()).candidates == ()


@pytest.mark.parametrize(
    ("named", "answers", "asked"),
    [
        # Nothing is named: a few guesses, as long as none is right.
        ([], {}, ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml"]),
        (
            [],
            {SITEMAP: news("https://e.org/b")},
            ["/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml"],
        ),
        # Something is named: no guesses.
        (["/s.xml"], {}, ["/s.xml"]),
        (["/s.xml"], {"https://e.org/s.xml": index("https://e.org/posts.xml")}, ["/s.xml"]),
        # News first; the rest only if those cannot be read.
        (["/s.xml", "/news.xml"], {}, ["/news.xml", "/s.xml"]),
        (["/s.xml", "/news.xml"], {"https://e.org/news.xml": news()}, ["/news.xml"]),
        (
            ["/news-en.xml", "/news-de.xml"],
            {"https://e.org/news-en.xml": news("https://e.org/en/a")},
            ["/news-en.xml", "/news-de.xml"],
        ),
        # Never more than three beyond the first.
        ([f"/{n}.xml" for n in range(9)], {}, [f"/{n}.xml" for n in range(4)]),
        (
            ["/news.xml", "/s.xml"],
            {"https://e.org/s.xml": index(*(f"https://e.org/news-{n}.xml" for n in range(9)))},
            ["/news.xml", "/s.xml", "/news-0.xml", "/news-1.xml"],
        ),
    ],
)
def test_few_sitemaps_are_asked_for(named: list[str], answers: dict[str, Page], asked: list[str]) -> None:
    web = ScanFetcher({"https://e.org/news/": page(body=LISTING), **answers})
    web.answers["https://e.org/robots.txt"] = robots(*named)
    assert visited(web, direct()).lane == "listing"
    assert sitemaps(web) == asked
