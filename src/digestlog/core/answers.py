"""Answers of a model, believed only as far as they can be checked.

An answer has exactly the shape that was asked for, or it is none: no field more, no field less, no
category that was not given, no quote that the article does not hold, no address in a summary.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from digestlog.core.digest import Category, Label, Piece
from digestlog.core.prompts import MAX_QUOTES, Question
from digestlog.core.text import clean
from digestlog.errors import ClassifierError

_MAX_CUT = 4  # a summary up to so many times too long is cut; a longer one is no summary
_THOUGHTS_END = "</think>"
# An address in any of the ways in which a reader or a mail program would take it for one.
_LINK = re.compile(
    r"[a-z][a-z\d+.-]{0,30}://|\bwww\.|\b(?:javascript|data|mailto|file):(?=\S)|\]\(|<[a-z/!]"
    r"|\b[a-z\d-]{1,63}\.[a-z]{2,24}/",
    re.I,
)
_QUOTED = re.compile('[“„]([^“”„]{1,2000})[”“]|«([^«»]{1,2000})»|"([^"]{1,2000})"')
_SENTENCE_END = re.compile(r"[.!?…][\"”»)]*(?=\s)|[。！？]")


def read_object(text: str) -> dict[str, Any]:
    """The one JSON object of an answer, also where words or a code fence stand around it."""
    said = text.rpartition(_THOUGHTS_END)[2]
    start, end = said.find("{"), said.rfind("}")
    if start < 0 or end < start:
        _bad("the model answered without JSON")
    try:
        # It begins with a brace, so it is an object.
        found: dict[str, Any] = json.loads(
            said[start : end + 1], object_pairs_hook=_unique, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as error:
        raise ClassifierError("the model answered with JSON that cannot be read") from error
    return found


def read_labels(text: str, categories: Sequence[Category], pieces: Sequence[Piece]) -> list[Label]:
    """One label for each piece, in their order; ClassifierError for anything else."""
    labels = _list(_fields(read_object(text), "labels")["labels"], "labels")
    if len(labels) != len(pieces):
        _bad(f"the model gave {len(labels):,} labels for {len(pieces):,} articles")
    names = {category.name for category in categories}
    read = (_label(label, number, names) for number, label in enumerate(labels, 1))
    return [Label(piece.url, category, score) for piece, (category, score) in zip(pieces, read, strict=True)]


def label_text(label: Label) -> str:
    """One label as it is remembered."""
    kept = {"piece": 1, "category": label.category, "confidence": label.score}
    return json.dumps({"labels": [kept]})


def read_summary(text: str, piece: Piece, question: Question, max_chars: int) -> str:
    """The summary, no longer than asked for; ClassifierError if the article does not bear it out."""
    answer = _fields(read_object(text), "summary", "quotes")
    quotes = _list(answer["quotes"], "quotes")
    if not 1 <= len(quotes) <= MAX_QUOTES:
        _bad(f"the model gave {len(quotes):,} quotes instead of one to {MAX_QUOTES}")
    for quote in quotes:
        _require_quote(_text(quote, "a quote"), piece)
    summary = clean(_text(answer["summary"], "the summary"))
    if summary is None:
        _bad("the model gave an empty summary")
    _require_harmless(summary, piece, question, max_chars)
    return _shortened(summary, max_chars)


def _require_quote(quote: str, piece: Piece) -> None:
    if not quote.strip() or quote not in piece.text:
        _bad("the model quoted words that the article does not have")


def _require_harmless(summary: str, piece: Piece, question: Question, max_chars: int) -> None:
    if len(summary) > _MAX_CUT * max_chars:
        _bad("the model gave a summary that is far too long")
    if _LINK.search(summary):
        _bad("the model put an address or markup into the summary")
    if question.fence in summary:
        _bad("the model repeated its instructions")
    source = clean(f"{piece.title or ''} {piece.text}") or ""
    for found in _QUOTED.finditer(summary):
        if (found[1] or found[2] or found[3]).strip(" .,;:!?…\u00a0\u202f") not in source:
            _bad("the model quoted words that the article does not have")


def _shortened(summary: str, max_chars: int) -> str:
    """The whole sentences that fit, or as many words."""
    if len(summary) <= max_chars:
        return summary
    ends = [found.end() for found in _SENTENCE_END.finditer(summary) if found.end() <= max_chars]
    if ends:
        return summary[: ends[-1]]
    room = summary[: max_chars - 1]
    return (room.rpartition(" ")[0] or room).rstrip(" ,;:") + "…"


def _label(value: Any, number: int, names: set[str]) -> tuple[str | None, float]:
    label = _fields(value, "piece", "category", "confidence")
    category, confidence = label["category"], label["confidence"]
    if type(label["piece"]) is not int or label["piece"] != number:
        _bad("the model mixed up the articles")
    if category is not None and (not isinstance(category, str) or category not in names):
        _bad("the model named a category that does not exist")
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        _bad("the model gave a confidence that is not between 0 and 1")
    return category, float(confidence)


def _fields(value: Any, *names: str) -> dict[str, Any]:
    """The object, if it has exactly these fields."""
    if not isinstance(value, dict) or not value.keys() >= set(names):
        _bad("the model left out a part of the answer")
    if len(value) > len(names):
        _bad("the model added something to the answer that nobody asked for")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        _bad(f"the model gave no list of {what}")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        _bad(f"the model gave something else than text for {what}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _bad(message: str) -> NoReturn:
    raise ClassifierError(message)
