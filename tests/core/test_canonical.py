from __future__ import annotations

import hashlib
import itertools
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest

from digestlog.core.canonical import (
    CANON_VERSION,
    article_uuid,
    canonicalize,
    ledger_url,
    rules_version,
    twins,
    url_hash,
    url_id,
    without_userinfo,
)
from digestlog.errors import UrlError
from digestlog.resources import tracking_params

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/data/url-vectors.json").read_text(encoding="utf-8"))
RULES = json.loads(tracking_params())
PROFILES = ("ledger", "history", "library")

R = "resolved_redirects"
T = "removed_tracking_params"
F = "removed_fragment"
S = "normalized_trailing_slash"
H = "lowercased_host"
O = "other_normalization"  # noqa: E741 - the sixth of six one-letter tokens


def outcome(text: Any, profile: str = "ledger", base: Any = None) -> str:
    """The canonical URL, or the code of the error in angle brackets."""
    try:
        return canonicalize(text, profile, base)[0]
    except UrlError as error:
        return f"<{error.code}>"


# --- the shared vectors ------------------------------------------------------------------

GOOD = [vector for vector in VECTORS if "expect" in vector]
BAD = [vector for vector in VECTORS if "expect_error" in vector]


def name_of(vector: dict[str, Any]) -> str:
    return f"{vector['profile']}-{vector['why'][:50]}"


def test_every_vector_is_of_one_kind() -> None:
    assert len(GOOD) + len(BAD) == len(VECTORS) > 70


@pytest.mark.parametrize("vector", GOOD, ids=name_of)
def test_vector_url(vector: dict[str, Any]) -> None:
    text = vector.get("resolved") or vector["input"]
    assert outcome(text, vector["profile"], vector.get("base")) == vector["expect"]


@pytest.mark.parametrize("vector", [v for v in GOOD if v["profile"] == "ledger"], ids=name_of)
def test_vector_in_the_ledger(vector: dict[str, Any]) -> None:
    found = ledger_url(vector["input"], vector.get("resolved"), vector.get("base"))
    assert found.final == vector["expect"]
    assert list(found.notes) == vector["notes"]
    assert found.article_uuid == vector.get("article_uuid", article_uuid(vector["expect"]))
    assert found.matches == vector.get("match", found.matches)
    assert found.notes or found.matches


@pytest.mark.parametrize("vector", [v for v in GOOD if v["profile"] != "ledger"], ids=name_of)
def test_only_the_ledger_takes_notes(vector: dict[str, Any]) -> None:
    assert canonicalize(vector["input"], vector["profile"])[1] == ()
    if "url_hash" in vector:
        assert url_hash(vector["input"]) == vector["url_hash"]


@pytest.mark.parametrize("vector", BAD, ids=name_of)
def test_vector_error(vector: dict[str, Any]) -> None:
    assert outcome(vector["input"], vector["profile"]) == f"<{vector['error']}>"


# --- the ledger's form and its notes -----------------------------------------------------

E = "https://example.org"

