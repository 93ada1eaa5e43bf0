"""What the library's screens read: only what the user may see, the newest first, in pieces."""

from __future__ import annotations

import pytest
from library_rows import AFTER, BEFORE, CHAIR, ELSE, FREE, LAMP, OTHER, PAID, SHOP, event, gated, page, watch
from store.rows import put, uuid

from digestlog.core.canonical import url_id
from digestlog.store import watched
from digestlog.store.db import Database
from digestlog.store.watched import Brand

LATER = "2026-02-13T10:00:00+00:00"


@pytest.fixture
def events(db: Database) -> list[str]:
    """The lamp changed before the free user came, and after."""
    return gated(db)


def _look(db: Database, number: int, url: str, at: str, **values: object) -> str:
    row = {"id": uuid(number), "url_id": url_id(url), "checked_at": at, "checked_day": at[:10]}
    with db.transaction() as connection:
        put(connection, "url_observations", row, values)
    return uuid(number)


def test_a_page_with_its_latest_change(db: Database, events: list[str]) -> None:
    _look(db, 70, LAMP, LATER, outcome="ok")
    (found,) = watched.pages(db, FREE)
    assert (found.url, found.brand, found.brand_id) == (LAMP, "Shop", SHOP)
    assert found.latest is not None
    assert (found.latest.id, found.latest.summary, found.latest.detected_at) == (
        events[1],
        "summary 2",
        LATER,
    )
    assert (found.last_checked_at, found.last_outcome) == (LATER, "ok")
    assert found.history_start_at == db.now_iso
    assert watched.page(db, FREE, found.id) == found


def test_what_was_before_the_gate_is_not_shown(db: Database, events: list[str]) -> None:
    _look(db, 70, LAMP, BEFORE)
    with db.transaction() as connection:
        connection.execute("DELETE FROM url_change_events WHERE id = ?", (events[1],))
    (free,), (paid,) = watched.pages(db, FREE), watched.pages(db, PAID)
    assert (free.latest, free.last_checked_at) == (None, None)
    assert paid.latest is not None and paid.latest.id == events[0]
    assert paid.last_checked_at == BEFORE


def test_the_newest_change_first_and_in_pieces(db: Database, events: list[str]) -> None:
    with db.transaction() as connection:
        page(connection, CHAIR, SHOP)
        page(connection, OTHER, None)
        watch(connection, 3, PAID, CHAIR)
        watch(connection, 4, PAID, OTHER)
        event(connection, 3, CHAIR, AFTER)
        event(connection, 4, OTHER, "2026-02-13T11:00:00+00:00", state="volatile")
    order = [LAMP, CHAIR, OTHER]
    assert [one.url for one in watched.pages(db, PAID)] == order, "a restless place is no change"
    found: list[str] = []
    after = None
    while piece := watched.pages(db, PAID, after=after, limit=1):
        found += [one.url for one in piece]
        after = piece[-1].key
    assert found == order
    assert [one.url for one in watched.pages(db, PAID, brand_id=SHOP)] == [LAMP, CHAIR]


@pytest.mark.usefixtures("events")
def test_a_brand_is_there_for_who_watches_a_page_of_it(db: Database) -> None:
    with db.transaction() as connection:
        put(connection, "brand_library_brands", id=ELSE, name="Else", domain="other.example")
    assert watched.brand(db, FREE, SHOP) == Brand(SHOP, "Shop", "shop.example")
    assert watched.brand(db, FREE, ELSE) is None
    assert watched.brand(db, uuid(99), SHOP) is None


def test_a_page_that_is_not_watched_is_not_there(db: Database, events: list[str]) -> None:
    with db.transaction() as connection:
        page(connection, CHAIR, SHOP)
    assert watched.page(db, FREE, url_id(CHAIR)) is None
    with db.transaction() as connection:
        connection.execute("UPDATE user_url_library SET is_active = 0 WHERE user_id = ?", (FREE,))
    assert watched.page(db, FREE, url_id(LAMP)) is None
    assert watched.pages(db, FREE) == []
    assert watched.instance(db, FREE, events[1]) is None


def test_a_history_is_gated_twice(db: Database, events: list[str]) -> None:
    lamp = url_id(LAMP)
    assert [one.id for one in watched.updates(db, PAID, lamp)] == [events[1], events[0]]
    assert [one.id for one in watched.updates(db, FREE, lamp)] == [events[1]]
    assert [one.id for one in watched.updates(db, PAID, lamp, gating_since=LATER)] == [events[1]]


