from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from digestlog.core.text import (
    _CODECS,
    after_prolog,
    clean,
    clean_html,
    decode,
    decode_xml,
    json_text,
    mended,
    root_name,
    web_address,
    without_feed_scheme,
    xml_legal,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", None),
        (" \t\n ", None),
        ("\x00\ud800\ufeff", None),
        ("  a \n\t b\u00a0c\u2028d ", "a b c d"),
        ("nul\x00 bell\x07 c1\x9b", "nul bell c1"),
        ("lone\udfff", "lone"),
        ("evil\u202etxt", "eviltxt"),
        ("soft\u00adhyphen", "softhyphen"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("<b> &amp; stays", "<b> &amp; stays"),
    ],
)
def test_clean(value: str | None, expected: str | None) -> None:
    assert clean(value) == expected


@given(st.text())
def test_clean_twice_is_clean_once_and_always_encodes(value: str) -> None:
    once = clean(value)
    assert clean(once) == once
    assert (once or "x").encode()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("<p></p>", None),
        ("<b>A</b>c", "Ac"),
        ("one<br/>two<p class='x'>three</p>four", "one two three four"),
        ("Tom &amp; Jerry&nbsp;&eacute;", "Tom & Jerry é"),
        ("&lt;b&gt; is a tag", "<b> is a tag"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a<!-- hidden -->b<!-- open", "ab"),
        ("a<script>alert(1)</script >b<STYLE>p{}</style>c", "abc"),
        ("a<script>never closed", "a"),
        ("a&#0;&#x1;b", "a\ufffdb"),
    ],
)
def test_clean_html(value: str | None, expected: str | None) -> None:
    assert clean_html(value) == expected


@pytest.mark.parametrize("piece", ["<!--", "<script", "</script ", "<a", "&lt;", "<br "])
def test_clean_html_takes_linear_time(piece: str) -> None:
    start = time.process_time()
    clean_html(piece * 100_000)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("feed://example.com/x", "http://example.com/x"),
        ("FEED:https://example.com/x", "https://example.com/x"),
        ("https://example.com/feed:x", "https://example.com/feed:x"),
        ("", ""),
    ],
)
def test_without_feed_scheme(value: str, expected: str) -> None:
    assert without_feed_scheme(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (" https://example.com/\n", "https://example.com/"),
        ("HTTP://Example.com/A?b=1&c", "HTTP://Example.com/A?b=1&c"),
        ("feed://example.com/x", "http://example.com/x"),
        (None, None),
        ("", None),
        ("example.com/feed", None),
        ("//example.com/feed", None),
        ("javascript:alert(1)", None),
        ("java\x00script:alert(1)", None),
        ("feed:javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("data:text/xml,<rss/>", None),
        ("ftp://example.com/", None),
        ("http://", None),
        ("http://[bad/", None),
    ],
)
def test_web_address(value: str | None, expected: str | None) -> None:
    assert web_address(value) == expected


SAMPLE = "<é€>"


@pytest.mark.parametrize(
    "body",
    [
        codecs.BOM_UTF8 + SAMPLE.encode(),
        SAMPLE.encode(),
        codecs.BOM_UTF16_LE + SAMPLE.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + SAMPLE.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + SAMPLE.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + SAMPLE.encode("utf-32-be"),
        SAMPLE.encode("utf-16-le"),
        SAMPLE.encode("utf-16-be"),
        SAMPLE.encode("utf-32-le"),
        SAMPLE.encode("utf-32-be"),
        SAMPLE.encode("cp1252"),
    ],
)
def test_decode_without_labels(body: bytes) -> None:
    assert decode(body) == SAMPLE


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        ("“café”", "cp1252", "ISO-8859-1"),
        ("“café”", "cp1252", " 'latin1' "),
        ("Привет", "koi8-r", "KOI8-R"),
        ("Привет", "cp1251", "windows-1251"),
        ("日本語", "cp932", "Shift_JIS"),
        ("日本語", "iso2022_jp", "iso-2022-jp"),
        ("汉字漢", "gb18030", "gb2312"),
        ("한국어", "cp949", "euc-kr"),
        ("čeština", "iso8859-2", "iso-8859-2"),
        ("čeština", "iso8859-2", "ISO_8859-2:1987"),
        ("čeština", "cp1250", "x-cp1250"),
        ("ภาษาไทย", "cp874", "windows-874"),
        ("ภาษาไทย", "cp874", "TIS-620"),
        ("“ภาษาไทย”", "cp874", "iso-8859-11"),
        ("Ўзбек", "mac-cyrillic", "x-mac-cyrillic"),
        ("Привет", "cp866", "IBM866"),
        ("Їжак", "koi8-u", "koi8-u"),
        ("“café”", "mac-roman", "macintosh"),
        ("ελληνικά", "iso8859-7", "greek"),
        ("עברית", "iso8859-8", "iso-8859-8-i"),
        ("Ağrı “”", "cp1254", "latin5"),
        ("đô la", "cp1258", "windows-1258"),
        ("繁體‧字", "cp950", "Big5"),
        ("啲嘢", "big5hkscs", "big5-hkscs"),
        ("日本語", "euc_jp", "x-euc-jp"),
        ("日本語", "cp932", "sjis"),
    ],
)
def test_decode_by_label(text: str, codec: str, label: str) -> None:
    assert decode(text.encode(codec), (None, label)) == text


@pytest.mark.parametrize(
    "label",
    ["punycode", "idna", "rot13", "base64", "utf-16", "iso-8859-12", "no\x00such", "é", "", "x" * 9999],
)
def test_a_useless_label_is_passed_over(label: str) -> None:
    assert decode("café".encode(), (label,)) == "café"