LEDGER = [
    # user names and passwords
    ("https://user@example.org/a", f"{E}/a", [O]),
    ("https://user:@example.org/a", f"{E}/a", [O]),
    ("https://@example.org/a", f"{E}/a", [O]),
    ("https://:pw@example.org/a", f"{E}/a", [O]),
    ("https://a@b@example.org/a", f"{E}/a", [O]),
    ("https://USER:Pw@example.org/a", f"{E}/a", [O]),
    ("https://u:p@EXAMPLE.org", f"{E}/", [S, H, O]),
    ("https://example.org/@me", f"{E}/@me", []),
    ("https://example.org?a@b", f"{E}/?a@b", [S]),
    # slashes after the scheme
    ("https:example.org", f"{E}/", [S, O]),
    ("https:/example.org/a", f"{E}/a", [O]),
    ("https:///example.org/a", f"{E}/a", [O]),
    ("https:///x", "https://x/", [S, O]),
    ("https:\\\\example.org\\a\\b?c\\d", f"{E}/a/b?c%5Cd", [O]),
    ("https://example.org\\", f"{E}/", [O]),
    ("https://example.org/a\\\\", f"{E}/a/", [S, O]),
    # ports
    ("https://example.org:/a", f"{E}/a", [O]),
    ("https://example.org:00443/a", f"{E}/a", [O]),
    ("https://example.org:80/a", f"{E}:80/a", []),
    ("https://example.org:0/a", f"{E}:0/a", []),
    ("https://example.org:008080/a", f"{E}:8080/a", [O]),
    ("https://EXAMPLE.org:65535/", f"{E}:65535/", [H]),
    # addresses
    ("http://127.1/", "http://127.0.0.1/", [O]),
    ("http://2130706433/", "http://127.0.0.1/", [O]),
    ("http://0177.0.0.01/", "http://127.0.0.1/", [O]),
    ("http://0X7F.1/", "http://127.0.0.1/", [H, O]),
    ("http://127.0.0.1./", "http://127.0.0.1/", [O]),
    ("http://[::1]/", "http://[::1]/", []),
    ("http://[::FFFF:1.2.3.4]/", "http://[::ffff:102:304]/", [H, O]),
    ("http://[2001:DB8::A]:8080/", "http://[2001:db8::a]:8080/", [H]),
    # names
    ("https://BÜCHER.example/", "https://xn--bcher-kva.example/", [H, O]),
    ("https://ÜBER.example/", "https://xn--ber-goa.example/", [H, O]),
    ("https://straße.example/", "https://xn--strae-oqa.example/", [O]),
    ("https://XN--BCHER-KVA.example/", "https://xn--bcher-kva.example/", [H]),
    ("https://example。org/", f"{E}/", [O]),
    ("https://ex%61mple.org/", f"{E}/", [O]),
    ("https://a_b.example.org/", "https://a_b.example.org/", []),
    ("https://WWW.Example.ORG./a", "https://www.example.org/a", [H, O]),
    ("https://m.example.org/amp/", "https://m.example.org/amp/", []),
    # percent-encoding
    (f"{E}/%%37E", f"{E}/%257E", [O]),
    (f"{E}/%2", f"{E}/%252", [O]),
    (f"{E}/%2%65", f"{E}/%252e", [O]),
    (f"{E}/%C3", f"{E}/%C3", []),
    (f"{E}/%c3?%c3", f"{E}/%C3?%C3", [O]),
    (f"{E}/%00", f"{E}/%00", []),
    (f"{E}/%zz?%zz", f"{E}/%25zz?%25zz", [O]),
    (f"{E}/%41%5a%30%2D%5f%7E", f"{E}/AZ0-_~", [O]),
    (f"{E}/%21%24%26%2f%3F%23%25", f"{E}/%21%24%26%2F%3F%23%25", [O]),
    (f"{E}/it's?it's", f"{E}/it's?it%27s", [O]),
    (f"{E}/it%27s", f"{E}/it%27s", []),
    (f"{E}/^?^", f"{E}/%5E?%5E", [O]),
    (f"{E}/|?|", f"{E}/%7C?%7C", [O]),
    (f'{E}/"<>`{{}}[]', f"{E}/%22%3C%3E%60%7B%7D%5B%5D", [O]),
    (f'{E}/?"<>`{{}}[]', f"{E}/?%22%3C%3E%60%7B%7D%5B%5D", [O]),
    (f"{E}/!$&'()*+,;=:@", f"{E}/!$&'()*+,;=:@", []),
    (f"{E}/?!$()*+,;=:@/?", f"{E}/?!$()*+,;=:@/?", []),
    (f"{E}/a+b%20c?a+b%20c", f"{E}/a+b%20c?a+b%20c", []),
    (f"{E}/\U0001f600\x7f", f"{E}/%F0%9F%98%80%7F", [O]),
    (f"{E}/e\u0301", f"{E}/e%CC%81", [O]),
    (f"{E}/a&amp;b?c&amp;d", f"{E}/a&amp;b?c&amp;d", []),
    # session path parameters
    (f"{E}/a;jsessionid=1/b", f"{E}/a/b", [O]),
    (f"{E}/a/b;JSessionID=1", f"{E}/a/b", [O]),
    (f"{E}/a;jsessionid=1;v=2", f"{E}/a;v=2", [O]),
    (f"{E}/a;v=2;jsessionid=1", f"{E}/a;v=2", [O]),
    (f"{E}/a;jsessionid=1;jsessionid=2", f"{E}/a", [O]),
    (f"{E}/a;jsessionid=;b", f"{E}/a;b", [O]),
    (f"{E}/a;jsessionid", f"{E}/a;jsessionid", []),
    (f"{E}/;jsessionid=1", f"{E}/;jsessionid=1", []),
    (f"{E}/a/;jsessionid=1/b", f"{E}/a/;jsessionid=1/b", []),
    (f"{E}/;jsessionid=1;jsessionid=2", f"{E}/;jsessionid=1;jsessionid=2", []),
    (f"{E}/a/.;jsessionid=1", f"{E}/a/.;jsessionid=1", []),
    (f"{E}/a/%2e.;jsessionid=1/b", f"{E}/a/..;jsessionid=1/b", [O]),
    (f"{E}/a;%6Asessionid=1", f"{E}/a", [O]),
    (f"{E}/a%3Bjsessionid=1", f"{E}/a%3Bjsessionid=1", []),
    (f"{E}/a;jsessionid=1//", f"{E}/a/", [S, O]),
    (f"{E}/a?b;jsessionid=1", f"{E}/a?b;jsessionid=1", []),
    # path ends and dot segments
    (f"{E}//", f"{E}/", [S]),
    (f"{E}///?a", f"{E}/?a", [S]),
    (f"{E}/a//.", f"{E}/a/", [S, O]),
    (f"{E}/a/..", f"{E}/", [O]),
    (f"{E}/../../a", f"{E}/a", [O]),
    (f"{E}/a/.%2E/%2e/b", f"{E}/b", [O]),
    (f"{E}/a/...", f"{E}/a/...", []),
    (f"{E}/%2F/", f"{E}/%2F/", []),
    # queries
    (f"{E}/?=x", f"{E}/?=x", []),
    (f"{E}/?=", f"{E}/?=", []),
    (f"{E}/?a&b", f"{E}/?a&b", []),
    (f"{E}/??", f"{E}/??", []),
    (f"{E}/?&&", f"{E}/", [O]),
    (f"{E}/?&a&", f"{E}/?a", [O]),
    (f"{E}/?a=1;b=2", f"{E}/?a=1;b=2", []),
    (f"{E}/?a=1&a=1", f"{E}/?a=1&a=1", []),
    (f"{E}/?utm_source", f"{E}/", [T]),
    (f"{E}/?utm_=", f"{E}/", [T]),
    (f"{E}/?utm=1&xutm_a=1", f"{E}/?utm=1&xutm_a=1", []),
    (f"{E}/?mtm_x=1&a", f"{E}/?a", [T]),
    (f"{E}/?a&gclid=1&", f"{E}/?a", [T, O]),
    (f"{E}/?gclid=1&", f"{E}/", [T, O]),
    (f"{E}/?u%74m_a=1", f"{E}/", [T]),
    (f"{E}/?%55TM%5fa=%zz&b", f"{E}/?b", [T]),
    (f"{E}/?a=utm_source=1", f"{E}/?a=utm_source=1", []),
    (f"{E}/?JSESSIONID=1&PhpSessId", f"{E}/", [T]),
    (f"{E}/?source=rss-1&source=RSS-2&source=rss", f"{E}/?source=rss", [T]),
    (f"{E}/?source=%72ss-1", f"{E}/", [T]),
    (f"{E}/?source=rss%2D1", f"{E}/", [T]),
    (f"{E}/?xsource=rss-1&source", f"{E}/?xsource=rss-1&source", []),
    # fragments and white space
    (f"{E}/#!/route?utm_source=1", f"{E}/", [F]),
    (f"{E}#a", f"{E}/", [F, S]),
    (f"{E}/a?#", f"{E}/a", [F, O]),
    (f"{E}/a#b#c", f"{E}/a", [F]),
    (f"{E}/a%23b", f"{E}/a%23b", []),
    (f"\ufeff\u200b\u00a0{E}/a\x00\x1f ", f"{E}/a", [O]),
    ("ht\ntps://exam\tple.org/\ra", f"{E}/a", [O]),
    (f"{E}/a\u200bb", f"{E}/a%E2%80%8Bb", [O]),
    # what is cut away takes its white space with it: the rest was as it should be
    (f"{E}/a#b\n", f"{E}/a", [F]),
    (f"{E}/a?b&utm_source=c\n", f"{E}/a?b", [T]),
    (f"{E}/a?utm_\tsource=c", f"{E}/a", [T]),
    (f" {E}/a#b", f"{E}/a", [F, O]),
    (f"{E}/a?b\n#c", f"{E}/a?b", [F, O]),
    # everything at once, in the fixed order
    ("https://EXAMPLE.org//?gclid=1#x", f"{E}/", [T, F, S, H]),
    ("HTTPS://U:P@Ex.com:443/a/../b%7e//?id=1&&gclid=2#x", "https://ex.com/b~/?id=1", [T, F, S, H, O]),
]


