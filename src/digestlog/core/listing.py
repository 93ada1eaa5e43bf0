"""A page without a feed: the articles that it lists.

JSON-LD -> microdata -> embedded state -> article links with the nearest date -> date from the address
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from digestlog.core.article_links import article_links
from digestlog.core.article_urls import Site, why_not
from digestlog.core.found import Dated, Found, found_article, merge, url_key
from digestlog.core.html_tree import Element, join_web, page_base, page_language, read_tree
from digestlog.core.item_dates import ItemDates
from digestlog.core.linked_data import json_ld_articles, microdata_articles
from digestlog.core.near_dates import date_from_url, element_dates
from digestlog.core.page_links import (
    MAX_LINKS,
    MAX_REJECTED,
    Link,
    PageLinks,
    ancestors,
    link_at,
    page_links,
    title_of,
)
from digestlog.core.page_state import state_articles
from digestlog.core.text import clean
from digestlog.errors import ConfigError

if TYPE_CHECKING:
    from lxml.cssselect import CSSSelector

__all__ = ["Found", "Listing", "check_selector", "date_from_url", "read_listing"]

MAX_SELECTOR = 500
# Selectors such as :nth-child count siblings anew for each element.
MAX_CHILDREN = 3_000


@dataclass(frozen=True, slots=True)
class Listing:
    """A page's articles in page order, and the links that are none with the reason."""

    found: tuple[Found, ...]
    rejected: tuple[tuple[str, str], ...]
    language: str | None


def read_listing(
    body: bytes,
    url: str,
    charset: str | None = None,
    *,
    link_selector: str | None = None,
    date_selector: str | None = None,
) -> Listing:
    """The articles that a page lists; never raises on any bytes, ConfigError for a bad selector."""
    select_links = _compiled(link_selector) if link_selector else None
    select_dates = _compiled(date_selector) if date_selector else None
    root = read_tree(body, charset)
    base, language, site = page_base(root, url), page_language(root), Site.of(url, url_key(url))
    page = page_links(root, base, site)
    if select_links or select_dates:
        _trim(root)
    told = _told(root, base, url, page, language)
    if select_links is not None:
        links = _selected_links(select_links(root), base, site)
        found = _from_selector(links, told, language)
    else:
        links = page.links
        told = _own(told, page, site)
        found = [*told, *article_links(page, language, {url_key(one.url) for one in told})]
    if select_dates is not None:
        found += _selected_dates(links, select_dates(root), found, language)
    return _listing(found, page, language)


def check_selector(selector: str) -> None:
    """ConfigError, with a line that says what is wrong, unless it is a CSS selector."""
    _compiled(selector)


def _compiled(selector: str) -> CSSSelector:
    from cssselect import SelectorError
    from lxml.cssselect import CSSSelector
    from lxml.etree import XPathError

    if len(selector) > MAX_SELECTOR:
        raise ConfigError(f"The selector is longer than {MAX_SELECTOR} characters.")
    try:
        compiled = CSSSelector(selector, translator="html")
        compiled(read_tree(b"<p>"))
    except (SelectorError, XPathError, ValueError, RecursionError) as error:
        hint = "Write it as in a style sheet, for example: main article h2 a"
        shown = clean(f"{selector} ({error})")
        raise ConfigError(f"This is not a CSS selector: {shown}", hint) from error
    return compiled


def _trim(root: Element) -> None:
    for element in root.iter():
        if len(element) > MAX_CHILDREN:
            del element[MAX_CHILDREN:]


def _told(root: Element, base: str, url: str, page: PageLinks, language: str | None) -> list[Found]:
    """What the page tells machines about its articles."""
    linked = [link.url for link in page.links]
    return [
        *json_ld_articles(root, base, language),
        *microdata_articles(root, base, language),
        *state_articles(root, url, linked, language),
    ]


