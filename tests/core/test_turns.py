"""In which order candidates are looked at, and that each has its turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.turns import bound, in_order


def test_what_was_never_looked_at_comes_first() -> None:
    looked_at = {
        "shown": "taken",
        "known": "history",
        "twin": "duplicate",
        "unfit": "unclassified",
        "silent": "failed",
        "late": "over_quota",
        "heard": "diversity",
    }
    given_order = [*looked_at, "new", "newer"]
    assert in_order(given_order, looked_at, {}) == [
        *("new", "newer"),
        *("late", "heard"),
        *("unfit", "silent"),
        *("shown", "known", "twin"),
    ]


def test_the_longest_waiting_and_the_newest_take_turns() -> None:
    waiting = {"c": "2026-02-03", "d": "2026-02-01", "e": "2026-02-02"}
    assert in_order("abcde", {}, waiting) == ["d", "a", "e", "b", "c"]


def test_what_was_looked_at_meanwhile_waits_no_more() -> None:
    assert in_order("ab", {"b": "over_quota"}, {"b": "2026-02-01"}) == ["a", "b"]


def test_nothing() -> None:
    assert in_order([], {}, {}) == []


@given(st.lists(st.integers(), unique=True), st.data())
def test_each_once_and_none_lost(candidates: list[int], data: st.DataObject) -> None:
    some = st.sets(st.sampled_from(candidates)) if candidates else st.just(set())
    looked_at = dict.fromkeys(data.draw(some), "history")
    waiting = {one: str(one) for one in data.draw(some)}
    assert sorted(in_order(candidates, looked_at, waiting)) == sorted(candidates)


@pytest.mark.parametrize(("size", "budget", "inflow"), [(100, 30, 0), (100, 30, 40), (65, 2, 5), (7, 1, 3)])
def test_everyone_is_looked_at_within_the_bound(size: int, budget: int, inflow: int) -> None:
    """A front page on which `inflow` new ones push in at the top each day, and the old ones stay."""
    page, looked_at, waiting = list(range(size)), dict[int, str](), dict[int, str]()
    fresh = set[int]()
    for day in range(bound(size + inflow, budget)):
        new = [-(day * inflow + at + 1) for at in range(inflow)]
        page = new + page
        for one in in_order(page, looked_at, waiting)[:budget]:
            looked_at[one] = "over_quota"
        waiting = {one: f"{day:03}" for one in page if one not in looked_at} | waiting
        fresh |= looked_at.keys() & set(new)
    assert looked_at.keys() >= set(range(size))
    assert bool(fresh) == (inflow > 0), "the newest are looked at too"
