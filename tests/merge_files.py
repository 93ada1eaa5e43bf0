"""Small files that overlap in every way: drawn row by row, and compared without what is each file's own."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from store.rows import ROWS, put, uuid

from digestlog.core.canonical import article_uuid, url_hash
from digestlog.resources import schema_sql
from digestlog.store.creation import first_rows
from digestlog.store.db import APPLICATION_ID
from digestlog.store.merge_rules import BESIDE, RULES
from digestlog.store.scrapes import scrape_id

TIMES = [f"2026-02-{day:02}T09:00:00+00:00" for day in range(1, 6)]
USERS = [uuid(1), uuid(2)]
FEEDS = ["https://one.example/feed", "https://two.example/feed", "https://three.example/"]
TWINS = ["https://e.org/a", "https://e.org/a/", "http://e.org/a"]
FINAL, SHORT = "https://e.org/b", "https://t.example/x"
SPELLINGS = [SHORT, SHORT + "?utm_a=1", SHORT + "#1"]
PAGES = ["https://shop.example/lamp", "https://shop.example/desk"]
HASHES = ["a" * 64, "b" * 64]

Row = dict[str, Any]
Rows = dict[str, list[Row]]

# Values that two files may give one row differently; times come by themselves.
CHOICES: dict[str, dict[str, Sequence[Any]]] = {
    "users": {"role": ["admin", "user"], "session_epoch": [0, 1, 2], "password_hash": [None, "p", "q"]},
    "plan_definitions": {"max_tracked_urls": [None, 1, 10], "full_history": [0, 1]},
    "subscriptions": {"plan": ["free", "paid"], "status": ["active", "canceled"]},
    "onboarding_state": {"step": ["one", "two"], "completed_at": [None, *TIMES[:2]]},
    "settings": {"language": ["en", "fr"], "article_history_days": [0, 90]},
    "source_fetch_state": {"etag": [None, '"a"', '"b"'], "last_scanned_at": [None, *TIMES[:3]]},
    "source_left_out": {"left_out": ["[]", '[["https://e.org/", "undated", null]]']},
    "article_source_mentions": {
        "first_seen_at": TIMES,
        "found_by": [None, "feed"],
        "published_raw": ["x", "y"],
    },
    "scrape_state": {"status": ["ok", "failed"], "attempts": [1, 2], "last_error": [None, "slow"]},
    "scan_runs": {"finished_at": [None, TIMES[1]], "outcome": ["running", "ok"]},
    "scan_source_results": {"entries": [1, 2]},
    "categories": {"description": [None, "x"], "position": [0, 1]},
    "article_history": {"url": ["https://e.org/a", "https://e.org/A"]},
    "syntheses": {"title": [None, "Monday"]},
    "synthesis_items": {"score": [None, 0.1, 2.5], "summary": [None, 'It\'s "so"']},
    "synthesis_candidates": {"outcome": ["taken", "history"]},
    "provider_answers": {"answer": ["{}", '{"a": 1}']},
    "brand_library_brands": {"name": ["Shop", "Store"]},
    "urls": {
        "url": ["https://shop.example/lamp?a", "https://shop.example/lamp?b"],
        "check_frequency": ["daily", "weekly"],
        "next_check_at": [None, TIMES[4]],
        "last_checked_at": [None, *TIMES[:3]],
    },
    "url_submissions": {"submitted_url": ["shop.example/lamp", "https://shop.example/lamp"]},
    "url_policy_decisions": {"decision": ["allow", "block"]},
    "policy_rules": {"decision": ["allow", "block"], "words": [None, "x"]},
    "user_url_library": {"is_active": [0, 1], "history_start_at": [None, *TIMES[:3]]},
    "url_observations": {"http_status": [200, 404], "error": [None, "slow"]},
    "url_contents": {"content": [b"one", b"two"]},
    "url_check_state": {"memory": ["{}", '{"a": 1}'], "body": [None, b"\0\xff"], "etag": [None, "x"]},
    "url_change_events": {"state": ["real", "provisional"], "magnitude": [0.1, 0.25]},
    "url_change_summaries": {"summary": ["Less", "More"]},
    "url_render_artifacts": {"content": [b"one", b"two"]},
    "trend_definitions": {"is_active": [0, 1]},
    "tracked_urls": {"is_active": [0, 1]},
    "url_checks": {"status_code": [200, 404]},
    "url_changes": {"before": [None, "9"]},
    "summaries": {"summary": ["Less", "More"]},
    "url_renders": {"content": [b"8", b"9"]},
}
# Tables of one or two plain rows, which need nothing that is not in every file.
_PLAIN = (
    "onboarding_state settings categories article_history syntheses provider_answers brand_library_brands"
    " brand_domains policy_rules urls user_url_library url_submissions url_policy_decisions url_observations"
    " url_contents url_check_state url_change_events url_change_summaries told_events url_render_artifacts"
    " trend_definitions tracked_urls url_checks url_changes summaries url_renders scan_runs"
).split()


@st.composite
def files(draw: st.DrawFn, *, spellings: int = 1, plain: bool = False) -> Rows:
    """The rows of a file; with one spelling of the short address, or hostile ones that disagree.

    `plain`: every thing has one id, wherever it is seen.
    """
    rows: Rows = {}
    for name in ("users", "plan_definitions", "subscriptions"):
        rows[name] = [_row(draw, name, **key) for key in _KEYS[name]]
    rows["sources_master_list"] = _sources(draw, plain=plain)
    numbers = {one["source_url"]: one["source_uuid"] for one in rows["sources_master_list"]}
    for name in ("source_fetch_state", "source_left_out", "user_sources"):
        rows[name] = [
            _row(draw, name, source_uuid=n, **_user(name)) for n in numbers.values() if _maybe(draw)
        ]
    _articles(draw, rows, list(numbers.values()), 0 if plain else spellings, plain=plain)
    # Children name their parents by fixed ids: a table is there only if all before it in its chain are.
    for name in _PLAIN:
        if all(rows.get(parent) for parent in _PARENTS.get(name, ())) and _maybe(draw):
            rows[name] = [_row(draw, name, **_KEYS.get(name, [{}])[0])]
    if rows.get("scan_runs"):
        rows["scan_source_results"] = [
            _row(draw, "scan_source_results", source_uuid=n) for n in numbers.values() if _maybe(draw)
        ]
    if not plain:
        _looks_of_a_day(draw, rows)
    _items(draw, rows)
    _lists(draw, rows)
    return rows


_KEYS: dict[str, list[Row]] = {
    "users": [{"id": USERS[0], "name": "anna"}, {"id": USERS[1], "name": "ben"}],
    "plan_definitions": [{"plan": "free"}, {"plan": "paid"}],
    "subscriptions": [{"user_id": USERS[0]}, {"user_id": USERS[1]}],
    "article_history": [{"url_hash": url_hash("https://e.org/a")}],
    "urls": [{"brand_id": None}],
}
_PARENTS = {
    "brand_domains": ["brand_library_brands"],
    "user_url_library": ["urls"],
    "url_submissions": ["urls"],
    "url_policy_decisions": ["url_submissions"],
    "url_observations": ["urls"],
    "url_check_state": ["urls", "url_contents", "url_observations"],
    "url_change_events": ["urls", "url_observations"],
    "url_change_summaries": ["url_change_events"],
    "told_events": ["url_change_events"],
    "url_render_artifacts": ["url_observations"],
    "url_checks": ["tracked_urls"],
    "url_changes": ["url_checks"],
    "summaries": ["url_changes"],
    "url_renders": ["url_checks"],
}


def _maybe(draw: st.DrawFn) -> bool:
    return draw(st.booleans())


def _user(table: str) -> Row:
    return {"user_id": USERS[0]} if table == "user_sources" else {}


def _row(draw: st.DrawFn, table: str, **fixed: Any) -> Row:
    """A row of a table with values of its own, made at one time and perhaps changed at a later one."""
    values = {name: draw(st.sampled_from(list(some))) for name, some in CHOICES.get(table, {}).items()}
    row = ROWS[table] | values | _times(draw, table) | fixed
    if table == "policy_rules" or table == "url_policy_decisions":
        row["reason_code"] = "unknown"
    return row


def _times(draw: st.DrawFn, table: str) -> Row:
    created, updated = sorted(draw(st.tuples(st.sampled_from(TIMES), st.sampled_from(TIMES))))
    return {"created_at": created} | ({"updated_at": updated} if table in CHANGING else {})


def _sources(draw: st.DrawFn, *, plain: bool) -> list[Row]:
    """Sources in an order, and so under numbers, of each file's own."""
    rows = []
    for number, url in enumerate(draw(st.permutations(FEEDS)), start=draw(st.integers(1, 3))):
        method = draw(st.sampled_from(["RSS", "Direct"])) if url == FEEDS[2] and not plain else "RSS"
        own = {
            "source_url": url,
            "url_scraping_method": method,
            "source_uuid": f"W_{method.upper()}_{number}",
            "source_name": draw(st.sampled_from(["A", "B"])),
            "is_active": draw(st.integers(0, 1)),
        }
        rows.append(ROWS["sources_master_list"] | own | _times(draw, "sources_master_list"))
    return rows


