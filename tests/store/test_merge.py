"""What becomes of two files: each rule by an example, and what is refused."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from merge_files import contents
from store.rows import put, uuid

from digestlog.core.canonical import article_uuid, ledger_url, url_hash, url_id
from digestlog.core.ledger import RESOLVED, UNRESOLVED, Candidate, NewArticle, Resolution, identified
from digestlog.core.library import Wish
from digestlog.core.model import Hop, NewSource, Source
from digestlog.errors import ConfigError, IdentityCollision, NotADigestlogFile, RuleBroken, SchemaVersionError
from digestlog.store import (
    articles,
    health,
    history,
    ledger,
    library,
    merge_rules,
    resolutions,
    sources,
    users,
)
from digestlog.store import merge as merging
from digestlog.store.db import Database, open_database

FINAL, SHORT = "https://e.org/a", "https://t.example/x"
LOST = Resolution(UNRESOLVED, error="no answer")
HERE = Resolution(RESOLVED, http_status=200)
MOVED = Resolution(RESOLVED, FINAL, (Hop(301, FINAL),), 200)

Opener = Callable[..., Database]


@pytest.fixture
def on(tmp_path: Path, now: datetime) -> Iterator[Opener]:
    """Opens the file of a machine, some days after the first day."""
    with ExitStack() as stack:
        yield lambda name, days=0: stack.enter_context(
            open_database(tmp_path / f"{name}.db", now=now + timedelta(days=days), frozen=True)
        )


def feed(db: Database, name: str = "one") -> Source:
    return sources.insert(db, NewSource(f"https://{name}.example/feed", name, "RSS")).source


def show(db: Database, source: Source, url: str, title: str | None = None, answer: Resolution = HERE) -> str:
    """The id of the article that a source's visit made of an address."""
    found = identified(Candidate(url, title, None, None, None, "fast"), answer)
    assert isinstance(found, NewArticle)
    with db.transaction() as connection:
        ledger.record(db, connection, source, [found], [])
    (row,) = db.rows(
        "SELECT article_uuid FROM url_resolutions WHERE article_url_original = :url", {"url": url}
    )
    return str(row["article_uuid"])


def both(one: Database, two: Database) -> Database:
    """The first file with the second in it, after it was seen that the other way round gives the same."""
    before = contents(one.path)
    merging.merge(one, two.path, dry_run=True)
    assert contents(one.path) == before
    mirror = two.path.with_name(f"mirror-{two.path.name}")
    with closing(sqlite3.connect(mirror)) as copy:
        two.connection.backup(copy)
    with open_database(mirror, now=two.now, frozen=True) as db:
        merging.merge(db, one.path)
    merging.merge(one, two.path)
    assert contents(one.path) == contents(mirror)
    assert [check.problems for check in health.checks(one) if not check.ok] == []
    return one


def rows(db: Database, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in db.rows(f"SELECT * FROM {table} ORDER BY 1, 2")]


def article(db: Database, url: str = FINAL) -> dict[str, Any]:
    found = articles.get(db, article_uuid(url))
    assert found is not None
    return found


def searched(db: Database, word: str) -> list[str]:
    return [found.article_uuid for found in articles.search(db, [word], articles.Filter())]


# --- the ledger -------------------------------------------------------------------------------


def test_the_earliest_detection_counts(on: Opener) -> None:
    here, there = on("a", 1), on("b", 0)
    show(here, feed(here, "one"), FINAL, "Ours")
    show(there, feed(there, "two"), FINAL + "#x", "Theirs")
    found = article(both(here, there))
    assert found["article_detected_utc_iso"] == found["created_at"] == there.now_iso
    assert (found["article_title"], found["source_url"]) == ("Theirs", "https://two.example/feed")
    assert (found["article_url_original"], found["url_notes"]) == (FINAL + "#x", "removed_fragment")
    assert [one["source_uuid"] for one in rows(here, "article_source_mentions")] == ["W_RSS_1", "W_RSS_2"]
    assert searched(here, "Theirs") == [found["article_uuid"]]
    assert searched(here, "Ours") == []


def test_what_is_missing_is_filled_by_whoever_knew_it_first(on: Opener) -> None:
    here, soon, late = on("a", 0), on("b", 1), on("c", 2)
    for db, title in ((here, None), (late, "Late"), (soon, "Soon")):
        show(db, feed(db), FINAL, title)
    merging.merge(here, late.path)
    assert article(here)["article_title"] == "Late"
    both(here, soon)
    assert article(here)["article_title"] == "Soon"
    assert article(here)["article_detected_utc_iso"] == here.now_iso
    (kept,) = rows(here, "article_completions")
    assert (kept["field"], kept["completed_at"]) == ("article_title", soon.now_iso)


