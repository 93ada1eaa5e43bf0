"""One article at several addresses: shown once, whichever of them a front page or a search has."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from digest_fakes import FEED, Kiosk, Web, links, reasons, shown
from scan_fakes import to

from digestlog.core.canonical import url_hash
from digestlog.jobs import digest as job
from digestlog.jobs.parsing import Parser
from digestlog.store import digests, history, sources, users

SHORT, OTHER = "https://s.example/1", "https://t.example/1"


@pytest.fixture
def kiosk(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Kiosk:
    """An empty file; pages are read at once, not in other processes."""
    monkeypatch.setattr(job, "ArticleParser", Parser)
    return Kiosk(db_path, now)


@pytest.fixture
def end(kiosk: Kiosk) -> str:
    """Where two short addresses lead."""
    end = kiosk.article("one")
    kiosk.web.answers |= {SHORT: to(end), OTHER: to(end)}
    return end


def test_the_history_holds_it_as_found_and_as_it_is_in_the_end(kiosk: Kiosk, end: str) -> None:
    kiosk.shows(SHORT)
    made = kiosk.digest()
    assert (shown(made), made.digest.addresses) == ([SHORT], {SHORT: (end,)})
    assert kiosk.remembered() == sorted([SHORT, end])
    with kiosk.open() as db:
        assert digests.get(db, users.current(db, None), "latest") == made.digest


@pytest.mark.parametrize("scanned", [False, True])
@pytest.mark.parametrize("dry_run", [False, True])
def test_it_does_not_come_back_at_another_address(
    kiosk: Kiosk, end: str, scanned: bool, dry_run: bool
) -> None:
    kiosk.shows(SHORT)
    kiosk.digest()
    kiosk.web.answers[FEED] = kiosk.front_page(OTHER, f"{end}?utm_source=x")
    kiosk.web.answers[f"{end}?utm_source=x"] = kiosk.web.answers[end]
    kiosk.later(hours=1)
    if scanned:
        kiosk.scan()
    made = kiosk.digest(dry_run=dry_run)
    assert shown(made) == []
    assert set(reasons(made).values()) <= {"history", "duplicate"}


def test_nor_when_a_search_finds_it(kiosk: Kiosk, end: str) -> None:
    kiosk.shows(SHORT)
    kiosk.digest()
    kiosk.web.answers[FEED] = kiosk.front_page()
    kiosk.search = Web(end)
    made = kiosk.later(hours=1).digest()
    assert (shown(made), reasons(made), kiosk.read()) == ([], {end: "history"}, [])


def test_nor_when_a_search_finds_a_way_to_it(kiosk: Kiosk, end: str) -> None:
    """Where the found address leads is known only once it was asked."""
    kiosk.shows(end)
    kiosk.digest()
    kiosk.web.answers[FEED] = kiosk.front_page()
    new = kiosk.article("two")
    kiosk.web.answers["https://u.example/2"] = to(new)
    kiosk.search = Web(SHORT, "https://u.example/2")
    made = kiosk.later(hours=1).digest()
    assert reasons(made) == {SHORT: "history", "https://u.example/2": "taken"}
    assert kiosk.remembered() == sorted([end, new, "https://u.example/2"])


def test_every_original_that_the_ledger_knows_counts(kiosk: Kiosk, end: str) -> None:
    """Shown long ago as one short address; the ledger has learnt since that another leads there too."""
    with kiosk.open() as db, db.transaction() as connection:
        history.insert_urls(db, connection, users.current(db, None), [(SHORT, url_hash(SHORT))])
    kiosk.shows(SHORT)
    kiosk.scan()
    kiosk.web.answers[FEED] = kiosk.front_page(OTHER)
    kiosk.scan()
    made = kiosk.digest()
    assert (shown(made), reasons(made)) == ([], {end: "history"})


def test_two_ways_to_one_article_in_one_digest(kiosk: Kiosk, end: str) -> None:
    kiosk.shows(SHORT, OTHER)
    made = kiosk.digest()
    assert (shown(made), links(made.digest.items[0])) == ([SHORT], [])
    assert reasons(made) == {SHORT: "taken", OTHER: "duplicate"}
    (twin,) = (one for one in made.candidates if one.url == OTHER)
    assert twin.detail == f"the same article as {SHORT}"
    assert kiosk.remembered() == sorted([SHORT, OTHER, end])


def test_a_short_address_of_what_the_ledger_has(kiosk: Kiosk, end: str) -> None:
    """The short one is new to the ledger; what it leads to was shown."""
    source = kiosk.shows(end)
    kiosk.scan()
    kiosk.digest()
    with kiosk.open() as db:
        sources.update(db, source, {"is_active": False})
    kiosk.shows(SHORT, feed="https://b.example/feed")
    made = kiosk.later(hours=1).digest()
    assert (shown(made), reasons(made)) == ([], {SHORT: "history"})


def test_an_end_without_identity_is_no_address(kiosk: Kiosk) -> None:
    kiosk.article("one")
    kiosk.web.answers[SHORT] = to("https://a.example/one#" + "x" * 70_000)
    kiosk.web.answers["https://a.example/one#" + "x" * 70_000] = kiosk.web.answers["https://a.example/one"]
    kiosk.shows(SHORT)
    made = kiosk.digest()
    assert (shown(made), made.digest.addresses, kiosk.remembered()) == ([SHORT], {}, [SHORT])
