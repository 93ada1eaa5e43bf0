"""What changed, as a page: safe, whole, and readable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from digestlog.core.changes import Change
from digestlog.core.render.diff_html import diff_html

URL = "https://shop.example/lamp"
PRICE = Change("price", "real", 0.25, "49.00", "44.50", (("-", "49.00"), ("+", "44.50"), ("=", " EUR")))


def shown(*changes: tuple[Change, str], title: str = "Storm lantern", url: str = URL) -> html.HtmlElement:
    return html.document_fromstring(diff_html(title, url, changes))


def test_words_put_in_and_taken_out() -> None:
    text = diff_html("Storm lantern", URL, [(PRICE, "Price 49.00 → 44.50 EUR")])
    assert "<del>49.00</del><ins>44.50</ins> EUR</p>" in text
    page = html.document_fromstring(text)
    assert page.findtext(".//title") == page.findtext(".//h1") == "Storm lantern"
    assert page.findtext(".//h2/bdi") == "Price 49.00 → 44.50 EUR"
    assert page.findtext(".//section/p[@class='origin']") == "price · real · 25% of the page"
    assert page.xpath("string(//header//a/@href)") == URL


def test_it_loads_nothing() -> None:
    page = shown((PRICE, "Price"))
    assert page.xpath("//script | //img | //link | //iframe") == []
    assert "default-src 'none'" in page.xpath("string(//meta[@http-equiv]/@content)")


def test_what_a_page_says_is_no_markup() -> None:
    nasty = "<script>alert(1)</script>\"'&"
    change = Change("text_added", "real", 1.0, None, nasty, (("+", nasty), ("=", nasty), ("-", nasty)))
    text = diff_html(nasty, f"https://e.org/{nasty}", [(change, nasty)])
    assert "<script" not in text
    page = html.document_fromstring(text)
    assert page.findtext(".//ins") == page.findtext(".//del") == nasty
    assert page.findtext(".//h1") == nasty


def test_an_address_that_is_none_is_no_link() -> None:
    assert shown((PRICE, "Price"), url="javascript:alert(1)").xpath("//a") == []


def test_a_page_without_a_title_has_its_address() -> None:
    assert shown((PRICE, "Price"), title=" ").findtext(".//h1") == URL


def test_noise_comes_last() -> None:
    noise = Change("text_changed", "volatile", 0.1, "1", "2")
    page = shown((noise, "Visitors"), (PRICE, "Price"))
    assert [section.get("class") for section in page.findall(".//section")] == ["real", "volatile"]


def test_lines_and_spaces_stay() -> None:
    change = Change("text_changed", "real", 0.5, "a", "b", (("=", "one \ntwo"), ("+", " three\u202e\n")))
    text = diff_html("x", URL, [(change, "x")])
    assert "one \ntwo<ins> three\n</ins>" in text


def test_a_page_that_changed_altogether_is_cut() -> None:
    change = Change(
        "text_changed", "real", 1.0, "a", "b", (("-", "x" * 150_000), ("+", "y" * 150_000), ("=", "z"))
    )
    text = diff_html("x", URL, [(change, "x")])
    assert text.count("y") < 51_000 and "…</p>" in text
    assert "z</p>" not in text


@given(st.text(), st.lists(st.tuples(st.sampled_from("=-+"), st.text())))
def test_any_text_makes_a_page(title: str, diff: list[tuple[str, str]]) -> None:
    change = Change("text_changed", "provisional", 0.0, None, None, tuple(diff))
    page = shown((change, title), title=title)
    assert len(page.findall(".//section")) == 1
    assert len(page.xpath("//ins")) == sum(op == "+" for op, _ in diff)
