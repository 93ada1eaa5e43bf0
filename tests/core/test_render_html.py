"""HTML: one page that loads nothing, in which every text is text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from digest_samples import FULL, HOSTILE, digest, item
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from digestlog.core.digest import Digest, Link
from digestlog.core.render.html import to_html
from digestlog.core.render.html_style import STYLE
from digestlog.core.render.labels import ENGLISH, FRENCH
from digestlog.core.render.plain import line

_HEAD = ["charset", "viewport", "Content-Security-Policy", "referrer", "color-scheme"]


def page(made: Digest, labels: Any = ENGLISH) -> Any:
    """The page as a browser sees it."""
    return html.document_fromstring(to_html(made, labels))


def texts(tree: Any, path: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in tree.xpath(path)]


def shape(tree: Any) -> list[str]:
    return [element.tag for element in tree.iter()]


def test_a_whole_digest() -> None:
    tree = page(FULL)
    assert texts(tree, "//title") == texts(tree, "//h1") == ["Digest of Friday"]
    assert texts(tree, "//p[@class='facts']") == ["For owner · 13 February 2026, 09:02 UTC · 3 articles"]
    assert texts(tree, "//h2") == ["Town", "Science", "Notes"]
    assert texts(tree, "//h3") == ["The swing bridge", "The clock tower", "https://lab.example/x"]
    assert texts(tree, "//p[@class='origin']") == [
        "Harbour Gazette · 12 February 2026",
        "undated",
        "Harbour Gazette · undated",
    ]
    assert texts(tree, "//li[@class='item'][1]/p[@dir]")[:2] == ["The bridge closes.", "Ferries run instead."]
    assert texts(tree, "//p[@class='why']") == ["Why: its words: harbour"] * 3
    assert texts(tree, "//div[@class='also']//li") == ["Bridge shut (The Times)", "Radio Coast"]
    assert texts(tree, "//section[@class='notes']//li") == ["Radio Coast: no answer"]
    assert texts(tree, "//footer") == ["Classification: embedded · Summaries: extractive"]


def test_links_and_times() -> None:
    tree = page(FULL)
    assert tree.xpath("//h3/a/@href") == [
        "https://harbour.example/bridge",
        "https://town.example/clock_(old)",
        "https://lab.example/x",
    ]
    assert tree.xpath("//div[@class='also']//a/@href")[0] == "https://times.example/b?x=1&y=2"
    assert set(tree.xpath("//h3/a/@rel")) == {"noopener noreferrer"}
    assert tree.xpath("//time/@datetime") == ["2026-02-12T14:03:12+00:00"]


def test_a_way_to_each_category() -> None:
    tree = page(FULL)
    assert texts(tree, "//nav//a") == ["Town", "Science"]
    for target in tree.xpath("//nav//a/@href"):
        assert len(tree.xpath(f"//h2[@id='{target[1:]}']")) == 1
    assert page(digest(item())).xpath("//nav") == []


def test_every_id_is_there_once_and_every_reference_leads_to_one() -> None:
    tree = page(FULL)
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert set(tree.xpath("//@aria-labelledby")) <= set(ids)


def test_headings_leave_no_level_out() -> None:
    levels = [int(found.tag[1]) for found in page(FULL).xpath("//h1|//h2|//h3")]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))


def test_it_says_its_language() -> None:
    assert page(FULL).get("lang") == "en"
    tree = page(FULL, FRENCH)
    assert tree.get("lang") == "fr"
    assert tree.xpath("//nav/@aria-label") == ["Dans cette synthèse"]
    assert texts(tree, "//p[@class='why']")[0] == "Pourquoi : its words: harbour"
    assert texts(tree, "//time") == ["12 février 2026"]


def test_it_loads_nothing_and_runs_nothing() -> None:
    text = to_html(FULL, ENGLISH)
    tree = html.document_fromstring(text)
    assert (
        tree.xpath(
            "//script|//img|//link|//iframe|//object|//form|//@src|//@style|//@*[starts-with(name(), 'on')]"
        )
        == []
    )
    assert not re.search(r"url\(|@import|@font-face|expression", STYLE)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    named = tree.xpath("//meta/@name | //meta/@http-equiv | //meta/@charset")
    assert named == ["utf-8", *_HEAD[1:]]
    assert "</" not in STYLE


def test_the_look_knows_night_paper_and_small_screens() -> None:
    for medium in ("(prefers-color-scheme: dark)", "print", "(max-width: 600px)"):
        assert f"@media {medium}" in STYLE
    assert STYLE.count("{") == STYLE.count("}")


def test_nothing_new() -> None:
    tree = page(digest())
    assert texts(tree, "//p[@class='nothing']") == ["Nothing new this time."]
    assert tree.xpath("//ol|//nav|//footer|//section") == []


def hostile(text: str) -> Digest:
    one = item(
        text,
        category=text,
        summary=text,
        source=text,
        why=text,
        other_links=(Link("https://o.example/", text, f"{text}!"),),
    )
    return digest(one, title=text, user=text, notes=(text,), providers={"classifier": text})


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    tree = page(hostile(text))
    assert shape(tree) == shape(page(hostile("harmless")))
    plain = line(text)
    for path in ("//title", "//h1", "//h2[@id='c1']", "//h3", "//section[@class='notes']//li"):
        assert texts(tree, path) == [plain]


@given(st.text(min_size=1, max_size=60))
def test_any_text_keeps_the_shape(text: str) -> None:
    plain = line(text)
    if plain:
        tree = page(hostile(text))
        assert shape(tree) == shape(page(hostile("harmless")))
        assert tree.xpath("//h3")[0].text_content() == plain


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "https://",
        "#c1",
        "",
    ],
)
def test_only_the_web_is_linked(url: str) -> None:
    tree = page(digest(item("Title", url=url, other_links=(Link(url, "Other", "Other"),))))
    assert tree.xpath("//a") == []
    assert texts(tree, "//h3") == ["Title"] and texts(tree, "//div[@class='also']//li") == ["Other"]


def test_an_address_cannot_leave_its_attribute() -> None:
    tree = page(digest(item("T", url='https://e.org/"onmouseover="alert(1)?a=\'b&c=<d>')))
    (link,) = tree.xpath("//h3/a")
    assert set(link.keys()) == {"href", "rel"}
    assert link.get("href") == "https://e.org/%22onmouseover=%22alert(1)?a=%27b&c=%3Cd%3E"


def test_direction_is_each_text_s_own() -> None:
    tree = page(digest(item("عنوان", summary="نص", source="الأخبار")))
    assert tree.xpath("//h3/@dir") == ["auto"] and tree.xpath("//h1/@dir") == ["auto"]
    assert texts(tree, "//p[@class='origin']/bdi") == ["الأخبار"]
    assert "\u202e" not in to_html(digest(item("a\u202eb\u2067c")), ENGLISH)


def test_a_digest_without_a_title_has_its_day() -> None:
    assert texts(page(digest(title="")), "//h1") == ["13 February 2026"]


def test_without_any_name_there_is_a_word() -> None:
    assert texts(page(digest(item(None, url="\x00"))), "//h3") == ["Untitled"]
    links = (Link("https://o.example/x", None, ""),)
    assert texts(page(digest(item(other_links=links))), "//div[@class='also']//li") == ["https://o.example/x"]
