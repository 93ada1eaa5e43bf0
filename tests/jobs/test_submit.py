"""The user add flow of the library's contract, row by row."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from library_fakes import PRICES, Rules, Shelf, readable
from scan_fakes import HTML, Page, ScanFetcher, no_answer, page, to

from digestlog.core import canonical
from digestlog.core.library import Wish
from digestlog.errors import AddressRefused, FetchError, LibraryError, ParseError, UrlCapExceeded
from digestlog.jobs import submit as job
from digestlog.jobs.parsing import Parser
from digestlog.store import library, submissions

LOGIN = page(
    body="<form action='/login'><input type='text' name='user'><input type='password' name='p'>"
    "<button>Sign in</button></form>"
)
LINKED, CREATED = "approved_linked_existing", "approved_created_global"


@pytest.fixture
def shelf(db_path: Path, now: datetime) -> Shelf:
    return Shelf(db_path, now)


@pytest.fixture
def anna(shelf: Shelf) -> str:
    return shelf.user("anna")


def evidence(shelf: Shelf) -> list[dict[str, Any]]:
    return [json.loads(row["evidence"]) for row in shelf.rows("url_policy_decisions")]


def decisions(shelf: Shelf) -> list[tuple[str, str | None]]:
    return [(row["decision"], row["reason_code"]) for row in shelf.rows("url_policy_decisions")]


def statuses(shelf: Shelf) -> list[str]:
    return [row["status"] for row in shelf.rows("url_submissions")]


# --- step 1: the record ------------------------------------------------------------------


def test_submission_record_created_pending(shelf: Shelf, anna: str) -> None:
    """The row is there, committed and pending, before anybody looks at anything."""
    seen: list[list[str]] = []

    def rules(url: str) -> Any:
        seen.append(statuses(shelf))
        return Rules()(url)

    shelf.rules = rules  # type: ignore[assignment]
    shelf.add(anna, PRICES, "https://other.example/")
    assert seen[0] == ["pending", "pending"]
    assert statuses(shelf) == [CREATED, CREATED]


def test_every_attempt_is_a_submission_of_its_own(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, PRICES)
    shelf.add(anna, PRICES)
    assert len({row["id"] for row in shelf.rows("url_submissions")}) == 3
    assert decisions(shelf) == [("allow", None), ("block", "duplicate"), ("block", "duplicate")]


def test_ids_are_the_same_on_every_machine(shelf: Shelf, anna: str, tmp_path: Path, now: datetime) -> None:
    other = Shelf(tmp_path / "other.db", now)
    assert other.user("anna") == anna
    for one in (shelf, other):
        one.add(anna, PRICES)
    for table in ("url_submissions", "url_policy_decisions", "urls", "user_url_library", "brands"):
        order = f"(SELECT * FROM {table})" if table == "brands" else table
        mine, theirs = ([r["id"] for r in s.rows(order.replace("brands", "brand_library_brands"))]
                        for s in (shelf, other))  # fmt: skip
        assert mine == theirs, table


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("https://anna:secret@shop.example/prices", PRICES),
        ("anna:secret@shop.example/prices", "shop.example/prices"),
        ("see https://anna:secret@shop.example/prices", "see https://shop.example/prices"),
        ("ftp://anna:secret@shop.example/", "ftp://shop.example/"),
    ],
)
def test_credentials_are_never_stored(shelf: Shelf, anna: str, typed: str, stored: str) -> None:
    shelf.web.answers[PRICES] = readable()
    shelf.add(anna, typed)
    assert shelf.row("url_submissions")["submitted_url"] == stored
    assert b"secret" not in shelf.path.read_bytes()
    assert all("secret" not in asked.url for asked in shelf.web.asked)


# --- step 2: the identity ----------------------------------------------------------------


def test_url_normalized_canonical_url_computed(shelf: Shelf, anna: str) -> None:
    typed = "HTTPS://Shop.Example/prices/?b=2&utm_source=x&a=1#top"
    shelf.add(anna, typed)
    (row,) = shelf.rows("urls")
    assert shelf.row("url_submissions")["canonical_url"] == row["canonical_url"]
    assert row["canonical_url"] == "https://shop.example/prices?a=1&b=2"
    assert row["id"] == canonical.url_id(row["canonical_url"])
    assert row["url"] == typed  # what is fetched is what was submitted
    assert [asked.url for asked in shelf.web.asked] == [typed]


def test_an_address_without_a_scheme_is_https(shelf: Shelf, anna: str) -> None:
    shelf.web.answers["https://shop.example/prices"] = readable()
    assert shelf.one(anna, "shop.example/prices").canonical_url == PRICES


@pytest.mark.parametrize(
    "text", ["not a url", "ftp://shop.example/", "javascript:alert(1)", "https://", "lamp", "\x1b[31m", "  "]
)
def test_text_without_url_identity_is_blocked_unknown(shelf: Shelf, anna: str, text: str) -> None:
    result = shelf.one(anna, text)
    row = shelf.row("url_submissions")
    assert (row["status"], row["canonical_url"], row["matched_url_id"]) == ("blocked", None, None)
    assert decisions(shelf) == [("block", "unknown")]
    assert evidence(shelf)[0]["reason"].startswith("no address: ")
    assert "\x1b" not in row["submitted_url"]
    assert isinstance(result.error, LibraryError)
    assert (shelf.rows("urls"), shelf.web.asked, shelf.rules.asked) == ([], [], [])


# --- step 3: the policy ------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    ["adult_content", "hate_or_extremism", "malware_or_phishing", "spam_or_low_quality",
     "illegal_or_regulated", "auth_wall_or_uncheckable", "duplicate", "unknown"],
)  # fmt: skip
@pytest.mark.parametrize("decision", ["block", "review"])
def test_policy_decision_record_created(shelf: Shelf, anna: str, decision: str, code: str) -> None:
    shelf.rules = Rules({"shop.example": (decision, code)})
    shelf.add(anna, PRICES)
    (row,) = shelf.rows("url_policy_decisions")
    assert (row["decision"], row["reason_code"], row["decided_by"]) == (decision, code, None)
    assert row["submission_id"] == shelf.row("url_submissions")["id"]
    assert shelf.web.asked == []  # what the rules refuse is not looked at


def test_evidence_logging(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules({"shop.example": ("block", "unknown")})
    shelf.add(anna, PRICES)
    assert evidence(shelf) == [
        {"hostname": "shop.example", "pattern": "shop.example", "reason": "a test says block"}
    ]


def test_the_rules_see_the_canonical_address(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES + "/?utm_source=x")
    assert shelf.rules.asked == [PRICES]


# What the page answered -> decision, pattern; the reason code is always the same.
LOOKS: dict[str, tuple[Page | Exception, str, str | None]] = {
    "401": (Page(b"", HTML, 401), "block", "login"),
    "login wall": (LOGIN, "block", "login"),
    "403": (Page(b"no", HTML, 403), "review", "status 403"),
    "403 with a login": (Page(LOGIN.body, HTML, 403), "review", "status 403"),
    "404": (Page(b"no", HTML, 404), "review", "status 404"),
    "410": (Page(b"no", HTML, 410), "review", "status 410"),
    "robots.txt": (FetchError("x is closed to programs by the site's robots.txt", url="x"), "review",
                   "robots.txt"),
    "too large": (FetchError("x is larger than 15 MB", url="x"), "review", "not readable"),
    "private": (AddressRefused("x leads to a private address", url="x"), "block", "private address"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKS)
def test_auth_wall_or_uncheckable(shelf: Shelf, anna: str, name: str) -> None:
    shelf.web.answers[PRICES], decision, pattern = LOOKS[name]
    result = shelf.one(anna)
    assert decisions(shelf) == [(decision, "auth_wall_or_uncheckable")]
    assert evidence(shelf)[0]["pattern"] == pattern
    assert evidence(shelf)[0]["reason"]
    assert result.status == {"block": "blocked", "review": "needs_review"}[decision]
    assert shelf.rows("urls") == []


def test_a_page_that_is_an_empty_shell_waits(shelf: Shelf, anna: str) -> None:
    shell = b"<!doctype html><html><head><title></title></head><body><div id='root'></div></body></html>"
    shelf.web.answers[PRICES] = Page(shell, HTML)
    assert shelf.one(anna).status == "needs_review"
    assert decisions(shelf) == [("review", "auth_wall_or_uncheckable")]


def test_a_challenge_waits_whatever_its_status(shelf: Shelf, anna: str) -> None:
    body = (
        "<title>Just a moment...</title><h1>Checking your browser before accessing shop.example</h1>"
        "<p>This process is automatic. Your browser will redirect to your requested content shortly.</p>"
    )
    shelf.web.answers[PRICES] = Page(page(body=body).body, HTML, 503)
    shelf.one(anna)
    assert decisions(shelf) == [("review", "auth_wall_or_uncheckable")]


@pytest.mark.parametrize(
    "answer", [no_answer(PRICES), Page(b"", HTML, 500), Page(b"", HTML, 503), Page(b"", HTML, 429)]
)
def test_a_network_that_fails_now_is_no_reason_to_refuse(
    shelf: Shelf, anna: str, answer: Page | Exception
) -> None:
    shelf.web.answers[PRICES] = answer
    result = shelf.one(anna)
    assert (result.status, result.unseen, result.error) == (CREATED, True, None)
    assert evidence(shelf)[0]["reason"].startswith("could not be looked at yet: ")


def test_a_page_that_ends_its_reader_waits(shelf: Shelf, anna: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*args: object) -> object:
        raise ParseError("reading it ended the process that read it")

    monkeypatch.setattr(Parser, "page", broken)
    assert shelf.one(anna).status == "needs_review"


def test_where_a_redirect_leads_is_judged_too(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules({"casino.example": ("block", "illegal_or_regulated")})
    shelf.web.answers |= {PRICES: to("https://casino.example/"), "https://casino.example/": readable()}
    assert shelf.one(anna).status == "blocked"
    assert decisions(shelf) == [("block", "illegal_or_regulated")]
    assert evidence(shelf)[0]["reason"] == "it leads to casino.example: a test says block"


def test_a_redirect_to_where_it_may_lead(shelf: Shelf, anna: str) -> None:
    shelf.web.answers |= {PRICES: to("https://shop.example/new"), "https://shop.example/new": readable()}
    assert shelf.one(anna).status == CREATED
    assert shelf.rules.asked == [PRICES, "https://shop.example/new"]


def test_the_preflight_is_polite_and_private_only_for_who_may(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES)
    assert [(a.obey_robots, a.allow_private) for a in shelf.web.asked] == [(True, False)]
    shelf.add(shelf.owner, "http://nas.example/", allow_private=True)
    assert [(a.obey_robots, a.allow_private) for a in shelf.web.asked] == [(True, True)]


class Meeting(ScanFetcher):
    """Lets nobody go before all are there: whoever asks one by one never ends."""

    def __init__(self, visitors: int) -> None:
        super().__init__()
        self.missing = visitors

    async def get(self, url: str, **options: Any) -> Any:
        self.missing -= 1
        if self.missing == 0:
            self.complete.set()
        async with asyncio.timeout(60):
            await self.complete.wait()
        return await super().get(url, **options)

    async def __aenter__(self) -> ScanFetcher:
        self.complete = asyncio.Event()
        return await super().__aenter__()


def test_pages_are_looked_at_side_by_side(shelf: Shelf, anna: str) -> None:
    shelf.web = Meeting(8)
    urls = [f"https://s{n}.example/" for n in range(8)]
    assert all(one.watched and not one.unseen for one in shelf.add(anna, *urls))


class LastFirst(ScanFetcher):
    """The first page answers only once the last has."""

    async def get(self, url: str, **options: Any) -> Any:
        if "first" in url:
            async with asyncio.timeout(60):
                await self.last.wait()
        found = await super().get(url, **options)
        if "last" in url:
            self.last.set()
        return found

    async def __aenter__(self) -> ScanFetcher:
        self.last = asyncio.Event()
        return await super().__aenter__()


def test_pages_are_written_in_the_order_in_which_they_were_asked_for(shelf: Shelf, anna: str) -> None:
    shelf.web = LastFirst()
    shelf.cap(2)
    urls = [f"https://{name}.example/" for name in ("first", "second", "last")]
    assert [one.watched for one in shelf.add(anna, *urls)] == [True, True, False]
    assert [row["canonical_url"] for row in shelf.rows("urls")] == urls[:2]


def test_no_preflight_asks_nobody(shelf: Shelf, anna: str) -> None:
    shelf.web.answers[PRICES] = Page(b"", HTML, 404)
    assert shelf.one(anna, preflight=False).status == CREATED
    assert shelf.web.asked == []


def test_only_an_admin_may_allow_private(shelf: Shelf, anna: str) -> None:
    with pytest.raises(LibraryError, match="only an admin"):
        shelf.add(anna, PRICES, allow_private=True)
    assert shelf.rows("url_submissions") == []
    shelf.add(shelf.owner, PRICES, allow_private=True)
    assert shelf.row("urls")["allow_private"] == 1


def test_duplicate(shelf: Shelf, anna: str) -> None:
    """Already exists in system: the user watches it, under any of its spellings."""
    shelf.add(anna, PRICES)
    asked = len(shelf.rules.asked)
    result = shelf.one(anna, PRICES + "/?utm_source=mail")
    assert (result.status, result.reason, result.error) == ("blocked", "you watch it already", None)
    assert decisions(shelf)[1] == ("block", "duplicate")
    assert shelf.web.asked == [] and len(shelf.rules.asked) == asked
    assert len(shelf.rows("urls")) == len(shelf.rows("user_url_library")) == 1


# --- step 4: routing ---------------------------------------------------------------------


def test_block_no_global_url_created(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules({"shop.example": ("block", "spam_or_low_quality")})
    result = shelf.one(anna)
    assert (result.status, result.watched) == ("blocked", False)
    assert statuses(shelf) == ["blocked"]
    for table in ("urls", "user_url_library", "brand_library_brands", "brand_domains", "onboarding_state"):
        assert shelf.rows(table) == [], table


def test_review_awaits_admin(shelf: Shelf, anna: str) -> None:
    shelf.rules = Rules({"shop.example": ("review", "spam_or_low_quality")})
    result = shelf.one(anna)
    assert (result.status, result.watched, result.error) == ("needs_review", False, None)
    row = shelf.row("url_submissions")
    assert (row["status"], row["canonical_url"], row["matched_url_id"]) == ("needs_review", PRICES, None)
    assert shelf.rows("urls") == shelf.rows("user_url_library") == []


def test_allow_proceeds(shelf: Shelf, anna: str) -> None:
    assert shelf.one(anna).watched
    assert decisions(shelf) == [("allow", None)]


# --- step 5: the page, once for all ------------------------------------------------------


def test_exists_approved_linked_existing(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.owner, PRICES)
    result = shelf.one(anna, PRICES + "/?fbclid=1")
    row = shelf.rows("url_submissions")[1]
    assert (row["status"], row["matched_url_id"]) == (LINKED, canonical.url_id(PRICES))
    assert (result.status, result.url_id) == (LINKED, canonical.url_id(PRICES))
    assert len(shelf.rows("urls")) == 1
    assert shelf.row("urls")["url"] == PRICES  # as it was first submitted


def test_new_approved_created_global(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES)
    row = shelf.row("url_submissions")
    assert (row["status"], row["matched_url_id"]) == (CREATED, canonical.url_id(PRICES))
    url = shelf.row("urls")
    assert (url["check_frequency"], url["next_check_at"], url["allow_private"]) == ("daily", None, 0)


def test_the_wish_of_the_first_is_how_it_is_checked(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, check_frequency="hourly", min_interval_s=1800, max_interval_s=7200)
    row = shelf.row("urls")
    assert (row["check_frequency"], row["min_interval_s"], row["max_interval_s"]) == ("hourly", 1800, 7200)


def test_a_page_that_others_watch_is_checked_as_before(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.user("bert"), PRICES, check_frequency="weekly")
    assert shelf.one(anna, check_frequency="hourly").unheeded
    assert shelf.row("urls")["check_frequency"] == "weekly"
    assert not shelf.one(shelf.owner, check_frequency="monthly").unheeded  # an admin decides for all
    assert shelf.row("urls")["check_frequency"] == "monthly"


def test_its_only_watcher_may_change_how_often(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES, check_frequency="weekly")
    result = shelf.one(anna, check_frequency="hourly")
    assert (result.reason_code, result.unheeded) == ("duplicate", False)
    assert shelf.row("urls")["check_frequency"] == "hourly"
    shelf.add(shelf.owner, PRICES)
    assert shelf.one(anna, min_interval_s=600).unheeded
    assert shelf.row("urls")["min_interval_s"] is None


def test_a_brand_is_assigned(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, "https://www.shop.co.uk/a", "https://blog.shop.co.uk/b", "https://me.github.io/")
    brands = {row["id"]: row["domain"] for row in shelf.rows("brand_library_brands")}
    assert [brands[row["brand_id"]] for row in shelf.rows("urls")] == ["shop.co.uk"] * 2 + ["me.github.io"]


# --- step 6: the user's place ------------------------------------------------------------


def test_history_start_at_now_for_free(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES)
    assert shelf.row("user_url_library")["history_start_at"] == "2026-02-13T09:02:10+00:00"


def test_history_start_at_null_for_paid(shelf: Shelf) -> None:
    shelf.add(shelf.user("berta", plan="paid"), PRICES)
    assert shelf.row("user_url_library")["history_start_at"] is None


def test_a_removed_page_comes_back_as_if_new(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES)
    with shelf.open() as db:
        library.unlink(db, anna, canonical.url_id(PRICES))
    result = shelf.later(days=3).one(anna)
    row = shelf.row("user_url_library")
    assert (result.status, row["is_active"]) == (LINKED, 1)
    assert row["history_start_at"] == "2026-02-16T09:02:10+00:00"


def test_the_first_page_is_a_first_step(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, PRICES)
    row = shelf.row("onboarding_state")
    assert (row["user_id"], row["step"], row["completed_at"]) == (anna, "first_change", None)


# --- the cap -----------------------------------------------------------------------------


def test_pre_check_says_which_limit(shelf: Shelf, anna: str) -> None:
    shelf.cap(1)
    shelf.add(anna, PRICES)
    result = shelf.one(anna, "https://other.example/")
    assert isinstance(result.error, UrlCapExceeded)
    assert "the free plan's limit of 1 watched page is reached" in result.error.message
    assert result.error.hint
    assert decisions(shelf)[1] == ("block", "unknown")
    assert evidence(shelf)[1] == {
        "hostname": "other.example",
        "pattern": "max_tracked_urls",
        "reason": "the free plan's limit of 1 watched page is reached",
    }
    assert shelf.web.asked == []  # the pre-check saves the visit


def test_the_first_ones_asked_for_have_the_places(shelf: Shelf, anna: str) -> None:
    shelf.cap(3)
    urls = [f"https://s{n}.example/" for n in range(6)]
    shelf.web.answers[urls[0]] = readable()
    results = shelf.add(anna, *urls)
    assert [one.watched for one in results] == [True] * 3 + [False] * 3
    assert [row["canonical_url"] for row in shelf.rows("urls")] == urls[:3]


def test_trigger_has_the_last_word_and_leaves_no_orphan(
    shelf: Shelf, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a race: the pre-check saw a free place that is taken by the time of writing."""
    shelf.cap(0)
    free = library.Entitlement("free", 0, 1)
    real = library.check_url_cap_entitlement
    answers = iter([free])
    monkeypatch.setattr(
        library, "check_url_cap_entitlement", lambda db, user: next(answers, None) or real(db, user)
    )
    result = shelf.one(anna)
    assert isinstance(result.error, UrlCapExceeded)
    assert "the free plan's limit of 0 watched pages is reached" in result.reason
    assert (statuses(shelf), decisions(shelf)) == (["blocked"], [("block", "unknown")])
    for table in ("urls", "user_url_library", "brand_library_brands", "brand_domains", "onboarding_state"):
        assert shelf.rows(table) == [], table


