"""Changes told with doubt are settled once their page is known: in the same transaction, and once."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from check_fakes import LAMP, WatchDesk, shop, story

from digestlog.store import changes, observations, users
from digestlog.store.db import Database

NEWS = "https://e.org/news"


@pytest.fixture
def desk(db_path: Path, now: datetime) -> WatchDesk:
    """A file with a page that was looked at once."""
    desk = WatchDesk(db_path, now)
    desk.watch(LAMP, shop())
    look(desk)
    return desk


def look(desk: WatchDesk, times: int = 1) -> list[tuple[int, int]]:
    """So many looks, a day apart; what each settled."""
    found = []
    for _ in range(times):
        done = desk.check(everything=True)
        found.append((done.totals()["confirmed"], done.totals()["withdrawn"]))
        desk.later(days=1)
    return found


def states(desk: WatchDesk) -> set[str]:
    return {state for _, _, state in desk.events()}


@pytest.mark.parametrize("etag", [None, '"1"'])
def test_a_change_becomes_real_when_the_page_is_known(desk: WatchDesk, etag: str | None) -> None:
    """Whether the page is read again or only said to be as it was."""
    desk.web.answers[LAMP] = shop("44.50", etag=etag)
    look(desk)
    told = len(desk.events())
    assert told and states(desk) == {"provisional"}
    assert look(desk, 2) == [(0, 0), (0, 0)]
    before = desk.rows("url_change_events")
    assert look(desk) == [(told, 0)]
    assert states(desk) == {"real"}
    after = desk.rows("url_change_events")
    same = ("id", "url_id", "observation_id", "detected_at", "kind", "before", "after", "diff", "created_at")
    assert [[row[name] for name in same] for row in after] == [[row[name] for name in same] for row in before]
    assert after[0]["updated_at"] > before[0]["updated_at"]
    assert look(desk, 2) == [(0, 0), (0, 0)]


def test_a_change_that_was_taken_back_becomes_noise(desk: WatchDesk) -> None:
    desk.watch(NEWS, story("The harbour office moves to the old customs house."))
    look(desk)
    desk.web.answers[NEWS] = story("The harbour office stays where it was, says the council.")
    look(desk)
    desk.web.answers[NEWS] = story("The harbour office moves to the old customs house.")
    look(desk, 2)
    assert states(desk) == {"provisional"}
    (settled,) = look(desk)
    assert settled[1] >= 1 and "provisional" not in states(desk)


def test_a_removal_is_settled_by_the_page_before_it(desk: WatchDesk) -> None:
    desk.watch(NEWS, story("The harbour office moves to the old customs house."))
    look(desk)
    desk.web.answers[NEWS] = story("")
    look(desk, 3)
    assert look(desk) == [(1, 0)]
    assert [(kind, state) for _, kind, state in desk.events()] == [("text_removed", "real")]


def test_a_removal_whose_page_before_it_was_dropped(desk: WatchDesk) -> None:
    desk.watch(NEWS, story("The harbour office moves to the old customs house."))
    look(desk)
    desk.web.answers[NEWS] = story("")
    look(desk, 3)
    with desk.open() as db, db.transaction() as connection:
        connection.execute("DELETE FROM url_contents WHERE content_sha256 NOT IN "
                           "(SELECT content_sha256 FROM url_check_state)")  # fmt: skip
    assert look(desk) == [(1, 0)]


def test_what_the_last_look_found_waits_for_the_next(desk: WatchDesk) -> None:
    """It was not seen again yet."""
    look(desk, 3)
    desk.web.answers[LAMP] = shop("44.50")
    assert look(desk) == [(0, 0)]
    doubted = [state for _, _, state in desk.events()].count("provisional")
    assert doubted and look(desk) == [(doubted, 0)]
    assert states(desk) == {"real"}


def test_a_look_that_failed_settles_nothing(desk: WatchDesk) -> None:
    desk.web.answers[LAMP] = shop("44.50")
    look(desk, 3)
    answer = desk.web.answers.pop(LAMP)
    assert look(desk) == [(0, 0)] and states(desk) == {"provisional"}
    desk.web.answers[LAMP] = answer
    assert look(desk)[0][0] and states(desk) == {"real"}


def test_another_page_is_left_alone(desk: WatchDesk) -> None:
    desk.web.answers[LAMP] = shop("44.50")
    look(desk, 2)
    other = desk.watch(NEWS, story("The harbour office moves."))
    look(desk)
    desk.web.answers[NEWS] = story("The harbour office stays where it was, says the council.")
    assert look(desk)[0][0]
    assert {state for url_id, _, state in desk.events() if url_id == other} == {"provisional"}


def test_the_look_and_what_it_settles_are_one_transaction(
    desk: WatchDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.web.answers[LAMP] = shop("44.50")
    look(desk, 3)

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(observations, "_plan", full)
    with pytest.raises(OSError, match="the disk is full"):
        look(desk)
    assert states(desk) == {"provisional"}
    assert len(desk.rows("url_observations")) == 4


def test_a_confirmed_change_is_told(desk: WatchDesk) -> None:
    """A notification tells of real changes alone: of this one, once it is."""

    def real(db: Database) -> list[str]:
        found = changes.list_changes(db, users.current(db, None))
        return [change.id for change in found if change.state == "real"]

    desk.web.answers[LAMP] = shop("44.50")
    look(desk, 3)
    with desk.open() as db:
        assert real(db) == []
    look(desk)
    with desk.open() as db:
        assert sorted(real(db)) == sorted(row["id"] for row in desk.rows("url_change_events"))
