"""The search index holds exactly the titles and the texts that count, whatever happens to the rows."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from hashlib import sha256

import pytest
from store.rows import ARTICLE_UUID, PAGE, put, uuid

from digestlog.core.canonical import article_uuid
from digestlog.core.model import NewSource
from digestlog.resources import schema_sql
from digestlog.store import articles, sources
from digestlog.store.articles import Article, Filter
from digestlog.store.db import Database

ALL = Filter()
EARLY, LATE = "2026-02-12T10:00:00+00:00", "2026-02-12T20:00:00+00:00"
OTHER = article_uuid("https://e.org/other")


def is_sound(connection: sqlite3.Connection) -> None:
    """The index and what it was made of agree; SQLite raises where they do not."""
    connection.execute("INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)")


def found(connection: sqlite3.Connection, words: str) -> list[str]:
    rows = connection.execute(
        """SELECT article_uuid FROM article_search JOIN article_documents ON docid = article_search.rowid
        WHERE article_search MATCH ? ORDER BY article_uuid""",
        (words,),
    )
    return [row[0] for row in rows]


def counts(connection: sqlite3.Connection, article: str = ARTICLE_UUID) -> str | None:
    """The version that is indexed."""
    (version,) = connection.execute(
        "SELECT scrape_id FROM article_documents WHERE article_uuid = ?", (article,)
    ).fetchone()
    return version


def add(connection: sqlite3.Connection, article: str, title: str | None = None) -> None:
    url = f"https://e.org/{article}"
    address = {"article_url_original": url, "article_url_final": url, "article_title": title}
    put(connection, "extracted_article_urls", address, article_uuid=article)


def version(
    connection: sqlite3.Connection, number: int, text: str, at: str = EARLY, article: str = ARTICLE_UUID
) -> str:
    """The id of a new version of an article."""
    digest = sha256(text.encode()).hexdigest()
    row = {"scrape_id": uuid(number), "article_uuid": article, "scraped_at": at}
    put(connection, "scraped_articles", row, content_text=text, content_sha256=digest)
    return uuid(number)


@pytest.fixture
def ledger(bare: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Two articles of one source, one of them without a title; at the end the index must be sound."""
    for table in ("users", "sources_master_list"):
        put(bare, table)
    put(bare, "extracted_article_urls", article_title="A story")
    add(bare, OTHER)
    yield bare
    is_sound(bare)


@pytest.mark.parametrize("values", ["('delete', 1, 'Another', NULL)", "('delete', 1, 'A story', 'text')"])
def test_an_unsound_index_would_be_found(bare: sqlite3.Connection, values: str) -> None:
    put(bare, "sources_master_list")
    put(bare, "extracted_article_urls", article_title="A story")
    is_sound(bare)
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        bare.execute(f"INSERT INTO article_search (article_search, rowid, title, content) VALUES {values}")
        is_sound(bare)


# --- versions ---------------------------------------------------------------------------------


def test_a_text_is_found_beside_its_title(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "Once upon a bridge")
    assert found(ledger, "bridge story") == [ARTICLE_UUID]
    assert found(ledger, "title: bridge") == []


def test_the_latest_version_counts(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "old words")
    newest = version(ledger, 91, "new words", LATE)
    version(ledger, 92, "older words, found in a backup")
    assert counts(ledger) == newest
    assert (found(ledger, "old"), found(ledger, "backup"), found(ledger, "new")) == ([], [], [ARTICLE_UUID])


def test_of_two_of_the_same_time_the_last_that_came_counts(ledger: sqlite3.Connection) -> None:
    version(ledger, 91, "first")
    last = version(ledger, 90, "second")
    assert counts(ledger) == last


