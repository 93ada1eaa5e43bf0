"""What all renderers share: text that is safe to show, addresses that are safe to follow, and order."""

from __future__ import annotations

import re
from collections.abc import Iterable

import ada_url

from digestlog.core.digest import Digest, Item
from digestlog.core.render.labels import Labels
from digestlog.core.text import clean, web_address

_PARAGRAPHS = re.compile(r"\n\s*\n")


def line(text: str | None) -> str:
    """The text on one line, without characters that steer a terminal or the reading direction."""
    return clean(text) or ""


def paragraphs(text: str | None) -> list[str]:
    """The text's paragraphs, each on one line."""
    return [one for one in map(line, _PARAGRAPHS.split(text or "")) if one]


def link(url: str) -> str | None:
    """The address as pure ASCII if a browser may be sent there; None for javascript: and the like."""
    address = web_address(url)
    return str(ada_url.URL(address).href) if address else None


def heading(digest: Digest, labels: Labels) -> str:
    """The digest's title; its day where it has none."""
    return line(digest.title) or labels.day(digest.created_at)


def title_of(item: Item, labels: Labels) -> str:
    """The item's title; its address, or a word for it, where it has none."""
    return line(item.title) or line(item.url) or labels.untitled


def by_category(digest: Digest) -> list[tuple[str, list[Item]]]:
    """The items under the names of their categories, both in the digest's order."""
    found: dict[str, list[Item]] = {}
    for item in digest.items:
        found.setdefault(item.category, []).append(item)
    return list(found.items())


def origin(item: Item, labels: Labels) -> str:
    """Where an item is from and of which day."""
    day = labels.day(item.published_utc_iso) if item.published_utc_iso else labels.undated
    return joined((line(item.source), day))


def makers(digest: Digest, labels: Labels) -> str:
    """Who did what: `Classification: embedded · Summaries: extractive`."""
    who = ((labels.role(line(role)), labels.maker(line(name))) for role, name in digest.providers.items())
    return joined(f"{role}{labels.colon}{name}" for role, name in who)


def joined(parts: Iterable[str]) -> str:
    """The parts that say something, with a dot between them."""
    return " · ".join(part for part in parts if part)


def facts(digest: Digest, labels: Labels) -> str:
    """For whom, when, how much."""
    whom = f"{labels.made_for} {line(digest.user)}"
    return joined((whom, labels.moment(digest.created_at), labels.count(len(digest.items))))
