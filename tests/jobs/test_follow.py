"""From what a person types to a followed source: what is tried, in which order, and what is kept."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest
from fakes import Answer, FakeFetcher

from digestlog.core.lists import SourceList, read_list
from digestlog.core.model import DIRECT, RSS, Fetched, Tried
from digestlog.core.opml import Outline, write_opml
from digestlog.core.pages import COMMON_FEED_PATHS
from digestlog.errors import AddressRefused, ConfigError, FetchError, LockedFile, SourceError
from digestlog.jobs.discover import Discovery, Wish, discover
from digestlog.jobs.follow import Followed, follow, outlines_of, wishes_of
from digestlog.store import sources as store
from digestlog.store.db import Database

FEED = b"<rss version='2.0'><channel><title>The Times</title><link>https://e.org/</link></channel></rss>"
UNTITLED = b"<rss version='2.0'><channel><item/></channel></rss>"
XML = "application/rss+xml"


def page(head: str = "", body: str = "", title: str = "Example") -> bytes:
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>".encode()
    )


def declared(*hrefs: str) -> str:
    return "".join(f'<link rel="alternate" type="{XML}" href="{href}">' for href in hrefs)


def found(fetcher: FakeFetcher, address: str, **wish: object) -> Discovery:
    async def look() -> Discovery:
        async with fetcher as getter:
            return await discover(getter, Wish(address, **wish))  # type: ignore[arg-type]

    return asyncio.run(look())


def refused(address: str) -> AddressRefused:
    return AddressRefused(f"{address} leads to a private address", "say --allow-private", url=address)


# --- discovery --------------------------------------------------------------------------------


def test_a_feed_is_taken_as_it_is() -> None:
    fetcher = FakeFetcher({"e.org/feed": Answer(FEED, XML)})
    discovery = found(fetcher, "https://e.org/feed")
    assert discovery.source.source_url == "https://e.org/feed"
    assert discovery.source.source_name == "The Times"
    assert discovery.source.url_scraping_method == RSS
    assert discovery.source.site_url == "https://e.org/"
    assert discovery.tried == discovery.others == ()
    assert fetcher.requests == {"https://e.org/feed": 1}


def test_without_a_scheme_https_comes_first() -> None:
    fetcher = FakeFetcher({"e.org/feed": FEED})
    assert found(fetcher, "e.org/feed").source.source_url == "https://e.org/feed"
    assert list(fetcher.requests) == ["https://e.org/feed"]


def test_http_where_https_fails() -> None:
    fetcher = FakeFetcher(
        {
            "https://e.org/": FetchError("https://e.org/ cannot be reached: refused", url="https://e.org/"),
            "http://e.org/": FEED,
        }
    )
    discovery = found(fetcher, "e.org")
    assert discovery.source.source_url == "http://e.org/"
    assert discovery.tried == (Tried("https://e.org/", "cannot be reached: refused"),)


def test_with_a_scheme_nothing_else_is_tried() -> None:
    fetcher = FakeFetcher({"http://e.org/": FEED})
    with pytest.raises(SourceError, match="no feed or page found at https://e.org/"):
        found(fetcher, "https://e.org/")
    assert list(fetcher.requests) == ["https://e.org/"]


def test_the_feed_that_a_page_declares() -> None:
    fetcher = FakeFetcher({"e.org/": page(declared("/news.xml")), "e.org/news.xml": FEED})
    discovery = found(fetcher, "e.org")
    assert discovery.source.source_url == "https://e.org/news.xml"
    assert sum(fetcher.requests.values()) == 2


def test_other_declared_feeds_are_named() -> None:
    head = declared("/one.xml", "/two.xml", "/comments.xml")
    fetcher = FakeFetcher({"e.org/": page(head), "e.org/two.xml": FEED})
    discovery = found(fetcher, "e.org")
    assert discovery.source.source_url == "https://e.org/two.xml"
    assert discovery.tried == (Tried("https://e.org/one.xml", "answered 404"),)
    assert discovery.others == ("https://e.org/comments.xml",)


def test_the_feed_that_a_page_links() -> None:
    fetcher = FakeFetcher({"e.org/": page(body='<a href="news/rss">RSS</a>'), "e.org/news/rss": FEED})
    assert found(fetcher, "e.org").source.source_url == "https://e.org/news/rss"


def test_a_declared_feed_comes_before_a_linked_one() -> None:
    answers = {"e.org/": page(declared("/d.xml"), '<a href="/rss">RSS</a>')}
    fetcher = FakeFetcher({**answers, "e.org/d.xml": FEED, "e.org/rss": FEED})
    discovery = found(fetcher, "e.org")
    assert discovery.source.source_url == "https://e.org/d.xml"
    assert discovery.others == ("https://e.org/rss",)


@pytest.mark.parametrize("path", COMMON_FEED_PATHS)
def test_the_feed_at_a_common_place(path: str) -> None:
    fetcher = FakeFetcher({"e.org/": page(), f"e.org{path}": FEED})
    discovery = found(fetcher, "e.org")
    assert discovery.source.source_url == f"https://e.org{path}"
    assert [step.outcome for step in discovery.tried] == ["answered 404"] * COMMON_FEED_PATHS.index(path)


def test_a_common_place_below_the_page_comes_first() -> None:
    fetcher = FakeFetcher({"e.org/blog/": page(), "e.org/blog/feed": FEED, "e.org/feed": FEED})
    assert found(fetcher, "e.org/blog/").source.source_url == "https://e.org/blog/feed"


def test_a_page_without_a_feed_is_followed_itself() -> None:
    fetcher = FakeFetcher({"e.org/news": page(title="News\n of <E>")})
    discovery = found(fetcher, "e.org/news#top")
    assert discovery.source.source_url == "https://e.org/news"
    assert discovery.source.source_name == "News of <E>"
    assert discovery.source.url_scraping_method == DIRECT
    assert len(discovery.tried) == len(COMMON_FEED_PATHS)


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ({"www.e.org/": page(title="")}, "e.org"),
        ({"www.e.org/": Answer(UNTITLED, XML)}, "e.org"),
        ({"www.e.org/": page(declared("/f")), "www.e.org/f": UNTITLED}, "e.org"),
    ],
)
def test_the_host_is_the_name_for_want_of_a_better_one(answers: dict[str, Answer | bytes], name: str) -> None:
    assert found(FakeFetcher(answers), "www.e.org").source.source_name == name


@pytest.mark.parametrize("answer", [Answer(FEED, XML), page()])
def test_the_name_that_the_person_gave_wins(answer: Answer | bytes) -> None:
    source = found(FakeFetcher({"e.org/": answer}), "e.org", name="Mine", folder="News").source
    assert (source.source_name, source.folder) == ("Mine", "News")


@pytest.mark.parametrize(
    ("link", "site"),
    [("/", "https://feeds.e.org/"), ("../", "https://feeds.e.org/"), ("mailto:x@e.org", None), ("", None)],
)
def test_the_site_is_kept_as_an_absolute_address(link: str, site: str | None) -> None:
    feed = f"<rss version='2.0'><channel><title>T</title><link>{link}</link></channel></rss>".encode()
    fetcher = FakeFetcher({"feeds.e.org/all/rss": feed})
    assert found(fetcher, "feeds.e.org/all/rss").source.site_url == site


def test_the_site_of_the_wish_where_the_feed_names_none() -> None:
    fetcher = FakeFetcher({"e.org/f": UNTITLED})
    assert found(fetcher, "e.org/f", site_url="https://e.org/blog").source.site_url == "https://e.org/blog"


@pytest.mark.parametrize(
    ("hops", "kept"),
    [
        ([301], "https://e.org/1"),
        ([308, 301], "https://e.org/2"),
        ([302], "https://e.org/0"),
        ([301, 302], "https://e.org/1"),
        ([307, 301], "https://e.org/0"),
    ],
)
def test_an_address_moves_as_far_as_the_redirects_are_permanent(hops: list[int], kept: str) -> None:
    answers: dict[str, Answer | bytes] = {
        f"e.org/{n}": Answer(status=status, location=f"/{n + 1}") for n, status in enumerate(hops)
    }
    for last in (Answer(FEED, XML), page()):
        fetcher = FakeFetcher({**answers, f"e.org/{len(hops)}": last})
        assert found(fetcher, "https://e.org/0").source.source_url == kept


def test_at_most_five_of_the_named_feeds_are_tried() -> None:
    named = [f"/{n}.xml" for n in range(8)]
    fetcher = FakeFetcher({"e.org/": page(declared(*named)), "e.org/7.xml": FEED})
    assert found(fetcher, "e.org").source.url_scraping_method == DIRECT
    assert sum(fetcher.requests.values()) == 1 + 5 + len(COMMON_FEED_PATHS)


def test_everything_that_was_tried_is_said() -> None:
    fetcher = FakeFetcher(
        {
            "https://e.org/": Answer(status=410),
            "http://e.org/": Answer(b"\x89PNG\r\n", "image/png"),
        }
    )
    with pytest.raises(SourceError) as caught:
        found(fetcher, "e.org")
    assert caught.value.message == "no feed or page found at e.org"
    assert caught.value.hint == (
        "tried https://e.org/ (is gone for good); http://e.org/ (is neither a feed nor a page)."
        " To add it unseen: --method RSS or --method Direct"
    )
    assert caught.value.url == "e.org"


def test_a_declared_page_that_is_no_feed() -> None:
    fetcher = FakeFetcher({"e.org/": page(declared("/x")), "e.org/x": page()})
    assert found(fetcher, "e.org").tried[0] == Tried("https://e.org/x", "is not a feed")


def test_an_address_that_is_refused_is_final() -> None:
    fetcher = FakeFetcher({"https://e.org/": refused("https://e.org/"), "http://e.org/": FEED})
    with pytest.raises(AddressRefused):
        found(fetcher, "e.org")
    assert list(fetcher.requests) == ["https://e.org/"]


def test_a_page_cannot_lead_into_a_private_network() -> None:
    inside = "http://169.254.169.254/feed"
    fetcher = FakeFetcher({"e.org/": page(declared(inside)), inside: refused(inside), "e.org/rss": FEED})
    discovery = found(fetcher, "e.org")
    assert discovery.source.source_url == "https://e.org/rss"
    assert discovery.tried[0] == Tried(inside, f"{inside} leads to a private address")


def test_a_declared_feed_with_a_password_is_passed_over() -> None:
    answers = {"e.org/": page(declared("https://a:b@e.org/f", "/g")), "https://a:b@e.org/f": FEED}
    discovery = found(FakeFetcher({**answers, "e.org/g": FEED}), "e.org")
    assert discovery.source.source_url == "https://e.org/g"
    assert "password" in discovery.tried[0].outcome


def test_private_only_where_it_was_allowed() -> None:
    answers = {"nas.local/": page(declared("/f")), "nas.local/f": FEED}
    fetcher = FakeFetcher(answers)
    assert found(fetcher, "http://nas.local/", allow_private=True).source.allow_private
    assert fetcher.private == {"http://nas.local/", "http://nas.local/f"}
    fetcher = FakeFetcher(answers)
    assert not found(fetcher, "http://nas.local/").source.allow_private
    assert fetcher.private == set()


def test_a_page_in_its_own_encoding() -> None:
    body = page(title="Café").decode().encode("cp1252")
    fetcher = FakeFetcher({"e.org/": Answer(body, "text/html; charset=windows-1252", charset="windows-1252")})
    assert found(fetcher, "e.org").source.source_name == "Café"


# --- following --------------------------------------------------------------------------------


def outcomes(results: list[Followed]) -> list[str | None]:
    return [result.added.outcome if result.added else None for result in results]


def ids(db: Database) -> list[tuple[str, str]]:
    return [(source.source_uuid, source.source_url) for source in store.list_all(db)]


def test_unseen_needs_no_network(db: Database) -> None:
    def no_fetcher() -> FakeFetcher:
        raise AssertionError("the network is not needed")

    wishes = [
        Wish("a.example", method=RSS),
        Wish("http://b.example/x", "B", DIRECT),
        Wish("ftp://c", method=RSS),
    ]
    results = follow(db, wishes, no_fetcher)
    assert outcomes(results) == ["new", "new", None]
    assert isinstance(results[2].error, ConfigError)
    assert ids(db) == [("W_RSS_1", "https://a.example/"), ("W_DIRECT_1", "http://b.example/x")]
    assert [s.source_name for s in store.list_all(db)] == ["a.example", "B"]


def test_nothing_to_follow(db: Database) -> None:
    assert follow(db, [], FakeFetcher({})) == []


def test_ids_follow_the_order_asked_for_whatever_answers_first(db: Database) -> None:
    class Slowest(FakeFetcher):
        """The first address answers only when all the others have."""

        async def get(self, url: str, *, allow_private: bool = False) -> Fetched:
            while "0.example" in url and sum(self.requests.values()) < 4:
                await asyncio.sleep(0)
            return await super().get(url, allow_private=allow_private)

    fetcher = Slowest({f"{n}.example/": FEED for n in range(5)})
    told: list[Followed] = []
    results = follow(db, [Wish(f"https://{n}.example/") for n in range(5)], fetcher, told.append)
    assert [r.added.source.source_uuid for r in results if r.added] == [f"W_RSS_{n}" for n in range(1, 6)]
    assert [url for _, url in ids(db)] == [f"https://{n}.example/" for n in range(5)]
    assert told == results
    assert not fetcher.is_open


def test_a_failure_never_stops_the_others(db: Database) -> None:
    gone = FetchError("https://b.example/ took longer than 60 s", url="https://b.example/")
    fetcher = FakeFetcher({"a.example/": FEED, "b.example/": gone, "c.example/": page()})
    wishes = ["a.example", "https://b.example/", "mailto:x", "c.example", "http://10.0.0.1/"]
    fetcher.answers = {**fetcher.answers, "10.0.0.1/": refused("http://10.0.0.1/")}
    results = follow(db, [Wish(address) for address in wishes], fetcher)
    assert [result.address for result in results] == wishes
    assert outcomes(results) == ["new", None, None, "new", None]
    assert [type(r.error) for r in results if r.error] == [SourceError, ConfigError, AddressRefused]
    assert [url for _, url in ids(db)] == ["https://a.example/", "https://c.example/"]


def test_seen_and_unseen_together(db: Database) -> None:
    fetcher = FakeFetcher({"b.example/": FEED})
    results = follow(db, [Wish("a.example", method=RSS), Wish("b.example")], fetcher)
    assert [result.discovery is None for result in results] == [True, False]
    assert [uuid for uuid, _ in ids(db)] == ["W_RSS_1", "W_RSS_2"]
    assert list(fetcher.requests) == ["https://b.example/"]


@pytest.mark.parametrize(
    "again",
    [
        "https://e.org/feed",
        "http://e.org/feed",
        "e.org/feed/",
        "HTTPS://E.ORG/feed#x",
        "feed:https://e.org/feed",
    ],
)
def test_the_same_address_is_known(db: Database, again: str) -> None:
    fetcher = FakeFetcher({})
    follow(db, [Wish("https://e.org/feed", "First", RSS)], fetcher)
    (result,) = follow(db, [Wish(again, "Second", RSS)], fetcher)
    assert outcomes([result]) == ["known"]
    assert result.added is not None and result.added.source.source_name == "First"
    assert ids(db) == [("W_RSS_1", "https://e.org/feed")]


def test_two_ways_to_one_feed_are_one_source(db: Database) -> None:
    fetcher = FakeFetcher({"e.org/": page(declared("/feed")), "e.org/feed": FEED})
    assert outcomes(follow(db, [Wish("e.org"), Wish("e.org/feed")], fetcher)) == ["new", "known"]


def test_removed_and_back_under_its_id(db: Database) -> None:
    fetcher = FakeFetcher({})
    follow(db, [Wish("e.org", method=RSS), Wish("f.org", method=RSS)], fetcher)
    store.remove(db, "W_RSS_1")
    (result,) = follow(db, [Wish("http://e.org", "Again", RSS)], fetcher)
    assert outcomes([result]) == ["back"]
    assert result.added is not None
    assert (result.added.source.source_uuid, result.added.source.source_name) == ("W_RSS_1", "Again")
    assert result.added.source.is_active


@pytest.mark.parametrize("empty", ["", "  ", "\n", "\u200b"])
def test_an_empty_name_or_folder_is_none(db: Database, empty: str) -> None:
    (result,) = follow(db, [Wish("e.org", empty, RSS, empty)], FakeFetcher({}))
    assert result.added is not None
    assert (result.added.source.source_name, result.added.source.folder) == ("e.org", None)


def test_names_are_kept_on_one_line(db: Database) -> None:
    (result,) = follow(db, [Wish("e.org", "a\n b\udcff", RSS, " News ")], FakeFetcher({}))
    assert result.added is not None
    assert (result.added.source.source_name, result.added.source.folder) == ("a b", "News")


def test_a_bug_in_fetching_is_not_hidden(db: Database) -> None:
    fetcher = FakeFetcher({"a.example/": FEED, "b.example/": ZeroDivisionError("a bug")})
    with pytest.raises(ZeroDivisionError):
        follow(db, [Wish("a.example"), Wish("b.example"), Wish("c.example")], fetcher)
    assert not fetcher.is_open


def test_a_file_that_cannot_be_written_stops_all(db: Database) -> None:
    def locked(result: Followed) -> None:
        raise LockedFile("the file is locked by another program")

    with pytest.raises(LockedFile):
        follow(db, [Wish("a.example"), Wish("b.example")], FakeFetcher({"a.example/": FEED}), locked)


# --- lists ------------------------------------------------------------------------------------

OUTLINES = (
    Outline("https://a.example/feed", "A", "https://a.example/", "News/Local", True),
    Outline("https://b.example/", None, None, None, False),
)


def test_outlines_are_followed_as_they_stand() -> None:
    assert wishes_of(SourceList(OUTLINES, ("c.example",))) == [
        Wish("https://a.example/feed", "A", RSS, "News/Local", False, "https://a.example/"),
        Wish("https://b.example/", None, DIRECT, None, False, None),
        Wish("c.example"),
    ]


def test_what_the_person_says_holds_for_all() -> None:
    wishes = wishes_of(
        SourceList(OUTLINES, ("c.example",)), method=DIRECT, folder="Imported", allow_private=True
    )
    assert {wish.method for wish in wishes} == {DIRECT}
    assert [wish.folder for wish in wishes] == ["Imported/News/Local", "Imported", "Imported"]
    assert all(wish.allow_private for wish in wishes)


def test_out_and_in_again(db: Database, now: datetime, tmp_path: Path) -> None:
    follow(db, wishes_of(SourceList(OUTLINES)), FakeFetcher({}))
    written = write_opml(outlines_of(store.list_all(db)), "digestlog", now)
    assert read_list(written).outlines == (
        OUTLINES[0],
        Outline("https://b.example/", "b.example", None, None, False),
    )
