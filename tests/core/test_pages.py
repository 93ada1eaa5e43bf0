from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.pages import (
    COMMON_FEED_PATHS,
    MAX_LINKED,
    FeedLink,
    feed_links,
    is_html,
    page_title,
)

URL = "https://www.example.com/blog/"


def urls(html: str, url: str = URL) -> list[str]:
    return [link.url for link in feed_links(html.encode(), url)]


def declared(href: str, kind: str = "application/rss+xml", title: str = "") -> str:
    return f'<link rel="alternate" type="{kind}" href="{href}" title="{title}">'


def test_a_declared_feed() -> None:
    html = "<html><head>" + declared("/feed", title=" My\n &amp; feed ") + "</head></html>"
    assert feed_links(html.encode(), URL) == [
        FeedLink("https://www.example.com/feed", "My & feed", "declared")
    ]


@pytest.mark.parametrize(
    ("kind", "href", "expected"),
    [
        ("application/rss+xml", "/x", True),
        ("Application/RSS+XML; charset=utf-8", "/x", True),
        ("application/atom+xml", "/x", True),
        ("application/rdf+xml", "/x", True),
        ("application/feed+json", "/x", True),
        ("text/xml", "/x", True),
        ("application/xml", "/x", True),
        ("application/json", "/feed.json", True),
        ("application/json", "/wp-json/wp/v2/pages/2", False),
        ("application/json", "/wp-json/feed", False),
        ("application/json", "/api", False),
        ("application/json+oembed", "/oembed?url=x", False),
        ("text/xml", "/oembed?format=xml", False),
        ("text/html", "/feed", False),
        ("text/css", "/x.css", False),
        ("", "/de/", False),
        ("application/rss+xml", "", False),
        ("application/rss+xml", "javascript:alert(1)", False),
        ("application/rss+xml", "file:///etc/passwd", False),
        ("application/rss+xml", "http://[bad/", False),
    ],
)
def test_declared_types(kind: str, href: str, expected: bool) -> None:
    assert bool(urls(declared(href, kind))) is expected


def test_a_title_can_make_json_a_feed() -> None:
    assert urls(declared("/x", "application/json", "JSON Feed")) == ["https://www.example.com/x"]


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<LINK REL="Alternate HOME" TYPE="application/rss+xml" HREF="/f">', True),
        ("<link rel=feed href=/f>", True),
        ("<link rel=feed type=text/html href=/f>", False),
        ('<link rel="alternate" hreflang="de" href="/f">', False),
        ('<link rel="stylesheet" type="application/rss+xml" href="/f">', False),
        ('<link type="application/rss+xml" href="/f">', False),
        ('<!-- <link rel="alternate" type="application/rss+xml" href="/f"> -->', False),
        ("<script>'<link rel=alternate type=application/rss+xml href=/f>'</script>", False),
    ],
)
def test_rel(link: str, expected: bool) -> None:
    assert urls(link) == (["https://www.example.com/f"] if expected else [])


def test_comments_go_last_and_the_rest_keeps_its_order() -> None:
    html = (
        declared("/c", title="Site » Comments Feed")
        + declared("/comments/feed/")
        + declared("/b")
        + declared("/a", "application/atom+xml")
    )
    assert [url.removeprefix("https://www.example.com") for url in urls(html)] == [
        "/b",
        "/a",
        "/c",
        "/comments/feed/",
    ]


def test_duplicates_and_fragments() -> None:
    html = declared("/feed") + declared("https://www.example.com:443/feed#x") + '<a href="/feed">RSS</a>'
    assert urls(html) == ["https://www.example.com/feed"]


