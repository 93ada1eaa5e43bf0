"""`digestlog settings`: shown in the user's language, checked before anything is written."""

from __future__ import annotations

import pytest
from cli.conftest import Terminal
from store.rows import put

from digestlog.store.db import open_database


@pytest.fixture
def anna(digestlog: Terminal) -> list[str]:
    """The options with which a second user works."""
    with open_database(digestlog.path, now=digestlog.now) as db, db.transaction() as connection:
        put(connection, "users")
    return ["--user", "anna"]


def values(terminal: Terminal, **options: list[str]) -> dict[str, object]:
    return {name: one["value"] for name, one in terminal.json("settings", "show", **options).items()}


# --- show -------------------------------------------------------------------------------------


def test_a_table(digestlog: Terminal) -> None:
    lines = digestlog("settings", "show").stdout.splitlines()
    assert lines[0].split() == ["NAME", "VALUE", "ALLOWED", "LABEL", "MEANING"]
    assert lines[1].split()[:5] == ["article_history_days", "90", "0", "to", "365"]
    assert "  Article history (days)  " in lines[1]
    assert [line.split()[0] for line in lines[2:]] == [
        "source_diversity_window",
        "max_items_per_category",
        "language",
    ]


def test_the_json(digestlog: Terminal) -> None:
    found = digestlog.json("settings", "show")
    assert found["article_history_days"] == {
        "value": 90,
        "default": 90,
        "minimum": 0,
        "maximum": 365,
        "choices": None,
        "label": "Article history (days)",
        "meaning": "for so many days an article does not come back; 0: no history",
    }
    assert found["language"]["choices"] == ["en", "fr"]
    assert found["language"]["minimum"] is found["language"]["maximum"] is None


def test_in_french(digestlog: Terminal) -> None:
    assert "Langue" in digestlog("settings", "set", "language", "fr").stdout
    shown = digestlog("settings", "show").stdout
    assert "Historique des articles (jours)" in shown
    assert "Article history" not in shown
    assert digestlog.json("settings", "show")["language"]["label"] == "Langue"
    assert "Language" in digestlog("settings", "set", "language", "en").stdout


# --- set --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("article_history_days", "365", 365),
        ("article-history-days", "1", 1),
        ("source_diversity_window", "3", 3),
        ("max_items_per_category", "10", 10),
        ("LANGUAGE", "FR", "fr"),
    ],
)
def test_a_value(digestlog: Terminal, name: str, value: str, stored: object) -> None:
    (column,) = digestlog.json("settings", "set", name, value)
    assert column == name.lower().replace("-", "_")
    assert values(digestlog)[column] == stored
    assert digestlog("settings", "set", name, value).stderr == ""


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("article_history_days", "366", "article_history_days cannot be '366'\nHint: allowed: 0 to 365"),
        ("article_history_days", "-1", "article_history_days cannot be '-1'\nHint: allowed: 0 to 365"),
        ("article_history_days", "ninety", "article_history_days cannot be 'ninety'"),
        ("article_history_days", "", "article_history_days cannot be ''"),
        ("max_items_per_category", "0", "max_items_per_category cannot be '0'\nHint: allowed: 1 to 100"),
        ("source_diversity_window", "101", "source_diversity_window cannot be '101'"),
        ("language", "de", "language cannot be 'de'\nHint: allowed: en, fr"),
        ("history", "3", "there is no setting 'history'\nHint: known: article_history_days, "),
    ],
)
def test_a_value_that_cannot_be(digestlog: Terminal, name: str, value: str, error: str) -> None:
    result = digestlog("settings", "set", name, value, code=1)
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {error}")
    assert len(result.stderr.splitlines()) == 2
    assert values(digestlog) == {
        "article_history_days": 90,
        "source_diversity_window": 0,
        "max_items_per_category": 5,
        "language": "en",
    }


@pytest.mark.parametrize("words", [[], ["language"], ["language", "fr", "en"], ["language", "\udcff"]])
def test_wrong_command_lines(digestlog: Terminal, words: list[str]) -> None:
    digestlog("settings", "set", *words, code=2)


def test_without_a_history_it_says_so(digestlog: Terminal) -> None:
    assert digestlog("settings", "set", "article_history_days", "0").stderr.startswith("The history is off: ")
    quiet = digestlog("settings", "set", "article_history_days", "0", root=["-q"])
    assert quiet.stderr == ""


def test_each_user_has_their_own(digestlog: Terminal, anna: list[str]) -> None:
    digestlog("settings", "set", "article_history_days", "7", root=anna)
    assert values(digestlog, root=anna)["article_history_days"] == 7
    assert values(digestlog)["article_history_days"] == 90


def test_a_user_who_is_not_there(digestlog: Terminal) -> None:
    for words in (["show"], ["set", "language", "fr"]):
        result = digestlog("settings", *words, root=["--user", "bob"], code=1)
        assert "there is no user called bob" in result.stderr