@pytest.mark.parametrize(("text", "final", "notes"), LEDGER)
def test_ledger(text: str, final: str, notes: list[str]) -> None:
    assert canonicalize(text, "ledger") == (final, tuple(notes))
    assert canonicalize(final, "ledger") == (final, ())


# --- history and library -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "history", "library"),
    [
        (E, f"{E}/", f"{E}/"),
        (f"{E}///", f"{E}/", f"{E}/"),
        (f"{E}/A//", f"{E}/a", f"{E}/A"),
        (f"{E}/A//?B", f"{E}/a?b", f"{E}/A?B"),
        (f"{E}//A", f"{E}//a", f"{E}//A"),
        (f"{E}/%c3%A9?%C3", f"{E}/%c3%a9?%c3", f"{E}/%C3%A9?%C3"),
        (f"{E}/%2f/", f"{E}/%2f", f"{E}/%2F"),
        (f"{E}/?Ref=a&b=2&a=1", f"{E}/?b=2&a=1", f"{E}/?a=1&b=2"),
        (f"{E}/?REF&SOURCE&referrer&ref_", f"{E}/?referrer&ref_", f"{E}/?SOURCE&ref_&referrer"),
        (f"{E}/?source=x&z", f"{E}/?z", f"{E}/?source=x&z"),
        (f"{E}/?source=rss-x&z", f"{E}/?z", f"{E}/?z"),
        (f"{E}/?b=2&a=3&b=1&A", f"{E}/?b=2&a=3&b=1&a", f"{E}/?A&a=3&b=2&b=1"),
        (f"{E}/?a1&a=2&a&=0", f"{E}/?a1&a=2&a&=0", f"{E}/?=0&a=2&a&a1"),
        (f"{E}/?a=&a-=", f"{E}/?a=&a-=", f"{E}/?a=&a-="),
        (f"{E}/?b&%61=1", f"{E}/?b&a=1", f"{E}/?a=1&b"),
        (f"{E}/?~&%7B&a", f"{E}/?~&%7b&a", f"{E}/?%7B&a&~"),
        (f"{E}/a/;JSESSIONID=X/", f"{E}/a/;jsessionid=x", f"{E}/a/;JSESSIONID=X"),
        ("http://EX.org:80/I", "http://ex.org/i", "http://ex.org/I"),
        (f"{E}/?sid=1&id=2&CMPID", f"{E}/?sid=1&id=2", f"{E}/?id=2&sid=1"),
    ],
)
def test_history_and_library(text: str, history: str, library: str) -> None:
    assert canonicalize(text, "history") == (history, ())
    assert canonicalize(text, "library") == (library, ())
    assert outcome(history, "history") == history
    assert outcome(library, "library") == library


