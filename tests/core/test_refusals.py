"""Telling what a rule forbids from what merely failed."""

from __future__ import annotations

import pytest

from digestlog.core.ledger import wall
from digestlog.core.refusals import is_refusal


@pytest.mark.parametrize(
    "reason",
    [
        "https://e.org/a is closed to programs by the site's robots.txt",
        "https://e.org/a leads to a private address: e.org is a private address (10.0.0.1)",
        wall("https://e.org/a", "https://e.org/login"),
        "wants a login (401)",
        "wants to be paid first (402)",
    ],
)
def test_what_a_rule_forbids(reason: str) -> None:
    assert is_refusal(reason)


@pytest.mark.parametrize(
    "reason",
    [
        None,
        "",
        "answered 503",
        "has no article text",
        "it leads to an error page",
        "https://e.org/a was not asked: the site's robots.txt cannot be read now",
    ],
)
def test_what_merely_failed(reason: str | None) -> None:
    assert not is_refusal(reason)
