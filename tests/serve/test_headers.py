"""What every answer carries, what pages may run, and by which names the server is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from serve.house import PAGE, PORT, House
from serve.marked import ANNA, Marked, marked_file
from store.rows import uuid

from digestlog.serve.messages import Response, local_path
from digestlog.serve.nonces import marked as marked_template
from digestlog.serve.pages import Page, Route
from digestlog.serve.screens import ROUTES


def _broken(page: Page) -> Response:
    raise RuntimeError("inside")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    routes = (*ROUTES, Route.get("/broken", _broken), Route.get("/admin", _broken, access="admin"))
    house = House(marked_file(tmp_path).path, routes=routes)
    yield house
    house.close()


ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "vary": "Cookie",
}


@pytest.mark.parametrize(
    "path",
    ["/", "/my", "/my/urls", "/my/urls.json", "/my/urls.csv", "/nothing", "/sign-in", "/static/digestlog.css",
     "/-/static/app.css", "/broken", "/things/a", "/admin", "/my?sql=nonsense"],
)  # fmt: skip
def test_every_answer_is_guarded(house: House, path: str, capfd: pytest.CaptureFixture[str]) -> None:
    for browser in (house.signed_in(ANNA), house.browser()):
        answer = browser.page(path)
        assert {name: answer.headers.get(name) for name in ALWAYS} == ALWAYS
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "server" not in answer.headers
        assert not any(name.startswith("access-control") for name in answer.headers)
        static = "static" in path and answer.status_code == 200
        assert answer.headers["cache-control"] == ("private, max-age=3600" if static else "private, no-store")
        assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/", "/my", "/my/urls", "/my?sql=select+1", f"/my/urls/{uuid(831)}", "/sign-in"]
)
def test_every_script_and_style_of_a_page_bears_the_pages_own_word(house: House, path: str) -> None:
    anna = house.signed_in(ANNA)
    words = set()
    for _ in range(2):
        answer = anna.page(path)
        if answer.status_code in (302, 303):
            answer = anna.page(answer.headers["location"])
        (nonce, *others) = set(re.findall(r"'nonce-([^']+)'", answer.headers["content-security-policy"]))
        assert not others
        words.add(nonce)
        for tag in re.findall(r"<(?:script|style)\b[^>]*>", answer.text):
            assert f'nonce="{nonce}"' in tag
        assert not re.search(r"<[^>]+\s(?:style|on[a-z]+)=", answer.text)
    assert len(words) == 2


def test_the_word_is_put_into_templates_not_into_data() -> None:
    text = '<script>a</script><style>b</style><p style="x: {{ f("a") }}em" onclick="go()" class="c">'
    assert marked_template(text) == (
        '<script nonce="{{ csp_nonce() }}">a</script><style nonce="{{ csp_nonce() }}">b</style><p class="c">'
    )


def test_markup_in_the_data_stays_text(house: House) -> None:
    with house.file() as db:
        evil = "<script>alert(1)</script><img src=x onerror=alert(1)>javascript:alert(1)"
        db.connection.execute("UPDATE url_change_events SET before = ?, after = ?", (evil, evil))
        db.connection.execute("UPDATE users SET name = ? WHERE id = ?", (evil, ANNA))
    anna = house.signed_in(ANNA)
    for path in ("/", "/my/url_change_events", "/my/users", f"/my/url_change_events/{uuid(850)}"):
        page = anna.page(path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert 'href="javascript:' not in page


def test_cookies_are_ours_alone(house: House) -> None:
    """Datasette's own never reach the browser."""
    anna = house.signed_in(ANNA)
    for path in ("/my", "/my/urls", "/my?sql=select+1", "/-/messages", "/nothing"):
        assert "set-cookie" not in anna.page(path).headers


# --- names ------------------------------------------------------------------------------------


def test_names_that_were_allowed_are_answered(tmp_path: Path) -> None:
    house = House(marked_file(tmp_path).path, allowed=("News.Example.org",), https=True)
    try:
        for base in ("https://news.example.org", "https://news.example.org:444", "https://NEWS.example.org."):
            answer = house.browser(base=base).page("/sign-in")
            assert answer.status_code == 200, base
            assert "Secure" in answer.headers["set-cookie"]
            assert answer.headers["set-cookie"].startswith("__Host-")
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert house.browser(base="https://example.org").page("/sign-in").status_code == 421
        assert house.browser(base=f"https://localhost:{PORT}").page("/sign-in").status_code == 200
        assert house.browser(base="https://localhost").page("/sign-in").status_code == 421
    finally:
        house.close()


@pytest.mark.parametrize("host", ["localhost:8001", "127.0.0.1:8001", "[::1]:8001", "LOCALHOST:8001"])
def test_loopback_names_are_answered(house: House, host: str) -> None:
    assert house.browser().get("/sign-in", headers={"host": host, **PAGE}).status_code == 200


@pytest.mark.parametrize(
    ("text", "kept"),
    [("/", True), ("/my/urls?a=b&c=%20", True), ("//evil.example", False), ("/\\evil.example", False),
     ("https://evil.example", False), ("/a//b", False), ("/../x", False), ("", False), (None, False),
     ("/a?x=\\", False), ("/a\r\nset-cookie: x", False), ("/a?x\r\ny", False), ("javascript:alert(1)",
     False)],
)  # fmt: skip
def test_only_our_own_addresses_are_gone_to(text: str | None, kept: bool) -> None:
    assert (local_path(text) == text and text is not None) == kept


def test_the_life_of_the_server(fresh: Marked) -> None:
    house = House(fresh.path)
    sent: list[object] = []

    async def live() -> None:
        waiting = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

        async def receive() -> dict[str, str]:
            return waiting.pop(0)

        async def send(message: object) -> None:
            sent.append(message)

        await house.gatekeeper({"type": "lifespan"}, receive, send)  # type: ignore[arg-type]

    house.run(live())
    assert sent == [{"type": "lifespan.startup.complete"}, {"type": "lifespan.shutdown.complete"}]
    house._runner.close()
