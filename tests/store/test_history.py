"""The history: what was shown stays out for exactly so many days, for each user, in batches of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from time import perf_counter
from uuid import NAMESPACE_URL, uuid5

import pytest
from store.rows import USER, put

from digestlog.core.canonical import url_hash
from digestlog.core.moments import to_iso
from digestlog.errors import LockedFile, RuleBroken
from digestlog.store import history, users
from digestlog.store.db import Database, open_database
from digestlog.store.history import Shown

NOW_ISO = "2026-02-13T09:02:10+00:00"
A, B, C = "https://e.org/a", "https://e.org/b", "https://e.org/c"
MANY = 100_000
SECOND = timedelta(seconds=1)


@pytest.fixture
def owner(db: Database) -> str:
    return users.current(db, None)


@pytest.fixture
def anna(db: Database) -> str:
    """A second user."""
    with db.transaction() as connection:
        put(connection, "users")
    return USER


@pytest.fixture
def statements(db: Database) -> Iterator[list[str]]:
    """Every statement that the file is given."""
    seen: list[str] = []
    # Each run of a trigger would be told too, every time with the whole statement that it is part of.
    for way in ("insert", "update", "delete"):
        db.connection.execute(f"DROP TRIGGER logged_article_history_{way}")
    db.connection.set_trace_callback(seen.append)
    yield seen
    db.connection.set_trace_callback(None)


def show(db: Database, user: str, *urls: str) -> int:
    with db.transaction() as connection:
        return history.insert_urls(db, connection, user, [(url, url_hash(url)) for url in urls])


def show_at(db: Database, user: str, url: str, at: datetime) -> None:
    """Put an address into the history as of another time."""
    with open_database(db.path, now=at, frozen=True) as then:
        show(then, user, url)


def prune(db: Database, user: str, days: int) -> int:
    with db.transaction() as connection:
        return history.cleanup_old(db, connection, user, days)


def forget(db: Database, user: str, *urls: str) -> set[str]:
    with db.transaction() as connection:
        return history.remove_urls(connection, user, map(url_hash, urls))


def known(db: Database, user: str, *urls: str) -> list[str]:
    found = history.check_urls_exist(db, user, [url_hash(url) for url in urls])
    return [url for url in urls if url_hash(url) in found]


def urls(db: Database, user: str) -> list[str]:
    return [shown.url for shown in history.list_shown(db, user, 1_000)]


def one_of(statements: Sequence[str]) -> str:
    (statement,) = [one for one in statements if "article_history" in one]
    return statement


# --- what was shown ---------------------------------------------------------------------------


def test_an_empty_history(db: Database, owner: str) -> None:
    assert known(db, owner, A) == []
    assert known(db, owner) == []
    assert (history.list_shown(db, owner, 10), history.count(db, owner)) == ([], 0)
    assert show(db, owner) == 0
    assert forget(db, owner) == set()
    assert prune(db, owner, 1) == 0


def test_what_was_shown_is_known(db: Database, owner: str) -> None:
    assert show(db, owner, A, B) == 2
    assert known(db, owner, A, B, C) == [A, B]
    assert history.find(db, owner, [url_hash(A), url_hash(C)]) == {
        url_hash(A): Shown(A, url_hash(A), NOW_ISO)
    }
    assert history.count(db, owner) == 2


def test_the_answer_is_hashes(db: Database, owner: str) -> None:
    show(db, owner, A)
    assert history.check_urls_exist(db, owner, [url_hash(A), url_hash(A), "", "x' OR 1=1"]) == {url_hash(A)}


@pytest.mark.parametrize(
    "spelling",
    ["https://E.org/A/", "https://e.org/a?utm_source=x&ref=y", "https://e.org/a#top", "https://e.org:443/a"],
)
def test_spellings_are_one_entry_that_stays_readable(db: Database, owner: str, spelling: str) -> None:
    assert show(db, owner, spelling) == 1
    assert show(db, owner, A) == 0
    assert known(db, owner, A) == [A]
    assert urls(db, owner) == [spelling]


def test_twice_in_one_batch_the_first_is_kept(db: Database, owner: str) -> None:
    assert show(db, owner, "https://e.org/A", A, B, "https://e.org/A") == 2
    assert urls(db, owner) == ["https://e.org/A", B]


def test_what_is_shown_again_keeps_its_time(db: Database, owner: str, now: datetime) -> None:
    show_at(db, owner, A, now - timedelta(days=3))
    assert show(db, owner, A, B) == 1
    times = {one.url: one.created_at for one in history.list_shown(db, owner, 9)}
    assert times == {A: to_iso(now - timedelta(days=3)), B: NOW_ISO}


def test_no_password_is_stored(db: Database, owner: str) -> None:
    show(db, owner, "https://me:secret@e.org/a")
    assert urls(db, owner) == [A]


def test_any_text_is_stored_as_it_is(db: Database, owner: str) -> None:
    odd = [("https://e.org/é'\"\\,[]{}", url_hash(A)), ("https://e.org/日本\U0001f600", url_hash(B))]
    with db.transaction() as connection:
        assert history.insert_urls(db, connection, owner, odd) == 2
    assert sorted(urls(db, owner)) == sorted(url for url, _ in odd)


def test_a_nul_does_not_cut_an_address_short(db: Database, owner: str) -> None:
    show(db, owner, "https://e.org/a\0b")
    assert urls(db, owner) == ["https://e.org/a%00b"]
    assert known(db, owner, "https://e.org/a%00b") and not known(db, owner, A)


def test_the_id_comes_of_user_and_hash(db: Database, owner: str) -> None:
    show(db, owner, A)
    (row,) = db.rows("SELECT id FROM article_history")
    assert row["id"] == str(uuid5(NAMESPACE_URL, f"digestlog:history:{owner}:{url_hash(A)}"))
    assert row["id"] == history.entry_id(owner, url_hash(A)) != history.entry_id(USER, url_hash(A))


def test_all_or_nothing_with_the_callers_transaction(db: Database, owner: str) -> None:
    with pytest.raises(KeyboardInterrupt), db.transaction() as connection:
        history.insert_urls(db, connection, owner, [(A, url_hash(A))])
        assert history.check_urls_exist(db, owner, [url_hash(A)])
        raise KeyboardInterrupt
    assert known(db, owner, A) == []


@pytest.mark.parametrize("entry", [(A, "short"), ("", url_hash(A)), (A, "G" * 64), (A, url_hash(B) + "0")])
def test_a_batch_with_a_bad_entry_is_refused_whole(db: Database, owner: str, entry: tuple[str, str]) -> None:
    with pytest.raises(RuleBroken), db.transaction() as connection:
        history.insert_urls(db, connection, owner, [(B, url_hash(B)), entry])
    assert history.count(db, owner) == 0


# --- users ------------------------------------------------------------------------------------


def test_each_user_has_their_own(db: Database, owner: str, anna: str, now: datetime) -> None:
    show_at(db, owner, A, now - timedelta(days=9))
    show_at(db, anna, A, now - timedelta(days=9))
    show(db, anna, B)
    assert (known(db, owner, A, B), known(db, anna, A, B)) == ([A], [A, B])
    assert forget(db, owner, B) == set()
    assert prune(db, owner, 5) == 1
    assert (urls(db, owner), urls(db, anna)) == ([], [B, A])
    with db.transaction() as connection:
        assert history.clear(connection, owner) == 0
        assert history.clear(connection, anna) == 2
    assert history.count(db, anna) == 0


def test_the_history_goes_with_its_user(db: Database, owner: str, anna: str) -> None:
    show(db, anna, A)
    show(db, owner, A)
    with db.transaction() as connection:
        connection.execute("DELETE FROM users WHERE id = :id", {"id": anna})
    assert [row["user_id"] for row in db.rows("SELECT user_id FROM article_history")] == [owner]


# --- cleaning up ------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [1, 90, 365])
def test_only_what_is_strictly_older_goes(db: Database, owner: str, now: datetime, days: int) -> None:
    cutoff = now - timedelta(days=days)
    for url, at in ((A, cutoff - SECOND), (B, cutoff), (C, cutoff + SECOND)):
        show_at(db, owner, url, at)
    assert prune(db, owner, days) == 1
    assert known(db, owner, A, B, C) == [B, C]
    assert prune(db, owner, days) == 0


def test_the_time_is_the_commands_own(db: Database, owner: str, now: datetime) -> None:
    show(db, owner, A)
    with open_database(db.path, now=now + timedelta(days=90, seconds=1)) as later:
        assert prune(later, owner, 91) == 0
        assert prune(later, owner, 90) == 1


@pytest.mark.parametrize("days", [0, -1])
def test_without_a_history_nothing_is_touched(
    db: Database, owner: str, now: datetime, statements: list[str], days: int
) -> None:
    show_at(db, owner, A, now - timedelta(days=4_000))
    assert prune(db, owner, days) == 0
    assert not [one for one in statements if "article_history" in one]
    assert known(db, owner, A) == [A]


@pytest.mark.parametrize("days", [90, 365])
def test_before_the_calendar_nothing_is_too_old(db: Database, owner: str, days: int) -> None:
    first = datetime.fromisoformat("0001-01-02T00:00:00+00:00")
    with open_database(db.path, now=first, frozen=True) as early:
        show(early, owner, A)
        assert prune(early, owner, days) == 0


# --- lists and removal ------------------------------------------------------------------------


def test_the_latest_first(db: Database, owner: str, now: datetime) -> None:
    show_at(db, owner, C, now - timedelta(days=1))
    show(db, owner, B, A)
    assert urls(db, owner) == [A, B, C]
    assert [one.url for one in history.list_shown(db, owner, 2)] == [A, B]


def test_removal(db: Database, owner: str) -> None:
    show(db, owner, A, B)
    assert forget(db, owner, "https://e.org/A/", C) == {url_hash(A)}
    assert urls(db, owner) == [B]
    assert show(db, owner, A) == 1


def test_a_locked_file_says_so(db: Database, owner: str, now: datetime) -> None:
    show(db, owner, A)
    with open_database(db.path, now=now, busy_timeout_s=0.01) as other, db.transaction():
        for write in (
            lambda: show(other, owner, B),
            lambda: prune(other, owner, 1),
            lambda: forget(other, owner, A),
        ):
            with pytest.raises(LockedFile):
                write()
        assert known(other, owner, A) == [A]


# --- one statement, whatever the size ---------------------------------------------------------


def test_a_hundred_thousand_at_once(db: Database, owner: str, anna: str, statements: list[str]) -> None:
    entries = [(f"https://e.org/{n}", f"{n:064x}") for n in range(MANY)]
    hashes = [key for _, key in entries]
    start = perf_counter()
    with db.transaction() as connection:
        assert history.insert_urls(db, connection, owner, entries) == MANY
    assert one_of(statements).startswith("INSERT")

    statements.clear()
    asked = [*hashes, *(f"{n:064x}" for n in range(MANY, 2 * MANY))]
    assert history.check_urls_exist(db, owner, asked) == set(hashes)
    assert one_of(statements).startswith("SELECT")
    assert history.check_urls_exist(db, anna, asked) == set()

    statements.clear()
    with db.transaction() as connection:
        assert history.remove_urls(connection, owner, hashes[: MANY // 2]) == set(hashes[: MANY // 2])
    assert one_of(statements).startswith("DELETE")

    statements.clear()
    with open_database(db.path, now=db.now + timedelta(days=2)) as later:
        later.connection.set_trace_callback(statements.append)
        assert prune(later, owner, 1) == MANY - MANY // 2
    assert one_of(statements).startswith("DELETE")
    # A loop over the rows for each hash would take hours.
    assert perf_counter() - start < 60


@pytest.mark.parametrize("analyzed", [False, True])
def test_look_ups_use_the_index(db: Database, owner: str, statements: list[str], analyzed: bool) -> None:
    show(db, owner, A, B, C)
    if analyzed:
        db.connection.execute("ANALYZE")
    statements.clear()
    history.check_urls_exist(db, owner, [url_hash(A)])
    plan = " ".join(row["detail"] for row in db.rows(f"EXPLAIN QUERY PLAN {one_of(statements)}"))
    assert "idx_article_history_user_url (user_id=? AND url_hash=?)" in plan
    statements.clear()
    prune(db, owner, 1)
    plan = " ".join(row["detail"] for row in db.rows(f"EXPLAIN QUERY PLAN {one_of(statements)}"))
    assert "idx_article_history_age (user_id=? AND created_at<?)" in plan
