from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digestlog.core.classify import Category, Label, Text, classify

POLITICS = Category("Politics", "Elections and laws", ("parliament", "prime minister", "vote"))
SPORT = Category("Sport", "Matches and players", ("match", "coach", "league"))
CATEGORIES = (POLITICS, SPORT)


def labels(categories: tuple[Category, ...], *texts: str) -> list[Label]:
    return classify(categories, [Text(str(number), None, text) for number, text in enumerate(texts)])


def named(categories: tuple[Category, ...], *texts: str) -> list[str | None]:
    return [label.category for label in labels(categories, *texts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The prime minister lost a vote in parliament", "Politics"),
        ("The coach praised the league after the match", "Sport"),
        ("Voting in the parliaments", "Politics"),
        ("It will rain tomorrow in the north", None),
        ("", None),
        ("2026 ... !", None),
    ],
)
def test_one_text_is_labelled_by_the_definitions_alone(text: str, expected: str | None) -> None:
    assert named(CATEGORIES, text) == [expected]


def test_the_title_counts() -> None:
    assert classify(CATEGORIES, [Text("a", "Parliament votes", "")])[0].category == "Politics"


def test_labels_keep_keys_and_order_even_where_both_repeat() -> None:
    texts = [
        Text(key, None, text) for key, text in [("b", "match coach"), ("a", "vote"), ("b", "match coach")]
    ]
    found = classify(CATEGORIES, texts)
    assert [label.key for label in found] == ["b", "a", "b"]
    assert found[0] == found[2]


def test_a_label_says_which_words_decided() -> None:
    (label,) = labels(CATEGORIES, "The prime ministers want votes and a match")
    assert label.category == "Politics"
    weights = dict(label.words)
    assert weights["prime minister"] > 0
    assert weights["vote"] > 0
    assert weights["match"] < 0
    assert [abs(weight) for _, weight in label.words] == sorted(map(abs, weights.values()), reverse=True)


def test_at_most_ten_words_are_named() -> None:
    keywords = tuple(f"word{letter}" for letter in "abcdefghijklmnop")
    (label,) = labels((Category("Many", None, keywords),), " ".join(keywords))
    assert len(label.words) == 10


def topic_texts(topic: str, words: str, count: int, chance: random.Random) -> list[Text]:
    """Texts of six words; the first word of the topic stands in two of three."""
    first, *others = words.split()
    usual = "the of and to in was has that with from".split()
    texts = []
    for number in range(count):
        said = chance.sample(others, 5) + ([first] if number % 3 else []) + chance.sample(usual, 6)
        chance.shuffle(said)
        texts.append(Text(topic, None, " ".join(said)))
    return texts


def corpus() -> list[Text]:
    chance = random.Random(1)
    return [
        *topic_texts(
            "Politics",
            "parliament senate ballot deputy coalition reform cabinet motion mandate quorum lobby speech",
            60,
            chance,
        ),
        *topic_texts(
            "Sport",
            "match striker stadium referee goalkeeper penalty defender trophy jersey dribble corner kickoff",
            60,
            chance,
        ),
        *topic_texts(
            "", "recipe flour butter oven sugar pastry dough cream yeast whisk almond vanilla", 60, chance
        ),
    ]


def test_words_of_no_definition_are_learned_from_the_texts() -> None:
    found = classify(CATEGORIES, corpus())
    assert [label.category or "" for label in found] == [label.key for label in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ballot for the coalition cabinet", "Politics"),
        ("a penalty in the stadium for the striker", "Sport"),
        ("dough with butter and cream", None),
    ],
)
def test_a_text_without_any_defining_word_learns_from_the_corpus(text: str, expected: str | None) -> None:
    assert named(CATEGORIES, text) == [None]
    assert [label.category for label in classify(CATEGORIES, [Text("x", None, text)], corpus())] == [expected]


def test_the_order_of_texts_and_categories_does_not_matter() -> None:
    texts = corpus()
    shuffled = texts[:]
    random.Random(2).shuffle(shuffled)
    found = classify(CATEGORIES[::-1], shuffled)
    assert [label.category or "" for label in found] == [text.key for text in shuffled]


# Words of no topic, then of each topic; the first two of each are its keywords.
LANGUAGES = (
    (
        "the of and to in was has that with from",
        "election parliament senate ballot deputy coalition reform",
        "match coach striker stadium referee penalty trophy",
    ),
    (
        "le les des une est dans pour du qui sur",
        "scrutin députés sénat ministre gouvernement coalition motion",
        "équipe entraîneur attaquant stade arbitre gardien vestiaire",
    ),
    (
        "и в на не что это как для после его",
        "выборы парламент сенат бюллетень депутат коалиция реформа",
        "матч тренер нападающий стадион судья вратарь пенальти",
    ),
    (
        "的 在 是 了 和 有 与 对 将 后",
        "选举 议会 选票 议员 改革 内阁 法案",
        "比赛 教练 前锋 裁判 点球 后卫 奖杯",
    ),
)


