"""Settings: every one of them, with its range, in the visitor's language; and the categories."""

from __future__ import annotations

import pytest
from serve.house import Browser, House
from serve.marked import ANNA, BOB, MARK, OPEN

from digestlog.core.settings import SETTINGS, Settings
from digestlog.store import categories, settings

GOOD = {
    "article_history_days": "30",
    "source_diversity_window": "2",
    "max_items_per_category": "7",
    "language": "fr",
}


@pytest.fixture
def anna(house: House) -> Browser:
    """A user, signed in."""
    return house.signed_in(ANNA)


def send(browser: Browser, form: dict[str, str], path: str = "/settings") -> tuple[int, str]:
    """The status of the answer, and the page that a person sees then."""
    answer = browser.post(path, {**form, "csrf": browser.proof("/settings")})
    if answer.status_code == 303:
        return 303, browser.page(answer.headers["location"].partition("#")[0]).text
    return answer.status_code, answer.text


def of(house: House, user: str = ANNA) -> Settings:
    with house.file() as db:
        return settings.get(db, user)


def names(house: House, user: str = ANNA) -> list[str]:
    with house.file() as db:
        return [own.category.name for own in categories.list_own(db, user)]


def test_every_setting_has_its_label_and_range(anna: Browser) -> None:
    text = anna.page("/settings").text
    for one in SETTINGS:
        assert f'<label for="{one.name}">{one.label.en}</label>' in text
    days = text.split('id="article_history_days"')[1].split(">")[0]
    assert 'type="number"' in days and 'min="0"' in days and 'max="365"' in days and 'value="90"' in days


def test_settings_are_stored_and_the_language_changes_at_once(house: House, anna: Browser) -> None:
    status, text = send(anna, GOOD)
    assert status == 303
    assert "Enregistré." in text and "Historique des articles (jours)" in text
    assert of(house) == Settings(30, 2, 7, "fr")
    assert of(house, BOB) == Settings(), "others have theirs"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("article_history_days", "366"),
        ("article_history_days", "-1"),
        ("article_history_days", ""),
        ("article_history_days", "1e2"),
        ("max_items_per_category", "0"),
        ("language", "<b>de</b>"),
    ],
)
def test_a_wrong_value_changes_nothing(house: House, anna: Browser, name: str, value: str) -> None:
    status, text = send(anna, {**GOOD, name: value})
    assert status == 400
    assert 'role="alert"' in text and "<b>de" not in text
    assert of(house) == Settings()


def test_the_browsers_language_is_shown_where_none_was_set(house: House, anna: Browser) -> None:
    with house.file() as db, db.transaction() as connection:
        connection.execute("DELETE FROM settings")
    text = anna.get("/settings", headers={"accept": "text/html", "accept-language": "fr-CH"}).text
    assert '<option value="fr" selected>Français</option>' in text
    assert "Historique des articles (jours)" in text


def test_own_categories_are_added_changed_and_removed(house: House, anna: Browser) -> None:
    path = "/settings/categories"
    new = {"deed": "add", "name": "Harbour", "description": "Ships", "keywords": "port, ferry, Port"}
    assert send(anna, new, path)[0] == 303
    assert names(house) == [OPEN, "Harbour"]
    changes = {"deed": "change", "category": "Harbour", "name": "Sea", "description": "", "keywords": "sea"}
    _, text = send(anna, changes, path)
    assert 'value="Sea"' in text and "Saved." in text
    send(anna, {"deed": "remove", "category": OPEN}, path)
    with house.file() as db:
        (own,) = categories.list_own(db, ANNA)
    assert (own.category.name, own.category.description, own.category.keywords) == ("Sea", None, ("sea",))
    assert names(house, BOB) == [MARK]


def test_the_starter_set_can_be_taken_over(house: House, anna: Browser) -> None:
    path = "/settings/categories"
    send(anna, {"deed": "remove", "category": OPEN}, path)
    text = anna.page("/settings").text
    assert "You use the starter set." in text
    send(anna, {"deed": "adopt"}, path)
    with house.file() as db:
        assert names(house) == [one.name for one in categories.starter_of(db, ANNA)]


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"deed": "add", "name": " "}, 400, "A category needs a name."),
        ({"deed": "add", "name": OPEN}, 400, "There is a category called"),
        ({"deed": "remove", "category": "<i>"}, 400, "There is no category called &lt;i&gt;"),
        ({"deed": "remove", "category": MARK}, 400, "There is no category called"),
        ({"deed": "change", "category": MARK, "name": "x"}, 400, "There is no category called"),
        ({"deed": "burn"}, 400, "This form is not known here."),
        ({}, 400, "This form is not known here."),
    ],
)
def test_what_cannot_be_done_is_told(
    house: House, anna: Browser, form: dict[str, str], status: int, words: str
) -> None:
    found, text = send(anna, form, "/settings/categories")
    assert found == status and words in text
    assert names(house) == [OPEN] and names(house, BOB) == [MARK]


def test_a_form_from_elsewhere_is_refused(house: House, anna: Browser) -> None:
    assert anna.post("/settings", GOOD).status_code == 403
    assert anna.post("/settings/categories", {"deed": "remove", "category": OPEN}).status_code == 403
    assert of(house) == Settings() and names(house) == [OPEN]
