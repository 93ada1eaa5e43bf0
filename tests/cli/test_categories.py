"""`digestlog categories`: from the starter set to one's own."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal
from store.rows import put

from digestlog.store.db import open_database

ADD = ("categories", "add")


@pytest.fixture
def two(digestlog: Terminal) -> Terminal:
    """Commands on a file with two own categories: Harbour and Chess."""
    digestlog(*ADD, "Harbour", "--keyword", "port, ferry", "--description", "Ships")
    digestlog(*ADD, "Chess")
    return digestlog


def names(terminal: Terminal, **options: list[str]) -> list[str]:
    return [one["name"] for one in terminal.json("categories", "list", **options)]


# --- list -------------------------------------------------------------------------------------


def test_the_starter_set_is_listed_as_such(digestlog: Terminal) -> None:
    lines = digestlog("categories", "list").stdout.splitlines()
    assert lines[0].split() == ["POSITION", "NAME", "ORIGIN", "DESCRIPTION", "KEYWORDS"]
    assert len(lines) == 11
    assert lines[1].split()[:3] == ["1", "World", "starter"]
    assert all("  starter  " in line for line in lines[1:])


def test_the_json_of_the_starter_set(digestlog: Terminal) -> None:
    found = digestlog.json("categories", "list")
    first = dict(found[0])
    assert "ceasefire" in first.pop("keywords")
    assert first == {
        "position": 1,
        "name": "World",
        "description": "Wars, diplomacy and events in other countries",
        "origin": "starter",
        "created_at": None,
        "updated_at": None,
    }
    assert {one["origin"] for one in found} == {"starter"}


def test_the_starter_set_in_french(digestlog: Terminal) -> None:
    digestlog("settings", "set", "language", "fr")
    assert names(digestlog)[:3] == ["Monde", "Politique", "Économie"]


def test_own_ones(two: Terminal) -> None:
    assert two.json("categories", "list")[0] == {
        "position": 1,
        "name": "Harbour",
        "description": "Ships",
        "keywords": ["port", "ferry"],
        "origin": "own",
        "created_at": "2026-02-13T09:02:10+00:00",
        "updated_at": "2026-02-13T09:02:10+00:00",
    }
    lines = two("categories", "list").stdout.splitlines()
    assert lines[1].split() == ["1", "Harbour", "own", "Ships", "port,", "ferry"]
    assert lines[2].split() == ["2", "Chess", "own"]


# --- add --------------------------------------------------------------------------------------


def test_the_first_one_says_what_it_replaces(digestlog: Terminal) -> None:
    first = digestlog(*ADD, "Harbour")
    assert first.stderr.startswith("This replaces the starter set")
    assert "digestlog categories starter" in first.stderr
    assert names(digestlog) == ["Harbour"]
    assert digestlog(*ADD, "Chess").stderr == ""


def test_the_first_one_in_silence(digestlog: Terminal) -> None:
    assert digestlog(*ADD, "Harbour", root=["-q"]).stderr == ""


def test_a_place_and_keywords(two: Terminal) -> None:
    (added,) = two.json(*ADD, "Bread", "--position", "1", "--keyword", "yeast, Rye", "--keyword", "rye")
    assert (added["position"], added["keywords"]) == (1, ["yeast", "Rye"])
    assert names(two) == ["Bread", "Harbour", "Chess"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("harbour", "there is a category called Harbour already"),
        (" ", "a category needs a name"),
        ("x" * 81, "is too long for a name"),
    ],
)
def test_a_name_that_cannot_be(two: Terminal, name: str, error: str) -> None:
    assert error in two(*ADD, name, code=1).stderr
    assert names(two) == ["Harbour", "Chess"]


@pytest.mark.parametrize("words", [[], ["a", "--position", "0"], ["a", "b"], ["\udcff"]])
def test_wrong_command_lines(digestlog: Terminal, words: list[str]) -> None:
    digestlog(*ADD, *words, code=2)


# --- edit -------------------------------------------------------------------------------------


def test_an_edit(two: Terminal) -> None:
    (edited,) = two.json(
        "categories",
        "edit",
        "harbour",
        *("--name", "Port", "--description", "", "--position", "2"),
        *("--add-keyword", "quay", "--drop-keyword", "PORT"),
    )
    assert (edited["name"], edited["description"], edited["keywords"]) == ("Port", None, ["ferry", "quay"])
    assert names(two) == ["Chess", "Port"]


@pytest.mark.parametrize(
    ("keyword", "expected"), [("quay, crane", ["quay", "crane"]), ("", [])], ids=["new", "none"]
)
def test_all_keywords_anew(two: Terminal, keyword: str, expected: list[str]) -> None:
    assert two.json("categories", "edit", "Harbour", "--keyword", keyword)[0]["keywords"] == expected


def test_only_a_place(two: Terminal) -> None:
    assert "1         Chess  own" in two("categories", "edit", "Chess", "--position", "1").stdout
    assert names(two) == ["Chess", "Harbour"]


def test_an_edit_needs_a_wish(two: Terminal) -> None:
    assert "say what to change" in two("categories", "edit", "Chess", code=2).stderr


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["Sport", "--name", "x"], "there is no category called Sport\nHint: known here: Harbour, Chess"),
        (["Chess", "--name", "HARBOUR"], "there is a category called Harbour already"),
        (["Chess", "--name", ""], "a category needs a name"),
    ],
)
def test_an_edit_that_cannot_be(two: Terminal, words: list[str], error: str) -> None:
    assert error in two("categories", "edit", *words, code=1).stderr


@pytest.mark.parametrize("words", [["edit", "Sport", "--description", "x"], ["remove", "Sport"]])
def test_the_starter_set_is_not_edited_by_itself(digestlog: Terminal, words: list[str]) -> None:
    result = digestlog("categories", *words, code=1)
    assert "you use the starter set" in result.stderr
    assert "Hint: write it as your own first: digestlog categories starter" in result.stderr
    assert len(names(digestlog)) == 10


# --- starter ----------------------------------------------------------------------------------


def test_the_starter_set_as_own(digestlog: Terminal) -> None:
    result = digestlog("categories", "starter")
    assert result.stderr == "Categories written as your own: 10\n"
    assert len(result.stdout.splitlines()) == 11
    assert {one["origin"] for one in digestlog.json("categories", "list")} == {"own"}
    digestlog("categories", "edit", "Sport", "--add-keyword", "regatta")
    again = digestlog("categories", "starter")
    assert (again.stdout, again.stderr) == ("", "Categories written as your own: 0\n")
    assert digestlog.json("categories", "starter") == []
    assert digestlog("categories", "starter", root=["-q"]).stderr == ""


def test_both(two: Terminal) -> None:
    assert len(two.json("categories", "starter")) == 10
    assert names(two)[:3] == ["Harbour", "Chess", "World"]


# --- remove -----------------------------------------------------------------------------------


def test_a_removal(two: Terminal) -> None:
    result = two("categories", "remove", "harbour")
    assert (result.stdout, result.stderr) == ("Harbour: removed\n", "")
    assert names(two) == ["Chess"]


def test_the_last_one_brings_the_starter_set_back(two: Terminal) -> None:
    result = two("categories", "remove", "Chess", "Harbour", "--json")
    assert '"name": "Chess"' in result.stdout
    assert "digests have the starter set again" in result.stderr
    assert names(two)[0] == "World"


def test_the_last_one_in_silence(two: Terminal) -> None:
    assert two("categories", "remove", "Chess", "Harbour", root=["-q"]).stderr == ""


def test_all_or_none_are_removed(two: Terminal) -> None:
    assert "there is no category called Sport" in two("categories", "remove", "Chess", "Sport", code=1).stderr
    assert names(two) == ["Harbour", "Chess"]


# --- users ------------------------------------------------------------------------------------


def test_each_user_has_their_own(two: Terminal) -> None:
    with open_database(two.path, now=two.now) as db, db.transaction() as connection:
        put(connection, "users")
    anna = ["--user", "anna"]
    assert len(names(two, root=anna)) == 10
    two(*ADD, "Harbour", root=anna)
    two("categories", "edit", "Harbour", "--name", "Hers", root=anna)
    assert names(two, root=anna) == ["Hers"]
    two("categories", "remove", "Hers", root=anna)
    assert names(two) == ["Harbour", "Chess"]


# --- explain ----------------------------------------------------------------------------------

LIBRARY = "http://harbour-times.example/politics/library-hours-saved"


@pytest.fixture
def read(in_town: Terminal) -> Terminal:
    """Commands on a file with the newspaper's articles and their texts, and two categories."""
    in_town("sources", "add", "http://harbour-times.example/")
    in_town("scan")
    in_town("scrape")
    in_town(*ADD, "Town", "--keyword", "council, library, budget")
    in_town(*ADD, "Stage", "--keyword", "theatre, lantern, procession")
    return in_town


