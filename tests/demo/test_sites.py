"""The demo web is complete, deterministic, and dated relative to the moment it is built for."""

import io
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import feedparser
import pytest
from lxml import etree, html

from digestlog.demo.sites import HOSTS, SHOP_ADDRESS, SOURCES, STORIES, Page, build

NOW = datetime(2031, 5, 14, 15, 30, 12, 345678, tzinfo=UTC)
PAGES = build(NOW)
DAY = timedelta(hours=24)
FORBIDDEN = {"http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:1/"}

XML_FEEDS = {
    ("harbour-times.example", "/rss.xml"): ("rss20", 7),
    ("harbour-times.example", "/comments/rss.xml"): ("rss20", 3),
    ("tidepool-review.example", "/atom.xml"): ("atom10", 4),
    ("slow-lantern.example", "/index.rdf"): ("rss10", 4),
    ("north-quay-sport.example", "/feed.xml"): ("rss20", 2),
    ("lighthouse-weather.example", "/feed.xml"): ("atom10", 1),
    ("allotment-club.example", "/feeds/all.xml"): ("rss20", 1),
    ("petit-phare.example", "/rss.xml"): ("rss20", 2),
}
BROKEN = ("gull-street.example", "/feed.rss")
JSON_FEED = ("signal-and-spanner.example", "/feed.json")
COUNCIL = ("port-alder-council.example", "/news")
BUSINESS = ("alder-valley-business.example", "/")
ALL_FEEDS = [*XML_FEEDS, BROKEN, JSON_FEED]


def parsed(key: tuple[str, str], pages: dict[tuple[str, str], Page] = PAGES) -> feedparser.FeedParserDict:
    page = pages[key]
    return feedparser.parse(io.BytesIO(page.body), response_headers={"content-type": page.content_type})


def feed_links(key: tuple[str, str]) -> list[str]:
    if key == JSON_FEED:
        return [item["url"] for item in json.loads(PAGES[key].body)["items"]]
    return [entry.link for entry in parsed(key).entries]


def links(key: tuple[str, str]) -> list[str]:
    tree = html.fromstring(PAGES[key].body)
    return [urljoin("http://{}{}".format(*key), str(href)) for href in tree.xpath("//@href")]


def follow(url: str) -> tuple[str, list[int]]:
    """Where `url` ends, and the status of each step on the way."""
    steps: list[int] = []
    while url not in FORBIDDEN:
        parts = urlsplit(url)
        page = PAGES[parts.netloc, parts.path or "/"]
        steps.append(page.status)
        if page.location is None:
            break
        url = urljoin(url, page.location)
    return url, steps


def bare(url: str) -> str:
    parts = urlsplit(url)
    return f"http://{parts.netloc}{parts.path}"


def html_pages() -> list[tuple[str, str]]:
    return [key for key, page in PAGES.items() if page.content_type.startswith("text/html") and page.etag]


def linked_data(key: tuple[str, str]) -> dict[str, object]:
    (script,) = html.fromstring(PAGES[key].body).xpath("//script[@type='application/ld+json']/text()")
    value: dict[str, object] = json.loads(script)
    return value


# The web as a whole


def test_same_moment_same_web() -> None:
    assert build(NOW) == PAGES
    assert build(NOW, 3) == build(NOW, 3)


def test_same_moment_in_another_zone_is_the_same_web() -> None:
    assert build(NOW.astimezone(timezone(timedelta(hours=-7)))) == PAGES


def test_naive_time_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        build(datetime(2031, 5, 14))


def test_addresses_do_not_depend_on_the_moment() -> None:
    assert build(NOW + timedelta(days=400)).keys() == PAGES.keys()


def test_all_hosts_are_reserved_names() -> None:
    assert {host for host, _ in PAGES} == HOSTS
    assert all(host.endswith(".example") and host == host.lower() for host in HOSTS)


def test_paths_have_neither_query_nor_fragment() -> None:
    assert all(path.startswith("/") and not set("?#") & set(path) for _, path in PAGES)


def test_etags_are_strong_and_only_on_whole_pages() -> None:
    for page in PAGES.values():
        assert (page.etag is not None) == (page.status == 200)
        assert page.etag is None or re.fullmatch(r'"[0-9a-f]{32}"', page.etag)


def test_etags_differ_where_bodies_differ() -> None:
    whole = [page for page in PAGES.values() if page.etag]
    assert len({page.etag for page in whole}) == len({page.body for page in whole})


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_robots_allow_all_but_the_councils_drafts(host: str) -> None:
    robots = RobotFileParser()
    robots.parse(PAGES[host, "/robots.txt"].body.decode().splitlines())
    assert robots.can_fetch("digestlog", f"http://{host}/anything")
    assert robots.can_fetch("digestlog", f"http://{host}/private/x") == (host != COUNCIL[0])


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.address)
def test_sources_lead_somewhere(source) -> None:
    url = source.address if "://" in source.address else f"http://{source.address}"
    end, steps = follow(url)
    assert source.why
    assert end in FORBIDDEN or steps[-1] == (410 if "retired" in url else 200)


