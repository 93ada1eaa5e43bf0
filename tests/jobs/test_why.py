"""The story of one address: found, left out, waiting, walled, or never seen; from stored facts only."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest
from scan_fakes import Desk, item, no_answer, rss, to
from store.rows import put, uuid

from digestlog.core.canonical import article_uuid, url_hash
from digestlog.errors import ConfigError
from digestlog.jobs.why import Story, narrowed, why
from digestlog.store import history, users

FEED, OTHER = "https://one.example/feed", "https://two.example/feed"
A, SHORT = "https://e.org/a", "https://t.example/x"

SEED = "https://blog.cloudflare.com/markdown-for-agents/?utm_source=rss&utm_medium=rss"


@pytest.fixture
def desk(db_path: Path, now: datetime) -> Desk:
    return Desk(db_path, now)


def tell(desk: Desk, text: str) -> Story:
    with desk.open() as db:
        return why(db, text)


def seed(desk: Desk) -> None:
    """The requirements' example: found by its feed, redirected once, to itself."""
    desk.follow(
        "https://blog.cloudflare.com/rss/",
        rss(item(SEED, "Introducing Markdown for Agents", "Thu, 12 Feb 2026 14:03:12 GMT")),
    )
    desk.web.answers[SEED] = to(SEED, 301)
    desk.scan()


@pytest.mark.parametrize(
    "asked",
    [
        SEED,
        f"  {SEED}\n",
        "https://blog.cloudflare.com/markdown-for-agents/",
        "http://blog.cloudflare.com/markdown-for-agents",
        "HTTPS://u:p@Blog.Cloudflare.com/markdown-for-agents/?gclid=1#top",
        "A_b9d89a71b4edde0a",
    ],
)
def test_the_requirements_own_example(desk: Desk, asked: str) -> None:
    seed(desk)
    story = tell(desk, asked)
    assert story.article_uuid == "A_b9d89a71b4edde0a"
    assert story.article == {
        "article_uuid": "A_b9d89a71b4edde0a",
        "source_uuid": "W_RSS_1",
        "url_scraping_method": "RSS",
        "source_url": "https://blog.cloudflare.com/rss/",
        "article_title": "Introducing Markdown for Agents",
        "article_url_original": SEED,
        "article_url_final": "https://blog.cloudflare.com/markdown-for-agents/",
        "url_original_to_final_match": 0,
        "url_notes": "resolved_redirects,removed_tracking_params",
        "published_utc_iso": "2026-02-12T14:03:12+00:00",
        "article_detected_utc_iso": "2026-02-13T09:02:10+00:00",
        "created_at": "2026-02-13T09:02:10+00:00",
        "updated_at": "2026-02-13T09:02:10+00:00",
    }
    (mention,) = story.mentions
    assert (mention["source_uuid"], mention["first_seen_at"]) == ("W_RSS_1", "2026-02-13T09:02:10+00:00")
    assert (mention["found_by"], mention["date_from"]) == ("fast", "pubDate")
    assert mention["published_raw"] == "Thu, 12 Feb 2026 14:03:12 GMT"
    (resolution,) = story.resolutions
    assert resolution["hops"] == [{"status": 301, "url": SEED}]
    assert (story.digests, story.left_out) == ([], [])


def test_the_address_itself_is_explained(desk: Desk) -> None:
    seed(desk)
    story = tell(desk, SEED)
    assert story.notes == ("removed_tracking_params",)
    assert story.dropped == ("utm_source", "utm_medium")
    assert story.final == "https://blog.cloudflare.com/markdown-for-agents/"


def test_a_password_is_not_repeated(desk: Desk) -> None:
    assert tell(desk, "https://u:hunter2@e.org/a").url == A


def test_an_address_that_nobody_has_shown(desk: Desk) -> None:
    seed(desk)
    assert tell(desk, A + "?utm_source=x") == Story(
        url=A + "?utm_source=x",
        final=A,
        article_uuid=article_uuid(A),
        notes=("removed_tracking_params",),
        dropped=("utm_source",),
        article=None,
        mentions=[],
        resolutions=[],
        digests=[],
        left_out=[],
        history=[],
    )


