from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import article_page
from digestlog.core.article_page import ArticlePage, read_article_page

URL = "https://www.example.com/n/bridge-closed"
BODY = "<p>" + "The bridge was closed after a crack was found in a cable. " * 3 + "</p>"


def read(html: str, url: str = URL) -> ArticlePage:
    return read_article_page(html.encode(), url)


def script(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def date(html: str, url: str = URL) -> tuple[str | None, str | None]:
    page = read(html, url)
    return page.published_raw, page.date_from


def test_a_whole_page() -> None:
    html = f"""<!doctype html><html lang="en-GB"><head><title>Bridge closed | The Courier</title>
    <link rel="canonical" href="/n/bridge-closed-today"><meta property="og:type" content="article">
    <meta property="og:title" content="Bridge &amp; tunnel closed">
    <meta property="article:published_time" content="2026-02-12T14:03:12+01:00">
    <meta property="article:modified_time" content="2026-02-13T08:00:00+01:00"></head>
    <body><article><h1>Bridge closed</h1>{BODY}</article></body></html>"""
    assert read(html) == ArticlePage(
        title="Bridge & tunnel closed",
        published_raw="2026-02-12T14:03:12+01:00",
        published_at=datetime(2026, 2, 12, 13, 3, 12, tzinfo=UTC),
        date_from="meta",
        canonical_url="https://www.example.com/n/bridge-closed-today",
        language="en-GB",
        is_article=True,
    )


META = '<meta property="article:published_time" content="2026-02-02">'
TIME = "<main><h1>T</h1><time datetime=2026-02-03>x</time></main>"
LD = script({"@type": "NewsArticle", "url": URL, "datePublished": "2026-02-01"})
DATED_URL = "https://www.example.com/2026/02/04/x"


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        (LD + META + TIME, DATED_URL, ("2026-02-01", "json-ld")),
        (META + TIME, DATED_URL, ("2026-02-02", "meta")),
        (TIME, DATED_URL, ("2026-02-03", "time")),
        ("<h1>T</h1>", DATED_URL, ("2026-02-04", "url")),
        ("<h1>T</h1>", URL, (None, None)),
        (LD.replace("2026-02-01", "soon") + META, URL, ("2026-02-02", "meta")),
        (LD.replace("2026-02-01", "soon"), URL, ("soon", None)),
    ],
)
def test_the_cascade(html: str, url: str, expected: tuple[str | None, str | None]) -> None:
    assert date(html, url) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("property=article:published_time", True),
        ("property=og:article:published_time", True),
        ("name=parsely-pub-date", True),
        ("name=sailthru.date", True),
        ("name=citation_date", True),
        ("name=citation_publication_date", True),
        ("name=DC.date.issued", True),
        ("name=dcterms.created", True),
        ("name=date", True),
        ("name=pubdate", True),
        ("itemprop=datePublished", True),
        ("property='  Article:Published_Time '", True),
        ("property=article:modified_time", False),
        ("property=og:updated_time", False),
        ("itemprop=dateModified", False),
        ("name=last-modified", False),
        ("http-equiv=last-modified", False),
        ("name=revised", False),
        ("name=dcterms.modified", False),
        ("property=article:expiration_time", False),
        ("name=description", False),
    ],
)
def test_metas(name: str, expected: bool) -> None:
    assert date(f"<meta {name} content=2026-02-12>") == (("2026-02-12", "meta") if expected else (None, None))


