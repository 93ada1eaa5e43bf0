"""`digestlog history`: what a person was shown, by any spelling of its address."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from cli.conftest import Terminal
from digest_samples import digest
from digest_samples import item as digest_item
from scan_fakes import Desk, item, rss
from store.rows import put

from digestlog.core.canonical import url_hash
from digestlog.core.ledger import RESOLVED, Candidate, NewArticle, Resolution, identified
from digestlog.core.model import Hop, NewSource
from digestlog.core.moments import to_iso
from digestlog.store import digests, history, sources, users
from digestlog.store import ledger as ledger_store
from digestlog.store.db import open_database

A, B = "https://e.org/a", "https://e.org/b"
NOW_ISO, UNTIL = "2026-02-13T09:02:10+00:00", "2026-05-14T09:02:10+00:00"


def at(terminal: Terminal, now: datetime) -> Terminal:
    """The same file at another time."""
    return Terminal(terminal.path, now)


def listed(terminal: Terminal, **options: Any) -> list[str]:
    return [shown["url"] for shown in terminal.json("history", "list", **options)]


def test_an_address_that_a_digest_found_to_lead_elsewhere(digestlog: Terminal) -> None:
    """The ledger knows nothing of it: what the digest learnt is enough to let the article come back."""
    short, end = "https://s.example/1", "https://e.org/end"
    made = replace(digest(digest_item(url=short)), addresses={short: (end,)})
    for asked in (short, end):
        with (
            open_database(digestlog.path, now=digestlog.now, frozen=True) as db,
            db.transaction() as connection,
        ):
            owner = users.current(db, None)
            connection.execute("DELETE FROM syntheses")
            digests.save(db, connection, made, owner, ())
            history.insert_urls(db, connection, owner, [(url, url_hash(url)) for url in (short, end)])
        assert [one["in_history"] for one in digestlog.json("history", "check", short, end)] == [True, True]
        assert digestlog.json("history", "remove", asked)["removed"] == 2
        assert listed(digestlog) == []


def lead(terminal: Terminal, original: str, final: str) -> None:
    """Let the ledger know where an address leads."""
    found = identified(
        Candidate(original, None, None, None, None, "fast"),
        Resolution(RESOLVED, final, (Hop(301, final),), 200),
    )
    assert isinstance(found, NewArticle)
    with open_database(terminal.path, now=terminal.now, frozen=True) as db:
        source = sources.insert(db, NewSource("https://s.example/feed", "S", "RSS")).source
        with db.transaction() as connection:
            ledger_store.record(db, connection, source, [found], [])


# --- add and list -----------------------------------------------------------------------------


def test_an_empty_history(digestlog: Terminal) -> None:
    result = digestlog("history", "list")
    assert (result.stdout, result.stderr) == ("", "The history is empty.\n")
    assert digestlog("history", "list", root=["-q"]).stderr == ""
    assert digestlog.json("history", "list") == []


def test_what_is_added_is_listed(digestlog: Terminal) -> None:
    result = digestlog("history", "add", A, "https://E.org/A/?utm_source=x", B)
    assert (result.stdout, result.stderr) == ("2 added, 1 known already\n", "")
    assert digestlog.json("history", "list") == [
        {"url": url, "url_hash": url_hash(url), "created_at": NOW_ISO} for url in (A, B)
    ]
    lines = digestlog("history", "list").stdout.splitlines()
    assert lines == ["SHOWN                      ADDRESS", f"{NOW_ISO}  {A}", f"{NOW_ISO}  {B}"]


def test_the_latest_first_and_how_many_there_are(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    later = at(digestlog, digestlog.now + timedelta(days=1))
    later("history", "add", B)
    result = later("history", "list", "--limit", "1")
    assert result.stdout.endswith(f"{B}\n")
    assert result.stderr == "1 of 2; for more: --limit\n"
    assert later("history", "list", "--limit", "1", root=["-q"]).stderr == ""
    assert listed(later) == [B, A]


def test_the_json_of_adding(digestlog: Terminal) -> None:
    digestlog("history", "add", B)
    result = digestlog.json("history", "add", "https://e.org/A", A, B, "nonsense", code=1)
    assert result["added"] == 1
    assert [(one["input"], one.get("outcome")) for one in result["results"]] == [
        ("https://e.org/A", "new"),
        (A, "known"),
        (B, "known"),
        ("nonsense", None),
    ]
    assert result["results"][0] == {
        "input": "https://e.org/A",
        "url": "https://e.org/A",
        "url_hash": url_hash(A),
        "outcome": "new",
    }
    assert result["results"][3] == {
        "input": "nonsense",
        "error": "'nonsense' has no identity (relative)",
        "hint": "write it whole, like https://example.org/story",
    }


def test_one_wrong_address_does_not_stop_the_others(digestlog: Terminal) -> None:
    result = digestlog("history", "add", "mailto:a@e.org", A, "\udcff", "", code=1)
    assert result.stdout == "1 added, 0 known already\n"
    assert [line for line in result.stderr.splitlines() if line.startswith("Error")] == [
        "Error: 'mailto:a@e.org' has no identity (unsupported_scheme)",
        "Error: '\\\\udcff' has no identity (not_text)",
        "Error: '' has no identity (empty)",
    ]
    assert listed(digestlog) == [A]


def test_addresses_from_standard_input(digestlog: Terminal) -> None:
    lines = f"{A}\r\n\n  {B}  \n".encode() + b"https://e.org/\xff\n"
    result = digestlog("history", "add", "-", "https://e.org/c", input=lines, code=1)
    assert result.stdout == "3 added, 0 known already\n"
    assert "not_text" in result.stderr
    assert digestlog("history", "check", "-", input=f"{A}\n").stdout.startswith(f"{A}: shown ")
    assert digestlog("history", "add", "-", input="\n").stdout == "0 added, 0 known already\n"


def test_no_password_is_stored_or_shown(digestlog: Terminal) -> None:
    assert "secret" not in digestlog("history", "check", "https://me:secret@e.org/a").output
    digestlog("history", "add", "https://me:secret@e.org/a")
    assert listed(digestlog) == [A]


# --- check ------------------------------------------------------------------------------------


def test_a_check(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    result = digestlog("history", "check", "https://e.org/a/#top", B)
    assert result.stdout.splitlines() == [
        f"https://e.org/a/: shown {NOW_ISO}, stays out until {UNTIL}",
        f"{B}: not in the history",
    ]


def test_the_json_of_a_check(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    known, new, wrong = digestlog.json("history", "check", A, B, "x", code=1)
    assert known == {
        "input": A,
        "url": A,
        "url_hash": url_hash(A),
        "in_history": True,
        "shown_at": NOW_ISO,
        "stays_out_until": UNTIL,
    }
    assert (new["in_history"], new["shown_at"], new["stays_out_until"]) == (False, None, None)
    assert wrong["error"] == "'x' has no identity (relative)"


def test_until_the_last_second(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    last = digestlog.now + timedelta(days=90)
    assert "stays out until" in at(digestlog, last)("history", "check", A).stdout
    after = at(digestlog, last + timedelta(seconds=1))
    assert after("history", "check", A).stdout == f"{A}: shown {NOW_ISO}, may come back\n"


def test_without_a_history_everything_may_come_back(digestlog: Terminal) -> None:
    digestlog("settings", "set", "article_history_days", "0")
    assert digestlog("history", "add", A).stderr == "The history is off: see digestlog settings show\n"
    assert digestlog("history", "add", A, root=["-q"]).stderr == ""
    assert digestlog("history", "check", A).stdout.endswith("may come back\n")


def test_an_address_counts_as_the_article_that_it_leads_to(digestlog: Terminal) -> None:
    short, final = "https://s.example/1", "https://e.org/Story"
    lead(digestlog, short, final)
    digestlog("history", "add", short)
    assert listed(digestlog) == [final]
    for spelling in (short, final, "http://e.org/Story/", "https://e.org/story"):
        (answer,) = digestlog.json("history", "check", spelling)
        assert answer["in_history"], spelling
    digestlog("history", "remove", short)
    assert listed(digestlog) == []


def test_what_was_shown_before_the_ledger_knew_where_it_leads(digestlog: Terminal) -> None:
    short = "https://s.example/1"
    digestlog("history", "add", short)
    lead(digestlog, short, A)
    assert digestlog.json("history", "check", short)[0]["in_history"]
    assert digestlog("history", "remove", short).stdout == "1 removed\n"
    assert listed(digestlog) == []


def test_articles_of_a_scan(digestlog: Terminal) -> None:
    desk = Desk(digestlog.path, digestlog.now)
    desk.follow("https://one.example/feed", rss(item("https://e.org/Bridge?utm_source=feed", "The bridge")))
    desk.scan()
    digestlog("history", "add", "https://e.org/Bridge?utm_source=feed")
    assert listed(digestlog) == ["https://e.org/Bridge"]


# --- remove -----------------------------------------------------------------------------------


def test_a_removal(digestlog: Terminal) -> None:
    digestlog("history", "add", A, B)
    assert digestlog("history", "remove", "https://E.org/a/").stdout == "1 removed\n"
    assert listed(digestlog) == [B]


def test_what_is_not_there_does_not_stop_the_others(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    result = digestlog("history", "remove", B, A, "x", code=1)
    assert result.stdout == "1 removed\n"
    assert f"Error: {B} is not in the history\nHint: see: digestlog history list\n" in result.stderr
    assert "'x' has no identity (relative)" in result.stderr
    again = digestlog.json("history", "remove", A, code=1)
    assert again == {
        "removed": 0,
        "failed": [
            {"input": A, "error": f"{A} is not in the history", "hint": "see: digestlog history list"}
        ],
    }


def test_everything(digestlog: Terminal) -> None:
    digestlog("history", "add", A, B)
    assert digestlog.json("history", "remove", "--all") == {"removed": 2, "failed": []}
    assert listed(digestlog) == []


@pytest.mark.parametrize("words", [["remove"], ["remove", "--all", A], ["add"], ["check"], ["prune", "-1"]])
def test_wrong_command_lines(digestlog: Terminal, words: list[str]) -> None:
    digestlog("history", *words, code=2)


# --- prune ------------------------------------------------------------------------------------


def test_a_prune_by_the_setting(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    later = at(digestlog, digestlog.now + timedelta(days=90))
    later("history", "add", B)
    assert later("history", "prune").stdout == "0 removed\n"
    after = at(digestlog, later.now + timedelta(seconds=1))
    assert after.json("history", "prune") == {"removed": 1, "days": 90}
    assert listed(after) == [B]
    after("settings", "set", "article_history_days", "1")
    assert at(digestlog, after.now + timedelta(days=2))("history", "prune").stdout == "1 removed\n"


def test_a_prune_by_days(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    later = at(digestlog, digestlog.now + timedelta(days=8))
    assert later.json("history", "prune", "--days", "8") == {"removed": 0, "days": 8}
    assert later.json("history", "prune", "--days", "7") == {"removed": 1, "days": 7}


@pytest.mark.parametrize("days", ["0", "366", "x"])
def test_what_are_no_days(digestlog: Terminal, days: str) -> None:
    digestlog("history", "prune", "--days", days, code=2)


def test_without_a_history_nothing_is_pruned(digestlog: Terminal) -> None:
    digestlog("history", "add", A)
    digestlog("settings", "set", "article_history_days", "0")
    later = at(digestlog, digestlog.now + timedelta(days=4_000))
    result = later("history", "prune")
    assert result.stdout == "0 removed\n"
    assert result.stderr.startswith("The history is off")
    assert later("history", "prune", root=["-q"]).stderr == ""
    assert listed(later) == [A]


# --- users ------------------------------------------------------------------------------------


def test_each_user_has_their_own(digestlog: Terminal) -> None:
    with open_database(digestlog.path, now=digestlog.now) as db, db.transaction() as connection:
        put(connection, "users", created_at=to_iso(digestlog.now))
    anna = ["--user", "anna"]
    digestlog("history", "add", A, root=anna)
    assert (listed(digestlog), listed(digestlog, root=anna)) == ([], [A])
    assert digestlog("history", "check", A).stdout == f"{A}: not in the history\n"
    digestlog("history", "remove", A, code=1)
    digestlog("history", "remove", "--all")
    assert listed(digestlog, root=anna) == [A]
    assert (
        "there is no user called bob" in digestlog("history", "list", root=["--user", "bob"], code=1).stderr
    )
