"""Review queue: admins decide, nobody else sees it."""

from __future__ import annotations

import pytest
from serve.house import Browser, House
from serve.marked import ANNA, Marked

from digestlog.core.library import Wish, identity
from digestlog.core.policy import Decision
from digestlog.serve.screens import review
from digestlog.store import submissions

ADDRESS = "https://poker.example/tables"


def ask(house: House, address: str = ADDRESS, user: str = ANNA) -> str:
    """A submission that waits."""
    with house.file() as db:
        (one,) = submissions.record(db, user, [address], Wish())
        decision = Decision("review", "illegal_or_regulated", "poker.example", "poker*", "a <b>look</b>")
        submissions.finish(db, one, identity(address), decision, Wish())
        return one.id


@pytest.fixture
def owner(house: House, fresh: Marked) -> Browser:
    """An admin, signed in."""
    return house.signed_in(fresh.owner)


def decide(browser: Browser, submission: str, deed: str, **form: str) -> str:
    """What the admin sees after a decision."""
    answer = browser.post(f"/review/{submission}/{deed}", {"csrf": browser.proof("/review"), **form})
    return browser.page(answer.headers["location"]).text if answer.status_code == 303 else answer.text


def stored(house: House, submission: str) -> submissions.Submission:
    with house.file() as db:
        return submissions.get(db, submission)


def test_the_queue_shows_what_waits_and_why(house: House, owner: Browser) -> None:
    submission = ask(house)
    text = owner.page("/review").text
    assert ADDRESS in text and "asked by zqxallowed-anna" in text
    assert "a &lt;b&gt;look&lt;/b&gt;" in text and "<code>poker*</code>" in text
    assert f'action="/review/{submission}/approve"' in text
    assert '<option value="illegal_or_regulated" selected>' in text


def test_an_empty_queue(owner: Browser) -> None:
    assert "Nothing waits." in owner.page("/review").text


def test_approved(house: House, owner: Browser) -> None:
    submission = ask(house)
    text = decide(owner, submission, "approve")
    assert "Approved." in text and ADDRESS not in text
    assert stored(house, submission).status == "approved_created_global"
    assert ADDRESS in house.signed_in(ANNA).page("/dashboard").text


def test_blocked_with_a_reason(house: House, owner: Browser) -> None:
    submission = ask(house)
    assert "Blocked." in decide(
        owner, submission, "block", reason="spam_or_low_quality", words="Only\x1b[1m advertising"
    )
    found = stored(house, submission)
    assert (found.status, found.reason_code) == ("blocked", "spam_or_low_quality")
    assert found.evidence is not None and found.evidence["reason"] == "Only[1m advertising"


def test_without_words_the_reason_speaks_for_itself(house: House, owner: Browser) -> None:
    submission = ask(house)
    decide(owner, submission, "block", reason="adult_content")
    evidence = stored(house, submission).evidence
    assert evidence is not None and evidence["reason"] == "pornography or other explicit material"


def test_a_reason_that_is_none_changes_nothing(house: House, owner: Browser) -> None:
    submission = ask(house)
    decide(owner, submission, "block", reason="because")
    assert stored(house, submission).status == "needs_review"


@pytest.mark.parametrize(("deed", "form"), [("approve", {}), ("block", {"reason": "unknown"})])
def test_what_was_decided_meanwhile_is_told(
    house: House, owner: Browser, deed: str, form: dict[str, str]
) -> None:
    submission = ask(house)
    decide(owner, submission, "approve")
    assert "Not done: no submission" in decide(owner, submission, deed, **form)


def test_a_full_plan_is_told_and_the_page_waits_on(house: House, owner: Browser) -> None:
    submission = ask(house)
    with house.file() as db, db.transaction() as connection:
        connection.execute("UPDATE plan_definitions SET max_tracked_urls = 1 WHERE plan = 'free'")
    text = decide(owner, submission, "approve")
    assert "limit of 1 watched page is reached" in text and ADDRESS in text
    assert stored(house, submission).status == "needs_review"


def test_only_the_oldest_are_shown(house: House, owner: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "SHOWN", 1)
    ask(house)
    ask(house, "https://dice.example/")
    text = owner.page("/review").text
    assert "Only the oldest 1 are shown." in text and "dice.example" not in text


def test_nobody_else_reviews(house: House) -> None:
    submission, anna = ask(house), house.signed_in(ANNA)
    csrf = anna.proof("/submit")
    assert anna.page("/review").status_code == 403
    for deed in ("approve", "block"):
        answer = anna.post(f"/review/{submission}/{deed}", {"csrf": csrf, "reason": "unknown"})
        assert answer.status_code == 403
    assert stored(house, submission).status == "needs_review"
    assert "/review" not in anna.page("/dashboard").text


def test_a_form_from_elsewhere_is_refused(house: House, owner: Browser) -> None:
    submission = ask(house)
    assert owner.post(f"/review/{submission}/approve", {}).status_code == 403
    assert stored(house, submission).status == "needs_review"
