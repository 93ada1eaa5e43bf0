"""The older tracker's rows, by trigger and by backfill: the two ways into the library."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from store.rows import CHANGE, CHECK, HASH, PAGE, THEN, TRACKED, URL, USER, put, uuid

from digestlog.core.canonical import url_id
from digestlog.jobs.backfill import Backfilled, backfill, enable
from digestlog.store import v1, v1_steps
from digestlog.store.db import Database
from digestlog.store.trends import list_trends

LATER = "2026-02-12T20:00:00+00:00"
EARLIER = "2026-02-01T00:00:00+00:00"
PAID = uuid(60)
V1_TABLES = ("tracked_urls", "url_checks", "url_changes", "summaries", "url_renders")
LIBRARY = (
    "urls",
    "user_url_library",
    "url_observations",
    "url_change_events",
    "url_change_summaries",
    "url_render_artifacts",
    "brand_library_brands",
    "brand_domains",
)


def silent(what: str, rows: int) -> None:
    """Nobody watches."""


def run(db: Database, **options: Any) -> Backfilled:
    return backfill(db, silent, **options)


def rows(db: Database, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.rows(sql)]


def library(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row that a backfill may make."""
    return {table: sorted(rows(db, f"SELECT * FROM {table}"), key=repr) for table in LIBRARY}


def write(db: Database, table: str, **values: Any) -> None:
    """What the older tracker's worker does."""
    with db.transaction() as connection:
        put(connection, table, **values)


@pytest.fixture
def tracker(db: Database) -> Database:
    """A free user and one who pays."""
    write(db, "users", created_at=THEN)
    write(db, "users", id=PAID, name="paula", created_at=THEN)
    write(db, "subscriptions", user_id=PAID, plan="paid")
    return db


@pytest.fixture
def tracked(tracker: Database) -> Database:
    """One page with a check, a change, a summary and a render that the library knows nothing of."""
    for table in V1_TABLES:
        write(tracker, table, created_at=THEN, **({"canonical_url": None} if table == "tracked_urls" else {}))
    assert rows(tracker, "SELECT * FROM urls") == []
    return tracker


@pytest.fixture
def known(tracker: Database) -> Database:
    """One page that has come over."""
    write(tracker, "tracked_urls", created_at=THEN)
    run(tracker)
    return tracker


# --- the V1 tables: the write-through triggers -----------------------------------


def test_url_checks_to_url_observations_by_sync_check_to_observation(known: Database) -> None:
    write(known, "url_checks", created_at=LATER)
    assert rows(known, "SELECT id, url_id, checked_at, content_sha256, origin FROM url_observations") == [
        (CHECK, URL, THEN, HASH, "v1")
    ]


def test_url_changes_to_url_change_events_by_sync_change_to_event(known: Database) -> None:
    write(known, "url_checks")
    write(known, "url_changes")
    assert rows(known, "SELECT id, url_id, observation_id, kind, state FROM url_change_events") == [
        (CHANGE, URL, CHECK, "text_changed", "real")
    ]


def test_summaries_to_url_change_summaries_by_sync_summary_to_vnext(known: Database) -> None:
    for table in V1_TABLES[1:4]:
        write(known, table)
    assert rows(known, "SELECT id, event_id, summary, method FROM url_change_summaries") == [
        (uuid(28), CHANGE, "Less", "v1")
    ]


def test_url_renders_to_url_render_artifacts_by_sync_render_to_artifact(known: Database) -> None:
    write(known, "url_checks")
    write(known, "url_renders")
    assert rows(known, "SELECT id, url_id, observation_id, kind, content FROM url_render_artifacts") == [
        (uuid(29), URL, CHECK, "v1", b"8")
    ]


# --- the steps of the backfill --------------------------------------------------------------------