@pytest.mark.parametrize(
    ("name", "kept_by"),
    [
        ("ref", {"ledger"}),
        ("source", {"ledger", "library"}),
        ("referrer", set(PROFILES)),
        ("id", set(PROFILES)),
        ("fbclid", set()),
        ("phpsessid", set()),
    ],
)
def test_names_by_profile(name: str, kept_by: set[str]) -> None:
    kept = {p for p in PROFILES if outcome(f"{E}/?{name}=1", p) == f"{E}/?{name}=1"}
    assert kept == kept_by


# --- the tracking data -------------------------------------------------------------------


def every_name() -> list[str]:
    groups = RULES["host_scoped"]
    scoped = [name for group in groups for name in (*group["names"], *group.get("prefixes", ()))]
    always = [*RULES["always"]["names"], *RULES["always"]["prefixes"], *RULES["session"]["names"]]
    return [*always, *scoped, *RULES["risky"], *(rule["name"] for rule in RULES["value_scoped"])]


def test_data_is_written_the_way_it_is_compared() -> None:
    assert rules_version() == RULES["rules_version"] == 1
    assert CANON_VERSION == 1
    assert all(re.fullmatch(r"[a-z0-9\-._~]+", name) for name in every_name())
    assert all(set(rule["strip_in"]) <= set(PROFILES) for rule in RULES["risky"].values())


