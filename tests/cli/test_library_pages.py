"""`digestlog library`: adding, listing, showing and removing pages, as a person does it."""

from __future__ import annotations

from typing import Any

import pytest
from cli.conftest import Terminal
from library_fakes import changed

from digestlog.core.canonical import url_id
from digestlog.store.db import open_database

PRICES, STATUS = "https://shop.example/prices", "https://shop.example/status"
BEFORE, START, AFTER = "2026-02-12T09:00:00+00:00", "2026-02-13T09:02:10+00:00", "2026-02-14T09:00:00+00:00"
TIMES = "http://harbour-times.example/"


class Anna:
    """Commands of a user on the free plan."""

    def __init__(self, terminal: Terminal) -> None:
        terminal("users", "add", "anna")
        self.terminal = terminal

    def __call__(self, *words: str, code: int = 0, **options: Any) -> Any:
        return self.terminal("library", *words, code=code, root=("--user", "anna"), **options)

    def json(self, *words: str, code: int = 0, **options: Any) -> Any:
        return self.terminal.json("library", *words, code=code, root=("--user", "anna"), **options)

    def add(self, *words: str, **options: Any) -> Any:
        return self("add", "--no-preflight", *words, **options)


@pytest.fixture
def anna(digestlog: Terminal) -> Anna:
    return Anna(digestlog)


def change(anna: Anna, url: str, at: str, number: int) -> None:
    with open_database(anna.terminal.path, now=anna.terminal.now, frozen=True) as db:
        changed(db, url, at, number)


# --- add ---------------------------------------------------------------------------------


def test_a_page_is_watched(anna: Anna) -> None:
    result = anna.add(PRICES)
    assert result.stdout == f"{PRICES}: watched\n"
    assert "history from 13 February 2026; earlier changes need a paid plan" in result.stderr


def test_the_owner_sees_the_whole_history(digestlog: Terminal) -> None:
    assert digestlog("library", "add", "--no-preflight", PRICES).stderr == ""
    assert digestlog.json("library", "list")[0]["history_start_at"] is None


def test_watching_it_already_is_no_error(anna: Anna) -> None:
    anna.add(PRICES)
    assert anna.add(PRICES).stdout == f"{PRICES}: you watch it already\n"


def test_a_text_that_is_no_address_fails_and_the_others_go_on(anna: Anna) -> None:
    result = anna.add("lamp", PRICES, code=1)
    assert result.stdout == f"{PRICES}: watched\n"
    assert "Error: lamp is not watched: no address: it is no whole address" in result.stderr
    assert "Hint: reason code: unknown" in result.stderr


def test_a_rule_refuses(anna: Anna) -> None:
    """By the packaged rules: this goes the whole way from the command to the policy."""
    answer = anna.json("add", "--no-preflight", "https://www.shop.xxx/", code=1)
    (one,) = answer["results"]
    assert (one["status"], one["reason_code"]) == ("blocked", "adult_content")


def test_addresses_from_standard_input(anna: Anna) -> None:
    lines = f"{PRICES}\n\n  {STATUS}  \r\n".encode() + b"https://x.example/\xff\n"
    result = anna.add("-", "https://y.example/", input=lines)
    assert len(result.stdout.splitlines()) == 4
    assert anna.json("list")[-1]["canonical_url"] == "https://y.example/"


def test_as_json(anna: Anna) -> None:
    answer = anna.json("add", "--no-preflight", PRICES, PRICES, "lamp", code=1)
    assert [answer[name] for name in ("watched", "known", "needs_review", "blocked")] == [1, 1, 0, 1]
    first, second, third = answer["results"]
    assert first == {
        "submission_id": first["submission_id"],
        "submitted_url": PRICES,
        "canonical_url": PRICES,
        "status": "approved_created_global",
        "decision": "allow",
        "reason_code": None,
        "pattern": None,
        "reason": "no rule speaks against it",
        "url_id": url_id(PRICES),
        "leftover": False,
        "unheeded": False,
        "unseen": False,
        "history_start_at": START,
        "error": None,
    }
    assert (second["reason_code"], second["error"]) == ("duplicate", None)
    assert third["error"].startswith("lamp is not watched")


