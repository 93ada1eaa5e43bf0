"""`library changes`, `report`, `feed` and `notify`, as a person types them."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import feedparser
import pytest
from cli.conftest import Terminal
from library_rows import BEFORE, CHAIR, FREE, LAMP, OTHER, PAID, event, gated, page, watch
from notified import Notified
from store.rows import put

from digestlog.store.db import Database, open_database

ANNA = ["--user", "paid"]
FREED = ["--user", "free"]
SECRET = "hunter2secret"


@pytest.fixture
def shop(digestlog: Terminal) -> Terminal:
    """The lamp changed twice; the chair, of no brand, has an early change and one that never stops."""
    with opened(digestlog) as db:
        gated(db)
        with db.transaction() as connection:
            page(connection, CHAIR, None)
            watch(connection, 3, PAID, CHAIR)
            event(connection, 3, CHAIR, BEFORE, kind="text_added", state="provisional", summary="\x1b[31mNew")
            event(connection, 4, CHAIR, BEFORE, state="volatile")
    return digestlog


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


def opened(terminal: Terminal) -> Database:
    return open_database(terminal.path, now=terminal.now, frozen=True)


def summaries(terminal: Terminal, *words: str, root: list[str] = ANNA) -> list[str]:
    return [change["summary"] for change in terminal.json("library", "changes", *words, root=root)]


# --- changes ----------------------------------------------------------------------------------


def test_changes_for_a_person(shop: Terminal) -> None:
    result = shop("library", "changes", root=ANNA)
    assert result.stdout == (
        "Shop\n"
        f"  2026-02-13T10:00:00+00:00  {LAMP}\n    price changed: summary 2\n"
        f"  {BEFORE}  {LAMP}\n    price changed: summary 1\n"
        "\n"
        "Other pages\n"
        f"  {BEFORE}  {CHAIR}\n    text added (provisional): [31mNew\n"
    )
    assert result.stderr == ""


def test_what_changes_all_the_time_is_shown_on_request(shop: Terminal) -> None:
    assert "price changed (volatile): summary 4" in shop("library", "changes", "--all", root=ANNA).stdout
    states = {change["state"] for change in shop.json("library", "changes", "--all", root=ANNA)}
    assert states == {"real", "provisional", "volatile"}


def test_changes_for_a_program(shop: Terminal) -> None:
    (first, *_) = shop.json("library", "changes", root=ANNA)
    required = {"url", "detected_at", "kind", "state", "magnitude", "summary"}
    also = {"id", "url_id", "canonical_url", "brand", "before", "after", "diff"}
    assert required | also <= set(first)
    assert (first["url"], first["state"], first["magnitude"]) == (LAMP, "real", 0.1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), ["summary 2", "summary 1", "\x1b[31mNew"]),
        (("--since", "2026-02-12"), ["summary 2"]),
        (("--since", "4d"), ["summary 2", "summary 1", "\x1b[31mNew"]),
        (("--brand", "shop"), ["summary 2", "summary 1"]),
        (("--brand", "shop.example"), ["summary 2", "summary 1"]),
        (("--url", CHAIR), ["\x1b[31mNew"]),
        (("--url", CHAIR + "?utm_source=x#y"), ["\x1b[31mNew"]),
        (("--url", CHAIR, "--all"), ["summary 4", "\x1b[31mNew"]),
        (("--limit", "1"), ["summary 2"]),
    ],
)
def test_which_changes(shop: Terminal, words: tuple[str, ...], expected: list[str]) -> None:
    assert sorted(summaries(shop, *words)) == sorted(expected)


def test_that_there_are_more(shop: Terminal) -> None:
    assert shop("library", "changes", "--limit", "2", root=ANNA).stderr == "The newest 2; for more: --limit\n"
    assert shop("library", "changes", "--limit", "3", root=ANNA).stderr == ""
    assert shop("library", "changes", "--limit", "2", root=[*ANNA, "-q"]).stderr == ""


def test_nothing_has_changed(digestlog: Terminal) -> None:
    result = digestlog("library", "changes")
    assert (result.stdout, result.stderr) == ("", "Nothing has changed.\n")
    assert digestlog("library", "changes", root=["-q"]).stderr == ""
    assert digestlog.json("library", "changes") == []


@pytest.mark.parametrize("command", ["changes", "report", "feed"])
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--url", OTHER), 1, "you watch no page like https://other.example/"),
        (("--brand", "Nobody"), 1, "there is no brand Nobody"),
        (("--url", LAMP, "--brand", "Shop"), 2, "do not go together"),
    ],
)
def test_what_cannot_be_asked_for(
    shop: Terminal, command: str, words: tuple[str, ...], code: int, message: str
) -> None:
    assert message in shop("library", command, *words, root=ANNA, code=code).stderr


def test_what_is_no_time(shop: Terminal) -> None:
    assert "is no time" in shop("library", "changes", "--since", "soon", code=2).stderr


# --- the gate: the same for every command -------------------------------------------------------


def everything(terminal: Terminal, tmp_path: Path) -> str:
    """All that a free user can get out of these commands."""
    outputs = [
        terminal("library", "changes", "--all", root=FREED).stdout,
        terminal("library", "changes", "--all", "--json", "--since", "2020-01-01", root=FREED).stdout,
        terminal("library", "report", "--all", "--since", "2020-01-01", root=FREED).stdout,
        terminal("library", "notify", "--dry-run", "--json", root=FREED).stdout,
    ]
    for which in ((), ("--url", LAMP), ("--brand", "Shop")):
        outputs.append(terminal("library", "feed", *which, root=FREED).stdout)
        outputs.append(terminal("library", "changes", *which, root=FREED).stdout)
    terminal("library", "report", "-o", str(tmp_path / "r.md"), root=FREED)
    return "".join([*outputs, (tmp_path / "r.md").read_text(encoding="utf-8")])


def test_a_free_user_never_gets_an_event_from_before_also_after_an_upgrade(
    shop: Terminal, tmp_path: Path
) -> None:
    def check() -> None:
        got = everything(shop, tmp_path)
        assert "summary 2" in got
        assert "summary 1" not in got and BEFORE not in got and "10 February" not in got

    check()
    with opened(shop) as db, db.transaction() as connection:
        put(connection, "subscriptions", user_id=FREE, plan="paid")
    check()
    with opened(shop) as db, db.transaction() as connection:
        connection.execute("UPDATE user_url_library SET history_start_at = NULL WHERE user_id = ?", (FREE,))
    assert "summary 1" in everything(shop, tmp_path)


def test_the_owner_too_sees_the_own_pages_only(shop: Terminal) -> None:
    assert summaries(shop, "--all", root=[]) == []
    shop("library", "feed", "--url", LAMP, code=1)


# --- report and feed ----------------------------------------------------------------------------


def test_a_report(shop: Terminal) -> None:
    text = shop("library", "report", root=ANNA).stdout
    assert text.startswith("# Changes\n\nFor paid · 13 February 2026, 09:02 UTC · 3 changes\n\n## Shop\n")
    assert "> ~~9~~ **8**" in text and "summary 4" not in text


def test_a_report_of_some(shop: Terminal) -> None:
    text = shop("library", "report", "--since", "2026-02-13", "--brand", "Shop", root=ANNA).stdout
    assert "1 change · since 13 February 2026, 00:00 UTC" in text and "summary 1" not in text


def test_a_report_in_french(shop: Terminal) -> None:
    shop("settings", "set", "language", "fr", root=ANNA)
    assert shop("library", "report", root=ANNA).stdout.startswith("# Changements\n\nPour paid · 13 février")


@pytest.mark.parametrize("command", ["report", "feed"])
def test_into_a_file_which_is_replaced(shop: Terminal, tmp_path: Path, command: str) -> None:
    file = tmp_path / "changes.out"
    file.write_text("old")
    assert shop("library", command, "-o", str(file), root=ANNA).stdout == f"{file}\n"
    assert file.read_text(encoding="utf-8") == shop("library", command, root=ANNA).stdout
    message = shop("library", command, "-o", str(shop.path), root=ANNA, code=1).stderr
    assert "is digestlog's own file" in message
    assert "cannot be written" in shop("library", command, "-o", str(tmp_path), root=ANNA, code=1).stderr


def read(text: str) -> Any:
    found = feedparser.parse(io.BytesIO(text.encode()))
    assert not found.bozo and found.version == "atom10"
    return found


def test_feeds_per_user_page_and_brand(shop: Terminal) -> None:
    ways = {
        "Changes": (),
        f"Changes: {LAMP}": ("--url", LAMP),
        "Changes: Shop": ("--brand", "Shop"),
    }
    feeds = {title: read(shop("library", "feed", *words, root=ANNA).stdout) for title, words in ways.items()}
    assert [feed.feed.title for feed in feeds.values()] == list(ways)
    assert [len(feed.entries) for feed in feeds.values()] == [3, 2, 2]
    assert len({feed.feed.id for feed in feeds.values()}) == 3
    assert len(read(shop("library", "feed", "--limit", "1", root=ANNA).stdout).entries) == 1


def test_the_feed_of_another_user_is_another(shop: Terminal) -> None:
    ids = {read(shop("library", "feed", root=root).stdout).feed.id for root in (ANNA, FREED, [])}
    assert len(ids) == 3


# --- notify -------------------------------------------------------------------------------------


def test_a_notification(shop: Terminal) -> None:
    with Notified() as service:
        result = shop("library", "notify", "--to", service.address(SECRET), root=ANNA)
        assert (result.stdout, result.stderr) == ("told of 2 changes\n", "")
        again = shop("library", "notify", "--to", service.address(SECRET), root=ANNA)
        assert (again.stdout, again.stderr) == ("", "Nothing new to tell.\n")
        assert shop("library", "notify", "--to", service.address(), root=[*ANNA, "-q"]).stderr == ""
    ((message),) = service.taken
    assert message["title"] == "digestlog: 2 changes on 1 page"
    assert message["message"] == f"Shop\n- summary 2\n  {LAMP}\n- summary 1\n  {LAMP}"


def test_addresses_from_the_environment(shop: Terminal) -> None:
    with Notified() as one, Notified() as two:
        env = {"DIGESTLOG_NOTIFY": f"{one.address(SECRET)} {two.address()}"}
        told = json.loads(shop("library", "notify", "--json", root=ANNA, env=env).stdout)
    assert len(one.taken) == len(two.taken) == 1
    assert told["sent"] is True and len(told["events"]) == 2 and SECRET not in json.dumps(told)


def test_a_failure_says_why_and_is_tried_again(shop: Terminal) -> None:
    with Notified(status=500) as service:
        result = shop("library", "notify", "--to", service.address(SECRET), root=ANNA, code=1)
        assert "address 1 (json) answered 500" in result.stderr and SECRET not in result.output
        service.status = 200
        later = Terminal(shop.path, shop.now + timedelta(hours=1))
        assert later("library", "notify", "--to", service.address(SECRET), root=ANNA).stdout
    assert len(service.taken) == 1


def test_a_rehearsal_sends_nothing(shop: Terminal) -> None:
    shown = shop("library", "notify", "--dry-run", root=ANNA).stdout
    assert shown.startswith("digestlog: 2 changes on 1 page\n\nShop\n- summary 2\n")
    told = shop.json("library", "notify", "--dry-run", root=ANNA)
    assert (told["sent"], told["title"]) == (False, "digestlog: 2 changes on 1 page")
    assert len(shop.json("library", "notify", "--dry-run", root=ANNA)["events"]) == 2


def test_nothing_to_tell_as_json(digestlog: Terminal) -> None:
    nothing = {"sent": False, "events": [], "title": None, "body": None}
    assert digestlog.json("library", "notify", "--to", "json://127.0.0.1:1") == nothing


def test_nobody_to_tell(shop: Terminal) -> None:
    result = shop("library", "notify", root=ANNA, code=1, env={"DIGESTLOG_NOTIFY": ""})
    assert "nobody to tell" in result.stderr
