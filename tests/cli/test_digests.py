"""`digestlog digest`: digests as a person reads them, and as a program does."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import feedparser
import pytest
from cli.conftest import Terminal
from digest_samples import BRIDGE, CANDIDATES, FULL, ID, MADE, digest, item
from store.rows import USER, put, uuid
from web.post_office import PostOffice

from digestlog.core.render.labels import ENGLISH, FRENCH
from digestlog.core.render.markdown import to_markdown
from digestlog.store import digests, users
from digestlog.store.db import open_database

OLDER = digest(item("Older"), id=uuid(77), created_at="2026-02-01T00:00:00+00:00", title="Older")


@pytest.fixture
def made(digestlog: Terminal) -> Terminal:
    """Commands on a file with two digests of the owner's, and a user who has none."""
    with open_database(digestlog.path, now=digestlog.now, frozen=True) as db, db.transaction() as connection:
        owner = users.current(db, None)
        put(connection, "users", created_at="2030-01-01T00:00:00+00:00")
        digests.save(db, connection, FULL, owner, CANDIDATES)
        digests.save(db, connection, OLDER, owner, ())
    return digestlog


def french(terminal: Terminal) -> None:
    with open_database(terminal.path, now=terminal.now) as db, db.transaction() as connection:
        put(connection, "settings", user_id=users.current(db, None), language="fr")


def kept(terminal: Terminal) -> list[str]:
    return [one["id"] for one in terminal.json("digest", "list")]


def stored(terminal: Terminal) -> Any:
    with open_database(terminal.path, now=terminal.now) as db:
        return digests.get(db, users.current(db, None), ID)


# --- making -----------------------------------------------------------------------------------


def test_without_a_subcommand_one_is_made(digestlog: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    maker = ModuleType("digestlog.cli.digest_make")
    maker.make = lambda app, **options: calls.append((app.path(), options))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, maker.__name__, maker)
    digestlog("digest")
    assert [path for path, _ in calls] == [digestlog.path]
    digestlog("digest", "list")
    digestlog("digest", "--help")
    assert len(calls) == 1


# --- show -------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("latest",), (ID,), (ID[:35],)])
def test_show(made: Terminal, words: tuple[str, ...]) -> None:
    result = made("digest", "show", *words)
    assert result.stdout == to_markdown(stored(made), ENGLISH)
    assert result.stderr == ""


def test_show_in_french(made: Terminal) -> None:
    french(made)
    assert made("digest", "show").stdout == to_markdown(stored(made), FRENCH)
    assert '<html lang="fr">' in made("digest", "show", "--format", "html").stdout
    assert "Retenu (1)" in made("digest", "why").stdout


def test_show_as_json(made: Terminal) -> None:
    found = made.json("digest", "show")
    assert found == json.loads(made("digest", "show", "--format", "json").stdout)
    assert (found["id"], found["user"], found["created_at"]) == (ID, "owner", MADE)
    assert [one["title"] for one in found["items"]] == ["The swing bridge", "The clock tower", None]
    assert found["notes"] == ["Radio Coast: no answer"]
    assert found["providers"] == {"classifier": "embedded", "summaries": "extractive"}


def test_show_as_atom_and_html(made: Terminal) -> None:
    feed = feedparser.parse(io.BytesIO(made("digest", "show", "--format", "atom").stdout.encode()))
    assert not feed.bozo and len(feed.entries) == 3
    assert made("digest", "show", "--format", "html").stdout.startswith("<!DOCTYPE html>")


