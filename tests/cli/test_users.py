"""`digestlog users` and `digestlog plans`: who may do what."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal


@pytest.fixture
def three(digestlog: Terminal) -> Terminal:
    """The owner, an admin and a user."""
    digestlog("users", "add", "berta", "--role", "admin", "--plan", "paid")
    digestlog("users", "add", "anna")
    return digestlog


def test_users(three: Terminal) -> None:
    lines = three("users", "list").stdout.splitlines()
    assert lines[0].split() == ["NAME", "ROLE", "PLAN", "PAGES", "WAITING", "FIRST", "STEPS"]
    assert [line.split() for line in lines[1:]] == [
        ["anna", "user", "free", "0", "of", "10", "0", "first_page"],
        ["berta", "admin", "paid", "0", "0", "first_page"],
        ["owner", "admin", "paid", "0", "0", "first_page"],
    ]


def test_a_user_sees_themselves(three: Terminal) -> None:
    (me,) = three.json("users", "list", root=("--user", "anna"))
    assert (me["name"], me["role"], me["onboarding_completed_at"]) == ("anna", "user", None)


def test_a_new_user(digestlog: Terminal) -> None:
    assert digestlog("users", "add", "anna").stdout == "anna: user, free plan\n"
    assert digestlog.json("users", "add", "carl", "--plan", "paid")["plan"] == "paid"
    assert "already" in digestlog("users", "add", "anna", code=1).stderr
    assert "no plan called gold" in digestlog("users", "add", "dora", "--plan", "gold", code=1).stderr
    digestlog("users", "add", "dora", "--role", "king", code=2)
    assert len(digestlog.json("users", "list")) == 3


def test_a_user_is_removed(three: Terminal) -> None:
    assert three("users", "remove", "anna").stdout == "anna: removed\n"
    assert "no user called anna" in three("users", "list", root=("--user", "anna"), code=1).stderr
    refused = three("users", "remove", "owner", root=("--user", "berta"), code=1)
    assert "owner is the owner of the file and cannot be removed" in refused.stderr
    assert three("users", "remove", "berta", root=("--user", "berta")).stdout == "berta: removed\n"


@pytest.mark.parametrize("clock", [None, "2001-01-01T00:00:00+00:00"])
def test_another_admin_never_becomes_the_owner(digestlog: Terminal, clock: str | None) -> None:
    """Neither in the second in which the file was made, nor with a clock that is wrong."""
    digestlog("settings", "set", "language", "fr")
    digestlog("users", "add", "adm", "--role", "admin", root=("--now", clock) if clock else ())
    assert digestlog.json("settings", "show")["language"]["value"] == "fr"
    digestlog("users", "remove", "owner", code=1)


@pytest.mark.parametrize(
    "words",
    [
        ("users", "add", "eve"),
        ("users", "add", "eve", "--role", "admin"),
        ("users", "remove", "owner"),
        ("plans", "set", "free", "--max-urls", "none"),
        ("plans", "assign", "anna", "paid"),
        ("library", "unlock-history", "anna"),
        ("brands", "list", "--all"),
        ("brands", "rename", "a", "b"),
        ("brands", "merge", "a", "b"),
        ("brands", "assign", "a", "https://b.example/"),
    ],
    ids=" ".join,
)
def test_what_only_an_admin_may_do(three: Terminal, words: tuple[str, ...]) -> None:
    before = three.path.read_bytes()
    result = three(*words, root=("--user", "anna"), code=1)
    assert "anna is no admin, and only an admin may do this" in result.stderr
    assert three.path.read_bytes() == before


def test_plans(digestlog: Terminal) -> None:
    lines = digestlog("plans", "list").stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["PLAN", "PAGES", "WHOLE", "HISTORY", "USERS"],
        ["free", "10", "no", "0"],
        ["paid", "no", "limit", "yes", "1"],
    ]
    assert digestlog.json("plans", "list")[1]["max_tracked_urls"] is None


def test_a_plan_is_changed(digestlog: Terminal) -> None:
    changed = digestlog("plans", "set", "free", "--max-urls", "25")
    assert changed.stdout == "free: 25 pages, history from adding on\n"
    changed = digestlog("plans", "set", "free", "--max-urls", "none", "--full-history")
    assert changed.stdout == "free: no limit, the whole history\n"
    made = digestlog.json("plans", "set", "team", "--max-urls", "0", "--no-full-history")
    assert made == {"plan": "team", "max_tracked_urls": 0, "full_history": False, "users": 0}


@pytest.mark.parametrize("value", ["-1", "many", "1.5", "²", "9999999999", ""])
def test_what_is_no_number_of_pages(digestlog: Terminal, value: str) -> None:
    digestlog("plans", "set", "free", f"--max-urls={value}", code=2)
    assert digestlog.json("plans", "list")[0]["max_tracked_urls"] == 10


def test_a_change_of_nothing(digestlog: Terminal) -> None:
    assert "say what to change" in digestlog("plans", "set", "free", code=2).stderr


def test_a_user_is_put_on_a_plan(three: Terminal) -> None:
    assert three("plans", "assign", "anna", "paid").stdout == "anna: paid plan\n"
    assert three.json("plans", "list")[1]["users"] == 3
    assert "no plan called gold" in three("plans", "assign", "anna", "gold", code=1).stderr
    assert "no user called bob" in three("plans", "assign", "bob", "free", code=1).stderr


def test_who_has_more_pages_than_the_plan_keeps_them(three: Terminal) -> None:
    pages = [f"https://a.example/{n}" for n in range(3)]
    three("library", "add", "--no-preflight", *pages, root=("--user", "berta"))
    three("plans", "set", "free", "--max-urls", "2")
    result = three("plans", "assign", "berta", "free")
    assert "berta watches 3 pages and can add none: the plan has 2" in result.stderr
    assert len(three.json("library", "list", root=("--user", "berta"))) == 3
    three("library", "add", "--no-preflight", "https://b.example/", root=("--user", "berta"), code=1)