def test_an_article_of_several_sources(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.follow(OTHER, rss(item(SHORT)))
    desk.web.answers[SHORT] = to(A)
    desk.scan(jobs=1)
    for asked in (A, SHORT, A + "/"):
        story = tell(desk, asked)
        assert [m["source_uuid"] for m in story.mentions] == ["W_RSS_1", "W_RSS_2"]
        assert [r["article_url_original"] for r in story.resolutions] == [A, SHORT]


def test_the_address_as_written_decides(desk: Desk) -> None:
    tagged = A + "?utm_source=x"
    desk.follow(FEED, rss(item(A), item(tagged)))
    desk.web.answers[tagged] = to("https://e.org/b")
    desk.scan()
    assert tell(desk, tagged).article_uuid == article_uuid("https://e.org/b")
    assert tell(desk, A).article_uuid == article_uuid(A)


def test_an_address_that_waits_for_its_answer(desk: Desk) -> None:
    desk.follow(FEED, rss(item(SHORT)))
    desk.web.answers[SHORT] = no_answer(SHORT)
    desk.scan()
    (resolution,) = tell(desk, SHORT).resolutions
    assert (resolution["status"], resolution["last_error"]) == (
        "unresolved",
        "https://t.example/x did not answer",
    )


def test_an_address_behind_a_wall(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.web.answers[A] = to("https://e.org/login")
    desk.scan()
    (resolution,) = tell(desk, A).resolutions
    assert (resolution["status"], resolution["hops"][0]["url"]) == ("failed", "https://e.org/login")


@pytest.mark.parametrize("asked", [A, A + "?utm_source=rss", A + "/", "http://E.org/a", " https://e.org/a#x"])
@pytest.mark.parametrize("shown", [A, A + "?utm_source=rss", "http://E.ORG/a/"])
def test_an_address_that_was_left_out_in_whatever_spelling(desk: Desk, asked: str, shown: str) -> None:
    desk.follow(
        FEED, rss(item(shown, None, desk.ago(days=9)), item("https://e.org/ab", None, desk.ago(days=9)))
    )
    desk.scan()
    story = tell(desk, asked)
    assert story.article is None
    (left,) = story.left_out
    assert (left["source_uuid"], left["url"], left["reason"]) == ("W_RSS_1", shown, "outside_window")
    assert left["published_utc_iso"] == "2026-02-04T09:02:10+00:00"


def test_what_is_left_out_without_identity_is_not_taken_for_another(desk: Desk) -> None:
    long = "https://e.org/" + "a" * 2048
    desk.follow(FEED, rss(item(long)))
    desk.scan()
    assert tell(desk, A).left_out == []
    with pytest.raises(ConfigError, match="has no identity") as caught:
        tell(desk, long)
    assert caught.value.hint == "W_RSS_1 shows it, and leaves it out for that"


def test_an_article_of_one_source_can_be_left_out_of_another(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A)))
    desk.follow(OTHER, rss(item(A, None, desk.ago(days=9))))
    desk.scan()
    story = tell(desk, A)
    assert story.article is not None
    assert [left["source_uuid"] for left in story.left_out] == ["W_RSS_2"]


def test_the_digests_that_had_it(desk: Desk) -> None:
    seed(desk)
    with desk.open() as db, db.transaction() as connection:
        (owner,) = connection.execute("SELECT id FROM users").fetchone()
        put(connection, "syntheses", user_id=owner)
        put(connection, "synthesis_candidates", article_uuid="A_b9d89a71b4edde0a", outcome="history")
    (digest,) = tell(desk, SEED).digests
    assert (digest["synthesis_id"], digest["outcome"], digest["user"]) == (uuid(11), "history", "owner")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("e.org/a", "relative"),
        ("", "empty"),
        ("mailto:a@e.org", "unsupported_scheme"),
        ("https://{{host}}/", "invalid"),
        ("A_b9d8", "relative"),
    ],
)
def test_a_text_that_has_no_story(desk: Desk, asked: str, code: str) -> None:
    with pytest.raises(ConfigError, match=f"has no identity \\({code}\\)") as caught:
        tell(desk, asked)
    assert caught.value.hint == "write it with https://"


def test_an_id_that_is_not_there(desk: Desk) -> None:
    with pytest.raises(ConfigError, match="there is no article A_0000000000000000"):
        tell(desk, "A_0000000000000000")


def test_telling_a_story_changes_nothing(desk: Desk) -> None:
    seed(desk)
    before = desk.ledger()
    tell(desk.later(days=1), SEED)
    assert desk.ledger() == before
    assert desk.web.is_open is False


# --- digests without a scan -----------------------------------------------------------------------


