"""The demo web's hosts and pages: every way in which real sites publish, move, break and mislead."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256

from digestlog.demo import feeds, markup
from digestlog.demo.leisure import LEISURE
from digestlog.demo.markup import Alternate
from digestlog.demo.science import SCIENCE
from digestlog.demo.story import Story
from digestlog.demo.town import TOWN

HTML = "text/html; charset=utf-8"
STORIES: tuple[Story, ...] = TOWN + SCIENCE + LEISURE


@dataclass(frozen=True)
class Page:
    """What the demo web answers at one address."""

    status: int
    content_type: str
    body: bytes
    location: str | None = None
    delay: bool = False
    etag: str | None = None


@dataclass(frozen=True)
class DemoSource:
    """An address that a person would add as a source, and what it shows."""

    address: str
    why: str


@dataclass(frozen=True)
class _Site:
    """A host that publishes a feed, and how it does so."""

    host: str
    name: str
    tagline: str
    path: str
    content_type: str
    write: Callable[[feeds.Channel], bytes]
    declared: bool = True
    lang: str = "en"


Pages = dict[tuple[str, str], Page]

_RSS = "application/rss+xml"
_SITES = (
    _Site("harbour-times.example", "The Harbour Times", "Port Alder's daily since 1888",
          "/rss.xml", _RSS, feeds.rss),
    _Site("tidepool-review.example", "Tidepool Review", "Science from between the tides",
          "/atom.xml", "application/atom+xml", feeds.atom),
    _Site("slow-lantern.example", "Slow Lantern", "Notes by Hester Lowe",
          "/index.rdf", "application/rdf+xml", feeds.rdf),
    _Site("signal-and-spanner.example", "Signal & Spanner", "How things in Port Alder work",
          "/feed.json", "application/feed+json", feeds.json_feed),
    _Site("north-quay-sport.example", "North Quay Sport", "Every result on both banks of the Sallow",
          "/feed.xml", "application/xml", feeds.rss, declared=False),
    _Site("gull-street.example", "Gull Street Gazette", "Plays, music & pictures",
          "/feed.rss", _RSS, feeds.broken_rss),
    _Site("lighthouse-weather.example", "Gannet Light Weather", "Bulletins from the lamp gallery",
          "/feed.xml", "application/atom+xml", feeds.atom),
    _Site("allotment-club.example", "Port Alder Allotment Club", "A diary in all weathers",
          "/feeds/all.xml", _RSS, feeds.rss, declared=False),
    _Site("petit-phare.example", "Le Petit Phare", "Les nouvelles francophones de Port Alder",
          "/rss.xml", _RSS, partial(feeds.rss, encoding="iso-8859-1"), lang="fr"),
)  # fmt: skip

_SLOW = "lighthouse-weather.example"
_COMMENTED = "harbour-times.example"
_COUNCIL = ("port-alder-council.example", "Port Alder Town Council")
_BUSINESS = ("alder-valley-business.example", "Alder Valley Business")
_SHORTENER = "go.alder.example"
_SHOP = "alder-chandlery.example"
_GONE = "retired-mariner.example"
_TRAP = "trapdoor.example"

_NAMES = {site.host: site.name for site in _SITES} | dict((_COUNCIL, _BUSINESS))
HOSTS: frozenset[str] = frozenset(_NAMES) | {_SHORTENER, _SHOP, _GONE, _TRAP}

_LIBRARY = "http://harbour-times.example/politics/library-hours-saved"
_EELGRASS = "http://tidepool-review.example/articles/eelgrass-carbon-ledger"
_GIG = "http://north-quay-sport.example/rowing/gig-crew-crosses-the-strait"

# What a site's feed prints in place of the article's own address, and what it adds of others' articles.
_SHORTENED = {_GIG: f"http://{_SHORTENER}/gig"}
_RECOMMENDED = {
    "slow-lantern.example": (_LIBRARY, f"http://{_SHORTENER}/library"),
    "signal-and-spanner.example": (_EELGRASS, f"http://{_SHORTENER}/read-this"),
}

# The last two lead to private addresses, where nobody following a link from the web should be taken.
_REDIRECTS = (
    (_SHORTENER, "/library", 301, f"{_LIBRARY}?utm_source=alder-go&utm_medium=short"),
    (_SHORTENER, "/gig", 302, _GIG),
    (_SHORTENER, "/read-this", 302, f"http://{_SHORTENER}/e7"),
    (_SHORTENER, "/e7", 301, _EELGRASS),
    ("allotment-club.example", "/rss", 301, "/feeds/all.xml"),
    (_TRAP, "/feed.xml", 302, "http://169.254.169.254/latest/meta-data/"),
    (_TRAP, "/inside", 302, "http://127.0.0.1:1/"),
)

_COMMENTS = (
    ("/news/swing-bridge-stuck-open", "Nils", 8.0,
     "The ferry took my bicycle and a stranger's cello. Well done to the crew."),
    ("/news/swing-bridge-stuck-open", "Mrs Farrow", 7.5,
     "An inspection asked for this in the spring. Who read it?"),
    ("/politics/library-hours-saved", "Teodor", 13.0,
     "I was at the back of the chamber. You could have heard a page turn."),
)  # fmt: skip

SOURCES: tuple[DemoSource, ...] = (
    DemoSource("harbour-times.example", "a newspaper; its page declares an RSS feed, and one of comments"),
    DemoSource("tidepool-review.example", "a science magazine; its page declares an Atom feed"),
    DemoSource("slow-lantern.example", "a blog with an RSS 1.0 feed; one entry has no date"),
    DemoSource("signal-and-spanner.example", "an engineering site with a JSON Feed"),
    DemoSource("north-quay-sport.example", "sports pages; the feed is not declared, only at a common path"),
    DemoSource("port-alder-council.example/news", "a town council; a page with dated articles and no feed"),
    DemoSource("alder-valley-business.example", "a business journal; no feed, but a JSON-LD list"),
    DemoSource("gull-street.example", "reviews; the feed is not well-formed and is cut off"),
    DemoSource("lighthouse-weather.example", "weather; the feed is slow"),
    DemoSource("http://allotment-club.example/rss", "a garden diary; the feed has moved for good"),
    DemoSource("petit-phare.example", "news in French; the feed is encoded in ISO 8859-1"),
    DemoSource("http://retired-mariner.example/feed.xml", "a blog that has ended; the feed is gone"),
    DemoSource("http://trapdoor.example/feed.xml", "a trap; the feed leads to a private address"),
)

SHOP_ADDRESS = f"{_SHOP}/storm-lantern"


def build(now: datetime, revision: int = 0) -> Pages:
    """Every page of the demo web by host and path; the same arguments give the same pages."""
    if now.tzinfo is None:
        raise ValueError("now must be an aware time")
    now = now.astimezone(UTC)
    pages = _articles(now) | _council(now) | _business(now) | _comments(now) | _shop(now, revision)
    for site in _SITES:
        pages |= _published(site, now)
    return pages | _endings() | _redirects() | _robots()


def _ok(body: bytes, content_type: str = HTML, *, delay: bool = False) -> Page:
    return Page(200, content_type, body, delay=delay, etag=f'"{sha256(body).hexdigest()[:32]}"')


def _told_by(host: str) -> tuple[Story, ...]:
    return tuple(story for story in STORIES if story.host == host)


def _articles(now: datetime) -> Pages:
    return {(s.host, s.path): _ok(markup.article(s, _NAMES[s.host], now)) for s in STORIES}


def _published(site: _Site, now: datetime) -> Pages:
    channel = _channel(site, now)
    declared = [Alternate(site.name, site.content_type, site.path)] if site.declared else []
    if site.host == _COMMENTED:
        declared.append(Alternate(f"{site.name}: comments", _RSS, "/comments/rss.xml"))
    front = markup.home(site.name, site.tagline, site.lang, _told_by(site.host), declared)
    return {
        (site.host, "/"): _ok(front),
        (site.host, site.path): _ok(site.write(channel), site.content_type, delay=site.host == _SLOW),
    }


def _channel(site: _Site, now: datetime) -> feeds.Channel:
    entries = tuple(_entry(story, now) for story in _told_by(site.host)) + _recommended(site.host, now)
    root = f"http://{site.host}"
    return feeds.Channel(site.name, f"{root}/", root + site.path, site.tagline, site.lang, entries)


def _entry(story: Story, now: datetime) -> feeds.Entry:
    link = _SHORTENED.get(story.url, story.url)
    if story.host == _COMMENTED:
        link += f"?utm_source=rss&utm_medium=feed&utm_campaign={story.section.lower()}#top"
    at = story.published_at(now)
    return feeds.Entry(story.title, link, story.author, story.paragraphs[0], at, story.dated)


def _recommended(host: str, now: datetime) -> tuple[feeds.Entry, ...]:
    if host not in _RECOMMENDED:
        return ()
    url, link = _RECOMMENDED[host]
    story = next(story for story in STORIES if story.url == url)
    summary = f"Worth your time: {story.author} in {_NAMES[story.host]}."
    return (feeds.Entry(story.title, link, _NAMES[host], summary, story.published_at(now)),)


def _comments(now: datetime) -> Pages:
    root, name = f"http://{_COMMENTED}", _NAMES[_COMMENTED]
    titles = {story.path: story.title for story in _told_by(_COMMENTED)}
    entries = tuple(
        feeds.Entry(f"{who} on: {titles[path]}", f"{root}{path}#comment-{number}", who, text,
                    now.replace(microsecond=0) - timedelta(hours=hours))
        for number, (path, who, hours, text) in enumerate(_COMMENTS, 1)
    )  # fmt: skip
    url = f"{root}/comments/rss.xml"
    channel = feeds.Channel(f"{name}: comments", f"{root}/", url, "What readers say", "en", entries)
    return {(_COMMENTED, "/comments/rss.xml"): _ok(feeds.rss(channel), _RSS)}


def _council(now: datetime) -> Pages:
    host, name = _COUNCIL
    stories = _told_by(host)
    pages = {
        (host, f"/tags/{s.section.lower()}"): _ok(markup.notice(s.section, f"All that we do on {s.section}."))
        for s in stories
    }
    welcome = '<h1>Welcome</h1>\n<p><a href="/news">News</a> <a href="/contact">Contact</a></p>\n'
    draft = markup.notice("Draft minutes", "These minutes have not been agreed yet.")
    return pages | {
        (host, "/"): _ok(markup.document(name, welcome)),
        (host, "/news"): _ok(markup.dated_listing(name, stories, now)),
        (host, "/contact"): _ok(markup.notice("Contact", "The Guildhall, Market Square, Port Alder.")),
        (host, "/private/draft-minutes"): _ok(draft),
    }


def _business(now: datetime) -> Pages:
    host, name = _BUSINESS
    tagline = "Who makes, sells and hires along the Sallow"
    page = markup.linked_data_listing(name, tagline, _told_by(host), now)
    return {(host, "/"): _ok(page)}


def _shop(now: datetime, revision: int) -> Pages:
    front = '<h1>Alder Chandlery</h1>\n<p><a href="/storm-lantern">Storm lantern</a></p>\n'
    return {
        (_SHOP, "/"): _ok(markup.document("Alder Chandlery", front)),
        (_SHOP, "/storm-lantern"): _ok(markup.shop(now, revision)),
    }


def _endings() -> Pages:
    gone = markup.notice("Gone", "The Retired Mariner has put down his pen.")
    doors = '<h1>Trapdoor</h1>\n<p><a href="/feed.xml">Feed</a> <a href="/inside">Inside</a></p>\n'
    short = markup.notice("Alder Go", "Short addresses for Port Alder.")
    return {
        (_GONE, "/"): _ok(markup.notice("The Retired Mariner", "Thank you for reading, and fair winds.")),
        (_GONE, "/feed.xml"): Page(410, HTML, gone),
        (_TRAP, "/"): _ok(markup.document("Trapdoor", doors)),
        (_SHORTENER, "/"): _ok(short),
    }


def _redirects() -> Pages:
    body = markup.notice("Moved", "This page is at another address.")
    return {(host, path): Page(status, HTML, body, location=to) for host, path, status, to in _REDIRECTS}


def _robots() -> Pages:
    refused = {_COUNCIL[0]: "/private/"}
    return {
        (host, "/robots.txt"): _ok(
            f"User-agent: *\nDisallow: {refused.get(host, '')}\n".encode(), "text/plain; charset=utf-8"
        )
        for host in HOSTS
    }
