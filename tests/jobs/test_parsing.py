"""Feeds are read at once, in a thread or in another process, and nothing of that is left behind."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from threading import Event, Lock
from typing import Any

import pytest
from scan_fakes import XML, item, rss

from digestlog.core.feeds import Feed
from digestlog.errors import ParseError
from digestlog.jobs import parsing
from digestlog.jobs.parsing import Parser

URL = "https://e.org/feed"
PLAIN = rss(item("https://e.org/a", "A")).body
# Not well-formed, so not for the fast lane.
BROKEN = PLAIN.replace(b"</channel>", b"<br></channel>")
NO_FEED = b"<html><body>Nothing here</body></html>"


class Pool:
    """Stands for the processes, without any."""

    made: list[Pool]

    def __init__(self, workers: int, context: Any, initializer: Callable[[], None]) -> None:
        self.workers = workers
        self.initializer = initializer
        self.ended: dict[str, bool] | None = None
        self.made.append(self)

    def submit(self, work: Callable[..., Feed], *args: Any) -> Future[Feed]:
        future: Future[Feed] = Future()
        if len(self.made) == 1 and b"killer" in args[0]:
            future.set_exception(BrokenProcessPool("a child process terminated abruptly"))
        else:
            future.set_result(work(*args))
        return future

    def shutdown(self, **options: bool) -> None:
        self.ended = options


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    """The pools that a test made; they read in this process."""
    monkeypatch.setattr(Pool, "made", [], raising=False)
    monkeypatch.setattr(parsing, "ProcessPoolExecutor", Pool)
    return Pool.made


def read(parser: Parser, *bodies: bytes) -> list[Feed | BaseException]:
    async def all_of_them() -> list[Feed | BaseException]:
        with parser:
            return await asyncio.gather(
                *(parser.read(body, URL, XML) for body in bodies), return_exceptions=True
            )

    return asyncio.run(all_of_them())


def lanes(found: list[Feed | BaseException]) -> list[str]:
    return [one.lane if isinstance(one, Feed) else str(one) for one in found]


def test_a_plain_feed_is_read_at_once(pools: list[Pool]) -> None:
    assert lanes(read(Parser(in_thread=0), PLAIN, PLAIN)) == ["fast", "fast"]
    assert pools == []


def test_a_json_feed_is_read_at_once(pools: list[Pool]) -> None:
    body = b'{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": []}'
    assert lanes(read(Parser(in_thread=0), body)) == ["json"]
    assert pools == []


def test_the_first_few_slow_ones_need_no_process(pools: list[Pool]) -> None:
    assert lanes(read(Parser(in_thread=2), BROKEN, PLAIN, BROKEN)) == ["feedparser", "fast", "feedparser"]
    assert pools == []


def test_when_there_are_more_they_share_one_pool(pools: list[Pool]) -> None:
    assert lanes(read(Parser(in_thread=1), *[BROKEN] * 5)) == ["feedparser"] * 5
    (pool,) = pools
    assert 1 <= pool.workers <= 2
    assert pool.initializer is parsing.end_with_parent
    assert pool.ended == {"cancel_futures": True}


def test_a_large_feed_does_not_hold_up_the_scan(pools: list[Pool]) -> None:
    large = PLAIN.replace(b"<channel>", b"<channel><description>" + b"x" * 1_000_000 + b"</description>")
    assert lanes(read(Parser(in_thread=0), large)) == ["fast"]
    assert len(pools) == 1


def test_a_page_is_read_at_once_and_a_large_one_elsewhere(pools: list[Pool]) -> None:
    async def both(parser: Parser) -> list[int]:
        with parser:
            return [await parser.page(b"x" * size, len_and, 1) for size in (300_000, 300_001)]

    assert asyncio.run(both(Parser(in_thread=0))) == [300_001, 300_002]
    assert len(pools) == 1


def len_and(body: bytes, more: int) -> int:
    return len(body) + more


def test_large_documents_take_turns() -> None:
    at_work: list[int] = []
    most = 0
    lock = Lock()

    def read(body: bytes) -> None:
        nonlocal most
        with lock:
            at_work.append(1)
            most = max(most, len(at_work))
        with lock:
            at_work.pop()

    async def all_at_once() -> None:
        with Parser() as parser:
            large = b"x" * 1_000_001
            await asyncio.gather(*(parser.page(large, read) for _ in range(8)))

    asyncio.run(all_at_once())
    assert most == 1


def test_what_is_no_feed_says_so_wherever_it_was_read(pools: list[Pool]) -> None:
    found = read(Parser(in_thread=1), NO_FEED, NO_FEED)
    assert all(isinstance(one, ParseError) and one.hint for one in found)
    assert len(pools) == 1


def test_a_feed_that_kills_its_reader_fails_alone(pools: list[Pool]) -> None:
    async def one_after_the_other() -> list[str]:
        with Parser(in_thread=0) as parser:
            outcomes = []
            for body in (BROKEN, BROKEN + b"killer", BROKEN):
                try:
                    outcomes.append((await parser.read(body, URL, XML)).lane)
                except ParseError as error:
                    outcomes.append(error.message)
            return outcomes

    assert asyncio.run(one_after_the_other()) == [
        "feedparser",
        "reading it ended the process that read it",
        "feedparser",
    ]
    assert len(pools) == 2


def test_two_that_die_together_do_not_take_the_next_pool_with_them(pools: list[Pool]) -> None:
    found = lanes(read(Parser(in_thread=0), BROKEN + b"killer", BROKEN + b"killer"))
    assert found == ["reading it ended the process that read it"] * 2

    parser = Parser(in_thread=0)
    stale = Pool(1, None, parsing.end_with_parent)

    async def meanwhile() -> None:
        failing: asyncio.Future[Feed] = asyncio.get_running_loop().create_future()
        parser._pool = stale  # type: ignore[assignment]
        stale.submit = lambda *args: failing  # type: ignore[assignment,method-assign,return-value]
        loop = asyncio.get_running_loop()
        loop.run_in_executor = lambda pool, *args: failing  # type: ignore[method-assign,assignment]
        reading = asyncio.ensure_future(parser.read(BROKEN, URL, XML))
        await asyncio.sleep(0)
        parser._pool = fresh = Pool(1, None, parsing.end_with_parent)  # type: ignore[assignment]
        failing.set_exception(BrokenProcessPool())
        with pytest.raises(ParseError):
            await reading
        assert parser._pool is fresh

    asyncio.run(meanwhile())


# --- real processes ---------------------------------------------------------------------------


def test_real_processes_read_the_same_and_end() -> None:
    here = read(Parser(in_thread=9), BROKEN, NO_FEED)
    there = read(Parser(in_thread=0), BROKEN, NO_FEED)
    assert there[0] == here[0]
    assert isinstance(there[1], ParseError) and isinstance(here[1], ParseError)
    assert (there[1].message, there[1].hint) == (here[1].message, here[1].hint)
    assert multiprocessing.active_children() == []


ORPHANS = """
import asyncio, multiprocessing, os, signal, sys
from digestlog.jobs.parsing import Parser

