"""An article's own page: its title, when it was published, and how we know.

JSON-LD -> meta -> <time> by the headline -> address -> htmldate, which is a guess and marked as one
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from lxml import etree

from digestlog.core.found import Dated, read_date, url_key
from digestlog.core.html_tree import (
    Element,
    join_web,
    language_tag,
    page_base,
    page_language,
    read_tree,
    visible_text,
)
from digestlog.core.linked_data import (
    Node,
    address_of,
    date_of_node,
    is_article,
    json_ld_nodes,
    microdata_articles,
    title_of_node,
)
from digestlog.core.near_dates import date_from_url, element_dates, says_modified
from digestlog.core.text import clean

MAX_TITLE = 500
MAX_METAS = 500
# htmldate reads the whole text several times.
MAX_GUESSED_ELEMENTS = 20_000
MAX_GUESSED_CHARS = 500_000

# In the order of trust. Dates of modification are not among them, and never will be.
_DATE_METAS = (
    "article:published_time",
    "article:published",
    "og:article:published_time",
    "og:published_time",
    "og:pubdate",
    "datepublished",
    "parsely-pub-date",
    "sailthru.date",
    "cxenseparse:recs:publishtime",
    "cxenseparse:publishtime",
    "published_time",
    "publish_date",
    "publish-date",
    "published_date",
    "publication_date",
    "publicationdate",
    "pubdate",
    "pub_date",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "prism.publicationdate",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.date",
    "dc.date",
    "dc.date.created",
    "dcterms.created",
    "date",
    "article.published",
    "rnews:datepublished",
    "bt:pubdate",
)
_TITLE_METAS = ("og:title", "citation_title", "dc.title", "dcterms.title", "twitter:title")
_SITE_NAME_BREAK = re.compile(r"\s+[|–—·•-]\s+")


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """What an article's page says of itself; `date_from` is "htmldate" where the date is a guess."""

    title: str | None
    published_raw: str | None
    published_at: datetime | None
    date_from: str | None
    canonical_url: str | None
    language: str | None
    is_article: bool


def read_article_page(body: bytes, url: str, charset: str | None = None) -> ArticlePage:
    """What an article's page says of itself; never raises on any bytes."""
    root = read_tree(body, charset)
    base, metas = page_base(root, url), _metas(root)
    canonical = _canonical(root, metas, base)
    node = _own_node(json_ld_nodes(root), base, {url_key(url), url_key(canonical or url)})
    language = page_language(root) or _node_language(node)
    dated = _best(_dates(root, base, url, node, metas, language))
    article = node is not None or metas.get("og:type", "").lower() == "article" or _is_marked(root, metas)
    if article and (dated is None or dated.at is None):
        dated = _guessed(root) or dated
    return ArticlePage(
        title=_title(root, node, metas),
        published_raw=dated.raw if dated else None,
        published_at=dated.at if dated else None,
        date_from=dated.source if dated and dated.at else None,
        canonical_url=canonical,
        language=language,
        is_article=article,
    )


def _metas(root: Element) -> dict[str, str]:
    """The first content of each named <meta>."""
    metas: dict[str, str] = {}
    for meta in islice(root.iter("meta"), MAX_METAS):
        content = clean((meta.get("content") or meta.get("datetime") or "")[: 4 * MAX_TITLE])
        for attribute in ("property", "name", "itemprop"):
            name = (meta.get(attribute) or "").strip().lower()
            if name and content:
                metas.setdefault(name, content)
    return metas


def _canonical(root: Element, metas: Mapping[str, str], base: str) -> str | None:
    for link in islice(root.iter("link"), MAX_METAS):
        if "canonical" in (link.get("rel") or "").lower().split() and (
            url := join_web(base, link.get("href"))
        ):
            return url
    return join_web(base, metas.get("og:url"))


def _own_node(nodes: list[Node], base: str, keys: set[str]) -> Node | None:
    """The JSON-LD object of this article among those of related ones: by its address, else the only one."""
    articles = [node for node in nodes if is_article(node)]
    addressed = [(node, address_of(node, base)) for node in articles]
    own = next((node for node, address in addressed if address and url_key(address) in keys), None)
    if own is not None:
        return own
    return articles[0] if len(articles) == 1 else None


