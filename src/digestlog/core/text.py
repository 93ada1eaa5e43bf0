"""Bytes to characters, characters to text a person can read."""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Iterable
from html.entities import html5

import ada_url

# Not white space, yet invisible: controls, soft hyphen, zero width space, direction marks that
# can make a title read backwards, byte order mark, lone surrogates, non-characters. The joiners
# U+200C and U+200D stay: Persian, Indic scripts and emoji need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Every branch either ends or eats the rest, so a text full of openings stays linear.
_UNSEEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_BREAK = re.compile(r"</?(?:br|p|div|li|ul|ol|td|tr|h[1-6]|hr|blockquote)\b[^<>]*>", re.I)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.I)

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16: the little-endian mark of UTF-32 begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Where the zero bytes are when the first two characters are Latin.
_WIDE_SHAPES = {
    b"\0\1\1\1": "utf-32-le",
    b"\1\1\1\0": "utf-32-be",
    b"\0\1\0\1": "utf-16-le",
    b"\1\0\1\0": "utf-16-be",
}
# Only these reach Python's codecs: punycode and idna take quadratic time, others are no encodings.
_LABEL = re.compile(
    r"utf-?8|iso-?8859-\d{1,2}|windows-?125\d|cp125\d|koi8-[ru]|cp866|gb18030|gbk|big5(-hkscs)?"
    r"|euc-(jp|kr)|iso-2022-jp|macintosh|mac-cyrillic"
)
# Names as browsers read them: each is a part of what stands to its right.
_SUPERSETS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
}
_XML_ENCODING = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']\s*([\w.:-]{1,40})")

# Comments, processing instructions and the document type, with whatever stands before each.
# The document type goes because it can define entities and default attributes, and libxml2
# expands both inside attribute values even when told not to resolve entities.
_PROLOG = re.compile(
    r"""[^<]*(?:<!--.*?-->|<\?.*?\?>
    |<!DOCTYPE(?:"[^"]*"|'[^']*'|[^\[>"'])*+
      (?:\[(?:"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?)|[^\]"'<])*+\]\s*)?+>)""",
    re.S | re.I | re.X,
)
_ROOT = re.compile(r"<(?:[A-Za-z_][\w.-]{0,100}:)?([A-Za-z_][\w.-]{0,100})")
_REFERENCE = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(#?\w{1,32};)?", re.S)
# As numbers: behind its first error libxml2 drops every reference by name, even &amp;.
_NUMBERED = str.maketrans({char: f"&#{ord(char)};" for char in "&<>\"'"})


def clean(value: str | None) -> str | None:
    """Plain text on one line without invisible characters; None when nothing is left."""
    if value is None:
        return None
    return " ".join(_INVISIBLE.sub("", value).split()) or None


def clean_html(value: str | None) -> str | None:
    """The text of an HTML fragment, tags out and entities decoded, cleaned as by `clean`."""
    if value is None:
        return None
    seen = _BREAK.sub(" ", _UNSEEN.sub("", value))
    return clean(html.unescape(_TAG.sub("", seen)))


def without_feed_scheme(address: str) -> str:
    """The address behind feed:https://... or feed://...; any other address unchanged."""
    if address[:5].lower() != "feed:":
        return address
    rest = address[5:]
    return "http:" + rest if rest.startswith("//") else rest


def web_address(value: str | None) -> str | None:
    """The cleaned address as written if it is an absolute http(s) address, else None."""
    address = without_feed_scheme(clean(value) or "")
    if not address.lower().startswith(("http://", "https://")):
        return None
    return address if ada_url.check_url(address) else None


def decode(body: bytes, labels: Iterable[str | None] = ()) -> str:
    """The characters of `body`: by its byte order mark, else the first label that fits, else a guess."""
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(codec, "replace")
    wide = _wide_codec(body)
    if wide:
        return body.decode(wide, "replace")
    for label in (*labels, "utf-8"):
        text = _decode_as(body, label)
        if text is not None:
            return text
    return body.decode("cp1252", "replace")


def decode_xml(body: bytes, charset: str | None = None) -> str:
    """The characters of an XML document, trusting valid UTF-8 over what the document declares."""
    found = _XML_ENCODING.search(body[:2048])
    declared = found[1].decode("ascii").lower() if found else None
    # Bytes that form UTF-8 by accident are rarer than a false declaration; but ISO-2022-JP is
    # made of ASCII bytes only, so for it UTF-8 would always fit.
    first = declared if declared == "iso-2022-jp" else "utf-8"
    return decode(body, (first, declared, charset))


def after_prolog(text: str) -> str:
    """The text from its root element on, without declaration, comments and document type."""
    at = 0
    while found := _PROLOG.match(text, at):
        at = found.end()
    return "".join(text[at:].partition("<")[1:])


def root_name(text: str) -> str | None:
    """The lower-case local name of the first element of what `after_prolog` returned."""
    found = _ROOT.match(text)
    return found[1].lower() if found else None


def mended(text: str) -> bytes:
    """UTF-8 XML from a root element's text: no illegal characters, no reference beyond XML's own five."""
    return _REFERENCE.sub(_plain_reference, xml_legal(text)).encode()


def xml_legal(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return _NOT_XML.sub("", text)


def _plain_reference(found: re.Match[str]) -> str:
    whole, name = found[0], found[1]
    if whole[0] == "<":
        return whole
    # Whole names only: html.unescape alone would read the beginning of &notice; as a sign.
    character = html.unescape(whole) if name and name[0] == "#" else html5.get(name or "", whole)
    return xml_legal(character).translate(_NUMBERED)


def _wide_codec(body: bytes) -> str | None:
    """The UTF-16 or UTF-32 codec that the zero bytes around the first character give away."""
    return _WIDE_SHAPES.get(bytes(byte == 0 for byte in body[:4]))


def _decode_as(body: bytes, label: str | None) -> str | None:
    codec = _codec(label)
    if codec is None:
        return None
    text = body.decode(codec, "replace")
    # One bad byte in a long page, or a character cut in half at the end, does not make it another
    # encoding; more bad characters than good ones do.
    wrong = text.count("\ufffd")
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return text if wrong == 0 or wrong * 2 <= foreign else None


def _codec(label: str | None) -> str | None:
    name = (label or "").strip(" \t\r\n\"'").lower()
    if name in _SUPERSETS:
        return _SUPERSETS[name]
    if not _LABEL.fullmatch(name):
        return None
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None
