"""The triggers of the ledger, of V1 and of updated_at do in Postgres what they do in SQLite."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from postgres_server import Server, rows
from postgres_world import ALICE, BOBS, acting, place
from store.rows import ARTICLE, ARTICLE_UUID, CHANGE, CHECK, THEN, TRACKED, URL, uuid

LATER = "2026-02-13T00:00:00+00:00"


@pytest.fixture
def ledger(owner: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """A source and an article."""
    place(owner, "sources_master_list")
    place(owner, "extracted_article_urls", created_at=THEN, updated_at=THEN)
    return owner


# --- updated_at -------------------------------------------------------------------------------


def test_a_write_gets_the_time_of_the_write(ledger: psycopg.Connection[Any]) -> None:
    ledger.execute("UPDATE extracted_article_urls SET article_title = 'Another'")
    ((at,),) = rows(ledger, "SELECT now() - updated_at < interval '1 minute' FROM extracted_article_urls")
    assert at


def test_a_write_that_sets_it_keeps_it(ledger: psycopg.Connection[Any]) -> None:
    ledger.execute("UPDATE extracted_article_urls SET updated_at = %s", [LATER])
    ((at,),) = rows(ledger, "SELECT updated_at FROM extracted_article_urls")
    assert at.isoformat() == LATER


def test_a_copy_of_a_file_keeps_it(ledger: psycopg.Connection[Any]) -> None:
    ledger.execute("SET digestlog.replay = 'on'")
    ledger.execute("UPDATE extracted_article_urls SET article_title = 'Another'")
    ((at,),) = rows(ledger, "SELECT updated_at FROM extracted_article_urls")
    assert at.isoformat() == THEN


# --- the ledger -------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["article_detected_utc_iso = now()", "created_at = now()",
                                    "article_uuid = 'A_0000000000000000'"])  # fmt: skip
def test_the_first_sight_is_final(ledger: psycopg.Connection[Any], change: str) -> None:
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="never change"):
        ledger.execute(f"UPDATE extracted_article_urls SET {change}")
    ledger.execute("SET digestlog.replay = 'on'")
    assert ledger.execute(f"UPDATE extracted_article_urls SET {change}").rowcount == 1


def test_an_article_that_is_inserted_again_changes_nothing(ledger: psycopg.Connection[Any]) -> None:
    place(ledger, "extracted_article_urls", article_title="Another", article_detected_utc_iso=LATER)
    assert rows(ledger, "SELECT article_title FROM extracted_article_urls") == [("A story",)]


def test_the_same_id_for_another_address_is_refused(ledger: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.UniqueViolation, match="another address has this article_uuid"):
        place(
            ledger,
            "extracted_article_urls",
            article_url_original=ARTICLE + "2",
            article_url_final=ARTICLE + "2",
        )


def test_what_was_read_was_read(ledger: psycopg.Connection[Any]) -> None:
    place(ledger, "scraped_articles")
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="never change"):
        ledger.execute("UPDATE scraped_articles SET content_text = 'Another'")
    assert ledger.execute("UPDATE scraped_articles SET title = 'Another'").rowcount == 1


def test_addresses_of_any_length_have_their_key(ledger: psycopg.Connection[Any]) -> None:
    long = "https://example.com/?" + "".join(f"{n:x}" for n in range(20_000))
    place(ledger, "url_resolutions", article_url_original=long)
    place(ledger, "url_resolutions", article_url_original=long + "\\")
    with pytest.raises(psycopg.errors.UniqueViolation):
        place(ledger, "url_resolutions", article_url_original=long)
    ledger.execute(
        """INSERT INTO url_resolutions (article_url_original, article_uuid, status, next_attempt_at)
        VALUES (%s, %s, 'unresolved', now())
        ON CONFLICT (sha256(replace(article_url_original, '\\', '\\\\')::bytea))
        DO UPDATE SET attempts = 7""",
        [long, ARTICLE_UUID],
    )
    found = rows(ledger, "SELECT attempts FROM url_resolutions WHERE article_url_original = %s", [long])
    assert found == [(7,)]


# --- V1 ---------------------------------------------------------------------------------------


@pytest.fixture
def tracker(owner: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """A page that the library knows and the older tracker too."""
    place(owner, "users")
    place(owner, "urls", brand_id=None)
    place(owner, "tracked_urls")
    return owner


def test_what_the_older_tracker_writes_appears_in_the_library(tracker: psycopg.Connection[Any]) -> None:
    for table in ("url_checks", "url_changes", "summaries", "url_renders"):
        place(tracker, table)
    assert rows(tracker, "SELECT id::text, url_id::text, outcome, origin FROM url_observations") == [
        (CHECK, URL, "ok", "v1")
    ]
    assert rows(tracker, 'SELECT id::text, observation_id::text, kind, "before" FROM url_change_events') == [
        (CHANGE, CHECK, "text_changed", "9")
    ]
    assert rows(tracker, "SELECT event_id::text, summary, method FROM url_change_summaries") == [
        (CHANGE, "Less", "v1")
    ]
    assert rows(tracker, "SELECT url_id::text, observation_id::text, content FROM url_render_artifacts") == [
        (URL, CHECK, b"8")
    ]


@pytest.mark.parametrize(
    ("status", "error", "outcome"), [(200, "cut", "failed"), (404, None, "failed"), (None, None, "ok")]
)
def test_a_check_that_failed_is_a_look_that_failed(
    tracker: psycopg.Connection[Any], status: int | None, error: str | None, outcome: str
) -> None:
    place(tracker, "url_checks", status_code=status, error=error)
    assert rows(tracker, "SELECT outcome FROM url_observations") == [(outcome,)]


def test_the_first_check_of_a_day_is_the_look_of_the_day(tracker: psycopg.Connection[Any]) -> None:
    place(tracker, "url_checks")
    place(tracker, "url_checks", id=uuid(99), checked_at=THEN.replace("14:", "15:"))
    place(tracker, "url_changes", check_id=uuid(99))
    assert rows(tracker, "SELECT id::text FROM url_observations") == [(CHECK,)]
    assert rows(tracker, "SELECT observation_id::text FROM url_change_events") == [(CHECK,)]


def test_a_page_that_the_library_does_not_know_stays_in_v1(owner: psycopg.Connection[Any]) -> None:
    place(owner, "users")
    place(owner, "tracked_urls", canonical_url=None)
    for table in ("url_checks", "url_changes", "summaries", "url_renders"):
        place(owner, table)
    for table in ("url_observations", "url_change_events", "url_change_summaries", "url_render_artifacts"):
        assert rows(owner, f"SELECT 1 FROM {table}") == []


def test_a_copy_of_a_file_is_not_mirrored_again(tracker: psycopg.Connection[Any]) -> None:
    tracker.execute("SET digestlog.replay = 'on'")
    place(tracker, "url_checks")
    assert rows(tracker, "SELECT 1 FROM url_observations") == []


def test_the_older_trackers_workers_write_as_the_service(server: Server, world: str) -> None:
    with acting(server, world, "service") as service:
        service.execute(
            "INSERT INTO url_checks (id, tracked_url_id, checked_at) VALUES (%s, %s, now())",
            [uuid(99), TRACKED],
        )
        assert rows(service, "SELECT url_id::text FROM url_observations WHERE id = %s", [uuid(99)]) == [
            (BOBS,)
        ]


# --- who may replay ---------------------------------------------------------------------------


def test_replaying_is_believed_of_the_owner_alone(server: Server, world: str) -> None:
    ask = "SELECT digestlog.replaying()"
    with server.connect(world, autocommit=True) as owner:
        assert rows(owner, ask) == [(False,)]
        owner.execute("SET digestlog.replay = 'on'")
        assert rows(owner, ask) == [(True,)]
        owner.execute("SET ROLE authenticated")
        assert rows(owner, ask) == [(False,)]
    for actor in ("alice", "service", "stranger"):
        with acting(server, world, actor) as connection:
            connection.execute("SET digestlog.replay = 'on'")
            assert rows(connection, ask) == [(False,)]


def test_a_subject_can_be_given_a_user(server: Server, world: str) -> None:
    """Where tokens are made elsewhere, their subjects are not the users' ids."""
    with server.connect(world) as owner:
        owner.execute("INSERT INTO digestlog.identities VALUES ('jwt', 'auth0|123', %s)", [ALICE])
    with acting(server, world, "alice") as connection:
        connection.execute("""SET request.jwt.claims = '{"sub": "auth0|123"}'""")
        assert rows(connection, "SELECT digestlog.uid()::text") == [(ALICE,)]
