"""HTML bytes: what the page is called, and where its feeds are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from lxml import etree

from digestlog.core.html_tree import host, html_text, join_web
from digestlog.core.text import after_prolog, clean, decode, root_name, xml_legal

# The most common first: each miss costs a request.
COMMON_FEED_PATHS: tuple[str, ...] = (
    "/feed",
    "/feed/",
    "/rss",
    "/rss.xml",
    "/atom.xml",
    "/feed.xml",
    "/index.xml",
    "/feed.json",
    "/feeds/posts/default",
    "/index.rdf",
)
# A page of archives can link the feed of every tag; nobody wants to try them all.
MAX_LINKED = 20

_FEED_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/xml",
        "text/xml",
    }
)
_COMMENTS = re.compile(r"comment|kommentar|comentari|commenti\b|reacties", re.I)
_SAYS_FEED = re.compile(r"feed|rss|atom", re.I)
_NEVER_FEED = re.compile(r"oembed|/wp-json\b", re.I)
_FEED_PATH = re.compile(
    r"/(?:feeds?|rss2?|atom|rdf)/?\Z|/(?:rss2?|atom|feed|index)\.(?:xml|rdf)\Z|/feed\.json\Z"
    r"|\.(?:rss|atom)\Z|/feeds/posts/default/?\Z",
    re.I,
)
_FEED_QUERY = re.compile(r"[?&](?:feed|format|type)=(?:rss2?|atom|feed)(?:&|\Z)", re.I)
_FEED_WORDS = frozenset({"rss", "atom", "feed", "feeds"})
_WORDS_BESIDE = frozenset(
    "0 1 2 a by follow full in json me our site subscribe the this to us via with xml".split()
)
_FEED_HOSTS = (
    "feedburner.com",
    "feedproxy.google.com",
    "feedblitz.com",
    "feeds.acast.com",
    "feeds.buzzsprout.com",
    "feeds.megaphone.fm",
    "feeds.simplecast.com",
    "feeds.transistor.fm",
    "rss.art19.com",
    "rss.libsyn.com",
)
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_UNTOLD_TYPES = frozenset({"", "text/plain", "text/xml", "application/xml", "application/octet-stream"})
_HTML_ROOTS = frozenset(
    "html head body title meta link base script style noscript a article b br center div font footer form "
    "h1 h2 h3 header hr i iframe img main nav p pre section span strong table ul ol".split()
)
_XML_ROOTS = frozenset("rss rdf feed channel opml svg urlset sitemapindex".split())
_HTML_DOCTYPE = re.compile(r"\s*<!doctype\s+html\b", re.I)
_SNIFFED_BYTES = 4096


@dataclass(frozen=True, slots=True)
class FeedLink:
    """A feed that a page points to; `how` is "declared" in its head or "linked" in its text."""

    url: str
    title: str | None
    how: str


def feed_links(body: bytes, url: str, charset: str | None = None) -> list[FeedLink]:
    """The page's http(s) feeds, each once, the likeliest first and those of comments last; never raises."""
    page = _read(body, charset)
    base = _join(url, page.base) or url
    declared = list(_declared(page, base))
    linked = sorted(_linked(page, base, url), key=lambda found: not _path_says_feed(found.url))
    # The page itself is HTML, so an anchor within it is no feed.
    seen = {_join(url, url) or url}
    found = _unseen(sorted(declared, key=is_comments), seen)
    return [*found, *sorted(_unseen(linked, seen)[:MAX_LINKED], key=is_comments)]


def page_title(body: bytes, charset: str | None = None) -> str | None:
    """The site's name as the page gives it, else the page's title, cleaned; never raises."""
    page = _read(body, charset)
    return clean(page.site_name) or clean("".join(page.title))


def is_html(body: bytes, content_type: str | None) -> bool:
    """Whether the bytes are an HTML page, by their beginning first and by their label in doubt."""
    label = (content_type or "").partition(";")[0].strip().lower()
    text = decode(body[:_SNIFFED_BYTES]).lstrip("\ufeff")
    root = root_name(after_prolog(text))
    if _HTML_DOCTYPE.match(text) or root in _HTML_ROOTS:
        return label in _HTML_TYPES | _UNTOLD_TYPES
    return label in _HTML_TYPES and root not in _XML_ROOTS and "\x00" not in text and bool(text.strip())


