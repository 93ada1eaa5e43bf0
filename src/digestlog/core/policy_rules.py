"""The packaged rules, and rules as a person writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from digestlog import resources
from digestlog.core.canonical import canonicalize
from digestlog.core.policy import ALLOW, DECISIONS, KINDS, REASONS, Rule, RuleSet
from digestlog.core.policy_pattern import compiled
from digestlog.core.text import clean
from digestlog.errors import ConfigError, ParseError, UrlError

MAX_RULES_BYTES = 4_000_000
MAX_WORDS = 500


@lru_cache(maxsize=1)
def packaged() -> RuleSet:
    """The rules that come with the program."""
    groups = json.loads(resources.policy_rules())["rules"]
    return RuleSet(
        Rule(group["kind"], pattern, group["decision"], group["reason_code"], group["words"])
        for group in groups
        for pattern in group["patterns"]
    )


def rule(
    kind: str, pattern: str, decision: str, reason_code: str | None = None, words: str | None = None
) -> Rule:
    """The rule that a person describes, its pattern as it is stored; ConfigError if it cannot be used.

    A refusal without a reason has the code unknown; an allowance needs none.
    """
    _require("kind", kind, KINDS)
    code = checked(decision, reason_code)
    said = clean(words)
    if said and len(said) > MAX_WORDS:
        raise ConfigError(f"{said[:20]}… are too many words", f"at most {MAX_WORDS} characters")
    return Rule(kind, _normal(kind, clean(pattern) or ""), decision, code, said)


def checked(decision: str, reason_code: str | None) -> str | None:
    """The reason code that goes with a decision; ConfigError if one of them is unknown."""
    _require("decision", decision, DECISIONS)
    if reason_code is not None:
        _require("reason", reason_code, tuple(REASONS))
    return reason_code or (None if decision == ALLOW else "unknown")


def read_rules(body: bytes) -> list[Rule]:
    """The rules of a JSON file in the form of the packaged ones; ParseError or ConfigError if it is none."""
    if len(body) > MAX_RULES_BYTES:
        raise ParseError("this file of rules is too large", f"at most {MAX_RULES_BYTES:,} bytes")
    try:
        groups = json.loads(body.decode("utf-8-sig"))["rules"]
        found = [one for group in groups for one in _of_group(group)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ParseError("this is no file of rules", "see docs/policy.md for what it looks like") from error
    if not found:
        raise ParseError("this file has no rules", "see docs/policy.md for what it looks like")
    return found


def _of_group(group: dict[str, Any]) -> Iterator[Rule]:
    patterns = group["patterns"] if "patterns" in group else [group["pattern"]]
    rest = [group.get(name) for name in ("reason_code", "words")]
    values = [group["kind"], group["decision"], *(value for value in rest if value is not None), *patterns]
    if isinstance(patterns, str) or not all(isinstance(value, str) for value in values):
        raise TypeError("a rule is made of texts")
    for pattern in patterns:
        yield rule(group["kind"], pattern, group["decision"], *rest)


def _require(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ConfigError(f"{value[:40]!r} is no {what} of a rule", f"one of: {', '.join(known)}")


def _normal(kind: str, pattern: str) -> str:
    if kind in ("path", "query", "url"):
        if not pattern.strip("*"):
            raise ConfigError("a pattern that fits everything is no rule", "write more than stars")
        normal = _with_ascii_host(pattern) if kind == "url" else pattern
        compiled(normal)
        return normal
    name = host_name(pattern.removeprefix("*.").removeprefix(".") if kind != "host" else pattern)
    if name is None:
        raise ConfigError(f"{pattern[:60]!r} is no {kind}", "write a name like shop.example, without http://")
    if kind == "tld" and "." in name:
        raise ConfigError(f"{pattern[:60]!r} is more than an ending", "for names below it: policy add domain")
    return name


def host_name(text: str) -> str | None:
    """The host as addresses have it, international letters as punycode; None if the text is no host."""
    try:
        url, _ = canonicalize(f"http://{text}", "library")
    except UrlError:
        return None
    host = url.removeprefix("http://").removesuffix("/")
    # Whatever the text held besides a host would be left, or would have been taken away.
    tidy = text.rstrip(".")
    return host if "/" not in host and not set(tidy) & set("/\\?#@% ") and _portless(host, tidy) else None


def _portless(host: str, text: str) -> bool:
    return text.startswith("[") and text.endswith("]") if host.startswith("[") else ":" not in text


def _with_ascii_host(pattern: str) -> str:
    """The pattern with the labels of its host as addresses have them."""
    scheme, mark, rest = pattern.rpartition("://")
    host, slash, path = rest.partition("/")
    if host.isascii():
        return pattern
    labels = [label if label.isascii() else host_name(label) for label in host.split(".")]
    if None in labels or any(
        sign in label for label in host.split(".") if not label.isascii() for sign in "*{},"
    ):
        raise ConfigError(
            f"the host of {pattern[:60]} cannot be used",
            "write it in punycode, or without stars in the same label",
        )
    return f"{scheme}{mark}{'.'.join(str(label) for label in labels)}{slash}{path}"
