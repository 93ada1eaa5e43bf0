"""The ledger's screen: search, filters, pages, and why each article is there."""

from __future__ import annotations

import re

import pytest
from serve.screen import HOSTILE, Screens, words
from store.rows import put, uuid
from store.shelf import ANNA, BEN, COUNCIL, HARBOUR, TIDEPOOL, article

from digestlog.core import canonical
from digestlog.serve.screens.ledger import pieces
from digestlog.store.browse import END, FOUND
from digestlog.store.db import Database

AT = "2026-02-12T10:00:00+00:00"


def fill(screens: Screens) -> None:
    def work(db: Database) -> None:
        article(db.connection, "bridge", AT, [HARBOUR], "Swing bridge stuck", "The bridge is open.")
        article(db.connection, "tide", AT, [TIDEPOOL], "Tide tables")
        article(db.connection, "both", AT, [TIDEPOOL, HARBOUR], "Shared story")
        article(db.connection, "council", "2026-02-11T10:00:00+00:00", [COUNCIL], None)

    screens.write(work)


def test_each_reads_their_own_part(screens: Screens) -> None:
    fill(screens)
    everything = words(screens.text(screens.owner, "/ledger"))
    for title in ("Swing bridge stuck", "Tide tables", "Shared story", "(no title)", "Tidepool Review"):
        assert title in everything
    annas = words(screens.text(ANNA, "/ledger"))
    assert "Swing bridge stuck" in annas and "Shared story" in annas
    assert "Tide tables" not in annas and "Tidepool" not in annas


def test_search_marks_what_it_found(screens: Screens) -> None:
    fill(screens)
    page = screens.text(ANNA, "/ledger?q=bridge")
    assert "Swing <mark>bridge</mark> stuck" in page
    assert "The <mark>bridge</mark> is open." in page
    assert "Shared story" not in page
    assert 'value="bridge"' in page
    nothing = words(screens.text(ANNA, "/ledger?q=tide"))
    assert "Nothing matches." in nothing


def test_filters_by_source_method_and_day(screens: Screens) -> None:
    fill(screens)
    assert "Shared story" in screens.text(BEN, f"/ledger?source={TIDEPOOL}")
    assert "Swing bridge" not in screens.text(BEN, f"/ledger?source={TIDEPOOL}")
    assert "Nothing matches." in screens.text(ANNA, f"/ledger?source={TIDEPOOL}")
    direct = screens.text(ANNA, "/ledger?method=Direct")
    assert "(no title)" in direct and "Swing bridge" not in direct
    assert "Swing bridge" not in screens.text(ANNA, "/ledger?day=2026-02-11")
    assert "Swing bridge" in screens.text(ANNA, "/ledger?day=2026-02-12")


@pytest.mark.parametrize("query", ["method=x", "day=2026-13-01", "day=%00", "after=%F0%9F", "source=%27%22"])
def test_a_filter_that_makes_no_sense_does_no_harm(screens: Screens, query: str) -> None:
    fill(screens)
    assert "<h1>Ledger</h1>" in screens.text(ANNA, f"/ledger?{query}")


