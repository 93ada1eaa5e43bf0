"""Looking at watched pages: what comes of each look, and what a run never does."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from check_fakes import LAMP, SAILS, WatchDesk, shop, story
from scan_fakes import HTML, Page, ScanFetcher, no_answer, to

from digestlog.core.changes import Change, Compared, Memory
from digestlog.core.digest import Piece
from digestlog.core.looks import MAX_KEPT_BYTES, Shot
from digestlog.core.model import Fetched
from digestlog.core.moments import from_iso
from digestlog.core.snapshot import EXTRACTOR, Snapshot
from digestlog.errors import ClassifierError, FetchError, LockedFile, ParseError
from digestlog.jobs.check import Checked, CheckResult, Helpers, Options, check, chosen
from digestlog.jobs.scrape import ArticleParser
from digestlog.store import observations
from digestlog.store.artifacts import artifact_id

TIMES = 6


@pytest.fixture
def desk(db_path: Path, now: datetime) -> WatchDesk:
    """An empty file."""
    return WatchDesk(db_path, now)


@pytest.fixture
def lamp(desk: WatchDesk) -> WatchDesk:
    """A file with one page that was looked at often enough to know it."""
    desk.watch(LAMP, shop())
    for _ in range(TIMES):
        desk.check(everything=True)
        desk.later(days=1)
    return desk


# --- one page ---------------------------------------------------------------------------------


def test_the_first_look_changes_nothing(desk: WatchDesk) -> None:
    page = desk.watch(LAMP, shop(etag='"1"', last_modified="Thu, 12 Feb 2026 14:03:12 GMT"))
    result = desk.only()
    seen = desk.row("url_observations")
    assert result == CheckResult(
        page, LAMP, "ok", 200, True, (), seen["id"], desk.row("urls")["next_check_at"], None
    )
    assert desk.seen == [result]
    state = desk.state_row()
    assert (state["etag"], state["last_modified"]) == ('"1"', "Thu, 12 Feb 2026 14:03:12 GMT")
    assert (state["extractor"], state["body_url"]) == (EXTRACTOR, LAMP)
    assert zlib.decompress(state["body"]) == shop().body
    assert seen["content_sha256"] == state["content_sha256"] == desk.row("url_contents")["content_sha256"]
    assert seen["body_bytes"] == len(shop().body)
    assert desk.events() == []
    (text,) = desk.rows("url_render_artifacts")
    assert SAILS[0] in text["content"].decode() and text["kind"] == "text"


def test_a_page_is_asked_politely(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop(), allow_private=1)
    desk.check()
    (asked,) = desk.web.asked
    assert (asked.obey_robots, asked.allow_private, asked.etag) == (True, True, None)


def test_a_page_is_looked_at_when_it_is_due(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop())
    assert desk.check().totals()["baselines"] == 1
    assert desk.check().results == [] and desk.web.asked == []
    desk.later(hours=20)
    assert desk.only().outcome == "not_modified"


def test_a_price_that_falls_is_told(lamp: WatchDesk) -> None:
    lamp.web.answers[LAMP] = shop("44.50")
    result = lamp.only()
    assert (result.outcome, result.is_baseline) == ("ok", False)
    assert any("44.50" in found.summary for found in result.changes)
    assert {found.state for found in result.changes} == {"real"}
    rows = {row["id"]: row for row in lamp.rows("url_change_events")}
    assert set(rows) == {found.event_id for found in result.changes}
    diff = next(row["content"] for row in lamp.rows("url_render_artifacts") if row["kind"] == "diff_html")
    assert b"44.50" in diff and b"<ins>" in diff
    assert lamp.state_row()["interval_s"] == 43_200
    assert lamp.check(everything=True).totals()["changed"] == 0


def test_what_changes_at_every_look_is_no_change(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop(noise="0"))
    desk.check()
    for number in range(1, 6):
        desk.later(days=1).web.answers[LAMP] = shop(noise=str(number))
        result = desk.only()
        assert (result.outcome, result.changes) == ("ok", ())
    assert len(desk.rows("url_contents")) == 1
    assert len(desk.rows("url_observations")) == 6


_SORRY = "<!doctype html><html><body><main><p>Sorry, something went wrong. Try again later.</p></main></body>"
FAILING: list[tuple[Page | Exception, str]] = [
    (Page(shop().body, HTML, 404), "failed"),
    (Page(shop().body, HTML, 403), "failed"),
    (Page(b"", HTML, 500), "failed"),
    (Page(b"", HTML, 304), "failed"),
    (no_answer(LAMP), "failed"),
    (FetchError("a\nb\u202e", url=LAMP), "failed"),
    (Page(b"<!doctype html><title>x</title><body></body>", HTML), "empty"),
    (Page(b"", HTML), "empty"),
    (Page(b"%PDF-1.7", "application/pdf"), "failed"),
    (to("https://shop.example/login?next=/lamp"), "failed"),
    (Page(_SORRY.encode(), HTML), "failed"),
]


@pytest.mark.parametrize(("answer", "outcome"), FAILING)
def test_a_page_that_cannot_be_read_has_not_changed(
    lamp: WatchDesk, answer: Page | Exception, outcome: str
) -> None:
    before = lamp.state_row()
    lamp.web.answers[LAMP] = answer
    result = lamp.only()
    assert (result.outcome, result.changes) == (outcome, ())
    assert result.error and result.error.isprintable()
    after = lamp.state_row()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"consecutive_failures", "last_error", "updated_at"}
    assert after["last_error"] == result.error
    assert lamp.events() == []
    lamp.later(days=1).web.answers[LAMP] = shop()
    assert (lamp.only().changes, lamp.events()) == ((), [])
    assert lamp.state_row()["last_error"] is None


def test_a_challenge_is_no_change(lamp: WatchDesk) -> None:
    body = (
        "<!doctype html><title>Just a moment...</title><h1>Checking your browser before you can go on</h1>"
        "<p>Enable JavaScript and cookies to continue</p>"
        '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1"></script>'
    )
    lamp.web.answers[LAMP] = Page(body.encode(), HTML, 503, retry_after_s=7200)
    result = lamp.only()
    assert (result.outcome, result.error) == ("challenge", "the site checks whether a person is asking")
    assert from_iso(result.next_check_at) == lamp.now + timedelta(hours=2)
    assert lamp.events() == []


def test_robots_are_obeyed(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop())
    desk.web.closed.add(LAMP)
    assert desk.only().error == f"{LAMP} is closed to programs by the site's robots.txt"


def test_the_server_says_when_to_come_back(desk: WatchDesk) -> None:
    desk.watch(LAMP, no_answer(LAMP, retry_after_s=5 * 3600))
    assert from_iso(desk.only().next_check_at) == desk.now + timedelta(hours=5)


def test_a_max_age_is_honoured(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop(max_age_s=23 * 3600))
    assert from_iso(desk.only().next_check_at) == desk.now + timedelta(hours=23)


def test_a_page_that_has_moved_is_read_where_it_is(desk: WatchDesk) -> None:
    desk.watch(LAMP, to("https://new.example/lamp"))
    desk.web.answers["https://new.example/lamp"] = shop()
    desk.check()
    assert desk.state_row()["body_url"] == "https://new.example/lamp"


def test_a_page_too_large_to_keep_is_compared(desk: WatchDesk) -> None:
    large = Page(shop().body + b"<!--" + b"x" * MAX_KEPT_BYTES + b"-->", HTML)
    desk.watch(LAMP, large)
    assert desk.only().outcome == "ok"
    state = desk.state_row()
    assert state["body"] is None and state["content_sha256"]
    desk.later(days=1)
    assert desk.only().outcome == "not_modified"


def test_reading_that_ends_its_process_is_a_failure(desk: WatchDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def page(self: ArticleParser, body: bytes, read: Callable[..., Any], *args: object) -> Any:
        raise ParseError("reading it ended the process that read it")

    monkeypatch.setattr(ArticleParser, "page", page)
    desk.watch(LAMP, shop())
    assert desk.only().error == "reading it ended the process that read it"


# --- as it was --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "validator", [{"etag": '"1"'}, {"last_modified": "Thu, 12 Feb 2026 14:03:12 GMT"}, {}]
)
def test_a_page_that_is_as_it_was_is_not_read(
    desk: WatchDesk, monkeypatch: pytest.MonkeyPatch, validator: dict[str, str]
) -> None:
    desk.watch(LAMP, shop(**validator))
    desk.check()
    first = desk.state_row()

    async def page(self: ArticleParser, body: bytes, read: Callable[..., Any], *args: object) -> Any:
        raise AssertionError("it was read")

    monkeypatch.setattr(ArticleParser, "page", page)
    result = desk.later(days=1).only()
    assert (result.outcome, result.http_status) == ("not_modified", 304 if validator else 200)
    (asked,) = desk.web.asked
    assert (asked.etag, asked.last_modified) == (validator.get("etag"), validator.get("last_modified"))
    state = desk.state_row()
    assert (state["body"], state["content_sha256"]) == (first["body"], first["content_sha256"])
    assert state["memory"] != first["memory"], "one more look"
    observed = next(row for row in desk.rows("url_observations") if row["id"] == result.observation_id)
    assert observed["content_sha256"] == state["content_sha256"]
    assert observed["body_bytes"] == (None if validator else len(shop().body))


def test_validators_are_forgotten_with_the_page_that_had_them(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop(etag='"1"'))
    desk.check()
    desk.later(days=1).web.answers[LAMP] = shop(noise="new")
    desk.check()
    assert desk.state_row()["etag"] is None


# --- another extractor ------------------------------------------------------------------------


def read_by_another(desk: WatchDesk, *, keep_body: bool = True) -> None:
    """Let the last look be one of an older extractor, which read something else."""
    with desk.open() as db, db.transaction() as connection:
        connection.execute("UPDATE url_check_state SET extractor = 99")
        connection.execute("UPDATE url_contents SET content = :junk", {"junk": zlib.compress(b'{"old": 1}')})
        if not keep_body:
            connection.execute("UPDATE url_check_state SET body = NULL")


def test_a_new_extractor_reads_both_sides(lamp: WatchDesk) -> None:
    read_by_another(lamp)
    lamp.web.answers[LAMP] = shop(noise="other bytes, same words")
    result = lamp.only()
    assert (result.outcome, result.changes, result.is_baseline) == ("ok", (), False)
    assert lamp.state_row()["extractor"] == EXTRACTOR


def test_a_new_extractor_sees_a_change_nevertheless(lamp: WatchDesk) -> None:
    read_by_another(lamp)
    lamp.web.answers[LAMP] = shop("44.50")
    assert any("44.50" in found.summary for found in lamp.only().changes)


@pytest.mark.parametrize("etag", [None, '"1"'])
def test_a_new_extractor_reads_a_page_that_is_as_it_was(desk: WatchDesk, etag: str | None) -> None:
    desk.watch(LAMP, shop(etag=etag))
    desk.check()
    with desk.open() as db, db.transaction() as connection:
        connection.execute("UPDATE url_check_state SET extractor = 99, content_sha256 = NULL")
        connection.execute("UPDATE url_contents SET content_sha256 = :sha", {"sha": "f" * 64})
        connection.execute("UPDATE url_check_state SET content_sha256 = :sha", {"sha": "f" * 64})
    assert desk.later(days=1).only().outcome == "not_modified"
    state = desk.state_row()
    assert state["extractor"] == EXTRACTOR and state["content_sha256"] != "f" * 64
    assert len(desk.rows("url_contents")) == 2


def test_without_the_old_page_a_new_extractor_begins_anew(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop(etag='"1"'))
    desk.check()
    read_by_another(desk, keep_body=False)
    desk.later(days=1).web.answers[LAMP] = shop("44.50", etag='"1"')
    result = desk.only()
    assert (result.outcome, result.changes, result.is_baseline) == ("ok", (), True)
    assert desk.web.asked[0].etag is None, "as it was would say nothing"
    assert desk.state_row()["body"] is not None


# --- a whole run ------------------------------------------------------------------------------


def test_the_counts_of_a_run(lamp: WatchDesk) -> None:
    lamp.web.answers[LAMP] = shop("44.50")
    lamp.watch("https://e.org/new", story("A new page."))
    lamp.watch("https://e.org/gone")
    done = lamp.check()
    totals = done.totals()
    assert (totals["pages"], totals["ok"], totals["failed"], totals["baselines"]) == (3, 2, 1, 1)
    assert (totals["changed"], totals["real"] > 0, totals["overtaken"]) == (1, True, 0)
    assert done.requests == 3 and done.seconds > 0 and done.notes == []
    assert sorted(lamp.seen, key=lambda one: one.url) == sorted(done.results, key=lambda one: one.url)


def test_an_empty_run() -> None:
    assert set(Checked().totals().values()) == {0}


def test_one_page_of_each_host_in_turn(desk: WatchDesk) -> None:
    for host in "ab":
        for number in range(2):
            desk.watch(f"https://{host}.example/{number}", story(f"{host} {number}"))
    desk.check(jobs=1)
    hosts = [asked.url.partition(".")[0][-1] for asked in desk.web.asked]
    assert hosts[0] != hosts[1] and hosts[2] != hosts[3]


@pytest.mark.parametrize("jobs", [1, 3, 50])
def test_any_number_at_a_time(desk: WatchDesk, jobs: int) -> None:
    for number in range(20):
        desk.watch(f"https://h{number}.example/", story(f"Page {number}"))
    assert desk.check(jobs=jobs).totals()["baselines"] == 20
    assert len(desk.rows("url_observations")) == 20


def test_only_some(desk: WatchDesk) -> None:
    ids = [desk.watch(f"https://h{number}.example/", story(f"Page {number}")) for number in range(3)]
    assert [result.url_id for result in desk.check(only=(ids[1],)).results] == [ids[1]]
    assert len(desk.check(limit=1).results) == 1
    assert len(desk.check(everything=True, user_id="nobody").results) == 0


def test_a_result_is_reported_once_it_is_stored(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop())

    def stored(result: CheckResult) -> None:
        assert desk.row("url_observations")["id"] == result.observation_id
        raise ZeroDivisionError

    with desk.open() as db, pytest.raises(ZeroDivisionError):
        check(db, desk.web, Options(), stored)


def test_a_file_that_is_locked_ends_the_run(desk: WatchDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*args: object) -> None:
        raise LockedFile("the file is locked")

    for number in range(3):
        desk.watch(f"https://h{number}.example/", story(f"Page {number}"))
    monkeypatch.setattr(observations, "record", locked)
    with pytest.raises(LockedFile):
        desk.check()


# --- another run at the same time -------------------------------------------------------------


class Meanwhile(ScanFetcher):
    """Lets something happen while the first page is fetched."""

    def __init__(self, web: ScanFetcher, happen: Callable[[], object], times: int = 1) -> None:
        super().__init__(web.answers)
        self._happen, self._times = happen, times

    async def get(self, url: str, **options: Any) -> Fetched:
        """The answer, and what happened before it came."""
        answer = await super().get(url, **options)
        self._times -= 1
        if self._times >= 0:
            await asyncio.to_thread(self._happen)
        return answer


def test_a_change_that_another_run_saw_first_is_told_once(lamp: WatchDesk) -> None:
    lamp.web.answers[LAMP] = shop("44.50")
    other = WatchDesk(lamp.path, lamp.now + timedelta(seconds=1), ScanFetcher(lamp.web.answers))
    lamp.web = Meanwhile(lamp.web, other.check)
    done = lamp.check()
    assert done.results == [] and done.overtaken == 1
    assert other.seen and lamp.events()
    assert len(lamp.rows("url_change_events")) == len(other.seen[0].changes)


def test_a_look_that_was_overtaken_is_repeated_from_the_new_state(lamp: WatchDesk) -> None:
    """The clocks and plans of both are the same, so that only the state tells that another run was there."""
    lamp.check(everything=True)
    lamp.web.answers[LAMP] = shop("44.50")
    before = lamp.row("urls")
    other = WatchDesk(lamp.path, lamp.now, ScanFetcher(lamp.web.answers))

    def happen() -> None:
        other.check(everything=True)
        with lamp.open() as db, db.transaction() as connection:
            connection.execute("UPDATE urls SET next_check_at = :next_check_at", before)

    lamp.web = Meanwhile(lamp.web, happen)
    result = lamp.only(everything=True)
    assert (result.outcome, result.changes) == ("not_modified", ())
    assert len(lamp.rows("url_change_events")) == len(other.seen[0].changes) > 0


def test_others_who_are_always_faster(lamp: WatchDesk) -> None:
    lamp.check(everything=True)
    plan, looks = lamp.row("urls"), iter(range(1_000, 2_000))

    def happen() -> None:
        memory = f'{{"looks": {next(looks)}}}'
        with lamp.open() as db, db.transaction() as connection:
            connection.execute("UPDATE url_check_state SET memory = :memory", {"memory": memory})

    lamp.web.answers[LAMP] = shop("44.50")
    lamp.web = Meanwhile(lamp.web, happen, times=99)
    done = lamp.check(everything=True)
    assert (done.results, done.overtaken) == ([], 1)
    assert lamp.row("urls")["next_check_at"] == plan["next_check_at"]
    assert lamp.events() == []


# --- words of a model, pictures ---------------------------------------------------------------


class Model:
    """Words changes, or cannot."""

    name = "model:small"

    def __init__(self, answer: str | None = "The lamp is cheaper.") -> None:
        self.answer = answer
        self.asked: list[Piece] = []

    async def summarize(self, piece: Piece, *, max_chars: int) -> str:
        """The words, however little they have to do with the change."""
        self.asked.append(piece)
        if self.answer is None:
            raise ClassifierError("it is asleep")
        return self.answer


def test_a_model_words_the_change(lamp: WatchDesk) -> None:
    lamp.web.answers[LAMP] = shop("44.50")
    model = Model("The lamp\nis cheaper.")
    result = lamp.only(Helpers(model))
    assert {found.summary for found in result.changes} == {"The lamp is cheaper."}
    assert {row["method"] for row in lamp.rows("url_change_summaries")} == {"model:small"}
    piece = model.asked[0]
    assert piece.text.startswith("Before:\n") and "44.50" in piece.text.partition("Now:\n")[2]
    assert (piece.url, piece.source, piece.title) == (LAMP, "shop.example", "Storm lantern")


@pytest.mark.parametrize("answer", [None, "\u202e"])
def test_where_the_model_cannot_the_extract_stays(lamp: WatchDesk, answer: str | None) -> None:
    lamp.web.answers[LAMP] = shop("44.50", "Only 3 left")
    done = lamp.check(Helpers(Model(answer)))
    assert all("cheaper" not in found.summary for found in done.results[0].changes)
    if answer is None:
        assert done.notes == ["model:small could not word a change: it is asleep"], "said once"
        assert {row["method"] for row in lamp.rows("url_change_summaries")} == {"extractive"}


def test_a_model_is_not_asked_about_noise(lamp: WatchDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    def both(before: Snapshot, after: Snapshot, memory: Memory) -> Compared:
        states = [Change("text_changed", state, 0.1, "1", "2") for state in ("real", "volatile")]
        return Compared(tuple(states), memory)

    monkeypatch.setattr("digestlog.core.looks.compare", both)
    lamp.web.answers[LAMP] = shop("44.50")
    model = Model()
    lamp.check(Helpers(model))
    assert len(model.asked) == 1
    assert {row["method"] for row in lamp.rows("url_change_summaries")} == {"model:small", "extractive"}


def test_a_model_is_not_asked_about_nothing(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop())
    model = Model()
    desk.check(Helpers(model))
    desk.later(days=1).check(Helpers(model))
    assert model.asked == []


class Lens:
    """Takes pictures of anything."""

    def __init__(self, shot: Shot) -> None:
        self.shot = shot
        self.shots: list[tuple[str, bool]] = []

    def __call__(self) -> Lens:
        return self

    async def __aenter__(self) -> Lens:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def shoot(self, url: str, *, allow_private: bool = False) -> Shot:
        """The picture."""
        self.shots.append((url, allow_private))
        return self.shot


def test_a_picture_of_what_is_new_or_changed(desk: WatchDesk) -> None:
    desk.watch(LAMP, to("https://new.example/lamp"), allow_private=1)
    desk.web.answers["https://new.example/lamp"] = shop()
    lens = Lens(Shot(b"JPEG"))
    first = desk.only(Helpers(cameras=lens))
    desk.later(days=1).check(Helpers(cameras=lens))
    assert lens.shots == [("https://new.example/lamp", True)], "where it is, and not again as it was"
    shots = [row for row in desk.rows("url_render_artifacts") if row["kind"] == "screenshot"]
    assert [row["content"] for row in shots] == [b"JPEG"]
    assert shots[0]["id"] == artifact_id(first.observation_id, "screenshot")


def test_no_picture_stops_no_check(lamp: WatchDesk) -> None:
    lamp.watch("https://e.org/new", story("A new page."))
    lamp.web.answers[LAMP] = shop("44.50")
    lens = Lens(Shot(note="no browser is installed"))
    done = lamp.check(Helpers(cameras=lens))
    assert done.notes == ["no picture: no browser is installed"]
    assert done.totals()["changed"] == 1 and len(done.results) == 2


def test_nothing_to_do_starts_no_browser(desk: WatchDesk) -> None:
    def never() -> Lens:
        raise AssertionError("a browser was started")

    assert desk.check(Helpers(cameras=never)).results == []


def test_a_failed_look_is_not_adorned(desk: WatchDesk) -> None:
    desk.watch(LAMP)
    lens, model = Lens(Shot(b"JPEG")), Model()
    desk.check(Helpers(model, lens))
    assert (lens.shots, model.asked) == ([], [])


def test_what_is_chosen_is_what_is_due(desk: WatchDesk) -> None:
    desk.watch(LAMP, shop())
    with desk.open() as db:
        (page,) = chosen(db, Options())
        assert replace(page, url=LAMP) == page
