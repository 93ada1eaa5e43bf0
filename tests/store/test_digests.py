"""Digests as they were made: kept whole, each user's own, forgotten without a trace in the history."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from digest_samples import CANDIDATES, FULL, HOSTILE, ID, digest, item
from store.rows import ARTICLE_UUID, THEN, USER, put, uuid

from digestlog.core.digest import Candidate, Digest
from digestlog.core.digest_ids import item_id
from digestlog.errors import ConfigError, LockedFile
from digestlog.store import digests, users
from digestlog.store.db import Database, open_database
from digestlog.store.digests import Listed

LATER = "2026-02-14T09:02:10+00:00"


@pytest.fixture
def owner(db: Database) -> str:
    return users.current(db, None)


@pytest.fixture
def anna(db: Database) -> str:
    """Another user."""
    with db.transaction() as connection:
        put(connection, "users")
    return USER


def save(db: Database, made: Digest, user_id: str, candidates: tuple[Candidate, ...] = ()) -> Digest:
    with db.transaction() as connection:
        digests.save(db, connection, made, user_id, candidates)
    return made


def count(db: Database, table: str) -> int:
    return int(db.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"])


# --- save and get -----------------------------------------------------------------------------


def test_a_digest_comes_back_whole(db: Database, owner: str) -> None:
    save(db, FULL, owner, CANDIDATES)
    assert digests.get(db, owner, ID) == FULL


def test_an_article_of_the_ledger(db: Database, owner: str) -> None:
    with db.transaction() as connection:
        put(connection, "sources_master_list")
        put(connection, "extracted_article_urls")
    save(db, digest(item(article_uuid=ARTICLE_UUID), item(position=1)), owner)
    assert [one.article_uuid for one in digests.get(db, owner, ID).items] == [ARTICLE_UUID, None]


def test_a_date_is_kept_in_utc(db: Database, owner: str) -> None:
    save(db, digest(item(published_utc_iso="2026-02-12T16:03:12.5+02:00")), owner)
    assert digests.get(db, owner, ID).items[0].published_utc_iso == THEN


def test_the_columns(db: Database, owner: str) -> None:
    save(db, FULL, owner)
    (synthesis,) = db.rows("SELECT * FROM syntheses")
    assert (synthesis["user_id"], synthesis["created_at"]) == (owner, FULL.created_at)
    assert json.loads(synthesis["providers"]) == {
        "classifier": "embedded",
        "summaries": "extractive",
        "notes": ["Radio Coast: no answer"],
        "categories": ["Town", "Science"],
    }
    rows = db.rows("SELECT * FROM synthesis_items ORDER BY category DESC, position")
    assert [row["id"] for row in rows] == [item_id(ID, one.category, one.position) for one in FULL.items]
    assert {row["created_at"] for row in rows} == {FULL.created_at}
    assert json.loads(rows[0]["other_links"])[0] == {
        "url": "https://times.example/b?x=1&y=2",
        "title": "Bridge shut",
        "source": "The Times",
    }


def test_the_order_is_the_digest_s_own(db: Database, owner: str) -> None:
    """Neither that of the alphabet nor that of the categories as they are now."""
    names = ["Zoo", "Art", "Money", "Books"]
    made = digest(*(item(str(n), category=name, position=n) for name in names for n in (0, 1, 10)))
    save(db, made, owner)
    assert digests.get(db, owner, ID) == made


def test_a_row_from_elsewhere_has_an_order_too(db: Database, owner: str) -> None:
    with db.transaction() as connection:
        put(connection, "syntheses", user_id=owner, title=None, providers='{"categories": ["Town"]}')
        for number, name in enumerate(("Zoo", "Art", "Town")):
            put(connection, "synthesis_items", id=uuid(90 + number), category=name, article_uuid=None)
    found = digests.get(db, owner, "latest")
    assert [one.category for one in found.items] == ["Town", "Art", "Zoo"]
    assert (found.title, found.notes, found.providers) == ("", (), {})


@pytest.mark.parametrize("text", [*HOSTILE, "', (1)); DROP TABLE users; --", "é\U0001f600"])
def test_any_text_comes_back(db: Database, owner: str, text: str) -> None:
    one = item(text, category=text, summary=text, source=text, why=text)
    made = digest(one, title=text, notes=(text,), providers={"classifier": text})
    save(db, made, owner, (Candidate(text, None, "taken", text),))
    assert digests.get(db, owner, ID) == made
    assert digests.candidates(db, owner, ID) == [Candidate(text, None, "taken", text)]


def test_what_is_no_text_is_left_out(db: Database, owner: str) -> None:
    bad = "a\x00b\ud800c"
    one = item("", summary="\x00", source=bad, why=bad)
    save(db, digest(one, notes=(bad,), title=bad), owner, (Candidate("https://e.org/", None, "empty", ""),))
    found = digests.get(db, owner, ID)
    (kept,) = found.items
    assert (kept.title, kept.summary, kept.source, kept.why) == (None, None, "abc", "abc")
    assert found.title == "abc" and "\ud800" not in found.notes[0]
    assert digests.candidates(db, owner, ID)[0].detail is None


def test_an_empty_digest_is_kept(db: Database, owner: str) -> None:
    save(db, digest(), owner)
    assert digests.get(db, owner, "latest") == digest()


def test_all_or_nothing(db: Database, owner: str) -> None:
    """What fails after the save takes the digest with it."""
    with pytest.raises(RuntimeError), db.transaction() as connection:
        digests.save(db, connection, FULL, owner, CANDIDATES)
        raise RuntimeError
    for table in ("syntheses", "synthesis_items", "synthesis_candidates"):
        assert count(db, table) == 0


# --- which one --------------------------------------------------------------------------------


def test_by_the_beginning_of_its_id(db: Database, owner: str) -> None:
    other = "abcdef00-0000-4000-8000-00000000000c"
    save(db, digest(), owner)
    save(db, digest(id=other), owner)
    for wanted in ("a", "abcdef00-", other, other.upper(), "ABC"):
        assert digests.get(db, owner, wanted).id == other
    assert digests.get(db, owner, "0").id == ID


def test_a_beginning_that_several_have(db: Database, owner: str) -> None:
    for last in "bc":
        save(db, digest(id=ID[:-1] + last), owner)
    with pytest.raises(ConfigError, match="several digests begin with 0000") as caught:
        digests.get(db, owner, "0000")
    assert caught.value.hint == "give more of the id"


@pytest.mark.parametrize("wanted", ["f", "", "*", "?", "[0-9]*", "%", "0' OR 1", "latest ", ID + "0", "é"])
@pytest.mark.parametrize("call", [digests.get, digests.delete, digests.candidates])
def test_one_that_is_not_there(db: Database, owner: str, wanted: str, call: Callable[..., Any]) -> None:
    save(db, digest(), owner)
    with pytest.raises(ConfigError) as caught:
        call(db, owner, wanted)
    assert caught.value.message == f"there is no digest {wanted}"
    assert caught.value.hint == "see: digestlog digest list"
    assert count(db, "syntheses") == 1


def test_before_the_first(db: Database, owner: str) -> None:
    with pytest.raises(ConfigError, match="there is no digest yet"):
        digests.get(db, owner, "latest")
    assert digests.list_digests(db, owner) == []


def test_the_latest(db: Database, owner: str) -> None:
    for last, at in (("e", LATER), ("d", LATER), ("f", FULL.created_at)):
        save(db, digest(id=ID[:-1] + last, created_at=at), owner)
    assert digests.get(db, owner, "latest").id[-1] == "d"  # of two in a second, the later written
    assert [one.id[-1] for one in digests.list_digests(db, owner)] == ["d", "e", "f"]


def test_a_list(db: Database, owner: str) -> None:
    save(db, FULL, owner, CANDIDATES)
    assert digests.list_digests(db, owner) == [Listed(ID, "Digest of Friday", FULL.created_at, 3, 4)]


# --- only one's own ---------------------------------------------------------------------------


def test_nobody_sees_another_s(db: Database, owner: str, anna: str) -> None:
    save(db, FULL, anna, CANDIDATES)
    for call in (digests.get, digests.candidates, digests.delete):
        for wanted in (ID, "0", "latest"):
            with pytest.raises(ConfigError, match="there is no digest"):
                call(db, owner, wanted)
    assert digests.list_digests(db, owner) == []
    assert digests.recent_hosts(db, owner, 5) == set()
    assert digests.get(db, anna, "latest").user == "anna"


def test_another_s_id_does_not_make_mine_unclear(db: Database, owner: str, anna: str) -> None:
    save(db, digest(), owner)
    save(db, digest(id=ID[:-1] + "c"), anna)
    assert digests.get(db, owner, "0").id == ID


# --- delete -----------------------------------------------------------------------------------


def test_delete_leaves_the_history(db: Database, owner: str) -> None:
    other = digest(item(), id=uuid(99))
    save(db, FULL, owner, CANDIDATES)
    save(db, other, owner, CANDIDATES)
    with db.transaction() as connection:
        put(connection, "article_history", user_id=owner)
    assert digests.delete(db, owner, ID) == ID
    assert [one.id for one in digests.list_digests(db, owner)] == [other.id]
    assert count(db, "article_history") == 1
    assert (count(db, "synthesis_items"), count(db, "synthesis_candidates")) == (1, len(CANDIDATES))


def test_delete_the_latest(db: Database, owner: str) -> None:
    save(db, digest(), owner)
    save(db, digest(id=uuid(99), created_at=LATER), owner)
    assert digests.delete(db, owner, "latest") == uuid(99)
    assert digests.delete(db, owner, "latest") == ID


def test_delete_in_a_locked_file(db: Database, owner: str) -> None:
    save(db, digest(), owner)
    with open_database(db.path, now=db.now, busy_timeout_s=0.0) as other:
        with db.transaction(), pytest.raises(LockedFile):
            digests.delete(other, owner, ID)
        assert digests.delete(other, owner, ID) == ID


# --- candidates -------------------------------------------------------------------------------


def test_candidates_come_back(db: Database, owner: str) -> None:
    save(db, FULL, owner, CANDIDATES)
    assert set(digests.candidates(db, owner, "latest")) == set(CANDIDATES)
    assert [one.outcome for one in digests.candidates(db, owner, ID)] == [
        "duplicate",
        "history",
        "history",
        "taken",
    ]


@pytest.mark.parametrize(
    ("outcomes", "kept"),
    [(("history", "empty"), "history"), (("duplicate", "taken"), "taken"), (("taken", "duplicate"), "taken")],
)
def test_an_address_twice(db: Database, owner: str, outcomes: tuple[str, str], kept: str) -> None:
    twice = tuple(Candidate("https://e.org/", None, outcome, outcome) for outcome in outcomes)
    save(db, digest(), owner, twice)
    assert digests.candidates(db, owner, ID) == [Candidate("https://e.org/", None, kept, kept)]


def test_every_outcome_that_a_digest_has_can_be_kept(db: Database, owner: str) -> None:
    from digestlog.core.render.labels import ENGLISH

    named = tuple(Candidate(f"https://e.org/{name}", None, name) for name in ENGLISH.outcomes)
    save(db, digest(), owner, named)
    assert set(digests.candidates(db, owner, ID)) == set(named)


# --- recent hosts -----------------------------------------------------------------------------


def test_recent_hosts(db: Database, owner: str) -> None:
    for number, host in enumerate(("old", "mid", "www.new")):
        one = item(url=f"https://{host}.example:8443/a", position=0)
        again = item(url=f"https://{host}.example/b", position=1)
        save(
            db,
            digest(one, again, id=uuid(50 + number), created_at=f"2026-02-1{number}T00:00:00+00:00"),
            owner,
        )
    assert digests.recent_hosts(db, owner, 1) == {"new.example"}
    assert digests.recent_hosts(db, owner, 2) == {"new.example", "mid.example"}
    assert digests.recent_hosts(db, owner, 100) == {"new.example", "mid.example", "old.example"}
    assert digests.recent_hosts(db, owner, 0) == digests.recent_hosts(db, owner, -1) == set()


def test_an_empty_digest_does_not_count(db: Database, owner: str) -> None:
    save(db, digest(item()), owner)
    save(db, digest(id=uuid(50), created_at=LATER), owner)
    assert digests.recent_hosts(db, owner, 1) == {"harbour.example"}


# --- what earlier digests looked at -----------------------------------------------------------


def looked(db: Database, user_id: str, number: int, **outcomes: str) -> None:
    """A digest of day `number` with candidates https://e.org/NAME that had these outcomes."""
    found = tuple(Candidate(f"https://e.org/{name}", None, outcome) for name, outcome in outcomes.items())
    made = digest(id=uuid(50 + number), created_at=f"2026-02-{10 + number}T00:00:00+00:00")
    save(db, made, user_id, found)


