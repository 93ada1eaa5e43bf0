from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.feeds import FeedIdentity, identify
from digestlog.core.feeds.identity import parse_document

SITE = "https://example.com/"
RSS = f'<rss version="2.0"><channel><title>T</title><link>{SITE}</link></channel></rss>'
ATOM = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="{SITE}"/></feed>'
RDF_NS = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
RSS_1 = (
    f'<rdf:RDF {RDF_NS} xmlns="http://purl.org/rss/1.0/">'
    f'<channel rdf:about="x"><title>T</title><link>{SITE}</link></channel></rdf:RDF>'
)


def kind(text: str | bytes, content_type: str | None = None) -> str | None:
    found = identify(text if isinstance(text, bytes) else text.encode(), content_type)
    return found.kind if found else None


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("rss", RSS),
        ("rss", RSS.replace("2.0", "0.91")),
        (
            "rss",
            RSS.replace("2.0", "0.92").upper().replace("HTTPS://EXAMPLE.COM/", SITE).replace(">T<", ">T<"),
        ),
        ("rss", RSS.replace("<rss", '<rss xmlns="http://backend.userland.com/rss2"')),
        ("rss", f"<channel><title>T</title><link>{SITE}</link><item><title>i</title></item></channel>"),
        ("rdf", RSS_1),
        ("rdf", RSS_1.replace("http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/")),
        ("rdf", RSS_1.replace(RDF_NS, "")),
        (
            "rdf",
            f'<Channel xmlns="http://purl.org/net/rss1.1#"><title>T</title><link>{SITE}</link></Channel>',
        ),
        ("atom", ATOM),
        ("atom", ATOM.replace("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")),
        ("atom", ATOM.replace(' xmlns="http://www.w3.org/2005/Atom"', "")),
        ("atom", f'<atom:feed><atom:title>T</atom:title><atom:link href="{SITE}"/></atom:feed>'),
        ("cdf", f'<CHANNEL HREF="{SITE}"><TITLE>T</TITLE><ITEM HREF="x"/></CHANNEL>'),
        ("cdf", f'<Channel><A HREF="{SITE}"/><Title>T</Title><Item href="x"/></Channel>'),
        ("json", f'{{"version": "https://jsonfeed.org/version/1", "title": "T", "home_page_url": "{SITE}"}}'),
        (
            "json",
            f'{{"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "{SITE}"}}',
        ),
    ],
)
def test_every_kind(expected: str, text: str) -> None:
    assert identify(text.encode()) == FeedIdentity(expected, "T", SITE)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + RSS,
        " \r\n\t" + RSS,
        "  <?xml version='1.0' encoding='utf-8'?>" + RSS,
        "junk before <?xml version='1.0'?>" + RSS,
        "<!-- note -->\ufeff<?xml version='1.0'?>" + RSS,
        "<br />\n<b>Warning</b>: x in <b>y</b> on line <b>3</b><br />\n<?xml version='1.0'?>" + RSS,
        "<?xml version='1.0' encoding='no-such'?>" + RSS,
        '<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">' + RSS,
        RSS.removesuffix("</channel></rss>"),
        RSS.removesuffix("</rss>") + "</rs",
        RSS.replace("<link>", "<itunes:title>no</itunes:title><atom:link href='no'/><link>"),
        RSS.replace("</channel>", "<item><title>a & b &nbsp; &bogus;</title></item></channel>"),
        RSS.replace("</channel>", "<item><![CDATA[never closed"),
        RSS.replace("</channel>", "<item>\x00\x08</item></channel>"),
        RSS.replace("<title>", "<title></title><title>"),
    ],
)
def test_broken_documents(text: str) -> None:
    assert identify(text.encode()) == FeedIdentity("rss", "T", SITE)


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8", "iso-8859-1"),
        ("utf-8", "utf-16"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-8"),
        ("cp1252", "utf-8"),
        ("cp1252", "windows-1252"),
        ("utf-8-sig", "utf-8"),
    ],
)
def test_encodings(codec: str, declared: str) -> None:
    text = f"<?xml version='1.0' encoding='{declared}'?>" + RSS.replace(">T<", ">Café<")
    assert identify(text.encode(codec)) == FeedIdentity("rss", "Café", SITE)


def test_charset_of_the_content_type() -> None:
    body = RSS.replace(">T<", ">Привет<").encode("cp1251")
    found = identify(body, 'text/xml; charset="windows-1251"')
    assert found == FeedIdentity("rss", "Привет", SITE)


@pytest.mark.parametrize("content_type", [None, "", "text/html", "text/plain", "image/png", "nonsense;;"])
def test_the_label_does_not_matter(content_type: str | None) -> None:
    assert kind(RSS, content_type) == "rss"
    assert kind(ATOM, content_type) == "atom"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "plain words",
        "write an <rss> element, then a channel",
        "<!-- only a comment -->",
        "<!doctype html><html><head><title>x</title></head><body>&lt;rss&gt; <rss></body></html>",
        "<!doctype html><p>no root</p><script>'<rss version=\"2.0\"><channel>'</script>",
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><rss/></body></html>',
        "<br><b>Just</b> a page",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>x</loc></url></urlset>",
        "<sitemapindex/>",
        "<opml version='2.0'><head><title>t</title></head><body/></opml>",
        "<svg xmlns='http://www.w3.org/2000/svg'><title>t</title></svg>",
        f"<rdf:RDF {RDF_NS} xmlns:foaf='http://xmlns.com/foaf/0.1/'><foaf:Person/></rdf:RDF>",
        f"<rdf:RDF {RDF_NS} xmlns='http://example.org/shop#'><item/></rdf:RDF>",
        "<feed><product/></feed>",
        "<feed xmlns='http://example.org/shop'><title>x</title></feed>",
        "<entry xmlns='http://www.w3.org/2005/Atom'><title>x</title></entry>",
        "<channel><frequency>3</frequency></channel>",
        "<rss",
        "{}",
        "{broken",
        '{"version": "1.0", "title": "t", "items": []}',
        '{"version": 1}',
        '[{"version": "https://jsonfeed.org/version/1"}]',
        '{"a":' * 100_000,
    ],
)
def test_not_a_feed(text: str) -> None:
    assert identify(text.encode()) is None


