"""Settings: how a user's digests should be, and their categories."""

from __future__ import annotations

from collections.abc import Callable

from digestlog.core.own_categories import Changes, category
from digestlog.core.settings import SETTINGS
from digestlog.errors import ConfigError
from digestlog.serve.messages import Refused, Response
from digestlog.serve.pages import Page, Route
from digestlog.store import categories
from digestlog.store import settings as store


def show(page: Page) -> Response:
    """Every setting, and the user's categories."""
    return _form(page)


def save(page: Page) -> Response:
    """Store all settings, or none if one of them cannot be what was typed."""
    wanted = {one: page.request.form[one.name] for one in SETTINGS if one.name in page.request.form}
    values = {}
    for one, text in wanted.items():
        try:
            values[one.name] = one.read(text)
        except ConfigError:
            said = page.words("settings.wrong", value=text[:40], allowed=one.shown_allowed)
            return _form(page, f"{one.label.of(page.words.language)}: {said}")
    for name, value in values.items():
        store.change(page.db, page.visitor.id, name, value)
    return Response.redirect("/settings?saved=1")


def save_category(page: Page) -> Response:
    """Add, change or remove a category, or take over the starter set."""
    deed = _DEEDS.get(page.request.form.get("deed", ""))
    if deed is None:
        raise Refused(400, "This form is not known here.")
    try:
        deed(page)
    except ConfigError as error:
        return _form(page, f"{error.message[:1].upper()}{error.message[1:]}.")
    return Response.redirect("/settings?saved=1#categories")


def _form(page: Page, problem: str = "") -> Response:
    user, language = page.visitor.id, page.words.language
    found = store.get(page.db, user)
    return page.render(
        "settings.html",
        400 if problem else 200,
        fields=[
            {
                "name": one.name,
                # What is not set is as the page itself speaks.
                "value": language if one.name == "language" else getattr(found, one.name),
                "label": one.label.of(language),
                "meaning": one.meaning.of(language),
                "numbers": one.allowed if isinstance(one.allowed, range) else None,
                "choices": one.allowed,
            }
            for one in SETTINGS
        ],
        own=categories.list_own(page.db, user),
        starter=categories.starter_of(page.db, user),
        saved="saved" in page.request.query,
        problem=problem,
    )


def _add(page: Page) -> None:
    form = page.request.form
    wanted = category(form.get("name", ""), form.get("description"), [form.get("keywords", "")])
    categories.add(page.db, page.visitor.id, wanted)


def _change(page: Page) -> None:
    form = page.request.form
    wanted = Changes(form.get("name"), form.get("description"), (form.get("keywords", ""),))
    categories.edit(page.db, page.visitor.id, form.get("category", ""), wanted)


def _remove(page: Page) -> None:
    categories.remove(page.db, page.visitor.id, [page.request.form.get("category", "")])


def _adopt(page: Page) -> None:
    categories.add_starter(page.db, page.visitor.id)


_DEEDS: dict[str, Callable[[Page], None]] = {
    "add": _add,
    "change": _change,
    "remove": _remove,
    "adopt": _adopt,
}

ROUTES = (
    Route.get("/settings", show),
    Route.post("/settings", save),
    Route.post("/settings/categories", save_category),
)
