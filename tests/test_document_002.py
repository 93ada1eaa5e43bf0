"""Every row of the library's contract, each by its name. docs/library.md lists them in this order.

Who may read what is row-level security there; here it is the views `visible_*` and the gates of
store/gates.py, through which commands and served files read. `service_role` is the program itself.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from check_fakes import LAMP, WatchDesk, shop
from library_fakes import PRICES, Rules, Shelf, changed
from store.rows import CHANGE, CHECK, URL, USER, put, uuid

from digestlog.core.canonical import canonicalize, url_id
from digestlog.core.policy import REASONS
from digestlog.errors import LibraryError, UrlCapExceeded
from digestlog.jobs.backfill import backfill
from digestlog.resources import schema_sql
from digestlog.store import brands, changes, library, onboarding, submissions, trends
from digestlog.store.confined import Confined, confine
from digestlog.store.db import Database
from digestlog.store.gates import GATES

BEFORE, START, AFTER = "2026-02-12T09:00:00+00:00", "2026-02-13T09:02:10+00:00", "2026-02-14T09:00:00+00:00"
LINKED, CREATED = "approved_linked_existing", "approved_created_global"
PAGE = url_id(PRICES)


@pytest.fixture
def shelf(db_path: Path, now: datetime) -> Shelf:
    return Shelf(db_path, now)


@pytest.fixture
def anna(shelf: Shelf) -> str:
    """A user on the free plan."""
    return shelf.user("anna")


@pytest.fixture
def gated(shelf: Shelf, anna: str) -> Shelf:
    """A page of the owner's and of anna's that changed before and after anna added it."""
    shelf.add(shelf.owner, PRICES, preflight=False)
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db:
        changed(db, PRICES, BEFORE, 1)
        changed(db, PRICES, AFTER, 2)
    return shelf


def canonical(url: str) -> str:
    return canonicalize(url, "library")[0]


def selected(shelf: Shelf, user_id: str, table: str) -> list[dict[str, Any]]:
    """The rows of a table that a user may read."""
    (gate,) = [one for one in GATES if one.table == table]
    with shelf.open() as db:
        found = db.rows(f"SELECT * FROM {gate.source} WHERE {gate.where}", {"user_id": user_id})
    return [dict(row) for row in found]


# --- URL uniqueness rule -----------------------------------------------------------------


def test_canonical_url_fragment_removed() -> None:
    assert canonical("https://e.org/a?b=1#part") == canonical("https://e.org/a?b=1") == "https://e.org/a?b=1"


def test_canonical_url_hostname_lowercased() -> None:
    assert canonical("https://Shop.EXAMPLE/Lamp") == "https://shop.example/Lamp"


@pytest.mark.parametrize("name", ["utm_source", "utm_campaign", "ref", "fbclid", "gclid"])
def test_canonical_url_tracking_parameters_stripped(name: str) -> None:
    assert canonical(f"https://e.org/a?{name}=x&id=1") == "https://e.org/a?id=1"


def test_canonical_url_query_parameters_sorted() -> None:
    assert canonical("https://e.org/?c=3&a=1&b=2") == "https://e.org/?a=1&b=2&c=3"


def test_canonical_url_trailing_slash_removed_except_root() -> None:
    assert canonical("https://e.org/a/") == "https://e.org/a"
    assert canonical("https://e.org/") == canonical("https://e.org") == "https://e.org/"


def test_urls_canonical_url_unique(gated: Shelf) -> None:
    with gated.open() as db, pytest.raises(sqlite3.IntegrityError, match="canonical_url"):
        db.connection.execute(
            "INSERT INTO urls (id, canonical_url, url) VALUES (?, ?, ?)", (uuid(9), PRICES, PRICES)
        )


def test_get_or_create_global_url_by_canonical(shelf: Shelf, anna: str) -> None:
    for user in (shelf.owner, anna):
        shelf.add(user, PRICES, preflight=False)
    assert [row["id"] for row in shelf.rows("urls")] == [PAGE]


def test_duplicate_submissions_link_to_existing_global_url(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.owner, PRICES, preflight=False)
    assert shelf.one(anna, f"{PRICES}/?utm_source=x#y", preflight=False).url_id == PAGE


# --- user add flow -----------------------------------------------------------------------


def test_step_1_url_submissions_record_created_pending(shelf: Shelf, anna: str) -> None:
    shelf.left_pending(anna, PRICES)
    assert (shelf.row("url_submissions")["status"], shelf.rows("url_policy_decisions")) == ("pending", [])


def test_step_2_canonical_url_computed(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, f"{PRICES}/#top", preflight=False)
    assert shelf.row("url_submissions")["canonical_url"] == PRICES


def test_step_3_url_policy_decisions_record_created(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, preflight=False)
    decision, submission = shelf.row("url_policy_decisions"), shelf.row("url_submissions")
    assert (decision["submission_id"], decision["decision"]) == (submission["id"], "allow")


@pytest.mark.parametrize(("decision", "status"), [("block", "blocked"), ("review", "needs_review")])
def test_step_4_block_and_review(shelf: Shelf, anna: str, decision: str, status: str) -> None:
    shelf.rules = Rules({"shop.example": (decision, "unknown")})
    assert shelf.one(anna, preflight=False).status == status
    assert (shelf.rows("urls"), shelf.rows("user_url_library")) == ([], [])


def test_step_5_global_url_new_and_exists(shelf: Shelf, anna: str) -> None:
    assert shelf.one(shelf.owner, preflight=False).status == CREATED
    second = shelf.one(anna, preflight=False)
    assert (second.status, shelf.rows("url_submissions")[1]["matched_url_id"]) == (LINKED, PAGE)


def test_step_6_user_url_library_record_created(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, preflight=False)
    row = shelf.row("user_url_library")
    assert (row["user_id"], row["url_id"], row["history_start_at"]) == (anna, PAGE, START)


# --- global-only checks ------------------------------------------------------------------


@pytest.fixture
def desk(db_path: Path, now: datetime) -> WatchDesk:
    return WatchDesk(db_path, now)


def test_one_check_pipeline_per_url_globally(shelf: Shelf, anna: str, desk: WatchDesk) -> None:
    for user in (shelf.owner, anna):
        shelf.add(user, LAMP, preflight=False)
    desk.web.answers[LAMP] = shop()
    assert (desk.check().totals()["pages"], desk.web.times(LAMP)) == (1, 1)
    assert len(shelf.rows("url_observations")) == 1


def test_next_check_at_drives_scheduling(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop(), next_check_at=AFTER)
    assert desk.check().results == []
    desk.later(days=1)
    assert desk.only().url == LAMP
    assert desk.only(everything=True).next_check_at > AFTER


@pytest.mark.parametrize(("frequency", "hours"), [("hourly", 1), ("daily", 24), ("weekly", 168)])
def test_check_frequency_drives_scheduling(desk: WatchDesk, frequency: str, hours: int) -> None:
    desk.watch(LAMP, shop(), check_frequency=frequency)
    planned = desk.only().next_check_at
    assert planned is not None
    wait = (datetime.fromisoformat(planned) - desk.now).total_seconds() / 3600
    assert hours / 4 <= wait <= hours * 2


@pytest.fixture
def tracker(db: Database) -> Database:
    """The older tracker's page, which the library knows."""
    _write(db, "users")
    _write(db, "tracked_urls")
    backfill(db, lambda what, rows: None)
    return db


