from __future__ import annotations

import gzip
import time
from datetime import UTC, datetime
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import sitemaps
from digestlog.core.found import Found
from digestlog.core.sitemaps import NEWS_SITEMAP_PATHS, Sitemap, read_sitemap, robots_sitemaps, says_news
from digestlog.errors import ParseError

URL = "https://www.example.com/sitemap.xml"
NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)
NEWS = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {NAMESPACES}>
  <url>
    <image:image><image:loc>https://www.example.com/i.jpg</image:loc><image:title>P</image:title></image:image>
    <loc> https://www.example.com/n/bridge-closed?a=1&amp;b=2 </loc>
    <lastmod>2026-02-13T08:00:00Z</lastmod>
    <news:news>
      <news:publication><news:name>The Courier</news:name><news:language>de</news:language></news:publication>
      <news:publication_date>2026-02-12T14:03:12+01:00</news:publication_date>
      <news:title><![CDATA[Bridge & tunnel closed]]></news:title>
    </news:news>
  </url>
  <url><loc>/n/second</loc>
    <news:news><news:publication><news:language>de</news:language></news:publication>
    <news:publication_date>11.02.2026</news:publication_date>
    <news:title>Second &#8211; one</news:title></news:news>
  </url>
</urlset>"""


def urlset(*entries: str) -> bytes:
    return f"<urlset {NAMESPACES}>{''.join(f'<url>{entry}</url>' for entry in entries)}</urlset>".encode()


def test_a_news_sitemap() -> None:
    assert read_sitemap(NEWS.encode(), URL) == Sitemap(
        (
            Found(
                "https://www.example.com/n/bridge-closed?a=1&b=2",
                "Bridge & tunnel closed",
                "2026-02-12T14:03:12+01:00",
                datetime(2026, 2, 12, 13, 3, 12, tzinfo=UTC),
                "sitemap",
                "sitemap",
                datetime(2026, 2, 13, 8, tzinfo=UTC),
            ),
            Found(
                "https://www.example.com/n/second",
                "Second – one",
                "11.02.2026",
                datetime(2026, 2, 11, tzinfo=UTC),
                "sitemap",
                "sitemap",
            ),
        ),
        (),
        is_news=True,
    )


def test_the_last_change_is_not_the_publication() -> None:
    sitemap = read_sitemap(urlset("<loc>https://e.example/a</loc><lastmod>2026-02-12</lastmod>"), URL)
    (found,) = sitemap.found
    assert (found.published_at, found.published_raw, found.date_from) == (None, None, None)
    assert found.modified_at == datetime(2026, 2, 12, tzinfo=UTC)
    assert not sitemap.is_news


def test_an_index() -> None:
    body = f"""<!-- made by hand --><sitemapindex {NAMESPACES}>
    <sitemap><loc>https://www.example.com/s1.xml.gz</loc><lastmod>2026-02-12T10:00:00+00:00</lastmod></sitemap>
    <sitemap><loc>s2.xml</loc></sitemap><sitemap><loc>s2.xml</loc></sitemap>
    <sitemap><lastmod>2026-02-12</lastmod></sitemap><sitemap><loc>ftp://www.example.com/s3.xml</loc></sitemap>
    </sitemapindex>"""
    assert read_sitemap(body.encode(), URL) == Sitemap(
        (),
        (
            ("https://www.example.com/s1.xml.gz", datetime(2026, 2, 12, 10, tzinfo=UTC)),
            ("https://www.example.com/s2.xml", None),
        ),
        is_news=False,
    )


@pytest.mark.parametrize(
    ("entry", "urls"),
    [
        ("<loc>https://e.example/a</loc>", ["https://e.example/a"]),
        ("<loc><![CDATA[https://e.example/a?x=1&y=2]]></loc>", ["https://e.example/a?x=1&y=2"]),
        ("<loc>https://e.example/a</loc><loc>https://e.example/b</loc>", ["https://e.example/a"]),
        ("<LOC>https://e.example/a</LOC>", ["https://e.example/a"]),
        ("<loc>\n  https://e.example/a\n</loc>", ["https://e.example/a"]),
        ("<loc></loc>", []),
        ("<loc>javascript:alert(1)</loc>", []),
        ("<loc>file:///etc/passwd</loc>", []),
        ("<lastmod>2026-02-12</lastmod>", []),
        ("<image:loc>https://e.example/i.jpg</image:loc>", []),
        ("<image:image><image:loc>https://e.example/i.jpg</image:loc></image:image>", []),
        ("<loc>https://e.example/a<b/></loc>", []),
    ],
)
def test_addresses(entry: str, urls: list[str]) -> None:
    assert [found.url for found in read_sitemap(urlset(entry), URL).found] == urls


def test_an_address_is_found_once() -> None:
    entries = [
        "<loc>https://e.example/a</loc>",
        "<loc>https://e.example/b</loc>",
        "<loc>https://e.example/a</loc>",
    ]
    assert [found.url[-1] for found in read_sitemap(urlset(*entries), URL).found] == ["a", "b"]


def test_a_news_prefix_that_was_never_declared() -> None:
    body = b"""<urlset><url><loc>https://e.example/a</loc><news:news>
    <news:publication_date>2026-02-12</news:publication_date><news:title>T</news:title></news:news>
    <x:title>no</x:title></url></urlset>"""
    (found,) = read_sitemap(body, URL).found
    assert (found.title, found.published_raw) == ("T", "2026-02-12")


def test_a_news_date_that_is_not_understood_is_kept() -> None:
    entry = "<loc>https://e.example/a</loc><news:news><news:publication_date>soon</news:publication_date></news:news>"
    (found,) = read_sitemap(urlset(entry), URL).found
    assert (found.published_raw, found.published_at, found.date_from) == ("soon", None, None)


@pytest.mark.parametrize("times", [1, 2])
def test_compressed(times: int) -> None:
    body = NEWS.encode()
    for _ in range(times):
        body = gzip.compress(body)
    assert read_sitemap(body, URL) == read_sitemap(NEWS.encode(), URL)


def test_other_encodings_and_byte_order_marks() -> None:
    expected = read_sitemap(NEWS.encode(), URL)
    assert read_sitemap(b"\xef\xbb\xbf" + NEWS.encode(), URL) == expected
    assert read_sitemap(NEWS.encode("utf-16"), URL) == expected


def test_a_cut_off_sitemap_gives_what_is_there() -> None:
    body = urlset(*(f"<loc>https://e.example/{n}</loc>" for n in range(40)))
    found = read_sitemap(body[: len(body) // 2], URL).found
    assert 10 < len(found) < 40
    compressed = gzip.compress(body)
    assert len(read_sitemap(compressed[: len(compressed) - 9], URL).found) > 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "This is something else, not a sitemap."),
        (b"https://e.example/a\nhttps://e.example/b", "This is something else, not a sitemap."),
        (b"<!doctype html><html><body>404</body></html>", "This is a web page, not a sitemap."),
        (b"<rss><channel/></rss>", "This is something else, not a sitemap."),
        (b"\x1f\x8bnot gzip at all", "This compressed sitemap is damaged."),
        (
            gzip.compress(gzip.compress(gzip.compress(NEWS.encode()))),
            "This is something else, not a sitemap.",
        ),
    ],
)
def test_what_is_no_sitemap(body: bytes, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_sitemap(body, URL)
    assert caught.value.message.startswith(message)


def test_a_bomb_is_refused() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * (sitemaps.MAX_BYTES + 1), 9)
    assert len(bomb) < 1_000_000
    with pytest.raises(ParseError, match="larger than 50 MB"):
        read_sitemap(bomb, URL)


def test_entries_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "MAX_URLS", 5)
    body = urlset(*(f"<loc>https://e.example/{n}</loc>" for n in range(9)))
    assert len(read_sitemap(body, URL).found) == 5


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<url>" * 200_000,
        b"<urlset><url>" + b"<a>" * 200_000,
        b"<urlset><url><loc>" + b"&amp;" * 500_000,
        b"<!DOCTYPE x [" + b"<!ENTITY a 'b'>" * 20_000 + b"]><urlset>" + b"&a;" * 100_000,
        b"<urlset " + b"".join(b"a%d='1' " % n for n in range(50_000)) + b">",
    ],
    ids=lambda body: body[:20].decode(),
)
def test_hostile_sitemaps_end_soon(body: bytes) -> None:
    started = time.process_time()
    try:
        read_sitemap(body, URL)
    except ParseError:
        pass
    assert time.process_time() - started < 20


def test_no_entity_is_expanded() -> None:
    body = b'<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://e.example/&x;</loc></url></urlset>'
    assert [found.url for found in read_sitemap(body, URL).found] == ["https://e.example/&x;"]


@given(st.binary(max_size=300))
def test_any_bytes_give_a_sitemap_or_a_parse_error(body: bytes) -> None:
    for prefix in (b"", b"<urlset><url><loc>https://e.example/", b"\x1f\x8b\x08\x00"):
        try:
            read_sitemap(prefix + body, URL)
        except ParseError:
            continue


# --- where they are ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("robots", "expected"),
    [
        ("Sitemap: https://e.example/s.xml", ["https://e.example/s.xml"]),
        ("User-agent: *\nDisallow: /x\nsitemap:/s.xml\n", ["https://www.example.com/s.xml"]),
        ("\ufeffSITEMAP : https://e.example/s.xml # the map", ["https://e.example/s.xml"]),
        ("  Sitemap:   https://e.example/s.xml  \r\n", ["https://e.example/s.xml"]),
        ("Sitemap: https://e.example/a\nSitemap: https://e.example/a", ["https://e.example/a"]),
        (
            "Sitemap: https://e.example/a\nSitemap: https://e.example/news",
            ["https://e.example/news", "https://e.example/a"],
        ),
        ("# Sitemap: https://e.example/s.xml", []),
        ("Sitemap:", []),
        ("Sitemap: ftp://e.example/s.xml", []),
        ("Sitemaps: https://e.example/s.xml", []),
        ("<html>Sitemap: https://e.example/s.xml</html>", []),
        ("", []),
    ],
)
def test_sitemaps_in_robots(robots: str, expected: list[str]) -> None:
    assert robots_sitemaps(robots, "https://www.example.com/robots.txt") == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.example/news.xml", True),
        ("https://e.example/sitemaps/GoogleNews.xml.gz", True),
        ("https://e.example/sitemap?type=news", True),
        ("https://e.example/sitemap.xml", False),
        ("https://news.example/sitemap.xml", False),
        ("https://news.example", False),
        ("https://e.example/newsletter-sitemap.xml", False),
        ("https://e.example/newsletter/news.xml", True),
    ],
)
def test_addresses_that_say_news(url: str, expected: bool) -> None:
    assert says_news(url) is expected


def test_a_host_that_says_news_puts_no_sitemap_first() -> None:
    robots = "Sitemap: /sitemap.xml\nSitemap: /news.xml"
    found = robots_sitemaps(robots, "https://news.example/robots.txt")
    assert found == ["https://news.example/news.xml", "https://news.example/sitemap.xml"]


def test_sitemaps_in_robots_are_bounded() -> None:
    robots = "\n".join(f"Sitemap: /{n}.xml" for n in range(1_000))
    assert len(robots_sitemaps(robots, URL)) == sitemaps.MAX_DECLARED


@given(st.text(max_size=300))
def test_any_robots_text_gives_web_addresses(text: str) -> None:
    found = robots_sitemaps("Sitemap: " + text, URL)
    assert all(url.startswith(("http://", "https://")) for url in islice(found, 5))


def test_common_places_are_few() -> None:
    assert len(NEWS_SITEMAP_PATHS) <= 5
    assert all(path.startswith("/") for path in NEWS_SITEMAP_PATHS)