def node(kind: str = "NewsArticle", **pieces: Any) -> dict[str, Any]:
    return {"@type": kind, "datePublished": "2026-02-01", **pieces}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (node(), "2026-02-01"),
        ({"@graph": [node(url=URL)]}, "2026-02-01"),
        ([node(url="/n/other", datePublished="2026-01-01"), node(url=URL)], "2026-02-01"),
        (
            [node(url="/n/other", datePublished="2026-01-01"), node(mainEntityOfPage={"@id": URL + "#x"})],
            "2026-02-01",
        ),
        ([node(url="/n/other", datePublished="2026-01-01"), node(url="/n/another")], None),
        ({"@type": "ItemList", "itemListElement": [{"item": node(url=f"/n/{n}")} for n in range(3)]}, None),
        (node("WebPage"), None),
        (node("Product"), None),
        ({"@type": "NewsArticle", "dateModified": "2026-02-01", "dateCreated": "2026-02-01"}, None),
    ],
)
def test_json_ld(value: Any, expected: str | None) -> None:
    assert date(script(value)) == ((expected, "json-ld") if expected else (None, None))


def test_json_ld_by_the_canonical_address() -> None:
    others = [node(url="/n/other", datePublished="2026-01-01"), node(url="/n/short")]
    assert date('<link rel="Canonical nofollow" href="/n/short">' + script(others)) == (
        "2026-02-01",
        "json-ld",
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<article><h1>T</h1><time datetime=2026-02-12>x</time></article>", "2026-02-12"),
        ("<article><header><h1>T</h1></header><p><time>12 Feb 2026</time></p></article>", "12 Feb 2026"),
        ("<p><time pubdate datetime=2026-02-12>x</time></p>", "2026-02-12"),
        ("<main><h1>T</h1><time class=updated datetime=2026-02-12>x</time></main>", None),
        ("<main><h1>T</h1><time class=updated pubdate datetime=2026-02-12>x</time></main>", None),
        ("<h1>T</h1><aside><time datetime=2026-02-12>x</time></aside>", None),
        ("<main><h1>T</h1><time>5 minutes</time><time datetime=2026-02-12>x</time></main>", "2026-02-12"),
        ("<time datetime=2026-02-12>x</time>", None),
    ],
)
def test_times_by_the_headline(html: str, expected: str | None) -> None:
    assert date(f"<html lang=en>{html}") == ((expected, "time") if expected else (None, None))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<i itemprop=datePublished content=2026-02-12>x</i>", ("2026-02-12", "meta")),
        ("<i itemprop=datePublished>2026-02-12</i>", ("2026-02-12", "meta")),
        ("<i itemprop=datePublished>2026-02-12</i><i itemprop=datePublished>2026-02-11</i>", (None, None)),
        (
            "".join(
                f"<div itemscope itemtype=x/Article><a itemprop=url href={path}>x</a>"
                f"<i itemprop=datePublished>{day}</i></div>"
                for path, day in (("/n/other", "2026-02-11"), (URL, "2026-02-12"))
            ),
            ("2026-02-12", "meta"),
        ),
    ],
)
def test_microdata(html: str, expected: tuple[str | None, str | None]) -> None:
    assert date(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (script(node(headline="A &amp; B")) + "<h1>H</h1>", "A & B"),
        (script(node()) + "<meta property=og:title content=O><h1>H</h1>", "O"),
        ("<meta name=twitter:title content=W><h1>H</h1>", "W"),
        ("<h1> </h1><h1>The <i>headline</i></h1><title>T</title>", "The headline"),
        ("<title>The headline | The Courier</title>", "The headline"),
        ("<title>Well-known – The Courier</title>", "Well-known"),
        ("<title> </title><title>Second</title>", "Second"),
        ("<p>x</p>", None),
        (f"<h1>{'x' * 900}</h1>", "x" * 500),
    ],
)
def test_titles(html: str, expected: str | None) -> None:
    assert read(html).title == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<link rel=canonical href=/a>", "https://www.example.com/a"),
        (
            "<link rel=stylesheet href=/a><link rel='CANONICAL' href=https://o.example/a>",
            "https://o.example/a",
        ),
        ("<link rel=canonical href=''><meta property=og:url content=/b>", "https://www.example.com/b"),
        ("<base href=https://o.example/x/><link rel=canonical href=a>", "https://o.example/x/a"),
        ("<link rel=canonical href=javascript:x>", None),
        ("", None),
    ],
)
def test_canonical_addresses(html: str, expected: str | None) -> None:
    assert read(html).canonical_url == expected


