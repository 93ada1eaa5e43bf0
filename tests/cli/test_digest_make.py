"""`digestlog digest`: from the sources to a digest, on the demo's web."""

from __future__ import annotations

import asyncio
import html
import io
import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Any

import feedparser
import pytest
from cli.conftest import Terminal
from store.rows import put
from web.model_server import Endpoint, label, said
from web.post_office import PostOffice

from digestlog.store.db import open_database
from digestlog.store.lock import exclusive

TOWN = ("--keyword", "council, councillor, bridge, library, homes, planning, bins, road, residents")
STAGE = ("--keyword", "theatre, lantern, procession")
BRIDGE = "http://harbour-times.example/news/swing-bridge-stuck-open"


@pytest.fixture
def ready(in_town: Terminal) -> Terminal:
    """Commands on a file with two sources and two categories, and room for two stories in each."""
    in_town("sources", "add", "http://harbour-times.example/", "http://port-alder-council.example/news")
    in_town("categories", "add", "Town", *TOWN)
    in_town("categories", "add", "Stage", *STAGE)
    in_town("settings", "set", "max_items_per_category", "2")
    return in_town


def addresses(digest: dict[str, Any]) -> list[str]:
    """Every address that a digest shows."""
    return [link["url"] for item in digest["items"] for link in (item, *item["other_links"])]


def rows(terminal: Terminal) -> dict[str, int]:
    """How much there is of what a digest writes."""
    tables = ("syntheses", "synthesis_items", "synthesis_candidates", "article_history")
    with open_database(terminal.path, now=terminal.now) as db:
        return {table: len(db.rows(f"SELECT 1 FROM {table}")) for table in tables}


def with_anna(terminal: Terminal) -> None:
    with open_database(terminal.path, now=terminal.now) as db, db.transaction() as connection:
        put(connection, "users", created_at="2030-01-01T00:00:00+00:00")


# --- one digest -------------------------------------------------------------------------------


def test_a_digest(ready: Terminal) -> None:
    result = ready("digest")
    assert result.stdout.startswith("# Digest of 2026-02-13\n")
    assert result.stdout.index("\n## Town\n") < result.stdout.index("\n## Stage\n")
    assert result.stdout.count(BRIDGE) == 1
    elsewhere = result.stdout.partition("The same story elsewhere:")[2]
    assert "http://port-alder-council.example/news/sallow-swing-bridge-closed" in elsewhere
    assert result.stderr.splitlines()[-1].partition(": ")[0].endswith(" candidates")
    assert result.stdout == ready("digest", "show").stdout


def test_what_is_shown_is_remembered(ready: Terminal) -> None:
    made = ready.json("digest")
    shown = {one["url"] for one in ready.json("history", "list")}
    assert shown == set(addresses(made))
    (listed,) = ready.json("digest", "list")
    assert (listed["id"], listed["items"]) == (made["id"], len(made["items"]))
    why = ready.json("digest", "why")
    assert why["counts"]["taken"] == len(made["items"])


def test_no_category_has_more_than_its_share(ready: Terminal) -> None:
    items = ready.json("digest")["items"]
    assert [(item["category"], item["position"]) for item in items][:2] == [("Town", 0), ("Town", 1)]
    assert max(item["position"] for item in items) == 1


def test_summaries_are_the_articles_own_words(ready: Terminal) -> None:
    for item in ready.json("digest")["items"]:
        assert item["summary"] and len(item["summary"]) <= 400
        assert item["why"].startswith("its words: ")


def test_a_second_digest_repeats_nothing(ready: Terminal) -> None:
    first, second = ready.json("digest"), ready.json("digest")
    assert first["items"] and second["items"]
    assert not set(addresses(first)) & set(addresses(second))
    outcomes = ready.json("digest", "why")["counts"]
    assert outcomes["history"] == len(addresses(first))


def test_when_all_was_shown_there_is_nothing_new(ready: Terminal) -> None:
    assert not all(ready.json("digest")["items"] for _ in range(9))
    result = ready("digest")
    assert result.stdout == ""
    assert result.stderr.splitlines()[0] == "Nothing new for a digest."
    assert "history" in result.stderr.splitlines()[-1]
    for words in (["--json"], ["--format", "json"]):
        assert json.loads(ready("digest", *words).stdout)["items"] == []


def test_without_a_history_everything_comes_again(ready: Terminal) -> None:
    ready("settings", "set", "article_history_days", "0")
    first, second = ready.json("digest"), ready.json("digest")
    assert addresses(first) == addresses(second)
    assert rows(ready)["article_history"] == 0


def test_after_its_time_an_article_may_come_back(ready: Terminal) -> None:
    ready("settings", "set", "article_history_days", "7")
    first = ready.json("digest")
    week = Terminal(ready.path, ready.now + timedelta(days=7), ready.web)
    assert not set(addresses(first)) & set(addresses(week.json("digest")))
    later = Terminal(ready.path, ready.now + timedelta(days=7, seconds=1), ready.web)
    assert set(addresses(later.json("digest"))) & set(addresses(first))


