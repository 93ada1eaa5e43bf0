"""OPML files, the lists of feeds that readers exchange: bytes -> outlines, outlines -> bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Any, cast

from lxml import etree

from digestlog.core.text import after_prolog, clean, decode_xml, mended, root_name, web_address, xml_legal
from digestlog.errors import ParseError

MAX_BYTES = 15_000_000
MAX_DEPTH = 64
MAX_OUTLINES = 100_000

# A folder path is joined by "/"; a slash inside a name becomes the look-alike division slash.
_SLASH, _SLASH_IN_NAME = "/", "\u2215"
_SNIFFED_BYTES = 4096
_ADDRESS_SHOWN = 80
_FEED_ROOTS = frozenset({"rss", "rdf", "feed", "channel"})


@dataclass(frozen=True, slots=True)
class Outline:
    """One feed or page of a list."""

    url: str
    title: str | None
    site_url: str | None
    folder: str | None
    is_feed: bool


@dataclass(frozen=True, slots=True)
class OpmlFile:
    """What a list holds, and one sentence for each address that was left out."""

    outlines: tuple[Outline, ...]
    skipped: tuple[str, ...]


def looks_like_opml(body: bytes) -> bool:
    """Whether the first 4 KB, in any encoding, open an OPML document."""
    return root_name(after_prolog(decode_xml(body[:_SNIFFED_BYTES]))) == "opml"


def read_opml(body: bytes) -> OpmlFile:
    """The list's web addresses in document order, each once; ParseError if it is no OPML or too large."""
    if len(body) > MAX_BYTES:
        raise ParseError(
            f"This file is larger than {MAX_BYTES // 1_000_000} MB, more than a list of feeds can be.",
            "Export the list again, or split it into several files.",
        )
    text = after_prolog(decode_xml(body))
    _demand_opml(root_name(text))
    reader = _Reader()
    # A target instead of a tree: no node is built, so neither depth nor number costs memory.
    parser = etree.XMLParser(
        target=cast(Any, reader),  # the stubs demand methods that lxml does not
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    etree.fromstring(mended(text), parser)
    return OpmlFile(tuple(reader.outlines.values()), tuple(reader.skipped))


def write_opml(outlines: Iterable[Outline], title: str, created: datetime) -> bytes:
    """OPML 2.0 in UTF-8 that `read_opml` gives back, given an aware `created`.

    For outlines whose addresses are distinct http(s) ones, whose texts `clean` leaves alone and
    whose folders are at most 63 deep, reading returns equal outlines; those of one folder keep
    their order and stand together, subfolders included, where the folder first appeared.
    """
    root = etree.Element("opml", version="2.0")
    head = etree.SubElement(root, "head")
    etree.SubElement(head, "title").text = clean(xml_legal(title)) or ""
    etree.SubElement(head, "dateCreated").text = format_datetime(created)
    body = etree.SubElement(root, "body")
    folders: dict[tuple[etree._Element, str], etree._Element] = {}
    for outline in outlines:
        parent = _folder_element(body, outline.folder, folders)
        etree.SubElement(parent, "outline", _attributes(outline))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)