class _Page:
    """Receives elements as the parser meets them and keeps those that name or link something."""

    def __init__(self) -> None:
        self.base = ""
        self.site_name: str | None = None
        self.title: list[str] = []
        self.links: list[dict[str, str]] = []
        self.anchors: list[tuple[dict[str, str], list[str]]] = []
        self._text: list[str] | None = None
        self._svg = 0

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        attributes = {name.lower(): value for name, value in attrib.items()}
        if tag == "base":
            self.base = self.base or attributes.get("href", "")
        elif tag == "link":
            self.links.append(attributes)
        elif tag == "meta":
            self._meta(attributes)
        elif tag == "svg":
            self._svg += 1
        elif tag == "title" and not self.title and not self._svg:
            self._text = self.title
        elif tag == "a":
            self._text = []
            self.anchors.append((attributes, self._text))

    def data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def end(self, tag: str) -> None:
        if tag == "svg":
            self._svg -= 1
        elif tag in ("a", "title"):
            self._text = None

    def close(self) -> None:
        """The parser asks every target for a result; this one's is in its fields."""

    def _meta(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("property") or attributes.get("name") or ""
        if name.strip().lower() == "og:site_name":
            self.site_name = self.site_name or clean(attributes.get("content"))


def _read(body: bytes, charset: str | None) -> _Page:
    page = _Page()
    # A target instead of a tree: libxml2 drops what lies deeper than 256 elements in a tree.
    parser = etree.HTMLParser(
        target=cast(Any, page),  # the stubs demand methods that lxml does not
        encoding="utf-8",
        recover=True,
        no_network=True,
        huge_tree=False,
    )
    etree.fromstring(xml_legal(html_text(body, charset)).encode(), parser)
    return page


def _declared(page: _Page, base: str) -> Iterator[FeedLink]:
    for link in page.links:
        href, title = link.get("href", ""), clean(link.get("title"))
        if _declares_feed(link, href, title or "") and (url := _join(base, href)):
            yield FeedLink(url, title, "declared")


def _declares_feed(link: Mapping[str, str], href: str, title: str) -> bool:
    rel = link.get("rel", "").lower().split()
    kind = link.get("type", "").partition(";")[0].strip().lower()
    if "alternate" not in rel and "feed" not in rel or _NEVER_FEED.search(href):
        return False
    if kind == "application/json":
        # WordPress declares its programming interface with this type.
        return bool(_SAYS_FEED.search(href) or _SAYS_FEED.search(title))
    return kind in _FEED_TYPES or ("feed" in rel and kind == "")


def _linked(page: _Page, base: str, page_url: str) -> Iterator[FeedLink]:
    home = host(page_url).removeprefix("www.")
    for attributes, parts in page.anchors:
        url = _join(base, attributes.get("href", ""))
        if url is None or not _is_near(host(url), home) or _NEVER_FEED.search(url):
            continue
        title = clean("".join(parts)) or clean(attributes.get("title")) or clean(attributes.get("aria-label"))
        if _path_says_feed(url) or _text_says_feed(title):
            yield FeedLink(url, title, "linked")


def _path_says_feed(url: str) -> bool:
    path, _, query = url.partition("?")
    return bool(_FEED_PATH.search(path) or _FEED_QUERY.search("?" + query))


def _text_says_feed(text: str | None) -> bool:
    """Whether the text is "RSS", "Subscribe via Atom" and the like, not "Feed the birds"."""
    words = set(re.findall(r"\w+", (text or "").lower()))
    return bool(words & _FEED_WORDS) and words <= _FEED_WORDS | _WORDS_BESIDE


def _is_near(host: str, home: str) -> bool:
    return any(host == near or host.endswith("." + near) for near in (home, *_FEED_HOSTS) if near)


def is_comments(link: FeedLink) -> bool:
    """True if a feed is one of readers' comments."""
    return bool(_COMMENTS.search(link.url) or _COMMENTS.search(link.title or ""))


def _unseen(links: Iterable[FeedLink], seen: set[str]) -> list[FeedLink]:
    fresh = []
    for link in links:
        if link.url not in seen:
            seen.add(link.url)
            fresh.append(link)
    return fresh


def _join(base: str, href: str) -> str | None:
    """The absolute http(s) address without its fragment, or None."""
    url = join_web(base, href)
    return url.partition("#")[0] if url else None
