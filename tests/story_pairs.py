"""Labelled pairs of articles: a tuning half, a half that no figure was chosen on, and a blind set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, groupby
from pathlib import Path

from digestlog.core.stories import Story

DATA = Path(__file__).parent / "data" / "stories"
HALVES = ("tuning", "held-out")
# Written by somebody else, later and without a look at the code; measured once. See docs/stories.md.
BLIND = "blind"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\D)|(?<=[。！])(?=.)")

# What sites put around the articles that they take over.
_BEFORE = "Home News Regional Sport Culture Shop. By our newsroom, with agency material. Photo: archive."
_AFTER = (
    "Read also: Ten places to swim this summer. Sign up for the Morning Letter, 40,000 subscribers "
    "already read it. All rights reserved, Meridian Media 1998-2026. Terms, privacy, cookies, contact."
)


@dataclass(frozen=True)
class Labelled:
    """An article of the labelled set; articles of one family and event tell one story."""

    family: str
    event: str
    story: Story


@dataclass(frozen=True)
class Pair:
    """Two articles, whether they are one story, and how the pair came to be."""

    kind: str
    a: Story
    b: Story
    same: bool


def labelled(half: str) -> list[Labelled]:
    """Every article of a half, in the order of the file."""
    found: list[Labelled] = []
    family, head = "", [""] * 3
    for line in (DATA / f"{half}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            family = line[4:]
        elif line.startswith("--- "):
            head = line[4:].split(" | ", 2)
        else:
            at = datetime.fromisoformat(head[1]).replace(tzinfo=UTC)
            found.append(Labelled(family, head[0], Story(f"{half}-{len(found)}", head[2], line, at)))
    return found


def pairs(half: str) -> list[Pair]:
    """Every pair within a family, copies and edits of each article, and pairs across families."""
    articles = labelled(half)
    families = [list(one) for _, one in groupby(articles, key=lambda one: one.family)]
    written = [
        Pair(a.family, a.story, b.story, a.event == b.event)
        for one in families
        for a, b in combinations(one, 2)
    ]
    made = [pair for one in articles for pair in _made(one.story)]
    across = [
        Pair("across", a[0].story, b[at % len(b)].story, False)
        for at, (a, b) in enumerate(combinations(families, 2))
    ]
    return written + made + across


def _made(story: Story) -> Iterator[Pair]:
    yield Pair("copy", story, _copied(story), True)
    yield Pair("edit", story, _edited(story), True)


def _copied(story: Story) -> Story:
    """The whole text between a site's own lines, under another title, some hours later."""
    text = f"{_BEFORE}\n{story.text}\n{_AFTER}"
    at = story.published_at + timedelta(hours=5) if story.published_at else None
    return replace(story, key=f"{story.key}-copy", title="Latest news", text=text, published_at=at)


def _edited(story: Story) -> Story:
    """The text as a desk leaves it: a sentence less, two in another order, a source added."""
    sentences = _SENTENCE.split(story.text)
    first, *rest = sentences
    kept = [first, *rest[:-1]]
    if len(kept) > 3:
        kept[1], kept[2] = kept[2], kept[1]
    return replace(story, key=f"{story.key}-edit", text=" ".join(["(Agencies)", *kept]))