class _Reader:
    """Receives elements as the parser meets them and keeps the outlines."""

    def __init__(self) -> None:
        self.outlines: dict[str, Outline] = {}
        self.skipped: list[str] = []
        # One place per open element: a folder's name, or None for what is no folder.
        self._open: list[str | None] = []
        self._elements = 0
        self._count = 0

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        is_outline = tag.rpartition("}")[2].lower() == "outline"
        self._elements += 1
        self._count += is_outline
        self._demand_bounds()
        self._open.append(self._outline(attrib) if is_outline else None)

    def end(self, tag: str) -> None:
        self._open.pop()

    def close(self) -> None:
        """The parser asks every target for a result; this one's is in its fields."""

    def _demand_bounds(self) -> None:
        # The opml and body elements enclose the first level.
        if len(self._open) >= MAX_DEPTH + 2:
            raise ParseError(f"This list is nested more than {MAX_DEPTH} levels deep.")
        # Elements that are no outlines are counted too, or they would be free.
        if self._count > MAX_OUTLINES or self._elements > 2 * MAX_OUTLINES:
            message = f"This list has more than {MAX_OUTLINES:,} entries."
            raise ParseError(message, "Split it into several files.")

    def _outline(self, attrib: Mapping[str, str]) -> str | None:
        """Keep the outline if it has an address; return its name if it is a folder."""
        names = _names(attrib)
        kind = names.get("type", "").lower()
        feed = names.get("xmlurl") or (names.get("url") if kind in ("rss", "atom") else None)
        if feed:
            self._keep(feed, names, is_feed=True)
        elif kind == "link" and (page := names.get("url") or names.get("htmlurl")):
            self._keep(page, names, is_feed=False)
        elif kind == "include":
            self.skipped.append(f"Left out another list that this one includes: {_shown(names.get('url'))}")
        elif kind in ("rss", "atom"):
            self.skipped.append(f"Left out a feed without an address: {_shown(names.get('text'))}")
        else:
            return self._folder_or_page(names)
        return None

    def _folder_or_page(self, names: Mapping[str, str]) -> str | None:
        """The name of a folder; one that also has an address is kept as a page too."""
        if page := names.get("url") or names.get("htmlurl"):
            self._keep(page, names, is_feed=False)
        return names.get("title") or names.get("text")

    def _keep(self, written: str, names: Mapping[str, str], is_feed: bool) -> None:
        url = web_address(written)
        if url is None:
            self.skipped.append(f"Left out an address that is not on the web: {_shown(written)}")
            return
        site = names.get("htmlurl") if is_feed or names.get("url") else None
        path = [name.replace(_SLASH, _SLASH_IN_NAME) for name in self._open if name]
        self.outlines.setdefault(
            url, Outline(url, _title(names, written), web_address(site), _SLASH.join(path) or None, is_feed)
        )


def _demand_opml(root: str | None) -> None:
    if root == "opml":
        return
    if root in _FEED_ROOTS:
        raise ParseError(
            "This is a feed, not a list of feeds (OPML).", "Add the feed's own address as a source instead."
        )
    kind = "a web page" if root == "html" else "something else"
    raise ParseError(
        f"This is {kind}, not a list of feeds (OPML).", "Export an OPML file from your feed reader."
    )


def _names(attrib: Mapping[str, str]) -> dict[str, str]:
    """Attributes by lower-case name, cleaned; the first that says something wins."""
    names: dict[str, str] = {}
    for name, value in attrib.items():
        # To a target, and when told not to resolve entities, libxml2 hands every & as &#38;.
        cleaned = clean(value.replace("&#38;", "&"))
        if cleaned is not None:
            names.setdefault(name.lower(), cleaned)
    return names


def _title(names: Mapping[str, str], written: str) -> str | None:
    if "title" in names:
        return names["title"]
    # OPML demands a text; writers that have none put the address there.
    text = names.get("text")
    return None if text == written else text


def _shown(address: str | None) -> str:
    if address is None:
        return "no address"
    return address if len(address) <= _ADDRESS_SHOWN else address[: _ADDRESS_SHOWN - 1] + "…"


def _folder_element(
    body: etree._Element, folder: str | None, folders: dict[tuple[etree._Element, str], etree._Element]
) -> etree._Element:
    element = body
    for part in (folder or "").split(_SLASH):
        name = clean(xml_legal(part.replace(_SLASH_IN_NAME, _SLASH)))
        if name is None:
            continue
        key = (element, name)
        if key not in folders:
            folders[key] = etree.SubElement(element, "outline", text=name)
        element = folders[key]
    return element


def _attributes(outline: Outline) -> dict[str, str]:
    address = "xmlUrl" if outline.is_feed else "url"
    wanted = {
        "type": "rss" if outline.is_feed else "link",
        "text": clean(outline.title) or clean(outline.url),
        "title": clean(outline.title),
        address: clean(outline.url),
        "htmlUrl": clean(outline.site_url),
    }
    return {name: xml_legal(value) for name, value in wanted.items() if value}
