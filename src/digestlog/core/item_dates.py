"""The date that belongs to a link in a list: its own item's, never a neighbour's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from digestlog.core.found import Dated
from digestlog.core.html_tree import Element, visible_text
from digestlog.core.near_dates import date_in, date_marked, date_shown, is_date
from digestlog.core.page_links import HEADINGS, Link, ancestors, crowds

# Beyond this a link that is alone would reach the page's own date.
MAX_CLIMB = 7
MAX_SIBLINGS = 2_000
MAX_APART = 40
_ITEM_TAGS = frozenset({"article", "li", "tr", "section", "dd"})

# The dates among an element's children, and whether they stand before their items (None: unclear).
_Side = tuple[dict[Element | None, Dated], bool | None]


class ItemDates:
    """Answers for the links of one list; each element is looked at once."""

    def __init__(self, links: Sequence[Link], language: str | None) -> None:
        self._language = language
        self._crowd = crowds(links)
        self._headed = crowds(link for link in links if link.is_heading)
        self._alone = len(links) == 1
        self._sides: dict[tuple[Element, bool], _Side] = {}

    def block(self, link: Link) -> Element:
        """The largest element around the link that holds no other of the list."""
        return self._blocks(link)[-1]

    def of(self, link: Link) -> Dated | None:
        """The date in the smallest element around the link that has one, else beside its item."""
        blocks = self._blocks(link)
        marked = date_marked(blocks[-1], self._language)
        if marked and marked.at:
            return marked
        for block in blocks:
            title = self._title(link, block)
            if title is not None and title in (block, *islice(ancestors(block), MAX_CLIMB)):
                continue
            if dated := date_shown(block, self._language, title, link.text):
                return dated
        beside = None if self._alone else self._beside(blocks[-1]) or self._in_article(link, blocks[-1])
        return beside or marked

    def _title(self, link: Link, block: Element) -> Element | None:
        if link.title_element is not None:
            return link.title_element
        # A card that is all link may hold its date.
        return None if block is link.element else link.element

    def _blocks(self, link: Link) -> list[Element]:
        blocks = [link.element]
        for one in islice(ancestors(link.element), MAX_CLIMB):
            if self._crowd[one] > 1 or one.tag == "main":
                break
            blocks.append(one)
            if self._alone and one.tag in _ITEM_TAGS:
                break
        return blocks

    def _beside(self, item: Element) -> Dated | None:
        """The date on the lines after or before the item, or in a heading above its list."""
        levels = pairwise((item, *islice(item.iterancestors(), 4)))
        dates = (self._sibling_date(one, around, one is not item) for one, around in levels)
        return next((dated for dated in dates if dated), None)

    def _in_article(self, link: Link, item: Element) -> Dated | None:
        """The date beside a heading in its own <article>, where lists of other links may stand too."""
        around = list(islice(ancestors(item), MAX_CLIMB))
        article = next((one for one in around if one.tag == "article"), None)
        if article is None or not link.is_heading or self._headed[article] > 1:
            return None
        near = (
            other
            for one in (item, *around[: around.index(article)])
            for before in (False, True)
            for other in islice(one.itersiblings(preceding=before), MAX_APART)
            if not self._crowd[other]
        )
        dates = (date_in(other, self._language) for other in near)
        return next((dated for dated in dates if dated and dated.at), None)

    def _sibling_date(self, item: Element, parent: Element, whole: bool) -> Dated | None:
        if (parent, whole) not in self._sides:
            self._sides[parent, whole] = self._side(parent, whole)
        dates, before = self._sides[parent, whole]
        if before is None or (whole and not before):
            return None
        # Several items can stand under one day's heading, but never over one line.
        near = islice(item.itersiblings(preceding=before), MAX_APART)
        ends = (one for one in near if one in dates or (self._crowd[one] and not before))
        return dates.get(next(ends, None))

    def _side(self, parent: Element, whole: bool) -> _Side:
        children = list(islice(parent, MAX_SIBLINGS))
        dates: dict[Element | None, Dated] = {
            one: dated for one in children if (dated := self._child_date(one, whole))
        }
        marks = [one in dates for one in children if one in dates or self._crowd[one]]
        # One date above several items is the page's own, unless it is a heading.
        members = sum(self._crowd[one] for one in children)
        headed = any(one in dates for one in children if one.tag in HEADINGS)
        lonely = len(dates) == 1 and members > 1 and not headed
        if not dates or marks[0] == marks[-1] or (marks[0] and lonely):
            return dates, None
        return dates, marks[0]

    def _child_date(self, child: Element, whole: bool) -> Dated | None:
        if self._crowd[child]:
            return None
        if whole:
            return is_date(visible_text(child), self._language, published=True)
        dated = date_in(child, self._language)
        return dated if dated and dated.at else None
