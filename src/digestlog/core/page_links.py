"""The links of a page: where each stands, what it says, and which are alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from digestlog.core.article_urls import Site, why_not
from digestlog.core.found import url_key
from digestlog.core.html_tree import Element, is_block, join_web, text_runs, visible_text
from digestlog.core.near_dates import is_date
from digestlog.core.text import clean

MAX_ANCHORS = 20_000
MAX_LINKS = 2_000
MAX_REJECTED = 200
MAX_LEVELS = 60
MAX_TITLE = 500
MAX_ITEM_LEVELS = 6
MAX_ITEM_ELEMENTS = 300

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ITEM_HEADS = HEADINGS | {"dt"}
# Where a link stands. Asides and menus known by their names only are less certain than <nav>.
CONTENT, ASIDE, MENU = range(3)

_MENU_TAGS = frozenset({"nav", "menu", "dialog"})
_MENU_ROLES = frozenset("navigation banner contentinfo menu menubar search dialog tablist toolbar".split())
_CONTENT_TAGS = frozenset({"article", "main", "section"})
_EDGE_WORDS = frozenset({"header", "footer", "masthead", "topbar"})
_MENU_WORDS = frozenset(
    "nav navbar navigation navi menu submenu megamenu breadcrumb breadcrumbs pagination pager paginator "
    "share sharing social cookie cookies consent skiplinks toolbar langswitcher dropdown".split()
)
_ASIDE_WORDS = frozenset("sidebar blogroll tagcloud".split())
_LAYOUT_WORDS = frozenset("content main layout has with no without wrap wrapper container".split())
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SHARE_SCHEMES = ("mailto:", "whatsapp:", "sms:", "fb-messenger:", "tg:", "viber:")
_CJK = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
_PERMALINK = re.compile(r"[#∞¶§★☆⚓🔗\ufe0f]{1,2}|permalink|permanent link", re.I)
_TITLE_NAME = re.compile(r"title|headline|heading|titel|titulo|titre|titolo", re.I)


@dataclass(slots=True)
class Link:
    """One link: its address, the element, where it stands, and what it says."""

    url: str
    key: str
    element: Element
    position: int
    zone: int
    text: str | None
    title_element: Element | None
    is_heading: bool
    generic: bool = False
    # A mark such as "#" at an item whose heading leads to another site.
    is_permalink: bool = False


@dataclass(slots=True)
class PageLinks:
    """The links that may be articles, one for each address, and why the others are not."""

    links: list[Link] = field(default_factory=list)
    rejected: dict[str, str] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)

    def reject(self, url: str, reason: str) -> None:
        """Remember the first reason for an address, up to a bound."""
        if len(self.rejected) < MAX_REJECTED:
            self.rejected.setdefault(url, reason)


def page_links(root: Element, base: str, site: Site) -> PageLinks:
    """Every link of the page, judged by its address and place alone; one for each address."""
    page = PageLinks()
    zones, items = _Zones(), _LinkedItems(base, site)
    by_key: dict[str, list[Link]] = {}
    for position, anchor in enumerate(islice(root.iter("a"), MAX_ANCHORS)):
        link = _possible(anchor, base, site, page, position, zones)
        link = items.judged(link, page) if link is not None else None
        if link is not None and (link.key in by_key or len(by_key) < MAX_LINKS):
            by_key.setdefault(link.key, []).append(link)
            page.positions.setdefault(link.key, position)
    _mark_generic(by_key)
    for links in by_key.values():
        best = max(links, key=_says_most)
        if not best.generic and word_count(best.text) < 3:
            best.zone = max(link.zone for link in links)
        if _is_label(best) and sum(link.text == best.text for link in links) > 2:
            page.reject(best.url, "tag page")
        else:
            page.links.append(best)
    return page


def _is_label(link: Link) -> bool:
    """Whether the text is as short as a label's; beside several items it names none of them."""
    return not link.is_heading and not link.generic and word_count(link.text) < 3


