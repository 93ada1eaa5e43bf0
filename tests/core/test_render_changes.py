"""What the renderings of changes share: groups, words, short diffs, and the message."""

from __future__ import annotations

from dataclasses import replace

import pytest
from change_samples import EVIL, HOSTILE, OLDER, PRICE
from store.rows import uuid

from digestlog.core.change_rows import KINDS, by_brand
from digestlog.core.changes import Change
from digestlog.core.render.changes_diff import shown_diff
from digestlog.core.render.changes_labels import ENGLISH, FRENCH, change_labels
from digestlog.core.render.changes_message import message_body, message_title

WORDS = " ".join(f"w{number}" for number in range(40))


def test_brands_by_name_and_those_without_one_last() -> None:
    zoo = replace(PRICE, id=uuid(7), brand="Zoo", brand_id=uuid(30))
    apes = replace(PRICE, id=uuid(8), brand="apes", brand_id=uuid(31))
    twin = replace(PRICE, id=uuid(9), brand="Zoo", brand_id=uuid(32))
    found = by_brand([OLDER, zoo, apes, twin, replace(apes, id=uuid(10))])
    assert [(name, [change.id for change in of]) for name, of in found] == [
        ("apes", [uuid(8), uuid(10)]),
        ("Zoo", [uuid(7)]),
        ("Zoo", [uuid(9)]),
        (None, [OLDER.id]),
    ]


def test_every_kind_has_words_in_both_languages() -> None:
    kinds = {"title", "price", "availability", "text_added", "text_removed", "text_changed", "table", "link"}
    assert set(KINDS) == set(FRENCH.kinds) == kinds | {"status"}
    assert set(ENGLISH.states) == set(FRENCH.states) == {"provisional", "volatile"}
    assert set(Change.__slots__) >= {"kind", "state", "magnitude", "before", "after", "diff"}


@pytest.mark.parametrize(
    ("kind", "state", "words"),
    [
        ("price", "real", "price changed"),
        ("price", "provisional", "price changed (provisional)"),
        ("new kind", "new state", "new kind (new state)"),
    ],
)
def test_what(kind: str, state: str, words: str) -> None:
    assert ENGLISH.what(kind, state) == words


def test_languages_and_numbers() -> None:
    assert (change_labels("fr"), change_labels("en"), change_labels("x")) == (FRENCH, ENGLISH, ENGLISH)
    assert [ENGLISH.count(n, ENGLISH.changes) for n in (0, 1, 2)] == ["0 changes", "1 change", "2 changes"]
    assert [FRENCH.count(n, FRENCH.pages) for n in (0, 1, 2)] == ["0 page", "1 page", "2 pages"]


def test_a_diff_keeps_a_few_words_around_a_change() -> None:
    change = replace(PRICE, diff=(("=", WORDS), ("-", "old"), ("=", WORDS), ("+", "new"), ("=", WORDS)))
    (_, first), _, (_, middle), _, (_, last) = shown_diff(change)
    assert first == "… " + " ".join(f"w{number}" for number in range(28, 40))
    assert middle.split()[:2] == ["w0", "w1"] and middle.split()[12] == "…" and len(middle.split()) == 25
    assert last == " ".join(f"w{number}" for number in range(12)) + " …"


def test_a_diff_that_only_keeps_shows_how_it_begins() -> None:
    ((_, text),) = shown_diff(replace(PRICE, diff=(("=", WORDS),)))
    assert text.split()[0] == "w0" and text.endswith("w11 …")


def test_a_diff_is_bounded() -> None:
    long = shown_diff(replace(PRICE, diff=(("-", "a" * 3_000), ("+", "b" * 3_000), ("=", "c"))))
    assert long == [("-", "a" * 3_000), ("+", "b" * 1_000 + "…")]


def test_without_a_diff_before_and_after_stand_for_it() -> None:
    assert shown_diff(OLDER) == [("-", "was here")]
    assert shown_diff(replace(OLDER, after="is")) == [("-", "was here"), ("+", "is")]
    assert shown_diff(replace(OLDER, before=None)) == []


def test_parts_of_nothing_are_left_out() -> None:
    assert shown_diff(replace(PRICE, diff=(("-", " \n\x00"), ("+", "a\nb")))) == [("+", "a b")]


# --- the message ------------------------------------------------------------------------------


def test_a_message() -> None:
    changes = [PRICE, replace(OLDER, state="real")]
    assert message_title(changes, ENGLISH) == "digestlog: 2 changes on 1 page"
    assert message_body(changes, ENGLISH) == (
        "Shop & Co\n- Price 9 → 8 EUR\n  https://shop.example/lamp?a=1&b=2\n"
        "Other pages\n- Removed: was here\n  https://shop.example/lamp?a=1&b=2"
    )


def test_a_message_is_bounded() -> None:
    changes = [replace(PRICE, summary="s" * 1_000)] * 73
    body = message_body(changes, ENGLISH)
    assert body.endswith("\nand 23 more") and body.count("- ") == 50
    assert "- " + "s" * 299 + "…\n" in body
    assert message_body(changes, FRENCH).endswith("\net 23 de plus")


def test_a_message_has_no_characters_that_steer() -> None:
    body = message_body([HOSTILE], ENGLISH)
    assert "\x1b" not in body and "\u202e" not in body and EVIL not in body
    assert body.endswith("  javascript:alert(1)")
