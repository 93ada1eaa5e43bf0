"""The first look at a page, as it is judged."""

from __future__ import annotations

import pytest

from digestlog.core import preflight
from digestlog.core.checkable import Verdict
from digestlog.core.policy import Decision
from digestlog.errors import AddressRefused, FetchError, ParseError

ALLOWED = Decision("allow", None, "shop.example", None, "no rule speaks against it")


@pytest.mark.parametrize(
    ("status", "outcome", "decision", "pattern"),
    [
        (200, "ok", "allow", None),
        (200, "login", "block", "login"),
        (401, "failed", "block", "login"),
        (401, "login", "block", "login"),
        (403, "failed", "review", "status 403"),
        (403, "login", "review", "status 403"),
        (403, "challenge", "review", "status 403"),
        (200, "challenge", "review", "challenge"),
        (503, "challenge", "review", "status 503"),
        (429, "challenge", "review", "status 429"),
        (200, "empty", "review", "empty"),
        (404, "failed", "review", "status 404"),
        (410, "failed", "review", "status 410"),
        (451, "failed", "review", "status 451"),
        (408, "failed", "allow", None),
        (429, "failed", "allow", None),
        (500, "failed", "allow", None),
        (503, "failed", "allow", None),
        (200, "failed", "review", "failed"),
    ],
)
def test_a_first_look(status: int, outcome: str, decision: str, pattern: str | None) -> None:
    words = None if outcome == "ok" else "as seen"
    found = preflight.after_look(ALLOWED, status, Verdict(outcome, words))
    assert (found.decision, found.pattern, found.hostname) == (decision, pattern, "shop.example")
    assert found.reason_code == (None if decision == "allow" else "auth_wall_or_uncheckable")
    if found is not ALLOWED:
        assert found.reason.endswith("as seen")
    not_now = decision == "allow" and outcome != "ok"
    assert found.reason.startswith("could not be looked at yet: ") is not_now


def test_a_look_without_words_names_the_status() -> None:
    found = preflight.after_look(ALLOWED, 404, Verdict("failed"))
    assert found.reason == "the server answered 404"


@pytest.mark.parametrize(
    ("error", "decision", "pattern"),
    [
        (FetchError("it took longer than 60 s", url="x", temporary=True), "allow", None),
        (FetchError("closed by robots.txt", url="x"), "review", "robots.txt"),
        (FetchError("redirects in a circle", url="x"), "review", "not readable"),
        (ParseError("no page"), "review", "not readable"),
        (AddressRefused("private", url="x"), "block", "private address"),
    ],
)
def test_a_first_look_in_vain(error: FetchError, decision: str, pattern: str | None) -> None:
    found = preflight.after_failure(ALLOWED, error)
    assert (found.decision, found.pattern) == (decision, pattern)
    assert error.message in found.reason


def test_words_of_the_network_are_cleaned() -> None:
    error = FetchError("a\x1b[31m\nb", url="x")
    assert preflight.after_failure(ALLOWED, error).reason == "a[31m b"
    assert preflight.after_failure(ALLOWED, FetchError("\x00", url="x")).reason == "it failed"


@pytest.mark.parametrize(
    ("hostname", "inside"),
    [
        ("localhost", True),
        ("nas.localhost", True),
        ("127.0.0.1", True),
        ("192.168.0.10", True),
        ("169.254.169.254", True),
        ("[::1]", True),
        ("[fd00::1]", True),
        ("93.184.216.34", False),
        ("[2606:2800:220:1::1]", False),
        ("localhost.example", False),
        ("10.example", False),
    ],
)
def test_a_host_that_is_inside_by_its_name(hostname: str, inside: bool) -> None:
    assert preflight.is_inside(hostname) is inside