# Links


@pytest.mark.parametrize("key", ALL_FEEDS, ids="".join)
def test_feed_links_end_at_articles(key: tuple[str, str]) -> None:
    stories = {story.url for story in STORIES}
    for link in feed_links(key):
        end, steps = follow(link)
        assert steps[-1] == 200
        assert bare(end) in stories


@pytest.mark.parametrize("key", html_pages(), ids="".join)
def test_page_links_end_at_pages(key: tuple[str, str]) -> None:
    for link in links(key):
        end, steps = follow(link)
        assert end in FORBIDDEN if key[0] == "trapdoor.example" else steps[-1] == 200


def test_every_article_is_listed_by_its_site() -> None:
    listed = {bare(link) for key in html_pages() if key[1] in ("/", "/news") for link in links(key)}
    assert {story.url for story in STORIES} <= listed


def test_one_chain_has_two_hops() -> None:
    chains = [follow(link)[1] for key in ALL_FEEDS for link in feed_links(key)]
    assert [302, 301, 200] in chains
    assert [301, 200] in chains
    assert [302, 200] in chains


def test_one_article_is_in_two_feeds_decorated_and_shortened() -> None:
    library = "http://harbour-times.example/politics/library-hours-saved"
    (decorated,) = (x for x in feed_links(("harbour-times.example", "/rss.xml")) if bare(x) == library)
    (short,) = (x for x in feed_links(("slow-lantern.example", "/index.rdf")) if "//go." in x)
    assert "utm_source=" in decorated and "#" in decorated
    assert bare(follow(short)[0]) == library


def test_the_bridge_is_reported_by_three_sites_in_their_own_words() -> None:
    told = [story for story in STORIES if "swing bridge" in story.title.lower()]
    assert len({story.host for story in told}) == len(told) == 3
    assert len({p for story in told for p in story.paragraphs}) == sum(len(s.paragraphs) for s in told)
    assert all(x in story.text for story in told for x in ("stuck open", "North Quay", "bearing", "dredger"))


def test_traps_lead_to_private_addresses() -> None:
    doors = {follow(f"http://trapdoor.example{path}")[0] for path in ("/feed.xml", "/inside")}
    assert doors == FORBIDDEN


def test_moved_and_gone_feeds() -> None:
    assert PAGES["allotment-club.example", "/rss"].status == 301
    assert follow("http://allotment-club.example/rss")[0] == "http://allotment-club.example/feeds/all.xml"
    assert PAGES["retired-mariner.example", "/feed.xml"].status == 410


def test_only_the_weather_is_slow() -> None:
    assert [key for key, page in PAGES.items() if page.delay] == [("lighthouse-weather.example", "/feed.xml")]


# Feeds


@pytest.mark.parametrize("key", XML_FEEDS, ids="".join)
def test_feed_is_well_formed_and_whole(key: tuple[str, str]) -> None:
    feed = parsed(key)
    assert not feed.bozo
    assert (feed.version, len(feed.entries)) == XML_FEEDS[key]
    assert all(entry.title and entry.summary and entry.author for entry in feed.entries)


def test_broken_feed_still_has_its_entries() -> None:
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(PAGES[BROKEN].body)
    feed = parsed(BROKEN)
    assert feed.bozo
    assert [entry.link for entry in feed.entries] == [s.url for s in STORIES if s.host == BROKEN[0]]
    assert "Salt & Vinegar" in feed.entries[1].title


def test_json_feed() -> None:
    feed = json.loads(PAGES[JSON_FEED].body)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert len(feed["items"]) == 5
    assert all(item["date_published"].endswith("+01:00") for item in feed["items"])


def test_french_feed_is_latin_1_and_keeps_its_letters() -> None:
    key = ("petit-phare.example", "/rss.xml")
    assert b'encoding="iso-8859-1"' in PAGES[key].body
    assert [entry.title for entry in parsed(key).entries] == [s.title for s in STORIES if s.lang == "fr"]


