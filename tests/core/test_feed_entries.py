from __future__ import annotations

import json
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.feeds import Entry, Feed, identify, read_feed
from digestlog.core.feeds import tolerant as tolerant_lane
from digestlog.core.feeds.entry import MAX_ENTRIES, absolute, min_interval
from digestlog.core.feeds.fast import read_fast
from digestlog.core.feeds.read import MAX_ELEMENTS, read_sure
from digestlog.core.feeds.tolerant import read_tolerant
from digestlog.errors import ParseError

FIXTURES = Path(__file__).parent.parent / "data" / "feeds"
URL = "https://harbour.example/feeds/all.xml"
SITE = "https://harbour.example/"
ATOM_NS = 'xmlns="http://www.w3.org/2005/Atom"'
A10 = 'xmlns:a="http://www.w3.org/2005/Atom"'
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
DCTERMS = 'xmlns:dcterms="http://purl.org/dc/terms/"'
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'


def rss(items: str, attributes: str = 'version="2.0"', channel: str = "") -> bytes:
    return f"<rss {attributes}><channel><title>T</title>{channel}{items}</channel></rss>".encode()


def atom(entries: str, attributes: str = "") -> bytes:
    return f"<feed {ATOM_NS} {attributes}><title>T</title>{entries}</feed>".encode()


def one(body: bytes, url: str = URL) -> Entry:
    feed = read_feed(body, url)
    assert len(feed.entries) == 1
    return feed.entries[0]


def told(entry: Entry) -> dict[str, Any]:
    published = [entry.published_raw, entry.published_from] if entry.published_raw else None
    updated = [entry.updated_raw, entry.updated_from] if entry.updated_raw else None
    assert (entry.published_raw is None) == (entry.published_from is None)
    assert (entry.updated_raw is None) == (entry.updated_from is None)
    return {
        "id": entry.entry_id,
        "url": entry.url,
        "title": entry.title,
        "published": published,
        "updated": updated,
    }


@pytest.mark.parametrize("expected", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_every_kind_of_feed(expected: Path) -> None:
    body = next(FIXTURES.glob(expected.stem + ".[xf]*")).read_bytes()
    feed = read_feed(body, URL)
    assert {
        "kind": feed.identity.kind,
        "lane": feed.lane,
        "language": feed.language,
        "min_interval_s": feed.min_interval_s,
        "unlinked": feed.unlinked,
        "broken": feed.problem is not None,
        "entries": [told(entry) for entry in feed.entries],
    } == json.loads(expected.read_text(encoding="utf-8"))
    assert feed.identity == identify(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0\0\0\0",
        b"plain words",
        b"<!-- only a comment -->",
        b"<!doctype html><html><body><p>hello",
        b"<opml version='2.0'><body/></opml>",
        b"<feed><product/></feed>",
        b"{}",
        b'{"version": "https://jsonfeed.org/version/1", "items": [',
        b'[{"version": "https://jsonfeed.org/version/1"}]',
        b'{"a":' * 50_000,
        b'<rss a="' + b"x" * 10_500_000 + b'" version="2.0"/>',
    ],
)
def test_not_a_feed(body: bytes) -> None:
    with pytest.raises(ParseError, match="not a feed") as caught:
        read_feed(body, URL)
    assert caught.value.hint


