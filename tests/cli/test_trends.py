"""`trends`, as a person types it."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal, program
from library_rows import FREE, LAMP, event, gated, page
from store.rows import put, uuid

from digestlog.store.db import open_database

ANNA = ["--user", "paid"]


@pytest.fixture
def shop(digestlog: Terminal) -> Terminal:
    """Commands on a file where the lamp changed on three days."""
    with open_database(digestlog.path, now=digestlog.now, frozen=True) as db:
        gated(db)
        with db.transaction() as connection:
            for number in (3, 4, 5):
                event(connection, number, LAMP, "2026-02-12T00:00:00+00:00")
    return digestlog


def test_a_refresh(shop: Terminal) -> None:
    lines = shop("trends", "refresh").stdout.splitlines()
    assert lines[0].split() == ["TREND", "SINCE", "WRITTEN", "REMOVED"]
    assert lines[1].split() == ["changes", "0001-01-01", "3", "0"]
    assert shop.json("trends", "refresh")[0] == {
        "name": "changes",
        "since": "2026-02-06",
        "written": 0,
        "removed": 0,
    }
    assert {one["since"] for one in shop.json("trends", "refresh", "--all")} == {"0001-01-01"}


def test_a_trend_for_a_person(shop: Terminal) -> None:
    shop("trends", "refresh")
    result = shop("trends", "show", "changes-by-brand", "--days", "5")
    assert result.stdout == (
        "changes-by-brand\nBRAND  DAY BY DAY  TOTAL  MIN  MAX\nShop   ·▃·█▃       5      0    3\n"
    )
    assert result.stderr == ""


def test_all_trends(shop: Terminal) -> None:
    shop("trends", "refresh")
    shown = shop("trends", "show").stdout
    assert shown.startswith("changes\nALL")
    assert "\n\ndiscoveries-by-reason\n  nothing in these days\n" in shown


def test_a_trend_for_a_program(shop: Terminal) -> None:
    shop("trends", "refresh")
    (found,) = shop.json("trends", "show", "changes", "--days", "2", root=ANNA)
    (series,) = found.pop("series")
    assert (found["name"], found["metric"], found["scope"]) == ("changes", "changes", "all")
    assert (series["total"], series["min"], series["max"]) == (4, 1, 3)
    assert series["points"] == [{"day": "2026-02-12", "value": 3}, {"day": "2026-02-13", "value": 1}]
    assert len(shop.json("trends", "show")) == 6


def test_a_free_user_sees_no_day_from_before_also_after_an_upgrade(shop: Terminal) -> None:
    shop("trends", "refresh")
    free = ["--user", "free"]
    for _ in range(2):
        for name in ("changes", "changes-by-brand"):
            (found,) = shop.json("trends", "show", name, root=free)
            (series,) = found["series"]
            assert series["total"] == 1 and series["points"][-1] == {"day": "2026-02-13", "value": 1}
        with open_database(shop.path, now=shop.now, frozen=True) as db, db.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO subscriptions (user_id, plan) VALUES (?, 'paid')", (FREE,)
            )


def test_many_days_and_many_series(shop: Terminal) -> None:
    with open_database(shop.path, now=shop.now, frozen=True) as db:
        with db.transaction() as connection:
            for number in range(12):
                brand, url = uuid(9000 + number), f"https://site{number}.example/"
                put(connection, "brand_library_brands", id=brand, name=f"Site {number}", domain=f"s{number}")
                page(connection, url, brand)
                event(connection, 100 + number, url, "2026-02-12T00:00:00+00:00")
    shop("trends", "refresh")
    result = shop("trends", "show", "changes-by-brand", "--days", "100")
    assert result.stdout.endswith("and 3 more: --json has all\n")
    assert result.stderr == "Each mark stands for 2 days.\n"
    assert shop("trends", "show", "changes-by-brand", "--days", "100", root=["-q"]).stderr == ""
    assert len(shop.json("trends", "show", "changes-by-brand")[0]["series"]) == 13


def test_a_terminal_without_blocks_gets_plain_marks(shop: Terminal) -> None:
    shop("trends", "refresh")
    words = (
        "--db",
        str(shop.path),
        "--now",
        shop.now.isoformat(),
        "trends",
        "show",
        "changes",
        "--days",
        "5",
    )
    done = program(*words, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0, done.stderr
    assert b"all  .=.@=" in done.stdout


def test_a_name_cannot_steer_the_terminal(shop: Terminal) -> None:
    with open_database(shop.path, now=shop.now, frozen=True) as db, db.transaction() as connection:
        connection.execute("UPDATE brand_library_brands SET name = ?", ("Sh\x1b[31mop\n",))
    assert "\nSh[31mop " in shop("trends", "show", "changes-by-brand", root=ANNA).stdout


def test_switching(shop: Terminal) -> None:
    shop("trends", "refresh")
    assert shop("trends", "disable", "changes").stdout == "changes is off\n"
    result = shop("trends", "show", "changes")
    assert result.stdout == "" and "changes is switched off" in result.stderr
    assert shop("trends", "show", "changes", root=["-q"]).stderr == ""
    assert not shop("trends", "show").stdout.startswith("changes\n")
    assert [one["name"] for one in shop.json("trends", "list") if not one["is_active"]] == ["changes"]
    assert shop("trends", "enable", "changes").stdout == "changes is on\n"
    assert shop("trends", "show", "changes").stdout.startswith("changes\nALL")


def test_all_switched_off(shop: Terminal) -> None:
    for one in shop.json("trends", "list"):
        shop("trends", "disable", one["name"])
    assert shop("trends", "refresh").stderr == "Every trend is switched off.\n"
    assert shop("trends", "refresh", root=["-q"]).stderr == ""
    assert "every trend is switched off" in shop("trends", "show").stderr


def test_switching_is_an_admins(shop: Terminal) -> None:
    for command in ("enable", "disable"):
        assert "is no admin" in shop("trends", command, "changes", root=ANNA, code=1).stderr


def test_the_list(shop: Terminal) -> None:
    shop("trends", "refresh")
    lines = shop("trends", "list").stdout.splitlines()
    assert lines[1].split() == ["changes", "changes", "all", "yes", "2026-02-10", "2026-02-13"]
    assert lines[3].split() == ["discoveries", "discoveries", "all", "yes"]


@pytest.mark.parametrize("command", ["show", "enable", "disable"])
def test_a_trend_that_there_is_not(digestlog: Terminal, command: str) -> None:
    assert "there is no trend weather" in digestlog("trends", command, "weather", code=1).stderr


@pytest.mark.parametrize("days", ["0", "3661", "x"])
def test_what_are_no_days(digestlog: Terminal, days: str) -> None:
    digestlog("trends", "show", "--days", days, code=2)