def test_a_title_that_came_later_in_one_file_gives_way(on: Opener) -> None:
    first, later = on("a", 0), on("a", 3)
    show(first, feed(first), FINAL)
    show(later, feed(later), FINAL, "Filled")
    other = on("b", 1)
    show(other, feed(other), FINAL, "At once")
    assert article(both(first, other))["article_title"] == "At once"


def test_an_earlier_title_needs_no_completion(on: Opener) -> None:
    here, other = on("a", 1), on("b", 0)
    show(here, feed(here), FINAL)
    filled = on("a", 2)
    show(filled, feed(filled), FINAL, "Filled")
    show(other, feed(other), FINAL, "At once")
    assert article(both(here, other))["article_title"] == "At once"
    assert rows(here, "article_completions") == []


def test_a_title_that_was_filled_goes_along_to_the_final_address(on: Opener) -> None:
    db, later = on("a", 0), on("a", 1)
    source = feed(db)
    show(db, source, SHORT, None, LOST)
    show(later, source, SHORT, "Filled", LOST)
    (waiting,) = resolutions.unresolved(later)
    resolutions.settle(later, waiting, ledger_url(SHORT, FINAL), MOVED)
    (kept,) = rows(later, "article_completions")
    assert (kept["article_uuid"], kept["completed_at"]) == (article_uuid(FINAL), later.now_iso)


def test_twins_become_one(on: Opener) -> None:
    here, there = on("a", 1), on("b", 0)
    ours = show(here, feed(here, "one"), FINAL, "Title")
    with here.transaction() as connection:
        put(connection, "scraped_articles", article_uuid=ours)
        put(connection, "scrape_state", article_uuid=ours)
    show(there, feed(there, "two"), "http://e.org/a/")
    both(here, there)
    (one,) = rows(here, "extracted_article_urls")
    assert (one["article_url_final"], one["article_title"]) == ("http://e.org/a/", "Title")
    for table in ("article_source_mentions", "scraped_articles", "scrape_state", "article_documents"):
        assert {row["article_uuid"] for row in rows(here, table)} == {one["article_uuid"]}, table
    assert searched(here, "upon") == [one["article_uuid"]]
    again = merging.merge(here, there.path)
    assert again.sum("added") == 0


def test_an_address_that_the_other_file_resolved(on: Opener) -> None:
    here, there = on("a", 0), on("b", 1)
    old = show(here, feed(here, "one"), SHORT, "Title", LOST)
    with here.transaction() as connection:
        put(connection, "scrape_state", article_uuid=old, status="failed")
        put(connection, "syntheses", user_id=users.user_id_of("owner"))
        put(connection, "synthesis_items", article_uuid=old)
    show(there, feed(there, "two"), SHORT, None, MOVED)
    both(here, there)
    (one,) = rows(here, "extracted_article_urls")
    assert one["article_detected_utc_iso"] == here.now_iso
    assert (one["article_url_final"], one["article_title"]) == (FINAL, "Title")
    assert (one["article_url_original"], one["url_notes"]) == (SHORT, "resolved_redirects")
    assert rows(here, "synthesis_items")[0]["article_uuid"] == article_uuid(FINAL)
    assert rows(here, "scrape_state") == []
    assert {row["status"] for row in rows(here, "url_resolutions")} == {"resolved"}
    assert len(rows(here, "article_source_mentions")) == 2


def test_an_article_that_another_address_is_known_to_lead_to_stays(on: Opener) -> None:
    here, there = on("a"), on("b")
    source = feed(here, "one")
    show(here, source, SHORT + "?utm_a=1", None, HERE)
    show(here, source, SHORT, None, LOST)
    show(there, feed(there, "two"), SHORT, None, MOVED)
    both(here, there)
    assert len(rows(here, "extracted_article_urls")) == 2
    assert [row["article_uuid"] for row in rows(here, "article_source_mentions")].count(
        article_uuid(FINAL)
    ) == 2


def test_waiting_addresses_that_are_twins_are_joined_once(on: Opener) -> None:
    here, there = on("a", 0), on("b", 1)
    show(here, feed(here), "https://e.org/a", None, LOST)
    show(there, feed(there), "https://e.org/a/", None, HERE)
    show(there, feed(there), "https://e.org/a", None, HERE)
    both(here, there)
    (one,) = rows(here, "extracted_article_urls")
    assert one["article_url_final"] == "https://e.org/a"


