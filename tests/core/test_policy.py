"""Which rule decides about an address: what fits, and what comes first."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.policy import (
    ALLOW,
    BLOCK,
    DECISIONS,
    LIST,
    OWN,
    PACKAGED,
    REASONS,
    REVIEW,
    Decision,
    Listed,
    Rule,
    RuleSet,
    address,
    decide,
    fits,
    on_list,
)
from digestlog.errors import UrlError

SHOP = "https://www.shop.example/Cart/42?item=7&token=x%20y"


def rule(kind: str, pattern: str, decision: str = BLOCK, code: str | None = "unknown") -> Rule:
    return Rule(kind, pattern, decision, code)


def listed(name: str, domain: str, decision: str = BLOCK, words: str | None = None) -> Listed:
    return Listed(name, domain, decision, None if decision == ALLOW else "malware_or_phishing", words)


# --- the address ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "host", "names"),
    [
        ("https://A.B.Example/x", "a.b.example", ("a.b.example", "b.example", "example")),
        ("http://a.example:8080/", "a.example", ("a.example", "example")),
        ("http://user:secret@a.example./", "a.example", ("a.example", "example")),
        ("http://münchen.example/", "xn--mnchen-3ya.example", ("xn--mnchen-3ya.example", "example")),
        ("http://8.8.8.8:81/", "8.8.8.8", ("8.8.8.8",)),
        ("http://0x08080808/", "8.8.8.8", ("8.8.8.8",)),
        ("http://[2001:4860:4860::8888]/", "[2001:4860:4860::8888]", ("[2001:4860:4860::8888]",)),
        ("http://[::1]:8080/x", "[::1]", ("[::1]",)),
        ("http://nas/", "nas", ("nas",)),
    ],
)
def test_the_names_of_an_address(url: str, host: str, names: tuple[str, ...]) -> None:
    assert address(url).host == host
    assert address(url).names == names


def test_a_text_that_is_no_address_is_told() -> None:
    with pytest.raises(UrlError):
        address("mailto:a@b.example")


# --- what fits --------------------------------------------------------------------------------

FITTING = [
    ("host", "www.shop.example", SHOP),
    ("domain", "www.shop.example", SHOP),
    ("domain", "shop.example", SHOP),
    ("domain", "example", SHOP),
    ("tld", "example", SHOP),
    ("tld", "nas", "http://nas/"),
    ("path", "/cart/42", SHOP),
    ("path", "/cart/42/", SHOP),
    ("path", "/cart/*", SHOP),
    ("path", "*/cart/*", "https://a.example/x/cart"),
    ("path", "/", "https://a.example"),
    ("url", "https://www.shop.example/cart/*", SHOP),
    ("url", "www.shop.example/cart/*", SHOP),
    ("url", "*.shop.example/*token=*", SHOP),
    ("url", "a.example:8443/*", "https://a.example:8443/x"),
    ("url", "a.example/x/", "https://a.example/x"),
    ("url", "*/ä*", "https://a.example/%C3%84rger"),
    ("query", "token", SHOP),
    ("query", "token=*", SHOP),
    ("query", "token=x y", SHOP),
    ("query", "{sid,item}", SHOP),
    ("query", "flag", "https://a.example/?flag"),
    ("shape", "ip-address", "http://8.8.8.8/"),
    ("shape", "ip-address", "http://[2606:4700::1111]/"),
    ("shape", "look-alike", "https://gооgle.com/"),
    ("host", "8.8.8.8", "http://8.8.8.8/"),
    ("domain", "8.8.8.8", "http://8.8.8.8/"),
]

NOT_FITTING = [
    ("host", "shop.example", SHOP),
    ("domain", "hop.example", SHOP),
    ("domain", "x.www.shop.example", SHOP),
    ("domain", "8.8", "http://8.8.8.8/"),
    ("tld", "shop", SHOP),
    ("tld", "8", "http://8.8.8.8/"),
    ("tld", "8.8.8.8", "http://8.8.8.8/"),
    ("path", "/cart", SHOP),
    ("path", "cart", SHOP),
    ("path", "*item=7*", SHOP),
    ("url", "http://www.shop.example/cart/*", SHOP),
    ("url", "shop.example/*", SHOP),
    ("url", "a.example/x?y=1/", "https://a.example/x?y=1"),
    ("query", "tok", SHOP),
    ("query", "item=8", SHOP),
    ("query", "*", "https://a.example/"),
    ("shape", "ip-address", SHOP),
    ("shape", "ip-address", "http://127.0.0.1/"),
    ("shape", "ip-address", "http://192.168.1.4/"),
    ("shape", "ip-address", "http://[::1]/"),
    ("shape", "look-alike", "https://münchen.de/"),
]


@pytest.mark.parametrize(("kind", "pattern", "url"), FITTING)
def test_a_rule_fits(kind: str, pattern: str, url: str) -> None:
    assert fits(rule(kind, pattern), address(url))
    assert RuleSet([rule(kind, pattern)]).fitting(address(url)) == [rule(kind, pattern)]


@pytest.mark.parametrize(("kind", "pattern", "url"), NOT_FITTING)
def test_a_rule_does_not_fit(kind: str, pattern: str, url: str) -> None:
    assert not fits(rule(kind, pattern), address(url))
    assert RuleSet([rule(kind, pattern)]).fitting(address(url)) == []


@given(
    st.lists(st.sampled_from([case[:2] for case in FITTING + NOT_FITTING]), unique=True),
    st.sampled_from([case[2] for case in FITTING + NOT_FITTING]),
)
def test_a_set_of_rules_finds_what_fits_and_nothing_else(kinds: list[tuple[str, str]], url: str) -> None:
    rules = [rule(*one) for one in kinds]
    found = RuleSet(rules).fitting(address(url))
    assert set(found) == {one for one in rules if fits(one, address(url))}
    assert len(found) == len(set(found))


# --- what comes first -------------------------------------------------------------------------

# Each wins over all behind it, in whatever order they are given.
ORDER = [
    rule("url", "www.shop.example/cart/*", ALLOW, None),
    rule("url", "*.example/*", BLOCK),
    rule("host", "www.shop.example", ALLOW, None),
    rule("domain", "www.shop.example", BLOCK),
    rule("domain", "shop.example", REVIEW),
    rule("domain", "example", ALLOW, None),
    rule("query", "token", BLOCK),
    rule("path", "/cart/42", REVIEW),
    rule("path", "/cart/*", REVIEW),
    rule("tld", "example", ALLOW, None),
]


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_most_specific_rule_wins(first: int) -> None:
    rest = ORDER[first:]
    for own in (rest, rest[::-1]):
        found = decide(address(SHOP), own, [], [])
        assert (found.kind, found.pattern) == (ORDER[first].kind, ORDER[first].pattern)


@pytest.mark.parametrize("order", list(permutations([ALLOW, BLOCK, REVIEW])))
def test_of_rules_for_the_whole_web_the_strictest_wins(order: tuple[str, str, str]) -> None:
    kinds = [("tld", "example"), ("path", "/cart/*"), ("query", "item")]
    own = [rule(*kind, decision) for kind, decision in zip(kinds, order, strict=True)]
    assert decide(address(SHOP), own, [], []).decision == BLOCK


def test_equal_rules_always_decide_in_the_same_order() -> None:
    own = [rule("path", "/{cart,a}/*", code="duplicate"), rule("path", "/{cart,b}/*", code="unknown")]
    assert decide(address(SHOP), own, [], []) == decide(address(SHOP), own[::-1], [], [])


def test_a_person_comes_before_everything_whatever_the_kind() -> None:
    found = decide(
        address(SHOP),
        [rule("tld", "example", ALLOW, None)],
        [rule("host", "www.shop.example", BLOCK)],
        [listed("bad", "www.shop.example")],
    )
    assert (found.decision, found.origin, found.pattern) == (ALLOW, OWN, "example")


def test_a_list_that_allows_comes_before_packaged_rules_and_other_lists() -> None:
    names = [listed("bad", "www.shop.example"), listed("ours", "example", ALLOW)]
    for given_names in (names, names[::-1]):
        found = decide(address(SHOP), [], [rule("host", "www.shop.example")], given_names)
        assert (found.decision, found.origin, found.list_name) == (ALLOW, LIST, "ours")
        assert found.reason == "on the list ours: allowed"


def test_a_person_comes_before_a_list_that_allows() -> None:
    found = decide(address(SHOP), [rule("tld", "example")], [], [listed("ours", "shop.example", ALLOW)])
    assert (found.decision, found.origin) == (BLOCK, OWN)


@pytest.mark.parametrize(
    ("packaged", "by_list", "decision", "origin"),
    [
        (BLOCK, BLOCK, BLOCK, PACKAGED),
        (BLOCK, REVIEW, BLOCK, PACKAGED),
        (REVIEW, REVIEW, REVIEW, PACKAGED),
        # A packaged doubt must not protect what a list knows to be bad.
        (REVIEW, BLOCK, BLOCK, LIST),
    ],
)
def test_of_the_packaged_rules_and_the_lists_the_stricter_counts(
    packaged: str, by_list: str, decision: str, origin: str
) -> None:
    found = decide(
        address(SHOP), [], [rule("tld", "example", packaged)], [listed("bad", "shop.example", by_list)]
    )
    assert (found.decision, found.origin) == (decision, origin)


def test_of_several_lists_the_strictest_then_the_longest_name_counts() -> None:
    names = [
        listed("a", "www.shop.example", REVIEW),
        listed("b", "example"),
        listed("d", "shop.example"),
        listed("c", "shop.example"),
    ]
    for given_names in permutations(names):
        assert decide(address(SHOP), [], [], given_names).list_name == "c"


def test_what_nothing_speaks_against_is_allowed() -> None:
    assert decide(address(SHOP), [], [], []) == Decision(
        ALLOW, None, "www.shop.example", None, "no rule speaks against it"
    )


# --- words and codes --------------------------------------------------------------------------


@pytest.mark.parametrize("code", REASONS)
@pytest.mark.parametrize("decision", [BLOCK, REVIEW])
def test_a_rule_gives_its_reason_code_and_evidence(code: str, decision: str) -> None:
    found = decide(address(SHOP), [rule("domain", "shop.example", decision, code)], [], [])
    assert (found.decision, found.reason_code) == (decision, code)
    assert found.evidence == {
        "hostname": "www.shop.example",
        "pattern": "shop.example",
        "reason": found.reason,
    }
    assert REASONS[code] in found.reason


@pytest.mark.parametrize("code", REASONS)
def test_a_list_gives_its_reason_code_and_evidence(code: str) -> None:
    found = decide(address(SHOP), [], [], [Listed("named", "shop.example", BLOCK, code)])
    assert (found.reason_code, found.pattern) == (code, "shop.example")
    assert found.reason == f"on the list named: {REASONS[code]}"


def test_a_persons_words_are_the_reason() -> None:
    own = Rule("domain", "shop.example", BLOCK, "unknown", "we do not watch shops")
    assert decide(address(SHOP), [own], [], []).reason == "we do not watch shops"
    found = decide(address(SHOP), [], [], [listed("bad", "shop.example", words="seen last week")])
    assert found.reason == "on the list bad: seen last week"


def test_a_rule_that_allows_says_so() -> None:
    found = decide(address(SHOP), [rule("host", "www.shop.example", ALLOW, None)], [], [])
    assert (found.reason_code, found.reason) == (None, "a rule allows it")


# --- one list ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "rows", "name"),
    [
        ("http://a.example/", [("a.example", False)], "a.example"),
        ("http://www.a.example/", [("a.example", False)], "a.example"),
        ("http://x.a.example/", [("a.example", False)], None),
        ("http://www.x.a.example/", [("a.example", False)], None),
        ("http://a.example/", [("www.a.example", False)], None),
        ("http://x.a.example/", [("a.example", True)], "a.example"),
        ("http://x.a.example/", [("a.example", True), ("x.a.example", False)], "x.a.example"),
        ("http://x.a.example/", [("a.example", True), ("!x.a.example", True)], None),
        ("http://y.x.a.example/", [("a.example", True), ("!x.a.example", True)], None),
        ("http://y.x.a.example/", [("a.example", True), ("!x.a.example", False)], "a.example"),
        ("http://www.x.a.example/", [("a.example", True), ("!x.a.example", False)], None),
        ("http://a.example/", [], None),
    ],
)
def test_what_of_a_list_stands_for_a_host(url: str, rows: list[tuple[str, bool]], name: str | None) -> None:
    assert on_list(address(url), rows) == name


_RULES = st.builds(
    Rule,
    st.sampled_from(["host", "domain", "tld", "path", "url", "query"]),
    st.sampled_from(["www.shop.example", "example", "/cart/*", "*", "token"]),
    st.sampled_from(DECISIONS),
    st.sampled_from(sorted(REASONS)),
)
_LISTED = st.builds(
    Listed,
    st.sampled_from("abc"),
    st.sampled_from(["example", "shop.example"]),
    st.sampled_from(DECISIONS),
    st.just("unknown"),
)


def _each_once(rules: st.SearchStrategy[Rule]) -> st.SearchStrategy[list[Rule]]:
    return st.lists(rules, unique_by=lambda one: (one.kind, one.pattern))


@given(
    _each_once(_RULES),
    _each_once(_RULES),
    st.lists(_LISTED, unique_by=lambda one: (one.list_name, one.domain)),
)
def test_there_is_always_one_decision_with_its_evidence(
    own: list[Rule], packaged: list[Rule], names: list[Listed]
) -> None:
    found = decide(address(SHOP), own, packaged, names)
    assert found.decision in DECISIONS
    assert found.hostname == "www.shop.example" and found.reason
    assert (found.origin == OWN) == bool(own)
    assert (found.origin is None) == (not own and not packaged and not names)
    assert found == decide(address(SHOP), own[::-1], packaged[::-1], names[::-1])
