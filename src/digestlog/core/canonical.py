"""URL identity: one engine, three profiles.

Every identity that digestlog stores is computed here: `article_uuid` (ledger),
`url_hash` (history) and `canonical_url` (library). The rules are written down in
docs/urls.md; a change of CANON_VERSION or of the data's rules_version changes
identities and is never applied to a file in silence.
"""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import ada_url

from digestlog.errors import UrlError
from digestlog.resources import tracking_params

CANON_VERSION = 1

MAX_INPUT = 65_536
MAX_OUTPUT = 2_048

RESOLVED = "resolved_redirects"
TRACKING = "removed_tracking_params"
FRAGMENT = "removed_fragment"
SLASH = "normalized_trailing_slash"
HOST_CASE = "lowercased_host"
OTHER = "other_normalization"


@dataclass(frozen=True, slots=True)
class Profile:
    """What one use of the engine does beyond the base algorithm."""

    name: str
    keeps_slash: bool
    lowers_all: bool
    sorts_query: bool
    takes_notes: bool


LEDGER = Profile("ledger", keeps_slash=True, lowers_all=False, sorts_query=False, takes_notes=True)
HISTORY = Profile("history", keeps_slash=False, lowers_all=True, sorts_query=False, takes_notes=False)
LIBRARY = Profile("library", keeps_slash=False, lowers_all=False, sorts_query=True, takes_notes=False)
PROFILES = {profile.name: profile for profile in (LEDGER, HISTORY, LIBRARY)}


@dataclass(frozen=True, slots=True)
class LedgerUrl:
    """An article's address with the identity that the ledger stores."""

    original: str
    final: str
    notes: tuple[str, ...]
    article_uuid: str

    @property
    def matches(self) -> bool:
        """True if nothing had to be done to the original, byte for byte."""
        return self.original == self.final


def canonicalize(text: str, profile: str = "ledger", base: str | None = None) -> tuple[str, tuple[str, ...]]:
    """The canonical URL of a text and what was done to it; raises UrlError and nothing else."""
    rules = PROFILES[profile]
    text, cleaned = _with_scheme(text, base)
    if cleaned[:4].lower() != "http" or not _HTTP.match(cleaned):
        raise UrlError("unsupported_scheme")
    scheme, host, port, path, query = _parse(cleaned)
    path, repaired = _end_path(_drop_session(_encode(path, _PATH_CODED)), rules)
    segments = _encode(query, _QUERY_CODED).split("&") if query else []
    dropped = _tracking_segments(segments, host, rules) if segments else set()
    kept = [part for index, part in enumerate(segments) if part and index not in dropped]
    if rules.sorts_query:
        kept.sort(key=_name)
    url = f"{scheme}://{host}{port}{path}" + ("?" + "&".join(kept) if kept else "")
    if rules.lowers_all:
        url = url.lower()
    if len(url) > MAX_OUTPUT:
        raise UrlError("too_long")
    if not rules.takes_notes or url == text:
        return url, ()
    return url, _notes(text, cleaned, url, dropped, repaired)


def ledger_url(original: str, resolved: str | None = None, base: str | None = None) -> LedgerUrl:
    """The ledger's identity of an address; `resolved` only if a redirect was followed."""
    final, notes = canonicalize(resolved or original, "ledger", base)
    if resolved:
        notes = (RESOLVED, *notes)
    if base is not None:
        original, _ = _with_scheme(original, base)
    return LedgerUrl(without_userinfo(original), final, notes, article_uuid(final))


def article_uuid(final: str) -> str:
    """The ledger's id of a canonical final URL."""
    return "A_" + sha256(final.encode()).hexdigest()[:16]


def url_hash(url: str) -> str:
    """The history's key of any URL: 64 lower-case digits."""
    return sha256(canonicalize(url, "history")[0].encode()).hexdigest()


