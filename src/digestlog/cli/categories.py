"""`digestlog categories`: what a user's digests tell of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from digestlog.cli.app import TEXT, App, pass_app
from digestlog.cli.output import emit_json, json_option, note, table
from digestlog.core.own_categories import Changes, category
from digestlog.errors import ConfigError
from digestlog.store import categories as store
from digestlog.store import scrapes, users

if TYPE_CHECKING:
    from digestlog.core.classify import Label
    from digestlog.core.digest import Category
    from digestlog.store.categories import Own
    from digestlog.store.scrapes import Version

_POSITION = click.IntRange(1, 10_000)
# More would take long to learn from and tell little more.
_LEARNED_FROM = 2_000
_REPLACED = (
    "This replaces the starter set: digests now have only your own categories. "
    "To have both: digestlog categories starter"
)
_BACK = "You have no categories of your own any more: digests have the starter set again."


@click.group()
def categories() -> None:
    """Choose what your digests tell of.

    As long as you have no categories of your own, digests use a starter set for general news.

    Example:

    \b
      digestlog categories add Harbour --keyword "port, ferry, quay"
    """


@categories.command("list")
@json_option
@pass_app
def list_(app: App, as_json: bool) -> None:
    """List the categories of your digests, in their order.

    The origin is `own`, or `starter` as long as you have none of your own.

    Example:

    \b
      digestlog categories list
    """
    with app.open() as db:
        user = users.current(db, app.user)
        found = [_as_json(own) for own in store.list_own(db, user)] or _starter(store.starter_of(db, user))
    _print(found, as_json)


@categories.command()
@click.argument("name", type=TEXT)
@click.option("--description", type=TEXT, help="What it is about, in a sentence.")
@click.option(
    "--keyword",
    "keywords",
    type=TEXT,
    multiple=True,
    help="Words that its articles use; several with commas, or the option again.",
)
@click.option("--position", type=_POSITION, help="Its place in the digest, from 1.  [default: the last]")
@json_option
@pass_app
def add(app: App, /, as_json: bool, position: int | None, **wanted: Any) -> None:
    """Add a category of your own.

    The first one replaces the starter set. To keep that as well, write it down as your own with
    `digestlog categories starter`.

    Examples:

    \b
      digestlog categories add Harbour --keyword "port, ferry, quay"
      digestlog categories add Chess --description "Tournaments and openings" --position 1
    """
    new = category(**wanted)
    with app.open() as db:
        user = users.current(db, app.user)
        first = not store.list_own(db, user)
        own = store.add(db, user, new, position)
    _print([_as_json(own)], as_json)
    if first and not app.quiet:
        note(_REPLACED)


@categories.command()
@click.argument("category_name", metavar="NAME", type=TEXT)
@click.option("--name", type=TEXT, help="What to call it from now on.")
@click.option("--description", type=TEXT, help="What it is about; '' for nothing.")
@click.option("--keyword", "keywords", type=TEXT, multiple=True, help="All its keywords anew; '' for none.")
@click.option("--add-keyword", "add_keywords", type=TEXT, multiple=True, help="Further keywords.")
@click.option("--drop-keyword", "drop_keywords", type=TEXT, multiple=True, help="Keywords to take away.")
@click.option("--position", type=_POSITION, help="Its new place in the digest, from 1.")
@json_option
@pass_app
def edit(app: App, /, category_name: str, position: int | None, as_json: bool, **wanted: Any) -> None:
    """Change a category of your own.

    Examples:

    \b
      digestlog categories edit Sport --add-keyword "sailing, regatta" --position 1
      digestlog categories edit Harbour --name Port
    """
    changes = Changes(**{**wanted, "keywords": wanted["keywords"] or None})
    if changes == Changes() and position is None:
        raise click.UsageError("say what to change, for example --add-keyword")
    with app.open() as db:
        own = store.edit(db, users.current(db, app.user), category_name, changes, position)
    _print([_as_json(own)], as_json)


@categories.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True, type=TEXT)
@json_option
@pass_app
def remove(app: App, names: tuple[str, ...], as_json: bool) -> None:
    """Remove categories of your own. Digests that were made stay as they are.

    Without any of your own, digests use the starter set again.

    Example:

    \b
      digestlog categories remove Sport Culture
    """
    with app.open() as db:
        user = users.current(db, app.user)
        gone = store.remove(db, user, names)
        left = store.list_own(db, user)
    if as_json:
        emit_json([_as_json(own) for own in gone])
    else:
        for own in gone:
            click.echo(f"{own.category.name}: removed")
    if not left and not app.quiet:
        note(_BACK)


@categories.command()
@json_option
@pass_app
def starter(app: App, as_json: bool) -> None:
    """Write the starter set down as your own categories, to edit.

    It goes behind those that you have; a category whose name you have already is left out.

    Example:

    \b
      digestlog categories starter
    """
    with app.open() as db:
        added = store.add_starter(db, users.current(db, app.user))
    if as_json or added:
        _print([_as_json(own) for own in added], as_json)
    if not app.quiet:
        note(f"Categories written as your own: {len(added)}")


@categories.command()
@click.argument("url", type=TEXT)
@json_option
@pass_app
def explain(app: App, url: str, as_json: bool) -> None:
    """Show which category an article gets, and the words that decided.

    For an article whose text is stored, as the embedded classifier sees it beside your latest 2,000 texts. A
    word with a weight below 0 spoke against it. URL may also be an article's id.

    Example:

    \b
      digestlog categories explain https://example.org/story
    """
    from digestlog.jobs.why import why

    with app.open() as db:
        user = users.current(db, app.user)
        story = why(db, url)
        read = scrapes.current(db, [story.article_uuid]).get(story.article_uuid)
        if story.article is None:
            raise ConfigError(f"{url} is not in the ledger", f"see: digestlog why {url}")
        if read is None:
            raise ConfigError(f"the text of {url} is not stored", "to read it: digestlog scrape")
        label = _label(store.effective(db, user), read, scrapes.latest(db, user, _LEARNED_FROM))
    found = {
        "article_uuid": story.article_uuid,
        "url": story.article["article_url_final"],
        "title": read.title or story.article["article_title"],
        "category": label.category,
        "score": label.score,
        "words": [{"word": word, "weight": weight} for word, weight in label.words],
    }
    if as_json:
        emit_json(found)
    else:
        _print_explained(found)


def _label(wanted: tuple[Category, ...], read: Version, others: list[Version]) -> Label:
    from digestlog.core.classify import Text, classify

    (text, *corpus) = (
        Text(one.article_uuid, one.title, one.content_text)
        for one in (read, *(other for other in others if other.article_uuid != read.article_uuid))
    )
    return classify(wanted, [text], corpus)[0]


def _print_explained(found: dict[str, Any]) -> None:
    click.echo(click.style(found["title"] or found["url"], bold=True))
    sure = f"{found['score']:.0%} sure"
    click.echo(f"{found['category']} ({sure})" if found["category"] else f"fits no category ({sure})")
    if found["words"]:
        table(("word", "weight"), [(one["word"], f"{one['weight']:+.3f}") for one in found["words"]])


def _as_json(own: Own) -> dict[str, Any]:
    return {
        "position": own.position,
        **asdict(own.category),
        "origin": "own",
        "created_at": own.created_at,
        "updated_at": own.updated_at,
    }


def _starter(found: Iterable[Category]) -> list[dict[str, Any]]:
    return [
        {"position": place, **asdict(one), "origin": "starter", "created_at": None, "updated_at": None}
        for place, one in enumerate(found, 1)
    ]


def _print(found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        emit_json(found)
        return
    rows = [
        (one["position"], one["name"], one["origin"], one["description"], ", ".join(one["keywords"]))
        for one in found
    ]
    table(("position", "name", "origin", "description", "keywords"), rows)
