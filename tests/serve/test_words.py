"""The words of the screens: both languages say everything; whose language is chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from serve.house import House
from serve.marked import ANNA

import digestlog.serve
from digestlog.serve.words import ENGLISH, FRENCH, Words, chosen
from digestlog.store import settings

TEMPLATES = Path(digestlog.serve.__file__).parent / "templates"
_USED = re.compile(r'\bt\(\s*"([^"]+)"\s*[,)]')
_COUNTED = re.compile(r'\bt\.count\([^"()]*(?:\([^()]*\))?[^"()]*"([^"]+)"\)')


def test_both_languages_have_the_same_keys() -> None:
    assert ENGLISH.keys() == FRENCH.keys()


def test_both_languages_have_places_for_the_same_values() -> None:
    for key, words in ENGLISH.items():
        assert set(re.findall(r"\{(\w+)\}", words)) == set(re.findall(r"\{(\w+)\}", FRENCH[key])), key


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.glob("*.html")))
def test_every_word_that_a_template_names_is_there(template: str) -> None:
    text = (TEMPLATES / template).read_text()
    counted = [f"{key}.{form}" for key in _COUNTED.findall(text) for form in ("one", "many")]
    missing = [key for key in [*_USED.findall(text), *counted] if key not in ENGLISH]
    assert not missing


def test_values_are_put_into_words() -> None:
    words = Words("en")
    assert words.day("2026-05-03T14:03:12+00:00") == "3 May 2026"
    assert words.moment("2026-05-03T14:03:12+00:00") == "3 May 2026, 14:03"
    assert words("nav.today") == "Today"
    with pytest.raises(KeyError):
        words("not there")


def test_french_days() -> None:
    words = Words("fr")
    assert words.day("2026-08-01") == "1er août 2026"
    assert words.moment("2026-08-21T07:09:00+00:00") == "21 août 2026, 07:09"
    assert words("nav.today") == "Aujourd’hui"


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0, "0 B", "0 o"),
        (744, "744 B", "744 o"),
        (5_500, "5.5 kB", "5,5 ko"),
        (2_100_000, "2.1 MB", "2,1 Mo"),
    ],
)
def test_sizes(number: int, english: str, french: str) -> None:
    assert (Words("en").size(number), Words("fr").size(number)) == (english, french)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01T00:00:00+00:00", "٢٠٢٦"])
def test_what_is_no_time_stays_as_it_is(text: str) -> None:
    assert Words("en").moment(text) == text


@pytest.mark.parametrize(
    ("setting", "header", "language"),
    [
        ("fr", "en", "fr"),
        ("en", "fr", "en"),
        (None, "fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        (None, "de, en;q=0.3, fr;q=0.7", "fr"),
        (None, "fr;q=0, en;q=0.1", "en"),
        (None, "de", "en"),
        (None, None, "en"),
        (None, "fr;q=high, ;;;,=", "en"),
        ("xx", "fr", "fr"),
    ],
)
def test_the_setting_goes_before_the_browser(setting: str | None, header: str | None, language: str) -> None:
    assert chosen(setting, header) == language


def test_a_page_speaks_the_browsers_language_until_one_is_set(house: House) -> None:
    browser = house.signed_in(ANNA)
    french = {"accept": "text/html", "accept-language": "fr"}
    with house.file() as db:
        db.connection.execute("DELETE FROM settings WHERE user_id = ?", (ANNA,))
    assert '<html lang="fr">' in browser.get("/", headers=french).text
    with house.file() as db:
        settings.change(db, ANNA, "language", "en")
    assert '<html lang="en">' in browser.get("/", headers=french).text
