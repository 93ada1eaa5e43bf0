"""Reasons in French: every error that a digest may quote has its words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import digestlog
from digestlog.core.ledger import wall
from digestlog.core.refusals import WALLS
from digestlog.core.render.labels import ENGLISH, FRENCH

SOURCE = Path(digestlog.__file__).parent
# Whoever makes an error that a digest may tell of, or a reason that it may give.
MAKERS = {"FetchError", "BrokenAnswer", "AddressRefused", "ClassifierError", "Unavailable", "_bad", "Reading"}
MAKERS |= {"Visit", "_not_a_feed", "ConnectError", "refused", "cut_off", "kind"}
FILES = [*sorted((SOURCE / "web").glob("*.py")), SOURCE / "core/answers.py", SOURCE / "core/hits.py"]
FILES += [SOURCE / "jobs/collect.py", SOURCE / "jobs/scrape.py"]
# Words that no sentence of ours does without, and that are not French.
LEFT = re.compile(
    r"\b(?:the|is|was|are|not|that|it|its|an|of|to|and|with|gave|has|have|had|be|been|by|for|too|more|than|"
    r"cannot|could|did|does|no|from|this|wants|without|asked|answer|answered|model gave|redirects|longer)\b"
)


def words(node: ast.expr) -> str | None:
    """A text as it is written, with X for what is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "X7" for part in node.values)
    return None


def said(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in MAKERS:
            first = [node.args[1 if name == "_not_a_feed" else 0]] if node.args else []
            first += [word.value for word in node.keywords if word.arg == "error"]
            yield from (text for text in map(words, first) if text and " " in text)


# Here the part that is filled in is a word of ours; the whole sentences are below.
WHOLE = {"the model gave no list of X7", "the model gave something else than text for X7"}
ALL = sorted({text for path in FILES for text in said(path)} - WHOLE)


def test_they_are_found() -> None:
    assert len(ALL) > 50
    assert {"has no article text", "the model answered without JSON"} <= set(ALL)


@pytest.mark.parametrize("text", ALL)
def test_no_english_is_left(text: str) -> None:
    # What is counted has digits where it is filled in.
    filled = text.replace("X7", "7")
    assert LEFT.findall(FRENCH.reason(filled)) == [], FRENCH.reason(filled)
    assert ENGLISH.reason(filled) == filled


@pytest.mark.parametrize(
    "text",
    [
        *WALLS.values(),
        "answered 503: its server is overloaded or being repaired",
        "answered 404: there is nothing at this address; its site names https://e.org/feed",
        "https://e.org/ cannot be reached: the name e.org cannot be found",
        "https://e.org/ cannot be reached: its certificate cannot be trusted (self-signed certificate)",
        "https://e.org/ is larger than 15,000,000 bytes",
        "https://e.org/ unpacks to more than 15,000,000 bytes",
        "small at 127.0.0.1:8080 does not accept the key (401)",
        "small is asked too often, or the quota is used up (429)",
        "the model gave no list of labels",
        "the model gave no list of quotes",
        "the model gave something else than text for a quote",
        "the model gave something else than text for the summary",
        "is not a feed: This is not a feed.",
    ],
)
def test_reasons_that_are_put_together(text: str) -> None:
    assert LEFT.findall(FRENCH.reason(text)) == []


def test_what_is_not_ours_stays() -> None:
    assert FRENCH.reason("https://e.org/a: b") == "https://e.org/a\u00a0: b"
    assert FRENCH.reason("something else entirely") == "something else entirely"
    assert (
        FRENCH.reason("https://is-the.example/a did not answer") == "https://is-the.example/a n’a pas répondu"
    )


def test_walls() -> None:
    for end in ("https://e.org/login", "https://e.org/404", "https://e.org/"):
        reason = wall("https://e.org/a", end)
        assert reason and LEFT.findall(FRENCH.reason(reason)) == []


def test_both_languages_have_the_same_words() -> None:
    assert ENGLISH.phrases.keys() == FRENCH.phrases.keys()
    assert ENGLISH.outcomes.keys() == FRENCH.outcomes.keys()
    fields = re.compile(r"{(\w+)}")
    for name, phrase in ENGLISH.phrases.items():
        if name != "title":
            assert set(fields.findall(phrase)) == set(fields.findall(FRENCH.phrases[name]))


def test_who_did_it() -> None:
    mixed = "small at 127.0.0.1:8080 (2), embedded (1)"
    assert ENGLISH.maker(mixed) == mixed
    assert FRENCH.maker(mixed) == "small at 127.0.0.1:8080 (2), intégré (1)"
    assert FRENCH.maker("extractive") == "extraits"


def test_titles() -> None:
    assert ENGLISH.title("2026-02-01T09:02:10+00:00") == "Digest of 2026-02-01"
    assert FRENCH.title("2026-02-01T09:02:10+00:00") == "Synthèse du 1er février 2026"
