"""A file in which everything that a free user may not see carries a mark, and what they may another."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from store.rows import ROWS, put, uuid

from digestlog.core import canonical
from digestlog.store import access
from digestlog.store.db import open_database

MARK, OPEN = "zqxforbidden", "zqxallowed"
ANNA, BOB = uuid(801), uuid(802)
EPOCH = 918273645
START = "2026-02-12T00:00:00+00:00"
BEFORE, AFTER = "2026-02-10T00:00:00+00:00", "2026-02-14T00:00:00+00:00"
NOW = datetime(2026, 2, 15, tzinfo=UTC)
HASH = "f0f1f2f3" * 8
MINE, LEFT, THEIRS = (
    f"https://shop.example/{word}" for word in (f"{OPEN}-lamp", f"{MARK}-left", f"{MARK}-theirs")
)
# Tables with no room for a mark: numbers, ids, the names of plans.
WITHOUT_MARK = {
    "clock",
    "url_identity",
    "file_owner",
    "source_numbers",
    "plan_definitions",
    "told_events",
    "article_documents",
    "article_completions",
    "push_targets",
    "change_log",
}


@dataclass(frozen=True)
class Marked:
    """The file, and every text that must not come out of it."""

    path: Path
    owner: str
    forbidden: tuple[str, ...]


def marked_file(folder: Path) -> Marked:
    """A new file in a folder whose name is a secret too."""
    path = folder / f"{MARK}-path.db"
    with open_database(path, now=NOW, frozen=True) as db:
        connection = db.connection
        (owner,) = connection.execute("SELECT id FROM users").fetchone()
        connection.execute("UPDATE users SET password_hash = ?, session_epoch = ?", (f"{MARK}-scrypt", EPOCH))
        _users(connection)
        _ledger(connection)
        _library(connection, owner)
        _digests(connection)
        _others(connection)
        connection.execute("INSERT INTO clock (id, now_utc_iso) VALUES (1, '2026-02-15T00:00:00+00:00')")
        connection.execute("DELETE FROM clock")
        access.give_feed(db, BOB)
        hashes = [row[0] for row in connection.execute("SELECT token_sha256 FROM access_tokens")]
    places = (str(folder), str(path), path.name)
    traces = ("Traceback", "site-packages", 'File "', "sqlite3.")
    secrets = (MARK, str(EPOCH), owner, BOB, HASH, *hashes)
    return Marked(path, owner, (*secrets, *places, *traces))


def marks(path: Path) -> set[str]:
    """The tables that hold a mark."""
    with sqlite3.connect(path) as connection:
        found = set()
        for table in ROWS:
            text = str([tuple(row) for row in connection.execute(f"SELECT * FROM {table}")])
            if MARK in text or MARK.encode().hex() in text or HASH in text or BOB in text:
                found.add(table)
    connection.close()
    return found


def _users(connection: sqlite3.Connection) -> None:
    for user, name in ((ANNA, f"{OPEN}-anna"), (BOB, f"{MARK}-bob")):
        put(connection, "users", id=user, name=name, password_hash=f"{MARK}-hash", session_epoch=EPOCH)
        put(connection, "subscriptions", user_id=user, plan="free")
        word = OPEN if user == ANNA else MARK
        put(connection, "onboarding_state", user_id=user, step=word)
        put(connection, "settings", user_id=user)
        number = 810 + (user == BOB)
        put(connection, "categories", id=uuid(number), user_id=user, name=word, keywords=f'["{word}"]')
        put(connection, "article_history", id=uuid(number), user_id=user, url=f"https://x.example/{word}")


def _ledger(connection: sqlite3.Connection) -> None:
    article = f"https://example.com/{MARK}"
    key = canonical.article_uuid(article)
    urls = {"article_url_original": article, "article_url_final": article}
    put(connection, "sources_master_list", source_name=MARK, source_url=f"https://example.com/{MARK}/feed")
    put(connection, "source_fetch_state", last_error=MARK)
    put(connection, "extracted_article_urls", urls, article_uuid=key, article_title=MARK)
    put(connection, "article_source_mentions", article_uuid=key, article_url_original=article)
    put(connection, "url_resolutions", article_uuid=key, article_url_original=article)
    left = f'[["https://example.com/{MARK}-left", "outside_window", null]]'
    put(connection, "source_left_out", left_out=left)
    put(
        connection,
        "scraped_articles",
        article_uuid=key,
        title=MARK,
        content_text=f"{MARK} text",
        content_sha256=HASH,
    )
    put(connection, "scrape_state", article_uuid=key, last_error=MARK)
    put(connection, "scan_runs", error=MARK)
    put(connection, "scan_source_results", error=MARK)
    put(connection, "user_sources", user_id=BOB)
    _own_source(connection)
    put(connection, "provider_answers", answer=f'{{"a": "{MARK}"}}')


def _own_source(connection: sqlite3.Connection) -> None:
    """A source that anna reads. It has shown an article that the other source has shown too."""
    article = f"https://example.com/{OPEN}"
    key = canonical.article_uuid(article)
    own = {"source_uuid": "W_RSS_2", "source_url": f"https://example.com/{MARK}/key"}
    put(connection, "sources_master_list", own, source_name=OPEN, is_active=1, paused_reason=None)
    put(connection, "user_sources", user_id=ANNA, source_uuid="W_RSS_2")
    connection.execute("UPDATE source_numbers SET last_number = 2")
    urls = {"article_url_original": f"{article}?{MARK}", "article_url_final": article}
    match = {"url_original_to_final_match": 0}
    put(connection, "extracted_article_urls", urls, match, article_uuid=key, article_title=OPEN)
    put(connection, "article_source_mentions", article_uuid=key, article_url_original=f"{article}?{MARK}")
    put(
        connection,
        "article_source_mentions",
        article_uuid=key,
        source_uuid="W_RSS_2",
        article_url_original=article,
    )
    for written in (f"{article}?{MARK}", article):
        put(connection, "url_resolutions", article_uuid=key, article_url_original=written)


def _library(connection: sqlite3.Connection, owner: str) -> None:
    for number, word in ((821, OPEN), (822, MARK)):
        put(connection, "brand_library_brands", id=uuid(number), name=word, domain=f"{word}.example")
        put(connection, "brand_domains", domain=f"{word}.{MARK}.example", brand_id=uuid(number))
    for number, page in ((831, MINE), (832, LEFT), (833, THEIRS)):
        brand = uuid(821 if page == MINE else 822)
        put(connection, "urls", id=uuid(number), canonical_url=page, url=page, brand_id=brand)
        put(connection, "url_check_state",
        url_id=uuid(number), memory=f'{{"{MARK}": 1}}', content_sha256=None,
            observation_id=None)  # fmt: skip
    for number, user, page, active in (
        (841, ANNA, 831, 1), (842, ANNA, 832, 0), (843, BOB, 831, 1), (844, BOB, 832, 1), (845, BOB, 833, 1),
    ):  # fmt: skip
        put(
            connection, "user_url_library", id=uuid(number), user_id=user, url_id=uuid(page), is_active=active
        )
        connection.execute(
            "UPDATE user_url_library SET history_start_at = ? WHERE id = ?", (START, uuid(number))
        )
    for number, (page, at) in enumerate(
        [(831, AFTER), (831, BEFORE), (832, AFTER), (833, AFTER), (833, BEFORE)], start=850
    ):
        _seen(connection, number, uuid(page), at, OPEN if (page, at) == (831, AFTER) else MARK)
    for number, user in ((861, ANNA), (862, BOB)):
        word = OPEN if user == ANNA else MARK
        row = {"id": uuid(number), "user_id": user, "submitted_url": word, "canonical_url": word}
        put(connection, "url_submissions", row, status="pending", matched_url_id=None)
        evidence = f'{{"hostname": "{word}", "pattern": null, "reason": ""}}'
        put(connection, "url_policy_decisions",
        id=uuid(number), submission_id=uuid(number), evidence=evidence,
            decided_by=owner)  # fmt: skip


def _seen(connection: sqlite3.Connection, number: int, page: str, at: str, word: str) -> None:
    look = {"id": uuid(number), "url_id": page, "checked_at": at, "checked_day": at[:10], "error": word}
    put(connection, "url_observations", look)
    event = {"id": uuid(number), "url_id": page, "observation_id": uuid(number), "detected_at": at}
    put(connection, "url_change_events", event, before=word, after=word, diff=f'[["+", "{word}"]]')
    put(connection, "url_change_summaries", id=uuid(number), event_id=uuid(number), summary=word, method=word)
    rendering = {"id": uuid(number), "url_id": page, "observation_id": uuid(number), "content": word.encode()}
    put(connection, "url_render_artifacts", rendering)
    put(connection, "told_events", user_id=ANNA, event_id=uuid(number))


def _digests(connection: sqlite3.Connection) -> None:
    for number, user in ((871, ANNA), (872, BOB)):
        word = OPEN if user == ANNA else MARK
        digest = {"synthesis_id": uuid(number), "article_uuid": None, "url": f"https://x.example/{word}"}
        put(connection, "syntheses", id=uuid(number), user_id=user, title=word)
        put(
            connection,
            "synthesis_items",
            digest,
            id=uuid(number),
            title=word,
            summary=word,
            why=word,
            source=word,
        )
        put(connection, "synthesis_candidates", digest, detail=word)


def _others(connection: sqlite3.Connection) -> None:
    for number, scope, active, series in (
        (881, "all", 1, OPEN), (882, "all", 0, MARK), (883, "brand", 1, uuid(822)), (884, "category",
        1, MARK),
        (885, "reason", 1, MARK),
    ):  # fmt: skip
        name = f"{OPEN if active else MARK}-{number}"
        put(connection, "trend_definitions", id=uuid(number), name=name, scope=scope, is_active=active)
        put(
            connection,
            "trend_points",
            trend_id=uuid(number),
            series=series,
            value=77123.0 if series == uuid(822) else 1,
        )
    put(connection, "policy_rules", pattern=MARK, words=MARK)
    put(connection, "policy_lists", name=MARK, words=MARK)
    put(connection, "policy_domains", list_name=MARK, domain=f"{MARK}.example")
    put(connection, "url_contents", content_sha256=HASH, content=MARK.encode())
    put(connection, "tracked_urls", user_id=BOB, url=MARK, canonical_url=None)
    put(connection, "url_checks", error=MARK)
    put(connection, "url_changes", before=MARK, after=MARK)
    put(connection, "summaries", summary=MARK)
    put(connection, "url_renders", content=MARK.encode())
