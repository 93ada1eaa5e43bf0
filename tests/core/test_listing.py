from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.listing import Found, Listing, check_selector, date_from_url, read_listing
from digestlog.errors import ConfigError

PAGES = Path(__file__).parent.parent / "data" / "pages"
NAMES = sorted(path.stem for path in PAGES.glob("*.json"))
URL = "https://www.example.com/news"


def listing(html: str, url: str = URL, **selectors: str) -> Listing:
    return read_listing(html.encode(), url, **selectors)


def urls(html: str, url: str = URL, **selectors: str) -> list[str]:
    return [found.url for found in listing(html, url, **selectors).found]


def shown(found: Found) -> dict[str, Any]:
    return {
        "url": found.url,
        "title": found.title,
        "published_at": found.published_at.isoformat() if found.published_at else None,
        "date_from": found.date_from,
        "found_by": found.found_by,
    }


def test_there_are_pages_of_many_kinds() -> None:
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
def test_a_page_gives_its_articles_and_nothing_else(name: str) -> None:
    expected = json.loads((PAGES / f"{name}.json").read_text("utf-8"))
    page = read_listing(
        (PAGES / f"{name}.html").read_bytes(),
        expected["url"],
        link_selector=expected.get("link_selector"),
        date_selector=expected.get("date_selector"),
    )
    assert [shown(found) for found in page.found] == expected["found"]
    assert page.language == expected["language"]
    rejected = dict(page.rejected)
    assert {url: rejected.get(url) for url in expected["rejected"]} == expected["rejected"]
    assert not {found.url for found in page.found} & rejected.keys()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.example/2026/02/12/a-title", (2026, 2, 12)),
        ("https://e.example/2026/02/12", (2026, 2, 12)),
        ("https://e.example/2026/02/12/", (2026, 2, 12)),
        ("https://e.example/2026/2/3/a-title", (2026, 2, 3)),
        ("https://e.example/blog/2026-02-12-a-title", (2026, 2, 12)),
        ("https://e.example/blog/2026-02-12/a-title", (2026, 2, 12)),
        ("https://e.example/blog/2026-02-12", (2026, 2, 12)),
        ("https://e.example/blog/a-title-2026-02-12.html", (2026, 2, 12)),
        ("https://e.example/blog/2026_02_12_title", (2026, 2, 12)),
        ("https://e.example/2026-02/12/c_1234.htm", (2026, 2, 12)),
        ("https://e.example/20260212/a-title", (2026, 2, 12)),
        ("https://e.example/20260212-a-title", (2026, 2, 12)),
        ("https://e.example/news/20260212", (2026, 2, 12)),
        ("https://e.example/news/20260212.html", (2026, 2, 12)),
        ("https://e.example/2026/0212/c9.html", (2026, 2, 12)),
        ("https://e.example/world/2026/feb/12/a-title", (2026, 2, 12)),
        ("https://e.example/world/2026/Feb/12/a-title", (2026, 2, 12)),
        ("https://e.example/202602/t20260212_123.html", (2026, 2, 12)),
        ("https://e.example/2026/02/12/a?x=2025/01/01", (2026, 2, 12)),
        ("https://e.example/2026/02/", None),
        ("https://e.example/2026/02/a-title", None),
        ("https://e.example/2026/", None),
        ("https://e.example/2026/13/12/a", None),
        ("https://e.example/2026/02/30/a", None),
        ("https://e.example/2026/xyz/12/a", None),
        ("https://e.example/20261399/a", None),
        ("https://e.example/article-20260212345", None),
        ("https://e.example/article/2026021", None),
        ("https://e.example/id/120260212", None),
        ("https://e.example/docs/2.0/2026.02.12-rc1", None),
        ("https://e.example/v/10.20.2026", None),
        ("https://e.example/1234/56/78/a", None),
        ("https://e.example/1789/07/14/bastille", None),
        ("https://e.example/a?date=2026-02-12", None),
        ("https://e.example/a#2026-02-12", None),
        ("https://2026-02-12.example/a", None),
        ("https://e.example", None),
        ("", None),
    ],
)
def test_the_date_in_an_address(url: str, expected: tuple[int, int, int] | None) -> None:
    assert date_from_url(url) == (datetime(*expected, tzinfo=UTC) if expected else None)