def test_over_the_cap_the_others_go_on(shelf: Shelf, anna: str) -> None:
    shelf.cap(1)
    results = shelf.add(
        anna, "not an address", "https://a.example/", "https://b.example/", "https://a.example"
    )
    assert [one.status for one in results] == ["blocked", CREATED, "blocked", "blocked"]
    assert [one.error is None for one in results] == [False, True, False, True]


# --- private networks --------------------------------------------------------------------

NAS = "http://nas.example/"


@pytest.mark.parametrize("url", ["http://192.168.0.10/", "http://localhost:8080/", "http://[::1]/"])
def test_an_address_inside_is_refused_also_without_a_look(shelf: Shelf, anna: str, url: str) -> None:
    result = shelf.one(anna, url, preflight=False)
    assert decisions(shelf) == [("block", "auth_wall_or_uncheckable")]
    assert "is a private address" in result.reason
    assert shelf.one(shelf.owner, url, preflight=False, allow_private=True).watched


def test_what_an_admin_watches_in_a_private_network_is_not_linked_to_others(shelf: Shelf, anna: str) -> None:
    shelf.add(shelf.owner, NAS, allow_private=True)
    result = shelf.one(anna, NAS, preflight=False)
    assert (result.status, result.reason_code) == ("blocked", "auth_wall_or_uncheckable")
    assert "private network" in result.reason and result.error and "--allow-private" in str(result.error.hint)
    assert len(shelf.rows("user_url_library")) == 1


