"""A model of the llm package, with the plugins and keys that the person has set up for it."""

from __future__ import annotations

import asyncio
import importlib
import threading
from contextlib import suppress
from typing import Any

from digestlog.core.prompts import Question
from digestlog.core.provider_settings import PACKAGE, ModelSettings
from digestlog.errors import ClassifierError
from digestlog.web.chat import MAX_ANSWER
from digestlog.web.exchange import Unavailable


class LlmPackage:
    """Asks one model of the llm package."""

    def __init__(self, settings: ModelSettings) -> None:
        self.name = PACKAGE + settings.model
        self._settings = settings

    async def ask(self, question: Question) -> str:
        """What the model says."""
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                text = await self._answer(question)
        except TimeoutError as error:
            raise Unavailable(f"{self.name} took longer than {self._settings.timeout_s} s") from error
        if not text.strip():
            raise ClassifierError(f"{self.name} gave an empty answer")
        return text

    async def _answer(self, question: Question) -> str:
        """Asked in a thread that the program's end does not wait for: a plugin may hang."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()

        def work() -> None:
            try:
                text = self._prompt(question)
            except ClassifierError as error:
                _tell(loop, answer, error)
            # Plugins raise whatever their own libraries do; what they say may hold a key.
            except Exception as error:
                message = f"{self.name} failed ({type(error).__name__})"
                _tell(loop, answer, Unavailable(message, f"try: llm -m {self._settings.model} hello"))
            else:
                _tell(loop, answer, text)

        threading.Thread(target=work, name="llm", daemon=True).start()
        return await answer

    def _prompt(self, question: Question) -> str:
        model = self._model()
        options: dict[str, Any] = {"system": question.system, "stream": True}
        if getattr(model, "supports_schema", False):
            options["schema"] = question.schema
        if self._settings.key:
            options["key"] = self._settings.key
        text = ""
        for part in model.prompt(question.user, **options):
            text += part
            if len(text) > MAX_ANSWER:
                raise ClassifierError(f"{self.name} gave an answer of more than {MAX_ANSWER:,} characters")
        return text

    def _model(self) -> Any:
        try:
            llm = importlib.import_module("llm")
        except ImportError as error:
            raise Unavailable(
                "the llm package is not installed", "install it: pip install 'digestlog[llm]'"
            ) from error
        try:
            return llm.get_model(self._settings.model)
        except llm.UnknownModelError as error:
            raise Unavailable(
                f"the llm package has no model {self._settings.model}", "see: llm models"
            ) from error


def _tell(
    loop: asyncio.AbstractEventLoop, answer: asyncio.Future[str], result: str | ClassifierError
) -> None:
    def settle() -> None:
        if answer.done():  # nobody waits any longer
            return
        if isinstance(result, str):
            answer.set_result(result)
        else:
            answer.set_exception(result)

    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(settle)