@given(st.dates(min_value=datetime(1995, 1, 1).date(), max_value=datetime(2099, 12, 31).date()))
def test_every_day_in_an_address_is_read(day: Any) -> None:
    expected = datetime(day.year, day.month, day.day, tzinfo=UTC)
    for form in ("/%Y/%m/%d/a-b", "/%Y-%m-%d-a-b", "/x/%Y%m%d/a-b"):
        assert date_from_url("https://e.example" + day.strftime(form)) == expected


def card(path: str, title: str, more: str = "") -> str:
    return f'<div class="card"><h2><a href="{path}">{title}</a></h2>{more}</div>'


def test_an_address_is_found_once_with_the_pieces_of_all_findings() -> None:
    ld = {"@type": "NewsArticle", "url": "/n/one-two-three", "datePublished": "2026-02-12T10:00:00Z"}
    html = f'<script type="application/ld+json">{json.dumps(ld)}</script>' + card(
        "/n/one-two-three?utm_source=x", "One"
    )
    (found,) = listing(html).found
    assert found == Found(
        "https://www.example.com/n/one-two-three",
        "One",
        "2026-02-12T10:00:00Z",
        datetime(2026, 2, 12, 10, tzinfo=UTC),
        "json-ld",
        "json-ld",
    )


def test_page_order_holds_whoever_found_what() -> None:
    ld = [
        {"@type": "NewsArticle", "url": f"/n/story-{name}-here", "headline": name} for name in ("c", "x", "a")
    ]
    html = "".join(card(f"/n/story-{name}-here", f"Story {name} is here") for name in "abc")
    page = urls(f'<script type="application/ld+json">{json.dumps(ld)}</script>{html}')
    # x has no link on the page, so it stays behind c.
    assert [url[-6] for url in page] == ["a", "b", "c", "x"]


def test_a_fragment_is_kept_as_found() -> None:
    html = "".join(card(f"/n/story-number-{n}#top", f"Story number {n} here") for n in range(3))
    assert urls(html)[0] == "https://www.example.com/n/story-number-0#top"


def test_the_page_itself_is_no_article_of_its() -> None:
    ld = {"@type": "NewsArticle", "url": URL, "headline": "This", "datePublished": "2026-02-12"}
    page = listing(
        f'<script type="application/ld+json">{json.dumps(ld)}</script><h2><a href="#x">Here and now</a></h2>'
    )
    assert page.found == ()
    assert page.rejected == ((URL + "#x", "this page"), (URL, "this page"))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("json-ld", True), ("state", False), ("microdata", False)],
)
def test_only_json_ld_speaks_for_other_sites(kind: str, expected: bool) -> None:
    address = "https://other.example/a/story-of-three-words"
    ld = {"@type": "Article", "url": address, "headline": "T", "datePublished": "2026-02-12"}
    html = {
        "json-ld": f'<script type="application/ld+json">{json.dumps(ld)}</script>',
        "state": f'<script type="application/json">{json.dumps(ld)}</script>',
        "microdata": f'<p itemscope itemtype="x/Article"><a itemprop="url" href="{address}">T</a></p>',
    }[kind]
    assert bool(urls(html)) is expected


def test_a_date_in_the_address_serves_where_there_is_no_other() -> None:
    html = card("/2026/02/12/a-long-story-indeed", "A long story indeed")
    html += card(
        "/2026/02/11/b-long-story-indeed", "B long story indeed", "<time datetime=2026-02-13>x</time>"
    )
    first, second = listing(html).found
    assert (first.published_at, first.date_from) == (datetime(2026, 2, 12, tzinfo=UTC), "url")
    assert (second.published_at, second.date_from) == (datetime(2026, 2, 13, tzinfo=UTC), "time")


def test_a_date_that_is_not_understood_is_kept_as_written() -> None:
    html = "".join(
        card(f"/n/story-number-{n}", f"Story number {n}", "<time>3 hours ago</time>") for n in range(3)
    )
    found = listing(html).found[0]
    assert (found.published_raw, found.published_at, found.date_from) == ("3 hours ago", None, None)