LINKS = [
    ("<link>https://e.com/a</link>", "https://e.com/a"),
    ("<link> HTTPS://E.com/A?utm_source=x#f </link>", "HTTPS://E.com/A?utm_source=x#f"),
    ("<link>https://e.com/日本?q=a b</link>", "https://e.com/日本?q=a b"),
    ("<link>page.html</link>", SITE + "feeds/page.html"),
    ("<link>/page.html</link>", SITE + "page.html"),
    ("<link>//other.example/p</link>", "https://other.example/p"),
    ("<link>?p=1</link>", SITE + "feeds/all.xml?p=1"),
    ("<link>é.html</link>", SITE + "feeds/é.html"),
    ("<link/><guid>https://e.com/g</guid>", "https://e.com/g"),
    ("<guid isPermaLink='true'>https://e.com/g</guid>", "https://e.com/g"),
    ("<guid isPermaLink='false'>https://e.com/g</guid>", None),
    ("<guid isPermaLink=' FALSE '>https://e.com/g</guid>", None),
    ("<guid ispermalink='false'>https://e.com/g</guid>", None),
    ("<guid>g</guid>", None),
    ("<guid>g</guid><guid>https://e.com/2</guid>", "https://e.com/2"),
    ("<link>mailto:a@e.com</link><guid>https://e.com/g</guid>", "https://e.com/g"),
    ("<link>javascript:alert(1)</link>", None),
    ("<link>http://</link>", None),
    ("<link>http://[::1</link>", None),
    ("<link>//[::1</link>", None),
    ("<link>https://e.com/a</link><guid>https://e.com/g</guid>", "https://e.com/a"),
    ("<guid>https://e.com/g</guid><a:link href='https://e.com/no'/>", "https://e.com/g"),
    ("<a:link rel='alternate' href='https://e.com/l'/>", "https://e.com/l"),
    ("<a:link href='l'/>", SITE + "feeds/l"),
    ("<a:link rel='self' href='https://e.com/l'/>", None),
    ("<link href='https://e.com/h'/>", "https://e.com/h"),
    ("<link></link><link>https://e.com/2</link>", "https://e.com/2"),
    ("<link>https://e.com/1</link><link>https://e.com/2</link>", "https://e.com/1"),
    ("<link>https://e.com/a<!-- x -->b</link>", "https://e.com/ab"),
    ("<link><![CDATA[https://e.com/?a=1&b=2]]></link>", "https://e.com/?a=1&b=2"),
    (
        "<link><![CDATA[https://e.com/?a=1&amp;b=2&#38;c=3&#x26;d=4]]></link>",
        "https://e.com/?a=1&b=2&c=3&d=4",
    ),
    ("<link>https://e.com/?a=1&amp;#038;b=2&amp;#X26;c</link>", "https://e.com/?a=1&b=2&c"),
    ("<link>https://e.com/?a=1&amp;amp;b=2</link>", "https://e.com/?a=1&b=2"),
    ("<link><![CDATA[https://e.com/?a=&amp;amp;b]]></link>", "https://e.com/?a=&amp;b"),
    (
        "<link><![CDATA[https://e.com/?a=&lt;&quot;&copy;&#39;]]></link>",
        "https://e.com/?a=&lt;&quot;&copy;&#39;",
    ),
    ("<link><![CDATA[?a=1&amp;b=2]]></link>", SITE + "feeds/all.xml?a=1&b=2"),
    ("<guid><![CDATA[https://e.com/?a=1&amp;b=2]]></guid>", "https://e.com/?a=1&b=2"),
    ("<a:link href='https://e.com/?a=1&amp;amp;b=2'/>", "https://e.com/?a=1&b=2"),
    ("<guid isPermaLink='true'>/p/1</guid>", SITE + "p/1"),
    ("<guid isPermaLink=' True '>p/1</guid>", SITE + "feeds/p/1"),
    ("<guid isPermaLink='true' xml:base='https://b.example/d/'>p</guid>", "https://b.example/d/p"),
    ("<guid isPermaLink='true'>urn:1</guid>", None),
    ("<guid isPermaLink='true'></guid>", None),
    ("<guid isPermaLink=''>/p/1</guid>", None),
    ("<guid isPermaLink='yes'>/p/1</guid>", None),
    ("<guid isPermaLink='true'>1</guid><link>https://e.com/a</link>", "https://e.com/a"),
    ("<guid isPermaLink='true'>1</guid><a:link href='https://e.com/l'/>", "https://e.com/l"),
    ("<guid isPermaLink='true'>/p</guid><enclosure url='https://e.com/1.mp3'/>", SITE + "p"),
    ("<enclosure url='https://e.com/1.mp3' length='1' type='audio/mpeg'/>", "https://e.com/1.mp3"),
    ("<enclosure url='/1.mp3?a=1&amp;amp;b=2'/><guid>1</guid>", SITE + "1.mp3?a=1&b=2"),
    ("<enclosure/><enclosure url='ftp://e.com/1'/><enclosure url='https://e.com/2'/>", "https://e.com/2"),
    ("<enclosure url='x' xml:base='https://b.example/'/>", "https://b.example/x"),
    ("<Enclosure URL='https://e.com/1.mp3'/>", "https://e.com/1.mp3"),
    ("<enclosure URL='https://e.com/1.mp3'/>", "https://e.com/1.mp3"),
    ("<enclosure url='https://e.com/1.mp3'/><link>https://e.com/a</link>", "https://e.com/a"),
    ("<enclosure url='https://e.com/1.mp3'/><guid>https://e.com/g</guid>", "https://e.com/g"),
    ("<enclosure url='https://e.com/1.mp3'/><a:link href='https://e.com/l'/>", "https://e.com/l"),
    ("<a:link rel=' Enclosure ' href='https://e.com/1.mp3'/>", "https://e.com/1.mp3"),
    ("<x:enclosure xmlns:x='urn:x' url='https://e.com/1.mp3'/>", None),
    ("<x:link xmlns:x='urn:x'>https://e.com/no</x:link>", None),
    ("<link xml:base='https://b.example/d/'>p</link>", "https://b.example/d/p"),
]


@pytest.mark.parametrize(("written", "url"), LINKS)
def test_rss_links(written: str, url: str | None) -> None:
    feed = read_feed(rss(f"<item>{written}</item>", f'version="2.0" {A10}'), URL)
    assert [entry.url for entry in feed.entries] == ([url] if url else [])
    assert feed.unlinked == (0 if url else 1)
    tolerant = read_tolerant(rss(f"<item>{written}</item>", f'version="2.0" {A10}').decode(), URL)
    assert tolerant is not None
    assert tolerant.entries == feed.entries


