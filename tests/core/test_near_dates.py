"""Dates in lines of text and in elements, and the tree they are read from."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core import html_tree
from digestlog.core.found import Dated, Found, merge, read_date, url_key
from digestlog.core.html_tree import (
    host,
    html_text,
    join_web,
    language_tag,
    page_base,
    page_language,
    read_tree,
    text_runs,
    visible_text,
)
from digestlog.core.near_dates import date_in, date_in_text, date_marked, is_date, publication_in_text


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("run", "language", "raw", "expected"),
    [
        ("2026-02-12", None, "2026-02-12", at(2026, 2, 12)),
        ("2026/2/3", None, "2026/2/3", at(2026, 2, 3)),
        ("2026.02.12", "ko", "2026.02.12", at(2026, 2, 12)),
        ("2026. 2. 12.", "ko", "2026. 2. 12.", at(2026, 2, 12)),
        ("2026年2月12日", "ja", "2026年2月12日", at(2026, 2, 12)),
        ("2026년 2월 12일", "ko", "2026년 2월 12일", at(2026, 2, 12)),
        ("2026-02-12T14:03:12Z", None, "2026-02-12T14:03:12Z", at(2026, 2, 12, 14, 3, 12)),
        ("2026-02-12 14:03", None, "2026-02-12 14:03", at(2026, 2, 12, 14, 3)),
        ("2026-02-12 14:03 +0100", None, "2026-02-12 14:03 +0100", at(2026, 2, 12, 13, 3)),
        ("12 Feb 2026", "en", "12 Feb 2026", at(2026, 2, 12)),
        ("Thursday, 12th of February 2026", "en", "12th of February 2026", at(2026, 2, 12)),
        ("February 12, 2026", "en", "February 12, 2026", at(2026, 2, 12)),
        ("Feb. 12, 2026, 2:03 p.m.", "en", "Feb. 12, 2026, 2:03 p.m.", at(2026, 2, 12, 14, 3)),
        ("Feb 12, 2026 at 2:03 PM", "en", "Feb 12, 2026 at 2:03 PM", at(2026, 2, 12, 14, 3)),
        ("12. Februar 2026, 14:03 Uhr", "de", "12. Februar 2026, 14:03", at(2026, 2, 12, 14, 3)),
        ("12.02.2026 | 14:03", "de", "12.02.2026 | 14:03", at(2026, 2, 12, 14, 3)),
        ("12 février 2026 à 10h15", "fr", "12 février 2026 à 10h15", at(2026, 2, 12, 10, 15)),
        ("1er mai 2026", "fr", "1er mai 2026", at(2026, 5, 1)),
        ("12 de febrero de 2026", "es", "12 de febrero de 2026", at(2026, 2, 12)),
        ("12 lutego 2026", "pl", "12 lutego 2026", at(2026, 2, 12)),
        ("12 февраля 2026", "ru", "12 февраля 2026", at(2026, 2, 12)),
        ("12/02/2026", "it", "12/02/2026", at(2026, 2, 12)),
        ("12Feb2026", "en", "12Feb2026", at(2026, 2, 12)),
        ("12-Feb-2026", "en", "12-Feb-2026", at(2026, 2, 12)),
        ("By Jane Doe · 12 Feb 2026 · 5 min read", "en", "12 Feb 2026", at(2026, 2, 12)),
        ("Published: 2026-02-12 in Sport", "en", "2026-02-12", at(2026, 2, 12)),
        ("LONDON, 12 Feb 2026", "en", "12 Feb 2026", at(2026, 2, 12)),
        ("12 Feb 2026 — " + "The council has decided. " * 8, "en", "12 Feb 2026", at(2026, 2, 12)),
        ("30 Feb 2026, or rather 12 Feb 2026", "en", "12 Feb 2026", at(2026, 2, 12)),
        ("Updated 13 Feb 2026, published 12 Feb 2026", "en", "12 Feb 2026", at(2026, 2, 12)),
        ("2026-02-12 25:99", "en", "2026-02-12 25:99", at(2026, 2, 12)),
    ],
)
def test_dates_in_a_line(run: str, language: str | None, raw: str, expected: datetime) -> None:
    found = date_in_text(run, language)
    assert found is not None
    assert (found.dated.raw, found.dated.at) == (raw, expected)


@pytest.mark.parametrize(
    ("run", "language"),
    [
        ("", None),
        ("3 hours ago", "en"),
        ("yesterday", "en"),
        ("12 Feb", "en"),
        ("February 2026", "en"),
        ("2026", None),
        ("12/02/2026", None),
        ("30 Feb 2026", "en"),
        ("12 Foo 2026", "en"),
        ("v2026.02.12.3", None),
        ("1.2026-02-12", None),
        ("10.12.2026.4", "de"),
        ("id 12026-02-12", None),
        ("Updated: 12 Feb 2026", "en"),
        ("Last modified on 2026-02-12", "en"),
        ("Aktualisiert am 12.02.2026", "de"),
        ("Mis à jour le 12 février 2026", "fr"),
        ("It all began on 12 Feb 2026 in a small town.", "en"),
        ("On 12 Feb 2026 " + "the council decided things " * 6, "en"),
        ("12 Feb 2026 " + "x" * 400, "en"),
    ],
)
def test_lines_without_a_date(run: str, language: str | None) -> None:
    assert date_in_text(run, language) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 Feb 2026", True),
        ("Thursday, 12 Feb 2026", True),
        ("Published 12 Feb 2026", True),
        ("By Jane Doe of the Courier, 12 Feb 2026", False),
        (None, False),
    ],
)
def test_texts_that_are_a_date(text: str | None, expected: bool) -> None:
    assert bool(is_date(text, "en")) is expected
    assert bool(is_date(text, "en", published=True)) is expected


def test_a_text_can_be_a_date_and_no_day_of_publication() -> None:
    assert is_date("Deadline: 12 Feb 2026", "en")
    assert is_date("Deadline: 12 Feb 2026", "en", published=True) is None


@pytest.mark.parametrize(
    ("before", "language"),
    [
        ("", "en"),
        ("Thursday, ", "en"),
        ("14:03, ", "en"),
        ("10:30 GMT | ", "en"),
        ("– ", "en"),
        ("No. 7 · ", "en"),
        ("#7 | ", "en"),
        ("on ", "en"),
        ("Published ", "en"),
        ("Published: ", "en"),
        ("First published on ", "en"),
        ("Posted on Thursday, ", "en"),
        ("Posted by Jane Doe on ", "en"),
        ("Posted in Sport on ", "en"),
        ("By Jane Doe ", "en"),
        ("By Jane Doe, ", "en"),
        ("By Jane Doe · ", "en"),
        ("Author: Jane Doe ", "en"),
        ("Jane Doe | ", "en"),
        ("Jane Doe - ", "en"),
        ("LONDON, ", "en"),
        ("LONDON (AP), ", "en"),
        ("LONDON (AP) ", "en"),
        ("Date: ", "en"),
        ("Date of publication: ", "en"),
        ("Deadline: 1 March 2026. Published: ", "en"),
        ("Deadline: 1 March 2026 · By Jane Doe · ", "en"),
        ("Veröffentlicht am ", "de"),
        ("Pressemitteilung vom ", "de"),
        ("Datum: ", "de"),
        ("Von Jana Muster am ", "de"),
        ("Publié le ", "fr"),
        ("Mis en ligne le ", "fr"),
        ("Par Jeanne Martin, le ", "fr"),
        ("Fecha de publicación: ", "es"),
        ("Publicado el jueves, ", "es"),
        ("Pubblicato il ", "it"),
        ("Publicado em ", "pt"),
        ("Gepubliceerd op ", "nl"),
        ("Opublikowano: ", "pl"),
        ("Data publikacji: ", "pl"),
        ("发布时间：", "zh"),
        ("来源：新华社 ", "zh"),
        ("등록일 ", "ko"),
    ],
)
def test_words_before_the_day_of_publication(before: str, language: str) -> None:
    found = publication_in_text(before + "2026-02-12", language)
    assert found is not None and found.dated.raw == "2026-02-12"


@pytest.mark.parametrize(
    ("before", "language"),
    [
        ("Deadline: ", "en"),
        ("Deadline – ", "en"),
        ("Deadline, ", "en"),
        ("Deadline: 1 March 2026, ", "en"),
        ("Starts: 1 March 2026 – ", "en"),
        ("Event date: ", "en"),
        ("Event on ", "en"),
        ("Date of the event: ", "en"),
        ("By Jane Doe · Starts: ", "en"),
        ("Apply by ", "en"),
        ("Apply by Thursday, ", "en"),
        ("by ", "en"),
        ("By Thursday, ", "en"),
        ("Open until ", "en"),
        ("Doors open: 14:03, ", "en"),
        ("Valid from ", "en"),
        ("Updated: ", "en"),
        ("Sport ", "en"),
        ("10 – ", "en"),
        ("10–", "en"),
        ("Bewerbungsschluss: ", "de"),
        ("Anmeldung bis ", "de"),
        ("Date limite : ", "fr"),
        ("Jusqu'au ", "fr"),
        ("Fecha límite: ", "es"),
        ("Scadenza: ", "it"),
        ("Prazo: ", "pt"),
        ("Inschrijven tot ", "nl"),
        ("Zgłoszenia do ", "pl"),
        ("締切：", "ja"),
    ],
)
def test_words_before_another_day(before: str, language: str) -> None:
    assert publication_in_text(before + "2026-02-12", language) is None


@given(st.text(max_size=100), st.text(max_size=100))
def test_the_day_of_publication_is_a_date_of_the_line(before: str, after: str) -> None:
    run = f"{before} 2026-02-12 {after}"
    found = publication_in_text(run, "en")
    assert found is None or (found.dated.at is not None and date_in_text(run, "en") is not None)


@pytest.mark.parametrize(
    "run", ["a:" * 190 + " 2026-02-12", "- " * 190 + "2026-02-12", "by " * 120 + "2026-02-12"]
)
def test_hostile_words_before_a_date_end_soon(run: str) -> None:
    started = time.process_time()
    for _ in range(50):
        publication_in_text(run, "en")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Deadline: 12 Feb 2026</p>", None),
        ("<p><b>Deadline:</b> 12 Feb 2026</p>", None),
        ("<p><b>Deadline</b> <i>12 Feb 2026</i></p>", None),
        ("<p><b>Starts:</b> <i>Thursday, 12 Feb 2026</i></p>", None),
        ("<p><b>Open until</b> 12 Feb 2026</p>", None),
        ("<p>Deadline:</p><p>12 Feb 2026</p>", None),
        ("<dl><dt>Event date:</dt><dd>12 Feb 2026</dd></dl>", None),
        ("<dl><dt>Published:</dt><dd>12 Feb 2026</dd></dl>", "text"),
        ("<p>Our deadlines</p><p>12 Feb 2026</p>", "text"),
        ("<p><b>Published:</b> 12 Feb 2026</p>", "text"),
        ("<p><b>Sport</b> <i>12 Feb 2026</i></p>", "text"),
        ("<p><b>Sport</b> 12 Feb 2026</p>", "text"),
        ("<p><a>Serie A</a> 12 Feb 2026</p>", "text"),
        ("<p><b>Deadline:</b> see below <i>Posted on 12 Feb 2026</i></p>", "text"),
        ("<p><i>Deadline: 1 March 2026</i> <i>Posted: 12 Feb 2026</i></p>", "text"),
        # Elements that are named for a date.
        ("<i class=date>Deadline: 12 Feb 2026</i>", None),
        ("<p><b>Deadline:</b> <i class=date>12 Feb 2026</i></p>", None),
        ("<p>Apply by <i class=date>12 Feb 2026</i></p>", None),
        ("<p><b>x</b> Starts: <i class=date>12 Feb 2026</i></p>", None),
        ("<p>Posted: <i class=date>12 Feb 2026</i></p>", "text"),
        ("<p><b>Sport</b> <i class=date>12 Feb 2026</i></p>", "text"),
        ("<p><a>Questions:</a> <i class=date>12 Feb 2026</i></p>", "text"),
        ("<p>Deadline: now</p><i class=date>12 Feb 2026</i>", "text"),
        # <time> counts, whatever stands before it.
        ("<p>Starts: <time>12 Feb 2026</time></p>", "time"),
        ("<time>Starts: 12 Feb 2026</time>", "time"),
    ],
)
def test_what_introduces_a_date_in_an_element(html: str, expected: str | None) -> None:
    dated = date_in(read_tree(f"<main>{html}</main>".encode()), "en")
    assert (dated and (dated.raw, dated.source)) == (expected and ("12 Feb 2026", expected))


@given(st.text(max_size=400))
def test_any_line_can_be_asked(run: str) -> None:
    found = date_in_text(run, "en")
    assert found is None or found.dated.at is not None


@given(st.datetimes(min_value=datetime(1995, 1, 1), max_value=datetime(2099, 12, 31)))
def test_every_day_is_read_in_every_form(day: datetime) -> None:
    for form in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d. %b %Y", "%Y年%m月%d日"):
        found = date_in_text(day.strftime(form), "en")
        assert found is not None
        assert found.dated.at == at(day.year, day.month, day.day)


@pytest.mark.parametrize(
    "run", ["12 12 " * 66, "Feb " * 100, "1" * 400, "2026-02-" * 50, "12. " * 100, " " * 400]
)
def test_hostile_lines_end_soon(run: str) -> None:
    started = time.process_time()
    for _ in range(50):
        date_in_text(run, "en")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<time datetime=2026-02-12T10:00:00Z>x</time>", ("2026-02-12T10:00:00Z", "time")),
        ("<time>12 Feb 2026</time>", ("12 Feb 2026", "time")),
        ("<time datetime=P3D>12 Feb 2026</time>", ("12 Feb 2026", "time")),
        ("<time>Posted on 12 Feb 2026</time>", ("12 Feb 2026", "time")),
        ("<i>11 Feb 2026</i><time datetime=2026-02-12>x</time>", ("2026-02-12", "time")),
        (
            "<time class=updated datetime=2026-02-13>x</time><time datetime=2026-02-12>x</time>",
            ("2026-02-12", "time"),
        ),
        ("<time class='published updated' datetime=2026-02-12>x</time>", ("2026-02-12", "time")),
        ("<time itemprop=dateModified datetime=2026-02-12>x</time>", None),
        ("<abbr class=published title=2026-02-12T10:00:00Z>Today</abbr>", ("2026-02-12T10:00:00Z", "text")),
        ("<span class=post-date>12 Feb 2026</span>", ("12 Feb 2026", "text")),
        ("<span class=modified-date>12 Feb 2026</span>", None),
        ("<span class=updated>Last change: <time datetime=2026-02-12>x</time></span>", None),
        (
            "<p>Updated: <time datetime=2026-02-13>x</time> by <i>J</i></p><p>12 Feb 2026</p>",
            ("12 Feb 2026", "text"),
        ),
        (
            "<p>Published <time datetime=2026-02-12>x</time> Updated <time datetime=2026-02-13>y</time></p>",
            ("2026-02-12", "time"),
        ),
        ("<p><i>x</i> <time datetime=2026-02-12>y</time></p>", ("2026-02-12", "time")),
        ("<ul class=updates><li><a>x</a> 12 Feb 2026</li><li><a>y</a></li></ul>", ("12 Feb 2026", "text")),
        ("<span class=date>soon</span>", None),
        ("<meta itemprop=datePublished content=2026-02-12>", ("2026-02-12", "text")),
        ("<div class=date><div>12</div><div>Feb</div><div>2026</div></div>", ("12 Feb 2026", "text")),
        ("<p>By Jane Doe and all of the others, 11 Feb 2026</p><p>12 Feb 2026</p>", ("12 Feb 2026", "text")),
        ("<p><b>12</b> <b>Feb</b> <b>2026</b></p>", ("12 Feb 2026", "text")),
        ("<p>12</p><p>Feb 2026</p>", None),
        ("<script>12 Feb 2026</script>", None),
    ],
)
def test_dates_in_an_element(html: str, expected: tuple[str, str] | None) -> None:
    dated = date_in(read_tree(f"<main>{html}</main>".encode()), "en")
    assert (dated and (dated.raw, dated.source)) == expected


def test_a_time_that_is_not_understood_is_told() -> None:
    root = read_tree(b"<time>3 hours ago</time><time>soon</time>")
    assert date_marked(root, "en") == Dated("3 hours ago", None, "time")
    assert date_in(root, "en") is None


# --- findings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2026-02-12", Dated("2026-02-12", at(2026, 2, 12), "x")),
        ("  soon\n", Dated("soon", None, "x")),
        (1770883200, Dated("1770883200", at(2026, 2, 12, 8), "x")),
        (True, None),
        (None, None),
        ([], None),
        ("", None),
        (" ", None),
        ("1" * 101, None),
    ],
)
def test_stated_dates(raw: object, expected: Dated | None) -> None:
    assert read_date(raw, "x") == expected


def test_spellings_of_one_address_share_a_key() -> None:
    spellings = [
        "https://www.e.example/a",
        "http://e.example/a/",
        "https://e.example/a#x",
        "https://e.example/a?utm_source=y",
    ]
    assert len(set(map(url_key, spellings))) == 1
    assert url_key("https://e.example/a?id=1") != url_key("https://e.example/a?id=2")
    assert url_key("no address") == "no address"


def test_the_best_informed_finding_wins() -> None:
    plain = Found("https://e.example/a", None, None, None, None, "json-ld")
    titled = Found("https://e.example/a#t", "T", "soon", None, None, "list", at(2026, 1, 1))
    dated = Found("https://e.example/a#d", None, "2026", at(2026, 2, 12), "url", "heading", at(2026, 1, 2))
    assert merge([plain, titled]) == [Found(titled.url, "T", "soon", None, None, "list", at(2026, 1, 1))]
    merged = Found(dated.url, "T", "2026", at(2026, 2, 12), "url", "heading", at(2026, 1, 2))
    assert merge([plain, titled, dated]) == [merged]
    assert merge([dated, plain, titled]) == [merged]
    assert merge([plain]) == [plain]


# --- the tree ----------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"", b"   ", b"\0", b"<!-- -->", b"<?xml?>", b"</p>", b"\xff\xfe"])
def test_pages_that_are_none(body: bytes) -> None:
    assert read_tree(body).tag == "html"


def test_depth_is_bounded_and_nothing_deeper_is_lost() -> None:
    body = (
        b"<div>" * 1000
        + b"<a href=/1>one <b>bold</b></a><a href=/2>two</a>"
        + b"</div>" * 1000
        + b"<p>after</p>"
    )
    root = read_tree(body)
    assert [(visible_text(one), one.get("href")) for one in root.iter("a")] == [("one", "/1"), ("two", "/2")]
    (after,) = root.iter("p")
    parent = after.getparent()
    assert parent is not None and parent.tag == "body"
    assert max(sum(1 for _ in one.iterancestors()) for one in root.iter("a", "b")) <= html_tree.MAX_DEPTH + 1


def test_depth_holds_at_the_end_of_a_cut_page() -> None:
    assert len(list(read_tree(b"<div>" * 1000 + b"<a href=/1>one").iter("a"))) == 1


def test_a_parser_that_stops_early_leaves_a_tree() -> None:
    builder = html_tree._Builder()
    builder.start("p", {"id": "x"})
    assert builder.root()[0].get("id") == "x"


def test_tags_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_tree, "MAX_TAGS", 10)
    assert len(list(read_tree(b"<p>x</p>" * 100).iter("p"))) == 5


def test_names_that_no_tree_can_hold() -> None:
    root = read_tree(b"<o:p @click=x :class=y xml:lang=de id=z HREF='a&#1;b'>t&#1;u</o:p>")
    (element,) = root.iter("span")
    assert dict(element.attrib) == {"xml-lang": "de", "id": "z", "href": "ab"}
    assert element.text == "tu"


def test_text_after_the_page_is_kept() -> None:
    root = read_tree(b"<html><body><p>x</p></body></html><html><p>late</p></html>")
    assert [one.text for one in root.iter("p")] == ["x", "late"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<html lang=de-AT>", "de-AT"),
        ("<html lang=pt_BR>", "pt-BR"),
        ("<html xml:lang=fr>", "fr"),
        ("<body lang=fr>", "fr"),
        ("<meta http-equiv=Content-Language content=nl>", "nl"),
        ("<meta property=og:locale content=en_GB>", "en-GB"),
        ("<html lang=''><meta name=language content='it'>", "it"),
        ("<html lang='not a language'>", None),
        ("<meta name=author content=it>", None),
        ("", None),
    ],
)
def test_languages(html: str, expected: str | None) -> None:
    assert page_language(read_tree(html.encode())) == expected


def test_language_tags() -> None:
    assert [language_tag(raw) for raw in ("EN", "zh-Hant-TW", None, "x", "english language")] == [
        "EN",
        "zh-Hant-TW",
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/a#b", "https://e.example/a#b"),
        (" a ", "https://e.example/x/a"),
        ("//o.example/a", "https://o.example/a"),
        ("feed:https://o.example/a", "https://o.example/a"),
        (None, None),
        (" ", None),
        ("mailto:x", None),
        ("https://[x", None),
        ("/" + "a" * 5000, None),
    ],
)
def test_joined_addresses(href: str | None, expected: str | None) -> None:
    assert join_web("https://e.example/x/", href) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<base href=/b/>", "https://e.example/b/"),
        ("<base target=x><base href=https://o.example/>", "https://o.example/"),
        ("<base href=mailto:x>", "https://e.example/x"),
        ("", "https://e.example/x"),
    ],
)
def test_bases(html: str, expected: str) -> None:
    assert page_base(read_tree(html.encode()), "https://e.example/x") == expected


def test_hosts() -> None:
    assert [host("https://WWW.E.example:81/a"), host("nothing")] == ["www.e.example", ""]


def test_text_in_lines() -> None:
    root = read_tree(b"<div>a <b>b</b>c<p>d</p>e<br>f<script>x</script><i hidden>g</i></div>")
    assert list(text_runs(root)) == ["a bc", "d", "e", "f", "g"]
    (bold,) = root.iter("b")
    assert list(text_runs(root, lambda one: one is bold)) == ["a c", "d", "e", "f", "g"]
    assert visible_text(bold) == "b"


def test_declared_encodings() -> None:
    assert html_text("<meta charset=windows-1251>ж".encode("cp1251")).endswith("ж")
    assert html_text("ж".encode("cp1251"), "windows-1251") == "ж"