def test_how_often(anna: Anna) -> None:
    anna.add("--frequency", "hourly", "--at-most-every", "30m", "--at-least-every", "2d", PRICES)
    (page,) = anna.json("list")
    assert (page["check_frequency"], page["min_interval_s"], page["max_interval_s"]) == (
        "hourly",
        1800,
        172_800,
    )
    shown = anna("show", PRICES).stdout
    assert "at most every   0:30:00" in shown and "at least every  2 days, 0:00:00" in shown


@pytest.mark.parametrize(
    "words",
    [("--at-most-every", "often"), ("--at-least-every", "0h"), ("--frequency", "yearly"),
     ("--at-most-every", "2d", "--at-least-every", "1d"), ()],
)  # fmt: skip
def test_usage(anna: Anna, words: tuple[str, ...]) -> None:
    anna("add", *words, *([PRICES] if words else []), code=2)
    assert anna.json("submissions") == []


def test_a_page_of_others_is_checked_as_before(anna: Anna) -> None:
    anna.terminal("library", "add", "--no-preflight", PRICES)
    result = anna.add("--frequency", "hourly", PRICES)
    assert f"{PRICES} is checked as often as before: others watch it too" in result.stderr


def test_over_the_cap(anna: Anna) -> None:
    anna.terminal("plans", "set", "free", "--max-urls", "1")
    result = anna.add(PRICES, STATUS, code=1)
    assert result.stdout == f"{PRICES}: watched\n"
    assert (
        f"Error: {STATUS} is not watched: the free plan's limit of 1 watched page is reached" in result.stderr
    )
    assert "Hint: stop watching another page" in result.stderr
    assert "1 of 1 pages of the free plan" in anna("list").stderr


def test_only_an_admin_may_look_into_a_private_network(anna: Anna) -> None:
    result = anna("add", "--allow-private", "http://192.168.0.10/", code=1)
    assert "only an admin may watch pages in a private network" in result.stderr


def test_a_private_address_is_refused(digestlog: Terminal, connections: list[Any]) -> None:
    (one,) = digestlog.json("library", "add", "http://127.0.0.1:9/", code=1)["results"]
    assert (one["status"], one["reason_code"]) == ("blocked", "auth_wall_or_uncheckable")
    assert "private address" in one["reason"]
    assert connections == []


def test_what_a_killed_run_left_is_told_of(anna: Anna) -> None:
    from digestlog.core.library import Wish
    from digestlog.store import submissions, users

    with open_database(anna.terminal.path, now=anna.terminal.now, frozen=True) as db:
        submissions.record(db, users.require(db, "anna"), [STATUS, "lamp"], Wish(preflight=False))
    result = anna.add(PRICES)  # exit status 0: nothing that was asked for now has failed
    assert "2 pages from an earlier run finished as well" in result.stderr
    assert len(anna.json("list")) == 2
    assert {one["status"] for one in anna.json("submissions")} == {"approved_created_global", "blocked"}


def test_quiet(anna: Anna) -> None:
    result = anna.terminal("library", "add", "--no-preflight", PRICES, root=("--quiet", "--user", "anna"))
    assert (result.stdout, result.stderr) == (f"{PRICES}: watched\n", "")


@pytest.mark.parametrize(
    "words", [("library", "list"), ("library", "submissions"), ("brands", "list"), ("review", "list")]
)
def test_quiet_where_there_is_nothing(digestlog: Terminal, words: tuple[str, ...]) -> None:
    assert digestlog(*words, root=("--quiet",)).output == ""


# --- the first look, at a web of its own -------------------------------------------------


def test_the_page_is_looked_at(in_town: Terminal) -> None:
    assert in_town("library", "add", TIMES).stdout == f"{TIMES}: watched\n"


def test_a_page_that_is_not_there_waits(in_town: Terminal) -> None:
    result = in_town("library", "add", TIMES + "nowhere")
    assert result.stdout.startswith(f"{TIMES}nowhere: waits for an admin: ")
    (one,) = in_town.json("review", "list")
    assert one["evidence"]["pattern"] == "status 404"


