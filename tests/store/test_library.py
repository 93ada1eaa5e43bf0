"""Watched pages as they are stored, and what of them each user sees."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from library_fakes import PRICES, Shelf, changed
from store.rows import uuid

from digestlog.core.canonical import url_id
from digestlog.core.library import Wish
from digestlog.errors import LibraryError, RuleBroken, UrlCapExceeded
from digestlog.store import library, users
from digestlog.store.db import Database

OTHER = "https://other.example/"
BEFORE, START, AFTER = "2026-02-12T09:00:00+00:00", "2026-02-13T09:02:10+00:00", "2026-02-14T09:00:00+00:00"


@pytest.fixture
def shelf(db_path: Path, now: datetime) -> Shelf:
    return Shelf(db_path, now)


@pytest.fixture
def anna(shelf: Shelf) -> str:
    return shelf.user("anna")


def make(db: Database, url: str = PRICES, **wish: object) -> library.GlobalUrl:
    with db.transaction() as connection:
        return library.get_or_create_global_url_by_canonical(
            db, connection, url, url=url, wish=Wish(**wish)  # type: ignore[arg-type]
        )  # fmt: skip


def link(db: Database, user_id: str, url: str = PRICES) -> None:
    with db.transaction() as connection:
        library.link(db, connection, user_id, url_id(url))


# --- uniqueness --------------------------------------------------------------------------


def test_get_or_create_global_url_by_canonical(db: Database) -> None:
    first, second = make(db, check_frequency="weekly"), make(db, check_frequency="hourly")
    assert (first.created, second.created) == (True, False)
    assert first.url_id == second.url_id == url_id(PRICES)
    (row,) = db.rows("SELECT * FROM urls")
    assert (row["check_frequency"], row["created_at"]) == ("weekly", db.now_iso)


def test_canonical_url_unique_constraint(db: Database) -> None:
    make(db)
    with pytest.raises(RuleBroken, match="UNIQUE"), db.transaction() as connection:
        connection.execute(
            "INSERT INTO urls (id, canonical_url, url) VALUES (:id, :url, :url)",
            {"id": uuid(9), "url": PRICES},
        )


def test_an_address_that_was_taken_under_another_id_is_linked(db: Database) -> None:
    """Another program may have chosen the id; the address decides."""
    with db.transaction() as connection:
        connection.execute(
            "INSERT INTO urls (id, canonical_url, url) VALUES (:id, :url, :url)",
            {"id": uuid(9), "url": PRICES},
        )
    found = make(db)
    assert (found.url_id, found.created) == (uuid(9), False)


# --- membership --------------------------------------------------------------------------


def test_check_url_cap_entitlement(shelf: Shelf, anna: str) -> None:
    shelf.cap(2)
    with shelf.open() as db:
        before = library.check_url_cap_entitlement(db, anna)
        make(db)
        link(db, anna)
        after = library.check_url_cap_entitlement(db, anna)
        assert (before.plan, before.used, before.limit) == ("free", 0, 2)
        assert (after.used, after.allowed) == (1, True)
        assert library.check_url_cap_entitlement(db, users.current(db, None)).limit is None


def test_check_library_url_cap(shelf: Shelf, anna: str) -> None:
    """The trigger counts active entries against max_tracked_urls and raises if there are too many."""
    shelf.cap(1)
    with shelf.open() as db:
        for url in (PRICES, OTHER):
            make(db, url)
        link(db, anna)
        link(db, anna)  # again: no further place
        with pytest.raises(UrlCapExceeded, match="the free plan's limit of 1 watched page is reached"):
            link(db, anna, OTHER)
        library.unlink(db, anna, url_id(PRICES))
        link(db, anna, OTHER)
        with pytest.raises(UrlCapExceeded):
            link(db, anna)  # coming back takes a place too


def test_what_else_goes_wrong_with_a_place_is_not_the_cap(db: Database) -> None:
    with pytest.raises(RuleBroken, match="FOREIGN KEY"):
        link(db, users.current(db, None))


def test_membership_is_an_active_row(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db:
        make(db)
        assert not library.is_member(db, anna, url_id(PRICES))
        link(db, anna)
        assert library.is_member(db, anna, url_id(PRICES))
        assert not library.is_member(db, users.current(db, None), url_id(PRICES))
        library.unlink(db, anna, url_id(PRICES))
        assert not library.is_member(db, anna, url_id(PRICES))
        assert library.pages(db, anna) == []
    assert shelf.row("user_url_library")["is_active"] == 0


def test_who_else_watches(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db:
        make(db)
        link(db, anna)
        assert library.others(db, anna, url_id(PRICES)) == 0
        assert library.others(db, users.current(db, None), url_id(PRICES)) == 1
        library.unlink(db, anna, url_id(PRICES))
        assert library.others(db, users.current(db, None), url_id(PRICES)) == 0


def test_a_new_wish_changes_what_it_names_and_makes_the_page_due(db: Database) -> None:
    make(db, check_frequency="weekly", min_interval_s=60, allow_private=True)
    with db.transaction() as connection:
        connection.execute("UPDATE urls SET next_check_at = :then", {"then": AFTER})
        library.rewish(connection, url_id(PRICES), Wish(max_interval_s=600))
    (row,) = db.rows("SELECT * FROM urls")
    assert (row["check_frequency"], row["min_interval_s"], row["max_interval_s"]) == ("weekly", 60, 600)
    assert (row["allow_private"], row["next_check_at"]) == (1, None)


# --- what a user sees --------------------------------------------------------------------


@pytest.fixture
def gated(shelf: Shelf, anna: str) -> Shelf:
    """A page that the owner has watched for long and anna, on the free plan, since today."""
    shelf.add(shelf.owner, PRICES, preflight=False)
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db:
        for number, at in enumerate((BEFORE, START, AFTER)):
            changed(db, PRICES, at, number)
        changed(db, PRICES, AFTER, 3, state="volatile")
    return shelf


def seen(shelf: Shelf, user_id: str) -> tuple[list[str], list[str], int, str | None]:
    with shelf.open() as db:
        (page,) = library.pages(db, user_id)
        return (
            [change.detected_at for change in library.list_url_update_instances(db, user_id, page.url_id)],
            [look.checked_at for look in library.list_url_observations(db, user_id, page.url_id)],
            page.changes,
            page.last_summary,
        )


def test_free_users_see_history_from_when_they_added(gated: Shelf, anna: str) -> None:
    assert seen(gated, anna) == ([AFTER, START], [AFTER, AFTER, START], 2, "Change 2")


def test_paid_users_see_full_history(gated: Shelf) -> None:
    assert seen(gated, gated.owner) == ([AFTER, START, BEFORE], [AFTER, AFTER, START, BEFORE], 3, "Change 2")


def test_a_page_whose_changes_are_all_from_before_shows_none(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.owner, PRICES, preflight=False)
    with shelf.open() as db:
        changed(db, PRICES, BEFORE, 1)
        with db.transaction() as connection:
            connection.execute("UPDATE urls SET last_checked_at = :then", {"then": BEFORE})
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db:
        (page,) = library.pages(db, anna)
    assert (page.last_checked_at, page.last_outcome, page.last_change_at) == (None, None, None)
    assert (page.changes, page.last_summary) == (0, None)


def test_existing_history_start_at_remains_after_upgrade(gated: Shelf, anna: str) -> None:
    before = seen(gated, anna)
    gated.plan(anna, "paid")
    assert seen(gated, anna) == before
    assert [row["history_start_at"] for row in gated.rows("user_url_library")] == [None, START]


def test_admin_can_reset_to_null(gated: Shelf, anna: str) -> None:
    with gated.open() as db:
        assert library.unlock_history(db, anna) == 1
        assert library.unlock_history(db, anna) == 0
    assert seen(gated, anna) == seen(gated, gated.owner)


VIEWS = ("observations", "change_events", "change_summaries", "render_artifacts")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_gated_until_it_is_unlocked(gated: Shelf, anna: str, view: str) -> None:
    """url_observations, url_change_events, url_change_summaries and url_render_artifacts alike."""

    def count() -> int:
        with gated.open() as db:
            return len(db.rows(f"SELECT 1 FROM visible_{view} WHERE user_id = :id", {"id": anna}))

    assert count() == 3  # of 4: the first one is from before
    gated.plan(anna, "paid")
    assert count() == 3
    with gated.open() as db:
        library.unlock_history(db, anna)
    assert count() == 4


def test_from_when_each_page_is_seen(gated: Shelf, anna: str) -> None:
    with gated.open() as db:
        assert library.gates(db, anna) == {url_id(PRICES): START}
        assert library.gates(db, gated.owner) == {url_id(PRICES): None}


def test_one_page_alone_can_be_unlocked(gated: Shelf, anna: str) -> None:
    gated.add(anna, OTHER, preflight=False)
    with gated.open() as db:
        assert library.unlock_history(db, anna, url_id(OTHER)) == 1
    gates = {row["url_id"]: row["history_start_at"] for row in gated.rows("user_url_library")[1:]}
    assert gates == {url_id(PRICES): START, url_id(OTHER): None}


def test_gating_since_filters_besides(gated: Shelf) -> None:
    """Defence in depth: also for one whom the views show everything."""
    with gated.open() as db:
        owner, page = gated.owner, url_id(PRICES)
        changes = library.list_url_update_instances(db, owner, page, gating_since=START)
        looks = library.list_url_observations(db, owner, page, gating_since=AFTER)
    assert [change.detected_at for change in changes] == [AFTER, START]
    assert [look.checked_at for look in looks] == [AFTER, AFTER]


def test_gating_since_opens_nothing(gated: Shelf, anna: str) -> None:
    with gated.open() as db:
        found = library.list_url_update_instances(db, anna, url_id(PRICES), gating_since="0001")
    assert [change.detected_at for change in found] == [AFTER, START]


def test_others_see_nothing_of_a_page(gated: Shelf) -> None:
    bert = gated.user("bert")
    with gated.open() as db:
        assert library.list_url_update_instances(db, bert, url_id(PRICES)) == []
        assert library.list_url_observations(db, bert, url_id(PRICES)) == []
        with pytest.raises(LibraryError, match="you watch no page like"):
            library.page(db, bert, PRICES)


def test_an_update_instance(gated: Shelf) -> None:
    with gated.open() as db:
        (latest,) = library.list_url_update_instances(db, gated.owner, url_id(PRICES), limit=1)
    assert (latest.id, latest.observation_id, latest.summary) == (uuid(2002), uuid(1002), "Change 2")
    assert (latest.kind, latest.state, latest.magnitude) == ("price", "real", 0.1)


def test_the_latest_summary_counts(gated: Shelf) -> None:
    with gated.open() as db:
        with db.transaction() as connection:
            connection.execute(
                """INSERT INTO url_change_summaries (id, event_id, summary, method, created_at)
                VALUES (:id, :event, 'Better words', 'a model', :then)""",
                {"id": uuid(3999), "event": uuid(2002), "then": "2026-02-15T00:00:00+00:00"},
            )
        (latest,) = library.list_url_update_instances(db, gated.owner, url_id(PRICES), limit=1)
        assert latest.summary == library.pages(db, gated.owner)[0].last_summary == "Better words"


def test_pages_by_brand(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, "https://z.example/2", "https://b.example/", "https://z.example/1", preflight=False)
    with shelf.open() as db:
        found = library.pages(db, anna)
        assert [page.canonical_url[8:] for page in found] == ["b.example/", "z.example/1", "z.example/2"]
        assert library.pages(db, anna, brand_id=found[0].brand_id) == found[:1]


# --- finding -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [PRICES, PRICES + "/?utm_source=x", "shop.example/prices", url_id(PRICES), url_id(PRICES)[:8],
     f" {url_id(PRICES).upper()[:10]} "],
)  # fmt: skip
def test_a_page_is_found_by_any_of_its_names(shelf: Shelf, anna: str, text: str) -> None:
    shelf.add(anna, PRICES, OTHER, preflight=False)
    with shelf.open() as db:
        assert library.find(db, text)["canonical_url"] == PRICES
        assert library.page(db, anna, text).canonical_url == PRICES


@pytest.mark.parametrize("text", ["", "lamp", "https://nowhere.example/", "abcdef", "%", url_id(PRICES)[:5]])
def test_a_page_that_is_not_there(shelf: Shelf, anna: str, text: str) -> None:
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db, pytest.raises(LibraryError, match="no page is like"):
        library.find(db, text)


def test_an_id_that_is_too_short(db: Database) -> None:
    with db.transaction() as connection:
        for number in (1, 2):
            connection.execute(
                "INSERT INTO urls (id, canonical_url, url) VALUES (:id, :url, :url)",
                {"id": uuid(number), "url": f"{PRICES}/{number}"},
            )
    with pytest.raises(LibraryError, match="several pages"):
        library.find(db, uuid(1)[:10])


def test_what_is_said_of_a_page_that_is_not_there_has_no_password(db: Database) -> None:
    with pytest.raises(LibraryError) as caught:
        library.find(db, "https://anna:secret@nowhere.example/")
    assert "secret" not in caught.value.message