@pytest.mark.parametrize("profile", PROFILES)
def test_every_common_name(profile: str) -> None:
    prefixed = [prefix + "x" for prefix in RULES["always"]["prefixes"]]
    for name in (*RULES["always"]["names"], *RULES["session"]["names"], *prefixed):
        assert outcome(f"{E}/?a&{name.upper()}=1&{name}", profile) == f"{E}/?a"
        assert outcome(f"{E}/?_{name}=1", profile) == f"{E}/?_{name}=1"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("group", RULES["host_scoped"], ids=lambda group: group["hosts"][0])
def test_every_host_group(group: dict[str, Any], profile: str) -> None:
    prefixed = [prefix + "anything" for prefix in group.get("prefixes", ())]
    for host, name in itertools.product(group["hosts"], (*group["names"], *prefixed)):
        for where in (host, f"www.{host}", f"a.b.{host}", host.upper(), f"{host}.", f"{host}:8080"):
            assert "?" not in outcome(f"https://{where}/p?{name}=1", profile)
        if name in RULES["risky"] and profile in RULES["risky"][name]["strip_in"]:
            continue
        for where in (f"not{host}", f"{host}.example.org", f"x-{host}", "example.org"):
            assert outcome(f"https://{where}/p?{name}=1", profile) == f"https://{where}/p?{name}=1"


@pytest.mark.parametrize(
    ("text", "final"),
    [
        ("https://notyoutube.com/?si=1", "https://notyoutube.com/?si=1"),
        ("https://music.youtube.com/?si=1", "https://music.youtube.com/"),
        ("https://youtu.be/x?SI=1&t=2", "https://youtu.be/x?t=2"),
        ("https://spotify.com/?si=1", "https://spotify.com/?si=1"),
        ("https://open.spotify.com/?si=1", "https://open.spotify.com/"),
        ("https://x.com/?s=1&t=2", "https://x.com/"),
        ("https://netflix.com/?s=1&t=2", "https://netflix.com/?s=1&t=2"),
        ("https://www.bbc.co.uk/?at_x=1&at_&at=2", "https://www.bbc.co.uk/?at=2"),
        ("https://notbbc.co.uk/?at_x=1", "https://notbbc.co.uk/?at_x=1"),
        ("https://co.uk/?at_x=1", "https://co.uk/?at_x=1"),
        ("https://me.medium.com/?source=home", "https://me.medium.com/"),
        ("http://[::1]/?si=1", "http://[::1]/?si=1"),
    ],
)
def test_host_groups_by_hand(text: str, final: str) -> None:
    assert outcome(text) == final


# --- a base ------------------------------------------------------------------------------