def test_a_version_that_has_moved_meets_itself(on: Opener) -> None:
    here, there = on("a", 0), on("b", 1)
    old = show(here, feed(here), SHORT, None, LOST)
    (waiting,) = resolutions.unresolved(here)
    with here.transaction() as connection:
        put(connection, "scraped_articles", article_uuid=old, scrape_id=uuid(99))
    resolutions.settle(here, waiting, ledger_url(SHORT, FINAL), MOVED)
    new = show(there, feed(there), FINAL)
    with there.transaction() as connection:
        put(connection, "scraped_articles", article_uuid=new, scrape_id=uuid(98))
    both(here, there)
    (version,) = rows(here, "scraped_articles")
    assert (version["scrape_id"], rows(here, "article_documents")[0]["scrape_id"]) == (uuid(98), uuid(98))


def test_an_id_that_two_versions_have(on: Opener) -> None:
    here, there = on("a"), on("b")
    for db, url in ((here, FINAL), (there, "https://e.org/b")):
        one = show(db, feed(db), url)
        with db.transaction() as connection:
            put(connection, "scraped_articles", article_uuid=one, scrape_id=uuid(99))
    both(here, there)
    assert len(rows(here, "scraped_articles")) == 2


# --- sources ----------------------------------------------------------------------------------


def test_sources_are_the_same_by_address_under_this_files_numbers(on: Opener) -> None:
    here, there = on("a"), on("b")
    feed(here, "one")
    for name in ("two", "one", "three"):
        show(there, feed(there, name), f"https://e.org/{name}")
    both(here, there)
    assert [(s.source_uuid, s.source_name) for s in sources.list_all(here)] == [
        ("W_RSS_1", "one"),
        ("W_RSS_2", "three"),
        ("W_RSS_3", "two"),
    ]
    found = {row["source_uuid"]: row["article_url_final"] for row in rows(here, "extracted_article_urls")}
    assert found == {
        "W_RSS_1": "https://e.org/one",
        "W_RSS_2": "https://e.org/three",
        "W_RSS_3": "https://e.org/two",
    }
    assert feed(here, "four").source_uuid == "W_RSS_4"


@pytest.mark.parametrize("days", [0, 2])
def test_a_feed_here_and_a_page_there(on: Opener, days: int) -> None:
    here, there = on("a", 1), on("b", days)
    show(here, feed(here, "one"), FINAL)
    page = sources.insert(there, NewSource("https://one.example/feed", "page", "Direct")).source
    show(there, page, "https://e.org/b")
    both(here, there)
    (one,) = sources.list_all(here)
    assert (one.source_uuid, one.source_name) == (("W_DIRECT_1", "page") if days else ("W_RSS_1", "one"))
    assert {row["source_uuid"] for row in rows(here, "extracted_article_urls")} == {one.source_uuid}


# --- users and the library --------------------------------------------------------------------


def test_what_was_shown_was_shown_first_when_it_was(on: Opener) -> None:
    here, there = on("a", 1), on("b", 0)
    for db in (here, there):
        with db.transaction() as connection:
            history.insert_urls(db, connection, users.user_id_of("owner"), [(FINAL, url_hash(FINAL))])
    (one,) = rows(both(here, there), "article_history")
    assert one["created_at"] == there.now_iso


def test_a_new_files_settings_do_not_beat_chosen_ones(on: Opener) -> None:
    here, later = on("a", 0), on("a", 1)
    with later.transaction() as connection:
        connection.execute("UPDATE plan_definitions SET max_tracked_urls = 77 WHERE plan = 'free'")
    both(here, on("b", 5))
    assert {row["plan"]: row["max_tracked_urls"] for row in rows(here, "plan_definitions")}["free"] == 77


def watch(db: Database, name: str, *urls: str) -> str:
    user = users.user_id_of(name)
    if not db.rows("SELECT 1 FROM users WHERE name = :name", {"name": name}):
        users.add(db, name)
    for url in urls:
        with db.transaction() as connection:
            page = library.get_or_create_global_url_by_canonical(db, connection, url, url=url, wish=Wish())
            library.link(db, connection, user, page.url_id)
    return user