@pytest.mark.parametrize(
    ("host", "paths"),
    [
        ("harbour-times.example", ["/rss.xml", "/comments/rss.xml"]),
        ("tidepool-review.example", ["/atom.xml"]),
        ("slow-lantern.example", ["/index.rdf"]),
        ("signal-and-spanner.example", ["/feed.json"]),
        ("gull-street.example", ["/feed.rss"]),
        ("petit-phare.example", ["/rss.xml"]),
        ("north-quay-sport.example", []),
        ("alder-valley-business.example", []),
        ("port-alder-council.example", []),
    ],
)
def test_declared_feeds(host: str, paths: list[str]) -> None:
    declared = html.fromstring(PAGES[host, "/"].body).xpath("//link[@rel='alternate']")
    assert [link.get("href") for link in declared] == paths
    assert all(PAGES[host, link.get("href")].content_type == link.get("type") for link in declared)


# Dates


def test_dates_move_with_now() -> None:
    later = build(NOW + timedelta(days=3))
    key = ("harbour-times.example", "/rss.xml")
    for old, new in zip(parsed(key).entries, parsed(key, later).entries, strict=True):
        gap = datetime(*new.published_parsed[:6]) - datetime(*old.published_parsed[:6])
        assert gap == timedelta(days=3)


def test_most_stories_are_of_the_last_day() -> None:
    ages = [NOW - story.published_at(NOW) for story in STORIES]
    assert sum(timedelta(0) < age < DAY for age in ages) >= 24
    assert sum(age > DAY for age in ages) == 6
    assert sum(age < timedelta(0) for age in ages) == 1


@pytest.mark.parametrize("hour", [0, 3, 12, 23])
def test_a_date_without_time_is_today_at_every_hour(hour: int) -> None:
    now = NOW.replace(hour=hour)
    whole_days = [story for story in STORIES if story.dated == "date"]
    assert {story.stamp(now) for story in whole_days} == {"2031-05-14"}
    assert all(now - story.published_at(now) < DAY for story in whole_days)


def test_the_blog_has_a_whole_day_and_an_undated_entry() -> None:
    dates = [entry.get("updated") for entry in parsed(("slow-lantern.example", "/index.rdf")).entries]
    assert dates == ["2031-05-14T08:30:12+00:00", "2031-05-14", None, "2031-05-13T23:30:12+00:00"]


# Pages


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.path)
def test_article_page(story) -> None:
    tree = html.fromstring(PAGES[story.host, story.path].body)
    assert tree.get("lang") == story.lang
    assert tree.xpath("string(//article/h1)") == story.title
    assert tree.xpath("//meta[@name='author']/@content") == [story.author]
    assert tree.xpath("//meta[@property='article:published_time']/@content") == [story.stamp(NOW)]
    assert tree.xpath("//article/p[not(@class)]/text()") == list(story.paragraphs)
    assert linked_data((story.host, story.path))["headline"] == story.title


def test_articles_are_worth_reading() -> None:
    assert len(STORIES) == len({story.url for story in STORIES}) == 33
    assert all(3 <= len(story.paragraphs) <= 6 and len(story.text.split()) > 100 for story in STORIES)
    assert sum(story.lang == "fr" for story in STORIES) == 2


def test_council_dates_its_articles_among_other_links() -> None:
    tree = html.fromstring(PAGES[COUNCIL].body)
    dates = tree.xpath("//article//time/@datetime")
    assert len(dates) == len(tree.xpath("//article/h2/a")) == 4
    assert "2031-05-14" in dates
    assert tree.xpath("//nav/a") and tree.xpath("//a[@rel='tag']")


def test_business_journal_lists_news_articles() -> None:
    value = linked_data(BUSINESS)
    assert value["@type"] == "ItemList"
    items = [element["item"] for element in value["itemListElement"]]
    assert {item["@type"] for item in items} == {"NewsArticle"}
    assert [item["url"] for item in items] == [s.url for s in STORIES if s.host == BUSINESS[0]]
    assert not html.fromstring(PAGES[BUSINESS].body).xpath("//time")


def shop(revision: int) -> str:
    host, _, path = SHOP_ADDRESS.partition("/")
    return build(NOW, revision)[host, f"/{path}"].body.decode()


def test_shop_changes_price_and_stock_once() -> None:
    assert "49.00</span> EUR" in shop(0) and "In stock: 12 pieces" in shop(0)
    for revision in (0, -1, -3):
        assert "49.00</span> EUR" in shop(revision) and "In stock: 12 pieces" in shop(revision)
    for revision in (1, 2):
        assert "44.50</span> EUR" in shop(revision) and "Only 3 left" in shop(revision)


def test_shop_noise_changes_each_time() -> None:
    for noise in (r'csrf_token" value="(\w+)"', r"Page generated at (\S+)<"):
        assert len({re.search(noise, shop(revision)).group(1) for revision in range(-2, 3)}) == 5


def test_a_revision_changes_nothing_but_the_shop() -> None:
    later = build(NOW, 1)
    assert ["/".join(key) for key in PAGES if PAGES[key] != later[key]] == [SHOP_ADDRESS.replace("/", "//")]
