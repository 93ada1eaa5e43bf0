from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.bayes import Model, learn

# Words 0 and 10 are tilted; 1 to 4 go with the first, 11 to 14 with the second, 20 to 24 with none.
TILTS = {0: [8.0, 1.0], 10: [1.0, 8.0]}


def learned(items: list[list[int]], tilts: dict[int, list[float]] = TILTS, group: str = "en") -> Model:
    groups = {word: group for item in items for word in item}
    return learn(items, tilts, groups, 2)


def clusters(each: int) -> list[list[int]]:
    items = []
    for number in range(each):
        for start in (0, 10, 20):
            items.append([start + (number + step) % 5 for step in range(3)])
    return items


def likeliest(model: Model, item: list[int]) -> int:
    chances = model.probabilities(item)
    return chances.index(max(chances))


def test_words_that_are_not_tilted_are_learned_from_those_they_stand_beside() -> None:
    model = learned(clusters(100))
    assert [likeliest(model, [start + 1, start + 2]) for start in (0, 10, 20)] == [0, 1, 2]


def test_an_item_without_known_words_is_background() -> None:
    model = learned(clusters(5))
    assert model.probabilities([99]) == [0.0, 0.0, 1.0]
    assert model.probabilities([]) == [0.0, 0.0, 1.0]
    assert model.reasons([99], 0, 1) == []


def test_nothing_to_learn_from() -> None:
    model = learned([])
    assert model.weights == {}
    assert model.probabilities([1]) == [0.0, 0.0, 1.0]


def test_without_tilts_all_is_background() -> None:
    model = learned(clusters(50), tilts={})
    assert {likeliest(model, item) for item in clusters(5)} == {2}


def test_a_word_that_all_classes_have_weighs_next_to_nothing() -> None:
    model = learned([[*item, 77] for item in clusters(100)])
    common, telling = (max(model.weights[word]) - min(model.weights[word]) for word in (77, 1))
    assert common < telling / 4


def test_reasons_add_up_to_the_odds() -> None:
    model = learned(clusters(40))
    item = [0, 1, 11]
    chances = model.probabilities(item)
    found = sum(weight for _, weight in model.reasons(item, 0, 1)) + model.priors[0] - model.priors[1]
    assert found == pytest.approx(math.log(chances[0] / chances[1]))


def test_a_long_item_is_believed_less_than_its_words_add_up_to() -> None:
    model = learned([[*range(40)], [*range(50, 60)]], tilts={0: [8.0, 1.0], 50: [1.0, 8.0]})
    short = dict(model.reasons([0], 0, 1))
    long = dict(model.reasons([*range(40)], 0, 1))
    assert long[0] == pytest.approx(short[0] * math.sqrt(20 / 40))


def test_a_group_is_weighed_by_itself() -> None:
    """One class has most items with the words 100 and 101, yet those do not speak for it."""
    items = [[*start, 20 + number % 30] for number in range(60) for start in ([0, 1, 2], [10, 11, 12])]
    items += [[0, 100, 101] for _ in range(60)] + [[10, 100, 101] for _ in range(5)]
    words = {word for item in items for word in item}
    apart = learn(items, TILTS, {word: "b" if word >= 100 else "a" for word in words}, 2)
    together = learn(items, TILTS, dict.fromkeys(words, "a"), 2)
    leans = [model.weights[100][0] - model.weights[100][1] for model in (apart, together)]
    assert abs(leans[0]) < leans[1] / 4


ITEMS = st.lists(st.lists(st.integers(0, 24), max_size=8, unique=True), max_size=25)


@given(ITEMS)
def test_probabilities_are_probabilities(items: list[list[int]]) -> None:
    model = learned(items)
    for item in items:
        chances = model.probabilities(item)
        assert len(chances) == 3
        assert sum(chances) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in chances)


@given(ITEMS)
def test_learning_is_deterministic(items: list[list[int]]) -> None:
    assert learned(items) == learned(items)


@given(ITEMS)
def test_classes_have_no_order(items: list[list[int]]) -> None:
    swapped = {word: row[::-1] for word, row in TILTS.items()}
    one, other = learned(items), learned(items, swapped)
    for item in items:
        first, second, background = one.probabilities(item)
        assert other.probabilities(item) == pytest.approx([second, first, background])
