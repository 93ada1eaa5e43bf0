from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from digestlog.core.digest import Hit
from digestlog.core.hits import feed_hits, model_hits, searxng_hits, searxng_url, template_url
from digestlog.errors import ClassifierError

RSS = b"""<rss version="2.0"><channel><title>Search</title>
<item><title>Tides &amp; moons</title><link>https://a.example/tides</link></item>
<item><title>Again</title><link>http://www.a.example/tides#top</link></item>
<item><title>Mail</title><link>mailto:a@b.example</link></item>
<item><link>https://b.example/2</link></item>
</channel></rss>"""


def results(*found: Any) -> str:
    return json.dumps({"results": found, "query": "x", "number_of_results": 2})


def test_the_words_are_encoded_in_full() -> None:
    assert searxng_url("https://s.example/search", " a&b=é/\n#") == (
        "https://s.example/search?q=a%26b%3D%C3%A9%2F%20%23&format=json"
    )


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("https://n.example/?q={query}", "https://n.example/?q=x%20%7Bcount%7D"),
        ("https://n.example/{searchTerms}.rss", "https://n.example/x%20%7Bcount%7D.rss"),
        ("https://n.example/?q={query}&n={count}&m={count?}", "https://n.example/?q=x%20%7Bcount%7D&n=7&m=7"),
        ("https://n.example/?q={query}&p={startPage?}", "https://n.example/?q=x%20%7Bcount%7D&p=1"),
        ("https://n.example/?q={query}&l={language?}&z={z}", "https://n.example/?q=x%20%7Bcount%7D&l=&z={z}"),
    ],
)
def test_templates(template: str, expected: str) -> None:
    assert template_url(template, "x {count}", 7) == expected


def test_a_long_query_is_cut() -> None:
    assert template_url("{query}", "a" * 5000, 1) == "a" * 500


def test_an_empty_query_is_an_empty_word() -> None:
    assert template_url("https://n.example/?q={query}", " \n ", 1) == "https://n.example/?q="


def test_searxng() -> None:
    body = results(
        {"url": "https://a.example/1", "title": "One <b>bold</b>", "content": "It\n says", "engine": "x"},
        {"url": "https://a.example/2"},
    )
    assert searxng_hits(body.encode(), 10) == [
        Hit("https://a.example/1", "One bold", "It says"),
        Hit("https://a.example/2"),
    ]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "ftp://a.example/",
        "//a.example/x",
        "/relative",
        "http://",
        "https://a.example/" + "x" * 2048,
        "",
        None,
        7,
        ["https://a.example/"],
    ],
)
def test_only_addresses_on_the_web(url: Any) -> None:
    body = results({"url": url, "title": "x"}, {"url": "https://a.example/good"})
    assert [hit.url for hit in model_hits(body, 10)] == ["https://a.example/good"]


def test_what_is_no_result_is_passed_over() -> None:
    body = results(None, 3, "https://a.example/", [], {"url": "https://a.example/1", "title": 3})
    assert model_hits(body, 10) == [Hit("https://a.example/1")]


def test_each_address_once_and_not_more_than_asked_for() -> None:
    spellings = [
        "https://a.example/1?utm_source=x",
        "http://www.a.example/1",
        "https://b.example/",
        "https://c.example/",
    ]
    body = results(*({"url": url} for url in spellings))
    assert [hit.url for hit in model_hits(body, 2)] == [spellings[0], spellings[2]]
    assert model_hits(body, 0) == []


def test_texts_are_bounded() -> None:
    (hit,) = model_hits(results({"url": "https://a.example/", "title": "t" * 9999, "content": "c" * 9999}), 1)
    assert (len(hit.title or ""), len(hit.snippet or "")) == (1000, 1000)


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff", b"[" * 100_000])
def test_a_searxng_that_answers_no_json(body: bytes) -> None:
    with pytest.raises(ClassifierError, match="^the search answered something that is not JSON$") as caught:
        searxng_hits(body, 5)
    assert "SearXNG" in (caught.value.hint or "")


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"results": {}}', b'"results"', b"null"])
def test_a_search_without_results(body: bytes) -> None:
    with pytest.raises(ClassifierError, match="^the search gave no list of results$"):
        searxng_hits(body, 5)


def test_a_feed() -> None:
    hits = feed_hits(RSS, "https://n.example/?q=x", "application/rss+xml", 5)
    assert hits == [Hit("https://a.example/tides", "Tides & moons"), Hit("https://b.example/2")]


def test_a_hit_has_its_date_where_the_search_tells_it() -> None:
    dates = (("pubDate", "Thu, 12 Feb 2026 14:03:12 GMT"), ("pubDate", "soon"))
    items = "".join(
        f"<item><link>https://a.example/{at}</link><{name}>{date}</{name}></item>"
        for at, (name, date) in enumerate(dates)
    )
    feed = f"<rss version='2.0'><channel><title>S</title>{items}</channel></rss>".encode()
    found = feed_hits(feed, "https://n.example/", None, 5)
    assert [hit.published_at for hit in found] == [datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC), None]
    listed = [
        {"url": "https://a.example/1", "publishedDate": "2026-02-12T14:03:12+00:00"},
        {"url": "https://a.example/2", "publishedDate": None},
        {"url": "https://a.example/3", "publishedDate": ["2026"]},
    ]
    found = searxng_hits(results(*listed).encode(), 5)
    assert [hit.published_at for hit in found] == [datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC), None, None]


def test_a_page_is_no_feed() -> None:
    with pytest.raises(ClassifierError, match="^the search answered something that is not a feed$"):
        feed_hits(b"<!doctype html><title>Captcha</title>", "https://n.example/", "text/html", 5)