def _possible(
    anchor: Element, base: str, site: Site, page: PageLinks, position: int, zones: _Zones
) -> Link | None:
    href = (anchor.get("href") or "").strip()
    url = join_web(base, href)
    if url is None:
        if href.lower().startswith(_SHARE_SCHEMES):
            page.reject(href[:MAX_TITLE], "share link")
        return None
    key = url_key(url)
    reason = why_not(url, key, site, anchor.get("rel") or "")
    link = None if reason else link_at(anchor, url, key, position, zones.of(anchor))
    if reason is not None:
        page.reject(url, reason)
    return link


def link_at(anchor: Element, url: str, key: str, position: int, zone: int = CONTENT) -> Link:
    """The link that an element is, with the words that name its target."""
    heading = _heading_around(anchor)
    if heading is not None:
        return Link(url, key, anchor, position, zone, _clipped(visible_text(anchor)), heading, True)
    title = _title_within(anchor)
    text = visible_text(anchor) if title is None else visible_text(title)
    is_heading = title is not None and title.tag in HEADINGS
    if title is None:
        text = _first_line(anchor) or text
    return Link(url, key, anchor, position, zone, _clipped(text), title, is_heading)


def _clipped(text: str | None) -> str | None:
    return text[:MAX_TITLE] if text else None


def _heading_around(anchor: Element) -> Element | None:
    return next((one for one in islice(anchor.iterancestors(), 4) if one.tag in HEADINGS), None)


def _title_within(anchor: Element) -> Element | None:
    inner = list(islice(anchor.iterdescendants(), 40))
    named = (one for one in inner if _TITLE_NAME.search(one.get("class") or "") and visible_text(one))
    heading = next((one for one in inner if one.tag in HEADINGS and visible_text(one)), None)
    return heading if heading is not None else next(named, None)


def _first_line(anchor: Element) -> str | None:
    """The first line of a card that is all link, skipping its date and its label."""
    lines = list(islice(text_runs(anchor), 20))
    if len(lines) < 2:
        return None
    return next((line for line in lines if word_count(line) > 2 and not is_date(line, None)), None)


def word_count(text: str | None) -> float:
    """How much a text says, in words; two characters of a script without spaces count as one."""
    if not text:
        return 0
    unspaced = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + unspaced / 2


def _mark_generic(by_key: dict[str, list[Link]]) -> None:
    """Texts such as "Read more" that stand for several addresses name none of them."""
    keys_of = Counter(
        text for links in by_key.values() for text in {link.text for link in links if not link.is_heading}
    )
    for links in by_key.values():
        for link in links:
            if link.text is None or keys_of[link.text] > 1 and not link.is_heading and len(link.text) <= 40:
                link.generic = True


def _says_most(link: Link) -> tuple[int, ...]:
    """For choosing among the links to one address: a title comes before its subtitle and its comments."""
    return (
        -link.zone,
        link.is_heading,
        "#" not in link.url,
        not link.generic,
        word_count(link.text) > 1,
        -link.position,
    )


def title_of(link: Link, block: Element) -> str | None:
    """The words that name the link's target: its own, else the heading, picture or label beside it."""
    if link.text and not link.generic:
        whole = clean(link.element.get("title"))
        cut = link.text.rstrip().endswith(("…", "..."))
        return whole if cut and whole and len(whole) > len(link.text) else link.text
    headings = (visible_text(one) for one in islice(block.iter(*HEADINGS), 3))
    pictures = (clean(one.get("alt")) for one in islice(link.element.iter("img"), 3))
    labels = (clean(link.element.get(name)) for name in ("aria-label", "title"))
    found = (text for texts in (headings, labels, pictures) for text in texts if text)
    return _clipped(next(found, None)) or link.text


def ancestors(element: Element) -> Iterator[Element]:
    """The elements around one, the nearest first, as far as the page's body and a bound."""
    for one in islice(element.iterancestors(), MAX_LEVELS):
        if one.tag in ("body", "html"):
            return
        yield one


def crowds(links: Iterable[Link]) -> Counter[Element]:
    """How many of the links each element around them holds."""
    return Counter(around for link in links for around in (link.element, *ancestors(link.element)))