@pytest.mark.parametrize(
    ("base", "href", "expected"),
    [
        ("", "feed", "https://www.example.com/blog/feed"),
        ("", "//cdn.example.net/f", "https://cdn.example.net/f"),
        ("", "feed://example.com/f", "http://example.com/f"),
        ("", " \n../f x ", "https://www.example.com/f%20x"),
        ('<base href="/other/">', "feed", "https://www.example.com/other/feed"),
        ('<base href="https://b.example/"><base href="/no/">', "feed", "https://b.example/feed"),
        ('<base target="_top"><base href="/x/">', "feed", "https://www.example.com/x/feed"),
        ('<base href="javascript:1">', "feed", "https://www.example.com/blog/feed"),
        ('<base href="http://[bad">', "feed", "https://www.example.com/blog/feed"),
    ],
)
def test_joining(base: str, href: str, expected: str) -> None:
    assert urls(base + declared(href)) == [expected]


def test_a_page_address_that_is_none() -> None:
    html = declared("https://e.com/f") + '<a href="/feed">RSS</a>'
    assert urls(html, "not an address") == []


@pytest.mark.parametrize(
    "href",
    [
        "/feed",
        "/feed/",
        "/rss",
        "/x/rss.xml",
        "/atom.xml",
        "/feed.xml",
        "/feed.json",
        "/index.xml",
        "/posts.rss",
    ]
    + [
        "/posts.atom",
        "/index.rdf",
        "/feeds/posts/default",
        "/?feed=rss2",
        "/x?a=1&format=rss",
        "/feed?lang=de",
    ],
)
def test_linked_by_path(href: str) -> None:
    found = feed_links(f'<a href="{href}">here</a>'.encode(), URL)
    assert found == [FeedLink("https://www.example.com" + href, "here", "linked")]


@pytest.mark.parametrize(
    ("anchor", "title"),
    [
        ('<a href="/x">RSS</a>', "RSS"),
        ('<a href="/x"><b>Atom</b> 1.0 </a>', "Atom 1.0"),
        ('<a href="/x">Subscribe via RSS</a>', "Subscribe via RSS"),
        ('<a href="/x" title="RSS feed"><svg><title></title></svg></a>', "RSS feed"),
        ('<a href="/x" aria-label="Feed"><img src="y"></a>', "Feed"),
    ],
)
def test_linked_by_text(anchor: str, title: str) -> None:
    assert feed_links(anchor.encode(), URL) == [FeedLink("https://www.example.com/x", title, "linked")]


@pytest.mark.parametrize(
    "anchor",
    [
        '<a href="/birds">Feed the birds</a>',
        '<a href="/feedback">Feedback</a>',
        '<a href="/about-rss.html">How feeds work</a>',
        '<a href="#feed">RSS</a>',
        "<a>RSS</a>",
        '<a name="rss">RSS</a>',
        '<a href="mailto:rss@example.com">RSS</a>',
        '<a href="https://elsewhere.org/feed">RSS</a>',
        '<a href="https://notexample.com/feed">RSS</a>',
        '<a href="/wp-json/feed">RSS</a>',
    ],
)
def test_not_linked(anchor: str) -> None:
    assert urls(anchor) == []


@pytest.mark.parametrize(
    "href",
    ["http://example.com/feed", "https://news.example.com/feed", "https://feeds.feedburner.com/x/rss"],
)
def test_hosts_nearby(href: str) -> None:
    assert urls(f'<a href="{href}">here</a>') == [href]


def test_declared_before_linked_and_paths_before_texts() -> None:
    html = '<a href="/x">RSS</a><a href="/comments/feed">c</a><a href="/feed">f</a>' + declared("/d")
    assert [url.removeprefix("https://www.example.com") for url in urls(html)] == [
        "/d",
        "/feed",
        "/x",
        "/comments/feed",
    ]


def test_linked_feeds_are_few() -> None:
    html = "".join(f'<a href="/tag/{number}/feed">x</a>' for number in range(500))
    assert len(urls(html)) == MAX_LINKED


def test_links_below_many_open_elements() -> None:
    assert urls("<div>" * 5000 + declared("/f")) == ["https://www.example.com/f"]


