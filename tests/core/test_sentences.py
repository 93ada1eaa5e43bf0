"""Text to sentences: exact parts, in many languages, in linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.sentences import MAX_QUOTED, sentences, spans


# A bar stands where a sentence is expected to end.
@pytest.mark.parametrize(
    "marked",
    [
        "One.| Two!| Three?| Four",
        "Mr. Smith met Dr. J. K. Jones at 3.5 p.m. on Monday.| He left.",
        "It grew by 3.5 per cent.| In 2026. That was all.".replace("2026. ", "2026.| "),
        "Use a lever, e.g. a crowbar.| The U.S. President did.",
        "Profit at St. James Ltd. fell.| See fig. 3 and No. 7.| He said no.| She agreed.",
        "He went on... and on.| Then he stopped...| Nobody moved… at first.| Wait…| What?",
        '"Really?" she asked.| "Yes."| He nodded.| (It was late.)| They slept.',
        "She asked “why?”| He did not know.| ‘Now!’ he cried.",
        "What?!| No!!!| Yes.",
        "It cost $5.| Nobody paid.| There were 12.| May was cold.".replace("12.| May", "12. May"),
        "Vitamin C. is one letter.| Fine.".replace("C. is", "C is"),
        "Das gilt z. B. für Berlin, d. h. für alle.| Am 3. Mai 2026 kam er.| Es waren 12.| Danach nichts.",
        "Er siegte am 25. Spieltag.| Das war im 19. Jahrhundert.| Er war 25.| Bald 100.| Mehr.",
        "Alle (12. Mai ausgenommen) kamen.| Viele (12.| Danach 3) gingen.",
        "»Ja!«, rief sie.| »Gut.«| Dann ging Hr. Meier bzw. Fr. Meier.| „Nein.“ sagte er.",
        "Er las. »Ja«, sagte sie.".replace("las. ", "las.| "),
        "« Avant, les gens filaient, dit-elle.| Ce matin, un monsieur m’a aidée. »| Elle rit.",
        "« Ah ! » dit-il.| Pourquoi ?| Parce que Mme Morvan rame.| M. Le Goff attend.",
        "¿Qué pasa?| ¡Nada!| Bueno... quizá.| El Sr. López vino.| ¿Y?",
        "Он родился в г. Москва в 1980 г. и уехал.| Т.е. всё.| Это ул. Мира.| Конец.",
        "天黑了。|真的？|是！|他说：“我去。”然后走了。|完",
        "他说：“我去。”|“好。”",
        "彼は「はい。行きます。」と答えた。|雨が降った。|「寒い。」|「うん。」",
        "यह एक वाक्य है।| यह दूसरा है।",
        "هل هذا صحيح؟| نعم.| هذا صحيح.",
        "Սա նախադասություն է։| Սա էլ։",
        "1. First item\n|2. Second item\n|- a third, without a point\n|\n|The end",
        "A line\r\n|another\u2028|and a third",
        "Version 1.2.3 is out.| Get it at example.com/x.y today.",
        "No space.Here it goes on.",
        "  \n\t|leading and trailing  ",
    ],
)
def test_where_sentences_end(marked: str) -> None:
    expected = [part.strip() for part in marked.split("|") if part.strip()]
    assert sentences(marked.replace("|", "")) == expected


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u3000\t"])
def test_nothing_has_no_sentences(text: str) -> None:
    assert sentences(text) == []


def test_only_marks_are_still_text() -> None:
    assert sentences("...") == ["..."]
    assert sentences("。。") == ["。。"]


def test_a_quotation_that_never_closes_ends_after_a_while() -> None:
    text = "「" + "行く。" * MAX_QUOTED
    found = sentences(text)
    assert len(found) > MAX_QUOTED // 2
    assert "".join(found) == text


def test_a_closing_quotation_mark_without_an_opening_one_is_no_quotation() -> None:
    assert sentences("」行く。来る。") == ["」行く。", "来る。"]


@given(st.text())
def test_sentences_are_the_text_without_the_space_between_them(text: str) -> None:
    found = spans(text)
    assert [text[start:end] for start, end in found] == sentences(text)
    assert all(one == one.strip() and one for one in sentences(text))
    edges = [0, *(at for span in found for at in span), len(text)]
    assert edges == sorted(edges)
    assert not "".join(text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)).strip()


@given(
    st.lists(st.sampled_from(["Mr. ", "3. ", "Mai ", "「", "」", "。", "! ", "a", "B. ", "» ", "\n", "… "]))
)
def test_any_mixture_of_marks_keeps_every_character(parts: list[str]) -> None:
    text = "".join(parts)
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "piece", [".", ". ", "a. ", "1. ", "「", "「。", "。", '."', "… ", "\n", " ", "Mr. ", "a", "天", "?! »"]
)
def test_sentences_take_linear_time(piece: str) -> None:
    start = time.process_time()
    sentences(piece * 100_000)
    assert time.process_time() - start < 5