def url_id(canonical_url: str) -> str:
    """The library's id of a canonical URL, the same on every machine."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, canonical_url))


def twins(final: str) -> tuple[str, ...]:
    """The final URL, then its variants by trailing slash and scheme that count as the same article."""
    path, mark, query = final.partition("?")
    variants = [path]
    if path.count("/") > 3 or not path.endswith("/"):
        variants.append(path[:-1] if path.endswith("/") else path + "/")
    secure = final.startswith("https:")
    swapped = ["http" + v[5:] if secure else "https" + v[4:] for v in variants]
    return tuple(v + mark + query for v in variants + swapped)


def without_userinfo(text: str) -> str:
    """The address as written, less a user name and password."""
    return _USERINFO.sub(r"\1", text, count=1) if "@" in text else text


def dropped_params(url: str, profile: str = "ledger") -> tuple[str, ...]:
    """The names of the parameters that do not count for the identity of a URL that has one, as written."""
    _, host, _, _, query = _parse(_clean(url))
    segments = _encode(query, _QUERY_CODED).split("&")
    return tuple(_name(segments[at]) for at in sorted(_tracking_segments(segments, host, PROFILES[profile])))


def rules_version() -> int:
    """The version of the tracking-parameter data."""
    return _load_rules().version


# --- text and scheme ---------------------------------------------------------------------

_EDGES = "".join(map(chr, range(0x21))) + "\u00a0\u200b\ufeff"
_BREAKS = re.compile("[\t\n\r]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_HTTP = re.compile(r"https?:", re.IGNORECASE)


def _clean(text: object) -> str:
    """The text without surrounding white space and line breaks."""
    if not isinstance(text, str):
        raise UrlError("not_text")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UrlError("not_text") from None
    if len(text) > MAX_INPUT:
        raise UrlError("too_long")
    cleaned = _BREAKS.sub("", text.strip(_EDGES))
    if not cleaned:
        raise UrlError("empty")
    return cleaned


def _with_scheme(text: str, base: str | None) -> tuple[str, str]:
    """The text that counts as written, and its cleaned form; both absolute."""
    cleaned = _clean(text)
    if _SCHEME.match(cleaned):
        return text, cleaned
    if base is None:
        raise UrlError("relative")
    try:
        joined = ada_url.join_url(_clean(base), cleaned)
    except ValueError as error:
        raise error if isinstance(error, UrlError) else UrlError("invalid") from None
    return joined, _clean(joined)


# --- parsing -----------------------------------------------------------------------------

# What ada gives back for http and https: scheme://[user[:password]@]host[:port]/path[?query][#fragment].
_HREF = re.compile(
    r"(https?)://(?:[^/@]*@)?(\[[^\]]+\]|[^/:@]*)(:[0-9]+)?(/[^?#]*)(?:\?([^#]*))?",
)
_DOMAIN = re.compile(r"[a-z0-9\-._]+")


def _parse(cleaned: str) -> tuple[str, str, str, str, str]:
    """Scheme, host, port with its colon, path and query by the WHATWG URL Standard."""
    try:
        href = ada_url.normalize_url(cleaned)
    except ValueError:
        raise UrlError("invalid") from None
    parts = _HREF.match(href)
    if parts is None:
        raise UrlError("invalid")
    scheme, host, port, path, query = parts.groups("")
    if host[:1] != "[":
        host = host.removesuffix(".")
        if not _DOMAIN.fullmatch(host) or host[0] == "." or host[-1] == "." or ".." in host:
            raise UrlError("invalid")
    return scheme, host, port, path, query


# --- percent-encoding --------------------------------------------------------------------

_UNRESERVED = "A-Za-z0-9\\-._~"
_PATH_CODED = re.compile(rf"%([0-9A-Fa-f]{{2}})?|[^{_UNRESERVED}!$&'()*+,;=:@/]")
_QUERY_CODED = re.compile(rf"%([0-9A-Fa-f]{{2}})?|[^{_UNRESERVED}!$&()*+,;=:@/?]")
_IS_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def _encode(part: str, coded: re.Pattern[str]) -> str:
    """One pass: unreserved decoded, hex digits in upper case, everything else pinned to our set."""
    return coded.sub(_encode_one, part)


def _encode_one(match: re.Match[str]) -> str:
    digits = match[1]
    if digits:
        char = chr(int(digits, 16))
        return char if char in _IS_UNRESERVED else "%" + digits.upper()
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


# --- path --------------------------------------------------------------------------------

_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)


def _drop_session(path: str) -> str:
    """The path without `;jsessionid=…`, wherever a real segment is left."""
    if ";" not in path:
        return path
    segments = path.split("/")
    for index, segment in enumerate(segments):
        rest = _SESSION.sub("", segment)
        if rest not in ("", ".", ".."):
            segments[index] = rest
    return "/".join(segments)


def _end_path(path: str, rules: Profile) -> tuple[str, bool]:
    """The path with the profile's ending, and whether a run of slashes was shortened."""
    if path[-1] != "/" or path == "/":
        return path, False
    bare = path.rstrip("/")
    if not rules.keeps_slash:
        return bare or "/", True
    return bare + "/", path[-2] == "/"


