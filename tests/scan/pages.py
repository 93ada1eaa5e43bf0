"""Pages without a feed of their own: each kind lists its stories in another way.

Every page also has what is no article: a menu, tags, older pages, share links, another site.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape

from scan.feeds import rss_2
from scan.story import NOW, START, Date, Link, Story, Title, iso
from scan.web import Answer, Answers, moved, page

_MIDNIGHT = datetime(2026, 2, 13, tzinfo=UTC)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Listing:
    """A page at its site's root, everything else that the site answers, and the stories on it."""

    stories: tuple[Story, ...]
    answers: Answers

    @property
    def is_elsewhere(self) -> bool:
        """Whether the stories stand in another file than the page."""
        return any(url.endswith(".xml") for url in self.answers)


ListingMaker = Callable[[str, str], Listing]


def _framed(items: str, head: str = "") -> Answer:
    return page(
        f'<!doctype html><html lang="en"><head><title>A town paper</title>{head}</head><body>'
        '<header><nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/tag/water">Water</a>'
        ' <a href="/author/ann-smith">Ann Smith</a></nav></header>'
        f"<main><h1>A town paper</h1>{items}</main>"
        '<div class="pagination"><a href="/?page=2" rel="next">Older stories</a></div>'
        '<footer><a href="/imprint">Imprint</a>'
        ' <a href="https://www.facebook.com/sharer?u=x">Share this page</a>'
        ' <a href="http://nowhere.example/some-other-story-elsewhere">Some other story elsewhere</a></footer>'
        "</body></html>"
    )


def _links(site: str, slug: str, folder: str = "news") -> list[Link]:
    """Four stories' addresses: plain, with tracking, moved, and moved to one with tracking."""
    urls = [f"{site}/{folder}/harbour-wall-report-{slug}-{n}" for n in range(4)]
    final_2, final_3 = f"{site}/kept/harbour-wall-report-{slug}-2", f"{site}/kept/bridge-report-{slug}-3/"
    to_2: Answers = {urls[2]: moved(final_2, 301), final_2: page()}
    to_3: Answers = {urls[3]: moved(f"{final_3}?utm_source=kept"), final_3: page()}
    return [
        Link(urls[0], urls[0], (), {urls[0]: page()}),
        Link(f"{urls[1]}?utm_source=front", urls[1], ("removed_tracking_params",), {urls[1]: page()}),
        Link(urls[2], final_2, ("resolved_redirects",), to_2),
        Link(urls[3], final_3, ("resolved_redirects", "removed_tracking_params"), to_3),
    ]


def _titles(slug: str) -> list[Title]:
    words = ("The harbour wall & its cracks", "Four things about tides", "Who built it", "Bridges, again")
    return [Title(escape(f"{w} in {slug}"), f"{w} in {slug}") for w in words]


def _times(*moments: datetime) -> list[Date]:
    return [Date(iso(moment), moment) for moment in moments]


_USUAL = (NOW - timedelta(hours=1), START - timedelta(hours=1), NOW + timedelta(hours=2), START)


def _told(site: str, slug: str, dates: Sequence[Date], folder: str = "news") -> tuple[Story, ...]:
    parts = zip(_links(site, slug, folder), _titles(slug), dates, strict=True)
    return tuple(Story(*three) for three in parts)


def _listing(site: str, stories: tuple[Story, ...], front: Answer, **more: Answer) -> Listing:
    answers = {url: answer for story in stories for url, answer in story.link.answers.items()}
    others = {f"{site}/{name.replace('__', '.').replace('_', '-')}": answer for name, answer in more.items()}
    return Listing(stories, {**answers, f"{site}/": front, **others})


def _anchor(story: Story) -> str:
    return f'<a href="{escape(story.link.original)}">{story.title.html}</a>'


def articles(site: str, slug: str) -> Listing:
    """Cards with a heading and a <time>."""
    stories = _told(site, slug, _times(*_USUAL))
    items = "".join(
        f'<article><h2>{_anchor(s)}</h2><time datetime="{s.date.written}">lately</time>'
        f'<p>What was said. <a href="{escape(s.link.original)}">Read more</a></p></article>'
        for s in stories
    )
    return _listing(site, stories, _framed(items))


def dated_list(site: str, slug: str) -> Listing:
    """A plain list with a day behind each link."""
    days = (_MIDNIGHT, _MIDNIGHT - _DAY, _MIDNIGHT + _DAY, _MIDNIGHT)
    stories = _told(site, slug, [Date(f"{day.day} February 2026", day) for day in days])
    items = "".join(f"<li>{_anchor(s)} <span class='date'>{s.date.written}</span></li>" for s in stories)
    return _listing(site, stories, _framed(f"<ul>{items}</ul>"))