def test_step_1_tracked_urls_to_urls(tracked: Database) -> None:
    assert run(tracked).added["urls"] == 1
    (page,) = tracked.rows("SELECT * FROM urls")
    assert (page["id"], page["canonical_url"], page["url"], page["created_at"]) == (URL, PAGE, PAGE, THEN)
    assert (page["next_check_at"], page["check_frequency"], page["allow_private"]) == (None, "daily", 0)
    (brand,) = tracked.rows("SELECT * FROM brands")
    assert (page["brand_id"], brand["domain"]) == (brand["id"], "shop.example")


def test_step_1_dedupe_by_canonical_url_first_created_wins(tracker: Database) -> None:
    spellings = [("?utm_source=b", LATER), ("#c", EARLIER), ("?ref=a", THEN), ("", LATER)]
    for number, (end, at) in enumerate(spellings):
        write(
            tracker, "tracked_urls", id=uuid(100 + number), url=PAGE + end, canonical_url=None, created_at=at
        )
    run(tracker)
    assert rows(tracker, "SELECT canonical_url, url, created_at FROM urls") == [(PAGE, PAGE + "#c", EARLIER)]


def test_step_1_two_created_in_one_second_the_smaller_id_wins(tracker: Database) -> None:
    for number in (3, 1, 2):
        row = {"id": uuid(100 + number), "url": f"{PAGE}?ref={number}", "created_at": THEN}
        write(tracker, "tracked_urls", canonical_url=None, **row)
    run(tracker)
    assert rows(tracker, "SELECT url FROM urls") == [(f"{PAGE}?ref=1",)]


def test_step_1_a_page_that_the_library_has_stays_as_it_is(tracked: Database) -> None:
    write(tracked, "urls", url=PAGE + "?mine", brand_id=None, created_at=LATER, updated_at=LATER)
    before = rows(tracked, "SELECT * FROM urls")
    assert run(tracked).added["urls"] == 0
    assert rows(tracked, "SELECT * FROM urls") == before
    assert len(rows(tracked, "SELECT * FROM url_observations")) == 1


def test_step_1_passwords_in_addresses_do_not_come_over(tracker: Database) -> None:
    write(tracker, "tracked_urls", url="https://anna:secret@shop.example/lamp?ref=x", canonical_url=None)
    run(tracker)
    assert rows(tracker, "SELECT url, canonical_url FROM urls") == [(PAGE + "?ref=x", PAGE)]


def test_step_1_a_canonical_form_whose_address_is_none_stands_for_it(tracker: Database) -> None:
    write(tracker, "tracked_urls", url="the lamp", canonical_url=PAGE)
    run(tracker)
    assert rows(tracker, "SELECT url FROM urls") == [(PAGE,)]


@pytest.mark.parametrize(("user", "start"), [(USER, "2026-02-13T09:02:10+00:00"), (PAID, None)])
def test_step_2_tracked_urls_to_user_url_library_with_history_gating_based_on_plan(
    tracker: Database, user: str, start: str | None
) -> None:
    write(tracker, "tracked_urls", user_id=user, created_at=EARLIER)
    assert run(tracker).added["user_url_library"] == 1
    assert rows(
        tracker, "SELECT user_id, url_id, is_active, history_start_at, created_at FROM user_url_library"
    ) == [(user, URL, 1, start, EARLIER)]


def test_step_2_a_free_user_sees_nothing_of_what_came_over(tracked: Database) -> None:
    write(tracked, "tracked_urls", id=uuid(100), user_id=PAID, canonical_url=None)
    run(tracked)
    seen = rows(tracked, "SELECT user_id, id FROM visible_change_events")
    assert seen == [(PAID, CHANGE)]


@pytest.mark.parametrize(("flags", "active"), [((0,), 0), ((1,), 1), ((0, 1), 1), ((1, 0), 1), ((0, 0), 0)])
def test_step_2_a_page_is_watched_if_any_of_its_spellings_is(
    tracker: Database, flags: tuple[int, ...], active: int
) -> None:
    for number, flag in enumerate(flags):
        row = {"id": uuid(100 + number), "url": f"{PAGE}?ref={number}", "is_active": flag}
        write(tracker, "tracked_urls", canonical_url=None, **row)
    run(tracker)
    assert rows(tracker, "SELECT is_active FROM user_url_library") == [(active,)]


