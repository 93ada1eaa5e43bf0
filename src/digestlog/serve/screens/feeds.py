"""Feeds for readers that cannot sign in: the address holds a token that opens feeds and nothing else."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from digestlog.core.model import METHODS
from digestlog.core.render import render
from digestlog.core.render.atom_feed import Entry, Feed, safe, to_xml
from digestlog.core.render.changes_atom import changes_to_atom
from digestlog.core.render.changes_labels import change_labels
from digestlog.core.render.labels import labels
from digestlog.core.render.plain import line, link
from digestlog.core.search_words import question
from digestlog.errors import ConfigError
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.serve.words import Words
from digestlog.store import access, browse, changes, digests, feed_names, settings

_ATOM = "application/atom+xml; charset=utf-8"
_MOST = 100


def latest_digest(page: Page) -> Response:
    """The user's latest digest."""
    try:
        digest = digests.get(page.db, page.visitor.id, digests.LATEST)
    except ConfigError:
        raise Refused(404, "There is no digest yet.") from None
    return _atom(render(digest, "atom", labels(_language(page))))


def all_changes(page: Page) -> Response:
    """What changed on the pages that the user watches."""
    return _changes(page)


def brand_changes(page: Page) -> Response:
    """What changed on the pages of one brand."""
    brand = page.parts["brand"]
    return _changes(page, of=brand, named=feed_names.brand(page.db, page.visitor.id, brand), brand_id=brand)


def page_changes(page: Page) -> Response:
    """What changed on one page."""
    url = page.parts["url"]
    return _changes(page, of=url, named=feed_names.page(page.db, page.visitor.id, url), url_id=url)


def ledger(page: Page) -> Response:
    """The newest articles that the user may read: all, a source's, a method's, or what a search finds."""
    query = page.request.query
    asked = {name: query.get(name, "").strip()[:400] for name in ("q", "source", "method")}
    method = asked["method"] if asked["method"] in METHODS else None
    wanted = browse.Wanted(asked["source"] or None, method, limit=_MOST)
    match = question(asked["q"])
    if match is None:
        found = browse.newest(page.db, page.visitor, wanted).articles
    else:
        found = browse.search(page.db, page.visitor, match, wanted).articles
        found = sorted(found, key=lambda one: one.article_detected_utc_iso, reverse=True)
    words = Words(_language(page))
    named = ", ".join(filter(None, (asked["q"], asked["source"], method)))
    return _atom(
        to_xml(
            Feed(
                id=str(uuid.uuid5(uuid.UUID(page.visitor.id), f"digestlog:ledger:{urlencode(asked)}")),
                title=f"{words('nav.ledger')}: {named}" if named else words("nav.ledger"),
                updated=max((one.mentions[0].first_seen_at for one in found), default=page.db.now_iso),
                author=page.visitor.name,
                language=words.language,
                entries=tuple(_entry(one, words) for one in found),
            )
        )
    )


def addresses(page: Page) -> Response:
    """Which feeds there are, and a button that makes an address for them."""
    return _page(page)


def new_address(page: Page) -> Response:
    """A new address: it is shown once, for the file keeps only its hash."""
    return _page(page, token=access.give_feed(page.db, page.visitor.id))


def end_addresses(page: Page) -> Response:
    """End all addresses that were given."""
    access.revoke_feeds(page.db, page.visitor.id)
    return Response.redirect("/feeds")


def _page(page: Page, token: str = "") -> Response:
    base = f"{page.request.scheme}://{page.request.header('host')}"
    return page.render(
        "feeds.html",
        token=token,
        base=base,
        given=feed_names.given(page.db, page.visitor.id),
        brands=feed_names.brands(page.db, page.visitor.id, _MOST),
        pages=feed_names.pages(page.db, page.visitor.id, _MOST),
        line=line,
    )


def _changes(page: Page, *, of: str | None = None, named: str | None = None, **which: Any) -> Response:
    if of is not None and named is None:
        raise Refused(404, "There is no such feed.")
    found = changes.list_changes(page.db, page.visitor.id, limit=_MOST, **which)
    return _atom(
        changes_to_atom(
            found,
            change_labels(_language(page)),
            user_id=page.visitor.id,
            user=page.visitor.name,
            now_iso=page.db.now_iso,
            of=of,
            named=named,
        )
    )


def _entry(article: browse.Read, words: Words) -> Entry:
    address = link(article.article_url_final)
    sources = ", ".join(line(one.source_name) for one in article.mentions)
    return Entry(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, article.article_url_final)),
        title=line(article.article_title) or words("untitled"),
        updated=article.mentions[0].first_seen_at,
        html=f"<p>{safe(sources)}</p><p>{safe(article.article_url_final)}</p>",
        links=(("alternate", address, None),) if address else (),
        published=article.published_utc_iso,
        author=article.mentions[0].source_name,
    )


def _language(page: Page) -> str:
    """A feed reader has no language of its own: what the user has set counts."""
    return settings.get(page.db, page.visitor.id).language


def _atom(text: str) -> Response:
    return Response(200, text.encode(), _ATOM)


ROUTES = (
    Route.get("/feeds/digest.atom", latest_digest, access="feed"),
    Route.get("/feeds/changes.atom", all_changes, access="feed"),
    Route.get("/feeds/brands/{brand}/changes.atom", brand_changes, access="feed"),
    Route.get("/feeds/pages/{url}/changes.atom", page_changes, access="feed"),
    Route.get("/feeds/ledger.atom", ledger, access="feed"),
    Route.get("/feeds", addresses),
    Route.post("/feeds", new_address),
    Route.post("/feeds/end", end_addresses),
)
