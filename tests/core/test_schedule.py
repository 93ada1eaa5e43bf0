"""When a source is visited again, an address asked again, and whose share a source is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digestlog.core.schedule import (
    MAX_RESOLVE_ATTEMPTS,
    after_failure,
    after_success,
    in_shard,
    next_resolution,
    spread,
)

NOW = datetime(2026, 2, 13, 9, 2, 10, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WISHES = st.none() | st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("wishes", "wait"),
    [
        ((), None),
        ((None, None), None),
        ((0, None), None),
        ((59,), None),
        ((60,), MINUTE),
        ((None, 1800), HOUR / 2),
        ((3600, 1800), HOUR),
        ((1800, 3600), HOUR),
        ((20 * 3600,), 20 * HOUR),
        ((86_400,), 20 * HOUR),
        ((7 * 86_400, 60), 20 * HOUR),
        ((10**9,), 20 * HOUR),
    ],
)
def test_a_source_is_left_alone_as_long_as_it_wishes(
    wishes: tuple[int | None, ...], wait: timedelta | None
) -> None:
    assert after_success(NOW, *wishes) == (None if wait is None else NOW + wait)


@given(st.lists(WISHES, max_size=3))
def test_whoever_scans_daily_visits_every_source(wishes: list[int | None]) -> None:
    following = after_success(NOW, *wishes)
    assert following is None or NOW < following < NOW + 23 * HOUR


@pytest.mark.parametrize("failures", range(1, 8))
def test_the_wait_doubles_with_each_failure(failures: int) -> None:
    wait = after_failure(NOW, failures, "W_RSS_1") - NOW
    assert 10 * MINUTE * 2 ** (failures - 1) <= wait <= 12 * MINUTE * 2 ** (failures - 1)


@pytest.mark.parametrize("failures", [8, 9, 22, 1000, 10**9])
def test_the_wait_never_grows_to_a_day(failures: int) -> None:
    assert after_failure(NOW, failures, "W_RSS_1") == NOW + 20 * HOUR


def test_sources_that_fail_together_do_not_come_back_together() -> None:
    tries = {after_failure(NOW, 3, f"W_RSS_{n}") for n in range(50)}
    assert len(tries) > 40
    assert max(tries) - min(tries) > 4 * MINUTE


def test_the_same_failure_gives_the_same_try() -> None:
    assert after_failure(NOW, 3, "W_RSS_1") == after_failure(NOW, 3, "W_RSS_1")


@pytest.mark.parametrize(
    ("asked_s", "wait"),
    [(3600, HOUR), (3 * 86_400, 3 * DAY), (7 * 86_400, 7 * DAY), (8 * 86_400, 7 * DAY), (10**9, 7 * DAY)],
)
def test_retry_after_is_honoured_up_to_a_week(asked_s: int, wait: timedelta) -> None:
    assert after_failure(NOW, 1, "W_RSS_1", asked_s) == NOW + wait


@pytest.mark.parametrize("asked_s", [None, 0, 1, 599])
def test_retry_after_never_shortens_the_wait(asked_s: int | None) -> None:
    assert after_failure(NOW, 1, "W_RSS_1", asked_s) == after_failure(NOW, 1, "W_RSS_1")


@given(st.integers(1, 10**6), st.text(max_size=20), WISHES)
def test_a_failing_source_is_always_tried_again(failures: int, key: str, asked_s: int | None) -> None:
    following = after_failure(NOW, failures, key, asked_s)
    assert NOW + 10 * MINUTE <= following <= NOW + 7 * DAY
    assert following.microsecond == 0


def test_an_address_is_asked_at_the_next_scan_then_less_and_less_often() -> None:
    tries = [next_resolution(NOW, attempts) for attempts in range(1, MAX_RESOLVE_ATTEMPTS + 3)]
    waits = [None if at is None else at - NOW for at in tries]
    hours = [0, 1, 2, 4, 8, 16, 32]
    assert waits == [timedelta(hours=h) for h in hours] + [None] * 3


def test_an_address_that_asks_for_time_gets_hours_and_not_days() -> None:
    assert next_resolution(NOW, 1, 7200) == NOW + timedelta(hours=2)
    assert next_resolution(NOW, 1, 604_800) == NOW + timedelta(hours=6)


@given(st.text(max_size=40), st.integers(1, 9999))
def test_every_source_belongs_to_exactly_one_share(url: str, count: int) -> None:
    shares = [index for index in range(1, min(count, 300) + 1) if in_shard(url, index, count)]
    assert len(shares) == 1 if count <= 300 else len(shares) <= 1


def test_shares_are_about_equal_and_the_same_on_every_machine() -> None:
    urls = [f"https://e{n}.example/feed" for n in range(900)]
    shares = [[url for url in urls if in_shard(url, index, 3)] for index in (1, 2, 3)]
    assert sorted(sum(shares, [])) == sorted(urls)
    assert all(250 < len(share) < 350 for share in shares)
    # Computed apart from the program: sha256 of the address, its first 8 bytes modulo 7.
    assert [index for index in range(1, 8) if in_shard("https://example.com/feed", index, 7)] == [2]


def test_one_share_is_everything() -> None:
    assert in_shard("https://example.com/feed", 1, 1)


def test_one_of_each_host_in_each_round() -> None:
    urls = [f"https://{host}.example/{n}" for host in "abc" for n in range(3 if host == "a" else 1)]
    assert spread(urls, str) == [
        "https://a.example/0",
        "https://b.example/0",
        "https://c.example/0",
        "https://a.example/1",
        "https://a.example/2",
    ]