def many(db: Database, count: int, user: str = USER, **values: Any) -> None:
    with db.transaction() as connection:
        for number in range(count):
            at = f"2026-02-01T00:00:{59 - number:02d}+00:00"
            row = {"id": uuid(100 + number), "user_id": user, "url": f"https://p{number:02d}.example/"}
            put(connection, "tracked_urls", row, {"canonical_url": None, "created_at": at}, values)


@pytest.mark.parametrize("batch", [1, 3, 5_000])
def test_step_2_above_the_plans_cap_what_was_tracked_first_fits(tracker: Database, batch: int) -> None:
    many(tracker, 13)
    done = run(tracker, batch=batch)
    assert done.added["urls"] == 13 and done.added["user_url_library"] == 10
    # The highest number was tracked first.
    assert [(left.user, left.url) for left in done.over_cap] == [
        ("anna", f"https://p{number:02d}.example/") for number in (2, 1, 0)
    ]
    again = run(tracker, batch=batch)
    assert again.over_cap == done.over_cap and again.added["user_url_library"] == 0
    write(tracker, "subscriptions", plan="paid")
    assert run(tracker, batch=batch).added["user_url_library"] == 3


def test_step_2_what_is_watched_no_more_takes_no_place(tracker: Database) -> None:
    many(tracker, 11)
    with tracker.transaction() as connection:
        connection.execute("UPDATE tracked_urls SET is_active = 0 WHERE id = ?", (uuid(105),))
    done = run(tracker)
    assert (done.added["user_url_library"], done.over_cap) == (11, [])


def test_step_2_a_user_who_is_above_the_cap_already_is_no_error(tracker: Database) -> None:
    many(tracker, 3)
    run(tracker)
    with tracker.transaction() as connection:
        connection.execute("UPDATE plan_definitions SET max_tracked_urls = 1 WHERE plan = 'free'")
    write(tracker, "tracked_urls", id=uuid(150), url="https://new.example/", canonical_url=None)
    assert [left.url for left in run(tracker).over_cap] == ["https://new.example/"]


def test_step_2_a_page_that_the_user_removed_stays_removed(known: Database) -> None:
    with known.transaction() as connection:
        connection.execute("UPDATE user_url_library SET is_active = 0")
    run(known)
    assert rows(known, "SELECT is_active FROM user_url_library") == [(0,)]


def test_step_3_url_checks_to_url_observations(tracked: Database) -> None:
    assert run(tracked).added["url_observations"] == 1
    assert rows(tracked, "SELECT * FROM url_observations") == [
        (CHECK, URL, THEN, THEN[:10], 200, HASH, "ok", None, None, None, "v1", THEN)
    ]


def test_step_3_dedupe_by_url_id_and_checked_day(tracker: Database) -> None:
    write(tracker, "tracked_urls", canonical_url=None)
    write(tracker, "tracked_urls", id=uuid(100), user_id=PAID, url=PAGE + "#x", canonical_url=None)
    checks = [(TRACKED, LATER), (uuid(100), THEN), (TRACKED, EARLIER), (uuid(100), LATER)]
    for number, (page, at) in enumerate(checks):
        write(tracker, "url_checks", id=uuid(200 + number), tracked_url_id=page, checked_at=at)
    run(tracker)
    assert rows(tracker, "SELECT id, checked_day FROM url_observations ORDER BY checked_day") == [
        (uuid(202), "2026-02-01"),
        (uuid(201), "2026-02-12"),
    ]


def test_step_4_url_changes_to_url_change_events(tracked: Database) -> None:
    assert run(tracked).added["url_change_events"] == 1
    assert rows(
        tracked,
        """SELECT id, url_id, observation_id, detected_at, kind, state, "before", "after", created_at
        FROM url_change_events""",
    ) == [(CHANGE, URL, CHECK, THEN, "text_changed", "real", "9", "8", THEN)]