def test_without_sources(digestlog: Terminal) -> None:
    result = digestlog("digest")
    assert result.stdout == ""
    assert result.stderr == "Nothing new for a digest.\n0 candidates: none\n"
    assert digestlog("digest", root=["-q"]).stderr == "Nothing new for a digest.\n"


def test_a_source_that_fails_is_named(ready: Terminal) -> None:
    ready("sources", "add", "http://retired-mariner.example/feed.xml", "--method", "RSS", "--name", "Mariner")
    result = ready("digest")
    notes = result.stdout.partition("\n## Notes\n")[2]
    assert "Mariner: is gone for good" in notes
    assert "Mariner" not in result.stderr, "it is said twice"
    assert "Mariner: is gone for good" in ready("digest", "--format", "atom").stderr
    (note,) = ready.json("digest")["notes"]
    assert note.startswith("Mariner: is gone for good")


# --- options ----------------------------------------------------------------------------------


def test_since(ready: Terminal) -> None:
    everything = ready.json("digest", "--dry-run")["candidates"]
    recent = ready.json("digest", "--dry-run", "--since", "9h")["candidates"]
    assert {one["url"] for one in recent} == {one["url"] for one in everything}
    old = [one["url"] for one in recent if one["outcome"] == "outside_window"]
    assert 0 < len(old) < len(recent)
    published = [item["published_utc_iso"] for item in ready.json("digest", "--since", "24h")["items"]]
    assert min(filter(None, published)) >= (ready.now - timedelta(hours=24)).isoformat()


def test_a_span_that_is_none(ready: Terminal) -> None:
    assert "is no window" in ready("digest", "--since", "yesterday", code=2).stderr
    assert rows(ready)["syntheses"] == 0


def test_a_dry_run_saves_nothing_and_tells_the_reasons(ready: Terminal) -> None:
    before = rows(ready)
    result = ready("digest", "--dry-run")
    assert rows(ready) == before == dict.fromkeys(before, 0)
    assert result.stdout.startswith("# Digest of ")
    _, dry, *reasons = result.stderr.splitlines()
    assert dry == "A dry run: nothing was saved."
    (taken,) = [line for line in reasons if line.startswith(f"  taken: {BRIDGE} (Town: its words: ")]
    assert taken.endswith(")")
    assert any(line.startswith("  duplicate: ") and f"the same story as {BRIDGE}" in line for line in reasons)
    quiet = ready("digest", "--dry-run", root=["-q"])
    assert (quiet.stdout.splitlines()[4:], quiet.stderr) == (result.stdout.splitlines()[4:], "")


def test_a_dry_run_with_a_model_writes_nothing_at_all(ready: Terminal) -> None:
    ready("digest")
    with open_database(ready.path, now=ready.now) as db, db.transaction() as connection:
        connection.execute("DELETE FROM article_history")
    with running(Endpoint()) as endpoint:
        env = {"DIGESTLOG_LLM_URL": endpoint.url("/v1"), "DIGESTLOG_LLM_MODEL": "small"}
        before = content(ready)
        made = json.loads(ready("digest", "--dry-run", "--json", env=env).stdout)
        assert (len(endpoint.asked) > 0, content(ready)) == (True, before)
        assert made["providers"]["classifier"].startswith("small at ")
        ready("digest", env=env)
    assert 'INSERT INTO "provider_answers"' in content(ready)