def shown_at(desk: Desk, url: str, *others: str, user: str = "owner", candidate: bool = True) -> None:
    """A digest that showed what no scan has found, and the history of it."""
    with desk.open() as db, db.transaction() as connection:
        (user_id,) = connection.execute("SELECT id FROM users WHERE name = ?", (user,)).fetchone()
        met = json.dumps({"addresses": {url: others}} if others else {})
        put(connection, "syntheses", user_id=user_id, providers=met)
        put(connection, "synthesis_items", article_uuid=None, url=url, category="Town")
        if candidate:
            put(
                connection, "synthesis_candidates", article_uuid=None, url=url, outcome="taken", detail="Town"
            )
        history.insert_urls(db, connection, user_id, [(one, url_hash(one)) for one in (url, *others)])


@pytest.mark.parametrize("candidate", [True, False])
@pytest.mark.parametrize("asked", [A, "http://E.org/a/?utm_source=x#top"])
def test_a_digest_that_showed_what_is_not_in_the_ledger(desk: Desk, asked: str, candidate: bool) -> None:
    shown_at(desk, A, candidate=candidate)
    story = tell(desk, asked)
    assert story.article is None
    (digest,) = story.digests
    assert (digest["user"], digest["outcome"], digest["detail"], digest["url"]) == (
        "owner", "taken", "Town", A
    )  # fmt: skip
    assert [one["url"] for one in story.history] == [A]


def test_it_is_found_by_every_address_at_which_it_was_met(desk: Desk) -> None:
    shown_at(desk, SHORT, A)
    for asked in (A, SHORT):
        story = tell(desk, asked)
        assert [one["url"] for one in story.digests] == [SHORT]
        assert sorted(one["url"] for one in story.history) == [A, SHORT]


def test_another_article_of_the_site_is_another(desk: Desk) -> None:
    shown_at(desk, A, "https://e.org/a-2")
    story = tell(desk, "https://e.org/b")
    assert (story.digests, story.history) == ([], [])


def test_the_digests_and_history_of_others_are_not_told(desk: Desk) -> None:
    shown_at(desk, A)
    with desk.open() as db:
        anna = users.add(db, "anna").id
        story = why(db, A, anna)
    assert (story.digests, story.history) == ([], [])


def test_nobody_is_asked_what_was_left_out_where_that_is_not_wanted(desk: Desk) -> None:
    desk.follow(FEED, rss(item(A, "Old", "Thu, 12 Feb 2015 14:03:12 GMT")))
    desk.scan()
    with desk.open() as db:
        assert len(why(db, A).left_out) == 1
        assert why(db, A, left_out=False).left_out == []


def _heard(desk: Desk) -> Story:
    """A story with two sources, two digests and one who has left it out."""
    desk.follow(FEED, rss(item(A, "Here", "Fri, 13 Feb 2026 08:00:00 GMT")))
    desk.follow(OTHER, rss(item(f"{A}?utm_source=x", "Here", "Fri, 13 Feb 2026 08:00:00 GMT")))
    desk.scan()
    with desk.open() as db, db.transaction() as connection:
        put(connection, "users")
        (owner,) = connection.execute("SELECT id FROM users WHERE role = 'admin'").fetchone()
        for number, user in ((41, uuid(1)), (42, owner)):
            put(connection, "syntheses", id=uuid(number), user_id=user)
            put(connection, "synthesis_candidates", synthesis_id=uuid(number), article_uuid=article_uuid(A))
        connection.execute("UPDATE source_left_out SET left_out = ?", (f'[["{A}", "outside_window", null]]',))
    return tell(desk, A)


def test_a_story_is_told_as_far_as_it_is_for_somebody(desk: Desk) -> None:
    story = _heard(desk)
    assert narrowed(story, {"W_RSS_1", "W_RSS_2"}, None, known=True) == story
    told = narrowed(story, {"W_RSS_2"}, "anna", known=True)
    assert told.article == story.article
    assert [one["source_uuid"] for one in told.mentions] == ["W_RSS_2"]
    assert [one["article_url_original"] for one in told.resolutions] == [f"{A}?utm_source=x"]
    assert [one["user"] for one in told.digests] == ["anna"]
    assert [one["source_uuid"] for one in told.left_out] == ["W_RSS_2"]


def test_who_may_not_know_an_article_hears_as_if_it_were_not_there(desk: Desk) -> None:
    desk.web.answers[SHORT] = to(A, 301)
    desk.follow(FEED, rss(item(SHORT, "Here", "Fri, 13 Feb 2026 08:00:00 GMT")))
    desk.scan()
    story = tell(desk, SHORT)
    assert story.article_uuid == article_uuid(A)
    told = narrowed(story, set(), "anna", known=False)
    assert told.article is None and told.article_uuid == article_uuid(SHORT)
    assert (told.mentions, told.resolutions, told.digests, told.left_out) == ([], [], [], [])
