# ruff: noqa: E501 - markup is not wrapped
"""What may be compared and what is a failed look."""

from __future__ import annotations

import pytest

from digestlog.core.checkable import Verdict, judge, worn_down
from digestlog.core.model import Fetched, Hop
from digestlog.core.snapshot import read_page

URL = "https://example.com/page"
PROSE = "".join(
    f"<p>Sentence number {at} tells the reader something that is worth the time to read it.</p>"
    for at in range(6)
)


def _judge(
    body: str, status: int = 200, *, url: str = URL, content_type: str | None = "text/html", read: bool = True
) -> Verdict:
    raw = body.encode()
    hops = (Hop(302, url),) if url != URL else ()
    page = Fetched(URL, url, status, content_type, "utf-8", raw, hops)
    return judge(page, read_page(raw, url, "utf-8") if read else None)


@pytest.mark.parametrize("body", [PROSE, "<h1>Hi</h1><p>Small but a page.</p>", "<p>v2.3.1</p>"])
def test_pages_are_ok(body: str) -> None:
    assert _judge(body) == Verdict("ok")


@pytest.mark.parametrize(
    "content_type", [None, "text/plain", "application/xhtml+xml; charset=utf-8", "application/json"]
)
def test_what_can_be_read_as_text_is_ok(content_type: str | None) -> None:
    assert _judge(PROSE, content_type=content_type).outcome == "ok"


@pytest.mark.parametrize("status", [400, 403, 404, 410, 429, 500, 503, 199])
def test_error_answers_are_failed(status: int) -> None:
    found = _judge(PROSE, status)
    assert found.outcome == "failed"
    assert str(status) in (found.words or "")


@pytest.mark.parametrize("status", [401, 407])
def test_an_answer_that_asks_for_a_login(status: int) -> None:
    assert _judge("<p>Unauthorized</p>", status).outcome == "login"


@pytest.mark.parametrize(
    "body",
    [
        "<title>Just a moment...</title><p>Checking your browser before accessing example.com</p>",
        "<h1>Verify you are human</h1>",
        "<p>Our systems have detected unusual traffic from your computer network.</p>",
    ],
)
@pytest.mark.parametrize("status", [200, 403, 503])
def test_challenges(body: str, status: int) -> None:
    assert _judge(body, status).outcome == "challenge"


def test_an_article_about_challenges_is_a_page() -> None:
    assert _judge(f"<h1>What a captcha is</h1>{PROSE}").outcome == "ok"


def test_a_login_instead_of_the_page() -> None:
    form = "<h1>Sign in</h1><form><input name=u><input type=password><button>Log in</button></form>"
    assert _judge(form).outcome == "login"
    assert _judge(form + PROSE * 5).outcome == "ok"
    assert _judge("<p>Choose</p><input type=password>").outcome == "ok"


def test_a_challenge_with_an_answer_that_was_not_read() -> None:
    assert _judge("<p>x</p>", 403, read=False).outcome == "failed"


def test_a_short_page_with_a_price_is_itself_whatever_it_asks() -> None:
    offer = "<i itemprop=price content=5>5</i><p>Sign in</p><input type=password><p>Just a moment</p>"
    assert _judge(offer).outcome == "ok"


def test_redirects_to_walls() -> None:
    assert _judge(PROSE, url="https://example.com/login").outcome == "login"
    assert _judge(PROSE, url="https://example.com/404").outcome == "failed"
    assert _judge(PROSE, url="https://example.com/other-page").outcome == "ok"


@pytest.mark.parametrize("body", ["", "<title>App</title><div id=root></div>", "<script>x</script>"])
def test_shells_are_empty(body: str) -> None:
    assert _judge(body).outcome == "empty"


def test_pages_filled_by_scripts_or_with_nearly_nothing_are_empty() -> None:
    assert _judge("<p>You need to enable JavaScript to run this app.</p>").outcome == "empty"
    assert _judge(f"<p>Loading</p><script>{'x' * 3000}</script>").outcome == "empty"
    assert _judge("<p>Loading</p>").outcome == "ok"
    assert _judge(PROSE, read=False).outcome == "empty"


def test_an_apology_with_status_200_is_failed() -> None:
    assert _judge("<h1>Oops</h1><p>Something went wrong. Please try again later.</p>").outcome == "failed"
    assert _judge(f"<h1>Error page</h1><p>Something went wrong.</p>{PROSE}").outcome == "ok"


def test_other_types_are_failed() -> None:
    assert _judge(PROSE, content_type="application/pdf") == Verdict(
        "failed", "this is no page but application/pdf"
    )


def test_a_page_worn_down_to_an_apology() -> None:
    full, sorry, short = (
        read_page(body.encode(), URL, "utf-8")
        for body in (PROSE * 3, "<p>Service temporarily unavailable</p>", "<p>We have moved</p>")
    )
    assert worn_down(full, sorry)
    assert not worn_down(full, short)
    assert not worn_down(sorry, sorry)
