"""`digestlog export`: to standard output or a file, whole or not at all, for whom it is meant."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import feedparser
import pytest
from cli.conftest import Terminal, program

from digestlog.store.export import USER_ROWS
from digestlog.store.postgres_schema import tables


@pytest.fixture
def anna(three: Terminal) -> Terminal:
    """A file with three sources, its owner and anna, who is no admin."""
    three("users", "add", "anna")
    return three


# --- postgres ---------------------------------------------------------------------------------


def test_sql_on_standard_output(three: Terminal) -> None:
    result = three("export", "postgres")
    assert result.stdout.startswith("-- digestlog ")
    assert "W_RSS_1\tAlpha\thttps://a.example/feed\tRSS\tt\t" in result.stdout
    assert result.stdout.endswith("COMMIT;\n")
    assert result.stderr == ""


def test_sql_in_a_file(three: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "out.sql"
    result = three("export", "postgres", "-o", str(file))
    assert file.read_text() == three("export", "postgres").stdout
    assert result.stdout == "" and result.stderr.startswith(f"{file}: ") and "rows" in result.stderr
    assert list(tmp_path.glob("*.partial")) == []


def test_only_an_admin_may_write_it(anna: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "out.sql"
    result = anna("export", "postgres", "-o", str(file), root=["--user", "anna"], code=1)
    assert "anna is no admin" in result.stderr
    assert not file.exists()
    assert list(tmp_path.glob("*.partial")) == []


def test_one_of_schema_and_data(three: Terminal) -> None:
    assert "COPY" not in three("export", "postgres", "--schema-only").stdout.replace("COPY;", "")
    assert "CREATE TABLE" not in three("export", "postgres", "--data-only").stdout
    assert "leave nothing" in three("export", "postgres", "--schema-only", "--data-only", code=2).stderr


def test_the_program_streams_it() -> None:
    done = program("--db", ":memory:/nowhere", "export", "postgres", text=True)
    assert done.returncode == 1 and done.stdout == ""


# --- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["postgres", "json", "opml", "atom"])
def test_a_file_is_replaced_only_if_the_person_says_so(three: Terminal, tmp_path: Path, what: str) -> None:
    file = tmp_path / "out"
    file.write_text("mine")
    assert "exists already" in three("export", what, "-o", str(file), code=1).stderr
    assert file.read_text() == "mine"
    three("export", what, "-o", str(file), "--overwrite")
    assert file.read_text() != "mine"


@pytest.mark.parametrize("what", ["postgres", "json", "opml", "atom"])
def test_the_file_itself_is_refused(three: Terminal, what: str) -> None:
    before = three.path.read_bytes()
    assert "own file" in three("export", what, "-o", str(three.path), "--overwrite", code=1).stderr
    assert three.path.read_bytes() == before


def test_a_place_that_is_not_there(three: Terminal, tmp_path: Path) -> None:
    result = three("export", "json", "-o", str(tmp_path / "nowhere" / "out"), code=1)
    assert "cannot be written: No such file or directory" in result.stderr


def test_quiet_is_quiet(three: Terminal, tmp_path: Path) -> None:
    for what in ("postgres", "json", "opml", "atom"):
        result = three("export", what, "-o", str(tmp_path / what), root=["-q"])
        assert (result.stdout, result.stderr) == ("", "")


# --- json and csv -----------------------------------------------------------------------------


def test_json_for_the_owner_and_for_a_user(anna: Terminal) -> None:
    mine = json.loads(anna("export", "json").stdout)
    assert mine["about"] == {"schema_version": 1, "exported_at": "2026-02-13T09:02:10+00:00", "user": "owner"}
    assert list(mine["tables"]) == list(tables())
    assert len(mine["tables"]["sources_master_list"]) == 3
    annas = json.loads(anna("export", "json", root=["--user", "anna"]).stdout)
    assert annas["about"]["user"] == "anna"
    assert set(annas["tables"]) == set(USER_ROWS)
    assert [user["name"] for user in annas["tables"]["users"]] == ["anna"]


def test_csv_of_one_table(anna: Terminal) -> None:
    found = list(csv.DictReader(io.StringIO(anna("export", "csv", "sources_master_list").stdout)))
    assert [row["source_name"] for row in found] == ["Alpha", "Beta", "Gamma"]
    result = anna("export", "csv", "sources_master_list", root=["--user", "anna"], code=1)
    assert "there is no table called sources_master_list to export" in result.stderr


def test_csv_of_all_tables(three: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "tables"
    three("export", "csv", "-o", str(folder))
    assert {path.stem for path in folder.iterdir()} == set(tables())
    assert "exists already" in three("export", "csv", "-o", str(folder), code=1).stderr
    three("export", "csv", "-o", str(folder), "--overwrite")


def test_csv_needs_a_table_or_a_folder(three: Terminal, tmp_path: Path) -> None:
    assert "name a TABLE, or a folder" in three("export", "csv", code=2).stderr
    file = tmp_path / "file"
    file.write_text("mine")
    assert "cannot be written" in three("export", "csv", "-o", str(file), "--overwrite", code=1).stderr


# --- opml and atom ----------------------------------------------------------------------------


def test_opml_is_that_of_sources_export(three: Terminal) -> None:
    assert three("export", "opml").stdout == three("sources", "export").stdout


def test_atom_is_the_ledgers_latest(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    in_town("scan")
    listed = in_town.json("articles", "list", "--limit", "2")
    feed = feedparser.parse(io.BytesIO(in_town("export", "atom", "--limit", "2").stdout_bytes))
    assert not feed.bozo
    assert [entry.link for entry in feed.entries] == [one["article_url_final"] for one in listed]
    assert len(feed.entries) == 2
