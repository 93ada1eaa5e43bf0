"""What was learned about a page: how long its lines have stood, and which of its places are restless."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from digestlog.core.watching.line import Line

# What became of a line that went: it was told, it was not, it came back untold.
UNTOLD, TOLD, BACK = 0, 1, 2

# A line that stood for so many looks is there to stay; so many comparisons make a page's memory whole.
STANDING = 4
YOUNG = 4
# Comparisons that a place's record reaches back.
WINDOW = 16

MAX_SINCE = 12_000
MAX_PLACES = 1_500
MAX_EDITED = 300
MAX_GONE = 1_000
MAX_SINCES = 400


def key_of(line: Line) -> str:
    """What a line is remembered by: what it says, and in what kind of element."""
    return blake2b(
        f"{line.kind}\x1f{line.path}\x1f{line.gist}".encode("utf-8", "replace"), digest_size=5
    ).hexdigest()


@dataclass(slots=True)
class Place:
    """What happened at a place, or in an often edited line."""

    # One bit for each comparison, the latest lowest: changed; and number of lines changed.
    changed: int = 0
    resized: int = 0
    # Lives that ended there by rotation, and the looks that they lasted together.
    lives: int = 0
    looks: int = 0
    # Lines that came back after they were gone.
    returns: int = 0
    born: int = 0
    # Of the lives that ended, those that had begun at the first look.
    firsts: int = 0

    def shifted(self) -> Place:
        """The record one comparison later; a place that was quiet for a whole window is as good as new."""
        mask = (1 << WINDOW) - 1
        changed = self.changed << 1 & mask
        old = not changed
        return Place(
            changed,
            self.resized << 1 & mask,
            0 if old else self.lives,
            0 if old else self.looks,
            0 if old else self.returns,
            self.born,
            0 if old else self.firsts,
        )

    def recent(self, comparisons: int) -> int:
        """In how many of the last comparisons it changed."""
        return (self.changed & (1 << comparisons) - 1).bit_count()

    def ended(self, looks: int) -> None:
        """Count a life that rotation ended."""
        self.lives += 1
        self.looks += looks

    def chance(self, looks: int, together: int, survived: int = 0) -> float:
        """How likely so many rotating lines stand so long: small means that they do not rotate."""
        if not self.lives:
            return 0.0
        # `survived`: how often lines that came later were still there at the next look, and still are.
        stays = (self.looks + survived - self.lives + 2) / (self.looks + survived + 3)
        rotating = max(1.0, self.lives / max(1, self.recent(WINDOW)))
        return float(min(1.0, rotating * stays ** (looks * together)))


@dataclass(slots=True)
class Edited:
    """A line whose words change: since when each of its words has stood."""

    sinces: list[int]
    record: Place = field(default_factory=Place)


@dataclass(slots=True)
class Memory:
    """What was learned about a page; bounded, whatever the page does."""

    looks: int = 0
    since: dict[str, int] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    edited: dict[str, Edited] = field(default_factory=dict)
    # What became of lines that went; the latest last.
    gone: dict[str, int] = field(default_factory=dict)
    # Newcomers that were not told, because they came where lines come and go.
    doubted: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> str:
        """The memory as a JSON object."""
        by_look: dict[str, list[str]] = {}
        for key, look in self.since.items():
            by_look.setdefault(str(look), []).append(key)
        value = {
            "looks": self.looks,
            "since": {look: "".join(keys) for look, keys in by_look.items()},
            "places": {name: _packed(place) for name, place in self.places.items()},
            "edited": {key: [*_packed(one.record), one.sinces] for key, one in self.edited.items()},
            "gone": self.gone,
            "doubted": self.doubted,
        }
        return json.dumps(value, separators=(",", ":")) if self.looks else "{}"

    @staticmethod
    def from_json(text: str) -> Memory:
        """The memory of a JSON text; '{}' and what cannot be understood are the empty memory."""
        try:
            return _unpacked(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Memory()

    def stood(self, line: Line) -> int:
        """At how many looks, up to the last, the line was there without a break."""
        return self.looks - self.since.get(key_of(line), self.looks) + 1

    def place(self, name: str) -> Place:
        """The record of a place, to be written to."""
        return self.places.setdefault(name, Place())

    def known(self, name: str) -> Place:
        """The record of a place, to be read."""
        return self.places.get(name) or _QUIET


_QUIET = Place()
_KEY = 10


def first_look(lines: Iterable[Line]) -> Memory:
    """The memory after the first look."""
    keys = [key_of(line) for line in lines][:MAX_SINCE]
    return Memory(1, dict.fromkeys(keys, 1))


def _packed(place: Place) -> list[int]:
    return [place.changed, place.resized, place.lives, place.looks, place.returns, place.born, place.firsts]


def _unpacked(value: dict[str, Any]) -> Memory:
    since = {
        keys[at : at + _KEY]: int(look)
        for look, keys in value["since"].items()
        for at in range(0, len(keys), _KEY)
    }
    places = {name: _record(row) for name, row in value["places"].items()}
    edited = {key: Edited([int(one) for one in row[7]], _record(row)) for key, row in value["edited"].items()}
    gone = {key: int(told) for key, told in value["gone"].items()}
    doubted = {key: int(look) for key, look in value["doubted"].items()}
    return Memory(int(value["looks"]), since, places, edited, gone, doubted)


def _record(row: list[Any]) -> Place:
    return Place(*(int(one) for one in row[:7]))
