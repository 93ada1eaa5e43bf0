"""Sitemaps: where a site keeps them, and the addresses in one."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from lxml import etree

from digestlog.core.dates import parse_date
from digestlog.core.found import Found, found_article, read_date
from digestlog.core.html_tree import join_web
from digestlog.core.text import after_prolog, clean, decode_xml, mended, root_name
from digestlog.errors import ParseError

# The most common first: each miss costs a request.
NEWS_SITEMAP_PATHS: tuple[str, ...] = (
    "/news-sitemap.xml",
    "/sitemap-news.xml",
    "/sitemap_news.xml",
    "/googlenews.xml",
)
MAX_BYTES = 50_000_000
# The standard's own bound for one file.
MAX_URLS = 50_000
MAX_DECLARED = 50
MAX_ROBOTS_CHARS = 500_000
MAX_TEXT = 4_096

_GZIP = b"\x1f\x8b"
_ROOTS = frozenset({"urlset", "sitemapindex"})
_SPACES = ("/sitemap/", "sitemap-news")
_SAYS_NEWS = re.compile(r"news(?!letter)", re.I)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The addresses of a sitemap, or the further sitemaps of an index with their last change."""

    found: tuple[Found, ...]
    children: tuple[tuple[str, datetime | None], ...]
    is_news: bool


def says_news(url: str) -> bool:
    """Whether a sitemap's address says news; the name of its host tells nothing."""
    return _SAYS_NEWS.search(url.partition("://")[2].partition("/")[2]) is not None


def robots_sitemaps(robots_txt: str, url: str) -> list[str]:
    """The http(s) sitemaps that a robots.txt declares, each once, those that say news first."""
    declared: dict[str, None] = {}
    for line in robots_txt[:MAX_ROBOTS_CHARS].splitlines():
        name, _, value = line.lstrip("\ufeff \t").partition(":")
        address = join_web(url, value.partition(" #")[0]) if name.strip().lower() == "sitemap" else None
        if address is not None and len(declared) < MAX_DECLARED:
            declared.setdefault(address)
    return sorted(declared, key=lambda address: not says_news(address))


def read_sitemap(body: bytes, url: str) -> Sitemap:
    """The sitemap in these bytes, gzip included; ParseError if they are none."""
    document = after_prolog(decode_xml(_inflated(body)))
    root = root_name(document)
    if root not in _ROOTS:
        kind = "a web page" if root == "html" else "something else"
        raise ParseError(
            f"This is {kind}, not a sitemap.", "A sitemap begins with <urlset> or <sitemapindex>."
        )
    reader = _Reader()
    parser = etree.XMLParser(
        target=cast(Any, reader),  # the stubs demand methods that lxml does not
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )
    etree.fromstring(mended(document), parser)
    return _sitemap(reader.entries, url)


def _inflated(body: bytes) -> bytes:
    """The bytes behind gzip, also where a server compressed twice."""
    for _ in range(2):
        if not body.startswith(_GZIP):
            break
        stream = zlib.decompressobj(wbits=31)
        try:
            body = stream.decompress(body, MAX_BYTES + 1)
        except zlib.error as error:
            raise ParseError("This compressed sitemap is damaged.") from error
    if len(body) > MAX_BYTES:
        raise ParseError(f"This sitemap is larger than {MAX_BYTES // 1_000_000} MB.")
    return body


@dataclass(slots=True)
class _Entry:
    is_child: bool
    values: dict[str, str] = field(default_factory=dict)


class _Reader:
    """Receives elements as the parser meets them and keeps what stands in <url> and <sitemap>."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self._entry: _Entry | None = None
        self._path: list[str] = []
        self._text: list[str] | None = None

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        name = _name(tag)
        if name in ("url", "sitemap") and self._entry is None:
            self._entry = _Entry(name == "sitemap")
            self._path = []
        elif self._entry is not None:
            self._path.append(name)
            self._text = []

    def data(self, data: str) -> None:
        if self._text is not None and len(self._text) < MAX_TEXT:
            self._text.append(data)

    def end(self, tag: str) -> None:
        if self._entry is None:
            return
        if self._path:
            # To a target, and when told not to resolve entities, libxml2 hands every & as &#38;.
            text = clean("".join(self._text or ())[: 2 * MAX_TEXT].replace("&#38;", "&"))
            if text is not None:
                self._entry.values.setdefault("/".join(self._path), text)
            self._path.pop()
            self._text = None
        else:
            self._keep(self._entry)
            self._entry = None

    def close(self) -> None:
        """The parser asks every target for a result; this one's is in its fields."""

    def _keep(self, entry: _Entry) -> None:
        if len(self.entries) < MAX_URLS:
            self.entries.append(entry)


def _name(tag: str) -> str:
    """The local name, marked if it belongs to another extension than news, such as image:loc."""
    space, _, name = tag.rpartition("}")
    foreign = bool(space) and not any(known in space.lower() for known in _SPACES)
    return f"?{name.lower()}" if foreign else name.lower()


def _sitemap(entries: list[_Entry], url: str) -> Sitemap:
    found: dict[str, Found] = {}
    children: dict[str, datetime | None] = {}
    for entry in entries:
        address = join_web(url, entry.values.get("loc"))
        changed_at = parse_date(entry.values.get("lastmod"))
        if address is not None and entry.is_child:
            children.setdefault(address, changed_at)
        elif address is not None:
            found.setdefault(address, _found(address, entry.values, changed_at))
    is_news = any("news/publication_date" in entry.values for entry in entries)
    return Sitemap(tuple(found.values()), tuple(children.items()), is_news)


def _found(address: str, values: Mapping[str, str], changed_at: datetime | None) -> Found:
    language = values.get("news/publication/language")
    dated = read_date(values.get("news/publication_date"), "sitemap", language)
    found = found_article(address, values.get("news/title"), dated, "sitemap")
    return replace(found, modified_at=changed_at)