def test_a_page_that_others_watch_is_not_opened_to_a_private_network(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, NAS, preflight=False)
    result = shelf.one(shelf.owner, NAS, allow_private=True)
    assert result.status == "blocked" and "others watch it" in result.reason
    assert shelf.row("urls")["allow_private"] == 0


def test_one_cannot_open_it_by_adding_it_twice(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, NAS, preflight=False)
    shelf.add(shelf.owner, NAS, preflight=False)
    shelf.add(shelf.owner, NAS, allow_private=True)
    assert shelf.row("urls")["allow_private"] == 0


def test_a_page_that_nobody_watches_any_more_may_be_opened(shelf: Shelf, anna: str) -> None:
    shelf.add(anna, NAS, preflight=False)
    with shelf.open() as db:
        library.unlink(db, anna, canonical.url_id(NAS))
    assert shelf.one(shelf.owner, NAS, allow_private=True).status == LINKED
    assert shelf.row("urls")["allow_private"] == 1
    assert shelf.one(anna, NAS, preflight=False).status == "blocked"  # and is closed to her from then on


def test_ones_own_page_may_be_opened(shelf: Shelf) -> None:
    shelf.add(shelf.owner, NAS, preflight=False)
    shelf.add(shelf.owner, NAS, allow_private=True)
    assert shelf.row("urls")["allow_private"] == 1


