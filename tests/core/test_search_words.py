from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.search_words import question


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("swing bridge", '"swing" AND "bridge"'),
        ('"swing bridge" ferry', '"swing bridge" AND "ferry"'),
        ("“swing bridge”", '"swing bridge"'),
        ("«pont tournant»", '"pont tournant"'),
        ('"swing bridge', '"swing bridge"'),
        ("bridge -ferry", '("bridge") NOT ("ferry")'),
        ('bridge -"night ferry" -gale', '("bridge") NOT ("night ferry" OR "gale")'),
        ("bri*", '"bri"*'),
        ("well-known", '"well-known"'),
        ("OR AND NOT NEAR(", '"OR" AND "AND" AND "NOT" AND "NEAR("'),
        ("title:bridge", '"title:bridge"'),
        ("- bridge !!", '"bridge"'),
        ("a" * 200, f'"{"a" * 100}"'),
    ],
)
def test_what_is_typed_becomes_a_question(typed: str, asked: str) -> None:
    assert question(typed) == asked


@pytest.mark.parametrize("typed", ["", "   ", "!!! ---", '""', "-ferry", "*"])
def test_without_a_word_there_is_no_question(typed: str) -> None:
    assert question(typed) is None


def test_only_so_many_words_count() -> None:
    assert (question(" ".join(f"w{number}" for number in range(50))) or "").count(" AND ") == 19


@given(st.text())
def test_whatever_is_typed_the_index_understands(typed: str) -> None:
    asked = question(typed)
    if asked is None:
        return
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    encodable = asked.encode("utf-8", "replace").decode()
    assert connection.execute("SELECT * FROM t WHERE t MATCH ?", (encodable,)).fetchall() == []
    connection.close()
