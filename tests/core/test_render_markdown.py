"""Markdown: read back by a CommonMark parser, every text is exactly the text it was."""

from __future__ import annotations

import pytest
from digest_samples import FULL, HOSTILE, digest, item
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from digestlog.core.digest import Link
from digestlog.core.render.labels import ENGLISH, FRENCH
from digestlog.core.render.markdown import escape, to_markdown
from digestlog.core.render.plain import line, link

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tokens(text: str) -> list[Token]:
    """All tokens, those inside lines too."""
    return [one for token in _PARSER.parse(text) for one in (token, *(token.children or ()))]


def words(text: str) -> list[str]:
    """What a reader sees of each line of text, without marks."""
    return [
        "".join(" " if child.type == "softbreak" else child.content for child in token.children or ())
        for token in _PARSER.parse(text)
        if token.type == "inline"
    ]


def shape(text: str) -> list[str]:
    """The kinds of all tokens but the texts."""
    return [token.type for token in tokens(text) if token.type not in ("text", "text_special", "softbreak")]


def targets(text: str) -> list[str]:
    return [str(token.attrs["href"]) for token in tokens(text) if token.type == "link_open"]


def test_a_whole_digest() -> None:
    assert to_markdown(FULL, ENGLISH) == (
        "# Digest of Friday\n"
        "\n"
        "For owner · 13 February 2026, 09:02 UTC · 3 articles\n"
        "\n"
        "## Town\n"
        "\n"
        "1. **[The swing bridge](https://harbour.example/bridge)**\n"
        "\n"
        "   Harbour Gazette · 12 February 2026\n"
        "\n"
        "   The bridge closes.\n"
        "\n"
        "   Ferries run instead.\n"
        "\n"
        "   Why: its words: harbour\n"
        "\n"
        "   The same story elsewhere:\n"
        "\n"
        "   - [Bridge shut](https://times.example/b?x=1&y=2) (The Times)\n"
        "   - [Radio Coast](https://radio.example/b)\n"
        "\n"
        "2. **[The clock tower](<https://town.example/clock_(old)>)**\n"
        "\n"
        "   undated\n"
        "\n"
        "   The bridge closes.\n"
        "\n"
        "   Why: its words: harbour\n"
        "\n"
        "## Science\n"
        "\n"
        "1. **[https://lab.example/x](https://lab.example/x)**\n"
        "\n"
        "   Harbour Gazette · undated\n"
        "\n"
        "   Why: its words: harbour\n"
        "\n"
        "## Notes\n"
        "\n"
        "- Radio Coast: no answer\n"
        "\n"
        "---\n"
        "\n"
        "Classification: embedded · Summaries: extractive\n"
    )


def test_in_french() -> None:
    text = to_markdown(FULL, FRENCH)
    assert "Pour owner · 13 février 2026, 09:02 UTC · 3 articles" in text
    assert "\n   Pourquoi\xa0: its words: harbour\n" in text
    assert "\n   La même histoire ailleurs\xa0:\n" in text
    assert "\n## Remarques\n" in text and "Classement\xa0: intégré · Résumés\xa0: extraits" in text


def test_nothing_new() -> None:
    assert to_markdown(digest(), ENGLISH).endswith("0 articles\n\nNothing new this time.\n")
    assert "0 article\n\nRien de nouveau cette fois.\n" in to_markdown(digest(), FRENCH)


def test_the_parser_sees_the_structure() -> None:
    text = to_markdown(FULL, ENGLISH)
    kinds = shape(text)
    assert kinds.count("heading_open") == 4
    assert kinds.count("ordered_list_open") == 2
    assert kinds.count("list_item_open") == 3 + 2 + 1
    assert targets(text) == [
        "https://harbour.example/bridge",
        "https://times.example/b?x=1&y=2",
        "https://radio.example/b",
        "https://town.example/clock_(old)",
        "https://lab.example/x",
    ]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("width", [None, 12])
def test_hostile_text_stays_text(text: str, width: int | None) -> None:
    """Wherever it stands, the page has the shape that a harmless text gives it."""

    def made(words: str) -> str:
        one = item(words, category=words, summary=words, source=words, why=words, other_links=(other(words),))
        whole = digest(one, title=words, user=words, notes=(words,), providers={"classifier": words})
        return to_markdown(whole, ENGLISH, width=width)

    def other(words: str) -> Link:
        return Link("https://o.example/", words, f"{words}!")

    assert shape(made(text)) == shape(made("harmless"))
    seen = words(made(text))
    plain = line(text)
    assert seen[0] == plain
    assert seen.count(plain) >= 4  # title of the digest, category, title, summary, note
    assert f"Why: {plain}" in seen and f"{plain} ({plain}!)" in seen


@given(st.text(max_size=60))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    plain = line(text)
    markdown = escape(plain)
    assert "\n" not in markdown
    if plain:
        assert words(markdown) == [plain]
        assert words(f"# {markdown}") == [plain]
        assert words(f"- {markdown}") == [plain]


@given(st.text("ab_*`#+-=.1) <>&;[]()\\|~!:", max_size=40), st.integers(5, 30))
def test_broken_lines_begin_nothing(text: str, width: int) -> None:
    whole = to_markdown(digest(item(summary=f"x {text}")), ENGLISH, width=width)
    assert f"x {line(text) or ''}".rstrip() in words(whole)
    assert shape(whole) == shape(to_markdown(digest(item(summary="x")), ENGLISH))


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://e.org/a_(b)", "(<https://e.org/a_(b)>)"),
        ("https://e.org/a)b", "(<https://e.org/a)b>)"),
        ("https://e.org/a b", "(https://e.org/a%20b)"),
        ("https://e.org/<b>", "(https://e.org/%3Cb%3E)"),
        ("https://e.org/?a=1&copy;=2", "(https://e.org/?a=1\\&copy;=2)"),
        ("https://e.org/?a=\\", "(https://e.org/?a=\\\\)"),
        ("https://e.org/ü", "(https://e.org/%C3%BC)"),
        ("https://müller.example/", "(https://xn--mller-kva.example/)"),
        ("HTTPS://E.org/x\ny", "(https://e.org/x%20y)"),
    ],
)
def test_addresses_with_signs_of_markdown(url: str, written: str) -> None:
    text = to_markdown(digest(item("T", url=url)), ENGLISH)
    assert f"**[T]{written}**" in text
    assert [_unquoted(target) for target in targets(text)] == [_unquoted(link(url))]


def _unquoted(url: str | None) -> str:
    # The parser writes a backslash as %5C.
    return str(url).replace("\\", "%5C")


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//e.org/a", "", "mailto:a@e.org"],
)
def test_other_addresses_are_no_links(url: str) -> None:
    one = item("Title", url=url, other_links=(Link(url, "Other", "Source"),))
    text = to_markdown(digest(one), ENGLISH)
    assert "\n1. **Title**\n" in text and "\n   - Other (Source)\n" in text
    assert targets(text) == []


def test_lines_fit_a_width() -> None:
    text = to_markdown(digest(item(summary="word " * 100)), ENGLISH, width=40)
    assert max(map(len, text.splitlines()[6:])) <= 60
    body = [one for one in text.splitlines() if "word" in one]
    assert len(body) > 10 and max(map(len, body)) <= 40


def test_what_steers_a_terminal_is_gone() -> None:
    text = to_markdown(digest(item("a\x1b[31mred\x07\u202eevil\u2066", summary="b\x9b2Jc\rd")), ENGLISH)
    assert "[a\\[31mredevil]" in text and "\n   b2Jc d\n" in text
    assert not set(text) & set("\x1b\x07\u202e\u2066\x9b\r")