# --- what a killed run leaves ------------------------------------------------------------


def test_a_killed_run_is_finished_by_the_next_one(shelf: Shelf, anna: str) -> None:
    shelf.left_pending(anna, PRICES, check_frequency="weekly", preflight=False)
    shelf.left_pending(shelf.owner, "https://theirs.example/")
    results = shelf.add(anna, "https://new.example/")
    assert [(one.submitted_url, one.leftover) for one in results] == [
        ("https://new.example/", False),
        (PRICES, True),
    ]
    assert [one.submission_id for one in results] == [one.submission_id for one in shelf.reported]
    by_name = {row["canonical_url"]: row for row in shelf.rows("urls")}
    assert by_name[PRICES]["check_frequency"] == "weekly"  # as it was wished then
    assert [asked.url for asked in shelf.web.asked] == ["https://new.example/"]
    assert statuses(shelf) == [CREATED, "pending", CREATED]


def test_what_another_run_finished_meanwhile_is_left_alone(shelf: Shelf, anna: str) -> None:
    """Two runs at once: each submission has one decision, and both tell the same."""

    class Interrupting(Rules):
        def __call__(self, url: str) -> Any:
            if not self.asked:
                self.asked.append(url)
                inner = Shelf(shelf.path, shelf.now, web=type(shelf.web)(shelf.web.answers))
                with ThreadPoolExecutor(1) as thread:
                    self.inner = thread.submit(inner.add, anna, "https://new.example/").result()
            return super().__call__(url)

    shelf.rules = rules = Interrupting()
    (mine,) = shelf.add(anna, PRICES)
    finished = {one.submitted_url: one for one in rules.inner}[PRICES]
    assert (mine.status, mine.submission_id) == (finished.status, finished.submission_id) != ("pending", "")
    assert len(shelf.rows("url_policy_decisions")) == 2


