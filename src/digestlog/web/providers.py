"""The providers that a person has configured: a model that classifies and summarises, and web search.

question -> remembered? -> within the budget? -> ask -> check -> remember -> answer

Whatever goes wrong is a ClassifierError, one line in words; the embedded providers then do the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from digestlog.core.answers import label_text, read_labels, read_object, read_summary
from digestlog.core.digest import Category, Classifier, Hit, Incomplete, Label, Piece, Search, Summariser
from digestlog.core.hits import model_hits
from digestlog.core.prompts import (
    AnswerCache,
    Question,
    classify_question,
    label_key,
    question_key,
    search_question,
    summary_question,
)
from digestlog.core.provider_settings import (
    LLM_MAX_CHARS,
    LLM_MAX_REQUESTS,
    ModelSettings,
    SearchSettings,
    read_settings,
)
from digestlog.core.text import json_text
from digestlog.errors import ClassifierError, StorageError
from digestlog.web.chat import Chat
from digestlog.web.exchange import Unavailable
from digestlog.web.llm_package import LlmPackage
from digestlog.web.search import FeedSearch, SearxngSearch


@dataclass(frozen=True, slots=True)
class Providers:
    """What is configured; None where the embedded provider does the work, or where there is none."""

    classifier: Classifier | None = None
    summariser: Summariser | None = None
    search: Search | None = None


def providers_from_env(env: Mapping[str, str], cache: AnswerCache) -> Providers:
    """The providers that the variables name, for one run; ConfigError if they make no sense."""
    settings = read_settings(env)
    model = Model(settings.model, cache) if settings.model else None
    return Providers(
        classifier=ModelClassifier(model) if model else None,
        summariser=ModelSummariser(model) if model else None,
        search=_search(settings.search, model) if settings.search else None,
    )


class Asker(Protocol):
    """Whatever a model is reached by."""

    name: str

    async def ask(self, question: Question) -> str | None:
        """What the model says; None if it must be asked again."""


class Model:
    """One model during one run: what it may cost, what it said before, and whether it works at all."""

    def __init__(self, settings: ModelSettings, cache: AnswerCache) -> None:
        self._asker: Asker = Chat(settings, settings.url) if settings.url else LlmPackage(settings)
        self.name = self._asker.name
        self.batch = settings.batch
        self._cache = cache
        self._requests = settings.max_requests
        self._chars = settings.max_chars
        self._failure: Unavailable | None = None

    async def ask(self, question: Question) -> str:
        """What the model says; ClassifierError if it does not, or has failed before, or enough was asked."""
        if self._failure is not None:
            # Once is enough: forty articles would wait forty times for a server that hangs.
            raise Unavailable(self._failure.message, self._failure.hint)
        try:
            said = None
            while said is None:
                self._spend(question)
                said = await self._asker.ask(question)
            return said
        except Unavailable as error:
            self._failure = error
            raise

    def remembered(self, key: str) -> str | None:
        """What it said before."""
        with suppress(StorageError):  # the file says so itself when the digest is saved
            return self._cache.get(key)
        return None

    def remember(self, key: str, answer: str) -> None:
        """Keep an answer that was checked; one that cannot be kept is only asked for again."""
        with suppress(StorageError):
            self._cache.put(key, self.name, answer)

    def _spend(self, question: Question) -> None:
        if self._requests < 1:
            raise ClassifierError(
                f"{self.name} was asked as often as one run may", f"raise {LLM_MAX_REQUESTS} to allow more"
            )
        if self._chars < question.chars:
            raise ClassifierError(
                f"{self.name} was sent as much as one run may", f"raise {LLM_MAX_CHARS} to allow more"
            )
        self._requests -= 1
        self._chars -= question.chars


class ModelClassifier:
    """Lets a model put pieces into categories, several at a time."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model

    async def classify(
        self, categories: tuple[Category, ...], pieces: tuple[Piece, ...], corpus: tuple[Piece, ...]
    ) -> list[Label]:
        """One label for each piece, in their order; Incomplete if some answers are of no use."""
        if not categories:
            return [Label(piece.url, None, 0.0) for piece in pieces]
        labels = {at: label for at, piece in enumerate(pieces) if (label := self._known(categories, piece))}
        unknown = [at for at in range(len(pieces)) if at not in labels]
        failure: ClassifierError | None = None
        for start in range(0, len(unknown), self._model.batch):
            some = unknown[start : start + self._model.batch]
            try:
                asked = await self._ask(categories, [pieces[at] for at in some])
            except ClassifierError as error:
                failure = failure or error
            else:
                labels.update(zip(some, asked, strict=True))
        found = [labels[at] for at in range(len(pieces)) if at in labels]
        if failure is not None:
            raise Incomplete(failure.message, failure.hint, labels=tuple(found)) from failure
        return found

    async def _ask(self, categories: tuple[Category, ...], pieces: list[Piece]) -> list[Label]:
        said = await self._model.ask(classify_question(categories, pieces))
        labels = read_labels(said, categories, pieces)
        for piece, label in zip(pieces, labels, strict=True):
            self._model.remember(label_key(self.name, categories, piece), label_text(label))
        return labels

    def _known(self, categories: tuple[Category, ...], piece: Piece) -> Label | None:
        known = self._model.remembered(label_key(self.name, categories, piece))
        with suppress(ClassifierError):  # the file is a person's own, and may have been written to
            return read_labels(known, categories, [piece])[0] if known else None
        return None


class ModelSummariser:
    """Lets a model summarise, as far as the article bears it out."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model

    async def summarize(self, piece: Piece, *, max_chars: int) -> str:
        """The summary."""
        question = summary_question(piece, max_chars)
        key = question_key(self.name, question)
        known = self._model.remembered(key)
        if known:
            with suppress(ClassifierError):
                return read_summary(known, piece, question, max_chars)
        said = await self._model.ask(question)
        summary = read_summary(said, piece, question, max_chars)
        self._model.remember(key, json_text(read_object(said)))
        return summary


class ModelSearch:
    """Lets a model that can search the web do so; its answers are not remembered, as the web changes."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model

    async def search(self, query: str, *, limit: int) -> list[Hit]:
        """At most so many answers, best first."""
        return model_hits(await self._model.ask(search_question(query, limit)), limit)


def _search(settings: SearchSettings, model: Model | None) -> Search:
    if settings.kind == "searxng":
        return SearxngSearch(settings.url)
    if settings.kind == "template":
        return FeedSearch(settings.url)
    assert model is not None  # noqa: S101 - read_settings has seen to it
    return ModelSearch(model)
