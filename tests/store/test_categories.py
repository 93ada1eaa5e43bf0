"""Categories as they are stored: own ones in their order, or the starter set."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from store.rows import CATEGORY, USER, put, uuid

from digestlog.core.digest import Category
from digestlog.core.own_categories import Changes
from digestlog.core.starter_set import STARTER, starter
from digestlog.errors import ConfigError, LockedFile
from digestlog.store import categories, settings, users
from digestlog.store.db import Database, open_database

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"
TOWN = Category("Town", "What happens here", ("harbour", "été", 'a "quoted" word'))
CHESS, BREAD = Category("Chess"), Category("Bread", None, ("yeast",))


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
def three(db: Database, owner: str) -> list[str]:
    """The ids of three categories: Town, Chess, Bread."""
    return [categories.add(db, owner, one).id for one in (TOWN, CHESS, BREAD)]


@pytest.fixture
def later(db: Database, now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def order(db: Database, user: str) -> list[tuple[int, str]]:
    return [(own.position, own.category.name) for own in categories.list_own(db, user)]


def names(db: Database, user: str) -> list[str]:
    assert [position for position, _ in order(db, user)] == list(range(1, len(order(db, user)) + 1))
    return [name for _, name in order(db, user)]


def rows(db: Database) -> dict[str, dict[str, Any]]:
    return {row["name"]: dict(row) for row in db.rows("SELECT * FROM categories")}


# --- the starter set --------------------------------------------------------------------------


def test_a_user_without_any_has_the_starter_set_and_no_row(db: Database, owner: str) -> None:
    assert categories.effective(db, owner) == STARTER
    assert categories.list_own(db, owner) == []


def test_the_starter_set_is_in_the_users_language(db: Database, owner: str, anna: str) -> None:
    settings.change(db, anna, "language", "fr")
    assert categories.effective(db, anna) == starter("fr")
    assert categories.effective(db, owner) == starter("en")


def test_the_first_own_one_replaces_the_starter_set(db: Database, owner: str, anna: str) -> None:
    categories.add(db, owner, TOWN)
    assert categories.effective(db, owner) == (TOWN,)
    assert categories.effective(db, anna) == STARTER


def test_without_the_last_own_one_the_starter_set_is_back(db: Database, owner: str) -> None:
    categories.add(db, owner, TOWN)
    categories.remove(db, owner, ["Town"])
    assert categories.effective(db, owner) == STARTER


def test_the_starter_set_as_own_rows(db: Database, owner: str) -> None:
    added = categories.add_starter(db, owner)
    assert tuple(own.category for own in added) == categories.effective(db, owner) == STARTER
    assert names(db, owner) == [one.name for one in STARTER]
    assert categories.add_starter(db, owner) == []
    categories.edit(db, owner, "sport", Changes(name="Sailing"))
    assert "Sailing" in names(db, owner)


def test_the_starter_set_goes_behind_what_is_there(db: Database, owner: str) -> None:
    categories.add(db, owner, TOWN)
    categories.add(db, owner, Category("SPORT", None, ("chess",)))
    added = categories.add_starter(db, owner)
    assert [own.position for own in added] == list(range(3, 12))
    assert names(db, owner) == ["Town", "SPORT", *(one.name for one in STARTER if one.name != "Sport")]
    assert categories.effective(db, owner)[1].keywords == ("chess",)


# --- adding -----------------------------------------------------------------------------------


def test_one_category(db: Database, owner: str) -> None:
    own = categories.add(db, owner, TOWN)
    expected = str(uuid5(NAMESPACE_URL, f"digestlog:category:{owner}:Town"))
    assert own == categories.Own(expected, TOWN, 1, NOW_ISO, NOW_ISO)
    assert json.loads(rows(db)["Town"]["keywords"]) == list(TOWN.keywords)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (None, ["Town", "Chess", "Bread", "New"]),
        (1, ["New", "Town", "Chess", "Bread"]),
        (3, ["Town", "Chess", "New", "Bread"]),
        (4, ["Town", "Chess", "Bread", "New"]),
        (10_000, ["Town", "Chess", "Bread", "New"]),
    ],
)
def test_a_place(
    db: Database, owner: str, three: list[str], position: int | None, expected: list[str]
) -> None:
    own = categories.add(db, owner, Category("New"), position)
    assert names(db, owner) == expected
    assert own.position == expected.index("New") + 1


@pytest.mark.parametrize("name", ["Town", "TOWN", "town"])
def test_a_name_that_is_taken(db: Database, owner: str, anna: str, three: list[str], name: str) -> None:
    before = rows(db)
    with pytest.raises(ConfigError, match="there is a category called Town already") as caught:
        categories.add(db, owner, Category(name), 1)
    assert caught.value.hint == 'to change it: digestlog categories edit "Town"'
    assert rows(db) == before
    assert categories.add(db, anna, Category(name)).position == 1


# --- editing ----------------------------------------------------------------------------------


def test_a_change_of_words_leaves_id_place_and_birth(
    db: Database, later: Database, owner: str, three: list[str]
) -> None:
    own = categories.edit(later, owner, " cHESS ", Changes(description="Openings", add_keywords=("rook",)))
    assert own == categories.Own(three[1], Category("Chess", "Openings", ("rook",)), 2, NOW_ISO, LATER_ISO)
    assert rows(db)["Town"]["updated_at"] == NOW_ISO


def test_a_new_name_gives_a_new_id_and_frees_the_old_name(db: Database, owner: str, three: list[str]) -> None:
    own = categories.edit(db, owner, "Town", Changes(name="City"))
    assert own.id == categories.category_id(owner, "City") != three[0]
    assert categories.add(db, owner, TOWN).id == three[0]
    assert names(db, owner) == ["City", "Chess", "Bread", "Town"]


def test_a_name_may_change_its_case(db: Database, owner: str, three: list[str]) -> None:
    assert categories.edit(db, owner, "Town", Changes(name="TOWN")).category.name == "TOWN"
    assert len(names(db, owner)) == 3


def test_a_new_name_that_is_taken(db: Database, owner: str, three: list[str]) -> None:
    before = rows(db)
    with pytest.raises(ConfigError, match="there is a category called Chess already"):
        categories.edit(db, owner, "Town", Changes(name="chess", description="x"), 3)
    assert rows(db) == before


@pytest.mark.parametrize(
    ("name", "position", "expected"),
    [
        ("Bread", 1, ["Bread", "Town", "Chess"]),
        ("Town", 2, ["Chess", "Town", "Bread"]),
        ("Town", 99, ["Chess", "Bread", "Town"]),
        ("Chess", 2, ["Town", "Chess", "Bread"]),
    ],
)
def test_a_new_place(
    db: Database, owner: str, three: list[str], name: str, position: int, expected: list[str]
) -> None:
    assert categories.edit(db, owner, name, Changes(), position).position == expected.index(name) + 1
    assert names(db, owner) == expected


def test_a_new_name_and_a_new_place(db: Database, owner: str, three: list[str]) -> None:
    categories.edit(db, owner, "Bread", Changes(name="Cake"), 1)
    assert names(db, owner) == ["Cake", "Town", "Chess"]


def test_a_change_to_what_it_is_changes_no_row(
    db: Database, later: Database, owner: str, three: list[str]
) -> None:
    before = rows(db)
    categories.edit(later, owner, "Town", Changes(name="Town", keywords=TOWN.keywords), 1)
    assert rows(db) == before


def test_only_the_rows_that_move_are_touched(
    db: Database, later: Database, owner: str, three: list[str]
) -> None:
    categories.edit(later, owner, "Bread", Changes(), 2)
    times = {name: row["updated_at"] for name, row in rows(db).items()}
    assert times == {"Town": NOW_ISO, "Bread": LATER_ISO, "Chess": LATER_ISO}


@pytest.mark.parametrize(
    "act",
    [
        lambda db, user, name: categories.edit(db, user, name, Changes(description="x")),
        lambda db, user, name: categories.remove(db, user, ["Town", name]),
    ],
)
def test_a_category_that_is_not_there(
    db: Database, owner: str, three: list[str], act: Callable[[Database, str, str], object]
) -> None:
    before = rows(db)
    with pytest.raises(ConfigError, match="there is no category called Sport") as caught:
        act(db, owner, "Sport")
    assert caught.value.hint == "known here: Town, Chess, Bread"
    assert rows(db) == before


def test_the_starter_set_cannot_be_edited(db: Database, owner: str) -> None:
    for act in (
        lambda: categories.edit(db, owner, "Sport", Changes(description="x")),
        lambda: categories.remove(db, owner, ["Sport"]),
    ):
        with pytest.raises(ConfigError, match="you use the starter set") as caught:
            act()
        assert str(caught.value.hint).endswith("digestlog categories starter")


# --- removing ---------------------------------------------------------------------------------


def test_removal_closes_the_gap(db: Database, owner: str, three: list[str]) -> None:
    gone = categories.remove(db, owner, ["chess", "CHESS"])
    assert [own.id for own in gone] == [three[1]]
    assert names(db, owner) == ["Town", "Bread"]


def test_another_users_are_left_alone(db: Database, owner: str, anna: str, three: list[str]) -> None:
    categories.add(db, anna, TOWN)
    categories.add(db, anna, Category("Only hers"), 1)
    categories.remove(db, anna, ["Town"])
    assert names(db, owner) == ["Town", "Chess", "Bread"]
    with pytest.raises(ConfigError, match="there is no category called Only hers"):
        categories.edit(db, owner, "Only hers", Changes(description="x"))


# --- what others wrote ------------------------------------------------------------------------


def test_rows_that_another_program_wrote(db: Database, anna: str) -> None:
    with db.transaction() as connection:
        put(connection, "categories", keywords='["port", 7, null, {"a": 1}]', position=7)
        put(connection, "categories", id=uuid(99), name="Also seventh", position=7)
    assert [name for _, name in order(db, anna)] == ["Also seventh", "Town"]
    assert categories.effective(db, anna)[1].keywords == ("port",)
    categories.edit(db, anna, "Town", Changes(), 1)
    assert names(db, anna) == ["Town", "Also seventh"]
    assert rows(db)["Town"]["id"] == CATEGORY
    categories.add(db, anna, CHESS)
    assert names(db, anna) == ["Town", "Also seventh", "Chess"]


def test_gaps_are_closed_by_the_starter_set_too(db: Database, anna: str) -> None:
    with db.transaction() as connection:
        put(connection, "categories", position=40)
    categories.add_starter(db, anna)
    assert names(db, anna)[:2] == ["Town", "World"]


def test_a_locked_file_says_so(db: Database, owner: str, three: list[str], now: datetime) -> None:
    with open_database(db.path, now=now, busy_timeout_s=0.01) as other, db.transaction():
        for write in (
            lambda: categories.add(other, owner, Category("New")),
            lambda: categories.add_starter(other, owner),
            lambda: categories.edit(other, owner, "Town", Changes(name="x")),
            lambda: categories.remove(other, owner, ["Town"]),
        ):
            with pytest.raises(LockedFile):
                write()
        assert len(categories.effective(other, owner)) == 3


# --- in any order -----------------------------------------------------------------------------

NAME = st.sampled_from(["a", "b", "c", "d"])
STEP = st.tuples(st.sampled_from(["add", "edit", "remove"]), NAME, NAME, st.none() | st.integers(1, 5))


@hypothesis_settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(st.lists(STEP, max_size=8))
def test_whatever_is_done_it_is_as_a_list_would_have_it(
    db: Database, owner: str, steps: list[tuple[str, str, str, int | None]]
) -> None:
    with db.transaction() as connection:
        connection.execute("DELETE FROM categories")
    expected: list[str] = []
    for step, name, other, position in steps:
        place = len(expected) if position is None else position - 1
        if step == "add" and name not in expected:
            categories.add(db, owner, Category(name), position)
            expected.insert(place, name)
        elif step == "remove" and name in expected:
            categories.remove(db, owner, [name])
            expected.remove(name)
        elif step == "edit" and name in expected and (other == name or other not in expected):
            categories.edit(db, owner, name, Changes(name=other), position)
            expected[expected.index(name)] = other
            if position is not None:
                expected.remove(other)
                expected.insert(place, other)
    assert names(db, owner) == expected
    assert [own.id for own in categories.list_own(db, owner)] == [
        categories.category_id(owner, name) for name in expected
    ]
