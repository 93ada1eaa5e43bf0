"""The packaged rules, and rules as a person writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.policy import (
    ALLOW,
    BLOCK,
    DECISIONS,
    IP_ADDRESS,
    KINDS,
    LOOK_ALIKE,
    REASONS,
    REVIEW,
    Decision,
    Rule,
    address,
    decide,
)
from digestlog.core.policy_pattern import MAX_PATTERN, compiled
from digestlog.core.policy_rules import (
    MAX_RULES_BYTES,
    MAX_WORDS,
    checked,
    host_name,
    packaged,
    read_rules,
    rule,
)
from digestlog.errors import ConfigError, DigestlogError, ParseError


def by_packaged(url: str) -> Decision:
    return decide(address(url), [], packaged().fitting(address(url)), [])


# --- the packaged set -------------------------------------------------------------------------

DECIDED = [
    ("https://films.xxx/", BLOCK, "adult_content"),
    ("https://a.b.porn/login", BLOCK, "adult_content"),
    ("https://live.webcam/", REVIEW, "adult_content"),
    ("https://lucky.casino/", BLOCK, "illegal_or_regulated"),
    ("https://win.bet/", BLOCK, "illegal_or_regulated"),
    ("https://draw.lotto/", REVIEW, "illegal_or_regulated"),
    ("https://cheap.top/offer", REVIEW, "spam_or_low_quality"),
    ("https://free.tk/", REVIEW, "spam_or_low_quality"),
    ("https://invoice.zip/", REVIEW, "malware_or_phishing"),
    ("http://abc.onion/", REVIEW, "auth_wall_or_uncheckable"),
    ("http://8.8.8.8/", REVIEW, "spam_or_low_quality"),
    ("http://134744072/", REVIEW, "spam_or_low_quality"),
    ("http://[2606:4700::1111]/x", REVIEW, "spam_or_low_quality"),
    ("https://gооgle.com/", REVIEW, "malware_or_phishing"),
    ("https://bit.ly/3abc", REVIEW, "spam_or_low_quality"),
    ("https://www.tinyurl.com/x", REVIEW, "spam_or_low_quality"),
    ("https://a.example/login", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/users/Sign_In/", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/log%69n?next=/", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/blog/wp-login.php", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/account/orders", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/de/checkout", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/reset-password/x", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/doc?access_token=abc", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/doc?a=1&PASSWORD=abc", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/get/Setup.EXE", REVIEW, "malware_or_phishing"),
    ("https://a.example/app.apk?v=2", REVIEW, "malware_or_phishing"),
    ("https://a.example/film.mp4", REVIEW, "auth_wall_or_uncheckable"),
    ("https://a.example/photo.jpeg", REVIEW, "auth_wall_or_uncheckable"),
]

LEFT_ALONE = [
    "https://a.example/",
    "https://a.example/pricing?plan=2",
    "https://a.example/blog/how-to-login-safely",
    "https://a.example/accounting/news",
    "https://a.example/cartoons/1",
    "https://a.example/docs/exe-files",
    "https://a.example/page.html",
    "https://a.example/page.php?id=3",
    "https://a.example/paper.pdf",
    "https://a.example/?q=password",
    "https://bit.ly.example/x",
    "https://münchen.de/",
    "https://xn--80akhbyknj4f.xn--p1ai/",
    "https://casino.example/",
    "https://abc.xyz/",
    "http://127.0.0.1:8080/x",
    "http://192.168.1.20/status",
    "http://nas/",
]


@pytest.mark.parametrize(("url", "decision", "code"), DECIDED)
def test_the_packaged_rules_decide(url: str, decision: str, code: str) -> None:
    found = by_packaged(url)
    assert (found.decision, found.reason_code) == (decision, code)


@pytest.mark.parametrize("url", LEFT_ALONE)
def test_the_packaged_rules_leave_alone(url: str) -> None:
    assert by_packaged(url).decision == ALLOW


def test_every_packaged_rule_can_be_used_and_explains_itself() -> None:
    rules = packaged().rules
    assert len({(one.kind, one.pattern) for one in rules}) == len(rules)
    for one in rules:
        assert one.decision in (BLOCK, REVIEW) and one.reason_code in REASONS
        assert one.words and len(one.words.split()) > 5
        if one.kind == "shape":
            assert one.pattern in (IP_ADDRESS, LOOK_ALIKE)
        else:
            assert rule(one.kind, one.pattern, one.decision, one.reason_code, one.words) == one


def test_the_packaged_patterns_fit_something_that_they_name() -> None:
    """Each alternative behind a folder, its stars taken for nothing, is an address that it decides about."""
    for one in packaged().rules:
        if one.kind == "path":
            for pieces in compiled(one.pattern).alternatives:
                assert by_packaged("https://a.example/x" + "".join(pieces)).kind == "path", pieces


# --- what a person writes ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "pattern", "stored"),
    [
        ("host", "Shop.Example", "shop.example"),
        ("host", "shop.example.", "shop.example"),
        ("host", "münchen.example", "xn--mnchen-3ya.example"),
        ("host", "192.0.2.7", "192.0.2.7"),
        ("host", "[2001:DB8::1]", "[2001:db8::1]"),
        ("host", "nas", "nas"),
        ("host", " shop.example\n", "shop.example"),
        ("domain", "*.shop.example", "shop.example"),
        ("domain", ".shop.example", "shop.example"),
        ("domain", "a_b.example", "a_b.example"),
        ("tld", ".XXX", "xxx"),
        ("tld", "рф", "xn--p1ai"),
        ("path", "/Login/*", "/Login/*"),
        ("path", "/straße", "/straße"),
        ("query", "token", "token"),
        ("url", "https://shop.example/{a,b}/*", "https://shop.example/{a,b}/*"),
        ("url", "*.münchen.example/ä*", "*.xn--mnchen-3ya.example/ä*"),
        ("url", "https://münchen.example", "https://xn--mnchen-3ya.example"),
    ],
)
def test_a_pattern_is_stored_as_addresses_have_it(kind: str, pattern: str, stored: str) -> None:
    assert rule(kind, pattern, BLOCK, "unknown").pattern == stored


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("host", ""),
        ("host", "https://shop.example"),
        ("host", "shop.example/x"),
        ("host", "shop.example:80"),
        ("host", "shop.example:8080"),
        ("host", "me@shop.example"),
        ("host", "shop.example?x"),
        ("host", "shop.example#x"),
        ("host", "shop example"),
        ("host", "*.shop.example"),
        ("host", "sh%6Fp.example"),
        ("host", "[::1]:80"),
        ("host", "a..b"),
        ("domain", "*.*.example"),
        ("domain", "."),
        ("tld", "co.uk"),
        ("tld", "*"),
        ("path", ""),
        ("path", "*"),
        ("query", "**"),
        ("path", "/{a"),
        ("path", "/" + "a" * MAX_PATTERN),
        ("url", "ä*.example/"),
        ("url", "{ä,b}.example/"),
        ("url", "ä b.example/"),
        ("shape", "ip-address"),
        ("regex", ".*"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(kind: str, pattern: str) -> None:
    with pytest.raises(ConfigError) as caught:
        rule(kind, pattern, BLOCK, "unknown")
    assert caught.value.hint and "\n" not in caught.value.message


def test_an_unknown_decision_or_reason_is_refused() -> None:
    with pytest.raises(ConfigError, match="no decision"):
        rule("tld", "xxx", "forbid")
    with pytest.raises(ConfigError, match="no reason"):
        rule("tld", "xxx", BLOCK, "bad")


def test_a_refusal_has_a_reason_and_an_allowance_needs_none() -> None:
    assert checked(BLOCK, None) == "unknown"
    assert checked(REVIEW, None) == "unknown"
    assert checked(ALLOW, None) is None
    assert checked(ALLOW, "duplicate") == "duplicate"


def test_words_are_cleaned_and_bounded() -> None:
    assert rule("tld", "xxx", BLOCK, None, " not\x1b here\n") == Rule(
        "tld", "xxx", BLOCK, "unknown", "not here"
    )
    assert rule("tld", "xxx", BLOCK, None, " ").words is None
    with pytest.raises(ConfigError, match="too many words"):
        rule("tld", "xxx", BLOCK, None, "x" * (MAX_WORDS + 1))


@given(st.sampled_from(KINDS), st.text(max_size=30), st.sampled_from(DECISIONS))
def test_whatever_a_person_writes_is_a_rule_or_refused(kind: str, pattern: str, decision: str) -> None:
    try:
        written = rule(kind, pattern, decision)
    except DigestlogError:
        return
    # What is stored means the same when it is written again.
    assert rule(kind, written.pattern, decision) == written
    assert "\0" not in written.pattern


@given(st.text(max_size=20))
def test_a_host_name_is_the_host_of_its_address(text: str) -> None:
    found = host_name(text)
    if found is not None:
        assert address(f"http://{text}").host == found
        assert host_name(found) == found


# --- a file of rules --------------------------------------------------------------------------


def as_file(*rules: Any) -> bytes:
    return json.dumps({"rules": rules}).encode()


def test_a_file_of_rules_is_read() -> None:
    body = as_file(
        {"kind": "tld", "patterns": ["XXX", ".sex"], "decision": "block", "reason_code": "adult_content"},
        {"kind": "host", "pattern": "a.example", "decision": "allow", "words": "ours", "id": "any"},
    )
    assert read_rules(b"\xef\xbb\xbf" + body) == [
        Rule("tld", "xxx", BLOCK, "adult_content"),
        Rule("tld", "sex", BLOCK, "adult_content"),
        Rule("host", "a.example", ALLOW, None, "ours"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"\xff{}",
        b'{"rules": 3}',
        b'{"rules": []}',
        b'{"rules": [3]}',
        b'{"rules": "abc"}',
        b'{"rules": {"kind": 1}}',
        as_file({"kind": "tld", "decision": "block"}),
        as_file({"pattern": "xxx", "decision": "block"}),
        as_file({"kind": "tld", "pattern": "xxx"}),
        as_file({"kind": "tld", "pattern": 3, "decision": "block"}),
        as_file({"kind": "tld", "patterns": "xxx", "decision": "block"}),
        as_file({"kind": "tld", "patterns": [], "decision": "block"}),
        as_file({"kind": ["tld"], "pattern": "xxx", "decision": "block"}),
        as_file({"kind": "tld", "pattern": "xxx", "decision": "block", "words": 3}),
        as_file({"kind": "tld", "pattern": "xxx", "decision": "block", "reason_code": []}),
        b'{"rules": ' + b"[" * 100_000,
        b"{" + b" " * MAX_RULES_BYTES,
    ],
)
def test_what_is_no_file_of_rules_is_refused(body: bytes) -> None:
    with pytest.raises(ParseError) as caught:
        read_rules(body)
    assert caught.value.hint


def test_one_bad_rule_refuses_the_file() -> None:
    good = {"kind": "tld", "pattern": "xxx", "decision": "block"}
    with pytest.raises(ConfigError):
        read_rules(as_file(good, {**good, "pattern": "a.b"}))