BASE = "https://example.org/blog/a?b=1#c"


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("x", BASE, f"{E}/blog/x"),
        ("./x/../y", BASE, f"{E}/blog/y"),
        ("../../x", BASE, f"{E}/x"),
        ("/x", BASE, f"{E}/x"),
        ("\\x", BASE, f"{E}/x"),
        ("//ex.com", BASE, "https://ex.com/"),
        ("\\\\ex.com/x", "http://b.org/", "http://ex.com/x"),
        ("?x", BASE, f"{E}/blog/a?x"),
        ("#x", BASE, f"{E}/blog/a?b=1"),
        ("1x:y", BASE, f"{E}/blog/1x:y"),
        ("a b", BASE, f"{E}/blog/a%20b"),
        ("x", f" {BASE}\n", f"{E}/blog/x"),
        ("x", "https://u:p@example.org/", f"{E}/x"),
        ("https:x", BASE, "https://x/"),
        ("https://ex.com/", "no base at all", "https://ex.com/"),
        ("https://ex.com/", 5, "https://ex.com/"),
        ("mailto:x", BASE, "<unsupported_scheme>"),
        ("//", BASE, "<invalid>"),
        ("//a b/", BASE, "<invalid>"),
        (" \n", BASE, "<empty>"),
        ("x", "ftp://example.org/", "<unsupported_scheme>"),
        ("x", "mailto:x", "<invalid>"),
        ("#x", "mailto:x", "<unsupported_scheme>"),
        ("x", "example.org", "<invalid>"),
        ("x", "https://", "<invalid>"),
        ("x", 5, "<not_text>"),
        ("x", b"https://example.org/", "<not_text>"),
        ("x", "https://example.org/\ud800", "<not_text>"),
        ("é" * 20_000, BASE, "<too_long>"),
    ],
)
def test_base(text: str, base: Any, expected: str) -> None:
    assert [outcome(text, profile, base) for profile in PROFILES] == [expected] * 3


def test_joined_text_counts_as_the_one_written() -> None:
    assert canonicalize("x#y", "ledger", BASE) == (f"{E}/blog/x", (F,))
    assert canonicalize("//EX.com", "ledger", BASE) == ("https://ex.com/", ())
    found = ledger_url("x", base=BASE)
    assert (found.original, found.final, found.notes, found.matches) == (f"{E}/blog/x",) * 2 + ((), True)


# --- errors ------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "not_text"),
        (b"https://example.org/", "not_text"),
        (7, "not_text"),
        (f"{E}/\ud800", "not_text"),
        (f"{E}/\udfff#", "not_text"),
        ("", "empty"),
        ("\x00\t\r\n \u00a0\u200b\ufeff", "empty"),
        ("a", "relative"),
        ("//example.org/", "relative"),
        ("/a:b", "relative"),
        ("#x", "relative"),
        ("1https://example.org/", "relative"),
        ("\u2003https://example.org/", "relative"),
        ("http\u017f://example.org/", "relative"),
        ("ftp://example.org/", "unsupported_scheme"),
        ("httpx://example.org/", "unsupported_scheme"),
        ("http+a://example.org/", "unsupported_scheme"),
        ("feed:https://example.org/", "unsupported_scheme"),
        ("example.org:80/", "unsupported_scheme"),
        ("https:", "invalid"),
        ("https:///", "invalid"),
        ("https://?a", "invalid"),
        ("https://#a", "invalid"),
        ("https://u:p@/", "invalid"),
        ("https://:80/", "invalid"),
        ("https://./", "invalid"),
        ("https://../", "invalid"),
        ("https://.example.org/", "invalid"),
        ("https://example.org../", "invalid"),
        ("https://a..b/", "invalid"),
        ("https://{host}/", "invalid"),
        ("https://a*b/", "invalid"),
        ("https://a!b/", "invalid"),
        ("https://a~b/", "invalid"),
        ("https://a%2fb/", "invalid"),
        ("https://a%zz/", "invalid"),
        ("https://a\x00b/", "invalid"),
        ("https://example.org:x/", "invalid"),
        ("https://example.org:-1/", "invalid"),
        ("https://example.org:65536/", "invalid"),
        ("https://256.1.1.1/", "invalid"),
        ("https://1.2.3.4.5/", "invalid"),
        ("https://example.0x/", "invalid"),
        ("https://[::1/", "invalid"),
        ("https://[1:2:3]/", "invalid"),
        ("https://[::1%25eth0]/", "invalid"),
        ("https://\u00ad/", "invalid"),
    ],
)
def test_errors(text: Any, code: str, profile: str) -> None:
    with pytest.raises(UrlError) as caught:
        canonicalize(text, profile)
    assert caught.value.code == code
    assert isinstance(caught.value, ValueError)


