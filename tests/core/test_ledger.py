"""The scan's decisions: what lies in the window, what is one article, and what is only a wall."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.canonical import ledger_url
from digestlog.core.ledger import (
    EVER,
    FAILED,
    NO_IDENTITY,
    OUTSIDE,
    RESOLVED,
    UNRESOLVED,
    WINDOW,
    Candidate,
    LeftOut,
    NewArticle,
    Resolution,
    covers,
    identified,
    sift,
    too_old,
    unanswered,
    wall,
    window_start,
)
from digestlog.core.model import Hop
from digestlog.errors import FetchError

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)
HOUR, DAY, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(seconds=1)
YESTERDAY, LAST_WEEK = NOW - DAY, NOW - 7 * DAY
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))


def candidate(
    url: str = "https://e.org/a", at: datetime | None = None, title: str | None = None
) -> Candidate:
    return Candidate(url, title, at, "raw" if at else None, "pubDate" if at else None, "fast")


# --- the window -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "last_success", "start"),
    [
        (WINDOW, None, YESTERDAY),
        (WINDOW, NOW, YESTERDAY),
        (WINDOW, NOW - HOUR, YESTERDAY),
        (WINDOW, YESTERDAY, YESTERDAY),
        (WINDOW, YESTERDAY - SECOND, YESTERDAY - SECOND),
        (WINDOW, LAST_WEEK, LAST_WEEK),
        (2 * DAY, NOW - HOUR, NOW - 2 * DAY),
        (HOUR, LAST_WEEK, LAST_WEEK),
        (None, None, None),
        (None, LAST_WEEK, None),
        # A clock that was set back must not close the window.
        (WINDOW, NOW + 7 * DAY, YESTERDAY),
        # A window that is older than the calendar.
        (timedelta(days=999_999), None, EVER),
    ],
)
def test_where_the_window_begins(
    window: timedelta | None, last_success: datetime | None, start: datetime | None
) -> None:
    assert window_start(NOW, window, last_success) == start


@given(MOMENTS, st.timedeltas(timedelta(minutes=1), timedelta(days=10**8)), st.none() | MOMENTS)
def test_the_window_reaches_back_to_both(
    now: datetime, window: timedelta, last_success: datetime | None
) -> None:
    start = window_start(now, window, last_success)
    assert start is not None
    assert start == EVER or now - start >= window
    assert last_success is None or start <= last_success


@pytest.mark.parametrize(
    ("at", "within"),
    [
        (NOW, True),
        (YESTERDAY, True),
        (YESTERDAY - SECOND, False),
        (EVER, False),
        (NOW + SECOND, True),
        (NOW + 3650 * DAY, True),
        (None, True),
    ],
)
def test_what_lies_in_the_window(at: datetime | None, within: bool) -> None:
    found = candidate(at=at)
    sifted = sift([found], YESTERDAY)
    assert sifted.within == ((found,) if within else ())
    assert sifted.outside == (() if within else (found,))
    assert too_old(found) == LeftOut("https://e.org/a", OUTSIDE, at)


def test_without_a_window_everything_is_kept() -> None:
    found = [candidate(f"https://e.org/{n}", at) for n, at in enumerate([NOW, EVER, None, LAST_WEEK])]
    assert sift(found, None).within == tuple(found)


@pytest.mark.parametrize(
    ("read_since", "start", "seen"),
    [
        (None, YESTERDAY, False),
        (None, None, False),
        (LAST_WEEK, YESTERDAY, True),
        (YESTERDAY, YESTERDAY, True),
        (YESTERDAY, LAST_WEEK, False),
        (YESTERDAY, None, False),
        (EVER, None, True),
        (EVER, LAST_WEEK, True),
    ],
)
def test_whether_the_last_reading_saw_enough(
    read_since: datetime | None, start: datetime | None, seen: bool
) -> None:
    assert covers(read_since, start) is seen


@given(MOMENTS, MOMENTS, st.none() | MOMENTS)
def test_a_reading_that_covers_left_nothing_out_that_is_wanted_now(
    read_since: datetime, start: datetime, at: datetime | None
) -> None:
    wanted_now = sift([candidate(at=at)], start).within
    if covers(read_since, start) and wanted_now:
        assert sift([candidate(at=at)], read_since).within


# --- each address once ------------------------------------------------------------------------


def test_each_address_once_in_the_order_of_the_source() -> None:
    found = [candidate("https://e.org/b"), candidate("https://e.org/a"), candidate("https://e.org/b")]
    assert [one.url for one in sift(found, None).within] == ["https://e.org/b", "https://e.org/a"]


@pytest.mark.parametrize(
    ("first", "later", "title", "at"),
    [
        (candidate(title="A"), candidate(title="B"), "A", None),
        (candidate(), candidate(title="B"), "B", None),
        (candidate(at=NOW), candidate(at=LAST_WEEK), None, NOW),
        (candidate(), candidate(at=NOW), None, NOW),
        (candidate(title="A"), candidate(at=NOW, title="B"), "A", NOW),
        (candidate(at=NOW, title="A"), candidate(), "A", NOW),
    ],
)
def test_a_later_entry_of_the_same_address_only_completes(
    first: Candidate, later: Candidate, title: str | None, at: datetime | None
) -> None:
    (kept,) = sift([first, later], None).within
    assert (kept.title, kept.published_at) == (title, at)
    assert (kept.date_from is None) == (kept.published_raw is None) == (at is None)


def test_the_date_of_a_later_entry_counts_for_the_window() -> None:
    assert sift([candidate(), candidate(at=LAST_WEEK)], YESTERDAY).within == ()


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("https://u:p@e.org/a", "https://e.org/a"),
        ("https://u@e.org/a", "https://e.org/a"),
        (" HTTPS://u:p@x@e.org/a", " HTTPS://e.org/a"),
        ("https:\\\\u:p@e.org/a", "https:\\\\e.org/a"),
        ("https://e.org/@u:p/a", "https://e.org/@u:p/a"),
        ("https://e.org/a\0b", "https://e.org/a%00b"),
    ],
)
def test_what_a_file_must_not_hold_is_taken_out(written: str, kept: str) -> None:
    (found,) = sift([replace(candidate(written), published_raw="a\0\ndate ")], None).within
    assert found.url == kept
    assert found.published_raw == "a date"
    (left,) = sift([candidate(written, LAST_WEEK)], YESTERDAY).outside
    assert left.url == kept


def test_with_and_without_a_password_is_one_address() -> None:
    assert len(sift([candidate("https://u:p@e.org/a"), candidate("https://e.org/a")], None).within) == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | MOMENTS), max_size=8), st.none() | MOMENTS)
def test_nothing_gets_lost_in_the_sieve(
    shown: list[tuple[str, datetime | None]], start: datetime | None
) -> None:
    sifted = sift([candidate(f"https://e.org/{name}", at) for name, at in shown], start)
    urls = [one.url for one in sifted.within] + [one.url for one in sifted.outside]
    assert sorted(urls) == sorted({f"https://e.org/{name}" for name, _ in shown})
    assert all(left.published_at and start and left.published_at < start for left in sifted.outside)


# --- walls ------------------------------------------------------------------------------------

LOGIN, FRONT = "it leads to a login or consent page", "it leads to the front page of a site"
ERROR = "it leads to an error page"


@pytest.mark.parametrize(
    ("original", "resolved", "why"),
    [
        # Logins and consent pages.
        ("https://e.org/a", "https://e.org/login?next=/a", LOGIN),
        ("https://e.org/a", "https://e.org/log-in/", LOGIN),
        ("https://e.org/a", "https://e.org/users/sign_in", LOGIN),
        ("https://e.org/a", "https://e.org/Account/SignIn", LOGIN),
        ("https://e.org/a", "https://e.org/wp-login.php?redirect_to=x", LOGIN),
        ("https://e.org/a", "https://e.org/subscribe", LOGIN),
        ("https://e.org/a", "https://e.org/oauth2/authorize", LOGIN),
        ("https://e.org/a", "https://consent.e.org/collect?x=1", LOGIN),
        ("https://e.org/a", "https://accounts.big.example/v3?continue=a", LOGIN),
        ("https://t.example/x", "https://e.org/captcha/", LOGIN),
        # Articles about such things, and sites of that name.
        ("https://e.org/login/a", "https://e.org/login/a/", None),
        ("https://e.org/a", "https://e.org/login-is-broken", None),
        ("https://e.org/a", "https://e.org/b?next=/login", None),
        ("https://login.gov/news/a", "https://login.gov/news/a/", None),
        # The front page instead of the article.
        ("https://e.org/a", "https://e.org/", FRONT),
        ("https://e.org/a", "https://e.org", FRONT),
        ("https://www.e.org/a", "https://e.org/", FRONT),
        ("https://e.org/a", "https://www.e.org/", FRONT),
        ("https://news.e.org/a", "https://e.org/", FRONT),
        ("http://E.org/a", "https://e.ORG/", FRONT),
        ("https://e.org/a", "https://e.org/?utm_source=gone", FRONT),
        ("https://e.org/a", "https://e.org/en/", FRONT),
        ("https://e.org/a", "https://e.org/de-ch", FRONT),
        ("https://e.org/a", "https://e.org/index.html", FRONT),
        ("https://e.org/?p=12", "https://e.org/", FRONT),
        ("https://t.example/x", "https://e.org/", FRONT),
        ("https://notme.org/a", "https://me.org/", FRONT),
        # An error page.
        ("https://e.org/a", "https://e.org/not-found", ERROR),
        ("https://e.org/a", "https://e.org/blocked.html", ERROR),
        ("https://e.org/a", "https://e.org/404", ERROR),
        ("https://e.org/a", "https://e.org/404-reasons-to-walk", None),
        ("https://e.org/error", "https://e.org/error/", None),
        # Such a word in the midst of a path is a topic.
        ("https://e.org/a", "https://e.org/challenge/kaggle-winner-interview", None),
        # A front page that is meant, or that is none.
        ("https://e.org/", "https://e.org/en/", None),
        ("https://e.org", "https://www.e.org/", None),
        ("https://e.org/a", "https://e.org/?p=12", None),
        # Anything else.
        ("https://e.org/a", "https://e.org/b", None),
        ("http://e.org/a", "https://e.org/a", None),
        ("https://e.org/a", "not an address", None),
    ],
)
def test_walls(original: str, resolved: str, why: str | None) -> None:
    assert wall(original, resolved) == why


@given(
    st.text("abc/.?=&:@#%", max_size=30), st.sampled_from(["https://e.org/", "https://login.e.org/login/"])
)
def test_an_address_is_no_wall_to_itself(rest: str, start: str) -> None:
    assert wall(start + rest, start + rest) is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_wall_is_judged_for_any_text(original: str, resolved: str) -> None:
    assert wall(original, resolved) in (None, LOGIN, FRONT)


def test_a_long_address_is_judged_at_once() -> None:
    started = time.process_time()
    for rest in ("/login" * 10_000, "/" * 60_000, "en-" * 20_000, "/wp-" * 15_000):
        wall("https://e.org/a", "https://e.org/" + rest + "x")
    assert time.process_time() - started < 2


# --- identity ---------------------------------------------------------------------------------


def test_an_article_that_did_not_redirect() -> None:
    resolution = Resolution(RESOLVED, http_status=200)
    found = identified(candidate("https://e.org/a?utm_source=x"), resolution)
    assert isinstance(found, NewArticle)
    assert found.address == ledger_url("https://e.org/a?utm_source=x")
    assert found.address.notes == ("removed_tracking_params",)
    assert found.resolution is resolution


def test_an_article_at_the_end_of_its_redirects() -> None:
    resolution = Resolution(RESOLVED, "https://e.org/b?gclid=1", (Hop(301, "https://e.org/b?gclid=1"),), 200)
    found = identified(candidate("https://t.example/x"), resolution)
    assert isinstance(found, NewArticle)
    assert (found.address.original, found.address.final) == ("https://t.example/x", "https://e.org/b")
    assert found.address.notes == ("resolved_redirects", "removed_tracking_params")


@pytest.mark.parametrize("status", [UNRESOLVED, FAILED])
def test_what_does_not_resolve_stands_under_its_original(status: str) -> None:
    found = identified(candidate("https://t.example/x"), Resolution(status, error="no answer"))
    assert isinstance(found, NewArticle)
    assert found.address == ledger_url("https://t.example/x")
    assert found.resolution.status == status


@pytest.mark.parametrize(
    ("resolved", "code"),
    [
        ("https://e.org/" + "a" * 2048, "too_long"),
        ("https://{{host}}/", "invalid"),
        ("ftp://e.org/", "unsupported_scheme"),
    ],
)
def test_a_redirect_to_an_address_without_identity(resolved: str, code: str) -> None:
    hops = (Hop(302, resolved),)
    found = identified(candidate("https://t.example/x"), Resolution(RESOLVED, resolved, hops, 200))
    assert isinstance(found, NewArticle)
    assert found.address == ledger_url("https://t.example/x")
    assert found.resolution == Resolution(
        FAILED, None, hops, 200, f"it leads to an address without identity ({code})"
    )


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://e.org/" + "a" * 2048, "too_long"),
        ("https://{{host}}/a", "invalid"),
        ("mailto:a@e.org", "unsupported_scheme"),
        ("/a", "relative"),
        ("", "empty"),
    ],
)
@pytest.mark.parametrize("resolved", [None, "ftp://e.org/"])
def test_a_candidate_without_identity_is_left_out(url: str, code: str, resolved: str | None) -> None:
    found = identified(candidate(url, NOW), Resolution(RESOLVED, resolved))
    assert found == LeftOut(url, f"{NO_IDENTITY}: {code}", NOW)


@given(st.text(max_size=80), st.none() | st.text(max_size=80))
def test_any_text_has_an_identity_or_a_reason(url: str, resolved: str | None) -> None:
    found = identified(candidate(url), Resolution(RESOLVED, resolved))
    if isinstance(found, LeftOut):
        assert found.url == url and found.reason.startswith("no_identity: ")
    else:
        assert found.address.notes or found.address.matches


@pytest.mark.parametrize(
    ("temporary", "asked", "status"),
    [
        (True, True, "unresolved"),
        (False, True, "failed"),
        # A proxy that is set up wrongly says nothing about the address.
        (False, False, "unresolved"),
    ],
)
def test_an_address_without_an_answer(temporary: bool, asked: bool, status: str) -> None:
    error = FetchError("no answer", url="https://e.org/", temporary=temporary, retry_after_s=9, asked=asked)
    assert unanswered(error) == Resolution(status, error="no answer", retry_after_s=9, asked=asked)
