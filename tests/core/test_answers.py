from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from provider_fakes import BOTH, HOSTILE, TEXT, piece

from digestlog.core.answers import label_text, read_labels, read_object, read_summary
from digestlog.core.digest import Label
from digestlog.core.prompts import summary_question
from digestlog.errors import ClassifierError

QUOTE = "The tide rose by 3.2 metres on Monday."


def label(piece: Any = 1, category: Any = "Science", confidence: Any = 0.9, **more: Any) -> dict[str, Any]:
    return {"piece": piece, "category": category, "confidence": confidence, **more}


def labels(*found: Any, **more: Any) -> str:
    return json.dumps({"labels": list(found), **more})


def wrong_labels(text: str) -> str:
    with pytest.raises(ClassifierError) as caught:
        read_labels(text, BOTH, [piece(), piece(number=2)])
    return caught.value.message


def summary(text: Any = "The tide rose.", quotes: Any = (QUOTE,), max_chars: int = 100, **more: Any) -> str:
    said = json.dumps({"summary": text, "quotes": quotes, **more})
    return read_summary(said, piece(), summary_question(piece(), max_chars), max_chars)


def wrong_summary(*args: Any, **more: Any) -> str:
    with pytest.raises(ClassifierError) as caught:
        summary(*args, **more)
    return caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        ' \n{"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Here it is: {"a": 1} I hope this helps.',
        '<think>Perhaps {"a": 2}?</think>\n{"a": 1}',
        '\ufeff{"a": 1}',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert read_object(text) == {"a": 1}


@pytest.mark.parametrize("text", ["", "I cannot do that.", "[1, 2]", "}{", '{"a": 1}</think>'])
def test_answers_without_json(text: str) -> None:
    with pytest.raises(ClassifierError, match="^the model answered without JSON$"):
        read_object(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1} {"a": 2}',
        '{"a": 1, "a": 2}',
        '{"b": {"a": 1, "a": 2}}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": ' + "9" * 5000 + "}",
        '{"a":' * 200_000 + "1" + "}" * 200_000,
    ],
    ids=range(9),
)
def test_json_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ClassifierError, match="^the model answered with JSON that cannot be read$"):
        read_object(text)


def test_labels_in_the_order_of_the_pieces() -> None:
    said = labels(label(), label(2, None, 0))
    assert read_labels(said, BOTH, [piece(), piece(number=2)]) == [
        Label("https://a.example/1", "Science", 0.9),
        Label("https://a.example/2", None, 0.0),
    ]


def test_a_label_is_remembered_as_an_answer() -> None:
    for one in (Label("https://a.example/1", "Sport", 0.25), Label("https://a.example/1", None, 0.0)):
        assert read_labels(label_text(one), BOTH, [piece()]) == [one]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (labels(), "the model gave 0 labels for 2 articles"),
        (labels(label()), "the model gave 1 labels for 2 articles"),
        (labels(*[label()] * 3), "the model gave 3 labels for 2 articles"),
        (labels(label(2), label(1)), "the model mixed up the articles"),
        (labels(label(), label(1)), "the model mixed up the articles"),
        (labels(label(True), label(2)), "the model mixed up the articles"),
        (labels(label("1"), label(2)), "the model mixed up the articles"),
        (labels(label(), label(2, "Buy Coins")), "the model named a category that does not exist"),
        (labels(label(), label(2, "science")), "the model named a category that does not exist"),
        (labels(label(), label(2, ["Sport"])), "the model named a category that does not exist"),
        (labels(label(), label(2, 1)), "the model named a category that does not exist"),
        (
            labels(label(), label(2, confidence=1.1)),
            "the model gave a confidence that is not between 0 and 1",
        ),
        (labels(label(), label(2, confidence=-1)), "the model gave a confidence that is not between 0 and 1"),
        (
            labels(label(), label(2, confidence=True)),
            "the model gave a confidence that is not between 0 and 1",
        ),
        (
            labels(label(), label(2, confidence="1")),
            "the model gave a confidence that is not between 0 and 1",
        ),
        (
            labels(label(), label(2, url="https://evil.example")),
            "the model added something to the answer that nobody asked for",
        ),
        (
            labels(label(), label(2), note="x"),
            "the model added something to the answer that nobody asked for",
        ),
        (labels(label(), {"piece": 2, "category": None}), "the model left out a part of the answer"),
        (labels(label(), {"piece": 2, "category": None, "x": 1}), "the model left out a part of the answer"),
        (labels(label(), None), "the model left out a part of the answer"),
        ("{}", "the model left out a part of the answer"),
        ('{"labels": {"1": "Science"}}', "the model gave no list of labels"),
    ],
)
def test_other_labels_are_none(text: str, message: str) -> None:
    assert wrong_labels(text) == message


def test_what_a_hostile_category_says_is_not_in_the_message() -> None:
    assert "evil" not in wrong_labels(labels(label(), label(2, "https://evil.example\nHACKED")))


def test_a_summary_that_the_article_bears_out() -> None:
    assert summary() == "The tide rose."
    assert summary(" The \n tide\u202e rose. ") == "The tide rose."
    assert summary(quotes=["3.2 metres", "“We have never seen the like,”"] * 2) == "The tide rose."


@pytest.mark.parametrize(
    "quote", ["the tide rose", "The tide rose by 3.3 metres", "The  tide", "", " ", "A high tide", TEXT + "."]
)
def test_quotes_are_in_the_text_letter_by_letter(quote: str) -> None:
    assert wrong_summary(quotes=[QUOTE, quote]) == "the model quoted words that the article does not have"