def test_on_a_terminal_lines_fit(made: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    shown: list[str] = []
    monkeypatch.setattr("click.echo", lambda text="", **_: shown.append(text))
    monkeypatch.setattr("digestlog.cli.digest_output.sys", type("Sys", (), {"stdout": _Screen()}))
    from digestlog.cli.digest_output import publish

    long = digest(item("T", summary="word " * 60))
    publish(None, long, ENGLISH, format="md")  # type: ignore[arg-type]
    assert shown[0] == "\x1b[1m# Digest of Friday\x1b[0m"
    assert "\x1b[36m\x1b[1m## Town\x1b[0m" in shown
    assert f"\x1b[1m1. **[T]({BRIDGE})**\x1b[0m" in shown
    body = [line for line in shown if "word" in line]
    assert len(body) > 5 and max(map(len, body)) <= 49


class _Screen:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("command", ["show", "why", "delete"])
def test_a_digest_that_is_not_there(made: Terminal, command: str) -> None:
    result = made("digest", command, "ffff", code=1)
    assert result.stderr == "Error: there is no digest ffff\nHint: see: digestlog digest list\n"
    assert result.stdout == ""


def test_before_the_first(digestlog: Terminal) -> None:
    assert "there is no digest yet" in digestlog("digest", "show", code=1).stderr
    result = digestlog("digest", "list")
    assert (result.stdout, result.stderr) == ("", "No digests.\n")
    assert digestlog("digest", "list", root=["-q"]).stderr == ""
    assert kept(digestlog) == []


def test_each_sees_their_own(made: Terminal) -> None:
    as_anna = ["--user", "anna"]
    assert made.json("digest", "list", root=as_anna) == []
    for words in (("show", ID), ("why", ID), ("delete", ID), ("export", ID, "-o", "x.md")):
        assert "there is no digest" in made("digest", *words, root=as_anna, code=1).stderr
    assert len(kept(made)) == 2


def test_a_wrong_format(made: Terminal) -> None:
    made("digest", "show", "--format", "pdf", code=2)


# --- list -------------------------------------------------------------------------------------


def test_list(made: Terminal) -> None:
    head, first, second = made("digest", "list").stdout.splitlines()
    assert head.split() == ["ID", "MADE", "TITLE", "ARTICLES", "CANDIDATES"]
    assert first.split("  ")[0] == ID and first.split()[-2:] == ["3", "4"]
    assert second.startswith(OLDER.id)
    assert made.json("digest", "list")[0] == {
        "id": ID,
        "title": "Digest of Friday",
        "created_at": MADE,
        "items": 3,
        "candidates": 4,
    }


# --- export -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "format", "start"),
    [
        ("d.md", None, "# Digest"),
        ("d.HTML", None, "<!DOCTYPE"),
        ("d.json", None, "{"),
        ("d.atom", None, "<?xml"),
        ("d.xml", None, "<?xml"),
        ("d.txt", "md", "# Digest"),
        ("d.md", "json", "{"),
    ],
)
def test_export(made: Terminal, tmp_path: Path, name: str, format: str | None, start: str) -> None:
    file = tmp_path / name
    chosen = ["--format", format] if format else []
    assert made("digest", "export", ID, "-o", str(file), *chosen).stdout == f"{file}\n"
    assert file.read_text(encoding="utf-8").startswith(start)
    assert [found.name for found in tmp_path.iterdir() if "partial" in found.name] == []


def test_export_is_what_show_prints(made: Terminal, tmp_path: Path) -> None:
    for format in ("md", "html", "json", "atom"):
        file = tmp_path / f"d.{format}"
        made("digest", "export", "-o", str(file))
        assert file.read_bytes().decode() == made("digest", "show", "--format", format).stdout


