"""Lists of domains in the forms that people use, and what is left out of them."""

from __future__ import annotations

import gzip
import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import policy_lists
from digestlog.core.policy_lists import (
    ELSEWHERE,
    EXAMPLES,
    LEFT_OUT,
    LOCAL,
    MAX_LINE,
    PARTIAL,
    TOO_LONG,
    UNREADABLE,
    Entry,
    Tally,
    looks_like_rules,
    opened,
    read_names,
)
from digestlog.errors import ParseError


def read(text: str | bytes, *, below: bool | None = None) -> tuple[list[Entry], Tally]:
    body = text.encode() if isinstance(text, str) else text
    tally = Tally()
    with opened(io.BytesIO(body)) as stream:
        return list(read_names(stream, tally, below=below)), tally


# --- each form --------------------------------------------------------------------------------

EXACT, BELOW = False, True

TAKEN = [
    # hosts files
    ("0.0.0.0 ads.example", [("ads.example", EXACT)]),
    ("127.0.0.1\tads.example", [("ads.example", EXACT)]),
    ("127.0.53.53 ads.example", [("ads.example", EXACT)]),
    ("::1 ads.example", [("ads.example", EXACT)]),
    (":: ads.example", [("ads.example", EXACT)]),
    ("0.0.0.0 a.example b.example  c.example", [(f"{one}.example", EXACT) for one in "abc"]),
    ("0.0.0.0 a.example # b.example", [("a.example", EXACT)]),
    ("0.0.0.0 a.example#b.example", [("a.example", EXACT)]),
    ("  0.0.0.0   A.Example.  \r", [("a.example", EXACT)]),
    ("0.0.0.0 a_b.example", [("a_b.example", EXACT)]),
    ("0.0.0.0 münchen.example", [("xn--mnchen-3ya.example", EXACT)]),
    ("0.0.0.0 a.xn--fiqs8s9", [("a.xn--fiqs8s9", EXACT)]),
    # plain lists
    ("ads.example", [("ads.example", BELOW)]),
    ("ADS.Example", [("ads.example", BELOW)]),
    ("ads.example. # why", [("ads.example", BELOW)]),
    ("*.ads.example", [("ads.example", BELOW)]),
    (".ads.example", [("ads.example", BELOW)]),
    ("*.zip", [("zip", BELOW)]),
    ("рф.example", [("xn--p1ai.example", BELOW)]),
    ("8.8.8.8", [("8.8.8.8", EXACT)]),
    ("2001:4860:0::8888", [("[2001:4860::8888]", EXACT)]),
    # Adblock
    ("||ads.example^", [("ads.example", BELOW)]),
    ("||Ads.example^", [("ads.example", BELOW)]),
    ("||ads.example", [("ads.example", BELOW)]),
    ("||ads.example^|", [("ads.example", BELOW)]),
    ("||ads.example^*", [("ads.example", BELOW)]),
    ("||zip^", [("zip", BELOW)]),
    ("||ads.example^$all", [("ads.example", BELOW)]),
    ("||ads.example^$document", [("ads.example", BELOW)]),
    ("||ads.example^$doc,important", [("ads.example", BELOW)]),
    ("||ads.example^$", [("ads.example", BELOW)]),
    ("@@||ok.ads.example^", [("!ok.ads.example", BELOW)]),
    ("@@||ok.ads.example^$document", [("!ok.ads.example", BELOW)]),
    # dnsmasq
    ("address=/ads.example/0.0.0.0", [("ads.example", BELOW)]),
    ("address=/ads.example/", [("ads.example", BELOW)]),
    ("address=/ads.example/#", [("ads.example", BELOW)]),
    ("address=/ads.example/::", [("ads.example", BELOW)]),
    ("local=/ads.example/", [("ads.example", BELOW)]),
    ("server=/a.example/b.example/", [("a.example", BELOW), ("b.example", BELOW)]),
]


@pytest.mark.parametrize(("line", "entries"), TAKEN)
def test_a_line_names_domains(line: str, entries: list[Entry]) -> None:
    found, tally = read(line)
    assert found == entries
    assert (tally.names, tally.lines, dict(tally.left_out)) == (len(entries), 1, {})


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "# ads.example",
        "#ads.example",
        "! ads.example",
        "; ads.example",
        "[Adblock Plus 2.0]",
        "\r",
    ],
)
def test_comments_and_empty_lines_say_nothing(line: str) -> None:
    found, tally = read(line + "\n")
    assert (found, tally.left_out) == ([], {})


