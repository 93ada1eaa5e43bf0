"""One digest: what goes in, what is saved, and what is said when something fails."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from digest_fakes import FEED, TOWN, Broken, Kiosk, Web, links, reasons, sentences, shown
from scan_fakes import item, no_answer, page, rss, to
from scrape_pages import SENTENCES, story
from store.rows import USER, put

from digestlog.core.canonical import url_hash
from digestlog.core.digest import Candidate
from digestlog.core.embedded import EmbeddedClassifier, ExtractiveSummariser
from digestlog.core.settings import Settings
from digestlog.errors import StorageError
from digestlog.jobs import digest as job
from digestlog.jobs.parsing import Parser
from digestlog.store import digests, history, users

WRITTEN = ("syntheses", "synthesis_items", "synthesis_candidates", "article_history")
TABLES = (*WRITTEN, "scraped_articles", "scrape_state", "extracted_article_urls", "source_fetch_state")


@pytest.fixture
def kiosk(db_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Kiosk:
    """An empty file; pages are read at once, not in other processes."""
    monkeypatch.setattr(job, "ArticleParser", Parser)
    return Kiosk(db_path, now)


def written(kiosk: Kiosk, *tables: str) -> dict[str, list[dict[str, Any]]]:
    return {table: kiosk.rows(table) for table in tables or TABLES}


# --- what goes in ---------------------------------------------------------------------------------


def test_a_digest_is_made_saved_and_remembered(kiosk: Kiosk) -> None:
    town, sport = kiosk.article("one"), kiosk.article("two", "sport")
    source = kiosk.shows(town, sport)
    kiosk.scan()
    made = kiosk.digest()
    assert [(one.category, one.position, one.url) for one in made.digest.items] == [
        ("Town", 0, town),
        ("Sport", 0, sport),
    ]
    first = made.digest.items[0]
    assert (first.title, first.source) == (f"About {town}", f"Source {FEED}")
    assert (first.summary, first.why) == (sentences("one", "town")[0][:20], "its words: harbour")
    assert first.article_uuid and first.published_utc_iso == "2026-02-13T09:02:10+00:00"
    digest = made.digest
    assert (digest.user, digest.title, digest.notes) == ("owner", "Digest of 2026-02-13", ())
    assert digest.providers == {"classifier": "by word", "summaries": "lead"}
    assert source and kiosk.remembered() == sorted([town, sport])
    with kiosk.open() as db:
        owner = users.current(db, None)
        assert digests.get(db, owner, "latest") == digest
        assert sorted(digests.candidates(db, owner, "latest"), key=lambda one: one.url) == sorted(
            made.candidates, key=lambda one: one.url
        )


def test_a_second_digest_repeats_nothing(kiosk: Kiosk) -> None:
    old, new = kiosk.article("one"), kiosk.article("two")
    kiosk.shows(old)
    assert shown(kiosk.digest()) == [old]
    kiosk.web.answers[FEED] = kiosk.front_page(new, f"{old}/?utm_source=x&ref=home#top")
    kiosk.web.answers[f"{old}/?utm_source=x&ref=home#top"] = kiosk.web.answers[old]
    made = kiosk.later(days=1).digest()
    assert shown(made) == [new]
    assert sorted(reasons(made).values()) == ["history", "taken"]


def test_an_article_that_was_shown_before_the_ledger_knew_it(kiosk: Kiosk) -> None:
    """Read at a short address, then scanned: its final address is another, but it is the same article."""
    short, end = "https://s.example/1", kiosk.article("one")
    kiosk.web.answers[short] = to(end)
    kiosk.shows(short)
    assert shown(kiosk.digest()) == [short]
    kiosk.later(hours=1).scan()
    made = kiosk.digest()
    assert (shown(made), reasons(made)) == ([], {end: "history"})


def test_an_article_at_two_addresses_is_one_candidate(kiosk: Kiosk) -> None:
    end = kiosk.article("one")
    shorts = ["https://s.example/1", "https://t.example/1"]
    kiosk.web.answers |= {short: to(end) for short in shorts}
    kiosk.shows(*shorts, end)
    kiosk.scan()
    made = kiosk.digest()
    assert (reasons(made), links(made.digest.items[0]), kiosk.read()) == ({end: "taken"}, [], [end])


def test_every_candidate_has_one_outcome(kiosk: Kiosk) -> None:
    towns = kiosk.articles(3)
    odd, empty, silent = kiosk.article("odd", "opera"), "https://a.example/empty", "https://a.example/silent"
    kiosk.web.answers |= {empty: page("", "<div id=app></div>"), silent: no_answer(silent)}
    kiosk.shows(*towns, odd, empty, silent, "mailto:nobody@a.example")
    made = kiosk.digest()
    assert set(made.candidates) == {
        Candidate(towns[0], None, "taken", "Town: its words: harbour"),
        Candidate(towns[1], None, "taken", "Town: its words: harbour"),
        Candidate(towns[2], None, "over_quota", "Town is full"),
        Candidate(odd, None, "unclassified", "fits no category"),
        Candidate(empty, None, "empty", "has no article text"),
        Candidate(silent, None, "failed", f"{silent} did not answer"),
    }
    assert len(made.candidates) == 6 == len(kiosk.rows("synthesis_candidates"))


def test_reasons_that_are_hard_to_come_by(kiosk: Kiosk) -> None:
    """An address too long for the ledger though not for the history; a state without a word."""
    endless, url = f"https://a.example/x?ref={'x' * 3000}", kiosk.article("one")
    kiosk.shows(url)
    kiosk.scan()
    with kiosk.open() as db, db.transaction() as connection:
        connection.execute(
            "INSERT INTO scrape_state (article_uuid, status, attempts) "
            "SELECT article_uuid, 'failed', 6 FROM extracted_article_urls"
        )
    kiosk.web.answers[FEED] = kiosk.front_page(url, endless)
    found = {one.url: (one.outcome, one.detail) for one in kiosk.digest().candidates}
    assert found == {
        url: ("failed", "its text could not be read before"),
        endless: ("no_identity", "its address has no identity (too_long)"),
    }


def test_what_could_not_be_read_before_says_why(kiosk: Kiosk) -> None:
    url = "https://a.example/closed"
    kiosk.web.answers[url] = page()
    kiosk.shows(url)
    kiosk.scan()
    kiosk.web.closed = {url}
    why = f"{url} is closed to programs by the site's robots.txt"
    for detail in (why, f"could not be read before: {why}"):
        (one,) = kiosk.digest().candidates
        assert (one.outcome, one.detail) == ("policy", detail)


def test_one_story_is_one_item_and_all_of_it_is_remembered(kiosk: Kiosk) -> None:
    first, second = "https://a.example/bridge", "https://b.example/bruecke"
    for url in (first, second):
        kiosk.web.answers[url] = story(*SENTENCES, "The town is glad.", head="")
    kiosk.shows(first)
    kiosk.shows(second, feed="https://b.example/feed")
    made = kiosk.digest()
    (one,) = made.digest.items
    assert {one.url, *links(one)} == {first, second} and len(links(one)) == 1
    assert sorted(reasons(made).values()) == ["duplicate", "taken"]
    assert kiosk.remembered() == [first, second]
    assert shown(kiosk.later(days=1).digest()) == []


def test_a_loud_source_does_not_drown_the_others(kiosk: Kiosk) -> None:
    kiosk.categories = (TOWN,)
    kiosk.shows(*kiosk.articles(20))
    quiet = kiosk.article("quiet", site="https://b.example")
    kiosk.web.answers["https://b.example/feed"] = rss(item(quiet, "Quiet", kiosk.ago(days=3)))
    kiosk.follow("https://b.example/feed")
    assert quiet in shown(kiosk.digest())


def test_what_fits_nowhere_does_not_stand_in_the_way_for_ever(kiosk: Kiosk) -> None:
    kiosk.categories, kiosk.settings = (TOWN,), Settings(max_items_per_category=1)
    loud, wanted = kiosk.articles(60, "nothing"), kiosk.article("wanted")
    kiosk.shows(*loud, wanted)
    assert shown(kiosk.digest()) == []
    kiosk.scan()  # now they have ids, and are the same articles still
    assert [shown(kiosk.digest()) for _ in range(2)] == [[], [wanted]]


def test_since(kiosk: Kiosk) -> None:
    urls = kiosk.articles(3)
    dates = [kiosk.ago(hours=24), kiosk.ago(hours=25), None]
    kiosk.follow(FEED, rss(*(item(url, "A", at) for url, at in zip(urls, dates, strict=True))))
    made = kiosk.digest(since=timedelta(days=1))
    assert reasons(made) == {urls[0]: "taken", urls[1]: "outside_window", urls[2]: "taken"}
    assert urls[1] not in kiosk.read()
    (old,) = (one for one in made.candidates if one.url == urls[1])
    assert old.detail == "published on 12 February 2026, before the time that was asked for"


def test_nothing_to_tell(kiosk: Kiosk) -> None:
    made = kiosk.digest()
    assert (made.digest.items, made.candidates, made.digest.providers) == ((), (), {})
    assert len(kiosk.rows("syntheses")) == 1


def test_no_categories(kiosk: Kiosk) -> None:
    kiosk.categories = ()
    kiosk.shows(kiosk.article("one"))
    assert kiosk.digest().candidates == ()


def test_real_providers_and_processes(kiosk: Kiosk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    kiosk.classifier, kiosk.summariser = EmbeddedClassifier(), ExtractiveSummariser()
    url = "https://a.example/bridge"
    kiosk.web.answers[url] = story()
    kiosk.shows(url)
    made = kiosk.digest()
    assert made.digest.providers == {"classifier": "embedded", "summaries": "extractive"}
    (one,) = made.digest.items
    assert one.category == "Town" and one.summary and one.summary in "\n".join(SENTENCES)


# --- whose it is ----------------------------------------------------------------------------------


def test_another_user_has_sources_and_a_history_of_their_own(kiosk: Kiosk) -> None:
    mine, theirs = kiosk.article("one"), kiosk.article("two", site="https://b.example")
    kiosk.shows(mine)
    chosen = kiosk.shows(theirs, feed="https://b.example/feed")
    with kiosk.open() as db, db.transaction() as connection:
        put(connection, "users")
        put(connection, "user_sources", source_uuid=chosen)
    assert sorted(shown(kiosk.digest())) == sorted([mine, theirs])
    assert shown(kiosk.digest("anna")) == [theirs]
    assert kiosk.web.times(FEED) == 0
    assert [row["url"] for row in kiosk.rows("article_history") if row["user_id"] == USER] == [theirs]


@pytest.mark.parametrize("scanned", [False, True])
@pytest.mark.parametrize("allowed", [False, True])
def test_a_private_network_where_the_source_may(kiosk: Kiosk, allowed: bool, scanned: bool) -> None:
    kiosk.shows(kiosk.article("one"), allow_private=allowed)
    if scanned:
        kiosk.scan()
    kiosk.digest()
    assert {one.allow_private for one in kiosk.web.asked} == {allowed}
    assert len(kiosk.read()) == 1


def test_stored_texts_cost_no_request(kiosk: Kiosk) -> None:
    urls = kiosk.articles(3)
    kiosk.shows(*urls)
    kiosk.scan()
    kiosk.settings = replace(kiosk.settings, article_history_days=0)
    assert (shown(kiosk.digest()), kiosk.read()) == (urls[:2], urls)
    assert (shown(kiosk.digest()), kiosk.read()) == (urls[:2], [])


# --- what fails -----------------------------------------------------------------------------------


def test_a_failing_source_is_named_once_and_the_others_go_on(kiosk: Kiosk) -> None:
    url = kiosk.article("one")
    bad, gone = "https://bad.example/feed", "https://gone.example/feed"
    kiosk.follow(bad, no_answer(bad))
    kiosk.follow(gone, page())
    kiosk.web.answers[gone] = replace(page(), status=410)
    kiosk.shows(url)
    made = kiosk.digest()
    assert shown(made) == [url]
    assert (len(made.digest.notes), kiosk.web.times(bad)) == (2, 2)
    assert made.digest.notes[0] == f"Source {bad}: {bad} did not answer"
    assert made.digest.notes[1].startswith(f"Source {gone}: ")


def test_where_a_provider_fails_the_embedded_one_does_the_work(kiosk: Kiosk) -> None:
    model = Broken()
    kiosk.classifier = kiosk.summariser = kiosk.search = model
    town = kiosk.article("one")
    kiosk.shows(town, kiosk.article("two"))
    made = kiosk.digest()
    assert len(made.digest.items) == 2
    assert made.digest.items[0].summary == sentences("one", "town")[0][:20]
    assert made.digest.notes == (
        "model could not classify 2 of 2 articles: failure 1",
        "web search failed: failure 2",
        "model could not summarise 2 of 2 articles: failure 3",
    )
    assert made.digest.providers == {"classifier": "by word", "summaries": "lead"}
    with kiosk.open() as db:
        assert digests.get(db, users.current(db, None), "latest").notes == made.digest.notes


def test_each_failure_is_said_once(kiosk: Kiosk) -> None:
    model = Broken()
    kiosk.classifier = kiosk.summariser = kiosk.search = model
    kiosk.settings = replace(kiosk.settings, max_items_per_category=3)
    kiosk.shows(*kiosk.articles(2), *kiosk.articles(2, "sport"))
    made = kiosk.digest()
    assert model.calls == 1 + 1 + 4, "a search that fails is asked once"
    assert made.digest.notes == (
        "model could not classify 4 of 4 articles: failure 1",
        "web search failed: failure 2; not asked about: Sport",
        "model could not summarise 4 of 4 articles: failure 3",
    )


def test_a_bad_address_of_a_search_does_not_lose_the_digest(kiosk: Kiosk) -> None:
    url = kiosk.article("one")
    kiosk.shows(url)
    kiosk.search = Web("https://me:secret@b.example/x", "https://b.example/a\0b", "nonsense")
    made = kiosk.digest()
    assert reasons(made) == {
        url: "taken",
        "https://b.example/x": "failed",
        "https://b.example/a%00b": "failed",
        "nonsense": "no_identity",
    }
    assert not any("secret" in str(row) for row in kiosk.rows("synthesis_candidates"))


# --- all or nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["save", "insert_urls"])
def test_saved_and_remembered_or_neither(kiosk: Kiosk, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    url = kiosk.article("one")
    kiosk.shows(url)
    module: Any = digests if step == "save" else history
    real = getattr(module, step)

    def fails(*args: Any) -> None:
        real(*args)
        raise StorageError("the disk is full")

    monkeypatch.setattr(module, step, fails)
    with pytest.raises(StorageError, match="disk is full"):
        kiosk.digest()
    assert all(rows == [] for rows in written(kiosk, *WRITTEN).values())
    monkeypatch.setattr(module, step, real)
    assert shown(kiosk.digest()) == [url]


KILLED = """
import os, sys
from datetime import datetime
from pathlib import Path
from digest_fakes import Kiosk
from digestlog.store import history

