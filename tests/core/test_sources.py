"""What a person types for a source, and the one form in which it is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.canonical import canonicalize
from digestlog.core.sources import (
    addresses,
    host_of,
    places,
    same_addresses,
    site_url,
    source_changes,
    source_url,
)
from digestlog.errors import ConfigError

# --- addresses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("https://example.org/feed", ["https://example.org/feed"]),
        ("http://example.org/feed", ["http://example.org/feed"]),
        ("HTTPS://Example.ORG", ["https://example.org/"]),
        ("  https://example.org/a  ", ["https://example.org/a"]),
        ("example.org", ["https://example.org/", "http://example.org/"]),
        ("//example.org/x", ["https://example.org/x", "http://example.org/x"]),
        ("example.org:8080/feed", ["https://example.org:8080/feed", "http://example.org:8080/feed"]),
        ("localhost:80", ["https://localhost:80/", "http://localhost/"]),
        ("example.org:80?x", ["https://example.org:80/?x", "http://example.org/?x"]),
        ("feed:https://example.org/f", ["https://example.org/f"]),
        ("feed://example.org/f", ["http://example.org/f"]),
        ("feed:example.org/f", ["https://example.org/f", "http://example.org/f"]),
        ("https://example.org/a#top", ["https://example.org/a"]),
        ("https://example.org/#", ["https://example.org/"]),
        ("bücher.example", ["https://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"]),
        ("https://example.org/?utm_source=x", ["https://example.org/?utm_source=x"]),
    ],
)
def test_what_is_meant(typed: str, meant: list[str]) -> None:
    assert addresses(typed) == meant


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("ftp://example.org/feed", "only http and https"),
        ("mailto:anna@example.org", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http://", "check the spelling"),
        ("http://exa mple.org/", "check the spelling"),
        ("http://[::1", "check the spelling"),
        ("", "check the spelling"),
        ("feed:", "check the spelling"),
        ("https://example.org/" + "a" * 100_000, "too long"),
        ("https://example.org/\udcff", "no text"),
        ("https://example.org:99999/", "check the spelling"),
    ],
)
def test_what_cannot_be_followed(typed: str, hint: str) -> None:
    with pytest.raises(ConfigError, match="is not an address that can be followed") as caught:
        addresses(typed)
    assert hint in (caught.value.hint or "")
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    "typed", ["https://anna:secret@example.org/feed", "https://anna@example.org/", "//a:secret@b.example"]
)
def test_a_password_is_neither_stored_nor_shown(typed: str) -> None:
    with pytest.raises(ConfigError) as caught:
        addresses(typed)
    assert "secret" not in f"{caught.value.message} {caught.value.hint}"


def test_a_relative_address_needs_a_scheme() -> None:
    with pytest.raises(ConfigError) as caught:
        source_url("/feed.xml")
    assert caught.value.hint == "write it with https://"


@given(st.text() | st.text().map("https://example.org/".__add__) | st.text().map("https://".__add__))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        found = addresses(text)
    except ConfigError as error:
        assert error.hint
        return
    for url in found:
        assert url.startswith(("https://", "http://"))
        assert "#" not in url
        assert source_url(url) == url
        canonicalize(url, "ledger")


# --- changes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "changes"),
    [
        ({}, {}),
        ({"source_name": None, "allow_private": None, "folder": None}, {}),
        ({"source_name": "  The\nTimes "}, {"source_name": "The Times"}),
        ({"allow_private": False}, {"allow_private": False}),
        ({"allow_private": True}, {"allow_private": True}),
        ({"folder": ""}, {"folder": None}),
        ({"folder": " \u200b "}, {"folder": None}),
        ({"site_url": ""}, {"site_url": None}),
        (
            {"link_selector": "main  a", "date_selector": ""},
            {"link_selector": "main a", "date_selector": None},
        ),
        ({"source_url": "example.org/f#x"}, {"source_url": "https://example.org/f"}),
        ({"site_url": "http://example.org"}, {"site_url": "http://example.org/"}),
    ],
)
def test_changes(wanted: dict[str, object], changes: dict[str, object]) -> None:
    assert source_changes(wanted) == changes


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"source_name": ""}, "a source needs a name"),
        ({"source_name": "\t"}, "a source needs a name"),
        ({"source_url": ""}, "a source needs an address"),
        ({"source_url": "ftp://example.org"}, "is not an address that can be followed"),
        ({"site_url": "javascript:x"}, "is not an address that can be followed"),
    ],
)
def test_changes_that_are_refused(wanted: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        source_changes(wanted)


# --- one source, several spellings ------------------------------------------------------------


def test_same_addresses() -> None:
    assert set(same_addresses("https://example.org/feed")) == {
        "https://example.org/feed",
        "https://example.org/feed/",
        "http://example.org/feed",
        "http://example.org/feed/",
    }
    assert set(same_addresses("http://example.org/")) == {"http://example.org/", "https://example.org/"}


@given(st.from_regex(r"https?://[a-z]{1,8}\.example(/[a-z]{1,5}){0,3}/?(\?[a-z]=[0-9])?", fullmatch=True))
def test_being_the_same_is_mutual(text: str) -> None:
    url = source_url(text)
    for other in same_addresses(url):
        assert url in same_addresses(other)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.example.org/feed", "example.org"),
        ("https://wwwx.example.org/", "wwwx.example.org"),
        ("http://127.0.0.1:8080/", "127.0.0.1"),
    ],
)
def test_host_as_a_name(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("https://e.org", ["https://e.org/feed", "https://e.org/rss.xml"]),
        ("https://e.org/blog", ["https://e.org/feed", "https://e.org/rss.xml"]),
        (
            "https://e.org:8443/a/b/?q=1",
            [
                "https://e.org:8443/a/b/feed",
                "https://e.org:8443/a/b/rss.xml",
                "https://e.org:8443/feed",
                "https://e.org:8443/rss.xml",
            ],
        ),
    ],
)
def test_places_below_the_page_come_first(page: str, found: list[str]) -> None:
    assert places(page, ("/feed", "/rss.xml")) == found


@pytest.mark.parametrize(
    ("written", "site"),
    [
        (None, None),
        ("", None),
        ("https://e.org/", "https://e.org/"),
        ("/", "https://feeds.e.org/"),
        ("../blog/#top", "https://feeds.e.org/blog/"),
        ("//other.org", "https://other.org/"),
        ("http://[", None),
        ("mailto:anna@e.org", None),
        ("https://anna:secret@e.org/", None),
    ],
)
def test_the_site_that_a_feed_names(written: str | None, site: str | None) -> None:
    assert site_url(written, "https://feeds.e.org/all/rss.xml") == site


def test_a_selector_is_checked_before_it_is_stored() -> None:
    assert source_changes({"link_selector": "h2 a"}) == {"link_selector": "h2 a"}
    with pytest.raises(ConfigError):
        source_changes({"date_selector": "h2 >"})
    assert source_changes({"link_selector": ""}) == {"link_selector": None}