SKIPPED = [
    ("127.0.0.1 localhost", LOCAL),
    ("127.0.0.1 localhost.localdomain", LOCAL),
    ("::1 ip6-localhost", LOCAL),
    ("127.0.1.1 mybox", LOCAL),
    ("0.0.0.0 printer.local", LOCAL),
    ("255.255.255.255 broadcasthost", LOCAL),
    ("fe80::1%lo0 localhost", LOCAL),
    ("0.0.0.0 0.0.0.0", LOCAL),
    ("localhost", LOCAL),
    ("printer.local", LOCAL),
    ("10.0.0.1", LOCAL),
    ("||printer.local^", LOCAL),
    ("192.168.1.4 nas.example", ELSEWHERE),
    ("93.184.216.34 mirror.example", ELSEWHERE),
    ("address=/nas.example/192.168.1.4", ELSEWHERE),
    ("server=/corp.example/10.0.0.1", ELSEWHERE),
    ("||ads.example^$third-party", PARTIAL),
    ("||ads.example^$document,third-party", PARTIAL),
    ("||ads.example^$domain=a.example", PARTIAL),
    ("||ads.example/banner^", PARTIAL),
    ("||ads*.example^", PARTIAL),
    ("||ads", PARTIAL),
    ("||1.2.3.4^", PARTIAL),
    ("@@||ads.example^$elemhide", PARTIAL),
    ("@@|https://ads.example/", PARTIAL),
    ("ads.example##.banner", PARTIAL),
    ("ads.example#@#.banner", PARTIAL),
    ("ads.example^", PARTIAL),
    ("/banner/*/img", PARTIAL),
    ("https://ads.example/x", PARTIAL),
    ("word", UNREADABLE),
    ("two words", UNREADABLE),
    ("ads..example", UNREADABLE),
    ("<html>", UNREADABLE),
    ("0.0.0.0 ads..example", UNREADABLE),
    ("address=/ads..example/", UNREADABLE),
    (f"{'a' * 64}.example", UNREADABLE),
    (".".join(["a" * 63] * 4), UNREADABLE),
    ("a.example/" + "b" * 5000, TOO_LONG),
]


@pytest.mark.parametrize(("line", "why"), SKIPPED)
def test_what_does_not_mean_a_whole_domain_is_left_out_and_counted(line: str, why: str) -> None:
    found, tally = read(line)
    assert (found, dict(tally.left_out)) == ([], {why: 1})
    assert why in LEFT_OUT


def test_one_name_that_is_left_out_does_not_take_the_others_with_it() -> None:
    found, tally = read("127.0.0.1 localhost a.example bad..name b.example")
    assert [name for name, _ in found] == ["a.example", "b.example"]
    assert tally.left_out == {LOCAL: 1, UNREADABLE: 1}


@pytest.mark.parametrize("below", [True, False])
def test_a_person_may_say_what_the_names_mean(below: bool) -> None:
    found, _ = read("0.0.0.0 a.example\nb.example\n||c.example^\n", below=below)
    assert found == [("a.example", below), ("b.example", below), ("c.example", below)]


# --- bytes ------------------------------------------------------------------------------------


def test_odd_bytes_are_counted_and_shown_without_harm() -> None:
    body = b"\xef\xbb\xbfa.example\n\xff\xfe\x00\x1b[31m.example\nb.example\r\n\nc.example"
    found, tally = read(body)
    assert [name for name, _ in found] == ["a.example", "b.example", "c.example"]
    assert tally.left_out == {UNREADABLE: 1}
    ((line, why, text),) = tally.examples
    assert (line, why) == (2, UNREADABLE)
    assert text.isprintable()


def test_a_line_that_is_too_long_is_skipped_to_its_end() -> None:
    long = b"x" * (3 * MAX_LINE + 5)
    found, tally = read(b"a.example\n" + long + b"\nb.example\n" + long)
    assert [name for name, _ in found] == ["a.example", "b.example"]
    assert (tally.lines, tally.left_out) == (4, {TOO_LONG: 2})


def test_the_longest_line_is_read() -> None:
    line = ("0.0.0.0 " + "a.example " * 500)[: MAX_LINE - 1].rsplit(" ", 1)[0].ljust(MAX_LINE - 1)
    found, tally = read(line + "\n")
    assert len(found) > 400 and not tally.left_out


def test_only_the_first_odd_lines_are_examples() -> None:
    _, tally = read("odd one\n" * 20 + "||a.example^$image\n127.0.0.1 localhost\n")
    assert [line for line, _, _ in tally.examples] == list(range(1, EXAMPLES + 1))
    assert tally.left_out == {UNREADABLE: 20, PARTIAL: 1, LOCAL: 1}


