"""Summaries: the text's own words, the lead first, no longer than asked."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from story_pairs import HALVES, labelled

from digestlog.core.sentences import sentences
from digestlog.core.summaries import GAP, MAX_SENTENCES, summarize
from digestlog.demo.town import TOWN

BRIDGE = "\n".join(TOWN[0].paragraphs)

LEAD = "The harbour bridge has been stuck open since six this morning."
FILLER = "Somebody sold warm chestnuts beside the old customs house."
CENTRAL = "Engineers say that the harbour bridge needs another bearing this morning."
NEXT = "Another bearing travels by lorry, and engineers expect it tomorrow evening."


@pytest.mark.parametrize(
    ("text", "title", "max_chars", "expected"),
    [
        ("", None, 400, ""),
        (" \n ", None, 400, ""),
        ("One short line", None, 400, "One short line"),
        (LEAD, None, 400, LEAD),
        (f"{LEAD} {FILLER}", None, 400, f"{LEAD} {FILLER}"),
        (f"{LEAD} {FILLER} {CENTRAL}", None, 145, f"{LEAD}{GAP}{CENTRAL}"),
        (f"{LEAD} {FILLER} {CENTRAL} {NEXT}", None, 225, f"{LEAD}{GAP}{CENTRAL} {NEXT}"),
        (f"{LEAD}\n\n{CENTRAL}\n\n{FILLER}", None, 145, f"{LEAD}\n\n{CENTRAL}"),
        (f"{LEAD}{' ' * 50}{CENTRAL}", None, 400, f"{LEAD}{GAP}{CENTRAL}"),
        (f"Photo: A. Nobody\n{LEAD}\nRead more", None, 400, LEAD),
        (f"Harbour bridge is stuck open!\n{LEAD}", "The harbour bridge is stuck open", 70, LEAD),
        (f"{LEAD} {LEAD} {FILLER}", None, 140, f"{LEAD}{GAP}{FILLER}"),
        ("Read more\nPhoto", None, 400, "Read more"),
    ],
)
def test_summaries(text: str, title: str | None, max_chars: int, expected: str) -> None:
    assert summarize(text, title=title, max_chars=max_chars) == expected


@pytest.mark.parametrize(
    ("text", "max_chars", "expected"),
    [
        ("The bridge has been stuck open, since six this morning.", 33, "The bridge has been stuck open"),
        ("The bridge has been stuck open since six this morning.", 20, "The bridge has been"),
        (
            "青葉線の北松駅で信号機の故障が発生し、上下線で運転を見合わせた。",
            22,
            "青葉線の北松駅で信号機の故障が発生し",
        ),
        ("青葉線の北松駅で信号機の故障が発生し、上下線で運転を見合わせた。", 10, "青葉線の北松駅で信号"),
        ("Donaudampfschifffahrtsgesellschaft.", 10, "Donaudampf"),
        ("e\u0301" * 20, 5, "e\u0301e\u0301"),
        ("e" + "\u0301" * 20, 5, "e"),
        ("word", 0, "w"),
        ("word", -5, "w"),
        ("x , and more words than there is room for.", 4, "x"),
    ],
)
def test_a_lead_that_is_too_long_is_cut(text: str, max_chars: int, expected: str) -> None:
    assert summarize(text, max_chars=max_chars) == expected


def test_the_title_says_what_the_text_is_about() -> None:
    rest = "Chestnuts cost more this year. Bearings cost more this year. Lanterns cost more this year."
    text = (
        f"Prices are rising everywhere in town. {rest} Bearings are rare. Chestnuts are not. Lanterns rust."
    )
    chosen = {
        word: summarize(text, title=f"On {word}", max_chars=72)
        for word in ("Bearings", "Lanterns", "Chestnuts")
    }
    assert all(f"{word} cost more" in summary for word, summary in chosen.items())


def test_the_summary_of_a_report_leads_with_what_happened() -> None:
    found = summarize(BRIDGE, title=TOWN[0].title)
    assert found.startswith("The Sallow swing bridge in Port Alder has been stuck open")
    assert "bearing failed" in found
    assert len(found) <= 400


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("max_chars", [60, 180, 400])
def test_reports_in_every_language_are_summed_up_in_their_own_sentences(half: str, max_chars: int) -> None:
    for story in (one.story for one in labelled(half)):
        found = summarize(story.text, title=story.title, max_chars=max_chars)
        assert 0 < len(found) <= max_chars
        assert all(part in story.text for part in found.split(GAP))
        whole = sentences(story.text)
        # The second where the first one only says what the title does.
        assert any(one.startswith(found) or found.startswith(one) for one in whole[:2])


def test_sentences_far_down_are_not_read() -> None:
    text = f"{LEAD} " + "Nothing else was said there. " * MAX_SENTENCES + CENTRAL
    assert CENTRAL not in summarize(text)


texts = st.one_of(
    st.text(),
    st.lists(st.sampled_from([LEAD, FILLER, CENTRAL, NEXT, "Hm.", "\n", "他说好。", "no point\n"])).map(
        " ".join
    ),
)


@given(texts, st.one_of(st.none(), st.text(max_size=20)), st.integers(1, 300))
def test_a_summary_is_made_of_the_text_in_its_order(text: str, title: str | None, max_chars: int) -> None:
    found = summarize(text, title=title, max_chars=max_chars)
    assert found == summarize(text, title=title, max_chars=max_chars)
    assert len(found) <= max_chars
    assert bool(found) == bool(text.strip())
    if GAP not in text:
        at = 0
        for part in found.split(GAP):
            at = text.find(part, at) + len(part)
            assert at >= len(part)


@given(st.text(alphabet="ae\u0301\u0302", min_size=2), st.integers(1, 8))
def test_a_cut_leaves_letters_whole(text: str, max_chars: int) -> None:
    found = summarize(text, max_chars=max_chars)
    rest = text.strip()[len(found) :]
    assert not rest or len(found) == 1 or not unicodedata.combining(rest[0])


@pytest.mark.parametrize(
    "piece", ["a", "word ", "He said so. ", "天", "。", "x, ", "\u0301", "One two three four five. "]
)
def test_summaries_take_linear_time(piece: str) -> None:
    start = time.process_time()
    assert summarize(piece * 100_000)
    assert time.process_time() - start < 5