def test_export_replaces_nothing_unasked(made: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "d.md"
    file.write_text("mine")
    result = made("digest", "export", ID, "-o", str(file), code=1)
    assert "exists already" in result.stderr and "--overwrite" in result.stderr
    assert file.read_text() == "mine"
    made("digest", "export", ID, "-o", str(file), "--overwrite")
    assert file.read_text(encoding="utf-8").startswith("# Digest")


def test_export_never_replaces_the_file_itself(made: Terminal) -> None:
    before = made.path.read_bytes()
    words = ("digest", "export", ID, "-o", str(made.path), "--format", "md", "--overwrite")
    assert "digestlog's own file" in made(*words, code=1).stderr
    assert made.path.read_bytes() == before


def test_export_to_where_nothing_can_be(made: Terminal, tmp_path: Path) -> None:
    for file in (tmp_path / "no" / "d.md", tmp_path / ("x" * 300 + ".md")):
        assert "cannot be written" in made("digest", "export", ID, "-o", str(file), code=1).stderr
    folder = tmp_path / "folder.md"
    folder.mkdir()
    assert "cannot be written" in made("digest", "export", "-o", str(folder), "--overwrite", code=1).stderr
    assert not list(tmp_path.rglob("*.partial"))


def test_export_needs_a_format(made: Terminal, tmp_path: Path) -> None:
    result = made("digest", "export", ID, "-o", str(tmp_path / "digest"), code=2)
    assert "does not tell the format" in result.stderr
    made("digest", "export", ID, code=2)


# --- delete -----------------------------------------------------------------------------------


def test_delete(made: Terminal) -> None:
    with open_database(made.path, now=made.now) as db, db.transaction() as connection:
        put(connection, "article_history", user_id=users.current(db, None))
    result = made("digest", "delete", ID)
    assert result.stdout == f"{ID}\n" and "deleted" in result.stderr
    assert kept(made) == [OLDER.id]
    with open_database(made.path, now=made.now) as db:
        assert len(db.rows("SELECT 1 FROM article_history")) == 1
    assert made("digest", "delete", OLDER.id, root=["-q"]).stderr == ""


def test_delete_wants_a_name(made: Terminal) -> None:
    made("digest", "delete", code=2)
    assert "several digests begin with 00" in made("digest", "delete", "00", code=1).stderr
    assert len(kept(made)) == 2


# --- why --------------------------------------------------------------------------------------


def test_why(made: Terminal) -> None:
    result = made("digest", "why")
    lines = result.stdout.splitlines()
    assert lines[:3] == ["Taken (1)", f"  {BRIDGE}", "    Town: its words: harbour"]
    assert "Left out: shown before (2)" in lines
    assert result.stderr == f"{ID}: 4 candidates\n"
    assert made("digest", "why", ID, root=["-q"]).stderr == ""
    assert made("digest", "why", OLDER.id).stdout == ""


def test_why_as_json(made: Terminal) -> None:
    found = made.json("digest", "why", ID)
    assert (found["id"], found["created_at"]) == (ID, MADE)
    assert found["counts"] == {"taken": 1, "history": 2, "duplicate": 1}
    assert {
        "url": "https://old.example/2",
        "article_uuid": None,
        "outcome": "history",
        "detail": None,
    } in found["candidates"]
    assert len(found["candidates"]) == 4


# --- mail -------------------------------------------------------------------------------------


def test_mail(made: Terminal) -> None:
    with PostOffice() as office:
        url = {"DIGESTLOG_SMTP_URL": f"smtp://127.0.0.1:{office.port}?from=log@e.org"}
        result = made("digest", "show", "--mail-to", "anna@e.org", "--mail-to", "bob@e.org", env=url)
    assert result.stderr == "sent to anna@e.org, bob@e.org\n" and result.stdout.startswith("# Digest")
    (body,) = office.mails
    assert b"From: log@e.org\r\nTo: anna@e.org, bob@e.org\r\n" in body


def test_mail_quietly(made: Terminal) -> None:
    with PostOffice() as office:
        url = {"DIGESTLOG_SMTP_URL": f"smtp://127.0.0.1:{office.port}"}
        assert made("digest", "show", "--mail-to", "a@e.org", env=url, root=["-q"]).stderr == ""
    assert len(office.mails) == 1


def test_mail_without_a_server(made: Terminal) -> None:
    result = made("digest", "show", "--mail-to", "anna@e.org", code=1, env={"DIGESTLOG_SMTP_URL": ""})
    assert "no mail server is set" in result.stderr


@pytest.mark.parametrize(
    "address", ["anna", "a@b@c", "a@e.org\nBcc: b@e.org", "<a@e.org>", "a@e.org,b@e.org", ""]
)
def test_what_is_no_mail_address(made: Terminal, address: str) -> None:
    assert "is no mail address" in made("digest", "show", "--mail-to", address, code=2).stderr


# --- help -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["show", "list", "export", "delete", "why", None])
def test_every_help_has_an_example(digestlog: Terminal, command: str | None) -> None:
    text = digestlog("digest", *([command] if command else []), "--help").stdout
    assert "Example:\n\n    digestlog digest" in text


def test_another_user_s_file_is_asked_for_by_name(made: Terminal) -> None:
    with open_database(made.path, now=made.now) as db, db.transaction() as connection:
        digests.save(db, connection, digest(id=uuid(88), user="anna"), USER, ())
    assert made.json("digest", "show", root=["--user", "anna"])["user"] == "anna"


def test_deleting_for_a_program(made: Terminal) -> None:
    assert made.json("digest", "delete", ID) == {"deleted": ID}
    made("digest", "show", ID, code=1)
