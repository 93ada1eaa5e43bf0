"""The providers that need no network, no key and no download."""

from __future__ import annotations

from digestlog.core import classify
from digestlog.core.digest import Category, Label, Piece
from digestlog.core.summaries import summarize


class EmbeddedClassifier:
    """Learns from the categories' own words and from the articles at hand."""

    name = "embedded"

    async def classify(
        self, categories: tuple[Category, ...], pieces: tuple[Piece, ...], corpus: tuple[Piece, ...]
    ) -> list[Label]:
        """One label for each piece, in their order."""
        texts = [_text(piece) for piece in pieces]
        asked = {piece.url for piece in pieces}
        more = [_text(piece) for piece in corpus if piece.url not in asked]
        found = classify.classify(categories, texts, more)
        return [Label(label.key, label.category, label.score, label.words) for label in found]


class ExtractiveSummariser:
    """Takes the lead and the most central sentences, word for word."""

    name = "extractive"

    async def summarize(self, piece: Piece, *, max_chars: int) -> str:
        """The summary: exact pieces of the text."""
        return summarize(piece.text, title=piece.title, max_chars=max_chars)


def _text(piece: Piece) -> classify.Text:
    return classify.Text(piece.url, piece.title, piece.text)