def test_a_leftover_of_one_who_is_no_admin_any_more(shelf: Shelf, anna: str) -> None:
    shelf.left_pending(anna, NAS, allow_private=True)
    shelf.web.answers[NAS] = readable()
    shelf.add(anna, PRICES)
    assert [asked.allow_private for asked in shelf.web.asked] == [False, False]
    assert [row["allow_private"] for row in shelf.rows("urls")] == [0, 0]


def test_steps_three_to_six_are_one_transaction(
    shelf: Shelf, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(submissions, "settle", killed)
        shelf.add(anna, PRICES)
    assert statuses(shelf) == ["pending"]
    for table in ("url_policy_decisions", "urls", "user_url_library"):
        assert shelf.rows(table) == [], table
    (other, left) = shelf.add(anna, "https://new.example/")
    assert (left.leftover, left.status) == (True, CREATED)


def test_nobody_has_to_listen(shelf: Shelf, anna: str) -> None:
    with shelf.open() as db:
        (result,) = job.submit(db, shelf.web, shelf.rules, anna, [PRICES], Wish(preflight=False))
    assert result.watched


# --- the admin's word --------------------------------------------------------------------


@pytest.fixture
def waiting(shelf: Shelf, anna: str) -> Iterator[submissions.Submission]:
    shelf.rules = Rules({"shop.example": ("review", "spam_or_low_quality")})
    shelf.add(anna, PRICES, check_frequency="weekly")
    with shelf.open() as db:
        (found,) = submissions.waiting(db)
    yield found


def test_review_approved_continues_with_steps_five_and_six(
    shelf: Shelf, anna: str, waiting: submissions.Submission
) -> None:
    with shelf.later(days=1).open() as db:
        result = job.approve(db, shelf.owner, waiting)
    assert (result.status, result.reason) == (CREATED, "approved by owner")
    assert decisions(shelf) == [("review", "spam_or_low_quality"), ("allow", None)]
    assert [row["decided_by"] for row in shelf.rows("url_policy_decisions")] == [None, shelf.owner]
    assert shelf.row("urls")["check_frequency"] == "weekly"
    mine = shelf.row("user_url_library")
    assert (mine["user_id"], mine["history_start_at"]) == (anna, "2026-02-14T09:02:10+00:00")


def test_review_approved_links_what_exists(shelf: Shelf, waiting: submissions.Submission) -> None:
    shelf.rules = Rules()
    shelf.add(shelf.owner, PRICES)
    with shelf.open() as db:
        assert job.approve(db, shelf.owner, waiting).status == LINKED
    assert len(shelf.rows("urls")) == 1


def test_a_page_that_was_asked_for_twice_is_approved_twice(shelf: Shelf, anna: str, waiting: Any) -> None:
    shelf.add(anna, PRICES)
    with shelf.open() as db:
        results = [job.approve(db, shelf.owner, one) for one in submissions.waiting(db)]
    assert [one.status for one in results] == [CREATED, LINKED]
    assert len(shelf.rows("user_url_library")) == len(shelf.rows("urls")) == 1


def test_review_approved_over_the_cap_waits_on(shelf: Shelf, waiting: submissions.Submission) -> None:
    shelf.cap(0)
    with shelf.open() as db, pytest.raises(UrlCapExceeded):
        job.approve(db, shelf.owner, waiting)
    assert statuses(shelf) == ["needs_review"]
    assert (len(shelf.rows("url_policy_decisions")), shelf.rows("urls")) == (1, [])


def test_review_blocked(shelf: Shelf, waiting: submissions.Submission) -> None:
    with shelf.open() as db:
        result = job.block(db, shelf.owner, waiting, "adult_content", "no")
    assert (result.status, result.reason_code, result.reason) == ("blocked", "adult_content", "no")
    assert decisions(shelf)[1] == ("block", "adult_content")
    assert evidence(shelf)[1] == {"hostname": "shop.example", "pattern": None, "reason": "no"}
    assert shelf.rows("urls") == []


@pytest.mark.parametrize("decide", ["approve", "block"])
def test_two_admins_decide_once(shelf: Shelf, waiting: submissions.Submission, decide: str) -> None:
    with shelf.open() as db:
        job.block(db, shelf.owner, waiting, "unknown", "no")
        with pytest.raises(LibraryError, match="decided meanwhile"):
            if decide == "approve":
                job.approve(db, shelf.owner, waiting)
            else:
                job.block(db, shelf.owner, waiting, "unknown", "no")
    assert len(shelf.rows("url_policy_decisions")) == 2


def test_the_stored_wish_is_read_again(waiting: submissions.Submission) -> None:
    assert waiting.wish == Wish(check_frequency="weekly")
