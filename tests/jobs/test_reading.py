"""From candidates to articles with a text: what is asked for, what is stored, and why there is none."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from digest_fakes import FEED, Kiosk, sentences
from scan_fakes import no_answer, page, to
from scrape_pages import story

from digestlog.core.canonical import article_uuid, url_hash
from digestlog.core.digest import Piece
from digestlog.errors import AddressRefused
from digestlog.jobs.parsing import Parser
from digestlog.jobs.reading import Missing, Read, Reader, Wanted, recognised

WRITTEN = datetime(2026, 2, 12, 14, 3, 12, tzinfo=UTC)
TABLES = ("scraped_articles", "scrape_state", "extracted_article_urls")


@pytest.fixture
def kiosk(db_path: Path, now: datetime) -> Kiosk:
    """An empty file."""
    return Kiosk(db_path, now)


Triple = tuple[Wanted, Piece | None, str | None]


def read(kiosk: Kiosk, *wanted: Wanted, keep: bool = True) -> list[Triple]:
    """Each candidate with its article, or why there is none."""
    return [
        (one, None, found.reason) if isinstance(found, Missing) else (one, found, None)
        for one, found in found_of(kiosk, *wanted, keep=keep)
    ]


def found_of(kiosk: Kiosk, *wanted: Wanted, keep: bool = True) -> list[Read]:
    async def all_of() -> list[Read]:
        with kiosk.open() as db, Parser() as parser:
            async with kiosk.web() as getter:
                return await Reader(db, getter, parser, keep=keep).read_all(wanted)

    return asyncio.run(all_of())


def candidate(kiosk: Kiosk, url: str, title: str | None = None, at: datetime | None = None) -> Wanted:
    """A candidate as the digest makes it."""
    with kiosk.open() as db:
        return Wanted(url, recognised(db, [url]).get(url), title, "A paper", at)


# --- which ones the ledger has --------------------------------------------------------------------


def test_known_as_written_or_as_it_is_in_the_end(kiosk: Kiosk) -> None:
    end = kiosk.article("one")
    short = "https://s.example/1"
    kiosk.web.answers[short] = to(end)
    kiosk.shows(short)
    kiosk.scan()
    asked = [short, end, f"{end}?utm_source=x", "https://a.example/two", "mailto:a@e.org"]
    with kiosk.open() as db:
        found = recognised(db, asked)
        assert recognised(db, []) == {}
    assert found == dict.fromkeys(asked[:3], article_uuid(end))


# --- articles of the ledger -----------------------------------------------------------------------


def test_a_stored_text_costs_no_request(kiosk: Kiosk) -> None:
    url = kiosk.article("one")
    kiosk.shows(url)
    kiosk.scan()
    ((_, first, reason),) = read(kiosk, candidate(kiosk, url))
    assert (kiosk.read(), reason) == ([url], None)
    text = "\n".join(sentences("one", "town"))
    assert first == Piece(article_uuid(url), url, url_hash(url), "A page", text, "A paper", None)
    ((_, again, _),) = read(kiosk, candidate(kiosk, url))
    assert (again, kiosk.web.requests) == (first, 0)


def test_what_the_source_says_goes_before_what_the_page_says(kiosk: Kiosk) -> None:
    url = "https://a.example/one"
    kiosk.web.answers[url] = story()
    kiosk.shows(url)
    kiosk.scan()
    at = datetime(2026, 2, 1, tzinfo=UTC)
    ((_, own, _), (_, page_s, _)) = read(kiosk, candidate(kiosk, url, "Own", at), candidate(kiosk, url))
    assert own and page_s
    assert (own.title, own.published_at) == ("Own", at)
    assert (page_s.title, page_s.published_at) == (
        "Bridge opens",
        WRITTEN,
    )


def test_an_article_that_cannot_be_read_is_not_asked_for_at_once_again(kiosk: Kiosk) -> None:
    url = "https://a.example/one"
    kiosk.web.answers[url] = no_answer(url)
    kiosk.shows(url)
    kiosk.scan()
    ((_, piece, reason),) = read(kiosk, candidate(kiosk, url))
    assert (piece, reason) == (None, f"{url} did not answer")
    ((_, found),) = found_of(kiosk, candidate(kiosk, url))
    assert found == Missing("failed", f"{url} did not answer", earlier=True)
    assert kiosk.web.requests == 0


@pytest.mark.parametrize("scanned", [False, True])
def test_what_a_rule_forbids_is_no_failure(kiosk: Kiosk, scanned: bool) -> None:
    names = ("closed", "wall", "login", "private", "empty", "gone", "silent")
    urls = dict(zip(names, (f"https://a.example/{name}" for name in names), strict=True))
    if scanned:
        kiosk.web.answers |= dict.fromkeys(urls.values(), page("", ""))
        kiosk.shows(*urls.values())
        kiosk.scan()
    kiosk.web.closed = {urls["closed"]}
    kiosk.web.answers |= {
        urls["wall"]: to("https://a.example/login?next=wall"),
        "https://a.example/login?next=wall": story(),
        urls["login"]: replace(page(), status=401),
        urls["private"]: AddressRefused(
            f"{urls['private']} leads to a private address: x", url=urls["private"]
        ),
        urls["empty"]: page("", "<div id=app></div>"),
        urls["gone"]: replace(page(), status=410),
        urls["silent"]: no_answer(urls["silent"]),
    }
    wanted = [candidate(kiosk, url) for url in urls.values()]
    for _ in range(1 + scanned):  # the second time, from what is stored
        outcomes = [found.outcome for _, found in found_of(kiosk, *wanted) if isinstance(found, Missing)]
        assert outcomes == ["policy", "policy", "policy", "policy", "empty", "failed", "failed"]
    assert kiosk.web.requests == (0 if scanned else 7)


def test_what_costs_a_request(kiosk: Kiosk) -> None:
    stored, silent, unread, other = [*kiosk.articles(1), "https://a.example/s", *kiosk.articles(2, "sport")]
    kiosk.web.answers[silent] = no_answer(silent)
    kiosk.shows(stored, silent)
    kiosk.scan()
    read(kiosk, candidate(kiosk, stored), candidate(kiosk, silent))
    kiosk.web.answers[FEED] = kiosk.front_page(unread)
    kiosk.later(minutes=1).scan()
    wanted = [candidate(kiosk, url) for url in (stored, silent, unread, other)]
    with kiosk.open() as db:
        assert Reader(db, kiosk.web(), Parser()).costs(wanted) == set(wanted[2:])
    with kiosk.later(days=1).open() as db:
        assert Reader(db, kiosk.web(), Parser()).costs(wanted) == set(wanted[1:])


@pytest.mark.parametrize("keep", [True, False])
def test_an_article_knows_where_it_was_met(kiosk: Kiosk, keep: bool) -> None:
    short, end = "https://s.example/1", kiosk.article("one")
    kiosk.web.answers[short] = to(end)
    ((_, found),) = found_of(kiosk, candidate(kiosk, short), keep=keep)
    assert isinstance(found, Piece)
    assert (found.url, found.addresses) == (short, (short, end))


def test_an_article_of_the_ledger_that_has_moved_on(kiosk: Kiosk) -> None:
    first, moved = "https://a.example/one", kiosk.article("two")
    kiosk.web.answers[first] = page()
    kiosk.shows(first)
    kiosk.scan()
    kiosk.web.answers[first] = to(moved)
    ((_, found),) = found_of(kiosk, candidate(kiosk, first))
    assert isinstance(found, Piece)
    assert (found.url, found.addresses) == (first, (first, moved))


def test_a_private_network_where_the_source_may(kiosk: Kiosk) -> None:
    url = kiosk.article("one")
    kiosk.shows(url, allow_private=True)
    kiosk.scan()
    for keep in (False, True):
        read(kiosk, candidate(kiosk, url), keep=keep)
        assert [one.allow_private for one in kiosk.web.asked] == [True]


# --- everything else ------------------------------------------------------------------------------


def test_an_address_that_the_ledger_does_not_have(kiosk: Kiosk) -> None:
    url = "https://a.example/one?utm_source=x"
    kiosk.web.answers[url] = story()
    ((_, piece, reason),) = read(kiosk, Wanted(url, None, None, "a.example"))
    assert piece and reason is None
    final = "https://a.example/one"
    assert (piece.article_uuid, piece.url, piece.url_hash) == (None, final, url_hash(final))
    assert (piece.title, piece.published_at) == ("Bridge opens", WRITTEN)
    assert [(one.url, one.obey_robots, one.allow_private) for one in kiosk.web.asked] == [(url, True, False)]
    assert kiosk.rows("scraped_articles") == kiosk.rows("scrape_state") == []


def test_without_a_text_there_is_a_reason(kiosk: Kiosk) -> None:
    empty, silent, gone = (f"https://a.example/{name}" for name in ("empty", "silent", "gone"))
    kiosk.web.answers |= {empty: page("", "<div id=app></div>"), silent: no_answer(silent)}
    wanted = [Wanted(url, None, None, "A") for url in (empty, silent, gone, "mailto:a@e.org")]
    found = read(kiosk, *wanted)
    assert [one for one, _, _ in found] == wanted
    assert [(piece, reason) for _, piece, reason in found] == [
        (None, "has no article text"),
        (None, f"{silent} did not answer"),
        (None, "is not there any more (404)"),
        (None, "unsupported_scheme"),
    ]


def test_a_private_address_of_a_candidate(kiosk: Kiosk) -> None:
    read(kiosk, Wanted(kiosk.article("one"), None, None, "A", allow_private=True))
    assert [one.allow_private for one in kiosk.web.asked] == [True]


def test_known_and_unknown_in_their_order(kiosk: Kiosk) -> None:
    urls = kiosk.articles(4)
    kiosk.shows(urls[1], urls[3])
    kiosk.scan()
    found = read(kiosk, *(candidate(kiosk, url) for url in urls))
    assert [piece.url for _, piece, _ in found if piece] == urls
    assert [piece.article_uuid is None for _, piece, _ in found if piece] == [True, False, True, False]


def test_nothing_wanted(kiosk: Kiosk) -> None:
    assert (read(kiosk), read(kiosk, keep=False), kiosk.web.requests) == ([], [], 0)


# --- a dry run ------------------------------------------------------------------------------------


def test_a_dry_run_reads_the_same_and_stores_nothing(kiosk: Kiosk) -> None:
    stored, new, bad, other = [*kiosk.articles(2), "https://a.example/bad", kiosk.article("other")]
    kiosk.shows(stored)
    kiosk.scan()
    read(kiosk, candidate(kiosk, stored))
    kiosk.web.answers[FEED] = kiosk.front_page(f"{new}?utm_source=x", bad)
    kiosk.scan()
    wanted = [candidate(kiosk, url) for url in (stored, f"{new}?utm_source=x", bad, other)]
    before = {
        name: kiosk.rows(name) for name in ("scraped_articles", "scrape_state", "extracted_article_urls")
    }
    dry = read(kiosk, *wanted, keep=False)
    assert kiosk.read() == sorted([new, bad, other])
    assert before == {name: kiosk.rows(name) for name in before}
    assert dry == read(kiosk, *wanted)
    assert [piece and piece.url for _, piece, _ in dry] == [stored, new, None, other]
    assert dry[2][2] == "is not there any more (404)"