def _articles(draw: st.DrawFn, rows: Rows, sources: list[str], spellings: int, *, plain: bool) -> None:
    finals = [draw(st.sampled_from([None, *TWINS[: 1 if plain else 3]])), FINAL if _maybe(draw) else None]
    rows["url_resolutions"] = []
    short = False
    for spelling in SPELLINGS[:spellings]:
        status = draw(st.sampled_from([None, "unresolved", "failed", "resolved"]))
        target = FINAL if status == "resolved" and (spellings == 1 or _maybe(draw)) else SHORT
        if status is None or (target == FINAL and finals[1] is None):
            continue
        short = short or target == SHORT
        rows["url_resolutions"].append(_resolution(draw, spelling, status, target))
    for final in [*finals, SHORT if short else None]:
        if final is not None:
            _article(draw, rows, final, sources, plain=plain)
    if finals[0] is not None:
        rows["url_resolutions"].append(_resolution(draw, TWINS[0], "resolved", finals[0]))


def _resolution(draw: st.DrawFn, original: str, status: str, target: str) -> Row:
    return ROWS["url_resolutions"] | {
        "article_url_original": original,
        "article_uuid": article_uuid(target),
        "status": status,
        "resolved_url": target if status == "resolved" else None,
        "next_attempt_at": TIMES[4] if status == "unresolved" else None,
        "attempts": draw(st.integers(1, 2)),
        **_times(draw, "url_resolutions"),
    }