def test_common_paths() -> None:
    assert COMMON_FEED_PATHS[0] == "/feed"
    assert len(set(COMMON_FEED_PATHS)) == len(COMMON_FEED_PATHS) <= 10
    assert all(path.startswith("/") for path in COMMON_FEED_PATHS)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A\n &amp; B </title>", "A & B"),
        ('<title>page</title><meta property="og:site_name" content=" Site ">', "Site"),
        ('<meta name="OG:site_name" content="Site"><meta property="og:site_name" content="no">', "Site"),
        ('<title>page</title><meta property="og:site_name" content=" ">', "page"),
        ('<title>page</title><meta property="og:title" content="x"><meta charset=utf-8>', "page"),
        ("<svg><title>icon</title></svg><title>page</title>", "page"),
        ("<title>one</title><title>two</title>", "one"),
        ("<title>a &lt;b&gt; tag</title>", "a <b> tag"),
        ("<title>nul\x00 bell\x07</title>", "nul bell"),
        ("<title></title>", None),
        ("<p>none</p>", None),
        ("", None),
    ],
)
def test_page_title(html: str, title: str | None) -> None:
    assert page_title(html.encode()) == title


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        ("<title>Café</title>".encode(), None),
        ("<title>Café</title>".encode("cp1252"), None),
        ("<title>Café</title>".encode("cp1252"), "utf-8"),
        ("<title>Café</title>".encode("utf-16"), None),
        ("\ufeff<title>Café</title>".encode(), "iso-8859-1"),
        ("<meta charset='mac-cyrillic'><title>Café</title>".encode(), "utf-8"),
        ('<meta charset="utf-8"><title>Café</title>'.encode(), "no-such-charset"),
    ],
)
def test_encodings(body: bytes, charset: str | None) -> None:
    assert page_title(body, charset) == "Café"


@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="windows-1251">',
        '<META http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<?xml version="1.0" encoding="windows-1251"?>',
    ],
)
def test_declared_encodings(head: str) -> None:
    assert page_title((head + "<title>Привет</title>").encode("cp1251")) == "Привет"


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"<!doctype html><p>x", None, True),
        (b"<!doctype html><p>x", "text/plain", True),
        (b"\xef\xbb\xbf \n<!DOCTYPE HTML PUBLIC 'x'>words", "", True),
        ("<!doctype html>".encode("utf-16"), "text/html", True),
        (b"<?xml version='1.0'?><html xmlns='x'/>", "application/xml", True),
        (b"<!-- c --><div>x</div>", None, True),
        (b"<!doctype html>", "application/json", False),
        (b"<html>", "image/png", False),
        (b"words", "text/html; charset=utf-8", True),
        (b"<custom-tag>", "TEXT/HTML", True),
        (b"words", None, False),
        (b"words", "text/plain", False),
        (b"<rss version='2.0'>", "text/html", False),
        (b"<feed xmlns='x'>", "text/html", False),
        (b"<svg>", None, False),
        (b"<opml>", "text/html", False),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text/html", False),
        (b"", "text/html", False),
        (b"  \n", "text/html", False),
        (b"", None, False),
    ],
)
def test_is_html(body: bytes, content_type: str | None, expected: bool) -> None:
    assert is_html(body, content_type) is expected


@pytest.mark.parametrize(
    "piece", ["<a href=/feed>rss", "<!--", "<meta ", "<link rel=alternate ", "<svg>", "&", "<"]
)
def test_linear_time(piece: str) -> None:
    start = time.process_time()
    feed_links(piece.encode() * 50_000, URL)
    assert time.process_time() - start < 10


@given(st.binary(), st.text(), st.none() | st.text())
def test_never_raises_on_bytes(body: bytes, url: str, charset: str | None) -> None:
    feed_links(body, url, charset)
    page_title(body, charset)
    is_html(body, charset)


@given(
    st.lists(
        st.sampled_from(
            ["<a ", "<link rel=alternate ", "type=text/xml ", "href=", ">", "</a>", "\0", "'", "é"]
        )
    )
)
def test_never_raises_on_tags(pieces: list[str]) -> None:
    for link in feed_links("".join(pieces).encode(), URL):
        assert link.url.startswith(("http://", "https://"))
