"""Submissions as they are stored: every attempt, every decision."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from library_fakes import PRICES, Rules, Shelf

from digestlog.core.canonical import url_id
from digestlog.core.library import Wish, identity
from digestlog.core.policy import Decision
from digestlog.errors import LibraryError
from digestlog.store import submissions

REVIEW = {"shop.example": ("review", "unknown"), "x.example": ("review", "unknown")}


@pytest.fixture
def shelf(db_path: Path, now: datetime) -> Shelf:
    return Shelf(db_path, now)


@pytest.fixture
def anna(shelf: Shelf) -> str:
    return shelf.user("anna")


def test_a_record_is_pending_and_has_no_decision(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db:
        first, second = submissions.record(db, anna, [PRICES, "lamp"], Wish("weekly"))
        assert [one.submitted_url for one in submissions.pending(db, anna)] == [PRICES, "lamp"]
    assert (first.status, first.user, first.wish) == ("pending", "anna", Wish("weekly"))
    assert (first.decision, first.evidence, first.decided_by) == (None, None, None)
    assert first.canonical_url is second.canonical_url is None


def test_the_user_s_own_submissions_the_latest_first(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, "lamp", preflight=False)
    shelf.later(hours=1).add(anna, PRICES, preflight=False)
    shelf.add(shelf.owner, "https://theirs.example/", preflight=False)
    with shelf.open() as db:
        mine = submissions.list_mine(db, anna)
        assert [one.submitted_url for one in mine] == [PRICES, "lamp", PRICES]
        assert [one.reason_code for one in mine] == ["duplicate", "unknown", None]
        assert submissions.list_mine(db, anna, status="approved_created_global") == mine[2:]
        assert submissions.list_mine(db, anna, limit=1) == mine[:1]


def test_what_led_to_a_page(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db:
        found = submissions.latest_for(db, anna, url_id(PRICES))
        assert found is not None and (found.submitted_url, found.decision) == (PRICES, "allow")
        assert submissions.latest_for(db, shelf.owner, url_id(PRICES)) is None


def test_the_queue_is_for_all_users_the_oldest_first(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules(REVIEW)
    shelf.add(anna, PRICES)
    shelf.later(hours=1).add(shelf.owner, "https://x.example/", "https://fine.example/")
    with shelf.open() as db:
        assert [(one.user, one.canonical_url) for one in submissions.waiting(db)] == [
            ("anna", PRICES),
            ("owner", "https://x.example/"),
        ]


def test_one_that_waits_is_found_by_its_id(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules(REVIEW)
    shelf.add(anna, PRICES)
    with shelf.open() as db:
        (one,) = submissions.waiting(db)
        for text in (one.id, one.id[:6].upper(), f" {one.id[:8]} "):
            assert submissions.find_waiting(db, text) == one


@pytest.mark.parametrize("text", ["", "zzz", " "])
def test_one_that_does_not_wait(shelf: Shelf, anna: str, text: str) -> None:
    shelf.rules = Rules(REVIEW)
    shelf.add(anna, PRICES)
    with shelf.open() as db, pytest.raises(LibraryError, match="waits for a decision"):
        submissions.find_waiting(db, text)


def test_an_id_that_several_begin_with(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules(REVIEW)
    for n in range(17):  # of 17 ids, two begin alike
        shelf.add(anna, f"{PRICES}/{n}")
    with shelf.open() as db:
        first = [one.id[0] for one in submissions.waiting(db)]
        twice = next(letter for letter in first if first.count(letter) > 1)
        with pytest.raises(LibraryError, match="several submissions"):
            submissions.find_waiting(db, twice)


def test_the_latest_decision_counts(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules(REVIEW)
    shelf.add(anna, PRICES)
    with shelf.open() as db:
        (one,) = submissions.waiting(db)
        with db.transaction() as connection:
            decision = Decision("block", "unknown", "shop.example", None, "no")
            submissions.decide(db, connection, one.id, decision, shelf.owner)
        found = submissions.get(db, one.id)
    assert (found.decision, found.decided_by, found.evidence) == ("block", "owner", decision.evidence)


def test_a_place_that_may_not_be_leaves_nothing_and_lets_the_transaction_go_on(
    shelf: Shelf, anna: str
) -> None:
    shelf.cap(0)
    page = identity(PRICES)
    assert page is not None
    with shelf.open() as db:
        (one,) = submissions.record(db, anna, [PRICES], Wish())
        with db.transaction() as connection:
            with pytest.raises(LibraryError):
                submissions.place(db, connection, anna, page, Wish())
            submissions.settle(connection, one.id, "blocked", PRICES)
    assert shelf.rows("urls") == shelf.rows("brand_library_brands") == []
    assert shelf.row("url_submissions")["status"] == "blocked"


def test_a_submission_is_found_by_who_asked_alone(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db:
        (mine,) = submissions.list_mine(db, anna)
        assert submissions.find_mine(db, anna, mine.id) == mine
        assert submissions.find_mine(db, shelf.owner, mine.id) is None
        assert submissions.find_mine(db, anna, "") is None


def test_the_oldest_that_wait(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules(REVIEW)
    shelf.add(anna, PRICES)
    shelf.later(hours=1).add(anna, "https://x.example/")
    with shelf.open() as db:
        assert [one.submitted_url for one in submissions.waiting(db, 1)] == [PRICES]
        assert len(submissions.waiting(db)) == 2