def _own(told: Iterable[Found], page: PageLinks, site: Site) -> list[Found]:
    """Without this page itself, and without what is no article's address."""
    kept = []
    for found in told:
        reason = why_not(found.url, url_key(found.url), site)
        # What JSON-LD calls an article is one, wherever it lies.
        if reason is None or (reason == "another site" and found.found_by == "json-ld"):
            kept.append(found)
        else:
            page.reject(found.url, reason)
    return kept


def _selected_links(elements: Sequence[Element], base: str, site: Site) -> list[Link]:
    links: dict[str, Link] = {}
    for position, element in enumerate(elements):
        anchor = _anchor(element)
        url = join_web(base, anchor.get("href")) if anchor is not None else None
        if anchor is None or url is None or url_key(url) == site.page_key or len(links) >= MAX_LINKS:
            continue
        link = link_at(anchor, url, url_key(url), position)
        known = links.get(link.key)
        if known is None or (not known.text and link.text):
            links[link.key] = link
    return list(links.values())


def _anchor(element: Element) -> Element | None:
    """The link that a selected element is, holds or stands in."""
    if element.get("href"):
        return element
    near = (*islice(element.iter("a"), 20), *islice(element.iterancestors("a"), 1))
    return next((one for one in near if one.get("href")), None)


def _from_selector(links: list[Link], told: Iterable[Found], language: str | None) -> list[Found]:
    dates = ItemDates(links, language)
    keys = {link.key for link in links}
    found = [
        found_article(link.url, title_of(link, dates.block(link)), dates.of(link), "selector")
        for link in links
    ]
    return found + [one for one in told if url_key(one.url) in keys]


def _selected_dates(
    links: Sequence[Link], elements: Sequence[Element], found: Iterable[Found], language: str | None
) -> list[Found]:
    """The selected date of each found link, by what both stand in, else by their order."""
    keys = {url_key(one.url) for one in found}
    wanted = sorted((link for link in links if link.key in keys), key=lambda link: link.position)
    dates = _SelectedDates(wanted, elements[: 2 * MAX_LINKS], language)
    dated = ((link, dates.of(number, link)) for number, link in enumerate(wanted))
    return [found_article(link.url, None, date, "selector") for link, date in dated if date]


class _SelectedDates:
    def __init__(self, links: Sequence[Link], elements: Sequence[Element], language: str | None) -> None:
        self._items = ItemDates(links, language)
        self._language = language
        self._in_order = elements if len(elements) == len(links) else ()
        self._within: dict[Element, Element] = {}
        for element in elements:
            for around in (element, *ancestors(element)):
                self._within.setdefault(around, element)

    def of(self, number: int, link: Link) -> Dated | None:
        """The understood date in the link's item, else the one at its place in the order."""
        element = self._within.get(self._items.block(link))
        if element is None and self._in_order:
            element = self._in_order[number]
        dates = () if element is None else element_dates(element, "selector", self._language)
        return next((dated for dated in dates if dated.at), None)


def _listing(found: Iterable[Found], page: PageLinks, language: str | None) -> Listing:
    merged = [_with_url_date(one) for one in merge(_in_page_order(found, page.positions))]
    keys = {url_key(one.url) for one in merged}
    rejected = [(url, reason) for url, reason in page.rejected.items() if url_key(url) not in keys]
    return Listing(tuple(merged[:MAX_LINKS]), tuple(rejected[:MAX_REJECTED]), language)


def _in_page_order(found: Iterable[Found], positions: dict[str, int]) -> list[Found]:
    """Sorted by the place of each one's link; what has none stays behind its predecessor."""
    place, placed = -1, []
    for one in found:
        place = positions.get(url_key(one.url), place)
        placed.append((place, one))
    return [one for _, one in sorted(placed, key=lambda pair: pair[0])]


def _with_url_date(found: Found) -> Found:
    day: datetime | None = None if found.published_at else date_from_url(found.url)
    return replace(found, published_at=day, date_from="url") if day else found
