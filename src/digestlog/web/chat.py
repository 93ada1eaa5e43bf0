"""Any OpenAI-compatible chat endpoint: Ollama, llama.cpp, LM Studio, hosted ones."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from digestlog.core.prompts import Question
from digestlog.core.provider_settings import ModelSettings
from digestlog.errors import ClassifierError
from digestlog.web.exchange import Ask, Bounds, Exchange, Reply, refused

MAX_ANSWER = 1_000_000
# How servers say that they do not know a schema for answers, or a fixed temperature.
_NOT_UNDERSTOOD = (400, 422)


class Chat:
    """Asks one model behind a chat endpoint."""

    def __init__(self, settings: ModelSettings, url: str) -> None:
        self.name = f"{settings.model} at {urlsplit(url).netloc}"
        self._plain = False
        self._settings = settings
        self._url = url
        # A model says nothing until its whole answer is there, so reading may take all the time there is.
        bounds = Bounds(max_body=MAX_ANSWER, read_s=settings.timeout_s, total_s=settings.timeout_s)
        self._exchange = Exchange(bounds)

    async def ask(self, question: Question) -> str | None:
        """What the model says; None if it must be asked again, in plain words from now on."""
        reply = await self._exchange.send(self._ask(question))
        if reply.status in _NOT_UNDERSTOOD and not self._plain:
            self._plain = True
            return None
        if reply.status != 200:
            raise refused(self.name, reply.status)
        return _said(self.name, reply)

    def _ask(self, question: Question) -> Ask:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._settings.key:
            headers["authorization"] = f"Bearer {self._settings.key}"
        payload = _payload(self._settings.model, question, plain=self._plain)
        # A lone half of a character pair cannot be sent; it becomes a question mark.
        content = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        return Ask("POST", self._url, headers, content)


def _payload(model: str, question: Question, *, plain: bool) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": question.system},
            {"role": "user", "content": question.user},
        ],
        "stream": False,
    }
    if not plain:
        shape = {"name": question.name, "strict": True, "schema": question.schema}
        payload["temperature"] = 0
        payload["response_format"] = {"type": "json_schema", "json_schema": shape}
    return payload


def _said(name: str, reply: Reply) -> str:
    """The text of the first choice."""
    try:
        choice = json.loads(reply.body)["choices"][0]
        message = choice["message"]
        content, refusal, reason = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise ClassifierError(f"{name} did not answer as a chat endpoint does") from error
    if refusal or reason == "content_filter":
        raise ClassifierError(f"{name} refused to answer")
    if reason == "length":
        raise ClassifierError(f"{name} was cut off in its answer")
    if not isinstance(content, str) or not content.strip():
        raise ClassifierError(f"{name} gave an empty answer")
    return content