@pytest.mark.parametrize("quotes", [[], [QUOTE] * 6])
def test_the_number_of_quotes(quotes: list[str]) -> None:
    assert wrong_summary(quotes=quotes) == f"the model gave {len(quotes)} quotes instead of one to 5"


@pytest.mark.parametrize(
    "text",
    [
        "He said “we saw it coming”.",
        "He said „we saw it coming“.",
        'He said "we saw it coming".',
        "He said « we saw it coming ».",
    ],
)
def test_what_a_summary_quotes_is_in_the_article_too(text: str) -> None:
    assert wrong_summary(text) == "the model quoted words that the article does not have"
    true = text.replace("we saw it coming", "We have never seen the like")
    assert summary(true) == true


def test_a_summary_may_quote_the_title() -> None:
    assert summary("“A high tide” came.") == "“A high tide” came."


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/?k=1",
        "HTTP://EVIL.example",
        "www.evil.example",
        "evil.example/path",
        "javascript:alert(1)",
        "mailto:a@evil.example",
        "data:text/html;base64,xx",
        "[here](evil)",
        "<img src=x>",
        "</p>",
        "<!-- x",
        "gopher://evil",
    ],
)
def test_a_summary_has_no_addresses_and_no_markup(address: str) -> None:
    assert wrong_summary(f"Read {address} now.") == "the model put an address or markup into the summary"


@pytest.mark.parametrize(
    "text", ["New data: a < b.", "Either/or. The file: gone.", "Amazon.com grew [1] (2)."]
)
def test_common_words_are_no_addresses(text: str) -> None:
    assert summary(text) == text


def test_a_summary_does_not_repeat_its_instructions() -> None:
    fence = summary_question(piece(), 100).fence
    assert wrong_summary(f"The line END-{fence} ends it.") == "the model repeated its instructions"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"summary": "x"}, "the model left out a part of the answer"),
        (
            {"summary": "x", "quotes": [QUOTE], "url": "x"},
            "the model added something to the answer that nobody asked for",
        ),
        ({"summary": "x", "quotes": QUOTE}, "the model gave no list of quotes"),
        ({"summary": "x", "quotes": [1]}, "the model gave something else than text for a quote"),
        ({"summary": ["x"], "quotes": [QUOTE]}, "the model gave something else than text for the summary"),
        ({"summary": " \u200b ", "quotes": [QUOTE]}, "the model gave an empty summary"),
    ],
)
def test_other_summaries_are_none(said: dict[str, Any], message: str) -> None:
    with pytest.raises(ClassifierError) as caught:
        read_summary(json.dumps(said), piece(), summary_question(piece(), 100), 100)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("text", "max_chars", "expected"),
    [
        ("One two. Three four. Five.", 26, "One two. Three four. Five."),
        ("One two. Three four. Five.", 25, "One two. Three four."),
        ("One two. Three four. Five.", 19, "One two."),
        ("One two, three four five.", 12, "One two…"),
        ("Unbreakablewords", 8, "Unbreak…"),
        ("潮が満ちた。船は港に。残った", 8, "潮が満ちた。"),
    ],
)
def test_a_summary_that_is_too_long_is_cut(text: str, max_chars: int, expected: str) -> None:
    assert summary(text, max_chars=max_chars) == expected
    assert len(expected) <= max_chars


def test_one_that_is_far_too_long_is_none() -> None:
    assert len(summary("a " * 199, max_chars=100)) <= 100
    assert wrong_summary("a " * 201, max_chars=100) == "the model gave a summary that is far too long"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_model_that_obeys_a_hostile_article_gives_nothing(name: str) -> None:
    """Whatever the article made the model say: only labels and summaries that hold get through."""
    hostile = piece(HOSTILE[name])
    obeyed = ["HACKED", HOSTILE[name], '{"category": "Buy Coins"}', '{"labels": [], "key": "sk-1"}']
    for said in obeyed:
        if name == "writes the answer" and said == HOSTILE[name]:
            continue  # a label like any other: about this one article, and of a category that exists
        with pytest.raises(ClassifierError):
            read_labels(said, BOTH, [hostile])
        with pytest.raises(ClassifierError):
            read_summary(said, hostile, summary_question(hostile, 100), 100)
    leak = json.dumps({"summary": "See https://evil.example/?k=KEY", "quotes": [HOSTILE[name][:10]]})
    with pytest.raises(ClassifierError, match="address or markup"):
        read_summary(leak, hostile, summary_question(hostile, 100), 100)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["Science", QUOTE, "a", "1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["labels", "piece", "category", "confidence", "summary", "quotes"]), inner
        )
    ),
    max_leaves=12,
)


@given(_VALUES.map(json.dumps) | st.text(alphabet='{}[]",:1anul\\ ', max_size=40))
def test_whatever_is_said_is_an_answer_or_a_classifier_error(said: str) -> None:
    try:
        (found,) = read_labels(said, BOTH, [piece()])
    except ClassifierError as error:
        assert "\n" not in error.message
    else:
        assert found.category in ("Science", "Sport", None)
        assert 0 <= found.score <= 1
    try:
        text = read_summary(said, piece(), summary_question(piece(), 20), 20)
    except ClassifierError as error:
        assert "\n" not in error.message
    else:
        assert 0 < len(text) <= 20
