"""Changes as a Markdown report: read back by a Markdown parser."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from change_samples import EVIL, HOSTILE, MADE, OLDER, PRICE
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt

from digestlog.core.change_rows import ChangeRow
from digestlog.core.render.changes_diff import shown_diff
from digestlog.core.render.changes_labels import ENGLISH, FRENCH
from digestlog.core.render.changes_markdown import changes_to_markdown
from digestlog.core.render.plain import line

ALLOWED = {"div", "h1", "h2", "h3", "p", "ul", "li", "strong", "s", "blockquote", "a"}


def made(*changes: ChangeRow, **values: Any) -> str:
    labels = values.pop("labels", ENGLISH)
    return changes_to_markdown(changes, labels, **{"user": "anna", "now_iso": MADE, **values})


def shown(*changes: ChangeRow) -> Any:
    rendered = MarkdownIt("commonmark").enable("strikethrough").render(made(*changes))
    return html.fromstring(f"<div>{rendered}</div>")


def test_a_report() -> None:
    assert made(PRICE, OLDER, since="2026-02-11T00:00:00+00:00") == (
        """# Changes

For anna · 13 February 2026, 09:02 UTC · 2 changes · since 11 February 2026, 00:00 UTC

## Shop & Co

### [https://shop.example/lamp?a=1&b=2](https://shop.example/lamp?a=1&b=2)

- **12 February 2026, 14:03 UTC** price changed

  Price 9 → 8 EUR

  > costs ~~9~~ **8** EUR

## Other pages

### [https://shop.example/lamp?a=1&b=2](https://shop.example/lamp?a=1&b=2)

- **11 February 2026, 00:00 UTC** text removed (volatile)

  Removed: was here

  > ~~was here~~
"""
    )


def test_nothing_has_changed() -> None:
    assert made().endswith("0 changes\n\nNothing has changed.\n")
    assert made(labels=FRENCH).startswith(
        "# Changements\n\nPour anna · 13 février 2026, 09:02 UTC · 0 changement"
    )


def test_the_changes_of_a_page_stand_together() -> None:
    later = replace(PRICE, id=HOSTILE.id, summary="Later")
    other = replace(PRICE, url_id=HOSTILE.url_id, url="https://shop.example/chair", summary="Chair")
    text = made(later, other, PRICE)
    assert re.findall(r"^### \[(.*?)\]|^  (\w.*)", text, re.M) == [
        (PRICE.url, ""),
        ("", "Later"),
        ("", "Price 9 → 8 EUR"),
        ("https://shop.example/chair", ""),
        ("", "Chair"),
    ]


def test_a_change_without_words_has_no_quotation() -> None:
    assert ">" not in made(replace(OLDER, before=None))


def test_a_hostile_page_stays_text() -> None:
    root = shown(HOSTILE)
    assert {tag.tag for tag in root.iter()} == ALLOWED - {"a"}
    assert root.findtext("h2") == line(EVIL) and root.findtext("h3") == "javascript:alert(1)"
    assert [tag.text for tag in root.iter("s")] == [line(EVIL)]
    assert "\x1b" not in made(HOSTILE)


def test_links_lead_to_the_web_only() -> None:
    root = shown(PRICE, HOSTILE)
    assert [tag.get("href") for tag in root.iter("a")] == [PRICE.url]


TEXT = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Z", "Cc")), max_size=40)


@given(TEXT, TEXT, st.lists(st.tuples(st.sampled_from("=-+"), TEXT), max_size=5))
def test_whatever_a_page_says_it_is_shown_as_text(
    summary: str, brand: str, diff: list[tuple[str, str]]
) -> None:
    change = replace(PRICE, summary=summary, brand=brand, diff=tuple(diff), before=None, after=None)
    root = shown(change)
    assert {tag.tag for tag in root.iter()} <= ALLOWED
    assert len(root.findall(".//h2")) == len(root.findall(".//h3")) == len(root.findall(".//li")) == 1
    words = [text for _, text in shown_diff(change)]
    quoted = root.find(".//blockquote")
    assert " ".join((quoted.text_content() if quoted is not None else "").split()) == " ".join(words)