def _node_language(node: Node | None) -> str | None:
    raw = node.get("inLanguage") if node else None
    return language_tag(raw) if isinstance(raw, str) else None


def _best(dates: Iterator[Dated]) -> Dated | None:
    """The first date that can be understood, else the first that was written."""
    unread: Dated | None = None
    for dated in dates:
        if dated.at is not None:
            return dated
        unread = unread or dated
    return unread


def _dates(
    root: Element, base: str, url: str, node: Node | None, metas: Mapping[str, str], language: str | None
) -> Iterator[Dated]:
    if node is not None and (dated := date_of_node(node, language)):
        yield dated
    for name in _DATE_METAS:
        if dated := read_date(metas.get(name), "meta", language):
            yield dated
    yield from _marked_dates(root, base, url, language)
    yield from _times(root, language)
    day = date_from_url(url)
    if day is not None:
        yield Dated(day.date().isoformat(), day, "url")


def _marked_dates(root: Element, base: str, url: str, language: str | None) -> Iterator[Dated]:
    """Dates that microdata gives this article; alone on its page it needs no address."""
    for found in microdata_articles(root, base, language):
        if found.published_raw and url_key(found.url) == url_key(url):
            yield Dated(found.published_raw, found.published_at, "meta")
    elements = [one for one in root.iter() if "datePublished" in (one.get("itemprop") or "").split()]
    if len(elements) == 1:
        yield from element_dates(elements[0], "meta", language)


def _times(root: Element, language: str | None) -> Iterator[Dated]:
    """The <time> that says it is the publication, else the first around the headline."""
    times = [one for one in islice(root.iter("time"), 50) if not says_modified(one)]
    for one in times:
        if one.get("pubdate") is not None:
            yield from element_dates(one, "time", language)
    headlines = list(islice(root.iter("h1"), 3))
    for around in (block for headline in headlines for block in islice(headline.iterancestors(), 4)):
        if around.tag not in ("body", "html"):
            for one in islice(around.iter("time"), 5):
                if not says_modified(one):
                    yield from element_dates(one, "time", language)


def _is_marked(root: Element, metas: Mapping[str, str]) -> bool:
    if any(name in metas for name in ("article:published_time", "citation_title", "parsely-pub-date")):
        return True
    articles = list(islice(root.iter("article"), 2))
    # A list has several, and links their headings.
    return len(articles) == 1 and any(True for _ in articles[0].iter("h1")) and _has_text(articles[0])


def _has_text(article: Element) -> bool:
    return sum(len(visible_text(one) or "") > 80 for one in islice(article.iter("p"), 50)) > 1


def _title(root: Element, node: Node | None, metas: Mapping[str, str]) -> str | None:
    told = title_of_node(node) if node is not None else None
    titles = (metas.get(name) for name in _TITLE_METAS)
    headings = (visible_text(one) for one in islice(root.iter("h1"), 3))
    named = told or next((title for title in titles if title), None) or next(filter(None, headings), None)
    # The text of <title> is not visible, so it is read as it stands.
    whole = next((clean(one.text) for one in root.iter("title") if clean(one.text)), None)
    text = named or (_SITE_NAME_BREAK.split(whole)[0] if whole else None)
    return text[:MAX_TITLE] if text else None


def _guessed(root: Element) -> Dated | None:
    """The day that htmldate guesses from what a reader sees; it never sees dates of modification."""
    from htmldate import find_date

    if sum(1 for _ in islice(root.iter(), MAX_GUESSED_ELEMENTS + 1)) > MAX_GUESSED_ELEMENTS:
        return None
    _leave_what_is_read(root)
    # Given a text that is an address, htmldate would fetch it; this one begins with a tag.
    text = etree.tostring(root, encoding=str, method="html")
    if len(text) > MAX_GUESSED_CHARS:
        return None
    try:
        day = find_date(text, original_date=True, extensive_search=False, min_date="1995-01-01")
    except Exception:  # whatever a guess over hostile text raises, there is no date
        return None
    return read_date(day, "htmldate")


def _leave_what_is_read(root: Element) -> None:
    for one in [time for time in root.iter("time") if says_modified(time)]:
        one.clear(keep_tail=True)
    etree.strip_elements(root, "meta", "script", "style", "link", "footer", "aside", "nav", with_tail=False)
