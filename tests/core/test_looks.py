"""What one look at a page comes to."""

from __future__ import annotations

import pickle
import zlib
from dataclasses import replace
from typing import Any

import pytest
from check_fakes import LAMP, SAILS, shop
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import looks
from digestlog.core.changes import Change, Compared, Memory, compare
from digestlog.core.checkable import Verdict
from digestlog.core.looks import MAX_KEPT_BYTES, Known, Read, Told, examine, outcome_of, pack, stood
from digestlog.core.model import Fetched
from digestlog.core.snapshot import EXTRACTOR, Snapshot, read_page

PRICE = Change("price", "real", 0.1, "49.00 EUR", "44.50 EUR", (("-", "49.00"), ("+", "44.50")))
ANSWER = Fetched(LAMP, LAMP, 200, "text/html; charset=utf-8", "utf-8", b"")


def read(body: bytes, known: Known | None = None, **answer: Any) -> Read:
    found = examine(body, replace(ANSWER, **answer), known or Known())
    assert isinstance(found, Read), found
    return found


def knowing(found: Read) -> Known:
    """What is known after a look."""
    return Known(found.content_sha256, found.content, found.memory, EXTRACTOR)


def test_the_first_look() -> None:
    found = read(shop().body)
    assert (found.is_baseline, found.changed, found.told, found.diff) == (True, False, (), None)
    assert found.title == "Storm lantern" and SAILS[0] in found.text
    snapshot = Snapshot.from_json(zlib.decompress(found.content or b"").decode())
    assert snapshot.sha256 == found.content_sha256
    assert zlib.decompress(found.body or b"") == shop().body


def test_a_look_that_finds_a_change() -> None:
    found = read(shop("44.50").body, knowing(read(shop().body)))
    assert found.changed and not found.is_baseline
    assert any("44.50" in told.summary for told in found.told)
    assert {told.method for told in found.told} == {"extractive"}
    assert found.diff and "<ins>" in found.diff and "Storm lantern" in found.diff


def test_a_page_without_a_title_is_named_by_its_address() -> None:
    first, second = (
        page.body.replace(b"<title>Storm lantern</title>", b"") for page in (shop(), shop("44.50"))
    )
    found = read(second, knowing(read(first)))
    assert f"<title>{found.title or LAMP}</title>" in str(found.diff)


def test_what_is_not_the_page_is_a_verdict() -> None:
    for status, outcome in ((500, "failed"), (401, "login")):
        found = examine(shop().body, replace(ANSWER, status=status), Known())
        assert isinstance(found, Verdict) and found.outcome == outcome and found.words


def test_a_page_that_was_worn_down_to_an_apology_has_failed() -> None:
    known = knowing(read(shop().body.replace(b"<p", b"<p>" + b"A long text. " * 60 + b"</p><p", 1)))
    sorry = b"<!doctype html><html><head><title>Storm lantern</title></head><body><h1>Storm lantern</h1>"
    sorry += (
        b"<p><span itemprop=price>49.00</span> EUR</p><p>Service temporarily unavailable</p></body></html>"
    )
    assert isinstance(examine(sorry, ANSWER, Known()), Read), "what says so from the beginning is a page"
    found = examine(sorry, ANSWER, known)
    assert isinstance(found, Verdict) and found.outcome == "failed"


@pytest.mark.parametrize(
    ("outcome", "stored"),
    [("empty", "empty"), ("challenge", "challenge"), ("login", "failed"), ("failed", "failed")],
)
def test_outcomes_as_they_are_stored(outcome: str, stored: str) -> None:
    assert outcome_of(Verdict(outcome, "words")) == stored


def test_a_large_page_is_not_kept() -> None:
    padding = b"<!--" + b"x" * MAX_KEPT_BYTES + b"-->"
    assert read(shop().body + padding).body is None
    assert read((shop().body + padding)[:MAX_KEPT_BYTES]).body is not None


def test_one_more_look_at_the_same() -> None:
    first = read(shop().body)
    again = stood(knowing(first), LAMP)
    assert (again.content_sha256, again.content, again.told) == (first.content_sha256, None, ())
    assert again.memory != first.memory
    assert again.memory == read(shop().body, knowing(first)).memory


def test_the_look_that_makes_sure_of_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def sure(before: Snapshot, after: Snapshot, memory: Memory) -> Compared:
        return Compared((PRICE,), compare(before, after, memory).memory)

    known = knowing(read(shop().body))
    monkeypatch.setattr(looks, "compare", sure)
    again = stood(known, LAMP)
    assert [told.change for told in again.told] == [PRICE] and again.diff
    assert SAILS[0] in again.text, "for the rendering of the text"


# --- another extractor ------------------------------------------------------------------------


def outdated(found: Read, *, body: bytes | None) -> Known:
    """What another extractor left behind, of which this one understands nothing."""
    packed = None if body is None else pack(body)
    return Known("f" * 64, b"not even packed", found.memory, 99, packed, LAMP, "utf-8")


def test_both_sides_are_read_anew() -> None:
    known = outdated(read(shop().body), body=shop().body)
    assert known.is_outdated
    same = read(shop(noise="x").body, known)
    assert (same.told, same.is_baseline) == ((), False)
    assert same.memory == read(shop().body, knowing(read(shop().body))).memory, "the memory is kept"
    assert read(shop("44.50").body, known).changed


def test_what_was_not_kept_begins_anew() -> None:
    found = read(shop("44.50").body, outdated(read(shop().body), body=None))
    assert (found.told, found.is_baseline) == ((), True)


def test_a_page_that_is_as_it_was_is_read_anew() -> None:
    found = stood(outdated(read(shop().body), body=shop().body), LAMP)
    fresh = read_page(shop().body, LAMP, "utf-8")
    assert (found.content_sha256, found.told) == (fresh.sha256, ())
    assert Snapshot.from_json(zlib.decompress(found.content or b"").decode()).sha256 == fresh.sha256


def test_nothing_at_all_stands_too() -> None:
    assert stood(Known(), LAMP).told == ()


# --- any bytes --------------------------------------------------------------------------------


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    found = examine(body, ANSWER, Known())
    assert isinstance(found, Read | Verdict)
    if isinstance(found, Read):
        again = examine(body, ANSWER, knowing(found))
        assert isinstance(again, Read) and again.told == ()


def test_all_of_it_can_travel_to_another_process() -> None:
    first = read(shop().body)
    found = replace(first, told=(Told(PRICE, "Price"),))
    for value in (knowing(first), found, Verdict("failed", "x"), ANSWER, examine):
        assert pickle.loads(pickle.dumps(value)) == value
