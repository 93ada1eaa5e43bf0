"""Lists of sources: OPML is told from plain text, and plain text is read as people write it."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.lists import SourceList, read_list
from digestlog.core.opml import MAX_BYTES, MAX_OUTLINES, Outline
from digestlog.core.text import clean
from digestlog.errors import ParseError

OPML = """<opml version="2.0"><body>
<outline text="News"><outline text="Times" xmlUrl="https://times.example/feed"/></outline>
<outline text="here" xmlUrl="file:///etc/passwd"/></body></opml>"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_opml(encoding: str) -> None:
    found = read_list(OPML.encode(encoding))
    assert found.outlines == (Outline("https://times.example/feed", "Times", None, "News", True),)
    assert found.addresses == ()
    assert found.skipped == ("Left out an address that is not on the web: file:///etc/passwd",)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("", ()),
        ("\n\n  \n", ()),
        ("example.org", ("example.org",)),
        ("https://a.example/\nb.example\n", ("https://a.example/", "b.example")),
        ("a.example\r\nb.example\r\n", ("a.example", "b.example")),
        ("a.example\rb.example\r", ("a.example", "b.example")),
        ("# my feeds\na.example\n  # more\n", ("a.example",)),
        ("a.example news local\nb.example\t~Title", ("a.example", "b.example")),
        ("\ta.example  \n", ("a.example",)),
        ("a.example\nb.example\na.example tagged\n", ("a.example", "b.example")),
        ('"query:Unread:unread = yes"\na.example "a tag"\n', ("a.example",)),
        ("https://a.example/x#y", ("https://a.example/x#y",)),
        ("\u200bа.example\u202e\n", ("а.example",)),
        ("a.example\u2028b.example", ("a.example", "b.example")),
    ],
)
def test_plain_lists(text: str, addresses: tuple[str, ...]) -> None:
    assert read_list(text.encode()) == SourceList(addresses=addresses)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_a_plain_list_in_another_encoding(codec: str) -> None:
    text = "https://a.example/caf\u00e9\r\nb.example # latin\r\n"
    assert read_list(text.encode(codec)).addresses == ("https://a.example/caf\u00e9", "b.example")


def test_a_byte_order_mark_alone_is_an_empty_list() -> None:
    assert read_list(codecs.BOM_UTF8) == SourceList()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html><body>https://a.example/</body></html>", "This is a web page"),
        (b"\xef\xbb\xbf \r\n<!doctype html><html>", "This is a web page"),
        (b"<rss version='2.0'/>", "This is a feed"),
        (b"<?xml version='1.0'?><feed/>", "This is a feed"),
        (b"<svg/>", "This is something else"),
        (b"SQLite format 3\0\x10\0\1\1\0\x40", "neither OPML nor a list of addresses"),
        (b"PK\3\4\0\0\0\0", "neither OPML nor a list of addresses"),
        (b"a.example\n" + b"x" * MAX_BYTES, "larger than 15 MB"),
        (b"<opml>" + b" " * MAX_BYTES, "larger than 15 MB"),
        ("\n".join(f"{n}.example" for n in range(MAX_OUTLINES + 1)).encode(), "more than 100,000 entries"),
    ],
)
def test_what_is_no_list(body: bytes, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        read_list(body)
    assert caught.value.hint


def test_the_longest_list() -> None:
    body = "\n".join(f"{n}.example" for n in range(MAX_OUTLINES)).encode()
    assert len(read_list(body).addresses) == MAX_OUTLINES


def test_a_zero_byte_far_inside_is_only_a_bad_character() -> None:
    assert read_list(b"a.example\n" + b"# x\n" * 2000 + b"b\0.example").addresses == (
        "a.example",
        "b.example",
    )


@pytest.mark.parametrize("piece", [b"a.example ", b"a\n", b"#", b'"', b" ", b"\xff", b"<", b"\xe2\x80\xa8"])
def test_linear_time(piece: bytes) -> None:
    start = time.process_time()
    try:
        read_list(piece * 200_000)
    except ParseError:
        pass
    assert time.process_time() - start < 5


@given(st.binary() | st.binary().map(b"<opml>".__add__))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    try:
        found = read_list(body)
    except ParseError:
        return
    for address in found.addresses:
        assert clean(address) == address
        assert " " not in address
        assert not address.startswith(("#", '"'))


@given(st.lists(st.from_regex(r"(https://)?[a-z]{1,9}\.example(/[a-zé?=&]{0,9})?", fullmatch=True)))
def test_each_address_once_in_the_order_written(written: list[str]) -> None:
    body = "\r\n".join(f" {address} tag" for address in written).encode()
    assert read_list(body).addresses == tuple(dict.fromkeys(written))
