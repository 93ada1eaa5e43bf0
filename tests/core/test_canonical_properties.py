"""What docs/urls.md promises for every text, tried on texts made to break it.

DIGESTLOG_EXAMPLES sets the number of examples of each property.
"""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from digestlog.core.canonical import _PATH_CODED, _QUERY_CODED, _encode, canonicalize, ledger_url, twins
from digestlog.core.canonical import without_userinfo as bare
from digestlog.errors import UrlError
from digestlog.resources import tracking_params

PROFILES = ("ledger", "history", "library")
CODES = {"not_text", "empty", "relative", "unsupported_scheme", "invalid", "too_long"}
VECTORS = json.loads((Path(__file__).parents[1] / "data/url-vectors.json").read_text(encoding="utf-8"))
RULES = json.loads(tracking_params())

settings.register_profile(
    "urls",
    max_examples=int(os.environ.get("DIGESTLOG_EXAMPLES", "300")),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# Applied test by test: loading the profile would change every other test of the run.
thorough = settings.get_profile("urls")

# --- texts -------------------------------------------------------------------------------

NASTY = st.sampled_from(
    [
        *"/\\?#&=;:@%.+~'^|\"<>`{}[]!$()*,-_ \t\n\r\x00\x7f",
        *"éßİſK。．\u00ad\u200b\u200d\ufeff\u00a0\u2028\U0001f600",
        *"%2e %2E %2F %2f %5C %41 %7e %25 %3B %26 %3D %00 %C3 %c3%a9 %%37E %2 % %zz %2%65".split(),
        *".. // /./ /../ /..; ;jsessionid= ;JSESSIONID=1 &amp; utm_source=1 xn-- http: https://".split(),
        *"a A Z 0 x index.html".split(),
    ],
)
PART = st.lists(NASTY | st.text(max_size=3), max_size=6).map("".join)
HOSTS = [host for group in RULES["host_scoped"] for host in group["hosts"]]
LABEL = st.sampled_from("a EX www b-c _d xn--bcher-kva xn--a bücher ẞ 0x7f 1 %41".split() + [""])
HOST = st.one_of(
    st.sampled_from("example.org Example.ORG. notyoutube.com 127.1 0x7f.0.0.1 1.2.3.4. 4294967295".split()),
    st.sampled_from("[::1] [2001:DB8:0:0::1] [::FFFF:1.2.3.4] [1:2:3:4:5:6:7:8] [:: a..b {{h}}".split()),
    st.tuples(
        st.sampled_from(["", "www.", "A.b.", "not"]),
        st.sampled_from(HOSTS),
        st.sampled_from(["", "."]),
    ).map("".join),
    st.lists(LABEL, min_size=1, max_size=4).map(".".join),
    st.integers(900, 1_010).map(lambda count: "a." * count + "b"),
    st.text(max_size=8),
)
SCOPED = [name for group in RULES["host_scoped"] for name in group["names"]] + ["at_", "at_x"]
NAME = st.one_of(
    st.sampled_from(
        [*RULES["risky"], *RULES["session"]["names"], "utm_x", "UTM_Source", "mtm_", "u%74m_a", "gclid"]
    ),
    st.sampled_from(SCOPED),
    st.sampled_from(["a", "A", "b", "", "a%3D", "é", "?", "%61", "a'"]),
    PART,
)
VALUE = st.sampled_from(["", "=", "=1", "=2", "=rss-1", "=RSS-", "=%72ss-", "=%2F", "=a+b%20c", "=="]) | PART
PARAMETER = st.builds("{}{}".format, NAME, VALUE)
SESSIONS = ";jsessionid=1 a;jsessionid=1;b .;jsessionid= a;JSessionId=x ..;jsessionid=1;jsessionid=2".split()
SEGMENT = st.sampled_from(["", ".", "..", "%2e", "a", "B", *SESSIONS]) | PART
SPACE = st.sampled_from(["", "", "", " ", "\n", "\ufeff\u200b", "\x00", "\u00a0\t"])


def assembled(parts: tuple[Any, ...]) -> str:
    space, scheme, slashes, user, host, port, path, query, fragment, end = parts
    tail = "".join("/" + segment for segment in path)
    return f"{space}{scheme}{slashes}{user}{host}{port}{tail}{query}{fragment}{end}"


STRUCTURED = st.tuples(
    SPACE,
    st.sampled_from(["https:", "http:", "HTTPS:", "hTTp:", "https:", "ht\ntps:"]),
    st.sampled_from(["//", "//", "//", "", "/", "///", "\\\\", "/\n/"]),
    st.sampled_from(["", "", "", "u@", "u:p@", "@", "U:P@q@", ":@"]),
    HOST,
    st.sampled_from(["", "", "", ":", ":80", ":443", ":0443", ":8080", ":65536"]),
    st.lists(SEGMENT, max_size=5),
    st.just("") | st.lists(PARAMETER, max_size=6).map(lambda found: "?" + "&".join(found)),
    st.just("") | PART.map(lambda text: "#" + text),
    SPACE,
).map(assembled)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A shared vector with a few characters put in, taken out or doubled."""
    text: str = draw(st.sampled_from([v["input"] for v in VECTORS if len(v["input"]) < 500]))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(NASTY | st.just("") | st.just(text)) + text[at + draw(st.integers(0, 3)) :]
    return text


LONG = st.builds(
    lambda unit, size: "https://example.org/" + (unit * 2_100)[:size],
    st.sampled_from(["x", "é", "%2e", "/", "a/", "?&", "%", ";jsessionid=1", "?ref=1&"]),
    st.integers(600, 2_100),
)
ANY_TEXT = STRUCTURED | mutated() | st.text() | LONG
RAW = st.text(st.characters(codec=None, exclude_categories=()), max_size=30)
BASES = (
    st.none()
    | st.sampled_from(["https://example.org/a/b?c#d", "http://u:p@h:8080", "ftp://x/", "mailto:x"])
    | ANY_TEXT
)


def result(text: Any, profile: str, base: Any = None) -> str | None:
    """The canonical URL, or None where there is none."""
    try:
        return canonicalize(text, profile, base)[0]
    except UrlError as error:
        assert error.code in CODES
        return None


# --- the strict grammar of RFC 3986, appendix A ------------------------------------------

UNRESERVED, SUB = r"A-Za-z0-9\-._~", r"!$&'()*+,;="
CODED = "%[0-9A-Fa-f]{2}"
PCHAR = rf"(?:[{UNRESERVED}{SUB}:@]|{CODED})"
OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{OCTET}(?:\.{OCTET}){{3}}"
H16 = "[0-9A-Fa-f]{1,4}"
LS32 = f"(?:{H16}:{H16}|{IPV4})"
IPV6 = "|".join(
    [
        f"(?:{H16}:){{6}}{LS32}",
        f"::(?:{H16}:){{5}}{LS32}",
        f"(?:{H16})?::(?:{H16}:){{4}}{LS32}",
        *(f"(?:(?:{H16}:){{0,{n}}}{H16})?::(?:{H16}:){{{3 - n}}}{LS32}" for n in (1, 2, 3)),
        f"(?:(?:{H16}:){{0,4}}{H16})?::{LS32}",
        f"(?:(?:{H16}:){{0,5}}{H16})?::{H16}",
        f"(?:(?:{H16}:){{0,6}}{H16})?::",
    ],
)
REG_NAME = rf"(?:[{UNRESERVED}{SUB}]|{CODED})+"
URI = re.compile(
    rf"https?://(?:\[(?:{IPV6})\]|{IPV4}|{REG_NAME})(?::[0-9]+)?(?:/{PCHAR}*)+(?:\?(?:{PCHAR}|[/?])+)?",
)


def test_grammar_is_strict() -> None:
    for good in (
        "http://a/",
        "http://[::1]:8/a?b/?",
        "http://[1:2::7:8]//",
        "http://[::ffff:1.2.3.4]/",
        "http://1.2.3.4/",
    ):
        assert URI.fullmatch(good)
    for bad in (
        "http://a",
        "http:///",
        "http://[::g]/",
        "http://[1:2]/",
        "http://a/%2",
        "http://a/?",
        "http://a/^",
        "http://é/",
    ):
        assert not URI.fullmatch(bad)  # fmt: skip


# --- promises ----------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@thorough
@given(text=ANY_TEXT, base=BASES)
def test_output_is_short_ascii_and_a_valid_uri(profile: str, text: str, base: str | None) -> None:
    url = result(text, profile, base)
    if url is not None:
        assert url.isascii()
        assert len(url) <= 2_048
        assert URI.fullmatch(url)
        assert "/../" not in url.partition("?")[0] + "/"
        assert "/./" not in url.partition("?")[0] + "/"


@pytest.mark.parametrize("profile", PROFILES)
@thorough
@given(text=ANY_TEXT)
def test_a_second_pass_changes_nothing(profile: str, text: str) -> None:
    url = result(text, profile)
    if url is not None:
        assert canonicalize(url, profile) == (url, ())


@pytest.mark.parametrize("profile", PROFILES)
@thorough
@given(text=RAW | ANY_TEXT | st.from_type(object) | st.binary(), base=RAW | BASES | st.integers())
def test_nothing_but_url_error(profile: str, text: Any, base: Any) -> None:
    result(text, profile, base)


@pytest.mark.parametrize("profile", ["history", "library"])
@thorough
@given(text=ANY_TEXT)
def test_ledger_first_makes_no_difference(profile: str, text: str) -> None:
    final = result(text, "ledger")
    if final is not None:
        assert result(final, profile) == result(text, profile) is not None


@thorough
@given(host=HOST, found=st.lists(PARAMETER, max_size=8), seed=st.randoms(use_true_random=False))
def test_library_ignores_the_order_of_names(host: str, found: list[str], seed: random.Random) -> None:
    assume("?" not in host)  # it would begin the query, and the first name with it
    parameters = [part for text in found for part in re.sub("[#\t\n\r]", "", text).split("&")]
    by_name: dict[str, list[str]] = {}
    for part in parameters:
        name = _encode(part.partition("=")[0], _QUERY_CODED)
        by_name.setdefault(name, []).append(part)
    # Any order of the names in which equal names keep theirs.
    order = [name for name, parts in by_name.items() for _ in parts]
    seed.shuffle(order)
    queues = {name: iter(parts) for name, parts in by_name.items()}
    shuffled = [next(queues[name]) for name in order]
    before, after = (result(f"https://{host}/?{'&'.join(p)}#", "library") for p in (parameters, shuffled))
    assert before == after


@thorough
@given(text=ANY_TEXT)
def test_no_notes_exactly_if_nothing_changed(text: str) -> None:
    assume(result(text, "ledger") is not None)
    final, notes = canonicalize(text, "ledger")
    assert (notes == ()) == (text == final)


ORDER = [
    "resolved_redirects",
    "removed_tracking_params",
    "removed_fragment",
    "normalized_trailing_slash",
    "lowercased_host",
    "other_normalization",
]


@thorough
@given(text=ANY_TEXT, resolved=st.none() | ANY_TEXT, base=BASES)
def test_row_of_the_ledger(text: str, resolved: str | None, base: str | None) -> None:
    try:
        row = ledger_url(text, resolved, base)
    except UrlError:
        return
    assert list(row.notes) == [token for token in ORDER if token in row.notes]
    assert row.notes or row.matches
    assert row.matches == (row.original == row.final)
    assert (ORDER[0] in row.notes) == bool(resolved)


@thorough
@given(
    text=STRUCTURED | mutated(), secret=st.sampled_from(["hunter2@", "u:hunter2@", ":hunter2@", "hunter2@x@"])
)
def test_no_password_is_stored(text: str, secret: str) -> None:
    slashes = re.search(r":[/\\\t\n\r]*", text)
    assume(slashes is not None and "hunter2" not in text and result(text, "ledger") is not None)
    assert slashes is not None
    planted = text[: slashes.end()] + secret + text[slashes.end() :]
    assume(result(planted, "ledger") == result(text, "ledger"))
    row = ledger_url(planted)
    assert "hunter2" not in row.original + row.final
    assert result(row.original, "ledger") == row.final


@thorough
@given(text=ANY_TEXT)
def test_dropping_the_user_name_keeps_the_identity(text: str) -> None:
    assume(result(text, "ledger") is not None)
    assert result(bare(text), "ledger") == result(text, "ledger")


@thorough
@given(text=ANY_TEXT)
def test_twins_are_symmetric(text: str) -> None:
    final = result(text, "ledger")
    assume(final is not None)
    assert final is not None
    variants = twins(final)
    assert variants[0] == final
    assert len(set(variants)) == len(variants) in (2, 4)
    for variant in variants:
        if result(variant, "ledger") == variant:
            assert set(twins(variant)) == set(variants)


# --- percent-encoding, a second time and naively -----------------------------------------

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
HEX = "0123456789ABCDEFabcdef"
IN_PATH = LETTERS + "!$&'()*+,;=:@/"
IN_QUERY = LETTERS + "!$&()*+,;=:@/?"


def naive(text: str, allowed: str) -> str:
    """The same pass, one character after the other."""
    out = ""
    at = 0
    while at < len(text):
        char = text[at]
        digits = text[at + 1 : at + 3]
        if char == "%" and len(digits) == 2 and digits[0] in HEX and digits[1] in HEX:
            decoded = chr(int(digits, 16))
            out += decoded if decoded in LETTERS else "%" + digits.upper()
            at += 3
            continue
        if char in allowed:
            out += char
        else:
            for byte in char.encode("utf-8"):
                out += "%" + "0123456789ABCDEF"[byte // 16] + "0123456789ABCDEF"[byte % 16]
        at += 1
    return out


CODES_AND_TEXT = st.lists(NASTY | st.sampled_from([*"%0123456789abcdefABCDEFgG"]) | st.text(max_size=2)).map(
    "".join
)


@thorough
@given(text=CODES_AND_TEXT | st.text())
def test_percent_encoding_against_a_naive_pass(text: str) -> None:
    assert _encode(text, _PATH_CODED) == naive(text, IN_PATH)
    assert _encode(text, _QUERY_CODED) == naive(text, IN_QUERY)


@thorough
@given(path=CODES_AND_TEXT, query=CODES_AND_TEXT)
def test_percent_encoding_of_whole_urls(path: str, query: str) -> None:
    """Through the parser too: it may encode more or less than we do, the result is ours."""
    path = re.sub(r"[\t\n\r?#;\\]", "", path).replace("/", "")
    query = re.sub(r"[\t\n\r#&]", "", query)
    # `x` on both sides: no dot segment, no white space at the end; `q=` is never dropped.
    text = f"https://example.org/x{path}x?q={query}x"
    assert (
        result(text, "ledger") == f"https://example.org/x{naive(path, IN_PATH)}x?q={naive(query, IN_QUERY)}x"
    )


def test_percent_encoding_of_every_character_and_code() -> None:
    codes = [f"%{a}{b}" for a in HEX for b in HEX]
    for text in [*map(chr, range(0x300)), *codes, "\uffff", "\U0010ffff"]:
        assert _encode(text, _PATH_CODED) == naive(text, IN_PATH)
        assert _encode(text, _QUERY_CODED) == naive(text, IN_QUERY)