def _article(draw: st.DrawFn, rows: Rows, final: str, sources: list[str], *, plain: bool) -> None:
    uuid_, detected = article_uuid(final), draw(st.sampled_from(TIMES))
    own = {
        "article_uuid": uuid_,
        "source_uuid": draw(st.sampled_from(sources)),
        "article_url_original": final,
        "article_url_final": final,
        "article_title": draw(st.sampled_from([None, "One", "Two"])),
        "published_utc_iso": draw(st.sampled_from([None, *TIMES[:2]])),
        "article_detected_utc_iso": detected,
        "created_at": detected,
        "updated_at": max(detected, draw(st.sampled_from(TIMES))),
        "url_notes": draw(st.sampled_from([None, "removed_fragment"])),
    }
    rows.setdefault("extracted_article_urls", []).append(ROWS["extracted_article_urls"] | own)
    later = [time for time in TIMES if time > detected]
    for field in ("article_title", "published_utc_iso"):
        if own[field] is not None and later and _maybe(draw):
            at = draw(st.sampled_from(later))
            row = {"article_uuid": uuid_, "field": field, "completed_at": at, "created_at": at}
            rows.setdefault("article_completions", []).append(row)
    for source in sources:
        if _maybe(draw):
            mention = _row(draw, "article_source_mentions", article_uuid=uuid_, source_uuid=source)
            rows.setdefault("article_source_mentions", []).append(mention)
    _versions(draw, rows, uuid_, detected, plain=plain)
    if _maybe(draw):
        rows.setdefault("scrape_state", []).append(_row(draw, "scrape_state", article_uuid=uuid_))


def _versions(draw: st.DrawFn, rows: Rows, article: str, created_at: str, *, plain: bool) -> None:
    """Texts of an article, some under the id that they had at another address, and the one that counts."""
    ids: list[str | None] = [None]
    for text, digest in zip(("harbour", "market"), HASHES, strict=True):
        if _maybe(draw):
            moved = not plain and _maybe(draw)
            ids.append(scrape_id(article + ("moved" if moved else ""), digest))
            own = {
                "scrape_id": ids[-1],
                "article_uuid": article,
                "scraped_at": draw(st.sampled_from(TIMES)),
                "content_text": text,
                "content_sha256": digest,
                "created_at": draw(st.sampled_from(TIMES)),
            }
            rows.setdefault("scraped_articles", []).append(ROWS["scraped_articles"] | own)
    own = {
        "article_uuid": article,
        "scrape_id": draw(st.sampled_from(ids)),
        "created_at": created_at,
        "updated_at": max(created_at, draw(st.sampled_from(TIMES))),
    }
    rows.setdefault("article_documents", []).append(own)


