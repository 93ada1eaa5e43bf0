"""Articles in the state that a page carries for its own scripts (`__NEXT_DATA__`, `__NUXT__` and alike)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from digestlog.core.found import Dated, Found, found_article, read_date
from digestlog.core.html_tree import Element, join_web
from digestlog.core.linked_data import MAX_JSON_CHARS, MAX_TITLE, json_value
from digestlog.core.text import clean_html

MAX_VALUES = 200_000
MAX_DEPTH = 40
MAX_ENTRIES = 2_000

_ASSIGNED = re.compile(
    r"__(?:NUXT|INITIAL_STATE|PRELOADED_STATE|APOLLO_STATE|INITIAL_DATA|DATA|STATE|remixContext)__\s{0,9}="
    r"\s{0,9}(JSON\.parse\(\s{0,9})?(?=[\[{\"'])"
)
_TITLES = ("headline", "title", "name")
_ADDRESSES = ("url", "link", "href", "permalink", "canonicalUrl", "canonical_url", "webUrl", "path", "uri")
_SLUGS = ("slug", "urlSlug", "seoSlug")
_DATES = (
    "datePublished",
    "publishedAt",
    "published_at",
    "publishDate",
    "publish_date",
    "published",
    "publishedDate",
    "publishedOn",
    "published_on",
    "publicationDate",
    "publication_date",
    "pubDate",
    "pub_date",
    "firstPublished",
    "firstPublishedAt",
    "firstPublicationDate",
    "first_publication_date",
    "displayDate",
    "postedAt",
    "date_gmt",
    "date",
)
_SLUG = re.compile(r"[\w%.~-]{1,200}")


@dataclass(frozen=True, slots=True)
class _Entry:
    """An object with a title, a date and an address or the last part of one."""

    title: str
    dated: Dated
    address: str | None
    slug: str | None


def state_articles(root: Element, base: str, linked: Sequence[str], language: str | None) -> list[Found]:
    """The articles in a page's embedded state; `linked` are the page's links, which complete slugs."""
    entries = list(_entries(root, language))
    by_slug = {_last_part(url): url for url in reversed(linked)}
    folders = [by_slug[entry.slug] for entry in entries if entry.slug in by_slug]
    folder = folders[0] if folders else _own_folder(base)
    found = []
    for entry in entries:
        url = join_web(base, entry.address) if entry.address else None
        if url is None and entry.slug:
            url = by_slug.get(entry.slug) or (join_web(folder, entry.slug) if folder else None)
        if url:
            found.append(found_article(url, entry.title, entry.dated, "state"))
    return found


def _last_part(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]


def _own_folder(base: str) -> str | None:
    """The page as a folder, /blog/ for /blog; a front page does not tell where its articles lie."""
    path = base.partition("#")[0].partition("?")[0].rstrip("/")
    return path + "/" if path.count("/") > 2 else None


def _entries(root: Element, language: str | None) -> Iterator[_Entry]:
    count = 0
    for value in states(root):
        for node in _objects(value):
            entry = _entry(node, language)
            if entry is not None and count < MAX_ENTRIES:
                count += 1
                yield entry


def states(root: Element) -> Iterator[Any]:
    """The values that a page carries for its scripts, within bounds."""
    chars = 0
    for script in root.iter("script"):
        text = script.text or ""
        kind = (script.get("type") or "").lower()
        chars += len(text)
        if chars > MAX_JSON_CHARS:
            return
        if "json" in kind and "ld+json" not in kind:
            yield _resolved(json_value(text))
        elif (assigned := _ASSIGNED.search(text)) and not kind.startswith("application/ld"):
            yield _assigned_value(text[assigned.end() :], bool(assigned[1]))


def _assigned_value(text: str, quoted: bool) -> Any:
    value = json_value(text)
    return json_value(value) if quoted and isinstance(value, str) else value


def _resolved(value: Any) -> Any:
    """Nuxt writes a flat list in which numbers point to other places of it; others are as they are."""
    if not isinstance(value, list) or len(value) < 2 or not all(map(_is_flat, value[:MAX_VALUES])):
        return value
    places = range(len(value))
    return [
        {name: value[at] if type(at) is int and at in places else at for name, at in node.items()}
        for node in value[:MAX_VALUES]
        if isinstance(node, dict)
    ]


def _is_flat(node: object) -> bool:
    return not isinstance(node, dict) or all(type(at) is int for at in node.values())


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in a value, outer ones first, within bounds."""
    todo: deque[tuple[Any, int]] = deque([(value, 0)])
    seen = 0
    while todo and seen < MAX_VALUES:
        one, depth = todo.popleft()
        seen += 1
        if isinstance(one, dict):
            yield one
            one = list(one.values())
        if isinstance(one, list) and depth < MAX_DEPTH:
            todo.extendleft((inner, depth + 1) for inner in reversed(one) if isinstance(inner, dict | list))


def _entry(node: Mapping[str, Any], language: str | None) -> _Entry | None:
    title = next((text for name in _TITLES if (text := _text(node.get(name)))), None)
    dates = (read_date(node[name], "state", language) for name in _DATES if name in node)
    dated = next((date for date in dates if date and date.at), None)
    if title is None or dated is None:
        return None
    address = next((text for name in _ADDRESSES if _is_address(text := _text(node.get(name)))), None)
    slug = next((text for name in _SLUGS if (text := _text(node.get(name)))), None)
    if slug and "/" in slug:
        address, slug = address or slug, None
    if slug and not _SLUG.fullmatch(slug):
        slug = None
    return _Entry(title[:MAX_TITLE], dated, address, slug) if address or slug else None


def _text(value: object) -> str | None:
    """A text, also where a content system wraps it."""
    if isinstance(value, dict):
        value = next(
            (value[name] for name in ("rendered", "current", "text", "value") if name in value), None
        )
    return clean_html(value[: 4 * MAX_TITLE]) if isinstance(value, str) else None


def _is_address(text: str | None) -> bool:
    return bool(text) and ("/" in str(text))