# --- selectors ---------------------------------------------------------------------------

ROWS = "".join(f'<div class=r><i>{12 - n}.02.2026</i><a href="/{n}">No. {n}</a></div>' for n in range(3))


def test_a_link_selector_decides_alone() -> None:
    assert urls(ROWS + card("/n/another-story-here", "Another story here")) == [
        "https://www.example.com/n/another-story-here"
    ]
    assert urls(ROWS + card("/n/another-story-here", "x"), link_selector=".r a") == [
        f"https://www.example.com/{n}" for n in range(3)
    ]


def test_selected_links_take_the_nearest_date() -> None:
    page = listing(f"<html lang=de>{ROWS}", link_selector=".r a")
    assert [(found.published_raw, found.date_from, found.found_by) for found in page.found] == [
        (f"{12 - n}.02.2026", "text", "selector") for n in range(3)
    ]


@pytest.mark.parametrize("selector", [".r", ".r b", "a.out"])
def test_a_selected_element_may_hold_or_stand_in_its_link(selector: str) -> None:
    html = (
        '<div class=r><b></b><a class=out href="/1">One <b>x</b></a></div><div class=r><b>no link</b></div>'
    )
    assert urls(html, link_selector=selector) == ["https://www.example.com/1"]


def test_selected_links_that_are_none() -> None:
    html = '<a href="tel:1">x</a><a>y</a><a href="/news">self</a><a href="/1"></a><a href="/1">One</a>'
    (found,) = listing(html, link_selector="a").found
    assert (found.url, found.title) == ("https://www.example.com/1", "One")


def test_a_selected_link_keeps_its_first_words() -> None:
    html = '<a href="/1">One</a><a href="/1">Read on and on</a>'
    assert [found.title for found in listing(html, link_selector="a").found] == ["One"]


def test_machines_add_to_selected_links_but_no_new_ones() -> None:
    ld = [{"@type": "Article", "url": f"/{n}", "datePublished": f"2026-01-0{n}"} for n in (1, 7)]
    html = f'<script type="application/ld+json">{json.dumps(ld)}</script><p><a class=k href="/1">One</a></p>'
    (found,) = listing(html, link_selector=".k").found
    assert (found.title, found.date_from, found.found_by) == ("One", "json-ld", "selector")


def test_a_date_selector_in_the_item() -> None:
    html = "".join(
        card(
            f"/n/story-number-{n}",
            f"Story number {n}",
            f"<time datetime=2020-01-01>x</time><i>2026-02-1{n}</i>",
        )
        for n in range(3)
    )
    assert {found.date_from for found in listing(html).found} == {"time"}
    page = listing(html, date_selector="i")
    assert [(found.published_raw, found.date_from) for found in page.found] == [
        (f"2026-02-1{n}", "selector") for n in range(3)
    ]
    assert [found.title for found in page.found] == [f"Story number {n}" for n in range(3)]


def test_selected_dates_in_another_column_go_by_their_order() -> None:
    links = "".join(f"<p><a href=/{n}>N{n}</a></p>" for n in range(3))
    dates = "".join(f"<p><i>2026-02-1{n}</i></p>" for n in range(3))
    page = listing(f"<div>{links}</div><div>{dates}</div>", link_selector="a", date_selector="i")
    assert [found.published_raw for found in page.found] == [f"2026-02-1{n}" for n in range(3)]
    # With one date missing nobody knows whose it is.
    page = listing(f"<div>{links}</div><div>{dates[:-25]}</div>", link_selector="a", date_selector="i")
    assert [found.published_raw for found in page.found] == [None] * 3


def test_a_selected_date_that_is_none_leaves_the_others() -> None:
    html = "".join(
        card(
            f"/n/story-number-{n}",
            f"Story number {n}",
            f"<time datetime=2026-02-0{n + 1}>x</time><i>soon</i>",
        )
        for n in range(3)
    )
    assert [found.date_from for found in listing(html, date_selector="i").found] == ["time"] * 3