def test_the_last_look_counts(db: Database, owner: str, anna: str) -> None:
    looked(db, owner, 2, a="over_quota", b="over_budget", c="taken")
    looked(db, owner, 1, a="failed", c="over_budget", d="outside_window", e="no_identity", f="homepage")
    looked(db, anna, 3, a="taken", b="taken", g="over_budget")
    names = [f"https://e.org/{name}" for name in "abcdefg"]
    assert digests.looked_at(db, owner, names) == {names[0]: "over_quota", names[2]: "taken"}
    assert digests.looked_at(db, owner, names[1:2]) == digests.looked_at(db, owner, []) == {}


def test_since_when_something_waits(db: Database, owner: str, anna: str) -> None:
    for number in (3, 1, 2):
        looked(db, owner, number, a="over_budget", b="over_quota")
    looked(db, anna, 0, a="over_budget")
    names = ["https://e.org/a", "https://e.org/b"]
    assert digests.waiting(db, owner, names) == {names[0]: "2026-02-11T00:00:00+00:00"}
    assert digests.waiting(db, owner, []) == {}


def test_an_article_is_known_by_its_id_too(db: Database, owner: str) -> None:
    with db.transaction() as connection:
        put(connection, "sources_master_list")
        put(connection, "extracted_article_urls")
    one, other = (Candidate(f"https://e.org/{name}", ARTICLE_UUID, "over_quota") for name in "ab")
    late = Candidate("https://e.org/b", ARTICLE_UUID, "over_budget")
    save(db, digest(), owner, (one,))
    save(db, digest(id=uuid(50), created_at=LATER), owner, (late,))
    assert digests.looked_at(db, owner, [ARTICLE_UUID])[ARTICLE_UUID] == "over_quota"
    assert digests.waiting(db, owner, [ARTICLE_UUID])[ARTICLE_UUID] == LATER
    assert other.url not in digests.looked_at(db, owner, [ARTICLE_UUID])


# --- where addresses lead ---------------------------------------------------------------------


def test_the_other_addresses_of_what_was_shown(db: Database, owner: str, anna: str) -> None:
    short, end, third = "https://s.example/1", "https://a.example/one", "https://t.example/1"
    made = replace(digest(item(url=short)), addresses={short: (end, third)})
    save(db, made, owner)
    assert digests.get(db, owner, ID) == made
    for asked in (short, end, third):
        assert digests.also_at(db, owner, [asked]) == {short, end, third}
        assert digests.also_at(db, anna, [asked]) == set()
    assert digests.also_at(db, owner, ["https://a.example/two"]) == digests.also_at(db, owner, []) == set()