def test_explain(read: Terminal) -> None:
    lines = read("categories", "explain", LIBRARY).stdout.splitlines()
    assert lines[0] == "Library hours saved as council passes budget by one vote"
    assert lines[1].startswith("Town (") and lines[1].endswith("% sure)")
    assert lines[2].split() == ["WORD", "WEIGHT"]
    weights = {line.rsplit(maxsplit=1)[0]: float(line.rsplit(maxsplit=1)[1]) for line in lines[3:]}
    assert weights["library"] > 0 and weights["budget"] > 0
    assert sorted(weights.values(), key=abs, reverse=True) == list(weights.values())


def test_the_json_of_explain(read: Terminal) -> None:
    found = read.json("categories", "explain", f"{LIBRARY}?utm_source=x#top")
    assert set(found) == {"article_uuid", "url", "title", "category", "score", "words"}
    assert (found["url"], found["category"]) == (LIBRARY, "Town")
    assert 0.35 <= found["score"] <= 1
    assert all(set(one) == {"word", "weight"} for one in found["words"]) and found["words"]
    assert read.json("categories", "explain", found["article_uuid"]) == found


def test_an_article_that_fits_nowhere(read: Terminal) -> None:
    read("categories", "remove", "Town")
    found = read.json("categories", "explain", LIBRARY)
    assert found["category"] is None
    assert "fits no category (" in read("categories", "explain", LIBRARY).stdout
    read(*ADD, "Chess", "--keyword", "gambit")
    read("categories", "remove", "Stage")
    assert read.json("categories", "explain", LIBRARY)["words"] == []
    assert len(read("categories", "explain", LIBRARY).stdout.splitlines()) == 2


def test_only_a_stored_text_can_be_explained(in_town: Terminal) -> None:
    in_town("sources", "add", "http://harbour-times.example/")
    result = in_town("categories", "explain", LIBRARY, code=1)
    assert result.stderr.startswith(f"Error: {LIBRARY} is not in the ledger\nHint: see: digestlog why")
    in_town("scan")
    result = in_town("categories", "explain", LIBRARY, code=1)
    assert (
        result.stderr == f"Error: the text of {LIBRARY} is not stored\nHint: to read it: digestlog scrape\n"
    )
    assert "has no identity" in in_town("categories", "explain", "library", code=1).stderr
