"""`digestlog review`: what waits for an admin."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal

from digestlog.core.policy import REASONS

SHOP, OTHER = "http://harbour-times.example/nowhere", "http://harbour-times.example/neither"


@pytest.fixture
def queue(in_town: Terminal) -> Terminal:
    """Two pages that anna asked for and that could not be read."""
    in_town("users", "add", "anna")
    in_town("library", "add", SHOP, OTHER, root=("--user", "anna"))
    return in_town


def ids(terminal: Terminal) -> list[str]:
    return [str(one["id"]) for one in terminal.json("review", "list")]


def test_nothing_waits(digestlog: Terminal) -> None:
    assert digestlog("review", "list").stderr == "Nothing waits.\n"
    assert digestlog.json("review", "list") == []


def test_the_queue(queue: Terminal) -> None:
    lines = queue("review", "list").stdout.splitlines()
    assert lines[0].split() == ["ID", "ASKED", "BY", "PAGE", "REASON", "WHY"]
    assert "anna" in lines[1] and SHOP in lines[1] and "auth_wall_or_uncheckable" in lines[1]
    assert OTHER in lines[2]


@pytest.mark.parametrize("words", [("list",), ("approve", "x"), ("block", "x", "--reason", "unknown")])
def test_only_for_admins(queue: Terminal, words: tuple[str, ...]) -> None:
    result = queue("review", *words, root=("--user", "anna"), code=1)
    assert "anna is no admin" in result.stderr


def test_approve(queue: Terminal) -> None:
    first, second = ids(queue)
    result = queue("review", "approve", first[:8])
    assert result.stdout == f"{SHOP} for anna: approved_created_global\n"
    assert ids(queue) == [second]
    (page,) = queue.json("library", "list", root=("--user", "anna"))
    assert page["canonical_url"] == SHOP
    assert (
        "allow by owner: approved by owner" in queue("library", "show", SHOP, root=("--user", "anna")).stdout
    )
    (answer,) = queue.json("review", "approve", second)
    assert (answer["status"], answer["error"]) == ("approved_created_global", None)


def test_approve_over_the_cap(queue: Terminal) -> None:
    queue("plans", "set", "free", "--max-urls", "1")
    result = queue("review", "approve", *ids(queue), code=1)
    assert result.stdout == f"{SHOP} for anna: approved_created_global\n"
    assert f"{OTHER} for anna: the free plan's limit of 1 watched page is reached" in result.stderr
    (left,) = ids(queue)
    (answer,) = queue.json("review", "approve", left, code=1)
    assert answer["error"] and answer["status"] == "needs_review"


@pytest.mark.parametrize("code", REASONS)
def test_block(queue: Terminal, code: str) -> None:
    first, second = ids(queue)
    result = queue("review", "block", first, "--reason", code)
    assert result.stdout == f"{SHOP} for anna: blocked\n"
    (one,) = queue.json("library", "submissions", "--status", "blocked", root=("--user", "anna"))
    assert (one["reason_code"], one["decided_by"]) == (code, "owner")
    assert one["evidence"]["reason"] == REASONS[code]
    assert ids(queue) == [second]


def test_block_in_ones_own_words(queue: Terminal) -> None:
    first, _ = ids(queue)
    (answer,) = queue.json("review", "block", first, "--reason", "unknown", "--words", "not\x1b here")
    assert answer["reason"] == "not here"


def test_a_wrong_id_decides_nothing(queue: Terminal) -> None:
    before = ids(queue)
    assert "waits for a decision" in queue("review", "approve", before[0], "zzzz", code=1).stderr
    assert ids(queue) == before


def test_a_reason_is_needed(queue: Terminal) -> None:
    queue("review", "block", ids(queue)[0], code=2)
    queue("review", "block", ids(queue)[0], "--reason", "boring", code=2)
