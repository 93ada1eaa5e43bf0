"""The plan's number of pages holds in Postgres, also for many at once, at every isolation level."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from postgres_server import Server, rows
from postgres_world import ALICE, FREE_PAGES, SHARED, TURNED_OFF, acting, place
from store.rows import uuid

LEVELS = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]
ADD = "INSERT INTO user_url_library (user_id, url_id) VALUES (%s, %s)"
MINE = [uuid(0x5000 + number) for number in range(8)]
ACTIVE = "SELECT count(*) FROM user_url_library WHERE user_id = %s AND is_active"


@pytest.fixture
def many(server: Server, world: str) -> str:
    """Alice has eight more pages approved, and two free places."""
    with server.connect(world) as owner:
        owner.execute("SET digestlog.replay = 'on'")
        for number, page in enumerate(MINE):
            url = f"https://many.example/{number}"
            place(owner, "urls", id=page, canonical_url=url, url=url, brand_id=None)
            place(owner, "url_submissions", id=uuid(0x6000 + number), user_id=ALICE, matched_url_id=page)
    return world


def active(server: Server, database: str) -> int:
    with server.connect(database) as owner:
        ((count,),) = rows(owner, ACTIVE, [ALICE])
    return int(count)


def tried(work: Callable[[], object]) -> str:
    """What became of it: done, capped, or told to try again."""
    try:
        work()
    except psycopg.errors.CheckViolation as error:
        assert "url cap reached" in str(error)
        return "capped"
    except psycopg.errors.SerializationFailure:
        return "again"
    return "done"


# --- one after the other ----------------------------------------------------------------------


def test_one_after_the_other(server: Server, many: str) -> None:
    with acting(server, many, "alice") as alice:
        assert [tried(lambda page=page: alice.execute(ADD, [ALICE, page])) for page in MINE[:4]] == [
            "done",
            "done",
            "capped",
            "capped",
        ]
    assert active(server, many) == FREE_PAGES


def test_many_rows_of_one_statement(server: Server, many: str) -> None:
    with acting(server, many, "alice") as alice:
        sql = "INSERT INTO user_url_library (user_id, url_id) SELECT %s, unnest(%s::uuid[])"
        assert tried(lambda: alice.execute(sql, [ALICE, MINE])) == "capped"
    assert active(server, many) == 1


def test_many_statements_of_one_transaction(server: Server, many: str) -> None:
    def work() -> None:
        with acting(server, many, "alice") as alice, alice.transaction():
            for page in MINE[:3]:
                alice.execute(ADD, [ALICE, page])

    assert tried(work) == "capped"
    assert active(server, many) == 1


def test_a_page_that_is_watched_takes_no_further_place(server: Server, many: str) -> None:
    with acting(server, many, "alice") as alice:
        for page in MINE[:2]:
            alice.execute(ADD, [ALICE, page])
        assert tried(lambda: alice.execute(ADD + " ON CONFLICT DO NOTHING", [ALICE, SHARED])) == "done"
    assert active(server, many) == FREE_PAGES


def test_turning_pages_on_counts(server: Server, many: str) -> None:
    with acting(server, many, "alice") as alice:
        for page in MINE:
            alice.execute(
                ADD.replace("url_id)", "url_id, is_active)").replace("%s)", "%s, false)"), [ALICE, page]
            )
        on = "UPDATE user_url_library SET is_active = true"
        assert tried(lambda: alice.execute(on)) == "capped"
        said = [
            tried(lambda page=page: alice.execute(on + " WHERE url_id = %s", [page])) for page in MINE[:3]
        ]
        assert said == ["done", "done", "capped"]
    assert active(server, many) == FREE_PAGES


def test_taking_turns_gains_no_history(server: Server, many: str) -> None:
    """A page that was off meanwhile shows only what happens from now on."""
    with acting(server, many, "alice") as alice:
        before = rows(alice, "SELECT history_start_at FROM user_url_library WHERE url_id = %s", [TURNED_OFF])
        alice.execute("UPDATE user_url_library SET is_active = NOT is_active")
        after = rows(alice, "SELECT history_start_at FROM user_url_library WHERE url_id = %s", [TURNED_OFF])
        assert after > before
        assert rows(alice, "SELECT 1 FROM url_change_events WHERE url_id = %s", [TURNED_OFF]) == []


def test_the_service_is_capped_too_and_a_copy_of_a_file_is_not(server: Server, many: str) -> None:
    add = (
        "INSERT INTO user_url_library (id, user_id, url_id) SELECT gen_random_uuid(), %s, unnest(%s::uuid[])"
    )
    with acting(server, many, "service") as service:
        assert tried(lambda: service.execute(add, [ALICE, MINE])) == "capped"
        service.execute("SET digestlog.replay = 'on'")
        assert tried(lambda: service.execute(add, [ALICE, MINE])) == "capped"
    with server.connect(many) as owner:
        owner.execute("SET digestlog.replay = 'on'")
        assert tried(lambda: owner.execute(add, [ALICE, MINE])) == "done"
    assert active(server, many) == 1 + len(MINE)


def test_a_user_without_a_plan_gets_no_place(server: Server, many: str) -> None:
    with server.connect(many) as owner:
        owner.execute("DELETE FROM subscriptions WHERE plan = 'free'")
        owner.execute("DELETE FROM plan_definitions WHERE plan = 'free'")
    with acting(server, many, "alice") as alice:
        assert tried(lambda: alice.execute(ADD, [ALICE, MINE[0]])) == "capped"


def test_a_paid_plan_has_no_cap(server: Server, many: str) -> None:
    with server.connect(many) as owner:
        owner.execute("UPDATE subscriptions SET plan = 'paid' WHERE user_id = %s", [ALICE])
    with acting(server, many, "alice") as alice:
        for page in MINE:
            alice.execute(ADD, [ALICE, page])
        starts = rows(
            alice, "SELECT DISTINCT history_start_at FROM user_url_library WHERE url_id = ANY (%s)", [MINE]
        )
    assert starts == [(None,)]


# --- at once ----------------------------------------------------------------------------------


def together(server: Server, database: str, level: str, sql: str) -> list[str]:
    """Eight sessions, each with its eyes open before any writes, write at once."""
    ready = Barrier(len(MINE))

    def one(page: str) -> str:
        with acting(server, database, "alice") as alice:

            def work() -> None:
                with alice.transaction():
                    alice.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
                    rows(alice, "SELECT count(*) FROM user_url_library")
                    ready.wait(60)
                    alice.execute(sql, {"user": ALICE, "page": page})

            return tried(work)

    with ThreadPoolExecutor(len(MINE)) as pool:
        return list(pool.map(one, MINE))


@pytest.mark.parametrize("level", LEVELS)
def test_many_inserts_at_once(server: Server, many: str, level: str) -> None:
    sql = "INSERT INTO user_url_library (user_id, url_id) VALUES (%(user)s, %(page)s)"
    said = together(server, many, level, sql)
    assert active(server, many) == 1 + said.count("done") <= FREE_PAGES
    assert said.count("done") >= 1
    if level == "READ COMMITTED":
        assert sorted(said) == ["capped"] * 6 + ["done"] * 2


@pytest.mark.parametrize("level", LEVELS)
def test_many_pages_turned_on_at_once(server: Server, many: str, level: str) -> None:
    with server.connect(many) as owner:
        owner.execute("SET digestlog.replay = 'on'")
        owner.execute(
            """INSERT INTO user_url_library (id, user_id, url_id, is_active)
            SELECT gen_random_uuid(), %s, unnest(%s::uuid[]), false""",
            [ALICE, MINE],
        )
    said = together(
        server, many, level, "UPDATE user_url_library SET is_active = true WHERE url_id = %(page)s"
    )
    assert active(server, many) == 1 + said.count("done") <= FREE_PAGES
    assert said.count("done") >= 1


@pytest.mark.parametrize(
    ("level", "said"), [("READ COMMITTED", "capped"), ("REPEATABLE READ", "again"), ("SERIALIZABLE", "again")]
)
def test_the_second_waits_for_the_first(server: Server, many: str, level: str, said: str) -> None:
    """The last free place: the first has taken it and not yet said so."""
    with acting(server, many, "alice") as first, acting(server, many, "alice") as second:
        first.execute(ADD, [ALICE, MINE[0]])
        pid = second.info.backend_pid
        second.execute(f"SET default_transaction_isolation = '{level.lower()}'")
        with ThreadPoolExecutor(1) as pool:
            second.execute("BEGIN")
            rows(second, "SELECT count(*) FROM user_url_library")
            with first.transaction():
                first.execute(ADD, [ALICE, MINE[1]])
                waiting = pool.submit(tried, lambda: second.execute(ADD, [ALICE, MINE[2]]))
                await_blocked(server, many, pid)
            assert waiting.result(60) == said
    assert active(server, many) == FREE_PAGES


def await_blocked(server: Server, database: str, pid: int) -> None:
    """Return once that session waits for another."""
    with server.connect(database, autocommit=True) as watcher:
        for _ in range(100_000):
            if rows(watcher, "SELECT 1 WHERE cardinality(pg_blocking_pids(%s)) > 0", [pid]):
                return
    raise AssertionError("it does not wait")


def test_two_users_do_not_wait_for_each_other(server: Server, many: str) -> None:
    with (
        acting(server, many, "alice") as alice,
        acting(server, many, "service") as service,
        alice.transaction(),
    ):
        alice.execute(ADD, [ALICE, MINE[0]])
        service.execute("SET lock_timeout = '5s'")
        service.execute(
            """INSERT INTO user_url_library (id, user_id, url_id)
            SELECT gen_random_uuid(), id, %s FROM users WHERE name = 'mallory'""",
            [MINE[0]],
        )