def test_a_history_in_pieces(db: Database, events: list[str]) -> None:
    lamp = url_id(LAMP)
    with db.transaction() as connection:
        for number in (5, 6, 7):
            event(connection, number, LAMP, LATER, state="volatile" if number == 7 else "real")
    whole = [one.id for one in watched.updates(db, PAID, lamp)]
    assert len(whole) == 4 and uuid(2007) not in whole
    assert uuid(2007) in {one.id for one in watched.updates(db, PAID, lamp, volatile=True)}
    found: list[str] = []
    after = None
    while piece := watched.updates(db, PAID, lamp, after=after, limit=1):
        found += [one.id for one in piece]
        after = piece[-1].key
    assert found == whole, "several at one time are all told"


def test_the_newest_changes_of_several_pages(db: Database, events: list[str]) -> None:
    with db.transaction() as connection:
        page(connection, CHAIR, SHOP)
        watch(connection, 3, PAID, CHAIR)
        event(connection, 3, CHAIR, AFTER)
    found = watched.latest(db, PAID, watched.pages(db, PAID))
    assert [one.id for one in found] == [events[1], uuid(2003), events[0]]
    assert [one.id for one in watched.latest(db, PAID, watched.pages(db, PAID), 2)] == [
        events[1],
        uuid(2003),
    ]


def test_one_change_with_everything(db: Database, events: list[str]) -> None:
    look = _look(db, 70, LAMP, LATER, http_status=200, outcome="ok", error=None, body_bytes=500)
    with db.transaction() as connection:
        connection.execute(
            """UPDATE url_change_events SET observation_id = ?, "before" = 'old', "after" = 'new',
            diff = '[["-","old"],["+","new"],["?","odd"],7]' WHERE id = ?""",
            (look, events[1]),
        )
        put(connection, "url_change_summaries", id=uuid(71), event_id=events[1], summary="By a model",
            method="some-model")  # fmt: skip
        for number, kind in ((72, "text"), (73, "screenshot")):
            row = {"url_id": url_id(LAMP), "observation_id": look, "kind": kind, "content": b"abc"}
            put(connection, "url_render_artifacts", row, id=uuid(number))
    found = watched.instance(db, FREE, events[1])
    assert found is not None
    assert (found.before, found.after, found.diff) == ("old", "new", (("-", "old"), ("+", "new")))
    assert found.update.summary == "By a model"
    assert [one.summary for one in found.summaries] == ["By a model", "summary 2"]
    assert found.observation is not None and found.observation.http_status == 200
    assert [(one.kind, one.size) for one in found.renderings] == [("screenshot", 3), ("text", 3)]
    assert watched.rendering(db, FREE, uuid(72)) == ("text", b"abc")


def test_a_change_and_a_rendering_from_before_the_gate_are_not_there(db: Database, events: list[str]) -> None:
    look = _look(db, 70, LAMP, BEFORE)
    with db.transaction() as connection:
        row = {"url_id": url_id(LAMP), "observation_id": look, "content": b"abc"}
        put(connection, "url_render_artifacts", row, id=uuid(72))
    assert watched.instance(db, FREE, events[0]) is None
    assert watched.rendering(db, FREE, uuid(72)) is None
    found = watched.instance(db, PAID, events[0])
    assert found is not None and found.observation is None and found.renderings == ()
    assert watched.rendering(db, PAID, uuid(72)) is not None


def test_the_order_is_the_same_from_either_end(db: Database, events: list[str]) -> None:
    """A piece may be found among the newest changes of all, or page by page."""
    with db.transaction() as connection:
        for number in range(3, 30):
            url = f"https://shop.example/{number}"
            page(connection, url, SHOP)
            watch(connection, number, PAID, url)
            if number % 5:
                minute = f"2026-02-13T11:{number % 7:02}:00+00:00"
                event(connection, number, url, minute)
                event(connection, 100 + number, url, AFTER)
                event(connection, 200 + number, url, LATER, state="volatile")
    by_page = [one.id for one in watched.pages(db, PAID, brand_id=SHOP)]
    assert len(by_page) == 28
    for size in (1, 3, 10, 28, 40):
        found: list[str] = []
        after = None
        while piece := watched.pages(db, PAID, after=after, limit=size):
            found += [one.id for one in piece]
            after = piece[-1].key
        assert found == by_page, size


@pytest.mark.parametrize("looked_at", [1, 2, 5, 60])
def test_how_many_changes_are_looked_at_makes_no_difference(
    db: Database, events: list[str], monkeypatch: pytest.MonkeyPatch, looked_at: int
) -> None:
    monkeypatch.setattr(watched, "_LOOKED_AT", looked_at)
    test_the_order_is_the_same_from_either_end(db, events)