def dated_urls(site: str, slug: str) -> Listing:
    """A list with no date but the one in each address."""
    stories = _told(site, slug, [Date(None, _MIDNIGHT)] * 4, "2026/02/13")
    items = "".join(f"<li><h3>{_anchor(s)}</h3></li>" for s in stories)
    return _listing(site, stories, _framed(f"<ul>{items}</ul>"))


def json_ld(site: str, slug: str) -> Listing:
    """A list for machines."""
    stories = _told(site, slug, _times(*_USUAL))
    entries = [
        {
            "@type": "ListItem",
            "position": n,
            "item": {
                "@type": "NewsArticle",
                "url": s.link.original,
                "headline": s.title.html,
                "datePublished": s.date.written,
                "dateModified": iso(NOW),
            },
        }
        for n, s in enumerate(stories)
    ]
    data = {"@context": "https://schema.org", "@type": "ItemList", "itemListElement": entries}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    return _listing(site, stories, _framed("<p>Please switch on JavaScript.</p>", head))


def microdata(site: str, slug: str) -> Listing:
    """Marks in the page's own elements."""
    stories = _told(site, slug, _times(*_USUAL))
    items = "".join(
        '<div itemscope itemtype="https://schema.org/BlogPosting">'
        f'<a itemprop="url" href="{escape(s.link.original)}">'
        f'<span itemprop="headline">{s.title.html}</span></a>'
        f'<meta itemprop="datePublished" content="{s.date.written}"></div>'
        for s in stories
    )
    return _listing(site, stories, _framed(items))


def declared_feed(site: str, slug: str) -> Listing:
    """A page that names its feed, which is read instead."""
    stories = _told(site, slug, _times(*_USUAL))
    body, kind = rss_2(f"{site}/feed.xml", stories)
    head = '<link rel="alternate" type="application/rss+xml" href="feed.xml">'
    front = _framed("<h2><a href='/only-on-the-front-page'>Only on the front page</a></h2>", head)
    return _listing(site, stories, front, feed__xml=Answer(200, body, {"Content-Type": kind}))


def news_sitemap(site: str, slug: str) -> Listing:
    """A page whose site has a news sitemap, named in robots.txt."""
    stories = _told(site, slug, _times(*_USUAL))
    urls = "".join(
        f"<url><loc>{escape(s.link.original)}</loc><lastmod>{iso(NOW)}</lastmod><news:news>"
        f"<news:publication><news:name>A town paper</news:name><news:language>en</news:language>"
        f"</news:publication><news:publication_date>{s.date.written}</news:publication_date>"
        f"<news:title>{escape(s.title.text or '')}</news:title></news:news></url>"
        for s in stories
    )
    sitemap = (
        '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        f' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">{urls}</urlset>'
    )
    robots = (
        f"User-agent: *\nDisallow: /private/\nSitemap: {site}/sitemap.xml\nSitemap: {site}/news-map.xml\n"
    )
    return _listing(
        site,
        stories,
        _framed("<p>Stories come and go.</p>"),
        robots__txt=Answer(200, robots.encode(), {"Content-Type": "text/plain"}),
        news_map__xml=Answer(200, sitemap.encode(), {"Content-Type": "application/xml"}),
    )


def undated(site: str, slug: str) -> Listing:
    """Headings without any date: each article's own page knows it, or nobody does."""
    stories = list(_told(site, slug, [*_times(_USUAL[0], _USUAL[1], _USUAL[3]), Date(None, None)]))
    data = {"@type": "NewsArticle", "datePublished": stories[0].date.written, "headline": "Another headline"}
    heads = (
        f'<script type="application/ld+json">{json.dumps(data)}</script>',
        f'<meta property="article:published_time" content="{stories[1].date.written}">',
        f'<meta name="date" content="{stories[2].date.written}">',
        "",
    )
    for story, head in zip(stories, heads, strict=True):
        told = f"<title>A story</title>{head}<h1>A story</h1><p>Told by the harbour.</p>"
        story.link.answers[story.link.final] = page(f"<!doctype html>{told}")
    items = "".join(f"<section><h2>{_anchor(s)}</h2><p>What was said.</p></section>" for s in stories)
    return _listing(site, tuple(stories), _framed(items))


LISTINGS: Sequence[ListingMaker] = (
    articles,
    dated_list,
    declared_feed,
    json_ld,
    undated,
    dated_urls,
    news_sitemap,
    microdata,
)
