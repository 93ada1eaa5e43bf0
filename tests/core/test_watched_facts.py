# ruff: noqa: E501 - markup is not wrapped
"""What pages tell machines, carry for their scripts, and where their links lead."""

from __future__ import annotations

import json

import pytest

from digestlog.core.snapshot import Line, read_page
from digestlog.core.watching import state
from digestlog.core.watching.targets import target


def _facts(body: str) -> list[tuple[str, str, str]]:
    lines = read_page(body.encode(), "https://example.com/p", "utf-8").lines
    return [
        (line.kind, line.label, line.text)
        for line in lines
        if line.kind in ("price", "availability", "status")
    ]


def _ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def _state(value: object) -> str:
    return f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(value)}</script>'


def _lines(body: str) -> list[Line]:
    return [
        line
        for line in read_page(body.encode(), "https://example.com/p", "utf-8").lines
        if line.place != "title"
    ]


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ({"price": "49.00", "priceCurrency": "EUR"}, ["49.00 EUR"]),
        ({"price": 49, "priceCurrency": "EUR"}, ["49.00 EUR"]),
        ({"price": "49,00"}, ["49,00"]),
        ({"lowPrice": 9, "highPrice": 12, "priceCurrency": "USD"}, ["9.00–12.00 USD"]),
        ({"priceSpecification": [{"price": 5, "priceCurrency": "GBP"}]}, ["5.00 GBP"]),
        ({"price": "on request"}, []),
        ({"price": True}, []),
        ({"price": None, "availability": "https://schema.org/OutOfStock"}, ["Out of stock"]),
        ({"availability": {"@id": "schema:InStock"}}, ["Schema:in stock"]),
        ({"availability": ["http://schema.org/PreOrder"]}, ["Pre order"]),
    ],
)
def test_offers_in_json_ld(offer: object, said: list[str]) -> None:
    found = _facts(_ld({"@type": "Product", "name": "Pack", "offers": offer}))
    assert [text for _, _, text in found] == said
    assert all(label == "Pack" for _, label, _ in found)


def test_variants_and_lists_of_offers_have_names() -> None:
    value = {
        "@type": "ProductGroup",
        "name": "Pack",
        "hasVariant": [{"name": "Red", "offers": {"price": 1}}, {"sku": "B7", "offers": [{"price": 2}]}, "x"],
    }
    assert _facts(_ld(value)) == [("price", "Red", "1.00"), ("price", "B7", "2.00")]


def test_offers_nested_without_end_are_left() -> None:
    value: dict[str, object] = {"price": 1}
    for _ in range(9):
        value = {"offers": value}
    assert _facts(_ld(value)) == []


def test_microdata() -> None:
    body = """<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Pack</b>
    <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><span itemprop=price>49.00</span>
    <link itemprop=availability href="https://schema.org/InStock"></div></div>"""
    assert _facts(body) == [("price", "Pack", "49.00"), ("availability", "Pack", "In stock")]
    assert _facts("<i itemprop=price content=5>x</i>") == [("price", "", "5.00")]
    unnamed = "<div itemscope itemtype=Product><i itemprop=price content=5>x</i></div>"
    assert _facts(unnamed) == [("price", "", "5.00")]


def test_meta() -> None:
    body = """<meta name=robots content=none><meta property="product:price:amount" content="49"><meta property="product:price:currency" content="EUR">
    <meta property="og:availability" content="instock">"""
    assert _facts(body) == [("price", "", "49.00 EUR"), ("availability", "", "Instock")]


def test_prices_and_stock_in_a_scripts_state() -> None:
    product = {
        "title": "Pack",
        "price": 49.0,
        "inStock": False,
        "id": 7,
        "sku": "a-b",
        "createdAt": "2026-03-12T08:00:00Z",
    }
    body = (
        _state({"props": {"product": product}, "token": "9f8e7d6c5b4a"}) + f"<p>{'Visible text. ' * 40}</p>"
    )
    assert _facts(body) == [("price", "Pack", "49.00"), ("availability", "Pack", "no")]


def test_states_and_texts_only_where_the_page_has_no_text_of_its_own() -> None:
    body = _state(
        {
            "items": [{"name": "API", "status": "operational"}],
            "body": "<p>A long &amp; good text</p>",
            "url": "https://x.example/",
        }
    )
    assert ("status", "API", "operational") in _facts(body)
    assert "A long & good text" in [line.text for line in _lines(body)]
    assert not any("x.example" in line.text for line in _lines(body))
    assert _facts(body + f"<p>{'Visible text. ' * 40}</p>") == []


def test_numbers_words_and_nothing_in_a_state() -> None:
    body = _state(
        {
            "name": "A",
            "price": "EUR 5",
            "amount": "much",
            "stock": 3,
            "availability": "IN_STOCK",
            "status": "7",
            "x": None,
        }
    )
    assert _facts(body) == [("price", "A", "EUR 5"), ("availability", "A", "IN_STOCK")]


def test_what_a_state_recommends_is_noise() -> None:
    lines = _lines(_state({"recommendations": [{"title": "Other pack", "price": 5}]}))
    assert lines and {line.zone for line in lines} == {2}


def test_states_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MAX_LINES", 5)
    assert len(_lines(_state([{"title": f"One {at}"} for at in range(50)]))) == 5
    monkeypatch.setattr(state, "MAX_VALUES", 3)
    assert len(_lines(_state([{"title": f"One {at}"} for at in range(50)]))) < 5
    monkeypatch.undo()
    deep: object = {"title": "Deep down"}
    for _ in range(60):
        deep = [deep]
    assert _lines(_state(deep)) == []


@pytest.mark.parametrize(
    ("href", "same"),
    [
        ("/a?sid=8f7e6d", "/a"),
        ("/a?utm_source=x&id=3", "/a?id=3"),
        ("/a;jsessionid=AB12", "/a"),
        ("/app.9f8e7d6c5b.js", "/app.1a2b3c4d5e.js"),
        ("/a?x=9f8e7d6c5b4a39281706", "/a"),
        ("https://EXAMPLE.com/a#part", "/a"),
        ("mailto:ana@example.com?subject=x", "mailto:ana@example.com"),
    ],
)
def test_addresses_that_a_reader_would_call_the_same(href: str, same: str) -> None:
    assert target("https://example.com/p", href) == target("https://example.com/p", same) is not None


@pytest.mark.parametrize(
    ("one", "two"),
    [("/fw-4.1.bin", "/fw-4.2.bin"), ("/a?id=3", "/a?id=4"), ("/2026/03", "/2026/04"), ("tel:1", "tel:2")],
)
def test_addresses_that_differ(one: str, two: str) -> None:
    assert target("https://example.com/p", one) != target("https://example.com/p", two)


@pytest.mark.parametrize(
    "href", ["", "#top", "javascript:void(0)", "data:text/plain,x", "http://[", "ftp://example.com/"]
)
def test_what_leads_nowhere(href: str) -> None:
    assert target("https://example.com/p", href) is None