def test_a_merge_never_shows_more_of_the_past(on: Opener) -> None:
    here, there = on("a", 0), on("b", 1)
    user = watch(here, "anna", "https://shop.example/lamp")
    watch(there, "anna", "https://shop.example/lamp")
    both(here, there)
    assert library.gates(here, user) == {url_id("https://shop.example/lamp"): there.now_iso}
    opened = on("c", 9)
    watch(opened, "anna", "https://shop.example/lamp")
    library.unlock_history(opened, user)
    both(here, opened)
    assert library.gates(here, user) == {url_id("https://shop.example/lamp"): there.now_iso}


def test_a_plan_is_not_exceeded_in_silence(on: Opener) -> None:
    here, there = on("a"), on("b")
    watch(here, "anna", *(f"https://shop.example/{n}" for n in range(6)))
    watch(there, "anna", *(f"https://shop.example/{n}" for n in range(4, 12)))
    done = merging.merge(here, there.path)
    assert done.over_cap == (merging.OverCap("anna", "free", 12, 10),)
    with pytest.raises(RuleBroken, match="url cap reached"), here.transaction() as connection:
        put(connection, "urls", id=uuid(77), canonical_url="https://x.example/", brand_id=None)
        put(connection, "user_url_library", user_id=users.user_id_of("anna"), url_id=uuid(77))


@pytest.mark.parametrize("days", [0, 2])
def test_of_two_looks_of_the_older_tracker_on_one_day_the_first_counts(on: Opener, days: int) -> None:
    here, there = on("a"), on("b")
    for db, look, hour in ((here, uuid(31), 5), (there, uuid(32), 4 + days)):
        watch(db, "anna", "https://shop.example/lamp")
        with db.transaction() as connection:
            page = {"url_id": url_id("https://shop.example/lamp")}
            at = {"checked_at": f"2026-02-12T0{hour}:00:00+00:00", "checked_day": "2026-02-12"}
            put(connection, "url_observations", page, at, id=look, origin="v1")
            put(connection, "url_change_events", page, id=uuid(hour), observation_id=look)
    both(here, there)
    (look,) = rows(here, "url_observations")
    assert look["id"] == (uuid(31) if days else uuid(32))
    assert [row["observation_id"] for row in rows(here, "url_change_events")] == [look["id"]] * 2


def test_counted_points_are_counted_anew(on: Opener) -> None:
    here, there = on("a"), on("b")
    with here.transaction() as connection:
        put(connection, "trend_definitions")
        put(connection, "trend_points")
    merging.merge(here, there.path)
    assert len(rows(here, "trend_points")) == 1
    feed(there)
    merging.merge(here, there.path)
    assert rows(here, "trend_points") == []


def test_trends_are_counted_after_all_files_are_in(on: Opener) -> None:
    from digestlog.jobs.merge import merge
    from digestlog.store import trends

    here, there = on("a"), on("b")
    show(here, feed(here), FINAL)
    trends.refresh(here)
    merge(here, [there.path], lambda merged: None)
    show(there, feed(there), "https://e.org/b")
    merge(here, [there.path], lambda merged: None, dry_run=True)
    before = points(here)
    merge(here, [there.path], lambda merged: None)
    assert (before, points(here)) == ([1.0], [2.0])


def points(db: Database) -> list[float]:
    """How many articles were found, by day."""
    found = db.rows(
        """SELECT value FROM trend_points JOIN trend_definitions ON id = trend_id
        WHERE name = 'discoveries' ORDER BY day"""
    )
    return [row["value"] for row in found]


def test_without_trends_nothing_is_counted(on: Opener) -> None:
    from digestlog.jobs.merge import merge

    here, there = on("a"), on("b")
    feed(there)
    merge(here, [there.path], lambda merged: None)
    assert rows(here, "trend_definitions") == []


def test_a_list_of_domains_is_taken_whole(on: Opener) -> None:
    here, there = on("a", 0), on("b", 1)
    for db, domains in ((here, ["a.example", "b.example"]), (there, ["c.example"])):
        times = {"created_at": db.now_iso}
        with db.transaction() as connection:
            put(connection, "policy_lists", times, updated_at=db.now_iso, domains=len(domains))
            for domain in domains:
                put(connection, "policy_domains", times, domain=domain)
    both(here, there)
    assert [row["domain"] for row in rows(here, "policy_domains")] == ["c.example"]


# --- what is promised of every merge ----------------------------------------------------------


def test_every_table_has_a_rule(filled: sqlite3.Connection) -> None:
    tables = {
        row["name"]
        for row in filled.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not row["name"].startswith("article_search")
    }
    ruled = [rule.table for rule in merge_rules.RULES]
    assert len(ruled) == len(set(ruled))
    assert {*ruled, *merge_rules.BESIDE} == tables


