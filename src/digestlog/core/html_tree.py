"""An HTML page as a tree that no page can make large, and the small questions asked of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, cast

import ada_url
from lxml import etree

from digestlog.core.text import clean, decode, without_feed_scheme, xml_legal

Element = etree._Element

MAX_CHARS = 15_000_000
# A long front page has some 10,000; each costs memory long before it costs reading.
MAX_TAGS = 150_000
MAX_DEPTH = 250
MAX_ATTRIBUTES = 60
MAX_HREF = 4_096
# Enough for any card or line; links left open hold the rest of the page, and so do those in them.
MAX_STEPS = 600

_META_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.I)
_SNIFFED_BYTES = 4096
# What a tree can hold; @click and o:p are not among it.
_NAME = re.compile(r"[a-z_][\w.-]{0,60}", re.I | re.A)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}", re.I)
_UNSEEN = frozenset("script style noscript template svg head select option textarea iframe".split())
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark meta q s samp small span "
    "strike strong sub sup time tt u var wbr link".split()
)


def html_text(body: bytes, charset: str | None = None) -> str:
    """The characters of a page, by its label, by what it declares itself, else by a guess."""
    found = _META_CHARSET.search(body[:_SNIFFED_BYTES])
    return decode(body, (charset, found[1].decode("ascii") if found else None))


def read_tree(body: bytes, charset: str | None = None) -> Element:
    """The page's elements without comments; an empty page for bytes that are none; never raises."""
    builder = _Builder()
    parser = etree.HTMLParser(
        target=cast(Any, builder),  # the stubs demand methods that lxml does not
        encoding="utf-8",
        recover=True,
        no_network=True,
        huge_tree=False,
    )
    text = _bounded(xml_legal(html_text(body[:MAX_CHARS], charset)))
    etree.fromstring(text.encode(), parser)
    return builder.root()


class _Builder:
    """Receives elements as the parser meets them and builds a tree of bounded depth and width.

    libxml2's own tree ends where it is too deep, and takes quadratic time for one tag's attributes.
    """

    def __init__(self) -> None:
        self._tree = etree.TreeBuilder()
        self._open = 0
        self._names: list[str] = []
        self._deepest: str | None = None
        self._tree.start("html", {})

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        self._open += 1
        self._end_deepest()
        name = tag if _NAME.fullmatch(tag) else "span"
        self._tree.start(name, _attributes(attrib))
        if len(self._names) < MAX_DEPTH:
            self._names.append(name)
        else:
            self._deepest = name

    def data(self, data: str) -> None:
        self._tree.data(xml_legal(data))

    def end(self, tag: str) -> None:
        self._end_deepest()
        self._open -= 1
        if self._open < len(self._names):
            self._tree.end(self._names.pop())

    def close(self) -> None:
        """The parser asks every target for a result; this one's is `root`."""

    def root(self) -> Element:
        """The page's own <html> if it has one."""
        self._end_deepest()
        while self._names:
            self._tree.end(self._names.pop())
        self._tree.end("html")
        whole = self._tree.close()
        return whole[0] if len(whole) == 1 and whole[0].tag == "html" else whole

    def _end_deepest(self) -> None:
        """Elements beyond the depth lie beside each other, so their text stays in them."""
        if self._deepest is not None:
            self._tree.end(self._deepest)
            self._deepest = None


def _attributes(attrib: Mapping[str, str]) -> dict[str, str]:
    named = (
        (name.lower().replace("xml:", "xml-"), value)
        for name, value in islice(attrib.items(), MAX_ATTRIBUTES)
    )
    return {name: xml_legal(value) for name, value in named if _NAME.fullmatch(name)}


def _bounded(text: str) -> str:
    if text.count("<") <= MAX_TAGS:
        return text
    return text[: next(islice(re.finditer("<", text), MAX_TAGS, None)).start()]


def page_base(root: Element, url: str) -> str:
    """What the page's links are relative to: its first <base>, else its own address."""
    hrefs = (element.get("href") for element in root.iter("base"))
    written = next((href for href in hrefs if href), "")
    return join_web(url, written) or url


def page_language(root: Element) -> str | None:
    """The page's language tag as it declares it, or None."""
    candidates = [root.get("lang"), root.get("xml-lang"), *(body.get("lang") for body in root.iter("body"))]
    for meta in root.iter("meta"):
        name = (meta.get("http-equiv") or meta.get("property") or meta.get("name") or "").lower()
        if name in ("content-language", "og:locale", "language", "dc.language"):
            candidates.append(meta.get("content"))
    return next((tag for raw in candidates if (tag := language_tag(raw))), None)


def language_tag(raw: str | None) -> str | None:
    """The tag with hyphens, or None for what is no language tag."""
    found = _LANGUAGE.fullmatch((raw or "").strip())
    return found[0].replace("_", "-") if found else None


def join_web(base: str, href: str | None) -> str | None:
    """The absolute http(s) address of a link, its fragment kept, or None."""
    written = (href or "").strip()
    if not written or len(written) > MAX_HREF:
        return None
    try:
        url = ada_url.join_url(base, without_feed_scheme(written))
    except ValueError:
        return None
    return url if url.startswith(("http://", "https://")) else None


def host(url: str) -> str:
    """The host of an address, or an empty text."""
    try:
        return ada_url.URL(url).hostname
    except ValueError:
        return ""


def is_block(element: Element) -> bool:
    """Whether the element stands on lines of its own."""
    return element.tag not in _INLINE


def text_runs(element: Element, without: Callable[[Element], bool] | None = None) -> Iterator[str]:
    """The visible text of an element, cleaned, cut where a browser breaks the line."""
    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in islice(walk, MAX_STEPS):
        unseen = node.tag in _UNSEEN or (without is not None and without(node))
        if unseen and event == "start":
            walk.skip_subtree()
        if is_block(node):
            yield from _flushed(parts)
        if event == "start" and not unseen:
            parts.append(node.text or "")
        elif event == "end" and node is not element:
            parts.append(node.tail or "")
    yield from _flushed(parts)


def _flushed(parts: list[str]) -> Iterator[str]:
    run = clean("".join(parts))
    parts.clear()
    if run:
        yield run


def visible_text(element: Element) -> str | None:
    """The visible text of an element on one line, or None."""
    return clean(" ".join(text_runs(element)))
