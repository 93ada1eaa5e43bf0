"""Prices and availability as a page tells them to machines: JSON-LD, microdata, meta."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from digestlog.core.html_tree import Element, visible_text
from digestlog.core.linked_data import json_ld_nodes
from digestlog.core.text import clean
from digestlog.core.watching.line import AVAILABILITY, PRICE, Line

MAX_OFFERS = 200
_MAX_VALUE = 60
_DEPTH = 5

_CASES = re.compile(r"(?<=[a-z])(?=[A-Z])")
_METAS = {
    "product:price:amount": "price",
    "og:price:amount": "price",
    "product:price:currency": "currency",
    "og:price:currency": "currency",
    "product:availability": "availability",
    "og:availability": "availability",
}


def fact_lines(root: Element) -> list[Line]:
    """One line for each price and each availability, named after what is offered; each once."""
    found: dict[tuple[str, str, str], Line] = {}
    for name, offer in islice((*_linked(root), *_microdata(root), *_metas(root)), MAX_OFFERS):
        for line in offer_lines(name, offer):
            found.setdefault((line.kind, line.label, line.gist), line)
    return list(found.values())


def offer_lines(name: str, offer: Mapping[str, Any]) -> Iterator[Line]:
    """The lines of one offer: what it costs and whether it is there."""
    price = _price(offer)
    if price:
        yield _fact(PRICE, name, price)
    stock = _word(offer.get("availability"))
    if stock:
        words = _CASES.sub(" ", stock.rpartition("/")[2]).replace("_", " ")
        yield _fact(AVAILABILITY, name, words.capitalize())


def _fact(kind: str, name: str, value: str) -> Line:
    return Line(value, f"{name}: {value}", f"{kind}:{name}", "", kind, label=name)


def _price(offer: Mapping[str, Any]) -> str | None:
    spec = offer.get("priceSpecification")
    spec = spec[0] if isinstance(spec, list) and spec else spec
    holder = spec if _word(offer.get("price")) is None and isinstance(spec, dict) else offer
    ends = [end for key in ("lowPrice", "highPrice") if (end := _amount(holder.get(key)))]
    amount = _amount(holder.get("price")) or "–".join(dict.fromkeys(ends))
    currency = _word(holder.get("priceCurrency") or offer.get("priceCurrency") or offer.get("currency")) or ""
    return f"{amount} {currency}".strip() if amount else None


def _amount(value: object) -> str | None:
    """The number as pages write it: 49 and 49.0 are 49.00."""
    word = _word(value)
    if word is None or not any(char.isdigit() for char in word):
        return None
    try:
        return f"{float(word):.2f}"
    except ValueError:
        return word


def _word(value: object) -> str | None:
    value = value[0] if isinstance(value, list) and value else value
    if isinstance(value, dict):
        value = value.get("@id") or value.get("name")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return clean(str(value)[:_MAX_VALUE])


def _linked(root: Element) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for node in json_ld_nodes(root):
        yield from _offers_in(node, _word(node.get("name")) or "", 0)


def _offers_in(node: Mapping[str, Any], name: str, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The offers of an object and of its variants."""
    if depth > _DEPTH:
        return
    for key in ("offers", "hasVariant", "hasOfferCatalog", "itemListElement"):
        inner = node.get(key)
        for one in (inner if isinstance(inner, list) else [inner])[:MAX_OFFERS]:
            if isinstance(one, dict):
                yield from _offers_in(one, _own_name(one, name), depth + 1)
    if depth and (
        "price" in node or "lowPrice" in node or "availability" in node or "priceSpecification" in node
    ):
        yield name, node


def _own_name(node: Mapping[str, Any], name: str) -> str:
    own = _word(node.get("name")) or _word(node.get("sku"))
    return own if own and own != name else name


def _microdata(root: Element) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Elements marked as price and availability, by the product around them."""
    offers: dict[str, dict[str, Any]] = {}
    for element in islice(root.iter(), 150_000):
        prop = element.get("itemprop") or element.get("property")
        if prop in ("price", "priceCurrency", "availability", "lowPrice", "highPrice"):
            value = next((v for key in ("content", "href", "value") if (v := element.get(key))), None)
            name = _scope_name(element)
            offers.setdefault(name, {}).setdefault(prop, value or visible_text(element))
    yield from offers.items()


def _scope_name(element: Element) -> str:
    """The name of the nearest product that holds the element."""
    for scope in islice(
        (one for one in element.iterancestors() if one.get("itemtype") or one.get("typeof")), 4
    ):
        if "offer" in (scope.get("itemtype") or scope.get("typeof") or "").lower():
            continue
        for inner in islice(scope.iter(), 300):
            if (inner.get("itemprop") or inner.get("property")) == "name":
                return (clean(inner.get("content") or visible_text(inner) or "") or "")[:_MAX_VALUE]
    return ""


def _metas(root: Element) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found: dict[str, Any] = {}
    for meta in root.iter("meta"):
        key = _METAS.get((meta.get("property") or meta.get("name") or "").lower())
        if key:
            found.setdefault(key, meta.get("content"))
    if found:
        yield "", found
