from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.opml import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_OUTLINES,
    OpmlFile,
    Outline,
    looks_like_opml,
    read_opml,
    write_opml,
)
from digestlog.core.text import clean
from digestlog.errors import ParseError

CREATED = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
URL = "https://example.com/feed"


def opml(body: str, prolog: str = "") -> bytes:
    return f"{prolog}<opml version='2.0'><head><title>x</title></head><body>{body}</body></opml>".encode()


def read_one(attributes: str) -> Outline:
    (outline,) = read_opml(opml(f"<outline {attributes}/>")).outlines
    return outline


def feed(url: str = URL, title: str | None = None, folder: str | None = None) -> Outline:
    return Outline(url, title, None, folder, True)


def test_a_feed() -> None:
    found = read_one(
        f'type="rss" text="t" title=" My&#10; feed " xmlUrl=" {URL} " htmlUrl="https://example.com/"'
    )
    assert found == Outline(URL, "My feed", "https://example.com/", None, True)


@pytest.mark.parametrize("name", ["xmlUrl", "xmlurl", "XMLURL", "XmlUrl"])
def test_attribute_names_in_any_case(name: str) -> None:
    assert read_one(f'{name}="{URL}" TEXT="t" HTMLURL="https://e.com/"') == Outline(
        URL, "t", "https://e.com/", None, True
    )


def test_the_first_attribute_that_says_something_wins() -> None:
    assert read_one(f'xmlurl=" " xmlUrl="{URL}" XMLURL="https://no.example/"').url == URL


@pytest.mark.parametrize(
    ("attributes", "title"),
    [
        ('title="a" text="b"', "a"),
        ('title="" text="b"', "b"),
        ('text=" b&#160;&#x9; c"', "b c"),
        ('text="Q&amp;A & caf&eacute; &unknown;"', "Q&A & café &unknown;"),
        ('text="nul&#0;\x00 bell&#7;\x07 &#xD800;"', "nul\ufffd bell \ufffd"),
        ('text="a < b"', "a < b"),
        ('text="&amp;#38; &amp;amp; &#38;#38;"', "&#38; &amp; &#38;"),
        (f'text="{URL}"', None),
        (f'text="{URL}" title="{URL}"', URL),
        ("", None),
    ],
)
def test_titles(attributes: str, title: str | None) -> None:
    assert read_one(f'xmlUrl="{URL}" {attributes}').title == title


def test_unescaped_ampersands_in_addresses() -> None:
    assert (
        read_one('xmlUrl="https://e.com/?a=1&b=2&copy=3&amp;lt=4"').url
        == "https://e.com/?a=1&b=2&copy=3&lt=4"
    )


def test_pages() -> None:
    assert read_one('type="link" text="t" url="https://e.com/a"') == Outline(
        "https://e.com/a", "t", None, None, False
    )
    assert read_one('type="LINK" htmlUrl="https://e.com/a"') == Outline(
        "https://e.com/a", None, None, None, False
    )
    both = read_one('type="link" url="https://e.com/a" htmlUrl="https://e.com/"')
    assert both == Outline("https://e.com/a", None, "https://e.com/", None, False)


def test_old_feeds_with_a_plain_url() -> None:
    assert read_one(f'type="rss" url="{URL}"').is_feed
    assert read_one('type="atom" url="feed://example.com/x"').url == "http://example.com/x"


def test_outlines_without_an_address_are_folders() -> None:
    assert read_opml(opml('<outline text="a"/><outline type="link"/>')) == OpmlFile((), ())


def test_a_site_without_a_feed_is_a_page() -> None:
    site = Outline("https://e.com/", "Site", None, None, False)
    assert read_one('text="Site" htmlUrl="https://e.com/"') == site
    assert read_one('text="Untyped" url="https://e.com/x"').url == "https://e.com/x"


def test_a_folder_with_an_address_is_both() -> None:
    folder = f'<outline text="F" htmlUrl="https://e.com/"><outline xmlUrl="{URL}"/></outline>'
    page, feed = read_opml(opml(folder)).outlines
    assert (page.url, page.folder, page.is_feed) == ("https://e.com/", None, False)
    assert (feed.url, feed.folder, feed.is_feed) == (URL, "F", True)


def test_a_feed_without_an_address_is_said_to_be_left_out() -> None:
    found = read_opml(opml('<outline type="rss" text="noaddr"/><outline type="atom"/>'))
    assert found.skipped == (
        "Left out a feed without an address: noaddr",
        "Left out a feed without an address: no address",
    )


def test_folders() -> None:
    body = (
        f'<outline text="A"><outline title="B/C"><outline xmlUrl="{URL}"/></outline>'
        '<outline><outline xmlUrl="https://e.com/2"/></outline></outline>'
        '<OUTLINE xmlUrl="https://e.com/3"/>'
    )
    assert [(found.url, found.folder) for found in read_opml(opml(body)).outlines] == [
        (URL, "A/B∕C"),
        ("https://e.com/2", "A"),
        ("https://e.com/3", None),
    ]


