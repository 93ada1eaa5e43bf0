"""The link judge, from the address alone to lists of alike links."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.article_links import article_links
from digestlog.core.article_urls import Site, folder, has_article_shape, query, segments, why_not
from digestlog.core.found import Found, url_key
from digestlog.core.html_tree import page_base, page_language, read_tree
from digestlog.core.page_links import MAX_REJECTED, PageLinks, page_links, word_count

URL = "https://www.example.com/news"
SITE = Site.of(URL, url_key(URL))


def judged(html: str, url: str = URL) -> tuple[list[Found], PageLinks]:
    root = read_tree(html.encode())
    page = page_links(root, page_base(root, url), Site.of(url, url_key(url)))
    return article_links(page, page_language(root)), page


def paths(html: str) -> list[str]:
    return [found.url.removeprefix("https://www.example.com") for found in judged(html)[0]]


def reasons(html: str) -> dict[str, str]:
    rejected = judged(html)[1].rejected
    return {url.removeprefix("https://www.example.com"): reason for url, reason in rejected.items()}


def rows(*cells: str) -> str:
    return "<ul>" + "".join(f"<li>{cell}</li>" for cell in cells) + "</ul>"


def links(*named: tuple[str, str]) -> str:
    return rows(*(f'<a href="{path}">{title}</a>' for path, title in named))


STORIES = tuple(
    (f"/n/the-{name}-story-of-today", f"The {name} story of today") for name in ("red", "blue", "gray")
)


# --- the address -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://www.example.com/n/a-good-story-here", None),
        ("https://example.com/n/a", None),
        ("http://blog.example.com/n/a", None),
        ("https://notexample.com/n/a", "another site"),
        ("https://example.com.evil.example/n/a", "another site"),
        ("https://www.facebook.com/sharer/sharer.php?u=x", "share link"),
        ("https://x.com/intent/post?text=y", "share link"),
        ("https://twitter.com/share?x", "share link"),
        ("https://www.linkedin.com/shareArticle?mini=true", "share link"),
        ("https://any.example/go?u=https%3A%2F%2Fwww.example.com%2Fn", "share link"),
        ("https://any.example/go?url=https://www.example.com/n", "share link"),
        ("https://www.example.com/n/a?share=email", "share link"),
        ("https://www.example.com/news", "this page"),
        ("https://www.example.com/news#top", "this page"),
        ("https://example.com/news/", "this page"),
        ("https://www.example.com/", "front page"),
        ("https://www.example.com/?p=123", None),
        ("https://www.example.com/?lang=de", "front page"),
        ("https://www.example.com/page/2", "pagination"),
        ("https://www.example.com/news/page/12/", "pagination"),
        ("https://www.example.com/news/page-3", "pagination"),
        ("https://www.example.com/aktuell/seite/3", "pagination"),
        ("https://www.example.com/news?page=2", "pagination"),
        ("https://www.example.com/news?start=20&x=1", "pagination"),
        ("https://www.example.com/news?page=about", None),
        ("https://www.example.com/news/12", None),
        ("https://www.example.com/tag/wood", "tag page"),
        ("https://www.example.com/blog/category/tools/hammers", "tag page"),
        ("https://www.example.com/tags", "tag page"),
        ("https://www.example.com/thema/energie/", "tag page"),
        ("https://www.example.com/blog?tag=wood", "tag page"),
        ("https://www.example.com/blog?tag=wood&id=7", None),
        ("https://www.example.com/topics/politics/2026/02/12/a-story", None),
        ("https://www.example.com/category/politics/the-mayor-resigns-at-last", None),
        ("https://www.example.com/section/sport/4821133", None),
        ("https://www.example.com/section/sport/cup-final-123", None),
        ("https://www.example.com/author/jane-doe", "author page"),
        ("https://www.example.com/authors", "author page"),
        ("https://www.example.com/by/jane", "author page"),
        ("https://www.example.com/@jane", "author page"),
        ("https://www.example.com/people/the-man-who-sold-rain", None),
        ("https://www.example.com/login", "site page"),
        ("https://www.example.com/legal/privacy", "site page"),
        ("https://www.example.com/contact.html", "site page"),
        ("https://www.example.com/news/politics/contact", None),
        ("https://www.example.com/photo.JPG", "file"),
        ("https://www.example.com/feed.xml", "file"),
        ("https://www.example.com/report.pdf", None),
    ],
)
def test_why_an_address_is_no_article(url: str, reason: str | None) -> None:
    assert why_not(url, url_key(url), SITE) == reason


@pytest.mark.parametrize(
    ("rel", "reason"),
    [
        ("next", "pagination"),
        ("nofollow PREV", "pagination"),
        ("tag", "tag page"),
        ("category tag", "tag page"),
        ("author", "author page"),
        ("bookmark", None),
        ("noopener noreferrer", None),
    ],
)
def test_what_rel_tells(rel: str, reason: str | None) -> None:
    assert why_not("https://www.example.com/n/a-good-story", "", SITE, rel) == reason


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/n/the-mayor-resigns", True),
        ("/n/the_mayor_resigns.html", True),
        ("/2026/02/12/x", True),
        ("/news/48211", True),
        ("/news/mayor-48211", True),
        ("/a1b2c3d4e5", False),
        ("/n/a1b2c3d4e5", True),
        ("/view.do?seq=12", True),
        ("/?p=12", True),
        ("/view.do?seq=x", False),
        (
            "/%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF%E9%95%BF",
            True,
        ),
        ("/news", False),
        ("/about-us", False),
        ("/news/sport", False),
        ("/", False),
        ("/123", False),
    ],
)
def test_the_shape_of_an_address(path: str, expected: bool) -> None:
    assert has_article_shape("https://www.example.com" + path) is expected


def test_the_parts_of_an_address() -> None:
    url = "https://www.example.com/A/%C3%BCb//x.html?Id=1&id=2&z#f"
    assert segments(url) == ["a", "üb", "x.html"]
    assert query(url) == {"id": "1", "z": ""}
    assert folder(url) == "www.example.com/a/üb"
    assert query("https://e.example/?" + "a&" * 60) == {}


@given(st.text(max_size=80))
def test_any_address_can_be_asked(text: str) -> None:
    url = "https://www.example.com/" + text
    why_not(url, url_key(url), SITE)
    has_article_shape(url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [(None, 0), ("", 0), ("One two", 2), ("第三四半期決算", 3.5), ("A 中文", 2), ("It’s 5 o'clock", 5)],
)
def test_how_much_a_text_says(text: str | None, expected: float) -> None:
    assert word_count(text) == expected


# --- where links stand -------------------------------------------------------------------


@pytest.mark.parametrize(
    "around",
    [
        "<nav>{}</nav>",
        "<footer>{}</footer>",
        "<header>{}</header>",
        "<div role=navigation>{}</div>",
        "<div role=contentinfo>{}</div>",
        "<aside>{}</aside>",
        "<div role=complementary>{}</div>",
        "<div class=main-menu>{}</div>",
        "<div id=siteFooter>{}</div>",
        "<div class='x topNav'>{}</div>",
        "<div class=breadcrumbs><p>{}</p></div>",
        "<main><ul class=pagination>{}</ul></main>",
        "<div class=left-sidebar>{}</div>",
        "<main><aside><section>{}</section></aside></main>",
        "<section><nav><article>{}</article></nav></section>",
    ],
)
def test_menus_and_asides_are_no_content(around: str) -> None:
    menu = links(
        *((f"/m/our-{name}-at-a-glance", f"Our {name} at a glance") for name in ("team", "firm", "work"))
    )
    html = links(*STORIES) + around.format(menu)
    assert paths(html) == [path for path, _ in STORIES]
    assert reasons(html)["/m/our-team-at-a-glance"] == "navigation"


@pytest.mark.parametrize(
    "around",
    [
        "<main>{}</main>",
        "<body class='has-sidebar nav-open'>{}</body>",
        "<div class=content-sidebar-wrap>{}</div>",
        "<div class=no-sidebar>{}</div>",
        "<div class=with-menu>{}</div>",
        "<article><header>{}</header></article>",
        "<section><footer>{}</footer></section>",
        "<main><div class=card-footer>{}</div></main>",
        "<div role=main><header>{}</header></div>",
    ],
)
def test_content_that_sounds_like_a_menu(around: str) -> None:
    html = (
        around.format(links(*STORIES))
        + "<nav>"
        + links(("/m/a-long-way-to-go", "A long way to go"))
        + "</nav>"
    )
    assert paths(html) == [path for path, _ in STORIES]


def test_a_list_in_an_aside_serves_where_there_is_nothing_else() -> None:
    assert paths(f"<aside>{links(*STORIES)}</aside>") == [path for path, _ in STORIES]


def test_a_menu_is_a_list_of_articles_only_with_dates() -> None:
    assert paths(f"<nav>{links(*STORIES)}</nav>") == []
    dated = rows(*(f'<a href="{path}">{title}</a> 12 Feb 2026' for path, title in STORIES))
    assert paths(f"<nav>{dated}</nav>") == [path for path, _ in STORIES]


def test_a_menu_s_short_link_is_none_elsewhere_either() -> None:
    html = "<nav><a href=/sport-and-more/news-today>Sport</a></nav>"
    html += "<h2><a href=/sport-and-more/news-today>Sport</a></h2>" + links(*STORIES)
    assert reasons(html)["/sport-and-more/news-today"] == "navigation"


def test_a_label_beside_several_items_is_none_of_them() -> None:
    label = '<a href="/the-big-topic-of-today">Big topic</a>'
    html = rows(*(f'{label} <a href="{path}">{title}</a> 12 Feb 2026' for path, title in STORIES))
    assert paths(html) == [path for path, _ in STORIES]
    assert reasons(html) == {"/the-big-topic-of-today": "tag page"}


def test_labels_of_each_item_are_none_of_them() -> None:
    html = rows(
        *(
            f'<a href="/desk/{path[7:11]}">Our {path[7:11]} desk</a> <a href="{path}">{title}</a> 12 Feb 2026'
            for path, title in STORIES
        )
    )
    assert paths(html) == [path for path, _ in STORIES]


def test_links_in_running_text() -> None:
    text = "".join(
        f'<p>As we said in <b>this</b> <a href="/x/report-of-year-{n}">the report of the year</a>, so.</p>'
        for n in range(4)
    )
    assert paths(links(*STORIES) + text) == [path for path, _ in STORIES]
    assert reasons(text)["/x/report-of-year-1"] == "in running text"


@pytest.mark.parametrize(
    "before",
    [
        "12 February 2026 ",
        "Press release number five: ",
        "The town and more | ",
        "<i>Long label of it</i><br>",
        "• ",
    ],
)
def test_what_may_stand_before_a_title(before: str) -> None:
    html = "".join(f'<p>{before}<a href="{path}">{title}</a></p>' for path, title in STORIES)
    assert paths(html) == [path for path, _ in STORIES]


@pytest.mark.parametrize(
    ("anchor", "reason"),
    [
        ('<a href="/x/3">3</a>', "pagination"),
        ('<a href="/x/more-of-it">»</a>', "pagination"),
        ('<a href="mailto:?body=x">Mail</a>', "share link"),
        ('<a href="whatsapp://send?text=x">W</a>', "share link"),
        ('<a href="/x/y" rel="next">More of it</a>', "pagination"),
    ],
)
def test_reasons_on_the_page(anchor: str, reason: str) -> None:
    assert list(judged(anchor)[1].rejected.values()) == [reason]


@pytest.mark.parametrize(
    "href", ["", "#", "javascript:void(0)", "tel:+4912345", "http://[bad", "/" + "a" * 5000]
)
def test_links_that_go_nowhere_are_not_worth_a_word(href: str) -> None:
    found, page = judged(f'<h2><a href="{href}">A title of some words</a></h2>')
    assert found == []
    assert set(page.rejected.values()) <= {"this page"}


def test_rejections_are_bounded() -> None:
    _, page = judged("".join(f'<a href="https://o.example/{n}">x</a>' for n in range(500)))
    assert len(page.rejected) == MAX_REJECTED


# --- what lists have in common -----------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "title", "path", "expected"),
    [
        (3, "The {} story of today", "/n/the-{}-story", True),
        (2, "The {} story of today", "/n/the-{}-story", False),
        (3, "The {}", "/n/the-{}-story", False),
        (3, "The {} story of today", "/{}", False),
        (5, "The {} story of today is long", "/{}", True),
        (4, "The {} story of today is long", "/{}", False),
        (12, "The {} story", "/{}", True),
        (11, "The {} story", "/{}", False),
        (12, "The {}", "/{}", False),
        (3, "The {} story now", "/shared/{}", True),
    ],
)
def test_undated_lists(number: int, title: str, path: str, expected: bool) -> None:
    names = [f"{chr(97 + at)}b" for at in range(number)]
    html = links(*((path.format(name), title.format(name)) for name in names))
    assert (len(paths(html)) == number) is expected
    assert (len(paths(html)) == 0) is not expected


@pytest.mark.parametrize(
    ("number", "title", "path", "expected"),
    [
        (2, "Two {}", "/{}", True),
        (1, "Two {}", "/{}", False),
        (1, "Three words {}", "/{}", True),
        (3, "{}", "/p/{}", True),
        (3, "{}", "/{}", False),
        (2, "{}", "/p/{}", False),
    ],
)
def test_dated_lists(number: int, title: str, path: str, expected: bool) -> None:
    names = [f"{chr(97 + at)}b" for at in range(number)]
    cells = (f'<a href="{path.format(name)}">{title.format(name)}</a> 12 Feb 2026' for name in names)
    assert (len(paths(rows(*cells))) == number) is expected


@pytest.mark.parametrize(
    ("number", "title", "path", "more", "expected"),
    [
        (1, "Glue", "/g", "<i>12 Feb 2026</i>", True),
        (1, "Glue", "/g", "", False),
        (1, "Glue works", "/n/how-glue-works", "", True),
        (2, "Glue works well {}", "/g{}", "", False),
        (3, "Glue works well {}", "/g{}", "", True),
        (3, "Glue {}", "/g{}", "", False),
    ],
)
def test_headings(number: int, title: str, path: str, more: str, expected: bool) -> None:
    html = "".join(
        f'<div><h2><a href="{path.format(n)}">{title.format(n)}</a></h2>{more}</div>' for n in "xyz"[:number]
    )
    assert (len(paths(html)) == number) is expected


def test_a_section_is_the_folder_of_other_links() -> None:
    html = "<h2><a href=/the-north-west>The north west</a></h2>"
    html += "".join(
        f"<h2><a href=/the-north-west/story-of-{n}-today>Story of {n} today</a></h2>" for n in "abc"
    )
    assert len(paths(html)) == 3
    assert reasons(html) == {"/the-north-west": "section page"}


def test_numbered_names_are_a_series() -> None:
    html = links(*((f"/note{n}.htm", f"The story number {n}") for n in range(3)))
    assert len(paths(html)) == 3
    assert paths(html.replace("/note1", "/memo")) == []


def test_a_title_comes_before_its_subtitle() -> None:
    cells = (
        f"<a href={path}>Big {n} news</a><p><a href={path}>A longer line that says more about {n}</a></p>"
        for n, (path, _) in enumerate(STORIES)
    )
    html = rows(*(cell + "<i>12 Feb 2026</i>" for cell in cells))
    assert [found.title for found in judged(html)[0]] == [f"Big {n} news" for n in range(3)]


def test_one_odd_link_in_a_list_of_articles() -> None:
    stories = [(f"/n/the-{name}-story-of-today", f"The {name} story of today") for name in "abcdefg"]
    html = links(*stories, ("/all", "All stories"))
    assert paths(html) == [path for path, _ in stories]
    assert reasons(html)["/all"] == "no article shape"


def test_alike_lists_are_judged_each_for_itself() -> None:
    menu = links(("/one", "One"), ("/two", "Two"), ("/three", "Three"))
    assert paths(menu + links(*STORIES)) == [path for path, _ in STORIES]


def test_rows_of_two_are_judged_together() -> None:
    cells = [f'<td><a href="{path}">{title}</a></td>' for path, title in STORIES]
    tables = (f"<div><table><tr>{row}</tr></table></div>" for row in (cells[0] + cells[1], cells[2]))
    html = "".join(tables)
    assert paths(html) == [path for path, _ in STORIES]


@pytest.mark.parametrize(
    ("wrap", "found_by"),
    [
        ("<article><p><a href={}>{}</a></p></article>", "article"),
        ("<article><h2><a href={}>{}</a></h2></article>", "article"),
        ("<div><h2><a href={}>{}</a></h2></div>", "heading"),
        ("<div><a href={}><h3>{}</h3></a></div>", "heading"),
        ("<div><a href={}>{}</a></div>", "list"),
    ],
)
def test_found_by(wrap: str, found_by: str) -> None:
    html = "".join(wrap.format(path, title) for path, title in STORIES)
    assert [found.found_by for found in judged(html)[0]] == [found_by] * 3


def test_one_article_element_around_all_is_no_item() -> None:
    html = (
        "<article>"
        + "".join(f"<h2><a href={path}>{title}</a></h2>" for path, title in STORIES)
        + "</article>"
    )
    assert [found.found_by for found in judged(html)[0]] == ["heading"] * 3


# --- titles ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "title"),
    [
        ("<a href={u}>The <b>{n}</b> title of it</a>", "The {n} title of it"),
        ("<a href={u}><img alt=pic></a><a href={u}>The {n} title of it</a>", "The {n} title of it"),
        (
            "<a href={u}><span>Sport</span><div>The {n} title of it</div><p>More.</p></a>",
            "The {n} title of it",
        ),
        ("<a href={u}><time>12 Feb 2026</time><p>The {n} title of it</p></a>", "The {n} title of it"),
        (
            "<a href={u}><i class=kicker>Our big sport</i><b class=card-title>The {n} title now</b></a>",
            "The {n} title now",
        ),
        ("<a href={u}><p>Our big sport</p><h3>The {n} title</h3><p>Text</p></a>", "The {n} title"),
        ("<h3>The {n} title of it</h3><a href={u}>Read more</a>", "The {n} title of it"),
        ("<a href={u} aria-label='The {n} title of it'><img></a>", "The {n} title of it"),
        ("<a href={u} title='The {n} title of it'><img alt=x></a>", "The {n} title of it"),
        ("<a href={u}><img alt='The {n} title of it'></a>", "The {n} title of it"),
        ("<a href={u} title='The {n} title of it all'>The {n} title…</a>", "The {n} title of it all"),
        ("<a href={u} title='x'>The {n} title of...</a>", "The {n} title of..."),
        ("<a href={u} title='Open the {n} page'>The {n} title of it</a>", "The {n} title of it"),
        (
            "<h2>The {n} title of it</h2><p><a href={u}#c>7 replies to {n}</a> <a href={u}>More</a></p>",
            "The {n} title of it",
        ),
    ],
)
def test_titles(card: str, title: str) -> None:
    names = ("red", "blue", "gray")
    html = "".join(f"<div class=card>{card.format(u=f'/n/story-of-{n}-days', n=n)}</div>" for n in names)
    found = judged(html)[0]
    assert [one.title for one in found] == [title.format(n=n) for n in names]


def test_links_without_any_words() -> None:
    html = rows(*(f'<a href="{path}"><img></a> 12 Feb 2026' for path, _ in STORIES))
    assert paths(html) == []


def test_titles_that_repeat_need_dates() -> None:
    html = rows(*(f"<a href=/m/{n}11>Meeting minutes</a> 1{n}.02.2026" for n in range(3)))
    assert [found.title for found in judged(f"<html lang=de>{html}")[0]] == ["Meeting minutes"] * 3
    assert paths(html.replace("2026", "")) == []


# --- the item's own date -----------------------------------------------------------------


def dates(html: str) -> list[str | None]:
    return [found.published_raw for found in judged(f"<html lang=en>{html}")[0]]


def story(number: int) -> str:
    path, title = STORIES[number]
    return f'<a href="{path}">{title}</a>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # In the item, the neighbour's not.
        (rows(story(0), story(1) + " 2026-02-11", story(2)), [None, "2026-02-11", None]),
        (rows(story(0) + " 2026-02-12", story(1), story(2)), ["2026-02-12", None, None]),
        # Beside the items: after each, before each, under a heading.
        (
            "<dl>" + "".join(f"<dt>{story(n)}</dt><dd>2026-02-1{n}</dd>" for n in range(3)) + "</dl>",
            ["2026-02-10", "2026-02-11", "2026-02-12"],
        ),
        (
            "<dl>" + "".join(f"<dt>2026-02-1{n}</dt><dd>{story(n)}</dd>" for n in range(3)) + "</dl>",
            ["2026-02-10", "2026-02-11", "2026-02-12"],
        ),
        (
            f"<p>2026-02-12</p><p>{story(0)}</p><p>{story(1)}</p><p>2026-02-11</p><p>{story(2)}</p>",
            ["2026-02-12"] * 2 + ["2026-02-11"],
        ),
        (
            f"<h3>2026-02-12</h3><ul><li>{story(0)}</li><li>{story(1)}</li></ul><h3>2026-02-11</h3><ul><li>{story(2)}</li></ul>",
            ["2026-02-12"] * 2 + ["2026-02-11"],
        ),
        # Nobody can tell: a date before the first and after the last.
        (
            "<div>"
            + "<p>2026-02-11</p>".join(["", *(f"<p>{story(n)}</p>" for n in range(3)), ""])
            + "</div>",
            [None] * 3,
        ),
        (f"<div><p>{story(0)}</p><p>2026-02-11</p><p>{story(1)}</p><p>{story(2)}</p></div>", [None] * 3),
        # The line after two items belongs to the second.
        (
            f"<div><p>{story(0)}</p><p>{story(1)}</p><p>2026-02-11</p><p>{story(2)}</p><p>2026-02-10</p></div>",
            [None, "2026-02-11", "2026-02-10"],
        ),
        # The page's own date is nobody's.
        (f"<main><p>Today: 2026-02-12</p>{rows(story(0), story(1), story(2))}</main>", [None] * 3),
        (
            f"<main><p>2026-02-12</p><p>{story(0)}</p><p>{story(1)}</p><p>{story(2)}</p></main>",
            [None] * 3,
        ),
        (
            f"<main><h2>2026-02-12</h2><p>{story(0)}</p><p>{story(1)}</p><p>{story(2)}</p></main>",
            ["2026-02-12"] * 3,
        ),
    ],
)
def test_each_item_has_its_own_date(html: str, expected: list[str | None]) -> None:
    assert dates(html) == expected


def test_a_link_alone_takes_its_item_s_date_only() -> None:
    html = (
        "<section><h2><a href=/n/one-good-story>One good story</a></h2><p>{}</p></section><p>2026-02-12</p>"
    )
    assert dates(html.format("2026-02-10")) == ["2026-02-10"]
    assert dates(html.format("Text")) == [None]


def test_a_date_in_a_title_is_what_the_article_is_about() -> None:
    html = rows(*(f"<a href=/n/the-{n}-of-may>What {n} May 2019 did to us</a>" for n in range(1, 4)))
    assert dates(html) == [None] * 3
    heads = "".join(f"<div><h2><a href=/n/the-{n}-of-may>{n} May 2019</a></h2></div>" for n in range(1, 4))
    assert dates(heads) == [None] * 3


def test_a_link_may_begin_with_its_date() -> None:
    html = rows(*(f"<a href=/n/the-{n}-of-may>2026-02-1{n} – A title of it</a>" for n in range(1, 4)))
    assert dates(html) == [f"2026-02-1{n}" for n in range(1, 4)]


def test_a_deadline_is_no_date_of_an_item_nor_of_those_below() -> None:
    html = rows(*(f"{story(n)} <p>Deadline: 2026-03-1{n}</p>" for n in range(3)))
    assert dates(html) == [None] * 3
    html = rows(*(f"{story(n)} <p>2026-02-1{n}</p><p>Apply by 2026-03-1{n}</p>" for n in range(3)))
    assert dates(html) == [f"2026-02-1{n}" for n in range(3)]
    items = rows(story(0), story(1), story(2))
    assert dates(f"<h3>Due 2026-03-12</h3>{items}") == [None] * 3
    assert dates(f"<h3>2026-02-12</h3>{items}") == ["2026-02-12"] * 3


def related(number: int, date: str = "") -> str:
    color = ("red", "blue", "gray")[number]
    return rows(
        *(
            f"<a href=/n/an-{age}-{color}-story-here>An {age} {color} story here</a>{date}"
            for age in ("old", "older")
        )
    )


@pytest.mark.parametrize(
    "inner",
    [
        "<h2>{story}</h2><p>{date}</p>{related}",
        "<h2>{story}</h2>{related}<p>{date}</p>",
        "<p>{date}</p><h2>{story}</h2>{related}",
        "<div><header><h2>{story}</h2></header><p>{date}</p></div>{related}",
        "<div><h2>{story}</h2></div><div>Text</div><div>{related}</div><footer><i>{date}</i></footer>",
    ],
)
def test_an_article_with_a_list_of_related_links_keeps_its_date(inner: str) -> None:
    days = [f"2026-02-1{n}" for n in range(3)]
    html = "".join(
        f"<article>{inner.format(story=story(n), date=days[n], related=related(n))}</article>"
        for n in range(3)
    )
    by_path = dict(zip(paths(html), dates(html), strict=True))
    assert [by_path[path] for path, _ in STORIES] == days
    assert {day for path, day in by_path.items() if path not in dict(STORIES)} == {None}


def test_dates_of_related_links_stay_theirs() -> None:
    html = "".join(
        f"<article><h2>{story(n)}</h2><p>Text</p>{related(n, ' 2025-01-01')}</article>" for n in range(3)
    )
    by_path = dict(zip(paths(html), dates(html), strict=True))
    assert [by_path[path] for path, _ in STORIES] == [None] * 3
    assert {day for path, day in by_path.items() if path not in dict(STORIES)} == {"2025-01-01"}


def test_an_article_around_several_headings_has_no_date_for_each() -> None:
    inner = "".join(f"<h2>{story(n)}</h2>{related(n)}" for n in range(3))
    assert set(dates(f"<article>{inner}<p>2026-02-12</p></article>")) == {None}


# --- permalinks --------------------------------------------------------------------------


def linked(item: str, mark: str = "#", elsewhere: str = "https://other.example/") -> str:
    """A link blog of three items."""
    return "".join(
        item.format(out=f"{elsewhere}{name}", title=f"The {name} thing", own=f"/l/{name}", mark=mark)
        for name in ("red", "blue", "gray")
    )


ITEM = (
    "<article><h2><a href={out}>{title}</a></h2>"
    "<p>So it is said at length. <a href={own}>{mark}</a></p></article>"
)


@pytest.mark.parametrize("mark", ["#", "∞", "¶", "★", "Permalink", "permanent link"])
def test_a_mark_is_the_permalink_of_an_item_about_another_site(mark: str) -> None:
    found, page = judged(linked(ITEM, mark))
    assert [one.url for one in found] == [f"https://www.example.com/l/{n}" for n in ("red", "blue", "gray")]
    assert [one.title for one in found] == [f"The {n} thing" for n in ("red", "blue", "gray")]
    assert set(page.rejected.values()) == {"another site"}


@pytest.mark.parametrize(
    "item",
    [
        "<li><h3><a href={own}>{mark}</a> <a href={out}>{title}</a></h3></li>",
        "<div><a href={out}><h3>{title}</h3></a><p>Said. <a href={own}>{mark}</a></p></div>",
        "<dl><dt><a href={out}>{title}</a> <a href={own}>{mark}</a></dt><dd>Said.</dd></dl>",
    ],
)
def test_items_of_a_link_blog(item: str) -> None:
    assert paths(linked(item)) == ["/l/red", "/l/blue", "/l/gray"]
    assert [one.title for one in judged(linked(item))[0]] == [
        f"The {n} thing" for n in ("red", "blue", "gray")
    ]


def test_one_item_is_enough() -> None:
    html = ITEM.format(out="https://other.example/x", title="The red thing", own="/2026/02/12/red", mark="#")
    assert [(one.title, one.found_by) for one in judged(html)[0]] == [("The red thing", "article")]


@pytest.mark.parametrize(
    ("item", "elsewhere"),
    [
        # The heading leads to the item itself.
        (ITEM, "/n/the-story-of-"),
        # No heading, one that leads nowhere or says nothing, several.
        ("<p>{title} <a href={own}>{mark}</a></p>", ""),
        ("<div><h2>{title}</h2><a href={own}>{mark}</a></div>", ""),
        ("<div><h2><a href={out}><img></a></h2><a href={own}>{mark}</a></div>", "https://other.example/"),
        (
            "<div><h2><a href={out}>{title}</a></h2><h3>More</h3><a href={own}>{mark}</a></div>",
            "https://other.example/",
        ),
    ],
)
def test_a_mark_elsewhere_is_no_article(item: str, elsewhere: str) -> None:
    html = linked(item, elsewhere=elsewhere)
    assert not [path for path in paths(html) if path.startswith("/l/")]
    assert reasons(html)["/l/red"] == "pagination"


def test_the_number_of_a_page_is_no_permalink() -> None:
    html = linked(ITEM, "2")
    assert (paths(html), reasons(html)["/l/red"]) == ([], "pagination")


def test_many_marks_take_no_time() -> None:
    started = time.process_time()
    judged("<div>" * 5 + "".join(f"<i>x</i><a href=/l/{n}>#</a>" for n in range(20_000)))
    assert time.process_time() - started < 10