real = history.insert_urls if sys.argv[3] == "after" else lambda *args: None
history.insert_urls = lambda *args: (real(*args), os._exit(9))
kiosk = Kiosk(Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2]))
kiosk.article("one")
kiosk.web.answers["https://a.example/feed"] = kiosk.front_page("https://a.example/one")
kiosk.digest()
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_between_the_two(kiosk: Kiosk, when: str) -> None:
    url = kiosk.article("one")
    kiosk.shows(url)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    args = [sys.executable, "-c", KILLED, str(kiosk.path), kiosk.now.isoformat(), when]
    done = subprocess.run(args, env=env, capture_output=True, timeout=60, check=False)
    assert done.returncode == 9, done.stderr.decode()
    assert all(rows == [] for rows in written(kiosk, *WRITTEN).values())
    assert (shown(kiosk.digest()), kiosk.remembered()) == ([url], [url])


def test_a_dry_run_tells_the_same_and_writes_nothing(kiosk: Kiosk) -> None:
    old, *new = kiosk.articles(4)
    kiosk.settings = replace(kiosk.settings, article_history_days=7)
    kiosk.shows(old)
    kiosk.scan()
    kiosk.digest()
    kiosk.later(days=7)
    kiosk.web.answers[FEED] = kiosk.front_page(old, *new)
    kiosk.scan()
    assert (len(kiosk.rows("extracted_article_urls")), len(kiosk.rows("scrape_state"))) == (4, 1)
    for _ in range(2):
        before = written(kiosk)
        dry = kiosk.digest(dry_run=True)
        assert written(kiosk) == before
        made = kiosk.digest()
        assert (shown(dry), dry.candidates) == (shown(made), made.candidates)
        assert written(kiosk) != before
        # Then the old one may come back, though nothing has cleaned up yet.
        kiosk.later(seconds=1)
        assert reasons(dry).get(old) == ("history" if old not in shown(dry) else "taken")
    assert old in shown(dry)


def test_without_a_history_its_table_is_untouched(kiosk: Kiosk) -> None:
    """0 days: no clean-up, no filter, no insertion."""
    url = kiosk.article("one")
    kiosk.shows(url)
    with kiosk.open() as db, db.transaction() as connection:
        owner = users.current(db, None)
        history.insert_urls(db, connection, owner, [(url, url_hash(url)), ("https://o.example/", "f" * 64)])
    kiosk.later(days=400)
    kiosk.web.answers[FEED] = kiosk.front_page(url)
    before = kiosk.rows("article_history")
    kiosk.settings = Settings(article_history_days=0)
    kiosk.search = Web(kiosk.article("two", "sport"))
    for _ in range(2):
        assert len(kiosk.digest().digest.items) == 2
        assert kiosk.rows("article_history") == before
