"""Changes as Atom: read back by feedparser, valid by RFC 4287, and never a page's markup."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import feedparser
from change_samples import EVIL, HOSTILE, MADE, OLDER, PRICE
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html
from store.rows import USER, uuid

from digestlog.core.change_rows import ChangeRow
from digestlog.core.render.changes_atom import changes_to_atom, feed_id
from digestlog.core.render.changes_labels import ENGLISH, FRENCH
from digestlog.core.render.plain import line

ATOM = "{http://www.w3.org/2005/Atom}"


def made(*changes: ChangeRow, **values: Any) -> str:
    return changes_to_atom(
        changes, values.pop("labels", ENGLISH), **{"user_id": USER, "user": "anna", "now_iso": MADE, **values}
    )


def read(*changes: ChangeRow, **values: Any) -> Any:
    found = feedparser.parse(io.BytesIO(made(*changes, **values).encode()))
    assert not found.bozo and found.version == "atom10"
    return found


def test_the_feed_of_a_user() -> None:
    feed = read(PRICE, OLDER).feed
    assert (feed.title, feed.author, feed.updated) == ("Changes", "anna", PRICE.updated_at)
    assert feed.id == f"urn:uuid:{feed_id(USER)}"


def test_the_feed_of_a_page_or_brand_is_another_one() -> None:
    feed = read(PRICE, of=uuid(21), named="Shop & Co").feed
    assert feed.title == "Changes: Shop & Co"
    ids = {feed_id(USER), feed_id(USER, uuid(21)), feed_id(USER, uuid(22)), feed_id(uuid(99), uuid(21))}
    assert feed.id == f"urn:uuid:{feed_id(USER, uuid(21))}" and len(ids) == 4


def test_a_feed_without_changes_is_valid_too() -> None:
    found = read()
    assert (found.feed.updated, found.entries) == (MADE, [])


def test_the_same_changes_make_the_same_bytes() -> None:
    assert made(PRICE, now_iso=MADE) == made(PRICE, now_iso="2027-01-01T00:00:00+00:00")


def test_an_entry() -> None:
    (entry,) = read(PRICE).entries
    assert (entry.id, entry.title) == (f"urn:uuid:{PRICE.id}", "Shop & Co: Price 9 → 8 EUR")
    assert (entry.published, entry.updated) == (PRICE.detected_at, PRICE.updated_at)
    assert (entry.link, entry.author, entry.summary) == (PRICE.url, "Shop & Co", "Price 9 → 8 EUR")
    assert [tag.term for tag in entry.tags] == ["price", "real", "Shop & Co"]
    assert entry.content[0].value == (
        "<p>Price 9 → 8 EUR</p><p><em>price changed</em></p>"
        "<p>costs <del>9</del> <ins>8</ins> EUR</p><p>https://shop.example/lamp?a=1&amp;b=2</p>"
    )


def test_an_entry_without_a_brand_is_named_by_its_page() -> None:
    (entry,) = read(OLDER, labels=FRENCH).entries
    assert entry.title == f"{OLDER.url}: Removed: was here"
    assert [tag.term for tag in entry.tags] == ["text_removed", "volatile"]
    assert "<em>texte retiré (instable)</em>" in entry.content[0].value
    assert "<p><del>was here</del></p>" in entry.content[0].value


def test_an_entry_without_any_words_of_the_page() -> None:
    (entry,) = read(replace(OLDER, before=None)).entries
    assert "<del>" not in entry.content[0].value


def test_a_hostile_page_stays_text() -> None:
    root = etree.fromstring(made(HOSTILE).encode())
    entry = root.find(f"{ATOM}entry")
    assert entry.find(f"{ATOM}link") is None
    assert entry.findtext(f"{ATOM}title") == f"{line(EVIL)}: {line(HOSTILE.summary)}"
    shown = html.fromstring(f"<div>{entry.findtext(f'{ATOM}content')}</div>")
    assert {tag.tag for tag in shown.iter()} == {"div", "p", "em", "del", "ins"}
    assert "\x1b" not in shown.text_content() and "\u202e" not in made(HOSTILE)


@given(st.text(), st.text(), st.lists(st.tuples(st.sampled_from("=-+"), st.text()), max_size=6))
def test_whatever_a_page_says_the_feed_is_valid(
    summary: str, brand: str, diff: list[tuple[str, str]]
) -> None:
    change = replace(PRICE, summary=summary, brand=brand, diff=tuple(diff), url=f"https://x.example/{brand}")
    root = etree.fromstring(made(change).encode())
    entry = root.find(f"{ATOM}entry")
    for required in ("id", "title", "updated"):
        assert entry.findtext(f"{ATOM}{required}")
    assert all(term.get("term") for term in entry.iterfind(f"{ATOM}category"))
    shown = html.fromstring(f"<div>{entry.findtext(f'{ATOM}content')}</div>")
    assert {tag.tag for tag in shown.iter()} <= {"div", "p", "em", "del", "ins"}
    assert all(re.match("https?://", link.get("href")) for link in entry.iterfind(f"{ATOM}link"))
