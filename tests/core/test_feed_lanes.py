"""Whenever the fast lane takes a document, the tolerant lane and feedparser itself read the same entries."""

from __future__ import annotations

import dataclasses
import io
import os
from html import escape
from pathlib import Path

import feedparser
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digestlog.core.feeds.entry import Feed
from digestlog.core.feeds.fast import read_fast
from digestlog.core.feeds.identity import feed_text
from digestlog.core.feeds.tolerant import read_tolerant

FIXTURES = Path(__file__).parent.parent / "data" / "feeds"
CORPUS = os.environ.get("DIGESTLOG_CORPUS")
URL = "https://harbour.example/feeds/all.xml"
SLOW = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

NAMESPACES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:a="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x" '
    'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
)


def rss(items: list[str]) -> str:
    about = "<title>T</title><language>de</language>"
    return f'<rss version="2.0" {NAMESPACES}><channel>{about}{"".join(items)}</channel></rss>'


def rdf(items: list[str]) -> str:
    return (
        f'<rdf:RDF {NAMESPACES} xmlns="http://purl.org/rss/1.0/"><channel rdf:about="{URL}">'
        f"<title>T</title></channel>{''.join(items)}</rdf:RDF>"
    )


def atom(entries: list[str]) -> str:
    return f'<feed {NAMESPACES} xmlns="http://www.w3.org/2005/Atom"><title>T</title>{"".join(entries)}</feed>'


def both_lanes(text: str) -> Feed | None:
    """The fast lane's feed, after the tolerant one has been found to say the same."""
    fast = read_fast(text.encode("utf-8", "replace"), URL)
    if fast is not None:
        tolerant = read_tolerant(text, URL)
        assert tolerant is not None
        assert tolerant.lane == "feedparser"
        assert dataclasses.replace(tolerant, lane="fast") == fast
    return fast


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.xml")), ids=lambda path: path.stem)
def test_own_fixtures(path: Path) -> None:
    both_lanes(feed_text(path.read_bytes(), None))


@pytest.mark.skipif(CORPUS is None, reason="DIGESTLOG_CORPUS is not set: no folder of feeds to compare on")
def test_corpus() -> None:
    paths = sorted(path for path in Path(str(CORPUS)).iterdir() if path.name[:2].isdigit())
    taken = [path.name for path in paths if both_lanes(feed_text(path.read_bytes(), None))]
    assert len(taken) >= 15


words = st.text(st.sampled_from("ab Zß日本’—&<>\"'; \n1"), max_size=12)
pieces = st.sampled_from(
    [
        "&amp;",
        "&lt;b&gt;",
        "<b>",
        "</b>",
        "<br/>",
        "&#8217;",
        "&#146;",
        "&nbsp;",
        "&amp;lt;",
        "<i",
        "&amp;amp;",
    ]
)
written = st.one_of(words, st.lists(words | pieces, max_size=4).map("".join))
addresses = st.sampled_from(
    [
        "https://e.com/1",
        "http://E.com/a?b=1&c=2#d",
        "page",
        "/root",
        "//h.example/x",
        "?q",
        "#f",
        " https://e.com/s\n",
        "https://e.com/?a=1&amp;b=2",
        "?a&#38;b",
    ]
    + ["", "mailto:a@b.c", "urn:x", "http://[::1", "HTTPS://E.COM/", "https://e.com/ä b", "javascript:0"]
)
dates = st.sampled_from(
    ["", "Thu, 12 Feb 2026 14:03:12 GMT", " 2026-02-12T14:03:12Z ", "2026\n02", "gestern", "23/02/2026"]
)
attributes = st.sampled_from(
    [""] * 30
    + [' isPermaLink="false"', ' isPermaLink="TRUE"', ' ispermalink="false"', ' type="html"', ' type="xhtml"']
    + [' xml:base="https://b.example/d/"', ' xml:base="up/"', ' rel="self"', ' xml:lang="de"', ' x:y="z"']
)


