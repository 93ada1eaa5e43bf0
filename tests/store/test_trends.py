"""Trends as they are counted and stored, and what each user sees of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import NOW
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_rows import BEFORE, CHAIR, ELSE, FREE, LAMP, OTHER, PAID, SHOP, event, page, users, watch
from store.rows import put, uuid

from digestlog.core.trends import DEFINITIONS, last_days
from digestlog.errors import ConfigError
from digestlog.store import trends
from digestlog.store.db import Database, open_database
from digestlog.store.users import current

DAY = "2026-02-{:02d}T23:59:59+00:00"
WEEK = last_days(NOW.date(), 7)


@pytest.fixture
def library(db: Database) -> Database:
    """Three pages: two of the shop, one of nobody. The free user watches the lamp, the other all."""
    with db.transaction() as connection:
        users(connection)
        put(connection, "brand_library_brands", id=SHOP, name="Shop", domain="shop.example")
        for number, (url, brand) in enumerate(((LAMP, SHOP), (CHAIR, SHOP), (OTHER, None))):
            page(connection, url, brand)
            watch(connection, number, PAID, url)
        watch(connection, 9, FREE, LAMP)
    return db


def change(db: Database, number: int, url: str, at: str, state: str = "real") -> None:
    with db.transaction() as connection:
        event(connection, number, url, at, state=state)


def points(db: Database, name: str) -> dict[tuple[str, str], float]:
    rows = db.rows(
        """SELECT p.series, p.day, p.value FROM trend_points AS p
        JOIN trend_definitions AS t ON t.id = p.trend_id WHERE t.name = :name""",
        {"name": name},
    )
    return {(row["series"], row["day"]): row["value"] for row in rows}


def all_rows(db: Database) -> list[tuple[Any, ...]]:
    sql = "SELECT * FROM trend_points ORDER BY trend_id, series, day"
    return [tuple(row) for row in db.rows(sql)]


# --- what is counted ----------------------------------------------------------------------------


def test_changes_are_the_real_and_the_provisional_ones(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(11))
    change(library, 2, CHAIR, DAY.format(11), "provisional")
    change(library, 3, CHAIR, DAY.format(11), "volatile")
    change(library, 4, OTHER, "2026-02-12T00:00:00+00:00")
    trends.refresh(library)
    assert points(library, "changes") == {("all", "2026-02-11"): 2, ("all", "2026-02-12"): 1}
    assert points(library, "changes-by-brand") == {(SHOP, "2026-02-11"): 2, ("none", "2026-02-12"): 1}


def article(db: Database, number: int, source: str, at: str) -> None:
    url = f"https://example.com/{number}"
    with db.transaction() as connection:
        put(
            connection,
            "extracted_article_urls",
            article_uuid=f"A_{number:016x}",
            source_uuid=source,
            article_url_original=url,
            article_url_final=url,
            article_detected_utc_iso=at,
        )


def test_discoveries_of_the_ledger_in_all_and_by_source(db: Database) -> None:
    with db.transaction() as connection:
        for number in (1, 2):
            row = {"source_uuid": f"W_RSS_{number}", "source_name": f"Source {number}"}
            put(connection, "sources_master_list", row, source_url=f"https://s{number}.example/")
    for number, (source, day) in enumerate((("W_RSS_1", 10), ("W_RSS_1", 11), ("W_RSS_2", 11))):
        article(db, number, source, DAY.format(day))
    trends.refresh(db)
    assert points(db, "discoveries") == {("all", "2026-02-10"): 1, ("all", "2026-02-11"): 2}
    assert points(db, "discoveries-by-source") == {
        ("W_RSS_1", "2026-02-10"): 1,
        ("W_RSS_1", "2026-02-11"): 1,
        ("W_RSS_2", "2026-02-11"): 1,
    }
    labels = [one.label for one in trends.series(db, current(db, None), DEFINITIONS[4], WEEK)]
    assert labels == ["Source 1", "Source 2"]


def digest(db: Database, number: int, user_id: str, at: str, *categories: str) -> None:
    with db.transaction() as connection:
        put(connection, "syntheses", id=uuid(500 + number), user_id=user_id, created_at=at)
        for position, category in enumerate(categories):
            row = {"id": uuid(600 + 10 * number + position), "synthesis_id": uuid(500 + number)}
            put(connection, "synthesis_items", row, category=category, position=position, article_uuid=None)


def test_discoveries_by_the_categories_of_digests(library: Database) -> None:
    digest(library, 1, PAID, DAY.format(11), "Town", "Town", "Sea")
    digest(library, 2, FREE, DAY.format(11), "Town")
    trends.refresh(library)
    assert points(library, "discoveries-by-category") == {("Town", "2026-02-11"): 3, ("Sea", "2026-02-11"): 1}


def submission(db: Database, number: int, user_id: str, at: str, *reasons: str | None) -> None:
    with db.transaction() as connection:
        row = {"id": uuid(700 + number), "user_id": user_id, "status": "blocked", "matched_url_id": None}
        put(connection, "url_submissions", row, created_at=at)
        for place, reason in enumerate(reasons):
            decided = {
                "id": uuid(800 + 10 * number + place),
                "submission_id": uuid(700 + number),
                "decided_by": None,
            }
            word = "block" if reason else "allow"
            put(connection, "url_policy_decisions", decided, decision=word, reason_code=reason, created_at=at)


def test_discoveries_by_the_reason_that_the_rules_gave_first(library: Database) -> None:
    submission(library, 1, PAID, DAY.format(11), "unknown", "duplicate")
    submission(library, 2, PAID, DAY.format(11), "unknown")
    submission(library, 3, FREE, DAY.format(12), "duplicate")
    submission(library, 4, FREE, DAY.format(12), None)
    submission(library, 5, FREE, DAY.format(12))
    trends.refresh(library)
    assert points(library, "discoveries-by-reason") == {
        ("unknown", "2026-02-11"): 2,
        ("duplicate", "2026-02-12"): 1,
    }


# --- again and again ----------------------------------------------------------------------------


def test_a_second_refresh_writes_nothing(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(11))
    first = trends.refresh(library)
    assert [(one.name, one.written) for one in first if one.written] == [
        ("changes", 1),
        ("changes-by-brand", 1),
    ]
    before = all_rows(library)
    again = trends.refresh(library)
    assert all((one.written, one.removed) == (0, 0) for one in again) and all_rows(library) == before


def later(db: Database, days: int) -> Database:
    return open_database(db.path, now=NOW + timedelta(days=days), frozen=True)


def test_only_what_differs_is_written(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(11))
    change(library, 2, LAMP, DAY.format(12))
    trends.refresh(library)
    with later(library, 1) as db:
        change(db, 3, LAMP, DAY.format(12))
        assert {one.name: one.written for one in trends.refresh(db)}["changes"] == 1
        rows = db.rows(
            "SELECT day, created_at, updated_at FROM trend_points WHERE series = 'all' ORDER BY day"
        )
        made, now = library.now_iso, db.now_iso
        assert [tuple(row) for row in rows] == [("2026-02-11", made, made), ("2026-02-12", made, now)]


def test_a_point_of_nothing_vanishes(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(11))
    change(library, 2, OTHER, DAY.format(11))
    trends.refresh(library)
    with library.transaction() as connection:
        connection.execute("DELETE FROM url_change_events WHERE id = ?", (uuid(2002),))
        connection.execute("UPDATE urls SET brand_id = NULL")
    done = {one.name: (one.written, one.removed) for one in trends.refresh(library)}
    assert done["changes"] == (1, 0) and done["changes-by-brand"] == (0, 1)
    assert points(library, "changes") == {("all", "2026-02-11"): 1}
    assert points(library, "changes-by-brand") == {("none", "2026-02-11"): 1}


def test_the_last_week_is_counted_anew_and_the_rest_on_request(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(12))
    trends.refresh(library)
    change(library, 2, LAMP, DAY.format(5))
    change(library, 3, LAMP, DAY.format(4))
    (done, *_) = trends.refresh(library)
    assert done.since == "2026-02-05"
    assert points(library, "changes") == {("all", "2026-02-05"): 1, ("all", "2026-02-12"): 1}
    trends.refresh(library, trends.BEGINNING)
    assert len(points(library, "changes")) == 3
    trends.refresh(library, "2026-02-12", only="changes")
    assert len(points(library, "changes")) == 3


def test_a_brand_that_was_merged_into_another_is_counted_there(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(1))
    change(library, 2, LAMP, DAY.format(12))
    trends.refresh(library)
    with library.transaction() as connection:
        put(connection, "brand_library_brands", id=ELSE, name="Else", domain="other.example")
        connection.execute("UPDATE urls SET brand_id = ? WHERE brand_id = ?", (ELSE, SHOP))
        connection.execute("DELETE FROM brand_library_brands WHERE id = ?", (SHOP,))
    since = {one.name: one.since for one in trends.refresh(library)}
    assert (since["changes"], since["changes-by-brand"]) == ("2026-02-05", trends.BEGINNING)
    assert points(library, "changes-by-brand") == {(ELSE, "2026-02-01"): 1, (ELSE, "2026-02-12"): 1}
    assert trends.refresh(library)[1].since == "2026-02-05"


def test_after_a_long_pause_nothing_is_missing(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(1))
    trends.refresh(library)
    change(library, 2, LAMP, DAY.format(2))
    with later(library, 60) as db:
        change(db, 3, LAMP, "2026-04-10T00:00:00+00:00")
        trends.refresh(db)
        assert {day for _, day in points(db, "changes")} == {"2026-02-01", "2026-02-02", "2026-04-10"}


def test_a_point_in_the_future_does_not_hide_today(library: Database) -> None:
    change(library, 1, LAMP, "2027-01-01T00:00:00+00:00")
    trends.refresh(library)
    change(library, 2, LAMP, DAY.format(12))
    trends.refresh(library)
    assert ("all", "2026-02-12") in points(library, "changes")


def test_the_calendars_first_days(library: Database) -> None:
    change(library, 1, LAMP, "0001-01-03T00:00:00+00:00")
    trends.refresh(library)
    (done, *_) = trends.refresh(library)
    assert done.since == trends.BEGINNING and points(library, "changes") == {("all", "0001-01-03"): 1}


@pytest.fixture(scope="module")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("trends") / "one.db"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 28), st.booleans()), max_size=25))
def test_step_by_step_is_the_same_as_at_once(one_file: Path, made: list[tuple[int, int, bool]]) -> None:
    """Whatever comes within the last week is counted, whenever it is refreshed in between."""
    pages = (LAMP, CHAIR, OTHER)
    with open_database(one_file, now=NOW, frozen=True) as db:
        with db.transaction() as connection:
            for table in ("url_change_events", "urls", "trend_points"):
                connection.execute(f"DELETE FROM {table}")
            for url in pages:
                page(connection, url, None)
        for number, (url, day, refreshed) in enumerate(sorted(made, key=lambda one: one[1])):
            change(db, number, pages[url], DAY.format(day))
            if refreshed:
                trends.refresh(db)
        trends.refresh(db)
        step_by_step = points(db, "changes")
        trends.refresh(db, trends.BEGINNING)
        assert step_by_step == points(db, "changes")
        assert sum(step_by_step.values()) == len(made)


# --- switched on and off ------------------------------------------------------------------------


def test_the_list_before_and_after_the_first_refresh(library: Database) -> None:
    names = [one.name for one in DEFINITIONS]
    before = trends.list_trends(library)
    assert [one.name for one in before] == names and all(one.is_active for one in before)
    change(library, 1, LAMP, DAY.format(11))
    change(library, 2, LAMP, DAY.format(12))
    trends.refresh(library)
    after = trends.list_trends(library)
    assert [one.name for one in after] == names
    assert (after[0].points, after[0].first_day, after[0].last_day) == (2, "2026-02-11", "2026-02-12")
    assert (after[2].points, after[2].first_day, after[2].last_day) == (0, None, None)


def test_a_trend_that_is_off_is_not_counted_until_it_is_on_again(library: Database) -> None:
    change(library, 1, LAMP, DAY.format(1))
    trends.refresh(library)
    trends.switch(library, "changes", on=False)
    change(library, 2, LAMP, DAY.format(12))
    assert "changes" not in {one.name for one in trends.refresh(library, trends.BEGINNING)}
    assert points(library, "changes") == {("all", "2026-02-01"): 1}
    assert trends.list_trends(library)[0].is_active is False
    with library.transaction() as connection:
        connection.execute("DELETE FROM url_change_events WHERE id = ?", (uuid(2001),))
    trends.switch(library, "changes", on=True)
    assert points(library, "changes") == {("all", "2026-02-12"): 1}


def test_switching_what_is_so_already_changes_nothing(library: Database) -> None:
    trends.refresh(library)
    change(library, 1, LAMP, DAY.format(12))
    trends.switch(library, "changes", on=True)
    assert points(library, "changes") == {}


def test_a_trend_that_there_is_not(library: Database) -> None:
    with pytest.raises(ConfigError, match="there is no trend weather") as caught:
        trends.switch(library, "weather", on=True)
    assert caught.value.hint and "changes-by-brand" in caught.value.hint


# --- what each user sees ------------------------------------------------------------------------


def seen(db: Database, user_id: str, name: str) -> dict[str, float]:
    return {one.label: one.total for one in trends.series(db, user_id, trends.require(name), WEEK)}


@pytest.fixture
def counted(library: Database) -> Database:
    """Changes before and after the free user's time, on pages that they watch and do not."""
    with library.transaction() as connection:
        put(connection, "brand_library_brands", id=ELSE, name="Else", domain="other.example")
        connection.execute("UPDATE urls SET brand_id = ? WHERE url = ?", (ELSE, OTHER))
    now = library.now_iso
    for number, (url, at) in enumerate(
        ((LAMP, BEFORE), (LAMP, now), (CHAIR, now), (CHAIR, BEFORE), (OTHER, now), (OTHER, now))
    ):
        change(library, number, url, at)
    change(library, 9, LAMP, now, "volatile")
    digest(library, 1, PAID, now, "Town", "Sea")
    digest(library, 2, FREE, now, "Town")
    submission(library, 1, PAID, now, "unknown")
    submission(library, 2, FREE, now, "duplicate")
    trends.refresh(library)
    return library


