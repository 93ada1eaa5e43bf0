"""What goes to Datasette and what comes back, with an application in its place that misbehaves."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from serve.house import PORT

from digestlog.serve.forward import datasette_scope, forward
from digestlog.serve.messages import Request, Response

FAILED = b"it failed\n"
START = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]}


def answer(*messages: dict[str, Any], error: Exception | None = None) -> tuple[dict[str, Any], bytes]:
    """The start and the body that reach the browser."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in messages:
            await send(message)
        if error is not None:
            raise error

    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    asyncio.run(forward(app, {}, receive, send, lambda: Response.text("it failed", 500)))
    return sent[0], b"".join(message.get("body", b"") for message in sent[1:])


def start(status: int = 200, **headers: str) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": pairs}


def body(data: bytes, more: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": more}


@pytest.mark.parametrize("status", [500, 502, 599])
def test_an_error_of_its_own_becomes_a_sentence(status: int) -> None:
    got, said = answer(start(status), body(b"secret path", True), body(b"more"))
    assert (got["status"], said) == (500, FAILED)


@pytest.mark.parametrize("where", ["https://evil.example", "//evil.example", "/\\evil.example", "x"])
def test_it_cannot_send_the_browser_elsewhere(where: str) -> None:
    got, said = answer(start(302, location=where), body(b""))
    assert (got["status"], said) == (500, FAILED)


def test_it_may_send_the_browser_on() -> None:
    got, _ = answer(start(302, Location="/my/-/query?sql=select+1"), body(b""))
    assert got["status"] == 302


def test_what_it_raises_stays_inside() -> None:
    got, said = answer(error=RuntimeError("secret"))
    assert (got["status"], said) == (500, FAILED)
    with pytest.raises(RuntimeError):
        answer(START, error=RuntimeError("too late"))


def test_headers_that_are_not_its_business_are_dropped() -> None:
    got, said = answer(
        start(
            content_type="text/html",
            set_cookie="ds_actor=x",
            content_length="5",
            access_control_allow_origin="*",
            etag="x",
            link="</a>; rel=alternate",
        ),
        {"type": "http.response.debug"},
        body(b"hello"),
    )
    assert [name for name, _ in got["headers"]] == [b"content-type", b"link"]
    assert said == b"hello"


@pytest.mark.parametrize("kind", ["text/csv; charset=utf-8", "text/plain; charset=utf-8"])
def test_csv_is_disarmed_however_it_is_cut(kind: str) -> None:
    text = 'é,=1+1\r\n"=2,3",-4\r\n'.encode()
    for size in (1, 3, 100):
        pieces = [body(text[at : at + size], True) for at in range(0, len(text), size)]
        _, said = answer(start(content_type=kind), *pieces, body(b""))
        assert said.decode() == "é,'=1+1\r\n\"'=2,3\",-4\r\n"


def test_json_is_not_touched() -> None:
    _, said = answer(start(content_type="application/json"), body(b'["=1"]\n=2'))
    assert said == b'["=1"]\n=2'


def test_datasette_is_told_what_was_asked_and_who_asks_and_nothing_more() -> None:
    headers = [
        (b"host", f"127.0.0.1:{PORT}".encode()),
        (b"cookie", b"secret"),
        (b"authorization", b"secret"),
        (b"accept", b"text/html"),
        (b"origin", b"http://x"),
        (b"x-forwarded-for", b"1.2.3.4"),
    ]
    scope = {
        "type": "http",
        "asgi": {},
        "method": "HEAD",
        "path": "/my/urls",
        "raw_path": b"/my/urls?x=1",
        "query_string": b"x=1",
        "headers": headers,
        "extensions": {"x": 1},
        "state": {"secret": 1},
    }
    inner = datasette_scope(scope, Request.read(scope), {"id": "anna"})
    assert [name for name, _ in inner["headers"]] == [b"host", b"accept"]
    assert inner["method"] == "GET"
    assert inner["raw_path"] == b"/my/urls"
    assert inner["actor"] == {"id": "anna"}
    assert not {"state", "extensions"} & set(inner)


def test_datasette_reads_an_empty_body_then_waits_with_the_browser() -> None:
    read: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        read.extend([(await receive())["type"], (await receive())["type"]])
        await send(START)
        await send(body(b""))

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        return None

    asyncio.run(forward(app, {}, receive, send, lambda: Response.text("x", 500)))
    assert read == ["http.request", "http.disconnect"]