@given(st.sampled_from([*_CODECS, *_CODECS.values()]), st.binary())
def test_every_label_leads_to_a_codec_that_python_has(label: str, body: bytes) -> None:
    codec = _CODECS.get(label, label)
    assert isinstance(body.decode(codec, "replace"), str)
    decode(body, (label,)).encode()


def test_every_codec_is_there() -> None:
    assert all(codecs.lookup(codec) for codec in set(_CODECS.values()))
    assert {"ascii", "utf-8", "iso-8859-16", "windows-1250", "shift-jis"} <= set(_CODECS)


def test_a_false_label_is_passed_over() -> None:
    assert decode("naïve café".encode("cp1252"), ("utf-8",)) == "naïve café"


def test_one_bad_byte_does_not_change_the_encoding() -> None:
    body = "Žluťoučký kůň".encode()
    assert decode(body + b"\xff.") == "Žluťoučký kůň\ufffd."
    assert decode("Žluťoučký".encode()[:-1]) == "Žluťoučk\ufffd"


@given(st.binary(), st.lists(st.none() | st.text()))
def test_decode_never_raises(body: bytes, labels: list[str | None]) -> None:
    decode(body, labels).encode()


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("iso-8859-1", "utf-8"),
        ("utf-8", "cp1252"),
        ("utf-16", "utf-8"),
        ("bogus", "utf-8"),
        ("utf-8", "utf-16"),
    ],
)
def test_decode_xml_when_the_declaration_lies(declared: str, codec: str) -> None:
    text = f"<?xml version='1.0' encoding='{declared}'?><a>café</a>"
    assert decode_xml(text.encode(codec)) == text


def test_decode_xml_by_declaration_then_charset() -> None:
    declared = "<?xml version='1.0' encoding='koi8-r'?><a>Привет</a>"
    assert decode_xml(declared.encode("koi8-r"), "cp1251") == declared
    assert decode_xml("<a>Привет</a>".encode("cp1251"), "cp1251") == "<a>Привет</a>"
    japanese = "<?xml version='1.0' encoding='ISO-2022-JP'?><a>日本語</a>"
    assert decode_xml(japanese.encode("iso2022_jp")) == japanese


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("<a/>", "a"),
        ("junk\ufeff <?xml version='1.0'?>\n<?pi?><!-- <no/> --><x:OPML>", "opml"),
        ("<!DOCTYPE a><a/>", "a"),
        ("<!doctype a SYSTEM \"x>y\" [<!ENTITY b ']>'><!-- ]> it's --><?p ]> ?>] ><a/>", "a"),
        ("<!DOCTYPE a [<!ENTITY b 'open><a/>", None),
        ("<!-- open <a/>", None),
        ("", None),
        ("plain", None),
        ("1 < 2", None),
        ("<1:a>", None),
    ],
)
def test_root_name(text: str, root: str | None) -> None:
    assert root_name(after_prolog(text)) == root


def test_after_prolog_starts_at_the_root() -> None:
    assert after_prolog("x<!DOCTYPE a> y <a>z</a>") == "<a>z</a>"


@pytest.mark.parametrize("piece", ["<!--", "<!-- -->", "<?", "<!DOCTYPE ", "<!DOCTYPE a [", "<!DOCTYPE a ['"])
def test_after_prolog_takes_linear_time(piece: str) -> None:
    start = time.process_time()
    after_prolog(piece * 50_000)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a>&amp;&lt;</a>", "<a>&#38;&#60;</a>"),
        ("<a b='?x=1&y=2&copy=3'/>", "<a b='?x=1&#38;y=2&#38;copy=3'/>"),
        ("<a>&eacute;&#233;&#xE9;&#X26;</a>", "<a>ééé&#38;</a>"),
        ("<a>&notice;&bomb;</a>", "<a>&#38;notice;&#38;bomb;</a>"),
        ("<a>\x00\x0b&#0;&#1;&#xD800;</a>", "<a>\ufffd\ufffd</a>"),
        ("<a><![CDATA[AT&T]]>&</a>", "<a><![CDATA[AT&T]]>&#38;</a>"),
        ("<a><![CDATA[AT&T", "<a><![CDATA[AT&T"),
    ],
)
def test_mended(text: str, expected: str) -> None:
    assert mended(text) == expected.encode()


@given(st.text())
def test_mended_text_is_always_well_formed(text: str) -> None:
    escaped = text.replace("<", "").replace("]]>", "")
    etree.fromstring(b"<a>" + mended(escaped) + b"</a>", etree.XMLParser(encoding="utf-8"))


def test_xml_legal() -> None:
    assert xml_legal("a\x00\x1f\ud800\ufffe\uffffb\t\n😀") == "ab\t\n😀"


def test_references_survive_behind_an_error() -> None:
    """libxml2 drops references by name once it has met an error; numbered ones it keeps."""
    parser = etree.XMLParser(recover=True, resolve_entities=False)
    root = etree.fromstring(mended("<a><b c=d/><e>Fish &amp; chips</e></a>"), parser)
    assert root.findtext("e") == "Fish & chips"


# --- JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (["é😀", 1, None], r'["\u00e9\ud83d\ude00", 1, null]'),
        (["a\0b"], '["ab"]'),
        (["\ud800"], r'["\ud800"]'),
        # A text that only looks like the escape is kept.
        ([r"\u0000"], r'["\\u0000"]'),
        ([r"\\u0000" + "\0"], r'["\\\\u0000"]'),
        (["\x01"], r'["\u0001"]'),
    ],
)
def test_json_text_leaves_out_nul(value: object, text: str) -> None:
    assert json_text(value) == text
