"""Where a search's hit leads: what was shown already, or is a candidate anyway, is not asked for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from digest_fakes import SPORT, TOWN, ByWord, Kiosk, Lead, Web, reasons, shown
from scan.web import Web as Loopback
from scan.web import moved, page
from scan_fakes import to

from digestlog.core.canonical import url_hash
from digestlog.core.settings import Settings
from digestlog.core.starter_set import starter
from digestlog.jobs import digest as job
from digestlog.jobs.digest import Made, Options, User, make
from digestlog.jobs.parsing import Parser
from digestlog.jobs.providing import Providers
from digestlog.store import history, users
from digestlog.store.db import Database
from digestlog.web.fetch import Fetcher, Limits

SITE = "http://news.example"
GO, ART = f"{SITE}/go/3", f"{SITE}/art/3"
STORY = "".join(f"<p>The town has opened gate {at} of its new harbour to everybody today." for at in range(9))


@pytest.fixture(autouse=True)
def parse_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are read at once, not in other processes."""
    monkeypatch.setattr(job, "ArticleParser", Parser)


@pytest.fixture
def web() -> Iterator[Loopback]:
    """A server at which /go/3 leads to /art/3."""
    with Loopback() as web:
        web.answers[GO] = moved("/art/3")
        web.answers[ART] = page(f"<title>Gates</title><article><h1>Gates</h1>{STORY}</article>")
        yield web


@pytest.fixture
def kiosk(db_path: Path, now: datetime) -> Kiosk:
    """An empty file and a web of fakes."""
    return Kiosk(db_path, now)


def remember(db: Database, *urls: str) -> None:
    with db.transaction() as connection:
        history.insert_urls(db, connection, users.current(db, None), [(url, url_hash(url)) for url in urls])


def digest(db: Database, web: Loopback, *hits: str, **settings: int) -> Made:
    """A digest of the owner, who has no source, with the real fetcher."""
    user = User(users.current(db, None), "owner", Settings(**settings), (TOWN, SPORT), ())
    pins = {"news.example": ("127.0.0.1", web.port)}
    providers = Providers(ByWord(), Lead(), ByWord(), Lead(), Web(*hits), 60.0)
    limits = Limits(host_delay_s=0)
    return make(db, lambda: Fetcher(pins=pins, limits=limits), user, providers, Options(), lambda _: None)


def asked(web: Loopback) -> list[str]:
    return [f"{one.method} {one.url}" for one in web.asked if not one.url.endswith("/robots.txt")]


def test_a_hit_that_leads_to_what_was_shown_costs_one_request(db: Database, web: Loopback) -> None:
    remember(db, ART)
    made = digest(db, web, GO)
    assert (shown(made), reasons(made)) == ([], {GO: "history"})
    assert asked(web) == [f"GET {GO}"]


def test_a_hit_that_leads_to_what_is_new_is_read(db: Database, web: Loopback) -> None:
    made = digest(db, web, GO)
    assert (shown(made), asked(web)) == ([GO], [f"GET {GO}", f"GET {ART}"])


def test_every_hop_is_compared(db: Database, web: Loopback) -> None:
    web.answers[f"{SITE}/r"] = moved("/go/3")
    remember(db, ART)
    assert reasons(digest(db, web, f"{SITE}/r")) == {f"{SITE}/r": "history"}
    assert asked(web) == [f"GET {SITE}/r", f"GET {GO}"]


def test_without_a_history_everything_is_read(db: Database, web: Loopback) -> None:
    remember(db, ART)
    assert shown(digest(db, web, GO, article_history_days=0)) == [GO]


def test_a_hit_that_leads_to_another_hit(db: Database, web: Loopback) -> None:
    made = digest(db, web, GO, ART)
    assert reasons(made) == {ART: "taken", GO: "duplicate"}
    assert asked(web).count(f"GET {ART}") == 1
    assert made.digest.addresses == {ART: (GO,)}  # so that it stays out at both addresses


def test_a_hit_that_leads_to_itself_is_read(kiosk: Kiosk) -> None:
    kiosk.article("one")
    kiosk.web.answers["http://a.example/one/"] = to("https://a.example/one")
    kiosk.search = Web("http://a.example/one/")
    assert len(shown(kiosk.digest())) == 1


def test_a_hit_that_leads_to_what_a_source_showed(kiosk: Kiosk) -> None:
    url, short = kiosk.article("one"), "https://s.example/1"
    kiosk.shows(url)
    kiosk.web.answers[short] = to(url)
    kiosk.search = Web(short)
    made = kiosk.digest()
    assert reasons(made) == {url: "taken", short: "duplicate"}
    assert kiosk.remembered() == sorted([url, short])


def test_a_hit_that_leads_to_what_could_not_be_read(kiosk: Kiosk) -> None:
    short, gone = "https://s.example/1", "https://a.example/gone"
    kiosk.web.answers[short] = to(gone)
    kiosk.search = Web(gone, short)
    made = kiosk.digest()
    assert reasons(made) == {gone: "failed", short: "duplicate"}
    assert next(one.detail for one in made.candidates if one.url == short) == f"the same article as {gone}"


def test_a_french_search_asks_in_french(kiosk: Kiosk) -> None:
    kiosk.categories, kiosk.settings = starter("fr"), Settings(language="fr")
    kiosk.search = web = Web()
    kiosk.digest()
    assert web.queries[:2] == [
        "Monde guerre cessez-le-feu trêve",
        "Politique gouvernement assemblée nationale sénat",
    ]


def test_an_english_search_asks_in_english(kiosk: Kiosk) -> None:
    kiosk.categories = starter("en")
    kiosk.search = web = Web()
    kiosk.digest()
    assert web.queries[0] == "World international foreign minister diplomacy"