def test_a_host_that_is_not_there_is_watched_all_the_same(in_town: Terminal) -> None:
    result = in_town("library", "add", "http://nowhere.example/")
    assert result.stdout.startswith("http://nowhere.example/: watched; could not be looked at yet: ")


# --- list, show, remove, submissions -----------------------------------------------------


def test_no_page_yet(digestlog: Terminal) -> None:
    result = digestlog("library", "list")
    assert (result.stdout, "library add" in result.stderr) == ("", True)
    assert digestlog.json("library", "list") == []
    assert "nothing yet" in digestlog("library", "submissions").stderr


def test_the_list(anna: Anna) -> None:
    anna.add(PRICES)
    change(anna, PRICES, AFTER, 1)
    header, row = anna("list").stdout.splitlines()
    assert header.split() == ["ID", "BRAND", "PAGE", "LAST", "CHECK", "CHANGES", "LATEST", "CHANGE"]
    assert row.split() == [url_id(PRICES)[:8], "shop.example", PRICES, AFTER, "1", "Change", "1"]


def test_one_page(anna: Anna) -> None:
    anna.add(PRICES + "?utm_source=x")
    change(anna, PRICES, AFTER, 1)
    shown = {" ".join(line.split()) for line in anna("show", url_id(PRICES)[:8]).stdout.splitlines()}
    assert shown >= {
        f"page {PRICES}",
        f"fetched from {PRICES}?utm_source=x",
        "brand shop.example",
        f"watched since {START}",
        "you see history from 13 February 2026; earlier changes need a paid plan",
        f"last check {AFTER}",
        "decided allow by the rules: no rule speaks against it",
        f"{AFTER} ok 200 slow",
        f"{AFTER} price real Change 1",
    }


def test_one_page_as_json(anna: Anna) -> None:
    anna.add(PRICES)
    change(anna, PRICES, AFTER, 1)
    found = anna.json("show", PRICES)
    assert (found["canonical_url"], found["brand"], found["changes"]) == (PRICES, "shop.example", 1)
    assert [look["checked_at"] for look in found["checks"]] == [AFTER]
    assert [update["summary"] for update in found["updates"]] == ["Change 1"]
    wish = found["submission"]["wish"]
    assert (wish["allow_private"], wish["preflight"], wish["check_frequency"]) == (False, False, None)
    assert found["gate"].startswith("history from 13 February 2026")


def test_the_first_change_that_is_seen_ends_the_first_steps(anna: Anna) -> None:
    def step() -> str:
        return str({u["name"]: u["onboarding_step"] for u in anna.terminal.json("users", "list")}["anna"])

    anna.add(PRICES)
    anna("show", PRICES)
    assert step() == "first_change"
    change(anna, PRICES, AFTER, 1)
    anna("show", PRICES)
    assert step() == "done"


def test_a_page_that_came_another_way_shows_no_decision(anna: Anna) -> None:
    anna.add(PRICES)
    with open_database(anna.terminal.path, now=anna.terminal.now, frozen=True) as db:
        with db.transaction() as connection:
            connection.execute("DELETE FROM url_submissions")
    assert "decided" not in anna("show", PRICES).stdout
    assert anna.json("show", PRICES)["submission"] is None


def test_what_others_wrote_is_no_terminal_code(anna: Anna) -> None:
    anna.add(PRICES)
    change(anna, PRICES, AFTER, 1)
    with open_database(anna.terminal.path, now=anna.terminal.now, frozen=True) as db:
        with db.transaction() as connection:
            connection.execute("UPDATE url_change_summaries SET summary = char(27) || '[2J'")
            connection.execute("UPDATE url_observations SET error = char(27) || '[2J'")
    for words in (("show", PRICES), ("list",)):
        assert "\x1b" not in anna(*words).stdout


def test_a_page_of_somebody_else_is_not_shown(anna: Anna) -> None:
    anna.terminal("library", "add", "--no-preflight", PRICES)
    for command in ("show", "remove"):
        assert "you watch no page like" in anna(command, PRICES, code=1).stderr


