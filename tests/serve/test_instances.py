"""Each user's own Datasette: up to date, apart from the others', and ended when it is not needed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from serve.house import Browser, House
from serve.marked import ANNA, BOB, MARK, OPEN, Marked, marked_file
from store.rows import put, uuid

from digestlog.errors import ConfigError
from digestlog.serve import instances
from digestlog.serve.databases import ReadOnlyError
from digestlog.serve.realms import Realm
from digestlog.store.personal import Gone, Limits


def names(browser: Browser) -> set[str]:
    return {row["name"] for row in browser.get("/my/users.json?_shape=array").json()}


def test_two_users_at_once_see_each_their_own(house: House) -> None:
    anna, bob = house.signed_in(ANNA), house.signed_in(BOB)

    async def both() -> list[str]:
        asked = [(browser, n) for n in range(10) for browser in (anna, bob)]
        answers = await asyncio.gather(
            *(browser.client.get("/my/users.json?_shape=array") for browser, _ in asked)
        )
        return [answer.text for answer in answers]

    texts = house.run(both())
    assert all(OPEN in text and MARK not in text for text in texts[::2])
    assert all(MARK in text and OPEN not in text for text in texts[1::2])


def test_a_change_is_seen_at_the_next_look(house: House) -> None:
    anna = house.signed_in(ANNA)
    assert names(anna) == {f"{OPEN}-anna"}
    with house.file() as db:
        db.connection.execute("UPDATE users SET name = 'new' WHERE id = ?", (ANNA,))
    assert names(anna) == {"new"}
    with house.file() as db:
        db.connection.execute("UPDATE user_url_library SET is_active = 0")
    assert anna.get("/my/urls.json?_shape=array").json() == []


def test_what_has_not_changed_is_not_copied_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    copy = instances.Copy
    monkeypatch.setattr(instances, "Copy", lambda *args: made.append(args) or copy(*args))
    anna = house.signed_in(ANNA)
    for _ in range(3):
        anna.get("/my/urls.json")
    assert len(made) == 1


def test_a_copy_that_was_dear_is_not_made_at_every_change(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = instances.Copy

    def slow(*args: object) -> object:
        house.clock.at += 1.0
        return copy(*args)

    monkeypatch.setattr(instances, "Copy", slow)
    anna = house.signed_in(ANNA)
    names(anna)
    with house.file() as db:
        db.connection.execute("UPDATE users SET name = 'new' WHERE id = ?", (ANNA,))
    house.clock.at += 3.9
    assert names(anna) == {f"{OPEN}-anna"}
    house.clock.at += 0.2
    assert names(anna) == {"new"}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[House, Marked]]:
    """A house with room for two."""
    marked = marked_file(tmp_path)
    house = House(marked.path, most=2)
    yield house, marked
    house.close()


def test_the_longest_unused_instance_ends(small: tuple[House, Marked]) -> None:
    house, _ = small
    with house.file() as db:
        put(db.connection, "users", id=uuid(803), name="third")
    browsers = {user: house.signed_in(user) for user in (ANNA, BOB, uuid(803))}
    for user, browser in browsers.items():
        assert len(names(browser)) == 1, user
    assert house.instances.residents == [BOB, uuid(803)]
    before = threading.active_count()
    for _ in range(5):
        for browser in browsers.values():
            assert browser.get("/my/users.json").status_code == 200
    assert len(house.instances.residents) == 2
    assert _settled(before + 4)


def _settled(most: int) -> bool:
    """True once no more threads run than that; ended ones need a moment."""
    for thread in threading.enumerate():
        if threading.active_count() <= most:
            break
        if thread is not threading.current_thread():
            thread.join(timeout=0.5)
    return threading.active_count() <= most


def test_copies_have_a_size_together(tmp_path: Path) -> None:
    house = House(marked_file(tmp_path).path, most_bytes=1)
    try:
        for user in (ANNA, BOB):
            assert len(names(house.signed_in(user))) == 1
            assert house.instances.residents == [user]
    finally:
        house.close()


def test_an_instance_that_is_answering_does_not_end(small: tuple[House, Marked]) -> None:
    house, _ = small
    with house.file() as db:
        put(db.connection, "users", id=uuid(803), name="third")
    visitors = {}
    for user in (ANNA, BOB, uuid(803)):
        browser = house.signed_in(user)
        names(browser) if user == ANNA else None
        visitors[user] = browser
    anna = house.instances._residents[ANNA].instance
    anna.busy += 1
    names(visitors[BOB])
    names(visitors[uuid(803)])
    assert house.instances.residents == [ANNA, uuid(803)]
    anna.busy -= 1


def test_a_table_that_does_not_fit_says_so(tmp_path: Path) -> None:
    marked = marked_file(tmp_path)
    house = House(marked.path, limits=Limits(rows=1))
    try:
        anna = house.signed_in(ANNA)
        assert "Only the newest are shown here." in anna.page("/my/user_url_library").text
        assert "Only the newest are shown here." not in anna.page("/my/urls").text
    finally:
        house.close()


def test_too_much_is_told_in_words(tmp_path: Path) -> None:
    marked = marked_file(tmp_path)
    house = House(marked.path, limits=Limits(bytes=4096 * 3))
    try:
        answer = house.signed_in(ANNA).page("/my/urls")
        assert answer.status_code == 503
        assert "There is too much to show at once." in answer.text
    finally:
        house.close()


def test_datasette_cannot_write(house: House, fresh: Marked) -> None:
    house.signed_in(ANNA).get("/my.json")
    house.signed_in(fresh.owner).get("/digestlog.json")
    own = house.instances._residents[ANNA].database
    admin = house.instances._admin
    assert admin is not None
    for database in (own, admin.datasette.databases["digestlog"]):
        with pytest.raises(ReadOnlyError):
            database.connect(write=True)
        with pytest.raises(ReadOnlyError):
            house.run(database.execute_write("DELETE FROM users"))
        with pytest.raises(ReadOnlyError):
            house.run(database.execute_write_fn(lambda connection: None))
    with house.file() as db:
        assert len(db.rows("SELECT 1 FROM users")) == 3


def test_a_reader_that_was_overtaken_takes_the_newer_copy(house: House, fresh: Marked) -> None:
    house.signed_in(ANNA).get("/my.json")
    own = house.instances._residents[ANNA].database
    old, new = own.copy, instances.Copy(fresh.path, BOB)

    class Overtaken:
        def run(self, *_: object) -> object:
            own.copy = new
            raise Gone("gone")

        def close(self) -> None:
            old.close()

    own.copy = Overtaken()
    rows = house.run(own.execute_fn(lambda connection: connection.execute("SELECT id FROM users").fetchall()))
    assert [row[0] for row in rows] == [BOB]
    old.close()
    new.close()
    with pytest.raises(Gone):
        house.run(own.execute_fn(lambda connection: None))


def test_an_isolated_connection_is_confined_too(house: House) -> None:
    house.signed_in(ANNA).get("/my.json")
    own = house.instances._residents[ANNA].database

    def look(connection: object) -> object:
        return connection.execute("SELECT count(*) FROM users").fetchone()[0]  # type: ignore[attr-defined]

    assert house.run(own.execute_isolated_fn(look)) == 1


def test_without_the_wall_nothing_is_served(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Realm, "allows", lambda *_: True)
    answer = house.signed_in(ANNA).page("/my")
    assert answer.status_code == 503
    assert "does not keep to digestlog" in answer.text
    with pytest.raises(ConfigError):
        house.run(house.instances.begin())


def test_every_realm_denies_what_it_does_not_name() -> None:
    admin, own = Realm("digestlog", None), Realm("my", ANNA)
    for action in (
        "insert-row",
        "execute-write-sql",
        "view-database-download",
        "permissions-debug",
        "store-query",
    ):
        assert not admin.allows(admin.actor("x", "x"), action, "digestlog")
        assert not own.allows(own.actor(ANNA, "anna"), action, "my")
    assert admin.allows(admin.actor("x", "x"), "view-instance", None)
    assert not own.allows(own.actor(ANNA, "anna"), "view-instance", None)
    assert own.allows(own.actor(ANNA, "anna"), "view-table", "my")
    assert not own.allows(own.actor(BOB, "bob"), "view-table", "my")
    assert not own.allows(own.actor(ANNA, "anna"), "view-table", "digestlog")
    assert not own.allows(admin.actor(ANNA, "anna"), "view-table", "my")
    assert not own.allows({"id": ANNA}, "view-table", "my")
    assert own.key not in repr(own)
