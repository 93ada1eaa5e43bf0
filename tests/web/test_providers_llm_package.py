"""Models of the llm package, whose place a module of the same shape takes."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from provider_fakes import BOTH, Memory, piece

from digestlog.core.provider_settings import ModelSettings
from digestlog.errors import ClassifierError
from digestlog.web import providers as web_providers
from digestlog.web.llm_package import LlmPackage
from digestlog.web.providers import Providers, providers_from_env

GOOD = json.dumps({"summary": "The tide rose.", "quotes": ["3.2 metres"]})


class UnknownModelError(KeyError):
    """As the package has it."""


class FakeModel:
    """Says something, in parts, or fails."""

    supports_schema = True

    def __init__(self) -> None:
        self.says: list[str] | Exception = [GOOD[:9], GOOD[9:]]
        self.asked: list[dict[str, Any]] = []
        self.waits: threading.Event | None = None

    def prompt(self, prompt: str, **options: Any) -> Iterator[str]:
        self.asked.append({"prompt": prompt, **options})
        if self.waits:
            self.waits.wait(30)
        if isinstance(self.says, Exception):
            raise self.says
        yield from self.says


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    fake, package = FakeModel(), ModuleType("llm")

    def get_model(name: str) -> FakeModel:
        if name != "small":
            raise UnknownModelError(name)
        return fake

    package.get_model = get_model  # type: ignore[attr-defined]
    package.UnknownModelError = UnknownModelError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "llm", package)
    return fake


def configured(name: str = "small", **env: str) -> Providers:
    return providers_from_env({"DIGESTLOG_LLM_MODEL": f"llm:{name}", **env}, Memory())


def summary(providers: Providers) -> str:
    assert providers.summariser is not None
    return asyncio.run(providers.summariser.summarize(piece(), max_chars=100))


def failure(providers: Providers) -> ClassifierError:
    with pytest.raises(ClassifierError) as caught:
        summary(providers)
    assert "\n" not in caught.value.message
    return caught.value


def test_a_summary(model: FakeModel) -> None:
    providers = configured()
    assert summary(providers) == "The tide rose."
    (asked,) = model.asked
    assert providers.summariser is not None
    assert providers.summariser.name == "llm:small"
    assert sorted(asked) == ["prompt", "schema", "stream", "system"]
    assert asked["prompt"].startswith("BEGIN-DATA-")
    assert asked["schema"]["additionalProperties"] is False


def test_labels(model: FakeModel) -> None:
    model.says = ['{"labels": [{"piece": 1, "category": null, "confidence": 0.5}]}']
    classifier = configured().classifier
    assert classifier is not None
    (label,) = asyncio.run(classifier.classify(BOTH, (piece(),), ()))
    assert (label.category, label.score) == (None, 0.5)


def test_a_model_without_schemas_is_asked_in_plain_words(model: FakeModel) -> None:
    model.supports_schema = False
    assert summary(configured()) == "The tide rose."
    assert "schema" not in model.asked[0]


def test_the_key_is_handed_on(model: FakeModel) -> None:
    summary(configured(DIGESTLOG_LLM_KEY="sk-1"))
    assert model.asked[0]["key"] == "sk-1"


def test_the_package_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llm", None)
    error = failure(configured())
    assert error.message == "the llm package is not installed"
    assert error.hint == "install it: pip install 'digestlog[llm]'"


def test_the_model_is_not_there(model: FakeModel) -> None:
    error = failure(configured("unheard-of"))
    assert error.message == "the llm package has no model unheard-of"
    assert error.hint == "see: llm models"


def test_what_a_plugin_raises_is_not_shown(model: FakeModel) -> None:
    model.says = ValueError("bad key sk-1\nsecond line")
    providers = configured()
    for _ in range(2):
        error = failure(providers)
        assert (error.message, error.hint) == ("llm:small failed (ValueError)", "try: llm -m small hello")
    assert len(model.asked) == 1  # it is not asked again in this run


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ([], "llm:small gave an empty answer"),
        ([" ", "\n"], "llm:small gave an empty answer"),
        (["no"], "the model answered without JSON"),
        (["x" * 600_000] * 2, "llm:small gave an answer of more than 1,000,000 characters"),
    ],
)
def test_garbage(model: FakeModel, says: list[str], message: str) -> None:
    model.says = says
    assert failure(configured()).message == message


@pytest.mark.parametrize("says", [[GOOD], ValueError("late")])
def test_a_plugin_that_hangs_is_left_behind(model: FakeModel, says: list[str] | Exception) -> None:
    """Its answer comes when nobody waits any longer: once while the loop still runs, once after its end."""
    question = web_providers.summary_question(piece(), 100)
    asker = LlmPackage(ModelSettings("small", None, timeout_s=0))
    model.waits, model.says = threading.Event(), says

    async def both() -> None:
        with pytest.raises(ClassifierError, match="^llm:small took longer than 0 s$"):
            await asker.ask(question)
        workers = [thread for thread in threading.enumerate() if thread.name == "llm"]
        assert all(thread.daemon for thread in workers)
        assert model.waits is not None
        model.waits.set()
        await asyncio.to_thread(_join, workers)
        model.waits.clear()
        with pytest.raises(ClassifierError):
            await asker.ask(question)

    asyncio.run(both())
    model.waits.set()
    _join([thread for thread in threading.enumerate() if thread.name == "llm"])


def _join(workers: list[threading.Thread]) -> None:
    for worker in workers:
        worker.join(30)
        assert not worker.is_alive()