@pytest.mark.parametrize(
    "body", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"%PDF-1.7\n\xe2\xe3", b"\0" * 99, b"\xff\xfe", b"PK\3\4"]
)
def test_binary(body: bytes) -> None:
    assert identify(body) is None


def test_items_without_a_channel() -> None:
    assert kind("<rss><item><title>i</title></item></rss>") == "rss"
    assert kind('<rss version="2.0"></rss') == "rss"
    rdf = f'<rdf:RDF {RDF_NS} xmlns="http://purl.org/rss/1.0/"><item><title>i</title></item></rdf:RDF>'
    assert identify(rdf.encode()) == FeedIdentity("rdf", None, None)
    assert identify(b"<CHANNEL><ITEM/></CHANNEL>") == FeedIdentity("cdf", None, None)


def test_json_without_a_version_needs_its_content_type() -> None:
    assert kind('{"items": []}', "application/feed+json") == "json"
    assert kind('{"items": {}}', "application/feed+json") is None
    assert kind('{"items": []}', "application/json") is None


def test_json_of_the_wrong_types() -> None:
    text = b'\xef\xbb\xbf {"version": "https://jsonfeed.org/version/1", "title": ["x"], "home_page_url": {}}'
    assert identify(text) == FeedIdentity("json", None, None)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("  two\n  lines ", "two lines"),
        ("", None),
        ("<![CDATA[<b>Bold</b> &amp; <i>more</i>]]>", "Bold & more"),
        ("<![CDATA[AT&T]]>", "AT&T"),
        ("&lt;b&gt;Bold&lt;/b&gt;", "Bold"),
        ("Caf&eacute; &amp; Bar & Grill", "Café & Bar & Grill"),
        ("&amp;eacute;", "é"),
        ("<b>nested</b> markup<!-- no -->", "nested markup"),
        ("NUL\x00 &#8;", "NUL"),
    ],
)
def test_titles(written: str, title: str | None) -> None:
    found = identify(RSS.replace(">T<", f">{written}<").encode())
    assert found == FeedIdentity("rss", title, SITE)


def test_lone_surrogates_in_json_titles() -> None:
    found = identify(b'{"version": "https://jsonfeed.org/version/1", "title": "a\\ud800b\\u0000"}')
    assert found == FeedIdentity("json", "ab", None)


@pytest.mark.parametrize(
    ("links", "site"),
    [
        ('<link rel="self" href="https://e.com/feed"/><link href="https://e.com/"/>', "https://e.com/"),
        (
            '<link rel="alternate" type="application/json" href="https://e.com/api"/>'
            '<link rel="ALTERNATE" type="text/html" href="https://e.com/"/>',
            "https://e.com/",
        ),
        ('<link href="index.html"/>', "index.html"),
        ('<link href="javascript:alert(1)"/>', None),
        ('<link href=""/><link/>', None),
        ('<x:link xmlns:x="http://x.org/" href="https://e.com/"/>', None),
    ],
)
def test_atom_site(links: str, site: str | None) -> None:
    text = f'<feed xmlns="http://www.w3.org/2005/Atom">{links}</feed>'
    assert identify(text.encode()) == FeedIdentity("atom", None, site)


def test_an_entrys_title_is_not_the_feeds() -> None:
    text = ATOM.replace("<title>T</title>", "<entry><title>no</title></entry>")
    assert identify(text.encode()) == FeedIdentity("atom", None, SITE)


def test_entities_are_neither_expanded_nor_loaded() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY a "AAAA"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    found = identify((doctype + RSS.replace(">T<", ">&a; &f;<")).encode())
    assert found == FeedIdentity("rss", "&a; &f;", SITE)


@pytest.mark.parametrize(
    "piece", ["<item>", "&", "<!--", "<![CDATA[", "<!DOCTYPE a [", "<a b='&x;'/>", "]]>"]
)
def test_linear_time(piece: str) -> None:
    start = time.process_time()
    assert kind(RSS.removesuffix("</channel></rss>") + piece * 100_000) == "rss"
    assert time.process_time() - start < 10


def test_an_attribute_beyond_the_parsers_limit() -> None:
    assert kind('<rss a="' + "x" * 10_500_000 + '" version="2.0"/>') is None


def test_a_document_that_the_parser_refuses() -> None:
    # Which ones it refuses despite recovery differs between versions of libxml2; nothing is one.
    assert parse_document(b"") == (None, None)


@given(st.binary(), st.none() | st.text())
def test_never_raises_on_bytes(body: bytes, content_type: str | None) -> None:
    identify(body, content_type)


@given(
    st.sampled_from(["<rss ", "<feed ", "<rdf:RDF ", "<CHANNEL>", "{", "<rss version='2'><channel>"]),
    st.text(),
)
def test_never_raises_on_openings(opening: str, rest: str) -> None:
    identify((opening + rest).encode("utf-8", "surrogatepass"))
