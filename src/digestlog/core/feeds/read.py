"""One way into every feed.

bytes -> JSON Feed
      -> fast lane, where nothing is in doubt
      -> tolerant lane, for everything else that a person would call a feed
"""

from __future__ import annotations

from digestlog.core.feeds.entry import Feed
from digestlog.core.feeds.fast import read_fast
from digestlog.core.feeds.identity import feed_text
from digestlog.core.feeds.json_feed import read_json
from digestlog.core.feeds.tolerant import read_tolerant
from digestlog.errors import ParseError

# Each costs memory, however short it is; a feed of 10,000 entries has a tenth of this.
MAX_ELEMENTS = 500_000

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"


def read_feed(body: bytes, url: str, content_type: str | None = None) -> Feed:
    """The feed at this address with its entries, however broken; ParseError when it is none."""
    if max(map(body.count, (b"<", b"[", b"{"))) > MAX_ELEMENTS:
        raise ParseError(f"This has more than {MAX_ELEMENTS:,} elements, more than a feed can have.")
    feed = _read(body, url, content_type)
    if feed is None:
        raise ParseError("This is not a feed.", "Open the address in a browser to see what it answers.")
    return feed


def read_sure(body: bytes, url: str, content_type: str | None = None) -> Feed | None:
    """The feed where it can be read at once, in the fast lane or as JSON; None: `read_feed` takes longer."""
    document = _utf8(body)
    if document is None:
        return None
    if document.startswith(b"{"):
        return read_json(document.decode(), url, content_type)
    return read_fast(document, url)


def _read(body: bytes, url: str, content_type: str | None) -> Feed | None:
    # Most feeds are plain UTF-8: they are read as they are, and decoded only when in doubt.
    document = _utf8(body)
    if document is not None and (feed := read_fast(document, url)):
        return feed
    text = feed_text(body, content_type)
    if text.startswith("{"):
        return read_json(text, url, content_type)
    feed = read_fast(text.encode("utf-8", "replace"), url) if document is None else None
    return feed or read_tolerant(text, url)


def _utf8(body: bytes) -> bytes | None:
    """The document itself where it is plain UTF-8; None where its encoding has to be found out."""
    # An escape announces ISO-2022-JP, a zero byte a wide encoding; both can look like UTF-8.
    if b"\x1b" in body or b"\0" in body:
        return None
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError:
            return None
    return body.removeprefix(_BOM).lstrip(_SPACE)
