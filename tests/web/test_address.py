from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.errors import FetchError
from digestlog.web.address import MAX_CHARS, parse, shown


@pytest.mark.parametrize(
    ("url", "host", "port", "authority", "target"),
    [
        ("http://tides.example", "tides.example", 80, b"tides.example", b"/"),
        ("https://tides.example/a?b#c", "tides.example", 443, b"tides.example", b"/a?b"),
        ("HTTP://Tides.Example:8080/", "tides.example", 8080, b"tides.example:8080", b"/"),
        ("http://tides.example:80/", "tides.example", 80, b"tides.example", b"/"),
        ("http://[2001:DB8::1]:81/x", "2001:db8::1", 81, b"[2001:db8::1]:81", b"/x"),
        ("http://2130706433/", "127.0.0.1", 80, b"127.0.0.1", b"/"),
        ("http://0x7f.1/", "127.0.0.1", 80, b"127.0.0.1", b"/"),
        ("http://0177.0.0.1/", "127.0.0.1", 80, b"127.0.0.1", b"/"),
        ("http://bücher.example/", "xn--bcher-kva.example", 80, b"xn--bcher-kva.example", b"/"),
        ("http://tides.example./", "tides.example.", 80, b"tides.example.", b"/"),
        ("http://me:word@tides.example/", "tides.example", 80, b"tides.example", b"/"),
        (
            "http://t.example/%7Ea%2fb|c[1]?q=[x]|y&z=%20",
            "t.example",
            80,
            b"t.example",
            b"/%7Ea%2fb|c[1]?q=[x]|y&z=%20",
        ),
        ("http://t.example/é b", "t.example", 80, b"t.example", b"/%C3%A9%20b"),
        (" http://t.example/a\n ", "t.example", 80, b"t.example", b"/a"),
    ],
)
def test_parse(url: str, host: str, port: int, authority: bytes, target: bytes) -> None:
    address = parse(url)
    assert (address.host, address.port, address.authority, address.target) == (host, port, authority, target)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/a",
        "tides.example",
        "http://",
        "http://[::1%eth0]/",
        "http://a b/",
        "http://t.example:99999/",
        "\ud800",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(FetchError, match="is not an address that can be read") as caught:
        parse(url)
    assert not caught.value.temporary


@pytest.mark.parametrize(
    "url", ["ftp://t.example/", "file:///etc/passwd", "javascript:1", "data:,x", "ws://t.example/"]
)
def test_other_schemes_are_not_fetched(url: str) -> None:
    with pytest.raises(FetchError, match="only http and https"):
        parse(url)


def test_too_long() -> None:
    with pytest.raises(FetchError, match="too long") as caught:
        parse("http://t.example/" + "a" * MAX_CHARS)
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("b", "https://t.example/x/b"),
        ("/b?c", "https://t.example/b?c"),
        ("//u.example", "https://u.example/"),
        ("?q", "https://t.example/x/y?q"),
        ("http://u.example/#f", "http://u.example/#f"),
    ],
)
def test_relative(location: str, url: str) -> None:
    assert parse(location, "https://t.example/x/y?z#w").url == url


def test_origin_and_place() -> None:
    assert parse("https://t.example:443/a#b").origin == "https://t.example"
    assert parse("https://[::1]:8/a").origin == "https://[::1]:8"
    assert parse("http://t.example/a#b").place == parse("http://t.example/a#c").place
    assert parse("http://t.example/a").place != parse("https://t.example/a").place


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://t.example/a", "http://t.example/a"),
        ("http://t.example/\r\nX: y\x1b[0m", "http://t.example/ X: y [0m"),
        ("http://me:secret@t.example/a@b", "http://t.example/a@b"),
        ("http://t.example/" + "a" * 300, "http://t.example/" + "a" * 182 + "…"),
    ],
)
def test_shown(url: str, line: str) -> None:
    assert shown(url) == line


@given(st.text())
def test_parse_raises_fetch_errors_only_and_sends_plain_bytes(text: str) -> None:
    try:
        address = parse(text, "http://t.example/a/b")
    except FetchError as error:
        assert "\n" not in error.message
    else:
        assert address.target.startswith(b"/")
        assert all(32 < byte < 127 for byte in address.target + address.authority)
