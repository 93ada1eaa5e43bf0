"""What the library decides without a file or a network."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digestlog.core import library
from digestlog.core.library import Entitlement, Wish
from digestlog.core.policy import Decision
from digestlog.errors import LibraryError, UrlCapExceeded

ALLOWED = Decision("allow", None, "shop.example", None, "no rule speaks against it")


# --- identity ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "canonical_url", "url"),
    [
        ("https://shop.example/a", "https://shop.example/a", "https://shop.example/a"),
        (" https://shop.example/a\n", "https://shop.example/a", "https://shop.example/a"),
        ("shop.example/a", "https://shop.example/a", "https://shop.example/a"),
        ("shop.example:8080", "https://shop.example:8080/", "https://shop.example:8080"),
        ("shop.example?x=1", "https://shop.example/?x=1", "https://shop.example?x=1"),
        ("192.0.2.1/a", "https://192.0.2.1/a", "https://192.0.2.1/a"),
        ("http://localhost/", "http://localhost/", "http://localhost/"),
        ("https://shop.example/\na", "https://shop.example/a", "https://shop.example/a"),
        ("https://shop.example/a b", "https://shop.example/a%20b", "https://shop.example/a%20b"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("https://shop.example/\x00a", "https://shop.example/%00a", "https://shop.example/%00a"),
        ("https://u:p@shop.example/#x", "https://shop.example/", "https://shop.example/#x"),
    ],
)
def test_what_an_address_is(typed: str, canonical_url: str, url: str) -> None:
    found = library.identity(typed)
    assert found is not None
    assert (found.canonical_url, found.url) == (canonical_url, url)


def test_the_host_of_an_address() -> None:
    found = library.identity("https://WWW.Shop.Example:444/")
    assert found is not None and found.hostname == "www.shop.example"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "it is empty"),
        ("lamp", "write it with https://"),
        ("a lamp.example", "write it with https://"),
        ("/prices", "write it with https://"),
        ("mailto:anna@shop.example", "only http and https"),
        ("anna:secret@shop.example", "only http and https"),
        ("https://a..b/", "no valid address"),
        ("https://shop.example/" + "a" * 3000, "too long"),
        ("https://shop.example/\ud800", "no text"),
    ],
)
def test_what_is_no_address(typed: str, words: str) -> None:
    assert library.identity(typed) is None
    assert words in library.why_no_identity(typed)
    decision = library.without_identity(typed)
    assert (decision.decision, decision.reason_code) == ("block", "unknown")
    assert words in decision.reason


def test_an_address_has_no_reason_to_have_none() -> None:
    with pytest.raises(AssertionError):
        library.why_no_identity("https://shop.example/")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("https://shop.example/a#b", "https://shop.example/a#b"),
        ("shop.example", "shop.example"),
        ("https://u:p@shop.example/", "https://shop.example/"),
        ("https://shop.example/\n\ta", "https://shop.example/a"),
        ("u:p@shop.example", "shop.example"),
        ("my page: http://u:p@shop.example/ !", "my page: http://shop.example/ !"),
        ("  \x1b[2J  ", "[2J"),
        ("", "(nothing)"),
        ("\x00", "(nothing)"),
        ("u@", "(nothing)"),
        ("x" * 9000, "x" * 4096),
    ],
)
def test_what_the_audit_log_keeps(typed: str, stored: str) -> None:
    assert library.storable(typed) == stored


@given(st.text(max_size=80) | st.from_regex(r"https?://[a-z@:.]{1,20}/[\x00-\xff]{0,20}", fullmatch=True))
@example("https://a@b@c.example/")
@example("HTTPS:\\\\u:p@c.example\\")
def test_what_is_kept_can_be_kept_and_means_the_same(typed: str) -> None:
    kept = library.storable(typed)
    assert kept and "\x00" not in kept and "\x1b" not in kept
    kept.encode()
    before, after = library.identity(typed), library.identity(kept)
    if before is not None:
        assert after is not None and after.canonical_url == before.canonical_url


# --- wishes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "text", "about_pace"),
    [
        (Wish(), "{}", False),
        (Wish(allow_private=True, preflight=False), '{"allow_private": true, "preflight": false}', False),
        (Wish("hourly"), '{"check_frequency": "hourly"}', True),
        (Wish(min_interval_s=60), '{"min_interval_s": 60}', True),
        (Wish(max_interval_s=60), '{"max_interval_s": 60}', True),
    ],
)
def test_a_wish_can_wait(wish: Wish, text: str, about_pace: bool) -> None:
    assert wish.to_json() == text
    assert Wish.from_json(text) == wish
    assert wish.about_pace is about_pace


def test_a_wish_of_a_newer_program() -> None:
    assert Wish.from_json('{"check_frequency": "hourly", "at_night": true}') == Wish("hourly")


# --- the plan's limit --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("used", "limit", "allowed"), [(0, None, True), (99, None, True), (9, 10, True), (10, 10, False),
                                   (11, 10, False), (0, 0, False)],
)  # fmt: skip
def test_room_for_one_more(used: int, limit: int | None, allowed: bool) -> None:
    assert Entitlement("free", used, limit).allowed is allowed


def test_the_words_name_plan_and_limit() -> None:
    assert Entitlement("free", 10, 10).words == "the free plan's limit of 10 watched pages is reached"
    assert Entitlement("tiny", 1, 1).words == "the tiny plan's limit of 1 watched page is reached"


# --- decisions and words -----------------------------------------------------------------


def test_what_the_library_refuses() -> None:
    over = library.refused("shop.example", UrlCapExceeded("full"))
    assert (over.decision, over.reason_code, over.pattern) == ("block", "unknown", "max_tracked_urls")
    private = library.refused("shop.example", LibraryError("private"))
    assert (private.reason_code, private.pattern) == ("auth_wall_or_uncheckable", "private address")
    assert library.duplicate("shop.example").reason_code == "duplicate"


@pytest.mark.parametrize(
    ("decision", "status"), [("block", "blocked"), ("review", "needs_review"), ("allow", None)]
)
def test_decision_routing(decision: str, status: str | None) -> None:
    assert library.routed(decision) == status


@pytest.mark.parametrize(
    ("since", "words"),
    [
        (None, "the whole history"),
        ("2026-05-03T10:00:00+00:00", "history from 3 May 2026; earlier changes need a paid plan"),
        ("2026-12-31T23:59:59+00:00", "history from 31 December 2026; earlier changes need a paid plan"),
    ],
)
def test_gating_status(since: str | None, words: str) -> None:
    assert library.gate_words(since) == words