def test_a_title_that_comes_later_leaves_the_text(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "some text", article=OTHER)
    ledger.execute(
        "UPDATE extracted_article_urls SET article_title = 'Ferry' WHERE article_uuid = ?", (OTHER,)
    )
    assert found(ledger, "ferry text") == [OTHER]
    ledger.execute(
        "UPDATE extracted_article_urls SET article_title = 'Ship' WHERE article_uuid = ?", (OTHER,)
    )
    assert (found(ledger, "ferry"), found(ledger, "ship text")) == ([], [OTHER])


def test_a_version_that_goes_gives_way_to_the_one_before(ledger: sqlite3.Connection) -> None:
    before = version(ledger, 90, "old words")
    version(ledger, 91, "new words", LATE)
    ledger.execute("DELETE FROM scraped_articles WHERE scrape_id = ?", (uuid(91),))
    assert (counts(ledger), found(ledger, "words")) == (before, [ARTICLE_UUID])
    ledger.execute("DELETE FROM scraped_articles")
    assert (counts(ledger), found(ledger, "words"), found(ledger, "story")) == (None, [], [ARTICLE_UUID])


def test_a_version_that_does_not_count_goes_unnoticed(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "old words")
    newest = version(ledger, 91, "new words", LATE)
    ledger.execute("DELETE FROM scraped_articles WHERE scrape_id = ?", (uuid(90),))
    assert (counts(ledger), found(ledger, "new")) == (newest, [ARTICLE_UUID])


def test_an_article_goes_with_all_of_its_versions(ledger: sqlite3.Connection) -> None:
    for number, at in ((90, EARLY), (91, LATE), (92, EARLY)):
        version(ledger, number, f"words {number}", at)
    ledger.execute("DELETE FROM extracted_article_urls WHERE article_uuid = ?", (ARTICLE_UUID,))
    assert (found(ledger, "words"), found(ledger, "story")) == ([], [])
    assert ledger.execute("SELECT count(*) FROM scraped_articles").fetchone()[0] == 0
    assert [row[0] for row in ledger.execute("SELECT article_uuid FROM article_documents")] == [OTHER]


def test_a_deletion_that_is_refused_changes_nothing(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "words")
    put(ledger, "syntheses")
    put(ledger, "synthesis_items")
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        ledger.execute("DELETE FROM extracted_article_urls WHERE article_uuid = ?", (ARTICLE_UUID,))
    assert found(ledger, "words story") == [ARTICLE_UUID]


@pytest.mark.parametrize(
    "change", ["content_text = 'other'", f"content_sha256 = '{'0' * 64}'", f"scrape_id = '{uuid(99)}'"]
)
def test_a_version_never_changes(ledger: sqlite3.Connection, change: str) -> None:
    version(ledger, 90, "words")
    with pytest.raises(sqlite3.IntegrityError, match="never change"):
        ledger.execute(f"UPDATE scraped_articles SET {change}")


# --- moving -----------------------------------------------------------------------------------


def move(connection: sqlite3.Connection, old: str, new: str) -> None:
    connection.execute(
        "UPDATE OR IGNORE scraped_articles SET article_uuid = ? WHERE article_uuid = ?", (new, old)
    )


def test_versions_move_to_another_article(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "old words")
    newest = version(ledger, 91, "new words", LATE)
    move(ledger, ARTICLE_UUID, OTHER)
    assert (counts(ledger), counts(ledger, OTHER)) == (None, newest)
    assert (found(ledger, "story"), found(ledger, "new words")) == ([ARTICLE_UUID], [OTHER])


def test_an_article_keeps_its_own_later_version(ledger: sqlite3.Connection) -> None:
    version(ledger, 90, "old words")
    own = version(ledger, 91, "own words", LATE, OTHER)
    move(ledger, ARTICLE_UUID, OTHER)
    assert (counts(ledger, OTHER), found(ledger, "words")) == (own, [OTHER])