def test_an_admin_sees_the_whole_file(counted: Database) -> None:
    owner = current(counted, None)
    assert seen(counted, owner, "changes") == {"all": 6}
    assert seen(counted, owner, "changes-by-brand") == {"Shop": 4, "Else": 2}
    assert seen(counted, owner, "discoveries-by-category") == {"Town": 2, "Sea": 1}
    assert seen(counted, owner, "discoveries-by-reason") == {"unknown": 1, "duplicate": 1}


def test_others_see_what_is_theirs(counted: Database) -> None:
    assert seen(counted, PAID, "changes-by-brand") == {"Shop": 4, "Else": 2}
    assert seen(counted, PAID, "discoveries-by-category") == {"Town": 1, "Sea": 1}
    assert seen(counted, PAID, "discoveries-by-reason") == {"unknown": 1}


def test_a_free_user_sees_nothing_of_before_even_after_an_upgrade(counted: Database) -> None:
    for _ in range(2):
        assert seen(counted, FREE, "changes") == {"all": 1}
        assert seen(counted, FREE, "changes-by-brand") == {"Shop": 1}
        assert seen(counted, FREE, "discoveries-by-reason") == {"duplicate": 1}
        with counted.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO subscriptions (user_id, plan) VALUES (?, 'paid')", (FREE,)
            )


def test_the_largest_first_and_every_day_has_a_value(counted: Database) -> None:
    first, second = trends.series(counted, PAID, trends.require("changes-by-brand"), WEEK)
    assert (first.label, second.label) == ("Shop", "Else")
    assert first.days == WEEK and first.values == (0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0)


def test_days_beyond_are_left_out(counted: Database) -> None:
    for user in (PAID, current(counted, None)):
        found = trends.series(counted, user, trends.require("changes"), ("2026-02-10", "2026-02-11"))
        assert [one.values for one in found] == [(2.0, 0.0)]
