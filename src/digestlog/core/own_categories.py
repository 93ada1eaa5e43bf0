"""What a person types for a category, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from digestlog.core.digest import Category
from digestlog.core.text import clean
from digestlog.errors import ConfigError

MAX_NAME = 80


@dataclass(frozen=True, slots=True)
class Changes:
    """What a person wants changed; None is no wish, '' and () take a value away."""

    name: str | None = None
    description: str | None = None
    keywords: tuple[str, ...] | None = None
    add_keywords: tuple[str, ...] = ()
    drop_keywords: tuple[str, ...] = ()


def category(name: str, description: str | None = None, keywords: Iterable[str] = ()) -> Category:
    """The category that a person describes; ConfigError if it has no name that can be used."""
    cleaned = clean(name)
    if cleaned is None:
        raise ConfigError("a category needs a name", "say what it is about in a word or two")
    if len(cleaned) > MAX_NAME:
        raise ConfigError(
            f"{cleaned[:20]}… is too long for a name",
            f"at most {MAX_NAME} characters; a --description may be longer",
        )
    return Category(cleaned, clean(description), keywords_of(keywords))


def keywords_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The keywords in texts that may hold several, separated by commas; each once, in any case."""
    found: dict[str, str] = {}
    for part in ",".join(texts).split(","):
        if word := clean(part):
            found.setdefault(key(word), word)
    return tuple(found.values())


def changed(known: Category, wanted: Changes) -> Category:
    """The category as a person wants it; ConfigError if it would have no name that can be used."""
    keywords = known.keywords if wanted.keywords is None else keywords_of(wanted.keywords)
    dropped = {key(word) for word in keywords_of(wanted.drop_keywords)}
    kept = [word for word in keywords if key(word) not in dropped]
    result = replace(known, keywords=keywords_of([*kept, *wanted.add_keywords]))
    if wanted.description is not None:
        result = replace(result, description=clean(wanted.description))
    if wanted.name is not None:
        result = replace(result, name=category(wanted.name).name)
    return result


def key(text: str) -> str:
    """What makes two names or keywords the same: the words, in any case."""
    return " ".join(text.casefold().split())