def test_a_version_that_both_have_stays_where_it_is(ledger: sqlite3.Connection) -> None:
    stays = version(ledger, 90, "words")
    own = version(ledger, 91, "words", article=OTHER)
    version(ledger, 92, "more", LATE)
    move(ledger, ARTICLE_UUID, OTHER)
    assert (counts(ledger), counts(ledger, OTHER)) == (stays, uuid(92))
    ledger.execute("DELETE FROM extracted_article_urls WHERE article_uuid = ?", (ARTICLE_UUID,))
    ledger.execute("DELETE FROM scraped_articles WHERE scrape_id = ?", (uuid(92),))
    assert (counts(ledger, OTHER), found(ledger, "words")) == (own, [OTHER])


# --- anything in any order --------------------------------------------------------------------


class Chance:
    """Does anything that can happen to the rows, in an order that only a seed knows."""

    WORDS = ("bridge", "tower", "ferry", "Über", "橋", "", "x")

    def __init__(self, connection: sqlite3.Connection, seed: int) -> None:
        self._connection = connection
        self._random = random.Random(seed)
        self._next = 1000

    def step(self) -> None:
        often, seldom = [self.add, self.title, self.read], [self.move, self.forget, self.back, self.drop]
        self._random.choice(often * 2 + seldom)()

    def _one(self, sql: str) -> str | None:
        found = [row[0] for row in self._connection.execute(sql)]
        return self._random.choice(found) if found else None

    def _article(self) -> str | None:
        return self._one("SELECT article_uuid FROM extracted_article_urls ORDER BY 1")

    def _text(self) -> str:
        return " ".join(self._random.choices(self.WORDS, k=self._random.randint(1, 4))) + " ."

    def add(self) -> None:
        self._next += 1
        title = self._random.choice((None, self._text()))
        add(self._connection, article_uuid(f"https://e.org/{self._next}"), title)

    def title(self) -> None:
        title = self._random.choice((None, self._text()))
        self._connection.execute(
            "UPDATE extracted_article_urls SET article_title = ? WHERE article_uuid = ?",
            (title, self._article()),
        )

    def read(self) -> None:
        article, text = self._article(), self._text()
        self._next += 1
        digest = sha256(text.encode()).hexdigest()
        at = f"2026-02-12T{self._random.randint(10, 20)}:00:00+00:00"
        if article is not None:
            self._connection.execute(
                """INSERT INTO scraped_articles (scrape_id, article_uuid, scraped_at, content_text,
                    content_sha256) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
                (uuid(self._next), article, at, text, digest),
            )

    def move(self) -> None:
        old, new = self._article(), self._article()
        if old is not None and new is not None:
            move(self._connection, old, new)

    def forget(self) -> None:
        one = self._one("SELECT scrape_id FROM scraped_articles ORDER BY 1")
        self._connection.execute("DELETE FROM scraped_articles WHERE scrape_id = ?", (one,))

    def drop(self) -> None:
        self._connection.execute(
            "DELETE FROM extracted_article_urls WHERE article_uuid = ?", (self._article(),)
        )

    def back(self) -> None:
        """A text that is again what it was."""
        one = self._one("SELECT scrape_id FROM scraped_articles ORDER BY 1")
        self._connection.execute(
            """UPDATE article_documents SET scrape_id = ?1
            WHERE article_uuid = (SELECT article_uuid FROM scraped_articles WHERE scrape_id = ?1)""",
            (one,),
        )


@pytest.mark.parametrize("seed", range(12))
def test_the_index_is_sound_after_anything(seed: int) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(schema_sql())
    connection.execute("PRAGMA foreign_keys = ON")
    put(connection, "sources_master_list")
    chance = Chance(connection, seed)
    for _ in range(120):
        chance.step()
        is_sound(connection)
        matches_the_rows(connection)
    connection.close()


def matches_the_rows(connection: sqlite3.Connection) -> None:
    """Each article has a document; one with versions counts one of its own; a word finds what holds it."""
    wrong = connection.execute(
        """SELECT count(*) FROM extracted_article_urls AS a
        LEFT JOIN article_documents AS d ON d.article_uuid = a.article_uuid
        LEFT JOIN scraped_articles AS s ON s.scrape_id = d.scrape_id
        WHERE d.docid IS NULL OR s.article_uuid IS NOT NULL AND s.article_uuid <> a.article_uuid
            OR (d.scrape_id IS NULL) <> NOT EXISTS (
                SELECT 1 FROM scraped_articles AS v WHERE v.article_uuid = a.article_uuid)"""
    ).fetchone()
    assert tuple(wrong) == (0,)
    holds = connection.execute(
        """SELECT d.article_uuid FROM article_texts AS t JOIN article_documents AS d ON d.docid = t.docid
        WHERE coalesce(t.title, '') || ' ' || coalesce(t.content, '') LIKE '%bridge%' ORDER BY 1"""
    )
    assert found(connection, "bridge") == [row[0] for row in holds]


# --- searching --------------------------------------------------------------------------------


@pytest.fixture
def shelf(db: Database) -> Database:
    """A file with one source."""
    sources.insert(db, NewSource("https://example.com/feed", "one", "RSS"))
    return db


def shelve(db: Database, name: str, title: str | None, text: str | None = None) -> None:
    article = article_uuid(name)
    with db.transaction() as connection:
        add(connection, article, title)
        if text is not None:
            version(connection, 500 + len(db.rows("SELECT 1 FROM scraped_articles")), text, article=article)


def search(db: Database, *words: str, **wanted: int) -> list[Article]:
    return articles.search(db, words, Filter(**wanted))  # type: ignore[arg-type]


def test_words_are_found_in_titles_and_texts_together(shelf: Database) -> None:
    shelve(shelf, "a", "Swing bridge", "It opened on Thursday.")
    shelve(shelf, "b", "Clock tower", "It stopped on Thursday.")
    assert [one.article_title for one in search(shelf, "bridge", "thursday")] == ["Swing bridge"]
    assert len(search(shelf, "thursday")) == 2


def test_words_in_a_title_count_more(shelf: Database) -> None:
    shelve(shelf, "a", "News of today", "The bridge and the bridge and the tower.")
    shelve(shelf, "b", "The bridge", "Nothing else that matters was said.")
    assert search(shelf, "bridge")[0].article_title == "The bridge"


def test_a_snippet_is_the_part_of_the_text_that_has_the_words(shelf: Database) -> None:
    words = [f"word{n}" for n in range(200)]
    shelve(shelf, "a", "Long", "\n".join([*words[:100], "The bridge", *words[100:]]))
    (one,) = search(shelf, "BRIDGE")
    assert one.snippet is not None and "The [bridge]" in one.snippet
    assert one.snippet.startswith("…") and one.snippet.endswith("…")
    assert len(one.snippet.split()) <= 26 and "\n" not in one.snippet
    assert one.highlight == "Long"


def test_a_snippet_without_the_words_is_the_beginning(shelf: Database) -> None:
    shelve(shelf, "a", "The bridge", "It begins here.")
    (one,) = search(shelf, "bridge")
    assert (one.highlight, one.snippet) == ("The [bridge]", "It begins here.")


def test_an_article_without_a_title(shelf: Database) -> None:
    shelve(shelf, "a", None, "A bridge.")
    (one,) = search(shelf, "bridge")
    assert (one.highlight, one.snippet) == (None, "A [bridge].")


def test_only_so_many(shelf: Database) -> None:
    for n in range(5):
        shelve(shelf, f"{n}", f"Bridge {n}", "And " * n + "more.")
    assert len(search(shelf, "bridge", limit=3)) == 3
    assert search(shelf, "bridge", limit=3) == search(shelf, "bridge")[:3]


def test_a_page_is_not_an_article(shelf: Database) -> None:
    shelve(shelf, PAGE, "Lamp", "A lamp.")
    assert search(shelf, "bridge") == []