def test_step_4_a_change_belongs_to_the_days_look(tracked: Database) -> None:
    write(tracked, "url_checks", id=uuid(200), checked_at=LATER)
    write(tracked, "url_changes", id=uuid(201), check_id=uuid(200))
    write(tracked, "url_changes", id=uuid(202), check_id=None)
    run(tracked)
    assert dict(rows(tracked, "SELECT id, observation_id FROM url_change_events")) == {
        CHANGE: CHECK,
        uuid(201): CHECK,
        uuid(202): None,
    }


def test_step_5_summaries_to_url_change_summaries(tracked: Database) -> None:
    assert run(tracked).added["url_change_summaries"] == 1
    assert rows(tracked, "SELECT * FROM url_change_summaries") == [(uuid(28), CHANGE, "Less", "v1", THEN)]


def test_step_6_url_renders_to_url_render_artifacts(tracked: Database) -> None:
    assert run(tracked).added["url_render_artifacts"] == 1
    assert rows(tracked, "SELECT * FROM url_render_artifacts") == [
        (uuid(29), URL, CHECK, "v1", b"8", None, THEN)
    ]


# --- idempotent, resumable, in any order ------------------------------------------------------------


def test_all_statements_leave_alone_what_is_there(tracked: Database) -> None:
    run(tracked)
    before = library(tracked)
    again = run(tracked)
    assert set(again.added.values()) == {0} and library(tracked) == before


@pytest.mark.parametrize("first", [(), V1_TABLES[1:2], V1_TABLES[1:3], V1_TABLES[1:]])
def test_backfill_twice_with_triggers_firing_in_between(tracker: Database, first: tuple[str, ...]) -> None:
    """Some rows were there before, some come by trigger: the same rows as if all had been there."""
    write(tracker, "tracked_urls", canonical_url=None, created_at=THEN)
    for table in first:
        write(tracker, table, created_at=THEN)
    run(tracker)
    for table in V1_TABLES[1:]:
        if table not in first:
            write(tracker, table, created_at=THEN)
    by_trigger = library(tracker)
    assert set(run(tracker).added.values()) == {0}
    assert library(tracker) == by_trigger
    assert {table: len(found) for table, found in by_trigger.items()} == dict.fromkeys(LIBRARY, 1)


def test_a_row_is_the_same_by_trigger_and_by_backfill(tracked: Database) -> None:
    run(tracked)
    brought = library(tracked)
    with tracked.transaction() as connection:
        for table in ("url_render_artifacts", "url_change_events", "url_observations"):
            connection.execute(f"DELETE FROM {table}")
        for table in reversed(V1_TABLES[1:]):
            connection.execute(f"DELETE FROM {table}")
    for table in V1_TABLES[1:]:
        write(tracked, table, created_at=THEN)
    assert library(tracked) == brought


@pytest.fixture
def filled(tracker: Database) -> Callable[[tuple[int, ...]], Database]:
    """Four pages in eight spellings of two users with checks, changes and all, written in a given order."""

    def write_in(order: tuple[int, ...]) -> Database:
        with tracker.transaction() as connection:
            for table in reversed(V1_TABLES):
                connection.execute(f"DELETE FROM {table}")
            for table in LIBRARY[2:6] + LIBRARY[1:2] + LIBRARY[:1]:
                connection.execute(f"DELETE FROM {table}")
            for step in (_pages, _checks, _changes, _summaries, _renders):
                for number in order:
                    step(connection, number)
        return tracker

    return write_in


def _pages(connection: sqlite3.Connection, number: int) -> None:
    for user, offset in ((USER, 0), (PAID, 50)):
        at = f"2026-02-0{1 + number}T00:00:{offset:02d}+00:00"
        row = {"id": uuid(100 + number + offset), "user_id": user, "created_at": at, "canonical_url": None}
        put(connection, "tracked_urls", row, url=f"https://p{number % 2}.example/?ref={number}{offset}")