# --- query -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rules:
    """The tracking-parameter data, ready for look-ups."""

    version: int
    names: dict[str, frozenset[str]]
    prefixes: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    by_host: dict[str, tuple[frozenset[str], tuple[str, ...]]]


@lru_cache(maxsize=1)
def _load_rules() -> _Rules:
    data = json.loads(tracking_params())
    common = frozenset(data["always"]["names"]) | frozenset(data["session"]["names"])
    risky = data["risky"]
    names = {p: common | {n for n, rule in risky.items() if p in rule["strip_in"]} for p in PROFILES}
    values: dict[str, tuple[str, ...]] = {}
    for rule in data["value_scoped"]:
        values[rule["name"]] = (*values.get(rule["name"], ()), rule["value_prefix"])
    by_host: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {}
    for group in data["host_scoped"]:
        for host in group["hosts"]:
            known, prefixes = by_host.get(host, (frozenset[str](), ()))
            by_host[host] = (known | set(group["names"]), (*prefixes, *group.get("prefixes", ())))
    return _Rules(data["rules_version"], names, tuple(data["always"]["prefixes"]), values, by_host)


@lru_cache(maxsize=4096)
def _host_rules(host: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names and prefixes that are tracking on this host and the domains above it."""
    names: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    for known, (more_names, more_prefixes) in _load_rules().by_host.items():
        if host == known or host.endswith("." + known):
            names, prefixes = names | more_names, prefixes + more_prefixes
    return names, prefixes


def _name(segment: str) -> str:
    return segment.partition("=")[0]


def _tracking_segments(segments: list[str], host: str, profile: Profile) -> set[int]:
    """The positions of the segments that say where a reader came from, not what is read."""
    rules = _load_rules()
    names = rules.names[profile.name]
    host_names, host_prefixes = _host_rules(host)
    dropped = set()
    for index, segment in enumerate(segments):
        name, _, value = segment.partition("=")
        name = name.lower()
        if (
            name in names
            or name.startswith(rules.prefixes)
            or name in host_names
            or (host_prefixes and name.startswith(host_prefixes))
            or (name in rules.values and value.lower().startswith(rules.values[name]))
        ):
            dropped.add(index)
    return dropped


# --- notes -------------------------------------------------------------------------------

_WRITTEN = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*:[/\\]*)(?P<authority>[^/\\?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?",
)
# What stands before an address's user name, as written: white space and line breaks may lie anywhere in it.
# Possessive, so that a text of nothing but line breaks takes linear time.
_USERINFO = re.compile(
    rf"\A([{re.escape(_EDGES)}]*+(?:[A-Za-z][A-Za-z0-9+.\-\t\n\r]*+:|[/\\][\t\n\r]*+[/\\])[/\\\t\n\r]*+)[^/\\?#]*@",
)
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def _notes(text: str, cleaned: str, final: str, dropped: set[int], repaired: bool) -> tuple[str, ...]:
    """The tokens, in their fixed order, that tell how the text became the final URL."""
    written = _WRITTEN.match(cleaned)
    assert written is not None  # noqa: S101 - the scheme was matched before
    slash = repaired or not written["path"]
    authority = _lower_host(written["authority"])
    notes = [
        token
        for token, applies in (
            (TRACKING, bool(dropped)),
            (FRAGMENT, "#" in cleaned),
            (SLASH, slash),
            (HOST_CASE, authority != written["authority"]),
        )
        if applies
    ]
    if _edited(text, dropped, slash) != final:
        notes.append(OTHER)
    return tuple(notes)


def _edited(text: str, dropped: set[int], slash: bool) -> str | None:
    """The text with nothing done to it but the edits that have a token of their own."""
    written = _WRITTEN.match(text)
    if written is None:  # white space before or in the scheme
        return None
    path = written["path"].rstrip("/") + "/" if slash else written["path"]
    return written["scheme"] + _lower_host(written["authority"]) + path + _without(written["query"], dropped)


def _lower_host(authority: str) -> str:
    """The authority as written with A–Z of its host lowered; user name and port stay."""
    user, at, rest = authority.rpartition("@")
    end = rest.find("]") + 1 if rest.startswith("[") else rest.find(":")
    host = rest if end < 1 else rest[:end]
    return user + at + host.translate(_LOWER) + rest[len(host) :]


def _without(query: str | None, dropped: set[int]) -> str:
    """The query as written, with its question mark, less the dropped segments."""
    if query is None:
        return ""
    kept = [part for index, part in enumerate(query.split("&")) if index not in dropped]
    return "?" + "&".join(kept) if kept else ""
