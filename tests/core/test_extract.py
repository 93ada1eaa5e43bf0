"""What an article's page says to its reader: over pages of many kinds, and over bytes that are none."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digestlog.core import extract as module
from digestlog.core.article_page import read_article_page
from digestlog.core.extract import MAX_TEXT, MIN_LETTERS, Extracted, extract, letters

ARTICLES = Path(__file__).parents[1] / "data" / "articles"
URL = "https://harbour.example/news/bridge"
SENTENCE = "The council met on Tuesday and agreed that the bridge will open again in the summer of next year."


def read(name: str) -> Extracted:
    return extract((ARTICLES / f"{name}.html").read_bytes(), URL)


def page(body: str, head: str = "") -> bytes:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


def article(*paragraphs: str, head: str = "") -> bytes:
    return page(f"<article><h1>Bridge</h1>{''.join(f'<p>{p}</p>' for p in paragraphs)}</article>", head)


def numbered(count: int) -> list[str]:
    """Paragraphs of which none is like another."""
    return [f"Line {n}: {SENTENCE} It costs {n * 7919} coins." for n in range(count)]


# --- pages ------------------------------------------------------------------------------------


def test_news() -> None:
    found = read("news")
    assert found.title == "Swing bridge opens again after three years"
    assert (found.author, found.language) == ("Anna Berg, Tom Ode", "en-GB")
    assert found.published_at == datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC)
    lines = (found.text or "").splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("The swing bridge over the old harbour opened")
    assert "had rotted away and" in lines[1]
    assert lines[2].startswith("“It turns as it did in 1911,”")


def test_what_is_around_the_news_is_not_in_its_text() -> None:
    text = read("news").text or ""
    assert not [word for word in ("Politics", "cookies", "Most read", "Ferry", "Imprint") if word in text]


def test_a_blog() -> None:
    found = read("blog")
    assert (found.title, found.author) == ("Why I keep bees", "Jo Marsh")
    assert found.published_at == datetime(2026, 1, 5, tzinfo=UTC)
    text = found.text or ""
    assert text.startswith("Two hives stand behind the shed")
    assert "A beekeeper without patience" in text and "\n- Leave them alone" in text
    assert "Great post" not in text and "About" not in text


@pytest.mark.parametrize("name", ["paywall", "list", "shell", "challenge"])
def test_pages_without_an_article(name: str) -> None:
    assert read(name).text is None


def test_a_page_without_an_article_still_has_its_title() -> None:
    assert read("paywall") == Extracted("Haushalt beschlossen", None, "de", None, None)


@pytest.mark.parametrize(
    ("name", "title", "language", "part"),
    [
        ("japanese", "旋回橋が再開", "ja", "三年ぶりに通行を再開した。"),
        ("arabic", "افتتاح الجسر", "ar", "فوق الميناء القديم"),
        ("russian_1251", "Мост открыт", None, "через старую гавань"),
    ],
)
def test_other_scripts(name: str, title: str, language: str | None, part: str) -> None:
    found = read(name)
    assert (found.title, found.language) == (title, language)
    assert part in (found.text or "")
    assert len((found.text or "").splitlines()) == 2


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "iso-8859-1"])
def test_the_label_of_the_answer_counts(codec: str) -> None:
    body = f"<html><body><article><p>Über die Brücke: {SENTENCE}</p></article></body></html>".encode(codec)
    assert (extract(body, URL, codec).text or "").startswith("Über die Brücke:")


def test_an_article_that_only_its_linked_data_holds() -> None:
    told = {"@type": "NewsArticle", "headline": "Bridge", "articleBody": " ".join(numbered(4))}
    head = f'<script type="application/ld+json">{json.dumps(told)}</script>'
    assert "Line 3" in (extract(page("<div id=app></div>", head), URL).text or "")


def test_a_list_of_a_page_that_says_it_is_an_article() -> None:
    lines = "".join(f"<p>Verse {n} of the song</p>" for n in "abcdefghij")
    body = f"<article><h1>Song</h1>{lines}</article>"
    head = '<meta property="og:type" content="article">'
    assert extract(page(body), URL).text is None
    assert "Verse j of the song" in (extract(page(body, head), URL).text or "")


# --- dates ------------------------------------------------------------------------------------


def test_a_guessed_date_is_no_date() -> None:
    dateline = "<div class=dateline>Published February 12, 2026</div>"
    body = page(dateline + f"<p>{SENTENCE}</p>" * 2, '<meta property="og:type" content="article">')
    assert read_article_page(body, URL).date_from == "htmldate"
    assert extract(body, URL).published_at is None


def test_a_date_of_modification_is_no_date() -> None:
    head = '<meta property="article:modified_time" content="2026-02-20T10:00:00Z">'
    assert extract(article(*numbered(3), head=head), URL).published_at is None


# --- authors ----------------------------------------------------------------------------------


def linked(**told: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle", **told})}</script>'


AUTHORS: list[tuple[str, str | None]] = [
    (linked(author="Anna Berg"), "Anna Berg"),
    (linked(author={"name": "Anna Berg"}), "Anna Berg"),
    (linked(author=[{"name": "Anna"}, "Tom", {"name": "Anna"}, {"url": "x"}, ["Eve"], 7, None]), "Anna, Tom"),
    (linked(creator={"name": "Anna Berg"}), "Anna Berg"),
    (linked(author=[{"name": f"P{n}"} for n in range(30)]), ", ".join(f"P{n}" for n in range(10))),
    (linked(author="Anna") + linked(author="Tom"), None),
    (linked(author={"name": None}) + '<meta name="author" content="Tom Ode">', "Tom Ode"),
    ('<meta name="Author" content=" By  Tom&#10;Ode ">', "Tom Ode"),
    ('<meta property="article:author" content="https://social.example/tom">', None),
    ('<meta name="author" content="@tom"><meta name="dc.creator" content="Tom Ode">', "Tom Ode"),
    ('<meta name="byl" content="A. Berg"><meta name="byl" content="T. Ode">', "A. Berg, T. Ode"),
    ('<meta name="author" content="1234">', None),
    (f'<meta name="author" content="{"x" * 500}">', None),
    ('<meta name="author">', None),
    ('<meta name="author" content="Byron Smith">', "Byron Smith"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "author"), AUTHORS, ids=range(len(AUTHORS)))
def test_authors(head: str, author: str | None) -> None:
    assert extract(article(SENTENCE, head=head), URL).author == author


@pytest.mark.parametrize(
    ("mark", "author"),
    [
        ('<a rel="author" href="/x">Anna <b>Berg</b></a>', "Anna Berg"),
        ('<span itemprop="author"><span itemprop="name">Tom Ode</span></span>', "Tom Ode"),
        ('<a rel="author" href="/x"></a><a rel="author">Second</a>', None),
        ('<a rel="nofollow">Nobody</a>', None),
    ],
)
def test_marked_authors(mark: str, author: str | None) -> None:
    assert extract(page(f"<p>{mark}</p><p>{SENTENCE}</p>"), URL).author == author


# --- the text ---------------------------------------------------------------------------------


def test_invisible_characters_and_spaces_go() -> None:
    text = extract(
        article(f"A\u202e\u200b\x01 b&#0;c&nbsp;&nbsp; d. {SENTENCE}\n\n  {SENTENCE[::-1]}"), URL
    ).text
    assert (text or "").startswith("A b")
    assert not set(text or "") & set("\0\x01\u202e\u200b\xa0\t\r") and "  " not in (text or "")


def test_a_headline_that_is_the_whole_text() -> None:
    title = SENTENCE + SENTENCE
    assert extract(page(f"<article><h1>{title}</h1></article>"), URL).text is None


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("!? …", 0), ("ab, cd", 4), ("Ünïcödé 12", 9), ("橋が", 4), ("다리", 4), ("мост", 4)],
)
def test_letters(text: str, count: int) -> None:
    assert letters(text) == count


def test_what_is_long_enough() -> None:
    short, enough = "a" * (MIN_LETTERS - 1) + ".!?", "a" * MIN_LETTERS
    assert module._worth_reading(short, sure=True) is None
    assert module._worth_reading(enough, sure=False) == enough


@pytest.mark.parametrize(
    "notice",
    [
        "Please enable JavaScript",
        "Turn on cookies",
        "JavaScript is disabled in your browser",
        "Are you a robot?",
        "Confirm that you are a human",
        "Bitte aktivieren Sie JavaScript",
    ],
)
def test_a_notice_is_no_article_unless_it_is_part_of_one(notice: str) -> None:
    assert module._worth_reading(f"{notice}. {SENTENCE}", sure=True) is None
    whole = f"{notice}. {SENTENCE * 7}"
    assert module._worth_reading(whole, sure=True) == whole


def test_a_recipe_is_no_notice() -> None:
    recipe = f"Without butter these cookies fall apart. {SENTENCE}"
    assert module._worth_reading(recipe, sure=False) == recipe


# --- bounds -----------------------------------------------------------------------------------


def test_a_huge_article_is_cut_at_a_paragraph() -> None:
    whole = module._paragraphs("\n".join(f"{n} " + "x" * 990 for n in range(1200)))
    assert whole is not None and MAX_TEXT - 2000 < len(whole) <= MAX_TEXT
    assert whole.splitlines()[-1].endswith("x" * 990)
    assert len(module._paragraphs("y" * (MAX_TEXT + 5)) or "") == MAX_TEXT


def test_a_page_of_very_many_elements_ends_where_reading_it_would_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_ELEMENTS", 60)
    text = extract(article(*numbered(200)), URL).text or ""
    assert "Line 10:" in text and "Line 100:" not in text


def test_a_large_page_is_read() -> None:
    text = extract(article(*numbered(3000)), URL).text or ""
    assert "Line 0:" in text and "Line 2999:" in text


def test_a_bomb_of_elements() -> None:
    assert extract(b"<div>" * 100_000 + b"<p>x", URL) == Extracted()


HOSTILE = {
    "nothing": b"",
    "zeros": b"\0" * 5000,
    "noise": bytes(range(256)) * 50,
    "pdf": b"%PDF-1.7\n" + bytes(range(256)),
    "open tag": b"<html><body><p" + b" a=b" * 5000,
    "entity": b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><html><body><p>&a;</p></body></html>",
    "xml": b"<?xml version='1.0' encoding='utf-16'?><html><body/></html>",
    "frames": b"<html><frameset><frame src='javascript:alert(1)'></frameset></html>",
    "json-ld": b'<script type="application/ld+json">{"@type":"Article","author":{"name":[[]]}}</script>',
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_bytes_that_are_no_article(body: bytes) -> None:
    assert extract(body, URL).text is None


def test_a_library_that_fails_gives_no_article(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RecursionError

    monkeypatch.setattr("trafilatura.bare_extraction", broken)
    assert read("news") == Extracted()


def test_no_log_for_a_page_without_an_article(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        extract(b"<html><body></body></html>", URL)
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<article>", "<table><tr><td>", "<ul><li>", "<h1>", "<br>", "&#0;", "<!--"]
        )
        | st.text(max_size=30),
        max_size=30,
    )
)
def test_any_page_can_be_read_and_gives_the_same_twice(parts: list[str]) -> None:
    body = "".join(parts).encode("utf-8", "surrogatepass")
    found = extract(body, URL)
    assert found == extract(body, URL)
    assert found.text is None or (letters(found.text) >= MIN_LETTERS and "\0" not in found.text)


def test_the_same_in_every_process() -> None:
    """Whatever order sets have there: the hash of a text decides whether it is a new version."""
    code = (
        "import sys, hashlib; from digestlog.core.extract import extract\n"
        "found = [extract(open(name, 'rb').read(), 'https://e.org/a') for name in sys.argv[1:]]\n"
        "print(hashlib.sha256(repr(found).encode()).hexdigest())"
    )
    names = sorted(map(str, ARTICLES.glob("*.html")))
    told = {
        subprocess.run(
            [sys.executable, "-c", code, *names],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