def _checks(connection: sqlite3.Connection, number: int) -> None:
    for hour in (1, 2, 3):
        row = {"id": uuid(200 + 10 * number + hour), "tracked_url_id": uuid(100 + number)}
        at = f"2026-02-1{hour % 2}T0{hour}:00:0{number}+00:00"
        put(connection, "url_checks", row, checked_at=at, created_at=at)


def _changes(connection: sqlite3.Connection, number: int) -> None:
    row = {"id": uuid(300 + number), "tracked_url_id": uuid(100 + number), "created_at": THEN}
    put(connection, "url_changes", row, check_id=uuid(202 + 10 * number))


def _summaries(connection: sqlite3.Connection, number: int) -> None:
    put(connection, "summaries", id=uuid(400 + number), change_id=uuid(300 + number), created_at=THEN)


def _renders(connection: sqlite3.Connection, number: int) -> None:
    row = {"id": uuid(500 + number), "tracked_url_id": uuid(100 + number), "created_at": THEN}
    put(connection, "url_renders", row, check_id=uuid(203 + 10 * number))


def test_the_order_in_which_rows_were_written_does_not_matter(
    filled: Callable[[tuple[int, ...]], Database],
) -> None:
    results = []
    for order in list(permutations(range(4)))[::5]:
        db = filled(order)
        run(db, batch=2)
        results.append(library(db))
    assert len(results) == 5 and all(one == results[0] for one in results)
    assert len(results[0]["urls"]) == 2 and len(results[0]["url_observations"]) == 4


class Killed(BaseException):
    """The program ends here."""


def after(count: int) -> Callable[[str, int], None]:
    calls = iter(range(count))

    def report(what: str, rows: int) -> None:
        if next(calls, None) is None:
            raise Killed

    return report


def test_killed_anywhere_it_goes_on_and_nothing_is_doubled(
    filled: Callable[[tuple[int, ...]], Database],
) -> None:
    db = filled((0, 1, 2, 3))
    run(db, batch=1)
    whole = library(db)
    kills = 0
    while True:
        db = filled((0, 1, 2, 3))
        try:
            backfill(db, after(kills), batch=1)
        except Killed:
            kills += 1
        else:
            break
        run(db, batch=3)
        assert library(db) == whole
    assert kills > 15


def test_batches_are_of_about_the_size_that_was_asked_for(
    filled: Callable[[tuple[int, ...]], Database],
) -> None:
    db = filled((0, 1, 2, 3))
    run(db)
    checks, changes, *_ = v1_steps.STEPS
    pages = sorted(url_id(f"https://p{number}.example/") for number in (0, 1))
    assert list(v1_steps.batches(db, checks, 12)) == [pages]
    assert list(v1_steps.batches(db, checks, 11)) == [[pages[0]], [pages[1]]]
    assert list(v1_steps.batches(db, checks, 1)) == [[pages[0]], [pages[1]]]
    assert list(v1_steps.batches(db, changes, 4)) == [pages]


def test_trends_are_counted_anew_where_changes_came(tracked: Database) -> None:
    run(tracked)
    assert list_trends(tracked)[0].points == 1
    with tracked.transaction() as connection:
        connection.execute("DELETE FROM trend_points")
    run(tracked)
    assert list_trends(tracked)[0].points == 0


# --- enable -------------------------------------------------------------------------------------


