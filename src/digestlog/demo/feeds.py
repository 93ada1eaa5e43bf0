"""Writes the demo web's feeds in the formats that real sites use."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from xml.sax.saxutils import escape, quoteattr

from digestlog.demo.story import Dated

_XML = '<?xml version="1.0" encoding="{}"?>\n'
_DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
_ATOM_NS = "http://www.w3.org/2005/Atom"
_RDF_NS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_JSON_ZONE = timezone(timedelta(hours=1))


@dataclass(frozen=True)
class Entry:
    """One line of a feed: where it points to, and what it says of the article there."""

    title: str
    link: str
    author: str
    summary: str
    at: datetime
    dated: Dated = "time"


@dataclass(frozen=True)
class Channel:
    """A feed before it takes the shape of a format."""

    title: str
    home: str
    url: str
    tagline: str
    lang: str
    entries: tuple[Entry, ...]


def rss(channel: Channel, encoding: str = "utf-8") -> bytes:
    """The channel as RSS 2.0; characters that `encoding` lacks become references."""
    head = (
        f'{_XML.format(encoding)}<rss version="2.0" xmlns:atom="{_ATOM_NS}" {_DC}>\n<channel>\n'
        f"<title>{escape(channel.title)}</title>\n<link>{escape(channel.home)}</link>\n"
        f"<description>{escape(channel.tagline)}</description>\n<language>{channel.lang}</language>\n"
        f'<atom:link rel="self" type="application/rss+xml" href={quoteattr(channel.url)}/>\n'
    )
    items = "".join(map(_rss_item, channel.entries))
    return f"{head}{items}</channel>\n</rss>\n".encode(encoding, "xmlcharrefreplace")


def _rss_item(entry: Entry) -> str:
    return (
        f"<item>\n<title>{escape(entry.title)}</title>\n<link>{escape(entry.link)}</link>\n"
        f'<guid isPermaLink="false">{escape(entry.link.partition("?")[0])}</guid>\n'
        f"<dc:creator>{escape(entry.author)}</dc:creator>\n"
        f"<pubDate>{format_datetime(entry.at, usegmt=True)}</pubDate>\n"
        f"<description>{escape(entry.summary)}</description>\n</item>\n"
    )


def broken_rss(channel: Channel) -> bytes:
    """The channel as RSS 2.0 that is not well-formed: bare ampersands, and the end cut off."""
    return rss(channel).replace(b"&amp;", b"&").removesuffix(b"nel>\n</rss>\n")


def atom(channel: Channel) -> bytes:
    """The channel as Atom 1.0."""
    updated = max(entry.at for entry in channel.entries).isoformat()
    head = (
        f'{_XML.format("utf-8")}<feed xmlns="{_ATOM_NS}" xml:lang="{channel.lang}">\n'
        f"<title>{escape(channel.title)}</title>\n<subtitle>{escape(channel.tagline)}</subtitle>\n"
        f'<link rel="alternate" type="text/html" href={quoteattr(channel.home)}/>\n'
        f'<link rel="self" type="application/atom+xml" href={quoteattr(channel.url)}/>\n'
        f"<id>{escape(channel.home)}</id>\n<updated>{updated}</updated>\n"
    )
    return f"{head}{''.join(map(_atom_entry, channel.entries))}</feed>\n".encode()


def _atom_entry(entry: Entry) -> str:
    at = entry.at.isoformat()
    return (
        f"<entry>\n<title>{escape(entry.title)}</title>\n"
        f'<link rel="alternate" type="text/html" href={quoteattr(entry.link)}/>\n'
        f"<id>{escape(entry.link)}</id>\n<published>{at}</published>\n<updated>{at}</updated>\n"
        f"<author><name>{escape(entry.author)}</name></author>\n"
        f'<summary type="text">{escape(entry.summary)}</summary>\n</entry>\n'
    )


def rdf(channel: Channel) -> bytes:
    """The channel as RSS 1.0, whose dates may be whole days or missing."""
    order = "".join(f"<rdf:li rdf:resource={quoteattr(entry.link)}/>\n" for entry in channel.entries)
    head = (
        f'{_XML.format("utf-8")}<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="{_RDF_NS}" {_DC}>\n'
        f"<channel rdf:about={quoteattr(channel.url)}>\n<title>{escape(channel.title)}</title>\n"
        f"<link>{escape(channel.home)}</link>\n<description>{escape(channel.tagline)}</description>\n"
        f"<items><rdf:Seq>\n{order}</rdf:Seq></items>\n</channel>\n"
    )
    return f"{head}{''.join(map(_rdf_item, channel.entries))}</rdf:RDF>\n".encode()


def _rdf_item(entry: Entry) -> str:
    at = {"time": entry.at.isoformat(), "date": entry.at.date().isoformat(), "none": ""}[entry.dated]
    return (
        f"<item rdf:about={quoteattr(entry.link)}>\n<title>{escape(entry.title)}</title>\n"
        f"<link>{escape(entry.link)}</link>\n<dc:creator>{escape(entry.author)}</dc:creator>\n"
        + (f"<dc:date>{at}</dc:date>\n" if at else "")
        + f"<description>{escape(entry.summary)}</description>\n</item>\n"
    )


def json_feed(channel: Channel) -> bytes:
    """The channel as JSON Feed 1.1, with times in a zone other than UTC."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": channel.title,
        "home_page_url": channel.home,
        "feed_url": channel.url,
        "description": channel.tagline,
        "language": channel.lang,
        "items": [_json_item(entry) for entry in channel.entries],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode()


def _json_item(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.link,
        "url": entry.link,
        "title": entry.title,
        "content_text": entry.summary,
        "date_published": entry.at.astimezone(_JSON_ZONE).isoformat(),
        "authors": [{"name": entry.author}],
    }
