"""The rules that the file itself keeps, whoever writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from store.rows import (
    ARTICLE_UUID,
    CHANGE,
    CHECK,
    HASH,
    OBSERVATION,
    PAGE,
    THEN,
    TRACKED,
    URL,
    USER,
    put,
    uuid,
)

LATER = "2026-02-13T09:02:10+00:00"
PAID = uuid(60)


def set_clock(connection: sqlite3.Connection, now: str) -> None:
    connection.execute("DELETE FROM clock")
    connection.execute("INSERT INTO clock (id, now_utc_iso) VALUES (1, ?)", (now,))


def one(connection: sqlite3.Connection, sql: str, *params: object) -> Any:
    """The only value of a query with one row."""
    ((value,),) = connection.execute(sql, params).fetchall()
    return value


def all_rows(connection: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(sql)]


# --- first seen -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("article_detected_utc_iso", LATER),
        ("article_detected_utc_iso", "2026-02-01T00:00:00+00:00"),
        ("created_at", LATER),
        ("article_uuid", "A_" + "0" * 16),
    ],
)
@pytest.mark.parametrize("verb", ["UPDATE", "UPDATE OR IGNORE", "UPDATE OR REPLACE"])
def test_when_an_article_was_first_seen_never_changes(
    filled: sqlite3.Connection, column: str, value: str, verb: str
) -> None:
    before = all_rows(filled, "SELECT * FROM extracted_article_urls")
    with pytest.raises(sqlite3.IntegrityError, match="never change"):
        filled.execute(f"{verb} extracted_article_urls SET {column} = ?, article_title = 'New'", (value,))
    assert all_rows(filled, "SELECT * FROM extracted_article_urls") == before


def test_inserting_an_article_again_changes_nothing(filled: sqlite3.Connection) -> None:
    before = filled.execute("SELECT * FROM extracted_article_urls").fetchall()
    mentions = filled.execute("SELECT * FROM article_source_mentions").fetchall()
    for way in ("INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"):
        filled.execute(
            f"""{way} INTO extracted_article_urls SELECT article_uuid, source_uuid, url_scraping_method,
                source_url, 'Another title', article_url_original, article_url_final,
                url_original_to_final_match, url_notes, published_utc_iso, '2030-01-01T00:00:00+00:00',
                '2030-01-01T00:00:00+00:00', updated_at FROM extracted_article_urls"""
        )
        assert filled.execute("SELECT * FROM extracted_article_urls").fetchall() == before
        assert filled.execute("SELECT * FROM article_source_mentions").fetchall() == mentions
    filled.execute("INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)")


@pytest.mark.parametrize("way", ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_a_collision_cannot_be_inserted(filled: sqlite3.Connection, way: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="another address"):
        filled.execute(
            f"""{way} INTO extracted_article_urls SELECT article_uuid, source_uuid, url_scraping_method,
                source_url, article_title, article_url_original, 'https://example.com/another', 0, 'x',
                published_utc_iso, article_detected_utc_iso, created_at, updated_at
            FROM extracted_article_urls"""
        )


def test_a_rediscovery_may_fill_what_was_not_known(filled: sqlite3.Connection) -> None:
    filled.execute("UPDATE extracted_article_urls SET article_title = NULL, published_utc_iso = NULL")
    filled.execute(
        """UPDATE extracted_article_urls SET article_title = 'Found', published_utc_iso = ?,
            article_detected_utc_iso = article_detected_utc_iso, created_at = created_at""",
        (THEN,),
    )
    assert all_rows(filled, "SELECT article_title, published_utc_iso FROM extracted_article_urls") == [
        ("Found", THEN)
    ]


def test_finding_it_again_changes_nothing(filled: sqlite3.Connection) -> None:
    before = all_rows(filled, "SELECT * FROM extracted_article_urls")
    filled.execute(
        """INSERT INTO extracted_article_urls SELECT * FROM extracted_article_urls WHERE true
        ON CONFLICT DO NOTHING"""
    )
    assert all_rows(filled, "SELECT * FROM extracted_article_urls") == before


# --- the number of watched pages --------------------------------------------------------------


@pytest.fixture
def library(bare: sqlite3.Connection) -> sqlite3.Connection:
    """Five pages; one user who may watch two of them and one who may watch all."""
    put(bare, "plan_definitions", max_tracked_urls=2)
    put(bare, "plan_definitions", plan="paid", max_tracked_urls=None, full_history=1)
    put(bare, "users")
    put(bare, "users", id=PAID, name="paula")
    put(bare, "subscriptions", user_id=PAID, plan="paid")
    for number in range(5):
        address = f"{PAGE}/{number}"
        put(bare, "urls", id=uuid(100 + number), canonical_url=address, url=address, brand_id=None)
    return bare


def watch(connection: sqlite3.Connection, number: int, **changes: Any) -> None:
    row = {"id": uuid(200 + number), "url_id": uuid(100 + number)} | changes
    put(connection, "user_url_library", row)


def watched(connection: sqlite3.Connection, user: str = USER) -> int:
    return int(
        one(connection, "SELECT count(*) FROM user_url_library WHERE is_active = 1 AND user_id = ?", user)
    )


def test_a_page_over_the_limit_is_refused(library: sqlite3.Connection) -> None:
    watch(library, 0)
    watch(library, 1)
    with pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        watch(library, 2)
    assert watched(library) == 2


def test_a_statement_that_would_pass_the_limit_halfway_adds_nothing(library: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        library.execute(
            "INSERT INTO user_url_library (id, user_id, url_id) SELECT id, ?, id FROM urls LIMIT 3", (USER,)
        )
    assert watched(library) == 0


def test_a_plan_without_a_limit_has_none(library: sqlite3.Connection) -> None:
    for number in range(5):
        watch(library, number, user_id=PAID)
    assert watched(library, PAID) == 5


def test_a_plan_of_nothing_allows_nothing(library: sqlite3.Connection) -> None:
    library.execute("UPDATE plan_definitions SET max_tracked_urls = 0 WHERE plan = 'free'")
    with pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        watch(library, 0)


def test_only_the_users_own_active_pages_count(library: sqlite3.Connection) -> None:
    for number in range(4):
        watch(library, number, id=uuid(300 + number), user_id=PAID)
        watch(library, number, is_active=0)
    watch(library, 4)
    assert watched(library) == 1


def bring_back(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE user_url_library SET is_active = 1 WHERE id = ?", (uuid(202),))


def take_over(connection: sqlite3.Connection) -> None:
    watch(connection, 3, id=uuid(303), user_id=PAID)
    connection.execute("UPDATE user_url_library SET user_id = ? WHERE id = ?", (USER, uuid(303)))


def add_again(connection: sqlite3.Connection) -> None:
    connection.execute(
        """INSERT INTO user_url_library (id, user_id, url_id) VALUES (?, ?, ?)
        ON CONFLICT (user_id, url_id) DO UPDATE SET is_active = 1""",
        (uuid(310), USER, uuid(102)),
    )


def replace(connection: sqlite3.Connection) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO user_url_library (id, user_id, url_id) VALUES (?, ?, ?)",
        (uuid(310), USER, uuid(102)),
    )


@pytest.mark.parametrize("way", [bring_back, take_over, add_again, replace])
def test_no_other_way_leads_past_the_limit(
    library: sqlite3.Connection, way: Callable[[sqlite3.Connection], None]
) -> None:
    watch(library, 0)
    watch(library, 1)
    watch(library, 2, is_active=0)
    with pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        way(library)
    assert watched(library) == 2
    library.execute("UPDATE user_url_library SET is_active = 0 WHERE id = ?", (uuid(200),))
    library.execute("DELETE FROM user_url_library WHERE user_id = ?", (PAID,))
    way(library)
    assert watched(library) == 2


@pytest.mark.parametrize(
    "sets",
    ["is_active = 1", "is_active = 0", "history_start_at = NULL", "url_id = url_id, user_id = user_id"],
)
def test_at_the_limit_other_changes_are_free(library: sqlite3.Connection, sets: str) -> None:
    watch(library, 0)
    watch(library, 1)
    library.execute(f"UPDATE user_url_library SET {sets}")


def test_after_a_downgrade_what_is_watched_stays_and_nothing_new_comes(library: sqlite3.Connection) -> None:
    for number in range(4):
        watch(library, number, user_id=PAID)
    library.execute("UPDATE subscriptions SET status = 'canceled'")
    with pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        watch(library, 4, user_id=PAID)
    library.execute(
        "INSERT INTO user_url_library (id, user_id, url_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (uuid(310), PAID, uuid(100)),
    )
    assert watched(library, PAID) == 4


def test_two_writers_at_once_do_not_get_past_the_limit(library: sqlite3.Connection, tmp_path: Any) -> None:
    with sqlite3.connect(tmp_path / "shared.db") as copy:
        library.backup(copy)
    copy.close()
    one_, two = (sqlite3.connect(tmp_path / "shared.db", isolation_level=None, timeout=0) for _ in range(2))
    watch(one_, 0)
    for writer in (one_, two):
        writer.execute("BEGIN")
        assert watched(writer) == 1
    watch(one_, 1)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        watch(two, 2)
    two.execute("ROLLBACK")
    one_.execute("COMMIT")
    with pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        watch(two, 2)
    one_.close()
    two.close()


# --- from when a user may look back -----------------------------------------------------------


def history_start(connection: sqlite3.Connection, number: int = 0) -> str | None:
    found: str | None = one(
        connection, "SELECT history_start_at FROM user_url_library WHERE id = ?", uuid(200 + number)
    )
    return found


@pytest.mark.parametrize("given", [None, THEN, "2030-01-01T00:00:00+00:00"])
@pytest.mark.parametrize(("user", "expected"), [(USER, LATER), (PAID, None)])
def test_the_plan_says_from_when_and_not_the_writer(
    library: sqlite3.Connection, given: str | None, user: str, expected: str | None
) -> None:
    set_clock(library, LATER)
    watch(library, 0, user_id=user, history_start_at=given)
    assert history_start(library) == expected


def test_without_a_stopped_clock_it_is_the_present(library: sqlite3.Connection) -> None:
    present = one(library, "SELECT now_utc_iso FROM moment")
    watch(library, 0)
    start = history_start(library)
    assert start is not None
    assert start >= present


@pytest.mark.parametrize("status", ["past_due", "canceled"])
def test_a_subscription_that_lapsed_counts_as_none(library: sqlite3.Connection, status: str) -> None:
    library.execute("UPDATE subscriptions SET status = ?", (status,))
    set_clock(library, LATER)
    watch(library, 0, user_id=PAID)
    assert history_start(library) == LATER


def test_an_upgrade_leaves_it_and_an_admin_may_reset_it(library: sqlite3.Connection) -> None:
    set_clock(library, THEN)
    watch(library, 0)
    put(library, "subscriptions", plan="paid")
    library.execute("UPDATE user_url_library SET is_active = 1")
    assert history_start(library) == THEN
    library.execute("UPDATE user_url_library SET history_start_at = NULL")
    assert history_start(library) is None


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ("is_active = 0", THEN),
        ("is_active = 1", THEN),
        ("user_id = user_id, url_id = url_id", THEN),
        ("url_id = :page", LATER),
        ("url_id = :page, history_start_at = NULL", LATER),
        ("user_id = :paid", None),
    ],
)
def test_a_row_that_becomes_anothers_is_gated_anew(
    library: sqlite3.Connection, sets: str, expected: str | None
) -> None:
    set_clock(library, THEN)
    watch(library, 0)
    set_clock(library, LATER)
    library.execute(f"UPDATE user_url_library SET {sets}", {"page": uuid(101), "paid": PAID})
    assert history_start(library) == expected


@pytest.mark.parametrize(("user", "expected"), [(USER, LATER), (PAID, None)])
def test_a_page_that_comes_back_is_gated_anew(
    library: sqlite3.Connection, user: str, expected: str | None
) -> None:
    set_clock(library, THEN)
    watch(library, 0, user_id=user, is_active=0)
    library.execute("UPDATE user_url_library SET history_start_at = ?", ("2020-01-01T00:00:00+00:00",))
    set_clock(library, LATER)
    library.execute("UPDATE user_url_library SET is_active = 1, history_start_at = ?", (THEN,))
    assert history_start(library) == expected


# --- the older tracker ------------------------------------------------------------------------


@pytest.fixture
def v1(bare: sqlite3.Connection) -> sqlite3.Connection:
    """A page that the library knows and the older tracker watches."""
    for table in ("plan_definitions", "users", "tracked_urls"):
        put(bare, table)
    put(bare, "urls", brand_id=None)
    return bare


@pytest.mark.parametrize(
    ("status_code", "error", "outcome"),
    [
        (200, None, "ok"),
        (304, None, "ok"),
        (399, None, "ok"),
        (None, None, "ok"),
        (400, None, "failed"),
        (500, None, "failed"),
        (200, "cut short", "failed"),
        (None, "no answer", "failed"),
    ],
)
def test_a_check_becomes_an_observation(
    v1: sqlite3.Connection, status_code: int | None, error: str | None, outcome: str
) -> None:
    put(v1, "url_checks", status_code=status_code, error=error, created_at=LATER)
    assert all_rows(v1, "SELECT * FROM url_observations") == [
        (CHECK, URL, THEN, THEN[:10], status_code, HASH, outcome, error, None, None, "v1", LATER)
    ]


def test_the_first_check_of_a_day_wins(v1: sqlite3.Connection) -> None:
    put(v1, "url_checks")
    put(v1, "url_checks", id=uuid(71), status_code=500)
    put(v1, "url_checks", id=uuid(72), checked_at=LATER)
    assert all_rows(v1, "SELECT id, outcome FROM url_observations ORDER BY checked_at") == [
        (CHECK, "ok"),
        (uuid(72), "ok"),
    ]


def test_not_even_a_replacing_writer_takes_the_first_one_away(v1: sqlite3.Connection) -> None:
    put(v1, "url_checks")
    put(v1, "url_changes")
    v1.execute(
        """INSERT OR REPLACE INTO url_checks (id, tracked_url_id, checked_at, error) VALUES (?, ?, ?, ?)""",
        (uuid(71), TRACKED, THEN, "replaced"),
    )
    assert all_rows(v1, "SELECT id, error FROM url_observations") == [(CHECK, None)]
    assert all_rows(v1, "SELECT id FROM url_change_events") == [(CHANGE,)]


def test_a_look_of_our_own_on_the_same_day_stays_beside_it(v1: sqlite3.Connection) -> None:
    put(v1, "url_observations")
    put(v1, "url_checks")
    assert all_rows(v1, "SELECT id, origin FROM url_observations ORDER BY origin") == [
        (OBSERVATION, "check"),
        (CHECK, "v1"),
    ]
    assert all_rows(v1, "SELECT * FROM v1_check_observations") == [(CHECK, CHECK)]


def test_a_change_becomes_an_event(v1: sqlite3.Connection) -> None:
    put(v1, "url_checks")
    put(v1, "url_changes", created_at=LATER)
    assert all_rows(
        v1,
        """SELECT id, url_id, observation_id, detected_at, kind, state, magnitude, "before", "after", diff,
            created_at, updated_at FROM url_change_events""",
    ) == [(CHANGE, URL, CHECK, THEN, "text_changed", "real", 0.0, "9", "8", "[]", LATER, LATER)]


def test_a_change_seen_at_a_later_check_of_the_day_belongs_to_the_days_look(v1: sqlite3.Connection) -> None:
    put(v1, "url_checks")
    put(v1, "url_checks", id=uuid(71))
    put(v1, "url_changes", check_id=uuid(71))
    assert one(v1, "SELECT observation_id FROM url_change_events") == CHECK
    assert all_rows(v1, "SELECT * FROM v1_check_observations ORDER BY check_id") == [
        (CHECK, CHECK),
        (uuid(71), CHECK),
    ]


def test_a_change_without_a_check_has_no_look(v1: sqlite3.Connection) -> None:
    put(v1, "url_changes", check_id=None)
    assert one(v1, "SELECT observation_id FROM url_change_events") is None


def test_a_summary_becomes_a_summary(v1: sqlite3.Connection) -> None:
    put(v1, "url_checks")
    put(v1, "url_changes")
    put(v1, "summaries", created_at=LATER)
    assert all_rows(v1, "SELECT * FROM url_change_summaries") == [(uuid(28), CHANGE, "Less", "v1", LATER)]


def test_a_render_becomes_an_artifact(v1: sqlite3.Connection) -> None:
    put(v1, "url_checks")
    put(v1, "url_renders", created_at=LATER)
    put(v1, "url_renders", id=uuid(73), check_id=None, content=b"\0\xff", created_at=LATER)
    assert all_rows(v1, "SELECT * FROM url_render_artifacts ORDER BY id") == [
        (uuid(29), URL, CHECK, "v1", b"8", None, LATER),
        (uuid(73), URL, None, "v1", b"\0\xff", None, LATER),
    ]


MIRRORED = ("url_observations", "url_change_events", "url_change_summaries", "url_render_artifacts")
V1_WRITES = ("url_checks", "url_changes", "summaries", "url_renders")


@pytest.mark.parametrize("canonical_url", [None, "https://elsewhere.example/"])
def test_a_page_that_the_library_does_not_know_is_left_to_the_backfill(
    v1: sqlite3.Connection, canonical_url: str | None
) -> None:
    v1.execute("UPDATE tracked_urls SET canonical_url = ?", (canonical_url,))
    for table in V1_WRITES:
        put(v1, table)
    assert [table for table in MIRRORED if all_rows(v1, f"SELECT * FROM {table}")] == []


def test_what_is_there_under_the_same_id_is_not_touched(v1: sqlite3.Connection) -> None:
    """The backfill may have brought a row over before the older tracker's own write is repeated."""
    for table in V1_WRITES:
        put(v1, table)
    before = {table: all_rows(v1, f"SELECT * FROM {table}") for table in MIRRORED}
    for table in reversed(V1_WRITES):
        v1.execute(f"DELETE FROM {table}")
    for table in V1_WRITES:
        put(v1, table, created_at=LATER)
    assert {table: all_rows(v1, f"SELECT * FROM {table}") for table in MIRRORED} == before


