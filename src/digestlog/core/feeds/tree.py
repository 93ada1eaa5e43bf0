"""Entries out of a parsed document, by the names that feeds of every kind use."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from digestlog.core.feeds.entry import (
    XML_LANG,
    Entry,
    alternates,
    base_of,
    enclosures,
    first_date,
    language_of,
    linked,
    min_interval,
    web_id,
)
from digestlog.core.feeds.identity import local_name, name_parts, namespace_of
from digestlog.core.text import clean, clean_html

# In order of trust. `created` is the birth of the entry, which Atom 0.3 also gave to drafts.
PUBLISHED = (
    "pubDate",
    "published",
    "issued",
    "dc:date",
    "atom:published",
    "dcterms:issued",
    "created",
    "dcterms:created",
    "date",
)
UPDATED = ("updated", "modified", "atom:updated", "dcterms:modified")
_IDS = ("guid", "id", "atom:id")
_TITLES = ("title", "dc:title")
_LINKS = ("link", "atom:link", "a", "enclosure")
_ITEMS = ("item", "entry")

_ATOM = ("http://www.w3.org/2005/atom", "http://purl.org/atom/ns#")
_RSS = (
    "http://purl.org/rss/1.0/",
    "http://purl.org/net/rss1.1#",
    "http://my.netscape.com/rdf/simple/0.9/",
    "http://channel.netscape.com/rdf/simple/0.9/",
    "http://blogs.law.harvard.edu/tech/rss",
    "http://backend.userland.com/rss2",
)
# The right names the elements of a namespace, declared or only meant.
_PREFIXES = {
    "http://purl.org/dc/elements/1.0/": "dc:",
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://purl.org/rss/1.0/modules/syndication/": "sy:",
    "dc:": "dc:",
    "dcterms:": "dcterms:",
    "sy:": "sy:",
    "atom:": "atom:",
} | dict.fromkeys(_ATOM, "atom:")

# Each name in the spelling of its standard, whatever the feed's.
_SPELLING = {name.lower(): name for name in (*PUBLISHED, *UPDATED, *_IDS, *_TITLES, *_LINKS, *_ITEMS)}

_PREFIX = re.compile(r"<(?=/?[A-Za-z_][\w.-]*:)/?[^:<>]*:")
# Every one tried takes its time; no honest entry has more.
_MAX_DATES = 5
_LITERAL = ("", "text", "text/plain", "plain")


def own_namespaces(root: etree._Element, kind: str) -> frozenset[str]:
    """The namespaces, in lower case, whose elements belong to the feed's own format."""
    return frozenset({"", namespace_of(root).lower(), *(_ATOM if kind == "atom" else _RSS)})


def meaning(tag: str, own: frozenset[str]) -> str | None:
    """The standard name of an element that says something about an entry, None for any other."""
    return _SPELLING.get(_qualified(tag, own))


def _qualified(tag: str, own: frozenset[str]) -> str:
    namespace, name = name_parts(tag)
    namespace = namespace.lower()
    prefix = "" if namespace in own else _PREFIXES.get(namespace, "?:")
    return prefix + name.lower()


