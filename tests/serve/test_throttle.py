from __future__ import annotations

from serve.house import Clock

from digestlog.serve import throttle
from digestlog.serve.throttle import Throttle


def test_a_few_tries_at_once_then_one_at_a_time() -> None:
    clock = Clock()
    slow = Throttle(3, 10, clock)
    for _ in range(3):
        assert slow.wait_s("a") == 0
        slow.failed("a")
    assert slow.wait_s("a") == 10
    assert slow.wait_s("b") == 0
    clock.at += 9.5
    assert slow.wait_s("a") == 1
    clock.at += 0.5
    assert slow.wait_s("a") == 0
    slow.failed("a")
    assert slow.wait_s("a") == 10


def test_all_tries_come_back_with_time() -> None:
    clock = Clock()
    slow = Throttle(2, 10, clock)
    slow.failed("a")
    slow.failed("a")
    clock.at += 1000
    slow.failed("a")
    assert slow.wait_s("a") == 0


def test_a_success_clears() -> None:
    slow = Throttle(1, 10, Clock())
    slow.failed("a")
    assert slow.wait_s("a") == 10
    slow.succeeded("a")
    assert slow.wait_s("a") == 0
    slow.succeeded("never failed")


def test_memory_has_an_end() -> None:
    slow = Throttle(1, 10, Clock())
    for number in range(throttle.MOST_KEPT + 10):
        slow.failed(str(number))
    assert len(slow._clear_at) == throttle.MOST_KEPT
    assert slow.wait_s("0") == 0
    assert slow.wait_s(str(throttle.MOST_KEPT)) == 10
