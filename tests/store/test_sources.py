"""Sources: followed, changed, left alone, taken back; and their numbers, which are used once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.rows import ARTICLE, ARTICLE_UUID, HASH, THEN, USER, put

from digestlog.core.model import NewSource, Source
from digestlog.errors import ConfigError, RuleBroken
from digestlog.store import sources
from digestlog.store.db import Database, open_database

NOW_ISO = "2026-02-13T09:02:10+00:00"
LATER_ISO = "2026-02-14T09:02:10+00:00"
FEED = NewSource("https://example.com/feed", "Example", "RSS")
PAGE = NewSource("https://page.example/news", "Page", "Direct", "https://page.example/", "News/Local", True)


@pytest.fixture
def later(db: Database, now: datetime) -> Iterator[Database]:
    """The file of `db`, with one feed in it, as another command opens it a day later."""
    sources.insert(db, FEED)
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def visited(db: Database, source_uuid: str = "W_RSS_1") -> None:
    """Leave behind what a failing visit leaves behind."""
    with db.transaction() as connection:
        put(connection, "source_fetch_state", source_uuid=source_uuid, consecutive_failures=3)


def state(db: Database) -> dict[str, Any]:
    row = db.row(
        """SELECT etag, last_modified, body_sha256, read_since, next_scan_at, consecutive_failures
        FROM source_fetch_state"""
    )
    assert row is not None
    return dict(row)


KEPT = {
    "etag": '"a"',
    "last_modified": "Thu, 12 Feb 2026 14:03:12 GMT",
    "body_sha256": HASH,
    "read_since": THEN,
    "next_scan_at": THEN,
    "consecutive_failures": 3,
}
DUE = KEPT | {"next_scan_at": None, "consecutive_failures": 0}
FORGOTTEN = DUE | {"etag": None, "last_modified": None, "body_sha256": None, "read_since": None}


# --- following --------------------------------------------------------------------------------


def test_a_new_source(db: Database) -> None:
    added = sources.insert(db, PAGE)
    assert added.outcome == "new"
    assert added.source == Source(
        source_uuid="W_DIRECT_1",
        source_name="Page",
        source_url="https://page.example/news",
        url_scraping_method="Direct",
        is_active=True,
        paused_reason=None,
        removed_at=None,
        site_url="https://page.example/",
        folder="News/Local",
        allow_private=True,
        link_selector=None,
        date_selector=None,
        created_at=NOW_ISO,
        updated_at=NOW_ISO,
        last_scanned_at=None,
        last_success_at=None,
        next_scan_at=None,
        consecutive_failures=0,
        last_error=None,
    )


def test_what_the_last_visit_left_behind(db: Database) -> None:
    sources.insert(db, FEED)
    visited(db)
    source = sources.get(db, "W_RSS_1")
    assert source is not None
    assert (source.last_scanned_at, source.last_success_at, source.next_scan_at) == (THEN, THEN, THEN)
    assert (source.consecutive_failures, source.last_error) == (3, "the server did not answer")
    assert source.allow_private is False


def test_each_method_has_its_own_numbers(db: Database) -> None:
    wishes = [(n, method) for n in range(3) for method in ("RSS", "Direct")]
    ids = [
        sources.insert(db, NewSource(f"https://{m.lower()}.example/{n}", "x", m)).source.source_uuid
        for n, m in wishes
    ]
    assert ids == ["W_RSS_1", "W_DIRECT_1", "W_RSS_2", "W_DIRECT_2", "W_RSS_3", "W_DIRECT_3"]


def test_a_number_is_never_used_again(db: Database) -> None:
    sources.insert(db, FEED)
    with db.transaction() as connection:
        connection.execute("DELETE FROM sources_master_list")
    assert sources.insert(db, FEED).source.source_uuid == "W_RSS_2"


def test_a_source_that_could_not_be_added_uses_no_number(db: Database) -> None:
    with pytest.raises(RuleBroken):
        sources.insert(db, replace(FEED, source_name=""))
    assert sources.list_all(db) == []
    assert sources.insert(db, FEED).source.source_uuid == "W_RSS_1"


def test_a_known_source_is_left_as_it_is(later: Database) -> None:
    before = sources.get(later, "W_RSS_1")
    again = sources.insert(later, replace(PAGE, source_url=FEED.source_url))
    assert (again.outcome, again.source) == ("known", before)
    assert len(sources.list_all(later)) == 1


def test_a_paused_source_that_is_added_again_stays_paused(db: Database) -> None:
    sources.insert(db, FEED)
    sources.pause(db, "W_RSS_1", "too loud")
    again = sources.insert(db, FEED)
    assert (again.outcome, again.source.is_active, again.source.paused_reason) == ("known", False, "too loud")


def test_another_address_of_the_same_source(db: Database) -> None:
    sources.insert(db, FEED)
    same = ["https://other.example/", FEED.source_url]
    again = sources.insert(db, NewSource("http://example.com/feed", "Again", "RSS"), same)
    assert (again.outcome, again.source.source_url) == ("known", FEED.source_url)


def test_a_removed_source_comes_back_under_its_id(later: Database) -> None:
    visited(later)
    sources.pause(later, "W_RSS_1", "too loud")
    sources.remove(later, "W_RSS_1")
    back = sources.insert(later, replace(PAGE, source_url=FEED.source_url))
    assert back.outcome == "back"
    assert (back.source.source_uuid, back.source.source_name) == ("W_RSS_1", "Page")
    # Its id names the way in which it was first followed, and that stays.
    assert (back.source.url_scraping_method, back.source.folder) == ("RSS", "News/Local")
    assert back.source.allow_private is True
    assert (back.source.is_active, back.source.paused_reason, back.source.removed_at) == (True, None, None)
    assert (back.source.created_at, back.source.updated_at) == (NOW_ISO, LATER_ISO)
    assert state(later) == FORGOTTEN


# --- finding ----------------------------------------------------------------------------------


def test_a_source_that_is_not_there(db: Database) -> None:
    assert sources.get(db, "W_RSS_1") is None
    assert sources.by_url(db, []) is None
    assert sources.by_url(db, ["https://example.com/feed"]) is None


def test_the_first_known_address_counts(db: Database) -> None:
    sources.insert(db, FEED)
    sources.insert(db, PAGE)
    found = sources.by_url(db, ["https://unknown.example/", PAGE.source_url, FEED.source_url])
    assert found is not None
    assert found.source_uuid == "W_DIRECT_1"


def test_the_list_is_in_the_order_of_the_numbers(db: Database) -> None:
    for number in range(1, 12):
        sources.insert(db, NewSource(f"https://example.com/{number}", f"Feed {number}", "RSS"))
    sources.insert(db, PAGE)
    ids = [source.source_uuid for source in sources.list_all(db)]
    assert ids == [*(f"W_RSS_{n}" for n in range(1, 12)), "W_DIRECT_1"]


def test_the_list_can_be_narrowed(db: Database) -> None:
    for wish in (FEED, PAGE, NewSource("https://two.example/", "Two", "RSS")):
        sources.insert(db, wish)
    sources.pause(db, "W_RSS_2", None)
    sources.remove(db, "W_DIRECT_1")

    def ids(**options: Any) -> list[str]:
        return [source.source_uuid for source in sources.list_all(db, **options)]

    assert ids() == ["W_RSS_1", "W_RSS_2"]
    assert ids(method="RSS") == ["W_RSS_1", "W_RSS_2"]
    assert ids(method="Direct") == []
    assert ids(active=True) == ["W_RSS_1"]
    assert ids(active=False) == ["W_RSS_2"]
    assert ids(method="RSS", active=False) == ["W_RSS_2"]


@pytest.mark.parametrize(
    "text",
    [
        "W_RSS_1",
        "w_rss_1",
        " W_RSS_1\n",
        "https://example.com/feed",
        "https://example.com/feed/",
        "Example",
        "eXAMPLE",
    ],
)
def test_what_a_person_may_call_a_source(db: Database, text: str) -> None:
    sources.insert(db, FEED)
    sources.insert(db, PAGE)
    assert sources.find(db, text).source_uuid == "W_RSS_1"


@pytest.mark.parametrize("text", ["", "W_RSS", "W_RSS_11", "Exam", "https://example.com/", "%", "'"])
def test_a_text_that_is_no_source(db: Database, text: str) -> None:
    sources.insert(db, FEED)
    with pytest.raises(ConfigError, match="there is no source") as caught:
        sources.find(db, text)
    assert caught.value.hint


def test_a_name_of_several_sources(db: Database) -> None:
    sources.insert(db, FEED)
    sources.insert(db, replace(PAGE, source_name="example"))
    with pytest.raises(ConfigError, match="several") as caught:
        sources.find(db, "Example")
    assert str(caught.value.hint).endswith("W_RSS_1, W_DIRECT_1")
    sources.remove(db, "W_RSS_1")
    assert sources.find(db, "Example").source_uuid == "W_DIRECT_1"


def test_a_feed_that_calls_itself_by_anothers_id_is_not_in_its_way(db: Database) -> None:
    sources.insert(db, FEED)
    sources.insert(db, replace(PAGE, source_name="W_RSS_1"))
    assert sources.find(db, "w_rss_1").source_name == "Example"
    sources.remove(db, "W_RSS_1")
    with pytest.raises(ConfigError, match="was removed"):
        sources.find(db, "W_RSS_1")


def test_a_removed_source_is_found_only_if_it_is_wanted(db: Database) -> None:
    sources.insert(db, FEED)
    sources.remove(db, "W_RSS_1")
    assert sources.find(db, "Example", removed=True).removed_at == NOW_ISO
    with pytest.raises(ConfigError, match="Example was removed") as caught:
        sources.find(db, "Example")
    assert FEED.source_url in str(caught.value.hint)


def test_a_word_under_which_nothing_is_followed(db: Database) -> None:
    sources.insert(db, FEED)
    found = sources.known_as(db, "example")
    assert found is not None
    assert found.source_uuid == "W_RSS_1"
    assert sources.known_as(db, "https://new.example/") is None
    sources.remove(db, "W_RSS_1")
    assert sources.known_as(db, "example") is None


# --- changing ---------------------------------------------------------------------------------


def test_columns_are_changed_and_the_time_with_them(later: Database) -> None:
    changed = sources.update(later, "W_RSS_1", {"source_name": "New", "folder": "A/B", "allow_private": True})
    assert (changed.source_name, changed.folder, changed.allow_private) == ("New", "A/B", True)
    assert (changed.created_at, changed.updated_at) == (NOW_ISO, LATER_ISO)
    assert sources.get(later, "W_RSS_1") == changed


def test_no_changes_change_nothing(later: Database) -> None:
    before = sources.get(later, "W_RSS_1")
    assert sources.update(later, "W_RSS_1", {}) == before


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"source_name": "New"}, KEPT),
        ({"source_url": FEED.source_url}, KEPT),
        ({"link_selector": None}, KEPT),
        ({"source_url": "https://example.com/new"}, FORGOTTEN),
        ({"link_selector": "h2 a"}, FORGOTTEN),
        ({"source_name": "New", "date_selector": "time"}, FORGOTTEN),
    ],
)
def test_what_is_read_in_another_way_is_read_anew(
    db: Database, changes: dict[str, Any], expected: dict[str, Any]
) -> None:
    sources.insert(db, FEED)
    visited(db)
    sources.update(db, "W_RSS_1", changes)
    assert state(db) == expected


def test_an_address_that_another_source_has(db: Database) -> None:
    sources.insert(db, FEED)
    sources.insert(db, PAGE)
    visited(db)
    with pytest.raises(ConfigError, match="another source already has the address") as caught:
        sources.update(db, "W_RSS_1", {"source_url": PAGE.source_url, "source_name": "New"})
    assert PAGE.source_url in caught.value.message
    assert sources.find(db, "W_RSS_1").source_name == "Example"
    assert state(db) == KEPT


def test_a_value_that_the_file_refuses(db: Database) -> None:
    sources.insert(db, FEED)
    with pytest.raises(RuleBroken, match="CHECK"):
        sources.update(db, "W_RSS_1", {"source_name": ""})
    assert not db.connection.in_transaction


def test_a_source_that_moved_has_its_new_address(later: Database) -> None:
    with later.transaction() as connection:
        assert sources.move(connection, "W_RSS_1", "https://new.example/feed") is None
    moved = sources.find(later, "W_RSS_1")
    assert (moved.source_url, moved.updated_at) == ("https://new.example/feed", LATER_ISO)


@pytest.mark.parametrize("removed", [False, True])
def test_a_source_does_not_move_to_where_another_is(db: Database, removed: bool) -> None:
    sources.insert(db, FEED)
    sources.insert(db, PAGE)
    if removed:
        sources.remove(db, "W_DIRECT_1")
    with db.transaction() as connection:
        assert sources.move(connection, "W_RSS_1", PAGE.source_url) == "W_DIRECT_1"
    assert sources.find(db, "W_RSS_1").source_url == FEED.source_url


def test_a_move_is_part_of_the_callers_transaction(db: Database) -> None:
    sources.insert(db, FEED)
    with pytest.raises(ValueError), db.transaction() as connection:
        sources.move(connection, "W_RSS_1", "https://new.example/feed")
        sources.retire(connection, "W_RSS_1", "it has ended")
        raise ValueError
    found = sources.find(db, "W_RSS_1")
    assert (found.source_url, found.is_active) == (FEED.source_url, True)


# --- pausing and resuming ---------------------------------------------------------------------


@pytest.mark.parametrize("reason", [None, "too loud"])
def test_a_paused_source_says_why(later: Database, reason: str | None) -> None:
    paused = sources.pause(later, "W_RSS_1", reason)
    assert (paused.is_active, paused.paused_reason, paused.updated_at) == (False, reason, LATER_ISO)


def test_a_resumed_source_is_due_at_once(db: Database) -> None:
    sources.insert(db, FEED)
    visited(db)
    sources.pause(db, "W_RSS_1", "too loud")
    assert state(db) == KEPT
    resumed = sources.resume(db, "W_RSS_1")
    assert (resumed.is_active, resumed.paused_reason) == (True, None)
    assert (resumed.next_scan_at, resumed.consecutive_failures) == (None, 0)
    assert state(db) == DUE


def test_a_source_that_has_ended_is_paused_and_no_other(later: Database) -> None:
    sources.insert(later, PAGE)
    with later.transaction() as connection:
        sources.retire(connection, "W_RSS_1", "it has ended")
    ended = sources.find(later, "W_RSS_1")
    assert (ended.is_active, ended.paused_reason, ended.removed_at) == (False, "it has ended", None)
    assert [source.source_uuid for source in sources.list_all(later, active=True)] == ["W_DIRECT_1"]


# --- removing ---------------------------------------------------------------------------------


def test_a_removed_source_leaves_what_it_found(later: Database) -> None:
    sources.insert(later, PAGE)
    with later.transaction() as connection:
        put(connection, "extracted_article_urls")
        put(connection, "article_source_mentions")
    assert sources.remove(later, "W_DIRECT_1") == 0
    assert sources.remove(later, "W_RSS_1") == 1
    assert sources.list_all(later) == []
    gone = sources.get(later, "W_RSS_1")
    assert gone is not None
    assert (gone.removed_at, gone.is_active, gone.updated_at) == (LATER_ISO, False, LATER_ISO)
    rows = later.rows("SELECT article_uuid, article_url_final FROM extracted_article_urls")
    assert [tuple(row) for row in rows] == [(ARTICLE_UUID, ARTICLE)]
    assert len(later.rows("SELECT * FROM article_source_mentions")) == 1


CHANGES: dict[str, Callable[[Database, str], object]] = {
    "update": lambda db, source_uuid: sources.update(db, source_uuid, {"source_name": "New"}),
    "pause": lambda db, source_uuid: sources.pause(db, source_uuid, None),
    "resume": sources.resume,
    "remove": sources.remove,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_source_that_was_removed_is_not_changed(later: Database, name: str) -> None:
    sources.remove(later, "W_RSS_1")
    before = sources.get(later, "W_RSS_1")
    with pytest.raises(ConfigError, match="Example was removed") as caught:
        CHANGES[name](later, "W_RSS_1")
    assert str(caught.value.hint).endswith(f"digestlog sources add {FEED.source_url}")
    assert sources.get(later, "W_RSS_1") == before


@pytest.mark.parametrize("name", CHANGES)
def test_a_source_that_never_was_is_not_changed(db: Database, name: str) -> None:
    with pytest.raises(ConfigError, match="there is no source W_RSS_9"):
        CHANGES[name](db, "W_RSS_9")
    assert not db.connection.in_transaction


# --- any order of deeds -----------------------------------------------------------------------

DEEDS = st.lists(
    st.tuples(st.sampled_from(["insert", "pause", "resume", "remove"]), st.integers(1, 3)), max_size=12
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("sources") / "digestlog.db"
    with open_database(path, now=datetime.fromisoformat(NOW_ISO)) as database:
        yield database


@given(DEEDS)
def test_ids_stay_with_their_address_whatever_is_done(shared: Database, deeds: list[tuple[str, int]]) -> None:
    ids: dict[int, str] = {}
    followed: dict[int, bool] = {}
    with shared.transaction() as connection:
        connection.execute("DELETE FROM sources_master_list")
    for deed, number in deeds:
        if deed == "insert":
            added = sources.insert(shared, NewSource(f"https://example.com/{number}", "x", "RSS"))
            before = "known" if number in followed else "back" if number in ids else "new"
            assert added.outcome == before
            assert ids.setdefault(number, added.source.source_uuid) == added.source.source_uuid
            followed.setdefault(number, True)
        elif number in followed:
            CHANGES[deed](shared, ids[number])
            followed[number] = deed == "resume"
            if deed == "remove":
                del followed[number]
    assert len(set(ids.values())) == len(ids)
    found = {source.source_uuid: source.is_active for source in sources.list_all(shared)}
    assert found == {ids[number]: active for number, active in followed.items()}


def choose(db: Database, *source_uuids: str) -> None:
    """Let a user, not the owner, have chosen these."""
    with db.transaction() as connection:
        for source_uuid in source_uuids:
            put(connection, "user_sources", source_uuid=source_uuid)


def ids_of(db: Database, user_id: str) -> list[str]:
    return [source.source_uuid for source in sources.of_user(db, user_id)]


def test_the_sources_of_a_users_digests(db: Database) -> None:
    """All active ones, in the order of their numbers, until the user has chosen some."""
    for number in range(1, 12):
        sources.insert(db, replace(FEED, source_url=f"https://{number}.example/feed"))
    sources.insert(db, PAGE)
    with db.transaction() as connection:
        put(connection, "users")
    owner = str(db.rows("SELECT id FROM users WHERE name = 'owner'")[0]["id"])
    everything = [source.source_uuid for source in sources.list_all(db)]
    assert ids_of(db, USER) == ids_of(db, owner) == everything
    choose(db, "W_RSS_10", "W_RSS_2", "W_DIRECT_1")
    assert ids_of(db, USER) == ["W_RSS_2", "W_RSS_10", "W_DIRECT_1"]
    assert ids_of(db, owner) == everything


def test_a_source_that_is_paused_or_removed_is_in_no_digest(db: Database) -> None:
    for number in range(1, 4):
        sources.insert(db, replace(FEED, source_url=f"https://{number}.example/feed"))
    with db.transaction() as connection:
        put(connection, "users")
    choose(db, "W_RSS_1", "W_RSS_2")
    sources.update(db, "W_RSS_1", {"is_active": False})
    assert ids_of(db, USER) == ["W_RSS_2"]
    sources.remove(db, "W_RSS_2")
    # Those that were chosen are gone; that is no wish for all the others.
    assert ids_of(db, USER) == []
