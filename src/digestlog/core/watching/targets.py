"""Where a link leads, without what only this visit put into it."""

from __future__ import annotations

import re

from digestlog.core.canonical import canonicalize
from digestlog.errors import UrlError

MAX_HREF = 2_000

_VISIT = re.compile(
    r"^(?:(?:php)?sess(?:ion)?_?(?:id)?|sid|jsessionid|aspsessionid\w*|cfid|cftoken|s|token|csrf\w*"
    r"|_token|authenticity_token|nonce|sig(?:nature)?|expires?|ts?|time|timestamp|_|cb|cache\w*|rnd"
    r"|rand(?:om)?|"
    r"hash|v|ver|version|rev|build|x-amz-.*|x-goog-.*|policy|key-pair-id|awsaccesskeyid|click_?id|cid|uid"
    r"|visitor\w*|pos(?:ition)?|ref\w*|src|source|from|via|impression\w*|tracking\w*|trk\w*|click\w*"
    r"|req(?:uest)?_?id|return(?:_?(?:to|url))?|next|redirect\w*|continue|dest\w*|variant_?id|ab"
    r"|exp(?:eriment)?)$",
    re.I,
)
# A long run of digits and letters mixed: made by a machine for this visit or this build.
_RANDOM = re.compile(
    r"(?<![0-9A-Za-z])(?=[0-9A-Za-z_-]*\d)(?=[0-9A-Za-z_-]*[A-Za-z])(?:[0-9a-f]{8,}"
    r"|[0-9A-Za-z_-]{20,})(?![0-9A-Za-z])"
)
_HEX = re.compile(r"[0-9a-f]{4,}", re.I)
_OTHER = ("mailto:", "tel:")


def target(base: str, href: str) -> str | None:
    """The address that a reader would call the same, or None for what leads nowhere."""
    written = href.strip()[:MAX_HREF]
    if written.lower().startswith(_OTHER):
        return written.partition("?")[0]
    if (
        not written
        or written[0] == "#"
        or written.lower().startswith(("javascript:", "data:", "blob:", "about:"))
    ):
        return None
    try:
        url = canonicalize(written, "library", base)[0]
    except UrlError:
        return None
    address, _, query = url.partition("?")
    kept = [part for part in query.split("&") if part and not _is_of_visit(part)]
    return _plain(address) + ("?" + "&".join(kept) if kept else "")


def _is_of_visit(part: str) -> bool:
    name, _, value = part.partition("=")
    return _VISIT.match(name) is not None or _RANDOM.search(value) is not None


def _plain(address: str) -> str:
    """The address with machine-made parts of its path blanked."""
    head, slash, path = address.partition("://")[2].partition("/")
    return f"{head}{slash}{_RANDOM.sub('*', path)}" if _HEX.search(path) else f"{head}{slash}{path}"
