"""Which model and which web search a person has configured, read from environment variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, urlsplit, urlunsplit

import ada_url

from digestlog.errors import ConfigError

LLM_URL = "DIGESTLOG_LLM_URL"
LLM_MODEL = "DIGESTLOG_LLM_MODEL"
LLM_KEY = "DIGESTLOG_LLM_KEY"
LLM_TIMEOUT = "DIGESTLOG_LLM_TIMEOUT"
LLM_BATCH = "DIGESTLOG_LLM_BATCH"
LLM_MAX_REQUESTS = "DIGESTLOG_LLM_MAX_REQUESTS"
LLM_MAX_CHARS = "DIGESTLOG_LLM_MAX_CHARS"
SEARCH_URL = "DIGESTLOG_SEARCH_URL"

QUERY_FIELDS = ("{query}", "{searchTerms}")
PACKAGE = "llm:"

_SEARXNG = "searxng:"
_MODEL = "model"
_CHAT = "/chat/completions"
_MAX_MODEL_CHARS = 200
_TIMEOUT_S = 120
_BATCH = 8
_REQUESTS = 200
_CHARS = 2_000_000

SearchKind = Literal["searxng", "template", "model"]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model: behind a chat endpoint, or, where `url` is None, one of the llm package."""

    model: str
    url: str | None
    key: str | None = field(default=None, repr=False)
    timeout_s: int = _TIMEOUT_S
    batch: int = _BATCH
    max_requests: int = _REQUESTS
    max_chars: int = _CHARS


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """A web search: the address of a SearXNG, a template with {query}, or the model itself."""

    kind: SearchKind
    url: str = ""


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """What is configured; None where nothing is."""

    model: ModelSettings | None
    search: SearchSettings | None


def read_settings(env: Mapping[str, str]) -> ProviderSettings:
    """The providers that the variables name; ConfigError, never with the key in it, if they make no sense."""
    model = _model(env)
    search = _search(_value(env, SEARCH_URL))
    if search is not None and search.kind == "model" and model is None:
        raise ConfigError(f"{SEARCH_URL} is {_MODEL}, but no model is set", f"set {LLM_URL} and {LLM_MODEL}")
    return ProviderSettings(model, search)


def _model(env: Mapping[str, str]) -> ModelSettings | None:
    url, model = _value(env, LLM_URL), _value(env, LLM_MODEL)
    if not url and not model:
        return None
    if not model:
        raise ConfigError(f"{LLM_URL} is set, but {LLM_MODEL} is not", f"set {LLM_MODEL} to the model's name")
    if not model.isprintable() or len(model) > _MAX_MODEL_CHARS or model == PACKAGE:
        raise ConfigError(f"{LLM_MODEL} is not the name of a model")
    packaged = model.startswith(PACKAGE)
    if not url and not packaged:
        raise ConfigError(
            f"{LLM_MODEL} is set, but {LLM_URL} is not",
            f"set {LLM_URL}, for example to http://localhost:11434/v1, or {LLM_MODEL} to {PACKAGE}NAME",
        )
    return ModelSettings(
        model=model.removeprefix(PACKAGE),
        url=None if packaged else _chat_url(url),
        key=_key(env),
        timeout_s=_number(env, LLM_TIMEOUT, _TIMEOUT_S, 1, 3600),
        batch=_number(env, LLM_BATCH, _BATCH, 1, 50),
        max_requests=_number(env, LLM_MAX_REQUESTS, _REQUESTS, 1, 100_000),
        max_chars=_number(env, LLM_MAX_CHARS, _CHARS, 1000, 1_000_000_000),
    )


def _search(value: str) -> SearchSettings | None:
    if not value:
        return None
    if value == _MODEL:
        return SearchSettings("model")
    if value.startswith(_SEARXNG):
        parts = _web_parts(SEARCH_URL, value.removeprefix(_SEARXNG))
        path = parts.path.rstrip("/").removesuffix("/search")
        return SearchSettings("searxng", urlunsplit((parts.scheme, parts.netloc, f"{path}/search", "", "")))
    host = _web_parts(SEARCH_URL, value).netloc
    if not any(field in value for field in QUERY_FIELDS) or "{" in host:
        raise ConfigError(
            f"{SEARCH_URL} has no {{query}} behind its host",
            "write {query} where the words belong: https://example.org/search.rss?q={query}",
        )
    return SearchSettings("template", value)


def _chat_url(url: str) -> str:
    """Where questions are posted: the base as written, or already with the path of the chat."""
    parts = _web_parts(LLM_URL, url)
    path = parts.path.rstrip("/").removesuffix(_CHAT) + _CHAT
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def _web_parts(name: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        # A template's braces are no part of an address; what is left must be one.
        usable = usable and ada_url.check_url(url.replace("{", "").replace("}", ""))
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"{name} is not an http or https address")
    if "@" in parts.netloc:
        raise ConfigError(
            f"{name} holds a name or password", f"take it out; a key for a model belongs into {LLM_KEY}"
        )
    return parts


def _key(env: Mapping[str, str]) -> str | None:
    key = _value(env, LLM_KEY)
    if not all("!" <= char <= "~" for char in key):
        raise ConfigError(f"{LLM_KEY} has a character that no key has", "copy it again, without spaces")
    return key or None


def _number(env: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = _value(env, name)
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(high)) and low <= int(text) <= high):
        raise ConfigError(f"{name} must be a whole number from {low:,} to {high:,}")
    return int(text)


def _value(env: Mapping[str, str], name: str) -> str:
    return env.get(name, "").strip()
