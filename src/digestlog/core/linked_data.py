"""What a page tells machines: JSON-LD and microdata (RDFa Lite alike)."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from digestlog.core.article_urls import has_article_shape
from digestlog.core.found import Dated, Found, found_article, read_date
from digestlog.core.html_tree import Element, join_web, visible_text
from digestlog.core.text import clean_html

Node = Mapping[str, Any]

MAX_JSON_CHARS = 5_000_000
MAX_NODES = 20_000
MAX_DEPTH = 20
MAX_TITLE = 500

_ARTICLE_TYPES = frozenset(
    "article newsarticle analysisnewsarticle askpublicnewsarticle backgroundnewsarticle opinionnewsarticle "
    "reportagenewsarticle reviewnewsarticle satiricalarticle scholarlyarticle medicalscholarlyarticle "
    "techarticle apireference report blogposting liveblogposting socialmediaposting "
    "discussionforumposting podcastepisode".split()
)
_UNTYPED = frozenset({"", "listitem", "webpage", "creativework", "thing", "url"})
# Only these lead to what a page lists; about, citation or mentions lead elsewhere.
_LISTS = (
    "@graph",
    "itemListElement",
    "item",
    "blogPost",
    "blogPosts",
    "hasPart",
    "mainEntity",
    "mainEntityOfPage",
    "episode",
)
_WRAPPER = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)?\s*")
_MAX_PROPERTIES = 400


def json_value(text: str) -> Any:
    """The value of a JSON text, also inside a comment or followed by other text; None if it is none."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, _WRAPPER.match(text).end())[0]  # type: ignore[union-attr]
    except (ValueError, RecursionError):
        return None


def json_ld_nodes(root: Element) -> list[Node]:
    """The JSON-LD objects of a page that it is about or lists, in their order, within bounds."""
    todo: deque[tuple[Any, int]] = deque()
    chars = 0
    for script in root.iter("script"):
        text = script.text or ""
        if "ld+json" in (script.get("type") or "").lower() and chars + len(text) <= MAX_JSON_CHARS:
            chars += len(text)
            todo.append((json_value(text), 0))
    nodes: list[Node] = []
    while todo and len(nodes) < MAX_NODES:
        value, depth = todo.popleft()
        if isinstance(value, dict):
            nodes.append(value)
            value = [value[name] for name in _LISTS if name in value]
        if isinstance(value, list) and depth < MAX_DEPTH:
            todo.extendleft((one, depth + 1) for one in reversed(value[:MAX_NODES]))
    return nodes


def types_of(node: Node) -> set[str]:
    """The lower-case type names of an object, without their vocabulary."""
    raw = node.get("@type")
    names = raw if isinstance(raw, list) else [raw]
    return {name.rpartition("/")[2].rpartition(":")[2].lower() for name in names if isinstance(name, str)}


def is_article(node: Node) -> bool:
    """Whether the object says that it is an article."""
    return bool(types_of(node) & _ARTICLE_TYPES)


def address_of(node: Node, base: str) -> str | None:
    """The absolute address of an object, or None."""
    for name in ("url", "mainEntityOfPage", "@id", "sameAs"):
        value = node.get(name)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, dict):
            value = value.get("@id") or value.get("url")
        if isinstance(value, str) and not value.startswith(("#", "_:")):
            if url := join_web(base, value):
                return url
    return None


def title_of_node(node: Node) -> str | None:
    """The object's headline or name as text."""
    for name in ("headline", "name", "title", "alternativeHeadline"):
        value = node.get(name)
        if isinstance(value, str) and (title := clean_html(value[: 4 * MAX_TITLE])):
            return title[:MAX_TITLE]
    return None


def date_of_node(node: Node, language: str | None = None) -> Dated | None:
    """The object's publication date; never its modification."""
    raw = node.get("datePublished")
    raw = raw[0] if isinstance(raw, list) and raw else raw
    raw = raw.get("@value") if isinstance(raw, dict) else raw
    return read_date(raw, "json-ld", language)


def json_ld_articles(root: Element, base: str, language: str | None = None) -> list[Found]:
    """The articles that a page's JSON-LD lists, in their order."""
    nodes = json_ld_nodes(root)
    found = []
    for node in nodes:
        url = address_of(node, base) if is_article(node) or _is_listed(node) else None
        if url and (is_article(node) or has_article_shape(url)):
            found.append(found_article(url, title_of_node(node), date_of_node(node, language), "json-ld"))
    return found


def _is_listed(node: Node) -> bool:
    """Whether the object is a list's entry that does not say what it is."""
    if types_of(node) == {"listitem"}:
        return "item" not in node or isinstance(node["item"], str)
    return types_of(node) <= _UNTYPED and "position" in node


def microdata_articles(root: Element, base: str, language: str | None = None) -> list[Found]:
    """The articles that a page marks up in its elements, in page order."""
    found = []
    for scope in islice(root.iter(), MAX_NODES * 10):
        if _scope_types(scope) & _ARTICLE_TYPES:
            properties = _properties(scope)
            url = _scope_address(scope, properties, base)
            if url is not None:
                title = _scope_title(properties)
                found.append(found_article(url, title, _scope_date(properties, language), "microdata"))
    return found


def _scope_types(element: Element) -> set[str]:
    raw = element.get("itemtype") or element.get("typeof") or ""
    return {name.rpartition("/")[2].rpartition(":")[2].lower() for name in raw[:500].split()}


def _properties(scope: Element) -> dict[str, Element]:
    """The first element of each property that belongs to this scope, not to one inside it."""
    properties: dict[str, Element] = {}
    inside = _own_elements(scope)
    for element in islice(inside, _MAX_PROPERTIES):
        names = (element.get("itemprop") or element.get("property") or "")[:500]
        for name in names.split():
            properties.setdefault(name.rpartition(":")[2].rpartition("/")[2].lower(), element)
    return properties


def _own_elements(scope: Element) -> Iterator[Element]:
    todo = list(reversed(scope))
    while todo:
        element = todo.pop()
        yield element
        if element.get("itemscope") is None and element.get("typeof") is None:
            todo.extend(reversed(element))


def _scope_address(scope: Element, properties: Mapping[str, Element], base: str) -> str | None:
    for name in ("url", "mainentityofpage"):
        element = properties.get(name)
        if element is not None and (url := join_web(base, _address_in(element))):
            return url
    headline = properties.get("headline", properties.get("name"))
    if headline is None:
        return join_web(base, scope.get("itemid"))
    around = [headline, *islice(headline.iterancestors(), 2), *islice(headline.iter("a"), 1)]
    hrefs = (one.get("href") for one in around if one.tag == "a")
    return join_web(base, next(hrefs, None) or scope.get("itemid"))


def _address_in(element: Element) -> str | None:
    return next(
        (value for name in ("href", "itemid", "content", "resource") if (value := element.get(name))), None
    )


def _scope_title(properties: Mapping[str, Element]) -> str | None:
    for name in ("headline", "name"):
        element = properties.get(name)
        if element is not None and (title := element.get("content") or visible_text(element)):
            return clean_html(title[:MAX_TITLE])
    return None


def _scope_date(properties: Mapping[str, Element], language: str | None) -> Dated | None:
    element = properties.get("datepublished")
    if element is None:
        return None
    raw = element.get("datetime") or element.get("content") or visible_text(element)
    return read_date(raw, "microdata", language)
