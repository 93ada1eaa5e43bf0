"""Models behind a chat endpoint: what they are asked, what is believed, what is remembered."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from provider_fakes import BOTH, HOSTILE, TEXT, Memory, piece
from web.loopback import answer, endless, moved, packed, raw, silent
from web.model_server import KEY, Endpoint, Said, label, obliging, remembering, run, said

from digestlog.core.digest import Hit, Incomplete, Label, Piece
from digestlog.errors import ClassifierError, ConfigError, LockedFile
from digestlog.web import chat
from digestlog.web.providers import Providers, providers_from_env

GOOD = said({"summary": "The tide rose.", "quotes": ["Ships stayed in port until noon."]})


async def classified(providers: Providers, *pieces: Piece) -> list[Label]:
    assert providers.classifier is not None
    return await providers.classifier.classify(BOTH, pieces, ())


async def summarized(providers: Providers, one: Piece | None = None) -> str:
    assert providers.summariser is not None
    return await providers.summariser.summarize(one or piece(), max_chars=100)


def failure(*says: Said, **env: str) -> ClassifierError:
    """What a summary fails with, in one line and without the key."""
    caught: list[ClassifierError] = []

    async def body(endpoint: Endpoint, providers: Providers) -> None:
        with pytest.raises(ClassifierError) as error:
            await summarized(providers)
        caught.append(error.value)

    run(body, *says, **env)
    shown = f"{caught[0].message} {caught[0].hint} {caught[0]!r}"
    assert "\n" not in caught[0].message
    assert KEY not in shown
    return caught[0]


def test_nothing_is_configured() -> None:
    assert providers_from_env({}, Memory()) == Providers(None, None, None)


def test_a_wrong_configuration_is_said_at_once() -> None:
    with pytest.raises(ConfigError, match="DIGESTLOG_LLM_MODEL is not"):
        providers_from_env({"DIGESTLOG_LLM_URL": "http://localhost"}, Memory())


def test_what_is_sent() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        labels = await classified(providers, piece(), piece("Two to one.", None, 2))
        assert labels == [
            Label("https://a.example/1", "Science", 0.9),
            Label("https://a.example/2", "Science", 0.9),
        ]
        assert providers.classifier is not None
        assert providers.classifier.name == f"small at 127.0.0.1:{endpoint.port}"

    endpoint = run(body)
    (seen,), (asked,) = endpoint.seen, endpoint.asked
    assert (seen.method, seen.target) == ("POST", "/v1/chat/completions")
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.headers["content-type"] == "application/json"
    assert seen.headers["user-agent"].startswith("digestlog/")
    assert "cookie" not in seen.headers
    assert (asked["model"], asked["stream"], asked["temperature"]) == ("small", False, 0)
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    shape = asked["response_format"]["json_schema"]
    assert asked["response_format"]["type"] == "json_schema"
    assert (shape["name"], shape["strict"]) == ("labels", True)
    assert shape["schema"]["additionalProperties"] is False
    assert TEXT in asked["messages"][1]["content"]
    assert KEY not in json.dumps(asked)


def test_without_a_key_none_is_sent() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert await summarized(providers) == "The tide rose."

    assert "authorization" not in run(body, GOOD, LLM_KEY="").seen[0].headers


def test_a_packed_answer() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert await summarized(providers) == "The tide rose."

    run(body, packed(GOOD.partition(b"\r\n\r\n")[2]))


def test_half_a_character_pair_can_be_sent() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert [one.category for one in await classified(providers, piece("a \ud800 b"))] == ["Science"]

    assert "a ? b" in run(body).asked[0]["messages"][1]["content"]


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_knows_no_schema_is_asked_in_plain_words_from_then_on(status: int) -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        await summarized(providers)
        await summarized(providers, piece(TEXT + " More."))

    endpoint = run(body, answer(status, b"response_format?"), GOOD)
    assert ["response_format" in asked for asked in endpoint.asked] == [True, False, False]
    assert ["temperature" in asked for asked in endpoint.asked] == [True, False, False]


def test_json_among_words() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert await summarized(providers) == "Ebb."

    told = json.dumps({"summary": "Ebb.", "quotes": ["3.2 metres"]})
    run(body, said(f"<think>Hm.</think>Sure:\n```json\n{told}\n```"))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "does not accept the key (401)"),
        (402, "wants to be paid first (402)"),
        (403, "does not allow this (403)"),
        (404, "does not know the path or the model (404)"),
        (413, "finds the question too long (413)"),
        (418, "refuses the question (418)"),
        (429, "is asked too often, or the quota is used up (429)"),
        (500, "has an error of its own (500)"),
        (503, "has an error of its own (503)"),
        (400, "refuses the question (400)"),
        (204, "refuses the question (204)"),
    ],
)
def test_refusals(status: int, words: str) -> None:
    error = failure(answer(status, f"Incorrect API key provided: {KEY}".encode() if status != 204 else b""))
    assert error.message.startswith("small at 127.0.0.1:")
    assert error.message.endswith(words)


def test_a_redirect_is_not_followed() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        with pytest.raises(ClassifierError, match="has moved$"):
            await summarized(providers)

    endpoint = run(body, moved("/v2/chat/completions", 307), GOOD)
    assert endpoint.targets == ["POST /v1/chat/completions"]


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (answer(200, b"<html>Welcome</html>"), "did not answer as a chat endpoint does"),
        (answer(200, b""), "did not answer as a chat endpoint does"),
        (answer(200, b"\xff\xfe\x00"), "did not answer as a chat endpoint does"),
        (answer(200, b"[" * 300_000), "did not answer as a chat endpoint does"),
        (answer(200, b"null"), "did not answer as a chat endpoint does"),
        (answer(200, b'{"choices": []}'), "did not answer as a chat endpoint does"),
        (answer(200, b'{"choices": [{"message": "hi"}]}'), "did not answer as a chat endpoint does"),
        (answer(200, b'{"error": {"message": "overloaded"}}'), "did not answer as a chat endpoint does"),
        (said(None), "gave an empty answer"),
        (said("  \n"), "gave an empty answer"),
        (said(None, refusal="I cannot help with that."), "refused to answer"),
        (said("x", reason="content_filter"), "refused to answer"),
        (said('{"summary": "The t', reason="length"), "was cut off in its answer"),
        (said("I will not."), "the model answered without JSON"),
        (said('{"summary": }'), "the model answered with JSON that cannot be read"),
        (said({"summary": "x", "quotes": ["not there"]}), "quoted words that the article does not have"),
        (said({"summary": "x", "quotes": ["tide"], "tool": "fetch"}), "that nobody asked for"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"), "was cut off"),
        (raw(b"SSH-2.0-OpenSSH\r\n\r\n"), "answered something that is not HTTP"),
        (raw(), "hung up without an answer"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nnot brotli at all"), "damaged compressed data"),
        (answer(200, b"x", Content_Encoding="rot13"), "compressed in a way that was not asked for (rot13)"),
    ],
    ids=range(22),
)
def test_garbage(says: Said, words: str) -> None:
    assert failure(says).message.endswith(words)


def test_an_answer_that_never_ends() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert failure(endless(head, b"4000\r\n" + b" " * 0x4000 + b"\r\n")).message.endswith(
        "/v1/chat/completions is larger than 1,000,000 bytes"
    )


def test_a_small_answer_that_unpacks_to_a_large_one() -> None:
    assert failure(packed(b" " * 50_000_000)).message.endswith("unpacks to more than 1,000,000 bytes")


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"])
def test_a_server_that_hangs_is_given_up_once_for_all(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        for one in (piece(), piece("Other.", number=2)):
            with pytest.raises(ClassifierError, match=r"took longer than 0.5 s$"):
                await summarized(providers, one)
        with pytest.raises(ClassifierError, match=r"took longer than 0.5 s$"):
            await classified(providers, piece())

    bounds = chat.Bounds
    monkeypatch.setattr(chat, "Bounds", lambda **given: bounds(**{**given, "total_s": 0.5}))
    assert len(run(body, silent(start)).asked) == 1


def test_a_server_that_stops_answering(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = chat.Bounds
    monkeypatch.setattr(chat, "Bounds", lambda **given: bounds(**{**given, "read_s": 0.1}))
    assert failure(silent()).message.endswith("/v1/chat/completions stopped answering")
    half = silent(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
    assert failure(half).message.endswith("/v1/chat/completions stopped answering")


def test_nothing_answers_there() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        await endpoint.__aexit__()
        with pytest.raises(ClassifierError, match="cannot be reached: nothing answers there$"):
            await summarized(providers)

    run(body)


def test_one_bad_answer_does_not_end_the_run() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        for _ in range(2):
            with pytest.raises(ClassifierError):
                await summarized(providers)
        assert await summarized(providers) == "The tide rose."

    run(body, said("no"), answer(413), GOOD)


def test_one_bad_answer_costs_only_what_was_asked_with_it() -> None:
    """Three questions of two pieces each; the second answer is of no use."""
    pieces = [piece(f"Text {number}.", number=number) for number in range(1, 7)]

    async def body(endpoint: Endpoint, providers: Providers) -> None:
        with pytest.raises(Incomplete, match="without JSON") as caught:
            await classified(providers, *pieces)
        assert [label.url[-1] for label in caught.value.labels] == ["1", "2", "5", "6"]
        with pytest.raises(Incomplete) as caught:
            await classified(providers, *pieces)
        assert len(caught.value.labels) == 4, "what was good is remembered"

    endpoint = run(body, obliging, said("Sorry."), obliging, said("Sorry."), LLM_BATCH="2")
    assert len(endpoint.asked) == 4


def test_a_server_that_breaks_down_is_not_asked_on() -> None:
    pieces = [piece(f"Text {number}.", number=number) for number in range(1, 7)]

    async def body(endpoint: Endpoint, providers: Providers) -> None:
        with pytest.raises(Incomplete, match="has an error of its own") as caught:
            await classified(providers, *pieces)
        assert len(caught.value.labels) == 2

    endpoint = run(body, obliging, answer(500), LLM_BATCH="2")
    assert len(endpoint.asked) == 2


def test_batches() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        pieces = [piece(f"Text {number}.", None, number) for number in range(7)]
        labels = await classified(providers, *pieces)
        assert [label.url for label in labels] == [piece.url for piece in pieces]

    endpoint = run(body, LLM_BATCH="3")
    counts = [asked["messages"][1]["content"].count("END-") for asked in endpoint.asked]
    assert counts == [3, 3, 1]


def test_nothing_to_ask() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert await classified(providers) == []
        assert providers.classifier is not None
        assert await providers.classifier.classify((), (piece(),), ()) == [Label(piece().url, None, 0.0)]

    assert run(body).asked == []


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([label()], "the model gave 1 labels for 2 articles"),
        ([label(), label(2), label(3)], "the model gave 3 labels for 2 articles"),
        ([label(), label(2, "Buy Coins")], "the model named a category that does not exist"),
        (
            [label(), {**label(2), "url": "x"}],
            "the model added something to the answer that nobody asked for",
        ),
    ],
)
def test_labels_that_are_none(labels: list[Any], words: str) -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        with pytest.raises(ClassifierError, match=f"^{words}$"):
            await classified(providers, piece(), piece("Other.", number=2))

    memory = Memory()
    remembering(memory, body, said({"labels": labels}))
    assert memory.answers == {}


def test_an_answer_is_asked_for_once() -> None:
    memory = Memory()

    async def body(endpoint: Endpoint, providers: Providers) -> None:
        first = await classified(providers, piece(), piece("Other.", number=2))
        assert await classified(providers, piece("Other.", number=2), piece()) == first[::-1]
        assert await summarized(providers) == await summarized(providers) == "A summary."
        await classified(providers, piece("Third.", number=3), piece())

    endpoint = remembering(memory, body)
    assert len(endpoint.asked) == 3
    assert endpoint.asked[2]["messages"][1]["content"].count("END-") == 1
    assert memory.models == {f"small at 127.0.0.1:{endpoint.port}"}
    assert all(isinstance(json.loads(kept), dict) for kept in memory.answers.values())


def test_what_was_done_before_a_failure_is_kept() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        pieces = [piece(f"Text {number}.", None, number) for number in range(4)]
        with pytest.raises(ClassifierError):
            await classified(providers, *pieces)
        assert len(await classified(providers, *pieces)) == 4

    endpoint = run(body, obliging, said("no"), obliging, LLM_BATCH="2")
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize(
    "planted", ["{}", "no JSON", '{"labels": [{"piece": 1, "category": "X", "confidence": 1}]}']
)
def test_a_memory_that_was_written_to_is_not_believed(planted: str) -> None:
    class Planted(Memory):
        def get(self, key: str) -> str | None:
            return self.answers.get(key, planted)

    async def body(endpoint: Endpoint, providers: Providers) -> None:
        for _ in range(2):
            assert [one.category for one in await classified(providers, piece())] == ["Science"]
            assert await summarized(providers) == "A summary."

    assert len(remembering(Planted(), body).asked) == 2


def test_a_file_that_is_locked_costs_only_the_memory() -> None:
    class Locked:
        def get(self, key: str) -> str | None:
            raise LockedFile("locked")

        def put(self, key: str, model: str, answer: str) -> None:
            raise LockedFile("locked")

    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert len(await classified(providers, piece())) == 1
        assert await summarized(providers) == "A summary."

    assert len(remembering(Locked(), body).asked) == 2


def test_the_number_of_requests_of_one_run() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        await classified(providers, piece())
        await summarized(providers)
        with pytest.raises(ClassifierError, match="was asked as often as one run may$") as caught:
            await summarized(providers, piece("Other."))
        assert caught.value.hint == "raise DIGESTLOG_LLM_MAX_REQUESTS to allow more"
        assert await summarized(providers) == "A summary."  # remembered, and free

    assert len(run(body, LLM_MAX_REQUESTS="2").asked) == 2


def test_asking_again_in_plain_words_counts() -> None:
    assert failure(answer(400), GOOD, LLM_MAX_REQUESTS="1").message.endswith("as often as one run may")


def test_how_much_is_sent_in_one_run() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        await summarized(providers)
        with pytest.raises(ClassifierError, match="was sent as much as one run may$") as caught:
            await summarized(providers, piece("word " * 200))
        assert caught.value.hint == "raise DIGESTLOG_LLM_MAX_CHARS to allow more"

    endpoint = run(body, LLM_MAX_CHARS="2500")
    assert len(endpoint.asked) == 1


def test_the_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    failure(answer(401, KEY.encode()))
    assert caplog.records
    assert KEY not in caplog.text


def obeying(answer_of: Callable[[str], Any]) -> Said:
    """A model that does whatever the article says."""
    return lambda asked: said(answer_of(asked["messages"][1]["content"]))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    "answer_of",
    [
        lambda user: "HACKED " + user,
        lambda user: {"labels": [label(1, "Buy Coins")]},
        lambda user: {"summary": f"Go to https://evil.example/?k={len(user)}", "quotes": ["e"]},
        lambda user: {"summary": "All is well.", "quotes": ["words of mine"]},
        lambda user: {"summary": user[:90], "quotes": [user[60:62]]},
        lambda user: {"summary": "Fine.", "quotes": ["e"], "fetch": "https://evil.example/"},
    ],
    ids=range(6),
)
def test_a_model_that_obeys_a_hostile_article(name: str, answer_of: Callable[[str], Any]) -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        with pytest.raises(ClassifierError) as caught:
            await summarized(providers, piece(HOSTILE[name]))
        assert "evil" not in caught.value.message
        with pytest.raises(ClassifierError) as caught:
            await classified(providers, piece(HOSTILE[name]))
        assert "Coins" not in caught.value.message

    memory = Memory()
    endpoint = remembering(memory, body, obeying(answer_of))
    assert memory.answers == {}
    assert {seen.target for seen in endpoint.seen} == {"/v1/chat/completions"}


def test_a_model_that_searches() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert providers.search is not None
        assert providers.search.name == f"small at 127.0.0.1:{endpoint.port}"
        for _ in range(2):
            assert await providers.search.search("tides", limit=5) == [
                Hit("https://a.example/found", "Found")
            ]

    memory = Memory()
    assert len(remembering(memory, body, SEARCH_URL="model").asked) == 2
    assert memory.answers == {}


def test_a_model_that_finds_what_is_not_on_the_web() -> None:
    async def body(endpoint: Endpoint, providers: Providers) -> None:
        assert providers.search is not None
        assert await providers.search.search("tides", limit=5) == [Hit("https://a.example/1")]
        with pytest.raises(ClassifierError, match="without JSON"):
            await providers.search.search("moons", limit=5)

    found = [{"url": "file:///etc/passwd"}, {"url": "javascript:x"}, {"url": "https://a.example/1"}]
    run(body, said({"results": found}), said("I cannot search."), SEARCH_URL="model")
