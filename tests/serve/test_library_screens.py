"""The four screens of the library: exactly what the visitor may see, and hostile words stay words."""

from __future__ import annotations

import re
from html import unescape

import pytest
from serve.house import Browser, House
from serve.marked import AFTER, ANNA, BOB, LEFT, MARK, MINE, OPEN, START, Marked
from store.rows import put, uuid

from digestlog.store import library, onboarding
from digestlog.store.watched import PIECE

PAGE, OTHERS_PAGE, BRAND, OTHERS_BRAND = uuid(831), uuid(833), uuid(821), uuid(822)
SEEN, GATED, OTHERS = uuid(850), uuid(851), uuid(853)
GATE = "History from 12 February 2026; earlier changes need a paid plan."
JPEG = b"\xff\xd8\xff\xe0picture"


@pytest.fixture
def anna(house: House) -> Browser:
    """A free user, signed in."""
    return house.signed_in(ANNA)


def _change(house: House, sql: str, *values: object) -> None:
    with house.file() as db, db.transaction() as connection:
        connection.execute(sql, values)


# --- dashboard ---------------------------------------------------------------------------


def test_the_dashboard_shows_the_users_pages_with_the_latest_change(anna: Browser) -> None:
    text = anna.page("/dashboard").text
    assert f'href="/pages/{PAGE}"' in text and MINE in text
    assert f'href="/brands/{BRAND}"' in text
    assert f'href="/changes/{SEEN}"' in text
    assert f'<time datetime="{AFTER}"' in text and "14 February 2026, 00:00" in text
    assert "1 of 10 pages of the plan “free”" in text
    assert GATE in text
    assert MARK not in text and LEFT not in text


def test_a_dashboard_without_pages_says_what_to_do(house: House, anna: Browser) -> None:
    _change(house, "UPDATE user_url_library SET is_active = 0")
    text = anna.page("/dashboard").text
    assert "You watch no page yet." in text and 'href="/submit"' in text


def test_a_page_that_never_changed(house: House, anna: Browser) -> None:
    _change(house, "DELETE FROM url_change_events")
    _change(house, "DELETE FROM url_observations")
    text = anna.page("/dashboard").text
    assert "No change seen yet" in text and "not yet" in text


def test_a_long_dashboard_comes_in_pieces(house: House) -> None:
    with house.file() as db, db.transaction() as connection:
        connection.execute("UPDATE plan_definitions SET max_tracked_urls = NULL WHERE plan = 'free'")
        for number in range(PIECE):
            page = f"https://many.example/{number}"
            put(connection, "urls", id=uuid(9000 + number), canonical_url=page, url=page, brand_id=BRAND)
            put(
                connection,
                "user_url_library",
                id=uuid(9000 + number),
                user_id=ANNA,
                url_id=uuid(9000 + number),
            )
    anna = house.signed_in(ANNA)
    for path in ("/dashboard", f"/brands/{BRAND}"):
        first = anna.page(path).text
        (following,) = [part.split('"')[0] for part in first.split('rel="next" href="')[1:]]
        second = anna.page(following.replace("&amp;", "&")).text
        assert first.count('<li class="card">') == PIECE
        assert second.count('<li class="card">') == 1 and 'rel="next"' not in second
        assert f'<a href="{path}">Newest</a>' in second


@pytest.mark.parametrize("query", ["?at=x&id=y", "?at=", "?id=1", "?at=2026-02-12T00:00:00%2B00:00&id=%27"])
def test_a_key_that_is_none_begins_at_the_beginning(anna: Browser, query: str) -> None:
    assert MINE in anna.page(f"/dashboard{query}").text


# --- brand -------------------------------------------------------------------------------


def test_a_brand_with_its_pages_and_latest_changes(anna: Browser) -> None:
    text = anna.page(f"/brands/{BRAND}").text
    assert f"<bdi>{OPEN}</bdi>" in text and f"{OPEN}.example" in text
    assert f'href="/pages/{PAGE}"' in text and f'href="/changes/{SEEN}"' in text
    assert GATED not in text and MARK not in text


def test_a_brand_of_others_is_not_there(anna: Browser) -> None:
    known, unknown = anna.page(f"/brands/{OTHERS_BRAND}"), anna.page(f"/brands/{uuid(1)}")
    assert known.status_code == unknown.status_code == 404
    assert known.text == unknown.text


def test_a_brand_whose_pages_never_changed(house: House, anna: Browser) -> None:
    _change(house, "DELETE FROM url_change_events")
    assert "No change seen yet." in anna.page(f"/brands/{BRAND}").text


# --- page --------------------------------------------------------------------------------


def test_the_history_of_a_page_is_gated_and_says_so(anna: Browser) -> None:
    text = anna.page(f"/pages/{PAGE}").text
    assert GATE in text
    assert f'href="/changes/{SEEN}"' in text and GATED not in text
    assert f'<a href="{MINE}" rel="noopener noreferrer"' in text
    assert f'href="/brands/{BRAND}"' in text and "daily" in text
    assert f"/my/url_change_events.csv?url_id={PAGE}" in text
    assert MARK not in text


