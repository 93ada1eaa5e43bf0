"""The screens of digests: the list, one digest, and what became of every candidate."""

from __future__ import annotations

import json
import re

from serve.screen import HOSTILE, Screens, words
from store.rows import put, uuid
from store.shelf import ANNA, BEN, HARBOUR, article

from digestlog.store.db import Database

AT = "2026-02-12T10:00:00+00:00"


def fill(screens: Screens) -> None:
    def work(db: Database) -> None:
        key = article(db.connection, "bridge", AT, [HARBOUR], "Swing bridge")
        providers = json.dumps(
            {"classifier": "embedded", "notes": ["no answer"], "categories": ["Town", "Sea"]}
        )
        put(db.connection, "syntheses", id=uuid(1), user_id=ANNA.id, title="Thursday", providers=providers)
        item = {"synthesis_id": uuid(1), "url": "https://news.example/bridge"}
        put(
            db.connection,
            "synthesis_items",
            item,
            id=uuid(51),
            title="Swing bridge",
            article_uuid=key,
            other_links=json.dumps([{"url": "https://o.example/b", "title": "b", "source": "Other"}]),
        )
        put(
            db.connection,
            "synthesis_items",
            item,
            id=uuid(52),
            category="Sea",
            title=HOSTILE,
            url="javascript:alert(1)",
            article_uuid=None,
        )
        candidate = {"synthesis_id": uuid(1), "article_uuid": None}
        put(db.connection, "synthesis_candidates", candidate, url="https://a.example/", outcome="taken")
        put(
            db.connection,
            "synthesis_candidates",
            candidate,
            url="javascript:alert(2)",
            outcome="history",
            detail=HOSTILE,
        )

    screens.write(work)


def test_the_list_is_of_ones_own(screens: Screens) -> None:
    fill(screens)
    page = screens.text(ANNA, "/digests")
    assert f'href="/digests/{uuid(1)}"' in page
    assert "2 stories" in words(page) and "2 candidates" in words(page)
    for other in (BEN, screens.owner):
        assert uuid(1) not in screens.text(other, "/digests")
        assert "There is no such digest." in screens.text(other, f"/digests/{uuid(1)}", 404)
        screens.text(other, f"/digests/{uuid(1)}/why", 404)


def test_no_digest_yet(screens: Screens) -> None:
    assert "digestlog digest" in screens.text(BEN, "/digests")
    screens.text(BEN, "/digests/latest", 404)


def test_one_digest(screens: Screens) -> None:
    fill(screens)
    for path in (f"/digests/{uuid(1)}", "/digests/latest"):
        page = screens.text(ANNA, path)
        said = words(page)
        for told in (
            "Thursday",
            "Town",
            "Swing bridge",
            "Once.",
            "it names the harbour",
            "Other",
            "no answer",
        ):
            assert told in said
        assert said.index("Town") < said.index("Sea")
        assert "<script" not in page and 'href="javascript:' not in page


def test_every_candidate_and_why(screens: Screens) -> None:
    fill(screens)
    page = screens.text(ANNA, f"/digests/{uuid(1)}/why")
    said = words(page)
    assert "2 articles were looked at." in said
    assert "Taken (1)" in said and "Left out: shown before (1)" in said
    assert "<script" not in page and 'href="javascript:' not in page
    assert "javascript:alert(2)" in said


def test_the_words_around_are_french_for_who_reads_french(screens: Screens) -> None:
    fill(screens)
    french = {"accept": "text/html", "accept-language": "fr"}
    answer = screens.browser(ANNA).get(f"/digests/{uuid(1)}/why", headers=french)
    assert "Pourquoi ceux-ci" in answer.text and "Taken" not in answer.text


def test_a_long_list_goes_on(screens: Screens) -> None:
    def work(db: Database) -> None:
        for number in range(35):
            made = f"2026-02-12T10:00:{number:02d}+00:00"
            row = {"id": uuid(number), "user_id": BEN.id, "created_at": made}
            put(db.connection, "syntheses", row, title=f"No. {number}")

    screens.write(work)
    first = screens.text(BEN, "/digests")
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following
    rest = screens.text(BEN, following[1])
    assert "No. 34<" in first and "No. 4<" not in first and "No. 4<" in rest and 'rel="next"' not in rest


def test_a_digest_in_which_nothing_is_new(screens: Screens) -> None:
    screens.write(lambda db: put(db.connection, "syntheses", id=uuid(3), user_id=BEN.id))
    assert "Nothing new made it" in screens.text(BEN, f"/digests/{uuid(3)}")
