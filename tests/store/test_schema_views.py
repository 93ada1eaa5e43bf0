"""What each user may see of the library: only watched pages, and nothing from before their time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.rows import PAGE, put, undone, uuid

from digestlog.resources import schema_sql

BEFORE = "2026-02-10T00:00:00+00:00"
ADDED = "2026-02-12T00:00:00+00:00"
AFTER = "2026-02-14T00:00:00+00:00"
TIMES = (BEFORE, ADDED, AFTER)
FREE, PAID, GONE, NOBODY = (uuid(n) for n in range(31, 35))
NAMES = {FREE: "free", PAID: "paid", GONE: "gone", NOBODY: "nobody"}
WATCHED, OTHER = uuid(41), uuid(42)

VIEWS = (
    "visible_observations",
    "visible_change_events",
    "visible_change_summaries",
    "visible_render_artifacts",
)


def history(connection: sqlite3.Connection, url_id: str, number: int, at: str) -> None:
    """A look, what it found, its summary and its rendering; and a rendering without a look."""
    ids = {"observation_id": uuid(number)}
    put(connection, "url_observations", id=uuid(number), url_id=url_id, checked_at=at, checked_day=at[:10])
    put(connection, "url_change_events", ids, id=uuid(number), url_id=url_id, detected_at=at)
    put(connection, "url_change_summaries", id=uuid(number), event_id=uuid(number), created_at=AFTER)
    put(connection, "url_render_artifacts", ids, id=uuid(number), url_id=url_id, created_at=AFTER)


@pytest.fixture
def seen(bare: sqlite3.Connection) -> sqlite3.Connection:
    """Two pages with a history; a free and a paying user watch the first, a third stopped to."""
    put(bare, "plan_definitions")
    put(bare, "plan_definitions", plan="paid", max_tracked_urls=None, full_history=1)
    for user, name in NAMES.items():
        put(bare, "users", id=user, name=name)
    put(bare, "subscriptions", user_id=PAID, plan="paid")
    for url_id in (WATCHED, OTHER):
        put(bare, "urls", id=url_id, canonical_url=f"{PAGE}/{url_id}", url=PAGE, brand_id=None)
    bare.execute("INSERT INTO clock (id, now_utc_iso) VALUES (1, ?)", (ADDED,))
    for number, user in enumerate((FREE, PAID, GONE)):
        put(bare, "user_url_library", id=uuid(50 + number), user_id=user, url_id=WATCHED)
    bare.execute("UPDATE user_url_library SET is_active = 0 WHERE user_id = ?", (GONE,))
    for number, at in enumerate(TIMES):
        history(bare, WATCHED, 100 + number, at)
        history(bare, OTHER, 200 + number, at)
    return bare


def visible(connection: sqlite3.Connection, view: str, user: str) -> list[str]:
    rows = connection.execute(f"SELECT id FROM {view} WHERE user_id = ? ORDER BY id", (user,))
    return [row[0] for row in rows]


EXPECTED = {FREE: [uuid(101), uuid(102)], PAID: [uuid(100), uuid(101), uuid(102)], GONE: [], NOBODY: []}


@pytest.mark.parametrize("user", EXPECTED, ids=NAMES.get)
@pytest.mark.parametrize("view", VIEWS)
def test_each_user_sees_what_is_theirs(seen: sqlite3.Connection, view: str, user: str) -> None:
    """What was seen at the very second of adding is from their time."""
    assert visible(seen, view, user) == EXPECTED[user]


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_of_a_page_that_nobody_watches_is_in_a_view(seen: sqlite3.Connection, view: str) -> None:
    assert {row[0] for row in seen.execute(f"SELECT DISTINCT url_id FROM {view}")} == {WATCHED}
    assert {row[0] for row in seen.execute(f"SELECT DISTINCT user_id FROM {view}")} == {FREE, PAID}


def test_the_pages_themselves(seen: sqlite3.Connection) -> None:
    rows = seen.execute("SELECT user_id, id, history_start_at FROM visible_urls ORDER BY user_id").fetchall()
    assert [tuple(row) for row in rows] == [(FREE, WATCHED, ADDED), (PAID, WATCHED, None)]


@pytest.mark.parametrize(("made", "expected"), [(BEFORE, []), (ADDED, [uuid(300)]), (AFTER, [uuid(300)])])
def test_a_rendering_without_a_look_counts_from_when_it_was_stored(
    seen: sqlite3.Connection, made: str, expected: list[str]
) -> None:
    seen.execute("DELETE FROM url_render_artifacts")
    put(seen, "url_render_artifacts", id=uuid(300), url_id=WATCHED, observation_id=None, created_at=made)
    assert visible(seen, "visible_render_artifacts", FREE) == expected
    assert visible(seen, "visible_render_artifacts", PAID) == [uuid(300)]


def test_a_summary_written_later_of_an_earlier_change_stays_hidden(seen: sqlite3.Connection) -> None:
    put(seen, "url_change_summaries", id=uuid(301), event_id=uuid(100), created_at=AFTER)
    assert uuid(301) not in visible(seen, "visible_change_summaries", FREE)
    assert uuid(301) in visible(seen, "visible_change_summaries", PAID)


@pytest.mark.parametrize("view", VIEWS)
def test_an_upgrade_shows_nothing_more_until_an_admin_resets(seen: sqlite3.Connection, view: str) -> None:
    put(seen, "subscriptions", user_id=FREE, plan="paid")
    assert visible(seen, view, FREE) == EXPECTED[FREE]
    seen.execute("UPDATE user_url_library SET history_start_at = NULL WHERE user_id = ?", (FREE,))
    assert visible(seen, view, FREE) == EXPECTED[PAID]


@pytest.mark.parametrize("view", VIEWS)
def test_removing_and_adding_again_starts_anew(seen: sqlite3.Connection, view: str) -> None:
    for active, now in ((0, ADDED), (1, AFTER)):
        seen.execute("UPDATE clock SET now_utc_iso = ?", (now,))
        seen.execute("UPDATE user_url_library SET is_active = ? WHERE user_id = ?", (active, FREE))
    assert visible(seen, view, FREE) == [uuid(102)]


@pytest.mark.parametrize("view", VIEWS)
def test_a_row_keeps_all_its_columns(seen: sqlite3.Connection, view: str) -> None:
    table = view.replace("visible", "url")
    names = {row[1] for row in seen.execute(f"PRAGMA table_info({table})")}
    assert {row[1] for row in seen.execute(f"PRAGMA table_info({view})")} == names | {"user_id", "url_id"}


@pytest.fixture(scope="module")
def shared() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.executescript(schema_sql())
    yield connection
    connection.close()


MINUTES = st.integers(0, 59)


@given(
    looks=st.lists(MINUTES, max_size=6),
    members=st.lists(st.tuples(st.booleans(), st.none() | MINUTES), min_size=1, max_size=4),
)
def test_the_views_agree_with_the_rule(
    shared: sqlite3.Connection, looks: list[int], members: list[tuple[bool, int | None]]
) -> None:
    def at(minute: int) -> str:
        return f"2026-02-12T14:{minute:02}:00+00:00"

    with undone(shared):
        for number, (active, start) in enumerate(members):
            put(shared, "user_url_library", id=uuid(number), user_id=uuid(number), url_id=WATCHED)
            shared.execute(
                "UPDATE user_url_library SET is_active = ?, history_start_at = ? WHERE id = ?",
                (active, None if start is None else at(start), uuid(number)),
            )
        for number, minute in enumerate(looks):
            history(shared, WATCHED, 100 + number, at(minute))
        for view in VIEWS:
            for number, (active, start) in enumerate(members):
                assert visible(shared, view, uuid(number)) == [
                    uuid(100 + n) for n, m in enumerate(looks) if active and (start is None or m >= start)
                ]
