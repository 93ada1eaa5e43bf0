"""Submit: a page goes through all steps, and the visitor sees what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from library_fakes import PRICES, readable
from scan_fakes import ScanFetcher
from serve.house import Browser, House
from serve.marked import ANNA, BOB, MARK, Marked
from store.rows import uuid

from digestlog.core.policy import Rule
from digestlog.errors import FetchError
from digestlog.jobs import submit as job
from digestlog.serve.screens import submit
from digestlog.store import policy, submissions


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> ScanFetcher:
    """The web that pages are looked at in."""
    fetcher = ScanFetcher({PRICES: readable()})
    monkeypatch.setattr(submit, "fetcher", lambda: fetcher)
    return fetcher


@pytest.fixture
def anna(house: House, web: ScanFetcher) -> Browser:
    """A free user, signed in."""
    return house.signed_in(ANNA)


def send(browser: Browser, address: str, **more: str) -> Any:
    """The answer to the form, and the page that it leads to."""
    form = {"address": address, "csrf": browser.proof("/submit"), **more}
    answer = browser.post("/submit", form)
    assert answer.status_code == 303, answer.text
    return browser.page(answer.headers["location"])


def test_a_page_is_watched_and_the_decision_is_shown(house: House, anna: Browser) -> None:
    text = send(anna, PRICES, frequency="weekly").text
    assert 'class="card decision approved_created_global"' in text
    assert PRICES in text and "See the page" in text
    assert PRICES in anna.page("/dashboard").text
    with house.file() as db:
        assert db.rows("SELECT check_frequency FROM urls WHERE url = ?", (PRICES,))[0][0] == "weekly"
        (first,) = submissions.list_mine(db, ANNA, status="approved_created_global")
        assert first.decision == "allow"


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("javascript:alert(1)", "blocked", "<bdi"),
        ("http://127.0.0.1/", "blocked", "127.0.0.1"),
        (PRICES, "blocked", "there already"),
        ("https://casino.example/", "needs_review", "gambling"),
    ],
)
def test_what_is_refused_or_waits_says_why(
    house: House, anna: Browser, address: str, status: str, words: str
) -> None:
    with house.file() as db:
        policy.add(db, [Rule("host", "casino.example", "review", "illegal_or_regulated")])
    send(anna, PRICES)
    text = send(anna, address).text
    assert f'class="card decision {status}"' in text
    assert words in text and 'href="javascript' not in text


def test_an_empty_address_is_asked_for_again(anna: Browser) -> None:
    assert "Write the address of a page." in send(anna, "  ").text


def test_a_frequency_that_is_none_is_the_usual(house: House, anna: Browser) -> None:
    send(anna, PRICES, frequency="'; DROP TABLE urls")
    with house.file() as db:
        assert db.rows("SELECT check_frequency FROM urls WHERE url = ?", (PRICES,))[0][0] == "daily"


def test_a_submission_of_others_is_not_shown(anna: Browser) -> None:
    text = anna.page(f"/submit?done={uuid(862)}").text
    assert "decision" not in text and MARK not in text


def test_a_form_from_elsewhere_is_refused(house: House, anna: Browser) -> None:
    assert anna.post("/submit", {"address": PRICES}).status_code == 403
    bob = house.signed_in(BOB)
    assert anna.post("/submit", {"address": PRICES, "csrf": bob.proof("/submit")}).status_code == 403
    with house.file() as db:
        assert not db.rows("SELECT 1 FROM urls WHERE url = ?", (PRICES,))


@pytest.fixture
def busy() -> Iterator[None]:
    """As many submissions at work as may be."""
    taken = [submit._places.acquire(blocking=False) for _ in range(2)]
    assert all(taken)
    yield
    for _ in taken:
        submit._places.release()


@pytest.mark.usefixtures("busy")
def test_too_many_at_a_time_are_asked_to_wait(anna: Browser) -> None:
    answer = anna.post("/submit", {"address": PRICES, "csrf": anna.proof("/submit")})
    assert answer.status_code == 503 and answer.headers["retry-after"] == "10"
    assert "Others are adding pages just now." in answer.text


def test_nothing_asked_for_yet(house: House, anna: Browser) -> None:
    with house.file() as db, db.transaction() as connection:
        connection.execute("DELETE FROM url_policy_decisions")
        connection.execute("DELETE FROM url_submissions")
    assert "You asked for no page yet." in anna.page("/submit").text


def test_the_real_fetcher_is_the_guarded_one() -> None:
    from digestlog.web.fetch import Fetcher

    assert isinstance(submit.fetcher(), Fetcher)


def test_a_page_that_could_not_be_looked_at_says_so(anna: Browser, web: ScanFetcher) -> None:
    web.answers[PRICES] = FetchError("shop.example took too long", url=PRICES, temporary=True)
    text = send(anna, PRICES).text
    assert 'class="card decision approved_created_global"' in text
    assert "shop.example took too long" in text


def test_who_let_a_page_in_is_not_told(house: House, anna: Browser, fresh: Marked) -> None:
    with house.file() as db:
        policy.add(db, [Rule("host", "shop.example", "review", "unknown")])
    send(anna, PRICES)
    with house.file() as db:
        (one,) = submissions.waiting(db)
        job.approve(db, fresh.owner, one)
    text = anna.page(f"/submit?done={one.id}").text
    assert "approved_created_global" in text and "approved by" not in text