def test_an_item_that_names_itself_needs_no_enclosure() -> None:
    item = "<item rdf:about='https://e.com/a'><enclosure url='https://e.com/1.mp3'/></item>"
    assert one(rss(item, f'version="2.0" {RDF}')).url == "https://e.com/a"


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ("<item rdf:about='https://e.com/?a=1&amp;amp;b=2'/>", "https://e.com/?a=1&b=2"),
        ("<item rdf:about='urn:1'><enclosure url='https://e.com/1.mp3'/></item>", "https://e.com/1.mp3"),
    ],
)
def test_rdf_links(item: str, url: str) -> None:
    body = f'<rdf:RDF {RDF} xmlns="http://purl.org/rss/1.0/"><channel/>{item}</rdf:RDF>'
    assert one(body.encode()).url == url
    assert read_tolerant(body, URL).entries[0].url == url  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("<link href='https://e.com/a'/>", "https://e.com/a"),
        ("<link rel='ALTERNATE' href='https://e.com/a'/>", "https://e.com/a"),
        ("<link rel='' href='https://e.com/a'/>", "https://e.com/a"),
        (
            "<link rel='http://www.iana.org/assignments/relation/alternate' href='https://e.com/a'/>",
            "https://e.com/a",
        ),
        ("<link href='https://e.com/1'/><link type='text/html' href='https://e.com/2'/>", "https://e.com/2"),
        (
            "<link type='application/json' href='https://e.com/1'/>"
            "<link type='Text/HTML; charset=utf-8' href='https://e.com/2'/>",
            "https://e.com/2",
        ),
        ("<link href='https://e.com/1'/><link href='https://e.com/2'/>", "https://e.com/1"),
        ("<link type='text/html' href='ftp://e.com/'/><link href='https://e.com/2'/>", "https://e.com/2"),
        ("<link rel='self' href='https://e.com/s'/>", None),
        ("<link rel='enclosure' href='https://e.com/s'/><id>https://e.com/i</id>", "https://e.com/i"),
        ("<link rel='enclosure' href='1.mp3'/><id>urn:i</id>", "https://a.example/d/1.mp3"),
        (
            "<link rel='enclosure' href='ftp://e.com/1'/><link rel='ENCLOSURE' href='/2'/>",
            "https://a.example/2",
        ),
        (
            "<link rel='http://www.iana.org/assignments/relation/enclosure' href='https://e.com/1'/>",
            "https://e.com/1",
        ),
        (
            "<link rel='enclosure' href='https://e.com/1.mp3'/><link href='https://e.com/a'/>",
            "https://e.com/a",
        ),
        ("<link href='https://e.com/?a=1&amp;amp;b=2'/>", "https://e.com/?a=1&b=2"),
        ("<id>https://e.com/?a=1&amp;amp;b=2</id>", "https://e.com/?a=1&b=2"),
        ("<link/><id>urn:i</id>", None),
        ("<id>i</id>", None),
        ("<link>https://e.com/text</link>", None),
        ("<link xml:base='https://b.example/' href='x'/>", "https://b.example/x"),
        ("<link xml:base='ftp://b.example/' href='x'/>", "https://a.example/d/x"),
        ("<link href='x'/>", "https://a.example/d/x"),
    ],
)
def test_atom_links(written: str, url: str | None) -> None:
    feed = read_feed(atom(f"<entry>{written}</entry>", "xml:base='https://a.example/d/'"), URL)
    assert [entry.url for entry in feed.entries] == ([url] if url else [])


def test_a_link_written_as_text_in_old_atom() -> None:
    body = b"<feed version='0.3'><title>T</title><entry><link>https://e.com/text</link></entry></feed>"
    assert one(body).url == "https://e.com/text"