def _write(db: Database, *tables: str, **values: Any) -> None:
    with db.transaction() as connection:
        for table in tables:
            put(connection, table, **values)


def _ids(db: Database, table: str) -> list[str]:
    return [row["id"] for row in db.rows(f"SELECT id FROM {table}")]


V1 = {
    "sync_check_to_observation": ("url_observations", ("url_checks",), CHECK),
    "sync_change_to_event": ("url_change_events", ("url_checks", "url_changes"), CHANGE),
    "sync_summary_to_vnext": ("url_change_summaries", ("url_checks", "url_changes", "summaries"), uuid(28)),
    "sync_render_to_artifact": ("url_render_artifacts", ("url_checks", "url_renders"), uuid(29)),
}


@pytest.mark.parametrize("trigger", V1)
def test_write_through_trigger(tracker: Database, trigger: str) -> None:
    """As the older tracker writes its row, the library has it, under the same id."""
    table, written, made = V1[trigger]
    assert _ids(tracker, table) == []
    _write(tracker, *written)
    assert _ids(tracker, table) == [made]


def test_backfill_step_1_tracked_urls_to_urls_first_created_wins(db: Database) -> None:
    _write(db, "users")
    _write(db, "tracked_urls", canonical_url=None, created_at=START)
    earlier = {"id": uuid(9), "url": f"{LAMP}#old", "created_at": BEFORE}
    _write(db, "tracked_urls", canonical_url=None, **earlier)
    backfill(db, lambda what, rows: None)
    (page,) = db.rows("SELECT id, canonical_url, url, created_at FROM urls")
    assert tuple(page) == (URL, LAMP, f"{LAMP}#old", BEFORE)


