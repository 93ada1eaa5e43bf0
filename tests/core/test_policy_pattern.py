"""Patterns: what they cover, and that no pattern and no address makes them slow."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.canonical import MAX_OUTPUT
from digestlog.core.policy_pattern import MAX_ALTERNATIVES, MAX_PATTERN, compiled, folded
from digestlog.errors import ConfigError

COVERED = [
    ("/a", "/a"),
    ("*", ""),
    ("*", "anything at all"),
    ("**", ""),
    ("/a*", "/a"),
    ("/a*", "/abc"),
    ("*.exe", "/x/setup.exe"),
    ("a*b*c", "abc"),
    ("a*b*c", "a--b--b--c"),
    ("*aa*aa*", "aaaa"),
    ("a*a", "aa"),
    ("{a,b}", "b"),
    ("{,x}y", "y"),
    ("{,x}y", "xy"),
    ("/{a,b}/{c,d}", "/b/c"),
    ("/{a*,b}/z", "/axx/z"),
    ("{a}", "a"),
    (r"a\*b", "a*b"),
    (r"a\{b\}", "a{b}"),
    (r"{a\,b,c}", "a,b"),
    ("a,b", "a,b"),
    ("a\\", "a\\"),
    ("a?b", "a?b"),
    ("/LOGIN", "/login"),
    ("/login", "/Login"),
    ("/Straße", "/stra%C3%9Fe"),
    ("/stra%c3%9fe", "/STRASSE"),
    ("/%2A", "/*"),
    ("Σ", "ς"),
    ("*%C3", "x%C3"),
]

NOT_COVERED = [
    ("/a", "/ab"),
    ("/a", "x/a"),
    ("a*a", "a"),
    ("aa*aa", "aaa"),
    ("*aa*aa*", "aaa"),
    ("a*b*c", "acb"),
    ("{a,b}", "c"),
    ("{a,b}", "ab"),
    (r"a\*b", "axb"),
    ("/%2A", "/x"),
    ("a?b", "axb"),
    ("*.exe", "/setup.exe/"),
    ("", "a"),
]


@pytest.mark.parametrize(("pattern", "text"), COVERED)
def test_a_pattern_covers(pattern: str, text: str) -> None:
    assert compiled(pattern).fits(folded(text))


@pytest.mark.parametrize(("pattern", "text"), NOT_COVERED)
def test_a_pattern_does_not_cover(pattern: str, text: str) -> None:
    assert not compiled(pattern).fits(folded(text))


@pytest.mark.parametrize("pattern", ["{a", "a}", "{a{b}}", "{a}}", "}{"])
def test_braces_that_do_not_match_are_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match="braces") as caught:
        compiled(pattern)
    assert caught.value.hint


def test_a_pattern_has_a_greatest_length() -> None:
    assert compiled("a" * MAX_PATTERN).fits("a" * MAX_PATTERN)
    with pytest.raises(ConfigError, match="too long"):
        compiled("a" * (MAX_PATTERN + 1))


def test_a_pattern_has_a_greatest_number_of_alternatives() -> None:
    assert len(compiled("{a,b}" * 6).alternatives) == MAX_ALTERNATIVES
    with pytest.raises(ConfigError, match="alternatives"):
        compiled("{a,b}" * 7)
    # Counted before they are written out: these would be more than memory can hold.
    with pytest.raises(ConfigError, match="alternatives"):
        compiled("{a,b}" * 100)


@pytest.mark.parametrize(
    ("pattern", "count"), [("*", 0), ("/a*b", 3), ("/{abc,d}", 2), (r"\*", 1), ("{,xyz}/", 1)]
)
def test_the_more_a_pattern_fixes_the_more_specific_it_is(pattern: str, count: int) -> None:
    assert compiled(pattern).literals == count


_PIECES = st.sampled_from(["a", "b", "aa", "ab", "*", "{a,b}", "{,ab}", "{b*,a}"])


@given(st.lists(_PIECES, max_size=6).map("".join), st.text("ab", max_size=12))
def test_a_pattern_covers_what_the_same_regular_expression_does(pattern: str, text: str) -> None:
    written = pattern.replace("*", ".*").replace("{", "(?:").replace("}", ")").replace(",", "|")
    assert compiled(pattern).fits(text) == bool(re.fullmatch(written, text))


# Each of these keeps a backtracking matcher busy for longer than anybody waits.
HOSTILE = {
    "stars between the same letter": ("*a" * 249 + "b", "a" * MAX_OUTPUT),
    "stars around a long text": ("*" + "a" * 400 + "b*", "a" * MAX_OUTPUT),
    "long texts between stars": (("*" + "a" * 60) * 8 + "*b", "a" * MAX_OUTPUT),
    "all alternatives fail at the end": ("{a,*a,a*,*}" * 3 + "*a*a*a*a*a*a*b", "a" * MAX_OUTPUT),
    "texts that nearly fit": ("*ab" * 160 + "*c", "ab" * (MAX_OUTPUT // 2)),
    "long texts that differ at their end": (
        "*" + "a" * 370 + "{b,c,d,e,f,g,h,i}{b,c,d,e,f,g,h,i}*",
        "a" * MAX_OUTPUT,
    ),
    "long texts that differ at their beginning": (
        "*{b,c,d,e,f,g,h,i}{b,c,d,e,f,g,h,i}" + "a" * 370 + "*z",
        "bcdefghi" + "a" * (MAX_OUTPUT - 8),
    ),
    "nothing but stars": ("*" * MAX_PATTERN, "a" * MAX_OUTPUT),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_pattern_is_slow_on_any_address(name: str) -> None:
    pattern, text = HOSTILE[name]
    start = time.process_time()
    for _ in range(20):
        fits = compiled(pattern).fits(text)
    assert time.process_time() - start < 2
    assert fits == (name == "nothing but stars")


class Counted(str):
    """A text that counts how often it is searched, and how far each search may look."""

    searches: list[tuple[int, int]]

    def find(self, *args: object) -> int:  # type: ignore[override]
        self.searches.append((int(args[1]), int(args[2])))  # type: ignore[call-overload]
        return super().find(*args)  # type: ignore[arg-type]


@given(st.text("ab*", max_size=60), st.text("ab", max_size=200))
def test_no_place_is_looked_at_twice_for_the_same_piece(pattern: str, text: str) -> None:
    counted = Counted(text)
    counted.searches = []
    compiled(pattern).fits(counted)
    assert len(counted.searches) <= pattern.count("*")
    begins = [begin for begin, _ in counted.searches]
    assert begins == sorted(begins)
