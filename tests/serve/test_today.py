"""Today: what is new, in one look."""

from __future__ import annotations

from serve.screen import Screens, words
from store.rows import put, uuid
from store.shelf import ANNA, BEN, HARBOUR, TIDEPOOL, article

from digestlog.store.db import Database

AT = "2026-02-13T08:00:00+00:00"


def test_a_new_file_says_what_to_do(screens: Screens) -> None:
    said = words(screens.text(BEN, "/"))
    for command in ("digestlog digest", "Watch a page", "digestlog scan"):
        assert command in said
    assert "Sources in trouble" not in said


def test_what_is_new_for_each(screens: Screens) -> None:
    def work(db: Database) -> None:
        connection = db.connection
        article(connection, "a", AT, [HARBOUR], "Swing bridge")
        article(connection, "b", AT, [TIDEPOOL], "Tide tables")
        put(connection, "source_fetch_state", source_uuid=TIDEPOOL, last_error="no answer")
        put(connection, "brand_library_brands")
        put(connection, "urls")
        put(connection, "user_url_library", user_id=BEN.id)
        put(connection, "url_observations")
        put(connection, "url_change_events", detected_at=AT)
        put(connection, "url_change_summaries")
        connection.execute("UPDATE user_url_library SET history_start_at = NULL")
        put(connection, "syntheses", user_id=BEN.id)
        for number, category in enumerate(("Town", "Town", "Sea")):
            put(connection, "synthesis_items", id=uuid(60 + number), category=category, position=number,
                title=f"Story {number}", article_uuid=None)  # fmt: skip

    screens.write(work)
    bens = screens.text(BEN, "/")
    said = words(bens)
    for told in ("2 new articles", "1 change of watched pages", "One euro less", "Shop", "Thursday",
                 "Tide tables", "no answer", "1 source in trouble"):  # fmt: skip
        assert told in said, told
    # One of each category before the second of any.
    assert said.index("Story 2") < said.index("Story 0") < said.index("Story 1")
    annas = words(screens.text(ANNA, "/"))
    assert "1 new article " in annas
    for others in ("One euro less", "Tide tables", "Story 0", "no answer"):
        assert others not in annas


def test_a_page_that_is_quiet_says_so(screens: Screens) -> None:
    def work(db: Database) -> None:
        put(db.connection, "brand_library_brands")
        put(db.connection, "urls")
        put(db.connection, "user_url_library", user_id=BEN.id)

    screens.write(work)
    assert "Nothing has changed" in screens.text(BEN, "/")