def test_a_base_beyond_reason_is_left_out() -> None:
    long = "https://b.example/" + "d/" * 2000
    assert one(atom("<entry><link href='x'/></entry>", f"xml:base='{long}'")).url == SITE + "feeds/x"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Plain", "Plain"),
        ("", None),
        ("  &lt;p&gt;&lt;/p&gt; ", None),
        ("a\n\t b\u00a0c", "a b c"),
        ("&lt;b&gt;Bold&lt;/b&gt;", "Bold"),
        ("<![CDATA[<b>Bold</b> &amp; <i>more</i>]]>", "Bold & more"),
        ("<b>Bold</b><br/>claim", "Bold claim"),
        ("1 &lt; 2", "1 < 2"),
        ("AT&amp;T", "AT&T"),
        ("AT&amp;amp;T", "AT&T"),
        ("&amp;lt;b&amp;gt; is a tag", "<b> is a tag"),
        ("&#8217; &#x2019;", "’ ’"),
        ("It&#146;s", "It’s"),
        ("It&#x92;s", "It’s"),
        ("zero\u200bwidth", "zerowidth"),
        ("Ã© stays", "Ã© stays"),
    ],
)
def test_rss_titles(written: str, title: str | None) -> None:
    item = f"<item><media:title>no</media:title><title>{written}</title><link>{SITE}</link></item>"
    body = rss(item, 'version="2.0" xmlns:media="http://search.yahoo.com/mrss/"')
    assert one(body).title == title


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("<title>a &lt; b</title>", "a < b"),
        ("<title>&lt;b&gt; stays</title>", "<b> stays"),
        ("<title type='text'>&amp;amp; stays</title>", "&amp; stays"),
        ("<title type='text/plain'>&lt;b&gt; stays</title>", "<b> stays"),
        ("<title type='html'>&lt;b&gt;Bold&lt;/b&gt; &amp;amp; more</title>", "Bold & more"),
        ("<title type='text/html'>&lt;b&gt;Bold&lt;/b&gt;</title>", "Bold"),
        (
            "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>A<br/><b>b</b> &lt;</div></title>",
            "A b <",
        ),
        ("<title></title><title>Second</title>", "Second"),
        ("<title>Own</title><dc:title>No</dc:title>", "Own"),
        ("<dc:title>Dublin</dc:title>", "Dublin"),
        ("<media:title xmlns:media='http://search.yahoo.com/mrss/'>no</media:title>", None),
        ("<source><title>no</title></source>", None),
    ],
)
def test_atom_titles(written: str, title: str | None) -> None:
    assert one(atom(f"<entry>{written}<link href='{SITE}'/></entry>", DC)).title == title


DATES = [
    ("<pubDate> 1 </pubDate>", ("1", "pubDate", None, None)),
    ("<pubDate>1\n2</pubDate>", ("1\n2", "pubDate", None, None)),
    ("<pubDate/><dc:date>2</dc:date>", ("2", "dc:date", None, None)),
    ("<dc:date>2</dc:date><pubDate>1</pubDate>", ("1", "pubDate", None, None)),
    ("<pubDate>1</pubDate><a:updated>9</a:updated>", ("1", "pubDate", "9", "atom:updated")),
    ("<a:updated>9</a:updated>", (None, None, "9", "atom:updated")),
    ("<a:published>3</a:published><dc:date>2</dc:date>", ("2", "dc:date", None, None)),
    ("<a:published>3</a:published>", ("3", "atom:published", None, None)),
    ("<dcterms:issued>4</dcterms:issued>", ("4", "dcterms:issued", None, None)),
    ("<dcterms:created>5</dcterms:created>", ("5", "dcterms:created", None, None)),
    ("<dcterms:modified>8</dcterms:modified>", (None, None, "8", "dcterms:modified")),
    (
        "<dcterms:modified>8</dcterms:modified><a:updated>9</a:updated>",
        (None, None, "9", "atom:updated"),
    ),
    ("<pubDate>soon</pubDate><dc:date>2026-02-12</dc:date>", ("2026-02-12", "dc:date", None, None)),
    ("<dc:date>2026-02-12</dc:date><pubDate>2 Feb 2026</pubDate>", ("2 Feb 2026", "pubDate", None, None)),
    (
        "<pubDate>soon</pubDate><dc:date>later</dc:date><dcterms:created>2026-02-12</dcterms:created>",
        ("2026-02-12", "dcterms:created", None, None),
    ),
    ("<pubDate>soon</pubDate><dc:date>soon</dc:date>", ("soon", "pubDate", None, None)),
    ("<pubDate>soon</pubDate><pubDate>2026-02-12</pubDate>", ("2026-02-12", "pubDate", None, None)),
    (
        "<a:updated>now</a:updated><dcterms:modified>2026-02-12</dcterms:modified>",
        (None, None, "2026-02-12", "dcterms:modified"),
    ),
    ("<pubDate>1</pubDate>" * 5 + "<pubDate>2026-02-12</pubDate>", ("1", "pubDate", None, None)),
    ("<pubdate>1</pubdate>", ("1", "pubDate", None, None)),
    ("<pubDate>1</pubDate><pubDate>2</pubDate>", ("1", "pubDate", None, None)),
    ("<date>6</date>", ("6", "date", None, None)),
    ("<x:pubDate xmlns:x='urn:x'>no</x:pubDate>", (None, None, None, None)),
]


@pytest.mark.parametrize(("written", "dates"), DATES)
def test_rss_dates(written: str, dates: tuple[str | None, ...]) -> None:
    body = rss(f"<item><link>{SITE}</link>{written}</item>", f'version="2.0" {DC} {DCTERMS} {A10}')
    entry = one(body)
    assert (entry.published_raw, entry.published_from, entry.updated_raw, entry.updated_from) == dates
    assert read_tolerant(body.decode(), URL).entries == (entry,)  # type: ignore[union-attr]