def test_languages_are_not_taken_for_topics() -> None:
    chance = random.Random(3)
    categories = tuple(
        Category(name, None, tuple(word for language in LANGUAGES for word in language[place].split()[:2]))
        for place, name in ((1, "Politics"), (2, "Sport"))
    )
    texts = []
    for number in range(80):
        for usual, *topics in LANGUAGES:
            for name, words in zip(("Politics", "Sport"), topics, strict=True):
                keyword = chance.sample(words.split()[:2], 1 if number % 3 else 0)
                said = chance.sample(words.split()[2:], 3) + keyword + chance.sample(usual.split(), 7)
                chance.shuffle(said)
                texts.append(Text(name, None, " ".join(said)))
    right = sum(label.category == label.key for label in classify(categories, texts))
    assert right / len(texts) > 0.97


# Hostile input


def test_without_categories_nothing_fits() -> None:
    assert labels((), "vote", "") == [Label("0", None, 1.0), Label("1", None, 1.0)]


def test_without_texts_there_are_no_labels() -> None:
    assert classify(CATEGORIES, []) == []
    assert classify(CATEGORIES, [], [Text("c", None, "vote")]) == []


def test_categories_without_words_get_nothing() -> None:
    empty = (Category("", None, ()), Category("?!", "", ("", "--")), Category("Zyzzyva", None, ()))
    assert set(named(empty, "some text", "another text")) == {None}
    found = classify((*CATEGORIES, *empty), corpus())
    assert {label.category for label in found} == {"Politics", "Sport", None}


def test_one_category_is_not_given_to_everything() -> None:
    found = classify((SPORT,), corpus())
    assert all((label.category == "Sport") == (label.key == "Sport") for label in found)


def test_categories_of_one_name_are_one() -> None:
    twice = (Category("Sport", None, ("match",)), POLITICS, Category("Sport", "Players", ("coach",)))
    assert named(twice, "match", "the coach", "a vote") == ["Sport", "Sport", "Politics"]


def test_texts_that_are_all_the_same_are_labelled_as_one_would_be() -> None:
    text = "The prime minister lost a vote"
    alone = labels(CATEGORIES, text)[0]
    assert alone.category == "Politics"
    for label in labels(CATEGORIES, *[text] * 200):
        assert (label.category, label.score) == (alone.category, alone.score)


def test_only_the_beginning_of_a_huge_text_counts() -> None:
    start = time.process_time()
    texts = ["match coach league " + "filler " * 500_000 + "vote " * 1000, "a" * 3_000_000, "世" * 3_000_000]
    assert named(CATEGORIES, *texts) == ["Sport", None, None]
    assert time.process_time() - start < 5


def test_many_keywords_with_one_beginning_take_linear_time() -> None:
    keywords = tuple(f"vote number{number} of{number}" for number in range(20_000))
    start = time.process_time()
    classify((Category("Many", None, keywords),), [Text("a", None, "vote " * 400)] * 50)
    assert time.process_time() - start < 5


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.builds(Category, st.text(max_size=8), st.none() | st.text(max_size=20)), max_size=4),
    st.lists(st.text(max_size=40), max_size=8),
)
def test_any_input_gives_a_label_for_each_text(categories: list[Category], texts: list[str]) -> None:
    given_texts = [Text(str(number), text[:3], text) for number, text in enumerate(texts)]
    found = classify(categories, given_texts)
    assert [label.key for label in found] == [text.key for text in given_texts]
    assert {label.category for label in found} <= {None, *(category.name for category in categories)}
    assert all(0 <= label.score <= 1 and len(label.words) <= 10 for label in found)
    assert classify(categories, given_texts) == found


# Other languages: the words of the definitions are the user's own.

WEATHER = Category(
    "Weather",
    None,
    ("Regen", "lluvia", "дождь", "雨", "مطر", "बारिश", "비가", "ฝนตก", "βροχή", "גשם", "yağmur", "mưa"),
)
MONEY = Category(
    "Money",
    None,
    ("Steuer", "impuesto", "налог", "税", "ضريبة", "कर", "세금", "ภาษี", "φόρος", "מס", "vergi", "thuế"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Heftiger Regen im Süden", "Weather"),
        ("Der Bundestag beschließt neue Steuern", "Money"),
        ("La lluvia no cesa en Galicia", "Weather"),
        ("Suben los impuestos en España", "Money"),
        ("Завтра ожидается сильный дождь", "Weather"),
        ("Правительство повышает налоги", "Money"),
        ("明日は全国で雨が降る", "Weather"),
        ("政府は増税を検討している", "Money"),
        ("政府宣布减税计划", "Money"),
        ("هطل مطر غزير أمس", "Weather"),
        ("ضريبة جديدة على الدخل", "Money"),
        ("दिल्ली में भारी बारिश", "Weather"),
        ("सरकार ने नया कर लगाया", "Money"),
        ("서울에 비가 많이 내린다", "Weather"),
        ("정부 세금 인상 발표", "Money"),
        ("พรุ่งนี้ฝนตกหนัก", "Weather"),
        ("รัฐบาลขึ้นภาษี", "Money"),
        ("Δυνατή βροχή στην Αθήνα", "Weather"),
        ("גשם כבד בצפון", "Weather"),
        ("İstanbul'da yağmur bekleniyor", "Weather"),
        ("Chính phủ tăng thuế", "Money"),
        ("Ein Konzert in Wien", None),
        ("今日は休みです", None),
    ],
)
def test_any_language(text: str, expected: str | None) -> None:
    assert named((WEATHER, MONEY), text) == [expected]
