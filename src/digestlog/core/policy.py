"""Whether a page may be watched: allow, block or review, with the reason and what it rests on.

Who decides, first to last:

  1. a person's own rules: the most specific one that fits
  2. lists that a person imported to allow what they name
  3. the packaged rules and all other lists: the stricter answer
  4. nobody: allow

Within a set of rules the most specific wins: url, host, domain (the longest name), then tld, shape, path and
query together, which hold for the whole web: of these the strictest. docs/policy.md tells it at length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from digestlog.core.canonical import canonicalize
from digestlog.core.lookalikes import is_lookalike
from digestlog.core.policy_pattern import compiled, folded

ALLOW, BLOCK, REVIEW = "allow", "block", "review"
DECISIONS = (ALLOW, BLOCK, REVIEW)
REASONS: Final = {
    "adult_content": "pornography or other explicit material",
    "hate_or_extremism": "hate speech or extremist content",
    "malware_or_phishing": "known to be malicious",
    "spam_or_low_quality": "spam, or an ending that spam likes",
    "illegal_or_regulated": "gambling, drugs or weapons",
    "auth_wall_or_uncheckable": "behind a login, or nothing that can be checked",
    "duplicate": "there already",
    "unknown": "not classified",
}
OWN, PACKAGED, LIST = "own", "packaged", "list"
# What a person may write; the packaged rules know `shape` as well.
KINDS = ("host", "domain", "tld", "path", "url", "query")
IP_ADDRESS, LOOK_ALIKE = "ip-address", "look-alike"

_PORT = re.compile(r":[0-9]+\Z")
_STRICTEST = {BLOCK: 0, REVIEW: 1, ALLOW: 2}
# One of these on a list takes the name behind it off that list again.
EXCEPT = "!"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about an address; reason_code None: nothing speaks against it."""

    decision: str
    reason_code: str | None
    hostname: str
    pattern: str | None
    reason: str
    # Which kind of rule decided and where it came from: own, packaged, or the name of a list.
    kind: str | None = None
    origin: str | None = None
    list_name: str | None = None

    @property
    def evidence(self) -> dict[str, str | None]:
        """What the audit log keeps."""
        return {"hostname": self.hostname, "pattern": self.pattern, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule says about the addresses that fit it."""

    kind: str
    pattern: str
    decision: str
    reason_code: str | None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A name on a list that stands for a host, and what being on that list means."""

    list_name: str
    domain: str
    decision: str
    reason_code: str | None
    words: str | None = None


@dataclass(frozen=True)
class Address:
    """An address with its parts as the rules see them."""

    url: str
    host: str
    path: str
    query: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The host and every domain above it, the longest first; of a number only itself."""
        if self.number is not None:
            return (self.host,)
        labels = self.host.split(".")
        return tuple(".".join(labels[at:]) for at in range(len(labels)))

    @cached_property
    def number(self) -> str | None:
        """The IP address, if the host is one."""
        bare = self.host.strip("[]")
        return bare if ":" in bare or bare.replace(".", "").isdigit() else None

    @cached_property
    def texts(self) -> Mapping[str, tuple[str, ...]]:
        """What a pattern of each kind may cover; paths with and without a slash at their end."""
        path = _both_ends(folded(self.path))
        url = folded(self.url)
        whole = (url,) if self.query else _both_ends(url)
        segments = [folded(part) for part in self.query.split("&")] if self.query else []
        return {
            "path": path,
            "url": whole + tuple(text.partition("://")[2] for text in whole),
            "query": tuple(text for part in segments for text in (part, part.partition("=")[0])),
        }


def address(url: str) -> Address:
    """The address as the library knows it; UrlError if the text is none."""
    whole, _ = canonicalize(url, "library")
    parts = urlsplit(whole)
    host = _PORT.sub("", parts.netloc)
    return Address(whole, host, parts.path, parts.query)


def fits(rule: Rule, asked: Address) -> bool:
    """True if the rule speaks about the address."""
    match rule.kind:
        case "host":
            return rule.pattern == asked.host
        case "domain":
            return rule.pattern in asked.names
        case "tld":
            return asked.number is None and rule.pattern == asked.names[-1]
        case "shape":
            return rule.pattern in _shapes(asked)
        case kind:
            pattern = compiled(rule.pattern)
            return any(pattern.fits(text) for text in asked.texts[kind])


class RuleSet:
    """Many rules, those about names found without looking at the others."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._named = {(rule.kind, rule.pattern): rule for rule in self.rules}
        self._others = tuple(rule for rule in self.rules if rule.kind in ("path", "url", "query"))

    def fitting(self, asked: Address) -> list[Rule]:
        """The rules that speak about the address."""
        keys = [("host", asked.host), *(("domain", name) for name in asked.names)]
        keys += [("shape", shape) for shape in _shapes(asked)]
        if asked.number is None:
            keys.append(("tld", asked.names[-1]))
        named = [self._named[key] for key in keys if key in self._named]
        return named + [rule for rule in self._others if fits(rule, asked)]


def decide(
    asked: Address, own: Iterable[Rule], packaged: Iterable[Rule], listed: Iterable[Listed]
) -> Decision:
    """The decision, from all rules that fit the address and all lists that name it."""
    mine = sorted(own, key=_precedence)
    if mine:
        return _by_rule(asked, mine[0], OWN)
    found = sorted(listed, key=_list_precedence)
    allowed = [one for one in found if one.decision == ALLOW]
    if allowed:
        return _by_list(asked, allowed[0])
    answers = [_by_rule(asked, rule, PACKAGED) for rule in sorted(packaged, key=_precedence)[:1]]
    answers += [_by_list(asked, one) for one in found[:1]]
    # Of two that are equally strict the first, which is the packaged one.
    nobody = Decision(ALLOW, None, asked.host, None, "no rule speaks against it")
    return min(answers, key=lambda answer: _STRICTEST[answer.decision], default=nobody)


def on_list(asked: Address, rows: Iterable[tuple[str, bool]]) -> str | None:
    """The longest name of one list's rows that stands for the host, unless the list excepts it.

    A row is a name and whether all names below it are meant; without them, `www.` before it still is.
    """
    exact = (asked.host, asked.host.removeprefix("www."))
    meant = [name for name, below in rows if below or name.removeprefix(EXCEPT) in exact]
    if any(name.startswith(EXCEPT) for name in meant):
        return None
    return max(meant, key=len, default=None)


def _shapes(asked: Address) -> list[str]:
    if asked.number is not None:
        # A number of one's own network is no concern of other people.
        return [IP_ADDRESS] if ip_address(asked.number).is_global else []
    return [LOOK_ALIKE] if is_lookalike(asked.host) else []


def _both_ends(text: str) -> tuple[str, ...]:
    return (text,) if text.endswith("/") else (text, text + "/")


def _precedence(rule: Rule) -> tuple[int, int, int, str, str]:
    """Sorts the rule that wins to the front; the last two only so that the order is always the same."""
    strict = _STRICTEST[rule.decision]
    match rule.kind:
        case "url":
            return 0, -compiled(rule.pattern).literals, strict, rule.kind, rule.pattern
        case "host":
            return 1, 0, strict, rule.kind, rule.pattern
        case "domain":
            return 2, -len(rule.pattern), strict, rule.kind, rule.pattern
        case "path" | "query":
            return 3, strict, -compiled(rule.pattern).literals, rule.kind, rule.pattern
        case _:
            return 3, strict, -len(rule.pattern), rule.kind, rule.pattern


def _list_precedence(one: Listed) -> tuple[int, int, str]:
    return _STRICTEST[one.decision], -len(one.domain), one.list_name


def _by_rule(asked: Address, rule: Rule, origin: str) -> Decision:
    said = rule.words or _REASONED[rule.decision].format(REASONS.get(rule.reason_code or "", ""))
    return Decision(
        rule.decision, rule.reason_code, asked.host, rule.pattern, said, kind=rule.kind, origin=origin
    )


def _by_list(asked: Address, one: Listed) -> Decision:
    said = f"on the list {one.list_name}: {one.words or REASONS.get(one.reason_code or '', 'allowed')}"
    return Decision(
        one.decision, one.reason_code, asked.host, one.domain, said, "domain", LIST, one.list_name
    )


_REASONED = {ALLOW: "a rule allows it", BLOCK: "a rule blocks it: {}", REVIEW: "a rule asks for a look: {}"}