def test_languages() -> None:
    assert read("<html lang=de>" + script(node(inLanguage="fr"))).language == "de"
    assert read(script(node(inLanguage="fr"))).language == "fr"
    assert read(script(node(inLanguage={"name": "French"}))).language is None


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (script(node()), True),
        ("<meta property=og:type content=Article>", True),
        ("<meta property=og:type content=website>", False),
        (META, True),
        ("<meta name=citation_title content=x>", True),
        (f"<article><h1>T</h1>{BODY}{BODY}</article>", True),
        (f"<article><h1>T</h1>{BODY}</article>", False),
        (f"<article><h2>T</h2>{BODY}{BODY}</article>", False),
        (f"<article><h1>T</h1>{BODY}{BODY}</article><article></article>", False),
        (f"<h1>T</h1>{BODY}{BODY}", False),
        ("", False),
    ],
)
def test_what_is_an_article(html: str, expected: bool) -> None:
    assert read(html).is_article is expected


# --- the guess ---------------------------------------------------------------------------

GUESSED = "<meta property=og:type content=article><div class=dateline>Published February 12, 2026</div>"


def test_the_last_step_is_a_guess_and_marked() -> None:
    page = read(f"<html lang=en><body>{GUESSED}{BODY}</body></html>")
    assert (page.published_raw, page.published_at, page.date_from) == (
        "2026-02-12",
        datetime(2026, 2, 12, tzinfo=UTC),
        "htmldate",
    )


def test_no_guess_where_there_is_a_date_or_no_article() -> None:
    assert date(GUESSED + META) == ("2026-02-02", "meta")
    assert date(GUESSED.replace("article", "website")) == (None, None)


@pytest.mark.parametrize(
    "modified",
    [
        "<meta property=article:modified_time content=2026-02-12>",
        "<meta property=og:updated_time content=2026-02-12T10:00:00Z>",
        script({"@type": "WebPage", "dateModified": "2026-02-12"}),
        "<time class=updated datetime=2026-02-12>12 February 2026</time>",
        "<footer>© 12 February 2026</footer>",
    ],
)
def test_a_modification_is_never_guessed_to_be_the_publication(modified: str) -> None:
    assert date(f"<meta property=og:type content=article>{modified}{BODY}") == (None, None)


def test_the_guess_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(article_page, "MAX_GUESSED_CHARS", 50)
    assert date(GUESSED) == (None, None)
    monkeypatch.setattr(article_page, "MAX_GUESSED_ELEMENTS", 3)
    assert date(GUESSED) == (None, None)


def test_a_guess_that_fails_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import htmldate

    def fail(*_: object, **__: object) -> None:
        raise IndexError

    monkeypatch.setattr(htmldate, "find_date", fail)
    assert date(GUESSED) == (None, None)


def test_the_guesser_is_loaded_only_for_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "htmldate", None)
    assert date(META) == ("2026-02-02", "meta")
    with pytest.raises(ImportError):
        date(GUESSED)


# --- hostile pages -----------------------------------------------------------------------


@given(st.binary(max_size=1_000))
def test_no_bytes_raise(body: bytes) -> None:
    page = read_article_page(b"<meta property=og:type content=article>" + body, URL)
    assert (page.published_at is None) == (page.date_from is None)


@pytest.mark.parametrize(
    "body",
    [
        b"<meta property=og:type content=article>" + b"<p>12 February 2026 " * 20_000,
        b"<meta property=og:type content=article>" + b"2026-02-" * 50_000,
        b"<h1><div>" * 20_000,
        b"<time>" * 50_000,
        b"<meta name=date content=x>" * 50_000,
        b"<link rel=canonical>" * 50_000,
    ],
    ids=lambda body: body[-24:].decode(),
)
def test_hostile_pages_end_soon(body: bytes) -> None:
    started = time.process_time()
    read_article_page(body, URL)
    assert time.process_time() - started < 20
