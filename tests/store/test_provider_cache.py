"""The answers of models: kept once, replaced by newer ones, forgotten when old."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from digestlog.errors import LockedFile, RuleBroken
from digestlog.store.db import Database, open_database
from digestlog.store.provider_cache import ProviderCache, delete_older_than

ONE, TWO = "1" * 64, "2" * 64


@pytest.fixture
def cache(db: Database) -> ProviderCache:
    return ProviderCache(db)


def test_what_was_put_is_found(cache: ProviderCache) -> None:
    cache.put(ONE, "qwen3 at localhost", '{"summary": "Ebb"}')
    assert cache.get(ONE) == '{"summary": "Ebb"}'
    assert cache.get(TWO) is None


def test_a_row_says_who_answered_when(db: Database, cache: ProviderCache) -> None:
    cache.put(ONE, "qwen3 at localhost", "{}")
    (row,) = db.rows("SELECT * FROM provider_answers")
    assert dict(row) == {
        "question_sha256": ONE,
        "model": "qwen3 at localhost",
        "answer": "{}",
        "created_at": "2026-02-13T09:02:10+00:00",
    }


def test_a_newer_answer_takes_the_place_of_an_older_one(db: Database, cache: ProviderCache) -> None:
    cache.put(ONE, "m", '{"a": 1}')
    db.now_iso = "2026-02-14T00:00:00+00:00"
    cache.put(ONE, "n", '{"a": 2}')
    (row,) = db.rows("SELECT model, answer, created_at FROM provider_answers")
    assert tuple(row) == ("n", '{"a": 2}', "2026-02-14T00:00:00+00:00")


@pytest.mark.parametrize(
    ("key", "model", "answer"),
    [("short", "m", "{}"), ("G" * 64, "m", "{}"), (ONE, "", "{}"), (ONE, "m", ""), (ONE, "m", "[]")],
)
def test_the_table_takes_nothing_else(cache: ProviderCache, key: str, model: str, answer: str) -> None:
    with pytest.raises(RuleBroken):
        cache.put(key, model, answer)
    assert cache.get(key) is None


def test_without_keeping_it_is_only_asked(db: Database, cache: ProviderCache) -> None:
    cache.put(ONE, "m", '{"a": 1}')
    reader = ProviderCache(db, keep=False)
    reader.put(ONE, "m", '{"a": 2}')
    reader.put("f" * 64, "m", "{}")
    assert (reader.get(ONE), len(db.rows("SELECT * FROM provider_answers"))) == ('{"a": 1}', 1)


def test_old_answers_are_forgotten(db: Database, cache: ProviderCache) -> None:
    cache.put(ONE, "m", "{}")
    db.now_iso = "2026-02-14T09:02:10+00:00"
    cache.put(TWO, "m", "{}")
    assert delete_older_than(db, db.now) == 0
    assert delete_older_than(db, db.now + timedelta(days=1)) == 1
    assert (cache.get(ONE), cache.get(TWO)) == (None, "{}")


def test_a_locked_file_is_said_in_words(db: Database, cache: ProviderCache, db_path: Path) -> None:
    with open_database(db_path, now=db.now, busy_timeout_s=0) as other, db.transaction():
        with pytest.raises(LockedFile):
            ProviderCache(other).put(ONE, "m", "{}")
        with pytest.raises(LockedFile):
            delete_older_than(other, db.now)
    assert cache.get(ONE) is None
