"""Words around a digest, the choice of a format, reasons, JSON and mail."""

from __future__ import annotations

import json
import string
from dataclasses import asdict, fields
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from digest_samples import BRIDGE, CANDIDATES, FULL, HOSTILE, ID, MADE, digest, item

from digestlog.core.digest import Candidate
from digestlog.core.render import FORMATS, render
from digestlog.core.render.candidates import by_outcome, reasons
from digestlog.core.render.html import to_html
from digestlog.core.render.json_digest import as_object, to_json
from digestlog.core.render.labels import ENGLISH, FRENCH, labels
from digestlog.core.render.markdown import to_markdown
from digestlog.core.render.message import is_address, message
from digestlog.core.render.plain import joined, link, paragraphs

# --- labels -----------------------------------------------------------------------------------


def test_the_languages() -> None:
    assert labels("en") is ENGLISH and labels("fr") is FRENCH and labels("de") is ENGLISH


def test_french_has_a_word_for_everything() -> None:
    for field in fields(ENGLISH):
        english, french = getattr(ENGLISH, field.name), getattr(FRENCH, field.name)
        assert french and type(french) is type(english)
        if isinstance(english, dict):
            assert list(english) == list(french)
            assert not set(english.values()) & set(french.values())
    assert len(ENGLISH.months) == len(FRENCH.months) == 12
    assert len({*ENGLISH.months}) == len({*FRENCH.months}) == 12


@pytest.mark.parametrize(
    ("iso", "english", "french"),
    [
        ("2026-01-01T00:00:00+00:00", "1 January 2026", "1er janvier 2026"),
        ("2026-08-31T23:59:59+00:00", "31 August 2026", "31 août 2026"),
        ("2026-12-11T00:30:00+02:00", "10 December 2026", "10 décembre 2026"),
    ],
)
def test_days(iso: str, english: str, french: str) -> None:
    assert (ENGLISH.day(iso), FRENCH.day(iso)) == (english, french)


def test_moments() -> None:
    assert ENGLISH.moment(MADE) == "13 February 2026, 09:02 UTC"
    assert FRENCH.moment("2026-12-11T00:30:00+02:00") == "10 décembre 2026, 22:30 UTC"


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [(0, "0 articles", "0 article"), (1, "1 article", "1 article"), (2, "2 articles", "2 articles")],
)
def test_counts(number: int, english: str, french: str) -> None:
    assert (ENGLISH.count(number), FRENCH.count(number)) == (english, french)


def test_what_has_no_word_keeps_its_name() -> None:
    assert ENGLISH.role("oracle") == "oracle" and FRENCH.role("search") == "Recherche sur le web"
    assert ENGLISH.outcome("eaten") == "eaten" and ENGLISH.outcome("taken") == "Taken"


# --- plain ------------------------------------------------------------------------------------


def test_paragraphs() -> None:
    assert paragraphs("a\nb\n\n\n c \n \n\x00\n\nd") == ["a b", "c", "d"]
    assert paragraphs(None) == paragraphs(" \n\n ") == []


def test_joined() -> None:
    assert joined(("a", "", "b")) == "a · b" and joined(()) == ""


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.org", "https://e.org/"),
        ("http://e.org/\u202ea", "http://e.org/a"),
        ("ftp://e.org/", None),
        ("https://[", None),
        ("javascript:alert(1)//https://e.org", None),
    ],
)
def test_links(url: str, expected: str | None) -> None:
    assert link(url) == expected


@pytest.mark.parametrize("sign", [*string.punctuation, " ", "\t", "é", "\x7f"])
def test_a_link_is_ascii_and_ends_no_attribute(sign: str) -> None:
    for url in (f"https://e.org/a{sign}b", f"https://e.org/?a{sign}b", f"https://e.org/#a{sign}b"):
        found = link(url)
        assert found is not None and found.isascii() and not set(found) & set(' "<>\t\x7f')


# --- formats ----------------------------------------------------------------------------------


def test_each_format_has_its_renderer() -> None:
    starts = {"md": "# Digest", "html": "<!DOCTYPE html>", "json": "{\n", "atom": "<?xml"}
    assert set(starts) == set(FORMATS)
    for format, start in starts.items():
        text = render(FULL, format, FRENCH)
        assert text.startswith(start) and text.endswith("\n")
    assert render(FULL, "md", FRENCH) == to_markdown(FULL, FRENCH)
    assert render(FULL, "html", FRENCH) == to_html(FULL, FRENCH)


