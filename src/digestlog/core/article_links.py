"""The link judge: which of a page's links are articles, by what alike links have in common.

links -> clusters of the same place in the markup -> evidence (titles, dates, addresses) -> judged together
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import NamedTuple

from digestlog.core.article_urls import folder, has_article_shape, numbered, segments
from digestlog.core.found import Dated, Found, found_article
from digestlog.core.html_tree import Element, host
from digestlog.core.item_dates import ItemDates
from digestlog.core.near_dates import date_from_url
from digestlog.core.page_links import (
    ASIDE,
    CONTENT,
    MENU,
    Link,
    PageLinks,
    ancestors,
    crowds,
    in_running_text,
    title_of,
    word_count,
)

_NOT_LETTERS = re.compile(r"[^a-z-]+")
_STATES = frozenset("first last odd even active current featured sticky visited new large small big".split())


class _Strength(NamedTuple):
    is_heading: bool
    is_shaped: bool
    words: float


@dataclass(slots=True)
class _Judged:
    link: Link
    title: str | None
    dated: Dated | None
    shaped: bool
    headed: bool

    @property
    def is_dated(self) -> bool:
        """Whether a date stands near the link or in its address."""
        return bool(self.dated and self.dated.at) or date_from_url(self.link.url) is not None


def article_links(page: PageLinks, language: str | None, known: Collection[str] = frozenset()) -> list[Found]:
    """The links that are articles, in page order; the reasons against the others go into `page`.

    `known` are the keys of addresses that are articles whatever their links look like.
    """
    accepted: list[_Judged] = []
    # Where nothing in the content is an article, the names of its surroundings misled us.
    for zone in (CONTENT, ASIDE, MENU):
        links = [link for link in page.links if link.zone == zone and not in_running_text(link, language)]
        if not accepted:
            judge = _Judge(links, zone, language)
            accepted = [one for cluster in _clusters(links) for one in judge.accepted(cluster)]
    accepted = _without_sections(accepted, page)
    taken = {one.link.key for one in accepted}
    for link in page.links:
        if link.key in known and link.key not in taken:
            accepted.append(_Judged(link, title_of(link, link.element), None, True, False))
        elif link.key not in taken:
            page.reject(link.url, _reason(link, language))
    return _found(accepted, language)


def _reason(link: Link, language: str | None) -> str:
    if link.zone != CONTENT:
        return "navigation"
    return "in running text" if in_running_text(link, language) else "no article shape"


def _found(accepted: list[_Judged], language: str | None) -> list[Found]:
    accepted.sort(key=lambda one: one.link.position)
    dates = ItemDates([one.link for one in accepted], language)
    within = _item_articles(one.link for one in accepted)
    return [
        found_article(one.link.url, one.title, dates.of(one.link), _found_by(one.link, within))
        for one in accepted
    ]


def _found_by(link: Link, within: set[Element]) -> str:
    if any(one in within for one in ancestors(link.element)):
        return "article"
    return "heading" if link.is_heading else "list"


def _item_articles(links: Iterable[Link]) -> set[Element]:
    """The <article> elements that hold one article; a page can wrap its whole list in one."""
    return {one for one, count in crowds(links).items() if one.tag == "article" and count == 1}


def _clusters(links: list[Link]) -> list[list[Link]]:
    """Links at the same place in the markup; where one list holds three or more, that list alone."""
    alike: dict[tuple[str, ...], list[Link]] = {}
    for link in links:
        alike.setdefault(_place(link), []).append(link)
    return [cluster for group in alike.values() for cluster in _split(group)]


def _place(link: Link) -> tuple[str, ...]:
    path = [str(one.tag) for one in ancestors(link.element)]
    parent = link.element.getparent()
    return (*path, _style(link.element), "" if parent is None else _style(parent))


def _style(element: Element) -> str:
    names = _NOT_LETTERS.sub(" ", (element.get("class") or "").lower()[:200]).split()
    return " ".join(sorted(name for name in names if name.strip("-") not in _STATES))


def _split(group: list[Link]) -> list[list[Link]]:
    crowd = crowds(group)
    by_container: dict[Element | None, list[Link]] = {}
    for link in group:
        container = next((one for one in ancestors(link.element) if crowd[one] > 1), None)
        by_container.setdefault(container, []).append(link)
    large = [links for links in by_container.values() if len(links) > 2]
    # Pairs side by side in one line are an item's label and title: first with first, second with second.
    small: tuple[list[Link], list[Link]] = ([], [])
    for container, links in by_container.items():
        for at, link in enumerate(links if len(links) <= 2 else ()):
            small[at if link.element.getparent() is container else 0].append(link)
    return [*large, *filter(None, small)]


class _Judge:
    """Knows all links of a zone, and judges those that are alike together."""

    def __init__(self, links: list[Link], zone: int, language: str | None) -> None:
        self._zone = zone
        self._language = language
        self._strongest = _strongest(links)
        # One or two alike links do not show where an item ends; only all links together do.
        self._dates_among_all = ItemDates(links, language)

    def accepted(self, cluster: list[Link]) -> list[_Judged]:
        """The articles among alike links: nearly all or none."""
        dates = ItemDates(cluster, self._language) if len(cluster) > 2 else self._dates_among_all
        alike = Counter(name for link in cluster for name in _series(link.url))
        judged = [self._judged(link, dates, alike) for link in cluster]
        if not _is_list_of_articles(judged, self._zone):
            return []
        share = sum(one.shaped for one in judged) / len(judged)
        return [
            one for one in judged if share < 0.8 or one.shaped or one.is_dated or word_count(one.title) > 2
        ]

    def _judged(self, link: Link, dates: ItemDates, alike: Counter[str]) -> _Judged:
        block = dates.block(link)
        beside = _is_beside(link, self._strongest[block])
        dated = None if beside else dates.of(link)
        shaped = has_article_shape(link.url) or any(alike[name] > 2 for name in _series(link.url))
        return _Judged(link, title_of(link, block), dated, shaped, not beside and _is_headed(link))


def _series(url: str) -> list[str]:
    """What several addresses of one kind share: a folder below the root, a name with a number in it."""
    above, name = folder(url), numbered(url)
    return [*([above] if above != host(url) else []), *([name] if name else [])]


def _is_list_of_articles(judged: list[_Judged], zone: int) -> bool:
    number = len(judged)
    words = median(word_count(one.title) for one in judged)
    dated = sum(one.is_dated for one in judged) / number
    shaped = sum(one.shaped for one in judged) / number
    headed = sum(one.headed for one in judged) / number > 0.5
    distinct = len({one.title for one in judged}) > number / 2
    if zone == MENU or not distinct:
        # Menus have no dates; a list whose links all say the same needs one each.
        return dated > 0.6 and number > 1 and words >= 2 - (not distinct)
    if headed:
        return words >= 1 and dated >= 0.5 or words >= 2 and shaped >= 0.5 or words >= 4 and number > 2
    if dated >= 0.5:
        if words >= 2:
            return number > 1 or words >= 3
        return dated > 0.9 and shaped > 0.9 and number > 2
    return number > 2 and (
        words >= 3.5 and shaped >= 0.6 or words >= 5.5 and number > 4 or words >= 2.5 and number > 11
    )


def _strongest(links: list[Link]) -> dict[Element, _Strength]:
    """For each element around links, the one in it that says most: a heading, else the longest."""
    strongest: dict[Element, _Strength] = {}
    for link in links:
        strength = _strength(link)
        for around in (link.element, *ancestors(link.element)):
            strongest[around] = max(strength, strongest.get(around, strength))
    return strongest


def _strength(link: Link) -> _Strength:
    words = 0 if link.generic else word_count(link.text)
    return _Strength(link.is_heading, has_article_shape(link.url), words)


def _is_beside(link: Link, strongest: _Strength) -> bool:
    """Whether the item is another link's: this one is its label, its section or its comments."""
    own = _strength(link)
    if own.is_heading or link.generic:
        return False
    weaker = strongest.words >= 2 * own.words or strongest.is_shaped > own.is_shaped
    return strongest.is_heading or (own.words < 4 and weaker)


def _is_headed(link: Link) -> bool:
    return link.is_heading or any(one.tag == "article" for one in islice(ancestors(link.element), 8))


def _without_sections(accepted: list[_Judged], page: PageLinks) -> list[_Judged]:
    """Without addresses that are the folder of several other links, such as /politics."""
    above: Counter[str] = Counter()
    for link in page.links:
        parts = [host(link.url), *segments(link.url)]
        above.update("/".join(parts[:depth]) for depth in range(1, min(len(parts), 12)))
    kept = []
    for one in accepted:
        path = "/".join([host(one.link.url), *segments(one.link.url)])
        named = word_count(one.title) > 3 or date_from_url(one.link.url) is not None
        if above[path] > 1 and "?" not in one.link.url and not named:
            page.reject(one.link.url, "section page")
        else:
            kept.append(one)
    return kept