def test_two_users_of_the_older_tracker_share_one_page(v1: sqlite3.Connection) -> None:
    put(v1, "users", id=PAID, name="paula")
    put(v1, "tracked_urls", id=uuid(74), user_id=PAID, url=PAGE + "?ref=x")
    put(v1, "url_checks")
    put(v1, "url_checks", id=uuid(75), tracked_url_id=uuid(74))
    put(v1, "url_changes", tracked_url_id=uuid(74), check_id=uuid(75))
    assert all_rows(v1, "SELECT id, url_id FROM url_observations") == [(CHECK, URL)]
    assert all_rows(v1, "SELECT url_id, observation_id FROM url_change_events") == [(URL, CHECK)]


# --- the search index -------------------------------------------------------------------------


def found(connection: sqlite3.Connection, words: str) -> list[str]:
    rows = connection.execute(
        """SELECT article_uuid FROM article_search JOIN article_documents ON docid = article_search.rowid
        WHERE article_search MATCH ? ORDER BY article_uuid""",
        (words,),
    )
    return [row[0] for row in rows]


def test_the_search_index_follows_the_titles(filled: sqlite3.Connection) -> None:
    other = "A_" + "1" * 16
    put(
        filled,
        "extracted_article_urls",
        article_uuid=other,
        article_title=None,
        article_url_original=PAGE,
        article_url_final=PAGE,
    )
    assert found(filled, "story") == [ARTICLE_UUID]
    filled.execute("UPDATE extracted_article_urls SET article_title = 'Über den Hafen'")
    assert found(filled, "story") == []
    assert found(filled, "uber hafen") == sorted([other, ARTICLE_UUID])
    filled.execute("UPDATE extracted_article_urls SET published_utc_iso = NULL")
    filled.execute("UPDATE extracted_article_urls SET article_title = NULL WHERE article_uuid = ?", (other,))
    assert found(filled, "hafen") == [ARTICLE_UUID]
    filled.execute("DELETE FROM extracted_article_urls WHERE article_uuid = ?", (other,))
    filled.execute("INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)")
    assert all_rows(filled, "SELECT article_uuid FROM article_documents") == [(ARTICLE_UUID,)]
