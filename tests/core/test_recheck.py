"""When a watched page is looked at again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.recheck import (
    FREQUENCIES,
    SHORTEST_S,
    Pace,
    after_failure,
    first_interval,
    interval_after,
    next_check,
)

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)
HOUR, DAY = 3_600, 86_400
URL_ID = "f00b2b02-8038-5f93-82ea-b7ef57265c54"

paces = st.builds(
    Pace,
    st.sampled_from(sorted(FREQUENCIES)),
    st.none() | st.integers(60, 10**7),
    st.none() | st.integers(60, 10**7),
    st.none() | st.integers(60, 10**7),
)


def chain(pace: Pace, *looks: bool) -> list[int]:
    """The pauses after so many looks, each with a change or without."""
    pauses = []
    for changed in looks:
        interval_s = interval_after(pace, changed=changed)
        pauses.append(interval_s)
        pace = Pace(pace.frequency, pace.min_interval_s, pace.max_interval_s, interval_s)
    return pauses


@pytest.mark.parametrize(
    ("frequency", "seconds"), [("hourly", HOUR), ("daily", DAY), ("weekly", 7 * DAY), ("monthly", 30 * DAY)]
)
def test_the_first_pause_is_that_of_the_frequency(frequency: str, seconds: int) -> None:
    assert first_interval(Pace(frequency)) == seconds
    assert interval_after(Pace(frequency), changed=False) == seconds


def test_changes_halve_the_pause_down_to_an_eighth() -> None:
    assert chain(Pace("daily"), *[True] * 5) == [12 * HOUR, 6 * HOUR, 3 * HOUR, 3 * HOUR, 3 * HOUR]


def test_quiet_looks_bring_it_back_step_by_step() -> None:
    back = chain(Pace("daily", interval_s=3 * HOUR), *[False] * 7)
    assert back == [16_200, 24_300, 36_450, 54_675, 82_012, DAY, DAY]


def test_never_under_ten_minutes() -> None:
    assert chain(Pace("hourly"), True, True, True, True) == [1_800, 900, SHORTEST_S, SHORTEST_S]


def test_never_under_the_pages_own_least_pause() -> None:
    assert chain(Pace("hourly", min_interval_s=2_000), True, True) == [2_000, 2_000]
    assert chain(Pace("hourly", min_interval_s=DAY), True, False) == [DAY, DAY]


def test_a_longest_pause_lets_quiet_pages_go_slower() -> None:
    slow = chain(Pace("daily", max_interval_s=2 * DAY), False, False, False)
    assert slow == [DAY * 3 // 2, 2 * DAY, 2 * DAY]
    assert chain(Pace("daily", max_interval_s=2 * DAY, interval_s=2 * DAY), True) == [DAY]


def test_a_longest_pause_under_the_frequency_holds_too() -> None:
    assert first_interval(Pace("weekly", max_interval_s=DAY)) == DAY
    assert chain(Pace("daily", max_interval_s=HOUR), True, False) == [HOUR, HOUR]


def test_the_least_pause_is_stronger_than_the_longest() -> None:
    assert chain(Pace("daily", min_interval_s=4 * HOUR, max_interval_s=HOUR), True, False) == [4 * HOUR] * 2


@given(paces, st.lists(st.booleans(), min_size=1, max_size=30))
def test_pauses_stay_within_their_bounds(pace: Pace, looks: list[bool]) -> None:
    shortest, longest = pace.bounds_s
    assert SHORTEST_S <= pace.least_s <= shortest <= longest
    pauses = chain(pace, *looks)
    assert all(shortest <= pause <= longest for pause in pauses)
    for (one, two), changed in zip(pairwise(pauses), looks[1:], strict=True):
        assert two <= one if changed else two >= one


def due_after(pace: Pace, interval_s: int, max_age_s: int | None = None, url_id: str = URL_ID) -> int:
    return int((next_check(NOW, url_id, pace, interval_s, max_age_s) - NOW).total_seconds())


def test_due_a_little_early_and_never_late() -> None:
    waits = {due_after(Pace("daily"), DAY, url_id=f"page {n}") for n in range(500)}
    assert 18 * HOUR <= min(waits) < 18.2 * HOUR
    assert 19.8 * HOUR < max(waits) <= 20 * HOUR
    assert len(waits) > 400, "the pages are spread"


def test_the_same_page_is_due_at_the_same_time() -> None:
    assert due_after(Pace("daily"), DAY) == due_after(Pace("daily"), DAY)


def test_a_month_is_not_cut_by_days() -> None:
    wait = due_after(Pace("monthly"), 30 * DAY)
    assert 30 * DAY - 6 * HOUR <= wait <= 30 * DAY - 4 * HOUR


def test_early_is_never_under_the_least_pause() -> None:
    assert due_after(Pace("hourly"), SHORTEST_S) == SHORTEST_S
    assert due_after(Pace("hourly", min_interval_s=3_500), 3_600) == 3_500


@pytest.mark.parametrize(
    ("max_age_s", "seconds"),
    [(DAY - 60, DAY - 60), (7 * DAY, DAY), (60, None), (0, None), (None, None)],
)
def test_a_max_age_is_honoured_up_to_the_longest_pause(max_age_s: int | None, seconds: int | None) -> None:
    plain = due_after(Pace("daily"), DAY)
    assert due_after(Pace("daily"), DAY, max_age_s) == (seconds or plain)


def test_a_max_age_slows_a_page_that_changes() -> None:
    assert due_after(Pace("daily"), 3 * HOUR, 10 * HOUR) == 10 * HOUR


def test_failures_are_tried_again_less_and_less_often() -> None:
    waits = [(after_failure(NOW, URL_ID, Pace("daily"), n) - NOW) for n in range(1, 12)]
    assert timedelta(minutes=10) <= waits[0] <= timedelta(minutes=12)
    assert all(one <= two for one, two in pairwise(waits))
    assert waits[-1] == timedelta(hours=20)


def test_a_server_that_asks_for_time_gets_it() -> None:
    assert after_failure(NOW, URL_ID, Pace("daily"), 1, 5 * HOUR) == NOW + timedelta(hours=5)


def test_a_failure_does_not_undercut_the_least_pause() -> None:
    assert after_failure(NOW, URL_ID, Pace("daily", min_interval_s=HOUR), 1) == NOW + timedelta(hours=1)