def test_enable_works_out_what_lacks(tracker: Database) -> None:
    texts = [PAGE + "/?utm_source=x#y", "HTTPS://Shop.Example/lamp", "shop.example/lamp", "mailto:anna", "?"]
    for number, text in enumerate(texts):
        write(tracker, "tracked_urls", id=uuid(100 + number), url=text, canonical_url=None)
    write(tracker, "tracked_urls", id=uuid(110), url=PAGE, canonical_url=PAGE)
    write(tracker, "tracked_urls", id=uuid(111), url=PAGE, canonical_url="http://SHOP.example/chair?ref=x")
    write(tracker, "tracked_urls", id=uuid(112), url=PAGE, canonical_url="lamp!")
    write(tracker, "tracked_urls", id=uuid(113), url="nothing", canonical_url="nothing")
    done = enable(tracker, silent)
    assert (done.restored, done.worked_out, done.without_identity) == ([], 6, 3)
    assert done.examples == ["?", "mailto:anna", "nothing"]
    assert rows(tracker, "SELECT canonical_url FROM tracked_urls ORDER BY id") == [
        *[(PAGE,)] * 3,
        (None,),
        (None,),
        (PAGE,),
        ("http://shop.example/chair",),
        (PAGE,),
        (None,),
    ]
    assert enable(tracker, silent).worked_out == 0


def test_enable_makes_what_is_missing(tracker: Database) -> None:
    def schema() -> list[tuple[Any, ...]]:
        return rows(tracker, "SELECT type, name, sql FROM sqlite_master ORDER BY name")

    whole = schema()
    with tracker.transaction() as connection:
        connection.execute("DROP TRIGGER sync_change_to_event")
        connection.execute("DROP VIEW v1_check_observations")
        connection.execute("DROP TABLE url_renders")
        connection.execute("DROP INDEX idx_url_checks_tracked")
    assert v1.missing_objects(tracker) == [
        "url_renders",
        "v1_check_observations",
        "sync_change_to_event",
        "sync_render_to_artifact",
    ]
    assert set(enable(tracker, silent).restored) == {
        "url_renders",
        "idx_url_renders_tracked",
        "idx_url_renders_check",
        "logged_url_renders_insert",
        "logged_url_renders_update",
        "logged_url_renders_delete",
        "v1_check_observations",
        "sync_change_to_event",
        "sync_render_to_artifact",
        "idx_url_checks_tracked",
    }
    assert schema() == whole and v1.missing_objects(tracker) == []
    assert enable(tracker, silent).restored == []


# --- status -------------------------------------------------------------------------------------


def missing(db: Database) -> dict[int, int]:
    return {count.step: count.missing for count in v1_steps.counts(db)}


def test_what_has_not_come_over(tracked: Database) -> None:
    write(tracked, "url_checks", id=uuid(200), checked_at=LATER)
    assert missing(tracked) == {1: 1, 2: 1, 3: 2, 4: 1, 5: 1, 6: 1}
    run(tracked)
    assert missing(tracked) == dict.fromkeys(range(1, 7), 0)
    sides = [(count.table, count.rows, count.target, count.target_rows) for count in v1_steps.counts(tracked)]
    assert sides == [
        ("tracked_urls", 1, "urls", 1),
        ("tracked_urls", 1, "user_url_library", 1),
        ("url_checks", 2, "url_observations", 1),
        ("url_changes", 1, "url_change_events", 1),
        ("summaries", 1, "url_change_summaries", 1),
        ("url_renders", 1, "url_render_artifacts", 1),
    ]


def test_what_can_never_come_over_counts_as_missing(tracker: Database) -> None:
    write(tracker, "tracked_urls", url="no address", canonical_url=None)
    write(tracker, "url_checks")
    run(tracker)
    assert missing(tracker) == {1: 1, 2: 1, 3: 1, 4: 0, 5: 0, 6: 0}


def test_who_got_pages_has_done_the_first_step(tracked: Database) -> None:
    """And whoever tracks nothing any more has not."""
    run(tracked)
    assert rows(tracked, f"SELECT step FROM onboarding_state WHERE user_id = '{USER}'") == [("first_change",)]


def test_who_got_only_what_is_watched_no_more_has_not(tracker: Database) -> None:
    write(tracker, "tracked_urls", is_active=0)
    run(tracker)
    assert ("first_change",) not in rows(tracker, "SELECT step FROM onboarding_state")
