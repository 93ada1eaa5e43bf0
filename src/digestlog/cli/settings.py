"""`digestlog settings`: how a user wants their digests."""

from __future__ import annotations

from typing import Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option, note, table
from digestlog.core.settings import SETTINGS, Setting, Settings, setting
from digestlog.store import settings as store
from digestlog.store import users


@click.group()
def settings() -> None:
    """Say how your digests should be.

    Example:

    \b
      digestlog settings set article_history_days 30
    """


@settings.command()
@json_option
@pass_app
def show(app: App, as_json: bool) -> None:
    """Show the settings, with what each means and may be.

    Labels are in the language that the setting `language` names.

    Example:

    \b
      digestlog settings show
    """
    with app.open() as db:
        found = store.get(db, users.current(db, app.user))
    _print(SETTINGS, found, as_json)


# A negative number is a value to refuse in words, not an option that does not exist.
@settings.command("set", context_settings={"ignore_unknown_options": True})
@click.argument("name", type=TEXT)
@click.argument("value", type=TEXT)
@json_option
@pass_app
def set_(app: App, name: str, value: str, as_json: bool) -> None:
    """Give the setting NAME a VALUE.

    Examples:

    \b
      digestlog settings set article_history_days 30
      digestlog settings set language fr
    """
    wanted = setting(name)
    with app.open() as db:
        found = store.change(db, users.current(db, app.user), wanted.name, wanted.read(value))
    _print((wanted,), found, as_json)
    if wanted.name == "article_history_days" and not found.article_history_days and not app.quiet:
        note("The history is off: articles may come back, and what digests show is not remembered.")


def _print(wanted: tuple[Setting, ...], found: Settings, as_json: bool) -> None:
    if as_json:
        emit_json({one.name: _as_json(one, found) for one in wanted})
        return
    rows = [
        (
            one.name,
            getattr(found, one.name),
            one.shown_allowed,
            one.label.of(found.language),
            one.meaning.of(found.language),
        )
        for one in wanted
    ]
    table(("name", "value", "allowed", "label", "meaning"), rows)


def _as_json(one: Setting, found: Settings) -> dict[str, Any]:
    numbers = one.allowed if isinstance(one.allowed, range) else None
    return {
        "value": getattr(found, one.name),
        "default": one.default,
        "minimum": numbers[0] if numbers else None,
        "maximum": numbers[-1] if numbers else None,
        "choices": None if numbers else list(one.allowed),
        "label": one.label.of(found.language),
        "meaning": one.meaning.of(found.language),
    }
