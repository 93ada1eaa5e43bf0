"""An article's page as a reader wants it: title, author, language, date and text.

bytes -> article_page (title, date, language) -> linked data, meta (author) -> trafilatura (text)

What trafilatura would say of dates is never asked for: half of it is guessed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from lxml import etree

from digestlog.core.article_page import read_article_page
from digestlog.core.html_tree import Element, read_tree, visible_text
from digestlog.core.linked_data import is_article, json_ld_nodes
from digestlog.core.pages import is_html
from digestlog.core.text import clean

# A shorter text is a caption, a cookie notice or nothing at all.
MIN_LETTERS = 80
MAX_TEXT = 1_000_000
MAX_AUTHOR = 200
MAX_AUTHORS = 10
# A long article has some 5,000; trafilatura walks through all of them many times.
MAX_ELEMENTS = 15_000
MAX_CHARS = 5_000_000

_AUTHOR_METAS = (
    "author",
    "article:author",
    "parsely-author",
    "sailthru.author",
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "byl",
)
_ADDRESS = re.compile(r"https?://|www\.|@\w", re.I)
_BY = re.compile(r"(?:by|von|par|por|di|door)\s+(?=\S)", re.I)
_WORD = re.compile(r"\w+")
# One such sign says as much as two or three letters.
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
# Where no line has so many, there is a menu or a list.
_SENTENCE = 50
# What stands on a page instead of its article; a real article is longer than that.
_MAX_NOTICE = 600
_NOTICE = re.compile(
    r"\b(?:enable|activate|turn on|activer|aktivieren)\b.{0,40}\b(?:javascript|cookies)\b"
    r"|\bjavascript\b.{0,40}(?:enabled?|disabled|required|activé|aktiviert)"
    r"|checking (?:your|if the site) (?:browser|connection)"
    r"|(?:verify|confirm)(?:ing)? (?:that )?you are (?:a )?(?:human|not a robot)|are you a robot",
    re.I | re.S,
)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a page says to its reader; text None: it has no article."""

    title: str | None = None
    author: str | None = None
    language: str | None = None
    published_at: datetime | None = None
    text: str | None = None


def extract(body: bytes, url: str, charset: str | None = None) -> Extracted:
    """The article of a page; never raises on any bytes, and gives the same for the same bytes."""
    try:
        return _extract(body, url, charset)
    except Exception:  # whatever two foreign libraries make of hostile bytes, there is no article
        return Extracted()


def _extract(body: bytes, url: str, charset: str | None) -> Extracted:
    if not is_html(body, "text/html"):
        return Extracted()
    page = read_article_page(body, url, charset)
    root = read_tree(body, charset)
    author = _author(root)  # before the text, for which the tree is cut
    return Extracted(
        title=page.title,
        author=author,
        language=page.language,
        published_at=page.published_at if page.date_from != "htmldate" else None,
        text=_worth_reading(_without_title(_text(root, url), page.title), sure=page.is_article),
    )


# --- text --------------------------------------------------------------------------------


def _text(root: Element, url: str) -> str | None:
    """The main text, each paragraph on a line."""
    from lxml.html import document_fromstring
    from trafilatura import bare_extraction

    # Every page without an article would be a line on stderr.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    _shorten(root)
    # A tree of its own kind, because trafilatura calls methods that ours does not have.
    tree = document_fromstring(etree.tostring(root, encoding="unicode", method="html")[:MAX_CHARS])
    found = bare_extraction(tree, url=url, include_comments=False, include_tables=True)
    return _paragraphs(getattr(found, "text", None))


def _shorten(root: Element) -> None:
    """Take away what stands behind the last element that is read."""
    for beyond in list(islice(root.iter(), MAX_ELEMENTS, None)):
        beyond.getparent().remove(beyond)  # type: ignore[union-attr] # only the first has none


def _paragraphs(text: str | None) -> str | None:
    lines = filter(None, map(clean, (text or "").splitlines()))
    whole = "\n".join(lines)
    if len(whole) > MAX_TEXT:
        whole = whole[:MAX_TEXT].rpartition("\n")[0] or whole[:MAX_TEXT]
    return whole or None


def _without_title(text: str | None, title: str | None) -> str | None:
    """The text without its headline, which is kept for itself."""
    first, _, rest = (text or "").partition("\n")
    return rest if title and first.casefold() == title.casefold() else text


def _worth_reading(text: str | None, *, sure: bool) -> str | None:
    """The text, unless it is too short, a notice, or the menu of what does not say it is an article."""
    if text is None or letters(text) < MIN_LETTERS:
        return None
    if len(text) <= _MAX_NOTICE and _NOTICE.search(text):
        return None
    return text if sure or any(letters(line) >= _SENTENCE for line in text.splitlines()) else None


def letters(text: str) -> int:
    """How much there is to read: letters and digits, signs of dense scripts counted twice."""
    return sum(map(len, _WORD.findall(text))) + len(_DENSE.findall(text))


# --- author ------------------------------------------------------------------------------


def _author(root: Element) -> str | None:
    """Who wrote it: by its linked data, its meta, else the element that says so."""
    for names in (_told(root), _meta_authors(root), _marked(root)):
        found = list(dict.fromkeys(filter(None, map(_name, names))))
        if found:
            return ", ".join(found[:MAX_AUTHORS])[:MAX_AUTHOR]
    return None


def _told(root: Element) -> Iterator[object]:
    """The names in the article's own linked data; of several articles none is surely this one."""
    articles = [node for node in json_ld_nodes(root) if is_article(node)]
    if len(articles) == 1:
        yield from _names(articles[0].get("author") or articles[0].get("creator"))


def _names(value: object) -> Iterator[object]:
    for one in value[:MAX_AUTHORS] if isinstance(value, list) else [value]:
        yield one.get("name") if isinstance(one, dict) else one


def _meta_authors(root: Element) -> Iterator[object]:
    metas = [
        ((meta.get("name") or meta.get("property") or "").lower(), meta.get("content"))
        for meta in islice(root.iter("meta"), 500)
    ]
    for wanted in _AUTHOR_METAS:
        names = [content for name, content in metas if name == wanted and _name(content)]
        if names:
            yield from names
            return


def _marked(root: Element) -> Iterator[object]:
    """The first element that is marked as the author, by microdata or as a link."""
    for element in root.iter():
        if "author" in (element.get("itemprop") or element.get("rel") or "").lower().split():
            yield visible_text(element)
            return


def _name(value: object) -> str | None:
    """A name in one line; addresses, handles and whole sentences are none."""
    text = clean(value[: 4 * MAX_AUTHOR]) if isinstance(value, str) else None
    if text is None or _ADDRESS.search(text):
        return None
    text = _BY.sub("", text, count=1) if _BY.match(text) else text
    return text if len(text) <= MAX_AUTHOR and any(map(str.isalpha, text)) else None
