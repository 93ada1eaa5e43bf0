"""Others' feeds, which are not in this repository: DIGESTLOG_CORPUS names the folder that holds them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from digestlog.core.feeds import read_feed
from digestlog.errors import ParseError

EXPECTED: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "corpus-expected.json").read_text(encoding="utf-8")
)
URL = "https://feeds.example/dir/feed.xml"


@pytest.fixture(scope="module")
def corpus() -> Path:
    named = os.environ.get("DIGESTLOG_CORPUS")
    if named:
        return Path(named)
    pytest.skip("DIGESTLOG_CORPUS is not set: it names the folder of feeds to read")


def test_every_file_has_an_expectation(corpus: Path) -> None:
    assert {path.name for path in corpus.iterdir() if path.name[:2].isdigit()} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_file(corpus: Path, name: str) -> None:
    body, expected = (corpus / name).read_bytes(), EXPECTED[name]
    if expected is None:
        with pytest.raises(ParseError):
            read_feed(body, URL)
        return
    feed = read_feed(body, URL)
    assert feed.unlinked == expected["unlinked"]
    assert [
        {
            "id": entry.entry_id,
            "link": entry.url,
            "title": entry.title,
            "published": entry.published_raw,
            "updated": entry.updated_raw,
        }
        for entry in feed.entries
    ] == expected["entries"]
