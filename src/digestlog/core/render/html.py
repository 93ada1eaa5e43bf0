"""A digest as one HTML file that loads nothing: no script, no picture, no font."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from digestlog.core.digest import Digest, Item, Link
from digestlog.core.render.html_style import STYLE
from digestlog.core.render.labels import Labels
from digestlog.core.render.plain import by_category, facts, heading, line, link, makers, paragraphs, title_of

# Should anything slip through: the browser itself then refuses to run or load it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_html(digest: Digest, labels: Labels) -> str:
    """The digest as a whole page."""
    return "\n".join(_page(digest, labels)) + "\n"


def _page(digest: Digest, labels: Labels) -> Iterator[str]:
    title = _safe(heading(digest, labels))
    yield "<!DOCTYPE html>"
    yield f'<html lang="{labels.language}">'
    yield '<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
    yield '<meta name="referrer" content="no-referrer">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>"
    yield f'<body>\n<main>\n<header>\n<h1 dir="auto">{title}</h1>'
    yield f'<p class="facts">{_safe(facts(digest, labels))}</p>'
    yield from _contents(digest, labels)
    yield "</header>"
    if not digest.items:
        yield f'<p class="nothing">{labels.nothing}</p>'
    for number, (category, items) in enumerate(by_category(digest), 1):
        yield from _category(number, category, items, labels)
    yield from _end(digest, labels)
    yield "</main>\n</body>\n</html>"


def _contents(digest: Digest, labels: Labels) -> Iterator[str]:
    """A way to each category, where there are several."""
    found = by_category(digest)
    if len(found) > 1:
        yield f'<nav aria-label="{labels.contents}">\n<ul role="list">'
        for number, (category, _items) in enumerate(found, 1):
            yield f'<li><a href="#c{number}" dir="auto">{_safe(category)}</a></li>'
        yield "</ul>\n</nav>"


def _category(number: int, category: str, items: list[Item], labels: Labels) -> Iterator[str]:
    yield f'<section aria-labelledby="c{number}">\n<h2 id="c{number}" dir="auto">{_safe(category)}</h2>'
    # Safari reads a list without marks as a list only if it is told.
    yield '<ol role="list">'
    for item in items:
        yield from _item(item, labels)
    yield "</ol>\n</section>"


def _item(item: Item, labels: Labels) -> Iterator[str]:
    yield f'<li class="item">\n<h3 dir="auto">{_anchor(title_of(item, labels), item.url)}</h3>'
    yield f'<p class="origin">{_origin(item, labels)}</p>'
    for paragraph in paragraphs(item.summary):
        yield f'<p dir="auto">{_safe(paragraph)}</p>'
    yield f'<p class="why">{labels.why}{labels.colon}<bdi>{_safe(item.why)}</bdi></p>'
    if item.other_links:
        yield f'<div class="also">{labels.also}{labels.colon.rstrip()}\n<ul role="list">'
        yield from map(_other, item.other_links)
        yield "</ul>\n</div>"
    yield "</li>"


def _origin(item: Item, labels: Labels) -> str:
    source, iso = _safe(item.source), item.published_utc_iso
    day = f'<time datetime="{escape(iso)}">{labels.day(iso)}</time>' if iso else labels.undated
    return f"<bdi>{source}</bdi> · {day}" if source else day


def _other(other: Link) -> str:
    source = line(other.source)
    named = line(other.title) or source or line(other.url)
    behind = f" (<bdi>{_safe(source)}</bdi>)" if source and source != named else ""
    return f"<li><bdi>{_anchor(named, other.url)}</bdi>{behind}</li>"


def _end(digest: Digest, labels: Labels) -> Iterator[str]:
    if digest.notes:
        yield f'<section class="notes" aria-labelledby="notes">\n<h2 id="notes">{labels.notes}</h2>'
        yield '<ul role="list">'
        for note in digest.notes:
            yield f"<li><bdi>{_safe(note)}</bdi></li>"
        yield "</ul>\n</section>"
    made = makers(digest, labels)
    if made:
        yield f"<footer>{_safe(made)}</footer>"


def _anchor(text: str, url: str) -> str:
    """A link; the bare words where the address is none to follow."""
    address = link(url)
    if address is None:
        return _safe(text)
    return f'<a href="{escape(address)}" rel="noopener noreferrer">{_safe(text)}</a>'


def _safe(text: str | None) -> str:
    return escape(line(text))