def element(name: str, content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    text = content.map(lambda value: escape(value, quote=False))
    cdata = content.map(lambda value: f"<![CDATA[{value.replace(']]>', '')}]]>")
    return st.tuples(attributes, text | cdata).map(lambda two: f"<{name}{two[0]}>{two[1]}</{name}>")


def link_element(name: str) -> st.SearchStrategy[str]:
    rels = st.sampled_from(["", ' rel="alternate"', ' rel="self"', ' rel="enclosure"', ' rel="Alternate "'])
    types = st.sampled_from(["", ' type="text/html"', ' type="application/json"', ' type="TEXT/HTML;q=1"'])
    bases = st.sampled_from(["", "", ' xml:base="b/"', ' xml:base="http://c.example"'])
    return st.tuples(rels, types, bases, addresses).map(
        lambda four: f"<{name}{four[0]}{four[1]}{four[2]} href={chr(34)}{escape(four[3])}{chr(34)}/>"
    )


def enclosure(written: tuple[str, str, str]) -> str:
    name, attribute, address = written
    return f'<{name} {attribute}="{escape(address)}" length="1" type="audio/mpeg"/>'


enclosures = st.tuples(
    st.sampled_from(["enclosure"] * 8 + ["Enclosure", "x:enclosure"]),
    st.sampled_from(["url"] * 8 + ["URL", "href"]),
    addresses,
).map(enclosure)
own_dates = [element(name, dates) for name in ("pubDate", "pubdate", "date")]
module_dates = [
    element(name, dates)
    for name in (
        "dc:date",
        "a:updated",
        "a:published",
        "dcterms:issued",
        "dcterms:created",
        "dcterms:modified",
    )
]
noise = st.sampled_from(
    ["<media:title>no</media:title>", "<x:title>no</x:title>", "<dc:title>no</dc:title>", "<description/>"]
    + [
        "<source url='u'>s</source>",
        "<x:item/>",
        "<author><name>n</name></author>",
        "<!-- <item/> -->",
        "<?pi?>",
    ]
    + [
        "<media:group><media:title>no</media:title></media:group>",
        "<Title>odd</Title>",
        "<a:id>9</a:id>",
        "text",
    ]
)


def entries_of(tag: str, parts: list[st.SearchStrategy[str]]) -> st.SearchStrategy[list[str]]:
    inside = st.lists(st.one_of(*parts, noise), max_size=6).map("".join)
    one = st.tuples(attributes, inside).map(lambda two: f"<{tag}{two[0]}>{two[1]}</{tag.split()[0]}>")
    return st.lists(one, max_size=4)


rss_items = entries_of(
    "item",
    [
        element("title", written),
        element("link", addresses),
        element("guid", addresses),
        link_element("a:link"),
        enclosures,
    ]
    + own_dates
    + module_dates,
)
rdf_items = st.tuples(addresses, st.booleans()).flatmap(
    lambda two: entries_of(
        f'item rdf:about="{escape(two[0])}"' if two[1] else "item",
        [element("title", written), element("link", addresses), enclosures, *module_dates],
    )
)
atom_entries = entries_of(
    "entry",
    [element("title", written), link_element("link"), element("id", addresses)]
    + [element(name, dates) for name in ("published", "updated", "issued", "dc:date")],
)


@SLOW
@given(st.one_of(rss_items.map(rss), rdf_items.map(rdf), atom_entries.map(atom)))
def test_generated_documents(document: str) -> None:
    both_lanes(document)


@SLOW
@given(
    st.one_of(rss_items.map(rss), rdf_items.map(rdf), atom_entries.map(atom)),
    st.integers(min_value=0),
    st.sampled_from(["", "<", ">", "&", "]]>", "</item>", "<item>", "<!DOCTYPE x>", "\x00", '"', "<entry/>"]),
)
def test_damaged_documents(document: str, at: int, damage: str) -> None:
    at %= len(document)
    both_lanes(document[:at] + damage + document[at + 1 :])


plain_titles = st.text(st.sampled_from("abc ДЖ日本&!"), min_size=1, max_size=20).filter(str.strip)
plain_parts = st.tuples(
    st.integers(min_value=1, max_value=9999),
    plain_titles,
    st.sampled_from(["Thu, 12 Feb 2026 14:03:12 GMT", "2026-02-12T14:03:12Z"]),
    st.booleans(),
)


def plain_rss(parts: tuple[int, str, str, bool]) -> str:
    number, title, date, as_guid = parts
    address = f"https://e.com/{number}"
    link = f"<guid>{address}</guid>" if as_guid else f"<link>{address}</link><guid>{address}?g</guid>"
    return f"<item><title>{escape(title)}</title>{link}<pubDate>{date}</pubDate></item>"


def plain_rdf(parts: tuple[int, str, str, bool]) -> str:
    number, title, date, _ = parts
    address = f"https://e.com/{number}"
    inside = f"<title>{escape(title)}</title><link>{address}</link><dc:date>{date}</dc:date>"
    return f'<item rdf:about="{address}?about">{inside}</item>'


def plain_atom(parts: tuple[int, str, str, bool]) -> str:
    number, title, date, typed = parts
    kind = ' rel="alternate" type="text/html"' if typed else ""
    return (
        f"<entry><title>{escape(title)}</title><id>urn:{number}</id><link{kind} href='https://e.com/{number}'/>"
        f"<published>{date}</published><updated>{date}</updated></entry>"
    )


@SLOW
@given(
    st.sampled_from([(rss, plain_rss), (rdf, plain_rdf), (atom, plain_atom)]),
    st.lists(plain_parts, max_size=5),
)
def test_feedparser_itself_agrees_on_plain_feeds(kind: tuple, parts: list) -> None:  # type: ignore[type-arg]
    document = kind[0]([kind[1](part) for part in parts])
    feed = both_lanes(document)
    assert feed is not None, "plain feeds must take the fast lane"
    parsed = feedparser.parse(
        io.BytesIO(document.encode()),
        response_headers={"content-location": URL, "content-type": "application/xml; charset=utf-8"},
        sanitize_html=False,
        resolve_relative_uris=False,
    )
    # It files dc:date under `updated`.
    assert [
        (
            dict.get(found, "id"),
            found.link,
            " ".join(found.title.split()),
            dict.get(found, "published") or found.updated,
        )
        for found in parsed.entries
    ] == [(entry.entry_id, entry.url, entry.title, entry.published_raw) for entry in feed.entries]
