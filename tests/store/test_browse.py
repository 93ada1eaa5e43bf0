"""The ledger as one visitor may read it."""

from __future__ import annotations

import pytest
from store.shelf import ANNA, BEN, COUNCIL, ENDED, HARBOUR, TIDEPOOL, article, owner, people_and_sources

from digestlog.store import browse
from digestlog.store.access import Visitor
from digestlog.store.browse import END, FOUND, Wanted
from digestlog.store.db import Database


@pytest.fixture(autouse=True)
def shelf(db: Database) -> None:
    people_and_sources(db.connection)


@pytest.fixture(params=["few", "many"])
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to walk through the ledger."""
    if request.param == "many":
        monkeypatch.setattr(browse, "_FEW", 0)


def at(number: int) -> str:
    return f"2026-02-12T10:{number:02d}:00+00:00"


def names(found: browse.Found) -> list[str]:
    return [one.article_url_final.rpartition("/")[2] for one in found.articles]


def all_pages(db: Database, visitor: Visitor, wanted: Wanted) -> list[list[str]]:
    pages, after = [], None
    while True:
        found = browse.newest(
            db, visitor, Wanted(wanted.source_uuid, wanted.method, wanted.day, after, wanted.limit)
        )
        pages.append(names(found))
        after = found.after
        if after is None:
            return pages


@pytest.mark.usefixtures("ways")
def test_each_reads_what_their_sources_have_shown(db: Database) -> None:
    article(db.connection, "h", at(1), [HARBOUR])
    article(db.connection, "t", at(2), [TIDEPOOL])
    article(db.connection, "c", at(3), [COUNCIL])
    article(db.connection, "e", at(4), [ENDED])
    article(db.connection, "th", at(5), [TIDEPOOL, HARBOUR])
    assert names(browse.newest(db, owner(db.connection), Wanted())) == ["th", "e", "c", "t", "h"]
    assert names(browse.newest(db, ANNA, Wanted())) == ["th", "c", "h"]
    assert names(browse.newest(db, BEN, Wanted())) == ["th", "t", "h"]


@pytest.mark.usefixtures("ways")
def test_only_the_sources_that_a_visitor_knows_are_named(db: Database) -> None:
    article(db.connection, "th", at(5), [TIDEPOOL, HARBOUR, ENDED])
    (for_anna,) = browse.newest(db, ANNA, Wanted()).articles
    assert [one.source_name for one in for_anna.mentions] == ["Harbour Times"]
    assert for_anna.mentions[0].first_seen_at == at(6)
    (for_all,) = browse.newest(db, owner(db.connection), Wanted()).articles
    assert [one.source_uuid for one in for_all.mentions] == [TIDEPOOL, HARBOUR, ENDED]


@pytest.mark.usefixtures("ways")
def test_pages_follow_each_other_without_gap_or_repetition(db: Database) -> None:
    # Several in the same second, and some that two sources have shown at different times.
    for number in range(10):
        article(db.connection, f"a{number}", at(number // 3), [(HARBOUR, TIDEPOOL)[number % 2]])
    article(db.connection, "both", at(0), [TIDEPOOL, HARBOUR])
    pages = all_pages(db, BEN, Wanted(limit=3))
    assert [len(page) for page in pages] == [3, 3, 3, 2]
    seen = [name for page in pages for name in page]
    assert sorted(seen) == sorted([*(f"a{number}" for number in range(10)), "both"])
    whole = names(browse.newest(db, BEN, Wanted()))
    assert seen == whole


@pytest.mark.usefixtures("ways")
def test_a_full_page_at_the_end_has_no_next(db: Database) -> None:
    for number in range(4):
        article(db.connection, f"a{number}", at(number))
    assert all_pages(db, BEN, Wanted(limit=2)) == [["a3", "a2"], ["a1", "a0"]]


@pytest.mark.usefixtures("ways")
@pytest.mark.parametrize("after", ["", "~", "nonsense", "2026~x", "9999-99~zz", "~5", "x" * 5000])
def test_a_place_that_makes_no_sense_does_no_harm(db: Database, after: str) -> None:
    article(db.connection, "a", at(1))
    found = browse.newest(db, BEN, Wanted(after=after))
    assert names(found) in (["a"], [])
    assert found.after is None


@pytest.mark.usefixtures("ways")
def test_filters(db: Database) -> None:
    article(db.connection, "h", at(1), [HARBOUR])
    article(db.connection, "th", at(2), [TIDEPOOL, HARBOUR])
    article(db.connection, "c", at(3), [COUNCIL])
    article(db.connection, "late", "2026-02-13T00:00:00+00:00", [HARBOUR])
    admin = owner(db.connection)
    assert names(browse.newest(db, admin, Wanted(source_uuid=HARBOUR))) == ["late", "th", "h"]
    assert names(browse.newest(db, admin, Wanted(source_uuid=TIDEPOOL))) == ["th"]
    assert names(browse.newest(db, admin, Wanted(method="Direct"))) == ["c"]
    assert names(browse.newest(db, admin, Wanted(day="2026-02-12"))) == ["c", "th", "h"]
    assert names(browse.newest(db, admin, Wanted(day="2026-02-13"))) == ["late"]
    assert all_pages(db, admin, Wanted(day="2026-02-12", limit=2)) == [["c", "th"], ["h"]]
    assert names(browse.newest(db, admin, Wanted(source_uuid="W_RSS_99"))) == []
    assert names(browse.newest(db, ANNA, Wanted(source_uuid=TIDEPOOL))) == []


def test_search_finds_the_best_first_and_marks_it(db: Database) -> None:
    article(db.connection, "text", at(1), title="A day", text="The swing bridge is stuck open.")
    article(db.connection, "title", at(2), title="Swing bridge stuck")
    article(db.connection, "none", at(3), title="Ferry")
    found = browse.search(db, ANNA, '"swing" AND "bridge"', Wanted())
    assert names(found) == ["title", "text"]
    assert not found.by_date and found.after is None
    title, text = found.articles
    assert title.highlight == f"{FOUND}Swing{END} {FOUND}bridge{END} stuck"
    assert text.snippet == f"The {FOUND}swing{END} {FOUND}bridge{END} is stuck open."


def test_search_keeps_to_what_a_visitor_may_read_and_wants(db: Database) -> None:
    article(db.connection, "h", at(1), [HARBOUR], title="bridge")
    article(db.connection, "t", at(2), [TIDEPOOL], title="bridge")
    article(db.connection, "c", "2026-02-13T00:00:00+00:00", [COUNCIL], title="bridge")
    assert sorted(names(browse.search(db, ANNA, "bridge", Wanted()))) == ["c", "h"]
    assert names(browse.search(db, ANNA, "bridge", Wanted(source_uuid=TIDEPOOL))) == []
    assert names(browse.search(db, ANNA, "bridge", Wanted(method="Direct"))) == ["c"]
    assert names(browse.search(db, ANNA, "bridge", Wanted(day="2026-02-12"))) == ["h"]
    assert sorted(names(browse.search(db, owner(db.connection), "bridge", Wanted()))) == ["c", "h", "t"]


def test_search_goes_on_page_by_page(db: Database) -> None:
    for number in range(5):
        article(db.connection, f"a{number}", at(number), title="bridge")
    first = browse.search(db, BEN, "bridge", Wanted(limit=3))
    rest = browse.search(db, BEN, "bridge", Wanted(limit=3, after=first.after))
    assert first.after == "3" and rest.after is None
    assert sorted(names(first) + names(rest)) == [f"a{number}" for number in range(5)]
    assert names(browse.search(db, BEN, "bridge", Wanted(after="9" * 18))) == []
    assert len(names(browse.search(db, BEN, "bridge", Wanted(after="9" * 5000)))) == 5


def test_a_search_that_finds_too_much_is_by_date(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browse, "_SORTED", 3)
    for number in range(7):
        article(db.connection, f"a{number}", at(number), [(HARBOUR, TIDEPOOL)[number % 2]], title="bridge")
    first = browse.search(db, BEN, "bridge", Wanted(limit=5))
    assert names(first) == ["a6", "a5", "a4", "a3", "a2"] and first.by_date
    rest = browse.search(db, BEN, "bridge", Wanted(limit=5, after=first.after))
    assert names(rest) == ["a1", "a0"] and rest.after is None


def test_where_few_of_much_are_wanted_a_page_may_be_short(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browse, "_SORTED", 1)
    monkeypatch.setattr(browse, "_LOOKED_AT", 3)
    for number in range(7):
        source = HARBOUR if number in (0, 5) else TIDEPOOL
        article(db.connection, f"a{number}", at(number), [source], title="bridge")
    pages, after = [], None
    while True:
        found = browse.search(db, ANNA, "bridge", Wanted(after=after))
        pages.append(names(found))
        if found.after is None:
            break
        after = found.after
    assert pages == [["a5"], [], ["a0"]]


def test_one_article_is_there_for_who_may_read_it(db: Database) -> None:
    key = article(db.connection, "t", at(1), [TIDEPOOL])
    assert browse.one(db, ANNA, key) is None
    assert browse.one(db, BEN, "A_0000000000000000") is None
    read = browse.one(db, BEN, key)
    assert read is not None and read.article_title == "A story"


def test_sources_of_each(db: Database) -> None:
    assert browse.source_ids(db, ANNA) == {HARBOUR, COUNCIL}
    assert browse.source_ids(db, BEN) == {HARBOUR, TIDEPOOL}
    assert browse.source_ids(db, owner(db.connection)) == {HARBOUR, TIDEPOOL, COUNCIL, ENDED}


def test_how_many_since(db: Database) -> None:
    article(db.connection, "h", at(1), [HARBOUR])
    article(db.connection, "h2", at(9), [HARBOUR])
    article(db.connection, "t", at(10), [TIDEPOOL])
    assert browse.count_since(db, ANNA, at(5)) == 1
    assert browse.count_since(db, owner(db.connection), at(5)) == 2