def content(terminal: Terminal) -> str:
    """All that is in the file, as SQL."""
    with closing(sqlite3.connect(terminal.path)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        told = []
        for (name,) in rows:
            if not name.startswith(("article_search", "sqlite_")):
                found = connection.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2').fetchall()
                told += [f'INSERT INTO "{name}" {row!r}' for row in found]
    return "\n".join(told)


@contextmanager
def running(endpoint: Endpoint) -> Iterator[Endpoint]:
    """An endpoint in a thread of its own; whatever it is asked, it says that nothing fits."""
    endpoint.says = [nothing_fits]
    loop, ready = asyncio.new_event_loop(), threading.Event()

    async def serve() -> None:
        async with endpoint:
            ready.set()
            await stop.wait()

    stop = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    ready.wait(30)
    try:
        yield endpoint
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
        loop.close()


def nothing_fits(asked: dict[str, Any]) -> bytes:
    count = asked["messages"][1]["content"].count("BEGIN-")
    return said({"labels": [label(number, None) for number in range(1, count + 1)]})


def test_a_dry_run_forgets_nothing_either(ready: Terminal) -> None:
    ready("history", "add", BRIDGE)
    old = Terminal(ready.path, ready.now + timedelta(days=200), ready.web)
    old("digest", "--dry-run")
    assert rows(ready)["article_history"] == 1
    old("digest")
    assert BRIDGE not in {
        one["url"] for one in ready.json("history", "list") if one["created_at"] < old.now.isoformat()
    }


def test_a_dry_run_as_json_has_the_reasons(ready: Terminal) -> None:
    result = ready("digest", "--dry-run", "--format", "json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    taken = [one for one in found["candidates"] if one["outcome"] == "taken"]
    assert {one["url"] for one in taken} == {item["url"] for item in found["items"]}
    assert set(taken[0]) == {"url", "article_uuid", "outcome", "detail"}
    assert "candidates" not in ready.json("digest")


@pytest.mark.parametrize(
    ("format", "start"), [("md", "# Digest"), ("html", "<!DOCTYPE html>"), ("json", "{")]
)
def test_formats(ready: Terminal, format: str, start: str) -> None:
    made = ready("digest", "--format", format)
    assert made.stdout.startswith(start)
    assert made.stdout == ready("digest", "show", "--format", format).stdout


def test_a_feed_of_digests(ready: Terminal) -> None:
    result = ready("digest", "--format", "atom")
    feed = feedparser.parse(io.BytesIO(result.stdout.encode()))
    assert not feed.bozo
    assert BRIDGE in [entry.link for entry in feed.entries]
    assert len(feed.entries) == ready.json("digest", "list")[0]["items"]


# What would betray that something was not translated. Articles are in English: their texts do not count.
ENGLISH = re.compile(
    r"\b(?:its words|as a whole|Digest of|Why|Notes|is gone|answered|there is|nothing|elsewhere|shown before|"
    r"fits no|is full|front page|the same|could not|failed|Classification|Summaries|undated|Left out|Taken)\b"
)


def test_in_french(ready: Terminal) -> None:
    """Everything around the articles, in every format, and the reasons."""
    ready("settings", "set", "language", "fr")
    ready("sources", "add", "http://retired-mariner.example/feed.xml", "--method", "RSS", "--name", "Mariner")
    made = ready.json("digest")
    assert made["title"] == "Synthèse du 13 février 2026"
    assert made["notes"] == ["Mariner\u00a0: a disparu pour de bon (410)"]
    assert all(item["why"].startswith("ses mots\u00a0: ") for item in made["items"])
    texts = {text for item in made["items"] for text in (item["title"], item["summary"], item["category"])}
    texts |= {link["title"] for item in made["items"] for link in item["other_links"]}
    for format in ("md", "html", "atom"):
        shown = html.unescape(html.unescape(ready("digest", "show", "--format", format).stdout))
        for text in sorted(filter(None, texts), key=len, reverse=True):
            shown = shown.replace(text, "")
        assert "ses mots" in shown
        assert ENGLISH.findall(re.sub(r"<style>.*</style>", "", shown, flags=re.S)) == []
    reasons = ready.json("digest", "why")["candidates"]
    assert {one["outcome"] for one in reasons} >= {"taken", "duplicate", "over_quota"}
    assert [one for one in reasons if ENGLISH.search(one["detail"])] == []
    assert ENGLISH.search(ready("digest", "why").stdout) is None


def test_each_user_has_digests_of_their_own(ready: Terminal) -> None:
    with_anna(ready)
    mine = ready.json("digest")
    hers = ready.json("digest", root=["--user", "anna"])
    assert (mine["user"], hers["user"]) == ("owner", "anna")
    assert {item["category"] for item in hers["items"]} - {"Town", "Stage"}, "she has the starter set"
    assert set(addresses(mine)) & set(addresses(hers))
    assert [one["id"] for one in ready.json("digest", "list", root=["--user", "anna"])] == [hers["id"]]


def test_a_user_that_is_not_there(ready: Terminal) -> None:
    result = ready("digest", root=["--user", "bob"], code=1)
    assert result.stderr.startswith("Error: there is no user called bob\n")


# --- mail -------------------------------------------------------------------------------------


def test_without_a_mail_server_nothing_is_made(ready: Terminal) -> None:
    result = ready("digest", "--mail-to", "anna@example.org", code=1, env={"DIGESTLOG_SMTP_URL": ""})
    error, hint = result.stderr.splitlines()
    assert error == "Error: no mail server is set: DIGESTLOG_SMTP_URL is empty"
    assert hint.startswith("Hint: write it like smtp://")
    assert result.stdout == ""
    assert rows(ready)["syntheses"] == 0, "what could not be sent would count as shown"


def test_a_dry_run_sends_no_mail(ready: Terminal) -> None:
    result = ready("digest", "--dry-run", "--mail-to", "anna@example.org", code=2)
    assert "a dry run sends no mail" in result.stderr


def test_a_digest_by_mail(ready: Terminal) -> None:
    with PostOffice() as office:
        url = {"DIGESTLOG_SMTP_URL": f"smtp://127.0.0.1:{office.port}"}
        result = ready("digest", "--mail-to", "anna@example.org", env=url)
    assert "sent to anna@example.org\n" in result.stderr
    assert len(office.mails) == 1 and b"To: anna@example.org" in office.mails[0]


def test_two_at_once_do_not_show_the_same(ready: Terminal) -> None:
    with exclusive(ready.path, now=ready.now):
        result = ready("digest", code=1)
        assert "at work" in result.stderr
        assert rows(ready)["syntheses"] == 0
        ready("digest", "--dry-run")
    ready("digest")
    assert rows(ready)["syntheses"] == 1


def test_a_span_that_reaches_before_the_first_day(ready: Terminal) -> None:
    early = ("--db", str(ready.path), "--now", "0001-01-01T00:00:00Z", "digest", "--since", "5d", "--dry-run")
    assert ready.bare(*early).exit_code == 0
