"""Renderings: kept once, dropped by age and size, never the latest of its kind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

import pytest
from check_fakes import LAMP, watch
from store.rows import put, uuid

from digestlog.errors import LockedFile
from digestlog.store import artifacts, contents
from digestlog.store.artifacts import Pruned, artifact_id, prune
from digestlog.store.db import Database, open_database

ROPE = "https://shop.example/rope"
SHAS = [f"{n:064x}" for n in range(10)]

# Stores a rendering of a page as it was so many days ago.
Store = Callable[..., bool]


@pytest.fixture
def store(db: Database, now: datetime) -> Store:
    pages = {url: watch(db, url) for url in (LAMP, ROPE)}
    looks = iter(range(1_000))

    def keep(days: int, content: bytes, kind: str = "text", url: str = LAMP) -> bool:
        then = now - timedelta(days=days)
        at = {"checked_at": then.isoformat(), "checked_day": then.date().isoformat()}
        look = uuid(500 + next(looks))
        with open_database(db.path, now=then, frozen=True) as past, past.transaction() as connection:
            put(connection, "url_observations", id=look, url_id=pages[url], **at)
            return artifacts.keep(past, connection, pages[url], look, kind, content)

    return keep


def kept(db: Database) -> list[tuple[str, bytes]]:
    return [
        (row["kind"], row["content"])
        for row in db.rows("SELECT * FROM url_render_artifacts ORDER BY kind, created_at, rowid")
    ]


def test_a_rendering_is_kept(db: Database, store: Store) -> None:
    assert store(0, b"The lamp.")
    (row,) = db.rows("SELECT * FROM url_render_artifacts")
    assert row["id"] == artifact_id(row["observation_id"], "text")
    assert row["content_sha256"] == sha256(b"The lamp.").hexdigest()
    assert (row["content"], row["created_at"]) == (b"The lamp.", db.now_iso)


def test_the_same_is_not_kept_again(db: Database, store: Store) -> None:
    assert store(3, b"one")
    assert not store(2, b"one")
    assert store(2, b"one", kind="diff_html"), "another kind"
    assert store(2, b"one", url=ROPE), "another page"
    assert store(1, b"two")
    assert store(0, b"one"), "only the latest counts"
    assert kept(db) == [
        ("diff_html", b"one"),
        ("text", b"one"),
        ("text", b"one"),
        ("text", b"two"),
        ("text", b"one"),
    ]


def test_of_one_second_the_last_is_the_latest(store: Store) -> None:
    assert [store(0, content) for content in (b"one", b"two", b"two", b"one")] == [True, True, False, True]


def test_one_of_the_older_tracker_has_no_hash(db: Database, store: Store) -> None:
    with db.transaction() as connection:
        put(
            connection,
            "url_render_artifacts",
            url_id=db.rows("SELECT id FROM urls WHERE url = :url", {"url": LAMP})[0]["id"],
            observation_id=None,
            kind="text",
            content_sha256=None,
        )
    assert store(0, b"The lamp.")


def test_what_is_too_old_goes(db: Database, store: Store) -> None:
    for days, content in ((40, b"oldest"), (31, b"old"), (30, b"edge"), (1, b"new")):
        store(days, content)
    done = prune(db, keep_days=30, max_mb=1)
    assert (done.artifacts, done.artifact_bytes, done.kept_bytes) == (2, 9, 7)
    assert kept(db) == [("text", b"edge"), ("text", b"new")]
    assert prune(db, keep_days=30, max_mb=1).artifacts == 0


def test_never_the_latest_of_its_kind(db: Database, store: Store) -> None:
    store(400, b"lamp")
    store(300, b"lamp, later")
    store(400, b"rope", url=ROPE)
    store(400, b"<ins>", kind="diff_html")
    assert prune(db, keep_days=0, max_mb=0).artifacts == 1
    assert kept(db) == [("diff_html", b"<ins>"), ("text", b"rope"), ("text", b"lamp, later")]


def test_the_oldest_go_until_the_rest_fits(db: Database, store: Store) -> None:
    half = 500_000
    for days in range(6, 0, -1):
        store(days, bytes([days]) * half)
    store(9, b"r" * half, url=ROPE)
    done = prune(db, keep_days=365, max_mb=2)
    assert done.kept_bytes == 2_000_000, "the latest of both, and the two youngest of the others"
    assert [content[0] for _, content in kept(db)] == [ord("r"), 3, 2, 1]
    assert done.artifact_bytes == done.freed_bytes == 3 * half


def test_a_dry_run_leaves_all_as_it_was(db: Database, store: Store) -> None:
    store(40, b"old")
    store(1, b"new")
    with db.transaction() as connection:
        contents.keep(db, connection, SHAS[0], b"unused")
    before = kept(db)
    tried = prune(db, keep_days=30, max_mb=1, dry_run=True)
    assert tried == Pruned(1, 3, 1, 6, 3)
    assert tried.freed_bytes == 9
    assert kept(db) == before
    assert contents.get(db, SHAS[0]) == b"unused"
    assert prune(db, keep_days=30, max_mb=1) == tried


def test_contents_that_nothing_has_go(db: Database, now: datetime) -> None:
    page = watch(db, LAMP)
    with db.transaction() as connection:
        for sha in SHAS[:4]:
            contents.keep(db, connection, sha, sha.encode()[-4:])
        for number, (sha, days) in enumerate(((SHAS[1], 31), (SHAS[2], 29), (None, 1))):
            then = now - timedelta(days=days)
            at = {"checked_at": then.isoformat(), "checked_day": then.date().isoformat()}
            put(connection, "url_observations", id=uuid(600 + number), url_id=page, content_sha256=sha, **at)
        put(connection, "url_check_state", url_id=page, content_sha256=SHAS[3], observation_id=None)
    done = prune(db, keep_days=30, max_mb=1)
    assert (done.contents, done.content_bytes) == (2, 8)
    left = [row["content_sha256"] for row in db.rows("SELECT * FROM url_contents ORDER BY 1")]
    assert left == SHAS[2:4]
    assert len(db.rows("SELECT 1 FROM url_observations")) == 3, "looks stay"


def test_a_content_is_kept_once(db: Database) -> None:
    with db.transaction() as connection:
        contents.keep(db, connection, SHAS[0], b"first")
        contents.keep(db, connection, SHAS[0], b"second")
    assert contents.get(db, SHAS[0]) == b"first"


def test_an_empty_file_has_nothing_to_prune(db: Database) -> None:
    assert prune(db, keep_days=0, max_mb=0) == Pruned(0, 0, 0, 0, 0)


def test_an_error_in_a_dry_run_is_an_error(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(artifacts, "_drop_contents", fail)
    with pytest.raises(ZeroDivisionError):
        prune(db, keep_days=0, max_mb=0, dry_run=True)


def test_a_locked_file(db: Database, now: datetime) -> None:
    with (
        open_database(db.path, now=now, busy_timeout_s=0.01) as other,
        db.transaction(),
        pytest.raises(LockedFile),
    ):
        prune(other, keep_days=0, max_mb=0, dry_run=True)