def test_a_parser_with_another_kind_of_answer_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ada_url.normalize_url", lambda text: "https:example.org")
    assert outcome(f"{E}/") == "<invalid>"


@pytest.mark.parametrize("profile", PROFILES)
def test_longest_input(profile: str) -> None:
    longest = f"{E}/a#".ljust(65_536, "x")
    assert outcome(longest, profile) == f"{E}/a"
    assert outcome(longest + " ", profile) == "<too_long>"
    assert outcome(" " * 65_536, profile) == "<empty>"
    assert outcome(" " * 65_537, profile) == "<too_long>"


@pytest.mark.parametrize("profile", PROFILES)
def test_longest_output(profile: str) -> None:
    longest = f"{E}/".ljust(2_048, "x")
    assert outcome(longest, profile) == longest
    assert outcome(longest + "?utm_source=x#y", profile) == longest
    assert outcome(longest + "x", profile) == "<too_long>"
    assert outcome(f"{E}/" + "é" * 400, profile) == outcome(f"{E}/" + "%C3%A9" * 338 + "%2", profile)


def test_length_is_the_profile_s_own() -> None:
    longest = f"{E}/".ljust(2_048, "x")
    assert outcome(longest + "/") == "<too_long>"
    assert outcome(longest + "/", "history") == longest
    assert outcome(longest + "?ref=x", "library") == longest


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("labels", [1_000, 30_000])
def test_host_of_many_labels(labels: int, profile: str) -> None:
    text = f"https://{'a.' * labels}example/?x"
    assert outcome(text, profile) == (text if labels == 1_000 else "<too_long>")


# --- the ledger's row --------------------------------------------------------------------


def test_resolved_decides() -> None:
    found = ledger_url("https://t.example/1", "https://EXAMPLE.org/a?gclid=1")
    assert (found.final, found.notes, found.matches) == (f"{E}/a", (R, T, H), False)
    assert found.original == "https://t.example/1"


def test_redirect_that_ends_on_the_original() -> None:
    found = ledger_url(f"{E}/a", f"{E}/a")
    assert (found.notes, found.matches) == ((R,), True)


@pytest.mark.parametrize("resolved", [None, ""])
def test_nothing_resolved(resolved: str | None) -> None:
    found = ledger_url(f"{E}/a", resolved)
    assert (found.final, found.notes, found.matches) == (f"{E}/a", (), True)


def test_ids() -> None:
    digest = hashlib.sha256(b"https://example.org/a").hexdigest()
    assert ledger_url(f"{E}/a#b").article_uuid == article_uuid(f"{E}/a") == "A_" + digest[:16]
    assert url_hash("https://EXAMPLE.org/A/?ref=b") == digest
    assert url_id(f"{E}/a") == str(uuid.uuid5(uuid.NAMESPACE_URL, "https://example.org/a"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{E}/a", f"{E}/a"),
        (f"{E}/@me", f"{E}/@me"),
        (f"{E}?a@b", f"{E}?a@b"),
        (f"{E}#a@b", f"{E}#a@b"),
        ("https://u@example.org/a", f"{E}/a"),
        ("https://u:p@example.org", E),
        ("https://u:p@EXAMPLE.org:443/a@b?c@d#e@f", "https://EXAMPLE.org:443/a@b?c@d#e@f"),
        ("https://a@b:c@example.org/", f"{E}/"),
        ("https:u:p@example.org/", "https:example.org/"),
        ("https:\\\\u:p@example.org\\a", "https:\\\\example.org\\a"),
        ("HTTPS:////u:p@example.org/", "HTTPS:////example.org/"),
        ("\ufeff https://u:p@example.org/a \n", "\ufeff https://example.org/a \n"),
        ("ht\ntps:\n/\t/\ru:\np@example.org/", "ht\ntps:\n/\t/\rexample.org/"),
        ("//u:p@example.org/a", "//example.org/a"),
        ("/\n\\u:p@example.org/a", "/\n\\example.org/a"),
        ("/u:p@example.org/a", "/u:p@example.org/a"),
        ("u@example.org/a", "u@example.org/a"),
    ],
)
def test_without_userinfo(text: str, expected: str) -> None:
    assert without_userinfo(text) == expected
    assert without_userinfo(expected) == expected