def test_a_page_is_removed_for_one_user_alone(anna: Anna) -> None:
    anna.terminal("library", "add", "--no-preflight", PRICES)
    anna.add(PRICES, STATUS)
    assert anna("remove", PRICES).stdout == f"{PRICES}: watched no more\n"
    assert [page["canonical_url"] for page in anna.json("list")] == [STATUS]
    assert [page["canonical_url"] for page in anna.terminal.json("library", "list")] == [PRICES]
    assert anna.json("remove", STATUS) == {"removed": [STATUS]}


def test_a_wrong_address_removes_nothing(anna: Anna) -> None:
    anna.add(PRICES)
    anna("remove", PRICES, "https://nowhere.example/", code=1)
    assert len(anna.json("list")) == 1


def test_what_was_asked_for(anna: Anna) -> None:
    anna.add(PRICES, "lamp", code=1)
    header, lamp, prices = anna("submissions").stdout.splitlines()
    assert header.split() == ["ASKED", "ADDRESS", "STATUS", "REASON", "WHY"]
    assert "lamp" in lamp and "refused" in lamp and "unknown" in lamp
    assert PRICES in prices and "watched" in prices
    (one,) = anna.json("submissions", "--status", "blocked")
    assert one["evidence"]["hostname"] == "" and one["submitted_url"] == "lamp"
    assert anna.terminal.json("library", "submissions") == []  # each user's own


# --- unlock-history ----------------------------------------------------------------------


def test_the_history_is_unlocked_by_an_admin(anna: Anna) -> None:
    anna.add(PRICES, STATUS)
    assert "anna is no admin" in anna("unlock-history", "anna", code=1).stderr
    one = anna.terminal("library", "unlock-history", "anna", PRICES)
    assert one.stdout == "anna now sees the whole history of 1 more page\n"
    assert {page["canonical_url"]: page["history_start_at"] for page in anna.json("list")} == {
        PRICES: None,
        STATUS: START,
    }
    assert anna.terminal.json("library", "unlock-history", "anna") == {"user": "anna", "unlocked": 1}
    assert "the whole history" in anna("show", STATUS).stdout


def test_unlocking_for_nobody_or_nothing(anna: Anna) -> None:
    assert "no user called bob" in anna.terminal("library", "unlock-history", "bob", code=1).stderr
    anna.terminal("library", "unlock-history", "anna", PRICES, code=1)


# --- the gate, in everything that these commands print -----------------------------------

COMMANDS = [
    ("library", "list"),
    ("library", "list", "--json"),
    ("library", "show", PRICES),
    ("library", "show", PRICES, "--json"),
    ("library", "submissions", "--json"),
    ("brands", "list"),
    ("brands", "list", "--json"),
    ("brands", "show", "shop.example"),
    ("brands", "show", "shop.example", "--json"),
    ("users", "list", "--json"),
]


@pytest.fixture
def gated(anna: Anna) -> Anna:
    """A page with a change from before anna added it, and one from after; its last check was before."""
    anna.terminal("library", "add", "--no-preflight", PRICES)
    change(anna, PRICES, BEFORE, 1)
    anna.add(PRICES)
    change(anna, PRICES, AFTER, 2)
    with open_database(anna.terminal.path, now=anna.terminal.now, frozen=True) as db:
        with db.transaction() as connection:
            connection.execute("UPDATE urls SET last_checked_at = :then", {"then": BEFORE})
    return anna


def told(anna: Anna, command: tuple[str, ...]) -> str:
    return str(anna.terminal(*command, root=("--user", "anna")).output)


@pytest.mark.parametrize("upgraded", [False, True], ids=["free", "after an upgrade"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_from_before_history_start_at_is_shown(
    gated: Anna, command: tuple[str, ...], upgraded: bool
) -> None:
    if upgraded:
        gated.terminal("plans", "assign", "anna", "paid")
    output = told(gated, command)
    assert BEFORE[:10] not in output
    assert "Change 1" not in output


def test_after_unlocking_it_is_shown(gated: Anna) -> None:
    """What the test above would miss if it looked for the wrong words."""
    gated.terminal("library", "unlock-history", "anna")
    for command in (("library", "show", PRICES), ("library", "show", PRICES, "--json")):
        output = told(gated, command)
        assert BEFORE in output and "Change 1" in output
    (brand,) = gated.terminal.json("brands", "list", root=("--user", "anna"))
    assert brand["changes"] == 2