@pytest.mark.parametrize(("language", "name"), [("de", "pubDate"), ("en-US", "dc:date"), ("", "dc:date")])
def test_the_language_decides_which_date_is_understood(language: str, name: str) -> None:
    item = f"<item><link>{SITE}</link><pubDate>23/02/2026</pubDate><dc:date>2026-02-24</dc:date></item>"
    body = rss(item, f'version="2.0" {DC}', f"<language>{language}</language>")
    assert one(body).published_from == name
    assert read_tolerant(body.decode(), URL).entries[0].published_from == name  # type: ignore[union-attr]


def test_a_date_is_only_tried_where_there_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digestlog.core.feeds.entry.parse_date", None)
    dates = "<pubDate>1</pubDate><dc:date>1</dc:date><a:updated>2</a:updated>"
    body = rss(f"<item><link>{SITE}</link>{dates}</item>", f'version="2.0" {DC} {A10}')
    assert one(body).published_raw == "1"
    assert read_tolerant(body.decode(), URL).entries == (one(body),)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("written", "dates"),
    [
        ("<published>1</published><updated>2</updated>", ("1", "published", "2", "updated")),
        ("<updated>2</updated>", (None, None, "2", "updated")),
        ("<issued>1</issued><modified>2</modified>", ("1", "issued", "2", "modified")),
        ("<issued>2004</issued><published>2010</published>", ("2010", "published", None, None)),
        ("<created>1</created>", ("1", "created", None, None)),
        ("<updated>1</updated><updated>2</updated>", (None, None, "1", "updated")),
        ("<source><published>1</published></source>", (None, None, None, None)),
    ],
)
def test_atom_dates(written: str, dates: tuple[str | None, ...]) -> None:
    entry = one(atom(f"<entry><link href='{SITE}'/>{written}</entry>"))
    assert (entry.published_raw, entry.published_from, entry.updated_raw, entry.updated_from) == dates


@pytest.mark.parametrize(
    ("body", "entry_id"),
    [
        (rss(f"<item><link>{SITE}</link><guid> relative </guid></item>"), "relative"),
        (rss(f"<item><link>{SITE}</link><guid></guid></item>"), None),
        (rss(f"<item><link>{SITE}</link><id>7</id></item>"), "7"),
        (atom(f"<entry><link href='{SITE}'/><id>relative</id></entry>"), "relative"),
        (atom(f"<entry><link href='{SITE}'/><id>1</id><id>2</id></entry>"), "1"),
        (atom(f"<entry><link href='{SITE}'/></entry>"), None),
        (
            f'<rdf:RDF {RDF} xmlns="http://purl.org/rss/1.0/"><channel/><item rdf:about=" urn:1 ">'
            f"<link>{SITE}</link></item></rdf:RDF>".encode(),
            "urn:1",
        ),
        (
            f'<rdf:RDF {RDF} xmlns="http://purl.org/rss/1.0/"><channel/><item>'
            f"<link>{SITE}</link></item></rdf:RDF>".encode(),
            None,
        ),
    ],
)
def test_ids_as_written(body: bytes, entry_id: str | None) -> None:
    assert one(body).entry_id == entry_id


def test_repeated_ids_and_repeated_links_are_all_given() -> None:
    item = "<item><guid isPermaLink='false'>1</guid><link>https://e.com/{}</link></item>"
    feed = read_feed(rss(item.format("a") + item.format("b") + item.format("b")), URL)
    assert [entry.url[-1] for entry in feed.entries] == ["a", "b", "b"]
    assert {entry.entry_id for entry in feed.entries} == {"1"}


@pytest.mark.parametrize(
    ("channel", "seconds"),
    [
        ("", None),
        ("<ttl>60</ttl>", 3600),
        ("<ttl> 0 </ttl>", 0),
        ("<ttl>99999999</ttl>", 604_800),
        ("<ttl>-5</ttl>", None),
        ("<ttl>soon</ttl>", None),
        ("<ttl>9999999999999999999999</ttl>", None),
        ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600),
        ("<sy:updatePeriod>\n Hourly </sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>", 1800),
        ("<sy:updateFrequency>24</sy:updateFrequency>", 3600),
        ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 86_400),
        ("<sy:updatePeriod>yearly</sy:updatePeriod>", 604_800),
        ("<sy:updatePeriod>sometimes</sy:updatePeriod>", None),
        ("<ttl>5</ttl><sy:updatePeriod>daily</sy:updatePeriod>", 300),
        ("<item><ttl>5</ttl></item>", None),
    ],
)
def test_the_interval_a_feed_asks_for(channel: str, seconds: int | None) -> None:
    sy = 'version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
    assert read_feed(rss("", sy, channel), URL).min_interval_s == seconds
    assert read_feed(rss("", sy, channel + "<x>&nbsp;</x>"), URL).min_interval_s == seconds


