"""`digestlog articles`: the ledger as a person reads it, and as a program does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cli.conftest import Terminal
from scan_fakes import Desk, item, rss
from store.rows import put, uuid

TITLES = {"bridge": "The swing bridge", "tower": "The clock tower"}


@pytest.fixture
def ledger(digestlog: Terminal) -> Terminal:
    """Commands on a file with three articles of two sources, two of them a day old."""
    desk = Desk(digestlog.path, digestlog.now - timedelta(days=1))
    bridge = item("https://e.org/bridge", TITLES["bridge"], desk.ago(hours=1))
    desk.follow("https://one.example/feed", rss(bridge, item("https://e.org/ferry")))
    desk.follow("https://two.example/feed", rss())
    desk.scan()
    desk.later(days=1)
    tower = item("https://e.org/tower", TITLES["tower"], desk.ago(hours=1))
    desk.web.answers["https://two.example/feed"] = rss(tower, item("https://e.org/bridge"))
    desk.scan()
    return digestlog


def names(terminal: Terminal, *words: str) -> set[str]:
    found = terminal.json("articles", *words)
    return {one["article_url_final"].rpartition("/")[2] for one in found}


# --- list -------------------------------------------------------------------------------------


def test_a_table(ledger: Terminal) -> None:
    lines = ledger("articles", "list").stdout.splitlines()
    assert lines[0].split() == ["PUBLISHED", "TITLE", "SOURCE", "ADDRESS"]
    assert lines[1].split("  ")[0] == "2026-02-13T08:02:10+00:00"
    assert "The clock tower" in lines[1] and lines[1].endswith("https://e.org/tower")
    assert lines[-1].startswith("undated ")


def test_the_json_of_a_list(ledger: Terminal) -> None:
    found = ledger.json("articles", "list", "--limit", "1")
    assert found == [
        {
            "article_uuid": found[0]["article_uuid"],
            "article_title": "The clock tower",
            "article_url_final": "https://e.org/tower",
            "article_url_original": "https://e.org/tower",
            "published_utc_iso": "2026-02-13T08:02:10+00:00",
            "article_detected_utc_iso": "2026-02-13T09:02:10+00:00",
            "source_uuid": "W_RSS_2",
            "source_name": "Source https://two.example/feed",
            "mentions": 1,
            "highlight": None,
            "snippet": None,
        }
    ]


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        ("1h", {"tower"}),
        ("24h", {"tower", "bridge", "ferry"}),
        ("7D", {"tower", "bridge", "ferry"}),
        ("99999w", {"tower", "bridge", "ferry"}),
        ("2026-02-13", {"tower"}),
        ("2026-02-12T09:02:10+00:00", {"tower", "bridge", "ferry"}),
        ("2026-02-12T10:02:11+01:00", {"tower"}),
        ("2030-01-01", set()),
    ],
)
def test_since(ledger: Terminal, since: str, expected: set[str]) -> None:
    assert names(ledger, "list", "--since", since) == expected


@pytest.mark.parametrize(
    "since", ["yesterday", "", "0h", "-1d", "2026-02-30", "13.02.2026", "9999-12-31T23:59-23:00"]
)
def test_what_is_no_time(ledger: Terminal, since: str) -> None:
    result = ledger("articles", "list", "--since", since, code=2)
    assert "is no time; write it like 2026-02-12, 24h or 7d" in result.stderr


def test_since_before_the_calendar(digestlog: Terminal) -> None:
    result = digestlog.bare(
        "--db", str(digestlog.path), "--now", "0100-01-01", "articles", "list", "--since", "99999w"
    )
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("source", "expected"),
    [("W_RSS_1", {"bridge", "ferry"}), ("https://two.example/feed", {"tower", "bridge"})],
)
def test_by_source(ledger: Terminal, source: str, expected: set[str]) -> None:
    assert names(ledger, "list", "--source", source) == expected


def test_by_a_source_that_was_removed(ledger: Terminal) -> None:
    ledger("sources", "remove", "W_RSS_1")
    assert names(ledger, "list", "--source", "W_RSS_1") == {"bridge", "ferry"}


def test_by_a_source_that_never_was(ledger: Terminal) -> None:
    assert "there is no source W_RSS_9" in ledger("articles", "list", "--source", "W_RSS_9", code=1).stderr


def test_unread_by_the_user_who_asks(ledger: Terminal) -> None:
    (read,) = (a["article_uuid"] for a in ledger.json("articles", "search", "bridge"))
    with Desk(ledger.path, ledger.now).open() as db, db.transaction() as connection:
        (owner,) = connection.execute("SELECT id FROM users").fetchone()
        put(connection, "users")
        put(connection, "syntheses", user_id=owner)
        put(connection, "synthesis_items", article_uuid=read)
    assert names(ledger, "list", "--unread") == {"tower", "ferry"}
    others = ledger.json("articles", "list", "--unread", root=["--user", "anna"])
    assert len(others) == 3


@pytest.mark.parametrize("limit", ["0", "100001", "x"])
def test_what_is_no_limit(ledger: Terminal, limit: str) -> None:
    ledger("articles", "list", "--limit", limit, code=2)


def test_an_empty_ledger(digestlog: Terminal) -> None:
    result = digestlog("articles", "list")
    assert (result.stdout, result.stderr) == ("", "No articles.\n")
    assert digestlog("articles", "list", root=["-q"]).stderr == ""
    assert digestlog.json("articles", "list") == []


# --- search -----------------------------------------------------------------------------------


def test_a_search(ledger: Terminal) -> None:
    assert names(ledger, "search", "swing", "bridge") == {"bridge"}
    assert names(ledger, "search", "the", "--since", "1h") == {"tower"}
    assert ledger("articles", "search", "bridge").stdout.splitlines() == [
        "The swing [bridge]  Source https://one.example/feed",
        "    2026-02-12T08:02:10+00:00  https://e.org/bridge",
    ]
    assert names(ledger, "search", "bridge swing") == set()


def test_a_search_shows_where_the_words_are_in_the_text(ledger: Terminal) -> None:
    (bridge,) = (a["article_uuid"] for a in ledger.json("articles", "search", "bridge"))
    ferry = next(a for a in ledger.json("articles", "list") if a["article_title"] is None)["article_uuid"]
    with Desk(ledger.path, ledger.now).open() as db, db.transaction() as connection:
        put(connection, "scraped_articles", article_uuid=bridge, content_text="It turns.\nOn [rusty] iron.")
        text = {"article_uuid": ferry, "content_text": "Iron ships", "scrape_id": uuid(90)}
        put(connection, "scraped_articles", text)
    lines = ledger("articles", "search", "iron").stdout.splitlines()
    assert [line for line in lines if "ron" in line] == [
        "    [Iron] ships",
        "    It turns. On [rusty] [iron].",
    ]
    assert lines[0] == "(no title)  Source https://one.example/feed"
    assert lines[2] == "    undated  https://e.org/ferry"
    assert ledger.json("articles", "search", "iron", "swing")[0]["highlight"] == "The [swing] bridge"


@pytest.mark.parametrize(
    "word", ["*", '"', "'", "", "(", "title:", "AND", "x" * 10_000], ids=lambda word: word[:9]
)
def test_hostile_words(ledger: Terminal, word: str) -> None:
    assert ledger("articles", "search", "--", word).stderr == "No articles.\n"


def test_words_that_are_no_text(ledger: Terminal) -> None:
    assert "no text" in ledger("articles", "search", "\udcff", code=2).stderr


def test_a_search_needs_words(ledger: Terminal) -> None:
    ledger("articles", "search", code=2)


# --- show -------------------------------------------------------------------------------------


def test_one_article(ledger: Terminal) -> None:
    (found,) = ledger.json("articles", "search", "bridge")
    for asked in (found["article_uuid"], "https://e.org/bridge/?utm_source=x"):
        told = ledger.json("articles", "show", asked)
        assert told["article_url_final"] == "https://e.org/bridge"
        assert [m["source_uuid"] for m in told["mentions"]] == ["W_RSS_1", "W_RSS_2"]
    lines = ledger("articles", "show", found["article_uuid"]).stdout.splitlines()
    assert "article_url_final            https://e.org/bridge" in lines
    assert lines[-1] == "mentioned by  W_RSS_1, W_RSS_2"


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ("https://e.org/other", "https://e.org/other is not in the ledger"),
        ("A_0000000000000000", "there is no article A_0000000000000000"),
        ("bridge", "bridge has no identity (relative)"),
    ],
)
def test_an_article_that_is_not_there(ledger: Terminal, asked: str, error: str) -> None:
    assert error in ledger("articles", "show", asked, code=1).stderr