def schema(db: Database) -> list[tuple[Any, ...]]:
    return [
        tuple(row) for row in db.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2")
    ]


def test_the_rules_are_back_afterwards(on: Opener) -> None:
    here, there = on("a"), on("b")
    show(here, feed(here), FINAL)
    show(there, feed(there), FINAL)
    before = schema(here)
    merging.merge(here, there.path, dry_run=True)
    assert schema(here) == before
    merging.merge(here, there.path)
    assert schema(here) == before
    with pytest.raises(RuleBroken, match="never change"), here.transaction() as connection:
        connection.execute("UPDATE extracted_article_urls SET created_at = '2020-01-01T00:00:00+00:00'")


def test_a_merge_that_fails_changes_nothing(on: Opener) -> None:
    here, there = on("a"), on("b")
    feed(there)
    users.add(here, "anna")
    with there.transaction() as connection:
        put(connection, "users", id=uuid(9), name="anna")
    before = contents(here.path), schema(here)
    with pytest.raises(IdentityCollision, match="anna"):
        merging.merge(here, there.path)
    assert (contents(here.path), schema(here)) == before
    assert [row["name"] for row in here.rows("PRAGMA database_list")] == ["main"]


def test_the_other_file_stays_byte_for_byte(on: Opener, tmp_path: Path, now: datetime) -> None:
    here = on("a")
    with open_database(tmp_path / "b.db", now=now) as there:
        feed(there)
    before = {path.name: path.read_bytes() for path in tmp_path.glob("b.db*")}
    merging.merge(here, tmp_path / "b.db")
    assert {path.name: path.read_bytes() for path in tmp_path.glob("b.db*")} == before


def test_a_file_in_use_is_merged_as_far_as_it_is_committed(on: Opener) -> None:
    here, there = on("a"), on("b")
    feed(there, "one")
    with there.transaction() as connection:
        connection.execute("UPDATE sources_master_list SET source_name = 'half done'")
        merging.merge(here, there.path)
    assert [source.source_name for source in sources.list_all(here)] == ["one"]


def test_a_file_that_is_written_while_it_is_copied(
    on: Opener, tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    from digestlog.store import db as module

    here = on("a")
    open_database(tmp_path / "b.db", now=now).close()
    copy, modes = module._copy, []

    def busy(path: Path, target: Path, traces: frozenset[object], timeout: float) -> None:
        modes.append(module._mode(traces))
        copy(path, target, traces, timeout)
        if len(modes) == 1:
            with open_database(path, now=now) as writer:
                feed(writer)

    monkeypatch.setattr(module, "_copy", busy)
    merging.merge(here, tmp_path / "b.db")
    assert modes == ["ro&immutable=1", "ro"]
    assert len(sources.list_all(here)) == 1


def test_what_is_no_file_of_ours_is_refused(on: Opener, tmp_path: Path) -> None:
    here = on("a")
    (tmp_path / "text.db").write_text("not a database")
    with pytest.raises(NotADigestlogFile):
        merging.merge(here, tmp_path / "text.db")
    with pytest.raises(ConfigError, match="is not there"):
        merging.merge(here, tmp_path / "none.db")
    with pytest.raises(ConfigError, match="the file itself"):
        merging.merge(here, here.path)


@pytest.mark.parametrize("stamp", ["PRAGMA user_version = 99", "UPDATE url_identity SET canon_version = 99"])
def test_a_newer_file_is_refused(on: Opener, tmp_path: Path, now: datetime, stamp: str) -> None:
    here = on("a")
    open_database(tmp_path / "b.db", now=now).close()
    with closing(sqlite3.connect(tmp_path / "b.db", isolation_level=None)) as connection:
        connection.execute(stamp)
    before = (tmp_path / "b.db").read_bytes()
    with pytest.raises(SchemaVersionError):
        merging.merge(here, tmp_path / "b.db")
    assert (tmp_path / "b.db").read_bytes() == before


def test_it_says_what_it_merged(on: Opener) -> None:
    here, there = on("a", 1), on("b", 0)
    show(here, feed(here, "one"), FINAL)
    show(there, feed(there, "one"), FINAL)
    show(there, feed(there, "two"), "https://e.org/b")
    done = merging.merge(here, there.path)
    assert done.tables["extracted_article_urls"] == {"added": 1, "changed": 1, "kept": 1}
    assert done.tables["article_source_mentions"] == {"added": 1, "changed": 1, "kept": 0}
    assert (done.joined_articles, done.sum("added")) == (0, 4)
