"""What the doctor looks at: is the file what it should be?"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from digestlog.core import canonical
from digestlog.core.model import Check
from digestlog.errors import CorruptFile, UrlError
from digestlog.resources import schema_sql
from digestlog.store.db import Database, storage_errors
from digestlog.store.migrations import SCHEMA_VERSION

_SHOWN = 5
# A comment or white space; or else a literal, a name or a sign.
_TOKEN = re.compile(r"""--[^\n]*|\s+|('[^']*'|"[^"]*"|\w+|.)""")


def checks(db: Database) -> Iterator[Check]:
    """Every check, cheapest first, each as soon as it is done; one that cannot be done is a problem."""
    for check in (versions, schema, foreign_keys, article_ids, history_keys, library_ids, search, integrity):
        try:
            yield check(db)
        except (CorruptFile, sqlite3.Error) as error:
            problem = " ".join(str(error).split())
            yield Check(check.__name__.replace("_", " "), "could not be read", (problem,))


def versions(db: Database) -> Check:
    """The file's version and URL rules are those of this digestlog."""
    problems: list[str] = []
    (version,) = db.rows("PRAGMA user_version")[0]
    if version != SCHEMA_VERSION:
        problems.append(f"the file has version {version}")
    rules = f"{canonical.CANON_VERSION}.{canonical.rules_version()}"
    row = db.row("SELECT canon_version || '.' || rules_version AS rules FROM url_identity")
    if row is None:
        problems.append("the file does not say with which URL rules its identities were made")
    elif row["rules"] != rules:
        problems.append(f"identities were made with URL rules {row['rules']}")
    return Check("versions", f"file version {SCHEMA_VERSION}, URL rules {rules}", tuple(problems))


def schema(db: Database) -> Check:
    """Tables, indexes, triggers and views are exactly those of schema.sql."""
    expected = fresh_schema()
    with storage_errors(db.path):
        found = _objects(db.connection)
    problems = [f"{name} is missing" for name in sorted(expected.keys() - found.keys())]
    problems += [f"{name} is not part of digestlog" for name in sorted(found.keys() - expected.keys())]
    problems += [
        f"{name} differs" for name in sorted(expected.keys() & found.keys()) if expected[name] != found[name]
    ]
    return Check("schema", f"{len(expected)} tables, indexes, triggers and views", tuple(problems))


def fresh_schema() -> dict[str, str]:
    """What schema.sql makes: the statement of each object by kind and name, without its spelling."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(schema_sql())
        return _objects(connection)
    finally:
        connection.close()


def foreign_keys(db: Database) -> Check:
    """Every reference leads to a row."""
    rows = db.rows("PRAGMA foreign_key_check")
    return _check(
        "references", "every foreign key", (f"a row of {r[0]} refers to nothing in {r[2]}" for r in rows)
    )


def article_ids(db: Database) -> Check:
    """Every article_uuid is the one of its final URL, and the final URL is canonical."""
    return _recompute(
        db,
        "article ids",
        "SELECT article_uuid AS id, article_url_final AS url FROM extracted_article_urls",
        lambda url: canonical.article_uuid(_canonical(url, "ledger")),
    )


def history_keys(db: Database) -> Check:
    """Every url_hash is the one of its URL."""
    return _recompute(
        db, "history keys", "SELECT url_hash AS id, url FROM article_history", canonical.url_hash
    )


def library_ids(db: Database) -> Check:
    """Every watched page has the id of its canonical URL."""
    return _recompute(
        db,
        "library ids",
        "SELECT id, canonical_url AS url FROM urls",
        lambda url: canonical.url_id(_canonical(url, "library")),
    )


def search(db: Database) -> Check:
    """The index of words is that of the ledger's titles."""
    try:
        with _taken_back(db.connection) as connection:
            connection.execute(
                "INSERT INTO article_search (article_search, rank) VALUES ('integrity-check', 1)"
            )
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
        return Check("search", "the index of words: not checked, for that the file must be writable")
    except sqlite3.DatabaseError:
        return Check("search", "the index of words", ("it does not agree with the ledger",))
    return Check("search", "the index of words")


@contextmanager
def _taken_back(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A transaction that leaves nothing behind."""
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.rollback()


def integrity(db: Database) -> Check:
    """SQLite finds every page, index and constraint in order."""
    answers = [row[0] for row in db.rows("PRAGMA integrity_check(20)")]
    return _check("integrity", "every page and index", (a for a in answers if a != "ok"))


def _canonical(url: str, profile: str) -> str:
    """The URL itself, where it is in the profile's form; an id of another form is no identity."""
    if canonical.canonicalize(url, profile)[0] != url:
        raise UrlError("not canonical")
    return url


def _recompute(db: Database, name: str, sql: str, identity: Callable[[str], str]) -> Check:
    problems: list[str] = []
    count = 0
    with storage_errors(db.path):
        for count, row in enumerate(db.connection.execute(sql), 1):  # noqa: B007 - the count outlives the loop
            try:
                expected = identity(row["url"])
            except UrlError as error:
                expected = f"no identity ({error.code})"
            if expected != row["id"] and len(problems) <= _SHOWN:
                problems.append(f"{row['url']} has {row['id']}, should have {expected}")
    return _check(name, f"{count:,} recomputed", problems)


def _check(name: str, looked_at: str, problems: Iterator[str] | list[str]) -> Check:
    found = [" ".join(problem.split()) for problem in problems]
    if len(found) > _SHOWN:
        found[_SHOWN:] = ["and more"]
    return Check(name, looked_at, tuple(found))


def _objects(connection: sqlite3.Connection) -> dict[str, str]:
    rows = connection.execute(
        "SELECT type || ' ' || name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    return {name: _plain(sql) for name, sql in rows}


def _plain(sql: str) -> str:
    """A statement without comments, line breaks and quoted names, which no migration could reproduce."""
    return " ".join(token.strip('"') for token in _TOKEN.findall(sql) if token)
