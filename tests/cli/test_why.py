"""`digestlog why`: each kind of story in a person's words."""

from __future__ import annotations

from hashlib import sha256

import pytest
from cli.conftest import Terminal
from scan_fakes import Desk, Page, item, no_answer, page, rss, to
from store.rows import put

from digestlog.core.canonical import url_hash
from digestlog.core.model import DIRECT
from digestlog.store import history

FEED = "https://one.example/feed"
A, SHORT = "https://e.org/a", "https://t.example/x"
SEED = "https://blog.cloudflare.com/markdown-for-agents/?utm_source=rss&utm_medium=rss"


@pytest.fixture
def desk(digestlog: Terminal) -> Desk:
    return Desk(digestlog.path, digestlog.now)


def test_the_requirements_own_example(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(
        "https://blog.cloudflare.com/rss/",
        rss(item(SEED, "Introducing Markdown for Agents", "Thu, 12 Feb 2026 14:03:12 GMT")),
    )
    desk.web.answers[SEED] = to(SEED)
    desk.scan()
    assert digestlog("why", SEED).stdout == (
        "https://blog.cloudflare.com/markdown-for-agents/\n"
        "  Introducing Markdown for Agents\n"
        "  is in the ledger as A_b9d89a71b4edde0a since 2026-02-13T09:02:10+00:00\n"
        "  published 2026-02-12T14:03:12+00:00\n"
        "\n"
        "Found by\n"
        "  W_RSS_1  Source https://blog.cloudflare.com/rss/, first seen 2026-02-13T09:02:10+00:00\n"
        f"    as {SEED}\n"
        "    read in the fast lane; the date from pubDate: Thu, 12 Feb 2026 14:03:12 GMT\n"
        "\n"
        "Its addresses\n"
        f"  {SEED}\n"
        f"    301 -> {SEED}\n"
        "  notes: resolved_redirects,removed_tracking_params\n"
        "\n"
        "Digests\n"
        "  in none yet\n"
    )
    told = digestlog.json("why", "A_b9d89a71b4edde0a")
    assert list(told) == [
        "url",
        "final",
        "article_uuid",
        "notes",
        "dropped",
        "article",
        "mentions",
        "resolutions",
        "digests",
        "left_out",
        "history",
    ]
    assert told["article"]["url_notes"] == "resolved_redirects,removed_tracking_params"


def test_an_address_that_nobody_has_shown(digestlog: Terminal) -> None:
    would_be = "A_" + sha256(b"https://e.org/a?b=1").hexdigest()[:16]
    assert digestlog("why", A + "?utm_source=x&b=1").stdout == (
        "https://e.org/a?b=1\n"
        f"  is not in the ledger; its id would be {would_be}\n"
        "  what would be done to it: removed_tracking_params (utm_source)\n"
        "  no source has shown it\n"
    )
    assert "what would be done" not in digestlog("why", A).stdout
    assert "what would be done to it: removed_fragment\n" in digestlog("why", A + "#x").stdout


def test_an_address_that_was_left_out(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(FEED, rss(item(A + "?utm_source=rss", None, desk.ago(days=9))))
    desk.scan()
    told = digestlog("why", A).stdout
    assert "is not in the ledger" in told and "no source has shown it" not in told
    assert (
        "  W_RSS_1  Source https://one.example/feed shows it, but it was older than the window "
        "(published 2026-02-04T09:02:10+00:00); read 2026-02-13T09:02:10+00:00\n"
    ) in told


def test_an_address_that_can_have_no_identity(digestlog: Terminal, desk: Desk) -> None:
    long = "https://e.org/" + "a" * 2048
    desk.follow(FEED, rss(item(long)))
    desk.scan()
    result = digestlog("why", long, code=1)
    assert "has no identity (too_long)" in result.stderr
    assert "W_RSS_1 shows it, and leaves it out for that" in result.stderr


def test_an_undated_article_without_a_redirect(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(FEED, rss(item(A, None, "soon")))
    desk.scan()
    told = digestlog("why", A).stdout
    assert "published at a time that no source tells\n" in told
    assert "read in the fast lane; without a date that can be understood (it says 'soon')\n" in told
    assert f"  {A}\n    no redirect\n  notes: nothing had to be done\n" in told


def test_an_article_without_any_date(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.scan()
    assert "without a date that can be understood\n" in digestlog("why", A).stdout


def test_an_address_that_waits(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    assert (
        "    not resolved yet (https://t.example/x did not answer), next try 2026-02-13T09:02:10+00:00\n"
    ) in digestlog("why", SHORT).stdout


def test_an_address_behind_a_wall(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.web.answers[A] = to("https://e.org/login", 302)
    desk.scan()
    told = digestlog("why", A).stdout
    assert "    302 -> https://e.org/login\n    kept as it is: it leads to a login or consent page\n" in told


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            b'{"version": "https://jsonfeed.org/version/1", "items": [{"url": "https://e.org/a"}]}',
            "as JSON Feed",
        ),
        (rss(item(A)).body.replace(b"</channel>", b"<p></channel>"), "by feedparser"),
    ],
)
def test_which_lane_read_it(digestlog: Terminal, desk: Desk, body: bytes, words: str) -> None:
    desk.follow(FEED, Page(body, None))
    desk.scan()
    assert f"    read {words}; " in digestlog("why", A).stdout


def test_an_article_of_a_page(digestlog: Terminal, desk: Desk) -> None:
    url = "https://p.example/2026/02/13/a-story-of-the-day"
    listing = page(body=f'<article><h2><a href="{url}">A story of the day</a></h2></article>')
    desk.follow("https://p.example/", listing, DIRECT)
    desk.scan()
    assert "    found by its article; the date from url: " in digestlog("why", url).stdout


def test_the_digests_that_had_it(digestlog: Terminal, desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.scan()
    article = desk.row("extracted_article_urls")["article_uuid"]
    with desk.open() as db, db.transaction() as connection:
        (owner,) = connection.execute("SELECT id FROM users").fetchone()
        put(connection, "syntheses", user_id=owner, created_at="2026-02-13T10:00:00+00:00")
        put(connection, "synthesis_candidates", article_uuid=article, outcome="over_quota", detail="5 of 5")
        put(
            connection,
            "synthesis_candidates",
            url="https://e.org/a/",
            article_uuid=article,
            outcome="taken",
            detail=None,
        )
    told = digestlog("why", A).stdout
    assert "  2026-02-13T10:00:00+00:00  owner: over quota: 5 of 5\n" in told
    assert "  2026-02-13T10:00:00+00:00  owner: taken\n" in told
    assert "in none yet" not in told


@pytest.mark.parametrize("asked", ["e.org/a", "mailto:a@e.org", "", "A_123"])
def test_what_has_no_story(digestlog: Terminal, asked: str) -> None:
    result = digestlog("why", asked, code=1)
    assert "has no identity" in result.stderr and "write it with https://" in result.stderr


def test_an_id_that_is_not_there(digestlog: Terminal) -> None:
    assert "there is no article A_0000000000000000" in digestlog("why", "A_" + "0" * 16, code=1).stderr


def test_what_a_digest_showed_without_a_scan(digestlog: Terminal, desk: Desk) -> None:
    with desk.open() as db, db.transaction() as connection:
        (owner,) = connection.execute("SELECT id FROM users").fetchone()
        put(connection, "syntheses", user_id=owner)
        put(connection, "synthesis_candidates", article_uuid=None, url=A, outcome="taken", detail="Town")
        history.insert_urls(db, connection, owner, [(A, url_hash(A))])
    told = digestlog("why", A + "?utm_source=x").stdout
    assert "is not in the ledger" in told and "no source has shown it" not in told
    assert "\nDigests, which read it without a scan\n" in told and "owner: taken: Town\n" in told
    assert f"\nYour history\n  2026-02-13T09:02:10+00:00  shown as {A}\n" in told