@given(st.none() | st.text(), st.none() | st.text(), st.none() | st.text())
def test_the_interval_stays_within_a_week(ttl: str | None, period: str | None, times: str | None) -> None:
    seconds = min_interval(ttl, period, times)
    assert seconds is None or 0 <= seconds <= 604_800


@pytest.mark.parametrize(
    ("body", "language"),
    [
        (rss("", channel="<language> de-CH </language>"), "de-CH"),
        (rss("", 'version="2.0" xml:lang="fr"'), "fr"),
        (rss("", f'version="2.0" {DC}', "<dc:language>pl</dc:language>"), "pl"),
        (atom("", "xml:lang='es'"), "es"),
        (rss("", channel="<language/>"), None),
        (rss("", channel=f"<language>{'x' * 999}</language>"), "x" * 35),
    ],
)
def test_language(body: bytes, language: str | None) -> None:
    assert read_feed(body, URL).language == language
    assert read_tolerant(body.decode(), URL).language == language  # type: ignore[union-attr]


@pytest.mark.parametrize("body", [rss("<item/>" * 10_003), rss("<item/>" * 10_003 + "<x>&nbsp;</x>")])
def test_more_entries_than_are_read(body: bytes) -> None:
    feed = read_feed(body, URL)
    assert feed.unlinked == MAX_ENTRIES
    assert feed.problem == "10003 entries, only the first 10000 read"


def test_a_broken_feed_says_what_is_wrong() -> None:
    feed = read_feed(rss(f"<item><link>{SITE}</link></item>") + b"</rss>", URL)
    assert feed.problem is not None
    assert feed.problem.startswith("not well-formed: Extra content")
    assert feed.problem.endswith("1 entries read")
    junk = read_feed(b"Notice: x\n" + rss(""), URL)
    assert junk.problem == "not well-formed: text before the document, 0 entries read"


def test_the_charset_of_the_content_type() -> None:
    body = rss(f"<item><title>Привет</title><link>{SITE}</link></item>").decode().encode("cp1251")
    feed = read_feed(body, URL, 'text/xml; charset="windows-1251"')
    assert feed.entries[0].title == "Привет"
    assert feed.lane == "fast"


@pytest.mark.parametrize(
    ("body", "lane"),
    [
        (rss("<item/>"), "fast"),
        (b'{"version": "https://jsonfeed.org/version/1", "items": []}', "json"),
        (b"{}", None),
        (rss("<item><title>&nbsp;</title></item>"), None),
        (rss("<item><title>\u00e9</title></item>").decode().encode("latin-1"), None),
        (b"<html></html>", None),
    ],
)
def test_what_is_sure_is_read_at_once(body: bytes, lane: str | None) -> None:
    feed = read_sure(body, URL)
    assert (feed.lane if feed else None) == lane
    assert feed is None or feed == read_feed(body, URL)


def test_json_by_its_content_type_and_with_odd_strings() -> None:
    items = '[{"url": "https://e.com/", "title": "a\\ud800b\\u0000", "id": ""}]'
    feed = read_feed(f'\ufeff {{"items": {items}}}'.encode(), URL, "application/feed+json")
    assert [told(entry) for entry in feed.entries] == [
        {"id": None, "url": "https://e.com/", "title": "a?b", "published": None, "updated": None}
    ]
    empty = read_feed(b'{"version": "https://jsonfeed.org/version/1", "items": {}}', URL)
    assert empty == Feed(empty.identity, (), "json", None, None, 0, None)


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ({"url": "https://e.com/\ud800"}, None),
        ({"url": "https://e.com/\udfff/x", "id": "https://e.com/\ud800"}, None),
        ({"url": "https://e.com/\ud800", "external_url": "https://e.com/x"}, "https://e.com/x"),
        ({"url": "https://e.com/\U0001f600"}, "https://e.com/\U0001f600"),
        ({"url": "https://e.com/?a=1&amp;b=2"}, "https://e.com/?a=1&amp;b=2"),
        ({"id": "https://e.com/?a=1&amp;b=2"}, "https://e.com/?a=1&amp;b=2"),
        ({"id": "relative"}, None),
        ({"id": 7, "url": 8}, None),
        ({"attachments": [{"url": "https://e.com/1.mp3"}]}, "https://e.com/1.mp3"),
        ({"attachments": [3, {}, {"url": "name"}, {"url": "https://e.com/2"}]}, "https://e.com/2"),
        ({"attachments": [{"url": "https://e.com/\ud800"}]}, None),
        ({"attachments": {"url": "https://e.com/1.mp3"}}, None),
        ({"attachments": [{"url": "https://e.com/1.mp3"}], "id": "https://e.com/i"}, "https://e.com/i"),
    ],
)
def test_json_links(item: dict[str, Any], url: str | None) -> None:
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [item]})
    feed = read_feed(body.encode(), URL)
    assert [entry.url for entry in feed.entries] == ([url] if url else [])
    assert feed.unlinked == (0 if url else 1)