def test_gzip_is_undone() -> None:
    body = gzip.compress(b"a.example\n", mtime=0) + gzip.compress(b"b.example\n", mtime=0)
    assert read(body)[0] == [("a.example", BELOW), ("b.example", BELOW)]


WHOLE = gzip.compress(b"".join(b"host%d.example\n" % number for number in range(20_000)), mtime=0)


@pytest.mark.parametrize(
    "body",
    [
        WHOLE[:-200],
        WHOLE[:5000] + b"\0\0\0\0" + WHOLE[5004:],
        WHOLE[:12],
        WHOLE + b"junk",
        b"\x1f\x8b",
        WHOLE[:-8] + b"\0" * 8,
    ],
)
def test_damaged_gzip_is_told(body: bytes) -> None:
    with pytest.raises(ParseError, match="damaged"):
        read(body)


def test_damaged_gzip_is_told_by_the_first_look() -> None:
    with opened(io.BytesIO(b"\x1f\x8bnonsense")) as stream, pytest.raises(ParseError, match="damaged"):
        looks_like_rules(stream)


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        (b'{"rules": []}', True),
        (b"\xef\xbb\xbf \n{", True),
        (gzip.compress(b"{}", mtime=0), True),
        (b"", False),
        (b"a.example", False),
        (b"# {", False),
    ],
)
def test_rules_are_told_from_lists(body: bytes, rules: bool) -> None:
    with opened(io.BytesIO(body)) as stream:
        assert looks_like_rules(stream) == rules


def test_looking_takes_nothing_away() -> None:
    with opened(io.BytesIO(b"a.example\nb.example\n")) as stream:
        assert not looks_like_rules(stream)
        assert len(list(read_names(stream, Tally()))) == 2


@pytest.mark.parametrize("body", [b"a.example", gzip.compress(b"a.example", mtime=0), b""])
def test_the_stream_is_left_open_to_whoever_opened_it(body: bytes) -> None:
    whole = io.BytesIO(body)
    with opened(whole) as stream:
        list(read_names(stream, Tally()))
    assert not whole.closed


def test_a_list_has_a_greatest_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small on the disk, endless when unpacked."""
    monkeypatch.setattr(policy_lists, "MAX_BYTES", 1_000_000)
    with pytest.raises(ParseError, match="bytes"):
        read(gzip.compress(b"#\n" * 600_000, mtime=0))
    with pytest.raises(ParseError, match="bytes"):
        read(gzip.compress(b"x" * 1_200_000, mtime=0))


def test_a_list_has_a_greatest_number_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_lists, "MAX_NAMES", 3)
    assert len(read("0.0.0.0 a.example b.example c.example")[0]) == 3
    with pytest.raises(ParseError, match="names"):
        read("0.0.0.0 a.example b.example c.example d.example")


# --- any bytes --------------------------------------------------------------------------------

_TOKENS = st.sampled_from(
    [
        "0.0.0.0 ",
        "||",
        "@@",
        "^",
        "$all",
        "a.example",
        "B",
        ".",
        "*",
        "/",
        "#",
        "address=/",
        "\n",
        "\t",
        "ä",
        "::1 ",
    ]
)


@given(st.lists(_TOKENS).map("".join) | st.binary())
def test_any_bytes_give_names_that_can_be_stored(body: str | bytes) -> None:
    if body[:2] == b"\x1f\x8b":
        return
    found, tally = read(body)
    assert tally.names == len(found)
    for name, below in found:
        assert isinstance(below, bool)
        assert 0 < len(name.removeprefix("!")) <= 253
        assert name.isascii() and name == name.lower() and not set(name) & set(" \0\n/")


@given(st.lists(st.from_regex(r"[a-z0-9]{1,9}\.(example|test|[a-z]{2,5})", fullmatch=True), max_size=20))
def test_every_form_gives_the_same_names(names: list[str]) -> None:
    expected = [name for name in names if not name.endswith(".local")]
    for form in ("0.0.0.0 {}", "{}", "||{}^", "address=/{}/0.0.0.0", "  {}  # why"):
        found, _ = read("\n".join(form.format(name) for name in names))
        assert [name for name, _ in found] == expected


@pytest.mark.parametrize(
    "line",
    [
        b"a." * 2000,
        b"-" * 4000,
        b"0.0.0.0 " + b" " * 4000,
        b"||" + b"a^" * 2000,
        b"a#" * 2000,
        b"address=/" + b"/" * 4000,
        b"address=/" + b"a/" * 2000,
        b"0.0.0.0 " + b"a " * 2000,
    ],
)
def test_no_line_is_slow(line: bytes) -> None:
    start = time.process_time()
    read((line + b"\n") * 20)
    assert time.process_time() - start < 5