def test_backfill_step_2_tracked_urls_to_user_url_library_gated(tracker: Database) -> None:
    (mine,) = tracker.rows("SELECT user_id, url_id, history_start_at FROM user_url_library")
    assert tuple(mine) == (USER, URL, START)


@pytest.mark.parametrize("trigger", V1)
def test_backfill_steps_3_to_6(db: Database, trigger: str) -> None:
    """What came before the page was known; a second time does nothing (ON CONFLICT DO NOTHING)."""
    table, written, made = V1[trigger]
    _write(db, "users")
    _write(db, "tracked_urls", canonical_url=None)
    _write(db, *written)
    assert _ids(db, table) == []
    for _ in range(2):
        backfill(db, lambda what, rows: None)
        assert _ids(db, table) == [made]


# --- history gating rule -----------------------------------------------------------------


def test_set_library_history_gating(shelf: Shelf, anna: str) -> None:
    """Whoever inserts, and whatever they say: the plan of now sets it."""
    shelf.add(shelf.owner, PRICES, preflight=False)
    with shelf.open() as db, db.transaction() as connection:
        put(connection, "user_url_library", id=uuid(9), user_id=anna, url_id=PAGE, history_start_at=None)
    gates = {row["user_id"]: row["history_start_at"] for row in shelf.rows("user_url_library")}
    assert gates == {shelf.owner: None, anna: START}


VIEWS = ("observations", "change_events", "change_summaries", "render_artifacts")


@pytest.mark.parametrize("view", VIEWS)
def test_user_url_library_history_gated_select(gated: Shelf, anna: str, view: str) -> None:
    with gated.open() as db:
        found = {
            user: len(db.rows(f"SELECT 1 FROM visible_{view} WHERE user_id = :id", {"id": user}))
            for user in (gated.owner, anna)
        }
    assert found == {gated.owner: 2, anna: 1}


def test_list_url_update_instances(gated: Shelf, anna: str) -> None:
    with gated.open() as db:
        whole = library.list_url_update_instances(db, gated.owner, PAGE)
        since = library.list_url_update_instances(db, gated.owner, PAGE, gating_since=START)
        own = library.list_url_update_instances(db, anna, PAGE, gating_since=BEFORE)
    assert [len(whole), len(since), len(own)] == [2, 1, 1]


def test_plan_upgrade_existing_history_start_at_remains(gated: Shelf, anna: str) -> None:
    gated.plan(anna, "paid")
    with gated.open() as db:
        assert library.gates(db, anna) == {PAGE: START}
        assert library.unlock_history(db, anna) == 1  # which an admin may do
        assert library.gates(db, anna) == {PAGE: None}


