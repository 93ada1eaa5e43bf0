"""The same stories as every kind of feed: each writer gives the bytes and their type."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any
from urllib.parse import urlsplit

from scan.story import Story

Body = tuple[bytes, str]
Writer = Callable[[str, Sequence[Story]], Body]

_RSS = "application/rss+xml"
_XML = "text/xml"
_ATOM = "application/atom+xml; charset=utf-8"
_HTML = ' type="html"'
_ESCAPED = ' type="text/html" mode="escaped"'


def element(name: str, text: str | None, attributes: str = "") -> str:
    """An XML element of this text, or nothing."""
    return "" if text is None else f"<{name}{attributes}>{escape(text)}</{name}>"


def _relative(feed_url: str, story: Story) -> str:
    """The story's address as seen from its feed; one that joining would rewrite stays whole."""
    site = "://".join(urlsplit(feed_url)[:2])
    original = story.link.original
    return original.removeprefix(site) if "/../" not in original else original


def _rss(
    version: str, items: str, before: str = "", names: str = "", behind: str = "</channel></rss>"
) -> str:
    about = "<title>A feed</title><link>http://nowhere.example/</link><description>Of stories</description>"
    return f'{before}<rss version="{version}"{names}><channel>{about}{items}{behind}'


def rss_2(url: str, stories: Sequence[Story]) -> Body:
    """RSS 2.0 as most write it."""
    items = "".join(
        f"<item>{element('title', s.title.html)}{element('link', s.link.original)}"
        f"{element('pubDate', s.date.written)}<guid isPermaLink='false'>{n}</guid></item>"
        for n, s in enumerate(stories)
    )
    return _rss("2.0", items, '<?xml version="1.0" encoding="utf-8"?>\n').encode(), _RSS


def rss_2_guids(url: str, stories: Sequence[Story]) -> Body:
    """RSS 2.0 without links: the guid is the address."""
    items = "".join(
        f"<item>{element('guid', s.link.original)}{element('title', s.title.html)}"
        f"{element('pubDate', s.date.written)}</item>"
        for s in stories
    )
    return _rss("2.0", items).encode(), _RSS


def rss_2_relative(url: str, stories: Sequence[Story]) -> Body:
    """RSS 2.0 with addresses that begin at the site's root, and titles in CDATA."""
    items = "".join(
        f"<item><link>\n  {escape(_relative(url, s))}\n</link>"
        + (f"<title><![CDATA[{s.title.html}]]></title>" if s.title.html else "")
        + f"{element('dc:date', s.date.written)}</item>"
        for s in stories
    )
    return _rss("2.0", items, names=' xmlns:dc="http://purl.org/dc/elements/1.1/"').encode(), _RSS


def rss_2_atom_links(url: str, stories: Sequence[Story]) -> Body:
    """RSS 2.0 whose items have their address in atom:link, among others."""
    items = "".join(
        f"<item>{element('title', s.title.html)}{element('pubDate', s.date.written)}"
        f'<atom:link rel="replies" href="http://nowhere.example/replies"/>'
        f'<atom:link rel="alternate" href="{escape(s.link.original)}"/></item>'
        for s in stories
    )
    return _rss("2.0", items, names=' xmlns:atom="http://www.w3.org/2005/Atom"').encode(), _RSS


def rss_091(url: str, stories: Sequence[Story]) -> Body:
    """RSS 0.91 with Netscape's document type."""
    doctype = (
        '<?xml version="1.0"?>\n<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN"'
        ' "http://my.netscape.com/publish/formats/rss-0.91.dtd">\n'
    )
    items = "".join(
        f"<item>{element('title', s.title.html)}{element('link', s.link.original)}"
        f"{element('pubDate', s.date.written)}</item>"
        for s in stories
    )
    return _rss("0.91", items, doctype).encode(), _XML


def rss_1(url: str, stories: Sequence[Story]) -> Body:
    """RSS 1.0, which is RDF."""
    items = "".join(
        f'<item rdf:about="{escape(s.link.original)}">{element("title", s.title.html)}'
        f"{element('link', s.link.original)}{element('dc:date', s.date.written)}</item>"
        for s in stories
    )
    text = (
        '<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<channel rdf:about="{escape(url)}"><title>RDF</title><link>{escape(url)}</link></channel>'
        f"{items}</rdf:RDF>"
    )
    return text.encode(), "application/rdf+xml"


def _atom(entries: str, attributes: str = "") -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"{attributes}>'
        f"<title>Atom</title><id>urn:a</id><updated>2026-02-13T09:00:00Z</updated>{entries}</feed>"
    ).encode()


