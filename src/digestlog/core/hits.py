"""What web searches are asked and answer: addresses on the web, each once, not too many."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from digestlog.core.answers import read_object
from digestlog.core.dates import parse_date
from digestlog.core.digest import Hit
from digestlog.core.feeds import Entry, read_feed
from digestlog.core.found import url_key
from digestlog.core.provider_settings import QUERY_FIELDS
from digestlog.core.text import clean, clean_html, web_address
from digestlog.errors import ClassifierError, ParseError

MAX_QUERY_CHARS = 500
_MAX_URL_CHARS = 2048
_MAX_TEXT_CHARS = 1000
_FIELD = re.compile(r"\{[A-Za-z:]{1,40}\??\}")
# The fields that OpenSearch defines beside the words.
_PAGE_FIELDS = ("{startPage}", "{startPage?}", "{startIndex}", "{startIndex?}")
_COUNT_FIELDS = ("{count}", "{count?}")


def searxng_url(url: str, query: str) -> str:
    """The address that asks a SearXNG."""
    return f"{url}?q={_encoded(query)}&format=json"


def template_url(template: str, query: str, limit: int) -> str:
    """The address that a search template stands for."""
    return _FIELD.sub(lambda found: _filled(found[0], query, limit), template)


def searxng_hits(body: bytes, limit: int) -> list[Hit]:
    """The answers of a SearXNG; ClassifierError if it gave something else."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ClassifierError(
            "the search answered something that is not JSON", "allow the format json in SearXNG's settings"
        ) from error
    return _listed(answer, limit)


def feed_hits(body: bytes, url: str, content_type: str | None, limit: int) -> list[Hit]:
    """The entries of a search's feed; ClassifierError if it is none."""
    try:
        feed = read_feed(body, url, content_type)
    except ParseError as error:
        raise ClassifierError(
            "the search answered something that is not a feed", "the address must answer with RSS or Atom"
        ) from error
    return _cleaned((_from_entry(entry, feed.language) for entry in feed.entries), limit)


def model_hits(text: str, limit: int) -> list[Hit]:
    """The addresses that a model has found."""
    return _listed(read_object(text), limit)


def _listed(answer: Any, limit: int) -> list[Hit]:
    """The hits of an object with a list of results; what is no result in it is passed over."""
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        raise ClassifierError("the search gave no list of results")
    found = (result for result in results if isinstance(result, dict))
    return _cleaned(map(_from_result, found), limit)


def _from_result(result: Mapping[str, Any]) -> Hit:
    url, title, snippet, published = (_text(result.get(name)) for name in _NAMES)
    return Hit(url, title, snippet, parse_date(published))


_NAMES = ("url", "title", "content", "publishedDate")


def _from_entry(entry: Entry, language: str | None) -> Hit:
    dates = (parse_date(raw, language) for raw in (entry.published_raw, entry.updated_raw))
    return Hit(entry.url, entry.title, published_at=next(filter(None, dates), None))


def _cleaned(hits: Iterable[Hit], limit: int) -> list[Hit]:
    kept: dict[str, Hit] = {}
    for hit in hits:
        if len(kept) >= limit:
            break
        url = web_address(hit.url)
        if url is not None and len(url) <= _MAX_URL_CHARS:
            kept.setdefault(url_key(url), Hit(url, _line(hit.title), _line(hit.snippet), hit.published_at))
    return list(kept.values())


def _filled(name: str, query: str, limit: int) -> str:
    if name in QUERY_FIELDS:
        return _encoded(query)
    if name in _COUNT_FIELDS:
        return str(limit)
    if name in _PAGE_FIELDS:
        return "1"
    return "" if name.endswith("?}") else name


def _encoded(query: str) -> str:
    words = (clean(query) or "")[:MAX_QUERY_CHARS]
    return quote(words, safe="")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _line(value: str | None) -> str | None:
    return clean_html((value or "")[:_MAX_TEXT_CHARS])