def _looks_of_a_day(draw: st.DrawFn, rows: Rows) -> None:
    """A look that came from the older tracker: of one day, under an id of its own, with what hangs on it."""
    if not (rows.get("urls") and _maybe(draw)):
        return
    look = uuid(draw(st.integers(40, 42)))
    hour = draw(st.integers(0, 2))
    own = {"origin": "v1", "checked_at": f"2026-02-01T0{hour}:00:00+00:00", "checked_day": "2026-02-01"}
    rows.setdefault("url_observations", []).append(
        ROWS["url_observations"] | own | {"id": look, "created_at": TIMES[0]}
    )
    artifact = _row(draw, "url_render_artifacts", id=uuid(50), observation_id=look)
    rows.setdefault("url_render_artifacts", []).append(artifact)


def _items(draw: st.DrawFn, rows: Rows) -> None:
    if not rows.get("syntheses"):
        return
    articles = [None, *(one["article_uuid"] for one in rows.get("extracted_article_urls", []))]
    for table in ("synthesis_items", "synthesis_candidates"):
        rows[table] = [_row(draw, table, article_uuid=draw(st.sampled_from(articles)))]


def _lists(draw: st.DrawFn, rows: Rows) -> None:
    if not _maybe(draw):
        return
    domains = draw(st.sets(st.sampled_from(["a.example", "b.example", "c.example"])))
    rows["policy_lists"] = [_row(draw, "policy_lists", domains=len(domains))]
    rows["policy_domains"] = [
        ROWS["policy_domains"] | {"domain": one, "created_at": TIMES[0]} for one in sorted(domains)
    ]


def _columns() -> dict[str, list[str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema_sql())
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: [column[1] for column in connection.execute(f"PRAGMA table_info({name})")]
            for name in names
            if not name.startswith("article_search")
        }


COLUMNS = _columns()
CHANGING = {name for name, columns in COLUMNS.items() if "updated_at" in columns}
_OWN = {
    "clock",
    "url_identity",
    "source_numbers",
    "trend_points",
    "change_log",
    "push_targets",
    "access_tokens",
    "file_owner",
}
_IN_ORDER = [*(rule.table for rule in RULES), *BESIDE]


def write(path: Path, rows: Mapping[str, Sequence[Row]], template: Path) -> Path:
    """A file with these rows, as if they had been written under its rules."""
    shutil.copy(template, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute(
            """SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name NOT GLOB 'article_search_*'
            ORDER BY rowid"""
        ).fetchall()
        connection.execute("BEGIN")
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for table in sorted(rows, key=_IN_ORDER.index):
            for row in rows[table]:
                _write_row(connection, table, row)
        connection.execute("DELETE FROM file_owner WHERE user_id NOT IN (SELECT id FROM users)")
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute(
            """UPDATE source_numbers SET last_number = 9, created_at = '2026-01-01T00:00:00+00:00',
            updated_at = '2026-01-01T00:00:00+00:00'"""
        )
        connection.execute("COMMIT")
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    return path


def _write_row(connection: sqlite3.Connection, table: str, row: Row) -> None:
    if table == "article_documents":
        connection.execute(
            """UPDATE article_documents SET scrape_id = :scrape_id, created_at = :created_at,
            updated_at = :updated_at WHERE article_uuid = :article_uuid""",
            row,
        )
    else:
        put(connection, table, row)


def make_template(path: Path) -> Path:
    """A file with the schema and nothing that a test does not put there."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(schema_sql())
        first_rows(connection, TIMES[0], "nobody")
        connection.execute("DELETE FROM subscriptions")
        connection.execute("DELETE FROM users")
        connection.execute("DELETE FROM plan_definitions")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
    return path


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a file, with sources by their address and without what is the file's own."""
    with closing(sqlite3.connect(path)) as connection:
        numbers = dict(connection.execute("SELECT source_uuid, source_url FROM sources_master_list"))
        found = {}
        for table, columns in COLUMNS.items():
            if table not in _OWN:
                names = ", ".join(f'"{name}"' for name in columns if name != "docid")
                rows = connection.execute(f"SELECT {names} FROM {table}").fetchall()
                named = (tuple(numbers.get(value, value) for value in row) for row in rows)
                found[table] = sorted(named, key=repr)
        return found
