"""The providers that are always there."""

from __future__ import annotations

import asyncio

import pytest
from provider_fakes import BOTH, TEXT, piece

from digestlog.core import embedded
from digestlog.core.classify import Label as Found
from digestlog.core.classify import Text
from digestlog.core.digest import Category, Label, Piece
from digestlog.core.embedded import EmbeddedClassifier, ExtractiveSummariser

GOALS = "The home side scored two goals in the sport hall before the half. The sport club was glad."


def classify(
    pieces: tuple[Piece, ...], corpus: tuple[Piece, ...] = (), categories: tuple[Category, ...] = BOTH
) -> list[Label]:
    return asyncio.run(EmbeddedClassifier().classify(categories, pieces, corpus))


def test_one_label_for_each_piece_in_their_order() -> None:
    tide, goals = piece(), piece(GOALS, "Two goals", 2)
    there = classify((tide, goals))
    assert [(label.url, label.category) for label in there] == [(tide.url, "Science"), (goals.url, "Sport")]
    assert all(0 <= label.score <= 1 and label.words for label in there)
    assert [label.url for label in classify((goals, tide))] == [goals.url, tide.url]
    assert classify((tide, goals)) == there


def test_nothing_to_classify_and_nothing_to_choose_from() -> None:
    assert classify(()) == []
    (label,) = classify((piece(),), categories=())
    assert (label.url, label.category) == (piece().url, None)


def test_a_piece_teaches_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corpus has the asked pieces too; the learner gets each text once."""
    given: list[tuple[list[str], list[str]]] = []

    def learner(categories: object, texts: list[Text], corpus: list[Text]) -> list[Found]:
        given.append(([text.key for text in texts], [text.key for text in corpus]))
        return [Found(text.key, "Science", 0.5, (("tide", 1.0),)) for text in texts]

    monkeypatch.setattr(embedded.classify, "classify", learner)
    one, two, three = (piece(number=number) for number in (1, 2, 3))
    assert classify((two,), (one, two, three)) == [Label(two.url, "Science", 0.5, (("tide", 1.0),))]
    assert given == [([two.url], [one.url, three.url])]


def test_a_summary_is_taken_word_for_word() -> None:
    summary = asyncio.run(ExtractiveSummariser().summarize(piece(), max_chars=60))
    assert summary and len(summary) <= 60 and summary in TEXT


def test_their_names_are_in_every_digest() -> None:
    assert (EmbeddedClassifier.name, ExtractiveSummariser.name) == ("embedded", "extractive")