def atom(url: str, stories: Sequence[Story]) -> Body:
    """Atom 1.0 with an updated date beside the published one."""
    entries = "".join(
        f"<entry><id>urn:a:{n}</id>{element('title', s.title.html, _HTML)}"
        f'<link href="{escape(s.link.original)}"/>{element("published", s.date.written)}'
        + (f"<updated>{s.date.written}</updated>" if s.date.written else "")
        + "</entry>"
        for n, s in enumerate(stories)
    )
    return _atom(entries), _ATOM


def atom_bases(url: str, stories: Sequence[Story]) -> Body:
    """Atom 1.0 with bases, several links of which one is the page, literal titles, and only updated dates."""
    site = "://".join(urlsplit(url)[:2])
    entries = "".join(
        f'<entry xml:base="{site}/"><id>urn:b:{n}</id>{element("title", s.title.text)}'
        '<link rel="self" href="/atom/self"/><link rel="enclosure" href="/sound.mp3" type="audio/mpeg"/>'
        f'<link rel="alternate" type="text/html" href="{escape(_relative(url, s))}"/>'
        f"{element('updated', s.date.written)}</entry>"
        for n, s in enumerate(stories)
    )
    return _atom(entries, ' xml:base="http://nowhere.example/"'), _ATOM


def atom_03(url: str, stories: Sequence[Story]) -> Body:
    """Atom 0.3."""
    entries = "".join(
        f"<entry>{element('title', s.title.html, _ESCAPED)}"
        f'<link rel="alternate" type="text/html" href="{escape(s.link.original)}"/>'
        f"{element('issued', s.date.written)}<id>tag:{n}</id></entry>"
        for n, s in enumerate(stories)
    )
    text = f'<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old Atom</title>{entries}</feed>'
    return text.encode(), "application/atom+xml"


def json_feed(url: str, stories: Sequence[Story]) -> Body:
    """JSON Feed 1.1; every other entry has its address as the external one only."""
    items: list[dict[str, Any]] = []
    for number, story in enumerate(stories):
        item = {"id": str(number), "title": story.title.html, "date_published": story.date.written}
        item["external_url" if number % 2 else "url"] = story.link.original
        items.append({name: value for name, value in item.items() if value is not None})
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "JSON", "items": items}
    return json.dumps(feed, ensure_ascii=False).encode(), "application/feed+json"


def cdf(url: str, stories: Sequence[Story]) -> Body:
    """Microsoft's Channel Definition Format."""
    items = "".join(
        f'<ITEM HREF="{escape(s.link.original)}"'
        + (f' LASTMOD="{s.date.written}"' if s.date.written else "")
        + f">{element('TITLE', s.title.html)}</ITEM>"
        for s in stories
    )
    text = f'<?xml version="1.0"?><CHANNEL HREF="{escape(url)}"><TITLE>CDF</TITLE>{items}</CHANNEL>'
    return text.encode(), "application/x-cdf"


def broken_escapes(url: str, stories: Sequence[Story]) -> Body:
    """Bare ampersands, HTML's own entities, markup in titles, a control character, an unknown prefix."""
    items = "".join(
        "<item>"
        + (f"<title>{s.title.html}\x0b</title>" if s.title.html else "")
        + f"<link>{s.link.original}</link><media:thumbnail url=x/>{element('pubDate', s.date.written)}</item>"
        for s in stories
    )
    return _rss("2.0", items).encode(), _RSS


def broken_ends(url: str, stories: Sequence[Story]) -> Body:
    """Cut off behind the last item, with tags that are never closed, behind blank lines, called a page."""
    items = "".join(
        f"<item>{element('title', s.title.html)}{element('link', s.link.original)}"
        f"{element('pubDate', s.date.written)}<description><p>Never <b>closed</description></item>"
        for s in stories
    )
    return ("\n\n" + _rss("2.0", items, behind="")).encode(), "text/html"


def _reencoded(declared: str | None, codec: str, kind: str = _XML) -> Writer:
    """RSS 0.92 in bytes of one encoding that declare another, or none."""

    def write(url: str, stories: Sequence[Story]) -> Body:
        items = "".join(
            f"<item>{element('title', s.title.text)}{element('link', s.link.original)}"
            f"{element('pubDate', s.date.written)}</item>"
            for s in stories
        )
        says = f' encoding="{declared}"' if declared else ""
        return _rss("0.92", items, f'<?xml version="1.0"{says}?>').encode(codec), kind

    return write


WRITERS: Sequence[Writer] = (
    rss_2,
    atom,
    rss_2_guids,
    cdf,
    rss_1,
    rss_2_relative,
    broken_escapes,
    json_feed,
    rss_091,
    atom_bases,
    _reencoded("iso-8859-1", "cp1252"),
    rss_2_atom_links,
    atom_03,
    _reencoded("iso-8859-1", "utf-8"),
    broken_ends,
    _reencoded("utf-8", "cp1252"),
    _reencoded(None, "utf-16", "application/xml; charset=iso-8859-1"),
)