def test_a_feed_is_no_folder() -> None:
    body = f'<outline text="A" xmlUrl="{URL}"><outline text="B" xmlUrl="https://e.com/2"/></outline>'
    assert [found.folder for found in read_opml(opml(body)).outlines] == [None, None]


def test_the_first_of_two_equal_addresses_wins() -> None:
    body = f'<outline text="A" xmlUrl="{URL}"/><outline text="F"><outline text="B" xmlUrl="{URL}"/></outline>'
    assert read_opml(opml(body)) == OpmlFile((feed(title="A"),), ())


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:x",
        "file:///etc/passwd",
        "data:text/xml,x",
        "ftp://e.com/",
        "e.com/feed",
    ]
    + ["http://[bad/", "java&#x9;script:x", "feed:javascript:x"],
)
def test_addresses_that_are_not_on_the_web(address: str) -> None:
    found = read_opml(opml(f'<outline xmlUrl="{address}"/><outline type="link" url="{address}"/>'))
    assert found.outlines == ()
    assert len(found.skipped) == 2
    assert found.skipped[0].startswith("Left out an address that is not on the web: ")


def test_a_bad_site_is_dropped_and_the_feed_kept() -> None:
    assert read_one(f'xmlUrl="{URL}" htmlUrl="javascript:alert(1)"') == feed()


def test_long_addresses_are_shortened() -> None:
    (sentence,) = read_opml(opml(f'<outline xmlUrl="data:{"x" * 9999}"/>')).skipped
    assert len(sentence.removeprefix("Left out an address that is not on the web: ")) == 80
    assert sentence.endswith("x…")


def test_included_lists_are_named_and_not_read() -> None:
    body = '<outline type="include" url="https://e.com/list.opml"/><outline type="include"/>'
    assert read_opml(opml(body)).skipped == (
        "Left out another list that this one includes: https://e.com/list.opml",
        "Left out another list that this one includes: no address",
    )


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8", None),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("utf-16", None),
        ("utf-16-le", "utf-16"),
        ("utf-16-be", None),
        ("latin-1", "iso-8859-1"),
        ("cp1252", "windows-1252"),
        ("utf-8", "iso-8859-1"),
        ("utf-8", "utf-16"),
        ("utf-8", "no-such"),
        ("cp1252", "utf-8"),
    ],
)
def test_encodings(codec: str, declared: str | None) -> None:
    prolog = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = opml(f'<outline text="Café" xmlUrl="{URL}"/>', prolog).decode().encode(codec)
    assert looks_like_opml(body)
    assert read_opml(body).outlines == (feed(title="Café"),)


@pytest.mark.parametrize(
    "body",
    [
        f'<opml><body><outline xmlUrl="{URL}">',
        f'<opml><body><outline xmlUrl="{URL}"/><outline text="cut of',
        f'  \n<?xml version="1.0"?>\n<opml><body><outline xmlUrl="{URL}"/></body></opml>',
        f'junk <!-- x --><!DOCTYPE opml><opml><outline xmlUrl="{URL}"/></opml> more junk <x/>',
        f'<OPML xmlns="http://opml.org/spec2"><BODY><OUTLINE xmlUrl="{URL}"></BODY></OPML>',
        f'<opml><body></outline><outline xmlUrl="{URL}"/></b></opml>',
    ],
)
def test_broken_files(body: str) -> None:
    assert read_opml(body.encode()).outlines == (feed(),)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "something else"),
        (b"words", "something else"),
        (b"\x89PNG\r\n\x1a\n\0\0", "something else"),
        (b'{"a": 1}', "something else"),
        (b"<!-- open <opml>", "something else"),
        (b"<!doctype html><html><body>&lt;opml&gt;<opml></body></html>", "a web page"),
        (b"<rss version='2.0'><channel/></rss>", "a feed"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'/>", "a feed"),
        (b"<rdf:RDF/>", "a feed"),
    ],
)
def test_what_is_no_opml(body: bytes, message: str) -> None:
    assert not looks_like_opml(body)
    with pytest.raises(ParseError, match=f"This is {message}, not a list of feeds") as caught:
        read_opml(body)
    assert caught.value.hint


def test_the_sniff_looks_at_the_beginning_only() -> None:
    assert not looks_like_opml(b" " * 5000 + b"<opml>")
    assert looks_like_opml(b" " * 4000 + b"<opml>" + b"x" * 100_000)


def test_too_large() -> None:
    with pytest.raises(ParseError, match="larger than 15 MB"):
        read_opml(b"<opml>" + b" " * MAX_BYTES)


def nested(levels: int) -> bytes:
    return opml(
        '<outline text="a">' * (levels - 1) + f'<outline xmlUrl="{URL}"/>' + "</outline>" * (levels - 1)
    )


def test_depth() -> None:
    assert len(read_opml(nested(MAX_DEPTH)).outlines) == 1
    with pytest.raises(ParseError, match="more than 64 levels"):
        read_opml(nested(MAX_DEPTH + 1))
    with pytest.raises(ParseError, match="more than 64 levels"):
        read_opml(nested(100_000))


