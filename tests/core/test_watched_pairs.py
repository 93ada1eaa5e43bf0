"""Which lines went, which came, which became others; and what a place remembers."""

from __future__ import annotations

from digestlog.core.watching.line import LINK, NOISE, ROW, TITLE, Line
from digestlog.core.watching.memory import WINDOW, Memory, Place, first_look, key_of
from digestlog.core.watching.pairing import MAX_AT_PLACE, alike, differences


def _line(text: str, place: str = "p", path: str = "/p", **more: object) -> Line:
    return Line(text, text, place, path, **more)  # type: ignore[arg-type]


def _pairs(before: list[Line], after: list[Line]) -> list[tuple[str | None, str | None]]:
    return [(one.old and one.old.text, one.new and one.new.text) for one in differences(before, after)]  # type: ignore[misc]


def test_lines_that_only_moved_do_not_differ() -> None:
    assert _pairs([_line("a"), _line("b")], [_line("b", "q"), _line("a")]) == []


def test_of_equal_lines_the_one_whose_place_is_gone_went() -> None:
    before = [_line("same", "p"), _line("same", "q"), _line("other", "p")]
    [one] = differences(before, [_line("same", "p"), _line("other", "p")])
    assert one.line.place == "q"


def test_the_most_alike_lines_of_a_place_are_pairs() -> None:
    before = [_line("the fee is ten crowns"), _line("the gate is at the north")]
    after = [_line("the gate is at the south"), _line("the fee is nine crowns")]
    assert _pairs(before, after) == [
        ("the fee is ten crowns", "the fee is nine crowns"),
        ("the gate is at the north", "the gate is at the south"),
    ]


def test_a_lone_short_line_became_the_other() -> None:
    assert _pairs([_line("Open")], [_line("Shut")]) == [("Open", "Shut")]
    long = [_line("word " * 20), _line("else " * 20)]
    assert len(_pairs(long[:1], long[1:])) == 2


def test_several_strangers_are_no_pairs() -> None:
    assert _pairs([_line("red"), _line("green")], [_line("blue"), _line("black")]) == [
        ("red", None),
        ("green", None),
        (None, "blue"),
        (None, "black"),
    ]


def test_lines_of_one_path_are_pairs_if_they_are_very_alike() -> None:
    assert _pairs([_line("one two three four", "p")], [_line("one two three five", "q")]) == [
        ("one two three four", "one two three five")
    ]


def test_rows_are_pairs_by_their_first_cell() -> None:
    before = [_line("Free | 20", kind=ROW), _line("Team | 600", kind=ROW)]
    after = [_line("Free | 30", kind=ROW), _line("Team | 500", kind=ROW)]
    assert _pairs(before, after) == [("Free | 20", "Free | 30"), ("Team | 600", "Team | 500")]


def test_links_are_pairs_by_their_text_or_nothing() -> None:
    old, new = (_line(f"Get → {to}", kind=LINK, label="Get") for to in "ab")
    assert _pairs([old], [new]) == [("Get → a", "Get → b")]
    assert _pairs([old], []) == []


def test_facts_are_pairs_by_their_place() -> None:
    assert _pairs([_line("A", "h1", kind=TITLE)], [_line("B", "h1", kind=TITLE)]) == [("A", "B")]


def test_noise_is_no_pair_of_the_rest() -> None:
    assert _pairs([_line("Boots", zone=NOISE)], [_line("Hats")]) == [("Boots", None), (None, "Hats")]


def test_in_a_crowd_only_some_pairs_are_looked_for() -> None:
    count = 4 * MAX_AT_PLACE
    before = [_line(f"line number {at} is old") for at in range(count)]
    after = [_line(f"line number {at} is new") for at in range(count)]
    assert sum(old is not None and new is not None for old, new in _pairs(before, after)) == 2 * MAX_AT_PLACE


def test_alike() -> None:
    assert alike(_line("a b c"), _line("a b d")) == 2 / 3
    assert alike(_line("…"), _line("!")) == 1.0


def test_a_line_is_known_by_what_it_says_and_its_path() -> None:
    assert key_of(_line("a", "p")) == key_of(_line("a", "q"))
    assert key_of(_line("a", path="/x")) != key_of(_line("a", path="/y"))


def test_standing() -> None:
    memory = first_look([_line("a")])
    memory.looks = 5
    assert memory.stood(_line("a")) == 5
    assert memory.stood(_line("new")) == 1


def test_a_place_counts_its_last_comparisons() -> None:
    place = Place(changed=0b10110)
    assert (place.recent(4), place.recent(WINDOW)) == (2, 3)
    assert place.shifted().recent(4) == 2


def test_a_place_that_was_quiet_for_a_window_forgets_its_lives() -> None:
    place = Place(changed=1, lives=3, looks=4, returns=1)
    for _ in range(WINDOW):
        place = place.shifted()
    assert place == Place()


def test_the_chance_to_stand_falls_with_time_and_company() -> None:
    place = Place(changed=0b1111)
    assert place.chance(4, 1) == 0.0
    for _ in range(6):
        place.ended(1)
    four, five, together = place.chance(4, 1), place.chance(5, 1), place.chance(4, 3)
    assert 1 > four > five > together > 0
    assert place.chance(4, 1, survived=9) > four


def test_reading_a_place_does_not_make_one() -> None:
    memory = Memory()
    assert memory.known("x") == Place()
    assert memory.places == {}
    memory.place("x").changed = 1
    assert memory.known("x").changed == 1
