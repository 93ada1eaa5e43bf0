"""A page as a reader meets it: its lines with their places, its title, prices, tables and links."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from digestlog.core.watching.line import EDGE, KINDS, LINK, MAIN, NOISE, ROW, TEXT, Line
from digestlog.core.watching.reading import read

__all__ = ["EDGE", "EXTRACTOR", "LINK", "MAIN", "NOISE", "ROW", "TEXT", "Line", "Snapshot", "read_page"]

# Raise it when `read_page` may give another result for the same bytes: both sides are then read anew.
EXTRACTOR = 1

_SHOWN = (TEXT, ROW)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a page said at one look."""

    title: str | None = None
    h1: str | None = None
    language: str | None = None
    lines: tuple[Line, ...] = ()

    @property
    def text(self) -> str:
        """What a reader would read, a line for each block and table row."""
        return "\n".join(line.text for line in self.lines if line.kind in _SHOWN or line.place == "h1")

    @property
    def sha256(self) -> str:
        """Of all that counts, in any order: equal means that nothing changed."""
        counted = sorted(f"{line.kind}\x1f{line.gist}" for line in self.lines)
        return sha256("\x1e".join(counted).encode("utf-8", "replace")).hexdigest()

    def to_json(self) -> str:
        """The snapshot as JSON; `from_json` gives it back."""
        names: dict[str, int] = {}
        rows = [_packed(line, names) for line in self.lines]
        value = {
            "title": self.title,
            "h1": self.h1,
            "language": self.language,
            "lines": rows,
            "names": list(names),
        }
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Snapshot:
        """The snapshot of a JSON text; what cannot be understood is left out."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        value = value if isinstance(value, dict) else {}
        names, rows = _list(value.get("names")), _list(value.get("lines"))
        lines = (_unpacked(row, names) for row in rows)
        return Snapshot(
            _text(value.get("title")),
            _text(value.get("h1")),
            _text(value.get("language")),
            tuple(line for line in lines if line is not None),
        )


def read_page(body: bytes, url: str, charset: str | None = None) -> Snapshot:
    """What the page says; bounded, and an empty snapshot for bytes that are no page; never raises."""
    try:
        return Snapshot(*read(body, url, charset))
    except Exception:  # whatever hostile bytes make of the parts, a look at them says nothing
        return Snapshot()


def _packed(line: Line, names: dict[str, int]) -> list[object]:
    numbers = [names.setdefault(name, len(names)) for name in (line.place, line.path)]
    gist = None if line.gist == line.text else line.gist
    return [line.text, gist, *numbers, KINDS.index(line.kind), line.zone, line.label]


def _unpacked(row: Any, names: list[Any]) -> Line | None:
    try:
        text, gist, place, path, kind, zone, label = row
        found = Line(
            text, text if gist is None else gist, names[place], names[path], KINDS[kind], zone, label
        )
    except (TypeError, ValueError, IndexError):
        return None
    texts = (found.text, found.gist, found.place, found.path, found.label)
    return found if all(isinstance(one, str) for one in texts) and found.zone in (MAIN, EDGE, NOISE) else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