def test_page_by_page(screens: Screens) -> None:
    def work(db: Database) -> None:
        for number in range(90):
            article(db.connection, f"a{number}", AT, [HARBOUR], f"Number {number}.")

    screens.write(work)
    seen: list[str] = []
    path: str | None = "/ledger?source=W_RSS_1"
    while path:
        page = screens.text(BEN, path)
        seen += re.findall(r"Number \d+\.(?=</a>)", page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        path = following[1].replace("&amp;", "&") if following else None
    assert len(seen) == len(set(seen)) == 90


def test_an_empty_ledger_says_what_to_do(screens: Screens) -> None:
    assert "digestlog scan" in screens.text(BEN, "/ledger")


def test_an_address_in_the_search_box_leads_to_its_story(screens: Screens) -> None:
    answer = screens.browser(BEN).page("/ledger?q=https://news.example/bridge?a=1%262")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/why?url=https%3A%2F%2Fnews.example%2Fbridge%3Fa%3D1%262"


def test_why_an_article_is_there(screens: Screens) -> None:
    fill(screens)

    def digests(db: Database) -> None:
        key = canonical.article_uuid("https://news.example/both")
        for number, person in ((1, ANNA), (2, BEN)):
            put(db.connection, "syntheses", id=uuid(number), user_id=person.id)
            put(db.connection, "synthesis_candidates", synthesis_id=uuid(number), article_uuid=key)
        put(db.connection, "url_resolutions", article_url_original="https://news.example/both",
            article_uuid=key, status="resolved", next_attempt_at=None,
            hops='[{"status": 301, "url": "https://news.example/both"}]')  # fmt: skip

    screens.write(digests)
    key = canonical.article_uuid("https://news.example/both")
    whole = words(screens.text(screens.owner, f"/ledger/{key}"))
    for told in ("Shared story", key, "Tidepool Review", "Harbour Times", "301 →", "(anna)", "(ben)"):
        assert told in whole
    annas = screens.text(ANNA, f"/ledger/{key}")
    assert "Harbour Times" in annas and f'href="/digests/{uuid(1)}"' in annas
    assert "Tidepool" not in annas and uuid(2) not in annas and "ben" not in words(annas)


def test_an_article_that_is_not_for_somebody_is_not_there(screens: Screens) -> None:
    fill(screens)
    key = canonical.article_uuid("https://news.example/tide")
    assert "There is no such article." in screens.text(ANNA, f"/ledger/{key}", 404)
    assert "There is no such article." in screens.text(ANNA, "/ledger/A_0000000000000000", 404)
    asked = words(screens.text(ANNA, "/why?url=https://news.example/tide"))
    assert "is not in the ledger" in asked and "Tide tables" not in asked
    assert "Tide tables" in screens.text(BEN, "/why?url=https://news.example/tide")


def test_what_was_left_out_is_told_to_who_knows_the_source(screens: Screens) -> None:
    def work(db: Database) -> None:
        left = '[["https://news.example/old", "outside_window", null]]'
        put(db.connection, "source_left_out", source_uuid=TIDEPOOL, left_out=left)

    screens.write(work)
    assert "outside window" in screens.text(BEN, "/why?url=https://news.example/old")
    assert "No source has shown it." in screens.text(ANNA, "/why?url=https://news.example/old")


def test_what_is_no_address_has_no_story(screens: Screens) -> None:
    assert "has no identity" in screens.text(BEN, "/why?url=nonsense", 404)
    assert "has no identity" in screens.text(BEN, "/why", 404)


def test_hostile_titles_and_addresses_stay_text(screens: Screens) -> None:
    def work(db: Database) -> None:
        article(db.connection, "x", AT, [HARBOUR], f"bridge {HOSTILE}", f"bridge {HOSTILE}")
        db.connection.execute("UPDATE sources_master_list SET source_name = ?", (HOSTILE,))
        db.connection.execute("UPDATE sources_master_list SET site_url = 'javascript:alert(1)'")

    screens.write(work)
    key = canonical.article_uuid("https://news.example/x")
    for path in ("/", "/ledger", "/ledger?q=bridge", f"/ledger/{key}", "/sources", f"/sources/{HARBOUR}"):
        page = screens.text(BEN, path)
        assert "<script" not in page and 'href="javascript:' not in page, path
        assert "alert(" in page, path


def test_parts_of_what_was_found() -> None:
    assert pieces(None) == []
    assert pieces(f"a {FOUND}b{END} c") == [(False, "a "), (True, "b"), (False, " c")]
    assert pieces(f"{FOUND}{FOUND}b{END}") == [(True, f"{FOUND}b")]


def test_french(screens: Screens) -> None:
    answer = screens.browser(ANNA).get("/ledger", headers={"accept": "text/html", "accept-language": "fr"})
    assert "<h1>Registre</h1>" in answer.text
