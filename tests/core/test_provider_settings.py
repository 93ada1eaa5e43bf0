from __future__ import annotations

import pytest

from digestlog.core.provider_settings import (
    ModelSettings,
    ProviderSettings,
    SearchSettings,
    read_settings,
)
from digestlog.errors import ConfigError

OLLAMA = {"DIGESTLOG_LLM_URL": "http://localhost:11434/v1", "DIGESTLOG_LLM_MODEL": "qwen3"}


def model(**env: str) -> ModelSettings:
    found = read_settings({**OLLAMA, **{f"DIGESTLOG_LLM_{name}": value for name, value in env.items()}}).model
    assert found is not None
    return found


def search(value: str) -> SearchSettings | None:
    return read_settings({**OLLAMA, "DIGESTLOG_SEARCH_URL": value}).search


def refusal(**env: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read_settings({f"DIGESTLOG_{name}": value for name, value in env.items()})
    assert "\n" not in caught.value.message
    return caught.value


@pytest.mark.parametrize("env", [{}, {"DIGESTLOG_LLM_URL": " ", "DIGESTLOG_LLM_MODEL": ""}, {"HOME": "/"}])
def test_nothing_is_on_until_it_is_configured(env: dict[str, str]) -> None:
    assert read_settings(env) == ProviderSettings(None, None)


def test_a_key_alone_turns_nothing_on() -> None:
    assert read_settings({"DIGESTLOG_LLM_KEY": "sk-1"}).model is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
        (" http://[::1]:8080 ", "http://[::1]:8080/chat/completions"),
        ("https://api.example/v1/chat/completions", "https://api.example/v1/chat/completions"),
        ("https://api.example/v1/chat/completions/", "https://api.example/v1/chat/completions"),
        ("https://a.example/x?api-version=1#top", "https://a.example/x/chat/completions?api-version=1"),
    ],
)
def test_where_questions_are_posted(url: str, expected: str) -> None:
    assert model(URL=url).url == expected


def test_defaults() -> None:
    assert model() == ModelSettings(
        model="qwen3",
        url="http://localhost:11434/v1/chat/completions",
        key=None,
        timeout_s=120,
        batch=8,
        max_requests=200,
        max_chars=2_000_000,
    )


def test_every_bound_can_be_set() -> None:
    found = model(TIMEOUT="7", BATCH="1", MAX_REQUESTS="3", MAX_CHARS=" 5000 ")
    assert (found.timeout_s, found.batch, found.max_requests, found.max_chars) == (7, 1, 3, 5000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIMEOUT", "0"),
        ("TIMEOUT", "3601"),
        ("TIMEOUT", "1.5"),
        ("BATCH", "51"),
        ("BATCH", "-1"),
        ("BATCH", "٣"),
        ("MAX_REQUESTS", "many"),
        ("MAX_CHARS", "999"),
        ("MAX_CHARS", "9" * 5000),
    ],
)
def test_bounds_have_ranges(name: str, value: str) -> None:
    error = refusal(LLM_URL="http://localhost/v1", LLM_MODEL="m", **{f"LLM_{name}": value})
    assert error.message.startswith(f"DIGESTLOG_LLM_{name} must be a whole number from ")


def test_a_model_of_the_llm_package_needs_no_address() -> None:
    found = read_settings({"DIGESTLOG_LLM_MODEL": "llm:gpt-4o-mini", "DIGESTLOG_LLM_KEY": "sk-1"}).model
    assert found == ModelSettings("gpt-4o-mini", None, "sk-1")


def test_a_model_of_the_llm_package_makes_no_use_of_the_address() -> None:
    assert model(MODEL="llm:small").url is None


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ({"LLM_URL": "http://localhost/v1"}, "DIGESTLOG_LLM_URL is set, but DIGESTLOG_LLM_MODEL is not"),
        ({"LLM_MODEL": "qwen3"}, "DIGESTLOG_LLM_MODEL is set, but DIGESTLOG_LLM_URL is not"),
        ({"LLM_MODEL": "llm:"}, "DIGESTLOG_LLM_MODEL is not the name of a model"),
        ({"LLM_MODEL": "a\nb"}, "DIGESTLOG_LLM_MODEL is not the name of a model"),
        ({"LLM_MODEL": "m" * 201}, "DIGESTLOG_LLM_MODEL is not the name of a model"),
        ({"SEARCH_URL": "model"}, "DIGESTLOG_SEARCH_URL is model, but no model is set"),
    ],
)
def test_half_a_configuration_is_refused(env: dict[str, str], message: str) -> None:
    assert refusal(**env).message == message


@pytest.mark.parametrize(
    "url",
    ["localhost:11434", "ftp://a.example/v1", "http://", "http://[::1", "file:///etc/passwd", "http://a b/"],
)
def test_only_web_addresses(url: str) -> None:
    assert refusal(LLM_URL=url, LLM_MODEL="m").message == "DIGESTLOG_LLM_URL is not an http or https address"


@pytest.mark.parametrize("name", ["LLM_URL", "SEARCH_URL"])
def test_a_password_in_an_address_is_refused_and_not_shown(name: str) -> None:
    error = refusal(
        **{"LLM_MODEL": "m", "LLM_URL": "http://a.example", name: "https://me:sesame@a.example/{query}"}
    )
    assert error.message == f"DIGESTLOG_{name} holds a name or password"
    assert "sesame" not in f"{error.message}{error.hint}"


@pytest.mark.parametrize("key", ["sk 1", "sk\r\nx-evil: 1", "clé", "sk\x00"])
def test_a_key_that_cannot_be_one_is_refused_and_not_shown(key: str) -> None:
    error = refusal(LLM_URL="http://a.example", LLM_MODEL="m", LLM_KEY=key)
    assert error.message == "DIGESTLOG_LLM_KEY has a character that no key has"
    assert key not in f"{error.message}{error.hint}"


def test_the_key_is_in_no_representation() -> None:
    found = model(KEY=" sk-secret ")
    assert found.key == "sk-secret"
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", None),
        ("model", SearchSettings("model")),
        ("searxng:https://s.example", SearchSettings("searxng", "https://s.example/search")),
        ("searxng:https://s.example/x/", SearchSettings("searxng", "https://s.example/x/search")),
        (
            "searxng:http://127.0.0.1:8888/search?q=1",
            SearchSettings("searxng", "http://127.0.0.1:8888/search"),
        ),
        ("https://n.example/rss?q={query}", SearchSettings("template", "https://n.example/rss?q={query}")),
        ("https://n.example/{searchTerms}", SearchSettings("template", "https://n.example/{searchTerms}")),
    ],
)
def test_searches(value: str, expected: SearchSettings | None) -> None:
    assert search(value) == expected


@pytest.mark.parametrize(
    "value", ["https://n.example/rss?q=", "https://{query}.example/", "https://n.example/{q}"]
)
def test_a_template_has_a_place_for_the_words(value: str) -> None:
    assert refusal(SEARCH_URL=value).message == "DIGESTLOG_SEARCH_URL has no {query} behind its host"


@pytest.mark.parametrize("value", ["searxng:", "searxng:s.example", "bing", "javascript:{query}"])
def test_a_search_is_on_the_web(value: str) -> None:
    assert refusal(SEARCH_URL=value).message == "DIGESTLOG_SEARCH_URL is not an http or https address"
