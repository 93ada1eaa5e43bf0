"""The lane for plain feeds: takes a document only where nothing is in doubt."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from lxml import etree

from digestlog.core.feeds.entry import (
    MAX_ENTRIES,
    XML_LANG,
    Entry,
    Feed,
    alternates,
    assemble,
    base_of,
    drop_long_bases,
    enclosures,
    first_date,
    language_of,
    linked,
    min_interval,
    web_id,
)
from digestlog.core.feeds.identity import identity_of
from digestlog.core.feeds.tree import meaning, own_namespaces
from digestlog.core.text import clean, clean_html

_LANE = "fast"
_ATOM = "{http://www.w3.org/2005/Atom}"
_ATOM_LINK = _ATOM + "link"
_RSS_1 = "{http://purl.org/rss/1.0/}"
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_DCTERMS = "{http://purl.org/dc/terms/}"
_SY = "{http://purl.org/rss/1.0/modules/syndication/}"

_RSS_VERSIONS = ("2.0", "0.91", "0.92", "0.93", "0.94")
# At any depth: an entry where none is expected is a doubt.
_ITEMS = tuple("{*}" + name for name in ("item", "entry", "Item", "Entry", "ITEM", "ENTRY"))
# References to what XML calls controls and authors meant as Windows-1252.
_CONTROLS = re.compile(rb"&#(?:0*1[2-5]\d|[xX]0*[89][0-9a-fA-F]);")

_MODULE_DATES = {
    _DC + "date": "dc:date",
    _ATOM + "published": "atom:published",
    _DCTERMS + "issued": "dcterms:issued",
    _DCTERMS + "created": "dcterms:created",
}
_MODULE_UPDATES = {_ATOM + "updated": "atom:updated", _DCTERMS + "modified": "dcterms:modified"}
_RSS_DATES = {"pubDate": "pubDate"} | _MODULE_DATES
_ATOM_DATES = {_ATOM + "published": "published"}
_ATOM_UPDATES = {_ATOM + "updated": "updated"}

_RSS_FIELDS = frozenset({"title", "link", "guid", *_RSS_DATES, *_MODULE_UPDATES})
_RDF_FIELDS = frozenset({_RSS_1 + "title", _RSS_1 + "link", *_MODULE_DATES, *_MODULE_UPDATES})
_ATOM_FIELDS = frozenset({_ATOM + name for name in ("title", "id", "published", "updated")})

_ENCLOSURE_ATTRIBUTES = frozenset({"url", "length", "type"})

_Fields = dict[str, etree._Element]
_Links = dict[str, list[etree._Element]]


class _Doubt(Exception):
    """The document is not as plain as it looked."""


def read_fast(document: bytes, url: str) -> Feed | None:
    """The feed of a plain UTF-8 document, or None where the tolerant lane has to look."""
    # A document type can define entities and default attributes.
    if b"<!DOCTYPE" in document or (b"&#" in document and _CONTROLS.search(document)):
        return None
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(document, parser)
        has_bases = b"xml:base" in document
        if has_bases:
            drop_long_bases(root)
        reader = _READERS.get(str(root.tag))
        return reader(_Plain(root, url, has_bases)) if reader else None
    except (etree.XMLSyntaxError, _Doubt):
        return None


class _Plain:
    """A well-formed document and what has been learnt about its names."""

    def __init__(self, root: etree._Element, url: str, has_bases: bool) -> None:
        identity = identity_of(root)
        if identity is None:
            raise _Doubt
        self.root, self.url, self.identity = root, url, identity
        self.language: str | None = None
        self._has_bases = has_bases
        self._own = own_namespaces(root, identity.kind)
        self._silent: set[str] = set()

    def feed(self, about: etree._Element, items: list[etree._Element], read: _Reader, own: str) -> Feed:
        """The feed that `about` describes, of these items, if there are no others anywhere."""
        if sum(1 for _ in self.root.iter(*_ITEMS)) != len(items):
            raise _Doubt
        text = about.findtext
        self.language = language_of(text(own + "language"), text(_DC + "language"), self.root.get(XML_LANG))
        return assemble(
            self.identity,
            [read(self, item) for item in items[:MAX_ENTRIES]],
            lane=_LANE,
            total=len(items),
            language=self.language,
            min_interval_s=min_interval(
                text(own + "ttl"), text(_SY + "updatePeriod"), text(_SY + "updateFrequency")
            ),
        )

    def fields(self, item: etree._Element, wanted: Collection[str], links: _Links) -> _Fields:
        """The wanted children by name, each there once; links may repeat and go to their lists."""
        found: _Fields = {}
        silent = self._silent
        for child in item:
            tag: str = child.tag  # type: ignore[assignment]  # without comments, only names are left
            if tag in wanted:
                if tag in found:
                    raise _Doubt
                found[tag] = child
            elif tag in links:
                links[tag].append(child)
            elif tag not in silent:
                self._silence(tag)
        return found

    def base(self, element: etree._Element) -> str:
        """What a relative link in the element is joined to."""
        return base_of(element, self.url) if self._has_bases else self.url

    def _silence(self, tag: str) -> None:
        if meaning(tag, self._own) is not None:
            raise _Doubt
        self._silent.add(tag)


_Reader = Callable[[_Plain, etree._Element], Entry | None]


def _rss(plain: _Plain) -> Feed:
    root = plain.root
    if root.get("version") not in _RSS_VERSIONS or len(root) != 1 or root[0].tag != "channel":
        raise _Doubt
    return plain.feed(root[0], root[0].findall("item"), _rss_entry, "")


def _rss_entry(plain: _Plain, item: etree._Element) -> Entry | None:
    files: list[etree._Element] = []
    links: list[etree._Element] = []
    fields = plain.fields(item, _RSS_FIELDS, {"enclosure": files, _ATOM_LINK: links})
    link, guid = fields.get("link"), fields.get("guid")
    entry_id = _text(guid)
    url = _address(plain, link)
    if url is None and guid is not None and _is_permalink(guid):
        url = web_id(entry_id)
    if url is None:
        if links or item.attrib or (link is not None and link.attrib):
            raise _Doubt
        url = _declared_permalink(plain, guid) or _enclosed(plain, files)
    return _entry(plain, fields, entry_id, url, _html(fields.get("title")), _RSS_DATES, _MODULE_UPDATES)


def _is_permalink(guid: etree._Element) -> bool:
    if any(name != "isPermaLink" for name in guid.keys()):  # noqa: SIM118 (an element's own keys)
        raise _Doubt
    return guid.get("isPermaLink", "").strip().lower() != "false"


def _declared_permalink(plain: _Plain, guid: etree._Element | None) -> str | None:
    """The address of a guid that is said, not merely assumed, to be one: it may be relative."""
    declared = guid is not None and guid.get("isPermaLink", "").strip().lower() == "true"
    return _address(plain, guid) if declared else None


def _enclosed(plain: _Plain, files: list[etree._Element]) -> str | None:
    if any(not _ENCLOSURE_ATTRIBUTES.issuperset(file.keys()) for file in files):
        raise _Doubt
    return _first_address(plain, files, "url")


def _rdf(plain: _Plain) -> Feed:
    about = plain.root.find(_RSS_1 + "channel")
    if about is None:
        raise _Doubt
    return plain.feed(about, plain.root.findall(_RSS_1 + "item"), _rdf_entry, _RSS_1)


def _rdf_entry(plain: _Plain, item: etree._Element) -> Entry | None:
    fields = plain.fields(item, _RDF_FIELDS, {})
    entry_id = item.get(_RDF + "about", "").strip() or None
    if entry_id is None:
        raise _Doubt
    url = _address(plain, fields.get(_RSS_1 + "link")) or linked(entry_id, plain.base(item))
    title = _html(fields.get(_RSS_1 + "title"))
    return _entry(plain, fields, entry_id, url, title, _MODULE_DATES, _MODULE_UPDATES)


def _atom(plain: _Plain) -> Feed:
    return plain.feed(plain.root, plain.root.findall(_ATOM + "entry"), _atom_entry, _ATOM)


def _atom_entry(plain: _Plain, entry: etree._Element) -> Entry | None:
    links: list[etree._Element] = []
    fields = plain.fields(entry, _ATOM_FIELDS, {_ATOM_LINK: links})
    entry_id = _text(fields.get(_ATOM + "id"))
    pages = alternates([(link.get("rel"), link.get("type"), link) for link in links])
    url = _first_address(plain, pages, "href") or web_id(entry_id)
    if url is None:
        url = _first_address(plain, enclosures((link.get("rel"), link) for link in links), "href")
    title = _atom_title(fields.get(_ATOM + "title"))
    return _entry(plain, fields, entry_id, url, title, _ATOM_DATES, _ATOM_UPDATES)


def _first_address(plain: _Plain, elements: list[etree._Element], attribute: str) -> str | None:
    for element in elements:
        if url := linked(element.get(attribute), plain.base(element)):
            return url
    return None


def _atom_title(title: etree._Element | None) -> str | None:
    kind = "text" if title is None else title.get("type", "text")
    if kind == "html":
        return _html(title)
    if kind != "text":
        raise _Doubt
    return clean(_text(title))


_READERS: dict[str, Callable[[_Plain], Feed]] = {"rss": _rss, _RDF + "RDF": _rdf, _ATOM + "feed": _atom}


def _entry(
    plain: _Plain,
    fields: _Fields,
    entry_id: str | None,
    url: str | None,
    title: str | None,
    dates: dict[str, str],
    updates: dict[str, str],
) -> Entry | None:
    if url is None:
        return None
    published_raw, published_from = _date(fields, dates, plain.language)
    updated_raw, updated_from = _date(fields, updates, plain.language)
    return Entry(entry_id, url, title, published_raw, published_from, updated_raw, updated_from)


def _date(
    fields: _Fields, names: dict[str, str], language: str | None
) -> tuple[str, str] | tuple[None, None]:
    found = []
    for tag, name in names.items():
        if tag in fields and (raw := _text(fields[tag])):
            found.append((raw, name))
    return first_date(found, language)


def _address(plain: _Plain, link: etree._Element | None) -> str | None:
    return None if link is None else linked(_text(link), plain.base(link))


def _html(title: etree._Element | None) -> str | None:
    text = _text(title)
    return clean_html(text) if text and ("<" in text or "&" in text) else clean(text)


def _text(element: etree._Element | None) -> str | None:
    """The element's own text, which must be all it holds."""
    if element is None:
        return None
    if len(element):
        raise _Doubt
    return (element.text or "").strip() or None