def test_number() -> None:
    assert len(read_opml(opml('<outline type="include"/>' * MAX_OUTLINES)).skipped) == MAX_OUTLINES
    with pytest.raises(ParseError, match="more than 100,000 entries"):
        read_opml(opml("<outline/>" * (MAX_OUTLINES + 1)))
    with pytest.raises(ParseError, match="more than 100,000 entries"):
        read_opml(opml("<x/>" * (2 * MAX_OUTLINES + 1)))


BOMBS = {
    "laughs": '<!ENTITY e0 "AAAAAAAAAA">'
    + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    + '<!ENTITY e "&e11;">',
    "quadratic": f'<!ENTITY e "{"A" * 100_000}">',
    "file": '<!ENTITY e SYSTEM "file:///etc/passwd">',
    "parameter": '<!ENTITY % p SYSTEM "file:///etc/passwd"> %p; <!ENTITY e "]>">',
    "default": f'<!ATTLIST outline title CDATA "{"A" * 100_000}">',
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_nothing_is_expanded_and_no_file_read(bomb: str) -> None:
    start = time.process_time()
    body = "".join(f'<outline text="&e;" xmlUrl="{URL}{n}"/>&e;' for n in range(5000))
    found = read_opml(opml(body, f"<!DOCTYPE opml [{bomb}]>")).outlines
    assert time.process_time() - start < 5
    assert len(found) == 5000
    assert {outline.title for outline in found} == {"&e;"}


@pytest.mark.parametrize("piece", ["<!--", "&", "<![CDATA[", "<!DOCTYPE a [", "<x", "'"])
def test_linear_time(piece: str) -> None:
    start = time.process_time()
    for opening in ("<opml>", "<opml a='", ""):
        try:
            read_opml((opening + piece * 100_000).encode())
        except ParseError:
            pass
    assert time.process_time() - start < 10


@given(st.binary())
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    looks_like_opml(body)
    for candidate in (body, b"<opml>" + body, b"<opml><outline xmlUrl='" + body):
        try:
            read_opml(candidate)
        except ParseError:
            pass


def test_writing() -> None:
    outlines = [
        Outline("https://e.com/f?a=1&b=2", "News & <more>", "https://e.com/", "Tech/A∕B", True),
        Outline("https://e.com/page", None, None, None, False),
    ]
    assert write_opml(outlines, "My list\x00", CREATED).decode() == (
        """<?xml version='1.0' encoding='UTF-8'?>
<opml version="2.0">
  <head>
    <title>My list</title>
    <dateCreated>Sun, 01 Mar 2026 12:30:00 +0000</dateCreated>
  </head>
  <body>
    <outline text="Tech">
      <outline text="A/B">
        <outline type="rss" text="News &amp; &lt;more&gt;" title="News &amp; &lt;more&gt;" """
        """xmlUrl="https://e.com/f?a=1&amp;b=2" htmlUrl="https://e.com/"/>
      </outline>
    </outline>
    <outline type="link" text="https://e.com/page" url="https://e.com/page"/>
  </body>
</opml>
"""
    )


def test_writing_nothing() -> None:
    assert read_opml(write_opml([], "", CREATED)) == OpmlFile((), ())


def test_illegal_characters_are_left_out() -> None:
    bad = "\x00\x01\x0b\ud800\ufffe\uffff"
    written = write_opml([Outline(URL + bad, "t" + bad, None, "f" + bad + "/" + bad, True)], bad, CREATED)
    assert read_opml(written).outlines == (feed(title="t", folder="f"),)


def test_folders_come_together_where_they_first_appeared() -> None:
    given_order = [
        feed("https://e.com/1", folder="a"),
        feed("https://e.com/2"),
        feed("https://e.com/3", folder="a/b"),
        feed("https://e.com/4", folder="a"),
    ]
    found = read_opml(write_opml(given_order, "x", CREATED)).outlines
    assert [outline.url[-1] for outline in found] == ["1", "3", "4", "2"]


clean_text = st.text(min_size=1, max_size=20).map(clean).filter(lambda text: text is not None)
addresses = st.from_regex(r"https?://[a-z]{1,8}\.example/[a-z0-9?&=%;<>\"'é]{0,20}", fullmatch=True)
folder_names = clean_text.map(lambda text: str(text).replace("/", "∕"))
clean_outlines = st.lists(
    st.builds(
        Outline,
        url=addresses,
        title=st.none() | clean_text,
        site_url=st.none() | addresses,
        folder=st.none() | st.lists(folder_names, min_size=1, max_size=4).map("/".join),
        is_feed=st.booleans(),
    ),
    unique_by=lambda outline: outline.url,
)


@given(clean_outlines, st.text())
def test_what_was_written_is_read_back(outlines: list[Outline], title: str) -> None:
    written = write_opml(outlines, title, CREATED)
    found = read_opml(written)
    assert looks_like_opml(written)
    assert found.skipped == ()
    assert set(found.outlines) == set(outlines)
    for folder in {outline.folder for outline in outlines}:
        assert [o for o in found.outlines if o.folder == folder] == [
            o for o in outlines if o.folder == folder
        ]
    assert write_opml(found.outlines, title, CREATED) == written