@dataclass(frozen=True, slots=True)
class Tree:
    """A feed's parsed document, well-formed or saved from a broken one."""

    root: etree._Element
    kind: str
    url: str
    own: frozenset[str] = field(init=False)
    language: str | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", own_namespaces(self.root, self.kind))
        object.__setattr__(self, "language", self._language())

    def items(self) -> list[etree._Element]:
        """The elements that are entries, in document order, at any depth."""
        return [node for node in self.root.iter("*") if meaning(str(node.tag), self.own) in _ITEMS]

    def entry(self, item: etree._Element) -> Entry | None:
        """The entry that the item writes, None if nothing in it leads to the web."""
        parts = defaultdict(list)
        for child in item.iterchildren("*"):
            parts[meaning(str(child.tag), self.own)].append(child)
        written_id = _first(parts[name] for name in _IDS)
        entry_id = (_attribute(item, "about") or "").strip() or written_id
        url = self._atom_url(parts, entry_id) if self.kind == "atom" else self._rss_url(item, parts)
        if url is None:
            return None
        published_raw, published_from = _date(parts, PUBLISHED, self.language)
        updated_raw, updated_from = _date(parts, UPDATED, self.language)
        lastmod = (_attribute(item, "lastmod") or "").strip()
        if updated_raw is None and lastmod:
            updated_raw, updated_from = lastmod, "lastmod"
        title = self._title(parts)
        return Entry(entry_id, url, title, published_raw, published_from, updated_raw, updated_from)

    def min_interval_s(self) -> int | None:
        """The seconds between two visits that the feed asks for."""
        return min_interval(
            self._said("ttl"), self._said("sy:updateperiod"), self._said("sy:updatefrequency")
        )

    def _language(self) -> str | None:
        """The language that the feed as a whole is said to be in."""
        return language_of(self._said("language"), self._said("dc:language"), self.root.get(XML_LANG))

    def _said(self, name: str) -> str | None:
        """The text of the feed's own element of that name, not of one inside an entry."""
        channel = next((child for child in self.root if local_name(child) == "channel"), self.root)
        return _first([[child] for child in channel if _qualified(str(child.tag), self.own) == name])

    def _atom_url(self, parts: _Parts, entry_id: str | None) -> str | None:
        links = parts["link"]
        return self._alternate(links) or self._written(links) or web_id(entry_id) or self._enclosed(links)

    def _rss_url(self, item: etree._Element, parts: _Parts) -> str | None:
        return (
            self._written(parts["link"])
            or _permalink(parts["guid"])
            or self._alternate([*parts["link"], *parts["atom:link"]])
            or self._address([item], "about")
            or self._address([item], "href")
            or self._alternate(parts["a"])
            or self._written(guid for guid in parts["guid"] if _permalink_word(guid) == "true")
            or self._address(parts["enclosure"], "url")
            or self._enclosed([*parts["link"], *parts["atom:link"]])
        )

    def _written(self, links: Iterable[etree._Element]) -> str | None:
        addresses = (linked(_text(link), base_of(link, self.url)) for link in links)
        return next((address for address in addresses if address), None)

    def _alternate(self, links: Iterable[etree._Element]) -> str | None:
        ordered = alternates((_attribute(link, "rel"), _attribute(link, "type"), link) for link in links)
        return self._address(ordered, "href")

    def _enclosed(self, links: Iterable[etree._Element]) -> str | None:
        return self._address(enclosures((_attribute(link, "rel"), link) for link in links), "href")

    def _address(self, elements: Iterable[etree._Element], attribute: str) -> str | None:
        """The first web address that the attribute gives."""
        found = (linked(_attribute(element, attribute), base_of(element, self.url)) for element in elements)
        return next((address for address in found if address), None)

    def _title(self, parts: _Parts) -> str | None:
        titles = (self._title_text(title) for name in _TITLES for title in parts[name])
        return next((title for title in titles if title), None)

    def _title_text(self, title: etree._Element) -> str | None:
        """Text as its type says; RSS has no types, and its titles are HTML."""
        if len(title):
            markup = etree.tostring(title, encoding="unicode", with_tail=False)
            return clean_html(_PREFIX.sub("<", markup))
        kind = (_attribute(title, "type") or "").strip().lower()
        return clean(title.text) if self.kind == "atom" and kind in _LITERAL else clean_html(title.text)


_Parts = Mapping[str | None, list[etree._Element]]


def _permalink(guids: Iterable[etree._Element]) -> str | None:
    for guid in guids:
        if _permalink_word(guid) != "false":
            address = web_id(_text(guid))
            if address:
                return address
    return None


def _permalink_word(guid: etree._Element) -> str:
    return (_attribute(guid, "ispermalink") or "").strip().lower()


def _date(parts: _Parts, names: Iterable[str], language: str | None) -> tuple[str, str] | tuple[None, None]:
    found = ((text, name) for name in names for element in parts[name] if (text := _text(element)))
    return first_date(list(islice(found, _MAX_DATES)), language)


def _first(groups: Iterable[Iterable[etree._Element]]) -> str | None:
    texts = (_text(element) for group in groups for element in group)
    return next((text for text in texts if text), None)


def _text(element: etree._Element) -> str:
    return "".join(_pieces(element)).strip()


def _pieces(element: etree._Element) -> Iterator[str]:
    return (str(piece) for piece in element.itertext())


def _attribute(element: etree._Element, name: str) -> str | None:
    """The attribute of that name in any namespace and spelling."""
    return next(
        (str(value) for key, value in element.items() if name_parts(str(key))[1].lower() == name), None
    )
