"""A digest with everything in it, and texts that would like to be more than text."""

from __future__ import annotations

from typing import Any

from digestlog.core.digest import Candidate, Digest, Item, Link

ID = "00000000-0000-4000-8000-00000000000b"
MADE = "2026-02-13T09:02:10+00:00"
BRIDGE = "https://harbour.example/bridge"

# Each is a title, a summary, a name: what a page may say of itself.
HOSTILE = (
    "<script>alert(1)</script>",
    "</style></title><img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/pixel.png)",
    "a | b | c",
    "*bold* _under_ `code` ~~gone~~ snake_case",
    "# heading",
    "- item",
    "+ item",
    "1. item",
    "12) item",
    "> quoted",
    "===",
    "---",
    "trailing #",
    "ends with a backslash \\",
    "&amp; &lt; &#60; &copy; AT&T",
    "]]></title><title>",
    "\"quotes\" and 'apostrophes'",
    "<https://evil.example/>",
    "{{ template }} ${x} %s",
    "```",
    "~~~",
    "    indented",
)


def item(title: str | None = "The swing bridge", /, **changes: Any) -> Item:
    """An item of the category Town, with some fields changed."""
    fields: dict[str, Any] = {
        "category": "Town",
        "position": 0,
        "article_uuid": None,
        "url": BRIDGE,
        "title": title,
        "summary": "The bridge closes.",
        "source": "Harbour Gazette",
        "score": 0.9,
        "why": "its words: harbour",
        "other_links": (),
        "published_utc_iso": None,
    }
    return Item(**fields | changes)


def digest(*items: Item, **changes: Any) -> Digest:
    """A digest of these items, with some fields changed."""
    fields: dict[str, Any] = {
        "id": ID,
        "user": "owner",
        "title": "Digest of Friday",
        "created_at": MADE,
        "items": items,
    }
    return Digest(**fields | changes)


FULL = digest(
    item(
        summary="The bridge closes.\n\nFerries run\ninstead.",
        published_utc_iso="2026-02-12T14:03:12+00:00",
        other_links=(
            Link("https://times.example/b?x=1&y=2", "Bridge shut", "The Times"),
            Link("https://radio.example/b", None, "Radio Coast"),
        ),
    ),
    item("The clock tower", position=1, url="https://town.example/clock_(old)", source=None),
    item(None, category="Science", summary=None, url="https://lab.example/x"),
    providers={"classifier": "embedded", "summaries": "extractive"},
    notes=("Radio Coast: no answer",),
)

CANDIDATES = (
    Candidate(BRIDGE, None, "taken", "Town: its words: harbour"),
    Candidate("https://radio.example/b", None, "duplicate", f"the same story as {BRIDGE}"),
    Candidate("https://old.example/1", None, "history", "shown before"),
    Candidate("https://old.example/2", None, "history", None),
)