def test_who_has_the_whole_history_sees_it(house: House) -> None:
    with house.file() as db:
        library.unlock_history(db, BOB)
    text = house.signed_in(BOB).page(f"/pages/{PAGE}").text
    assert "The whole history is shown." in text and f'href="/changes/{GATED}"' in text


def test_what_changes_all_the_time_is_shown_when_asked_for(house: House, anna: Browser) -> None:
    _change(house, "UPDATE url_change_events SET state = 'volatile' WHERE id = ?", SEEN)
    plain = anna.page(f"/pages/{PAGE}").text
    assert SEEN not in plain and "No change seen yet." in plain
    assert f'href="/pages/{PAGE}?all=1"' in plain
    assert SEEN in anna.page(f"/pages/{PAGE}?all=1").text


def test_a_long_history_comes_in_pieces(house: House, anna: Browser) -> None:
    with house.file() as db, db.transaction() as connection:
        for number in range(PIECE):
            row = {"id": uuid(9000 + number), "url_id": PAGE, "observation_id": None, "detected_at": AFTER}
            put(connection, "url_change_events", row, state="volatile")
    first = anna.page(f"/pages/{PAGE}?all=1").text
    following = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    assert following.endswith("all=1")
    assert anna.page(following).text.count("<tr>") == 2, "the head and the last change"


@pytest.mark.parametrize("path", [f"/pages/{OTHERS_PAGE}", f"/pages/{uuid(832)}", "/pages/x"])
def test_a_page_of_others_or_one_that_was_left_is_not_there(anna: Browser, path: str) -> None:
    assert anna.page(path).status_code == 404


def test_pages_speak_french(house: House, anna: Browser) -> None:
    _change(house, "UPDATE settings SET language = 'fr' WHERE user_id = ?", ANNA)
    text = anna.page(f"/pages/{PAGE}").text
    assert "Historique depuis le 12 février 2026" in text and "Changements de cette page" in text


# --- change ------------------------------------------------------------------------------


def test_a_change_word_by_word_with_its_look_and_renderings(house: House, anna: Browser) -> None:
    diff = '[["=","costs "],["-","49"],["+","44"],["="," euro"]]'
    _change(house, "UPDATE url_change_events SET diff = ? WHERE id = ?", diff, SEEN)
    text = anna.page(f"/changes/{SEEN}").text
    assert "costs <del>49</del><ins>44</ins> euro" in text
    assert f"<bdi>{OPEN}</bdi>" in text, "the summary"
    assert "The look that found it" in text and ">200<" in text
    assert f'href="/brands/{BRAND}"' in text and f'href="/pages/{PAGE}"' in text
    assert f'<pre class="text" dir="auto">{OPEN}</pre>' in text
    assert MARK not in text
    side = anna.page(f"/changes/{SEEN}?view=side").text
    assert "costs <del>49</del> euro" in side and "costs <ins>44</ins> euro" in side


def test_a_change_without_a_diff_shows_all_before_and_all_after(house: House, anna: Browser) -> None:
    sql = """UPDATE url_change_events SET diff = '[]', "before" = 'old', "after" = 'new' WHERE id = ?"""
    _change(house, sql, SEEN)
    assert "<del>old</del><ins>new</ins>" in anna.page(f"/changes/{SEEN}").text


def test_a_change_of_which_nothing_else_is_stored(house: House, anna: Browser) -> None:
    sql = """UPDATE url_change_events SET diff = '[]', "before" = NULL, "after" = NULL,
        observation_id = NULL WHERE id = ?"""
    _change(house, sql, SEEN)
    _change(house, "DELETE FROM url_change_summaries WHERE event_id = ?", SEEN)
    text = anna.page(f"/changes/{SEEN}").text
    assert "The words of this change are not stored." in text
    assert "No rendering of this look is stored." in text and "The look that found it is not stored" in text


def test_the_first_change_that_is_seen_ends_the_first_steps(house: House, anna: Browser) -> None:
    _change(house, "UPDATE onboarding_state SET step = 'first_change', completed_at = NULL")
    anna.page(f"/changes/{GATED}")
    anna.page(f"/changes/{SEEN}")
    with house.file() as db:
        steps = dict(db.rows("SELECT user_id, step FROM onboarding_state"))
    assert steps == {ANNA: onboarding.DONE, BOB: onboarding.FIRST_CHANGE}


@pytest.mark.parametrize("event", [GATED, OTHERS, uuid(1)])
def test_a_change_that_may_not_be_seen_is_not_there(anna: Browser, event: str) -> None:
    for path in (f"/changes/{event}", f"/renderings/{event}"):
        answer = anna.page(path)
        assert answer.status_code == 404 and MARK not in answer.text