def in_running_text(link: Link, language: str | None) -> bool:
    """Whether words of a sentence come before the link on its line; a permalink may end one."""
    if link.is_permalink:
        return False
    before: list[str] = []
    for one in (link.element, *islice(ancestors(link.element), 6)):
        if is_block(one):
            break
        for sibling in islice(one.itersiblings(preceding=True), 20):
            before.append(sibling.tail or "")
            if is_block(sibling):
                break
            # Links in a row are no sentence; what stands between them is.
            before.append("" if _holds_link(sibling) else visible_text(sibling) or "")
        else:
            parent = one.getparent()
            before.append((parent.text if parent is not None else None) or "")
            continue
        break
    text = clean(" ".join(reversed(before))) or ""
    ends = text.endswith((":", "|", "–", "-", "—", "·", "•", "»", ")", "]", ">"))
    return word_count(text) >= 3 and not ends and is_date(text, language) is None


def _holds_link(element: Element) -> bool:
    return next(element.iter("a"), None) is not None


class _LinkedItems:
    """Items about pages elsewhere, as in a link blog: their own address is behind a mark."""

    def __init__(self, base: str, site: Site) -> None:
        self._base = base
        self._site = site
        self._heads: dict[Element, list[Element]] = {}

    def judged(self, link: Link, page: PageLinks) -> Link | None:
        """The link, named by its item's heading if it is a permalink; None for a page's number."""
        if _PERMALINK.fullmatch(link.text or "") and (found := self._heading(link.element)):
            heading, title = found
            return replace(link, title_element=heading, text=title, is_heading=True, is_permalink=True)
        if link.text and not _LETTER.search(link.text) and not is_date(link.text, None):
            page.reject(link.url, "pagination")
            return None
        return link

    def _heading(self, anchor: Element) -> tuple[Element, str] | None:
        """The only heading in the smallest element around that has any, if it leads to another site."""
        for one in islice(ancestors(anchor), MAX_ITEM_LEVELS):
            if one not in self._heads:
                inner = islice(one.iter(), MAX_ITEM_ELEMENTS)
                self._heads[one] = [head for head in inner if head.tag in _ITEM_HEADS]
            heads = self._heads[one]
            if heads:
                return self._led_elsewhere(heads[0]) if len(heads) == 1 else None
        return None

    def _led_elsewhere(self, heading: Element) -> tuple[Element, str] | None:
        parent = heading.getparent()
        around = [parent] if parent is not None and parent.tag == "a" else []
        for one in (*islice(heading.iter("a"), 5), *around):
            url, title = join_web(self._base, one.get("href")), _clipped(visible_text(one))
            if url and title and not self._site.has(url):
                return heading, title
        return None


class _Zones:
    """Where elements stand, asked once for each."""

    def __init__(self) -> None:
        self._known: dict[Element, tuple[int, bool]] = {}

    def of(self, anchor: Element) -> int:
        """CONTENT, ASIDE or MENU for a link."""
        path: list[Element] = []
        state = (CONTENT, False)
        for one in islice(anchor.iterancestors(), 4 * MAX_LEVELS):
            if one in self._known:
                state = self._known[one]
                break
            path.append(one)
        for one in reversed(path):
            state = self._known[one] = _within(one, *state)
        return state[0]


def _within(element: Element, zone: int, in_content: bool) -> tuple[int, bool]:
    role = (element.get("role") or "").lower()
    return max(zone, _own_zone(element, role, in_content)), (
        in_content or element.tag in _CONTENT_TAGS or role in ("main", "article")
    )


def _own_zone(element: Element, role: str, in_content: bool) -> int:
    if element.tag in ("html", "body", "main", "article"):
        return CONTENT
    if element.tag in _MENU_TAGS or role in _MENU_ROLES:
        return MENU
    if element.tag in ("header", "footer"):
        return CONTENT if in_content else MENU
    if element.tag == "aside" or role == "complementary":
        return ASIDE
    return _zone_by_name(f"{element.get('id') or ''} {element.get('class') or ''}"[:300], in_content)


def _zone_by_name(names: str, in_content: bool) -> int:
    for name in names.split():
        words = {word.lower() for word in _NAME_WORD.findall(name)}
        edges = frozenset() if in_content else _EDGE_WORDS
        if words & (_MENU_WORDS | edges) and not words & {"has", "with", "no", "without"}:
            return ASIDE
        if words & _ASIDE_WORDS and not words & _LAYOUT_WORDS:
            return ASIDE
    return CONTENT
