"""Atom: read back by feedparser, valid by the rules of RFC 4287."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import feedparser
import pytest
from digest_samples import FULL, HOSTILE, ID, MADE, digest, item
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from digestlog.core.digest import Digest, Link
from digestlog.core.digest_ids import item_id
from digestlog.core.render.atom import to_atom
from digestlog.core.render.labels import ENGLISH, FRENCH
from digestlog.core.render.plain import line

_ATOM = "{http://www.w3.org/2005/Atom}"
_UUID = re.compile(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def read(made: Digest, labels: Any = ENGLISH) -> Any:
    found = feedparser.parse(io.BytesIO(to_atom(made, labels).encode()))
    assert not found.bozo and found.version == "atom10"
    return found


def root(made: Digest) -> Any:
    return etree.fromstring(to_atom(made, ENGLISH).encode())


def test_the_feed() -> None:
    feed = read(FULL).feed
    assert (feed.id, feed.title, feed.updated) == (f"urn:uuid:{ID}", "Digest of Friday", MADE)
    assert (feed.author, feed.subtitle) == ("owner", "Classification: embedded · Summaries: extractive")
    assert read(FULL, FRENCH).feed.title_detail.language == "fr"


def test_an_entry() -> None:
    first, second, third = read(FULL).entries
    assert first.title == "The swing bridge" and first.link == "https://harbour.example/bridge"
    assert (first.published, first.updated) == ("2026-02-12T14:03:12+00:00", MADE)
    assert first.author == "Harbour Gazette" and [tag.term for tag in first.tags] == ["Town"]
    assert first.summary == "The bridge closes. Ferries run instead."
    related = [(one.href, one.title) for one in first.links if one.rel == "related"]
    assert related == [
        ("https://times.example/b?x=1&y=2", "Bridge shut"),
        ("https://radio.example/b", "Radio Coast"),
    ]
    assert "published" not in second and "author" not in second
    assert third.title == "https://lab.example/x" and third.id != second.id


def test_the_content_is_html_in_the_end() -> None:
    (content,) = read(FULL).entries[0].content
    assert content.type == "text/html"
    assert content.value == (
        "<p>The bridge closes.</p><p>Ferries run instead.</p><p><em>Why: its words: harbour</em></p>"
        "<p>The same story elsewhere:</p><ul>"
        '<li><a href="https://times.example/b?x=1&amp;y=2">Bridge shut</a></li>'
        '<li><a href="https://radio.example/b">Radio Coast</a></li></ul>'
    )
    assert read(FULL).entries[2].content[0].value == "<p><em>Why: its words: harbour</em></p>"


def test_ids_are_uuids_that_never_change() -> None:
    ids = [entry.id for entry in read(FULL).entries]
    assert all(_UUID.fullmatch(one) for one in ids) and len(set(ids)) == 3
    retold = replace(
        FULL, items=tuple(replace(one, title="new", url="https://n.example/") for one in FULL.items)
    )
    assert [entry.id for entry in read(retold).entries] == ids
    assert ids[0] == f"urn:uuid:{item_id(ID, 'Town', 0)}"


def test_an_item_s_id_is_its_place() -> None:
    places = [("Town", 0), ("Town", 1), ("Science", 0), ("0:Town", 0), ("", 0)]
    other = ID.replace("b", "c")
    ids = {item_id(owner, *place) for owner in (ID, other) for place in places}
    assert len(ids) == 10
    assert item_id(ID, "Town", 0) == "cc15240b-9016-51f4-8c70-cd9116a784a6"


def test_what_rfc_4287_demands() -> None:
    feed = root(FULL)
    for element in (feed, *feed.findall(f"{_ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(element.findall(_ATOM + name)) == 1
        for name in ("subtitle", "published", "summary", "content"):
            assert len(element.findall(_ATOM + name)) <= 1
        alternates = [one for one in element.findall(f"{_ATOM}link") if one.get("rel") == "alternate"]
        assert len(alternates) <= 1
    # An entry without an author of its own has the feed's.
    assert feed.find(f"{_ATOM}author/{_ATOM}name").text == "owner"


def test_an_empty_digest_is_a_feed_too() -> None:
    found = read(digest())
    assert found.entries == [] and "subtitle" not in found.feed


def test_published_is_written_in_utc() -> None:
    one = item(published_utc_iso="2026-02-12T16:03:12+02:00")
    assert read(digest(one)).entries[0].published == "2026-02-12T14:03:12+00:00"


def hostile(text: str) -> Digest:
    one = item(
        text,
        category=text,
        summary=text,
        source=text,
        why=text,
        other_links=(Link("https://o.example/", text, text),),
    )
    return digest(one, title=text, user=text, providers={"classifier": text})


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    feed, plain = root(hostile(text)), line(text)
    entry = feed.find(f"{_ATOM}entry")
    for parent, name in ((feed, "title"), (entry, "title"), (entry, "summary")):
        assert parent.find(_ATOM + name).text == plain
    assert entry.find(f"{_ATOM}category").get("term") == plain
    assert [one.tag for one in feed.iter()] == [one.tag for one in root(hostile("harmless")).iter()]
    content = etree.fromstring(f"<div>{entry.find(f'{_ATOM}content').text}</div>")
    assert [one.tag for one in content.iter()] == ["div", "p", "p", "em", "p", "ul", "li", "a"]


@given(st.text(min_size=1, max_size=60))
def test_any_text_is_legal_xml(text: str) -> None:
    assert root(hostile(f"x{text}")).find(f"{_ATOM}title").text == line(f"x{text}")


def test_only_the_web_is_linked() -> None:
    one = item("Title", url="javascript:alert(1)", other_links=(Link("data:,x", "Other", "S"),))
    (entry,) = read(digest(one)).entries
    assert entry.get("links", []) == [] and "<li>Other</li>" in entry.content[0].value
