"""`digestlog url canon`: one answer for each address, in words or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Terminal, program
from hypothesis import given
from hypothesis import strategies as st

from digestlog.cli.url import identity
from digestlog.core.canonical import PROFILES, article_uuid, canonicalize, url_hash, url_id
from digestlog.errors import UrlError

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "url-vectors.json").read_text(encoding="utf-8")
)
# The command sees one address; a redirect's end and the text of a whole page are no part of it.
PLAIN = [v for v in VECTORS if "resolved" not in v and isinstance(v["input"], str)]
IDS = {"ledger": "article_uuid", "history": "url_hash", "library": "url_id"}


def answers(digestlog: Terminal, *args: str, code: int = 0, **options: Any) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in digestlog("url", "canon", "--json", *args, code=code, **options).stdout.splitlines()
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_every_vector(digestlog: Terminal, profile: str) -> None:
    vectors = [v for v in PLAIN if v["profile"] == profile]
    assert vectors
    bases = dict.fromkeys(v.get("base") for v in vectors)
    for base in bases:
        group = [v for v in vectors if v.get("base") == base]
        options = ["--profile", profile, *(["--base", base] if base else [])]
        failing = any(v.get("error") for v in group)
        found = answers(digestlog, *options, "--", *(v["input"] for v in group), code=int(failing))
        assert len(found) == len(group)
        for vector, answer in zip(group, found, strict=True):
            check(vector, answer)


def check(vector: dict[str, Any], answer: dict[str, Any]) -> None:
    assert answer["input"] == vector["input"]
    if vector.get("error"):
        assert answer == {"input": vector["input"], "error": vector["error"]}
        return
    assert answer["url"] == vector["expect"], vector["why"]
    assert answer["profile"] == vector["profile"]
    if "notes" in vector:
        assert answer["notes"] == vector["notes"], vector["why"]
    name = IDS[vector["profile"]]
    assert set(answer) == {"input", "profile", "url", "notes", name}
    if name in vector:
        assert answer[name] == vector[name]


def test_the_ids_of_the_profiles(digestlog: Terminal) -> None:
    url = "https://e.org/a"
    for profile, name, make in (
        ("ledger", "article_uuid", article_uuid),
        ("history", "url_hash", url_hash),
        ("library", "url_id", url_id),
    ):
        (found,) = answers(digestlog, "--profile", profile, url)
        assert found[name] == make(canonicalize(url, profile)[0])


def test_in_words(digestlog: Terminal) -> None:
    result = digestlog("url", "canon", "https://e.org/a?utm_source=x#top", "https://e.org/b")
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "https://e.org/a",
        f"  article_uuid  {article_uuid('https://e.org/a')}",
        "  notes         removed_tracking_params, removed_fragment",
        "https://e.org/b",
        f"  article_uuid  {article_uuid('https://e.org/b')}",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("/relative", "relative"),
        ("ftp://e.org/", "unsupported_scheme"),
        ("https://", "invalid"),
        ("https://e.org/" + "a" * 100_000, "too_long"),
        ("https://e.org/\udcff", "not_text"),
    ],
)
def test_an_address_without_identity(digestlog: Terminal, text: str, code: str) -> None:
    result = digestlog("url", "canon", "--", text, code=1)
    assert result.stdout == ""
    assert result.stderr.endswith(f"({code})\n")
    assert len(result.stderr.splitlines()) == 1
    assert answers(digestlog, "--", text, code=1) == [{"input": text, "error": code}]


def test_one_failure_does_not_stop_the_others(digestlog: Terminal) -> None:
    result = digestlog("url", "canon", "https://e.org/a", "nonsense", "https://e.org/b", code=1)
    assert [line for line in result.stdout.splitlines() if not line.startswith(" ")] == [
        "https://e.org/a",
        "https://e.org/b",
    ]
    assert result.stderr == "nonsense: has no scheme; write it with https:// (relative)\n"


def test_base(digestlog: Terminal) -> None:
    (found,) = answers(digestlog, "--base", "https://e.org/a/b", "../c?x=1")
    assert (found["input"], found["url"]) == ("../c?x=1", "https://e.org/c?x=1")


def test_lines_from_standard_input(digestlog: Terminal) -> None:
    body = (
        b"https://e.org/1\r\n\nhttps://e.org/\xff\n\xc3\xa9\nhttps://e.org/caf\xc3\xa9\n\r\nhttps://e.org/2"
    )
    found = answers(digestlog, "-", input=body, code=1)
    assert [(a["input"], a.get("error"), a.get("url")) for a in found] == [
        ("https://e.org/1", None, "https://e.org/1"),
        ("", "empty", None),
        ("https://e.org/\udcff", "not_text", None),
        ("é", "relative", None),
        ("https://e.org/café", None, "https://e.org/caf%C3%A9"),
        ("", "empty", None),
        ("https://e.org/2", None, "https://e.org/2"),
    ]


def test_standard_input_among_addresses(digestlog: Terminal) -> None:
    found = answers(digestlog, "https://e.org/1", "-", "https://e.org/3", input="https://e.org/2\n")
    assert [answer["url"][-1] for answer in found] == ["1", "2", "3"]


def test_nothing_on_standard_input(digestlog: Terminal) -> None:
    assert answers(digestlog, "-", input=b"") == []


def test_odd_bytes_in_words(digestlog: Terminal) -> None:
    result = digestlog("url", "canon", "-", input=b"\xff\x00\x1b[31m\n", code=1)
    assert result.stdout == ""
    assert result.stderr.startswith("\\udcff")
    assert len(result.stderr.splitlines()) == 1


def test_nothing_is_stored(digestlog: Terminal) -> None:
    digestlog("url", "canon", "https://e.org/")
    assert not digestlog.path.exists()


def test_in_a_process_of_its_own() -> None:
    lines = b"".join(b"https://e.org/%d\xff?utm_source=x\n" % n for n in range(500))
    done = program("url", "canon", "--json", "-", input=lines)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.isascii()
    assert len(done.stdout.splitlines()) == 500


@given(st.text(), st.sampled_from(sorted(PROFILES)))
def test_any_text_has_an_answer_that_json_can_hold(text: str, profile: str) -> None:
    found = identity(text, profile)
    assert json.loads(json.dumps(found)) == found
    try:
        expected, _ = canonicalize(text, profile)
    except UrlError as error:
        assert found == {"input": text, "error": error.code}
    else:
        assert found["url"] == expected