def test_more_json_entries_than_are_read() -> None:
    body = json.dumps({"version": "https://jsonfeed.org/version/1", "items": [{"url": SITE}] * 10_001})
    feed = read_feed(body.encode(), URL)
    assert len(feed.entries) == MAX_ENTRIES
    assert feed.problem == "10001 entries, only the first 10000 read"


@pytest.mark.parametrize(
    "body",
    [
        rss("").replace(b"<rss", b"<!DOCTYPE rss><rss"),
        rss("", 'version="3.0"'),
        rss("", ""),
        rss("").replace(b"</rss>", b"<item/></rss>"),
        rss("<item><item/></item>"),
        rss("<Item/>"),
        rss("<item><title/><title/></item>"),
        rss("<item><Title/></item>"),
        rss("<item><title><b/></title></item>"),
        rss("<item><guid x='y'>https://e.com/</guid></item>"),
        rss("<item><title>&#150;</title></item>"),
        atom("<entry><title type='xhtml'/></entry>"),
        atom("<entry><issued>1</issued></entry>"),
        b"<feed><title>T</title></feed>",
        b"<rss version='2.0'></rss>",
        b"<rdf:RDF " + RDF.encode() + b" xmlns='http://purl.org/rss/1.0/'><item rdf:about='x'/></rdf:RDF>",
        b"<opml/>",
        b"<feed xmlns='http://www.w3.org/2005/Atom'>",
        b"<rdf:RDF " + RDF.encode() + b"/>",
    ],
)
def test_the_fast_lane_leaves_doubtful_documents_alone(body: bytes) -> None:
    assert read_fast(body, URL) is None


def test_entities_are_neither_expanded_nor_loaded() -> None:
    doctype = b'<!DOCTYPE rss [<!ENTITY a "AAAA"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    item = f"<item><title>&a; &f;</title><link>{SITE}</link></item>"
    assert one(doctype + rss(item)).title == "&a; &f;"


def test_feedparser_reads_what_the_tree_lost() -> None:
    items = "".join(f"<item><title>{n}</title><link>{SITE}{n}</link>" for n in range(3))
    feed = read_feed(rss(items, f'version="2.0" {DC}'), URL)
    assert [(entry.url, entry.title) for entry in feed.entries] == [(f"{SITE}{n}", str(n)) for n in range(3)]


@pytest.mark.parametrize(
    ("inside", "dates"),
    [
        ("<published>1</published><updated>2</updated>", ("1", "published", "2", "updated")),
        ("<updated>2</updated>", (None, None, "2", "updated")),
        ("", (None, None, None, None)),
    ],
)
def test_feedparser_reads_atom_entries_that_never_end(inside: str, dates: tuple[str | None, ...]) -> None:
    entry = f"<entry><title>a &lt;b&gt; c</title><id>urn:1</id><link href='{SITE}'/>{inside}"
    feed = read_feed(atom(entry + entry), URL)
    assert len(feed.entries) == 2
    found = feed.entries[0]
    assert (found.entry_id, found.url, found.title) == ("urn:1", SITE, "a <b> c")
    assert (found.published_raw, found.published_from, found.updated_raw, found.updated_from) == dates


@pytest.mark.parametrize(
    ("inside", "dates"),
    [
        ("<pubDate>1</pubDate>", ("1", "pubDate", None, None)),
        ("<dc:date>2</dc:date>", ("2", "dc:date", None, None)),
        ("<pubDate>1</pubDate><dc:date>2026-02-12</dc:date>", ("2026-02-12", "dc:date", None, None)),
    ],
)
def test_feedparser_reads_rss_items_that_never_end(inside: str, dates: tuple[str | None, ...]) -> None:
    item = f"<item><title>x</title><link><![CDATA[{SITE}?a=1&amp;b=2]]></link>{inside}"
    found = read_feed(rss(item + item, f'version="2.0" {DC}'), URL).entries
    assert [entry.url for entry in found] == [SITE + "?a=1&b=2"] * 2
    entry = found[0]
    assert (entry.published_raw, entry.published_from, entry.updated_raw, entry.updated_from) == dates


@pytest.mark.parametrize(
    "body",
    [
        rss("<item><title>x</title><enclosure url='https://e.com/1.mp3'/>" * 2),
        atom("<entry><title>x</title><link rel='enclosure' href='https://e.com/1.mp3'/>" * 2),
    ],
)
def test_feedparser_reads_enclosures_of_entries_that_never_end(body: bytes) -> None:
    assert [entry.url for entry in read_feed(body, URL).entries] == ["https://e.com/1.mp3"] * 2


def test_feedparser_entries_without_a_link_are_counted() -> None:
    feed = read_feed(rss("<item><title>1</title><item><title>2</title>"), URL)
    assert (len(feed.entries), feed.unlinked) == (0, 2)


