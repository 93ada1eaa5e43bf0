"""Feed bytes: which kind of feed they are, and whose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from digestlog.core.text import after_prolog, clean, clean_html, decode_xml, mended, root_name

_RSS_11 = "http://purl.org/net/rss1.1#"
_RSS_IN_RDF = ("purl.org/rss", "purl.org/net/rss", "netscape.com/rdf", "rss:")
_ATOM_CHILDREN = frozenset({"title", "entry", "id", "updated", "modified", "link"})
_HTML_TYPES = ("", "text/html", "application/xhtml+xml")
# PHP prints its warnings as HTML in front of the document.
_WARNING_TAGS = frozenset({"br", "b"})
_WARNING_CHARS = 4096
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


@dataclass(frozen=True, slots=True)
class FeedIdentity:
    """A feed's kind (rss, rdf, atom, json, cdf), its title, and its site's address as written."""

    kind: str
    title: str | None
    site_url: str | None


def identify(body: bytes, content_type: str | None = None) -> FeedIdentity | None:
    """The feed that these bytes are, however broken or mislabelled, or None; never raises."""
    text = feed_text(body, content_type)
    if text.startswith("{"):
        return json_identity(json_value(text), content_type)
    document = feed_document(text)
    root = parse_document(document)[0] if document else None
    return identity_of(root) if root is not None else None


def feed_text(body: bytes, content_type: str | None) -> str:
    """The characters of a document from its first visible one on."""
    charset = _CHARSET.search(content_type or "")
    return decode_xml(body, charset[1] if charset else None).lstrip("\ufeff \t\r\n")


def feed_document(text: str) -> bytes | None:
    """The mended XML from the text's root element on, if that is named like a feed's."""
    document = _without_warnings(after_prolog(text))
    if root_name(document) not in _JUDGES:
        return None
    # The parser drops a section that was cut off; it is the title as often as not.
    cut_off = document.rfind("<![CDATA[") > document.rfind("]]>")
    return mended(document + "]]>" if cut_off else document)


def begins_with_junk(text: str) -> bool:
    """Whether something other than markup that XML allows stands before the root element."""
    return not text.startswith(("<?", "<!")) and root_name(text) not in _JUDGES


def parse_document(document: bytes) -> tuple[etree._Element | None, str | None]:
    """The root that can be saved from a document, and what is wrong with the document."""
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(document, parser)
    except etree.XMLSyntaxError:
        return None, None
    return root, next((clean(error.message) for error in parser.error_log), None)


def identity_of(root: etree._Element) -> FeedIdentity | None:
    """What the root says about its feed; None if it is another kind of document."""
    judge = _JUDGES.get(local_name(root))
    return judge(root) if judge else None


def _without_warnings(document: str) -> str:
    if root_name(document) not in _WARNING_TAGS:
        return document
    start = document.find("<?xml", 0, _WARNING_CHARS)
    return after_prolog(document[start:]) if start > 0 else document


def json_value(text: str) -> dict[str, Any] | None:
    """The object that a JSON text writes; None when it is broken or something else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def json_identity(value: dict[str, Any] | None, content_type: str | None) -> FeedIdentity | None:
    """The JSON Feed that the object is, by its version or its content type, or None."""
    if value is None:
        return None
    version = value.get("version")
    declared = "feed+json" in (content_type or "").lower() and isinstance(value.get("items"), list)
    if not declared and not (isinstance(version, str) and "jsonfeed.org/version/" in version):
        return None
    title, site = value.get("title"), value.get("home_page_url")
    return FeedIdentity(
        "json",
        clean_html(title) if isinstance(title, str) else None,
        _site(site) if isinstance(site, str) else None,
    )


def _rss(root: etree._Element) -> FeedIdentity | None:
    channel = next(_children(root, "channel"), None)
    # A text that merely mentions <rss> has neither.
    if channel is None and root.get("version") is None and next(_children(root, "item"), None) is None:
        return None
    return _channel_identity("rss", root if channel is None else channel)


def _rdf(root: etree._Element) -> FeedIdentity | None:
    """Feeds among the RDF documents: those with an RSS channel or item."""
    for name in ("channel", "item"):
        for child in _children(root, name):
            if not namespace_of(child) or any(known in namespace_of(child) for known in _RSS_IN_RDF):
                return _channel_identity("rdf", child if name == "channel" else root)
    return None


def _atom(root: etree._Element) -> FeedIdentity | None:
    namespace = namespace_of(root).lower()
    if namespace and "atom" not in namespace:
        return None
    # Without a namespace the name alone says little: shops call their product lists feeds too.
    if not namespace and not any(local_name(child) in _ATOM_CHILDREN for child in root):
        return None
    return FeedIdentity("atom", _text(root, "title"), _atom_site(root))


def _channel(root: etree._Element) -> FeedIdentity | None:
    """RSS 1.1, CDF, and RSS that lost its outer element all begin with a channel."""
    if namespace_of(root) == _RSS_11:
        return _channel_identity("rdf", root)
    if root.tag == "CHANNEL" or _href(root) or any(_href(item) for item in _children(root, "item")):
        anchor = next(_children(root, "a"), root)
        return FeedIdentity("cdf", _text(root, "title"), _site(_href(root) or _href(anchor)))
    if next(_children(root, "item"), None) is None:
        return None
    return _channel_identity("rss", root)


_JUDGES = {"rss": _rss, "rdf": _rdf, "feed": _atom, "channel": _channel}


def _channel_identity(kind: str, channel: etree._Element) -> FeedIdentity:
    return FeedIdentity(kind, _text(channel, "title"), _site(_text(channel, "link")))


def _atom_site(root: etree._Element) -> str | None:
    """The alternate link, an HTML one before any other."""
    links = [link for link in _children(root, "link") if link.get("rel", "alternate").lower() == "alternate"]
    links.sort(key=lambda link: link.get("type", "").lower() not in _HTML_TYPES)
    return next((site for link in links if (site := _site(link.get("href")))), None)


def _site(address: str | None) -> str | None:
    """The address if it is on the web or relative; the caller knows what it is relative to."""
    address = clean(address)
    if address is None or (_SCHEME.match(address) and not address.lower().startswith(("http:", "https:"))):
        return None
    return address


def _text(parent: etree._Element, name: str) -> str | None:
    """The first non-empty text among the parent's own elements of that name."""
    texts = (clean_html("".join(child.itertext())) for child in _children(parent, name))
    return next((text for text in texts if text), None)


def _children(parent: etree._Element, name: str) -> Iterator[etree._Element]:
    """Children of that name that belong to the format, not to a module such as itunes or media."""
    own = {namespace_of(parent), ""}
    for child in parent:
        # In an RDF document the root's own namespace is RDF, that of its children RSS.
        if local_name(child) == name and (namespace_of(child) in own or local_name(parent) == "rdf"):
            yield child


def _href(element: etree._Element) -> str | None:
    return next((str(value) for name, value in element.items() if str(name).lower() == "href"), None)


def local_name(element: etree._Element) -> str:
    """The element's name in lower case, without namespace or prefix."""
    return name_parts(str(element.tag))[1].lower()


def namespace_of(element: etree._Element) -> str:
    """The element's namespace, or its undeclared prefix with the colon."""
    return name_parts(str(element.tag))[0]


def name_parts(tag: str) -> tuple[str, str]:
    """The parts of a name; a prefix that was never declared, colon included, stands for its namespace."""
    before, brace, name = tag.rpartition("}")
    if brace:
        return before.removeprefix("{"), name
    prefix, colon, name = tag.rpartition(":")
    return prefix + colon, name
