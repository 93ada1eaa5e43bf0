"""What may be watched, asked of a real file: rules of one's own, packaged rules and lists together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digestlog.core.policy import ALLOW, BLOCK, DECISIONS, LIST, OWN, PACKAGED, REASONS, REVIEW, Rule
from digestlog.core.policy_rules import rule
from digestlog.errors import ConfigError, UrlError
from digestlog.store import policy, policy_lists
from digestlog.store.db import Database, open_database
from digestlog.store.policy_lists import Meaning

NOW_ISO, LATER_ISO = "2026-02-13T09:02:10+00:00", "2026-02-14T09:02:10+00:00"


@pytest.fixture
def later(db: Database, now: datetime) -> Iterator[Database]:
    """The file a day later."""
    with open_database(db.path, now=now + timedelta(days=1), frozen=True) as database:
        yield database


def put_list(
    db: Database, name: str, *names: str | tuple[str, bool], decision: str = BLOCK, code: str = "unknown"
) -> None:
    """A list whose names mean all below them, unless one says otherwise."""
    entries = [(one, True) if isinstance(one, str) else one for one in names]
    policy_lists.replace(db, Meaning(name, decision, code), entries)


def said(db: Database, url: str) -> tuple[str, str | None, str | None]:
    found = policy.evaluate(db, url)
    return found.decision, found.origin, found.pattern


# --- the look-up ------------------------------------------------------------------------------


def test_a_new_file_has_the_packaged_rules_and_no_others(db: Database) -> None:
    assert said(db, "https://a.example/") == (ALLOW, None, None)
    assert said(db, "https://films.xxx/") == (BLOCK, PACKAGED, "xxx")
    assert policy.own_rules(db) == []
    assert policy.lists(db) == []


def test_a_text_that_is_no_address_is_told(db: Database) -> None:
    with pytest.raises(UrlError):
        policy.evaluate(db, "not an address")


@pytest.mark.parametrize(
    ("kind", "pattern", "url"),
    [
        ("host", "a.example", "https://a.example/x"),
        ("domain", "a.example", "https://b.c.a.example/x"),
        ("tld", "example", "https://a.example/x"),
        ("path", "/x/*", "https://a.example/x/y"),
        ("url", "a.example/x?y=*", "https://a.example/x?y=2"),
        ("query", "y=2", "https://a.example/x?y=2"),
        ("host", "192.0.2.7", "http://192.0.2.7/"),
        ("host", "münchen.example", "https://xn--mnchen-3ya.example/"),
    ],
)
def test_a_rule_of_each_kind_is_found(db: Database, kind: str, pattern: str, url: str) -> None:
    (own,) = policy.add(db, [rule(kind, pattern, REVIEW, "duplicate", "seen before")])
    found = policy.evaluate(db, url)
    assert (found.decision, found.reason_code, found.reason) == (REVIEW, "duplicate", "seen before")
    assert (found.kind, found.pattern, found.origin) == (kind, own.pattern, OWN)
    assert said(db, "https://other.test/") == (ALLOW, None, None)


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_code_can_be_given_by_a_rule_and_by_a_list(db: Database, code: str) -> None:
    policy.add(db, [rule("domain", "a.example", BLOCK, code)])
    put_list(db, "named", "b.example", code=code)
    for host in ("a.example", "b.example"):
        found = policy.evaluate(db, f"https://{host}/")
        assert (found.decision, found.reason_code) == (BLOCK, code)
        assert set(found.evidence) == {"hostname", "pattern", "reason"}
        assert found.evidence["hostname"] == host == found.evidence["pattern"]


def test_a_rule_of_ones_own_overrides_a_packaged_one(db: Database) -> None:
    assert said(db, "https://bit.ly/x") == (REVIEW, PACKAGED, "bit.ly")
    policy.add(db, [rule("tld", "ly", ALLOW)])
    assert said(db, "https://bit.ly/x") == (ALLOW, OWN, "ly")


def test_a_rule_of_ones_own_overrides_a_list(db: Database) -> None:
    put_list(db, "bad", "a.example")
    assert said(db, "https://x.a.example/") == (BLOCK, LIST, "a.example")
    policy.add(db, [rule("host", "x.a.example", ALLOW)])
    assert said(db, "https://x.a.example/") == (ALLOW, OWN, "x.a.example")
    assert said(db, "https://y.a.example/") == (BLOCK, LIST, "a.example")


def test_a_list_that_allows_overrides_lists_and_packaged_rules(db: Database) -> None:
    put_list(db, "bad", "a.example")
    put_list(db, "ours", "a.example", "bit.ly", decision=ALLOW)
    assert said(db, "https://a.example/") == (ALLOW, LIST, "a.example")
    assert said(db, "https://bit.ly/x") == (ALLOW, LIST, "bit.ly")


def test_the_stricter_of_a_packaged_rule_and_a_list_counts(db: Database) -> None:
    put_list(db, "bad", "cheap.top", "films.xxx")
    assert said(db, "https://cheap.top/") == (BLOCK, LIST, "cheap.top")
    assert said(db, "https://films.xxx/") == (BLOCK, PACKAGED, "xxx")


def test_lists_are_asked_for_the_host_and_every_domain_above_it(db: Database) -> None:
    put_list(db, "bad", "a.example", ("exact.example", False), "9.9.9.9", "zip")
    assert policy.evaluate(db, "https://x.y.a.example/").list_name == "bad"
    assert said(db, "https://xa.example/") == (ALLOW, None, None)
    assert said(db, "https://www.exact.example/")[0] == BLOCK
    assert said(db, "https://x.exact.example/")[0] == ALLOW
    assert said(db, "http://9.9.9.9/") == (BLOCK, LIST, "9.9.9.9")
    assert said(db, "http://file.zip/") == (BLOCK, LIST, "zip")


def test_an_exception_holds_for_its_own_list_alone(db: Database) -> None:
    put_list(db, "one", "a.example", "!good.a.example")
    assert said(db, "https://x.good.a.example/") == (ALLOW, None, None)
    assert said(db, "https://bad.a.example/") == (BLOCK, LIST, "a.example")
    put_list(db, "two", "a.example", decision=REVIEW)
    assert said(db, "https://x.good.a.example/") == (REVIEW, LIST, "a.example")
    assert policy.evaluate(db, "https://x.good.a.example/").list_name == "two"


def test_an_allowing_exception_allows_nothing_by_itself(db: Database) -> None:
    put_list(db, "one", "a.example", "!films.xxx")
    assert said(db, "https://films.xxx/") == (BLOCK, PACKAGED, "xxx")


def test_the_longest_host_is_looked_up(db: Database) -> None:
    host = "a." * 123 + "example"
    put_list(db, "bad", "example")
    assert said(db, f"https://{host}/") == (BLOCK, LIST, "example")


def test_the_look_up_searches_the_index_and_never_the_whole_list(db: Database) -> None:
    put_list(db, "bad", "a.example")
    plans: list[str] = []

    def explain(sql: str) -> None:
        if sql.startswith("SELECT") and "policy_" in sql:
            asked.append(sql)

    asked: list[str] = []
    db.connection.set_trace_callback(explain)
    policy.evaluate(db, "https://x.a.example/")
    db.connection.set_trace_callback(None)
    for sql in asked:
        plans += [row["detail"] for row in db.rows(f"EXPLAIN QUERY PLAN {sql}")]
    steps = [plan for plan in plans if "policy_domains" in plan]
    assert steps == ["SEARCH policy_domains USING PRIMARY KEY (list_name=? AND domain=?)"]
    assert not [plan for plan in plans if "SCAN policy_rules" in plan]


def test_asking_writes_nothing(db: Database) -> None:
    policy.add(db, [rule("tld", "xxx", ALLOW)])
    before = db.connection.total_changes
    policy.evaluate(db, "https://films.xxx/")
    assert db.connection.total_changes == before


_HOSTS = st.sampled_from(["a.example", "b.a.example", "www.a.example", "example", "b.test"])
_ENTRIES = st.lists(st.tuples(_HOSTS, st.booleans()), min_size=1, max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.tuples(_ENTRIES, st.sampled_from(DECISIONS)), max_size=3), _HOSTS)
def test_lists_decide_as_reading_them_from_end_to_end_would(
    db: Database, wanted: list[tuple[list[tuple[str, bool]], str]], host: str
) -> None:
    policy.remove(db, [one.name for one in policy.lists(db)])
    for number, (entries, decision) in enumerate(wanted):
        put_list(db, f"list {number}", *entries, decision=decision)
    meant = {
        decision
        for entries, decision in wanted
        for name, below in entries
        if name in (host, host.removeprefix("www.")) or (below and host.endswith(f".{name}"))
    }
    expected = next((one for one in (ALLOW, BLOCK, REVIEW) if one in meant), ALLOW)
    assert policy.evaluate(db, f"https://{host}/").decision == expected


# --- rules of one's own -----------------------------------------------------------------------


def test_a_rule_is_stored_with_an_id_that_every_machine_gives_it(db: Database) -> None:
    (own,) = policy.add(db, [rule("domain", "a.example", BLOCK, "duplicate", "twice")])
    assert own == policy.OwnRule(
        str(uuid5(NAMESPACE_URL, "digestlog:policy:domain:a.example")),
        "domain",
        "a.example",
        BLOCK,
        "duplicate",
        "twice",
        NOW_ISO,
        NOW_ISO,
    )
    assert policy.own_rules(db) == [own]


def test_a_rule_with_the_same_pattern_takes_the_others_place(db: Database, later: Database) -> None:
    policy.add(db, [rule("tld", "top", BLOCK)])
    (own,) = policy.add(later, [rule("tld", "TOP", ALLOW)])
    assert policy.own_rules(db) == [own]
    assert (own.decision, own.reason_code) == (ALLOW, None)
    assert (own.created_at, own.updated_at) == (NOW_ISO, LATER_ISO)


def test_the_same_rule_again_changes_nothing(db: Database, later: Database) -> None:
    before = policy.add(db, [rule("tld", "top", BLOCK)])
    assert policy.add(later, [rule("tld", "top", BLOCK)]) == before


def test_several_rules_are_written_together_and_the_last_of_equals_counts(db: Database) -> None:
    written = policy.add(
        db, [rule("tld", "top", BLOCK), rule("host", "a.example", BLOCK), rule("tld", "top", REVIEW)]
    )
    assert [(one.kind, one.decision) for one in written] == [("host", BLOCK), ("tld", REVIEW)]


def test_rules_are_written_all_or_none(db: Database) -> None:
    with pytest.raises(Exception, match="CHECK"):
        policy.add(db, [rule("tld", "top", BLOCK), Rule("shape", "ip-address", BLOCK, "unknown")])
    assert policy.own_rules(db) == []


# --- taking away ------------------------------------------------------------------------------


@pytest.fixture
def some(db: Database) -> Database:
    """A file with two rules and a list."""
    policy.add(db, [rule("tld", "top", BLOCK), rule("domain", "a.example", BLOCK)])
    put_list(db, "bad", "b.example", "c.example")
    return db


def left(db: Database) -> set[str]:
    return {own.pattern for own in policy.own_rules(db)} | {one.name for one in policy.lists(db)}


@pytest.mark.parametrize("size", [36, 8, 4])
def test_a_rule_is_removed_by_its_id(some: Database, size: int) -> None:
    wanted = policy.rule_id("tld", "top")
    (gone,) = policy.remove(some, [wanted[:size].upper() if size < 36 else wanted])
    assert isinstance(gone, policy.OwnRule) and gone.pattern == "top"
    assert left(some) == {"a.example", "bad"}


def test_a_rule_is_removed_by_its_pattern(some: Database) -> None:
    policy.remove(some, ["a.example"])
    assert left(some) == {"top", "bad"}


def test_a_list_is_removed_with_its_names(some: Database) -> None:
    (gone,) = policy.remove(some, ["bad"])
    assert isinstance(gone, policy.DomainList) and gone.domains == 2
    assert left(some) == {"top", "a.example"}
    assert some.rows("SELECT * FROM policy_domains") == []
    assert said(some, "https://b.example/")[0] == ALLOW


def test_a_name_is_a_list_first(some: Database) -> None:
    put_list(some, "top", "d.example")
    assert isinstance(policy.remove(some, ["top"])[0], policy.DomainList)
    assert isinstance(policy.remove(some, ["top"])[0], policy.OwnRule)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nothing", "no list or rule"),
        ("abc", "no list or rule"),
        ("bit.ly", "packaged"),
    ],
)
def test_what_is_not_there_is_told_and_nothing_is_removed(some: Database, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        policy.remove(some, ["top", "bad", text])
    assert caught.value.hint
    assert left(some) == {"top", "a.example", "bad"}


def test_a_pattern_of_several_rules_is_told_with_their_ids(some: Database) -> None:
    policy.add(some, [rule("host", "a.example", BLOCK)])
    with pytest.raises(ConfigError, match="several") as caught:
        policy.remove(some, ["a.example"])
    hint = caught.value.hint or ""
    assert (
        policy.rule_id("host", "a.example")[:8] in hint and policy.rule_id("domain", "a.example")[:8] in hint
    )