async def main(body):
    with Parser(in_thread=0) as parser:
        await asyncio.gather(*(parser.read(body, "https://e.org/feed", None) for _ in range(4)))
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        sys.stdin.readline()

if __name__ == "__main__":
    asyncio.run(main(BODY))
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="watching another's child needs Linux")
def test_the_processes_end_with_a_killed_parent(tmp_path: Any) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS.replace("BODY", repr(BROKEN)))
    parent = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with parent:
        assert parent.stdout is not None
        children = [os.pidfd_open(int(pid)) for pid in parent.stdout.readline().split()]
        assert children
        parent.send_signal(signal.SIGKILL)
        try:
            for child in children:
                assert select.select([child], [], [], 20)[0], "a reading process outlived its parent"
        finally:
            for child in children:
                os.close(child)


def test_a_process_watches_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, codes = Event(), []

    class Parent:
        def join(self) -> None:
            codes.append("joined")

    def leave(code: int) -> None:
        codes.append(code)
        ended.set()

    monkeypatch.setattr(parsing, "parent_process", Parent)
    monkeypatch.setattr(parsing.os, "_exit", leave)
    parsing.end_with_parent()
    assert ended.wait(10)
    assert codes == ["joined", 1]


def test_a_process_without_a_parent_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "parent_process", lambda: None)
    monkeypatch.setattr(parsing.os, "_exit", lambda code: pytest.fail("it ended itself"))
    parsing._watch_parent()
