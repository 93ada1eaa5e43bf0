"""Our file in a Datasette that somebody started by hand: guarded there too, and other files left alone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import yaml
from datasette.app import Datasette
from serve.marked import MARK, Marked
from store.rows import ROWS

from digestlog.resources import datasette_metadata
from digestlog.serve.server import require_plugin

PATHS = [
    "/OURS", "/OURS.json", "/OURS.db", "/OURS/users", "/OURS/users.json", "/OURS/USERS.json",
    "/OURS/urls.csv",
    "/OURS.json?sql=select+*+from+users", "/OURS/-/query.json?sql=select+*+from+users",
    "/OURS/article_search",
    "/OURS/q", "/OURS/q.json", "/OURS/-/schema.json", "/OURS/users/-/schema.json", "/OURS/-/execute-write",
    "/OURS/visible_urls.json", "/OURS/sqlite_master.json", "/OURS/users/-/autocomplete?q=z",
]  # fmt: skip
# 1.0 has split what 0.65 calls metadata.
CONFIGURATION = "config" if "config" in signature(Datasette).parameters else "metadata"
# Somebody who opens everything by configuration, at every level.
WIDE_OPEN = {
    "allow": True,
    "allow_sql": True,
    "databases": {
        "zqxforbidden-path": {
            "allow": True,
            "allow_sql": True,
            "tables": {table: {"allow": True} for table in ROWS},
            "queries": {"q": {"sql": "select * from users", "allow": True}},
        }
    },
}


class Hand:
    """A Datasette by hand, and the loop that it runs in."""

    def __init__(self, files: list[Path], **options: Any) -> None:
        require_plugin()
        self.runner = asyncio.Runner()
        self.datasette = self.runner.run(self._build(files, options))

    async def _build(self, files: list[Path], options: dict[str, Any]) -> Any:
        datasette = Datasette([str(file) for file in files], **options)
        datasette.root_enabled = True
        await datasette.invoke_startup()
        return datasette

    def get(self, path: str, actor: dict[str, str] | None = None) -> Any:
        cookies = {"ds_actor": self.datasette.sign({"a": actor}, "actor")} if actor else {}
        return self.runner.run(self.datasette.client.get(path, cookies=cookies))

    def close(self) -> None:
        if hasattr(self.datasette, "close"):
            self.datasette.close()
        else:
            self.datasette.executor.shutdown()
            for database in self.datasette.databases.values():
                database.close()
        self.runner.close()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A file of somebody else."""
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("INSERT INTO users (name) VALUES ('carol')")
    connection.commit()
    connection.close()
    return path


@pytest.fixture(params=["alone", "among others", "wide open", "across files", "immutable"])
def hand(request: pytest.FixtureRequest, marked: Marked, other: Path) -> Iterator[Hand]:
    metadata = yaml.safe_load(datasette_metadata())
    hand = {
        "alone": lambda: Hand([marked.path], metadata=metadata),
        "among others": lambda: Hand([marked.path, other], metadata=metadata),
        "wide open": lambda: Hand([marked.path, other], **{CONFIGURATION: WIDE_OPEN}),
        "across files": lambda: Hand([marked.path, other], crossdb=True),
        "immutable": lambda: Hand([], immutables=[str(marked.path)]),
    }[request.param]()
    yield hand
    hand.close()


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    capfd.readouterr()


def leaks(answer: Any, marked: Marked, asked: str) -> list[str]:
    said = answer.text + str(answer.headers)
    names = (MARK, "Traceback", marked.path.name, *marked.forbidden[-4:])
    return [word for word in marked.forbidden if word in said and word not in asked and word not in names] + [
        word for word in (f"{MARK}-hash", f"{MARK}-bob", f"{MARK}-scrypt", str(marked.path)) if word in said
    ]


@pytest.mark.parametrize("actor", [None, {"id": "anna"}, {"id": "admin", "role": "admin"}, {"id": "Root"}])
def test_nobody_but_root_gets_in(hand: Hand, marked: Marked, actor: dict[str, str] | None) -> None:
    for path in PATHS:
        asked = path.replace("OURS", marked.path.stem)
        answer = hand.get(asked, actor)
        assert answer.status_code in (302, 401, 403, 404, 405), (asked, answer.status_code)
        assert not leaks(answer, marked, asked), asked
    for path in ("/", "/.json", "/-/databases", "/-/databases.json", "/-/metadata.json", "/-/schema.json",
                 "/_memory.json?sql=select+*+from+%22zqxforbidden-path%22.users",
                 "/-/threads.json"):  # fmt: skip
        answer = hand.get(path, actor)
        assert not leaks(answer, marked, path), path


def test_root_may_look_but_not_at_secrets(hand: Hand, marked: Marked) -> None:
    root = {"id": "root"}
    answer = hand.get(f"/{marked.path.stem}/users.json?_shape=array", root)
    assert answer.status_code == 200
    rows = answer.json()
    assert {row["password_hash"] for row in rows} == {None}
    assert f"{MARK}-bob" in {row["name"] for row in rows}
    assert hand.get(f"/{marked.path.stem}.db", root).status_code in (403, 404)


def test_root_cannot_attach_or_write(hand: Hand, marked: Marked) -> None:
    database = hand.datasette.databases[marked.path.stem]

    def attempt(connection: Any, sql: str) -> None:
        with pytest.raises(sqlite3.Error):
            connection.execute(sql)

    for sql in ("ATTACH ':memory:' AS x", "DELETE FROM users", "CREATE TABLE t (a)"):
        hand.runner.run(database.execute_fn(lambda connection, sql=sql: attempt(connection, sql)))


def test_other_files_are_left_alone(marked: Marked, other: Path) -> None:
    hand = Hand([marked.path, other])
    try:
        assert hand.get("/").status_code == 200
        assert "other" in hand.get("/").text
        assert hand.get("/other/users.json?_shape=array").json() == [{"id": 1, "name": "carol"}]
        sql = "select+name+from+users"
        answers = [hand.get(f"/other.json?sql={sql}"), hand.get(f"/other/-/query.json?sql={sql}")]
        assert any("carol" in answer.text for answer in answers)
    finally:
        hand.close()


def test_without_our_file_nothing_changes(other: Path) -> None:
    hand = Hand([other])
    try:
        assert hand.get("/").status_code == 200
        assert "other.db" in hand.get("/-/databases.json").text
        assert "Today" not in hand.get("/other", {"id": "root"}).text
    finally:
        hand.close()


def test_a_file_that_cannot_be_read_is_guarded(tmp_path: Path, other: Path) -> None:
    from digestlog.serve.plugin import guarded

    hand = Hand([other])
    try:
        assert not guarded.is_ours(hand.datasette, "other")
        other.unlink()
        assert guarded.is_ours(hand.datasette, "other")
        assert not guarded.is_ours(hand.datasette, "nothing")
    finally:
        hand.close()