def test_json_leaves_nothing_out() -> None:
    found = json.loads(to_json(FULL))
    assert list(found) == [*("id", "user", "title", "created_at", "items", "providers", "notes", "addresses")]
    assert found["items"][0]["other_links"][1] == {
        "url": "https://radio.example/b",
        "title": None,
        "source": "Radio Coast",
    }
    assert found == json.loads(json.dumps(asdict(FULL))) == json.loads(json.dumps(as_object(FULL)))


@pytest.mark.parametrize("text", [*HOSTILE, "é \u202e \x00"])
def test_json_holds_any_text(text: str) -> None:
    assert json.loads(to_json(digest(item(text))))["items"][0]["title"] == text


# --- why --------------------------------------------------------------------------------------


def test_reasons() -> None:
    assert reasons(CANDIDATES, ENGLISH) == [
        "Taken (1)",
        f"  {BRIDGE}",
        "    Town: its words: harbour",
        "",
        "Left out: shown before (2)",
        "  https://old.example/1",
        "    shown before",
        "  https://old.example/2",
        "",
        "Left out: the same story as another (1)",
        "  https://radio.example/b",
        f"    the same story as {BRIDGE}",
    ]
    assert reasons([], ENGLISH) == []
    assert reasons(CANDIDATES, FRENCH)[0] == "Retenu (1)"


def test_an_outcome_without_a_word_comes_last() -> None:
    groups = by_outcome([Candidate("u", None, "eaten"), *CANDIDATES], ENGLISH)
    assert list(groups) == ["taken", "history", "duplicate", "eaten"]


def test_reasons_cannot_steer_the_terminal() -> None:
    lines = reasons([Candidate("https://e.org/\x1b[2J", None, "taken", "a\nTaken (9)\x07")], ENGLISH)
    assert lines == ["Taken (1)", "  https://e.org/[2J", "    a Taken (9)"]


# --- mail -------------------------------------------------------------------------------------


def mail(made: Any = FULL, *recipients: str) -> EmailMessage:
    """The message as it arrives."""
    sent = message(made, ENGLISH, sender="me@e.org", recipients=recipients or ("anna@e.org",))
    found = message_from_bytes(sent.as_bytes(), policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_a_mail_has_the_page_and_the_text() -> None:
    found = mail(FULL, "anna@e.org", "bob@e.org")
    assert found.get_content_type() == "multipart/alternative"
    text, page = found.iter_parts()
    assert (text.get_content_type(), page.get_content_type()) == ("text/plain", "text/html")
    assert text.get_content().replace("\r\n", "\n") == to_markdown(FULL, ENGLISH, width=72)
    assert page.get_content().replace("\r\n", "\n") == to_html(FULL, ENGLISH)
    assert (found["From"], found["To"]) == ("me@e.org", "anna@e.org, bob@e.org")
    assert found["Message-ID"] == f"<{ID}@digestlog.invalid>"
    assert found["Date"].datetime.isoformat() == MADE
    assert (found["Content-Language"], found["Auto-Submitted"]) == ("en", "auto-generated")


def test_a_title_adds_no_header() -> None:
    found = mail(digest(title="Digest\r\nBcc: eve@e.org\nété"))
    assert found["Subject"] == "Digest Bcc: eve@e.org été" and found["Bcc"] is None
    assert mail(digest(title=""))["Subject"] == "13 February 2026"


def test_long_lines_and_any_text_pass_the_mail() -> None:
    raw = message(
        digest(item("é" * 5000, summary="\u4e2d" * 5000)), ENGLISH, sender="a@e.org", recipients=("b@e.org",)
    ).as_bytes()
    assert max(map(len, raw.split(b"\r\n"))) <= 998 and raw.isascii()


@pytest.mark.parametrize("address", ["a@e.org", "a.b+c@mail.e.org", "andré@e.org", "a@localhost"])
def test_addresses(address: str) -> None:
    assert is_address(address)


@pytest.mark.parametrize(
    "text",
    ["", "a", "@e.org", "a@", "a@b@c", "a b@e.org", "A <a@e.org>", "a@e.org,b@e.org", "a@e.org\n", "a\x1b@e"],
)
def test_what_is_no_address(text: str) -> None:
    assert not is_address(text)
