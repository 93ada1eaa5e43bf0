"""JSON-LD, microdata and embedded state."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import linked_data, page_state
from digestlog.core.found import Found
from digestlog.core.html_tree import read_tree
from digestlog.core.linked_data import json_ld_articles, json_ld_nodes, json_value, microdata_articles
from digestlog.core.page_state import state_articles

BASE = "https://www.example.com/news"


def script(value: Any, kind: str = "application/ld+json", attributes: str = "") -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="{kind}" {attributes}>{text}</script>'


def from_json_ld(*values: Any) -> list[Found]:
    return json_ld_articles(read_tree("".join(map(script, values)).encode()), BASE)


def brief(found: list[Found]) -> list[tuple[str, str | None, str | None]]:
    return [(one.url.removeprefix("https://www.example.com"), one.title, one.published_raw) for one in found]


ARTICLE = {"@type": "NewsArticle", "url": "/n/1", "headline": "One", "datePublished": "2026-02-12"}
FOUND = [("/n/1", "One", "2026-02-12")]


@pytest.mark.parametrize(
    "value",
    [
        ARTICLE,
        [ARTICLE],
        [[ARTICLE]],
        {"@graph": [ARTICLE]},
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": ARTICLE}]},
        {"@type": "ItemList", "itemListElement": [ARTICLE]},
        {"@type": "ItemList", "itemListElement": ARTICLE},
        {"@type": "Blog", "blogPost": [ARTICLE]},
        {"@type": "CollectionPage", "hasPart": [ARTICLE]},
        {"@type": "CollectionPage", "mainEntity": {"@type": "ItemList", "itemListElement": [ARTICLE]}},
        {"@graph": [{"@type": "WebPage", "mainEntity": {"itemListElement": [{"item": ARTICLE}]}}]},
    ],
)
def test_where_articles_are_listed(value: Any) -> None:
    assert brief(from_json_ld(value)) == FOUND


@pytest.mark.parametrize(
    "where", ["about", "citation", "mentions", "isPartOf", "review", "comment", "publisher"]
)
def test_where_other_things_are(where: str) -> None:
    assert from_json_ld({"@type": "WebPage", where: ARTICLE}) == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("Article", True),
        ("BlogPosting", True),
        ("http://schema.org/NewsArticle", True),
        ("schema:ReportageNewsArticle", True),
        (["CreativeWork", "Article"], True),
        ("LiveBlogPosting", True),
        ("PodcastEpisode", True),
        ("JobPosting", False),
        ("Product", False),
        ("BreadcrumbList", False),
        ("SiteNavigationElement", False),
        ("Person", False),
        (None, False),
        (7, False),
    ],
)
def test_types(kind: Any, expected: bool) -> None:
    assert bool(from_json_ld({**ARTICLE, "@type": kind})) is expected


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ({"url": "/a"}, "/a"),
        ({"url": "https://o.example/a#x"}, "https://o.example/a#x"),
        ({"url": ["/a", "/b"]}, "/a"),
        ({"url": {"@id": "/a"}}, "/a"),
        ({"mainEntityOfPage": "/a"}, "/a"),
        ({"mainEntityOfPage": {"@type": "WebPage", "@id": "/a"}}, "/a"),
        ({"mainEntityOfPage": {"url": "/a"}}, "/a"),
        ({"mainEntityOfPage": True, "@id": "/a"}, "/a"),
        ({"@id": "#article"}, None),
        ({"@id": "_:b0"}, None),
        ({"url": "", "@id": "/a"}, "/a"),
        ({"url": []}, None),
        ({"url": "javascript:x"}, None),
        ({}, None),
    ],
)
def test_addresses(pieces: dict[str, Any], expected: str | None) -> None:
    found = brief(from_json_ld({"@type": "Article", "headline": "T", **pieces}))
    assert [url for url, _, _ in found] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("pieces", "title", "raw"),
    [
        ({"headline": "A &amp; <b>B</b>"}, "A & B", None),
        ({"headline": " ", "name": "N"}, "N", None),
        ({"headline": 7, "name": "N"}, "N", None),
        ({"alternativeHeadline": "Alt"}, "Alt", None),
        ({"headline": "x" * 900}, "x" * 500, None),
        ({"datePublished": "2026-02-12"}, None, "2026-02-12"),
        ({"datePublished": ["2026-02-12", "2026"]}, None, "2026-02-12"),
        ({"datePublished": {"@value": "2026-02-12"}}, None, "2026-02-12"),
        ({"datePublished": 1770883200}, None, "1770883200"),
        ({"datePublished": True}, None, None),
        ({"datePublished": []}, None, None),
        ({"datePublished": "x" * 200}, None, None),
        ({"dateModified": "2026-02-12"}, None, None),
        ({"dateCreated": "2026-02-12"}, None, None),
    ],
)
def test_titles_and_dates(pieces: dict[str, Any], title: str | None, raw: str | None) -> None:
    assert brief(from_json_ld({"@type": "Article", "url": "/a", **pieces})) == [("/a", title, raw)]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"@type": "ListItem", "url": "/n/the-story-of-it"}, True),
        ({"@type": "ListItem", "item": "/n/the-story-of-it", "url": "/n/the-story-of-it"}, True),
        ({"position": 1, "url": "/n/the-story-of-it"}, True),
        ({"@type": "WebPage", "position": 1, "url": "/n/the-story-of-it"}, True),
        ({"@type": "WebPage", "url": "/n/the-story-of-it"}, False),
        ({"@type": "ListItem", "url": "/about"}, False),
        ({"@type": "ListItem", "url": "/n/the-story-of-it", "item": {"@type": "Product"}}, False),
        ({"@type": "Recipe", "position": 1, "url": "/n/the-story-of-it"}, False),
    ],
)
def test_entries_that_do_not_say_what_they_are(entry: dict[str, Any], expected: bool) -> None:
    assert bool(from_json_ld({"@type": "ItemList", "itemListElement": [entry]})) is expected


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ARTICLE),
        "\n <!-- " + json.dumps(ARTICLE) + " -->",
        "//<![CDATA[\n" + json.dumps(ARTICLE) + "\n//]]>",
        "/*<![CDATA[*/" + json.dumps(ARTICLE) + "/*]]>*/",
        json.dumps(ARTICLE) + ";",
        json.dumps(ARTICLE).replace("One", "O\nne").replace("O\nne", "One\t"),
    ],
)
def test_scripts_as_they_are_written(text: str) -> None:
    assert brief(from_json_ld(text)) == FOUND


@pytest.mark.parametrize("text", ["", "x", "{", '{"a": }', "[" * 100_000, "9" * 10_000, "null", '"x"', "7"])
def test_scripts_that_say_nothing(text: str) -> None:
    assert from_json_ld(text) == []


def test_one_broken_script_does_not_spoil_the_next() -> None:
    assert brief(from_json_ld("{broken", ARTICLE)) == FOUND


def test_json_ld_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [{**ARTICLE, "url": f"/n/{n}"} for n in range(100)]
    monkeypatch.setattr(linked_data, "MAX_NODES", 10)
    assert len(from_json_ld(many)) == 10
    nested: Any = ARTICLE
    for _ in range(30):
        nested = {"@graph": [nested]}
    assert from_json_ld(nested) == []
    monkeypatch.setattr(linked_data, "MAX_JSON_CHARS", 10)
    assert from_json_ld(ARTICLE) == []


def test_order_is_that_of_the_list() -> None:
    value = [{"@graph": [{**ARTICLE, "url": "/1"}, {**ARTICLE, "url": "/2"}]}, {**ARTICLE, "url": "/3"}]
    assert [url for url, _, _ in brief(from_json_ld(value))] == ["/1", "/2", "/3"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["Article", "/a/b-c-d", "2026-02-12"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "@type",
                    "url",
                    "headline",
                    "title",
                    "slug",
                    "date",
                    "datePublished",
                    "item",
                    "@graph",
                    "position",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_read_without_complaint(value: Any) -> None:
    text = json.dumps(value)
    root = read_tree((script(text) + script(text, "application/json")).encode())
    found = [
        *json_ld_articles(root, BASE),
        *state_articles(root, BASE, ["https://www.example.com/n/x"], None),
    ]
    assert all(one.url.startswith(("http://", "https://")) for one in found)


@given(st.text(max_size=60))
def test_any_text_is_json_or_nothing(text: str) -> None:
    json_value(text)
    assert isinstance(json_ld_nodes(read_tree(script(text).encode())), list)


# --- microdata ---------------------------------------------------------------------------


def from_microdata(html: str) -> list[tuple[str, str | None, str | None]]:
    return brief(microdata_articles(read_tree(html.encode()), BASE))


def scope(inner: str, kind: str = "https://schema.org/Article", more: str = "") -> str:
    return f'<div itemscope itemtype="{kind}" {more}>{inner}</div>'


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<a itemprop=url href=/a>x</a><b itemprop=headline>T</b>", [("/a", "T", None)]),
        ("<link itemprop=url href=/a><meta itemprop=headline content='T &amp; U'>", [("/a", "T & U", None)]),
        ("<meta itemprop=mainEntityOfPage content=/a><i itemprop=name>N</i>", [("/a", "N", None)]),
        ("<meta itemprop=mainEntityOfPage itemscope itemid=/a>", [("/a", None, None)]),
        ("<h2 itemprop=headline><a href=/a>T</a></h2>", [("/a", "T", None)]),
        ("<a href=/a><h2 itemprop=headline>T</h2></a>", [("/a", "T", None)]),
        ("<a href=/a itemprop=headline>T</a>", [("/a", "T", None)]),
        ("<a itemprop='url headline' href=/a>T</a>", [("/a", "T", None)]),
        (
            "<a itemprop=url href=/a></a><time itemprop=datePublished datetime=2026-02-12>x</time>",
            [("/a", None, "2026-02-12")],
        ),
        (
            "<a itemprop=url href=/a></a><meta itemprop=datePublished content=2026-02-12>",
            [("/a", None, "2026-02-12")],
        ),
        (
            "<a itemprop=url href=/a></a><i itemprop=datePublished>2026-02-12</i>",
            [("/a", None, "2026-02-12")],
        ),
        ("<a itemprop=url href=/a></a><i itemprop=dateModified>2026-02-12</i>", [("/a", None, None)]),
        ("<a itemprop=url href=''></a><h2 itemprop=headline>T</h2>", []),
        ("<b itemprop=headline>T</b>", []),
        ("<p>x</p>", []),
        ("<p itemscope itemtype=x/Person itemprop=author><a itemprop=url href=/jane>J</a></p>", []),
    ],
)
def test_microdata(inner: str, expected: list[tuple[str, str | None, str | None]]) -> None:
    assert from_microdata(scope(inner)) == expected


def test_a_scope_s_own_address() -> None:
    assert from_microdata(scope("", more="itemid=/a")) == [("/a", None, None)]
    assert from_microdata(scope("<b itemprop=headline>T</b>", more="itemid=/a")) == [("/a", "T", None)]


def test_scopes_within_scopes_keep_their_own() -> None:
    inner = scope("<a itemprop=url href=/b>x</a>", more="itemprop=hasPart")
    assert from_microdata(scope(inner + "<a itemprop=url href=/a>y</a>")) == [
        ("/a", None, None),
        ("/b", None, None),
    ]


def test_rdfa_lite_alike() -> None:
    html = """<div vocab="http://schema.org/" typeof="BlogPosting"><h2 property="headline">
    <a property="schema:url" href="/a">T</a></h2>
    <span property="author" typeof="Person"><a property="url" href="/jane">J</a></span>
    <span property="datePublished" content="2026-02-12">x</span></div>"""
    assert from_microdata(html) == [("/a", "T", "2026-02-12")]


@pytest.mark.parametrize("kind", ["https://schema.org/Product", "", "https://schema.org/JobPosting"])
def test_other_scopes(kind: str) -> None:
    assert from_microdata(scope("<a itemprop=url href=/a>x</a>", kind)) == []


# --- embedded state ----------------------------------------------------------------------

POST = {"title": "One", "url": "/n/1", "date": "2026-02-12"}


def from_state(
    value: Any, linked: tuple[str, ...] = (), base: str = BASE, kind: str = "application/json"
) -> list[tuple[str, str | None, str | None]]:
    root = read_tree(script(value, kind).encode())
    return brief(state_articles(root, base, [f"https://www.example.com{path}" for path in linked], None))


@pytest.mark.parametrize(
    ("post", "expected"),
    [
        (POST, [("/n/1", "One", "2026-02-12")]),
        ({"headline": "H", "link": "/n/1", "publishedAt": "2026-02-12"}, [("/n/1", "H", "2026-02-12")]),
        (
            {"title": {"rendered": "A &#8211; B"}, "link": "/n/1", "date": "2026-02-12"},
            [("/n/1", "A – B", "2026-02-12")],
        ),
        ({**POST, "date": 1770883200000}, [("/n/1", "One", "1770883200000")]),
        ({**POST, "publishedAt": None}, [("/n/1", "One", "2026-02-12")]),
        ({**POST, "publishedAt": "soon"}, [("/n/1", "One", "2026-02-12")]),
        ({"title": "One", "slug": "/n/1", "date": "2026-02-12"}, [("/n/1", "One", "2026-02-12")]),
        (
            {"title": "One", "slug": "a/b", "url": "/n/1", "date": "2026-02-12"},
            [("/n/1", "One", "2026-02-12")],
        ),
        ({"title": "One", "uri": "plain", "date": "2026-02-12"}, []),
        ({"title": "One", "slug": "not a slug!", "date": "2026-02-12"}, []),
        ({"title": "One", "url": "javascript:a/b", "date": "2026-02-12"}, []),
        ({"title": "One", "url": "/n/1"}, []),
        ({"url": "/n/1", "date": "2026-02-12"}, []),
        ({"title": "One", "date": "2026-02-12"}, []),
        ({"title": 7, "url": "/n/1", "date": "2026-02-12"}, []),
        ({"title": {"x": 1}, "url": "/n/1", "date": "2026-02-12"}, []),
        ({**POST, "date": "3 hours ago"}, []),
        ({"title": "One", "url": "/n/1", "updatedAt": "2026-02-12", "createdAt": "2026-02-12"}, []),
    ],
)
def test_objects_in_the_state(
    post: dict[str, Any], expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert from_state({"props": {"list": [{"node": post}]}}) == expected


@pytest.mark.parametrize(
    ("linked", "base", "expected"),
    [
        (("/blog/2026/one-two",), BASE, "/blog/2026/one-two"),
        (("/blog/2026/one-two/?x#y",), BASE, "/blog/2026/one-two/?x#y"),
        ((), "https://www.example.com/blog", "/blog/one-two"),
        ((), "https://www.example.com/blog/?page=1", "/blog/one-two"),
        ((), "https://www.example.com/", None),
        ((), "https://www.example.com", None),
    ],
)
def test_slugs_are_completed(linked: tuple[str, ...], base: str, expected: str | None) -> None:
    post = {"title": "One", "slug": "one-two", "date": "2026-02-12"}
    assert [url for url, _, _ in from_state(post, linked, base)] == ([expected] if expected else [])


def test_one_slug_s_link_shows_where_the_others_lie() -> None:
    posts = [{"title": name, "slug": f"post-{name}", "date": "2026-02-12"} for name in "ab"]
    assert [url for url, _, _ in from_state(posts, ("/w/post-b",))] == ["/w/post-a", "/w/post-b"]


@pytest.mark.parametrize(
    "text",
    [
        "window.__NUXT__={}",
        "window.__INITIAL_STATE__ = {};var x=1",
        "window.__APOLLO_STATE__={};(function(){{}})()",
        "self.__PRELOADED_STATE__ = JSON.parse({quoted});",
    ],
)
def test_assigned_state(text: str) -> None:
    state = json.dumps({"list": [POST]})
    text = (
        text.replace("{quoted}", json.dumps(state)).replace("={}", "=" + state).replace("= {}", "= " + state)
    )
    assert from_state(text, kind="text/javascript") == [("/n/1", "One", "2026-02-12")]


@pytest.mark.parametrize(
    "text", ["var x = 1", "window.__NUXT__=(function(a){return a})(1)", "window.__NUXT__={bad"]
)
def test_scripts_without_state(text: str) -> None:
    assert from_state(text, kind="text/javascript") == []


def test_flat_state_points_to_its_own_places() -> None:
    flat = [["Reactive", 1], {"title": 2, "url": 3, "date": 4, "more": 99}, "One", "/n/1", "2026-02-12"]
    assert from_state(flat) == [("/n/1", "One", "2026-02-12")]


def test_state_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    posts = [{**POST, "url": f"/n/{n}"} for n in range(50)]
    monkeypatch.setattr(page_state, "MAX_ENTRIES", 10)
    assert len(from_state(posts)) == 10
    monkeypatch.setattr(page_state, "MAX_VALUES", 5)
    assert len(from_state(posts)) == 4
    nested: Any = POST
    for _ in range(60):
        nested = [nested]
    monkeypatch.setattr(page_state, "MAX_VALUES", 1000)
    assert from_state(nested) == []
    monkeypatch.setattr(page_state, "MAX_JSON_CHARS", 10)
    assert from_state(POST) == []
