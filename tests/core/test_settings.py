"""Settings: ranges, defaults, and labels in both languages."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from digestlog.core.settings import LANGUAGES, SETTINGS, Settings, Words, checked, setting
from digestlog.errors import ConfigError

NUMBERS = [one for one in SETTINGS if isinstance(one.allowed, range)]


def test_every_setting_is_described_once_in_order() -> None:
    assert [one.name for one in SETTINGS] == [field.name for field in fields(Settings)]


def test_the_defaults() -> None:
    assert Settings() == Settings(90, 0, 5, "en")
    assert [one.default for one in SETTINGS] == [90, 0, 5, "en"]
    assert checked(Settings()) == Settings()


def test_the_ranges() -> None:
    assert [one.shown_allowed for one in SETTINGS] == ["0 to 365", "0 to 100", "1 to 100", "en, fr"]


def test_the_labels() -> None:
    assert [one.label.of("en") for one in SETTINGS] == [
        "Article history (days)",
        "Source diversity (digests)",
        "Articles per category (at most)",
        "Language",
    ]
    assert [one.label.of("fr") for one in SETTINGS] == [
        "Historique des articles (jours)",
        "Diversité des sources (synthèses)",
        "Articles par catégorie (au plus)",
        "Langue",
    ]


@pytest.mark.parametrize("one", SETTINGS, ids=lambda one: one.name)
def test_labels_and_meanings_differ_by_language(one: Any) -> None:
    for words in (one.label, one.meaning):
        assert len({words.of(language) for language in LANGUAGES}) == len(LANGUAGES)


def test_another_language_has_the_english_words() -> None:
    assert Words("tea", "thé").of("de") == "tea"


# --- by name ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["article_history_days", "article-history-days", " Article_History_Days ", "ARTICLE-HISTORY_DAYS"]
)
def test_a_setting_by_its_name(name: str) -> None:
    assert setting(name) is SETTINGS[0]


@pytest.mark.parametrize("name", ["", "article history days", "days", "user_id", "x" * 5_000])
def test_a_setting_that_is_not_there(name: str) -> None:
    with pytest.raises(ConfigError, match="there is no setting") as caught:
        setting(name)
    assert len(caught.value.message) < 80
    assert str(caught.value.hint).endswith("max_items_per_category, language")


# --- what a person types ----------------------------------------------------------------------


@pytest.mark.parametrize("one", NUMBERS, ids=lambda one: one.name)
def test_the_ends_of_a_range_are_in_it_and_their_neighbours_are_not(one: Any) -> None:
    lowest, highest = one.allowed[0], one.allowed[-1]
    for value in (lowest, highest):
        assert one.read(str(value)) == one.check(value) == value
    for value in (lowest - 1, highest + 1):
        for refuse in (lambda value=value: one.read(str(value)), lambda value=value: one.check(value)):
            with pytest.raises(ConfigError, match=f"{one.name} cannot be '{value}'") as caught:
                refuse()
            assert caught.value.hint == f"allowed: {lowest} to {highest}"


@pytest.mark.parametrize(("text", "value"), [("7", 7), (" 7\n", 7), ("+7", 7), ("007", 7), ("-0", 0)])
def test_spellings_of_a_number(text: str, value: int) -> None:
    assert SETTINGS[0].read(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " ", "seven", "7.0", "7e0", "1_0", "0x7", "7 days", "٧", "７", "²", "9" * 5_000, "true", "\0"],
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ConfigError, match="article_history_days cannot be") as caught:
        SETTINGS[0].read(text)
    assert len(caught.value.message) < 100


@pytest.mark.parametrize("value", [True, False, "7", "", 7.0, None])
def test_a_number_is_an_int_and_nothing_else(value: Any) -> None:
    with pytest.raises(ConfigError):
        SETTINGS[0].check(value)


@pytest.mark.parametrize(("text", "value"), [("en", "en"), ("fr", "fr"), (" FR ", "fr")])
def test_a_language(text: str, value: str) -> None:
    assert setting("language").read(text) == value


@pytest.mark.parametrize("text", ["", "de", "français", "0", "e", "enfr"])
def test_what_is_no_language(text: str) -> None:
    with pytest.raises(ConfigError, match="language cannot be") as caught:
        setting("language").read(text)
    assert caught.value.hint == "allowed: en, fr"


@pytest.mark.parametrize(
    "wrong",
    [
        {"article_history_days": 366},
        {"source_diversity_window": -1},
        {"max_items_per_category": 0},
        {"language": "FR"},
    ],
)
def test_settings_are_checked_together(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(ConfigError, match=f"{name} cannot be"):
        checked(replace(Settings(), **wrong))
