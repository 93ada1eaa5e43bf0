"""Categories of a digest."""

from __future__ import annotations

from collections.abc import Iterable

from digestlog.core.digest import Category

__all__ = ["Category", "merged"]


def merged(categories: Iterable[Category]) -> list[Category]:
    """The categories, each name once: what several say of one name is taken together."""
    by_name: dict[str, Category] = {}
    for category in categories:
        known = by_name.get(category.name)
        by_name[category.name] = _both(known, category) if known else category
    return list(by_name.values())


def _both(one: Category, other: Category) -> Category:
    descriptions = [each.description for each in (one, other) if each.description]
    return Category(one.name, " ".join(descriptions) or None, one.keywords + other.keywords)
