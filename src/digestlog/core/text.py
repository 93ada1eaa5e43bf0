"""Bytes to characters, characters to text a person can read."""

from __future__ import annotations

import codecs
import html
import json
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

# Two backslashes are one that is meant; what follows them is no escape.
_NUL_IN_JSON = re.compile(r"(\\\\)|\\u0000")

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
# Names as browsers read them, often for more than the name covers, and the codec for each. Only
# these reach Python's codecs: punycode and idna take quadratic time, others are no encodings.
# Underscores are hyphens here.
_LABELS = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "cp1252": "ascii us-ascii ansi-x3.4-1968 latin1 latin-1 l1 iso-8859-1 iso8859-1 iso88591 iso-ir-100"
    " csisolatin1 cp819 ibm819",
    "cp1254": "iso-8859-9 iso8859-9 iso88599 iso-ir-148 latin5 l5 csisolatin5",
    "cp874": "windows-874 cp874 dos-874 tis-620 iso-8859-11 iso8859-11 iso885911",
    "iso8859-2": "iso-ir-101 latin2 l2 csisolatin2",
    "iso8859-3": "iso-ir-109 latin3 l3 csisolatin3",
    "iso8859-4": "iso-ir-110 latin4 l4 csisolatin4",
    "iso8859-5": "iso-ir-144 cyrillic csisolatincyrillic",
    "iso8859-6": "iso-ir-127 arabic csisolatinarabic asmo-708 ecma-114 iso-8859-6-e iso-8859-6-i"
    " csiso88596e csiso88596i",
    "iso8859-7": "iso-ir-126 greek greek8 csisolatingreek ecma-118 elot-928 sun-eu-greek",
    "iso8859-8": "iso-ir-138 hebrew visual logical csisolatinhebrew iso-8859-8-e iso-8859-8-i"
    " csiso88598e csiso88598i",
    "iso8859-10": "iso-ir-157 latin6 l6 csisolatin6",
    "iso8859-15": "l9 csisolatin9 latin9 latin-9",
    "koi8-r": "koi8-r koi8 koi cskoi8r",
    "koi8-u": "koi8-u koi8-ru",
    "cp866": "cp866 866 ibm866 csibm866",
    "mac-roman": "macintosh mac x-mac-roman csmacintosh",
    "mac-cyrillic": "mac-cyrillic x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "gb18030 gbk x-gbk gb2312 gb-2312 gb-2312-80 chinese iso-ir-58 csgb2312 csiso58gb231280",
    "cp950": "big5 cn-big5 x-x-big5 csbig5",
    "big5hkscs": "big5-hkscs",
    "cp932": "shift-jis sjis x-sjis windows-31j ms932 ms-kanji csshiftjis",
    "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp949": "euc-kr windows-949 korean ks-c-5601-1987 ks-c-5601-1989 ksc5601 ksc-5601 iso-ir-149 cseuckr"
    " csksc56011987",
}
_CODECS = (
    {
        f"{name}{part}": f"iso8859-{part}"
        for name in ("iso-8859-", "iso8859-", "iso8859")
        for part in range(2, 17)
        if part != 12  # never became a standard
    }
    | {f"{name}125{last}": f"cp125{last}" for name in ("windows-", "cp", "x-cp") for last in range(9)}
    | {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
)
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


def json_text(value: object) -> str:
    """The value as JSON, in ASCII, without NUL in its texts."""
    return _NUL_IN_JSON.sub(lambda found: found[1] or "", json.dumps(value))


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
    name, _, _ = (label or "").strip(" \t\r\n\"'").lower().partition(":")
    return _CODECS.get(name.replace("_", "-"))