# --- policy and cap ----------------------------------------------------------------------


@pytest.mark.parametrize("code", REASONS)
def test_reason_code(shelf: Shelf, anna: str, code: str) -> None:
    shelf.rules = Rules({"shop.example": ("block", code)})
    assert shelf.one(anna, preflight=False).reason_code == code
    with shelf.open() as db, pytest.raises(sqlite3.IntegrityError, match="reason_code"):
        db.connection.execute("UPDATE url_policy_decisions SET reason_code = 'no such code'")


def test_evidence_logging(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules({"shop.example": ("block", "unknown")})
    shelf.one(anna, preflight=False)
    assert json.loads(shelf.row("url_policy_decisions")["evidence"]) == {
        "hostname": "shop.example", "pattern": "shop.example", "reason": "a test says block"
    }  # fmt: skip


def test_check_url_cap_entitlement(shelf: Shelf, anna: str) -> None:
    shelf.cap(1)
    shelf.add(anna, PRICES, preflight=False)
    with shelf.open() as db:
        assert not library.check_url_cap_entitlement(db, anna).allowed
    assert isinstance(shelf.one(anna, LAMP).error, UrlCapExceeded) and shelf.web.asked == []


def test_check_library_url_cap(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.owner, PRICES, preflight=False)
    shelf.cap(0)
    with shelf.open() as db, pytest.raises(sqlite3.IntegrityError, match="url cap reached"):
        put(db.connection, "user_url_library", id=uuid(9), user_id=anna, url_id=PAGE)


# --- screen-to-table mapping -------------------------------------------------------------


def test_dashboard_screen(gated: Shelf, anna: str) -> None:
    """User's URLs, the latest update of each behind the gate, its summary."""
    with gated.open() as db:
        (page,) = library.pages(db, anna)
    assert (page.canonical_url, page.changes, page.last_change_at) == (PRICES, 1, AFTER)
    assert page.last_summary == "Change 2"


def test_brand_screen(gated: Shelf, anna: str) -> None:
    """Brand info via the brands view, the brand's URLs, their latest updates."""
    with gated.open() as db:
        brand = brands.find(db, "shop.example", anna)
        (row,) = db.rows("SELECT id, name, domain FROM brands")
        assert tuple(row) == (brand.id, brand.name, brand.domain)
        assert [page.url_id for page in library.pages(db, anna, brand_id=brand.id)] == [PAGE]
        assert [one.id for one in changes.list_changes(db, anna, brand_id=brand.id)] == [uuid(2002)]


def test_brands_view(gated: Shelf) -> None:
    with gated.open() as db:
        of_view, of_table = (db.rows(f"SELECT * FROM {name}") for name in ("brands", "brand_library_brands"))
        assert [tuple(row) for row in of_view] == [tuple(row) for row in of_table] != []


def test_brand_url_screen(gated: Shelf, anna: str) -> None:
    """URL info, brand info, change history behind the gate, summaries, gating status."""
    with gated.open() as db:
        page = library.page(db, anna, PRICES)
        updates = library.list_url_update_instances(db, anna, page.url_id)
    assert (page.brand, page.history_start_at) == ("shop.example", START)
    assert [(one.detected_at, one.summary) for one in updates] == [(AFTER, "Change 2")]


def test_update_instance_screen(gated: Shelf, anna: str) -> None:
    """Change event, summary, observation, URL and brand."""
    with gated.open() as db:
        (event,) = changes.list_changes(db, anna, url_id=PAGE)
        (update,) = library.list_url_update_instances(db, anna, PAGE)
        (look,) = library.list_url_observations(db, anna, PAGE)
    assert (event.id, event.summary, event.canonical_url, event.brand) == (
        update.id, "Change 2", PRICES, "shop.example"
    )  # fmt: skip
    assert update.observation_id == look.id


# --- RLS policy summary ------------------------------------------------------------------

GLOBAL = ("urls", "url_observations", "url_change_events", "url_change_summaries", "url_render_artifacts")


@pytest.mark.parametrize("table", GLOBAL)
def test_select_via_membership(gated: Shelf, anna: str, table: str) -> None:
    bert = gated.user("bert")
    assert selected(gated, bert, table) == []
    assert len(selected(gated, anna, table)) == 1
    with gated.open() as db:
        library.unlink(db, anna, PAGE)
    assert selected(gated, anna, table) == []


def test_user_url_library_crud_on_own_rows(gated: Shelf, anna: str) -> None:
    assert [row["user_id"] for row in selected(gated, anna, "user_url_library")] == [anna]
    with gated.open() as db:
        library.unlink(db, anna, PAGE)
        assert library.is_member(db, gated.owner, PAGE) and not library.is_member(db, anna, PAGE)
        with pytest.raises(LibraryError):
            library.page(db, anna, PRICES)


def test_url_submissions_insert_for_self_select_own_rows(gated: Shelf, anna: str) -> None:
    assert [row["user_id"] for row in selected(gated, anna, "url_submissions")] == [anna]
    with gated.open() as db:
        assert {one.user for one in submissions.list_mine(db, anna)} == {"anna"}


def test_url_policy_decisions_select_via_own_submissions(gated: Shelf, anna: str) -> None:
    (mine,) = selected(gated, anna, "url_submissions")
    assert [row["submission_id"] for row in selected(gated, anna, "url_policy_decisions")] == [mine["id"]]


@pytest.fixture
def reader() -> Iterator[sqlite3.Connection]:
    """A connection as users have it through the server."""
    connection = sqlite3.connect(":memory:", factory=Confined, isolation_level=None)
    connection.executescript(schema_sql())
    confine(connection)
    yield connection
    connection.close()


SERVICE = (*GLOBAL, "url_policy_decisions", "subscriptions", "plan_definitions", "trend_points")


@pytest.mark.parametrize("table", SERVICE)
def test_writes_via_service_role_only(reader: sqlite3.Connection, table: str) -> None:
    """SQLite has no roles: what users reach cannot write at all, so that only the program's code does."""
    with pytest.raises(sqlite3.DatabaseError):
        reader.execute(f"DELETE FROM {table}")


def test_url_policy_decisions_are_written_in_one_place() -> None:
    source = Path(submissions.__file__).parents[1]
    writers = [
        path.name
        for path in source.rglob("*.py")
        if "INTO url_policy_decisions" in path.read_text(encoding="utf-8")
    ]
    assert writers == ["submissions.py"]


def test_trend_definitions_select_active_trends(gated: Shelf, anna: str) -> None:
    with gated.open() as db:
        trends.refresh(db)
        trends.switch(db, "changes", on=False)
        assert "changes" not in {one.name for one in trends.list_trends(db, anna)}
    assert "changes" not in {row["name"] for row in selected(gated, anna, "trend_definitions")}


def test_trend_points_select_via_trend_membership(gated: Shelf, anna: str) -> None:
    bert = gated.user("bert")
    with gated.open() as db:
        trends.refresh(db)
        by_brand = trends.require("changes-by-brand")
        days = [BEFORE[:10], AFTER[:10]]
        totals = [
            [one.total for one in trends.series(db, user, by_brand, days)]
            for user in (gated.owner, anna, bert)
        ]
    assert totals == [[2], [1], []]
    assert by_brand.id not in {row["trend_id"] for row in selected(gated, bert, "trend_points")}


@pytest.mark.parametrize("table", ["subscriptions", "onboarding_state"])
def test_billing_and_onboarding_own_rows_only(gated: Shelf, anna: str, table: str) -> None:
    gated.plan(anna, "paid")
    with gated.open() as db:
        onboarding.saw_a_change(db, anna)
    assert {row["user_id"] for row in selected(gated, anna, table)} == {anna}
    assert len(gated.rows(table)) > 1