@pytest.mark.parametrize("base", [None, BASE])
@pytest.mark.parametrize(
    "text", ["https://u:p%s@ex.com/", " https://u:p%s@ex.com/", "https:\n//u:p%s@ex.com/"]
)
def test_no_password_is_stored(text: str, base: str | None) -> None:
    found = ledger_url(text % "secret", base=base)
    assert "secret" not in found.original + found.final
    assert "secret" not in ledger_url("//u:secret@ex.com/", base=BASE).original


def test_userinfo_of_nothing_but_line_breaks_is_quick() -> None:
    text = "https:" + "\n" * 65_000 + "x/@"
    assert without_userinfo(text) == text


@pytest.mark.parametrize(
    ("final", "others"),
    [
        (f"{E}/", ["http://example.org/"]),
        (f"{E}/?a=/", ["http://example.org/?a=/"]),
        (f"{E}/a", [f"{E}/a/", "http://example.org/a", "http://example.org/a/"]),
        (f"{E}/a/", [f"{E}/a", "http://example.org/a/", "http://example.org/a"]),
        ("http://ex.org/a/b?c/d?", ["http://ex.org/a/b/?c/d?", "https://ex.org/a/b?c/d?", "https://ex.org/a/b/?c/d?"]),
        ("http://ex.org:8080//a", ["http://ex.org:8080//a/", "https://ex.org:8080//a", "https://ex.org:8080//a/"]),
    ],
)  # fmt: skip
def test_twins(final: str, others: list[str]) -> None:
    assert twins(final) == (final, *others)


# --- the page for readers ----------------------------------------------------------------


def documented() -> list[tuple[str, str, str]]:
    """The rows of the example tables in docs/urls.md: profile, address, outcome."""
    page = (ROOT / "docs/urls.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (ledger|history|library|any) \| `([^`]+)` \| `([^`]+)` \|", page, re.MULTILINE)
    return [(str(form), str(text), str(expected)) for form, text, expected in rows]


@pytest.mark.parametrize(("form", "text", "expected"), documented())
def test_documented_example(form: str, text: str, expected: str) -> None:
    for profile in PROFILES if form == "any" else (form,):
        assert outcome(text, profile).strip("<>") == expected


def test_documentation_has_examples_of_every_form() -> None:
    rows = documented()
    assert len(rows) >= 20
    assert {form for form, _, _ in rows} == {*PROFILES, "any"}


def test_documented_notes_and_profiles() -> None:
    page = (ROOT / "docs/urls.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [R, T, F, S, H, O]
    for name in ("ref", "source"):
        row = re.search(rf"^\| parameter `{name}` \| (\w+) \| (\w+) \| (\w+) \|$", page, re.MULTILINE)
        assert row is not None
        kept = tuple("dropped" if p in RULES["risky"][name]["strip_in"] else "kept" for p in PROFILES)
        assert row.groups() == kept
    for code in ("not_text", "empty", "relative", "unsupported_scheme", "invalid", "too_long"):
        assert f"`{code}`" in page
    assert f"canonicalisation version is {CANON_VERSION}" in page
    assert f"rules version is {rules_version()}" in page
