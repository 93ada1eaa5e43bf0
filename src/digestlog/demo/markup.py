"""Writes the demo web's HTML: home pages, listings, articles and the shop."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from html import escape

from digestlog.demo.story import Story


@dataclass(frozen=True)
class Alternate:
    """A feed as a home page declares it."""

    title: str
    content_type: str
    path: str


def document(title: str, body: str, *, head: str = "", lang: str = "en") -> bytes:
    """A whole HTML page, encoded as UTF-8."""
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"{head}</head>\n<body>\n{body}</body>\n</html>\n"
    ).encode()


def notice(title: str, sentence: str) -> bytes:
    """A page that says one thing."""
    return document(title, f"<h1>{escape(title)}</h1>\n<p>{escape(sentence)}</p>\n")


def home(name: str, tagline: str, lang: str, stories: Iterable[Story], feeds: Iterable[Alternate]) -> bytes:
    """A site's front page: its stories' titles and openings, and the feeds that it declares."""
    head = "".join(
        f'<link rel="alternate" type="{feed.content_type}" title="{escape(feed.title)}" href="{feed.path}">\n'
        for feed in feeds
    )
    body = f"<header><h1>{escape(name)}</h1>\n<p>{escape(tagline)}</p></header>\n<main>\n"
    return document(name, f"{body}{''.join(map(_teaser, stories))}</main>\n", head=head, lang=lang)


def _teaser(story: Story) -> str:
    link = f'<a href="{story.path}">{escape(story.title)}</a>'
    return f"<section>\n<h2>{link}</h2>\n<p>{escape(story.paragraphs[0])}</p>\n</section>\n"


def article(story: Story, site: str, now: datetime) -> bytes:
    """An article's page: metadata, a heading and its whole text, between navigation and footer."""
    author, stamp, url = escape(story.author), story.stamp(now), story.url
    head = (
        f'<meta name="author" content="{author}">\n<link rel="canonical" href="{url}">\n'
        f'<meta property="og:type" content="article">\n<meta property="og:url" content="{url}">\n'
        f'<meta property="og:title" content="{escape(story.title)}">\n'
        f'<meta property="og:site_name" content="{escape(site)}">\n'
        f'<meta property="article:published_time" content="{stamp}">\n'
        f'<meta property="article:section" content="{escape(story.section)}">\n'
        f"{_linked_data({'@context': 'https://schema.org', **_news_article(story, now)})}"
    )
    text = "".join(f"<p>{escape(paragraph, quote=False)}</p>\n" for paragraph in story.paragraphs)
    body = (
        f'<nav><a href="/">{escape(site)}</a> <a href="/#newest">Newest</a></nav>\n<main>\n<article>\n'
        f'<h1>{escape(story.title)}</h1>\n<p class="byline">{author}, '
        f'<time datetime="{stamp}">{stamp[:10]}</time></p>\n'
        f"{text}</article>\n</main>\n<footer><p>{escape(site)}, Port Alder.</p></footer>\n"
    )
    return document(f"{story.title} | {site}", body, head=head, lang=story.lang)


def _news_article(story: Story, now: datetime) -> dict[str, object]:
    return {
        "@type": "NewsArticle",
        "headline": story.title,
        "url": story.url,
        "datePublished": story.stamp(now),
        "author": {"@type": "Person", "name": story.author},
    }


def _linked_data(value: dict[str, object]) -> str:
    text = json.dumps(value, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>\n'


def dated_listing(name: str, stories: Iterable[Story], now: datetime) -> bytes:
    """A page of news without a feed: dated articles among navigation and tags."""
    nav = '<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/contact">Contact</a></nav>\n'
    foot = '<footer><a href="/private/draft-minutes">Draft minutes</a></footer>\n'
    items = "".join(_listed(story, now) for story in stories)
    return document(f"News | {name}", f"{nav}<main>\n<h1>News</h1>\n{items}</main>\n{foot}")


def _listed(story: Story, now: datetime) -> str:
    stamp, tag = story.stamp(now), story.section.lower()
    return (
        f'<article>\n<h2><a href="{story.path}">{escape(story.title)}</a></h2>\n'
        f'<p><time datetime="{stamp}">{story.published_at(now):%d.%m.%Y}</time> '
        f'<a rel="tag" href="/tags/{tag}">{escape(story.section)}</a></p>\n'
        f"<p>{escape(story.paragraphs[0])}</p>\n</article>\n"
    )


def linked_data_listing(name: str, tagline: str, stories: Iterable[Story], now: datetime) -> bytes:
    """A front page whose articles are dated only in its JSON-LD list."""
    told = tuple(stories)
    elements = [
        {"@type": "ListItem", "position": place, "item": _news_article(story, now)}
        for place, story in enumerate(told, 1)
    ]
    head = _linked_data(
        {"@context": "https://schema.org", "@type": "ItemList", "name": name, "itemListElement": elements}
    )
    body = f"<h1>{escape(name)}</h1>\n<p>{escape(tagline)}</p>\n{''.join(map(_teaser, told))}"
    return document(name, body, head=head)


def shop(now: datetime, revision: int) -> bytes:
    """The storm lantern's page: price and stock change after revision 0, token and time at each one."""
    price, stock = ("49.00", "In stock: 12 pieces") if revision <= 0 else ("44.50", "Only 3 left")
    generated_at = now.replace(microsecond=0) + timedelta(minutes=revision)
    token = sha256(f"{now.isoformat()} {revision}".encode()).hexdigest()[:32]
    return document(
        "Storm lantern | Alder Chandlery",
        '<nav><a href="/">Alder Chandlery</a></nav>\n<main>\n<h1>Storm lantern, brass, 28 cm</h1>\n'
        "<p>Burns lamp oil for eighteen hours and stays lit in a force nine wind. Made on Cable Street.</p>\n"
        f'<p class="price"><span itemprop="price" content="{price}">{price}</span> EUR</p>\n'
        f'<p class="stock">{stock}</p>\n<p>Sent within two working days.</p>\n'
        f'<form method="post"><input type="hidden" name="csrf_token" value="{token}">'
        "<button>Put in the basket</button></form>\n</main>\n"
        f"<footer><p>Page generated at {generated_at.isoformat()}</p></footer>\n",
    )