@pytest.mark.parametrize(
    "selector",
    ["main article h2 a", "a[href^='/n/']", "div:nth-child(2) > a", "a:not(.x)", "li ~ li a", "#a, .b", "*"],
)
def test_good_selectors(selector: str) -> None:
    check_selector(selector)
    read_listing(b"<p>", URL, link_selector=selector, date_selector=selector)


@pytest.mark.parametrize(
    "selector",
    [
        "",
        " ",
        "div >",
        "a[",
        "a::before",
        "a:hover(",
        ":unknown",
        "..a",
        "a b {",
        "a" * 501,
        "x|a",
        "(" * 400,
        "a\n[",
    ],
)
def test_bad_selectors(selector: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_selector(selector)
    assert caught.value.message.startswith(
        ("This is not a CSS selector: ", "The selector is longer than 500")
    )
    assert "\n" not in caught.value.message
    if selector:
        with pytest.raises(ConfigError):
            read_listing(b"", URL, link_selector=selector)
        with pytest.raises(ConfigError):
            read_listing(b"", URL, date_selector=selector)


# --- hostile pages -----------------------------------------------------------------------


@given(st.binary(max_size=2_000))
def test_no_bytes_raise(body: bytes) -> None:
    page = read_listing(body, URL)
    assert all(found.url.startswith(("http://", "https://")) for found in page.found)


WORDS = [
    "/n/story-of-the-day",
    "/a",
    "?page=2",
    "https://o.example/x",
    "2026-02-12",
    "12 Feb 2026",
    "Title of it",
]
TAGS = ["a", "article", "h2", "li", "ul", "p", "nav", "time", "div", "table", "tr", "td", "script"]
PIECE = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(TAGS).map(lambda tag: f"<{tag}>"),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(WORDS).map(lambda word: f'<a href="{word}">'),
    st.sampled_from(WORDS).map(lambda word: f'<time datetime="{word}">'),
    st.sampled_from(WORDS).map(
        lambda word: f'<p class="date {word}" itemscope itemtype="x/Article" itemprop=url>'
    ),
)


@given(st.lists(PIECE, max_size=60).map("".join))
def test_any_markup_keeps_the_promises(html: str) -> None:
    page = listing(html)
    found = [one.url for one in page.found]
    assert len(found) == len(set(found))
    assert all((one.published_at is None) == (one.date_from is None) for one in page.found)
    assert all(one.title is None or one.title.strip() for one in page.found)
    assert not set(found) & {url for url, _ in page.rejected}
    assert len(page.rejected) <= 200
    assert listing(html) == page


def item(number: int) -> bytes:
    return b'<li><a href="/a/story-number-%d">Story number %d is here</a> 12 Feb 2026</li>' % (number, number)


@pytest.mark.parametrize(
    "body",
    [
        b"<ul>" + b"".join(map(item, range(20_000))) + b"</ul>",
        b"<div>" * 200_000 + item(1),
        b"".join(b"<div>" + item(number)[:-5] for number in range(5_000)),
        b'<a href="/a/b-c-d">' * 20_000,
        b"<p " + b"".join(b"a%d=1 " % number for number in range(50_000)) + b">",
        b'<script type="application/ld+json">' + b'{"@graph":[' * 50_000 + b"</script>",
        b'<script type="application/json">' + b"[" * 100_000 + b"</script>",
        b"<script>" + b"__DATA__ =     " * 50_000 + b"</script>",
        b"12 12 12 Feb " * 100_000,
        b"<" * 1_000_000,
        b"<b class='" + b"nav-" * 100_000 + b"'>" + item(1),
    ],
    ids=lambda body: body[:24].decode(),
)
def test_hostile_pages_end_soon(body: bytes) -> None:
    started = time.process_time()
    page = read_listing(body, URL, link_selector=None)
    assert len(page.found) <= 2_000
    assert time.process_time() - started < 20


def test_a_selector_that_counts_siblings_ends_soon() -> None:
    body = b"<ul>" + b"".join(map(item, range(20_000))) + b"</ul>"
    started = time.process_time()
    page = read_listing(body, URL, link_selector="li:nth-child(2n) a")
    assert len(page.found) == 1_500
    assert time.process_time() - started < 20