def test_relative_links_in_a_broken_document_start_from_its_base() -> None:
    entry = "<entry><title>x</title><link href='p'/>"
    feed = read_feed(atom(entry + entry, "xml:base='https://b.example/d/'"), URL)
    assert [found.url for found in feed.entries] == ["https://b.example/d/p"] * 2


def test_a_title_about_bases_survives_a_broken_document() -> None:
    item = f"<item><title>xml:base = x, base=y</title><link>{SITE}?base=1&amp;base=2</link>"
    feed = read_feed(rss(item + item), URL)
    assert {(entry.title, entry.url) for entry in feed.entries} == {
        ("xml:base = x, base=y", SITE + "?base=1&base=2")
    }


def test_the_tree_remains_when_feedparser_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("feedparser.parse", fail)
    item = f"<item><title>&nbsp;A</title><link>{SITE}</link></item>"
    assert one(rss(item)).title == "A"


def test_a_large_document_is_not_given_to_feedparser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tolerant_lane, "_FEEDPARSER_BYTES", 10)
    monkeypatch.setattr("feedparser.parse", None)
    assert one(rss(f"<item><title>&nbsp;A</title><link>{SITE}</link></item>")).title == "A"


def test_feedparser_never_sees_a_name_it_could_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed").write_bytes(rss(f"<item><link>{SITE}</link></item>"))
    with pytest.raises(ParseError):
        read_feed(b"feed", URL)


def test_no_warning_leaks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        item = f"<item><link>{SITE}</link><pubDate>1</pubDate>"
        assert len(read_feed(rss(item + item), URL).entries) == 2


@pytest.mark.parametrize(
    ("address", "base", "expected"),
    [
        (None, URL, None),
        (" \n", URL, None),
        ("https://e.com", URL, "https://e.com"),
        ("https://exa mple.com/", URL, None),
        ("https://1.2.3.999/", URL, None),
        ("http:path", "http://e.com/d/", "http://e.com/d/path"),
        ("p", "", None),
        ("p", "http://[::1", None),
        ("data:text/html,x", URL, None),
    ],
)
def test_absolute(address: str | None, base: str, expected: str | None) -> None:
    assert absolute(address, base) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "<item>",
        "<item></item>",
        "<a xml:base='b/'>",
        "<a base='b/'>",
        "<item><link>x</link>",
        "<title><b>",
        "<![CDATA[",
        "&",
        "<!--",
        "<a b",
        "base ",
        "base\n",
    ],
)
def test_linear_time(piece: str) -> None:
    opening = "<rss version='2.0'><channel>"
    start = time.process_time()
    read_feed((opening + piece * 10_000).encode(), URL)
    assert time.process_time() - start < 10


def test_a_long_base_over_many_links() -> None:
    links = "<entry><link href='x'/></entry>" * 10_000
    start = time.process_time()
    read_feed(atom(links, f"xml:base='https://b.example/{'d' * 1_000_000}/'"), URL)
    assert time.process_time() - start < 10


@given(st.binary(), st.none() | st.text())
def test_only_parse_errors_on_bytes(body: bytes, content_type: str | None) -> None:
    try:
        read_feed(body, URL, content_type)
    except ParseError:
        assert identify(body, content_type) is None


@given(
    st.sampled_from(
        ["<rss version='2.0'><channel>", f"<feed {ATOM_NS}>", f"<rdf:RDF {RDF}>", "<CHANNEL>", "{"]
    ),
    st.lists(
        st.sampled_from(
            [
                "<item>",
                "<entry>",
                "<link>",
                "<link href='",
                "</link>",
                "</item>",
                "<title",
                ">",
                "http://e.com/",
            ]
            + [
                "<![CDATA[",
                "]]>",
                "&",
                "&amp;",
                "&#",
                "<pubDate>",
                "'",
                '"',
                "xml:base='",
                "//[",
                "\x00",
                "é",
                "<x:y",
            ]
        ),
        max_size=30,
    ),
)
def test_only_parse_errors_on_pieces(opening: str, pieces: list[str]) -> None:
    body = (opening + "".join(pieces)).encode()
    try:
        feed = read_feed(body, URL)
    except ParseError:
        assert identify(body) is None
    else:
        assert feed.identity == identify(body)
        assert all(entry.url.lower().startswith(("http://", "https://")) for entry in feed.entries)
        assert all(entry.title != "" and entry.entry_id != "" for entry in feed.entries)


@pytest.mark.parametrize("piece", [b"<a/>", b"[", b"{"])
def test_a_document_of_nothing_but_elements_is_refused_unread(piece: bytes) -> None:
    body = b'<rss version="2.0"><channel>' + piece * (MAX_ELEMENTS + 1)
    with pytest.raises(ParseError, match="500,000 elements"):
        read_feed(body, "https://a.example/")