def test_hostile_words_stay_words(house: House, anna: Browser) -> None:
    hostile = '<script>alert(1)</script>"onmouseover="x'
    with house.file() as db, db.transaction() as connection:
        connection.execute("UPDATE url_change_summaries SET summary = ?", (hostile,))
        connection.execute(
            """UPDATE url_change_events SET diff = json_array(json_array('+', ?)), "after" = ?""",
            (f"\u202e{hostile}", hostile),
        )
        connection.execute("UPDATE brand_library_brands SET name = ? || id", (hostile,))
        connection.execute("UPDATE url_observations SET error = ?", (hostile,))
        connection.execute("UPDATE url_render_artifacts SET content = CAST(? AS BLOB)", (hostile,))
        connection.execute("UPDATE urls SET url = 'javascript:alert(1)//' WHERE id = ?", (PAGE,))
    for path in ("/dashboard", f"/brands/{BRAND}", f"/pages/{PAGE}", f"/changes/{SEEN}"):
        text = anna.page(path).text
        assert "<script>alert" not in text and "&lt;script&gt;" in text, path
        assert 'href="javascript' not in text and '"onmouseover' not in text, path
        assert "\u202e" not in text, path


# --- renderings --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "content", "shown", "kept"),
    [
        ("screenshot", JPEG, "image/jpeg", False),
        ("screenshot", b"\x89PNG\r\n\x1a\nx", "image/png", False),
        ("screenshot", b"<svg onload=alert(1)>", "application/octet-stream", True),
        ("text", b"<script>alert(1)</script>", "text/plain; charset=utf-8", False),
        ("diff_html", b"<!DOCTYPE html><script>alert(1)</script>", "application/octet-stream", True),
        ("v1", b"\xff\xd8\xff", "application/octet-stream", True),
    ],
)
def test_a_rendering_is_never_something_to_run(
    house: House, anna: Browser, kind: str, content: bytes, shown: str, kept: bool
) -> None:
    _change(house, "UPDATE url_render_artifacts SET kind = ?, content = ? WHERE id = ?", kind, content, SEEN)
    answer = anna.get(f"/renderings/{SEEN}")
    assert (answer.status_code, answer.content) == (200, content)
    assert answer.headers["content-type"] == shown
    assert ("attachment" in answer.headers.get("content-disposition", "")) == kept
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    page = anna.page(f"/changes/{SEEN}").text
    assert f'href="/renderings/{SEEN}"' in page
    assert (f'src="/renderings/{SEEN}"' in page) == (kind == "screenshot")


# --- everybody ---------------------------------------------------------------------------


PATHS = ("/dashboard", f"/brands/{BRAND}", f"/pages/{PAGE}", f"/changes/{SEEN}", f"/renderings/{SEEN}")


@pytest.mark.parametrize("path", [*PATHS, "/submit", "/review", "/settings"])
def test_a_stranger_sees_nothing(marked_house: House, path: str) -> None:
    answer = marked_house.browser().page(path)
    assert answer.status_code == 303 and answer.headers["location"].startswith("/sign-in")


@pytest.mark.parametrize("path", [*PATHS, "/submit", "/settings"])
def test_no_secret_of_others_is_on_a_screen(marked: Marked, marked_house: House, path: str) -> None:
    answer = marked_house.signed_in(ANNA).page(path)
    assert answer.status_code == 200
    assert not [secret for secret in marked.forbidden if secret in answer.text]


def test_the_gate_in_the_file_is_the_one_that_is_shown(marked_house: House) -> None:
    with marked_house.file() as db:
        assert library.gates(db, ANNA) == {PAGE: START}


_DATA = re.compile(r'<aside class="data-links".*?</aside>', re.DOTALL)


@pytest.mark.parametrize("path", [*PATHS[:4], "/submit", "/settings"])
def test_every_screen_leads_to_its_data(marked_house: House, path: str) -> None:
    anna = marked_house.signed_in(ANNA)
    (links,) = _DATA.findall(anna.page(path).text)
    found = [unescape(address) for address in re.findall(r'href="([^"]+)"', links)]
    assert len(found) == 4
    for address in found:
        answer = anna.page(address)
        if answer.status_code == 302:  # 1.0 has another place for SQL
            answer = anna.page(answer.headers["location"])
        assert answer.status_code == 200, address
        assert MARK not in answer.text
    assert anna.get(found[1]).json()["rows"], "there is something in it"


def test_an_admins_screens_lead_to_the_whole_file(house: House, fresh: Marked) -> None:
    owner = house.signed_in(fresh.owner)
    for path in ("/dashboard", "/submit", "/review", "/settings"):
        (links,) = _DATA.findall(owner.page(path).text)
        for address in re.findall(r'href="([^"]+)"', links):
            assert address.startswith("/digestlog")
            assert owner.page(unescape(address)).status_code in (200, 302), address
